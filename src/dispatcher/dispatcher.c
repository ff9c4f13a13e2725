/* A dispatch's life, and its turns. */
#include "dispatcher/dispatcher.h"

#include "jit/jit.h"
#include "memory/flat_ccs.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Life ---- */

static const struct work_ops work;

/* Registers begin where the host's vectors do. */
enum { VECTOR_BYTES = 64 };

bool dispatch_create(struct thread_dispatcher *d, struct engine *e, struct oa *oa, const struct eu_isa *set,
                     const struct command_set *structures, const struct softgt_config *config)
{
    *d = (struct thread_dispatcher){.engine = e,
                                    .oa = oa,
                                    .set = set,
                                    .structures = structures,
                                    .parallel = config->parallel,
                                    .draws_enabled = config->draws,
                                    .code = config->code};
    e->structures = structures;
    d->thread_storage = calloc(1, MAX_GROUP_THREADS * sizeof *d->threads + VECTOR_BYTES);
    d->slm = calloc(1, MAX_SLM_BYTES);
    d->urb = calloc(1, sizeof *d->urb);
    d->cache = eu_cache_create(&d->code);
    if (!d->thread_storage || !d->slm || !d->urb || !d->cache)
        return false;
    d->threads =
        (void *)(((uintptr_t)d->thread_storage + VECTOR_BYTES - 1u) & ~(uintptr_t)(VECTOR_BYTES - 1));
    const struct command *const surface = structures->rows[structure_find(structures, RENDER_SURFACE_STATE)];
    const struct field_value *const names = surface->by_role[SURFACE_FORMAT].values;
    for (const struct field_value *v = names; v && v->name; v++)
        if (v->value < SURFACE_FORMATS) {
            d->formats[v->value] = softgt_format_find(v->name);
            d->blocks[v->value] = softgt_block_format_find(v->name);
        }
    d->bindings = (struct message_context){
        .memory = e->memory,
        .engine = e,
        .display = e->display,
        .structures = {.surface_state = surface,
                       .sampler_state = structures->rows[structure_find(structures, SAMPLER_STATE)],
                       .formats = d->formats,
                       .blocks = d->blocks},
        .slm = d->slm,
        .urb = d->urb,
        .tessellation = &d->tessellation,
        .ld_param_order_u_lod_v_r = set->ld_lod_is_second_parameter,
        .gen6_sampler = set->mrf_count != 0,
        .scratch_by_surface = set->has_lsc,
    };
    e->dispatch = d;
    e->work = &work;
    return true;
}

void dispatch_destroy(struct thread_dispatcher *d)
{
    free(d->thread_storage);
    free(d->slm);
    free(d->urb);
    free(d->thread_before);
    groups_destroy(d);
    eu_cache_destroy(d->cache);
    *d = (struct thread_dispatcher){0};
}

