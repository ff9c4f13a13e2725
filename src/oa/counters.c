/*
 * Counters and triggers. Results are those of each clock, but are computed in closed form: between two
 * changes the sixteen NOA signals repeat every six clocks. (REN-23, REN-24, SYS-19)
 */
#include "oa/oa.h"

#include "engine/execution.h"

enum { PHASES = 6 };

/* The sixteen NOA signals by phase, now and one clock earlier. */
struct oa_signal_phases {
    uint16_t now[PHASES], before[PHASES];
};

/* ---- Signals ---- */

static bool has_work(const struct oa *oa, enum engine_class class, unsigned instance)
{
    for (const struct engine *e = oa->engines; e < oa->engines + oa->engine_count; e++)
        if (e->info->class == class && e->info->instance == instance)
            return engine_has_work(e);
    return false;
}

static bool any(const struct oa *oa, bool waits)
{
    for (const struct engine *e = oa->engines; e < oa->engines + oa->engine_count; e++)
        if (waits ? e->parse.state == SOFTGT_ENGINE_WAITING : engine_has_work(e))
            return true;
    return false;
}

/* The level of a signal, until a unit changes or the pending counts of an event run out. */
static bool signal_level(const struct oa *oa, unsigned signal)
{
    switch (signal) {
    case OA_ALWAYS:
        return true;
    case OA_BUSY:
        return any(oa, false);
    case OA_WAITING:
        return any(oa, true);
    case OA_RENDER_BUSY:
        return has_work(oa, CLASS_RENDER, 0);
    case OA_COPY_BUSY:
        return has_work(oa, CLASS_COPY, 0);
    default:
        break;
    }
    if (signal >= OA_EVENTS)
        return oa->events.pending[signal - OA_EVENTS] != 0;
    if (signal >= OA_COMPUTE_BUSY)
        return has_work(oa, CLASS_COMPUTE, signal - OA_COMPUTE_BUSY);
    if (signal >= OA_ENHANCE_BUSY)
        return has_work(oa, CLASS_ENHANCE, signal - OA_ENHANCE_BUSY);
    return signal >= OA_VIDEO_BUSY && has_work(oa, CLASS_VIDEO, signal - OA_VIDEO_BUSY);
}

static void signals_now(const struct oa *oa, struct oa_signal_phases *l)
{
    const uint8_t *const inputs = oa->noa_signals;
    uint16_t high = 0, odd = 0, mod_3[2] = {0, 0};
    for (unsigned i = 0; i < OA_NOA_SIGNALS; i++) {
        const uint16_t bit = (uint16_t)(1u << i);
        if (inputs[i] == OA_ODD_CLOCK)
            odd |= bit;
        else if (inputs[i] == OA_CLOCK_MOD_3_0 || inputs[i] == OA_CLOCK_MOD_3_1)
            mod_3[inputs[i] - OA_CLOCK_MOD_3_0] |= bit;
        else if (signal_level(oa, inputs[i]))
            high |= bit;
    }
    for (unsigned p = 0; p < PHASES; p++)
        l->now[p] =
            (uint16_t)(high | (p % 2 ? odd : 0) | (p % 3 == 1 ? mod_3[0] : 0) | (p % 3 == 2 ? mod_3[1] : 0));
    for (unsigned p = 0; p < PHASES; p++)
        l->before[p] = l->now[(p + PHASES - 1u) % PHASES];
}

/* Whether a custom event occurs in this clock. (REN-24) */
static bool custom(struct oa_custom_event c, uint16_t now, uint16_t before)
{
    const uint16_t delayed = (uint16_t)(c.mask >> 16), looked_at = (uint16_t)~c.mask;
    const uint16_t x = (uint16_t)((now & ~delayed) | (before & delayed)) & looked_at,
                   wanted = (uint16_t)(c.compare >> 3) & looked_at;
    switch (c.compare & 7u) {
    case 0: /* any bit */
        return (uint16_t) ~(x ^ wanted) & looked_at;
    case 1:
        return x > wanted;
    case 2:
        return x == wanted;
    case 3:
        return x >= wanted;
    case 4:
        return x < wanted;
    case 5:
        return x != wanted;
    case 6:
        return x <= wanted;
    default: /* reserved: drivers' test metric sets count every clock with it */
        return true;
    }
}

/* ---- Triggers ---- */

