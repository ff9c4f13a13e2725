/* REN-27: fences. Reads and writes of the CPU through the aperture in a fence's range, against a reference
 * for X and Y walk, pitches and bounds; with and without swizzling; by both offsets of Gen6's registers; over
 * resets. */
#include "../suite.h"
#include "../streamer.h"
#include "../tiles.h"

/* Gen6 has its fences at two offsets: that of later generations and the one of its manual. */
enum { FENCE = 1 << 20, GEN6_FENCE = 3 * PAGE_BYTES };
enum { FENCE_VALID = 1 << 0, FENCE_Y_WALK = 1 << 1 };

struct placed_fence {
    uint32_t first, last; /* pages */
    unsigned pitch;
    bool y;
};

static void put_fence(struct streamer *s, unsigned number, const struct placed_fence *f, bool manual_place)
{
    const uint32_t low = f->first | (f->y ? FENCE_Y_WALK : 0u) | FENCE_VALID, units = f->pitch / 128 - 1;
    if (manual_place) {
        register_put(s, GEN6_FENCE + number * 8, low | units << 2);
        register_put(s, GEN6_FENCE + number * 8 + 4, f->last);
    } else {
        register_put(s, FENCE + number * 8 + 4, f->last | units);
        register_put(s, FENCE + number * 8, low);
    }
}

static void no_fence(struct streamer *s, unsigned number)
{
    register_put(s, FENCE + number * 8, 0);
    register_put(s, FENCE + number * 8 + 4, 0);
}

/* The address in memory of the aperture's byte `at`. */
static uint32_t seen(const struct placed_fence *fences, unsigned count, uint32_t at, bool swizzled)
{
    for (unsigned i = 0; i < count; i++) {
        const struct placed_fence *f = &fences[i];
        if (at < f->first || at >= f->last + PAGE_BYTES)
            continue;
        const struct surface s = {f->first, (int)f->pitch, f->y ? TILE_Y : TILE_X};
        return (uint32_t)place(&s, 1, (int)((at - f->first) % f->pitch), (int)((at - f->first) / f->pitch),
                               swizzled);
    }
    return at;
}

static void check_access(struct streamer *s, const struct placed_fence *fences, unsigned count, uint32_t at,
                         unsigned size, bool swizzled, uint64_t *seed)
{
    uint64_t expected = 0, value = random_next(seed);
    for (unsigned i = 0; i < size; i++)
        expected |= (uint64_t)s->memory[seen(fences, count, at + i, swizzled)] << 8 * i;
    const uint64_t got = softgt_bar_read(s->device, SOFTGT_BAR_GMADR, at, size);
    if (got != expected)
        fail_msg("read of %u bytes at %x: %llx, not %llx", size, at, (unsigned long long)got,
                 (unsigned long long)expected);
    softgt_bar_write(s->device, SOFTGT_BAR_GMADR, at, value, size);
    for (unsigned i = 0; i < size; i++)
        assert_int_equal(s->memory[seen(fences, count, at + i, swizzled)], value >> 8 * i & 0xff);
}

static void random_fences(const char *device, unsigned count, bool swizzled)
{
    struct streamer *s = streamer_create(device);
    uint64_t seed = 27 + count;
    struct placed_fence fences[32];
    if (swizzled)
        reg_put(s, "TILECTL", 1);
    for (unsigned round = 0; round < 60; round++) {
        for (uint32_t at = DATA; at < MEMORY_BYTES; at += 8) {
            const uint64_t value = random_next(&seed);
            memcpy(s->memory + at, &value, 8);
        }
        const uint32_t room = (MEMORY_BYTES - DATA) / count & ~(PAGE_BYTES - 1u);
        for (unsigned i = 0; i < count; i++) {
            struct placed_fence *f = &fences[i];
            f->y = random_next(&seed) % 2;
            f->pitch = f->y ? 128 * (1 + (unsigned)(random_next(&seed) % 12))
                            : 512 * (1 + (unsigned)(random_next(&seed) % 6));
            f->first = DATA + i * room;
            const uint32_t tile_row = f->pitch * (f->y ? 32 : 8), rows = room / tile_row;
            f->last = f->first + (rows > 1 ? 1 + (uint32_t)(random_next(&seed) % (rows - 1)) : 1) * tile_row -
                      PAGE_BYTES;
            put_fence(s, i, f, s->gen6 && random_next(&seed) % 2);
        }
        for (unsigned n = 0; n < 500; n++) {
            const unsigned size = 1u << random_next(&seed) % 4;
            const uint32_t at = DATA + (uint32_t)(random_next(&seed) % (MEMORY_BYTES - DATA - 8));
            check_access(s, fences, count, at, size, swizzled, &seed);
        }
        for (unsigned i = 0; i < count; i++) /* around the bounds */
            for (int d = -8; d < 8; d++) {
                check_access(s, fences, count, fences[i].first + (uint32_t)d, 4, swizzled, &seed);
                if (fences[i].last + PAGE_BYTES + 12 < MEMORY_BYTES)
                    check_access(s, fences, count, fences[i].last + PAGE_BYTES + (uint32_t)d, 4, swizzled,
                                 &seed);
            }
        const unsigned gone = (unsigned)(random_next(&seed) % count);
        no_fence(s, gone);
        struct placed_fence left[32];
        memcpy(left, fences, sizeof left);
        left[gone].first = left[gone].last = 0;
        for (unsigned n = 0; n < 50; n++)
            check_access(s, left, count, fences[gone].first + (uint32_t)(random_next(&seed) % 4000), 4,
                         swizzled, &seed);
    }
    streamer_destroy(s);
}

