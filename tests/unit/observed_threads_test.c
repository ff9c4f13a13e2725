/* What shader threads do, as performance counters have it, by what is told to the observation unit: there is
 * one counter for each, global, of a context, and running freely; flexible events with each filter. (SYS-18,
 * SYS-20) */
#include "../suite.h"
#include "../counters.h"

#include "engine/execution.h"

static const char *const devices[] = {"bdw", "skl", "icl", "tgl", "dg2", "atsm"};
enum { DEVICES = sizeof devices / sizeof devices[0], CONTROL_5 = 5u << 2 | 1 };

static uint64_t wide(struct streamer *s, uint32_t at)
{
    return register_get(s, at) | (uint64_t)register_get(s, at + 4) << 32;
}

static uint64_t counter(struct streamer *s, unsigned a)
{
    const struct counters p = counters_of(s);
    return a < 32 ? wide(s, p.a + a * 8u) : register_get(s, p.a32 + (a - 32u) * 4u);
}

static uint64_t freely(struct streamer *s, unsigned i)
{
    return wide(s, counters_of(s).free + i * 8u);
}

/* Counters count from the next clock on. */
static struct streamer *counting(const char *device)
{
    struct streamer *s = streamer_create(device);
    const struct counters p = counters_of(s);
    register_put(s, p.start + 4u, (uint32_t)START_AT_ONCE << 20);
    register_put(s, p.timer, 1);
    register_put(s, p.control, CONTROL_5);
    return s;
}

static void tell_all(struct streamer *s, struct engine *e)
{
    struct oa *oa = &s->device->oa;
    static const enum oa_shader_stage dispatchers[] = {OA_STAGE_VS,    OA_STAGE_HS,  OA_STAGE_DS,
                                                       OA_STAGE_GPGPU, OA_STAGE_GS,  OA_STAGE_PS,
                                                       OA_STAGE_TASK,  OA_STAGE_MESH};
    static const enum oa_a_counter accesses[] = {OA_SAMPLER_2X2, OA_SAMPLER_MISSES, OA_SLM_READS,
                                                 OA_SLM_WRITES,  OA_ATOMICS,        OA_BARRIERS};
    for (unsigned i = 0; i < 8; i++)
        oa_count_threads(oa, e, dispatchers[i], 100u + i);
    for (unsigned i = 0; i < 6; i++)
        oa_count_accesses(oa, e, accesses[i], 200u + i);
}

static const struct {
    uint8_t a;
    uint16_t told;
} expected[] = {{1, 100},  {2, 101},  {3, 102},  {4, 103},  {5, 104},  {6, 105},
                {28, 200}, {29, 201}, {30, 202}, {31, 203}, {34, 204}, {35, 205}};
enum { EXPECTED = sizeof expected / sizeof expected[0] };

static void what_is_told_is_counted(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct streamer *s = counting(devices[d]);
        tell_all(s, s->device->engines);
        for (unsigned i = 0; i < EXPECTED; i++) /* no clock went by */
            assert_int_equal(counter(s, expected[i].a), 0);
        softgt_advance(s->device, 1000);
        for (unsigned i = 0; i < EXPECTED; i++)
            assert_int_equal(counter(s, expected[i].a), expected[i].told);
        softgt_advance(s->device, 100000);
        uint64_t others = 0;
        for (unsigned a = 1; a < 36; a++)
            others += counter(s, a);
        for (unsigned i = 0; i < EXPECTED; i++)
            others -= expected[i].told;
        assert_int_equal(others, 0);
        streamer_destroy(s);
    }
}

/* Between two reports a counter rises by no more than an execution unit could: 16 a clock. */
static void a_clock_has_so_many(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct streamer *s = counting(devices[d]);
        oa_count_threads(&s->device->oa, s->device->engines, OA_STAGE_PS, 10000000);
        softgt_advance(s->device, 10000);
        const uint64_t first = counter(s, 6), clocks = oa_gpu_ticks(&s->device->oa);
        assert_int_equal(first, clocks * 16);
        softgt_advance(s->device, 10000000);
        assert_int_equal(counter(s, 6), 10000000);
        streamer_destroy(s);
    }
}

