/*
 * Render target writes: the colors of a thread's pixels go to the surface of an index, through late tests and
 * blending. Not modelled: multisampled targets, half precision messages. (SKL PRM vol 7, Render Target Write;
 * Mesa, brw_eu.h)
 */
#include "shared_function/image.h"

/* ---- Blending: of floats ---- */

enum blend_factor {
    BLENDFACTOR_ONE = 1,
    BLENDFACTOR_SRC_COLOR,
    BLENDFACTOR_SRC_ALPHA,
    BLENDFACTOR_DST_ALPHA,
    BLENDFACTOR_DST_COLOR,
    BLENDFACTOR_SRC_ALPHA_SATURATE,
    BLENDFACTOR_CONST_COLOR,
    BLENDFACTOR_CONST_ALPHA,
    BLENDFACTOR_SRC1_COLOR,
    BLENDFACTOR_SRC1_ALPHA,
    BLENDFACTOR_INVERSE = 16 /* and above: one less the factor */
};
enum {
    BLENDFUNCTION_ADD,
    BLENDFUNCTION_SUBTRACT,
    BLENDFUNCTION_REVERSE_SUBTRACT,
    BLENDFUNCTION_MIN,
    BLENDFUNCTION_MAX
};
enum { RED, GREEN, BLUE, ALPHA, COMPONENTS };

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

static vec4 blend(const struct colors *c, unsigned function, unsigned from, unsigned to)
{
    const vec4 s = vec4_of(&c->source), d = vec4_of(&c->destination);
    switch (function) {
    case BLENDFUNCTION_SUBTRACT:
        return s * blend_factors(c, from) - d * blend_factors(c, to);
    case BLENDFUNCTION_REVERSE_SUBTRACT:
        return d * blend_factors(c, to) - s * blend_factors(c, from);
    case BLENDFUNCTION_MIN:
        return select4(s < d, s, d);
    case BLENDFUNCTION_MAX:
        return select4(s > d, s, d);
    default:
        return s * blend_factors(c, from) + d * blend_factors(c, to);
    }
}

/* ---- Pixels ---- */

static bool has_integers(const struct softgt_format *f)
{
    for (unsigned i = 0; i < COMPONENTS; i++)
        if (f->part[i].bits && (f->part[i].kind == SOFTGT_UINT || f->part[i].kind == SOFTGT_SINT))
            return true;
    return false;
}

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

/* The way of a message's pixels to its target: the same for all of them. */
struct pixel_output {
    const struct image *image;
    const struct render_target_blend *how;
    bool has_integers, blends;
    bool clamps[COMPONENTS]; /* to the range of the blend state, or to the format's; integers are not clamped
                              */
    float low[COMPONENTS];   /* the range's lower end; the upper one is 1 */
};

static struct pixel_output pixel_output_of(const struct image *i, const struct render_target_blend *how)
{
    struct pixel_output o = {.image = i, .how = how};
    if (!i->format)
        return o;
    o.has_integers = has_integers(i->format);
    o.blends = how->enabled && how->logic_op == LOGIC_OP_NONE && !o.has_integers;
    for (unsigned n = 0; n < COMPONENTS; n++) {
        const unsigned kind = i->format->part[n].bits ? i->format->part[n].kind : i->format->part[0].kind;
        const bool is_signed = how->clamp_range == CLAMP_RANGE_SNORM ||
                               (how->clamp_range == CLAMP_RANGE_FORMAT && kind == SOFTGT_SNORM);
        o.low[n] = is_signed ? -1 : 0;
        o.clamps[n] = kind != SOFTGT_UINT && kind != SOFTGT_SINT &&
                      !(how->clamp_range >= CLAMP_RANGE_FORMAT && kind == SOFTGT_FLOAT);
    }
    return o;
}

static void clamp(const struct pixel_output *o, union softgt_color *color)
{
    for (unsigned n = 0; n < COMPONENTS; n++)
        if (o->clamps[n])
            color->f[n] = color->f[n] > o->low[n] ? color->f[n] < 1 ? color->f[n] : 1 : o->low[n];
}

