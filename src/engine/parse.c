/*
 * The parser. The life of a command: its page is looked up (begin_page), its row is found by the header
 * (parse_page), its dwords are fetched, it is counted and judged (refused, or executed by the row's
 * function), and its outcome ends it: done, jump, wait, resume or fault (end_command). Commands with the same
 * header run in a loop of their own. A function that moves the stream changes its cursor, which then is not
 * after the command. The parser stops when the engine cannot continue or the budget is used up. (CSP-02,
 * CSP-05, CSP-21)
 */
#include "engine/fetch.h"
#include "base/inline.h"

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
                                          .engine_class = (enum softgt_engine_class)e->info->class});
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
 * over, 0: the engine stopped, or is held before it. */
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
        if (e->log->is_held)
            return 0;
        report_guest_error(e->log, SOFTGT_MISTAKE_MISPLACED, e->info->name, e->parse.command_address,
                           "%s is not a command of this engine, skipped", c->name);
        e->commands.counts[other]++;
        e->totals.misplaced++;
        engine_error(e, EIR_INSTRUCTION);
        return length_dw;
    }
    trace_command(e, SOFTGT_EVENT_UNKNOWN, NULL, dw, 1, false);
    if (e->log->is_held)
        return 0;
    e->totals.unknown++;
    note_unknown(e, header);
    report_guest_error(e->log, SOFTGT_MISTAKE_UNKNOWN, e->info->name, e->parse.command_address,
                       "unknown command %08x", header);
    engine_error(e, EIR_INSTRUCTION);
    engine_stop(e, STOP_UNKNOWN);
    return 0;
}

/* Whether a fetched command is executed, or why not. */
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

/* Executes one fetched command; the stream is already past it. */
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

/* The accessor of a stream's commands. A batch in the PPGTT has user rights, also where INDIRECT_CTX starts
 * it. (CSP-03, CSP-15) */
static const struct accessor *stream_accessor(const struct engine *e, unsigned depth)
{
    if (e->parse.restoring && e->parse.streams[depth].space == SPACE_GGTT)
        return &e->accessor.restore;
    return stream_privileged(e, depth) ? &e->accessor.privileged : &e->accessor.unprivileged;
}

/* Moves the stream back to the command at `address`, and the count of the ring's wraps with it. */
static void stay(struct engine *e, unsigned depth, uint64_t address, uint32_t wraps)
{
    stream_seek(e, depth, address);
    e->parse.streams[depth].wraps = wraps;
}

/* ---- The life of a command ---- */

/* The parser within one page of a stream. Every function that takes it is inlined: its members are local
 * variables. */
struct page_visit {
    struct stream *stream;
    struct cursor *cursor;  /* where functions of commands see the stream; it moves before each command */
    const uint32_t *next;   /* the next command in the page */
    const uint32_t *behind; /* the end of the current command in the page; NULL: it crosses the page's end */
    uint64_t address;       /* of the current command */
    uint64_t budget_dw, used_dw, counted_dw;
    uint64_t fetched_dw; /* budget of fetches: charged after the page, so that one command at least is done */
    uint64_t resumed;    /* progress of the command that the visit begins with */
    uint32_t wraps;      /* of the stream before the visit */
    unsigned depth;
    uint16_t noop; /* the row of MI_NOOP */
    bool counted;  /* commands of images are not */
};

/* Looks up the page of the current stream. False: there is nothing to parse now. */
static INLINE bool begin_page(struct engine *e, struct page_visit *v)
{
    v->depth = e->parse.depth;
    v->stream = &e->parse.streams[v->depth];
    v->cursor = &e->cursors[v->depth];
    v->fetched_dw = 0;
    if (v->cursor->at == v->cursor->limit) {
        const bool is_mapped = fetch_page(e);
        v->fetched_dw = budget_take_cost_dw(e->log);
        if (!is_mapped) {
            v->used_dw += v->fetched_dw + 1u; /* an endless loop of empty streams must use up the budget */
            return false;
        }
    }
    v->counted = v->stream->kind != STREAM_RESTORE;
    v->next = v->cursor->at;
    v->wraps = v->stream->wraps;
    v->resumed = v->stream->progress;
    return true;
}

/* A run of MI_NOOP; IPEHR and ACTHD show the last one. */
static INLINE void skip_noops(struct engine *e, struct page_visit *v)
{
    const size_t run = zeros_dw(v->next, (size_t)(v->cursor->limit - v->next));
    v->next += run;
    v->used_dw += run;
    v->cursor->at = v->next - 1;
    e->parse.command_address = stream_address(e, v->depth);
    e->parse.header = 0;
    if (v->counted) {
        e->commands.counts[v->noop] += run;
        v->counted_dw += run;
    }
}

