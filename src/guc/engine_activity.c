/* Busyness of engines, written to memory in two formats that the host can ask for. (Linux, intel_guc_fwif.h,
 * xe_guc_engine_activity_types.h) */
#include "guc/functions.h"
#include "guc/schedule.h"

enum { LOGICAL_ENGINES = 32 };

/* A record for each class and logical engine: the context, its start time, and the sum of earlier times; 32
 * bits of clock. */
static void write_engine_usage(struct guc *g, unsigned engine, uint32_t id, bool begins)
{
    enum { RECORD_BYTES = 32, TOTAL_AT = 12 };
    struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t at = g->boot.engine_usage + (g->derived.class_of[engine] * (uint32_t)LOGICAL_ENGINES +
                                                g->derived.logical_of[engine]) *
                                                   RECORD_BYTES;
    const uint32_t now = (uint32_t)guc_clock(g);
    const uint32_t record[2] = {begins ? id : UINT32_MAX, begins ? (now ? now : 1u) : 0};
    guc_store32(g->functions, at + TOTAL_AT, (uint32_t)s->busy_ticks);
    guc_store(g->functions, at, record, sizeof record);
}

static void write_engine_activity(struct guc *g, unsigned engine, bool begins)
{
    enum { RECORD_BYTES = 16, CHANGES_AT = 8, WHOLE = 1 << 15 };
    struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint32_t at = g->boot.activity + (g->derived.class_of[engine] * (uint32_t)LOGICAL_ENGINES +
                                            g->derived.logical_of[engine]) *
                                               RECORD_BYTES;
    const uint32_t record[4] = {(++s->activity_changes & 0xffffu) | (uint32_t)WHOLE << 16,
                                begins ? (uint32_t)guc_clock(g) : 0, (uint32_t)s->busy_ticks,
                                (uint32_t)(s->busy_ticks >> 32)};
    guc_store(g->functions, at, record, sizeof record);
    guc_store32(g->functions, g->boot.activity_metadata + CHANGES_AT, ++g->boot.activity_changes);
}

void guc_engine_activity_update(struct guc *g, unsigned engine, uint32_t id, bool begins)
{
    struct guc_engine_state *s = &g->engine_states.list[engine];
    const uint64_t now = guc_clock(g), ticks = begins ? 0 : now - s->busy_since_ticks;
    if (begins)
        s->busy_since_ticks = now;
    s->busy_ticks += ticks;
    guc_context_owner(g, id)->state.busy_ticks += ticks;
    if (g->boot.engine_usage)
        write_engine_usage(g, engine, id, begins);
    if (g->boot.activity)
        write_engine_activity(g, engine, begins);
}

uint64_t guc_vf_busy_ms(const struct guc *g, unsigned function)
{
    uint64_t ticks = g->functions[function].state.busy_ticks;
    for (const struct guc_engine_state *s = g->engine_states.list;
         s < g->engine_states.list + g->engine_count; s++)
        if (s->active != GUC_NO_CONTEXT && guc_context_owner(g, s->active)->number == function)
            ticks += guc_clock(g) - s->busy_since_ticks;
    return ticks / (g->info->timestamp_hz / 1000u);
}
