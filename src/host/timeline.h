/*
 * A timeline of a device for the Perfetto UI (ui.perfetto.dev), in the JSON form of Chrome's trace viewer: a
 * track for each engine with contexts, batches and waits as slices, draws, blits, interrupts, complaints and
 * its own register reads, and one for the processor's register accesses. Time is virtual; what happens at one
 * moment is shown a nanosecond apart. A file that was cut can still be opened.
 */
#ifndef HOST_TIMELINE_H
#define HOST_TIMELINE_H

#include <softgt/softgt.h>

struct timeline;

enum {
    TIMELINE_EVENTS = SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_CONTEXTS | SOFTGT_TRACE_INTERRUPTS |
                      SOFTGT_TRACE_READS | SOFTGT_TRACE_BATCHES | SOFTGT_TRACE_COMMANDS | SOFTGT_TRACE_BLITS |
                      SOFTGT_TRACE_GUC | SOFTGT_TRACE_COMPLAINTS
};

/* NULL and errno: the file cannot be made. `all_commands`: not only draws and other jobs. */
struct timeline *timeline_open(const char *path, const char *device, bool all_commands);
/* This process was forked from the one that draws it: what it does is not shown. */
void timeline_abandon_in_child(struct timeline *t);
/* Of the file that it writes. */
int timeline_descriptor(const struct timeline *t);
/* The trace port's function; `timeline` is a struct timeline. Wants TIMELINE_EVENTS. */
void timeline_event(void *timeline, const struct softgt_event *event);
/* Ends open slices and the file; where what was to be shown failed before anything happened, the file is as
 * it was before. False and errno: not everything could be written. */
bool timeline_close(struct timeline *t, bool failed);

#endif
