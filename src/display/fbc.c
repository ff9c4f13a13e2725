/*
 * Frame buffer compression of DevCL: run-length coding of the buffer that a plane shows, a pair of lines at a
 * time, at the speed of the scanout. (REN-26, REN-09)
 *
 * The manual does not give the code of compressed lines. Here a line is dwords: run length minus one in bits
 * 31:24, pixel in bits 23:0 (32-bit pixels without alpha). The line length buffer has 16 bits a line: the
 * bytes of the compressed line, 0 if it is not compressed.
 */
#include "display/display.h"

#include "display/pipe_registers.h"
#include "memory/tiling.h"

#include <string.h>

enum {
    FBC_CFB_BASE = 0x3200,
    FBC_LL_BASE = 0x3204,
    FBC_CONTROL = 0x3208,
    FBC_COMMAND = 0x320c,
    FBC_STATUS = 0x3210,
    FBC_CONTROL2 = 0x3214,
    FBC_DISPYOFF = 0x3218, /* the manual's 321Bh is no dword's */
    FBC_MOD_NUM = 0x3220,
    FBC_TAG = 0x3300,
    FBC_RT_BASE = 0x2128,
    MOST_LINES = 1536,
    MAX_WIDTH_MB = 4096,
    X_TILE_ROW_BYTES = 512,
};

enum {
    CONTROL_PERIODIC = 1u << 30,
    CONTROL_STOP = 1u << 15, /* after a modification no pass starts */
    CONTROL_UNCOMPRESSIBLE = 1u << 14,
    COMMAND_COMPRESS = 1u << 0,
    STATUS_COMPRESSED = 1u << 30,
    STATUS_MODIFIED = 1u << 29,
    CONTROL2_CPU_FENCE = 1u << 1,
    CONTROL2_PLANE_B = 1u << 0,
    CONTROL2_NO_DOUBLE_BUFFER = 1u << 4,
    RT_VALID = 1u << 0,
    MOD_NUM_VALID = 1u << 0,
};

#define STATUS_COMPRESSING 0x80000000u

enum tag { MODIFIED, UNCOMPRESSED, UNCOMPRESSIBLE, COMPRESSED };

static uint32_t value(const struct display *d, uint32_t offset)
{
    return register_value(d->mmio, offset);
}

static unsigned plane_of(const struct display *d)
{
    return value(d, FBC_CONTROL2) & CONTROL2_PLANE_B;
}

static unsigned lines_of(const struct display *d)
{
    const unsigned lines = (value(d, PIPESRC + plane_of(d) * (uint32_t)PIPE_STEP) & 0xfffu) + 1u;
    return lines < MOST_LINES ? lines : MOST_LINES;
}

/* A buffer that starts on an odd line of its tiles leaves the first tag's first line unused. */
static unsigned odd(const struct display *d)
{
    return d->fbc.offset_lines & 1u;
}

static enum tag tag(const struct display *d, unsigned pair)
{
    return (enum tag)(value(d, FBC_TAG + pair / 16u * 4u) >> pair % 16u * 2u & 3u);
}

static void set_tag(struct display *d, unsigned pair, enum tag tag)
{
    const uint32_t offset = FBC_TAG + pair / 16u * 4u;
    register_set(d->mmio, offset,
                 (value(d, offset) & ~(3u << pair % 16u * 2u)) | (uint32_t)tag << pair % 16u * 2u);
}

static void set_status(struct display *d, uint32_t bits, uint32_t mask)
{
    register_set(d->mmio, FBC_STATUS, (value(d, FBC_STATUS) & ~mask) | (bits & mask));
}

/* ---- Modifications ---- */

/* False: none of the lines is shown. */
static bool mark(struct display *d, int32_t first, int32_t last)
{
    const int32_t lines = (int32_t)lines_of(d);
    if (last < 0 || first >= lines || first > last)
        return false;
    set_status(d, STATUS_MODIFIED, STATUS_MODIFIED);
    for (int32_t line = first < 0 ? 0 : first; line <= last && line < lines; line++)
        set_tag(d, ((unsigned)line + odd(d)) / 2u, MODIFIED);
    return true;
}

static void modified(struct display *d, int32_t first, int32_t last)
{
    if (mark(d, first, last))
        d->fbc.modifications++;
}

static bool is_target(const struct display *d, uint64_t base)
{
    const uint32_t target = value(d, FBC_RT_BASE);
    return d->info->compresses && target & RT_VALID && (target & 0xfffff000u) == base;
}

