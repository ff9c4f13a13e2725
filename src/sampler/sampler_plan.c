/*
 * Plans of sampler messages. A plan is found by the message's descriptor, surface state and sampler state.
 * Texels whose pages can be read without a fault are sampled in rows (sampler_rows.c); other messages are
 * done by sampler.c, with the same results.
 */
#include "sampler/sampler.h"

enum { STATE_BYTES = SAMPLER_STATE_DW * 4 };

/* ---- Finding and making plans ---- */

static struct sampler_plan *plan_of(struct message_context *b, const struct eu_send *m,
                                    const struct surface_state *state)
{
    enum { BASE_DW = 8, EARLY_BASE_DW = 1 };
    return &b->caches.samplers[cache_index(m->descriptor + state->dw[BASE_DW] + state->dw[EARLY_BASE_DW],
                                           SAMPLER_PLAN_BITS)];
}

struct sampler_plan *sampler_plan_find(struct message_context *b, const struct eu_send *m,
                                       const struct surface_state *state)
{
    struct sampler_plan *const plan = plan_of(b, m, state);
    struct sampler_message *const s = &plan->message;
    if (!plan->is_made || plan->descriptor != m->descriptor ||
        plan->payload_registers != payload_registers(m) || s->image.state.row != state->row ||
        memcmp(s->image.state.dw, state->dw, sizeof state->dw) != 0)
        return NULL;
    const uint64_t at = sampler_state_address(b, m);
    const void *host = mmu_cached(b->memory.mmu, SPACE_PPGTT, at, STATE_BYTES, false);
    host = host ? host : message_fetch_bytes(b, at, STATE_BYTES, false);
    if (!host || memcmp(host, s->state, STATE_BYTES) != 0)
        return NULL;
    memory_count_loaded(b->memory.counters, b->memory.mmu, SPACE_PPGTT, at, STATE_BYTES);
    return plan;
}

void sampler_plan_begin(struct sampler_plan *plan, struct message_context *b, const struct eu_send *m)
{
    struct sampler_message *const s = &plan->message;
    s->b = b;
    s->m = m;
    s->image.info = &b->info;
    s->image.format = &s->format;
    s->image.surface.aux_table = s->image.ccs.kind >= CCS_FOURS ? b->aux_table : 0;
}

/* Bits of `mask` are where the lowest bits of a coordinate go, in order. */
static bool make_axis(struct tile_axis *a, uint32_t mask)
{
    for (uint32_t bit = 0; mask; a->pieces++) {
        const uint32_t first = (uint32_t)__builtin_ctz(mask),
                       count = (uint32_t)__builtin_ctz(~(mask >> first));
        if (a->pieces == TILE_PIECES || first < bit)
            return false;
        a->mask[a->pieces] = ((1u << count) - 1u) << bit;
        a->shift[a->pieces] = (uint8_t)(first - bit);
        mask &= ~(((1u << count) - 1u) << first);
        bit += count;
    }
    return true;
}

static bool make_axes(struct texel_layout *l, const struct surface *surface)
{
    const struct tile_layout *const t = surface->tiles;
    if (surface->pitch_bytes <= 0)
        return false;
    if (!t) { /* pieces of one byte and of one row */
        l->axis[0].tile_bytes = 1;
        l->axis[1].tile_bytes = (uint32_t)surface->pitch_bytes;
        return true;
    }
    l->axis[0].tile_shift = t->width_shift;
    l->axis[0].tile_bytes = tile_bytes(t);
    l->axis[1].tile_shift = t->height_shift;
    l->axis[1].tile_bytes = ((uint32_t)surface->pitch_bytes >> t->width_shift) * tile_bytes(t);
    return !surface->swizzled && !t->z_bits && make_axis(&l->axis[0], t->x_bits) &&
           make_axis(&l->axis[1], t->y_bits);
}

/* Components of UNORM, which floats hold, or of the curve of sRGB. */
static bool make_components(struct texel_layout *l, const struct softgt_format *f)
{
    enum { FLOAT_BITS = 24, SRGB_BITS = 8, TEXEL_BITS = 32 };
    for (unsigned c = 0; c < 4; c++) {
        const struct softgt_format_part *const part = &f->part[c];
        const bool is_srgb = part->kind == SOFTGT_SRGB;
        if (!part->bits)
            continue;
        if (part->first + part->bits > TEXEL_BITS ||
            (is_srgb ? part->bits != SRGB_BITS : part->kind != SOFTGT_UNORM || part->bits > FLOAT_BITS))
            return false;
        l->component[c] = (struct texel_component){
            .mask = (1u << part->bits) - 1u, .first = (uint8_t)part->first, .is_srgb = is_srgb};
    }
    l->bytes = f->bytes;
    return !f->shared_exponent && (f->bytes == 1 || f->bytes == 2 || f->bytes == 4);
}

