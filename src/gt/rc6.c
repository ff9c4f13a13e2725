/*
 * RC6 removes the power of the engines when all are idle and no force wake is held. It is entered at once if
 * software requests it (RC_STATE), or after RC6_THRESHOLD if hardware decides (RC_CONTROL bit 31). A write to
 * an engine's register, a wake request and a reset end it; then each engine runs the batch of its CTX_WA_PTR.
 *
 * Power contexts are saved before and loaded after; state in no image is as after a reset. They are in memory
 * from RC6_CTX_BASE on, one page for each engine in the order of the data sheet: the manual gives only
 * offsets within an engine's part. Without memory for them only the TLBs are lost. Not modelled: evaluation
 * intervals. (OVR-07 to OVR-09, SYS-25; SKL PRM vol 2c)
 */
#include "gt/gt.h"

enum {
    RC6_LOCATION = 0xd40,
    RC6_CTX_BASE = 0xd48,
    RC_CONTROL = 0xa090,
    RC_STATE = 0xa094,
    RC6_THRESHOLD = 0xa0b8,
};
#define HARDWARE_DECIDES (1u << 31)
enum { RC6_BIT = 1u << 18, CONTEXT_IN_DRAM = 1u << 0, TICK_NS = 1280 };
enum { GT_CORE_STATUS = 0x138060, MEDIA_CORE_STATUS = 0xc68, CORE_RC6 = 3 };
enum { POWER_CONTEXT_ROOM_DW = PAGE_BYTES / 4 };

static uint32_t core_status(const struct gt *gt)
{
    return gt->base ? MEDIA_CORE_STATUS : GT_CORE_STATUS;
}

bool rc6_asleep(const struct gt *gt)
{
    return gt_register(gt, core_status(gt)) == CORE_RC6;
}

static uint64_t power_context_address(const struct gt *gt, unsigned engine)
{
    return (gt_register(gt, RC6_CTX_BASE) & ~0xfffu) + (uint64_t)engine * PAGE_BYTES;
}

/* Nothing keeps the GT awake. */
static bool idle(const struct gt *gt)
{
    if (force_wake_asked(gt))
        return false;
    for (unsigned i = 0; i < gt->engine_count; i++)
        if (gt->engines[i].parse.state != SOFTGT_ENGINE_IDLE || engine_is_busy(&gt->engines[i]) ||
            engine_shape.runnable(&gt->engines[i]))
            return false;
    return true;
}

static uint64_t parsed_dw(const struct gt *gt)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < gt->engine_count; i++)
        sum += gt->engines[i].totals.dwords;
    return sum;
}

static bool hardware_decides(const struct gt *gt)
{
    return gt->controller_decides || gt_register(gt, RC_CONTROL) & HARDWARE_DECIDES;
}

/* RC6 is allowed, and asked for where software has to. */
static bool wanted(const struct gt *gt)
{
    return gt->controller_decides || (gt_register(gt, RC_CONTROL) & RC6_BIT &&
                                      (hardware_decides(gt) || gt_register(gt, RC_STATE) & RC6_BIT));
}

/* There is memory for what is lost, or nothing is. */
static bool has_place(const struct gt *gt)
{
    return gt->info->keeps_contexts ||
           (gt->info->power_contexts && gt_register(gt, RC6_LOCATION) & CONTEXT_IN_DRAM);
}

static void sleep_now(struct gt *gt)
{
    uint32_t dw[POWER_CONTEXT_ROOM_DW];
    for (unsigned i = 0; i < gt->engine_count; i++) {
        struct engine *e = &gt->engines[i];
        engine_power_down(e);
        if (!e->info->contexts.power_image)
            continue;
        const uint32_t length_dw = context_write_image(e, &e->images.power, dw, POWER_CONTEXT_ROOM_DW);
        bus_write(gt->memory, power_context_address(gt, i), dw, length_dw * 4u);
        register_file_reset(gt->mmio, gt->engines[i].info->name, false);
        engine_recompute_derived(&gt->engines[i]);
    }
    if (gt->controller_sleeps)
        gt->controller_sleeps(gt->domains_user);
    if (gt->observation_invalidated)
        gt->observation_invalidated(gt->observation_user);
    gt_register_set(gt, core_status(gt), CORE_RC6);
}

void rc6_wake(struct gt *gt)
{
    uint32_t dw[POWER_CONTEXT_ROOM_DW];
    gt->power.idle_since_ns = UINT64_MAX;
    if (!rc6_asleep(gt))
        return;
    gt_register_set(gt, core_status(gt), 0);
    for (unsigned i = 0; i < gt->engine_count; i++) {
        if (gt->engines[i].info->contexts.power_image &&
            bus_read(gt->memory, power_context_address(gt, i), dw, sizeof dw))
            context_power_up(&gt->engines[i], dw);
        engine_power_up(&gt->engines[i]);
    }
}

void rc6_request(struct gt *gt)
{
    const bool may = wanted(gt) && has_place(gt) && idle(gt);
    if (!may)
        rc6_wake(gt);
    else if (!rc6_asleep(gt) && !hardware_decides(gt)) {
        if (gt->go_falls)
            gt->go_falls(gt->observation_user, gt->log->now_ns, false);
        sleep_now(gt);
    }
}

