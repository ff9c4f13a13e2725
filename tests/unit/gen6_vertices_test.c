/* What vertex fetch of Gen6 makes of buffers, indices and instances: each vertex is a point, whose pixel has
 * an element of it, bit by bit. (SNB PRM vol 2 part 1, Vertex Fetch) */
#include "../suite.h"
#include "../gen6_scenes.h"

#include <softgt/formats.h>

enum { BUFFER = 1856 << 10, POINTS = 8, POINTLIST = 1 };
enum { SRC = 1, ZERO, ONE_FLOAT, ONE, VERTEX_ID, INSTANCE_ID, PRIMITIVE_ID };
enum { FIRST_VALUE = 4096 }; /* what the buffer has; then one more in each dword */

#define POINT(i)                                                                                             \
    {                                                                                                        \
        ((i) + 0.5f) / 16 - 1, 1 - 0.5f / 16, 0.5f, 1                                                        \
    }
static const float places[POINTS][4] = {POINT(0), POINT(1), POINT(2), POINT(3),
                                        POINT(4), POINT(5), POINT(6), POINT(7)};

/* Points side by side; an element of another buffer, of which `controls` says what is stored. */
static void make_points(struct made_scene *m, unsigned count, const char *format, uint32_t controls,
                        uint32_t pitch, uint32_t size)
{
    make_scene(m, &(struct scene){.topology = POINTLIST, .vertices = POINTS, .at = places});
    const struct softgt *const d = m->s->device;
    STRUCTURE_CHANGE(d, "RENDER_SURFACE_STATE", dwords_at(m->s, SURFACES + STATE),
                     {"Surface Format", .value_name = "R32G32B32A32_UINT"}, {"Width", POINTS - 1},
                     {"Height", 0});
    COMMAND_PUT(d, command_of(m, "3DSTATE_SF"), {"Point Width Source", .value_name = "State"},
                {"Point Width", 8}); /* 1 */
    uint32_t *const elements = command_of(m, "3DSTATE_VERTEX_ELEMENTS");
    COMMAND_GROUP_PUT(d, elements, 2, {"Element Vertex Buffer Index", 1}, {"Element Valid", 1},
                      {"Element Source Element Format", .value_name = format},
                      {"Element Source Element Offset", 0});
    elements[6] = controls;
    COMMAND_PUT(d, command_of(m, "3DPRIMITIVE"), {"Vertex Count Per Instance", count});
    insert_command(
        m,
        "3DSTATE_VERTEX_BUFFERS { vertex_buffer_state_vertex_buffer_index = 1,"
        " vertex_buffer_state_buffer_pitch = %u,"
        " vertex_buffer_state_buffer_starting_address = %u, vertex_buffer_state_end_address = %u }",
        pitch, BUFFER, BUFFER + size - 1);
    for (unsigned i = 0; i < 64; i++)
        dword_put(m->s, BUFFER + i * 4, FIRST_VALUE + i);
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

static const uint32_t untouched = BACKGROUND;

/* What a component may have; the number of a vertex leaves out where the draw starts. */
static void components_are_controlled(void **state)
{
    enum { START = 2 };
    struct made_scene m;
    (void)state;
    make_points(&m, 4, "R32_UINT", SRC << 28 | VERTEX_ID << 24 | PRIMITIVE_ID << 20 | INSTANCE_ID << 16, 4,
                256);
    command_of(&m, "3DPRIMITIVE")[2] = START;
    run_scene(&m);
    for (unsigned i = 0; i < 4; i++)
        has(&m, START + i, FIRST_VALUE + START + i, i, i, 0);
    has(&m, 1, untouched, untouched, untouched, untouched);
    has(&m, 6, untouched, untouched, untouched, untouched);
    streamer_destroy(m.s);
    make_points(&m, 1, "R32_UINT", ZERO << 28 | ONE_FLOAT << 24 | ONE << 20 | SRC << 16, 4, 256);
    run_scene(&m);
    has(&m, 0, 0, float_bits(1), 1, 1); /* of the fourth component, which the format has not, there is a 1 */
    streamer_destroy(m.s);
}

static void put_index_buffer(struct made_scene *m, uint32_t format, uint32_t bytes)
{
    insert_command(
        m, "3DSTATE_INDEX_BUFFER index_format = %u, buffer_starting_address = %u, buffer_ending_address = %u",
        format, INDICES, INDICES + bytes - 1);
    COMMAND_PUT(m->s->device, command_of(m, "3DPRIMITIVE"), {"Vertex Access Type", .value_name = "RANDOM"});
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
            make_points(&m, 3, "R32_UINT", SRC << 28 | VERTEX_ID << 24 | PRIMITIVE_ID << 20 | ZERO << 16, 8,
                        256);
            for (unsigned i = 0; i < 4; i++)
                memcpy(m.s->memory + INDICES + i * bytes, &indices[i], bytes);
            put_index_buffer(&m, format, 4 * bytes);
            COMMAND_PUT(m.s->device, command_of(&m, "3DPRIMITIVE"), {"Start Vertex Location", 1},
                        {"Base Vertex Location", (uint32_t)base});
            run_scene(&m);
            for (unsigned i = 0; i < 3; i++) {
                const uint32_t number = indices[1 + i] + (uint32_t)base;
                has(&m, number, FIRST_VALUE + 2 * number, indices[1 + i], i, 0);
            }
            streamer_destroy(m.s);
        }
    struct made_scene m;
    make_points(&m, 3, "R32_UINT", SRC << 28 | VERTEX_ID << 24 | PRIMITIVE_ID << 20 | ONE << 16, 4, 4 * 4);
    dword_put(m.s, INDICES, 3 | 5 << 16);
    dword_put(m.s, INDICES + 4, 6 | 6 << 16);
    put_index_buffer(&m, 1, 2 * 2);
    run_scene(&m);
    has(&m, 3, FIRST_VALUE + 3, 3, 0, 1);
    has(&m, 5, 0, 5, 1, 1);
    has(&m, 0, FIRST_VALUE, 0, 2, 1);
    has(&m, 6, untouched, untouched, untouched, untouched);
    streamer_destroy(m.s);
}