static const struct state_field grid_fields[] = {
    STATE_NUMBER(struct work_state, walker_id, 0),
    STATE_NUMBER(struct work_state, general_state_base, 0),
    STATE_NUMBER(struct work_state, surface_state_base, 0),
    STATE_NUMBER(struct work_state, bindless_surface_state_base, 0),
    STATE_NUMBER(struct work_state, dynamic_state_base, 0),
    STATE_NUMBER(struct work_state, instruction_base, 0),
    STATE_NUMBER(struct work_state, binding_table, 0),
    STATE_NUMBER(struct work_state, sip, 0),
    STATE_NUMBER(struct work_state, kernel_start_pointer, 0),
    STATE_NUMBER(struct work_state, constants, 0),
    STATE_NUMBER(struct work_state, indirect_data_address, 0),
    STATE_NUMBER(struct work_state, post_sync_address, 0),
    STATE_NUMBER(struct work_state, post_sync_data, 0),
    STATE_NUMBER(struct work_state, indirect_data_bytes, 1u << 17),
    STATE_NUMBER(struct work_state, cross_thread_constant_registers, 1u << 16),
    STATE_NUMBER(struct work_state, thread_registers, 1u << 16),
    STATE_NUMBERS(struct work_state, first_group, 0),
    STATE_NUMBERS(struct work_state, end_group, 0),
    STATE_NUMBERS(struct work_state, group_id, 0),
    STATE_NUMBERS(struct work_state, thread_width_height_depth, MAX_GROUP_THREADS + 1),
    STATE_NUMBER(struct work_state, threads, MAX_GROUP_THREADS + 1),
    STATE_NUMBER(struct work_state, right_mask, 0),
    STATE_NUMBER(struct work_state, bottom_mask, 0),
    STATE_NUMBERS(struct work_state, local_size, 1025),
    STATE_NUMBER(struct work_state, slm_bytes, MAX_SLM_BYTES + 1),
    STATE_NUMBERS(struct work_state, r0, 0),
    STATE_NUMBERS(struct work_state, control, 0),
    STATE_NUMBERS(struct work_state, inline_dw, 0),
    STATE_NUMBER(struct work_state, inline_length_dw, INLINE_DW + 1),
    {.name = "loops",
     .offset = offsetof(struct work_state, loops),
     .size = sizeof(struct media_loops),
     .count = 1,
     .sub_fields = media_loops_fields,
     .sub_field_count = MEDIA_LOOPS_FIELDS},
    STATE_NUMBER(struct work_state, indirect_index, 0),
    STATE_NUMBER(struct work_state, indirect_count, 0),
    STATE_NUMBER(struct work_state, threads_started, MAX_GROUP_THREADS + 1),
    STATE_NUMBER(struct work_state, current_thread, MAX_GROUP_THREADS),
    STATE_NUMBER(struct work_state, instructions_left, THREAD_SLICE_INSTRUCTIONS + 1),
    STATE_NUMBER(struct work_state, barrier_count, MAX_GROUP_THREADS + 1),
    STATE_NUMBER(struct work_state, parallel_groups, MAX_PARALLEL_GROUPS + 1),
    STATE_NUMBER(struct work_state, next_parallel_groups, MAX_PARALLEL_GROUPS + 1),
    STATE_NUMBER(struct work_state, simd, 33),
    STATE_NUMBER(struct work_state, payload, PAYLOAD_KINDS),
    STATE_NUMBER(struct work_state, walk_order, 8),
    STATE_NUMBER(struct work_state, tile_layout, 5),
    STATE_NUMBER(struct work_state, emit_local, 8),
    STATE_NUMBER(struct work_state, post_sync_operation, 4),
    STATE_FLAG(struct work_state, large_grf),
    STATE_FLAG(struct work_state, media_walker),
    STATE_FLAG(struct work_state, seeks),
    STATE_FLAG(struct work_state, gathers),
    STATE_FLAG(struct work_state, resumes),
    STATE_FLAG(struct work_state, live),
    STATE_FLAG(struct work_state, group),
    STATE_NUMBERS(struct work_state, reserved, 1),
};

static STATE_TABLE(cursor_fields, struct draw_cursor, DRAW_CURSOR)
static STATE_TABLE(ps_fields, struct ps_thread, PS_THREAD)

enum { SECTIONS = 3 };
#define DRAW_SECTION(member, number)                                                                         \
    {                                                                                                        \
        .name = #member, .version = (number), .reset_survival = SURVIVES_NOTHING,                            \
        .field_count = sizeof member##_fields / sizeof *member##_fields, .fields = member##_fields,          \
        .offset = offsetof(struct thread_dispatcher, draw) + offsetof(struct draw, member),                  \
        .size = sizeof(((struct draw *)0)->member)                                                           \
    }
const struct section dispatch_sections[] = {
    SECTION(struct thread_dispatcher, work, 3, SURVIVES_NOTHING, grid_fields, NULL),
    DRAW_SECTION(cursor, 1),
    DRAW_SECTION(ps, 1),
};

static void dispatch_drop(struct thread_dispatcher *d, enum reset_scope scope)
{
    sections_reset(dispatch_sections, SECTIONS, d, scope);
}

/* At a preemption it is between two groups. What it asked for stands in its command, in the state that the
 * context keeps, and in memory: it is read again. */
enum {
    PLACE_DW = sizeof(struct media_cursor) / 4,
    WALK_DW = 6,            /* whose it is, where it is, which of several */
    DRAW_DW = 9,            /* whose it is, which instance, which primitive, where of that, since which cut */
    LOOPS_DW = 2 + PLACE_DW /* whose it is, where its loops are */
};
_Static_assert((unsigned)LOOPS_DW <= WORK_DW, "it fits the image");

/* Threads of a group that is not whole are in registers alone. */
static bool dispatch_holds_context(const struct thread_dispatcher *d)
{
    return d->work.gathers && d->work.threads_started;
}

