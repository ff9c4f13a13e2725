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
    if (!vfs_are_isolated(g->isolation)) {
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
        guc_register_set(g, g->info->mailbox + function * GUC_FUNCTION_BYTES + i * 4u, 0);
    guc_register_set(g, g->info->host_interrupt + function * GUC_FUNCTION_BYTES, 0);
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
    const bool told = vfs_are_isolated(g->isolation) && k->state.run_state == VF_FLR;
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

static enum guc_error klv_error(enum vf_klv_result result)
{
    static const enum guc_error errors[] = {[VF_KLV_OK] = GUC_DONE,
                                            [VF_KLV_UNKNOWN_KEY] = GUC_ERROR_KEY,
                                            [VF_KLV_BAD_LENGTH] = GUC_ERROR_KLV_LENGTH,
                                            [VF_KLV_BAD_VALUE] = GUC_ERROR_KLV,
                                            [VF_KLV_NOT_PROVISIONED] = GUC_ERROR_NOT_PROVISIONED};
    return errors[result];
}

enum guc_error guc_vf_query_klv(const struct guc_function *k, uint32_t key, uint32_t value[2],
                                uint32_t *length_dw)
{
    enum { GMD_ID = 0x3000 };
    if (key != GMD_ID || !k->guc->info->gmd_id)
        return klv_error(vf_provisioning_query(&k->provisioning, key, value, length_dw));
    value[0] = k->guc->info->gmd_id;
    *length_dw = 1;
    return GUC_DONE;
}

static bool provisioning_is_free(const struct guc *g, unsigned function, const struct vf_provisioning *p)
{
    for (unsigned n = 1; n <= g->vf_count; n++)
        if (n != function && vf_provisioning_overlaps(p, &g->functions[n].provisioning))
            return false;
    return vf_provisioning_is_valid(p);
}

enum guc_error guc_vf_provision(struct guc *g, unsigned function, const uint32_t *dw, uint32_t length_dw)
{
    struct guc_function *const k = &g->functions[function];
    struct vf_provisioning now = k->provisioning;
    const enum vf_klv_result result = vf_provisioning_apply(&now, dw, length_dw);
    if (result != VF_KLV_OK)
        return klv_error(result);
    /* The PF has everything that no VF has. */
    if (!function)
        now.first_context = now.context_count = now.first_doorbell = now.doorbell_count = 0;
    else if (!provisioning_is_free(g, function, &now))
        return GUC_ERROR_KLV;
    if (vf_provisioning_shrinks(&k->provisioning, &now))
        guc_drop_function_contexts(g, function);
    k->provisioning = now;
    guc_function_requeue(g, function);
    return GUC_DONE;
}

enum guc_error guc_set_vgt_policies(struct guc *g, const uint32_t *dw, uint32_t length_dw)
{
    struct vgt_policies policies = g->vgt;
    const enum vf_klv_result result = vgt_policies_apply(&policies, dw, length_dw);
    if (result != VF_KLV_OK)
        return klv_error(result);
    g->vgt = policies;
    guc_schedule_engines(g, (1u << g->engine_count) - 1u);
    return GUC_DONE;
}

void guc_vf_unprovision(struct guc *g, unsigned function)
{
    if (function)
        guc_drop_function_contexts(g, function);
    g->functions[function].provisioning = (struct vf_provisioning){0};
}

void guc_count_adverse_event(struct guc *g, unsigned function, enum vf_threshold what)
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
    if (++p->threshold_counts[what] == k->provisioning.thresholds[what])
        guc_notify_pf(g, G2H_ADVERSE_EVENT, (const uint32_t[]){function, vf_threshold_key(what)}, 2);
}
