/*
 * Render target writes: the colors of a thread's pixels go to the surface of an index, through late tests and
 * blending; of a draw with several samples to each of these that is covered. Not modelled: half precision
 * messages. (SKL PRM vol 7, Render Target Write; Mesa, brw_eu.h)
 */
#include "base/inline.h"
#include "memory/samples.h"
#include "output_merger/clear_blocks.h"
#include "output_merger/coarse_message.h"
#include "output_merger/fragment_trace.h"
#include "output_merger/smooth.h"
#include "output_merger/target_plan.h"
#include "shared_function/image.h"

/* ---- Blending: of floats ---- */

enum { RED, GREEN, BLUE, ALPHA };

struct colors {
    union softgt_color source, second, destination, constant;
};

typedef float vec4 __attribute__((vector_size(16)));
typedef int32_t ivec4 __attribute__((vector_size(16)));

static vec4 vec4_of(const union softgt_color *color)
{
    vec4 v;
    memcpy(&v, color->f, sizeof v);
    return v;
}

static vec4 splat(float value)
{
    return (vec4){value, value, value, value};
}

/* The lanes of `yes` where the mask is set, of `no` elsewhere. */
static vec4 select4(ivec4 mask, vec4 yes, vec4 no)
{
    return (vec4)(((ivec4)yes & mask) | ((ivec4)no & ~mask));
}

/* The factors of all components. */
static vec4 blend_factors(const struct colors *c, unsigned code)
{
    const float room = 1 - c->destination.f[ALPHA],
                saturated = c->source.f[ALPHA] < room ? c->source.f[ALPHA] : room;
    vec4 value = splat(0);
    switch (code & (BLENDFACTOR_INVERSE - 1u)) {
    case BLENDFACTOR_ONE:
        value = splat(1);
        break;
    case BLENDFACTOR_SRC_COLOR:
        value = vec4_of(&c->source);
        break;
    case BLENDFACTOR_SRC_ALPHA:
        value = splat(c->source.f[ALPHA]);
        break;
    case BLENDFACTOR_DST_ALPHA:
        value = splat(c->destination.f[ALPHA]);
        break;
    case BLENDFACTOR_DST_COLOR:
        value = vec4_of(&c->destination);
        break;
    case BLENDFACTOR_SRC_ALPHA_SATURATE:
        value = (vec4){saturated, saturated, saturated, 1};
        break;
    case BLENDFACTOR_CONST_COLOR:
        value = vec4_of(&c->constant);
        break;
    case BLENDFACTOR_CONST_ALPHA:
        value = splat(c->constant.f[ALPHA]);
        break;
    case BLENDFACTOR_SRC1_COLOR:
        value = vec4_of(&c->second);
        break;
    case BLENDFACTOR_SRC1_ALPHA:
        value = splat(c->second.f[ALPHA]);
        break;
    default:
        break;
    }
    return code & BLENDFACTOR_INVERSE ? splat(1) - value : value;
}

/* All NaNs that operations give are one: hosts differ. */
static vec4 canonical(vec4 value)
{
    static const ivec4 nan = {0x7fc00000, 0x7fc00000, 0x7fc00000, 0x7fc00000};
    return select4(value == value, value, (vec4)nan); /* NOLINT(misc-redundant-expression) */
}

static vec4 blend(const struct colors *c, unsigned function, unsigned from, unsigned to)
{
    const vec4 s = vec4_of(&c->source), d = vec4_of(&c->destination);
    switch (function) {
    case BLENDFUNCTION_SUBTRACT:
        return canonical(s * blend_factors(c, from) - d * blend_factors(c, to));
    case BLENDFUNCTION_REVERSE_SUBTRACT:
        return canonical(d * blend_factors(c, to) - s * blend_factors(c, from));
    case BLENDFUNCTION_MIN:
        return select4(s < d, s, d);
    case BLENDFUNCTION_MAX:
        return select4(s > d, s, d);
    default:
        return canonical(s * blend_factors(c, from) + d * blend_factors(c, to));
    }
}

/* ---- Pixels ---- */

/* A logic operation on the bits in memory; `table` is its truth table. */
static bool combine(struct message_context *b, const struct image *i, const uint32_t at[3], unsigned table,
                    union softgt_color *color)
{
    uint8_t from[PIXEL_BYTES] = {0}, to[PIXEL_BYTES] = {0};
    softgt_pixel_encode(i->format, color, from);
    (void)image_read_pixel(b, i, at, to);
    for (unsigned n = 0; n < i->format->bytes; n++) {
        const unsigned s = from[n], d = to[n];
        to[n] = (uint8_t)((table & 8u ? s & d : 0) | (table & 4u ? s & ~d : 0) | (table & 2u ? ~s & d : 0) |
                          (table & 1u ? ~s & ~d : 0));
    }
    softgt_pixel_decode(i->format, to, color);
    return !message_faulted(b);
}

static void clamp(const struct pixel_output *o, union softgt_color *color)
{
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
        if (o->clamps[n])
            color->f[n] = color->f[n] > o->low[n] ? color->f[n] < 1 ? color->f[n] : 1 : o->low[n];
}

/* Components that the write mask excludes keep their value. */
static bool write_pixel(struct message_context *b, const struct target_plan *p, const uint32_t at[3],
                        struct colors *c)
{
    const struct pixel_output *const o = &p->output;
    const struct image *const i = &p->image;
    const struct render_target_blend *const how = &o->how;
    union softgt_color color;
    if (!how->write_mask)
        return true;
    if (how->alpha_to_one && !o->has_integers)
        c->source.f[ALPHA] = 1;
    if (how->clamp_enables & (CLAMP_PRE_BLEND | CLAMP_PRE_BLEND_SOURCE_ONLY)) {
        clamp(o, &c->source);
        if (o->blends)
            clamp(o, &c->second);
    }
    color = c->source;
    if (o->blends || how->write_mask != WRITE_ALL) {
        c->destination = (union softgt_color){.u = {0}};
        if (!image_access_pixel(b, i, at, &c->destination, false))
            return false;
    }
    if (how->logic_op < LOGIC_OP_NONE && !combine(b, i, at, how->logic_op, &color))
        return false;
    const union softgt_color kept = c->destination;
    if (o->blends) {
        if (how->clamp_enables & CLAMP_PRE_BLEND) {
            clamp(o, &c->destination);
            clamp(o, &c->constant);
        }
        const vec4 colors =
                       blend(c, how->color_function, how->color_source_factor, how->color_destination_factor),
                   alphas =
                       blend(c, how->alpha_function, how->alpha_source_factor, how->alpha_destination_factor),
                   all = {colors[RED], colors[GREEN], colors[BLUE], alphas[ALPHA]};
        memcpy(color.f, &all, sizeof all);
    }
    if (how->clamp_enables & CLAMP_POST_BLEND)
        clamp(o, &color);
    for (unsigned n = 0; n < PIXEL_COMPONENTS && how->write_mask != WRITE_ALL; n++)
        if (!(how->write_mask >> n & 1u))
            color.u[n] = kept.u[n];
    return image_access_pixel(b, i, at, &color, true);
}

/* ---- Messages ---- */

/* Types of messages: up to Gen12.5, and those whose extended descriptor names the parts of the payload. */
struct target_type {
    uint8_t width; /* pixels; 0: there is no such type */
    uint8_t first; /* of the slot group */
    bool is_replicated, is_dual_source;
};
enum { TARGET_TYPES = 8 };
static const struct target_type target_types[2][TARGET_TYPES] = {
    {{16, 0, false, false}, {16, 0, true, false}, {8, 0, false, true}, {8, 8, false, true}, {8}},
    {{16, 0, false, false}, {32, 0, false, false}, {16, 0, false, true}}};

/* Where the parts of a payload are. A message of 32 pixels is two of 16, with registers of the same payload.
 */
struct target_message {
    const struct target_type *type;
    unsigned width, first; /* first: of the thread's pixels */
    unsigned row, rows;    /* rows of eight pixels: the first one in each part, and how many a part has */
    unsigned alpha, coverage, color, second, depth, stencil;
    unsigned coverage_word; /* of the first pixel */
    uint32_t mask;          /* of the message's pixels */
    uint32_t target;
    bool has_coverage, has_depth, has_stencil, nowhere;
};