static struct oa_trigger trigger(const struct oa *oa, uint32_t first, unsigned pair)
{
    const uint32_t at = first + pair * 16u, step = oa->info->triggers.registers_descend ? -4u : 4u;
    return (struct oa_trigger){.threshold = register_value(oa->mmio, at),
                               .control = register_value(oa->mmio, at + step),
                               .select_high = register_value(oa->mmio, at + 2u * step),
                               .select_low = register_value(oa->mmio, at + 3u * step)};
}

/* The outcome of the four stages. A stage combines by AND; inversions before and after give all other
 * functions. */
static bool stages(const struct oa_trigger *t, uint16_t signals)
{
    const uint64_t select = (uint64_t)t->select_high << 32 | t->select_low;
    uint32_t a = 0, b = 0, c = 0;
    for (unsigned i = 0; i < OA_NOA_SIGNALS; i++)
        a |= (signals >> (select >> i * 4u & 15u) & 1u) << i;
    a ^= t->control & 0xffffu;
    for (unsigned i = 0; i < 4; i++)
        b |= (uint32_t)((a >> i * 4u & 15u) == 15u) << i;
    b ^= t->control >> 16 & 15u;
    for (unsigned i = 0; i < 2; i++)
        c |= (uint32_t)((b >> i * 2u & 3u) == 3u) << i;
    c ^= t->control >> 20 & 3u;
    return (c == 3u) != (t->control >> 22 & 1u);
}

enum { THRESHOLD_ENABLE = 1u << 23, THRESHOLD = 0xffff };

/* Whether a start trigger's threshold counts, by phase. */
static void start_phases(const struct oa_trigger *t, const struct oa_signal_phases *l, bool counts[PHASES])
{
    for (unsigned p = 0; p < PHASES; p++)
        counts[p] = p && l->now[p] == l->now[p - 1u] ? counts[p - 1u] : stages(t, l->now[p]);
}

/* The outcome of a report trigger by phase. A signal whose bit in the upper half of the threshold register is
 * set counts only in the clock where it rises. (REN-23) */
static void report_phases(const struct oa_trigger *t, const struct oa_signal_phases *l, bool outcome[PHASES])
{
    const uint16_t occurrences = (uint16_t)(t->threshold >> 16);
    uint16_t last = 0;
    for (unsigned p = 0; p < PHASES; p++) {
        const uint16_t signals = l->now[p] & (uint16_t) ~(l->before[p] & occurrences);
        outcome[p] = p && signals == last ? outcome[p - 1u] : stages(t, signals);
        last = signals;
    }
}

/* The number of clocks of this phase among n from `from` on. */
static uint64_t share(uint64_t from, uint64_t n, unsigned phase)
{
    const uint64_t first = (phase + PHASES - from % PHASES) % PHASES;
    return first < n ? (n - first - 1u) / PHASES + 1u : 0;
}

static void share_all(uint64_t from, uint64_t n, uint64_t shares[PHASES])
{
    for (unsigned p = 0; p < PHASES; p++)
        shares[p] = share(from, n, p);
}

static uint64_t sum(const uint64_t shares[PHASES], const bool counts[PHASES])
{
    uint64_t s = 0;
    for (unsigned p = 0; p < PHASES; p++)
        s += counts[p] ? shares[p] : 0;
    return s;
}

/* The clocks until `wanted` of them count, at least one; UINT64_MAX: never. */
static uint64_t clocks_until(uint64_t from, uint64_t wanted, const bool counts[PHASES])
{
    uint64_t per_round = 0;
    for (unsigned p = 0; p < PHASES; p++)
        per_round += counts[p];
    if (!per_round)
        return UINT64_MAX;
    uint64_t n = (wanted - 1u) / per_round * PHASES, left = (wanted - 1u) % per_round + 1u;
    for (; left; n++)
        left -= counts[(from + n) % PHASES];
    return n;
}

/* The threshold of a report trigger; 0: it never fires. */
static uint32_t report_threshold(const struct oa_trigger *t)
{
    return t->control & THRESHOLD_ENABLE ? t->threshold & THRESHOLD : 1u;
}

/* The clocks that a report trigger counts: with a threshold, all with the outcome; else those where the
 * outcome becomes true. */
