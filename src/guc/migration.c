/*
 * Saves and loads a VF's state for the PF driver (in its memory) or the owner. One walk counts, saves or
 * loads; it goes by parts: the function's own state, then contexts by their ids. The format is our choice.
 * Loaded data are checked. GGTT entries, local memory and provisioning are not part of it. (SYS-24; Linux,
 * xe_gt_sriov_pf_migration)
 */
#include "guc/doorbells.h"
#include "guc/functions.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <string.h>

enum { MAGIC = 0x56434753, VERSION = 2 };
enum { KEPT_FLAGS = CONTEXT_REGISTERED | CONTEXT_ENABLED | CONTEXT_READY };

enum { PAGE_DW = PAGE_BYTES / 4 };
struct walk {
    struct guc *guc;
    struct guc_function *client; /* of the state */
    const struct vf_migration_buffer *memory;
    uint32_t at_dw;
    enum { COUNTS, SAVES, LOADS } does;
    bool failed;
    const char *wrong; /* the invalid item; NULL: the data end early */
    /* A buffer for a page of the PF's memory. */
    uint32_t page[PAGE_DW], page_at_dw, page_dw, page_used_dw;
};

/* Saving: stores the buffered page. */
static bool page_end(struct walk *w)
{
    return w->does != SAVES || !w->page_used_dw ||
           guc_store(w->guc->functions, w->memory->address + w->page_at_dw * 4u, w->page,
                     w->page_used_dw * 4u);
}

static bool page_begin(struct walk *w)
{
    const uint32_t at = w->memory->address + w->at_dw * 4u, in_page_dw = (PAGE_BYTES - at % PAGE_BYTES) / 4u,
                   left_dw = w->memory->room_dw - w->at_dw,
                   there_dw = in_page_dw < left_dw ? in_page_dw : left_dw;
    if (!page_end(w))
        return false;
    w->page_at_dw = w->at_dw;
    w->page_dw = there_dw ? there_dw : 1u; /* a dword across two pages */
    w->page_used_dw = 0;
    return w->does == SAVES || guc_load(w->guc->functions, at, w->page, w->page_dw * 4u);
}

/* Transfers as many dwords as are contiguous; 0: no space, or no memory. */
static uint32_t walk_transfer(struct walk *w, uint32_t *values, uint32_t count)
{
    uint32_t *const owner = w->memory->dw;
    uint32_t there_dw = w->memory->room_dw - w->at_dw;
    if (!there_dw || (!owner && w->at_dw == w->page_at_dw + w->page_dw && !page_begin(w)))
        return 0;
    if (!owner)
        there_dw = w->page_at_dw + w->page_dw - w->at_dw;
    const uint32_t now = count < there_dw ? count : there_dw;
    uint32_t *const place = owner ? owner + w->at_dw : &w->page[w->at_dw - w->page_at_dw];
    memcpy(w->does == SAVES ? place : values, w->does == SAVES ? values : place, now * 4u);
    w->page_used_dw += owner ? 0 : now;
    return now;
}

static void walk_dwords(struct walk *w, uint32_t *values, uint32_t count)
{
    for (uint32_t done = 0, now; w->does != COUNTS && !w->failed && done < count; done += now) {
        now = walk_transfer(w, values + done, count - done);
        w->failed = !now;
        w->at_dw += now;
    }
    if (w->does == LOADS && w->failed)
        memset(values, 0, count * 4u);
    if (w->does == COUNTS)
        w->at_dw += count;
}

static void walk_dword(struct walk *w, uint32_t *value)
{
    walk_dwords(w, value, 1);
}

static void walk_check(struct walk *w, const char *what, bool holds)
{
    if (w->failed || w->does != LOADS || holds)
        return;
    w->failed = true;
    w->wrong = what;
}

static void walk_constant(struct walk *w, const char *what, uint32_t is)
{
    uint32_t value = is;
    walk_dword(w, &value);
    walk_check(w, what, value == is);
}

static void walk_flag(struct walk *w, const char *what, uint8_t *value)
{
    uint32_t wide = *value;
    walk_dword(w, &wide);
    walk_check(w, what, wide <= 1);
    *value = wide & 1u;
}

static void walk_ct(struct walk *w)
{
    struct guc_ct *const c = &w->client->ct;
    for (struct guc_ctb *b = c->ctbs; b <= &c->ctbs[G2H]; b++) {
        uint32_t *const dwords[] = {&b->address, &b->descriptor, &b->bytes, &b->position_dw, &b->provided};
        for (unsigned i = 0; i < sizeof dwords / sizeof dwords[0]; i++)
            walk_dword(w, dwords[i]);
        walk_flag(w, "a buffer's enable", &b->enabled);
        walk_flag(w, "whether a buffer is broken", &b->broken);
        walk_check(w, "what is known of a buffer", b->provided < 8);
        walk_check(w, "the size of a buffer", !b->enabled || guc_ctb_is_valid(b));
        walk_check(w, "the place in a buffer", !b->enabled || b->position_dw < b->bytes / 4u);
    }
    walk_dword(w, &c->memirq_status);
    walk_dword(w, &c->memirq_source);
    walk_check(w, "the address of the interrupt status", c->memirq_status % 16 == 0);
    walk_flag(w, "whether it was notified", &c->h2g_pending);
}

