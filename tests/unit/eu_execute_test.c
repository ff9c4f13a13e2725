#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../eu_kernel.h"
#include "../random.h"

/* Threads run by the manuals' rules: kernels of a few instructions, on every generation that has them. */

static struct kernel k;
static struct eu_thread t;

static void begin(const struct eu_set *set)
{
    k.set = set;
    k.count = 0;
    eu_thread_start(&t, set, 0, 0xffff);
    t.control[0] = 1 << 6 | 1 << 7 | 1 << 10; /* denormals are kept */
}

static enum eu_stop go(void)
{
    uint64_t budget = 10000;
    kernel_end(&k);
    kernel_finish(&k);
    struct test_port p = test_port(k.bytes, (size_t)k.count * EU_NATIVE_BYTES, NULL);
    p.port.context = &p;
    return eu_thread_run(&t, &p.port, &budget);
}

static uint32_t *dwords(unsigned number)
{
    return (uint32_t *)(void *)(t.grf + number * EU_REGISTER_BYTES);
}

static void values_move(void **state)
{
    (void)state;
    for (const struct eu_set *const *set = eu_sets; *set; set++) {
        begin(*set);
        for (unsigned n = 0; n < 16; n++)
            dwords(10)[n] = n * 3;
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 16}, reg(20, TYPE_UD), reg(10, TYPE_UD));
        KERNEL_2(&k, EU_ADD, (struct how){.channels = 16}, reg(22, TYPE_D), reg(20, TYPE_D), imm(5, TYPE_D));
        KERNEL_1(&k, EU_MOV, (struct how){.channels = 16}, reg(24, TYPE_F), reg(22, TYPE_D));
        assert_int_equal(go(), EU_ENDED);
        for (unsigned n = 0; n < 16; n++) {
            float f;
            memcpy(&f, &dwords(24)[n], 4);
            assert_int_equal(dwords(22)[n], n * 3 + 5);
            assert_true(f == (float)(n * 3 + 5));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
