/* Commands that wait for the display, and flip it. (CSP-06, CSP-19, REN-30, REN-37) */
#include "mi/mi.h"
#include "display/pipe_registers.h"
#include "engine/execution.h"

enum {
    EVENT_CONDITION_CODE_WAIT_SELECT = 1,
    EVENT_DISPLAY_PLANE_FLIP_PENDING_WAIT_ENABLE,
    EVENT_DISPLAY_PIPE_VERTICAL_BLANK_WAIT_ENABLE,
    EVENT_DISPLAY_PIPE_SCAN_LINE_WAIT_ENABLE
};
enum {
    FLIP_DISPLAY_PLANE_SELECT = 1,
    FLIP_ASYNC_FLIP_INDICATOR,
    FLIP_TILE_PARAMETER,
    FLIP_DISPLAY_BUFFER_PITCH,
    FLIP_TYPE,
    FLIP_DISPLAY_BUFFER_BASE_ADDRESS,
    FLIP_ENABLE_PANEL_FITTER,
    FLIP_PIPE_HORIZONTAL_SOURCE_IMAGE_SIZE,
    FLIP_PIPE_VERTICAL_SOURCE_IMAGE_RESIZE
};
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
static const struct field event_2_fields[] = {
    {"Display Plane Flip Pending Wait Enable", 0, 5, FIELD_UINT,
     ROLE(EVENT_DISPLAY_PLANE_FLIP_PENDING_WAIT_ENABLE)},
    {"Display Pipe Vertical Blank Wait Enable", 8, 10, FIELD_UINT,
     ROLE(EVENT_DISPLAY_PIPE_VERTICAL_BLANK_WAIT_ENABLE)},
    {"Display Pipe Scan Line Wait Enable", 12, 14, FIELD_UINT,
     ROLE(EVENT_DISPLAY_PIPE_SCAN_LINE_WAIT_ENABLE)},
};
enum { SCAN_DISPLAY_PLANE_SELECT = 1, SCAN_END_SCAN_LINE_NUMBER, SCAN_START_SCAN_LINE_NUMBER };
static const struct field scan_line_fields[] = {
    {"Display (Plane) Select", 19, 21, FIELD_UINT, ROLE(SCAN_DISPLAY_PLANE_SELECT)},
    {"End Scan Line Number", 32, 44, FIELD_UINT, ROLE(SCAN_END_SCAN_LINE_NUMBER)},
    {"Start Scan Line Number", 48, 60, FIELD_UINT, ROLE(SCAN_START_SCAN_LINE_NUMBER)},
};
static const struct field_value flip_types[] = {
    {"Sync Flip", 0}, {"Async Flip", 1}, {"Stereo 3D Flip", 2}, {NULL, 0}};
static const struct field_value gen7_planes[] = {
    {"Display Plane A", 0},
    {"Display Plane B", 1},
    {"Display Sprite A", 2},
    {"Display Sprite B", 3},
    {"Display Plane C", 4},
    {"Display Sprite C", 5},
    {NULL, 0},
};
static const struct field flip_fields[] = {
    {"Display Plane Select", 19, 21, FIELD_UINT, gen7_planes, ROLE(FLIP_DISPLAY_PLANE_SELECT),
     .until = GEN75},
    {"Display Plane Select", 8, 12, FIELD_UINT, ROLE(FLIP_DISPLAY_PLANE_SELECT), .since = GEN8},
    {"Async Flip Indicator", 22, 22, FIELD_BOOL, ROLE(FLIP_ASYNC_FLIP_INDICATOR)},
    {"Tile Parameter", 32, 34, FIELD_UINT, ROLE(FLIP_TILE_PARAMETER)},
    {"Display Buffer Pitch", 38, 47, FIELD_UINT, ROLE(FLIP_DISPLAY_BUFFER_PITCH)},
    {"Flip Type", 64, 65, FIELD_UINT, flip_types, ROLE(FLIP_TYPE)},
    {"Display Buffer Base Address", 76, 95, FIELD_ADDRESS, ROLE(FLIP_DISPLAY_BUFFER_BASE_ADDRESS)},
};

