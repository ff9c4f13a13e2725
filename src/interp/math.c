/*
 * Math functions in one channel.
 *
 * They are computed in doubles to less than a thousandth of an ulp of a float, and rounded to nearest;
 * hardware is within one to four ulp. They use only operations that IEEE defines to the last bit, so results
 * are the same on all hosts.
 *
 * From Gen12 on, IGC divides halves by a float inv, a product, and a conversion to half. If the quotient is a
 * tie, which needs a denormal half, the sign of inv's error selects the neighbour. No rounding of inv makes
 * both 77760 / 1920 and 79680 / 1920 (40.5 and 41.5) even: this is the sequence's error, not inv's.
 */
#include "interp/execute.h"

#define LANES 1
#include "interp/math_lanes.h"

/* The error of a quotient: needed for DF, where doubles have no spare bits. */
static double quotient_error(double quotient, double a, double b)
{
    return quotient - quotient == 0 && b - b == 0 ? fma(-quotient, b, a) / b : 0;
}

double eu_math_function(unsigned function, double a, double b, double *error)
{
    double_lanes x = {a};
    const double_lanes y = {b};
    lanes_function((enum math_function)function, &x, &y);
    *error = function == MATH_FDIV || function == MATH_INVM ? quotient_error(x[0], a, b) : 0;
    return x[0];
}
