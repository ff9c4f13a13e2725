/* Depth and stencil: what is tested, what is written where surfaces have it, what passes is counted; before
 * the shader, behind it and without one; clears. */
#include "../suite.h"
#include "../depths.h"

#include "../saved.h"

/* Each function, of each format: less than what is there, the same, more. What passes is written, drawn and
 * counted, and nothing else is. */
static void functions(void **state)
{
    (void)state;
    static const uint32_t formats[] = {D32, D24, D16};
    static const bool passing[8][3] = {{1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                       {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned f = 0; f < 3; f++) {
            struct streamer *const s = begin(*name);
            unsigned counted = 0;
            for (unsigned n = 0; n < 24; n++) {
                const bool expected = passing[n / 3][n % 3], writes = n % 2;
                float corners[3][3];
                struct scene c = at_depth(corners, 0.25f * (float)(n % 3 + 1));
                struct tests t = usual(formats[f]);
                t.function = n / 3;
                t.write = writes;
                fill_depth(s, t.format, value_of(t.format, 0.5));
                run(s, &c, &t);
                assert_int_equal(drawn(s), expected ? ALL : 0);
                counted += expected ? ALL : 0;
                assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), counted);
                assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), counted * counts_a_pixel());
                for (uint32_t y = 0; y < HEIGHT; y++)
                    for (uint32_t x = 0; x < WIDTH; x++)
                        assert_int_equal(depth_at(s, t.format, x, y),
                                         value_of(t.format, expected && writes && is_inside(x, y)
                                                                ? (double)corners[0][2]
                                                                : 0.5));
            }
            streamer_destroy(s);
        }
}

/* A triangle's depth goes straight over the screen; it is brought into the viewport's range; behind an
 * element it is that one's. */
static void slopes(void **state)
{
    (void)state;
    static const float at[3][3] = {{0, 0, 0}, {64, 0, 1}, {0, 64, 0}};
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct scene c = {.topology = TRILIST, .vertices = 3, .at = at};
        struct tests t = usual(D32);
        t.function = ALWAYS;
        t.least = 0.125f;
        t.most = 0.75f;
        t.element = 1;
        run(s, &c, &t);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x + y + 1 < WIDTH; x++) {
                const double depth = (x + 0.5) / WIDTH;
                const uint32_t bits = depth_at(s, D32, x, y + QPITCH);
                float value;
                memcpy(&value, &bits, sizeof value);
                assert_true(fabs((double)value - fmin(fmax(depth, 0.125), 0.75)) < 1e-6);
                assert_int_equal(depth_at(s, D32, x, y), 0);
            }
        streamer_destroy(s);
    }
}

/* Of a stencil: what it is where the test fails, where depth does, where both pass; under masks. */
static void stencils(void **state)
{
    (void)state;
    enum {
        KEEP,
        ZERO,
        REPLACE,
        INCRSAT,
        DECRSAT,
        INCR,
        DECR,
        INVERT,
        OPERATIONS,
        THERE = 0xff,
        REFERENCE = 0x35
    };
    static const uint8_t becomes[OPERATIONS] = {0xff, 0, REFERENCE, 0xff, 0xfe, 0, 0xfe, 0};
    enum { FAILS, DEPTH_FAILS, PASSES };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        for (unsigned n = 0; n < 3 * OPERATIONS; n++) {
            const unsigned operation = n % OPERATIONS, what = n / OPERATIONS;
            float corners[3][3];
            struct scene c = at_depth(corners, what == DEPTH_FAILS ? 0.75f : 0.25f);
            struct tests t = usual(D24);
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = 0xffu << 24 | 0x3fu << 16;
            t.references = REFERENCE << 8;
            t.operations[0] = (what == FAILS ? EQUAL : NOTEQUAL) | operation << (3 + 3 * what);
            fill_depth(s, D24, value_of(D24, 0.5));
            memset(s->memory + STENCIL, THERE, STENCIL_PITCH * 64);
            run(s, &c, &t);
            assert_int_equal(drawn(s), what == PASSES ? ALL : 0);
            const uint8_t expected = (uint8_t)((becomes[operation] & 0x3f) | (THERE & 0xc0));
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    assert_int_equal(s->memory[stencil_place(x, y)], is_inside(x, y) ? expected : THERE);
                    assert_int_equal(depth_at(s, D24, x, y),
                                     value_of(D24, what == PASSES && is_inside(x, y) ? 0.25 : 0.5));
                }
        }
        streamer_destroy(s);
    }
}

/* Each side has its own, where state says so; the test's mask is of both numbers. From Gen12 on parts of the
 * state come alone. */
