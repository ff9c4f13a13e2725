/* An engine's life: how it is made, reset and settled, its turns, its interrupts and errors. */
#include "engine/execution.h"

#include "stream/dump.h"

#include <stdlib.h>

/* Rows that mean something to the engine itself say so by their flags. */
static void find_rows(struct engine *e)
{
    unsigned indirect = 0;
    for (uint16_t number = 1; number < e->commands.set->count; number++) {
        const struct command *c = e->commands.set->rows[number];
        if (!(c->engines & 1u << e->info->class))
            continue;
        if (c->flags & COMMAND_SELECTS_PIPELINE)
            e->commands.pipeline_select = c->match;
        if (c->flags & COMMAND_INDIRECT_STATE && indirect < INDIRECT_MAX)
            e->commands.indirect_state[indirect++] = number;
    }
}

bool engine_create(struct engine *e, const struct engine_info *info, struct device_log *log,
                   struct register_file *mmio, struct interrupt *interrupt, struct memory *memory,
                   const struct command_set *set)
{
    memset(e, 0, sizeof *e);
    e->info = info;
    e->log = log;
    e->mmio = mmio;
    e->interrupt = interrupt;
    e->commands.set = set;
    find_rows(e);
    e->accessor.unprivileged = (struct accessor){.name = info->name, .client = e, .kind = ACCESSOR_COMMAND};
    e->accessor.privileged = e->accessor.restore = e->accessor.unprivileged;
    e->accessor.privileged.privileged = e->accessor.restore.privileged = true;
    e->accessor.restore.kind = ACCESSOR_RESTORE;
    mmu_init(&e->mmu, memory, e, engine_fault);
    e->mmu.write_dropped = engine_write_dropped;
    e->memory =
        (struct memory_client){.mmu = &e->mmu, .counters = &e->totals.memory, .log = log, .unit = info->name};
    e->commands.counts = calloc(set->count, sizeof *e->commands.counts);
    e->commands.earlier.commands = calloc(set->count, sizeof *e->commands.earlier.commands);
    e->buffers.scratch = calloc(SCRATCH_DW, sizeof *e->buffers.scratch);
    if (!e->commands.counts || !e->commands.earlier.commands || !e->buffers.scratch ||
        !pipeline_create(&e->pipeline, set, info->class) ||
        !image_plan_make(&e->images.context, info->contexts.image, info->mmio_base) ||
        !image_plan_make(&e->images.power, info->contexts.power_image, info->mmio_base))
        return false;
    for (const struct register_block *const *b = info->blocks; *b; b++)
        if (!register_file_place(mmio, *b, info->mmio_base, e, info->name))
            return false;
    for (const struct engine_unit *u = info->units; u && u->block; u++)
        if (!register_file_place(mmio, u->block, u->base, e, info->name))
            return false;
    if (!engine_has_threads(e)) /* what only batches with threads may write, CSP-16 */
        for (uint32_t i = 1; i < mmio->slot_count; i++)
            if (mmio->slots[i].owner == e)
                mmio->slots[i].flags &= (uint8_t)~REG_RENDER_NONPRIV_WRITE;
    return true;
}

void engine_destroy(struct engine *e)
{
    pipeline_destroy(&e->pipeline);
    image_plan_free(&e->images.context);
    image_plan_free(&e->images.power);
    free(e->commands.counts);
    free(e->commands.earlier.commands);
    free(e->buffers.scratch);
}

void engine_derive_submission(struct engine *e)
{
    const struct engine_info *info = e->info;
    e->submission = info->contexts.execlists && engine_execlists_enabled(e) ? info->contexts.execlists
                    : e->context.begun                                      ? info->contexts.legacy
                                                                            : &ring_submission;
}

void engine_derive_page_directory(struct engine *e)
{
    const struct ppgtt_root root = e->info->page_directory(e);
    if (root.mode == e->mmu.root.mode &&
        memcmp(root.directory, e->mmu.root.directory, sizeof root.directory) == 0)
        return;
    e->mmu.root = root;
    engine_invalidate_tlb(e);
}