static uint32_t dispatch_save_context(const struct thread_dispatcher *d, uint32_t *dw)
{
    const struct work_state *const g = &d->work;
    const struct parse_state *const p = &d->engine->parse;
    if (dispatch_holds_context(d)) /* the context ends here, or waits: it may not */
        report_error(
            d->engine->log, SOFTGT_GUEST_ERROR, d->engine->info->name, p->command_address,
            "MEDIA_OBJECT_GRPID: another context comes before the end of a group: %u of its threads are lost",
            g->threads_started);
    if (!g->live || g->group || g->parallel_groups || p->streams[p->depth].progress != g->walker_id)
        return 0;
    memcpy(dw, &g->walker_id, sizeof g->walker_id);
    if (g->payload == PAYLOAD_PS) {
        const struct draw_cursor *const c = &d->draw.cursor;
        dw[2] = c->instance;
        dw[3] = c->primitive_index;
        memcpy(dw + 4, c->resume_pending ? c->resume_subspan_xy : c->subspan_xy, sizeof c->subspan_xy);
        dw[6] = c->has_primitive || c->resume_pending;
        dw[7] = c->strip_start_vertex;
        dw[8] = c->strip_start_primitive;
        return DRAW_DW;
    }
    if (g->media_walker) {
        memcpy(dw + 2, &g->loops.cursor, sizeof g->loops.cursor);
        return LOOPS_DW;
    }
    memcpy(dw + 2, g->group_id, sizeof g->group_id);
    dw[5] = g->indirect_index;
    return WALK_DW;
}

static uint64_t dispatch_load_context(struct thread_dispatcher *d, const uint32_t *dw, uint32_t count_group)
{
    struct work_state *const g = &d->work;
    if (count_group != WALK_DW && count_group != LOOPS_DW && count_group != DRAW_DW)
        return 0;
    *g = (struct work_state){.resumes = true, .media_walker = count_group == LOOPS_DW};
    memcpy(&g->walker_id, dw, sizeof g->walker_id);
    if (count_group == DRAW_DW) {
        g->payload = PAYLOAD_PS;
        d->draw.state.is_decoded = false;
        d->draw.cursor = (struct draw_cursor){.instance = dw[2],
                                              .primitive_index = dw[3],
                                              .subspan_xy = {(int32_t)dw[4], (int32_t)dw[5]},
                                              .has_primitive = dw[6] & 1u,
                                              .strip_start_vertex = dw[7],
                                              .strip_start_primitive = dw[8]};
        return g->walker_id;
    }
    if (g->media_walker) {
        memcpy(&g->loops.cursor, dw + 2, sizeof g->loops.cursor);
        return g->walker_id;
    }
    memcpy(g->group_id, dw + 2, sizeof g->group_id);
    g->indirect_index = dw[5];
    return g->walker_id;
}

static const struct work_ops work = {.reset = dispatch_drop,
                                     .blocks_preemption = dispatch_holds_context,
                                     .save = dispatch_save_context,
                                     .load = dispatch_load_context};

static void dispatch_reset(void *unit, enum reset_scope scope)
{
    struct thread_dispatcher *const d = unit;
    if (!engine_runs_vf_context(d->engine))
        dispatch_drop(d, scope);
}

static bool draw_cursor_holds(const struct draw_cursor *c)
{
    return (!c->has_primitive || c->is_set_up) && (!c->patch_active || c->stages >> SHADER_STAGE_HS & 1u) &&
           (!c->gs_output_pending || c->stages & (1u << SHADER_STAGE_GS | 1u << SHADER_STAGE_GEN6_GS));
}

/* Numbers of different kinds that are to be so for what runs them. */
static bool dispatch_is_valid(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    bool inside = true;
    for (unsigned i = 0; i < 3; i++)
        inside &= g->first_group[i] <= g->group_id[i] && g->group_id[i] < g->end_group[i];
    if (!g->live)
        return !g->group && !g->parallel_groups &&
               (!g->threads_started || (g->gathers && g->threads_started <= g->threads));
    return inside && !g->resumes && g->walker_id && g->threads && g->current_thread < g->threads &&
           g->thread_width_height_depth[0] && g->thread_width_height_depth[1] &&
           g->thread_width_height_depth[2] && g->local_size[0] && g->local_size[1] && g->local_size[2] &&
           (!g->tile_layout || g->local_size[0] % g->tile_layout == 0) &&
           g->thread_width_height_depth[0] * g->thread_width_height_depth[1] *
                   g->thread_width_height_depth[2] ==
               g->threads &&
           (g->simd == 8 || g->simd == 16 || g->simd == 32) && !(g->group && g->threads_started) &&
           g->threads_started < g->threads && g->barrier_count < g->threads && g->slm_bytes % 4u == 0 &&
           (!(g->gathers || g->media_walker) || g->payload == PAYLOAD_MEDIA_OBJECT) &&
           (!g->seeks || runs_one_group_at_a_time(g)) &&
           (!is_draw(g) ||
            ((g->threads == 1 || g->payload == PAYLOAD_HS) && draw_cursor_holds(&d->draw.cursor))) &&
           (g->payload <= PAYLOAD_PS ||
            (!g->seeks && d->draw.cursor.stages >> (g->payload - PAYLOAD_PS) & 1u)) &&
           (!g->parallel_groups || (!g->group && !g->threads_started && !runs_one_group_at_a_time(g)));
}

