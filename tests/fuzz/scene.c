/*
 * A draw, or a walker, that hardware would take, of which some dwords are changed: of its commands, its
 * state, its surfaces, its vertices and its kernels. Bytes: 0 device, 1 engine (bit 1: vertices stream out),
 * 2 how memory is reached, and whether it is saved and loaded on the way, as it is or not quite, 3 what it is
 * (enum what), 4 to 7 what the kernel is made of, 8 to 11 what the draw is; then, six bytes each, where a
 * dword is changed, and what it becomes. Where nothing is broken it ends alike, however it is cut.
 */
#include "stages.h"

enum what {
    DRAWS = 1,
    SHADES_VERTICES = 2,
    CLIPS = 4,
    TESTS = 8,
    CLEARS = 16,
    ALL_TOPOLOGIES = 32,
    PATCHES = 64,
    MAKES_PRIMITIVES = 128
};
enum { HEADER_BYTES = 12, CHANGE_BYTES = 6, MOST_CHANGES = 64 };

/* A header, and what was fetched behind it, in some order, into the vertices' entries; then some more. */
static void put_vertex_kernel(struct hostile *h, uint64_t seed)
{
    enum { PAYLOAD = HANDLE, HANDLES = 1, FETCHED = 2, MASKED = 3 << 15 };
    static struct kernel k;
    k.set = h->sheet->eu;
    k.count = 0;
    put_some(&k, &seed, 6);
    KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, PAYLOAD, TYPE_UD), whole(&k, HANDLES, TYPE_UD));
    for (unsigned i = 1; i < 9; i++)
        KERNEL_1(&k, EU_MOV, lanes(&k), whole(&k, PAYLOAD + i, TYPE_UD),
                 whole(&k, below(&seed, 4) ? FETCHED + i - 1u : FETCHED + below(&seed, 16), TYPE_UD));
    urb_write(&k, 0, 8);
    for (uint32_t left = below(&seed, 4); left; left--) {
        const uint32_t oword = below(&seed, 80), count = below(&seed, 9),
                       masked = below(&seed, 3) ? 0 : (uint32_t)random_next(&seed) & MASKED;
        if (is_wide(&k))
            urb_write(&k, oword, 1 + count);
        else
            kernel_send(&k, lanes(&k), SFID_URB, URB_WRITE | oword << 4 | (1u + count) << 25 | masked,
                        none(TYPE_UD), reg(PAYLOAD, TYPE_UD), false);
    }
    if (below(&seed, 2))
        urb_read(&k, &seed, whole(&k, PAYLOAD, TYPE_UD));
    encode_kernel(h, &k, KERNELS + VERTEX_KERNEL, KERNELS_BYTES - VERTEX_KERNEL);
}

static void put_kernel(struct hostile *h, uint64_t seed, bool draws)
{
    static struct kernel k;
    k.set = h->sheet->eu;
    k.count = 0;
    put_some(&k, &seed, 12);
    if (draws)
        kernel_send(&k, is_wide(&k) && below(&seed, 2) ? both : all, SFID_RENDER_CACHE,
                    8u << 25 | 0xcu << 14 | 1u << 12 | (is_wide(&k) && below(&seed, 2) ? 1u << 8 : 0),
                    none(TYPE_UD),
                    whole(&k, below(&seed, 4) ? 112 : below(&seed, 24), TYPE_UD), /* of the payload */
                    below(&seed, 8) != 0);
    encode_kernel(h, &k, KERNELS, VERTEX_KERNEL);
}

/* ---- State ---- */

