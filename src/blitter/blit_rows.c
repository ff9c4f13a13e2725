/*
 * Draws blits row by row through buffers. A row is read before it is written, in pieces short enough that
 * overlapping surfaces give the result of a blit pixel by pixel.
 */
#include "blitter/blit.h"
#include "base/inline.h"

#include <stdlib.h>

enum { CHUNK_BYTES = 2048, PATTERN_PIXELS = 8 };

static void store_span(struct engine *e, const struct surface *s, int32_t x, int32_t y, const uint8_t *from,
                       uint32_t size)
{
    const bool traced = tracing(e->log, SOFTGT_TRACE_MEMORY);
    uint8_t *whole =
        s->tiles || traced ? NULL : mmu_cached(&e->mmu, s->space, surface_address(s, x, y), size, true);
    if (__builtin_expect(whole != NULL, 1)) {
        e->totals.memory.stores++;
        engine_count_stored(e, s->space, surface_address(s, x, y), size);
        short_copy(whole, from, size);
        return;
    }
    for (uint32_t at = 0, n; at < size; at += n) {
        const uint64_t address = surface_address(s, x + (int32_t)at, y);
        n = surface_run(s, x + (int32_t)at, address, size - at);
        uint8_t *host = mmu_cached(&e->mmu, s->space, address, n, true);
        if (__builtin_expect(host && !traced, 1)) {
            e->totals.memory.stores++;
            engine_count_stored(e, s->space, address, n);
            short_copy(host, from + at, n);
        } else {
            engine_store_slow(e, s->space, address, from + at, n);
        }
    }
}

/* ---- Row by row, any operation ---- */

/* Pixels of a row, as they lie in memory. */
union span {
    uint8_t bytes[CHUNK_BYTES];
    uint16_t halves[CHUNK_BYTES / 2];
    uint32_t words[CHUNK_BYTES / 4];
    uint64_t longs[CHUNK_BYTES / 8];
};

static inline uint32_t pixel(const union span *s, uint32_t bytes, uint32_t i)
{
    return bytes == 1 ? s->bytes[i] : bytes == 2 ? s->halves[i] : s->words[i];
}

static inline void set_pixel(union span *s, uint32_t bytes, uint32_t i, uint32_t value)
{
    if (bytes == 1)
        s->bytes[i] = (uint8_t)value;
    else if (bytes == 2)
        s->halves[i] = (uint16_t)value;
    else
        s->words[i] = value;
}

/* The operands of a row's pieces. */
struct row {
    const struct blit *b;
    bool uses_source, uses_pattern, uses_destination, masks;
    uint32_t pixel_ps;                                    /* what a pixel costs */
    uint8_t pattern[PATTERN_PIXELS * PATTERN_PIXELS * 4]; /* a colour pattern */
    union span source, with, out, before, keep;           /* keep: 1 where the result is written */
    uint8_t bits[CHUNK_BYTES / 8 + 8];                    /* of a monochrome source */
};

typedef uint8_t eight_bytes __attribute__((vector_size(8)));
typedef uint16_t eight_halves __attribute__((vector_size(16)));
typedef uint32_t four_words __attribute__((vector_size(16)));

/* Eight pixels of two colours by eight bits, the leftmost in bit 7. */
static inline void expand(uint8_t *to, uint32_t bytes, uint8_t bits, uint32_t clear, uint32_t set)
{
    if (bytes == 1) {
        const eight_bytes ones = (eight_bytes)(((eight_bytes){128, 64, 32, 16, 8, 4, 2, 1} & bits) != 0);
        const eight_bytes result = (ones & (uint8_t)set) | (~ones & (uint8_t)clear);
        memcpy(to, &result, sizeof result);
    } else if (bytes == 2) {
        const eight_halves ones = (eight_halves)(((eight_halves){128, 64, 32, 16, 8, 4, 2, 1} & bits) != 0);
        const eight_halves result = (ones & (uint16_t)set) | (~ones & (uint16_t)clear);
        memcpy(to, &result, sizeof result);
    } else {
        for (uint32_t half = 0; half < 2; half++) {
            const four_words ones =
                (four_words)(((four_words){128, 64, 32, 16} & (uint32_t)bits << 4 * half) != 0);
            const four_words result = (ones & set) | (~ones & clear);
            memcpy(to + half * sizeof result, &result, sizeof result);
        }
    }
}

