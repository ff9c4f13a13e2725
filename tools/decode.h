/* softgt decode: shared by cmd_decode.c and decode_hang.c. */
#ifndef TOOLS_DECODE_H
#define TOOLS_DECODE_H

#include "events.h"
#include "fail_on.h"
#include "input.h"

#include "aub/replay.h"
#include "device/host.h"
#include "hang/walk.h"
#include "host/structure_dumper.h"

struct decode_options {
    const char *device, *engine, *file;
    bool is_batch, is_kernel, is_error, json, assembly, headers_only, nonzero;
    bool resolve, follow, kernels;
    bool has_address, has_colour, has_draws, force;
    bool past_end; /* --all */
    int colour;    /* -1: on a terminal only */
    enum replay_draws draws;
    uint64_t address;
    uint64_t budget; /* dwords of a submission that are listed */
    uint64_t memory_limit;
    unsigned tolerate;
};

/* The last command of a trace, which is printed when its outcome is known. Equal commands in a row are one.
 */
struct decode_last {
    struct softgt_event event;
    uint32_t *dw;
    size_t capacity_dw;
    uint64_t count;       /* equal commands; 0: there is none */
    uint64_t shown_count; /* commands that the line being printed stands for */
    uint64_t shown_last_address;
};

struct decode {
    struct decode_options options;
    struct fail_on fail_on;
    struct bases bases;
    struct dumper dumper;
    struct command_set set;
    struct structure_dumper structures;
    struct softgt *trace_device;    /* runs the trace */
    int engine_number;              /* of the current command */
    struct softgt *register_device; /* has the names of registers */
    struct text text;
    char register_name[96]; /* the last one */
    const char *unit;
    uint64_t shown_batch, shown_context;
    struct position_tracker tracker;
    struct decode_last last;
    const struct error_command *error_command; /* of an error state: the current one */
    const struct error_walk *error_walk;
};

enum { DECODE_FLUSH_BYTES = 1 << 16, DECODE_MOST_APART = 4 /* equal commands in a row */ };

void decode_flush(struct decode *d);
/* Prepares for a device. `remark` adds to a command (stream/dump.h). False after a message. */
bool decode_prepare(struct decode *d, const struct sheet *sheet,
                    void (*remark)(void *decode, struct text *t));
void decode_finish(struct decode *d);
/* A device that runs, or whose commands are known; NULL: none of that name. */
const struct sheet *decode_sheet(const char *name);
/* False after a message. `device` NULL: any device. */
bool decode_find_class(const struct sheet *device, const char *name, enum engine_class *class);

/* decode_hang.c: an error state. Returns the tool's status. */
int decode_hang(struct decode *d);

#endif
