/* Any bytes as kernels of the instruction set that the first byte picks: each instruction is taken apart, put
 * together and compared, and all of them are listed. */
#include "eu/eu.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned sets = 0;
    struct eu_instruction i;
    struct text text = {0};
    uint8_t again[EU_NATIVE_BYTES];
    size_t listed;
    while (eu_sets[sets])
        sets++;
    if (size < 2 || size > MOST_BYTES)
        return 0;
    const struct eu_set *const set = eu_sets[data[0] % sets];
    const struct eu_listing how = {.indent = "", .most = data[0] & 0x40 ? 3 : 0, .one = data[0] & 0x80};
    uint8_t *const bytes = malloc(--size); /* no more: ASan sees its end */
    if (!bytes)
        abort();
    memcpy(bytes, data + 1, size);
    for (size_t at = 0; at < size && eu_decode(set, bytes + at, size - at, &i); at += i.size_bytes)
        if (!eu_encode(set, &i, again) || memcmp(again, bytes + at, i.size_bytes) != 0)
            abort();
    eu_list(set, bytes, size, &how, &text, &listed);
    if (text.failed || listed > size)
        abort();
    text_free(&text);
    free(bytes);
    return 0;
}

/* Each operation of each set, with bits of all kinds. */
void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    for (unsigned set = 0; eu_sets[set]; set++) {
        static uint8_t bytes[1 + 128 * EU_NATIVE_BYTES];
        for (unsigned fill = 0; fill < 3; fill++) {
            bytes[0] = (uint8_t)set;
            for (unsigned code = 0; code < 128; code++) {
                uint8_t *const at = bytes + 1 + code * EU_NATIVE_BYTES;
                memset(at, fill == 0 ? 0 : fill == 1 ? 0x11 : 0x44, EU_NATIVE_BYTES);
                at[0] = (uint8_t)code;
                at[3] = (uint8_t)(at[3] & ~0x20u);
            }
            take(bytes, sizeof bytes);
        }
    }
}

/* Bits of fields, one by one. */
void fuzz_words(fuzz_take *take)
{
    for (unsigned n = 0; n < eu_field_row_count; n++) {
        uint64_t half[2] = {0};
        const struct eu_piece *const p = &eu_field_rows[n].pieces[0];
        half[p->first / 64u] = UINT64_C(1) << p->first % 64u;
        take(half, sizeof half);
    }
}
