/* What values.c shares with the rules of integers and of floats. */
#ifndef EU_VALUES_H
#define EU_VALUES_H

#include "eu/execute.h"

typedef eu_wide integer_rule(const struct eu_op *op, const eu_wide *s);
/* The nearest double, and what it lacks. */
typedef double real_rule(const double *s, unsigned type, double *error);

extern integer_rule *const eu_integer_rules[EU_OPERATIONS]; /* integers.c */
extern real_rule *const eu_real_rules[EU_OPERATIONS];       /* reals.c */

/* a * b + c. */
double eu_fused(double a, double b, double c, unsigned type, double *error);

static inline eu_unsigned_wide eu_below(eu_wide x, unsigned bits)
{
    return (eu_unsigned_wide)x & (((eu_unsigned_wide)1 << bits) - 1u);
}

#endif
