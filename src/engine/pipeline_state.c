#include "engine/pipeline_state.h"

#include "base/zeros.h"

#include <stdlib.h>
#include <string.h>

/* MERGE_GROUPS: a header, which groups are there, the groups. */
enum { GROUPS_DW = 3 };
/* MERGE_ENABLED: where the Modify Enable of a dword is. */
enum { NOT_GOVERNED, GOVERNED_BY_ITSELF, GOVERNED_BY_THE_LAST };

static uint32_t most_dw(const struct command *c)
{
    uint32_t most = c->min_dwords;
    if (c->length_bits && (c->group || !c->field_count))
        return (1u << c->length_bits) - 1u + c->length_bias;
    for (unsigned i = 0; i < c->field_count; i++)
        if (c->fields[i].last / 32u >= most)
            most = c->fields[i].last / 32u + 1u;
    return c->length_bits ? most : c->min_dwords;
}

static struct pipeline_slot slot_of(const struct command *c, uint32_t at)
{
    struct pipeline_slot slot = {.first_dw = at, .capacity_dw = (uint16_t)most_dw(c), .value_slots = 1};
    if (c->merge.kind == MERGE_BY_INDEX || c->merge.kind == MERGE_GROUPS)
        slot.value_slots = (uint16_t)(1u << (c->merge.last - c->merge.first + 1u));
    if (c->merge.kind == MERGE_WHOLE)
        slot.whole_dw = slot.capacity_dw;
    return slot;
}

static uint32_t slot_dw(const struct command *c, const struct pipeline_slot *slot)
{
    return c->merge.kind == MERGE_GROUPS ? GROUPS_DW + (uint32_t)slot->value_slots * c->group_size_dw
                                         : (uint32_t)slot->value_slots * slot->capacity_dw;
}

/* Where the Modify Enable of dword `at` is: the second dword of a base has the first's. */
static uint8_t governor_of(const struct command *c, uint32_t at)
{
    uint32_t governed_by = at;
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (f->last % 32u == 31u && f->last / 32u == at && f->first / 32u < at)
            governed_by = f->first / 32u;
    }
    for (unsigned i = 0; i < c->field_count; i++)
        if (c->fields[i].first == governed_by * 32u && c->fields[i].kind == FIELD_BOOL)
            return governed_by == at ? GOVERNED_BY_ITSELF : GOVERNED_BY_THE_LAST;
    return NOT_GOVERNED;
}

bool pipeline_create(struct pipeline_state *p, const struct command_set *set, enum engine_class class)
{
    *p = (struct pipeline_state){.set = set, .class = class, .words = (set->count + 63u) / 64u};
    p->slots = calloc(set->count, sizeof *p->slots);
    p->present_bits = calloc(p->words, sizeof *p->present_bits);
    if (!p->slots || !p->present_bits)
        return false;
    for (unsigned i = 1; i < set->count; i++) {
        const struct command *c = set->rows[i];
        if (!(c->flags & COMMAND_STATE) || !(c->engines & 1u << class))
            continue;
        p->slots[i] = slot_of(c, p->count_dw);
        p->count_dw += slot_dw(c, &p->slots[i]);
    }
    p->dw = calloc(p->count_dw + 1u, sizeof *p->dw);
    p->governor = calloc(p->count_dw + 1u, 1);
    if (!p->dw || !p->governor)
        return false;
    for (unsigned i = 1; i < set->count; i++)
        if (p->slots[i].capacity_dw && set->rows[i]->merge.kind == MERGE_ENABLED)
            for (uint32_t at = 1; at < p->slots[i].capacity_dw; at++)
                p->governor[p->slots[i].first_dw + at] = governor_of(set->rows[i], at);
    return true;
}

void pipeline_destroy(struct pipeline_state *p)
{
    free(p->slots);
    free(p->dw);
    free(p->governor);
    free(p->present_bits);
    *p = (struct pipeline_state){0};
}

