/* softgt decode: shared by cmd_decode.c and decode_hang.c. */
#ifndef TOOLS_DECODE_H
#define TOOLS_DECODE_H

#include "events.h"
#include "fail_on.h"
#include "input.h"

#include "aub/replay.h"
#include "hang/walk.h"

#include <softgt/tools.h>

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
    struct softgt_spec *spec;
    struct softgt_decoder *decoder;
    struct softgt_text_port out; /* `text` */
    struct softgt *trace_device; /* runs the trace */
    struct decode_engine {
        const char *unit;
        int number;
        enum softgt_engine_class class;
    } engine; /* of the current command */
    struct text text;
    const char *unit;
    uint64_t shown_batch, shown_context;
    struct position_tracker tracker;
    struct decode_last last;
    const struct error_command *error_command; /* of an error state: the current one */
    const struct error_walk *error_walk;
};

enum { DECODE_FLUSH_BYTES = 1 << 16, DECODE_MOST_APART = 4 /* equal commands in a row */ };

void decode_flush(struct decode *d);
/* Prepares for a device. The config has what adds to a command, and reads memory. False after a message. */
bool decode_prepare(struct decode *d, const char *device, struct softgt_decoder_config config);
void decode_finish(struct decode *d);
/* A device that runs has such an engine, or class. */
bool decode_has_class(const char *name, enum softgt_engine_class *class);
/* False after a message. `device` NULL: any device. */
bool decode_find_class(const char *device, const char *name, enum softgt_engine_class *class);
/* Writes to a text, by a port. */
struct softgt_text_port decode_port(struct text *t);
/* Prints to a port. */
__attribute__((format(printf, 2, 3))) void decode_print(const struct softgt_text_port *out,
                                                        const char *format, ...);

/* decode_hang.c: an error state. Returns the tool's status. */
int decode_hang(struct decode *d);

#endif
