/* Walkers from the ring to memory, on every generation that runs threads: groups, threads, local memory,
 * barriers, payloads, counts; the same however the run is cut, saved and loaded; dropped by a reset; bounded
 * whatever a walker asks for. */
#include "../suite.h"
#include "../walks.h"

#include "../counters.h"
#include "../saved.h"

static uint32_t invocations(struct streamer *s)
{
    return counter_at(s, "GPGPU_THREADS_DISPATCHED");
}

static uint32_t counter(struct streamer *s, unsigned a)
{
    const struct counters c = counters_of(s);
    return register_get(s, a < 32 ? c.a + a * 8u : c.a32 + (a - 32u) * 4u);
}

static void groups_threads_and_barriers(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads *= 4) {
            struct streamer *const s = begin(*name);
            const struct walk w = {{5, 2, 3}, {1, 1, 0}, threads, ALL_CHANNELS, 3, false};
            uint32_t dw[128];
            put_reversal(s, threads);
            batch_run(s, dw, put_walk(s, &w, dw), true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            expect_reversal(s, &w);
            assert_int_equal(dword_at(s, OUT), 0); /* group 0 was none of them */
            assert_int_equal(dword_at(s, COUNTER), 4 * 1 * 3 * threads * SIMD);
            assert_int_equal(streamer_status(s).thread_groups, 12);
            assert_int_equal(streamer_status(s).threads, 12 * threads);
            assert_int_equal(invocations(s), 12 * threads * SIMD);
            streamer_destroy(s);
        }
}

/* The descriptor's samplers: the second wraps, so each channel has what is half a texture further. */
static void samplers(void **state)
{
    (void)state;
    enum {
        STATES = 12 * KB,
        TEXTURE = 1600 * KB,
        SAMPLE_LZ = 24,
        WRAP_ALL = 0,
        CLAMP_ALL = 2 | 2 << 3 | 2 << 6
    };
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct walk w = {.groups = {1, 1, 1}, .threads = 1, .mask = ALL_CHANNELS, .samplers = STATES};
        const uint32_t at = SURFACES + STATES_AT + 2 * SURFACE_STATE_BYTES;
        uint32_t dw[128];
        KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD),
                 region(has_compute_walker(s) ? 1 : 2, TYPE_UW, 16, 16, 1));
        KERNEL_2(&k, EU_ADD, all, reg(22, TYPE_UD), reg(20, TYPE_UD), imm(8, TYPE_UD));
        KERNEL_1(&k, EU_MOV, all, reg(24, TYPE_F), reg(22, TYPE_UD));
        KERNEL_2(&k, EU_MUL, all, reg(24, TYPE_F), reg(24, TYPE_F), imm(float_bits(1 / 16.0f), TYPE_F));
        kernel_send(&k, all, SFID_SAMPLER, 2u << 25 | 2u << 20 | 2u << 17 | SAMPLE_LZ << 12 | 1u << 8 | 2,
                    reg(6, TYPE_UD), reg(24, TYPE_F), false);
        KERNEL_2(&k, EU_SHL, all, reg(4, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD));
        kernel_send(&k, all, SFID_DC1,
                    PAYLOAD_REGISTERS(4) | UNTYPED_WRITE | UNTYPED_SIMD16 | UNTYPED_RED_ONLY | 0,
                    none(TYPE_UD), reg(4, TYPE_UD), false);
        kernel_end(&k);
        put_kernel(s);
        const uint32_t n = put_walk(s, &w, dw);
        dword_put(s, SURFACES + TABLE_AT + 8, STATES_AT + 2 * SURFACE_STATE_BYTES);
        STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, at),
                      {"Surface Type", .value_name = "SURFTYPE_2D"},
                      {"Surface Format", .value_name = "R32_UINT"}, {"Width", 15}, {"Surface Pitch", 63},
                      {"Shader Channel Select Red", .value_name = "RED"}, {"Surface Base Address", TEXTURE});
        dword_put(s, DYNAMIC + STATES + 12, CLAMP_ALL);
        dword_put(s, DYNAMIC + STATES + 16 + 12, WRAP_ALL);
        for (uint32_t i = 0; i < 16; i++)
            dword_put(s, TEXTURE + i * 4, 700 + i);
        counters_start(s);
        batch_run(s, dw, n, true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        softgt_advance(s->device, 1000000);
        assert_int_equal(counter(s, 28),
                         16 / 4); /* 2x2 that were sampled (SYS-20); there is no cache to miss */
        assert_int_equal(counter(s, 29), 0);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(dword_at(s, OUT + i * 4), 700 + (i + 8) % 16);
        streamer_destroy(s);
    }
}

