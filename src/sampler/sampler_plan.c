/*
 * Plans of sampler messages. A plan is found by the message's descriptor, surface state and sampler state.
 * Texels whose pages the TLB has are sampled in rows of four pixels (sampler_rows.c); other messages are done
 * by sampler.c, with the same results.
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
    s->b = b;
    s->m = m;
    s->image.info = &b->info;
    s->image.format = &s->format;
    s->image.surface.aux_table = s->image.ccs.kind >= CCS_FOURS ? b->aux_table : 0;
    return plan;
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

/* What a message has found so far. */
struct row_work {
    struct message_context *b;
    uint64_t page, local_bytes;
    const uint8_t *host; /* of the page; NULL: none is known */
    bool is_local;
    uint32_t accesses, levels;
    /* Texels of a level whose blocks are filled. */
    const struct texel_level *filled_level;
    uint32_t filled[2][2];
};

/* Whether no block between two texels is cleared, as far as the TLB knows. */
static bool find_filled(struct row_work *w, const struct texel_level *l, const uint32_t first[2],
                        const uint32_t last[2])
{
    enum { MOST_BLOCKS = 16 };
    const struct image *const i = &l->image;
    const uint32_t bytes = i->format->bytes;
    uint32_t block[2], begin[2], end[2];
    fast_clear_block(i, block);
    block[0] /= bytes;
    for (unsigned d = 0; d < 2; d++) {
        begin[d] = (first[d] + l->origin[d]) / block[d];
        end[d] = (last[d] + l->origin[d]) / block[d];
    }
    if (!block[0] || (uint64_t)(end[0] - begin[0] + 1u) * (end[1] - begin[1] + 1u) > MOST_BLOCKS)
        return false;
    for (uint32_t y = begin[1]; y <= end[1]; y++)
        for (uint32_t x = begin[0]; x <= end[0]; x++) {
            const uint32_t left = x * block[0], top = y * block[1];
            const uint32_t at[DIMENSIONS] = {left > first[0] + l->origin[0] ? left - l->origin[0] : first[0],
                                             top > first[1] + l->origin[1] ? top - l->origin[1] : first[1],
                                             0};
            uint64_t address;
            if (!image_pixel_address(i, at, &address) || !fast_clear_is_known_filled(w->b, i, at, address))
                return false;
        }
    w->filled_level = l;
    for (unsigned d = 0; d < 2; d++) {
        w->filled[d][0] = begin[d] * block[d] > l->origin[d] ? begin[d] * block[d] - l->origin[d] : 0;
        w->filled[d][1] = (end[d] + 1u) * block[d] - l->origin[d];
    }
    return true;
}

static bool is_filled(struct row_work *w, const struct texel_row *r)
{
    uint32_t first[2] = {UINT32_MAX, UINT32_MAX}, last[2] = {0, 0};
    bool known = w->filled_level == r->level;
    for (unsigned d = 0; d < 2; d++) {
        for (unsigned n = 0; n < (r->linear ? 2 : 1); n++)
            FOR_EACH_CHANNEL(lane, r->mask) {
                const uint32_t at = r->at[d][n][lane];
                first[d] = at < first[d] ? at : first[d];
                last[d] = at > last[d] ? at : last[d];
            }
        known &= first[d] >= w->filled[d][0] && last[d] < w->filled[d][1];
    }
    return known || find_filled(w, r->level, first, last);
}

/* False: the page cannot be read without a fault, or not directly. */
static bool load_texel(struct row_work *w, uint64_t address, unsigned bytes, uint32_t *texel)
{
    const uint64_t page = address / PAGE_BYTES, byte = address % PAGE_BYTES;
    if (page != w->page || !w->host) {
        w->host = mmu_cached(w->b->memory.mmu, SPACE_PPGTT, page * PAGE_BYTES, 1, false);
        w->host = w->host ? w->host : message_fetch_bytes(w->b, page * PAGE_BYTES, 1, false);
        w->page = page;
        w->is_local =
            w->b->memory.mmu->accounts_local && mmu_is_local(w->b->memory.mmu, SPACE_PPGTT, address);
    }
    if (!w->host || byte + bytes > PAGE_BYTES)
        return false;
    *texel = 0;
    if (bytes == 4)
        memcpy(texel, w->host + byte, 4);
    else
        memcpy(texel, w->host + byte, bytes);
    w->accesses++;
    w->local_bytes += w->is_local ? bytes : 0;
    return true;
}

