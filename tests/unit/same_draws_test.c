/* Draws leave the same bytes on every host: their hashes stand here. Each draw runs at each level of vectors
 * that the host has, and translated. The build runs the program again with libm's functions for older
 * processors. */
#include "../suite.h"
#include "../draws.h"

#include "output_merger/pixel_rows.h"

enum { FUNCTIONS = 4 };

struct same_draw {
    const char *name;
    uint32_t format;
    uint8_t functions[FUNCTIONS]; /* of the components; 0: none */
    bool blends, truncates;       /* truncates: floats round to zero */
    uint64_t hash;
    uint32_t texture, filter, mip; /* of a draw that samples: the format, filters */
    bool is_textured, is_tiled;
};

enum { NEAREST, LINEAR };
enum { TEXTURE = 1664 * KB, TEXTURE_PITCH = 1024, TEXTURE_ROWS = 128, SIZE = 64, SAMPLERS_AT = 16 * KB };
#define TEXTURED(called, texels, filters, mips, tiled, is)                                                   \
    {                                                                                                        \
        .name = (called), .format = R32G32B32A32_FLOAT, .hash = UINT64_C(is), .texture = (texels),           \
        .filter = (filters), .mip = (mips), .is_textured = true, .is_tiled = (tiled)                         \
    }

/* Functions: 1 inverse, 2 log, 3 exp, 4 sqrt, 5 rsqrt, 6 sin, 7 cos. Formats: 0 R32G32B32A32_FLOAT,
 * 0x84 R16G16B16A16_FLOAT, 0xc0 B8G8R8A8_UNORM, 0xc2 R10G10B10A2_UNORM, 0xc7 R8G8B8A8_UNORM,
 * 0xc8 R8G8B8A8_UNORM_SRGB, 0xc9 R8G8B8A8_SNORM. */
static const struct same_draw same_draws[] = {
    {"functions", 0, {1, 2, 3, 4}, false, false, UINT64_C(0xd28d26ec149157e9)},
    {"more functions", 0, {5, 6, 7, 2}, false, false, UINT64_C(0x58d6d0c368a0eaa3)},
    {"halves", 0x84, {2, 3, 6, 7}, false, false, UINT64_C(0x32e6296186d166e9)},
    {"ten bits", 0xc2, {4, 5, 6, 7}, true, false, UINT64_C(0xd24a1c3e484abff0)},
    {"sRGB", 0xc8, {4, 6, 7, 1}, false, false, UINT64_C(0x5d0d33dd47e1921e)},
    {"blended sRGB", 0xc8, {4, 6, 7, 1}, true, false, UINT64_C(0xb25e890c7ea5f4e0)},
    {"truncated ten bits", 0xc2, {4, 5, 6, 7}, true, true, UINT64_C(0x9cf8f43716c73ee2)},
    {"truncated sRGB", 0xc8, {4, 6, 7, 1}, false, true, UINT64_C(0x9bbfed7aa6a792ce)},
    {"truncated, blended sRGB", 0xc8, {4, 6, 7, 1}, true, true, UINT64_C(0xebe8aa0833318c4d)},
    TEXTURED("nearest texels", 0xc7, NEAREST, 0, true, 0x4c92013ec18b024c),
    TEXTURED("nearest texels of lines", 0xc7, NEAREST, 0, false, 0xb3d2f43f6cbf13fa),
    TEXTURED("nearest texels of levels", 0xc0, NEAREST, 1, true, 0xf03216ab864ebae1),
    TEXTURED("linear filter", 0xc7, LINEAR, 0, true, 0xcc14507b8513ec1b),
    TEXTURED("linear filters of levels", 0xc7, LINEAR, 3, true, 0xcf16ddb6678f5b49),
    TEXTURED("linear filters of sRGB", 0xc8, LINEAR, 3, true, 0x45c85485789cb2ef),
    TEXTURED("linear filters of ten bits", 0xc2, LINEAR, 3, false, 0xd35a6bbde0177c22),
    TEXTURED("linear filters of halves", 0x84, LINEAR, 3, true, 0x0b2a734fd756cef8),
    TEXTURED("linear filters of signed numbers", 0xc9, LINEAR, 1, true, 0x5a6c0e297750fe93),
};

