/* CSP-07: copies, large or in any tiling, against a reference; and copies that are cut into parts. */
#include "../suite.h"
#include "../blits.h"

/* Copies that are larger than caches, in all tilings. Rows of the source overlap, so that it needs little
 * room. */
static void large_copies(void **state)
{
    (void)state;
    enum { FROM = 0x6c0000, FROM_PITCH = 512, TO_PITCH = 4608, HEIGHT = 1000 };
    static const struct kind copy = {"XY_SRC_COPY_BLT", 0x53, COLOR, NONE, false, false};
    struct streamer *s = streamer_create("snb");
    uint8_t *expected = malloc(MEMORY_BYTES);
    assert_non_null(expected);
    streamer_start(s, copy_engine(s));
    uint64_t seed = 90;
    for (unsigned at = FROM; at < MEMORY_BYTES; at += 8) {
        const uint64_t value = random_next(&seed);
        memcpy(s->memory + at, &value, 8);
    }
    for (enum tiling to = LINEAR; to <= TILE_Y; to++)
        for (enum tiling from = LINEAR; from <= TILE_Y; from++)
            for (unsigned round = 0; round < 3; round++) {
                const int odd = round ? 1 : 0;
                struct blit b = {.kind = &copy, .depth = 3, .bytes = 4, .rop = 0xcc, .byte_mask = 3};
                b.to = (struct surface){DATA + 64 * (to == LINEAR && round == 2), TO_PITCH, to};
                b.from = (struct surface){FROM, FROM_PITCH, from};
                b.x1 = odd * between(&seed, 0, 9);
                b.y1 = odd * between(&seed, 0, 9);
                b.x2 = 1152 - odd * between(&seed, 0, 9);
                b.y2 = HEIGHT - odd * between(&seed, 0, 9);
                b.from_x = odd * between(&seed, 0, 9);
                b.from_y = odd * between(&seed, 0, 9);
                struct words w = {0};
                tile_register(&(struct rig){.s = s}, &b);
                command(&w, &b);
                memcpy(expected, s->memory, MEMORY_BYTES);
                draw(&b, expected, false);
                s->blits = 0;
                batch_run(s, w.dw, w.count, true);
                /* Told once, however many parts it took. */
                assert_int_equal(s->blits, 1);
                assert_int_equal(s->blit.x1, b.x1);
                assert_int_equal(s->blit.y2, b.y2);
                assert_int_equal(s->blit.bytes_per_pixel, 4);
                assert_int_equal(s->blit.tiling, (enum softgt_tiling)to);
                for (unsigned at = DATA; at < MEMORY_BYTES; at++)
                    if (s->memory[at] != expected[at])
                        fail_msg("tiling %d from %d, round %u: byte %#x is %02x, not %02x", to, from, round,
                                 at, s->memory[at], expected[at]);
            }
    assert_int_equal(streamer_status(s).faults, 0);
    streamer_destroy(s);
    free(expected);
}

/* What a generation has. */
struct tilings {
    enum tiling of[5];
    unsigned count;
};
static const struct tilings gen9_tilings = {{LINEAR, TILE_X, TILE_Y, TILE_YF, TILE_YS}, 5};
static const struct tilings gen125_tilings = {{LINEAR, TILE_X, TILE_4, TILE_64}, 4};

static const struct kind fast_copy = {"XY_FAST_COPY_BLT", 0x42, COLOR, NONE, false, false};

static uint32_t pitch_of(const struct surface *s)
{
    return (uint32_t)(s->tiling ? s->pitch / 4 : s->pitch);
}

static void fast_command(struct words *w, const struct blit *b)
{
    static const uint32_t method[] = {0, 1, 2, 2, 3, 2, 3};
    static const bool type[] = {false, false, false, true, false, true, false};
    static const uint32_t depths[] = {0, 1, 3, 4, 5};
    const unsigned size = (unsigned)__builtin_ctz(b->bytes);
    word(w, header(0x42, method[b->from.tiling] << 20 | method[b->to.tiling] << 13 | 8));
    word(w, (pitch_of(&b->to) & 0xffffu) | depths[size] << 24 | (type[b->to.tiling] ? 1u << 30 : 0) |
                (type[b->from.tiling] ? 1u << 31 : 0));
    pair(w, b->x1, b->y1);
    pair(w, b->x2, b->y2);
    address(w, (uint64_t)b->to.base);
    pair(w, b->from_x, b->from_y);
    word(w, pitch_of(&b->from) & 0xffffu);
    address(w, (uint64_t)b->from.base);
}

