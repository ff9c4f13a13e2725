/* The tessellator: how many points and primitives there are of it, that triangles cover their domain once,
 * all turned alike and without cracks, that what neighbours share is the same to the bit; what is culled,
 * what factors are cut to, and that whatever a factor's bits are all of it ends. (Direct3D 11 functional
 * specification, Tessellator) */
#include "../suite.h"
#include "geometry/tessellator.h"
#include "../random.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 65 * 65, MOST_TRIANGLES = 2 * 64 * 64 };

static const struct tessellation_state quads = {
    .domain = DOMAIN_QUAD, .output = TESSELLATES_CLOCKWISE, .max_tess_factor_odd = 63, .max_tess_factor = 64};

static struct tessellation_state state_of(uint8_t domain, uint8_t partitioning, uint8_t output)
{
    struct tessellation_state s = quads;
    s.domain = domain;
    s.partitioning = partitioning;
    s.output = output;
    return s;
}

/* All factors alike. */
static bool tessellate_all(struct tessellation *t, const struct tessellation_state *s, float factor)
{
    const float factors[FACTORS] = {factor, factor, factor, factor, factor, factor};
    return tessellate(t, s, factors);
}

/* Twice what a triangle covers, more than 0 if u turns to v in it: what is called clockwise, as v goes down.
 */
static double area_of(const struct tessellation *t, const uint32_t points[3])
{
    float at[3][3];
    for (unsigned i = 0; i < 3; i++)
        tessellation_point(t, points[i], at[i]);
    return ((double)at[1][0] - at[0][0]) * ((double)at[2][1] - at[0][1]) -
           ((double)at[1][1] - at[0][1]) * ((double)at[2][0] - at[0][0]);
}

/* Both on the same side of the domain. */
static bool is_outside(const struct tessellation *t, uint32_t a, uint32_t b)
{
    float at[2][3];
    tessellation_point(t, a, at[0]);
    tessellation_point(t, b, at[1]);
    bool outside = false;
    for (unsigned i = 0; i < 3; i++) {
        outside |= at[0][i] == 0 && at[1][i] == 0;
        outside |= t->domain == DOMAIN_QUAD && i < 2 && at[0][i] == 1 && at[1][i] == 1;
    }
    return outside;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Each side of a triangle is another one's, the other way round, or lies outside; all points are of some. */
static void expect_covered(const struct tessellation *t)
{
    static uint64_t sides[MOST_TRIANGLES * 3 + 64];
    static bool used[MOST_POINTS + 64];
    const double least = 0.0001;
    double sum = 0;
    size_t count = 0;
    const double sign = t->output == TESSELLATES_CLOCKWISE ? 1 : -1;
    assert_in_range(t->points, 3, MOST_POINTS);
    assert_in_range(t->primitives, 1, MOST_TRIANGLES);
    memset(used, 0, sizeof used);
    for (uint32_t n = 0; n < t->primitives; n++) {
        uint32_t points[3];
        tessellation_primitive(t, n, points);
        const double area = sign * area_of(t, points);
        assert_true(area > -least); /* points next to the middle round beyond it */
        sum += area;
        for (unsigned i = 0; i < 3; i++) {
            assert_in_range(points[i], 0, t->points - 1);
            used[points[i]] = true;
            sides[count++] = (uint64_t)points[i] << 32 | points[(i + 1) % 3];
        }
    }
    assert_true(fabs(sum - (t->domain == DOMAIN_QUAD ? 2 : 1)) < 1e-9);
    for (uint32_t i = 0; i < t->points; i++)
        assert_true(used[i]);
    qsort(sides, count, sizeof *sides, by_number);
    for (size_t i = 0; i < count; i++) {
        const uint64_t back = sides[i] << 32 | sides[i] >> 32;
        assert_true(!i || sides[i] != sides[i - 1]);
        if (!bsearch(&back, sides, count, sizeof *sides, by_number))
            assert_true(is_outside(t, (uint32_t)(sides[i] >> 32), (uint32_t)sides[i]));
    }
}

static void whole_numbers(void **state)
{
    (void)state;
    for (uint8_t output = TESSELLATES_CLOCKWISE; output <= TESSELLATES_COUNTERCLOCKWISE; output++)
        for (unsigned n = 1; n <= 64; n++) {
            const struct tessellation_state quad = state_of(DOMAIN_QUAD, PARTITION_INTEGER, output),
                                            triangle = state_of(DOMAIN_TRIANGLE, PARTITION_INTEGER, output);
            struct tessellation t;
            assert_true(tessellate_all(&t, &quad, (float)n - (n > 1 ? 0.5F : 0)));
            assert_int_equal(t.points, (n + 1) * (n + 1));
            assert_int_equal(t.primitives, 2 * n * n);
            expect_covered(&t);
            assert_true(tessellate_all(&t, &triangle, (float)n));
            /* Rings of 3 (n - 2 i) points, and one in the middle of even ones. */
            unsigned points = n % 2 ? 0 : 1, triangles = n % 2;
            for (unsigned i = 0; n > 2 * i; i++) {
                points += 3 * (n - 2 * i);
                if (n - 2 * i > 1)
                    triangles += 3 * (2 * (n - 2 * i) - 2);
            }
            assert_int_equal(t.points, points);
            assert_int_equal(t.primitives, triangles);
            expect_covered(&t);
        }
}

static float some_factor(uint64_t *seed)
{
    const uint32_t kind = below(seed, 4);
    return kind == 0   ? (float)(1 + below(seed, 64))
           : kind == 1 ? 1 + (float)below(seed, 1000) / 500
           : kind == 2 ? 0.25F + (float)below(seed, 70000) / 1000
                       : 1 + (float)(1 + below(seed, 4)) / (1 << 17);
}

static void any_factors(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned i = 0; i < 2000; i++) {
        const struct tessellation_state s = state_of((uint8_t)below(&seed, 2), (uint8_t)below(&seed, 3),
                                                     (uint8_t)(TESSELLATES_CLOCKWISE + below(&seed, 2)));
        float factors[FACTORS];
        struct tessellation t;
        for (unsigned n = 0; n < FACTORS; n++)
            factors[n] = some_factor(&seed);
        assert_true(tessellate(&t, &s, factors));
        expect_covered(&t);
    }
}

