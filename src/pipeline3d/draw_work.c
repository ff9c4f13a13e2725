/*
 * A draw as work of the thread dispatcher. The next group is the next thread of the pixel shader, or of the
 * stage that pixels wait for. Context switches happen between two pixel shader threads, also within a
 * primitive; with tessellation or geometry shaders only between two patches or objects.
 */
#include "pipeline3d/draw_work.h"
#include "engine/statistics.h"

#include <stdlib.h>

const struct stage_ops *stage_ops_of(unsigned stage)
{
    static const struct stage_ops *const stages[MAX_PAYLOADS] = {
        [SHADER_STAGE_PS] = &ps_stage_ops, [SHADER_STAGE_VS] = &vs_stage_ops,
        [SHADER_STAGE_HS] = &hs_stage_ops, [SHADER_STAGE_DS] = &ds_stage_ops,
        [SHADER_STAGE_GS] = &gs_stage_ops, [SHADER_STAGE_GEN6_GS] = &gen6_gs_stage_ops};
    return stages[stage];
}

bool draw_work_create(struct thread_dispatcher *d, const struct softgt_config *config,
                      const struct draw_parallel_ops *parallel)
{
    struct draw_work *const w = d->draws = calloc(1, sizeof *w);
    if (!w)
        return false;
    *w = (struct draw_work){.dispatcher = d,
                            .enabled = config->draws,
                            .draw.interpolation = interpolation_of(eu_host_simd_level()),
                            .draw.triangles = triangle_functions_of(eu_host_simd_level()),
                            .parallel = parallel,
                            .urb = calloc(1, sizeof *w->urb)};
    if (config->parallel.threads > 1)
        w->background = config->background;
    d->bindings.tessellation = &w->tessellation;
    d->bindings.om = &w->draw.state.om;
    d->bindings.urb = w->urb;
    d->kinds[WORK_DRAW] = &draw_dispatch_ops;
    return w->urb != NULL;
}

void draw_work_destroy(struct thread_dispatcher *d)
{
    if (d->draws) {
        if (d->draws->parallel)
            d->draws->parallel->destroy(d);
        free(d->draws->urb);
        kept_state_destroy(&d->draws->kept);
    }
    free(d->draws);
}

/* ---- Groups ---- */

static void draw_drop(struct thread_dispatcher *d)
{
    d->draws->draw.cursor = (struct draw_cursor){.line_stipple = d->draws->draw.cursor.line_stipple};
    d->draws->draw.ps = (struct ps_thread){0};
    d->draws->draw.state.is_decoded = false;
}

static uint32_t draw_channels(const struct thread_dispatcher *d, unsigned index)
{
    (void)index;
    return stage_ops_of(d->work.setup.payload)->channels(d);
}

static void draw_fill(struct thread_dispatcher *d, struct eu_thread *t, unsigned index)
{
    (void)index;
    stage_ops_of(d->work.setup.payload)->payload(d, t);
}

static void draw_done(struct thread_dispatcher *d)
{
    stage_ops_of(d->work.setup.payload)->done(d);
    d->work.phase = DISPATCH_NEXT_WORK;
}

static void draw_end(struct thread_dispatcher *d)
{
    if (d->draws->draw.state.sol.enable)
        so_write_offsets_store(&d->draws->draw.state.sol, d->engine);
    if (tracing(d->engine->log, SOFTGT_TRACE_DRAWS))
        draw_trace_end(d);
    draw_drop(d);
}

static void draw_bind(struct thread_dispatcher *d)
{
    d->bindings.ps = draw_shades_pixels(d) ? &d->draws->draw.ps : NULL;
    d->bindings.smooth = &d->draws->draw.setup.smooth;
    d->bindings.pixel_units = &draw_pixel_units;
    d->bindings.urb = d->draws->urb;
    gen6_gs_bind(d);
}

/* Ends the draw at an unsupported feature. */
static bool draw_abandon(struct thread_dispatcher *d)
{
    if (!d->bindings.error_text || !d->bindings.not_modelled || engine_faulted(d->engine))
        return false;
    draw_report_unsupported(d->engine, d->bindings.error_text, true);
    return true;
}

static void draw_flush_counters(struct thread_dispatcher *d)
{
    const uint8_t counts =
        d->engine->info->draws.ps_invocations_per_pixel; /* (Linux drivers: WaDividePSInvocationCountBy4) */
    const struct {
        uint32_t counter;
        uint64_t more;
    } added[] = {{PS_INVOCATION_COUNT, d->counters.pixels * (counts ? counts : 1u)},
                 {VS_INVOCATION_COUNT, d->counters.vertices},
                 {DS_INVOCATION_COUNT, d->counters.domain_points},
                 {PS_DEPTH_COUNT, d->counters.depth_passed},
                 {CPS_INVOCATION_COUNT, d->counters.coarse_pixels}};
    for (unsigned i = 0; i < sizeof added / sizeof added[0]; i++)
        if (added[i].more)
            engine_register64_add(d->engine, added[i].counter, added[i].more);
}

