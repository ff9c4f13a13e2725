/* Where pixels of Gen6's draws are, and what becomes of their colors and depths: what the state's fields say
 * of the clipper, of setup, of blending and of surfaces. (SNB PRM vol 2 part 1, vol 4 part 1) */
#include "../suite.h"
#include "../gen6_scenes.h"

static const uint32_t green_pixel = GREEN, background = BACKGROUND;
enum { GUARDS = 1792 }; /* from the base of dynamic state */

static uint32_t pixel(const struct streamer *s, uint32_t x, uint32_t y)
{
    uint32_t value;
    memcpy(&value, s->memory + TARGET + y * PITCH + x * 4, sizeof value);
    return value;
}

/* It is drawn to this rectangle, and to nothing else. */
static void is_drawn(const struct streamer *s, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(pixel(s, x, y),
                             x >= left && x < right && y >= top && y < bottom ? green_pixel : background);
}

static void set_float(uint32_t *dw, float value)
{
    memcpy(dw, &value, sizeof value);
}

/* Covers a viewport of any place in the target, and all around it. */
static const float all_over[3][4] = {{-9, -9, 0.5f, 1}, {27, -9, 0.5f, 1}, {-9, 27, 0.5f, 1}};

/* A viewport of Gen6 has no extents: it is the clipper that keeps to it, or to the guard band, as far as it
 * is told to. (SNB PRM vol 2 part 1, 3DSTATE_CLIP; Mesa, i965: gen6_clip_state) */
static void clipper_keeps_to_viewport(void **state)
{
    enum { XY = 1 << 28, BAND = 1 << 26, MIDDLE_X = 16, MIDDLE_Y = 12, HALF = 8 };
    static const float matrix[6] = {HALF, -HALF, 1, MIDDLE_X, MIDDLE_Y, 0},
                       band[4] = {-1.5f, 1.25f, -1.5f, 1};
    static const struct {
        uint32_t bits;
        uint8_t left, top, right, bottom;
    } cases[] = {{XY, 8, 4, 24, 20},
                 {XY | BAND, 4, 4, 26, 24}, /* y goes up */
                 {BAND, 4, 4, 26, 24},
                 {0, 0, 0, WIDTH, HEIGHT}};
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 3, .at = all_over, .clips = true});
        put_floats(m.s, DYNAMIC + VIEWPORT, matrix, 6);
        put_floats(m.s, DYNAMIC + GUARDS, band, 4);
        command_of(&m, "3DSTATE_CLIP")[2] =
            (command_of(&m, "3DSTATE_CLIP")[2] & ~(uint32_t)(XY | BAND)) | cases[n].bits;
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_VIEWPORT_STATE_POINTERS"),
                    {"CLIP Viewport State Change", 1}, {"Pointer to CLIP_VIEWPORT", GUARDS});
        run_scene(&m);
        is_drawn(m.s, cases[n].left, cases[n].top, cases[n].right, cases[n].bottom);
        streamer_destroy(m.s);
    }
}

/* An edge at 10.52 is at 10.5 where corners have four bits below a pixel: there the pixel's center is on it,
 * which is not the triangle's on the right. */
static void corners_have_few_places(void **state)
{
    enum { COARSE = 1 << 12 };
    const float right = 10.52f / 16 - 1;
    const float at[6][4] = {{-1, -1, 0.5f, 1}, {right, -1, 0.5f, 1}, {right, 1, 0.5f, 1},
                            {-1, -1, 0.5f, 1}, {right, 1, 0.5f, 1},  {-1, 1, 0.5f, 1}};
    (void)state;
    for (unsigned coarse = 0; coarse < 2; coarse++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = at});
        command_of(&m, "3DSTATE_SF")[4] |= coarse ? COARSE : 0;
        run_scene(&m);
        is_drawn(m.s, 0, 0, coarse ? 10 : 11, HEIGHT);
        streamer_destroy(m.s);
    }
}

/* The last pixels of the drawing rectangle and of a scissor are inside; a scissor whose last one is before
 * its first lets none pass; both count from where the drawing rectangle has its origin, but for that itself.
 */
static void rectangles_have_their_last_pixels(void **state)
{
    enum { SCISSOR = 1856 };
    static const struct {
        int16_t origin[2];
        uint8_t scissor[4], left, top, right, bottom;
    } cases[] = {{{0, 0}, {3, 5, 9, 20}, 3, 5, 10, 21},
                 {{0, 0}, {3, 5, 3, 5}, 3, 5, 4, 6},
                 {{0, 0}, {4, 5, 3, 20}, 0, 0, 0, 0},
                 {{2, -1}, {3, 5, 9, 20}, 5, 4, 12, 20},
                 {{0, 0}, {0, 0, 255, 255}, 1, 2, 29, 31}};
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 3, .at = all_over});
        dword_put(m.s, DYNAMIC + SCISSOR, cases[n].scissor[0] | (uint32_t)cases[n].scissor[1] << 16);
        dword_put(m.s, DYNAMIC + SCISSOR + 4, cases[n].scissor[2] | (uint32_t)cases[n].scissor[3] << 16);
        insert_command(&m, "3DSTATE_SCISSOR_STATE_POINTERS scissor_rect_pointer = %u", SCISSOR);
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_SF"), {"Scissor Rectangle Enable", 1});
        command_of(&m, "3DSTATE_DRAWING_RECTANGLE")[1] = 1 | 2 << 16;
        command_of(&m, "3DSTATE_DRAWING_RECTANGLE")[2] = 28 | 30 << 16;
        command_of(&m, "3DSTATE_DRAWING_RECTANGLE")[3] =
            (uint16_t)cases[n].origin[0] | (uint32_t)(uint16_t)cases[n].origin[1] << 16;
        run_scene(&m);
        is_drawn(m.s, cases[n].left, cases[n].top, cases[n].right, cases[n].bottom);
        streamer_destroy(m.s);
    }
}

