/* Whether two rectangles share bytes, against the bytes themselves: copies of what is apart go in any order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "../random.h"
#include "memory/surface.h"

enum { SPAN = 1 << 18 }; /* of addresses, on both sides of the surfaces */
#define ORIGIN UINT64_C(0x100000)

static int between(uint64_t *seed, int low, int high)
{
    return low + (int)(random_next(seed) % (unsigned)(high - low + 1));
}

static struct surface random_surface(uint64_t *seed)
{
    struct surface s = {.tiling = (uint8_t)between(seed, SOFTGT_TILE_LINEAR, SOFTGT_TILE_Y),
                        .space = SPACE_PPGTT};
    s.tiles = tile_layout((enum softgt_tiling)s.tiling, 4);
    s.swizzled = s.tiles && random_next(seed) & 1u;
    s.pitch_bytes = s.tiles ? between(seed, 1, 4) << s.tiles->width_shift
                            : between(seed, -600, 600) >> between(seed, 0, 4);
    s.base = ORIGIN + (uint64_t)(s.tiles ? between(seed, 0, 3) * 4096 : between(seed, 0, 12288));
    return s;
}

/* Marks each byte with `mark`; whether one had another mark. Tells the lowest and highest, too. */
static bool marked(uint8_t *bytes, const struct surface *s, const struct rectangle *r, int right, int down,
                   uint8_t mark, uint64_t range[2])
{
    bool shared = false;
    range[0] = UINT64_MAX;
    range[1] = 0;
    for (int y = r->y1 + down; y < r->y2 + down; y++)
        for (int x = r->x1 + right; x < r->x2 + right; x++) {
            const uint64_t address = surface_address(s, x, y);
            assert_in_range(address, ORIGIN - SPAN, ORIGIN + SPAN - 1);
            uint8_t *const byte = &bytes[address - (ORIGIN - SPAN)];
            shared |= *byte && *byte != mark;
            *byte = mark;
            range[0] = address < range[0] ? address : range[0];
            range[1] = address > range[1] ? address : range[1];
        }
    return shared;
}

/* Further than the larger of two rows of tiles, or of two rows, surfaces never touch. */
static uint64_t slack(const struct surface *s)
{
    const unsigned rows = s->tiles ? 2u << s->tiles->height_shift : 2u;
    return (uint64_t)rows * (unsigned)(s->pitch_bytes < 0 ? -s->pitch_bytes : s->pitch_bytes) +
           (s->tiles ? 4096u : 0u);
}

static void apart_is_apart(void **state)
{
    (void)state;
    static uint8_t bytes[2 * SPAN];
    uint64_t seed = 129;
    unsigned together = 0, apart = 0;
    for (unsigned round = 0; round < 30000; round++) {
        const struct surface_copy c = {.to = random_surface(&seed),
                                       .from = random_surface(&seed),
                                       .offset_x = between(&seed, -40, 40) * between(&seed, 1, 40),
                                       .offset_y = between(&seed, -10, 10)};
        struct rectangle r = {.x1 = between(&seed, -100, 600), .y1 = between(&seed, -12, 40)};
        r.x2 = r.x1 + between(&seed, 1, 24);
        r.y2 = r.y1 + between(&seed, 1, 6);
        uint64_t to[2], from[2];
        marked(bytes, &c.to, &r, 0, 0, 1, to);
        const bool shared = marked(bytes, &c.from, &r, c.offset_x, c.offset_y, 2, from);
        for (int y = r.y1; y < r.y2; y++)
            for (int x = r.x1; x < r.x2; x++) {
                bytes[surface_address(&c.to, x, y) - (ORIGIN - SPAN)] = 0;
                bytes[surface_address(&c.from, x + c.offset_x, y + c.offset_y) - (ORIGIN - SPAN)] = 0;
            }
        const bool said = surfaces_are_disjoint(&c, &r);
        if (shared)
            assert_false(said);
        const uint64_t most = slack(&c.to) + slack(&c.from);
        if (to[1] + most < from[0] || from[1] + most < to[0])
            assert_true(said);
        together += shared;
        apart += said;
    }
    assert_true(together > 100 && apart > 1000);
}

static void other_spaces_may_be_the_same_memory(void **state)
{
    (void)state;
    struct surface_copy c = {.to = {.base = 0x1000, .pitch_bytes = 64, .space = SPACE_PPGTT},
                             .from = {.base = 0x900000, .pitch_bytes = 64, .space = SPACE_PPGTT}};
    const struct rectangle r = {0, 0, 64, 4};
    assert_true(surfaces_are_disjoint(&c, &r));
    c.from.space = SPACE_GGTT;
    assert_false(surfaces_are_disjoint(&c, &r));
}

/* Tile64 of volumes: where each byte's bits lie, from the highest on; slices of a tile are in it. (ATS-M PRM
 * vol 5; Mesa's isl) */
