/* The table of contexts, and the run queues: contexts that are ready for an engine, in FIFO order. (SYS-17)
 */
#include "guc/schedule.h"

#include "guc/doorbells.h"

#include <stdlib.h>
#include <string.h>

/* A bit for each ticket, and for each nonzero word of these bits. */
struct guc_run_queue {
    uint64_t tickets[GUC_CONTEXTS / 64], nonzero_words[GUC_CONTEXTS / 64 / 64];
    uint32_t count;
};

static struct guc_run_queue *run_queue(const struct guc *g, unsigned function, unsigned engine,
                                       unsigned priority)
{
    return &g->derived.run_queues[(function * g->engine_count + engine) * GUC_PRIORITIES + priority];
}

static void ticket_set(struct guc_run_queue *r, uint32_t ticket, bool on)
{
    uint64_t *const word = &r->tickets[ticket / 64u];
    const bool was = *word >> ticket % 64u & 1u;
    r->count = r->count + on - was;
    *word = (*word & ~(UINT64_C(1) << ticket % 64u)) | (uint64_t)on << ticket % 64u;
    uint64_t *const words = &r->nonzero_words[ticket / 4096u];
    *words = (*words & ~(UINT64_C(1) << ticket / 64u % 64u)) | (uint64_t)(*word != 0) << ticket / 64u % 64u;
}

static uint32_t first_ticket_from(const struct guc_run_queue *r, uint32_t from)
{
    const uint32_t word = from / 64u;
    const uint64_t bits = r->tickets[word] & UINT64_MAX << from % 64u;
    if (bits)
        return word * 64u + (uint32_t)__builtin_ctzll(bits);
    for (uint32_t next = word + 1u; next < GUC_CONTEXTS / 64u; next = (next / 64u + 1u) * 64u) {
        const uint64_t words = r->nonzero_words[next / 64u] & UINT64_MAX << next % 64u;
        if (words) {
            const uint32_t found = next / 64u * 64u + (uint32_t)__builtin_ctzll(words);
            return found * 64u + (uint32_t)__builtin_ctzll(r->tickets[found]);
        }
    }
    return GUC_CONTEXTS;
}

/* The first ticket from next_ticket on, wrapping around: the context that has waited longest. */
static uint32_t oldest_ticket(const struct guc *g, const struct guc_run_queue *r)
{
    const uint32_t ticket = first_ticket_from(r, g->engine_states.next_ticket);
    return ticket < GUC_CONTEXTS ? ticket : first_ticket_from(r, 0);
}

static void queue_ticket_allocate(struct guc *g, uint32_t id)
{
    const uint32_t ticket =
        oldest_ticket(g, g->derived.free_tickets); /* each context has at most one ticket, so one is free */
    ticket_set(g->derived.free_tickets, ticket, false);
    g->derived.context_of_ticket[ticket] = (uint16_t)id;
    g->engine_states.next_ticket = (ticket + 1u) % GUC_CONTEXTS;
    guc_context(g, id)->queue_ticket = ticket;
}

void guc_queue_ticket_release(struct guc *g, struct guc_context *c)
{
    if (c->queue_ticket != GUC_NO_TICKET)
        ticket_set(g->derived.free_tickets, c->queue_ticket, true);
    c->queue_ticket = GUC_NO_TICKET;
}

static bool may_run(const struct guc *g, const struct guc_context *c)
{
    enum { NEEDED = CONTEXT_REGISTERED | CONTEXT_ENABLED | CONTEXT_READY };
    if ((c->flags & NEEDED) != NEEDED ||
        c->flags & (CONTEXT_PENDING_DISABLE | CONTEXT_PENDING_DEREGISTER | CONTEXT_YIELDED) ||
        c->engine != GUC_NO_ENGINE || !guc_function_is_running(g, guc_context_function(c)))
        return false;
    /* A child runs only beside its parent. Otherwise two families could each hold an engine that the other
     * needs. */
    const struct guc_context *const parent = guc_context(g, c->parent);
    return c->parent == GUC_NO_CONTEXT ||
           (parent->flags & CONTEXT_REGISTERED && parent->engine != GUC_NO_ENGINE);
}

static void queue_context(struct guc *g, uint32_t id, bool on)
{
    const struct guc_context *c = guc_context(g, id);
    for (uint32_t left = c->queued_engines; left; left &= left - 1u)
        ticket_set(run_queue(g, guc_context_function(c), (unsigned)__builtin_ctz(left), c->queued_priority),
                   c->queue_ticket, on);
}

void guc_context_requeue(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    id %= GUC_CONTEXTS;
    const uint32_t engines = may_run(g, c) ? c->engine_mask : 0;
    if (engines != c->queued_engines || c->priority != c->queued_priority) {
        queue_context(g, id, false);
        if (engines && c->queue_ticket == GUC_NO_TICKET)
            queue_ticket_allocate(g, id);
        c->queued_engines = (uint16_t)engines;
        c->queued_priority = (uint16_t)c->priority;
        queue_context(g, id, true);
    }
    if (!engines && c->engine == GUC_NO_ENGINE) /* a submitted context keeps its ticket until it runs */
        guc_queue_ticket_release(g, c);
}