/* The number is in bits 37:32 of the context's descriptor, the place is our choice. (SYS-03) */
void engine_derive_function(struct engine *e)
{
    if (!e->mmu.memory->vf_count)
        return;
    const uint8_t function = e->context.valid ? (uint8_t)(e->context.current.high & VF_MAX) : 0;
    mmu_set_function(&e->mmu, function);
    e->accessor.unprivileged.function = e->accessor.privileged.function = e->accessor.restore.function =
        function;
    engine_derive_privileges(e);
    engine_derive_skip(e);
}

void engine_recompute_derived(void *unit)
{
    struct engine *e = unit;
    engine_derive_function(e);
    e->mmu.root = e->info->page_directory(e);
    engine_derive_submission(e);
    engine_derive_privileges(e);
    engine_derive_skip(e);
    for (unsigned i = 0; i < STREAMS; i++)
        stream_seek(e, i, stream_address(e, i));
}

void engine_drop_work(struct engine *e)
{
    if (e->work.ops && e->work.ops->reset_by_switch)
        e->work.ops->reset(e->work.unit, RESET_ENGINE);
}

void engine_reset(void *unit, enum reset_scope scope)
{
    struct engine *e = unit;
    const bool had_context = e->context.valid;
    engine_trace(e, SOFTGT_EVENT_RESET, e->parse.command_address);
    register_file_reset(e->mmio, e->info->name, scope > RESET_ENGINE);
    if (scope == RESET_POWER)
        engine_keep_counts(e);
    sections_reset(engine_sections, ENGINE_SECTIONS, e, scope);
    memset(e->cursors, 0, sizeof e->cursors);
    pipeline_reset(&e->pipeline);
    if (e->work.ops)
        e->work.ops->reset(e->work.unit, scope);
    if (scope == RESET_POWER)
        memset(e->commands.counts, 0, e->commands.set->count * sizeof *e->commands.counts);
    /* The write pointer shows an entry that does not exist; the first status goes to entry 0. */
    e->execlists.csb_write = e->info->status.entries ? e->info->status.entries - 1u : 0;
    mmu_invalidate(&e->mmu);
    if (e->interrupt->info->status)
        e->interrupt->info->status(e->interrupt, e->info->interrupt, 0);
    engine_flushed(e);
    engine_signal_event(e);
    engine_recompute_derived(e);
    if (had_context)
        engine_notify_context_changed(e, false);
}

void engine_reset_by_pf(void *unit, enum reset_scope scope)
{
    if (!engine_runs_vf_context(unit))
        engine_reset(unit, scope);
}

uint64_t engine_ticks(uint64_t ns, uint64_t hz)
{
    const uint64_t second = UINT64_C(1000000000);
    return ns / second * hz + ns % second * hz / second;
}

uint64_t engine_ticks_end_ns(uint64_t ticks, uint64_t hz)
{
    const uint64_t second = UINT64_C(1000000000);
    return ticks / hz * second + (ticks % hz * second + hz - 1u) / hz;
}

uint64_t engine_timestamp(const struct engine *e, uint64_t at_ns)
{
    return engine_ticks(at_ns, e->info->timestamp_hz) & UINT64_C(0xfffffffff);
}

/* ---- State that other units read ---- */

const char *engine_stop_reason(const struct engine *e)
{
    switch ((enum softgt_engine_state)e->parse.state) {
    case SOFTGT_ENGINE_WAITING:
        return stop_reason_text[e->wait.reason];
    case SOFTGT_ENGINE_STOPPED:
        return stop_reason_text[e->parse.stop_reason];
    default:
        return "";
    }
}