unsigned pipeline_next_present(const struct pipeline_state *p, unsigned number)
{
    for (unsigned word = number / 64u; word < p->words; word++) {
        const uint64_t bits =
            p->present_bits[word] & (word == number / 64u ? UINT64_MAX << number % 64u : UINT64_MAX);
        if (bits)
            return word * 64u + (unsigned)__builtin_ctzll(bits);
    }
    return 0;
}

#define FOR_EACH_PRESENT(p, i)                                                                               \
    for (unsigned i = pipeline_next_present((p), 1); i; i = pipeline_next_present((p), i + 1u))

void pipeline_reset(struct pipeline_state *p)
{
    FOR_EACH_PRESENT(p, i)
        memset(p->dw + p->slots[i].first_dw, 0, slot_dw(p->set->rows[i], &p->slots[i]) * 4u);
    memset(p->present_bits, 0, p->words * sizeof *p->present_bits);
}

void pipeline_invalidate(struct pipeline_state *p, uint32_t header, uint32_t mask)
{
    FOR_EACH_PRESENT(p, i) {
        if ((p->set->rows[i]->match & mask) != header)
            continue;
        memset(p->dw + p->slots[i].first_dw, 0, slot_dw(p->set->rows[i], &p->slots[i]) * 4u);
        p->present_bits[i / 64u] &= ~(UINT64_C(1) << i % 64u);
    }
}

/* ---- In ---- */

/* The header of a command of which `kept_dw` are kept. */
static uint32_t with_length(const struct command *c, uint32_t header, uint32_t kept_dw)
{
    const uint32_t length_dw = command_length_dw(c, header);
    return length_dw > kept_dw ? header - (length_dw - kept_dw) : header;
}

/* The command takes the place of the one that is there: nothing of a longer one is left. */
static void replace(const struct command *c, uint32_t *to, uint32_t header, const uint32_t *dw,
                    uint32_t length_dw)
{
    header = with_length(c, header, length_dw);
    if (__builtin_expect(to[0] != header && to[0], 0)) {
        const uint32_t old_dw = command_length_dw(c, to[0]);
        if (old_dw > length_dw)
            memset(to + length_dw, 0, (old_dw - length_dw) * 4u);
    }
    to[0] = header;
    memcpy(to + 1, dw + 1, (length_dw - 1u) * 4u);
}

static uint32_t index_of(const struct command *c, uint32_t dw)
{
    return dw >> c->merge.first % 32u & ((1u << (c->merge.last - c->merge.first + 1u)) - 1u);
}

static void keep_groups(const struct command *c, uint32_t *to, uint32_t header, const uint32_t *dw,
                        uint32_t length_dw)
{
    const uint32_t size_dw = c->group_size_dw, enable = c->merge.enable ? 1u << c->merge.enable : 0;
    to[0] = header & ~((1u << c->length_bits) - 1u);
    for (uint32_t at = c->group_dw; at + size_dw <= length_dw; at += size_dw) {
        const uint32_t first = *(const volatile uint32_t *)&dw[at], index = index_of(c, first);
        uint32_t *const group = to + GROUPS_DW + index * size_dw;
        /* While the enable bit is clear the governed dwords stay, except the instance step rate. */
        const bool modify = (first & enable) == enable;
        to[1u + index / 32u] |= 1u << index % 32u;
        group[0] = first | enable;
        for (uint32_t i = modify ? 1u : 1u + c->merge.governed_dw; i < size_dw; i++)
            group[i] = dw[at + i];
    }
}

static void keep_enabled(const struct command *c, uint32_t *to, const uint8_t *governor, uint32_t header,
                         const uint32_t *dw, uint32_t length_dw)
{
    if (to[0] != header && (!to[0] || command_length_dw(c, to[0]) < length_dw))
        to[0] = with_length(c, header, length_dw);
    uint32_t last = 0;
    for (uint32_t at = 1; at < length_dw; at++) {
        const uint32_t value = *(const volatile uint32_t *)&dw[at];
        if (governor[at] == GOVERNED_BY_ITSELF)
            last = value;
        if (governor[at] == NOT_GOVERNED || last & 1u)
            to[at] = value;
    }
}

