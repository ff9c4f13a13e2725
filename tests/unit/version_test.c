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

TEST_PROGRAM(version_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_one),
        cmocka_unit_test(configs_of_other_versions),
        cmocka_unit_test(statuses_of_other_versions),
        cmocka_unit_test(runners_of_other_versions),
        cmocka_unit_test(ports_do_not_change_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
