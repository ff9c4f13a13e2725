/* docs/limits.md: how much is done for a slice's budget, counted and never timed: walks, accesses of memory
 * that cannot be mapped, complaints, bytes of a blit; and a header that is read once. */
#include "../suite.h"
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

static void count_write(void *user, bool write, uint64_t bus_address, const void *data, size_t size_bytes)
{
    (void)bus_address, (void)data, (void)size_bytes;
    *(unsigned *)user += write;
}

struct load {
    const char *name, *engine;
    bool gen6, gen8;
    uint32_t dw[16];
    uint32_t count, padded_to; /* with zeros */
    uint32_t copies;           /* 0: one */
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
    {"the same store, again and again", "bcs", true, false, {0x10400002, 0, DATA, 1}, 4, 4, 250},
    {"one store behind the other", "rcs", false, true, {0x10400002, DATA, 0, 1}, 4, 4, 250},
    {"reports of the head", "rcs", true, true, {0x03800000}, 1, 1, 1000},
    {"probes of surfaces", "rcs", true, false, {0x12800000 | 998, DATA, DATA + 0x1001, DATA + 0x2002}, 4, 1000},
    {"indices that cut", "rcs", false, true, {0x780a0003, 2 << 8, DATA, 0, 0x20000, 0x780c0100, 1, 0x7b000005, 4 | 1 << 8, 0x8000, 0, 1, 0, 0}, 14, 14},
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
                const uint32_t copies = l->copies ? l->copies : 1;
                for (uint32_t copy = 0; copy < copies; copy++)
                    memcpy(dw + copy * l->count, l->dw, l->count * 4u);
                streamer_start(s, engine_named(s, l->engine));
                register_put(s, s->base + s->device->sheet->engines[s->engine].hws_pga, STATUS_PAGE);
                if (l->dw[0] >> 23 == 0x25) { /* surface faults, tables per process that have all pages */
                    struct driver_writes writes = {0};
                    assert_true(driver_ppgtt_make(&s->driver, &s->ppgtt, 0));
                    assert_true(driver_map(&s->driver, &s->ppgtt, 0, 0, MEMORY_BYTES, 4096));
                    driver_set_directory(&writes, &s->device->sheet->engines[s->engine], &s->ppgtt);
                    driver_write(s->device, &writes);
                    register_put(s, 0x2520, 0x10001000);
                }
                loop(s, dw, l->padded_to * copies);
                s->unmapped = true;
                s->touched = count_access;
                s->user = &accesses;
                softgt_memory_changed(s->device);
                for (unsigned slice = 0; slice < 100; slice++, total += accesses, accesses = 0) {
                    softgt_run(s->device, SLICE_DW);
                    if (accesses > ACCESSES)
                        fail_msg("%s, %s: %u accesses in a slice", devices[d], l->name, accesses);
                }
                if (streamer_status(s).faults)
                    fail_msg("%s, %s: %s", devices[d], l->name, streamer_status(s).why);
                assert_true(total > 100);
            }
            streamer_destroy(s);
        }
}

/* Texts and messages are charged for, whether or not somebody takes them. */
static void count_report(void *user, const struct softgt_report *report)
{
    (void)report;
    ++*(unsigned *)user;
}

static void count_message(void *user, const struct softgt_event *event)
{
    struct streamer *const s = user;
    s->master_errors += strcmp(event->name, "MSI") == 0;
}

