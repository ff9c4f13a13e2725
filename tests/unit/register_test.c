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

/* Data: the rows' bits, and the values in this file, are chosen so that each nibble tells its rule. */
enum {
    PLAIN = 0x00,
    CLEARS = 0x04,
    MIXED = 0x08,
    MASKED = 0x0c,
    PAIR = 0x10,
    READ_ONLY = 0x18,
    NOTIFIES = 0x1c
};
enum { FILLS = 256, FILLS_COUNT = 3, FILLS_STRIDE = 64, FILLS_END = FILLS + FILLS_COUNT * FILLS_STRIDE };
enum { FILE_BYTES = 4096, ALL_BYTES = 0xf };

static const struct reg rows[] = {
    {.name = "PLAIN", .offset = PLAIN, .writable = 0x0000ffff, .reset = 0xabcd1234},
    {.name = "CLEARS", .offset = CLEARS, .w1c = 0xff, .reset = 0x1ff},
    {.name = "MIXED", .offset = MIXED, .writable = 0xffff0000, .w1c = 0x00ff, .reset = 0x12340fff},
    {.name = "MASKED",
     .offset = MASKED,
     .kind = REG_MASKED,
     .writable = 0x00f0,
     .w1c = 0x000f,
     .reset = 0xff},
    {.name = "PAIR",
     .offset = PAIR,
     .dwords = 2,
     .writable = 0xff00000000,
     .w1c = 0xff,
     .reset = 0x1100000022},
    {.name = "READ_ONLY", .offset = READ_ONLY, .reset = 0x55, .after_write = written},
    {.name = "NOTIFIES",
     .offset = NOTIFIES,
     .writable = 0xf0,
     .w1c = 0x0f,
     .reset = 0x0f,
     .after_write = written},
    {.name = "FILLS",
     .offset = FILLS,
     .count = FILLS_COUNT,
     .stride = FILLS_STRIDE,
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
    assert_true(register_file_create(f, log, FILE_BYTES));
    assert_true(register_file_place(f, &block, 0, NULL, "test"));
}

static void each_bit_has_its_rule(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, PLAIN, 0xffff5678, ALL_BYTES), 0xabcd5678);
    assert_int_equal(put(&f, CLEARS, 0xfffffff0, ALL_BYTES), 0x10f); /* bit 8 is read-only */
    assert_int_equal(put(&f, CLEARS, 0, ALL_BYTES), 0x10f);
    assert_int_equal(put(&f, MIXED, 0xfedc000f, ALL_BYTES), 0xfedc0ff0);
    assert_int_equal(put(&f, MIXED, 0x00000f00, ALL_BYTES), 0x00000ff0);
    assert_int_equal(put(&f, READ_ONLY, UINT32_MAX, ALL_BYTES), 0x55);
    register_file_destroy(&f);
}

static void bytes_that_are_not_written_stay(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, MIXED, 0xfedc00ff, 0x8), 0xfe340fff);
    assert_int_equal(put(&f, MIXED, UINT32_MAX, 0x1), 0xfe340f00);
    assert_int_equal(put(&f, PLAIN, 0x00005678, 0x2), 0xabcd5634);
    register_file_destroy(&f);
}

/* A register of an array that fills its stride is at each dword up to the next. After the last there is none.
 */
static void an_array_may_fill_its_stride(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    for (uint32_t offset = FILLS; offset < FILLS_END; offset += 4) {
        put(&f, offset, 1, ALL_BYTES);
        assert_int_equal(calls, 1 + (offset - FILLS) / 4);
        assert_int_equal(last.offset, offset);
        assert_int_equal(last.index, (offset - FILLS) / FILLS_STRIDE);
    }
    assert_null(register_slot_at(&f, FILLS_END)->row);
    register_file_destroy(&f);
}

static void a_mask_is_for_both_kinds_of_bits(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, MASKED, 0x000000ff, ALL_BYTES), 0xff); /* no mask: nothing */
    assert_int_equal(put(&f, MASKED, 0x00130003, ALL_BYTES), 0xec); /* bits 1:0 cleared, bit 4 written 0 */
    assert_int_equal(put(&f, MASKED, 0xffff0000, ALL_BYTES), 0x0c);
    register_file_destroy(&f);
}

static void halves_of_a_pair_have_their_own(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, PAIR, UINT32_MAX, ALL_BYTES), 0);
    assert_int_equal(put(&f, PAIR + 4, 0xffffffaa, ALL_BYTES), 0xaa);
    register_file_destroy(&f);
}

static void a_write_reports_old_and_new(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    assert_int_equal(put(&f, NOTIFIES, 0x13, ALL_BYTES), 0x1c);
    assert_int_equal(calls, 1);
    assert_int_equal(last.old_value, 0x0f);
    assert_int_equal(last.value, 0x1c);
    assert_int_equal(last.written, 0x13);
    register_file_destroy(&f);
}

static void registers_without_masks_are_read_only(void **state)
{
    (void)state;
    struct device_log log;
    struct register_file f;
    start(&f, &log);
    for (uint32_t offset = 0; offset <= NOTIFIES; offset += 4)
        assert_int_equal(register_read_only(register_slot_at(&f, offset)), offset == READ_ONLY);
    register_file_destroy(&f);
}

TEST_PROGRAM(register_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_has_its_rule),
        cmocka_unit_test(bytes_that_are_not_written_stay),
        cmocka_unit_test(an_array_may_fill_its_stride),
        cmocka_unit_test(a_mask_is_for_both_kinds_of_bits),
        cmocka_unit_test(halves_of_a_pair_have_their_own),
        cmocka_unit_test(a_write_reports_old_and_new),
        cmocka_unit_test(registers_without_masks_are_read_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
