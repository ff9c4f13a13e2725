/* Draws of Gen6: threads of two vertices and of pixels, the state that they take, and what statistics count
 * of them. (SNB PRM vol 2 part 1, vol 4; REN-17) */
#include "../suite.h"
#include "../gen6_scenes.h"
#include "../random.h"
#include "../saved.h"

static void pixels_are_the_shaders(void **state)
{
    static const char *const registers[] = {"VS_INVOCATION_COUNT", "GS_INVOCATION_COUNT",
                                            "GS_PRIMITIVES_COUNT", "CL_INVOCATION_COUNT",
                                            "CL_PRIMITIVES_COUNT", "PS_DEPTH_COUNT"};
    struct streamer *const s = streamer_create("snb");
    (void)state;
    draw(s, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
    assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
        assert_int_equal(counted(s, registers[i]), 0);
    streamer_destroy(s);
}

/* 818-832, 852-882 of the manual: objects that enter the clipper and leave it, pixels that pass the depth
 * test, with their enables. */
static void statistics_count(void **state)
{
    struct streamer *const s = streamer_create("snb");
    (void)state;
    draw(s,
         &(struct scene){.topology = TRILIST, .vertices = 6, .at = half, .statistics = true, .clips = true});
    assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
    assert_int_equal(counted(s, "VS_INVOCATION_COUNT"), 6);
    assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), 2);
    assert_int_equal(counted(s, "CL_PRIMITIVES_COUNT"), 2);
    assert_int_equal(counted(s, "PS_DEPTH_COUNT"), WIDTH / 2 * HEIGHT);
    streamer_destroy(s);
}

/* 780-882: each register with its own enable, of the state that the manual names; the other ones go on. */
static void each_has_its_enable(void **state)
{
    static const struct told renders = {
        .renders = true, .vertices = 3, .topology = TRILIST, .ends = 4, .made = 3};
    static const struct {
        const char *name;
        uint8_t enable;
        uint32_t count;
    } registers[] = {{"IA_VERTICES_COUNT", OF_VF, 6},   {"IA_PRIMITIVES_COUNT", OF_VF, 2},
                     {"VS_INVOCATION_COUNT", OF_VS, 6}, {"GS_INVOCATION_COUNT", OF_GS, 2},
                     {"GS_PRIMITIVES_COUNT", OF_GS, 6}, {"CL_INVOCATION_COUNT", OF_CLIP, 2},
                     {"CL_PRIMITIVES_COUNT", OF_SF, 2}, {"PS_DEPTH_COUNT", OF_WM, WIDTH / 2 * HEIGHT}};
    (void)state;
    for (unsigned without = 0; without <= ENABLES; without++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .told = &renders,
                                .statistics = true,
                                .clips = true,
                                .without = 1u << without});
        for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
            assert_int_equal(counted(s, registers[i].name),
                             registers[i].enable == without ? 0 : registers[i].count);
        streamer_destroy(s);
    }
}

/* What is outside does not leave the clipper; what is partly outside becomes as many triangles as its outline
 * needs, and only what is inside has pixels. */
static void clipped_primitives(void **state)
{
    static const float outside[3][4] = {{2, -1, 0.5f, 1}, {4, -1, 0.5f, 1}, {2, 1, 0.5f, 1}},
                       corner[3][4] = {{-3, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {1, 3, 0.5f, 1}};
    struct streamer *const s = streamer_create("snb");
    (void)state;
    draw(s, &(struct scene){
                .topology = TRILIST, .vertices = 3, .at = outside, .statistics = true, .clips = true});
    assert_int_equal(green(s), 0);
    assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), 1);
    assert_int_equal(counted(s, "CL_PRIMITIVES_COUNT"), 0);
    assert_int_equal(counted(s, "PS_DEPTH_COUNT"), 0);
    draw(s, &(struct scene){
                .topology = TRILIST, .vertices = 3, .at = corner, .statistics = true, .clips = true});
    assert_int_equal(green(s), WIDTH * HEIGHT);
    assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), 2);
    assert_true(counted(s, "CL_PRIMITIVES_COUNT") >= 1);
    assert_int_equal(counted(s, "PS_DEPTH_COUNT"), WIDTH * HEIGHT);
    streamer_destroy(s);
}

/* Each function, against what lies in front, behind, and there: 869-882, pixels that fail are not counted. */
static void depth_is_tested(void **state)
{
    static const float before[3] = {0.25f, 0.5f, 0.75f};
    static const uint8_t passes[8] = {7, 0, 4, 2, 6, 1, 5, 3}; /* bits: against each of them */
    (void)state;
    for (unsigned function = ALWAYS; function <= GEQUAL; function++)
        for (unsigned i = 0; i < 3; i++) {
            struct streamer *const s = streamer_create("snb");
            const bool lets = passes[function] >> i & 1u;
            float first;
            draw(s, &(struct scene){.topology = TRILIST,
                                    .vertices = 6,
                                    .at = half,
                                    .statistics = true,
                                    .depth = true,
                                    .depth_function = function,
                                    .depth_before = before[i]});
            assert_int_equal(green(s), lets ? WIDTH / 2 * HEIGHT : 0);
            assert_int_equal(counted(s, "PS_DEPTH_COUNT"), lets ? WIDTH / 2 * HEIGHT : 0);
            memcpy(&first, s->memory + DEPTHS, sizeof first);
            assert_true(first == (lets ? 0.5f : before[i]));
            streamer_destroy(s);
        }
}

static const struct depths kinds[] = {{D32, false, false},   {D32, false, true},     {D32, true, false},
                                      {D24, false, false},   {D24, false, true},     {D24, true, false},
                                      {D16, false, false},   {D16, true, true},      {D24_S8, false, false},
                                      {D24_S8, true, false}, {D32_S8, false, false}, {D32_S8, true, false}};

static bool has_stencils(const struct depths *d)
{
    return d->apart || d->format == D24_S8 || d->format == D32_S8;
}

/* Of each format and in each layout: what a draw covers has the value, in the format's numbers, whatever its
 * own depth is; a resolve leaves all as it is. Neither counts what it is not told to. (SNB PRM vol 2 part 1,
 * 7.5.3 Hierarchical Depth Buffer) */
