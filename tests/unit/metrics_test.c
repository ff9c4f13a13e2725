/* Mesa's metric equations (src/intel/perf, RenderBasic and sets with the same names) on reports of an idle, a
 * busy and a half busy GT with timing. (REN-25, SYS-18, SYS-20) */
#include "../suite.h"
#include "../walks.h"

#include "engine/execution.h"

enum { BUFFER = USER_DATA, REPORT_BYTES = 256 };

static struct streamer *timed(const char *device)
{
    struct streamer *s = streamer_create(device);
    for (unsigned i = 0; i < s->device->sheet->info.engine_count; i++)
        s->device->engines[i].time_model.costs = s->device->sheet->costs;
    return s;
}

/* A generation's registers, by their names, and its clocks. */
struct counters {
    const char *device, *timer, *start_1, *start_5, *buffer, *head, *tail, *control;
    uint32_t buffer_flags, exponent;
    uint64_t timestamp_hz;
    uint32_t frequency_mhz;
    bool memory; /* A36 and A37 count 128 bytes */
};
#define GEN9_REGISTERS                                                                                       \
    "OACTXCONTROL", "OASTARTTRIG2", "OASTARTTRIG6", "OABUFFER", "OAHEADPTR", "OATAILPTR", "OACONTROL"
#define GEN12_REGISTERS                                                                                      \
    "OAGLBCTXCTRL", "OAG_OASTARTTRIG2", "OAG_OASTARTTRIG6", "OAG_OABUFFER", "OAG_OAHEADPTR",                 \
        "OAG_OATAILPTR", "OAG_OACONTROL"
