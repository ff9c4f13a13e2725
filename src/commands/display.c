/*
 * Commands that wait for the display, and flip it. (CSP-06, CSP-19) A pipe is only its time: where PIPE_CONF
 * enables it, a frame takes a sixtieth of a second from one start of the vertical blank to the next, and has
 * 1125 lines.
 */
#include "commands/tables.h"
#include "engine/execution.h"

/* clang-format off */
enum { FLIP_PLANE, FLIP_ASYNC, FLIP_TILE, FLIP_PITCH, FLIP_TYPE, FLIP_BASE };
static const struct field event_fields[] = {
    {"Display Plane 1 A Scan Line Wait Enable", 0, 0, FIELD_BOOL, NULL},
    {"Display Plane 1 Flip Pending Wait Enable", 1, 1, FIELD_BOOL, NULL},
    {"Display Plane 4 Flip Pending Wait Enable", 2, 2, FIELD_BOOL, NULL},
    {"Display Plane 1 A Vertical Blank Wait Enable", 3, 3, FIELD_BOOL, NULL},
    {"Display Plane 7 Flip Pending Wait Enable", 6, 6, FIELD_BOOL, NULL},
    {"Display Plane 8 Flip Pending Wait Enable", 7, 7, FIELD_BOOL, NULL},
    {"Display Plane 1 B Scan Line Wait Enable", 8, 8, FIELD_BOOL, NULL},
    {"Display Plane 2 Flip Pending Wait Enable", 9, 9, FIELD_BOOL, NULL},
    {"Display Plane 5 Flip Pending Wait Enable", 10, 10, FIELD_BOOL, NULL},
    {"Display Plane 1 B Vertical Blank Wait Enable", 11, 11, FIELD_BOOL, NULL},
    {"Display Plane 1 C Scan Line Wait Enable", 14, 14, FIELD_BOOL, NULL},
    {"Display Plane 3 Flip Pending Wait Enable", 15, 15, FIELD_BOOL, NULL},
    {"Display Plane 9 Flip Pending Wait Enable", 16, 16, FIELD_BOOL, NULL},
    {"Display Plane 10 Flip Pending Wait Enable", 17, 17, FIELD_BOOL, NULL},
    {"Display Plane 11 Flip Pending Wait Enable", 18, 18, FIELD_BOOL, NULL},
    {"Display Plane 12 Flip Pending Wait Enable", 19, 19, FIELD_BOOL, NULL},
    {"Display Plane 6 Flip Pending Wait Enable", 20, 20, FIELD_BOOL, NULL},
    {"Display Plane 1 C Vertical Blank Wait Enable", 21, 21, FIELD_BOOL, NULL},
};
enum { SCAN_PIPE, SCAN_END, SCAN_START };
static const struct field scan_line_fields[] = {
    [SCAN_PIPE]  = {"Display (Plane) Select", 19, 21, FIELD_UINT, NULL},
    [SCAN_END]   = {"End Scan Line Number", 32, 44, FIELD_UINT, NULL},
    [SCAN_START] = {"Start Scan Line Number", 48, 60, FIELD_UINT, NULL},
};
static const struct field_value flip_types[] = {{"Sync Flip", 0}, {"Async Flip", 1}, {"Stereo 3D Flip", 2}, {NULL, 0}};
static const struct field flip_fields[] = {
    [FLIP_PLANE] = {"Display Plane Select", 8, 12, FIELD_UINT, NULL},
    [FLIP_ASYNC] = {"Async Flip Indicator", 22, 22, FIELD_BOOL, NULL},
    [FLIP_TILE]  = {"Tile Parameter", 32, 34, FIELD_UINT, NULL},
    [FLIP_PITCH] = {"Display Buffer Pitch", 38, 47, FIELD_UINT, NULL},
    [FLIP_TYPE]  = {"Flip Type", 64, 65, FIELD_UINT, flip_types},
    [FLIP_BASE]  = {"Display Buffer Base Address", 76, 95, FIELD_ADDRESS, NULL},
};
/* clang-format on */

enum { PIPES = 3, PLANES = 12, PIPE_CONF = 0x70008, LINES = 1125 };
#define FRAME_NS UINT64_C(16666667)

static bool enabled(const struct engine *e, unsigned pipe)
{
    const uint32_t offset = PIPE_CONF + pipe * 0x1000u;
    return register_at(e->mmio, offset)->row && register_value(e->mmio, offset) >> 31;
}

static uint64_t next_blank_ns(const struct engine *e)
{
    return (e->witness->now_ns / FRAME_NS + 1u) * FRAME_NS;
}

