#include "stream/state_parts.h"

#include "stream/headers.h"

#include <inttypes.h>
#include <stdio.h>

unsigned state_part_count(const struct command *row)
{
    const bool is_array = row->merge.kind == MERGE_BY_INDEX || row->merge.kind == MERGE_GROUPS;
    return is_array ? 1u << (row->merge.last - row->merge.first + 1u) : 1u;
}

static unsigned index_of(const struct command *row, uint32_t dw)
{
    return dw >> row->merge.first % 32u & (state_part_count(row) - 1u);
}

/* 3DSTATE_CONSTANT_ALL sets the state of each stage's own command. */
static const struct {
    uint32_t header;
    uint8_t bit; /* of the command's header */
} constants[] = {
    {STATE_CONSTANT_VS, 8},  {STATE_CONSTANT_HS, 9},  {STATE_CONSTANT_DS, 10},
    {STATE_CONSTANT_GS, 11}, {STATE_CONSTANT_PS, 12},
};

void state_parts_each(const struct command_set *set, enum engine_class class, const uint32_t *dw,
                      uint32_t length_dw, void *user,
                      void (*each)(void *user, uint16_t number, unsigned index))
{
    const uint16_t number = length_dw ? command_find(set, class, dw[0]) : 0;
    const struct command *const row = set->rows[number];
    if (!row)
        return;
    if (row->match == STATE_CONSTANT_ALL) {
        for (size_t n = 0; n < sizeof constants / sizeof constants[0]; n++) {
            const uint16_t stage = command_find(set, class, constants[n].header);
            if (stage && dw[0] >> constants[n].bit & 1u)
                each(user, stage, 0);
        }
    } else if (row->merge.kind == MERGE_BY_INDEX) {
        if (row->merge.first / 32u < length_dw)
            each(user, number, index_of(row, dw[row->merge.first / 32u]));
    } else if (row->merge.kind == MERGE_GROUPS) {
        for (uint32_t at = row->group_dw; at + row->group_size_dw <= length_dw; at += row->group_size_dw)
            each(user, number, index_of(row, dw[at]));
    } else {
        each(user, number, 0);
    }
}

struct state_source state_source_next(const struct command *row, const struct state_source *before,
                                      uint64_t number, uint64_t address)
{
    const enum merge_kind kind = row->merge.kind;
    const bool is_partial = kind == MERGE_ENABLED || kind == MERGE_CHANGED || kind == MERGE_MASKED;
    return (struct state_source){number, address, is_partial && before && before->number};
}

const struct state_source *state_source_last(const struct state_source *parts, unsigned count, bool *is_mixed)
{
    const struct state_source *last = NULL;
    *is_mixed = false;
    for (unsigned n = 0; n < count; n++)
        if (parts[n].number && (!last || parts[n].number > last->number))
            last = &parts[n];
    for (unsigned n = 0; last && n < count; n++)
        *is_mixed |= parts[n].is_merged || parts[n].number != last->number;
    return last;
}

void state_sources_list(struct text *t, const struct state_source *parts, unsigned count)
{
    for (unsigned n = 0; count > 1 && n < count; n++) {
        char text[48];
        const char *const before = n ? ", " : ": ";
        if (parts[n].number)
            snprintf(text, sizeof text, "%s[%u] by #%" PRIu64, before, n, parts[n].number);
        else
            snprintf(text, sizeof text, "%s[%u] earlier", before, n);
        text_string(t, text);
    }
}
