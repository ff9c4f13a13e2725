#include "events.h"

#include "device/host.h"
#include "stream/index.h"

#include <inttypes.h>

/* ---- Where ---- */

static struct engine_position *find_engine(struct position_tracker *f, const char *unit)
{
    for (unsigned i = 0; i < TRACKED_ENGINES; i++) {
        struct engine_position *e = &f->engines[i];
        if (!e->unit)
            e->unit = unit;
        if (e->unit == unit || strcmp(e->unit, unit) == 0)
            return e;
    }
    return &f->engines[TRACKED_ENGINES - 1];
}

const struct engine_position *position_tracker_engine(const struct position_tracker *f, const char *unit)
{
    static const struct engine_position nothing;
    for (unsigned i = 0; i < TRACKED_ENGINES && f->engines[i].unit; i++)
        if (strcmp(f->engines[i].unit, unit) == 0)
            return &f->engines[i];
    return &nothing;
}

uint64_t engine_position_batch(const struct engine_position *e)
{
    return e->depth ? e->batch[(e->depth < TRACKED_DEPTH ? e->depth : TRACKED_DEPTH) - 1u] : 0;
}

void position_tracker_event(struct position_tracker *f, const struct softgt_event *e)
{
    if (!(e->what & TRACKED_EVENTS))
        return;
    struct engine_position *engine = find_engine(f, e->unit);
    switch (e->kind) {
    case SOFTGT_EVENT_RESTORE:
        engine->has_context = true;
        engine->lrca = e->address;
        engine->context_id = e->value;
        engine->depth = 0;
        break;
    case SOFTGT_EVENT_RESET:
        engine->has_context = false;
        engine->depth = 0;
        break;
    case SOFTGT_EVENT_BATCH:
        engine->depth++;
        /* fall through */
    case SOFTGT_EVENT_CHAIN:
        engine->batches++;
        if (engine->depth && engine->depth <= TRACKED_DEPTH)
            engine->batch[engine->depth - 1u] = engine->batches;
        break;
    case SOFTGT_EVENT_BATCH_END:
        engine->depth -= engine->depth != 0;
        break;
    default:
        break;
    }
}

/* ---- Names ---- */

/* ---- Objects ---- */

static void add_string(struct json_object *o, const char *key, const char *text)
{
    json_add(o, key, text ? json_string(text) : NULL);
}

static void add_hex(struct json_object *o, const char *key, uint64_t value)
{
    json_add(o, key, json_hex(value));
}

static void add_number(struct json_object *o, const char *key, uint64_t value)
{
    json_add(o, key, json_uint64(value));
}

static const char *class_of(enum softgt_trace_what what)
{
    switch (what) {
    case SOFTGT_TRACE_COMMANDS:
        return "command";
    case SOFTGT_TRACE_REGISTERS:
        return "register";
    case SOFTGT_TRACE_MEMORY:
        return "memory";
    case SOFTGT_TRACE_CONTEXTS:
        return "context";
    case SOFTGT_TRACE_INTERRUPTS:
        return "interrupt";
    case SOFTGT_TRACE_READS:
        return "read";
    case SOFTGT_TRACE_BATCHES:
        return "batch";
    case SOFTGT_TRACE_BLITS:
        return "blit";
    case SOFTGT_TRACE_GUC:
        return "guc";
    default:
        return "complaint";
    }
}

/* Begins the JSON object of an event: kind and place in the run. */
static struct json_object *event_begin(const struct position_tracker *f, const char *class, uint64_t now_ns,
                                       const char *unit)
{
    struct json_object *o = json_report("softgt.event");
    const struct engine_position *engine = position_tracker_engine(f, unit);
    add_string(o, "event", class);
    add_number(o, "time_ns", now_ns);
    add_string(o, "unit", unit);
    if (engine->unit && engine->has_context)
        add_hex(o, "context", engine->lrca);
    if (engine_position_batch(engine))
        add_number(o, "batch", engine_position_batch(engine));
    if (f->is_trace) {
        add_number(o, "submission", f->position.submission);
        add_number(o, "file_offset", f->position.offset);
    }
    return o;
}

