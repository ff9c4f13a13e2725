/*
 * Rasterization: advances from primitive to primitive, and over the blocks of each to its next covered
 * subspans.
 */
#include "output_merger/coarse_message.h"
#include "output_merger/fragment_trace.h"
#include "raster/raster.h"

#include "engine/statistics.h"

/* ---- Primitives ---- */

/* Begins the pixels of the primitive. A preempted primitive resumes at its subspan, if that is inside. */
static void raster_begin(struct draw *d, bool resumes)
{
    enum { MOST = 1 << 14 };
    struct draw_cursor *const c = &d->cursor;
    const bool clears = d->state.raster.fast_clear;
    bool inside = resumes;
    memcpy(d->setup.first_xy, d->setup.bbox[0], sizeof d->setup.first_xy);
    for (unsigned axis = 0; axis < 2 && inside; axis++) {
        const int32_t at = c->subspan_xy[axis], low = clears ? 0 : d->setup.bbox[0][axis] & -RASTER_BLOCK;
        inside = at >= low && at < (clears ? MOST : d->setup.bbox[1][axis]) && (clears || at % 2 == 0);
    }
    for (unsigned axis = 0; axis < 2 && !inside; axis++)
        c->subspan_xy[axis] = d->setup.bbox[0][axis] & -RASTER_BLOCK;
    c->phase = clears && inside ? DRAW_CLEAR : DRAW_RASTERIZE;
}

/* Counts what leaves the clipper, and with the first replica the primitive that enters it. */
static void cl_count_statistics(const struct draw *d, struct message_context *b, unsigned left)
{
    if (d->state.clip.cl_invocation_statistics && !d->cursor.replica)
        engine_register64_add(b->engine, CL_INVOCATION_COUNT, 1);
    if (d->state.clip.cl_primitives_statistics)
        engine_register64_add(b->engine, CL_PRIMITIVES_COUNT, left);
    b->counters.clipper_primitives += d->state.clip.clip_enable && !d->cursor.replica;
    b->counters.setup_primitives += left;
}

/* Sets up the replicas of the primitive from the cursor's on, up to one that is drawn. is_counted: the first
 * of them was counted before. Returns false if none is drawn. */
static bool setup_replicas(struct draw *d, struct message_context *b, const uint32_t *const dw[CORNERS],
                           bool is_counted)
{
    struct draw_cursor *const c = &d->cursor;
    for (;; c->replica++, c->part = 0, is_counted = false) {
        unsigned clipped = 0;
        const bool is_drawn = d->state.replication.mask >> c->replica & 1u;
        c->is_set_up = is_drawn && setup_primitive(d, dw, &clipped);
        if (is_drawn && tracing(b->memory.log, SOFTGT_TRACE_PRIMITIVES | SOFTGT_TRACE_FRAGMENTS))
            setup_trace(d, b, dw);
        if (!is_counted)
            cl_count_statistics(d, b, d->state.clip.clip_enable ? clipped : is_drawn);
        if (c->is_set_up && !d->state.raster.rasterizer_discard)
            return true;
        if (!draw_has_next_replica(&d->state, c))
            return false;
    }
}

/* Takes the next primitive from input assembly and shades its vertices. */
static enum ia_result ia_next_primitive(struct draw *d, struct message_context *b, struct shaded_primitive *p,
                                        uint64_t *budget, const struct gathered_object **gathered)
{
    struct ia_primitive o;
    p->stream = 0;
    if (d->state.te.enable)
        return tess_next_primitive(d, b, p, budget);
    const struct gathered_object *const known = gathered_object_find(d, b->urb);
    if (known) {
        d->cursor.reversed_winding = known->reversed_winding;
        d->cursor.primitive_id = d->cursor.primitive_index;
        p->continues_line = line_stipple_continues(d);
        *gathered = known;
        return IA_DONE;
    }
    const enum ia_result assembly = ia_assemble(d, &d->cursor, b, &o);
    if (assembly != IA_DONE)
        return assembly;
    d->cursor.reversed_winding = o.reversed_winding;
    d->cursor.primitive_id = o.primitive_id;
    p->visible_parts = o.visible_parts;
    p->continues_line = line_stipple_continues(d);
    const enum ia_result entered = ia_primitive_vertices(d, b, &o, p, budget);
    return entered != IA_DONE || vf_select_parts(d, b, &o, &p->visible_parts) ? entered : IA_WAIT;
}

