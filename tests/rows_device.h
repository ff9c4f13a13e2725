/* A device that runs nothing: tests without a device take commands, structures and registers from its rows.
 * open_skl and close_skl are the setup and teardown of a group of tests. After cmocka.h. */
#ifndef TESTS_ROWS_DEVICE_H
#define TESTS_ROWS_DEVICE_H

#include "words.h"

static struct softgt *skl;

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static int open_skl(void **state)
{
    (void)state;
    const struct softgt_config config = {.device = "skl", .memory = {.read = no_memory}};
    return softgt_create(&config, &skl);
}

static int close_skl(void **state)
{
    (void)state;
    softgt_destroy(skl);
    return 0;
}

#endif
