/*
 * Steering: registers that several units have at one offset. A selector chooses the units of an access:
 * multicast (writes go to all, the named unit answers reads) or one unit. The CPU has a selector for each
 * kind of endpoint; the GuC and each command streamer have one for all. Fused-off units answer 0 and drop
 * writes. (SYS-10) Xe2 has one selector for all endpoints, and a semaphore for who sets it. (Linux,
 * xe_gt_mcr)
 */
#include "gt/gt.h"

#define MULTICAST (1u << 31)

enum {
    MCFG_SELECTOR = 0xfd0,
    SF_HW_SELECTOR = 0xfd4,
    SF_SELECTOR = 0xfd8,
    MCR_SELECTOR = 0xfdc,
    GAM_SELECTOR = 0xfe0,
    GUC_SELECTOR = 0xc060,
    CS_SELECTOR = 0xcc, /* from a streamer's base */
    MEML3_ENABLE = 0x9118,
    GEOMETRY_DSS_ENABLE = 0x913c,
    COMPUTE_DSS_ENABLE = 0x9144,
    GAM_PRIMARY = 1,
    STEER_SEMAPHORE = 0xfd0, /* Xe2 */
    STEER_SELECTOR = 0xfd4,
};

/* Which endpoints have a selector of their own; the last is for all others. */
static const struct endpoint {
    uint32_t first, last, selector;
} endpoints[] = {
    {0x0b00, 0x0bff, SF_SELECTOR},      {0x1000, 0x1fff, SF_SELECTOR},  {0x8700, 0x87ff, MCFG_SELECTOR},
    {0x4000, 0x4aff, GAM_SELECTOR},     {0xc800, 0xcfff, GAM_SELECTOR}, {0xf000, 0xffff, GAM_SELECTOR},
    {0x0000, 0xffffffff, MCR_SELECTOR},
};

static uint32_t endpoint_selector(uint32_t offset)
{
    const struct endpoint *e = endpoints;
    while (offset < e->first || offset > e->last)
        e++;
    return e->selector;
}

/* A bit for each quadrant: there while its memory slice is enabled, or one of its eight DSS. */
static uint32_t quadrants(const struct register_file *f, uint32_t dss)
{
    uint32_t there = register_value(f, MEML3_ENABLE) & 0xfu;
    for (unsigned q = 0; q < 4; q++)
        if (dss >> (q * 8u) & 0xffu)
            there |= 1u << q;
    return there;
}

/* `each` bits for every bit of `units`. */
static uint32_t spread(uint32_t units, unsigned each)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i * each < 32; i++)
        if (units >> i & 1u)
            bits |= ((each < 32 ? 1u << each : 0) - 1u) << (i * each);
    return bits;
}

/* Copies that the fuses leave. */
static uint32_t copies_there(const struct register_file *f, unsigned kind)
{
    const uint32_t dss = register_value(f, GEOMETRY_DSS_ENABLE) | register_value(f, COMPUTE_DSS_ENABLE),
                   slices = quadrants(f, dss);
    uint32_t there = 0;
    switch ((enum register_copies_kind)kind) {
    case COPIES_SQIDI: { /* Alchemist-512, -256, -128 */
        const int count = __builtin_popcount(slices);
        return count > 2 ? 0xff : count > 1 ? 0x3c : 0x0c;
    }
    case COPIES_GSLICE:
        for (unsigned i = 0; i < 8; i++)
            there |= dss >> (i * 4u) & 0xfu ? 1u << i : 0;
        return there;
    case COPIES_DSS:
        return dss;
    case COPIES_L3BANK:
        return spread(slices, 8);
    case COPIES_MSLICE:
        return slices;
    case COPIES_LNCF:
        return spread(slices, 2);
    default:
        return 1;
    }
}

/* The same on Xe2: sets of four banks are L3 nodes, and slices have four Xe-cores. */
enum { XE2_NODES_SHIFT = 16, XE2_BANKS_SHIFT = 4, XE2_BANKS = 4, XE2_CORES = 4 };
static uint32_t gen200_copies_there(const struct register_file *f, unsigned kind)
{
    const uint32_t cores = register_value(f, GEOMETRY_DSS_ENABLE) | register_value(f, COMPUTE_DSS_ENABLE),
                   fuses = register_value(f, MEML3_ENABLE), nodes = fuses >> XE2_NODES_SHIFT;
    uint32_t there = 0;
    switch ((enum register_copies_kind)kind) {
    case COPIES_DSS:
        return cores;
    case COPIES_GSLICE:
        for (unsigned i = 0; i < 32 / XE2_CORES; i++)
            there |= cores >> (i * XE2_CORES) & 0xfu ? 1u << i : 0;
        return there;
    case COPIES_L3BANK:
        for (unsigned i = 0; i < 32 / XE2_BANKS; i++)
            there |= nodes >> i & 1u ? (fuses >> XE2_BANKS_SHIFT & 0xfu) << (i * XE2_BANKS) : 0;
        return there;
    case COPIES_SQIDI:
    case COPIES_LNCF:
        return nodes;
    default:
        return 1;
    }
}

