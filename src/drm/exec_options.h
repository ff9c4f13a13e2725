/*
 * Files by which `softgt exec` and the preloaded library exchange data, in a folder that SOFTGT_EXEC names.
 * The file "options" holds struct exec_options. Each process that uses the device writes a file
 * "account.PID", struct exec_account.
 */
#ifndef DRM_EXEC_OPTIONS_H
#define DRM_EXEC_OPTIONS_H

#include "host/eu_trace.h"
#include "host/event_filter.h"

#include <stdbool.h>
#include <stdint.h>

#define EXEC_FOLDER_VARIABLE "SOFTGT_EXEC"
#define EXEC_LOADED          "loaded" /* a file of the folder: a process loaded the library */

enum { EXEC_PATH = 4096, EXEC_MINOR = 128, EXEC_MAJOR = 226, EXEC_TEXT = 432, EXEC_LINES = 256 };

/* The kernel driver that the program's interface belongs to. */
enum exec_driver { EXEC_I915, EXEC_XE, EXEC_DRIVERS };
static const char *const exec_driver_names[EXEC_DRIVERS] = {[EXEC_I915] = "i915", [EXEC_XE] = "xe"};

struct exec_options {
    char device[32];
    enum exec_driver driver;
    char record[EXEC_PATH], timeline[EXEC_PATH], eu_trace[EXEC_PATH]; /* "": none */
    struct eu_filter eu_filter;
    uint64_t eu_limit;
    uint64_t limit_dw;         /* of one submission: more is a hang */
    struct event_filter trace; /* events that are printed */
    uint32_t threads;          /* host threads that run thread groups */
    bool no_translation;       /* interpret all kernels */
    bool trace_json;           /* as JSON */
    bool timing, strict;       /* no scratch page */
    char control[EXEC_PATH];   /* a socket for a debugger; "": none */
    bool debug;                /* engines are held until it comes */
};

/* Statistics of a process, updated while it runs: they survive any end of the process. */
struct exec_account {
    uint64_t submissions, hangs, opened, lines_lost;
    uint64_t calls; /* of i915's or xe's own calls */
    uint32_t kinds; /* enum exec_line_kind bits that occurred, also in lost lines */
    struct exec_line {
        uint64_t count;
        uint8_t kind;
        char text[EXEC_TEXT];
    } lines[EXEC_LINES]; /* up to the first with count 0 */
};
enum exec_line_kind {
    EXEC_NOT_RUN,      /* a command that is counted and not executed */
    EXEC_NOT_MODELLED, /* another feature that is not modelled */
    EXEC_REPORT,       /* a mistake of the program, reported by the device */
    EXEC_FAULT,        /* a page fault */
    EXEC_REFUSED,      /* a call that is not supported */
    EXEC_HANG,         /* a submission that was ended */
    EXEC_ASTRAY,       /* accesses to the scratch page */
    EXEC_TROUBLE,      /* a failure on this host */
    EXEC_UNKNOWN,      /* a command that no device of this generation has */
};

#endif