/* A header without a row: the stream moves past it, or the engine stops. */
static INLINE void parse_unknown(struct engine *e, struct page_visit *v, uint32_t header)
{
    v->cursor->at = v->next;
    const uint32_t skip_dw = unknown(e, header, v->next, (size_t)(v->cursor->limit - v->next));
    if (e->log->is_held)
        return;
    v->used_dw += (skip_dw ? skip_dw : 1u) + budget_take_cost_dw(e->log);
    v->counted_dw += skip_dw;
    if (skip_dw)
        stream_seek(e, v->depth, v->address + skip_dw * 4u);
}

/* The dwords of the command; the stream then is after it. False: some are not available yet. */
static INLINE bool fetch_command(struct engine *e, struct page_visit *v, struct execution *x)
{
    x->dw = v->next;
    v->behind = v->next + x->length_dw;
    if (__builtin_expect(v->behind <= v->cursor->limit, 1)) {
        v->cursor->at = v->behind;
        return true;
    }
    v->cursor->at = v->next;
    v->behind = NULL;
    x->dw = fetch_across(e, x->length_dw);
    v->fetched_dw += budget_take_cost_dw(e->log);
    return x->dw;
}

/* False: a debugger holds the engine before the command. */
static INLINE bool count_command(struct engine *e, struct page_visit *v, const struct execution *x,
                                 uint16_t number)
{
    if (v->counted && tracing(e->log, SOFTGT_TRACE_COMMANDS) && !x->progress && !e->wait.reason) {
        trace_command(e, judge(e, x), x->command, x->dw, x->length_dw, false);
        if (e->log->is_held)
            return false;
    }
    v->used_dw += x->length_dw;
    if (!v->counted)
        return true;
    e->commands.counts[number]++;
    v->counted_dw += x->length_dw;
    return true;
}

/* Done within one execution, and no preemption point: most commands. */
static INLINE bool is_simply_done(const struct page_visit *v, const struct execution *x, enum outcome outcome)
{
    return __builtin_expect(outcome == OUTCOME_DONE && !(x->command->flags & COMMAND_PREEMPTION_POINT) &&
                                !(x->progress | v->resumed),
                            1);
}

/* Executes the commands that follow with the same header: what was judged of the first holds for them.
 * Returns the outcome of the last one. */
static INLINE enum outcome run_repeated(struct engine *e, struct page_visit *v, struct execution *x,
                                        uint16_t number)
{
    const uint32_t header = x->header, length_dw = x->length_dw;
    const uint32_t *const limit = v->cursor->limit, *const from = v->next;
    const uint64_t page_dw = (uint64_t)(limit - v->next),
                   left_dw = v->used_dw < v->budget_dw ? v->budget_dw - v->used_dw : 0;
    const uint32_t *const last = v->next + (page_dw < left_dw ? page_dw : left_dw);
    enum outcome outcome = OUTCOME_DONE;
    while (v->next < last && v->cursor->limit - v->next >= (ptrdiff_t)length_dw &&
           *(const volatile uint32_t *)v->next == header) {
        x->dw = v->next;
        v->cursor->at = v->next += length_dw;
        e->parse.command_address += length_dw * 4u;
        outcome = x->command->execute(x);
        if (__builtin_expect(
                outcome != OUTCOME_DONE || v->cursor->at != v->next || e->log->cost.ns | e->rules.skip, 0))
            break;
    }
    const uint64_t run_dw = (uint64_t)(v->next - from);
    v->used_dw += run_dw;
    v->counted_dw += run_dw;
    e->commands.counts[number] += run_dw / length_dw;
    v->behind = v->next;
    v->address = e->parse.command_address;
    return outcome;
}

