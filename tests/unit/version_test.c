/* Programs of other versions of the library: structs that they pass may be shorter, or longer. (softgt.h) */
#include <softgt/eu.h>
#include <softgt/softgt.h>

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka */
#include <setjmp.h>

#include <cmocka.h>

#include "../suite.h"

static bool map_code(void *user, size_t size_bytes, void **written, void **run)
{
    (void)user, (void)size_bytes, (void)written, (void)run;
    return false;
}

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static void the_version_is_one(void **state)
{
    (void)state;
    assert_int_equal(softgt_version(), SOFTGT_VERSION);
    assert_int_equal(SOFTGT_VERSION,
                     SOFTGT_VERSION_MAJOR * 65536 + SOFTGT_VERSION_MINOR * 256 + SOFTGT_VERSION_PATCH);
}

/* What an older program does not know is as zero; what a newer one says must be known. */
static void configs_of_other_versions(void **state)
{
    (void)state;
    struct {
        struct softgt_config config;
        uint64_t more;
    } newer = {.config = {.device = "skl", .memory = {.read = no_memory}}};
    struct softgt_config older = newer.config;
    struct softgt *d;
    older.functions = UINT32_MAX; /* behind what is passed */
    assert_int_equal(softgt_create_sized(&older, offsetof(struct softgt_config, functions), &d), 0);
    softgt_destroy(d);
    assert_int_equal(softgt_create(&older, &d), -EINVAL);
    assert_int_equal(softgt_create_sized(&newer.config, sizeof newer, &d), 0);
    softgt_destroy(d);
    newer.more = 1;
    assert_int_equal(softgt_create_sized(&newer.config, sizeof newer, &d), -EINVAL);
    assert_null(d);
    assert_int_equal(softgt_create_sized(&newer.config, 0, &d), -EINVAL);
}

/* No more is written than the program has. */
static void statuses_of_other_versions(void **state)
{
    (void)state;
    const struct softgt_config config = {.device = "skl", .memory = {.read = no_memory}};
    struct {
        struct softgt_engine_status status;
        uint64_t more;
    } room;
    struct softgt *d;
    assert_int_equal(softgt_create(&config, &d), 0);
    const size_t older = offsetof(struct softgt_engine_status, thread_groups);
    memset(&room, 0xee, sizeof room);
    assert_true(softgt_engine_get_status_sized(d, 0, &room.status, older));
    assert_string_equal(room.status.name, "rcs0");
    for (size_t i = older; i < sizeof room; i++)
        assert_int_equal(((const uint8_t *)&room)[i], 0xee);
    assert_true(softgt_engine_get_status_sized(d, 0, &room.status, sizeof room));
    assert_int_equal(room.more, 0);
    assert_false(softgt_engine_get_status(d, 100, &room.status));
    softgt_destroy(d);
}

static void runners_of_other_versions(void **state)
{
    (void)state;
    struct {
        struct softgt_eu_config config;
        uint64_t more;
    } newer = {.config = {.device = "skl"}, .more = 1};
    struct {
        struct softgt_eu_hooks hooks;
        uint64_t more;
    } hooks = {.more = 1};
    struct {
        struct softgt_eu_outcome outcome;
        uint8_t behind[8];
    } room;
    struct softgt_eu_launch_config launch = {0};
    struct softgt_eu *eu;
    assert_int_equal(softgt_eu_create_sized(&newer.config, sizeof newer, &eu), -EINVAL);
    struct softgt_eu_config half = newer.config;
    half.code.map = map_code;
    assert_int_equal(softgt_eu_create(&half, &eu), -EINVAL);
    assert_null(eu);
    assert_int_equal(softgt_eu_create(&newer.config, &eu), 0);
    assert_int_equal(softgt_eu_watch_sized(eu, &hooks.hooks, sizeof hooks), -EINVAL);
    assert_int_equal(softgt_eu_watch(eu, &hooks.hooks), 0);
    assert_int_equal(softgt_eu_watch(eu, NULL), 0);
    assert_int_equal(softgt_eu_launch(eu, &launch), -EINVAL); /* there is no kernel */
    memset(&room, 0xee, sizeof room);
    assert_int_equal(softgt_eu_run_sized(eu, 1, &room.outcome, offsetof(struct softgt_eu_outcome, groups)),
                     SOFTGT_EU_FINISHED);
    assert_int_equal(((const uint8_t *)&room)[offsetof(struct softgt_eu_outcome, groups)], 0xee);
    assert_int_equal(softgt_eu_run(eu, 1, NULL), SOFTGT_EU_FINISHED);
    softgt_eu_destroy(eu);
}

/* ---- Configs that are refused ---- */

struct refusal {
    unsigned count;
    char text[200];
};