static void volumes_have_tiles(void **state)
{
    (void)state;
    static const char *const bits[] = {"ZZZXYYZYZXYYXXXX", "ZZZYYXZYZXYYXXXX", "ZZYXYXZYZXYYXXXX",
                                       "ZZYXXXZYZXYYXXXX", "ZZYXXXZYZXYYXXXX"};
    for (unsigned size = 0; size < 5; size++) {
        const struct tile_layout *const t = tile_volume_layout(1u << size);
        unsigned across = 0, down = 0, deep = 0;
        for (const char *c = bits[size]; *c; c++) {
            across += *c == 'X';
            down += *c == 'Y';
            deep += *c == 'Z';
        }
        assert_int_equal(t->width_shift, across);
        assert_int_equal(t->height_shift, down);
        assert_int_equal(t->depth_shift, deep);
        assert_int_equal(tile_bytes(t), 65536);
        for (uint32_t at = 0; at < 65536; at++) {
            uint32_t x = 0, y = 0, z = 0, nx = 0, ny = 0, nz = 0;
            for (unsigned i = 0; i < 16; i++) {
                const uint32_t bit = at >> i & 1u;
                switch (bits[size][15 - i]) {
                case 'X':
                    x |= bit << nx++;
                    break;
                case 'Y':
                    y |= bit << ny++;
                    break;
                default:
                    z |= bit << nz++;
                }
            }
            const struct surface s = {
                .base = ORIGIN + tile_deposit(z, t->z_bits), .pitch_bytes = 2 << across, .tiles = t};
            assert_int_equal(surface_address(&s, (int32_t)x, (int32_t)y), ORIGIN + at);
            /* The tile that is right of it, and the one that is below. */
            assert_int_equal(surface_address(&s, (int32_t)(x + (1u << across)), (int32_t)y),
                             ORIGIN + 65536 + at);
            assert_int_equal(surface_address(&s, (int32_t)x, (int32_t)(y + (1u << down))),
                             ORIGIN + 2 * 65536 + at);
        }
    }
    assert_null(tile_volume_layout(12));
}

/* Tile64 of Xe2 has all samples of its pixels: log2 of rows and bytes, from one byte a pixel to 16. (Mesa,
 * isl: ISL_TILING_64_XE2 of isl_tiling_get_info) */
static void tiles_have_all_samples(void **state)
{
    (void)state;
    static const uint8_t rows_bytes[4][5][2] = {{{8, 7}, {7, 8}, {7, 8}, {6, 9}, {5, 10}},
                                                {{7, 7}, {6, 8}, {6, 8}, {5, 9}, {5, 9}},
                                                {{6, 7}, {6, 7}, {5, 8}, {5, 8}, {5, 8}},
                                                {{6, 6}, {5, 7}, {5, 7}, {5, 7}, {4, 8}}};
    for (unsigned log2 = 1; log2 <= 4; log2++)
        for (unsigned size = 0; size < 5; size++) {
            const struct tile_layout *const t = tile_samples_layout(1u << size, log2, true);
            assert_int_equal(t->height_shift, rows_bytes[log2 - 1][size][0]);
            assert_int_equal(t->width_shift, rows_bytes[log2 - 1][size][1]);
            assert_int_equal(t->depth_shift, log2);
            assert_int_equal(tile_bytes(t), 65536);
            assert_int_equal(t->x_bits + t->y_bits + t->z_bits, UINT16_MAX);
            assert_int_equal(t->x_bits | t->y_bits | t->z_bits, UINT16_MAX);
            assert_int_equal(__builtin_popcount(t->x_bits), t->width_shift);
            assert_int_equal(__builtin_popcount(t->y_bits), t->height_shift);
        }
    assert_null(tile_samples_layout(4, 5, true));
    assert_null(tile_samples_layout(12, 2, true));
    /* Up to four in one of Gen12.5. */
    assert_int_equal(tile_samples_layout(4, 3, false)->depth_shift, 2);
}

/* Tiles that depend on the pixel's size have it up to 16 bytes. (SKL PRM vol 5, Tiling) */
static void large_pixels_have_no_tiles(void **state)
{
    (void)state;
    static const enum softgt_tiling by_size[] = {SOFTGT_TILE_YF, SOFTGT_TILE_YS, SOFTGT_TILE_64};
    for (unsigned i = 0; i < sizeof by_size / sizeof by_size[0]; i++) {
        assert_non_null(tile_layout(by_size[i], 16));
        assert_null(tile_layout(by_size[i], 32));
    }
    assert_null(tile_volume_layout(32));
}

TEST_PROGRAM(surface_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(apart_is_apart), cmocka_unit_test(volumes_have_tiles),
                                       cmocka_unit_test(tiles_have_all_samples),
                                       cmocka_unit_test(other_spaces_may_be_the_same_memory),
                                       cmocka_unit_test(large_pixels_have_no_tiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
