/* Guest memory as a client describes it: what can be mapped, and pages that are not there any more. */
#include "../suite.h"
#include "server/guest_memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096 };

static int memory_file(uint64_t bytes)
{
    const int fd = memfd_create("guest", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    return fd;
}

static void maps_what_is_in_the_file(void **state)
{
    (void)state;
    struct guest_memory m = {0};
    const int fd = memory_file(16 * PAGE);
    assert_int_equal(guest_memory_add(&m, 0, 16 * PAGE, 0, fd, true, true), 0);
    assert_int_equal(guest_memory_add(&m, 15 * PAGE, PAGE, 0, fd, true, true), EEXIST);
    assert_int_equal(guest_memory_add(&m, 32 * PAGE, PAGE, 16 * PAGE, fd, true, true), EINVAL);
    assert_int_equal(guest_memory_add(&m, 32 * PAGE, PAGE, 100, fd, true, true), EINVAL);
    assert_int_equal(guest_memory_add(&m, 32 * PAGE, PAGE, UINT64_MAX - PAGE + 1, fd, true, true), EINVAL);
    assert_int_equal(guest_memory_add(&m, UINT64_MAX, 2, 0, -1, true, true), EINVAL);
    /* Between regions there is none, and room for some. */
    assert_int_equal(guest_memory_add(&m, 64 * PAGE, PAGE, 0, fd, true, true), 0);
    assert_null(guest_memory_find(&m, 40 * PAGE));
    assert_int_equal(guest_memory_add(&m, 40 * PAGE, PAGE, 0, -1, true, true), 0);
    assert_int_equal(guest_memory_add(&m, 63 * PAGE, 2 * PAGE, 0, -1, true, true), EEXIST);
    assert_int_equal(guest_memory_find(&m, 40 * PAGE)->address, 40 * PAGE);
    assert_null(guest_memory_find(&m, 41 * PAGE));
    assert_null(guest_memory_find(&m, 65 * PAGE));
    guest_memory_find(&m, 5 * PAGE)->host[5 * PAGE] = 0x5a;
    uint8_t there;
    assert_int_equal(pread(fd, &there, 1, 5 * PAGE), 1);
    assert_int_equal(there, 0x5a);
    assert_int_equal(guest_memory_remove(&m, PAGE, PAGE), -1);
    assert_int_equal(guest_memory_remove(&m, 0, 16 * PAGE), 1);
    guest_memory_clear(&m);
    close(fd);
}

/* More pages than the kernel has mappings for a process (65530), no two beside each other. */
static void outlives_any_number_of_lost_pages(void **state)
{
    (void)state;
    enum { PAGES = 150000 };
    struct guest_memory m = {0};
    const int fd = memory_file((uint64_t)PAGES * PAGE);
    assert_int_equal(guest_memory_add(&m, 0, (uint64_t)PAGES * PAGE, 0, fd, true, true), 0);
    guest_memory_guard(&m);
    const volatile uint8_t *host = guest_memory_find(&m, 0)->host;
    assert_int_equal(host[0], 0);
    assert_false(guest_memory_lost(&m));
    assert_int_equal(ftruncate(fd, 0), 0);
    unsigned sum = 0;
    for (size_t i = 0; i < PAGES; i += 2)
        sum += host[i * PAGE];
    assert_int_equal(sum, 0);
    assert_true(guest_memory_lost(&m));
    assert_false(guest_memory_lost(&m));
    guest_memory_unguard(&m);
    guest_memory_clear(&m);
    close(fd);
}

TEST_PROGRAM(guest_memory_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_what_is_in_the_file),
        cmocka_unit_test(outlives_any_number_of_lost_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
