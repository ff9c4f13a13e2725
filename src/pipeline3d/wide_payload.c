/*
 * The payload of pixel shader threads whose registers have 64 bytes. A register for each 16 pixels has the
 * thread header, or in the second zeros, and subspans and the dispatch mask in its upper half; then come the
 * inputs of each 16 pixels, the places of all, and planes of polygons. All polygons of a thread are the same.
 * (Mesa, brw_fs_thread_payload.cpp: setup_fs_payload_gfx20; brw_compile_fs.cpp: assign_urb_setup)
 */
#include "pipeline3d/draw_work.h"

enum { ROWS = 2, ROW_DW = EU_REGISTER_BYTES / 4, REGISTER_DW = ROWS * ROW_DW };

/* Each pair of subspans has the render target array index, the facing and the viewport index. */
static uint32_t wide_primitive_header(const struct draw *w)
{
    enum { ARRAY_INDEX = 0x7ff, BACK = 11, VIEWPORT = 12, SECOND = 16 };
    const uint32_t pair = (w->ps.array_index & ARRAY_INDEX) | (uint32_t)w->setup.back_facing << BACK |
                          (uint32_t)w->setup.viewport_index << VIEWPORT;
    return pair | pair << SECOND;
}

/* Half of a register without values: the last thread may have written it. */
static void wide_put_zeros(struct payload_writer *f)
{
    static const uint8_t zeros[EU_REGISTER_BYTES];
    payload_put_row(f, zeros, sizeof zeros);
}

static void wide_put_subspans(struct payload_writer *f, const struct draw *w, unsigned half)
{
    enum { FOURS = PS_HALF_PIXELS / SUBSPAN_PIXELS, COORDINATE = 0xffff, SUBSPANS_DW = 2, MASK_DW = 7 };
    const uint32_t(*const xy)[2] = w->ps.subspan_xy + half * FOURS;
    const uint32_t lit = w->ps.coverage_mask >> half * PS_HALF_PIXELS & 0xffffu;
    uint32_t dw[ROW_DW] = {ps_samples_or_size(w, half), wide_primitive_header(w)};
    for (unsigned n = 0; n < FOURS; n++)
        dw[SUBSPANS_DW + n] = (xy[n][0] & COORDINATE) | xy[n][1] << 16;
    dw[MASK_DW] = lit | lit << 16;
    f->grf = half * ROWS;
    if (half)
        wide_put_zeros(f);
    f->grf = half * ROWS + 1u;
    payload_put_row(f, dw, sizeof dw);
}

/* A register has a barycentric of all pixels. */
static void wide_put_barycentrics(struct payload_writer *f, const struct draw *w, unsigned mode,
                                  unsigned first)
{
    enum { PARTS = 4, PART = ROW_DW };
    static const uint8_t order[PARTS] = {0, 2, 1, 3}; /* of eight pixels' barycentrics 1 and 2 */
    float values[PARTS * PART];
    setup_barycentrics(w, mode, first, PS_HALF_PIXELS, values);
    for (unsigned i = 0; i < PARTS; i++)
        payload_put_row(f, values + order[i] * PART, PART * sizeof *values);
}

/* x, then y of each sample, in 1/16 of a pixel: of the pattern, unless all samples are at the pixel's
 * location.
 */
static void wide_put_sample_offsets(struct payload_writer *f, const struct draw *w)
{
    enum { CENTER = 8 };
    const struct sample_state *const s = &w->state.samples;
    const unsigned samples = s->count_log2 && !s->at_center ? 1u << s->count_log2 : 0;
    uint8_t offsets[2][SAMPLES];
    memset(offsets, CENTER, sizeof offsets);
    for (unsigned n = 0; n < samples; n++)
        for (unsigned axis = 0; axis < 2; axis++)
            offsets[axis][n] = s->xy[n][axis];
    payload_put_row(f, offsets, sizeof offsets);
    wide_put_zeros(f);
}

static void wide_put_inputs(struct payload_writer *f, const struct draw *w, unsigned half, unsigned halves)
{
    const struct ps_state *const s = &w->state.ps;
    const unsigned first = half * PS_HALF_PIXELS;
    FOR_EACH_CHANNEL(mode, s->barycentric_interpolation_modes & ((1u << BARYCENTRIC_MODES) - 1u))
        wide_put_barycentrics(f, w, mode, first);
    if (s->uses_source_depth)
        ps_put_floats(f, w, first, PS_HALF_PIXELS, setup_depths);
    if (s->uses_source_w)
        ps_put_floats(f, w, first, PS_HALF_PIXELS, setup_ws);
    if (s->input_coverage)
        ps_put_coverage(f, w, first, PS_HALF_PIXELS);
    if (half)
        return;
    if (s->position_xy_offset) {
        for (unsigned i = 0; i < halves; i++)
            ps_put_positions(f, w, i * PS_HALF_PIXELS, PS_HALF_PIXELS);
        if (halves < ROWS)
            wide_put_zeros(f);
    }
    if (s->requires_sample_offsets)
        wide_put_sample_offsets(f, w);
}

