/*
 * Groups of a walker on several host threads. The shorter earlier groups were, the more groups run at once,
 * from the current group on. Each host thread has a worker context: a dispatcher and memory views, which run
 * one group at a time. Groups share only memory; their atomics are atomic on the host. A group runs until it
 * ends or has used its part of the budget. Results do not depend on the thread that runs it. Other host
 * threads would see parts of an unaligned atomic: its group runs the rest of its part after all others.
 * After a slice the counters of all workers are summed. The first failure in the order of groups is reported,
 * as that of the current group. The saved state is the groups: a device with or without host threads resumes
 * it.
 */
#include "dispatcher/worker.h"

#include "jit/jit.h"

#include <stdlib.h>

enum {
    FIRST_PARALLEL_GROUPS = 16,
    PIECE_INSTRUCTIONS = 1 << 16, /* the most of one group */
    FEW_INSTRUCTIONS = 1 << 19,   /* with fewer of all groups, more groups run next */
    MANY_INSTRUCTIONS = 1 << 21,
    STORAGE_ALIGNMENT = 64,
    MAX_STORAGE_BYTES = MAX_GROUP_THREADS * sizeof(struct eu_thread) + MAX_SLM_BYTES + 2 * STORAGE_ALIGNMENT,
    SHARED_STORAGE_BYTES = 32 << 20, /* besides one for each worker */
};

#define NO_STORAGE UINT32_MAX

/* One of the groups that run. */
struct parallel_group {
    /* As in struct thread_group. */
    uint32_t threads_started, current_thread, instructions_left, barrier_count;
    bool running, ended;
    bool needs_exclusive; /* the rest of its budget ... */
    uint64_t budget_left; /* ... is used when no other group runs */
    uint32_t storage;     /* of its threads and its SLM; NO_STORAGE: not started, or ended */
};

struct parallel_groups {
    struct parallel_group list[MAX_PARALLEL_GROUPS];
    struct worker_context *workers; /* of each host thread, then the exclusive one */
    unsigned worker_count;
    uint8_t *thread_storage, *slm_storage;
    /* Of the current slice. */
    uint32_t todo[MAX_PARALLEL_GROUPS];
    uint32_t *free_storage;      /* not in use */
    uint32_t free_storage_taken; /* number of free_storage that are taken */
    uint32_t last_run;           /* the group that ran last, if they run one by one */
};

/* ---- Life ---- */

static void record_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    struct worker_context *const l = user;
    if (!l->failed && l->fault_count < MAX_RECORDED_FAULTS)
        l->faults[l->fault_count++] =
            (struct recorded_fault){.address = address, .space = space, .level = level, .write = write};
}

/* The lowest address is kept: it does not depend on which thread ran which group. */
static void record_dropped_write(void *user, enum space space, uint64_t address)
{
    struct worker_context *const l = user;
    if (!l->has_dropped || address < l->dropped_address)
        l->dropped_address = address;
    l->has_dropped = true;
    l->dropped_space = space;
}

bool worker_create(struct worker_context *l, const struct thread_dispatcher *d, enum work_kind kind)
{
    l->dispatch = (struct thread_dispatcher){.engine = d->engine, /* read only */
                                             .set = d->set,
                                             .structures = d->structures,
                                             .bindings = d->bindings,
                                             .cache = eu_cache_create(&d->code)};
    l->dispatch.kinds[kind] = d->kinds[kind];
    l->dispatch.bindings.memory = (struct memory_client){
        .mmu = &l->mmu, .counters = &l->memory_counters, .log = &l->log, .unit = d->engine->info->name};
    l->dispatch.bindings.counters = (struct message_counters){0};
    return l->dispatch.cache != NULL;
}

bool groups_create(struct thread_dispatcher *d)
{
    const unsigned lanes = d->parallel.threads > 1 ? d->parallel.threads + 1u : 1;
    if (d->groups)
        return true;
    struct parallel_groups *const a = d->groups = calloc(1, sizeof *a);
    if (a) {
        a->thread_storage = calloc(1, SHARED_STORAGE_BYTES + lanes * (size_t)MAX_STORAGE_BYTES);
        a->slm_storage = calloc(1, SHARED_STORAGE_BYTES + lanes * (size_t)MAX_STORAGE_BYTES);
        a->free_storage = calloc(MAX_PARALLEL_GROUPS + lanes, sizeof *a->free_storage);
        a->workers = calloc(lanes, sizeof *a->workers);
    }
    bool good = a && a->thread_storage && a->slm_storage && a->free_storage && a->workers;
    for (; good && a->worker_count < lanes; a->worker_count++)
        good = worker_create(&a->workers[a->worker_count], d, WORK_COMPUTE);
    if (!good)
        groups_destroy(d);
    return good;
}

