/* The timeline: what is written can be read as JSON, slices nest and end, time goes on. */
#include "../suite.h"
#include "host/timeline.h"

#include <errno.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static struct json_object *read_back(void)
{
    struct json_object *all = json_object_from_file(path);
    unlink(path);
    assert_true(json_object_is_type(all, json_type_array));
    return all;
}

static const char *text(struct json_object *line, const char *key)
{
    struct json_object *value;
    return json_object_object_get_ex(line, key, &value) ? json_object_get_string(value) : "";
}

static enum softgt_event_kind kind_of(const char *name)
{
    static const struct {
        const char *name;
        enum softgt_event_kind kind;
    } kinds[] = {
        {"restore", SOFTGT_EVENT_RESTORE},     {"save", SOFTGT_EVENT_SAVE},     {"batch", SOFTGT_EVENT_BATCH},
        {"batch end", SOFTGT_EVENT_BATCH_END}, {"wait", SOFTGT_EVENT_WAIT},     {"stop", SOFTGT_EVENT_STOP},
        {"reset", SOFTGT_EVENT_RESET},         {"status", SOFTGT_EVENT_STATUS}, {"raise", SOFTGT_EVENT_RAISE},
        {"MSI", SOFTGT_EVENT_MESSAGE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return SOFTGT_EVENT_ONLY;
}

static void tell(struct timeline *t, enum softgt_trace_what what, const char *unit, const char *name,
                 uint64_t now_ns, uint64_t address, uint64_t value)
{
    const struct softgt_event e = {.what = what,
                                   .kind = kind_of(name),
                                   .unit = unit,
                                   .name = name,
                                   .by = unit,
                                   .now_ns = now_ns,
                                   .address = address,
                                   .value = value};
    timeline_event(t, &e);
}

static void slices_nest_and_end(void **state)
{
    (void)state;
    struct timeline *t = timeline_open(path, "skl", false);
    assert_non_null(t);
    tell(t, SOFTGT_TRACE_CONTEXTS, "rcs0", "restore", 1000, 0x5000, 7);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "batch", 1000, 0x10000, 0);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "batch", 2500, 0x20000, 0);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "batch end", 2600, 0x20010, 0);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "wait", 3000, 0x10040, 0);
    tell(t, SOFTGT_TRACE_BATCHES, "bcs0", "batch end", 3100, 0, 0); /* of a batch that began before */
    tell(t, SOFTGT_TRACE_CONTEXTS, "rcs0", "save", 4000, 0x5000, 7);
    tell(t, SOFTGT_TRACE_CONTEXTS, "rcs0", "restore", 5000, 0x6000, 8);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "batch", 5001, 0x10000, 0);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "stop", 5002, 0x10004, 0);
    tell(t, SOFTGT_TRACE_REGISTERS, "cpu", "GDRST", 6000, 0x941c, 2);
    tell(t, SOFTGT_TRACE_REGISTERS, "rcs0", "CS_GPR", 6000, 0x2600, 2); /* an engine's: left out */
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "reset", 6000, 0, 0);
    tell(t, SOFTGT_TRACE_CONTEXTS, "rcs0", "restore", 7000, 0x6000, 8); /* open at the end */
    for (int i = 0; i < 40; i++)
        tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "batch", 7001, 0x10000, 0);
    assert_true(timeline_close(t, false));

    struct json_object *all = read_back();
    int depth[40] = {0};
    double last = -1;
    unsigned instants = 0, slices = 0, deepest = 0;
    for (size_t i = 0; i < json_object_array_length(all); i++) {
        struct json_object *line = json_object_array_get_idx(all, i);
        const char phase = *text(line, "ph");
        const int track = atoi(text(line, "tid"));
        assert_in_range(track, 0, 39);
        if (phase == 'M')
            continue;
        assert_true(strtod(text(line, "ts"), NULL) >= last);
        last = strtod(text(line, "ts"), NULL);
        assert_string_not_equal(text(line, "name"), "CS_GPR");
        instants += phase == 'i';
        slices += phase == 'B';
        depth[track] += phase == 'B' ? 1 : phase == 'E' ? -1 : 0;
        assert_true(depth[track] >= 0);
        deepest = depth[track] > (int)deepest ? (unsigned)depth[track] : deepest;
    }
    for (int i = 0; i < 40; i++)
        assert_int_equal(depth[i], 0);
    assert_int_equal(instants, 3); /* stop, GDRST, reset */
    assert_in_range(deepest, 3, 8);
    assert_in_range(slices, 13, 14);
    /* The first context ends when it is saved, with the batch and the wait in it. */
    assert_string_equal(text(json_object_array_get_idx(all, 2), "name"), "context 7");
    assert_string_equal(text(json_object_array_get_idx(all, 2), "ts"), "1.000");
    json_object_put(all);
}

