/* What `softgt exec` says at the end: what the device did, process by process summed up, as text and JSON. */
#ifndef TOOLS_EXEC_REPORT_H
#define TOOLS_EXEC_REPORT_H

#include "drm/exec_options.h"

#include <stdbool.h>

struct exec_report {
    const struct exec_options *options;
    char **program;
    struct exec_account stats;
    unsigned processes; /* that opened the device */
    bool is_loaded;     /* the library came into some process */
    int status;         /* the program's */
};

/* Of the files in the folder. */
void exec_report_read(struct exec_report *r, const char *folder);
/* To standard error. */
void exec_report_print(const struct exec_report *r);
/* What --fail-on names: a bit each. False: the word is none of them. */
bool exec_fail_on(const char *word, unsigned *wanted);
/* Words of all, separated by commas. */
const char *exec_fail_words(void);
/* What happened of them. */
unsigned exec_report_failures(const struct exec_report *r, unsigned wanted);
struct json_object *exec_report_json(const struct exec_report *r, unsigned failures);

#endif