/* Points of the edge where coordinate `zero` is `at_zero`, in the order of coordinate `along`.
 */
static unsigned take_side(const struct tessellation *t, unsigned zero, float at_zero, unsigned along,
                          uint64_t of[MOST_POINTS])
{
    unsigned count = 0, outer = 0;
    for (unsigned i = 0; i < t->sides; i++)
        outer += t->edge[i].points - 1u;
    for (uint32_t i = 0; i < outer; i++) {
        float at[3];
        tessellation_point(t, i, at);
        if (at[zero] == at_zero)
            of[count++] = (uint64_t)(at[along] * 65536);
    }
    qsort(of, count, sizeof *of, by_number);
    return count;
}

/* Neighbours with the same factor there have the same points there, whatever is inside, whichever domain they
 * are of, and from whichever end they look. */
static void shared_edges(void **state)
{
    (void)state;
    static uint64_t first[MOST_POINTS], other[MOST_POINTS];
    static const struct {
        unsigned zero, along;
        float at;
        uint8_t domain;
    } sides[] = {{0, 1, 0, DOMAIN_QUAD},     {1, 0, 0, DOMAIN_QUAD},     {0, 1, 1, DOMAIN_QUAD},
                 {1, 0, 1, DOMAIN_QUAD},     {0, 1, 0, DOMAIN_TRIANGLE}, {1, 0, 0, DOMAIN_TRIANGLE},
                 {2, 0, 0, DOMAIN_TRIANGLE}, {2, 1, 0, DOMAIN_TRIANGLE}, {0, 2, 0, DOMAIN_TRIANGLE}};
    uint64_t seed = 2;
    for (unsigned i = 0; i < 400; i++) {
        const float shared = some_factor(&seed);
        const uint8_t partitioning = (uint8_t)below(&seed, 3);
        unsigned count = 0;
        for (unsigned n = 0; n < sizeof sides / sizeof sides[0]; n++) {
            const struct tessellation_state s =
                state_of(sides[n].domain, partitioning, TESSELLATES_CLOCKWISE);
            float factors[FACTORS];
            struct tessellation t;
            for (unsigned f = 0; f < FACTORS; f++)
                factors[f] = f < EDGES ? shared : some_factor(&seed);
            assert_true(tessellate(&t, &s, factors));
            const unsigned there =
                take_side(&t, sides[n].zero, sides[n].at, sides[n].along, n ? other : first);
            if (!n) {
                count = there;
                for (unsigned p = 0; p < count; p++)
                    assert_int_equal(first[p] + first[count - 1 - p], 65536);
                continue;
            }
            assert_int_equal(there, count);
            assert_memory_equal(first, other, count * sizeof *first);
        }
    }
}

