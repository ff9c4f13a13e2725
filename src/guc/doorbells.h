/*
 * Doorbells: a write to a cache line of memory, or to a page of registers, says that a context has work. 256
 * can be armed, of either kind. Rings are collected as bits until the GuC services them. (SYS-14)
 */
#ifndef GUC_DOORBELLS_H
#define GUC_DOORBELLS_H

#include "guc/guc.h"

enum guc_error guc_doorbell_arm(struct guc *g, uint32_t id, uint32_t number, uint32_t in_memory,
                                uint32_t place);
void guc_doorbell_disarm(struct guc *g, uint32_t id);
void guc_doorbells_disarm_all(struct guc *g);
/* Computes the derived state from the registers that hold the rings. */
void guc_doorbells_settle(struct guc *g);
/* After a reset of the registers, with armed doorbells kept: shows each armed doorbell again and rings it,
 * because the rings are lost. */
void guc_doorbells_ring_armed(struct guc *g);
/* At boot: rings interrupt the core from now on. */
void guc_doorbells_enable(struct guc *g);
/* Rings the doorbells in memory that have a changed cookie. */
void guc_doorbells_poll_memory(struct guc *g);
/* Services the rung doorbells. */
void guc_doorbells_service(struct guc *g);
/* scheduling_messages.c: submits the work that a context has announced. */
void guc_process_work(struct guc *g, uint32_t id);

#endif
