/*
 * Pixel shader threads: each is a thread group with the next covered subspans of the draw. Payload: r0; r1
 * (with 32 pixels also r2) with subspan positions; then barycentrics and other requested inputs, constants
 * and attribute planes, from the register that the state names. (SKL PRM vol 7, PS Thread Payload; Mesa,
 * brw_fs)
 */
#include "output_merger/coarse_message.h"
#include "output_merger/fragment_trace.h"
#include "pipeline3d/draw_work.h"

static const struct stage_commands stage_commands[SHADER_STAGES] = {
    [SHADER_STAGE_PS] = {STATE_PS, STATE_BINDING_TABLE_POINTERS_PS, STATE_SAMPLER_STATE_POINTERS_PS,
                         STATE_CONSTANT_PS, 0, 0},
    [SHADER_STAGE_VS] = {STATE_VS, STATE_BINDING_TABLE_POINTERS_VS, STATE_SAMPLER_STATE_POINTERS_VS,
                         STATE_CONSTANT_VS, STATE_URB_VS, STATE_URB_ALLOC_VS},
    [SHADER_STAGE_HS] = {STATE_HS, STATE_BINDING_TABLE_POINTERS_HS, STATE_SAMPLER_STATE_POINTERS_HS,
                         STATE_CONSTANT_HS, STATE_URB_HS, STATE_URB_ALLOC_HS},
    [SHADER_STAGE_DS] = {STATE_DS, STATE_BINDING_TABLE_POINTERS_DS, STATE_SAMPLER_STATE_POINTERS_DS,
                         STATE_CONSTANT_DS, STATE_URB_DS, STATE_URB_ALLOC_DS},
    [SHADER_STAGE_GS] = {STATE_GS, STATE_BINDING_TABLE_POINTERS_GS, STATE_SAMPLER_STATE_POINTERS_GS,
                         STATE_CONSTANT_GS, STATE_URB_GS, STATE_URB_ALLOC_GS},
    [SHADER_STAGE_GEN6_GS] = {STATE_GS, STATE_BINDING_TABLE_POINTERS_GS, STATE_SAMPLER_STATE_POINTERS_GS,
                              STATE_CONSTANT_GS, 0, 0},
};

/* ---- The state of stages ---- */

/* On Gen20 Kernel 0 has one polygon, or several, and Kernel 1 has one: a thread of several is the last
 * choice. (Mesa, intel_set_ps_dispatch_state) */
static unsigned ps_kernels_by_number(const struct engine *e, struct ps_kernel kernels[PS_KERNELS])
{
    enum { SIMD16 = 16 };
    const struct ps_kernel first = {(uint8_t)(SIMD16 << state_field(e, STATE_PS, PS_KERNEL_0_SIMD_WIDTH)), 0,
                                    (uint8_t)(state_field(e, STATE_PS, PS_KERNEL_0_MAXIMUM_POLYS_PER_THREAD) +
                                              1u)},
                           second = {(uint8_t)(SIMD16 << state_field(e, STATE_PS, PS_KERNEL_1_SIMD_WIDTH)), 1,
                                     1};
    const bool has_first = state_field(e, STATE_PS, PS_KERNEL_0_ENABLE),
               has_second = state_field(e, STATE_PS, PS_KERNEL_1_ENABLE);
    unsigned count = 0;
    if (has_first && first.polygons == 1)
        kernels[count++] = first;
    if (has_second)
        kernels[count++] = second;
    if (has_first && first.polygons > 1)
        kernels[count++] = first;
    return count;
}

unsigned ps_kernels(const struct engine *e, struct ps_kernel kernels[PS_KERNELS])
{
    static const struct {
        unsigned enable_role;
        struct ps_kernel kernel;
    } dispatches[PS_KERNELS] = {{PS_16_PIXEL_DISPATCH_ENABLE, {16, 2, 1}},
                                {PS_8_PIXEL_DISPATCH_ENABLE, {8, 0, 1}},
                                {PS_32_PIXEL_DISPATCH_ENABLE, {32, 1, 1}}};
    unsigned count = 0;
    for (unsigned n = 0; n < PS_KERNELS; n++)
        if (state_field(e, STATE_PS, dispatches[n].enable_role))
            kernels[count++] = dispatches[n].kernel;
    if (count == 1)
        kernels[0].pointer = 0;
    return count ? count : ps_kernels_by_number(e, kernels);
}

static void ps_kernel_init(struct shader_stage_state *s, const struct engine *e)
{
    struct ps_kernel kernels[PS_KERNELS];
    const unsigned count = ps_kernels(e, kernels), kernel = count ? kernels[0].pointer : 0;
    s->simd = count                                                               ? kernels[0].simd
              : state_field(e, STATE_PS_EXTRA, PSX_VALID) && !draw_rejects_all(e) ? 0
                                                                                  : 16; /* none runs */
    s->polygons = count ? kernels[0].polygons : 1;
    s->kernel_start_pointer = state_field(e, STATE_PS, PS_KERNEL_START_POINTER_0 + kernel);
    s->grf_start =
        (uint32_t)state_field(e, STATE_PS, PS_DISPATCH_GRF_START_REGISTER_FOR_CONSTANT_SETUP_DATA_0 + kernel);
}

