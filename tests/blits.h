/* Blits, and a reference that draws them pixel by pixel, as the blitter volumes of the manuals tell: random
 * rectangles, clips, pitches, depths, tilings and raster operations. */
#ifndef TESTS_BLITS_H
#define TESTS_BLITS_H

#include "streamer.h"
#include "tiles.h"

enum {
    SURFACES = DATA, /* destination, then source, then patterns and bits */
    FROM_AT = DATA + 0x100000,
    PATTERN_AT = DATA + 0x1c0000,
    MONO_AT = DATA + 0x1d0000,
    AREA_BYTES = 0x200000,
    SWCTRL_AT = 0x200,
};

enum operand { NONE, SOLID, MONO, COLOR, IMMEDIATE, FIXED };

struct kind {
    const char *name;
    unsigned opcode;
    enum operand source, pattern;
    bool immediate_source, chroma;
};

static const struct kind kinds[] = {
    {"XY_COLOR_BLT", 0x50, NONE, SOLID, false, false},
    {"XY_PAT_BLT", 0x51, NONE, COLOR, false, false},
    {"XY_MONO_PAT_BLT", 0x52, NONE, MONO, false, false},
    {"XY_SRC_COPY_BLT", 0x53, COLOR, NONE, false, false},
    {"XY_MONO_SRC_COPY_BLT", 0x54, MONO, NONE, false, false},
    {"XY_FULL_BLT", 0x55, COLOR, COLOR, false, false},
    {"XY_FULL_MONO_SRC_BLT", 0x56, MONO, COLOR, false, false},
    {"XY_FULL_MONO_PATTERN_BLT", 0x57, COLOR, MONO, false, false},
    {"XY_FULL_MONO_PATTERN_MONO_SRC_BLT", 0x58, MONO, MONO, false, false},
    {"XY_MONO_PAT_FIXED_BLT", 0x59, NONE, FIXED, false, false},
    {"XY_MONO_SRC_COPY_IMMEDIATE_BLT", 0x71, MONO, NONE, true, false},
    {"XY_PAT_BLT_IMMEDIATE", 0x72, NONE, IMMEDIATE, false, false},
    {"XY_SRC_COPY_CHROMA_BLT", 0x73, COLOR, NONE, false, true},
    {"XY_FULL_IMMEDIATE_PATTERN_BLT", 0x74, COLOR, IMMEDIATE, false, false},
    {"XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT", 0x75, MONO, IMMEDIATE, false, false},
    {"XY_PAT_CHROMA_BLT", 0x76, NONE, COLOR, false, true},
    {"XY_PAT_CHROMA_BLT_IMMEDIATE", 0x77, NONE, IMMEDIATE, false, true},
};

struct blit {
    const struct kind *kind;
    unsigned depth, bytes, rop, byte_mask;
    struct surface to, from;
    int x1, y1, x2, y2, from_x, from_y;
    bool clipped, source_clear, pattern_clear, solid;
    int clip[4];
    unsigned seed_x, seed_y, fixed, bit, range;
    uint32_t colors[2], pattern_colors[2], low, high; /* background, foreground */
    uint8_t bits[8];
    uint8_t *pattern; /* 8 rows of 8 pixels */
    const uint8_t *mono;
    unsigned mono_bytes;
    unsigned mono_row_bits;
    bool backwards_x, backwards_y;
};

/* ---- The reference ---- */

static uint64_t get_pixel(const uint8_t *memory, int64_t at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, memory + at, bytes < 8 ? bytes : 8);
    return value;
}

static inline bool within(const struct blit *b, uint32_t value, bool alpha)
{
    static const struct {
        unsigned first, width;
        bool alpha;
    } parts[4][4] = {{{0, 8, false}},
                     {{11, 5, false}, {5, 6, false}, {0, 5, false}},
                     {{15, 1, true}, {10, 5, false}, {5, 5, false}, {0, 5, false}},
                     {{24, 8, true}, {16, 8, false}, {8, 8, false}, {0, 8, false}}};
    for (unsigned i = 0; i < 4 && parts[b->depth][i].width; i++) {
        if (parts[b->depth][i].alpha && !alpha)
            continue;
        const unsigned first = parts[b->depth][i].first;
        const uint32_t ones = (1u << parts[b->depth][i].width) - 1u, v = value >> first & ones;
        if (v < (b->low >> first & ones) || v > (b->high >> first & ones))
            return false;
    }
    return true;
}

