/* The thread dispatcher: its life and state, the interpreter's port, the threads of a group, the slices of a
 * command. */
#include "dispatcher/dispatcher.h"

#include "jit/jit.h"
#include "memory/flat_ccs.h"
#include "output_merger/pixel_rows.h"
#include "plans/plans.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Life ---- */

/* The threads' registers are aligned for the host's vectors. */
enum { VECTOR_BYTES = 64 };

static const struct pixel_units pixel_units = {.sampler = sampler,
                                               .render_target = render_target,
                                               .sampler_planned = sampler_planned,
                                               .render_target_planned = render_target_planned,
                                               .render_target_square = render_target_square};

bool dispatch_create(struct thread_dispatcher *d, struct engine *e, struct oa *oa, const struct eu_isa *set,
                     const struct command_set *structures, const struct softgt_config *config)
{
    *d = (struct thread_dispatcher){.engine = e,
                                    .oa = oa,
                                    .set = set,
                                    .structures = structures,
                                    .parallel = config->parallel,
                                    .code = config->code};
    e->commands.structures = structures;
    d->thread_storage = calloc(1, MAX_GROUP_THREADS * sizeof *d->threads + VECTOR_BYTES);
    d->slm = calloc(1, MAX_SLM_BYTES);
    d->cache = eu_cache_create(&d->code);
    if (!d->thread_storage || !d->slm || !d->cache)
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
        .info = e->info->messages,
        .pixel_units = &pixel_units,
        .pixels = pixel_functions_of(eu_host_simd_level()),
    };
    d->kinds[WORK_COMPUTE] = &compute_dispatch_ops;
    d->kinds[WORK_MEDIA] = &media_dispatch_ops;
    e->work = (struct engine_work){&dispatch_work_ops, d};
    return true;
}

void dispatch_destroy(struct thread_dispatcher *d)
{
    free(d->thread_storage);
    free(d->slm);
    free(d->debugger.thread_before);
    groups_destroy(d);
    eu_cache_destroy(d->cache);
    *d = (struct thread_dispatcher){0};
}

static STATE_TABLE(media_cursor_fields, struct media_cursor, MEDIA_CURSOR)
static STATE_TABLE(media_loops_fields, struct media_loops, MEDIA_LOOPS)
static STATE_TABLE(state_bases_fields, struct state_bases, STATE_BASES)
static STATE_TABLE(thread_setup_fields, struct thread_setup, THREAD_SETUP)
static STATE_TABLE(compute_walker_fields, struct compute_walker, COMPUTE_WALK)
static STATE_TABLE(media_work_fields, struct media_work, MEDIA_WORK)
static STATE_TABLE(thread_group_fields, struct thread_group, THREAD_GROUP)
static STATE_TABLE(work_fields, struct work_state, WORK_STATE)
enum { SECTIONS = 1 };
const struct section dispatch_sections[] = {
    SECTION(struct thread_dispatcher, work, 4, SURVIVES_NOTHING, work_fields, NULL),
};

static void dispatch_drop(void *unit, enum reset_scope scope)
{
    struct thread_dispatcher *const d = unit;
    sections_reset(dispatch_sections, SECTIONS, d, scope);
    for (unsigned kind = 0; kind < WORK_KINDS; kind++)
        if (d->kinds[kind] && d->kinds[kind]->drop)
            d->kinds[kind]->drop(d);
}

/*
 * Preempted work in a context image: the walker's id, the kind of work, and the kind's cursor. The rest is in
 * the command, in the pipeline state of the context, and in memory: the command reads it again.
 */
enum { IMAGE_KIND = 2, IMAGE_CURSOR = 3, IMAGE_DW = IMAGE_CURSOR + sizeof(struct media_cursor) / 4 };

/* Only registers hold the threads of a partial group. A context image has no copy of them. */
static bool dispatch_holds_context(const void *unit)
{
    const struct thread_dispatcher *const d = unit;
    return d->work.media.group_is_partial && d->work.group.threads_started;
}

