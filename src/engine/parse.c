/*
 * The parser: commands one after the other, each found by its header and given to its row's function, until
 * the engine cannot go on or its budget is used. A stream's cursor tells whether a function moved the stream:
 * then it does not stand behind the command any more. (CSP-02, CSP-05, CSP-21)
 */
#include "engine/fetch.h"

#include "base/zeros.h"
#include "stream/dump.h"

static void trace_command(struct engine *e, enum softgt_event_kind kind, const struct command *c,
                          const uint32_t *dw, uint32_t length_dw, bool is_late)
{
    if (tracing(e->log, SOFTGT_TRACE_COMMANDS) && !e->parse.restoring)
        trace_event(e->log,
                    (struct softgt_event){.what = SOFTGT_TRACE_COMMANDS,
                                          .kind = kind,
                                          .unit = e->info->name,
                                          .name = c ? c->name : NULL,
                                          .model = c ? command_model(c) : SOFTGT_COMMAND_COUNTED,
                                          .address = e->parse.command_address,
                                          .is_ggtt = e->parse.streams[e->parse.depth].space == SPACE_GGTT,
                                          .is_late = is_late,
                                          .dwords = dw,
                                          .length_dw = length_dw,
                                          .engine_class = engine_class_names[e->info->class]});
}

void command_not_done(const struct execution *x, enum softgt_event_kind kind)
{
    trace_command(x->engine, kind, x->command, x->dw, x->length_dw, true);
}

static void note_unknown(struct engine *e, uint32_t header)
{
    struct unknown_header *u = e->unknown_headers.seen, *end = u + UNKNOWN_HEADERS;
    while (u < end && u->count && u->header != header)
        u++;
    if (u == end)
        return;
    if (!u->count++)
        u->first_address = e->parse.command_address;
    u->header = header;
}

/* A header that no row of this class matches, at dw; the page ends `there_dw` on. Returns the dwords to step
 * over, 0: the engine stopped. */
static uint32_t unknown(struct engine *e, uint32_t header, const uint32_t *dw, size_t there_dw)
{
    const uint16_t other = e->commands.set->elsewhere[header >> 16];
    if (other && !stream_is_image(e)) {
        /* A command of another engine is none here: an instruction error. Its length is known, the parser
         * steps over it. (CSP-05) */
        const struct command *c = e->commands.set->rows[other];
        const uint32_t length_dw = command_length_dw(c, header);
        trace_command(e, SOFTGT_EVENT_MISPLACED, c, dw, length_dw < there_dw ? length_dw : (uint32_t)there_dw,
                      false);
        report_guest_error(e->log, SOFTGT_MISTAKE_MISPLACED, e->info->name, e->parse.command_address,
                           "%s is not a command of this engine, skipped", c->name);
        e->commands.counts[other]++;
        e->totals.misplaced++;
        engine_error(e, EIR_INSTRUCTION);
        return length_dw;
    }
    e->totals.unknown++;
    note_unknown(e, header);
    trace_command(e, SOFTGT_EVENT_UNKNOWN, NULL, dw, 1, false);
    report_guest_error(e->log, SOFTGT_MISTAKE_UNKNOWN, e->info->name, e->parse.command_address,
                       "unknown command %08x", header);
    engine_error(e, EIR_INSTRUCTION);
    engine_stop(e, STOP_UNKNOWN);
    return 0;
}

/* What becomes of a command that has been fetched. */
static inline enum softgt_event_kind judge(const struct engine *e, const struct execution *x)
{
    const struct command *c = x->command;
    if (__builtin_expect(x->length_dw < c->min_dwords, 0))
        return SOFTGT_EVENT_SHORT;
    if (!x->privileged && (c->flags & COMMAND_PRIVILEGED ||
                           (x->header & c->privileged_if && !e->info->privileges.ggtt_falls_back)))
        return SOFTGT_EVENT_DROPPED;
    /* An image's own commands are not predicated, those of INDIRECT_CTX are. (CSP-03, CSP-11) */
    if (__builtin_expect(e->rules.skip && e->parse.streams[e->parse.depth].kind != STREAM_RESTORE, 0)) {
        if (e->rules.skip & SKIP_PRIVILEGED && c->flags & COMMAND_PRIVILEGED)
            return SOFTGT_EVENT_DROPPED;
        if (e->rules.skip & SKIP_PHYSICAL && c->flags & COMMAND_PHYSICAL)
            return SOFTGT_EVENT_DROPPED;
        if (e->rules.skip & SKIP_PREDICATED && command_predicated(e, c))
            return SOFTGT_EVENT_SKIPPED;
        if (e->rules.skip & SKIP_DISABLED && command_disabled(e, c))
            return SOFTGT_EVENT_DISABLED;
    }
    return SOFTGT_EVENT_COMMAND;
}