static void two_sides(void **state)
{
    (void)state;
    static const float back[3][3] = {{0, 0, 0.25f}, {0, 32, 0.25f}, {32, 0, 0.25f}};
    static const float front[3][3] = {{0, 0, 0.25f}, {32, 0, 0.25f}, {0, 32, 0.25f}};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 8; n++) {
            struct streamer *const s = begin(*name);
            const bool is_back = n & 1, apart = n & 2;
            struct scene c = {.topology = TRILIST, .vertices = 3, .at = is_back ? back : front};
            struct tests t = usual(D24);
            t.test = t.write = t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.two_sides = apart;
            t.in_parts = n & 4 && is_late();
            t.masks = 0x0fu << 24 | 0xffu << 16 | 0xf0u << 8 | 0xff;
            t.references = 0x15 << 8 | 0x24;
            t.operations[0] = EQUAL | 2u << 9; /* replaced where it passes */
            t.operations[1] = EQUAL | 5u << 9; /* one more */
            memset(s->memory + STENCIL, 0x25, STENCIL_PITCH * 64);
            run(s, &c, &t);
            assert_true(drawn(s) > 400);
            assert_int_equal(s->memory[stencil_place(2, 2)], apart && is_back ? 0x26 : 0x15);
            streamer_destroy(s);
        }
}

/* A pixel that the shader kills is neither tested nor written, another one behind the shader; a depth that
 * the shader computes is the one that counts. */
static void late_tests(void **state)
{
    (void)state;
    enum {
        COMPUTES = 1 << 26,
        KILLS = 1 << 28,
        WRITE_WITH_DEPTH = 10 << 25 | RENDER_TARGET_WRITE | LAST_RENDER_TARGET
    };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const bool computes = n & 1, passes = n & 2;
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, computes == passes ? 0.75f : 0.25f);
            struct tests t = usual(D32);
            for (unsigned i = 0; i < 10; i += 2) /* the depth behind the color: the other one */
                KERNEL_1(&k, EU_MOV, all, reg(PAYLOAD + i, TYPE_F),
                         imm(float_bits(i < 8    ? 1
                                        : passes ? 0.25f
                                                 : 0.75f),
                             TYPE_F));
            send_parts(all, computes ? WRITE_WITH_DEPTH : SIMD16_WRITE, computes ? DEPTH_PART : 0, PAYLOAD);
            put_kernel(s);
            fill_depth(s, D32, value_of(D32, 0.5));
            put_tests(s, &t);
            c.kills = true;
            if (computes)
                corners[0][2] = corners[1][2] = corners[2][2] = passes ? 0.75f : 0.25f;
            else
                corners[0][2] = corners[1][2] = corners[2][2] = passes ? 0.25f : 0.75f;
            c.computes_depth = computes;
            run(s, &c, &t);
            assert_int_equal(drawn(s), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), ALL * counts_a_pixel());
            assert_int_equal(depth_at(s, D32, 4, 6), value_of(D32, passes ? 0.25 : 0.5));
            assert_int_equal(depth_at(s, D32, 38, 6), value_of(D32, 0.5));
            streamer_destroy(s);
        }
}

/* Tests are behind the shader where the state says so, or leaves it to a shader that kills: then it runs for
 * pixels that fail, too. Neither they nor their depths are written. (SKL PRM vol 2a, 3DSTATE_WM) */
static void when_tests_come(void **state)
{
    (void)state;
    enum { NORMAL, PSEXEC, PREPS, CONTROLS };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < CONTROLS * 2 * 2 * 2; n++) {
            const bool passes = n / CONTROLS & 1, kills = n / CONTROLS & 2, stencil = n / CONTROLS & 4;
            const uint32_t control = n % CONTROLS;
            const bool late = control == PSEXEC || (control == NORMAL && kills);
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, passes || stencil ? 0.25f : 0.75f);
            struct tests t = usual(D32);
            if (stencil) {
                t.no_stencil = false;
                t.stencil = true;
                t.operations[0] = passes ? ALWAYS : NEVER;
                t.masks = 0xffu << 24;
            }
            c.kills = kills;
            c.early_tests = control;
            fill_depth(s, D32, value_of(D32, 0.5));
            run(s, &c, &t);
            assert_int_equal(drawn(s), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), passes ? ALL : 0);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"),
                             (late || passes ? ALL : 0) * counts_a_pixel());
            assert_int_equal(depth_at(s, D32, 4, 6), value_of(D32, passes ? 0.25 : 0.5));
            streamer_destroy(s);
        }
}

/* The stencil that a shader computes is what the buffer's is compared with and what replaces it: a byte for
 * each pixel of a register's, eight or 16, behind the colors. (SKL PRM vol 2d, 3DSTATE_PS_EXTRA; Mesa, brw:
 * lower_fb_write_logical_send) */
