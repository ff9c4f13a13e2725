/* Media objects: alone, in groups of commands, and where the loops of MEDIA_OBJECT_WALKER come to, on every
 * generation that has them and runs threads; and indirect dispatches of Gen12.5. (IVB PRM vol 2 part 2) */
#include "../suite.h"
#include "../walks.h"

#include "../saved.h"

static const char *const media_devices[] = {"bdw", "skl", "icl", "ehl", "tgl"};
#define EACH_MEDIA_DEVICE(name)                                                                              \
    const char *const *name = media_devices;                                                                 \
    name < media_devices + 5;                                                                                \
    name++

enum {
    MI_ARB_CHECK = 0x05 << 23,
    MARK_DW = 4,
    NUMBERS = 11255808,
    FIRST_MARK = MARKED,
    SECOND_MARK = MARKED + 64
};

static void count_report(void *user, const struct softgt_report *report)
{
    (void)report;
    ++*(unsigned *)user;
}

static uint32_t put_mark(uint32_t *dw, uint32_t at)
{
    const uint32_t mark[MARK_DW] = {0x20 << 23 | 1 << 22 | 2, at, 0, 77};
    memcpy(dw, mark, sizeof mark);
    return MARK_DW;
}

/* Slices until it is there; false: it never was. */
static bool run_to_mark(struct streamer *s, uint32_t at, unsigned slices)
{
    for (unsigned i = 0; i < slices && dword_at(s, at) != 77; i++)
        softgt_run(s->device, 1);
    return dword_at(s, at) == 77;
}

/* The second context does nothing but say so. */
static void put_second(struct streamer *s)
{
    uint32_t dw[MARK_DW];
    dword_put(s, SECOND_MARK, 0);
    context_put(s, 1, dw, put_mark(dw, SECOND_MARK));
    context_submit(s, 1);
}

enum { WIDE = 64, COLORS = 4 };
static const struct how first = {.channels = 1, .no_mask = true};

/* Bases, the front end and a descriptor without constants. */
static uint32_t put_state(struct streamer *s, unsigned threads, unsigned local_code, uint32_t *dw)
{
    const struct walk w = {.groups = {1, 1, 1}, .threads = 1, .local_code = local_code};
    const uint32_t descriptor[8] = {0, 0, 0, 0, TABLE_AT, 0, local_code_of(s, local_code) << 16 | threads, 0};
    const uint32_t count = put_walk(s, &w, dw) - 15;
    memcpy(s->memory + DYNAMIC, descriptor, sizeof descriptor);
    return count;
}