/* Segments of whole numbers are alike; of others all but two of the edge are, which grow out of nothing. */
static void places_on_edges(void **state)
{
    (void)state;
    static const struct {
        uint8_t partitioning;
        float factor;
        unsigned points;
        uint32_t at[6];
    } edges[] = {{PARTITION_INTEGER, 1, 2, {0, 65536}},
                 {PARTITION_INTEGER, 3, 4, {0, 21845, 43691, 65536}},
                 {PARTITION_INTEGER, 2.25F, 4, {0, 21845, 43691, 65536}},
                 {PARTITION_INTEGER, 4, 5, {0, 16384, 32768, 49152, 65536}},
                 {PARTITION_EVEN, 0.5F, 3, {0, 32768, 65536}},
                 {PARTITION_EVEN, 2, 3, {0, 32768, 65536}},
                 {PARTITION_EVEN, 3, 5, {0, 24576, 32768, 40960, 65536}},
                 {PARTITION_EVEN, 4, 5, {0, 16384, 32768, 49152, 65536}},
                 {PARTITION_ODD, 0.5F, 2, {0, 65536}},
                 {PARTITION_ODD, 1, 2, {0, 65536}},
                 {PARTITION_ODD, 2, 4, {0, 10923, 54613, 65536}},
                 {PARTITION_ODD, 5, 6, {0, 13107, 26214, 39322, 52429, 65536}}};
    for (unsigned n = 0; n < sizeof edges / sizeof edges[0]; n++) {
        static uint64_t of[MOST_POINTS];
        const struct tessellation_state s =
            state_of(DOMAIN_QUAD, edges[n].partitioning, TESSELLATES_CLOCKWISE);
        struct tessellation t;
        assert_true(tessellate_all(&t, &s, edges[n].factor));
        assert_int_equal(take_side(&t, 0, 0, 1, of), edges[n].points);
        for (unsigned i = 0; i < edges[n].points; i++)
            assert_int_equal(of[i], edges[n].at[i]);
    }
}

/* A patch is culled by an edge alone; of isolines by either. */
static void culls(void **state)
{
    (void)state;
    static const struct {
        uint8_t domain;
        unsigned edges;
    } domains[] = {{DOMAIN_QUAD, 4}, {DOMAIN_TRIANGLE, 3}, {DOMAIN_ISOLINE, 2}};
    const float none[] = {0, -0.0F, -1, -INFINITY, NAN};
    for (unsigned n = 0; n < 3; n++)
        for (unsigned f = 0; f < FACTORS; f++)
            for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
                for (uint8_t partitioning = 0; partitioning < 3; partitioning++) {
                    const struct tessellation_state s =
                        state_of(domains[n].domain, partitioning, TESSELLATES_CLOCKWISE);
                    float factors[FACTORS] = {5, 5, 5, 5, 5, 5};
                    struct tessellation t;
                    factors[f] = none[i];
                    assert_int_equal(tessellate(&t, &s, factors), f >= domains[n].edges);
                }
}

/* 64 and 63 are the most, and less where the state says so. */
static void cuts_factors(void **state)
{
    (void)state;
    static const struct {
        uint8_t partitioning;
        float odd, other;
        unsigned segments;
    } most[] = {
        {PARTITION_INTEGER, 63, 64, 64},     {PARTITION_EVEN, 63, 64, 64},    {PARTITION_ODD, 63, 64, 63},
        {PARTITION_INTEGER, 7, 12, 12},      {PARTITION_EVEN, 7, 12, 12},     {PARTITION_ODD, 7, 12, 7},
        {PARTITION_INTEGER, 1e9F, 1e9F, 64}, {PARTITION_ODD, 1e9F, 1e9F, 63}, {PARTITION_EVEN, NAN, NAN, 2},
        {PARTITION_ODD, NAN, NAN, 1},        {PARTITION_INTEGER, 0, -1, 1}};
    for (unsigned n = 0; n < sizeof most / sizeof most[0]; n++) {
        struct tessellation_state s = state_of(DOMAIN_QUAD, most[n].partitioning, TESSELLATES_CLOCKWISE);
        struct tessellation t;
        s.max_tess_factor_odd = most[n].odd;
        s.max_tess_factor = most[n].other;
        assert_true(tessellate_all(&t, &s, INFINITY));
        assert_int_equal(t.points, (most[n].segments + 1) * (most[n].segments + 1));
        expect_covered(&t);
    }
}

