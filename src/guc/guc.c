/* The GuC as a unit: state, resets, time, run. */
#include "guc/guc.h"

#include "engine/execution.h"
#include "guc/doorbells.h"
#include "guc/interrupts.h"
#include "guc/power.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <stdlib.h>

static STATE_TABLE(guc_boot_fields, struct guc_boot, GUC_BOOT)
static STATE_TABLE(guc_ctb_fields, struct guc_ctb, GUC_CTB)
static STATE_TABLE(guc_ct_fields, struct guc_ct, GUC_CT)
static STATE_TABLE(g2h_backlog_fields, struct g2h_backlog, GUC_G2H_BACKLOG)
static STATE_TABLE(vf_provisioning_fields, struct vf_provisioning, VF_PROVISIONING)
static STATE_TABLE(vf_state_fields, struct vf_state, VF_STATE)
static STATE_TABLE(vgt_policies_fields, struct vgt_policies, VGT_POLICIES)
static STATE_TABLE(guc_power_fields, struct guc_power, GUC_POWER)
static STATE_TABLE(guc_engine_state_fields, struct guc_engine_state, GUC_ENGINE_STATE)
static STATE_TABLE(guc_engines_fields, struct guc_engines, GUC_ENGINE_STATES)
static STATE_TABLE(guc_doorbell_fields, struct guc_doorbell, GUC_DOORBELL)
static STATE_TABLE(guc_doorbells_fields, struct guc_doorbells, GUC_ALL_DOORBELLS)
static STATE_TABLE(guc_totals_fields, struct guc_totals, GUC_TOTALS)

/* After a reset no context runs and no doorbell is armed. */
#define TIMES_4(...)  __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define TIMES_16(...) TIMES_4(TIMES_4(__VA_ARGS__))
#define NOT_RUNNING                                                                                          \
    {                                                                                                        \
        .active = GUC_NO_CONTEXT, .submitted = GUC_NO_CONTEXT                                                \
    }
#define NOT_ARMED                                                                                            \
    {                                                                                                        \
        .context = GUC_NO_CONTEXT                                                                            \
    }
const struct guc_engines guc_engines_initial = {.list = {TIMES_16(NOT_RUNNING)}};
static const struct guc_doorbells doorbells_initial = {.list = {TIMES_16(TIMES_16(NOT_ARMED))}};
_Static_assert(GUC_ENGINES == 16 && GUC_DOORBELLS == 256, "the initial states above");

static const struct section sections[] = {
    SECTION(struct guc, boot, 1, SURVIVES_NOTHING, guc_boot_fields, NULL),
    SECTION(struct guc, vgt, 1, SURVIVES_NOTHING, vgt_policies_fields, NULL),
    SECTION(struct guc, power, 2, SURVIVES_NOTHING, guc_power_fields, NULL),
    SECTION(struct guc, engine_states, 5, SURVIVES_NOTHING, guc_engines_fields, &guc_engines_initial),
    SECTION(struct guc, doorbells, 3, SURVIVES_NOTHING, guc_doorbells_fields, &doorbells_initial),
    SECTION(struct guc, totals, 1, SURVIVES_DEVICE_RESET, guc_totals_fields, NULL),
    SECTION(struct guc, pf_relay_queue, 1, SURVIVES_NOTHING, g2h_backlog_fields, NULL),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };
/* Of each function. */
const struct section guc_function_sections[GUC_FUNCTION_SECTIONS] = {
    SECTION(struct guc_function, ct, 3, SURVIVES_NOTHING, guc_ct_fields, NULL),
    SECTION(struct guc_function, backlog, 1, SURVIVES_NOTHING, g2h_backlog_fields, NULL),
    SECTION(struct guc_function, provisioning, 1, SURVIVES_NOTHING, vf_provisioning_fields, NULL),
    SECTION(struct guc_function, state, 2, SURVIVES_NOTHING, vf_state_fields, NULL),
};

static const char *function_unit_name(const struct guc_function *k)
{
    return k->number ? k->guc->info->vf_unit_name(k->number) : k->guc->by.name;
}

static void guc_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)space, (void)level;
    const struct guc_function *k = user;
    report_guest_error(k->guc->log, SOFTGT_MISTAKE_FAULT, function_unit_name(k), address,
                       "%s of an address that is not mapped", write ? "write" : "read");
}

