/* Planned formats of vertex elements give what the exact decoder of pixels gives, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/vf_formats.h"
#include "../suite.h"
#include "../random.h"

enum { ELEMENT_BYTES = 16, ROUNDS = 3000 };

static void compare(const struct softgt_format *format, const uint8_t *element)
{
    struct vf_source_format f;
    union softgt_color wanted, color;
    if (format->part[0].bits > 32)
        return;
    memset(&wanted, 0, sizeof wanted);
    memset(&color, 0, sizeof color);
    vf_source_format_init(&f, format);
    vf_decode(&f, element, &color);
    softgt_pixel_decode(format, element, &wanted);
    for (unsigned i = 0; i < 4; i++)
        if (color.u[i] != wanted.u[i])
            fail_msg("%s: component %u of %02x %02x %02x %02x is %08x, not %08x", format->name, i, element[0],
                     element[1], element[2], element[3], color.u[i], wanted.u[i]);
}

static void random_elements(void **state)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                     0xffa00000, 1,          0x007fffff, 0x80008000, 0x7c007c01, 0xffffffff};
    uint64_t seed = 1;
    (void)state;
    for (size_t n = 0; softgt_format_at(n); n++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint8_t element[ELEMENT_BYTES];
            for (unsigned at = 0; at < ELEMENT_BYTES; at += 4) {
                const uint32_t bits = below(&seed, 4) ? (uint32_t)random_next(&seed)
                                                      : edges[below(&seed, sizeof edges / sizeof *edges)];
                memcpy(element + at, &bits, sizeof bits);
            }
            compare(softgt_format_at(n), element);
        }
}

/* Floats of 64 bits become floats of 32; what is missing is 0, 0 and 1. */
static void doubles_become_floats(void **state)
{
    static const double values[4] = {0x1.0000018p0, -1e300, 0x1p-200, 123.25};
    static const float wanted[4] = {0x1.000002p0f, -INFINITY, 0, 123.25f};
    static const char *const names[] = {"R64G64_FLOAT", "R64G64B64_FLOAT", "R64G64B64A64_FLOAT"};
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        const struct softgt_format *const format =
            n ? vf_double_format(names[n - 1]) : softgt_format_find("R64_FLOAT");
        struct vf_source_format f;
        union softgt_color color;
        assert_non_null(format);
        vf_source_format_init(&f, format);
        assert_int_equal(f.bytes, (n + 1) * 8);
        vf_decode(&f, values, &color);
        for (unsigned i = 0; i < 4; i++)
            assert_true(color.f[i] == (i <= n ? wanted[i] : i == 3 ? 1.0f : 0.0f));
    }
    assert_null(vf_double_format("R32G32_FLOAT"));
    assert_null(vf_double_format(NULL));
}

/* All values of components of up to 16 bits. */
static void all_short_components(void **state)
{
    (void)state;
    for (size_t n = 0; softgt_format_at(n); n++)
        for (uint32_t value = 0; value <= UINT16_MAX; value++) {
            uint8_t element[ELEMENT_BYTES];
            for (unsigned at = 0; at < ELEMENT_BYTES; at += 2)
                memcpy(element + at, &(uint16_t){(uint16_t)value}, 2);
            compare(softgt_format_at(n), element);
        }
}

TEST_PROGRAM(vertex_formats_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(doubles_become_floats),
                                       cmocka_unit_test(random_elements),
                                       cmocka_unit_test(all_short_components)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
