/*
 * Doorbells: a write, to a cacheline of memory or to a page of registers, that says that a context has work.
 * 256 can be armed, of either kind; what rings is collected in a bit until the GuC looks. (SYS-14)
 */
#ifndef GUC_DOORBELLS_H
#define GUC_DOORBELLS_H

#include "guc/message.h"

enum guc_error guc_doorbell_arm(struct guc *g, uint32_t id, uint32_t number, uint32_t in_memory,
                                uint32_t place);
void guc_doorbell_disarm(struct guc *g, uint32_t id);
void guc_doorbells_disarm_all(struct guc *g);
/* What registers say of what has rung. */
void guc_doorbells_settle(struct guc *g);
/* Registers were reset, but not those that have doorbells: each that is armed shows, and rings, as which of
 * them had rung is lost. */
void guc_doorbells_ring_armed(struct guc *g);
/* Firmware is up: it is told of those that ring. */
void guc_doorbells_enable(struct guc *g);
/* Those in memory may have rung. */
void guc_doorbells_poll_memory(struct guc *g);
/* Those that have rung are served. */
void guc_doorbells_service(struct guc *g);
/* scheduling_messages.c: a context says that there is more. */
void guc_process_work(struct guc *g, uint32_t id);

#endif