/* Bits that are no number, whichever they are, are the least factor. */
static void no_numbers(void **state)
{
    (void)state;
    static const uint32_t bits[] = {0x7fc00000, 0x7f800001, 0x7fbfffff, 0xffc00000, 0xff800001, 0xffffffff};
    for (uint8_t partitioning = 0; partitioning < 3; partitioning++)
        for (unsigned i = 0; i < sizeof bits / sizeof bits[0]; i++) {
            const struct tessellation_state s = state_of(DOMAIN_QUAD, partitioning, TESSELLATES_CLOCKWISE);
            float factors[FACTORS] = {3, 3, 3, 3, 0, 5};
            struct tessellation least, t;
            assert_true(tessellate(&least, &s, factors));
            memcpy(&factors[EDGES], &bits[i], sizeof bits[i]);
            assert_true(tessellate(&t, &s, factors));
            assert_int_equal(t.points, least.points);
            assert_int_equal(t.primitives, least.primitives);
        }
}

static void isolines(void **state)
{
    (void)state;
    for (uint8_t output = TESSELLATES_POINTS; output <= TESSELLATES_LINES; output++) {
        const struct tessellation_state s = state_of(DOMAIN_ISOLINE, PARTITION_INTEGER, output);
        const float factors[FACTORS] = {2.5F, 4};
        struct tessellation t;
        assert_true(tessellate(&t, &s, factors));
        assert_int_equal(t.points, 3 * 5);
        assert_int_equal(t.primitives, output == TESSELLATES_POINTS ? 3 * 5 : 3 * 4);
        for (uint32_t i = 0; i < t.points; i++) {
            static const float lines[3] = {0, 21845 / 65536.0F, 43691 / 65536.0F};
            float at[3];
            tessellation_point(&t, i, at);
            assert_true(at[0] == (float)(i % 5) / 4 && at[1] == lines[i / 5]);
        }
        for (uint32_t n = 0; n < t.primitives; n++) {
            uint32_t points[3];
            tessellation_primitive(&t, n, points);
            assert_int_equal(points[0], output == TESSELLATES_POINTS ? n : n / 4 * 5 + n % 4);
            assert_int_equal(points[1], points[0] + (output == TESSELLATES_LINES));
        }
    }
}

/* Points of a divided domain, each once. */
static void points(void **state)
{
    (void)state;
    for (uint8_t domain = DOMAIN_QUAD; domain <= DOMAIN_TRIANGLE; domain++) {
        const struct tessellation_state s = state_of(domain, PARTITION_EVEN, TESSELLATES_POINTS);
        struct tessellation t;
        assert_true(tessellate_all(&t, &s, 6));
        assert_int_equal(t.points, domain == DOMAIN_QUAD ? 49 : 18 + 12 + 6 + 1);
        assert_int_equal(t.primitives, t.points);
        for (uint32_t n = 0; n < t.primitives; n++) {
            uint32_t of[3];
            tessellation_primitive(&t, n, of);
            assert_int_equal(of[0], n);
            assert_int_equal(of[1], n);
        }
    }
}

/* Whatever bits there are: numbers stay in their bounds, and what is asked for beyond is something. */
static void hostile_bits(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (unsigned i = 0; i < 20000; i++) {
        struct tessellation_state s =
            state_of((uint8_t)below(&seed, 4), (uint8_t)below(&seed, 4), (uint8_t)below(&seed, 4));
        uint32_t bits[FACTORS + 2];
        float factors[FACTORS + 2];
        struct tessellation t;
        for (unsigned n = 0; n < FACTORS + 2; n++)
            bits[n] = (uint32_t)random_next(&seed) & (i % 2 ? UINT32_MAX : 0x7fffffff);
        memcpy(factors, bits, sizeof bits);
        s.max_tess_factor_odd = factors[FACTORS];
        s.max_tess_factor = factors[FACTORS + 1];
        if (!tessellate(&t, &s, factors))
            continue;
        assert_in_range(t.points, 2, MOST_POINTS);
        assert_in_range(t.primitives, 1, MOST_TRIANGLES);
        for (unsigned n = 0; n < 20; n++) {
            uint32_t of[3];
            float at[3];
            tessellation_primitive(&t, n ? below(&seed, 1 << 14) : UINT32_MAX, of);
            for (unsigned corner = 0; corner < 3; corner++) {
                assert_in_range(of[corner], 0, t.points - 1);
                tessellation_point(&t, of[corner], at);
                assert_true(at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1);
            }
            tessellation_point(&t, (uint32_t)random_next(&seed), at);
            assert_true(at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1);
        }
    }
}

TEST_PROGRAM(tessellator_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),   cmocka_unit_test(any_factors), cmocka_unit_test(shared_edges),
        cmocka_unit_test(places_on_edges), cmocka_unit_test(culls),       cmocka_unit_test(cuts_factors),
        cmocka_unit_test(no_numbers),      cmocka_unit_test(isolines),    cmocka_unit_test(points),
        cmocka_unit_test(hostile_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
