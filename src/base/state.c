#include "base/state.h"

#include "base/zeros.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sections ---- */

void sections_reset(const struct section *sections, size_t count, void *unit, enum reset_scope scope)
{
    for (const struct section *c = sections; c < sections + count; c++) {
        uint8_t *const at = (uint8_t *)unit + c->offset;
        if (scope < c->reset_survival)
            continue;
        if (c->initial)
            memcpy(at, c->initial, c->size);
        else
            memset(at, 0, c->size);
    }
}

static void fields_state(const struct state_field *fields, size_t count, uint8_t *base, struct state *s)
{
    for (const struct state_field *f = fields; f < fields + count; f++) {
        for (unsigned i = 0; i < f->count && !s->failed; i++) {
            uint8_t *const at = base + f->offset + (size_t)i * f->size;
            if (f->sub_fields) {
                s->outer_field = f->name;
                s->outer_index = i;
                fields_state(f->sub_fields, f->sub_field_count, at, s);
                s->outer_field = s->failed ? s->outer_field : NULL;
                continue;
            }
            uint64_t value = 0;
            s->field = f->name;
            s->index = i;
            if (s->saving) {
                state_bytes(s, at, f->size);
                continue;
            }
            state_bytes(s, &value, f->size);
            state_check(s, !f->limit || value < f->limit);
            if (!s->failed)
                memcpy(at, &value, f->size);
        }
    }
}

void sections_state(const struct section *sections, size_t count, void *unit, const char *name,
                    struct state *s)
{
    for (const struct section *c = sections; c < sections + count; c++) {
        const size_t begin = state_section_begin(s, name, c->name, c->version);
        fields_state(c->fields, c->field_count, (uint8_t *)unit + c->offset, s);
        state_section_end(s, begin);
    }
}

/* The end of members that follow each other without a gap; SIZE_MAX: there is a gap. */
static size_t covered(const struct state_field *fields, size_t count)
{
    size_t end = 0;
    for (const struct state_field *f = fields; f < fields + count; f++) {
        if (f->offset != end || (f->sub_fields && covered(f->sub_fields, f->sub_field_count) != f->size))
            return SIZE_MAX;
        end += (size_t)f->size * f->count;
    }
    return end;
}

bool section_is_whole(const struct section *section)
{
    return covered(section->fields, section->field_count) == section->size;
}

size_t state_section_begin(struct state *s, const char *unit, const char *name, uint16_t version)
{
    char theirs[64] = "", ours[64] = "";
    uint16_t number = version;
    uint32_t size = 0;
    const size_t unit_bytes = strlen(unit), name_bytes = strlen(name);
    if (!s->failed) {
        s->unit = unit;
        s->section = name;
        s->outer_field = s->field = NULL;
        s->index = 0;
    }
    if (unit_bytes + name_bytes + 2 > sizeof ours) {
        s->failed = true;
        return 0;
    }
    memcpy(ours, unit, unit_bytes);
    ours[unit_bytes] = '.';
    memcpy(ours + unit_bytes + 1, name, name_bytes);
    const size_t bytes = unit_bytes + 1 + name_bytes;
    uint8_t length = (uint8_t)bytes;
    memcpy(theirs, ours, sizeof ours);
    STATE(s, length);
    state_check(s, length == bytes);
    state_bytes(s, theirs, bytes);
    state_check(s, memcmp(theirs, ours, bytes) == 0);
    STATE(s, number);
    if (!s->failed && number != version) {
        s->other_version = true;
        s->failed = true;
    }
    const size_t at = s->offset;
    STATE(s, size);
    state_check(s, size <= s->size - s->offset);
    return at;
}

void state_section_end(struct state *s, size_t begin)
{
    if (s->failed)
        return;
    uint32_t size = (uint32_t)(s->offset - begin - 4u), said = size;
    struct state number = *s;
    number.offset = begin;
    if (s->saving)
        number.size = number.output && begin + 4u <= s->size ? begin + 4u : 0;
    STATE(&number, said);
    state_check(s, said == size);
}

/* ---- By hand ---- */

void state_check(struct state *s, bool holds)
{
    if (!s->saving && !holds)
        s->failed = true;
}