static void depth_is_cleared(void **state)
{
    enum { CLEAR = 1 << 30, RESOLVE = 1 << 28, RESOLVE_HIERARCHY = 1 << 27 };
    static const uint32_t whats[] = {CLEAR, RESOLVE, RESOLVE_HIERARCHY};
    (void)state;
    for (unsigned n = 0; n < 3 * sizeof kinds / sizeof kinds[0]; n++) {
        const struct depths *const d = &kinds[n / 3];
        struct streamer *const s = streamer_create("snb");
        const uint32_t value = depth_bits(d->format, 0.8125f);
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .depth = true,
                                .depths = d,
                                .depth_before = 0.25f,
                                .clear_value = value,
                                .wm = whats[n % 3]});
        assert_int_equal(green(s), 0);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            const uint32_t x = i % WIDTH, y = i / WIDTH;
            assert_int_equal(depth_there(s, d, x, y), x < WIDTH / 2 && whats[n % 3] == (uint32_t)CLEAR
                                                          ? value
                                                          : depth_bits(d->format, 0.25f));
            assert_true(!has_stencils(d) || s->memory[stencil_at(d, x, y)] == 165);
        }
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), 0);
        streamer_destroy(s);
    }
}

/* Appends the draw again, with other bits of 3DSTATE_WM. */
static void draw_again(struct made_scene *m, uint32_t clear_bits, uint32_t set_bits)
{
    enum { WM_DW = 9, PRIMITIVE_DW = 6, OPERATIONS = 4 };
    const uint32_t *const wm = command_of(m, "3DSTATE_WM"), *const primitive = command_of(m, "3DPRIMITIVE");
    memcpy(m->dws + m->count, wm, WM_DW * sizeof *wm);
    m->dws[m->count + OPERATIONS] = (wm[OPERATIONS] & ~clear_bits) | set_bits;
    memcpy(m->dws + m->count + WM_DW, primitive, PRIMITIVE_DW * sizeof *primitive);
    m->count += WM_DW + PRIMITIVE_DW;
}

/* A clear value that changes is that of the array element that a HiZ has as cleared. Without a HiZ the clear
 * is over when it is done, with one when it is resolved. (SNB PRM vol 2 part 1, 7.5.3 Hierarchical Depth
 * Buffer; Mesa, crocus: a fast clear of what is cleared only sets the value) */
static void clear_values_change(void **state)
{
    enum { CLEAR = 1 << 30, RESOLVE = 1 << 28, RESOLVE_HIERARCHY = 1 << 27, HIZ = 1920 << 10, MARGIN = 256 };
    static const uint32_t resolves[] = {0, RESOLVE, RESOLVE_HIERARCHY};
    static const float whole[6][4] = {{-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {1, 1, 0.5f, 1},
                                      {-1, -1, 0.5f, 1}, {1, 1, 0.5f, 1},  {-1, 1, 0.5f, 1}};
    static const struct depths kind = {D24, false, true};
    (void)state;
    for (unsigned n = 0; n < 4 * 3; n++) {
        const bool has_hiz = n & 1u, changes = has_hiz && n < 4;
        const unsigned element = n / 2 & 1u;
        const uint32_t first = depth_bits(D24, 0.75f), then = depth_bits(D24, 0.25f);
        unsigned count = 0;
        struct made_scene m;
        make_scene(&m, &(struct scene){.topology = TRILIST,
                                       .vertices = 6,
                                       .at = whole,
                                       .depth = true,
                                       .depths = &kind,
                                       .clear_value = first,
                                       .wm = CLEAR});
        COMMAND_PUT(m.s->device, command_of(&m, "3DSTATE_DEPTH_BUFFER"),
                    {"Hierarchical Depth Buffer Enable", has_hiz}, {"Depth", 1},
                    {"Minimum Array Element", element});
        insert_command(&m, "3DSTATE_HIER_DEPTH_BUFFER surface_pitch = 127, surface_base_address = %u", HIZ);
        if (resolves[n / 4])
            draw_again(&m, CLEAR, resolves[n / 4]);
        m.count += assemble(m.s->device, 0, m.dws + m.count,
                            "3DSTATE_CLEAR_PARAMS depth_clear_value_valid, depth_clear_value = %u", then);
        memset(m.s->memory, 0, MARGIN);
        run_scene(&m);
        for (uint32_t at = 0; at < MARGIN; at++) /* nothing but the HiZ has notes */
            assert_int_equal(m.s->memory[at], 0);
        for (uint32_t at = 0; at < STENCILS - DEPTHS; at += sizeof then)
            count += memcmp(m.s->memory + DEPTHS + at, changes ? &then : &first, sizeof then) == 0;
        assert_int_equal(count, WIDTH * HEIGHT);
        streamer_destroy(m.s);
    }
}

/* Each function of a stencil test, and what is kept of each outcome; beside depths, and in a buffer of its
 * own. 869-882: who passes the depth test and fails the stencil test is not counted. */
static void stencils_are_tested(void **state)
{
    enum { KEEP, ZERO, REPLACE, INCREASE_SATURATED, DECREASE_SATURATED, INCREASE, DECREASE, INVERT };
    static const uint8_t passes[8] = {7, 0, 1, 2, 3, 4, 5, 6}, /* reference less, equal, greater */
        befores[3] = {0x35, 0x34, 0x33};
    static const uint32_t all = WIDTH / 2 * HEIGHT;
    (void)state;
    for (unsigned n = 0; n < 8 * 3 * 2 * sizeof kinds / sizeof kinds[0]; n++) {
        const struct depths *const d = &kinds[n / 48];
        const unsigned function = n / 6 % 8, which = n / 2 % 3;
        const bool depth_fails = n % 2;
        const struct stencil t = {.function = function,
                                  .fail = INVERT,
                                  .depth_fail = INCREASE,
                                  .pass = REPLACE,
                                  .reference = 0x34,
                                  .test_mask = 0x7f,
                                  .write_mask = 0xf7,
                                  .before = (uint8_t)(0x80 | befores[which])};
        if (!has_stencils(d))
            continue;
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .statistics = true,
                                .depth = true,
                                .depths = d,
                                .depth_function = depth_fails ? NEVER : ALWAYS,
                                .depth_before = 0.25f,
                                .stencil = &t});
        const bool lets = passes[function] >> which & 1u, shown = lets && !depth_fails;
        const uint8_t to = !lets         ? (uint8_t)~t.before
                           : depth_fails ? (uint8_t)(t.before + 1)
                                         : t.reference,
                      left = (uint8_t)((to & t.write_mask) | (t.before & ~t.write_mask));
        assert_int_equal(green(s), shown ? all : 0);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), shown ? all : 0);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            const uint32_t x = i % WIDTH, y = i / WIDTH;
            const bool covered = x < WIDTH / 2;
            assert_int_equal(s->memory[stencil_at(d, x, y)], covered ? left : t.before);
            assert_int_equal(depth_there(s, d, x, y), depth_bits(d->format, covered && shown ? 0.5f : 0.25f));
        }
        streamer_destroy(s);
    }
}

