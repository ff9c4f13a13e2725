/* Rules of operations on floats: one channel, in doubles. */
#include "interp/exec_rules.h"

#include <math.h>

/* a + b and its rounding error. */
static double sum_of(double a, double b, double *error)
{
    const double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

/* a * b and its rounding error, which only DF has: a double holds the product of two 24-bit mantissas. */
static double product_of(double a, double b, unsigned type, double *error)
{
    const double product = a * b;
    *error = type == TYPE_DF && product - product == 0 ? fma(a, b, -product) : 0;
    return product;
}

double eu_fused_multiply_add(double a, double b, double c, unsigned type, double *error)
{
    double lost, below;
    const double product = product_of(a, b, type, &lost);
    if (type != TYPE_DF)
        return sum_of(product, c, error);
    const double result = fma(a, b, c), sum = sum_of(product, c, &below);
    *error = (sum - result) + below + lost;
    return result;
}

static double real_move(const double *s, unsigned type, double *error)
{
    (void)type;
    (void)error;
    return s[0];
}

static double real_add(const double *s, unsigned type, double *error)
{
    (void)type;
    return sum_of(s[0], s[1], error);
}

static double real_add3(const double *s, unsigned type, double *error)
{
    double first, second;
    const double sum = sum_of(s[0], s[1], &first), all = sum_of(sum, s[2], &second);
    (void)type;
    *error = first + second;
    return all;
}

static double real_mul(const double *s, unsigned type, double *error)
{
    return product_of(s[0], s[1], type, error);
}

static double real_mad(const double *s, unsigned type, double *error)
{
    return eu_fused_multiply_add(s[1], s[2], s[0], type, error);
}

static double real_frc(const double *s, unsigned type, double *error)
{
    (void)type;
    if (s[0] - s[0] != 0)
        return (double)NAN;
    const double x = sum_of(s[0], -floor(s[0]), error);
    return x == 0 ? 0 : x;
}

static double real_rndu(const double *s, unsigned type, double *error)
{
    (void)type;
    (void)error;
    return ceil(s[0]);
}

static double real_rndd(const double *s, unsigned type, double *error)
{
    (void)type;
    (void)error;
    return floor(s[0]);
}

static double real_rndz(const double *s, unsigned type, double *error)
{
    (void)type;
    (void)error;
    return trunc(s[0]);
}

static double real_rnde(const double *s, unsigned type, double *error)
{
    (void)type;
    (void)error;
    if (fabs(s[0]) >= 0x1p52 || s[0] != s[0])
        return s[0];
    return copysign(fabs(s[0]) + 0x1p52 - 0x1p52, s[0]);
}

static double real_lrp(const double *s, unsigned type, double *error)
{
    (void)type;
    (void)error;
    return s[0] * s[1] + s[2] * (1 - s[0]);
}

eu_float_rule *const eu_float_rules[EU_OPERATIONS] = {
    [EU_MOV] = real_move,  [EU_ADD] = real_add,   [EU_ADD3] = real_add3, [EU_MUL] = real_mul,
    [EU_MAD] = real_mad,   [EU_MADM] = real_mad,  [EU_LRP] = real_lrp,   [EU_FRC] = real_frc,
    [EU_RNDU] = real_rndu, [EU_RNDD] = real_rndd, [EU_RNDE] = real_rnde, [EU_RNDZ] = real_rndz,
};