/* The first is the target; the others are of all types, formats and tilings. */
static void put_surfaces(struct hostile *h, uint64_t seed)
{
    static const uint16_t formats[] = {0xc7, 0x00, 0x02, 0xd8, 0x140, 0x88, 0xc1, 0x1ff};
    for (uint32_t i = 0; i < STATES; i++) {
        const uint32_t at = SURFACES + STATES_AT + i * 64u, type = i ? below(&seed, 5) : 1;
        const uint32_t format = below(&seed, 6) ? formats[below(&seed, 7)] : below(&seed, 512);
        dword_put(h, SURFACES + i * 4u, STATES_AT + i * 64u);
        dword_put(h, at,
                  type << 29 | below(&seed, 2) << 28 | format << 18 | 1u << 16 | 1u << 14 |
                      below(&seed, 4) << 12 | (type == 3 ? 63u : 0));
        dword_put(h, at + 4, 8);
        dword_put(h, at + 8, below(&seed, 3) ? 63u | 31u << 16 : (uint32_t)random_value(&seed) & 0x3fff3fff);
        dword_put(h, at + 12, 1023u | below(&seed, 4) << 21);
        dword_put(h, at + 20, below(&seed, 3) | below(&seed, 3) << 4);
        dword_put(h, at + 28, below(&seed, 2) ? 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16 : 0);
        dword_put(h, at + 32, TARGET + (i ? below(&seed, 16) * 0x1000u : 0));
        dword_put(h, DYNAMIC + SAMPLERS + i * 16u, (uint32_t)random_value(&seed));
        dword_put(h, DYNAMIC + SAMPLERS + i * 16u + 4, (uint32_t)random_value(&seed));
        dword_put(h, DYNAMIC + SAMPLERS + i * 16u + 8, (uint32_t)random_value(&seed) & 0x3ff);
        dword_put(h, DYNAMIC + SAMPLERS + i * 16u + 12, (uint32_t)random_value(&seed));
    }
}

static void put_bases(uint32_t **to)
{
    static const uint32_t bases[19] = {0x61010000 | 17, 1,          0,          0,         SURFACES | 1, 0,
                                       DYNAMIC | 1,     0,          1,          0,         KERNELS | 1,  0,
                                       0xfffff001,      0xfffff001, 0xfffff001, 0xfffff001};
    memcpy(*to, bases, sizeof bases);
    *to += 19;
}

static void put_vertices(struct hostile *h, uint64_t *seed)
{
    for (uint32_t i = 0; i < 96; i++) {
        const float value = below(seed, 12) ? (float)below(seed, 80) - 4.f + (float)below(seed, 16) / 16.f
                                            : (float)(int32_t)random_value(seed);
        memcpy(h->memory + VERTICES + i * 4u, &value, 4);
    }
    for (uint32_t i = 0; i < 64; i++)
        dword_put(h, VERTICES + 0x200 + i * 4u, below(seed, 8));
}

static void put_depths(struct hostile *h, uint64_t *seed, uint32_t **to)
{
    static const uint8_t formats[] = {1, 3, 5, 1, 3, 5, 1, 2};
    const bool wide = h->sheet->eu == &eu_gen200, tile_4 = wide || h->sheet->eu == &eu_gen125,
               late = tile_4 || h->sheet->eu == &eu_gen12;
    const uint32_t width = size_of(seed, 63, 0x3fff), height = size_of(seed, 31, 0x3fff),
                   type = below(seed, 8) ? 1 : 7,
                   size = late ? width << 1 | height << 17 : width << 4 | height << 18;
    uint32_t *dw = command(to, 0x78050000, tile_4 && !wide ? 10 : 8);
    dw[1] = type << 29 | 1u << 28 | (uint32_t)formats[below(seed, 8)] << (late ? 24 : 18) | 511u;
    dw[1] |= late ? 0 : 1u << 27;
    dw[2] = DEPTH;
    dw[4] = size;
    dw[5] = size_of(seed, 0, 3) << (late ? 8 : 10);
    dw[6] = tile_4 ? 3u << 30 : 0;
    dw[7] = size_of(seed, 8, 0x7fff);
    dw = command(to, 0x78060000, late ? 8 : 5);
    dw[1] = 1u << (late ? 29 : 31) | (late ? 1u << 28 : 0) | 255u;
    dw[2] = STENCIL;
    dw[4] = late ? size : 8;
    if (late) {
        dw[6] = tile_4 ? 3u << 30 : 0;
        dw[7] = size_of(seed, 8, 0x7fff);
    }
    dw = command(to, 0x784e0000, h->sheet->eu == &eu_gen8 ? 3 : 4);
    dw[1] = (uint32_t)random_next(seed) | (below(seed, 4) ? 3u : 0);
    dw[2] = below(seed, 2) ? UINT32_MAX : (uint32_t)random_next(seed);
    if (h->sheet->eu != &eu_gen8)
        dw[3] = (uint32_t)random_next(seed);
    command(to, 0x78230000, 2)[1] = RANGES;
    for (uint32_t i = 0; i < 2; i++) {
        const float value = below(seed, 8) ? (float)i : (float)(int32_t)random_value(seed);
        memcpy(h->memory + DYNAMIC + RANGES + i * 4u, &value, 4);
    }
}

