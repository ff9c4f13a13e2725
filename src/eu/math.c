#include "eu/execute.h"

#include <math.h>

/*
 * The extended mathematical functions of floats. Hardware's are within one to four units of the last place;
 * these are computed in doubles, to less than a thousandth of one, and rounded to the nearest. Only what C
 * and IEEE give to the last bit is used (sums, products, quotients, roots): results are the same on all
 * hosts.
 */

/* 2^x for a fraction of -0.5 to 0.5: its series. */
static double exp2_small(double x)
{
    const double y = x * 0x1.62e42fefa39efp-1;
    double sum = 1, term = 1;
    for (int n = 1; n <= 14; n++) {
        term = term * y / n;
        sum += term;
    }
    return sum;
}

static double exp_2(double x)
{
    if (x != x)
        return x;
    if (x > 2000)
        return (double)INFINITY;
    if (x < -2000)
        return 0;
    const double whole = floor(x + 0.5);
    return ldexp(exp2_small(x - whole), (int)whole);
}

/* log2 by the series of atanh((m - 1) / (m + 1)), m from sqrt(1/2) to sqrt(2). */
static double log_2(double x)
{
    int exponent;
    if (x != x || x < 0)
        return (double)NAN;
    if (x == 0)
        return -(double)INFINITY;
    if (x == (double)INFINITY)
        return x;
    double m = frexp(x, &exponent);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        exponent--;
    }
    const double z = (m - 1) / (m + 1), square = z * z;
    double sum = 0;
    for (int n = 27; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    return exponent + 2 * z * sum * 0x1.71547652b82fep0;
}

/* The sine of x plus a quarter's turns. */
static double sine(double x, unsigned quarters)
{
    if (x != x || x == (double)INFINITY || x == -(double)INFINITY)
        return (double)NAN;
    if (x == 0 && !quarters)
        return x;
    if (fabs(x) > 0x1p26)
        x = fmod(x, 0x1.921fb54442d18p2);
    /* A quarter of a turn in three parts, of which the first two have few bits. */
    const double turns = floor(x * 0x1.45f306dc9c883p-1 + 0.5);
    const double y = x - turns * 0x1.921fb4p0 - turns * 0x1.4442dp-24 - turns * 0x1.8469898cc5170p-48;
    const double square = y * y;
    const unsigned quarter = ((unsigned)(int64_t)turns + quarters) & 3u;
    double sum, term = quarter & 1u ? 1 : y;
    sum = term;
    for (int n = quarter & 1u ? 1 : 2; n < 20; n += 2) {
        term = -term * square / (n * (n + 1));
        sum += term;
    }
    return quarter & 2u ? -sum : sum;
}

static double power(double a, double b)
{
    if (b == 0)
        return 1;
    return exp_2(b * log_2(fabs(a)));
}

/* What a quotient or root lacks, for the types that are doubles themselves. */
static double quotient(double a, double b, double *error)
{
    const double q = a / b;
    *error = q - q == 0 && b - b == 0 ? fma(-q, b, a) / b : 0;
    return q;
}

double eu_math_real(unsigned function, double a, double b, double *error)
{
    enum { INV = 1, LOG, EXP, SQT, RSQT, SIN, COS, FDIV = 9, POW, INVM = 14, RSQTM };
    *error = 0;
    switch (function) {
    case INV:
        return 1 / a;
    case LOG:
        return log_2(a);
    case EXP:
        return exp_2(a);
    case SQT:
    case RSQTM: /* of a root's macro this is the result, with early out: see values.c */
        return sqrt(a);
    case RSQT:
        return 1 / sqrt(a);
    case SIN:
        return sine(a, 0);
    case COS:
        return sine(a, 1);
    case FDIV:
    case INVM:
        return quotient(a, b, error);
    default:
        return power(a, b);
    }
}