static void computed_stencils(void **state)
{
    (void)state;
    enum {
        REPLACE = 2,
        FIRST = 0x30,
        THERE = FIRST + 1,
        COLORS = 4,
        SIMD8 = 4 << 8,
        STENCIL_WRITE = RENDER_TARGET_WRITE | LAST_RENDER_TARGET
    };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned compares = 0; compares < 2; compares++) {
            struct streamer *const s = begin(*name);
            if (k.set == &eu_gen8) { /* its shaders compute none */
                streamer_destroy(s);
                continue;
            }
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(D32);
            uint32_t dw[MOST_DW];
            const unsigned rows = kernel_rows(k.set);
            const struct how how = {.channels = (uint8_t)(8 * rows)};
            for (unsigned i = 0; i < COLORS; i++)
                KERNEL_1(&k, EU_MOV, how, reg(PAYLOAD + rows * i, TYPE_F), imm(float_bits(1), TYPE_F));
            KERNEL_1(&k, EU_MOV, whole, reg(PAYLOAD + rows * COLORS, TYPE_UD),
                     imm(0x03020100u + FIRST * 0x01010101u, TYPE_UD));
            send_parts(how, STENCIL_WRITE | (rows > 1 ? 0 : SIMD8) | PAYLOAD_REGISTERS(rows * (COLORS + 1)),
                       STENCIL_PART, PAYLOAD);
            put_kernel(s);
            memset(s->memory + STENCIL, THERE, STENCIL_PITCH * 64);
            t.test = t.write = t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = UINT32_MAX;
            t.references = 0x7777;
            t.operations[0] = t.operations[1] = compares ? EQUAL | REPLACE << 3 : ALWAYS | REPLACE << 9;
            put_tests(s, &t);
            c.more = t.dw;
            c.more_dw = t.count;
            c.format = R8G8B8A8_UNORM;
            const uint32_t count = put_scene(s, &c, dw);
            if (rows == 1)
                COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS"),
                            {"8 Pixel Dispatch Enable", 1}, {"16 Pixel Dispatch Enable", 0});
            COMMAND_PUT(s->device, command_named(s->device, dw, count, "3DSTATE_PS_EXTRA"),
                        {"Pixel Shader Computes Stencil", 1});
            memset(s->memory + TARGET, 0, PITCH * HEIGHT);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < 60; x++) {
                    const uint32_t computed = FIRST + y % 2 * 2 + x % 2;
                    const bool passes = is_inside(x, y) && (!compares || computed == THERE);
                    assert_int_equal(s->memory[stencil_place(x, y)], is_inside(x, y) ? computed : THERE);
                    assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 4) != 0, passes);
                }
            streamer_destroy(s);
        }
}

/* Fours of which tests leave nothing, before the shader or without one and behind it; of those that tests
 * leave a part of none is. (SYS-20) */
static void observed(void **state)
{
    (void)state;
    enum { FOURS = 18 * 9, COLUMNS = 5 * 9, REST = FOURS - COLUMNS };
    enum { EARLY, LATE, NO_SHADER, WAYS };
    enum { FAIL, PASS, IN_PART, STENCIL_FAILS, TESTS };
    static const uint32_t failing[TESTS] = {FOURS, 0, REST, FOURS};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < WAYS * TESTS; n++) {
            const unsigned way = n / TESTS, what = n % TESTS;
            const uint32_t fails = failing[what], early = way == LATE ? 0 : fails,
                           late = way == LATE ? fails : 0, written = way == NO_SHADER ? 0 : FOURS - fails,
                           pixels = what == IN_PART ? 8 * 16
                                    : fails         ? 0
                                                    : ALL;
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, what == PASS || what == STENCIL_FAILS ? 0.25f : 0.75f);
            struct tests t = usual(D32);
            c.kills = way == LATE;
            c.no_shader = way == NO_SHADER;
            fill_depth(s, D32, value_of(D32, 0.5));
            for (uint32_t i = 0; what == IN_PART && i < 11 * HEIGHT; i++)
                dword_put(s, depth_place(D32, i % 11, i / 11), value_of(D32, 1));
            if (what == STENCIL_FAILS) {
                t.no_stencil = false;
                t.stencil = true;
                t.operations[0] = NEVER;
                t.masks = 0xffu << 24;
            }
            counters_start(s);
            run(s, &c, &t);
            expect_seen(s, (const uint32_t[7]){FOURS, 0, early, 0, late, written, 0});
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), pixels);
            assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"),
                             way == NO_SHADER ? 0 : (way == LATE ? ALL : pixels) * counts_a_pixel());
            assert_int_equal(a_counter(s, 6) != 0, counter_at(s, "PS_INVOCATION_COUNT") != 0);
            streamer_destroy(s);
        }
}

/* Without a shader depths are written and pixels counted all the same. */
static void no_shader(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        float corners[3][3];
        struct scene c = at_depth(corners, 0.25f);
        struct tests t = usual(D16);
        c.no_shader = true;
        fill_depth(s, D16, UINT16_MAX);
        run(s, &c, &t);
        assert_int_equal(drawn(s), 0);
        assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), ALL);
        assert_int_equal(counter_at(s, "PS_INVOCATION_COUNT"), 0);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                assert_int_equal(depth_at(s, D16, x, y), is_inside(x, y) ? value_of(D16, 0.25) : UINT16_MAX);
        streamer_destroy(s);
    }
}