/* Behind so many slices it is saved and loaded, and goes on. */
static struct streamer *draw_in_pieces(const struct scene *c, unsigned slices)
{
    uint32_t dws[256];
    struct streamer *const s = streamer_create("snb");
    const uint32_t count = put_scene(s, c, dws);
    ring_put(s, dws, count);
    for (unsigned i = 0; i < slices; i++)
        softgt_run(s->device, 16);
    reload(s->device);
    softgt_run(s->device, 1u << 28);
    return s;
}

/* It is cut anywhere, saved and loaded: the same pixels and counts. */
static void saved_in_the_middle(void **state)
{
    const struct scene c = {.topology = TRILIST, .vertices = 6, .at = half, .statistics = true};
    (void)state;
    for (unsigned slices = 1; slices < 24; slices += 3) {
        struct streamer *const s = draw_in_pieces(&c, slices);
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        assert_int_equal(counted(s, "VS_INVOCATION_COUNT"), 6);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* 268-310: stopped in the middle, saved and loaded there: the draw that was parsed is completed before Ring
 * Idle and the sync flush tell so, whatever the slices, and nothing behind it is done. */
static void stopped_in_the_middle(void **state)
{
    enum { STOP = 1 << 8, IDLE = 1 << 9, FLUSH = 1 << 5, DONE = 24589 };
    const struct scene c = {.topology = TRILIST, .vertices = 6, .at = half, .statistics = true};
    (void)state;
    unsigned stopped = 0;
    for (unsigned slices = 0; slices < 12; slices++) {
        uint32_t dws[256];
        struct streamer *const s = streamer_create("snb");
        uint32_t count = put_scene(s, &c, dws);
        count += assemble(s->device, 0, dws + count,
                          "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", DATA, DONE);
        ring_put(s, dws, count);
        while (green(s) == 0) /* it has begun */
            softgt_run(s->device, 4);
        for (unsigned i = 0; i < slices; i++)
            softgt_run(s->device, 4);
        stopped += green(s) < WIDTH / 2 * HEIGHT;
        if (green(s) == WIDTH / 2 * HEIGHT) {
            streamer_destroy(s);
            break;
        }
        register_put(s, s->base + MI_MODE, STOP << 16 | STOP);
        register_put(s, s->base + INSTPM, FLUSH << 16 | FLUSH);
        for (unsigned i = 0; green(s) < WIDTH / 2 * HEIGHT; i++) {
            assert_int_equal(register_get(s, s->base + MI_MODE) & (STOP | IDLE), STOP);
            assert_int_equal(register_get(s, s->base + INSTPM), FLUSH);
            assert_int_equal(register_get(s, register_offset(s->device, "GTISR")), 0);
            if (i == 2)
                reload(s->device);
            softgt_run(s->device, 16);
        }
        softgt_run(s->device, 1u << 28);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), WIDTH / 2 * HEIGHT);
        assert_int_equal(register_get(s, s->base + MI_MODE) & (STOP | IDLE), STOP | IDLE);
        assert_int_equal(register_get(s, s->base + INSTPM), 0);
        assert_int_equal(register_get(s, register_offset(s->device, "GTISR")), 4);
        assert_int_equal(dword_at(s, DATA), 0);
        register_put(s, s->base + MI_MODE, STOP << 16);
        softgt_run(s->device, 1u << 28);
        assert_int_equal(dword_at(s, DATA), DONE);
        streamer_destroy(s);
    }
    assert_in_range(stopped, 1, 12);
}

/* 833-851, 905-935: what threads of objects tell counts where its enable is set; where they write goes on
 * from one to the next, by their message or by the state's step. */
static void objects_stream_out(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 8; how++) {
        const struct told told = {.made = 5, .needed = 3, .written = 2, .steps = how & 1u};
        const bool counts = how & 2u, counts_output = how & 4u;
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .told = &told,
                                .statistics = counts,
                                .counts_output = counts_output,
                                .first = 1,
                                .most = ROOM});
        assert_int_equal(green(s), 0);
        assert_memory_equal(s->memory + WRITTEN + 16, half, sizeof half);
        assert_int_equal(counted(s, "GS_INVOCATION_COUNT"), counts ? 2 : 0);
        assert_int_equal(counted(s, "GS_PRIMITIVES_COUNT"), counts ? 10 : 0);
        assert_int_equal(counted(s, "SO_PRIM_STORAGE_NEEDED"), counts_output ? (told.steps ? 2 : 6) : 0);
        assert_int_equal(counted(s, "SO_NUM_PRIMS_WRITTEN"), counts_output ? (told.steps ? 2 : 4) : 0);
        assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), 0);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), 0);
        streamer_destroy(s);
    }
}

/* 833-851: what a thread makes of its object comes to the clipper as the primitives that it tells of each
 * vertex, and is counted there. Of every other triangle of a strip it has the vertices as they lie, and is
 * told so. */
static const float corners[4][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}},
                   around[4][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {0, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}};
