/*
 * Busyness of the engines, for drivers that set the frequency. Intervals of RP_UP_EI and RP_DOWN_EI are
 * compared with their thresholds. After an interval at or above the up threshold, below the upper limit of
 * RP_INTERRUPT_LIMITS, the up interrupt is raised. After an interval below the down threshold, above the
 * lower limit, the down interrupt is raised. A third interrupt follows RP_DOWN_TIMEOUT without work. The GT
 * is busy if any engine has work. Times are in units of sixteen timestamps.
 *
 * Modelled: the average of an interval. Not modelled: the other modes of RP_CONTROL (minimum, maximum,
 * continuous). (SNB PRM vol 2; Linux, intel_rps)
 */
#include "gt/gt.h"

enum { RP_DOWN_TIMEOUT = 0xa010, RP_INTERRUPT_LIMITS = 0xa014, RP_CONTROL = 0xa024, PMINTRMSK = 0xa168 };
enum { RP_ENABLE = 1u << 7 };
enum { DOWN_TIMEOUT = 1u << 6 };
enum { LEAST_TICKS = 100 }; /* of an interval: a shorter one is judged as if it were so long */

static const struct side {
    uint32_t interval, threshold; /* registers */
    uint32_t ended, crossed;      /* interrupts: an interval is over; the threshold tells */
} sides[GT_SIDES] = {
    [GT_UP] = {0xa068, 0xa02c, 1u << 2, 1u << 5},
    [GT_DOWN] = {0xa06c, 0xa030, 1u << 1, 1u << 4},
};

static uint64_t ticks_ns(const struct gt *gt, uint64_t ticks)
{
    return ticks * (UINT64_C(16000000000) / 1000u) / (gt->engines->info->timestamp_hz / 1000u);
}

static uint32_t ns_ticks(const struct gt *gt, uint64_t ns)
{
    const uint64_t a_second = UINT64_C(1000000000), hz = gt->engines->info->timestamp_hz;
    return (uint32_t)((ns / a_second * hz + ns % a_second * hz / a_second) / 16u) & 0xffffffu;
}

static bool enabled(const struct gt *gt)
{
    return gt_register(gt, RP_CONTROL) & RP_ENABLE;
}

/* 0: it is not judged. */
static uint64_t interval_ns(const struct gt *gt, unsigned side)
{
    const uint32_t ticks = gt_register(gt, sides[side].interval);
    return !enabled(gt) || !ticks ? 0 : ticks_ns(gt, ticks < LEAST_TICKS ? LEAST_TICKS : ticks);
}

static void raise(struct gt *gt, uint32_t bits)
{
    bits &= ~gt_register(gt, PMINTRMSK);
    if (bits) {
        struct interrupt *i = gt->engines->interrupt;
        i->info->raise(i, gt->info->power_line, bits);
    }
}

static bool below_upper_limit(const struct gt *gt)
{
    const struct frequency_format *f = gt->info->frequency;
    return gt_frequency(gt) < gt_register(gt, RP_INTERRUPT_LIMITS) >> f->upper_shift;
}

static bool above_lower_limit(const struct gt *gt)
{
    const struct frequency_format *f = gt->info->frequency;
    const uint32_t limits = gt_register(gt, RP_INTERRUPT_LIMITS);
    return gt_frequency(gt) > (limits & ((1u << f->upper_shift) - 1u)) >> f->lower_shift;
}

static void judge(struct gt *gt, unsigned side, uint64_t busy_ns)
{
    const bool busy = busy_ns >= ticks_ns(gt, gt_register(gt, sides[side].threshold));
    const bool crossed = side == GT_UP ? busy && below_upper_limit(gt) : !busy && above_lower_limit(gt);
    raise(gt, sides[side].ended | (crossed ? sides[side].crossed : 0));
}

static void side_advance(struct gt *gt, unsigned side, uint64_t before_ns, bool busy)
{
    struct gt_interval *const i = &gt->busyness.intervals[side];
    const uint64_t now_ns = gt->log->now_ns, length_ns = interval_ns(gt, side);
    if (!length_ns)
        return;
    const uint64_t end_ns = i->began_ns + length_ns, until_ns = end_ns < now_ns ? end_ns : now_ns;
    i->busy_ns += busy && until_ns > before_ns ? until_ns - before_ns : 0;
    if (end_ns > now_ns)
        return;
    /* Later ones are equal, and an interrupt register holds two events at most. */
    const uint64_t more = (now_ns - end_ns) / length_ns, same_ns = busy ? length_ns : 0;
    judge(gt, side, i->busy_ns);
    for (unsigned n = 0; n < more && n < 2; n++)
        judge(gt, side, same_ns);
    i->previous_ns = more ? same_ns : i->busy_ns;
    i->began_ns = end_ns + more * length_ns;
    i->busy_ns = busy ? now_ns - i->began_ns : 0;
}

static uint64_t timeout_ns(const struct gt *gt)
{
    const uint32_t ticks = gt_register(gt, RP_DOWN_TIMEOUT);
    const struct gt_busyness *b = &gt->busyness;
    return enabled(gt) && ticks && b->idle_since_ns != UINT64_MAX && !b->timed_out
               ? b->idle_since_ns + ticks_ns(gt, ticks)
               : UINT64_MAX;
}

