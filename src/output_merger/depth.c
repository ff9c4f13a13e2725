/*
 * Depth and stencil of pixels: the tests and the writes after them. Surfaces hold the values
 * uncompressed. Gen6 formats with stencil have it in the byte after the depth. (SKL PRM vol 7, Depth
 * and Stencil; SNB PRM vol 2 part 1, 3DSTATE_DEPTH_BUFFER)
 */
#include "output_merger/fragment_trace.h"
#include "output_merger/target_plan.h"

#include "memory/surface.h"

#include <math.h>

bool depth_has_stencils(unsigned format)
{
    return format == DEPTH_D32_S8 || format == DEPTH_D24_S8;
}

unsigned depth_bytes(unsigned format)
{
    return format == DEPTH_D16 ? 2 : format == DEPTH_D32_S8 ? 8 : 4;
}

static bool has_24_bits(unsigned format)
{
    return format == DEPTH_D24 || format == DEPTH_D24_S8;
}

/* Without the stencil, or what has its place. */
unsigned depth_value_bytes(unsigned format)
{
    return format == DEPTH_D16 ? 2 : has_24_bits(format) ? 3 : 4;
}

/* The integer that encodes a depth of 1; 0: the format is a float. */
static uint32_t most_of(unsigned format)
{
    return format == DEPTH_D16 ? D16_MOST : has_24_bits(format) ? D24_MOST : 0;
}

uint32_t depth_from_float(unsigned format, float depth)
{
    uint32_t bits;
    const double part = depth > 0 ? (depth < 1 ? depth : 1) : 0;
    if (most_of(format))
        return (uint32_t)lrint(part * most_of(format));
    memcpy(&bits, &depth, sizeof bits);
    return bits;
}

float depth_to_float(unsigned format, uint32_t value)
{
    float number;
    const uint32_t most = most_of(format);
    if (most)
        return (float)((double)(value < most ? value : most) / most);
    memcpy(&number, &value, sizeof number);
    return number;
}

/* Of numbers that compare as their values do: nothing is less, equal or greater than what is no number. */
static bool passes(unsigned function, double value, double there)
{
    enum { LESS = 2, EQUAL = 1, GREATER = 4 };
    /* always, never, less, equal, less or equal, greater, not equal, greater or equal */
    static const uint8_t results[8] = {LESS | EQUAL | GREATER, 0,       LESS,           EQUAL,
                                       LESS | EQUAL,           GREATER, LESS | GREATER, GREATER | EQUAL};
    const unsigned result = value < there ? LESS : value == there ? EQUAL : value > there ? GREATER : 0;
    return !function || results[function & 7u] & result || (!result && (function & 7u) == 6);
}

static struct surface surface_of(const struct depth_surface *s, unsigned bytes)
{
    struct surface to = {.base = s->base,
                         .pitch_bytes = (int32_t)s->pitch_bytes,
                         .space = SPACE_PPGTT,
                         .tiling = s->tiling,
                         .tiles = s->tiled_w ? tile_w_layout()
                                             : tile_layout((enum softgt_tiling)s->tiling, bytes)};
    if (s->tiled_w)
        to.pitch_bytes /= 2; /* counts pairs of rows */
    return to;
}

bool depth_pixel_address(const struct depth_surface *s, unsigned bytes, const uint32_t at[3], unsigned within,
                         uint64_t *address)
{
    const struct surface surface = surface_of(s, bytes);
    if (!s->present || at[0] >= s->width || at[1] >= s->height || at[2] >= s->elements)
        return false;
    *address = surface_address(&surface, (int32_t)((s->level_x + at[0]) * bytes + within),
                               (int32_t)(at[1] + depth_element_row(s, at[2])));
    return true;
}

uint64_t depth_level_address(const struct depth_surface *s, unsigned bytes, uint32_t element)
{
    const struct surface surface = surface_of(s, bytes);
    return surface_address(&surface, (int32_t)(s->level_x * bytes),
                           (int32_t)depth_element_row(s, element - s->first_element));
}

/* ---- Stencil ---- */