/* Missing corners repeat the first one: they are saved. */
static void repeat_first_corner(const struct draw *d, struct shaded_primitive *p)
{
    for (unsigned i = topology_vertices_per_primitive(d->cursor.raster_topology); i < CORNERS; i++)
        primitive_put_vertex(p, i, p->vue_dw[0], p->filled_dw[0]);
}

/* Sets up the next part of the polygon that is not filled, or else the next replica of the primitive. */
static bool setup_next_part(struct draw *d, struct message_context *b)
{
    struct draw_cursor *const c = &d->cursor;
    const uint32_t *dw[CORNERS];
    primitive_corners(&d->primitive, dw);
    if (draw_has_next_part(d)) {
        c->part++;
        if (setup_part(d, dw))
            return true;
    }
    c->part = 0;
    c->is_set_up = false;
    if (!draw_has_next_replica(&d->state, c))
        return false;
    c->replica++;
    return setup_replicas(d, b, dw, false);
}

bool draw_next_primitive(struct draw *d, struct message_context *b, uint64_t *budget, bool *ended)
{
    enum { PRIMITIVE_INSTRUCTIONS = 64 };
    const uint64_t before_ns = b->engine->log->cost.ns;
    struct shaded_primitive *const p = &d->primitive;
    const uint32_t *dw[CORNERS];
    if (d->cursor.phase == DRAW_PART) {
        if (setup_next_part(d, b)) {
            raster_begin(d, false);
            return true;
        }
        draw_primitive_done(d);
    }
    while (*budget && b->engine->log->cost.ns == before_ns) { /* unmappable memory was accessed: stop */
        const struct gathered_object *gathered = NULL;
        budget_charge(budget, PRIMITIVE_INSTRUCTIONS);
        p->visible_parts = ALL_PARTS;
        p->continues_line = false;
        const enum ia_result assembly = d->state.gs.enable ? gs_next_primitive(d, b, p, budget)
                                        : d->state.gs.gen6_enable
                                            ? gen6_gs_next_primitive(d, b, p, budget)
                                            : ia_next_primitive(d, b, p, budget, &gathered);
        if (assembly == IA_AGAIN && !engine_faulted(b->engine))
            continue;
        if (assembly == IA_AGAIN || assembly == IA_WAIT)
            return false;
        if (assembly == IA_END) {
            d->cursor.primitive_index = d->cursor.strip_start_vertex = d->cursor.strip_start_primitive = 0;
            if (++d->cursor.instance < d->state.call.instance_count)
                continue;
            *ended = true;
            return false;
        }
        const bool resumes = d->cursor.phase == DRAW_RESUME;
        if (d->state.sol.enable && !resumes && !so_write_primitive(d, b, p, budget))
            return false;
        if (p->stream != d->state.sol.render_stream) {
            draw_primitive_done(d);
            continue;
        }
        if (gathered)
            gathered_object_corners(gathered, b->urb, dw);
        else
            primitive_corners(p, dw);
        d->cursor.visible_parts = p->visible_parts;
        d->cursor.part = resumes ? d->cursor.part : 0;
        d->cursor.replica = resumes ? d->cursor.replica : 0;
        if (!resumes && !p->continues_line)
            d->cursor.line_stipple = 0;
        /* a replica that was not begun was not counted */
        const bool is_counted = resumes && (d->cursor.part || d->cursor.subspan_xy[0] != INT32_MIN);
        const bool is_drawn = setup_replicas(d, b, dw, is_counted);
        if (d->cursor.is_set_up) {
            if (gathered) /* its vertices are saved */
                gathered_object_vertices(gathered, b->urb, p);
            repeat_first_corner(d, p);
        }
        if (is_drawn) {
            raster_begin(d, resumes);
            return true;
        }
        draw_primitive_done(d);
    }
    return false;
}

