/* Draws in tiles, on one or several threads of the host: what they leave is what draws in order leave, on
 * every generation that draws. The last triangle over a pixel is the one that is seen; counts are the same;
 * states are saved and loaded between slices, with threads and without. Draws that read what they write go
 * one by one. */
#include "../suite.h"
#include "../draws.h"

#include "../random.h"
#include "../saved.h"
#include "host/workers.h"
#include "tiles/parallel_tiles.h"
#include "tiles/ranges.h"

enum { SIZE = 128, SIZE_PITCH = SIZE * 16, TRIANGLES = 100, LONG_RUN_DW = 1 << 20, WAYS = 8 };

static struct softgt_parallel_port ports[4]; /* the first has no other thread */

/* Way 0 draws primitive by primitive; the others draw tiles, with each port twice. */
static struct softgt_parallel_port port_of(unsigned way)
{
    return ports[(way + 3) % 4];
}

static bool in_background(unsigned way)
{
    return way > 2;
}

static bool is_long_run(unsigned way)
{
    return way == 2 || way == 3;
}

/* A target of SIZE x SIZE at an address. */
static void put_target_at(struct streamer *s, uint64_t address)
{
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", R32G32B32A32_UINT},
                  {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface Horizontal Alignment", 1}, {"Tile Mode", .value_name = "LINEAR"},
                  {"Width", SIZE - 1}, {"Height", SIZE - 1}, {"Surface Pitch", SIZE_PITCH - 1},
                  {"Surface Base Address", address});
}

/* Log2 of the target's samples: its array elements. */
static unsigned samples_log2;

static void put_large_target(struct streamer *s)
{
    enum { R32_UINT = 215 };
    put_target_at(s, TARGET);
    if (samples_log2)
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                         {"Surface Format", R32_UINT}, {"Surface Pitch", SIZE * 4 - 1},
                         {"Surface QPitch", SIZE / 4}, {"Number of Multisamples", samples_log2});
    for (uint32_t i = 0; i < SIZE_PITCH * SIZE; i += 4)
        dword_put(s, TARGET + i, STALE);
}

/* Triangles anywhere, of any size; the first one covers everything. */
static void random_triangles(float at[3 * TRIANGLES][3], uint64_t seed)
{
    static const float first[3][3] = {{-8, -8, 0}, {2 * SIZE + 40, -8, 0}, {-8, 2 * SIZE + 40, 0}};
    memcpy(at, first, sizeof first);
    for (unsigned i = 3; i < 3 * TRIANGLES; i++) {
        const float near = i % 9 > 2 ? 1 : 0.1f;
        for (unsigned axis = 0; axis < 2; axis++) {
            const float random = (float)(random_next(&seed) % (SIZE * 64)) / 64;
            at[i][axis] = i % 3 ? at[i - i % 3][axis] + (random - SIZE / 2) * near : random;
        }
        at[i][2] = 0;
    }
}

/* Kernels that are not closed: one may raise exceptions, the other may jump into an instruction. */
static void put_exception(void)
{
    const struct how one_channel = {.channels = 1, .no_mask = true};
    KERNEL_1(&k, EU_MOV, one_channel, other(FILE_CONTROL, 0, 4, TYPE_UD), imm(0, TYPE_UD));
}

static void put_jump_inside(void)
{
    const unsigned jump =
        kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true, .predicate = 1});
    KERNEL_1(&k, EU_MOV, all, reg(60, TYPE_UD), imm(0, TYPE_UD));
    kernel_goes(&k, jump, jump + 1u, jump + 1u);
    k.i[jump].value[EU_JIP] += EU_COMPACT_BYTES;
}

/* Log2 of the size of coarse pixels, with one more; 0: the draw has none. */
static unsigned coarse_size;

static void put_coarse_pixels(struct streamer *s, uint32_t *dw, uint32_t *count)
{
    enum { CPS_AT = 12 * KB, ONE = 128 };
    const uint32_t size = (uint32_t)ONE << (coarse_size - 1u);
    insert_before_primitive(s, dw, count,
                            "3DSTATE_PS_EXTRA pixel_shader_valid, pixel_shader_is_per_coarse_pixel%s",
                            has_wide_registers() ? "" : ", attribute_enable");
    if (k.set == &eu_gen11) {
        insert_before_primitive(s, dw, count,
                                "3DSTATE_CPS coarse_pixel_shading_mode = 1, min_cp_size_x = %u,"
                                " min_cp_size_y = %u",
                                size, ONE * 2u);
        return;
    }
    STRUCTURE_PUT(s->device, "CPS_STATE", dwords_at(s, DYNAMIC + CPS_AT), {"Coarse Pixel Shading Mode", 1},
                  {"Min CP Size X", size}, {"Min CP Size Y", ONE * 2u});
    insert_before_primitive(s, dw, count,
                            "3DSTATE_CPS_POINTERS coarse_pixel_shading_state_array_pointer = %u", CPS_AT);
}