/* x and y of pixels as floats, in registers 22 and 24. */
static void put_xy(void)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        struct op subspans = region(1, TYPE_UW, 2, 4, 0);
        subspans.subregister = (uint8_t)(8 + 2 * axis);
        KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UW), subspans, imm(pixel_offsets(axis), TYPE_V));
        KERNEL_1(&k, EU_MOV, all, reg(22 + 2 * axis, TYPE_F), region(20, TYPE_UW, 16, 16, 1));
    }
}

static void put_shading(struct streamer *s, const struct same_draw *c)
{
    const struct op control = other(FILE_CONTROL, 0, 0, TYPE_UD);
    put_xy();
    if (c->truncates)
        KERNEL_2(&k, EU_OR, ((struct how){.channels = 1, .no_mask = true}), control, control,
                 imm(ROUND_TO_ZERO << CR0_ROUNDING_SHIFT, TYPE_UD));
    for (unsigned n = 0; n < 2; n++)
        KERNEL_2(&k, EU_MUL, all, reg(30 + 2 * n, TYPE_F), reg(22 + 2 * n, TYPE_F),
                 imm(float_bits(n ? 0.0437f : 0.0293f), TYPE_F));
    for (unsigned n = 0; n < FUNCTIONS; n++) {
        KERNEL_2(&k, EU_ADD, all, reg(34, TYPE_F), reg(30 + n % 2 * 2, TYPE_F),
                 imm(float_bits(0.01f + 0.3f * (float)n), TYPE_F));
        KERNEL_2(&k, EU_MATH, ((struct how){.channels = 16, .function = c->functions[n]}),
                 reg(PAYLOAD + 2 * n, TYPE_F), reg(34, TYPE_F), none(TYPE_F));
    }
    for (unsigned n = 0; c->truncates && n < FUNCTIONS;
         n++) /* the last one before the message rounds so, too */
        KERNEL_2(&k, EU_MUL, all, reg(PAYLOAD + 2 * n, TYPE_F), reg(PAYLOAD + 2 * n, TYPE_F),
                 imm(float_bits(0.9997f), TYPE_F));
    put_write();
    put_kernel(s);
}

/* Samples surface 1 where positions are, in parts of the texture. */
static void put_sampling(struct streamer *s)
{
    enum { SIMD16_SAMPLE = 2 << 17 };
    put_xy();
    for (unsigned n = 0; n < 2; n++)
        KERNEL_2(&k, EU_MUL, all, reg(30 + 2 * n, TYPE_F), reg(22 + 2 * n, TYPE_F),
                 imm(float_bits(n ? 0.0437f : 0.0293f), TYPE_F));
    kernel_send(&k, all, SFID_SAMPLER, PAYLOAD_REGISTERS(4) | RESPONSE_REGISTERS(8) | SIMD16_SAMPLE | 1,
                reg(PAYLOAD, TYPE_UD), reg(30, TYPE_UD), false);
    put_write();
    put_kernel(s);
}

/* A texture of 64 x 64 texels with three levels, of bytes that are no NaNs in any format; it wraps along x
 * and mirrors along y. */
