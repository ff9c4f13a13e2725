/* Starts and runs vertex shader threads. */
#include "tiles/vertex_threads.h"

#include "tiles/thread_start.h"

#include <stdlib.h>

struct vertex_threads {
    struct dispatch_repeat repeat;
    bool has_thread;         /* `start` is valid */
    unsigned elements_grf;   /* where the fetched elements begin */
    uint64_t local_loaded;   /* bytes of the constants */
    struct eu_dirty written; /* by the last thread */
    struct thread_start start;
};

struct vertex_threads *vertex_threads_create(void)
{
    return calloc(1, sizeof(struct vertex_threads));
}

void vertex_threads_begin(struct vertex_threads *v)
{
    v->has_thread = false;
}

static void start_first(struct vertex_threads *v, struct thread_dispatcher *d, uint64_t *budget)
{
    const struct shader_stage_state *const s = &d->draws->draw.state.stage[SHADER_STAGE_VS];
    const uint64_t *const loaded = &d->bindings.memory.counters->local_loaded;
    struct eu_thread *const t = d->threads;
    dispatch_count_for(d, dispatch_oa_client(d));
    dispatch_setup_bindings(d);
    dispatch_repeat_begin(d, &v->repeat);
    const uint64_t before = *loaded, before_ns = d->engine->log->cost.ns;
    t->dirty = eu_all_dirty;
    dispatch_start_thread(d, 0);
    dispatch_charge_memory(d, before_ns, budget);
    v->local_loaded = *loaded - before;
    v->elements_grf = vs_elements_grf(d);
    const unsigned rows = eu_register_rows(d->set);
    const struct grf_range own[2] = {{rows, 2 * rows},
                                     {v->elements_grf, v->elements_grf + s->urb_read_length_dw * rows}};
    thread_start_init(&v->start, t, own);
    /* Constants are not written again: they must not lie below vertices, nor these below each other. */
    v->has_thread = s->grf_start > rows && own[1].end <= grf_rows(d->set);
}

static void start_next(struct vertex_threads *v, struct thread_dispatcher *d)
{
    struct eu_thread *const t = d->threads;
    t->dirty = v->written;
    thread_start_restore(&v->start, t);
    d->bindings.memory.counters->local_loaded += v->local_loaded;
    vs_put_vertices(d, t, v->elements_grf);
    t->dispatch_mask = t->execution_mask = t->sr0[SR0_DISPATCH_MASK];
}

enum stage_thread_result vertex_threads_run(struct vertex_threads *v, struct thread_dispatcher *d,
                                            uint64_t *budget)
{
    struct thread_group *const group = &d->work.group;
    if (d->draws->draw.state.stage[SHADER_STAGE_VS].is_simd4x2 || !*budget ||
        d->engine->execlists.pending_valid)
        return STAGE_THREAD_NOT_STARTED;
    vs_grant_entries(d);
    stage_select(d, SHADER_STAGE_VS);
    if (v->has_thread)
        start_next(v, d);
    else
        start_first(v, d, budget);
    if (memory_client_faulted(&d->bindings.memory))
        return STAGE_THREAD_NOT_ENDED;
    group->threads_started = group->barrier_count = 0;
    const bool ended = dispatch_repeat_run(d, &v->repeat, budget);
    const uint64_t taken = d->threads->instruction_count + d->bindings.cost.messages;
    v->written = d->threads->dirty;
    d->threads->dirty = eu_all_dirty; /* others start there, too */
    d->bindings.cost.group = taken;
    dispatch_select_thread(d, 0);
    group->instructions_left -=
        (uint32_t)(taken < group->instructions_left ? taken : group->instructions_left);
    if (!ended) { /* dispatch_run_thread goes on with it */
        d->work.phase = DISPATCH_RUN;
        return STAGE_THREAD_NOT_ENDED;
    }
    vs_count_vertices(d);
    urb_revoke_entries(d);
    stage_select(d, SHADER_STAGE_PS);
    return STAGE_THREAD_ENDED;
}