/* The free running ones count at once, whether the unit is enabled, started, or not. */
static void some_run_freely(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const struct counters p = counters_of(s);
        struct oa *oa = &s->device->oa;
        const struct oa_eu_event send = {.events = 1u << OA_SEND, .count = 7};
        register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL6"),
                     0xfff002); /* A19: sends; A20: nothing */
        oa_count_threads(oa, s->device->engines, OA_STAGE_GPGPU, 3);
        oa_count_threads(oa, s->device->engines, OA_STAGE_PS, 5);
        oa_count_eu_event(oa, s->device->engines, &send);
        softgt_advance(s->device, 1000);
        assert_int_equal(freely(s, 0), 3);
        assert_int_equal(freely(s, 1), 5);
        assert_int_equal(freely(s, 2), 7);
        assert_int_equal(freely(s, 3), 0);
        assert_int_equal(counter(s, 4), 0);
        /* Enabled, but not started: still nothing of the others. */
        register_put(s, p.timer, 1);
        register_put(s, p.control, CONTROL_5);
        oa_count_threads(oa, s->device->engines, OA_STAGE_GPGPU, 3);
        softgt_advance(s->device, 1000);
        assert_int_equal(freely(s, 0), 6);
        assert_int_equal(counter(s, 4), 0);
        /* Started: what comes from then on. */
        register_put(s, p.start + 4u, (uint32_t)START_AT_ONCE << 20);
        softgt_advance(s->device, 1000);
        assert_int_equal(counter(s, 4), 0);
        oa_count_threads(oa, s->device->engines, OA_STAGE_GPGPU, 3);
        softgt_advance(s->device, 1000);
        assert_int_equal(freely(s, 0), 9);
        assert_int_equal(counter(s, 4), 3);
        /* Without Counter Stop-Resume: it stands, what happens is not told later. */
        register_put(s, p.timer, 0);
        oa_count_threads(oa, s->device->engines, OA_STAGE_GPGPU, 3);
        softgt_advance(s->device, 1000);
        register_put(s, p.timer, 1);
        softgt_advance(s->device, 1000);
        assert_int_equal(freely(s, 0), 12);
        assert_int_equal(counter(s, 4), 3);
        /* They are 40 bits wide. */
        oa_count_threads(oa, s->device->engines, OA_STAGE_GPGPU, UINT64_C(0x1200000000) - 12);
        assert_int_equal(freely(s, 0), UINT64_C(0x1200000000));
        oa_count_threads(oa, s->device->engines, OA_STAGE_GPGPU, UINT64_C(0xff00000000));
        assert_int_equal(freely(s, 0), UINT64_C(0x1100000000));
        register_put(s, p.free, 5);
        assert_int_equal(freely(s, 0), UINT64_C(0x1100000000));
        softgt_reset(s->device);
        assert_int_equal(freely(s, 0), 0);
        streamer_destroy(s);
    }
}

/* ---- Flexible events ---- */

/* What A7 counts of a happening, with this increment event, coarse and fine filter. */
static uint64_t counted(struct streamer *s, unsigned event, unsigned coarse, unsigned fine,
                        const struct oa_eu_event *h)
{
    const uint64_t before = counter(s, 7);
    register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"),
                 (event & 15u) | coarse << 4 | fine << 8 | (event >> 4) << 24 | 0x02fff000);
    oa_count_eu_event(&s->device->oa, s->device->engines, h);
    softgt_advance(s->device, 1000);
    return counter(s, 7) - before;
}

/* The manual's table: which fine filters an increment event supports. */
static const uint16_t places = 1u << 0 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 10, all_fine = places | 0x3e;
static uint16_t supported(unsigned event)
{
    switch (event) {
    case 1:
    case 3:
    case 5:
    case 8:
    case 10:
        return places;
    case 2:
    case 4:
        return places | 1u << 5;
    default:
        return all_fine;
    }
}

static bool of_threads(unsigned event)
{
    return event != 3 && event != 8 && event != 10 && event != 17;
}

