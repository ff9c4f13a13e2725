/* CSP-07: blits of every kind against a reference that draws pixel by pixel, as the blitter volumes of the
 * manuals tell: random rectangles, clips, pitches, depths, tilings and raster operations, on Gen6, Gen9 and
 * Gen11. */
#include "../streamer.h"
#include "../tiles.h"

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

static bool within(const struct blit *b, uint32_t value, bool alpha)
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
static void draw_pixel(const struct blit *b, uint8_t *memory, bool swizzled, int x, int y)
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

static void draw(const struct blit *b, uint8_t *memory, bool swizzled)
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

static void word(struct words *w, uint32_t value)
{
    w->dw[w->count++] = value;
}

static void address(struct words *w, uint64_t value)
{
    word(w, (uint32_t)value);
    if (w->wide)
        word(w, (uint32_t)(value >> 32));
}

static void pair(struct words *w, int low, int high)
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

static void data(struct words *w, const void *bytes, unsigned size)
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

static void clip_command(struct words *w, const struct blit *b)
{
    word(w, header(0x03, 1));
    pair(w, b->clip[0], b->clip[1]);
    pair(w, b->clip[2], b->clip[3]);
}

static void command(struct words *w, const struct blit *b)
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

static unsigned pick(uint64_t *seed, unsigned below)
{
    return (unsigned)(random_next(seed) % below);
}

static int between(uint64_t *seed, int low, int high)
{
    return low + (int)pick(seed, (unsigned)(high - low + 1));
}

static struct surface random_surface(uint64_t *seed, int64_t at, enum tiling tiling, unsigned bytes)
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

static struct blit random_blit(uint64_t *seed, const struct kind *k, bool y_tiles, uint8_t *scratch)
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

static unsigned copy_engine(const struct streamer *s)
{
    struct softgt_engine_status status;
    for (unsigned e = 0; softgt_engine_status(s->device, e, &status); e++)
        if (strncmp(status.name, "bcs", 3) == 0)
            return e;
    fail();
    return 0;
}

static void compare(struct streamer *s, const uint8_t *expected, const struct blit *b, const char *name,
                    unsigned round)
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

static void fill_area(struct streamer *s, uint8_t *expected, uint64_t *seed)
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

static struct rig open_rig(const char *device, uint64_t seed)
{
    struct rig r = {.s = streamer_create(device), .expected = malloc(AREA_BYTES), .seed = seed};
    assert_non_null(r.expected);
    streamer_start(r.s, copy_engine(r.s));
    fill_area(r.s, r.expected, &r.seed);
    return r;
}

static void close_rig(struct rig *r)
{
    assert_int_equal(streamer_status(r->s).state, SOFTGT_ENGINE_IDLE);
    assert_int_equal(streamer_status(r->s).faults, 0);
    streamer_destroy(r->s);
    free(r->expected);
}

/* Where addresses of surfaces point into `expected`. */
static void move(struct blit *b, int64_t by)
{
    b->to.base += by;
    b->from.base += by;
}

static void put_both(struct rig *r, uint32_t at, const void *bytes, unsigned size)
{
    memcpy(area(r->s) + (at - DATA), bytes, size);
    memcpy(r->expected + (at - DATA), bytes, size);
}

static void tile_register(struct rig *r, const struct blit *b)
{
    const uint32_t from_y = b->from.tiling == TILE_Y ? 1 : 0, to_y = b->to.tiling == TILE_Y ? 2 : 0;
    register_put(r->s, r->s->base + SWCTRL_AT, 0x30000u | from_y | to_y);
}

static void one_blit(struct rig *r, const struct kind *k, unsigned round)
{
    static uint8_t scratch[0x1000];
    struct blit b = random_blit(&r->seed, k, true, scratch);
    put_both(r, PATTERN_AT, b.pattern, 64 * 4);
    put_both(r, MONO_AT, b.mono, 0x1000 - 0x100);
    struct words w = {.wide = !r->s->gen6};
    tile_register(r, &b);
    if (b.clipped)
        clip_command(&w, &b);
    command(&w, &b);
    batch_run(r->s, w.dw, w.count, true);
    move(&b, -DATA);
    draw(&b, r->expected, r->swizzled);
    compare(r->s, r->expected, &b, k->name, round);
}

