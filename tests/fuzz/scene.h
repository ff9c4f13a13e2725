/* What targets of scenes share: where things are, and kernels made of a seed. */
#ifndef FUZZ_SCENE_H
#define FUZZ_SCENE_H

#include "hostile.h"

#include "../eu_kernel.h"

enum {
    SCENE = 0xd0000, /* all that is not commands */
    DYNAMIC = SCENE,
    SURFACES = SCENE + 0x1000, /* the table, and a state every 64 bytes behind it */
    STATES_AT = 0x400,
    STATES = 8,
    KERNELS = SCENE + 0x4000,
    KERNELS_BYTES = 0x2000,
    VERTEX_KERNEL = 0x1000,
    VERTICES = SCENE + 0x6000,
    STREAMED = SCENE + 0x7000,
    KERNEL_BYTES = 0x1000,
    GEOMETRY_KERNEL = 0x4000, /* behind what streams out */
    HULL_KERNEL = 0x5000,
    DOMAIN_KERNEL = 0x6000,
    TARGET = SCENE + 0x10000,
    TARGET_BYTES = 0x1f000,
    DEPTH = TARGET + 0x10000,
    STENCIL = TARGET + 0x18000,
    COMMANDS_DW = 0x200,
    SCENE_DW = 0xb000 / 4
};
enum {
    BLENDING = 0x100,
    CONSTANT_COLORS = 0x200,
    VIEWPORT = 0x240,
    SCISSOR = 0x280,
    RANGES = 0x2c0,
    SAMPLERS = 0x300,
    IDS = 0x400
};

/* ---- The kernel ---- */

static const struct how all = {.channels = 16}, both = {.channels = 32};

/* A register of the set. */
static inline struct op whole(const struct kernel *k, unsigned number, enum eu_type type)
{
    return reg(number * kernel_rows(k->set), type);
}

/* The channels of stages before pixels: a register has a dword of each. */
static inline struct how lanes(const struct kernel *k)
{
    return (struct how){.channels = (uint8_t)(8 * kernel_rows(k->set))};
}

static inline bool is_wide(const struct kernel *k)
{
    return kernel_rows(k->set) > 1;
}

static inline void put_value(struct kernel *k, uint64_t *seed)
{
    static const uint32_t values[] = {0,          1,          4,          63,         0x1000,
                                      0x3f000000, 0x3f800000, 0x42000000, 0xbf800000, 0x7fc00000};
    const uint32_t value =
        below(seed, 8) ? values[below(seed, sizeof values / sizeof values[0])] : (uint32_t)random_value(seed);
    KERNEL_1(k, EU_MOV, all, whole(k, below(seed, 100), TYPE_UD), imm(value, TYPE_UD));
}

/* Gen20 has other messages, and parts of their descriptors that are in the extended one. */
static inline void put_wide_message(struct kernel *k, uint64_t *seed)
{
    static const uint8_t functions[] = {SFID_SAMPLER, SFID_SAMPLER, SFID_RENDER_CACHE, SFID_TGM,
                                        SFID_SLM,     SFID_UGM,     SFID_URB};
    for (unsigned tries = 0; tries < 64; tries++) {
        const unsigned function = functions[below(seed, sizeof functions)], payload = 1u + below(seed, 15),
                       response = below(seed, 3) ? below(seed, 32) : 0;
        uint32_t descriptor =
            (uint32_t)random_next(seed) & (function == SFID_SAMPLER ? 0xe007ffff : 0x6007ffff);
        if (function == SFID_SAMPLER || function == SFID_RENDER_CACHE)
            descriptor = (descriptor & ~0xffu) | below(seed, STATES);
        else if (below(seed, 4)) /* dwords at addresses of 32 bits */
            descriptor = (descriptor & ~0xf80u) | 0x500;
        if (function == SFID_RENDER_CACHE && below(seed, 8))
            descriptor = (descriptor & ~(0xfu << 14)) | (12u + (below(seed, 8) == 0)) << 14;
        descriptor |= payload << 25 | response << 20;
        if (eu_message_kind(k->set, function, descriptor) == MESSAGE_UNKNOWN)
            continue;
        kernel_send(k, below(seed, 2) ? all : both, function, descriptor,
                    response ? whole(k, below(seed, 128), TYPE_UD) : none(TYPE_UD),
                    whole(k, below(seed, 124), TYPE_UD), false);
        k->i[k->count - 1].value[EU_EXTENDED] =
            below(seed, 2) ? 0 : ((uint32_t)random_next(seed) & 0xf0f000) | below(seed, STATES) << 24;
        return;
    }
}

static inline void put_message(struct kernel *k, uint64_t *seed)
{
    static const uint8_t functions[] = {SFID_SAMPLER, SFID_DC0, SFID_DC1, SFID_RENDER_CACHE,
                                        SFID_TGM,     SFID_SLM, SFID_UGM, SFID_RENDER_CACHE};
    if (is_wide(k)) {
        put_wide_message(k, seed);
        return;
    }
    for (unsigned tries = 0; tries < 64; tries++) {
        const unsigned function = functions[below(seed, sizeof functions)], payload = 1u + below(seed, 12),
                       response = below(seed, 3) ? below(seed, 9) : 0;
        uint32_t descriptor = (uint32_t)random_next(seed) & 0x7ffffu;
        if (function >= SFID_TGM)
            descriptor |= below(seed, 4) << 29;
        descriptor = (descriptor & ~0xffu) | below(seed, STATES);
        if (function == SFID_RENDER_CACHE && below(seed, 4)) /* a target's */
            descriptor = (descriptor & ~(0xfu << 14 | 0x300u)) | 0xcu << 14 | below(seed, 2) * 0x400u;
        descriptor |= payload << 25 | response << 20 | below(seed, 2) << 19;
        if (eu_message_kind(k->set, function, descriptor) == MESSAGE_UNKNOWN)
            continue;
        kernel_send(k, (struct how){.channels = (uint8_t)(8u << below(seed, 2))}, function, descriptor,
                    response ? reg(40u + below(seed, 60), TYPE_UD) : none(TYPE_UD),
                    reg(below(seed, 90), TYPE_UD), false);
        return;
    }
}

static inline void encode_kernel(struct hostile *h, struct kernel *k, uint32_t at, size_t room)
{
    size_t size = 0;
    kernel_end(k);
    for (unsigned n = 0; n < k->count && size + EU_NATIVE_BYTES <= room; n++)
        if (eu_encode(k->set, &k->i[n], h->memory + at + size))
            size += EU_NATIVE_BYTES;
}

static inline void put_some(struct kernel *k, uint64_t *seed, size_t most)
{
    for (uint32_t left = below(seed, 2) * below(seed, most); left; left--)
        (below(seed, 3) ? put_value : put_message)(k, seed);
}

static inline void dword_put(struct hostile *h, uint32_t at, uint32_t value)
{
    memcpy(h->memory + at, &value, 4);
}

static inline uint32_t *command(uint32_t **to, uint32_t header, uint32_t length_dw)
{
    uint32_t *const dw = *to;
    memset(dw, 0, length_dw * sizeof *dw);
    dw[0] = header | (length_dw - 2u);
    *to += length_dw;
    return dw;
}

/* Mostly small, or all there is of a field. */
static inline uint32_t size_of(uint64_t *seed, uint32_t usual, uint32_t most)
{
    return below(seed, 8) ? usual : below(seed, 2) ? most : below(seed, most);
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
