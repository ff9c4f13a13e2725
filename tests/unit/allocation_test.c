/* Memory that is not to be had: every allocation in turn fails, and all of it is told and given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "softgt/softgt.h"

static long left; /* allocations until one fails; less than 0: none does */
static long held;

static bool fails(void)
{
    return left >= 0 && left-- == 0;
}

/* The linker puts these in the place of the library's (tests/meson.build). */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *old);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void __wrap_free(void *old);

static void *counted(void *there)
{
    held += there != NULL;
    return there;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (fails())
        return NULL;
    held -= old != NULL;
    return counted(__real_realloc(old, bytes));
}

void __wrap_free(void *old)
{
    held -= old != NULL;
    __real_free(old);
}

static bool nothing(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static void a_device_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    for (unsigned i = 0; softgt_device_at(i); i++) {
        const struct softgt_config config = {.device = softgt_device_at(i)->name,
                                             .memory = {.read = nothing}};
        const long before = held;
        struct softgt *device = NULL;
        int error = -ENOMEM;
        for (long n = 0; error; n++) {
            left = n;
            error = softgt_create(&config, &device);
            assert_true(error == 0 || (error == -ENOMEM && !device && held == before));
            assert_true(n < 100000);
        }
        assert_true(left >= 0); /* it had all that it asked for */
        left = -1;
        softgt_destroy(device);
        assert_int_equal(held, before);
    }
}

static void a_state_is_loaded_whole_or_not_at_all(void **state)
{
    (void)state;
    const struct softgt_config config = {.device = "skl", .memory = {.read = nothing}};
    struct softgt *device;
    assert_int_equal(softgt_create(&config, &device), 0);
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, 0x20b4, 0x1234, 4);
    const size_t bytes = softgt_save(device, NULL, 0);
    uint8_t *saved = malloc(bytes);
    assert_int_equal(softgt_save(device, saved, bytes), bytes);
    softgt_reset(device);
    const uint64_t fresh = softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, 0x20b4, 4);
    const long before = held;
    int error = -ENOMEM;
    for (long n = 0; error; n++) {
        left = n;
        error = softgt_load(device, saved, bytes);
        const bool had_all = left >= 0;
        left = -1;
        assert_int_equal(held, before);
        assert_true(error == (had_all ? 0 : -ENOMEM));
        assert_int_equal(softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, 0x20b4, 4), error ? fresh : 0x1234);
    }
    free(saved);
    softgt_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_is_made_whole_or_not_at_all),
                                       cmocka_unit_test(a_state_is_loaded_whole_or_not_at_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