static void complaints_and_messages_are_few(void **state)
{
    (void)state;
    enum { COMPLAINTS = 100, MESSAGES = 24 };
    struct streamer *s = streamer_listen("skl", count_message);
    unsigned complaints = 0, most = 0;
    uint32_t dw[0x1000];
    for (uint32_t i = 0; i < 900; i++) {
        dw[i * 3] = MI_LOAD_REGISTER_IMM | 1u;
        dw[i * 3 + 1] = 0x7c000 + i * 4u; /* nothing is there */
        dw[i * 3 + 2] = 0;
    }
    loop(s, dw, 2700);
    s->reported = count_report;
    s->user = &complaints;
    for (unsigned slice = 0; slice<50; slice++, most = complaints> most ? complaints : most, complaints = 0)
        softgt_run(s->device, SLICE_DW);
    assert_in_range(most, 20, COMPLAINTS);

    streamer_start(s, 0);
    s->reported = NULL;
    register_put(s, 0x44304, 0);
    register_put(s, 0x4430c, UINT32_MAX);
    register_put(s, 0x44200, 1u << 31);
    register_put(s, s->base + 0x0a8, 0);
    for (uint32_t i = 0; i < 500; i++)
        memcpy(dw + i * 7,
               (const uint32_t[]){0x01000000, MI_LOAD_REGISTER_IMM | 3u, 0x44308, UINT32_MAX, 0x44308,
                                  UINT32_MAX, 0},
               28);
    loop(s, dw, 3500);
    for (unsigned slice = 0; slice < 50; slice++) {
        s->master_errors = 0;
        softgt_run(s->device, SLICE_DW);
        assert_in_range(s->master_errors, 10, MESSAGES);
    }
    streamer_destroy(s);
}

/* A run ends with the command that takes its last dword: a page of MI_NOOP, one MI_LOAD_REGISTER_IMM. */
static void runs_end_near_their_budget(void **state)
{
    (void)state;
    enum { LRI_DW = 257 };
    for (unsigned d = 0; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        static uint32_t dw[0x1000];
        memset(dw, 0, sizeof dw);
        loop(s, dw, 0x1000);
        softgt_run(s->device, 100); /* into the batch */
        for (unsigned slice = 0; slice < 8; slice++) {
            const uint64_t before = softgt_dwords(s->device);
            softgt_run(s->device, 1);
            assert_in_range(softgt_dwords(s->device) - before, 1, 1024);
        }
        streamer_start(s, engine_named(s, "rcs"));
        for (unsigned i = 0; i < 4; i++) {
            dw[i * LRI_DW] = MI_LOAD_REGISTER_IMM | (LRI_DW - 2);
            for (unsigned k = 1; k < LRI_DW; k++)
                dw[i * LRI_DW + k] = k & 1u ? s->base + EMR_AT : k;
        }
        loop(s, dw, LRI_DW * 4);
        softgt_run(s->device, 3);
        for (unsigned slice = 0; slice < 3; slice++) {
            const uint64_t before = softgt_dwords(s->device);
            softgt_run(s->device, 1);
            assert_int_equal(softgt_dwords(s->device) - before, LRI_DW);
        }
        streamer_destroy(s);
    }
}

/* A compressor whose memory cannot be mapped waits for it, in virtual time. */
static void compression_waits_for_memory(void **state)
{
    (void)state;
    enum { MS = 1000000, ACCESSES_IN_MS = 200 };
    struct streamer *s = streamer_create("cl");
    unsigned accesses = 0, most = 0;
    register_put(s, 0x6001c, 1023u << 16 | 1023); /* PIPESRC, tiled DSPCNTR, DSPSTRIDE, DSPSURF, PIPECONF */
    register_put(s, 0x70180, 6u << 26 | 1u << 10);
    register_put(s, 0x70188, 4096);
    register_put(s, 0x7019c, DATA);
    register_put(s, 0x70008, 1u << 31);
    register_put(s, 0x3200, 0x700000);
    register_put(s, 0x3204, 0x600000);
    register_put(s, 0x3208, 1u << 31 | 1u << 30 | 1u << 16 | 15u << 5);
    s->unmapped = true;
    s->touched = count_access;
    s->user = &accesses;
    for (unsigned i = 0; i<1000; i++, most = accesses> most ? accesses : most, accesses = 0)
        softgt_advance(s->device, MS);
    assert_in_range(most, 100, ACCESSES_IN_MS);
    assert_true(register_get(s, 0x3210) & 1u << 30); /* it comes to its end */
    streamer_destroy(s);
}

/* Counters' reports: by the shortest timer, by a trigger that fires every second clock, in pieces or at once.
 */
static void report_by_the_timer(struct streamer *s)
{
    register_put(s, 0x2360, 2 | 1); /* OACTXCONTROL; OABUFFER, OATAILPTR, OACONTROL */
    register_put(s, 0x2b14, DATA | 7u << 3 | 1);
    register_put(s, 0x2b0c, DATA);
    register_put(s, 0x2b10, DATA);
    register_put(s, 0x2b00, 5u << 2 | 1);
}