/* The last thread's mask; dimensions from registers; none at all. */
static void masks_and_dimensions(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        struct walk w = {{0, 0, 0}, {0, 0, 0}, 2, ALL_CHANNELS >> 8, 3, true};
        uint32_t dw[128];
        put_reversal(s, 2);
        register_put(s, register_offset(s->device, "GPGPU_DISPATCHDIMX"), 3);
        register_put(s, register_offset(s->device, "GPGPU_DISPATCHDIMY"), 2);
        register_put(s, register_offset(s->device, "GPGPU_DISPATCHDIMZ"), 1);
        batch_run(s, dw, put_walk(s, &w, dw), true);
        assert_int_equal(dword_at(s, COUNTER), 6 * 24);
        assert_int_equal(invocations(s), 6 * 24);
        register_put(s, register_offset(s->device, "GPGPU_DISPATCHDIMY"), 0);
        batch_run(s, dw, put_walk(s, &w, dw), true);
        assert_int_equal(dword_at(s, COUNTER), 6 * 24);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        streamer_destroy(s);
    }
}

/* In pieces of every size, saved and loaded between them, within groups, too: the same. */
static void cut_saved_and_loaded(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct walk w = {{6, 1, 1}, {0, 0, 0}, MOST_THREADS, ALL_CHANNELS, 3, false};
        enum { START_DW = 4 };
        unsigned within = 0;
        uint32_t dw[128];
        put_reversal(s, MOST_THREADS);
        const uint32_t count = put_walk(s, &w, dw);
        batch_put(s, dw, count, true);
        for (unsigned i = 0; softgt_run(s->device, 1 + i % 3000); i++) {
            within += dispatcher_of(&s->device->engines[0])->work.phase >= DISPATCH_RUN;
            reload(s->device);
            assert_true(i < 10000);
        }
        assert_true(within > 3 || streamer_parallel.threads);
        expect_reversal(s, &w);
        assert_int_equal(dword_at(s, COUNTER), 6 * MOST_THREADS * SIMD);
        /* Each counts once, however often it was gone on with. */
        assert_int_equal(streamer_status(s).dwords, START_DW + count + 1u);
        streamer_destroy(s);
    }
}

/* A thread that never ends leaves the rest its turn; a reset drops it, and the next walker begins anew. */
static void endless_and_reset(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct walk w = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0, 0, 0}, 1, ALL_CHANNELS, 3, false},
                          two = {{2, 1, 1}, {0, 0, 0}, 1, ALL_CHANNELS, 3, false};
        uint32_t dw[128];
        const unsigned loop = kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true});
        kernel_goes(&k, loop, loop, loop);
        kernel_end(&k);
        put_kernel(s);
        const uint32_t count = put_walk(s, &w, dw);
        memcpy(s->memory + RING, dw, count * 4u);
        register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
        for (unsigned i = 0; i < 20; i++)
            assert_true(softgt_run(s->device, 1 << 16));
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_RUNNING);
        assert_true(streamer_status(s).instructions > 20 * 10000);
        assert_true(dispatch_has_work(&dispatcher_of(&s->device->engines[0])->work));
        assert_true(softgt_engine_reset(s->device, 0));
        assert_false(dispatch_has_work(&dispatcher_of(&s->device->engines[0])->work));
        streamer_start(s, 0);
        k.count = 0;
        put_reversal(s, 1);
        batch_run(s, dw, put_walk(s, &two, dw), true);
        expect_reversal(s, &two);
        streamer_destroy(s);
    }
}