void fbc_drawn(struct display *d, uint64_t base, int32_t first, int32_t last)
{
    if (is_target(d, base))
        modified(d, first, last);
}

void fbc_drawing(struct display *d, uint64_t base, int32_t first, int32_t last)
{
    if (is_target(d, base))
        mark(d, first, last);
}

void fbc_fence_written(struct display *d, unsigned fence, uint32_t first_row, uint32_t last_row)
{
    if (value(d, FBC_CONTROL2) & CONTROL2_CPU_FENCE && d->fbc.fence == fence)
        modified(d, (int32_t)first_row - d->fbc.offset_lines, (int32_t)last_row - d->fbc.offset_lines);
}

/* ---- Double buffering of the fence's number and of the lines above the buffer ---- */

static void take_place(struct display *d)
{
    d->fbc.fence = value(d, FBC_CONTROL) & 0xfu;
    d->fbc.offset_lines = value(d, FBC_DISPYOFF) & 0xfffu;
}

/* Without double buffering, or a blank to come, what is written counts at once. */
void fbc_settle(struct display *d)
{
    if (d->info->compresses &&
        (value(d, FBC_CONTROL2) & CONTROL2_NO_DOUBLE_BUFFER || !display_pipe_on(d, plane_of(d))))
        take_place(d);
}

/* ---- Compression ---- */

static bool read_source(const struct display *d, uint64_t address, void *data, uint32_t size)
{
    const struct mmu u = {.memory = d->memory};
    struct translation t;
    return mmu_translate(&u, SPACE_GGTT, address, &t) && bus_read(d->memory, t.physical, data, size);
}

/* Pixels of a line of the plane's buffer: what counts of them is bits 23:0. */
static bool read_line(const struct display *d, unsigned line, uint32_t *pixels, unsigned width)
{
    const uint32_t step = plane_of(d) * (uint32_t)PIPE_STEP, control = value(d, DSPCNTR + step);
    const uint32_t format = control >> 26 & 0xfu, bytes = format == 2 ? 1 : format == 5 ? 2 : 4;
    const int32_t pitch = (int32_t)value(d, DSPSTRIDE + step);
    const struct tile_layout *tiles = control >> 10 & 1u ? tile_layout(SOFTGT_TILE_X, bytes) : NULL;
    uint8_t *const row = (uint8_t *)pixels;
    for (uint32_t at = 0, there; at < width * bytes; at += there) {
        const int64_t offset =
            tiles ? tile_offset(tiles, false, pitch, (int32_t)at, (int32_t)line) : (int64_t)line * pitch + at;
        const uint64_t address = value(d, DSPSURFLIVE + step) + (uint64_t)offset;
        /* The length of a contiguous run: to the end of the page or of the tile's row, at least a pixel. */
        there = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
        if (tiles && there > X_TILE_ROW_BYTES - at % X_TILE_ROW_BYTES)
            there = X_TILE_ROW_BYTES - at % X_TILE_ROW_BYTES;
        if (there > width * bytes - at)
            there = width * bytes - at;
        there = there < bytes ? bytes : there / bytes * bytes;
        if (!read_source(d, address, row + at, there))
            return false;
    }
    for (unsigned x = width; x-- > 0 && bytes < 4;) /* from the last: they become wider where they are */
        pixels[x] = bytes == 1 ? row[x] : row[x * 2u] | (uint32_t)row[x * 2u + 1u] << 8;
    return true;
}

/* Bytes of the compressed line; 0: it does not fit. */
static uint32_t compress_line(struct display *d, unsigned line)
{
    uint32_t pixels[MAX_WIDTH_MB], runs[MAX_WIDTH_MB];
    const unsigned width = (value(d, PIPESRC + plane_of(d) * (uint32_t)PIPE_STEP) >> 16 & 0xfffu) + 1u;
    const uint32_t stride = ((value(d, FBC_CONTROL) >> 5 & 0xffu) + 1u) * 64u;
    unsigned count = 0;
    if (!read_line(d, line, pixels, width))
        return 0;
    for (unsigned x = 0, n; x < width; x += n) {
        if (count * 4u >= stride)
            return 0;
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): read_line has filled it */
        for (n = 1; x + n < width && n < 256 && !((pixels[x + n] ^ pixels[x]) & 0xffffffu); n++)
            ;
        runs[count++] = (n - 1u) << 24 | (pixels[x] & 0xffffffu);
    }
    const uint64_t to = (value(d, FBC_CFB_BASE) & 0xfffff000u) + (uint64_t)line * stride;
    return bus_write(d->memory, to, runs, count * 4u) ? count * 4u : 0;
}

