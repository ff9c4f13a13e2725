/* Inter prediction of 16x16 macroblocks (ITU-T H.264 8.4): motion vectors, and pixels at fractional
 * positions. */
#include "video/avc.h"

static int middle(int a, int b, int c)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static bool refers(const struct neighbour *n)
{
    return n && (n->kind == MB_INTER || n->kind == MB_SKIPPED);
}

void predict_vector(const struct vector_neighbours *n, bool skips, int16_t vector[2])
{
    static const struct neighbour none = {0};
    const struct neighbour *const c = n->above_right ? n->above_right : n->above_left,
                                  *const of[3] = {refers(n->left) ? n->left : &none,
                                                  refers(n->above) ? n->above : &none, refers(c) ? c : &none};
    const int count = refers(n->left) + refers(n->above) + refers(c);
    vector[0] = vector[1] = 0;
    if (skips && (!n->left || !n->above || (refers(n->left) && !n->left->vector[0] && !n->left->vector[1]) ||
                  (refers(n->above) && !n->above->vector[0] && !n->above->vector[1])))
        return;
    for (unsigned i = 0; i < 2; i++) {
        const int a = of[0]->vector[i], b = of[1]->vector[i], d = of[2]->vector[i];
        vector[i] = (int16_t)(n->left && !n->above && !c ? a : count == 1 ? a + b + d : middle(a, b, d));
    }
}

static uint8_t clip(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static int taps(const int *v, int step)
{
    return v[-2 * step] - 5 * v[-step] + 20 * v[0] + 20 * v[step] - 5 * v[2 * step] + v[3 * step];
}

/* A pixel at a half position right, down or both. Rows are REFERENCE apart. */
static uint8_t half_pixel(const int *at, bool right, bool down)
{
    int column[6];
    if (!right || !down)
        return clip(!right && !down ? at[0] : (taps(at, right ? 1 : REFERENCE) + 16) >> 5);
    for (int i = -2; i <= 3; i++)
        column[i + 2] = taps(at + i * REFERENCE, 1);
    return clip((taps(column + 2, 1) + 512) >> 10);
}

/* A pixel at a quarter position: the mean of two at whole or half positions (figure 8-4). */
static uint8_t quarter_pixel(const int *at, unsigned x, unsigned y)
{
    if (x % 2 == 0 && y % 2 == 0)
        return half_pixel(at, x, y);
    const int *const right = at + (x == 3), *const below = at + (y == 3) * REFERENCE;
    uint8_t a, b;
    if (x % 2 && y % 2) { /* on the diagonals between b and h, m and s */
        a = half_pixel(below, true, false);
        b = half_pixel(right, false, true);
    } else if (x % 2) {
        a = half_pixel(right, false, y);
        b = half_pixel(at, true, y);
    } else {
        a = half_pixel(below, x, false);
        b = half_pixel(at, x, true);
    }
    return (uint8_t)((a + b + 1) >> 1);
}

void predict_inter_luma(uint8_t *canvas, const uint8_t *reference, const int16_t vector[2])
{
    int pixels[REFERENCE * REFERENCE];
    for (unsigned i = 0; i < REFERENCE * REFERENCE; i++)
        pixels[i] = reference[i];
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++)
            canvas[CANVAS_FIRST + y * CANVAS + x] =
                quarter_pixel(pixels + (y + 2u) * REFERENCE + x + 2u, vector[0] & 3, vector[1] & 3);
}

void predict_inter_chroma(uint8_t *canvas, const uint8_t *reference, const int16_t vector[2])
{
    const int right = vector[0] & 7, down = vector[1] & 7;
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 8; x++) {
            const uint8_t *const at = reference + y * REFERENCE + x;
            canvas[CANVAS_FIRST + y * CANVAS + x] =
                (uint8_t)(((8 - right) * (8 - down) * at[0] + right * (8 - down) * at[1] +
                           (8 - right) * down * at[REFERENCE] + right * down * at[REFERENCE + 1] + 32) >>
                          6);
        }
}