/* Where each event of a generation is in the header. */
struct event_bits {
    uint8_t flip[DISPLAY_PLANES], blank[DISPLAY_PIPES], early_blank[DISPLAY_PIPES], line_blank[DISPLAY_PIPES],
        window[DISPLAY_PIPES]; /* NEVER: not there */
    bool needs_status;         /* `blank`: PIPESTAT must let it through */
};

enum { NEVER = 31 /* part of the opcode: always 0 */, PIPESTAT_BLANK = 1u << 17 };

static const struct event_bits events = {
    .flip = {1, 9, 15, 2, 10, 20, 6, 7, 16, 17, 18, 19},
    .blank = {3, 11, 21},
    .early_blank = {NEVER, NEVER, NEVER},
    .line_blank = {NEVER, NEVER, NEVER},
    .window = {0, 8, 14},
};

static const struct event_bits gen7_events = {
    .flip = {1, 9, 15, 2, 10, 20, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER},
    .blank = {3, 11, 21},
    .early_blank = {NEVER, NEVER, NEVER},
    .line_blank = {5, 13, 22},
    .window = {0, 8, 14},
};

/* Planes A and B, then their sprites. */
static const struct event_bits gen6_events = {
    .flip = {2, 6, 8, 16, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER},
    .blank = {3, 7, NEVER},
    .early_blank = {17, 18, NEVER},
    .line_blank = {13, 14, NEVER},
    .window = {1, 5, NEVER},
    .needs_status = true,
};

/* The events waited for, as reasons of a context status, and the time when the wait ends, if time ends it. */
struct events_wait {
    uint32_t reason;
    uint64_t until_ns;
};

/* An event at a known time: the command waits for it once. 0: it happened. */
static uint64_t comes_ns(const struct engine *e, uint64_t next_ns)
{
    const uint64_t at_ns = e->wait.until_ns ? e->wait.until_ns : next_ns;
    return e->log->now_ns < at_ns ? at_ns : 0;
}

static bool blank_is_told(const struct engine *e, unsigned pipe, const struct event_bits *bits)
{
    if (!bits->needs_status ||
        register_value(e->mmio, PIPESTAT + pipe * (uint32_t)PIPE_STEP) & PIPESTAT_BLANK || e->wait.until_ns)
        return true;
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                 "MI_WAIT_FOR_EVENT: PIPESTAT does not enable the vertical blank of pipe %c: not waited for",
                 "ABC"[pipe]);
    return false;
}

/* The events the command still waits for; 0: none. A disabled pipe has no events. */
static struct events_wait waits_for(const struct engine *e, uint32_t header, const struct event_bits *bits)
{
    const struct events_wait nothing = {0, 0};
    const struct display *d = e->display;
    for (unsigned plane = 0; plane < DISPLAY_PLANES; plane++)
        if (header >> bits->flip[plane] & 1u && display_flip_pending(d, plane))
            return (struct events_wait){SWITCH_WAIT_ON_SYNC_FLIP, 0};
    for (unsigned pipe = 0; pipe < DISPLAY_PIPES; pipe++) {
        if (!display_pipe_on(d, pipe))
            continue;
        struct events_wait w = {SWITCH_WAIT_ON_SCANLINE, 0};
        if (header >> bits->window[pipe] & 1u)
            w.until_ns = comes_ns(e, display_window_end_ns(d, &e->scan_windows.pipe[pipe]));
        if (!w.until_ns && header >> bits->line_blank[pipe] & 1u)
            w.until_ns = comes_ns(e, display_next_line_blank_ns(d));
        if (w.until_ns)
            return w;
        w.reason = SWITCH_WAIT_ON_VBLANK;
        if (header >> bits->early_blank[pipe] & 1u ||
            (header >> bits->blank[pipe] & 1u && blank_is_told(e, pipe, bits)))
            w.until_ns = comes_ns(e, display_next_blank_ns(d));
        if (w.until_ns)
            return w;
    }
    return nothing;
}

