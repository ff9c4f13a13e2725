#include "display/display.h"

#include "display/pipe_registers.h"

#include <string.h>

enum {
    PIPE_CONF = 0x70008,
    PF_CTL = 0x68080,
    DSPSURF = 0x7019c,
    PF_STEP = 0x800,
    MAXQ_FLIP = 0x2530,
    NUM_FLIP = 0x2538,
    LIMITED_PLANES = 2,
};

bool display_pipe_on(const struct display *d, unsigned pipe)
{
    return register_value(d->mmio, PIPE_CONF + pipe * PIPE_STEP) >> 31;
}

unsigned display_line(const struct display *d)
{
    return (unsigned)(d->log->now_ns % DISPLAY_FRAME_NS * DISPLAY_LINES / DISPLAY_FRAME_NS);
}

uint64_t display_next_blank_ns(const struct display *d)
{
    return (d->log->now_ns / DISPLAY_FRAME_NS + 1u) * DISPLAY_FRAME_NS;
}

uint64_t display_next_line_blank_ns(const struct display *d)
{
    const uint64_t frame_ns = d->log->now_ns / DISPLAY_FRAME_NS * DISPLAY_FRAME_NS;
    for (uint64_t line = display_line(d);; line++) { /* seven eighths through a line */
        const uint64_t blank_ns =
            frame_ns + ((line * 8u + 7u) * DISPLAY_FRAME_NS + DISPLAY_LINES * 8u - 1u) / (DISPLAY_LINES * 8u);
        if (blank_ns > d->log->now_ns)
            return blank_ns;
    }
}

static bool in_window(const struct scan_window *w, unsigned line)
{
    return (line >= w->start && line <= w->end) != w->outside;
}

uint64_t display_window_end_ns(const struct display *d, const struct scan_window *w)
{
    const uint64_t frame_ns = d->log->now_ns / DISPLAY_FRAME_NS * DISPLAY_FRAME_NS;
    const unsigned line = display_line(d);
    if (!w->is_set || !in_window(w, line))
        return 0;
    for (unsigned at = line + 1u; at < line + DISPLAY_LINES; at++)
        if (!in_window(w, at % DISPLAY_LINES))
            return frame_ns + ((uint64_t)at * DISPLAY_FRAME_NS + DISPLAY_LINES - 1u) / DISPLAY_LINES;
    return UINT64_MAX;
}

/* Planes 0 to 2 are the first ones of the pipes, 3 to 5 the second ones, and so on. */
static void tell_flip(struct display *d, unsigned plane, const struct flip *f)
{
    const unsigned of_pipe = plane / DISPLAY_PIPES;
    if (of_pipe < d->info->flip_planes && display_pipe_on(d, f->pipe))
        interrupt_pipe_raise(d->interrupt, f->pipe, 1u << (d->info->flip_done + of_pipe));
}

static void come_true(struct display *d, unsigned plane, const struct flip *f)
{
    if (plane >= DISPLAY_PIPES)
        return;
    const uint32_t step = plane * PIPE_STEP;
    register_set(d->mmio, DSPSURF + step, f->surface);
    register_set(d->mmio, DSPSURFLIVE + step, f->surface);
    if (f->async)
        return;
    register_set(d->mmio, DSPSTRIDE + step, f->stride);
    register_set(d->mmio, DSPCNTR + step,
                 (register_value(d->mmio, DSPCNTR + step) & ~f->control_mask) |
                     (f->control & f->control_mask));
    if (f->has_fitter) {
        register_set(d->mmio, PIPESRC + f->pipe * (uint32_t)PIPE_STEP, f->source_size);
        register_set(d->mmio, PF_CTL + f->pipe * (uint32_t)PF_STEP,
                     (register_value(d->mmio, PF_CTL + f->pipe * (uint32_t)PF_STEP) & 0x7fffffffu) |
                         f->fitter << 31);
    }
}

/* Software may write the count of a display's pending flips (for debugging): the limit goes by it. */
static void count_pending(struct display *d, unsigned plane, bool more)
{
    if (!d->info->limits_flips || plane >= LIMITED_PLANES)
        return;
    const uint32_t offset = NUM_FLIP + plane * 4u, pending = register_value(d->mmio, offset);
    register_set(d->mmio, offset, more ? pending + 1u : pending ? pending - 1u : 0);
}

