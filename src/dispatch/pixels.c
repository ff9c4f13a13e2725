/*
 * Threads that shade pixels: each is a group of its own, with the pixels that the draw comes to next. What a
 * thread finds: r0; r1 (of 32 pixels r2, too) with where its fours are; then what it asked for, constants,
 * and planes of attributes, from the register that its state names. (SKL PRM vol 7, PS Thread Payload; Mesa,
 * brw_fs)
 */
#include "dispatcher/dispatcher.h"

/* Of the kernels, which is of so many pixels. The first is of 8, or of the only number that is enabled; the
 * second of 32, the third of 16. Ours runs 16 where it can. */
struct shader {
    unsigned simd, which;
};

static struct shader ps_kernel_of(const struct thread_dispatcher *d)
{
    const bool by_8 = pipeline_state_field(d, STATE_PS, PS_8_PIXEL_DISPATCH_ENABLE),
               by_16 = pipeline_state_field(d, STATE_PS, PS_16_PIXEL_DISPATCH_ENABLE),
               by_32 = pipeline_state_field(d, STATE_PS, PS_32_PIXEL_DISPATCH_ENABLE);
    if (by_16)
        return (struct shader){16, by_8 || by_32 ? 2 : 0};
    if (by_8)
        return (struct shader){8, 0};
    if (by_32 || pipeline_state_field(d, STATE_PS_EXTRA, PSX_VALID))
        return (struct shader){by_32 ? 32 : 0, 0};
    return (struct shader){16, 0}; /* none runs */
}

static const struct stage_commands ps_commands = {STATE_PS, STATE_BINDING_TABLE_POINTERS_PS,
                                                  STATE_SAMPLER_STATE_POINTERS_PS, STATE_CONSTANT_PS};

void stage_setup(struct thread_dispatcher *d, const struct stage_commands *s)
{
    enum { R0_SAMPLERS = 3, R0_BINDINGS = 4, R0_SCRATCH = 5, SCRATCH_AT = 10 };
    enum {
        ALTERNATE = 1 << 0,
        SINGLE_FLOW = 1 << 2,
        ROUNDING = 4,
        DENORM_FLOAT = 1 << 7,
        ILLEGAL_ENABLE = 1 << 12, /* of cr0.1 */
        SOFTWARE_ENABLE = 1 << 13
    };
    struct work_state *const g = &d->work;
    const uint32_t bindings = (uint32_t)pipeline_state_field(d, s->bindings, STAGE_POINTER_TO_BINDING_TABLE);
#define GET(role) ((uint32_t)pipeline_state_field(d, s->shader, role))
    g->binding_table = binding_table_base(d, bindings);
    g->r0[R0_SAMPLERS] = (uint32_t)pipeline_state_field(d, s->samplers, STAGE_POINTER_TO_SAMPLER_STATE) |
                         GET(SHADER_PER_THREAD_SCRATCH_SPACE);
    g->r0[R0_BINDINGS] = bindings;
    g->r0[R0_SCRATCH] = d->set->has_lsc ? GET(SHADER_SCRATCH_SPACE_BUFFER) << SCRATCH_AT
                                        : GET(SHADER_SCRATCH_SPACE_BASE_POINTER) & ~0x3ffu;
    g->control[0] = (GET(SHADER_FLOATING_POINT_MODE) ? ALTERNATE : 0) |
                    (GET(SHADER_SINGLE_PROGRAM_FLOW) ? SINGLE_FLOW : 0) |
                    GET(SHADER_ROUNDING_MODE) << ROUNDING |
                    (GET(SHADER_SINGLE_PRECISION_DENORMAL_MODE) ? DENORM_FLOAT : 0);
    g->control[1] = (GET(SHADER_ILLEGAL_OPCODE_EXCEPTION_ENABLE) ? ILLEGAL_ENABLE : 0) |
                    (GET(SHADER_SOFTWARE_EXCEPTION_ENABLE) ? SOFTWARE_ENABLE : 0);
#undef GET
    dispatch_setup_bindings(d);
}