static enum outcome wait_or_done(struct execution *x, struct wait wait)
{
    wait.ring_ctl_bit = RING_BUFFER_CTL_WAIT_EVENT;
    return wait_begin(x->engine, wait) ? OUTCOME_WAIT : OUTCOME_DONE;
}

static enum outcome wait_for(struct execution *x, struct events_wait wanted)
{
    if (!wanted.reason)
        return OUTCOME_DONE;
    return wait_or_done(
        x,
        (struct wait){.reason = WAIT_DISPLAY, .switch_reason = wanted.reason, .until_ns = wanted.until_ns});
}

static enum outcome event_execute(struct execution *x)
{
    return wait_for(x, waits_for(x->engine, x->header, &events));
}

/* Numbers instead of bits: planes, pipes from 1 on; 0 is none. */
static enum outcome event_2_execute(struct execution *x)
{
    const uint64_t plane = command_field(x, EVENT_DISPLAY_PLANE_FLIP_PENDING_WAIT_ENABLE),
                   blank = command_field(x, EVENT_DISPLAY_PIPE_VERTICAL_BLANK_WAIT_ENABLE),
                   window = command_field(x, EVENT_DISPLAY_PIPE_SCAN_LINE_WAIT_ENABLE);
    uint32_t bits = 0;
    if (plane && plane <= DISPLAY_PLANES)
        bits |= 1u << events.flip[plane - 1];
    if (blank && blank <= DISPLAY_PIPES)
        bits |= 1u << events.blank[blank - 1];
    if (window && window <= DISPLAY_PIPES)
        bits |= 1u << events.window[window - 1];
    return wait_for(x, waits_for(x->engine, bits, &events));
}

/* Condition codes 1 to 5 select bits 0 to 4 of EXCC; it waits while the bit is set. (REN-07, REN-37) */
static bool code_is_set(const struct execution *x, unsigned field)
{
    const uint64_t code = command_field(x, field);
    return code != 0 && code <= 5 && engine_register(x->engine, EXCC) >> (code - 1u) & 1u;
}

static enum outcome gen7_event_execute(struct execution *x)
{
    if (code_is_set(x, EVENT_CONDITION_CODE_WAIT_SELECT))
        return wait_or_done(x, (struct wait){.reason = WAIT_CONDITION});
    return wait_for(x, waits_for(x->engine, x->header, &gen7_events));
}

static enum outcome gen6_event_execute(struct execution *x)
{
    struct engine *e = x->engine;
    enum { COMPRESSOR_IDLE = 1u << 4 };
    if (code_is_set(x, EVENT_CONDITION_CODE_WAIT_SELECT)) {
        return wait_or_done(x, (struct wait){.reason = WAIT_CONDITION});
    }
    if (x->header & COMPRESSOR_IDLE && fbc_compressing(e->display))
        return wait_for(x, (struct events_wait){SWITCH_WAIT_ON_SCANLINE, 0});
    return wait_for(x, waits_for(e, x->header, &gen6_events));
}

static enum outcome video_event_execute(struct execution *x)
{
    return code_is_set(x, EVENT_CONDITION_CODE_WAIT_SELECT)
               ? wait_or_done(x, (struct wait){.reason = WAIT_CONDITION})
               : OUTCOME_DONE;
}

static enum outcome set_window(struct execution *x, bool outside)
{
    const uint64_t pipe = header_field(x, SCAN_DISPLAY_PLANE_SELECT);
    if (pipe < DISPLAY_PIPES)
        x->engine->scan_windows.pipe[pipe] =
            (struct scan_window){.start = (uint16_t)command_field(x, SCAN_START_SCAN_LINE_NUMBER),
                                 .end = (uint16_t)command_field(x, SCAN_END_SCAN_LINE_NUMBER),
                                 .outside = outside,
                                 .is_set = true};
    return OUTCOME_DONE;
}