/* Each event with each filter, of a thread of each dispatcher, in each unit. */
static void filters_mask(void **state)
{
    (void)state;
    static const uint8_t by[] = {1, 2, 3, 4, 5, 6, 9, 10, 11};
    for (unsigned d = 0; d < DEVICES; d += 2) {
        struct streamer *s = counting(devices[d]);
        for (unsigned event = 0; event < 32; event++) {
            const bool there = event < OA_CORE_EVENTS && event != 11;
            for (unsigned i = 0; i < sizeof by; i++) {
                const unsigned unit = i & 3u, row = i & 1u, kind = 1u + i % 5u;
                const struct oa_eu_event h = {.events = event < 31 ? 1u << event : 0,
                                              .instructions = 1u << kind,
                                              .stages = 1u << by[i],
                                              .row = (uint8_t)row,
                                              .eu = (uint8_t)unit,
                                              .slots = 1,
                                              .count = 3};
                for (unsigned coarse = 0; coarse < 15 && there; coarse++) { /* from 12 on: of rays */
                    const bool passes = coarse == 0 || (coarse == 7 && row == 0) ||
                                        (coarse == 8 && row == 1) ||
                                        (coarse != 7 && coarse != 8 && of_threads(event) && coarse == by[i]);
                    assert_int_equal(counted(s, event, coarse, 0, &h), passes ? 3 : 0);
                }
                for (unsigned fine = 0; fine < 16 && there; fine++) {
                    const bool passes =
                        supported(event) >> fine & 1u && (fine == 0 || fine == kind || fine == 7 + unit);
                    assert_int_equal(counted(s, event, 0, fine, &h), passes ? 3 : 0);
                }
                assert_int_equal(counted(s, 31, 0, 0, &h), 0); /* the hardware's default */
            }
        }
        streamer_destroy(s);
    }
}

/* Both filters mask; several may be one happening; a clock is of all threads that are loaded. */
static void filters_join(void **state)
{
    (void)state;
    struct streamer *s = counting("dg2");
    const struct oa_eu_event h = {.events = 1u << OA_ALU0 | 1u << OA_FP32,
                                  .instructions = 1u << OA_TERNARY,
                                  .stages = 1u << OA_STAGE_COMPUTE,
                                  .eu = 2,
                                  .count = 5};
    assert_int_equal(counted(s, OA_ALU0, 9, OA_TERNARY, &h), 5);
    assert_int_equal(counted(s, OA_FP32, 9, OA_TERNARY, &h), 5);
    assert_int_equal(counted(s, OA_FP32, 9, 9, &h), 5);
    assert_int_equal(counted(s, OA_FP32, 9, OA_MOV, &h), 0);
    assert_int_equal(counted(s, OA_FP32, 6, OA_TERNARY, &h), 0);
    assert_int_equal(counted(s, OA_FP16, 9, OA_TERNARY, &h), 0);
    const struct oa_eu_event clock = {
        .events = 1u << OA_ACTIVE, .stages = 1u << OA_STAGE_VS | 1u << OA_STAGE_PS, .count = 4};
    assert_int_equal(counted(s, OA_ACTIVE, OA_STAGE_VS, 0, &clock), 4);
    assert_int_equal(counted(s, OA_ACTIVE, OA_STAGE_PS, 0, &clock), 4);
    assert_int_equal(counted(s, OA_ACTIVE, OA_STAGE_GS, 0, &clock), 0);
    /* Slots: a count each time that all of them were occupied for a clock. */
    const struct oa_eu_event loaded = {.events = 1u << OA_OCCUPANCY, .slots = 8, .count = 5};
    uint64_t n = 0;
    for (unsigned i = 0; i < 8; i++)
        n += counted(s, OA_OCCUPANCY, 0, 0, &loaded);
    assert_int_equal(n, 5);
    const struct oa_eu_event wrong = {.events = 1u << OA_OCCUPANCY, .slots = 0, .count = UINT64_MAX};
    oa_count_eu_event(&s->device->oa, s->device->engines, &wrong);
    streamer_destroy(s);
}

/* Each register drives two counters. */
static void fourteen_counters(void **state)
{
    (void)state;
    static const uint32_t at[] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};
    for (unsigned d = 0; d < DEVICES; d++) {
        struct streamer *s = counting(devices[d]);
        for (unsigned i = 0; i < 7; i++)
            register_put(s, at[i], 0xfff000 | 0xfff);
        for (unsigned a = 7; a <= 20; a++) {
            const unsigned i = (a - 7) / 2, second = (a - 7) % 2;
            const struct oa_eu_event h = {.events = 1u << OA_STALL, .count = a};
            register_put(s, at[i], second ? 0x005fff : 0xfff005);
            oa_count_eu_event(&s->device->oa, s->device->engines, &h);
            register_put(s, at[i], 0xffffff);
            softgt_advance(s->device, 1000);
            for (unsigned other = 7; other <= 20; other++)
                assert_int_equal(counter(s, other), other <= a ? other : 0);
        }
        streamer_destroy(s);
    }
}

