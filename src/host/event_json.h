/* Events of a device as JSON (schema softgt.event), and where in a run each engine is. */
#ifndef HOST_EVENT_JSON_H
#define HOST_EVENT_JSON_H

#include "base/text.h"

#include <softgt/softgt.h>

enum { TRACKED_ENGINES = 32, TRACKED_DEPTH = 8 };
enum { TRACKED_EVENTS = SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_BATCHES };

struct engine_position {
    const char *unit;
    bool has_context;
    uint64_t lrca, context_id;
    unsigned depth;                  /* nesting of batches */
    uint64_t batches;                /* batches started so far */
    uint64_t batch[TRACKED_DEPTH];   /* numbers of the current batches */
    uint64_t address[TRACKED_DEPTH]; /* graphics addresses at which they began */
};

/* Follows TRACKED_EVENTS. Starts as {0}. */
void engine_positions_event(struct engine_position engines[TRACKED_ENGINES], const struct softgt_event *e);
/* Never NULL: an idle engine has an empty position. */
const struct engine_position *engine_positions_find(const struct engine_position engines[TRACKED_ENGINES],
                                                    const char *unit);
/* The number of the engine's current batch, and its address; 0: none. */
uint64_t engine_position_batch(const struct engine_position *e);
uint64_t engine_position_address(const struct engine_position *e);

/* The place of an event in a run. */
struct event_place {
    const struct engine_position *engine;
    bool is_trace; /* the run is of a trace: */
    uint64_t submission, file_offset;
};

/* Begins the object of an event: class, time, unit and place. Members and "}" follow. */
void event_json_begin(struct text *t, const struct event_place *place, const char *class, uint64_t now_ns,
                      const char *unit);
/* Appends the object of an event. */
void event_json_write(struct text *t, const struct event_place *place, const struct softgt_event *e);

#endif
