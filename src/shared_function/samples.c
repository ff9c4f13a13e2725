/*
 * Surfaces of several samples. A sample has a place among those of other pixels, or an array element. With a
 * multisample control surface (MCS) a pixel's element there says which array element holds each of its
 * samples; all ones say that the pixel is cleared. What we write gives each sample its own array element.
 * (IVB PRM vol 2 part 1, MCS Buffer for Render Target(s); SKL PRM vol 5, Memory Data Formats; Mesa, isl)
 */
#include "memory/samples.h"
#include "shared_function/image.h"
#include "shared_function/pixel_codec.h"

void image_samples_init(struct image *i)
{
    const struct surface_state *const s = &i->state;
    i->samples_log2 = (uint8_t)surface_field(s, SURFACE_NUMBER_OF_MULTISAMPLES);
    if (i->samples_log2 > SAMPLES_LOG2 || i->is_null || i->is_buffer)
        i->samples_log2 = 0;
    i->interleaves_samples =
        i->samples_log2 &&
        (i->info->samples_are_interleaved || surface_field(s, SURFACE_MULTISAMPLED_SURFACE_STORAGE_FORMAT));
}

void image_divide_samples(struct image *i)
{
    if (i->interleaves_samples) {
        i->width = samples_across(i->samples_log2, i->width);
        i->height = samples_down(i->samples_log2, i->height);
    } else {
        i->first_slice <<= i->samples_log2;
        i->depth <<= i->samples_log2;
    }
}

void image_sample_position(const struct image *i, const uint32_t at[3], unsigned sample, uint32_t to[3])
{
    memcpy(to, at, 3 * sizeof *at);
    if (i->interleaves_samples)
        samples_interleave(i->samples_log2, sample, to);
    else
        to[2] = at[2] << i->samples_log2 | sample;
}

/* ---- The control surface ---- */

/* By log2 of the samples: bytes of a pixel's element, and bits of a sample in it. */
static const struct {
    uint8_t bytes, bits;
    uint64_t own_places; /* each sample has its own array element */
} mcs_kinds[SAMPLES_LOG2 + 1] = {[1] = {1, 1, 0x2},
                                 [2] = {1, 2, 0xe4},
                                 [3] = {4, 4, 0x76543210},
                                 [4] = {8, 4, UINT64_C(0xfedcba9876543210)}};

/* The mode's names have changed: MCS up to Gen8, CCS_D up to Gen11, then CCS_E and MCS_LCE, and MCS again. */
static bool is_mcs_mode(const struct image *i)
{
    enum { AUX_MCS = 1, GEN200_AUX_MCS = 2, AUX_MCS_LCE = 4, AUX_CCS_E = 5 };
    const uint32_t mode = surface_field(&i->state, SURFACE_AUXILIARY_SURFACE_MODE);
    return i->info->gen200_aux_surfaces ? mode == GEN200_AUX_MCS
                                        : mode == AUX_MCS || mode == AUX_MCS_LCE || mode == AUX_CCS_E;
}

/* From Gen20 on a page of the hardware's is before the elements. (Mesa, blorp_mcs_ambiguate) */
void mcs_init(struct image *i)
{
    enum { TILE_BYTES = 128, ROWS = 4 };
    const struct surface_state *const s = &i->state;
    if (!is_mcs_mode(i) || i->interleaves_samples || !i->format)
        return;
    i->mcs.base =
        field_read(&s->row->places[SURFACE_AUXILIARY_SURFACE_BASE_ADDRESS], s->dw, SURFACE_STATE_DW) +
        (i->info->gen200_aux_surfaces ? PAGE_BYTES : 0);
    i->mcs.pitch_bytes = (surface_field(s, SURFACE_AUXILIARY_SURFACE_PITCH) + 1u) * TILE_BYTES;
    i->mcs.qpitch =
        i->info->array_spacing_rows ? i->qpitch : surface_field(s, SURFACE_AUXILIARY_SURFACE_QPITCH) * ROWS;
    i->mcs.is_present = true;
}

uint32_t mcs_element_bytes(const struct image *i)
{
    return mcs_kinds[i->samples_log2].bytes;
}

/* It is in tiles of 4 KB. */
static struct surface mcs_surface(const struct image *i)
{
    const bool is_4 = i->surface.tiling == SOFTGT_TILE_64 || i->surface.tiling == SOFTGT_TILE_4;
    const enum softgt_tiling tiling = is_4 ? SOFTGT_TILE_4 : SOFTGT_TILE_Y;
    return (struct surface){.base = i->mcs.base,
                            .pitch_bytes = (int32_t)i->mcs.pitch_bytes,
                            .space = SPACE_PPGTT,
                            .tiling = (uint8_t)tiling,
                            .tiles = tile_layout(tiling, 1)};
}

static uint64_t mcs_address(const struct image *i, const uint32_t at[3])
{
    const struct surface s = mcs_surface(i);
    return surface_address(&s, (int32_t)(at[0] * mcs_kinds[i->samples_log2].bytes),
                           (int32_t)((i->first_slice + at[2]) * i->mcs.qpitch + at[1]));
}

bool mcs_load(struct message_context *b, const struct image *i, const uint32_t at[3], uint64_t *element)
{
    *element = 0;
    return message_load(b, mcs_address(i, at), element, mcs_kinds[i->samples_log2].bytes);
}

/* Of two samples only the bits that they have are looked at. (Mesa, blorp) */
bool mcs_is_cleared(const struct image *i, uint64_t element)
{
    enum { ALL_OF_TWO = 3 };
    const uint64_t all =
        i->samples_log2 == 1 ? ALL_OF_TWO : UINT64_MAX >> (64u - 8u * mcs_kinds[i->samples_log2].bytes);
    return (element & all) == all;
}

