/* A device that is saved at any point and loaded into another continues to the same end. Invalid states are
 * refused. */
#include "../suite.h"
#include "device/device.h"
#include "driver/driver.h"
#include "host/sparse_memory.h"

#include "saved_sections.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../words.h"

enum {
    RING = 16 * PAGE_BYTES,
    COPY_RING = 18 * PAGE_BYTES,
    BATCH = 32 * PAGE_BYTES,
    OUT = 48 * PAGE_BYTES,
    HWSP = 64 * PAGE_BYTES,
    PAGES = 80,
    STEPS_ROOM = 4096
};

struct host {
    struct sparse_memory *memory;
    struct softgt *device;
};

static struct host make(const char *name)
{
    struct host h = {.memory = sparse_memory_create(64 << 20)};
    const struct softgt_config config = {.device = name, .memory = sparse_memory_port(h.memory)};
    assert_int_equal(softgt_create(&config, &h.device), 0);
    return h;
}

static void end(struct host *h)
{
    softgt_destroy(h->device);
    sparse_memory_destroy(h->memory);
}

static struct blob memory_of(struct host *h)
{
    struct state s = {.saving = true};
    sparse_memory_state(h->memory, &s);
    struct blob b = {.bytes = malloc(s.offset), .size = s.offset};
    assert_non_null(b.bytes);
    s = (struct state){.saving = true, .output = b.bytes, .size = b.size};
    sparse_memory_state(h->memory, &s);
    return b;
}

