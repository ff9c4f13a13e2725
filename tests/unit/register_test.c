/* Access rules of the register file: per bit written, cleared by a 1, or read only; masked; by bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "mmio/register_file.h"

static struct register_access last;
static unsigned calls;

static void written(const struct register_access *w)
{
    last = *w;
    calls++;
}

static const struct reg rows[] = {
    {.name = "PLAIN", .offset = 0x00, .writable = 0x0000ffff, .reset = 0xabcd1234},
    {.name = "CLEARS", .offset = 0x04, .w1c = 0xff, .reset = 0x1ff},
    {.name = "MIXED", .offset = 0x08, .writable = 0xffff0000, .w1c = 0x00ff, .reset = 0x12340fff},
    {.name = "MASKED", .offset = 0x0c, .kind = REG_MASKED, .writable = 0x00f0, .w1c = 0x000f, .reset = 0xff},
    {.name = "PAIR",
     .offset = 0x10,
     .dwords = 2,
     .writable = 0xff00000000,
     .w1c = 0xff,
     .reset = 0x1100000022},
    {.name = "READ_ONLY", .offset = 0x18, .reset = 0x55, .after_write = written},
    {.name = "TOLD", .offset = 0x1c, .writable = 0xf0, .w1c = 0x0f, .reset = 0x0f, .after_write = written},
    {.name = "FILLS",
     .offset = 0x100,
     .count = 3,
     .stride = 0x40,
     .flags = REG_FILLS_STRIDE,
     .after_write = written},
};
static const struct register_block block = REGISTER_BLOCK("test", rows);

static uint32_t put(struct register_file *f, uint32_t offset, uint32_t value, uint32_t byte_enables)
{
    register_write(f, offset, value, byte_enables, &accessor_cpu);
    return register_read(f, offset, 0xf, &accessor_cpu);
}

static void start(struct register_file *f, struct device_log *log)
{
    *log = (struct device_log){0};
    calls = 0;
    assert_true(register_file_create(f, log, 0x1000));
    assert_true(register_file_place(f, &block, 0, NULL, "test"));
}

static void each_bit_has_its_rule(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, 0x00, 0xffff5678, 0xf), 0xabcd5678);
    assert_int_equal(put(&f, 0x04, 0xfffffff0, 0xf), 0x10f); /* bit 8 is read only */
    assert_int_equal(put(&f, 0x04, 0, 0xf), 0x10f);
    assert_int_equal(put(&f, 0x08, 0xfedc000f, 0xf), 0xfedc0ff0);
    assert_int_equal(put(&f, 0x08, 0x00000f00, 0xf), 0x00000ff0);
    assert_int_equal(put(&f, 0x18, 0xffffffff, 0xf), 0x55);
    register_file_destroy(&f);
}

static void bytes_that_are_not_written_stay(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, 0x08, 0xfedc00ff, 0x8), 0xfe340fff);
    assert_int_equal(put(&f, 0x08, 0xffffffff, 0x1), 0xfe340f00);
    assert_int_equal(put(&f, 0x00, 0x00005678, 0x2), 0xabcd5634);
    register_file_destroy(&f);
}

/* One of an array that fills its stride is at each dword up to the next; behind the last there is none. */
static void an_array_may_fill_its_stride(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    for (uint32_t offset = 0x100; offset < 0x1c0; offset += 4) {
        put(&f, offset, 1, 0xf);
        assert_int_equal(calls, 1 + (offset - 0x100) / 4);
        assert_int_equal(last.offset, offset);
        assert_int_equal(last.index, (offset - 0x100) / 0x40);
    }
    assert_null(register_slot_at(&f, 0x1c0)->row);
    register_file_destroy(&f);
}

static void a_mask_is_for_both_kinds_of_bits(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, 0x0c, 0x000000ff, 0xf), 0xff); /* no mask: nothing */
    assert_int_equal(put(&f, 0x0c, 0x00130003, 0xf), 0xec); /* bits 1:0 cleared, bit 4 written 0 */
    assert_int_equal(put(&f, 0x0c, 0xffff0000, 0xf), 0x0c);
    register_file_destroy(&f);
}

static void halves_of_a_pair_have_their_own(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, 0x10, 0xffffffff, 0xf), 0);
    assert_int_equal(put(&f, 0x14, 0xffffffaa, 0xf), 0xaa);
    register_file_destroy(&f);
}

static void what_is_told_is_before_and_after(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, 0x1c, 0x13, 0xf), 0x1c);
    assert_int_equal(calls, 1);
    assert_int_equal(last.old_value, 0x0f);
    assert_int_equal(last.value, 0x1c);
    assert_int_equal(last.written, 0x13);
    register_file_destroy(&f);
}

static void read_only_is_what_no_mask_names(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    for (uint32_t offset = 0; offset < 0x20; offset += 4)
        assert_int_equal(register_read_only(register_slot_at(&f, offset)), offset == 0x18);
    register_file_destroy(&f);
}

TEST_PROGRAM(register_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_has_its_rule),           cmocka_unit_test(bytes_that_are_not_written_stay),
        cmocka_unit_test(an_array_may_fill_its_stride),    cmocka_unit_test(a_mask_is_for_both_kinds_of_bits),
        cmocka_unit_test(halves_of_a_pair_have_their_own), cmocka_unit_test(what_is_told_is_before_and_after),
        cmocka_unit_test(read_only_is_what_no_mask_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
