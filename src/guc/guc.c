/* The GuC as a unit: its state, resets, time and turns. */
#include "guc/guc.h"

#include "engine/execution.h"
#include "guc/doorbells.h"
#include "guc/interrupts.h"
#include "guc/message.h"
#include "guc/power.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <stdlib.h>

static const struct state_field boot_fields[] = {
    STATE_NUMBER(struct guc_boot, state, GUC_READY + 1),
    STATE_NUMBER(struct guc_boot, log, 0),
    STATE_NUMBER(struct guc_boot, workarounds, 0),
    STATE_NUMBER(struct guc_boot, features, 0),
    STATE_NUMBER(struct guc_boot, debug, 0),
    STATE_NUMBER(struct guc_boot, ads, 0),
    STATE_NUMBER(struct guc_boot, device, 0),
    STATE_NUMBER(struct guc_boot, policies, 0),
    STATE_NUMBER(struct guc_boot, engine_usage, 0),
    STATE_NUMBER(struct guc_boot, activity_metadata, 0),
    STATE_NUMBER(struct guc_boot, activity, 0),
    STATE_NUMBER(struct guc_boot, activity_changes, 0),
    STATE_NUMBER(struct guc_boot, host_interrupt_pending, 2),
};
static const struct state_field buffer_fields[] = {
    STATE_NUMBER(struct guc_ctb, descriptor, 0), STATE_NUMBER(struct guc_ctb, address, 0),
    STATE_NUMBER(struct guc_ctb, bytes, 0),      STATE_NUMBER(struct guc_ctb, position_dw, 0),
    STATE_NUMBER(struct guc_ctb, provided, 8),   STATE_NUMBER(struct guc_ctb, enabled, 2),
    STATE_NUMBER(struct guc_ctb, broken, 2),     STATE_NUMBERS(struct guc_ctb, reserved, 1),
};
static const struct state_field channels_fields[] = {
    STATE_STRUCTS(struct guc_ct, ctbs, buffer_fields),   STATE_NUMBER(struct guc_ct, memirq_status, 0),
    STATE_NUMBER(struct guc_ct, memirq_source, 0),       STATE_NUMBER(struct guc_ct, request_progress, 0),
    STATE_NUMBER(struct guc_ct, request_progress_dw, 0), STATE_NUMBER(struct guc_ct, h2g_pending, 2),
    STATE_NUMBERS(struct guc_ct, reserved, 1),
};
static const struct state_field outbox_fields[] = {
    STATE_NUMBER(struct g2h_backlog, first, G2H_BACKLOG_DW),
    STATE_NUMBER(struct g2h_backlog, count, G2H_BACKLOG_DW + 1),
    STATE_NUMBERS(struct g2h_backlog, dw, 0),
};
static const struct state_field power_fields[] = {
    STATE_NUMBER(struct guc_power, shared_data, 0), STATE_NUMBER(struct guc_power, override_mask, 0),
    STATE_NUMBERS(struct guc_power, values, 0),     STATE_NUMBER(struct guc_power, rc6, 0),
    STATE_NUMBER(struct guc_power, yield_ms, 0),    STATE_NUMBER(struct guc_power, yield_percent, 0),
    STATE_NUMBER(struct guc_power, busy, 2),        STATE_NUMBER(struct guc_power, busy_ns, 0),
};
static const struct state_field slot_fields[] = {
    STATE_NUMBER(struct guc_engine_state, active_since_ns, 0),
    STATE_NUMBER(struct guc_engine_state, deadline_ns, 0),
    STATE_NUMBER(struct guc_engine_state, function_since_ns, 0),
    STATE_NUMBER(struct guc_engine_state, busy_ticks, 0),
    STATE_NUMBER(struct guc_engine_state, busy_since_ticks, 0),
    STATE_NUMBER(struct guc_engine_state, active, GUC_CONTEXTS + 1),
    STATE_NUMBER(struct guc_engine_state, submitted, GUC_CONTEXTS + 2),
    STATE_NUMBER(struct guc_engine_state, activity_changes, 0),
    STATE_NUMBER(struct guc_engine_state, hung, 2),
    STATE_NUMBER(struct guc_engine_state, function, MOST_FUNCTIONS + 1),
    STATE_NUMBERS(struct guc_engine_state, reserved, 1),
};
static const struct state_field share_fields[] = {
    STATE_NUMBER(struct vf_provisioning, ggtt_start, 0),
    STATE_NUMBER(struct vf_provisioning, ggtt_bytes, 0),
    STATE_NUMBER(struct vf_provisioning, lmem_bytes, 0),
    STATE_NUMBER(struct vf_provisioning, context_count, GUC_CONTEXTS),
    STATE_NUMBER(struct vf_provisioning, first_context, GUC_CONTEXTS),
    STATE_NUMBER(struct vf_provisioning, doorbell_count, GUC_DOORBELLS + 1),
    STATE_NUMBER(struct vf_provisioning, first_doorbell, GUC_DOORBELLS + 1),
    STATE_NUMBER(struct vf_provisioning, exec_quantum_ms, 0),
    STATE_NUMBER(struct vf_provisioning, preempt_timeout_us, 0),
    STATE_NUMBER(struct vf_provisioning, sched_priority, 3),
    STATE_NUMBER(struct vf_provisioning, provisioned, 2),
    STATE_NUMBERS(struct vf_provisioning, thresholds, 0),
};
static const struct state_field presence_fields[] = {
    STATE_NUMBER(struct vf_state, busy_ticks, 0),
    STATE_NUMBER(struct vf_state, threshold_sample_start_ns, 0),
    STATE_NUMBERS(struct vf_state, threshold_counts, 0),
    STATE_NUMBER(struct vf_state, run_state, VF_FLR + 1),
    STATE_NUMBER(struct vf_state, abi_version, 0),
    STATE_NUMBER(struct vf_state, host_interrupt_pending, 2),
    STATE_NUMBER(struct vf_state, restored_parts, GUC_CONTEXTS),
};
static const struct state_field vgt_fields[] = {
    STATE_NUMBER(struct vgt_policies, sched_if_idle, 2),
    STATE_NUMBER(struct vgt_policies, sample_period_ms, 0),
    STATE_NUMBER(struct vgt_policies, reset_after_vf_switch, 2),
    STATE_NUMBER(struct vgt_policies, reserved, 1),
};
static const struct state_field slots_fields[] = {
    STATE_STRUCTS(struct guc_engines, list, slot_fields),
    STATE_NUMBER(struct guc_engines, next_ticket, GUC_CONTEXTS),
    STATE_NUMBER(struct guc_engines, service_mask, 0),
    STATE_NUMBER(struct guc_engines, has_yielded, 2),
    STATE_NUMBERS(struct guc_engines, reserved, 1),
};
static const struct state_field doorbell_fields[] = {
    STATE_NUMBER(struct guc_doorbell, cookie, 0),
    STATE_NUMBER(struct guc_doorbell, context, GUC_CONTEXTS + 1),
    STATE_NUMBER(struct guc_doorbell, address, 0),
    STATE_NUMBER(struct guc_doorbell, in_memory, 2),
    STATE_NUMBERS(struct guc_doorbell, reserved, 1),
};
static const struct state_field doorbells_fields[] = {
    STATE_STRUCTS(struct guc_doorbells, list, doorbell_fields),
    STATE_NUMBER(struct guc_doorbells, in_memory_count, GUC_DOORBELLS + 1),
    STATE_NUMBER(struct guc_doorbells, reserved, 1),
};
static const struct state_field totals_fields[] = {
    STATE_NUMBER(struct guc_totals, requests, 0),    STATE_NUMBER(struct guc_totals, replies, 0),
    STATE_NUMBER(struct guc_totals, failures, 0),    STATE_NUMBER(struct guc_totals, events, 0),
    STATE_NUMBER(struct guc_totals, unknown, 0),     STATE_NUMBER(struct guc_totals, submissions, 0),
    STATE_NUMBER(struct guc_totals, preemptions, 0), STATE_NUMBER(struct guc_totals, timeouts, 0),
    STATE_NUMBER(struct guc_totals, resets, 0),      STATE_NUMBER(struct guc_totals, doorbells, 0),
};

