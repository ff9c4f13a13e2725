/* Surfaces of several samples with a control surface (MCS): what clears, draws and shaders that resolve
 * leave, as messages to the sampler read it: ld_mcs, and ld2dms, which gets the element that ld_mcs gave. An
 * element says for each sample of its pixel which array element has its color, or that the pixel is cleared.
 * (IVB PRM vol 2 part 1, MCS Buffer for Render Target(s); SKL PRM vol 7, Sampler messages; Mesa, blorp) */
#include "../suite.h"
#include "../samples.h"

enum {
    MCS = SAMPLE_TARGET + SAMPLE_TARGET_BYTES,
    MCS_MEMORY = SAMPLE_MEMORY + SAMPLE_TARGET_BYTES,
    MCS_PITCH = 512,
    MCS_BYTES = MCS_PITCH * HEIGHT,
    CLEAR_COLOR = 1664 * KB,
    TEXTURE_AT = STATES_AT + SURFACE_STATE_BYTES
};
static const uint32_t RED = RGBA(255, 0, 0, 255), BLUE = RGBA(0, 0, 255, 0);
static const float blue[4] = {0, 0, 1, 0};

/* By log2 of the samples: bytes of an element, bits of a sample in it, the element of a cleared pixel. */
static const struct {
    unsigned bytes, bits;
    uint64_t cleared;
} kinds[] = {{0, 0, 0}, {1, 1, 0x3}, {1, 2, 0xff}, {4, 4, UINT32_MAX}, {8, 4, UINT64_MAX}};

static uint32_t element_place(unsigned log2, uint32_t x, uint32_t y)
{
    return MCS_MEMORY + tiled_place(k.set == &eu_gen125 ? tile_4_bits : y_tile_bits, x * kinds[log2].bytes, y,
                                    0, MCS_PITCH);
}

static uint64_t element_at(const struct streamer *s, unsigned log2, uint32_t x, uint32_t y)
{
    uint64_t element = 0;
    memcpy(&element, s->memory + element_place(log2, x, y), kinds[log2].bytes);
    return element;
}

/* The array element that an element names for a sample. */
static unsigned named_in(unsigned log2, uint64_t element, unsigned sample)
{
    return (unsigned)(element >> sample * kinds[log2].bits) & ((1u << log2) - 1u);
}

static void set_element(struct streamer *s, unsigned log2, uint32_t x, uint32_t y, uint64_t element)
{
    memcpy(s->memory + element_place(log2, x, y), &element, kinds[log2].bytes);
}

/* The control surface and the clear color, red, of a state. (Mesa, isl: modes) */
static void put_control(struct streamer *s, uint32_t state_at)
{
    enum { AUX_MCS = 1, AUX_CCS_E = 5, CLEAR_DW = 12 };
    const bool is_late = k.set == &eu_gen12 || k.set == &eu_gen125;
    uint32_t *const state = dwords_at(s, SURFACES + state_at);
    STRUCTURE_CHANGE(
        s->device, "RENDER_SURFACE_STATE", state, {"Auxiliary Surface Mode", is_late ? AUX_CCS_E : AUX_MCS},
        {"Auxiliary Surface Base Address", MCS}, {"Auxiliary Surface Pitch", MCS_PITCH / 128 - 1});
    if (k.set == &eu_gen8) {
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state, {"Red Clear Color", 1},
                         {"Alpha Clear Color", 1});
        return;
    }
    if (k.set != &eu_gen9) {
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", state, {"Clear Value Address Enable", 1});
        state[CLEAR_DW] = CLEAR_COLOR;
    }
    for (unsigned i = 0; i < 4; i++)
        dword_put(s, k.set == &eu_gen9 ? SURFACES + state_at + (CLEAR_DW + i) * 4 : CLEAR_COLOR + i * 4,
                  i % 3 ? 0 : float_bits(1));
}

/* Entry 1 of the binding table: the target as a texture. */
static void put_texture(struct streamer *s, unsigned log2, bool has_control)
{
    uint32_t state[SURFACE_STATE_BYTES / 4];
    memcpy(state, s->memory + SURFACES + STATES_AT, sizeof state);
    put_sample_target(s, R8G8B8A8_UNORM, log2, 1);
    memcpy(s->memory + SURFACES + TEXTURE_AT, s->memory + SURFACES + STATES_AT, sizeof state);
    memcpy(s->memory + SURFACES + STATES_AT, state, sizeof state);
    STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + TEXTURE_AT),
                     {"Shader Channel Select Red", 4}, {"Shader Channel Select Green", 5},
                     {"Shader Channel Select Blue", 6}, {"Shader Channel Select Alpha", 7});
    if (has_control)
        put_control(s, TEXTURE_AT);
    dword_put(s, SURFACES + TABLE_AT + 4, TEXTURE_AT);
}

