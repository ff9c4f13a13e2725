/* softgt run: shared by cmd_run.c and run_report.c. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include "complaints.h"
#include "events.h"
#include "fail_on.h"
#include "input.h"
#include "surfaces.h"

#include "aub/replay.h"

struct run_options {
    const char *device;
    unsigned tolerate, threads;
    struct softgt_event_filter *trace;
    enum replay_draws draws;
    bool is_error, timing, json, quiet, print_state, force, no_translation;
    struct softgt_code_port code;
    uint64_t memory_limit, budget, save_at, self_check, last_draw;
    const char *save_file, *load_file;
};

struct run {
    struct run_options options;
    const char *file;
    struct input input; /* of that file */
    struct softgt_timeline *timeline;
    struct softgt_trace_port timeline_port;
    struct surfaces *surfaces;
    struct surface_request *surface;
    const char *surface_file;
    const struct replay_result *result; /* of a trace; NULL: the input is a program */
    uint8_t *loaded_state;              /* loaded_bytes long */
    size_t loaded_bytes;
    int worst; /* of the file's earlier reports */
    bool is_terminal, progress_shown, write_failed;
    struct softgt *device_running;
    struct position_tracker position_tracker;
    struct eu_trace eu_trace; /* limit 0: none */
    struct complaints complaints;
    struct fail_on fail_on; /* of the current report */
    struct json_object *errors, *report, *output;
};

/* run_hang.c: replays an error state. The options have all but the state, its engine and its device. Returns
 * the tool's status. */
struct hang_options;
int run_hang(struct run *run, struct hang_options *options);

/* run_report.c */
void run_begin_report(struct run *run);
/* Reports the device at the end: totals into the JSON report, or tables. */
void run_report_device(struct run *run, struct softgt *device);
/* Returns the exit status, which --fail-on may have changed. */
int run_finish_report(struct run *run, int status);

#endif
