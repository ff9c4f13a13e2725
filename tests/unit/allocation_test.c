/* Memory that is not to be had: every allocation in turn fails, and all of it is told and given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <softgt/eu.h>

#include "../eu_kernel.h"
#include "../suite.h"
#include "gen/sheet.h"

static long left = -1; /* allocations until one fails; less than 0: none does */
static long held;
static bool for_ever, failed; /* all behind it do as well; one has */

static bool fails(void)
{
    if (left < 0 || left-- > 0)
        return false;
    left = for_ever ? 0 : -1;
    return failed = true;
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

/* Under a sanitizer each device fails at every fourth allocation: all of them together at each. */
enum { STEP = 4 / CASES(4) };

static void a_device_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    for (unsigned i = 0; softgt_device_at(i); i++) {
        const struct softgt_config config = {.device = softgt_device_at(i)->name,
                                             .memory = {.read = nothing}};
        const long before = held;
        struct softgt *device = NULL;
        int error = -ENOMEM;
        for (long n = i % STEP; error; n += STEP) {
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

/* ---- Kernels alone ---- */

enum { GROUPS = 8, THREADS = 2, SIMD = 16, OUT_AT = 0x10000, OUT_DW = GROUPS * THREADS * SIMD };

static uint32_t out[4096] __attribute__((aligned(4096)));

static void run_all(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                    void *context)
{
    (void)user;
    while (count-- > 0)
        job(context, count % 2u, count);
}

static void nobody(void *user)
{
    (void)user;
}

/* out[16 * (2 * group + thread) + channel] = 100 * group + 200: by instructions over some KB, which are kept
 * decoded where there is memory for them. */
static void put_kernel(struct kernel *k, const char *device)
{
    enum { ADDS = 200 };
    const struct how all = {.channels = SIMD};
    k->set = sheet_find(device)->eu;
    k->count = 0;
    const bool is_wide = kernel_rows(k->set) > 1; /* registers of 64 bytes, counted in 32 */
    KERNEL_2(k, EU_MUL, all, reg(20, TYPE_D), one(0, 4, TYPE_D), imm(100, TYPE_W));
    for (unsigned i = 0; i < ADDS; i++)
        KERNEL_2(k, EU_ADD, all, reg(20, TYPE_D), reg(20, TYPE_D), imm(1, TYPE_D));
    KERNEL_1(k, EU_MOV, all, reg(10, TYPE_UD), region(is_wide ? 2 : 1, TYPE_UW, 16, 16, 1));
    KERNEL_2(k, EU_SHL, all, reg(10, TYPE_UD), reg(10, TYPE_UD), imm(2, TYPE_UD));
    KERNEL_2(k, EU_SHL, all, reg(12, TYPE_UD), one(0, 4, TYPE_UD), imm(7, TYPE_UD));
    KERNEL_2(k, EU_ADD, all, reg(18, TYPE_UD), reg(10, TYPE_UD), reg(12, TYPE_UD));
    if (is_wide) /* a store of the LSC by the binding table, from one register each of addresses and data */
        kernel_send(k, all, SFID_UGM, 3u << 29 | 2u << 25 | 0x504, none(TYPE_UD), reg(18, TYPE_UD), false);
    else
        kernel_send(k, all, SFID_DC1, 4u << 25 | 9u << 14 | 0x1e00, none(TYPE_UD), reg(18, TYPE_UD), false);
    kernel_end(k);
    kernel_finish(k);
}

/* Made, told all and run; -ENOMEM: not all of it could be told. */
static int run_kernel(const char *device, bool parallel, const struct kernel *k)
{
    const struct softgt_parallel_port port = {NULL, 2, run_all, nobody, nobody};
    const struct softgt_eu_config config = {.device = device,
                                            .parallel = parallel ? port : (struct softgt_parallel_port){0}};
    const struct softgt_eu_launch_config launch = {.groups = {GROUPS},
                                                   .threads = THREADS,
                                                   .channels = SIMD,
                                                   .local_size = {THREADS * SIMD},
                                                   .payload = SOFTGT_EU_LOCAL_IDS};
    struct softgt_eu *eu = NULL;
    int error = softgt_eu_create(&config, &eu);
    assert_true((error == 0) == (eu != NULL));
    error = error ? error : softgt_eu_map(eu, OUT_AT, out, sizeof out, true);
    error = error ? error : softgt_eu_set_kernel(eu, k->bytes, k->count * (size_t)EU_NATIVE_BYTES);
    if (!error) {
        assert_int_equal(softgt_eu_set_surface(eu, 0, OUT_AT, sizeof out), 0);
        assert_int_equal(softgt_eu_launch(eu, &launch), 0);
        assert_int_equal(softgt_eu_run(eu, UINT64_MAX, NULL), SOFTGT_EU_FINISHED);
    }
    softgt_eu_destroy(eu);
    return error;
}

static void kernels_need_no_memory_to_run(void **state)
{
    (void)state;
    static const char *const devices[] = {"skl", "dg2", "bmg"};
    static struct kernel k;
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++)
        for (unsigned how = 0; how < 4; how++) {
            unsigned refused = 0, done = 0;
            put_kernel(&k, devices[i]);
            for_ever = how & 1u;
            for (failed = true; failed;) {
                const long before = held;
                memset(out, 0, sizeof out);
                failed = false;
                left = refused + done;
                const int error = run_kernel(devices[i], how & 2u, &k);
                left = -1;
                assert_int_equal(held, before);
                assert_true(error == 0 || (error == -ENOMEM && failed));
                for (unsigned n = 0; n < OUT_DW; n++)
                    assert_int_equal(out[n], error ? 0 : 200 + n / (THREADS * SIMD) * 100);
                refused += error != 0;
                done += error == 0;
                assert_true(refused + done < 100000);
            }
            assert_true(refused > 5 && done > 3); /* what is only kept is not missed */
        }
    for_ever = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_is_made_whole_or_not_at_all),
                                       cmocka_unit_test(a_state_is_loaded_whole_or_not_at_all),
                                       cmocka_unit_test(kernels_need_no_memory_to_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