/* ---- Kernels ---- */

enum { WORDS = 20, PLACES = 30, ELEMENT = 40, QUERY = 50, ANSWER = 60 };
enum {
    LD_MCS = 29 << 12,
    LD2DMS = 30 << 12,
    LD2DMS_W = 28 << 12,
    SIMD16_SAMPLER = 2 << 17,
    HALVES = 1 << 29
};

/* The element of each pixel of the texture. */
static void put_element(void)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        struct op subspans = region(1, TYPE_UW, 2, 4, 0);
        subspans.subregister = (uint8_t)(8 + 2 * axis);
        KERNEL_2(&k, EU_ADD, all, reg(WORDS + axis, TYPE_UW), subspans, imm(pixel_offsets(axis), TYPE_V));
        KERNEL_1(&k, EU_MOV, all, reg(PLACES + 2 * axis, TYPE_UD), region(WORDS + axis, TYPE_UW, 16, 16, 1));
    }
    kernel_send(&k, all, SFID_SAMPLER,
                PAYLOAD_REGISTERS(4) | RESPONSE_REGISTERS(8) | SIMD16_SAMPLER | LD_MCS | 1,
                reg(ELEMENT, TYPE_UD), reg(PLACES, TYPE_UD), false);
}

/* A sample of each pixel: parameters are the sample, the element, the place; of Gen12.5 they are words, and
 * the element is four. (Mesa, brw: TXF_CMS, TXF_CMS_W, TXF_CMS_W_GFX12) */
static void put_sample(unsigned log2, unsigned sample)
{
    const bool has_two = log2 > 3;
    unsigned at = QUERY;
    if (k.set == &eu_gen125) {
        KERNEL_1(&k, EU_MOV, all, reg(at++, TYPE_UW), imm(sample, TYPE_UW));
        for (unsigned word = 0; word < 4; word++) {
            struct op part = region(ELEMENT + word / 2 * 2, TYPE_UW, 16, 8, 2);
            part.subregister = (uint8_t)(word % 2 * 2);
            KERNEL_1(&k, EU_MOV, all, reg(at++, TYPE_UW), part);
        }
        for (unsigned axis = 0; axis < 2; axis++)
            KERNEL_1(&k, EU_MOV, all, reg(at++, TYPE_UW), reg(WORDS + axis, TYPE_UW));
    } else {
        KERNEL_1(&k, EU_MOV, all, reg(at, TYPE_UD), imm(sample, TYPE_UD));
        at += 2;
        for (unsigned n = 0; n < 1u + has_two; n++, at += 2)
            KERNEL_1(&k, EU_MOV, all, reg(at, TYPE_UD), reg(ELEMENT + 2 * n, TYPE_UD));
        for (unsigned axis = 0; axis < 2; axis++, at += 2)
            KERNEL_1(&k, EU_MOV, all, reg(at, TYPE_UD), reg(PLACES + 2 * axis, TYPE_UD));
    }
    kernel_send(&k, all, SFID_SAMPLER,
                PAYLOAD_REGISTERS(at - QUERY) | RESPONSE_REGISTERS(8) | SIMD16_SAMPLER |
                    (k.set == &eu_gen125 ? LD2DMS_W | HALVES
                     : has_two           ? LD2DMS_W
                                         : LD2DMS) |
                    1,
                reg(ANSWER, TYPE_UD), reg(QUERY, TYPE_UD), false);
}

static void put_answer(struct streamer *s, unsigned from)
{
    for (unsigned i = 0; i < 4; i++)
        KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_UD), reg(from + 2 * i, TYPE_UD));
    put_write();
    put_kernel(s);
}

/* ---- Draws ---- */

static const float everything[3][3] = {{WIDTH, HEIGHT, 0}, {0, HEIGHT, 0}, {0, 0, 0}};
static const struct scene whole_target = {
    .topology = RECTLIST, .vertices = 3, .at = everything, .format = R8G8B8A8_UNORM, .bindings = 2};

/* Draws to the target of several samples, with its control surface. */
static void draw_samples(struct streamer *s, const struct scene *c, unsigned log2, bool fills, unsigned way)
{
    const struct sampling a = {.log2 = log2, .mask = 0xffff, .keeps = !fills};
    uint32_t dw[MOST_DW];
    const uint32_t count = put_sampled_scene(s, c, &a, dw);
    put_control(s, STATES_AT);
    put_texture(s, log2, true);
    run_sampled(s, dw, count, way);
}

static void fast_clear(struct streamer *s, unsigned log2, unsigned way)
{
    struct scene c = whole_target;
    c.clears = true;
    c.bindings = 1;
    k.count = 0;
    put_color(s, blue);
    draw_samples(s, &c, log2, true, way);
}