static void put_clear(const struct hostile *h, uint64_t *seed, uint32_t **to)
{
    const float value = (float)below(seed, 5) / 4;
    const bool wide = h->sheet->eu == &eu_gen200, longer = wide || h->sheet->eu == &eu_gen125;
    if (!wide)
        memcpy(command(to, 0x78040000, 3) + 1, &value, sizeof value);
    uint32_t *const dw = command(to, 0x78520000, longer ? 6 : 5);
    if (wide)
        memcpy(dw + 5, &value, sizeof value);
    dw[1] = below(seed, 4) << 30 | below(seed, 256) << 16 | below(seed, 2) << 25;
    dw[2] = size_of(seed, 2, 0xffff) | size_of(seed, 3, 0xffff) << 16;
    dw[3] = size_of(seed, 40, 0xffff) | size_of(seed, 30, 0xffff) << 16;
}

static void put_clip(struct hostile *h, uint64_t *seed, uint32_t **to)
{
    uint32_t *dw = command(to, 0x78120000, 4);
    dw[1] = 1u << 10 | (below(seed, 4) ? 0 : below(seed, 256) | below(seed, 2) << 20);
    dw[2] = 1u << 31 | below(seed, 2) << 30 | below(seed, 2) << 28 | below(seed, 4) / 3 << 9 |
            (below(seed, 4) ? 0 : below(seed, 256)) << 16;
    dw[3] = below(seed, 16) | (uint32_t)random_next(seed) << 4;
    dw = command(to, 0x78130000, 4);
    dw[1] = 1u << 1 | 1u << 10 | size_of(seed, below(seed, 512), 0x3ffff) << 12;
    dw[3] = (uint32_t)random_next(seed);
    dw = command(to, 0x78500000, 5);
    dw[1] = below(seed, 4) << 16 | below(seed, 2) << 21 | below(seed, 2) << 1 | below(seed, 2) |
            below(seed, 2) << 26 | below(seed, 8) << 7;
    for (unsigned i = 2; i < 5; i++)
        dw[i] = below(seed, 2) ? 0x3f800000 : (uint32_t)random_value(seed);
    for (uint32_t i = 0; i < 16; i++) { /* extents of all pixels, mostly */
        const float extents[4] = {0, 63, 0, 31}, value = i >= 12 && below(seed, 8) ? extents[i - 12]
                                                         : below(seed, 16)
                                                             ? (float)below(seed, 40)
                                                             : (float)(int32_t)random_value(seed) * 1e20f;
        memcpy(h->memory + DYNAMIC + VIEWPORT + i * 4u, &value, 4);
    }
}

static void put_vertex_state(uint64_t *seed, uint32_t **to)
{
    uint32_t *dw = command(to, 0x78100000, 9);
    dw[1] = VERTEX_KERNEL;
    dw[6] =
        size_of(seed, 1 + below(seed, 4), 63) << 11 | size_of(seed, 0, 63) << 4 | size_of(seed, 2, 31) << 20;
    dw[7] = 1u | 1u << 2 | 1u << 10 | below(seed, 4) / 3 << 1;
    dw[8] = below(seed, 4) ? 0 : (uint32_t)random_next(seed);
    command(to, 0x78300000, 2)[1] = 64 | below(seed, 17) << 16 | below(seed, 128) << 25;
    dw = command(to, 0x78150000, 11);
    dw[1] = size_of(seed, 0, 0xffff);
    dw[3] = DYNAMIC;
    dw = command(to, 0x780c0000, 2);
    dw[0] |= below(seed, 2) << 8;
    dw[1] = below(seed, 8);
}