void draw_cursor_resume(struct draw_cursor *c, const struct draw_state *s, const struct draw_cursor *was)
{
    if (was->instance >= s->call.instance_count)
        return;
    c->instance = was->instance;
    c->primitive_index = was->primitive_index;
    c->strip_start_vertex = was->strip_start_vertex;
    c->strip_start_primitive = was->strip_start_primitive;
    if (s->primitive_phase != DRAW_ASSEMBLE) /* it was preempted between patches or objects */
        return;
    c->phase = was->phase;
    c->part = was->part;
    c->replica = was->replica;
    c->line_stipple = was->line_stipple;
    c->first_sample = was->first_sample;
    memcpy(c->subspan_xy, was->subspan_xy, sizeof c->subspan_xy);
}

/* ---- Subspans ---- */

enum { PIXEL_INSTRUCTIONS = 2 };

/* The pixels of gathered subspans that have passed, where all of the block was tested together. */
static uint32_t raster_tested_pixels(const struct draw *d, unsigned gathered)
{
    const unsigned first = d->cursor.subspan_count;
    uint32_t passed = 0;
    for (unsigned slot = first; slot < first + gathered; slot++) {
        const int32_t at[2] = {(int32_t)d->ps.subspan_xy[slot][0], (int32_t)d->ps.subspan_xy[slot][1]};
        const unsigned pixel = raster_subspan_index(at) * SUBSPAN_PIXELS;
        passed |= (uint32_t)(d->setup.block.passed >> pixel & 15u) << slot * SUBSPAN_PIXELS;
    }
    return passed;
}

/* Early depth and stencil test of the gathered subspans, also of draws without a pixel shader: keeps the
 * pixels in *covered that pass. Returns false on a fault. */
static bool raster_early_depth_stencil(struct draw *d, struct message_context *b, unsigned gathered,
                                       uint32_t *covered, uint64_t *budget)
{
    const struct depth_stencil *const s = &d->state.om.depth_stencil;
    if (!s->enabled && d->state.ps.valid)
        return true;
    float depth[SUBSPANS * SUBSPAN_PIXELS];
    const unsigned first = d->cursor.subspan_count * SUBSPAN_PIXELS;
    budget_charge(budget, PIXEL_INSTRUCTIONS * count_pixels(*covered));
    if (d->setup.block.tested) {
        *covered &= raster_tested_pixels(d, gathered);
        return true;
    }
    setup_depths(d, first, gathered * SUBSPAN_PIXELS, depth + first);
    *covered = depth_test_pixels(b, s, &d->ps, (const uint32_t(*)[2])d->ps.subspan_xy, *covered, depth);
    if (!d->state.ps.valid)
        d->ps_depth_count_pending += count_pixels(*covered);
    return !message_faulted(b);
}

bool raster_next_block(struct draw *d)
{
    int32_t *const at = d->cursor.subspan_xy, x = at[0] & -RASTER_BLOCK, y = at[1] & -RASTER_BLOCK;
    int32_t(*const bbox)[2] = d->setup.bbox;
    const int32_t first_x = bbox[0][0] & -RASTER_BLOCK, first_y = bbox[0][1] & -RASTER_BLOCK,
                  tile_x = x & -RASTER_TILE, tile_y = y & -RASTER_TILE;
    x += RASTER_BLOCK;
    at[0] = x;
    at[1] = y;
    if (x < tile_x + RASTER_TILE && x < bbox[1][0])
        return true;
    at[0] = tile_x > first_x ? tile_x : first_x;
    at[1] = y += RASTER_BLOCK;
    if (y < tile_y + RASTER_TILE && y < bbox[1][1])
        return true;
    at[0] = tile_x + RASTER_TILE;
    at[1] = tile_y > first_y ? tile_y : first_y;
    if (at[0] < bbox[1][0])
        return false;
    at[0] = first_x;
    at[1] = tile_y + RASTER_TILE;
    return false;
}

/* Moves the cursor from the tile to the next one. */
static void raster_skip_tile(struct draw *d)
{
    d->cursor.subspan_xy[0] |= RASTER_TILE - 1;
    d->cursor.subspan_xy[1] |= RASTER_TILE - 1;
    (void)raster_next_block(d);
}