/* Offsets in the surface are of 32 bits. */
static bool make_layout(struct sampler_plan *plan)
{
    const struct sampler_message *const s = &plan->message;
    const struct image *const i = &s->image;
    const uint64_t rows =
        2u * ((uint64_t)i->y + (uint64_t)i->first_slice * i->qpitch + i->height) + UINT16_MAX;
    plan->layout = (struct texel_layout){0};
    return !i->is_null && !i->is_buffer && !i->blocks && !i->is_linear_1d && !i->is_volume_in_rows &&
           make_components(&plan->layout, &s->format) && make_axes(&plan->layout, &i->surface) &&
           (i->surface.base | (uint32_t)i->surface.pitch_bytes) % s->format.bytes == 0 &&
           rows * (uint32_t)i->surface.pitch_bytes < UINT32_MAX;
}

bool sampler_is_plain(const struct sampler_message *s)
{
    bool plain = s->dimensions == 2 && !s->cube && !s->compares && !s->raw && s->image.depth == 1 &&
                 s->reduction == REDUCTION_STANDARD && !has_parameter(s, P_OFFU) && !has_parameter(s, P_OFFV);
    for (unsigned d = 0; d < 2; d++)
        plain &= address_mode_of(s, d) != TEXCOORDMODE_HALF_BORDER;
    return plain;
}

void sampler_plan_make(const struct sampler_message *s)
{
    struct sampler_plan *const plan = plan_of(s->b, s->m, &s->image.state);
    if (!s->is_plain || s->loads_border)
        return;
    plan->is_made = true;
    plan->descriptor = s->m->descriptor;
    plan->payload_registers = payload_registers(s->m);
    plan->message = *s;
    plan->has_rows = make_layout(plan);
    plan->has_choice = false;
    for (unsigned n = 0; n < PLAN_LEVELS; n++)
        plan->level[n].is_known = false;
}

static const struct texel_level *plan_level(struct sampler_plan *plan, uint32_t lod)
{
    struct texel_level *const l = &plan->level[lod];
    if (!l->is_known) {
        const struct image *const i = sampler_level_of(&plan->message, lod);
        l->is_known = true;
        l->image = *i;
        l->size[0] = i->width;
        l->size[1] = i->height;
        l->origin[0] = i->x;
        l->origin[1] = i->y + i->first_slice * i->qpitch;
    }
    l->image.info = plan->message.image.info;
    l->image.format = &plan->message.format;
    l->image.surface.aux_table = plan->message.image.surface.aux_table;
    return l;
}

/* ---- Texels ---- */

const struct texel_page *sampler_find_page(struct sampler_rows *r, const struct texel_level *l,
                                           uint64_t number)
{
    struct message_context *const b = r->b;
    const struct mmu *const u = b->memory.mmu;
    const uint64_t address = number * PAGE_BYTES;
    const uint8_t *host = mmu_cached(u, SPACE_PPGTT, address, 1, false);
    host = host ? host : message_fetch_bytes(b, address, 1, false);
    if (!host || (l->image.ccs.kind >= CCS_FOURS && !fast_clear_page_is_known_filled(b, &l->image, address)))
        return NULL;
    r->page_count = r->page_count < ROW_PAGES ? r->page_count : 0;
    struct texel_page *const page = &r->pages[r->page_count++];
    *page = (struct texel_page){number, host, u->accounts_local && mmu_is_local(u, SPACE_PPGTT, address)};
    return page;
}

bool sampler_texels_are_filled(const struct sampler_rows *r, const struct texel_level *l,
                               const struct texel_positions *p)
{
    for (unsigned corner = 0; corner < 4; corner++)
        FOR_EACH_CHANNEL(lane, p->mask[corner]) {
            const uint32_t at[DIMENSIONS] = {p->at[0][corner & 1u][lane], p->at[1][corner >> 1][lane], 0};
            uint64_t address;
            if (!image_pixel_address(&l->image, at, &address) ||
                !fast_clear_is_known_filled(r->b, &l->image, at, address))
                return false;
        }
    return true;
}

/* ---- Messages ---- */

static void add_level(struct sampler_rows *r, struct sampler_plan *plan, uint32_t lod, uint32_t mask,
                      bool linear, bool mag, const double *share)
{
    r->levels[r->level_count++] = (struct level_pixels){
        .level = plan_level(plan, lod), .mask = mask, .linear = linear, .mag = mag, .share = share};
}

