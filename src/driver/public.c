/* Page tables for users of the library (softgt/tools.h). */
#include <softgt/tools.h>

#include "driver/driver.h"

#include "device/host.h"

#include <errno.h>

int softgt_ggtt_map(struct softgt *device, uint64_t address, uint64_t physical, uint64_t size_bytes,
                    unsigned flags)
{
    const bool is_local = flags & SOFTGT_GGTT_LOCAL;
    const uint64_t memory =
        is_local ? softgt_local_bytes(device) : UINT64_C(1) << device_sheet(device)->memory.physical_bits;
    const uint64_t end = device_sheet(device)->info.ggtt_bytes /
                         device_sheet(device)->memory.format->ggtt_entry_bytes * PAGE_BYTES;
    const struct softgt_memory_port none = {0};
    struct driver driver;
    if ((address | physical | size_bytes) % PAGE_BYTES || address > end || size_bytes > end - address ||
        physical > memory || size_bytes > memory - physical || flags & ~(unsigned)SOFTGT_GGTT_LOCAL)
        return -EINVAL;
    if (!device_accepts_call(device, __func__))
        return -EBUSY;
    driver_init(&driver, device, &none, 0, 0);
    driver_map_ggtt(&driver, address, physical | (is_local ? MEMORY_LOCAL : 0), size_bytes);
    return 0;
}
