/* The report of `softgt exec`: statistics of all processes, as text and JSON. */
#ifndef TOOLS_EXEC_REPORT_H
#define TOOLS_EXEC_REPORT_H

#include "drm/exec_options.h"

#include <stdbool.h>

struct exec_report {
    const struct exec_options *options;
    char **program;
    struct exec_account stats;
    unsigned processes; /* processes that opened the device */
    bool is_loaded;     /* a process loaded the library */
    int status;         /* exit status of the program */
};

/* Reads the statistics files in the folder. */
void exec_report_read(struct exec_report *r, const char *folder);
/* Prints the report to standard error. */
void exec_report_print(const struct exec_report *r);
/* Adds the bit of a word of --fail-on. False: the word is unknown. */
bool exec_fail_on(const char *word, unsigned *wanted);
/* All words, separated by commas. */
const char *exec_fail_words(void);
/* The bits of `wanted` that happened. */
unsigned exec_report_failures(const struct exec_report *r, unsigned wanted);
struct json_object *exec_report_json(const struct exec_report *r, unsigned failures);

#endif