/* The covered pixels of the cursor's block, from the cursor on. Outside: the tile has none. */
static uint64_t raster_coverage_ahead(struct draw *d, const struct message_context *b, bool *outside)
{
    struct raster_block *const c = &d->setup.block;
    const int32_t *const at = d->cursor.subspan_xy;
    const int32_t block[2] = {at[0] & -RASTER_BLOCK, at[1] & -RASTER_BLOCK},
                  tile[2] = {at[0] & -RASTER_TILE, at[1] & -RASTER_TILE};
    if (!c->valid || c->tile[0] != tile[0] || c->tile[1] != tile[1]) {
        memcpy(c->tile, tile, sizeof tile);
        c->tile_is_outside = !raster_classify_tile(d, tile[0], tile[1], &c->crossing_edges);
    }
    *outside = c->tile_is_outside;
    if (*outside) {
        c->valid = true;
        memcpy(c->xy, block, sizeof block);
        return c->coverage = 0;
    }
    if (!c->valid || c->xy[0] != block[0] || c->xy[1] != block[1]) {
        memcpy(c->xy, block, sizeof block);
        c->coverage = d->state.samples.enable
                          ? samples_block_coverage(d, block[0], block[1], c->crossing_edges)
                          : raster_block_coverage(d, block[0], block[1], c->crossing_edges);
        if (d->state.samples.enable && traces_fragments(b))
            samples_trace_masked(d, b, block, c->crossing_edges);
        if (d->state.stipple.polygon_enable || d->state.stipple.line_enable)
            c->coverage &= raster_stipple_mask(d, block);
        if (d->setup.smooth.kind == SMOOTH_POINT)
            c->coverage = smooth_point_pixels(d, block, c->coverage);
        if (d->state.samples.enable)
            samples_keep_pixels(d, c->coverage);
        c->valid = true;
        c->tested = false;
    }
    return c->coverage & UINT64_MAX << raster_subspan_index(at) * SUBSPAN_PIXELS;
}

/* Gathers the next subspans of the cursor's block, at most `count`, into the thread behind those it has.
 * Returns their pixels; the cursor moves to the next covered one, or to
 * the next block. `ahead`: the covered pixels from the cursor on. */
static uint32_t raster_gather(struct draw *d, uint64_t ahead, unsigned count, unsigned *gathered)
{
    struct draw_cursor *const c = &d->cursor;
    const int32_t block[2] = {c->subspan_xy[0] & -RASTER_BLOCK, c->subspan_xy[1] & -RASTER_BLOCK};
    uint32_t covered = 0;
    unsigned slot = c->subspan_count;
    for (; ahead && slot < c->subspan_count + count; slot++) {
        const unsigned subspan = (unsigned)__builtin_ctzll(ahead) / SUBSPAN_PIXELS;
        const uint64_t pixels = 15ull << subspan * SUBSPAN_PIXELS;
        d->ps.subspan_xy[slot][0] = (uint32_t)block[0] + raster_pixel_x(subspan * SUBSPAN_PIXELS);
        d->ps.subspan_xy[slot][1] = (uint32_t)block[1] + raster_pixel_y(subspan * SUBSPAN_PIXELS);
        covered |= (uint32_t)((ahead & pixels) >> subspan * SUBSPAN_PIXELS) << slot * SUBSPAN_PIXELS;
        ahead &= ~pixels;
    }
    *gathered = slot - c->subspan_count;
    if (ahead) {
        const unsigned pixel = (unsigned)__builtin_ctzll(ahead) & ~(SUBSPAN_PIXELS - 1u);
        c->subspan_xy[0] = block[0] + (int32_t)raster_pixel_x(pixel);
        c->subspan_xy[1] = block[1] + (int32_t)raster_pixel_y(pixel);
    } else {
        (void)raster_next_block(d);
    }
    return covered;
}

enum { BLOCK_INSTRUCTIONS = 4, SQUARE = 4, SQUARE_PIXELS = SQUARE * SUBSPAN_PIXELS };

/* Whether each of four subspans has a pixel. */
static bool are_all_covered(uint32_t pixels)
{
    enum { FIRSTS = 0x1111 };
    const uint32_t pairs = pixels | pixels >> 1;
    return ((pairs | pairs >> 2) & FIRSTS) == FIRSTS;
}

