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
    if (s->message->action == SAMPLER_LD || s->message->action == SAMPLER_LD2DMS) /* without sampler state */
        return plan;
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
    return !surface->swizzled && !t->z_bits && !t->depth_shift && make_axis(&l->axis[0], t->x_bits) &&
           make_axis(&l->axis[1], t->y_bits);
}

/* How rows decode a component; TEXEL_MISSING: they do not. */
static enum texel_decoder decoder_of(const struct softgt_format_part *part)
{
    enum { FLOAT_BITS = 24 /* that a float holds */ };
    const unsigned bits = part->bits;
    switch (part->kind) {
    case SOFTGT_COMPONENT_UNORM:
        return bits == 8 ? TEXEL_UNORM8 : bits <= FLOAT_BITS ? TEXEL_UNORM : TEXEL_MISSING;
    case SOFTGT_COMPONENT_SNORM:
        return bits > 1 && bits <= FLOAT_BITS ? TEXEL_SNORM : TEXEL_MISSING;
    case SOFTGT_COMPONENT_SRGB:
        return bits == 8 ? TEXEL_SRGB8 : TEXEL_MISSING;
    case SOFTGT_COMPONENT_FLOAT:
        return bits == 32                               ? TEXEL_FLOAT32
               : bits == 16 || bits == 11 || bits == 10 ? TEXEL_FLOAT16
                                                        : TEXEL_MISSING;
    case SOFTGT_COMPONENT_UINT:
        return TEXEL_UINT;
    case SOFTGT_COMPONENT_SINT:
        return TEXEL_SINT;
    default:
        return TEXEL_MISSING;
    }
}

static bool make_components(struct texel_layout *l, const struct softgt_format *f)
{
    enum { WORD_BITS = 32, HALF_BITS = 16, UNSIGNED_HALF_BITS = 15 };
    for (unsigned c = 0; c < 4; c++) {
        const struct softgt_format_part *const part = &f->part[c];
        const enum texel_decoder decoder = decoder_of(part);
        if (!part->bits)
            continue;
        if (decoder == TEXEL_MISSING || part->first % WORD_BITS + part->bits > WORD_BITS)
            return false;
        l->component[c] = (struct texel_component){
            .mask = UINT32_MAX >> (WORD_BITS - part->bits),
            .word = (uint8_t)(part->first / WORD_BITS),
            .first = (uint8_t)(part->first % WORD_BITS),
            .bits = part->bits,
            .decoder = (uint8_t)decoder,
            .half_shift = part->bits < HALF_BITS ? (uint8_t)(UNSIGNED_HALF_BITS - part->bits) : 0};
    }
    l->bytes = f->bytes;
    l->words = (uint8_t)((f->bytes + 3u) / 4u);
    return !f->shared_exponent && f->bytes && !(f->bytes & (f->bytes - 1u));
}

/* False: the size of blocks is no power of two. */
static bool make_blocks(struct texel_layout *l, const struct softgt_block_format *f)
{
    const uint8_t size[2] = {f->width, f->height};
    l->is_block = true;
    l->bytes = f->bytes;
    l->words = f->bytes / 4u;
    for (unsigned d = 0; d < 2; d++) {
        if (!size[d] || size[d] & (size[d] - 1u))
            return false;
        l->block_shift[d] = (uint8_t)__builtin_ctz(size[d]);
    }
    for (unsigned c = 0; c < 4; c++)
        l->component[c] = (struct texel_component){
            .mask = UINT32_MAX, .word = (uint8_t)c, .bits = 32, .decoder = TEXEL_FLOAT32};
    return l->bytes == 8 || l->bytes == 16;
}

/* Offsets in the surface are of 32 bits. */
static bool make_layout(struct sampler_plan *plan)
{
    const struct sampler_message *const s = &plan->message;
    struct image divided = s->image;
    const struct image *const i = &divided;
    image_divide_samples(&divided);
    const uint64_t rows =
        2u * ((uint64_t)i->y + ((uint64_t)i->first_slice + i->depth) * i->qpitch + i->height) + UINT16_MAX;
    plan->layout = (struct texel_layout){0};
    return !i->is_null && !i->is_buffer && !i->is_linear_1d && !i->is_volume_in_rows &&
           (i->blocks ? make_blocks(&plan->layout, &s->blocks)
                      : make_components(&plan->layout, &s->format)) &&
           make_axes(&plan->layout, &i->surface) &&
           (i->surface.base | (uint32_t)i->surface.pitch_bytes) % s->format.bytes == 0 &&
           rows * (uint32_t)i->surface.pitch_bytes < UINT32_MAX;
}

