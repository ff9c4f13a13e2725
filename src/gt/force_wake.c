/*
 * Force wake: software requests keep the GT, or a domain of it, awake. Each request is acknowledged at once
 * in a register of its own.
 *
 * Since Xe_HPG registers belong to domains. A domain that sleeps (in RC6, or gated while its engines are
 * idle) answers reads with 0 and drops writes, except for shadowed registers. An access without a force wake
 * is reported once for each range, if software has ever requested the domain or the domain may sleep. (SNB
 * PRM vol 2; SKL, ICL PRM vol 2c; SYS-09)
 */
#include "gt/gt.h"

const struct wake_request gen6_wake_requests[] = {{0xa18c, 0x130090, 1}, {0, 0, 0}};
const struct wake_request gen7_wake_requests[] = {{0xa188, 0x130040, 1}, {0, 0, 0}};
const struct wake_request gen8_wake_requests[] = {{0xa188, 0x130044, 1}, {0, 0, 0}};
const struct wake_request gen9_wake_requests[] = {
    {0xa188, 0x130044, 1}, {0xa270, 0xd88, 1}, {0xa278, 0xd84, 1}, {0, 0, 0}};
const struct wake_request gen11_wake_requests[] = {{0xa188, 0x130044, 1}, {0xa270, 0xd88, 1},
                                                   {0xa278, 0xd84, 1},    {0xa540, 0xd50, 8},
                                                   {0xa560, 0xd70, 4},    {0, 0, 0}};

const struct wake_request gen125_wake_requests[] = {{0xa188, 0x130044, 1, WAKE_GT},
                                                    {0xa278, 0xd84, 1, WAKE_RENDER},
                                                    {0xa540, 0xd50, 8, WAKE_VIDEO},
                                                    {0xa560, 0xd70, 4, WAKE_ENHANCE},
                                                    {0, 0, 0, 0}};
/* (Linux, xe_force_wake) */
const struct wake_request gen200_wake_requests[] = {{0xa188, 0xdfc, 1, WAKE_GT},
                                                    {0xa278, 0xd84, 1, WAKE_RENDER},
                                                    {0xa540, 0xd50, 8, WAKE_VIDEO},
                                                    {0xa560, 0xd70, 4, WAKE_ENHANCE},
                                                    {0, 0, 0, 0}};

const struct wake_request gen200_media_wake_requests[] = {{0xa188, 0xdfc, 1, WAKE_GT},
                                                          {0xa540, 0xd50, 8, WAKE_VIDEO},
                                                          {0xa560, 0xd70, 4, WAKE_ENHANCE},
                                                          {0xa618, 0xdf8, 1, WAKE_GSC},
                                                          {0, 0, 0, 0}};

enum {
    MEDIA_ENABLE = 0x9140, /* fuses: video engines in bits 7:0, enhancement engines in 19:16 */
    PG_ENABLE = 0xa210,
    PG_RENDER = 1u << 0,
    PG_MEDIA = 1u << 1,
    GUC_WAKE_MEDIA = 0xa274,
    GUC_WAKE_RENDER = 0xa27c,
    GUC_WAKE_STATUS = 0xa2a0,
    RC_CONTROL = 0xa090,
    RC_STATE = 0xa094,
    RC6_BIT = 1u << 18,
};

/* Where the fuses leave it. A video engine's domain is also that of the second engine beside it, and of the
 * enhancement engine of both. */
static bool is_there(const struct gt *gt, unsigned domain)
{
    const uint32_t media = gt_register(gt, MEDIA_ENABLE), video = media & 0xffu, enhance = media >> 16 & 0xfu;
    if (domain < WAKE_VIDEO || domain == WAKE_GSC)
        return true;
    if (domain >= WAKE_ENHANCE)
        return enhance >> (domain - WAKE_ENHANCE) & 1u;
    const unsigned n = domain - WAKE_VIDEO;
    return video >> n & 1u || (n % 2 == 0 && (video >> (n + 1u) & 1u || enhance >> (n / 2u) & 1u));
}

/* The GuC's requests: one of the render domain, bits of the media domains in their order. */
static uint32_t asked_by_guc(const struct gt *gt)
{
    return (gt_register(gt, GUC_WAKE_RENDER) ? 1u << WAKE_RENDER : 0) |
           (gt_register(gt, GUC_WAKE_MEDIA) & 0xfffu) << WAKE_VIDEO;
}

