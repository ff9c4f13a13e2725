#ifndef BENCH_GUC_H
#define BENCH_GUC_H

#include <stdbool.h>

/* Work that is given to the GuC; `line` prints the result. False: something failed. */
bool bench_guc(void (*line)(const char *name, double figure, const char *unit, double ratio));

#endif
