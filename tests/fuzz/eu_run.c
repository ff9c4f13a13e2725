/* Any bytes as a kernel of the instruction set that the first byte picks, run by threads whose registers are
 * the bytes as well: with the exact handlers in one go, and with the host's in runs of the budget that the
 * second byte says, and translated. All are the same. */
#include "../eu_ways.h"
#include "jit/jit.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14, HEADER = 8, BUDGET = 2000 };

struct kernel {
    const uint8_t *bytes;
    size_t size;
};

static const void *fetch(void *context, uint64_t address, size_t *there)
{
    const struct kernel *const k = context;
    if (address >= k->size)
        return NULL;
    *there = k->size - (size_t)address;
    return k->bytes + address;
}

static enum eu_answer answer(void *context, struct eu_thread *t, const struct eu_send *m, uint64_t *budget)
{
    (void)context;
    (void)t;
    uint8_t sum = (uint8_t)m->descriptor;
    for (unsigned p = 0; p < 2; p++)
        for (unsigned n = 0; m->payload[p] && n < m->payload_registers[p] * (unsigned)EU_REGISTER_BYTES; n++)
            sum = (uint8_t)(sum + m->payload[p][n]);
    if (m->response)
        memset(m->response, sum, m->response_registers * (size_t)EU_REGISTER_BYTES);
    (void)budget;
    return sum == 0x55 ? EU_SEND_FAULT : EU_SENT;
}

static void run(struct eu_thread *t, struct kernel *k, struct eu_cache *cache, uint64_t slice)
{
    const struct eu_port port = {.context = k, .fetch = fetch, .send = answer, .cache = cache};
    enum eu_stop stop = EU_BUDGET;
    for (uint64_t left = BUDGET; left && stop <= EU_WAITS;) {
        uint64_t budget = slice < left ? slice : left;
        const uint64_t given = budget;
        stop = eu_thread_run(t, &port, &budget);
        left -= given - budget;
        if (stop == EU_WAITS) {
            eu_thread_notify(t, 0);
            eu_thread_notify(t, 1);
            eu_thread_notify(t, 2);
            eu_thread_notify(t, 3);
        }
    }
    t->why = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct eu_thread a, b, start;
    unsigned sets = 0;
    while (eu_isas[sets])
        sets++;
    if (size <= HEADER || size > MOST_BYTES)
        return 0;
    uint8_t *const bytes = malloc(size - HEADER); /* no more: ASan sees its end */
    struct kernel k = {bytes, size - HEADER};
    struct eu_cache *const exact = eu_cache_create_simd(EU_SIMD_NONE), *const best = eu_cache_create(NULL),
                           *const translated = test_cache(TEST_TRANSLATED);
    if (!bytes || !exact || !best)
        abort();
    memcpy(bytes, data + HEADER, k.size);
    eu_thread_start(&a, eu_isas[data[0] % sets], 0, (uint32_t)(data[2] | data[3] << 8) | 1u);
    a.cr0[0] = (uint32_t)(data[4] | data[5] << 8) & 0x4ff;
    a.cr0[1] = data[6] & 1u ? 1u << 12 | 1u << 13 | 1u << 15 : 0;
    a.sip = data[6] & 0xf8u;
    if (data[6] & 2u && !a.isa->gen6_encoding)
        a.grf_rows = eu_grf_rows(a.isa, true);
    for (size_t n = 0; n < sizeof a.grf; n++)
        a.grf[n] = data[HEADER + n * 7 % k.size];
    memcpy(a.address, a.grf + data[7], sizeof a.address);
    start = b = a;
    run(&a, &k, exact, BUDGET);
    run(&b, &k, best, data[1] % 16u + 1u);
    /* What costs more than is left of a budget costs what is left: endless kernels come to other places. */
    if (a.instruction_count == b.instruction_count && memcmp(&a, &b, sizeof a) != 0)
        abort();
    for (unsigned n = 0; translated && n < 2; n++) { /* decoded; translated */
        b = start;
        run(&b, &k, translated, n ? BUDGET : data[1] + 1u);
        if (a.instruction_count == b.instruction_count && memcmp(&a, &b, sizeof a) != 0)
            abort();
    }
    eu_cache_destroy(exact);
    eu_cache_destroy(best);
    eu_cache_destroy(translated);
    free(bytes);
    return 0;
}

static void seed(unsigned set, const uint8_t *kernel, size_t size, fuzz_take *take)
{
    uint8_t *const bytes = calloc(1, HEADER + size);
    if (!bytes)
        abort();
    bytes[0] = (uint8_t)set;
    bytes[2] = bytes[3] = 0xff;
    memcpy(bytes + HEADER, kernel, size);
    take(bytes, HEADER + size);
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