static uint32_t dispatch_save_context(void *unit, uint32_t *dw)
{
    const struct thread_dispatcher *const d = unit;
    const struct work_state *const g = &d->work;
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    const struct parse_state *const p = &d->engine->parse;
    if (dispatch_holds_context(d)) /* a context must not end or wait here */
        report_error(
            d->engine->log, SOFTGT_GUEST_ERROR, d->engine->info->name, p->command_address,
            "MEDIA_OBJECT_GRPID: another context comes before the end of a group: %u of its threads are lost",
            g->group.threads_started);
    if (g->phase != DISPATCH_NEXT_WORK || p->streams[p->depth].progress != g->walker_id)
        return 0;
    memcpy(dw, &g->walker_id, sizeof g->walker_id);
    dw[IMAGE_KIND] = g->kind;
    ops->save(d, dw + IMAGE_CURSOR);
    return IMAGE_CURSOR + ops->cursor_dw;
}

static bool dispatch_load_context(void *unit, const uint32_t *dw, uint32_t count, uint64_t *progress)
{
    struct thread_dispatcher *const d = unit;
    const struct dispatch_ops *const ops =
        count > IMAGE_CURSOR && dw[IMAGE_KIND] < WORK_KINDS ? d->kinds[dw[IMAGE_KIND]] : NULL;
    if (!ops || count != IMAGE_CURSOR + ops->cursor_dw)
        return false;
    d->work = (struct work_state){.kind = (uint8_t)dw[IMAGE_KIND], .phase = DISPATCH_RESUME};
    memcpy(&d->work.walker_id, dw, sizeof d->work.walker_id);
    ops->load(d, dw + IMAGE_CURSOR);
    *progress = d->work.walker_id;
    return true;
}

const struct work_ops dispatch_work_ops = {.image_mark = 0x002b0000,
                                           .image_dw = IMAGE_DW,
                                           .reset_by_switch = true,
                                           .reset = dispatch_drop,
                                           .blocks_preemption = dispatch_holds_context,
                                           .save = dispatch_save_context,
                                           .load = dispatch_load_context};

static void dispatch_reset(void *unit, enum reset_scope scope)
{
    struct thread_dispatcher *const d = unit;
    if (!engine_runs_vf_context(d->engine))
        dispatch_drop(d, scope);
}

/* Whether loaded work is consistent: the conditions of every phase that has work. */
static bool work_is_valid(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    bool inside = true;
    for (unsigned i = 0; i < 3; i++)
        inside &=
            g->walker.first_group[i] <= g->group.group_id[i] && g->group.group_id[i] < g->walker.end_group[i];
    return inside && g->walker_id && g->setup.threads && g->group.current_thread < g->setup.threads &&
           g->setup.thread_width_height_depth[0] && g->setup.thread_width_height_depth[1] &&
           g->setup.thread_width_height_depth[2] && g->walker.local_size[0] && g->walker.local_size[1] &&
           g->walker.local_size[2] &&
           (!g->walker.tile_layout || g->walker.local_size[0] % g->walker.tile_layout == 0) &&
           g->setup.thread_width_height_depth[0] * g->setup.thread_width_height_depth[1] *
                   g->setup.thread_width_height_depth[2] ==
               g->setup.threads &&
           (g->setup.simd == 8 || g->setup.simd == 16 || g->setup.simd == 32) &&
           g->group.barrier_count < g->setup.threads && g->setup.slm_bytes % 4u == 0 &&
           (!ops->is_valid || ops->is_valid(d));
}

/* Whether a loaded state is consistent. */
static bool dispatch_is_valid(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    const bool starting = g->phase == DISPATCH_COLLECT || g->phase == DISPATCH_FILL;
    if (g->kind >= WORK_KINDS || !dispatch_ops_of(d) || (g->group.threads_started && !starting) ||
        (g->walker.parallel_groups != 0) != (g->phase == DISPATCH_PARALLEL) ||
        g->setup.slm_bytes > slm_limit_bytes(&d->bindings.info) ||
        ((g->media.is_walker || g->media.group_is_partial) && g->kind != WORK_MEDIA))
        return false;
    switch ((enum dispatch_phase)g->phase) {
    case DISPATCH_IDLE:
    case DISPATCH_RESUME:
    case DISPATCH_REPEAT:
        return true;
    case DISPATCH_COLLECT:
        return g->media.group_is_partial && g->group.threads_started <= g->setup.threads;
    case DISPATCH_NEXT_WORK:
        return work_is_valid(d) && (g->kind != WORK_MEDIA || g->media.is_walker);
    case DISPATCH_FILL:
        return work_is_valid(d) && g->group.threads_started < g->setup.threads;
    case DISPATCH_RUN:
        return work_is_valid(d) && !g->media.group_is_partial;
    case DISPATCH_PARALLEL:
        return work_is_valid(d) && dispatch_ops_of(d)->runs_parallel_groups;
    case DISPATCH_PHASES:
        break;
    }
    return false;
}