static void sixteen_on_gen6(void **state)
{
    (void)state;
    random_fences("snb", 16, false);
}

static void swizzled_on_gen6(void **state)
{
    (void)state;
    random_fences("snb", 7, true);
}

static void thirty_two_later(void **state)
{
    (void)state;
    random_fences("skl", 32, false);
    random_fences("icl", 5, false);
}

/* Both offsets show the same fence. Engines ignore fences. */
static void one_fence_at_two_offsets(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("snb");
    const struct placed_fence f = {DATA, DATA + 7 * PAGE_BYTES, 1024, true};
    put_fence(s, 15, &f, true);
    assert_int_equal(register_get(s, FENCE + 15 * 8), DATA | FENCE_Y_WALK | FENCE_VALID);
    assert_int_equal(register_get(s, FENCE + 15 * 8 + 4), (DATA + 7 * PAGE_BYTES) | 7);
    const struct placed_fence g = {DATA + 8 * PAGE_BYTES, DATA + 15 * PAGE_BYTES, 512, false};
    put_fence(s, 0, &g, false);
    assert_int_equal(register_get(s, GEN6_FENCE), (DATA + 8 * PAGE_BYTES) | 3u << 2 | FENCE_VALID);
    assert_int_equal(register_get(s, GEN6_FENCE + 4), DATA + 15 * PAGE_BYTES);
    streamer_destroy(s);
}

/* A graphics reset keeps fences, a reset of the function clears them. They are saved. */
static void resets(void **state)
{
    (void)state;
    const char *const devices[] = {"snb", "skl"};
    for (unsigned d = 0; d < 2; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const struct placed_fence f = {DATA, DATA + 7 * PAGE_BYTES, 512, false};
        put_fence(s, 3, &f, false);
        reg_put(s, "GDRST", REGISTER_BITS(s->device, "GDRST", {"Full", 1}));
        s->memory[DATA + 512] = 0xab;
        s->memory[DATA + PAGE_BYTES] = 0xcd;
        assert_int_equal(register_get(s, FENCE + 3 * 8), DATA | FENCE_VALID);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GMADR, DATA + 512, 1), 0xab);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GMADR, DATA + 512 * 8, 1), 0xcd);
        const struct placed_fence wide = {DATA, DATA + 7 * PAGE_BYTES, 1024, false};
        put_fence(s, 3, &wide, false);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GMADR, DATA + 512, 1), 0xcd);
        const size_t size = softgt_save(s->device, NULL, 0);
        uint8_t *saved = malloc(size);
        assert_non_null(saved);
        assert_int_equal(softgt_save(s->device, saved, size), size);
        softgt_reset(s->device);
        assert_int_equal(register_get(s, FENCE + 3 * 8), 0);
        assert_int_equal(softgt_load(s->device, saved, size), 0);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GMADR, DATA + 512, 1), 0xcd);
        free(saved);
        streamer_destroy(s);
    }
}

TEST_PROGRAM(fence_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_on_gen6),  cmocka_unit_test(swizzled_on_gen6),
        cmocka_unit_test(thirty_two_later), cmocka_unit_test(one_fence_at_two_offsets),
        cmocka_unit_test(resets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
