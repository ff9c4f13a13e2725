/* Random numbers that are the same in every run. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *seed;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* At most 2^32. */
static inline uint32_t below(uint64_t *seed, size_t bound)
{
    return (uint32_t)((uint32_t)(random_next(seed) >> 16) % bound);
}

static const uint64_t random_edges[] = {0,
                                        1,
                                        2,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        UINT64_C(0x100000000),
                                        INT64_MAX,
                                        UINT64_C(1) << 63,
                                        UINT64_MAX - 1,
                                        UINT64_MAX};
enum { RANDOM_EDGES = sizeof random_edges / sizeof random_edges[0] };

/* One in two is a value at an edge. */
static inline uint64_t random_value(uint64_t *seed)
{
    const uint64_t choice = random_next(seed), value = random_next(seed);
    return choice & 1u ? value : random_edges[(choice >> 1) % RANDOM_EDGES];
}

#endif