static void keep_merged(struct pipeline_state *p, const struct pipeline_slot *slot, const struct command *c,
                        uint32_t header, const uint32_t *dw, uint32_t length_dw)
{
    uint32_t *to = p->dw + slot->first_dw;
    switch ((enum merge_kind)c->merge.kind) {
    case MERGE_WHOLE:
        break;
    case MERGE_BY_INDEX: {
        const uint32_t first = dw[c->merge.first / 32u], index = index_of(c, first);
        to += index * slot->capacity_dw;
        replace(c, to, header, dw, length_dw);
        to[c->merge.first / 32u] = first;
        break;
    }
    case MERGE_GROUPS:
        keep_groups(c, to, header, dw, length_dw);
        break;
    case MERGE_ENABLED:
        keep_enabled(c, to, p->governor + slot->first_dw, header, dw, length_dw);
        break;
    case MERGE_CHANGED:
        for (uint32_t at = 1; at < length_dw && at <= 3; at++)
            if (header >> c->merge.change[at - 1u] & 1u)
                to[at] = dw[at];
        for (unsigned i = 0; i < 3; i++)
            header |= to[0] & 1u << c->merge.change[i];
        to[0] = with_length(c, header, length_dw);
        break;
    case MERGE_MASKED: {
        const uint32_t mask = header >> 8 & 0xffu;
        to[0] = (header & ~0xffu) | (to[0] & 0xff00u) | (to[0] & 0xffu & ~mask) | (header & mask);
        break;
    }
    }
}

void pipeline_merge(struct pipeline_state *p, uint16_t number, uint32_t header, const uint32_t *dw,
                    uint32_t length_dw)
{
    const struct pipeline_slot *const slot = &p->slots[number];
    const struct command *const c = p->set->rows[number];
    if (__builtin_expect(length_dw > slot->capacity_dw, 0))
        length_dw = slot->capacity_dw; /* the rest is nothing that hardware has a place for */
    p->present_bits[number / 64u] |= UINT64_C(1) << number % 64u;
    if (__builtin_expect(c->merge.kind != MERGE_WHOLE, 0)) {
        keep_merged(p, slot, c, header, dw, length_dw);
        return;
    }
    replace(c, p->dw + slot->first_dw, header, dw, length_dw);
}

uint32_t pipeline_restore(struct pipeline_state *p, const uint32_t *dw, uint32_t length_dw)
{
    uint32_t at = 0;
    while (at < length_dw) {
        const uint16_t number = command_find(p->set, p->class, dw[at]);
        if (!number || !p->slots[number].capacity_dw)
            break;
        const uint32_t part_dw = command_length_dw(p->set->rows[number], dw[at]);
        if (part_dw < p->set->rows[number]->min_dwords || part_dw > length_dw - at)
            break;
        pipeline_store_command(p, number, dw[at], dw + at, part_dw);
        at += part_dw;
    }
    return at;
}

/* ---- Out ---- */

struct out {
    uint32_t *dw;
    uint32_t at, room_dw;
    bool left_out;
};

static uint32_t *reserve_dwords(struct out *o, uint32_t length_dw)
{
    if (length_dw > o->room_dw - o->at) {
        o->left_out = true;
        return NULL;
    }
    o->at += length_dw;
    return o->dw + o->at - length_dw;
}

static void save_groups(struct out *o, const struct command *c, const uint32_t *from)
{
    const uint64_t there = from[1] | (uint64_t)from[2] << 32;
    const uint32_t size_dw = c->group_size_dw;
    const uint32_t length_dw = c->group_dw + (uint32_t)__builtin_popcountll(there) * size_dw;
    uint32_t *to = there ? reserve_dwords(o, length_dw) : NULL;
    if (!to)
        return;
    *to++ = from[0] | (length_dw - c->length_bias);
    for (uint64_t left = there; left; left &= left - 1u, to += size_dw)
        memcpy(to, from + GROUPS_DW + (uint32_t)__builtin_ctzll(left) * size_dw, size_dw * 4u);
}