static void compress_pair(struct display *d, unsigned pair)
{
    const enum tag before = tag(d, pair);
    const unsigned lines = lines_of(d);
    const bool keeps = value(d, FBC_CONTROL) & CONTROL_UNCOMPRESSIBLE;
    set_status(d, pair * 2u < odd(d) ? 0 : pair * 2u - odd(d), 0x7ffu);
    if (before == COMPRESSED || (before == UNCOMPRESSIBLE && keeps))
        return;
    bool fits = true;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned line = pair * 2u + i - odd(d);
        if (pair * 2u + i < odd(d) || line >= lines)
            continue;
        const uint16_t length = (uint16_t)compress_line(d, line);
        bus_write(d->memory, (value(d, FBC_LL_BASE) & 0xfffff000u) + line * 2u, &length, 2);
        fits = fits && length;
    }
    set_tag(d, pair, fits ? COMPRESSED : keeps ? UNCOMPRESSIBLE : UNCOMPRESSED);
}

static unsigned pairs_of(const struct display *d)
{
    return (lines_of(d) + odd(d) + 1u) / 2u;
}

static uint64_t pair_due_ns(const struct display *d)
{
    return d->fbc.pass_ns + (uint64_t)(d->fbc.next_pair + 1u) * 2u * DISPLAY_FRAME_NS / DISPLAY_LINES;
}

static void begin_pass(struct display *d, uint64_t now_ns)
{
    d->fbc.compressing = true;
    d->fbc.pass_ns = now_ns;
    d->fbc.next_pair = 0;
    d->fbc.modifications = 0;
    set_status(d, STATUS_COMPRESSING, STATUS_COMPRESSING | STATUS_COMPRESSED | STATUS_MODIFIED | 0x7ffu);
}

static void end_pass(struct display *d)
{
    d->fbc.compressing = false;
    set_status(d, STATUS_COMPRESSED, STATUS_COMPRESSING | STATUS_COMPRESSED | 0x7ffu);
    register_set(d->mmio, FBC_COMMAND, value(d, FBC_COMMAND) & ~(uint32_t)COMMAND_COMPRESS);
}

static bool enabled(const struct display *d)
{
    return value(d, FBC_CONTROL) >> 31;
}

/* The vertical blank at which the disable takes effect. The pass ends; bit 30 of the status and the request
 * keep their values. */
static void break_off(struct display *d)
{
    d->fbc.compressing = false;
    set_status(d, 0, STATUS_COMPRESSING | 0x7ffu);
}

/* Whether a pass can begin at a blank at all. */
static bool may_begin(const struct display *d)
{
    const uint32_t control = value(d, FBC_CONTROL);
    return enabled(d) && display_pipe_on(d, plane_of(d)) &&
           !(control & CONTROL_STOP && value(d, FBC_STATUS) & STATUS_MODIFIED && d->fbc.modifications);
}

/* Frames from pass to pass; 0: none is due by itself. */
static uint32_t interval_of(const struct display *d)
{
    const uint32_t control = value(d, FBC_CONTROL);
    return may_begin(d) && control & CONTROL_PERIODIC ? control >> 16 & 0x3fffu : 0;
}

static bool modified_enough(const struct display *d)
{
    const uint32_t number = value(d, FBC_MOD_NUM);
    return !(number & MOD_NUM_VALID) || d->fbc.modifications == number >> 1;
}

/* The start of a vertical blank: what was written counts from now on; a pass may begin. */
static void blank(struct display *d, uint64_t now_ns)
{
    if (!display_pipe_on(d, plane_of(d)))
        return;
    take_place(d);
    if (d->fbc.compressing && !enabled(d))
        break_off(d);
    if (d->fbc.compressing || !may_begin(d))
        return;
    const uint32_t interval = interval_of(d);
    if (!(value(d, FBC_CONTROL) & CONTROL_PERIODIC)) {
        if (value(d, FBC_COMMAND) & COMMAND_COMPRESS)
            begin_pass(d, now_ns);
        return;
    }
    if (interval == 0 || ++d->fbc.frames < interval)
        return;
    d->fbc.frames = 0;
    if (modified_enough(d))
        begin_pass(d, now_ns);
}