static bool queue_is_full(const struct display *d, unsigned plane)
{
    if (d->info->limits_flips && plane < LIMITED_PLANES &&
        register_value(d->mmio, NUM_FLIP + plane * 4u) >= register_value(d->mmio, MAXQ_FLIP + plane * 4u))
        return true;
    return d->flips.plane[plane].count >= FLIP_QUEUE;
}

bool display_flip(struct display *d, unsigned plane, struct flip flip)
{
    if (plane >= DISPLAY_PLANES)
        return true;
    struct flip_plane *p = &d->flips.plane[plane];
    if (flip.async || !display_pipe_on(d, flip.pipe)) { /* no blank to wait for */
        come_true(d, plane, &flip);
        tell_flip(d, plane, &flip);
        return true;
    }
    if (queue_is_full(d, plane))
        return false;
    flip.due_ns = p->count ? p->queue[p->count - 1].due_ns + DISPLAY_FRAME_NS : display_next_blank_ns(d);
    p->queue[p->count++] = flip;
    count_pending(d, plane, true);
    return true;
}

bool display_flip_pending(const struct display *d, unsigned plane)
{
    return d->flips.plane[plane].count != 0;
}

enum { PIPE_BLANK = 1u << 0 };

/* The first and the second blank count: an identity register keeps no more. */
static void tell_blanks(struct display *d, uint64_t before_ns)
{
    enum { KEPT = 2 };
    const uint64_t blanks = d->log->now_ns / DISPLAY_FRAME_NS - before_ns / DISPLAY_FRAME_NS;
    for (unsigned pipe = 0; pipe < DISPLAY_PIPES; pipe++)
        for (uint64_t i = 0; i < blanks && i < KEPT && d->info->flip_planes && display_pipe_on(d, pipe); i++)
            interrupt_pipe_raise(d->interrupt, pipe, PIPE_BLANK);
}

static void advance(void *unit, uint64_t before_ns)
{
    struct display *d = unit;
    fbc_advance(d, before_ns);
    tell_blanks(d, before_ns);
    for (unsigned plane = 0; plane < DISPLAY_PLANES; plane++) {
        struct flip_plane *p = &d->flips.plane[plane];
        while (p->count && p->queue[0].due_ns <= d->log->now_ns) {
            come_true(d, plane, &p->queue[0]);
            tell_flip(d, plane, &p->queue[0]);
            p->count--;
            count_pending(d, plane, false);
            memmove(p->queue, p->queue + 1, p->count * sizeof *p->queue);
            p->queue[p->count] = (struct flip){0};
        }
    }
}

static uint64_t next_event_ns(const void *unit)
{
    const struct display *d = unit;
    uint64_t next_ns = fbc_next_event_ns(d);
    for (unsigned plane = 0; plane < DISPLAY_PLANES; plane++)
        if (d->flips.plane[plane].count && d->flips.plane[plane].queue[0].due_ns < next_ns)
            next_ns = d->flips.plane[plane].queue[0].due_ns;
    for (unsigned pipe = 0; pipe < DISPLAY_PIPES; pipe++)
        if (display_pipe_on(d, pipe) && interrupt_pipe_wanted(d->interrupt, pipe, PIPE_BLANK) &&
            display_next_blank_ns(d) < next_ns)
            next_ns = display_next_blank_ns(d);
    return next_ns;
}

static STATE_TABLE(flip_fields, struct flip, FLIP_MEMBERS)
static STATE_TABLE(plane_fields, struct flip_plane, FLIP_PLANE_MEMBERS)
static STATE_TABLE(flips_fields, struct flips, FLIPS_MEMBERS)
static STATE_TABLE(fbc_fields, struct fbc, FBC_MEMBERS)