/* The other pixels repeat the first eight. */
static void repeat(union span *s, uint32_t bytes, uint32_t count)
{
    const uint32_t size = count * bytes;
    for (uint32_t done = PATTERN_PIXELS * bytes; done < size; done += done)
        memcpy(s->bytes + done, s->bytes, done < size - done ? done : size - done);
}

/* The bits of a monochrome pattern from x on. */
static inline uint8_t pattern_bits(const struct blit *b, int32_t x, int32_t y)
{
    const uint32_t row = b->pattern.bits[(y + b->pattern.seed_y) & 7] * 0x101u;
    return (uint8_t)(row >> (8u - ((uint32_t)(x + b->pattern.seed_x) & 7u)));
}

static void make_pattern(struct row *r, int32_t x, int32_t y, uint32_t count)
{
    const struct blit *b = r->b;
    const uint32_t bytes = b->bytes;
    if (b->pattern.operand == OPERAND_SOLID && bytes > 4) {
        for (uint32_t i = 0; i < count; i++)
            memcpy(r->with.bytes + i * bytes, b->pattern.colors, bytes);
        return;
    }
    if (b->pattern.operand == OPERAND_SOLID) {
        fill_pixels(r->with.bytes, b->pattern.colors[0], bytes, count * bytes);
        return;
    }
    if (b->pattern.operand == OPERAND_MONO) {
        expand(r->with.bytes, bytes, pattern_bits(b, x, y), b->pattern.colors[0], b->pattern.colors[1]);
    } else {
        const uint32_t first = (uint32_t)(x + b->pattern.seed_x) & 7u;
        const uint8_t *row = r->pattern + ((uint32_t)(y + b->pattern.seed_y) & 7u) * PATTERN_PIXELS * bytes;
        short_copy(r->with.bytes, row + first * bytes, (PATTERN_PIXELS - first) * bytes);
        short_copy(r->with.bytes + (PATTERN_PIXELS - first) * bytes, row, first * bytes);
    }
    repeat(&r->with, bytes, count);
}

/* The bits of a monochrome source from the i-th on. */
static inline uint8_t source_bits(const struct row *r, uint32_t i)
{
    const uint32_t two = (uint32_t)r->bits[i / 8u] << 8 | r->bits[i / 8u + 1u];
    return (uint8_t)(two >> (8u - i % 8u));
}

static void make_source(struct engine *e, struct row *r, int32_t x, int32_t y, uint32_t count,
                        uint32_t *first_bit)
{
    const struct blit *b = r->b;
    const int32_t column = x - b->x1, line = y - b->y1;
    if (b->source.operand == OPERAND_COLOR) {
        const int32_t from = (b->from_x + column) * b->bytes;
        surface_load(&e->mmu, &b->from, from, b->from_y + line, r->source.bytes, count * b->bytes);
        engine_count_loaded(e, b->from.space, surface_address(&b->from, from, b->from_y + line),
                            count * b->bytes);
        if (b->from_compressed)
            ccs_decompress(&e->mmu, &b->from, from, b->from_y + line, r->source.bytes, count * b->bytes);
        return;
    }
    const uint64_t at =
        (uint64_t)(uint32_t)line * b->source.mono_stride_bits + b->source.mono_first_bit + (uint32_t)column;
    const uint32_t size = (uint32_t)(at % 8u + count + 7u) / 8u;
    *first_bit = (uint32_t)(at % 8u);
    if (b->source.immediate) {
        const uint64_t there = (uint64_t)b->immediate_dw * 4u, begin = at / 8u;
        if (begin + size > there)
            memset(r->bits, 0, size);
        if (begin < there)
            short_copy(r->bits, (const uint8_t *)b->source.immediate + begin,
                       there - begin < size ? (uint32_t)(there - begin) : size);
    } else {
        engine_load_into(e, SPACE_PPGTT, b->source.mono_address + at / 8u, r->bits, size);
    }
    for (uint32_t i = 0; i < count; i += 8)
        expand(r->source.bytes + i * b->bytes, b->bytes, source_bits(r, *first_bit + i), b->source.colors[0],
               b->source.colors[1]);
}

/* The raster operation, on whole words: which of the eight cases of pattern, source and destination give 1.
 */