/* The depth of a clear: from Gen20 on the command that clears has it; before, a command of its own. (Mesa,
 * genxml: 3DSTATE_WM_HZ_OP) */
static const char *clear_depth(void)
{
    return has_wide_registers() ? "3DSTATE_WM_HZ_OP depth_clear_value = 0.75"
                                : "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.75, "
                                  "depth_clear_value_valid\n3DSTATE_WM_HZ_OP dw1 = 0";
}

/* A clear writes its rectangle of both at once; resolves change nothing. */
static void clears(void **state)
{
    (void)state;
    enum { VALUE = 90 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 6; n++) {
            const bool resolves = n >= 4, all_of_it = n & 1, only_depth = n & 2;
            struct streamer *const s = begin(*name);
            struct tests t = usual(D24);
            t.no_stencil = false;
            t.stencil_write = true;
            put_tests(s, &t);
            ADD(s, &t,
                "%s, depth_buffer_resolve_enable = %u,"
                " hierarchical_depth_buffer_resolve_enable = %u, depth_buffer_clear_enable = %u,"
                " stencil_buffer_clear_enable = %u, stencil_clear_value = %u,"
                " full_surface_depth_and_stencil_clear = %u, clear_rectangle_x_min = 3,"
                " clear_rectangle_y_min = 5, clear_rectangle_x_max = 37, clear_rectangle_y_max = 21,"
                " sample_mask = %u",
                clear_depth(), resolves, resolves, !resolves, !resolves && !only_depth, VALUE, all_of_it,
                UINT16_MAX);
            fill_depth(s, D24, 7);
            memset(s->memory + STENCIL, 9, STENCIL_PITCH * 64);
            batch_run(s, t.dw, t.count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool in = !resolves && (all_of_it || is_inside(x, y));
                    assert_int_equal(depth_at(s, D24, x, y), in ? value_of(D24, 0.75) : 7);
                    assert_int_equal(s->memory[stencil_place(x, y)], in && !only_depth ? VALUE : 9);
                }
            streamer_destroy(s);
        }
}

enum { HIZ = 1920 * KB, HIZ_PITCH = 128 };

/* A depth buffer with a HiZ is cleared to 0.75, whole or in part. */
static void put_cleared(struct streamer *s, struct tests *t, bool has_hiz, bool full)
{
    put_tests(s, t);
    COMMAND_PUT(s->device, command_named(s->device, t->dw, t->count, "3DSTATE_DEPTH_BUFFER"),
                {"Hierarchical Depth Buffer Enable", has_hiz});
    ADD(s, t,
        "3DSTATE_HIER_DEPTH_BUFFER surface_pitch = %u, surface_base_address = %u\n"
        "%s, depth_buffer_clear_enable, full_surface_depth_and_stencil_clear = %u,"
        " clear_rectangle_x_max = 37, clear_rectangle_y_max = 21",
        HIZ_PITCH - 1, HIZ, clear_depth(), full);
}

/* Another clear value, without a clear. */
static const char *other_clear_depth(bool is_valid)
{
    return has_wide_registers() ? "3DSTATE_WM_HZ_OP depth_clear_value = 0.25"
           : is_valid           ? "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.25, depth_clear_value_valid"
                                : "3DSTATE_CLEAR_PARAMS depth_clear_value = 0.25";
}

/* A clear value that changes is that of what a HiZ has as cleared, without another clear: until a draw writes
 * depths, or a resolve. Without a HiZ, or of a part of the level, the clear is over when it is done. (SKL PRM
 * vol 7, Hierarchical Depth Buffer; Mesa, iris: fast_clear_depth) From Gen20 on only a clear has a value:
 * without one it changes nothing. */
static void clear_values(void **state)
{
    (void)state;
    enum {
        CHANGES,
        CHANGES_IN_PIECES,
        TESTS,
        NO_HIZ,
        NOT_VALID,
        PART,
        RESOLVES_DEPTH,
        RESOLVES_HIZ,
        WRITES,
        CASES
    };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < CASES; n++) {
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.5f);
            struct tests t = usual(D24);
            uint32_t dw[MOST_DW];
            t.write = n == WRITES;
            put_color(s, white);
            put_cleared(s, &t, n != NO_HIZ, n != PART);
            if (n == RESOLVES_DEPTH || n == RESOLVES_HIZ)
                ADD(s, &t,
                    "3DSTATE_WM_HZ_OP depth_buffer_resolve_enable = %u,"
                    " hierarchical_depth_buffer_resolve_enable = %u",
                    n == RESOLVES_DEPTH, n == RESOLVES_HIZ);
            c.more = t.dw;
            c.more_dw = t.count;
            c.format = R8G8B8A8_UNORM;
            uint32_t count = 0;
            if (n == TESTS || n == WRITES)
                count = put_scene(s, &c, dw);
            else
                memcpy(dw, t.dw, (count = t.count) * sizeof *dw);
            count += assemble(s->device, 0, dw + count, "%s", other_clear_depth(n != NOT_VALID));
            fill_depth(s, D24, 7);
            batch_put(s, dw, count, true);
            while (softgt_run(s->device, n == CHANGES_IN_PIECES ? 1 : 1 << 20))
                if (n == CHANGES_IN_PIECES)
                    reload(s->device);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const bool cleared = n != PART || (x < 37 && y < 21);
                    const double depth = n == WRITES && is_inside(x, y)        ? 0.5
                                         : n <= TESTS && !has_wide_registers() ? 0.25
                                                                               : 0.75;
                    assert_int_equal(depth_at(s, D24, x, y), cleared ? value_of(D24, depth) : 7);
                }
            streamer_destroy(s);
        }
}