/* The vertices of the primitive whose pixels come. */
static void primitive_state(struct thread_dispatcher *d, struct state *s)
{
    struct shaded_primitive *const p = &d->draw.primitive;
    if (!d->work.live || !is_draw(&d->work) || !d->draw.cursor.is_set_up)
        return;
    const size_t begin = state_section_begin(s, d->engine->info->name, "primitive", 1);
    state_dwords(s, p->vue_dw[0], sizeof p->vue_dw / sizeof p->vue_dw[0][0]);
    state_section_end(s, begin);
}

/* The threads and the memory of the group at hand. */
static void dispatch_state(void *unit, struct state *s)
{
    struct thread_dispatcher *d = unit;
    sections_state(dispatch_sections, SECTIONS, d, d->engine->info->name, s);
    state_check(s, s->failed || dispatch_is_valid(d));
    if (!s->saving)
        d->draw.state.is_decoded = false;
    primitive_state(d, s);
    urb_state(d, s);
    if (!s->saving)
        memset(d->slm, 0, MAX_SLM_BYTES);
    const size_t begin = state_section_begin(s, d->engine->info->name, "threads", 2);
    const unsigned threads = d->work.group ? d->work.threads : d->work.threads_started;
    for (unsigned i = 0; i < threads && !s->failed; i++) {
        if (!s->saving)
            eu_thread_start(&d->threads[i], d->set, 0, 0);
        eu_thread_state(&d->threads[i], s);
    }
    if (threads && !s->failed)
        state_dwords(s, (uint32_t *)(void *)d->slm, d->work.slm_bytes / 4u);
    state_section_end(s, begin);
    groups_state(d, s);
}

const struct unit_shape dispatch_shape = {.sections = dispatch_sections,
                                          .section_count = SECTIONS,
                                          .reset = dispatch_reset,
                                          .state = dispatch_state};

/* ---- Ports ---- */

/* What a slice of the command has at most, and what its parts take of the host, roughly. */
enum {
    SLICE_INSTRUCTIONS = 4096,
    SLICE_TOGETHER = 1 << 22, /* of groups at once: a start of the owner's threads is to be worth it */
    THREAD_INSTRUCTIONS = 32,
    INSTRUCTION_NS = 40,
    INSTRUCTION_LOCAL_BYTES = 1024
};

void dispatch_charge_memory(const struct thread_dispatcher *d, uint64_t since_ns, uint64_t *budget)
{
    budget_charge(budget, (d->engine->log->cost.ns - since_ns) / INSTRUCTION_NS);
}

static const void *fetch_kernel(void *context, uint64_t address, size_t *there_bytes)
{
    struct thread_dispatcher *d = context;
    struct engine *e = d->engine;
    const uint64_t at = mmu_address(&e->mmu, SPACE_PPGTT, d->work.instruction_base + address);
    struct translation t;
    *there_bytes = PAGE_BYTES - at % PAGE_BYTES;
    const uint8_t *host = mmu_cached(&e->mmu, SPACE_PPGTT, at, 1, false);
    /* What is only read ahead raises no fault. */
    if (!host && mmu_translate(&e->mmu, SPACE_PPGTT, at, &t)) {
        host = mmu_host(&e->mmu, SPACE_PPGTT, at, false);
        if (!host) {
            uint8_t *const page = d->fetch_pages[d->fetch_page_count++ % FETCH_PAGES];
            d->fetch_cost += PORT_ACCESS_COST_NS / INSTRUCTION_NS;
            return mmu_load(&e->mmu, SPACE_PPGTT, at, page, *there_bytes) ? page : NULL;
        }
    }
    if (host) /* who stores there may change the kernel */
        d->bindings.kernel_pages |= mmu_page_bit(&e->mmu, SPACE_PPGTT, at);
    return host;
}

/* Where the thread that runs is. */
static unsigned current_unit(const struct thread_dispatcher *d)
{
    return d->work.current_thread % COUNTED_UNITS;
}

/* Those that may be of the kernel. */
static uint64_t count_kernel_stores(const struct thread_dispatcher *d)
{
    return d->engine->totals.memory.stores - d->bindings.stores_outside_kernels;
}

static enum eu_answer send_message(void *context, struct eu_thread *thread, const struct eu_send *m,
                                   uint64_t *budget)
{
    struct thread_dispatcher *d = context;
    const uint64_t before_ns = d->engine->log->cost.ns;
    const enum eu_answer answer = shared_function_send(&d->bindings, thread->isa, m, budget);
    if (d->engine->log->cost.ns != before_ns)
        dispatch_charge_memory(d, before_ns, budget);
    d->kernel_stores = count_kernel_stores(d);
    if (answer == EU_SEND_BLOCKED)
        return answer;
    const unsigned registers = m->payload_registers[0] + m->payload_registers[1];
    d->counters.units[current_unit(d)].messages++;
    d->counters.units[current_unit(d)].registers += registers ? registers : 1u;
    d->work.barrier_count += d->bindings.at_barrier;
    d->bindings.at_barrier = false;
    return answer;
}