static enum outcome scan_inside_execute(struct execution *x)
{
    return set_window(x, false);
}

static enum outcome scan_outside_execute(struct execution *x)
{
    return set_window(x, true);
}

static enum outcome flip(struct execution *x, unsigned plane, struct flip f)
{
    if (display_flip(x->engine->display, plane, f))
        return OUTCOME_DONE;
    return wait_or_done(x,
                        (struct wait){.reason = WAIT_FLIP_QUEUE, .switch_reason = SWITCH_WAIT_ON_SYNC_FLIP});
}

/* Plane numbers alternate between the pipes. A synchronous flip is pending until the vertical blank. */
static enum outcome flip_of(struct execution *x, unsigned plane)
{
    return flip(x, plane,
                (struct flip){.surface = (uint32_t)command_field(x, FLIP_DISPLAY_BUFFER_BASE_ADDRESS),
                              .stride = (uint32_t)command_field(x, FLIP_DISPLAY_BUFFER_PITCH),
                              .control = (uint32_t)command_field(x, FLIP_TILE_PARAMETER) << 10,
                              .control_mask = 7u << 10,
                              .pipe = (uint8_t)(plane % DISPLAY_PIPES),
                              .async = command_flag(x, FLIP_ASYNC_FLIP_INDICATOR) ||
                                       command_field(x, FLIP_TYPE) == 1});
}

static enum outcome flip_execute(struct execution *x)
{
    return flip_of(x, header_field(x, FLIP_DISPLAY_PLANE_SELECT));
}

static enum outcome flip_refused(const struct execution *x, const char *why)
{
    struct engine *e = x->engine;
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                 "MI_DISPLAY_FLIP: %s: no flip", why);
    return OUTCOME_DONE;
}

/* Planes of the three pipes, then their sprites; codes 6 and 7 are none. */
static enum outcome gen7_flip_execute(struct execution *x)
{
    static const uint8_t planes[8] = {0, 1, 3, 4, 2, 5, DISPLAY_PLANES, DISPLAY_PLANES};
    const unsigned plane = planes[header_field(x, FLIP_DISPLAY_PLANE_SELECT)];
    return plane < DISPLAY_PLANES ? flip_of(x, plane) : flip_refused(x, "a reserved plane");
}

/* REN-30. Plane A, plane B, their sprites. */
static enum outcome gen6_flip_execute(struct execution *x)
{
    enum { TILED = 1u << 10, ASYNC_ALIGNMENT = 32 << 10, RESERVED_TYPES = 2, FIRST_SPRITE = 2 };
    const unsigned plane = header_field(x, FLIP_DISPLAY_PLANE_SELECT);
    const uint64_t type = command_field(x, FLIP_TYPE);
    const bool async = type == 1, fitter = x->length_dw > 3;
    struct flip f = {.surface = (uint32_t)command_field(x, FLIP_DISPLAY_BUFFER_BASE_ADDRESS),
                     .stride = (uint32_t)command_field(x, FLIP_DISPLAY_BUFFER_PITCH),
                     .control = command_field(x, FLIP_TILE_PARAMETER) ? TILED : 0,
                     .control_mask = TILED,
                     .pipe = plane & 1u,
                     .async = async};
    if (type >= RESERVED_TYPES)
        return flip_refused(x, "a reserved type");
    if (async != command_flag(x, FLIP_ASYNC_FLIP_INDICATOR))
        return flip_refused(x, "the indicator in the header is not the type's");
    if (async && plane >= FIRST_SPRITE)
        return flip_refused(x, "an asynchronous one of a sprite");
    if (async && fitter)
        return flip_refused(x, "a panel fitter's dword with an asynchronous flip");
    if (async && f.surface % ASYNC_ALIGNMENT)
        return flip_refused(x, "an asynchronous one to a buffer that is not aligned to 32 KB");
    if (async && !(register_value(x->engine->mmio, DSPCNTR + plane * (uint32_t)PIPE_STEP) & TILED))
        return flip_refused(x, "an asynchronous one of a linear buffer");
    if (fitter) {
        f.has_fitter = true;
        f.fitter = (uint32_t)command_field(x, FLIP_ENABLE_PANEL_FITTER);
        f.source_size = (uint32_t)command_field(x, FLIP_PIPE_HORIZONTAL_SOURCE_IMAGE_SIZE) << 16 |
                        (uint32_t)command_field(x, FLIP_PIPE_VERTICAL_SOURCE_IMAGE_RESIZE);
    }
    return flip(x, plane, f);
}

