#include "host/engine_report.h"

#include "host/object.h"
#include "stream/names.h"

#include <inttypes.h>

enum { WAIT_DW = 8, GUC_CONTEXTS_SHOWN = 64 };

/* ---- Waits ---- */

struct engine_wait_place engine_wait_place(struct softgt *d, unsigned engine)
{
    struct engine_wait_place at = {0};
    uint32_t dw[WAIT_DW], length_dw;
    const struct command *const c = device_current_command(d, engine, dw, WAIT_DW, &length_dw);
    if (!c || softgt_engine_get_state(d, engine) != SOFTGT_ENGINE_WAITING ||
        !named_field(c, "Semaphore Address"))
        return at;
    at.has_address = true;
    at.address = named_number(c, "Semaphore Address", dw, length_dw);
    at.is_register = named_number(c, "Register Poll Mode", dw, length_dw);
    at.is_ggtt = named_number(c, "Memory Type", dw, length_dw);
    return at;
}

/* "GGTT address 0xfe000", "register 0x2600" */
static void put_wait_place(struct text *t, const struct engine_wait_place *at)
{
    text_format(t, "%s 0x%" PRIx64,
                at->is_register ? "register"
                : at->is_ggtt   ? "GGTT address"
                                : "PPGTT address",
                at->address);
}

void engine_report_wait(struct text *t, struct softgt *d, unsigned engine)
{
    struct device_engine_view view;
    struct softgt_engine_status status;
    const struct engine_wait_place at = engine_wait_place(d, engine);
    device_engine_view(d, engine, &view);
    if (!softgt_engine_get_status(d, engine, &status) || status.state != SOFTGT_ENGINE_WAITING)
        return;
    if (status.wait.comparison) {
        text_format(t, "It waits until the value");
        if (at.has_address) {
            text_string(t, " at ");
            put_wait_place(t, &at);
        }
        text_format(t, " is %s 0x%" PRIx32 "; it read 0x%" PRIx32, status.wait.comparison,
                    status.wait.waited_for, status.wait.found);
    } else {
        text_format(t, "It waits: %s", status.why);
    }
    text_format(t, "%s, since %.6f s", view.wait.needs_signal ? ", and gets no signal" : "",
                (double)view.wait.since_ns / 1e9);
}

/* ---- Places ---- */

/* A command in a batch, and the batch, are known where the ring has started one. */
static bool in_batch(const struct device_engine_view *v)
{
    return v->level_count > 1 && v->levels[v->level_count - 1u].kind == STREAM_BATCH;
}

static const char *command_name(const struct softgt *d, unsigned engine, uint32_t header)
{
    const struct command *const c = device_command_row(d, engine, header);
    return c ? c->name : "unknown command";
}

/* The id by which the GuC and its driver call the context. */
static void put_guc_id(struct text *t, const struct softgt *d, const struct device_engine_view *v)
{
    struct device_guc_context c;
    for (unsigned gt = 0; v->has_context && gt < MOST_GTS; gt++)
        for (uint32_t id = 0; device_guc_context(d, gt, id, &c); id = c.id + 1u)
            if (c.lrca == (v->context.low & ~0xfffu) && c.function == v->function) {
                text_format(t, ", GuC id %" PRIu32, c.id);
                return;
            }
}

void engine_report_place(struct text *t, struct softgt *d, unsigned engine,
                         const struct engine_position *position)
{
    struct device_engine_view v;
    device_engine_view(d, engine, &v);
    text_format(t, "%s (%08" PRIx32 ") at %s 0x%" PRIx64, command_name(d, engine, v.header), v.header,
                v.levels[v.level_count - 1u].is_ggtt ? "GGTT" : "PPGTT", v.command_address);
    if (in_batch(&v) && engine_position_address(position))
        text_format(t, ", batch 0x%" PRIx64, engine_position_address(position));
    else if (!in_batch(&v))
        text_format(t, ", %s",
                    v.levels[v.level_count - 1u].kind == STREAM_RESTORE ? "context image" : "ring");
    if (v.has_context)
        text_format(t, ", context 0x%" PRIx32 " (id 0x%" PRIx32 ")", v.context.low & ~0xfffu, v.context.high);
    put_guc_id(t, d, &v);
    if (v.function)
        text_format(t, " of vf%u", v.function);
}