static void operate(struct row *r, uint32_t size)
{
    uint64_t set[8];
    for (unsigned i = 0; i < 8; i++)
        set[i] = r->b->rop >> i & 1u ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < (size + 7u) / 8u; i++) {
        const uint64_t p = r->with.longs[i], s = r->source.longs[i], d = r->before.longs[i];
        const uint64_t both = (d & set[7]) | (~d & set[6]), only_p = (d & set[5]) | (~d & set[4]);
        const uint64_t only_s = (d & set[3]) | (~d & set[2]), none = (d & set[1]) | (~d & set[0]);
        r->out.longs[i] = (p & ((s & both) | (~s & only_p))) | (~p & ((s & only_s) | (~s & none)));
    }
}

/* The components of a pixel, alpha first (0: none). */
static const uint32_t components[4][4] = {{0, 0xff, 0, 0},
                                          {0, 0xf800, 0x07e0, 0x001f},
                                          {0x8000, 0x7c00, 0x03e0, 0x001f},
                                          {0xff000000, 0x00ff0000, 0x0000ff00, 0x000000ff}};

static bool in_range(const struct blit *b, uint32_t value, bool alpha)
{
    for (unsigned i = alpha ? 0 : 1; i < 4; i++) {
        const uint32_t mask = components[b->depth & 3u][i];
        if ((value & mask) < (b->range.low & mask) || (value & mask) > (b->range.high & mask))
            return false;
    }
    return true;
}

static bool in_range_of(const struct row *r, uint32_t i)
{
    const struct blit *b = r->b;
    switch (b->range.mode) {
    case RANGE_SOURCE:
    case RANGE_SOURCE_ALPHA:
        return b->source.operand != OPERAND_COLOR ||
               !in_range(b, pixel(&r->source, b->bytes, i), b->range.mode == RANGE_SOURCE_ALPHA);
    case RANGE_DESTINATION:
    case RANGE_DESTINATION_ALPHA:
        return in_range(b, pixel(&r->before, b->bytes, i), b->range.mode == RANGE_DESTINATION_ALPHA);
    default:
        return true;
    }
}

/* Keeps the pixels of `out` that are written; the others become those of the destination. */
static void mask(struct row *r, int32_t x, int32_t y, uint32_t count, uint32_t first_bit,
                 const union span *out)
{
    const struct blit *b = r->b;
    const uint32_t bytes = b->bytes;
    const uint8_t pattern =
        b->pattern.transparent && b->pattern.operand == OPERAND_MONO ? pattern_bits(b, x, y) : 0xff;
    for (uint32_t i = 0; i < count; i += 8) {
        const uint8_t source = b->source.transparent ? source_bits(r, first_bit + i) : 0xff;
        expand(r->keep.bytes + i * bytes, bytes, pattern & source, 0, b->write_mask);
    }
    for (uint32_t i = 0; i < count && b->range.mode != RANGE_NONE; i++)
        if (!in_range_of(r, i))
            set_pixel(&r->keep, bytes, i, 0);
    for (uint32_t i = 0; i < (count * bytes + 7u) / 8u; i++)
        r->out.longs[i] = (out->longs[i] & r->keep.longs[i]) | (r->before.longs[i] & ~r->keep.longs[i]);
}

/* `count` pixels from x on. */
static void draw_piece(struct engine *e, struct row *r, int32_t x, int32_t y, uint32_t count)
{
    const struct blit *b = r->b;
    const uint32_t size = count * b->bytes;
    const uint64_t faults = e->mmu.faults;
    uint32_t first_bit = 0;
    if (r->uses_source)
        make_source(e, r, x, y, count, &first_bit);
    if (r->uses_pattern)
        make_pattern(r, x, y, count);
    if (r->uses_destination) {
        surface_load(&e->mmu, &b->to, x * b->bytes, y, r->before.bytes, size);
        engine_count_loaded(e, b->to.space, surface_address(&b->to, x * b->bytes, y), size);
    }
    if (e->mmu.faults != faults)
        return;
    const union span *out = b->rop == ROP_SOURCE ? &r->source : b->rop == ROP_PATTERN ? &r->with : &r->out;
    if (out == &r->out)
        operate(r, size);
    if (r->masks) {
        mask(r, x, y, count, first_bit, out);
        out = &r->out;
    }
    store_span(e, &b->to, x * b->bytes, y, out->bytes, size);
    if (e->mmu.faults == faults)
        blit_mark(e, b, &(struct rectangle){x * b->bytes, y, (x + (int32_t)count) * b->bytes, y + 1});
}

/* The number of pixels that may be read before the first is written without changing the result.
 */
