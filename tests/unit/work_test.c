/* docs/limits.md: how much is done for a slice's budget, counted and never timed: walks, accesses of memory
 * that cannot be mapped, complaints, bytes of a blit; and a header that is read once. */
#include "../streamer.h"

#include "engine/execution.h"

enum { SLICE_DW = 4096, ACCESSES = 64 };

static const char *const devices[] = {"snb", "skl", "icl"};
enum { DEVICES = sizeof devices / sizeof devices[0] };

static unsigned engine_named(const struct streamer *s, const char *stem)
{
    struct softgt_engine_status status;
    unsigned e = 0;
    while (softgt_engine_status(s->device, e, &status) && strncmp(status.name, stem, strlen(stem)) != 0)
        e++;
    return e;
}

/* Starts a batch in the GGTT that begins again at its end. */
static void loop(struct streamer *s, const uint32_t *dw, uint32_t count)
{
    const uint32_t start = batch_start(false, false) - (s->gen6 ? 1u : 0);
    memcpy(s->memory + BATCH, dw, count * 4u);
    const uint32_t jump[] = {start, BATCH, 0, MI_NOOP};
    memcpy(s->memory + BATCH + count * 4u, jump, sizeof jump);
    memcpy(s->memory + RING, jump, sizeof jump);
    register_put(s, s->base + 0x030, sizeof jump);
}

static void count_access(void *user, bool write, uint64_t bus_address, const void *data, size_t size_bytes)
{
    (void)write, (void)bus_address, (void)data, (void)size_bytes;
    ++*(unsigned *)user;
}

struct load {
    const char *name, *engine;
    bool gen6, gen8;
    uint32_t dw[16];
    uint32_t count, padded_to; /* with zeros */
};

/* clang-format off */
static const struct load loads[] = {
    {"stores of a dword each", "rcs", false, true, {0x10400002, DATA, 0, 1, 0x10400002, DATA + 0x5000, 0, 2}, 8, 8},
    {"a store of a thousand dwords", "rcs", false, true, {0x104003fe, DATA, 0}, 3, 0x400},
    {"a store of two dwords each", "bcs", true, false, {0x10400003, 0, DATA, 1, 2}, 5, 5},
    {"loads of registers", "rcs", false, true, {0x14c00002, 0x2600, DATA, 0}, 4, 4},
    {"copies of a dword", "rcs", false, true, {0x17600003, DATA, 0, DATA + 0x3000, 0}, 5, 5},
    {"a fill of a tiled surface", "bcs", true, true, {0x54300804, 0xf0 << 16 | 3 << 24 | 0x200, 0, 0x03000200, DATA, 0x55}, 6, 6},
    {"a fill of a column", "bcs", false, true, {0x54300005, 0xf0 << 16 | 3 << 24 | 0x1000, 0, 0x02000001, DATA, 0, 0x55}, 7, 7},
    {"a tiled raster operation", "bcs", false, true, {0x54f08808, 0x66 << 16 | 3 << 24 | 0x200, 0, 0x01000200, DATA, 0, 0, 0x200, DATA + 0x100000, 0}, 10, 10},
    {"a copy between tiles", "bcs", false, true, {0x50904008, 3 << 24 | 0x200, 0, 0x01000200, DATA, 0, 0, 0x200, DATA + 0x100000, 0}, 10, 10},
};
/* clang-format on */

/* Each access is a question to whoever has the memory, and an answer. */
static void accesses_are_few(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DEVICES; d++)
        for (unsigned i = 0; i < sizeof loads / sizeof loads[0]; i++) {
            struct streamer *s = streamer_create(devices[d]);
            const struct load *const l = &loads[i];
            unsigned accesses = 0;
            uint64_t total = 0;
            if (s->gen6 ? l->gen6 : l->gen8) {
                uint32_t dw[0x400] = {0};
                memcpy(dw, l->dw, l->count * 4u);
                streamer_start(s, engine_named(s, l->engine));
                loop(s, dw, l->padded_to);
                s->unmapped = true;
                s->touched = count_access;
                s->user = &accesses;
                softgt_memory_changed(s->device);
                for (unsigned slice = 0; slice < 100; slice++, total += accesses, accesses = 0) {
                    softgt_run(s->device, SLICE_DW);
                    if (accesses > ACCESSES)
                        fail_msg("%s, %s: %u accesses in a slice", devices[d], l->name, accesses);
                }
                assert_int_equal(streamer_status(s).faults, 0);
                assert_true(total > 100);
            }
            streamer_destroy(s);
        }
}