static bool in_window(const struct engine *e, unsigned pipe)
{
    const struct scan_window *w = &e->scan_window[pipe];
    const uint64_t line = e->witness->now_ns % FRAME_NS * LINES / FRAME_NS;
    return w->is_set && (line >= w->start && line <= w->end) != w->outside;
}

/* What the command waits for; 0: nothing (more). */
static uint32_t waits_for(struct engine *e, uint32_t header)
{
    static const uint8_t flip_bit[PLANES] = {1, 9, 15, 2, 10, 20, 6, 7, 16, 17, 18, 19};
    static const uint8_t blank_bit[PIPES] = {3, 11, 21}, line_bit[PIPES] = {0, 8, 14};
    for (unsigned plane = 0; plane < PLANES; plane++)
        if (header >> flip_bit[plane] & 1u && e->flip_until_ns[plane] > e->witness->now_ns)
            return SWITCH_WAIT_ON_SYNC_FLIP;
    for (unsigned pipe = 0; pipe < PIPES; pipe++) {
        if (!enabled(e, pipe))
            continue;
        if (header >> line_bit[pipe] & 1u && in_window(e, pipe))
            return SWITCH_WAIT_ON_SCANLINE;
        if (!(header >> blank_bit[pipe] & 1u))
            continue;
        if (!e->wait_until_ns)
            e->wait_until_ns = next_blank_ns(e);
        if (e->witness->now_ns < e->wait_until_ns)
            return SWITCH_WAIT_ON_VBLANK;
    }
    return 0;
}

static enum outcome event_execute(struct execution *x)
{
    struct engine *e = x->engine;
    e->wait_reason = waits_for(e, x->header);
    if (!e->wait_reason) {
        e->wait_until_ns = 0;
        e->ring_wait = 0;
        return DONE;
    }
    e->why = "MI_WAIT_FOR_EVENT: the display's event did not come yet";
    return ring_wait(e, RING_BUFFER_CTL_WAIT_EVENT) ? WAIT : DONE;
}

static enum outcome set_window(struct execution *x, bool outside)
{
    const uint64_t pipe = get(x, SCAN_PIPE);
    if (pipe < PIPES)
        x->engine->scan_window[pipe] = (struct scan_window){.start = (uint16_t)get(x, SCAN_START),
                                                            .end = (uint16_t)get(x, SCAN_END),
                                                            .outside = outside,
                                                            .is_set = true};
    return DONE;
}

static enum outcome scan_inside_execute(struct execution *x)
{
    return set_window(x, false);
}

static enum outcome scan_outside_execute(struct execution *x)
{
    return set_window(x, true);
}

/* Planes go over the pipes in turn. A synchronous flip is pending until the vertical blank. */
static enum outcome flip_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const unsigned plane = (unsigned)get(x, FLIP_PLANE);
    const bool async = flag(x, FLIP_ASYNC) || get(x, FLIP_TYPE) == 1;
    if (plane < PLANES)
        e->flip_until_ns[plane] = enabled(e, plane % PIPES) && !async ? next_blank_ns(e) : 0;
    return DONE;
}

static const struct command rows[] = {
    {.name = "MI_WAIT_FOR_EVENT",
     .summary = "Waits for a display event.",
     OPCODE_MI(0x03),
     .engines = ALL_ENGINES,
     .since = GEN7,
     .min_dwords = 1,
     FIELDS(event_fields),
     .execute = event_execute,
     .spec = "CSP-06, CSP-19"},
    {.name = "MI_LOAD_SCAN_LINES_INCL",
     .summary = "Sets the scan lines to wait for, from inside.",
     OPCODE_MI(0x12),
     .engines = RENDER | COPY,
     .since = GEN6,
     .length_bits = 6,
     .length_bias = 2,
     .min_dwords = 2,
     FIELDS(scan_line_fields),
     .execute = scan_inside_execute,
     .spec = "CSP-06"},
    {.name = "MI_LOAD_SCAN_LINES_EXCL",
     .summary = "Sets the scan lines to wait for, from outside.",
     OPCODE_MI(0x13),
     .engines = RENDER | COPY,
     .since = GEN6,
     .length_bits = 6,
     .length_bias = 2,
     .min_dwords = 2,
     FIELDS(scan_line_fields),
     .execute = scan_outside_execute,
     .spec = "CSP-06"},
    {.name = "MI_DISPLAY_FLIP",
     .summary = "Asks the display to show another buffer.",
     OPCODE_MI(0x14),
     .engines = RENDER | COPY,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_WORK | COMMAND_PRIVILEGED,
     FIELDS(flip_fields),
     .execute = flip_execute,
     .spec = "CSP-06, CSP-15"},
};

const struct command_table display_commands = COMMAND_TABLE(rows);
