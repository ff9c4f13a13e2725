/*
 * A counters of shader threads: threads by the stage that dispatched them, memory accesses, and flexible
 * events of execution units.
 *
 * A flexible event is filtered by the dispatching stage (coarse) and by instruction or unit (fine).
 * Combinations that the manual calls unsupported count nothing. (SYS-20)
 */
#include "oa/oa.h"

#include "engine/execution.h"

enum { FLEXIBLE = 2 * OA_FLEXIBLE_CONTROLS, FIRST_FLEXIBLE = 7 };

static const uint8_t free_running[OA_FREE_RUNNING] = {4, 6, 19, 20};

static bool counts_for(const struct oa *oa, const struct engine *e, const struct engine *who, unsigned a)
{
    const bool all = a == OA_SLM_READS || a == OA_SLM_WRITES; /* counts all contexts */
    return (e == who || all) && oa_context_counts(oa, e);
}

void oa_context_add(struct engine *e, unsigned a, uint64_t count)
{
    const uint32_t wide = OA_CONTEXT_A0 + a * 8u, narrow = OA_CONTEXT_A32 + (a - 32u) * 4u;
    if (a < 32)
        engine_register64_set(e, wide, (engine_register64(e, wide) + count) & OA_CONTEXT_A_BITS);
    else
        engine_register_set(e, narrow, engine_register(e, narrow) + (uint32_t)count);
}

static void eu_counter_add(struct oa *oa, struct engine *who, unsigned a, uint64_t count)
{
    if (!count)
        return;
    for (unsigned i = 0; i < OA_FREE_RUNNING; i++)
        if (free_running[i] == a)
            oa->eu_counters.free_running[i] += count;
    if (oa->info->register_ops->enabled(oa) && oa_is_counting_context(oa))
        oa->eu_counters.pending[a] += count;
    for (struct engine *e = oa->engines; e < oa->engines + oa->engine_count; e++)
        if (counts_for(oa, e, who, a))
            oa_context_add(e, a, count);
}

void oa_count_threads(struct oa *oa, struct engine *e, enum oa_shader_stage by, uint64_t count)
{
    static const uint8_t counters[OA_SHADER_STAGES] = {
        [OA_STAGE_VS] = 1, [OA_STAGE_HS] = 2, [OA_STAGE_DS] = 3,     [OA_STAGE_GPGPU] = 4,
        [OA_STAGE_GS] = 5, [OA_STAGE_PS] = 6, [OA_STAGE_COMPUTE] = 4};
    if (oa->info->counters.flexible_events && counters[by])
        eu_counter_add(oa, e, counters[by], count);
}

void oa_count_accesses(struct oa *oa, struct engine *e, enum oa_a_counter which, uint64_t count)
{
    if (oa->info->counters.flexible_events)
        eu_counter_add(oa, e, which, count);
}

/* ---- Flexible events ---- */

#define BIT(n) (1u << (n))
enum { ANY = 0, ROW_0 = 7, ROW_1, UNIT_0 = 7, UNIT_3 = 10 };
#define PLACES (BIT(UNIT_0) | BIT(8) | BIT(9) | BIT(UNIT_3))

/* Fine filters that an increment event supports; 0: all. */
static const uint16_t fine_filters[OA_CORE_EVENTS] = {
    [OA_ALU1] = BIT(ANY) | PLACES,
    [OA_SEND] = BIT(ANY) | BIT(OA_SEND_START) | PLACES,
    [OA_ALU0_AND_ALU1] = BIT(ANY) | PLACES,
    [OA_ACTIVE] = BIT(ANY) | BIT(OA_SEND_START) | PLACES,
    [OA_STALL] = BIT(ANY) | PLACES,
    [OA_OCCUPANCY] = BIT(ANY) | PLACES,
    [OA_ALU0_AND_SYSTOLIC] = BIT(ANY) | PLACES,
};
/* Events without a coarse filter. */
#define OF_NO_THREAD (BIT(OA_ALU0_AND_ALU1) | BIT(OA_ALU0_AND_SYSTOLIC) | BIT(OA_OCCUPANCY) | BIT(OA_CONTROL))

static bool coarse_passes(unsigned filter, unsigned event, const struct oa_eu_event *h)
{
    if (filter == ANY)
        return true;
    if (filter == ROW_0 || filter == ROW_1)
        return h->row == filter - ROW_0;
    return filter < OA_SHADER_STAGES && !(BIT(event) & OF_NO_THREAD) && h->stages & BIT(filter);
}

static bool fine_passes(unsigned filter, unsigned event, const struct oa_eu_event *h)
{
    if (fine_filters[event] && !(fine_filters[event] & BIT(filter)))
        return false;
    if (filter >= UNIT_0)
        return filter <= UNIT_3 && (h->eu & 3u) == filter - UNIT_0;
    return filter == ANY || h->instructions & BIT(filter);
}

/* The selection of a counter. */
struct flexible {
    unsigned event, coarse, fine;
};

/* A register has two counters: 12 bits each. Gen12.5's fifth bit is above both counters: our choice. */
static unsigned flexible_event(uint32_t both, unsigned counter)
{
    return (both >> counter * 12u & 15u) | (both >> (24u + counter) & 1u) << 4;
}