static const struct target_type *target_type_of(const struct message_context *b, const struct eu_send *m)
{
    return &target_types[b->info.target_parts_in_ex_descriptor][m->descriptor >> 8 & (TARGET_TYPES - 1u)];
}

/* Messages of 16 pixels, or of fewer, that a message is done as. */
static unsigned target_halves(const struct message_context *b, const struct eu_send *m)
{
    return target_type_of(b, m)->width > MESSAGE_PIXELS ? 2 : 1;
}

/* A dword of a pixel, of the part from a register on. */
static uint32_t target_channel(const struct eu_send *m, const struct target_message *t, unsigned at,
                               unsigned pixel)
{
    return payload_channel(m, at + t->row, pixel);
}

/* The first pixel of the slot group; a message of 32 pixels has both groups. */
static unsigned slot_group(unsigned width, uint32_t descriptor)
{
    return width > MESSAGE_PIXELS ? 0 : (descriptor >> 11 & 1u) * MESSAGE_PIXELS;
}

/* What a header says of its message: the target's number, and whether there is an alpha before the colors. */
enum { HEADER_TARGET = 7, HEADER_ALPHA = 8 };
static uint32_t header_of(const struct eu_send *m)
{
    enum { NUMBER = 2, ALPHA_PRESENT = 11 };
    return (payload_dw(m, 0, NUMBER) & HEADER_TARGET) |
           (payload_dw(m, 0, 0) >> ALPHA_PRESENT & 1u ? HEADER_ALPHA : 0);
}

/* The parts that a payload has besides colors. */
static void find_parts(const struct message_context *b, uint32_t extended, struct target_message *t)
{
    enum { OMASK = 1 << 12, DEPTH = 1 << 13, STENCIL = 1 << 14 };
    const bool named = b->info.target_parts_in_ex_descriptor;
    t->has_coverage = named ? extended & OMASK : b->om->omask_present;
    t->has_depth = named ? extended & DEPTH : b->om->computed_depth;
    t->has_stencil = named ? extended & STENCIL : b->om->computed_stencil;
}

/* A header is two registers: the target's number, the mask of pixels. Without one that is the thread's own,
 * and the extended descriptor has the number, from Gen11 on. Before, its bits have no meaning: those of IGT's
 * kernels are not zero. `half`: of a message of 32 pixels. (Mesa, lower_fb_write_logical_send) */
static bool read_message(const struct message_context *b, const struct eu_send *m, unsigned half,
                         struct target_message *t)
{
    enum { HEADER_REGISTERS = 2, MASK = 7, ALPHA_PRESENT_EXTENDED = 15, NOWHERE = 20, WORD = 2 };
    const uint32_t d = m->descriptor;
    const bool header = has_header(m);
    const uint32_t extended = b->info.target_index_shift ? m->ex_descriptor : 0;
    const struct target_type *const type = target_type_of(b, m);
    *t = (struct target_message){.type = type, .row = half * MESSAGE_ROWS, .rows = type->width / ROW_PIXELS};
    t->width = type->width > MESSAGE_PIXELS ? MESSAGE_PIXELS : type->width;
    t->first = slot_group(type->width, d) + type->first + half * MESSAGE_PIXELS;
    t->mask = m->channels >> half * MESSAGE_PIXELS & ((1u << t->width) - 1u);
    const uint32_t said = header ? header_of(m) : 0;
    t->target = header ? said & HEADER_TARGET : extended >> b->info.target_index_shift & 7u;
    t->nowhere = !header && extended >> NOWHERE & 1u;
    unsigned at = 0;
    bool alpha = !header && extended >> ALPHA_PRESENT_EXTENDED & 1u;
    if (header) {
        t->mask &= payload_dw(m, 1, MASK) >> type->first;
        alpha = said & HEADER_ALPHA;
        at = HEADER_REGISTERS;
    }
    find_parts(b, extended, t);
    t->alpha = at;
    if (alpha)
        at += t->rows;
    t->coverage = at;
    t->coverage_word = t->first & (payload_part_registers(m, 1) - 1u) * MESSAGE_PIXELS;
    at += t->has_coverage ? payload_part_registers(m, type->width * WORD) : 0;
    t->color = at;
    if (!alpha)
        t->alpha = at + (type->is_replicated ? 0 : ALPHA * t->rows);
    at += type->is_replicated ? 1 : PIXEL_COMPONENTS * t->rows;
    t->second = at;
    at += type->is_dual_source ? PIXEL_COMPONENTS * t->rows : 0;
    t->depth = at;
    at += t->has_depth ? t->rows : 0;
    t->stencil = at;
    at += t->has_stencil ? payload_part_registers(m, type->width) : 0;
    return type->width && at <= payload_registers(m);
}

static void read_color(const struct eu_send *m, const struct target_message *t, unsigned at, unsigned pixel,
                       union softgt_color *color)
{
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
        color->u[n] =
            t->type->is_replicated ? payload_dw(m, at, n) : target_channel(m, t, at + n * t->rows, pixel);
}

