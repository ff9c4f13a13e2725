/* Kernels that do as much of the host's work as they can for what they take of a slice, on Skylake: batches
 * of a walker over more groups than will ever run. */
#include "bench_kernels.h"

#include <stdio.h>
#include <string.h>

#include "../tests/eu_kernel.h"

enum { SURFACES = 0x200000, DYNAMIC = 0x300000, KERNELS = 0x800000, PIXELS = 0x2000000 };
enum { STATES_AT = 0x1000, SAMPLERS_AT = 0x100, CHUNK_BYTES = 1024, FAR_BYTES = 600 * CHUNK_BYTES };

static const struct how all = {.channels = 16}, eight = {.channels = 8},
                        whole = {.channels = 16, .no_mask = true}, single = {.channels = 1, .no_mask = true};

static struct kernel k;

static void finish(uint8_t *memory, unsigned again)
{
    const unsigned back = kernel_branch(&k, EU_JMPI, single);
    kernel_goes(&k, back, again, again);
    kernel_finish(&k);
    memcpy(memory + KERNELS, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
}

/* Sixteen channels, each sixteen samples of two levels. */
static void anisotropic(uint8_t *memory)
{
    static const uint32_t gradients[] = {0x3e99999a, 0x3f000000, 0x38d1b717, 0x3f333333, 0x3ecccccd, 0};
    enum { SAMPLE_D = 4, SIMD16 = 2 << 17 };
    for (unsigned n = 0; n < 6; n++)
        KERNEL_1(&k, EU_MOV, whole, reg(40 + n * 2, TYPE_UD), imm(gradients[n], TYPE_UD));
    const unsigned again = k.count;
    kernel_send(&k, all, SFID_SAMPLER, 12u << 25 | 8u << 20 | SIMD16 | SAMPLE_D << 12 | 1, reg(100, TYPE_UD),
                reg(40, TYPE_UD), false);
    finish(memory, again);
}

/* Channels, and messages, each in another page. */
static void put_scattered(uint8_t *memory, unsigned type, unsigned response)
{
    for (unsigned n = 0; n < 16; n++)
        KERNEL_1(&k, EU_MOV, single, one(4 + n / 8, n % 8 * 4, TYPE_UD), imm(n * 0x41000u, TYPE_UD));
    const unsigned again = k.count;
    for (unsigned i = 0; i < 20; i++) {
        KERNEL_2(&k, EU_ADD, all, reg(4, TYPE_UD), reg(4, TYPE_UD), imm(0x1040, TYPE_UD));
        KERNEL_2(&k, EU_AND, all, reg(6, TYPE_UD), reg(4, TYPE_UD), imm(0xfffffc, TYPE_UD));
        kernel_send(&k, all, SFID_DC1, 2u << 25 | response << 20 | type,
                    response ? reg(14, TYPE_UD) : none(TYPE_UD), reg(6, TYPE_UD), false);
    }
    finish(memory, again);
}

static void gathers(uint8_t *memory)
{
    put_scattered(memory, 1u << 14 | 0x1e00, 2);
}

static void atomics(uint8_t *memory)
{
    put_scattered(memory, 2u << 14 | 0x500, 0);
}

static void pixels(uint8_t *memory)
{
    for (unsigned n = 0; n < 6; n++)
        KERNEL_1(&k, EU_MOV, whole, reg(4 + n, TYPE_UD), imm(n < 2 ? 3 : 0x3e800000, TYPE_UD));
    const unsigned again = k.count;
    for (unsigned i = 0; i < 20; i++)
        kernel_send(&k, eight, SFID_DC1, 6u << 25 | 0xdu << 14 | 1u << 12 | 1, none(TYPE_UD), reg(4, TYPE_UD),
                    false);
    finish(memory, again);
}

/* Straight on, through more than is kept decoded. */
static void long_kernel(uint8_t *memory)
{
    KERNEL_2(&k, EU_ADD, all, reg(20, TYPE_F), reg(24, TYPE_F), reg(28, TYPE_F));
    finish(memory, 0);
    for (uint32_t at = EU_NATIVE_BYTES; at < FAR_BYTES; at += EU_NATIVE_BYTES)
        memcpy(memory + KERNELS + at, memory + KERNELS, EU_NATIVE_BYTES);
    k.i[1].value[EU_JIP] = 0u - FAR_BYTES - EU_NATIVE_BYTES; /* from behind itself */
    if (!eu_encode(k.set, &k.i[1], memory + KERNELS + FAR_BYTES))
        abort();
}

static void slow_functions(uint8_t *memory)
{
    for (unsigned i = 0; i < 40; i++)
        KERNEL_2(&k, EU_MATH, ((struct how){.channels = 16, .function = 10}), reg(20, TYPE_F),
                 reg(24, TYPE_F), reg(28, TYPE_F));
    finish(memory, 0);
}

const struct bench_kernel bench_kernels[] = {{"kernel_sampler", anisotropic},
                                             {"kernel_gathers", gathers},
                                             {"kernel_atomics", atomics},
                                             {"kernel_pixels", pixels},
                                             {"kernel_decoded", long_kernel},
                                             {"kernel_functions", slow_functions},
                                             {NULL, NULL}};

static void put_surfaces(uint8_t *memory)
{
    enum { SRGB = 0xc8, LEVELS = 7 };
    const uint32_t
        buffer[9] = {4u << 29 | 0x1ffu << 18, 0, 0x7fu | 0x3fffu << 16, 0x7u << 21, 0, 0, 0, 0, PIXELS},
        image[9] =
            {1u << 29 | SRGB << 18 | 1u << 16 | 1u << 14, 64 / 4, 1023 | 255u << 16, 4095, 0, LEVELS, 0,
             4u << 25 | 5u << 22 | 6u << 19 | 7u << 16,   PIXELS},
        /* anisotropic 16:1, linear between levels; everything wraps */
        sampler[4] = {2u << 14 | 2u << 17 | 3u << 20, (14u << 8) << 8, 1, 7u << 19},
        table[2] = {STATES_AT, STATES_AT + 64};
    memcpy(memory + SURFACES, table, sizeof table);
    memcpy(memory + SURFACES + STATES_AT, buffer, sizeof buffer);
    memcpy(memory + SURFACES + STATES_AT + 64, image, sizeof image);
    memcpy(memory + DYNAMIC + SAMPLERS_AT, sampler, sizeof sampler);
}

uint32_t bench_kernel_put(const struct bench_kernel *kernel, uint8_t *memory, uint32_t *dw)
{
    const uint32_t descriptor[8] = {0, 0, 0, SAMPLERS_AT, 0, 0, 1, 0};
    const uint32_t commands[] = {0x61010000 | 17,
                                 1,
                                 0,
                                 0,
                                 SURFACES | 1,
                                 0,
                                 DYNAMIC | 1,
                                 0,
                                 1,
                                 0,
                                 KERNELS | 1,
                                 0,
                                 0xfffff001,
                                 0xfffff001,
                                 0xfffff001,
                                 0xfffff001,
                                 0,
                                 0,
                                 0,
                                 0x70000007,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0x70020002,
                                 0,
                                 32,
                                 0,
                                 0x7105000d,
                                 0,
                                 0,
                                 0,
                                 1u << 30,
                                 0,
                                 0,
                                 0xffffffff,
                                 0,
                                 0,
                                 1,
                                 0,
                                 1,
                                 0xffff,
                                 0xffffffff};
    k.set = &eu_gen9;
    k.count = 0;
    put_surfaces(memory);
    memcpy(memory + DYNAMIC, descriptor, sizeof descriptor);
    kernel->put(memory);
    memcpy(dw, commands, sizeof commands);
    return sizeof commands / 4;
}