/* Blue is the depth where the planes of the screen begin, which follow the header. */
static bool has_planes;

static void put_planes(struct streamer *s, uint32_t *dw, uint32_t *count)
{
    const bool wide = has_wide_registers();
    insert_before_primitive(s, dw, count,
                            "3DSTATE_PS_EXTRA pixel_shader_valid,"
                            " pixel_shader_requires_source_depth_and_or_w_plane_coefficients%s",
                            wide ? "" : ", attribute_enable");
}

static struct op depth_plane(void)
{
    return has_wide_registers() ? one(3, 8, TYPE_UD) : one(2, 12, TYPE_UD);
}

static void (*put_first)(void); /* of the kernel; NULL: nothing */

/* `more`: instructions of the kernel without effect. */
static struct streamer *put_triangles(const char *name, unsigned way, float (*at)[3], uint32_t vertices,
                                      unsigned more)
{
    uint32_t dw[MOST_DW];
    streamer_parallel = port_of(way);
    streamer_background = in_background(way) ? workers_background_port() : (struct softgt_background_port){0};
    struct streamer *const s = begin(name);
    const struct scene c = {.topology = TRILIST,
                            .vertices = vertices,
                            .at = (const float(*)[3])at,
                            .format = R32G32B32A32_UINT,
                            .attributes = 1,
                            .places = true,
                            .statistics = true};
    if (put_first)
        put_first();
    for (unsigned i = 0; i < more; i++)
        KERNEL_1(&k, EU_MOV, all, reg(60, TYPE_UD), imm(i, TYPE_UD));
    put_places_and(s, has_planes ? depth_plane() : attribute(0));
    uint32_t count = put_scene(s, &c, dw);
    if (has_planes)
        put_planes(s, dw, &count);
    if (samples_log2)
        insert_before_primitive(s, dw, &count,
                                "3DSTATE_MULTISAMPLE number_of_multisamples = %u\n"
                                "3DSTATE_SAMPLE_MASK sample_mask = 15\n"
                                "3DSTATE_SAMPLE_PATTERN dw7 = 0x6e2ae6a2\n"
                                "3DSTATE_RASTER cull_mode = none, dx_multisample_rasterization_enable",
                                samples_log2);
    if (coarse_size)
        put_coarse_pixels(s, dw, &count);
    put_large_target(s);
    batch_put(s, dw, count, true);
    if (!way)
        dispatcher_of(&s->device->engines[s->engine])->draws->parallel = NULL;
    return s;
}

static struct streamer *put_draw(const char *name, unsigned way, float (*at)[3], unsigned more)
{
    return put_triangles(name, way, at, 3 * TRIANGLES, more);
}

static bool ran_in_tiles(const struct streamer *s)
{
    const struct draw_work *const w = dispatcher_of(&s->device->engines[s->engine])->draws;
    return w->tiles && w->draw.tiles_use == TILES_PARALLEL;
}

static void expect_same(struct streamer *a, struct streamer *b)
{
    const struct softgt_engine_status x = streamer_status(a), y = streamer_status(b);
    assert_int_equal(x.state, SOFTGT_ENGINE_IDLE);
    assert_int_equal(y.state, SOFTGT_ENGINE_IDLE);
    assert_int_equal(x.threads, y.threads);
    assert_int_equal(x.invocations, y.invocations);
    assert_int_equal(x.instructions, y.instructions);
    assert_int_equal(x.memory_writes, y.memory_writes);
    assert_int_equal(x.bytes_written, y.bytes_written);
    assert_int_equal(counter_at(a, "PS_INVOCATION_COUNT"), counter_at(b, "PS_INVOCATION_COUNT"));
    assert_int_equal(counter_at(a, "PS_DEPTH_COUNT"), counter_at(b, "PS_DEPTH_COUNT"));
    assert_int_equal(counter_at(a, "CL_PRIMITIVES_COUNT"), counter_at(b, "CL_PRIMITIVES_COUNT"));
    assert_memory_equal(a->memory + TARGET, b->memory + TARGET, SIZE_PITCH * SIZE);
}