static uint32_t piece_of(const struct blit *b, int32_t y)
{
    const uint32_t room = CHUNK_BYTES / b->bytes;
    if (b->source.operand != OPERAND_COLOR)
        return room;
    const int32_t from_y = y - b->y1 + b->from_y;
    const uint32_t width = (uint32_t)(b->x2 - b->x1) * b->bytes;
    if (b->to.tiles || b->from.tiles)
        return b->to.base == b->from.base && from_y == y && b->from_x != b->x1 &&
                       b->right_to_left != (b->from_x < b->x1)
                   ? 1
                   : room;
    int64_t ahead = (int64_t)(surface_address(&b->to, b->x1 * b->bytes, y) -
                              surface_address(&b->from, b->from_x * b->bytes, from_y));
    if (b->right_to_left)
        ahead = -ahead;
    if (ahead <= 0 || ahead >= (int64_t)width)
        return room;
    const uint32_t pixels = (uint32_t)ahead / b->bytes;
    return pixels < 1 ? 1 : pixels < room ? pixels : room;
}

static inline bool rop_uses_source(uint8_t rop)
{
    return ((rop >> 2 ^ rop) & 0x33) != 0;
}

static inline bool rop_uses_pattern(uint8_t rop)
{
    return ((rop >> 4 ^ rop) & 0x0f) != 0;
}

static inline bool rop_uses_destination(uint8_t rop)
{
    return ((rop >> 1 ^ rop) & 0x55) != 0;
}

static void load_pattern(struct engine *e, struct row *r)
{
    const struct blit *b = r->b;
    const uint32_t size = PATTERN_PIXELS * PATTERN_PIXELS * (uint32_t)b->bytes;
    if (b->pattern.operand != OPERAND_COLOR)
        return;
    if (b->pattern.immediate) {
        const uint64_t there = (uint64_t)b->immediate_dw * 4u;
        memset(r->pattern, 0, size);
        memcpy(r->pattern, b->pattern.immediate, there < size ? there : size);
    } else {
        engine_load_into(e, SPACE_PPGTT, b->pattern.address & ~UINT64_C(63), r->pattern, size);
    }
}

/* ---- Resolved where it lies ---- */

bool blit_resolve(struct engine *e, const struct blit *b)
{
    enum { MOST_BYTES = 1 << 20, MOST_ROWS = 1024, BYTE_PS = 2000, SPOILT_BYTE_PS = 8000 };
    const struct rectangle all = {b->x1 * b->bytes, b->y1, b->x2 * b->bytes, b->y2};
    const uint32_t width = (uint32_t)(all.x2 - all.x1), rows = (uint32_t)(all.y2 - all.y1);
    const int32_t from_x = b->from_x * b->bytes;
    const uint64_t size = (uint64_t)width * rows, faults = e->mmu.faults;
    uint8_t *staged = size <= MOST_BYTES && rows <= MOST_ROWS ? malloc(size) : NULL;
    if (!staged)
        return false;
    const struct rectangle source = {from_x, b->from_y, from_x + (int32_t)width, b->from_y + (int32_t)rows};
    const bool spoilt = b->from_compressed && !ccs_is_uncompressed(&e->mmu, &b->from, &source);
    for (uint32_t row = 0; row < rows && e->mmu.faults == faults; row++) {
        surface_load(&e->mmu, &b->from, from_x, b->from_y + (int32_t)row, staged + row * width, width);
        if (spoilt)
            ccs_decompress(&e->mmu, &b->from, from_x, b->from_y + (int32_t)row, staged + row * width, width);
    }
    for (uint32_t row = 0; row < rows && e->mmu.faults == faults; row++)
        store_span(e, &b->to, all.x1, all.y1 + (int32_t)row, staged + row * width, width);
    if (e->mmu.faults == faults)
        blit_mark(e, b, &all);
    free(staged);
    e->log->cost.ns += size * (spoilt ? SPOILT_BYTE_PS : BYTE_PS) / 1000u;
    return true;
}

/* Estimated host cost, in ns on a processor of 2020. */
enum { PIECE_NS = 80, FIRST_BYTES = 64 };