static const float rectangle[4][4] = {{0, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {-1, -1, 0.5f, 1}, {0, 0, 0, 1}};
static const struct rendered {
    struct told told;
    const float (*at)[4];
    unsigned entering; /* objects that enter the clipper of each */
    unsigned drawn;    /* pixels, in halves of the square; 0: of points and lines */
} rendered[] = {
    {{.topology = 5, .ends = 8}, corners, 2, 2},  /* a strip */
    {{.topology = 13, .ends = 8}, corners, 2, 2}, /* one whose first triangle is the other way round */
    {{.topology = 5, .ends = 12}, corners, 1, 1}, /* two, of which one is none */
    {{.topology = 6, .ends = 8}, around, 2, 2},   /* a fan */
    {{.topology = 14, .ends = 8}, around, 2, 2},  /* a polygon */
    {{.topology = 4, .ends = 4}, corners, 1, 1},  /* a triangle, and what is no triangle */
    {{.topology = 15, .ends = 4}, rectangle, 1, 2}, {{.topology = 1, .ends = 15}, corners, 4, 0},
    {{.topology = 2, .ends = 10}, corners, 2, 0},   {{.topology = 3, .ends = 8}, corners, 3, 0},
    {{.topology = 3, .ends = 0}, corners, 3, 0},   /* it ends with the thread */
    {{.topology = 16, .ends = 10}, corners, 2, 0}, /* lines of a loop */
    {{.topology = 30, .ends = 8}, corners, 0, 0},
};

static void objects_are_rendered(void **state)
{
    enum { LINELIST_ADJ = 9, MOST = sizeof rendered / sizeof rendered[0], SQUARE = WIDTH / 2 * HEIGHT };
    (void)state;
    for (unsigned n = 0; n < MOST * 4; n++) {
        const struct rendered *const r = &rendered[n / 4];
        const bool counts = n & 2u, solid = r->drawn == 2 || (r->drawn && r->entering);
        struct told told = r->told;
        told.renders = true;
        told.vertices = 4;
        told.made = 7;
        told.interleaved = n & 1u;
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = LINELIST_ADJ,
                                .vertices = 4,
                                .at = r->at,
                                .told = &told,
                                .clips = true,
                                .statistics = counts});
        const unsigned shown = green(s);
        if (r->drawn == 2)
            assert_int_equal(shown, SQUARE);
        else if (solid)
            assert_in_range(shown, SQUARE / 2 - HEIGHT, SQUARE / 2 + HEIGHT);
        else if (!r->entering)
            assert_int_equal(shown, 0);
        assert_int_equal(counted(s, "IA_VERTICES_COUNT"), counts ? 4 : 0);
        assert_int_equal(counted(s, "IA_PRIMITIVES_COUNT"), counts ? 1 : 0);
        assert_int_equal(counted(s, "GS_INVOCATION_COUNT"), counts ? 1 : 0);
        assert_int_equal(counted(s, "GS_PRIMITIVES_COUNT"), counts ? 7 : 0);
        assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), counts ? r->entering : 0);
        assert_int_equal(counted(s, "CL_PRIMITIVES_COUNT"), counts ? r->entering : 0);
        if (r->drawn || !counts) /* lines may share pixels */
            assert_int_equal(counted(s, "PS_DEPTH_COUNT"), counts ? shown : 0);
        streamer_destroy(s);
    }
}

/* Quads and polygons come as triangles of a polygon around one vertex. Threads know by two bits of r0 which
 * edges are the polygon's, and the clipper gets one polygon of several threads: it has an interior edge
 * nowhere. (SNB PRM vol 2 part 1, GS Thread Payload; Mesa, brw_compile_ff_gs_prog) */
static void polygons_of_threads(void **state)
{
    enum { QUADLIST = 7, QUADSTRIP = 8, POLYGON = 14, FIRST = 1 << 8, LAST = 1 << 9 };
    static const float square[4][4] = {
        {-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {0, 1, 0.5f, 1}, {-1, 1, 0.5f, 1}};
    static const struct {
        unsigned topology;
        uint8_t vertex[6]; /* of both threads */
    } cases[] = {
        {QUADLIST, {3, 0, 1, 3, 1, 2}}, {QUADSTRIP, {3, 2, 0, 3, 0, 1}}, {POLYGON, {0, 1, 2, 0, 2, 3}}};
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const struct told told = {.made = 1, .tells_names = true};
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){
                    .topology = cases[n].topology, .vertices = 4, .at = square, .told = &told, .most = ROOM});
        for (unsigned i = 0; i < 6; i++) {
            float at[3];
            uint32_t name;
            memcpy(at, s->memory + WRITTEN + i * 16, sizeof at);
            memcpy(&name, s->memory + WRITTEN + i * 16 + 12, sizeof name);
            assert_memory_equal(at, square[cases[n].vertex[i]], sizeof at);
            assert_int_equal(name, POLYGON | (i < 3 ? FIRST : LAST));
        }
        streamer_destroy(s);
    }
}

/* A fan that its thread does not end goes on in the next one's vertices. */
static void fans_of_threads(void **state)
{
    (void)state;
    for (unsigned slices = 0; slices < 40; slices += 3) {
        const struct told told = {
            .renders = true, .vertices = 1, .topology = 14, .made = 1, .continues = true};
        const struct scene c = {
            .topology = 1, .vertices = 4, .at = around, .statistics = true, .clips = true, .told = &told};
        struct streamer *s = slices ? draw_in_pieces(&c, slices) : streamer_create("snb");
        if (!slices)
            draw(s, &c);
        assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), 2);
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* A thread makes 256 vertices at most here: of more it is told, and the ring goes on. */
static void vertices_without_end(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        const struct told told = {.renders = true, .topology = 1, .made = 1, .empty = 256 + more};
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 3,
                                .at = half,
                                .told = &told,
                                .clips = true,
                                .statistics = true});
        assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), more ? 0 : 256);
        draw(s, &(struct scene){.topology = TRILIST, .vertices = 6, .at = half});
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* The same of many objects, cut anywhere, saved and loaded: what is made is all drawn, once. */
static void rendered_in_pieces(void **state)
{
    static const struct told told = {
        .renders = true, .vertices = 3, .topology = TRILIST, .ends = 4, .made = 1};
    const struct scene c = {
        .topology = TRILIST, .vertices = 6, .at = half, .statistics = true, .clips = true, .told = &told};
    (void)state;
    for (unsigned slices = 1; slices < 160; slices += 3) {
        struct streamer *const s = draw_in_pieces(&c, slices);
        assert_int_equal(green(s), WIDTH / 2 * HEIGHT);
        assert_int_equal(counted(s, "GS_INVOCATION_COUNT"), 2);
        assert_int_equal(counted(s, "GS_PRIMITIVES_COUNT"), 2);
        assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), 2);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

