/* Levels in CABAC (ITU-T H.264 7.3.5.3.3, 9.3). */
#include "video/avc.h"

static void put_rest(struct cabac *c, struct bits *b, uint32_t value)
{
    unsigned k = 0;
    for (; value >= 1u << k; k++) {
        cabac_bypass(c, b, 1);
        value -= 1u << k;
    }
    cabac_bypass(c, b, 0);
    while (k--)
        cabac_bypass(c, b, value >> k & 1u);
}

void cabac_block(struct cabac *c, struct bits *b, const int32_t *levels, unsigned count,
                 enum block_category category, unsigned flag_context)
{
    enum { SIGNIFICANT = 105, LAST = 166, LEVEL = 227, PREFIX = 14 };
    static const uint8_t map_at[] = {0, 15, 29, 44, 47}, level_at[] = {0, 10, 20, 30, 39};
    const bool chroma_dc = category == BLOCK_CHROMA_DC;
    unsigned left = 0, ones = 0, more = 0, end = 0;
    for (unsigned i = 0; i < count; i++)
        if (levels[i]) {
            left++;
            end = i + 1u;
        }
    cabac_bin(c, b, flag_context, left != 0);
    for (unsigned i = 0; i < end && i + 1u < count; i++) {
        const unsigned at = map_at[category] + (chroma_dc && i > 2 ? 2 : i);
        cabac_bin(c, b, SIGNIFICANT + at, levels[i] != 0);
        if (levels[i])
            cabac_bin(c, b, LAST + at, --left == 0);
    }
    for (unsigned i = end; i--;) {
        const uint32_t size = (uint32_t)(levels[i] < 0 ? -levels[i] : levels[i]);
        const unsigned at = LEVEL + level_at[category], most = chroma_dc ? 3 : 4;
        if (!size)
            continue;
        cabac_bin(c, b, at + (more ? 0 : ones < 3 ? 1 + ones : 4), size > 1);
        for (uint32_t k = 2; k <= PREFIX && k <= size; k++)
            cabac_bin(c, b, at + 5 + (more < most ? more : most), size > k);
        if (size > PREFIX)
            put_rest(c, b, size - PREFIX - 1u);
        cabac_bypass(c, b, levels[i] < 0);
        if (size > 1)
            more++;
        else
            ones++;
    }
}
