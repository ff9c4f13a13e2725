/*
 * Virtual functions as the GuC knows them: what each was given, whether it runs, and what of it is forgotten
 * when. A function runs until it is paused, stopped or reset: then its contexts leave their engines and its
 * messages wait. Its function-level reset has these steps: it runs no more, its registers are cleared and the
 * physical function's driver is told; that has it cleaned up (all that it knows of contexts, buffers and
 * pending waits goes, an engine is reset only where it runs on its behalf), and lets it run again. (SYS-05,
 * SYS-06, SYS-24; Linux, guc_actions_sriov_abi.h)
 */
#include "guc/functions.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <string.h>

enum { EVENT_STATE = 0x5106, EVENT_ADVERSE = 0x5104 };

void guc_tell(struct guc *g, uint16_t action, const uint32_t *payload, uint32_t length_dw)
{
    struct guc_outbox *const o = &g->told;
    if (!g->apart) {
        guc_event(g, 0, action, payload, length_dw);
        return;
    }
    for (uint32_t i = 0; i < length_dw + 2u && o->count + length_dw + 2u - i <= GUC_OUTBOX_DW; i++)
        o->dw[(o->first + o->count++) % GUC_OUTBOX_DW] = !i ? length_dw : i == 1 ? action : payload[i - 2u];
}

uint32_t guc_told(struct guc *g, uint32_t *action, uint32_t dw[GUC_MESSAGE_DW])
{
    struct guc_outbox *const o = &g->told;
    const uint32_t length_dw = o->count ? o->dw[o->first] % GUC_MESSAGE_DW : 0;
    if (!length_dw || length_dw + 2u > o->count) {
        *o = (struct guc_outbox){0};
        return 0;
    }
    *action = o->dw[(o->first + 1u) % GUC_OUTBOX_DW];
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = o->dw[(o->first + 2u + i) % GUC_OUTBOX_DW];
    o->first = (o->first + 2u + length_dw) % GUC_OUTBOX_DW;
    o->count -= 2u + length_dw;
    return length_dw;
}

/* The driver of the physical function hears of another one. */
static void tell(struct guc *g, unsigned function, enum guc_function_event event)
{
    if (guc_serves(g))
        guc_tell(g, EVENT_STATE, (const uint32_t[]){function, event}, 2);
}

static void clear_registers(struct guc *g, unsigned function)
{
    for (unsigned i = 0; i < MAILBOX_DW; i++)
        register_set(g->mmio, GUC_MAILBOX + function * GUC_FUNCTION_BYTES + i * 4u, 0);
    register_set(g->mmio, GUC_HOST_INTERRUPT + function * GUC_FUNCTION_BYTES, 0);
}

void guc_function_forget(struct guc *g, unsigned function)
{
    struct guc_client *k = &g->clients[function];
    k->channels = (struct guc_channels){0};
    k->outbox = (struct guc_outbox){0};
    guc_forget_function(g, function);
    k->presence =
        (struct guc_presence){.condition = k->presence.condition, .busy_ticks = k->presence.busy_ticks};
    mmu_invalidate(&k->mmu);
    clear_registers(g, function);
}

void guc_functions_enabled(struct guc *g, unsigned count)
{
    for (unsigned n = 1; n <= g->functions; n++) {
        guc_function_forget(g, n);
        g->clients[n].presence.condition = n <= count ? GUC_FUNCTION_RUNS : GUC_FUNCTION_STOPPED;
    }
    tell(g, 0, GUC_EVENT_CHANGED);
}

void guc_function_reset(struct guc *g, unsigned function)
{
    struct guc_client *k = &g->clients[function];
    /* An owner who has not heard of the last one cleans up behind both: there is room to tell of each
     * function. */
    const bool told = g->apart && k->presence.condition == GUC_FUNCTION_RESET;
    k->presence.condition = GUC_FUNCTION_RESET;
    k->channels.notified = 0;
    k->presence.pending = 0;
    guc_function_changed(g, function);
    clear_registers(g, function);
    if (!told)
        tell(g, function, GUC_EVENT_CHANGED);
}