/* The sections, then the threads and the shared local memory of the group. */
static void dispatch_state(void *unit, struct state *s)
{
    struct thread_dispatcher *d = unit;
    sections_state(dispatch_sections, SECTIONS, d, d->engine->info->name, s);
    state_check(s, s->failed || dispatch_is_valid(d));
    if (!s->saving)
        memset(d->slm, 0, slm_limit_bytes(&d->bindings.info));
    const size_t begin = state_section_begin(s, d->engine->info->name, "threads", 2);
    const unsigned threads =
        d->work.phase == DISPATCH_RUN ? d->work.setup.threads : d->work.group.threads_started;
    for (unsigned i = 0; i < threads && !s->failed; i++) {
        if (!s->saving)
            eu_thread_start(&d->threads[i], d->set, 0, 0);
        eu_thread_state(&d->threads[i], s);
    }
    if (threads && !s->failed)
        state_dwords(s, (uint32_t *)(void *)d->slm, d->work.setup.slm_bytes / 4u);
    state_section_end(s, begin);
    groups_state(d, s);
}

const struct unit_shape dispatch_shape = {.sections = dispatch_sections,
                                          .section_count = SECTIONS,
                                          .reset = dispatch_reset,
                                          .state = dispatch_state};

/* ---- Ports ---- */

/* The budget of a slice of the command, and costs that are charged to it, in instructions. */
enum {
    SLICE_INSTRUCTIONS = 4096,
    SLICE_PARALLEL = 1 << 22,     /* with parallel groups: each slice starts host threads */
    SHORT_SLICE_GROUPS = 1 << 15, /* in a short run: one to two milliseconds of two host threads */
    SHORT_SLICE_TILES = 1 << 17,  /* likewise; pixels take a quarter of the time that they are charged for */
    SHORT_RUN_DW = 1 << 16,
    THREAD_INSTRUCTIONS = 32,
    INSTRUCTION_NS = 40,
    INSTRUCTION_LOCAL_BYTES = 1024
};

void dispatch_charge_memory(const struct thread_dispatcher *d, uint64_t since_ns, uint64_t *budget)
{
    budget_charge(budget, (d->bindings.memory.log->cost.ns - since_ns) / INSTRUCTION_NS);
}

static const void *fetch_kernel(void *context, uint64_t address, size_t *there_bytes)
{
    struct thread_dispatcher *d = context;
    struct mmu *const mmu = d->bindings.memory.mmu;
    const uint64_t at = mmu_address(mmu, SPACE_PPGTT, d->work.bases.instruction_base + address);
    struct translation t;
    *there_bytes = PAGE_BYTES - at % PAGE_BYTES;
    const uint8_t *host = mmu_cached(mmu, SPACE_PPGTT, at, 1, false);
    /* A page that is only read ahead raises no fault. */
    if (!host && mmu_translate_by(mmu, &mmu->walker, SPACE_PPGTT, at, &t)) {
        host = mmu_host(mmu, SPACE_PPGTT, at, false);
        if (!host) {
            uint8_t *const page = d->fetches.pages[d->fetches.page_count++ % FETCH_PAGES];
            d->fetches.cost += PORT_ACCESS_COST_NS / INSTRUCTION_NS;
            return mmu_load(mmu, SPACE_PPGTT, at, page, *there_bytes) ? page : NULL;
        }
    }
    if (host && !d->bindings.effects.nothing) /* a store to the page may change the kernel */
        d->bindings.effects.kernel_pages |= mmu_page_bit(mmu, SPACE_PPGTT, at);
    return host;
}

/* The execution unit of the current thread. */
static unsigned current_unit(const struct thread_dispatcher *d)
{
    return d->work.group.current_thread % COUNTED_UNITS;
}

/* Stores that may have changed the kernel. */
static uint64_t count_kernel_stores(const struct thread_dispatcher *d)
{
    return d->bindings.memory.counters->stores - d->bindings.effects.stores_outside_kernels;
}

