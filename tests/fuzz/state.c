/*
 * A saved state with any bytes: the first picks the device, the others are what lies behind the header, whose
 * length and sum are made right. What loads is run in time, looked at, saved, and loaded again as the same.
 */
#include "hostile.h"

enum { HEADER_BYTES = 48, LENGTH_AT = 32, SUM_AT = 40 }; /* src/device/save.c */

static void hear_command(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    ((struct hostile *)user)->told += strlen(name) + dwords[length_dw - 1];
}

static void seal(uint8_t *state, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325), length = size;
    for (size_t i = HEADER_BYTES; i < size; i++)
        sum = (sum ^ state[i]) * UINT64_C(0x100000001b3);
    memcpy(state + LENGTH_AT, &length, 8);
    memcpy(state + SUM_AT, &sum, 8);
}

/* What a power-on state begins with. */
static void put_header(struct hostile *h, uint8_t *to)
{
    const size_t size = softgt_save(h->device, NULL, 0);
    uint8_t *const whole = malloc(size);
    if (!whole || softgt_save(h->device, whole, size) != size)
        abort();
    memcpy(to, whole, HEADER_BYTES);
    free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct hostile *const h = hostile_start(data[0], 1, HOST_PLAIN, SOFTGT_TRACE_ALL);
    size_t bytes = HEADER_BYTES + size - 1;
    uint8_t *state = malloc(bytes), *again;
    if (!state)
        abort();
    put_header(h, state);
    memcpy(state + HEADER_BYTES, data + 1, size - 1);
    seal(state, bytes);
    const uint64_t since_ns = cpu_ns();
    const bool loads = softgt_load(h->device, state, bytes) == 0;
    in_time(since_ns, "softgt_load");
    free(state);
    for (unsigned i = 0; i < 4; i++) {
        hostile_run(h, UINT64_C(1) << 10);
        hostile_advance(h, UINT64_C(50000) << i * 4);
        for (unsigned e = 0; e < softgt_info(h->device)->engine_count; e++)
            softgt_engine_state_commands(h->device, e, h, hear_command);
        h->told += softgt_bar_read(h->device, SOFTGT_BAR_GTTMMADR, 0x2034, 4);
    }
    bytes = loads ? softgt_save(h->device, NULL, 0) : 0;
    state = malloc(bytes + 1);
    again = malloc(bytes + 1);
    if (!state || !again ||
        (loads &&
         (softgt_save(h->device, state, bytes) != bytes || softgt_load(h->device, state, bytes) != 0 ||
          softgt_save(h->device, again, bytes) != bytes || memcmp(state, again, bytes) != 0)))
        abort();
    free(state);
    free(again);
    return 0;
}

/* libFuzzer's: numbers change in their places, as one that comes or goes moves all behind it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned start);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned start)
{
    static const uint64_t edges[] = {0,          1,         2, 3, 255, 4096, UINT64_MAX, UINT64_C(1) << 63,
                                     0x80000000, 0x7fffffff};
    uint64_t seed = start + 1u;
    (void)most;
    for (uint32_t left = 1 + below(&seed, 8); left && size > 9; left--) {
        const uint32_t bytes = 1u << below(&seed, 4), at = 1u + below(&seed, (uint32_t)size - 8u);
        const uint64_t value =
            below(&seed, 2) ? edges[below(&seed, sizeof edges / sizeof edges[0])] : random_value(&seed);
        if (below(&seed, 3))
            memcpy(data + at, &value, bytes);
        else if (below(&seed, 2))
            data[at] ^= (uint8_t)(1u << below(&seed, 8));
        else
            memmove(data + at, data + 1u + below(&seed, (uint32_t)size - 8u), bytes);
    }
    return size;
}

/* Of each device, after power-on and with commands half way. */
void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    for (unsigned product = 0; sheets[product]; product++)
        for (unsigned busy = 0; busy < 2; busy++) {
            struct hostile *const h = hostile_start(product, 1, HOST_PLAIN, 0);
            for (unsigned i = 0; busy && i < h->sheet->info.engine_count; i++) {
                const struct engine_info *const e = &h->sheet->engines[i];
                uint32_t *const dw = (uint32_t *)(void *)(h->memory + BATCH + i * 0x1000u);
                const struct driver_ring ring = {BATCH + i * 0x1000u, PAGE_BYTES, 0,
                                                 4 * (hostile_commands(h, e, 7 + i, 40, dw, 0x300) & ~1u)};
                struct driver_writes writes = {0};
                driver_set_ring(&writes, e, &ring);
                driver_write(h->device, &writes);
            }
            hostile_run(h, 200);
            const size_t size = softgt_save(h->device, NULL, 0);
            uint8_t *const state = malloc(size);
            if (!state || softgt_save(h->device, state, size) != size)
                abort();
            state[HEADER_BYTES - 1] = (uint8_t)product;
            take(state + HEADER_BYTES - 1, size - HEADER_BYTES + 1);
            free(state);
        }
}

void fuzz_words(fuzz_take *take)
{
    (void)take;
}