static const struct field gen6_event_fields[] = {
    {"Condition Code Wait Select", 9, 12, FIELD_UINT, ROLE(EVENT_CONDITION_CODE_WAIT_SELECT)},
    {"Display Pipe B Start of V Blank Wait Enable", 18, 18, FIELD_BOOL, NULL},
    {"Display Pipe A Start of V Blank Wait Enable", 17, 17, FIELD_BOOL, NULL},
    {"Display Sprite B Flip Pending Wait Enable", 16, 16, FIELD_BOOL, NULL},
    {"Display Pipe B H Blank Wait Enable", 14, 14, FIELD_BOOL, NULL},
    {"Display Pipe A H Blank Wait Enable", 13, 13, FIELD_BOOL, NULL},
    {"Display Sprite A Flip Pending Wait Enable", 8, 8, FIELD_BOOL, NULL},
    {"Display Pipe B Vertical Blank Wait Enable", 7, 7, FIELD_BOOL, NULL},
    {"Display Plane B Flip Pending Wait Enable", 6, 6, FIELD_BOOL, NULL},
    {"Display Pipe B Scan Line Window Wait Enable", 5, 5, FIELD_BOOL, NULL},
    {"Frame Buffer Compression Idle Wait Enable", 4, 4, FIELD_BOOL, NULL},
    {"Display Pipe A Vertical Blank Wait Enable", 3, 3, FIELD_BOOL, NULL},
    {"Display Plane A Flip Pending Wait Enable", 2, 2, FIELD_BOOL, NULL},
    {"Display Pipe A Scan Line Window Wait Enable", 1, 1, FIELD_BOOL, NULL},
};
static const struct field gen7_event_fields[] = {
    {"Display Pipe A Scan Line Wait Enable", 0, 0, FIELD_BOOL, NULL},
    {"Display Plane A Flip Pending Wait Enable", 1, 1, FIELD_BOOL, NULL},
    {"Display Sprite A Flip Pending Wait Enable", 2, 2, FIELD_BOOL, NULL},
    {"Display Pipe A Vertical Blank Wait Enable", 3, 3, FIELD_BOOL, NULL},
    {"Display Pipe A Horizontal Blank Wait Enable", 5, 5, FIELD_BOOL, NULL},
    {"Display Pipe B Scan Line Wait Enable", 8, 8, FIELD_BOOL, NULL},
    {"Display Plane B Flip Pending Wait Enable", 9, 9, FIELD_BOOL, NULL},
    {"Display Sprite B Flip Pending Wait Enable", 10, 10, FIELD_BOOL, NULL},
    {"Display Pipe B Vertical Blank Wait Enable", 11, 11, FIELD_BOOL, NULL},
    {"Display Pipe B Horizontal Blank Wait Enable", 13, 13, FIELD_BOOL, NULL},
    {"Display Pipe C Scan Line Wait Enable", 14, 14, FIELD_BOOL, NULL},
    {"Display Plane C Flip Pending Wait Enable", 15, 15, FIELD_BOOL, NULL},
    {"Condition Code Wait Select", 16, 19, FIELD_UINT, ROLE(EVENT_CONDITION_CODE_WAIT_SELECT)},
    {"Display Sprite C Flip Pending Wait Enable", 20, 20, FIELD_BOOL, NULL},
    {"Display Pipe C Vertical Blank Wait Enable", 21, 21, FIELD_BOOL, NULL},
    {"Display Pipe C Horizontal Blank Wait Enable", 22, 22, FIELD_BOOL, NULL},
};
static const struct field video_event_fields[] = {
    {"Condition Code Wait Select", 16, 19, FIELD_UINT, ROLE(EVENT_CONDITION_CODE_WAIT_SELECT)}};