static enum eu_answer send_message(void *context, struct eu_thread *thread, const struct eu_send *m,
                                   uint64_t *budget)
{
    struct thread_dispatcher *d = context;
    const uint64_t before_ns = d->bindings.memory.log->cost.ns;
    const enum eu_answer answer = shared_function_send(&d->bindings, thread->isa, m, budget);
    if (d->bindings.memory.log->cost.ns != before_ns)
        dispatch_charge_memory(d, before_ns, budget);
    d->kernel_stores = count_kernel_stores(d);
    if (answer == EU_SEND_BLOCKED)
        return answer;
    const unsigned registers = m->payload_registers[0] + m->payload_registers[1];
    d->counters.units[current_unit(d)].messages++;
    d->counters.units[current_unit(d)].registers += registers ? registers : 1u;
    d->work.group.barrier_count += d->bindings.at_barrier;
    d->bindings.at_barrier = false;
    return answer;
}

/* Counts the planned messages of a run. */
static void count_planned_messages(struct thread_dispatcher *d)
{
    struct planned_messages *const p = &d->bindings.planned;
    d->counters.units[current_unit(d)].messages += p->messages;
    d->counters.units[current_unit(d)].registers += p->registers;
    d->work.group.barrier_count += p->barriers;
    *p = (struct planned_messages){0};
}

/* dpasw shares its operands with the thread of the same pair. */
static struct eu_thread *fused_thread(void *context, struct eu_thread *thread, bool *second)
{
    struct thread_dispatcher *const d = context;
    const uint32_t index = (uint32_t)(thread - d->threads), other = index ^ 1u;
    *second = index & 1u;
    return other < d->work.setup.threads ? &d->threads[other] : NULL;
}

/* ---- Groups ---- */

bool dispatch_preemption_bit(const struct engine *e, uint32_t engine_register, uint32_t bit)
{
    enum { FF_SLICE_CS_CHICKEN1 = 0x0e0, CS_CHICKEN1 = 0x580, CONTEXT_DECIDES = 1 << 14 };
    const bool context_decides =
        engine_runs_vf_context(e) || engine_register_bit(e, FF_SLICE_CS_CHICKEN1, CONTEXT_DECIDES);
    return engine_register_bit(e, context_decides ? CS_CHICKEN1 : engine_register, bit);
}

/* Another context waits and may preempt the work: between two groups, never within threads. (CSP-21; Linux,
 * gen9_ctx_workarounds_init) */
static bool preemption_is_due(const struct thread_dispatcher *d)
{
    const struct engine *const e = d->engine;
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    return d->work.phase == DISPATCH_NEXT_WORK && (!ops->can_leave || ops->can_leave(d)) &&
           e->execlists.pending_valid && e->parse.arbitration && ops->is_preemptable(e);
}

static void count_groups(struct thread_dispatcher *d, uint64_t groups, uint64_t channels)
{
    d->counters.groups += groups;
    d->counters.threads += groups * d->work.setup.threads;
    d->counters.started += channels;
    if (dispatch_ops_of(d)->counts_invocations)
        d->counters.invocations += channels;
}

/* The timestamp now: the same for all threads of a slice. */
static uint64_t start_time(struct thread_dispatcher *d)
{
    const uint64_t now_ns = d->engine->log->now_ns;
    if (d->start_time.ns != now_ns || !d->start_time.ticks) {
        d->start_time.ns = now_ns;
        d->start_time.ticks = engine_timestamp(d->engine, now_ns);
    }
    return d->start_time.ticks;
}

void dispatch_start_thread(struct thread_dispatcher *d, unsigned index)
{
    const struct work_state *const g = &d->work;
    struct eu_thread *const t = &d->threads[index];
    eu_thread_restart(t, d->set, g->setup.kernel_start_pointer, dispatch_ops_of(d)->channels(d, index));
    t->grf_rows = eu_grf_rows(d->set, g->setup.large_grf);
    t->cr0[0] |= g->setup.control[0];
    t->cr0[1] |= g->setup.control[1];
    t->sip = g->bases.sip;
    t->tm0 = start_time(d);
    dispatch_ops_of(d)->fill(d, t, index);
}

/* Fills the registers of the threads one by one, within the budget. Then the group runs. A partial group
 * waits for the next command. */