/* Threads share dpasw's operands by twos. */
static struct eu_thread *fused_thread(void *context, struct eu_thread *thread, bool *second)
{
    struct thread_dispatcher *const d = context;
    const uint32_t index = (uint32_t)(thread - d->threads), other = index ^ 1u;
    *second = index & 1u;
    return other < d->work.threads ? &d->threads[other] : NULL;
}

/* ---- Turns ---- */

/* Another context waits, and the level of preemption, which is the context's own where the engine's register
 * says so, lets it in within a walker; within a draw, of which there is a level of its own, or it always may.
 * Threads are not left in their middle. (CSP-21; Linux, gen9_ctx_workarounds_init) */
static bool preemption_is_due(const struct engine *e, bool draws)
{
    enum {
        FF_SLICE_CS_CHICKEN1 = 0x0e0,
        FF_SLICE_CS_CHICKEN2 = 0x0e4,
        FF_SLICE_CS_CHICKEN3 = 0x0ec,
        CS_CHICKEN1 = 0x580
    };
    enum { OF_THE_CONTEXT = 1 << 14, COMMANDS_ONLY = 1 << 2, OBJECTS = 1 << 0 };
    if (!e->execlists.pending_valid || !e->parse.arbitration)
        return false;
    const bool is_own =
        engine_runs_vf_context(e) || engine_register_bit(e, FF_SLICE_CS_CHICKEN1, OF_THE_CONTEXT);
    if (draws)
        return !e->info->draws.has_3d_object_preemption ||
               engine_register_bit(e, is_own ? CS_CHICKEN1 : FF_SLICE_CS_CHICKEN3, OBJECTS);
    return !engine_register_bit(e, is_own ? CS_CHICKEN1 : FF_SLICE_CS_CHICKEN2, COMMANDS_ONLY);
}

static void count_group(struct thread_dispatcher *d, uint64_t invocations)
{
    struct engine *e = d->engine;
    e->totals.groups++;
    e->totals.threads += d->work.threads;
    d->counters.threads += d->work.threads;
    e->totals.invocations += invocations;
    if (!is_draw(&d->work))
        d->counters.invocations += invocations;
}

static void start_thread(struct thread_dispatcher *d, unsigned index)
{
    const struct work_state *const g = &d->work;
    struct eu_thread *const t = &d->threads[index];
    eu_thread_restart(t, d->set, g->kernel_start_pointer,
                      is_draw(g) ? stage_ops_of(g->payload)->channels(d) : payload_channels(g, index));
    t->large_grf |= g->large_grf;
    t->cr0[0] |= g->control[0];
    t->cr0[1] |= g->control[1];
    t->sip = g->sip;
    t->tm0 = engine_timestamp(d->engine, d->engine->log->now_ns);
    if (is_draw(g)) {
        stage_ops_of(g->payload)->payload(d, t);
    } else {
        payload_fill(d, t, index);
        t->sr0[0] = sr0_thread_id(d, index);
    }
}

/* Threads get their registers, one by one as the budget lets; then they are a group. */
bool dispatch_begin_group(struct thread_dispatcher *d, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    uint64_t invocations = 0;
    if (!g->threads_started) {
        memset(d->slm, 0, g->gathers ? MAX_SLM_BYTES : g->slm_bytes);
        budget_charge(budget, g->slm_bytes / INSTRUCTION_LOCAL_BYTES);
    }
    while (g->threads_started < g->threads) {
        const uint64_t before_ns = d->engine->log->cost.ns;
        if (!*budget)
            return true;
        start_thread(d, g->threads_started++);
        if (engine_faulted(d->engine))
            return false;
        if (d->hooks.started) {
            struct softgt_eu_thread thread = dispatch_thread(d, g->threads_started - 1u);
            d->hooks.started(d->hooks.user, &thread);
        }
        budget_charge(budget, THREAD_INSTRUCTIONS);
        dispatch_charge_memory(d, before_ns, budget);
    }
    if (g->gathers) { /* the next command goes on */
        g->live = false;
        return true;
    }
    for (unsigned i = 0; i < g->threads; i++)
        invocations += (unsigned)__builtin_popcount(d->threads[i].dispatch_mask);
    g->group = true;
    g->threads_started = g->barrier_count = 0;
    dispatch_select_thread(d, 0);
    count_group(d, invocations);
    return true;
}

