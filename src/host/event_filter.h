/* Which events are shown: classes, and for each class patterns of the names of what happens. */
#ifndef HOST_EVENT_FILTER_H
#define HOST_EVENT_FILTER_H

#include <softgt/softgt.h>

enum { EVENT_PATTERNS = 32, EVENT_PATTERN_BYTES = 64, EVENT_FILTER_WHY = 256 };

/* Starts as {0}: nothing is shown. */
struct event_filter {
    uint32_t mask;       /* classes, as in the mask of a trace port */
    uint32_t plain_mask; /* those that are shown without a pattern */
    uint32_t count;
    struct event_pattern {
        uint32_t mask; /* its classes */
        bool excludes;
        char text[EVENT_PATTERN_BYTES];
    } patterns[EVENT_PATTERNS];
};

/*
 * Adds the items of a list, separated by commas: CLASS, CLASS:PATTERN or CLASS:!PATTERN. A pattern has * and
 * ?, upper and lower case are the same. One with a dot is compared with the unit and the name
 * ("rcs0.RING_*"), others with either: the name of a register, a command, a message, a kind of complaint, or
 * an engine. An event is shown if a pattern of its class takes it, or the class stands without one, and no
 * pattern with ! does. False: *why.
 */
bool event_filter_parse(struct event_filter *f, const char *list, char why[EVENT_FILTER_WHY]);
bool event_filter_takes(const struct event_filter *f, const struct softgt_event *e);

#endif