static bool load_row(struct row_work *w, struct texel_row *r)
{
    const uint64_t base = r->level->image.surface.base;
    if (r->level->image.ccs.kind && !is_filled(w, r))
        return false;
    for (unsigned corner = 0; corner < (r->linear ? 4 : 1); corner++) {
        const unsigned x = corner & 1u, y = corner >> 1;
        memset(r->texel[corner], 0, sizeof r->texel[corner]);
        FOR_EACH_CHANNEL(lane, r->mask) {
            if ((x && !r->weight[0][lane]) || (y && !r->weight[1][lane]) || !r->inside[0][x][lane] ||
                !r->inside[1][y][lane])
                continue;
            if (!load_texel(w, base + r->offset[0][x][lane] + r->offset[1][y][lane], r->layout->bytes,
                            &r->texel[corner][lane]))
                return false;
        }
    }
    return true;
}

/* ---- Messages ---- */

/* Samples the pixels of a row, which have the same levels. */
static bool sample_row(struct row_work *w, struct sampler_plan *plan, struct texel_row *r,
                       const struct level_choice *choice, float position[2][ROW_TEXELS],
                       double sum[4][ROW_TEXELS])
{
    const struct sampler_functions *const functions = w->b->pixels->sampler;
    const unsigned count = choice->beyond > 0 ? 2 : 1;
    if (choice->spread.samples != 1 || choice->level + count > PLAN_LEVELS)
        return false;
    r->linear = choice->linear;
    r->mag = choice->mag;
    memset(sum, 0, sizeof(double[4][ROW_TEXELS]));
    for (unsigned n = 0; n < count; n++) {
        const double share = n ? choice->beyond : 1 - choice->beyond;
        r->level = plan_level(plan, choice->level + n);
        for (unsigned lane = 0; lane < ROW_TEXELS; lane++)
            r->share[lane] = share;
        if (r->level->image.is_null || !functions->find(r, position[0], position[1]) || !load_row(w, r))
            return false;
        functions->add(r, sum);
    }
    w->levels += count * (unsigned)__builtin_popcount(r->mask);
    return true;
}

/* Four values of a parameter. */
static void load_parameter(const struct sampler_message *s, enum sampler_parameter which, unsigned channel,
                           float to[ROW_TEXELS])
{
    memset(to, 0, sizeof(float[ROW_TEXELS]));
    if (has_parameter(s, which))
        memcpy(to, payload_register(s->m, s->parameter_register[which] + channel / 8u) + channel % 8u * 4u,
               sizeof(float[ROW_TEXELS]));
}

bool sampler_plan_sample(struct sampler_plan *plan, uint32_t channels, float rows[4][SAMPLER_CHANNELS])
{
    struct sampler_message *const s = &plan->message;
    struct message_context *const b = s->b;
    struct row_work w = {.b = b};
    struct texel_row r = {.layout = &plan->layout, .message = s};
    if (!plan->has_rows || !b->pixels)
        return false;
    for (unsigned first = 0; first < s->channels; first += ROW_TEXELS) {
        uint32_t lanes = channels >> first & ((1u << ROW_TEXELS) - 1u);
        float position[2][ROW_TEXELS];
        double sum[4][ROW_TEXELS];
        if (!lanes)
            continue;
        load_parameter(s, P_U, first, position[0]);
        load_parameter(s, P_V, first, position[1]);
        while (lanes) {
            const unsigned lane = (unsigned)__builtin_ctz(lanes);
            r.mask = sampler_has_own_levels(s) ? 1u << lane : lanes;
            lanes &= ~r.mask;
            if (!sample_row(&w, plan, &r, sampler_levels_of(s, first + lane), position, sum))
                return false;
            FOR_EACH_CHANNEL(n, r.mask) {
                for (unsigned c = 0; c < 4; c++)
                    rows[c][first + n] = (float)sum[c][n];
            }
        }
    }
    b->work.memory_accesses += w.accesses;
    b->work.sampled_levels += w.levels;
    b->memory.counters->local_loaded += w.local_bytes;
    return true;
}