/* ---- Objects ---- */

static struct json_object *context_object(const struct context_descriptor *c)
{
    struct json_object *o = json_object_new_object();
    object_add_hex(&o, "lrca", c->low & ~0xfffu);
    object_add_hex(&o, "id", c->high);
    return o;
}

static struct json_object *wait_object(struct softgt *d, unsigned engine, const struct device_engine_view *v,
                                       const struct softgt_engine_status *s)
{
    const struct engine_wait_place at = engine_wait_place(d, engine);
    struct json_object *o = json_object_new_object();
    object_add_text(&o, "why", s->why);
    object_add_number(&o, "since_ns", v->wait.since_ns);
    if (s->wait.comparison) {
        object_add_text(&o, "comparison", s->wait.comparison);
        object_add_hex(&o, "wanted", s->wait.waited_for);
        object_add_hex(&o, "found", s->wait.found);
    }
    if (at.has_address) {
        object_add_text(&o, "space", at.is_register ? "register" : at.is_ggtt ? "ggtt" : "ppgtt");
        object_add_hex(&o, "address", at.address);
    }
    if (v->wait.needs_signal)
        object_add_bool(&o, "needs_signal", true);
    return o;
}

static struct json_object *command_object(const struct softgt *d, unsigned engine,
                                          const struct device_engine_view *v)
{
    struct json_object *o = json_object_new_object();
    object_add_text(&o, "name", command_name(d, engine, v->header));
    object_add_hex(&o, "header", v->header);
    object_add_text(&o, "space", v->levels[v->level_count - 1u].is_ggtt ? "ggtt" : "ppgtt");
    object_add_hex(&o, "address", v->command_address);
    return o;
}

static struct json_object *levels_object(const struct device_engine_view *v)
{
    static const char *const kinds[STREAM_KINDS] = {[STREAM_RING] = "ring",
                                                    [STREAM_BATCH] = "batch",
                                                    [STREAM_WORKAROUND] = "workaround batch",
                                                    [STREAM_RESTORE] = "context image",
                                                    [STREAM_POWER_UP] = "power-up batch"};
    struct json_object *all = json_object_new_array();
    for (unsigned i = 0; i < v->level_count; i++) {
        struct json_object *o = json_object_new_object();
        object_add_text(&o, "kind", kinds[v->levels[i].kind]);
        object_add_text(&o, "space", v->levels[i].is_ggtt ? "ggtt" : "ppgtt");
        object_add_hex(&o, "address", v->levels[i].address);
        object_append(&all, o);
    }
    return all;
}

static struct json_object *list_object(const struct execlist *list)
{
    struct json_object *all = json_object_new_array();
    for (unsigned i = 0; i < EXECLIST_ELEMENTS; i++)
        if (list->element[i].low & DESCRIPTOR_VALID)
            object_append(&all, context_object(&list->element[i]));
    return all;
}