static const struct section sections[] = {
    SECTION(struct guc, boot, 1, OUTLIVES_NOTHING, boot_fields, NULL),
    SECTION(struct guc, vgt, 1, OUTLIVES_NOTHING, vgt_fields, NULL),
    SECTION(struct guc, power, 2, OUTLIVES_NOTHING, power_fields, NULL),
    SECTION(struct guc, engine_states, 4, OUTLIVES_NOTHING, slots_fields, NULL),
    SECTION(struct guc, doorbells, 2, OUTLIVES_NOTHING, doorbells_fields, NULL),
    SECTION(struct guc, totals, 1, OUTLIVES_DEVICE_RESET, totals_fields, NULL),
    SECTION(struct guc, pf_relay_queue, 1, OUTLIVES_NOTHING, outbox_fields, NULL),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };
/* Each function's. */
static const struct section client_sections[] = {
    SECTION(struct guc_function, ct, 3, OUTLIVES_NOTHING, channels_fields, NULL),
    SECTION(struct guc_function, backlog, 1, OUTLIVES_NOTHING, outbox_fields, NULL),
    SECTION(struct guc_function, provisioning, 1, OUTLIVES_NOTHING, share_fields, NULL),
    SECTION(struct guc_function, state, 2, OUTLIVES_NOTHING, presence_fields, NULL),
};
enum { CLIENT_SECTIONS = sizeof client_sections / sizeof client_sections[0] };

