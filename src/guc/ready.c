/* Which contexts are ready for an engine, in the order of their turns; the table of all contexts. (SYS-17) */
#include "guc/schedule.h"

#include "guc/doorbells.h"

#include <stdlib.h>
#include <string.h>

/* Bits of turns, and of the words of those that are not zero. */
struct guc_ready {
    uint64_t turns[GUC_CONTEXTS / 64], words[GUC_CONTEXTS / 64 / 64];
    uint32_t count;
};

static struct guc_ready *ready(const struct guc *g, unsigned function, unsigned engine, unsigned priority)
{
    return &g->ready[(function * g->engine_count + engine) * GUC_PRIORITIES + priority];
}

static void mark(struct guc_ready *r, uint32_t turn, bool on)
{
    uint64_t *const word = &r->turns[turn / 64u];
    const bool was = *word >> turn % 64u & 1u;
    r->count = r->count + on - was;
    *word = (*word & ~(UINT64_C(1) << turn % 64u)) | (uint64_t)on << turn % 64u;
    uint64_t *const words = &r->words[turn / 4096u];
    *words = (*words & ~(UINT64_C(1) << turn / 64u % 64u)) | (uint64_t)(*word != 0) << turn / 64u % 64u;
}

static uint32_t first_from(const struct guc_ready *r, uint32_t from)
{
    const uint32_t word = from / 64u;
    const uint64_t bits = r->turns[word] & UINT64_MAX << from % 64u;
    if (bits)
        return word * 64u + (uint32_t)__builtin_ctzll(bits);
    for (uint32_t next = word + 1u; next < GUC_CONTEXTS / 64u; next = (next / 64u + 1u) * 64u) {
        const uint64_t words = r->words[next / 64u] & UINT64_MAX << next % 64u;
        if (words) {
            const uint32_t found = next / 64u * 64u + (uint32_t)__builtin_ctzll(words);
            return found * 64u + (uint32_t)__builtin_ctzll(r->turns[found]);
        }
    }
    return GUC_CONTEXTS;
}

/* The first from the next turn on, all around: of those that wait the one that has waited longest. */
static uint32_t first_turn(const struct guc *g, const struct guc_ready *r)
{
    const uint32_t turn = first_from(r, g->slots.next_turn);
    return turn < GUC_CONTEXTS ? turn : first_from(r, 0);
}

static void turn_take(struct guc *g, uint32_t id)
{
    const uint32_t turn = first_turn(g, g->free); /* each context has one at most: there are enough */
    mark(g->free, turn, false);
    g->id_of_turn[turn] = (uint16_t)id;
    g->slots.next_turn = (turn + 1u) % GUC_CONTEXTS;
    guc_context(g, id)->turn = turn + 1u;
}

void guc_turn_give_back(struct guc *g, struct guc_context *c)
{
    if (c->turn)
        mark(g->free, c->turn - 1u, true);
    c->turn = 0;
}

static bool may_run(const struct guc *g, const struct guc_context *c)
{
    enum { NEEDED = CONTEXT_REGISTERED | CONTEXT_ENABLED | CONTEXT_READY };
    if ((c->flags & NEEDED) != NEEDED ||
        c->flags & (CONTEXT_DISABLES | CONTEXT_DEREGISTERS | CONTEXT_PARKED) || c->running ||
        !guc_function_runs(g, guc_function_of(c)))
        return false;
    /* A child comes in when its parent is in: two that wait for each other's children would never end. */
    return !c->parent || guc_context(g, c->parent - 1u)->running;
}

static void mark_all(struct guc *g, uint32_t id, bool on)
{
    const struct guc_context *c = guc_context(g, id);
    for (uint32_t left = c->marked; left; left &= left - 1u)
        mark(ready(g, guc_function_of(c), (unsigned)__builtin_ctz(left), c->marked_priority), c->turn - 1u,
             on);
}

void guc_context_changed(struct guc *g, uint32_t id)
{
    struct guc_context *c = guc_context(g, id);
    id %= GUC_CONTEXTS;
    const uint32_t engines = may_run(g, c) ? c->engines : 0;
    if (engines != c->marked || c->priority != c->marked_priority) {
        mark_all(g, id, false);
        if (engines && !c->turn)
            turn_take(g, id);
        c->marked = (uint16_t)engines;
        c->marked_priority = (uint16_t)c->priority;
        mark_all(g, id, true);
    }
    if (!engines && !c->running) /* one that a list names keeps its turn until an engine has it */
        guc_turn_give_back(g, c);
}

