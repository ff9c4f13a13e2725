/* The GuC's log in memory: a page of states, then the data of the parts. */
#ifndef GUC_LOG_H
#define GUC_LOG_H

#include "guc/guc.h"

enum guc_log { LOG_EVENTS, LOG_CRASHES, LOG_CAPTURES, LOG_PARTS };

/* State of a part, in dwords: markers, read pointer, write pointer, size, ... */
enum { LOG_READ = 2, LOG_WRITE, LOG_SIZE, LOG_SAMPLED, LOG_WRAP, LOG_FLAGS, LOG_VERSION, LOG_STATE_DW };
enum { LOG_FLUSHES = 1u << 0 }; /* the host shall read it */

struct guc_log_part {
    uint32_t state, data, bytes; /* GGTT addresses; bytes 0: no log */
};
struct guc_log_part guc_log_part(const struct guc *g, enum guc_log part);
/* At boot: empties all parts. */
void guc_log_init(struct guc *g);
/* Asks the host to read the log. */
void guc_log_flush(struct guc *g);

#endif
