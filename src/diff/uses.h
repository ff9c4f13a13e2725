/* What uses memory that packets wrote: the field of a structure that the state points to, or the instruction
 * of a kernel; and the first draw or dispatch with that state. */
#ifndef DIFF_USES_H
#define DIFF_USES_H

#include "diff/diff.h"

/* Fills `use` of each piece of memory that packets wrote in both runs. Structures and kernels are read as
 * they are at the end. */
void diff_find_uses(const struct diff_recording *a, const struct diff_recording *b,
                    struct diff_result *result);

#endif