static const char *told;

static void hear(void *user, const struct softgt_report *report)
{
    (void)user;
    told = strstr(report->text, "hangs") ? report->text : told;
}

/* What hangs: a barrier that a thread does not come to, no instruction, no such group. */
static void hangs(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            struct walk w = {{1, 1, 1}, {0, 0, 0}, 1, ALL_CHANNELS, 3, false};
            uint32_t dw[128];
            s->reported = hear;
            if (way == 0) {
                put_barrier();
                k.i[0] = k.i[--k.count]; /* waits, and came to none */
                kernel_end(&k);
            } else if (way == 2) {
                w.local_code = 31;
                kernel_end(&k);
            } else {
                kernel_add(&k, EU_NOP, 0, &whole);
            }
            told = NULL;
            put_kernel(s);
            batch_run(s, dw, put_walk(s, &w, dw), true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_STOPPED);
            assert_non_null(told);
            assert_false(dispatch_has_work(&dispatcher_of(&s->device->engines[0])->work));
            streamer_destroy(s);
        }
}

/* Any walker, descriptor and kernel: an end or a hang, in bounded slices (and nothing beyond, under
 * sanitizers). */
static void anything(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        for (unsigned turn = 0; turn < CASES(150); turn++) {
            const struct walk w = {{2, 1, 1}, {0, 0, 0}, 2, ALL_CHANNELS, 3, false};
            uint32_t dw[128];
            streamer_start(s, 0);
            k.count = 0;
            put_reversal(s, 2);
            const uint32_t count = put_walk(s, &w, dw);
            for (unsigned i = 0; i < 3; i++) {
                if (turn % 3 == 0) /* behind the bases */
                    dw[20 + random_next(&seed) % (count - 20)] = (uint32_t)random_value(&seed);
                else if (turn % 3 == 1)
                    dword_put(s, KERNELS + (uint32_t)(random_next(&seed) % (k.count * 16u)) / 4u * 4u,
                              (uint32_t)random_next(&seed));
                else
                    dword_put(s, DYNAMIC + (uint32_t)(random_next(&seed) % 32u) / 4u * 4u,
                              (uint32_t)random_value(&seed));
            }
            memcpy(s->memory + RING, dw, count * 4u);
            register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
            for (unsigned i = 0; i < 5; i++)
                softgt_run(s->device, 1 << 14);
            reload(s->device);
        }
        streamer_destroy(s);
    }
}

/* ---- Exceptions ---- */

/* An illegal instruction is an exception where the descriptor enables it: the thread goes on in the system
 * routine, which ends it here. Without that, or without a routine, the engine hangs. */
