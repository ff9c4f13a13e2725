/* Replays an error state on a device: maps the memory that the file has, starts the ring or the batch, and
 * runs until the engine is at the command where it stood. Memory that the file does not have reads as zero
 * and drops writes. */
#ifndef HANG_REPLAY_H
#define HANG_REPLAY_H

#include <signal.h>

#include "gen/sheet.h"
#include "hang/walk.h"

enum { HANG_DIFFERENCES = 64 };

enum hang_end {
    HANG_REACHED,     /* the engine is at the command where it stood */
    HANG_WAITS,       /* it waits elsewhere */
    HANG_STOPPED,     /* it stopped: see its status */
    HANG_IDLE,        /* it did all that the file has */
    HANG_BUDGET,      /* the budget is used up */
    HANG_INTERRUPTED, /* options.stop */
};

struct hang_options {
    const struct error_state *state;
    unsigned engine; /* number in the state */
    const struct sheet *sheet;
    uint64_t budget_dw;          /* 0: 16 M */
    uint64_t memory_limit_bytes; /* 0: 8 GB */
    bool draws, timing;
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
    struct softgt_trace_port trace;       /* optional */
    struct softgt_report_port report;     /* optional */
    const volatile sig_atomic_t *stop;    /* optional */
    void *user;
    void (*started)(void *user, struct softgt *device);  /* nothing has run */
    void (*finished)(void *user, struct softgt *device); /* before the device is destroyed */
};

struct hang_difference {
    char name[ERROR_NAME]; /* the file's name of the register */
    uint64_t in_file, here;
};

/* A buffer whose contents are not those of the file. */
struct hang_change {
    const struct error_buffer *buffer;
    uint64_t count_dw, first_address;
    uint32_t in_file, here; /* the first dword that differs */
};

struct hang_result {
    const char *unusable; /* why nothing ran, or NULL */
    enum hang_end end;
    bool from_ring; /* else the batch was started from a ring of our own */
    uint64_t start;
    uint64_t done_dw;
    struct hang_difference differences[HANG_DIFFERENCES];
    unsigned difference_count, compared; /* registers */
    struct hang_change changes[HANG_DIFFERENCES];
    unsigned change_count;
    unsigned left_out;      /* buffers that share pages with another, or have no place */
    bool used_missing;      /* memory that the file does not have was used */
    uint64_t missing_acthd; /* by the command there, first */
};

/* False: out of memory, or result->unusable. */
bool hang_replay(const struct hang_options *options, struct hang_result *result);

#endif