struct json_object *event_json(const struct position_tracker *f, const struct softgt_event *e)
{
    struct json_object *o = event_begin(f, class_of(e->what), e->now_ns, e->unit);
    char text[200];
    add_hex(o, "address", e->address);
    switch (e->what) {
    case SOFTGT_TRACE_COMMANDS:
        add_string(o, "name", e->name);
        json_add(o, "header", e->length_dw ? json_uint64(e->dwords[0]) : NULL);
        add_number(o, "length_dw", e->length_dw);
        add_string(o, "class", e->engine_class);
        add_string(o, "status", e->length_dw ? event_status(e->kind) : "given_up");
        add_string(o, "space", e->is_ggtt ? "ggtt" : "ppgtt");
        if (e->is_late)
            json_add(o, "same", json_boolean(true));
        if (e->text)
            add_string(o, "why", e->text);
        break;
    case SOFTGT_TRACE_REGISTERS:
        add_number(o, "old_value", e->old_value);
        /* fall through */
    case SOFTGT_TRACE_READS:
        add_string(o, "name", event_register(e, text, sizeof text));
        add_number(o, "value", e->value);
        add_string(o, "by", e->by);
        break;
    case SOFTGT_TRACE_MEMORY:
        add_hex(o, "value", e->value);
        add_number(o, "size_bytes", e->size_bytes);
        add_string(o, "space", e->is_ggtt ? "ggtt" : "ppgtt");
        break;
    case SOFTGT_TRACE_BLITS:
        add_string(o, "name", e->name);
        json_add(o, "x1", json_int(e->blit->x1));
        json_add(o, "y1", json_int(e->blit->y1));
        json_add(o, "x2", json_int(e->blit->x2));
        json_add(o, "y2", json_int(e->blit->y2));
        json_add(o, "pitch_bytes", json_int(e->blit->pitch_bytes));
        add_number(o, "bytes_per_pixel", e->blit->bytes_per_pixel);
        break;
    case SOFTGT_TRACE_BATCHES:
        add_string(o, "name", e->name);
        if (e->text)
            add_string(o, "why", e->text);
        if (e->comparison) {
            add_number(o, "found", e->value);
            add_string(o, "comparison", e->comparison);
            add_number(o, "wanted", e->old_value);
        }
        break;
    case SOFTGT_TRACE_CONTEXTS:
        add_string(o, "name", e->name);
        add_hex(o, "value", e->value);
        if (e->kind == SOFTGT_EVENT_STATUS)
            add_string(o, "bits", event_bits(engine_switch_names, e->value, text, sizeof text));
        break;
    case SOFTGT_TRACE_GUC:
        add_string(o, "name", e->name);
        add_string(o, "direction", e->kind == SOFTGT_EVENT_TO_GUC ? "to_guc" : "from_guc");
        add_string(o, "type", e->text);
        if (*e->by)
            add_string(o, "error", e->by);
        json_add(o, "header", json_uint64(e->dwords[0]));
        add_number(o, "length_dw", e->length_dw);
        break;
    case SOFTGT_TRACE_COMPLAINTS:
        add_string(o, "kind", e->name);
        add_string(o, "text", e->text);
        break;
    default:
        add_string(o, "name", e->name);
        add_hex(o, "value", e->value);
        if (e->kind == SOFTGT_EVENT_RAISE)
            add_string(o, "bits", event_bits(engine_interrupt_names, e->value, text, sizeof text));
        break;
    }
    return o;
}

/* ---- Instructions ---- */

static void add_change(void *user, const struct softgt_eu_change *c)
{
    struct json_object *const o = json_empty();
    char text[EU_VALUES_TEXT], name[16];
    snprintf(name, sizeof name, "%s%u", softgt_eu_file_name(c->file), c->number);
    add_string(o, "register", name);
    eu_trace_values(c->file, c->before, c->size_bytes, text);
    add_string(o, "before", text);
    eu_trace_values(c->file, c->after, c->size_bytes, text);
    add_string(o, "after", text);
    json_append(user, o);
}

struct json_object *instruction_json(const struct position_tracker *f, const struct softgt_eu_thread *thread)
{
    struct softgt_eu_thread_info i;
    char text[240];
    softgt_eu_info(thread, &i);
    if (softgt_eu_text(thread, text, sizeof text) == SIZE_MAX)
        tool_no_memory();
    struct json_object *const o = event_begin(f, "instruction", i.now_ns, i.unit),
                              *const group = json_array(), *const changes = json_array();
    add_hex(o, "address", i.base + i.ip);
    add_hex(o, "kernel", i.base + i.kernel);
    add_number(o, "ip", i.ip - i.kernel);
    for (unsigned n = 0; n < 3; n++)
        json_append(group, json_uint64(i.group[n]));
    json_add(o, "group", group);
    add_number(o, "thread", i.thread);
    add_hex(o, "channels", i.channels);
    add_string(o, "text", text);
    if (i.why)
        add_string(o, "stops", i.why);
    softgt_eu_changes(thread, changes, add_change);
    json_add(o, "changes", changes);
    return o;
}

struct json_object *instruction_limit_json(uint64_t limit)
{
    struct json_object *const o = json_report("softgt.event");
    add_string(o, "event", "instruction_limit");
    add_number(o, "limit", limit);
    return o;
}

