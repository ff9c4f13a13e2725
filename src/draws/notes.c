#include "draws/notes.h"

#include "device/host.h"
#include "stream/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PS_BLEND_DW = 2, BLEND_DW = 17 };

struct blend_commands {
    const struct bound *bound;
    const struct command *ps_blend;
    uint32_t ps_blend_dw[PS_BLEND_DW];
    uint64_t blend_state; /* its address, if has_blend_state */
    bool has_blend_state;
};

static void find_blend(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct blend_commands *const c = user;
    const struct command *const row = device_command_row(c->bound->device, c->bound->engine, dwords[0]);
    if (row && strcmp(name, "3DSTATE_PS_BLEND") == 0 && length_dw >= PS_BLEND_DW) {
        c->ps_blend = row;
        memcpy(c->ps_blend_dw, dwords, sizeof c->ps_blend_dw);
    }
    for (unsigned n = 0; row && n < row->field_count; n++)
        if (row->fields[n].target == BLEND_STATE)
            c->has_blend_state =
                bases_resolve(&c->bound->bases, row->fields[n].base,
                              field_get(&row->fields[n], dwords, (uint32_t)length_dw), &c->blend_state);
}

static void blend_value_text(const struct field *f, uint64_t value, char text[64])
{
    const char *const name = field_value_name(f, value);
    if (name)
        snprintf(text, 64, "%s", name);
    else
        snprintf(text, 64, "%" PRIu64, value);
}

/* Factors mean nothing where neither blends. */
static bool is_compared(const struct field *f, bool blends)
{
    return blends || !strstr(f->name, "Factor");
}

/* The pixel shader's unit decides by 3DSTATE_PS_BLEND what it needs of the target, the back end blends by
 * BLEND_STATE: the first has to be as entry 0 of the second. (SKL PRM vol 2a, 3DSTATE_PS_BLEND) */
static void note_blend(const struct blend_commands *c, const struct command *state, const uint32_t *state_dw,
                       struct text *notes)
{
    static const char enable[] = "Color Buffer Blend Enable";
    const uint32_t *const entry_dw = state_dw + state->group_dw;
    const struct field *const blend = field_by_name(state->group, state->group_count, enable);
    const bool blends = named_number(c->ps_blend, enable, c->ps_blend_dw, PS_BLEND_DW) != 0 ||
                        (blend && field_get(blend, entry_dw, state->group_size_dw) != 0);
    for (unsigned n = 0; n < c->ps_blend->field_count; n++) {
        const struct field *const f = &c->ps_blend->fields[n],
                                  *const of_entry = field_by_name(state->group, state->group_count, f->name),
                                  *const of_all = of_entry ? NULL : named_field(state, f->name);
        if ((!of_entry && !of_all) || f->first < 32 || !is_compared(f, blends))
            continue;
        const uint64_t here = field_get(f, c->ps_blend_dw, PS_BLEND_DW),
                       there = of_entry ? field_get(of_entry, entry_dw, state->group_size_dw)
                                        : field_get(of_all, state_dw, state->min_dwords);
        char a[64], b[64], text[240];
        if (here == there)
            continue;
        blend_value_text(of_entry ? of_entry : f, here, a);
        blend_value_text(of_entry ? of_entry : f, there, b);
        snprintf(text, sizeof text, "3DSTATE_PS_BLEND has %s %s, BLEND_STATE%s at 0x%" PRIx64 " has %s\n",
                 f->name, a, of_entry ? " [0]" : "", c->blend_state, b);
        text_string(notes, text);
    }
}

void draw_notes(const struct bound *b, struct text *notes)
{
    struct blend_commands c = {.bound = b};
    const struct command *const state = b->structures.rows[structure_find(&b->structures, BLEND_STATE)];
    uint32_t dw[BLEND_DW] = {0};
    softgt_engine_state_commands(b->device, b->engine, &c, find_blend);
    if (!c.ps_blend || !c.has_blend_state || !state || !state->group_count || state->min_dwords > BLEND_DW ||
        !named_number(c.ps_blend, "Has Writeable RT", c.ps_blend_dw, PS_BLEND_DW) ||
        !softgt_ppgtt_read(b->device, b->engine, c.blend_state, dw, state->min_dwords * sizeof *dw))
        return;
    note_blend(&c, state, dw, notes);
}