/* A draw with the state of the last one writes depths after another clear: that clear is over, too. */
static void clear_values_after_kept_draws(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        float corners[3][3];
        struct scene c = at_depth(corners, 0.5f);
        struct tests t = usual(D24);
        uint32_t dw[MOST_DW];
        t.write = true;
        t.function = ALWAYS;
        put_color(s, white);
        put_cleared(s, &t, true, true);
        c.more = t.dw;
        c.more_dw = t.count;
        c.format = R8G8B8A8_UNORM;
        uint32_t count = put_scene(s, &c, dw);
        const uint32_t *const draw = primitive_of(s, dw, count), length_dw = (uint32_t)(dw + count - draw);
        count += assemble(s->device, 0, dw + count,
                          "%s, depth_buffer_clear_enable, full_surface_depth_and_stencil_clear,"
                          " clear_rectangle_x_max = 37, clear_rectangle_y_max = 21",
                          clear_depth());
        memcpy(dw + count, draw, length_dw * sizeof *dw);
        count += length_dw;
        count += assemble(s->device, 0, dw + count, "%s", other_clear_depth(true));
        fill_depth(s, D24, 7);
        batch_run(s, dw, count, true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                assert_int_equal(depth_at(s, D24, x, y), value_of(D24, is_inside(x, y) ? 0.5 : 0.75));
        streamer_destroy(s);
    }
}

/* Entry 1 of the binding table: the depth buffer as a texture, with a clear value of 1. */
static void put_depth_texture(struct streamer *s, uint32_t hiz)
{
    enum { CLEAR_VALUE = 1856 * KB, CLEAR_DW = 12 };
    uint32_t *const surface = dwords_at(s, SURFACES + STATES_AT + SURFACE_STATE_BYTES);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", surface, {"Surface Type", .value_name = "SURFTYPE_2D"},
                  {"Surface Format", .value_name = "R24_UNORM_X8_TYPELESS"},
                  {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface Horizontal Alignment", 1}, {"Tile Mode", .value_name = "YMAJOR"},
                  {"Surface QPitch", QPITCH / 4}, {"Width", WIDTH - 1}, {"Height", HEIGHT - 1},
                  {"Surface Pitch", DEPTH_PITCH - 1}, {"Surface Base Address", DEPTH},
                  {"Auxiliary Surface Mode", 3}, {"Auxiliary Surface Base Address", hiz});
    if (k.set == &eu_gen8) {
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", surface, {"Red Clear Color", 1});
    } else if (k.set == &eu_gen9) {
        surface[CLEAR_DW] = float_bits(1);
    } else {
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", surface, {"Clear Value Address Enable", 1});
        surface[CLEAR_DW] = CLEAR_VALUE;
        dword_put(s, CLEAR_VALUE, float_bits(1));
    }
    dword_put(s, SURFACES + TABLE_AT + 4, STATES_AT + SURFACE_STATE_BYTES);
}

/* A texture's clear value is that of the cleared levels of a depth buffer, not of what is drawn. (The same;
 * up to Gen11, where the texture names the HiZ) */
static void clear_values_of_textures(void **state)
{
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 4; n++) {
            const bool writes = n & 1u, in_pieces = n & 2u;
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.5f);
            struct tests t = usual(D24);
            uint32_t dw[MOST_DW];
            t.write = writes;
            put_color(s, white);
            put_cleared(s, &t, true, true);
            c.more = t.dw;
            c.more_dw = t.count;
            c.format = R8G8B8A8_UNORM;
            c.bindings = 2;
            const uint32_t count = put_scene(s, &c, dw);
            if (!is_late())
                put_depth_texture(s, HIZ);
            fill_depth(s, D24, 7);
            batch_put(s, dw, count, true);
            while (softgt_run(s->device, in_pieces ? 1 : 1 << 20))
                if (in_pieces)
                    reload(s->device);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    const double cleared = is_late() ? 0.75 : 1,
                                 depth = writes && is_inside(x, y) ? 0.5 : cleared;
                    assert_int_equal(depth_at(s, D24, x, y), value_of(D24, depth));
                }
            streamer_destroy(s);
        }
}