static void every_kind(const char *device, bool swizzled)
{
    struct rig r = open_rig(device, 7);
    if (swizzled) {
        register_put(r.s, 0x101000, 1);        /* TILECTL: SWZCTL */
        register_put(r.s, 0x4030, 0x00100010); /* ARB_MODE: address swizzling for tiled surfaces */
        r.swizzled = true;
    }
    for (unsigned round = 0; round < 120; round++)
        for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            one_blit(&r, &kinds[i], round);
    close_rig(&r);
}

static void every_kind_gen6(void **state)
{
    (void)state;
    every_kind("snb", false);
}

static void every_kind_gen6_swizzled(void **state)
{
    (void)state;
    every_kind("snb", true);
}

static void every_kind_gen9(void **state)
{
    (void)state;
    every_kind("skl", false);
}

static void every_kind_gen11(void **state)
{
    (void)state;
    every_kind("icl", false);
}

/* All 256 raster operations, on random operands of each depth. */
static void every_raster_operation(void **state)
{
    (void)state;
    struct rig r = open_rig("skl", 77);
    static uint8_t scratch[0x1000];
    for (unsigned rop = 0; rop < 256; rop++)
        for (unsigned depth = 0; depth < 4; depth++) {
            struct blit b;
            do
                b = random_blit(&r.seed, &kinds[5], true, scratch);
            while (b.depth != depth);
            b.rop = rop;
            put_both(&r, PATTERN_AT, b.pattern, 64 * 4);
            struct words w = {.wide = true};
            tile_register(&r, &b);
            if (b.clipped)
                clip_command(&w, &b);
            command(&w, &b);
            batch_run(r.s, w.dw, w.count, true);
            move(&b, -DATA);
            draw(&b, r.expected, false);
            compare(r.s, r.expected, &b, "raster operation", rop);
        }
    close_rig(&r);
}

/* XY_SETUP_BLT and the blits that use it. */
static void what_a_setup_leaves(void **state)
{
    (void)state;
    static const struct kind text = {"XY_TEXT_BLT", 0x26, MONO, NONE, false, false};
    static const struct kind pixel_kind = {"XY_PIXEL_BLT", 0x24, NONE, SOLID, false, false};
    static const struct kind lines_color = {"XY_SCANLINES_BLT", 0x25, NONE, COLOR, false, false};
    static const struct kind lines_mono = {"XY_SCANLINES_BLT", 0x25, NONE, MONO, false, false};
    static const struct kind *const users[] = {&text, &pixel_kind, &lines_color, &lines_mono};
    static uint8_t scratch[0x1000];
    const char *const devices[] = {"snb", "skl", "icl"};
    for (unsigned d = 0; d < 3; d++) {
        struct rig r = open_rig(devices[d], 70 + d);
        for (unsigned round = 0; round < 800; round++) {
            const struct kind *k = users[round % 4];
            struct blit b = random_blit(&r.seed, k, true, scratch);
            const bool immediate = k == &text && pick(&r.seed, 2), packed = pick(&r.seed, 2);
            b.bit = 0;
            put_both(&r, PATTERN_AT, b.pattern, 64 * 4);
            put_both(&r, MONO_AT, b.mono, 0x1000 - 0x100);
            struct words w = {.wide = !r.s->gen6};
            tile_register(&r, &b);
            const unsigned setup = w.count;
            word(&w,
                 header(k == &lines_mono ? 0x11 : 0x01, b.byte_mask << 20 | (b.to.tiling ? 1u << 11 : 0)));
            word(&w, br13(&b));
            pair(&w, b.clip[0], b.clip[1]);
            pair(&w, b.clip[2], b.clip[3]);
            address(&w, (uint64_t)b.to.base);
            const uint32_t *colors = k->source == MONO ? b.colors : b.pattern_colors;
            word(&w, colors[0]);
            word(&w, colors[1]);
            if (k == &lines_mono)
                data(&w, b.bits, 8);
            else
                address(&w, PATTERN_AT);
            w.dw[setup] |= w.count - setup - 2;
            const unsigned start = w.count;
            uint32_t bits = b.to.tiling ? 1u << 11 : 0;
            if (k->pattern > SOLID)
                bits |= pattern_fields(&b);
            else
                b.seed_x = b.seed_y = 0;
            if (k == &text) {
                if (immediate && b.x2 - b.x1 > 40)
                    b.x2 = b.x1 + 40;
                if (immediate && b.y2 - b.y1 > 40)
                    b.y2 = b.y1 + 40;
                bits |= (uint32_t)packed << 16;
                const unsigned width = (unsigned)(b.x2 - b.x1);
                b.mono_row_bits = packed ? (width + 7) / 8 * 8 : width;
                if (immediate)
                    b.mono_bytes = (b.mono_row_bits * (unsigned)(b.y2 - b.y1) + 63) / 64 * 8;
                /* The operation must not ask for a pattern. */
                b.rop = (b.rop & 0x0f) * 0x11;
                w.dw[setup + 1] = br13(&b);
            }
            if (k == &pixel_kind) {
                b.x2 = b.x1 + 1;
                b.y2 = b.y1 + 1;
            }
            word(&w, header(k == &text && immediate ? 0x31 : k->opcode, bits));
            pair(&w, b.x1, b.y1);
            if (k != &pixel_kind)
                pair(&w, b.x2, b.y2);
            if (immediate)
                data(&w, b.mono, b.mono_bytes);
            else if (k == &text)
                address(&w, MONO_AT);
            w.dw[start] |= w.count - start - 2;
            batch_run(r.s, w.dw, w.count, true);
            move(&b, -DATA);
            draw(&b, r.expected, false);
            compare(r.s, r.expected, &b, k->name, round);
        }
        close_rig(&r);
    }
}

