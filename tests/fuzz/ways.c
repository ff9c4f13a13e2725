/*
 * Random programs of a driver come to the same however they are played. Bytes 0 and 1: device and engine; 2:
 * the way; 3: bit 0, a context that moves to another engine instead; 4 to 7: of what the programs are made;
 * 8 to 11: where they are cut; then, six bytes each, dwords that are written over the batches.
 */
#include "../ways.h"
#include "fuzz.h"

enum { HEADER_BYTES = 12, CHANGE_BYTES = 6, PRODUCTS = 32 };

static const uint8_t *changes;
static size_t changes_bytes;

static void change(struct world *w)
{
    for (size_t at = 0; at + CHANGE_BYTES <= changes_bytes; at += CHANGE_BYTES) {
        const uint8_t *const c = changes + at;
        /* Its commands are around the end of a batch's first page. */
        const uint32_t batch = BATCH + c[1] % (2u * BATCHES) * BATCH_BYTES;
        memcpy(w->memory + batch + 0xf00 + c[0] * 4u, c + 2, 4);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world worlds[PRODUCTS];
    unsigned products = 0;
    uint32_t seed, cuts;
    if (size < HEADER_BYTES)
        return 0;
    while (sheets[products])
        products++;
    struct world *const w = &worlds[data[0] % products];
    if (!w->sheet)
        world_create(w, sheets[data[0] % products]);
    memcpy(&seed, data + 4, 4);
    memcpy(&cuts, data + 8, 4);
    changes = data + HEADER_BYTES;
    changes_bytes = size - HEADER_BYTES;
    w->engine = &w->sheet->engines[data[1] % w->sheet->info.engine_count];
    w->cuts = cuts;
    w->limit_dw = 1 << 17;
    w->only_end = true;
    w->change = change;
    if (!(data[3] & 1u))
        check_ways(w, seed, 1u << (1u + data[2] % (sizeof ways / sizeof ways[0] - 1u)));
    else if (changes_bytes == 0 && peer(w)) /* a change may well name a register of one engine */
        check_moves(w, peer(w), seed);
    fflush(stdout);
    if (failures)
        abort();
    return 0;
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    for (uint8_t device = 0; sheets[device]; device++)
        for (uint8_t engine = 0; engine < sheets[device]->info.engine_count; engine++)
            if (sheets[device]->engines[engine].instance < 2)
                take((const uint8_t[HEADER_BYTES]){device, engine, (uint8_t)(device + engine),
                                                   sheets[device]->engines[engine].instance, 1},
                     HEADER_BYTES);
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
