/* The deblocking filter (ITU-T H.264 8.7) of a macroblock: its left and upper edges, and its inner ones. */
#include "video/avc.h"

static const uint8_t alphas[52] = {0,  0,  0,  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                   0,  0,  0,  4,   4,   5,   6,   7,   8,   9,   10,  12,  13,
                                   15, 17, 20, 22,  25,  28,  32,  36,  40,  45,  50,  56,  63,
                                   71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255};
static const uint8_t betas[52] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0, 2,  2,
                                  2,  3,  3,  3,  3,  4,  4,  4,  6,  6,  7,  7,  8,  8,  9,  9, 10, 10,
                                  11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18};
/* tC0 for strengths 1 to 3, from indexA 17 on. */
static const uint8_t clips[35][3] = {
    {0, 0, 1},  {0, 0, 1},   {0, 0, 1},   {0, 0, 1},   {0, 1, 1},    {0, 1, 1},    {1, 1, 1},
    {1, 1, 1},  {1, 1, 1},   {1, 1, 1},   {1, 1, 2},   {1, 1, 2},    {1, 1, 2},    {1, 1, 2},
    {1, 2, 3},  {1, 2, 3},   {2, 2, 3},   {2, 2, 4},   {2, 3, 4},    {2, 3, 4},    {3, 3, 5},
    {3, 4, 6},  {3, 4, 6},   {4, 5, 7},   {4, 5, 8},   {4, 6, 9},    {5, 7, 10},   {6, 8, 11},
    {6, 8, 13}, {7, 10, 14}, {8, 11, 16}, {9, 12, 18}, {10, 13, 20}, {11, 15, 23}, {13, 17, 25}};

static int clip3(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static int apart(int a, int b)
{
    return a < b ? b - a : a - b;
}

static uint8_t pixel(int value)
{
    return (uint8_t)clip3(value, 0, 255);
}

/* An edge and its filter parameters. */
struct edge {
    int alpha, beta, index; /* indexA */
    int across;             /* distance of pixels across the edge */
    bool luma;
};

/* Strength 4: q0 is at `at`, p0 before it. */
static void filter_strong(const struct edge *e, uint8_t *at)
{
    const int d = e->across, p0 = at[-d], p1 = at[-2 * d], q0 = at[0], q1 = at[d];
    const bool near = apart(p0, q0) < (e->alpha >> 2) + 2;
    at[-d] = (uint8_t)((2 * p1 + p0 + q1 + 2) >> 2);
    at[0] = (uint8_t)((2 * q1 + q0 + p1 + 2) >> 2);
    if (!e->luma || !near)
        return;
    const int p2 = at[-3 * d], p3 = at[-4 * d], q2 = at[2 * d], q3 = at[3 * d];
    if (apart(p2, p0) < e->beta) {
        at[-d] = (uint8_t)((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3);
        at[-2 * d] = (uint8_t)((p2 + p1 + p0 + q0 + 2) >> 2);
        at[-3 * d] = (uint8_t)((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3);
    }
    if (apart(q2, q0) < e->beta) {
        at[0] = (uint8_t)((q2 + 2 * q1 + 2 * q0 + 2 * p0 + p1 + 4) >> 3);
        at[d] = (uint8_t)((q2 + q1 + q0 + p0 + 2) >> 2);
        at[2 * d] = (uint8_t)((2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3);
    }
}

static void filter_weak(const struct edge *e, uint8_t *at, unsigned strength)
{
    const int d = e->across, p0 = at[-d], p1 = at[-2 * d], q0 = at[0], q1 = at[d],
              clip = e->index < 17 ? 0 : clips[e->index - 17][strength - 1u];
    const bool p = e->luma && apart(at[-3 * d], p0) < e->beta, q = e->luma && apart(at[2 * d], q0) < e->beta;
    const int most = e->luma ? clip + p + q : clip + 1,
              delta = clip3((4 * (q0 - p0) + (p1 - q1) + 4) >> 3, -most, most);
    if (p)
        at[-2 * d] = (uint8_t)(p1 + clip3((at[-3 * d] + ((p0 + q0 + 1) >> 1) - 2 * p1) >> 1, -clip, clip));
    if (q)
        at[d] = (uint8_t)(q1 + clip3((at[2 * d] + ((p0 + q0 + 1) >> 1) - 2 * q1) >> 1, -clip, clip));
    at[-d] = pixel(p0 + delta);
    at[0] = pixel(q0 - delta);
}

/* Filters an edge of `size` pixels. Each quarter of it has its strength. */
static void filter_edge(const struct edge *e, uint8_t *at, int along, unsigned size,
                        const uint8_t strength[4])
{
    const int d = e->across;
    for (unsigned i = 0; i < size; i++, at += along) {
        const unsigned s = strength[i * 4u / size];
        if (!s || apart(at[-d], at[0]) >= e->alpha || apart(at[-2 * d], at[-d]) >= e->beta ||
            apart(at[d], at[0]) >= e->beta)
            continue;
        if (s == 4)
            filter_strong(e, at);
        else
            filter_weak(e, at, s);
    }
}

static struct edge edge_of(const struct deblocking *d, unsigned qp, int across, bool luma)
{
    const int index = clip3((int)qp + d->alpha_offset, 0, 51), beta = clip3((int)qp + d->beta_offset, 0, 51);
    return (struct edge){
        .alpha = alphas[index], .beta = betas[beta], .index = index, .across = across, .luma = luma};
}

static bool is_intra(const struct neighbour *n)
{
    return n->kind == MB_4X4 || n->kind == MB_16X16 || n->kind == MB_PCM;
}

static bool moves_apart(const struct neighbour *a, const struct neighbour *b)
{
    return apart(a->vector[0], b->vector[0]) >= 4 || apart(a->vector[1], b->vector[1]) >= 4;
}

/* The strengths of the four parts of an edge. The blocks on the other side are in `other`. */
static void strengths_of(const struct neighbour *now, const struct neighbour *other, unsigned edge, bool down,
                         uint8_t strength[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const unsigned here = down ? edge * 4u + i : i * 4u + edge,
                       there = edge ? here - (down ? 4u : 1u) : here + (down ? 12u : 3u);
        strength[i] = is_intra(now) || is_intra(other)                        ? (edge ? 3 : 4)
                      : now->coefficients[here] || other->coefficients[there] ? 2
                                                                              : moves_apart(now, other);
    }
}

void avc_deblock(const struct deblocking *d, const struct neighbour *now, uint8_t *luma, uint8_t *chroma[2])
{
    for (unsigned down = 0; down < 2; down++) {
        const int across = down ? CANVAS : 1, along = down ? 1 : CANVAS;
        const struct neighbour *const beside = down ? d->above : d->left;
        for (unsigned i = 0; i < 4; i++) {
            const struct neighbour *const other = i ? now : beside;
            uint8_t strength[4];
            if (!other)
                continue;
            strengths_of(now, other, i, down, strength);
            const struct edge e = edge_of(d, (now->qp + other->qp + 1u) >> 1, across, true);
            filter_edge(&e, luma + (int)i * 4 * across, along, 16, strength);
            for (unsigned which = 0; which < 2 && i % 2 == 0; which++) {
                const unsigned qp = (avc_chroma_qp(now->qp, d->chroma_offset[which]) +
                                     avc_chroma_qp(other->qp, d->chroma_offset[which]) + 1u) >>
                                    1;
                const struct edge c = edge_of(d, qp, across, false);
                filter_edge(&c, chroma[which] + (int)i * 2 * across, along, 8, strength);
            }
        }
    }
}