struct json_object *engine_report_object(struct softgt *d, unsigned engine,
                                         const struct engine_position *position)
{
    struct softgt_engine_status s;
    struct device_engine_view v;
    if (!softgt_engine_get_status(d, engine, &s))
        return NULL;
    device_engine_view(d, engine, &v);
    struct json_object *o = json_object_new_object();
    object_add_text(&o, "engine", s.name);
    object_add_text(&o, "state", engine_state_names[s.state]);
    if (s.state == SOFTGT_ENGINE_STOPPED)
        object_add_text(&o, "why", s.why);
    if (s.state == SOFTGT_ENGINE_WAITING)
        object_add(&o, "wait", wait_object(d, engine, &v, &s));
    if (v.has_context)
        object_add(&o, "context", context_object(&v.context));
    if (v.function)
        object_add_number(&o, "vf", v.function);
    if (s.state != SOFTGT_ENGINE_IDLE) {
        object_add(&o, "command", command_object(d, engine, &v));
        object_add(&o, "levels", levels_object(&v));
        if (in_batch(&v) && engine_position_address(position))
            object_add_hex(&o, "batch_start", engine_position_address(position));
    }
    if (v.has_list)
        object_add(&o, "list", list_object(&v.executing));
    object_add_bool(&o, "list_pending", v.has_pending);
    object_add_number(&o, "batches", s.batches);
    object_add_number(&o, "commands", s.commands);
    object_add_number(&o, "context_switches", s.context_switches);
    object_add_number(&o, "waits", s.waits);
    object_add_number(&o, "faults", s.faults);
    object_add_number(&o, "threads", s.threads);
    object_add_number(&o, "instructions", s.instructions);
    return o;
}

static struct json_object *guc_object(const struct softgt *d, unsigned gt, const struct device_guc_status *s)
{
    struct json_object *o = json_object_new_object(), *all = json_object_new_array();
    struct device_guc_context c;
    unsigned shown = 0;
    object_add_text(&o, "state", s->state);
    object_add_number(&o, "requests", s->requests);
    object_add_number(&o, "failed_requests", s->failures);
    object_add_number(&o, "submissions", s->submissions);
    object_add_number(&o, "preemptions", s->preemptions);
    object_add_number(&o, "engine_resets", s->resets);
    object_add_number(&o, "registered_contexts", s->contexts);
    for (uint32_t id = 0; shown < GUC_CONTEXTS_SHOWN && device_guc_context(d, gt, id, &c);
         id = c.id + 1u, shown++) {
        struct json_object *row = json_object_new_object();
        object_add_number(&row, "id", c.id);
        object_add_hex(&row, "lrca", c.lrca);
        object_add_number(&row, "function", c.function);
        object_add_number(&row, "priority", c.priority);
        object_add_bool(&row, "enabled", c.is_enabled);
        object_add_bool(&row, "has_work", c.has_work);
        if (c.engine)
            object_add_text(&row, "engine", c.engine);
        object_append(&all, row);
    }
    object_add(&o, "contexts", all);
    return o;
}

static const char *const guc_keys[MOST_GTS] = {"guc", "media_guc"};

struct json_object *device_report_object(struct softgt *d,
                                         const struct engine_position positions[TRACKED_ENGINES])
{
    struct json_object *o = json_object_new_object(), *engines = json_object_new_array();
    struct device_guc_status guc;
    object_add_text(&o, "schema", "softgt.state");
    object_add_number(&o, "version", 1);
    object_add_text(&o, "device", softgt_info(d)->name);
    object_add_number(&o, "time_ns", softgt_now_ns(d));
    object_add_number(&o, "interrupt_messages", softgt_interrupt_count(d));
    for (unsigned i = 0; i < softgt_info(d)->engine_count; i++)
        object_append(
            &engines,
            engine_report_object(d, i, engine_positions_find(positions, device_sheet(d)->engines[i].name)));
    object_add(&o, "engines", engines);
    for (unsigned gt = 0; device_guc_status(d, gt, &guc); gt++)
        object_add(&o, guc_keys[gt], guc_object(d, gt, &guc));
    return o;
}

/* ---- Text ---- */

static struct json_object *member(struct json_object *o, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(o, key, &value) ? value : NULL;
}

static const char *word(struct json_object *o, const char *key)
{
    const char *const text = object_text(o, key);
    return text ? text : "?";
}

