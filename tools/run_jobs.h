/*
 * softgt run --jobs: a worker process for each file, several at once. Each worker is a whole `softgt run` of
 * one file, with its sandbox. The parent reads no input: it collects what the workers print, and prints it in
 * the order of the files.
 */
#ifndef TOOLS_RUN_JOBS_H
#define TOOLS_RUN_JOBS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct jobs_options {
    unsigned count; /* workers at once */
    bool tap, json; /* json: workers print JSON on standard output */
    const char *junit;
    unsigned timeout_s;
    void *user;
    /* In a worker: runs the file and returns the exit status. */
    int (*run)(void *user, char **file);
};

enum job_result { JOB_PASSED, JOB_FAILED, JOB_FAILED_ON, JOB_UNUSABLE, JOB_CRASHED, JOB_HUNG, JOB_NOT_RUN };
enum { JOB_OUT, JOB_ERR, JOB_REASON, JOB_STREAMS };

struct job {
    const char *file;
    pid_t process; /* 0: not started, or over */
    int fds[JOB_STREAMS];
    struct text streams[JOB_STREAMS]; /* what is not yet printed */
    struct text kept[2];              /* the beginning of JOB_OUT and JOB_ERR, for reports */
    uint64_t lost_bytes[2];           /* that are not kept */
    uint64_t started_ns, ended_ns, paused_ns;
    bool is_paused, is_killed, is_over;
    enum job_result result;
    int status; /* exit status */
    char reason[400];
};

/* Runs all files. Returns the exit status of all. */
int jobs_run(const struct jobs_options *options, char **files, unsigned count);
/* In a worker: an error message. The first one is the reason of a failure. */
void jobs_hear(const char *text);

/* run_results.c: the reports. */
struct results;
/* NULL after a message. */
struct results *results_open(const struct jobs_options *options, unsigned count);
/* The next job is over. */
void results_add(struct results *r, const struct job *job);
/* Prints the summary and completes the JUnit file. `stopped`: a signal ended the run. Returns the exit
 * status. */
int results_close(struct results *r, bool stopped);
extern const char *const job_result_names[];

#endif
