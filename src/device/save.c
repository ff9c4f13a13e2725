/*
 * Saving and loading a device: a header, then every unit's state in the order of the walk. (softgt.h has the
 * contract)
 */
#include "device/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 8, NAME_BYTES = 16 };

static const char magic[8] = "softgt\1\n";

/* FNV-1a of the bytes after the header; it finds truncated and damaged states. */
static uint64_t check_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* `rows`: what counts and pipeline state are kept by. */
static void header_state(struct state *s, char *device, uint32_t *version, uint32_t *rows, uint64_t *size,
                         uint64_t *check)
{
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof mark);
    state_bytes(s, mark, sizeof mark);
    state_check(s, memcmp(mark, magic, sizeof mark) == 0);
    state_bytes(s, device, NAME_BYTES);
    STATE(s, *version);
    STATE(s, *rows);
    STATE(s, *size);
    STATE(s, *check);
}

static STATE_TABLE(scheduler_fields, struct unit_scheduler, UNIT_SCHEDULER)
const struct section device_section =
    SECTION(struct softgt, scheduler, 1, SURVIVES_DEVICE_RESET, scheduler_fields, NULL);

/* Power on: everything is as softgt_create leaves it, time and counts, too; but
 * isolated VFs continue, and time and counts with them. */
void device_reset(struct softgt *d, enum reset_scope scope)
{
    sections_reset(&device_section, 1, d, scope);
    if (scope == RESET_POWER)
        d->log.now_ns = 0;
    gt_registers_reset(&d->gts[0]);
    d->mmio.unknown_reads = d->mmio.unknown_writes = 0;
    ggtt_clear(&d->memory);
    local_clear(&d->memory);
    pci_reset(d);
    functions_reset(d);
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++)
        if (u->shape->reset)
            u->shape->reset(u->self, scope);
    mmu_invalidate(&d->cpu);
}

void device_settle(struct softgt *d)
{
    functions_settle(d);
    mmu_invalidate(&d->cpu);
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++)
        if (u->shape->recompute_derived)
            u->shape->recompute_derived(u->self);
}

void device_state(struct softgt *d, struct state *s)
{
    size_t begin = state_section_begin(s, "device", "time", 1);
    STATE(s, d->log.now_ns);
    state_check(s, d->log.now_ns <= SOFTGT_LAST_NS);
    state_section_end(s, begin);
    sections_state(&device_section, 1, d, "device", s);
    state_check(s, d->scheduler.current_unit < d->unit_count);
    begin = state_section_begin(s, "device", "ggtt", 2);
    state_table(s, &d->memory.ggtt_parts);
    state_section_end(s, begin);
    if (d->memory.local_bytes) {
        begin = state_section_begin(s, "device", "local", 1);
        local_state(&d->memory, s);
        state_section_end(s, begin);
    }
    begin = state_section_begin(s, "device", "pci", 1);
    pci_state(d, s);
    state_section_end(s, begin);
    if (d->sriov.total_vfs) {
        begin = state_section_begin(s, "device", "functions", 1);
        functions_state(d, s);
        state_section_end(s, begin);
    }
    begin = state_section_begin(s, "device", "registers", 2);
    register_file_state(&d->mmio, s);
    state_section_end(s, begin);
    for (const struct unit *u = d->units; u < d->units + d->unit_count; u++)
        if (u->shape->state)
            u->shape->state(u->self, s);
}

static size_t save(struct softgt *d, void *data, size_t size_bytes)
{
    const bool room = data && size_bytes >= STATE_HEADER_BYTES;
    struct state body = {.saving = true,
                         .output = room ? (uint8_t *)data + STATE_HEADER_BYTES : NULL,
                         .size = room ? size_bytes - STATE_HEADER_BYTES : 0};
    device_state(d, &body);
    const size_t needed = STATE_HEADER_BYTES + body.offset;
    if (!data || size_bytes < needed)
        return needed;
    char device[NAME_BYTES] = "";
    memcpy(device, d->sheet->info.name, strlen(d->sheet->info.name));
    uint32_t version = VERSION, rows = command_set_sum(&d->set);
    uint64_t size = needed, check = check_of(body.output, body.offset);
    struct state header = {.saving = true, .output = data, .size = STATE_HEADER_BYTES};
    header_state(&header, device, &version, &rows, &size, &check);
    return needed;
}

size_t softgt_save(struct softgt *d, void *data, size_t size_bytes)
{
    if (!device_enter(d, __func__))
        return 0;
    const size_t size = save(d, data, size_bytes);
    device_leave(d);
    return size;
}

