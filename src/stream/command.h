/*
 * A command is one row: header, length, engines, generations, fields, privilege, and the function that
 * executes it. A row without a name is a variant of the row above it, from a later generation on: it says
 * only what differs. Executor, decoder, assembler, documentation and table tests walk the same rows.
 * stream/index.h builds the rows of one generation from them. (CSP-05, CSP-06)
 */
#ifndef STREAM_COMMAND_H
#define STREAM_COMMAND_H

#include "base/field.h"
#include "stream/headers.h"

#include <softgt/softgt.h>

struct execution; /* engine/execution.h */

/* Graphics IP versions, in order: rows hold for a range of them. Nothing but rows and sheets may ask for one.
 */
enum generation {
    GEN6 = 60,
    GEN7 = 70,
    GEN75 = 75,
    GEN8 = 80,
    GEN9 = 90,
    GEN11 = 110,
    GEN12 = 120,
    GEN125 = 125,
    GEN200 = 200
};

enum engine_class {
    CLASS_RENDER,
    CLASS_COPY,
    CLASS_VIDEO,
    CLASS_ENHANCE,
    CLASS_COMPUTE,
    CLASS_OTHER,
    ENGINE_CLASSES
};

extern const char *const engine_class_names[ENGINE_CLASSES];

enum {
    RENDER = 1u << CLASS_RENDER,
    COPY = 1u << CLASS_COPY,
    VIDEO = 1u << CLASS_VIDEO,
    ENHANCE = 1u << CLASS_ENHANCE,
    COMPUTE = 1u << CLASS_COMPUTE,
    OTHER_CLASS = 1u << CLASS_OTHER,
    ALL_ENGINES = RENDER | COPY | VIDEO | ENHANCE | COMPUTE | OTHER_CLASS,
};

/* The result of executing a command. */
enum outcome {
    OUTCOME_DONE,   /* continue with the next command */
    OUTCOME_JUMP,   /* continue where the function said */
    OUTCOME_WAIT,   /* stay on the command; try again later */
    OUTCOME_FAULT,  /* unrecoverable: the engine stops on the command */
    OUTCOME_RESUME, /* not done: call again when the budget allows */
};

enum command_flags {
    COMMAND_STATE = 1u << 0,            /* sets state, which is kept merged */
    COMMAND_WORK = 1u << 1,             /* a draw, dispatch, blit or codec job: counted, not performed */
    COMMAND_PRIVILEGED = 1u << 2,       /* MI_NOOP in a non-privileged batch (CSP-15) */
    COMMAND_PREDICATED = 1u << 3,       /* skipped while MI_SET_PREDICATE says so (CSP-11) */
    COMMAND_ARBITRATES = 1u << 4,       /* preemptable: a pending execlist may be taken here (CSP-21) */
    COMMAND_ARBITRATES_MEDIA = 1u << 5, /* the same while the media or GPGPU pipeline is selected */
    COMMAND_PREDICATES = 1u << 6,       /* says what is skipped: is never skipped itself (CSP-11) */
    COMMAND_SELECTS_PIPELINE = 1u << 7, /* its field of role PIPELINE_SELECTION says which, 0: 3D */
    COMMAND_INDIRECT_STATE = 1u << 8,   /* Gen6: a pointer to indirect state (REN-07, REN-31) */
    COMMAND_PROBES = 1u << 9,    /* Gen6: part of a run of probes; faults are reported at its end (REN-03) */
    COMMAND_PHYSICAL = 1u << 10, /* MI_NOOP in a context of a virtual function, whatever the batch (SYS-04) */
    COMMAND_PERFORMED = 1u << 11, /* work that is performed */
    COMMAND_PERFORMED_IF_SUPPORTED = 1u
                                     << 12, /* work that is performed, unless it needs what is not modelled */
    COMMAND_HOLDS_LIST = 1u << 13,          /* while it waits no pending execlist may be taken (CSP-21) */
    /* Store Data Index goes by the address type: PPGTT, the context's status page; GGTT, the engine's own,
     * which virtual functions do not write. Without it: the context's where there is one (SYS-04) */
    COMMAND_INDEX_BY_TYPE = 1u << 14,
    COMMAND_PREEMPTION_POINT = COMMAND_ARBITRATES | COMMAND_ARBITRATES_MEDIA, /* something may follow it */
};

/* INSTPM bits, each of which disables a group of commands. (REN-06) */
enum {
    DISABLED_TEXTURE_PALETTES = 1u << 0,
    DISABLED_3D_STATE = 1u << 1,
    DISABLED_3D_PRIMITIVES = 1u << 2,
    DISABLED_BLITS = 1u << 3,
};

/* How a state command merges into the state that earlier ones set. */
enum merge_kind {
    MERGE_WHOLE,    /* replaces all of it */
    MERGE_BY_INDEX, /* replaces the value of its index, which is bits of the command */
    MERGE_GROUPS,   /* replaces the groups it has, by index: bits of a group's first dword */
    MERGE_ENABLED,  /* replaces each base, bound or size that has Modify Enable (bit 0 of its first dword) set
                     */
    MERGE_CHANGED,  /* replaces each of dwords 1 to 3 that has its bit of the header set */
    MERGE_MASKED,   /* replaces bits 7:0 of the header under the mask in bits 15:8 */
};

