/* Runs of zeros: MI_NOOP in commands, untouched memory in saved states. */
#ifndef BASE_ZEROS_H
#define BASE_ZEROS_H

#include <stddef.h>
#include <stdint.h>

/* How many of `count` dwords are zero before the first that is not. */
static inline size_t zeros_dw(const uint32_t *dw, size_t count)
{
    typedef uint64_t wide __attribute__((vector_size(16), aligned(4), may_alias));
    const uint32_t *at = dw, *const end = dw + count;
    while (end - at >= 64) {
        const wide *w = (const wide *)(const void *)at;
        const wide sum = (w[0] | w[1] | w[2] | w[3]) | (w[4] | w[5] | w[6] | w[7]) |
                         (w[8] | w[9] | w[10] | w[11]) | (w[12] | w[13] | w[14] | w[15]);
        if (sum[0] | sum[1])
            break;
        at += 64;
    }
    while (at < end && *at == 0)
        at++;
    return (size_t)(at - dw);
}

#endif
