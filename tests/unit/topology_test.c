/* What sheets say of execution units is what the fuses say: read back as the driver of Linux reads them.
 * (Linux, intel_sseu) */
#include "../suite.h"
#include "../streamer.h"

struct seen {
    uint32_t slices, subslices;
    bool known;
};

static uint32_t fuse(const struct streamer *s, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static struct seen read_fuses(const struct streamer *s)
{
    const char *generation = softgt_info(s->device)->generation;
    const uint32_t fuse2 = fuse(s, 0x9120);
    if (strcmp(generation, "gen8") == 0)
        return (struct seen){fuse2 >> 25 & 7u, 7u & ~(fuse2 >> 21), true};
    if (strcmp(generation, "gen9") == 0)
        return (struct seen){fuse2 >> 25 & 7u, 15u & ~(fuse2 >> 20), true};
    if (strcmp(generation, "gen11") == 0)
        return (struct seen){fuse(s, 0x9138) & 1u, 255u & ~fuse(s, 0x913c), true};
    if (strcmp(generation, "gen12") == 0)
        return (struct seen){fuse(s, 0x9138) & 1u, fuse(s, 0x913c), true};
    if (strcmp(generation, "gen125") == 0)
        return (struct seen){1, fuse(s, 0x9144), true};
    return (struct seen){0};
}

static void topology_is_the_fuses(void **state)
{
    (void)state;
    unsigned known = 0;
    for (unsigned i = 0; softgt_device_at(i); i++) {
        struct streamer *s = streamer_create(softgt_device_at(i)->name);
        const struct topology *t = s->device->sheet->gt->topology;
        const struct seen seen = read_fuses(s);
        if (seen.known) {
            assert_non_null(t);
            assert_int_equal(t->slices, seen.slices);
            assert_int_equal(t->subslices, seen.subslices);
            known++;
        }
        if (t) {
            assert_true(t->slices < 1u << t->most_slices);
            assert_true((uint64_t)t->subslices < UINT64_C(1) << t->most_subslices);
            assert_true(t->units < 1u << t->most_units);
            assert_true(t->threads > 0);
        }
        streamer_destroy(s);
    }
    assert_true(known > 15);
}

TEST_PROGRAM(topology_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(topology_is_the_fuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
