/*
 * Virtual functions: provisioning, run state, and what is cleared when. A VF runs until it is paused, stopped
 * or reset. Then its contexts leave their engines and its messages wait.
 *
 * Steps of a function-level reset (FLR): the VF stops, its registers are cleared, and the PF driver is
 * notified. The PF driver starts the clean-up: contexts, buffers and pending waits are cleared, and engines
 * that run the VF are reset. Then it finishes the FLR and the VF runs again. (SYS-05, SYS-06, SYS-24; Linux,
 * guc_actions_sriov_abi.h)
 */
#include "guc/functions.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <string.h>

void guc_notify_pf(struct guc *g, uint16_t action, const uint32_t *payload, uint32_t length_dw)
{
    struct g2h_backlog *const o = &g->pf_relay_queue;
    if (!g->vfs_isolated) {
        guc_send_event(g, 0, action, payload, length_dw);
        return;
    }
    for (uint32_t i = 0; i < length_dw + 2u && o->count + length_dw + 2u - i <= G2H_BACKLOG_DW; i++)
        o->dw[(o->first + o->count++) % G2H_BACKLOG_DW] = !i ? length_dw : i == 1 ? action : payload[i - 2u];
}

uint32_t guc_pop_pf_relay(struct guc *g, uint32_t *action, uint32_t dw[GUC_MESSAGE_DW])
{
    struct g2h_backlog *const o = &g->pf_relay_queue;
    const uint32_t length_dw = o->count ? o->dw[o->first] % GUC_MESSAGE_DW : 0;
    if (!length_dw || length_dw + 2u > o->count) {
        *o = (struct g2h_backlog){0};
        return 0;
    }
    *action = o->dw[(o->first + 1u) % G2H_BACKLOG_DW];
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = o->dw[(o->first + 2u + i) % G2H_BACKLOG_DW];
    o->first = (o->first + 2u + length_dw) % G2H_BACKLOG_DW;
    o->count -= 2u + length_dw;
    return length_dw;
}

/* Notifies the PF driver about a VF. */
static void notify_pf(struct guc *g, unsigned function, enum vf_notification event)
{
    if (guc_is_serving(g))
        guc_notify_pf(g, G2H_VF_STATE_NOTIFY, (const uint32_t[]){function, event}, 2);
}

static void clear_registers(struct guc *g, unsigned function)
{
    for (unsigned i = 0; i < MAILBOX_DW; i++)
        register_set(g->mmio, GUC_MAILBOX + function * GUC_FUNCTION_BYTES + i * 4u, 0);
    register_set(g->mmio, GUC_HOST_INTERRUPT + function * GUC_FUNCTION_BYTES, 0);
}

void guc_vf_clear(struct guc *g, unsigned function)
{
    struct guc_function *k = &g->functions[function];
    k->ct = (struct guc_ct){0};
    k->backlog = (struct g2h_backlog){0};
    guc_drop_function_contexts(g, function);
    k->state = (struct vf_state){.run_state = k->state.run_state, .busy_ticks = k->state.busy_ticks};
    mmu_invalidate(&k->mmu);
    clear_registers(g, function);
}

void guc_vfs_enabled(struct guc *g, unsigned count)
{
    for (unsigned n = 1; n <= g->vf_count; n++) {
        guc_vf_clear(g, n);
        g->functions[n].state.run_state = n <= count ? VF_RUNNING : VF_STOPPED;
    }
    notify_pf(g, 0, VF_NOTIFY_FLR);
}

void guc_vf_flr(struct guc *g, unsigned function)
{
    struct guc_function *k = &g->functions[function];
    /* Isolated VFs: if the owner has not handled the last FLR, one clean-up serves both. So the queue always
     * has space for a notification of each VF. */
    const bool told = g->vfs_isolated && k->state.run_state == VF_FLR;
    k->state.run_state = VF_FLR;
    k->ct.h2g_pending = 0;
    k->state.host_interrupt_pending = 0;
    guc_function_requeue(g, function);
    clear_registers(g, function);
    if (!told)
        notify_pf(g, function, VF_NOTIFY_FLR);
}

void guc_finish_vf_pauses(struct guc *g)
{
    for (unsigned n = 1; n <= g->vf_count; n++) {
        struct vf_state *p = &g->functions[n].state;
        if (p->run_state != VF_PAUSING || guc_function_is_on_engine(g, n))
            continue;
        p->run_state = VF_PAUSED;
        notify_pf(g, n, VF_NOTIFY_PAUSE_DONE);
    }
}

