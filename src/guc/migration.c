/*
 * What the GuC knows of a virtual function, into memory of the physical one's driver and back: by one walk,
 * which counts, saves or loads. How it lies there is our choice; what comes back is not trusted. Its entries,
 * its memory and its share are others'. (SYS-24; Linux, xe_gt_sriov_pf_migration)
 */
#include "guc/doorbells.h"
#include "guc/functions.h"
#include "guc/registers.h"
#include "guc/schedule.h"

enum { MAGIC = 0x56434753, VERSION = 1 };
enum { KEPT_FLAGS = CONTEXT_REGISTERED | CONTEXT_ENABLED | CONTEXT_READY };

enum { PAGE_DW = PAGE_BYTES / 4 };
struct walk {
    struct guc *guc;
    struct guc_client *client; /* whose state it is */
    const struct guc_saved *memory;
    uint32_t at_dw;
    enum { COUNTS, SAVES, LOADS } does;
    bool failed;
    /* What of the physical function's memory is at hand, a page of it at most. */
    uint32_t page[PAGE_DW], page_at_dw, page_dw, page_used_dw;
};

/* Saves: what is at hand is stored. */
static bool page_end(struct walk *w)
{
    return w->does != SAVES || !w->page_used_dw ||
           guc_store(w->guc->clients, w->memory->address + w->page_at_dw * 4u, w->page, w->page_used_dw * 4u);
}

static bool page_begin(struct walk *w)
{
    const uint32_t at = w->memory->address + w->at_dw * 4u, in_page_dw = (PAGE_BYTES - at % PAGE_BYTES) / 4u,
                   left_dw = w->memory->room_dw - w->at_dw,
                   there_dw = in_page_dw < left_dw ? in_page_dw : left_dw;
    if (!page_end(w))
        return false;
    w->page_at_dw = w->at_dw;
    w->page_dw = there_dw ? there_dw : 1u; /* one that lies in two pages */
    w->page_used_dw = 0;
    return w->does == SAVES || guc_load(w->guc->clients, at, w->page, w->page_dw * 4u);
}

static bool transfer(struct walk *w, uint32_t *value)
{
    uint32_t *const owner = w->memory->dw;
    if (w->at_dw >= w->memory->room_dw ||
        (!owner && w->at_dw == w->page_at_dw + w->page_dw && !page_begin(w)))
        return false;
    uint32_t *const place = owner ? owner + w->at_dw : &w->page[w->page_used_dw++];
    *(w->does == SAVES ? place : value) = w->does == SAVES ? *value : *place;
    return true;
}

static void word(struct walk *w, uint32_t *value)
{
    if (w->does != COUNTS && !w->failed)
        w->failed = !transfer(w, value);
    if (w->does == LOADS && w->failed)
        *value = 0;
    w->at_dw++;
}

static void check(struct walk *w, bool holds)
{
    w->failed = w->failed || (w->does == LOADS && !holds);
}

static void constant(struct walk *w, uint32_t is)
{
    uint32_t value = is;
    word(w, &value);
    check(w, value == is);
}

static void flag(struct walk *w, uint8_t *value)
{
    uint32_t wide = *value;
    word(w, &wide);
    check(w, wide <= 1);
    *value = wide & 1u;
}

static void channels(struct walk *w)
{
    struct guc_channels *const c = &w->client->channels;
    for (struct guc_buffer *b = c->buffers; b <= &c->buffers[G2H]; b++) {
        uint32_t *const words[] = {&b->address, &b->descriptor, &b->bytes, &b->at_dw, &b->known};
        for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
            word(w, words[i]);
        flag(w, &b->enabled);
        flag(w, &b->broken);
        check(w, b->known < 8 && (!b->enabled || (guc_buffer_whole(b) && b->at_dw < b->bytes / 4u)));
    }
    word(w, &c->events);
    word(w, &c->source);
    check(w, c->events % 16 == 0);
    flag(w, &c->notified);
}

static void outbox(struct walk *w)
{
    struct guc_outbox *const o = &w->client->outbox;
    word(w, &o->count);
    check(w, o->count <= GUC_OUTBOX_DW);
    for (uint32_t i = 0; !w->failed && i < o->count; i++)
        word(w, &o->dw[(o->first + i) % GUC_OUTBOX_DW]);
}

static void mailbox(struct walk *w)
{
    for (unsigned i = 0; i < MAILBOX_DW; i++) {
        const uint32_t at = GUC_MAILBOX + w->client->function * GUC_FUNCTION_BYTES + i * 4u;
        uint32_t value = register_value(w->guc->mmio, at);
        word(w, &value);
        if (w->does == LOADS)
            register_set(w->guc->mmio, at, value);
    }
}

/* ---- Contexts ---- */

static bool is_known(const struct walk *w, uint32_t local)
{
    const struct guc_context *c = guc_context(w->guc, w->client->share.first_context + local);
    return c->flags & CONTEXT_REGISTERED && guc_function_of(c) == w->client->function;
}