void engine_trace(const struct engine *e, enum softgt_event_kind kind, uint64_t address)
{
    static const char *const names[] = {
        [SOFTGT_EVENT_BATCH] = "batch",         [SOFTGT_EVENT_CHAIN] = "batch chain",
        [SOFTGT_EVENT_BATCH_END] = "batch end", [SOFTGT_EVENT_WAIT] = "wait",
        [SOFTGT_EVENT_WAIT_END] = "wait end",   [SOFTGT_EVENT_STOP] = "stop",
        [SOFTGT_EVENT_RESET] = "reset",
    };
    if (!tracing(e->log, SOFTGT_TRACE_BATCHES))
        return;
    const bool waits = kind == SOFTGT_EVENT_WAIT;
    trace_event(e->log, (struct softgt_event){
                            .what = SOFTGT_TRACE_BATCHES,
                            .kind = kind,
                            .unit = e->info->name,
                            .name = names[kind],
                            .text = waits || kind == SOFTGT_EVENT_STOP ? engine_stop_reason(e) : NULL,
                            .address = address,
                            .value = waits ? e->wait.actual_value : 0,
                            .old_value = waits ? e->wait.expected_value : 0,
                            .comparison = waits ? wait_comparisons[e->wait.comparison] : NULL});
}

/* A context may ask for memory-based interrupts; the byte of a source is at the position of its bit in the
 * double words. Else interrupts go through the registers, which belong to the PF. (SYS-05, SYS-22) */
void engine_raise(struct engine *e, uint32_t bits)
{
    const struct interrupt_line line = e->info->interrupt;
    const uint32_t events = e->info->contexts.has_memirq ? engine_register(e, INT_STATUS_RPT_PTR) : 0;
    if (events) {
        const uint32_t number = line.bank * 32u + line.bit;
        const struct memirq_addresses at = {events + number * 16u,
                                            engine_register(e, INT_SRC_RPT_PTR) + number};
        if (bits & e->context.interrupt_mask_in_memory)
            memirq_raise(e->interrupt, &e->mmu, at, bits & e->context.interrupt_mask_in_memory);
        return;
    }
    if (e->mmu.function)
        return;
    /* The engine's own mask sits at the place its bits have in the bank. */
    const uint32_t unmasked = bits & ~(engine_register(e, RING_IMR) >> line.shift);
    if (unmasked)
        e->interrupt->info->raise(e->interrupt, line, unmasked);
}

void engine_interrupt(struct engine *e, uint32_t bits)
{
    e->totals.interrupts++;
    if (tracing(e->log, SOFTGT_TRACE_INTERRUPTS))
        trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_INTERRUPTS,
                                                  .kind = SOFTGT_EVENT_RAISE,
                                                  .unit = e->info->name,
                                                  .name = "raise",
                                                  .value = bits});
    engine_raise(e, bits);
}

void engine_isr(struct engine *e, uint32_t bits, uint32_t value)
{
    const uint32_t old = e->status.isr, now = (old & ~bits) | (value & bits);
    e->status.isr = now;
    if (now == old)
        return;
    if (e->interrupt->info->status)
        e->interrupt->info->status(e->interrupt, e->info->interrupt, now);
    const uint32_t masked =
        engine_register(e, HWSTAM) | engine_register(e, RING_IMR) >> e->info->interrupt.shift;
    if ((now ^ old) & e->info->hwstam_isr_bits & ~masked && !e->mmu.function) /* only the PF has the page */
        engine_store32(e, SPACE_GGTT, hardware_status_page(e), now & e->info->hwstam_isr_bits);
}

void engine_stop(struct engine *e, enum stop_reason why)
{
    e->parse.state = SOFTGT_ENGINE_STOPPED;
    e->parse.stop_reason = (uint8_t)why;
    stream_refetch(e);
    engine_signal_event(e);
    engine_trace(e, SOFTGT_EVENT_STOP, e->parse.command_address);
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address, "engine stopped: %s",
                 stop_reason_text[why]);
}

void engine_error(struct engine *e, uint32_t eir_bits)
{
    engine_register_set(e, ESR, engine_register(e, ESR) | eir_bits);
    const uint32_t reported = eir_bits & ~engine_register(e, EMR);
    if (!reported)
        return;
    engine_register_set(e, EIR, engine_register(e, EIR) | reported);
    engine_isr(e, INTERRUPT_MASTER_ERROR, INTERRUPT_MASTER_ERROR);
    engine_interrupt(e, INTERRUPT_MASTER_ERROR);
}

