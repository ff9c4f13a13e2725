/* Draws of several samples for tests: where samples are in their pixels, and where a target has them. */
#ifndef TESTS_SAMPLES_H
#define TESTS_SAMPLES_H

#include "draws.h"
#include "saved.h"

#include "output_merger/pixel_rows.h"

enum { SAMPLES_MOST = 16, SAMPLES_MOST_LOG2 = 4 };

/* The standard positions of Vulkan and Direct3D, in 1/16 of a pixel, by log2 of the number of samples. */
static const uint8_t standard_positions[SAMPLES_MOST_LOG2 + 1][SAMPLES_MOST][2] = {
    {{8, 8}},
    {{12, 12}, {4, 4}},
    {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
    {{9, 9},
     {7, 5},
     {5, 10},
     {12, 7},
     {3, 6},
     {10, 13},
     {13, 11},
     {11, 3},
     {6, 14},
     {8, 1},
     {4, 2},
     {2, 12},
     {0, 8},
     {15, 4},
     {14, 15},
     {1, 0}},
};

/* Gen8 has up to 8 samples, later devices 16. (BDW and SKL PRM vol 2d, RENDER_SURFACE_STATE) */
static inline unsigned most_samples_log2(void)
{
    return k.set == &eu_gen8 ? 3 : SAMPLES_MOST_LOG2;
}

#define EACH_SAMPLE_COUNT(log2)                                                                              \
    unsigned log2 = 1;                                                                                       \
    log2 <= most_samples_log2();                                                                             \
    log2++

/* A byte of 3DSTATE_SAMPLE_PATTERN: Y in bits 3:0, X in 7:4. */
static inline uint32_t position_byte(unsigned log2, unsigned sample)
{
    return (uint32_t)standard_positions[log2][sample][0] << 4 | standard_positions[log2][sample][1];
}

static inline uint32_t position_bytes(unsigned log2, unsigned first)
{
    return position_byte(log2, first) | position_byte(log2, first + 1) << 8 |
           position_byte(log2, first + 2) << 16 | position_byte(log2, first + 3) << 24;
}

/* All patterns: 16 samples in dwords 1 to 4, 8 in dwords 6 (samples 0 to 3) and 5, 4 in dword 7, 2 and 1 in
 * dword 8. (SKL PRM vol 2a, 3DSTATE_SAMPLE_PATTERN; Mesa, genxml) */
static inline uint32_t put_sample_pattern(struct streamer *s, uint32_t *dw)
{
    const bool has_16 = most_samples_log2() == 4;
    return assemble(s->device, 0, dw,
                    "3DSTATE_SAMPLE_PATTERN dw1 = %u, dw2 = %u, dw3 = %u, dw4 = %u, dw5 = %u, dw6 = %u,"
                    " dw7 = %u, dw8 = %u",
                    has_16 ? position_bytes(4, 0) : 0, has_16 ? position_bytes(4, 4) : 0,
                    has_16 ? position_bytes(4, 8) : 0, has_16 ? position_bytes(4, 12) : 0,
                    position_bytes(3, 4), position_bytes(3, 0), position_bytes(2, 0),
                    position_byte(0, 0) << 16 | position_byte(1, 1) << 8 | position_byte(1, 0));
}

/* ---- A target ---- */

/* The target of several samples is where the PPGTT has another 2 MB. Each sample has an array element, in
 * tiles of the device: Y tiles, or Tile64, which is the only one with several samples there. (BDW PRM vol 5,
 * MSFMT_MSS; DG2 PRM vol 2d, RENDER_SURFACE_STATE: Number of Multisamples) */
enum {
    SAMPLE_TARGET = DATA,
    SAMPLE_MEMORY = USER_DATA,
    SAMPLE_QPITCH = 64,
    SAMPLE_TARGET_BYTES = 1024 * KB,
    NO_MIP_TAIL = 15
};

static inline void put_sample_target(struct streamer *s, uint32_t format, unsigned log2, unsigned elements)
{
    STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                  {"Surface Type", .value_name = "SURFTYPE_2D"}, {"Surface Array", elements > 1},
                  {"Surface Format", format}, {"Surface Vertical Alignment", .value_name = "VALIGN_4"},
                  {"Surface Horizontal Alignment", 1},
                  {"Tile Mode", .value_name = has_compute_walker(s) ? "TILE64" : "YMAJOR"},
                  {"Surface QPitch", SAMPLE_QPITCH / 4}, {"Width", WIDTH - 1}, {"Height", HEIGHT - 1},
                  {"Surface Pitch", PITCH - 1}, {"Depth", elements - 1},
                  {"Render Target View Extent", elements - 1}, {"Number of Multisamples", log2},
                  {"Surface Base Address", SAMPLE_TARGET});
    if (has_compute_walker(s))
        STRUCTURE_CHANGE(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + STATES_AT),
                         {"Mip Tail Start LOD", NO_MIP_TAIL});
}

static inline void fill_sample_target(struct streamer *s)
{
    for (uint32_t i = 0; i < SAMPLE_TARGET_BYTES; i += 4)
        dword_put(s, SAMPLE_MEMORY + i, STALE);
}

/* Where a byte of a tiled surface is. `bits`: of the offset in a tile, from the highest down, whether each is
 * of x, in bytes, of y or of the sample, whose lowest bits come first. */