static uint32_t operate(unsigned rop, uint32_t p, uint32_t s, uint32_t d, unsigned bits)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < bits; i++) {
        const unsigned index = (p >> i & 1u) * 4u + (s >> i & 1u) * 2u + (d >> i & 1u);
        result |= (rop >> index & 1u) << i;
    }
    return result;
}

static const uint8_t hatches[12][8] = {
    {0, 0, 0, 0xff, 0, 0, 0, 0},
    {8, 8, 8, 8, 8, 8, 8, 8},
    {0x80, 0x40, 0x20, 0x10, 8, 4, 2, 1},
    {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80},
    {8, 8, 8, 0xff, 8, 8, 8, 8},
    {0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81},
    {0},
    {0},
    {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa},
    {0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33, 0xcc, 0x33},
    {0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11},
    {0x77, 0xbb, 0xdd, 0xee, 0x77, 0xbb, 0xdd, 0xee},
};

/* One pixel; `memory` is as graphics addresses see it. */
static inline void draw_pixel(const struct blit *b, uint8_t *memory, bool swizzled, int x, int y)
{
    const unsigned bytes = b->bytes;
    const int column = (int)((unsigned)(x + (int)b->seed_x) % 8u),
              row = (int)((unsigned)(y + (int)b->seed_y) % 8u);
    const int64_t at = place(&b->to, bytes, x * (int)bytes, y, swizzled);
    const uint32_t d = (uint32_t)get_pixel(memory, at, bytes);
    uint32_t s = 0, p = 0;
    bool write = true;
    if (b->kind->source == COLOR) {
        const int sx = x - b->x1 + b->from_x, sy = y - b->y1 + b->from_y;
        s = (uint32_t)get_pixel(memory, place(&b->from, bytes, sx * (int)bytes, sy, swizzled), bytes);
    } else if (b->kind->source == MONO) {
        const unsigned bit = (unsigned)(y - b->y1) * b->mono_row_bits + b->bit + (unsigned)(x - b->x1);
        const bool set = bit / 8 < b->mono_bytes && (b->mono[bit / 8] << bit % 8 & 0x80);
        s = b->colors[set];
        write = write && (set || !b->source_clear);
    }
    if (b->kind->pattern == SOLID || (b->kind->pattern == MONO && b->solid)) {
        p = b->pattern_colors[0];
        write = write && !(b->kind->pattern == MONO && b->pattern_clear);
    } else if (b->kind->pattern == MONO || b->kind->pattern == FIXED) {
        const uint8_t *rows = b->kind->pattern == MONO ? b->bits : hatches[b->fixed];
        const bool set = rows[row] << column & 0x80;
        p = b->pattern_colors[set];
        write = write && (set || !b->pattern_clear);
    } else if (b->kind->pattern != NONE) {
        p = (uint32_t)get_pixel(b->pattern, (row * 8 + column) * (int)bytes, bytes);
    }
    if (b->kind->chroma && (b->range == 1 || b->range == 2) && b->kind->source == COLOR)
        write = write && !within(b, s, b->range == 2);
    if (b->kind->chroma && (b->range == 3 || b->range == 4))
        write = write && within(b, d, b->range == 4);
    if (!write)
        return;
    uint32_t result = operate(b->rop, p, s, d, bytes * 8);
    if (bytes == 4 && !(b->byte_mask & 1))
        result = (result & 0xff000000u) | (d & 0xffffffu);
    if (bytes == 4 && !(b->byte_mask & 2))
        result = (result & 0xffffffu) | (d & 0xff000000u);
    memcpy(memory + at, &result, bytes);
}