/* Blue in a rectangle, of which some pixels have some samples. */
static const int32_t drawn[4] = {3 * 16 + 7, 5 * 16 + 3, 36 * 16 + 9, 20 * 16 + 11};
static const float drawn_corners[3][3] = {
    {36.5625f, 20.6875f, 0}, {3.4375f, 20.6875f, 0}, {3.4375f, 5.1875f, 0}};

static bool is_drawn(unsigned log2, uint32_t x, uint32_t y, unsigned sample)
{
    const int32_t x16 = (int32_t)x * 16 + standard_positions[log2][sample][0],
                  y16 = (int32_t)y * 16 + standard_positions[log2][sample][1];
    return x16 >= drawn[0] && x16 < drawn[2] && y16 >= drawn[1] && y16 < drawn[3];
}

static void draw_blue(struct streamer *s, unsigned log2, unsigned way)
{
    struct scene c = whole_target;
    c.at = drawn_corners;
    c.bindings = 1;
    k.count = 0;
    put_color(s, blue);
    draw_samples(s, &c, log2, false, way);
}

/* Draws what the sampler reads of the texture to the usual target: a sample, or with SAMPLES_MOST the
 * elements. */
static void read_samples(struct streamer *s, unsigned log2, unsigned sample, bool has_control, unsigned way)
{
    struct scene c = whole_target;
    uint32_t dw[MOST_DW];
    c.format = sample < SAMPLES_MOST ? R8G8B8A8_UNORM : R32G32B32A32_UINT;
    k.count = 0;
    put_element();
    if (sample < SAMPLES_MOST)
        put_sample(log2, sample);
    put_answer(s, sample < SAMPLES_MOST ? ANSWER : ELEMENT);
    const uint32_t count = put_scene(s, &c, dw);
    put_texture(s, log2, has_control);
    run_sampled(s, dw, count, way);
}

static uint32_t read_at(const struct streamer *s, uint32_t x, uint32_t y)
{
    return dword_at(s, TARGET + y * PITCH + x * 4);
}

static unsigned next_way(void)
{
    static unsigned way;
    return way++ % RUN_WAYS;
}

/* ---- Tests ---- */

/* A fast clear says of all pixels that they are cleared, and leaves their samples alone. */
static void expect_cleared(const struct streamer *s, unsigned log2)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            assert_int_equal(element_at(s, log2, x, y) & kinds[log2].cleared, kinds[log2].cleared);
            for (unsigned sample = 0; sample < 1u << log2; sample++)
                assert_int_equal(dword_at(s, sample_place(s, 4, log2, 0, x, y, sample)), STALE);
        }
}

/* What is drawn over a cleared target: samples that are not covered have the clear color, also in pixels of
 * which others are; elements that nothing was drawn to are those of cleared pixels. */
static void clears_and_draws(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            struct streamer *const s = begin(*name);
            fast_clear(s, log2, next_way());
            expect_cleared(s, log2);
            draw_blue(s, log2, next_way());
            for (unsigned sample = 0; sample<1u << log2; sample += log2> 2 ? 3 : 1) {
                read_samples(s, log2, sample, true, next_way());
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        assert_int_equal(read_at(s, x, y), is_drawn(log2, x, y, sample) ? BLUE : RED);
            }
            read_samples(s, log2, SAMPLES_MOST, true, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    bool any = false;
                    for (unsigned sample = 0; sample < 1u << log2; sample++)
                        any |= is_drawn(log2, x, y, sample);
                    const uint64_t element = qword_at(s, TARGET + y * PITCH + x * 16);
                    assert_int_equal((element & kinds[log2].cleared) == kinds[log2].cleared, !any);
                    assert_int_equal(element, element_at(s, log2, x, y));
                }
            streamer_destroy(s);
        }
}

/* The array element that an element of the control surface names for a sample: any one of those of the pixel.
 */
static unsigned any_element(unsigned log2, uint32_t x, uint32_t y, unsigned sample)
{
    return (x * 5 + y * 3 + (x + y) % 3 * sample) % (1u << log2);
}

static uint32_t color_of(uint32_t x, uint32_t y, unsigned array_element)
{
    return RGBA(x, y, array_element, 255);
}

/* Compressed pixels: several samples have the color of one array element. Draws to some of a pixel's samples
 * leave the others their colors. */