static void ps_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    (void)budget;
    struct work_state *const g = &d->work;
    const struct shader s = ps_kernel_of(d);
    g->payload = PAYLOAD_PS;
    g->simd = (uint8_t)s.simd;
    g->kernel_start_pointer = pipeline_state_field(d, STATE_PS, PS_KERNEL_START_POINTER_0 + s.which);
    g->thread_registers = (uint32_t)pipeline_state_field(
        d, STATE_PS, PS_DISPATCH_GRF_START_REGISTER_FOR_CONSTANT_SETUP_DATA_0 + s.which);
    g->seeks = true;
    stage_setup(d, &ps_commands);
}

bool draw_can_begin(struct thread_dispatcher *d)
{
    const struct work_state before = d->work;
    const uint64_t cost_ns = d->engine->log->cost.ns;
    load_base_addresses(d, &d->work);
    ps_begin(d, NULL);
    const bool can = d->work.simd && !draw_unsupported_bindings(&d->bindings);
    d->work = before;
    d->engine->log->cost.ns = cost_ns; /* dispatch_draw takes it */
    return can;
}

bool draw_begin(struct thread_dispatcher *d, struct execution *x, const struct draw_call *draw,
                const char **lack, enum outcome *outcome)
{
    const bool resumes = d->work.resumes && d->work.payload == PAYLOAD_PS;
    const struct draw before = d->draw;
    *outcome = OUTCOME_DONE;
    if (!ps_kernel_of(d).simd)
        return false;
    struct work_state *const g = dispatch_begin_work(d, x);
    g->resumes = false;
    for (unsigned i = 0; i < 3; i++) {
        g->group_id[i] = 0;
        g->end_group[i] = UINT32_MAX;
    }
    load_base_addresses(d, g);
    ps_begin(d, NULL);
    *lack = draw_unsupported_bindings(&d->bindings);
    if (*lack || !draw_state_init(&d->draw, &d->bindings, d->structures, draw)) {
        *outcome = *lack ? OUTCOME_DONE : OUTCOME_FAULT;
        *g = (struct work_state){0};
        return false;
    }
    if (resumes)
        draw_cursor_resume(&d->draw, &before);
    return g->live = true;
}

bool draw_advance(struct thread_dispatcher *d, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    const uint64_t before_ns = d->engine->log->cost.ns;
    bool ended = false;
    if (d->draw.fast_clear) {
        if (!render_target_fast_clear(&d->draw, &d->bindings, budget, &ended))
            return false;
        g->live = g->seeks = !ended;
    } else if (raster_next_subspans(&d->draw, &d->bindings, g->simd / SUBSPAN_PIXELS, budget, &ended)) {
        g->group_id[0] = d->draw.ps.subspan_xy[0][0];
        g->group_id[1] = d->draw.ps.subspan_xy[0][1];
        g->seeks = false;
    } else if (ended) {
        g->live = g->seeks = false;
    }
    if (d->draw.wm_statistics)
        d->counters.depth_passed += d->draw.ps_depth_count_pending;
    d->draw.ps_depth_count_pending = 0;
    if (d->urb->channel_count && !engine_faulted(d->engine))
        stage_ops_of(PAYLOAD_PS + d->urb->stage)->begin(d, budget);
    dispatch_charge_memory(d, before_ns, budget);
    return !engine_faulted(d->engine);
}

/* ---- Payload ---- */

enum { HALF_PIXELS = 16, LANES = 8 };

void payload_put(struct payload_writer *f, const void *from, size_t bytes)
{
    if (f->grf < EU_REGISTERS)
        memcpy(f->thread->grf + f->grf * (size_t)EU_REGISTER_BYTES, from, bytes);
    f->grf++;
}

/* The topology, which side is seen, the element of an array, and the viewport: from Gen12 on in r1.1, before
 * in r0.0; each in both. Compilers rely on a topology that is not zero: they shift the negated half to know
 * the side. */
static uint32_t ps_primitive_header(const struct draw *w)
{
    enum { TOPOLOGY = 0x1f, BACK = 15, ARRAY_INDEX = 16, VIEWPORT = 27 };
    return (w->raster_topology & TOPOLOGY) | (uint32_t)w->back_facing << BACK |
           w->ps.array_index << ARRAY_INDEX | (uint32_t)w->viewport << VIEWPORT;
}

