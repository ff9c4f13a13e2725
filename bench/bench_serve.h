/* softgt serve's part of the benchmarks. */
#ifndef BENCH_BENCH_SERVE_H
#define BENCH_BENCH_SERVE_H

#include <stdbool.h>

/* Microseconds of a register read, and how many bare round trips that is. False: it cannot be measured. */
bool bench_serve(double *read_us, double *ratio);

#endif
