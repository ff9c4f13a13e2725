/*
 * Registers that select the flexible events of A7 to A20.
 *
 * Up to Gen11 they are in the images of the render engine's contexts. From Gen12 on, a context of any engine
 * with threads can set its own. A context without uses the values written last: drivers write them once, from
 * one context. Bit 31 in an image means that the context has none. (SYS-19, SYS-20)
 */
#include "oa/oa.h"

#include "engine/engine.h"

#define NONE_OF_ITS_OWN 0x80000000u

static const uint32_t places[OA_FLEXIBLE_CONTROLS] = {0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c};

static unsigned flexible_control_index(uint32_t offset)
{
    unsigned n = 0;
    while (n + 1u < OA_FLEXIBLE_CONTROLS && places[n] != offset)
        n++;
    return n;
}

/* The index of an engine whose contexts have their own values; OA_THREAD_ENGINES: none. */
static unsigned thread_engine_index(const struct oa *oa, const struct engine *e)
{
    if (!e || !oa->info->counters.flexible_events_per_context || !engine_has_threads(e))
        return OA_THREAD_ENGINES;
    const unsigned place = e->info->class == CLASS_COMPUTE ? 1u + e->info->instance : 0;
    return place < OA_THREAD_ENGINES ? place : OA_THREAD_ENGINES;
}

static bool has_own(const struct oa *oa, unsigned place)
{
    return place < OA_THREAD_ENGINES && oa->flexible_events.is_set[place];
}

uint32_t oa_flexible_control(const struct oa *oa, const struct engine *e, unsigned n)
{
    const unsigned place = thread_engine_index(oa, e);
    return has_own(oa, place)                               ? oa->flexible_events.control[place][n]
           : oa->info->counters.flexible_events_per_context ? oa->flexible_events.common[n]
                                                            : register_value(oa->mmio, places[n]);
}

void oa_flexible_controls(const struct oa *oa, const struct engine *e, uint32_t values[OA_FLEXIBLE_CONTROLS])
{
    const bool per_context = oa->info->counters.flexible_events_per_context;
    const unsigned place = thread_engine_index(oa, e);
    const uint32_t *const from =
        has_own(oa, place) ? oa->flexible_events.control[place] : oa->flexible_events.common;
    for (unsigned n = 0; n < OA_FLEXIBLE_CONTROLS; n++)
        values[n] = per_context ? from[n] : register_value(oa->mmio, places[n]);
}

void oa_flexible_reset_context(struct oa *oa, const struct engine *e)
{
    const unsigned place = thread_engine_index(oa, e);
    if (place < OA_THREAD_ENGINES)
        oa->flexible_events.is_set[place] = 0;
}

/* The engine of the accessing context; NULL: it is no context. */
static const struct engine *engine_of(const struct accessor *by)
{
    return by->kind == ACCESSOR_COMMAND || by->kind == ACCESSOR_RESTORE ? by->client : NULL;
}

static uint32_t control_read(const struct register_access *at, uint32_t stored)
{
    const struct oa *const oa = at->owner;
    const struct engine *const e = engine_of(at->accessor);
    const bool none = at->accessor->kind == ACCESSOR_RESTORE && !has_own(oa, thread_engine_index(oa, e));
    (void)stored;
    return oa_flexible_control(oa, e, flexible_control_index(at->offset)) | (none ? NONE_OF_ITS_OWN : 0);
}

static void flexible_control_written(const struct register_access *w)
{
    struct oa *const oa = w->owner;
    const struct engine *const e = engine_of(w->accessor);
    const bool restores = w->accessor->kind == ACCESSOR_RESTORE;
    const unsigned n = flexible_control_index(w->offset),
                   place = e && e->context.valid ? thread_engine_index(oa, e) : OA_THREAD_ENGINES;
    uint32_t written = 0;
    for (unsigned i = 0; i < 4; i++)
        written |= w->bytes >> i & 1u ? 0xffu << i * 8u : 0;
    const uint32_t value =
        (oa_flexible_control(oa, e, n) & ~written) | (w->written & written & ~NONE_OF_ITS_OWN);
    if (restores && w->written & NONE_OF_ITS_OWN)
        return;
    if (place < OA_THREAD_ENGINES) {
        if (!oa->flexible_events.is_set[place])
            memcpy(oa->flexible_events.control[place], oa->flexible_events.common,
                   sizeof oa->flexible_events.common);
        oa->flexible_events.is_set[place] = 1;
        oa->flexible_events.control[place][n] = value;
    }
    /* Values of a virtual function's context apply to that context only. */
    if (!restores && !w->accessor->function)
        oa->flexible_events.common[n] = value;
}

#define ROW(title, at, counters, ...)                                                                        \
    {                                                                                                        \
        .name = (title), .offset = (at), .flags = REG_SURVIVES_ENGINE_RESET, .reset = OA_NO_FLEXIBLE_EVENTS, \
        __VA_ARGS__,                                                                                         \
        .summary =                                                                                           \
            "Flexible EU events of " counters ", 12 bits each: increment event, coarse and fine filter.",    \
        .spec = "SYS-19, BDW PRM vol 2c"                                                                     \
    }
#define ROWS(...)                                                                                            \
    ROW("EU_PERF_CNT_CTL0", 0xe458, "A7 and A8", __VA_ARGS__),                                               \
        ROW("EU_PERF_CNT_CTL1", 0xe558, "A9 and A10", __VA_ARGS__),                                          \
        ROW("EU_PERF_CNT_CTL2", 0xe658, "A11 and A12", __VA_ARGS__),                                         \
        ROW("EU_PERF_CNT_CTL3", 0xe758, "A13 and A14", __VA_ARGS__),                                         \
        ROW("EU_PERF_CNT_CTL4", 0xe45c, "A15 and A16", __VA_ARGS__),                                         \
        ROW("EU_PERF_CNT_CTL5", 0xe55c, "A17 and A18", __VA_ARGS__),                                         \
        ROW("EU_PERF_CNT_CTL6", 0xe65c, "A19 and A20", __VA_ARGS__)
static const struct reg rows[] = {ROWS(.writable = 0xffffffff)};
static const struct reg context_rows[] = {ROWS(.writable = 0xffffffff & ~NONE_OF_ITS_OWN,
                                               .before_read = control_read,
                                               .after_write = flexible_control_written)};

const struct register_block flexible_event_registers = REGISTER_BLOCK("observation", rows);
const struct register_block gen12_flexible_event_registers = REGISTER_BLOCK("observation", context_rows);
