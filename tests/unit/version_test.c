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
    assert_true(softgt_engine_status_sized(d, 0, &room.status, older));
    assert_string_equal(room.status.name, "rcs0");
    for (size_t i = older; i < sizeof room; i++)
        assert_int_equal(((const uint8_t *)&room)[i], 0xee);
    assert_true(softgt_engine_status_sized(d, 0, &room.status, sizeof room));
    assert_int_equal(room.more, 0);
    assert_false(softgt_engine_status(d, 100, &room.status));
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
    struct softgt_eu_launch launch = {0};
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

TEST_PROGRAM(version_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_one),
        cmocka_unit_test(configs_of_other_versions),
        cmocka_unit_test(statuses_of_other_versions),
        cmocka_unit_test(runners_of_other_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