static const char *function_unit_name(const struct guc_function *k)
{
    return k->number ? function_name(k->number) : "guc";
}

static void guc_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)space, (void)level;
    const struct guc_function *k = user;
    complain_of(k->guc->witness, SOFTGT_MISTAKE_FAULT, function_unit_name(k), address,
                "%s of an address that is not mapped", write ? "write" : "read");
}

bool guc_can_access(struct guc_function *k, uint32_t address, size_t size_bytes)
{
    enum { MMIO_BYTES = 8 << 20 };
    const struct guc *const g = k->guc;
    const uint64_t wopcm = register_value(g->mmio, GUC_WOPCM_SIZE) & 0xfffff000u,
                   own = wopcm < g->info->wopcm_bytes ? wopcm : g->info->wopcm_bytes,
                   first = own > GUC_SRAM_END ? own : GUC_SRAM_END, end = (UINT64_C(1) << 32) - MMIO_BYTES;
    if (address >= first && address < end && size_bytes <= end - address)
        return true;
    complain_of(g->witness, SOFTGT_MISTAKE_FAULT, function_unit_name(k), address,
                "access of an address where the core has %s, not graphics memory",
                address < first ? "its own memory" : "registers");
    return false;
}

void guc_invalidate_tlbs(struct guc *g)
{
    for (unsigned n = 0; n <= g->vf_count; n++)
        mmu_invalidate(&g->functions[n].mmu);
}

void guc_remap(struct guc *g)
{
    for (unsigned n = 0; n <= g->vf_count; n++)
        mmu_remap(&g->functions[n].mmu);
}

/* What the physical function's driver has of it goes; the others, and what they have in engines, stay. */
static void guc_reset_pf(struct guc *g, enum reset_scope scope)
{
    struct guc_function *const own = g->functions;
    register_file_reset(g->mmio, "guc", scope > RESET_ENGINE);
    g->boot = (struct guc_boot){0};
    g->power = (struct guc_power){0};
    own->ct = (struct guc_ct){0};
    own->backlog = (struct g2h_backlog){0};
    own->state = (struct vf_state){.busy_ticks = own->state.busy_ticks};
    guc_interrupts_settle(g);
    guc_doorbells_enable(g);
    guc_update_dma_root(g);
    guc_drop_function_contexts(g, 0);
    guc_doorbells_ring_armed(g);
    for (unsigned e = 0; e < g->engine_count; e++)
        g->engine_states.list[e].hung = 0;
    guc_service_all_engines(g); /* what others had in engines that were reset comes again */
    g->gt->controller_decides = 0;
    if (scope > RESET_ENGINE)
        state_table_clear(&g->sram_and_wopcm);
    guc_invalidate_tlbs(g);
}