static void report_counts(const struct oa_trigger *t, const struct oa_signal_phases *l, bool was,
                          uint64_t from, bool first_alone, bool outcome[PHASES], bool counts[PHASES])
{
    report_phases(t, l, outcome);
    for (unsigned p = 0; p < PHASES; p++)
        counts[p] = outcome[p] && (t->control & THRESHOLD_ENABLE || !outcome[(p + PHASES - 1u) % PHASES]);
    const unsigned p = (unsigned)(from % PHASES);
    if (first_alone)
        counts[p] = outcome[p] && (t->control & THRESHOLD_ENABLE || !was);
}

/* ---- Counting ---- */

uint64_t oa_gpu_ticks(const struct oa *oa)
{
    return oa->clock.sixtieths / 60u;
}

static bool started(const struct oa *oa)
{
    bool any_started = false;
    for (unsigned k = 0; k < oa->info->triggers.count; k++)
        any_started |= oa->triggers.started[k];
    return any_started;
}

static void counter_add(uint64_t *counter, uint64_t n, unsigned bits, bool *overflows)
{
    const uint64_t mask = UINT64_MAX >> (64u - bits);
    *overflows |= n > mask - *counter;
    *counter = (*counter + n) & mask;
}

/* Converts transactions of 64 bytes to the unit of A36 and A37: two with bit 29 of a register, else four. The
 * remainder is kept if the unit changes. */
static uint64_t memory_units(struct oa *oa, unsigned i, uint64_t transactions)
{
    uint64_t *const part = &oa->counts.transactions[i - OA_MEMORY_READS];
    const uint64_t unit = register_value(oa->mmio, oa->info->counters.transaction_unit) >> 29 & 1u
                              ? 2u
                              : OA_MAX_TRANSACTIONS,
                   all = *part + transactions;
    *part = all % unit;
    return all / unit;
}

/* Whether a B or C counter is clocked. (REN-24) */
static bool has_clock(const struct oa *oa, unsigned counter)
{
    return !oa->info->counters.clock_select ||
           (register_value(oa->mmio, oa->info->counters.clock_select) >> counter * 2u & 3u) != 3u;
}

static struct oa_custom_event custom_event(const struct oa *oa, unsigned number)
{
    return (struct oa_custom_event){
        .compare = register_value(oa->mmio, oa->info->triggers.custom_events + number * 8u),
        .mask = register_value(oa->mmio, oa->info->triggers.custom_events + number * 8u + 4u)};
}

static void count_inputs(const struct oa *oa, const struct oa_signal_phases *l, const uint64_t shares[PHASES],
                         struct oa_counts *more)
{
    const struct oa_info *const info = oa->info;
    for (unsigned i = 0; i < info->counters.b_count + info->counters.c_count; i++) {
        const bool is_b = i < info->counters.b_count;
        const uint32_t control = is_b ? trigger(oa, info->triggers.start, i / 4u).control : 0;
        const bool boolean = is_b && control >> (28u + i % 4u) & 1u;
        const struct oa_custom_event event = boolean ? custom_event(oa, i) : (struct oa_custom_event){0, 0};
        bool counts[PHASES];
        if (!has_clock(oa, i))
            continue;
        for (unsigned p = 0; p < PHASES; p++)
            counts[p] = boolean ? custom(event, l->now[p], l->before[p]) : l->now[p] >> i & 1u;
        *(is_b ? &more->b[i] : &more->c[i - info->counters.b_count]) = sum(shares, counts);
    }
}

static void count_events(struct oa *oa, uint64_t n)
{
    for (unsigned i = 0; i < OA_EVENT_KINDS; i++)
        oa->events.pending[i] -= oa->events.pending[i] < n ? oa->events.pending[i] : n;
}

/* The clocks until the pending counts of an event are used up. */
static uint64_t events_end(const struct oa *oa)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < OA_EVENT_KINDS; i++)
        if (oa->events.pending[i] && oa->events.pending[i] < least)
            least = oa->events.pending[i];
    return least;
}

/* A span of clocks in which no signal changes and no trigger fires. */
struct span {
    struct oa_signal_phases look;
    struct oa_trigger starts[OA_MAX_TRIGGERS], reports[OA_MAX_TRIGGERS];
    bool start[OA_MAX_TRIGGERS][PHASES], outcome[OA_MAX_TRIGGERS][PHASES], report[OA_MAX_TRIGGERS][PHASES];
    uint64_t clocks, shares[PHASES]; /* all clocks, and those of each phase */
};

