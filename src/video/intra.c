/* Intra prediction (ITU-T H.264 8.3). Pixels that are not available count as 128. */
#include "video/avc.h"

#include <string.h>

enum { VERTICAL, HORIZONTAL, DC, DOWN_LEFT, DOWN_RIGHT, VERTICAL_RIGHT, HORIZONTAL_DOWN, VERTICAL_LEFT };

/* A filtered pixel of the edge: e[0] is the corner, e[1] on are above, e[-1] on are to the left. */
static uint8_t filtered(const uint8_t *e, int at)
{
    return (uint8_t)((e[at - 1] + 2 * e[at] + e[at + 1] + 2) >> 2);
}

static uint8_t mean(const uint8_t *e, int at)
{
    return (uint8_t)((e[at] + e[at + 1] + 1) >> 1);
}

static uint8_t dc_4x4(const uint8_t *e, unsigned available)
{
    unsigned above = 0, left = 0;
    for (int i = 1; i <= 4; i++) {
        above += e[i];
        left += e[-i];
    }
    switch (available & (NEXT_LEFT | NEXT_ABOVE)) {
    case NEXT_LEFT | NEXT_ABOVE:
        return (uint8_t)((above + left + 4) >> 3);
    case NEXT_LEFT:
        return (uint8_t)((left + 2) >> 2);
    case NEXT_ABOVE:
        return (uint8_t)((above + 2) >> 2);
    default:
        return 128;
    }
}

static uint8_t horizontal_up(const uint8_t *e, int x, int y)
{
    const int z = x + 2 * y, i = y + (x >> 1);
    if (z > 5)
        return e[-4];
    if (z == 5)
        return (uint8_t)((e[-3] + 3 * e[-4] + 2) >> 2);
    return z & 1 ? filtered(e, -i - 2) : mean(e, -i - 2);
}

static uint8_t pixel_4x4(const uint8_t *e, int x, int y, unsigned mode)
{
    const int down = 2 * y - x, right = 2 * x - y;
    switch (mode) {
    case VERTICAL:
        return e[1 + x];
    case HORIZONTAL:
        return e[-1 - y];
    case DOWN_LEFT:
        return x == 3 && y == 3 ? (uint8_t)((e[7] + 3 * e[8] + 2) >> 2) : filtered(e, x + y + 2);
    case DOWN_RIGHT:
        return filtered(e, x - y);
    case VERTICAL_RIGHT:
        return right < 0   ? filtered(e, right < -1 ? 1 - y : 0)
               : right & 1 ? filtered(e, x - (y >> 1))
                           : mean(e, x - (y >> 1));
    case HORIZONTAL_DOWN:
        return down < 0   ? filtered(e, down < -1 ? x - 1 : 0)
               : down & 1 ? filtered(e, (x >> 1) - y)
                          : mean(e, (x >> 1) - y - 1);
    case VERTICAL_LEFT:
        return y & 1 ? filtered(e, x + (y >> 1) + 2) : mean(e, x + (y >> 1) + 1);
    default:
        return horizontal_up(e, x, y);
    }
}

void predict_4x4(uint8_t *canvas, unsigned x, unsigned y, unsigned mode, unsigned available)
{
    uint8_t *const at = canvas + CANVAS_FIRST + y * CANVAS + x, edges[13], *const e = edges + 4;
    memset(edges, 128, sizeof edges);
    for (int i = 0; i < 4; i++) {
        if (available & NEXT_ABOVE)
            e[1 + i] = e[5 + i] = at[i - CANVAS];
        if (available & NEXT_LEFT)
            e[-1 - i] = at[i * CANVAS - 1];
    }
    if (available & NEXT_ABOVE)
        for (int i = 0; i < 4; i++)
            e[5 + i] = available & NEXT_ABOVE_RIGHT ? at[4 + i - CANVAS] : at[3 - CANVAS];
    if (available & NEXT_ABOVE_LEFT)
        e[0] = at[-CANVAS - 1];
    const uint8_t dc = dc_4x4(e, available);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            at[row * CANVAS + column] = mode == DC ? dc : pixel_4x4(e, column, row, mode);
}