/* A slice updates some rows of a cleared texture; what another entry says of the same texture is done once.
 */
static void slices_of_texture_updates(void **state)
{
    enum { CLEARED = 0x5a694800, ROWS = 512, WIDEST = 16384, LEAST = 8, THERE = 3 * PAGE_2M, OTHER = 3 * 64 };
    const uint64_t texture = 1u << 30;
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        unsigned runs[2] = {0};
        for (unsigned cleared = 0; cleared < 2; cleared++) {
            struct streamer *const s = begin(*name);
            if (is_late()) {
                streamer_destroy(s);
                continue;
            }
            float corners[3][3];
            struct scene c = at_depth(corners, 0.5f);
            uint32_t dw[MOST_DW], *const of = dwords_at(s, SURFACES + STATES_AT + SURFACE_STATE_BYTES);
            put_color(s, white);
            c.format = R8G8B8A8_UNORM;
            c.bindings = 3;
            const uint32_t count = put_scene(s, &c, dw);
            put_depth_texture(s, HIZ);
            STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", of, {"Width", WIDEST - 1},
                             {"Height", ROWS - 1}, {"Surface Pitch", WIDEST * 4 - 1},
                             {"Surface Base Address", texture});
            memcpy(dwords_at(s, SURFACES + STATES_AT + OTHER), of, SURFACE_STATE_BYTES);
            if (k.set == &eu_gen8)
                STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE",
                                 dwords_at(s, SURFACES + STATES_AT + OTHER), {"Red Clear Color", 0});
            else
                dwords_at(s, SURFACES + STATES_AT + OTHER)[12] = 0;
            dword_put(s, SURFACES + TABLE_AT + 8, STATES_AT + OTHER);
            for (uint64_t at = 0; at < (uint64_t)WIDEST * ROWS * 4; at += PAGE_2M)
                assert_true(driver_map(&s->driver, &s->ppgtt, texture + at, THERE, PAGE_2M, PAGE_2M));
            dword_put(s, HIZ, cleared ? CLEARED : 0);
            dword_put(s, HIZ + 4, float_bits(0.75f));
            batch_put(s, dw, count, true);
            while (softgt_run(s->device, 1))
                runs[cleared]++;
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t n = 0; n < PAGE_2M; n += 4)
                assert_int_equal(dword_at(s, THERE + n), 0); /* the last entry's clear value */
            assert_int_equal(dword_at(s, HIZ + 4), cleared ? 0 : float_bits(0.75f));
            streamer_destroy(s);
        }
        assert_in_range(runs[1] - runs[0], is_late() ? 0 : 2 * LEAST, 8 * LEAST);
    }
}

/* In pieces of every size, saved and loaded between them: each pixel is tested and counted once, an instance
 * in front of another, clears too. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    enum { INSTANCES = 3, INCRSAT = 3, THERE = 5 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned shades = 0; shades < 2; shades++) {
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(D24);
            uint32_t dw[MOST_DW];
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = 0xffu << 24 | 0xffu << 16;
            t.operations[0] = ALWAYS | INCRSAT << 6 | INCRSAT << 9; /* one more, whatever depth says */
            c.instances = INSTANCES;
            c.no_shader = !shades;
            c.statistics = true;
            c.format = R8G8B8A8_UNORM;
            put_color(s, white);
            put_tests(s, &t);
            ADD(s, &t,
                "%s, depth_buffer_clear_enable, stencil_buffer_clear_enable,"
                " stencil_clear_value = %u, full_surface_depth_and_stencil_clear\n"
                "3DSTATE_CLIP perspective_divide_disable, force_zero_rta_index_enable",
                clear_depth(), THERE);
            c.more = t.dw;
            c.more_dw = t.count;
            const uint32_t count = put_scene(s, &c, dw);
            batch_put(s, dw, count, true);
            for (unsigned i = 0; softgt_run(s->device, 1 + i % 300); i++) {
                reload(s->device);
                assert_true(i < 20000);
            }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"),
                             ALL); /* the first instance: the others are not less */
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    assert_int_equal(depth_at(s, D24, x, y), value_of(D24, is_inside(x, y) ? 0.25 : 0.75));
                    assert_int_equal(s->memory[stencil_place(x, y)],
                                     THERE + (is_inside(x, y) ? INSTANCES : 0));
                }
            streamer_destroy(s);
        }
}

/* A slice ends where its budget does, whatever of a rectangle it has come to: of no slice are more pixels
 * than its instructions pay for. */