/* COLOR_BLT and SRC_COPY_BLT: sizes in bytes, both directions, overlapping. */
static void linear_blits(void **state)
{
    (void)state;
    static const struct kind color = {"COLOR_BLT", 0x40, NONE, SOLID, false, false};
    static const struct kind copy = {"SRC_COPY_BLT", 0x43, COLOR, NONE, false, false};
    static uint8_t scratch[0x1000];
    const char *const devices[] = {"snb", "skl", "icl"};
    for (unsigned d = 0; d < 3; d++) {
        struct rig r = open_rig(devices[d], 700 + d);
        for (unsigned round = 0; round < 600; round++) {
            const struct kind *k = round % 2 ? &copy : &color;
            struct blit b = random_blit(&r.seed, k, false, scratch);
            b.clipped = false;
            b.backwards_x = k == &copy && pick(&r.seed, 2);
            b.backwards_y = false;
            b.to = random_surface(&r.seed, SURFACES, LINEAR, b.bytes);
            b.from = random_surface(&r.seed, pick(&r.seed, 2) ? FROM_AT : SURFACES, LINEAR, b.bytes);
            if (pick(&r.seed, 2)) { /* a pixel or two apart */
                b.from = b.to;
                b.from.base += between(&r.seed, -3, 3) * (int)b.bytes;
            }
            b.x2 -= b.x1;
            b.y2 -= b.y1;
            b.x1 = b.y1 = b.from_x = b.from_y = 0;
            struct words w = {.wide = !r.s->gen6};
            const int last = b.backwards_x ? b.x2 * (int)b.bytes - 1 : 0;
            word(&w, header(k->opcode, b.byte_mask << 20));
            word(&w, br13(&b) | (uint32_t)b.backwards_x << 30);
            pair(&w, b.x2 * (int)b.bytes, b.y2);
            address(&w, (uint64_t)(b.to.base + last));
            if (k == &copy) {
                word(&w, (uint32_t)b.from.pitch & 0xffffu);
                address(&w, (uint64_t)(b.from.base + last));
            } else {
                word(&w, b.pattern_colors[0]);
            }
            w.dw[0] |= w.count - 2;
            batch_run(r.s, w.dw, w.count, true);
            move(&b, -DATA);
            draw(&b, r.expected, false);
            compare(r.s, r.expected, &b, k->name, round);
        }
        close_rig(&r);
    }
}

