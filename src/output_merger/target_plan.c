/* Makes and finds the plans of render targets. */
#include "output_merger/target_plan.h"

#include "output_merger/pixel_rows.h"
#include "shared_function/image.h"

const struct pixel_functions *pixel_functions_of(enum eu_simd_level level)
{
#if HAS_LEVEL_V4
    if (level >= EU_SIMD_V4)
        return &pixel_functions_v4;
#endif
#if defined(__x86_64__)
    if (level >= EU_SIMD_V3)
        return &pixel_functions_v3;
#endif
    (void)level;
    return &pixel_functions_any;
}

/* ---- Formats ---- */

static enum component_codec codec_of(const struct softgt_format_part *c)
{
    enum { MOST_SCALED_BITS = 22 };
    switch (c->kind) {
    case SOFTGT_COMPONENT_UNORM:
        return c->bits <= MOST_SCALED_BITS ? COMPONENT_UNORM : COMPONENT_NONE;
    case SOFTGT_COMPONENT_SNORM:
        return c->bits > 1 && c->bits <= MOST_SCALED_BITS ? COMPONENT_SNORM : COMPONENT_NONE;
    case SOFTGT_COMPONENT_SRGB:
        return c->bits == 8 ? COMPONENT_SRGB : COMPONENT_NONE;
    case SOFTGT_COMPONENT_UINT:
        return c->bits <= 32 ? COMPONENT_UINT : COMPONENT_NONE;
    case SOFTGT_COMPONENT_SINT:
        return c->bits <= 32 ? COMPONENT_SINT : COMPONENT_NONE;
    case SOFTGT_COMPONENT_FLOAT:
        return c->bits == 16                    ? COMPONENT_FLOAT16
               : c->bits == 32                  ? COMPONENT_FLOAT32
               : c->bits == 10 || c->bits == 11 ? COMPONENT_UNSIGNED_FLOAT
                                                : COMPONENT_NONE;
    default:
        return COMPONENT_NONE;
    }
}

static bool row_format_init(struct row_format *to, const struct softgt_format *f)
{
    *to = (struct row_format){.bytes = f->bytes};
    if (f->shared_exponent || (f->bytes & (f->bytes - 1u)))
        return false;
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
        const struct softgt_format_part *const part = &f->part[n];
        struct row_component *const c = &to->component[n];
        if (!part->bits)
            continue;
        *c = (struct row_component){.codec = (uint8_t)codec_of(part),
                                    .dword = part->first / 32u,
                                    .first = part->first % 32u,
                                    .bits = part->bits};
        for (unsigned before = 0; before < n; before++)
            c->is_alias |= f->part[before].bits && f->part[before].first == part->first;
        if (c->codec == COMPONENT_NONE || c->first + c->bits > 32)
            return false;
    }
    return true;
}

/* The code of a format's rows. */
static enum row_codec row_codec_of(const struct row_format *f)
{
    const struct row_component *const c = f->component;
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
        if (f->bytes != 4 || c[n].codec != COMPONENT_UNORM || c[n].bits != 8 || c[n].is_alias)
            return ROW_ANY;
    if (c[1].first != 8 || c[3].first != 24)
        return ROW_ANY;
    return c[0].first == 0 ? ROW_RGBA8_UNORM : ROW_BGRA8_UNORM;
}

static bool has_integers(const struct softgt_format *f)
{
    for (unsigned i = 0; i < PIXEL_COMPONENTS; i++)
        if (f->part[i].bits &&
            (f->part[i].kind == SOFTGT_COMPONENT_UINT || f->part[i].kind == SOFTGT_COMPONENT_SINT))
            return true;
    return false;
}

static struct pixel_output pixel_output_of(const struct image *i, const struct render_target_blend *how)
{
    struct pixel_output o = {.how = *how};
    if (!i->format)
        return o;
    o.has_integers = has_integers(i->format);
    o.blends = how->enabled && how->logic_op == LOGIC_OP_NONE && !o.has_integers;
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++) {
        const unsigned kind = i->format->part[n].bits ? i->format->part[n].kind : i->format->part[0].kind;
        const bool is_signed = how->clamp_range == CLAMP_RANGE_SNORM ||
                               (how->clamp_range == CLAMP_RANGE_FORMAT && kind == SOFTGT_COMPONENT_SNORM);
        o.low[n] = is_signed ? -1 : 0;
        o.clamps[n] = kind != SOFTGT_COMPONENT_UINT && kind != SOFTGT_COMPONENT_SINT &&
                      !(how->clamp_range >= CLAMP_RANGE_FORMAT && kind == SOFTGT_COMPONENT_FLOAT);
    }
    return o;
}

/* Whether all components are blended over what is there by the source's alpha. */
static bool blends_over(const struct pixel_output *o)
{
    enum { OTHERS = BLENDFACTOR_INVERSE | BLENDFACTOR_SRC_ALPHA };
    const struct render_target_blend *const how = &o->how;
    bool is_usual = o->blends && !how->alpha_to_one && how->write_mask == WRITE_ALL &&
                    how->color_function == BLENDFUNCTION_ADD && how->alpha_function == BLENDFUNCTION_ADD &&
                    how->color_source_factor == BLENDFACTOR_SRC_ALPHA &&
                    how->alpha_source_factor == BLENDFACTOR_SRC_ALPHA &&
                    how->color_destination_factor == OTHERS && how->alpha_destination_factor == OTHERS;
    for (unsigned n = 0; n < PIXEL_COMPONENTS; n++)
        is_usual &= o->clamps[n] && o->low[n] == 0;
    return is_usual;
}

/* ---- Plans ---- */

