/* docs/limits.md: how much is done for a slice's budget, counted and never timed: walks, accesses of memory
 * that cannot be mapped, complaints, bytes of a blit; and a header that is read once. */
#include "../suite.h"
#include "../streamer.h"

#include "engine/execution.h"

enum { PROBES = 1 << 12 }; /* of GFX_MODE */

enum { SLICE_DW = 4096, ACCESSES = 64 };

static const char *const devices[] = {"snb", "skl", "icl"};
enum { DEVICES = sizeof devices / sizeof devices[0] };

static unsigned engine_named(const struct streamer *s, const char *stem)
{
    struct softgt_engine_status status;
    unsigned e = 0;
    while (softgt_engine_get_status(s->device, e, &status) && strncmp(status.name, stem, strlen(stem)) != 0)
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
    register_put(s, s->base + RING_BUFFER_TAIL, sizeof jump);
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

/* Commands of a load; AT is DATA, BEHIND is DATA + 1 MB. */
#define AT     "2M"
#define BEHIND "3M"
struct load {
    const char *name, *engine;
    bool gen6, gen8;
    const char *text;
    uint32_t copies; /* 0: one */
};

static const struct load loads[] = {
    {"stores of a dword each", "rcs", false, true,
     "MI_STORE_DATA_IMM use_global_gtt, address = " AT ", immediate_data = 1\n"
     "MI_STORE_DATA_IMM use_global_gtt, address = " AT " + 20K, immediate_data = 2"},
    {"a store of a thousand dwords", "rcs", false, true,
     "MI_STORE_DATA_IMM use_global_gtt, address = " AT ", length = 1024"},
    {"a store of two dwords each", "bcs", true, false,
     "MI_STORE_DATA_IMM use_global_gtt, store_qword, address = " AT ", immediate_data = 1 | 2 << 32"},
    {"loads of registers", "rcs", false, true,
     "MI_LOAD_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = " AT},
    {"copies of a dword", "rcs", false, true,
     "MI_COPY_MEM_MEM use_global_gtt_destination, use_global_gtt_source, "
     "destination_memory_address = " AT ", source_memory_address = " AT " + 12K"},
    {"a fill of a tiled surface", "bcs", true, true,
     "XY_COLOR_BLT 32bpp_byte_mask = 3, dest_tiling_enable, destination_pitch = 512, "
     "raster_operation = 240, color_depth = 3, destination_x2_coordinate = 512, "
     "destination_y2_coordinate = 768, destination_base_address = " AT ", solid_pattern_color = 85"},
    {"a fill of a column", "bcs", false, true,
     "XY_COLOR_BLT 32bpp_byte_mask = 3, destination_pitch = 4096, raster_operation = 240, "
     "color_depth = 3, destination_x2_coordinate = 1, destination_y2_coordinate = 512, "
     "destination_base_address = " AT ", solid_pattern_color = 85"},
    {"a tiled raster operation", "bcs", false, true,
     "XY_SRC_COPY_BLT 32bpp_byte_mask = 3, src_tiling_enable, dest_tiling_enable, "
     "destination_pitch = 512, raster_operation = 102, color_depth = 3, destination_x2_coordinate = 512, "
     "destination_y2_coordinate = 256, destination_base_address = " AT ", source_pitch = 512, "
     "source_base_address = " BEHIND},
    {"the same store, again and again", "bcs", true, false,
     "MI_STORE_DATA_IMM use_global_gtt, address = " AT ", immediate_data = 1", 250},
    {"one store behind the other", "rcs", false, true,
     "MI_STORE_DATA_IMM use_global_gtt, address = " AT ", immediate_data = 1", 250},
    {"reports of the head", "rcs", true, true, "MI_REPORT_HEAD", 1000},
    {"probes of surfaces", "rcs", true, false,
     "MI_PROBE length = 1000, { " AT ", 0 }, { " AT " + 4K, 1 }, { " AT " + 8K, 2 }"},
    {"indices that cut", "rcs", false, true,
     "3DSTATE_INDEX_BUFFER index_format = dword, buffer_starting_address = " AT ", buffer_size = 128K\n"
     "3DSTATE_VF indexed_draw_cut_index_enable, cut_index = 1\n"
     "3DPRIMITIVE primitive_topology_type = trilist, vertex_count_per_instance = 32K, instance_count = 1, "
     "vertex_access_type = random"},
    {"a copy between tiles", "bcs", false, true,
     "XY_FAST_COPY_BLT source_tiling_method = tile_x, destination_tiling_method = tile_y, "
     "destination_pitch = 512, color_depth = 3, destination_x2_coordinate = 512, "
     "destination_y2_coordinate = 256, destination_base_address = " AT ", source_pitch = 512, "
     "source_base_address = " BEHIND},
};

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
                uint32_t dw[1024] = {0};
                const uint32_t copies = l->copies ? l->copies : 1;
                const unsigned engine = engine_named(s, l->engine);
                streamer_start(s, engine);
                const uint32_t count = assemble(s->device, engine, dw, l->text, s->base + CS_GPR);
                for (uint32_t copy = 1; copy < copies; copy++)
                    memcpy(dw + copy * count, dw, count * 4u);
                register_put(s, s->base + s->device->sheet->engines[s->engine].hws_pga, STATUS_PAGE);
                if (strncmp(l->text, "MI_PROBE", 8) ==
                    0) { /* surface faults, tables per process that have all pages */
                    struct driver_writes writes = {0};
                    assert_true(driver_ppgtt_make(&s->driver, &s->ppgtt, 0));
                    assert_true(driver_map(&s->driver, &s->ppgtt, 0, 0, MEMORY_BYTES, 4096));
                    driver_set_directory(&writes, &s->device->sheet->engines[s->engine], &s->ppgtt);
                    driver_write(s->device, &writes);
                    register_put(s, GEN6_GFX_MODE, PROBES << 16 | PROBES);
                }
                loop(s, dw, count * copies);
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
    enum { COMPLAINTS = 100, MESSAGES = 24, NO_REGISTERS = 496 << 10 };
    struct streamer *s = streamer_listen("skl", count_message);
    unsigned complaints = 0, most = 0;
    uint32_t dw[4096];
    for (uint32_t i = 0; i < 900; i++) {
        dw[i * 3] = MI_LOAD_REGISTER_IMM | 1u;
        dw[i * 3 + 1] = NO_REGISTERS + i * 4u;
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
    reg_put(s, "GT_INTERRUPT_0_IMR", 0);
    reg_put(s, "GT_INTERRUPT_0_IER", UINT32_MAX);
    reg_put(s, "MASTER_INTERRUPT_CONTROL", 1u << 31);
    register_put(s, s->base + RING_IMR, 0);
    uint32_t interrupt;
    assemble(s->device, 0, &interrupt, "MI_USER_INTERRUPT");
    const uint32_t iir = register_offset(s->device, "GT_INTERRUPT_0_IIR");
    for (uint32_t i = 0; i < 500; i++)
        memcpy(dw + i * 7,
               (const uint32_t[]){interrupt, MI_LOAD_REGISTER_IMM | 3u, iir, UINT32_MAX, iir, UINT32_MAX, 0},
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
        static uint32_t dw[4096];
        memset(dw, 0, sizeof dw);
        loop(s, dw, 4096);
        softgt_run(s->device, 100); /* into the batch */
        for (unsigned slice = 0; slice < 8; slice++) {
            const uint64_t before = softgt_dword_count(s->device);
            softgt_run(s->device, 1);
            assert_in_range(softgt_dword_count(s->device) - before, 1, 1024);
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
            const uint64_t before = softgt_dword_count(s->device);
            softgt_run(s->device, 1);
            assert_int_equal(softgt_dword_count(s->device) - before, LRI_DW);
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
    reg_put(s, "PIPESRC[0]", 1023u << 16 | 1023);
    reg_put(s, "DSPCNTR[0]", 6u << 26 | 1u << 10); /* tiled */
    reg_put(s, "DSPSTRIDE[0]", 4096);
    reg_put(s, "DSPSURF[0]", DATA);
    reg_put(s, "PIPE_CONF[0]", 1u << 31);
    reg_put(s, "FBC_CFB_BASE", 7 << 20);
    reg_put(s, "FBC_LL_BASE", 6 << 20);
    reg_put(s, "FBC_CONTROL", 1u << 31 | 1u << 30 | 1u << 16 | 15u << 5);
    s->unmapped = true;
    s->touched = count_access;
    s->user = &accesses;
    for (unsigned i = 0; i<1000; i++, most = accesses> most ? accesses : most, accesses = 0)
        softgt_advance(s->device, MS);
    assert_in_range(most, 100, ACCESSES_IN_MS);
    assert_true(reg_get(s, "FBC_STATUS") & 1u << 30); /* it comes to its end */
    streamer_destroy(s);
}

/* Counters' reports: by the shortest timer, by a trigger that fires every second clock, in pieces or at once.
 */
static void report_by_the_timer(struct streamer *s)
{
    reg_put(s, "OACTXCONTROL", 2 | 1);
    reg_put(s, "OABUFFER", DATA | 7u << 3 | 1);
    reg_put(s, "OAHEADPTR", DATA);
    reg_put(s, "OATAILPTR", DATA);
    reg_put(s, "OACONTROL", 5u << 2 | 1);
}

static void report_by_a_trigger(struct streamer *s)
{
    enum { SIGNAL_10 = 10 };                              /* each second clock */
    const uint32_t eight = SIGNAL_10 * (UINT32_MAX / 15); /* in each field of 4 bits */
    reg_put(s, "OAREPORTTRIG3", eight);
    reg_put(s, "OAREPORTTRIG4", eight);
    reg_put(s, "OAREPORTTRIG1", 1);
    reg_put(s, "OAREPORTTRIG2", 1u << 23);
    reg_put(s, "OABUFFER", DATA);
    reg_put(s, "OASTATUS1", DATA | 7u << 3);
    reg_put(s, "OASTATUS2", DATA);
    reg_put(s, "OACONTROL", 1);
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
            const uint64_t most_ns = softgt_max_step_ns(s[1]->device),
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
    for (unsigned i = 0; i < 2; i++) {
        struct streamer *s = streamer_create("dg2");
        reg_put(s, "OAG_OABUFFER", DATA | 7u << 3);
        reg_put(s, "OAG_OAHEADPTR", DATA);
        reg_put(s, "OAG_OATAILPTR", DATA);
        reg_put(s, "OAG_OACONTROL", 5u << 2 | 1);
        uint32_t dw[4] = {0};
        if (i)
            assemble(s->device, 0, dw,
                     "MI_REPORT_PERF_COUNT use_global_gtt, memory_address = %u, report_id = 5",
                     DATA + (256 << 10));
        else
            assemble(s->device, 0, dw, "MI_LOAD_REGISTER_IMM { %u, 7 }",
                     register_offset(s->device, "OAG_MMIOTRIGGER"));
        loop(s, dw, 4);
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
            const uint32_t base = s[i]->device->sheet->engines[e].mmio_base,
                           ring = RING + e * 2u * PAGE_BYTES, batch = BATCH + e * 8u * PAGE_BYTES;
            uint32_t *const dw = (uint32_t *)(void *)(s[i]->memory + batch);
            for (uint32_t n = 0; n < 400; n++) /* with a noop */
                dw[n * 5u + 4u] = MI_NOOP,
                            assemble(s[i]->device, e, dw + n * 5u,
                                     "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u",
                                     DATA + e * (uint32_t)PAGE_BYTES, n);
            const uint32_t jump[] = {batch_start(false, false), batch, 0, 0};
            memcpy(dw + 2000 + 5000 * e, jump, sizeof jump);
            memcpy(s[i]->memory + ring, jump, sizeof jump);
            const struct driver_ring there = {ring, RING_BYTES, 0, 16};
            struct driver_writes writes = {0};
            driver_set_directory(&writes, &s[i]->device->sheet->engines[e], &s[i]->ppgtt);
            driver_set_ring(&writes, &s[i]->device->sheet->engines[e], &there);
            register_put(s[i], base + HWS_PGA, STATUS_PAGE);
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
            assert_true(softgt_engine_get_status(s[0]->device, e, &was) &&
                        softgt_engine_get_status(s[1]->device, e, &is));
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
    enum { MOST_BYTES = 700 << 10, PITCH = 16 << 10, PIXELS = PITCH / 4, ROWS = 64 };
    for (unsigned d = 1; d < DEVICES; d++)
        for (unsigned tilings = 0; tilings < 4; tilings++) {
            struct streamer *s = streamer_create(devices[d]);
            const bool to_tiled = tilings & 1u, from_tiled = tilings & 2u;
            const uint32_t start[] = {batch_start(true, false), BATCH, 0, MI_NOOP};
            uint64_t before = 0;
            streamer_start(s, engine_named(s, "bcs"));
            assemble(s->device, s->engine, dwords_at(s, BATCH),
                     "XY_FAST_COPY_BLT source_tiling_method = %s, destination_tiling_method = %s, "
                     "color_depth = 3, destination_pitch = %u, destination_x2_coordinate = %u, "
                     "destination_y2_coordinate = %u, destination_base_address = %u, source_pitch = %u, "
                     "source_base_address = %u\nMI_BATCH_BUFFER_END",
                     from_tiled ? "tile_x" : "linear", to_tiled ? "tile_x" : "linear",
                     to_tiled ? PITCH / 4u : PITCH, PIXELS, ROWS, DATA, from_tiled ? PITCH / 4u : PITCH,
                     DATA + ROWS * PITCH);
            memcpy(s->memory + RING, start, sizeof start);
            for (uint32_t i = 0; i < ROWS * PITCH; i++)
                s->memory[USER_DATA + ROWS * PITCH + i] = (uint8_t)(i * 7u + (i >> 12));
            register_put(s, s->base + RING_BUFFER_TAIL, sizeof start);
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
    enum { INDICES = 32 << 10, INDICES_A_DWORD = 5 };
    for (unsigned d = 1; d < DEVICES; d++) {
        struct streamer *s = streamer_create(devices[d]);
        uint32_t dw[64];
        const uint32_t length_dw = assemble(
            s->device, 0, dw,
            "3DSTATE_VF_STATISTICS statistics_enable\n"
            "3DSTATE_INDEX_BUFFER index_format = dword, buffer_starting_address = %u, buffer_size = %u\n"
            "3DSTATE_VF indexed_draw_cut_index_enable, cut_index = 1\n"
            "3DPRIMITIVE primitive_topology_type = trilist, vertex_count_per_instance = %u, "
            "instance_count = 1, vertex_access_type = random",
            DATA, INDICES * 4, INDICES);
        for (uint32_t i = 0; i < INDICES; i++)
            dword_put(s, USER_DATA + i * 4, i & 1u);
        loop(s, dw, length_dw);
        for (unsigned slice = 0; slice < 20; slice++) {
            const uint32_t before = register_get(s, register_offset(s->device, "rcs0.IA_VERTICES_COUNT"));
            assert_true(softgt_run(s->device, SLICE_DW));
            const uint32_t vertices =
                register_get(s, register_offset(s->device, "rcs0.IA_VERTICES_COUNT")) - before;
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
        assemble(s->device, 0, dwords_at(s, BATCH),
                 "MI_STORE_DATA_IMM use_global_gtt, store_qword, address = %u, immediate_data = 1 | 2 << 32, "
                 "dw5 = 3, dw6 = 4",
                 BATCH + 16);
        dword_put(s, BATCH + 32, MI_BATCH_BUFFER_END);
        dword_put(s, BATCH + 28, MI_BATCH_BUFFER_END);
        const uint32_t start[] = {batch_start(false, false), BATCH, 0, MI_NOOP};
        memcpy(s->memory + RING, start, sizeof start);
        register_put(s, s->base + RING_BUFFER_TAIL, sizeof start);
        softgt_run(s->device, 1000);
        assert_int_equal(dword_at(s, BATCH + 16), 1);
        assert_int_equal(dword_at(s, BATCH + 20), 2);
        assert_int_equal(dword_at(s, BATCH + 24), 2);
        streamer_destroy(s);
    }
}

static void count_dword_batches(void *user, const struct softgt_report *report)
{
    *(unsigned *)user += strstr(report->text, "starts at a DWord, not at a QWord") != NULL;
}

/* OVR-05: manuals up to Gen11 want batches at QWords; drivers of Gen12.5 and later do not. (Linux,
 * xe_bb_create_migration_job; Mesa, mi_goto_target) */
static void batches_at_dwords(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        bool complains;
    } parts[] = {{"snb", true}, {"hsw", true},  {"skl", true},  {"icl", true},
                 {"tgl", true}, {"dg2", false}, {"bmg", false}, {"lnl", false}};
    static const char *const names[] = {"rcs", "bcs"};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (unsigned n = 0; n < 2; n++) {
            struct streamer *const s = streamer_create(parts[i].device);
            unsigned told = 0;
            streamer_start(s, engine_named(s, names[n]));
            s->reported = count_dword_batches;
            s->user = &told;
            dword_put(s, BATCH, UINT32_MAX); /* no command */
            dword_put(s, BATCH + 4, MI_BATCH_BUFFER_END);
            RING_RUN(s, "MI_BATCH_BUFFER_START batch_buffer_start_address = %u", BATCH + 4);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            if (told != parts[i].complains)
                fail_msg("%s, %s0: %u complaints", parts[i].device, names[n], told);
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
        cmocka_unit_test(batches_at_dwords),
        cmocka_unit_test(indices_take_budget),
        cmocka_unit_test(stores_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