/* What is added to depths is in steps of the format, or as it is. */
static void depth_offset_is_plain(void **state)
{
    enum { SOLID = 1 << 9, PLAIN = 1 << 11 };
    (void)state;
    for (unsigned plain = 0; plain < 2; plain++) {
        struct made_scene m;
        float depth;
        make_scene(&m,
                   &(struct scene){
                       .topology = TRILIST, .vertices = 6, .at = half, .depth = true, .depth_before = 0.25f});
        command_of(&m, "3DSTATE_SF")[2] |= SOLID | (plain ? PLAIN : 0);
        set_float(&command_of(&m, "3DSTATE_SF")[5], 0.125f);
        run_scene(&m);
        memcpy(&depth, m.s->memory + DEPTHS, sizeof depth);
        assert_true(depth == (plain ? 0.625f : 0.5f));
        streamer_destroy(m.s);
    }
}

/* What blending has is brought into a range before it, what comes of it behind it, each as the state says:
 * from 0 to 1, from -1 to 1, or to what the format holds. (SNB PRM vol 2 part 1, Pre-Blend Color Clamping,
 * Post-Blend Color Clamping) */
static void colors_are_clamped(void **state)
{
    enum { UNORM, SNORM, FORMAT, BEFORE = 2, BEHIND = 1, R32_FLOAT = 0xd8 };
    enum { CONSTANT_ALPHA = 8, ONE = 1, ZERO = 17, KEEPS_ALPHA = 1 << 27 };
    static const struct {
        uint32_t factor, clamps, range;
        bool floats;
        float color, constant, result; /* of a float, or of 255 */
    } cases[] = {
        {CONSTANT_ALPHA, 0, UNORM, false, 2, 0.5f, 255},
        {CONSTANT_ALPHA, BEFORE, FORMAT, false, 2, 0.5f, 127.5f},
        {CONSTANT_ALPHA, BEFORE, UNORM, false, 2, 0.5f, 127.5f},
        {CONSTANT_ALPHA, 0, FORMAT, false, 0.25f, 3, 191.25f},
        {CONSTANT_ALPHA, BEFORE, FORMAT, false, 0.25f, 3, 63.75f},
        {CONSTANT_ALPHA, BEFORE, FORMAT, true, 2, 3, 6},
        {CONSTANT_ALPHA, BEFORE, UNORM, true, 2, 3, 1},
        {CONSTANT_ALPHA, BEHIND, UNORM, true, 2, 3, 1},
        {CONSTANT_ALPHA, BEHIND, SNORM, true, -2, 3, -1},
        {CONSTANT_ALPHA, BEFORE | BEHIND, SNORM, true, -0.5f, 3, -0.5f},
        {CONSTANT_ALPHA, BEHIND, FORMAT, true, -2, 3, -6},
        {0, BEFORE, UNORM, true, -2, 0, 0},
        {0, BEHIND, UNORM, true, 2, 0, 1},
        {0, 0, UNORM, true, 2, 0, 2},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
        for (unsigned i = 0; i < 6; i++)
            put_floats(m.s, VERTICES + i * 32 + 16, &cases[n].color, 1);
        put_floats(m.s, DYNAMIC + COLORS + 20, &cases[n].constant, 1);
        dword_put(m.s, DYNAMIC + BLENDING, (cases[n].factor ? 1u << 31 : 0) | cases[n].factor << 5 | ZERO);
        dword_put(m.s, DYNAMIC + BLENDING + 4, KEEPS_ALPHA | cases[n].range << 2 | cases[n].clamps);
        if (cases[n].floats)
            dword_put(m.s, SURFACES + STATE, 1u << 29 | (uint32_t)R32_FLOAT << 18);
        run_scene(&m);
        const uint32_t bits = pixel(m.s, 3, 3);
        float result;
        memcpy(&result, &bits, sizeof result);
        if (cases[n].floats)
            assert_true(result == cases[n].result);
        else
            assert_in_range(bits & 0xff, (uint32_t)cases[n].result, (uint32_t)(cases[n].result + 0.5f));
        streamer_destroy(m.s);
    }
}

/* A surface begins at a place of its first tile: columns of 4 pixels, rows of 2. (Mesa, i965: tile_x, tile_y)
 */