void guc_functions_look(struct guc *g)
{
    for (unsigned n = 1; n <= g->functions; n++) {
        struct guc_presence *p = &g->clients[n].presence;
        if (p->condition != GUC_FUNCTION_PAUSES || guc_function_in_engines(g, n))
            continue;
        p->condition = GUC_FUNCTION_PAUSED;
        tell(g, n, GUC_EVENT_PAUSED);
    }
}

static void run_again(struct guc *g, unsigned function)
{
    g->clients[function].presence.condition = GUC_FUNCTION_RUNS;
    g->clients[function].channels.notified = 1; /* what it said where it was before */
    guc_function_changed(g, function);
    guc_hear_host(g);
}

enum guc_error guc_function_control(struct guc *g, unsigned function, enum guc_function_command command)
{
    uint32_t *const condition = &g->clients[function].presence.condition;
    switch (command) {
    case GUC_FUNCTION_PAUSE:
        if (*condition != GUC_FUNCTION_RUNS)
            return GUC_ERROR_STATE;
        *condition = GUC_FUNCTION_PAUSES;
        guc_function_changed(g, function);
        return GUC_DONE;
    case GUC_FUNCTION_RESUME:
        if ((*condition != GUC_FUNCTION_PAUSED && *condition != GUC_FUNCTION_PAUSES) ||
            g->clients[function].presence.loaded)
            return GUC_ERROR_STATE;
        run_again(g, function);
        return GUC_DONE;
    case GUC_FUNCTION_STOP:
        *condition = GUC_FUNCTION_STOPPED;
        guc_function_forget(g, function);
        return GUC_DONE;
    case GUC_FUNCTION_RESET_START:
        *condition = GUC_FUNCTION_RESET;
        guc_function_forget(g, function);
        tell(g, function, GUC_EVENT_RESET_DONE);
        return GUC_DONE;
    case GUC_FUNCTION_RESET_END:
        if (*condition != GUC_FUNCTION_RESET)
            return GUC_ERROR_STATE;
        run_again(g, function);
        return GUC_DONE;
    }
    return GUC_ERROR_PARAMETERS;
}

/* ---- Shares ---- */

enum { MOST_MS = 100000, MOST_PRIORITY = 2 };
#define SHARE(name, number, dwords, bound, asked)                                                            \
    {                                                                                                        \
        .key = (number), .length_dw = (dwords), .offset = offsetof(struct guc_share, name), .most = (bound), \
        .own = (asked)                                                                                       \
    }
#define THRESHOLD(number, index) SHARE(thresholds[index], number, 1, UINT32_MAX, false)
static const struct share_key {
    uint16_t key, length_dw, offset;
    bool own; /* a function may ask for it */
    uint32_t most;
} share_keys[] = {
    SHARE(ggtt_start, 0x0001, 2, 0, true),
    SHARE(ggtt_bytes, 0x0002, 2, 0, true),
    SHARE(local_bytes, 0x0003, 2, 0, true),
    SHARE(contexts, 0x0004, 1, GUC_CONTEXTS - 1, true),
    SHARE(doorbells, 0x0006, 1, GUC_DOORBELLS, true),
    SHARE(quantum_ms, 0x8a01, 1, MOST_MS, false),
    SHARE(preemption_us, 0x8a02, 1, GUC_MOST_US, false),
    THRESHOLD(0x8a03, GUC_THRESHOLD_CATASTROPHES),
    THRESHOLD(0x8a04, GUC_THRESHOLD_RESETS),
    THRESHOLD(0x8a05, GUC_THRESHOLD_PAGE_FAULTS),
    THRESHOLD(0x8a06, GUC_THRESHOLD_MESSAGES),
    THRESHOLD(0x8a07, GUC_THRESHOLD_INTERRUPTS),
    THRESHOLD(0x8a08, GUC_THRESHOLD_DOORBELLS),
    THRESHOLD(0x8a0d, GUC_THRESHOLD_PARALLEL),
    SHARE(first_doorbell, 0x8a0a, 1, GUC_DOORBELLS, false),
    SHARE(first_context, 0x8a0b, 1, GUC_CONTEXTS - 1, false),
    SHARE(priority, 0x8a0c, 1, MOST_PRIORITY, false),
};
enum { SHARE_KEYS = sizeof share_keys / sizeof share_keys[0] };