static unsigned domain_at(const struct gt *gt, uint32_t offset)
{
    const uint8_t range = register_slot_at(gt->mmio, offset)->range;
    return range ? gt->mmio->ranges[range - 1].domain : WAKE_NOTHING;
}

static unsigned engine_domain(const struct gt *gt, unsigned engine)
{
    return domain_at(gt, gt->engines[engine].info->mmio_base + RING_BUFFER_TAIL);
}

static bool reaches_gated(void *user, uint32_t offset, uint32_t powered, bool write);

/* While no domain may lose its power, the device's own accesses have nothing to ask. */
static void settle_gates(struct gt *gt)
{
    struct gt *const first = gt->all, *const end = first + gt->all_count;
    bool gates = false;
    for (gt = first; gt < end; gt++)
        gates |= (gt_register(gt, PG_ENABLE) & (PG_RENDER | PG_MEDIA)) != 0;
    if (gates == (first->mmio->is_reachable != NULL))
        return;
    first->mmio->is_reachable = gates ? reaches_gated : NULL;
    first->mmio->is_reachable_user = first;
    for (gt = first; gt < end; gt++)
        for (unsigned i = 0; i < gt->engine_count; i++)
            engine_derive_privileges(&gt->engines[i]);
}

void force_wake_settle(struct gt *gt)
{
    if (!gt->needs_wakes)
        return;
    gt->awake = asked_by_guc(gt);
    for (const struct wake_request *r = gt->info->wake_requests; r->count; r++)
        for (uint32_t i = 0; i < r->count; i++)
            if (gt_register(gt, r->request + i * 4u))
                gt->awake |= 1u << (r->domain + i);
    gt->wakes.used |= gt->awake;
    settle_gates(gt);
    for (unsigned i = 0; gt->awake && i < gt->engine_count; i++)
        if (gt->awake >> engine_domain(gt, i) & 1u)
            engine_power_up(&gt->engines[i]);
}

/* Writable without a wake, and asked for the domain to come up: requests, frequency, tails and submit queues
 * of the engines; and what sends the GT to sleep and ends that. (Linux, intel_uncore, intel_rc6_unpark) */
static bool has_shadow(const struct gt *gt, uint32_t offset)
{
    static const struct {
        uint32_t first, last;
    } shadows[] = {{0xa008, 0xa00c}, {RC_CONTROL, RC_STATE}, {0xa188, 0xa188}, {0xa274, 0xa27c},
                   {0xa540, 0xa56c}, {0xa618, 0xa618},       {0xc4c8, 0xc4c8}, {0xc4e0, 0xc4e0},
                   {0xc600, 0xc600}, {0xc658, 0xc658}};
    for (unsigned i = 0; i < sizeof shadows / sizeof shadows[0]; i++)
        if (offset - gt->base >= shadows[i].first && offset - gt->base <= shadows[i].last)
            return true;
    for (unsigned i = 0; i < gt->engine_count; i++) {
        const uint32_t at = offset - gt->engines[i].info->mmio_base;
        if (at == 0x30 || (at >= 0x510 && at <= 0x550))
            return true;
    }
    return false;
}

static bool engines_idle(const struct gt *gt, unsigned domain)
{
    for (unsigned i = 0; i < gt->engine_count; i++) {
        const struct engine *e = &gt->engines[i];
        if ((domain == WAKE_GT || engine_domain(gt, i) == domain) &&
            (e->parse.state != SOFTGT_ENGINE_IDLE || engine_shape.runnable(e)))
            return false;
    }
    return true;
}

/* Powers a domain down while its engines are idle. */
static bool gated(const struct gt *gt, unsigned domain)
{
    const uint32_t gates = gt_register(gt, PG_ENABLE);
    return gates & (domain == WAKE_RENDER ? PG_RENDER : PG_MEDIA) && domain != WAKE_GT &&
           domain != WAKE_GSC && engines_idle(gt, domain);
}

/* Nobody asks the domain to be awake. */
static bool asleep(struct gt *gt, unsigned domain)
{
    if (rc6_asleep(gt) && engines_idle(gt, WAKE_GT))
        return true;
    rc6_wake(gt);
    return gated(gt, domain);
}

