/* Interrupts of the core: groups, their urgency, and which source is served first. (SYS-16) */
#ifndef GUC_INTERRUPTS_H
#define GUC_INTERRUPTS_H

#include "guc/guc.h"

enum { GROUP_DOORBELLS = 0, GROUP_ENGINES = 10, GROUP_HOST = 13 };
/* The group of HOST_INTERRUPT: the PF, VFs 1 to 31, other VFs. */
static inline unsigned guc_host_group(unsigned function)
{
    return (unsigned)GROUP_HOST + (function > 0 ? 1u : 0u) + (function > 31 ? 1u : 0u);
}
enum guc_source { SOURCE_NONE, SOURCE_ENGINES_0, SOURCE_ENGINES_1, SOURCE_DOORBELLS, SOURCE_HOST };

/* Computes the urgency of groups from the registers. */
void guc_interrupts_settle(struct guc *g);
/* At boot: assigns the pins and sets CORE_INTERRUPT_READY. */
void guc_interrupts_enable(struct guc *g);
enum guc_source guc_interrupts_next(const struct guc *g);

#endif