/* The copy of so many that a group and an instance name; none where the numbers go beyond. */
static uint8_t gen200_copy_named(unsigned kind, uint32_t group, uint32_t instance)
{
    const uint32_t n = kind == COPIES_DSS || kind == COPIES_L3BANK   ? group * 4u + instance
                       : kind == COPIES_SQIDI || kind == COPIES_LNCF ? group * 2u + instance
                                                                     : group;
    return n < REGISTER_COPIES ? (uint8_t)n : REGISTER_COPIES;
}

/* The copy of so many that is named; none where the numbers go beyond. */
static uint8_t copy_named(unsigned kind, uint32_t slice, uint32_t subslice)
{
    switch ((enum register_copies_kind)kind) {
    case COPIES_SQIDI:
        return subslice < REGISTER_COPIES ? (uint8_t)subslice : REGISTER_COPIES;
    case COPIES_DSS:
        return slice < 8 && subslice < 4 ? (uint8_t)(slice * 4u + subslice) : REGISTER_COPIES;
    case COPIES_L3BANK:
        return (uint8_t)((slice & 7u) * 4u + (subslice & 3u));
    default:
        return slice < REGISTER_COPIES ? (uint8_t)slice : REGISTER_COPIES;
    }
}

static uint32_t only(uint32_t there, uint8_t copy)
{
    return copy < REGISTER_COPIES ? there & 1u << copy : 0;
}

/* By a streamer's selector: how reads go is in the upper half, how writes do in the lower one, each with a
 * bit that steers, a group and an instance; without it all are meant, and the first answers. */
static void steer_streamer(struct register_target *t, unsigned kind, uint32_t selector)
{
    enum { STEERED = 1 << 14, GROUP = 7, NUMBER = 0x7f };
    const uint32_t reads = selector >> 16, writes = selector;
    t->read_copy = reads & STEERED ? copy_named(kind, reads >> GROUP & NUMBER, reads & NUMBER) : 0;
    if (writes & STEERED)
        t->write_mask = only(t->present_mask, copy_named(kind, writes >> GROUP & NUMBER, writes & NUMBER));
}

struct register_target steering_target(const struct register_file *f, unsigned kind, uint32_t offset,
                                       const struct accessor *by)
{
    /* The primary GAM is in every part: drivers steer to it whatever the fuses leave. (Linux, xehp_init_mcr)
     */
    const bool gam = endpoint_selector(offset) == GAM_SELECTOR;
    const uint32_t there = copies_there(f, kind) | (gam ? 1u << GAM_PRIMARY : 0);
    struct register_target t = {.present_mask = there,
                                .write_mask = there,
                                .primary_copy = gam     ? GAM_PRIMARY
                                                : there ? (uint8_t)__builtin_ctz(there)
                                                        : 0};
    uint32_t at = 0;
    switch ((enum accessor_kind)by->kind) {
    case ACCESSOR_CPU:
        at = endpoint_selector(offset);
        break;
    case ACCESSOR_GUC:
        at = GUC_SELECTOR;
        break;
    case ACCESSOR_COMMAND:
        steer_streamer(&t, kind, engine_register(by->client, CS_SELECTOR));
        return t;
    default: /* hardware knows the fuses */
        t.read_copy = t.primary_copy;
        return t;
    }
    const uint32_t selector = register_value(f, at);
    t.read_copy = copy_named(kind, selector >> 27 & 15u, selector >> 24 & 7u);
    if (!(selector & MULTICAST))
        t.write_mask = only(there, t.read_copy);
    return t;
}

/* Firmware and streamers reach the first copy that is there, and write all. */
struct register_target gen200_steering_target(const struct register_file *f, unsigned kind, uint32_t offset,
                                              const struct accessor *by)
{
    (void)offset; /* registers of the media GT have one copy */
    const uint32_t there = gen200_copies_there(f, kind), selector = register_value(f, STEER_SELECTOR);
    struct register_target t = {.present_mask = there,
                                .write_mask = there,
                                .primary_copy = there ? (uint8_t)__builtin_ctz(there) : 0};
    t.read_copy = t.primary_copy;
    if (by->kind != ACCESSOR_CPU)
        return t;
    t.read_copy = gen200_copy_named(kind, selector >> 8 & 31u, selector & 15u);
    if (!(selector & MULTICAST))
        t.write_mask = only(there, t.read_copy);
    return t;
}

