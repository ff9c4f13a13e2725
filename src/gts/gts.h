/*
 * The text form of command streams (gts.5): programs that set up memory, contexts and rings, submit commands
 * and say what they expect. A program is read into a list of operations (program.h) before anything runs; the
 * same list plays on a device or into an AUB file. Nothing here prints: messages go to the caller.
 */
#ifndef GTS_GTS_H
#define GTS_GTS_H

#include <signal.h>
#include <softgt/softgt.h>
#include <stdio.h>

#include "stream/index.h"

enum gts_message_kind {
    GTS_OUTPUT,  /* what the program asked to see (read, say) */
    GTS_NOTE,    /* told beside, does not fail anything */
    GTS_ERROR,   /* the text is wrong: nothing ran */
    GTS_FAILURE, /* what was expected did not happen */
};

struct gts_message {
    enum gts_message_kind kind;
    const char *file;      /* as given */
    unsigned line, column; /* from 1; 0 where there is none */
    const char *text;      /* one line, without newline */
    const char *device;    /* on which, where the program names several; else NULL */
};

/* What became of a program's expectations. */
struct gts_outcome {
    unsigned expectations, met;
};

struct gts_options {
    const char *device;                   /* instead of those the program names, or NULL */
    bool first_device;                    /* only on the first that it names */
    uint64_t self_check;                  /* also in small budgets, saved, in pieces of time: so many cuts */
    uint64_t memory_limit;                /* bytes of bus memory a program may use; 0: 1 GB */
    unsigned tolerate;                    /* 1 << enum softgt_mistake: fail not */
    uint64_t budget_dw;                   /* what one 'run' may take before it counts as looping; 0: 2^28 */
    bool timing;                          /* commands take time */
    bool no_draws;                        /* they are counted */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_trace_port trace;       /* the caller's own view of the run; optional */
    struct softgt_report_port report;     /* likewise, beside the program's expectations */
    const volatile sig_atomic_t *stop;    /* optional: not 0: end here, and fail */
    void *user;
    void (*message)(void *user, const struct gts_message *message);
    void (*started)(void *user, struct softgt *device);  /* each device as it was made; optional */
    void (*finished)(void *user, struct softgt *device); /* after its run, to look inside; optional */
    void (*ended)(void *user, const struct gts_outcome *outcome); /* behind that; optional */
};

enum gts_result {
    GTS_CLEAN = 0,
    GTS_FAILED = 1,   /* an expectation failed */
    GTS_UNUSABLE = 2, /* not readable, or errors in the text */
};

/*
 * Writes `length_dw` dwords of commands as lines of a batch block, which assemble to the same dwords: by name
 * with fields where that gives the same, else as `dw`. `line` gets each line without newline, with the index
 * of the first dword it stands for. False when out of memory.
 */
bool gts_disassemble(const struct command_set *commands, enum engine_class class, const uint32_t *dw,
                     size_t length_dw, void *user, void (*line)(void *user, size_t index, const char *text));

/* The other way: the lines of one batch block at graphics address `address`. On success *dw is the caller's
 * to free. False after messages. */
bool gts_assemble_commands(const struct command_set *commands, enum engine_class class, const char *name,
                           const char *text, size_t size, uint64_t address, const struct gts_options *options,
                           uint32_t **dw, size_t *length_dw);

#endif
