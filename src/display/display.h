/*
 * The display as command streamers see it: pipes that only keep time, and planes that complete flips.
 * While PIPE_CONF enables a pipe, a frame takes a sixtieth of a second from one start of vertical blank
 * to the next and has 1125 lines; the last eighth of a line is horizontal blank. (REN-19, REN-30,
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
    /* Bit of the first plane's flip-done interrupt in a pipe's registers, and the number of such bits; 0:
     * none. */
    uint8_t flip_done, flip_planes;
};

/* The parameters of a flip. */
#define FLIP_MEMBERS(M, S)                                                                                   \
    M(S, NUMBER, uint64_t, due_ns, 0)                                                                        \
    M(S, NUMBER, uint32_t, surface, 0)                                                                       \
    M(S, NUMBER, uint32_t, stride, 0)                                                                        \
    M(S, NUMBER, uint32_t, control, 0)      /* new DSPSURF, DSPSTRIDE; bits of DSPCNTR ... */                \
    M(S, NUMBER, uint32_t, control_mask, 0) /* ... under this mask */                                        \
    M(S, NUMBER, uint32_t, source_size, 0)                                                                   \
    M(S, NUMBER, uint32_t, fitter, 0) /* new PIPESRC and PF_CTL, where has_fitter */                         \
    M(S, NUMBER, uint8_t, pipe, DISPLAY_PIPES)                                                               \
    M(S, FLAG, has_fitter)                                                                                   \
    M(S, FLAG, async) /* async: at once, and only the surface */                                             \
    M(S, PADDING, reserved, [5])
struct flip {
    STATE_MEMBERS(FLIP_MEMBERS)
};

#define FLIP_PLANE_MEMBERS(M, S)                                                                             \
    M(S, STRUCTS, struct flip, queue, [FLIP_QUEUE], flip_fields)                                             \
    M(S, NUMBER, uint8_t, count, FLIP_QUEUE + 1)                                                             \
    M(S, PADDING, reserved, [7])
struct flip_plane {
    STATE_MEMBERS(FLIP_PLANE_MEMBERS)
};

#define FLIPS_MEMBERS(M, S) M(S, STRUCTS, struct flip_plane, plane, [DISPLAY_PLANES], plane_fields)
struct flips {
    STATE_MEMBERS(FLIPS_MEMBERS)
};

/* Scan lines that a streamer waits inside of, or outside. */
#define SCAN_WINDOW_MEMBERS(M, S)                                                                            \
    M(S, NUMBER, uint16_t, start, 0)                                                                         \
    M(S, NUMBER, uint16_t, end, 0)                                                                           \
    M(S, FLAG, outside)                                                                                      \
    M(S, FLAG, is_set)
struct scan_window {
    STATE_MEMBERS(SCAN_WINDOW_MEMBERS)
};

/* A streamer's, of each pipe. */
#define SCAN_WINDOWS_MEMBERS(M, S)                                                                           \
    M(S, STRUCTS, struct scan_window, pipe, [DISPLAY_PIPES], scan_window_fields)
struct scan_windows {
    STATE_MEMBERS(SCAN_WINDOWS_MEMBERS)
};

/* Frame buffer compression. Tags are of pairs of lines. */
enum { FBC_TAG_DWORDS = 49, FBC_PAIRS = FBC_TAG_DWORDS * 16 };

#define FBC_MEMBERS(M, S)                                                                                    \
    M(S, NUMBER, uint64_t, pass_ns, 0)           /* when the pass began */                                   \
    M(S, NUMBER, uint32_t, next_pair, FBC_PAIRS) /* of lines */                                              \
    M(S, NUMBER, uint32_t, frames, 0)            /* since the last periodic pass */                          \
    M(S, NUMBER, uint32_t, modifications, 0)     /* since the last pass began */                             \
    /* Fields of FBC_DISPYOFF and FBC_CONTROL as they count: double-buffered. */                             \
    M(S, NUMBER, uint16_t, offset_lines, 0x1000)                                                             \
    M(S, NUMBER, uint8_t, fence, 16)                                                                         \
    M(S, FLAG, compressing)
struct fbc {
    STATE_MEMBERS(FBC_MEMBERS)
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
