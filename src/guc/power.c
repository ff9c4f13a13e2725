/*
 * The requested frequency: the maximum while an engine runs a context, the minimum some time after the last
 * one has stopped. The product has limits, which the host narrows. (Linux, xe_guc_pc.c, intel_guc_slpc.c)
 */
#include "guc/power.h"

#include "guc/registers.h"

/* The shared page: size and state, limits, the host's parameters. */
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

static uint32_t slpc_parameter(const struct guc *g, unsigned number, uint32_t otherwise)
{
    return g->power.override_mask >> number & 1u ? g->power.values[number] : otherwise;
}

static uint32_t clamp_units(uint32_t units, uint32_t least, uint32_t most)
{
    return units < least ? least : units > most ? most : units;
}

static uint32_t units_of(uint32_t mhz)
{
    return mhz < 10000 ? mhz * 3u / 50u : UINT32_MAX;
}

struct frequency_limits {
    uint32_t least, most; /* in 50/3 MHz */
};

/* If the limits cross, both are the lower limit. (IGT, xe_gt_freq: freq_low_max) */
static struct frequency_limits frequency_limits(const struct guc *g)
{
    const uint32_t can = guc_register(g, RP_STATE_CAP), lowest = (can >> 16 & 0xffu) * UNITS_PER_STEP,
                   highest = (can & 0xffu) * UNITS_PER_STEP;
    const uint32_t least = clamp_units(units_of(slpc_parameter(g, PARAMETER_MIN, 0)), lowest, highest);
    return (struct frequency_limits){
        least, clamp_units(units_of(slpc_parameter(g, PARAMETER_MAX, UINT32_MAX)), least, highest)};
}

static bool engines_are_busy(const struct guc *g)
{
    bool busy = false;
    for (unsigned e = 0; e < g->engine_count; e++)
        busy |= g->engine_states.list[e].active != GUC_NO_CONTEXT;
    return busy;
}

static bool manages_frequency(const struct guc *g)
{
    return g->power.shared_data && !slpc_parameter(g, DISABLE_FREQUENCIES, 0) &&
           !slpc_parameter(g, DISABLE_MANAGEMENT, 0);
}

static void request_frequency(struct guc *g)
{
    const struct frequency_limits l = frequency_limits(g);
    const uint32_t request = (g->power.busy ? l.most : l.least) << 23;
    if (manages_frequency(g) && guc_register(g, RPNSWREQ) != request)
        register_write(g->mmio, gt_offset(g->gt, RPNSWREQ), request, 0xf, &g->by);
}

static bool write_shared_data(struct guc *g, uint32_t page, uint32_t state)
{
    const struct frequency_limits l = frequency_limits(g);
    const uint32_t task[2] = {(manages_frequency(g) ? (uint32_t)FREQUENCIES_MANAGED : 0) |
                                  (slpc_parameter(g, ENABLE_BALANCER, 0) ? (uint32_t)BALANCES : 0),
                              l.most | l.least << 8 | l.most << 16 | l.least << 24};
    const uint32_t head[2] = {SHARED_BYTES, state};
    return guc_store(g->functions, page + SHARED_TASK, task, sizeof task) &&
           guc_store(g->functions, page, head, sizeof head);
}

/* The maximum of a parameter. */
static uint32_t parameter_max(uint32_t number)
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
    struct guc_power power = {.shared_data = shared,
                              .rc6 = g->power.rc6,
                              .yield_ms = g->power.yield_ms,
                              .yield_percent = g->power.yield_percent,
                              .busy = engines_are_busy(g),
                              .busy_ns = g->log->now_ns};
    if (!shared || shared % PAGE_BYTES ||
        !guc_load(g->functions, shared + SHARED_SET, &power.override_mask, sizeof power.override_mask) ||
        !guc_load(g->functions, shared + SHARED_VALUES, power.values, sizeof power.values))
        return GUC_ERROR_ADDRESS;
    for (uint32_t i = 0; i < GUC_PARAMETERS; i++)
        if (power.override_mask >> i & 1u && power.values[i] > parameter_max(i))
            return GUC_ERROR_PARAMETERS;
    g->power = power;
    request_frequency(g);
    return write_shared_data(g, shared, STATE_RUNNING) ? GUC_DONE : GUC_ERROR_ADDRESS;
}

void guc_power_stop(struct guc *g)
{
    if (g->power.shared_data)
        write_shared_data(g, g->power.shared_data, STATE_NOT_RUNNING);
    g->power.shared_data = g->power.busy = 0;
}

enum guc_error guc_power_query(struct guc *g, uint32_t shared)
{
    if (!g->power.shared_data)
        return GUC_ERROR_STATE;
    return !(shared % PAGE_BYTES) &&
                   write_shared_data(g, shared ? shared : g->power.shared_data, STATE_RUNNING)
               ? GUC_DONE
               : GUC_ERROR_ADDRESS;
}

enum guc_error guc_power_parameter(struct guc *g, uint32_t number, const uint32_t *value)
{
    if (number >= GUC_PARAMETERS || (value && *value > parameter_max(number)))
        return GUC_ERROR_PARAMETERS;
    g->power.values[number] = value ? *value : 0;
    g->power.override_mask = (g->power.override_mask & ~(1u << number)) | (value ? 1u << number : 0);
    request_frequency(g);
    return GUC_DONE;
}

void guc_power_update(struct guc *g)
{
    if (!g->power.shared_data)
        return;
    const bool now = engines_are_busy(g);
    if (now)
        g->power.busy_ns = g->log->now_ns;
    const bool busy = now || (g->power.busy && g->log->now_ns - g->power.busy_ns < IDLE_NS);
    if (busy == g->power.busy)
        return;
    g->power.busy = busy;
    request_frequency(g);
}

uint64_t guc_power_next_ns(const struct guc *g)
{
    return g->power.busy && !engines_are_busy(g) ? g->power.busy_ns + IDLE_NS : UINT64_MAX;
}