static void guc_reset(void *unit, enum reset_scope scope)
{
    struct guc *g = unit;
    if (g->vfs_isolated) {
        guc_reset_pf(g, scope);
        return;
    }
    register_file_reset(g->mmio, "guc", scope > RESET_ENGINE);
    guc_drop_all_contexts(g, false);
    guc_interrupts_settle(g);
    guc_doorbells_settle(g);
    guc_update_dma_root(g);
    sections_reset(sections, SECTIONS, g, scope);
    guc_service_all_engines(g);
    for (unsigned n = 0; n <= g->vf_count; n++)
        sections_reset(client_sections, CLIENT_SECTIONS, &g->functions[n], scope);
    g->gt->controller_decides = g->power.rc6;
    if (scope > RESET_ENGINE)
        state_table_clear(&g->sram_and_wopcm);
    guc_invalidate_tlbs(g);
}

/* GDRST was written. */
static void domains_reset(void *user, uint32_t domains)
{
    struct guc *g = user;
    if (domains & (1u | g->info->reset_bits))
        guc_reset(g, RESET_ENGINE);
}

static void gt_sleeps(void *user)
{
    guc_invalidate_tlbs(user);
}

bool guc_create(struct guc *g, struct memory *memory)
{
    g->vf_count = memory->functions;
    g->functions = calloc(g->vf_count + 1u, sizeof *g->functions);
    g->message_index = calloc(GUC_INDEX_SIZE, sizeof *g->message_index);
    if (!g->functions || !g->message_index)
        return false;
    guc_messages_index(g->message_index);
    const size_t own_dw = (GUC_SRAM_END + g->info->wopcm_bytes) / 4u;
    g->sram_and_wopcm.dwords = calloc(own_dw, 4);
    if (!g->sram_and_wopcm.dwords ||
        !state_table_create(&g->sram_and_wopcm, g->sram_and_wopcm.dwords, own_dw))
        return false;
    for (unsigned n = 0; n <= g->vf_count; n++) {
        struct guc_function *k = &g->functions[n];
        k->guc = g;
        k->number = n;
        mmu_init(&k->mmu, memory, k, guc_fault);
        mmu_set_function(&k->mmu, n);
        if (!register_file_place(g->mmio, &guc_function_registers, n * GUC_FUNCTION_BYTES, k,
                                 function_unit_name(k)))
            return false;
    }
    if (g->vfs_isolated) {
        g->mmio->others_first = GUC_FUNCTION_FIRST + GUC_FUNCTION_BYTES;
        g->mmio->others_end = GUC_FUNCTION_FIRST + (g->vf_count + 1u) * GUC_FUNCTION_BYTES;
    }
    g->by = (struct accessor){.name = "guc", .client = g, .kind = BY_UNIT, .privileged = true};
    for (const struct register_block *const *b = g->info->blocks; *b; b++)
        if (!register_file_place(g->mmio, *b, 0, g, "guc"))
            return false;
    g->gt->domains_reset = domains_reset;
    g->gt->controller_sleeps = gt_sleeps;
    g->gt->domains_user = g;
    return guc_schedule_create(g);
}

void guc_destroy(struct guc *g)
{
    guc_schedule_destroy(g);
    free(g->functions);
    free(g->message_index);
    free(g->sram_and_wopcm.dwords);
    free(g->sram_and_wopcm.used);
}

static void guc_settle(void *unit)
{
    struct guc *g = unit;
    guc_remap(g);
    guc_update_dma_root(g);
    g->gt->controller_decides = g->power.rc6;
    guc_schedule_settle(g);
    guc_interrupts_settle(g);
    guc_doorbells_settle(g);
}