/* The draw of the first way has ended: all other ways draw the same. */
static void expect_ways_same(struct streamer *one, const char *name, float (*at)[3], unsigned more)
{
    for (unsigned way = 1; way < WAYS; way++) {
        struct streamer *const s = put_draw(name, way, at, more);
        while (softgt_run(s->device, is_long_run(way) ? LONG_RUN_DW : 1))
            if (way > 4)
                reload(s->device);
        /* In short runs threads of coarse pixels may take too long for a tile. */
        assert_true(way > 4 || (coarse_size && !is_long_run(way)) || ran_in_tiles(s));
        expect_same(one, s);
        streamer_destroy(s);
    }
}

/* In short runs batches have as many tiles as the kernel's length allows; in long ones they have all. */
static void as_one_thread(void **state)
{
    (void)state;
    static float at[3 * TRIANGLES][3];
    for (EACH_DRAW_DEVICE(name))
        for (uint64_t seed = 1; seed < 3; seed++) {
            const unsigned more = seed == 1 ? 0 : 100;
            random_triangles(at, seed);
            struct streamer *const one = put_draw(*name, 0, at, more);
            while (softgt_run(one->device, 1))
                ;
            assert_int_not_equal(dword_at(one, TARGET + SIZE_PITCH * SIZE - 16), STALE);
            assert_false(ran_in_tiles(one));
            expect_ways_same(one, *name, at, more);
            streamer_destroy(one);
        }
}

/* Four samples of a pixel, each with an array element of its own. */
static void samples_as_one_thread(void **state)
{
    enum { FOUR = 2 };
    static const char *const of_samples[] = {"bdw", "skl", "icl", "tgl"};
    static float at[3 * TRIANGLES][3];
    (void)state;
    samples_log2 = FOUR;
    random_triangles(at, 11);
    for (unsigned n = 0; n < sizeof of_samples / sizeof of_samples[0]; n++) {
        struct streamer *const one = put_draw(of_samples[n], 0, at, 0);
        while (softgt_run(one->device, 1))
            ;
        for (unsigned sample = 0; sample < 1u << FOUR; sample++)
            assert_int_not_equal(dword_at(one, TARGET + (sample + 1) * SIZE * SIZE * 4 - 4), STALE);
        expect_ways_same(one, of_samples[n], at, 0);
        streamer_destroy(one);
    }
    samples_log2 = 0;
}

/* Coarse pixels of two rows and one, two or four columns; with four samples where targets may have them. */
static void coarse_pixels_as_one_thread(void **state)
{
    enum { FOUR = 2 };
    static const struct {
        const char *device;
        unsigned size, samples_log2;
    } ways[] = {{"icl", 1, 0}, {"tgl", 2, 0},    {"dg2", 3, 0},
                {"bmg", 2, 0}, {"icl", 3, FOUR}, {"tgl", 2, FOUR}};
    static float at[3 * TRIANGLES][3];
    (void)state;
    random_triangles(at, 13);
    for (unsigned n = 0; n < sizeof ways / sizeof ways[0]; n++) {
        coarse_size = ways[n].size;
        samples_log2 = ways[n].samples_log2;
        struct streamer *const one = put_draw(ways[n].device, 0, at, 0);
        while (softgt_run(one->device, 1))
            ;
        assert_int_not_equal(dword_at(one, TARGET), STALE);
        expect_ways_same(one, ways[n].device, at, 0);
        streamer_destroy(one);
    }
    coarse_size = samples_log2 = 0;
}

/* The planes of a primitive are the same ones in all of its tiles. */
static void planes_as_one_thread(void **state)
{
    static const char *const of_planes[] = {"icl", "dg2", "bmg"};
    static float at[3 * TRIANGLES][3];
    (void)state;
    random_triangles(at, 17);
    for (unsigned i = 0; i < 3 * TRIANGLES; i++)
        at[i][2] = (float)(i * 37 % 64) / 64;
    has_planes = true;
    for (unsigned n = 0; n < sizeof of_planes / sizeof of_planes[0]; n++) {
        struct streamer *const one = put_draw(of_planes[n], 0, at, 0);
        while (softgt_run(one->device, 1))
            ;
        assert_int_not_equal(dword_at(one, TARGET + 8), 0);
        expect_ways_same(one, of_planes[n], at, 0);
        streamer_destroy(one);
    }
    has_planes = false;
}

