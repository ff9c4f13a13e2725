/* Requests at the control socket of a server: state, registers, memory, log, events, statistics, save, load,
 * pause, resume.
 */
#include "server/monitor.h"

#include "device/host.h"
#include "host/engine_report.h"
#include "host/object.h"
#include "server/device_saves.h"
#include "server/server.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_MOST = 64 << 10, REGISTERS_MOST = 1024, WHY = EVENT_FILTER_WHY };

/* What softgt functions shows. */
static struct json_object *show_functions(struct server_monitor *m)
{
    struct control_client nobody = {.fd = -1, .passed = -1};
    struct json_object *request = json_object_new_object();
    object_add_text(&request, "do", "show");
    struct json_object *const o = request ? m->more(m->more_user, &nobody, request) : NULL;
    json_object_put(request);
    return o;
}

struct json_object *monitor_state(struct server_monitor *m)
{
    struct json_object *o = device_report_object(m->watch.device, m->watch.positions);
    object_add_bool(&o, "client", m->server->client != NULL);
    struct json_object *functions = NULL, *const shown = m->more ? show_functions(m) : NULL;
    if (json_object_object_get_ex(shown, "functions", &functions))
        object_add(&o, "functions", json_object_get(functions));
    json_object_put(shown);
    return o;
}

static struct json_object *reply(const char *schema)
{
    struct json_object *o = json_object_new_object();
    object_add_text(&o, "schema", schema);
    object_add_number(&o, "version", 1);
    return o;
}

static uint64_t request_number(struct json_object *request, const char *key)
{
    struct json_object *value;
    return json_object_object_get_ex(request, key, &value) ? json_object_get_uint64(value) : 0;
}

/* ---- Registers ---- */

/* A pattern of names, of names with a unit, or an offset. */
static bool is_wanted(const struct register_slot *s, const char *name, const char *pattern)
{
    char text[160], *end;
    const unsigned long offset = strtoul(pattern, &end, 16);
    if (pattern[0] == '0' && (pattern[1] == 'x' || pattern[1] == 'X'))
        return !*end && offset / 4u * 4u == s->offset;
    if (!strchr(pattern, '.'))
        return fnmatch(pattern, name, FNM_CASEFOLD) == 0 || strcasecmp(pattern, name) == 0;
    snprintf(text, sizeof text, "%s.%s", s->unit, name);
    return fnmatch(pattern, text, FNM_CASEFOLD) == 0 || strcasecmp(pattern, text) == 0;
}

static struct json_object *fields_of(const struct register_slot *s, uint32_t value)
{
    struct json_object *all = json_object_new_array();
    const uint32_t dw[2] = {s->dword ? 0 : value, s->dword ? value : 0};
    for (unsigned i = 0; i < s->row->field_count; i++) {
        const struct field *const f = &s->row->fields[i];
        if (f->first / 32u != s->dword || f->last / 32u != s->dword)
            continue;
        const uint64_t v = field_get(f, dw, 2);
        const char *const named = field_value_name(f, v);
        struct json_object *o = json_object_new_object();
        object_add_text(&o, "name", f->name);
        object_add_hex(&o, "value", v);
        if (named)
            object_add_text(&o, "means", named);
        object_append(&all, o);
    }
    return all;
}

static struct json_object *show_registers(struct server_monitor *m, struct json_object *request)
{
    struct softgt *const d = m->watch.device;
    const struct register_file *const f = softgt_register_file(d);
    const char *const wanted = object_text(request, "pattern"), *const pattern = wanted ? wanted : "*";
    struct json_object *o = reply("softgt.register_values"), *all = json_object_new_array();
    unsigned count = 0;
    uint64_t i = request_number(request, "from");
    for (i = i ? i : 1; i < f->slot_count && count < REGISTERS_MOST; i++) {
        const struct register_slot *const s = &f->slots[i];
        char name[96];
        register_slot_name(s, name, sizeof name);
        if (register_slot_at(f, s->offset) != s || !is_wanted(s, name, pattern))
            continue;
        const uint32_t value = device_register_peek(d, s);
        struct json_object *row = json_object_new_object();
        object_add_number(&row, "offset", s->offset);
        object_add_text(&row, "unit", s->unit);
        object_add_text(&row, "name", name);
        object_add_hex(&row, "value", value);
        if (s->row->field_count)
            object_add(&row, "fields", fields_of(s, value));
        object_append(&all, row);
        count++;
    }
    object_add(&o, "registers", all);
    if (i < f->slot_count)
        object_add_number(&o, "next", i);
    return o;
}

