/* Levels in CAVLC (ITU-T H.264 9.2). */
#include "video/avc.h"

static void cavlc_put(struct bits *b, const struct vlc *v)
{
    bits_put(b, v->code, v->bits);
}

/* Writes level_prefix and level_suffix. */
static void put_level(struct bits *b, uint32_t code, unsigned suffix_length)
{
    enum { ESCAPE = 15, ESCAPE_BITS = 12 };
    if (suffix_length == 0 && code < 14) {
        bits_put(b, 1, code + 1u);
    } else if (suffix_length == 0 && code < 30) {
        bits_put(b, 1, 15);
        bits_put(b, code - 14u, 4);
    } else if (suffix_length && code < (uint32_t)ESCAPE << suffix_length) {
        bits_put(b, 1, (code >> suffix_length) + 1u);
        bits_put(b, code, suffix_length);
    } else {
        unsigned prefix = ESCAPE;
        code -= suffix_length ? (uint32_t)ESCAPE << suffix_length : 2u * ESCAPE;
        while (code + (1u << ESCAPE_BITS) >= 1u << (prefix - 2u))
            prefix++;
        bits_put(b, 1, prefix + 1u);
        bits_put(b, code + (1u << ESCAPE_BITS) - (1u << (prefix - 3u)), prefix - 3u);
    }
}

void cavlc_block(struct bits *b, const int32_t *levels, unsigned count, int nc)
{
    const unsigned table = nc < 0 ? 4 : nc < 2 ? 0 : nc < 4 ? 1 : nc < 8 ? 2 : 3;
    int32_t level[16];
    uint8_t run[16] = {0};
    unsigned total = 0, ones = 0, zeros = 0;
    for (unsigned i = count; i--;) /* highest frequency first */
        if (levels[i])
            level[total++] = levels[i];
        else if (total) {
            run[total - 1u]++;
            zeros++;
        }
    while (ones < total && ones < 3 && (level[ones] == 1 || level[ones] == -1))
        ones++;
    cavlc_put(b, &avc_coeff_token[table][total][ones]);
    if (!total)
        return;
    for (unsigned i = 0; i < ones; i++)
        bits_put(b, level[i] < 0, 1);
    unsigned suffix_length = total > 10 && ones < 3;
    for (unsigned i = ones; i < total; i++) {
        const uint32_t size = (uint32_t)(level[i] < 0 ? -level[i] : level[i]);
        put_level(b, 2u * size - (level[i] < 0 ? 1u : 2u) - (i == ones && ones < 3 ? 2u : 0u), suffix_length);
        if (suffix_length == 0)
            suffix_length = 1;
        if (size > 3u << (suffix_length - 1u) && suffix_length < 6)
            suffix_length++;
    }
    if (total < count)
        cavlc_put(b,
                  count == 4 ? &avc_total_zeros_dc[total - 1u][zeros] : &avc_total_zeros[total - 1u][zeros]);
    for (unsigned i = 0; i + 1u < total && zeros; i++) {
        cavlc_put(b, &avc_run_before[(zeros < 7 ? zeros : 7u) - 1u][run[i]]);
        zeros -= run[i];
    }
}
