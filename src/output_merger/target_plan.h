/* Finds the plans of render targets. */
#ifndef OUTPUT_MERGER_TARGET_PLAN_H
#define OUTPUT_MERGER_TARGET_PLAN_H

#include "shared_function/shared_function.h"

/* The plan of a message. After a fault, its target is null. */
const struct target_plan *target_plan_find(struct message_context *b, const struct eu_send *m,
                                           const struct render_target_blend *how);
/* Where the TLB has a subspan's pixels, x and y in the surface: the left pixels of both rows in the host, and
 * the address of one. False: it has not all of them for writing. */
bool target_plan_subspan(const struct target_plan *p, const struct mmu *u, uint32_t x, uint32_t y,
                         uint32_t pixels, uint8_t *to[2], uint64_t *address);
/* The same of the four subspans of a square of 4 x 4 pixels, in Z order. False also where these are not at
 * once found. */
bool target_plan_square(const struct target_plan *p, const struct mmu *u, uint32_t x, uint32_t y,
                        uint8_t *to[MESSAGE_SUBSPANS][2], uint64_t *address);

#endif
