/* Stages of a scene between its vertices and its pixels: patches, geometry shaders, vertices that stream out.
 */
#ifndef FUZZ_STAGES_H
#define FUZZ_STAGES_H

#include "scene.h"

/* ---- Kernels of geometry and of patches ---- */

enum { URB_WRITE = 7 | 1 << 19, URB_READ = 8 | 1 << 19, HANDLE = 100, DATA, READ_TO = 40 };

/* On Gen20 the first register has addresses, and each offset is added to them. */
enum { URB_STORE = 0x20504, URB_LOAD = 0x20500, URB_VECTOR_SHIFT = 12, HANDLE_KEPT = 99 };

static inline uint32_t urb_vector(unsigned dwords)
{
    return (dwords > 8 ? 5u : dwords > 4 ? 4u : dwords - 1u) << URB_VECTOR_SHIFT;
}

static inline void urb_write(struct kernel *k, uint32_t oword, unsigned data)
{
    if (is_wide(k)) {
        KERNEL_1(k, EU_MOV, lanes(k), whole(k, HANDLE_KEPT, TYPE_UD), whole(k, HANDLE, TYPE_UD));
        KERNEL_2(k, EU_ADD, lanes(k), whole(k, HANDLE, TYPE_UD), whole(k, HANDLE_KEPT, TYPE_UD),
                 imm(oword * 16u, TYPE_UD));
        kernel_send(k, lanes(k), SFID_URB, URB_STORE | urb_vector(data) | (1u + data) << 25, none(TYPE_UD),
                    whole(k, HANDLE, TYPE_UD), false);
        KERNEL_1(k, EU_MOV, lanes(k), whole(k, HANDLE, TYPE_UD), whole(k, HANDLE_KEPT, TYPE_UD));
        return;
    }
    kernel_send(k, lanes(k), SFID_URB, URB_WRITE | oword << 4 | (1u + data) << 25, none(TYPE_UD),
                reg(HANDLE, TYPE_UD), false);
}

/* From where a handle may be. */
static inline void urb_read(struct kernel *k, uint64_t *seed, struct op handle)
{
    KERNEL_1(k, EU_MOV, lanes(k), whole(k, READ_TO - 1, TYPE_UD), handle);
    const uint32_t oword = below(seed, 4), count = 1u + below(seed, 8);
    if (is_wide(k))
        kernel_send(k, lanes(k), SFID_URB, URB_LOAD | urb_vector(count) | 1u << 25 | count << 20,
                    whole(k, READ_TO, TYPE_UD), whole(k, READ_TO - 1, TYPE_UD), false);
    else
        kernel_send(k, lanes(k), SFID_URB, URB_READ | oword << 4 | 1u << 25 | count << 20,
                    reg(READ_TO, TYPE_UD), reg(READ_TO - 1, TYPE_UD), false);
}

/* Vertices at some places of 64 x 32 pixels, then how many there are, and what cuts or names streams. */
static inline void put_geometry_kernel(struct hostile *h, uint64_t seed)
{
    static struct kernel k;
    const uint32_t made = below(&seed, 6);
    k.set = h->sheet->eu;
    k.count = 0;
    put_some(&k, &seed, 6);
    urb_read(&k, &seed, below(&seed, 2) ? whole(&k, 3, TYPE_UD) : one(3 * kernel_rows(k.set), 0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, HANDLE, TYPE_UD), whole(&k, 1, TYPE_UD));
    for (uint32_t i = 0; i < made; i++) {
        for (unsigned n = 0; n < 8; n++)
            KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, DATA + n, TYPE_UD),
                     n < 4 || !below(&seed, 4)
                         ? imm(below(&seed, 8) ? 0 : (uint32_t)random_value(&seed), TYPE_UD)
                         : imm(float_bits(n == 7 ? 1.f : (float)below(&seed, n == 4 ? 64 : 32)), TYPE_UD));
        urb_write(&k, 4 + 4 * i, 8);
    }
    KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, DATA, TYPE_UD),
             imm(below(&seed, 4) ? made : (uint32_t)random_value(&seed), TYPE_UD));
    urb_write(&k, 0, 1);
    KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, DATA, TYPE_UD), imm((uint32_t)random_value(&seed), TYPE_UD));
    urb_write(&k, 2, 1);
    encode_kernel(h, &k, KERNELS + GEOMETRY_KERNEL, KERNEL_BYTES);
}