static uint8_t clip(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Plane prediction: `half` pixels on each side of the middle, factors of 8.3.3.4 and 8.3.4.4. */
static void predict_plane(uint8_t *at, int half, int factor, int round, int shift)
{
    int h = 0, v = 0;
    for (int i = 1; i <= half; i++) {
        h += i * (at[half - 1 + i - CANVAS] - at[half - 1 - i - CANVAS]);
        v += i * (at[(half - 1 + i) * CANVAS - 1] - at[(half - 1 - i) * CANVAS - 1]);
    }
    const int a = 16 * (at[(2 * half - 1) * CANVAS - 1] + at[2 * half - 1 - CANVAS]),
              b = (factor * h + round) >> shift, c = (factor * v + round) >> shift;
    for (int y = 0; y < 2 * half; y++)
        for (int x = 0; x < 2 * half; x++)
            at[y * CANVAS + x] = clip((a + b * (x - half + 1) + c * (y - half + 1) + 16) >> 5);
}

static void intra_fill(uint8_t *at, unsigned size, uint8_t value)
{
    for (unsigned y = 0; y < size; y++)
        memset(at + y * CANVAS, value, size);
}

static void lines(uint8_t *at, unsigned size, bool horizontal)
{
    for (unsigned y = 0; y < size; y++) {
        if (horizontal)
            memset(at + y * CANVAS, at[(int)(y * CANVAS) - 1], size);
        else
            memcpy(at + y * CANVAS, at - CANVAS, size);
    }
}

/* DC prediction: the mean of the available sides, `size` pixels each. */
static uint8_t dc_of(const uint8_t *above, const uint8_t *left, unsigned size)
{
    unsigned sum = 0, count = 0;
    for (unsigned i = 0; i < size; i++) {
        sum += (above ? above[i] : 0u) + (left ? left[i * CANVAS] : 0u);
        count += (above ? 1u : 0u) + (left ? 1u : 0u);
    }
    return (uint8_t)(count ? (sum + count / 2u) / count : 128u);
}

void predict_16x16(uint8_t *canvas, unsigned mode, unsigned available)
{
    enum { PLANE = 3 };
    uint8_t *const at = canvas + CANVAS_FIRST;
    if (mode == PLANE)
        predict_plane(at, 8, 5, 32, 6);
    else if (mode == DC)
        intra_fill(
            at, 16,
            dc_of(available & NEXT_ABOVE ? at - CANVAS : NULL, available & NEXT_LEFT ? at - 1 : NULL, 16));
    else
        lines(at, 16, mode == HORIZONTAL);
}

void predict_chroma(uint8_t *canvas, unsigned mode, unsigned available)
{
    enum { CHROMA_DC, CHROMA_HORIZONTAL, CHROMA_VERTICAL, CHROMA_PLANE };
    uint8_t *const at = canvas + CANVAS_FIRST, values[4];
    if (mode == CHROMA_PLANE) {
        predict_plane(at, 4, 34, 32, 6);
        return;
    }
    if (mode != CHROMA_DC) {
        lines(at, 8, mode == CHROMA_HORIZONTAL);
        return;
    }
    /* Chroma blocks off the diagonal use one side, if available. */
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *above = available & NEXT_ABOVE ? at - CANVAS + (i & 1u) * 4u : NULL,
                      *left = available & NEXT_LEFT ? at - 1 + (i >> 1) * 4u * CANVAS : NULL;
        if (i == 1 && above)
            left = NULL;
        if (i == 2 && left)
            above = NULL;
        values[i] = dc_of(above, left, 4);
    }
    for (unsigned i = 0; i < 4; i++)
        intra_fill(at + (i & 1u) * 4u + (i >> 1) * 4u * CANVAS, 4, values[i]);
}
