/* CSP-07: blits of every kind against a reference, on Gen6, Gen9 and Gen11. */
#include "../suite.h"
#include "../blits.h"

static void one_blit(struct rig *r, const struct kind *k, unsigned round)
{
    static uint8_t scratch[0x1000];
    struct blit b = random_blit(&r->seed, k, true, scratch);
    put_both(r, PATTERN_AT, b.pattern, 64 * 4);
    put_both(r, MONO_AT, b.mono, 0x1000 - 0x100);
    struct words w = {.wide = !r->s->gen6};
    tile_register(r, &b);
    if (b.clipped)
        clip_command(&w, &b);
    command(&w, &b);
    batch_run(r->s, w.dw, w.count, true);
    move(&b, -DATA);
    draw(&b, r->expected, r->swizzled);
    compare(r->s, r->expected, &b, k->name, round);
}

static void every_kind(const char *device, bool swizzled)
{
    struct rig r = open_rig(device, 7);
    if (swizzled) {
        register_put(r.s, 0x101000, 1);        /* TILECTL: SWZCTL */
        register_put(r.s, 0x4030, 0x00100010); /* ARB_MODE: address swizzling for tiled surfaces */
        r.swizzled = true;
    }
    for (unsigned round = 0; round < 120; round++)
        for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            one_blit(&r, &kinds[i], round);
    close_rig(&r);
}

static void every_kind_gen6(void **state)
{
    (void)state;
    every_kind("snb", false);
}

static void every_kind_gen6_swizzled(void **state)
{
    (void)state;
    every_kind("snb", true);
}

static void every_kind_gen9(void **state)
{
    (void)state;
    every_kind("skl", false);
}

static void every_kind_gen11(void **state)
{
    (void)state;
    every_kind("icl", false);
}

/* All 256 raster operations, on random operands of each depth. */
static void every_raster_operation(void **state)
{
    (void)state;
    struct rig r = open_rig("skl", 77);
    static uint8_t scratch[0x1000];
    for (unsigned rop = 0; rop < 256; rop++)
        for (unsigned depth = 0; depth < 4; depth++) {
            struct blit b;
            do
                b = random_blit(&r.seed, &kinds[5], true, scratch);
            while (b.depth != depth);
            b.rop = rop;
            put_both(&r, PATTERN_AT, b.pattern, 64 * 4);
            struct words w = {.wide = true};
            tile_register(&r, &b);
            if (b.clipped)
                clip_command(&w, &b);
            command(&w, &b);
            batch_run(r.s, w.dw, w.count, true);
            move(&b, -DATA);
            draw(&b, r.expected, false);
            compare(r.s, r.expected, &b, "raster operation", rop);
        }
    close_rig(&r);
}

/* XY_SETUP_BLT and the blits that use it. */
static void what_a_setup_leaves(void **state)
{
    (void)state;
    static const struct kind text = {"XY_TEXT_BLT", 0x26, MONO, NONE, false, false};
    static const struct kind pixel_kind = {"XY_PIXEL_BLT", 0x24, NONE, SOLID, false, false};
    static const struct kind lines_color = {"XY_SCANLINES_BLT", 0x25, NONE, COLOR, false, false};
    static const struct kind lines_mono = {"XY_SCANLINES_BLT", 0x25, NONE, MONO, false, false};
    static const struct kind *const users[] = {&text, &pixel_kind, &lines_color, &lines_mono};
    static uint8_t scratch[0x1000];
    const char *const devices[] = {"snb", "skl", "icl"};
    for (unsigned d = 0; d < 3; d++) {
        struct rig r = open_rig(devices[d], 70 + d);
        for (unsigned round = 0; round < 800; round++) {
            const struct kind *k = users[round % 4];
            struct blit b = random_blit(&r.seed, k, true, scratch);
            const bool immediate = k == &text && pick(&r.seed, 2), packed = pick(&r.seed, 2);
            b.bit = 0;
            put_both(&r, PATTERN_AT, b.pattern, 64 * 4);
            put_both(&r, MONO_AT, b.mono, 0x1000 - 0x100);
            struct words w = {.wide = !r.s->gen6};
            tile_register(&r, &b);
            const unsigned setup = w.count;
            word(&w,
                 header(k == &lines_mono ? 0x11 : 0x01, b.byte_mask << 20 | (b.to.tiling ? 1u << 11 : 0)));
            word(&w, br13(&b));
            pair(&w, b.clip[0], b.clip[1]);
            pair(&w, b.clip[2], b.clip[3]);
            address(&w, (uint64_t)b.to.base);
            const uint32_t *colors = k->source == MONO ? b.colors : b.pattern_colors;
            word(&w, colors[0]);
            word(&w, colors[1]);
            if (k == &lines_mono)
                data(&w, b.bits, 8);
            else
                address(&w, PATTERN_AT);
            w.dw[setup] |= w.count - setup - 2;
            const unsigned start = w.count;
            uint32_t bits = b.to.tiling ? 1u << 11 : 0;
            if (k->pattern > SOLID)
                bits |= pattern_fields(&b);
            else
                b.seed_x = b.seed_y = 0;
            if (k == &text) {
                if (immediate && b.x2 - b.x1 > 40)
                    b.x2 = b.x1 + 40;
                if (immediate && b.y2 - b.y1 > 40)
                    b.y2 = b.y1 + 40;
                bits |= (uint32_t)packed << 16;
                const unsigned width = (unsigned)(b.x2 - b.x1);
                b.mono_row_bits = packed ? (width + 7) / 8 * 8 : width;
                if (immediate)
                    b.mono_bytes = (b.mono_row_bits * (unsigned)(b.y2 - b.y1) + 63) / 64 * 8;
                /* The operation must not ask for a pattern. */
                b.rop = (b.rop & 0x0f) * 0x11;
                w.dw[setup + 1] = br13(&b);
            }
            if (k == &pixel_kind) {
                b.x2 = b.x1 + 1;
                b.y2 = b.y1 + 1;
            }
            word(&w, header(k == &text && immediate ? 0x31 : k->opcode, bits));
            pair(&w, b.x1, b.y1);
            if (k != &pixel_kind)
                pair(&w, b.x2, b.y2);
            if (immediate)
                data(&w, b.mono, b.mono_bytes);
            else if (k == &text)
                address(&w, MONO_AT);
            w.dw[start] |= w.count - start - 2;
            batch_run(r.s, w.dw, w.count, true);
            move(&b, -DATA);
            draw(&b, r.expected, false);
            compare(r.s, r.expected, &b, k->name, round);
        }
        close_rig(&r);
    }
}