static void copy_reference(const struct blit *b, uint8_t *memory)
{
    for (int y = b->y1; y < b->y2; y++)
        for (int x = b->x1; x < b->x2; x++)
            memcpy(memory + place(&b->to, b->bytes, x * (int)b->bytes, y, false),
                   memory + place(&b->from, b->bytes, (x - b->x1 + b->from_x) * (int)b->bytes,
                                  y - b->y1 + b->from_y, false),
                   b->bytes);
}

static struct surface tiled_surface(uint64_t *seed, int64_t at, const struct tilings *t)
{
    struct surface s = random_surface(seed, at, t->of[pick(seed, t->count)], 1);
    if (s.tiling != TILE_X && s.tiling != TILE_Y && s.tiling != TILE_4)
        s.pitch = 2048;
    s.base = s.base / 64 * 64;
    return s;
}

static void random_copy(struct rig *r, const struct tilings *t, struct blit *b)
{
    b->to = tiled_surface(&r->seed, SURFACES, t);
    b->from = tiled_surface(&r->seed, FROM_AT, t);
    b->x1 = between(&r->seed, 0, 40);
    b->y1 = between(&r->seed, 0, 60);
    b->x2 = b->x1 + between(&r->seed, 0, 60);
    b->y2 = b->y1 + between(&r->seed, 0, 70);
    b->from_x = between(&r->seed, 0, 20);
    b->from_y = between(&r->seed, 0, 60);
}

/* XY_FAST_COPY_BLT: all tilings to all, 8 to 128 bits a pixel. */
static void fast_copies(const char *device, const struct tilings *t, unsigned rounds)
{
    struct rig r = open_rig(device, 42);
    for (unsigned round = 0; round < rounds; round++) {
        struct blit b = {.kind = &fast_copy, .rop = 0xcc, .bytes = 1u << pick(&r.seed, 5)};
        random_copy(&r, t, &b);
        struct words w = {.wide = true};
        fast_command(&w, &b);
        batch_run(r.s, w.dw, w.count, true);
        move(&b, -DATA);
        copy_reference(&b, r.expected);
        compare(r.s, r.expected, &b, "XY_FAST_COPY_BLT", round);
    }
    close_rig(&r);
}

static void fast_copies_gen9(void **state)
{
    (void)state;
    fast_copies("skl", &gen9_tilings, 1500);
}

static void fast_copies_gen11(void **state)
{
    (void)state;
    fast_copies("icl", &gen9_tilings, 1500);
}

static void fast_copies_gen125(void **state)
{
    (void)state;
    fast_copies("dg2", &gen125_tilings, 800);
    fast_copies("atsm", &gen125_tilings, 100);
}

/* ---- Blocks of Gen12.5 ---- */

/* A mip or a slice of the surface: where it begins, as its manual draws it. */
struct slice {
    unsigned width, height, lod, index, qpitch;
    unsigned halign_bytes, valign; /* a multiple of: bytes, rows */
};

static int round_up(unsigned value, unsigned to)
{
    return (int)((value + to - 1) / to * to);
}

static unsigned halved(unsigned value, unsigned times)
{
    for (; times; times--)
        value = value > 1 ? value / 2 : 1;
    return value;
}

static void slice_start(const struct slice *s, unsigned bytes, int *x, int *y)
{
    const unsigned across = s->halign_bytes / bytes ? s->halign_bytes / bytes : 1;
    *x = s->lod > 1 ? round_up(halved(s->width, 1), across) : 0;
    *y = (int)(s->index * s->qpitch);
    for (unsigned lod = 0; lod < s->lod; lod++)
        if (lod != 1)
            *y += round_up(halved(s->height, lod), s->valign);
}

