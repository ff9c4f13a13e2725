/* What values.c shares with the rules of integers and of floats. */
#ifndef INTERP_EXEC_RULES_H
#define INTERP_EXEC_RULES_H

#include "interp/execute.h"

typedef eu_wide eu_integer_rule(const struct eu_decoded *op, const eu_wide *s);
/* The nearest double, and its error. */
typedef double eu_float_rule(const double *s, unsigned type, double *error);

extern eu_integer_rule *const eu_integer_rules[EU_OPERATIONS]; /* integers.c */
extern eu_float_rule *const eu_float_rules[EU_OPERATIONS];     /* reals.c */

/* a * b + c. */
double eu_fused_multiply_add(double a, double b, double c, unsigned type, double *error);

static inline eu_unsigned_wide eu_low_bits(eu_wide x, unsigned bits)
{
    return (eu_unsigned_wide)x & (((eu_unsigned_wide)1 << bits) - 1u);
}

#endif