static void surfaces_begin_within_a_tile(void **state)
{
    enum { COLUMNS = 1, ROWS = 3, TILED_Y = 3, TILE_COLUMN = 512, TILE_ROW = 16 };
    struct made_scene m;
    uint32_t there;
    (void)state;
    make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
    dword_put(m.s, SURFACES + STATE + 8, 7u << 6 | 7u << 19);
    dword_put(m.s, SURFACES + STATE + 12, (PITCH - 1) << 3 | TILED_Y);
    dword_put(m.s, SURFACES + STATE + 20, (uint32_t)COLUMNS << 25 | ROWS << 20);
    run_scene(&m);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++) {
            memcpy(&there, m.s->memory + TARGET + x / 4 * TILE_COLUMN + y * TILE_ROW + x % 4 * 4, 4);
            assert_int_equal(there,
                             x >= COLUMNS * 4 && x < COLUMNS * 4 + 8 && y >= ROWS * 2 && y < ROWS * 2 + 8
                                 ? green_pixel
                                 : background);
        }
    streamer_destroy(m.s);
}

/* The depth buffer has the render target's first pixel at an offset. (SNB PRM vol 2 part 1,
 * 3DSTATE_DEPTH_BUFFER) */
static void depths_have_an_offset(void **state)
{
    enum { X = 8, Y = 16, LAST = 5 };
    static const struct depths plain = {.format = D32};
    (void)state;
    struct made_scene m;
    make_scene(&m, &(struct scene){
                       .topology = TRILIST, .vertices = 6, .at = half, .depth = true, .depth_before = 0.25f});
    command_of(&m, "3DSTATE_DEPTH_BUFFER")[LAST] = X | Y << 16;
    run_scene(&m);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const bool is_written = x >= X && x < X + WIDTH / 2 && y >= Y;
            assert_int_equal(depth_there(m.s, &plain, x, y), depth_bits(D32, is_written ? 0.5f : 0.25f));
        }
    streamer_destroy(m.s);
}

/* Of an object with adjacent vertices a thread has these, too, unless they are left out. */
static void adjacent_vertices_are_left_out(void **state)
{
    enum { TRILIST_ADJ = 11, DISCARDS = 1 << 29 };
    static const float at[6][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1},
                                   {3, 0, 0, 1}, {4, 0, 0, 1}, {5, 0, 0, 1}};
    static const struct told told = {.made = 1};
    (void)state;
    for (unsigned discards = 0; discards < 2; discards++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){
                           .topology = TRILIST_ADJ, .vertices = 6, .at = at, .told = &told, .most = ROOM});
        command_of(&m, "3DSTATE_GS")[6] |= discards ? DISCARDS : 0;
        run_scene(&m);
        for (unsigned i = 0; i < 3; i++)
            assert_memory_equal(m.s->memory + WRITTEN + i * 16, at[discards ? 2 * i : i], 16);
        streamer_destroy(m.s);
    }
}

/* Triangles that go one way round on the screen or the other, as the state names a front, in lists and in
 * strips, of which every other triangle goes the other way in memory. (SNB PRM vol 2 part 1, 3DSTATE_SF) */
static void faces_are_culled(void **state)
{
    enum { BOTH, NONE, FRONT, BACK, CLOCKWISE = 0, TRISTRIP = 5, TRIFAN = 6, POLYGON = 14 };
    static const float strip[4][4] = {{-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}, {-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}},
                       fan[4][4] = {{-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}, {0, -1, 0.5f, 1}, {-1, -1, 0.5f, 1}};
    static const struct {
        uint32_t topology, vertices;
        const float (*at)[4];
        bool clockwise;
    } cases[] = {{TRILIST, 6, half, false},
                 {TRISTRIP, 4, strip, true},
                 {TRIFAN, 4, fan, true},
                 {POLYGON, 4, fan, true}};
    (void)state;
    for (unsigned n = 0; n < 8 * sizeof cases / sizeof cases[0]; n++) {
        const unsigned cull = n % 4, winding = n / 4 % 2;
        const bool front = cases[n / 8].clockwise == (winding == CLOCKWISE),
                   shown = cull == NONE || cull == (front ? BACK : FRONT);
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = cases[n / 8].topology,
                                       .vertices = cases[n / 8].vertices,
                                       .at = cases[n / 8].at});
        command_of(&m, "3DSTATE_SF")[3] = cull << 29;
        command_of(&m, "3DSTATE_SF")[2] |= winding;
        run_scene(&m);
        is_drawn(m.s, 0, 0, shown ? WIDTH / 2 : 0, HEIGHT);
        streamer_destroy(m.s);
    }
}

/* Which vertex says what is flat: of points, lines, triangles, fans, each by a field of its own; of polygons
 * the first. (SNB PRM vol 2 part 1, 3DSTATE_SF) */