void device_state_locate(struct softgt *d, size_t at, size_t *begin, size_t *part_bytes, char *text,
                         size_t size)
{
    struct state s = {.saving = true, .wanted_offset = at < STATE_HEADER_BYTES ? 1 : at - STATE_HEADER_BYTES};
    device_state(d, &s);
    *begin = s.offset + STATE_HEADER_BYTES;
    *part_bytes = s.part_bytes;
    const uint32_t offset = (uint32_t)s.index * 4u;
    char name[96];
    if (!s.failed)
        snprintf(text, size, "the end");
    else if (s.outer_field)
        snprintf(text, size, "%s.%s.%s[%zu].%s[%zu]", s.unit, s.section, s.outer_field, s.outer_index,
                 s.field, s.index);
    else if (s.field)
        snprintf(text, size, "%s.%s.%s[%zu]", s.unit, s.section, s.field, s.index);
    else if (strcmp(s.section, "registers") == 0 && register_slot_at(&d->mmio, offset)->row) {
        register_slot_name(register_slot_at(&d->mmio, offset), name, sizeof name);
        snprintf(text, size, "%s.%s", register_slot_at(&d->mmio, offset)->unit, name);
    } else {
        snprintf(text, size, "%s.%s, dword 0x%zx", s.unit, s.section, s.index);
    }
}

/* Loads `body`; an invalid one leaves the device unchanged. */
static bool take_header(struct softgt *d, struct state *body)
{
    const size_t size = save(d, NULL, 0);
    uint8_t *before = malloc(size);
    if (!before) {
        body->failed = true;
        return false;
    }
    save(d, before, size);
    device_state(d, body);
    body->failed |= body->offset != body->size;
    if (body->failed) {
        struct state back = {.input = before + STATE_HEADER_BYTES, .size = size - STATE_HEADER_BYTES};
        device_state(d, &back);
    }
    free(before);
    device_settle(d);
    return !body->failed;
}

static int load(struct softgt *d, const void *data, size_t size_bytes)
{
    struct state header = {.input = data, .size = size_bytes};
    char device[NAME_BYTES] = "", ours[NAME_BYTES] = "";
    uint32_t version = 0, rows = 0;
    uint64_t size = 0, check = 0;
    header_state(&header, device, &version, &rows, &size, &check);
    if (header.failed || size != size_bytes) {
        report_error(&d->log, SOFTGT_HOST_FAILURE, "device", 0,
                     "saved state not loaded: it has %zu bytes, expected %llu", size_bytes,
                     (unsigned long long)(header.failed ? STATE_HEADER_BYTES : size));
        return -EINVAL;
    }
    if (check != check_of(header.input + STATE_HEADER_BYTES, size_bytes - STATE_HEADER_BYTES)) {
        report_error(&d->log, SOFTGT_HOST_FAILURE, "device", 0,
                     "saved state not loaded: its bytes differ from those that were saved");
        return -EINVAL;
    }
    if (version != VERSION) {
        report_error(&d->log, SOFTGT_HOST_FAILURE, "device", 0,
                     "saved state not loaded: version %u, expected %d", version, VERSION);
        return -EINVAL;
    }
    memcpy(ours, d->sheet->info.name, strlen(d->sheet->info.name));
    if (memcmp(device, ours, sizeof device) != 0)
        return -ENODEV;
    if (rows != command_set_sum(&d->set)) {
        report_error(&d->log, SOFTGT_HOST_FAILURE, "device", 0,
                     "saved state not loaded: from a build with other commands (%08x, expected %08x)", rows,
                     command_set_sum(&d->set));
        return -EINVAL;
    }
    struct state body = {.input = header.input + STATE_HEADER_BYTES, .size = size_bytes - STATE_HEADER_BYTES};
    if (take_header(d, &body))
        return 0;
    if (!body.section)
        return -ENOMEM;
    report_error(&d->log, SOFTGT_HOST_FAILURE, "device", 0, "saved state not loaded: section %s.%s %s",
                 body.unit, body.section,
                 body.other_version ? "is of another version" : "has invalid contents");
    return -EINVAL;
}

int softgt_load(struct softgt *d, const void *data, size_t size_bytes)
{
    if (!device_enter(d, __func__))
        return -EBUSY;
    const int error = load(d, data, size_bytes);
    for (unsigned i = 0; !error && i < d->sheet->info.engine_count; i++)
        engine_forget_earlier(&d->engines[i]);
    device_leave(d);
    return error;
}