/* A gate closes as time passes. */
void force_wake_advance(struct gt *gt)
{
    if (!gt->needs_wakes || !gt_register(gt, PG_ENABLE))
        return;
    for (unsigned i = 0; i < gt->engine_count; i++) {
        struct engine *e = &gt->engines[i];
        const unsigned domain = engine_domain(gt, i);
        if (!e->parse.power_lost && !(gt->awake >> domain & 1u) && gated(gt, domain))
            engine_power_down(e);
    }
}

static uint8_t range_of(const struct gt *gt, uint32_t offset)
{
    const struct register_slot *const slot = register_slot_at(gt->mmio, offset);
    return slot->row ? slot->range : register_range_at(gt->mmio, offset);
}

static struct gt *gt_of_range(const struct gt *gt, uint8_t range)
{
    return &gt->all[range ? gt->mmio->ranges[range - 1].gt : 0];
}

/* Once for each range. */
static void tell(struct gt *gt, uint8_t range, uint32_t offset, bool write, bool ends)
{
    uint64_t *const told = &gt->wakes.reported[(range - 1u) / 64u];
    const uint64_t bit = UINT64_C(1) << ((range - 1u) % 64u);
    if (*told & bit)
        return;
    *told |= bit;
    report_error(gt->log, SOFTGT_GUEST_ERROR, "force wake", offset,
                 "%s of register %05x, whose domain (%s) nobody keeps awake%s", write ? "write" : "read",
                 offset, gt->mmio->ranges[range - 1].owner,
                 !ends   ? ""
                 : write ? ": dropped"
                         : ": reads 0");
}

/* An engine runs, so the GT does; of the other domains those that are gated end what comes. No shadow takes a
 * write that does not come from outside of the GT. (SYS-09, the notes on termination) */
static bool reaches_gated(void *user, uint32_t offset, uint32_t powered, bool write)
{
    const uint8_t range = range_of(user, offset);
    struct gt *const gt = gt_of_range(user, range);
    const unsigned domain = range ? gt->mmio->ranges[range - 1].domain : WAKE_NOTHING;
    if (domain == WAKE_NOTHING || domain == WAKE_GT || gt->awake >> domain & 1u ||
        domain == domain_at(gt, powered) || !gated(gt, domain))
        return true;
    tell(gt, range, offset, write, true);
    return false;
}

bool force_wake_reaches(struct gt *gt, uint32_t offset, bool write)
{
    const uint8_t range = range_of(gt, offset);
    const unsigned domain = range ? gt->mmio->ranges[range - 1].domain : WAKE_NOTHING;
    gt = gt_of_range(gt, range);
    if (domain == WAKE_NOTHING || gt->awake >> domain & 1u)
        return true;
    if (has_shadow(gt, offset)) {
        if (write)
            rc6_wake(gt);
        return true;
    }
    const bool sleeps = asleep(gt, domain);
    if (sleeps || gt->wakes.used >> domain & 1u || gt_register(gt, RC_CONTROL) & RC6_BIT)
        tell(gt, range, offset, write, sleeps);
    return !sleeps;
}

bool force_wake_asked(const struct gt *gt)
{
    if (gt->awake)
        return true;
    for (const struct wake_request *r = gt->info->wake_requests; r->count; r++)
        for (uint32_t i = 0; i < r->count; i++)
            if (gt_register(gt, r->request + i * 4u))
                return true;
    return false;
}

static void force_wake_request_written(const struct register_access *w)
{
    struct gt *gt = w->owner;
    for (const struct wake_request *r = gt->info->wake_requests; r->count; r++) {
        const uint32_t at = w->offset - gt->base - r->request;
        if (at < r->count * 4u && (!gt->needs_wakes || is_there(gt, r->domain + at / 4u)))
            gt_register_set(gt, r->answer + at, w->value & 0xffffu);
    }
    force_wake_settle(gt);
    rc6_request(gt);
}

static void guc_request_written(const struct register_access *w)
{
    force_wake_settle(w->owner);
    rc6_request(w->owner);
}

