/* The observation unit: its time, reports and buffer. */
#include "oa/oa.h"

#include "engine/execution.h"

static STATE_TABLE(clock_fields, struct oa_clock, OA_CLOCK)
static STATE_TABLE(counts_fields, struct oa_counts, OA_COUNTS)
static STATE_TABLE(events_fields, struct oa_events, OA_EVENT_COUNTS)
static STATE_TABLE(eu_counters_fields, struct oa_eu_counters, OA_EU_COUNTERS)
static STATE_TABLE(triggers_fields, struct oa_triggers, OA_TRIGGER_STATE)
static STATE_TABLE(flexible_fields, struct oa_flexible, OA_FLEXIBLE)

#define NO_EVENTS OA_NO_FLEXIBLE_EVENTS
static const struct oa_flexible no_events = {
    .common = {NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS, NO_EVENTS}};

static const struct section sections[] = {
    SECTION(struct oa, clock, 1, SURVIVES_DEVICE_RESET, clock_fields, NULL),
    SECTION(struct oa, counts, 2, SURVIVES_DEVICE_RESET, counts_fields, NULL),
    SECTION(struct oa, events, 2, SURVIVES_DEVICE_RESET, events_fields, NULL),
    SECTION(struct oa, eu_counters, 1, SURVIVES_DEVICE_RESET, eu_counters_fields, NULL),
    SECTION(struct oa, triggers, 1, SURVIVES_DEVICE_RESET, triggers_fields, NULL),
    SECTION(struct oa, flexible_events, 1, SURVIVES_DEVICE_RESET, flexible_fields, &no_events),
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

/* ---- Reports ---- */

enum { REPORT_NS = 1000 }; /* host time of a report */

static uint64_t now_timestamp(const struct oa *oa)
{
    return engine_ticks(oa->log->now_ns, oa->info->timestamp_hz);
}

static uint32_t context_id(const struct engine *e)
{
    return e->context.valid ? e->context.current.high : 0;
}

static void take_values(const struct oa *oa, uint64_t values[OA_VALUES], uint64_t timestamp, uint64_t clocks)
{
    memset(values, 0, OA_VALUES * sizeof *values);
    values[OA_TIME_STAMP] = timestamp;
    values[OA_TIME_STAMP_HIGH] = timestamp >> 32;
    values[OA_CTX_ID] = context_id(oa->engines);
    if (!oa->info->register_ops->enabled(oa))
        return;
    values[OA_GPU_TICKS] = clocks;
    values[OA_INST_ADD] = oa->engines->parse.command_address;
    memcpy(&values[OA_A], oa->counts.a, sizeof oa->counts.a);
    for (unsigned i = 0; i < OA_A_COUNTERS; i++)
        values[OA_A_HIGH + i] = oa->counts.a[i] >> 32;
    memcpy(&values[OA_B], oa->counts.b, sizeof oa->counts.b);
    memcpy(&values[OA_C], oa->counts.c, sizeof oa->counts.c);
}

static uint32_t context_control(const struct oa *oa, const struct engine *e)
{
    const uint32_t at = oa->info->context_control[e->info->class];
    return at ? register_value(oa->mmio, at) : 0;
}

bool oa_context_counts(const struct oa *oa, const struct engine *e)
{
    enum { OA_CONTEXT_ENABLE = 1u << 8 };
    return context_control(oa, e) & 1u && e->context.valid && !e->parse.restoring &&
           engine_register_bit(e, CTXT_SR_CTL, OA_CONTEXT_ENABLE) &&
           engine_register(e, OA_CONTEXT_CONTROL) & 1u;
}

static void take_context_values(const struct oa *oa, const struct engine *e, uint64_t values[OA_VALUES],
                                uint64_t timestamp)
{
    memset(values, 0, OA_VALUES * sizeof *values);
    values[OA_TIME_STAMP] = timestamp;
    values[OA_CTX_ID] = context_id(e);
    if (!oa_context_counts(oa, e))
        return;
    values[OA_GPU_TICKS] = engine_register(e, OA_CONTEXT_GPU_TICKS);
    for (uint32_t i = 0; i < 32; i++) {
        values[OA_A + i] = engine_register64(e, OA_CONTEXT_A0 + i * 8u);
        values[OA_A_HIGH + i] = values[OA_A + i] >> 32;
    }
    for (uint32_t i = 0; i < 4; i++)
        values[OA_A + 32u + i] = engine_register(e, OA_CONTEXT_A32 + i * 4u);
    for (uint32_t i = 0; i < OA_B_COUNTERS; i++) {
        values[OA_B + i] = engine_register(e, OA_CONTEXT_B + i * 4u);
        values[OA_C + i] = engine_register(e, OA_CONTEXT_C + i * 4u);
    }
}

/* The number of the compute engine. */
static uint64_t compute_id(const struct engine *e)
{
    return e->info->class == CLASS_COMPUTE ? (uint64_t)e->info->instance << 36 : 0;
}

void oa_command_report(struct oa *oa, struct engine *e, enum space space, uint64_t address, uint32_t id)
{
    const enum engine_class class = e->info->class;
    const enum oa_report *const reports = oa->info->command_reports[class];
    const bool of_context = oa->info->context_control[class];
    const unsigned select =
        of_context ? context_control(oa, e) >> 1 & 7u : oa->info->register_ops->counter_select(oa);
    const enum oa_report which = reports[select] ? reports[select] : reports[0];
    uint64_t values[OA_VALUES];
    uint32_t dw[OA_REPORT_BYTES / 4];
    oa->log->cost.ns += REPORT_NS;
    if (of_context)
        take_context_values(oa, e, values, now_timestamp(oa));
    else
        take_values(oa, values, now_timestamp(oa), oa_gpu_ticks(oa));
    values[OA_RPT_ID] = id | compute_id(e);
    const uint32_t length_dw = oa_report_encode(&oa_reports[which], values, dw);
    engine_store(e, space, address, dw, length_dw * 4u);
}

/* ---- The buffer ---- */

static const struct command *buffer_format(const struct oa *oa)
{
    return &oa_reports[oa->info->reports[oa->info->register_ops->counter_select(oa)]];
}

/* The size of a report in the buffer, in whole lines of 64 bytes. */
static uint32_t line_bytes(const struct oa *oa)
{
    return (buffer_format(oa)->min_dwords * 4u + 63u) & ~63u;
}

/* Bytes between head and tail; more than the buffer's size if the head is outside it. */
static uint64_t bytes_used(const struct oa_buffer *b)
{
    const uint64_t end = (uint64_t)b->base + b->size_bytes;
    if (b->head >= b->base && b->head < end && b->tail < b->head)
        return (uint64_t)b->tail + b->size_bytes - b->head;
    return (uint32_t)(b->tail - b->head);
}

bool oa_can_write(const struct oa *oa)
{
    const struct oa_register_ops *const kind = oa->info->register_ops;
    if (oa->faulted || !kind->enabled(oa) || !buffer_format(oa)->min_dwords)
        return false;
    const struct oa_buffer b = kind->buffer(oa);
    return bytes_used(&b) + line_bytes(oa) < b.size_bytes;
}

static bool write_to_buffer(struct oa *oa, const struct oa_buffer *b, const uint32_t *dw, uint32_t size_bytes)
{
    const uint64_t end = (uint64_t)b->base + b->size_bytes;
    const enum space space = b->in_ppgtt ? SPACE_PPGTT : SPACE_GGTT;
    const uint32_t before_end =
        b->tail < end && size_bytes > end - b->tail ? (uint32_t)(end - b->tail) : size_bytes;
    return mmu_store(&oa->mmu, space, b->tail, dw, before_end) &&
           (before_end == size_bytes ||
            mmu_store(&oa->mmu, space, b->base, dw + before_end / 4u, size_bytes - before_end));
}

/* Values that replace counters in a report. */
struct report_override {
    bool given;
    uint64_t id;
    uint32_t context;
};

/* Writes the report, then advances the tail. */
static void write_report_with(struct oa *oa, uint32_t reasons, uint64_t timestamp, uint64_t clocks,
                              struct report_override override)
{
    const struct oa_register_ops *const kind = oa->info->register_ops;
    const struct command *const format = buffer_format(oa);
    const struct oa_buffer b = kind->buffer(oa);
    const uint64_t end = (uint64_t)b.base + b.size_bytes, used = bytes_used(&b);
    uint64_t values[OA_VALUES];
    uint32_t dw[OA_REPORT_BYTES / 4];
    if (!kind->enabled(oa) || !format->min_dwords)
        return;
    if (!oa_can_write(oa)) {
        kind->set_tail(oa, b.tail, oa->faulted ? OA_STATUS_REPORT_LOST : OA_STATUS_BUFFER_OVERFLOW);
        return;
    }
    oa->log->cost.ns += REPORT_NS;
    take_values(oa, values, timestamp, clocks);
    values[OA_RPT_ID] = override.given ? override.id : kind->report_id(oa, reasons);
    values[OA_CTX_ID] = override.given ? override.context : values[OA_CTX_ID];
    const uint32_t size_bytes = oa_report_encode(format, values, dw) * 4u;
    if (!write_to_buffer(oa, &b, dw, size_bytes)) {
        oa->faulted = true;
        kind->set_tail(oa, b.tail, OA_STATUS_REPORT_LOST);
        return;
    }
    const uint32_t more_bytes = line_bytes(oa);
    const uint64_t tail = (uint64_t)b.tail + more_bytes;
    kind->set_tail(oa, (uint32_t)(tail < end ? tail : tail - b.size_bytes), 0);
    if (used < b.size_bytes / 2u && used + more_bytes >= b.size_bytes / 2u && kind->half_full)
        kind->half_full(oa);
}

static void write_report(struct oa *oa, uint32_t reasons, uint64_t timestamp, uint64_t clocks)
{
    write_report_with(oa, reasons, timestamp, clocks, (struct report_override){.given = false});
}

/* The source in bits 31:26: the CPU, or a command streamer by its class and instance. A media slice has two
 * video engines and one enhancement engine. (SYS-18) */
static uint64_t source_id(const struct accessor *by)
{
    enum { CPU = 1, STREAMERS = 8, MEDIA = 32, SLICE = 8, ENHANCES = 2 };
    static const uint8_t streamers[ENGINE_CLASSES] = {[CLASS_COMPUTE] = 1, [CLASS_COPY] = 2};
    const struct engine *const e = by->kind == ACCESSOR_COMMAND ? by->client : NULL;
    if (!e)
        return by->kind == ACCESSOR_CPU ? CPU << 26 : 0;
    const uint64_t i = e->info->instance;
    uint64_t source = STREAMERS + (uint64_t)streamers[e->info->class];
    if (e->info->class == CLASS_VIDEO)
        source = MEDIA + i / 2u * SLICE + i % 2u;
    if (e->info->class == CLASS_ENHANCE)
        source = MEDIA + i * SLICE + ENHANCES;
    return (source << 26) | compute_id(e);
}

void oa_trigger_report(struct oa *oa, const struct accessor *by, uint32_t value)
{
    if (!oa->info->register_ops->enabled(oa) ||
        !oa->info->register_ops->reason_enabled(oa, OA_REASON_MMIO_TRIGGER))
        return;
    write_report_with(oa, OA_REASON_MMIO_TRIGGER, now_timestamp(oa), oa_gpu_ticks(oa),
                      (struct report_override){
                          .given = true,
                          .id = source_id(by) | oa->info->register_ops->report_id(oa, OA_REASON_MMIO_TRIGGER),
                          .context = value});
    oa->faulted = false;
}

void oa_report_now(struct oa *oa, uint32_t reasons)
{
    if (oa->info->register_ops->enabled(oa) && oa->info->register_ops->reason_enabled &&
        oa->info->register_ops->reason_enabled(oa, reasons))
        write_report(oa, reasons, now_timestamp(oa), oa_gpu_ticks(oa));
    oa->faulted = false;
}

/* ---- Time ---- */

static uint64_t clock_ns(const struct oa *oa, uint64_t clock)
{
    const uint64_t sixtieths = clock * 60u - oa->span.sixtieths;
    return engine_ticks_end_ns(oa->span.timestamp, oa->info->timestamp_hz) +
           (oa->span_frequency ? (sixtieths + oa->span_frequency - 1u) / oa->span_frequency : 0);
}

void oa_buffer_report(struct oa *oa, uint32_t reasons, uint64_t clock)
{
    write_report(oa, reasons, engine_ticks(clock_ns(oa, clock), oa->info->timestamp_hz), clock);
}

/* RC6 time until then; RC6 is at the end of the interval, if at all. */
static uint64_t slept_ns(const struct oa *oa, uint64_t at_ns)
{
    const uint64_t all_ns = oa->gt->power.rc6_ns, behind_ns = oa->log->now_ns - at_ns,
                   lately_ns = all_ns - oa->clock.rc6_ns;
    return all_ns - (behind_ns < lately_ns ? behind_ns : lately_ns);
}

static bool counts(const struct oa *oa)
{
    bool any = oa->info->register_ops->enabled(oa);
    for (const struct engine *e = oa->engines; e < oa->engines + oa->engine_count && !any; e++)
        any = oa_context_counts(oa, e);
    return any;
}

/* Advances all counters to this timestamp. */
static void count_to(struct oa *oa, uint64_t timestamp)
{
    const uint64_t hz = oa->info->timestamp_hz, at_ns = engine_ticks_end_ns(timestamp, hz),
                   from_ns = engine_ticks_end_ns(oa->clock.timestamp, hz), slept = slept_ns(oa, at_ns),
                   awake_ns = at_ns - from_ns - (slept - oa->clock.rc6_until_ns);
    const struct oa_clock next = {.timestamp = timestamp,
                                  .sixtieths = oa->clock.sixtieths + awake_ns * oa->span_frequency,
                                  .rc6_until_ns = slept,
                                  .rc6_ns = oa->clock.rc6_ns};
    oa->span = oa->clock;
    if (counts(oa))
        oa_advance_clocks(oa, oa->clock.sixtieths / 60u, next.sixtieths / 60u);
    oa->clock = next;
}

/* The first timestamp after `from` at which the timer fires; UINT64_MAX: it is off. */
static uint64_t next_timer(const struct oa *oa, uint64_t from)
{
    uint64_t due = 0;
    const uint64_t period = oa->info->register_ops->enabled(oa) ? oa->info->register_ops->timer(oa, &due) : 0;
    if (!period)
        return UINT64_MAX;
    const uint64_t next = from / period * period + due;
    return next > from ? next : next + period;
}

static void report_by_timer(struct oa *oa, uint64_t timestamp)
{
    uint64_t due = next_timer(oa, oa->clock.timestamp);
    while (due <= timestamp && oa_can_write(oa)) {
        count_to(oa, due);
        write_report(oa, OA_REASON_TIMER, due, oa_gpu_ticks(oa));
        due = next_timer(oa, due);
    }
    if (due <= timestamp) /* no room: only the status says so */
        write_report(oa, OA_REASON_TIMER, due, 0);
}

static void oa_advance(void *unit, uint64_t before_ns)
{
    struct oa *oa = unit;
    const uint64_t timestamp = now_timestamp(oa);
    (void)before_ns;
    oa->span_frequency = oa->info->frequency(oa->mmio);
    if (oa->info->register_ops->enabled(oa)) /* else they restart when it is enabled */
        oa_sample_events(oa, true);
    if (oa->go_transition_ns != UINT64_MAX) {
        const uint64_t falls = engine_ticks(oa->go_transition_ns, oa->info->timestamp_hz);
        report_by_timer(oa, falls);
        if (falls > oa->clock.timestamp)
            count_to(oa, falls);
        if (oa->info->register_ops->reason_enabled &&
            oa->info->register_ops->reason_enabled(oa, OA_REASON_GO_TRANSITION))
            write_report(oa, OA_REASON_GO_TRANSITION, falls, oa_gpu_ticks(oa));
        oa->go_transition_ns = UINT64_MAX;
    }
    report_by_timer(oa, timestamp);
    if (timestamp > oa->clock.timestamp)
        count_to(oa, timestamp);
    oa->clock.rc6_ns = oa->gt->power.rc6_ns;
    oa->faulted = false;
}

/* The time when the buffer becomes half full, by the timer or triggers. */
static uint64_t half_full_ns(const struct oa *oa)
{
    const struct oa_register_ops *const kind = oa->info->register_ops;
    const struct oa_buffer b = kind->buffer(oa);
    const uint64_t size_bytes = line_bytes(oa), half_bytes = b.size_bytes / 2u, used = bytes_used(&b),
                   hz = oa->info->timestamp_hz, frequency = oa->info->frequency(oa->mmio);
    uint64_t due = 0, at_ns = UINT64_MAX;
    if (!kind->half_full_unmasked || !kind->half_full_unmasked(oa) || used >= half_bytes)
        return UINT64_MAX;
    const uint64_t period = kind->timer(oa, &due), more = (half_bytes - used - 1u) / size_bytes,
                   clocks = oa_clocks_until_trigger(oa);
    if (period && period < UINT64_C(1) << 40)
        at_ns = engine_ticks_end_ns(next_timer(oa, oa->clock.timestamp) + more * period, hz);
    if (frequency && clocks < UINT64_MAX / 60u) {
        const uint64_t trigger_ns = engine_ticks_end_ns(oa->clock.timestamp, hz) + clocks * 60u / frequency;
        at_ns = trigger_ns < at_ns ? trigger_ns : at_ns;
    }
    return at_ns;
}

/* The longest time step: until the timer or triggers have written some reports. */
static uint64_t piece_ns(const void *unit)
{
    enum { REPORTS = 64 };
    const struct oa *oa = unit;
    const uint64_t frequency = oa->info->frequency(oa->mmio);
    if (!oa_can_write(oa))
        return UINT64_MAX;
    uint64_t due = 0;
    const uint64_t period = oa->info->register_ops->timer(oa, &due),
                   clocks = oa_clocks_until_reports(oa, REPORTS),
                   timer_ns = period && period < UINT64_C(1) << 32
                                  ? engine_ticks_end_ns(period * REPORTS, oa->info->timestamp_hz)
                                  : UINT64_MAX,
                   trigger_ns =
                       frequency && clocks < UINT64_MAX / 60u ? clocks * 60u / frequency : UINT64_MAX;
    return timer_ns < trigger_ns ? timer_ns : trigger_ns;
}

/* The time of the next timer report; reports that are close together share one event. */
static uint64_t oa_next_event_ns(const void *unit)
{
    enum { TOGETHER_NS = 250000 };
    const struct oa *oa = unit;
    const uint64_t now_ns = oa->log->now_ns, hz = oa->info->timestamp_hz;
    if (!oa_can_write(oa))
        return UINT64_MAX;
    const uint64_t timestamp = next_timer(oa, engine_ticks(now_ns + TOGETHER_NS, hz)),
                   half_ns = half_full_ns(oa);
    uint64_t due = 0, at_ns = UINT64_MAX;
    const uint64_t period = oa->info->register_ops->timer(oa, &due);
    if (timestamp != UINT64_MAX && timestamp < UINT64_C(1) << 56)
        at_ns = engine_ticks_end_ns(period * UINT64_C(2) > engine_ticks(TOGETHER_NS, hz)
                                        ? next_timer(oa, oa->clock.timestamp)
                                        : timestamp,
                                    hz);
    at_ns = half_ns < at_ns ? half_ns : at_ns;
    return at_ns > now_ns ? at_ns : now_ns + 1u;
}

/* ---- The unit ---- */

void oa_restart(struct oa *oa)
{
    const uint64_t key = oa->triggers.mux_key;
    oa->triggers = (struct oa_triggers){.mux_key = key};
    oa_sample_events(oa, false);
}

/* FNV-1a over dwords; 0: nothing was written. */
static uint64_t mux_key_add(uint64_t key, uint32_t value)
{
    return ((key ? key : UINT64_C(0xcbf29ce484222325)) ^ value) * UINT64_C(0x100000001b3);
}

static void settle_inputs(struct oa *oa)
{
    oa->noa_signals = oa->info->noa_signals;
    for (const struct oa_mux_config *r = oa->info->mux_configs; r && r->count && oa->triggers.mux_key; r++) {
        uint64_t key = 0;
        for (unsigned i = 0; i < r->count; i++)
            key = mux_key_add(key, r->writes[i]);
        if (key == oa->triggers.mux_key)
            oa->noa_signals = r->noa_signals;
    }
}

void oa_mux_write(struct oa *oa, uint32_t value)
{
    oa->triggers.mux_key = mux_key_add(oa->triggers.mux_key, value);
    settle_inputs(oa);
}

void oa_reload_mux(struct oa *oa)
{
    oa->triggers.mux_key = 0;
    settle_inputs(oa);
}

static void oa_reset(void *unit, enum reset_scope scope)
{
    struct oa *oa = unit;
    sections_reset(sections, SECTIONS, oa, scope);
    settle_inputs(oa);
    mmu_invalidate(&oa->mmu);
}

static void settle(void *unit)
{
    struct oa *oa = unit;
    settle_inputs(oa);
    mmu_remap(&oa->mmu);
}

static void oa_state(void *unit, struct state *s)
{
    struct oa *oa = unit;
    sections_state(sections, SECTIONS, oa, oa->info->name, s);
    mmu_state(&oa->mmu, oa->info->name, s);
}

static void fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    (void)space, (void)level;
    const struct oa *oa = user;
    report_guest_error(oa->log, SOFTGT_MISTAKE_FAULT, oa->info->name, address,
                       "%s of an address that is not mapped", write ? "write" : "read");
}

