/*
 * A register is one row: where it is in its block, who may write which bits and how, what it holds after
 * reset, and the functions for what is special. A bit that no mask names is read only. Blocks are placed by
 * the data sheet at an engine's base or at zero, so one row serves every engine. Register file, decoder,
 * documentation, save and table tests walk the same rows.
 */
#ifndef MMIO_REGISTER_H
#define MMIO_REGISTER_H

#include "base/field.h"

enum register_kind {
    REG_PLAIN,  /* what is written is for all bits */
    REG_MASKED, /* bits 31:16 say which of bits 15:0 are written */
};

enum register_flags {
    REG_NONPRIV_WRITE = 1u << 0,         /* a non-privileged batch may write it (CSP-16) */
    REG_RENDER_NONPRIV_WRITE = 1u << 1,  /* a non-privileged batch of an engine with threads may write it */
    REG_SURVIVES_ENGINE_RESET = 1u << 2, /* keeps its value over an engine reset */
    REG_IMAGE = 1u << 3,                 /* software's part of a context image loads it, for any engine */
    REG_NONPRIV_READ_DENIED =
        1u << 4,                   /* a non-privileged batch reads it only where FORCE_TO_NONPRIV opens it */
    REG_PF_ONLY = 1u << 5,         /* no virtual function reads it (SYS-08) */
    REG_FILLS_STRIDE = 1u << 6,    /* each of an array is there at every dword up to the next one */
    REG_READ_HAS_EFFECT = 1u << 7, /* before_read changes more than the value */
};

struct register_file;

/* Who accesses; every access carries it. Steering, functions and privileges are rules on this. */
enum accessor_kind {
    ACCESSOR_CPU,     /* MMIO, or an I/O port */
    ACCESSOR_COMMAND, /* of an engine: `client` */
    ACCESSOR_RESTORE, /* the restore of that engine's context */
    ACCESSOR_UNIT,    /* a unit of the device on its own account */
    ACCESSOR_GUC,     /* the microcontroller's firmware */
};

struct accessor {
    const char *name; /* "cpu", "rcs0"; static */
    void *client;
    uint8_t kind;     /* enum accessor_kind */
    uint8_t function; /* of the device; 0: the physical one */
    bool privileged;  /* no batch of a user */
};

extern const struct accessor accessor_cpu, accessor_unit, accessor_guc;

/* The arguments of a register's functions. */
struct register_access {
    struct register_file *file;
    void *owner;     /* the unit that placed the block: an engine, the interrupt unit ... */
    uint32_t offset; /* of this dword, absolute */
    uint32_t index;  /* in rows with count > 1 */
    uint32_t dword;  /* 0 or 1 of a 64-bit pair */
    uint32_t bytes;  /* bit n: byte n of the dword is accessed */
    const struct reg *row;
    const struct accessor *accessor;
    uint32_t old_value, value, written; /* writes: before, after, and what was put on the bus */
};

struct reg {
    const char *name, *summary, *spec;
    uint32_t offset;        /* from the block's base, in bytes */
    uint16_t count, stride; /* an array of `count` (0: one) registers, one every `stride` bytes */
    uint8_t dwords;         /* 2: a 64-bit pair, low dword first; 0 and 1: one dword */
    uint8_t kind, flags;    /* enum register_kind, register_flags */
    uint64_t writable;      /* bits that take what is written (masked: of 15:0) */
    uint64_t w1c;           /* bits that a written 1 clears */
    uint64_t reset;         /* value after reset */
    const struct field *fields;
    uint16_t field_count;
    /* Computes the value of a register that is not simply stored, in the accessed bytes; the result is also
     * stored. */
    uint32_t (*before_read)(const struct register_access *at, uint32_t stored);
    /* After the store: changes state, wakes an engine; never runs one. */
    void (*after_write)(const struct register_access *w);
};

struct register_block {
    const char *name;
    const struct reg *rows;
    uint16_t count;
};

/* A range of the MMIO space and who owns it; a list ends with a NULL owner, and has at most REGISTER_RANGES.
 * (OVR-02, SYS-09, SYS-10) */
struct register_range {
    uint32_t first, last; /* bytes, both included */
    const char *owner;
    uint8_t domain; /* what must be awake for an access of the CPU, the GT's numbers; 0: nothing */
    uint8_t copies; /* kind of units that have a copy each, the GT's numbers; 0: there is one */
    uint8_t gt;     /* that the domain is of */
};
enum { REGISTER_RANGES = 255, REGISTER_COPIES = 32 /* at most, of one register */ };

/* Where an access of registers that are there more than once goes. */
struct register_target {
    uint32_t present_mask; /* copies, a bit each */
    uint32_t write_mask;   /* those that a write goes to */
    uint8_t read_copy;     /* the one that a read is answered by */
    uint8_t primary_copy;  /* the one that the file's own value is */
};

#define REGISTER_BLOCK(title, table)                                                                         \
    {                                                                                                        \
        (title), (table), (uint16_t)(sizeof(table) / sizeof((table)[0]))                                     \
    }

#endif
