/*
 * Pipeline state: the last value of all that the state commands of a context set, merged as hardware merges
 * them. It is saved in context images as commands and restored from them. The row of a command says how it
 * merges. (CSP-18, REN-34)
 */
#ifndef ENGINE_PIPELINE_STATE_H
#define ENGINE_PIPELINE_STATE_H

#include "base/state.h"
#include "stream/index.h"
#include "stream/roles_3d.h"

#include <string.h>

/* The role of COMMAND_SELECTS_PIPELINE. */
enum { PIPELINE_SELECTION = 1 };

/* Where the state of a row is. */
struct pipeline_slot {
    uint32_t first_dw; /* in dw */
    uint16_t
        capacity_dw; /* of a copy: what of a command is kept at most; 0: the row is no state of this class */
    uint16_t value_slots; /* MERGE_BY_INDEX: one a value of the index; MERGE_GROUPS: of groups; else 1 */
    uint16_t whole_dw;    /* MERGE_WHOLE: the capacity; else 0 */
};

struct pipeline_state {
    const struct command_set *set;
    enum engine_class class;
    struct pipeline_slot *slots; /* by row number */
    uint32_t *dw;                /* of all slots; a header of zero: the command did not come */
    uint8_t *governor;      /* MERGE_ENABLED: by dword, which of its slot's has the Modify Enable in bit 0 */
    uint64_t *present_bits; /* a bit for each row: something of it came */
    uint32_t count_dw, words;
};

bool pipeline_create(struct pipeline_state *p, const struct command_set *set, enum engine_class class);
void pipeline_destroy(struct pipeline_state *p);
void pipeline_reset(struct pipeline_state *p);
/* Drops the state of all commands whose headers have these bits under the mask. */
void pipeline_invalidate(struct pipeline_state *p, uint32_t header, uint32_t mask);
void pipeline_section(struct pipeline_state *p, struct state *s);

/* Takes a command of row `number`; `dw` is guest memory, of which each dword is read once, and the header is
 * `header`. */
static inline void pipeline_store_command(struct pipeline_state *p, uint16_t number, uint32_t header,
                                          const uint32_t *dw, uint32_t length_dw);

/* Writes the state out as whole commands, in the order of the rows; at most room_dw. Returns the dwords; sets
 * *left_out if some did not fit. */
uint32_t pipeline_save(const struct pipeline_state *p, uint32_t *dw, uint32_t room_dw, bool *left_out);
/* Takes commands that were written so. Returns the dwords taken: less than length_dw at what is no state. */
uint32_t pipeline_restore(struct pipeline_state *p, const uint32_t *dw, uint32_t length_dw);

/* The value of the field with this role in the row's table (the group's, of commands of groups), of commands
 * that merge by index that of `index`; 0 if the command did not come. */
uint64_t pipeline_field(const struct pipeline_state *p, uint32_t header, unsigned role, uint32_t index);

/* The command that is kept for this header, one of a kind, and its row; NULL if it did not come. */
const uint32_t *pipeline_command(const struct pipeline_state *p, uint32_t header, const struct command **row,
                                 uint32_t *length_dw);

/* The next row from `number` on of which something came; 0: none. All dwords of other rows are zero. */
unsigned pipeline_next_present(const struct pipeline_state *p, unsigned number);
/* The length of a row's state, from its slot's first dword on. */
uint32_t pipeline_row_dw(const struct pipeline_state *p, unsigned number);

/* As pipeline_store_command, whatever was there. */
void pipeline_merge(struct pipeline_state *p, uint16_t number, uint32_t header, const uint32_t *dw,
                    uint32_t length_dw);

static inline void pipeline_store_command(struct pipeline_state *p, uint16_t number, uint32_t header,
                                          const uint32_t *dw, uint32_t length_dw)
{
    const struct pipeline_slot slot = p->slots[number];
    uint32_t *const to = p->dw + slot.first_dw;
    if (__builtin_expect(length_dw <= slot.whole_dw && to[0] == header, 1)) /* as long as the last one */
        memcpy(to + 1, dw + 1, (length_dw - 1u) * 4u);
    else
        pipeline_merge(p, number, header, dw, length_dw);
}

#endif