/* Gathers the next four subspans of the cursor's block as a thread's first ones, as raster_gather does.
 * False: they are no square, or one has no pixel. */
static bool raster_gather_square(struct draw *d, uint64_t ahead, uint32_t *covered)
{
    struct draw_cursor *const c = &d->cursor;
    const unsigned first = raster_subspan_index(c->subspan_xy);
    const int32_t block[2] = {c->subspan_xy[0] & -RASTER_BLOCK, c->subspan_xy[1] & -RASTER_BLOCK};
    const uint64_t from_first = ahead >> first * SUBSPAN_PIXELS, left = from_first >> SQUARE_PIXELS;
    *covered = (uint32_t)from_first & UINT16_MAX;
    if (first % SQUARE || !are_all_covered(*covered))
        return false;
    const uint32_t x = (uint32_t)c->subspan_xy[0], y = (uint32_t)c->subspan_xy[1];
    const uint32_t at[SQUARE][2] = {{x, y}, {x + 2, y}, {x, y + 2}, {x + 2, y + 2}};
    memcpy(d->ps.subspan_xy, at, sizeof at);
    if (left) {
        const unsigned next = first * SUBSPAN_PIXELS + SQUARE_PIXELS +
                              ((unsigned)__builtin_ctzll(left) & ~(SUBSPAN_PIXELS - 1u));
        c->subspan_xy[0] = block[0] + (int32_t)raster_pixel_x(next);
        c->subspan_xy[1] = block[1] + (int32_t)raster_pixel_y(next);
    } else {
        (void)raster_next_block(d);
    }
    return true;
}

/* Keeps the gathered subspans with covered pixels, side by side behind those that the thread has. */
static void raster_keep(struct draw *d, uint32_t covered, unsigned gathered)
{
    struct draw_cursor *const c = &d->cursor;
    const unsigned end = c->subspan_count + gathered;
    if (!c->subspan_count && gathered == SQUARE && are_all_covered(covered)) {
        d->ps.coverage_mask = covered;
        c->subspan_count = SQUARE;
        return;
    }
    for (unsigned slot = c->subspan_count; slot < end; slot++) {
        const uint32_t pixels = covered >> slot * SUBSPAN_PIXELS & 15u;
        if (!pixels)
            continue;
        memmove(d->ps.subspan_xy[c->subspan_count], d->ps.subspan_xy[slot], sizeof d->ps.subspan_xy[slot]);
        d->ps.coverage_mask |= pixels << c->subspan_count++ * SUBSPAN_PIXELS;
    }
}

static void raster_trace_covered(const struct draw *d, const struct message_context *b, uint32_t pixels)
{
    trace_fragments(
        b,
        (struct softgt_fragment){.step = SOFTGT_FRAGMENT_COVERED, .passed = true, .layer = d->ps.array_index},
        (const uint32_t(*)[2])d->ps.subspan_xy, pixels);
}

/* Takes the next four subspans of the cursor's block as a thread's only ones, where no test precedes the
 * shader, each has a pixel, and they are a square. False: they must be gathered. */
static bool raster_take_square(struct draw *d, struct message_context *b, uint64_t *budget)
{
    struct ps_thread *const p = &d->ps;
    bool outside;
    if (d->cursor.subspan_count || !*budget || raster_subspan_index(d->cursor.subspan_xy) % SQUARE)
        return false;
    const uint64_t ahead = raster_coverage_ahead(d, b, &outside);
    uint32_t pixels;
    if (!ahead || !raster_gather_square(d, ahead, &pixels))
        return false;
    memset(p->subspan_xy[SQUARE], 0, sizeof p->subspan_xy - SQUARE * sizeof *p->subspan_xy);
    p->coverage_mask = p->unwritten_mask = pixels;
    p->late_tested_mask = p->late_failed_mask = 0;
    budget_charge(budget, SQUARE * BLOCK_INSTRUCTIONS / BLOCK_SUBSPANS + 1u);
    pixel_event_count(b, PIXELS_RASTERIZED, pixels, 0);
    if (traces_fragments(b))
        raster_trace_covered(d, b, pixels);
    return true;
}