/* ---- Memory ---- */

static bool read_space(struct softgt *d, const char *space, uint64_t address, void *data, size_t bytes,
                       bool *exists)
{
    *exists = true;
    if (strcmp(space, "ggtt") == 0)
        return softgt_ggtt_read(d, address, data, bytes);
    if (strcmp(space, "local") == 0)
        return softgt_local_read(d, address, data, bytes);
    const int engine = sheet_engine_find(device_sheet(d), space);
    *exists = engine >= 0;
    return *exists && softgt_ppgtt_read(d, (unsigned)engine, address, data, bytes);
}

static struct json_object *show_memory(struct server_monitor *m, struct json_object *request, char why[WHY])
{
    const char *const named = object_text(request, "space"), *const space = named ? named : "ggtt";
    const uint64_t address = request_number(request, "address"), asked = request_number(request, "bytes"),
                   bytes = asked ? asked : 64;
    static uint8_t data[MEMORY_MOST];
    struct text hex = {0};
    size_t there = 0;
    bool exists = true, good = true;
    if (bytes > MEMORY_MOST || address + bytes < address) {
        snprintf(why, WHY, "memory is read in parts of up to %d bytes", MEMORY_MOST);
        return NULL;
    }
    while (there < bytes && good) { /* page by page: an unmapped one ends it */
        const size_t page = PAGE_BYTES - (address + there) % PAGE_BYTES,
                     part = page < bytes - there ? page : bytes - there;
        good = read_space(m->watch.device, space, address + there, data + there, part, &exists);
        there += good ? part : 0;
    }
    if (!exists) {
        snprintf(why, WHY, "no space is named '%.32s'; there are ggtt, local, and the engines", space);
        return NULL;
    }
    for (size_t i = 0; i < there; i++)
        text_hex(&hex, data[i], 2);
    text_char(&hex, 0);
    struct json_object *o = reply("softgt.memory");
    object_add_text(&o, "space", space);
    object_add_hex(&o, "address", address);
    object_add(&o, "data", hex.failed ? NULL : json_object_new_string(hex.bytes));
    if (there < bytes)
        object_add_hex(&o, "unmapped", address + there);
    text_free(&hex);
    return o;
}

/* ---- Log, events, statistics ---- */

static const char *set_log(struct server_monitor *m, struct json_object *request)
{
    const char *const level = object_text(request, "level");
    if (!level || !m->options->set_log)
        return level ? "this server has no log" : "log: the level is missing";
    const char *const why = m->options->set_log(m->options->user, level, &m->owner_events);
    if (!why)
        monitor_update_trace(m);
    return why;
}

static const char *start_events(struct control_client *client, struct json_object *request, char why[WHY])
{
    const char *const list = object_text(request, "trace");
    struct event_filter filter = {0};
    if (!event_filter_parse(&filter, list ? list : "contexts,batches,draws,blits,complaints,guc", why))
        return why;
    client->events = filter;
    return NULL;
}

/* ---- Saves ---- */

static const char *transfer_state(struct server_monitor *m, const struct control_client *client, bool loads,
                                  struct json_object **o)
{
    uint64_t bytes = 0;
    if (loads && m->debug.live)
        return "a debugger looks at the device";
    const char *const why = (loads ? device_load : device_save)(m->server, client->passed, &bytes);
    if (why)
        return why;
    *o = reply("softgt.control");
    object_add_number(o, "bytes", bytes);
    object_add_text(o, "without", "the machine's memory");
    return NULL;
}