bool dispatch_begin_group(struct thread_dispatcher *d, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    uint64_t invocations = 0;
    if (!g->group.threads_started) {
        memset(d->slm, 0,
               g->media.group_is_partial ? slm_limit_bytes(&d->bindings.info) : g->setup.slm_bytes);
        budget_charge(budget, g->setup.slm_bytes / INSTRUCTION_LOCAL_BYTES);
    }
    while (g->group.threads_started < g->setup.threads) {
        const uint64_t before_ns = d->bindings.memory.log->cost.ns;
        if (!*budget)
            return true;
        dispatch_start_thread(d, g->group.threads_started++);
        if (memory_client_faulted(&d->bindings.memory))
            return false;
        if (d->debugger.hooks.started) {
            struct softgt_eu_thread thread = dispatch_thread(d, g->group.threads_started - 1u);
            d->debugger.hooks.started(d->debugger.hooks.user, &thread);
        }
        budget_charge(budget, THREAD_INSTRUCTIONS);
        dispatch_charge_memory(d, before_ns, budget);
    }
    if (g->media.group_is_partial) {
        g->phase = DISPATCH_COLLECT;
        return true;
    }
    for (unsigned i = 0; i < g->setup.threads; i++)
        invocations += (unsigned)__builtin_popcount(d->threads[i].dispatch_mask);
    g->phase = DISPATCH_RUN;
    g->group.threads_started = g->group.barrier_count = 0;
    d->bindings.cost.group = 0;
    dispatch_select_thread(d, 0);
    count_groups(d, 1, invocations);
    return true;
}

void dispatch_select_thread(struct thread_dispatcher *d, uint32_t index)
{
    d->work.group.current_thread = index;
    d->work.group.instructions_left = THREAD_SLICE_INSTRUCTIONS;
}

/* Selects the next thread that can run. Returns false if all threads have ended or wait forever. */
static bool select_next_thread(struct thread_dispatcher *d)
{
    struct work_state *const g = &d->work;
    uint32_t thread = g->group.current_thread;
    for (unsigned i = 1; i <= g->setup.threads; i++) {
        thread = thread + 1u < g->setup.threads ? thread + 1u : 0;
        if (d->threads[thread].stop == EU_BUDGET) {
            dispatch_select_thread(d, thread);
            return true;
        }
    }
    return false;
}

static unsigned count_ended_threads(const struct thread_dispatcher *d)
{
    unsigned ended = 0;
    for (unsigned i = 0; i < d->work.setup.threads; i++)
        ended += d->threads[i].stop == EU_ENDED;
    return ended;
}

const char *dispatch_deadlock_text(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    if (g->group.barrier_count && count_ended_threads(d) &&
        g->group.barrier_count + count_ended_threads(d) == g->setup.threads)
        return "threads wait at a barrier, but the other threads of the group ended before it";
    return "deadlock: every remaining thread waits";
}

const char *dispatch_exception_text(const struct thread_dispatcher *d, const struct eu_thread *t)
{
    return d->bindings.error_text ? d->bindings.error_text : t->why ? t->why : "an exception";
}

/* Replaces runs of blanks by one. */
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
    const bool runs = g->phase == DISPATCH_RUN;
    if (runs) {
        const struct softgt_eu_thread at = dispatch_thread(d, g->group.current_thread);
        softgt_eu_thread_disassemble(&at, text, sizeof text);
        remove_columns(text);
        snprintf(where, sizeof where, ", at %#llx of the kernel at %#llx",
                 (unsigned long long)(at.ip - g->setup.kernel_start_pointer),
                 (unsigned long long)(g->bases.instruction_base + g->setup.kernel_start_pointer));
    }
    if (runs || !engine_faulted(e)) /* else the page fault was reported */
        report_error(e->log, d->bindings.not_modelled ? SOFTGT_NOT_MODELLED : SOFTGT_GUEST_ERROR,
                     e->info->name, e->parse.command_address,
                     "thread %u of group %u, %u, %u%s: %s: the engine hangs%s%s", g->group.current_thread,
                     g->group.group_id[0], g->group.group_id[1], g->group.group_id[2], where, why,
                     *text ? ": " : "", text);
    g->phase = DISPATCH_IDLE; /* hooks may still read the group's id */
    g->media.group_is_partial = false;
    g->group.threads_started = 0;
    g->walker_id = 0;
    return OUTCOME_FAULT;
}

static bool abandon_work(struct thread_dispatcher *d)
{
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    if (!ops->abandon || !ops->abandon(d))
        return false;
    d->work.phase = DISPATCH_IDLE;
    return true;
}