static const struct section sections[] = {
    SECTION(struct display, flips, 1, SURVIVES_DEVICE_RESET, flips_fields, NULL),
    SECTION(struct display, fbc, 1, SURVIVES_DEVICE_RESET, fbc_fields, NULL),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static void reset(void *unit, enum reset_scope scope)
{
    sections_reset(sections, SECTIONS, unit, scope);
}

static void state(void *unit, struct state *s)
{
    const struct display *d = unit;
    sections_state(sections, SECTIONS, unit, "display", s);
    state_check(s, !d->fbc.compressing || d->fbc.pass_ns <= d->log->now_ns);
}

const struct unit_shape display_shape = {.sections = sections,
                                         .section_count = SECTIONS,
                                         .reset = reset,
                                         .state = state,
                                         .advance = advance,
                                         .next_event_ns = next_event_ns};

/* A write to DSPSURF is taken at once. */
static void surface_written(const struct register_access *w)
{
    register_set(w->file, DSPSURFLIVE + w->index * PIPE_STEP, w->value & 0xfffff000u);
}

static void pipe_written(const struct register_access *w)
{
    fbc_settle(w->owner);
}

#define ALL 0xffffffffu
static const struct reg rows[] = {
    {.name = "PIPESRC",
     .offset = PIPESRC,
     .count = 3,
     .stride = PIPE_STEP,
     .writable = ALL,
     .summary = "Size of the source image, less one: width 27:16, height 11:0.",
     .spec = "REN-30, SNB PRM vol 3"},
    {.name = "PF_CTL",
     .offset = PF_CTL,
     .count = 3,
     .stride = PF_STEP,
     .writable = ALL,
     .summary = "Panel fitter; bit 31 enables it.",
     .spec = "REN-30, SNB PRM vol 3"},
    {.name = "PIPE_CONF",
     .offset = PIPE_CONF,
     .count = 3,
     .stride = PIPE_STEP,
     .writable = 0x80000000,
     .after_write = pipe_written,
     .summary = "Bit 31: a display pipe is on; waits for its events take time.",
     .spec = "CSP-19, SKL PRM vol 2c"},
    {.name = "PIPESTAT",
     .offset = PIPESTAT,
     .count = 3,
     .stride = PIPE_STEP,
     .writable = 0x7fff0000,
     .w1c = 0x8000ffff,
     .summary =
         "Enables of a pipe's events, and what came; bit 17 lets streamers wait for its vertical blank.",
     .spec = "REN-37"},
    {.name = "DSPCNTR",
     .offset = DSPCNTR,
     .count = 3,
     .stride = PIPE_STEP,
     .writable = ALL,
     .summary = "Control of a pipe's primary plane; tiling from bit 10 on.",
     .spec = "REN-30, SNB PRM vol 3"},
    {.name = "DSPSTRIDE",
     .offset = DSPSTRIDE,
     .count = 3,
     .stride = PIPE_STEP,
     .writable = ALL,
     .summary = "Pitch of the plane's buffer.",
     .spec = "REN-30, SNB PRM vol 3"},
    {.name = "DSPSURF",
     .offset = DSPSURF,
     .count = 3,
     .stride = PIPE_STEP,
     .writable = ALL,
     .after_write = surface_written,
     .summary = "Address of the plane's buffer.",
     .spec = "REN-30, SNB PRM vol 3"},
    {.name = "DSPSURFLIVE",
     .offset = DSPSURFLIVE,
     .count = 3,
     .stride = PIPE_STEP,
     .summary = "Address that is shown.",
     .spec = "SNB PRM vol 3"},
};

static const struct reg queue_rows[] = {
    {.name = "MAXQ_FLIP",
     .offset = MAXQ_FLIP,
     .count = 2,
     .stride = 4,
     .writable = 0x1f,
     .reset = 4,
     .summary = "Flips of display A, B that may be queued.",
     .spec = "REN-19"},
    {.name = "NUM_FLIP",
     .offset = NUM_FLIP,
     .count = 2,
     .stride = 4,
     .writable = 0x1f,
     .summary = "Flips of display A, B that are pending; written only to debug.",
     .spec = "REN-19"},
};

const struct register_block display_registers = REGISTER_BLOCK("display", rows);
const struct register_block flip_queue_registers = REGISTER_BLOCK("flip queue", queue_rows);
