/* Where a byte of a tiled surface lies, from the pictures of the manuals: the reference of tests. */
#ifndef TESTS_TILES_H
#define TESTS_TILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum tiling { LINEAR, TILE_X, TILE_Y, TILE_YF, TILE_YS, TILE_4, TILE_64 };

struct surface {
    int64_t base;
    int pitch; /* bytes */
    enum tiling tiling;
};

/* Y .. X of a tile's address bits, from the highest down, by log2 of a pixel's bytes. */
static const char *const yf_bits[] = {"XYXYYYYYXXXX", "XYXYXYYYXXXX", "XYXYXYYYXXXX", "XYXYXXYYXXXX",
                                      "XYXYXXYYXXXX"};
static const char *const ys_bits = "XYXY", *const tile_4_bits = "YYXYXXYYXXXX";
static const char *const tile_64_bits[] = {"YYYX", "YYXX", "YYXX", "YXXX", "YXXX"};

static int64_t floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static int64_t place(const struct surface *s, unsigned bytes, int x, int y, bool swizzled)
{
    int64_t tile_width = 1, tile_height = 1, at = 0;
    switch (s->tiling) {
    case LINEAR:
        return s->base + (int64_t)y * s->pitch + x;
    case TILE_X:
        tile_width = 512;
        tile_height = 8;
        break;
    case TILE_Y:
        tile_width = 128;
        tile_height = 32;
        break;
    default: {
        unsigned size = 0;
        while (1u << size < bytes)
            size++;
        char bits[17] = "";
        snprintf(bits, sizeof bits, "%s%s",
                 s->tiling == TILE_YS   ? ys_bits
                 : s->tiling == TILE_64 ? tile_64_bits[size]
                                        : "",
                 s->tiling >= TILE_4 ? tile_4_bits : yf_bits[size]);
        for (const char *c = bits; *c; c++)
            *(*c == 'X' ? &tile_width : &tile_height) *= 2;
        const int64_t column = floor_div(x, tile_width), row = floor_div(y, tile_height);
        int64_t in_x = x - column * tile_width, in_y = y - row * tile_height;
        const unsigned count = (unsigned)strlen(bits);
        for (unsigned i = 0; i < count; i++) {
            int64_t *from = bits[count - 1 - i] == 'X' ? &in_x : &in_y;
            at |= (*from & 1) << i;
            *from >>= 1;
        }
        return s->base + (row * (s->pitch / tile_width) + column) * tile_width * tile_height + at;
    }
    }
    const int64_t column = floor_div(x, tile_width), row = floor_div(y, tile_height);
    const int64_t in_x = x - column * tile_width, in_y = y - row * tile_height;
    if (s->tiling == TILE_X)
        at = in_y * 512 + in_x;
    else
        at = in_x / 16 * 512 + in_y * 16 + in_x % 16;
    if (swizzled && s->tiling == TILE_X)
        at ^= ((at >> 9 ^ at >> 10) & 1) << 6;
    else if (swizzled)
        at ^= (at >> 9 & 1) << 6;
    return s->base + (row * (s->pitch / tile_width) + column) * 4096 + at;
}

#endif