static enum oa_shader_stage draw_oa_client(const struct thread_dispatcher *d)
{
    static const uint8_t clients[MAX_PAYLOADS] = {
        [SHADER_STAGE_PS] = OA_STAGE_PS, [SHADER_STAGE_VS] = OA_STAGE_VS,
        [SHADER_STAGE_HS] = OA_STAGE_HS, [SHADER_STAGE_DS] = OA_STAGE_DS,
        [SHADER_STAGE_GS] = OA_STAGE_GS, [SHADER_STAGE_GEN6_GS] = OA_STAGE_GS};
    return (enum oa_shader_stage)clients[d->work.setup.payload];
}

/* ---- Other contexts ---- */

static bool draw_can_leave(const struct thread_dispatcher *d)
{
    const struct draw_cursor *const c = &d->draws->draw.cursor;
    return !c->subspan_count &&
           (draw_phase_is_input(c->phase) || d->draws->draw.state.primitive_phase == DRAW_ASSEMBLE);
}

static bool draw_is_preemptable(const struct engine *e)
{
    enum { FF_SLICE_CS_CHICKEN3 = 0x0ec, OBJECTS = 1 << 0 };
    return !e->info->draws.has_3d_object_preemption ||
           dispatch_preemption_bit(e, FF_SLICE_CS_CHICKEN3, OBJECTS);
}

/* In a context image: instance, primitive, subspan, whether the primitive is begun, at which part and sample,
 * the line stipple counter, the replica, last cut index; the number of an indirect draw. */
enum {
    DRAW_CURSOR_DW = 8,
    PART_SHIFT = 1,
    PART_MASK = 3,
    SAMPLE_SHIFT = 4,
    STIPPLE_SHIFT = 8,
    REPLICA_SHIFT = 24
};

static void draw_save(const struct thread_dispatcher *d, uint32_t *dw)
{
    const struct draw_cursor *const c = &d->draws->draw.cursor;
    const bool next_part = c->phase == DRAW_PART && draw_has_next_part(&d->draws->draw),
               next_replica = c->phase == DRAW_PART && !next_part;
    const uint32_t part = next_replica ? 0 : (uint32_t)c->part + next_part;
    dw[0] = c->instance;
    dw[1] = c->primitive_index;
    memcpy(dw + 2, c->subspan_xy, sizeof c->subspan_xy);
    dw[4] = (c->phase != DRAW_ASSEMBLE) | part << PART_SHIFT | (uint32_t)c->first_sample << SAMPLE_SHIFT |
            c->line_stipple << STIPPLE_SHIFT | ((uint32_t)c->replica + next_replica) << REPLICA_SHIFT;
    if (c->phase == DRAW_PART) /* the next part begins at its first subspan */
        dw[2] = dw[3] = (uint32_t)INT32_MIN;
    dw[5] = c->strip_start_vertex;
    dw[6] = c->strip_start_primitive;
    dw[7] = d->work.walker.indirect_index;
}

static void draw_load(struct thread_dispatcher *d, const uint32_t *dw)
{
    d->draws->draw.state.is_decoded = false;
    d->draws->draw.cursor =
        (struct draw_cursor){.instance = dw[0],
                             .primitive_index = dw[1],
                             .subspan_xy = {(int32_t)dw[2], (int32_t)dw[3]},
                             .phase = dw[4] & 1u ? DRAW_RESUME : DRAW_ASSEMBLE,
                             .part = (uint8_t)((dw[4] >> PART_SHIFT & PART_MASK) % CORNERS),
                             .line_stipple = dw[4] >> STIPPLE_SHIFT & (STIPPLE_PERIOD - 1u),
                             .replica = (uint8_t)(dw[4] >> REPLICA_SHIFT & (REPLICAS - 1u)),
                             .first_sample = (uint8_t)(dw[4] >> SAMPLE_SHIFT & (SAMPLES - 1u)),
                             .strip_start_vertex = dw[5],
                             .strip_start_primitive = dw[6]};
    d->work.walker.indirect_index = dw[7];
}

/* Returns false after a load until the draw command has called draw_restore. */
static bool draw_is_ready(const struct thread_dispatcher *d)
{
    return d->draws->draw.state.is_decoded;
}

static bool draw_settle(struct thread_dispatcher *d, uint64_t *budget)
{
    return !d->draws->parallel || d->draws->parallel->flush(d, budget);
}

static bool draw_runs_batches(struct thread_dispatcher *d)
{
    return d->draws->parallel && d->draws->parallel->can_run(d);
}

