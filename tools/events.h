/* Events of a device as lines for people and objects for programs, and where in a run they happen. */
#ifndef TOOLS_EVENTS_H
#define TOOLS_EVENTS_H

#include "tool.h"

#include "aub/replay.h"
#include "host/event_text.h"
#include "host/eu_trace.h"

enum { FOLLOWED_ENGINES = 32, FOLLOWED_DEPTH = 8 };

struct followed {
    const char *unit;
    bool has_context;
    uint64_t lrca, context_id;
    unsigned depth;                 /* batches it is in */
    uint64_t batches;               /* begun up to now: the number of the last */
    uint64_t batch[FOLLOWED_DEPTH]; /* numbers of those it is in */
};

/* What engines are at, from the events of FOLLOWED_EVENTS. Starts as {0}. */
struct follower {
    struct replay_position position; /* of a trace: kept by its replay */
    bool is_trace;
    struct followed engines[FOLLOWED_ENGINES];
};

enum { FOLLOWED_EVENTS = SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_BATCHES };

void follower_event(struct follower *f, const struct softgt_event *e);
/* Never NULL: an engine that did nothing yet has nothing. */
const struct followed *follower_engine(const struct follower *f, const char *unit);
/* Number of the batch that the engine is in; 0: none. */
uint64_t followed_batch(const struct followed *e);

/* One object, softgt.event. */
struct json_object *event_json(const struct follower *f, const struct softgt_event *e);

/* The same of an instruction that a thread has run. */
struct json_object *instruction_json(const struct follower *f, const struct softgt_eu_thread *thread);
/* The last one of --eu-trace-limit was shown. */
struct json_object *instruction_limit_json(uint64_t limit);

/* What an option says of instructions; bad words end the tool. */
void tool_eu_filter(struct argp_state *state, const char *option, const char *text, struct eu_filter *filter);

/* The rest of a batch behind a command that is none, as far as where commands begin can be told: an event of
 * SOFTGT_EVENT_NOT_RUN for each, the last without dwords and with a text where it was given up. `stop` is the
 * engine's SOFTGT_EVENT_STOP. */
void events_behind(struct softgt *device, const struct softgt_event *unknown, void *user,
                   void (*each)(void *user, const struct softgt_event *e));

#endif