static void vertices_provoke(void **state)
{
    enum { LINESTRIP = 3, TRISTRIP = 5, TRIFAN = 6, POLYGON = 14 };
    static const float strip[4][4] = {{-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}, {-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}},
                       fan[4][4] = {{-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}, {0, -1, 0.5f, 1}, {-1, -1, 0.5f, 1}},
                       line[3][4] = {{-1, 0.03125f, 0.5f, 1}, {0, 0.03125f, 0.5f, 1}, {1, 0.03125f, 0.5f, 1}};
    static const struct {
        uint32_t topology, vertices;
        const float (*at)[4];
        uint32_t bit, select;
        uint8_t first[2], second[2]; /* a pixel of each primitive */
        uint8_t from[2];
    } cases[] = {
        {TRISTRIP, 4, strip, 29, 0, {3, 3}, {13, 28}, {0, 1}},
        {TRISTRIP, 4, strip, 29, 1, {3, 3}, {13, 28}, {1, 2}},
        {TRISTRIP, 4, strip, 29, 2, {3, 3}, {13, 28}, {2, 3}},
        {TRIFAN, 4, fan, 25, 0, {12, 3}, {3, 28}, {0, 0}},
        {TRIFAN, 4, fan, 25, 1, {12, 3}, {3, 28}, {1, 2}},
        {TRIFAN, 4, fan, 25, 2, {12, 3}, {3, 28}, {2, 3}},
        {POLYGON, 4, fan, 25, 2, {12, 3}, {3, 28}, {0, 0}},
        {LINESTRIP, 3, line, 27, 0, {3, 15}, {20, 15}, {0, 1}},
        {LINESTRIP, 3, line, 27, 1, {3, 15}, {20, 15}, {1, 2}},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){
                           .topology = cases[n].topology, .vertices = cases[n].vertices, .at = cases[n].at});
        for (unsigned i = 0; i < cases[n].vertices; i++) {
            const float color[4] = {(float)i / 255, 1, 0, 1};
            put_floats(m.s, VERTICES + i * 32 + 16, color, 4);
        }
        command_of(&m, "3DSTATE_SF")[4] |= cases[n].select << cases[n].bit;
        run_scene(&m);
        assert_int_equal(pixel(m.s, cases[n].first[0], cases[n].first[1]), green_pixel + cases[n].from[0]);
        assert_int_equal(pixel(m.s, cases[n].second[0], cases[n].second[1]), green_pixel + cases[n].from[1]);
        streamer_destroy(m.s);
    }
}

/* A pointer whose change is not told stays as it was. (SNB PRM vol 2 part 1, 3DSTATE_CC_STATE_POINTERS,
 * 3DSTATE_VIEWPORT_STATE_POINTERS, 3DSTATE_BINDING_TABLE_POINTERS) */
static void pointers_change_by_their_bits(void **state)
{
    enum { ELSEWHERE = 2048 };
    (void)state;
    for (unsigned n = 0; n < 5; n++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST,
                                       .vertices = 6,
                                       .at = half,
                                       .depth = true,
                                       .depth_function = LESS,
                                       .depth_before = 0.75f});
        dword_put(m.s, DYNAMIC + ELSEWHERE + 4, 15u << 24); /* nothing is written; and no viewport */
        dword_put(m.s, DYNAMIC + ELSEWHERE + 8, 1u << 31 | NEVER << 27);
        dword_put(m.s, SURFACES + ELSEWHERE, ELSEWHERE + 32); /* a surface that is none */
        STRUCTURE_PUT(m.s->device, "RENDER_SURFACE_STATE", dwords_at(m.s, SURFACES + ELSEWHERE + 32),
                      {"Surface Type", .value_name = "SURFTYPE_NULL"});
        insert_command(&m,
                       "3DSTATE_CC_STATE_POINTERS blend_state_change = %u, pointer_to_blend_state = %u,"
                       " depth_stencil_state_change = %u, pointer_to_depth_stencil_state = %u,"
                       " color_calc_state_pointer = %u\n"
                       "3DSTATE_VIEWPORT_STATE_POINTERS sf_viewport_state_change = %u,"
                       " pointer_to_clip_viewport = %u, pointer_to_sf_viewport = %u,"
                       " pointer_to_cc_viewport = %u\n"
                       "3DSTATE_BINDING_TABLE_POINTERS ps_binding_table_change = %u,"
                       " pointer_to_vs_binding_table = %u, pointer_to_gs_binding_table = %u,"
                       " pointer_to_ps_binding_table = %u",
                       n == 1, ELSEWHERE, n == 2, ELSEWHERE, ELSEWHERE, n == 3, ELSEWHERE, ELSEWHERE,
                       ELSEWHERE, n == 4, ELSEWHERE, ELSEWHERE, ELSEWHERE);
        run_scene(&m);
        if (n)
            assert_int_equal(pixel(m.s, 3, 3), background);
        else
            is_drawn(m.s, 0, 0, WIDTH / 2, HEIGHT);
        streamer_destroy(m.s);
    }
}

/* mov (16) of an immediate to where answers come. */
static void move_general(struct kernel *k, bool everywhere, uint32_t value)
{
    struct eu_instruction i;
    uint32_t *const v = next(&i, "mov")->value;
    v[EU_EXECUTION_SIZE] = 4;
    v[EU_NO_MASK] = everywhere;
    v[EU_DST_FILE] = FILE_R;
    v[EU_DST_REGISTER] = ANSWER;
    v[EU_DST_STRIDE] = 1;
    v[EU_SRC0_FILE] = FILE_IMM;
    v[EU_SRC0_IMMEDIATE] = 1;
    v[EU_IMMEDIATE] = value;
    add(k, &i);
}

/* Green is what the first pixel of each subspan has written, which runs though it is not covered, whatever
 * Vector Mask Enable says. (Mesa, i965: the bit is set from Gen8 on, as it took no effect before) */