static void note_reason(void *user, const struct softgt_report *report)
{
    struct refusal *const r = user;
    assert_int_equal(report->complaint, SOFTGT_HOST_FAILURE);
    assert_null(report->device);
    r->count++;
    strncpy(r->text, report->text, sizeof r->text - 1);
}

static void refusals_have_reasons(void **state)
{
    (void)state;
    struct refusal r;
    const struct softgt_function_ports half[2] = {{.memory.read = no_memory}};
    const struct softgt_config good = {
        .device = "dg2", .memory = {.read = no_memory}, .report = {&r, note_reason}};
    const struct {
        struct softgt_config config;
        const char *text;
    } all[] = {
#define BUT(...) {.device = "dg2", .memory = {.read = no_memory}, .report = {&r, note_reason}, __VA_ARGS__}
        {{.report = good.report}, "no device; expected a name"},
        {{.report = good.report, .device = "voodoo"}, "no device has the name 'voodoo'"},
        {{.report = good.report, .device = "skl"}, "memory has neither map nor read"},
        {BUT(.local_bytes = 3), "local_bytes is 3; expected a power of two from 64 to 2048 MB"},
        {BUT(.local_by_port = true), "local_by_port is set; memory.map is NULL"},
        {BUT(.functions = 1000), "functions is 1000; dg2 has up to"},
        {BUT(.parallel.threads = 1000), "parallel.threads is 1000; expected up to 256"},
        {BUT(.parallel.threads = 2), "parallel has 2 threads and lacks run, lock or unlock"},
        {BUT(.background.begin = (void (*)(void *, unsigned, void (*)(void *, unsigned, unsigned), void *))1),
         "background has one of begin and end"},
        {BUT(.code.map = map_code), "softgt_config.code has one of map and unmap; expected both"},
        {{.report = good.report,
          .device = "atsm",
          .memory = good.memory,
          .functions = 2,
          .function_ports = half},
         "softgt_config.function_ports[1].memory has neither map nor read"},
#undef BUT
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct softgt *d = NULL;
        r = (struct refusal){0};
        assert_int_equal(softgt_create(&all[i].config, &d), -EINVAL);
        assert_null(d);
        assert_int_equal(r.count, 1);
        if (!strstr(r.text, all[i].text) || strncmp(r.text, "not created: ", 13) != 0)
            fail_msg("%s", r.text);
    }
    struct {
        struct softgt_config config;
        uint64_t more;
    } newer = {.config = good, .more = 1};
    struct softgt *d;
    r = (struct refusal){0};
    assert_int_equal(softgt_create_sized(&newer.config, sizeof newer, &d), -EINVAL);
    assert_non_null(strstr(r.text, "that this library knows"));
    struct softgt_eu *eu;
    static const struct {
        const char *device, *text;
        unsigned threads;
    } alone[] = {
        {NULL, "no device", 0},
        {"voodoo", "no device has the name", 0},
        {"snb", "threads of 'snb'", 0},
        {"skl", "softgt_eu_config.parallel.threads is 1000; expected up to 256", 1000},
        {"skl", "softgt_eu_config.parallel has 2 threads and lacks run, lock or unlock", 2},
    };
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        const struct softgt_eu_config config = {
            .device = alone[i].device, .report = {&r, note_reason}, .parallel.threads = alone[i].threads};
        r = (struct refusal){0};
        assert_int_equal(softgt_eu_create(&config, &eu), -EINVAL);
        assert_non_null(strstr(r.text, alone[i].text));
    }
}

/* ---- Ports that call back ---- */

static uint32_t ram[4096]; /* bus addresses 0 to 3fffh */

struct caller {
    struct softgt *device;
    unsigned maps, refused;
    char text[160];
    bool calls_in_reports;
};

/* All that would change the device. */
static void call_all(struct softgt *d)
{
    struct softgt_eu_hooks hooks = {0};
    uint32_t value = 0;
    assert_false(softgt_run(d, 1));
    softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, 0x2094, 1, 4);
    softgt_function_bar_write(d, 0, SOFTGT_BAR_GTTMMADR, 0x2094, 1, 4);
    softgt_vga_write(d, 0x3c4, 1);
    softgt_pci_config_write(d, 4, 6, 2);
    softgt_function_pci_config_write(d, 0, 4, 6, 2);
    softgt_advance(d, 1000);
    softgt_reset(d);
    assert_false(softgt_engine_reset(d, 0));
    assert_false(softgt_engine_end_batch(d, 0));
    softgt_memory_changed(d);
    assert_int_equal(softgt_save(d, NULL, 0), 0);
    assert_int_equal(softgt_load(d, &value, sizeof value), -EBUSY);
    assert_false(softgt_ggtt_write(d, 0x2000, &value, sizeof value));
    assert_false(softgt_local_write(d, 0, &value, sizeof value));
    assert_int_equal(softgt_watch_threads(d, &hooks), -EBUSY);
    softgt_destroy(d);
}
enum { CALLS = 17 };

