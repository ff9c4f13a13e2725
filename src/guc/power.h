/* Frequency management (SLPC), started by the host with a page of shared data. */
#ifndef GUC_POWER_H
#define GUC_POWER_H

#include "guc/guc.h"

/* Starts with the page; parameters set in it override the defaults. */
enum guc_error guc_power_start(struct guc *g, uint32_t shared);
void guc_power_stop(struct guc *g);
/* Writes the current limits into the page. */
enum guc_error guc_power_query(struct guc *g, uint32_t shared);
/* Sets a parameter; NULL: restores the default. */
enum guc_error guc_power_parameter(struct guc *g, uint32_t number, const uint32_t *value);
/* Requests another frequency if engines have become busy or idle. */
void guc_power_update(struct guc *g);
/* Time of the next such change without an event. */
uint64_t guc_power_next_ns(const struct guc *g);

#endif
