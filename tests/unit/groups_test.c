/* Groups of a walker on several threads of the host: what they leave is what one by one leaves, on every
 * generation that runs threads; local memory, barriers, atomics, images, groups that last long, in states
 * that are saved and loaded between, with threads and without; what goes wrong is told of the first. */
#include "../suite.h"
#include "../walks.h"

#include "../saved.h"
#include "host/workers.h"

enum { THREADS_OF_HOST = 4, IMAGE = 1792 * KB };

static struct softgt_parallel_port several;

/* The walker's commands in the ring, not run yet. */
static struct streamer *put(const char *name, bool parallel, const struct walk *w,
                            void (*kernel)(struct streamer *s, uint32_t threads))
{
    uint32_t dw[128];
    streamer_parallel = parallel ? several : (struct softgt_parallel_port){0};
    struct streamer *const s = begin(name);
    kernel(s, w->threads);
    const uint32_t count = put_walk(s, w, dw);
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE",
                  dwords_at(s, SURFACES + STATES_AT + 2 * SURFACE_STATE_BYTES),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Format", .value_name = "R32_UINT"},
                  {"Width", 1023}, {"Height", 63}, {"Surface Pitch", 4095}, {"Surface Base Address", IMAGE});
    dword_put(s, SURFACES + TABLE_AT + 8, STATES_AT + 2 * SURFACE_STATE_BYTES);
    memcpy(s->memory + RING, dw, count * 4u);
    register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
    return s;
}

static struct work_state *grid_of(struct streamer *s)
{
    return &dispatcher_of(&s->device->engines[s->engine])->work;
}

/* To the end of its walker. Returns how often groups were at hand at once. */
static unsigned run(struct streamer *s)
{
    unsigned together = 0;
    for (unsigned i = 0; softgt_run(s->device, 1) && i < 100000; i++)
        together += grid_of(s)->walker.parallel_groups != 0;
    return together;
}

static void expect_same(struct streamer *a, struct streamer *b)
{
    const struct softgt_engine_status x = streamer_status(a), y = streamer_status(b);
    assert_int_equal(x.state, y.state);
    assert_string_equal(x.why, y.why);
    assert_int_equal(x.thread_groups, y.thread_groups);
    assert_int_equal(x.threads, y.threads);
    assert_int_equal(x.invocations, y.invocations);
    assert_int_equal(x.instructions, y.instructions);
    assert_int_equal(x.memory_writes, y.memory_writes);
    assert_int_equal(x.bytes_written, y.bytes_written);
    assert_int_equal(x.faults, y.faults);
    assert_int_equal(counter_at(a, "GPGPU_THREADS_DISPATCHED"), counter_at(b, "GPGPU_THREADS_DISPATCHED"));
    for (uint32_t at = 0; memcmp(a->memory, b->memory, MEMORY_BYTES) != 0 && at < MEMORY_BYTES; at += 4)
        if (dword_at(a, at) != dword_at(b, at))
            fail_msg("%#x: %#x and %#x", at, dword_at(a, at), dword_at(b, at));
}

/* ---- Kernels ---- */