static void walk_backlog(struct walk *w)
{
    struct g2h_backlog *const o = &w->client->backlog;
    walk_dword(w, &o->count);
    walk_check(w, "the number of dwords to tell it", o->count <= G2H_BACKLOG_DW);
    for (uint32_t i = 0; !w->failed && i < o->count; i++)
        walk_dword(w, &o->dw[(o->first + i) % G2H_BACKLOG_DW]);
}

static void walk_mailbox(struct walk *w)
{
    for (unsigned i = 0; i < MAILBOX_DW; i++) {
        const uint32_t at = w->guc->info->mailbox + w->client->number * GUC_FUNCTION_BYTES + i * 4u;
        uint32_t value = guc_register(w->guc, at);
        walk_dword(w, &value);
        if (w->does == LOADS)
            guc_register_set(w->guc, at, value);
    }
}

/* ---- Contexts ---- */

static bool is_known(const struct walk *w, uint32_t local)
{
    const struct guc_context *c = guc_context(w->guc, w->client->provisioning.first_context + local);
    return c->flags & CONTEXT_REGISTERED && guc_context_function(c) == w->client->number;
}

/* Dwords of a context. Ids and doorbells are the VF's; 1 is added where 0 means none. */
enum {
    SAVED_ID,
    SAVED_FLAGS,
    SAVED_DESCRIPTOR,
    SAVED_ENGINES,
    SAVED_CLASS,
    SAVED_PRIORITY,
    SAVED_QUANTUM,
    SAVED_PREEMPTION,
    SAVED_QUEUE_DESCRIPTOR,
    SAVED_QUEUE,
    SAVED_QUEUE_BYTES,
    SAVED_CHILDREN,
    SAVED_PARENT,
    SAVED_DOORBELL,
    SAVED_IN_MEMORY,
    SAVED_PLACE,
    SAVED_COOKIE,
    SAVED_DW = SAVED_COOKIE + 2,
};

_Static_assert((int)SAVED_DW == (int)GUC_CONTEXT_DW, "what one takes in a part");

static void save_context(struct walk *w, uint32_t local)
{
    const struct vf_provisioning *const share = &w->client->provisioning;
    const struct guc_context *const c = guc_context(w->guc, share->first_context + local);
    const struct guc_doorbell none = {0}, *const d = c->doorbell != GUC_NO_DOORBELL
                                                         ? &w->guc->doorbells.list[c->doorbell]
                                                         : &none;
    uint32_t dw[SAVED_DW] = {
        [SAVED_ID] = local,
        [SAVED_FLAGS] = c->flags & KEPT_FLAGS,
        [SAVED_DESCRIPTOR] = c->descriptor_low,
        [SAVED_ENGINES] = c->engine_mask,
        [SAVED_CLASS] = c->guc_class,
        [SAVED_PRIORITY] = c->priority,
        [SAVED_QUANTUM] = c->exec_quantum_us,
        [SAVED_PREEMPTION] = c->preempt_timeout_us,
        [SAVED_QUEUE_DESCRIPTOR] = c->queue_descriptor,
        [SAVED_QUEUE] = c->queue,
        [SAVED_QUEUE_BYTES] = c->queue_bytes,
        [SAVED_CHILDREN] = c->children,
        [SAVED_PARENT] = c->parent != GUC_NO_CONTEXT ? 1u + c->parent - share->first_context : 0,
        [SAVED_DOORBELL] = c->doorbell != GUC_NO_DOORBELL ? 1u + c->doorbell - share->first_doorbell : 0,
        [SAVED_IN_MEMORY] = d->in_memory,
        [SAVED_PLACE] = d->address,
        [SAVED_COOKIE] = (uint32_t)d->cookie,
        [SAVED_COOKIE + 1] = (uint32_t)(d->cookie >> 32)};
    walk_dwords(w, dw, SAVED_DW);
}

/* Limits that do not depend on the VF. */
static const struct bound {
    const char *name;
    uint32_t at, most;
} bounds[] = {
    {"a context's class", SAVED_CLASS, GUC_CLASSES - 1},
    {"a context's priority", SAVED_PRIORITY, GUC_PRIORITIES - 1},
    {"a context's quantum", SAVED_QUANTUM, GUC_MAX_US},
    {"a context's preemption timeout", SAVED_PREEMPTION, GUC_MAX_US},
    {"a context's work queue's size", SAVED_QUEUE_BYTES, GUC_MAX_QUEUE_BYTES},
    {"a context's number of children", SAVED_CHILDREN, GUC_ENGINES - 1},
};