static void put_draw(struct hostile *h, uint64_t seed, unsigned what, bool streams, uint32_t **to)
{
    static const uint8_t drawn[] = {15, 4, 5, 6};
    const uint32_t topology = what & PATCHES ? 32u + (below(&seed, 4) ? below(&seed, 4) : below(&seed, 32))
                              : what & ALL_TOPOLOGIES ? 1u + below(&seed, 17)
                                                      : drawn[below(&seed, 4)],
                   attributes = below(&seed, 4) ? below(&seed, 4) : below(&seed, 33),
                   wide = below(&seed, 7) + 1u;
    uint32_t *dw;
    put_vertices(h, &seed);
    dw = command(to, 0x78200000, 12);
    dw[3] = below(&seed, 4) / 3 << 18 | below(&seed, 2) << 30;
    dw[6] = wide | 63u << 23 | below(&seed, 2) << 11 | (below(&seed, 8) ? 0 : 1u << 8) | below(&seed, 4) << 3;
    dw[7] = below(&seed, 8) << 16 | below(&seed, 8) << 8 | below(&seed, 128);
    if (h->sheet->eu == &eu_gen200) { /* two kernels, of some pixels and polygons */
        dw[1] |= 1u | below(&seed, 2) << 1;
        dw[7] |= below(&seed, 8) << 24 | (below(&seed, 4) ? 0 : below(&seed, 8)) << 27;
        dw[8] = below(&seed, 4) / 3 | below(&seed, 2) << 1;
    }
    dw = command(to, 0x78170000, 11);
    dw[1] = below(&seed, 3) << 16 | below(&seed, 3);
    dw[2] = below(&seed, 3) << 16 | below(&seed, 3);
    dw[3] = DYNAMIC;
    dw[5] = DYNAMIC + 32;
    dw[7] = VERTICES;
    dw[9] = TARGET;
    dw = command(to, 0x784f0000, 2);
    dw[1] = 1u << 31 | 1u << 8 | below(&seed, 2) << 28 | below(&seed, 2) << 24 | below(&seed, 2) << 23 |
            below(&seed, 2) << 1;
    if (h->sheet->eu == &eu_gen200) /* and more of the payload */
        dw[1] |= below(&seed, 2) ? (uint32_t)random_next(&seed) & 0x05bc0042 : 0;
    dw = command(to, 0x781f0000, h->sheet->eu == &eu_gen8 ? 4 : 6);
    dw[1] = 1u << 28 | 1u << 29 | attributes << 22 | 1u << 11 | 1u << 5 | below(&seed, 2) << 21;
    dw[3] = (uint32_t)random_value(&seed);
    dw = command(to, 0x78510000, 11);
    for (unsigned i = 1; i < 9; i++)
        dw[i] = (uint32_t)random_value(&seed) & (below(&seed, 2) ? 0x1f001f : UINT32_MAX);
    dw = command(to, 0x78140000, 2);
    dw[1] = 1u << 31 | below(&seed, 64) << 11;
    dw = command(to, 0x784d0000, 2);
    dw[1] = 1u << 30;
    for (unsigned i = 0; i < 17; i++)
        dword_put(h, DYNAMIC + BLENDING + i * 4u, below(&seed, 3) ? 0 : (uint32_t)random_value(&seed));
    command(to, 0x78240000, 2)[1] = BLENDING | 1;
    command(to, 0x780e0000, 2)[1] = CONSTANT_COLORS | 1;
    command(to, 0x78210000, 2)[1] = VIEWPORT;
    command(to, 0x780f0000, 2)[1] = SCISSOR;
    command(to, 0x782f0000, 2)[1] = SAMPLERS;
    command(to, 0x782a0000, 2)[1] = 0;
    for (unsigned i = 0; i < 6; i++) {
        const float value = i < 3 ? 1 : (float)below(&seed, 20);
        memcpy(h->memory + DYNAMIC + VIEWPORT + i * 4u, &value, 4);
    }
    dword_put(h, DYNAMIC + SCISSOR, 1u << 16 | 2);
    dword_put(h, DYNAMIC + SCISSOR + 4, 31u << 16 | 50);
    dw = command(to, 0x78080000, 9);
    dw[1] = 12 | 1u << 14;
    dw[2] = VERTICES;
    dw[4] = 0x200;
    dw[5] = 1u << 14 | 1u << 26 | below(&seed, 2) * 4u;
    dw[6] = VERTICES + 0x80;
    dw[8] = below(&seed, 2) ? 0x100 : 48;
    dw = command(to, 0x78090000, 1 + 2 * (2 + attributes));
    dw[1] = 1u << 25 | 1u << 26;
    dw[2] = 0x12220000;
    dw[3] = 0x40u << 16 | 1u << 25;
    dw[4] = 0x11130000;
    for (uint32_t i = 0; i < attributes; i++) {
        dw[5 + 2 * i] =
            below(&seed, 64) | (below(&seed, 3) ? 0 : below(&seed, 512)) << 16 | 1u << 25 | 1u << 26;
        dw[6 + 2 * i] = 0x11110000;
    }
    dw = command(to, 0x780a0000, 5);
    dw[1] = below(&seed, 3) << 8;
    dw[2] = VERTICES + 0x200;
    dw[4] = 0x100;
    command(to, 0x784a0000, 2)[1] = 1u << 31 | 1u << 29 | below(&seed, 2) << 15 | below(&seed, 4);
    command(to, 0x784b0000, 2)[1] = topology;
    command(to, 0x78180000, 2)[1] = 1;
    command(to, 0x78120000, 4)[2] = below(&seed, 2) << 9;
    command(to, 0x78130000, 4)[1] = below(&seed, 2) << 1;
    command(to, 0x78500000, 5)[1] = below(&seed, 4) << 16 | below(&seed, 2) << 21 | below(&seed, 2) << 1;
    command(to, 0x78100000, 9);
    dw = command(to, 0x79000000, 4);
    dw[2] = 0x3fffu << 16 | 0x3fff;
    if (what & SHADES_VERTICES)
        put_vertex_state(&seed, to);
    if (what & CLIPS)
        put_clip(h, &seed, to);
    if (what & (TESTS | CLEARS))
        put_depths(h, &seed, to);
    if (what & CLEARS)
        put_clear(h, &seed, to);
    if (what & PATCHES)
        put_patches(h, &seed, to);
    if (what & MAKES_PRIMITIVES)
        put_geometry(&seed, topology, to);
    if (streams)
        put_streams(h, &seed, to);
    dw = command(to, 0x7b000000, 7);
    dw[1] = below(&seed, 2) << 8 | topology;
    dw[2] = below(&seed, 16) ? 3u + below(&seed, 10) + topology / 33u * (topology - 32u)
                             : (uint32_t)random_value(&seed);
    dw[4] = 1u + below(&seed, 3);
    dw[5] = below(&seed, 3);
    dw[6] = below(&seed, 2);
}

