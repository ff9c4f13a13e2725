#include "report.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const struct witness *w, enum softgt_complaint complaint, const char *unit, uint64_t address,
              const char *format, ...)
{
    if (!w->report.report)
        return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const struct softgt_report report = {
        .complaint = complaint, .unit = unit, .text = text, .address = address, .now_ns = w->now_ns};
    w->report.report(w->report.user, &report);
}

void trace_event(const struct witness *w, struct softgt_event event)
{
    event.now_ns = w->now_ns;
    w->trace.event(w->trace.user, &event);
}
