/* Events of a device as JSON objects, and the positions of engines in a run. */
#ifndef TOOLS_EVENTS_H
#define TOOLS_EVENTS_H

#include "tool.h"

#include "aub/replay.h"
#include "host/event_text.h"
#include "host/eu_trace.h"

enum { TRACKED_ENGINES = 32, TRACKED_DEPTH = 8 };

struct engine_position {
    const char *unit;
    bool has_context;
    uint64_t lrca, context_id;
    unsigned depth;                /* nesting of batches */
    uint64_t batches;              /* batches started so far */
    uint64_t batch[TRACKED_DEPTH]; /* numbers of the current batches */
};

/* The positions of engines, from TRACKED_EVENTS. Starts as {0}. */
struct position_tracker {
    struct replay_position position; /* of a trace: set by its replay */
    bool is_trace;
    struct engine_position engines[TRACKED_ENGINES];
};

enum { TRACKED_EVENTS = SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_BATCHES };

void position_tracker_event(struct position_tracker *f, const struct softgt_event *e);
/* Never NULL: an idle engine has an empty position. */
const struct engine_position *position_tracker_engine(const struct position_tracker *f, const char *unit);
/* The number of the engine's current batch; 0: none. */
uint64_t engine_position_batch(const struct engine_position *e);

/* An object of schema softgt.event. */
struct json_object *event_json(const struct position_tracker *f, const struct softgt_event *e);

/* The same for an instruction. */
struct json_object *instruction_json(const struct position_tracker *f, const struct softgt_eu_thread *thread);
/* The same for the end of --eu-trace-limit. */
struct json_object *instruction_limit_json(uint64_t limit);

/* Parses the instruction filter of an option. Unknown words end the tool. */
void tool_eu_filter(struct argp_state *state, const char *option, const char *text, struct eu_filter *filter);

/* The rest of a batch after an unknown command, as long as command starts are plausible: an event
 * SOFTGT_EVENT_NOT_RUN for each. The last event may have no dwords and the reason why the listing stops. */
void events_after_unknown(struct softgt *device, const struct softgt_event *unknown, void *user,
                          void (*each)(void *user, const struct softgt_event *e));

#endif