static void strips_of_objects(void **state)
{
    enum { TRISTRIP = 5, REVERSED = 13 };
    static const uint8_t straight[6] = {0, 1, 2, 1, 2, 3}, reordered[6] = {0, 1, 2, 1, 3, 2};
    (void)state;
    for (unsigned how = 0; how < 2; how++) {
        const struct told told = {.made = 1, .tells_names = true, .reorders = how};
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){
                    .topology = TRISTRIP, .vertices = 4, .at = corners, .told = &told, .most = ROOM});
        for (unsigned i = 0; i < 6; i++) {
            float at[3];
            uint32_t name;
            memcpy(at, s->memory + WRITTEN + i * 16, sizeof at);
            memcpy(&name, s->memory + WRITTEN + i * 16 + 12, sizeof name);
            assert_memory_equal(at, corners[how ? reordered[i] : straight[i]], sizeof at);
            assert_int_equal(name, i >= 3 && !how ? REVERSED : TRISTRIP);
        }
        streamer_destroy(s);
    }
}

/* Messages to the sampler as Gen6 has them: parameters behind four coordinates, levels in 64ths, modes in the
 * state's second dword, borders behind one in 8 bits. (SNB PRM vol 4 part 1) */
static void texels_are_sampled(void **state)
{
    enum { PLAIN, LEVEL = 2, COMPARED, GRADIENTS, LOADED = 7, GATHERED };
    enum {
        MIPS = 1 << 20,
        MOST = 1023u << 12,
        CLAMPED = 2 << 3 | 2 << 6,
        BORDERED = 4 << 3 | 4 << 6,
        LINEAR = 1 << 17 | 1 << 14
    };
    enum { UNNORMALIZED = 1 };
    static const struct looks cases[] = {
        {PLAIN, 2, {0.375f, 0.625f}, false, {0, CLAMPED, 0, 0}, RGBA(64, 128, 0, 255)},
        {PLAIN, 2, {1.375f, -0.375f}, false, {0, 0, 0, 0}, RGBA(64, 128, 0, 255)}, /* it wraps */
        {PLAIN, 2, {1.5f, -0.5f}, false, {0, CLAMPED, 0, 0}, RGBA(192, 0, 0, 255)},
        {PLAIN, 2, {1.5f, 0.5f}, false, {0, BORDERED, 0, 0}, GREEN},
        {PLAIN, 2, {0.5f, 0.625f}, false, {LINEAR, CLAMPED, 0, 0}, RGBA(96, 128, 0, 255)}, /* between two */
        {PLAIN, 2, {3, 1}, false, {0, CLAMPED, 0, UNNORMALIZED}, RGBA(192, 64, 0, 255)},
        {LEVEL, 5, {0.75f, 0.25f, 0, 0, 1}, false, {MIPS, CLAMPED | MOST, 0, 0}, RGBA(64, 0, 1, 255)},
        {LEVEL, 5, {0.75f, 0.25f, 0, 0, 2}, false, {MIPS, CLAMPED | MOST, 0, 0}, RGBA(0, 0, 2, 255)},
        {LEVEL,
         5,
         {0.75f, 0.75f, 0, 0, 2},
         false,
         {MIPS, CLAMPED | 64 << 12, 0, 0},
         RGBA(64, 64, 1, 255)}, /* at most 1
                                 */
        {LEVEL,
         5,
         {0.75f, 0.75f, 0, 0, 0},
         false,
         {MIPS, (uint32_t)CLAMPED | MOST | 64u << 22, 0, 0},
         RGBA(64, 64, 1, 255)},
        {LEVEL,
         5,
         {0.75f, 0.75f, 0, 0, 0},
         false,
         {MIPS | 64 << 3, CLAMPED | MOST, 0, 0},
         RGBA(64, 64, 1, 255)}, /* a bias of 1 */
        {GRADIENTS,
         6,
         {0.75f, 0.75f, 0, 0, 0.5f, 0},
         false,
         {MIPS, CLAMPED | MOST, 0, 0},
         RGBA(64, 64, 1, 255)},
        {COMPARED,
         5,
         {0.625f, 0.5f, 0, 0, 0.25f},
         false,
         {2, CLAMPED, 0, 0},
         RGBA(255, 128, 0, 255)}, /* less:
                                     0 */
        {COMPARED, 5, {0.625f, 0.5f, 0, 0, 0.75f}, false, {2, CLAMPED, 0, 0}, RGBA(0, 128, 0, 255)},
        {GATHERED, 2, {0.5f, 0.5f}, false, {0, CLAMPED, 0, 0}, RGBA(64, 128, 128, 64)},
        {LOADED, 4, {2, 3, 0, 0}, true, {0, 0, 0, 0}, RGBA(128, 192, 0, 255)},
        {LOADED, 4, {1, 1, 0, 1}, true, {0, 0, 0, 0}, RGBA(64, 64, 1, 255)},
        {LOADED, 4, {4, 1, 0, 0}, true, {0, 0, 0, 0}, 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){
                    .topology = TRILIST, .vertices = 6, .at = half, .statistics = true, .looks = &cases[i]});
        assert_int_equal(colored(s, cases[i].color), WIDTH / 2 * HEIGHT);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* 780-817: an index that cuts is no vertex, and begins the next strip. */
static void indices_cut(void **state)
{
    enum { TRISTRIP = 5, CUT = UINT16_MAX };
    static const uint16_t whole[7] = {0, 1, 2, 3, 3, 3, 3}, cut[7] = {0, 1, 2, CUT, 1, 2, 3},
                          none[7] = {0, 1, CUT, 2, 3, CUT, 0};
    static const float at[7][4] = {{-1, -1, 0.5f, 1}, {0, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {0, 1, 0.5f, 1}};
    static const struct {
        const uint16_t *indices;
        unsigned vertices, primitives, pixels;
    } cases[] = {{whole, 7, 5, WIDTH / 2 * HEIGHT}, {cut, 6, 2, WIDTH / 2 * HEIGHT}, {none, 5, 0, 0}};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRISTRIP,
                                .vertices = 7,
                                .at = at,
                                .indices = cases[i].indices,
                                .clips = true,
                                .statistics = true});
        assert_int_equal(green(s), cases[i].pixels);
        assert_int_equal(counted(s, "IA_VERTICES_COUNT"), cases[i].vertices);
        assert_int_equal(counted(s, "IA_PRIMITIVES_COUNT"), cases[i].primitives);
        assert_int_equal(counted(s, "CL_INVOCATION_COUNT"), cases[i].primitives);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), cases[i].pixels);
        streamer_destroy(s);
    }
}