void groups_destroy(struct thread_dispatcher *d)
{
    struct parallel_groups *const a = d->groups;
    for (unsigned i = 0; a && a->workers && i < a->worker_count; i++)
        eu_cache_destroy(a->workers[i].dispatch.cache);
    if (a) {
        free(a->workers);
        free(a->thread_storage);
        free(a->slm_storage);
        free(a->free_storage);
    }
    free(a);
    d->groups = NULL;
}

/* ---- Storage ---- */

static size_t storage_slm_bytes(const struct work_state *g)
{
    return (g->setup.slm_bytes + STORAGE_ALIGNMENT - 1u) & ~(size_t)(STORAGE_ALIGNMENT - 1);
}

static size_t storage_bytes(const struct work_state *g)
{
    return g->setup.threads * sizeof(struct eu_thread) + storage_slm_bytes(g);
}

static uint8_t *aligned(uint8_t *bytes)
{
    return bytes + (-(uintptr_t)bytes & (STORAGE_ALIGNMENT - 1));
}

/* The storage always holds valid threads, of this or another walker: eu_thread_restart needs one. */
static struct eu_thread *storage_threads(const struct parallel_groups *a, const struct work_state *g,
                                         uint32_t slot)
{
    return (struct eu_thread *)(void *)aligned(a->thread_storage) + (size_t)slot * g->setup.threads;
}

static uint8_t *storage_slm(const struct parallel_groups *a, const struct work_state *g, uint32_t slot)
{
    return aligned(a->slm_storage) + slot * storage_slm_bytes(g);
}

/* Groups that can run, besides the storage of workers. */
static uint32_t max_parallel_groups(const struct thread_dispatcher *d)
{
    const size_t slots = SHARED_STORAGE_BYTES / storage_bytes(&d->work);
    const uint32_t concurrent = max_concurrent_groups(d),
                   most = concurrent < MAX_PARALLEL_GROUPS ? concurrent : MAX_PARALLEL_GROUPS;
    return slots < most ? (uint32_t)slots : most;
}

static void find_free_storage(struct parallel_groups *a, uint32_t groups)
{
    bool held[MAX_PARALLEL_GROUPS * 2] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < groups; i++)
        if (a->list[i].storage != NO_STORAGE)
            held[a->list[i].storage] = true;
    for (uint32_t slot = 0; count < groups + a->worker_count && slot < sizeof held; slot++)
        if (!held[slot])
            a->free_storage[count++] = slot;
    a->free_storage_taken = 0;
}

/* ---- Positions ---- */

/* Groups that are left, the current one included. */
static uint64_t groups_left(const struct work_state *g)
{
    uint64_t left = g->walker.end_group[0] - g->group.group_id[0],
             row = g->walker.end_group[0] - g->walker.first_group[0];
    for (unsigned i = 1; i < 3; i++) {
        left += (uint64_t)(g->walker.end_group[i] - g->group.group_id[i] - 1u) * row;
        row *= g->walker.end_group[i] - g->walker.first_group[i];
        if (row > UINT32_MAX || left > UINT32_MAX) /* enough */
            return UINT32_MAX;
    }
    return left;
}

/* The id of the group `index` after the current one. */
static void group_id_at(const struct work_state *g, uint32_t index, uint32_t at[3])
{
    uint64_t carry = index;
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t count = g->walker.end_group[i] - g->walker.first_group[i],
                       position = g->group.group_id[i] - g->walker.first_group[i] + carry;
        at[i] = g->walker.first_group[i] + (uint32_t)(position % count);
        carry = position / count;
    }
}

/* ---- One group, on any host thread ---- */

static struct worker_context *exclusive_worker(const struct parallel_groups *a)
{
    return &a->workers[a->worker_count - 1u];
}

