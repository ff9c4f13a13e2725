/* Ports that call back: a function that changes the device is refused while another one runs. (softgt.h) */
#include "device/device.h"
#include "device/host.h"

void device_refuse_call(struct softgt *d, const char *function)
{
    struct call_guard *const g = &d->guard;
    if (g->is_reporting)
        return;
    g->is_reporting = true;
    report_error(&d->log, SOFTGT_HOST_FAILURE, "device", 0,
                 "%s refused: a port called it during %s; ports must not change the device", function,
                 g->function);
    g->is_reporting = false;
}

bool device_accepts_call(struct softgt *d, const char *function)
{
    if (!device_enter(d, function))
        return false;
    device_leave(d);
    return true;
}
