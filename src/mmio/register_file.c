#include "mmio/register_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct accessor accessor_cpu = {.name = "cpu", .kind = ACCESSOR_CPU, .privileged = true};
const struct accessor accessor_unit = {.name = "device", .kind = ACCESSOR_UNIT, .privileged = true};
const struct accessor accessor_guc = {.name = "guc", .kind = ACCESSOR_GUC, .privileged = true};

static struct register_access access_of(struct register_file *f, const struct register_slot *s,
                                        uint32_t offset, uint32_t byte_enables, const struct accessor *by)
{
    return (struct register_access){.file = f,
                                    .owner = s->owner,
                                    .offset = offset,
                                    .index = s->index,
                                    .dword = s->dword,
                                    .bytes = byte_enables,
                                    .row = s->row,
                                    .accessor = by};
}

bool register_file_create(struct register_file *f, struct device_log *log, uint32_t size_bytes)
{
    memset(f, 0, sizeof *f);
    f->log = log;
    f->isolation = &no_vf_isolation;
    f->size_bytes = size_bytes;
    f->value = calloc(size_bytes / 4u, sizeof *f->value);
    f->slot_at = calloc(size_bytes / 4u, sizeof *f->slot_at);
    f->slot_capacity = 1024;
    f->slots = calloc(f->slot_capacity, sizeof *f->slots);
    f->slot_count = 1;
    if (f->value && f->slot_at && f->slots && state_table_create(&f->values, f->value, size_bytes / 4u))
        return true;
    register_file_destroy(f);
    return false;
}

void register_file_destroy(struct register_file *f)
{
    free(f->value);
    free(f->values.used);
    free(f->slot_at);
    free(f->slots);
    free(f->copies);
    memset(f, 0, sizeof *f);
}

void register_file_state(struct register_file *f, struct state *s)
{
    state_table(s, &f->values);
    STATE(s, f->unknown_reads);
    STATE(s, f->unknown_writes);
    if (f->copies)
        state_dwords(s, &f->copies->own_mask, f->copy_count * sizeof *f->copies / sizeof(uint32_t));
}

static struct register_slot *new_slot(struct register_file *f, uint32_t offset)
{
    uint16_t *at = &f->slot_at[offset / 4u];
    if (*at)
        return &f->slots[*at];
    if (f->slot_count == f->slot_capacity) {
        const uint32_t room = f->slot_capacity * 2u;
        struct register_slot *slots = room > UINT16_MAX ? NULL : realloc(f->slots, room * sizeof *slots);
        if (!slots)
            return NULL;
        f->slots = slots;
        f->slot_capacity = room;
    }
    *at = (uint16_t)f->slot_count;
    f->slots[f->slot_count] = (struct register_slot){0};
    return &f->slots[f->slot_count++];
}

uint8_t register_range_at(const struct register_file *f, uint32_t offset)
{
    for (unsigned i = 0; f->ranges && f->ranges[i].owner; i++)
        if (offset >= f->ranges[i].first && offset <= f->ranges[i].last)
            return (uint8_t)(i + 1u);
    return 0;
}

/* A slot's copies; 0: out of memory. */
static uint16_t new_copies(struct register_file *f)
{
    if (f->copy_count >= f->copy_capacity) {
        const uint32_t room = f->copy_capacity ? f->copy_capacity * 2u : 256;
        struct register_copies *copies = room > UINT16_MAX ? NULL : realloc(f->copies, room * sizeof *copies);
        if (!copies)
            return 0;
        f->copies = copies;
        f->copy_capacity = room;
        if (!f->copy_count)
            f->copies[f->copy_count++] = (struct register_copies){0};
    }
    f->copies[f->copy_count] = (struct register_copies){0};
    return (uint16_t)f->copy_count++;
}

/* A dword of a row. */
static bool place_dword(struct register_file *f, const struct register_slot *placed)
{
    const struct reg *const row = placed->row;
    const uint32_t offset = placed->offset, shift = placed->dword * 32u;
    struct register_slot *const s = offset < f->size_bytes ? new_slot(f, offset) : NULL;
    if (!s)
        return false;
    const uint8_t range = register_range_at(f, offset);
    uint16_t copies = s->copies;
    if (range && f->ranges[range - 1].copies && !copies && !(copies = new_copies(f)))
        return false;
    *s = *placed;
    s->kind = row->kind;
    s->flags = row->flags;
    s->writable = (uint32_t)(row->writable >> shift);
    s->w1c = (uint32_t)(row->w1c >> shift);
    s->reset = (uint32_t)(row->reset >> shift);
    s->after_write = row->after_write;
    s->before_read = row->before_read;
    s->range = range;
    s->copies = copies;
    f->value[offset / 4u] = s->reset;
    f->values.used[offset / 4u / TABLE_PART] = true;
    const bool simple =
        row->kind == REG_PLAIN && !s->w1c && !row->after_write && !copies && !(row->flags & REG_FILLS_STRIDE);
    s->direct_writable[0] = simple && row->flags & REG_NONPRIV_WRITE ? s->writable : 0;
    s->direct_writable[1] = simple ? s->writable : 0;
    for (uint32_t at = 4; row->flags & REG_FILLS_STRIDE && at < row->stride; at += 4)
        f->slot_at[(offset + at) / 4u] = f->slot_at[offset / 4u];
    return true;
}