/* The time since which the GT is idle: now, if an engine parsed anything since time last advanced. */
static uint64_t idle_since_ns(const struct gt *gt, uint64_t now_ns)
{
    const struct gt_power *p = &gt->power;
    return p->idle_since_ns != UINT64_MAX && p->parsed_dw == parsed_dw(gt) ? p->idle_since_ns : now_ns;
}

static uint64_t threshold_ns(const struct gt *gt)
{
    enum { CONTROLLERS_OWN_NS = 10000000 };
    const uint64_t ns = hardware_decides(gt) ? (uint64_t)gt_register(gt, RC6_THRESHOLD) * TICK_NS : 0;
    return gt->controller_decides && !ns ? CONTROLLERS_OWN_NS : ns;
}

void rc6_advance(struct gt *gt, uint64_t before_ns)
{
    const uint64_t now_ns = gt->log->now_ns;
    gt->power.idle_since_ns = idle(gt) ? idle_since_ns(gt, before_ns) : UINT64_MAX;
    gt->power.parsed_dw = parsed_dw(gt);
    if (gt->power.idle_since_ns == UINT64_MAX)
        rc6_wake(gt); /* no register write: the GuC has work */
    if (gt->power.idle_since_ns == UINT64_MAX || !wanted(gt))
        return;
    const uint64_t due_ns = gt->power.idle_since_ns + threshold_ns(gt),
                   from_ns = due_ns > before_ns ? due_ns : before_ns;
    if (from_ns > now_ns)
        return;
    gt->power.rc6_ns += now_ns - from_ns;
    if (has_place(gt) && !rc6_asleep(gt)) {
        if (gt->go_falls)
            gt->go_falls(gt->observation_user, from_ns, true);
        sleep_now(gt);
    }
}

uint64_t rc6_next_event_ns(const struct gt *gt)
{
    const uint64_t now_ns = gt->log->now_ns;
    if (!wanted(gt) || !has_place(gt) || rc6_asleep(gt) || !idle(gt))
        return UINT64_MAX;
    const uint64_t due_ns = idle_since_ns(gt, now_ns) + threshold_ns(gt);
    return due_ns > now_ns ? due_ns : now_ns + 1u;
}

static uint32_t residency_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct gt *gt = at->owner;
    return (uint32_t)(gt->power.rc6_ns / TICK_NS);
}

static void rc6_request_written(const struct register_access *w)
{
    rc6_request(w->owner);
}

static const struct field request_fields[] = {{"RC6", 18, 18, FIELD_BOOL, NULL}};
static const struct field status_fields[] = {
    {"State", 0, 2, FIELD_UINT, (const struct field_value[]){{"RC0", 0}, {"RC6", CORE_RC6}, {NULL, 0}}}};

static const struct reg gen8_rows[] = {
    {.name = "RC6_LOCATION",
     .offset = RC6_LOCATION,
     .writable = 1,
     .summary = "Bit 0: power contexts are in memory.",
     .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "RC6_CTX_BASE",
     .offset = RC6_CTX_BASE,
     .writable = 0xfffffff0,
     .summary = "Bus address of the power contexts.",
     .spec = "OVR-07, SKL PRM vol 2c"},
};

static const struct reg rows[] = {
    {.name = "RC_CONTROL",
     .offset = RC_CONTROL,
     .writable = 0xffffffff,
     FIELDS(request_fields),
     .after_write = rc6_request_written,
     .summary = "Render standby: which states may be entered.",
     .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "RC_STATE",
     .offset = RC_STATE,
     .writable = 0xffffffff,
     FIELDS(request_fields),
     .after_write = rc6_request_written,
     .summary = "Render standby: the state software asks for.",
     .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "GT_CORE_STATUS",
     .offset = GT_CORE_STATUS,
     FIELDS(status_fields),
     .summary = "Render standby: the state the GT is in.",
     .spec = "OVR-07, SKL PRM vol 2c"},
    {.name = "GT_GFX_RC6",
     .offset = 0x138108,
     .before_read = residency_read,
     .summary = "Time in RC6, in 1.28 us.",
     .spec = "SNB PRM vol 2"},
    {.name = "GT_GFX_RC6P",
     .offset = 0x13810c,
     .count = 2,
     .stride = 4,
     .summary = "Time in the deeper states: none.",
     .spec = "SNB PRM vol 2"},
};

static const struct reg media_rows[] = {
    {.name = "MEDIA_CORE_STATUS",
     .offset = MEDIA_CORE_STATUS,
     FIELDS(status_fields),
     .summary = "Render standby: the state that the media GT is in. The offset is our choice.",
     .spec = "Linux, xe_gt_idle"},
    {.name = "MEDIA_MC6",
     .offset = 0x138048,
     .before_read = residency_read,
     .summary = "Time in MC6, in 1.28 us.",
     .spec = "Linux, xe_gt_regs.h"},
};

const struct register_block media_rc6_registers = REGISTER_BLOCK("rc6", media_rows);
const struct register_block rc6_registers = REGISTER_BLOCK("rc6", rows);
const struct register_block gen8_rc6_registers = REGISTER_BLOCK("rc6", gen8_rows);
