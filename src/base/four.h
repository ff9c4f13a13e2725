/* Four dwords at once. */
#ifndef BASE_FOUR_H
#define BASE_FOUR_H

#include "base/inline.h"

#include <stdint.h>

typedef uint32_t four_dw __attribute__((vector_size(16)));

enum { FOUR = 4 };

/* Dword i of row n becomes dword n of row i. */
static INLINE void transpose_four(four_dw row[FOUR])
{
    const four_dw low_01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                  low_23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                  high_01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                  high_23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0] = __builtin_shufflevector(low_01, low_23, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7);
}

#endif
