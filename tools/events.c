#include "events.h"

#include "device/host.h"
#include "stream/index.h"

#include <inttypes.h>

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

/* The object that a text says; frees the text. */
static struct json_object *object_of(struct text *t)
{
    text_char(t, 0);
    struct json_object *const o = t->failed ? NULL : json_tokener_parse(t->bytes);
    if (!o)
        tool_no_memory();
    text_free(t);
    return o;
}

static struct json_object *event_begin(const struct position_tracker *f, const char *class, uint64_t now_ns,
                                       const char *unit)
{
    const struct event_place place = position_tracker_place(f, unit);
    struct text t = {0};
    event_json_begin(&t, &place, class, now_ns, unit);
    text_char(&t, '}');
    return object_of(&t);
}

struct json_object *event_json(const struct position_tracker *f, const struct softgt_event *e)
{
    const struct event_place place = position_tracker_place(f, e->unit);
    struct text t = {0};
    event_json_write(&t, &place, e);
    return object_of(&t);
}

void event_json_print(FILE *to, const struct event_place *place, const struct softgt_event *e)
{
    struct text t = {0};
    event_json_write(&t, place, e);
    text_char(&t, '\n');
    if (t.failed)
        tool_no_memory();
    fwrite(t.bytes, 1, t.length, to);
    text_free(&t);
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
    softgt_eu_thread_get_info(thread, &i);
    if (softgt_eu_thread_disassemble(thread, text, sizeof text) == SIZE_MAX)
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
    softgt_eu_thread_changes(thread, changes, add_change);
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
    b.engine = (unsigned)sheet_engine_find(device_sheet(device), unknown->unit);
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