void dispatch_next_group(struct thread_dispatcher *d)
{
    struct work_state *const g = &d->work;
    g->group = false;
    if (is_draw(g)) {
        stage_ops_of(g->payload)->done(d);
        g->seeks = true;
        return;
    }
    if (g->payload == PAYLOAD_MEDIA_OBJECT) {
        g->live = g->seeks = g->media_walker;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (++g->group_id[i] < g->end_group[i])
            return;
        if (i < 2)
            g->group_id[i] = g->first_group[i];
    }
    g->live = false;
}

void dispatch_select_thread(struct thread_dispatcher *d, uint32_t index)
{
    d->work.current_thread = index;
    d->work.instructions_left = THREAD_SLICE_INSTRUCTIONS;
}

/* Whose turn is next; false: all have ended, or wait for what never comes. */
static bool select_next_thread(struct thread_dispatcher *d)
{
    struct work_state *const g = &d->work;
    for (unsigned i = 1; i <= g->threads; i++) {
        const uint32_t thread = (g->current_thread + i) % g->threads;
        if (d->threads[thread].stop == EU_BUDGET) {
            dispatch_select_thread(d, thread);
            return true;
        }
    }
    return false;
}

static unsigned count_ended_threads(const struct thread_dispatcher *d)
{
    unsigned count_group = 0;
    for (unsigned i = 0; i < d->work.threads; i++)
        count_group += d->threads[i].stop == EU_ENDED;
    return count_group;
}

const char *dispatch_deadlock_text(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    if (g->barrier_count && count_ended_threads(d) && g->barrier_count + count_ended_threads(d) == g->threads)
        return "threads wait at a barrier that the group's others have ended without coming to";
    return "all threads that are left wait";
}

const char *dispatch_exception_text(const struct thread_dispatcher *d, const struct eu_thread *t)
{
    return d->bindings.error_text ? d->bindings.error_text : t->why ? t->why : "an exception";
}

/* One blank where text has several, for columns. */
static void remove_columns(char *text)
{
    char *to = text;
    for (const char *c = text + strspn(text, " "); *c; c++)
        if (*c != ' ' || (c[1] && c[1] != ' '))
            *to++ = *c;
    *to = '\0';
}

static enum outcome report_hang(struct thread_dispatcher *d, const char *why)
{
    enum { TEXT = 240 };
    struct engine *e = d->engine;
    struct work_state *const g = &d->work;
    char text[TEXT] = "", where[64] = "";
    if (g->group) {
        const struct softgt_eu_thread at = dispatch_thread(d, g->current_thread);
        softgt_eu_text(&at, text, sizeof text);
        remove_columns(text);
        snprintf(where, sizeof where, ", at %#llx of the kernel at %#llx",
                 (unsigned long long)(at.ip - g->kernel_start_pointer),
                 (unsigned long long)(g->instruction_base + g->kernel_start_pointer));
    }
    if (g->group || !engine_faulted(e)) /* else a page fault has been told */
        report_error(e->log, d->bindings.not_modelled ? SOFTGT_NOT_MODELLED : SOFTGT_GUEST_ERROR,
                     e->info->name, e->parse.command_address,
                     "thread %u of group %u, %u, %u%s: %s: the engine hangs%s%s", g->current_thread,
                     g->group_id[0], g->group_id[1], g->group_id[2], where, why, *text ? ": " : "", text);
    g->live = g->group = g->resumes = g->gathers = g->seeks = false; /* where it was stays to be asked */
    g->threads_started = 0;
    g->walker_id = 0;
    return OUTCOME_FAULT;
}

/* A draw that comes to what is not modelled ends there; false: it does not. */
static bool abandon_unsupported_draw(struct thread_dispatcher *d)
{
    struct work_state *const g = &d->work;
    if (!is_draw(g) || !d->bindings.error_text || !d->bindings.not_modelled || engine_faulted(d->engine))
        return false;
    draw_report_unsupported(d->engine, d->bindings.error_text, "not drawn from there on");
    g->live = g->group = g->seeks = false;
    return true;
}

/*
 * The group's barrier opens when all of its threads are there: messages count, the end of a thread does not.
 * A group some of whose threads return before a barrier hangs, as it does on Intel's parts: yuzu (pull
 * request 10699, UHD 620) and Ryujinx (5044, Ice Lake and Arc) leave out barriers behind returns there, and
 * nowhere else.
 */
static void open_barrier_if_complete(struct thread_dispatcher *d)
{
    enum { BARRIER = 0 };
    struct work_state *const g = &d->work;
    if (g->barrier_count < g->threads)
        return;
    g->barrier_count = 0;
    for (unsigned i = 0; i < g->threads; i++) {
        eu_thread_notify(&d->threads[i], BARRIER);
        if (d->threads[i].stop == EU_WAITS)
            d->threads[i].stop = EU_BUDGET;
    }
}

/* Behind the last group: data, or when it began and ended, by the context's clock and by the global one of 32
 * bits each; the work takes no time. (ATS-M PRM vol 2d, POSTSYNC_DATA) */