static uint8_t changed(unsigned operation, uint8_t value, uint8_t reference)
{
    enum { ZERO = 1, REPLACE, INCREASE_TO_MOST, DECREASE_TO_LEAST, INCREASE, DECREASE, INVERT };
    switch (operation & 7u) {
    case ZERO:
        return 0;
    case REPLACE:
        return reference;
    case INCREASE_TO_MOST:
        return value == UINT8_MAX ? value : (uint8_t)(value + 1u);
    case DECREASE_TO_LEAST:
        return value ? (uint8_t)(value - 1u) : 0;
    case INCREASE:
        return (uint8_t)(value + 1u);
    case DECREASE:
        return (uint8_t)(value - 1u);
    case INVERT:
        return (uint8_t)~value;
    default:
        return value;
    }
}

/* ---- Depth ---- */

static double value_of(unsigned format, uint32_t bits)
{
    float value;
    if (most_of(format))
        return bits & most_of(format);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void count_tests(struct message_context *b, const struct depth_stencil *s, bool stencil_passes,
                        bool depth_passes, bool late)
{
    uint64_t *const tests = b->counters.pixel_tests;
    if (s->stencil_test_enable && !stencil_passes)
        tests[late ? LATE_STENCIL_FAILED : EARLY_STENCIL_FAILED]++;
    else if (s->stencil_test_enable && !late)
        tests[EARLY_STENCIL_PASSED]++;
    if (!s->depth_test_enable || !stencil_passes)
        return;
    if (!depth_passes)
        tests[late ? LATE_DEPTH_FAILED : EARLY_DEPTH_FAILED]++;
    else if (!late)
        tests[EARLY_DEPTH_PASSED]++;
}

bool alpha_passes(const struct output_merger_state *om, float alpha)
{
    enum { MOST = 255 };
    const bool steps = om->alpha_test_unorm8;
    const double value = !steps      ? (double)alpha
                         : alpha > 0 ? rint((alpha < 1 ? alpha : 1) * (double)MOST)
                                     : 0;
    return passes(om->alpha_test_function, value, om->alpha_test_reference);
}

bool alpha_test(struct message_context *b, const struct output_merger_state *om, float alpha)
{
    const bool lets = alpha_passes(om, alpha);
    b->counters.pixel_tests[ALPHA_FAILED] += !lets;
    return lets;
}

/* Whether the depth that is there is in the range of the depth bounds test, whose ends have the buffer's
 * format: our choice. Other pixels are neither tested further nor counted. */
static bool bounds_pass(struct message_context *b, const struct depth_stencil *s, const uint32_t at[3],
                        bool late)
{
    uint64_t depth_at;
    uint32_t there = 0;
    if (!s->bounds_test_enable ||
        !depth_pixel_address(&s->depth, depth_bytes(s->depth_format), at, 0, &depth_at))
        return true;
    message_load(b, depth_at, &there, depth_value_bytes(s->depth_format));
    const double depth = value_of(s->depth_format, there);
    const bool passed = depth >= value_of(s->depth_format, depth_from_float(s->depth_format, s->bounds[0])) &&
                        depth <= value_of(s->depth_format, depth_from_float(s->depth_format, s->bounds[1]));
    trace_depth_test(
        b, at,
        (struct softgt_fragment){.step = SOFTGT_FRAGMENT_DEPTH_BOUNDS,
                                 .passed = passed,
                                 .is_late = late,
                                 .value = (double)s->bounds[0],
                                 .compared_with = (double)depth_to_float(s->depth_format, there)});
    return passed;
}

bool depth_test(struct message_context *b, const struct depth_stencil *s, const struct ps_thread *p,
                const uint32_t at[3], float depth, bool late)
{
    const struct stencil_side *const side = &s->side[p->back_facing];
    const unsigned bytes = depth_bytes(s->depth_format);
    uint64_t depth_at, stencil_at;
    uint32_t there = 0;
    uint8_t stencil = 0;
    const bool has_depth = (s->depth_test_enable || s->depth_write_enable) &&
                           depth_pixel_address(&s->depth, bytes, at, 0, &depth_at),
               among = s->stencil.interleaved_stencil,
               has_stencil = s->stencil_test_enable &&
                             depth_pixel_address(&s->stencil, among ? bytes : 1, at,
                                                 among ? depth_value_bytes(s->depth_format) : 0, &stencil_at);
    const float limited = depth > p->viewport_depth_range[1]   ? p->viewport_depth_range[1]
                          : depth > p->viewport_depth_range[0] ? depth
                                                               : p->viewport_depth_range[0];
    const uint32_t value = depth_from_float(s->depth_format, limited);
    bool stencil_passes = true, depth_passes = true;
    if (!bounds_pass(b, s, at, late))
        return false;
    if (has_stencil) {
        message_load(b, stencil_at, &stencil, 1);
        stencil_passes =
            passes(side->test_function, side->reference & side->test_mask, stencil & side->test_mask);
        trace_depth_test(b, at,
                         (struct softgt_fragment){.step = SOFTGT_FRAGMENT_STENCIL,
                                                  .passed = stencil_passes,
                                                  .is_late = late,
                                                  .value = side->reference,
                                                  .compared_with = stencil});
    }
    if (has_depth) {
        message_load(b, depth_at, &there, depth_value_bytes(s->depth_format));
        if (s->depth_test_enable)
            depth_passes = passes(s->depth_test_function, value_of(s->depth_format, value),
                                  value_of(s->depth_format, there));
        if (s->depth_test_enable && stencil_passes)
            trace_depth_test(
                b, at,
                (struct softgt_fragment){.step = SOFTGT_FRAGMENT_DEPTH,
                                         .passed = depth_passes,
                                         .is_late = late,
                                         .value = (double)depth_to_float(s->depth_format, value),
                                         .compared_with = (double)depth_to_float(s->depth_format, there)});
    }
    if (has_stencil && s->stencil_write_enable) {
        const unsigned operation = !stencil_passes ? side->fail_op
                                   : depth_passes  ? side->pass_op
                                                   : side->depth_fail_op;
        const uint8_t to = changed(operation, stencil, side->reference),
                      written = (uint8_t)((to & side->write_mask) | (stencil & ~side->write_mask));
        if (written != stencil)
            message_store(b, stencil_at, &written, 1);
    }
    if (has_depth && s->depth_write_enable && stencil_passes && depth_passes)
        message_store(b, depth_at, &value, depth_value_bytes(s->depth_format));
    count_tests(b, s, stencil_passes, depth_passes, late);
    return stencil_passes && depth_passes;
}

/* ---- Rows ---- */

static void depth_plan_init(struct depth_plan *p, const struct depth_stencil *s)
{
    const unsigned bytes = depth_bytes(s->depth_format),
                   stencil_bytes = s->stencil.interleaved_stencil ? bytes : 1;
    const struct surface depth = surface_of(&s->depth, bytes),
                         stencil = surface_of(&s->stencil, stencil_bytes);
    p->is_made = true;
    p->has_rows = subspan_surface_init(&p->depth, &depth, bytes) &&
                  subspan_surface_init(&p->stencil, &stencil, stencil_bytes);
    p->has_squares = p->has_rows && !s->stencil.interleaved_stencil &&
                     (!s->depth.present || subspan_squares_have_pages(&p->depth)) &&
                     (!s->stencil.present || subspan_squares_have_pages(&p->stencil));
    p->has_depth_lines = subspan_squares_have_lines(&p->depth);
    p->depth_page.host = p->stencil_page.host = NULL;
}

/* The plan of the surfaces; the last one is kept. NULL: rows do not work on these. */
static struct depth_plan *depth_plan_find(struct message_context *b, const struct depth_stencil *s)
{
    struct depth_plan *const p = &b->caches.depth;
    if (s->bounds_test_enable) /* few draws have that */
        return NULL;
    /* What has other padding is made again. */
    if (!p->is_made || memcmp(&p->state, s, sizeof *s) != 0) { /* NOLINT(*-memory-comparison,cert-*) */
        const bool is_same = p->is_made && p->state.depth_format == s->depth_format &&
                             memcmp(&p->state.depth, &s->depth, sizeof s->depth) == 0 &&
                             memcmp(&p->state.stencil, &s->stencil, sizeof s->stencil) == 0;
        p->state = *s;
        if (!is_same)
            depth_plan_init(p, s);
    }
    return p->has_rows ? p : NULL;
}

/* The pixels of a row in one surface, and where the TLB has them. */
struct row_pixels {
    uint32_t inside, may_store;
    uint64_t address[ROW_SUBSPANS];
};

/* False: the TLB does not have all pages. `within`: bytes from the pixel on. */
static bool find_row(const struct message_context *b, const struct depth_surface *s,
                     const struct subspan_surface *surface, const struct depth_access *a, unsigned within,
                     uint8_t *to[ROW_SUBSPANS][2], struct row_pixels *p)
{
    enum { SUBSPAN = (1 << SUBSPAN_PIXELS) - 1 };
    const uint32_t y = depth_element_row(s, a->array_index);
    *p = (struct row_pixels){0};
    if (!s->present || a->array_index >= s->elements)
        return true;
    for (unsigned n = 0; n < ROW_SUBSPANS; n++) {
        const uint32_t *const at = a->subspan_xy[n];
        const uint32_t pixels =
            a->mask >> n * SUBSPAN_PIXELS & subspan_pixels_inside(at, s->width, s->height);
        struct subspan_access access = {s->level_x + at[0], y + at[1], pixels, true};
        if (!pixels)
            continue;
        if (subspan_find(surface, b->memory.mmu, &access, to[n], &p->address[n]))
            p->may_store |= (uint32_t)SUBSPAN << n * SUBSPAN_PIXELS;
        else if (access.writes = false, !subspan_find(surface, b->memory.mmu, &access, to[n], &p->address[n]))
            return false;
        p->inside |= pixels << n * SUBSPAN_PIXELS;
        p->address[n] += within;
        to[n][0] += within;
        to[n][1] += within;
    }
    return y % 2 == 0;
}

static void count_row_memory(struct message_context *b, const struct row_pixels *p, uint32_t loaded,
                             uint32_t stored, unsigned bytes)
{
    const struct mmu *const u = b->memory.mmu;
    for (unsigned n = 0; n < ROW_SUBSPANS; n++) {
        const uint32_t loads = loaded >> n * SUBSPAN_PIXELS & 15u,
                       stores = stored >> n * SUBSPAN_PIXELS & 15u;
        if (stores) {
            const unsigned count = count_pixels(stores);
            count_stores_of_pages(b, mmu_page_bit(u, SPACE_PPGTT, p->address[n]), count);
            memory_count_stored(b->memory.counters, u, SPACE_PPGTT, p->address[n], (uint64_t)count * bytes);
        }
        if (loads && u->accounts_local)
            memory_count_loaded(b->memory.counters, u, SPACE_PPGTT, p->address[n],
                                (uint64_t)count_pixels(loads) * bytes);
    }
}

static void count_row_tests(struct message_context *b, const struct depth_row *r, uint32_t mask, bool late)
{
    uint64_t *const tests = b->counters.pixel_tests;
    const uint32_t stencil = mask & r->stencil_passed, passed = stencil & r->depth_passed;
    const unsigned all = count_pixels(mask), of_stencil = count_pixels(stencil),
                   of_both = count_pixels(passed);
    if (r->state->stencil_test_enable) {
        tests[late ? LATE_STENCIL_FAILED : EARLY_STENCIL_FAILED] += all - of_stencil;
        tests[EARLY_STENCIL_PASSED] += late ? 0 : of_stencil;
    }
    if (r->state->depth_test_enable) {
        tests[late ? LATE_DEPTH_FAILED : EARLY_DEPTH_FAILED] += of_stencil - of_both;
        tests[EARLY_DEPTH_PASSED] += late ? 0 : of_both;
    }
}

/* ---- Squares of 4 x 4 pixels ---- */

enum { SQUARE = 4, SQUARE_LAST = SQUARE - 1, SQUARE_PIXELS = SQUARE * SQUARE };

/* The page of an address in the host. NULL: it is not found at once. */
static uint8_t *find_depth_page(struct message_context *b, struct depth_page *p, uint64_t address,
                                bool writes)
{
    const uint64_t page = address & ~(uint64_t)(PAGE_BYTES - 1), generation = pages_generation(b);
    if (p->host && p->page == page && p->generation == generation && p->writes == writes)
        return p->host;
    p->host = mmu_cached(b->memory.mmu, SPACE_PPGTT, page, PAGE_BYTES, writes);
    if (!p->host && b->effects.nothing)
        p->host = message_fetch_bytes(b, page, PAGE_BYTES, writes);
    p->page = page;
    p->page_bit = mmu_page_bit(b->memory.mmu, SPACE_PPGTT, page);
    p->generation = pages_generation(b);
    p->writes = writes;
    return p->host;
}

/* Finds the pixels of a square in a surface. False: they are not on a page that is found at once. */
static bool find_square(struct message_context *b, const struct depth_surface *s,
                        const struct subspan_surface *surface, struct depth_page *p,
                        const struct depth_access *a, bool writes, uint8_t *to[MESSAGE_SUBSPANS][2])
{
    const uint32_t *const at = a->subspan_xy[0], y = depth_element_row(s, a->array_index);
    uint64_t address;
    if (!s->present || a->array_index >= s->elements || at[0] + SQUARE_LAST >= s->width ||
        at[1] + SQUARE_LAST >= s->height ||
        !subspan_square_address(surface, s->level_x + at[0], y + at[1], &address))
        return false;
    address = mmu_address(b->memory.mmu, SPACE_PPGTT, address);
    uint8_t *const host = find_depth_page(b, p, address, writes);
    if (host)
        subspan_square_pixels(surface, host + address % PAGE_BYTES, to);
    return host;
}

static void count_square_memory(struct message_context *b, const struct depth_page *p, uint32_t loaded,
                                uint32_t stored, unsigned bytes)
{
    const struct mmu *const u = b->memory.mmu;
    if (stored) {
        const unsigned count = count_pixels(stored);
        count_stores_of_pages(b, p->page_bit, count);
        memory_count_stored(b->memory.counters, u, SPACE_PPGTT, p->page, (uint64_t)count * bytes);
    }
    if (u->accounts_local)
        memory_count_loaded(b->memory.counters, u, SPACE_PPGTT, p->page,
                            (uint64_t)count_pixels(loaded) * bytes);
}

/* What rows and squares have in common. */
static void row_begin(struct depth_row *r, const struct depth_plan *p, const struct depth_stencil *s,
                      const struct depth_access *a)
{
    r->state = s;
    r->side = &s->side[a->back_facing];
    r->depth = a->depth;
    r->range = a->range;
    r->depth_right = p->depth.right;
    r->stencil_right = p->stencil.right;
}

/* Tests a square's pixels of the mask. False: nothing is done. */
static bool depth_test_square(struct message_context *b, const struct depth_stencil *s,
                              const struct depth_access *a, uint32_t *passed)
{
    enum { ALL = (1 << SQUARE_PIXELS) - 1 };
    struct depth_plan *const p = depth_plan_find(b, s);
    const bool has_depth = s->depth_test_enable || s->depth_write_enable;
    struct depth_row r;
    if (!p || !p->has_squares ||
        (has_depth &&
         !find_square(b, &s->depth, &p->depth, &p->depth_page, a, s->depth_write_enable, r.depths)) ||
        (s->stencil_test_enable &&
         !find_square(b, &s->stencil, &p->stencil, &p->stencil_page, a, s->stencil_write_enable, r.stencils)))
        return false;
    row_begin(&r, p, s, a);
    r.is_square = true;
    r.has_depth_lines = p->has_depth_lines;
    r.has_depth = has_depth ? a->mask : 0;
    r.has_stencil = s->stencil_test_enable ? a->mask : 0;
    r.may_store_depth = r.may_store_stencil = ALL;
    (void)b->pixels->test_depth(&r);
    if (s->stencil_test_enable)
        count_square_memory(b, &p->stencil_page, r.has_stencil, r.stored_stencil, 1);
    if (has_depth)
        count_square_memory(b, &p->depth_page, r.has_depth, r.stored_depth,
                            depth_value_bytes(s->depth_format));
    count_row_tests(b, &r, a->mask, a->late);
    *passed = a->mask & r.stencil_passed & r.depth_passed;
    return true;
}

bool depth_test_row(struct message_context *b, const struct depth_stencil *s, const struct depth_access *a,
                    uint32_t *passed)
{
    const struct depth_plan *const p = depth_plan_find(b, s);
    struct row_pixels depth = {.inside = 0}, stencil = {.inside = 0};
    const unsigned after_depth = s->stencil.interleaved_stencil ? depth_value_bytes(s->depth_format) : 0;
    struct depth_row r;
    if (!p ||
        ((s->depth_test_enable || s->depth_write_enable) &&
         !find_row(b, &s->depth, &p->depth, a, 0, r.depths, &depth)) ||
        (s->stencil_test_enable &&
         !find_row(b, &s->stencil, &p->stencil, a, after_depth, r.stencils, &stencil)))
        return false;
    row_begin(&r, p, s, a);
    r.is_square = r.has_depth_lines = false;
    r.has_depth = depth.inside;
    r.has_stencil = stencil.inside;
    r.may_store_depth = depth.may_store;
    r.may_store_stencil = stencil.may_store;
    if (!b->pixels->test_depth(&r))
        return false;
    if (s->stencil_test_enable)
        count_row_memory(b, &stencil, r.has_stencil, r.stored_stencil, 1);
    count_row_memory(b, &depth, r.has_depth, r.stored_depth, depth_value_bytes(s->depth_format));
    count_row_tests(b, &r, a->mask, a->late);
    *passed = a->mask & r.stencil_passed & r.depth_passed;
    return true;
}

/* Tests eight pixels, together or one after the other; returns those that pass. */
static uint32_t test_row(struct message_context *b, const struct depth_stencil *s, const struct ps_thread *p,
                         const struct depth_access *a, bool together)
{
    uint32_t passing = 0;
    if (together && !message_faulted(b) && depth_test_row(b, s, a, &passing))
        return passing;
    passing = 0;
    FOR_EACH_CHANNEL(n, a->mask) {
        const uint32_t *const subspan = a->subspan_xy[n / SUBSPAN_PIXELS];
        const uint32_t at[3] = {subspan[0] + (n & 1u), subspan[1] + (n >> 1 & 1u), p->array_index};
        if (depth_test(b, s, p, at, a->depth[n], false))
            passing |= 1u << n;
    }
    return passing;
}

uint32_t depth_test_pixels(struct message_context *b, const struct depth_stencil *s,
                           const struct ps_thread *p, const uint32_t (*subspan_xy)[2], uint32_t mask,
                           const float *depth)
{
    enum { ROW = (1 << ROW_PIXELS) - 1 };
    const bool together = b->pixels && !tracing(b->memory.log, TRACE_BY_PIXEL);
    uint32_t passing = 0;
    for (unsigned first = 0; first < SUBSPANS * SUBSPAN_PIXELS; first += ROW_PIXELS) {
        const bool may_be_square = together && first % SQUARE_PIXELS == 0;
        struct depth_access a = {.subspan_xy = subspan_xy + first / SUBSPAN_PIXELS,
                                 .mask = mask >> first & (may_be_square ? UINT16_MAX : ROW),
                                 .array_index = p->array_index,
                                 .depth = depth + first,
                                 .range = p->viewport_depth_range,
                                 .back_facing = p->back_facing};
        uint32_t passed;
        if (!a.mask)
            continue;
        if (may_be_square && subspans_are_square(a.subspan_xy[0]) && !message_faulted(b) &&
            depth_test_square(b, s, &a, &passed)) {
            first += ROW_PIXELS;
            passing |= passed << (first - ROW_PIXELS);
            continue;
        }
        a.mask &= ROW;
        passing |= a.mask ? test_row(b, s, p, &a, together) << first : 0;
    }
    return passing;
}

void depth_fill(struct memory_client *c, const struct depth_surface *s, unsigned bytes, uint32_t value,
                const uint32_t rectangle[4])
{
    const struct surface surface = surface_of(s, bytes);
    const uint32_t right = s->level_x, down = depth_element_row(s, 0);
    const struct rectangle r = {
        .x1 = (int32_t)((rectangle[0] + right) * bytes),
        .y1 = (int32_t)(rectangle[1] + down),
        .x2 = (int32_t)(((rectangle[2] < s->width ? rectangle[2] : s->width) + right) * bytes),
        .y2 = (int32_t)((rectangle[3] < s->height ? rectangle[3] : s->height) + down)};
    if (s->present && r.x1 < r.x2 && r.y1 < r.y2)
        surface_fill(c->mmu, &surface, &r, value, bytes);
}