static void put_walk(struct hostile *h, uint64_t seed, uint32_t **to)
{
    const uint32_t threads = 1u + below(&seed, 8), local = below(&seed, 6);
    uint32_t *dw;
    for (uint32_t i = 0; i < 256; i++)
        dword_put(h, DYNAMIC + IDS + i * 4u, below(&seed, 2) ? i : (uint32_t)random_value(&seed));
    if (h->sheet->eu->has_lsc) {
        const unsigned later = h->sheet->eu == &eu_gen200; /* its descriptor */
        dw = command(to, 0x72080000, 39 + later);
        dw[2] = below(&seed, 2) ? 64u : 0;
        dw[3] = IDS;
        dw[4] = (later ? 1u + below(&seed, 2) : below(&seed, 3)) << 30 | below(&seed, 8) << 26 | 1u << 25 |
                below(&seed, 8) << 22 | below(&seed, 2) << 19;
        dw[5] = UINT32_MAX;
        dw[6] = below(&seed, 2) ? threads * 16u - 1u : 3u | 3u << 10 | 3u << 20;
        for (unsigned i = 0; i < 3; i++)
            dw[7 + i] = 1u + below(&seed, 3);
        dw[21 + later] = SAMPLERS;
        dw[22 + later] = 0;
        dw[23 + later] = threads | local << 16;
        return;
    }
    dword_put(h, DYNAMIC + 0xc, SAMPLERS);
    dword_put(h, DYNAMIC + 0x14, 2u << 16);
    dword_put(h, DYNAMIC + 0x18, local << 16 | threads | 1u << 21);
    dword_put(h, DYNAMIC + 0x1c, 1);
    command(to, 0x70000000, 9);
    dw = command(to, 0x70010000, 4);
    dw[2] = 0x400;
    dw[3] = IDS;
    command(to, 0x70020000, 4)[2] = 32;
    dw = command(to, 0x71050000, 15);
    dw[4] = below(&seed, 3) << 30 | (threads - 1u);
    dw[7] = 1u + below(&seed, 3);
    dw[10] = 1u + below(&seed, 3);
    dw[12] = 1u + below(&seed, 3);
    dw[13] = dw[14] = UINT32_MAX;
}

/* ---- A run ---- */

struct input {
    unsigned product, engine, how, what;
    bool streams;
    uint32_t kernel, scene;
    const uint8_t *changes;
    unsigned change_count;
};

