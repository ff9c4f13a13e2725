/*
 * Fence registers, and the registers that report swizzling of tiled memory. Gen6's fences have two addresses:
 * that of the render manual and that of the chipset's manual, which drivers use and which has the pitch in
 * other bits. A write to one shows in the other. Up to Gen7.5 drivers enable swizzling when both memory
 * channels are equal. (REN-27; SNB PRM vol 1 part 3; Linux, intel_gt_init_swizzling)
 */
#include "gt/gt.h"

#include "memory/fence.h"

enum {
    FENCE = 0x100000,
    GEN6_FENCE = 0x3000,
    TILECTL = 0x101000,
    ARB_MODE = 0x4030,
    VALID = 1u << 0,
    Y_WALK = 1u << 1,
    PITCH_UNIT = 128
};

static uint64_t pair_at(const struct gt *gt, uint32_t offset)
{
    return register_value(gt->mmio, offset) | (uint64_t)register_value(gt->mmio, offset + 4) << 32;
}

static void fence_load(struct gt *gt, uint32_t number)
{
    const uint64_t value = pair_at(gt, FENCE + number * 8u);
    fence_set(gt->memory, number,
              (struct fence){.first = (uint32_t)value & ~0xfffu,
                             .last = (uint32_t)(value >> 32) | 0xfffu,
                             .pitch_bytes = ((uint32_t)(value >> 32 & 0xfffu) + 1u) * PITCH_UNIT,
                             .tiles = tile_layout(value & Y_WALK ? SOFTGT_TILE_Y : SOFTGT_TILE_X, 1),
                             .valid = value & VALID});
}

static void swizzle_settle(struct gt *gt)
{
    gt->memory->swizzled_aperture = register_value(gt->mmio, TILECTL) & 1u;
    gt->memory->swizzled = gt->info->swizzle_bit & register_value(gt->mmio, ARB_MODE);
}

void fences_settle(struct gt *gt)
{
    for (uint32_t i = 0; i < gt->info->fences; i++)
        fence_load(gt, i);
    swizzle_settle(gt);
}

static void fence_written(const struct register_access *w)
{
    struct gt *gt = w->owner;
    if (gt->info->gen6_fences) {
        const uint64_t pair = pair_at(gt, FENCE + w->index * 8u);
        register_set(gt->mmio, GEN6_FENCE + w->index * 8u,
                     ((uint32_t)pair & 0xfffff003u) | (uint32_t)(pair >> 32 & 0x3ffu) << 2);
        register_set(gt->mmio, GEN6_FENCE + w->index * 8u + 4u, (uint32_t)(pair >> 32) & 0xfffff000u);
    }
    fence_load(gt, w->index);
}

static void gen6_fence_written(const struct register_access *w)
{
    struct gt *gt = w->owner;
    const uint64_t pair = pair_at(gt, GEN6_FENCE + w->index * 8u);
    register_set(gt->mmio, FENCE + w->index * 8u, (uint32_t)pair & 0xfffff003u);
    register_set(gt->mmio, FENCE + w->index * 8u + 4u,
                 (uint32_t)(pair >> 32) | (uint32_t)(pair >> 2 & 0x3ffu));
    fence_load(gt, w->index);
}

static void swizzle_written(const struct register_access *w)
{
    swizzle_settle(w->owner);
}

static const struct field fence_fields[] = {
    {"Fence Upper Bound", 44, 63, FIELD_OFFSET, NULL},
    {"Fence Pitch", 32, 43, FIELD_UINT, NULL},
    {"Fence Lower Bound", 12, 31, FIELD_ADDRESS, NULL},
    {"Tile Walk", 1, 1, FIELD_UINT, NULL},
    {"Fence Valid", 0, 0, FIELD_BOOL, NULL},
};
static const struct field gen6_fence_fields[] = {
    {"Fence Upper Bound", 44, 63, FIELD_OFFSET, NULL}, {"Fence Lower Bound", 12, 31, FIELD_ADDRESS, NULL},
    {"Fence Pitch", 2, 11, FIELD_UINT, NULL},          {"Tile Walk", 1, 1, FIELD_UINT, NULL},
    {"Fence Valid", 0, 0, FIELD_BOOL, NULL},
};

#define ARB_MODE_ROW(bit, source)                                                                            \
    {                                                                                                        \
        .name = "ARB_MODE", .offset = ARB_MODE, .kind = REG_MASKED, .writable = 0xffff,                      \
        .after_write = swizzle_written,                                                                      \
        .summary = "Arbiter modes; " bit ": engines swizzle tiled surfaces.", .spec = (source)               \
    }
#define TILECTL_ROW(source)                                                                                  \
    {                                                                                                        \
        .name = "TILECTL", .offset = TILECTL, .writable = 0xffffffff, .after_write = swizzle_written,        \
        .summary = "Tiling modes; bit 0: the aperture swizzles tiled ranges.", .spec = (source)              \
    }
#define FENCES_ROW                                                                                           \
    {                                                                                                        \
        .name = "FENCE", .offset = FENCE, .count = 32, .stride = 8, .dwords = 2, .writable = UINT64_MAX,     \
        FIELDS(fence_fields), .after_write = fence_written, .summary = "A tiled range of the aperture.",     \
        .spec = "OVR-02, SKL PRM vol 2c"                                                                     \
    }

static const struct reg gen6_rows[] = {
    {.name = "FENCE_REG",
     .offset = GEN6_FENCE,
     .count = 16,
     .stride = 8,
     .dwords = 2,
     .writable = UINT64_C(0xfffff000ffffffff),
     FIELDS(gen6_fence_fields),
     .after_write = gen6_fence_written,
     .summary = "A tiled range of the aperture, as the render manual has it.",
     .spec = "REN-27"},
    ARB_MODE_ROW("bit 4", "SNB PRM vol 1 part 3"),
    {.name = "FENCE",
     .offset = FENCE,
     .count = 16,
     .stride = 8,
     .dwords = 2,
     .writable = UINT64_C(0xffffffffffffffff),
     FIELDS(fence_fields),
     .after_write = fence_written,
     .summary = "A tiled range of the aperture.",
     .spec = "REN-27, SNB PRM vol 1 part 3"},
    TILECTL_ROW("SNB PRM vol 1 part 3"),
};
static const struct reg gen7_rows[] = {
    ARB_MODE_ROW("bit 5", "IVB PRM vol 1 part 3; Linux, intel_gt_init_swizzling"),
    FENCES_ROW,
    TILECTL_ROW("IVB PRM vol 1 part 3"),
};
static const struct reg rows[] = {
    FENCES_ROW,
};

const struct register_block gen6_fence_registers = REGISTER_BLOCK("fences", gen6_rows);
const struct register_block gen7_fence_registers = REGISTER_BLOCK("fences", gen7_rows);
const struct register_block fence_registers = REGISTER_BLOCK("fences", rows);
