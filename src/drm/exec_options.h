/*
 * What `softgt exec` tells the library that it preloads, and what that tells back: files in a folder that
 * both know by SOFTGT_EXEC. "options" is one struct; each process that used the device leaves an account by
 * its number.
 */
#ifndef DRM_EXEC_OPTIONS_H
#define DRM_EXEC_OPTIONS_H

#include "host/eu_trace.h"

#include <stdbool.h>
#include <stdint.h>

#define EXEC_FOLDER_VARIABLE "SOFTGT_EXEC"
#define EXEC_LOADED          "loaded" /* a file of the folder: some process has the library */

enum { EXEC_PATH = 4096, EXEC_MINOR = 128, EXEC_MAJOR = 226, EXEC_TEXT = 432, EXEC_LINES = 256 };

/* Whose interface the program finds. */
enum exec_driver { EXEC_I915, EXEC_XE, EXEC_DRIVERS };
static const char *const exec_driver_names[EXEC_DRIVERS] = {[EXEC_I915] = "i915", [EXEC_XE] = "xe"};

struct exec_options {
    char device[32];
    enum exec_driver driver;
    char record[EXEC_PATH], timeline[EXEC_PATH], eu_trace[EXEC_PATH]; /* "": none */
    struct eu_filter eu_filter;
    uint64_t eu_limit;
    uint64_t limit_dw;   /* of one submission */
    uint32_t trace;      /* events that are printed */
    uint32_t threads;    /* of the host, that run groups of compute threads */
    bool no_translation; /* of kernels to code of the host's */
    bool timing, strict; /* no scratch page */
};

/* What a process did, told while it goes on: whoever ends it, this is there. */
struct exec_account {
    uint64_t submissions, hangs, opened, lines_lost;
    uint64_t calls; /* of i915's or xe's own interface */
    uint32_t kinds; /* that there are, also among lost lines: a bit each */
    struct exec_line {
        uint64_t count;
        uint8_t kind;
        char text[EXEC_TEXT];
    } lines[EXEC_LINES]; /* to the first without a count */
};
enum exec_line_kind {
    EXEC_NOT_RUN,      /* a command that is counted, its work is not modelled */
    EXEC_NOT_MODELLED, /* what else the device is not able to do */
    EXEC_REPORT,       /* of the device: what the program did wrong */
    EXEC_FAULT,        /* the same: an access to an address at which nothing is, which is a page fault */
    EXEC_REFUSED,      /* a call that the driver would know, and this does not */
    EXEC_HANG,         /* a submission that was ended */
    EXEC_ASTRAY,       /* accesses to addresses at which the program has nothing */
    EXEC_TROUBLE,      /* what could not be done here */
};

#endif