static void load_context(struct walk *w, uint32_t first, uint32_t end)
{
    struct guc *const g = w->guc;
    const struct vf_provisioning *const share = &w->client->provisioning;
    uint32_t dw[SAVED_DW] = {0};
    walk_dwords(w, dw, SAVED_DW);
    const uint32_t local = dw[SAVED_ID], flags = dw[SAVED_FLAGS], children = dw[SAVED_CHILDREN],
                   id = share->first_context + local;
    walk_check(w, "a context's id", local >= first && local < end);
    walk_check(w, "a context's id, which comes twice,", w->failed || !is_known(w, local));
    walk_check(w, "a context's flags", flags & CONTEXT_REGISTERED && !(flags & ~(uint32_t)KEPT_FLAGS));
    walk_check(w, "a context's engines", dw[SAVED_ENGINES] && dw[SAVED_ENGINES] < 1u << g->engine_count);
    for (const struct bound *b = bounds; b < bounds + sizeof bounds / sizeof bounds[0]; b++)
        walk_check(w, b->name, dw[b->at] <= b->most);
    walk_check(w, "a context's work queue's size", dw[SAVED_QUEUE_BYTES] % 4u == 0);
    walk_check(w, "a context's number of children", w->failed || children < share->context_count - local);
    walk_check(w, "a context's parent", dw[SAVED_PARENT] <= local);
    if (w->failed)
        return;
    *guc_context(g, id) = (struct guc_context){
        .flags = flags | w->client->number << CONTEXT_FUNCTION_SHIFT,
        .descriptor_low = dw[SAVED_DESCRIPTOR],
        .engine_mask = dw[SAVED_ENGINES],
        .guc_class = dw[SAVED_CLASS],
        .priority = dw[SAVED_PRIORITY],
        .exec_quantum_us = dw[SAVED_QUANTUM],
        .preempt_timeout_us = dw[SAVED_PREEMPTION],
        .queue_descriptor = dw[SAVED_QUEUE_DESCRIPTOR],
        .queue = dw[SAVED_QUEUE],
        .queue_bytes = dw[SAVED_QUEUE_BYTES],
        .children = children,
        .engine = GUC_NO_ENGINE,
        .parent = dw[SAVED_PARENT] ? share->first_context + dw[SAVED_PARENT] - 1u : GUC_NO_CONTEXT,
        .doorbell = GUC_NO_DOORBELL,
        .queue_ticket = GUC_NO_TICKET,
    };
    guc_context_mark_used(g, id);
    if (!dw[SAVED_DOORBELL])
        return;
    walk_check(w, "a context's doorbell",
               guc_doorbell_arm(g, id, dw[SAVED_DOORBELL] - 1u, dw[SAVED_IN_MEMORY], dw[SAVED_PLACE]) ==
                   GUC_DONE);
    if (!w->failed)
        g->doorbells.list[guc_context(g, id)->doorbell].cookie =
            dw[SAVED_COOKIE] | (uint64_t)dw[SAVED_COOKIE + 1] << 32;
}

/* The children of a parent follow it, and each child names its parent. */
static void check_families(struct walk *w, uint32_t first, uint32_t end)
{
    const struct vf_provisioning *s = &w->client->provisioning;
    for (uint32_t local = first; !w->failed && local < end; local++) {
        const uint32_t id = s->first_context + local;
        const struct guc_context *c = guc_context(w->guc, id);
        if (!is_known(w, local))
            continue;
        for (uint32_t i = 1; i <= c->children; i++)
            walk_check(w, "a context's children, of which one is not there,",
                       is_known(w, local + i) && guc_context(w->guc, id + i)->parent == id);
        if (c->parent == GUC_NO_CONTEXT)
            continue;
        const struct guc_context *p = guc_context(w->guc, c->parent);
        walk_check(w, "a context's parent, which has no such child,",
                   is_known(w, c->parent - s->first_context) && p->parent == GUC_NO_CONTEXT && !c->children &&
                       id - c->parent <= p->children);
    }
}