void worker_begin_slice(struct worker_context *l, const struct thread_dispatcher *d,
                        const struct softgt_parallel_port *port)
{
    const struct engine *const e = d->engine;
    l->log = (struct device_log){.now_ns = e->log->now_ns, .cost.ns = l->log.cost.ns};
    l->ready_cost_ns = l->log.cost.ns;
    l->memory = *e->mmu.memory;
    l->memory.log = &l->log;
    l->memory.port_lock = d->parallel.threads > 1 ? &d->parallel : NULL;
    l->mmu = e->mmu;
    l->mmu.memory = &l->memory;
    l->mmu.walker = (struct walker){.memory = &l->memory, .function = e->mmu.function};
    l->mmu.user = l;
    l->mmu.fault = record_fault;
    l->mmu.write_dropped = e->mmu.write_dropped ? record_dropped_write : NULL;
    l->has_dropped = false;
    l->dispatch.work = d->work;
    l->dispatch.counts_instruction_kinds = d->counts_instruction_kinds;
    l->dispatch.cache_is_warm = false;
    l->dispatch.host_mode = eu_host_mode();
    l->dispatch.bindings.effects.kernel_pages = 0;
    l->dispatch.bindings.parallel_port = port;
    l->ready = true;
}

static void group_worker_begin_slice(struct worker_context *l, const struct thread_dispatcher *d)
{
    const bool is_exclusive = l == exclusive_worker(d->groups);
    worker_begin_slice(l, d, is_exclusive || d->parallel.threads < 2 ? NULL : &d->parallel);
    if (is_exclusive) { /* hooks see what it runs */
        l->log.trace = d->engine->log->trace;
        l->dispatch.debugger.hooks = d->debugger.hooks;
        l->dispatch.debugger.single_steps = d->debugger.single_steps;
        l->dispatch.debugger.thread_before = d->debugger.thread_before;
        l->dispatch.debugger.hook_may_stop = d->debugger.hook_may_stop;
        l->dispatch.debugger.hook_stopped = false;
    }
    dispatch_setup_bindings(&l->dispatch);
}

static void group_enter_worker(struct worker_context *l, struct parallel_groups *a,
                               const struct thread_dispatcher *d, uint32_t index)
{
    const struct parallel_group *const p = &a->list[index];
    struct work_state *const g = &l->dispatch.work;
    if (p->storage == NO_STORAGE && l->storage == NO_STORAGE)
        l->storage = a->free_storage[__atomic_fetch_add(&a->free_storage_taken, 1, __ATOMIC_RELAXED)];
    const uint32_t slot = p->storage == NO_STORAGE ? l->storage : p->storage;
    group_id_at(&d->work, index, g->group.group_id);
    g->group.threads_started = p->threads_started;
    g->group.current_thread = p->current_thread;
    g->group.instructions_left = p->instructions_left;
    g->group.barrier_count = p->barrier_count;
    g->phase = p->running ? DISPATCH_RUN : DISPATCH_FILL;
    l->dispatch.threads = storage_threads(a, &d->work, slot);
    l->dispatch.slm = l->dispatch.bindings.slm = storage_slm(a, &d->work, slot);
    l->dispatch.fetches.cost = 0;
    l->dispatch.bindings.needs_exclusive = false;
    memory_client_begin(&l->dispatch.bindings.memory);
    l->fault_count = l->failed ? l->fault_count : 0;
}

/* A group that continues keeps the storage. */
static void group_leave_worker(struct worker_context *l, struct parallel_group *p, bool stays)
{
    const struct work_state *const g = &l->dispatch.work;
    p->threads_started = g->group.threads_started;
    p->current_thread = g->group.current_thread;
    p->instructions_left = g->group.instructions_left;
    p->barrier_count = g->group.barrier_count;
    p->running = g->phase == DISPATCH_RUN;
    if (stays && p->storage == NO_STORAGE) {
        p->storage = l->storage;
        l->storage = NO_STORAGE;
    }
}