static struct flexible flexible(const struct oa *oa, const struct engine *e, unsigned i)
{
    const uint32_t both = oa_flexible_control(oa, e, i / 2u), control = both >> i % 2u * 12u;
    return (struct flexible){
        .event = flexible_event(both, i % 2u), .coarse = control >> 4 & 15u, .fine = control >> 8 & 15u};
}

/* Free running counters count whether or not the unit is enabled. */
bool oa_pipe_events_enabled(const struct oa *oa, const struct engine *e)
{
    const uint32_t others = BIT(OA_SEND) | BIT(OA_ACTIVE) | BIT(OA_STALL) | BIT(OA_OCCUPANCY);
    uint32_t controls[OA_FLEXIBLE_CONTROLS];
    bool asks = false;
    if (!oa->info->counters.flexible_events)
        return false;
    oa_flexible_controls(oa, e, controls);
    for (unsigned i = 0; i < FLEXIBLE; i++) {
        const unsigned a = FIRST_FLEXIBLE + i, event = flexible_event(controls[i / 2u], i % 2u);
        if (event >= OA_CORE_EVENTS || others & BIT(event))
            continue;
        if (a == free_running[2] || a == free_running[3])
            return true;
        asks = true;
    }
    if (!asks || oa->info->register_ops->enabled(oa))
        return asks;
    for (const struct engine *any = oa->engines; any < oa->engines + oa->engine_count; any++)
        if (oa_context_counts(oa, any))
            return true;
    return false;
}

uint32_t oa_eu_events_enabled(const struct oa *oa, const struct engine *e)
{
    uint32_t asked = oa->info->stages ? BIT(OA_ACTIVE) | BIT(OA_OCCUPANCY) : 0,
             controls[OA_FLEXIBLE_CONTROLS];
    if (!oa->info->counters.flexible_events)
        return asked;
    oa_flexible_controls(oa, e, controls);
    for (unsigned i = 0; i < OA_FLEXIBLE_CONTROLS; i++)
        asked |= BIT(flexible_event(controls[i], 0)) | BIT(flexible_event(controls[i], 1));
    return asked;
}

/* Counters that are not flexible, while counters are enabled. */
static void stage_counter_add(struct oa *oa, unsigned a, uint64_t count)
{
    if (a && oa->info->register_ops->enabled(oa) && oa_is_counting_context(oa))
        oa->eu_counters.pending[a] += count;
}

static void stage_happened(struct oa *oa, const struct oa_eu_event *h)
{
    const struct oa_stages *const s = oa->info->stages;
    const bool active = h->events & 1u << OA_ACTIVE;
    if (active && oa->info->register_ops->enabled(oa) && oa_is_counting_context(oa))
        oa->eu_counters.pending[0] += h->count;
    for (unsigned by = 0; by < OA_SHADER_STAGES; by++) {
        if (!(h->stages >> by & 1u))
            continue;
        stage_counter_add(oa, active ? s->active[by] : 0, h->count);
        stage_counter_add(oa, h->events & 1u << OA_OCCUPANCY ? s->threads[by] : 0, h->count);
    }
}

void oa_count_pixels(struct oa *oa, const uint64_t became[PIXEL_EVENTS], const uint64_t tests[PIXEL_TESTS])
{
    const struct oa_stages *const s = oa->info->stages;
    for (unsigned i = 0; s && i < PIXEL_EVENTS; i++)
        stage_counter_add(oa, s->pixels[i], became[i]);
    for (unsigned i = 0; s && i < PIXEL_TESTS; i++)
        stage_counter_add(oa, s->tests[i], tests[i]);
}

void oa_count_primitives(struct oa *oa, uint64_t clipper, uint64_t setup)
{
    const struct oa_stages *const s = oa->info->stages;
    if (!s)
        return;
    stage_counter_add(oa, s->clipper, clipper);
    stage_counter_add(oa, s->setup, setup);
}

void oa_count_eu_event(struct oa *oa, struct engine *e, const struct oa_eu_event *h)
{
    if (oa->info->stages)
        stage_happened(oa, h);
    if (!oa->info->counters.flexible_events)
        return;
    for (unsigned i = 0; i < FLEXIBLE; i++) {
        const unsigned a = FIRST_FLEXIBLE + i;
        const struct flexible f = flexible(oa, e, i);
        if (f.event >= OA_CORE_EVENTS || !(h->events & BIT(f.event)) ||
            !coarse_passes(f.coarse, f.event, h) || !fine_passes(f.fine, f.event, h))
            continue;
        uint64_t count = h->count;
        if (f.event == OA_OCCUPANCY) {
            const uint64_t slots = h->slots ? h->slots : 1u;
            const uint64_t occupied = oa->eu_counters.occupied_slots[a] % slots + count % slots;
            count = count / slots + occupied / slots;
            oa->eu_counters.occupied_slots[a] = occupied % slots;
        }
        if (count)
            eu_counter_add(oa, e, a, count);
    }
}

uint64_t oa_take_pending(struct oa *oa, unsigned a, uint64_t clocks)
{
    const uint64_t most =
        clocks < UINT64_MAX / OA_MAX_EVENTS_PER_CLOCK ? clocks * OA_MAX_EVENTS_PER_CLOCK : UINT64_MAX;
    const uint64_t told = oa->eu_counters.pending[a] < most ? oa->eu_counters.pending[a] : most;
    oa->eu_counters.pending[a] -= told;
    return told;
}