/* Distances of a vertex, here its color: that of 0 and of 2 are zero, 1 and 3 are 1. One that is negative at
 * all corners culls; the state of the clipper says which count. (SNB PRM vol 2 part 1, 3DSTATE_CLIP) */
static void distances_clip(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        struct streamer *const s = streamer_create("snb");
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .clips = true,
                                .statistics = true,
                                .clip_distances = how ? 1u << 1 : 0,
                                .green = how == 2 ? -1 : 1});
        assert_int_equal(counted(s, "CL_PRIMITIVES_COUNT"), how == 2 ? 0 : 2);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), how == 2 ? 0 : WIDTH / 2 * HEIGHT);
        streamer_destroy(s);
    }
}

/* Behind a buffer nothing is written. */
static void buffers_end(void **state)
{
    const struct told told = {.made = 1};
    struct streamer *const s = streamer_create("snb");
    static const uint8_t zeros[8 * 16];
    (void)state;
    draw(s, &(struct scene){.topology = TRILIST,
                            .vertices = 6,
                            .at = half,
                            .told = &told,
                            .first = ROOM - 2,
                            .most = ROOM + 4});
    assert_memory_equal(s->memory + WRITTEN + (ROOM - 2) * 16, half, 2 * 16);
    assert_memory_equal(s->memory + WRITTEN + ROOM * 16, zeros, sizeof zeros);
    streamer_destroy(s);
}

/* The A counters of a report, when all that was done is told. (3040-3080; 1211-1247 for where they are) */
static void read_counters(struct streamer *s, uint32_t a[29])
{
    enum { REPORT = 1984 << 10 };
    uint32_t dw[4];
    softgt_advance(s->device, UINT64_C(1000000000));
    ring_run(s, dw,
             assemble(s->device, 0, dw,
                      "MI_REPORT_PERF_COUNT use_global_gtt, memory_address = %u, report_id = 1\nMI_NOOP",
                      REPORT));
    for (unsigned n = 0; n < 29; n++) {
        const unsigned line = (n + 3u) / 8u,
                       end = line ? 4u : 7u; /* five, then eight each, the last one first */
        memcpy(&a[n], s->memory + REPORT + line * 32u + (line * 8u + end - n) * 4u, 4);
    }
}

static void performance_counters(void **state)
{
    enum { ALL_A = 1 << 2, ENABLE = 1, PIXELS = WIDTH / 2 * HEIGHT };
    const struct told told = {.made = 1};
    (void)state;
    for (unsigned how = 0; how < 5; how++) {
        struct streamer *const s = streamer_create("snb");
        const bool enabled = how < 4, fails = how == 1 || how == 2, streams = how == 3;
        uint32_t a[29];
        register_put(s, register_offset(s->device, "OACONTROL"), ALL_A | (enabled ? ENABLE : 0));
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .statistics = true,
                                .depth = true,
                                .depth_function = fails ? 2 : 0,
                                .depth_before = 0.25f,
                                .told = streams ? &told : NULL});
        register_put(s, register_offset(s->device, "OACONTROL"), ALL_A | ENABLE);
        read_counters(s, a);
        const bool shades = enabled && !fails && !streams;
        assert_int_equal(a[2] != 0, enabled);
        assert_int_equal(a[6] != 0, streams);
        assert_int_equal(a[9] != 0, streams);
        assert_int_equal(a[11] != 0, shades);
        assert_int_equal(a[14] != 0, shades);
        assert_int_equal(a[0], a[2] + a[6] + a[11]);
        assert_int_equal(a[16], shades ? PIXELS : 0);
        assert_int_equal(a[17], enabled && fails ? PIXELS : 0);
        assert_int_equal(a[24], shades ? PIXELS : 0);
        for (unsigned n = 18; n < 24; n++)
            assert_int_equal(a[n], 0);
        streamer_destroy(s);
    }
}

/* A16 to A24: pixels by what tests and the shader say of each, as far as a test is enabled: stencils before
 * depths, alpha before both. Those of which it is not known before the shader are tested behind it. */