/* Copies that are larger than caches, in all tilings. Rows of the source overlap, so that it needs little
 * room. */
static void large_copies(void **state)
{
    (void)state;
    enum { FROM = 0x6c0000, FROM_PITCH = 512, TO_PITCH = 4608, HEIGHT = 1000 };
    static const struct kind copy = {"XY_SRC_COPY_BLT", 0x53, COLOR, NONE, false, false};
    struct streamer *s = streamer_create("snb");
    uint8_t *expected = malloc(MEMORY_BYTES);
    assert_non_null(expected);
    streamer_start(s, copy_engine(s));
    uint64_t seed = 90;
    for (unsigned at = FROM; at < MEMORY_BYTES; at += 8) {
        const uint64_t value = random_next(&seed);
        memcpy(s->memory + at, &value, 8);
    }
    for (enum tiling to = LINEAR; to <= TILE_Y; to++)
        for (enum tiling from = LINEAR; from <= TILE_Y; from++)
            for (unsigned round = 0; round < 3; round++) {
                const int odd = round ? 1 : 0;
                struct blit b = {.kind = &copy, .depth = 3, .bytes = 4, .rop = 0xcc, .byte_mask = 3};
                b.to = (struct surface){DATA + 64 * (to == LINEAR && round == 2), TO_PITCH, to};
                b.from = (struct surface){FROM, FROM_PITCH, from};
                b.x1 = odd * between(&seed, 0, 9);
                b.y1 = odd * between(&seed, 0, 9);
                b.x2 = 1152 - odd * between(&seed, 0, 9);
                b.y2 = HEIGHT - odd * between(&seed, 0, 9);
                b.from_x = odd * between(&seed, 0, 9);
                b.from_y = odd * between(&seed, 0, 9);
                struct words w = {0};
                tile_register(&(struct rig){.s = s}, &b);
                command(&w, &b);
                memcpy(expected, s->memory, MEMORY_BYTES);
                draw(&b, expected, false);
                batch_run(s, w.dw, w.count, true);
                for (unsigned at = DATA; at < MEMORY_BYTES; at++)
                    if (s->memory[at] != expected[at])
                        fail_msg("tiling %d from %d, round %u: byte %#x is %02x, not %02x", to, from, round,
                                 at, s->memory[at], expected[at]);
            }
    assert_int_equal(streamer_status(s).faults, 0);
    streamer_destroy(s);
    free(expected);
}

/* XY_FAST_COPY_BLT: all tilings to all, 8 to 128 bits a pixel. */
static void fast_copies(const char *device)
{
    static const struct kind fast = {"XY_FAST_COPY_BLT", 0x42, COLOR, NONE, false, false};
    static const unsigned depths[] = {0, 1, 3, 4, 5};
    struct rig r = open_rig(device, 42);
    for (unsigned round = 0; round < 1500; round++) {
        struct blit b = {.kind = &fast, .rop = 0xcc};
        const unsigned size = pick(&r.seed, 5);
        b.bytes = 1u << size;
        b.to = random_surface(&r.seed, SURFACES, (enum tiling)pick(&r.seed, 5), 1);
        b.from = random_surface(&r.seed, FROM_AT, (enum tiling)pick(&r.seed, 5), 1);
        if (b.to.tiling == LINEAR)
            b.to.pitch = 2048;
        if (b.from.tiling == LINEAR)
            b.from.pitch = 2048;
        b.to.base = b.to.base / 64 * 64;
        b.from.base = b.from.base / 64 * 64;
        if (b.to.tiling > TILE_Y)
            b.to.pitch = 2048;
        if (b.from.tiling > TILE_Y)
            b.from.pitch = 2048;
        b.x1 = between(&r.seed, 0, 40);
        b.y1 = between(&r.seed, 0, 60);
        b.x2 = b.x1 + between(&r.seed, 0, 60);
        b.y2 = b.y1 + between(&r.seed, 0, 70);
        b.from_x = between(&r.seed, 0, 20);
        b.from_y = between(&r.seed, 0, 60);
        static const uint32_t method[] = {0, 1, 2, 2, 3};
        struct words w = {.wide = true};
        word(&w, header(0x42, method[b.from.tiling] << 20 | method[b.to.tiling] << 13 | 8));
        word(&w, ((uint32_t)(b.to.tiling ? b.to.pitch / 4 : b.to.pitch) & 0xffffu) | depths[size] << 24 |
                     (b.to.tiling == TILE_YF ? 1u << 30 : 0) | (b.from.tiling == TILE_YF ? 1u << 31 : 0));
        pair(&w, b.x1, b.y1);
        pair(&w, b.x2, b.y2);
        address(&w, (uint64_t)b.to.base);
        pair(&w, b.from_x, b.from_y);
        word(&w, (uint32_t)(b.from.tiling ? b.from.pitch / 4 : b.from.pitch) & 0xffffu);
        address(&w, (uint64_t)b.from.base);
        batch_run(r.s, w.dw, w.count, true);
        move(&b, -DATA);
        for (int y = b.y1; y < b.y2; y++)
            for (int x = b.x1; x < b.x2; x++)
                memcpy(r.expected + place(&b.to, b.bytes, x * (int)b.bytes, y, false),
                       r.expected + place(&b.from, b.bytes, (x - b.x1 + b.from_x) * (int)b.bytes,
                                          y - b.y1 + b.from_y, false),
                       b.bytes);
        compare(r.s, r.expected, &b, "XY_FAST_COPY_BLT", round);
    }
    close_rig(&r);
}