static void walk_contexts(struct walk *w, uint32_t first)
{
    enum { BEHIND = GUC_ENGINES - 1 /* the largest distance of a child from its parent */ };
    const uint32_t all = w->client->provisioning.context_count,
                   end = all - first < GUC_PART_CONTEXTS ? all : first + GUC_PART_CONTEXTS;
    uint32_t count = 0, local = first;
    for (uint32_t i = first; w->does != LOADS && i < end; i++)
        count += is_known(w, i);
    walk_dword(w, &count);
    walk_check(w, "the number of contexts", count <= end - first);
    for (uint32_t i = 0; !w->failed && i < count; i++, local++) {
        while (w->does != LOADS && !is_known(w, local))
            local++;
        if (w->does == LOADS)
            load_context(w, first, end);
        else
            save_context(w, local);
    }
    if (w->does == LOADS)
        check_families(w, first ? first - BEHIND : 0, end < all ? end - BEHIND : end);
}

static void walk_function(struct walk *w)
{
    struct vf_state *const p = &w->client->state;
    walk_constant(w, "its mark", MAGIC);
    walk_constant(w, "its version", VERSION);
    walk_dword(w, &p->abi_version);
    walk_dword(w, &p->host_interrupt_pending);
    walk_check(w, "what is pending", p->host_interrupt_pending <= 1);
    walk_mailbox(w);
    walk_ct(w);
    if (!w->failed)
        walk_backlog(w);
}

uint32_t guc_vf_part_count(const struct guc *g, unsigned function)
{
    return 1u +
           (g->functions[function].provisioning.context_count + GUC_PART_CONTEXTS - 1u) / GUC_PART_CONTEXTS;
}

void guc_vf_expect_parts(struct guc *g, unsigned function)
{
    guc_vf_clear(g, function);
    g->functions[function].state.restored_parts = UINT32_MAX; /* none yet: no part follows that */
}

/* Walks parts from `first` to before `end`. Loading continues after the parts loaded before. */
static enum guc_error walk_parts(struct walk *w, uint32_t first, uint32_t end, uint32_t *used_dw)
{
    enum { WORD_NS = 20 };
    struct guc *const g = w->guc;
    struct vf_state *const p = &w->client->state;
    const unsigned function = w->client->number;
    const uint32_t all = guc_vf_part_count(g, function);
    const uint32_t from_dw = w->at_dw;
    if (w->memory->room_dw > (UINT32_MAX - w->memory->address) / 4u || first >= end || end > all ||
        (w->does != COUNTS && from_dw > w->memory->room_dw))
        return GUC_ERROR_PARAMETERS;
    if (p->run_state != VF_PAUSED ||
        (w->does == LOADS ? first && first != p->restored_parts : p->restored_parts))
        return GUC_ERROR_STATE;
    if (w->does == LOADS && !first)
        guc_vf_clear(g, function);
    for (uint32_t part = first; !w->failed && part < end; part++) {
        if (part)
            walk_contexts(w, (part - 1u) * GUC_PART_CONTEXTS);
        else
            walk_function(w);
    }
    w->failed = w->failed || !page_end(w);
    g->log->cost.ns += (uint64_t)(w->at_dw - from_dw) * WORD_NS;
    if (w->failed && w->does == LOADS) {
        report_error(g->log, SOFTGT_GUEST_ERROR, g->by.name, w->at_dw * 4u,
                     "saved state of function %u not loaded: %s %s", function,
                     w->wrong ? w->wrong : "the data", w->wrong ? "is invalid" : "end early");
        guc_vf_clear(g, function);
        return GUC_ERROR_PARAMETERS;
    }
    if (w->failed)
        return GUC_ERROR_BUFFER;
    if (w->does == LOADS)
        p->restored_parts = end < all ? end : 0;
    *used_dw = w->at_dw;
    return GUC_DONE;
}

enum guc_error guc_vf_save_restore(struct guc *g, unsigned function, bool load,
                                   const struct vf_migration_buffer *memory, uint32_t *part,
                                   uint32_t *used_dw)
{
    const uint32_t first = *part;
    struct walk w = {.guc = g,
                     .client = &g->functions[function],
                     .memory = memory,
                     .at_dw = first ? *used_dw : 0,
                     .page_at_dw = first ? *used_dw : 0,
                     .does = load              ? LOADS
                             : memory->room_dw ? SAVES
                                               : COUNTS};
    const enum guc_error error = walk_parts(&w, first, first + 1u, used_dw);
    *part = error == GUC_DONE && first + 1u < guc_vf_part_count(g, function) ? first + 1u : 0;
    return error;
}

enum guc_error guc_vf_save_restore_part(struct guc *g, unsigned function, bool load, uint32_t part,
                                        uint32_t dw[GUC_PART_DW], uint32_t *used_dw)
{
    const struct vf_migration_buffer memory = {.dw = dw, .room_dw = load ? *used_dw : GUC_PART_DW};
    struct walk w = {
        .guc = g, .client = &g->functions[function], .memory = &memory, .does = load ? LOADS : SAVES};
    return load && *used_dw > GUC_PART_DW ? GUC_ERROR_PARAMETERS : walk_parts(&w, part, part + 1u, used_dw);
}