static const struct field gen6_scan_line_fields[] = {
    {"Display (Plane) Select", 20, 21, FIELD_UINT, ROLE(SCAN_DISPLAY_PLANE_SELECT)},
    {"End Scan Line Number", 32, 44, FIELD_UINT, ROLE(SCAN_END_SCAN_LINE_NUMBER)},
    {"Start Scan Line Number", 48, 60, FIELD_UINT, ROLE(SCAN_START_SCAN_LINE_NUMBER)},
};
static const struct field_value gen6_planes[] = {{"Display Plane A", 0},
                                                 {"Display Plane B", 1},
                                                 {"Display Sprite A", 2},
                                                 {"Display Sprite B", 3},
                                                 {NULL, 0}};
static const struct field gen6_flip_fields[] = {
    {"Display Plane Select", 20, 21, FIELD_UINT, gen6_planes, ROLE(FLIP_DISPLAY_PLANE_SELECT)},
    {"Async Flip Indicator", 22, 22, FIELD_BOOL, ROLE(FLIP_ASYNC_FLIP_INDICATOR)},
    {"Tile Parameter", 32, 32, FIELD_BOOL, ROLE(FLIP_TILE_PARAMETER)},
    {"Display Buffer Pitch", 38, 47, FIELD_OFFSET, ROLE(FLIP_DISPLAY_BUFFER_PITCH)},
    {"Flip Type", 64, 65, FIELD_UINT, flip_types, ROLE(FLIP_TYPE)},
    {"Display Buffer Base Address", 76, 95, FIELD_ADDRESS, ROLE(FLIP_DISPLAY_BUFFER_BASE_ADDRESS)},
    {"Enable Panel Fitter", 127, 127, FIELD_BOOL, ROLE(FLIP_ENABLE_PANEL_FITTER)},
    {"Pipe Horizontal Source Image Size", 112, 123, FIELD_UINT, ROLE(FLIP_PIPE_HORIZONTAL_SOURCE_IMAGE_SIZE)},
    {"Pipe Vertical Source Image ReSize", 96, 107, FIELD_UINT, ROLE(FLIP_PIPE_VERTICAL_SOURCE_IMAGE_RESIZE)},
};

#define WAIT_COMMON .name = "MI_WAIT_FOR_EVENT", OPCODE_MI(0x03), .min_dwords = 1
#define SCAN_COMMON .engines = RENDER | COPY, .length_bits = 6, .length_bias = 2, .min_dwords = 2
#define FLIP_COMMON                                                                                          \
    .name = "MI_DISPLAY_FLIP", .summary = "Asks the display to show another buffer.", OPCODE_MI(0x14),       \
    .engines = RENDER | COPY, .length_bits = 8, .length_bias = 2, .min_dwords = 3,                           \
    .flags = COMMAND_PRIVILEGED | COMMAND_PHYSICAL