/* Two video engines and the enhancement engine beside them have one bit; the render domain has bit 1. */
static uint32_t guc_status_read(const struct register_access *at, uint32_t stored)
{
    static const uint8_t media[] = {0, 0, 2, 2, 3, 3, 4, 4, 0, 2, 3, 4};
    (void)stored;
    const struct gt *gt = at->owner;
    uint32_t status = gt->awake >> WAKE_RENDER & 1u ? 1u << 1 : 0;
    for (unsigned i = 0; i < sizeof media; i++)
        if (gt->awake >> (WAKE_VIDEO + i) & 1u && is_there(gt, WAKE_VIDEO + i))
            status |= 1u << media[i];
    return status;
}

static const struct reg gen6_rows[] = {
    {.name = "FORCEWAKE_MT",
     .offset = 0xa18c,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the GT awake.",
     .spec = "SNB PRM vol 2"},
    {.name = "GTFIFODBG",
     .offset = 0x120000,
     .summary = "Overruns of the register write queue: none.",
     .spec = "SNB PRM vol 2"},
    {.name = "GTFIFOCTL",
     .offset = 0x120008,
     .reset = 0x3f,
     .summary = "Free entries of the register write queue.",
     .spec = "SNB PRM vol 2"},
    {.name = "FORCEWAKE_ACK",
     .offset = 0x130090,
     .summary = "Answer to a GT wake request.",
     .spec = "SNB PRM vol 2"},
    {.name = "GT_THREAD_STATUS",
     .offset = 0x13805c,
     .summary = "Wake state of the GT thread: awake.",
     .spec = "SNB PRM vol 2"},
};

static const struct reg gen7_rows[] = {
    {.name = "ECOBUS",
     .offset = 0xa180,
     .reset = 1u << 5,
     .summary = "Bit 5: requests are made in FORCEWAKE_MT.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "FORCEWAKE_MT",
     .offset = 0xa188,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the GT awake.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "FORCEWAKE",
     .offset = 0xa18c,
     .writable = 1,
     .summary = "Requests, where ECOBUS does not have bit 5.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "GTFIFODBG",
     .offset = 0x120000,
     .summary = "Overruns of the register write queue: none.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "GTFIFOCTL",
     .offset = 0x120008,
     .reset = 0x3f,
     .summary = "Free entries of the register write queue.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "FORCEWAKE_ACK",
     .offset = 0x130040,
     .summary = "Answer to a GT wake request.",
     .spec = "IVB PRM vol 1 part 3"},
};

static const struct reg gen8_rows[] = {
    {.name = "GTFIFODBG",
     .offset = 0x120000,
     .summary = "Overruns of the register write queue: none.",
     .spec = "HSW PRM vol 2c"},
    {.name = "GTFIFOCTL",
     .offset = 0x120008,
     .reset = 0x3f,
     .summary = "Free entries of the register write queue.",
     .spec = "HSW PRM vol 2c"},
    {.name = "FORCEWAKE_MT",
     .offset = 0xa188,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the GT awake.",
     .spec = "BDW PRM vol 2c"},
    {.name = "FORCEWAKE_ACK",
     .offset = 0x130044,
     .summary = "Answer to a GT wake request.",
     .spec = "BDW PRM vol 2c"},
};

static const struct reg gen9_rows[] = {
    {.name = "FORCEWAKE_ACK_RENDER",
     .offset = 0xd84,
     .summary = "Answer to a render wake request.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_MEDIA",
     .offset = 0xd88,
     .summary = "Answer to a media wake request.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_GT",
     .offset = 0xa188,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the GT awake.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_MEDIA",
     .offset = 0xa270,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the media units awake.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_RENDER",
     .offset = 0xa278,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the render units awake.",
     .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_GT",
     .offset = 0x130044,
     .summary = "Answer to a GT wake request.",
     .spec = "SKL PRM vol 2c"},
};

static const struct reg gen11_rows[] = {
    {.name = "FORCEWAKE_ACK_VDBOX",
     .offset = 0xd50,
     .count = 8,
     .stride = 4,
     .summary = "Answers to wake requests of the video engines.",
     .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_VEBOX",
     .offset = 0xd70,
     .count = 4,
     .stride = 4,
     .summary = "Answers to wake requests of the enhancement engines.",
     .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_VDBOX",
     .offset = 0xa540,
     .count = 8,
     .stride = 4,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keep the video engines awake.",
     .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_VEBOX",
     .offset = 0xa560,
     .count = 4,
     .stride = 4,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keep the enhancement engines awake.",
     .spec = "ICL PRM vol 2c"},
};