static bool pixels_init(struct subspan_surface *to, const struct image *i)
{
    return !i->is_null && !i->is_buffer && !i->is_linear_1d && !i->is_volume_in_rows && i->x % 2 == 0 &&
           subspan_surface_init(to, &i->surface, i->format->bytes);
}

static void plan_init(struct message_context *b, const struct surface_state *s,
                      const struct render_target_blend *how, struct target_plan *p)
{
    struct image *const i = &p->blocks;
    p->state = *s;
    surface_state_image(b, s, SURFACE_RENDER_TARGET_VIEW_EXTENT, i);
    if (!i->is_null && !i->is_buffer && i->format)
        image_select_level(i, surface_field(s, SURFACE_MIP_COUNT_LOD));
    p->image = *i;
    p->image.ccs.kind = CCS_NONE;
    image_divide_samples(&p->image);
    p->output = pixel_output_of(&p->image, how);
    p->has_rows = p->image.format && !p->image.interleaves_samples && how->logic_op >= LOGIC_OP_NONE &&
                  how->write_mask && row_format_init(&p->format, p->image.format) &&
                  pixels_init(&p->pixels, &p->image);
    p->has_squares = p->has_rows && subspan_squares_have_pages(&p->pixels);
    p->has_lines = p->has_squares && subspan_squares_have_lines(&p->pixels);
    p->row_codec = p->has_rows ? (uint8_t)row_codec_of(&p->format) : ROW_ANY;
    p->is_plain = p->has_lines && p->row_codec != ROW_ANY && !p->output.blends && !how->alpha_to_one &&
                  how->write_mask == WRITE_ALL;
    p->is_over = p->has_lines && p->row_codec != ROW_ANY && blends_over(&p->output);
}

enum { SURFACE_INDEX = 0xff };

/* Bytes that are loaded from local memory. */
static uint32_t local_bytes(const struct message_context *b, uint64_t address, uint32_t size_bytes)
{
    const struct mmu *const u = b->memory.mmu;
    return u->accounts_local && mmu_is_local(u, SPACE_PPGTT, address) ? size_bytes : 0;
}

/* Remembers where the state of an index was, if the TLB has both pages. */
static void bind(struct message_context *b, struct target_plan_cache_entry *c, uint32_t index)
{
    enum { ENTRY_BYTES = 4 };
    const struct mmu *const u = b->memory.mmu;
    const uint32_t state_bytes = surface_state_bytes(c->plan.state.row);
    const uint64_t entry_at = b->kernel.binding_table + index * ENTRY_BYTES;
    const void *const host = mmu_cached(u, SPACE_PPGTT, entry_at, ENTRY_BYTES, false);
    uint32_t entry;
    c->is_bound = false;
    if (!host)
        return;
    memcpy(&entry, host, sizeof entry);
    const uint64_t state_at = b->kernel.surface_state_base + surface_pointer(b, entry);
    if (!mmu_cached(u, SPACE_PPGTT, state_at, state_bytes, false))
        return;
    note_binding_pages(b, entry_at, state_at);
    c->pages_generation = pages_generation(b);
    c->binding_table = b->kernel.binding_table;
    c->surface_state_base = b->kernel.surface_state_base;
    c->stores = stores_to_bindings(b);
    c->index = index;
    c->local_bytes = local_bytes(b, entry_at, ENTRY_BYTES) + local_bytes(b, state_at, state_bytes);
    c->is_bound = true;
}

static struct target_plan_cache_entry *target_plan_entry(struct message_context *b, const struct eu_send *m)
{
    return &b->caches.targets[(m->descriptor & SURFACE_INDEX) % TARGET_PLANS];
}

const struct target_plan *target_plan_bound(struct message_context *b, const struct eu_send *m,
                                            const struct render_target_blend *how)
{
    const struct target_plan_cache_entry *const c = target_plan_entry(b, m);
    const bool is_bound =
        c->is_bound && c->index == (m->descriptor & SURFACE_INDEX) &&
        c->pages_generation == pages_generation(b) && c->binding_table == b->kernel.binding_table &&
        c->surface_state_base == b->kernel.surface_state_base && c->stores == stores_to_bindings(b) &&
        memcmp(&c->plan.output.how, how, sizeof *how) == 0;
    return is_bound ? &c->plan : NULL;
}

void target_plan_count(struct message_context *b, uint32_t descriptor)
{
    b->memory.counters->local_loaded +=
        b->caches.targets[(descriptor & SURFACE_INDEX) % TARGET_PLANS].local_bytes;
}

const struct target_plan *target_plan_find(struct message_context *b, const struct eu_send *m,
                                           const struct render_target_blend *how)
{
    enum { BINDLESS = 252 };
    static const struct target_plan none = {.image = {.is_null = true}, .blocks = {.is_null = true}};
    const uint32_t index = m->descriptor & SURFACE_INDEX;
    struct target_plan_cache_entry *const c = target_plan_entry(b, m);
    struct target_plan *const p = &c->plan;
    struct surface_state s;
    if (target_plan_bound(b, m, how)) {
        target_plan_count(b, m->descriptor);
        return p;
    }
    if (index == BINDLESS
            ? !surface_state_load(b, b->kernel.bindless_surface_state_base + surface_offset(m), &s)
            : !binding_table_surface(b, index, &s))
        return &none;
    if (p->state.row != s.row || memcmp(p->state.dw, s.dw, sizeof s.dw) != 0 ||
        memcmp(&p->output.how, how, sizeof *how) != 0) {
        forget_planned_targets(b);
        plan_init(b, &s, how, p);
    }
    p->image.info = p->blocks.info = &b->info;
    p->blocks.surface.aux_table = p->blocks.ccs.kind >= CCS_FOURS ? b->aux_table : 0;
    if (index != BINDLESS)
        bind(b, c, index);
    else
        c->is_bound = false;
    return p;
}