/* All pixels sample the same level. False: plans do not have it. */
static bool add_only_level(struct sampler_rows *r, struct sampler_plan *plan)
{
    static const double whole[SAMPLER_CHANNELS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (!plan->has_choice) {
        const struct level_choice *const how =
            sampler_levels_of(&plan->message, (unsigned)__builtin_ctz(r->channels));
        plan->has_choice = true;
        plan->sampled_level = how->level;
        plan->linear = how->linear;
        plan->mag = how->mag;
    }
    if (plan->sampled_level >= PLAN_LEVELS)
        return false;
    add_level(r, plan, plan->sampled_level, r->channels, plan->linear, plan->mag, whole);
    return true;
}

/* Shares of a first and a second level. */
struct level_shares {
    double of[2][SAMPLER_CHANNELS];
};

/* Chooses levels one pixel or subspan after the other. False: some take several samples. */
static bool choose_one_by_one(struct chosen_levels *c, const struct sampler_message *s, uint32_t channels)
{
    enum { SUBSPAN = 15 };
    const bool alone = sampler_has_own_levels(s);
    c->mag = 0;
    while (channels) {
        const unsigned first = (unsigned)__builtin_ctz(channels);
        const uint32_t mask = channels & (alone ? 1u << first : (uint32_t)SUBSPAN << (first & ~3u));
        const struct level_choice *const how = sampler_levels_of(s, first);
        if (how->spread.samples != 1)
            return false;
        channels &= ~mask;
        c->mag |= how->mag ? mask : 0;
        FOR_EACH_CHANNEL(lane, mask)
            c->units[lane] = (int32_t)(how->level * UNIT + (uint32_t)(how->beyond * UNIT));
    }
    return true;
}

/* Levels in their order. False: some pixels need more than rows do. */
static bool add_levels(struct sampler_rows *r, struct sampler_plan *plan, struct level_shares *share)
{
    const struct sampler_message *const s = &plan->message;
    const struct sampler_filter *const f = &s->filter;
    struct chosen_levels c;
    uint32_t mask[PLAN_LEVELS + 1][2] = {{0}}, levels = 0; /* of pixels whose first or second level it is */
    r->has_gradient = sampler_has_gradient(s);
    r->base_level = plan_level(plan, 0);
    if (r->has_gradient && f->min_filter == FILTER_ANISOTROPIC) {
        if (!choose_one_by_one(&c, s, r->channels))
            return false;
    } else {
        r->b->pixels->sampler->choose(r, &c);
    }
    FOR_EACH_CHANNEL(lane, r->channels) {
        const uint32_t level = (uint32_t)c.units[lane] / UNIT, beyond = (uint32_t)c.units[lane] % UNIT,
                       bit = 1u << lane;
        if (level + (beyond ? 2u : 1u) > PLAN_LEVELS)
            return false;
        mask[level][0] |= bit;
        mask[level + 1u][1] |= beyond ? bit : 0;
        levels |= (beyond ? 3u : 1u) << level;
        share->of[0][lane] = (UNIT - beyond) * (1.0 / UNIT);
        share->of[1][lane] = beyond * (1.0 / UNIT);
    }
    FOR_EACH_CHANNEL(level, levels)
        for (unsigned n = 0; n < 4; n++) {
            const bool mag = n >> 1;
            const uint32_t pixels = mask[level][n & 1u] & (mag ? c.mag : ~c.mag);
            if (pixels)
                add_level(r, plan, level, pixels, (mag ? f->mag_filter : f->min_filter) != FILTER_NEAREST,
                          mag, share->of[n & 1u]);
        }
    return true;
}

bool sampler_plan_sample(struct sampler_plan *plan, uint32_t channels, struct sampler_rows *r)
{
    struct sampler_message *const s = &plan->message;
    struct message_context *const b = s->b;
    struct level_shares share;
    uint32_t sampled = 0;
    if (!plan->has_rows || !b->pixels || !channels)
        return false;
    r->b = b;
    r->plan = plan;
    r->channels = channels;
    r->level_count = r->page_count = r->accesses = 0;
    r->local_bytes = 0;
    if (!(s->has_one_level ? add_only_level(r, plan) : add_levels(r, plan, &share)))
        return false;
    for (unsigned n = 0; n < r->level_count; n++) {
        sampled += (uint32_t)__builtin_popcount(r->levels[n].mask);
        if (r->levels[n].level->image.is_null)
            return false;
    }
    if (!b->pixels->sampler->sample(r))
        return false;
    b->work.memory_accesses += r->accesses;
    b->work.sampled_levels += sampled;
    b->memory.counters->local_loaded += r->local_bytes;
    return true;
}