#define REQUEST(title, at, number, text)                                                                     \
    {                                                                                                        \
        .name = title, .offset = (at), .count = (number), .stride = 4, .kind = REG_MASKED,                   \
        .writable = 0xffff, .after_write = force_wake_request_written, .summary = text, .spec = "SYS-09"     \
    }
#define ANSWER(title, at, number, text)                                                                      \
    {                                                                                                        \
        .name = title, .offset = (at), .count = (number), .stride = 4, .summary = text, .spec = "SYS-09"     \
    }
#define COMMON_ROWS                                                                                          \
    ANSWER("FORCEWAKE_ACK_VDBOX", 0xd50, 8, "Answers to wake requests of the video engines."),               \
        ANSWER("FORCEWAKE_ACK_VEBOX", 0xd70, 4, "Answers to wake requests of the enhancement engines."),     \
        ANSWER("FORCEWAKE_ACK_RENDER", 0xd84, 1, "Answer to a render wake request."),                        \
        REQUEST("FORCEWAKE_GT", 0xa188, 1, "Keeps the GT awake."),                                           \
        {.name = "GUC_FORCEWAKE_MEDIA",                                                                      \
         .offset = GUC_WAKE_MEDIA,                                                                           \
         .writable = 0xfff,                                                                                  \
         .after_write = guc_request_written,                                                                 \
         .summary = "The GuC keeps video engines (7:0) and enhancement engines (11:8) awake.",               \
         .spec = "SYS-09"},                                                                                  \
        REQUEST("FORCEWAKE_RENDER", 0xa278, 1, "Keeps the render units awake."),                             \
        {.name = "GUC_FORCEWAKE_RENDER",                                                                     \
         .offset = GUC_WAKE_RENDER,                                                                          \
         .writable = 1,                                                                                      \
         .after_write = guc_request_written,                                                                 \
         .summary = "The GuC keeps the render units awake.",                                                 \
         .spec = "SYS-09"},                                                                                  \
        {.name = "PWRGT_DOMAIN_STATUS",                                                                      \
         .offset = GUC_WAKE_STATUS,                                                                          \
         .before_read = guc_status_read,                                                                     \
         .summary = "Domains that are kept awake: render in bit 1, slices of media in bits 0, 2, 3, 4.",     \
         .spec = "SYS-09"},                                                                                  \
        REQUEST("FORCEWAKE_VDBOX", 0xa540, 8, "Keep the video engines awake."),                              \
        REQUEST("FORCEWAKE_VEBOX", 0xa560, 4, "Keep the enhancement engines awake.")
static const struct reg gen125_rows[] = {
    COMMON_ROWS,
    ANSWER("FORCEWAKE_ACK_GT", 0x130044, 1, "Answer to a GT wake request."),
};
static const struct reg gen200_rows[] = {
    COMMON_ROWS,
    {.name = "FORCEWAKE_ACK_GT",
     .offset = 0xdfc,
     .summary = "Answer to a GT wake request.",
     .spec = "Linux, xe_gt_regs.h"},
};

static const struct reg gsc_rows[] = {
    {.name = "FORCEWAKE_ACK_GSC",
     .offset = 0xdf8,
     .summary = "Answer to a wake request of the GSC.",
     .spec = "Linux, xe_gt_regs.h"},
    {.name = "FORCEWAKE_GSC",
     .offset = 0xa618,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .after_write = force_wake_request_written,
     .summary = "Keeps the GSC awake.",
     .spec = "Linux, xe_gt_regs.h"},
};

const struct register_block gsc_force_wake_registers = REGISTER_BLOCK("force wake", gsc_rows);
const struct register_block gen6_force_wake_registers = REGISTER_BLOCK("force wake", gen6_rows);
const struct register_block gen7_force_wake_registers = REGISTER_BLOCK("force wake", gen7_rows);
const struct register_block gen8_force_wake_registers = REGISTER_BLOCK("force wake", gen8_rows);
const struct register_block gen9_force_wake_registers = REGISTER_BLOCK("force wake", gen9_rows);
const struct register_block gen125_force_wake_registers = REGISTER_BLOCK("force wake", gen125_rows);
const struct register_block gen200_force_wake_registers = REGISTER_BLOCK("force wake", gen200_rows);
const struct register_block gen11_force_wake_registers = REGISTER_BLOCK("force wake", gen11_rows);