/* Bits of a context status (CSP-19) and of an engine's interrupts (CSP-23) by their names; what has none by
 * its number. */
static void bits_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"status: preempted, wait on semaphore", "raise: user, context switch",
                                        "raise: watchdog, 0x1000", "MSI"};
    struct timeline *t = timeline_open(path, "skl", false);
    assert_non_null(t);
    tell(t, SOFTGT_TRACE_CONTEXTS, "rcs0", "status", 1000, 5, 1u << 1 | 1u << 8);
    tell(t, SOFTGT_TRACE_INTERRUPTS, "rcs0", "raise", 2000, 0, 1u << 0 | 1u << 8);
    tell(t, SOFTGT_TRACE_INTERRUPTS, "rcs0", "raise", 3000, 0, 1u << 6 | 1u << 12);
    tell(t, SOFTGT_TRACE_INTERRUPTS, "interrupt", "MSI", 4000, 0, 0);
    assert_true(timeline_close(t, false));
    struct json_object *all = read_back();
    size_t found = 0;
    for (size_t i = 0; i < json_object_array_length(all); i++) {
        struct json_object *line = json_object_array_get_idx(all, i);
        if (*text(line, "ph") != 'i')
            continue;
        assert_true(found < 4);
        assert_string_equal(text(line, "name"), names[found++]);
    }
    assert_int_equal(found, 4);
    json_object_put(all);
}

/* ---- Perfetto's protocol buffers, read as their definition has them ---- */

struct bytes {
    const uint8_t *at, *end;
};

static uint64_t varint(struct bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(b->at < b->end && shift < 64);
        value |= (uint64_t)(*b->at & 0x7f) << shift;
        if (!(*b->at++ & 0x80))
            return value;
    }
}

/* The next field; its number, or its bytes in *inside. */
static unsigned field(struct bytes *b, uint64_t *number, struct bytes *inside)
{
    const uint64_t key = varint(b);
    *number = 0;
    if ((key & 7) == 2) {
        const uint64_t length = varint(b);
        assert_true(length <= (uint64_t)(b->end - b->at));
        *inside = (struct bytes){b->at, b->at + length};
        b->at += length;
    } else {
        assert_int_equal(key & 7, 0);
        *number = varint(b);
    }
    return (unsigned)(key >> 3);
}

struct packet {
    uint64_t time, type, track, sequence, arguments;
    char name[128], category[32], track_name[32];
};

static void take(char *to, size_t size, struct bytes from)
{
    snprintf(to, size, "%.*s", (int)(from.end - from.at), (const char *)from.at);
}

static struct packet packet_of(struct bytes b)
{
    struct packet p = {0};
    struct bytes in, event;
    uint64_t number;
    while (b.at < b.end)
        switch (field(&b, &number, &in)) {
        case 8:
            p.time = number;
            break;
        case 10:
            p.sequence = number;
            break;
        case 60: /* a track's description */
            while (in.at < in.end) {
                const unsigned f = field(&in, &number, &event);
                if (f == 1)
                    p.track = number;
                if (f == 2)
                    take(p.track_name, sizeof p.track_name, event);
            }
            break;
        case 11: /* an event */
            while (in.at < in.end) {
                const unsigned f = field(&in, &number, &event);
                p.type = f == 9 ? number : p.type;
                p.track = f == 11 ? number : p.track;
                p.arguments += f == 4;
                if (f == 22)
                    take(p.category, sizeof p.category, event);
                if (f == 23)
                    take(p.name, sizeof p.name, event);
            }
            break;
        default:
            break;
        }
    return p;
}

