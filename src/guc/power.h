/* The management of frequencies, which a host starts with a page that both share. */
#ifndef GUC_POWER_H
#define GUC_POWER_H

#include "guc/message.h"

/* The page is there from now on; parameters that it says are the host's. */
enum guc_error guc_power_start(struct guc *g, uint32_t shared);
void guc_power_stop(struct guc *g);
/* The page tells limits as they are. */
enum guc_error guc_power_query(struct guc *g, uint32_t shared);
/* The host sets a parameter; NULL: it is the firmware's again. */
enum guc_error guc_power_parameter(struct guc *g, uint32_t number, const uint32_t *value);
/* Engines have got work, or time has gone on: another frequency may be asked for. */
void guc_power_update(struct guc *g);
/* When that is so by itself. */
uint64_t guc_power_next_ns(const struct guc *g);

#endif
