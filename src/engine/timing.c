/*
 * Virtual time of commands, with a time model: an engine parses the next command when the earlier ones have
 * ended. A command takes effect at once; its clocks pass afterwards. The parser does not know the model:
 * costs follow from its counters.
 */
#include "engine/engine.h"

/* A jump and a MI_NOOP cost their dwords; a job is what nothing performs: a draw, a dispatch, a codec's. */
static uint64_t clocks_of(const struct engine *e, uint64_t dwords, uint64_t bytes_stored)
{
    const struct engine_costs *const costs = e->time_model.costs;
    const uint16_t row = e->parse.header ? command_find(e->commands.set, e->info->class, e->parse.header) : 0;
    const uint64_t command = !dwords || !row                                    ? 0
                             : e->commands.set->rows[row]->flags & COMMAND_WORK ? costs->job_clocks
                                                                                : costs->command_clocks;
    return command + dwords * costs->dword_clocks + bytes_stored / costs->bytes_in_clock;
}

/* Clocks take 60 ns by the frequency, which counts 50/3 MHz. */
static void charge(struct engine *e, uint64_t clocks)
{
    const uint32_t frequency = e->time_model.frequency(e->mmio), divisor = frequency ? frequency : 1u;
    const uint64_t sixtieths = clocks * 60u + e->timing.left;
    e->timing.until_ns += sixtieths / divisor;
    e->timing.left = sixtieths % divisor;
}

void engine_timing_begin(struct engine *e)
{
    const uint64_t now_ns = e->log->now_ns;
    if (e->time_model.costs && e->timing.until_ns < now_ns)
        e->timing = (struct timing){.until_ns = now_ns};
}

uint64_t engine_parse_timed(struct engine *e, uint64_t budget_dw)
{
    uint64_t used = 0;
    while (used < budget_dw && e->parse.state == SOFTGT_ENGINE_RUNNING && !engine_is_halted(e) &&
           !engine_is_busy(e) && !e->log->is_held) {
        const uint64_t dwords = e->totals.dwords, bytes = e->totals.memory.bytes_stored;
        used += engine_parse(e, 1);
        charge(e, clocks_of(e, e->totals.dwords - dwords, e->totals.memory.bytes_stored - bytes));
        engine_notify_drained(e);
    }
    return used;
}