static void change(struct hostile *h, const struct input *in)
{
    for (unsigned i = 0; i < in->change_count; i++) {
        uint16_t at;
        memcpy(&at, in->changes + i * CHANGE_BYTES, 2);
        const uint32_t place = at & 0x8000u ? BATCH + at % COMMANDS_DW * 4u : SCENE + at % SCENE_DW * 4u;
        memcpy(h->memory + place, in->changes + i * CHANGE_BYTES + 2, 4);
    }
}

/* Numbers of what is half way become others, sums are made right: it loads, or all stays as it was. */
static void spoil(uint8_t *state, size_t size, const char *unit, uint64_t *seed)
{
    enum { STATE_HEADER = 48, SUM_AT = 40, REACH = 1 << 12 }; /* src/device/save.c */
    static const char *const sections[] = {"work",    "cursor", "ps",    "primitive",
                                           "threads", "groups", "parse", "vertices"};
    static const uint64_t edges[] = {0,          1,          2,          127,        128,
                                     UINT64_MAX, 0x80000000, 0x7fffffff, 0x7fc00000, 1u << 16};
    char name[40];
    snprintf(name, sizeof name, "%s.%s", unit, sections[below(seed, sizeof sections / sizeof sections[0])]);
    const uint8_t *const found = memmem(state, size, name, strlen(name));
    const size_t from = found ? (size_t)(found - state) : STATE_HEADER;
    for (uint32_t left = 1u + below(seed, 4); left; left--) {
        const uint64_t value =
            below(seed, 3) ? edges[below(seed, sizeof edges / sizeof edges[0])] : random_value(seed);
        const size_t at = from + below(seed, REACH), bytes = (size_t)1 << below(seed, 4);
        if (at >= STATE_HEADER && at + bytes <= size)
            memcpy(state + at, &value, bytes);
    }
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = STATE_HEADER; i < size; i++)
        sum = (sum ^ state[i]) * UINT64_C(0x100000001b3);
    memcpy(state + SUM_AT, &sum, 8);
}

static void reload(struct hostile *h, unsigned engine, bool spoils)
{
    const size_t bytes = softgt_save(h->device, NULL, 0);
    uint8_t *const state = malloc(bytes), *const other = malloc(bytes);
    if (!state || !other || softgt_save(h->device, state, bytes) != bytes)
        abort();
    memcpy(other, state, bytes);
    if (spoils)
        spoil(other, bytes, h->sheet->engines[engine].name, &h->seed);
    if (softgt_load(h->device, other, bytes) != 0 && (!spoils || softgt_load(h->device, state, bytes) != 0))
        abort();
    free(state);
    free(other);
}

/* True: it came to its end. */
static bool play(struct hostile *h, const struct input *in, unsigned slice_dw, unsigned slices, bool reloads)
{
    static const enum port_kind kinds[] = {MAPPED, HALF_MAPPED, READ_CHANGING, MAPPED_CHANGING};
    uint32_t *const batch = (uint32_t *)(void *)(h->memory + BATCH), *to = batch;
    const struct engine_info *const engine = &h->sheet->engines[in->engine];
    const struct driver_ring ring = {RING, RING_BYTES, 0, 16};
    const uint32_t start[4] = {0x31u << 23 | 1u << 8 | 1u, BATCH, 0, 0};
    struct driver_writes writes = {0};
    struct softgt_engine_status status;
    if (!driver_ppgtt_make(&h->driver, &h->ppgtt, 0) ||
        !driver_map(&h->driver, &h->ppgtt, 0, 0, HOLE, PAGE_BYTES))
        abort();
    put_bases(&to);
    put_surfaces(h, in->scene);
    put_kernel(h, in->kernel, in->what & DRAWS);
    put_vertex_kernel(h, in->kernel);
    put_geometry_kernel(h, in->kernel);
    put_hull_kernel(h, in->kernel);
    put_domain_kernel(h, in->kernel);
    if (in->what & DRAWS)
        put_draw(h, in->scene, in->what, in->streams, &to);
    else
        put_walk(h, in->scene, &to);
    *to++ = 0x0a << 23;
    if (to > batch + COMMANDS_DW)
        abort();
    change(h, in);
    memcpy(h->memory + RING, start, sizeof start);
    driver_set_directory(&writes, engine, &h->ppgtt);
    driver_set_ring(&writes, engine, &ring);
    hostile_memory(h, kinds[in->how & 3u]);
    driver_write(h->device, &writes);
    for (unsigned i = 0; i < slices && hostile_run(h, slice_dw); i++) {
        if (reloads && i % 16u == 1)
            reload(h, in->engine, in->how & 0x40u);
    }
    hostile_advance(h, 1000000);
    return softgt_engine_get_status(h->device, in->engine, &status) && status.state == SOFTGT_ENGINE_IDLE;
}