/*
 * The barrier opens when all threads of the group have sent to it. Ended threads do not count: a group hangs
 * if some of its threads return before a barrier. Intel's hardware does the same: only there yuzu (pull
 * request 10699, UHD 620) and Ryujinx (5044, Ice Lake and Arc) leave out barriers after returns.
 */
static void open_barrier_if_complete(struct thread_dispatcher *d)
{
    enum { BARRIER = 0 };
    struct work_state *const g = &d->work;
    if (g->group.barrier_count < g->setup.threads)
        return;
    g->group.barrier_count = 0;
    for (unsigned i = 0; i < g->setup.threads; i++) {
        eu_thread_notify(&d->threads[i], BARRIER);
        if (d->threads[i].stop == EU_WAITS)
            d->threads[i].stop = EU_BUDGET;
    }
}

/* ---- Counters ---- */

/* Adds clocks of the current thread's execution unit. */
static void count_clocks(struct thread_dispatcher *d, uint64_t clocks)
{
    const unsigned unit = current_unit(d);
    const uint64_t loaded = (d->work.setup.threads + COUNTED_UNITS - 1u - unit) / COUNTED_UNITS;
    d->counters.units[unit].clocks += clocks;
    d->counters.units[unit].loaded += clocks * loaded;
}

/* Clocks of messages beyond their instructions' own. */
static uint64_t message_clocks(const struct thread_dispatcher *d)
{
    return d->counters.units[current_unit(d)].registers - d->counters.units[current_unit(d)].messages;
}

/* ---- Slices ---- */

static struct eu_port thread_port(struct thread_dispatcher *d)
{
    return (struct eu_port){.context = d,
                            .fetch = fetch_kernel,
                            .cache_is_warm = d->cache_is_warm && !d->debugger.single_steps,
                            .store_count = &d->kernel_stores,
                            .dpasw_pair = fused_thread,
                            .kind_counts =
                                d->counts_instruction_kinds ? d->counters.units[current_unit(d)].ran : NULL,
                            .fetch_cost = &d->fetches.cost,
                            .send = send_message,
                            .plan = message_plan,
                            .receiver = &d->bindings,
                            .host_mode = d->host_mode,
                            .cache = d->cache};
}

void dispatch_repeat_begin(struct thread_dispatcher *d, struct dispatch_repeat *r)
{
    d->work.group.current_thread = 0;
    r->port = thread_port(d);
    eu_repeat_begin(&r->threads, d->threads, &r->port);
}

static bool run_repeated(struct thread_dispatcher *d, struct dispatch_repeat *r, uint64_t *budget)
{
    budget_charge(budget, THREAD_INSTRUCTIONS);
    d->bindings.cost.messages = 0;
    d->bindings.scratch_slot = 0;
    d->kernel_stores = count_kernel_stores(d);
    return eu_repeat_run(&r->threads, budget) == EU_ENDED && !memory_client_faulted(&d->bindings.memory);
}

/* What threads that were run have in common. */
struct repeated_counts {
    uint64_t threads, channels, instructions;
    uint64_t messages_before; /* message_clocks */
};

static void count_repeated(struct thread_dispatcher *d, const struct repeated_counts *c)
{
    count_groups(d, c->threads, c->channels);
    count_planned_messages(d);
    d->cache_is_warm |= c->threads != 0;
    d->counters.instructions += c->instructions;
    count_clocks(d, c->instructions + (message_clocks(d) - c->messages_before));
}

bool dispatch_repeat_run(struct thread_dispatcher *d, struct dispatch_repeat *r, uint64_t *budget)
{
    struct repeated_counts c = {.threads = 1, .messages_before = message_clocks(d)};
    const bool ended = run_repeated(d, r, budget);
    c.channels = count_pixels(d->threads->dispatch_mask);
    c.instructions = d->threads->instruction_count;
    count_repeated(d, &c);
    return ended;
}

bool dispatch_repeat_run_all(struct thread_dispatcher *d, struct dispatch_repeat *r,
                             const struct dispatch_thread_source *s, uint64_t budget, uint64_t *left)
{
    const struct eu_thread *const t = d->threads;
    struct repeated_counts c = {.messages_before = message_clocks(d)};
    bool ended = true;
    while (ended && s->start(s->context)) {
        *left = budget;
        ended = run_repeated(d, r, left);
        c.threads++;
        c.channels += t->dispatch_mask == UINT16_MAX ? 16u : count_pixels(t->dispatch_mask);
        c.instructions += t->instruction_count;
        if (d->bindings.planned.barriers) /* of this thread alone */
            count_planned_messages(d);
        if (ended)
            s->ended(s->context, budget - *left);
    }
    count_repeated(d, &c);
    return ended;
}

