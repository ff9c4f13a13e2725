/* The log in memory: a page of states, then what the parts hold. */
#ifndef GUC_LOG_H
#define GUC_LOG_H

#include "guc/guc.h"

enum guc_log { LOG_EVENTS, LOG_CRASHES, LOG_CAPTURES, LOG_PARTS };

/* A part's state: markers, how far the host has read and the GuC written, how long it is, ... */
enum { LOG_READ = 2, LOG_WRITE, LOG_SIZE, LOG_SAMPLED, LOG_WRAP, LOG_FLAGS, LOG_VERSION, LOG_STATE_DW };
enum { LOG_FLUSHES = 1u << 0 }; /* the host shall read it */

struct guc_log_part {
    uint32_t state, data, bytes; /* in the GGTT; bytes 0: there is no log */
};
struct guc_log_part guc_log_part(const struct guc *g, enum guc_log part);
/* Firmware has booted: all parts are empty. */
void guc_log_init(struct guc *g);
/* The host shall read what there is, and is told. */
void guc_log_flush(struct guc *g);

#endif