static void slices(void **state)
{
    (void)state;
    enum { INSTANCES = 40, MOST = 2048 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned width = 1; width < WIDTH; width += 7) {
            struct streamer *const s = begin(*name);
            const float at[3][3] = {{(float)width, HEIGHT, 0.25f}, {0, HEIGHT, 0.25f}, {0, 0, 0.25f}};
            struct scene c = {.topology = RECTLIST, .vertices = 3, .instances = INSTANCES, .at = at};
            struct tests t = usual(D32);
            uint32_t dw[MOST_DW];
            t.function = ALWAYS;
            c.no_shader = c.statistics = true;
            c.format = R8G8B8A8_UNORM;
            put_tests(s, &t);
            c.more = t.dw;
            c.more_dw = t.count;
            const uint32_t count = put_scene(s, &c, dw);
            batch_put(s, dw, count, true);
            uint32_t was = 0;
            while (softgt_run(s->device, 1)) {
                const uint32_t now = counter_at(s, "PS_DEPTH_COUNT");
                assert_in_range(now - was, 0, MOST);
                was = now;
            }
            assert_int_equal(counter_at(s, "PS_DEPTH_COUNT"), width * HEIGHT * INSTANCES);
            streamer_destroy(s);
        }
}

/* So do clears of the widest buffers: a few rows of both are a slice. */
static void slices_of_clears(void **state)
{
    (void)state;
    enum { WIDEST = 16383, ROWS = 16 };
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct tests t = usual(D32);
        unsigned runs = 0;
        t.no_stencil = false;
        t.stencil_write = true;
        put_buffers(s, &t);
        COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                    {"Width", WIDEST}, {"Height", ROWS - 1});
        if (is_late())
            COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_STENCIL_BUFFER"),
                        {"Width", WIDEST}, {"Height", ROWS - 1});
        ADD(s, &t,
            "3DSTATE_WM_HZ_OP depth_buffer_clear_enable, stencil_buffer_clear_enable,"
            " stencil_clear_value = 7, full_surface_depth_and_stencil_clear");
        batch_put(s, t.dw, t.count, true);
        while (softgt_run(s->device, 1))
            runs++;
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_in_range(runs, ROWS / 4, 1000);
        assert_int_equal(s->memory[stencil_place(WIDTH - 1, ROWS - 1)], 7);
        streamer_destroy(s);
    }
}

/* Buffers that begin within the last mapped page: clears fault behind it, and write nothing there. */
static void clears_end_at_mappings(void **state)
{
    enum { END = 2 * PAGE_2M, BYTES = 16, LOOKED_AT = 1 << 16 };
    (void)state;
    for (EACH_DRAW_DEVICE(name))
        for (unsigned of_stencil = 0; of_stencil < 2; of_stencil++) {
            struct streamer *const s = begin(*name);
            struct tests t = usual(D32);
            t.no_stencil = false;
            t.stencil_write = true;
            put_tests(s, &t);
            COMMAND_PUT(s->device,
                        command_named(s->device, t.dw, t.count,
                                      of_stencil ? "3DSTATE_STENCIL_BUFFER" : "3DSTATE_DEPTH_BUFFER"),
                        {"Surface Base Address", END - BYTES});
            ADD(s, &t,
                "%s, stencil_buffer_clear_enable = %u, depth_buffer_clear_enable = %u,"
                " stencil_clear_value = 7, full_surface_depth_and_stencil_clear",
                clear_depth(), of_stencil, !of_stencil);
            const bool has_end = !s->gen6;
            if (has_end)
                batch_run(s, t.dw, t.count, true);
            for (uint32_t i = 0; has_end && i < LOOKED_AT; i++)
                assert_int_equal(s->memory[USER_DATA + PAGE_2M + i], 0);
            streamer_destroy(s);
        }
}

/* Levels: the first is below level 0, the second to its right; their places are aligned by what the buffer
 * holds. (SKL PRM vol 5, 2D Surfaces; Mesa, isl) */