static void *map_and_call(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct caller *const c = user;
    (void)write;
    *length_bytes = address < sizeof ram ? sizeof ram - address : 0;
    if (c->device && c->maps++ == 0)
        call_all(c->device);
    return *length_bytes ? (char *)ram + address : NULL;
}

static void note_refusal(void *user, const struct softgt_report *report)
{
    struct caller *const c = user;
    if (report->complaint != SOFTGT_HOST_FAILURE || !strstr(report->text, " refused: "))
        return;
    if (c->refused++ == 0)
        strncpy(c->text, report->text, sizeof c->text - 1);
    if (c->calls_in_reports)
        softgt_reset(c->device); /* no report within a report */
}

/* A device that runs MI_STORE_DATA_IMM of 42 to GGTT address 2000h. */
static struct softgt *begin_store(struct caller *c)
{
    const uint32_t store[] = {0x10400002, 0x2000, 0, 42};
    const struct softgt_config config = {
        .device = "skl", .memory = {.user = c, .map = map_and_call}, .report = {c, note_refusal}};
    struct softgt *d;
    memset(ram, 0, sizeof ram);
    memcpy(ram + 0x1000 / 4, store, sizeof store);
    assert_int_equal(softgt_create(&config, &d), 0);
    for (uint64_t page = 1; page <= 2; page++)
        softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, (8 << 20) + page * 8, page << 12 | 1, 8);
    softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, 0x2038, 0x1000, 4);
    softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, 0x203c, 1, 4);
    softgt_bar_write(d, SOFTGT_BAR_GTTMMADR, 0x2030, 16, 4);
    return d;
}

/* Each is refused with a report, and the run goes on as if nobody had called. */
static void ports_do_not_change_the_device(void **state)
{
    (void)state;
    static uint8_t alone[16 << 20], called[16 << 20];
    struct caller c = {0};
    struct softgt *d = begin_store(&c);
    softgt_run(d, 1 << 16);
    const size_t size = softgt_save(d, alone, sizeof alone);
    assert_true(size && size <= sizeof alone);
    softgt_destroy(d);
    for (unsigned in_reports = 0; in_reports < 2; in_reports++) {
        c = (struct caller){.calls_in_reports = in_reports};
        d = begin_store(&c);
        c.device = d;
        softgt_run(d, 1 << 16);
        assert_true(c.maps);
        assert_int_equal(c.refused, CALLS);
        assert_string_equal(c.text, "softgt_run refused: a port called it during softgt_run; ports must not "
                                    "change the device");
        assert_int_equal(ram[0x2000 / 4], 42);
        assert_int_equal(softgt_save(d, called, sizeof called), size);
        assert_memory_equal(alone, called, size);
        softgt_destroy(d);
    }
}

/* ---- Callbacks that read ---- */

/* A device that waits until the dword at GGTT address 2000h is 1; its memory is read by the port. */
struct waiter {
    struct softgt *device;
    unsigned reads, refused, listed, events;
    bool calls;
};

static bool read_and_call(void *user, uint64_t address, void *data, size_t size_bytes)
{
    struct waiter *const w = user;
    w->reads++;
    if (w->calls)
        softgt_reset(w->device);
    if (address >= sizeof ram || size_bytes > sizeof ram - address)
        return false;
    memcpy(data, (char *)ram + address, size_bytes);
    return true;
}

static void count_refusal(void *user, const struct softgt_report *report)
{
    struct waiter *const w = user;
    assert_ptr_equal(report->device, w->device);
    w->refused += strstr(report->text, "softgt_reset refused: ") != NULL;
}

static void see_device(void *user, const struct softgt_event *event)
{
    struct waiter *const w = user;
    assert_non_null(event->device);
    if (w->device) /* it is created */
        assert_ptr_equal(event->device, w->device);
    if (event->what == SOFTGT_TRACE_COMMANDS)
        assert_int_equal(event->engine_class, SOFTGT_CLASS_RENDER);
    w->events++;
}

static void begin_wait(struct waiter *w)
{
    const uint32_t wait[] = {0x0e40c002, 1, 0x2000, 0};
    const struct softgt_config config = {.device = "skl",
                                         .memory = {.user = w, .read = read_and_call},
                                         .report = {w, count_refusal},
                                         .trace = {w, SOFTGT_TRACE_ALL, see_device}};
    *w = (struct waiter){0};
    memset(ram, 0, sizeof ram);
    memcpy(ram + 0x1000 / 4, wait, sizeof wait);
    assert_int_equal(softgt_create(&config, &w->device), 0);
    for (uint64_t page = 1; page <= 2; page++)
        softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, (8 << 20) + page * 8, page << 12 | 1, 8);
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, 0x2038, 0x1000, 4);
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, 0x203c, 1, 4);
    softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, 0x2030, 16, 4);
    assert_false(softgt_run(w->device, 1 << 16));
    assert_int_equal(softgt_engine_get_state(w->device, 0), SOFTGT_ENGINE_WAITING);
    assert_true(w->events);
}