static const struct counters kinds[] = {
    {"skl", GEN9_REGISTERS, 1, 8, 12000000, 350, false},
    {"icl", GEN9_REGISTERS, 1, 8, 12000000, 350, false},
    {"tgl", GEN12_REGISTERS, 0, 8, 12000000, 350, false},
    {"dg2", GEN12_REGISTERS, 0, 10, 38400000, 350, true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The second dword of a start trigger: it triggers at once. */
#define START_AT_ONCE (0xf08u << 20)

static void observe(struct streamer *s, const struct counters *u)
{
    reg_put(s, u->timer, u->exponent << 2 | 2 | 1);
    reg_put(s, u->start_1, START_AT_ONCE);
    reg_put(s, u->start_5, START_AT_ONCE);
    if (u->memory)
        reg_put(s, "SQCNT1", 1u << 29);
    reg_put(s, u->buffer, BUFFER | u->buffer_flags);
    reg_put(s, u->head, BUFFER);
    reg_put(s, u->tail, BUFFER);
    reg_put(s, u->control, 5u << 2 | 1);
}

static void go_on(struct streamer *s, uint64_t ns)
{
    const uint64_t end_ns = softgt_now_ns(s->device) + ns;
    while (softgt_now_ns(s->device) < end_ns) {
        softgt_run(s->device, 4096);
        const uint64_t at_ns = softgt_next_run_ns(s->device), until_ns = at_ns < end_ns ? at_ns : end_ns;
        softgt_advance(s->device, until_ns - softgt_now_ns(s->device));
    }
}

/* A batch that stores and starts itself again. */
static void work(struct streamer *s)
{
    enum { STORE_DW = 4, START_DW = 4 };
    uint32_t dw[2 * STORE_DW + START_DW];
    assemble(s->device, s->engine, dw,
             "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = 1\n"
             "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = 2\n"
             "MI_BATCH_BUFFER_START batch_buffer_start_address = %u\n"
             "MI_NOOP",
             DATA, DATA + 64, BATCH);
    memcpy(s->memory + BATCH, dw, sizeof dw);
    ring_run(s, dw + 2 * STORE_DW, START_DW);
}

static void rest(struct streamer *s)
{
    dword_put(s, BATCH, MI_BATCH_BUFFER_END);
    go_on(s, 3000);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* What readers accumulate between two reports. */
struct metrics {
    uint64_t time_ns, clocks;
    double frequency_mhz, gpu_busy, eu_active, eu_stall, read_bytes, write_bytes;
    double both_active, pipe_active[2], send_active, instructions_a_clock; /* of sets for compute */
};

static uint64_t a_of(const struct streamer *s, uint32_t at, unsigned n)
{
    return dword_at(s, at + 16 + n * 4u) | (uint64_t)s->memory[at + 160 + n] << 32;
}

/* The percentage of time in which a counter of all execution units counted. */
static double active(const struct streamer *s, uint32_t from, uint32_t to, unsigned a)
{
    const double cores = 24;
    const uint32_t clocks = dword_at(s, to + 12) - dword_at(s, from + 12);
    return (double)(a_of(s, to, a) - a_of(s, from, a)) / cores * 100 / clocks;
}

static struct metrics between(const struct streamer *s, const struct counters *u, uint32_t from, uint32_t to)
{
    const uint32_t ticks = dword_at(s, to + 4) - dword_at(s, from + 4),
                   clocks = dword_at(s, to + 12) - dword_at(s, from + 12);
    struct metrics m = {.time_ns = (uint64_t)ticks * 1000000000u / u->timestamp_hz, .clocks = clocks};
    m.frequency_mhz = (double)clocks * 1e3 / (double)m.time_ns;
    const uint64_t busy =
        u->memory ? dword_at(s, to + 16) - dword_at(s, from + 16) : a_of(s, to, 0) - a_of(s, from, 0);
    m.gpu_busy = (double)busy * 100 / clocks;
    m.eu_active = active(s, from, to, 7);
    m.eu_stall = active(s, from, to, 8);
    m.both_active = active(s, from, to, 9);
    m.pipe_active[0] = active(s, from, to, 10);
    m.pipe_active[1] = active(s, from, to, 11);
    m.send_active = active(s, from, to, 12);
    m.instructions_a_clock = 1 + m.both_active / (m.pipe_active[0] + m.pipe_active[1] - m.both_active);
    m.read_bytes = 128.0 * (dword_at(s, to + 160) - dword_at(s, from + 160));
    m.write_bytes = 128.0 * (dword_at(s, to + 184) - dword_at(s, from + 184));
    return m;
}

static void assert_near(double value, double wanted, double by)
{
    if (value < wanted - by || value > wanted + by)
        fail_msg("%g is not %g +- %g", value, wanted, by);
}

static void equations_hold(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        const struct counters *const u = &kinds[i];
        struct streamer *s = timed(u->device);
        uint32_t marks[4];
        if (u->memory) /* fetches are not counted, stores are */
            driver_map_ggtt(&s->driver, DATA, MEMORY_LOCAL | DATA, PAGE_BYTES);
        observe(s, u);
        go_on(s, 300000);
        marks[0] = reg_get(s, u->tail) - REPORT_BYTES;
        go_on(s, 1000000); /* idle */
        marks[1] = reg_get(s, u->tail) - REPORT_BYTES;
        const uint64_t bytes = streamer_status(s).bytes_written;
        work(s);
        go_on(s, 1000000); /* busy */
        marks[2] = reg_get(s, u->tail) - REPORT_BYTES;
        const uint64_t stored = streamer_status(s).bytes_written - bytes;
        rest(s);
        const uint64_t half_ns = softgt_now_ns(s->device);
        for (unsigned n = 0; n < 8; n++) { /* half the time */
            work(s);
            go_on(s, 100000 - 3000);
            rest(s);
            go_on(s, 100000);
        }
        marks[3] = reg_get(s, u->tail) - REPORT_BYTES;
        assert_true(softgt_now_ns(s->device) - half_ns == 1600000);
        const struct metrics idle = between(s, u, marks[0], marks[1]),
                             busy = between(s, u, marks[1], marks[2]),
                             half = between(s, u, marks[2], marks[3]);
        assert_near(idle.gpu_busy, 0, 0);
        assert_near(busy.gpu_busy, 97, 3); /* from the report before it began on */
        assert_near(half.gpu_busy, 51, 4);
        const struct metrics *const every[] = {&idle, &busy, &half};
        for (unsigned n = 0; n < 3; n++) {
            assert_near(every[n]->frequency_mhz, u->frequency_mhz, 1);
            assert_near(every[n]->eu_active, 0, 0); /* no thread runs */
            assert_near(every[n]->eu_stall, 0, 0);
            assert_near((double)every[n]->time_ns, n == 2 ? 1603000 : 1000000, 100000);
        }
        if (u->memory) {
            assert_near(idle.read_bytes + idle.write_bytes, 0, 0);
            assert_near(busy.write_bytes, (double)stored, 0.06 * (double)stored + 256);
            assert_near(busy.read_bytes, 0, 0);
        }
        /* The sum over the reports is the whole. */
        double parts = 0;
        for (uint32_t at = marks[1]; at < marks[2]; at += REPORT_BYTES) {
            const struct metrics m = between(s, u, at, at + REPORT_BYTES);
            assert_true(m.gpu_busy >= 0 && m.gpu_busy <= 100);
            parts += m.gpu_busy * (double)m.clocks;
        }
        assert_near(parts / (double)busy.clocks, busy.gpu_busy, 0.01);
        streamer_destroy(s);
    }
}

/* Sets for compute: A7 active, A8 stalled, A9 both pipes, A10 and A11 one each, A12 messages. A walk of known
 * instructions is as long active, in each pipe, as they are many. */
static void equations_of_pipes_hold(void **state)
{
    (void)state;
    enum { FLOATS = 6, INTEGERS = 4, RECIPROCALS = 2, MESSAGES = 1, GROUPS = 64, THREADS = 16 };
    for (unsigned i = 0; i < KINDS; i++) {
        const struct counters *const u = &kinds[i];
        const struct walk w = {.groups = {GROUPS, 1, 1}, .threads = THREADS, .mask = UINT16_MAX};
        struct streamer *const s = timed(u->device);
        uint32_t dw[128], marks[3];
        k.set = dispatcher_of(&s->device->engines[0])->set;
        k.count = 0;
        for (unsigned n = 0; n < FLOATS; n++)
            KERNEL_3(&k, EU_MAD, whole, reg(24, TYPE_F), reg(26, TYPE_F), reg(26, TYPE_F), reg(26, TYPE_F));
        for (unsigned n = 0; n < INTEGERS; n++)
            KERNEL_2(&k, EU_XOR, all, reg(20, TYPE_UD), reg(22, TYPE_UD), reg(22, TYPE_UD));
        for (unsigned n = 0; n < RECIPROCALS; n++)
            KERNEL_1(&k, EU_MATH, ((struct how){.channels = SIMD, .function = 1}), reg(24, TYPE_F),
                     reg(26, TYPE_F));
        kernel_end(&k);
        put_kernel(s);
        const bool apart = k.set == &eu_gen125; /* integers have the second pipe, else math */
        const double clock = (double)GROUPS * THREADS / 24, threads = GROUPS * THREADS;
        observe(s, u);
        reg_put(s, "rcs0.EU_PERF_CNT_CTL0", 5u << 12 | 4);
        reg_put(s, "rcs0.EU_PERF_CNT_CTL1", 3);
        reg_put(s, "rcs0.EU_PERF_CNT_CTL2", 2u << 12 | 1);
        go_on(s, 300000);
        marks[0] = reg_get(s, u->tail) - REPORT_BYTES;
        batch_run(s, dw, put_walk(s, &w, dw), true);
        for (unsigned n = 0; n < 1000 && streamer_status(s).state != SOFTGT_ENGINE_IDLE; n++)
            go_on(s, 100000);
        go_on(s, 300000);
        assert_int_equal(streamer_status(s).threads, (uint64_t)threads);
        marks[1] = reg_get(s, u->tail) - REPORT_BYTES;
        go_on(s, 1000000);
        marks[2] = reg_get(s, u->tail) - REPORT_BYTES;
        const struct metrics ran = between(s, u, marks[0], marks[1]),
                             rests = between(s, u, marks[1], marks[2]);
        const double percent = clock * 100 / (double)ran.clocks;
        assert_near(ran.eu_active, (FLOATS + INTEGERS + RECIPROCALS + MESSAGES) * percent, 1e-9);
        assert_near(ran.eu_stall + ran.both_active, 0, 0);
        assert_near(ran.pipe_active[0], (apart ? FLOATS : FLOATS + INTEGERS) * percent, 1e-9);
        assert_near(ran.pipe_active[1], (apart ? INTEGERS : RECIPROCALS) * percent, 1e-9);
        assert_near(ran.send_active, MESSAGES * percent, 1e-9);
        assert_near(ran.instructions_a_clock, 1, 0);
        assert_near(rests.eu_active + rests.pipe_active[0] + rests.pipe_active[1] + rests.send_active, 0, 0);
        streamer_destroy(s);
    }
}

/* SYS-04: a virtual function's context gets no reports through the GGTT, not from its ring either. */
static void functions_have_no_global_reports(void **state)
{
    (void)state;
    for (unsigned function = 0; function < 2; function++) {
        struct streamer *s = streamer_create("dg2");
        struct engine *e = &s->device->engines[0];
        uint32_t dw[4];
        enum { REPORT_ID = 1234 };
        assert_int_equal(assemble(s->device, 0, dw,
                                  "MI_REPORT_PERF_COUNT use_global_gtt, memory_address = %u, report_id = %u",
                                  DATA, REPORT_ID),
                         4);
        const uint16_t row = command_find(e->commands.set, e->info->class, dw[0]);
        struct execution x = {.engine = e,
                              .command = e->commands.set->rows[row],
                              .dw = dw,
                              .length_dw = 4,
                              .header = dw[0],
                              .accessor = &e->accessor.privileged,
                              .privileged = true};
        e->mmu.function = (uint8_t)function;
        assert_int_equal(x.command->execute(&x), OUTCOME_DONE);
        assert_int_equal(dword_at(s, DATA), function ? 0 : REPORT_ID);
        assert_int_equal(streamer_status(s).dropped, function);
        e->mmu.function = 0;
        streamer_destroy(s);
    }
}

TEST_PROGRAM(metrics_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_hold),
        cmocka_unit_test(equations_of_pipes_hold),
        cmocka_unit_test(functions_have_no_global_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