static void ps_put_subspans(struct payload_writer *f, const struct draw *w, unsigned half)
{
    enum { ABOUT = 1, PLACES = 2, MASK = 7, FOURS = HALF_PIXELS / SUBSPAN_PIXELS };
    const uint32_t lit = w->ps.coverage_mask >> half * HALF_PIXELS & 0xffffu;
    uint32_t r[8] = {[ABOUT] = ps_primitive_header(w), [MASK] = lit | lit << 16};
    for (unsigned i = 0; i < FOURS; i++) {
        const uint32_t *const at = w->ps.subspan_xy[half * FOURS + i];
        r[PLACES + i] = (at[0] & 0xffffu) | at[1] << 16;
    }
    payload_put(f, r, sizeof r);
}

/* A number for each pixel. */
static void ps_put_floats(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels,
                          float (*number)(const struct draw *w, unsigned pixel))
{
    float values[LANES];
    for (unsigned i = 0; i < pixels; i += LANES) {
        for (unsigned n = 0; n < LANES; n++)
            values[n] = number(w, first + i + n);
        payload_put(f, values, sizeof values);
    }
}

/* By eights, for each the one of corner 1, then of corner 2. */
static void ps_put_barycentrics(struct payload_writer *f, const struct draw *w, unsigned mode, unsigned first,
                                unsigned pixels)
{
    float values[2][LANES];
    for (unsigned i = 0; i < pixels; i += LANES) {
        for (unsigned n = 0; n < LANES; n++) {
            float of[2];
            setup_barycentrics(w, mode, first + i + n, of);
            values[0][n] = of[0];
            values[1][n] = of[1];
        }
        payload_put(f, values[0], sizeof values[0]);
        payload_put(f, values[1], sizeof values[1]);
    }
}

static void ps_put_coverage(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels)
{
    uint32_t values[LANES];
    for (unsigned i = 0; i < pixels; i += LANES) {
        for (unsigned n = 0; n < LANES; n++)
            values[n] = w->ps.coverage_mask >> (first + i + n) & 1u;
        payload_put(f, values, sizeof values);
    }
}

static void ps_put_inputs(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels)
{
    enum { CENTER = 0x88 }; /* of a pixel: x and y in sixteenths */
    uint8_t centers[EU_REGISTER_BYTES];
    for (unsigned mode = 0; mode < BARYCENTRIC_MODES; mode++)
        if (w->barycentric_interpolation_modes >> mode & 1u)
            ps_put_barycentrics(f, w, mode, first, pixels);
    if (w->ps_uses_source_depth)
        ps_put_floats(f, w, first, pixels, setup_depth);
    if (w->ps_uses_source_w)
        ps_put_floats(f, w, first, pixels, setup_w);
    if (w->ps_position_xy_offset) {
        memset(centers, CENTER & 15, sizeof centers);
        payload_put(f, centers, sizeof centers);
    }
    if (w->ps_uses_input_coverage)
        ps_put_coverage(f, w, first, pixels);
}

/* Constants of up to four buffers. (Mesa, anv and crocus: where the first is) */
void payload_push_constants(struct thread_dispatcher *d, struct payload_writer *f,
                            const struct stage_commands *s)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const dw = pipeline_command(&d->engine->pipeline, s->constants, &row, &length_dw);
    enum { LENGTH_BITS = 16, SHORT_LENGTH = 0x1f };
    const bool beside = dw && row->by_role[CONSTANT_BUFFER_VALID].name; /* lengths less one */
    const bool absolute = engine_constants_absolute(d->engine);
    for (unsigned n = 0; dw && n < CONSTANT_BUFFERS; n++) {
        const unsigned bit = row->by_role[CONSTANT_BUFFER_0_READ_LENGTH].first + n * LENGTH_BITS;
        uint32_t left = bit / 32u < length_dw ? dw[bit / 32u] >> bit % 32u & 0xffffu : 0;
        uint64_t from = pipeline_state_field(d, s->constants, CONSTANT_BUFFER_0 + n);
        if (beside) {
            const uint32_t buffer = 1u + n < length_dw ? dw[1u + n] : 0;
            left = dw[0] >> (row->by_role[CONSTANT_BUFFER_VALID].first + n) & 1u
                       ? (buffer & SHORT_LENGTH) + 1u
                       : 0;
            from = buffer & ~(uint32_t)SHORT_LENGTH;
        }
        from += n || absolute ? 0 : d->work.dynamic_state_base;
        for (; left && f->grf < EU_REGISTERS; left--, from += EU_REGISTER_BYTES) {
            uint8_t bytes[EU_REGISTER_BYTES];
            engine_load_into(d->engine, SPACE_PPGTT, from, bytes, sizeof bytes);
            payload_put(f, bytes, sizeof bytes);
        }
        f->grf += left;
    }
}