void state_bytes(struct state *s, void *data, size_t size)
{
    if (s->saving && s->wanted_offset && s->offset + size > s->wanted_offset) {
        s->part_bytes = s->failed ? s->part_bytes : size;
        s->failed = true;
        return;
    }
    if (s->saving) {
        if (s->output && s->offset <= s->size && size <= s->size - s->offset)
            memcpy(s->output + s->offset, data, size);
        s->offset += size;
        return;
    }
    state_check(s, size <= s->size - s->offset);
    if (s->failed)
        return;
    memcpy(data, s->input + s->offset, size);
    s->offset += size;
}

void state_flag(struct state *s, void *flag, size_t size)
{
    uint8_t value = s->saving ? *(const bool *)flag : 0;
    (void)size;
    state_bytes(s, &value, 1);
    state_check(s, value <= 1);
    if (!s->saving && !s->failed)
        *(bool *)flag = value;
}

/* Runs: zeros to step over, dwords that follow; the last run ends at `count`. */
void state_dwords(struct state *s, uint32_t *dwords, size_t count)
{
    if (!s->saving)
        memset(dwords, 0, count * sizeof *dwords);
    for (size_t at = 0; at < count && !s->failed;) {
        uint32_t skip = 0, run = 0;
        if (s->saving) {
            skip = (uint32_t)zeros_dw(dwords + at, count - at);
            while (at + skip + run < count && dwords[at + skip + run] != 0)
                run++;
        }
        STATE(s, skip);
        STATE(s, run);
        state_check(s, skip <= count - at && run <= count - at - skip && (skip || run));
        if (s->failed)
            return;
        at += skip;
        for (uint32_t i = 0; i < run && !s->failed; i++) {
            s->index = at + i;
            STATE(s, dwords[at + i]);
        }
        at += run;
    }
}

bool state_table_create(struct state_table *t, uint32_t *dwords, size_t count)
{
    *t = (struct state_table){
        .dwords = dwords, .count = count, .used = calloc((count + TABLE_PART - 1) / TABLE_PART, 1)};
    return t->used != NULL;
}

static uint32_t *part_of(const struct state_table *t, size_t part)
{
    return t->dwords + part * TABLE_PART;
}

static size_t part_dwords(const struct state_table *t, size_t part)
{
    const size_t left = t->count - part * TABLE_PART;
    return left < TABLE_PART ? left : TABLE_PART;
}

static uint32_t parts_of(const struct state_table *t)
{
    return (uint32_t)((t->count + TABLE_PART - 1) / TABLE_PART);
}

/* The next part that is used, from one on; the number of all: none. */
static uint32_t next_used(const struct state_table *t, uint32_t part)
{
    const uint32_t parts = parts_of(t);
    const bool *const used = part < parts ? memchr(t->used + part, true, parts - part) : NULL;
    return used ? (uint32_t)(used - t->used) : parts;
}

void state_table_clear_range(struct state_table *t, size_t first, size_t end)
{
    for (uint32_t part = next_used(t, (uint32_t)(first / TABLE_PART));
         part < parts_of(t) && (size_t)part * TABLE_PART < end; part = next_used(t, part + 1)) {
        const size_t at = (size_t)part * TABLE_PART, there = at + part_dwords(t, part),
                     from = at < first ? first : at, to = there < end ? there : end;
        memset(t->dwords + from, 0, (to - from) * sizeof *t->dwords);
    }
}

void state_table_clear(struct state_table *t)
{
    state_table_clear_range(t, 0, t->count);
}

/* Parts that are not zero, each after its number; the number of parts ends the list. */
void state_table(struct state *s, struct state_table *t)
{
    const uint32_t parts = parts_of(t);
    if (!s->saving)
        state_table_clear(t);
    for (uint32_t next = 0, part = 0; part < parts && !s->failed; next = part + 1) {
        part = s->saving ? next_used(t, next) : next;
        while (s->saving && part < parts &&
               zeros_dw(part_of(t, part), part_dwords(t, part)) == part_dwords(t, part))
            part = next_used(t, part + 1);
        STATE(s, part);
        state_check(s, part >= next && part <= parts);
        if (s->failed || part == parts)
            return;
        t->used[part] = true;
        state_dwords(s, part_of(t, part), part_dwords(t, part));
        s->index += s->failed ? (size_t)part * TABLE_PART : 0;
    }
}