static void store_post_sync(struct thread_dispatcher *d)
{
    enum { WRITE_IMMEDIATE = 1, WRITE_TIMESTAMP = 3 };
    struct engine *e = d->engine;
    const struct work_state *g = &d->work;
    if (g->post_sync_operation == WRITE_IMMEDIATE) {
        engine_store64(e, SPACE_PPGTT, g->post_sync_address, g->post_sync_data);
    } else if (g->post_sync_operation == WRITE_TIMESTAMP) {
        const uint64_t at = engine_timestamp(e, e->log->now_ns) << 32 | context_count_time(e);
        engine_store64(e, SPACE_PPGTT, g->post_sync_address, at);
        engine_store64(e, SPACE_PPGTT, g->post_sync_address + 8, at);
    }
}

/* ---- What is counted ---- */

/* Clocks of the unit whose thread runs. */
static void count_clocks(struct thread_dispatcher *d, uint64_t clocks)
{
    const unsigned unit = current_unit(d);
    const uint64_t loaded = (d->work.threads + COUNTED_UNITS - 1u - unit) / COUNTED_UNITS;
    d->counters.units[unit].clocks += clocks;
    d->counters.units[unit].loaded += clocks * loaded;
}

/* Clocks that messages took besides their instructions' own. */
static uint64_t message_clocks(const struct thread_dispatcher *d)
{
    return d->counters.units[current_unit(d)].registers - d->counters.units[current_unit(d)].messages;
}

/* ---- Parts of a walker ---- */

enum outcome dispatch_run_thread(struct thread_dispatcher *d, uint64_t *budget, const char **why)
{
    struct work_state *const g = &d->work;
    struct eu_thread *const t = &d->threads[g->current_thread];
    const struct eu_port port = {
        .context = d,
        .fetch = fetch_kernel,
        .cache_is_warm = d->cache_is_warm && !d->single_steps,
        .store_count = &d->kernel_stores,
        .dpasw_pair = fused_thread,
        .kind_counts = d->counts_instruction_kinds ? d->counters.units[current_unit(d)].ran : NULL,
        .fetch_cost = &d->fetch_cost,
        .send = send_message,
        .cache = d->cache};
    const uint64_t mine = *budget < g->instructions_left ? *budget : g->instructions_left;
    const uint64_t before = t->instruction_count, more_before = message_clocks(d);
    uint64_t left = mine;
    d->bindings.cost = 0;
    d->bindings.scratch_slot = g->current_thread;
    d->kernel_stores = count_kernel_stores(d);
    const enum eu_stop stop =
        d->single_steps ? dispatch_run_single_steps(d, &port, &left) : eu_thread_run(t, &port, &left);
    d->cache_is_warm = true;
    t->stop = d->bindings.needs_exclusive ? EU_BUDGET : (uint8_t)stop; /* it goes on then */
    d->engine->totals.instructions += t->instruction_count - before;
    count_clocks(d, t->instruction_count - before + (message_clocks(d) - more_before));
    *budget -= mine - left;
    /* Its share is what it ran and sent, wherever a slice ended: what it wrote when does not depend on it. */
    const uint64_t taken = t->instruction_count - before + d->bindings.cost;
    g->instructions_left -= (uint32_t)(taken < g->instructions_left ? taken : g->instructions_left);
    open_barrier_if_complete(d);
    bool second;
    struct eu_thread *const other = fused_thread(d, t, &second);
    if (other && eu_thread_dpasw_ready(other, t))
        other->stop = EU_BUDGET;
    if (stop == EU_EXCEPTION) /* an instruction that is not there is a fault of the engine's */
        (void)mmu_host(&d->engine->mmu, SPACE_PPGTT, g->instruction_base + t->ip, false);
    if (stop == EU_EXCEPTION || engine_faulted(d->engine)) {
        *why = dispatch_exception_text(d, t);
        return OUTCOME_FAULT;
    }
    if (t->stop == EU_BUDGET && g->instructions_left)
        return OUTCOME_RESUME;
    if (select_next_thread(d))
        return OUTCOME_RESUME;
    if (count_ended_threads(d) < g->threads) {
        *why = dispatch_deadlock_text(d);
        return OUTCOME_FAULT;
    }
    dispatch_next_group(d);
    return OUTCOME_RESUME;
}