static void tests_are_counted(void **state)
{
    enum { ALL_A = 1 << 2, ENABLE = 1, ALL = WIDTH / 2 * HEIGHT, REPLACE = 2 };
    enum { FIRST_OF_FOUR = 1 | 1 << 4 | 1 << 8 | 1 << 12, THREE_OF_FOUR = 7 * FIRST_OF_FOUR }; /* pixels */
    static const struct depths apart = {D24, false, true}, among = {D24_S8, false, false};
    static const struct alpha lets = {LEQUAL, 1, false}, stops = {GREATER, 255, true},
                              lets_steps = {GEQUAL, 255, true}, stops_too = {LESS, 1, false};
    static const struct {
        const struct alpha *alpha;
        uint32_t kills;
        uint8_t stencil,
            depth; /* 0: not enabled; functions, of a stencil that is equal and a depth in front */
        uint8_t count[9], shown; /* A16 to A24, in quarters of what is covered */
    } cases[] = {
        {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, 0, LESS, {4, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, 0, GREATER, {0, 4, 0, 0, 0, 0, 0, 0, 0}, 0},
        {NULL, 0, EQUAL, 0, {0, 0, 4, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, EQUAL, LESS, {4, 0, 4, 0, 0, 0, 0, 0, 4}, 4},
        {NULL, 0, EQUAL, GREATER, {0, 4, 4, 0, 0, 0, 0, 0, 0}, 0},
        {NULL, 0, NOTEQUAL, LESS, {0, 0, 0, 4, 0, 0, 0, 0, 0}, 0},
        {&lets, 0, EQUAL, LESS, {0, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {&lets_steps, 0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 4}, 4},
        {&stops, 0, EQUAL, LESS, {0, 0, 0, 0, 0, 4, 0, 0, 0}, 0},
        {&stops_too, 0, 0, 0, {0, 0, 0, 0, 0, 4, 0, 0, 0}, 0},
        {&lets, 0, NOTEQUAL, LESS, {0, 0, 0, 0, 0, 0, 4, 0, 0}, 0},
        {&lets, 0, EQUAL, GREATER, {0, 0, 0, 0, 0, 0, 0, 4, 0}, 0},
        {NULL, FIRST_OF_FOUR, 0, 0, {0, 0, 0, 0, 1, 0, 0, 0, 3}, 3},
        {NULL, THREE_OF_FOUR, EQUAL, LESS, {0, 0, 0, 0, 3, 0, 0, 0, 1}, 1},
        {NULL, FIRST_OF_FOUR, EQUAL, GREATER, {0, 0, 0, 0, 1, 0, 0, 3, 0}, 0},
        {NULL, FIRST_OF_FOUR, NOTEQUAL, 0, {0, 0, 0, 0, 1, 0, 3, 0, 0}, 0},
        {&stops, FIRST_OF_FOUR, EQUAL, LESS, {0, 0, 0, 0, 1, 3, 0, 0, 0}, 0},
    };
    (void)state;
    for (unsigned n = 0; n < 2 * sizeof cases / sizeof cases[0]; n++) {
        const unsigned i = n / 2;
        const struct stencil t = {.function = cases[i].stencil,
                                  .pass = REPLACE,
                                  .reference = 7,
                                  .test_mask = 0xff,
                                  .write_mask = 0xff,
                                  .before = 7};
        struct streamer *const s = streamer_create("snb");
        uint32_t a[29];
        register_put(s, register_offset(s->device, "OACONTROL"), ALL_A | ENABLE);
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = 6,
                                .at = half,
                                .statistics = true,
                                .depth = cases[i].depth || cases[i].stencil,
                                .depths = n % 2 ? &apart : &among,
                                .no_depth_test = !cases[i].depth,
                                .depth_function = cases[i].depth,
                                .depth_before = 0.75f,
                                .stencil = cases[i].stencil ? &t : NULL,
                                .alpha = cases[i].alpha,
                                .kills = cases[i].kills});
        read_counters(s, a);
        for (unsigned c = 0; c < 9; c++)
            assert_int_equal(a[16 + c], cases[i].count[c] * ALL / 4);
        assert_int_equal(green(s), cases[i].shown * ALL / 4);
        assert_int_equal(counted(s, "PS_DEPTH_COUNT"), cases[i].shown * ALL / 4);
        streamer_destroy(s);
    }
}

/* A26 and A27: clocks of the clipper, which takes none where it lets all pass, and of what is behind it: as
 * many as primitives that leave it. Nothing stalls: A1, A3 to A5, A7, A8, A10, A12, A13, A15. */
static void fixed_functions_count(void **state)
{
    enum { ALL_A = 1 << 2, ENABLE = 1 };
    static const float outside[3][4] = {{2, -1, 0.5f, 1}, {4, -1, 0.5f, 1}, {2, 1, 0.5f, 1}};
    static const uint8_t stalls[] = {1, 3, 4, 5, 7, 8, 10, 12, 13, 15};
    static const struct told renders = {
        .renders = true, .vertices = 3, .topology = TRILIST, .ends = 4, .made = 1};
    static const struct {
        const float (*at)[4];
        const struct told *told;
        uint32_t vertices, clipper, setup;
        bool clips, enabled;
    } cases[] = {{half, NULL, 6, 2, 2, true, true},
                 {half, NULL, 6, 0, 2, false, true},
                 {outside, NULL, 3, 1, 0, true, true},
                 {half, &renders, 6, 2, 2, true, true},
                 {half, NULL, 6, 0, 0, true, false}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *const s = streamer_create("snb");
        uint32_t a[29];
        register_put(s, register_offset(s->device, "OACONTROL"), ALL_A | (cases[i].enabled ? ENABLE : 0));
        draw(s, &(struct scene){.topology = TRILIST,
                                .vertices = cases[i].vertices,
                                .at = cases[i].at,
                                .told = cases[i].told,
                                .clips = cases[i].clips});
        register_put(s, register_offset(s->device, "OACONTROL"), ALL_A | ENABLE);
        read_counters(s, a);
        assert_int_equal(a[26], cases[i].clipper);
        assert_int_equal(a[27], cases[i].setup);
        assert_int_equal(a[6] != 0, cases[i].told != NULL);
        for (unsigned n = 0; n < sizeof stalls; n++)
            assert_int_equal(a[stalls[n]], 0);
        streamer_destroy(s);
    }
}

/* 373-395, 2056-2062, 2079: what is drawn to the target that FBC_RT_BASE_ADDR names is modified, line by
 * line, whatever the slices; nothing of a draw to another one, of one that is not valid, or that writes no
 * color. */
static void draws_modify_the_frame_buffer(void **state)
{
    enum { VALID = 1, MODIFIED = 1 << 29 };
    enum { FIRST = 8, LAST = 15, ALL_DISABLED = 15 << 24 };
    static const float rows[6][4] = {{-1, 0, 0.5f, 1}, {0, 0, 0.5f, 1},    {0, 0.5f, 0.5f, 1},
                                     {-1, 0, 0.5f, 1}, {0, 0.5f, 0.5f, 1}, {-1, 0.5f, 0.5f, 1}};
    static const struct {
        uint32_t base, disabled, offset;
        unsigned slices;
        bool modifies;
    } cases[] = {{TARGET | VALID, 0, 0, 0, true},
                 {TARGET | VALID, 0, 0, 5, true},
                 {TARGET | VALID, 0, 0, 17, true},
                 {TARGET, 0, 0, 0, false},
                 {(TARGET + 4096) | VALID, 0, 0, 0, false},
                 {TARGET | VALID, ALL_DISABLED, 0, 0, false},
                 {TARGET | VALID, 0, 4, 0, true}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct streamer *const s = streamer_create("cl");
        uint32_t dws[256];
        register_put(s, register_offset(s->device, "PIPESRC[0]"), (WIDTH - 1) << 16 | (HEIGHT - 1));
        register_put(s, register_offset(s->device, "FBC_RT_BASE_ADDR_REGISTER"), cases[i].base);
        register_put(s, register_offset(s->device, "FBC_TAG[0]"), UINT32_MAX);
        register_put(s, register_offset(s->device, "FBC_STATUS"), 0);
        const uint32_t count =
            put_scene(s, &(struct scene){.topology = TRILIST, .vertices = 6, .at = rows}, dws);
        dword_put(s, DYNAMIC + BLENDING + 4, cases[i].disabled);        /* Write Disable of each component */
        dword_put(s, SURFACES + STATE + 20, cases[i].offset / 2 << 20); /* Y Offset, in pairs of rows */
        ring_put(s, dws, count);
        for (unsigned n = 0; n < cases[i].slices; n++)
            softgt_run(s->device, 16);
        reload(s->device);
        softgt_run(s->device, 1u << 28);
        assert_int_equal(green(s), cases[i].disabled ? 0 : WIDTH / 2 * (LAST - FIRST + 1));
        uint32_t tags = UINT32_MAX;
        for (unsigned y = FIRST; y <= LAST && cases[i].modifies; y++)
            tags &= ~(3u << (y + cases[i].offset) / 2 * 2);
        assert_int_equal(register_get(s, register_offset(s->device, "FBC_TAG[0]")), tags);
        assert_int_equal(register_get(s, register_offset(s->device, "FBC_STATUS")),
                         cases[i].modifies ? MODIFIED : 0);
        streamer_destroy(s);
    }
}

/* State, kernels and structures with bits turned: it may draw anything, or hang; no more. */
static void hostile_draws(void **state)
{
    enum { ROUNDS = 512 };
    static const uint32_t places[] = {
        KERNELS,           KERNELS + PIXEL_KERNEL, KERNELS + OBJECT_KERNEL, DYNAMIC + VIEWPORT,
        DYNAMIC + TESTS,   SURFACES + STATE,       SURFACES + TABLE,        SURFACES + TEXTURE_STATE,
        DYNAMIC + SAMPLER, DYNAMIC + COLORS,       DYNAMIC + BLENDING,      SURFACES + BUFFER_STATE,
        VERTICES};
    const struct told streams = {.made = 1, .needed = 1, .written = 1, .steps = true},
                      renders = {.renders = true, .vertices = 3, .topology = 5, .ends = 4, .made = 1};
    static const uint16_t indices[6] = {0, 1, 2, UINT16_MAX, 1, 2};
    static const struct stencil test = {.function = EQUAL, .pass = 5, .test_mask = 0xff, .write_mask = 0xff};
    static const struct alpha alpha = {LEQUAL, 1, false};
    static const struct looks looks = {
        2, 5, {0.75f, 0.25f, 0, 0, 1}, false, {1 << 20 | 1 << 17, 1023 << 12, 0, 0}, 0};
    struct streamer *const s = streamer_create("snb");
    uint64_t seed = 6;
    unsigned drawn = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t dws[256];
        streamer_start(s, 0);
        const uint32_t count = put_scene(s,
                                         &(struct scene){.topology = TRILIST,
                                                         .vertices = 6,
                                                         .at = half,
                                                         .statistics = true,
                                                         .clips = round & 1u,
                                                         .depth = round & 2u,
                                                         .told = round & 8u   ? &renders
                                                                 : round & 4u ? &streams
                                                                              : NULL,
                                                         .indices = round & 16u ? indices : NULL,
                                                         .depths = round & 32u ? &kinds[round % 12u] : NULL,
                                                         .stencil = round & 64u ? &test : NULL,
                                                         .alpha = round & 128u ? &alpha : NULL,
                                                         .looks = round & 256u ? &looks : NULL,
                                                         .most = ROOM},
                                         dws);
        for (unsigned i = 0; i < 1u + round % 6u; i++) {
            const uint32_t which = (uint32_t)random_next(&seed) % count;
            if (dws[which] >> 29 != 3 && which > 9) /* headers stay */
                dws[which] ^= 1u << random_next(&seed) % 32u;
        }
        for (unsigned i = 0; i < round % 4u; i++) {
            const uint32_t at = places[random_next(&seed) % (sizeof places / sizeof places[0])] +
                                (uint32_t)random_next(&seed) % 24u * 4u;
            uint32_t dw;
            memcpy(&dw, s->memory + at, sizeof dw);
            dword_put(s, at, dw ^ 1u << random_next(&seed) % 32u);
        }
        ring_put(s, dws, count);
        for (unsigned i = 0; i < 40; i++)
            softgt_run(s->device, 1u << 14);
        drawn += counted(s, "PS_DEPTH_COUNT") || counted(s, "GS_PRIMITIVES_COUNT");
    }
    assert_true(drawn > ROUNDS / 4);
    streamer_destroy(s);
}