/* Two components a register. */
static void ps_put_planes(struct payload_writer *f, const struct draw *w)
{
    enum { COMPONENTS = 4, OF_CORNER_0 = 3 };
    for (unsigned n = 0; n < w->sf_output_attribute_count * COMPONENTS; n += 2) {
        float values[2][4] = {{0}};
        for (unsigned i = 0; i < 2; i++) {
            const float *const plane = w->planes + (n + i) * PLANE;
            values[i][0] = plane[PLANE_1];
            values[i][1] = plane[PLANE_2];
            memcpy(&values[i][OF_CORNER_0], &plane[PLANE_0], sizeof plane[PLANE_0]);
        }
        payload_put(f, values, sizeof values);
    }
}

/* All channels of a subspan run where one of it does, if the state or the instruction set wants that. Gen6's
 * 3DSTATE_WM has the bit, too, which no driver sets and whose derivatives are right: it took no effect.
 * (Mesa, i965, genX_state_upload.c: "didn't take effect in previous generations", of those before Gen8) */
static uint32_t whole_subspans(uint32_t lit)
{
    uint32_t whole = lit;
    for (unsigned i = 0; i < SUBSPANS; i++)
        if (lit >> i * SUBSPAN_PIXELS & 15u)
            whole |= 15u << i * SUBSPAN_PIXELS;
    return whole;
}

static void ps_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    enum { DISPATCH_MASK = 2, VECTOR_MASK = 3 };
    const struct work_state *const g = &d->work;
    const struct draw *const w = &d->draw;
    const unsigned halves = g->simd > HALF_PIXELS ? 2 : 1, pixels = g->simd / halves;
    struct payload_writer f = {.thread = t};
    uint32_t r0[8];
    memcpy(r0, g->r0, sizeof r0);
    r0[0] |= ps_primitive_header(w);
    payload_put(&f, r0, sizeof r0);
    for (unsigned half = 0; half < halves; half++)
        ps_put_subspans(&f, w, half);
    for (unsigned half = 0; half < halves; half++)
        ps_put_inputs(&f, w, half * HALF_PIXELS, pixels);
    f.grf = g->thread_registers;
    if (pipeline_state_field(d, STATE_PS, PS_PUSH_CONSTANT_ENABLE) || d->engine->info->state_locations)
        payload_push_constants(d, &f, &ps_commands);
    ps_put_planes(&f, w);
    t->sr0[DISPATCH_MASK] = w->ps.coverage_mask;
    t->sr0[VECTOR_MASK] = whole_subspans(w->ps.coverage_mask);
}

static uint32_t ps_channels(const struct thread_dispatcher *d)
{
    const struct draw *const w = &d->draw;
    return w->ps_vector_mask_enable || d->set->whole_subspans ? whole_subspans(w->ps.coverage_mask)
                                                              : w->ps.coverage_mask;
}

static void ps_done(struct thread_dispatcher *d)
{
    const struct draw *const w = &d->draw;
    const bool late = w->ps.late_depth_stencil, kills = late || w->ps_kills_pixel;
    const uint32_t passed = w->ps.coverage_mask & ~(late ? w->ps.unwritten_mask : 0),
                   kept = w->ps.coverage_mask & ~(kills ? w->ps.unwritten_mask & ~w->ps.late_failed_mask : 0);
    pixel_event_count(&d->bindings, PIXELS_KILLED, w->ps.coverage_mask, kept);
    pixel_event_count(&d->bindings, PIXELS_LATE_FAILED, kept, passed);
    if (!w->wm_statistics)
        return;
    d->counters.pixels += (unsigned)__builtin_popcount(w->ps.coverage_mask);
    d->counters.depth_passed += (unsigned)__builtin_popcount(passed);
}

const struct stage_ops ps_stage_ops = {ps_begin, ps_payload, ps_channels, ps_done};

void stage_thread_done(struct thread_dispatcher *d)
{
    d->urb->channel_count = 0;
    d->urb->handle_count = 0; /* threads of pixels have no entries */
    d->urb->stage = SHADER_STAGE_NONE;
    ps_begin(d, NULL);
}
