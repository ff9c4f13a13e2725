/* Rows of pixels in vectors, for the levels of the host. */
#ifndef OUTPUT_MERGER_PIXEL_ROWS_H
#define OUTPUT_MERGER_PIXEL_ROWS_H

#include "shared_function/target_plan.h"

#include "simd/levels.h"

/* Functions for a level of the host. (target_plan.c) */
const struct pixel_functions *pixel_functions_of(enum eu_simd_level level);

/* pixel_rows.c and depth_rows.c are compiled once for each of them. */
bool depth_row_test_any(struct depth_row *r);
extern const struct pixel_functions pixel_functions_any;
#if defined(__x86_64__)
bool depth_row_test_v3(struct depth_row *r);
extern const struct pixel_functions pixel_functions_v3, pixel_functions_v4; /* v4: of the sampler alone */
#endif

#endif
