/*
 * The text form of command streams, gts(5): programs that set up memory, contexts and rings, submit commands
 * and state expectations. A program is read into a list of operations (program.h) before anything runs. The
 * player (src/player) plays the list on a device or into an AUB file. Messages go to the caller; nothing here
 * prints.
 */
#ifndef GTS_GTS_H
#define GTS_GTS_H

#include <softgt/softgt.h>
#include <stdio.h>

#include "stream/index.h"

enum gts_message_kind {
    GTS_OUTPUT,  /* output of read and say statements */
    GTS_NOTE,    /* a remark: nothing fails */
    GTS_ERROR,   /* an error in the text: nothing ran */
    GTS_FAILURE, /* an expectation failed */
};

struct gts_message {
    enum gts_message_kind kind;
    const char *file;      /* as the caller gave it */
    unsigned line, column; /* from 1; 0 where there is none */
    const char *text;      /* one line, without newline */
    const char *device;    /* the device, if the program names several; otherwise NULL */
};

/* Counts of a program's expectations. */
struct gts_outcome {
    unsigned expectations, met;
};

struct gts_options {
    const char *device;                   /* replaces the devices that the program names; NULL: no */
    bool first_device;                    /* runs on the first device only */
    uint64_t self_check;                  /* number of cuts of the self check; 0: no check */
    uint64_t memory_limit;                /* bytes of bus memory that a program may use; 0: 1 GB */
    unsigned tolerate;                    /* 1 << enum softgt_mistake: these do not fail */
    uint64_t budget_dw;                   /* dwords after which a 'run' counts as looping; 0: 2^28 */
    bool timing;                          /* commands take time */
    bool no_draws;                        /* draws are counted and not run */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
    struct softgt_trace_port trace;       /* the caller's trace; optional */
    struct softgt_report_port report;     /* the caller's reports; optional */
    void *user;
    bool (*stop)(void *user); /* optional: true: end and fail */
    void (*message)(void *user, const struct gts_message *message);
    void (*started)(void *user, struct softgt *device);           /* each new device; optional */
    void (*finished)(void *user, struct softgt *device);          /* each device after its run; optional */
    void (*ended)(void *user, const struct gts_outcome *outcome); /* after `finished`; optional */
};

enum gts_result {
    GTS_CLEAN = 0,
    GTS_FAILED = 1,   /* an expectation failed */
    GTS_UNUSABLE = 2, /* not readable, or errors in the text */
};

/* Writes `length_dw` dwords of commands as lines of a batch block that assemble to the same dwords: by name
 * and fields if these give the same dwords, otherwise as `dw`. `line` gets each line without newline, and the
 * index of its first dword. False: out of memory. */
bool gts_disassemble(const struct command_set *commands, enum engine_class class, const uint32_t *dw,
                     size_t length_dw, void *user, void (*line)(void *user, size_t index, const char *text));

/* Assembles the lines of one batch block at graphics address `address`. `registers` has the names of
 * registers, or is NULL. The caller frees *dw. False after messages. */
struct register_file;
bool gts_assemble_commands(const struct command_set *commands, const struct register_file *registers,
                           enum engine_class class, const char *name, const char *text, size_t size,
                           uint64_t address, const struct gts_options *options, uint32_t **dw,
                           size_t *length_dw);

#endif