static void compressed_pixels(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            struct streamer *const s = begin(*name);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    uint64_t element = 0;
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        dword_put(s, sample_place(s, 4, log2, 0, x, y, sample), color_of(x, y, sample));
                        element |= (uint64_t)any_element(log2, x, y, sample) << sample * kinds[log2].bits;
                    }
                    if ((element & kinds[log2].cleared) == kinds[log2].cleared) /* it would be cleared */
                        element ^= 1;
                    set_element(s, log2, x, y, element);
                }
            uint8_t *const elements = malloc(MCS_BYTES);
            assert_non_null(elements);
            memcpy(elements, s->memory + MCS_MEMORY, MCS_BYTES);
            for (unsigned draws = 0; draws < 2; draws++) {
                if (draws)
                    draw_blue(s, log2, next_way());
                for (unsigned sample = 0; sample<1u << log2; sample += log2> 2 ? 5 : 1) {
                    read_samples(s, log2, sample, true, next_way());
                    for (uint32_t y = 0; y < HEIGHT; y++)
                        for (uint32_t x = 0; x < WIDTH; x++) {
                            uint64_t element = 0;
                            memcpy(&element, elements + element_place(log2, x, y) - MCS_MEMORY,
                                   kinds[log2].bytes);
                            const unsigned named = named_in(log2, element, sample);
                            assert_int_equal(read_at(s, x, y), draws && is_drawn(log2, x, y, sample)
                                                                   ? BLUE
                                                                   : color_of(x, y, named));
                        }
                }
            }
            free(elements);
            streamer_destroy(s);
        }
}

/* Drivers resolve by a shader that looks at the elements: where they say that a pixel is cleared, it draws
 * the clear color; it discards the others. Then no pixel is cleared, and a surface without control surface
 * that is read by the elements has all colors. (Mesa, blorp: MCS partial resolve) */
static void resolves(void **state)
{
    (void)state;
    enum { EQUAL_TO = 1 };
    const struct how compares = {.channels = 16, .condition = EQUAL_TO},
                     cleared = {.channels = 16, .predicate = 1};
    static const float red[4] = {1, 0, 0, 1};
    for (EACH_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            struct streamer *const s = begin(*name);
            struct scene c = whole_target;
            fast_clear(s, log2, next_way());
            draw_blue(s, log2, next_way());
            k.count = 0;
            put_element();
            if (log2 == 4)
                KERNEL_2(&k, EU_AND, all, reg(ELEMENT, TYPE_UD), reg(ELEMENT, TYPE_UD),
                         reg(ELEMENT + 2, TYPE_UD));
            KERNEL_2(&k, EU_AND, all, reg(ELEMENT, TYPE_UD), reg(ELEMENT, TYPE_UD),
                     imm(kinds[log2].cleared & UINT32_MAX, TYPE_UD));
            KERNEL_2(&k, EU_CMP, compares, none(TYPE_UD), reg(ELEMENT, TYPE_UD),
                     imm(kinds[log2].cleared & UINT32_MAX, TYPE_UD));
            for (unsigned i = 0; i < 4; i++)
                KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + 2 * i, TYPE_F), imm(float_bits(red[i]), TYPE_F));
            kernel_send(&k, cleared, SFID_RENDER_CACHE, SIMD16_WRITE, none(TYPE_UD), reg(PAYLOAD, TYPE_UD),
                        true);
            put_kernel(s);
            c.kills = true;
            draw_samples(s, &c, log2, false, next_way());
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const uint64_t element = element_at(s, log2, x, y);
                    assert_int_not_equal(element & kinds[log2].cleared, kinds[log2].cleared);
                    for (unsigned sample = 0; sample < 1u << log2; sample++) {
                        const unsigned named = named_in(log2, element, sample);
                        assert_int_equal(dword_at(s, sample_place(s, 4, log2, 0, x, y, named)),
                                         is_drawn(log2, x, y, sample) ? BLUE : RED);
                    }
                }
            streamer_destroy(s);
        }
}

/* Without a control surface ld_mcs gives zeros, and each sample is in its own array element. */
static void without_control(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (EACH_SAMPLE_COUNT(log2)) {
            struct streamer *const s = begin(*name);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++)
                    for (unsigned sample = 0; sample < 1u << log2; sample++)
                        dword_put(s, sample_place(s, 4, log2, 0, x, y, sample), color_of(x, y, sample));
            for (unsigned sample = 1; sample <= 1u << log2; sample *= 2) {
                const bool elements = sample == 1u << log2;
                read_samples(s, log2, elements ? (unsigned)SAMPLES_MOST : sample, false, next_way());
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        if (elements)
                            assert_int_equal(qword_at(s, TARGET + y * PITCH + x * 16), 0);
                        else
                            assert_int_equal(read_at(s, x, y), color_of(x, y, sample));
            }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(sample_surfaces_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_and_draws),
        cmocka_unit_test(compressed_pixels),
        cmocka_unit_test(resolves),
        cmocka_unit_test(without_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
