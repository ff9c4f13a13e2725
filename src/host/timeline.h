/*
 * A timeline of a device for the Perfetto UI (ui.perfetto.dev): Perfetto's protocol buffers in a file whose
 * name ends in .pftrace, else the JSON form of Chrome's trace viewer. Each engine has a track: contexts,
 * batches, waits, draws and dispatches are slices; blits, interrupts, complaints and its register reads are
 * events. A track beside it has the EU threads of each draw and dispatch. Others show the CPU's register
 * accesses and the GuC's messages. Time is virtual; events of the same moment are shown a nanosecond apart. A
 * truncated file can still be opened.
 */
#ifndef HOST_TIMELINE_H
#define HOST_TIMELINE_H

#include <softgt/softgt.h>

struct timeline;

enum {
    TIMELINE_EVENTS = SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_INTERRUPTS |
                      SOFTGT_TRACE_READS | SOFTGT_TRACE_BATCHES | SOFTGT_TRACE_COMMANDS | SOFTGT_TRACE_BLITS |
                      SOFTGT_TRACE_GUC | SOFTGT_TRACE_COMPLAINTS | SOFTGT_TRACE_DRAWS
};

/* NULL and errno: the file cannot be created. `all_commands`: not only draws and similar jobs. */
struct timeline *timeline_open(const char *path, const char *device, bool all_commands);
/* In a forked child: its events are not shown. */
void timeline_abandon_in_child(struct timeline *t);
/* The descriptor of the file. */
int timeline_descriptor(const struct timeline *t);
/* The trace port's function; `timeline` is a struct timeline. Wants TIMELINE_EVENTS. */
void timeline_event(void *timeline, const struct softgt_event *event);
/* Ends open slices and the file. With `failed` and no event the old file stays. False and errno: the file is
 * incomplete. */
bool timeline_close(struct timeline *t, bool failed);

#endif