static void fast_copies_gen9(void **state)
{
    (void)state;
    fast_copies("skl");
}

static void fast_copies_gen11(void **state)
{
    (void)state;
    fast_copies("icl");
}

/* Blits that reach past everything: what hardware does is a page fault, told, in bounded time. */
static void hostile_blits(void **state)
{
    (void)state;
    const char *const devices[] = {"snb", "skl", "icl"};
    static uint8_t scratch[0x1000];
    for (unsigned d = 0; d < 3; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const unsigned engine = copy_engine(s);
        uint64_t seed = 7000 + d;
        for (unsigned round = 0; round < 400; round++) {
            const struct kind *k = &kinds[round % (sizeof kinds / sizeof kinds[0])];
            streamer_start(s, engine);
            struct blit b = random_blit(&seed, k, true, scratch);
            static const int edges[] = {-32768, -1, 0, 1, 32767};
            b.x1 = edges[pick(&seed, 5)];
            b.y1 = edges[pick(&seed, 5)];
            b.x2 = edges[pick(&seed, 5)];
            b.y2 = edges[pick(&seed, 5)];
            b.from_x = edges[pick(&seed, 5)];
            b.from_y = edges[pick(&seed, 5)];
            b.to.pitch = edges[pick(&seed, 5)];
            b.from.pitch = edges[pick(&seed, 5)];
            b.to.base = (int64_t)random_value(&seed);
            if (pick(&seed, 2))
                b.to.base = SURFACES;
            b.from.base = pick(&seed, 2) ? FROM_AT : (int64_t)random_value(&seed);
            struct words w = {.wide = !s->gen6};
            register_put(s, s->base + SWCTRL_AT, 0x30000u | pick(&seed, 4));
            command(&w, &b);
            w.count -= pick(&seed, 4) == 0 && w.count > 6 ? pick(&seed, 6) : 0;
            batch_run(s, w.dw, w.count, true);
            for (unsigned i = 0; i < 8; i++)
                softgt_run(s->device, 1u << 20);
        }
        streamer_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_gen6),        cmocka_unit_test(every_kind_gen6_swizzled),
        cmocka_unit_test(every_kind_gen9),        cmocka_unit_test(every_kind_gen11),
        cmocka_unit_test(every_raster_operation), cmocka_unit_test(what_a_setup_leaves),
        cmocka_unit_test(linear_blits),           cmocka_unit_test(fast_copies_gen9),
        cmocka_unit_test(fast_copies_gen11),      cmocka_unit_test(large_copies),
        cmocka_unit_test(hostile_blits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