static inline uint32_t tiled_place(const char *bits, uint32_t x, uint32_t y, uint32_t sample, uint32_t pitch)
{
    const unsigned count = (unsigned)strlen(bits);
    const uint32_t from[3] = {x, y, sample};
    unsigned taken[3] = {0};
    uint32_t offset = 0;
    for (unsigned bit = 0; bit < count; bit++) {
        const char of = bits[count - 1 - bit];
        const unsigned n = of == 'x' ? 0 : of == 'y' ? 1 : 2;
        offset |= (from[n] >> taken[n]++ & 1u) << bit;
    }
    return ((y >> taken[1]) * (pitch >> taken[0]) + (x >> taken[0])) << count | offset;
}

/* Tiles of 4 KB. (SKL PRM vol 5, Y-Major; ATS-M PRM vol 5, Tile4) */
static const char *const y_tile_bits = "xxxyyyyyxxxx", *const tile_4_bits = "yyxyxxyyxxxx";

/* A tile of Tile64 holds two samples, or four; of more, each four are an array element. On Gen20 it holds
 * all. (ATS-M PRM vol 5, Tile64; Mesa, isl) */
static inline uint32_t sample_place(const struct streamer *s, unsigned bytes, unsigned log2, uint32_t element,
                                    uint32_t x, uint32_t y, uint32_t sample)
{
    static const char *const tiles[2][2] = {{"yyxxyyxysxyyxxxx", "yyxxyyxssxyyxxxx"},
                                            {"yxxxyyxysxyyxxxx", "yxxxyyxssxyyxxxx"}},
                             *const whole_tiles[2][4] = {{"yyxxyyxysxyyxxxx", "yyxxyyxssxyyxxxx",
                                                          "yxxxyysssxyyxxxx", "yyxxyssssxyyxxxx"},
                                                         {"yxxxyxxysxyyxxxx", "yxxxyyxssxyyxxxx",
                                                          "yxxxyysssxyyxxxx", "yxxxyssssxyyxxxx"}};
    const bool wide = has_wide_registers();
    const unsigned together = !has_compute_walker(s) ? 1 : wide ? 1u << log2 : log2 > 1 ? 4 : 2;
    const uint32_t row = (element << log2 | sample) / together * SAMPLE_QPITCH + y;
    const char *const bits =
        wide ? whole_tiles[bytes == 16][log2 ? log2 - 1 : 0] : tiles[bytes == 16][log2 > 1];
    return SAMPLE_MEMORY + (together == 1 ? tiled_place(y_tile_bits, x * bytes, row, 0, PITCH)
                                          : tiled_place(bits, x * bytes, row, sample, PITCH));
}

/* ---- A draw ---- */

/* What a draw of several samples has besides its scene. */
struct sampling {
    unsigned log2;
    uint32_t mask;
    const char *more; /* further commands */
    bool keeps;       /* the target is as the draw before left it */
};

static inline uint32_t all_samples(unsigned log2)
{
    return (1u << (1u << log2)) - 1u;
}

/* Commands of a scene that draws to the target of several samples. */
static inline uint32_t put_sampled_scene(struct streamer *s, const struct scene *c, const struct sampling *a,
                                         uint32_t dw[MOST_DW])
{
    uint32_t pattern[16], count = put_scene(s, c, dw);
    put_sample_target(s, c->format, a->log2, c->elements ? c->elements : 1);
    if (!a->keeps)
        fill_sample_target(s);
    const uint32_t length_dw = put_sample_pattern(s, pattern),
                   at = (uint32_t)(primitive_of(s, dw, count) - dw);
    memmove(dw + at + length_dw, dw + at, (count - at) * sizeof *dw);
    memcpy(dw + at, pattern, length_dw * sizeof *dw);
    count += length_dw;
    insert_before_primitive(s, dw, &count,
                            "3DSTATE_MULTISAMPLE number_of_multisamples = %u\n"
                            "3DSTATE_SAMPLE_MASK sample_mask = %u\n"
                            "3DSTATE_RASTER cull_mode = none, dx_multisample_rasterization_enable\n%s",
                            a->log2, a->mask, a->more ? a->more : "");
    assert_true(count <= MOST_DW);
    return count;
}

/* Ways to run a draw that all come to the same. */
enum sampled_way { RUN_WHOLE, RUN_CUT, RUN_SINGLE, RUN_TRANSLATED, RUN_WAYS };

static void sampled_report(void *user, const struct softgt_report *report)
{
    (void)user;
    print_error("%s\n", report->text);
}

static inline void run_sampled(struct streamer *s, const uint32_t *dw, uint32_t count, unsigned way)
{
    struct thread_dispatcher *const d = dispatcher_of(&s->device->engines[0]);
    struct eu_cache *const cache = way == RUN_SINGLE       ? test_cache(0)
                                   : way == RUN_TRANSLATED ? test_cache(TEST_TRANSLATED)
                                                           : NULL;
    if (cache) {
        eu_cache_destroy(d->cache);
        d->cache = cache;
        d->bindings.pixels = way == RUN_SINGLE ? NULL : pixel_functions_of(eu_host_simd_level());
    }
    s->reported = sampled_report;
    batch_put(s, dw, count, true);
    if (way == RUN_CUT)
        for (unsigned i = 0; softgt_run(s->device, 1 + i * 37 % 509); i++) {
            if (i % 8 == 0)
                reload(s->device);
            assert_in_range(i, 0, 1000000);
        }
    else
        softgt_run(s->device, RUN_BUDGET_DW);
    assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
}

#endif