static void report_by_a_trigger(struct streamer *s)
{
    register_put(s, 0x2374, 0xaaaaaaaa); /* signal 10, each second clock; OABUFFER, OASTATUS1, OACONTROL */
    register_put(s, 0x2370, 0xaaaaaaaa);
    register_put(s, 0x237c, 1);
    register_put(s, 0x2378, 1u << 23);
    register_put(s, 0x23b0, DATA);
    register_put(s, 0x2364, DATA | 7u << 3);
    register_put(s, 0x2368, DATA);
    register_put(s, 0x2360, 1);
}

static void time_is_cut_at_reports(void **state)
{
    (void)state;
    enum { SPAN_NS = 40000, REPORTS = 64, REPORTS_IN_TICK = 14 /* 28 clocks of 80 ns, at 350 MHz */ };
    static const struct {
        const char *device;
        void (*begin)(struct streamer *s);
        unsigned least, more;
    } kinds[] = {{"skl", report_by_the_timer, 239, 1},
                 {"icl", report_by_the_timer, 239, 1},
                 {"snb", report_by_a_trigger, 1500, REPORTS_IN_TICK}};
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct streamer *s[2] = {streamer_create(kinds[k].device), streamer_create(kinds[k].device)};
        unsigned reports = 0, all = 0;
        kinds[k].begin(s[0]);
        kinds[k].begin(s[1]);
        softgt_advance(s[0]->device, SPAN_NS);
        s[1]->touched = count_write;
        s[1]->user = &reports;
        s[1]->unmapped = true;
        softgt_memory_changed(s[1]->device);
        for (uint64_t left_ns = SPAN_NS; left_ns; all += reports, reports = 0) {
            const uint64_t most_ns = softgt_piece_ns(s[1]->device),
                           piece_ns = left_ns < most_ns ? left_ns : most_ns;
            assert_true(piece_ns);
            softgt_advance(s[1]->device, piece_ns);
            assert_in_range(reports, 0, REPORTS + kinds[k].more);
            left_ns -= piece_ns;
        }
        assert_in_range(all, kinds[k].least, 10000);
        assert_memory_equal(s[1]->memory, s[0]->memory, MEMORY_BYTES);
        streamer_destroy(s[0]);
        streamer_destroy(s[1]);
    }
}

/* Reports that commands ask for: of a trigger's register, of MI_REPORT_PERF_COUNT. */
static void reports_take_budget(void **state)
{
    (void)state;
    enum { REPORTS = 41 };
    static const uint32_t asked[2][4] = {{MI_LOAD_REGISTER_IMM | 1, 0xdb1c, 7, MI_NOOP},
                                         {0x14000002, DATA + 0x40000 + 1, 0, 5}};
    for (unsigned i = 0; i < 2; i++) {
        struct streamer *s = streamer_create("dg2");
        register_put(s, 0xdb08, DATA | 7u << 3); /* OABUFFER, OAHEADPTR, OATAILPTR, OACONTROL */
        register_put(s, 0xdb00, DATA);
        register_put(s, 0xdb04, DATA);
        register_put(s, 0xdaf4, 5u << 2 | 1);
        loop(s, asked[i], 4);
        uint64_t before = streamer_status(s).commands;
        for (unsigned slice = 0; slice < 20; slice++) {
            softgt_run(s->device, SLICE_DW);
            const uint64_t commands = streamer_status(s).commands;
            assert_in_range(commands - before, 2 * 20, 3 * REPORTS); /* with a jump, and a MI_NOOP */
            before = commands;
        }
        streamer_destroy(s);
    }
}

/* Runs of two engines, whose memory costs much, repeated where it costs nothing: they end at the same
 * commands. */