static inline void draw(const struct blit *b, uint8_t *memory, bool swizzled)
{
    for (int i = 0; i < b->y2 - b->y1; i++)
        for (int j = 0; j < b->x2 - b->x1; j++) {
            const int x = b->backwards_x ? b->x2 - 1 - j : b->x1 + j,
                      y = b->backwards_y ? b->y2 - 1 - i : b->y1 + i;
            if (b->clipped && (x < b->clip[0] || y < b->clip[1] || x >= b->clip[2] || y >= b->clip[3]))
                continue;
            draw_pixel(b, memory, swizzled, x, y);
        }
}

/* ---- Commands ---- */

struct words {
    uint32_t dw[512];
    unsigned count;
    bool wide;
};

static inline void word(struct words *w, uint32_t value)
{
    w->dw[w->count++] = value;
}

static inline void address(struct words *w, uint64_t value)
{
    word(w, (uint32_t)value);
    if (w->wide)
        word(w, (uint32_t)(value >> 32));
}

static inline void pair(struct words *w, int low, int high)
{
    word(w, ((uint32_t)low & 0xffffu) | (uint32_t)high << 16);
}

static uint32_t header(unsigned opcode, uint32_t bits)
{
    return 2u << 29 | opcode << 22 | bits;
}

static uint32_t br13(const struct blit *b)
{
    const int pitch = b->to.tiling ? b->to.pitch / 4 : b->to.pitch;
    return ((uint32_t)pitch & 0xffffu) | b->rop << 16 | b->depth << 24 | (uint32_t)b->pattern_clear << 28 |
           (uint32_t)b->source_clear << 29 | (uint32_t)b->clipped << 30 | (uint32_t)b->solid << 31;
}

static inline void data(struct words *w, const void *bytes, unsigned size)
{
    for (unsigned at = 0; at < size; at += 4) {
        uint32_t value = 0;
        memcpy(&value, (const uint8_t *)bytes + at, size - at < 4 ? size - at : 4);
        word(w, value);
    }
}

static uint32_t pattern_fields(const struct blit *b)
{
    return b->seed_x << 12 | b->seed_y << 8;
}

static inline void clip_command(struct words *w, const struct blit *b)
{
    word(w, header(0x03, 1));
    pair(w, b->clip[0], b->clip[1]);
    pair(w, b->clip[2], b->clip[3]);
}

static inline void command(struct words *w, const struct blit *b)
{
    const struct kind *k = b->kind;
    const unsigned start = w->count;
    uint32_t bits = b->byte_mask << 20 | (b->to.tiling ? 1u << 11 : 0);
    if (k->source == COLOR)
        bits |= b->from.tiling ? 1u << 15 : 0;
    if (k->source == MONO)
        bits |= b->bit << 17;
    if (k->chroma)
        bits |= b->range << 17;
    if (k->pattern == FIXED)
        bits |= b->fixed << 15;
    if (k->pattern > SOLID)
        bits |= pattern_fields(b);
    word(w, header(k->opcode, bits));
    word(w, br13(b));
    pair(w, b->x1, b->y1);
    pair(w, b->x2, b->y2);
    address(w, (uint64_t)b->to.base);
    if (k->pattern == SOLID)
        word(w, b->pattern_colors[0]);
    if (k->source == COLOR) {
        pair(w, b->from_x, b->from_y);
        word(w, (uint32_t)(b->from.tiling ? b->from.pitch / 4 : b->from.pitch) & 0xffffu);
        address(w, (uint64_t)b->from.base);
    } else if (k->source == MONO) {
        if (!k->immediate_source)
            address(w, MONO_AT);
        word(w, b->colors[0]);
        word(w, b->colors[1]);
    }
    if (k->pattern == MONO || k->pattern == FIXED) {
        word(w, b->pattern_colors[0]);
        word(w, b->pattern_colors[1]);
    }
    if (k->pattern == MONO)
        data(w, b->bits, 8);
    if (k->pattern == COLOR)
        address(w, PATTERN_AT);
    if (k->chroma) {
        word(w, b->low);
        word(w, b->high);
    }
    if (k->pattern == IMMEDIATE)
        data(w, b->pattern, 64 * b->bytes);
    if (k->immediate_source)
        data(w, b->mono, b->mono_bytes);
    w->dw[start] |= w->count - start - 2;
}

