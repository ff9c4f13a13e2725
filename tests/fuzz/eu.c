/* Any bytes as kernels of the instruction set that the first byte picks: each instruction is taken apart, put
 * together and compared, runs as what it was taken for, and all of them are listed. */
#include "isa/isa.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned sets = 0;
    struct eu_instruction i, runs;
    struct text text = {0};
    uint8_t again[EU_NATIVE_BYTES];
    size_t listed;
    while (eu_isas[sets])
        sets++;
    if (size < 2 || size > MOST_BYTES)
        return 0;
    const struct eu_isa *const set = eu_isas[data[0] % sets];
    const struct eu_listing how = {
        .indent = "", .max_instructions = data[0] & 0x40 ? 3 : 0, .one_program = data[0] & 0x80};
    uint8_t *const bytes = malloc(--size); /* no more: ASan sees its end */
    if (!bytes)
        abort();
    memcpy(bytes, data + 1, size);
    for (size_t at = 0; at < size && eu_decode(set, bytes + at, size - at, &i); at += i.size_bytes)
        if (!eu_encode(set, &i, again) || memcmp(again, bytes + at, i.size_bytes) != 0 ||
            !eu_decode_fields(set, bytes + at, size - at, &runs) || runs.operation != i.operation ||
            runs.size_bytes != i.size_bytes || runs.illegal != i.illegal ||
            memcmp(runs.value, i.value, sizeof i.value) != 0)
            abort();
    eu_disassemble_kernel(set, bytes, size, &how, &text, &listed);
    if (text.failed || listed > size)
        abort();
    text_free(&text);
    free(bytes);
    return 0;
}

static void seed(unsigned set, const uint8_t *kernel, size_t size, fuzz_take *take)
{
    uint8_t *const bytes = malloc(1 + size);
    if (!bytes)
        abort();
    bytes[0] = (uint8_t)set;
    memcpy(bytes + 1, kernel, size);
    take(bytes, 1 + size);
    free(bytes);
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    fuzz_kernels(seed, take);
}

void fuzz_words(fuzz_take *take)
{
    fuzz_field_words(take);
}