bool engine_execlists_enabled(const struct engine *e)
{
    return vfs_isolated(e) || engine_register(e, GFX_MODE) & e->info->contexts.execlist_enable;
}

uint64_t store_index_status_page(const struct engine *e)
{
    return e->context.valid ? context_lrca(e) + e->info->contexts.pphwsp_offset : hardware_status_page(e);
}

void engine_trace_store(struct engine *e, enum space space, uint64_t address, const void *data,
                        size_t size_bytes)
{
    uint64_t value = 0;
    memcpy(&value, data, size_bytes < 8 ? size_bytes : 8);
    trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_MEMORY,
                                              .unit = e->info->name,
                                              .name = e->parse.restoring ? "context" : "store",
                                              .address = address,
                                              .value = value,
                                              .is_ggtt = space == SPACE_GGTT,
                                              .size_bytes = (unsigned)size_bytes});
}

void engine_store_slow(struct engine *e, enum space space, uint64_t address, const void *data,
                       size_t size_bytes)
{
    if (!mmu_store(&e->mmu, space, address, data, size_bytes))
        return;
    e->totals.memory.stores++;
    engine_count_stored(e, space, address, size_bytes);
    if (tracing(e->log, SOFTGT_TRACE_MEMORY))
        engine_trace_store(e, space, address, data, size_bytes);
}

/* ---- Waits ---- */

bool wait_begin(struct engine *e, struct wait wait)
{
    if (e->wait.cancelled) {
        wait_end(e);
        return false;
    }
    wait.since_ns = e->wait.reason ? e->wait.since_ns : e->log->now_ns;
    wait.interrupt_raised = e->wait.interrupt_raised;
    e->wait = wait;
    return true;
}

void wait_end(struct engine *e)
{
    e->wait = (struct wait){0};
}

void wait_raise_interrupt(struct engine *e, uint32_t interrupt_bits)
{
    if (e->wait.interrupt_raised)
        return;
    e->wait.interrupt_raised = true;
    engine_interrupt(e, interrupt_bits);
}

void wait_signal(struct engine *e)
{
    e->wait.needs_signal = false;
}

void wait_cancel(struct engine *e, uint32_t ring_ctl_bits)
{
    if (!(e->wait.ring_ctl_bit & ring_ctl_bits))
        return;
    e->wait.cancelled = true;
    e->parse.reschedule = true;
}

/* ---- Turns ---- */

/* An engine that waits for memory, or for a signal, is polled; it does not count as runnable, because it
 * would be runnable for ever. */
static bool runnable(const void *unit)
{
    const struct engine *e = unit;
    if (engine_is_halted(e) || engine_is_busy(e))
        return false;
    return e->parse.state == SOFTGT_ENGINE_RUNNING ||
           (e->parse.reschedule && e->parse.state != SOFTGT_ENGINE_STOPPED);
}

static bool polls(const void *unit)
{
    const struct engine *e = unit;
    return e->parse.state == SOFTGT_ENGINE_WAITING && !e->wait.needs_signal;
}

/* The waiting command is looked at once more. False: it still waits. */
static bool look(struct engine *e, uint64_t *used)
{
    /* In signal mode nothing but a signal, or a new list of contexts, is worth another look. */
    if (e->wait.needs_signal && !e->parse.reschedule)
        return false;
    e->parse.reschedule = false;
    e->parse.state = SOFTGT_ENGINE_RUNNING;
    *used += engine_parse(e, 1);
    if (e->parse.state == SOFTGT_ENGINE_WAITING) {
        *used = 0;
        return false;
    }
    wait_end(e);
    engine_timing_begin(e);
    engine_trace(e, SOFTGT_EVENT_WAIT_END, e->parse.command_address);
    return true;
}

void engine_power_down(struct engine *e)
{
    e->parse.power_lost = true;
    engine_invalidate_tlb(e);
}

enum { POWER_UP_VALID = 1u << 0 };

void engine_power_up(struct engine *e)
{
    e->parse.power_lost =
        e->parse.power_lost && !vfs_isolated(e) && engine_register(e, CTX_WA_PTR) & POWER_UP_VALID;
    e->parse.reschedule |= e->parse.power_lost;
}

