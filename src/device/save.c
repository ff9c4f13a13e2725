/*
 * Saving and loading a device: a header, then every unit's state in the order of the walk. (softgt.h has the
 * contract)
 */
#include "device/device.h"

#include <errno.h>
#include <string.h>

enum { VERSION = 5, NAME_BYTES = 16, HEADER_BYTES = 48 };

static const char magic[8] = "softgt\1\n";

/* FNV-1a of the bytes behind the header: what was cut or changed by accident is told from what was saved. */
static uint64_t check_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void header_state(struct state *s, char *device, uint32_t *version, uint64_t *size, uint64_t *check)
{
    char mark[sizeof magic];
    uint32_t reserved = 0;
    memcpy(mark, magic, sizeof mark);
    state_bytes(s, mark, sizeof mark);
    state_check(s, memcmp(mark, magic, sizeof mark) == 0);
    state_bytes(s, device, NAME_BYTES);
    STATE(s, *version);
    STATE(s, reserved);
    STATE(s, *size);
    STATE(s, *check);
}

static void device_state(struct softgt *d, struct state *s)
{
    STATE(s, d->witness.now_ns);
    STATE(s, d->witness.power_on_ns);
    state_check(s, d->witness.power_on_ns <= d->witness.now_ns);
    STATE(s, d->turn);
    STATE(s, d->still);
    STATE(s, d->slice_left_dw);
    state_check(s, d->turn < d->sheet->info.engine_count);
    state_dwords(s, (uint32_t *)(void *)d->memory.ggtt, d->sheet->memory.ggtt_bytes / 4u);
    pci_state(d, s);
    gt_shape.state(&d->gt, s);
    register_file_state(&d->mmio, s);
    interrupt_state(&d->interrupt, s);
    display_state(&d->display, s);
    vga_state(&d->vga, s);
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        engine_state(&d->engines[i], s);
}

size_t softgt_save(struct softgt *d, void *data, size_t size_bytes)
{
    struct state count = {.saving = true};
    device_state(d, &count);
    const size_t needed = HEADER_BYTES + count.at;
    if (!data || size_bytes < needed)
        return needed;
    struct state body = {.saving = true, .out = (uint8_t *)data + HEADER_BYTES, .size = count.at};
    device_state(d, &body);
    char device[NAME_BYTES] = "";
    memcpy(device, d->sheet->info.name, strlen(d->sheet->info.name));
    uint32_t version = VERSION;
    uint64_t size = needed, check = check_of(body.out, count.at);
    struct state header = {.saving = true, .out = data, .size = HEADER_BYTES};
    header_state(&header, device, &version, &size, &check);
    return needed;
}

int softgt_load(struct softgt *d, const void *data, size_t size_bytes)
{
    struct state header = {.in = data, .size = size_bytes};
    char device[NAME_BYTES] = "";
    uint32_t version = 0;
    uint64_t size = 0, check = 0;
    header_state(&header, device, &version, &size, &check);
    if (header.failed || version != VERSION || size != size_bytes ||
        check != check_of(header.in + HEADER_BYTES, size_bytes - HEADER_BYTES))
        return -EINVAL;
    char ours[NAME_BYTES] = "";
    memcpy(ours, d->sheet->info.name, strlen(d->sheet->info.name));
    if (memcmp(device, ours, sizeof device) != 0)
        return -ENODEV;
    struct state body = {.in = header.in + HEADER_BYTES, .size = size_bytes - HEADER_BYTES};
    device_state(d, &body);
    mmu_invalidate(&d->cpu);
    gt_shape.settle(&d->gt);
    if (!body.failed && body.at == body.size) {
        if (d->interrupt.port.intx)
            d->interrupt.port.intx(d->interrupt.port.user, d->interrupt.pin_line);
        return 0;
    }
    softgt_reset(d); /* it is no state of this device, or of none: half of it was taken */
    return -EINVAL;
}
