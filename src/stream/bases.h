/* Base addresses: which one a field is an offset from, and their values as STATE_BASE_ADDRESS sets them.
 * (OVR-04) */
#ifndef STREAM_BASES_H
#define STREAM_BASES_H

#include "stream/command.h"

enum base {
    BASE_NONE,
    BASE_GENERAL,
    BASE_DYNAMIC,
    BASE_INSTRUCTION,
    BASE_SURFACE,
    BASE_INDIRECT_OBJECT,
    BASE_CONSTANTS,      /* push constants: the dynamic state base, or none, as a flag says */
    BASE_BINDING_TABLES, /* the binding tables' pool where there is one, else the surface state base */
    BASES
};

struct base_info {
    const char *name;     /* "Dynamic State Base Address" */
    const char *accesses; /* what goes through it */
};
extern const struct base_info base_infos[BASES]; /* BASE_CONSTANTS: none of its own */

/* CONSTANT_BUFFER Address Offset Disable: a masked register, as an offset from the render engine's base, and
 * its bit; 0: none. If set, the address of the first constant buffer is absolute, not an offset from the
 * dynamic state base. */
struct constants_flag {
    uint16_t offset, bit;
};
enum { CONSTANTS_FLAGS = 2 };

struct bases {
    uint64_t address[BASES];
    bool known[BASES];
    const struct constants_flag *constants_flags; /* CONSTANTS_FLAGS, optional */
    bool constants_absolute[CONSTANTS_FLAGS];     /* each flag; one is enough */
    struct binding_pool {
        uint64_t address; /* 0: none */
        bool wide;        /* offsets are in 256 bytes, not in 32 */
    } pool;
    bool pool_may_be_wide,
        tables_of_256_bytes; /* `wide` if both: the generation has it, GT_MODE enables it */
};

/* GT_MODE, masked, and a bit in it. */
enum { GT_MODE = 0x7008, GT_MODE_TABLES_OF_256_BYTES = 1u << 10 };

/* The address of a binding table. A pointer has bits 15:5 of the offset, or in a wide pool bits 18:8. */
static inline uint64_t binding_table_address(const struct binding_pool *pool, uint64_t surfaces,
                                             uint64_t offset)
{
    return pool->address ? pool->address + (pool->wide ? offset << 3 : offset) : surfaces + offset;
}

/* Updates the bases from a command: STATE_BASE_ADDRESS, 3DSTATE_BINDING_TABLE_POOL_ALLOC, and
 * MI_LOAD_REGISTER_IMM of GT_MODE or a constants flag. */
void bases_see(struct bases *b, const struct command *c, const uint32_t *dw, uint32_t length_dw);

static inline bool bases_constants_absolute(const struct bases *b)
{
    return b->constants_absolute[0] || b->constants_absolute[1];
}

/* The address that an offset from a base means. False: the base is not known yet, or there is none. */
bool bases_resolve(const struct bases *b, enum base base, uint64_t offset, uint64_t *address);

#endif