static uint32_t pixel_ps(const struct row *r)
{
    enum {
        BYTE_PS = 60,
        TILED_BYTE_PS = 900,
        OPERATE_BYTE_PS = 400,
        MASK_PS = 2000,
        RANGE_PS = 10000,
        MARKED_BYTE_PS = 1000,
        DECOMPRESSED_BYTE_PS = 6000,
        EXPAND_PS = 1500
    };
    const struct blit *b = r->b;
    const uint32_t to_ps = b->to.tiles ? TILED_BYTE_PS : BYTE_PS,
                   from_ps = b->from.tiles ? TILED_BYTE_PS : BYTE_PS;
    uint32_t ps = b->bytes * to_ps;
    if (r->uses_source)
        ps += b->source.operand == OPERAND_COLOR ? b->bytes * from_ps : (uint32_t)EXPAND_PS;
    if (r->uses_source && b->from_compressed)
        ps += b->bytes * DECOMPRESSED_BYTE_PS;
    if (b->to_compressed || b->resolves)
        ps += b->bytes * MARKED_BYTE_PS;
    if (r->uses_pattern)
        ps += b->bytes * BYTE_PS;
    if (r->uses_destination)
        ps += b->bytes * to_ps;
    if (b->rop != ROP_SOURCE && b->rop != ROP_PATTERN)
        ps += b->bytes * OPERATE_BYTE_PS;
    if (r->masks)
        ps += MASK_PS + (b->range.mode != RANGE_NONE ? (uint32_t)RANGE_PS : 0u);
    return ps;
}

bool blit_masks(const struct blit *b)
{
    return b->write_mask != UINT32_MAX || b->source.transparent || b->range.mode != RANGE_NONE ||
           (b->pattern.transparent && b->pattern.operand == OPERAND_MONO);
}

/* ---- Text: short rows of two colours, drawn where they lie in the host's memory ---- */

enum { TEXT_PIXELS = 56 };

static bool is_text(const struct engine *e, const struct blit *b)
{
    return b->source.operand == OPERAND_MONO && b->rop == ROP_SOURCE && b->range.mode == RANGE_NONE &&
           !b->pattern.transparent && !b->to.tiles && b->x2 - b->x1 <= TEXT_PIXELS &&
           !tracing(e->log, SOFTGT_TRACE_MEMORY);
}

/* The bits of a row, the first one highest. False: they are not in memory that the host can map. */
static bool text_bits(const struct engine *e, const struct blit *b, uint32_t row, uint32_t count,
                      uint64_t *bits)
{
    const uint64_t at = (uint64_t)row * b->source.mono_stride_bits + b->source.mono_first_bit,
                   begin = at / 8u;
    const uint32_t size = (uint32_t)(at % 8u + count + 7u) / 8u;
    const uint8_t *from;
    uint32_t there = size;
    if (b->source.immediate) {
        const uint64_t end = (uint64_t)b->immediate_dw * 4u;
        from = (const uint8_t *)b->source.immediate + begin;
        there = begin >= end ? 0 : end - begin < size ? (uint32_t)(end - begin) : size;
    } else {
        from = mmu_cached(&e->mmu, SPACE_PPGTT, b->source.mono_address + begin, size, false);
        if (!from)
            return false;
    }
    uint64_t all = 0;
    for (uint32_t i = 0; i < there; i++)
        all |= (uint64_t)from[i] << (56u - 8u * i);
    *bits = all << at % 8u;
    return true;
}

/* Eight pixels. */
union octet {
    uint8_t bytes[32];
    four_words words[2];
};

/* The colors and flags of text. */
struct ink {
    uint32_t clear, set, write_mask;
    bool transparent, masks;
};

/* `size` bytes of eight pixels. */
static INLINE void draw_octet(uint8_t *to, uint32_t bytes, uint32_t size, uint8_t bits, const struct ink *ink)
{
    union octet out = {0}, keep = {0}, before = {0};
    expand(out.bytes, bytes, bits, ink->clear, ink->set);
    if (ink->masks) {
        expand(keep.bytes, bytes, ink->transparent ? bits : 0xff, 0, ink->write_mask);
        tiny_copy(before.bytes, to, size);
        for (unsigned i = 0; i < 2; i++)
            out.words[i] = (out.words[i] & keep.words[i]) | (before.words[i] & ~keep.words[i]);
    }
    tiny_copy(to, out.bytes, size);
}