static void protocol_buffers(void **state)
{
    (void)state;
    static const struct softgt_draw triangles = {.topology = "TRILIST",
                                                 .vertices = 36,
                                                 .instances = 2,
                                                 .primitives = 24,
                                                 .pixels = 99,
                                                 .threads = 5,
                                                 .kernel = 0x4000};
    static const uint32_t header[7] = {0x7b000005};
    static uint8_t file[1 << 16];
    char name[80];
    struct packet packets[64];
    unsigned count = 0;
    snprintf(name, sizeof name, "%s.pftrace", path);
    struct timeline *t = timeline_open(name, "skl", false);
    assert_non_null(t);
    tell(t, SOFTGT_TRACE_CONTEXTS, "rcs0", "restore", 1000, 0x5000, 7);
    tell(t, SOFTGT_TRACE_BATCHES, "rcs0", "batch", 2000, 0x10000, 0);
    const struct softgt_event command = {.what = SOFTGT_TRACE_COMMANDS,
                                         .kind = SOFTGT_EVENT_COMMAND,
                                         .unit = "rcs0",
                                         .name = "3DPRIMITIVE",
                                         .now_ns = 300000,
                                         .dwords = header,
                                         .length_dw = 7},
                              draw = {.what = SOFTGT_TRACE_DRAWS,
                                      .unit = "rcs0",
                                      .name = "3DPRIMITIVE",
                                      .now_ns = 400000,
                                      .draw = &triangles};
    timeline_event(t, &command);
    timeline_event(t, &draw);
    assert_true(timeline_close(t, false));
    FILE *const from = fopen(name, "rb");
    assert_non_null(from);
    struct bytes b = {file, file + fread(file, 1, sizeof file, from)}, in;
    fclose(from);
    unlink(name);
    for (uint64_t number; b.at < b.end; count++) {
        assert_int_equal(field(&b, &number, &in), 1);
        packets[count] = packet_of(in);
        assert_int_equal(packets[count].sequence, 1);
    }
    static const struct {
        unsigned type;
        uint64_t time;
        const char *name, *track;
    } expected[] = {{0, 0, "", ""}, /* the process */
                    {0, 0, "", "rcs0"},
                    {1, 1000, "context 7", ""},
                    {1, 2000, "batch 10000", ""},
                    {1, 300000, "3DPRIMITIVE TRILIST, 24 primitives", ""},
                    {2, 400000, "", ""},
                    {0, 0, "", "rcs0 threads"},
                    {1, 300000, "5 EU threads of kernel 4000", ""},
                    {2, 400000, "", ""},
                    {2, 400000, "", ""},
                    {2, 400000, "", ""}};
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(packets[i].type, expected[i].type);
        assert_int_equal(packets[i].time, expected[i].time);
        assert_string_equal(packets[i].name, expected[i].name);
        assert_string_equal(packets[i].track_name, expected[i].track);
    }
    assert_string_equal(packets[4].category, "draw");
    assert_int_equal(packets[4].track, packets[2].track);
    assert_true(packets[4].arguments >= 3);
}

/* The same as JSON: a slice with its length, and one of the threads. */
static void draws_are_slices(void **state)
{
    (void)state;
    static const struct softgt_draw groups = {.groups = {8, 4, 1}, .threads = 64, .kernel = 0x4000};
    static const uint32_t header[15] = {0x71050000};
    struct timeline *t = timeline_open(path, "skl", false);
    const struct softgt_event command = {.what = SOFTGT_TRACE_COMMANDS,
                                         .kind = SOFTGT_EVENT_COMMAND,
                                         .unit = "rcs0",
                                         .name = "GPGPU_WALKER",
                                         .now_ns = 1000,
                                         .dwords = header,
                                         .length_dw = 15},
                              draw = {.what = SOFTGT_TRACE_DRAWS,
                                      .unit = "rcs0",
                                      .name = "GPGPU_WALKER",
                                      .now_ns = 5000,
                                      .draw = &groups};
    timeline_event(t, &command);
    timeline_event(t, &draw);
    assert_true(timeline_close(t, false));
    struct json_object *all = read_back();
    struct json_object *const slice = json_object_array_get_idx(all, 2), *const threads =
                                                                             json_object_array_get_idx(all,
                                                                                                       4);
    assert_string_equal(text(slice, "ph"), "X");
    assert_string_equal(text(slice, "name"), "GPGPU_WALKER 8x4x1 groups");
    assert_string_equal(text(slice, "ts"), "1.000");
    assert_string_equal(text(slice, "dur"), "4.000");
    assert_string_equal(text(threads, "name"), "64 EU threads of kernel 4000");
    json_object_put(all);
}

static void a_file_that_cannot_be(void **state)
{
    (void)state;
    assert_null(timeline_open("/nowhere/at/all", "skl", false));
    assert_int_equal(errno, ENOENT);
    struct timeline *t = timeline_open("/dev/full", "skl", false);
    assert_non_null(t);
    assert_false(timeline_close(t, false));
    assert_true(timeline_close(NULL, false));
}

TEST_PROGRAM(timeline_test)
{
    snprintf(path, sizeof path, "/tmp/softgt-timeline-%d.json", (int)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_nest_and_end),   cmocka_unit_test(bits_have_names),
        cmocka_unit_test(protocol_buffers),      cmocka_unit_test(draws_are_slices),
        cmocka_unit_test(a_file_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
