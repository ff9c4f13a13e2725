#ifndef BENCH_EU_H
#define BENCH_EU_H

#include <stdbool.h>

/* Loops of EU instructions of 16 channels, with the handlers of each level of vectors that the host has;
 * `line` prints the results. False: a thread did not end. */
bool bench_eu(void (*line)(const char *name, double figure, const char *unit, double ratio));

double seconds(void);

#endif
