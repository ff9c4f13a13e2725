#include "host/engine_watch.h"

#include "host/engine_report.h"

#include <inttypes.h>
#include <stdio.h>

enum { LOOK_NS = 50000000, MOST_BETWEEN_NS = 250000000, SENTENCE = 900 };

/* No engine has a number that is_watched takes. */
static unsigned watched_engine_of(const struct engine_watch *w, const char *unit)
{
    return (unsigned)sheet_engine_find(device_sheet(w->device), unit);
}

static bool is_watched(const struct engine_watch *w, unsigned engine)
{
    return engine < TRACKED_ENGINES && engine < softgt_info(w->device)->engine_count;
}

/* Ends a sentence with a full stop, and says it. */
static void say_text(const struct engine_watch *w, struct text *t)
{
    char line[SENTENCE];
    if (!t->failed) {
        snprintf(line, sizeof line, "%.*s.", (int)t->length, t->bytes);
        w->say(w->user, line);
    }
    text_free(t);
}

static void put_seconds(struct text *t, const char *before, uint64_t ns, int digits)
{
    text_format(t, "%s%.*f s", before, digits, (double)ns / 1e9);
}

static void put_place(struct text *t, const struct engine_watch *w, unsigned engine)
{
    engine_report_place(t, w->device, engine,
                        engine_positions_find(w->positions, device_sheet(w->device)->engines[engine].name));
}

/* ---- Who wrote ---- */

static struct watched_store *store_at(struct engine_watch *w, uint64_t address)
{
    return &w->stores[address / 4u % WATCHED_STORES];
}

static void on_store(struct engine_watch *w, const struct softgt_event *e)
{
    struct device_engine_view v;
    const unsigned engine = watched_engine_of(w, e->unit);
    if (!is_watched(w, engine))
        return;
    device_engine_view(w->device, engine, &v);
    *store_at(w, e->address) = (struct watched_store){.unit = e->unit,
                                                      .address = e->address,
                                                      .value = e->value,
                                                      .now_ns = e->now_ns,
                                                      .command = v.command_address,
                                                      .is_ggtt = e->is_ggtt};
}

static void put_writer(struct text *t, struct engine_watch *w, unsigned engine)
{
    const struct engine_wait_place at = engine_wait_place(w->device, engine);
    const struct watched_store *const s = store_at(w, at.address);
    if (!at.has_address || at.is_register || !s->unit || s->address != at.address || s->is_ggtt != at.is_ggtt)
        return;
    text_format(t, ". %s wrote 0x%" PRIx64 " there last, by the command at 0x%" PRIx64 ", at %.6f s", s->unit,
                s->value, s->command, (double)s->now_ns / 1e9);
}

/* ---- Hangs and resets ---- */

static void on_stop(struct engine_watch *w, const struct softgt_event *e, unsigned engine)
{
    struct text t = {0};
    text_string(&t, e->unit);
    text_string(&t, " hangs: ");
    text_string(&t, *w->fault[engine] ? w->fault[engine] : e->text ? e->text : "");
    text_string(&t, ". It stopped at ");
    put_place(&t, w, engine);
    put_seconds(&t, ", at ", e->now_ns, 6);
    say_text(w, &t);
}

static void on_reset(struct engine_watch *w, const struct softgt_event *e, unsigned engine)
{
    static const char *const doing[] = {[SOFTGT_ENGINE_IDLE] = "",
                                        [SOFTGT_ENGINE_RUNNING] = " is reset while it runs ",
                                        [SOFTGT_ENGINE_WAITING] = " is reset while it waits at ",
                                        [SOFTGT_ENGINE_STOPPED] = " is reset after its hang at "};
    const enum softgt_engine_state state = softgt_engine_get_state(w->device, engine);
    struct text t = {0};
    if (state == SOFTGT_ENGINE_IDLE)
        return;
    text_string(&t, e->unit);
    text_string(&t, doing[state]);
    put_place(&t, w, engine);
    put_seconds(&t, ", at ", e->now_ns, 6);
    if (state == SOFTGT_ENGINE_WAITING) {
        text_string(&t, ". ");
        engine_report_wait(&t, w->device, engine);
    }
    say_text(w, &t);
}

void engine_watch_report(struct engine_watch *w, const struct softgt_report *report)
{
    if (!w->device || report->mistake != SOFTGT_MISTAKE_FAULT)
        return;
    const unsigned engine = watched_engine_of(w, report->unit);
    if (is_watched(w, engine))
        snprintf(w->fault[engine], WATCH_TEXT, "%s", report->text);
}

void engine_watch_event(struct engine_watch *w, const struct softgt_event *e)
{
    const unsigned engine = w->device && e->what & (ENGINE_WATCH_EVENTS | SOFTGT_TRACE_MEMORY)
                                ? watched_engine_of(w, e->unit)
                                : TRACKED_ENGINES;
    if (w->device && e->what == SOFTGT_TRACE_MEMORY)
        on_store(w, e);
    if (e->what == SOFTGT_TRACE_BATCHES && w->device && is_watched(w, engine)) {
        if (e->kind == SOFTGT_EVENT_STOP)
            on_stop(w, e, engine);
        if (e->kind == SOFTGT_EVENT_RESET)
            on_reset(w, e, engine);
        if (e->kind == SOFTGT_EVENT_STOP || e->kind == SOFTGT_EVENT_RESET)
            *w->fault[engine] = 0;
    }
    engine_positions_event(w->positions, e);
}