/* ---- Contexts ---- */

/* Where a counter of the context lies, from the engine's base. */
static uint64_t of_context(struct streamer *s, const struct engine *e, unsigned a)
{
    const uint32_t base = e->info->mmio_base;
    return a < 32 ? wide(s, base + 0x800u + a * 8u) : register_get(s, base + 0x900u + (a - 32u) * 4u);
}

static void counters_of_a_context(void **state)
{
    (void)state;
    for (unsigned d = 3; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const unsigned engines = s->device->sheet->info.engine_count;
        struct engine *first = s->device->engines, *second = NULL;
        for (unsigned i = 1; i < engines; i++)
            if (s->device->engines[i].info->class == CLASS_COMPUTE && !second)
                second = &s->device->engines[i];
        struct engine *const both[] = {first, second};
        for (unsigned i = 0; i < 2 && both[i]; i++) {
            const uint32_t base = both[i]->info->mmio_base;
            both[i]->context.valid = true;
            register_put(s, both[i]->info->class == CLASS_COMPUTE ? 0x15114 : 0x2960, 5u << 1 | 1);
            register_put(s, base + 0x360, 1);
            register_put(s, base + 0x244, 0x01000100);
            assert_true(oa_context_counts(&s->device->oa, both[i]));
        }
        tell_all(s, first);
        for (unsigned i = 0; i < EXPECTED; i++) {
            assert_int_equal(of_context(s, first, expected[i].a), expected[i].told);
            /* Shared local memory is told of all contexts, the rest of its own. */
            if (second)
                assert_int_equal(of_context(s, second, expected[i].a),
                                 expected[i].a == 30 || expected[i].a == 31 ? expected[i].told : 0);
        }
        /* The global unit is off. */
        softgt_advance(s->device, 10000);
        assert_int_equal(counter(s, 4), 0);
        first->context.valid = false;
        if (second)
            second->context.valid = false;
        streamer_destroy(s);
    }
}

/* Before Gen8 there are no such counters. */
static void earlier_parts_have_none(void **state)
{
    (void)state;
    static const char *const earlier[] = {"snb", "ivb", "hsw"};
    for (unsigned d = 0; d < 3; d++) {
        struct streamer *s = streamer_create(earlier[d]);
        const struct oa_counts before = s->device->oa.counts;
        const struct oa_eu_event h = {.events = 1u << OA_ALU0, .count = 3};
        tell_all(s, s->device->engines);
        oa_count_eu_event(&s->device->oa, s->device->engines, &h);
        softgt_advance(s->device, 1000);
        assert_memory_equal(&s->device->oa.counts, &before, sizeof before);
        streamer_destroy(s);
    }
}

/* What is not told yet is saved and loaded. */
static void what_is_left_is_saved(void **state)
{
    (void)state;
    struct streamer *s = counting("dg2"), *t = streamer_create("dg2");
    oa_count_threads(&s->device->oa, s->device->engines, OA_STAGE_PS, 1000000);
    softgt_advance(s->device, 1000);
    const size_t size = softgt_save(s->device, NULL, 0);
    void *data = malloc(size);
    assert_int_equal(softgt_save(s->device, data, size), size);
    assert_int_equal(softgt_load(t->device, data, size), 0);
    softgt_advance(s->device, 10000000);
    softgt_advance(t->device, 10000000);
    assert_int_equal(counter(s, 6), 1000000);
    assert_int_equal(counter(t, 6), 1000000);
    assert_int_equal(freely(t, 1), 1000000);
    free(data);
    streamer_destroy(s);
    streamer_destroy(t);
}

TEST_PROGRAM(observed_threads_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_is_counted),
        cmocka_unit_test(a_clock_has_so_many),
        cmocka_unit_test(some_run_freely),
        cmocka_unit_test(filters_mask),
        cmocka_unit_test(filters_join),
        cmocka_unit_test(fourteen_counters),
        cmocka_unit_test(counters_of_a_context),
        cmocka_unit_test(earlier_parts_have_none),
        cmocka_unit_test(what_is_left_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