static void subspans_run_whole(void **state)
{
    enum { WRITE = 12 << 13, LAST = 1 << 12 };
    const uint32_t one = float_bits(1);
    static const float diamond[6][4] = {{0, -1, 0.5f, 1}, {1, 0, 0.5f, 1},  {0, 1, 0.5f, 1},
                                        {0, 1, 0.5f, 1},  {-1, 0, 0.5f, 1}, {0, -1, 0.5f, 1}};
    (void)state;
    for (unsigned set = 0; set < 2; set++) {
        struct made_scene m;
        struct kernel k = {.count = 0};
        unsigned helped = 0;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = diamond});
        move_general(&k, true, 0);
        move_general(&k, false, one);
        put_all(&k, 2, 0);
        move(&k, 16, 4, ANSWER, 0, false);
        struct eu_instruction i;
        assert_true(eu_decode(&eu_gen6, k.bytes + --k.count * EU_NATIVE_BYTES, EU_NATIVE_BYTES, &i));
        i.value[EU_SRC0_VERTICAL] = 3; /* <4;4,0> */
        i.value[EU_SRC0_WIDTH] = 2;
        i.value[EU_SRC0_HORIZONTAL] = 0;
        add(&k, &i);
        put_all(&k, 6, 0);
        put_all(&k, 8, one);
        send(&k, 16, RENDER_CACHE, 2, 8u << 25 | WRITE | LAST, true);
        keep(m.s, PIXEL_KERNEL, &k);
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_WM"), {"Vector Mask Enable", set});
        run_scene(&m);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                if (pixel(m.s, x, y) != background) {
                    assert_int_equal(pixel(m.s, x, y), green_pixel);
                    helped += pixel(m.s, x & ~1u, y & ~1u) == background;
                }
        assert_in_range(helped, 1, WIDTH * HEIGHT / 4);
        streamer_destroy(m.s);
    }
}

/* Each side has its test, its operations, its masks and its reference, where there are two. */
static void stencils_have_two_sides(void **state)
{
    enum { REPLACE = 2, INVERT = 7, TWO_SIDES = 1 << 15, NONE = 1 };
    static const struct depths apart = {D24, false, true};
    static const struct stencil front = {.function = EQUAL,
                                         .fail = INVERT,
                                         .pass = REPLACE,
                                         .reference = 0x35,
                                         .test_mask = 0xf0,
                                         .write_mask = 0x0f,
                                         .before = 0x3a};
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        const bool two = n & 1u, back = n & 2u;
        struct made_scene m;
        uint32_t dw[3];
        make_scene(&m, &(struct scene){.topology = TRILIST,
                                       .vertices = 6,
                                       .at = half,
                                       .depth = true,
                                       .no_depth_test = true,
                                       .depths = &apart,
                                       .stencil = &front});
        memcpy(dw, m.s->memory + DYNAMIC + TESTS, sizeof dw);
        dword_put(m.s, DYNAMIC + TESTS, dw[0] | (two ? TWO_SIDES : 0) | NEVER << 12 | INVERT << 9);
        dword_put(m.s, DYNAMIC + TESTS + 4, dw[1] | 0xff << 8 | 0x3c);
        dword_put(m.s, DYNAMIC + COLORS, 0x35u << 24 | 0x77 << 16);
        command_of(&m, "3DSTATE_SF")[2] |= !back; /* they go counterclockwise */
        run_scene(&m);
        assert_int_equal(m.s->memory[stencil_at(&apart, 3, 3)], two && back ? (0x3a ^ 0x3c) : 0x35);
        is_drawn(m.s, 0, 0, two && back ? 0 : WIDTH / 2, HEIGHT);
        streamer_destroy(m.s);
    }
}

/* REN-06, 293-297: a buffer of constants is at an offset from the dynamic state's base, or at an address. The
 * kernel's color is of what comes first behind the payload: dwords 3 and 7 of the constants, then the
 * attribute. */
static void constants_are_where_instpm_says(void **state)
{
    enum { AT = 256 << 10, ABSOLUTE = 1 << 6 }; /* ABSOLUTE: of INSTPM */
    static const float offset[8] = {[3] = 1}, absolute[8] = {[7] = 1};
    (void)state;
    for (unsigned how = 0; how < 2; how++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
        put_floats(m.s, DYNAMIC + AT, offset, 8);
        put_floats(m.s, AT, absolute, 8);
        insert_command(&m, "3DSTATE_CONSTANT_PS buffer_0_valid, pointer_to_constant_buffer_0 = %u", AT);
        register_put(m.s, register_offset(m.s->device, "rcs0.INSTPM"), ABSOLUTE << 16 | (how ? ABSOLUTE : 0));
        run_scene(&m);
        assert_int_equal(pixel(m.s, 3, 3), how ? GREEN : RGBA(255, 0, 0, 255));
        streamer_destroy(m.s);
    }
}

