/* Where a debugger stops: before commands, after writes and events, before instructions of kernels. */
#ifndef DEBUGGER_STOPS_H
#define DEBUGGER_STOPS_H

#include "mmio/register_file.h"
#include "stream/index.h"

#include <softgt/eu.h>

enum stop_kind {
    STOP_COMMAND,     /* before a command: by name, and a field's value */
    STOP_ADDRESS,     /* before the command at a graphics address */
    STOP_DRAW,        /* before a draw */
    STOP_DISPATCH,    /* before a dispatch of thread groups */
    STOP_REGISTER,    /* after a write of a register */
    STOP_READ,        /* after a read of a register */
    STOP_MEMORY,      /* after a write of memory, or a change of it */
    STOP_CONTEXT,     /* after a context restore */
    STOP_INTERRUPT,   /* after an interrupt bit is raised */
    STOP_ERROR,       /* after a complaint of the device */
    STOP_BATCH,       /* after a batch begins */
    STOP_KERNEL,      /* before the first instruction of a kernel */
    STOP_INSTRUCTION, /* before the instruction at a graphics address */
    STOP_KINDS
};

struct stop_kind_info {
    const char *word, *summary;
    unsigned events; /* of enum softgt_trace_what that it needs */
};
extern const struct stop_kind_info stop_kinds[STOP_KINDS];

enum { STOP_TEXT = 160, STOP_NAME = 96, STOP_WATCHED_BYTES = 64 };

struct stop {
    unsigned number; /* 0: free */
    enum stop_kind kind;
    bool disabled, temporary;
    char text[STOP_TEXT];         /* as it was written */
    char unit[16];                /* of the engine or unit; "": any; of memory a space */
    char pattern[STOP_NAME];      /* of a name, with * and ?; "": any */
    char field[STOP_NAME];        /* of a command; "": none */
    uint64_t address, size_bytes; /* of memory, commands, instructions, contexts */
    unsigned entry;               /* of a repeated field, from 1 on; 0: any */
    uint64_t value;               /* of the field, or number of a draw */
    bool is_negative;             /* the value is a signed number */
    bool is_real;                 /* and `real`, where the field is a float */
    double real;
    char value_name[STOP_NAME]; /* or its name; "": a number */
    struct {
        bool known;       /* the stop is at these bytes, whatever graphics address they have */
        uint64_t address; /* with MEMORY_LOCAL */
    } physical;
    char engine[16];  /* "engine=bcs0": only what this engine does; "": whoever */
    bool has_context; /* "context=0x22": only in the context with this LRCA or id */
    uint64_t context;
    uint64_t hits;
};

/* Parses "register rcs0.RING_*", "3DSTATE_PS", "0x1000" ... Registers by offset get their names from the
 * file. False: `error` says why not. */
bool stop_parse(struct stop *s, const struct register_file *file, const char *text, char *error, size_t size);
/* "rcs0:0x1000" or "0x1000". False: neither. */
bool stop_parse_address(const char *text, char *unit, size_t unit_size, uint64_t *address);

/* The event is of a command at the address, in the space: an engine's name means all that it has. */
bool stop_is_address(const char *space, uint64_t address, const struct softgt_event *e);
/* The field may have the stop's value. */
bool stop_has_value(const struct stop *s, const struct field *f);
/* The command event is where the stop stops. */
bool stop_is_command(const struct stop *s, const struct command *row, const struct softgt_event *e);
/* What an engine (NULL: none) does in a context (of which each may be 0) counts for the stop. */
bool stop_is_of(const struct stop *s, const char *engine, uint64_t lrca, uint64_t context_id);
/* The event is one after which the stop stops. */
bool stop_is_event(const struct stop *s, const struct softgt_event *e);
bool stop_is_instruction(const struct stop *s, const struct softgt_eu_thread_info *i);
/* A name matches a pattern with * and ?, whatever its case; "" matches all. */
bool name_matches(const char *pattern, const char *name);

#endif
