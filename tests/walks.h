/* Walkers for tests: kernels, surfaces and commands of a walk over groups, whatever the generation has for
 * it; and contexts that they run in. */
#ifndef TESTS_WALKS_H
#define TESTS_WALKS_H

#include "streamer.h"

#include "eu_kernel.h"
#include "dispatcher/dispatcher.h"

enum {
    SURFACES = 0x120000, /* base of surface states: the binding table there, states behind it */
    DYNAMIC = 0x130000,  /* base of dynamic state: the descriptor there, constants behind it */
    KERNELS = 0x138000,  /* the instruction base */
    OUT = 0x140000,
    COUNTER = 0x180000,
    TABLE_AT = 0x800,
    CONSTANTS_AT = 0x400,
    SIMD = 16,
    MOST_THREADS = 64
};

static const char *const devices[] = {"bdw", "skl", "icl", "ehl", "tgl", "dg2"};
#define EACH_DEVICE(name)                                                                                    \
    const char *const *name = devices;                                                                       \
    name < devices + sizeof devices / sizeof devices[0];                                                     \
    name++

static struct kernel k;

static inline struct streamer *begin(const char *device)
{
    struct streamer *const s = streamer_create(device);
    k.set = dispatcher_of(&s->device->engines[0])->set;
    k.count = 0;
    return s;
}

static inline bool has_compute_walker(const struct streamer *s)
{
    return s->device->sheet->eu->has_lsc;
}

/* 1 KB shifted, or up to Gen8 so many times 4 KB. */
static inline uint32_t local_code_of(const struct streamer *s, uint32_t code)
{
    return s->device->sheet->eu == &eu_gen8 && code >= 3 && code < 8 ? 1u << (code - 3u) : code;
}

static inline void put_kernel(struct streamer *s)
{
    kernel_finish(&k);
    memcpy(s->memory + KERNELS, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
}

/* Buffers 0 and 1. */
static inline void put_surfaces(struct streamer *s)
{
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t at = SURFACES + 0x1000 + i * 64u, last = 0x3ffff;
        memset(s->memory + at, 0, 64);
        dword_put(s, at, 4u << 29 | 0x1ffu << 18);
        dword_put(s, at + 8, (last & 0x7fu) | (last >> 7 & 0x3fffu) << 16);
        dword_put(s, at + 32, i ? COUNTER : OUT);
        dword_put(s, SURFACES + TABLE_AT + i * 4u, 0x1000 + i * 64u);
    }
}

/* A walk over groups of so many threads each; `mask`: channels of the last thread. */
struct walk {
    uint32_t groups[3], start[3], threads, mask, local_code;
    bool indirect;
    uint32_t samplers;
};