static void system_routine(void **state)
{
    (void)state;
    enum { ROUTINE = 8 * KB, ENABLE = 1 << 13, DWORD_OF_WALKER = 20 };
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 3; way++) {
            struct streamer *const s = begin(*name);
            const struct walk w = {.groups = {2, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
            uint32_t dw[128], list[128];
            put_kernel(s);
            memset(s->memory + KERNELS, 0, 64);
            KERNEL_1(&k, EU_MOV, whole, reg(4, TYPE_UD), imm(0, TYPE_UD));
            kernel_send(&k, ((struct how){.channels = 1, .no_mask = true}), SFID_DC1,
                        PAYLOAD_REGISTERS(1) | UNTYPED_ATOMIC | ATOMIC_SIMD8 | ATOMIC_INC << 8 | 1,
                        none(TYPE_UD), reg(4, TYPE_UD), false);
            kernel_end(&k);
            kernel_finish(&k);
            memcpy(s->memory + KERNELS + ROUTINE, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
            const uint32_t count = put_walk(s, &w, dw);
            if (way != 1) {
                dw[count - 39 + DWORD_OF_WALKER] |= has_compute_walker(s) ? ENABLE : 0;
                dword_put(s, DYNAMIC + 8, dword_at(s, DYNAMIC + 8) | ENABLE);
            }
            const uint32_t sip_dw = assemble(s->device, 0, list, "STATE_SIP system_instruction_pointer = %u",
                                             way == 2 ? 0 : ROUTINE);
            memcpy(list + sip_dw, dw, count * 4u);
            batch_run(s, list, sip_dw + count, true);
            assert_int_equal(streamer_status(s).state, way ? SOFTGT_ENGINE_STOPPED : SOFTGT_ENGINE_IDLE);
            assert_int_equal(dword_at(s, COUNTER), way ? 0 : 4);
            streamer_destroy(s);
        }
}

/* ---- What hardware makes of a group of Gen12.5 ---- */

/* out[y * 32 + x] = in which order the channels of a group have these IDs, from 1 on. */
static void put_places(struct streamer *s)
{
    KERNEL_1(&k, EU_MOV, all, reg(16, TYPE_UD), imm(0, TYPE_UD));
    kernel_send(&k, all, SFID_DC1,
                PAYLOAD_REGISTERS(2) | RESPONSE_REGISTERS(2) | UNTYPED_ATOMIC | ATOMIC_RETURNS |
                    ATOMIC_INC << 8 | 1,
                reg(18, TYPE_UD), reg(16, TYPE_UD), false);
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), region(1, TYPE_UW, 16, 16, 1));
    KERNEL_1(&k, EU_MOV, all, reg(22, TYPE_UD), region(2, TYPE_UW, 16, 16, 1));
    KERNEL_2(&k, EU_SHL, all, reg(22, TYPE_UD), reg(22, TYPE_UD), imm(5, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_UD), reg(20, TYPE_UD), reg(22, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(4, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(18, TYPE_UD), imm(1, TYPE_UD));
    kernel_send(&k, all, SFID_DC1,
                PAYLOAD_REGISTERS(4) | UNTYPED_WRITE | UNTYPED_SIMD16 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                reg(4, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
}

/* Walk orders, and layouts of tiles, of which a row of an oword (4, 2 or 1 pixels) comes before all else. */
static void orders_and_tiles(void **state)
{
    (void)state;
    enum { W = 16, H = 8 };
    static const uint8_t rows[4] = {1, 4, 2, 1};
    struct streamer *const s = begin("dg2");
    put_places(s);
    for (uint32_t order = 0; order < 6; order++)
        for (uint32_t tile = 0; tile < 4; tile++) {
            const struct walk w = {.groups = {1, 1, 1}, .threads = W * H / SIMD, .mask = ALL_CHANNELS};
            uint32_t dw[128];
            const uint32_t count = put_walk(s, &w, dw);
            uint32_t *const x = dw + count - 39;
            x[4] = 1u << 30 | 1u << 29 | 3u << 26 | order << 22 | tile << 19;
            x[6] = (W - 1) | (H - 1) << 10;
            memset(s->memory + OUT, 0, 4 * KB);
            dword_put(s, COUNTER, 0);
            batch_run(s, dw, count, true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            const bool y_first = order == 2 || order == 3 || order == 5; /* 102, 120, 210 */
            for (uint32_t y = 0; y < H; y++)
                for (uint32_t px = 0; px < W; px++) {
                    const uint32_t row = rows[tile],
                                   place = y_first ? (px / row * H + y) * row + px % row : y * W + px;
                    assert_int_equal(dword_at(s, OUT + (y * 32 + px) * 4), place + 1);
                }
        }
    streamer_destroy(s);
}

/* Each thread writes its number into an hword of its own scratch memory, which a surface state has that
 * CFE_STATE names. */
static void scratch_memory_by_surface(void **state)
{
    (void)state;
    enum {
        STATE = 5,
        OWN_BYTES = 1024,
        HWORD = 3,
        SCRATCH = 1344 * KB,
        THREADS = 2,
        SURFTYPE_OF_SCRATCH = 6,
        CFE_DW = 6
    };
    static const uint32_t UNTOUCHED = 205 * (UINT32_MAX / 255);
    struct streamer *const s = begin("dg2");
    KERNEL_1(&k, EU_MOV, whole, reg(4, TYPE_UD), reg(0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, whole, reg(5, TYPE_UD), one(0, 8, TYPE_UD));
    kernel_send(&k, whole, SFID_DC0, 2u << 25 | 1u << 19 | 1u << 18 | 1u << 17 | HWORD, none(TYPE_UD),
                reg(4, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
    const struct walk w = {.groups = {1, 1, 1}, .threads = THREADS, .mask = ALL_CHANNELS};
    uint32_t dw[128];
    const uint32_t count = put_walk(s, &w, dw);
    memset(s->memory + SURFACES + STATE * 64, 0, 64);
    dword_put(s, SURFACES + STATE * 64, (uint32_t)SURFTYPE_OF_SCRATCH << 29);
    dword_put(s, SURFACES + STATE * 64 + 12, OWN_BYTES - 1);
    dword_put(s, SURFACES + STATE * 64 + 32, SCRATCH);
    memset(s->memory + SCRATCH, (uint8_t)UNTOUCHED, THREADS * OWN_BYTES);
    uint32_t *const walker = dw + count - 39;
    memmove(walker + CFE_DW, walker, 39 * sizeof *walker);
    assemble(s->device, 0, walker, "CFE_STATE dw1 = %u", STATE << 10);
    batch_run(s, dw, count + CFE_DW, true);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
    for (uint32_t at = 0; at < THREADS * OWN_BYTES; at += 4)
        assert_int_equal(dword_at(s, SCRATCH + at),
                         at % OWN_BYTES / 32 == HWORD ? at / OWN_BYTES : UNTOUCHED);
    streamer_destroy(s);
}

/* A part of a walk, of those that a dimension is cut into. */
static void partitions(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, id, size, groups;
        bool enabled;
    } parts[] = {{1, 0, 3, 3 * 4, true}, {1, 2, 3, 1 * 4, true},
                 {2, 1, 2, 7 * 2, true}, {3, 0, 1, 28, true},
                 {1, 3, 3, 0, true},     {0, 1, 3, 28, true},
                 {1, 0, 3, 28, false},   {1, 1u << 31, 1u << 31, 0, true}};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct streamer *const s = begin("dg2");
        const struct walk w = {.groups = {7, 4, 1}, .threads = 1, .mask = ALL_CHANNELS, .local_code = 3};
        uint32_t dw[128];
        put_reversal(s, 1);
        const uint32_t count = put_walk(s, &w, dw);
        uint32_t *const x = dw + count - 39;
        x[0] |= parts[i].enabled ? 1u << 9 : 0;
        x[2] |= parts[i].type << 30;
        x[13] = parts[i].id;
        x[14] = parts[i].size;
        batch_run(s, dw, count, true);
        assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        assert_int_equal(streamer_status(s).thread_groups, parts[i].groups);
        assert_int_equal(dword_at(s, COUNTER), parts[i].groups * SIMD);
        streamer_destroy(s);
    }
}

/* ---- What a slice may last ---- */

static void count_access(void *user, bool write, uint64_t bus_address, const void *data, size_t size_bytes)
{
    (void)write, (void)bus_address, (void)data, (void)size_bytes;
    ++*(unsigned *)user;
}

enum heavy {
    WRITES_OF_64_DWORDS,
    BLOCKS_OF_64_BYTES, /* of pixels; no more than there are registers */
    VECTORS_OF_64,      /* Gen12.5: the same */
    JUMPS,              /* between parts of a kernel whose decoded instructions are never kept */
    AVERAGES,
    DIVISIONS,
    GROUPS_WITH_MEMORY,
    UNMAPPED,
    PAYLOADS_UNMAPPED, /* of 64 threads, where payloads are in memory */
    HEAVY
};

static bool ends_at_once(enum heavy what)
{
    return what == GROUPS_WITH_MEMORY || what == PAYLOADS_UNMAPPED;
}

static void put_heavy(struct streamer *s, enum heavy what)
{
    const struct how once = {.channels = 1, .no_mask = true};
    const unsigned at = what == BLOCKS_OF_64_BYTES ? 2 : 0;
    KERNEL_1(&k, EU_MOV, whole, reg(4, TYPE_UD), imm(0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, once, one(4, 8, TYPE_UD), imm(at ? 63 | 63 << 16 : 0, TYPE_UD));
    for (unsigned i = 0; i < 40 && what != JUMPS && !ends_at_once(what); i++)
        if (what == AVERAGES)
            KERNEL_2(&k, EU_AVG, whole, reg(20, TYPE_D), reg(24, TYPE_D), reg(28, TYPE_D));
        else if (what == DIVISIONS)
            KERNEL_2(&k, EU_MATH, ((struct how){.channels = SIMD, .function = 9}), reg(20, TYPE_F),
                     reg(24, TYPE_F), reg(28, TYPE_F));
        else if (what == VECTORS_OF_64)
            kernel_send(&k, all, SFID_UGM, 2u << 25 | 1u << 20 | 2u << 7 | 3u << 9 | 7u << 12,
                        reg(16, TYPE_UD), reg(4, TYPE_UD), false);
        else if (what == BLOCKS_OF_64_BYTES)
            kernel_send(&k, whole, SFID_DC1, 2u << 25 | 1u << 19 | 10u << 14 | 2, none(TYPE_UD),
                        reg(4, TYPE_UD), false);
        else
            kernel_send(&k, all, SFID_DC1, PAYLOAD_REGISTERS(10) | UNTYPED_WRITE | UNTYPED_SIMD16,
                        none(TYPE_UD), reg(4, TYPE_UD), false);
    if (!ends_at_once(what)) {
        const unsigned back = kernel_branch(&k, EU_JMPI, once);
        kernel_goes(&k, back, what == JUMPS ? back : 2, 2);
    }
    kernel_end(&k);
    put_kernel(s);
    if (what == JUMPS) { /* 512 KB there, and back */
        enum { JIP_AT = 2 * 16 + 12, FAR = 512 * KB };
        memcpy(s->memory + KERNELS + FAR, s->memory + KERNELS, 4 * 16);
        dword_put(s, KERNELS + JIP_AT, dword_at(s, KERNELS + JIP_AT) + FAR);
        dword_put(s, KERNELS + FAR + JIP_AT, dword_at(s, KERNELS + FAR + JIP_AT) - FAR);
    }
}

/* What a slice does at most, at 40 ns for each of 4096 instructions, and the one that it ends in: 20 ns an
 * access, 0.1 us a channel of what is computed one by one, 5.2 us a jump and 2.5 us for 64 KB, 10 us an
 * access of memory that cannot be mapped. */
static void slices_are_short(void **state)
{
    (void)state;
    if (streamer_parallel.threads) /* they are as long as is worth it */
        skip();
    for (EACH_DEVICE(name))
        for (enum heavy what = 0; what < HEAVY; what++) {
            struct streamer *const s = begin(*name);
            const struct walk w = {{UINT16_MAX, 1, 1},
                                   {0, 0, 0},
                                   what == PAYLOADS_UNMAPPED ? 64 : 1,
                                   ALL_CHANNELS,
                                   what == GROUPS_WITH_MEMORY ? 7 : 3,
                                   false};
            const struct eu_thread *const t = dispatcher_of(&s->device->engines[0])->threads;
            uint32_t dw[128];
            unsigned accesses = 0;
            if (what == VECTORS_OF_64 && !has_compute_walker(s)) {
                streamer_destroy(s);
                continue;
            }
            put_heavy(s, what);
            const uint32_t count = put_walk(s, &w, dw);
            STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE",
                          dwords_at(s, SURFACES + STATES_AT + 2 * SURFACE_STATE_BYTES),
                          {"Surface Type", .value_name = "SURFTYPE_2D"},
                          {"Surface Format", .value_name = "B8G8R8A8_UNORM"}, {"Width", 15}, {"Height", 63},
                          {"Surface Pitch", 63}, {"Surface Base Address", OUT});
            dword_put(s, SURFACES + TABLE_AT + 8, STATES_AT + 2 * SURFACE_STATE_BYTES);
            memcpy(s->memory + RING, dw, count * 4u);
            register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
            softgt_run(s->device, 1); /* the state, and all that is read first */
            for (unsigned i = 0; i < 100 && !dispatch_has_work(&dispatcher_of(&s->device->engines[0])->work);
                 i++)
                softgt_run(s->device, 1);
            if (what >= UNMAPPED) {
                s->unmapped = true;
                s->touched = count_access;
                s->user = &accesses;
                softgt_memory_changed(s->device);
            }
            for (unsigned i = 0; i < 20; i++) {
                const struct softgt_engine_status before = streamer_status(s);
                const uint64_t ran = t->instruction_count;
                const uint64_t stored = s->device->engines[0].totals.memory.stores;
                accesses = 0;
                assert_true(softgt_run(s->device, 1));
                const struct softgt_engine_status after = streamer_status(s);
                const uint64_t stores = s->device->engines[0].totals.memory.stores - stored;
                assert_int_equal(after.state, SOFTGT_ENGINE_RUNNING);
                assert_in_range(stores, 0, 2 * 4096 + 4 * 64);
                if (what == WRITES_OF_64_DWORDS || what == BLOCKS_OF_64_BYTES)
                    assert_true(stores > 0);
                assert_in_range(after.thread_groups - before.thread_groups, 0, 4096 / 64 + 1);
                assert_in_range(accesses, what >= UNMAPPED ? 1 : 0, 17 + 64 + 24);
                if (what == JUMPS)
                    assert_in_range(t->instruction_count - ran, 20, 4096 / 129 + 1);
                if (what == AVERAGES)
                    assert_in_range(t->instruction_count - ran, 200, 4096 / 16 + 4);
                if (what == DIVISIONS)
                    assert_in_range(t->instruction_count - ran, 200, 4096 / 8 + 4);
            }
            streamer_destroy(s);
        }
}

/* ---- What observation counts of it (SYS-20) ---- */

/* A counters that threads are the source of, all others but clocks and memory are zero. */
static void expect_counters(struct streamer *s, uint32_t threads, uint32_t reads, uint32_t writes,
                            uint32_t atomics, uint32_t barriers)
{
    softgt_advance(s->device, 1000000);
    for (unsigned a = 1; a < 36; a++)
        if (a < 7 || a > 20)
            assert_int_equal(counter(s, a), a == 4    ? threads
                                            : a == 30 ? reads
                                            : a == 31 ? writes
                                            : a == 34 ? atomics
                                            : a == 35 ? barriers
                                                      : 0);
}

/* A flexible event: the increment, the coarse filter, the fine one. */
static uint32_t event(uint32_t increment, uint32_t coarse, uint32_t fine)
{
    return increment | coarse << 4 | fine << 8;
}

static void counted(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned cut = 0; cut < 2; cut++) {
            enum { THREADS = 16, ALL = 12 * THREADS, SENDS = 6, REGISTERS = 4 + 1 + 2 + 4 + 2 + 1 };
            struct streamer *const s = begin(*name);
            const struct walk w = {{5, 2, 3}, {1, 1, 0}, THREADS, ALL_CHANNELS, 3, false};
            const struct counters c = counters_of(s);
            uint32_t dw[128];
            put_reversal(s, THREADS);
            const uint32_t instructions = k.count;
            counters_start(s);
            /* A7: registers that are sent; A8: clocks with work; A9: those of the thread spawner; A10: of
             * compute; A11: of unit 0; A19: clocks in which a send began; A20: sends. */
            register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL0"),
                         event(4, 0, 0) << 12 | event(2, 0, 0));
            register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL1"),
                         event(4, 9, 0) << 12 | event(4, 6, 0));
            register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL2"),
                         event(15, 15, 15) << 12 | event(4, 0, 7));
            register_put(s, register_offset(s->device, "EU_PERF_CNT_CTL6"),
                         event(2, 0, 5) << 12 | event(4, 0, 5));
            const uint32_t count = put_walk(s, &w, dw);
            if (!cut) {
                batch_run(s, dw, count, true);
            } else { /* in pieces, each on a device that was loaded */
                batch_put(s, dw, count, true);
                while (softgt_run(s->device, 999)) {
                    reload(s->device);
                }
            }
            expect_counters(s, ALL, ALL, ALL, ALL, ALL);
            assert_int_equal(register_get(s, c.free), ALL);
            assert_int_equal(counter(s, 7), REGISTERS * ALL);
            assert_int_equal(counter(s, 8), (instructions - SENDS + REGISTERS) * ALL);
            assert_int_equal(counter(s, 9), (instructions - SENDS + REGISTERS) * ALL);
            assert_int_equal(counter(s, 10), 0);
            assert_int_equal(counter(s, 11), (instructions - SENDS + REGISTERS) * ALL / 4);
            assert_int_equal(counter(s, 19), SENDS * ALL);
            assert_int_equal(counter(s, 20), SENDS * ALL);
            /* Nothing more of a walker that has no group. */
            const struct walk none = {{1, 0, 1}, {0, 0, 0}, 1, ALL_CHANNELS, 3, false};
            batch_run(s, dw, put_walk(s, &none, dw), true);
            expect_counters(s, ALL, ALL, ALL, ALL, ALL);
            streamer_destroy(s);
        }
}

/* Atomics of local memory read and write it; only Gen12.5 counts them as atomics. */
static void local_atomics_counted(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct walk w = {{3, 1, 1}, {0, 0, 0}, 4, ALL_CHANNELS, 3, false};
        uint32_t dw[128];
        KERNEL_1(&k, EU_MOV, all, reg(16, TYPE_UD), imm(0, TYPE_UD));
        kernel_send(&k, all, SFID_DC1, PAYLOAD_REGISTERS(2) | UNTYPED_ATOMIC | ATOMIC_INC << 8 | 254,
                    none(TYPE_UD), reg(16, TYPE_UD), false);
        kernel_end(&k);
        put_kernel(s);
        counters_start(s);
        batch_run(s, dw, put_walk(s, &w, dw), true);
        expect_counters(s, 12, 12, 12, has_compute_walker(s) ? 12 : 0, 0);
        streamer_destroy(s);
    }
}

/* A context's own, from Gen12 on. */
static void counted_for_the_context(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct walk w = {{3, 1, 1}, {0, 0, 0}, 4, ALL_CHANNELS, 3, false};
        struct engine *const e = s->device->engines;
        uint32_t dw[128];
        if (!s->device->oa.info->context_control[CLASS_RENDER]) {
            streamer_destroy(s);
            continue;
        }
        put_reversal(s, 4);
        register_put(s, register_offset(s->device, "OAR_OACONTROL"), 5u << 1 | 1u);
        masked_put(s, "CTXT_SR_CTL", 1 << 8, 1 << 8);
        register_put(s, register_offset(s->device, "OACTXCONTROL"), 1);
        e->context.valid = true;
        batch_run(s, dw, put_walk(s, &w, dw), true);
        e->context.valid = false;
        static const char *const names[] = {"OAR_A[4]", "OAR_A[30]", "OAR_A[31]", "OAR_A32[2]", "OAR_A32[3]"};
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(counter_at(s, names[i]), 12);
        streamer_destroy(s);
    }
}

TEST_PROGRAM(dispatch_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_threads_and_barriers),
        cmocka_unit_test(samplers),
        cmocka_unit_test(masks_and_dimensions),
        cmocka_unit_test(cut_saved_and_loaded),
        cmocka_unit_test(endless_and_reset),
        cmocka_unit_test(hangs),
        cmocka_unit_test(anything),
        cmocka_unit_test(system_routine),
        cmocka_unit_test(orders_and_tiles),
        cmocka_unit_test(scratch_memory_by_surface),
        cmocka_unit_test(partitions),
        cmocka_unit_test(slices_are_short),
        cmocka_unit_test(counted),
        cmocka_unit_test(local_atomics_counted),
        cmocka_unit_test(counted_for_the_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