static const struct command rows[] = {
    {WAIT_COMMON, .summary = "Waits for a display event, or while a condition code is set.",
     .engines = RENDER | COPY, .since = GEN6, .until = GEN6, FIELDS(gen6_event_fields),
     .execute = gen6_event_execute, .spec = "REN-37"},
    {WAIT_COMMON, .summary = "Waits while a condition code is set.", .engines = VIDEO, .since = GEN6,
     .until = GEN6, FIELDS(video_event_fields), .execute = video_event_execute, .spec = "VCS-11"},
    {WAIT_COMMON, .summary = "Waits for a display event, or while a condition code is set.",
     .engines = ALL_ENGINES, .since = GEN7, .until = GEN7, .flags = COMMAND_PRIVILEGED,
     FIELDS(gen7_event_fields), .execute = gen7_event_execute,
     .spec = "REN-37; IVB PRM vol 1 part 3, 1.2.23"},
    {WAIT_COMMON, .summary = "Waits for a display event, or while a condition code is set.",
     .engines = ALL_ENGINES, .since = GEN75, .until = GEN75, FIELDS(gen7_event_fields),
     .execute = gen7_event_execute, .spec = "REN-37; IVB PRM vol 1 part 3, 1.2.23"},
    {WAIT_COMMON, .summary = "Waits for a display event.",
     .engines = ALL_ENGINES & ~(VIDEO | ENHANCE | OTHER_CLASS), .since = GEN8, .flags = COMMAND_PHYSICAL,
     FIELDS(event_fields), .execute = event_execute, .spec = "CSP-06, CSP-19"},
    {WAIT_COMMON, .summary = "Waits for a display event.", .engines = VIDEO | ENHANCE, .since = GEN8,
     .flags = COMMAND_PHYSICAL | COMMAND_HOLDS_LIST, FIELDS(event_fields), .execute = event_execute,
     .spec = "CSP-06, CSP-19, CSP-21"},
    {.name = "MI_WAIT_FOR_EVENT_2",
     .summary = "Waits for an event of a plane or pipe by its number.",
     OPCODE_MI(0x04),
     .min_dwords = 1,
     .engines = RENDER | COPY,
     .since = GEN12,
     .flags = COMMAND_PHYSICAL,
     FIELDS(event_2_fields),
     .execute = event_2_execute,
     .spec = "CSP-14, TGL PRM vol 2a"},
    {.name = "MI_LOAD_SCAN_LINES_INCL",
     .summary = "Sets the scan lines to wait for, from inside.",
     OPCODE_MI(0x12),
     SCAN_COMMON,
     .since = GEN6,
     .until = GEN6,
     FIELDS(gen6_scan_line_fields),
     .execute = scan_inside_execute,
     .spec = "REN-37"},
    {.name = "MI_LOAD_SCAN_LINES_INCL",
     .summary = "Sets the scan lines to wait for, from inside.",
     OPCODE_MI(0x12),
     SCAN_COMMON,
     .since = GEN7,
     .flags = COMMAND_PHYSICAL,
     FIELDS(scan_line_fields),
     .execute = scan_inside_execute,
     .spec = "CSP-06"},
    {.name = "MI_LOAD_SCAN_LINES_EXCL",
     .summary = "Sets the scan lines to wait for, from outside.",
     OPCODE_MI(0x13),
     SCAN_COMMON,
     .since = GEN6,
     .until = GEN6,
     FIELDS(gen6_scan_line_fields),
     .execute = scan_outside_execute,
     .spec = "REN-37"},
    {.name = "MI_LOAD_SCAN_LINES_EXCL",
     .summary = "Sets the scan lines to wait for, from outside.",
     OPCODE_MI(0x13),
     SCAN_COMMON,
     .since = GEN7,
     .flags = COMMAND_PHYSICAL,
     FIELDS(scan_line_fields),
     .execute = scan_outside_execute,
     .spec = "CSP-06"},
    {FLIP_COMMON, .since = GEN6, .until = GEN6, FIELDS(gen6_flip_fields), .execute = gen6_flip_execute,
     .spec = "REN-30"},
    {FLIP_COMMON, .since = GEN7, FIELDS(flip_fields), .execute = gen7_flip_execute,
     .spec = "CSP-06; IVB PRM vol 1 part 3, 1.2.9"},
    {.since = GEN8, .execute = flip_execute, .spec = "CSP-06, CSP-15"},
};

const struct command_table mi_display_commands = COMMAND_TABLE(rows);