/* What r0 of an object's thread has, to memory: dword 5 and dword 3. */
static void put_telling_kernel(struct streamer *s)
{
    enum { HEADER = 1 << 19, SYNC = 1, COMPLETE = 1 << 15, STREAM = 13 << 13, ENTRY = 1 };
    struct kernel k = {.count = 0};
    move(&k, 8, 1, 0, 0, false);
    put(&k, 1, 0, -1, 0, 1 << 16);
    put(&k, 1, 1, -1, 0, 0);
    send(&k, 8, URB, 1, 1u << 25 | 1u << 20 | HEADER | SYNC, false);
    put(&k, 2, 0, 0, 5, 0);
    put(&k, 2, 1, 0, 3, 0);
    put(&k, 2, 5, ANSWER, 1, 0);
    send(&k, 8, RENDER_CACHE, 2, 1u << 25 | STREAM | ENTRY, false);
    put(&k, 1, 2, -1, 0, 0);
    send(&k, 8, URB, 1, 1u << 25 | HEADER | COMPLETE, true);
    keep(s, OBJECT_KERNEL, &k);
}

/* A geometry shader's scratch, as other stages have theirs. (SNB PRM vol 2 part 1, 3DSTATE_GS, GS Thread
 * Payload) */
static void objects_have_scratch(void **state)
{
    enum { SCRATCH = 384 << 10, SIZE = 3 };
    static const struct told told = {.made = 1};
    static const uint32_t expected[2] = {SCRATCH, SIZE};
    struct made_scene m;
    (void)state;
    make_scene(&m,
               &(struct scene){.topology = TRILIST, .vertices = 3, .at = half, .told = &told, .most = ROOM});
    put_telling_kernel(m.s);
    command_of(&m, "3DSTATE_GS")[3] = SCRATCH | SIZE;
    run_scene(&m);
    assert_memory_equal(m.s->memory + WRITTEN, expected, sizeof expected);
    streamer_destroy(m.s);
}

/* An attribute may come from another place, of a back from the next one, with its W for X, or have a constant
 * in some of its components. (SNB PRM vol 2 part 1, 3DSTATE_SF: Attribute Swizzle Select, Component Override)
 */
static void attributes_are_swizzled(void **state)
{
    enum { SELECT_AT = 6, CONSTANT_AT = 9, X = 1 << 12, Y = 1 << 13, W_OVERRIDE = 1 << 15 };
    enum { PLAIN, FACING, W, FACING_W };
    static const struct {
        uint32_t swizzle;
        bool back;
        uint32_t pixel;
    } cases[] = {{PLAIN << SELECT_AT, false, GREEN},
                 {W << SELECT_AT, false, RGBA(255, 255, 0, 255)},
                 {FACING << SELECT_AT, false, GREEN},
                 {FACING << SELECT_AT, true, 0},
                 {FACING_W << SELECT_AT, false, RGBA(255, 255, 0, 255)},
                 {FACING_W << SELECT_AT, true, 0},
                 {X | 2 << CONSTANT_AT, false, RGBA(255, 255, 0, 255)},
                 {X | Y | W_OVERRIDE | 1 << CONSTANT_AT, false, RGBA(0, 0, 0, 255)},
                 {X | Y | W_OVERRIDE, false, 0}};
    (void)state;
    for (unsigned n = 0; n < 2 * sizeof cases / sizeof cases[0]; n++) {
        const unsigned i = n / 2;
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_SF"), {"Attribute Swizzle Enable", 1});
        command_of(&m, "3DSTATE_SF")[2] |= !cases[i].back; /* they go counterclockwise */
        command_of(&m, "3DSTATE_SF")[8] = cases[i].swizzle;
        command_of(&m, "3DSTATE_SF")[17] = n % 2; /* flat, or not */
        run_scene(&m);
        assert_int_equal(pixel(m.s, 3, 3), cases[i].pixel);
        streamer_destroy(m.s);
    }
}

/* The alpha that is blended and written is 1 where the state says so; the alpha test has the shader's. (SNB
 * PRM vol 2 part 1, BLEND_STATE: AlphaToOne Enable) */
static void alpha_is_one(void **state)
{
    static const struct alpha lets = {LESS, 0.5f, false};
    static const float color[4] = {0, 1, 0, 0.25f};
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        struct made_scene m;
        uint32_t dw;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half, .alpha = &lets});
        for (unsigned i = 0; i < 6; i++)
            put_floats(m.s, VERTICES + i * 32 + 16, color, 4);
        memcpy(&dw, m.s->memory + DYNAMIC + BLENDING + 4, sizeof dw);
        dword_put(m.s, DYNAMIC + BLENDING + 4, dw | one << 30);
        run_scene(&m);
        assert_int_equal(pixel(m.s, 3, 3), one ? GREEN : RGBA(0, 255, 0, 64));
        streamer_destroy(m.s);
    }
}

/* Of polygons bit 31 of a row is the left pixel; of lines the lowest bit is the first pixel. (SNB PRM vol 2
 * part 1, Line Stipple, Polygon Stipple) */