/* Buffers of instances go on behind so many of them, from where the draw starts. */
static void instances_step(void **state)
{
    enum { INSTANCES = 5 };
    (void)state;
    for (uint32_t rate = 0; rate < 4; rate++)
        for (uint32_t first = 0; first < 3; first += 2) {
            struct made_scene m;
            make_points(&m, 1, "R32_UINT",
                        SRC << 28 | INSTANCE_ID << 24 | VERTEX_ID << 20 | PRIMITIVE_ID << 16, 8, 256);
            const struct softgt *const d = m.s->device;
            uint32_t *const mine = command_of(&m, "3DSTATE_VERTEX_BUFFERS"), *const scenes = command_named(
                                                                                 d, m.dws,
                                                                                 (uint32_t)(mine - m.dws),
                                                                                 "3DSTATE_VERTEX_BUFFERS");
            COMMAND_GROUP_PUT(d, scenes, 0,
                              {"Vertex Buffer State Buffer Access Type", .value_name = "INSTANCEDATA"},
                              {"Vertex Buffer State Instance Data Step Rate", 1});
            COMMAND_GROUP_PUT(d, mine, 0,
                              {"Vertex Buffer State Buffer Access Type", .value_name = "INSTANCEDATA"},
                              {"Vertex Buffer State Instance Data Step Rate", rate});
            COMMAND_PUT(d, command_of(&m, "3DPRIMITIVE"), {"Instance Count", INSTANCES},
                        {"Start Instance Location", first});
            run_scene(&m);
            for (unsigned i = 0; i < INSTANCES; i++)
                has(&m, first + i, FIRST_VALUE + 2 * (first + (rate ? i / rate : 0)), i, 0, 0);
            streamer_destroy(m.s);
        }
}

/* Formats, and what is not in them. */
static void elements_have_formats(void **state)
{
    const uint32_t one = float_bits(1), minus_one = float_bits(-1), minus_two = float_bits(-2);
    const struct {
        const char *format;
        uint32_t bits, value[4];
    } cases[] = {
        {"R32_FLOAT", float_bits(3), {float_bits(3), 0, 0, one}},
        {"R8G8B8A8_UNORM", RGBA(255, 0, 255, 0), {one, 0, one, 0}},
        {"R8G8B8A8_SNORM", RGBA(0, 129, 128, 127), {0, minus_one, minus_one, one}},
        {"R8G8B8A8_SINT", RGBA(1, 255, 128, 127), {1, (uint32_t)-1, (uint32_t)-128, 127}},
        {"R8G8B8A8_UINT", RGBA(1, 255, 128, 127), {1, 255, 128, 127}},
        {"R16G16_SNORM", INT16_MAX | 1u << 31, {one, minus_one, 0, one}},
        {"R16G16_FLOAT",
         softgt_float32_to_16(one) | (uint32_t)softgt_float32_to_16(minus_two) << 16,
         {one, minus_two, 0, one}},
        {"R32_SINT", 1u << 31, {1u << 31, 0, 0, 1}},
        {"B8G8R8A8_UNORM", RGBA(255, 0, 0, 255), {0, 0, one, one}},
        {"R16G16_SSCALED", 3 | (uint32_t)-2 << 16, {float_bits(3), minus_two, 0, one}},
        {"R8G8B8A8_USCALED", RGBA(1, 2, 0, 4), {one, float_bits(2), 0, float_bits(4)}},
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
