#include "server/monitor.h"

#include "device/host.h"
#include "host/engine_report.h"
#include "host/object.h"
#include "server/server.h"

enum { SERVE_NS = 2000000 };

static void monitor_on_report(void *user, const struct softgt_report *report)
{
    struct server_monitor *const m = user;
    engine_watch_report(&m->watch, report);
    if (m->options->report.report)
        m->options->report.report(m->options->report.user, report);
}

static void monitor_on_event(void *user, const struct softgt_event *e)
{
    struct server_monitor *const m = user;
    engine_watch_event(&m->watch, e);
    if (e->what & m->owner_events)
        m->options->trace.event(m->options->trace.user, e);
    if (m->debug.live)
        live_event(m->debug.live, e);
    if (e->what & m->control_events) {
        const struct event_place place = {.engine = engine_positions_find(m->watch.positions, e->unit)};
        control_send_event(&m->control, &place, e);
    }
}

static void say_limited(void *user, const char *sentence)
{
    const struct server_monitor *const m = user;
    m->options->news(m->options->user, sentence);
}

static void monitor_say(void *user, const char *sentence)
{
    struct server_monitor *const m = user;
    if (m->options->news)
        limited_log_line(&m->news, sentence);
}

void monitor_begin(struct server_monitor *m, const struct vfio_user_options *options,
                   struct vfio_server *server)
{
    *m =
        (struct server_monitor){.options = options,
                                .server = server,
                                .watch = {.user = m, .say = monitor_say, .patience_ns = options->patience_ns},
                                .news = {.user = m, .message = say_limited},
                                .owner_events = options->trace.event ? options->trace.mask : 0};
    control_begin(&m->control);
}

void monitor_end(struct server_monitor *m)
{
    limited_log_report_dropped(&m->news);
    debug_host_end(&m->debug);
    control_end(&m->control);
}

struct softgt_report_port monitor_report_port(struct server_monitor *m)
{
    return (struct softgt_report_port){m, monitor_on_report};
}

struct softgt_trace_port monitor_trace_port(struct server_monitor *m)
{
    return (struct softgt_trace_port){m, m->owner_events | ENGINE_WATCH_EVENTS, monitor_on_event};
}

/* A debugger's write, which a recording holds as the CPU's. */
static void write_recorded(void *user, uint32_t offset, uint32_t value)
{
    struct server_monitor *const m = user;
    softgt_bar_write(m->watch.device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
    if (m->server->recorder)
        recorder_register_written(m->server->recorder, m->watch.device, offset, value, 4);
}

void monitor_device(struct server_monitor *m, struct softgt *device)
{
    m->watch.device = m->debug.device = device;
    m->debug.port = (struct live_port){m, write_recorded, m->server->recorder != NULL};
}

void monitor_reset(struct server_monitor *m)
{
    struct engine_watch *const w = &m->watch;
    struct softgt *const device = w->device;
    w->device = NULL; /* resets of the owner are no news */
    softgt_reset(device);
    w->device = device;
    if (m->debug.live)
        live_reset(m->debug.live);
    engine_watch_reset(w);
    memset(m->last, 0, sizeof m->last);
    m->last_ns = 0;
}

uint64_t monitor_due_ns(const struct server_monitor *m)
{
    if (debug_host_is_due(&m->debug))
        return 0;
    const uint64_t watch_ns = engine_watch_due_ns(&m->watch), control_ns = control_due_ns(&m->control);
    return watch_ns < control_ns ? watch_ns : control_ns;
}

void monitor_update_trace(struct server_monitor *m)
{
    m->control_events = control_events(&m->control);
    m->debug_events = live_events(m->debug.live);
    softgt_set_trace_mask(m->watch.device,
                          m->owner_events | ENGINE_WATCH_EVENTS | m->control_events | m->debug_events);
}

void monitor_write(struct text *line, struct json_object *o)
{
    const char *const text = o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : NULL;
    line->failed |= !text;
    if (text)
        text_string(line, text);
    json_object_put(o);
}

/* ---- Statistics ---- */

static struct json_object *engine_statistics(const struct softgt_engine_status *now,
                                             const struct softgt_engine_status *last)
{
    struct json_object *o = json_object_new_object();
    object_add_text(&o, "engine", now->name);
    object_add_text(&o, "state", engine_state_names[now->state]);
    object_add_number(&o, "batches", now->batches - last->batches);
    object_add_number(&o, "commands", now->commands - last->commands);
    object_add_number(&o, "context_switches", now->context_switches - last->context_switches);
    object_add_number(&o, "interrupts", now->interrupts - last->interrupts);
    object_add_number(&o, "waits", now->waits - last->waits);
    object_add_number(&o, "faults", now->faults - last->faults);
    object_add_number(&o, "threads", now->threads - last->threads);
    object_add_number(&o, "instructions", now->instructions - last->instructions);
    return o;
}

/* What happened since the last line. */
static struct json_object *statistics(struct server_monitor *m)
{
    struct softgt *const d = m->watch.device;
    const struct vfio_user_counts *const counts = &m->server->counts;
    struct json_object *o = json_object_new_object(), *engines = json_object_new_array();
    struct softgt_engine_status now;
    object_add_text(&o, "schema", "softgt.statistics");
    object_add_number(&o, "version", 1);
    object_add_number(&o, "time_ns", softgt_now_ns(d));
    object_add_number(&o, "lasted_ns", softgt_now_ns(d) - m->last_ns);
    object_add_number(&o, "register_reads_total", counts->register_reads);
    object_add_number(&o, "register_writes_total", counts->register_writes);
    object_add_number(&o, "interrupt_messages_total", softgt_interrupt_count(d));
    for (unsigned i = 0; i < TRACKED_ENGINES && softgt_engine_get_status(d, i, &now); i++) {
        object_append(&engines, engine_statistics(&now, &m->last[i]));
        m->last[i] = now;
    }
    m->last_ns = softgt_now_ns(d);
    object_add(&o, "engines", engines);
    return o;
}

/* ---- The loop ---- */

static void report_state(struct server_monitor *m)
{
    struct json_object *const state = monitor_state(m);
    struct text t = {0};
    if (state)
        device_report_text(&t, state);
    text_char(&t, 0);
    m->options->state(m->options->user, !t.failed && state ? t.bytes : "out of memory\n");
    text_free(&t);
    json_object_put(state);
}

void monitor_serve(struct server_monitor *m, uint64_t now_ns, bool now)
{
    if (!now && now_ns - m->served_ns < SERVE_NS)
        return;
    m->served_ns = now_ns;
    if (!m->server->paused && !debug_host_holds(&m->debug))
        engine_watch_look(&m->watch, now_ns);
    if (!now && m->options->state_requested) /* the signal arrives only here and where the loop sleeps */
        server_poll(m->options->stop, NULL, 0, 0);
    if (m->options->state_requested && *m->options->state_requested && m->options->state) {
        *m->options->state_requested = 0;
        report_state(m);
    }
    if (m->control.listener < 0)
        return;
    server_advance(m->server,
                   now_ns); /* while nothing happens, time stands still for those who do not look */
    control_serve(&m->control, now_ns, monitor_answer, m);
    debug_host_serve(&m->debug, &m->control);
    if (control_events(&m->control) != m->control_events || live_events(m->debug.live) != m->debug_events)
        monitor_update_trace(m);
    if (control_wants_statistics(&m->control, now_ns)) {
        struct text line = {0};
        monitor_write(&line, statistics(m));
        control_send_statistics(&m->control, now_ns, &line);
        text_free(&line);
    }
}