static void wide_put_plane(const double plane[SCREEN_PLANE], float *dw)
{
    for (unsigned n = 0; n < SCREEN_PLANE; n++)
        dw[n] = (float)plane[n];
}

enum { BARYCENTRIC_1 = 0, BARYCENTRIC_2 = 3, BEGIN_X = 6, BEGIN_Y, PLANE_Z, PLANE_BY_W = 11 };

/* Barycentrics, divided by w or not. */
static void wide_put_barycentric_planes(const struct draw *w, bool linear, float dw[REGISTER_DW])
{
    const struct plane_equations *const e = &w->setup.equations;
    const double w1 = linear ? e->vertex[CORNER + CORNER_W] : 1,
                 w2 = linear ? e->vertex[2 * CORNER + CORNER_W] : 1;
    double plane[SCREEN_PLANE];
    setup_screen_plane(w, (const double[CORNERS]){0, w1, 0}, plane);
    wide_put_plane(plane, dw + BARYCENTRIC_1);
    setup_screen_plane(w, (const double[CORNERS]){0, 0, w2}, plane);
    wide_put_plane(plane, dw + BARYCENTRIC_2);
    dw[BEGIN_X] = (float)w->setup.first_xy[0];
    dw[BEGIN_Y] = (float)w->setup.first_xy[1];
}

static void wide_put_depth_w_planes(const struct draw *w, float dw[REGISTER_DW])
{
    double depth[SCREEN_PLANE], by_w[SCREEN_PLANE];
    setup_depth_w_planes(w, depth, by_w);
    wide_put_plane(depth, dw + PLANE_Z);
    wide_put_plane(by_w, dw + PLANE_BY_W);
}

/* A register for each polygon. */
static void wide_put_polygons(struct payload_writer *f, const struct draw *w, const float dw[REGISTER_DW])
{
    for (unsigned n = 0; n < w->state.stage[SHADER_STAGE_PS].polygons; n++)
        payload_put(f, dw, REGISTER_DW * sizeof *dw);
}

static void wide_put_screen_planes(struct payload_writer *f, const struct draw *w)
{
    const struct ps_state *const s = &w->state.ps;
    float dw[REGISTER_DW] = {0}, linear[REGISTER_DW] = {0};
    if (s->requires_depth_w_planes || s->requires_perspective_planes) {
        wide_put_barycentric_planes(w, false, dw);
        wide_put_depth_w_planes(w, dw);
        wide_put_polygons(f, w, dw);
    }
    if (s->requires_linear_planes) {
        wide_put_barycentric_planes(w, true, linear);
        wide_put_polygons(f, w, linear);
    }
}

unsigned ps_put_wide_inputs(const struct thread_dispatcher *d, struct eu_thread *t)
{
    const struct draw *const w = &d->draws->draw;
    const unsigned halves = d->work.setup.simd / PS_HALF_PIXELS;
    struct payload_writer f = {.thread = t};
    for (unsigned half = 0; half < halves; half++)
        wide_put_subspans(&f, w, half);
    for (unsigned half = 0; half < halves; half++)
        wide_put_inputs(&f, w, half, halves);
    wide_put_screen_planes(&f, w);
    t->sr0[SR0_DISPATCH_MASK] = w->ps.coverage_mask;
    t->sr0[SR0_VECTOR_MASK] = whole_subspans(w->ps.coverage_mask);
    return f.grf;
}

/* Five components a register: of each the value of corner 0, and the steps of the barycentrics. */
void ps_put_wide_planes(struct payload_writer *f, const struct draw *w)
{
    enum { COMPONENTS = 4, EACH = 5, EACH_DW = 3 };
    const unsigned all = w->state.sbe.sf_output_attribute_count * (unsigned)COMPONENTS;
    for (unsigned first = 0; first < all; first += EACH) {
        float dw[REGISTER_DW] = {0};
        for (unsigned n = 0; n < EACH && first + n < all; n++) {
            const float *const plane = w->setup.planes + (first + n) * PLANE;
            const float of[EACH_DW] = {plane[PLANE_0], plane[PLANE_1], plane[PLANE_2]};
            memcpy(dw + n * EACH_DW, of, sizeof of);
        }
        wide_put_polygons(f, w, dw);
    }
}