/* Commands of it, from the state on. */
static inline uint32_t put_walk(struct streamer *s, const struct walk *w, uint32_t *dw)
{
    uint32_t n = 0;
    const uint32_t bases[19] = {0x61010000 | 17, 1,          0,          0,         SURFACES | 1, 0,
                                DYNAMIC | 1,     0,          1,          0,         KERNELS | 1,  0,
                                0xfffff001,      0xfffff001, 0xfffff001, 0xfffff001};
    memcpy(dw, bases, sizeof bases);
    n += 19;
    put_surfaces(s);
    if (has_compute_walker(s)) {
        uint32_t *const x = dw + n;
        memset(x, 0, 39 * sizeof *x);
        x[0] = 0x72080000 | 37 | (w->indirect ? 1u << 10 : 0);
        x[4] = 1u << 30 | 1u << 29 | 1u << 26 | 1u << 25; /* SIMD16; X of local IDs, and inline data */
        x[5] = w->mask;
        x[6] = w->threads * SIMD - 1u;
        for (unsigned i = 0; i < 3; i++) {
            x[7 + i] = w->indirect ? 0 : w->groups[i];
            x[10 + i] = w->start[i];
        }
        x[21] = w->samplers;
        x[22] = TABLE_AT;
        x[23] = w->threads | w->local_code << 16;
        x[31] = 0x1234567;
        return n + 39;
    }
    /* The kernel, one register of cross-thread constants, two of each thread's: its IDs, of 16 bits, are in
     * the first. */
    const uint32_t descriptor[8] = {
        0, 0, 0, w->samplers, TABLE_AT, 2u << 16, local_code_of(s, w->local_code) << 16 | w->threads, 1};
    memcpy(s->memory + DYNAMIC, descriptor, sizeof descriptor);
    dword_put(s, DYNAMIC + CONSTANTS_AT, 0x1234567);
    for (uint16_t i = 0; i < MOST_THREADS * SIMD; i++)
        memcpy(s->memory + DYNAMIC + CONSTANTS_AT + 32 + i / SIMD * 64 + i % SIMD * 2, &i, 2);
    const uint32_t state[] = {0x70000007,   0,          0, 0,  0, 0, 0, 0, 0, 0x70010002, 0, 0x2000,
                              CONSTANTS_AT, 0x70020002, 0, 32, 0};
    memcpy(dw + n, state, sizeof state);
    n += sizeof state / 4;
    const uint32_t walker[15] = {0x7105000d | (w->indirect ? 1u << 10 : 0),
                                 0,
                                 0,
                                 0,
                                 1u << 30 | (w->threads - 1u),
                                 w->start[0],
                                 0,
                                 w->indirect ? 0 : w->groups[0],
                                 w->start[1],
                                 0,
                                 w->indirect ? 0 : w->groups[1],
                                 w->start[2],
                                 w->indirect ? 0 : w->groups[2],
                                 w->mask,
                                 0xffffffff};
    memcpy(dw + n, walker, sizeof walker);
    return n + 15;
}

static const struct how all = {.channels = SIMD}, whole = {.channels = 8, .no_mask = true};

/* Waits for the group's barrier. */
static inline void put_barrier(void)
{
    kernel_send(&k, whole, SFID_GATEWAY, 1u << 25 | 4, none(TYPE_UD), reg(0, TYPE_UD), false);
    if (k.set->gen6_encoding) {
        KERNEL_1(&k, EU_WAIT, ((struct how){.channels = 1, .no_mask = true}), none(TYPE_UD),
                 one(0, 0, TYPE_UD));
        struct op n0 = other(FILE_NOTIFICATION, 0, 0, TYPE_UD);
        n0.v = 0, n0.w = 1, n0.h = 0;
        kernel_source(&k, &k.i[k.count - 1], 0, &n0);
    } else {
        struct eu_instruction *const i =
            kernel_add(&k, EU_SYNC, 0, &(struct how){.channels = 1, .no_mask = true, .function = 14});
        struct op nothing = none(TYPE_UD);
        nothing.v = 0, nothing.w = 1, nothing.h = 0;
        kernel_source(&k, i, 0, &nothing);
    }
}

/* local[id] = 3 * id + group; a barrier; out[group * size + id] = local[size - 1 - id] + the constant;
 * counter++. */