void tool_eu_filter(struct argp_state *state, const char *option, const char *text, struct eu_filter *filter)
{
    char word[80];
    if (text && !eu_filter_parse(filter, text, word, sizeof word))
        argp_error(state, "--%s: '%s' is none of kernel=ADDRESS, group=X[:Y[:Z]], thread=N, ip=FIRST[:LAST]",
                   option, word);
}

/* ---- After an unknown command ---- */

/* The likely length of a command, from the header formats alone; 0: no header. */
static uint32_t likely_length_dw(uint32_t header)
{
    switch (header >> 29) {
    case 0: /* MI opcodes below 10h have one dword */
        return (header >> 23 & 0x3fu) < 0x10 ? 1 : (header & 0xffu) + 2u;
    case 2:
        return (header & 0xffu) + 2u;
    case 3:
        return (header & ((header >> 27 & 3u) == 2u ? 0xfffu : 0xffu)) + 2u;
    default:
        return 0;
    }
}

static bool read_dwords(struct softgt *device, unsigned engine, const struct softgt_event *at,
                        uint64_t address, uint32_t *dw, uint32_t count)
{
    return at->is_ggtt ? softgt_ggtt_read(device, address, dw, count * 4ul)
                       : softgt_ppgtt_read(device, engine, address, dw, count * 4ul);
}

struct behind {
    struct softgt *device;
    const struct softgt_event *unknown;
    unsigned engine;
    enum engine_class class;
    const struct command_set *set;
    uint32_t dw[65536 + 16];
};

enum { BATCH_END = 0x0a };

static const struct command *command_at(struct behind *b, uint64_t address)
{
    if (!read_dwords(b->device, b->engine, b->unknown, address, b->dw, 1))
        return NULL;
    uint16_t number = command_find(b->set, b->class, b->dw[0]);
    number = number ? number : b->set->elsewhere[b->dw[0] >> 16];
    return number ? b->set->rows[number] : NULL;
}

/* The number of plausible commands from there on. */
static unsigned likeness(struct behind *b, uint64_t address)
{
    enum { LOOKED_AT = 16 };
    unsigned known = 0;
    for (unsigned n = 0; n < LOOKED_AT; n++) {
        const struct command *c = command_at(b, address);
        if (!c)
            return known;
        if (b->dw[0] >> 23 == BATCH_END)
            break;
        known += b->dw[0] >> 23 != 0; /* small values are MI_NOOPs */
        address += command_length_dw(c, b->dw[0]) * 4ul;
    }
    return LOOKED_AT + known;
}

/* The start of the next command: after the likely length of the header, or the next dword. */
static uint64_t next_command(struct behind *b, uint64_t address, uint32_t header)
{
    const uint64_t near = address + 4, far = address + likely_length_dw(header) * 4ul;
    return far != address && likeness(b, far) >= likeness(b, near) ? far : near;
}

void events_after_unknown(struct softgt *device, const struct softgt_event *unknown, void *user,
                          void (*each)(void *user, const struct softgt_event *e))
{
    enum { MOST = 1024, MOST_UNKNOWN = 4, MOST_NOOPS = 16 };
    static struct behind b;
    b = (struct behind){.device = device, .unknown = unknown, .set = softgt_command_set(device)};
    while (b.engine + 1 < softgt_info(device)->engine_count &&
           strcmp(device_sheet(device)->engines[b.engine].name, unknown->unit) != 0)
        b.engine++;
    b.class = device_sheet(device)->engines[b.engine].class;
    struct softgt_event e = *unknown;
    const char *why = NULL;
    unsigned unknowns = 1, noops = 0;
    e.kind = SOFTGT_EVENT_NOT_RUN;
    e.address = next_command(&b, e.address, unknown->dwords[0]);
    for (unsigned n = 0; !why; n++) {
        const struct command *c = command_at(&b, e.address);
        const uint32_t header = b.dw[0];
        unknowns = c ? 0 : unknowns + 1;
        noops = c && header == 0 ? noops + 1 : 0;
        e.name = c ? c->name : NULL;
        e.dwords = b.dw;
        e.length_dw = c ? command_length_dw(c, header) : 1;
        if (n == MOST)
            why = "enough commands after an unknown one";
        else if (unknowns == MOST_UNKNOWN)
            why = "what follows does not look like commands";
        else if (noops > MOST_NOOPS)
            why = "nothing but MI_NOOP follows";
        else if (!read_dwords(device, b.engine, unknown, e.address, b.dw, e.length_dw))
            why = "the command ends in memory that is not mapped";
        if (why)
            break;
        each(user, &e);
        if (c && header >> 23 == BATCH_END)
            return;
        e.address = c ? e.address + e.length_dw * 4ul : next_command(&b, e.address, header);
    }
    e.name = NULL;
    e.dwords = NULL;
    e.length_dw = 0;
    e.text = why;
    each(user, &e);
}