/* A command that is not executed. */
static enum outcome refuse(const struct execution *x, enum softgt_event_kind kind)
{
    struct engine *e = x->engine;
    if (kind == SOFTGT_EVENT_DROPPED && !x->privileged)
        return command_drop(x);
    if (kind == SOFTGT_EVENT_DROPPED) { /* no error: the batch is secure, but encrypted, or not of the one */
        e->totals.dropped++;
        report_guest_error(e->log, SOFTGT_MISTAKE_DROPPED, e->info->name, e->parse.command_address,
                           e->mmu.function
                               ? "%s is the physical function's: MI_NOOP in a virtual one's context"
                               : "%s is privileged: MI_NOOP in an encrypted batch",
                           x->command->name);
        return OUTCOME_DONE;
    }
    if (kind != SOFTGT_EVENT_SHORT) {
        e->totals.skipped++;
        return OUTCOME_DONE;
    }
    e->totals.too_short++;
    report_guest_error(e->log, SOFTGT_MISTAKE_SHORT, e->info->name, e->parse.command_address,
                       "%s is %u dwords long, at least %u are needed: skipped", x->command->name,
                       x->length_dw, x->command->min_dwords);
    engine_error(e, EIR_INSTRUCTION);
    return OUTCOME_DONE;
}

/* What is done with one command that has been fetched; the stream stands behind it. */
static enum outcome perform(struct engine *e, uint16_t number, struct execution *x)
{
    const struct command *c = x->command;
    const enum softgt_event_kind kind = judge(e, x);
    if (__builtin_expect(kind != SOFTGT_EVENT_COMMAND, 0))
        return refuse(x, kind);
    if (!x->privileged && x->header & c->privileged_if) {
        x->header &= ~c->privileged_if;
        command_fall_back(x);
    }
    if (c->execute)
        return c->execute(x);
    if (c->flags & COMMAND_STATE)
        pipeline_store_command(&e->pipeline, number, x->header, x->dw, x->length_dw);
    return OUTCOME_DONE;
}

/* CSP-21: where a pending execlist may come in. Waits: only while they wait; walkers: between their groups.
 */
static bool preemptable(const struct engine *e, const struct execution *x, enum outcome outcome)
{
    enum { PIPELINE_3D = 0 };
    const struct command *const c = x->command;
    if (e->parse.state == SOFTGT_ENGINE_STOPPED)
        return false;
    if (engine_register(e, MI_MODE) & MI_MODE_STOP_RING && !engine_runs_vf_context(e))
        return false;
    if (outcome == OUTCOME_WAIT)
        return !(c->flags & COMMAND_HOLDS_LIST && e->execlists.pending_valid);
    if (e->work.ops && e->work.ops->blocks_preemption && e->work.ops->blocks_preemption(e->work.unit))
        return false;
    if (outcome == OUTCOME_RESUME)
        return x->preemptible;
    if (c->flags & COMMAND_ARBITRATES)
        return true;
    return c->flags & COMMAND_ARBITRATES_MEDIA && (!c->arbitrates_if || x->header & c->arbitrates_if) &&
           pipeline_field(&e->pipeline, e->commands.pipeline_select, PIPELINE_SELECTION, 0) != PIPELINE_3D;
}

/* Whether another command with the same header is executed as this one was. */
static bool may_run_on(const struct engine *e, const struct execution *x, uint32_t header)
{
    const struct command *c = x->command;
    return c->execute && !e->rules.skip && !tracing(e->log, SOFTGT_TRACE_COMMANDS) &&
           judge(e, x) == SOFTGT_EVENT_COMMAND && (x->privileged || !(x->header & c->privileged_if)) &&
           x->header == header; /* the GGTT bit fell away from none */
}

