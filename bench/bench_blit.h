#ifndef BENCH_BLIT_H
#define BENCH_BLIT_H

#include <stdbool.h>

/* Processor time of this thread: others may run meanwhile. */
double seconds(void);

/* Blits and the aperture beside plain copies and fills; `line` prints one result. False: something failed. */
bool bench_blits(void (*line)(const char *name, double figure, const char *unit, double ratio));

#endif