/* Begins a span of at most n clocks. False: a start trigger just fired. */
static bool span_begin(struct oa *oa, struct span *s, uint64_t from, uint64_t n)
{
    const struct oa_info *const info = oa->info;
    struct oa_triggers *const t = &oa->triggers;
    const unsigned phase = (unsigned)(from % PHASES);
    const bool can_write = oa_can_write(oa);
    signals_now(oa, &s->look);
    bool alone = t->previous_signals != s->look.before[phase];
    s->clocks = n;
    for (unsigned k = 0; k < info->triggers.count; k++) {
        s->reports[k] = trigger(oa, info->triggers.report, k);
        report_phases(&s->reports[k], &s->look, s->outcome[k]);
        alone |= t->report_outcome[k] != s->outcome[k][(phase + PHASES - 1u) % PHASES];
    }
    if (alone) {
        s->look.before[phase] = t->previous_signals;
        s->clocks = 1;
    }
    const uint64_t end = events_end(oa);
    s->clocks = end < s->clocks ? end : s->clocks;
    for (unsigned k = 0; k < info->triggers.count; k++) {
        const struct oa_trigger *const r = &s->reports[k];
        report_counts(r, &s->look, t->report_outcome[k], from, alone, s->outcome[k], s->report[k]);
        const uint32_t threshold = report_threshold(r);
        const uint64_t fires =
            can_write && threshold
                ? clocks_until(from, threshold > t->report_counts[k] ? threshold - t->report_counts[k] : 1u,
                               s->report[k])
                : UINT64_MAX;
        s->clocks = fires < s->clocks ? fires : s->clocks;
        if (t->started[k])
            continue;
        s->starts[k] = trigger(oa, info->triggers.start, k);
        const bool counted = s->starts[k].control & THRESHOLD_ENABLE;
        const uint32_t wanted = counted ? s->starts[k].threshold & THRESHOLD : 1u;
        if (t->start_counts[k] >= wanted) {
            t->started[k] = true;
            return false;
        }
        start_phases(&s->starts[k], &s->look, s->start[k]);
        const uint64_t starts = clocks_until(from, wanted - t->start_counts[k], s->start[k]);
        s->clocks = starts < s->clocks ? starts : s->clocks;
    }
    share_all(from, s->clocks, s->shares);
    return true;
}

/* Adds to all counters. True: a counter overflows. */
static bool add_all(struct oa *oa, const struct oa_counts *more)
{
    bool overflows = false;
    for (unsigned i = 0; i < OA_A_COUNTERS; i++) {
        const bool units =
            oa->info->counters.transaction_unit && (i == OA_MEMORY_READS || i == OA_MEMORY_WRITES);
        if (more->a[i])
            counter_add(&oa->counts.a[i], units ? memory_units(oa, i, more->a[i]) : more->a[i],
                        oa->info->counters.a_bits, &overflows);
    }
    for (unsigned i = 0; i < oa->info->counters.b_count; i++)
        counter_add(&oa->counts.b[i], more->b[i], 32, &overflows);
    for (unsigned i = 0; i < oa->info->counters.c_count; i++)
        counter_add(&oa->counts.c[i], more->c[i], 32, &overflows);
    return overflows;
}

/* Adds to the counters that are limited to a context. Events may be added after it is switched out; clocks
 * are not. */
static bool add_counted(struct oa *oa, const struct oa_counts *more)
{
    const struct oa_info *const info = oa->info;
    struct oa_counts events = *more;
    if (info->register_ops->counting(oa))
        return add_all(oa, more);
    if (!info->register_ops->single_context)
        return false;
    for (unsigned i = 0; i < OA_A_COUNTERS; i++)
        events.a[i] = info->counters.a_signals[i] && info->counters.a_signals[i] < OA_EVENTS ? 0 : more->a[i];
    for (unsigned i = 0; i < info->counters.b_count + info->counters.c_count; i++) {
        const bool is_b = i < info->counters.b_count;
        const bool boolean = is_b && trigger(oa, info->triggers.start, i / 4u).control >> (28u + i % 4u) & 1u;
        if (boolean || oa->noa_signals[i] < OA_EVENTS)
            *(is_b ? &events.b[i] : &events.c[i - info->counters.b_count]) = 0;
    }
    return add_all(oa, &events);
}