/* Rows from end_bytes on stay where they are, and only where there is nothing. */
static bool place(struct register_file *f, const struct register_block *block, uint32_t base,
                  uint32_t end_bytes, void *owner, const char *unit)
{
    for (const struct reg *row = block->rows; row < block->rows + block->count; row++) {
        const uint32_t count = row->count ? row->count : 1u, dwords = row->dwords == 2 ? 2u : 1u;
        for (uint32_t n = 0; n < count * dwords; n++) {
            const uint32_t i = n / dwords, d = n % dwords, own = row->offset + i * row->stride + d * 4u;
            if (own >= end_bytes && register_slot_at(f, own)->row)
                continue;
            if (!place_dword(f, &(struct register_slot){.row = row,
                                                        .owner = owner,
                                                        .unit = unit,
                                                        .offset = own < end_bytes ? base + own : own,
                                                        .index = (uint16_t)i,
                                                        .dword = (uint8_t)d}))
                return false;
        }
    }
    return true;
}

bool register_file_place(struct register_file *f, const struct register_block *block, uint32_t base,
                         void *owner, const char *unit)
{
    return place(f, block, base, UINT32_MAX, owner, unit);
}

bool register_file_place_beside(struct register_file *f, const struct register_block *block, uint32_t base,
                                uint32_t end_bytes, void *owner, const char *unit)
{
    return place(f, block, base, end_bytes, owner, unit);
}

static void reset_slot(struct register_file *f, const struct register_slot *s)
{
    f->value[s->offset / 4u] = s->reset;
    if (s->copies)
        f->copies[s->copies] = (struct register_copies){0};
}

void register_file_reset(struct register_file *f, const char *unit, bool all)
{
    for (const struct register_slot *s = f->slots + 1; s < f->slots + f->slot_count; s++)
        if (s->unit == unit && (all || !(s->flags & REG_SURVIVES_ENGINE_RESET)))
            reset_slot(f, s);
}

void register_file_reset_all(struct register_file *f, bool (*stays)(const void *user, const void *owner),
                             const void *user)
{
    for (const struct register_slot *s = f->slots + 1; s < f->slots + f->slot_count; s++)
        if (!stays(user, s->owner) && !register_belongs_to_vf(f, s->offset))
            reset_slot(f, s);
}

const char *register_range_owner(const struct register_range *ranges, uint32_t offset)
{
    for (const struct register_range *r = ranges; r && r->owner; r++)
        if (offset >= r->first && offset <= r->last)
            return r->owner;
    return "";
}

/* " (of the ...)", or nothing: for what has no row. */
static void range_text(const struct register_file *f, uint32_t offset, char *text, size_t size)
{
    const char *owner = register_range_owner(f->ranges, offset);
    snprintf(text, size, *owner ? " (%s)" : "%s", owner);
}

static struct register_target target_of(const struct register_file *f, const struct register_slot *s,
                                        const struct accessor *by)
{
    return f->steer(f, f->ranges[s->range - 1].copies, s->offset, by);
}

/* True: the copy has the common value. False: *value is its own value, or 0 where no copy is present. */
static bool copy_read(const struct register_file *f, const struct register_slot *s, const struct accessor *by,
                      uint32_t *value)
{
    const struct register_target t = target_of(f, s, by);
    const struct register_copies *c = &f->copies[s->copies];
    const uint32_t bit = t.read_copy < REGISTER_COPIES ? 1u << t.read_copy : 0;
    if (bit & t.present_mask & ~c->own_mask)
        return true;
    *value = bit & t.present_mask ? c->value[t.read_copy] : 0;
    return false;
}

/* Whether the file's own value is among those that are written; the copies have been. */
static bool copies_written(struct register_file *f, const struct register_slot *s, uint32_t value,
                           uint32_t writable, uint32_t clears, const struct accessor *by)
{
    const struct register_target t = target_of(f, s, by);
    struct register_copies *c = &f->copies[s->copies];
    const uint32_t shared = f->value[s->offset / 4u], primary = 1u << t.primary_copy;
    /* The other copies keep the common value. */
    const uint32_t split = t.write_mask & primary ? t.present_mask & ~t.write_mask : t.write_mask;
    for (uint32_t i = 0; i < REGISTER_COPIES; i++) {
        const uint32_t bit = 1u << i;
        if (bit & split & ~c->own_mask & ~primary)
            c->value[i] = shared;
        if (bit & t.write_mask)
            c->value[i] = ((c->value[i] & ~writable) | (value & writable)) & ~clears;
    }
    c->own_mask = (c->own_mask | split) & ~primary;
    return t.write_mask & primary;
}

