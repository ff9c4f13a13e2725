/* Events of a device as JSON objects, and the positions of engines in a run. */
#ifndef TOOLS_EVENTS_H
#define TOOLS_EVENTS_H

#include "tool.h"

#include "aub/position_tracker.h"
#include "host/event_json.h"
#include "host/event_text.h"
#include "host/eu_trace.h"

/* An object of schema softgt.event. */
struct json_object *event_json(const struct position_tracker *f, const struct softgt_event *e);
/* Prints it as a line. */
void event_json_print(FILE *to, const struct event_place *place, const struct softgt_event *e);

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
