/* STATE_BASE_ADDRESS: what is kept of it is what is in force. (OVR-04) */
#include "engine/execution.h"

#include "commands/tables.h"

/* The dwords of a base, a bound or a size change where their Modify Enable, bit 0 of the first, is set. */
enum outcome state_base_address_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const struct command *c = x->command;
    uint32_t *const kept = e->kept + e->kept_at[command_find(e->set, e->info->class, x->header)];
    const uint32_t length_dw = x->length_dw < c->min_dwords ? x->length_dw : c->min_dwords;
    kept[0] = x->header;
    for (uint32_t at = 1; at < length_dw; at++) {
        uint32_t governed = at; /* the second dword of a base follows the first */
        bool enabled = true;
        for (unsigned i = 0; i < c->field_count; i++) {
            const struct field *f = &c->fields[i];
            if (f->last % 32u == 31u && f->last / 32u == at && f->first / 32u < at)
                governed = f->first / 32u;
        }
        for (unsigned i = 0; i < c->field_count; i++)
            if (c->fields[i].first == governed * 32u && c->fields[i].kind == FIELD_BOOL)
                enabled = x->dw[governed] & 1u;
        if (enabled)
            kept[at] = x->dw[at];
    }
    return DONE;
}