/* out[(y * WIDE + x) * COLORS + color] = the order in which the thread came, from 1 on. */
static void put_order(struct streamer *s)
{
    KERNEL_1(&k, EU_MOV, whole, reg(16, TYPE_UD), imm(0, TYPE_UD));
    kernel_send(&k, first, SFID_DC1,
                PAYLOAD_REGISTERS(1) | RESPONSE_REGISTERS(1) | UNTYPED_ATOMIC | ATOMIC_RETURNS |
                    ATOMIC_SIMD8 | ATOMIC_INC << 8 | 1,
                reg(18, TYPE_UD), reg(16, TYPE_UD), false);
    KERNEL_2(&k, EU_SHR, first, one(20, 0, TYPE_UD), one(0, 4, TYPE_UD), imm(16, TYPE_UD));
    KERNEL_2(&k, EU_SHL, first, one(20, 0, TYPE_UD), one(20, 0, TYPE_UD), imm(6, TYPE_UD));
    KERNEL_2(&k, EU_AND, first, one(21, 0, TYPE_UD), one(0, 4, TYPE_UD), imm(UINT16_MAX, TYPE_UD));
    KERNEL_2(&k, EU_ADD, first, one(20, 0, TYPE_UD), one(20, 0, TYPE_UD), one(21, 0, TYPE_UD));
    KERNEL_2(&k, EU_SHL, first, one(20, 0, TYPE_UD), one(20, 0, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_AND, first, one(21, 0, TYPE_UD), one(0, 8, TYPE_UD), imm(15, TYPE_UD));
    KERNEL_2(&k, EU_ADD, first, one(20, 0, TYPE_UD), one(20, 0, TYPE_UD), one(21, 0, TYPE_UD));
    KERNEL_2(&k, EU_SHL, first, one(4, 0, TYPE_UD), one(20, 0, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_ADD, first, one(5, 0, TYPE_UD), one(18, 0, TYPE_UD), imm(1, TYPE_UD));
    kernel_send(&k, first, SFID_DC1,
                PAYLOAD_REGISTERS(2) | UNTYPED_WRITE | UNTYPED_SIMD8 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                reg(4, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
}

static uint32_t order_at(const struct streamer *s, uint32_t x, uint32_t y, uint32_t color)
{
    return dword_at(s, OUT + ((y * WIDE + x) * COLORS + color) * 4u);
}

/* x and y of each. */
struct loops {
    int block[2], start[2], outer[2], inner[2], resolution[2], global_start[2], global_outer[2],
        global_inner[2];
    int middle[2];
    unsigned extra, last_color, count, global_count;
};

static uint32_t pair(const int v[2], unsigned bits)
{
    const uint32_t mask = (1u << bits) - 1u;
    return ((uint32_t)v[0] & mask) | ((uint32_t)v[1] & mask) << 16;
}

static uint32_t put_loops(uint32_t *dw, const struct loops *l)
{
    const uint32_t walker[18] = {0x71030000 | 16,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 l->last_color << 24 | l->extra << 16 | ((uint32_t)l->middle[1] & 3u) << 12 |
                                     ((uint32_t)l->middle[0] & 3u) << 8,
                                 l->global_count << 16 | l->count,
                                 pair(l->block, 11),
                                 pair(l->start, 11),
                                 0,
                                 pair(l->outer, 12),
                                 pair(l->inner, 12),
                                 pair(l->resolution, 11),
                                 pair(l->global_start, 12),
                                 pair(l->global_outer, 12),
                                 pair(l->global_inner, 12),
                                 0};
    memcpy(dw, walker, sizeof walker);
    return 18;
}

/* One block that is all, by lines of which an outer step leads to the next. */
static struct loops block_of(int x, int y, int outer_x, int outer_y, int inner_x, int inner_y)
{
    return (struct loops){.block = {x, y},
                          .outer = {outer_x, outer_y},
                          .inner = {inner_x, inner_y},
                          .resolution = {x, y},
                          .global_outer = {x, 0},
                          .global_inner = {0, y},
                          .count = 4095,
                          .global_count = 4095};
}

static void run_loops(struct streamer *s, const struct loops *l)
{
    uint32_t dw[128], count = put_state(s, 1, 0, dw);
    k.count = 0;
    put_order(s);
    memset(s->memory + OUT, 0, BUFFER_BYTES);
    dword_put(s, COUNTER, 0);
    batch_run(s, dw, count + put_loops(dw + count, l), true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

/* The walks that the manual shows: along rows and columns, down from the upper right at 45 and 26.5 degrees,
 * and by pairs of rows, of which a middle step goes to the second. */
static void patterns(void **state)
{
    (void)state;
    static const struct pattern {
        int outer[2], inner[2], middle[2];
        unsigned extra;
    } all_of_them[] = {
        {{0, 1}, {1, 0}, {0, 0}, 0},  {{1, 0}, {0, 1}, {0, 0}, 0},  {{1, 0}, {-1, 1}, {0, 0}, 0},
        {{1, 0}, {-2, 1}, {0, 0}, 0}, {{1, 0}, {-2, 2}, {0, 1}, 1}, {{2, 0}, {0, 2}, {0, 0}, 0},
    };
    enum { W = 9, H = 6 };
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        for (unsigned i = 0; i < sizeof all_of_them / sizeof all_of_them[0]; i++) {
            const struct pattern *const p = &all_of_them[i];
            struct loops l = block_of(W, H, p->outer[0], p->outer[1], p->inner[0], p->inner[1]);
            uint32_t order = 0;
            memcpy(l.middle, p->middle, sizeof l.middle);
            l.extra = p->extra;
            run_loops(s, &l);
            for (int line = 0; line < 40; line++)
                for (int middle = 0; middle <= (int)p->extra; middle++)
                    for (int at = 0; at < 40; at++) {
                        const int x = line * p->outer[0] + middle * p->middle[0] + at * p->inner[0];
                        const int y = line * p->outer[1] + middle * p->middle[1] + at * p->inner[1];
                        if (x >= 0 && x < W && y >= 0 && y < H)
                            assert_int_equal(order_at(s, (uint32_t)x, (uint32_t)y, 0), ++order);
                    }
            assert_int_equal(order, i == 5 ? 15 : W * H);
            assert_int_equal(dword_at(s, COUNTER), order);
        }
        streamer_destroy(s);
    }
}

/* Blocks of 8 by 8 in 20 by 20, from each corner: what is left over is walked, too. Colors: each place as
 * often. */
static void blocks_and_colors(void **state)
{
    (void)state;
    static const int corners[4][2] = {{0, 0}, {16, 16}, {12, 12}, {16, 0}};
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        for (unsigned corner = 0; corner < 4; corner++)
            for (unsigned colors = 1; colors <= 3; colors += 2) {
                struct loops l = block_of(8, 8, 0, 1, 1, 0);
                l.last_color = colors - 1u;
                for (unsigned i = 0; i < 2; i++) {
                    l.resolution[i] = 20;
                    l.global_start[i] = corners[corner][i];
                }
                l.global_outer[0] = 0;
                l.global_outer[1] = corners[corner][1] ? -8 : 8;
                l.global_inner[0] = corners[corner][0] ? -8 : 8;
                l.global_inner[1] = 0;
                run_loops(s, &l);
                for (uint32_t y = 0; y < 24; y++)
                    for (uint32_t x = 0; x < 24; x++)
                        for (uint32_t c = 0; c < COLORS; c++)
                            assert_true(!order_at(s, x, y, c) == !(x < 20 && y < 20 && c < colors));
                assert_int_equal(dword_at(s, COUNTER), 400 * colors);
                assert_int_equal(order_at(s, 1, 0, 0), order_at(s, 0, 0, 0) + colors);
            }
        assert_int_equal(streamer_status(s).thread_groups, 4 * 4 * 400);
        streamer_destroy(s);
    }
}

/* Cut and saved anywhere, and preempted: the same. A walk that goes nowhere, and one that never ends, are
 * bounded. */
static void cut_and_preempted(void **state)
{
    (void)state;
    for (EACH_MEDIA_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            struct loops l = block_of(50, 40, 1, 0, -2, 1);
            uint32_t dw[128], count = put_state(s, 1, 0, dw), order = 0;
            unsigned away = 0;
            put_order(s);
            count += put_loops(dw + count, &l);
            context_put(s, 0, dw, count);
            context_submit(s, 0);
            for (unsigned i = 0; i < 1000 && dword_at(s, COUNTER) < 2000; i++) {
                const uint32_t before = dword_at(s, COUNTER);
                for (unsigned slices = 0; slices < 100 && dword_at(s, COUNTER) < before + 7; slices++)
                    softgt_run(s->device, 1);
                if (way) {
                    context_put(s, 1, dw, 0);
                    context_submit(s, 1);
                    softgt_run(s->device, 1 << 20);
                    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
                    away += dword_at(s, COUNTER) < 2000;
                    context_submit(s, 0);
                }
                reload(s->device);
            }
            assert_true(way == 0 || away > 3);
            assert_int_equal(dword_at(s, COUNTER), 2000);
            for (int line = 0; line < 200; line++)
                for (int at = 0; at < 40; at++)
                    if (line - 2 * at >= 0 && line - 2 * at < 50)
                        assert_int_equal(order_at(s, (uint32_t)(line - 2 * at), (uint32_t)at, 0), ++order);
            streamer_destroy(s);
        }
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct loops l = block_of(3, 3, 0, 0, 0, 0);
        l.resolution[0] = 0;
        run_loops(s, &l); /* nothing is there */
        assert_int_equal(dword_at(s, COUNTER), 0);
        l = block_of(3, 3, 0, 1, 1, 0);
        l.global_inner[1] = l.global_outer[0] = 0;
        l.global_count = 0;
        run_loops(s, &l); /* no step: once */
        assert_int_equal(dword_at(s, COUNTER), 9);
        l = block_of(2047, 2047, 2047, 0, -1, 0);
        l.global_inner[0] = 1;
        l.resolution[0] = l.resolution[1] = 2047;
        uint32_t dw[128], count = put_state(s, 1, 0, dw);
        count += put_loops(dw + count, &l);
        memcpy(s->memory + RING + 0x800, dw, count * 4u);
        register_put(s, s->base + RING_BUFFER_HEAD, 0x800);
        register_put(s, s->base + RING_BUFFER_TAIL, 0x800 + ((count * 4u + 7u) & ~7u));
        for (unsigned i = 0; i < 10; i++)
            softgt_run(s->device, 1);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_RUNNING);
        streamer_destroy(s);
    }
}

static void keep_kind(void *user, const struct softgt_report *report)
{
    if (strncmp(report->text, "thread ", 7) == 0) /* the engine's stop is told as well */
        *(enum softgt_complaint *)user = report->complaint;
}

/* A message that hardware has and the model has not stops the engine, as what is the guest's mistake does;
 * but it is told as not modelled. */
static void messages_without_a_model(void **state)
{
    (void)state;
    for (EACH_MEDIA_DEVICE(name))
        for (unsigned known = 0; known < 2; known++) {
            struct streamer *const s = begin(*name);
            uint32_t dw[128], count = put_state(s, 1, 0, dw);
            enum softgt_complaint told = SOFTGT_HOST_FAILURE;
            s->reported = keep_kind;
            s->user = &told;
            kernel_send(&k, whole, SFID_URB, 1u << 25 | 1u << 19 | (known ? 0 : 15), none(TYPE_UD),
                        reg(0, TYPE_UD), false);
            kernel_end(&k);
            put_kernel(s);
            const uint32_t object[] = {0x71000000 | 4, 0, 0, 0, 0, 0};
            memcpy(dw + count, object, sizeof object);
            batch_run(s, dw, count + 6, true);
            assert_int_equal(told, known ? SOFTGT_NOT_MODELLED : SOFTGT_GUEST_ERROR);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_STOPPED);
            streamer_destroy(s);
        }
}

/* Threads that would spawn others, or wait for that: told, for each command. */
static void children(void **state)
{
    (void)state;
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[128], count = put_state(s, 1, 0, dw);
        unsigned told = 0;
        s->reported = count_report;
        s->user = &told;
        kernel_end(&k);
        put_kernel(s);
        const uint32_t objects[] = {0x71000000 | 4, 0, 0,       0, 0, 0, 0x71000000 | 4, 0, 1u << 31, 0, 0, 0,
                                    0x71000000 | 4, 0, 1 << 24, 0, 0, 0};
        memcpy(dw + count, objects, sizeof objects);
        batch_run(s, dw, count + 18, true);
        assert_int_equal(told, 2);
        assert_int_equal(streamer_status(s).threads, 3);
        streamer_destroy(s);
    }
}

