/* The watchdog: a counter that virtual time moves, an interrupt where it comes to its threshold. (CSP-10,
 * REN-13, VCS-07) */
#include "engine/engine.h"

/* The counting rate in Hz; 0: stopped. In PR_CTR_CTL zero in bits 30:0 starts the counter, bit 31 selects
 * clocks instead of timestamps. It counts while an execlist context is loaded. */
static uint64_t counted_hz(const struct engine *e)
{
    const struct watchdog_info *info = &e->info->watchdog;
    const uint32_t control = engine_register(e, PR_CTR_CTL);
    const bool stopped = info->counter_is_control ? !e->status.watchdog_counts : control & 0x7fffffffu;
    if (stopped || !(info->clocks_only || (e->context.valid && engine_execlists_enabled(e))))
        return 0;
    return info->clocks_only || control >> 31 ? info->clock_hz : e->info->timestamp_hz;
}

static uint32_t counter(const struct engine *e)
{
    return e->info->watchdog.counter_is_control ? PR_CTR_CTL : PR_CTR;
}

/* The count at which it is equal to the threshold: one that is past it has to come round. VCS_CNTR, though,
 * need only exceed it: one that does expires as it counts on. */
static uint64_t expiry(const struct engine *e)
{
    const uint32_t threshold = engine_register(e, PR_CTR_THRSH), count = engine_register(e, counter(e));
    if (count <= threshold)
        return threshold;
    return e->info->watchdog.counter_is_control ? count + UINT64_C(1) : threshold + (UINT64_C(1) << 32);
}

void engine_watchdog_advance(struct engine *e, uint64_t before_ns)
{
    const uint64_t hz = counted_hz(e);
    if (!hz)
        return;
    const uint32_t threshold = engine_register(e, PR_CTR_THRSH);
    const uint64_t at = expiry(e);
    const uint64_t count =
        engine_register(e, counter(e)) + engine_ticks(e->log->now_ns, hz) - engine_ticks(before_ns, hz);
    const uint64_t expiries = threshold && count >= at ? 1u + (count - at) / threshold : 0;
    engine_register_set(e, counter(e), (uint32_t)(expiries ? (count - at) % threshold : count));
    /* IIR holds one event and a second pending one; further events have no effect that software sees. */
    const uint64_t raised = expiries < 2 ? expiries : 2;
    for (uint64_t i = 0; i < raised; i++)
        engine_interrupt(e, INTERRUPT_WATCHDOG);
    e->totals.interrupts += expiries - raised;
    if (expiries && e->submission->watchdog)
        e->submission->watchdog(e);
    if (expiries && e->execlists.by_guc) {
        e->status.watchdog_expired = true;
        engine_signal_event(e);
    }
}

uint64_t engine_watchdog_next_ns(const struct engine *e)
{
    const uint64_t hz = counted_hz(e), now_ns = e->log->now_ns;
    const uint64_t left = expiry(e) - engine_register(e, counter(e));
    if (!hz || !engine_register(e, PR_CTR_THRSH))
        return UINT64_MAX;
    return left ? engine_ticks_end_ns(engine_ticks(now_ns, hz) + left, hz) : now_ns + 1u;
}