/* Counts later blanks that are due and only count frames, all at once. Returns the next one. */
static uint64_t pass_blanks(struct display *d, uint64_t blank_ns)
{
    const uint64_t due = d->log->now_ns < blank_ns ? 0 : (d->log->now_ns - blank_ns) / DISPLAY_FRAME_NS;
    const uint32_t interval = interval_of(d), frames = d->fbc.frames;
    uint64_t passed = due;
    if (d->fbc.compressing || (value(d, FBC_COMMAND) & COMMAND_COMPRESS && may_begin(d)))
        passed = 0;
    else if (interval) {
        const uint64_t left = frames + 1u < interval ? interval - frames - 1u : 0;
        if (modified_enough(d) && left < due)
            passed = left;
        d->fbc.frames = (uint32_t)(passed <= left ? frames + passed : (passed - left - 1u) % interval);
    }
    return blank_ns + (passed + 1u) * DISPLAY_FRAME_NS;
}

/* Nothing draws while time goes by: a pass of an advance does what the one before it did, and whole
 * repetitions are left out. */
struct repetition {
    uint64_t begun_ns, period_ns;
};

static uint64_t left_out_ns(const struct display *d, struct repetition *r, uint64_t begun_ns)
{
    const uint64_t period_ns = r->begun_ns ? begun_ns - r->begun_ns : 0;
    const bool repeats = period_ns && period_ns == r->period_ns;
    *r = (struct repetition){begun_ns, period_ns};
    return repeats ? (d->log->now_ns - begun_ns) / period_ns * period_ns : 0;
}

void fbc_advance(struct display *d, uint64_t before_ns)
{
    if (!d->info->compresses)
        return;
    uint64_t blank_ns = (before_ns / DISPLAY_FRAME_NS + 1u) * DISPLAY_FRAME_NS;
    struct repetition repetition = {0};
    for (;;) {
        const bool pair_first = d->fbc.compressing && pair_due_ns(d) <= blank_ns;
        const uint64_t next_ns = pair_first ? pair_due_ns(d) : blank_ns;
        if (next_ns > d->log->now_ns)
            return;
        if (pair_first) {
            const uint64_t cost_ns = d->log->cost.ns;
            compress_pair(d, d->fbc.next_pair);
            d->fbc.pass_ns += d->log->cost.ns - cost_ns; /* it waits for memory that answers late */
            if (++d->fbc.next_pair >= pairs_of(d))
                end_pass(d);
            continue;
        }
        const bool compressed = d->fbc.compressing;
        blank(d, blank_ns);
        if (d->fbc.compressing && !compressed) {
            const uint64_t skip_ns = left_out_ns(d, &repetition, blank_ns);
            blank_ns += skip_ns;
            d->fbc.pass_ns += skip_ns;
        }
        blank_ns = pass_blanks(d, blank_ns);
    }
}

bool fbc_compressing(const struct display *d)
{
    return d->fbc.compressing;
}

/* When a pass that is asked for begins. */
static uint64_t next_pass_ns(const struct display *d)
{
    const uint32_t control = value(d, FBC_CONTROL), interval = control >> 16 & 0x3fffu;
    if (!enabled(d) || !display_pipe_on(d, plane_of(d)))
        return UINT64_MAX;
    if (!(control & CONTROL_PERIODIC))
        return value(d, FBC_COMMAND) & COMMAND_COMPRESS ? display_next_blank_ns(d) : UINT64_MAX;
    const uint32_t frames = interval > d->fbc.frames ? interval - d->fbc.frames - 1u : 0;
    return interval ? display_next_blank_ns(d) + frames * DISPLAY_FRAME_NS : UINT64_MAX;
}

uint64_t fbc_next_event_ns(const struct display *d)
{
    if (!d->info->compresses)
        return UINT64_MAX;
    if (!d->fbc.compressing)
        return next_pass_ns(d);
    const uint64_t end_ns =
                       d->fbc.pass_ns + (uint64_t)pairs_of(d) * 2u * DISPLAY_FRAME_NS / DISPLAY_LINES + 1u,
                   blank_ns = display_next_blank_ns(d);
    return !enabled(d) && display_pipe_on(d, plane_of(d)) && blank_ns < end_ns ? blank_ns : end_ns;
}

/* ---- Registers ---- */