/* CTX_WA_PTR: a batch in the GGTT. (SYS-25, OVR-07; Linux, Wa_14011274333) */
static bool power_up(struct engine *e)
{
    engine_power_up(e);
    if (!e->parse.power_lost)
        return false;
    e->parse.power_lost = e->parse.reschedule = false;
    stream_push(e, STREAM_POWER_UP, SPACE_GGTT, engine_register(e, CTX_WA_PTR) & ~0xfffu, true);
    e->parse.state = SOFTGT_ENGINE_RUNNING;
    return true;
}

static uint64_t run(void *unit, uint64_t budget_dw)
{
    struct engine *e = unit;
    struct parse_state *const p = &e->parse;
    uint64_t used = 0;
    e->log->cost.ns = 0; /* the CPU's accesses are no engine's */
    if (p->state == SOFTGT_ENGINE_STOPPED || engine_is_halted(e) || engine_is_busy(e))
        return 0;
    if (p->state == SOFTGT_ENGINE_WAITING && !look(e, &used))
        return used;
    while (used < budget_dw && !engine_is_halted(e) && !engine_is_busy(e) && !e->log->is_held) {
        if (p->state == SOFTGT_ENGINE_IDLE) {
            if (!p->reschedule)
                break;
            p->reschedule = false;
            engine_timing_begin(e);
            if (!power_up(e))
                e->submission->idle(e);
            used += e->log->cost.counts_dwords;
        }
        if (p->state != SOFTGT_ENGINE_RUNNING)
            break;
        used +=
            e->time_model.costs ? engine_parse_timed(e, budget_dw - used) : engine_parse(e, budget_dw - used);
        if (p->state == SOFTGT_ENGINE_WAITING) {
            e->totals.waits++;
            engine_signal_event(e);
            engine_trace(e, SOFTGT_EVENT_WAIT, p->command_address);
            break;
        }
    }
    return used;
}

static void advance(void *unit, uint64_t before_ns)
{
    struct engine *e = unit;
    engine_watchdog_advance(e, before_ns);
    if (e->timing.until_ns > before_ns)
        engine_notify_drained(e);
}

static uint64_t next_event_ns(const void *unit)
{
    const struct engine *e = unit;
    uint64_t next_ns = engine_watchdog_next_ns(e);
    if (engine_continues_when_done(e) && e->timing.until_ns < next_ns)
        next_ns = e->timing.until_ns;
    const uint64_t until_ns = e->wait.until_ns;
    if (e->parse.state == SOFTGT_ENGINE_WAITING && until_ns > e->log->now_ns && until_ns < next_ns)
        next_ns = until_ns;
    return next_ns;
}

const struct unit_shape engine_shape = {.sections = engine_sections,
                                        .section_count = ENGINE_SECTIONS,
                                        .reset = engine_reset_by_pf,
                                        .recompute_derived = engine_recompute_derived,
                                        .state = engine_state,
                                        .advance = advance,
                                        .next_event_ns = next_event_ns,
                                        .runnable = runnable,
                                        .polls = polls,
                                        .run = run};

bool engine_skip_command(struct engine *e, const struct command *c)
{
    struct parse_state *const p = &e->parse;
    if (p->state != SOFTGT_ENGINE_STOPPED || p->depth == 0 || p->restoring)
        return false;
    engine_drop_work(e);
    p->streams[p->depth].progress = 0;
    stream_seek(e, p->depth, p->command_address + command_length_dw(c, p->header) * 4u);
    p->state = SOFTGT_ENGINE_RUNNING;
    return true;
}

bool engine_end_batch(struct engine *e)
{
    if (e->parse.state != SOFTGT_ENGINE_STOPPED || e->parse.depth == 0 || e->parse.restoring)
        return false;
    e->parse.state = SOFTGT_ENGINE_RUNNING;
    stream_pop(e);
    engine_trace(e, SOFTGT_EVENT_BATCH_END, e->parse.command_address);
    e->parse.stopped_past_end = false;
    return true;
}