static void run_group(const struct thread_dispatcher *d, struct worker_context *l, uint32_t index)
{
    struct parallel_groups *const a = d->groups;
    struct parallel_group *const p = &a->list[index];
    const struct work_state *const g = &l->dispatch.work;
    uint64_t left = p->budget_left;
    enum outcome outcome = OUTCOME_RESUME;
    const char *why = NULL;
    /* Starts with an empty TLB if an earlier group paid for unmappable memory: a group's cost must not depend
     * on what ran before it on this host thread. */
    if (!l->ready || l->log.cost.ns != l->ready_cost_ns)
        group_worker_begin_slice(l, d);
    group_enter_worker(l, a, d, index);
    while (left && outcome == OUTCOME_RESUME && !p->ended && !l->dispatch.bindings.needs_exclusive &&
           !l->dispatch.debugger.hook_stopped) {
        if (g->phase == DISPATCH_RUN) {
            outcome = dispatch_run_thread(&l->dispatch, &left, &why);
            p->ended = outcome == OUTCOME_RESUME && g->phase != DISPATCH_RUN;
        } else if (!dispatch_begin_group(&l->dispatch, &left)) {
            outcome = OUTCOME_FAULT;
            why = "its payload cannot be read";
        }
    }
    l->instructions_used += p->budget_left - left;
    p->budget_left = left;
    p->needs_exclusive = l->dispatch.bindings.needs_exclusive;
    /* Hooks may read the walker's last group after its end. */
    const bool is_last = d->debugger.hook_may_stop && index + 1u == d->work.walker.parallel_groups;
    group_leave_worker(l, p, outcome == OUTCOME_FAULT || !p->ended || is_last);
    if (outcome == OUTCOME_FAULT && !l->failed) {
        l->failed = true;
        l->failed_group = index;
        l->error_text = why;
        l->not_modelled = l->dispatch.bindings.not_modelled;
    }
}

static void run_job(void *context, unsigned thread, unsigned number)
{
    const struct thread_dispatcher *const d = context;
    run_group(d, &d->groups->workers[thread], d->groups->todo[number]);
}

/* ---- All groups ---- */

/* Adds counters, and clears those of the worker. */
static void move_counters(void *to, void *from, size_t bytes)
{
    uint64_t *const sums = to;
    const uint64_t *const counts = from;
    for (size_t i = 0; i < bytes / sizeof *sums; i++)
        sums[i] += counts[i];
    memset(from, 0, bytes);
}

void worker_merge_counters(struct thread_dispatcher *d, struct worker_context *l)
{
    struct thread_dispatcher *const from = &l->dispatch;
    move_counters(&d->engine->totals.memory, &l->memory_counters, sizeof l->memory_counters);
    move_counters(&d->bindings.counters, &from->bindings.counters, sizeof from->bindings.counters);
    move_counters(&d->counters, &from->counters, sizeof from->counters);
    d->engine->log->cost.ns += l->log.cost.ns;
    l->log.cost.ns = 0;
}

/* Copies a group's threads and SLM to the dispatcher, for hooks. */
static void show_group(struct thread_dispatcher *d, uint32_t index)
{
    const struct parallel_groups *const a = d->groups;
    const struct parallel_group *const p = &a->list[index];
    struct work_state *const g = &d->work;
    const uint32_t begun = p->running || p->ended ? g->setup.threads : p->threads_started;
    if (p->storage != NO_STORAGE && begun) {
        memcpy(d->threads, storage_threads(a, g, p->storage), begun * sizeof *d->threads);
        memcpy(d->slm, storage_slm(a, g, p->storage), g->setup.slm_bytes);
    }
    g->group.current_thread = p->current_thread;
}

void worker_report_faults(struct thread_dispatcher *d, const struct worker_context *l)
{
    for (unsigned i = 0; i < l->fault_count; i++) {
        const struct recorded_fault *const f = &l->faults[i];
        d->engine->mmu.fault(d->engine->mmu.user, f->space, f->address, f->write, f->level);
    }
}

static enum outcome report_worker_failure(struct thread_dispatcher *d, const struct worker_context *l,
                                          const char **why)
{
    struct work_state *const g = &d->work;
    const struct parallel_group *const p = &d->groups->list[l->failed_group];
    show_group(d, l->failed_group);
    group_id_at(g, l->failed_group, g->group.group_id);
    g->phase = p->running ? DISPATCH_RUN : DISPATCH_FILL;
    g->walker.parallel_groups = 0;
    worker_report_faults(d, l);
    *why = d->bindings.error_text = l->error_text;
    d->bindings.not_modelled = l->not_modelled;
    return OUTCOME_FAULT;
}