/* counter[64 * operation] by each operation that has no order, of 32 bits; of the group and the channel. */
static void put_atomics(struct streamer *s, uint32_t threads)
{
    static const uint8_t operations[] = {1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13};
    (void)threads;
    KERNEL_1(&k, EU_MOV, all, reg(8, TYPE_UD), region(has_compute_walker(s) ? 1 : 2, TYPE_UW, 16, 16, 1));
    KERNEL_2(&k, EU_SHL, all, reg(8, TYPE_UD), reg(8, TYPE_UD), imm(9, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(8, TYPE_UD), one(0, 4, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(6, TYPE_UD), imm(INT32_MAX - 15, TYPE_UD));
    for (unsigned i = 0; i < sizeof operations; i++) {
        const uint32_t operation = operations[i], values = operation == 5 || operation == 6 ? 0 : 2;
        KERNEL_1(&k, EU_MOV, all, reg(4, TYPE_UD), imm(operation * 64u, TYPE_UD));
        kernel_send(&k, all, SFID_DC1, (2u + values) << 25 | 2u << 14 | operation << 8 | 1, none(TYPE_UD),
                    reg(4, TYPE_UD), false);
    }
    kernel_end(&k);
    put_kernel(s);
}

/* counter[0] and counter[1] count up, and what lies across them; the same where a page ends; of each channel.
 */
static void put_unaligned(struct streamer *s, uint32_t threads)
{
    static const uint16_t places[] = {0, 2, 4, 4 * KB - 4, 4 * KB - 2, 4 * KB};
    (void)threads;
    for (unsigned round = 0; round < 4; round++)
        for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
            KERNEL_1(&k, EU_MOV, all, reg(4, TYPE_UD), imm(places[i], TYPE_UD));
            kernel_send(&k, all, SFID_DC1, PAYLOAD_REGISTERS(2) | UNTYPED_ATOMIC | ATOMIC_INC << 8 | 1,
                        none(TYPE_UD), reg(4, TYPE_UD), false);
        }
    kernel_end(&k);
    put_kernel(s);
}

/* image[group, row] = 4 * group + row, eight times over; then the group added to image[5, 63] by each
 * channel. On Gen12.5 image[group, row] is counted up, by atomics of the unit. */
static void put_pixels(struct streamer *s, uint32_t threads)
{
    const bool units = has_compute_walker(s);
    (void)threads;
    for (uint32_t row = 0; row < 4; row++) {
        KERNEL_1(&k, EU_MOV, whole, reg(4, TYPE_UD), one(0, 4, TYPE_UD));
        KERNEL_1(&k, EU_MOV, whole, reg(5, TYPE_UD), imm(row, TYPE_UD));
        KERNEL_2(&k, EU_SHL, whole, reg(6, TYPE_UD), one(0, 4, TYPE_UD), imm(2, TYPE_UD));
        KERNEL_2(&k, EU_ADD, whole, reg(6, TYPE_UD), reg(6, TYPE_UD), imm(row, TYPE_UD));
        kernel_send(&k, whole, units ? SFID_TGM : SFID_DC1,
                    units ? 2u << 25 | 3u << 29 | 2u << 9 | 2u << 7 | 8u
                          : 3u << 25 | 0x0du << 14 | 2u << 12 | 0xe00 | 2,
                    none(TYPE_UD), reg(4, TYPE_UD), false);
        k.i[k.count - 1].value[EU_EXTENDED] = units ? 2u << 24 : 0;
    }
    if (!units) {
        KERNEL_1(&k, EU_MOV, whole, reg(4, TYPE_UD), imm(5, TYPE_UD));
        KERNEL_1(&k, EU_MOV, whole, reg(5, TYPE_UD), imm(63, TYPE_UD));
        KERNEL_1(&k, EU_MOV, whole, reg(6, TYPE_UD), one(0, 4, TYPE_UD));
        kernel_send(&k, whole, SFID_DC1, 3u << 25 | 6u << 14 | 7u << 8 | 2, none(TYPE_UD), reg(4, TYPE_UD),
                    false);
    }
    kernel_end(&k);
    put_kernel(s);
}

/* Each thread goes round so often, each time counter++, group 3 eight times as often. */
static uint32_t rounds = 100;

static void put_long(struct streamer *s, uint32_t threads)
{
    const struct how third = {.channels = SIMD, .condition = 1, .flag = 0};
    (void)threads;
    KERNEL_1(&k, EU_MOV, all, reg(16, TYPE_UD), imm(0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_D), imm(rounds, TYPE_D));
    KERNEL_2(&k, EU_CMP, third, none(TYPE_UD), one(0, 4, TYPE_UD), imm(3, TYPE_UD));
    KERNEL_2(&k, EU_MUL, ((struct how){.channels = SIMD, .predicate = 1}), reg(20, TYPE_D), reg(20, TYPE_D),
             imm(8, TYPE_W));
    const unsigned again = k.count;
    kernel_send(&k, all, SFID_DC1, PAYLOAD_REGISTERS(2) | UNTYPED_ATOMIC | ATOMIC_INC << 8 | 1, none(TYPE_UD),
                reg(16, TYPE_UD), false);
    for (unsigned i = 0; i < 20; i++)
        KERNEL_2(&k, EU_AVG, all, reg(24, TYPE_D), reg(24, TYPE_D), reg(28, TYPE_D));
    KERNEL_2(&k, EU_ADD, ((struct how){.channels = SIMD, .condition = 2}), reg(20, TYPE_D), reg(20, TYPE_D),
             imm(UINT32_MAX, TYPE_D));
    const unsigned at_while = kernel_branch(&k, EU_WHILE, (struct how){.channels = SIMD, .predicate = 1});
    kernel_goes(&k, at_while, again, again);
    kernel_end(&k);
    put_kernel(s);
}

/* ---- The same ---- */

static const struct {
    void (*kernel)(struct streamer *s, uint32_t threads);
    struct walk walk;
} works[] = {
    {put_reversal, {.groups = {200, 1, 1}, .threads = 16, .mask = ALL_CHANNELS, .local_code = 3}},
    {put_reversal,
     {.groups = {5, 1, 1}, .start = {2, 0, 0}, .threads = 64, .mask = ALL_CHANNELS >> 8, .local_code = 3}},
    {put_atomics, {.groups = {50, 7, 3}, .start = {1, 2, 0}, .threads = 2, .mask = ALL_CHANNELS}},
    {put_atomics, {.groups = {1, 1, 1500}, .threads = 1, .mask = ALL_CHANNELS >> 4}},
    {put_pixels, {.groups = {700, 1, 1}, .threads = 1, .mask = ALL_CHANNELS}},
    {put_long, {.groups = {40, 1, 1}, .threads = 2, .mask = ALL_CHANNELS}},
};
enum { WORKS = sizeof works / sizeof works[0] };

static void as_one_by_one(void **state)
{
    (void)state;
    for (EACH_PARALLEL_DEVICE(name))
        for (unsigned i = 0; i < WORKS; i++) {
            struct streamer *const a = put(*name, false, &works[i].walk, works[i].kernel),
                                   *const b = put(*name, true, &works[i].walk, works[i].kernel);
            run(a);
            run(b);
            assert_int_equal(streamer_status(b).state, SOFTGT_ENGINE_IDLE);
            assert_true(grid_of(b)->walker.next_parallel_groups > 0); /* they came together */
            assert_int_equal(grid_of(a)->walker.next_parallel_groups, 0);
            assert_true(streamer_status(b).memory_writes > 100);
            if (works[i].kernel == put_pixels)
                assert_int_not_equal(dword_at(b, IMAGE + 300 * 4), 0); /* they came together */

            expect_same(a, b);
            streamer_destroy(a);
            streamer_destroy(b);
        }
}

/* out[group * size + id] = sr0.0. */
static void put_places(struct streamer *s, uint32_t threads)
{
    const unsigned ids = has_compute_walker(s) ? 1 : 2;
    struct op place = other(FILE_STATE, 0, 0, TYPE_UD);
    place.v = 0, place.w = 1, place.h = 0;
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), region(ids, TYPE_UW, 16, 16, 1));
    KERNEL_2(&k, EU_SHL, all, reg(4, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(12, TYPE_UD), one(0, 4, TYPE_UD),
             imm((unsigned)__builtin_ctz(threads) + 6u, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_UD), reg(12, TYPE_UD), reg(4, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(14, TYPE_UD), place);
    kernel_send(&k, all, SFID_DC1,
                PAYLOAD_REGISTERS(4) | UNTYPED_WRITE | UNTYPED_SIMD16 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                reg(12, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
}

/* Kernels of Gen12.5 have memory of their own by sr0.0: no two threads at hand at once have the same, and it
 * is the same with threads of the host and without. Bits 3 and 6 are none of it. */
static void places(void **state)
{
    (void)state;
    enum { APART = 1024 };
    for (EACH_PARALLEL_DEVICE(name))
        for (uint32_t threads = 4; threads <= 64; threads *= 4) {
            const uint32_t groups = 2 * APART / threads < 40 ? 40 : 2 * APART / threads;
            const struct walk w = {.groups = {groups, 1, 1}, .threads = threads, .mask = ALL_CHANNELS};
            struct streamer *const a = put(*name, false, &w, put_places), *const b = put(*name, true, &w,
                                                                                         put_places);
            run(a);
            run(b);
            expect_same(a, b);
            for (uint32_t group = 0; group < groups; group += APART / threads) {
                bool had[APART] = {false};
                for (uint32_t i = 0; i < APART && group * threads + i < groups * threads; i++) {
                    const uint32_t at = dword_at(a, OUT + (group * threads + i) * SIMD * 4u);
                    const uint32_t place = (at & 7u) | (at >> 4 & 3u) << 3 | at >> 7 << 5;
                    assert_int_equal(at & 0x48, 0);
                    if (has_compute_walker(a)) {
                        assert_in_range(place, 0, APART - 1);
                        assert_false(had[place]);
                        had[place] = true;
                    } else {
                        assert_int_equal(at, 0);
                    }
                }
            }
            streamer_destroy(a);
            streamer_destroy(b);
        }
}

/* out[group * SIMD + id] = its r190. */
static void put_high(struct streamer *s)
{
    k.count = 0;
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), region(1, TYPE_UW, 16, 16, 1));
    KERNEL_2(&k, EU_SHL, all, reg(4, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(12, TYPE_UD), one(0, 4, TYPE_UD), imm(6, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_UD), reg(12, TYPE_UD), reg(4, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(14, TYPE_UD), reg(190, TYPE_UD));
    kernel_send(&k, all, SFID_DC1,
                PAYLOAD_REGISTERS(4) | UNTYPED_WRITE | UNTYPED_SIMD16 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                reg(12, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
}

/* Walkers of other sizes come where one was: threads are where others' were, or their local memory. Threads
 * with more registers find zeros in those that nothing is put in. */
static void sizes_follow_each_other(void **state)
{
    (void)state;
    enum { COMPUTE_MODE = 0x61050000, BASES_DW = 19 };
    const uint32_t large = 1u << 15;
    static const struct walk walks[] = {
        {.groups = {8, 1, 1}, .threads = 64, .mask = ALL_CHANNELS, .local_code = 3},
        {.groups = {8, 1, 1}, .threads = 1, .mask = ALL_CHANNELS, .local_code = 7},
        {.groups = {16, 1, 1}, .threads = 32, .mask = ALL_CHANNELS, .local_code = 4},
        {.groups = {40, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 6},
    };
    enum { WALKS = sizeof walks / sizeof walks[0] };
    for (EACH_PARALLEL_DEVICE(name)) {
        struct streamer *both[2];
        for (unsigned parallel = 0; parallel < 2; parallel++) {
            uint32_t dw[128];
            streamer_parallel = parallel ? several : (struct softgt_parallel_port){0};
            struct streamer *const s = both[parallel] = begin(*name);
            for (unsigned i = 0; i < 2 * WALKS; i++) {
                const struct walk *const w = &walks[i % WALKS];
                k.count = 0;
                put_reversal(s, w->threads);
                batch_run(s, dw, put_walk(s, w, dw), true);
                expect_reversal(s, w);
                if (!has_compute_walker(s))
                    continue;
                const uint32_t count = put_walk(s, &walks[1], dw);
                memmove(dw + BASES_DW + 2, dw + BASES_DW, (count - BASES_DW) * 4u);
                dw[BASES_DW] = COMPUTE_MODE;
                dw[BASES_DW + 1] = large << 16 | large;
                put_high(s);
                memset(s->memory + OUT, 0xee, 8 * SIMD * 4);
                batch_run(s, dw, count + 2, true);
                assert_true(grid_of(s)->setup.large_grf);
                for (uint32_t at = 0; at < 8 * SIMD * 4; at += 4)
                    assert_int_equal(dword_at(s, OUT + at), 0);
                dw[BASES_DW + 1] = large << 16;
                batch_run(s, dw, BASES_DW + 2, true);
            }
            assert_int_equal(grid_of(s)->walker.next_parallel_groups != 0, parallel);
        }
        expect_same(both[0], both[1]);
        streamer_destroy(both[0]);
        streamer_destroy(both[1]);
    }
}

/* Where a walker's last group can be looked at behind its end, it is what it is one by one. */
static void behind_the_end(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static const uint32_t counts[] = {8, 17, 40};
    for (EACH_PARALLEL_DEVICE(name))
        for (unsigned i = 0; i < 3; i++) {
            const struct walk w = {
                .groups = {counts[i], 1, 1}, .threads = THREADS, .mask = ALL_CHANNELS, .local_code = 3};
            struct streamer *both[2];
            for (unsigned parallel = 0; parallel < 2; parallel++) {
                both[parallel] = put(*name, parallel, &w, put_reversal);
                dispatcher_of(&both[parallel]->device->engines[both[parallel]->engine])
                    ->debugger.hook_may_stop = true;
                run(both[parallel]);
                expect_reversal(both[parallel], &w);
            }
            const struct thread_dispatcher *const a = dispatcher_of(
                                                      &both[0]->device->engines[both[0]->engine]),
                                                  *const b = dispatcher_of(
                                                      &both[1]->device->engines[both[1]->engine]);
            assert_true(b->work.walker.next_parallel_groups > 0);
            assert_int_equal(a->work.group.current_thread, b->work.group.current_thread);
            assert_memory_equal(a->slm, b->slm, THREADS * SIMD * 4);
            for (unsigned n = 0; n < THREADS; n++) {
                assert_true(b->threads[n].ip > 0);
                assert_int_equal(a->threads[n].ip, b->threads[n].ip);
                assert_int_equal(a->threads[n].stop, b->threads[n].stop);
                assert_memory_equal(a->threads[n].grf, b->threads[n].grf, 128 * 32);
            }
            streamer_destroy(both[0]);
            streamer_destroy(both[1]);
        }
}

/* Groups that last: state saved in their middle goes on in a device with threads, and in one without. Each
 * save is of a whole device: not after every slice. */
static void cut_saved_and_loaded(void **state)
{
    enum { SLICES_A_SAVE = 23 };
    (void)state;
    rounds = 500;
    for (EACH_PARALLEL_DEVICE(name)) {
        const struct walk w = {.groups = {20, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
        struct streamer *const a = put(*name, false, &w, put_long), *b = put(*name, true, &w, put_long);
        unsigned within = 0;
        run(a);
        for (unsigned i = 0; softgt_run(b->device, 1); i++) {
            if (grid_of(b)->walker.parallel_groups && i % SLICES_A_SAVE == 0) {
                struct streamer *const c = put(*name, within % 2 == 0, &w, put_long);
                const struct blob x = saved(b->device);
                assert_int_equal(softgt_load(c->device, x.bytes, x.size), 0);
                const struct blob y = saved(c->device);
                assert_int_equal(x.size, y.size);
                assert_memory_equal(x.bytes, y.bytes, x.size);
                memcpy(c->memory, b->memory, MEMORY_BYTES);
                free(x.bytes);
                free(y.bytes);
                streamer_destroy(b);
                b = c;
                within++;
            }
            assert_true(i < 100000);
        }
        assert_true(within > 2);
        expect_same(a, b);
        streamer_destroy(a);
        streamer_destroy(b);
    }
    rounds = 100;
}

/* ---- What goes wrong ---- */

static char told[4][256];
static unsigned told_count;

static void hear(void *user, const struct softgt_report *report)
{
    (void)user;
    if (told_count < 4)
        snprintf(told[told_count++], sizeof told[0], "%s %s",
                 report->complaint == SOFTGT_NOT_MODELLED ? "not modelled:" : "mistake:", report->text);
}

/* out[group] = group; groups from 6 on then go where nothing is, send what no unit knows, or what one
 * knows that has no model, or wait for nobody. */
static unsigned mistake;

static void put_mistake(struct streamer *s, uint32_t threads)
{
    const struct how from = {.channels = 8, .condition = 4 /* ge */, .no_mask = true};
    (void)threads;
    KERNEL_2(&k, EU_SHL, whole, reg(4, TYPE_UD), one(0, 4, TYPE_UD), imm(6, TYPE_UD));
    KERNEL_1(&k, EU_MOV, whole, reg(5, TYPE_UD), one(0, 4, TYPE_UD));
    kernel_send(&k, ((struct how){.channels = 1, .no_mask = true}), SFID_DC1,
                PAYLOAD_REGISTERS(2) | UNTYPED_WRITE | UNTYPED_SIMD8 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                reg(4, TYPE_UD), false);
    KERNEL_2(&k, EU_CMP, from, none(TYPE_UD), one(0, 4, TYPE_UD), imm(6, TYPE_UD));
    const struct how then = {.channels = 1, .no_mask = true, .predicate = 1, .invert = true};
    const unsigned over = kernel_branch(&k, EU_JMPI, then);
    if (mistake == 0) {
        KERNEL_2(&k, EU_ADD, whole, reg(6, TYPE_UD), reg(4, TYPE_UD), imm(7u << 28, TYPE_UD));
        kernel_send(&k, ((struct how){.channels = 1, .no_mask = true}), SFID_DC1,
                    PAYLOAD_REGISTERS(1) | RESPONSE_REGISTERS(1) | UNTYPED_READ | UNTYPED_SIMD8 |
                        UNTYPED_RED_ONLY | 255,
                    reg(8, TYPE_UD), reg(6, TYPE_UD), false);
    } else if (mistake == 1) {
        kernel_send(&k, whole, SFID_DC1, 1u << 25 | 0x1fu << 14, none(TYPE_UD), reg(4, TYPE_UD), false);
    } else if (mistake == 2) {
        kernel_send(&k, whole, SFID_URB, 1u << 25 | 1u << 19, none(TYPE_UD), reg(4, TYPE_UD), false);
    } else {
        put_barrier();
        k.i[k.count - 2] = k.i[k.count - 1]; /* waits, and came to none */
        k.count--;
    }
    kernel_goes(&k, over, k.count, k.count);
    kernel_end(&k);
    put_kernel(s);
}

static void the_first_is_told(void **state)
{
    (void)state;
    const struct walk w = {.groups = {12, 1, 1}, .threads = 1, .mask = ALL_CHANNELS};
    for (EACH_PARALLEL_DEVICE(name))
        for (mistake = 0; mistake < 4; mistake++) {
            char first[4][256];
            unsigned count = 0;
            for (unsigned parallel = 0; parallel < 2; parallel++) {
                struct streamer *const s = put(*name, parallel, &w, put_mistake);
                s->reported = hear;
                told_count = 0;
                run(s);
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_STOPPED);
                assert_false(dispatch_has_work(grid_of(s)));
                assert_int_equal(grid_of(s)->group.group_id[0], 6);
                assert_int_equal(streamer_status(s).faults, mistake == 0);
                for (uint32_t group = 0; group < 7; group++)
                    assert_int_equal(dword_at(s, OUT + group * 64u), group);
                assert_true(told_count > 0);
                assert_int_equal(strncmp(told[0], "not modelled:", 13) == 0, mistake == 2);
                for (unsigned i = 0; i < told_count && parallel; i++)
                    assert_string_equal(told[i], first[i]);
                assert_true(!parallel || told_count == count);
                memcpy(first, told, sizeof first);
                count = told_count;
                /* After a reset the engine runs a walker again. */
                streamer_start(s, 0);
                k.count = 0;
                uint32_t dw[128];
                put_reversal(s, 4);
                const struct walk again = {
                    .groups = {30, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
                batch_run(s, dw, put_walk(s, &again, dw), true);
                expect_reversal(s, &again);
                streamer_destroy(s);
            }
        }
}

/* A state says of groups at hand what can be, or it is refused. */
static void made_up_states(void **state)
{
    (void)state;
    rounds = 500;
    for (EACH_PARALLEL_DEVICE(name)) {
        const struct walk w = {.groups = {20, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
        struct streamer *const s = put(*name, true, &w, put_long);
        for (unsigned i = 0; i < 100 && !grid_of(s)->walker.parallel_groups; i++)
            softgt_run(s->device, 1);
        const struct work_state right = *grid_of(s);
        assert_int_equal(right.walker.parallel_groups, 16);
        for (unsigned way = 0; way < 9; way++) {
            struct work_state *const g = grid_of(s);
            if (way == 0) /* fewer are left than are at hand */
                g->walker.end_group[0] = 15;
            else if (way == 1)
                g->group.group_id[0] = 5;
            g->phase = way == 2 ? DISPATCH_RUN : way == 6 ? DISPATCH_NEXT_WORK : g->phase;
            g->group.threads_started = way == 3;
            g->setup.payload = way == 4 ? PAYLOAD_MEDIA_OBJECT : g->setup.payload;
            g->media.group_is_partial = way == 5; /* what only objects do */
            g->media.is_walker = way == 6 || way == 7;
            g->walker.parallel_groups = way == 8 ? 0 : g->walker.parallel_groups;
            const struct blob b = saved(s->device);
            *grid_of(s) = right;
            assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
            free(b.bytes);
        }
        reload(s->device);
        streamer_destroy(s);
    }
    rounds = 100;
}

/* Atomics that others overlap, aligned and not, on whatever thread: none of them is lost. */
static void unaligned_atomics(void **state)
{
    (void)state;
    enum { GROUPS = 500, ADDED = GROUPS * 4 * SIMD };
    const struct walk w = {.groups = {GROUPS, 1, 1}, .threads = 1, .mask = ALL_CHANNELS};
    for (EACH_PARALLEL_DEVICE(name)) {
        struct streamer *const s = put(*name, true, &w, put_unaligned);
        run(s);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_true(grid_of(s)->walker.next_parallel_groups > 0);
        for (uint32_t at = COUNTER; at <= COUNTER + 4 * KB - 4; at += 4 * KB - 4) {
            const uint64_t low = ADDED + ((uint64_t)ADDED << 16);
            assert_int_equal(dword_at(s, at), (uint32_t)low);
            assert_int_equal(dword_at(s, at + 4), ADDED + (low >> 32));
        }
        streamer_destroy(s);
    }
}

/* Where memory cannot be mapped, what a walker costs is the same whatever the number of threads, and
 * whichever of them ran a group. */
static void costs_are_of_groups(void **state)
{
    (void)state;
    static const unsigned counts[] = {2, THREADS_OF_HOST, THREADS_OF_HOST, 7};
    const struct softgt_parallel_port before = several;
    rounds = 25;
    for (EACH_PARALLEL_DEVICE(name))
        for (unsigned i = 1; i < WORKS; i += 2) {
            uint64_t charged = 0, steps = 0;
            for (unsigned n = 0; n < sizeof counts / sizeof counts[0]; n++) {
                struct workers *const threads = workers_create(counts[n]);
                several = workers_port(threads);
                struct walk w = works[i].walk;
                w.groups[0] = w.groups[0] > 20 ? 20 : w.groups[0];
                struct streamer *const s = put(*name, true, &w, works[i].kernel);
                uint64_t ran = 0;
                s->unmapped = true;
                while (softgt_run(s->device, 1) && ran < 1000000)
                    ran++;
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
                assert_true(grid_of(s)->walker.next_parallel_groups > 0);
                assert_true(s->device->log.cost.charged_dw > 0);
                if (n) {
                    assert_int_equal(s->device->log.cost.charged_dw, charged);
                    assert_int_equal(ran, steps);
                }
                charged = s->device->log.cost.charged_dw;
                steps = ran;
                streamer_destroy(s);
                workers_destroy(threads);
            }
        }
    several = before;
    rounds = 100;
}

/* ---- Other contexts ---- */

/* Another context comes in between those that are at hand at once and the next, and all are done once. */
static void preempted(void **state)
{
    (void)state;
    enum { GROUPS = 120 };
    for (EACH_PARALLEL_DEVICE(name)) {
        const struct walk w = {.groups = {GROUPS, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
        uint32_t dw[128];
        unsigned away = 0;
        streamer_parallel = several;
        struct streamer *const s = begin(*name);
        put_long(s, 2);
        context_put(s, 0, dw, put_walk(s, &w, dw));
        masked_put(s, "FF_SLICE_CS_CHICKEN2", LEVEL_OF_THREADS, 0);
        masked_put(s, "CS_CHICKEN1", LEVEL_OF_THREADS, 0);
        context_submit(s, 0);
        for (unsigned turn = 0; turn < 3; turn++) {
            for (unsigned i = 0; i < 3; i++)
                softgt_run(s->device, 1);
            another_context_comes(s);
            away += streamer_status(s).thread_groups < GROUPS;
            softgt_run(s->device, 1 << 20);
            assert_false(dispatch_has_work(grid_of(s)));
            context_submit(s, 0);
        }
        while (softgt_run(s->device, 1 << 20))
            ;
        assert_true(away > 1);
        assert_int_equal(streamer_status(s).thread_groups, GROUPS);
        assert_int_equal(dword_at(s, COUNTER), (GROUPS + 7) * 100 * 2 * SIMD);
        streamer_destroy(s);
    }
}

/* ---- One by one ---- */

static bool before(void *user, struct softgt_eu_thread *t)
{
    (void)t;
    ++*(unsigned *)user;
    return true;
}

static unsigned groups_seen;

static bool before_in_group(void *user, struct softgt_eu_thread *t)
{
    struct softgt_eu_thread_info info;
    softgt_eu_thread_get_info(t, &info);
    groups_seen |= info.group[0] < 32 ? 1u << info.group[0] : 0;
    return before(user, t);
}

/* Who begins to look while groups are at hand sees each instruction that is left of all of them. */
static void watched_in_their_middle(void **state)
{
    (void)state;
    enum { GROUPS = 20 };
    rounds = 300;
    for (EACH_PARALLEL_DEVICE(name)) {
        const struct walk w = {.groups = {GROUPS, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
        struct streamer *const a = put(*name, false, &w, put_long), *const b = put(*name, true, &w, put_long);
        unsigned seen = 0;
        const struct softgt_eu_hooks hooks = {.user = &seen, .before = before_in_group};
        run(a);
        while (softgt_run(b->device, 1) &&
               !(grid_of(b)->walker.parallel_groups && streamer_status(b).instructions))
            ;
        assert_true(grid_of(b)->walker.parallel_groups > 1);
        assert_true(streamer_status(b).instructions > 0);
        const uint64_t unseen = streamer_status(b).instructions;
        groups_seen = 0;
        assert_int_equal(softgt_watch_threads(b->device, &hooks), 0);
        run(b);
        assert_int_equal(groups_seen, (1u << GROUPS) - 1u);
        assert_int_equal(seen, streamer_status(b).instructions - unseen);
        expect_same(a, b);
        streamer_destroy(a);
        streamer_destroy(b);
    }
    rounds = 100;
}

/* Those that are watched, or have scratch memory, which is of a thread by its number in the group. */
static void one_by_one(void **state)
{
    (void)state;
    for (EACH_PARALLEL_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            enum { VFE_SCRATCH_DW = 19 + 1 }; /* behind the bases */
            const struct walk w = {.groups = {40, 1, 1}, .threads = 2, .mask = ALL_CHANNELS, .local_code = 3};
            struct streamer *const s = put(*name, true, &w, put_reversal);
            unsigned seen = 0;
            const struct softgt_eu_hooks hooks = {.user = &seen, .before = before};
            if (way == 0)
                assert_int_equal(softgt_watch_threads(s->device, &hooks), 0);
            else if (!has_compute_walker(s)) /* which has no such command here */
                dword_put(s, RING + VFE_SCRATCH_DW * 4u, 2 * KB * KB);
            run(s);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(streamer_status(s).thread_groups, 40);
            assert_int_equal(grid_of(s)->walker.next_parallel_groups != 0, way && has_compute_walker(s));
            assert_true(way || seen > 40);
            expect_reversal(s, &w);
            streamer_destroy(s);
        }
}

/* ---- A debugger that holds the device ---- */

struct holding {
    struct softgt *device;
    unsigned places, holds;
    bool comes_again;
};

/* Holds at every third place, which then comes once more. */
static bool hold(struct holding *h)
{
    if (h->comes_again) {
        h->comes_again = false;
        return false;
    }
    if (h->places++ % 3)
        return false;
    h->holds++;
    h->comes_again = true;
    device_hold(h->device, true);
    return true;
}

static bool hold_instruction(void *user, struct softgt_eu_thread *t)
{
    (void)t;
    return !hold(user);
}

static void hold_command(void *user, const struct softgt_event *e)
{
    if (e->what == SOFTGT_TRACE_COMMANDS && !e->is_late)
        hold(user);
}

/* Lets the device go on wherever it is held, and looks that nothing runs while it is. */
static void run_held(struct streamer *s)
{
    bool more = true;
    for (unsigned i = 0; i < 100000 && more; i++) {
        more = softgt_run(s->device, UINT64_MAX);
        if (!device_is_held(s->device))
            continue;
        const struct softgt_engine_status before = streamer_status(s);
        assert_false(softgt_run(s->device, UINT64_MAX));
        assert_int_equal(streamer_status(s).commands, before.commands);
        assert_int_equal(streamer_status(s).instructions, before.instructions);
        device_hold(s->device, false);
        more = true;
    }
    assert_false(more);
}

/* What is held before instructions and commands does the same, to the bit; also from the middle of groups in
 * parallel. */
static void held(void **state)
{
    (void)state;
    enum { INSTRUCTIONS, COMMANDS, FROM_THE_MIDDLE, WAYS };
    for (EACH_PARALLEL_DEVICE(name))
        for (unsigned way = 0; way < WAYS; way++) {
            const struct walk w = {.groups = {6, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
            struct streamer *const a = put(*name, false, &w, put_long), *const b =
                                                                            put(*name, way == FROM_THE_MIDDLE,
                                                                                &w, put_long);
            struct holding h = {.device = b->device};
            const struct softgt_eu_hooks hooks = {.user = &h, .before = hold_instruction};
            run(a);
            if (way == FROM_THE_MIDDLE)
                softgt_run(b->device, 1);
            if (way == COMMANDS)
                b->device->log.trace = (struct softgt_trace_port){&h, SOFTGT_TRACE_COMMANDS, hold_command};
            else
                assert_true(device_watch_threads(b->device, &hooks));
            run_held(b);
            assert_true(h.holds > 0);
            if (way == COMMANDS)
                b->device->log.trace = (struct softgt_trace_port){0};
            else
                assert_true(device_watch_threads(b->device, NULL));
            expect_same(a, b);
            streamer_destroy(a);
            streamer_destroy(b);
        }
}

TEST_PROGRAM(groups_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_by_one),
        cmocka_unit_test(places),
        cmocka_unit_test(sizes_follow_each_other),
        cmocka_unit_test(behind_the_end),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(the_first_is_told),
        cmocka_unit_test(made_up_states),
        cmocka_unit_test(preempted),
        cmocka_unit_test(one_by_one),
        cmocka_unit_test(costs_are_of_groups),
        cmocka_unit_test(unaligned_atomics),
        cmocka_unit_test(watched_in_their_middle),
        cmocka_unit_test(held),
    };
    struct workers *const workers = workers_create(THREADS_OF_HOST);
    several = workers_port(workers);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    workers_destroy(workers);
    return failed;
}