static void repeated_runs_end_where_they_did(void **state)
{
    (void)state;
    struct streamer *s[2];
    uint64_t seed = 26;
    for (unsigned i = 0; i < 2; i++) {
        s[i] = streamer_create("skl");
        for (unsigned e = 0; e < 2; e++) { /* stores into a page each, then noops */
            const uint32_t base = s[i]->device->sheet->engines[e].mmio_base, ring = RING + e * 0x2000u;
            uint32_t *const dw = (uint32_t *)(void *)(s[i]->memory + BATCH + e * 0x8000u);
            for (uint32_t n = 0; n < 400; n++)
                memcpy(dw + n * 5u, (const uint32_t[]){0x10400002, DATA + e * 0x1000u, 0, n, 0}, 20);
            const uint32_t jump[] = {batch_start(false, false), BATCH + e * 0x8000u, 0, 0};
            memcpy(dw + 2000 + 5000 * e, jump, sizeof jump);
            memcpy(s[i]->memory + ring, jump, sizeof jump);
            const struct driver_ring there = {ring, RING_BYTES, 0, 16};
            struct driver_writes writes = {0};
            driver_set_directory(&writes, &s[i]->device->sheet->engines[e], &s[i]->ppgtt);
            driver_set_ring(&writes, &s[i]->device->sheet->engines[e], &there);
            register_put(s[i], base + 0x080, STATUS_PAGE);
            driver_write(s[i]->device, &writes);
        }
    }
    s[0]->unmapped = true;
    softgt_memory_changed(s[0]->device);
    unsigned turns = 0;
    for (unsigned i = 0; i < 2000; i++) {
        struct run_extent first = {.budget_dw = 1 + random_next(&seed) % 4096, .is_recording = true};
        assert_true(device_run(s[0]->device, &first));
        struct run_extent again = {.budget_dw = UINT64_MAX,
                                   .done_dw = first.done_dw,
                                   .partial_dw = first.partial_dw,
                                   .is_replay = true,
                                   .slice_ended = first.slice_ended};
        assert_true(device_run(s[1]->device, &again));
        assert_int_equal(again.done_dw, 0);
        assert_int_equal(again.surplus_dw, 0);
        turns += first.slice_ended;
        for (unsigned e = 0; e < 2; e++) {
            struct softgt_engine_status was, is;
            assert_true(softgt_engine_status(s[0]->device, e, &was) &&
                        softgt_engine_status(s[1]->device, e, &is));
            assert_int_equal(is.acthd, was.acthd);
            assert_int_equal(is.commands, was.commands);
        }
    }
    assert_in_range(turns, 10, 1000);
    streamer_destroy(s[0]);
    streamer_destroy(s[1]);
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
                          .accessor = &e->accessor.privileged,
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

/* Draws whose indices all cut: each takes budget, whatever comes of it. */
static void indices_take_budget(void **state)
{
    (void)state;
    enum { INDICES = 0x8000, INDICES_A_DWORD = 5, VERTICES_AT = 0x310 };
    for (unsigned d = 1; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        const uint32_t dw[] = {0x680b0001, 0x780a0003, 2 << 8,  DATA, 0, INDICES * 4, 0x780c0100, 1,
                               0x7b000005, 4 | 1 << 8, INDICES, 0,    1, 0,           0};
        for (uint32_t i = 0; i < INDICES; i++)
            dword_put(s, USER_DATA + i * 4, i & 1u);
        loop(s, dw, sizeof dw / 4);
        for (unsigned slice = 0; slice < 20; slice++) {
            const uint32_t before = register_get(s, s->base + VERTICES_AT);
            assert_true(softgt_run(s->device, SLICE_DW));
            const uint32_t vertices = register_get(s, s->base + VERTICES_AT) - before;
            assert_in_range(vertices, SLICE_DW, SLICE_DW * INDICES_A_DWORD / 2 + 1024);
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

TEST_PROGRAM(work_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_few),
        cmocka_unit_test(complaints_and_messages_are_few),
        cmocka_unit_test(time_is_cut_at_reports),
        cmocka_unit_test(reports_take_budget),
        cmocka_unit_test(runs_end_near_their_budget),
        cmocka_unit_test(compression_waits_for_memory),
        cmocka_unit_test(repeated_runs_end_where_they_did),
        cmocka_unit_test(parts_of_blits_are_small),
        cmocka_unit_test(headers_are_read_once),
        cmocka_unit_test(indices_take_budget),
        cmocka_unit_test(stores_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