/* COLOR_BLT and SRC_COPY_BLT: sizes in bytes, both directions, overlapping. */
static void linear_blits(void **state)
{
    (void)state;
    static const struct kind color = {"COLOR_BLT", 0x40, NONE, SOLID, false, false};
    static const struct kind copy = {"SRC_COPY_BLT", 0x43, COLOR, NONE, false, false};
    static uint8_t scratch[0x1000];
    const char *const devices[] = {"snb", "skl", "icl"};
    for (unsigned d = 0; d < 3; d++) {
        struct rig r = open_rig(devices[d], 700 + d);
        for (unsigned round = 0; round < 600; round++) {
            const struct kind *k = round % 2 ? &copy : &color;
            struct blit b = random_blit(&r.seed, k, false, scratch);
            b.clipped = false;
            b.backwards_x = k == &copy && pick(&r.seed, 2);
            b.backwards_y = false;
            b.to = random_surface(&r.seed, SURFACES, LINEAR, b.bytes);
            b.from = random_surface(&r.seed, pick(&r.seed, 2) ? FROM_AT : SURFACES, LINEAR, b.bytes);
            if (pick(&r.seed, 2)) { /* a pixel or two apart */
                b.from = b.to;
                b.from.base += between(&r.seed, -3, 3) * (int)b.bytes;
            }
            b.x2 -= b.x1;
            b.y2 -= b.y1;
            b.x1 = b.y1 = b.from_x = b.from_y = 0;
            struct words w = {.wide = !r.s->gen6};
            const int last = b.backwards_x ? b.x2 * (int)b.bytes - 1 : 0;
            word(&w, header(k->opcode, b.byte_mask << 20));
            word(&w, br13(&b) | (uint32_t)b.backwards_x << 30);
            pair(&w, b.x2 * (int)b.bytes, b.y2);
            address(&w, (uint64_t)(b.to.base + last));
            if (k == &copy) {
                word(&w, (uint32_t)b.from.pitch & 0xffffu);
                address(&w, (uint64_t)(b.from.base + last));
            } else {
                word(&w, b.pattern_colors[0]);
            }
            w.dw[0] |= w.count - 2;
            batch_run(r.s, w.dw, w.count, true);
            move(&b, -DATA);
            draw(&b, r.expected, false);
            compare(r.s, r.expected, &b, k->name, round);
        }
        close_rig(&r);
    }
}

/* Blits that reach past everything: what hardware does is a page fault, told, in bounded time. */
static void hostile_blits(void **state)
{
    (void)state;
    const char *const devices[] = {"snb", "skl", "icl"};
    static uint8_t scratch[0x1000];
    for (unsigned d = 0; d < 3; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const unsigned engine = copy_engine(s);
        uint64_t seed = 7000 + d;
        for (unsigned round = 0; round < 400; round++) {
            const struct kind *k = &kinds[round % (sizeof kinds / sizeof kinds[0])];
            streamer_start(s, engine);
            struct blit b = random_blit(&seed, k, true, scratch);
            static const int edges[] = {-32768, -1, 0, 1, 32767};
            b.x1 = edges[pick(&seed, 5)];
            b.y1 = edges[pick(&seed, 5)];
            b.x2 = edges[pick(&seed, 5)];
            b.y2 = edges[pick(&seed, 5)];
            b.from_x = edges[pick(&seed, 5)];
            b.from_y = edges[pick(&seed, 5)];
            b.to.pitch = edges[pick(&seed, 5)];
            b.from.pitch = edges[pick(&seed, 5)];
            b.to.base = (int64_t)random_value(&seed);
            if (pick(&seed, 2))
                b.to.base = SURFACES;
            b.from.base = pick(&seed, 2) ? FROM_AT : (int64_t)random_value(&seed);
            struct words w = {.wide = !s->gen6};
            register_put(s, s->base + SWCTRL_AT, 0x30000u | pick(&seed, 4));
            command(&w, &b);
            w.count -= pick(&seed, 4) == 0 && w.count > 6 ? pick(&seed, 6) : 0;
            batch_run(s, w.dw, w.count, true);
            for (unsigned i = 0; i < 8; i++)
                softgt_run(s->device, 1u << 20);
        }
        streamer_destroy(s);
    }
}

TEST_PROGRAM(blit_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_gen6),        cmocka_unit_test(every_kind_gen6_swizzled),
        cmocka_unit_test(every_kind_gen9),        cmocka_unit_test(every_kind_gen11),
        cmocka_unit_test(every_raster_operation), cmocka_unit_test(what_a_setup_leaves),
        cmocka_unit_test(linear_blits),

        cmocka_unit_test(hostile_blits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
