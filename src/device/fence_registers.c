/*
 * Fence registers, and what says that tiled memory is swizzled. Gen6's are in two places: where its render
 * manual has them and where the chipset's manual and all drivers have them, with the pitch elsewhere. Written
 * in one place, a fence shows in the other. (REN-27; SNB PRM vol 1 part 3)
 */
#include "device/device.h"

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

static uint64_t pair_at(const struct softgt *d, uint32_t offset)
{
    return register_value(&d->mmio, offset) | (uint64_t)register_value(&d->mmio, offset + 4) << 32;
}

static void fence_load(struct softgt *d, uint32_t number)
{
    const uint64_t value = pair_at(d, FENCE + number * 8u);
    fence_set(&d->memory, number,
              (struct fence){.first = (uint32_t)value & ~0xfffu,
                             .last = (uint32_t)(value >> 32) | 0xfffu,
                             .pitch_bytes = ((uint32_t)(value >> 32 & 0xfffu) + 1u) * PITCH_UNIT,
                             .tiles = tile_layout(value & Y_WALK ? SOFTGT_TILE_Y : SOFTGT_TILE_X, 1),
                             .valid = value & VALID});
}

void fences_load(struct softgt *d)
{
    for (uint32_t i = 0; i < FENCES && register_at(&d->mmio, FENCE + i * 8u)->row; i++)
        fence_load(d, i);
    d->memory.swizzled_aperture = register_value(&d->mmio, TILECTL) & 1u;
    d->memory.swizzled =
        register_at(&d->mmio, GEN6_FENCE)->row && register_value(&d->mmio, ARB_MODE) & 1u << 4;
}

static void fence_written(const struct register_access *w)
{
    struct softgt *d = w->owner;
    if (register_at(&d->mmio, GEN6_FENCE)->row) {
        const uint64_t pair = pair_at(d, FENCE + w->index * 8u);
        register_set(&d->mmio, GEN6_FENCE + w->index * 8u,
                     ((uint32_t)pair & 0xfffff003u) | (uint32_t)(pair >> 32 & 0x3ffu) << 2);
        register_set(&d->mmio, GEN6_FENCE + w->index * 8u + 4u, (uint32_t)(pair >> 32) & 0xfffff000u);
    }
    fence_load(d, w->index);
}

static void gen6_fence_written(const struct register_access *w)
{
    struct softgt *d = w->owner;
    const uint64_t pair = pair_at(d, GEN6_FENCE + w->index * 8u);
    register_set(&d->mmio, FENCE + w->index * 8u, (uint32_t)pair & 0xfffff003u);
    register_set(&d->mmio, FENCE + w->index * 8u + 4u,
                 (uint32_t)(pair >> 32) | (uint32_t)(pair >> 2 & 0x3ffu));
    fence_load(d, w->index);
}

static void swizzle_written(const struct register_access *w)
{
    fences_load(w->owner);
}

/* clang-format off */
static const struct field fence_fields[] = {
    {"Fence Upper Bound", 44, 63, FIELD_OFFSET, NULL}, {"Fence Pitch", 32, 43, FIELD_UINT, NULL},
    {"Fence Lower Bound", 12, 31, FIELD_ADDRESS, NULL}, {"Tile Walk", 1, 1, FIELD_UINT, NULL}, {"Fence Valid", 0, 0, FIELD_BOOL, NULL},
};
static const struct field gen6_fence_fields[] = {
    {"Fence Upper Bound", 44, 63, FIELD_OFFSET, NULL}, {"Fence Lower Bound", 12, 31, FIELD_ADDRESS, NULL},
    {"Fence Pitch", 2, 11, FIELD_UINT, NULL}, {"Tile Walk", 1, 1, FIELD_UINT, NULL}, {"Fence Valid", 0, 0, FIELD_BOOL, NULL},
};

static const struct reg gen6_rows[] = {
    {.name = "FENCE_REG", .offset = GEN6_FENCE, .count = 16, .stride = 8, .dwords = 2, .writable = UINT64_C(0xfffff000ffffffff), FIELDS(gen6_fence_fields), .after_write = gen6_fence_written, .summary = "A tiled range of the aperture, as the render manual has it.", .spec = "REN-27"},
    {.name = "ARB_MODE", .offset = ARB_MODE, .kind = REG_MASKED, .writable = 0xffff, .after_write = swizzle_written, .summary = "Arbiter modes; bit 4: engines swizzle tiled surfaces.", .spec = "SNB PRM vol 1 part 3"},
    {.name = "FENCE", .offset = FENCE, .count = 16, .stride = 8, .dwords = 2, .writable = UINT64_C(0xffffffffffffffff), FIELDS(fence_fields), .after_write = fence_written, .summary = "A tiled range of the aperture.", .spec = "REN-27, SNB PRM vol 1 part 3"},
    {.name = "TILECTL", .offset = TILECTL, .writable = 0xffffffff, .after_write = swizzle_written, .summary = "Tiling modes; bit 0: the aperture swizzles tiled ranges.", .spec = "SNB PRM vol 1 part 3"},
};
static const struct reg rows[] = {
    {.name = "FENCE", .offset = FENCE, .count = 32, .stride = 8, .dwords = 2, .writable = UINT64_MAX, FIELDS(fence_fields), .after_write = fence_written, .summary = "A tiled range of the aperture.", .spec = "OVR-02, SKL PRM vol 2c"},
};
/* clang-format on */

const struct register_block gen6_fence_registers = REGISTER_BLOCK("fences", gen6_rows);
const struct register_block fence_registers = REGISTER_BLOCK("fences", rows);
