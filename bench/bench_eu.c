/* How fast EU threads run: a loop of 60 of the same instruction, on registers that are not the same. The
 * plain loop beside it does the same sums in C. */
#include "bench_eu.h"

#include <stdio.h>

#include "../tests/eu_kernel.h"

enum { UNROLLED = 60, ROUNDS = 60000, LANES = 16 };

static struct kernel k;

static const struct how all = {.channels = LANES}, single = {.channels = 1, .no_mask = true};

static void make(enum eu_opcode does, enum eu_type type)
{
    k = (struct kernel){.set = &eu_gen9};
    KERNEL_1(&k, EU_MOV, single, one(2, 0, TYPE_D), imm(0, TYPE_D));
    const unsigned loop = k.count;
    for (unsigned n = 0; n < UNROLLED; n++) {
        const unsigned to = 10 + n % 8 * 2;
        if (does == EU_MAD)
            KERNEL_3(&k, does, all, reg(to, type), reg(to, type), reg(30 + n % 4 * 2, type),
                     reg(40 + n % 6 * 2, type));
        else
            KERNEL_2(&k, does, all, reg(to, type), reg(to, type), reg(30 + n % 4 * 2, type));
    }
    KERNEL_2(&k, EU_ADD, single, one(2, 0, TYPE_D), one(2, 0, TYPE_D), imm(1, TYPE_D));
    KERNEL_2(&k, EU_CMP, ((struct how){.channels = 1, .no_mask = true, .condition = 5}), none(TYPE_D),
             one(2, 0, TYPE_D), imm(ROUNDS, TYPE_D));
    const unsigned back =
        kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true, .predicate = 1});
    kernel_goes(&k, back, loop, loop);
    kernel_end(&k);
    kernel_finish(&k);
}

/* Instructions a second. */
static double rate(unsigned level, uint32_t channels)
{
    struct eu_cache *const cache = test_cache(level);
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, cache);
    double best = 0;
    p.port.context = &p;
    for (unsigned n = 0; cache && n < 5; n++) {
        static _Alignas(64) struct eu_thread t;
        uint64_t budget = UINT64_MAX;
        eu_thread_start(&t, k.set, 0, 0xffff);
        t.cr0[0] = 0x4c0;
        t.execution_mask = channels;
        for (unsigned lane = 0; lane < EU_MAX_CHANNELS; lane++)
            t.channel_ip[lane] = 0xfff8;
        const double start = seconds();
        if (eu_thread_run(&t, &p.port, &budget) != EU_ENDED)
            best = -1;
        const double now = (double)t.instruction_count / (seconds() - start);
        best = best >= 0 && now > best ? now : best;
    }
    eu_cache_destroy(cache);
    return best;
}

static double plain(void)
{
    static volatile float a[LANES], b[LANES];
    const double start = seconds();
    for (unsigned n = 0; n < UNROLLED * ROUNDS / 16u; n++)
        for (unsigned lane = 0; lane < LANES; lane++)
            a[lane] = a[lane] + b[lane];
    return UNROLLED * ROUNDS / 16u / (seconds() - start);
}

bool bench_eu(void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    static const struct {
        const char *name;
        enum eu_opcode does;
        enum eu_type type;
        uint32_t channels;
    } rows[] = {{"eu_mad", EU_MAD, TYPE_F, 0xffff},
                {"eu_mad_masked", EU_MAD, TYPE_F, 0x5a5a},
                {"eu_add", EU_ADD, TYPE_D, 0xffff}};
    static const char *const levels[TEST_WAYS] = {"exact", "v2", "v3", "v4", "translated"};
    const double beside = plain();
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        make(rows[n].does, rows[n].type);
        for (unsigned level = EU_SIMD_NONE + 1; level < TEST_WAYS; level++) {
            char name[32];
            struct eu_cache *const cache = test_cache(level);
            eu_cache_destroy(cache);
            if (!cache)
                continue;
            const double is = rate(level, rows[n].channels);
            if (is <= 0)
                return false;
            snprintf(name, sizeof name, "%s_%s", rows[n].name, levels[level]);
            line(name, is / 1e6, "M instructions/s", beside / is);
        }
    }
    return true;
}