static inline void put_hull_kernel(struct hostile *h, uint64_t seed)
{
    static const float factors[] = {0, 1, 2, 3, 3.5F, 7, 16, 63, 64, -1, 1e30F};
    static struct kernel k;
    const bool alike = below(&seed, 4);
    uint32_t factor = below(&seed, sizeof factors / sizeof *factors);
    k.set = h->sheet->eu;
    k.count = 0;
    put_some(&k, &seed, 6);
    if (below(&seed, 2))
        kernel_send(&k, all, SFID_GATEWAY, 1u << 25 | 4, none(TYPE_UD), whole(&k, 0, TYPE_UD), false);
    urb_read(&k, &seed, below(&seed, 2) ? whole(&k, 3, TYPE_UD) : one(1 * kernel_rows(k.set), 0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, HANDLE, TYPE_UD),
             below(&seed, 4) ? one(0 * kernel_rows(k.set), 0, TYPE_UD) : whole(&k, 1, TYPE_UD));
    for (unsigned n = 0; n < 8; n++) {
        factor = alike ? factor : below(&seed, sizeof factors / sizeof *factors);
        KERNEL_1(
            &k, EU_MOV, lanes(&k), whole(&k, DATA + n, TYPE_UD),
            imm(below(&seed, 16) ? float_bits(factors[factor]) : (uint32_t)random_value(&seed), TYPE_UD));
    }
    urb_write(&k, 0, 8);
    encode_kernel(h, &k, KERNELS + HULL_KERNEL, KERNEL_BYTES);
}

static inline void put_domain_kernel(struct hostile *h, uint64_t seed)
{
    static struct kernel k;
    k.set = h->sheet->eu;
    k.count = 0;
    put_some(&k, &seed, 6);
    urb_read(&k, &seed, one(0 * kernel_rows(k.set), 0, TYPE_UD));
    KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, HANDLE, TYPE_UD), whole(&k, 4, TYPE_UD));
    for (unsigned n = 0; n < 8; n++)
        if (n == 4 || n == 5)
            KERNEL_2(&k, EU_MUL, lanes(&k), whole(&k, DATA + n, TYPE_F), whole(&k, n - 3, TYPE_F),
                     imm(float_bits(below(&seed, 8) ? 40 : 1e9F), TYPE_F));
        else
            KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, DATA + n, TYPE_UD),
                     imm(n == 7 ? float_bits(1) : 0, TYPE_UD));
    urb_write(&k, 0, 8);
    encode_kernel(h, &k, KERNELS + DOMAIN_KERNEL, KERNEL_BYTES);
}

/* ---- State ---- */