/* Of the first target, whichever the message is for. */
static float alpha_of(const struct eu_send *m, const struct target_message *t, unsigned n)
{
    const uint32_t bits = t->type->is_replicated && t->alpha == t->color ? payload_dw(m, t->alpha, ALPHA)
                                                                         : target_channel(m, t, t->alpha, n);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static struct softgt_fragment alpha_step(const struct message_context *b, float alpha, bool passed)
{
    return (struct softgt_fragment){.step = SOFTGT_FRAGMENT_ALPHA,
                                    .passed = passed,
                                    .is_late = true,
                                    .layer = b->ps->array_index,
                                    .value = (double)alpha,
                                    .compared_with = (double)b->om->alpha_test_reference};
}

/* If the tests run after the shader, they run at the pixel's first message. */
static bool passes_late(struct message_context *b, const struct eu_send *m, const struct target_message *t,
                        unsigned n, const uint32_t at[3])
{
    enum { BYTES = 4 };
    struct ps_thread *const p = b->ps;
    const unsigned pixel = t->first + n;
    float depth = p->pixel_depth[pixel];
    if (!b->om->late_depth_stencil)
        return true;
    if (!(p->late_tested_mask >> pixel & 1u)) {
        p->late_tested_mask |= 1u << pixel;
        if (t->has_depth) {
            const uint32_t bits = target_channel(m, t, t->depth, n);
            memcpy(&depth, &bits, sizeof depth);
        }
        struct depth_stencil s = b->om->depth_stencil;
        const float alpha = alpha_of(m, t, n);
        const bool alpha_passed = alpha_test(b, b->om, alpha);
        if (traces_fragments(b) && b->om->alpha_test_function)
            trace_pixel(b, alpha_step(b, alpha, alpha_passed), pixel);
        if (t->has_stencil) /* a byte for each pixel */
            s.side[p->back_facing].reference =
                (uint8_t)(payload_channel(m, t->stencil, n / BYTES) >> n % BYTES * 8u);
        if (!alpha_passed || !depth_test(b, &s, p, at, depth, true))
            p->late_failed_mask |= 1u << pixel;
    }
    return !(p->late_failed_mask >> pixel & 1u);
}

/* Reports the rows of written pixels to a display that compresses the frame buffer. No groups run in parallel
 * here. (REN-09, REN-26) */
static void pixels_written(struct message_context *b, const struct image *i, uint32_t written)
{
    struct display *const d = b->display;
    const struct ps_thread *const p = b->ps;
    int64_t first = INT32_MAX, last = -1;
    if (!d->info->compresses || i->is_buffer)
        return;
    const int64_t top = i->y + (int64_t)(i->first_slice + p->array_index) * i->qpitch;
    for (unsigned pixel = 0; pixel < SUBSPANS * SUBSPAN_PIXELS; pixel++) {
        const int64_t y = top + p->subspan_xy[pixel / SUBSPAN_PIXELS][1] + (pixel >> 1 & 1u);
        if (!(written >> pixel & 1u))
            continue;
        first = y < first ? y : first;
        last = y > last ? y : last;
    }
    if (first <= last && last < INT32_MAX)
        fbc_drawn(d, i->surface.base, (int32_t)first, (int32_t)last);
}

/* The writes of a message. */
struct target_write {
    struct message_context *b;
    const struct eu_send *m;
    const struct target_message *t;
    const struct target_plan *plan;
    const uint32_t (*subspan_xy)[2]; /* of the thread's subspans, in the target */
    uint32_t slice;                  /* array element of the target's, or a sample of one */
    unsigned sample;
    uint32_t taken, written; /* pixels of the thread */
    unsigned expanded;       /* the subspan whose block is not cleared */
    bool fills;              /* cleared blocks are filled when pixels are found, if that is possible */
    struct colors colors;
};

/* A pixel of the message that was written, or would have been to a null surface. */
static void trace_write(const struct target_write *w, unsigned n)
{
    const unsigned pixel = w->t->first + n;
    const uint32_t *const xy = w->subspan_xy[pixel / SUBSPAN_PIXELS];
    const uint32_t at[3] = {xy[0] + (pixel & 1u), xy[1] + (pixel >> 1 & 1u), w->slice};
    struct softgt_fragment f = {.step = SOFTGT_FRAGMENT_WRITTEN,
                                .passed = true,
                                .layer = w->b->ps->array_index,
                                .sample = w->sample,
                                .target = w->t->target,
                                .binding = w->m->descriptor & 0xffu};
    union softgt_color source;
    read_color(w->m, w->t, w->t->color, n, &source);
    memcpy(f.color, source.u, sizeof f.color);
    if (!w->plan->image.is_null && !w->t->nowhere)
        (void)image_pixel_address(&w->plan->image, at, &f.address);
    trace_pixel(w->b, f, pixel);
}

/* Pixels of the message's mask, one after the other. False: a fault. */
static bool write_pixels(struct target_write *w, uint32_t mask)
{
    struct message_context *const b = w->b;
    const struct target_message *const t = w->t;
    const struct image *const i = &w->plan->image;
    const struct render_target_blend *const how = &w->plan->output.how;
    const bool may_expand = w->plan->blocks.ccs.kind != CCS_NONE;
    FOR_EACH_CHANNEL(n, mask) {
        const unsigned pixel = t->first + n, subspan = pixel / SUBSPAN_PIXELS;
        const uint32_t at[3] = {w->subspan_xy[subspan][0] + (pixel & 1u),
                                w->subspan_xy[subspan][1] + (pixel >> 1 & 1u), w->slice};
        if (!passes_late(b, w->m, t, n, at))
            continue;
        w->taken |= 1u << pixel;
        if (i->is_null || t->nowhere) {
            if (traces_fragments(b))
                trace_write(w, n);
            continue;
        }
        read_color(w->m, t, t->color, n, &w->colors.source);
        if (t->second < t->depth)
            read_color(w->m, t, t->second, n, &w->colors.second);
        if ((may_expand && how->write_mask && w->expanded != subspan &&
             !fast_clear_expand(b, &w->plan->blocks, at)) ||
            !write_pixel(b, w->plan, at, &w->colors))
            return false;
        if (at[0] >= i->width || at[1] >= i->height || at[2] >= i->depth)
            continue;
        w->expanded = subspan; /* a subspan is of one block */
        w->written |= how->write_mask ? 1u << pixel : 0;
        if (traces_fragments(b))
            trace_write(w, n);
    }
    return true;
}

/* ---- Rows of pixels ---- */

/* Late tests that all pixels pass. */
static bool passes_all(const struct message_context *b)
{
    return !b->om->depth_stencil.enabled && !b->om->alpha_test_function && !b->ps->late_failed_mask;
}

/* A message whose pixels are written together, as far as the TLB has them. */
struct block_write {
    uint32_t x, y, slice_offset;                   /* where the slice begins in the surface, and in a tile */
    uint32_t colors[PIXEL_COMPONENTS][ROW_PIXELS]; /* of a message with one color */
    struct pixel_block block;
};

/* The color of a message that has one for all pixels, in a register. */
static void put_replicated(const struct eu_send *m, unsigned at,
                           uint32_t colors[PIXEL_COMPONENTS][ROW_PIXELS], struct pixel_block *block)
{
    for (unsigned c = 0; c < PIXEL_COMPONENTS; c++) {
        const uint32_t value = payload_dw(m, at, c);
        for (unsigned n = 0; n < ROW_PIXELS; n++)
            colors[c][n] = value;
        block->color[0][c] = block->color[1][c] = (const uint8_t *)colors[c];
    }
}

static void read_colors(const struct target_write *w, struct block_write *r)
{
    const struct target_message *const t = w->t;
    const unsigned rows = t->width / ROW_PIXELS, color = t->color + t->row, second = t->second + t->row;
    struct pixel_block *const block = &r->block;
    if (t->type->is_replicated)
        put_replicated(w->m, t->color, r->colors, block);
    const uint8_t *const part = w->m->payload[0];
    const bool in_part = part && t->color + PIXEL_COMPONENTS * t->rows <= w->m->payload_registers[0];
    for (unsigned n = 0; n < rows && !t->type->is_replicated; n++)
        for (unsigned c = 0; c < PIXEL_COMPONENTS; c++) {
            const unsigned at = color + c * t->rows + n;
            block->color[n][c] = in_part ? part + at * EU_REGISTER_BYTES : payload_register(w->m, at);
        }
    for (unsigned n = 0; n < rows && w->plan->output.blends; n++)
        for (unsigned c = 0; c < PIXEL_COMPONENTS; c++)
            block->second[n][c] =
                t->second < t->depth ? payload_register(w->m, second + c * t->rows + n) : payload_zeros;
}

/* Where the slice begins. False: subspans have lines that do not follow each other. */
static bool place_slice(const struct target_write *w, struct block_write *r)
{
    const struct image *const i = &w->plan->image;
    const struct tile_layout *const tiles = i->surface.tiles;
    const uint32_t slice = i->first_slice + w->slice, shift = tiles ? tiles->depth_shift : 0;
    r->x = i->x;
    r->y = i->y + (slice >> shift) * i->qpitch;
    r->slice_offset = shift ? tile_deposit(slice & ((1u << shift) - 1u), tiles->z_bits) : 0;
    return r->y % 2 == 0;
}

/* False: the pixels of the message are written one after the other. */
static bool block_write_init(const struct target_write *w, struct block_write *r)
{
    const struct message_context *const b = w->b;
    const struct target_plan *const p = w->plan;
    const struct image *const i = &p->image;
    const struct pixel_output *const o = &p->output;
    if (!p->has_rows || !b->pixels || w->t->nowhere || w->slice >= i->depth ||
        tracing(b->memory.log, TRACE_BY_PIXEL))
        return false;
    r->block.plan = p;
    r->block.lines = NULL;
    if (!place_slice(w, r))
        return false;
    read_colors(w, r);
    for (unsigned c = 0; c < PIXEL_COMPONENTS && o->blends; c++) {
        const float value = b->om->blend_constant[c],
                    limited = value > o->low[c] ? value < 1 ? value : 1 : o->low[c];
        r->block.constant[c] = o->how.clamp_enables & CLAMP_PRE_BLEND && o->clamps[c] ? limited : value;
    }
    return true;
}

static bool reads_pixels(const struct target_plan *p)
{
    return p->output.blends || p->output.how.write_mask != WRITE_ALL;
}

/* Counts pixels of a page. */
static void count_written(struct message_context *b, const struct target_plan *p, uint64_t address,
                          uint64_t page_bit, uint32_t mask)
{
    const struct mmu *const u = b->memory.mmu;
    const bool reads = reads_pixels(p);
    const unsigned pixels = count_pixels(mask);
    const uint64_t bytes = (uint64_t)pixels * p->format.bytes;
    count_stores_of_pages(b, page_bit, pixels);
    memory_count_stored(b->memory.counters, u, SPACE_PPGTT, address, bytes);
    if (reads)
        memory_count_loaded(b->memory.counters, u, SPACE_PPGTT, address, bytes);
    b->work.memory_accesses += reads ? 2 * pixels : pixels;
}

enum placed { PLACED, NOT_IN_TLB, MAY_BE_CLEARED };

static enum placed check_clear(const struct target_write *w, unsigned subspan, uint64_t address)
{
    const uint32_t *const xy = w->subspan_xy[subspan];
    const uint32_t at[3] = {xy[0], xy[1], w->slice};
    return w->plan->blocks.ccs.kind == CCS_NONE || w->expanded == subspan ||
                   fast_clear_is_known_filled(w->b, &w->plan->blocks, at, address) ||
                   (w->fills && fast_clear_expand_known(w->b, &w->plan->blocks, at, address))
               ? PLACED
               : MAY_BE_CLEARED;
}

/* All subspans of the message, if they are a square of 4 x 4 pixels in the target. */
static bool place_square(const struct target_write *w, struct block_write *r, uint64_t *address)
{
    const uint32_t *const at = w->subspan_xy[w->t->first / SUBSPAN_PIXELS];
    const struct target_plan *const p = w->plan;
    const struct subspan_access access = {r->x + at[0], r->y + at[1], 0, true, r->slice_offset};
    uint32_t offsets;
    if (w->t->width != MESSAGE_PIXELS || !subspans_are_square(at) || at[0] + 3 >= p->image.width ||
        at[1] + 3 >= p->image.height ||
        !subspan_find_square(&p->pixels, w->b->memory.mmu, &access, r->block.pixels, address))
        return false;
    return fast_clear_offsets(&p->blocks, &offsets) &&
           (!offsets || check_clear(w, w->t->first / SUBSPAN_PIXELS, *address) == PLACED);
}

/* Where the pixels of a message are. */
struct placement {
    uint32_t found, inside; /* pixels that are found at once; those of them in the target */
    bool is_square;         /* all have the page of the first address */
    enum placed why;        /* the pixel after the found ones is not */
    uint64_t address[MESSAGE_SUBSPANS];
};

/* Finds pixels of the mask up to the first that is not found at once. */
static void place_pixels(const struct target_write *w, struct block_write *r, uint32_t mask,
                         struct placement *p)
{
    enum { SUBSPAN = (1 << SUBSPAN_PIXELS) - 1 };
    const struct message_context *const b = w->b;
    const struct image *const i = &w->plan->image;
    p->found = p->inside = mask;
    p->why = PLACED;
    p->is_square = place_square(w, r, p->address);
    for (unsigned s = 0; !p->is_square && s * SUBSPAN_PIXELS < w->t->width; s++) {
        const unsigned first = s * SUBSPAN_PIXELS, subspan = w->t->first / SUBSPAN_PIXELS + s;
        const uint32_t *const at = w->subspan_xy[subspan];
        const uint32_t pixels = mask >> first & subspan_pixels_inside(at, i->width, i->height);
        p->inside &= ~((SUBSPAN & ~pixels) << first);
        if (!pixels)
            continue;
        if (!subspan_find(&w->plan->pixels, b->memory.mmu,
                          &(struct subspan_access){r->x + at[0], r->y + at[1], pixels, true, r->slice_offset},
                          r->block.pixels[s], &p->address[s]))
            p->why = NOT_IN_TLB;
        else
            p->why = check_clear(w, subspan, p->address[s]);
        if (p->why != PLACED) {
            p->found &= (1u << first) - 1u;
            break;
        }
    }
    p->inside &= p->found;
}

/* Whether no found pixel is on a page that a kernel was fetched from. */
static bool are_outside_kernels(const struct message_context *b, const struct placement *p)
{
    bool outside = true;
    for (unsigned s = 0; s < (p->is_square ? 1 : MESSAGE_SUBSPANS); s++)
        if (p->is_square || p->inside >> s * SUBSPAN_PIXELS & 15u)
            outside &= stores_are_outside_kernels(b, p->address[s]);
    return outside;
}

/* Writes found pixels. */
static void write_found(struct target_write *w, struct block_write *r, const struct placement *p,
                        uint32_t pixels)
{
    enum { SUBSPAN = (1 << SUBSPAN_PIXELS) - 1 };
    const uint32_t inside = r->block.mask = p->inside & pixels;
    if (inside)
        w->b->pixels->write(&r->block);
    for (unsigned s = 0; inside && s < (p->is_square ? 1 : MESSAGE_SUBSPANS); s++) {
        const uint32_t written = p->is_square ? inside : inside >> s * SUBSPAN_PIXELS & SUBSPAN;
        if (written)
            count_written(w->b, w->plan, p->address[s],
                          mmu_page_bit(w->b->memory.mmu, SPACE_PPGTT, p->address[s]), written);
    }
    w->taken |= pixels << w->t->first;
    w->written |= inside << w->t->first;
}

/* Fills the block of a subspan of which the target has pixels. False: a fault. */
static bool fill_subspan(struct target_write *w, unsigned first, uint32_t pixels)
{
    const unsigned subspan = (w->t->first + first) / SUBSPAN_PIXELS;
    const uint32_t *const xy = w->subspan_xy[subspan];
    const unsigned pixel = (unsigned)__builtin_ctz(
        pixels >> first & subspan_pixels_inside(xy, w->plan->image.width, w->plan->image.height));
    const uint32_t at[3] = {xy[0] + (pixel & 1u), xy[1] + (pixel >> 1), w->slice};
    w->expanded = subspan;
    return fast_clear_expand(w->b, &w->plan->blocks, at);
}

/* Tests pixels of a row that were not tested before, and removes those from the mask that failed. False:
 * nothing is done. */
static bool test_late_row(const struct target_write *w, unsigned first, uint32_t *mask)
{
    struct message_context *const b = w->b;
    const struct output_merger_state *const om = b->om;
    struct ps_thread *const p = b->ps;
    const unsigned pixel = w->t->first + first;
    const uint32_t untested = *mask & ~(p->late_tested_mask >> pixel);
    uint32_t passed = untested;
    float depth[ROW_PIXELS];
    if (w->t->has_stencil)
        return false;
    if (w->t->has_depth)
        memcpy(depth, payload_register(w->m, w->t->depth + w->t->row + first / ROW_PIXELS), sizeof depth);
    else
        memcpy(depth, p->pixel_depth + pixel, sizeof depth);
    FOR_EACH_CHANNEL(n, om->alpha_test_function ? untested : 0)
        if (!alpha_passes(om, alpha_of(w->m, w->t, first + n)))
            passed &= ~(1u << n);
    const uint32_t tested = passed;
    if (om->depth_stencil.enabled && tested &&
        !depth_test_row(
            b, &om->depth_stencil,
            &(struct depth_access){.subspan_xy = (const uint32_t(*)[2])p->subspan_xy + pixel / SUBSPAN_PIXELS,
                                   .mask = tested,
                                   .array_index = p->array_index,
                                   .depth = depth,
                                   .range = p->viewport_depth_range,
                                   .back_facing = p->back_facing,
                                   .late = true},
            &passed))
        return false;
    b->counters.pixel_tests[ALPHA_FAILED] += count_pixels(untested & ~tested);
    p->late_tested_mask |= untested << pixel;
    p->late_failed_mask |= (untested & ~passed) << pixel;
    *mask &= ~(p->late_failed_mask >> pixel);
    return true;
}

/* Tests and writes the pixels of the mask, row by row. False: a fault. */
static bool write_tested(struct target_write *w, struct block_write *r, uint32_t mask)
{
    enum { ROW = (1 << ROW_PIXELS) - 1 };
    for (unsigned first = 0; first < w->t->width; first += ROW_PIXELS) {
        uint32_t row = mask >> first & ROW;
        while (row) {
            struct placement p = {0};
            place_pixels(w, r, row << first, &p);
            if (p.why == PLACED && !message_faulted(w->b) && test_late_row(w, first, &row)) {
                write_found(w, r, &p, row << first);
                break;
            }
            const uint32_t pixels = row & 15u ? row & 15u : row;
            if (!write_pixels(w, pixels << first))
                return false;
            row &= ~pixels;
        }
    }
    return true;
}

/* Writes the pixels of the mask, as far as they are found together. Samples are tested before. False: a
 * fault.
 */
static bool write_block(struct target_write *w, struct block_write *r, uint32_t mask)
{
    const bool late = w->b->om->late_depth_stencil && !w->b->om->uses_samples;
    if (late && !passes_all(w->b))
        return write_tested(w, r, mask);
    while (mask) {
        struct placement p = {0};
        place_pixels(w, r, mask, &p);
        write_found(w, r, &p, p.found);
        w->b->ps->late_tested_mask |= late ? p.found << w->t->first : 0;
        mask &= ~p.found;
        if (!mask)
            break;
        const unsigned first = (unsigned)__builtin_ctz(mask) & ~(SUBSPAN_PIXELS - 1u);
        const uint32_t pixels = mask & 15u << first;
        if (p.why == MAY_BE_CLEARED ? !fill_subspan(w, first, pixels) : !write_pixels(w, pixels))
            return false;
        mask &= p.why == MAY_BE_CLEARED ? mask : ~pixels;
    }
    return true;
}

/* Writes the pixels of the mask. False: a fault. */
static bool write_target(struct target_write *w, uint32_t mask)
{
    struct block_write r;
    return block_write_init(w, &r) ? write_block(w, &r, mask) : write_pixels(w, mask);
}

/* Whether surface and message can be drawn. */
static bool is_drawable(struct message_context *b, const struct target_plan *p)
{
    if (p->image.is_null)
        return true;
    if (!p->image.format) {
        b->error_text = "a render target whose format has no pixels";
        b->not_modelled = true;
        return false;
    }
    return true;
}

/* The level that is drawn to is the one that sampling counts levels by. */
bool render_target_image(struct message_context *b, const struct eu_send *m, struct image *i)
{
    static const struct render_target_blend plain = {.logic_op = LOGIC_OP_NONE};
    const struct target_plan *const p = target_plan_find(b, m, &plain);
    *i = p->blocks;
    return is_drawable(b, p);
}

/* The pixels of a message whose sample oMask keeps. */
static uint32_t covered_by_mask(const struct eu_send *m, const struct target_message *t, uint32_t mask,
                                unsigned sample)
{
    enum { WORDS = EU_REGISTER_BYTES / 2 };
    FOR_EACH_CHANNEL(n, t->has_coverage ? mask : 0) {
        uint16_t samples;
        const unsigned word = t->coverage_word + n;
        memcpy(&samples, payload_register(m, t->coverage + word / WORDS) + word % WORDS * sizeof samples,
               sizeof samples);
        if (!(samples >> sample & 1u))
            mask &= ~(1u << n);
    }
    return mask;
}

/* ---- Several samples ---- */

static bool has_samples(const struct message_context *b, const struct target_plan *p)
{
    return b->om->uses_samples || p->image.samples_log2;
}

/* How many of a pixel's samples its alpha covers. Our choice: the first ones; with dithering, from another
 * one on in each pixel of a subspan. */
static unsigned alpha_samples(float alpha, unsigned count)
{
    enum { ROUND = 2 };
    return alpha > 0 ? (unsigned)((double)(alpha < 1 ? alpha : 1) * count + 1.0 / ROUND) : 0;
}

/* Depth and stencil tests of samples that were not tested early. Returns those that pass. */
static uint32_t test_samples_late(const struct target_write *w, uint32_t pixels, unsigned sample)
{
    enum { BYTES = 4 };
    struct message_context *const b = w->b;
    const struct target_message *const t = w->t;
    struct ps_thread *const p = b->ps;
    struct depth_stencil s = b->om->depth_stencil;
    uint32_t passed = 0;
    FOR_EACH_CHANNEL(n, pixels) {
        const unsigned pixel = t->first + n, subspan = pixel / SUBSPAN_PIXELS;
        uint32_t at[3] = {p->subspan_xy[subspan][0] + (pixel & 1u),
                          p->subspan_xy[subspan][1] + (pixel >> 1 & 1u), p->array_index};
        float depth = p->sample_depth[sample][pixel];
        if (t->has_depth) {
            const uint32_t bits = target_channel(w->m, t, t->depth, n);
            memcpy(&depth, &bits, sizeof depth);
        }
        if (t->has_stencil)
            s.side[p->back_facing].reference =
                (uint8_t)(payload_channel(w->m, t->stencil, n / BYTES) >> n % BYTES * 8u);
        samples_interleave(b->om->samples_log2, sample, at);
        if (depth_test(b, &s, p, at, depth, true))
            passed |= 1u << n;
    }
    return passed;
}

/* Whether what a message has, or late tests, leaves some samples out. */
static bool covers_fewer(const struct message_context *b, const struct target_message *t)
{
    const struct output_merger_state *const om = b->om;
    return t->has_coverage || om->alpha_to_coverage || om->alpha_test_function ||
           (om->late_depth_stencil && om->depth_stencil.enabled);
}

/* Pixels of which a message leaves a sample out. */
static void trace_left_out(const struct target_write *w, enum softgt_fragment_step step, unsigned sample,
                           uint32_t pixels)
{
    struct softgt_fragment f = {
        .step = step, .is_late = true, .layer = w->b->ps->array_index, .sample = sample};
    FOR_EACH_CHANNEL(n, pixels) {
        f.value = (double)alpha_of(w->m, w->t, n);
        trace_pixel(w->b, f, w->t->first + n);
    }
}

/* Likewise, of all that oMask, the alpha test and alpha to coverage leave out. */
struct covered_steps {
    uint32_t by_thread, by_mask, by_test, by_alpha; /* what each leaves */
};
static void trace_covered(const struct target_write *w, unsigned sample, const struct covered_steps *c)
{
    trace_left_out(w, SOFTGT_FRAGMENT_OUTPUT_MASK, sample, c->by_thread & ~c->by_mask);
    FOR_EACH_CHANNEL(n, w->b->om->alpha_test_function ? c->by_mask : 0) {
        struct softgt_fragment f = alpha_step(w->b, alpha_of(w->m, w->t, n), c->by_test >> n & 1u);
        f.sample = sample;
        trace_pixel(w->b, f, w->t->first + n);
    }
    trace_left_out(w, SOFTGT_FRAGMENT_ALPHA_TO_COVERAGE, sample, c->by_test & ~c->by_alpha);
}

/* At a pixel's first message: oMask, alpha to coverage and late tests leave some of its samples. */
static void cover_samples(const struct target_write *w, uint32_t pixels)
{
    struct message_context *const b = w->b;
    const struct output_merger_state *const om = b->om;
    struct ps_thread *const p = b->ps;
    const unsigned count = 1u << om->samples_log2, first = w->t->first;
    uint32_t alpha_passed = pixels, left = 0;
    uint8_t by_alpha[MESSAGE_PIXELS] = {0};
    FOR_EACH_CHANNEL(n, pixels) {
        const float alpha = alpha_of(w->m, w->t, n);
        by_alpha[n % MESSAGE_PIXELS] = (uint8_t)(om->alpha_to_coverage ? alpha_samples(alpha, count) : count);
        if (!alpha_test(b, om, alpha))
            alpha_passed &= ~(1u << n);
    }
    for (unsigned s = 0; s < count; s++) {
        struct covered_steps c = {.by_thread = pixels & p->samples[s] >> first};
        c.by_mask = covered_by_mask(w->m, w->t, c.by_thread, s);
        uint32_t covered = c.by_test = c.by_mask & alpha_passed;
        FOR_EACH_CHANNEL(n, covered)
            if (by_alpha[n % MESSAGE_PIXELS] <=
                (om->alpha_to_coverage_dither ? (s + n % SUBSPAN_PIXELS) % count : s))
                covered &= ~(1u << n);
        c.by_alpha = covered;
        if (traces_fragments(b))
            trace_covered(w, s, &c);
        if (om->late_depth_stencil && om->depth_stencil.enabled)
            covered = test_samples_late(w, covered, s);
        const uint32_t left_out = p->samples[s] & (pixels & ~covered) << first;
        p->left_out_samples += om->late_depth_stencil ? 0 : count_pixels(left_out);
        p->samples[s] &= ~left_out;
        left |= covered;
    }
    p->late_failed_mask |= (pixels & ~left) << first;
    p->late_tested_mask |= pixels << first;
}

/* Gives each sample of pixels its array element; `all`: pixels whose samples are all written. False: a fault.
 */
static bool expand_samples(const struct target_write *w, uint32_t pixels, uint32_t all)
{
    enum { SUBSPAN = (1 << SUBSPAN_PIXELS) - 1 };
    const struct target_plan *const plan = w->plan;
    if (w->t->nowhere || !plan->blocks.mcs.is_present || !plan->output.how.write_mask)
        return true;
    for (unsigned n = 0; pixels >> n; n += SUBSPAN_PIXELS) {
        const uint32_t *const xy = w->b->ps->subspan_xy[(w->t->first + n) / SUBSPAN_PIXELS],
                              at[3] = {xy[0], xy[1], w->b->ps->array_index};
        if (pixels >> n & SUBSPAN && mcs_is_known_expanded(w->b, &plan->blocks, at))
            pixels &= ~((uint32_t)SUBSPAN << n);
    }
    FOR_EACH_CHANNEL(n, pixels) {
        const unsigned pixel = w->t->first + n;
        const uint32_t *const xy = w->b->ps->subspan_xy[pixel / SUBSPAN_PIXELS],
                              at[3] = {xy[0] + (pixel & 1u), xy[1] + (pixel >> 1 & 1u),
                                       w->b->ps->array_index};
        if (!reads_pixels(plan) && plan->output.how.logic_op == LOGIC_OP_NONE && all >> n & 1u)
            mcs_note_expanded(w->b, &plan->blocks, at);
        else if (!mcs_expand(w->b, &plan->blocks, &plan->image, at))
            return false;
    }
    return !message_faulted(w->b);
}

/* Writes a sample of pixels that is interleaved with others. False: a fault. */
static bool write_interleaved(struct target_write *w, uint32_t pixels, unsigned sample)
{
    const struct ps_thread *const p = w->b->ps;
    uint32_t xy[SUBSPANS][2];
    memcpy(xy, p->subspan_xy, sizeof xy);
    for (unsigned n = 0; n < SUBSPANS; n++)
        samples_interleave(w->plan->image.samples_log2, sample, xy[n]);
    w->subspan_xy = (const uint32_t(*)[2])xy;
    w->slice = p->array_index;
    return write_pixels(w, pixels);
}

/* Writes samples of pixels, those of each in its mask. False: a fault. */
static bool write_each_sample(struct target_write *w, const uint32_t *pixels, unsigned count)
{
    const struct image *const i = &w->plan->image;
    struct block_write r;
    w->slice = w->b->ps->array_index << i->samples_log2;
    const bool has_rows = !i->interleaves_samples && block_write_init(w, &r);
    for (unsigned s = 0; s < count && s < 1u << i->samples_log2; s++) {
        if (!pixels[s])
            continue;
        w->slice = w->b->ps->array_index << i->samples_log2 | s;
        w->sample = s;
        if (i->interleaves_samples           ? !write_interleaved(w, pixels[s], s)
            : has_rows && place_slice(w, &r) ? !write_block(w, &r, pixels[s])
                                             : !write_pixels(w, pixels[s]))
            return false;
    }
    return true;
}

/* Writes the covered samples of the pixels in the mask, as far as the target has them. False: a fault. */
static bool write_samples(struct target_write *w, uint32_t mask)
{
    struct message_context *const b = w->b;
    const struct ps_thread *const p = b->ps;
    const unsigned first = w->t->first, count = 1u << b->om->samples_log2;
    uint32_t any = 0, every = mask, pixels[SAMPLES];
    if (!b->om->uses_samples) {
        mask = covered_by_mask(w->m, w->t, mask, 0);
        return expand_samples(w, mask, 0) && write_each_sample(w, &mask, 1);
    }
    if (covers_fewer(b, w->t))
        cover_samples(w, mask & ~(p->late_tested_mask >> first));
    for (unsigned s = 0; s < count; s++) {
        any |= pixels[s] = mask & p->samples[s] >> first;
        every &= pixels[s];
    }
    w->taken |= any << first;
    if (w->plan->image.is_null || w->t->nowhere) {
        for (w->sample = 0; traces_fragments(b) && w->sample < count; w->sample++)
            (void)write_pixels(w, pixels[w->sample]);
        return !message_faulted(b);
    }
    every = count == 1u << w->plan->image.samples_log2 ? every : 0;
    return expand_samples(w, any, every) && write_each_sample(w, pixels, count);
}

enum { HALF_PRECISION = 30, NOT_DONE = -1 };

/* Counts the written and taken pixels of a message. */
static void message_written(const struct target_write *w)
{
    struct message_context *const b = w->b;
    b->ps->unwritten_mask &= ~w->taken;
    pixel_event_count(b, PIXELS_WRITTEN, w->written, 0);
    if (w->written && w->plan->output.blends)
        pixel_event_count(b, PIXELS_BLENDED, w->written, 0);
}

/* Reads the thread's own pixels, as the target has them now: a component after the other, each of all
 * channels. (SKL PRM vol 2d and 7, Render Target Read; Mesa, brw: fb reads) */
static bool read_target(struct message_context *b, const struct eu_send *m)
{
    const struct ps_thread *const p = b->ps;
    static const uint8_t widths[2][2] = {{16, 8}, {16, 32}};
    const unsigned width = widths[b->info.target_parts_in_ex_descriptor][m->descriptor >> 8 & 1u],
                   first = slot_group(width, m->descriptor);
    struct image i, samples;
    if (!render_target_image(b, m, &i))
        return false;
    samples = i;
    image_divide_samples(&samples);
    FOR_EACH_CHANNEL(n, m->channels & UINT32_MAX >> (32u - width)) {
        const unsigned pixel = first + n;
        const uint32_t at[3] = {p->subspan_xy[pixel / SUBSPAN_PIXELS][0] + (pixel & 1u),
                                p->subspan_xy[pixel / SUBSPAN_PIXELS][1] + (pixel >> 1 & 1u), p->array_index};
        union softgt_color color = {.u = {0}};
        if (!i.is_null && !(i.samples_log2 ? image_read_sample(b, &i, &samples, at,
                                                               p->slot_sample[pixel / SUBSPAN_PIXELS], &color)
                                           : image_access_pixel(b, &i, at, &color, false)))
            return true;
        for (unsigned c = 0; c < PIXEL_COMPONENTS; c++)
            writeback_channel(m, c * (width / 8u), n, color.u[c]);
    }
    return true;
}

static bool is_smooth(const struct message_context *b)
{
    return b->smooth && b->smooth->kind != SMOOTH_NONE;
}

/* Messages of antialiased primitives and of coarse pixels are not planned: few draws have them. */
static bool is_planned(const struct message_context *b)
{
    return b->ps && !is_smooth(b) && !ps_is_coarse(b->ps) && !traces_fragments(b) && !b->om->fast_clear;
}

/* A sample of each pixel: those that oMask keeps. */
static bool write_single(struct target_write *w, uint32_t mask)
{
    const uint32_t kept = covered_by_mask(w->m, w->t, mask, 0);
    if (traces_fragments(w->b))
        trace_left_out(w, SOFTGT_FRAGMENT_OUTPUT_MASK, 0, mask & ~kept);
    return write_target(w, kept);
}

/* A clear of the first block is reported as one of the level: drivers clear whole levels. */
static void trace_clear(const struct target_write *w, const struct image *i, const uint32_t at[3])
{
    struct softgt_fragment f = {
        .step = SOFTGT_FRAGMENT_CLEARED, .passed = true, .x = i->width, .y = i->height, .layer = at[2]};
    (void)image_pixel_address(&w->plan->image, (const uint32_t[3]){0, 0, w->slice}, &f.address);
    trace_fragment(w->b, f);
}

/* Clears the blocks of the message's pixels. */
static void clear_blocks(struct target_write *w, uint32_t mask)
{
    const struct target_message *const t = w->t;
    FOR_EACH_CHANNEL(n, mask) {
        const unsigned pixel = t->first + n;
        const uint32_t *const xy = w->subspan_xy[pixel / SUBSPAN_PIXELS],
                              at[3] = {xy[0] + (pixel & 1u), xy[1] + (pixel >> 1 & 1u), w->slice};
        read_color(w->m, t, t->color, n, &w->colors.source);
        w->taken |= 1u << pixel;
        w->written |= 1u << pixel;
        if (traces_fragments(w->b) && !at[0] && !at[1])
            trace_clear(w, &w->plan->blocks, at);
        clear_block(w->b, &w->plan->blocks, at, &w->colors.source);
    }
}

/* Writes the thread's pixels. */
static void write_message(struct message_context *b, const struct eu_send *m, const struct target_message *t,
                          const struct target_plan *plan)
{
    struct ps_thread *const p = b->ps;
    struct message_copy smooth;
    if (is_smooth(b) && !t->type->is_replicated)
        m = smooth_message_make(
            &smooth, b, m, &(struct smooth_alphas){t->first, t->width, t->color + ALPHA * t->rows + t->row});
    struct target_write w = {.b = b,
                             .m = m,
                             .t = t,
                             .plan = plan,
                             .subspan_xy = (const uint32_t(*)[2])p->subspan_xy,
                             .slice = p->array_index,
                             .expanded = SUBSPANS};
    memcpy(w.colors.constant.f, b->om->blend_constant, sizeof w.colors.constant.f);
    const uint32_t mask = t->mask & p->coverage_mask >> t->first;
    if (b->om->fast_clear) {
        clear_blocks(&w, mask);
        message_written(&w);
        return;
    }
    const bool done = has_samples(b, plan) ? write_samples(&w, mask) : write_single(&w, mask);
    pixels_written(b, &plan->image, w.written);
    if (done)
        message_written(&w);
}

/* Writes all covered pixels of the thread's coarse pixels, one part of their subspans after the other. */
static void write_coarse_message(struct message_context *b, const struct eu_send *m,
                                 const struct target_message *t, const struct target_plan *plan)
{
    struct ps_thread *const p = b->ps;
    const unsigned samples = 1u << b->om->samples_log2;
    const uint32_t tested = p->late_tested_mask;
    const unsigned words = t->coverage + t->coverage_word / MESSAGE_PIXELS;
    struct coarse_layout l = {.first = t->alpha < t->coverage ? t->alpha : t->coverage,
                              .words = t->has_coverage ? words + 1u : 0,
                              .bytes = t->has_stencil ? t->stencil + 1u : 0,
                              .replicated = t->type->is_replicated ? t->color + 1u : 0};
    for (unsigned part = 0; part < coarse_part_count(p) && !message_faulted(b); part++) {
        struct ps_thread of_part;
        struct message_copy copy;
        struct target_message part_message = *t;
        coarse_layout_part(&l, p, part);
        coarse_message_make(&copy, m, &l);
        part_message.mask = coarse_part_channels(&l, t->mask);
        coarse_part_thread(p, part, samples, tested, &of_part);
        if (!of_part.coverage_mask)
            continue;
        if (b->om->late_depth_stencil)
            b->pixel_units->pixel_depths(b, &of_part);
        b->ps = &of_part;
        write_message(b, &copy.send, &part_message, plan);
        b->ps = p;
        coarse_part_done(p, part, samples, &of_part);
    }
}

bool render_target(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    struct target_message t;
    if (!b->ps) {
        b->error_text = "a message to a render target, of a thread that has no pixels";
        return false;
    }
    if (kind == MESSAGE_RENDER_TARGET_READ)
        return read_target(b, m);
    if (m->descriptor >> HALF_PRECISION & 1u) {
        b->error_text = "messages of half precision to render targets";
        b->not_modelled = true;
        return false;
    }
    for (unsigned half = 0; half < target_halves(b, m) && !message_faulted(b); half++) {
        if (!read_message(b, m, half, &t))
            return false;
        const struct target_plan *const plan = target_plan_find(b, m, &b->om->blend[t.target]);
        if (!t.nowhere && !is_drawable(b, plan))
            return false;
        if (ps_is_coarse(b->ps))
            write_coarse_message(b, m, &t, plan);
        else
            write_message(b, m, &t, plan);
    }
    return true;
}

/* ---- Planned messages ---- */

/* All pixels are found at once, and none is tested. */
static int write_planned(struct message_context *b, const struct eu_send *m)
{
    struct target_message t;
    struct block_write r;
    struct placement place = {0};
    if (b->display->info->compresses || m->descriptor >> HALF_PRECISION & 1u || target_halves(b, m) > 1 ||
        !read_message(b, m, 0, &t))
        return NOT_DONE;
    const bool late = b->om->late_depth_stencil;
    struct target_write w = {.b = b,
                             .m = m,
                             .t = &t,
                             .plan = target_plan_bound(b, m, &b->om->blend[t.target]),
                             .subspan_xy = (const uint32_t(*)[2])b->ps->subspan_xy,
                             .slice = b->ps->array_index,
                             .expanded = SUBSPANS,
                             .fills = true};
    if (!w.plan || has_samples(b, w.plan) || !block_write_init(&w, &r) || (late && !passes_all(b)))
        return NOT_DONE;
    const uint32_t mask = covered_by_mask(m, &t, t.mask & b->ps->coverage_mask >> t.first, 0);
    if (mask)
        place_pixels(&w, &r, mask, &place);
    if (place.found != mask || !are_outside_kernels(b, &place))
        return NOT_DONE;
    target_plan_count(b, m->descriptor);
    b->work.memory_accesses = 0;
    write_found(&w, &r, &place, mask);
    b->ps->late_tested_mask |= late ? mask << t.first : 0;
    message_written(&w);
    return (int)b->work.memory_accesses;
}

/* Sets up what such messages of a draw have in common, where their pixels are not tested. */
static void planned_target_init(struct planned_target *p, struct message_context *b, const struct eu_send *m,
                                uint32_t header)
{
    struct target_message t;
    struct block_write r;
    *p = (struct planned_target){.payload = {m->payload[0], m->payload[1]},
                                 .descriptor = m->descriptor,
                                 .ex_descriptor = m->ex_descriptor,
                                 .array_index = b->ps->array_index,
                                 .header = header,
                                 .pages_generation = pages_generation(b),
                                 .stores = stores_to_bindings(b),
                                 .filled_block = 1};
    if (b->display->info->compresses || m->descriptor >> HALF_PRECISION & 1u || target_halves(b, m) > 1 ||
        !read_message(b, m, 0, &t) || t.width != MESSAGE_PIXELS || t.has_coverage)
        return;
    const struct target_write w = {.b = b,
                                   .m = m,
                                   .t = &t,
                                   .plan = target_plan_bound(b, m, &b->om->blend[t.target]),
                                   .slice = b->ps->array_index};
    const bool tests = b->om->depth_stencil.enabled || b->om->alpha_test_function;
    if (!w.plan)
        p->payload[0] = NULL; /* the next message looks again */
    if (!w.plan || has_samples(b, w.plan) || !block_write_init(&w, &r) ||
        (b->om->late_depth_stencil && tests) || !w.plan->has_squares)
        return;
    p->first = (uint8_t)t.first;
    p->late = b->om->late_depth_stencil;
    p->has_mask = has_header(m);
    p->is_replicated = t.type->is_replicated;
    p->color = (uint8_t)t.color;
    p->x = r.x;
    p->y = r.y;
    p->slice_offset = r.slice_offset;
    p->block = r.block;
    p->is_valid = fast_clear_offsets(&w.plan->blocks, &p->block_offsets) &&
                  clear_filler_init(b, &w.plan->blocks, &p->filler);
    p->takes_squares = p->is_valid && !has_header(m) && !p->is_replicated;
}

/* Finds the page of an address, if it is present and no kernel is there. */
static INLINE bool find_page(struct planned_target *p, struct message_context *b, uint64_t address)
{
    const uint64_t page = address & ~(uint64_t)(PAGE_BYTES - 1);
    if (__builtin_expect(p->host && p->page == page && !(b->effects.kernel_pages & p->page_bit), 1))
        return true;
    p->host = message_fetch_written_page(b, page, &p->page_bit);
    p->page = page;
    return p->host;
}

/* Fills the block of a square, if it is cleared. False: that is not possible at once. */
static bool fill_block(struct planned_target *p, struct message_context *b, const uint32_t at[3],
                       uint64_t address)
{
    const struct image *const i = &p->block.plan->blocks;
    const uint64_t block = address & ~(uint64_t)p->block_offsets;
    if (p->filler.is_valid
            ? !clear_filler_fill(b, i, &p->filler, at, p->host + block % PAGE_BYTES, p->page_bit)
            : !fast_clear_is_known_filled(b, i, at, address) && !fast_clear_expand_known(b, i, at, address))
        return false;
    if (b->effects.nothing) /* else the thread may clear it by other messages */
        p->filled_block = block;
    return true;
}

/* Counts the stores of pixels to the page that was found last. */
static INLINE void count_page(struct message_context *b, const struct planned_target *p, unsigned pixels)
{
    const struct target_plan *const plan = p->block.plan;
    const struct mmu *const u = b->memory.mmu;
    const uint64_t bytes = (uint64_t)pixels * plan->format.bytes;
    count_stores_of_pages(b, p->page_bit, pixels);
    memory_count_stored(b->memory.counters, u, SPACE_PPGTT, p->page, bytes);
    if (reads_pixels(plan))
        memory_count_loaded(b->memory.counters, u, SPACE_PPGTT, p->page, bytes);
}

/* Counts the written pixels, and returns the message's accesses. */
static INLINE int count_message_pixels(struct message_context *b, const struct planned_target *p,
                                       uint32_t mask)
{
    enum { ALL = UINT16_MAX };
    struct ps_thread *const ps = b->ps;
    struct message_counters *const c = &b->counters;
    const struct target_plan *const plan = p->block.plan;
    const unsigned pixels = mask == ALL ? MESSAGE_PIXELS : count_pixels(mask),
                   subspans = mask == ALL ? MESSAGE_SUBSPANS : covered_subspans(mask);
    target_plan_count(b, p->descriptor);
    ps->late_tested_mask |= p->late ? mask << p->first : 0;
    ps->unwritten_mask &= ~(mask << p->first);
    c->pixel_event_subspans[PIXELS_WRITTEN] += subspans;
    c->pixel_events[PIXELS_WRITTEN] += pixels;
    if (plan->output.blends) {
        c->pixel_event_subspans[PIXELS_BLENDED] += subspans;
        c->pixel_events[PIXELS_BLENDED] += pixels;
    }
    b->work.memory_accesses = reads_pixels(plan) ? 2 * pixels : pixels;
    return (int)b->work.memory_accesses;
}

/* Finds the page of pixels that are in one block and on one page, and fills the block. */
static INLINE bool find_pixels(struct planned_target *p, struct message_context *b, const uint32_t *xy,
                               uint64_t address)
{
    if (!find_page(p, b, address))
        return false;
    if (!p->block_offsets || p->filled_block == (address & ~(uint64_t)p->block_offsets))
        return true;
    return fill_block(p, b, (const uint32_t[3]){xy[0], xy[1], p->array_index}, address);
}

/* Writes the pixels of a thread that are a square of 4 x 4 pixels in the target. */
static INLINE int write_square(struct planned_target *p, struct message_context *b, uint32_t mask)
{
    const struct target_plan *const plan = p->block.plan;
    const uint32_t *const xy = b->ps->subspan_xy[p->first / SUBSPAN_PIXELS];
    uint64_t address;
    if (xy[0] + 3u >= plan->image.width || xy[1] + 3u >= plan->image.height || !subspans_are_square(xy) ||
        !subspan_square_address(&plan->pixels, p->x + xy[0], p->y + xy[1], &address) ||
        !find_pixels(p, b, xy, address += p->slice_offset))
        return NOT_DONE;
    uint8_t *const host = p->host + address % PAGE_BYTES;
    p->block.lines = plan->has_lines ? host : NULL;
    if (!plan->has_lines)
        subspan_square_pixels(&plan->pixels, host, p->block.pixels);
    p->block.mask = mask;
    b->pixels->write(&p->block);
    count_page(b, p, mask == UINT16_MAX ? MESSAGE_PIXELS : count_pixels(mask));
    return count_message_pixels(b, p, mask);
}

/* Writes the pixels of subspans anywhere in the target. */
static int write_subspans(struct planned_target *p, struct message_context *b, uint32_t mask)
{
    const struct target_plan *const plan = p->block.plan;
    const struct ps_thread *const ps = b->ps;
    unsigned pages = 0;
    for (unsigned s = 0; s < MESSAGE_SUBSPANS; s++) {
        const uint32_t pixels = mask >> s * SUBSPAN_PIXELS & 15u;
        const uint32_t *const xy = ps->subspan_xy[p->first / SUBSPAN_PIXELS + s];
        const uint64_t before = p->page;
        if (!pixels)
            continue;
        if (pixels & ~subspan_pixels_inside(xy, plan->image.width, plan->image.height))
            return NOT_DONE;
        const uint64_t address =
            subspan_tiled_address(&plan->pixels, (p->x + xy[0]) * plan->pixels.bytes, p->y + xy[1]) +
            p->slice_offset;
        if (!find_pixels(p, b, xy, address))
            return NOT_DONE;
        pages += p->page != before || !pages;
        p->block.pixels[s][0] = p->host + address % PAGE_BYTES;
        p->block.pixels[s][1] = p->block.pixels[s][0] + plan->pixels.down;
    }
    if (pages != 1) /* each would be counted */
        return NOT_DONE;
    p->block.lines = NULL;
    p->block.mask = mask;
    b->pixels->write(&p->block);
    count_page(b, p, count_pixels(mask));
    return count_message_pixels(b, p, mask);
}

/* Writes the pixels of a thread, as far as they are found at once. */
static int write_thread(struct planned_target *p, struct message_context *b, const struct eu_send *m)
{
    enum { MASK = 7 };
    const struct ps_thread *const ps = b->ps;
    const uint32_t mask = m->channels & ps->coverage_mask >> p->first & UINT16_MAX &
                          (p->has_mask ? payload_dw(m, 1, MASK) : UINT16_MAX);
    if (!mask || (p->late && ps->late_failed_mask))
        return NOT_DONE;
    if (p->is_replicated)
        put_replicated(m, p->color, p->colors, &p->block);
    const int accesses = write_square(p, b, mask);
    return accesses < 0 ? write_subspans(p, b, mask) : accesses;
}

int render_target_planned(struct message_context *b, const struct eu_send *m)
{
    if (!is_planned(b))
        return NOT_DONE;
    struct planned_target *const p = &b->caches.planned_targets[m->descriptor % PLANNED_TARGETS];
    const uint32_t header = has_header(m) ? header_of(m) : 0;
    if (p->payload[0] != m->payload[0] || p->header != header || p->payload[1] != m->payload[1] ||
        p->descriptor != m->descriptor || p->ex_descriptor != m->ex_descriptor ||
        p->pages_generation != pages_generation(b) || p->stores != stores_to_bindings(b) ||
        p->array_index != b->ps->array_index)
        planned_target_init(p, b, m, header);
    const int accesses = p->is_valid ? write_thread(p, b, m) : NOT_DONE;
    const int written = accesses < 0 ? write_planned(b, m) : accesses;
    return written < 0 ? NOT_DONE : (int)message_cost((uint32_t)written, 0);
}

int render_target_square(struct message_context *b, const struct eu_thread *t,
                         const struct eu_message_plan *m)
{
    struct planned_target *const p = &b->caches.planned_targets[m->descriptor % PLANNED_TARGETS];
    const struct ps_thread *const ps = b->ps;
    if (!p->takes_squares || p->descriptor != m->descriptor || p->ex_descriptor != m->ex_descriptor ||
        p->payload[0] != t->grf + m->payload_byte[0] || p->payload[1] != t->grf + m->payload_byte[1] ||
        p->pages_generation != pages_generation(b) || p->stores != stores_to_bindings(b) || !is_planned(b) ||
        p->array_index != ps->array_index || (ps->coverage_mask >> p->first & UINT16_MAX) != UINT16_MAX ||
        (p->late && ps->late_failed_mask))
        return NOT_DONE;
    const int accesses = write_square(p, b, UINT16_MAX);
    return accesses < 0 ? NOT_DONE : (int)message_cost((uint32_t)accesses, 0);
}