static void levels(void **state)
{
    (void)state;
    enum { WIDTH_0 = 38, HEIGHT_0 = 18, LEVELS = 3 };
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 3 * LEVELS; n++) {
            struct streamer *const s = begin(*name);
            const uint32_t format = n % 3 == 0 ? D32 : n % 3 == 1 ? D24 : D16, level = n / 3;
            const uint32_t across = is_late() || format == D16 ? 8 : 4,
                           down = is_late() && format == D16 ? 8 : 4, stencil_across = is_late() ? 16 : 8,
                           stencil_down = 8;
            const uint32_t of_1[2] = {WIDTH_0 / 2, HEIGHT_0};
#define ALIGNED(to, size) (((size) + (to)-1) / (to) * (to))
            const uint32_t x = level == 2 ? ALIGNED(across, of_1[0]) : 0,
                           y = level ? ALIGNED(down, of_1[1]) : 0,
                           stencil_x = level == 2 ? ALIGNED(stencil_across, of_1[0]) : 0,
                           stencil_y = level ? ALIGNED(stencil_down, of_1[1]) : 0;
#undef ALIGNED
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(format);
            const uint32_t there = value_of(format, 0.5), drawn_depth = value_of(format, 0.25);
            uint32_t dw[MOST_DW];
            fill_depth(s, format, there);
            memset(s->memory + STENCIL, 9, STENCIL_PITCH * 64);
            t.no_stencil = false;
            t.stencil = t.stencil_write = true;
            t.masks = UINT32_MAX;
            t.references = 0x21 << 8;
            t.operations[0] = ALWAYS | 2u << 9; /* replaced where it passes */
            put_color(s, white);
            put_tests(s, &t);
            COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_DEPTH_BUFFER"),
                        {"Width", WIDTH_0 - 1}, {"Height", HEIGHT_0 - 1}, {"LOD", level});
            if (is_late())
                COMMAND_PUT(s->device, command_named(s->device, t.dw, t.count, "3DSTATE_STENCIL_BUFFER"),
                            {"Width", WIDTH_0 - 1}, {"Height", HEIGHT_0 - 1}, {"Surf LOD", level});
            c.more = t.dw;
            c.more_dw = t.count;
            c.format = R8G8B8A8_UNORM;
            const uint32_t count = put_scene(s, &c, dw);
            dword_put(s, DYNAMIC + CONSTANT_COLORS, t.references << 16);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t v = 0; v < 56; v++)
                for (uint32_t u = 0; u < 60; u++) {
                    const uint32_t width = WIDTH_0 >> level, height = HEIGHT_0 >> level;
                    const bool in_depth = u >= x && v >= y && u - x < width && v - y < height &&
                                          is_inside(u - x, v - y),
                               in_stencil = u >= stencil_x && v >= stencil_y && u - stencil_x < width &&
                                            v - stencil_y < height && is_inside(u - stencil_x, v - stencil_y);
                    assert_int_equal(depth_at(s, format, u, v), in_depth ? drawn_depth : there);
                    assert_int_equal(s->memory[stencil_place(u, v)], in_stencil ? 0x21 : 9);
                }
            streamer_destroy(s);
        }
}

/* From Gen12 on pixels are left out whose depth in the buffer is outside of a range, both ends inside;
 * whatever the other tests are, and before the stencil test. (TGL PRM vol 2a, 3DSTATE_DEPTH_BOUNDS) */
static void bounds(void **state)
{
    (void)state;
    static const uint32_t formats[] = {D32, D24, D16};
    for (EACH_DRAW_DEVICE(name))
        for (unsigned n = 0; n < 3 * 4; n++) {
            const uint32_t format = formats[n / 4];
            const bool tests_depth = n & 1, late = n & 2;
            struct streamer *const s = begin(*name);
            float corners[3][3];
            struct scene c = at_depth(corners, 0.25f);
            struct tests t = usual(format);
            if (is_late()) {
                t.test = t.write = tests_depth;
                t.bounds_test = true;
                t.bounds[0] = 0.25f;
                t.bounds[1] = 0.5f;
                t.no_stencil = false;
                t.stencil = t.stencil_write = true;
                t.masks = 0xffffffff;
                t.references = 0x55 << 8;
                t.operations[0] = NEVER | 2u << 3; /* fails, and is replaced */
                t.function = ALWAYS;
                c.kills = late;
                memset(s->memory + STENCIL, 9, STENCIL_PITCH * 64);
                for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
                    const uint32_t value = value_of(format, i % 8 / 8.0);
                    memcpy(s->memory + depth_place(format, i % WIDTH, i / WIDTH), &value,
                           depth_bytes_of(format));
                }
                run(s, &c, &t);
                assert_int_equal(drawn(s), 0);
                t.stencil = t.stencil_write = false;
                for (unsigned second = 0; second < 2; second++) {
                    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
                        const uint32_t x = i % WIDTH, y = i / WIDTH;
                        const bool passes = is_inside(x, y) && i % 8 >= 2 && i % 8 <= 4;
                        if (!second)
                            assert_int_equal(s->memory[stencil_place(x, y)], passes ? 0x55 : 9);
                        else
                            assert_int_equal(dword_at(s, TARGET + y * PITCH + x * 4) != 0, passes);
                        assert_int_equal(
                            depth_at(s, format, x, y),
                            value_of(format, passes && second && tests_depth ? 0.25 : i % 8 / 8.0));
                    }
                    if (!second)
                        run(s, &c, &t);
                }
            }
            streamer_destroy(s);
        }
}

TEST_PROGRAM(depth_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions),
        cmocka_unit_test(slopes),
        cmocka_unit_test(bounds),
        cmocka_unit_test(stencils),
        cmocka_unit_test(two_sides),
        cmocka_unit_test(late_tests),
        cmocka_unit_test(when_tests_come),
        cmocka_unit_test(computed_stencils),
        cmocka_unit_test(observed),
        cmocka_unit_test(no_shader),
        cmocka_unit_test(clears),
        cmocka_unit_test(clear_values),
        cmocka_unit_test(clear_values_after_kept_draws),
        cmocka_unit_test(clear_values_of_textures),
        cmocka_unit_test(slices_of_texture_updates),
        cmocka_unit_test(clears_end_at_mappings),
        cmocka_unit_test(levels),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(slices),
        cmocka_unit_test(slices_of_clears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