/* ---- Requests ---- */

/* One request: its answer is *o, or the empty one. Returns the reason why it is refused, or NULL. */
struct asked {
    struct control_client *client;
    struct json_object *request;
    char why[WHY];
};
typedef const char *request_function(struct server_monitor *m, struct asked *a, struct json_object **o);

static const char *on_state(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    (void)a;
    *o = monitor_state(m);
    return NULL;
}

static const char *on_registers(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    *o = show_registers(m, a->request);
    return NULL;
}

static const char *on_memory(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    *o = show_memory(m, a->request, a->why);
    return *a->why ? a->why : NULL;
}

static const char *on_log(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    (void)o;
    return set_log(m, a->request);
}

static const char *on_events(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    (void)m, (void)o;
    return start_events(a->client, a->request, a->why);
}

static const char *on_statistics(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    (void)m, (void)o;
    a->client->statistics_ns = 1; /* the first line comes at once */
    return NULL;
}

static const char *on_save(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    return transfer_state(m, a->client, false, o);
}

static const char *on_load(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    return transfer_state(m, a->client, true, o);
}

static const char *on_pause(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    (void)a, (void)o;
    server_pause(m->server, true);
    return NULL;
}

static const char *on_resume(struct server_monitor *m, struct asked *a, struct json_object **o)
{
    (void)a, (void)o;
    server_pause(m->server, false);
    return NULL;
}

struct json_object *monitor_refusal(const char *why)
{
    struct json_object *o = reply("softgt.error");
    object_add_text(&o, "error", why);
    return o;
}

static struct json_object *answer_of(struct server_monitor *m, struct control_client *client,
                                     struct json_object *request)
{
    static const struct {
        const char *name;
        request_function *function;
        bool whole_device; /* not where functions are saved one by one */
    } requests[] = {{"state", on_state, false},   {"registers", on_registers, false},
                    {"memory", on_memory, false}, {"log", on_log, false},
                    {"events", on_events, false}, {"statistics", on_statistics, false},
                    {"save", on_save, true},      {"load", on_load, true},
                    {"pause", on_pause, true},    {"resume", on_resume, true}};
    const char *const verb = object_text(request, "do");
    for (unsigned i = 0; verb && i < sizeof requests / sizeof requests[0]; i++) {
        if (strcmp(verb, requests[i].name) != 0 || (requests[i].whole_device && m->more))
            continue;
        struct asked a = {.client = client, .request = request};
        struct json_object *o = NULL;
        const char *const why = requests[i].function(m, &a, &o);
        return why ? monitor_refusal(why) : o ? o : reply("softgt.control");
    }
    return m->more ? m->more(m->more_user, client, request)
                   : monitor_refusal("no such request; there are state, registers, memory, log, events, "
                                     "statistics, debug, save, load, pause, resume");
}

/* NULL: it is no JSON. */
static struct json_object *parsed(const char *line, size_t length)
{
    enum { DEPTH = 4 };
    struct json_tokener *const t = json_tokener_new_ex(DEPTH);
    struct json_object *o = t ? json_tokener_parse_ex(t, line, (int)length) : NULL;
    if (t && json_tokener_get_error(t) != json_tokener_success) {
        json_object_put(o);
        o = NULL;
    }
    json_tokener_free(t);
    return o;
}

void monitor_answer(void *user, struct control_client *client, const char *line, size_t length,
                    struct text *answer)
{
    struct server_monitor *const m = user;
    struct json_object *const request = parsed(line, length);
    const bool is_object = json_object_is_type(request, json_type_object);
    const char *const verb = is_object ? object_text(request, "do") : NULL;
    if (verb && strcmp(verb, "debug") == 0) {
        const struct debug_request debug = {object_text(request, "ask"), object_text(request, "text"),
                                            object_text(request, "color")};
        debug_host_answer(&m->debug, client, &debug, answer);
    } else {
        monitor_write(answer, is_object ? answer_of(m, client, request)
                                        : monitor_refusal("a request is a JSON object on a line"));
    }
    json_object_put(request);
}
