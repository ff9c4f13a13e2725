/* Reads of what an earlier draw or dispatch wrote, and what no PIPE_CONTROL has made visible since. */
#ifndef DRAWS_HAZARDS_H
#define DRAWS_HAZARDS_H

#include "draws/draws.h"

#include "stream/index.h"

/* The events that it needs while a draw or dispatch is open. */
enum { HAZARD_EVENTS = SOFTGT_TRACE_MEMORY | TRACE_DRAW_DETAILS, HAZARD_ENGINES = 32 };

/* Of a replay. Starts as {0}. */
struct hazards {
    struct engine_writes *engines[HAZARD_ENGINES]; /* NULL: nothing yet */
};

/* Where an engine is. */
struct hazard_place {
    struct softgt *device;
    unsigned engine;
    uint64_t context; /* LRCA; 0: none */
    uint64_t last;    /* the number of the latest draw or dispatch of all engines */
};

/* Each command that an engine executes: it may flush and invalidate. False: out of memory. */
bool hazards_command(struct hazards *h, const struct hazard_place *at, const struct softgt_event *e);
/* A draw or dispatch begins. Hazards of commands that load its parameters are added to the record. */
void hazards_begin(struct hazards *h, const struct hazard_place *at, struct draw_record *record);
/* An event of an open draw or dispatch. Its hazards are added to the record. */
void hazards_event(struct hazards *h, const struct hazard_place *at, struct draw_record *record,
                   const struct draw_surface *surfaces, unsigned surface_count, const struct softgt_event *e);
void hazards_free(struct hazards *h);

#endif