enum outcome dispatch_run_thread(struct thread_dispatcher *d, uint64_t *budget, const char **why)
{
    struct work_state *const g = &d->work;
    struct eu_thread *const t = &d->threads[g->group.current_thread];
    const struct eu_port port = thread_port(d);
    const uint64_t mine = *budget < g->group.instructions_left ? *budget : g->group.instructions_left;
    const uint64_t before = t->instruction_count, more_before = message_clocks(d);
    uint64_t left = mine;
    d->bindings.cost.messages = 0;
    d->bindings.scratch_slot = g->group.current_thread;
    d->kernel_stores = count_kernel_stores(d);
    const enum eu_stop stop = d->debugger.single_steps ? dispatch_run_single_steps(d, &port, &left)
                                                       : eu_thread_run(t, &port, &left);
    count_planned_messages(d);
    d->cache_is_warm = true;
    t->stop =
        d->bindings.needs_exclusive ? EU_BUDGET : (uint8_t)stop; /* it resumes when no other group runs */
    d->counters.instructions += t->instruction_count - before;
    count_clocks(d, t->instruction_count - before + (message_clocks(d) - more_before));
    *budget -= mine - left;
    /* A thread's time slice counts its instructions and messages across slices of the command: the order of
     * stores does not depend on budgets. */
    const uint64_t taken = t->instruction_count - before + d->bindings.cost.messages;
    d->bindings.cost.group += taken;
    g->group.instructions_left -=
        (uint32_t)(taken < g->group.instructions_left ? taken : g->group.instructions_left);
    open_barrier_if_complete(d);
    bool second;
    struct eu_thread *const other = fused_thread(d, t, &second);
    if (other && eu_thread_dpasw_ready(other, t))
        other->stop = EU_BUDGET;
    if (stop == EU_EXCEPTION) /* an instruction on an unmapped page is a page fault of the engine */
        (void)mmu_host(d->bindings.memory.mmu, SPACE_PPGTT, g->bases.instruction_base + t->ip, false);
    if (stop == EU_EXCEPTION || memory_client_faulted(&d->bindings.memory)) {
        *why = dispatch_exception_text(d, t);
        return OUTCOME_FAULT;
    }
    if (t->stop == EU_BUDGET && g->group.instructions_left)
        return OUTCOME_RESUME;
    if (select_next_thread(d))
        return OUTCOME_RESUME;
    if (count_ended_threads(d) < g->setup.threads) {
        *why = dispatch_deadlock_text(d);
        return OUTCOME_FAULT;
    }
    dispatch_ops_of(d)->done(d);
    return OUTCOME_RESUME;
}

void dispatch_setup_bindings(struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    memory_client_begin(&d->bindings.memory);
    d->bindings.aux_table = engine_aux_table(d->engine);
    d->bindings.kernel.general_state_base = g->bases.general_state_base;
    d->bindings.kernel.surface_state_base = g->bases.surface_state_base;
    d->bindings.kernel.bindless_surface_state_base = g->bases.bindless_surface_state_base;
    d->bindings.kernel.dynamic_state_base = g->bases.dynamic_state_base;
    d->bindings.kernel.sampler_state_pointer = g->setup.r0[R0_SAMPLERS];
    d->bindings.kernel.binding_table = g->setup.binding_table;
    d->bindings.slm_bytes = g->setup.slm_bytes;
    d->bindings.ps = NULL;
    d->bindings.urb = NULL; /* entries of an abandoned draw are not visible to others */
    d->bindings.is_gen6_gs = false;
    if (dispatch_ops_of(d)->bind)
        dispatch_ops_of(d)->bind(d);
    d->bindings.error_text = NULL;
    forget_bindings(&d->bindings);
}