/* Adds to the context's own counters: registers that are saved with it. */
static void add_to_context(struct engine *e, const struct oa_counts *more, uint64_t clocks)
{
    const uint64_t busy = engine_has_work(e) ? clocks : 0;
    oa_context_add(e, 0, busy);
    engine_register_set(e, OA_CONTEXT_GPU_TICKS, engine_register(e, OA_CONTEXT_GPU_TICKS) + (uint32_t)clocks);
    for (uint32_t i = 0; i < OA_B_COUNTERS; i++) {
        const uint32_t b = OA_CONTEXT_B + i * 4u, c = OA_CONTEXT_C + i * 4u;
        engine_register_set(e, b, engine_register(e, b) + (uint32_t)more->b[i]);
        engine_register_set(e, c, engine_register(e, c) + (uint32_t)more->c[i]);
    }
}

static void count_span(struct oa *oa, const struct span *s)
{
    const struct oa_info *const info = oa->info;
    const bool qualified = started(oa);
    struct oa_counts more = {0};
    for (unsigned i = 0; i < OA_A_COUNTERS; i++) {
        const uint64_t pending =
            oa_take_pending(oa, i, qualified || !info->triggers.start_gates_all ? s->clocks : UINT64_MAX);
        if (qualified || !info->triggers.start_gates_all)
            more.a[i] = info->counters.a_signals[i] && signal_level(oa, info->counters.a_signals[i])
                            ? s->clocks
                            : pending;
    }
    if (qualified)
        count_inputs(oa, &s->look, s->shares, &more);
    if (info->register_ops->enabled(oa) && add_counted(oa, &more))
        info->register_ops->set_tail(oa, info->register_ops->buffer(oa).tail, OA_STATUS_COUNTER_OVERFLOW);
    for (struct engine *e = oa->engines; e < oa->engines + oa->engine_count; e++)
        if (oa_context_counts(oa, e))
            add_to_context(e, &more, s->clocks);
}

/* Ends the span; returns the reasons of due reports. */
static uint32_t span_end(struct oa *oa, const struct span *s, uint64_t from)
{
    struct oa_triggers *const t = &oa->triggers;
    const unsigned last = (unsigned)((from + s->clocks - 1u) % PHASES);
    uint32_t reasons = 0;
    for (unsigned k = 0; k < oa->info->triggers.count; k++) {
        const uint32_t threshold = report_threshold(&s->reports[k]);
        const bool kept = s->reports[k].control & THRESHOLD_ENABLE;
        const uint64_t more = sum(s->shares, s->report[k]), count = (kept ? t->report_counts[k] : 0) + more;
        /* A threshold that was lowered below the count fires in the next clock that counts. */
        const bool fires = threshold && more && count >= threshold;
        if (!t->started[k])
            t->start_counts[k] += (uint32_t)sum(s->shares, s->start[k]);
        t->report_counts[k] = !threshold ? 0 : (uint32_t)(fires ? count % threshold : count);
        if (fires)
            reasons |= (uint32_t)OA_REASON_TRIGGER_1 << k;
        t->report_outcome[k] = s->outcome[k][last];
    }
    t->previous_signals = s->look.now[last];
    count_events(oa, s->clocks);
    return reasons;
}

void oa_advance_clocks(struct oa *oa, uint64_t from, uint64_t to)
{
    while (from < to) {
        struct span s;
        if (!span_begin(oa, &s, from, to - from))
            continue;
        count_span(oa, &s);
        const uint32_t reasons = span_end(oa, &s, from);
        from += s.clocks;
        if (reasons)
            oa_buffer_report(oa, reasons, from);
    }
}

uint64_t oa_clocks_until_trigger(const struct oa *oa)
{
    struct oa copy = *oa;
    struct span s;
    const uint64_t from = oa_gpu_ticks(oa);
    while (!span_begin(&copy, &s, from, UINT64_MAX))
        continue;
    return s.clocks;
}

/* ---- Events ---- */

static uint64_t of_all(const struct oa *oa, uint64_t (*count)(const struct engine *e))
{
    uint64_t n = 0;
    for (const struct engine *e = oa->engines; e < oa->engines + oa->engine_count; e++)
        if (!oa->info->engine_mask || oa->info->engine_mask >> e->info->class & 1u)
            n += count(e);
    return n;
}

static uint64_t batches(const struct engine *e)
{
    return e->totals.batches;
}

static uint64_t switches(const struct engine *e)
{
    return e->totals.switches;
}

static uint64_t fetched(const struct engine *e)
{
    return e->totals.dwords * 4u;
}

static uint64_t stored(const struct engine *e)
{
    return e->totals.memory.bytes_stored;
}