/* What its driver calls the doorbell, and what it begins with. */
static void doorbell(struct walk *w, uint32_t id)
{
    const struct guc_share *share = &w->client->share;
    const uint32_t number = guc_context(w->guc, id)->doorbell;
    const struct guc_doorbell none = {0}, *d = number ? &w->guc->doorbells.list[number - 1u] : &none;
    uint32_t words[] = {number ? number - share->first_doorbell : 0, d->in_memory, d->place,
                        (uint32_t)d->cookie, (uint32_t)(d->cookie >> 32)};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        word(w, &words[i]);
    if (w->does != LOADS || w->failed || !words[0])
        return;
    check(w, guc_doorbell_arm(w->guc, id, words[0] - 1u, words[1], words[2]) == GUC_DONE);
    if (!w->failed)
        w->guc->doorbells.list[guc_context(w->guc, id)->doorbell - 1u].cookie = words[3] | (uint64_t)words[4]
                                                                                               << 32;
}

static void context(struct walk *w, uint32_t local)
{
    struct guc *const g = w->guc;
    const uint32_t first = w->client->share.first_context;
    word(w, &local);
    check(w, local < w->client->share.contexts && !is_known(w, local));
    if (w->failed)
        return;
    const uint32_t id = first + local;
    struct guc_context c = *guc_context(g, id);
    uint32_t flags = c.flags & KEPT_FLAGS, parent = c.parent ? c.parent - first : 0;
    uint32_t *const words[] = {&flags,      &c.descriptor,  &c.engines,       &c.class,
                               &c.priority, &c.quantum_us,  &c.preemption_us, &c.queue_descriptor,
                               &c.queue,    &c.queue_bytes, &c.children,      &parent};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        word(w, words[i]);
    check(w, flags & CONTEXT_REGISTERED && !(flags & ~(uint32_t)KEPT_FLAGS) && c.engines &&
                 c.engines < 1u << g->engine_count && c.class < GUC_CLASSES && c.priority < GUC_PRIORITIES &&
                 c.children < GUC_ENGINES && c.children < w->client->share.contexts - local &&
                 parent <= local);
    if (w->does == LOADS && !w->failed) {
        c = (struct guc_context){.flags = flags | w->client->function << CONTEXT_FUNCTION_SHIFT,
                                 .descriptor = c.descriptor,
                                 .engines = c.engines,
                                 .class = c.class,
                                 .priority = c.priority,
                                 .quantum_us = c.quantum_us,
                                 .preemption_us = c.preemption_us,
                                 .queue_descriptor = c.queue_descriptor,
                                 .queue = c.queue,
                                 .queue_bytes = c.queue_bytes,
                                 .children = c.children,
                                 .parent = parent ? first + parent : 0};
        *guc_context(g, id) = c;
        guc_context_used(g, id);
    }
    doorbell(w, id);
}

/* A parent has the children behind it, and a child the parent before it. */
static void families(struct walk *w)
{
    const struct guc_share *s = &w->client->share;
    for (uint32_t local = 0; !w->failed && local < s->contexts; local++) {
        const uint32_t id = s->first_context + local;
        const struct guc_context *c = guc_context(w->guc, id);
        if (!is_known(w, local))
            continue;
        for (uint32_t i = 1; i <= c->children; i++)
            check(w, is_known(w, local + i) && guc_context(w->guc, id + i)->parent == id + 1u);
        if (!c->parent)
            continue;
        const struct guc_context *p = guc_context(w->guc, c->parent - 1u);
        check(w, is_known(w, c->parent - 1u - s->first_context) && !p->parent && !c->children &&
                     id - (c->parent - 1u) <= p->children);
    }
}

static void contexts(struct walk *w)
{
    uint32_t count = 0, local = 0;
    for (uint32_t i = 0; w->does != LOADS && i < w->client->share.contexts; i++)
        count += is_known(w, i);
    word(w, &count);
    check(w, count <= w->client->share.contexts);
    for (uint32_t i = 0; !w->failed && i < count; i++, local++) {
        while (w->does != LOADS && !is_known(w, local))
            local++;
        context(w, local);
    }
    if (w->does == LOADS)
        families(w);
}

static void all(struct walk *w)
{
    struct guc_presence *const p = &w->client->presence;
    constant(w, MAGIC);
    constant(w, VERSION);
    word(w, &p->version);
    word(w, &p->pending);
    check(w, p->pending <= 1);
    mailbox(w);
    channels(w);
    if (!w->failed)
        outbox(w);
    if (!w->failed)
        contexts(w);
}

enum guc_error guc_function_save(struct guc *g, unsigned function, bool load, const struct guc_saved *memory,
                                 uint32_t *used_dw)
{
    enum { WORD_NS = 20 };
    struct guc_client *const k = &g->clients[function];
    struct walk w = {.guc = g, .client = k, .memory = memory, .does = COUNTS};
    if (k->presence.condition != GUC_FUNCTION_PAUSED)
        return GUC_ERROR_STATE;
    if (memory->room_dw > (UINT32_MAX - memory->address) / 4u)
        return GUC_ERROR_PARAMETERS;
    if (load) {
        guc_function_forget(g, function);
        w.does = LOADS;
    } else if (memory->room_dw) {
        w.does = SAVES;
    }
    all(&w);
    w.failed = w.failed || !page_end(&w);
    g->witness->cost_ns += (uint64_t)w.at_dw * WORD_NS;
    if (w.failed && load)
        guc_function_forget(g, function);
    if (w.failed)
        return load ? GUC_ERROR_PARAMETERS : GUC_ERROR_BUFFER;
    *used_dw = w.at_dw;
    return GUC_DONE;
}