const struct dispatch_ops draw_dispatch_ops = {
    .next = draw_advance,
    .channels = draw_channels,
    .fill = draw_fill,
    .done = draw_done,
    .end = draw_end,
    .bind = draw_bind,
    .abandon = draw_abandon,
    .can_leave = draw_can_leave,
    .is_preemptable = draw_is_preemptable,
    .cursor_dw = DRAW_CURSOR_DW,
    .save = draw_save,
    .load = draw_load,
    .drop = draw_drop,
    .is_ready = draw_is_ready,
    .flush_counters = draw_flush_counters,
    .settle = draw_settle,
    .runs_batches = draw_runs_batches,
    .oa_client = draw_oa_client,
    .next_failed_text = "its vertices cannot be read",
};

/* ---- State ---- */

static STATE_TABLE(cursor_fields, struct draw_cursor, DRAW_CURSOR)
static STATE_TABLE(ps_fields, struct ps_thread, PS_THREAD)

enum { SECTIONS = 2 };
#define DRAW_SECTION(member, number)                                                                         \
    {                                                                                                        \
        .name = #member, .version = (number), .reset_survival = SURVIVES_NOTHING,                            \
        .field_count = sizeof member##_fields / sizeof *member##_fields, .fields = member##_fields,          \
        .offset = offsetof(struct draw_work, draw) + offsetof(struct draw, member),                          \
        .size = sizeof(((struct draw *)0)->member)                                                           \
    }
static const struct section draw_sections[] = {DRAW_SECTION(cursor, 6), DRAW_SECTION(ps, 4)};

/* Whether a loaded draw is consistent: its threads are of a stage that runs in its phase. The state is not
 * decoded yet: draw_cursor_restore checks the phase against it. */
static bool draw_is_valid(const struct thread_dispatcher *d)
{
    enum {
        VS = 1 << SHADER_STAGE_VS,
        HS = 1 << SHADER_STAGE_HS,
        DS = 1 << SHADER_STAGE_DS,
        GS = 1 << SHADER_STAGE_GS | 1 << SHADER_STAGE_GEN6_GS
    };
    const unsigned stage = d->work.setup.payload;
    const struct draw_cursor *const c = &d->draws->draw.cursor;
    unsigned stages = 0; /* those that run in the phase, beside the pixel shader */
    bool valid = d->work.setup.threads == 1 || stage == SHADER_STAGE_HS;
    switch ((enum draw_phase)c->phase) {
    case DRAW_ASSEMBLE:
        stages = VS | HS | 1u << SHADER_STAGE_GEN6_GS; /* of Gen6: without rendering */
        break;
    case DRAW_RESUME:
        stages = VS;
        break;
    case DRAW_PATCH:
        valid &= (c->stages & HS) != 0;
        stages = DS;
        break;
    case DRAW_GS_OUTPUT:
        valid &= (c->stages & GS) != 0;
        stages = VS | GS; /* vertices of objects that share the next thread */
        break;
    case DRAW_RASTERIZE:
    case DRAW_CLEAR:
    case DRAW_PART:
        valid &= c->is_set_up;
        break;
    case DRAW_IDLE:
    case DRAW_PHASES:
        return false;
    }
    if (stage == SHADER_STAGE_PS)
        return valid && (d->work.phase == DISPATCH_NEXT_WORK || c->is_set_up) &&
               (!c->subspan_count || c->phase == DRAW_RASTERIZE);
    return valid && d->work.phase != DISPATCH_NEXT_WORK && stages & c->stages & 1u << stage;
}

static bool draw_has_work(const struct thread_dispatcher *d)
{
    return dispatch_has_work(&d->work) && d->work.kind == WORK_DRAW;
}

/* The vertices of the current primitive. */
static void primitive_state(struct thread_dispatcher *d, struct state *s)
{
    struct shaded_primitive *const p = &d->draws->draw.primitive;
    if (!draw_has_work(d) || !d->draws->draw.cursor.is_set_up)
        return;
    const size_t begin = state_section_begin(s, d->engine->info->name, "primitive", 1);
    state_dwords(s, p->vue_dw[0], sizeof p->vue_dw / sizeof p->vue_dw[0][0]);
    for (unsigned i = 0; i < CORNERS; i++)
        p->filled_dw[i] = VUE_DW;
    state_section_end(s, begin);
}

/* The dispatcher's own state is loaded before this. */
static void draw_work_state(void *unit, struct state *s)
{
    struct draw_work *const w = unit;
    struct thread_dispatcher *const d = w->dispatcher;
    sections_state(draw_sections, SECTIONS, w, d->engine->info->name, s);
    state_check(s, s->failed || !draw_has_work(d) || draw_is_valid(d));
    if (!s->saving)
        d->draws->draw.state.is_decoded = d->draws->kept.valid = false;
    primitive_state(d, s);
    urb_state(d, s);
}

static void draw_reset(void *unit, enum reset_scope scope)
{
    struct draw_work *const w = unit;
    (void)scope; /* the dispatcher drops its work */
    w->draw.cursor.line_stipple = 0;
}

const struct unit_shape draw_work_shape = {
    .sections = draw_sections, .section_count = SECTIONS, .reset = draw_reset, .state = draw_work_state};