static void check_target(const struct hostile *h, const uint8_t *target)
{
    if (memcmp(target, h->memory + TARGET, TARGET_BYTES) != 0)
        abort();
}

/* Translated, and with groups beside each other; those of a walker may meet in memory. */
static void play_otherwise(const struct input *in, const uint8_t *target, bool ended)
{
    for (enum hostile_host host = HOST_TRANSLATES; host <= HOST_PARALLEL; host++) {
        struct hostile *const h = hostile_start(in->product, 1, host, 0);
        const bool again = play(h, in, 4096, 24, false);
        if (in->how & 2u || (host == HOST_PARALLEL && !(in->what & DRAWS)))
            continue; /* memory changes meanwhile */
        if (again != ended)
            abort();
        check_target(h, target);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t target[TARGET_BYTES];
    unsigned products = 0;
    if (size < HEADER_BYTES)
        return 0;
    while (sheets[products])
        products++;
    struct input in = {.product = data[0] % products,
                       .how = data[2],
                       .what = data[3],
                       .streams = data[1] & 2u,
                       .changes = data + HEADER_BYTES};
    in.change_count = (unsigned)((size - HEADER_BYTES) / CHANGE_BYTES);
    in.change_count = in.change_count < MOST_CHANGES ? in.change_count : MOST_CHANGES;
    memcpy(&in.kernel, data + 4, 4);
    memcpy(&in.scene, data + 8, 4);
    const struct sheet *const sheet = sheets[in.product];
    while (in.engine < sheet->info.engine_count &&
           sheet->engines[in.engine].class != (data[1] & 1u ? CLASS_COMPUTE : CLASS_RENDER))
        in.engine++;
    if (!sheet->eu || sheet->eu->no_gpgpu || in.engine == sheet->info.engine_count)
        return 0;
    struct hostile *h = hostile_start(in.product, 1, HOST_PLAIN, 0);
    const bool ended = play(h, &in, 4096, 24, false);
    memcpy(target, h->memory + TARGET, sizeof target);
    if (!(in.how & 4u))
        return 0;
    h = hostile_start(in.product, 1, HOST_PLAIN,
                      (in.how & 8u ? SOFTGT_TRACE_MEMORY : 0) | (in.how & 0x80u ? TRACE_DRAW_DETAILS : 0));
    h->seed = in.kernel;
    const bool again = play(h, &in, 256u << (in.how >> 4 & 3u), 200, true);
    if (ended && again && !(in.how & 0x43u))
        check_target(h, target);
    play_otherwise(&in, target, ended);
    return 0;
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    enum { OF_EACH = 32, STREAMS_OUT = 2 };
    static const uint8_t stages[] = {PATCHES, MAKES_PRIMITIVES, PATCHES | MAKES_PRIMITIVES, 0};
    (void)root;
    for (uint8_t product = 0; sheets[product]; product++)
        for (uint8_t i = 0; sheets[product]->eu && i < OF_EACH; i++)
            take((const uint8_t[HEADER_BYTES]){product, i == 11, i % 5u ? (i % 3u ? 0x44u : 4u) : i,
                                               (uint8_t)(i % 3u ? DRAWS | (unsigned)i << 1 : 0), i, product,
                                               0, 0, i, product},
                 HEADER_BYTES);
    for (uint8_t product = 0; sheets[product]; product++)
        for (uint8_t i = 0; sheets[product]->eu && i < OF_EACH; i++)
            take((const uint8_t[HEADER_BYTES]){product, i % 3u ? STREAMS_OUT : 0, i & 4u ? 0x44u : 4u,
                                               (uint8_t)(DRAWS | stages[i % 4u] |
                                                         (i & 8u ? SHADES_VERTICES : 0) |
                                                         (i & 16u ? ALL_TOPOLOGIES : 0)),
                                               i, product, 1, 0, i, product, 1},
                 HEADER_BYTES);
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