/* Draws rows until one is not mapped. A row costs the same here and in the general case. */
static void text_rows(struct engine *e, const struct blit *b, struct blit_progress *p, uint64_t row_ns,
                      uint64_t limit_ns)
{
    const uint32_t rows = (uint32_t)(b->y2 - b->y1), count = (uint32_t)(b->x2 - b->x1);
    const uint32_t bytes = b->bytes, size = count * bytes;
    const struct ink ink = {.clear = b->source.colors[0],
                            .set = b->source.colors[1],
                            .write_mask = b->write_mask,
                            .transparent = b->source.transparent,
                            .masks = blit_masks(b)};
    const uint64_t first = surface_address(&b->to, b->x1 * b->bytes, b->y1 + (int32_t)p->row);
    uint64_t address = first, bits;
    uint32_t row = p->row;
    for (; row < rows && (row - p->row) * row_ns < limit_ns; row++, address += (uint64_t)b->to.pitch_bytes) {
        uint8_t *to = mmu_cached(&e->mmu, SPACE_PPGTT, address, size, true);
        if (!to || !text_bits(e, b, row, count, &bits))
            break;
        uint32_t left = size;
        for (; bytes == 4 && left >= 32; left -= 32, to += 32, bits <<= 8)
            draw_octet(to, 4, 32, (uint8_t)(bits >> 56), &ink);
        for (uint32_t n; left; left -= n, to += n, bits <<= 8) {
            n = left < 8 * bytes ? left : 8 * bytes;
            draw_octet(to, bytes, n, (uint8_t)(bits >> 56), &ink);
        }
    }
    const uint32_t drawn = row - p->row;
    e->totals.memory.stores += drawn;
    engine_count_stored(e, SPACE_PPGTT, first, (uint64_t)drawn * size);
    p->row = row;
    e->log->cost.ns += drawn * row_ns;
}

void blit_rows(struct engine *e, const struct blit *b, struct blit_progress *p, uint64_t limit_ns)
{
    const uint32_t rows = (uint32_t)(b->y2 - b->y1), width = (uint32_t)(b->x2 - b->x1);
    const uint64_t faults = e->mmu.faults, walks = e->mmu.walks, begun_ns = e->log->cost.ns;
    struct row r; /* large, and not initialised past the used part */
    r.b = b;
    r.masks = blit_masks(b);
    r.uses_source = b->source.operand != OPERAND_NONE &&
                    (rop_uses_source(b->rop) || b->source.transparent || b->range.mode == RANGE_SOURCE ||
                     b->range.mode == RANGE_SOURCE_ALPHA);
    r.uses_pattern = b->pattern.operand != OPERAND_NONE && rop_uses_pattern(b->rop);
    r.uses_destination = r.masks || rop_uses_destination(b->rop);
    r.pixel_ps = pixel_ps(&r);
    const uint32_t size = width * b->bytes, longest = (size < CHUNK_BYTES ? size + 7u : CHUNK_BYTES) & ~7u;
    /* Absent operands and pixels past the end of short rows are 0. */
    if (longest != size ||
        !((b->rop == ROP_SOURCE && r.uses_source) || (b->rop == ROP_PATTERN && r.uses_pattern))) {
        memset(&r.source, 0, longest);
        memset(&r.with, 0, longest);
        memset(&r.before, 0, longest);
    }
    if (r.uses_pattern)
        load_pattern(e, &r);
    const bool text = is_text(e, b);
    /* Tiles need many accesses, and each is slow if memory cannot be mapped. */
    p->in_band = false;
    uint32_t most = b->to.tiles || b->from.tiles ? FIRST_BYTES / b->bytes : CHUNK_BYTES;
    for (; p->row < rows && e->mmu.faults == faults; p->row++, p->column = 0) {
        if (text && p->column == 0) {
            const uint64_t so_far_ns = e->log->cost.ns - begun_ns;
            text_rows(e, b, p, PIECE_NS + (uint64_t)width * r.pixel_ps / 1000u,
                      so_far_ns < limit_ns ? limit_ns - so_far_ns : 0);
            if (p->row == rows)
                break;
        }
        const int32_t y = b->bottom_up ? b->y2 - 1 - (int32_t)p->row : b->y1 + (int32_t)p->row;
        const uint32_t piece = piece_of(b, y);
        for (uint32_t n; p->column < width && e->mmu.faults == faults; p->column += n) {
            if (e->log->cost.ns - begun_ns + (e->mmu.walks - walks) * BLIT_WALK_NS >= limit_ns)
                return;
            n = width - p->column < piece ? width - p->column : piece;
            n = n < most ? n : most;
            const int32_t at = (int32_t)p->column;
            const uint64_t before_ns = e->log->cost.ns;
            draw_piece(e, &r, b->right_to_left ? b->x2 - at - (int32_t)n : b->x1 + at, y, n);
            if (e->log->cost.ns - before_ns < PORT_ACCESS_COST_NS)
                most = CHUNK_BYTES;
            e->log->cost.ns += PIECE_NS + (uint64_t)n * r.pixel_ps / 1000u;
        }
    }
}