static struct slice random_slice(uint64_t *seed, const struct surface *s, unsigned bytes)
{
    static const unsigned tile_64_width[] = {256, 512, 512, 1024, 1024},
                          tile_64_height[] = {256, 128, 128, 64, 64};
    struct slice c = {.width = 40 + pick(seed, 9), .height = 40 + pick(seed, 9), .qpitch = 64};
    c.halign_bytes = 16u << pick(seed, 4);
    c.valign = 4u << pick(seed, 3);
    if (s->tiling == TILE_64) {
        c.halign_bytes = tile_64_width[__builtin_ctz(bytes)];
        c.valign = tile_64_height[__builtin_ctz(bytes)];
    } else {
        c.lod = pick(seed, 4);
        c.index = pick(seed, 2);
    }
    return c;
}

static void slice_dwords(struct words *w, const struct slice *c, const struct surface *s)
{
    word(w, 1u << 29 | (c->width - 1) << 14 | (c->height - 1));
    word(w, 3u << 21 | c->qpitch / 4 << 4 | c->lod);
    word(w, c->index << 21 | 15u << 8 |
                (s->tiling == TILE_64 ? 0
                                      : (unsigned)__builtin_ctz(c->valign / 2) << 3 |
                                            (unsigned)__builtin_ctz(c->halign_bytes / 16)));
}

static uint32_t side_dword(const struct surface *s)
{
    static const uint32_t tilings[] = {[LINEAR] = 0, [TILE_X] = 1, [TILE_4] = 2, [TILE_64] = 3};
    return tilings[s->tiling] << 30 | (pitch_of(s) - 1);
}

/* XY_BLOCK_COPY_BLT and XY_FAST_COLOR_BLT: 8 to 128 bits a pixel, of 96 only linear ones. */
static void blocks(const char *device, unsigned rounds)
{
    static const struct kind copy = {"XY_BLOCK_COPY_BLT", 0x41, COLOR, NONE, false, false},
                             fill = {"XY_FAST_COLOR_BLT", 0x44, NONE, NONE, false, false};
    static const unsigned sizes[] = {1, 2, 4, 8, 12, 16};
    static const struct tilings linear = {{LINEAR}, 1};
    struct rig r = open_rig(device, 12);
    for (unsigned round = 0; round < rounds; round++) {
        const unsigned depth = pick(&r.seed, 6);
        const bool copies = pick(&r.seed, 3);
        struct blit b = {.kind = copies ? &copy : &fill, .rop = 0xcc, .bytes = sizes[depth]};
        random_copy(&r, b.bytes == 12 ? &linear : &gen125_tilings, &b);
        b.to.pitch = b.from.pitch = 2048;
        const struct slice to = random_slice(&r.seed, &b.to, b.bytes),
                           from = random_slice(&r.seed, &b.from, b.bytes);
        const unsigned right = pick(&r.seed, 5), down = pick(&r.seed, 5);
        uint32_t color[4];
        for (unsigned i = 0; i < 4; i++)
            color[i] = (uint32_t)random_next(&r.seed);
        struct words w = {.wide = true};
        word(&w, header(copies ? 0x41 : 0x44, depth << 19 | (copies ? 20 : 14)));
        word(&w, side_dword(&b.to));
        pair(&w, b.x1, b.y1);
        pair(&w, b.x2, b.y2);
        address(&w, (uint64_t)b.to.base);
        word(&w, down << 16 | right);
        if (copies) {
            pair(&w, b.from_x, b.from_y);
            word(&w, side_dword(&b.from));
            address(&w, (uint64_t)b.from.base);
            word(&w, right << 16 | down);
        }
        for (unsigned i = 0; i < 4; i++)
            word(&w, copies ? 0 : color[i]);
        if (!copies) {
            word(&w, 0);
            word(&w, 0);
        }
        slice_dwords(&w, &to, &b.to);
        if (copies)
            slice_dwords(&w, &from, &b.from);
        batch_run(r.s, w.dw, w.count, true);
        move(&b, -DATA);
        int x, y;
        slice_start(&to, b.bytes, &x, &y);
        x += (int)right;
        y += (int)down;
        b.x1 += x;
        b.x2 += x;
        b.y1 += y;
        b.y2 += y;
        slice_start(&from, b.bytes, &x, &y);
        b.from_x += x + (int)down;
        b.from_y += y + (int)right;
        if (copies)
            copy_reference(&b, r.expected);
        for (y = b.y1; !copies && y < b.y2; y++)
            for (x = b.x1; x < b.x2; x++)
                memcpy(r.expected + place(&b.to, b.bytes, x * (int)b.bytes, y, false), color, b.bytes);
        compare(r.s, r.expected, &b, copies ? "XY_BLOCK_COPY_BLT" : "XY_FAST_COLOR_BLT", round);
    }
    close_rig(&r);
}

