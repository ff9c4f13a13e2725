/*
 * Any dwords as commands of any engine. Bytes: 0 device, 1 engine, 2 and 3 what `struct header` says, 4 seed
 * of the memory behind, 5 where in its page it begins, 6 and 7 what is broken in the tables, or what a pipe
 * shows; then the dwords.
 */
#include "hostile.h"

#include "aub/replay.h"

enum { HEADER_BYTES = 8, BODY_DW = 0x1e00 };
/* Not commands and memory: runs of them go another way when they are. */
enum { TRACED = SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS | SOFTGT_TRACE_BLITS };
enum place { IN_RING, IN_BATCH, IN_SECOND_BATCH, IN_IMAGE };

struct header {
    enum place place;
    enum port_kind port;
    bool privileged, ppgtt, execlists, reload, breaks_tables, shows, in_context;
    unsigned levels;     /* of the per-process tables; 0: the most that there are */
    uint64_t page_bytes; /* of them */
};

static struct header header_of(const uint8_t *data)
{
    return (struct header){.place = data[2] & 3u,
                           .port = data[2] >> 2 & 3u,
                           .privileged = data[2] & 0x10,
                           .ppgtt = !(data[2] & 0x20),
                           .execlists = !(data[2] & 0x40),
                           .reload = data[2] & 0x80,
                           .levels = data[3] & 1u ? 3 : 0,
                           .page_bytes = data[3] & 2u ? 2 << 20 : PAGE_BYTES,
                           .breaks_tables = data[3] & 4u,
                           .shows = data[3] & 8u,
                           .in_context = data[3] & 0x10};
}

static void play(struct hostile *h)
{
    static const uint64_t pauses_ns[] = {1000, 20000000, 3000000000};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned slices = 0; slices < 8 && hostile_run(h, 512); slices++)
            ;
        hostile_advance(h, pauses_ns[i]);
    }
}

static uint32_t start_of_batch(const struct hostile *h, const struct engine_info *engine,
                               const struct header *header, bool second, uint32_t address, uint32_t *dw)
{
    const struct command_set *const set = softgt_command_set(h->device);
    const uint32_t length_dw = set->rows[command_find(set, engine->class, 0x31u << 23)]->min_dwords;
    dw[0] = 0x31u << 23 | (second ? 1u << 22 : 0) | (header->privileged ? 0 : 1u << 8) | (length_dw - 2u);
    dw[1] = address;
    return length_dw;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER_BYTES + 4)
        return 0;
    struct header header = header_of(data);
    struct hostile *const h = hostile_start(data[0], data[4], HOST_PLAIN, TRACED);
    const struct engine_info *const engine = &h->sheet->engines[data[1] % h->sheet->info.engine_count];
    const bool execlists = engine->contexts.execlists && header.execlists;
    struct driver_writes writes = {0};
    if (!engine->contexts.execlists)
        header.levels = 0, header.page_bytes = PAGE_BYTES;
    if (!driver_ppgtt_make(&h->driver, &h->ppgtt, header.levels) ||
        !driver_map(&h->driver, &h->ppgtt, 0, 0, HOLE, header.page_bytes))
        abort();
    uint64_t seed = data[6] | (uint64_t)data[7] << 8;
    for (unsigned i = 0; header.breaks_tables && i < 8; i++) {
        const uint64_t value = random_value(&seed) & (below(&seed, 2) ? UINT64_MAX : 0xfffff);
        memcpy(h->memory + TABLES + below(&seed, (RING - TABLES) / 8) * 8, &value, 8);
    }

    if (header.place == IN_IMAGE && !execlists)
        header.place = IN_BATCH;
    const size_t body = size - HEADER_BYTES < BODY_DW * 4 ? (size - HEADER_BYTES) & ~(size_t)3 : BODY_DW * 4;
    uint32_t ring_dw[8] = {0}, ring_bytes = 0, ring_head = 0;
    const uint32_t place = BATCH + (header.place == IN_RING ? 0 : data[5] * 16u);
    memcpy(h->memory + (header.place == IN_SECOND_BATCH ? SECOND_BATCH : place), data + HEADER_BYTES, body);
    const uint32_t end = 0x0a << 23;
    memcpy(h->memory + (header.place == IN_SECOND_BATCH ? SECOND_BATCH : place) + body, &end, 4);
    if (header.place == IN_SECOND_BATCH) {
        uint32_t dw[8] = {0};
        const uint32_t length_dw = start_of_batch(h, engine, &header, true, SECOND_BATCH, dw);
        dw[length_dw] = end;
        memcpy(h->memory + place, dw, (length_dw + 1u) * 4u);
    }
    if (header.place == IN_RING) { /* over its end */
        ring_head = (RING_BYTES - data[5] * 16u) % RING_BYTES;
        ring_bytes = body + 64 < RING_BYTES ? (uint32_t)body & ~7u : RING_BYTES - 64u;
        for (uint32_t at = 0; at < ring_bytes; at++)
            h->memory[RING + (ring_head + at) % RING_BYTES] = data[HEADER_BYTES + at];
    } else {
        ring_bytes = start_of_batch(h, engine, &header, false, place, ring_dw) * 4u;
        ring_bytes = (ring_bytes + 7u) & ~7u;
        memcpy(h->memory + RING, ring_dw, ring_bytes);
    }
    const struct driver_ring ring = {RING, RING_BYTES, ring_head, (ring_head + ring_bytes) % RING_BYTES};
    const struct driver_ppgtt *const ppgtt = header.ppgtt ? &h->ppgtt : NULL;
    if (execlists) {
        const struct driver_context context = {.ring = ring, .control = DRIVER_FRESH_CONTEXT, .ppgtt = ppgtt};
        uint8_t *const image = h->memory + IMAGE + DRIVER_IMAGE_OFFSET;
        driver_image(engine, &context, (uint32_t *)(void *)image, 2048);
        if (header.place == IN_IMAGE)
            memcpy(image + data[5] * 4u, data + HEADER_BYTES, body);
        driver_enable_execlists(&writes, engine);
        driver_submit(&writes, engine, driver_descriptor(IMAGE, 1, ppgtt), 0);
    } else {
        driver_set_directory(&writes, engine, ppgtt);
        driver_set_ring(&writes, engine, &ring);
    }
    if (header.shows)
        hostile_show(h, data[4] * UINT64_C(0x0101010101) ^ data[6] ^ (uint64_t)data[7] << 17);
    hostile_memory(h, header.port);
    driver_write(h->device, &writes);
    if (header.in_context)
        hostile_submit_video(h, engine, 0, &ring);
    play(h);
    if (header.in_context) /* another takes its place, or it comes again */
        hostile_submit_video(h, engine, data[5] & 1u, &ring);
    if (header.reload) {
        const size_t bytes = softgt_save(h->device, NULL, 0);
        uint8_t *const state = malloc(bytes);
        if (!state || softgt_save(h->device, state, bytes) != bytes ||
            softgt_load(h->device, state, bytes) != 0)
            abort();
        free(state);
    }
    if (execlists) /* once more, as a lite restore or after its end */
        driver_write(h->device, &writes);
    play(h);
    return 0;
}

