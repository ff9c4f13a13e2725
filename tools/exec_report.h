/* The report of `softgt exec`: statistics of all processes, as text and JSON. */
#ifndef TOOLS_EXEC_REPORT_H
#define TOOLS_EXEC_REPORT_H

#include "fail_on.h"

#include "drm/exec_options.h"

#include <stdbool.h>

struct exec_report {
    const struct exec_options *options;
    char **program;
    struct exec_account stats;
    unsigned processes; /* processes that opened the device */
    bool is_loaded;     /* a process loaded the library */
    int status;         /* exit status of the program; 128 and the signal's number */
    int signal;         /* that ended it; 0: none */
    int exit_status;    /* of the tool */
    uint64_t wall_ns;   /* of the host, while the program ran */
};

/* Reads the statistics files in the folder. */
void exec_report_read(struct exec_report *r, const char *folder);
/* Prints the report to standard error. */
void exec_report_print(const struct exec_report *r);
/* Notes what happened, for --fail-on. */
void exec_report_happened(const struct exec_report *r, struct fail_on *f);
struct json_object *exec_report_json(const struct exec_report *r, const struct fail_on *f);

#endif