bool sampler_is_plain(const struct sampler_message *s)
{
    bool plain = s->dimensions == 2 && !s->cube && !s->image.is_null && !s->image.is_buffer;
    if (s->message->action == SAMPLER_LD)
        return plain;
    if (s->message->action == SAMPLER_LD2DMS)
        return plain && s->image.samples_log2 && !s->image.interleaves_samples;
    plain &= (s->message->action == SAMPLER_GATHER4 || (s->message->action == SAMPLER_SAMPLE && !s->raw)) &&
             (s->reduction == REDUCTION_STANDARD || s->reduction == REDUCTION_COMPARISON) &&
             !has_parameter(s, P_OFFU) && !has_parameter(s, P_OFFV) &&
             (s->message->packs < PACKS_OFFSETS || (s->message->packs == PACKS_R && !s->image.is_array)) &&
             !s->message->gathers_level;
    for (unsigned d = 0; d < 2; d++)
        plain &= address_mode_of(s, d) != TEXCOORDMODE_HALF_BORDER;
    return plain;
}

void sampler_plan_make(const struct sampler_message *s)
{
    struct sampler_plan *const plan = plan_of(s->b, s->m, &s->image.state);
    if (!s->is_plain || s->loads_border)
        return;
    s->b->caches.sampler_plans_made++;
    plan->is_made = true;
    plan->descriptor = s->m->descriptor;
    plan->payload_registers = payload_registers(s->m);
    plan->message = *s;
    plan->has_rows = make_layout(plan);
    plan->has_choice = false;
    for (unsigned n = 0; n < PLAN_LEVELS; n++)
        plan->level[n].is_known = false;
}

static bool has_control_surface(const struct image *i)
{
    return i->ccs.kind != CCS_NONE && i->ccs.kind < CCS_FOURS;
}