/* ---- Random blits ---- */

static inline unsigned pick(uint64_t *seed, unsigned below)
{
    return (unsigned)(random_next(seed) % below);
}

static inline int between(uint64_t *seed, int low, int high)
{
    return low + (int)pick(seed, (unsigned)(high - low + 1));
}

static inline struct surface random_surface(uint64_t *seed, int64_t at, enum tiling tiling, unsigned bytes)
{
    struct surface s = {.tiling = tiling};
    if (tiling == LINEAR) {
        s.pitch = (int)bytes * 200 + (pick(seed, 2) ? between(seed, 0, 40) * 4 : 0);
        s.base = at + 0x10000 + between(seed, 0, 64) * (int)bytes;
        if (pick(seed, 4) == 0) { /* upside down */
            s.base += s.pitch * 160;
            s.pitch = -s.pitch;
        }
    } else {
        s.pitch = 512 * between(seed, 4, 8);
        s.base = at + 0x40000; /* rows before it are there */
    }
    return s;
}

static inline struct blit random_blit(uint64_t *seed, const struct kind *k, bool y_tiles, uint8_t *scratch)
{
    static const unsigned sizes[] = {1, 2, 2, 4};
    static const unsigned rops[] = {0xcc, 0xf0, 0x5a, 0x66, 0x00, 0xff, 0x55, 0xaa, 0xb8, 0xe2, 0x88, 0xee};
    struct blit b = {.kind = k};
    b.depth = pick(seed, 4);
    b.bytes = sizes[b.depth];
    b.rop = pick(seed, 2) ? rops[pick(seed, sizeof rops / sizeof rops[0])] : pick(seed, 256);
    b.byte_mask = pick(seed, 3) ? 3 : pick(seed, 4);
    const unsigned tilings = y_tiles ? 3 : 2;
    b.to = random_surface(seed, SURFACES, (enum tiling)pick(seed, tilings), b.bytes);
    b.from = random_surface(seed, FROM_AT, (enum tiling)pick(seed, tilings), b.bytes);
    if (k->source == COLOR && pick(seed, 3) == 0)
        b.from = b.to;
    const int widths[] = {1, 8, 17, 64, 150};
    b.x1 = between(seed, -10, 30);
    b.y1 = between(seed, -10, 30);
    b.x2 = b.x1 + between(seed, 0, widths[pick(seed, 5)]);
    b.y2 = b.y1 + between(seed, 0, pick(seed, 3) ? 12 : 90);
    b.from_x = between(seed, -10, 30);
    b.from_y = between(seed, -10, 30);
    if (b.from.base == b.to.base) {
        b.backwards_x = b.from_x < b.x1;
        b.backwards_y = b.from_y < b.y1;
    }
    b.clipped = pick(seed, 2);
    b.clip[0] = between(seed, -20, 40);
    b.clip[1] = between(seed, -20, 40);
    b.clip[2] = between(seed, 0, 120);
    b.clip[3] = between(seed, 0, 120);
    b.seed_x = pick(seed, 8);
    b.seed_y = pick(seed, 8);
    b.fixed = pick(seed, sizeof hatches / sizeof hatches[0]);
    b.bit = k->source == MONO ? pick(seed, 8) : 0;
    b.range = pick(seed, 5);
    b.source_clear = k->source == MONO && pick(seed, 2);
    b.pattern_clear = (k->pattern == MONO || k->pattern == FIXED) && pick(seed, 2);
    b.solid = k->pattern == MONO && pick(seed, 4) == 0;
    for (unsigned i = 0; i < 2; i++) {
        b.colors[i] = (uint32_t)random_next(seed);
        b.pattern_colors[i] = (uint32_t)random_next(seed);
    }
    b.low = (uint32_t)random_next(seed) & 0x7f3f7f7f;
    b.high = (uint32_t)random_next(seed) | 0x80c08080;
    if (k->pattern == IMMEDIATE && b.bytes == 4 && pick(seed, 2) == 0)
        b.bytes = sizes[b.depth = 0];
    for (unsigned i = 0; i < 8; i++)
        b.bits[i] = (uint8_t)random_next(seed);
    for (unsigned i = 0; i < 0x1000; i++)
        scratch[i] = (uint8_t)random_next(seed);
    b.pattern = scratch;
    b.mono = scratch + 0x100;
    b.mono_row_bits = (b.bit + (unsigned)(b.x2 - b.x1) + 15) / 16 * 16;
    b.mono_bytes = 0x1000 - 0x100;
    if (k->immediate_source) {
        if (b.x2 - b.x1 > 64)
            b.x2 = b.x1 + 64;
        if (b.y2 - b.y1 > 60)
            b.y2 = b.y1 + 60;
        b.mono_row_bits = (b.bit + (unsigned)(b.x2 - b.x1) + 15) / 16 * 16;
        b.mono_bytes = (b.mono_row_bits / 8 * (unsigned)(b.y2 - b.y1) + 7) / 8 * 8;
    }
    return b;
}

