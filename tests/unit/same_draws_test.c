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
};

/* Functions: 1 inverse, 2 log, 3 exp, 4 sqrt, 5 rsqrt, 6 sin, 7 cos. Formats: 0 R32G32B32A32_FLOAT,
 * 0x84 R16G16B16A16_FLOAT, 0xc2 R10G10B10A2_UNORM, 0xc8 R8G8B8A8_UNORM_SRGB. */
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
    d->bindings.pixels = pixel_functions_of((enum eu_simd_level)level);
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
    put_shading(s, c);
    batch_run(s, dw, put_scene(s, &scene, dw), true);
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
