/* Where engines are in a run, of a trace or not: contexts and batches, from trace events. */
#ifndef AUB_POSITION_TRACKER_H
#define AUB_POSITION_TRACKER_H

#include "aub/replay.h"
#include "host/event_json.h"

/* The positions of engines, from TRACKED_EVENTS. Starts as {0}. */
struct position_tracker {
    struct replay_position position; /* of a trace: set by its replay */
    bool is_trace;
    struct engine_position engines[TRACKED_ENGINES];
};

void position_tracker_event(struct position_tracker *f, const struct softgt_event *e);
/* Never NULL: an idle engine has an empty position. */
const struct engine_position *position_tracker_engine(const struct position_tracker *f, const char *unit);
struct event_place position_tracker_place(const struct position_tracker *f, const char *unit);

#endif