struct merge {
    uint8_t kind;        /* enum merge_kind */
    uint8_t first, last; /* bits of the index */
    uint8_t enable;      /* bit of a group's first dword: if clear, the next `governed_dw` dwords are kept */
    uint8_t governed_dw; /* 0: none */
    uint8_t change[3];   /* bits of the header, of dwords 1 to 3 */
};

#define BY_INDEX(first_bit, last_bit)                                                                        \
    .merge = {.kind = MERGE_BY_INDEX, .first = (first_bit), .last = (last_bit)}
#define BY_GROUP(first_bit, last_bit, bit, dwords)                                                           \
    .merge = {.kind = MERGE_GROUPS,                                                                          \
              .first = (first_bit),                                                                          \
              .last = (last_bit),                                                                            \
              .enable = (bit),                                                                               \
              .governed_dw = (dwords)}
#define BY_ENABLES      .merge = {.kind = MERGE_ENABLED}
#define BY_CHANGES(...) .merge = {.kind = MERGE_CHANGED, .change = {__VA_ARGS__}}
#define BY_MASK         .merge = {.kind = MERGE_MASKED}

struct command {
    const char *name, *summary, *spec;
    uint32_t match, mask; /* header bits that select the row, all of them in 31:16 */
    uint8_t engines;      /* of RENDER, COPY ... */
    uint8_t since, until; /* generations, both included; until 0: no end yet */
    uint8_t length_bits;  /* width of DWord Length, at bit 0; 0: always min_dwords long */
    uint8_t length_bias;  /* added to DWord Length */
    uint8_t disabled_by;  /* bits of INSTPM */
    uint16_t flags;       /* enum command_flags */
    uint16_t min_dwords;  /* shorter ones are a guest error */
    const struct field *fields;
    const struct field_place *places; /* of by_role */
    const struct field *by_role;      /* of a row made whole: its fields by role, FIELD_ABSENT for others */
    uint16_t field_count;
    uint8_t role_count;
    uint8_t group_count;             /* fields of the group that repeats from group_dw to the end ... */
    uint8_t group_dw, group_size_dw; /* ... each this long; bits count from the group's start */
    const struct field *group;
    struct merge merge;     /* of COMMAND_STATE */
    uint32_t privileged_if; /* header bits (Use Global GTT) that make it privileged where COMMAND_PRIVILEGED
                               is not set */
    uint32_t arbitrates_if; /* header bits (Post-Sync Operation) without which COMMAND_ARBITRATES_MEDIA does
                               not hold; 0: none are needed */
    enum outcome (*execute)(struct execution *x); /* NULL: kept or counted only */
};

/* The command is decoded and counted; its work is not done. */
static inline bool command_is_counted_only(const struct command *c)
{
    return (c->flags & (COMMAND_WORK | COMMAND_PERFORMED)) == COMMAND_WORK;
}

static inline enum softgt_command_model command_model(const struct command *c)
{
    return command_is_counted_only(c) ? SOFTGT_COMMAND_COUNTED
           : c->execute               ? SOFTGT_COMMAND_EXECUTED
           : c->flags & COMMAND_STATE ? SOFTGT_COMMAND_KEPT
                                      : SOFTGT_COMMAND_COUNTED;
}

#define GROUP(table, at, size)                                                                               \
    .group = (table), .group_count = sizeof(table) / sizeof((table)[0]), .group_dw = (at),                   \
    .group_size_dw = (size)

/* Headers. */
#define OPCODE_MI(opcode)          .match = (uint32_t)(opcode) << 23, .mask = 0xff800000u
#define OPCODE_2D(opcode)          .match = 2u << 29 | (uint32_t)(opcode) << 22, .mask = 0xffc00000u
#define HEADER(header)             .match = (header), .mask = 0xffff0000u /* of stream/headers.h */
#define OPCODE_3D(type, op, subop) HEADER(HEADER_3D((uint32_t)(type), (uint32_t)(op), (uint32_t)(subop)))
/* A state command of the 3D pipeline, as nearly all of them are; some have more flags. */
#define STATE_3D_WITH(header, more_flags)                                                                    \
    HEADER(header), .engines = RENDER, .length_bits = 8, .length_bias = 2,                                   \
                    .flags = COMMAND_STATE | (more_flags), .disabled_by = DISABLED_3D_STATE
#define STATE_3D(header) STATE_3D_WITH(header, 0)
/* MFX, HCP, VEBOX ...: pipeline, opcode, sub-opcode A (23:21) and B (20:16). */
#define OPCODE_MEDIA(pipeline, op, a, b)                                                                     \
    .match = 3u << 29 | (uint32_t)(pipeline) << 27 | (uint32_t)(op) << 24 | (uint32_t)(a) << 21 |            \
             (uint32_t)(b) << 16,                                                                            \
    .mask = 0xffff0000u

struct command_table {
    const struct command *rows;
    uint16_t count;
};

#define COMMAND_TABLE(table)                                                                                 \
    {                                                                                                        \
        (table), (uint16_t)(sizeof(table) / sizeof((table)[0]))                                              \
    }

/* The length in dwords, from DWord Length of the header. */
static inline uint32_t command_length_dw(const struct command *c, uint32_t header)
{
    if (c->length_bits == 0)
        return c->min_dwords;
    return (header & ((1u << c->length_bits) - 1u)) + c->length_bias;
}

#endif