/* Reading it takes it while it is free; what is read is stored. */
#define SEMAPHORE_FREE (1u << 31 | 1u)
static uint32_t semaphore_read(const struct register_access *at, uint32_t stored)
{
    (void)at;
    return stored == SEMAPHORE_FREE;
}

static void semaphore_written(const struct register_access *w)
{
    register_set(w->file, w->offset, w->written & 1u ? SEMAPHORE_FREE : w->old_value);
}

static const struct field gen200_fields[] = {
    {"Multicast", 31, 31, FIELD_BOOL, NULL},
    {"Group", 8, 12, FIELD_UINT, NULL},
    {"Instance", 0, 3, FIELD_UINT, NULL},
};
static const struct reg gen200_rows[] = {
    {.name = "STEER_SEMAPHORE",
     .offset = STEER_SEMAPHORE,
     .flags = REG_READ_HAS_EFFECT,
     .reset = SEMAPHORE_FREE,
     .writable = 1,
     .before_read = semaphore_read,
     .after_write = semaphore_written,
     .summary = "1: it was free, and who reads that has it; a write of 1 releases it. Bit 31, hidden: free.",
     .spec = "Linux, xe_gt_mcr"},
    {.name = "STEER_SELECTOR",
     .offset = STEER_SELECTOR,
     .writable = 0x80001f0f,
     .reset = MULTICAST,
     FIELDS(gen200_fields),
     .summary = "Which copies the CPU's accesses mean.",
     .spec = "Linux, xe_gt_mcr"},
};
const struct register_block gen200_steering_registers = REGISTER_BLOCK("steering", gen200_rows);

static const struct field fields[] = {
    {"Multicast", 31, 31, FIELD_BOOL, NULL},
    {"Slice ID", 27, 30, FIELD_UINT, NULL},
    {"Subslice ID", 24, 26, FIELD_UINT, NULL},
};
#define SELECTOR(title, at, text)                                                                            \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = 0xff000000, .reset = MULTICAST, FIELDS(fields),           \
        .summary = text, .spec = "SYS-10"                                                                    \
    }
static const struct reg rows[] = {
    SELECTOR("MCFG_MCR_SELECTOR", MCFG_SELECTOR, "Which copies the CPU's accesses of MCFG endpoints mean."),
    SELECTOR("SF_HW_MCR_SELECTOR", SF_HW_SELECTOR,
             "Which copies firmware's accesses of SF endpoints mean; it has none here."),
    SELECTOR("SF_MCR_SELECTOR", SF_SELECTOR, "Which copies the CPU's accesses of SF endpoints mean."),
    SELECTOR("MCR_SELECTOR", MCR_SELECTOR, "Which copies the CPU's accesses of all other endpoints mean."),
    SELECTOR("GAM_MCR_SELECTOR", GAM_SELECTOR,
             "Which copies the CPU's accesses of GAM endpoints mean; the first is 1."),
    {.name = "SQCM",
     .offset = 0x8724,
     .writable = 0xffffffff,
     .summary = "Memory interface workaround bits.",
     .spec = "SYS-10"},
    {.name = "SARB_CHICKEN1",
     .offset = 0xe90c,
     .writable = 0xffffffff,
     .summary = "Memory interface workaround bits.",
     .spec = "SYS-10"},
    SELECTOR("GUC_MCR_SELECTOR", GUC_SELECTOR, "Which copies the GuC's accesses mean."),
};
/* Where the fields of writes lie is our choice. */
static const struct field streamer_fields[] = {
    {"Selective Read Addressing", 30, 30, FIELD_BOOL, NULL},
    {"Selective Read Group", 23, 29, FIELD_UINT, NULL},
    {"Selective Read Instance", 16, 22, FIELD_UINT, NULL},
    {"Selective Write Addressing", 14, 14, FIELD_BOOL, NULL},
    {"Selective Write Group", 7, 13, FIELD_UINT, NULL},
    {"Selective Write Instance", 0, 6, FIELD_UINT, NULL},
};
static const struct reg streamer_rows[] = {
    {.name = "CS_MCR_SELECTOR",
     .offset = CS_SELECTOR,
     .writable = 0x7fff7fff,
     FIELDS(streamer_fields),
     .summary = "Which copies the streamer's accesses mean: all, or one.",
     .spec = "SYS-10; Linux, xe_engine_regs"},
};
const struct register_block gen125_steering_registers = REGISTER_BLOCK("steering", rows);
const struct register_block gen125_streamer_steering_registers = REGISTER_BLOCK("steering", streamer_rows);