static uint64_t local_loaded(const struct engine *e)
{
    return e->totals.memory.local_loaded;
}

static uint64_t local_stored(const struct engine *e)
{
    return e->totals.memory.local_stored;
}

/* The number of parsed commands of a row. */
static uint64_t parsed(const struct oa *oa, enum engine_class class, unsigned instance, uint32_t header)
{
    for (const struct engine *e = oa->engines; e < oa->engines + oa->engine_count; e++) {
        const uint16_t row = command_find(e->commands.set, class, header);
        if (e->info->class == class && e->info->instance == instance && row)
            return e->commands.counts[row];
    }
    return 0;
}

static uint64_t so_far(const struct oa *oa, unsigned event)
{
    switch (event + OA_EVENTS) {
    case OA_BATCHES:
        return of_all(oa, batches);
    case OA_CONTEXT_LOADS:
        return of_all(oa, switches);
    case OA_READS:
        return of_all(oa, oa->info->counters.device_memory_only ? local_loaded : fetched) / 64u;
    case OA_WRITES:
        return of_all(oa, oa->info->counters.device_memory_only ? local_stored : stored) / 64u;
    case OA_DRAWS:
        return parsed(oa, CLASS_RENDER, 0, PRIMITIVE_3D);
    case OA_WALKERS:
        return parsed(oa, CLASS_RENDER, 0, GPGPU_WALKER) + parsed(oa, CLASS_RENDER, 0, COMPUTE_WALKER);
    case OA_STALLING_FLUSHES:
        return oa->engines->totals.stalling_flushes;
    case OA_FLUSHES:
        return parsed(oa, CLASS_RENDER, 0, PIPE_CONTROL);
    default:
        return parsed(oa, CLASS_COMPUTE, event + OA_EVENTS - OA_COMPUTE_WALKERS, COMPUTE_WALKER);
    }
}

bool oa_is_counting_context(const struct oa *oa)
{
    return !oa->info->register_ops->single_context || oa->info->register_ops->counting(oa);
}

static void sample_event(struct oa *oa, unsigned event, bool counted)
{
    struct oa_events *const v = &oa->events;
    const uint64_t n = so_far(oa, event),
                   more = oa_is_counting_context(oa) && n > v->seen[event] ? n - v->seen[event] : 0;
    v->pending[event] = counted && n >= v->seen[event] ? v->pending[event] + more : 0;
    v->seen[event] = n;
}

void oa_sample_context_events(struct oa *oa)
{
    for (unsigned i = 0; i < OA_EVENT_KINDS; i++)
        if (i + OA_EVENTS != OA_READS) /* fetches are counted when the streamer is idle */
            sample_event(oa, i, true);
}

void oa_sample_events(struct oa *oa, bool counted)
{
    for (unsigned i = 0; i < OA_EVENT_KINDS; i++)
        sample_event(oa, i, counted);
    if (!counted)
        memset(oa->eu_counters.pending, 0, sizeof oa->eu_counters.pending);
}

/* The clocks until a trigger has written so many reports, if no unit changes. */
static uint64_t clocks_as(const struct oa *oa, const struct oa_signal_phases *l, uint64_t reports)
{
    uint64_t least = UINT64_MAX;
    for (unsigned k = 0; k < oa->info->triggers.count; k++) {
        const struct oa_trigger t = trigger(oa, oa->info->triggers.report, k);
        const uint32_t threshold = report_threshold(&t);
        bool outcome[PHASES], counts[PHASES];
        report_counts(&t, l, false, 0, false, outcome, counts);
        const uint64_t clocks = threshold ? clocks_until(0, reports * threshold, counts) : UINT64_MAX;
        least = clocks < least ? clocks : least;
    }
    return least;
}

uint64_t oa_clocks_until_reports(const struct oa *oa, uint64_t reports)
{
    struct oa copy = *oa;
    uint64_t clocks = 0;
    oa_sample_events(&copy, true);
    while (reports) {
        struct oa_signal_phases l;
        signals_now(&copy, &l);
        const uint64_t enough = clocks_as(&copy, &l, reports), end = events_end(&copy);
        if (enough <= end)
            return enough == UINT64_MAX ? UINT64_MAX : clocks + enough;
        const uint64_t made = 1u + (enough == UINT64_MAX ? 0 : reports * end / enough);
        count_events(&copy, end);
        clocks += end;
        reports -= made < reports ? made : reports;
    }
    return clocks;
}