/* A command that resumes, waits, jumps or failed, or after which a pending list may come in. */
static INLINE void end_command(struct engine *e, struct page_visit *v, struct execution *x, uint16_t number,
                               enum outcome outcome)
{
    struct parse_state *const p = &e->parse;
    if (p->state == SOFTGT_ENGINE_STOPPED && outcome != OUTCOME_DONE)
        outcome = OUTCOME_FAULT; /* a fault on the way is no wait */
    const bool repeats = outcome == OUTCOME_RESUME || outcome == OUTCOME_WAIT; /* it will be parsed again */
    if (repeats || outcome == OUTCOME_FAULT)
        stay(e, v->depth, v->address, v->wraps);
    v->stream->progress = outcome == OUTCOME_RESUME ? x->progress : 0;
    if (v->resumed && outcome != OUTCOME_RESUME && !e->time_model.costs) /* else timing.c does */
        engine_notify_drained(e);
    if (v->counted && repeats) {
        e->commands.counts[number]--;
        v->counted_dw -= x->length_dw;
    }
    if (repeats)
        e->log->cost.repeated_dw += x->length_dw;
    e->log->cost.partial_dw = outcome == OUTCOME_RESUME ? e->log->cost.partial_dw + x->length_dw : 0;
    if (outcome == OUTCOME_WAIT)
        p->state = SOFTGT_ENGINE_WAITING;
    if (outcome == OUTCOME_FAULT && p->state != SOFTGT_ENGINE_STOPPED)
        engine_stop(e, STOP_FAULT);
    if (p->arbitration && v->counted && preemptable(e, x, outcome) &&
        p->streams[p->depth].kind != STREAM_WORKAROUND && p->streams[p->depth].kind != STREAM_POWER_UP)
        e->submission->arbitrate(e);
    v->used_dw += budget_take_cost_dw(e->log);
}

/* Parses within one page, until its end, the end of the budget, or a command that is not simply done. */
static INLINE void parse_page(struct engine *e, struct page_visit *v)
{
    const struct command *const *const rows = e->commands.set->rows;
    const uint32_t *const index = e->commands.set->by_header[e->info->class];
    const struct accessor *const by = stream_accessor(e, v->depth);
    const uint64_t page_address = v->cursor->page_address;
    const uint8_t *const page = (const uint8_t *)v->cursor->page;
    /* A command that is done leaves its progress zero. */
    struct execution x = {.engine = e, .accessor = by, .progress = v->resumed, .privileged = by->privileged};
    while (v->next != v->cursor->limit && v->used_dw < v->budget_dw) {
        const uint32_t header = *(const volatile uint32_t *)v->next;
        if (header == 0 && !tracing(e->log, SOFTGT_TRACE_COMMANDS)) {
            skip_noops(e, v);
            continue;
        }
        const uint32_t entry = index[header >> 16];
        const uint16_t number = entry_number(entry);
        v->address = e->parse.command_address = page_address + (uint64_t)((const uint8_t *)v->next - page);
        e->parse.header = header;
        if (__builtin_expect(!number, 0)) {
            parse_unknown(e, v, header);
            return;
        }
        x.command = rows[number];
        x.header = header;
        x.length_dw = entry_length_dw(entry, header);
        if (!fetch_command(e, v, &x))
            return;
        if (!count_command(e, v, &x, number)) {
            stay(e, v->depth, v->address, v->wraps);
            return;
        }
        enum outcome outcome = perform(e, number, &x);
        bool is_run = false; /* of commands with the same header */
        do {
            if (!is_simply_done(v, &x, outcome)) {
                end_command(e, v, &x, number, outcome);
                return;
            }
            v->used_dw += budget_take_cost_dw(e->log);
            if (__builtin_expect(v->cursor->at != v->behind, 0))
                return; /* the command moved the stream */
            v->next = v->behind;
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): no cursor, then no limit */
            is_run = v->next != v->cursor->limit && *(const volatile uint32_t *)v->next == header &&
                     v->counted && may_run_on(e, &x, header);
            if (is_run)
                outcome = run_repeated(e, v, &x, number);
        } while (is_run && (outcome != OUTCOME_DONE || v->cursor->at != v->next || e->log->cost.ns));
    }
    v->cursor->at = v->next;
}

uint64_t engine_parse(struct engine *e, uint64_t budget_dw)
{
    struct page_visit v = {.budget_dw = budget_dw,
                           .noop = entry_number(e->commands.set->by_header[e->info->class][0])};
    while (v.used_dw < budget_dw && e->parse.state == SOFTGT_ENGINE_RUNNING && !engine_is_halted(e) &&
           !e->log->is_held) {
        if (!begin_page(e, &v))
            continue;
        const uint64_t page_address = v.cursor->page_address, before_dw = v.counted_dw;
        const enum space space = (enum space)v.stream->space;
        parse_page(e, &v);
        if (__builtin_expect(e->mmu.accounts_local, 0))
            engine_count_loaded(e, space, page_address, (v.counted_dw - before_dw) * 4u);
        v.used_dw += v.fetched_dw;
    }
    e->totals.dwords += v.counted_dw;
    return v.used_dw;
}