static void put_texture(struct streamer *s, const struct same_draw *c)
{
    enum { STATE_AT = SURFACES + STATES_AT + 64, LEVELS = 3, Y_TILES = 3, MIRROR = 1, MOST_LOD = 14 << 8 };
    uint32_t random = 1;
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, STATE_AT),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", c->texture},
                  {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface Horizontal Alignment", 1}, {"Tile Mode", c->is_tiled ? Y_TILES : 0},
                  {"Width", SIZE - 1}, {"Height", SIZE - 1}, {"Surface Pitch", TEXTURE_PITCH - 1},
                  {"MIP Count / LOD", LEVELS - 1}, {"Surface QPitch", TEXTURE_ROWS / 4},
                  {"Shader Channel Select Red", 4}, {"Shader Channel Select Green", 5},
                  {"Shader Channel Select Blue", 6}, {"Shader Channel Select Alpha", 7},
                  {"Surface Base Address", TEXTURE});
    dword_put(s, SURFACES + TABLE_AT + 4, STATES_AT + 64);
    for (uint32_t i = 0; i < TEXTURE_PITCH * TEXTURE_ROWS; i += 4) {
        random = random * 1664525u + 1013904223u;
        dword_put(s, TEXTURE + i, random & 0xbfffbfffu);
    }
    const uint32_t sampler[4] = {c->filter << 14 | c->filter << 17 | c->mip << 20, MOST_LOD << 8, 0,
                                 MIRROR << 3};
    memcpy(s->memory + DYNAMIC + SAMPLERS_AT, sampler, sizeof sampler);
}

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Of the target and the counters; 0: the host does not have the way. */
static uint64_t draw_hash(const char *device, const struct same_draw *c, unsigned way)
{
    static const float rectangle[3][3] = {{61, 31, 0}, {1, 31, 0}, {1, 2, 0}};
    struct eu_cache *const cache = test_cache(way);
    if (!cache)
        return 0;
    struct streamer *const s = begin(device);
    struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
    const unsigned level = way == TEST_TRANSLATED ? eu_host_simd_level() : way;
    eu_cache_destroy(d->cache);
    d->cache = cache;
    d->bindings.pixels = way ? pixel_functions_of((enum eu_simd_level)level) : NULL; /* pixel by pixel */
    uint32_t dw[MOST_DW];
    enum { SRC_ALPHA = 3, INV_SRC_ALPHA = 0x13 };
    const struct scene scene = {.topology = RECTLIST,
                                .vertices = 3,
                                .at = rectangle,
                                .format = c->format,
                                .statistics = true,
                                .blending = {c->blends ? 1u << 31 | SRC_ALPHA << 26 | INV_SRC_ALPHA << 21 |
                                                             SRC_ALPHA << 13 | INV_SRC_ALPHA << 8
                                                       : 0}};
    if (c->is_textured)
        put_sampling(s);
    else
        put_shading(s, c);
    uint32_t count = put_scene(s, &scene, dw);
    if (c->is_textured) {
        put_texture(s, c);
        insert_before_primitive(
            s, dw, &count, "3DSTATE_SAMPLER_STATE_POINTERS_PS pointer_to_ps_sampler_state = %u", SAMPLERS_AT);
    }
    batch_run(s, dw, count, true);
    const struct softgt_engine_status status = streamer_status(s);
    assert_int_equal(status.state, SOFTGT_ENGINE_IDLE);
    const uint64_t counts[] = {status.threads, status.instructions, status.bytes_written,
                               counter_at(s, "PS_INVOCATION_COUNT"), counter_at(s, "PS_DEPTH_COUNT")};
    assert_int_equal(counts[4], 60 * 29);
    assert_int_not_equal(dword_at(s, TARGET + 9 * PITCH + 128), dword_at(s, TARGET + 9 * PITCH + 224));
    uint64_t hash = hash_of(UINT64_C(0xcbf29ce484222325), s->memory + TARGET, PITCH * HEIGHT);
    hash = hash_of(hash, counts, sizeof counts);
    streamer_destroy(s);
    return hash;
}

static void the_same_everywhere(void **state)
{
    (void)state;
    static const char *const names[] = {"skl", "icl", "tgl"};
    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof same_draws / sizeof same_draws[0]; i++)
        for (unsigned n = 0; n < sizeof names / sizeof names[0]; n++)
            for (unsigned way = 0; way < TEST_WAYS; way++) {
                const uint64_t hash = draw_hash(names[n], &same_draws[i], way);
                if (!hash || hash == same_draws[i].hash)
                    continue;
                print_error("%s: %s, way %u: 0x%016llx\n", names[n], same_draws[i].name, way,
                            (unsigned long long)hash);
                wrong++;
            }
    assert_int_equal(wrong, 0);
}

TEST_PROGRAM(same_draws_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
