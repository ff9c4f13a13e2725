/* What vertex fetch of Gen6 makes of buffers, indices and instances: each vertex is a point, whose pixel has
 * an element of it, bit by bit. (SNB PRM vol 2 part 1, Vertex Fetch) */
#include "../suite.h"
#include "../gen6_scenes.h"

enum { VERTEX_BUFFERS = 0x78080000, ELEMENTS = 0x78090000, INDEX_BUFFER = 0x780a0000, DRAW = 0x7b000000 };
enum { BUFFER = 0x1d0000, POINTS = 8, POINTLIST = 1, SF = 0x78130000 };
enum { SRC = 1, ZERO, ONE_FLOAT, ONE, VERTEX_ID, INSTANCE_ID, PRIMITIVE_ID };
enum { R32G32B32A32_UINT = 2, R32_UINT = 0xd7 };

#define POINT(i)                                                                                             \
    {                                                                                                        \
        ((i) + 0.5f) / 16 - 1, 1 - 0.5f / 16, 0.5f, 1                                                        \
    }
static const float places[POINTS][4] = {POINT(0), POINT(1), POINT(2), POINT(3),
                                        POINT(4), POINT(5), POINT(6), POINT(7)};

/* Points side by side; an element of another buffer, of which `controls` says what is stored. */
static void make_points(struct made_scene *m, unsigned count, uint32_t format, uint32_t controls,
                        uint32_t pitch, uint32_t size)
{
    const uint32_t buffer[5] = {VERTEX_BUFFERS | 3, 1 << 26 | pitch, BUFFER, BUFFER + size - 1, 0};
    make_scene(m, &(struct scene){.topology = POINTLIST, .vertices = POINTS, .at = places});
    dword_put(m->s, SURFACES + STATE, 1u << 29 | (uint32_t)R32G32B32A32_UINT << 18);
    dword_put(m->s, SURFACES + STATE + 8, (POINTS - 1) << 6);
    command_of(m, SF)[4] = 1u << 11 | 1 << 3;
    command_of(m, ELEMENTS)[5] = 1u << 26 | 1 << 25 | format << 16;
    command_of(m, ELEMENTS)[6] = controls;
    command_of(m, DRAW)[1] = count;
    insert_command(m, buffer, 5);
    for (unsigned i = 0; i < 64; i++)
        dword_put(m->s, BUFFER + i * 4, 0x1000 + i);
}

static void has(const struct made_scene *m, unsigned x, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t expected[4] = {a, b, c, d};
    uint32_t found[4];
    memcpy(found, m->s->memory + TARGET + x * 16, sizeof found);
    for (unsigned i = 0; i < 4; i++)
        if (expected[i] != found[i])
            print_message("pixel %u, part %u: %x, not %x\n", x, i, found[i], expected[i]);
    assert_memory_equal(found, expected, sizeof found);
}

static const uint32_t untouched = 0x55555555;

/* What a component may have; the number of a vertex leaves out where the draw starts. */
static void components_are_controlled(void **state)
{
    enum { START = 2 };
    struct made_scene m;
    (void)state;
    make_points(&m, 4, R32_UINT, SRC << 28 | VERTEX_ID << 24 | PRIMITIVE_ID << 20 | INSTANCE_ID << 16, 4,
                256);
    command_of(&m, DRAW)[2] = START;
    run_scene(&m);
    for (unsigned i = 0; i < 4; i++)
        has(&m, START + i, 0x1000 + START + i, i, i, 0);
    has(&m, 1, untouched, untouched, untouched, untouched);
    has(&m, 6, untouched, untouched, untouched, untouched);
    streamer_destroy(m.s);
    make_points(&m, 1, R32_UINT, ZERO << 28 | ONE_FLOAT << 24 | ONE << 20 | SRC << 16, 4, 256);
    run_scene(&m);
    has(&m, 0, 0, 0x3f800000, 1, 1); /* of the fourth component, which the format has not, there is a 1 */
    streamer_destroy(m.s);
}