/* ---- Mutations ---- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value);

/* Whole commands come, go and change places, besides what happens to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value)
{
    uint64_t seed = seed_value;
    uint32_t dw[GENERATED_MAX_DW * 5];
    if (size < HEADER_BYTES + 4 || below(&seed, 3) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    struct hostile *const h = hostile_start(data[0], 0, HOST_PLAIN, TRACED);
    const struct engine_info *const engine = &h->sheet->engines[data[1] % h->sheet->info.engine_count];
    const uint32_t length =
        hostile_commands(h, engine, random_next(&seed), 1 + below(&seed, 4), dw, sizeof dw / 4) * 4u;
    const size_t body = (size - HEADER_BYTES) / 4 * 4,
                 at = HEADER_BYTES + below(&seed, (uint32_t)body / 4 + 1) * 4u;
    if (below(&seed, 3) == 0 && at + length <= size) { /* in place of what is there */
        memcpy(data + at, dw, length);
        return size;
    }
    if (size + length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, dw, length);
    return size + length;
}

/* ---- What it begins with ---- */

static struct recorded {
    uint8_t bytes[2048];
    size_t size;
} recorded[PRODUCTS];
static fuzz_take *recorded_for;
static const struct softgt_device_info *recorded_on;

static bool started(void *user, struct softgt *device)
{
    (void)user;
    recorded_on = softgt_info(device);
    return true;
}

static void record(void *user, const struct softgt_event *event)
{
    (void)user;
    for (unsigned i = 0; i < ENGINE_CLASSES; i++) {
        struct recorded *const r = &recorded[i];
        const size_t size = event->length_dw * 4u;
        if (event->kind != SOFTGT_EVENT_COMMAND || (unsigned)event->engine_class != i ||
            r->size + size > sizeof r->bytes)
            continue;
        memcpy(r->bytes + r->size, event->dwords, size);
        r->size += size;
    }
}

/* What every engine class of a trace did first. */
static void play_trace(const void *data, size_t size)
{
    const struct replay_options options = {.started = started,
                                           .trace = {.mask = SOFTGT_TRACE_COMMANDS, .event = record}};
    struct replay_result result;
    memset(recorded, 0, sizeof recorded);
    if (replay_memory(data, size, &options, &result) != REPLAY_CLEAN)
        abort();
    for (uint8_t product = 0; sheets[product]; product++)
        for (uint8_t engine = 0; engine < sheets[product]->info.engine_count; engine++) {
            struct recorded *const r = &recorded[sheets[product]->engines[engine].class];
            uint8_t input[HEADER_BYTES + sizeof r->bytes] = {product, engine, engine % 4u};
            if (!r->size || strcmp(sheets[product]->info.name, recorded_on->name) != 0)
                continue;
            memcpy(input + HEADER_BYTES, r->bytes, r->size);
            recorded_for(input, HEADER_BYTES + r->size);
        }
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    recorded_for = take;
    fuzz_files(root, "examples", ".aub.xz", play_trace);
    for (uint8_t product = 0; sheets[product]; product++)
        for (uint8_t engine = 0; engine < sheets[product]->info.engine_count; engine++)
            for (uint8_t i = 0; i < 4; i++) {
                uint32_t dw[600] = {0};
                uint8_t *const bytes = (uint8_t *)dw;
                struct hostile *const h = hostile_start(product, 0, HOST_PLAIN, TRACED);
                const struct engine_info *const e = &h->sheet->engines[engine];
                if (e->instance > 1)
                    break;
                const uint32_t length_dw = hostile_commands(h, e, i, 60, dw + HEADER_BYTES / 4, 590);
                memcpy(bytes,
                       (const uint8_t[HEADER_BYTES]){product, engine, i | (uint8_t)(engine << 4),
                                                     (uint8_t)(i | (i & 1u) << 3 | (i & 2u) << 3), i},
                       HEADER_BYTES);
                take(bytes, HEADER_BYTES + length_dw * 4u);
            }
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