void dispatch_setup_bindings(struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    memory_client_begin(&d->bindings.memory);
    d->bindings.aux_table = engine_aux_table(d->engine);
    d->bindings.kernel.general_state_base = g->general_state_base;
    d->bindings.kernel.surface_state_base = g->surface_state_base;
    d->bindings.kernel.bindless_surface_state_base = g->bindless_surface_state_base;
    d->bindings.kernel.dynamic_state_base = g->dynamic_state_base;
    d->bindings.kernel.sampler_state_pointer = g->r0[3];
    d->bindings.kernel.binding_table = g->binding_table;
    d->bindings.slm_bytes = g->slm_bytes;
    d->bindings.ps = g->payload == PAYLOAD_PS ? &d->draw.ps : NULL;
    d->bindings.om = &d->draw.state.om;
    gen6_gs_bind(d);
    d->bindings.urb = is_draw(g) ? d->urb : NULL; /* what a draw left in the middle has there is no other's */
    d->bindings.error_text = NULL;
    memset(d->bindings.caches.binding_table, 0, sizeof d->bindings.caches.binding_table);
}

/* Two groups, or two threads of pixels: there another context may come in. */
static bool can_be_preempted(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    if (!g->live || g->group || g->parallel_groups)
        return false;
    const struct draw_cursor *const c = &d->draw.cursor;
    return is_draw(g) ? g->seeks && !c->subspan_count && !c->gs_output_pending && !c->patch_active
                      : g->seeks == g->media_walker;
}

/* Others' threads come: what those before them did is told. */
static void switch_oa_client(struct thread_dispatcher *d, enum oa_shader_stage *stage)
{
    const enum oa_shader_stage next = dispatch_oa_client(d);
    if (next != *stage)
        dispatch_flush_counters(d, *stage);
    *stage = next;
}

static enum outcome run_slice(struct thread_dispatcher *d, struct execution *x, uint64_t *budget,
                              enum oa_shader_stage *stage)
{
    struct work_state *const g = &d->work;
    struct engine *const e = d->engine;
    const uint64_t given = *budget;
    const uint64_t before_ns = e->log->cost.ns;
    dispatch_setup_bindings(d);
    d->hook_stopped = d->cache_is_warm = false;
    d->bindings.kernel_pages = 0;
    ccs_cache_invalidate(&e->mmu);
    d->counts_instruction_kinds = d->oa && oa_pipe_events_enabled(d->oa, d->engine);
    while (g->live && *budget && !d->hook_stopped) {
        const char *why = NULL;
        switch_oa_client(d, stage);
        if (g->seeks && g->payload == PAYLOAD_PS) {
            if (!draw_advance(d, budget) && !abandon_unsupported_draw(d))
                return report_hang(d, d->bindings.error_text ? d->bindings.error_text
                                                             : "its vertices are not there");
        } else if (g->seeks) {
            media_walker_next(g, budget);
        } else if (g->parallel_groups || groups_begin(d)) {
            if (groups_run(d, budget, &why) == OUTCOME_FAULT)
                return report_hang(d, why);
        } else if (!g->group) {
            if (!dispatch_begin_group(d, budget))
                return report_hang(d, "its payload is not there");
            continue;
        } else if (dispatch_run_thread(d, budget, &why) == OUTCOME_FAULT && !abandon_unsupported_draw(d)) {
            return report_hang(d, why);
        }
        if (can_be_preempted(d) && preemption_is_due(e, is_draw(g))) {
            x->preemptible = true;
            break;
        }
    }
    const uint64_t lasted_ns = before_ns + (given - *budget) * INSTRUCTION_NS;
    if (e->log->cost.ns < lasted_ns)
        e->log->cost.ns = lasted_ns;
    x->progress = g->live ? g->walker_id : 0;
    if (g->live)
        return OUTCOME_RESUME;
    if (is_draw(g) && d->draw.state.sol.enable)
        so_write_offsets_store(&d->draw.state.sol, e);
    d->draw.cursor = (struct draw_cursor){0};
    d->draw.ps = (struct ps_thread){0};
    d->draw.state.is_decoded = false;
    store_post_sync(d);
    if (g->indirect_index + 1u < g->indirect_count) {
        g->indirect_index++;
        x->progress = g->walker_id;
        return engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_RESUME;
    }
    return engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_DONE;
}

enum outcome dispatch_run_budget(struct thread_dispatcher *d, struct execution *x, uint64_t *budget)
{
    if (is_draw(&d->work) && !d->draw.state.is_decoded) { /* loaded, and no draw of this command's */
        d->work = (struct work_state){0};
        x->progress = 0;
        return OUTCOME_DONE;
    }
    enum oa_shader_stage stage = dispatch_oa_client(d);
    const enum outcome outcome = run_slice(d, x, budget, &stage);
    dispatch_flush_counters(d, stage);
    return outcome;
}

enum outcome dispatch_run(struct thread_dispatcher *d, struct execution *x)
{
    uint64_t budget =
        d->work.parallel_groups || groups_can_run_parallel(d) ? SLICE_TOGETHER : SLICE_INSTRUCTIONS;
    return dispatch_run_budget(d, x, &budget);
}
