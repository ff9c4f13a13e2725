#include "memory/tiling.h"

#include <stddef.h>

#define LAYOUT(x, y, width, height)                                                                          \
    {                                                                                                        \
        .x_bits = (x), .y_bits = (y), .width_shift = (width), .height_shift = (height), .run_shift = 4       \
    }

#define VOLUME(x, y, z, width, height, depth)                                                                \
    {                                                                                                        \
        .x_bits = (x), .y_bits = (y), .z_bits = (z), .width_shift = (width), .height_shift = (height),       \
        .depth_shift = (depth), .run_shift = 4                                                               \
    }

/* Tile64 of several samples, by log2 of the bytes of a pixel: of two, up to eight bytes; of four. */
#define SAMPLES_2                                                                                            \
    VOLUME(0x124f, 0xed30, 0x80, 7, 8, 1), VOLUME(0x324f, 0xcd30, 0x80, 8, 7, 1),                            \
        VOLUME(0x324f, 0xcd30, 0x80, 8, 7, 1), VOLUME(0x724f, 0x8d30, 0x80, 9, 6, 1)
#define SAMPLES_4                                                                                            \
    VOLUME(0x124f, 0xec30, 0x180, 7, 7, 2), VOLUME(0x324f, 0xcc30, 0x180, 8, 6, 2),                          \
        VOLUME(0x324f, 0xcc30, 0x180, 8, 6, 2), VOLUME(0x724f, 0x8c30, 0x180, 9, 5, 2),                      \
        VOLUME(0x724f, 0x8c30, 0x180, 9, 5, 2)

static const struct tile_layout
    x_tile = {.x_bits = 0x1ff,
              .y_bits = 0xe00,
              .width_shift = 9,
              .height_shift = 3,
              .run_shift = 9,
              .x_shift = 9,
              .y_shift = 9,
              .swizzle_from = 0x600},
    y_tile = {.x_bits = 0xe0f,
              .y_bits = 0x1f0,
              .width_shift = 7,
              .height_shift = 5,
              .run_shift = 4,
              .x_shift = 9,
              .y_shift = 4,
              .swizzle_from = 0x200},
    /* By log2 of the bytes of a pixel. */
    yf_tiles[] =
        {
            LAYOUT(0xa0f, 0x5f0, 6, 6), LAYOUT(0xa8f, 0x570, 7, 5), LAYOUT(0xa8f, 0x570, 7, 5),
            LAYOUT(0xacf, 0x530, 8, 4), LAYOUT(0xacf, 0x530, 8, 4),
},
    ys_tiles[] =
        {
            LAYOUT(0xaa0f, 0x55f0, 8, 8),  LAYOUT(0xaa8f, 0x5570, 9, 7),  LAYOUT(0xaa8f, 0x5570, 9, 7),
            LAYOUT(0xaacf, 0x5530, 10, 6), LAYOUT(0xaacf, 0x5530, 10, 6),
},
    w_tile = {.x_bits = 0xe15, .y_bits = 0x1ea, .width_shift = 6, .height_shift = 6},
    tile_4 = LAYOUT(0x2cf, 0xd30, 7, 5),
    tile_64[] =
        {
            LAYOUT(0x12cf, 0xed30, 8, 8),  LAYOUT(0x32cf, 0xcd30, 9, 7),  LAYOUT(0x32cf, 0xcd30, 9, 7),
            LAYOUT(0x72cf, 0x8d30, 10, 6), LAYOUT(0x72cf, 0x8d30, 10, 6),
},
    volumes[] =
        {
            VOLUME(0x104f, 0x0d30, 0xe280, 6, 5, 5), VOLUME(0x044f, 0x1930, 0xe280, 6, 5, 5),
            VOLUME(0x144f, 0x2930, 0xc280, 7, 5, 4), VOLUME(0x1c4f, 0x2130, 0xc280, 8, 4, 4),
            VOLUME(0x1c4f, 0x2130, 0xc280, 8, 4, 4),
},
    /* Of two samples; of four, and as many array elements as it takes of more. */
    samples[2][5] = {{SAMPLES_2, VOLUME(0x724f, 0x8d30, 0x80, 9, 6, 1)}, {SAMPLES_4}},
    /* Of all samples, from two on. Which bits are the sample's is our choice. */
    all_samples[][5] = {
        {SAMPLES_2, VOLUME(0x764f, 0x8930, 0x80, 10, 5, 1)},
        {SAMPLES_4},
        {VOLUME(0x304f, 0xcc30, 0x380, 7, 6, 3), VOLUME(0x304f, 0xcc30, 0x380, 7, 6, 3),
         VOLUME(0x704f, 0x8c30, 0x380, 8, 5, 3), VOLUME(0x704f, 0x8c30, 0x380, 8, 5, 3),
         VOLUME(0x704f, 0x8c30, 0x380, 8, 5, 3)},
        {VOLUME(0x104f, 0xe830, 0x780, 6, 6, 4), VOLUME(0x304f, 0xc830, 0x780, 7, 5, 4),
         VOLUME(0x304f, 0xc830, 0x780, 7, 5, 4), VOLUME(0x304f, 0xc830, 0x780, 7, 5, 4),
         VOLUME(0x704f, 0x8830, 0x780, 8, 4, 4)},
};

