/*
 * Watches the engines of a device and says in sentences what goes wrong: an engine that hangs, one that is
 * reset while it has work, one that makes no progress. Progress of a context is the ring head: it moves when
 * a batch ends. Time is counted while the context is on its engine. Each standstill is reported once, and its
 * end.
 */
#ifndef HOST_ENGINE_WATCH_H
#define HOST_ENGINE_WATCH_H

#include "host/event_json.h"

struct softgt;

enum { WATCHED_CONTEXTS = 16, WATCHED_STORES = 1024, WATCH_TEXT = 200 };

/* A context, or the ring of an engine without contexts, and how long it has stood still. */
struct watched_context {
    uint64_t key, head; /* descriptor, graphics address of the next command in the ring */
    uint64_t still_ns;  /* host time on the engine without progress */
    uint64_t since_host_ns, since_ns, since_commands, since_instructions; /* when it began */
    uint64_t seen; /* number of the look that saw it last */
    bool used, said;
};

struct engine_watch {
    struct softgt *device; /* NULL: none yet, or resets that are the owner's */
    void *user;
    void (*say)(void *user, const char *sentence); /* one line */
    uint64_t patience_ns; /* host time after which a standstill is reported; 0: never */
    uint64_t looks, last_look_ns;
    unsigned standstills; /* that were reported and have not ended */
    struct engine_position positions[TRACKED_ENGINES];
    struct watched_context contexts[TRACKED_ENGINES][WATCHED_CONTEXTS];
    char fault[TRACKED_ENGINES][WATCH_TEXT]; /* the last page fault that an engine reported */
    /* The last stores of engines, while memory events come. */
    struct watched_store {
        const char *unit;
        uint64_t address, value, now_ns, command;
        bool is_ggtt;
    } stores[WATCHED_STORES];
};

/* The events that it needs. SOFTGT_TRACE_MEMORY is used if it comes. */
enum { ENGINE_WATCH_EVENTS = TRACKED_EVENTS };
void engine_watch_event(struct engine_watch *w, const struct softgt_event *e);
void engine_watch_report(struct engine_watch *w, const struct softgt_report *report);
/* Call it often: it looks twenty times a second. */
void engine_watch_look(struct engine_watch *w, uint64_t host_ns);
/* When it must look again, even if nothing happens; UINT64_MAX: never. */
uint64_t engine_watch_due_ns(const struct engine_watch *w);
/* Forgets all engines: the device was reset. */
void engine_watch_reset(struct engine_watch *w);

#endif