/* Objects have their place in r0, and inline data behind that. */
static void places_and_inline_data(void **state)
{
    (void)state;
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[128], count = put_state(s, 1, 0, dw);
        put_order(s);
        const uint32_t objects[] = {0x71000000 | 4, 0, 0, 0, 5u << 16 | 9, 2u << 16,
                                    0x71000000 | 4, 0, 0, 0, 8u << 16 | 3, 1u << 16};
        memcpy(dw + count, objects, sizeof objects);
        batch_run(s, dw, count + 12, true);
        assert_int_equal(order_at(s, 9, 5, 2), 1);
        assert_int_equal(order_at(s, 3, 8, 1), 2);
        /* A persistent root thread: out[0..7] = its first eight dwords. */
        k.count = 0;
        for (unsigned i = 0; i < 8; i++)
            KERNEL_1(&k, EU_MOV, first, one(4, i * 4u, TYPE_UD), imm(i * 4u, TYPE_UD));
        KERNEL_1(&k, EU_MOV, whole, reg(5, TYPE_UD), reg(1, TYPE_UD));
        kernel_send(&k, whole, SFID_DC1,
                    PAYLOAD_REGISTERS(2) | UNTYPED_WRITE | UNTYPED_SIMD8 | UNTYPED_RED_ONLY | 0,
                    none(TYPE_UD), reg(4, TYPE_UD), false);
        kernel_end(&k);
        put_kernel(s);
        uint32_t root[16] = {0x71020000 | 14};
        for (unsigned i = 0; i < 12; i++)
            root[4 + i] = NUMBERS + i;
        memcpy(dw + count, root, sizeof root);
        batch_run(s, dw, count + 16, true);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(dword_at(s, OUT + i * 4), NUMBERS + i);
        assert_int_equal(streamer_status(s).threads, 3);
        streamer_destroy(s);
    }
}