static void raster_begin_thread(struct draw *d)
{
    d->ps.coverage_mask = 0;
    if (d->state.samples.enable) {
        d->ps.left_out_samples = 0;
        memset(d->ps.samples, 0, sizeof d->ps.samples);
        memset(d->ps.input_samples, 0, sizeof d->ps.input_samples);
        memset(d->ps.slot_sample, 0, sizeof d->ps.slot_sample);
    }
    if (ps_is_coarse(&d->ps))
        coarse_begin_thread(d);
}

/* The depths of a thread's pixels, if they are tested late; and the primitive's end. */
static void raster_end_thread(struct draw *d, unsigned subspans)
{
    const bool late = d->state.om.late_depth_stencil && !ps_is_coarse(&d->ps); /* messages set those */
    if (late && d->state.samples.enable)
        samples_late_depths(d, subspans);
    else if (late)
        setup_depths(d, 0, subspans * SUBSPAN_PIXELS, d->ps.pixel_depth);
    d->cursor.subspan_count = 0;
    if (d->cursor.subspan_xy[1] >= d->setup.bbox[1][1])
        draw_part_done(d);
}

bool raster_next_subspans(struct draw *d, struct message_context *b, unsigned count, uint64_t *budget,
                          bool *ended)
{
    struct ps_thread *const p = &d->ps;
    struct draw_cursor *const c = &d->cursor;
    const bool late = d->state.om.late_depth_stencil;
    bool full = false;
    *ended = false;
    if (c->phase != DRAW_RASTERIZE && !draw_next_primitive(d, b, budget, ended))
        return false;
    if (count == SQUARE && d->state.ps.valid && !d->state.samples.enable && !ps_is_coarse(p) &&
        (late || !d->state.om.depth_stencil.enabled) && raster_take_square(d, b, budget)) {
        raster_end_thread(d, SQUARE);
        return true;
    }
    if (!c->subspan_count)
        raster_begin_thread(d);
    while (c->subspan_count < count && c->subspan_xy[1] < d->setup.bbox[1][1] && !full) {
        if (!*budget)
            return false;
        bool outside;
        const int32_t tile[2] = {c->subspan_xy[0] & -RASTER_TILE, c->subspan_xy[1] & -RASTER_TILE};
        const uint64_t ahead = raster_coverage_ahead(d, b, &outside);
        if (outside) {
            budget_charge(budget, 1);
            raster_skip_tile(d);
        } else if (!ahead) {
            budget_charge(budget, 1);
            (void)raster_next_block(d);
        } else if (ps_is_coarse(p)) {
            if (!coarse_gather(d, b, budget))
                return false;
        } else if (d->state.samples.enable) {
            if (!samples_gather(d, b, ahead, count, budget, &full))
                return false;
        } else {
            unsigned gathered = SQUARE;
            uint32_t rasterized;
            if (count != SQUARE || c->subspan_count || !raster_gather_square(d, ahead, &rasterized))
                rasterized = raster_gather(d, ahead, count - c->subspan_count, &gathered);
            uint32_t covered = rasterized;
            if (traces_fragments(b))
                raster_trace_covered(d, b, rasterized);
            if (!late && !raster_early_depth_stencil(d, b, gathered, &covered, budget))
                return false;
            budget_charge(budget, gathered * BLOCK_INSTRUCTIONS / BLOCK_SUBSPANS + 1u);
            pixel_event_count(b, PIXELS_RASTERIZED, rasterized, 0);
            pixel_event_count(b, PIXELS_EARLY_FAILED, rasterized, covered);
            if (d->state.ps.valid)
                raster_keep(d, covered, gathered);
        }
        /* A thread's pixels are of one tile. */
        full |= c->subspan_count && (tile[0] != (c->subspan_xy[0] & -RASTER_TILE) ||
                                     tile[1] != (c->subspan_xy[1] & -RASTER_TILE));
    }
    memset(p->subspan_xy[c->subspan_count], 0, (SUBSPANS - c->subspan_count) * sizeof *p->subspan_xy);
    p->unwritten_mask = p->coverage_mask;
    p->late_tested_mask = p->late_failed_mask = 0;
    raster_end_thread(d, c->subspan_count);
    return p->coverage_mask;
}