/* ---- Standstills ---- */

/* The record of a context; the one seen longest ago makes room for a new one. */
static struct watched_context *context_of(struct engine_watch *w, unsigned engine, uint64_t key)
{
    struct watched_context *oldest = w->contexts[engine];
    for (struct watched_context *c = w->contexts[engine]; c < w->contexts[engine] + WATCHED_CONTEXTS; c++) {
        if (c->used && c->key == key)
            return c;
        if (!c->used || (oldest->used && c->seen < oldest->seen))
            oldest = c;
    }
    w->standstills -= oldest->said;
    *oldest = (struct watched_context){.key = key};
    return oldest;
}

static void say_still(struct engine_watch *w, unsigned engine, const struct watched_context *c,
                      const struct softgt_engine_status *s, uint64_t host_ns)
{
    struct text t = {0};
    const bool waits = s->state == SOFTGT_ENGINE_WAITING;
    char line[120];
    text_string(&t, s->name);
    put_seconds(&t, " makes no progress for ", c->still_ns, 1);
    text_string(&t, waits ? ": it waits at " : ": it runs ");
    put_place(&t, w, engine);
    put_seconds(&t, ", since ", c->since_ns, 6);
    put_seconds(&t, " of the device's time, ", host_ns - c->since_host_ns, 1);
    text_string(&t, " ago. ");
    if (waits) {
        engine_report_wait(&t, w->device, engine);
        put_writer(&t, w, engine);
    } else {
        snprintf(line, sizeof line,
                 "Since then it ran %" PRIu64 " commands and %" PRIu64 " instructions of threads",
                 s->commands - c->since_commands, s->instructions - c->since_instructions);
        text_string(&t, line);
    }
    say_text(w, &t);
}

static void say_end(struct engine_watch *w, const char *unit, struct watched_context *c, uint64_t host_ns)
{
    struct text t = {0};
    text_string(&t, unit);
    put_seconds(&t, " makes progress again, after ", host_ns - c->since_host_ns, 1);
    say_text(w, &t);
    c->said = false;
    w->standstills--;
}

/* An engine without work: what stood still there has ended. */
static void look_idle(struct engine_watch *w, unsigned engine, uint64_t host_ns)
{
    struct watched_context *const all = w->contexts[engine];
    for (unsigned i = 0; i < WATCHED_CONTEXTS; i++) {
        if (all[i].said && softgt_engine_get_state(w->device, engine) == SOFTGT_ENGINE_IDLE)
            say_end(w, device_sheet(w->device)->engines[engine].name, &all[i], host_ns);
        w->standstills -= all[i].said;
        all[i].used = all[i].said = false;
    }
}

static void look_at(struct engine_watch *w, unsigned engine, uint64_t host_ns)
{
    struct device_engine_view v;
    struct softgt_engine_status s;
    const enum softgt_engine_state state = softgt_engine_get_state(w->device, engine);
    if (state == SOFTGT_ENGINE_IDLE || state == SOFTGT_ENGINE_STOPPED) {
        look_idle(w, engine, host_ns);
        return;
    }
    device_engine_view(w->device, engine, &v);
    if (v.levels[0].kind != STREAM_RING)
        return;
    struct watched_context *const c =
        context_of(w, engine, v.has_context ? (uint64_t)v.context.high << 32 | v.context.low : 0);
    const bool is_still = c->used && c->head == v.levels[0].address;
    const uint64_t between_ns = host_ns - w->last_look_ns;
    if (!is_still && c->used && c->said)
        say_end(w, device_sheet(w->device)->engines[engine].name, c, host_ns);
    if (!is_still) {
        softgt_engine_get_status(w->device, engine, &s);
        *c = (struct watched_context){.key = c->key,
                                      .head = v.levels[0].address,
                                      .since_host_ns = host_ns,
                                      .since_ns = softgt_now_ns(w->device),
                                      .since_commands = s.commands,
                                      .since_instructions = s.instructions,
                                      .used = true};
    } else if (c->seen + 1u == w->looks) {
        c->still_ns += between_ns < MOST_BETWEEN_NS ? between_ns : MOST_BETWEEN_NS;
    }
    c->seen = w->looks;
    if (c->said || !w->patience_ns || c->still_ns < w->patience_ns)
        return;
    softgt_engine_get_status(w->device, engine, &s);
    say_still(w, engine, c, &s, host_ns);
    c->said = true;
    w->standstills++;
}

void engine_watch_look(struct engine_watch *w, uint64_t host_ns)
{
    if (!w->device || host_ns - w->last_look_ns < LOOK_NS)
        return;
    w->looks++;
    for (unsigned i = 0; i < TRACKED_ENGINES && i < softgt_info(w->device)->engine_count; i++)
        look_at(w, i, host_ns);
    w->last_look_ns = host_ns;
}

uint64_t engine_watch_due_ns(const struct engine_watch *w)
{
    return w->standstills ? w->last_look_ns + LOOK_NS : UINT64_MAX;
}

void engine_watch_reset(struct engine_watch *w)
{
    memset(w->contexts, 0, sizeof w->contexts);
    memset(w->stores, 0, sizeof w->stores);
    memset(w->positions, 0, sizeof w->positions);
    w->standstills = 0;
}