TEST_PROGRAM(gen6_draw_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_the_shaders),
        cmocka_unit_test(statistics_count),
        cmocka_unit_test(each_has_its_enable),
        cmocka_unit_test(clipped_primitives),
        cmocka_unit_test(depth_is_tested),
        cmocka_unit_test(depth_is_cleared),
        cmocka_unit_test(clear_values_change),
        cmocka_unit_test(stencils_are_tested),
        cmocka_unit_test(saved_in_the_middle),
        cmocka_unit_test(stopped_in_the_middle),
        cmocka_unit_test(objects_stream_out),
        cmocka_unit_test(objects_are_rendered),
        cmocka_unit_test(rendered_in_pieces),
        cmocka_unit_test(polygons_of_threads),
        cmocka_unit_test(fans_of_threads),
        cmocka_unit_test(vertices_without_end),
        cmocka_unit_test(strips_of_objects),
        cmocka_unit_test(texels_are_sampled),
        cmocka_unit_test(indices_cut),
        cmocka_unit_test(distances_clip),
        cmocka_unit_test(buffers_end),
        cmocka_unit_test(performance_counters),
        cmocka_unit_test(tests_are_counted),
        cmocka_unit_test(fixed_functions_count),
        cmocka_unit_test(draws_modify_the_frame_buffer),
        cmocka_unit_test(hostile_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
