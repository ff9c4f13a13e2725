#include "aub/position_tracker.h"

const struct engine_position *position_tracker_engine(const struct position_tracker *f, const char *unit)
{
    return engine_positions_find(f->engines, unit);
}

void position_tracker_event(struct position_tracker *f, const struct softgt_event *e)
{
    engine_positions_event(f->engines, e);
}

struct event_place position_tracker_place(const struct position_tracker *f, const char *unit)
{
    return (struct event_place){.engine = position_tracker_engine(f, unit),
                                .is_trace = f->is_trace,
                                .submission = f->position.submission,
                                .file_offset = f->position.offset};
}