/* Tests the depths and stencils of a whole block. False: a fault. */
static bool raster_test_block(struct draw *d, struct message_context *b, const uint32_t xy[2])
{
    enum { PIXELS = RASTER_BLOCK * RASTER_BLOCK, ROUND = SUBSPANS * SUBSPAN_PIXELS };
    uint32_t at[BLOCK_SUBSPANS][2];
    float depth[PIXELS];
    for (unsigned n = 0; n < BLOCK_SUBSPANS; n++) {
        at[n][0] = xy[0] + raster_pixel_x(n * SUBSPAN_PIXELS);
        at[n][1] = xy[1] + raster_pixel_y(n * SUBSPAN_PIXELS);
    }
    setup_depths_at(d, (const uint32_t(*)[2])at, BLOCK_SUBSPANS, depth);
    d->setup.block.passed = 0;
    for (unsigned first = 0; first < PIXELS; first += ROUND) {
        const uint64_t passed =
            depth_test_pixels(b, &d->state.om.depth_stencil, &d->ps,
                              (const uint32_t(*)[2])at + first / SUBSPAN_PIXELS, UINT32_MAX, depth + first);
        d->setup.block.passed |= passed << first;
    }
    return !message_faulted(b);
}

/* Whether all pixels of a block that was tested have passed. Otherwise those that have are gathered one by
 * one. */
static bool raster_block_passes(struct draw *d, uint64_t *budget)
{
    enum { COST = RASTER_BLOCK * RASTER_BLOCK * PIXEL_INSTRUCTIONS };
    d->setup.block.tested = d->setup.block.passed != UINT64_MAX;
    if (d->setup.block.tested)
        return false;
    *budget -= COST;
    return true;
}

bool raster_take_block(struct draw *d, struct message_context *b, uint64_t *budget, uint32_t xy[2])
{
    enum { COST = BLOCK_SQUARES * (SQUARE * BLOCK_INSTRUCTIONS / BLOCK_SUBSPANS + 1), MOST_COST = 1 << 10 };
    struct draw_cursor *const c = &d->cursor;
    bool outside;
    if (c->phase != DRAW_RASTERIZE || c->subspan_count || *budget < MOST_COST || !d->state.ps.valid ||
        d->state.om.late_depth_stencil || d->state.samples.enable || ps_is_coarse(&d->ps) ||
        (c->subspan_xy[0] | c->subspan_xy[1]) % RASTER_BLOCK ||
        raster_coverage_ahead(d, b, &outside) != UINT64_MAX || d->setup.block.tested)
        return false;
    xy[0] = (uint32_t)c->subspan_xy[0];
    xy[1] = (uint32_t)c->subspan_xy[1];
    if (d->state.om.depth_stencil.enabled &&
        (!raster_test_block(d, b, xy) || !raster_block_passes(d, budget)))
        return false;
    memset(d->ps.subspan_xy[SQUARE], 0, sizeof d->ps.subspan_xy - SQUARE * sizeof *d->ps.subspan_xy);
    *budget -= COST;
    b->counters.pixel_event_subspans[PIXELS_RASTERIZED] += BLOCK_SUBSPANS;
    b->counters.pixel_events[PIXELS_RASTERIZED] += (uint64_t)RASTER_BLOCK * RASTER_BLOCK;
    (void)raster_next_block(d);
    raster_end_thread(d, SQUARE);
    return true;
}

void raster_put_square(struct ps_thread *p, const uint32_t block[2], unsigned square)
{
    enum { HALF = RASTER_BLOCK / 2, ALL = UINT16_MAX };
    const uint32_t x = block[0] + square % 2u * HALF, y = block[1] + square / 2u * HALF;
    const uint32_t at[SQUARE][2] = {{x, y}, {x + 2, y}, {x, y + 2}, {x + 2, y + 2}};
    memcpy(p->subspan_xy, at, sizeof at);
    p->coverage_mask = p->unwritten_mask = ALL;
    p->late_tested_mask = p->late_failed_mask = 0;
}
