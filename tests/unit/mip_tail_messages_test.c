/* REN-27: levels of the mip tail of a surface in Tile64, as messages reach them: by the surface's Mip Tail
 * Start LOD, in arrays and volumes, of 8 to 128 bits a pixel. (ATS-M PRM vol 5, Mip Tails; Mesa's isl,
 * isl_get_miptail_level_offset_el) */
#include "../suite.h"
#include "message_lab.h"
#include "mip_tail_data.h"

enum { QUAD_LOAD = 2, QUAD_STORE = 6, A32 = 2, D32 = 2, BY_INDEX = 3 << 29, FIRST = 1 << 12, LOAD_LEVEL = 7 };
enum { TILE_BYTES = 64 << 10, COORDINATES = 3 };

struct view {
    unsigned size; /* log2 of the bytes of a pixel */
    bool is_volume;
    uint32_t tail_start, level, extent[3]; /* of level 0 */
};

static const struct tile *tile_of(const struct view *v)
{
    return &(v->is_volume ? volume : flat)[v->size];
}

static uint32_t deposit(uint32_t value, uint32_t bits)
{
    uint32_t result = 0;
    for (; bits; bits &= bits - 1, value >>= 1)
        result |= value & 1 ? bits & -bits : 0;
    return result;
}

static uint32_t minify(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* Level 0 is a tile, or less; level 1 below it, the others at its right, one below the other: two tiles a
 * row. Elements of an array are two rows of tiles each. */
static uint32_t expected(const struct view *v, const uint32_t at[3])
{
    const struct tile *const t = tile_of(v);
    const uint32_t first = v->level < v->tail_start ? v->level : v->tail_start;
    uint32_t tile = first == 0 ? 0 : first == 1 ? 2 : first + 1 + (first > 2) * (first - 2);
    uint32_t start = 0;
    if (v->level >= v->tail_start)
        start = (v->is_volume ? volume_starts : flat_starts)[v->level - v->tail_start][v->size];
    if (!v->is_volume)
        tile += 4 * at[2];
    return tile * TILE_BYTES + start + deposit(at[0] << v->size, t->x) + deposit(at[1], t->y) +
           (v->is_volume ? deposit(at[2], t->z) : 0);
}

static void describe(struct lab *l, const struct view *v, uint32_t first_level)
{
    static const char *const formats[SIZES] = {"R8_UINT", "R16_UINT", "R32_UINT", "R32G32_UINT",
                                               "R32G32B32A32_UINT"};
    const struct tile *const t = tile_of(v);
    const uint32_t pitch = (t->size[0] << v->size) * 2;
    STRUCTURE_PUT(l->s->device, "RENDER_SURFACE_STATE", surface_of(l, 0),
                  {"Surface Type", .value_name = v->is_volume ? "SURFTYPE_3D" : "SURFTYPE_2D"},
                  {"Surface Format", .value_name = formats[v->size]}, {"Surface Array", !v->is_volume},
                  {"Tile Mode", .value_name = "TILE64"},
                  {"Surface Horizontal Alignment", .value_name = "HALIGN_32"},
                  {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface QPitch", t->size[1] * 2 / 4}, {"Width", v->extent[0] - 1},
                  {"Height", v->extent[1] - 1}, {"Surface Pitch", pitch - 1}, {"Depth", v->extent[2] - 1},
                  {"Render Target View Extent", v->extent[2] - 1}, {"Surface Min LOD", first_level},
                  {"Mip Tail Start LOD", v->tail_start}, {"Shader Channel Select Red", .value_name = "RED"},
                  {"Shader Channel Select Green", .value_name = "GREEN"},
                  {"Shader Channel Select Blue", .value_name = "BLUE"},
                  {"Shader Channel Select Alpha", .value_name = "ALPHA"}, {"Surface Base Address", BYTES});
    bind_surface(l, 0);
}

/* A pixel is stored by a typed message; typed messages and the sampler find it again. */
static void reach(struct lab *l, const struct view *v, const uint32_t at[3])
{
    const uint32_t typed = (uint32_t)BY_INDEX | A32 << 7 | D32 << 9 | FIRST, offset = expected(v, at),
                   value = 33 + v->level;
    describe(l, v, v->level);
    memset(l->grf, 0, sizeof l->grf);
    for (unsigned d = 0; d < COORDINATES; d++)
        dw(l, d)[0] = at[d];
    dw(l, COORDINATES)[0] = value;
    assert_int_equal(ask(l, SFID_TGM, typed | QUAD_STORE, 0, COORDINATES, 1, 0, 8, 1), EU_SENT);
    if (l->s->memory[BYTES + offset] != value)
        fail_msg("%u bytes a pixel, %s, tail from %u, level %u, pixel %u %u %u is not at %#x", 1u << v->size,
                 v->is_volume ? "volume" : "array", v->tail_start, v->level, at[0], at[1], at[2], offset);
    assert_int_equal(ask(l, SFID_TGM, typed | QUAD_LOAD, 0, COORDINATES, 0, 1, 8, 1), EU_SENT);
    assert_int_equal(dw(l, 32)[0], value);
    for (unsigned by_state = 0; by_state < 2; by_state++) { /* levels count from the state's first one */
        describe(l, v, by_state ? v->level : 0);
        memset(l->grf, 0, sizeof l->grf);
        for (unsigned d = 0; d < COORDINATES; d++) /* u, v, level, r */
            dw(l, d < 2 ? d : 3)[0] = at[d];
        dw(l, 2)[0] = by_state ? 0 : v->level;
        STRUCTURE_CHANGE(l->s->device, "RENDER_SURFACE_STATE", surface_of(l, 0), {"MIP Count / LOD", LEVELS});
        assert_int_equal(ask(l, SFID_SAMPLER, LOAD_LEVEL << 12 | 1 << 17, 0, 4, 0, 4, 8, 1), EU_SENT);
        assert_int_equal(dw(l, 32)[0], value);
    }
    memset(l->s->memory + BYTES + offset, 0, 16);
}

static void reach_levels(struct lab *l, struct view *v)
{
    const struct tile *const t = tile_of(v);
    v->extent[0] = v->tail_start ? t->size[0] : t->size[0] / 2; /* the tail's first level has half a tile */
    v->extent[1] = t->size[1];
    v->extent[2] = v->is_volume ? t->size[2] : 2;
    for (v->level = 0; v->level < LEVELS; v->level++) {
        const uint32_t size[3] = {minify(v->extent[0], v->level), minify(v->extent[1], v->level),
                                  v->is_volume ? minify(v->extent[2], v->level) : 2};
        reach(l, v, (const uint32_t[3]){0, 0, 0});
        reach(l, v, (const uint32_t[3]){size[0] - 1, size[1] / 2, size[2] / 2});
        reach(l, v, (const uint32_t[3]){size[0] / 3, size[1] - 1, size[2] - 1});
    }
}

static void levels_share_a_tile(void **state)
{
    static const uint8_t starts[] = {0, 1, 2, 3};
    static const char *const with_tails[] = {"dg2", "atsm"};
    (void)state;
    for (unsigned d = 0; d < 2; d++) {
        struct lab l;
        lab_begin(&l, with_tails[d]);
        memset(l.s->memory + BYTES, 0, 10 * TILE_BYTES);
        for (unsigned n = 0; n < 8; n++)
            for (unsigned size = 0; size < SIZES; size++) {
                struct view v = {.size = size, .is_volume = n % 2, .tail_start = starts[n / 2]};
                if (v.tail_start < 3 || v.is_volume)
                    reach_levels(&l, &v);
            }
        lab_end(&l);
    }
}

TEST_PROGRAM(mip_tail_messages_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_share_a_tile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