/* The context of an engine changed, or its restore begins. */
static void context_changed(struct oa *oa, struct engine *e, bool begins)
{
    if (begins || !e->context.valid)
        oa_flexible_reset_context(oa, e);
    if (begins && oa->info->register_ops->single_context && oa->info->register_ops->enabled(oa))
        oa_sample_context_events(oa);
    if (e == oa->engines && !begins)
        oa_report_now(oa, OA_REASON_CONTEXT_SWITCH);
}

static void invalidated(void *user)
{
    for (struct oa *oa = user; oa; oa = oa->next)
        mmu_invalidate(&oa->mmu);
}

static void go_falls(void *user, uint64_t at_ns, bool time_goes_on)
{
    for (struct oa *oa = user; oa; oa = oa->next) {
        if (time_goes_on)
            oa->go_transition_ns = at_ns;
        else
            oa_report_now(oa, OA_REASON_GO_TRANSITION);
    }
}

static void frequency_asked(void *user)
{
    for (struct oa *oa = user; oa; oa = oa->next)
        oa_report_now(oa, OA_REASON_FREQUENCY_CHANGE);
}

bool oa_create(struct oa *oa, struct memory *memory)
{
    mmu_init(&oa->mmu, memory, oa, fault);
    oa->mmu.pf_pages_only =
        true; /* requests are the physical function's; pages of other functions are out of bounds (SYS-19) */
    settle_inputs(oa);
    for (const struct register_block *const *b = oa->info->blocks; *b; b++)
        if (!register_file_place(oa->mmio, *b, 0, oa, oa->engines->info->name))
            return false;
    oa->go_transition_ns = UINT64_MAX;
    if (oa->info->engine_mask)
        return true;
    for (unsigned i = 0; i < oa->engine_count; i++) {
        oa->engines[i].listener.oa = oa;
        oa->engines[i].listener.context_changed = context_changed;
    }
    oa->gt->frequency_asked = frequency_asked;
    oa->gt->go_falls = go_falls;
    oa->gt->observation_invalidated = invalidated;
    oa->gt->observation_user = oa;
    return true;
}

const struct unit_shape oa_shape = {.sections = sections,
                                    .section_count = SECTIONS,
                                    .reset = oa_reset,
                                    .recompute_derived = settle,
                                    .state = oa_state,
                                    .advance = oa_advance,
                                    .max_step_ns = piece_ns,
                                    .next_event_ns = oa_next_event_ns};
