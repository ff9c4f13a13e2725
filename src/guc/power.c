/*
 * Which frequency is asked for: the highest that is allowed while an engine has a context, the lowest some
 * time after none has. Both limits are the part's, closer ones the host's. (Linux, xe_guc_pc.c,
 * intel_guc_slpc.c)
 */
#include "guc/power.h"

#include "guc/registers.h"

/* The page: its size and state, what limits there are, the host's parameters. */
enum { SHARED_TASK = 0x80, SHARED_SET = 0xc0, SHARED_VALUES = 0xe0, SHARED_BYTES = 8192 };
enum { STATE_NOT_RUNNING = 0, STATE_RUNNING = 3 };
enum { FREQUENCIES_MANAGED = 1u << 0, BALANCES = 1u << 15 };
enum {
    DISABLE_FREQUENCIES = 1,
    ENABLE_BALANCER = 2,
    PARAMETER_MIN = 6,
    PARAMETER_MAX = 7,
    DISABLE_MANAGEMENT = 11,
    RC6_MODE = 21,
    MEDIA_RATIO = 24,
    POWER_PROFILE = 27,
    IGNORE_EFFICIENT = 28,
};
enum { RPNSWREQ = 0xa008, RP_STATE_CAP = 0x145998, UNITS_PER_STEP = 3 }; /* of 50/3 MHz */
enum { IDLE_NS = 10000000 };

static uint32_t parameter(const struct guc *g, unsigned number, uint32_t otherwise)
{
    return g->power.set >> number & 1u ? g->power.values[number] : otherwise;
}

static uint32_t within(uint32_t units, uint32_t least, uint32_t most)
{
    return units < least ? least : units > most ? most : units;
}

static uint32_t units_of(uint32_t mhz)
{
    return mhz < 10000 ? mhz * 3u / 50u : UINT32_MAX;
}

struct limits {
    uint32_t least, most; /* in 50/3 MHz */
};

/* Of two that cross the lower limit counts, as if both were it. (IGT, xe_gt_freq: freq_low_max) */
static struct limits limits(const struct guc *g)
{
    const uint32_t can = register_value(g->mmio, RP_STATE_CAP), lowest = (can >> 16 & 0xffu) * UNITS_PER_STEP,
                   highest = (can & 0xffu) * UNITS_PER_STEP;
    const uint32_t least = within(units_of(parameter(g, PARAMETER_MIN, 0)), lowest, highest);
    return (struct limits){least, within(units_of(parameter(g, PARAMETER_MAX, UINT32_MAX)), least, highest)};
}

static bool works(const struct guc *g)
{
    uint32_t active = 0;
    for (unsigned e = 0; e < g->engine_count; e++)
        active |= g->slots.list[e].active;
    return active;
}

static bool manages(const struct guc *g)
{
    return g->power.shared && !parameter(g, DISABLE_FREQUENCIES, 0) && !parameter(g, DISABLE_MANAGEMENT, 0);
}

static void ask(struct guc *g)
{
    const struct limits l = limits(g);
    const uint32_t request = (g->power.busy ? l.most : l.least) << 23;
    if (manages(g) && register_value(g->mmio, RPNSWREQ) != request)
        register_write(g->mmio, RPNSWREQ, request, 0xf, &g->by);
}

static bool tell(struct guc *g, uint32_t page, uint32_t state)
{
    const struct limits l = limits(g);
    const uint32_t task[2] = {(manages(g) ? (uint32_t)FREQUENCIES_MANAGED : 0) |
                                  (parameter(g, ENABLE_BALANCER, 0) ? (uint32_t)BALANCES : 0),
                              l.most | l.least << 8 | l.most << 16 | l.least << 24};
    const uint32_t head[2] = {SHARED_BYTES, state};
    return guc_store(g->clients, page + SHARED_TASK, task, sizeof task) &&
           guc_store(g->clients, page, head, sizeof head);
}

/* The most that a parameter may be. */
static uint32_t most_of(uint32_t number)
{
    switch (number) {
    case RC6_MODE:
        return 3;
    case MEDIA_RATIO:
        return 2;
    case POWER_PROFILE:
    case IGNORE_EFFICIENT:
        return 1;
    default:
        return UINT32_MAX;
    }
}

enum guc_error guc_power_start(struct guc *g, uint32_t shared)
{
    struct guc_power power = {.shared = shared,
                              .rc6 = g->power.rc6,
                              .yield_ms = g->power.yield_ms,
                              .yield_percent = g->power.yield_percent,
                              .busy = works(g),
                              .busy_ns = g->witness->now_ns};
    if (!shared || shared % PAGE_BYTES ||
        !guc_load(g->clients, shared + SHARED_SET, &power.set, sizeof power.set) ||
        !guc_load(g->clients, shared + SHARED_VALUES, power.values, sizeof power.values))
        return GUC_ERROR_ADDRESS;
    for (uint32_t i = 0; i < GUC_PARAMETERS; i++)
        if (power.set >> i & 1u && power.values[i] > most_of(i))
            return GUC_ERROR_PARAMETERS;
    g->power = power;
    ask(g);
    return tell(g, shared, STATE_RUNNING) ? GUC_DONE : GUC_ERROR_ADDRESS;
}

void guc_power_stop(struct guc *g)
{
    if (g->power.shared)
        tell(g, g->power.shared, STATE_NOT_RUNNING);
    g->power.shared = g->power.busy = 0;
}

enum guc_error guc_power_query(struct guc *g, uint32_t shared)
{
    if (!g->power.shared)
        return GUC_ERROR_STATE;
    return !(shared % PAGE_BYTES) && tell(g, shared ? shared : g->power.shared, STATE_RUNNING)
               ? GUC_DONE
               : GUC_ERROR_ADDRESS;
}

enum guc_error guc_power_parameter(struct guc *g, uint32_t number, const uint32_t *value)
{
    if (number >= GUC_PARAMETERS || (value && *value > most_of(number)))
        return GUC_ERROR_PARAMETERS;
    g->power.values[number] = value ? *value : 0;
    g->power.set = (g->power.set & ~(1u << number)) | (value ? 1u << number : 0);
    ask(g);
    return GUC_DONE;
}

void guc_power_look(struct guc *g)
{
    if (!g->power.shared)
        return;
    const bool now = works(g);
    if (now)
        g->power.busy_ns = g->witness->now_ns;
    const bool busy = now || (g->power.busy && g->witness->now_ns - g->power.busy_ns < IDLE_NS);
    if (busy == g->power.busy)
        return;
    g->power.busy = busy;
    ask(g);
}

uint64_t guc_power_next_ns(const struct guc *g)
{
    return g->power.busy && !works(g) ? g->power.busy_ns + IDLE_NS : UINT64_MAX;
}
