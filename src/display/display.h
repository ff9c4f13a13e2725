/*
 * What command streamers see of the display: pipes that are only their time, and planes whose flips come true
 * in it. Where PIPE_CONF turns a pipe on, a frame takes a sixtieth of a second from one start of the vertical
 * blank to the next and has 1125 lines; the last eighth of a line is its horizontal blank. (REN-19, REN-30,
 * REN-37, CSP-19)
 */
#ifndef DISPLAY_DISPLAY_H
#define DISPLAY_DISPLAY_H

#include "base/report.h"
#include "base/unit.h"
#include "interrupt/interrupt.h"
#include "memory/memory.h"
#include "mmio/register_file.h"

enum { DISPLAY_PIPES = 3, DISPLAY_PLANES = 12, DISPLAY_LINES = 1125, FLIP_QUEUE = 31 };
#define DISPLAY_FRAME_NS UINT64_C(16666667)

/* The display part of a data sheet. */
struct display_info {
    const struct register_block *const *blocks; /* ends with NULL; owner: the display */
    bool compresses;                            /* frame buffers (REN-26) */
    bool limits_flips;                          /* MAXQ_FLIP, NUM_FLIP (REN-19) */
    /* In a pipe's interrupts: the first of its planes' flips, and how many planes have one; 0: none is told.
     */
    uint8_t flip_done, flip_planes;
};

/* What a flip asks for. */
struct flip {
    uint64_t due_ns;
    uint32_t surface, stride, control; /* new DSPSURF, DSPSTRIDE; bits of DSPCNTR ... */
    uint32_t control_mask;             /* ... under this mask */
    uint32_t source_size, fitter;      /* new PIPESRC and PF_CTL, where has_fitter */
    uint8_t pipe;
    bool has_fitter, async; /* async: at once, and only the surface */
    uint8_t reserved[5];
};

struct flip_plane {
    struct flip queue[FLIP_QUEUE];
    uint8_t count;
    uint8_t reserved[7];
};

struct flips {
    struct flip_plane plane[DISPLAY_PLANES];
};

/* Scan lines that a streamer waits inside of, or outside. */
struct scan_window {
    uint16_t start, end;
    bool outside, is_set;
};

/* A streamer's, of each pipe. */
struct scan_windows {
    struct scan_window pipe[DISPLAY_PIPES];
};

/* Frame buffer compression. Tags are of pairs of lines. */
enum { FBC_TAG_DWORDS = 49, FBC_PAIRS = FBC_TAG_DWORDS * 16 };

struct fbc {
    uint64_t pass_ns;       /* when the pass began */
    uint32_t next_pair;     /* of lines */
    uint32_t frames;        /* since the last periodic pass */
    uint32_t modifications; /* since the last pass began */
    uint16_t offset_lines;  /* fields of FBC_DISPYOFF and FBC_CONTROL as they count: double-buffered */
    uint8_t fence;
    bool compressing;
};

struct display {
    const struct display_info *info;
    struct device_log *log;
    struct register_file *mmio;
    struct memory *memory;
    struct interrupt *interrupt;
    struct fbc fbc;
    struct flips flips;
};

bool display_pipe_on(const struct display *d, unsigned pipe);
unsigned display_line(const struct display *d);
uint64_t display_next_blank_ns(const struct display *d);
uint64_t display_next_line_blank_ns(const struct display *d);

/* When the line leaves the window. 0: it is not in it; UINT64_MAX: it never leaves. */
uint64_t display_window_end_ns(const struct display *d, const struct scan_window *window);

/* Planes 0, 1, 2 are the primary ones of the pipes. False: the queue of the plane is full. */
bool display_flip(struct display *d, unsigned plane, struct flip flip);
bool display_flip_pending(const struct display *d, unsigned plane);

extern const struct unit_shape display_shape;

/* fbc.c: an engine drew on lines of a surface, or is about it and has them in memory; the CPU wrote to rows
 * of a fence; a register changed; time. */
void fbc_drawn(struct display *d, uint64_t base, int32_t first, int32_t last);
void fbc_drawing(struct display *d, uint64_t base, int32_t first, int32_t last);
void fbc_fence_written(struct display *d, unsigned fence, uint32_t first_row, uint32_t last_row);
bool fbc_compressing(const struct display *d);
void fbc_settle(struct display *d);
void fbc_advance(struct display *d, uint64_t before_ns);
uint64_t fbc_next_event_ns(const struct display *d);

extern const struct register_block display_registers, flip_queue_registers, fbc_registers;

#endif