/* Memory as the blitter's addresses see it. */
static uint8_t *area(struct streamer *s)
{
    return s->memory + (s->gen6 ? DATA : USER_DATA);
}

static inline unsigned copy_engine(const struct streamer *s)
{
    struct softgt_engine_status status;
    for (unsigned e = 0; softgt_engine_get_status(s->device, e, &status); e++)
        if (strncmp(status.name, "bcs", 3) == 0)
            return e;
    fail();
    return 0;
}

static inline void compare(struct streamer *s, const uint8_t *expected, const struct blit *b,
                           const char *name, unsigned round)
{
    if (memcmp(area(s), expected, AREA_BYTES) == 0)
        return;
    unsigned at = 0;
    while (area(s)[at] == expected[at])
        at++;
    fail_msg("%s, round %u: byte %#x is %02x, not %02x; rop %02x, depth %u, %d,%d-%d,%d of %#llx pitch %d "
             "tiling %d, source "
             "%d,%d of %#llx pitch %d tiling %d",
             name, round, at, area(s)[at], expected[at], b->rop, b->depth, b->x1, b->y1, b->x2, b->y2,
             (unsigned long long)b->to.base, b->to.pitch, b->to.tiling, b->from_x, b->from_y,
             (unsigned long long)b->from.base, b->from.pitch, b->from.tiling);
}

static inline void fill_area(struct streamer *s, uint8_t *expected, uint64_t *seed)
{
    for (unsigned at = 0; at < AREA_BYTES; at += 8) {
        const uint64_t value = random_next(seed);
        memcpy(expected + at, &value, 8);
    }
    memcpy(area(s), expected, AREA_BYTES);
}

struct rig {
    struct streamer *s;
    uint8_t *expected;
    uint64_t seed;
    bool swizzled;
};

static inline struct rig open_rig(const char *device, uint64_t seed)
{
    struct rig r = {.s = streamer_create(device), .expected = malloc(AREA_BYTES), .seed = seed};
    assert_non_null(r.expected);
    streamer_start(r.s, copy_engine(r.s));
    fill_area(r.s, r.expected, &r.seed);
    return r;
}

static inline void close_rig(struct rig *r)
{
    assert_int_equal(streamer_status(r->s).state, SOFTGT_ENGINE_IDLE);
    assert_int_equal(streamer_status(r->s).faults, 0);
    streamer_destroy(r->s);
    free(r->expected);
}

/* Where addresses of surfaces point into `expected`. */
static inline void move(struct blit *b, int64_t by)
{
    b->to.base += by;
    b->from.base += by;
}

static inline void put_both(struct rig *r, uint32_t at, const void *bytes, unsigned size)
{
    memcpy(area(r->s) + (at - DATA), bytes, size);
    memcpy(r->expected + (at - DATA), bytes, size);
}

static inline void tile_register(struct rig *r, const struct blit *b)
{
    const uint32_t from_y = b->from.tiling == TILE_Y ? 1 : 0, to_y = b->to.tiling == TILE_Y ? 2 : 0;
    register_put(r->s, r->s->base + SWCTRL_AT, 0x30000u | from_y | to_y);
}

#endif
