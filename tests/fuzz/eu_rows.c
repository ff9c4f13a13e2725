#include "isa/isa.h"
#include "fuzz.h"

#include <string.h>

void fuzz_kernels(fuzz_kernel *kernel, fuzz_take *take)
{
    enum { CODES = 128 };
    static const uint8_t patterns[] = {0, 0x11, 0x44, 0x04, 0x80, 0x22};
    static uint8_t bytes[CODES * EU_NATIVE_BYTES];
    for (unsigned set = 0; eu_isas[set]; set++)
        for (unsigned fill = 0; fill < sizeof patterns; fill++) {
            for (unsigned code = 0; code < CODES; code++) {
                uint8_t *const at = bytes + code * EU_NATIVE_BYTES, two[2 * EU_NATIVE_BYTES];
                memset(at, patterns[fill], EU_NATIVE_BYTES);
                at[0] = (uint8_t)code;
                at[3] = (uint8_t)(at[3] & ~0x20u);
                memcpy(two, at, EU_NATIVE_BYTES);
                memcpy(two + EU_NATIVE_BYTES, at, EU_NATIVE_BYTES);
                kernel(set, two, sizeof two, take);
            }
            kernel(set, bytes, sizeof bytes, take);
            kernel(set, bytes + EU_NATIVE_BYTES, sizeof bytes - EU_NATIVE_BYTES, take); /* none is illegal */
        }
}

void fuzz_field_words(fuzz_take *take)
{
    for (unsigned n = 0; n < eu_field_row_count; n++) {
        uint64_t half[2] = {0};
        const struct eu_piece *const p = &eu_field_rows[n].pieces[0];
        half[p->first / 64u] = UINT64_C(1) << p->first % 64u;
        take(half, sizeof half);
    }
}