static inline void put_reversal(struct streamer *s, uint32_t threads)
{
    const bool compute = has_compute_walker(s);
    const unsigned ids = compute ? 1 : 2, constant = compute ? 2 : 1, size = threads * SIMD;
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), region(ids, TYPE_UW, 16, 16, 1));  /* id */
    KERNEL_2(&k, EU_SHL, all, reg(4, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD)); /* address */
    KERNEL_2(&k, EU_SHL, all, reg(22, TYPE_UD), reg(20, TYPE_UD), imm(1, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(20, TYPE_UD), reg(22, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(6, TYPE_UD), one(0, 4, TYPE_UD));
    kernel_send(&k, all, SFID_DC1, 4u << 25 | 9u << 14 | 0x1e00 | 254, none(TYPE_UD), reg(4, TYPE_UD), false);
    put_barrier();
    KERNEL_2(&k, EU_ADD, all, reg(8, TYPE_D), negated(reg(4, TYPE_D)), imm((size - 1u) * 4u, TYPE_D));
    kernel_send(&k, all, SFID_DC1, 2u << 25 | 2u << 20 | 1u << 14 | 0x1e00 | 254, reg(14, TYPE_UD),
                reg(8, TYPE_UD), false);
    KERNEL_2(&k, EU_ADD, all, reg(14, TYPE_UD), reg(14, TYPE_UD), one(constant, 0, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(12, TYPE_UD), one(0, 4, TYPE_UD),
             imm((unsigned)__builtin_ctz(size) + 2u, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_UD), reg(12, TYPE_UD), reg(4, TYPE_UD));
    kernel_send(&k, all, SFID_DC1, 4u << 25 | 9u << 14 | 0x1e00 | 0, none(TYPE_UD), reg(12, TYPE_UD), false);
    KERNEL_1(&k, EU_MOV, all, reg(16, TYPE_UD), imm(0, TYPE_UD));
    kernel_send(&k, all, SFID_DC1, 2u << 25 | 2u << 14 | 0x500 | 1, none(TYPE_UD), reg(16, TYPE_UD), false);
    kernel_end(&k);
    put_kernel(s);
}

static inline void expect_reversal(const struct streamer *s, const struct walk *w)
{
    const uint32_t size = w->threads * SIMD;
    for (uint32_t group = w->start[0]; group < w->groups[0]; group++)
        for (uint32_t id = 0; id < size; id++)
            assert_int_equal(dword_at(s, OUT + (group * size + id) * 4u),
                             3u * (size - 1u - id) + group + 0x1234567);
}

/* ---- Contexts ---- */

enum { CONTEXTS = 0x600000, CONTEXT_BYTES = 0x40000, CONTEXT_RING_AT = 0x30000 };

/* Context `number` with a ring of its own that holds these commands. */
static inline void context_put(struct streamer *s, unsigned number, const uint32_t *dw, uint32_t count)
{
    const struct engine_info *const info = &s->device->sheet->engines[s->engine];
    const uint32_t at = CONTEXTS + number * CONTEXT_BYTES, ring = at + CONTEXT_RING_AT;
    const struct driver_context context = {.ring = {ring, RING_BYTES, 0, (count * 4u + 7u) & ~7u},
                                           .control = DRIVER_FRESH_CONTEXT,
                                           .ppgtt = &s->ppgtt};
    assert_true(driver_context_bytes(info) <= CONTEXT_RING_AT);
    memset(s->memory + at, 0, CONTEXT_BYTES);
    memcpy(s->memory + ring, dw, count * 4u);
    driver_image(info, &context, (uint32_t *)(void *)(s->memory + at + DRIVER_IMAGE_OFFSET), 0x1000);
}

/* Submits it, alone; the first time execlists are enabled. */
static inline void context_submit(struct streamer *s, unsigned number)
{
    const struct engine_info *const info = &s->device->sheet->engines[s->engine];
    struct driver_writes writes = {0};
    driver_enable_execlists(&writes, info);
    driver_submit(&writes, info, driver_descriptor(CONTEXTS + number * CONTEXT_BYTES, number + 1u, &s->ppgtt),
                  0);
    driver_write(s->device, &writes);
}

/* Where a context may be left: within walkers, between objects. */
enum {
    FF_SLICE_CS_CHICKEN1 = 0x20e0,
    FF_SLICE_CS_CHICKEN2 = 0x20e4,
    FF_SLICE_CS_CHICKEN3 = 0x20ec,
    CS_CHICKEN1 = 0x2580
};
enum { MARKED = 0x1f0000, MARK = 77 };
static const uint32_t context_marks[4] = {0x20 << 23 | 1 << 22 | 2 /* MI_STORE_DATA_IMM */, MARKED, 0, MARK};

/* Runs until a context that was submitted has marked memory. */
static inline void context_comes(struct streamer *s)
{
    dword_put(s, MARKED, 0);
    for (unsigned i = 0; i < 100000 && dword_at(s, MARKED) != MARK; i++)
        softgt_run(s->device, 1);
    assert_int_equal(dword_at(s, MARKED), MARK);
}

/* Context 1 comes in, which marks memory and does nothing else. */
static inline void another_context_comes(struct streamer *s)
{
    context_put(s, 1, context_marks, 4);
    context_submit(s, 1);
    context_comes(s);
}

#endif
