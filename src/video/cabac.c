/* The arithmetic coder (ITU-T H.264 9.3.4). */
#include "video/cabac.h"

void cabac_start(struct cabac *c)
{
    c->low = c->outstanding = 0;
    c->range = 510;
    c->begins = 1;
}

void cabac_start_slice(struct cabac *c, unsigned model, int qp)
{
    for (unsigned i = 0; i < CABAC_CONTEXTS; i++) {
        const int8_t *const s = cabac_starts[model][i];
        int state = (s[0] * qp >> 4) + s[1];
        state = state < 1 ? 1 : state > 126 ? 126 : state;
        c->states[i] = (uint8_t)(state < 64 ? (63 - state) << 1 : (state - 64) << 1 | 1);
    }
    cabac_start(c);
}

static void put_bit(struct cabac *c, struct bits *b, bool bit)
{
    if (c->begins)
        c->begins = 0;
    else
        bits_put(b, bit, 1);
    for (unsigned n; c->outstanding; c->outstanding -= n) {
        n = c->outstanding < 32 ? c->outstanding : 32;
        bits_put(b, bit ? 0 : UINT32_MAX, n);
    }
}

/* Writes a bit, or counts it as outstanding until no carry can reach it. */
static void shift(struct cabac *c, struct bits *b, uint32_t half)
{
    if (c->low < half) {
        put_bit(c, b, 0);
    } else if (c->low >= 2 * half) {
        c->low -= 2 * half;
        put_bit(c, b, 1);
    } else {
        c->low -= half;
        c->outstanding += c->outstanding < CABAC_OUTSTANDING;
    }
}

static void renormalize(struct cabac *c, struct bits *b)
{
    for (; c->range < 256; c->range = (uint16_t)(c->range << 1), c->low <<= 1)
        shift(c, b, 256);
}

void cabac_bin(struct cabac *c, struct bits *b, unsigned context, bool bin)
{
    uint8_t *const s = &c->states[context];
    const unsigned state = *s >> 1, lps = cabac_range_lps[state][c->range >> 6 & 3];
    bool mps = *s & 1;
    c->bins++;
    c->range = (uint16_t)(c->range - lps);
    if (bin == mps) {
        *s = (uint8_t)((state < 62 ? state + 1 : state) << 1 | mps);
    } else {
        c->low += c->range;
        c->range = (uint16_t)lps;
        mps ^= !state;
        *s = (uint8_t)(cabac_next_lps[state] << 1 | mps);
    }
    renormalize(c, b);
}

void cabac_bypass(struct cabac *c, struct bits *b, bool bin)
{
    c->bins++;
    c->low <<= 1;
    if (bin)
        c->low += c->range;
    shift(c, b, 512);
}

void cabac_terminate(struct cabac *c, struct bits *b, bool bin)
{
    c->bins++;
    c->range = (uint16_t)(c->range - 2);
    if (bin) {
        c->low += c->range;
        c->range = 2;
        renormalize(c, b);
        put_bit(c, b, c->low >> 9 & 1);
        bits_put(b, (c->low >> 7 & 3) | 1, 2);
    } else {
        renormalize(c, b);
    }
}