/* local[x] += x + 1000; a barrier; out[x] = local[threads - 1 - x] */
static void put_exchange(struct streamer *s, unsigned threads)
{
    KERNEL_2(&k, EU_AND, first, one(20, 0, TYPE_UD), one(0, 4, TYPE_UD), imm(UINT16_MAX, TYPE_UD));
    KERNEL_2(&k, EU_SHL, first, one(4, 0, TYPE_UD), one(20, 0, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_ADD, first, one(5, 0, TYPE_UD), one(20, 0, TYPE_UD), imm(1000, TYPE_UD));
    kernel_send(&k, first, SFID_DC1,
                PAYLOAD_REGISTERS(2) | UNTYPED_ATOMIC | ATOMIC_SIMD8 | ATOMIC_ADD << 8 | 254, none(TYPE_UD),
                reg(4, TYPE_UD), false);
    put_barrier();
    KERNEL_2(&k, EU_ADD, first, one(6, 0, TYPE_D), negated(one(4, 0, TYPE_D)),
             imm(4u * (threads - 1u), TYPE_D));
    kernel_send(&k, first, SFID_DC1,
                PAYLOAD_REGISTERS(1) | RESPONSE_REGISTERS(1) | UNTYPED_READ | UNTYPED_SIMD8 |
                    UNTYPED_RED_ONLY | 254,
                reg(5, TYPE_UD), reg(6, TYPE_UD), false);
    kernel_send(&k, first, SFID_DC1,
                PAYLOAD_REGISTERS(2) | UNTYPED_WRITE | UNTYPED_SIMD8 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                reg(4, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
}

/* Threads of one group, the last of which ends it. */
static uint32_t put_group(uint32_t *dw, uint32_t from, uint32_t to, uint32_t threads, uint32_t group)
{
    for (uint32_t i = from; i < to; i++, dw += 7) {
        const uint32_t object[7] = {0x71060000 | 5, 0, i == threads - 1 ? 1u << 23 : 0, 0, i, 0, group};
        memcpy(dw, object, sizeof object);
    }
    return (to - from) * 7;
}

/* Threads of a group that commands add to: none runs before the last one is there, they share memory and meet
 * at the barrier; the next group has memory of its own. */
static void groups_of_commands(void **state)
{
    (void)state;
    for (EACH_MEDIA_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            enum { THREADS = 5 };
            struct streamer *const s = begin(*name);
            uint32_t dw[128], count = put_state(s, THREADS, 1, dw);
            put_exchange(s, THREADS);
            const uint32_t state_dw = count;
            for (unsigned group = 0; group < 2; group++)
                count += put_group(dw + count, 0, THREADS, THREADS, group);
            if (way == 0) {
                batch_run(s, dw, count, true);
            } else { /* one by one, saved and loaded in between */
                batch_run(s, dw, state_dw, true);
                for (unsigned i = 0; i < 2 * THREADS; i++) {
                    reload(s->device);
                    assert_int_equal(dword_at(s, OUT), i < THREADS ? 0 : 1004);
                    batch_run(s, dw + state_dw + i * 7u, 7, true);
                }
            }
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t i = 0; i < THREADS; i++)
                assert_int_equal(dword_at(s, OUT + i * 4u), 1000 + THREADS - 1 - i);
            assert_int_equal(streamer_status(s).thread_groups, 2);
            assert_int_equal(streamer_status(s).threads, 2 * THREADS);
            streamer_destroy(s);
        }
}

/* A group is whole before another context comes in, wherever in its commands that is asked. One that its
 * context leaves behind is told. */
static void groups_and_other_contexts(void **state)
{
    (void)state;
    enum { THREADS = 5, BEFORE = 3 };
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        uint32_t dw[128], count = put_state(s, THREADS, 1, dw);
        const uint32_t state_dw = count;
        unsigned told = 0;
        s->reported = count_report;
        s->user = &told;
        put_exchange(s, THREADS);
        count += put_group(dw + count, 0, BEFORE, THREADS, 0);
        for (unsigned i = 0; i < 2; i++)
            dw[count++] = MI_ARB_CHECK;
        count += put_group(dw + count, BEFORE, THREADS, THREADS, 0);
        dw[count++] = MI_ARB_CHECK;
        count += put_mark(dw + count, FIRST_MARK);
        context_put(s, 0, dw, count);
        context_submit(s, 0);
        for (unsigned i = 0;
             i < 1000 && dispatcher_of(&s->device->engines[0])->work.group.threads_started < BEFORE; i++)
            softgt_run(s->device, 1);
        assert_int_equal(dispatcher_of(&s->device->engines[0])->work.group.threads_started, BEFORE);
        put_second(s);
        assert_true(run_to_mark(s, SECOND_MARK, 1000));
        assert_int_equal(dword_at(s, FIRST_MARK), 0);
        for (uint32_t i = 0; i < THREADS; i++)
            assert_int_equal(dword_at(s, OUT + i * 4u), 1000 + THREADS - 1 - i);
        context_submit(s, 0);
        assert_true(run_to_mark(s, FIRST_MARK, 1000));
        assert_int_equal(streamer_status(s).thread_groups, 1);
        assert_int_equal(told, 0);
        context_put(s, 0, dw, state_dw + BEFORE * 7u);
        context_submit(s, 0);
        softgt_run(s->device, 1 << 20);
        assert_int_equal(told, 1);
        streamer_destroy(s);
    }
}

/* A group whose context waits before it is whole keeps nobody out: another context comes in, and that the
 * threads are lost is told. What it waits for comes first: the group is whole, and nothing is told. */
static void groups_that_wait(void **state)
{
    (void)state;
    enum { THREADS = 5, BEFORE = 3, WAIT_DW = 4, GATE = MARKED + 128 };
    for (EACH_MEDIA_DEVICE(name))
        for (unsigned comes = 0; comes < 2; comes++) {
            const uint32_t wait[WAIT_DW] = {0x1c << 23 | 1 << 15 | 4 << 12 | 2, 1, GATE, 0};
            struct streamer *const s = begin(*name);
            const struct engine *const e = &s->device->engines[0];
            uint32_t dw[128], count = put_state(s, THREADS, 1, dw);
            unsigned told = 0;
            s->reported = count_report;
            s->user = &told;
            put_exchange(s, THREADS);
            count += put_group(dw + count, 0, BEFORE, THREADS, 0);
            memcpy(dw + count, wait, sizeof wait);
            count += WAIT_DW;
            count += put_group(dw + count, BEFORE, THREADS, THREADS, 0);
            count += put_mark(dw + count, FIRST_MARK);
            context_put(s, 0, dw, count);
            context_submit(s, 0);
            softgt_run(s->device, 1 << 16);
            assert_int_equal(e->parse.state, SOFTGT_ENGINE_WAITING);
            assert_int_equal(dispatcher_of(e)->work.group.threads_started, BEFORE);
            if (comes)
                put_second(s);
            else
                dword_put(s, GATE, 1);
            assert_true(run_to_mark(s, comes ? SECOND_MARK : FIRST_MARK, 1000));
            assert_int_equal(told, comes);
            assert_int_equal(dword_at(s, FIRST_MARK), comes ? 0 : 77);
            assert_int_equal(streamer_status(s).thread_groups, !comes);
            for (uint32_t i = 0; i < THREADS; i++)
                assert_int_equal(dword_at(s, OUT + i * 4u), comes ? 0 : 1000 + THREADS - 1 - i);
            streamer_destroy(s);
        }
}

/* Where a walk meets nothing for long, another context comes in, too; then it is where it was. */
static void preempted_where_nothing_is(void **state)
{
    (void)state;
    for (EACH_MEDIA_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct loops l = block_of(50, 40, 1, 0, -2, 1); /* of 4096 lines of 40 steps 128 come inside */
        uint32_t dw[128], count = put_state(s, 1, 0, dw);
        unsigned away = 0;
        put_order(s);
        count += put_loops(dw + count, &l);
        count += put_mark(dw + count, FIRST_MARK);
        context_put(s, 0, dw, count);
        context_submit(s, 0);
        for (; dword_at(s, COUNTER) < 2000; softgt_run(s->device, 1))
            ;
        while (dword_at(s, FIRST_MARK) != 77 && away < 1000) {
            const struct engine *const e = &s->device->engines[0];
            put_second(s);
            softgt_run(s->device, 1); /* a slice of 4096 steps */
            assert_false(e->execlists.pending_valid);
            assert_true(run_to_mark(s, SECOND_MARK, 10000));
            away++;
            context_submit(s, 0);
            for (unsigned i = 0;
                 i < 10000 && dword_at(s, FIRST_MARK) != 77 && !dispatch_has_work(&dispatcher_of(e)->work);
                 i++)
                softgt_run(s->device, 1);
        }
        assert_in_range(away, 5, 100);
        assert_int_equal(dword_at(s, COUNTER), 2000);
        streamer_destroy(s);
    }
}

/* EXECUTE_INDIRECT_DISPATCH: as often as its count, or the one in memory if that is less, with ends from
 * memory; cut and saved anywhere; on render and compute engines. */
static void indirect_dispatches(void **state)
{
    (void)state;
    enum { ARGUMENTS = 1792 * KB, COUNT_AT = 1796 * KB, THREADS = 2 };
    static const struct {
        uint32_t most, there;
        bool enabled;
        uint32_t groups;
    } counts[] = {{3, 0, false, 9}, {2, 0, false, 5}, {3, 2, true, 5},
                  {2, 7, true, 5},  {5, 0, true, 0},  {0, 3, true, 0}};
    struct streamer *const probe = begin("dg2");
    const unsigned engines = probe->device->sheet->info.engine_count;
    streamer_destroy(probe);
    for (unsigned engine = 0; engine < engines; engine++)
        for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            struct streamer *const s = begin("dg2");
            const struct walk w = {
                .groups = {1, 1, 1}, .threads = THREADS, .mask = ALL_CHANNELS, .local_code = 3};
            const enum engine_class class = s->device->sheet->engines[engine].class;
            if (class != CLASS_RENDER && class != CLASS_COMPUTE) {
                streamer_destroy(s);
                continue;
            }
            streamer_start(s, engine);
            const uint32_t ends[9] = {5, 1, 1, 0, 1, 1, 2, 2, 1};
            uint32_t dw[128], count = put_walk(s, &w, dw) - 39, walker[39];
            k.count = 0;
            put_reversal(s, THREADS);
            memcpy(walker, dw + count, sizeof walker);
            const uint32_t head[6] = {
                0x7c010000 | 42, counts[i].most, COUNT_AT | counts[i].enabled, 0, ARGUMENTS, 0};
            memcpy(dw + count, head, sizeof head);
            memcpy(dw + count + 6, walker + 1, sizeof walker - 4);
            count += 44;
            memcpy(s->memory + ARGUMENTS, ends, sizeof ends);
            dword_put(s, COUNT_AT, counts[i].there);
            batch_put(s, dw, count, true);
            for (unsigned n = 0; softgt_run(s->device, 1) && n < 1000; n++) {
                reload(s->device);
            }
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(streamer_status(s).thread_groups, counts[i].groups);
            assert_int_equal(dword_at(s, COUNTER), counts[i].groups * THREADS * SIMD);
            streamer_destroy(s);
        }
}

TEST_PROGRAM(media_object_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(blocks_and_colors),
        cmocka_unit_test(cut_and_preempted),
        cmocka_unit_test(places_and_inline_data),
        cmocka_unit_test(children),
        cmocka_unit_test(messages_without_a_model),
        cmocka_unit_test(groups_of_commands),
        cmocka_unit_test(groups_and_other_contexts),
        cmocka_unit_test(groups_that_wait),
        cmocka_unit_test(preempted_where_nothing_is),
        cmocka_unit_test(indirect_dispatches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