/* A draw of long threads goes in order in short runs. Where such a run ends while the subspans of a thread
 * are gathered, they are not lost to the tiles of a long run. */
static void subspans_of_a_thread_that_has_not_begun(void **state)
{
    enum { LEAST = 950, MORE = 200 };
    static float at[3][3] = {{3, 3, 0}, {200, 21, 0}, {20, 200, 0}};
    unsigned gathers = 0;
    (void)state;
    struct streamer *const one = put_triangles("bdw", 0, at, 3, LEAST);
    while (softgt_run(one->device, LONG_RUN_DW))
        ;
    for (unsigned more = LEAST; more < LEAST + MORE; more++) {
        struct streamer *const s = put_triangles("bdw", 1, at, 3, more);
        const struct draw *const w = &dispatcher_of(&s->device->engines[s->engine])->draws->draw;
        while (softgt_run(s->device, 1) && !(w->cursor.subspan_count && w->ran_thread))
            ;
        gathers += w->cursor.subspan_count != 0;
        while (softgt_run(s->device, LONG_RUN_DW))
            ;
        assert_int_equal(streamer_status(s).threads, streamer_status(one).threads);
        assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counter_at(one, "PS_DEPTH_COUNT"));
        assert_memory_equal(s->memory + TARGET, one->memory + TARGET, SIZE_PITCH * SIZE);
        streamer_destroy(s);
    }
    assert_int_not_equal(gathers, 0);
    streamer_destroy(one);
}

/* A target that is its own vertex buffer: the draw is not closed. */
static void reads_what_it_writes(void **state)
{
    (void)state;
    static float at[3 * TRIANGLES][3];
    for (EACH_DRAW_DEVICE(name)) {
        random_triangles(at, 5);
        struct streamer *const s = put_draw(*name, 1, at, 0);
        put_target_at(s, VERTICES - SIZE_PITCH * SIZE + KB);
        while (softgt_run(s->device, 1))
            ;
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_false(ran_in_tiles(s));
        streamer_destroy(s);
    }
}

/* Rows of such a target share memory. */
static void halve_pitch(struct streamer *s)
{
    STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                     {"Surface Pitch", SIZE_PITCH / 2 - 1});
}

static void draws_that_are_not_closed(void **state)
{
    static void (*const kernels[])(void) = {NULL, put_exception, put_jump_inside};
    static float at[3 * TRIANGLES][3];
    (void)state;
    random_triangles(at, 9);
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < sizeof kernels / sizeof kernels[0]; n++) {
            put_first = kernels[n];
            struct streamer *const s = put_draw(*name, 1, at, 0);
            put_first = NULL;
            if (!kernels[n])
                halve_pitch(s);
            while (softgt_run(s->device, LONG_RUN_DW))
                ;
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_false(ran_in_tiles(s));
            streamer_destroy(s);
        }
}

/* Pixels whose elements of the control surface are the same ones: the tiles are not apart. */
static void control_surfaces_of_small_pitches(void **state)
{
    enum { EIGHT = 3, ACROSS = 64, MCS = 1856 * KB, TILES = 2 };
    static const char *const of_samples[] = {"bdw", "skl", "icl", "tgl"};
    static float at[3 * TRIANGLES][3];
    (void)state;
    samples_log2 = EIGHT;
    random_triangles(at, 13);
    for (unsigned n = 0; n < sizeof of_samples / sizeof of_samples[0]; n++)
        for (uint32_t tiles = 1; tiles <= TILES; tiles++) {
            struct streamer *const s = put_draw(of_samples[n], 1, at, 0);
            STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                             {"Width", ACROSS - 1}, {"Height", ACROSS - 1}, {"Surface Pitch", ACROSS * 4 - 1},
                             {"Surface QPitch", ACROSS / 4}, {"Auxiliary Surface Mode", 1},
                             {"Auxiliary Surface Pitch", tiles - 1}, {"Auxiliary Surface Base Address", MCS});
            while (softgt_run(s->device, LONG_RUN_DW))
                ;
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(ran_in_tiles(s), tiles == TILES);
            streamer_destroy(s);
        }
    samples_log2 = 0;
}