/* On whose behalf its commands access. A batch in the PPGTT is a user's, also where INDIRECT_CTX starts it.
 * (CSP-03, CSP-15) */
static const struct accessor *stream_accessor(const struct engine *e, unsigned depth)
{
    if (e->parse.restoring && e->parse.streams[depth].space == SPACE_GGTT)
        return &e->accessor.restore;
    return stream_privileged(e, depth) ? &e->accessor.privileged : &e->accessor.unprivileged;
}

/* The command at `address` is not done; the ring's wraps are what they were before it. */
static void stay(struct engine *e, unsigned depth, uint64_t address, uint32_t wraps)
{
    stream_seek(e, depth, address);
    e->parse.streams[depth].wraps = wraps;
}

uint64_t engine_parse(struct engine *e, uint64_t budget_dw)
{
    const struct command *const *const rows = e->commands.set->rows;
    const uint32_t *const index = e->commands.set->by_header[e->info->class];
    const uint16_t noop = entry_number(index[0]);
    struct parse_state *const p = &e->parse;
    uint64_t used = 0, counted_dw = 0;
    while (used < budget_dw && p->state == SOFTGT_ENGINE_RUNNING && !engine_is_halted(e)) {
        const unsigned depth = p->depth;
        struct stream *const s = &p->streams[depth];
        struct cursor *const c = &e->cursors[depth];
        uint64_t fetched_dw = 0; /* taken behind the command: one at least is done, whatever the budget */
        if (c->at == c->limit) {
            const bool there = fetch_page(e);
            fetched_dw = budget_take_cost_dw(e->log);
            if (!there) {
                used +=
                    fetched_dw + 1u; /* ends of streams cost, too: a loop of nothing must not last for ever */
                continue;
            }
        }
        const bool counted = s->kind != STREAM_RESTORE;
        const struct accessor *const by = stream_accessor(e, depth);
        const uint32_t *cursor = c->at;
        const uint64_t page_address = c->page_address, before_dw = counted_dw;
        const enum space space = (enum space)s->space;
        const uint32_t wraps = s->wraps;
        const uint8_t *const page = (const uint8_t *)c->page;
        const uint64_t resumed = s->progress;
        /* A command that is done leaves its progress zero. */
        struct execution x = {.engine = e, .accessor = by, .progress = resumed, .privileged = by->privileged};
        /* Within one page, until something other than OUTCOME_DONE happens. */
        while (cursor != c->limit && used < budget_dw) {
            const uint32_t header = *(const volatile uint32_t *)cursor;
            if (header == 0 && !tracing(e->log, SOFTGT_TRACE_COMMANDS)) { /* MI_NOOP, mostly in runs */
                const size_t run = zeros_dw(cursor, (size_t)(c->limit - cursor));
                cursor += run;
                used += run;
                c->at = cursor - 1; /* IPEHR and ACTHD show the last one */
                p->command_address = stream_address(e, depth);
                p->header = 0;
                if (counted) {
                    e->commands.counts[noop] += run;
                    counted_dw += run;
                }
                continue;
            }
            const uint32_t entry = index[header >> 16];
            const uint16_t number = entry_number(entry);
            uint64_t address = p->command_address = page_address + (uint64_t)((const uint8_t *)cursor - page);
            p->header = header;
            if (__builtin_expect(!number, 0)) {
                c->at = cursor;
                const uint32_t skip = unknown(e, header, cursor, (size_t)(c->limit - cursor));
                used += (skip ? skip : 1u) + budget_take_cost_dw(e->log);
                counted_dw += skip;
                if (skip)
                    stream_seek(e, depth, address + skip * 4u);
                goto next_stream;
            }
            x.command = rows[number];
            x.dw = cursor;
            x.header = header;
            const uint32_t *behind = cursor + (x.length_dw = entry_length_dw(entry, header));
            if (__builtin_expect(behind > c->limit, 0)) {
                c->at = cursor;
                x.dw = fetch_across(e, x.length_dw);
                fetched_dw += budget_take_cost_dw(e->log);
                if (!x.dw)
                    goto next_stream;
                behind = NULL;
            } else {
                c->at = behind;
            }
            used += x.length_dw;
            if (counted) {
                e->commands.counts[number]++;
                counted_dw += x.length_dw;
                if (tracing(e->log, SOFTGT_TRACE_COMMANDS) && !x.progress && !e->wait.reason)
                    trace_command(e, judge(e, &x), x.command, x.dw, x.length_dw, false);
            }
            enum outcome outcome = perform(e, number, &x);
        performed:
            if (__builtin_expect(outcome == OUTCOME_DONE && !(x.command->flags & COMMAND_PREEMPTION_POINT) &&
                                     !(x.progress | resumed),
                                 1)) {
                used += budget_take_cost_dw(e->log);
                if (__builtin_expect(c->at != behind, 0))
                    goto next_stream;
                cursor = behind;
                /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): no cursor, then no limit */
                if (cursor == c->limit || *(const volatile uint32_t *)cursor != header ||
                    !(counted && may_run_on(e, &x, header)))
                    continue;
                /* The same header again: what was judged of the command before holds. */
                const uint32_t length_dw = x.length_dw;
                const uint64_t there = (uint64_t)(c->limit - cursor),
                               left = used < budget_dw ? budget_dw - used : 0;
                const uint32_t *const last = cursor + (there < left ? there : left);
                const uint32_t *const from = cursor;
                while (cursor < last && c->limit - cursor >= (ptrdiff_t)length_dw &&
                       *(const volatile uint32_t *)cursor == header) {
                    x.dw = cursor;
                    c->at = cursor += length_dw;
                    p->command_address += length_dw * 4u;
                    outcome = x.command->execute(&x);
                    if (__builtin_expect(
                            outcome != OUTCOME_DONE || c->at != cursor || e->log->cost.ns | e->rules.skip, 0))
                        break;
                }
                const uint64_t run_dw = (uint64_t)(cursor - from);
                used += run_dw;
                counted_dw += run_dw;
                e->commands.counts[number] += run_dw / length_dw;
                behind = cursor;
                if (outcome != OUTCOME_DONE || c->at != cursor || e->log->cost.ns) {
                    address = p->command_address;
                    goto performed;
                }
                continue;
            }
            if (p->state == SOFTGT_ENGINE_STOPPED && outcome != OUTCOME_DONE)
                outcome = OUTCOME_FAULT; /* a fault on the way is no wait */
            if (outcome == OUTCOME_RESUME || outcome == OUTCOME_WAIT || outcome == OUTCOME_FAULT)
                stay(e, depth, address, wraps);
            s->progress = outcome == OUTCOME_RESUME ? x.progress : 0;
            if (resumed && outcome != OUTCOME_RESUME && !e->time_model.costs) /* else timing.c does */
                engine_notify_drained(e);
            if (counted &&
                (outcome == OUTCOME_RESUME || outcome == OUTCOME_WAIT)) { /* it will be parsed again */
                e->commands.counts[number]--;
                counted_dw -= x.length_dw;
            }
            if (outcome == OUTCOME_RESUME || outcome == OUTCOME_WAIT)
                e->log->cost.repeated_dw += x.length_dw;
            e->log->cost.partial_dw = outcome == OUTCOME_RESUME ? e->log->cost.partial_dw + x.length_dw : 0;
            if (outcome == OUTCOME_WAIT)
                p->state = SOFTGT_ENGINE_WAITING;
            if (outcome == OUTCOME_FAULT && p->state != SOFTGT_ENGINE_STOPPED)
                engine_stop(e, STOP_FAULT);
            if (p->arbitration && counted && preemptable(e, &x, outcome) &&
                p->streams[p->depth].kind != STREAM_WORKAROUND &&
                p->streams[p->depth].kind != STREAM_POWER_UP)
                e->submission->arbitrate(e);
            used += budget_take_cost_dw(e->log);
            goto next_stream;
        }
        c->at = cursor;
    next_stream:
        if (__builtin_expect(e->mmu.accounts_local, 0))
            engine_count_loaded(e, space, page_address, (counted_dw - before_dw) * 4u);
        used += fetched_dw;
    }
    e->totals.dwords += counted_dw;
    return used;
}