void guc_context_mark_used(struct guc *g, uint32_t id)
{
    g->context_table.used[id * (sizeof(struct guc_context) / 4u) / TABLE_PART] = true;
}

void guc_context_clear(struct guc *g, uint32_t id)
{
    guc_context(g, id)->flags &= CONTEXT_FUNCTION;
    guc_context_requeue(g, id);
    guc_queue_ticket_release(g, guc_context(g, id));
    *guc_context(g, id) = (struct guc_context){0};
}

uint32_t guc_run_queue_first(const struct guc *g, unsigned function, unsigned engine, unsigned *priority)
{
    for (*priority = 0; *priority < GUC_PRIORITIES; ++*priority) {
        const struct guc_run_queue *r = run_queue(g, function, engine, *priority);
        if (r->count)
            return g->derived.context_of_ticket[oldest_ticket(g, r)];
    }
    return GUC_NO_CONTEXT;
}

/* ---- State ---- */

bool guc_schedule_create(struct guc *g)
{
    g->contexts = calloc(GUC_CONTEXTS, sizeof *g->contexts);
    g->derived.run_queues =
        calloc((g->vf_count + 1u) * (size_t)g->engine_count * GUC_PRIORITIES, sizeof *g->derived.run_queues);
    g->derived.free_tickets = malloc(sizeof *g->derived.free_tickets);
    g->derived.context_of_ticket = malloc(GUC_CONTEXTS * sizeof *g->derived.context_of_ticket);
    if (!g->contexts || !g->derived.run_queues || !g->derived.free_tickets || !g->derived.context_of_ticket ||
        !state_table_create(&g->context_table, (uint32_t *)(void *)g->contexts,
                            GUC_CONTEXTS * (sizeof *g->contexts / 4u)))
        return false;
    for (unsigned e = 0; e < g->engine_count; e++) {
        g->engines[e].listener.event_mask = &g->engine_states.service_mask;
        g->engines[e].listener.event_bit = 1u << e;
        g->derived.class_of[e] = g->info->class_of[g->engines[e].info->class];
        for (unsigned before = 0; before < e; before++)
            if (g->derived.class_of[before] == g->derived.class_of[e])
                g->derived.logical_of[e]++;
    }
    return true;
}

void guc_schedule_destroy(struct guc *g)
{
    free(g->contexts);
    free(g->derived.run_queues);
    free(g->derived.free_tickets);
    free(g->derived.context_of_ticket);
    free(g->context_table.used);
}

static void queue_ticket_restore(struct guc *g, uint32_t id)
{
    const struct guc_context *c = guc_context(g, id);
    if (!(c->flags & CONTEXT_REGISTERED) || c->queue_ticket == GUC_NO_TICKET)
        return;
    ticket_set(g->derived.free_tickets, c->queue_ticket, false);
    g->derived.context_of_ticket[c->queue_ticket] = (uint16_t)id;
    queue_context(g, id, true);
}

/* Rebuilds the run queues from the contexts. */
void guc_schedule_settle(struct guc *g)
{
    memset(g->derived.run_queues, 0,
           (g->vf_count + 1u) * (size_t)g->engine_count * GUC_PRIORITIES * sizeof *g->derived.run_queues);
    memset(g->derived.free_tickets, 0xff, sizeof *g->derived.free_tickets);
    g->derived.free_tickets->count = GUC_CONTEXTS;
    for (size_t part = 0; part * TABLE_PART < g->context_table.count; part++) {
        const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
        for (uint32_t id = (uint32_t)part * each; g->context_table.used[part] && id < (part + 1u) * each;
             id++)
            queue_ticket_restore(g, id);
    }
}

void guc_schedule_state(struct guc *g, struct state *s)
{
    state_table(s, &g->context_table);
    state_check(s, g->engine_states.service_mask < 1u << g->engine_count);
    const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
    struct guc_run_queue turns = {0};
    for (uint32_t id = 0; !s->saving && !s->failed && id < GUC_CONTEXTS; id++) {
        const struct guc_context *c = guc_context(g, id);
        if (!g->context_table.used[id / each]) { /* the part holds no context */
            id += each - 1u - id % each;
            continue;
        }
        const bool registered = c->flags & CONTEXT_REGISTERED,
                   has_ticket = registered && c->queue_ticket != GUC_NO_TICKET;
        state_check(s, !(c->flags & ~(uint32_t)CONTEXT_FLAGS) && guc_context_function(c) <= g->vf_count &&
                           c->priority < GUC_PRIORITIES && c->guc_class < GUC_CLASSES &&
                           (c->engine < g->engine_count || c->engine == GUC_NO_ENGINE) &&
                           c->children < GUC_ENGINES && c->parent <= GUC_CONTEXTS &&
                           c->engine_mask < 1u << g->engine_count &&
                           c->queued_engines < 1u << g->engine_count && c->queued_priority < GUC_PRIORITIES &&
                           c->queue_ticket <= (registered ? GUC_NO_TICKET : 0) &&
                           (has_ticket || !c->queued_engines) && c->doorbell <= GUC_DOORBELLS);
        if (!s->failed && has_ticket) { /* no two contexts share a ticket */
            const uint32_t others = turns.count;
            ticket_set(&turns, c->queue_ticket, true);
            state_check(s, turns.count > others);
        }
    }
}