static const struct share_key *share_key(uint32_t key)
{
    for (const struct share_key *k = share_keys; k < share_keys + SHARE_KEYS; k++)
        if (k->key == key)
            return k;
    return NULL;
}

enum guc_error guc_share_ask(const struct guc_client *k, uint32_t key, uint32_t value[2], uint32_t *length_dw)
{
    const struct share_key *s = share_key(key);
    if (!s || !s->own)
        return GUC_ERROR_KEY;
    if (!k->share.given)
        return GUC_ERROR_NOT_PROVISIONED;
    memcpy(value, (const uint8_t *)&k->share + s->offset, s->length_dw * 4u);
    *length_dw = s->length_dw;
    return GUC_DONE;
}

static bool apart(uint32_t first, uint32_t count, uint32_t other, uint32_t others)
{
    return !count || !others || first + count <= other || other + others <= first;
}

/* What is a function's is no other's. */
static bool share_can_be(const struct guc *g, unsigned function, const struct guc_share *s)
{
    if (s->first_context + s->contexts >= GUC_CONTEXTS || s->first_doorbell + s->doorbells > GUC_DOORBELLS ||
        s->ggtt_start > UINT32_MAX || s->ggtt_bytes > (UINT64_C(1) << 32) - s->ggtt_start ||
        s->ggtt_start % PAGE_BYTES || s->ggtt_bytes % PAGE_BYTES)
        return false;
    for (unsigned n = 1; n <= g->functions; n++) {
        const struct guc_share *o = &g->clients[n].share;
        if (n != function && (!apart(s->first_context, s->contexts, o->first_context, o->contexts) ||
                              !apart(s->first_doorbell, s->doorbells, o->first_doorbell, o->doorbells)))
            return false;
    }
    return true;
}

enum guc_error guc_share_set(struct guc *g, unsigned function, const uint32_t *dw, uint32_t length_dw)
{
    struct guc_client *const k = &g->clients[function];
    struct guc_share share = k->share;
    for (uint32_t at = 0; at < length_dw; at += 1u + (dw[at] & 0xffffu)) {
        const struct share_key *s = share_key(dw[at] >> 16);
        const uint32_t values_dw = dw[at] & 0xffffu;
        if (!s)
            continue; /* of a newer driver */
        if (values_dw != s->length_dw)
            return GUC_ERROR_KLV_LENGTH;
        if (s->length_dw == 1 && dw[at + 1] > s->most)
            return GUC_ERROR_KLV;
        memcpy((uint8_t *)&share + s->offset, dw + at + 1, values_dw * 4u);
    }
    share.given = 1;
    /* The physical one has all that is nobody else's. */
    if (!function)
        share.first_context = share.contexts = share.first_doorbell = share.doorbells = 0;
    else if (!share_can_be(g, function, &share))
        return GUC_ERROR_KLV;
    if (share.first_context != k->share.first_context || share.contexts < k->share.contexts ||
        share.first_doorbell != k->share.first_doorbell || share.doorbells < k->share.doorbells)
        guc_forget_function(g, function);
    k->share = share;
    guc_function_changed(g, function);
    return GUC_DONE;
}

void guc_share_take(struct guc *g, unsigned function)
{
    if (function)
        guc_forget_function(g, function);
    g->clients[function].share = (struct guc_share){0};
}

void guc_adverse(struct guc *g, unsigned function, enum guc_threshold what)
{
    struct guc_client *const k = &g->clients[function];
    struct guc_presence *const p = &k->presence;
    const uint64_t period_ns = g->vgt.sample_period_ms * UINT64_C(1000000);
    if (!function || !k->share.thresholds[what])
        return;
    if (period_ns && g->witness->now_ns - p->counted_since_ns >= period_ns) {
        memset(p->counts, 0, sizeof p->counts);
        p->counted_since_ns = g->witness->now_ns;
    }
    const struct share_key *s = share_keys;
    while (s->offset != offsetof(struct guc_share, thresholds) + (size_t)what * 4u)
        s++;
    if (++p->counts[what] == k->share.thresholds[what])
        guc_tell(g, EVENT_ADVERSE, (const uint32_t[]){function, s->key}, 2);
}