static inline void put_patches(const struct hostile *h, uint64_t *seed, uint32_t **to)
{
    uint32_t *dw = command(to, 0x781b0000, 9);
    dw[2] = 1u << 31 | 1u << 29 | size_of(seed, below(seed, 4), 31);
    dw[3] = HULL_KERNEL;
    dw[7] = 1u << 24 | below(seed, 2) << 18 | below(seed, 2) | size_of(seed, 6, 31) << 19;
    dw = command(to, 0x781c0000, h->sheet->eu == &eu_gen200 ? 5 : 4);
    dw[1] = 1u | below(seed, 4) << 4 | below(seed, 4) << 8 | below(seed, 4) << 12;
    dw[2] = below(seed, 8) ? float_bits(63) : (uint32_t)random_value(seed);
    dw[3] = below(seed, 8) ? float_bits(64) : (uint32_t)random_value(seed);
    dw = command(to, 0x781d0000, h->sheet->eu == &eu_gen8 ? 9 : 11);
    dw[1] = DOMAIN_KERNEL;
    dw[6] = size_of(seed, 1, 127) << 11 | size_of(seed, 0, 63) << 4 | size_of(seed, 5, 31) << 20;
    dw[7] = 1u | 1u << 3 | 1u << 10 | below(seed, 4) / 3 << 1 | below(seed, 2) << 2;
    command(to, 0x78310000, 2)[1] = 16 | size_of(seed, 8, 511) << 16 | 8u << 25;
    command(to, 0x78320000, 2)[1] = 64 | size_of(seed, 0, 15) << 16 | 12u << 25;
    dw = command(to, 0x78190000, 11);
    dw[1] = size_of(seed, 0, 0xffff);
    dw[3] = DYNAMIC;
}

/* How many vertices it expects is what it gets, but where topologies are any. */
static inline void put_geometry(uint64_t *seed, uint32_t topology, uint32_t **to)
{
    static const uint8_t vertices[18] = {0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 6, 6, 3, 3, 3, 2, 1},
                         made[] = {1, 3, 5};
    uint32_t *const dw = command(to, 0x78110000, 10);
    dw[1] = GEOMETRY_KERNEL;
    dw[3] = topology < 18 ? vertices[topology] : topology - 31u;
    dw[6] = size_of(seed, 3, 63) << 23 | (below(seed, 8) ? made[below(seed, 3)] : below(seed, 32)) << 17 |
            size_of(seed, 1, 63) << 11 | below(seed, 2) << 10 | below(seed, 3) << 4 | size_of(seed, 8, 15);
    dw[7] = 1u | 1u << 2 | 1u << 4 | 1u << 10 | 3u << 11 | size_of(seed, 0, 31) << 15 |
            size_of(seed, 1, 15) << 20;
    dw[8] = below(seed, 2) << 31 | below(seed, 4) / 3 << 30 | below(seed, 8) << 16;
    command(to, 0x78330000, 2)[1] = 16 | size_of(seed, 31, 511) << 16 | 8u << 25;
    command(to, 0x78160000, 11)[3] = DYNAMIC;
}

static inline void put_streams(struct hostile *h, uint64_t *seed, uint32_t **to)
{
    enum { DECLS = 6 };
    uint32_t *dw = command(to, 0x79170000, 3 + 2 * DECLS);
    dw[1] = size_of(seed, 15, 0xffff);
    dw[2] = size_of(seed, DECLS, 128) | size_of(seed, 0, 128) << 8;
    for (unsigned i = 3; i < 3 + 2 * DECLS; i++)
        dw[i] = (uint32_t)random_next(seed) & (below(seed, 2) ? 0x303f303f : 0x3fff3fff);
    for (uint32_t n = 0; n < 4; n++) {
        dw = command(to, 0x79180000, 8);
        dw[1] = 1u << 31 | n << 29 | below(seed, 2) << 21 | below(seed, 2) << 20;
        dw[2] = STREAMED + n * 0x400u;
        dw[4] = size_of(seed, 0x3f, 0x3fffffff);
        dw[5] = STREAMED + 0x800;
        dw[7] = size_of(seed, 0, UINT32_MAX);
    }
    dw = command(to, 0x781e0000, 5);
    dw[1] = 1u << 31 | 1u << 25 | below(seed, 4) / 3 << 30 | below(seed, 4) / 3 << 27 | below(seed, 2) << 26;
    dw[3] = size_of(seed, 16, 0xfff) | size_of(seed, 16, 0xfff) << 16;
    dw[4] = dw[3];
    dword_put(h, STREAMED + 0x800, below(seed, 64) * 4u);
}

#endif