/* Indices of each size, and what is added to them; behind the buffers there are zeros. */
static void indices_name_vertices(void **state)
{
    static const uint32_t indices[4] = {3, 1, 5, 2};
    (void)state;
    for (unsigned format = 0; format < 3; format++)
        for (int base = -1; base < 2; base++) {
            struct made_scene m;
            const unsigned bytes = 1u << format;
            make_points(&m, 3, R32_UINT, SRC << 28 | VERTEX_ID << 24 | PRIMITIVE_ID << 20 | ZERO << 16, 8,
                        256);
            const uint32_t buffer[3] = {INDEX_BUFFER | format << 8 | 1, INDICES, INDICES + 4 * bytes - 1};
            for (unsigned i = 0; i < 4; i++)
                memcpy(m.s->memory + INDICES + i * bytes, &indices[i], bytes);
            insert_command(&m, buffer, 3);
            command_of(&m, DRAW)[0] |= 1u << 15;
            command_of(&m, DRAW)[2] = 1;
            command_of(&m, DRAW)[5] = (uint32_t)base;
            run_scene(&m);
            for (unsigned i = 0; i < 3; i++) {
                const uint32_t number = indices[1 + i] + (uint32_t)base;
                has(&m, number, 0x1000 + 2 * number, indices[1 + i], i, 0);
            }
            streamer_destroy(m.s);
        }
    struct made_scene m;
    make_points(&m, 3, R32_UINT, SRC << 28 | VERTEX_ID << 24 | PRIMITIVE_ID << 20 | ONE << 16, 4, 4 * 4);
    const uint32_t buffer[3] = {INDEX_BUFFER | 1 << 8 | 1, INDICES, INDICES + 2 * 2 - 1};
    dword_put(m.s, INDICES, 3 | 5 << 16);
    dword_put(m.s, INDICES + 4, 6 | 6 << 16);
    insert_command(&m, buffer, 3);
    command_of(&m, DRAW)[0] |= 1u << 15;
    run_scene(&m);
    has(&m, 3, 0x1003, 3, 0, 1);
    has(&m, 5, 0, 5, 1, 1);
    has(&m, 0, 0x1000, 0, 2, 1);
    has(&m, 6, untouched, untouched, untouched, untouched);
    streamer_destroy(m.s);
}

/* Buffers of instances go on behind so many of them, from where the draw starts. */
static void instances_step(void **state)
{
    enum { OF_INSTANCES = 1 << 20, INSTANCES = 5 };
    (void)state;
    for (uint32_t rate = 0; rate < 4; rate++)
        for (uint32_t first = 0; first < 3; first += 2) {
            struct made_scene m;
            make_points(&m, 1, R32_UINT, SRC << 28 | INSTANCE_ID << 24 | VERTEX_ID << 20 | PRIMITIVE_ID << 16,
                        8, 256);
            uint32_t *const buffers = command_of(&m, VERTEX_BUFFERS);
            buffers[1] |= OF_INSTANCES;
            buffers[4] = 1;
            uint32_t *const mine = m.dws + m.count - 6 - 5; /* ahead of the draw */
            mine[1] |= OF_INSTANCES;
            mine[4] = rate;
            command_of(&m, DRAW)[3] = INSTANCES;
            command_of(&m, DRAW)[4] = first;
            run_scene(&m);
            for (unsigned i = 0; i < INSTANCES; i++)
                has(&m, first + i, 0x1000 + 2 * (first + (rate ? i / rate : 0)), i, 0, 0);
            streamer_destroy(m.s);
        }
}

/* Formats, and what is not in them. */
static void elements_have_formats(void **state)
{
    static const struct {
        uint32_t format, bits, value[4];
    } cases[] = {
        {0xd8 /* R32_FLOAT */, 0x40400000, {0x40400000, 0, 0, 0x3f800000}},
        {0xc7 /* R8G8B8A8_UNORM */, 0x00ff00ff, {0x3f800000, 0, 0x3f800000, 0}},
        {0xc9 /* R8G8B8A8_SNORM */, 0x7f808100, {0, 0xbf800000, 0xbf800000, 0x3f800000}},
        {0xca /* R8G8B8A8_SINT */, 0x7f80ff01, {1, 0xffffffff, 0xffffff80, 0x7f}},
        {0xcb /* R8G8B8A8_UINT */, 0x7f80ff01, {1, 0xff, 0x80, 0x7f}},
        {0xcd /* R16G16_SNORM */, 0x80007fff, {0x3f800000, 0xbf800000, 0, 0x3f800000}},
        {0xd0 /* R16G16_FLOAT */, 0xc0003c00, {0x3f800000, 0xc0000000, 0, 0x3f800000}},
        {0xd6 /* R32_SINT */, 0x80000000, {0x80000000, 0, 0, 1}},
        {0xc0 /* B8G8R8A8_UNORM */, 0xff0000ff, {0, 0, 0x3f800000, 0x3f800000}},
        {0xf6 /* R16G16_SSCALED */, 0xfffe0003, {0x40400000, 0xc0000000, 0, 0x3f800000}},
        {0xf5 /* R8G8B8A8_USCALED */, 0x04000201, {0x3f800000, 0x40000000, 0, 0x40800000}},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct made_scene m;
        make_points(&m, 1, cases[n].format, SRC << 28 | SRC << 24 | SRC << 20 | SRC << 16, 4, 4);
        dword_put(m.s, BUFFER, cases[n].bits);
        run_scene(&m);
        has(&m, 0, cases[n].value[0], cases[n].value[1], cases[n].value[2], cases[n].value[3]);
        streamer_destroy(m.s);
    }
}

TEST_PROGRAM(gen6_vertices_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_controlled),
        cmocka_unit_test(indices_name_vertices),
        cmocka_unit_test(instances_step),
        cmocka_unit_test(elements_have_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
