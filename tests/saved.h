/* A device's state in a buffer of its own, for tests of saves and loads. */
#ifndef TESTS_SAVED_H
#define TESTS_SAVED_H

#include <softgt/softgt.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* `bytes` are the caller's to free. */
struct blob {
    uint8_t *bytes;
    size_t size;
};

static inline struct blob saved(struct softgt *device)
{
    struct blob b = {.size = softgt_save(device, NULL, 0)};
    b.bytes = malloc(b.size);
    assert_non_null(b.bytes);
    assert_int_equal(softgt_save(device, b.bytes, b.size), b.size);
    return b;
}

/* Saved, and loaded again: it goes on as it was. */
static inline void reload(struct softgt *device)
{
    const struct blob b = saved(device);
    assert_int_equal(softgt_load(device, b.bytes, b.size), 0);
    free(b.bytes);
}

#endif