/* All groups have ended. */
static void end_parallel_groups(struct thread_dispatcher *d, uint32_t pace)
{
    struct work_state *const g = &d->work;
    const uint32_t count = g->walker.parallel_groups;
    if (d->debugger.hook_may_stop)
        show_group(d, count - 1u);
    g->walker.parallel_groups = 0;
    g->walker.next_parallel_groups = pace < FIRST_PARALLEL_GROUPS ? FIRST_PARALLEL_GROUPS
                                     : pace > MAX_PARALLEL_GROUPS ? MAX_PARALLEL_GROUPS
                                                                  : pace;
    for (uint32_t i = 0; i < count; i++)
        dispatch_ops_of(d)->done(d);
}

/* Scratch and private memory are addressed by the thread's number in its group: two groups would share it. */
static bool has_scratch(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    return d->bindings.info.private_memory_by_r0 || g->setup.r0[R0_SAMPLERS] & R0_SCRATCH_SIZE_MASK ||
           g->setup.r0[R0_SCRATCH] & R0_SCRATCH_BASE_MASK;
}

bool dispatch_is_observed(const struct thread_dispatcher *d)
{
    return d->debugger.single_steps || d->debugger.hooks.started || tracing(d->engine->log, TRACE_BY_THREAD);
}

/* Recordings and replays count slices (counts_dwords). Slices must not depend on host threads, so groups run
 * one by one. */
bool groups_can_run_parallel(const struct thread_dispatcher *d)
{
    const struct device_log *const w = d->engine->log;
    const struct work_state *const g = &d->work;
    return d->parallel.threads > 1 && g->phase == DISPATCH_NEXT_WORK && groups_left(g) > 1 &&
           dispatch_ops_of(d)->runs_parallel_groups && !has_scratch(d) && !dispatch_is_observed(d) &&
           !w->cost.counts_dwords;
}

bool groups_begin(struct thread_dispatcher *d)
{
    struct work_state *const g = &d->work;
    const uint64_t left = groups_left(g);
    if (!groups_can_run_parallel(d) || !groups_create(d))
        return false;
    const uint32_t most = max_parallel_groups(d), pace = g->walker.next_parallel_groups
                                                             ? g->walker.next_parallel_groups
                                                             : FIRST_PARALLEL_GROUPS;
    g->walker.parallel_groups = pace < left ? pace : (uint32_t)left;
    g->walker.parallel_groups = g->walker.parallel_groups < most ? g->walker.parallel_groups : most;
    for (uint32_t i = 0; i < g->walker.parallel_groups; i++)
        d->groups->list[i] = (struct parallel_group){.storage = NO_STORAGE};
    return true;
}

/* Lists the groups that run in this slice, each with a part of the budget. */
static uint32_t distribute_budget(struct parallel_groups *a, uint32_t groups, uint64_t budget)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < groups; i++)
        if (!a->list[i].ended)
            a->todo[count++] = i;
    if (count > budget)
        count = (uint32_t)budget;
    const uint64_t part = count ? budget / count : 0; /* a loaded state may have ended groups only */
    for (uint32_t i = 0; i < count; i++)
        a->list[a->todo[i]].budget_left = part < PIECE_INSTRUCTIONS ? part : PIECE_INSTRUCTIONS;
    return count;
}

static void run_parallel(struct thread_dispatcher *d, uint32_t count)
{
    struct parallel_groups *const a = d->groups;
    if (d->parallel.threads > 1)
        d->parallel.run(d->parallel.user, count, run_job, d);
    for (uint32_t i = 0; i < count; i++)
        if (d->parallel.threads < 2 || a->list[a->todo[i]].needs_exclusive)
            run_group(d, exclusive_worker(a), a->todo[i]);
}

/* Runs groups in their order, as far as the budget goes or until a hook stops one. */
static void run_one_by_one(struct thread_dispatcher *d, uint32_t count, uint64_t budget)
{
    struct parallel_groups *const a = d->groups;
    struct worker_context *const l = exclusive_worker(a);
    for (uint32_t i = 0; i < count && budget && !l->failed && !d->debugger.hook_stopped; i++) {
        struct parallel_group *const p = &a->list[a->todo[i]];
        p->budget_left = budget;
        run_group(d, l, a->todo[i]);
        budget = p->budget_left;
        d->debugger.hook_stopped = l->dispatch.debugger.hook_stopped;
        a->last_run = a->todo[i];
    }
}

