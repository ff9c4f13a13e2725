/* REN-27: fences. What the CPU reads and writes through the aperture in a fence's range, against a reference
 * for X and Y walk, pitches and bounds; with and without swizzling; in both places of Gen6's registers; over
 * resets. */
#include "../suite.h"
#include "../streamer.h"
#include "../tiles.h"

enum { FENCE = 0x100000, GEN6_FENCE = 0x3000, TILECTL = 0x101000, GDRST = 0x941c };

struct placed_fence {
    uint32_t first, last; /* pages */
    unsigned pitch;
    bool y;
};

static void put_fence(struct streamer *s, unsigned number, const struct placed_fence *f, bool manual_place)
{
    const uint32_t low = f->first | (uint32_t)f->y << 1 | 1u, units = f->pitch / 128 - 1;
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

/* Where the aperture's byte `at` is in memory. */
static uint32_t seen(const struct placed_fence *fences, unsigned count, uint32_t at, bool swizzled)
{
    for (unsigned i = 0; i < count; i++) {
        const struct placed_fence *f = &fences[i];
        if (at < f->first || at >= f->last + 4096)
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
        register_put(s, TILECTL, 1);
    for (unsigned round = 0; round < 60; round++) {
        for (uint32_t at = DATA; at < MEMORY_BYTES; at += 8) {
            const uint64_t value = random_next(&seed);
            memcpy(s->memory + at, &value, 8);
        }
        const uint32_t room = (MEMORY_BYTES - DATA) / count & ~0xfffu;
        for (unsigned i = 0; i < count; i++) {
            struct placed_fence *f = &fences[i];
            f->y = random_next(&seed) % 2;
            f->pitch = f->y ? 128 * (1 + (unsigned)(random_next(&seed) % 12))
                            : 512 * (1 + (unsigned)(random_next(&seed) % 6));
            f->first = DATA + i * room;
            const uint32_t tile_row = f->pitch * (f->y ? 32 : 8), rows = room / tile_row;
            f->last =
                f->first + (rows > 1 ? 1 + (uint32_t)(random_next(&seed) % (rows - 1)) : 1) * tile_row - 4096;
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
                if (fences[i].last + 4096 + 12 < MEMORY_BYTES)
                    check_access(s, fences, count, fences[i].last + 4096 + (uint32_t)d, 4, swizzled, &seed);
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

/* The two places show the same fence; engines do not look at fences. */
static void one_fence_in_two_places(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("snb");
    const struct placed_fence f = {DATA, DATA + 0x7000, 1024, true};
    put_fence(s, 15, &f, true);
    assert_int_equal(register_get(s, FENCE + 15 * 8), DATA | 3);
    assert_int_equal(register_get(s, FENCE + 15 * 8 + 4), (DATA + 0x7000) | 7);
    const struct placed_fence g = {DATA + 0x8000, DATA + 0xf000, 512, false};
    put_fence(s, 0, &g, false);
    assert_int_equal(register_get(s, GEN6_FENCE), (DATA + 0x8000) | 3u << 2 | 1);
    assert_int_equal(register_get(s, GEN6_FENCE + 4), DATA + 0xf000);
    streamer_destroy(s);
}

/* A graphics reset leaves fences as they are, a reset of the function does not; a saved device has them. */
static void resets(void **state)
{
    (void)state;
    const char *const devices[] = {"snb", "skl"};
    for (unsigned d = 0; d < 2; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const struct placed_fence f = {DATA, DATA + 0x7000, 512, false};
        put_fence(s, 3, &f, false);
        register_put(s, GDRST, 1);
        s->memory[DATA + 512] = 0xab;
        s->memory[DATA + 4096] = 0xcd;
        assert_int_equal(register_get(s, FENCE + 3 * 8), DATA | 1);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GMADR, DATA + 512, 1), 0xab);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GMADR, DATA + 512 * 8, 1), 0xcd);
        const struct placed_fence wide = {DATA, DATA + 0x7000, 1024, false};
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
        cmocka_unit_test(thirty_two_later), cmocka_unit_test(one_fence_in_two_places),
        cmocka_unit_test(resets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