static void resume_vf(struct guc *g, unsigned function)
{
    g->functions[function].state.run_state = VF_RUNNING;
    g->functions[function].ct.h2g_pending = 1; /* messages from before */
    guc_function_requeue(g, function);
    guc_service_host_interrupts(g);
}

enum guc_error guc_vf_control(struct guc *g, unsigned function, enum vf_control_command command)
{
    uint32_t *const condition = &g->functions[function].state.run_state;
    switch (command) {
    case VF_CONTROL_PAUSE:
        if (*condition != VF_RUNNING)
            return GUC_ERROR_STATE;
        *condition = VF_PAUSING;
        guc_function_requeue(g, function);
        return GUC_DONE;
    case VF_CONTROL_RESUME:
        if ((*condition != VF_PAUSED && *condition != VF_PAUSING) ||
            g->functions[function].state.restored_parts)
            return GUC_ERROR_STATE;
        resume_vf(g, function);
        return GUC_DONE;
    case VF_CONTROL_STOP:
        *condition = VF_STOPPED;
        guc_vf_clear(g, function);
        return GUC_DONE;
    case VF_CONTROL_FLR_START:
        *condition = VF_FLR;
        guc_vf_clear(g, function);
        notify_pf(g, function, VF_NOTIFY_FLR_DONE);
        return GUC_DONE;
    case VF_CONTROL_FLR_FINISH:
        if (*condition != VF_FLR)
            return GUC_ERROR_STATE;
        resume_vf(g, function);
        return GUC_DONE;
    }
    return GUC_ERROR_PARAMETERS;
}

/* ---- Provisioning ---- */

enum { MOST_MS = 100000, MOST_PRIORITY = 2 };
#define SHARE(name, number, dwords, bound, asked)                                                            \
    {                                                                                                        \
        .key = (number), .length_dw = (dwords), .offset = offsetof(struct vf_provisioning, name),            \
        .max = (bound), .vf_may_query = (asked)                                                              \
    }
#define THRESHOLD(number, index) SHARE(thresholds[index], number, 1, UINT32_MAX, false)
static const struct provisioning_klv {
    uint16_t key, length_dw, offset;
    bool vf_may_query; /* a VF may query it */
    uint32_t max;
} provisioning_klvs[] = {
    SHARE(ggtt_start, 0x0001, 2, 0, true),
    SHARE(ggtt_bytes, 0x0002, 2, 0, true),
    SHARE(lmem_bytes, 0x0003, 2, 0, true),
    SHARE(context_count, 0x0004, 1, GUC_CONTEXTS - 1, true),
    SHARE(doorbell_count, 0x0006, 1, GUC_DOORBELLS, true),
    SHARE(exec_quantum_ms, 0x8a01, 1, MOST_MS, false),
    SHARE(preempt_timeout_us, 0x8a02, 1, GUC_MAX_US, false),
    THRESHOLD(0x8a03, GUC_THRESHOLD_CAT_ERR),
    THRESHOLD(0x8a04, GUC_THRESHOLD_ENGINE_RESET),
    THRESHOLD(0x8a05, GUC_THRESHOLD_PAGE_FAULT),
    THRESHOLD(0x8a06, GUC_THRESHOLD_H2G_STORM),
    THRESHOLD(0x8a07, GUC_THRESHOLD_IRQ_STORM),
    THRESHOLD(0x8a08, GUC_THRESHOLD_DOORBELL_STORM),
    THRESHOLD(0x8a0d, GUC_THRESHOLD_MULTI_LRC_COUNT),
    SHARE(first_doorbell, 0x8a0a, 1, GUC_DOORBELLS, false),
    SHARE(first_context, 0x8a0b, 1, GUC_CONTEXTS - 1, false),
    SHARE(sched_priority, 0x8a0c, 1, MOST_PRIORITY, false),
};
enum { SHARE_KEYS = sizeof provisioning_klvs / sizeof provisioning_klvs[0] };

static const struct provisioning_klv *find_klv(uint32_t key)
{
    for (const struct provisioning_klv *k = provisioning_klvs; k < provisioning_klvs + SHARE_KEYS; k++)
        if (k->key == key)
            return k;
    return NULL;
}