static void reset_at_header(void *user, uint32_t header, uint64_t count, uint64_t address)
{
    struct waiter *const w = user;
    (void)header, (void)count, (void)address;
    w->listed++;
    softgt_reset(w->device);
}

static void reset_at_name(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    struct waiter *const w = user;
    (void)name, (void)count, (void)model;
    w->listed++;
    softgt_reset(w->device);
    assert_true(softgt_dword_count(w->device)); /* reads are allowed */
}

static void reset_at_state(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct waiter *const w = user;
    (void)name, (void)dwords, (void)length_dw;
    w->listed++;
    softgt_reset(w->device);
}

static void callbacks_that_read_do_not_change_the_device(void **state)
{
    (void)state;
    struct waiter w;
    begin_wait(&w);
    uint32_t value;
    w.reads = 0;
    w.calls = true;
    assert_true(softgt_runnable(w.device)); /* a run looks at the semaphore once more */
    assert_true(softgt_ggtt_read(w.device, 0x2000, &value, 4));
    assert_true(w.reads);
    assert_int_equal(w.refused, w.reads);
    assert_int_equal(softgt_engine_get_state(w.device, 0), SOFTGT_ENGINE_WAITING);
    w.calls = false;
    ram[0x1010 / 4] = 0x7fff0000; /* no command */
    ram[0x2000 / 4] = 1;
    softgt_bar_write(w.device, SOFTGT_BAR_GTTMMADR, 0x2030, 24, 4);
    softgt_run(w.device, 1 << 16);
    w.listed = w.refused = 0;
    assert_true(softgt_engine_commands(w.device, 0, &w, reset_at_name));
    assert_true(w.listed);
    assert_int_equal(w.refused, w.listed);
    w.listed = w.refused = 0;
    assert_true(softgt_engine_state_commands(w.device, 0, &w, reset_at_state));
    assert_int_equal(w.refused, w.listed);
    w.listed = w.refused = 0;
    assert_true(softgt_engine_unknown(w.device, 0, &w, reset_at_header));
    assert_int_equal(w.listed, 1);
    assert_int_equal(w.refused, 1);
    assert_false(softgt_engine_commands(w.device, 100, &w, reset_at_name));
    assert_false(softgt_engine_state_commands(w.device, 100, &w, reset_at_state));
    assert_false(softgt_engine_unknown(w.device, 100, &w, reset_at_header));
    softgt_reset(w.device); /* nothing is held after them */
    assert_int_equal(softgt_dword_count(w.device), 0);
    softgt_destroy(w.device);
}

static void the_ggtt_has_an_end(void **state)
{
    (void)state;
    struct waiter w;
    uint32_t value = 0;
    uint8_t two[8192];
    begin_wait(&w);
    ram[0x2000 / 4] = 77;
    assert_true(softgt_ggtt_read(w.device, 0x2000, &value, 4));
    assert_int_equal(value, 77);
    assert_false(softgt_ggtt_read(w.device, 0x100002000, &value, 4)); /* no alias */
    assert_false(softgt_ggtt_write(w.device, 0x100002000, &value, 4));
    assert_false(softgt_ggtt_read(w.device, UINT64_MAX - 3, &value, 4));
    assert_false(softgt_ggtt_read(w.device, 0xfffff000, two, sizeof two));
    assert_true(softgt_ggtt_read(w.device, UINT64_MAX, &value, 0));
    softgt_destroy(w.device);
}

static void classes_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"render", "copy", "video", "enhance", "compute", "other"};
    for (unsigned i = 0; i < 6; i++)
        assert_string_equal(softgt_engine_class_name((enum softgt_engine_class)i), names[i]);
    assert_null(softgt_engine_class_name((enum softgt_engine_class)6));
    assert_null(softgt_engine_class_name((enum softgt_engine_class) - 1));
}

TEST_PROGRAM(version_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_one),
        cmocka_unit_test(configs_of_other_versions),
        cmocka_unit_test(statuses_of_other_versions),
        cmocka_unit_test(runners_of_other_versions),
        cmocka_unit_test(refusals_have_reasons),
        cmocka_unit_test(ports_do_not_change_the_device),
        cmocka_unit_test(callbacks_that_read_do_not_change_the_device),
        cmocka_unit_test(the_ggtt_has_an_end),
        cmocka_unit_test(classes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