bool guc_can_access(struct guc_function *k, uint32_t address, size_t size_bytes)
{
    enum { MMIO_BYTES = 8 << 20 };
    const struct guc *const g = k->guc;
    const uint64_t wopcm = guc_register(g, GUC_WOPCM_SIZE) & 0xfffff000u,
                   own = wopcm < g->info->wopcm_bytes ? wopcm : g->info->wopcm_bytes,
                   first = own > GUC_SRAM_END ? own : GUC_SRAM_END, end = (UINT64_C(1) << 32) - MMIO_BYTES;
    if (address >= first && address < end && size_bytes <= end - address)
        return true;
    report_guest_error(g->log, SOFTGT_MISTAKE_FAULT, function_unit_name(k), address,
                       "access outside graphics memory: the core has %s there",
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

/* Reset with isolated VFs: the state of the PF is lost; VFs and their contexts stay. */
static void guc_reset_pf(struct guc *g, enum reset_scope scope)
{
    struct guc_function *const own = g->functions;
    register_file_reset(g->mmio, g->by.name, scope > RESET_ENGINE);
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
    guc_service_all_engines(g); /* VFs' contexts on engines that were reset are submitted again */
    g->gt->controller_decides = 0;
    if (scope > RESET_ENGINE)
        state_table_clear(&g->sram_and_wopcm);
    guc_invalidate_tlbs(g);
}

static void guc_reset(void *unit, enum reset_scope scope)
{
    struct guc *g = unit;
    if (vfs_are_isolated(g->isolation)) {
        guc_reset_pf(g, scope);
        return;
    }
    register_file_reset(g->mmio, g->by.name, scope > RESET_ENGINE);
    guc_drop_all_contexts(g, false);
    guc_interrupts_settle(g);
    guc_doorbells_settle(g);
    guc_update_dma_root(g);
    sections_reset(sections, SECTIONS, g, scope);
    guc_service_all_engines(g);
    for (unsigned n = 0; n <= g->vf_count; n++)
        sections_reset(guc_function_sections, GUC_FUNCTION_SECTIONS, &g->functions[n], scope);
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
    g->functions = calloc(g->vf_count + 1u, sizeof *g->functions);
    g->message_index = calloc(GUC_INDEX_SIZE, sizeof *g->message_index);
    if (!g->functions || !g->message_index)
        return false;
    guc_messages_index(g->message_index, guc_message_tables);
    sections_reset(sections, SECTIONS, g, RESET_POWER);
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
        if (!register_file_place(g->mmio, g->info->function_registers, n * GUC_FUNCTION_BYTES, k,
                                 function_unit_name(k)))
            return false;
    }
    g->by = (struct accessor){.name = g->by.name, .client = g, .kind = ACCESSOR_UNIT, .privileged = true};
    if (!gt_place(g->gt, g->info->blocks, g, g->by.name))
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
    sections_state(sections, SECTIONS, g, g->by.name, s);
    for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++) {
        sections_state(guc_function_sections, GUC_FUNCTION_SECTIONS, k, function_unit_name(k), s);
        for (const struct guc_ctb *b = k->ct.ctbs; b <= &k->ct.ctbs[G2H]; b++)
            state_check(s, !b->enabled || (guc_ctb_is_valid(b) && b->position_dw < b->bytes / 4u));
    }
    const size_t begin = state_section_begin(s, g->by.name, "contexts", 2);
    guc_schedule_state(g, s);
    state_section_end(s, begin);
    const size_t own = state_section_begin(s, g->by.name, "memory", 1);
    state_table(s, &g->sram_and_wopcm);
    state_section_end(s, own);
    for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
        mmu_state(&k->mmu, function_unit_name(k), s);
}

uint64_t guc_clock(const struct guc *g)
{
    return engine_ticks(g->log->now_ns, g->info->timestamp_hz);
}

/* A function that does not read its G2H messages is not served. With VFs it does not hold up the others. */
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

/* The host reports neither reads of G2H messages nor writes to doorbells in memory: both are polled. */
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
    g->log->cost.ns = 0; /* costs of CPU accesses belong to no unit */
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
            const unsigned engine = (unsigned)__builtin_ctz(
                g->engine_states.service_mask & g->derived.engines_of_group[source - SOURCE_ENGINES_0]);
            g->engine_states.service_mask &= ~(1u << engine);
            guc_service_engine(g, engine);
            used += ATTENTION_DW;
        } else if (source == SOURCE_DOORBELLS) {
            guc_doorbells_service(g);
            used += MESSAGE_DW;
        } else if (source == SOURCE_HOST) {
            /* One request of each function; groups without a pin are masked. */
            for (struct guc_function *k = g->functions; k <= &g->functions[g->vf_count]; k++)
                if (guc_function_has_request(k) && g->derived.pin_level[guc_host_group(k->number)])
                    used += guc_receive(k) ? MESSAGE_DW : 0;
        } else {
            break;
        }
        guc_finish_vf_pauses(g);
        used += budget_take_cost_dw(g->log);
    }
    guc_power_update(g);
    return used;
}

const struct unit_shape guc_shape = {.sections = sections,
                                     .section_count = SECTIONS,
                                     .reset = guc_reset,
                                     .recompute_derived = guc_settle,
                                     .state = guc_state,
                                     .advance = guc_advance,
                                     .next_event_ns = guc_next_event_ns,
                                     .runnable = guc_runnable,
                                     .polls = guc_polls,
                                     .run = guc_run};
