/* Rules: what an operation computes in one channel. exec_integer.c and exec_float.c define them,
 * exec_generic.c calls them. */
#ifndef INTERP_EXEC_RULES_H
#define INTERP_EXEC_RULES_H

#include "interp/execute.h"

typedef eu_wide eu_integer_rule(const struct eu_decoded *op, const eu_wide *s);
/* Returns the nearest double; *error is the exact result minus it. */
typedef double eu_float_rule(const double *s, unsigned type, double *error);

extern eu_integer_rule *const eu_integer_rules[EU_OPERATIONS]; /* exec_integer.c */
extern eu_float_rule *const eu_float_rules[EU_OPERATIONS];     /* exec_float.c */

/* a * b + c, rounded once. */
double eu_fused_multiply_add(double a, double b, double c, unsigned type, double *error);

static inline eu_unsigned_wide eu_low_bits(eu_wide x, unsigned bits)
{
    return (eu_unsigned_wide)x & (((eu_unsigned_wide)1 << bits) - 1u);
}

#endif