void busyness_advance(struct gt *gt, uint64_t before_ns)
{
    struct gt_busyness *const b = &gt->busyness;
    bool busy = false;
    for (unsigned i = 0; i < gt->engine_count; i++)
        busy |= engine_has_work(&gt->engines[i]);
    for (unsigned side = 0; side < GT_SIDES; side++)
        side_advance(gt, side, before_ns, busy);
    if (busy)
        b->timed_out = false;
    b->idle_since_ns = busy ? UINT64_MAX : b->idle_since_ns == UINT64_MAX ? before_ns : b->idle_since_ns;
    if (timeout_ns(gt) <= gt->log->now_ns) {
        b->timed_out = true;
        if (above_lower_limit(gt))
            raise(gt, DOWN_TIMEOUT);
    }
}

uint64_t busyness_next_event_ns(const struct gt *gt)
{
    const uint32_t heard = ~gt_register(gt, PMINTRMSK);
    uint64_t next_ns = heard & DOWN_TIMEOUT ? timeout_ns(gt) : UINT64_MAX;
    for (unsigned side = 0; side < GT_SIDES; side++) {
        const uint64_t length_ns = interval_ns(gt, side),
                       end_ns = gt->busyness.intervals[side].began_ns + length_ns;
        if (length_ns && heard & (sides[side].ended | sides[side].crossed) && end_ns < next_ns)
            next_ns = end_ns;
    }
    return next_ns > gt->log->now_ns ? next_ns : gt->log->now_ns + 1u;
}

static void begin(struct gt *gt, unsigned side)
{
    struct gt_interval *const i = &gt->busyness.intervals[side];
    *i = (struct gt_interval){.began_ns = gt->log->now_ns, .previous_ns = i->previous_ns};
}

/* Both begin when they are enabled. */
static void control_written(const struct register_access *w)
{
    for (unsigned side = 0; side < GT_SIDES && w->value & ~w->old_value & RP_ENABLE; side++)
        begin(w->owner, side);
}

static void up_interval_written(const struct register_access *w)
{
    begin(w->owner, GT_UP);
}

static void down_interval_written(const struct register_access *w)
{
    begin(w->owner, GT_DOWN);
}

/* Up, then down: how long this interval is so far, how long it was busy, how long the last was busy. */
static uint32_t current_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct gt *gt = at->owner;
    const struct gt_interval *i = &gt->busyness.intervals[at->index / 3u];
    const uint64_t lasts_ns = interval_ns(gt, at->index / 3u) ? gt->log->now_ns - i->began_ns : 0;
    return ns_ticks(gt, at->index % 3u == 0 ? lasts_ns : at->index % 3u == 1 ? i->busy_ns : i->previous_ns);
}

#define RPS "SNB PRM vol 2; Linux, intel_rps"
#define KEPT(title, at, text, ...)                                                                           \
    {                                                                                                        \
        .name = (title), .offset = (at), .writable = 0xffffffff, .summary = (text), .spec = RPS, __VA_ARGS__ \
    }
static const struct field control_fields[] = {
    {"Enable", 7, 7, FIELD_BOOL, NULL},
    {"Up", 3, 5, FIELD_UINT,
     (const struct field_value[]){
         {"least idle", 0}, {"most busy", 1}, {"average", 2}, {"busy without a pause", 4}, {NULL, 0}}},
    {"Down", 0, 2, FIELD_UINT,
     (const struct field_value[]){{"idle without a pause", 1}, {"average", 2}, {NULL, 0}}},
};
static const struct field heard_fields[] = {
    {"RP DOWN TIMEOUT", 6, 6, FIELD_BOOL, NULL},    {"RP UP THRESHOLD", 5, 5, FIELD_BOOL, NULL},
    {"RP DOWN THRESHOLD", 4, 4, FIELD_BOOL, NULL},  {"RP UP EI EXPIRED", 2, 2, FIELD_BOOL, NULL},
    {"RP DOWN EI EXPIRED", 1, 1, FIELD_BOOL, NULL},
};
static const struct reg rows[] = {
    KEPT("RP_DOWN_TIMEOUT", RP_DOWN_TIMEOUT, "Time without work until software is asked for less.", ),
    KEPT("RP_INTERRUPT_LIMITS", RP_INTERRUPT_LIMITS,
         "Frequencies from which on nobody asks for more, or for less.", ),
    KEPT("RP_CONTROL", RP_CONTROL, "How busy-ness is judged.", FIELDS(control_fields),
         .after_write = control_written),
    KEPT("RP_UP_THRESHOLD", 0xa02c, "Busy time in an interval from which on software is asked for more.", ),
    KEPT("RP_DOWN_THRESHOLD", 0xa030, "Busy time in an interval below which software is asked for less.", ),
    {.name = "RP_CURRENT",
     .offset = 0xa050,
     .count = 6,
     .stride = 4,
     .before_read = current_read,
     .summary = "This interval so far, busy time in it, busy time in the last: up, then down.",
     .spec = RPS},
    KEPT("RP_UP_EI", 0xa068, "Interval that is judged for more.", .after_write = up_interval_written),
    KEPT("RP_DOWN_EI", 0xa06c, "Interval that is judged for less.", .after_write = down_interval_written),
    KEPT("PMINTRMSK", PMINTRMSK, "Interrupts of power management kept back.", FIELDS(heard_fields)),
};

const struct register_block busyness_registers = REGISTER_BLOCK("busyness", rows);
