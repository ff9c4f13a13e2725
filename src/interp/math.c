#include "interp/execute.h"

#define LANES 1
#include "interp/math_lanes.h"

/*
 * The extended mathematical functions of floats. Hardware's are within one to four units of the last place;
 * these are computed in doubles, to less than a thousandth of one, and rounded to the nearest. Only what C
 * and IEEE give to the last bit is used (sums, products, quotients, roots): results are the same on all
 * hosts.
 *
 * From Gen12 on IGC divides halves by inv in floats and a product into halves. Where a quotient is a tie,
 * which only one below the least normal half can be, the result is one neighbour or the other, by the sign of
 * inv's error; no rounding of inv makes both 77760 / 1920 and 79680 / 1920 (40.5 and 41.5) even. That is the
 * sequence's, not inv's.
 */

/* What a quotient lacks, for the types that are doubles themselves. */
static double lacks(double quotient, double a, double b)
{
    return quotient - quotient == 0 && b - b == 0 ? fma(-quotient, b, a) / b : 0;
}

double eu_math_function(unsigned function, double a, double b, double *error)
{
    real_lanes x = {a};
    const real_lanes y = {b};
    lanes_function((enum math_function)function, &x, &y);
    *error = function == MATH_FDIV || function == MATH_INVM ? lacks(x[0], a, b) : 0;
    return x[0];
}
