/* Plays a program's operations on a device or into an AUB file. Messages go through the source. */
#ifndef PLAYER_PLAY_H
#define PLAYER_PLAY_H

#include "gts/machine.h"
#include "gts/program.h"
#include "gts/source.h"

#include <stdio.h>

/* Plays one operation. False: the play ends. Failed expectations are counted and do not end it. */
struct gts_target {
    void *user;
    bool (*perform)(void *user, const struct gts_operation *o);
};

static inline bool gts_play(const struct gts_program *p, const struct gts_target *target)
{
    for (size_t i = 0; i < p->count; i++)
        if (!target->perform(target->user, &p->operations[i]))
            return false;
    return true;
}

/* The target of a trace: a path, or a file, which is closed. */
struct gts_trace {
    const char *path;
    FILE *file;
};

/* The text of a location in messages: "ggtt:0x1000", "rcs0.RING_BUFFER_TAIL". */
void gts_location_text(const struct gts_operation *o, uint64_t offset, char *text, size_t size);

enum gts_result gts_play_on_device(const struct gts_program *p, struct gts_source *source);
/* The same, and all variants that must give the same results. */
enum gts_result gts_check_on_device(const struct gts_program *p, struct gts_source *source);
enum gts_result gts_play_into_aub(const struct gts_program *p, struct gts_source *source,
                                  const struct softgt_device_info *info, const struct gts_trace *trace);

#endif