void guc_context_used(struct guc *g, uint32_t id)
{
    g->table.used[id * (sizeof(struct guc_context) / 4u) / TABLE_PART] = true;
}

void guc_context_forget(struct guc *g, uint32_t id)
{
    guc_context(g, id)->flags &= CONTEXT_FUNCTION;
    guc_context_changed(g, id);
    guc_turn_give_back(g, guc_context(g, id));
    *guc_context(g, id) = (struct guc_context){0};
}

uint32_t guc_best_of(const struct guc *g, unsigned function, unsigned engine, unsigned *priority)
{
    for (*priority = 0; *priority < GUC_PRIORITIES; ++*priority) {
        const struct guc_ready *r = ready(g, function, engine, *priority);
        if (r->count)
            return g->id_of_turn[first_turn(g, r)];
    }
    return GUC_NO_CONTEXT;
}

/* ---- State ---- */

bool guc_schedule_create(struct guc *g)
{
    g->contexts = calloc(GUC_CONTEXTS, sizeof *g->contexts);
    g->ready = calloc((g->functions + 1u) * (size_t)g->engine_count * GUC_PRIORITIES, sizeof *g->ready);
    g->free = malloc(sizeof *g->free);
    g->id_of_turn = malloc(GUC_CONTEXTS * sizeof *g->id_of_turn);
    if (!g->contexts || !g->ready || !g->free || !g->id_of_turn ||
        !state_table_create(&g->table, (uint32_t *)(void *)g->contexts,
                            GUC_CONTEXTS * (sizeof *g->contexts / 4u)))
        return false;
    for (unsigned e = 0; e < g->engine_count; e++) {
        g->engines[e].attention = &g->slots.attention;
        g->engines[e].attention_bit = 1u << e;
        g->class_of[e] = g->info->class_of[g->engines[e].info->class];
        for (unsigned before = 0; before < e; before++)
            if (g->class_of[before] == g->class_of[e])
                g->logical_of[e]++;
    }
    return true;
}

void guc_schedule_destroy(struct guc *g)
{
    free(g->contexts);
    free(g->ready);
    free(g->free);
    free(g->id_of_turn);
    free(g->table.used);
}

static void turn_settle(struct guc *g, uint32_t id)
{
    const struct guc_context *c = guc_context(g, id);
    if (!c->turn)
        return;
    mark(g->free, c->turn - 1u, false);
    g->id_of_turn[c->turn - 1u] = (uint16_t)id;
    mark_all(g, id, true);
}

/* What is ready follows from the contexts. */
void guc_schedule_settle(struct guc *g)
{
    memset(g->ready, 0, (g->functions + 1u) * (size_t)g->engine_count * GUC_PRIORITIES * sizeof *g->ready);
    memset(g->free, 0xff, sizeof *g->free);
    g->free->count = GUC_CONTEXTS;
    for (size_t part = 0; part * TABLE_PART < g->table.count; part++) {
        const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
        for (uint32_t id = (uint32_t)part * each; g->table.used[part] && id < (part + 1u) * each; id++)
            turn_settle(g, id);
    }
}

void guc_schedule_state(struct guc *g, struct state *s)
{
    state_table(s, &g->table);
    state_check(s, g->slots.attention < 1u << g->engine_count);
    const uint32_t each = TABLE_PART / (sizeof(struct guc_context) / 4u);
    struct guc_ready turns = {0};
    for (uint32_t id = 0; !s->saving && !s->failed && id < GUC_CONTEXTS; id++) {
        const struct guc_context *c = guc_context(g, id);
        if (!g->table.used[id / each]) { /* all of them nothing */
            id += each - 1u - id % each;
            continue;
        }
        state_check(s, !(c->flags & ~(uint32_t)CONTEXT_FLAGS) && guc_function_of(c) <= g->functions &&
                           c->priority < GUC_PRIORITIES && c->class < GUC_CLASSES &&
                           c->running <= g->engine_count && c->children < GUC_ENGINES &&
                           c->parent <= GUC_CONTEXTS && c->engines < 1u << g->engine_count &&
                           c->marked < 1u << g->engine_count && c->marked_priority < GUC_PRIORITIES &&
                           c->turn <= GUC_CONTEXTS && (c->turn || !c->marked) &&
                           (!c->turn || c->flags & CONTEXT_REGISTERED) && c->doorbell <= GUC_DOORBELLS);
        if (!s->failed && c->turn) { /* each is one's */
            const uint32_t others = turns.count;
            mark(&turns, c->turn - 1u, true);
            state_check(s, turns.count > others);
        }
    }
}
