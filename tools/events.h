/* Events of a device as lines for people and objects for programs, and where in a run they happen. */
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
    unsigned depth;                /* batches it is in */
    uint64_t batches;              /* begun up to now: the number of the last */
    uint64_t batch[TRACKED_DEPTH]; /* numbers of those it is in */
};

/* What engines are at, from the events of FOLLOWED_EVENTS. Starts as {0}. */
struct position_tracker {
    struct replay_position position; /* of a trace: kept by its replay */
    bool is_trace;
    struct engine_position engines[TRACKED_ENGINES];
};

enum { TRACKED_EVENTS = SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_BATCHES };

void position_tracker_event(struct position_tracker *f, const struct softgt_event *e);
/* Never NULL: an engine that did nothing yet has nothing. */
const struct engine_position *position_tracker_engine(const struct position_tracker *f, const char *unit);
/* Number of the batch that the engine is in; 0: none. */
uint64_t engine_position_batch(const struct engine_position *e);

/* One object, softgt.event. */
struct json_object *event_json(const struct position_tracker *f, const struct softgt_event *e);

/* The same of an instruction that a thread has run. */
struct json_object *instruction_json(const struct position_tracker *f, const struct softgt_eu_thread *thread);
/* The last one of --eu-trace-limit was shown. */
struct json_object *instruction_limit_json(uint64_t limit);

/* What an option says of instructions; bad words end the tool. */
void tool_eu_filter(struct argp_state *state, const char *option, const char *text, struct eu_filter *filter);

/* The rest of a batch behind a command that is none, as far as where commands begin can be told: an event of
 * SOFTGT_EVENT_NOT_RUN for each, the last without dwords and with a text where it was given up. `stop` is the
 * engine's SOFTGT_EVENT_STOP. */
void events_after_unknown(struct softgt *device, const struct softgt_event *unknown, void *user,
                          void (*each)(void *user, const struct softgt_event *e));

#endif