uint32_t pipeline_save(const struct pipeline_state *p, uint32_t *dw, uint32_t room_dw, bool *left_out)
{
    struct out o = {.dw = dw, .room_dw = room_dw};
    FOR_EACH_PRESENT(p, i) {
        const struct command *const c = p->set->rows[i];
        const struct pipeline_slot *const slot = &p->slots[i];
        const uint32_t *from = p->dw + slot->first_dw;
        if (c->merge.kind == MERGE_GROUPS) {
            save_groups(&o, c, from);
            continue;
        }
        for (unsigned copy = 0; copy < slot->value_slots; copy++, from += slot->capacity_dw) {
            const uint32_t length_dw = from[0] ? command_length_dw(c, from[0]) : 0;
            uint32_t *const to = length_dw ? reserve_dwords(&o, length_dw) : NULL;
            if (to)
                memcpy(to, from, length_dw * 4u);
        }
    }
    *left_out = o.left_out;
    return o.at;
}

uint64_t pipeline_field(const struct pipeline_state *p, uint32_t header, unsigned role, uint32_t index)
{
    const uint16_t number = command_find(p->set, p->class, header);
    const struct pipeline_slot *const slot = &p->slots[number];
    if (!slot->capacity_dw || index >= slot->value_slots)
        return 0;
    const struct command *const c = p->set->rows[number];
    const uint32_t *const dw = p->dw + slot->first_dw;
    if (c->merge.kind != MERGE_GROUPS)
        return role < c->role_count
                   ? field_read(&c->places[role], dw + index * slot->capacity_dw, slot->capacity_dw)
                   : 0;
    for (unsigned i = 0; i < c->group_count; i++)
        if (c->group[i].role == role)
            return field_get(&c->group[i], dw + GROUPS_DW + index * c->group_size_dw, c->group_size_dw);
    return 0;
}

const uint32_t *pipeline_command(const struct pipeline_state *p, uint32_t header, const struct command **row,
                                 uint32_t *length_dw)
{
    const uint16_t number = command_find(p->set, p->class, header);
    const uint32_t *const dw = p->dw + p->slots[number].first_dw;
    if (!p->slots[number].capacity_dw || !dw[0])
        return NULL;
    *row = p->set->rows[number];
    *length_dw = command_length_dw(*row, dw[0]);
    return dw;
}

uint32_t pipeline_row_dw(const struct pipeline_state *p, unsigned number)
{
    const struct pipeline_slot *const slot = &p->slots[number];
    return slot->capacity_dw ? slot_dw(p->set->rows[number], slot) : 0;
}

/* ---- Saved and loaded ---- */

/* Whether a slot holds what pipeline_store_command could have put there. */
static bool holds(const struct pipeline_state *p, unsigned number)
{
    const struct pipeline_slot *const slot = &p->slots[number];
    const struct command *const c = p->set->rows[number];
    const uint32_t *from = p->dw + slot->first_dw;
    if (c->merge.kind == MERGE_GROUPS)
        return from[0] ? command_find(p->set, p->class, from[0]) == number &&
                             !(from[0] & ((1u << c->length_bits) - 1u)) && (from[1] | from[2])
                       : !(from[1] | from[2]);
    for (unsigned copy = 0; copy < slot->value_slots; copy++, from += slot->capacity_dw) {
        const uint32_t length_dw = command_length_dw(c, from[0]);
        if (from[0] && (command_find(p->set, p->class, from[0]) != number || length_dw < c->min_dwords ||
                        length_dw > slot->capacity_dw))
            return false;
    }
    return true;
}

void pipeline_section(struct pipeline_state *p, struct state *s)
{
    state_dwords(s, p->dw, p->count_dw);
    if (s->saving)
        return;
    memset(p->present_bits, 0, p->words * sizeof *p->present_bits);
    for (unsigned i = 1; i < p->set->count; i++) {
        const struct pipeline_slot *const slot = &p->slots[i];
        if (!slot->capacity_dw)
            continue;
        const uint32_t size_dw = slot_dw(p->set->rows[i], slot);
        if (zeros_dw(p->dw + slot->first_dw, size_dw) == size_dw)
            continue;
        state_check(s, holds(p, i));
        p->present_bits[i / 64u] |= UINT64_C(1) << i % 64u;
    }
}
