/* Base address indirection: which base address a field is an offset from, and the bases as STATE_BASE_ADDRESS
 * sets them. (OVR-04) */
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
    BASE_CONSTANTS, /* push constants: the dynamic state base, or none, as INSTPM says */
    BASES
};

struct base_info {
    const char *name;     /* "Dynamic State Base Address" */
    const char *accesses; /* what goes through it */
};
extern const struct base_info base_infos[BASES]; /* BASE_CONSTANTS: none of its own */

struct bases {
    uint64_t address[BASES];
    bool known[BASES];
    bool constants_absolute; /* INSTPM's CONSTANT_BUFFER Address Offset Disable */
};

/* INSTPM, masked, and the bit in it. */
enum { INSTPM_CONSTANTS_ABSOLUTE = 1u << 6 };

/* Takes what a command changes: STATE_BASE_ADDRESS, and a list of registers with the render engine's INSTPM.
 */
void bases_see(struct bases *b, const struct command *c, const uint32_t *dw, uint32_t length_dw);

/* The address of an offset; false: there is no such base, or it was not set yet. */
bool bases_resolve(const struct bases *b, enum base base, uint64_t offset, uint64_t *address);

#endif