/* One step of the work. False: it cannot continue, for the reason *why. */
static bool run_phase(struct thread_dispatcher *d, uint64_t *budget, const char **why)
{
    switch ((enum dispatch_phase)d->work.phase) {
    case DISPATCH_NEXT_WORK:
        if (dispatch_ops_of(d)->next(d, budget))
            return true;
        *why = d->bindings.error_text ? d->bindings.error_text : dispatch_ops_of(d)->next_failed_text;
        return false;
    case DISPATCH_FILL:
        *why = "its payload cannot be read";
        return dispatch_begin_group(d, budget);
    case DISPATCH_RUN:
        return dispatch_run_thread(d, budget, why) != OUTCOME_FAULT;
    case DISPATCH_PARALLEL:
        return groups_run(d, budget, why) != OUTCOME_FAULT;
    default:
        return false;
    }
}

/* Does what the slice has put off. */
static bool settle_slice(struct thread_dispatcher *d, uint64_t *budget, const char **why)
{
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    if (!ops->settle || ops->settle(d, budget))
        return true;
    *why = d->bindings.error_text ? d->bindings.error_text : ops->next_failed_text;
    return false;
}

static enum outcome dispatch_run_slice(struct thread_dispatcher *d, struct execution *x, uint64_t *budget)
{
    struct work_state *const g = &d->work;
    struct engine *const e = d->engine;
    const uint64_t given = *budget;
    const uint64_t before_ns = e->log->cost.ns;
    dispatch_setup_bindings(d);
    d->debugger.hook_stopped = d->cache_is_warm = false;
    d->host_mode = eu_host_mode();
    d->bindings.effects.kernel_pages = 0;
    ccs_cache_invalidate(&e->mmu);
    d->counts_instruction_kinds = d->oa && oa_pipe_events_enabled(d->oa, d->engine);
    while (dispatch_has_work(g) && *budget && !d->debugger.hook_stopped) {
        const char *why = NULL;
        dispatch_count_for(d, dispatch_oa_client(d));
        if (!run_phase(d, budget, &why)) {
            (void)settle_slice(d, budget, &why);
            if (!abandon_work(d))
                return report_hang(d, why);
        }
        if (preemption_is_due(d)) {
            x->preemptible = true;
            break;
        }
    }
    const char *why = NULL;
    if (!settle_slice(d, budget, &why) && !abandon_work(d))
        return report_hang(d, why);
    const uint64_t lasted_ns = before_ns + (given - *budget) * INSTRUCTION_NS;
    if (e->log->cost.ns < lasted_ns)
        e->log->cost.ns = lasted_ns;
    x->progress = dispatch_has_work(g) ? g->walker_id : 0;
    if (dispatch_has_work(g))
        return OUTCOME_RESUME;
    if (dispatch_ops_of(d)->end)
        dispatch_ops_of(d)->end(d);
    if (g->walker.indirect_index + 1u < g->walker.indirect_count) {
        g->walker.indirect_index++;
        g->phase = DISPATCH_REPEAT;
        x->progress = g->walker_id;
        return engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_RESUME;
    }
    return engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_DONE;
}

enum outcome dispatch_run_budget(struct thread_dispatcher *d, struct execution *x, uint64_t *budget)
{
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    if (ops->is_ready && !ops->is_ready(d)) {
        d->work = (struct work_state){0};
        x->progress = 0;
        return OUTCOME_DONE;
    }
    d->counted_stage = dispatch_oa_client(d);
    const enum outcome outcome = dispatch_run_slice(d, x, budget);
    dispatch_flush_counters(d);
    return outcome;
}

bool dispatch_is_short(const struct thread_dispatcher *d)
{
    return d->engine->log->cost.run_dw < SHORT_RUN_DW;
}

uint64_t dispatch_parallel_budget(const struct thread_dispatcher *d)
{
    if (!dispatch_is_short(d))
        return SLICE_PARALLEL;
    return d->work.kind != WORK_DRAW ? SHORT_SLICE_GROUPS
           : d->parallel.threads > 1 ? SHORT_SLICE_TILES
                                     : SHORT_SLICE_TILES / 2;
}

enum outcome dispatch_run(struct thread_dispatcher *d, struct execution *x)
{
    const struct dispatch_ops *const ops = dispatch_ops_of(d);
    const bool parallel = d->work.phase == DISPATCH_PARALLEL || groups_can_run_parallel(d) ||
                          (ops && ops->runs_batches && ops->runs_batches(d));
    uint64_t budget = parallel ? dispatch_parallel_budget(d) : SLICE_INSTRUCTIONS;
    return dispatch_run_budget(d, x, &budget);
}
