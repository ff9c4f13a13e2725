/* What the core is interrupted for, and what it does first. (SYS-16) */
#ifndef GUC_INTERRUPTS_H
#define GUC_INTERRUPTS_H

#include "guc/guc.h"

enum { GROUP_DOORBELLS = 0, GROUP_ENGINES = 10, GROUP_HOST = 13 };
/* The physical function, the first 31 virtual ones, the others. */
static inline unsigned guc_host_group(unsigned function)
{
    return (unsigned)GROUP_HOST + (function > 0 ? 1u : 0u) + (function > 31 ? 1u : 0u);
}
enum guc_source { SOURCE_NONE, SOURCE_ENGINES_0, SOURCE_ENGINES_1, SOURCE_DOORBELLS, SOURCE_HOST };

/* How urgent groups are follows from registers. */
void guc_interrupts_settle(struct guc *g);
/* Firmware is up: it assigns pins, and says that the core is ready. */
void guc_interrupts_enable(struct guc *g);
enum guc_source guc_interrupts_next(const struct guc *g);

#endif