static void stage_kernel_init(struct shader_stage_state *s, const struct engine *e, unsigned stage)
{
    enum { PART_DW = 8, GRF_START_5_4_AT = 4, GRF_START_5_AT = 5 };
#define GET(header, role) ((uint32_t)state_field(e, header, role))
    s->is_simd4x2 =
        e->info->draws.vertex_dispatch == VERTEX_DISPATCH_SIMD4X2 && stage != SHADER_STAGE_GEN6_GS;
    if (stage == SHADER_STAGE_VS) {
        s->kernel_start_pointer = state_field(e, STATE_VS, VS_KERNEL_START_POINTER);
        s->grf_start = GET(STATE_VS, VS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
        s->urb_read_offset_dw = GET(STATE_VS, VS_VERTEX_URB_ENTRY_READ_OFFSET) * PART_DW;
        s->urb_read_length_dw = GET(STATE_VS, VS_VERTEX_URB_ENTRY_READ_LENGTH) * PART_DW;
        s->is_simd4x2 |= e->info->draws.vertex_dispatch == VERTEX_DISPATCH_BY_MODE &&
                         !state_field(e, STATE_VS, VS_SIMD8_DISPATCH_ENABLE);
    } else if (stage == SHADER_STAGE_HS) {
        s->kernel_start_pointer = state_field(e, STATE_HS, HS_KERNEL_START_POINTER);
        s->grf_start = GET(STATE_HS, HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA) |
                       GET(STATE_HS, HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5) << GRF_START_5_AT;
        s->statistics_enable = GET(STATE_HS, HS_STATISTICS_ENABLE);
    } else if (stage == SHADER_STAGE_DS) {
        s->kernel_start_pointer = state_field(e, STATE_DS, DS_KERNEL_START_POINTER);
        s->grf_start = GET(STATE_DS, DS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
        s->urb_read_offset_dw = GET(STATE_DS, DS_PATCH_URB_ENTRY_READ_OFFSET) * PART_DW;
        s->urb_read_length_dw = GET(STATE_DS, DS_PATCH_URB_ENTRY_READ_LENGTH) * PART_DW;
        s->statistics_enable = GET(STATE_DS, DS_STATISTICS_ENABLE);
    } else {
        s->kernel_start_pointer = state_field(e, STATE_GS, GS_KERNEL_START_POINTER);
        s->grf_start = GET(STATE_GS, GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA);
        if (stage == SHADER_STAGE_GS)
            s->grf_start |= GET(STATE_GS, GS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5_4)
                            << GRF_START_5_4_AT;
        s->urb_read_offset_dw = GET(STATE_GS, GS_VERTEX_URB_ENTRY_READ_OFFSET) * PART_DW;
        s->urb_read_length_dw = GET(STATE_GS, GS_VERTEX_URB_ENTRY_READ_LENGTH) * PART_DW;
    }
#undef GET
}

/* Push constants of up to four buffers. Buffer 0 is relative to the dynamic state base, unless addresses are
 * absolute. (Mesa, anv and crocus) */
static void stage_constants_init(struct shader_stage_state *s, const struct thread_dispatcher *d,
                                 uint32_t header)
{
    const struct command *row;
    uint32_t length_dw;
    const uint32_t *const dw = pipeline_command(&d->engine->pipeline, header, &row, &length_dw);
    enum { LENGTH_BITS = 16, SHORT_LENGTH = 0x1f };
    const bool length_in_buffer = d->engine->info->draws.constant_length_in_buffer; /* minus one */
    const bool absolute = engine_constants_absolute(d->engine);
    const bool is_whole = dw && !d->engine->info->draws.state_locations && row->merge.kind == MERGE_WHOLE &&
                          CONSTANT_BUFFER_0 + PUSH_CONSTANT_BUFFERS <= row->role_count;
    if (!dw) /* the last draw may be another context's */
        memset(s->constants, 0, sizeof s->constants);
    for (unsigned n = 0; dw && n < PUSH_CONSTANT_BUFFERS; n++) {
        const unsigned bit = row->by_role[CONSTANT_BUFFER_0_READ_LENGTH].first + n * LENGTH_BITS;
        uint32_t length = bit / 32u < length_dw ? dw[bit / 32u] >> bit % 32u & 0xffffu : 0;
        uint64_t from = is_whole ? field_read(&row->places[CONSTANT_BUFFER_0 + n], dw, length_dw)
                                 : state_field(d->engine, header, CONSTANT_BUFFER_0 + n);
        if (length_in_buffer) {
            const uint32_t buffer = 1u + n < length_dw ? dw[1u + n] : 0;
            length = dw[0] >> (row->by_role[CONSTANT_BUFFER_VALID].first + n) & 1u
                         ? (buffer & SHORT_LENGTH) + 1u
                         : 0;
            from = buffer & ~(uint32_t)SHORT_LENGTH;
        }
        s->constants[n].address = from + (n || absolute ? 0 : d->work.bases.dynamic_state_base);
        s->constants[n].length_registers = length;
        s->constants[n].window = (struct memory_window){0};
    }
}

static void stage_tables_init(struct thread_dispatcher *d, unsigned stage)
{
    enum { SCRATCH_SIZE = 0x1f };
    const struct engine *const e = d->engine;
    const struct stage_commands *const c = &stage_commands[stage];
    struct shader_stage_state *const s = &d->draws->draw.state.stage[stage];
    s->r0_samplers = (uint32_t)state_field(e, c->samplers, STAGE_POINTER_TO_SAMPLER_STATE) |
                     (s->r0_samplers & SCRATCH_SIZE);
    s->binding_table_pointer = (uint32_t)state_field(e, c->bindings, STAGE_POINTER_TO_BINDING_TABLE);
    s->binding_table_address = binding_table_base(d, s->binding_table_pointer);
    if (stage != SHADER_STAGE_PS || s->push_constant_enable)
        stage_constants_init(s, d, c->constants);
}

static void stage_state_init(struct thread_dispatcher *d, unsigned stage)
{
    const struct engine *const e = d->engine;
    const struct stage_commands *const c = &stage_commands[stage];
    struct shader_stage_state *const s = &d->draws->draw.state.stage[stage];
    if (d->draws->kept.parts != KEPT_NOTHING && (stage == SHADER_STAGE_PS || stage == SHADER_STAGE_VS)) {
        stage_tables_init(d, stage);
        return;
    }
#define GET(role) ((uint32_t)state_field(e, c->shader, role))
    *s = (struct shader_stage_state){
        .r0_samplers = GET(SHADER_PER_THREAD_SCRATCH_SPACE),
        .push_constant_enable =
            state_field(e, STATE_PS, PS_PUSH_CONSTANT_ENABLE) || e->info->draws.push_constants_unconditional,
        .r0_scratch = d->bindings.info.scratch_by_surface
                          ? GET(SHADER_SCRATCH_SPACE_BUFFER) << R0_SCRATCH_SURFACE_SHIFT
                          : GET(SHADER_SCRATCH_SPACE_BASE_POINTER) & R0_SCRATCH_BASE_MASK,
        .control = {(GET(SHADER_FLOATING_POINT_MODE) ? CR0_ALT_FP_MODE : 0) |
                        (GET(SHADER_SINGLE_PROGRAM_FLOW) ? CR0_SINGLE_PROGRAM_FLOW : 0) |
                        GET(SHADER_ROUNDING_MODE) << CR0_ROUNDING_SHIFT |
                        (GET(SHADER_SINGLE_PRECISION_DENORMAL_MODE) ? CR0_SINGLE_DENORMALS : 0),
                    (GET(SHADER_ILLEGAL_OPCODE_EXCEPTION_ENABLE) ? CR1_ILLEGAL_ENABLE : 0) |
                        (GET(SHADER_SOFTWARE_EXCEPTION_ENABLE) ? CR1_SOFTWARE_ENABLE : 0)},
    };
#undef GET
    if (stage == SHADER_STAGE_PS)
        ps_kernel_init(s, e);
    else
        stage_kernel_init(s, e, stage);
    if (stage != SHADER_STAGE_PS)
        s->simd = d->set->register_bytes / sizeof(uint32_t);
    s->grf_start *= eu_register_rows(d->set);
    if (c->urb) {
        s->urb_entry_dw = (uint32_t)urb_entry_size_dw(e, c->urb, c->urb_alloc);
        s->urb_start_handle = urb_start_handle(e, c->urb, c->urb_alloc);
    }
    stage_tables_init(d, stage);
}

void stage_select(struct thread_dispatcher *d, unsigned stage)
{
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[stage];
    struct work_state *const g = &d->work;
    g->setup.payload = (uint8_t)stage;
    g->setup.simd = s->simd;
    g->setup.kernel_start_pointer = s->kernel_start_pointer;
    g->setup.dispatch_grf_start = s->grf_start;
    g->setup.binding_table = s->binding_table_address;
    g->setup.r0[R0_SAMPLERS] = s->r0_samplers;
    g->setup.r0[R0_BINDING_TABLE] = s->binding_table_pointer;
    g->setup.r0[R0_SCRATCH] = s->r0_scratch;
    memcpy(g->setup.control, s->control, sizeof g->setup.control);
    g->phase = stage == SHADER_STAGE_PS ? DISPATCH_NEXT_WORK : DISPATCH_FILL;
}

void stage_setup(struct thread_dispatcher *d, unsigned stage)
{
    stage_select(d, stage);
    dispatch_setup_bindings(d);
}

static void ps_begin(struct thread_dispatcher *d, uint64_t *budget)
{
    (void)budget;
    stage_setup(d, SHADER_STAGE_PS);
}

/* ---- Draws ---- */

/* What the kept state was decoded from no longer has the pixel shader's stage if another one is decoded. */
static void ps_stage_init(struct thread_dispatcher *d)
{
    d->draws->kept.valid &= d->draws->kept.parts != KEPT_NOTHING;
    stage_state_init(d, SHADER_STAGE_PS);
    ps_begin(d, NULL);
}

/* A draw that clears, as up to Gen7.5, is taken to clear the whole level. */
static void note_depth_writes(struct engine *e, const struct depth_stencil *s)
{
    const struct hiz_clear clear = {depth_clear_value(e), draw_samples_log2(e)};
    const struct depth_surface *const of = &s->depth;
    if (!state_field(e, STATE_WM, WM_DEPTH_BUFFER_CLEAR)) {
        hiz_note_used(e, s, of->first_element, of->elements);
        return;
    }
    for (uint32_t n = 0; n < of->elements; n++)
        hiz_note_cleared(e, s, of->first_element + n, &clear);
}

/* Decodes the state of a draw. The caller has already set the pixel shader stage. Returns false on a fault.
 */
static bool draw_decode(struct thread_dispatcher *d, const struct draw_call *call)
{
    const struct engine *const e = d->engine;
    d->draws->draw.state.is_decoded = d->draws->draw.ran_thread = false;
    d->draws->draw.tiles_use = TILES_UNKNOWN;
    d->draws->draw.thread_cost = 0;
    stage_state_init(d, SHADER_STAGE_VS);
    if (state_field(e, STATE_TE, TE_ENABLE)) {
        stage_state_init(d, SHADER_STAGE_HS);
        stage_state_init(d, SHADER_STAGE_DS);
    }
    if (state_field(e, STATE_GS, GS_ENABLE))
        stage_state_init(d, SHADER_STAGE_GS);
    if (state_field(e, STATE_GS, GS_ENABLE_GEN6))
        stage_state_init(d, SHADER_STAGE_GEN6_GS);
    const enum kept_parts kept = d->draws->kept.parts;
    d->draws->kept.valid &= kept == KEPT_ALL;
    const bool decoded = draw_state_init(&d->draws->draw.state, &d->bindings, d->structures, call,
                                         kept != KEPT_NOTHING, kept == KEPT_ALL);
    const struct depth_stencil *const s = &d->draws->draw.state.om.depth_stencil;
    if (decoded && kept == KEPT_NOTHING && s->depth_write_enable)
        note_depth_writes(d->engine, s);
    if (decoded && kept != KEPT_ALL)
        kept_state_put(&d->draws->kept, d->engine, call, &d->work.bases);
    d->draws->kept.valid &= decoded;
    return decoded;
}

bool draw_can_begin(struct thread_dispatcher *d)
{
    const struct work_state before = d->work;
    const uint64_t cost_ns = d->engine->log->cost.ns;
    d->work.kind = WORK_DRAW;
    load_base_addresses(d, &d->work);
    ps_stage_init(d);
    const bool can =
        d->work.setup.simd &&
        !draw_unsupported_bindings(&d->bindings, d->structures, d->draws->kept.parts != KEPT_NOTHING, NULL);
    d->work = before;
    d->engine->log->cost.ns = cost_ns; /* draw_begin charges it */
    return can;
}

bool draw_begin(struct thread_dispatcher *d, struct execution *x, const struct draw_call *draw,
                struct hiz_update *textures, const char **feature, enum outcome *outcome)
{
    const bool resumes = d->work.phase == DISPATCH_RESUME && d->work.kind == WORK_DRAW;
    const struct draw_cursor before = d->draws->draw.cursor;
    struct shader_stage_state ps;
    *outcome = OUTCOME_DONE;
    if (d->draws->kept.parts == KEPT_NOTHING) {
        ps_kernel_init(&ps, d->engine);
        if (!ps.simd)
            return false;
    }
    struct work_state *const g = dispatch_begin_work(d, x, WORK_DRAW);
    for (unsigned i = 0; i < 3; i++) {
        g->group.group_id[i] = 0;
        g->walker.end_group[i] = UINT32_MAX;
    }
    if (d->draws->kept.parts == KEPT_NOTHING)
        load_base_addresses(d, g);
    else
        g->bases = d->draws->kept.bases;
    ps_stage_init(d);
    *feature = draw_unsupported_bindings(&d->bindings, d->structures, d->draws->kept.parts != KEPT_NOTHING,
                                         resumes ? NULL : textures);
    const bool updates = !*feature && !resumes && textures->is_unfinished && !engine_faulted(d->engine);
    if (*feature || updates || !draw_decode(d, draw)) {
        *outcome = *feature ? OUTCOME_DONE : updates ? OUTCOME_RESUME : OUTCOME_FAULT;
        *g = (struct work_state){0};
        return false;
    }
    draw_cursor_init(&d->draws->draw, d->draws->urb);
    if (resumes)
        draw_cursor_resume(&d->draws->draw.cursor, &d->draws->draw.state, &before);
    g->phase = DISPATCH_NEXT_WORK;
    return true;
}

bool draw_restore(struct thread_dispatcher *d, const struct draw_call *call)
{
    bool nothing;
    d->draws->kept.parts = KEPT_NOTHING;
    dispatch_setup_bindings(d);
    if (draw_unsupported(d->engine, call, &nothing) || nothing)
        return false;
    stage_state_init(d, SHADER_STAGE_PS);
    const bool decoded = draw_decode(d, call);
    d->draws->kept.valid = false; /* loaded base addresses may be others than the pipeline state's */
    return decoded && draw_cursor_restore(&d->draws->draw, &d->bindings);
}

bool ps_next_thread(struct thread_dispatcher *d, uint64_t *budget, bool *ended)
{
    struct draw *const w = &d->draws->draw;
    const bool found =
        raster_next_subspans(w, &d->bindings, d->work.setup.simd / SUBSPAN_PIXELS, budget, ended);
    for (unsigned i = 0; found && i < 2; i++)
        d->work.group.group_id[i] = w->ps.subspan_xy[0][i];
    if (w->state.raster.wm_statistics)
        d->counters.depth_passed += w->ps_depth_count_pending;
    w->ps_depth_count_pending = 0;
    return found;
}

/* Advances to the next thread, or until a thread of an earlier stage must run. Returns false on a fault. */
static bool advance_once(struct thread_dispatcher *d, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    bool ended = false;
    if (d->draws->draw.state.raster.fast_clear) {
        if (!render_target_fast_clear(&d->draws->draw, &d->bindings, budget, &ended))
            return false;
        g->phase = ended ? DISPATCH_IDLE : DISPATCH_NEXT_WORK;
    } else if (d->draws->parallel && d->draws->parallel->can_run(d)) {
        if (!d->draws->parallel->advance(d, budget, &ended))
            return false;
        g->phase = ended ? DISPATCH_IDLE : DISPATCH_NEXT_WORK;
    } else if (ps_next_thread(d, budget, &ended)) {
        g->phase = DISPATCH_FILL;
    } else if (ended) {
        g->phase = DISPATCH_IDLE;
    }
    return true;
}

/* Threads of an earlier stage that run at once leave messages bound for theirs. What is found anew after a
 * change of translations needs those of the pixel shader. */
struct stage_threads {
    bool some_ran;
    uint64_t changes; /* mmu.changes */
};

static void bind_after_changes(struct thread_dispatcher *d, struct stage_threads *s)
{
    if (s->some_ran && s->changes != d->engine->mmu.changes) {
        dispatch_setup_bindings(d);
        s->some_ran = false;
    }
    s->changes = d->engine->mmu.changes;
}

bool draw_advance(struct thread_dispatcher *d, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    struct urb *const u = d->draws->urb;
    const struct draw_parallel_ops *const parallel = d->draws->parallel;
    enum stage_thread_result ran = STAGE_THREAD_NOT_STARTED;
    struct stage_threads threads = {.some_ran = false};
    d->draws->draw.gathered.count = 0;
    do {
        const uint64_t before_ns = d->engine->log->cost.ns;
        bind_after_changes(d, &threads);
        if (!advance_once(d, budget))
            return false;
        dispatch_charge_memory(d, before_ns, budget);
        ran = STAGE_THREAD_NOT_STARTED;
        if (u->channel_count && g->phase == DISPATCH_NEXT_WORK && !engine_faulted(d->engine)) {
            /* A thread of urb->stage must run first. */
            bind_after_changes(d, &threads);
            if (parallel)
                ran = parallel->run_stage_thread(d, !threads.some_ran, budget);
            if (ran == STAGE_THREAD_NOT_STARTED)
                stage_ops_of(u->stage)->begin(d, budget);
            threads.some_ran |= ran == STAGE_THREAD_ENDED;
        }
    } while (ran == STAGE_THREAD_ENDED && *budget);
    if (threads.some_ran && g->setup.payload == SHADER_STAGE_PS)
        dispatch_setup_bindings(d);
    return !engine_faulted(d->engine);
}

/* ---- Payload ---- */

enum { HALF_PIXELS = PS_HALF_PIXELS, LANES = 8 };

void payload_put_row(struct payload_writer *f, const void *from, size_t bytes)
{
    if (f->grf < payload_registers_end(f))
        memcpy(f->thread->grf + f->grf * (size_t)EU_REGISTER_BYTES, from, bytes);
    f->grf++;
}

void payload_put(struct payload_writer *f, const void *from, size_t bytes)
{
    const size_t register_bytes = f->thread->isa->register_bytes;
    if (f->grf < payload_registers_end(f))
        memcpy(f->thread->grf + f->grf * (size_t)EU_REGISTER_BYTES, from,
               bytes < register_bytes ? bytes : register_bytes);
    f->grf += eu_register_rows(f->thread->isa);
}

/* The topology, facing, render target array index and viewport index: from Gen12 on in r1.1, before in
 * r0.0; here in both. The topology must be nonzero: compilers shift the negated half to get the facing. */
static uint32_t ps_primitive_header(const struct draw *w)
{
    enum { TOPOLOGY = 0x1f, BACK = 15, ARRAY_INDEX = 16, VIEWPORT = 27 };
    return (w->cursor.raster_topology & TOPOLOGY) | (uint32_t)w->setup.back_facing << BACK |
           w->ps.array_index << ARRAY_INDEX | (uint32_t)w->setup.viewport_index << VIEWPORT;
}

/* The size of coarse pixels, a byte for each axis. (Mesa, brw_compile_fs.cpp: r1.0) */
static uint32_t ps_coarse_size(const struct draw *w)
{
    enum { Y_AT = 8 };
    return w->state.ps.is_per_coarse_pixel
               ? 1u << w->ps.cp_size_log2[0] | 1u << (Y_AT + w->ps.cp_size_log2[1])
               : 0;
}

/* The subspans of a thread of 16 whose pixels are a covered square. */
static void ps_put_square(struct eu_thread *t, const struct draw *w)
{
    enum { RIGHT = 2, DOWN = 2 << 16, COORDINATE = 0xffff, ALL = UINT16_MAX };
    const uint32_t *const xy = w->ps.subspan_xy[0];
    const uint32_t at = (xy[0] & COORDINATE) | xy[1] << 16;
    uint32_t *const dw = (uint32_t *)(void *)(t->grf + EU_REGISTER_BYTES);
    dw[0] = ps_coarse_size(w);
    dw[1] = ps_primitive_header(w);
    dw[2] = at;
    dw[3] = at + RIGHT;
    dw[4] = at + DOWN;
    dw[5] = at + DOWN + RIGHT;
    dw[6] = 0;
    dw[7] = ALL | (uint32_t)ALL << 16;
}

uint32_t ps_samples_or_size(const struct draw *w, unsigned half)
{
    const uint8_t *const sample = w->ps.slot_sample + half * (HALF_PIXELS / SUBSPAN_PIXELS);
    return w->state.samples.per_sample
               ? sample[0] | (uint32_t)sample[1] << 4 | (uint32_t)sample[2] << 8 | (uint32_t)sample[3] << 12
               : ps_coarse_size(w);
}

static void ps_put_subspans(struct payload_writer *f, const struct draw *w, unsigned half)
{
    enum { FOURS = HALF_PIXELS / SUBSPAN_PIXELS, COORDINATE = 0xffff };
    const uint32_t lit = w->ps.coverage_mask >> half * HALF_PIXELS & 0xffffu;
    const uint32_t(*const xy)[2] = w->ps.subspan_xy + half * FOURS;
    if (f->grf < EU_REGISTERS) {
        const uint32_t header[2] = {ps_samples_or_size(w, half), ps_primitive_header(w)},
                       positions[FOURS] = {(xy[0][0] & COORDINATE) | xy[0][1] << 16,
                                           (xy[1][0] & COORDINATE) | xy[1][1] << 16,
                                           (xy[2][0] & COORDINATE) | xy[2][1] << 16,
                                           (xy[3][0] & COORDINATE) | xy[3][1] << 16},
                       mask[2] = {0, lit | lit << 16};
        uint8_t *const to = f->thread->grf + f->grf * (size_t)EU_REGISTER_BYTES;
        memcpy(to, header, sizeof header);
        memcpy(to + sizeof header, positions, sizeof positions);
        memcpy(to + sizeof header + sizeof positions, mask, sizeof mask);
    }
    f->grf++;
}

/* The next registers, to be written as a whole; NULL: the thread does not have all of them. */
static float *payload_registers_at(const struct payload_writer *f, unsigned registers)
{
    _Static_assert(offsetof(struct eu_thread, grf) % sizeof(float) == 0, "registers are aligned");
    return f->grf + registers <= payload_registers_end(f)
               ? (float *)(void *)(f->thread->grf + f->grf * (size_t)EU_REGISTER_BYTES)
               : NULL;
}

/* Pushes a float for each pixel. */
void ps_put_floats(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels,
                   void (*numbers)(const struct draw *w, unsigned first, unsigned pixels, float *to))
{
    float values[HALF_PIXELS];
    const unsigned registers = pixels / LANES;
    float *const there = payload_registers_at(f, registers);
    numbers(w, first, pixels, there ? there : values);
    for (unsigned i = 0; !there && i < pixels; i += LANES)
        payload_put_row(f, values + i, LANES * sizeof *values);
    f->grf += there ? registers : 0;
}

/* Pushes barycentrics in groups of eight pixels: those of corner 1, then those of corner 2. */
static void ps_put_barycentrics(struct payload_writer *f, const struct draw *w, unsigned mode, unsigned first,
                                unsigned pixels)
{
    float values[2 * HALF_PIXELS];
    const unsigned registers = 2 * pixels / LANES;
    float *const there = payload_registers_at(f, registers);
    setup_barycentrics(w, mode, first, pixels, there ? there : values);
    for (unsigned i = 0; !there && i < 2 * pixels; i += LANES)
        payload_put_row(f, values + i, LANES * sizeof *values);
    f->grf += there ? registers : 0;
}

/* The samples of a pixel that the primitive covers, before tests, or what the state says instead. */
static uint32_t input_coverage(const struct draw *w, unsigned pixel)
{
    const bool after_tests = w->state.ps.input_coverage == ICMS_DEPTH_COVERAGE;
    const uint32_t *const xy = w->ps.subspan_xy[pixel / SUBSPAN_PIXELS], *const of =
                                                                             after_tests
                                                                                 ? w->ps.samples
                                                                                 : w->ps.input_samples;
    uint32_t samples = 0;
    if (w->state.ps.input_coverage == ICMS_INNER_CONSERVATIVE &&
        !conservative_is_inner(w, xy[0] + (pixel & 1u), xy[1] + (pixel >> 1 & 1u)))
        return 0;
    if (!w->state.samples.enable)
        return w->ps.coverage_mask >> pixel & 1u;
    for (unsigned n = 0; n < 1u << w->state.samples.count_log2; n++)
        samples |= (of[n] >> pixel & 1u) << n;
    return samples;
}

/* Where in each pixel its centroid or its sample is: bytes of x and y in 1/16. */
void ps_put_positions(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels)
{
    enum { CENTER = 8 };
    const enum sample_location where =
        w->state.ps.position_xy_offset == POSOFFSET_CENTROID ? LOCATION_CENTROID : LOCATION_SAMPLE;
    uint8_t places[EU_REGISTER_BYTES];
    memset(places, CENTER, sizeof places);
    for (unsigned n = 0; n < pixels; n++) {
        const unsigned sample = samples_place_of(w, where, first + n);
        if (sample < SAMPLES)
            memcpy(places + n * 2u, w->state.samples.xy[sample], 2);
    }
    payload_put_row(f, places, sizeof places);
}

void ps_put_coverage(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels)
{
    uint32_t values[LANES];
    for (unsigned i = 0; i < pixels; i += LANES) {
        for (unsigned n = 0; n < LANES; n++)
            values[n] = input_coverage(w, first + i + n);
        payload_put_row(f, values, sizeof values);
    }
}

static void ps_put_inputs(struct payload_writer *f, const struct draw *w, unsigned first, unsigned pixels)
{
    FOR_EACH_CHANNEL(mode, w->state.ps.barycentric_interpolation_modes & ((1u << BARYCENTRIC_MODES) - 1u))
        ps_put_barycentrics(f, w, mode, first, pixels);
    if (w->state.ps.uses_source_depth)
        ps_put_floats(f, w, first, pixels, setup_depths);
    if (w->state.ps.uses_source_w)
        ps_put_floats(f, w, first, pixels, setup_ws);
    if (w->state.ps.position_xy_offset)
        ps_put_positions(f, w, first, pixels);
    if (w->state.ps.input_coverage)
        ps_put_coverage(f, w, first, pixels);
}

/* Depth as a plane on the screen: steps by y and x, where it begins, and the value there; and likewise the
 * reciprocal of w. Constants follow this register. (Mesa 22.3, brw_fs.cpp: depth_w_coef_reg) */
static void ps_put_depth_w_planes(struct payload_writer *f, const struct draw *w)
{
    enum { STEP_Y, STEP_X, BEGIN_X, VALUE, W = 4, BEGIN_Y = 6 };
    double depth[SCREEN_PLANE], by_w[SCREEN_PLANE];
    float dw[EU_REGISTER_BYTES / sizeof(float)] = {0};
    setup_depth_w_planes(w, depth, by_w);
    dw[STEP_X] = (float)depth[SCREEN_STEP_X];
    dw[STEP_Y] = (float)depth[SCREEN_STEP_Y];
    dw[VALUE] = (float)depth[SCREEN_VALUE];
    dw[W + STEP_X] = (float)by_w[SCREEN_STEP_X];
    dw[W + STEP_Y] = (float)by_w[SCREEN_STEP_Y];
    dw[W + VALUE] = (float)by_w[SCREEN_VALUE];
    dw[BEGIN_X] = (float)w->setup.first_xy[0];
    dw[BEGIN_Y] = (float)w->setup.first_xy[1];
    payload_put(f, dw, sizeof dw);
}

/* Registers after the last one are not read. */
static void push_buffer(struct thread_dispatcher *d, struct payload_writer *f, uint64_t from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, from += EU_REGISTER_BYTES) {
        uint8_t bytes[EU_REGISTER_BYTES];
        (void)message_load(&d->bindings, from, bytes, sizeof bytes);
        payload_put_row(f, bytes, sizeof bytes);
    }
}

void payload_push_constants(struct thread_dispatcher *d, struct payload_writer *f, unsigned stage)
{
    struct shader_stage_state *const s = &d->draws->draw.state.stage[stage];
    struct mmu *const mmu = d->bindings.memory.mmu;
    const unsigned rows = eu_register_rows(d->set), end = payload_registers_end(f);
    for (unsigned n = 0; n < PUSH_CONSTANT_BUFFERS; n++) {
        const uint32_t length = s->constants[n].length_registers, left = end - (f->grf < end ? f->grf : end),
                       count = length < left ? length : left;
        const uint64_t from = mmu_address(mmu, SPACE_PPGTT, s->constants[n].address),
                       bytes = count * (uint64_t)EU_REGISTER_BYTES;
        struct memory_window *const w = &s->constants[n].window;
        if (!count)
            continue;
        memory_client_trace_load(&d->bindings.memory, "constants", from, bytes);
        if (w->changes != mmu->changes || w->base != from)
            (void)memory_window_make_by(w, mmu, &mmu->walker, SPACE_PPGTT, from, bytes, false);
        const uint8_t *const host = memory_window_host(w, mmu, from, bytes);
        if (host) {
            memory_count_loaded(d->bindings.memory.counters, mmu, SPACE_PPGTT, from, bytes);
            memcpy(f->thread->grf + f->grf * (size_t)EU_REGISTER_BYTES, host, bytes);
            f->grf += count;
        } else {
            push_buffer(d, f, from, count);
        }
        f->grf += length - count;
    }
    f->grf = (f->grf + rows - 1u) / rows * rows;
}

/* Pushes attribute planes, two components a register. */
static void ps_put_planes(struct payload_writer *f, const struct draw *w)
{
    enum { COMPONENTS = 4, REGISTERS = COMPONENTS / 2 };
    const unsigned left = EU_REGISTERS - (f->grf < EU_REGISTERS ? f->grf : EU_REGISTERS),
                   all = w->state.sbe.sf_output_attribute_count * REGISTERS, count = all < left ? all : left;
    memcpy(f->thread->grf + (EU_REGISTERS - left) * (size_t)EU_REGISTER_BYTES, w->setup.planes,
           count * (size_t)EU_REGISTER_BYTES);
    f->grf += all;
}

/* All channels of a subspan run if one does, where the state or the instruction set wants that. Gen6's
 * 3DSTATE_WM has the bit, too; no driver sets it and derivatives are right, so it has no effect there.
 * (Mesa, i965, genX_state_upload.c: "didn't take effect in previous generations", about Gen7 and before) */
uint32_t whole_subspans(uint32_t lit)
{
    enum { FIRSTS = 0x11111111, ALL = 15 };
    const uint32_t pairs = lit | lit >> 1;
    return ((pairs | pairs >> 2) & FIRSTS) * ALL;
}

unsigned ps_put_subspans_inputs(const struct thread_dispatcher *d, struct eu_thread *t)
{
    const unsigned simd = d->work.setup.simd, halves = simd > HALF_PIXELS ? 2 : 1, pixels = simd / halves;
    const struct draw *const w = &d->draws->draw;
    struct payload_writer f = {.thread = t, .grf = 1};
    if (eu_register_rows(d->set) > 1)
        return ps_put_wide_inputs(d, t);
    for (unsigned half = 0; half < halves; half++)
        ps_put_subspans(&f, w, half);
    for (unsigned half = 0; half < halves; half++)
        ps_put_inputs(&f, w, half * HALF_PIXELS, pixels);
    if (w->state.ps.requires_depth_w_planes)
        ps_put_depth_w_planes(&f, w);
    t->sr0[SR0_DISPATCH_MASK] = w->ps.coverage_mask;
    t->sr0[SR0_VECTOR_MASK] = whole_subspans(w->ps.coverage_mask);
    return f.grf;
}

void ps_put_square_inputs(const struct thread_dispatcher *d, struct eu_thread *t)
{
    const struct draw *const w = &d->draws->draw;
    struct payload_writer f = {.thread = t, .grf = 2};
    if (eu_register_rows(d->set) > 1) {
        (void)ps_put_wide_inputs(d, t);
        return;
    }
    ps_put_square(t, w);
    if (w->state.ps.barycentric_interpolation_modes || w->state.ps.uses_source_depth ||
        w->state.ps.uses_source_w || w->state.ps.position_xy_offset || w->state.ps.input_coverage)
        ps_put_inputs(&f, w, 0, HALF_PIXELS);
    if (w->state.ps.requires_depth_w_planes)
        ps_put_depth_w_planes(&f, w);
    t->sr0[SR0_DISPATCH_MASK] = t->sr0[SR0_VECTOR_MASK] = UINT16_MAX;
}

/* Up to Gen7.5 the first subspan's sample, in pairs; the others' follow it. (Mesa, brw: sample IDs) */
static uint32_t starting_sample_pair(const struct thread_dispatcher *d)
{
    enum { SHIFT = 6 };
    const struct draw *const w = &d->draws->draw;
    return w->state.samples.per_sample && d->engine->info->draws.multisample_modes_in_wm
               ? (uint32_t)w->ps.slot_sample[0] / 2u << SHIFT
               : 0;
}

unsigned ps_put_primitive(struct thread_dispatcher *d, struct eu_thread *t)
{
    struct payload_writer f = {.thread = t};
    uint32_t r0[8];
    memcpy(r0, d->work.setup.r0, sizeof r0);
    r0[0] |= ps_primitive_header(&d->draws->draw) | starting_sample_pair(d);
    payload_put(&f, r0, sizeof r0);
    f.grf = d->work.setup.dispatch_grf_start;
    payload_push_constants(d, &f, SHADER_STAGE_PS);
    if (eu_register_rows(d->set) > 1)
        ps_put_wide_planes(&f, &d->draws->draw);
    else
        ps_put_planes(&f, &d->draws->draw);
    return f.grf;
}

static void ps_payload(struct thread_dispatcher *d, struct eu_thread *t)
{
    (void)ps_put_subspans_inputs(d, t);
    (void)ps_put_primitive(d, t);
}

uint32_t ps_channels(const struct thread_dispatcher *d)
{
    const struct draw *const w = &d->draws->draw;
    return w->state.ps.vector_mask_enable || d->set->whole_subspans ? whole_subspans(w->ps.coverage_mask)
                                                                    : w->ps.coverage_mask;
}

/* Counts a thread and its pixels. */
static void ps_count(struct thread_dispatcher *d, unsigned pixels, unsigned passed)
{
    struct draw *const w = &d->draws->draw;
    w->ran_thread = true;
    w->thread_cost = d->bindings.cost.group > w->thread_cost ? d->bindings.cost.group : w->thread_cost;
    if (w->state.viewports[w->setup.viewport_index].cps_statistics)
        d->counters.coarse_pixels += pixels;
    if (!w->state.raster.wm_statistics)
        return;
    d->counters.pixels += pixels;
    d->counters.depth_passed += passed;
}

/* Pixels that no message took. Those that failed late tests have events of these. */
static void ps_trace_killed(const struct thread_dispatcher *d)
{
    const struct ps_thread *const p = &d->draws->draw.ps;
    const struct softgt_fragment f = {.step = SOFTGT_FRAGMENT_KILLED};
    const uint32_t killed = p->coverage_mask & p->unwritten_mask & ~p->late_failed_mask;
    if (ps_is_coarse(p))
        coarse_trace_killed(&d->draws->draw, &d->bindings, killed);
    else
        trace_samples(&d->bindings, f, p, killed);
}

void ps_done(struct thread_dispatcher *d)
{
    struct draw *const w = &d->draws->draw;
    if (traces_fragments(&d->bindings))
        ps_trace_killed(d);
    if (w->state.samples.enable || ps_is_coarse(&w->ps)) {
        const uint32_t covered = w->ps.coverage_mask, kept = covered & ~w->ps.unwritten_mask;
        const bool late = w->state.om.late_depth_stencil, kills = late || w->state.ps.kills_pixel;
        const uint32_t passed = late ? kept : covered;
        pixel_event_count(&d->bindings, PIXELS_KILLED, covered, kills ? kept : covered);
        ps_count(d, count_pixels(covered),
                 ps_is_coarse(&w->ps) ? coarse_count_covered(w, passed)
                                      : samples_count_covered(w, passed) + w->ps.left_out_samples);
        return;
    }
    if (!w->ps.unwritten_mask && !w->ps.late_failed_mask) { /* the common case: nothing is killed */
        const unsigned all =
            w->ps.coverage_mask == UINT16_MAX ? HALF_PIXELS : count_pixels(w->ps.coverage_mask);
        ps_count(d, all, all);
        return;
    }
    const bool late = w->state.om.late_depth_stencil, kills = late || w->state.ps.kills_pixel;
    const uint32_t passed = w->ps.coverage_mask & ~(late ? w->ps.unwritten_mask : 0),
                   kept = w->ps.coverage_mask & ~(kills ? w->ps.unwritten_mask & ~w->ps.late_failed_mask : 0);
    const unsigned count = count_pixels(w->ps.coverage_mask);
    pixel_event_count(&d->bindings, PIXELS_KILLED, w->ps.coverage_mask, kept);
    pixel_event_count(&d->bindings, PIXELS_LATE_FAILED, kept, passed);
    ps_count(d, count, passed == w->ps.coverage_mask ? count : count_pixels(passed));
}

const struct stage_ops ps_stage_ops = {ps_begin, ps_payload, ps_channels, ps_done};

void urb_revoke_entries(struct thread_dispatcher *d)
{
    d->draws->urb->channel_count = 0;
    d->draws->urb->handle_count = 0; /* pixel shader threads have no URB entries */
    d->draws->urb->stage = SHADER_STAGE_PS;
}

void stage_thread_done(struct thread_dispatcher *d)
{
    urb_revoke_entries(d);
    ps_begin(d, NULL);
}