static void stipples_discard_pixels(void **state)
{
    enum { OF_LINES = 1 << 11, OF_POLYGONS = 1 << 13, PATTERN = 0x1d35, REPEATED = 2, LINELIST = 2 };
    static const float line[2][4] = {{-1, 0.03125f, 0.5f, 1}, {1, 0.03125f, 0.5f, 1}};
    (void)state;
    for (unsigned lines = 0; lines < 2; lines++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = lines ? LINELIST : TRILIST,
                                       .vertices = lines ? 2 : 3,
                                       .at = lines ? line : all_over});
        command_of(&m, "3DSTATE_WM")[5] |= OF_LINES | OF_POLYGONS;
        insert_command(&m,
                       "3DSTATE_LINE_STIPPLE line_stipple_pattern = %u, line_stipple_repeat_count = %u\n"
                       "3DSTATE_POLY_STIPPLE_OFFSET polygon_stipple_x_offset = 5\n"
                       "3DSTATE_POLY_STIPPLE_PATTERN",
                       PATTERN, REPEATED);
        for (uint32_t n = 0; n < 32; n++)
            command_of(&m, "3DSTATE_POLY_STIPPLE_PATTERN")[1 + n] = n * UINT32_C(0x9e3779b1);
        run_scene(&m);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const bool of_line = y == 15 && PATTERN >> x / REPEATED % 16 & 1,
                           of_polygon = y * UINT32_C(0x9e3779b1) >> (31 - (x + 5) % 32) & 1;
                assert_int_equal(pixel(m.s, x, y) == green_pixel, lines ? of_line : of_polygon);
            }
        streamer_destroy(m.s);
    }
}

/* The alpha of an antialiased line falls to its sides. */
static void lines_are_antialiased(void **state)
{
    enum { WIDTH_4 = 4 << 7 << 18, ONE_PIXEL = 1, CAP_AT = 16, REGION_AT = 14, LINELIST = 2 };
    static const float line[2][4] = {{-1, 0, 0.5f, 1}, {1, 0, 0.5f, 1}}; /* between rows 15 and 16 */
    (void)state;
    struct made_scene m;
    make_scene(&m, &(struct scene){.topology = LINELIST, .vertices = 2, .at = line});
    command_of(&m, "3DSTATE_SF")[3] |= 1u << 31 | WIDTH_4 | ONE_PIXEL << CAP_AT;
    command_of(&m, "3DSTATE_WM")[5] |= ONE_PIXEL << CAP_AT | 3u << REGION_AT;
    run_scene(&m);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        static const uint8_t alphas[4] = {64, 191, 191, 64}; /* a ramp of 2 pixels */
        assert_int_equal(pixel(m.s, 16, y), y >= 14 && y < 18 ? RGBA(0, 255, 0, alphas[y - 14]) : background);
    }
    streamer_destroy(m.s);
}

/* Lines are as wide as Line Width from column to column, or across where multisampling rasterization is on,
 * which leaves their alpha. (SNB PRM vol 2 part 1, 3DSTATE_SF: Line Width, Anti-aliasing Enable) */
static void lines_are_rectangles(void **state)
{
    enum { WIDTH_4 = 4 << 7 << 18, ON_PIXEL = 2 << 1, LINELIST = 2 };
    static const float line[2][4] = {{-1, -1, 0.5f, 1}, {1, 1, 0.5f, 1}};
    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = LINELIST, .vertices = 2, .at = line});
        command_of(&m, "3DSTATE_SF")[3] |= WIDTH_4 | on << 31;
        command_of(&m, "3DSTATE_WM")[6] |= on ? ON_PIXEL : 0;
        run_scene(&m);
        unsigned rows = 0;
        for (uint32_t y = 0; y < HEIGHT; y++) {
            const uint32_t found = pixel(m.s, 16, y);
            assert_true(found == green_pixel || found == background);
            rows += found == green_pixel;
        }
        assert_int_equal(rows, on ? 5 : 4);
        streamer_destroy(m.s);
    }
}

/* Array elements of a surface have h0 + h1 + 11 j rows each, of which h0 and h1 are the heights of levels 0
 * and 1, each aligned to j. A surface is an array if it has several elements; cubes have six for each. Slices
 * of a volume's level 0 follow each other. (SNB PRM vol 1 part 1, Surface Arrays, Cube Surfaces, Volumetric
 * Surfaces)
 */
static void arrays_have_slices(void **state)
{
    enum {
        PLAIN,
        J = 2,
        SIZE = 4,
        PITCH_OF_TEXTURE = 32,
        QPITCH = SIZE + SIZE / 2 + 11 * J,
        CLAMPED = 2 << 3 | 2 << 6 | 2
    };
    static const struct {
        const char *type;
        uint32_t depth, rows, slice; /* rows: from a slice to the next */
        float at[3];
    } cases[] = {{"SURFTYPE_2D", 5, QPITCH, 3, {0.375f, 0.625f, 3.25f}},
                 {"SURFTYPE_2D", 5, QPITCH, 4, {0.375f, 0.625f, 9}},
                 {"SURFTYPE_2D", 1, QPITCH, 0, {0.375f, 0.625f, 3}},
                 {"SURFTYPE_1D", 5, QPITCH, 2, {0.375f, 2, 0}},
                 {"SURFTYPE_CUBE", 1, QPITCH, 4, {-0.25f, -0.25f, 1}},
                 {"SURFTYPE_CUBE", 1, QPITCH, 3, {-0.25f, -1, -0.25f}},
                 {"SURFTYPE_3D", 4, SIZE, 2, {0.375f, 0.625f, 0.625f}}};
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const bool is_line = n == 3;
        struct looks looks = {PLAIN, 3, {0}, false, {0, CLAMPED, 0, 0}, 0};
        struct made_scene m;
        memcpy(looks.at, cases[n].at, sizeof cases[n].at);
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 3, .at = all_over, .looks = &looks});
        STRUCTURE_PUT(m.s->device, "RENDER_SURFACE_STATE", dwords_at(m.s, SURFACES + TEXTURE_STATE),
                      {"Surface Type", .value_name = cases[n].type},
                      {"Surface Format", .value_name = "R8G8B8A8_UNORM"}, {"Surface Base Address", TEXTURE},
                      {"Width", SIZE - 1}, {"Height", is_line ? 0 : SIZE - 1}, {"Depth", cases[n].depth - 1},
                      {"Surface Pitch", PITCH_OF_TEXTURE - 1});
        for (uint32_t row = 0; row < 6 * QPITCH; row++)
            for (uint32_t x = 0; x < SIZE; x++)
                dword_put(m.s, TEXTURE + row * PITCH_OF_TEXTURE + x * 4, RGBA(x * 64, row, 0, 255));
        run_scene(&m);
        const uint32_t rows = is_line ? 1 + 1 + 11 * J + 2 * (J - 1) : cases[n].rows, row = is_line ? 0 : 2;
        assert_int_equal(pixel(m.s, 16, 16), RGBA(64, cases[n].slice * rows + row, 0, 255));
        streamer_destroy(m.s);
    }
}