uint32_t register_read(struct register_file *f, uint32_t offset, uint32_t byte_enables,
                       const struct accessor *by)
{
    const struct register_slot *s = register_slot_at(f, offset);
    uint32_t value = 0;
    if (!s->row) {
        char owner[64];
        f->unknown_reads++;
        range_text(f, offset, owner, sizeof owner);
        report_error(f->log, SOFTGT_NOT_MODELLED, "mmio", offset,
                     "read of register %05x: not modelled, reads 0%s", offset, owner);
    } else {
        value = f->value[offset / 4u];
        if (s->copies && !copy_read(f, s, by, &value)) {
            /* A copy of its own answers, or none. */
        } else if (s->before_read) {
            const struct register_access at = access_of(f, s, offset, byte_enables, by);
            value = f->value[offset / 4u] = s->before_read(&at, value);
        }
    }
    if (tracing(f->log, SOFTGT_TRACE_READS))
        trace_event(f->log, (struct softgt_event){.what = SOFTGT_TRACE_READS,
                                                  .unit = s->row ? s->unit : "mmio",
                                                  .name = s->row ? s->row->name : "",
                                                  .by = by->name,
                                                  .address = offset,
                                                  .value = value,
                                                  .index = s->index,
                                                  .is_array = s->row && s->row->count > 1,
                                                  .is_upper = s->row && s->row->dwords == 2 && s->dword,
                                                  .size_bytes = 4});
    return value;
}

void register_write_slow(struct register_file *f, uint32_t offset, uint32_t value, uint32_t byte_enables,
                         const struct accessor *by)
{
    const struct register_slot *s = register_slot_at(f, offset);
    if (!s->row) {
        char owner[64];
        f->unknown_writes++;
        range_text(f, offset, owner, sizeof owner);
        report_error(f->log, SOFTGT_NOT_MODELLED, "mmio", offset,
                     "write of %08x to register %05x by %s: not modelled, dropped%s", value, offset, by->name,
                     owner);
        return;
    }
    uint32_t *store = &f->value[offset / 4u];
    const uint32_t old = *store;
    uint32_t writable = s->writable;
    if (byte_enables != 0xf) {
        static const uint32_t bytes[16] = {
            0x00000000, 0x000000ff, 0x0000ff00, 0x0000ffff, 0x00ff0000, 0x00ff00ff, 0x00ffff00, 0x00ffffff,
            0xff000000, 0xff0000ff, 0xff00ff00, 0xff00ffff, 0xffff0000, 0xffff00ff, 0xffffff00, 0xffffffff};
        value &= bytes[byte_enables & 0xf];
        writable &= bytes[byte_enables & 0xf];
    }
    uint32_t clears = value & s->w1c;
    if (s->kind == REG_MASKED) {
        writable &= value >> 16;
        clears &= value >> 16;
    }
    if (s->copies && !copies_written(f, s, value, writable, clears, by))
        return;
    const uint32_t now = ((old & ~writable) | (value & writable)) & ~clears;
    *store = now;
    if (tracing(f->log, SOFTGT_TRACE_REGISTERS))
        trace_event(f->log, (struct softgt_event){.what = SOFTGT_TRACE_REGISTERS,
                                                  .unit = s->unit,
                                                  .name = s->row->name,
                                                  .by = by->name,
                                                  .address = offset,
                                                  .old_value = old,
                                                  .value = now,
                                                  .index = s->index,
                                                  .is_array = s->row->count > 1,
                                                  .is_upper = s->row->dwords == 2 && s->dword,
                                                  .size_bytes = 4});
    if (s->after_write) {
        struct register_access w = access_of(f, s, offset, byte_enables, by);
        w.old_value = old;
        w.value = now;
        w.written = value;
        s->after_write(&w);
    }
}

uint32_t register_peek(struct register_file *f, const struct register_slot *slot)
{
    const uint32_t stored = f->value[slot->offset / 4u];
    if (!slot->before_read || slot->flags & REG_READ_HAS_EFFECT)
        return stored;
    const struct register_access at = access_of(f, slot, slot->offset, 0xf, &accessor_unit);
    return slot->before_read(&at, stored);
}

void register_slot_name(const struct register_slot *slot, char *text, size_t size)
{
    const char *upper = slot->row->dwords == 2 && slot->dword ? "_UDW" : "";
    if (slot->row->count > 1)
        snprintf(text, size, "%s[%u]%s", slot->row->name, slot->index, upper);
    else
        snprintf(text, size, "%s%s", slot->row->name, upper);
}

const struct register_slot *register_find(const struct register_file *f, const char *unit, const char *name)
{
    char text[96];
    for (uint32_t i = 1; i < f->slot_count; i++) {
        const struct register_slot *s = &f->slots[i];
        if (unit && strcmp(unit, s->unit) != 0)
            continue;
        const size_t stem = strlen(s->row->name);
        if (strncmp(s->row->name, name, stem) != 0) /* cheap before exact */
            continue;
        register_slot_name(s, text, sizeof text);
        if (strcmp(text, name) == 0)
            return s;
    }
    return NULL;
}