/* A draw that changes no surface state changes no control surface of its textures, either. */
static const struct texel_level *plan_level(struct sampler_plan *plan, uint32_t lod)
{
    struct message_context *const b = plan->message.b;
    struct texel_level *const l = &plan->level[lod];
    if (!l->is_known) {
        const struct image *i = sampler_level_of(&plan->message, lod);
        l->is_known = true;
        l->is_filled = false;
        l->filled_slice = 0;
        l->image = *i;
        image_divide_samples(&l->image);
        i = &l->image;
        l->size[0] = i->width;
        l->size[1] = i->height;
        l->origin[0] = i->x;
        l->origin[1] = i->y + i->first_slice * i->qpitch;
    }
    l->is_filled &= l->filled_slice == b->caches.slice;
    if (b->effects.nothing && l->filled_slice != b->caches.slice && has_control_surface(&l->image)) {
        l->filled_slice = b->caches.slice;
        l->is_filled = fast_clear_level_is_filled(b, &l->image);
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

void sampler_decode_blocks(const struct sampler_message *s, uint32_t mask, const uint32_t *x,
                           const uint32_t *y, uint32_t words[4][SAMPLER_CHANNELS])
{
    const union softgt_color missing = sampler_missing_channels(s);
    uint32_t block[SAMPLER_CHANNELS][4];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; lane < SAMPLER_CHANNELS; lane++) {
            block[lane][c] = words[c][lane];
            words[c][lane] = missing.u[c];
        }
    FOR_EACH_CHANNEL(lane, mask) {
        union softgt_color color = missing;
        softgt_block_decode(&s->blocks, block[lane], x[lane], y[lane], &color);
        for (unsigned c = 0; c < 4; c++)
            words[c][lane] = color.u[c];
    }
}

bool sampler_texels_are_filled(const struct sampler_rows *r, const struct texel_level *l,
                               const struct texel_positions *p)
{
    for (unsigned corner = 0; corner < 4; corner++)
        FOR_EACH_CHANNEL(lane, p->mask[corner]) {
            const uint32_t at[DIMENSIONS] = {p->at[0][corner & 1u][lane], p->at[1][corner >> 1][lane],
                                             p->slice[lane]};
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
    r->levels[0].is_whole = true;
    return true;
}

/* The first level, as if magnified. False: no texel is read. */
static bool add_gather(struct sampler_rows *r, struct sampler_plan *plan)
{
    const uint32_t from = sampler_gathered_component(&plan->message);
    r->gathered = from - SELECT_RED;
    add_level(r, plan, 0, r->channels, true, true, NULL);
    return from >= SELECT_RED;
}

/* Texels of the levels that the message names; those of a level that the surface lacks are outside of it. */
static bool add_loads(struct sampler_rows *r, struct sampler_plan *plan)
{
    const struct sampler_message *const s = &plan->message;
    uint32_t left = r->channels;
    while (left) {
        const uint32_t lod = sampler_parameter(s, P_LOD, (unsigned)__builtin_ctz(left));
        const bool is_missing = lod > s->last_level;
        uint32_t mask = 0;
        FOR_EACH_CHANNEL(lane, left)
            mask |= (uint32_t)(sampler_parameter(s, P_LOD, lane) == lod) << lane;
        if (lod >= PLAN_LEVELS && !is_missing)
            return false;
        add_level(r, plan, is_missing ? 0 : lod, mask, false, false, NULL);
        r->levels[r->level_count - 1u].is_absent = is_missing;
        left &= ~mask;
    }
    return true;
}

/* The slices of samples. False: one is of a cleared pixel. */
static bool add_samples(struct sampler_rows *r, struct sampler_plan *plan)
{
    const struct sampler_message *const s = &plan->message;
    const struct image *const i = &s->image;
    const bool is_array = i->is_array;
    FOR_EACH_CHANNEL(lane, r->channels) {
        const uint32_t sample = sampler_parameter(s, P_SI, lane),
                       slice = is_array ? sampler_parameter(s, P_R, lane) : 0;
        const uint64_t element =
            sampler_parameter(s, P_MCS0, lane) | (uint64_t)sampler_parameter(s, P_MCS1, lane) << 32;
        if (i->mcs.is_present && mcs_is_cleared(i, element))
            return false;
        r->sample_slice[lane] =
            sample >> i->samples_log2 || slice >= i->depth
                ? UINT32_MAX
                : slice << i->samples_log2 | (i->mcs.is_present ? mcs_place(i, element, sample) : sample);
    }
    r->has_samples = true;
    add_level(r, plan, 0, r->channels, false, false, NULL);
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
    bool is_whole = true;
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
        is_whole &= !beyond;
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
            if (!pixels)
                continue;
            add_level(r, plan, level, pixels, (mag ? f->mag_filter : f->min_filter) != FILTER_NEAREST, mag,
                      share->of[n & 1u]);
            r->levels[r->level_count - 1u].is_whole = is_whole;
        }
    return true;
}

/* Lends the window to a message, where no access to texels is counted by its address. */
static void lend_window(struct sampler_rows *r, struct sampler_plan *plan)
{
    const struct image *const i = &plan->message.image;
    const struct mmu *const u = r->b->memory.mmu;
    struct memory_window *const w = &plan->window;
    const uint64_t base = mmu_address(u, SPACE_PPGTT, i->surface.base);
    r->window = NULL;
    r->window_wanted = 0;
    if (!r->b->effects.nothing || u->accounts_local || i->ccs.kind >= CCS_FOURS)
        return;
    if (w->changes != u->changes || w->base != base || plan->window_slice != r->b->caches.slice) {
        *w = (struct memory_window){.base = base, .changes = u->changes};
        plan->window_slice = r->b->caches.slice;
        plan->window_ends = false;
    }
    if (w->size_bytes >= PIXEL_BYTES) {
        r->window = w->host;
        r->window_bytes = (uint32_t)w->size_bytes - PIXEL_BYTES;
    } else if (!plan->window_ends) {
        r->window_wanted = 1; /* the first message of these pages */
    }
}

/* Makes the window longer, after a message that wanted that: up to the end of a row of tiles. */
static void extend_window(const struct sampler_rows *r, struct sampler_plan *plan)
{
    const struct surface *const s = &plan->message.image.surface;
    const uint64_t row = (uint64_t)s->pitch_bytes << (s->tiles ? s->tiles->height_shift : 0),
                   wanted = row ? (r->window_wanted + row - 1u) / row * row : r->window_wanted;
    if (!r->window_wanted || plan->window_ends)
        return;
    plan->window_ends =
        wanted > INT32_MAX ||
        !memory_window_make(&plan->window, r->b->memory.mmu, SPACE_PPGTT, plan->window.base, wanted, false) ||
        plan->window.size_bytes < wanted;
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
    r->has_samples = false;
    r->local_bytes = 0;
    lend_window(r, plan);
    const enum sampler_operation action = s->message->action;
    if (!(action == SAMPLER_LD        ? add_loads(r, plan)
          : action == SAMPLER_LD2DMS  ? add_samples(r, plan)
          : action == SAMPLER_GATHER4 ? add_gather(r, plan)
          : s->has_one_level          ? add_only_level(r, plan)
                                      : add_levels(r, plan, &share)))
        return false;
    for (unsigned n = 0; n < r->level_count; n++) {
        sampled += count_pixels(r->levels[n].mask);
        if (r->levels[n].level->image.is_null)
            return false;
    }
    if (!(action == SAMPLER_SAMPLE ? b->pixels->sampler->sample(r) : b->pixels->sampler->load(r)))
        return false;
    extend_window(r, plan);
    b->work.memory_accesses += r->accesses;
    b->work.sampled_levels += sampled;
    b->memory.counters->local_loaded += r->local_bytes;
    return true;
}