/* A page that comes is seen, although nothing is invalidated. */
static void pages_that_come(void **state)
{
    enum { READ = 32 << 20 };
    const struct access_ranges r = {2, {{TARGET, PAGE_BYTES, true}, {READ, 3 * PAGE_BYTES, false}}};
    (void)state;
    struct streamer *const s = begin("skl");
    struct mmu *const mmu = &s->device->engines[s->engine].mmu;
    struct range_cache *const c = range_cache_create();
    assert_non_null(c);
    assert_true(driver_map(&s->driver, &s->ppgtt, READ, VERTICES, PAGE_BYTES, PAGE_BYTES));
    assert_true(driver_map(&s->driver, &s->ppgtt, READ + 2 * PAGE_BYTES, VERTICES, PAGE_BYTES, PAGE_BYTES));
    assert_true(ranges_are_closed(c, mmu, &r, UINT64_MAX));
    assert_false(ranges_are_closed(c, mmu, &r, 4 * PAGE_BYTES - 1));
    assert_true(driver_map(&s->driver, &s->ppgtt, READ + PAGE_BYTES, TARGET, PAGE_BYTES, PAGE_BYTES));
    assert_false(ranges_are_closed(c, mmu, &r, UINT64_MAX));
    range_cache_destroy(c);
    streamer_destroy(s);
}

enum { SCATTERED = 16 << 20, TARGET_PAGES = SIZE_PITCH * SIZE / PAGE_BYTES };

static unsigned place_of(unsigned page)
{
    return page * 27u % TARGET_PAGES;
}

/* Maps the target again, with its pages in another order; the last one may be another's. */
static void scatter_target(struct streamer *s, uint32_t last)
{
    for (unsigned n = 0; n < TARGET_PAGES; n++)
        assert_true(driver_map(&s->driver, &s->ppgtt, SCATTERED + n * PAGE_BYTES,
                               n == TARGET_PAGES - 1 ? last : TARGET + place_of(n) * PAGE_BYTES, PAGE_BYTES,
                               PAGE_BYTES));
    put_target_at(s, SCATTERED);
}

/* The pages of a target need not follow each other in memory. If one is also a page of the vertices, the draw
 * is not closed. */
static void scattered_pages(void **state)
{
    (void)state;
    static float at[3 * TRIANGLES][3];
    for (EACH_DRAW_DEVICE(name)) {
        random_triangles(at, 7);
        struct streamer *const one = put_draw(*name, 0, at, 0), *const s = put_draw(*name, 1, at, 0);
        if (s->gen6) {
            streamer_destroy(one);
            streamer_destroy(s);
            continue;
        }
        while (softgt_run(one->device, 1))
            ;
        scatter_target(s, TARGET + place_of(TARGET_PAGES - 1) * PAGE_BYTES);
        while (softgt_run(s->device, 1))
            ;
        assert_true(ran_in_tiles(s));
        for (unsigned n = 0; n < TARGET_PAGES; n++)
            assert_memory_equal(one->memory + TARGET + n * PAGE_BYTES,
                                s->memory + TARGET + place_of(n) * PAGE_BYTES, PAGE_BYTES);
        streamer_destroy(one);
        streamer_destroy(s);
        struct streamer *const other = put_draw(*name, 1, at, 0);
        scatter_target(other, VERTICES);
        while (softgt_run(other->device, 1))
            ;
        assert_false(ran_in_tiles(other));
        streamer_destroy(other);
    }
}

TEST_PROGRAM(tiles_test)
{
    static const unsigned threads[] = {0, 2, 3, 7};
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_one_thread),
                                       cmocka_unit_test(samples_as_one_thread),
                                       cmocka_unit_test(coarse_pixels_as_one_thread),
                                       cmocka_unit_test(planes_as_one_thread),
                                       cmocka_unit_test(reads_what_it_writes),
                                       cmocka_unit_test(draws_that_are_not_closed),
                                       cmocka_unit_test(control_surfaces_of_small_pitches),
                                       cmocka_unit_test(pages_that_come),
                                       cmocka_unit_test(scattered_pages),
                                       cmocka_unit_test(subspans_of_a_thread_that_has_not_begun)};
    for (unsigned i = 1; i < 4; i++)
        ports[i] = workers_port(workers_create(threads[i]));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (unsigned i = 1; i < 4; i++)
        workers_destroy(ports[i].user);
    streamer_parallel = (struct softgt_parallel_port){0};
    streamer_background = (struct softgt_background_port){0};
    return failed;
}