const struct tile_layout *tile_layout(enum softgt_tiling tiling, unsigned bytes_per_pixel)
{
    const unsigned size = bytes_per_pixel ? (unsigned)__builtin_ctz(bytes_per_pixel) : 0;
    const bool power_of_two = bytes_per_pixel >> size <= 1u;
    switch (tiling) {
    case SOFTGT_TILE_X:
        return &x_tile;
    case SOFTGT_TILE_Y:
        return &y_tile;
    case SOFTGT_TILE_YF:
        return size < 5 ? &yf_tiles[size] : NULL;
    case SOFTGT_TILE_YS:
        return size < 5 ? &ys_tiles[size] : NULL;
    case SOFTGT_TILE_4:
        return &tile_4;
    case SOFTGT_TILE_64:
        return size < 5 && power_of_two ? &tile_64[size] : NULL;
    default:
        return NULL;
    }
}

const struct tile_layout *tile_volume_layout(unsigned bytes_per_pixel)
{
    const unsigned size = bytes_per_pixel ? (unsigned)__builtin_ctz(bytes_per_pixel) : 0;
    return size < 5 && bytes_per_pixel >> size <= 1u ? &volumes[size] : NULL;
}

const struct tile_layout *tile_samples_layout(unsigned bytes_per_pixel, unsigned samples_log2,
                                              bool has_all_samples)
{
    enum { MOST_LOG2 = sizeof all_samples / sizeof all_samples[0] };
    const unsigned size = bytes_per_pixel ? (unsigned)__builtin_ctz(bytes_per_pixel) : 0;
    if (!samples_log2)
        return tile_layout(SOFTGT_TILE_64, bytes_per_pixel);
    if (size >= 5 || bytes_per_pixel >> size > 1u || samples_log2 > MOST_LOG2)
        return NULL;
    return has_all_samples ? &all_samples[samples_log2 - 1u][size] : &samples[samples_log2 > 1][size];
}

/* By the level, from the tail's first one on, and log2 of the bytes of a pixel. */
enum { TAIL_LEVELS = 15, TAIL_SIZES = 5 };
static const struct mip_tail_offset tail[TAIL_LEVELS][TAIL_SIZES] = {
    {{128, 0}, {128, 0}, {64, 0}, {64, 0}, {32, 0}}, {{0, 128}, {0, 64}, {0, 64}, {0, 32}, {0, 32}},
    {{64, 0}, {64, 0}, {32, 0}, {32, 0}, {16, 0}},   {{0, 64}, {0, 32}, {0, 32}, {0, 16}, {0, 16}},
    {{32, 0}, {32, 0}, {16, 0}, {16, 0}, {8, 0}},    {{16, 32}, {16, 16}, {8, 16}, {8, 8}, {4, 8}},
    {{0, 48}, {0, 24}, {0, 24}, {0, 12}, {0, 12}},   {{0, 32}, {0, 16}, {0, 16}, {0, 8}, {0, 8}},
    {{16, 16}, {16, 8}, {8, 8}, {8, 4}, {4, 4}},     {{16, 0}, {16, 0}, {8, 0}, {8, 0}, {4, 0}},
    {{0, 16}, {0, 8}, {0, 8}, {0, 4}, {0, 4}},       {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},
    {{0, 4}, {0, 4}, {0, 4}, {2, 0}, {1, 0}},        {{0, 8}, {8, 0}, {4, 0}, {4, 0}, {2, 0}},
    {{0, 12}, {8, 4}, {4, 4}, {6, 0}, {3, 0}},
};
static const struct mip_tail_offset volume_tail[TAIL_LEVELS][TAIL_SIZES] = {
    {{32, 0, 0}, {16, 0, 0}, {16, 0, 0}, {16, 0, 0}, {8, 0, 0}},
    {{0, 16, 0}, {0, 16, 0}, {0, 16, 0}, {0, 8, 0}, {0, 8, 0}},
    {{0, 0, 16}, {0, 0, 16}, {0, 0, 8}, {0, 0, 8}, {0, 0, 8}},
    {{16, 0, 0}, {8, 0, 0}, {8, 0, 0}, {8, 0, 0}, {4, 0, 0}},
    {{0, 8, 0}, {0, 8, 0}, {0, 8, 0}, {0, 4, 0}, {0, 4, 0}},
    {{0, 4, 8}, {0, 4, 8}, {4, 0, 4}, {4, 0, 4}, {2, 0, 4}},
    {{0, 0, 12}, {0, 0, 12}, {0, 4, 4}, {2, 0, 4}, {1, 0, 4}},
    {{0, 0, 8}, {0, 0, 8}, {0, 0, 4}, {0, 0, 4}, {0, 0, 4}},
    {{0, 4, 4}, {0, 4, 4}, {4, 4, 0}, {6, 0, 0}, {3, 0, 0}},
    {{0, 4, 0}, {0, 4, 0}, {4, 0, 0}, {4, 0, 0}, {2, 0, 0}},
    {{0, 0, 4}, {0, 0, 4}, {0, 4, 0}, {2, 0, 0}, {1, 0, 0}},
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
    {{0, 0, 2}, {0, 0, 2}, {0, 0, 2}, {0, 0, 2}, {0, 0, 2}},
    {{0, 0, 3}, {0, 0, 3}, {0, 0, 3}, {0, 0, 3}, {0, 0, 3}},
};

const struct mip_tail_offset *tile_mip_tail_offset(const struct tile_layout *t, unsigned level,
                                                   unsigned bytes_per_pixel)
{
    const unsigned size = bytes_per_pixel ? (unsigned)__builtin_ctz(bytes_per_pixel) : 0;
    return level < TAIL_LEVELS && size < TAIL_SIZES ? &(t->z_bits ? volume_tail : tail)[level][size] : NULL;
}

const struct tile_layout *tile_w_layout(void)
{
    return &w_tile;
}