/* Bits 30 and 29 can be written while no pass is under way. */
static void status_written(const struct register_access *w)
{
    const struct display *d = w->owner;
    const uint32_t bits = d->fbc.compressing ? 0 : STATUS_COMPRESSED | STATUS_MODIFIED;
    register_set(w->file, w->offset, (w->old_value & ~bits) | (w->written & bits));
}

static void place_written(const struct register_access *w)
{
    fbc_settle(w->owner);
}

/* Single passes are asked for only in that mode. */
static void command_written(const struct register_access *w)
{
    if (register_value(w->file, FBC_CONTROL) & CONTROL_PERIODIC)
        register_set(w->file, w->offset, w->value & ~(uint32_t)COMMAND_COMPRESS);
}

static const struct field control_fields[] = {
    {"Enable Frame Buffer Compression", 31, 31, FIELD_BOOL, NULL},
    {"Mode Select", 30, 30, FIELD_UINT, NULL},
    {"Interval", 16, 29, FIELD_UINT, NULL},
    {"Stop Compressing on Modification", 15, 15, FIELD_BOOL, NULL},
    {"Uncompressible Enable", 14, 14, FIELD_BOOL, NULL},
    {"Compressed Frame Buffer Stride", 5, 12, FIELD_UINT, NULL},
    {"Fence Number", 0, 3, FIELD_UINT, NULL},
};
static const struct field control2_fields[] = {
    {"Don't Double Buffer Fence and Offset", 4, 4, FIELD_BOOL, NULL},
    {"FBC C3 Mode", 2, 3, FIELD_UINT, NULL},
    {"CPU Fence Enable", 1, 1, FIELD_BOOL, NULL},
    {"Display Plane Select", 0, 0, FIELD_UINT, NULL},
};
static const struct field status_fields[] = {
    {"Compressing", 31, 31, FIELD_BOOL, NULL},
    {"Compressed", 30, 30, FIELD_BOOL, NULL},
    {"Any Modified", 29, 29, FIELD_BOOL, NULL},
    {"Current Line Compressing", 0, 10, FIELD_UINT, NULL},
};
static const struct reg rows[] = {
    {.name = "FBC_CFB_BASE",
     .offset = FBC_CFB_BASE,
     .writable = 0xfffff000,
     .summary = "Physical address of the compressed frame buffer.",
     .spec = "REN-26"},
    {.name = "FBC_LL_BASE",
     .offset = FBC_LL_BASE,
     .writable = 0xfffff000,
     .summary = "Physical address of the buffer of line lengths.",
     .spec = "REN-26"},
    {.name = "FBC_CONTROL",
     .offset = FBC_CONTROL,
     .writable = 0xffffdfef,
     FIELDS(control_fields),
     .after_write = place_written,
     .summary = "Enables and directs compression; counts from the next vertical blank on.",
     .spec = "REN-26"},
    {.name = "FBC_COMMAND",
     .offset = FBC_COMMAND,
     .writable = 0x00000001,
     .after_write = command_written,
     .summary = "Bit 0 asks for a single pass, which clears it.",
     .spec = "REN-26"},
    {.name = "FBC_STATUS",
     .offset = FBC_STATUS,
     .reset = 0x20000000,
     .writable = 0x60000000,
     FIELDS(status_fields),
     .after_write = status_written,
     .summary = "What the compressor does.",
     .spec = "REN-26"},
    {.name = "FBC_CONTROL2",
     .offset = FBC_CONTROL2,
     .writable = 0x0000001f,
     FIELDS(control2_fields),
     .after_write = place_written,
     .summary = "Plane, CPU fence, idle mode, double buffering.",
     .spec = "REN-26"},
    {.name = "FBC_DISPYOFF",
     .offset = FBC_DISPYOFF,
     .writable = 0x00000fff,
     .after_write = place_written,
     .summary = "Lines from the fence's start to the buffer's.",
     .spec = "REN-26"},
    {.name = "FBC_MOD_NUM",
     .offset = FBC_MOD_NUM,
     .writable = 0xffffffff,
     .summary = "Modifications that periodic recompression needs, if bit 0 is set.",
     .spec = "REN-26"},
    {.name = "FBC_TAG",
     .offset = FBC_TAG,
     .count = FBC_TAG_DWORDS,
     .stride = 4,
     .writable = 0xffffffff,
     .summary = "Tags of sixteen pairs of lines: modified, uncompressed, uncompressible, compressed.",
     .spec = "REN-26"},
};

const struct register_block fbc_registers = REGISTER_BLOCK("fbc", rows);