/* Of compressed surfaces slices and levels are aligned to four pixels: to a block. (SNB PRM vol 1 part 1,
 * Surface Arrays) */
static void blocks_have_slices_and_levels(void **state)
{
    enum {
        J = 4,
        SIZE = 16,
        BLOCK_BYTES = 8,
        PITCH_OF_BLOCKS = 64,
        RED = 0xf800, /* both colors of a BC1 block */
        GREEN_565 = 0x07e0,
        SLICE_ROWS = (SIZE + SIZE / 2 + 11 * J) / 4,
        CLAMPED = 2 << 3 | 2 << 6 | 2,
        LOAD = 7
    };
    static const struct {
        uint32_t slice, level, x, y, row, column; /* row and column of its block */
    } cases[] = {{0, 0, 5, 6, 1, 1},
                 {3, 0, 5, 6, 3 * SLICE_ROWS + 1, 1},
                 {0, 1, 5, 2, 4, 1},
                 {0, 2, 2, 2, 4, 2},
                 {2, 2, 2, 2, 2 * SLICE_ROWS + 4, 2}};
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const float size = (float)(SIZE >> cases[n].level);
        struct looks looks = {
            0,
            3,
            {((float)cases[n].x + 0.5f) / size, ((float)cases[n].y + 0.5f) / size, (float)cases[n].slice},
            false,
            {0, CLAMPED, 0, 0},
            0};
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST, .vertices = 3, .at = all_over, .looks = &looks});
        STRUCTURE_PUT(
            m.s->device, "RENDER_SURFACE_STATE", dwords_at(m.s, SURFACES + TEXTURE_STATE),
            {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", .value_name = "BC1_UNORM"},
            {"Surface Base Address", TEXTURE}, {"Width", SIZE - 1}, {"Height", SIZE - 1}, {"Depth", 3},
            {"MIP Count / LOD", 2 - cases[n].level}, {"Surface Min LOD", cases[n].level},
            {"Surface Pitch", PITCH_OF_BLOCKS - 1}, {"Surface Vertical Alignment", .value_name = "VALIGN_4"});
        for (uint32_t row = 0; row < 4 * SLICE_ROWS; row++)
            for (uint32_t column = 0; column < PITCH_OF_BLOCKS / BLOCK_BYTES; column++) {
                const bool here = row == cases[n].row && column == cases[n].column;
                const uint32_t color = here ? GREEN_565 : RED,
                               at = TEXTURE + row * PITCH_OF_BLOCKS + column * BLOCK_BYTES;
                dword_put(m.s, at, color | color << 16);
                dword_put(m.s, at + 4, 0);
            }
        run_scene(&m);
        assert_int_equal(pixel(m.s, 16, 16), RGBA(0, 255, 0, 255));
        streamer_destroy(m.s);
    }
}

TEST_PROGRAM(gen6_pixels_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_slices_and_levels),
        cmocka_unit_test(constants_are_where_instpm_says),
        cmocka_unit_test(objects_have_scratch),
        cmocka_unit_test(attributes_are_swizzled),
        cmocka_unit_test(alpha_is_one),
        cmocka_unit_test(faces_are_culled),
        cmocka_unit_test(vertices_provoke),
        cmocka_unit_test(pointers_change_by_their_bits),
        cmocka_unit_test(stencils_have_two_sides),
        cmocka_unit_test(subspans_run_whole),
        cmocka_unit_test(clipper_keeps_to_viewport),
        cmocka_unit_test(corners_have_few_places),
        cmocka_unit_test(rectangles_have_their_last_pixels),
        cmocka_unit_test(depth_offset_is_plain),
        cmocka_unit_test(colors_are_clamped),
        cmocka_unit_test(surfaces_begin_within_a_tile),
        cmocka_unit_test(depths_have_an_offset),
        cmocka_unit_test(adjacent_vertices_are_left_out),
        cmocka_unit_test(stipples_discard_pixels),
        cmocka_unit_test(lines_are_antialiased),
        cmocka_unit_test(lines_are_rectangles),
        cmocka_unit_test(arrays_have_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