static void blocks_gen125(void **state)
{
    (void)state;
    blocks("dg2", 800);
    blocks("atsm", 100);
}

/* ---- Whole pages of tiles and parts of them ---- */

/* Edges on pages of tiles, a cell beside them, or anywhere. */
static int edge(uint64_t *seed, int step, int last)
{
    const int at = step * (int)pick(seed, (unsigned)(last / step));
    return pick(seed, 3) ? at : pick(seed, 2) ? between(seed, 0, last - 1) : at + between(seed, 0, 1);
}

/* Each tiling to each, each depth; with memory that is mapped, and that is only read and written. */
static void pages_of_tiles_on(const char *device, const struct tilings *t)
{
    enum { PITCH = 2048, ROWS = 250 };
    struct rig r = open_rig(device, 4242);
    for (unsigned round = 0; round < 600; round++) {
        if (round == 500) {
            r.s->unmapped = true;
            streamer_start(r.s, r.s->engine);
            fill_area(r.s, r.expected, &r.seed);
        }
        struct blit b = {.kind = &fast_copy, .bytes = 1u << round % 5};
        b.to = (struct surface){DATA, PITCH, t->of[round / 5 % t->count]};
        b.from = (struct surface){FROM_AT, PITCH, t->of[round / 5 / t->count % t->count]};
        const int step = 128 / (int)b.bytes, width = PITCH / 2 / (int)b.bytes;
        b.x1 = edge(&r.seed, step, width);
        b.y1 = edge(&r.seed, 32, ROWS);
        b.x2 = b.x1 + edge(&r.seed, step, width);
        b.y2 = b.y1 + edge(&r.seed, 32, ROWS);
        b.from_x = pick(&r.seed, 2) ? b.x1 : edge(&r.seed, step, width);
        b.from_y = pick(&r.seed, 2) ? b.y1 : edge(&r.seed, 32, ROWS);
        struct words w = {.wide = true};
        fast_command(&w, &b);
        batch_run(r.s, w.dw, w.count, true);
        move(&b, -DATA);
        copy_reference(&b, r.expected);
        compare(r.s, r.expected, &b, "XY_FAST_COPY_BLT", round);
    }
    close_rig(&r);
}

static void pages_of_tiles(void **state)
{
    (void)state;
    pages_of_tiles_on("skl", &gen9_tilings);
    pages_of_tiles_on("dg2", &gen125_tilings);
}

/* Two addresses of one page: the order is nobody's, but nothing else is touched. */
/* Where a page of the source is not there the copy ends: what would have come from it keeps its bytes. */
static void a_source_that_ends(void **state)
{
    (void)state;
    enum { PAGE = 0x1000, LAST = 0x40000000 - PAGE, PITCH = 128, PIXELS = PITCH / 4, OLD = 0x5a };
    for (int left = 0; left < 2; left++) {
        struct streamer *const s = streamer_create("skl");
        streamer_start(s, copy_engine(s));
        assert_true(driver_map(&s->driver, &s->ppgtt, LAST, USER_DATA, PAGE, PAGE));
        for (uint32_t at = 0; at < PAGE; at += 4)
            dword_put(s, USER_DATA + at, at + 1);
        memset(s->memory + USER_DATA + PAGE, OLD, 3 * PAGE);
        struct blit b = {
            .kind = &fast_copy, .bytes = 4, .x1 = left, .x2 = PIXELS, .y2 = 2 * 32, .from_x = left};
        b.to = (struct surface){DATA + PAGE, PITCH, TILE_Y};
        b.from = (struct surface){LAST, PITCH, TILE_Y};
        struct words w = {.wide = true};
        fast_command(&w, &b);
        batch_run(s, w.dw, w.count, false);
        assert_int_equal(streamer_status(s).faults, 1);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_STOPPED);
        for (uint32_t at = 0; at < PAGE; at += 4) {
            const bool outside = left && at % 16 == 0 && at < 512; /* pixels of the first column */
            assert_int_equal(dword_at(s, USER_DATA + PAGE + at), outside ? OLD * 0x01010101u : at + 1);
            assert_int_equal(dword_at(s, USER_DATA + 2 * PAGE + at), OLD * 0x01010101u);
        }
        streamer_destroy(s);
    }
}

