/* Any bytes as a trace: they are read, and what is sound of them runs on the device that they name, with
 * little memory and budget. */
#include "aub/aub.h"
#include "aub/replay.h"
#include "player/gts_run.h"
#include "fuzz.h"

#include <archive.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct replay_options options = {.memory_limit_bytes = 16 << 20, .budget_dw = 1 << 12};
    struct replay_result result;
    replay_memory(data, size, &options, &result);
    return 0;
}

/* ---- Packets ---- */

enum { CLASSIC = 0x01, MEMTRACE = 0x2e, BLOCK = 0x41, PACKETS = 4096 };

/* Bytes of the packet at `data`, at most what is there. */
static size_t packet_bytes(const uint8_t *data, size_t there)
{
    uint32_t header = 0, payload = 0;
    if (there < 4)
        return there;
    memcpy(&header, data, 4);
    const uint32_t opcode = header >> 23 & 0x3fu;
    size_t bytes = ((header & 0xffffu) + (opcode == CLASSIC ? 2u : 1u)) * 4u;
    if (opcode == CLASSIC && (header >> 16 & 0x7fu) == BLOCK && there >= 20) {
        memcpy(&payload, data + 16, 4);
        bytes += (payload + 3u) & ~3u;
    }
    return bytes < there ? bytes : there;
}

/* ---- Mutations ---- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value);

static struct {
    uint32_t dw[1 << 14];
    unsigned count;
} words;

static void learn(const void *data, size_t size)
{
    if (words.count < sizeof words.dw / sizeof words.dw[0] && size == 4)
        memcpy(&words.dw[words.count++], data, 4);
}

static uint32_t word(uint64_t *seed)
{
    return below(seed, 3) ? words.dw[below(seed, words.count)] : (uint32_t)random_value(seed);
}

/* A packet of some kind; returns its bytes. */
static size_t make_packet(uint64_t *seed, uint32_t *dw)
{
    static const uint8_t kinds[] = {1, 2, 3, 3, 3, 4, 5, 6, 6, 6, 6, 8, 8, 9, 0xb, 0xd};
    const uint8_t kind = kinds[below(seed, sizeof kinds)];
    uint32_t count = 1 + below(seed, 12);
    for (uint32_t i = 1; i <= count; i++)
        dw[i] = word(seed);
    if (kind == 6 || kind == 4) { /* bytes in memory, of some space */
        count = 4 + below(seed, 40);
        for (uint32_t i = 5; i <= count; i++)
            dw[i] = word(seed);
        dw[1] = below(seed, 16) * 0x1000u + below(seed, 64) * 4u;
        dw[2] = 0;
        dw[3] = below(seed, 11) << 28 | (dw[3] & 0xfu);
        dw[4] = (count - 4u) * 4u;
    } else if (kind == 3) { /* a register's dword */
        count = 6;
        dw[2] = 2u << 16;
        dw[3] = dw[4] = UINT32_MAX;
    } else if (kind == 8) {
        const int length =
            snprintf((char *)(dw + 2), 64, "softgt %s %u at %u%s", below(seed, 2) ? "ran" : "run",
                     below(seed, 600), below(seed, 1u << 30), below(seed, 2) ? ", a turn" : "");
        dw[1] = 0;
        count = 2u + (uint32_t)length / 4u;
    }
    dw[0] = 0xe0000000u | MEMTRACE << 23 | (uint32_t)kind << 16 | count;
    return (count + 1u) * 4u;
}

/* Whole packets come, go and change places, or change within, besides what happens to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value)
{
    uint64_t seed = seed_value;
    size_t at[PACKETS + 1], count = 0;
    uint32_t made[64] = {0};
    if (!words.count)
        fuzz_row_words(learn);
    for (size_t next = 0; next < size && count < PACKETS; next += packet_bytes(data + next, size - next))
        at[count++] = next;
    if (count < 2 || below(&seed, 6) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const size_t chosen = at[below(&seed, count)], other = at[below(&seed, count)],
                 chosen_bytes = packet_bytes(data + chosen, size - chosen),
                 other_bytes = packet_bytes(data + other, size - other);
    const uint8_t *from = data + other;
    size_t length = other_bytes;
    switch (below(&seed, 5)) {
    case 0:
        memmove(data + chosen, data + chosen + chosen_bytes, size - chosen - chosen_bytes);
        return size - chosen_bytes;
    case 1:
        if (chosen_bytes > 4)
            LLVMFuzzerMutate(data + chosen + 4, chosen_bytes - 4, chosen_bytes - 4);
        return size;
    case 2: /* a dword of it */
        if (chosen_bytes >= 8) {
            made[0] = word(&seed);
            memcpy(data + chosen + 4u * (1u + below(&seed, chosen_bytes / 4u - 1u)), made, 4);
        }
        return size;
    case 3:
        length = make_packet(&seed, made);
        from = (const uint8_t *)made;
        break;
    default:
        break;
    }
    if (size + length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    uint8_t *const copy = malloc(length);
    if (!copy)
        abort();
    memcpy(copy, from, length);
    memmove(data + chosen + length, data + chosen, size - chosen);
    memcpy(data + chosen, copy, length);
    free(copy);
    return size + length;
}

/* ---- What it begins with ---- */

static fuzz_take *taken_by;

/* The first whole packets of a compressed trace. */
static void take_start(const void *data, size_t size)
{
    enum { MOST_BYTES = 48 << 10 };
    struct archive *const a = archive_read_new();
    struct archive_entry *entry;
    static uint8_t bytes[MOST_BYTES];
    if (!a || archive_read_support_filter_all(a) != ARCHIVE_OK ||
        archive_read_support_format_raw(a) != ARCHIVE_OK ||
        archive_read_open_memory(a, data, size) != ARCHIVE_OK ||
        archive_read_next_header(a, &entry) != ARCHIVE_OK)
        abort();
    const la_ssize_t got = archive_read_data(a, bytes, sizeof bytes);
    archive_read_free(a);
    size_t whole = 0, next = 0;
    while (got > 0 && next < (size_t)got) {
        whole = next;
        next += packet_bytes(bytes + next, (size_t)got - next);
    }
    taken_by(bytes, whole);
}

static void on_message(void *user, const struct gts_message *m)
{
    (void)user, (void)m;
}

/* A program as a trace. */
static void take_program(const void *data, size_t size)
{
    const struct gts_options options = {.message = on_message, .memory_limit = 64 << 20};
    char *trace = NULL;
    size_t trace_bytes = 0;
    FILE *const file = size < 3000 ? open_memstream(&trace, &trace_bytes) : NULL;
    if (!file)
        return;
    const enum gts_result result = gts_assemble_into("seed", data, size, file, &options);
    if (result == GTS_UNUSABLE)
        fclose(file);
    else if (trace_bytes < 64 << 10)
        taken_by(trace, trace_bytes);
    free(trace);
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    taken_by = take;
    fuzz_files(root, "examples", ".aub.xz", take);
    fuzz_files(root, "examples", ".aub.xz", take_start);
    fuzz_files(root, "tests/rule", ".gts", take_program);
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
