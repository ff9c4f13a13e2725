#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdint.h>

/* Those that are much work; the last has no name. */
struct bench_kernel {
    const char *name;
    void (*put)(uint8_t *memory);
};
extern const struct bench_kernel bench_kernels[];

/* What it needs goes into memory below 64 MB, the commands of its walker to `dw`; returns how many, below 64.
 */
uint32_t bench_kernel_put(const struct bench_kernel *kernel, uint8_t *memory, uint32_t *dw);

#endif