static void aliases(void **state)
{
    (void)state;
    enum { ALIAS = 0x400000, PITCH = 2048, WIDTH = 256, HEIGHT = 64 };
    struct rig r = open_rig("skl", 99);
    assert_true(driver_map(&r.s->driver, &r.s->ppgtt, ALIAS, USER_DATA, PAGE_2M, PAGE_2M));
    for (unsigned round = 0; round < 100; round++) {
        struct blit b = {.kind = &fast_copy, .bytes = 4, .x2 = WIDTH, .y2 = HEIGHT};
        b.to = (struct surface){DATA, PITCH, (enum tiling)(round % 5)};
        b.from = (struct surface){ALIAS, PITCH, (enum tiling)(round / 5 % 5)};
        b.from_x = (int)pick(&r.seed, 9);
        b.from_y = (int)pick(&r.seed, 9);
        struct words w = {.wide = true};
        fast_command(&w, &b);
        fill_area(r.s, r.expected, &r.seed);
        batch_run(r.s, w.dw, w.count, true);
        move(&b, -DATA);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH * 4; x++) {
                const int64_t at = place(&b.to, 4, x, y, false);
                r.expected[at] = area(r.s)[at];
            }
        compare(r.s, r.expected, &b, "XY_FAST_COPY_BLT of itself", round);
    }
    close_rig(&r);
}

/* ---- Parts ---- */

/* A tall blit is cut: after its first part the command becomes another, or shorter than what is drawn. */
static void changed_between_parts(void **state)
{
    (void)state;
    enum { PITCH = 32, HEIGHT = 32000 };
    for (unsigned what = 0; what < 4; what++) {
        struct rig r = open_rig("skl", 77);
        const uint32_t fill[] = {header(0x50, 5),
                                 0x5au << 16 | PITCH,
                                 0,
                                 (uint32_t)HEIGHT << 16 | 1u,
                                 DATA,
                                 0,
                                 0xff,
                                 MI_BATCH_BUFFER_END,
                                 0};
        memcpy(r.s->memory + BATCH, fill, sizeof fill);
        const uint32_t start[] = {batch_start(true, false), BATCH, 0, MI_NOOP};
        memcpy(r.s->memory + RING, start, sizeof start);
        register_put(r.s, r.s->base + 0x030, sizeof start);
        for (unsigned i = 0; i < 100 && area(r.s)[0] == r.expected[0]; i++)
            softgt_run(r.s->device, 4);
        assert_int_equal(streamer_status(r.s).state, SOFTGT_ENGINE_RUNNING);
        assert_int_not_equal(area(r.s)[0], r.expected[0]);
        assert_int_equal(area(r.s)[(HEIGHT - 1) * PITCH], r.expected[(HEIGHT - 1) * PITCH]);
        if (what == 0)
            dword_put(r.s, BATCH + 12, 1u << 16 | 1);
        if (what == 1)
            dword_put(r.s, BATCH, header(0x53, 8)); /* its other fields are what follows */
        if (what == 2)
            dword_put(r.s, BATCH + 12, 0);
        softgt_run(r.s->device, 1u << 24);
        if (what == 3) {
            for (unsigned y = 0; y < HEIGHT; y++)
                r.expected[y * PITCH] ^= 0xff;
            assert_memory_equal(area(r.s), r.expected, AREA_BYTES);
            close_rig(&r);
        } else {
            assert_int_equal(area(r.s)[(HEIGHT - 1) * PITCH], r.expected[(HEIGHT - 1) * PITCH]);
            streamer_destroy(r.s);
            free(r.expected);
        }
    }
}

TEST_PROGRAM(blit_copies_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_copies),          cmocka_unit_test(fast_copies_gen9),
        cmocka_unit_test(fast_copies_gen11),     cmocka_unit_test(fast_copies_gen125),
        cmocka_unit_test(blocks_gen125),         cmocka_unit_test(pages_of_tiles),
        cmocka_unit_test(a_source_that_ends),    cmocka_unit_test(aliases),

        cmocka_unit_test(changed_between_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
