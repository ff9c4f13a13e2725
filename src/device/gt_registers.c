/* Registers of the GT as a whole. (CSP-23; BDW and SKL PRM vol 2c) */
#include "device/device.h"

static void gdrst_written(const struct register_access *w)
{
    struct softgt *d = w->owner;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        if (w->value & (1u | d->engines[i].info->reset_bits)) /* bit 0: all of them */
            engine_reset(&d->engines[i], w->value & 1u);
    register_set(w->file, w->offset, 0); /* done at once */
}

static void flush_written(const struct register_access *w)
{
    struct softgt *d = w->owner;
    for (unsigned i = 0; i < d->sheet->info.engine_count; i++)
        engine_drop_host_pointers(&d->engines[i]);
    mmu_invalidate(&d->cpu);
}

static void invalidate_written(const struct register_access *w)
{
    flush_written(w);
    register_set(w->file, w->offset, 0); /* done at once */
}

/* clang-format off */
static const struct field fault_fields[] = {
    {"Engine ID", 12, 14, FIELD_UINT, NULL}, {"GTTSEL", 11, 11, FIELD_BOOL, NULL}, {"Source ID", 3, 10, FIELD_HEX, NULL},
    {"Fault Type", 1, 2, FIELD_UINT, NULL}, {"Valid", 0, 0, FIELD_BOOL, NULL},
};
/* The other engines' bits are the products': engine_info's reset_bits. */
static const struct field gdrst_fields[] = {
    {"Render", 1, 1, FIELD_BOOL, NULL}, {"Full", 0, 0, FIELD_BOOL, NULL},
};

static const struct reg rows[] = {
    {.name = "GDRST", .offset = 0x941c, .writable = 0xffffffff, FIELDS(gdrst_fields), .after_write = gdrst_written, .summary = "Graphics device reset by domain; clears itself.", .spec = "CSP-23, SKL PRM vol 2c"},
    {.name = "GFX_FLSH_CNTL", .offset = 0x101008, .writable = 1, .after_write = flush_written, .summary = "Flushes the translations of the GGTT.", .spec = "SKL PRM vol 2c"},
};

static const struct reg gen6_rows[] = {
    {.name = "GAM_ECOCHK", .offset = 0x4090, .writable = 0xffffffff, .summary = "Memory interface workaround bits.", .spec = "SNB PRM vol 1 part 3"},
    {.name = "FORCEWAKE_MT", .offset = 0xa18c, .kind = REG_MASKED, .writable = 0xffff, .after_write = power_wake_written, .summary = "Keeps the GT awake.", .spec = "SNB PRM vol 2"},
    {.name = "GTFIFODBG", .offset = 0x120000, .summary = "Overruns of the register write queue: none.", .spec = "SNB PRM vol 2"},
    {.name = "GTFIFOCTL", .offset = 0x120008, .reset = 0x3f, .summary = "Free entries of the register write queue.", .spec = "SNB PRM vol 2"},
    {.name = "FORCEWAKE_ACK", .offset = 0x130090, .summary = "Answer to a GT wake request.", .spec = "SNB PRM vol 2"},
    {.name = "GT_THREAD_STATUS", .offset = 0x13805c, .summary = "Wake state of the GT thread: awake.", .spec = "SNB PRM vol 2"},
};

static const struct reg gen8_rows[] = {
    {.name = "TLB_INVALIDATE", .offset = 0x4260, .count = 12, .stride = 4, .writable = 0xffffffff, .after_write = invalidate_written, .summary = "Invalidates an engine's translations: render, video 0 and 1, blitter, enhancement; clears itself.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_RENDER", .offset = 0xd84, .summary = "Answer to a render wake request.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_MEDIA", .offset = 0xd88, .summary = "Answer to a media wake request.", .spec = "SKL PRM vol 2c"},
    {.name = "RING_FAULT_REG", .offset = 0x4094, .writable = 0xffffffff, FIELDS(fault_fields), .summary = "The first page fault; written 0 to be free for the next.", .spec = "CSP-23, BDW PRM vol 2c"},
    {.name = "FAULT_TLB_RD_DATA0", .offset = 0x4b10, .summary = "Address bits 43:12 of the fault.", .spec = "SKL PRM vol 2c"},
    {.name = "FAULT_TLB_RD_DATA1", .offset = 0x4b14, .summary = "Address bits 47:44 of the fault; bit 4: in the GGTT.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_GT", .offset = 0xa188, .kind = REG_MASKED, .writable = 0xffff, .after_write = power_wake_written, .summary = "Keeps the GT awake.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_MEDIA", .offset = 0xa270, .kind = REG_MASKED, .writable = 0xffff, .after_write = power_wake_written, .summary = "Keeps the media units awake.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_RENDER", .offset = 0xa278, .kind = REG_MASKED, .writable = 0xffff, .after_write = power_wake_written, .summary = "Keeps the render units awake.", .spec = "SKL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_GT", .offset = 0x130044, .summary = "Answer to a GT wake request.", .spec = "SKL PRM vol 2c"},
};

static const struct reg gen11_rows[] = {
    {.name = "FORCEWAKE_ACK_VDBOX", .offset = 0xd50, .count = 8, .stride = 4, .summary = "Answers to wake requests of the video engines.", .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_ACK_VEBOX", .offset = 0xd70, .count = 4, .stride = 4, .summary = "Answers to wake requests of the enhancement engines.", .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_VDBOX", .offset = 0xa540, .count = 8, .stride = 4, .kind = REG_MASKED, .writable = 0xffff, .after_write = power_wake_written, .summary = "Keep the video engines awake.", .spec = "ICL PRM vol 2c"},
    {.name = "FORCEWAKE_VEBOX", .offset = 0xa560, .count = 4, .stride = 4, .kind = REG_MASKED, .writable = 0xffff, .after_write = power_wake_written, .summary = "Keep the enhancement engines awake.", .spec = "ICL PRM vol 2c"},
};

/* Accesses of the CPU have no effect there. (OVR-02) */
static const struct reg reserved_rows[] = {
    {.name = "RESERVED", .offset = 0x8800, .count = 64, .stride = 4, .summary = "Reserved for the GT: no access has an effect.", .spec = "OVR-02"},
};
/* clang-format on */

const struct register_block gen9_reserved_registers = REGISTER_BLOCK("reserved", reserved_rows);
const struct register_block gt_registers = REGISTER_BLOCK("gt", rows);
const struct register_block gen6_gt_registers = REGISTER_BLOCK("gt", gen6_rows);
const struct register_block gen11_gt_registers = REGISTER_BLOCK("gt", gen11_rows);
const struct register_block gen8_gt_registers = REGISTER_BLOCK("gt", gen8_rows);