static bool same(struct blob a, struct blob b)
{
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

static void write32(struct host *h, uint64_t offset, uint32_t value)
{
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

/* Rings of the render and the copy engine that start a batch: stores, registers, interrupts, and arithmetic
 * from Gen8 on. */
static void set_up(struct host *h)
{
    const struct softgt_device_info *info = softgt_info(h->device);
    const bool gen6 = strcmp(info->name, "snb") == 0;
    const struct softgt_memory_port memory = sparse_memory_port(h->memory);
    struct driver driver;
    driver_init(&driver, h->device, &memory, 0, 0);
    driver_map_ggtt(&driver, 0, 1 << 20, PAGES * PAGE_BYTES);
    uint32_t batch[STEPS_ROOM] = {0};
    unsigned at = 0;
    for (uint32_t i = 0; i < 40; i++) {
        at += assemble(h->device, 0, batch + at,
                       "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n"
                       "MI_USER_INTERRUPT\n"
                       "MI_LOAD_REGISTER_IMM { %u, %u }",
                       OUT + i * 4, 5000 + i,
                       gen6 ? register_offset(h->device, "rcs0.IA_VERTICES_COUNT")
                            : h->device->sheet->engines[0].mmio_base + CS_GPR + i % 16 * 8,
                       i * 77);
        if (!gen6)
            at += assemble(h->device, 0, batch + at,
                           "MI_MATH { LOAD, SRCA, R0 }, { LOAD, SRCB, R1 }, { ADD }, { STORE, R0, ACCU }");
        at += 3; /* MI_NOOP */
    }
    at += assemble(h->device, 0, batch + at, "MI_BATCH_BUFFER_END");
    assert_true(softgt_ggtt_write(h->device, BATCH, batch, at * 4));
    uint32_t ring[64] = {0};
    at = 0;
    for (unsigned i = 0; i < 3; i++) {
        at +=
            assemble(h->device, 0, ring + at, "MI_BATCH_BUFFER_START batch_buffer_start_address = %u", BATCH);
        at += gen6 ? 0 : 1; /* MI_NOOP */
    }
    for (unsigned e = 0; e < info->engine_count; e++) {
        const struct engine_info *engine = &h->device->sheet->engines[e];
        if (engine->class != CLASS_RENDER && engine->class != CLASS_COPY)
            continue;
        const struct driver_ring place = {.start = engine->class == CLASS_COPY ? COPY_RING : RING,
                                          .size_bytes = PAGE_BYTES,
                                          .tail = at * 4};
        struct driver_writes writes = {0};
        assert_true(softgt_ggtt_write(h->device, place.start, ring, sizeof ring));
        write32(h, engine->mmio_base + engine->hws_pga, HWSP);
        driver_set_ring(&writes, engine, &place);
        driver_write(h->device, &writes);
    }
}

static void run_to_end(struct host *h)
{
    while (softgt_run(h->device, 100000))
        ;
    softgt_advance(h->device, 12345);
}

static void goes_on_from_anywhere(void **state)
{
    (void)state;
    static const char *const names[] = {"snb", "skl", "icl"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        struct host whole = make(names[n]);
        set_up(&whole);
        run_to_end(&whole);
        const struct blob state_then = saved(whole.device), memory_then = memory_of(&whole);
        assert_true(softgt_dword_count(whole.device) > 700);
        for (uint64_t cut = 1; cut < softgt_dword_count(whole.device); cut += cut < 24 ? 1 : 61) {
            struct host first = make(names[n]), second = make(names[n]);
            set_up(&first);
            softgt_run(first.device, cut);
            struct blob middle = saved(first.device), memory = memory_of(&first);
            assert_int_equal(softgt_load(second.device, middle.bytes, middle.size), 0);
            struct state s = {.input = memory.bytes, .size = memory.size};
            sparse_memory_state(second.memory, &s);
            assert_false(s.failed);
            struct blob again = saved(second.device);
            assert_true(same(middle, again));
            run_to_end(&second);
            const struct blob state_now = saved(second.device), memory_now = memory_of(&second);
            assert_true(same(state_then, state_now));
            assert_true(same(memory_then, memory_now));
            end(&first);
            end(&second);
            free(middle.bytes);
            free(memory.bytes);
            free(again.bytes);
            free(state_now.bytes);
            free(memory_now.bytes);
        }
        end(&whole);
        free(state_then.bytes);
        free(memory_then.bytes);
    }
}

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static void keep_text(void *user, const struct softgt_report *r)
{
    snprintf(user, 200, "%s", r->text);
}

/* Whoever loads is told why not. */
static void a_refused_state_is_reported(void **state)
{
    (void)state;
    char text[200] = "";
    const struct softgt_config config = {
        .device = "skl", .memory = {.read = no_memory}, .report = {text, keep_text}};
    struct softgt *d;
    assert_int_equal(softgt_create(&config, &d), 0);
    struct blob b = saved(d);
    assert_int_equal(softgt_load(d, b.bytes, b.size - 1), -EINVAL);
    assert_non_null(strstr(text, "saved state not loaded: it has "));
    assert_int_equal(softgt_load(d, b.bytes, 7), -EINVAL);
    assert_non_null(strstr(text, "it has 7 bytes, expected 48"));
    b.bytes[b.size - 1] ^= 1;
    assert_int_equal(softgt_load(d, b.bytes, b.size), -EINVAL);
    assert_non_null(strstr(text, "its bytes differ from those that were saved"));
    free(b.bytes);
    softgt_destroy(d);
}

static void what_is_no_state_is_refused(void **state)
{
    (void)state;
    struct host h = make("skl"), other = make("icl");
    set_up(&h);
    softgt_run(h.device, 123);
    struct blob b = saved(h.device), before = saved(h.device);
    assert_int_equal(softgt_load(other.device, b.bytes, b.size), -ENODEV);
    for (size_t size = 0; size < b.size; size += size < 64 ? 1 : 997)
        assert_int_equal(softgt_load(h.device, b.bytes, size), -EINVAL);
    for (size_t at = 0; at < b.size; at += at < 64 ? 1 : 997) {
        b.bytes[at] ^= 0x10;
        const int error = softgt_load(h.device, b.bytes, b.size);
        assert_true(error == -EINVAL || (at >= 8 && at < 24 && error == -ENODEV));
        b.bytes[at] ^= 0x10;
    }
    struct blob after = saved(h.device);
    assert_true(same(before, after));
    assert_int_equal(softgt_load(h.device, b.bytes, b.size), 0);
    free(b.bytes);
    free(before.bytes);
    free(after.bytes);
    end(&h);
    end(&other);
}

/* A stream that no command could have made: not of whole dwords, or a ring above the bottom. */
static void made_up_streams_are_refused(void **state)
{
    (void)state;
    struct host h = make("skl"), other = make("skl");
    set_up(&h);
    struct parse_state *const parse = &h.device->engines[0].parse;
    softgt_run(h.device, 123);
    while (parse->depth == 0)
        assert_true(softgt_run(h.device, 1));
    const struct parse_state as_it_was = *parse;
    enum { AT = 2 * PAGE_BYTES };
    const struct {
        uint64_t address, end;
        uint8_t kind;
        int error;
    } cases[] = {
        {AT, AT, STREAM_BATCH, 0},
        {AT, UINT64_MAX, STREAM_BATCH, 0},
        {AT, AT + 2, STREAM_BATCH, -EINVAL},
        {AT + 1, UINT64_MAX, STREAM_BATCH, -EINVAL},
        {AT, UINT64_MAX, STREAM_RING, -EINVAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parse->streams[1].kind = cases[i].kind;
        parse->streams[1].end = cases[i].end;
        stream_seek(&h.device->engines[0], 1, 0);
        parse->streams[1].address = cases[i].address;
        struct blob b = saved(h.device);
        assert_int_equal(softgt_load(other.device, b.bytes, b.size), cases[i].error);
        softgt_run(other.device, 100);
        free(b.bytes);
    }
    *parse = as_it_was;
    end(&h);
    end(&other);
}

/* Translations that no walk gives: not of whole pages, of no address, in another's place. */
static void made_up_translations_are_refused(void **state)
{
    (void)state;
    struct host h = make("skl"), other = make("skl");
    set_up(&h);
    softgt_run(h.device, 123);
    struct mmu *const u = &h.device->engines[0].mmu;
    unsigned at = 0, held = 0;
    while (!u->translations[at].read_tag)
        assert_true(++at < TLB_ENTRIES);
    while (!u->reader_pages[held].tag)
        assert_true(++held < READERS);
    const struct mmu as_it_was = *u;
    for (unsigned i = 0; i < 8; i++) {
        struct tlb_translation *const k = &u->translations[at];
        switch (i) {
        case 0: /* as it is */
            break;
        case 1:
            k->physical += 8;
            break;
        case 2:
            k->read_tag &= ~UINT64_C(1);
            k->write_tag = 0;
            break;
        case 3:
            k->write_tag = k->read_tag ^ UINT64_C(1) << 20;
            break;
        case 4:
            u->translations[at ^ 1u] = *k;
            break;
        case 5:
            u->reader_pages[held].tag &= ~UINT64_C(1);
            break;
        case 6:
            u->reader_pages[held].physical += 1;
            break;
        default: /* as good as none */
            *k = (struct tlb_translation){0};
            u->reader_pages[held] = (struct reader_page){0};
        }
        struct blob b = saved(h.device);
        assert_int_equal(softgt_load(other.device, b.bytes, b.size), i == 0 || i == 7 ? 0 : -EINVAL);
        free(b.bytes);
        *u = as_it_was;
    }
    end(&h);
    end(&other);
}

/* A state in which a command has progress that it cannot have. */
static void made_up_progress_does_no_harm(void **state)
{
    (void)state;
    static const char *const devices[] = {"snb", "skl", "icl"};
    static const uint64_t progress[] = {
        1,         2, 4, 5, 6, UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX - 1,
        UINT64_MAX};
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct host h = make(devices[i]);
        set_up(&h);
        uint32_t load[8];
        const uint32_t gpr = h.device->sheet->engines[0].mmio_base + CS_GPR;
        const uint32_t length_dw =
            assemble(h.device, 0, load, "MI_LOAD_REGISTER_IMM { %u, 1 }, { %u, 2 }\nMI_BATCH_BUFFER_END", gpr,
                     gpr + 8);
        assert_true(softgt_ggtt_write(h.device, BATCH, load, length_dw * 4));
        while (h.device->engines[0].parse.depth == 0)
            softgt_run(h.device, 1);
        const struct blob start = saved(h.device);
        for (unsigned j = 0; j < sizeof progress / sizeof progress[0]; j++) {
            assert_int_equal(softgt_load(h.device, start.bytes, start.size), 0);
            h.device->engines[0].parse.streams[1].progress = progress[j];
            const struct blob b = saved(h.device);
            assert_int_equal(softgt_load(h.device, b.bytes, b.size), 0);
            softgt_run(h.device, 5);
            assert_int_equal(h.device->engines[0].parse.streams[1].progress, 0);
            free(b.bytes);
        }
        free(start.bytes);
        end(&h);
    }
}

/* Time has an end, and what is under way began before now: else what looks for the next event would not find
 * it. */
static void made_up_times_are_refused(void **state)
{
    (void)state;
    struct host h = make("cl"), other = make("cl");
    const struct {
        uint64_t now_ns, pass_ns;
        bool compressing;
        int error;
    } cases[] = {
        {SOFTGT_LAST_NS, 0, false, 0},    {SOFTGT_LAST_NS + 1, 0, false, -EINVAL},
        {UINT64_MAX, 0, false, -EINVAL},  {1000, 1000, true, 0},
        {1000, 1001, true, -EINVAL},      {1000, UINT64_MAX / 4, true, -EINVAL},
        {1000, UINT64_MAX / 4, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        h.device->log.now_ns = cases[i].now_ns;
        h.device->display.fbc.pass_ns = cases[i].pass_ns;
        h.device->display.fbc.compressing = cases[i].compressing;
        const struct blob b = saved(h.device);
        assert_int_equal(softgt_load(other.device, b.bytes, b.size), cases[i].error);
        free(b.bytes);
    }
    end(&h);
    end(&other);
}

/* Bytes made up to pass the sum: taken or refused, and then the device can be run. */
static void made_up_states_do_no_harm(void **state)
{
    (void)state;
    struct host h = make("skl");
    set_up(&h);
    softgt_run(h.device, 99);
    struct blob b = saved(h.device);
    uint8_t *changed = malloc(b.size);
    assert_non_null(changed);
    uint64_t random = 12345;
    unsigned refused = 0, taken = 0;
    for (unsigned i = 0; i < 200; i++) {
        memcpy(changed, b.bytes, b.size);
        for (unsigned flips = 0; flips < 1 + i % 4; flips++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            /* Engines' states are at the end. */
            const size_t behind = i % 3 ? (size_t)(random >> 33) % (b.size / 4)
                                        : (size_t)(random >> 33) % (b.size - STATE_HEADER_BYTES);
            changed[b.size - 1 - behind] = (uint8_t)(random >> 20);
        }
        saved_sum((struct blob){changed, b.size});
        const int error = softgt_load(h.device, changed, b.size);
        assert_true(error == 0 || error == -EINVAL);
        *(error ? &refused : &taken) += 1;
        softgt_run(h.device, 5000);
        softgt_advance(h.device, 1000);
        softgt_run(h.device, 5000);
    }
    assert_true(refused > 0 && taken > 0);
    free(changed);
    free(b.bytes);
    end(&h);
}

/* A difference of two states has a name. */
static void a_place_in_a_state_has_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t value;
    } places[] = {{"rcs0.CS_GPR[5]", 1234}, {"bcs0.RING_BUFFER_TAIL", 64}};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct host h = make("skl");
        const uint32_t offset = register_offset(h.device, places[i].name);
        write32(&h, offset, 0x55);
        struct blob before = saved(h.device);
        write32(&h, offset, places[i].value);
        struct blob now = saved(h.device);
        size_t at = STATE_HEADER_BYTES, begin, bytes;
        char text[160];
        while (before.bytes[at] == now.bytes[at])
            at++;
        device_state_locate(h.device, at, &begin, &bytes, text, sizeof text);
        assert_string_equal(text, places[i].name);
        assert_int_equal(bytes, 4);
        uint32_t value;
        memcpy(&value, now.bytes + begin, 4);
        assert_int_equal(value, places[i].value);
        free(before.bytes);
        free(now.bytes);
        end(&h);
    }
    struct host h = make("skl");
    struct blob before = saved(h.device);
    softgt_advance(h.device, 1);
    h.device->engines[1].parse.streams[2].progress = 7;
    struct blob now = saved(h.device);
    size_t begin, bytes, at = now.size;
    char text[160];
    while (before.bytes[at - 1] == now.bytes[at - 1])
        at--;
    device_state_locate(h.device, at - 1, &begin, &bytes, text, sizeof text);
    assert_string_equal(text, "bcs0.parse.streams[2].progress[0]");
    h.device->engines[1].parse.streams[2].progress = 0;
    h.device->engines[1].parse.arbitration = false;
    free(now.bytes);
    now = saved(h.device);
    for (at = now.size; before.bytes[at - 1] == now.bytes[at - 1]; at--)
        ;
    device_state_locate(h.device, at - 1, &begin, &bytes, text, sizeof text);
    assert_string_equal(text, "bcs0.parse.arbitration[0]");
    device_state_locate(h.device, now.size, &begin, &bytes, text, sizeof text);
    assert_string_equal(text, "the end");
    free(before.bytes);
    free(now.bytes);
    end(&h);
}

TEST_PROGRAM(save_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_from_anywhere),
        cmocka_unit_test(a_refused_state_is_reported),
        cmocka_unit_test(what_is_no_state_is_refused),
        cmocka_unit_test(made_up_streams_are_refused),
        cmocka_unit_test(made_up_translations_are_refused),
        cmocka_unit_test(a_place_in_a_state_has_a_name),
        cmocka_unit_test(made_up_states_do_no_harm),
        cmocka_unit_test(made_up_progress_does_no_harm),
        cmocka_unit_test(made_up_times_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