void groups_current_id(const struct thread_dispatcher *d, uint32_t at[3])
{
    group_id_at(&d->work, d->work.walker.parallel_groups ? d->groups->last_run : 0, at);
}

enum outcome groups_run(struct thread_dispatcher *d, uint64_t *budget, const char **why)
{
    struct parallel_groups *const a = d->groups;
    struct work_state *const g = &d->work;
    const struct worker_context *failed = NULL, *dropped = NULL;
    const uint32_t count = distribute_budget(a, g->walker.parallel_groups, *budget);
    uint64_t used = 0;
    bool ended = true;
    find_free_storage(a, g->walker.parallel_groups);
    for (unsigned i = 0; i < a->worker_count; i++) {
        struct worker_context *const l = &a->workers[i];
        l->ready = l->failed = false;
        l->instructions_used = 0;
        l->storage = NO_STORAGE;
    }
    a->last_run = 0;
    if (dispatch_is_observed(d))
        run_one_by_one(d, count, *budget);
    else
        run_parallel(d, count);
    for (unsigned i = 0; i < a->worker_count; i++) {
        struct worker_context *const l = &a->workers[i];
        if (!l->ready)
            continue;
        used += l->instructions_used;
        worker_merge_counters(d, l);
        if (l->has_dropped && (!dropped || l->dropped_address < dropped->dropped_address))
            dropped = l;
        if (l->failed && (!failed || l->failed_group < failed->failed_group))
            failed = l;
    }
    budget_charge(budget, used);
    if (dropped)
        d->engine->mmu.write_dropped(d->engine->mmu.user, dropped->dropped_space, dropped->dropped_address);
    if (failed)
        return report_worker_failure(d, failed, why);
    for (uint32_t i = 0; i < g->walker.parallel_groups; i++)
        ended &= a->list[i].ended;
    if (ended)
        end_parallel_groups(d, used < FEW_INSTRUCTIONS    ? g->walker.parallel_groups * 2u
                               : used > MANY_INSTRUCTIONS ? g->walker.parallel_groups / 2u
                                                          : g->walker.parallel_groups);
    return OUTCOME_RESUME;
}

/* ---- State ---- */

static bool group_is_valid(const struct work_state *g, const struct parallel_group *p)
{
    return p->threads_started < g->setup.threads && p->current_thread < g->setup.threads &&
           p->barrier_count < g->setup.threads && p->instructions_left <= THREAD_SLICE_INSTRUCTIONS &&
           !(p->running && p->threads_started) && !(p->ended && (p->running || p->threads_started));
}

void groups_state(struct thread_dispatcher *d, struct state *s)
{
    const struct work_state *const g = &d->work;
    const size_t begin = state_section_begin(s, d->engine->info->name, "groups", 1);
    if (!s->failed && !s->saving && g->walker.parallel_groups && !groups_create(d)) {
        s->section = NULL;
        s->failed = true;
    }
    state_check(s, s->failed || !g->walker.parallel_groups ||
                       (g->walker.parallel_groups <= groups_left(g) &&
                        g->walker.parallel_groups <= max_parallel_groups(d)));
    for (uint32_t i = 0; d->groups && i < g->walker.parallel_groups && !s->failed; i++) {
        struct parallel_group *const p = &d->groups->list[i];
        STATE(s, p->threads_started);
        STATE(s, p->current_thread);
        STATE(s, p->instructions_left);
        STATE(s, p->barrier_count);
        STATE(s, p->running);
        STATE(s, p->ended);
        state_check(s, group_is_valid(g, p));
        if (!s->saving)
            p->storage = !s->failed && (p->running || p->threads_started) ? i : NO_STORAGE;
        const unsigned threads = s->failed ? 0 : p->running ? g->setup.threads : p->threads_started;
        struct eu_thread *const t = threads ? storage_threads(d->groups, g, p->storage) : NULL;
        for (unsigned n = 0; n < threads && !s->failed; n++) {
            if (!s->saving)
                eu_thread_start(&t[n], d->set, 0, 0);
            eu_thread_state(&t[n], s);
        }
        if (threads && !s->failed)
            state_dwords(s, (uint32_t *)(void *)storage_slm(d->groups, g, p->storage),
                         g->setup.slm_bytes / 4u);
    }
    state_section_end(s, begin);
}