/* A part of a blit is little, of wide surfaces some columns: 16 KB a row, 64 rows. */
static void parts_of_blits_are_small(void **state)
{
    (void)state;
    enum { MOST_BYTES = 700 << 10, PITCH = 0x4000, PIXELS = PITCH / 4, ROWS = 64 };
    for (unsigned d = 1; d < DEVICES; d++)
        for (unsigned tilings = 0; tilings < 4; tilings++) {
            struct streamer *s = streamer_create(devices[d]);
            const bool to_tiled = tilings & 1u, from_tiled = tilings & 2u;
            const uint32_t copy[] = {0x50800008u | (to_tiled ? 1u << 13 : 0) | (from_tiled ? 1u << 20 : 0),
                                     3u << 24 | (to_tiled ? PITCH / 4u : PITCH),
                                     0,
                                     ROWS << 16 | PIXELS,
                                     DATA,
                                     0,
                                     0,
                                     from_tiled ? PITCH / 4u : PITCH,
                                     DATA + ROWS * PITCH,
                                     0,
                                     MI_BATCH_BUFFER_END};
            const uint32_t start[] = {batch_start(true, false), BATCH, 0, MI_NOOP};
            uint64_t before = 0;
            streamer_start(s, engine_named(s, "bcs"));
            memcpy(s->memory + BATCH, copy, sizeof copy);
            memcpy(s->memory + RING, start, sizeof start);
            for (uint32_t i = 0; i < ROWS * PITCH; i++)
                s->memory[USER_DATA + ROWS * PITCH + i] = (uint8_t)(i * 7u + (i >> 12));
            register_put(s, s->base + 0x030, sizeof start);
            for (bool more = true; more;) {
                more = softgt_run(s->device, SLICE_DW);
                const uint64_t now = streamer_status(s).bytes_written;
                assert_in_range(now - before, 0, MOST_BYTES);
                before = now;
            }
            assert_int_equal(before, ROWS * PITCH);
            if (to_tiled == from_tiled)
                assert_memory_equal(s->memory + USER_DATA, s->memory + USER_DATA + ROWS * PITCH,
                                    ROWS * PITCH);
            streamer_destroy(s);
        }
}

struct done {
    enum outcome outcome;
    size_t size;
    uint8_t *state, *memory;
};

static struct done execute(struct streamer *s, unsigned engine, const struct command *c, const uint32_t *dw,
                           uint32_t length_dw, uint32_t header)
{
    streamer_start(s, engine);
    struct engine *e = &s->device->engines[engine];
    struct execution x = {.engine = e,
                          .command = c,
                          .dw = dw,
                          .length_dw = length_dw,
                          .header = header,
                          .by = &e->by_privileged,
                          .privileged = true};
    struct done d = {.outcome = c->execute(&x), .size = softgt_save(s->device, NULL, 0)};
    d.state = malloc(d.size);
    d.memory = malloc(MEMORY_BYTES);
    assert_non_null(d.state);
    assert_non_null(d.memory);
    softgt_save(s->device, d.state, d.size);
    memcpy(d.memory, s->memory, MEMORY_BYTES);
    return d;
}

/* What a command does goes by the header that was judged, whatever its memory says by then. */
static void headers_are_read_once(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (unsigned d = 0; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        unsigned seen = 0;
        for (unsigned engine = 0; engine < softgt_info(s->device)->engine_count; engine++) {
            const unsigned class = 1u << s->device->sheet->engines[engine].class;
            for (unsigned number = 1; number < s->device->set.count && !(seen & class); number++) {
                const struct command *c = s->device->set.rows[number];
                if (!c->execute || !(c->engines & class))
                    continue;
                enum { LONGEST = 24 };
                uint32_t dw[LONGEST], length_dw = c->min_dwords;
                for (unsigned i = 0; i < LONGEST; i++)
                    dw[i] = random_next(&seed) & 1u ? (uint32_t)random_next(&seed) : DATA + 64u * i;
                const uint32_t header = (dw[0] & ~c->mask) | c->match;
                dw[0] = header;
                struct done once = execute(s, engine, c, dw, length_dw, header);
                dw[0] = ~header;
                struct done twice = execute(s, engine, c, dw, length_dw, header);
                if (once.outcome != twice.outcome || once.size != twice.size ||
                    memcmp(once.state, twice.state, once.size) != 0 ||
                    memcmp(once.memory, twice.memory, MEMORY_BYTES) != 0)
                    fail_msg("%s: %s reads its header again", devices[d], c->name);
                free(once.state);
                free(once.memory);
                free(twice.state);
                free(twice.memory);
            }
            seen |= class;
        }
        streamer_destroy(s);
    }
}

/* A store over itself stores what it read. */
static void stores_may_overlap(void **state)
{
    (void)state;
    for (unsigned d = 1; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        /* Qwords from dword 3 of the command on, a dword later. */
        const uint32_t dw[] = {0x10600005, BATCH + 16, 0, 1, 2, 3, 4};
        memcpy(s->memory + BATCH, dw, sizeof dw);
        dword_put(s, BATCH + 32, MI_BATCH_BUFFER_END);
        dword_put(s, BATCH + 28, MI_BATCH_BUFFER_END);
        const uint32_t start[] = {batch_start(false, false), BATCH, 0, MI_NOOP};
        memcpy(s->memory + RING, start, sizeof start);
        register_put(s, s->base + 0x030, sizeof start);
        softgt_run(s->device, 1000);
        assert_int_equal(dword_at(s, BATCH + 16), 1);
        assert_int_equal(dword_at(s, BATCH + 20), 2);
        assert_int_equal(dword_at(s, BATCH + 24), 2);
        streamer_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_few),
        cmocka_unit_test(parts_of_blits_are_small),
        cmocka_unit_test(headers_are_read_once),
        cmocka_unit_test(stores_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