enum guc_error guc_vf_query_klv(const struct guc_function *k, uint32_t key, uint32_t value[2],
                                uint32_t *length_dw)
{
    const struct provisioning_klv *s = find_klv(key);
    if (!s || !s->vf_may_query)
        return GUC_ERROR_KEY;
    if (!k->provisioning.provisioned)
        return GUC_ERROR_NOT_PROVISIONED;
    memcpy(value, (const uint8_t *)&k->provisioning + s->offset, s->length_dw * 4u);
    *length_dw = s->length_dw;
    return GUC_DONE;
}

static bool ranges_are_disjoint(uint32_t first, uint32_t count, uint32_t other, uint32_t others)
{
    return !count || !others || first + count <= other || other + others <= first;
}

/* No two functions share context ids or doorbells. */
static bool provisioning_is_valid(const struct guc *g, unsigned function, const struct vf_provisioning *s)
{
    if (s->first_context + s->context_count >= GUC_CONTEXTS ||
        s->first_doorbell + s->doorbell_count > GUC_DOORBELLS || s->ggtt_start > UINT32_MAX ||
        s->ggtt_bytes > (UINT64_C(1) << 32) - s->ggtt_start || s->ggtt_start % PAGE_BYTES ||
        s->ggtt_bytes % PAGE_BYTES)
        return false;
    for (unsigned n = 1; n <= g->vf_count; n++) {
        const struct vf_provisioning *o = &g->functions[n].provisioning;
        if (n != function &&
            (!ranges_are_disjoint(s->first_context, s->context_count, o->first_context, o->context_count) ||
             !ranges_are_disjoint(s->first_doorbell, s->doorbell_count, o->first_doorbell,
                                  o->doorbell_count)))
            return false;
    }
    return true;
}

enum guc_error guc_vf_provision(struct guc *g, unsigned function, const uint32_t *dw, uint32_t length_dw)
{
    struct guc_function *const k = &g->functions[function];
    struct vf_provisioning share = k->provisioning;
    for (uint32_t at = 0; at < length_dw; at += 1u + (dw[at] & 0xffffu)) {
        const struct provisioning_klv *s = find_klv(dw[at] >> 16);
        const uint32_t values_dw = dw[at] & 0xffffu;
        if (!s)
            continue; /* a key of a newer driver */
        if (values_dw != s->length_dw)
            return GUC_ERROR_KLV_LENGTH;
        if (s->length_dw == 1 && dw[at + 1] > s->max)
            return GUC_ERROR_KLV;
        memcpy((uint8_t *)&share + s->offset, dw + at + 1, values_dw * 4u);
    }
    share.provisioned = 1;
    /* The PF has everything that no VF has. */
    if (!function)
        share.first_context = share.context_count = share.first_doorbell = share.doorbell_count = 0;
    else if (!provisioning_is_valid(g, function, &share))
        return GUC_ERROR_KLV;
    if (share.first_context != k->provisioning.first_context ||
        share.context_count < k->provisioning.context_count ||
        share.first_doorbell != k->provisioning.first_doorbell ||
        share.doorbell_count < k->provisioning.doorbell_count)
        guc_drop_function_contexts(g, function);
    k->provisioning = share;
    guc_function_requeue(g, function);
    return GUC_DONE;
}

void guc_vf_unprovision(struct guc *g, unsigned function)
{
    if (function)
        guc_drop_function_contexts(g, function);
    g->functions[function].provisioning = (struct vf_provisioning){0};
}

void guc_count_adverse_event(struct guc *g, unsigned function, enum guc_threshold what)
{
    struct guc_function *const k = &g->functions[function];
    struct vf_state *const p = &k->state;
    const uint64_t period_ns = g->vgt.sample_period_ms * UINT64_C(1000000);
    if (!function || !k->provisioning.thresholds[what])
        return;
    if (period_ns && g->log->now_ns - p->threshold_sample_start_ns >= period_ns) {
        memset(p->threshold_counts, 0, sizeof p->threshold_counts);
        p->threshold_sample_start_ns = g->log->now_ns;
    }
    const struct provisioning_klv *s = provisioning_klvs;
    while (s->offset != offsetof(struct vf_provisioning, thresholds) + (size_t)what * 4u)
        s++;
    if (++p->threshold_counts[what] == k->provisioning.thresholds[what])
        guc_notify_pf(g, G2H_ADVERSE_EVENT, (const uint32_t[]){function, s->key}, 2);
}