/* Components that the write mask excludes keep their value. */
static bool write_pixel(struct message_context *b, const struct pixel_output *o, const uint32_t at[3],
                        struct colors *c)
{
    enum { ALL = (1 << COMPONENTS) - 1 };
    const struct image *const i = o->image;
    const struct render_target_blend *const how = o->how;
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
    if (o->blends || how->write_mask != ALL) {
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
    for (unsigned n = 0; n < COMPONENTS && how->write_mask != ALL; n++)
        if (!(how->write_mask >> n & 1u))
            color.u[n] = kept.u[n];
    return image_access_pixel(b, i, at, &color, true);
}

/* ---- Messages ---- */

enum { SIMD16, SIMD16_REPLICATED, DUAL_SOURCE_LOW, DUAL_SOURCE_HIGH, SIMD8 };

/* Where the parts of a payload are. */
struct target_message {
    unsigned type, width, first; /* first: of the thread's pixels */
    unsigned alpha, coverage, color, second, depth;
    uint32_t mask; /* of the message's pixels */
    uint32_t target;
    bool has_coverage, nowhere;
};

/* A header is two registers: the target's number, the mask of pixels. Without one that is the thread's own,
 * and the extended descriptor has the number, from Gen11 on. */
static bool read_message(const struct message_context *b, const struct eu_send *m, struct target_message *t)
{
    enum { HEADER_REGISTERS = 2, NUMBER = 2, MASK = 7, ALPHA_PRESENT = 11, ALPHA_PRESENT_EXTENDED = 15 };
    const uint32_t d = m->descriptor;
    const bool header = has_header(m);
    *t = (struct target_message){.type = d >> 8 & 7u};
    t->width = t->type == SIMD16 || t->type == SIMD16_REPLICATED ? 16 : 8;
    t->first = (d >> 11 & 1u) * 16u + (t->type == DUAL_SOURCE_HIGH ? 8u : 0);
    t->mask = m->channels & ((1u << t->width) - 1u);
    t->target = header ? payload_dw(m, 0, NUMBER) & 7u : m->ex_descriptor >> 12 & 7u;
    t->nowhere = !header && m->ex_descriptor >> 20 & 1u;
    unsigned at = 0;
    bool alpha = !header && m->ex_descriptor >> ALPHA_PRESENT_EXTENDED & 1u;
    if (header) {
        t->mask &= payload_dw(m, 1, MASK) >> (t->type == DUAL_SOURCE_HIGH ? 8 : 0);
        alpha = payload_dw(m, 0, 0) >> ALPHA_PRESENT & 1u;
        at = HEADER_REGISTERS;
    }
    t->alpha = at;
    if (alpha)
        at += t->width / 8u;
    t->has_coverage = b->om->omask_present;
    t->coverage = at;
    at += t->has_coverage;
    t->color = at;
    if (!alpha)
        t->alpha = at + (t->type == SIMD16_REPLICATED ? 0 : ALPHA * t->width / 8u);
    at += t->type == SIMD16_REPLICATED ? 1 : COMPONENTS * t->width / 8u;
    t->second = at;
    at += t->type == DUAL_SOURCE_LOW || t->type == DUAL_SOURCE_HIGH ? COMPONENTS : 0;
    t->depth = at;
    at += b->om->computed_depth ? t->width / 8u : 0;
    return t->type <= SIMD8 && at <= payload_registers(m);
}

static void read_color(const struct eu_send *m, const struct target_message *t, unsigned at, unsigned pixel,
                       union softgt_color *color)
{
    for (unsigned n = 0; n < COMPONENTS; n++)
        color->u[n] = t->type == SIMD16_REPLICATED ? payload_dw(m, at, n)
                                                   : payload_channel(m, at + n * (t->width / 8u), pixel);
}

/* Of the first target, whichever the message is for. */
static float alpha_of(const struct eu_send *m, const struct target_message *t, unsigned n)
{
    const uint32_t bits = t->type == SIMD16_REPLICATED && t->alpha == t->color
                              ? payload_dw(m, t->alpha, ALPHA)
                              : payload_channel(m, t->alpha, n);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* If the tests run after the shader, they run at the pixel's first message. */
static bool passes_late(struct message_context *b, const struct eu_send *m, const struct target_message *t,
                        unsigned n, const uint32_t at[3])
{
    struct ps_thread *const p = b->ps;
    const unsigned pixel = t->first + n;
    float depth = p->pixel_depth[pixel];
    if (!b->om->late_depth_stencil)
        return true;
    if (!(p->late_tested_mask >> pixel & 1u)) {
        p->late_tested_mask |= 1u << pixel;
        if (b->om->computed_depth) {
            const uint32_t bits = payload_channel(m, t->depth, n);
            memcpy(&depth, &bits, sizeof depth);
        }
        if (!alpha_test(b, b->om, alpha_of(m, t, n)) ||
            !depth_test(b, &b->om->depth_stencil, p, at, depth, true))
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

/* The level that is drawn to is the one that sampling counts levels by. */
bool render_target_image(struct message_context *b, const struct eu_send *m, struct image *i)
{
    message_image(b, m, SURFACE_RENDER_TARGET_VIEW_EXTENT, i);
    if (i->is_null)
        return true;
    if (!i->format) {
        b->error_text = "a render target whose format has no pixels";
        b->not_modelled = true;
        return false;
    }
    if (surface_field(&i->state, SURFACE_NUMBER_OF_MULTISAMPLES)) {
        b->error_text = "a render target of several samples";
        b->not_modelled = true;
        return false;
    }
    if (!i->is_buffer)
        image_select_level(i, surface_field(&i->state, SURFACE_MIP_COUNT_LOD));
    return true;
}

bool render_target(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { HALF_PRECISION = 30 };
    struct ps_thread *const p = b->ps;
    struct target_message t;
    struct image image, blocks;
    unsigned expanded = SUBSPANS;
    (void)kind;
    if (!p) {
        b->error_text = "a message to a render target, of a thread that has no pixels";
        return false;
    }
    if (m->descriptor >> HALF_PRECISION & 1u) {
        b->error_text = "messages of half precision to render targets";
        b->not_modelled = true;
        return false;
    }
    if (!read_message(b, m, &t) || !render_target_image(b, m, &image))
        return false;
    uint32_t taken = 0, written = 0;
    const bool may_expand = image.ccs.kind != CCS_NONE;
    if (may_expand) {
        blocks = image;
        image.ccs.kind = CCS_NONE; /* of what is expanded first */
    }
    struct colors c = {.source = {.u = {0}}};
    memcpy(c.constant.f, b->om->blend_constant, sizeof c.constant.f);
    const struct render_target_blend *const how = &b->om->blend[t.target];
    const struct pixel_output output = pixel_output_of(&image, how);
    FOR_EACH_CHANNEL(n, t.mask & p->coverage_mask >> t.first) {
        const unsigned pixel = t.first + n, subspan = pixel / SUBSPAN_PIXELS;
        const uint32_t at[3] = {p->subspan_xy[subspan][0] + (pixel & 1u),
                                p->subspan_xy[subspan][1] + (pixel >> 1 & 1u), p->array_index};
        uint16_t samples = 1;
        if (t.has_coverage)
            memcpy(&samples, payload_register(m, t.coverage) + n * sizeof samples, sizeof samples);
        if (!(samples & 1u) || !passes_late(b, m, &t, n, at))
            continue;
        taken |= 1u << pixel;
        if (image.is_null || t.nowhere)
            continue;
        read_color(m, &t, t.color, n, &c.source);
        if (t.second < t.depth)
            read_color(m, &t, t.second, n, &c.second);
        if ((may_expand && how->write_mask && expanded != subspan && !fast_clear_expand(b, &blocks, at)) ||
            !write_pixel(b, &output, at, &c)) {
            pixels_written(b, &image, written);
            return true;
        }
        expanded = subspan; /* a subspan is of one block */
        if (how->write_mask && at[0] < image.width && at[1] < image.height && at[2] < image.depth)
            written |= 1u << pixel;
    }
    pixels_written(b, &image, written);
    p->unwritten_mask &= ~taken;
    pixel_event_count(b, PIXELS_WRITTEN, written, 0);
    if (written && output.blends)
        pixel_event_count(b, PIXELS_BLENDED, written, 0);
    return true;
}
