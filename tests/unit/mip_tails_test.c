/* CSP-07: the small mips of a surface in Tile64 share one tile of 64 KB, each a place of its own: all
 * fifteen, drawn over the whole of their places, fill the tile once. (ATS-M PRM vol 5, Mip Tails) */
#include "../suite.h"
#include "../blits.h"

enum { MIPS = 15, TILE_BYTES = 65536, TAIL_START = 1, SURFTYPE_2D = 1, SURFTYPE_3D = 2 };
struct room {
    uint32_t width, height, depth;
};

/* In bytes: the first five are halves of halves; behind them 512, five of 256 and four of 64. */
static uint32_t bytes_of(unsigned mip)
{
    return mip < 5 ? 32768u >> mip : mip == 5 ? 512u : mip < 11 ? 256u : 64u;
}

/* In pixels, of a tile of so many. */
static struct room flat_room(unsigned mip, unsigned bytes, struct room tile)
{
    if (mip < 5)
        return (struct room){tile.width / 2 >> mip / 2, tile.height >> (mip + 1) / 2, 1};
    if (mip < 11)
        return (struct room){tile.width / 16, mip == 5 ? tile.height / 8 : tile.height / 16, 1};
    return (struct room){16 / bytes, 4, 1};
}

static struct room volume_room(unsigned mip, unsigned bytes, struct room tile)
{
    static const struct room sixth[] = {{16, 4, 8}, {8, 4, 8}, {4, 8, 4}, {4, 4, 4}, {2, 4, 4}};
    if (mip < 5)
        return (struct room){tile.width >> (1 + mip / 3), tile.height >> (mip + 2) / 3,
                             tile.depth >> (mip + 1) / 3};
    if (mip == 5)
        return sixth[__builtin_ctz(bytes)];
    return (struct room){16 / bytes, 4, mip < 11 ? 4 : 1};
}

static void fill(struct rig *r, unsigned bytes, unsigned type, unsigned mip, unsigned slice, struct room size,
                 struct room tile)
{
    const uint32_t color = (mip + 1) * 0x01010101u;
    struct words w = {.wide = true};
    word(&w, header(0x44, (uint32_t)__builtin_ctz(bytes == 16 ? 32 : bytes) << 19 | 14));
    word(&w, 3u << 30 | (tile.width * bytes / 4 - 1)); /* in dwords */
    pair(&w, 0, 0);
    pair(&w, (int)size.width, (int)size.height);
    address(&w, DATA);
    word(&w, 0);
    for (unsigned i = 0; i < 4; i++)
        word(&w, color);
    word(&w, 0);
    word(&w, 0);
    word(&w, type << 29 | (tile.width - 1) << 14 | (tile.height - 1));
    word(&w, (tile.depth - 1) << 21 | tile.height / 4 << 4 | (TAIL_START + mip));
    word(&w, slice << 21 | TAIL_START << 8);
    batch_run(r->s, w.dw, w.count, true);
}

static void fill_the_tile(const char *device, unsigned bytes, unsigned type, struct room tile,
                          struct room room_of(unsigned mip, unsigned bytes, struct room tile))
{
    struct rig r = open_rig(device, 1);
    uint32_t count[256] = {0};
    memset(area(r.s), 0, 3 * TILE_BYTES);
    for (unsigned mip = 0; mip < MIPS; mip++) {
        const struct room size = room_of(mip, bytes, tile);
        assert_int_equal(size.width * size.height * size.depth * bytes, bytes_of(mip));
        for (unsigned slice = 0; slice < size.depth; slice++)
            fill(&r, bytes, type, mip, slice, size, tile);
    }
    for (unsigned at = 0; at < 3 * TILE_BYTES; at++) {
        const uint8_t byte = area(r.s)[at];
        if ((byte != 0) != (at / TILE_BYTES == 1))
            fail_msg("%s, %u bytes a pixel, type %u: byte %#x is of mip %d", device, bytes, type, at,
                     byte - 1);
        count[byte]++;
    }
    for (unsigned mip = 0; mip < MIPS; mip++)
        if (count[mip + 1] != bytes_of(mip))
            fail_msg("%s, %u bytes a pixel, type %u: of mip %u there are %u bytes, not %u", device, bytes,
                     type, mip, count[mip + 1], bytes_of(mip));
    close_rig(&r);
}

static void small_mips_fill_a_tile(void **state)
{
    static const struct room
        tiles[] = {{256, 256, 1}, {256, 128, 1}, {128, 128, 1}, {128, 64, 1}, {64, 64, 1}},
        volumes[] = {{64, 32, 32}, {32, 32, 32}, {32, 32, 16}, {32, 16, 16}, {16, 16, 16}};
    static const char *const devices[] = {"dg2", "atsm"};
    (void)state;
    for (unsigned d = 0; d < 2; d++)
        for (unsigned size = 0; size < 5; size++) {
            fill_the_tile(devices[d], 1u << size, SURFTYPE_2D, tiles[size], flat_room);
            fill_the_tile(devices[d], 1u << size, SURFTYPE_3D, volumes[size], volume_room);
        }
}

TEST_PROGRAM(mip_tails_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_mips_fill_a_tile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
