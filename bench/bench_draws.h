#ifndef BENCH_DRAWS_H
#define BENCH_DRAWS_H

#include <stdint.h>

/* Draws that keep a Skylake device busy; the last has no name. */
struct bench_draw {
    const char *name;
    const char *more;             /* commands that replace some of the common ones; NULL: none */
    uint32_t vertices, triangles; /* triangles 0: two vertices of a large rectangle, and its third */
    uint32_t again;               /* draws a batch */
    uint32_t kernels;             /* the draws use so many copies of the kernel in turn; 0: one */
    void (*put_kernel)(uint8_t *to);
};
extern const struct bench_draw bench_draws[];

/* Puts what the draw reads into memory below 64 MB, and the commands at `dw`. Returns their length, below 64
 * K dwords; 0: a command has another form. */
uint32_t bench_draw_put(const struct bench_draw *draw, uint8_t *memory, uint32_t *dw);

#endif