static void engine_text(struct text *t, struct json_object *e)
{
    struct json_object *const context = member(e, "context"), *const command = member(e, "command"),
                              *const wait = member(e, "wait"), *const levels = member(e, "levels");
    text_format(t, "%-6s %-8s", word(e, "engine"), word(e, "state"));
    if (member(e, "why"))
        text_format(t, " %s;", word(e, "why"));
    if (context)
        text_format(t, " context %s, id %s", word(context, "lrca"), word(context, "id"));
    if (member(e, "vf"))
        text_format(t, " of vf%s", word(e, "vf"));
    text_format(t, "  %s batches, %s commands, %s switches, %s faults\n", word(e, "batches"),
                word(e, "commands"), word(e, "context_switches"), word(e, "faults"));
    if (command)
        text_format(t, "         %s (%s) at %s %s\n", word(command, "name"), word(command, "header"),
                    word(command, "space"), word(command, "address"));
    for (size_t i = 0; levels && i < json_object_array_length(levels); i++) {
        struct json_object *const level = json_object_array_get_idx(levels, i);
        text_format(t, "         %s: next command at %s %s\n", word(level, "kind"), word(level, "space"),
                    word(level, "address"));
    }
    if (!wait)
        return;
    text_format(t, "         waits since %.6f s: %s",
                (double)json_object_get_uint64(member(wait, "since_ns")) / 1e9, word(wait, "why"));
    if (member(wait, "comparison"))
        text_format(t, "; wants %s %s, read %s", word(wait, "comparison"), word(wait, "wanted"),
                    word(wait, "found"));
    if (member(wait, "address"))
        text_format(t, " at %s %s", word(wait, "space"), word(wait, "address"));
    text_char(t, '\n');
}

static void guc_text(struct text *t, const char *name, struct json_object *guc)
{
    struct json_object *const contexts = member(guc, "contexts");
    text_format(
        t, "%-6s %s  %s requests, %s failed, %s submissions, %s preemptions, %s engine resets, %s contexts\n",
        name, word(guc, "state"), word(guc, "requests"), word(guc, "failed_requests"),
        word(guc, "submissions"), word(guc, "preemptions"), word(guc, "engine_resets"),
        word(guc, "registered_contexts"));
    for (size_t i = 0; contexts && i < json_object_array_length(contexts); i++) {
        struct json_object *const c = json_object_array_get_idx(contexts, i);
        text_format(t, "         context %s: lrca %s, function %s, priority %s%s%s%s%s\n", word(c, "id"),
                    word(c, "lrca"), word(c, "function"), word(c, "priority"),
                    json_object_get_boolean(member(c, "enabled")) ? ", enabled" : "",
                    json_object_get_boolean(member(c, "has_work")) ? ", has work" : "",
                    member(c, "engine") ? ", on " : "", member(c, "engine") ? word(c, "engine") : "");
    }
}

static void function_text(struct text *t, struct json_object *f)
{
    text_format(t, "%-6s %s, busy %s ms, client %s\n", word(f, "function"), word(f, "state"),
                word(f, "busy_ms"), json_object_get_boolean(member(f, "client")) ? "connected" : "none");
}

void device_report_text(struct text *t, struct json_object *report)
{
    struct json_object *const engines = member(report, "engines"), *const guc = member(report, "guc"),
                              *const media_guc = member(report, "media_guc"),
                              *const functions = member(report, "functions");
    text_format(t, "%s at %.6f s, %s interrupt messages\n", word(report, "device"),
                (double)json_object_get_uint64(member(report, "time_ns")) / 1e9,
                word(report, "interrupt_messages"));
    for (size_t i = 0; engines && i < json_object_array_length(engines); i++)
        engine_text(t, json_object_array_get_idx(engines, i));
    if (guc)
        guc_text(t, "GuC", guc);
    if (media_guc)
        guc_text(t, "media GuC", media_guc);
    for (size_t i = 0; functions && i < json_object_array_length(functions); i++)
        function_text(t, json_object_array_get_idx(functions, i));
}