unsigned mcs_place(const struct image *i, uint64_t element, unsigned sample)
{
    const unsigned bits = mcs_kinds[i->samples_log2].bits;
    return (unsigned)(element >> (sample * bits)) & ((1u << bits) - 1u) & ((1u << i->samples_log2) - 1u);
}

void mcs_note_expanded(struct message_context *b, const struct image *i, const uint32_t at[3])
{
    if (image_has_pixel(i, at))
        message_store(b, mcs_address(i, at), &mcs_kinds[i->samples_log2].own_places,
                      mcs_kinds[i->samples_log2].bytes);
}

bool mcs_is_known_expanded(const struct message_context *b, const struct image *i, const uint32_t at[3])
{
    const unsigned bytes = mcs_kinds[i->samples_log2].bytes;
    for (uint32_t row = 0; row < 2; row++) {
        const uint32_t place[3] = {at[0], at[1] + row, at[2]};
        const uint8_t *const host =
            mmu_cached(b->memory.mmu, SPACE_PPGTT, mcs_address(i, place), 2u * bytes, false);
        if (!host || memcmp(host, &mcs_kinds[i->samples_log2].own_places, bytes) != 0 ||
            memcmp(host + bytes, &mcs_kinds[i->samples_log2].own_places, bytes) != 0)
            return false;
    }
    return true;
}

uint64_t mcs_bytes(const struct image *i)
{
    enum { TILE_ROWS = 32 };
    const uint64_t rows =
        (uint64_t)(i->first_slice + (i->depth ? i->depth - 1u : 0)) * i->mcs.qpitch + i->height;
    return i->mcs.is_present ? (rows + TILE_ROWS - 1u) / TILE_ROWS * TILE_ROWS * i->mcs.pitch_bytes : 0;
}

bool mcs_rows_are_apart(const struct image *i)
{
    return !i->mcs.is_present || (i->width * mcs_kinds[i->samples_log2].bytes <= i->mcs.pitch_bytes &&
                                  (i->depth <= 1 || i->mcs.qpitch >= i->height));
}

bool mcs_expand(struct message_context *b, const struct image *i, const struct image *samples,
                const uint32_t at[3])
{
    const uint64_t own_places = mcs_kinds[i->samples_log2].own_places;
    const unsigned count = 1u << i->samples_log2;
    uint8_t pixel[SAMPLES][PIXEL_BYTES] = {{0}};
    uint32_t place[3];
    uint64_t element, address;
    if (!image_has_pixel(i, at))
        return true;
    if (!mcs_load(b, i, at, &element) || element == own_places)
        return !message_faulted(b);
    const bool cleared = mcs_is_cleared(i, element);
    if (cleared && !fast_clear_pixel(b, i, pixel[0]))
        return false;
    for (unsigned n = 0; n < count; n++) {
        image_sample_position(i, at, mcs_place(i, element, n), place);
        if (cleared)
            memcpy(pixel[n], pixel[0], sizeof pixel[n]);
        else
            (void)image_read_pixel(b, samples, place, pixel[n]);
    }
    for (unsigned n = 0; n < count; n++) {
        image_sample_position(i, at, n, place);
        if (image_pixel_address(samples, place, &address) != i->format->bytes)
            continue;
        b->work.memory_accesses++;
        message_store(b, address, pixel[n], i->format->bytes);
    }
    mcs_note_expanded(b, i, at);
    return !message_faulted(b);
}

bool image_sample_bytes(struct message_context *b, const struct image *i, const struct image *samples,
                        const uint32_t at[3], uint64_t element, unsigned sample, uint8_t *pixel)
{
    uint32_t place[3];
    if (!image_has_pixel(i, at) || sample >> i->samples_log2)
        return false;
    if (i->mcs.is_present && mcs_is_cleared(i, element))
        return fast_clear_pixel(b, i, pixel);
    image_sample_position(i, at, i->mcs.is_present ? mcs_place(i, element, sample) : sample, place);
    return image_read_pixel(b, samples, place, pixel);
}

bool image_read_sample(struct message_context *b, const struct image *i, const struct image *samples,
                       const uint32_t at[3], unsigned sample, union softgt_color *color)
{
    uint8_t pixel[PIXEL_BYTES] = {0};
    uint64_t element = 0;
    if (i->mcs.is_present && image_has_pixel(i, at))
        (void)mcs_load(b, i, at, &element);
    if (image_sample_bytes(b, i, samples, at, element, sample, pixel))
        pixel_decode((enum pixel_codec)i->codec, i->format, pixel, color);
    return !message_faulted(b);
}

/* Fills the elements of a rectangle of pixels. */
static void mcs_fill(struct message_context *b, const struct image *i, const uint32_t from[3],
                     const uint32_t size[2], uint32_t value)
{
    const struct surface s = mcs_surface(i);
    const uint32_t bytes = mcs_element_bytes(i), top = (i->first_slice + from[2]) * i->mcs.qpitch + from[1];
    const struct rectangle r = {.x1 = (int32_t)(from[0] * bytes),
                                .y1 = (int32_t)top,
                                .x2 = (int32_t)((from[0] + size[0]) * bytes),
                                .y2 = (int32_t)(top + size[1])};
    surface_fill(b->memory.mmu, &s, &r, value, 1);
}

void mcs_clear_rows(struct message_context *b, const struct image *i, uint32_t slice, uint32_t y,
                    uint32_t rows)
{
    mcs_fill(b, i, (const uint32_t[3]){0, y, slice}, (const uint32_t[2]){i->width, rows}, UINT32_MAX);
}

void mcs_store_first(struct message_context *b, const struct image *i, const uint32_t from[3],
                     const uint32_t size[2])
{
    mcs_fill(b, i, from, size, 0);
}