static void guc_state(void *unit, struct state *s)
{
    struct guc *g = unit;
    sections_state(sections, SECTIONS, g, "guc", s);
    for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++) {
        sections_state(client_sections, CLIENT_SECTIONS, k, function_unit_name(k), s);
        for (const struct guc_ctb *b = k->ct.ctbs; b <= &k->ct.ctbs[G2H]; b++)
            state_check(s, !b->enabled || (guc_ctb_is_valid(b) && b->position_dw < b->bytes / 4u));
    }
    const size_t begin = state_section_begin(s, "guc", "contexts", 1);
    guc_schedule_state(g, s);
    state_section_end(s, begin);
    const size_t own = state_section_begin(s, "guc", "memory", 1);
    state_table(s, &g->sram_and_wopcm);
    state_section_end(s, own);
    for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
        mmu_state(&k->mmu, function_unit_name(k), s);
}

uint64_t guc_clock(const struct guc *g)
{
    return engine_ticks(g->witness->now_ns, g->info->timestamp_hz);
}

/* Who reads none of its messages is not listened to; with virtual functions it holds up nobody else. */
static bool may_service(const struct guc *g)
{
    return g->vf_count || !g->functions->backlog.count;
}

static bool guc_runnable(const void *unit)
{
    const struct guc *g = unit;
    if (g->boot.state == GUC_BOOTING || !guc_is_serving(g))
        return g->boot.state == GUC_BOOTING;
    return may_service(g) && guc_interrupts_next(g) != SOURCE_NONE;
}

/* The host tells nobody that it has read its messages, nor that it wrote to a doorbell in memory. */
static bool guc_polls(const void *unit)
{
    const struct guc *g = unit;
    bool waiting = false;
    for (const struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
        waiting |= k->backlog.count != 0;
    return waiting || g->doorbells.in_memory_count;
}

static void guc_advance(void *unit, uint64_t before_ns)
{
    (void)before_ns;
    guc_schedule_advance(unit);
    guc_power_update(unit);
}

static uint64_t guc_next_event_ns(const void *unit)
{
    const uint64_t next_ns = guc_schedule_next_ns(unit), power_ns = guc_power_next_ns(unit);
    return power_ns < next_ns ? power_ns : next_ns;
}

static uint64_t guc_run(void *unit, uint64_t budget_dw)
{
    enum { BOOT_DW = 1000, MESSAGE_DW = 50, ATTENTION_DW = 20 };
    struct guc *g = unit;
    uint64_t used = 0;
    g->witness->cost_ns = 0; /* the CPU's accesses are no unit's */
    if (g->boot.state == GUC_BOOTING) {
        guc_boot(g);
        used += BOOT_DW;
    }
    if (!guc_is_serving(g))
        return used;
    guc_doorbells_poll_memory(g);
    while (used < budget_dw) {
        for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
            guc_send_backlog(k);
        const enum guc_source source = may_service(g) ? guc_interrupts_next(g) : SOURCE_NONE;
        if (source == SOURCE_ENGINES_0 || source == SOURCE_ENGINES_1) {
            const unsigned engine = (unsigned)__builtin_ctz(g->engine_states.service_mask &
                                                            g->engines_of_group[source - SOURCE_ENGINES_0]);
            g->engine_states.service_mask &= ~(1u << engine);
            guc_service_engine(g, engine);
            used += ATTENTION_DW;
        } else if (source == SOURCE_DOORBELLS) {
            guc_doorbells_service(g);
            used += MESSAGE_DW;
        } else if (source == SOURCE_HOST) {
            /* A message of each function in turn; those without a pin are not heard. */
            for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
                if (guc_function_has_request(k) && g->pin_level[guc_host_group(k->number)])
                    used += guc_receive(k) ? MESSAGE_DW : 0;
        } else {
            break;
        }
        guc_finish_vf_pauses(g);
        used += budget_taken_dw(g->witness);
    }
    guc_power_update(g);
    return used;
}

const struct unit_shape guc_shape = {.sections = sections,
                                     .section_count = SECTIONS,
                                     .reset = guc_reset,
                                     .settle = guc_settle,
                                     .state = guc_state,
                                     .advance = guc_advance,
                                     .next_event_ns = guc_next_event_ns,
                                     .runnable = guc_runnable,
                                     .polls = guc_polls,
                                     .run = guc_run};
