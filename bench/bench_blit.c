/*
 * Blits of a Skylake device, and of a DG2 in its tilings, beside memcpy and memset of the same bytes, and the
 * aperture through a fence beside the plain aperture. Ratios: the device's speed over the plain one's; for
 * the aperture, time over plain time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "driver/driver.h"

#include "bench_blit.h"

enum {
    MEMORY_BYTES = 256 << 20,
    BCS = 0x22000,
    STATUS = 0x2000,
    TABLES = 0x4000,
    RING = 0x10000,
    BATCH = 0x100000,
    BATCH_BYTES = 0x80000,
    FROM = 64 << 20,
    TO = 128 << 20,
    WIDTH = 2048, /* pixels of 4 bytes */
    HEIGHT = 2048,
    PITCH = WIDTH * 4,
    SMALL_BLITS = 10000,
    TIMES = 7,
};

enum tiling { LINEAR, X, Y, YF, YS, TILE_4, TILE_64 };

struct rig {
    struct softgt *device;
    uint8_t *memory;
    const struct engine_info *engine;
    struct driver driver;
    struct driver_ppgtt ppgtt;
};

static void *map(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct rig *r = user;
    if (bus_address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - bus_address;
    return r->memory + bus_address;
}

static void put(struct rig *r, uint32_t offset, uint32_t value)
{
    softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static void put_dword(struct rig *r, uint32_t at, uint32_t value)
{
    memcpy(r->memory + at, &value, 4);
}

static void set_up_engine(struct rig *r)
{
    struct driver_writes writes = {0};
    driver_set_directory(&writes, r->engine, &r->ppgtt);
    driver_write(r->device, &writes);
    put(r, BCS + HWS_PGA, STATUS);
    put(r, BCS + RING_BUFFER_START, RING);
}

static bool open_rig(struct rig *r, const char *device)
{
    enum { PAGE_2M = 2 << 20 };
    r->memory = aligned_alloc(4096, MEMORY_BYTES);
    if (!r->memory)
        return false;
    memset(r->memory, 0x5a, MEMORY_BYTES);
    const struct softgt_config config = {.device = device, .memory = {.user = r, .map = map}};
    if (softgt_create(&config, &r->device))
        return false;
    r->engine = r->device->sheet->engines;
    while (r->engine->mmio_base != BCS)
        r->engine++;
    memset(r->memory + TABLES, 0, RING - TABLES);
    driver_init(&r->driver, r->device, &config.memory, TABLES, RING - TABLES);
    driver_map_ggtt(&r->driver, 0, 0, MEMORY_BYTES);
    if (!driver_ppgtt_make(&r->driver, &r->ppgtt, 3) ||
        !driver_map(&r->driver, &r->ppgtt, 0, 0, MEMORY_BYTES, PAGE_2M))
        return false;
    set_up_engine(r);
    return true;
}

static void start_batch(struct rig *r)
{
    put(r, BCS + 0x03c, 0);
    put(r, BCS + 0x034, 0);
    put(r, BCS + 0x030, 0);
    put(r, BCS + 0x03c, 1);
    put_dword(r, RING, 0x18800101); /* MI_BATCH_BUFFER_START */
    put_dword(r, RING + 4, BATCH);
    put_dword(r, RING + 8, 0);
    put_dword(r, RING + 12, 0);
    put(r, BCS + 0x030, 16);
}

/* The batch once; its seconds, or less than 0. */
static double run(struct rig *r)
{
    const double start = seconds();
    start_batch(r);
    softgt_run(r->device, UINT64_MAX);
    const double took = seconds() - start;
    struct softgt_engine_status s;
    for (unsigned i = 0; softgt_engine_get_status(r->device, i, &s); i++)
        if (s.mmio_base == BCS && (s.state != SOFTGT_ENGINE_IDLE || s.faults || s.unknown))
            return -1;
    return took;
}

static double best_run(struct rig *r)
{
    double best = 1e9;
    for (unsigned i = 0; i < TIMES; i++) {
        const double took = run(r);
        if (took < 0)
            return took;
        best = took < best ? took : best;
    }
    return best;
}

static double best_copy(struct rig *r)
{
    double best = 1e9;
    for (unsigned i = 0; i < TIMES; i++) {
        const double start = seconds();
        memcpy(r->memory + TO, r->memory + FROM, (size_t)PITCH * HEIGHT);
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    return best;
}

static double best_fill(struct rig *r)
{
    double best = 1e9;
    for (unsigned i = 0; i < TIMES; i++) {
        const double start = seconds();
        memset(r->memory + TO, (int)i, (size_t)PITCH * HEIGHT);
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    return best;
}

static uint32_t *command(struct rig *r, size_t at_dw)
{
    return (uint32_t *)(void *)(r->memory + BATCH) + at_dw;
}

static size_t copy_command(uint32_t *dw, enum tiling to, enum tiling from, uint32_t x, uint32_t y,
                           uint32_t width, uint32_t height)
{
    const uint32_t pitch[] = {PITCH, PITCH / 4, PITCH / 4};
    dw[0] = 2u << 29 | 0x53u << 22 | 3u << 20 | (from ? 1u << 15 : 0) | (to ? 1u << 11 : 0) | 8;
    dw[1] = 3u << 24 | 0xccu << 16 | pitch[to];
    dw[2] = y << 16 | x;
    dw[3] = (y + height) << 16 | (x + width);
    dw[4] = TO;
    dw[5] = 0;
    dw[6] = y << 16 | x;
    dw[7] = pitch[from];
    dw[8] = FROM;
    dw[9] = 0;
    return 10;
}

/* XY_FAST_COPY_BLT, in any tiling. */
static size_t fast_command(uint32_t *dw, enum tiling to, enum tiling from, uint32_t width, uint32_t height)
{
    static const uint32_t method[] = {0, 1, 2, 2, 3, 2, 3};
    static const uint32_t type[] = {[YF] = 1, [TILE_4] = 1, [TILE_64] = 0};
    dw[0] = 2u << 29 | 0x42u << 22 | method[from] << 20 | method[to] << 13 | 8;
    dw[1] = type[from] << 31 | type[to] << 30 | 3u << 24 | (to ? PITCH / 4 : PITCH);
    dw[2] = 0;
    dw[3] = height << 16 | width;
    dw[4] = TO;
    dw[5] = 0;
    dw[6] = 0;
    dw[7] = from ? PITCH / 4 : PITCH;
    dw[8] = FROM;
    dw[9] = 0;
    return 10;
}

static size_t color_command(uint32_t *dw, enum tiling to, uint32_t x, uint32_t y, uint32_t width,
                            uint32_t height)
{
    dw[0] = 2u << 29 | 0x50u << 22 | 3u << 20 | (to ? 1u << 11 : 0) | 5;
    dw[1] = 3u << 24 | 0xf0u << 16 | (to ? PITCH / 4 : PITCH);
    dw[2] = y << 16 | x;
    dw[3] = (y + height) << 16 | (x + width);
    dw[4] = TO;
    dw[5] = 0;
    dw[6] = 0x12345678;
    return 7;
}

/* ---- 8x8 pixels at x, y: a command, and how many dwords it has ---- */

static size_t small_fill(uint32_t *dw, uint32_t x, uint32_t y)
{
    return color_command(dw, LINEAR, x, y, 8, 8);
}

static size_t small_copy(uint32_t *dw, uint32_t x, uint32_t y)
{
    return copy_command(dw, LINEAR, LINEAR, x, y, 8, 8);
}

/* XY_PAT_BLT */
static size_t small_pattern(uint32_t *dw, uint32_t x, uint32_t y)
{
    dw[0] = 2u << 29 | 0x51u << 22 | 3u << 20 | 6;
    dw[1] = 3u << 24 | 0xf0u << 16 | PITCH;
    dw[2] = y << 16 | x;
    dw[3] = (y + 8) << 16 | (x + 8);
    dw[4] = TO;
    dw[5] = 0;
    dw[6] = FROM;
    dw[7] = 0;
    return 8;
}

/* XY_MONO_SRC_COPY_IMMEDIATE_BLT: a glyph, its background left as it is */
static size_t small_glyph(uint32_t *dw, uint32_t x, uint32_t y)
{
    dw[0] = 2u << 29 | 0x71u << 22 | 3u << 20 | 8;
    dw[1] = 1u << 29 | 3u << 24 | 0xccu << 16 | PITCH;
    dw[2] = y << 16 | x;
    dw[3] = (y + 8) << 16 | (x + 8);
    dw[4] = TO;
    dw[5] = 0;
    dw[6] = 0;
    dw[7] = 0x12345678;
    dw[8] = 0x183c66c3;
    dw[9] = 0xffc3c3c3;
    return 10;
}

static const struct {
    const char *name;
    size_t (*command)(uint32_t *dw, uint32_t x, uint32_t y);
    bool copies;
} small[] = {{"blit_fill_8x8", small_fill, false},
             {"blit_copy_8x8", small_copy, true},
             {"blit_pattern_8x8", small_pattern, true},
             {"blit_glyph_8x8", small_glyph, false}};

/* What a program does that knows nothing of the device. */
static double plain_small(struct rig *r, bool copies)
{
    const double start = seconds();
    for (uint32_t i = 0; i < SMALL_BLITS; i++)
        for (uint32_t row = 0; row < 8; row++) {
            const size_t at = (size_t)(i / (WIDTH / 8) * 8 + row) * PITCH + i * 8 % WIDTH * 4;
            if (copies)
                memcpy(r->memory + TO + at, r->memory + FROM + at, 32);
            else
                memset(r->memory + TO + at, (int)i, 32);
        }
    return seconds() - start;
}

static void end_batch(struct rig *r, size_t at_dw)
{
    *command(r, at_dw) = 0x0a << 23;
}

static void tile_y(struct rig *r, enum tiling to, enum tiling from)
{
    put(r, BCS + 0x200, 0x30000u | (from == Y ? 1u : 0) | (to == Y ? 2u : 0));
}

/* Reads of 4 bytes, row by row of a surface. */
static double aperture_seconds(struct rig *r)
{
    double best = 1e9;
    for (unsigned i = 0; i < 3; i++) {
        const double start = seconds();
        uint64_t sum = 0;
        for (uint32_t at = 0; at < 4u << 20; at += 4)
            sum += softgt_bar_read(r->device, SOFTGT_BAR_GMADR, FROM + at, 4);
        const double took = seconds() - start + (sum == 1 ? 1e-9 : 0);
        best = took < best ? took : best;
    }
    return best;
}

/* ---- What takes longest by the budget it uses ---- */

static uint32_t header(uint32_t opcode, uint32_t bits, uint32_t count)
{
    return 2u << 29 | opcode << 22 | bits | (count - 2);
}

static size_t take(uint32_t *to, const uint32_t *dw, size_t count)
{
    memcpy(to, dw, count * sizeof *dw);
    return count;
}

enum { TALL = 4095, FAR_PITCH = 16384, SLOW_DW = 400 };

/* Rows of one byte, each on another page. */
static size_t slow_scanlines(uint32_t *dw)
{
    const uint32_t commands[] = {header(0x11, 0, 10),
                                 0x5au << 16 | FAR_PITCH,
                                 0,
                                 0,
                                 TO,
                                 0,
                                 1,
                                 2,
                                 0x55aa55aa,
                                 0x55aa55aa,
                                 header(0x25, 0, 3),
                                 0,
                                 TALL << 16 | 1};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_column_fill(uint32_t *dw)
{
    const uint32_t commands[] = {header(0x50, 0, 7), 0xf0u << 16 | FAR_PITCH, 0, TALL << 16 | 1, TO, 0, 1};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_column_copy(uint32_t *dw)
{
    const uint32_t commands[] = {
        header(0x53, 0, 10), 0xccu << 16 | FAR_PITCH, 0, TALL << 16 | 1, TO, 0, 0, FAR_PITCH, FROM, 0};
    return take(dw, commands, sizeof commands / 4);
}

/* Each pixel is the source of the next. */
static size_t slow_overlap(uint32_t *dw)
{
    const uint32_t commands[] = {
        header(0x43, 0, 8), 0xccu << 16 | FAR_PITCH, 16 << 16 | FAR_PITCH, TO + 1, 0, FAR_PITCH, TO, 0};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_chroma(uint32_t *dw)
{
    const uint32_t commands[] = {header(0x73, 3u << 17, 12),
                                 0x66u << 16 | PITCH,
                                 0,
                                 512u << 16 | PITCH,
                                 TO + 1,
                                 0,
                                 0,
                                 PITCH,
                                 FROM + 3,
                                 0,
                                 0x10,
                                 0xe0};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_pattern(uint32_t *dw)
{
    const uint32_t commands[] = {
        header(0x51, 0x300, 8), 0x5au << 16 | PITCH, 0, 512u << 16 | PITCH, TO + 1, 0, FROM, 0};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_mono(uint32_t *dw)
{
    const uint32_t commands[] = {header(0x58, 3u << 17, 14),
                                 3u << 28 | 0xb8u << 16 | PITCH,
                                 0,
                                 512u << 16 | PITCH,
                                 TO + 1,
                                 0,
                                 FROM,
                                 0,
                                 1,
                                 2,
                                 3,
                                 4,
                                 0x12345678,
                                 0x9abcdef0};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_tiled_rop(uint32_t *dw)
{
    const uint32_t commands[] = {header(0x53, 1u << 15 | 1u << 11, 10),
                                 0x66u << 16 | PITCH / 4,
                                 0,
                                 TALL << 16 | 20,
                                 TO,
                                 0,
                                 3 << 16 | 5,
                                 PITCH / 4,
                                 FROM,
                                 0};
    return take(dw, commands, sizeof commands / 4);
}

static size_t slow_glyphs(uint32_t *dw)
{
    size_t n = 0;
    const uint32_t setup[] = {header(0x01, 0, 10), 1u << 29 | 0xccu << 16 | PITCH, 0, 0, TO, 0, 1, 2, 0, 0};
    n += take(dw, setup, sizeof setup / 4);
    for (uint32_t i = 0; i < SMALL_BLITS; i++) {
        const uint32_t x = i * 9 % WIDTH, y = i / 20;
        const uint32_t glyph[] = {header(0x26, 1u << 16, 5), y << 16 | x, (y + 8) << 16 | (x + 8),
                                  FROM + i * 8, 0};
        n += take(dw + n, glyph, sizeof glyph / 4);
    }
    return n;
}

static size_t slow_pixels(uint32_t *dw)
{
    size_t n = 0;
    const uint32_t setup[] = {header(0x01, 0, 10), 0x5au << 16 | FAR_PITCH, 0, 0, TO, 0, 1, 2, 0, 0};
    n += take(dw, setup, sizeof setup / 4);
    for (uint32_t i = 0; i < 5 * SMALL_BLITS; i++) {
        const uint32_t pixel[] = {header(0x24, 0, 2), i * 7 % TALL << 16 | i % WIDTH};
        n += take(dw + n, pixel, sizeof pixel / 4);
    }
    return n;
}

/* A column of a pixel in Ys tiles. */
static size_t slow_ys_column(uint32_t *dw)
{
    const size_t n = fast_command(dw, YS, YS, 1, TALL);
    dw[6] = 1 << 16 | 1;
    return n;
}

static size_t slow_fast_copy(uint32_t *dw)
{
    const size_t n = fast_command(dw, YF, YS, WIDTH - 8, HEIGHT - 8);
    dw[6] = 5 << 16 | 3;
    return n;
}

static size_t slow_copy(uint32_t *dw)
{
    return copy_command(dw, LINEAR, LINEAR, 0, 0, WIDTH, HEIGHT);
}

static const struct {
    const char *name;
    size_t (*command)(uint32_t *dw);
} slow[] = {{"budget_scanlines", slow_scanlines},
            {"budget_column_fill", slow_column_fill},
            {"budget_column_copy", slow_column_copy},
            {"budget_overlap", slow_overlap},
            {"budget_chroma", slow_chroma},
            {"budget_pattern", slow_pattern},
            {"budget_mono", slow_mono},
            {"budget_tiled_rop", slow_tiled_rop},
            {"budget_glyphs", slow_glyphs},
            {"budget_pixels", slow_pixels},
            {"budget_ys_column", slow_ys_column},
            {"budget_ys_to_yf", slow_fast_copy},
            {"budget_copy", slow_copy}};

/* The longest of the slices that the batch takes; of five runs, the shortest of them. */
static double slice_seconds(struct rig *r)
{
    enum { SLICE_DW = 65536, RUNS = 3, SLICES = 50 };
    double best = 1e9;
    for (unsigned i = 0; i < RUNS; i++) {
        start_batch(r);
        double longest = 0;
        bool more = true;
        for (unsigned slice = 0; slice < SLICES && more; slice++) {
            const double start = seconds();
            softgt_run(r->device, SLICE_DW);
            const double took = seconds() - start;
            longest = took > longest ? took : longest;
            struct softgt_engine_status s;
            for (unsigned e = 0; softgt_engine_get_status(r->device, e, &s); e++)
                if (s.mmio_base == BCS)
                    more = s.state == SOFTGT_ENGINE_RUNNING;
        }
        best = longest < best ? longest : best;
        put(r, 0x941c, r->engine->reset_bits); /* GDRST */
        set_up_engine(r);
    }
    return best;
}

struct copies {
    const char *name;
    enum tiling to, from;
};

/* Copies of XY_FAST_COPY_BLT beside memcpy. */
static bool bench_fast_copies(struct rig *r, const struct copies *copies, unsigned count,
                              void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    const double bytes = (double)PITCH * HEIGHT;
    for (unsigned i = 0; i < count; i++) {
        end_batch(r, fast_command(command(r, 0), copies[i].to, copies[i].from, WIDTH, HEIGHT));
        const double took = best_run(r), plain = best_copy(r);
        if (took < 0)
            return false;
        line(copies[i].name, bytes / took / 1e6, "MB/s", plain / took);
    }
    return true;
}

/* The same addresses, in local memory. */
static bool bench_local(void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    enum { PAGE_2M = 2 << 20, BYTES = PITCH * HEIGHT };
    static const struct copies linear = {"lmem_copy", LINEAR, LINEAR};
    struct rig r = {0};
    if (!open_rig(&r, "dg2"))
        return false;
    const bool done = driver_map(&r.driver, &r.ppgtt, FROM, MEMORY_LOCAL | FROM, BYTES, PAGE_2M) &&
                      driver_map(&r.driver, &r.ppgtt, TO, MEMORY_LOCAL | TO, BYTES, PAGE_2M) &&
                      softgt_local_write(r.device, FROM, r.memory + FROM, BYTES) &&
                      bench_fast_copies(&r, &linear, 1, line);
    softgt_destroy(r.device);
    free(r.memory);
    return done;
}

static bool bench_gen125(void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    static const struct copies fast[] = {{"blit_fast_to_4", TILE_4, LINEAR},
                                         {"blit_fast_from_4", LINEAR, TILE_4},
                                         {"blit_fast_4_to_4", TILE_4, TILE_4},
                                         {"blit_fast_to_64", TILE_64, LINEAR},
                                         {"blit_fast_from_64", LINEAR, TILE_64}};
    struct rig r = {0};
    if (!open_rig(&r, "dg2"))
        return false;
    const bool done = bench_fast_copies(&r, fast, sizeof fast / sizeof fast[0], line);
    softgt_destroy(r.device);
    free(r.memory);
    return done && bench_local(line);
}

bool bench_blits(void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    struct rig r = {0};
    if (!open_rig(&r, "skl"))
        return false;
    static const struct copies copies[] = {
        {"blit_copy_linear", LINEAR, LINEAR}, {"blit_copy_to_x", X, LINEAR},   {"blit_copy_to_y", Y, LINEAR},
        {"blit_copy_from_x", LINEAR, X},      {"blit_copy_from_y", LINEAR, Y}, {"blit_copy_x_to_y", Y, X},
        {"blit_copy_y_to_y", Y, Y},           {"blit_copy_y_to_x", X, Y}};
    const double bytes = (double)PITCH * HEIGHT;
    for (unsigned i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        tile_y(&r, copies[i].to, copies[i].from);
        end_batch(&r, copy_command(command(&r, 0), copies[i].to, copies[i].from, 0, 0, WIDTH, HEIGHT));
        const double took = best_run(&r), plain = best_copy(&r);
        if (took < 0)
            return false;
        line(copies[i].name, bytes / took / 1e6, "MB/s", plain / took);
    }
    static const struct copies fast[] = {{"blit_fast_to_yf", YF, LINEAR}, {"blit_fast_from_yf", LINEAR, YF},
                                         {"blit_fast_to_ys", YS, LINEAR}, {"blit_fast_from_ys", LINEAR, YS},
                                         {"blit_fast_yf_to_ys", YS, YF},  {"blit_fast_ys_to_ys", YS, YS}};
    if (!bench_fast_copies(&r, fast, sizeof fast / sizeof fast[0], line))
        return false;
    for (enum tiling to = LINEAR; to <= Y; to++) {
        static const char *const names[] = {"blit_fill_linear", "blit_fill_x", "blit_fill_y"};
        tile_y(&r, to, LINEAR);
        end_batch(&r, color_command(command(&r, 0), to, 0, 0, WIDTH, HEIGHT));
        const double took = best_run(&r), plain = best_fill(&r);
        if (took < 0)
            return false;
        line(names[to], bytes / took / 1e6, "MB/s", plain / took);
    }
    tile_y(&r, LINEAR, LINEAR);
    for (unsigned kind = 0; kind < sizeof small / sizeof small[0]; kind++) {
        size_t n = 0;
        for (uint32_t i = 0; i < SMALL_BLITS; i++)
            n += small[kind].command(command(&r, n), i * 8 % WIDTH, i / (WIDTH / 8) * 8);
        end_batch(&r, n);
        const double took = best_run(&r);
        if (took < 0)
            return false;
        double plain = 1e9;
        for (unsigned times = 0; times < TIMES; times++) {
            const double once = plain_small(&r, small[kind].copies);
            plain = once < plain ? once : plain;
        }
        line(small[kind].name, SMALL_BLITS / took / 1e6, "Mblits/s", plain / took);
    }
    for (unsigned i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        size_t n = 0;
        while (n < SLOW_DW) /* many of them, where one is short */
            n += slow[i].command(command(&r, n));
        end_batch(&r, n);
        const double took = slice_seconds(&r);
        line(slow[i].name, took * 1e3, "ms", took * 1e3);
    }
    const double plain = aperture_seconds(&r);
    put(&r, 0x100004, (FROM + (32 << 20) - 4096) | (PITCH / 128 - 1));
    put(&r, 0x100000, FROM | 1);
    const double fenced = aperture_seconds(&r);
    line("aperture_fence", (4 << 20) / 4 / fenced / 1e6, "Mreads/s", fenced / plain);
    softgt_destroy(r.device);
    free(r.memory);
    return bench_gen125(line);
}
