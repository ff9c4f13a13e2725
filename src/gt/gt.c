/* The GT as a unit, and its registers that act on all engines. (CSP-23; BDW and SKL PRM vol 2c) */
#include "gt/gt.h"

static STATE_TABLE(power_fields, struct gt_power, GT_POWER_MEMBERS)
static STATE_TABLE(wakes_fields, struct gt_wakes, GT_WAKES_MEMBERS)
static STATE_TABLE(mailbox_fields, struct gt_mailbox, GT_MAILBOX_MEMBERS)
static STATE_TABLE(interval_fields, struct gt_interval, GT_INTERVAL_MEMBERS)
static STATE_TABLE(busyness_fields, struct gt_busyness, GT_BUSYNESS_MEMBERS)
static const struct gt_power power_at_first = {.idle_since_ns = UINT64_MAX};
static const struct gt_busyness not_judged = {.idle_since_ns = UINT64_MAX};
static const struct section sections[] = {
    SECTION(struct gt, power, 1, SURVIVES_DEVICE_RESET, power_fields, &power_at_first),
    SECTION(struct gt, busyness, 1, SURVIVES_DEVICE_RESET, busyness_fields, &not_judged),
    SECTION(struct gt, mailbox, 1, SURVIVES_DEVICE_RESET, mailbox_fields, NULL),
    SECTION(struct gt, wakes, 1, SURVIVES_DEVICE_RESET, wakes_fields, NULL),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static void gt_reset(void *unit, enum reset_scope scope)
{
    sections_reset(sections, SECTIONS, unit, scope);
    force_wake_settle(unit);
    local_memory_settle(unit);
}

static void gt_settle(void *unit)
{
    fences_settle(unit);
    force_wake_settle(unit);
    local_memory_settle(unit);
}

static void gt_state(void *unit, struct state *s)
{
    const struct gt *gt = unit;
    sections_state(sections, SECTIONS, unit, gt->name, s);
    for (const struct gt_interval *i = gt->busyness.intervals; i < gt->busyness.intervals + GT_SIDES; i++)
        state_check(s, i->began_ns <= SOFTGT_LAST_NS);
    state_check(s, gt->busyness.idle_since_ns <= SOFTGT_LAST_NS || gt->busyness.idle_since_ns == UINT64_MAX);
}

static void gt_advance(void *unit, uint64_t before_ns)
{
    busyness_advance(unit, before_ns);
    rc6_advance(unit, before_ns);
    force_wake_advance(unit);
}

static uint64_t gt_next_event_ns(const void *unit)
{
    const uint64_t rc6_ns = rc6_next_event_ns(unit), judged_ns = busyness_next_event_ns(unit);
    return rc6_ns < judged_ns ? rc6_ns : judged_ns;
}

const struct unit_shape gt_shape = {.sections = sections,
                                    .section_count = SECTIONS,
                                    .reset = gt_reset,
                                    .recompute_derived = gt_settle,
                                    .state = gt_state,
                                    .advance = gt_advance,
                                    .next_event_ns = gt_next_event_ns};

bool gt_place(const struct gt *gt, const struct register_block *const *blocks, void *owner, const char *unit)
{
    for (; *blocks; blocks++)
        if (!(gt->base
                  ? register_file_place_beside(gt->mmio, *blocks, gt->base, GT_REGISTERS_BYTES, owner, unit)
                  : register_file_place(gt->mmio, *blocks, 0, owner, unit)))
            return false;
    return true;
}

bool gt_create(struct gt *gt)
{
    gt->mmio->steer = gt->info->steer ? gt->info->steer : steering_target;
    gt->needs_wakes = gt->info->wake_requests->domain != WAKE_NOTHING;
    if (!gt_place(gt, gt->info->blocks, gt, gt->name))
        return false;
    gt_reset(gt, RESET_POWER);
    return true;
}

static void gdrst_written(const struct register_access *w)
{
    enum { ENGINE_RESET_NS = 25000 };
    struct gt *gt = w->owner;
    rc6_wake(gt);
    for (unsigned i = 0; i < gt->engine_count; i++)
        if (w->value & (1u | gt->engines[i].info->reset_bits)) { /* bit 0: all of them */
            engine_reset_by_pf(&gt->engines[i], w->value & 1u ? RESET_DEVICE : RESET_ENGINE);
            gt->log->cost.ns += ENGINE_RESET_NS;
        }
    if (gt->domains_reset)
        gt->domains_reset(gt->domains_user, w->value);
    register_set(w->file, w->offset, 0); /* done at once */
}

/* Those of an engine that is a virtual function's stay. */
static bool stays(const void *user, const void *owner)
{
    const struct gt *const first = user;
    for (const struct gt *gt = first->all; gt < first->all + first->all_count; gt++)
        for (const struct engine *e = gt->engines; e < gt->engines + gt->engine_count; e++)
            if (owner == e)
                return engine_runs_vf_context(e);
    return false;
}

void gt_registers_reset(struct gt *gt)
{
    register_file_reset_all(gt->mmio, stays, gt);
}

void gt_driver_reset(struct gt *gt)
{
    enum { GDRST = 0x941c };
    struct gt *const first = gt->all, *const end = first + gt->all_count;
    for (gt = first; gt < end; gt++)
        register_write(gt->mmio, gt_offset(gt, GDRST), 0xffffffff, 0xf, &accessor_unit);
    gt_registers_reset(first);
    for (gt = first; gt < end; gt++)
        if (gt->domains_reset) /* what outlives this shows in registers again */
            gt->domains_reset(gt->domains_user, 1u);
    interrupt_clear_pending(first->engines->interrupt);
    for (gt = first; gt < end; gt++)
        gt_reset(gt, RESET_POWER);
    ggtt_clear(first->memory);
    local_clear(first->memory);
    for (gt = first; gt < end; gt++) {
        for (unsigned i = 0; i < gt->engine_count; i++)
            engine_recompute_derived(&gt->engines[i]);
        gt_settle(gt);
    }
    mmu_invalidate(first->aperture);
}

/* Free for the next: none is pending. */
static void fault_written(const struct register_access *w)
{
    struct gt *gt = w->owner;
    for (unsigned i = 0; i < gt->engine_count && !(w->value & 1u); i++)
        engine_isr(&gt->engines[i], INTERRUPT_PAGE_FAULT, 0);
}

static void flush_written(const struct register_access *w)
{
    const struct gt *const first = w->owner;
    for (const struct gt *gt = first->all; gt < first->all + first->all_count; gt++)
        for (unsigned i = 0; i < gt->engine_count; i++)
            engine_invalidate_tlb(&gt->engines[i]);
    mmu_invalidate(first->aperture);
}

static void invalidate_written(const struct register_access *w)
{
    flush_written(w);
    register_set(w->file, w->offset, 0); /* done at once */
}

static void invalidate_class(const struct register_access *w, enum engine_class class)
{
    struct gt *gt = w->owner;
    for (unsigned i = 0; i < gt->engine_count; i++) {
        struct engine *e = &gt->engines[i];
        if (e->info->class == class && w->value >> e->info->instance & 1u)
            engine_invalidate_tlb(e);
    }
    register_set(w->file, w->offset, 0); /* done at once */
}

/* A register for each class of engines, bits for the engines; but the render engines have one bit, and the
 * blitter. */
static void gen12_invalidate_written(const struct register_access *w)
{
    static const uint8_t classes[6] = {CLASS_RENDER, CLASS_VIDEO,    CLASS_ENHANCE,
                                       CLASS_COPY,   ENGINE_CLASSES, ENGINE_CLASSES};
    enum { OBSERVATION = 5 };
    const struct gt *gt = w->owner;
    if (w->index == OBSERVATION && gt->observation_invalidated)
        gt->observation_invalidated(gt->observation_user);
    invalidate_class(w, classes[w->index]);
}

static void gen125_invalidate_written(const struct register_access *w)
{
    invalidate_class(w, CLASS_COMPUTE);
}

#define TGL "TGL PRM vol 2c"
static const struct field_value fault_types[] = {{"page fault", 0},
                                                 {"invalid directory", 1},
                                                 {"unloaded directory", 2},
                                                 {"invalid and unloaded directory", 3},
                                                 {NULL, 0}};
static const struct field fault_fields[] = {
    {"Engine ID", 12, 14, FIELD_UINT, NULL}, {"GTTSEL", 11, 11, FIELD_BOOL, NULL},
    {"Source ID", 3, 10, FIELD_HEX, NULL},   {"Fault Type", 1, 2, FIELD_UINT, fault_types},
    {"Valid", 0, 0, FIELD_BOOL, NULL},
};
/* The other engines' bits are the products': engine_info's reset_bits. */
static const struct field gdrst_fields[] = {
    {"Render", 1, 1, FIELD_BOOL, NULL},
    {"Full", 0, 0, FIELD_BOOL, NULL},
};

static const struct reg reset_rows[] = {
    {.name = "GDRST",
     .offset = 0x941c,
     .writable = 0xffffffff,
     FIELDS(gdrst_fields),
     .after_write = gdrst_written,
     .summary = "Graphics device reset by domain; clears itself.",
     .spec = "CSP-23, SKL PRM vol 2c"},
    {.name = "GFX_FLSH_CNTL",
     .offset = 0x101008,
     .writable = 1,
     .after_write = flush_written,
     .summary = "Flushes the translations of the GGTT.",
     .spec = "SKL PRM vol 2c"},
};

static const struct reg gen8_fault_rows[] = {
    {.name = "RING_FAULT_REG",
     .offset = 0x4094,
     .writable = 0xffffffff,
     FIELDS(fault_fields),
     .after_write = fault_written,
     .summary = "The first page fault; written 0 to be free for the next.",
     .spec = "CSP-23, BDW PRM vol 2c"},
    {.name = "FAULT_TLB_RD_DATA0",
     .offset = 0x4b10,
     .summary = "Address bits 43:12 of the fault.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FAULT_TLB_RD_DATA1",
     .offset = 0x4b14,
     .summary = "Address bits 47:44 of the fault; bit 4: in the GGTT.",
     .spec = "SKL PRM vol 2c"},
};

static const struct reg gen8_invalidation_rows[] = {
    {.name = "TLB_INVALIDATE",
     .offset = 0x4260,
     .count = 12,
     .stride = 4,
     .writable = 0xffffffff,
     .after_write = invalidate_written,
     .summary =
         "Invalidates an engine's translations: render, video 0 and 1, blitter, enhancement; clears itself.",
     .spec = "SKL PRM vol 2c"},
};

static const struct reg gen12_fault_rows[] = {
    {.name = "FAULT_TLB_RD_DATA0",
     .offset = 0xceb8,
     .summary = "Address bits 43:12 of the fault.",
     .spec = TGL},
    {.name = "FAULT_TLB_RD_DATA1",
     .offset = 0xcebc,
     .summary = "Address bits 47:44 of the fault; bit 4: in the GGTT.",
     .spec = TGL},
    {.name = "RING_FAULT_REG",
     .offset = 0xcec4,
     .writable = 0xffffffff,
     FIELDS(fault_fields),
     .after_write = fault_written,
     .summary = "The first page fault; written 0 to be free for the next.",
     .spec = "CSP-23, " TGL},
};

static const struct reg gen12_invalidation_rows[] = {
    {.name = "TLB_INV_CR",
     .offset = 0xced8,
     .count = 6,
     .stride = 4,
     .writable = 0xff,
     .after_write = gen12_invalidate_written,
     .summary = "Invalidates engines' translations: render, video, enhancement, blitter, a bit for each; "
                "microcontroller, observation; clears itself.",
     .spec = TGL},
};

static const struct reg gen125_invalidation_rows[] = {
    {.name = "COMPCTX_TLB_INV_CR",
     .offset = 0xcf04,
     .writable = 0xff,
     .after_write = gen125_invalidate_written,
     .summary = "Invalidates compute engines' translations, a bit for each; clears itself.",
     .spec = "Linux, intel_engine_cs"},
};

/* By a descriptor: its valid bit starts it. The controller's translations go, too. */
static void descriptor_written(const struct register_access *w)
{
    struct gt *const gt = w->owner;
    if (!(w->value & 1u))
        return;
    for (unsigned i = 0; i < gt->engine_count; i++)
        engine_invalidate_tlb(&gt->engines[i]);
    if (gt->controller_sleeps)
        gt->controller_sleeps(gt->domains_user);
    register_set(w->file, w->offset, 0); /* completes at once */
}

static const struct reg gen200_invalidation_rows[] = {
    {.name = "GUC_TLB_INV_DESC0",
     .offset = 0xcf7c,
     .writable = 0xffffffff,
     .after_write = descriptor_written,
     .summary = "Bit 0: the descriptor is valid; the invalidation is done at once, and clears it.",
     .spec = "Linux, xe_guc_regs.h"},
    {.name = "GUC_TLB_INV_DESC1",
     .offset = 0xcf80,
     .writable = 0xffffffff,
     .summary = "Bit 6: invalidates all translations.",
     .spec = "Linux, xe_guc_regs.h"},
};

/* Accesses of the CPU have no effect there. (OVR-02) */
static const struct reg gen9_reserved_rows[] = {
    {.name = "RESERVED",
     .offset = 0x8800,
     .count = 64,
     .stride = 4,
     .summary = "Reserved for the GT: no access has an effect.",
     .spec = "OVR-02"},
};

const struct register_block reset_registers = REGISTER_BLOCK("resets", reset_rows);
const struct register_block gen8_fault_registers = REGISTER_BLOCK("faults", gen8_fault_rows);
const struct register_block gen8_invalidation_registers =
    REGISTER_BLOCK("invalidation", gen8_invalidation_rows);
const struct register_block gen12_fault_registers = REGISTER_BLOCK("faults", gen12_fault_rows);
const struct register_block gen12_invalidation_registers =
    REGISTER_BLOCK("invalidation", gen12_invalidation_rows);
const struct register_block gen200_invalidation_registers =
    REGISTER_BLOCK("invalidation", gen200_invalidation_rows);
const struct register_block gen125_invalidation_registers =
    REGISTER_BLOCK("invalidation", gen125_invalidation_rows);
const struct register_block gen9_reserved_registers = REGISTER_BLOCK("reserved", gen9_reserved_rows);
