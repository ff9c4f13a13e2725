#include "host/event_json.h"

#include "device/host.h"
#include "host/event_text.h"

#include <string.h>

/* ---- Where engines are ---- */

static struct engine_position *find_engine(struct engine_position *engines, const char *unit)
{
    for (unsigned i = 0; i < TRACKED_ENGINES; i++) {
        struct engine_position *e = &engines[i];
        if (!e->unit)
            e->unit = unit;
        if (e->unit == unit || strcmp(e->unit, unit) == 0)
            return e;
    }
    return &engines[TRACKED_ENGINES - 1];
}

const struct engine_position *engine_positions_find(const struct engine_position engines[TRACKED_ENGINES],
                                                    const char *unit)
{
    static const struct engine_position nothing;
    for (unsigned i = 0; i < TRACKED_ENGINES && engines[i].unit; i++)
        if (strcmp(engines[i].unit, unit) == 0)
            return &engines[i];
    return &nothing;
}

uint64_t engine_position_batch(const struct engine_position *e)
{
    return e->depth ? e->batch[(e->depth < TRACKED_DEPTH ? e->depth : TRACKED_DEPTH) - 1u] : 0;
}

uint64_t engine_position_address(const struct engine_position *e)
{
    return e->depth ? e->address[(e->depth < TRACKED_DEPTH ? e->depth : TRACKED_DEPTH) - 1u] : 0;
}

void engine_positions_event(struct engine_position engines[TRACKED_ENGINES], const struct softgt_event *e)
{
    if (!(e->what & TRACKED_EVENTS))
        return;
    struct engine_position *engine = find_engine(engines, e->unit);
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
        if (engine->depth && engine->depth <= TRACKED_DEPTH) {
            engine->batch[engine->depth - 1u] = engine->batches;
            engine->address[engine->depth - 1u] = e->address;
        }
        break;
    case SOFTGT_EVENT_BATCH_END:
        engine->depth -= engine->depth != 0;
        break;
    default:
        break;
    }
}

/* ---- Objects ---- */

static void add_key(struct text *t, const char *key)
{
    text_char(t, ',');
    text_json(t, key);
    text_char(t, ':');
}

static void add_string(struct text *t, const char *key, const char *value)
{
    add_key(t, key);
    if (value)
        text_json(t, value);
    else
        text_string(t, "null");
}

/* Values that may have more than 53 bits. */
static void add_hex(struct text *t, const char *key, uint64_t value)
{
    add_key(t, key);
    text_string(t, "\"0x");
    text_hex(t, value, 1);
    text_char(t, '"');
}

static void add_number(struct text *t, const char *key, uint64_t value)
{
    add_key(t, key);
    text_decimal(t, value);
}

static void add_signed(struct text *t, const char *key, int64_t value)
{
    add_key(t, key);
    text_signed(t, value);
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
    case SOFTGT_TRACE_DRAWS:
        return "draw";
    default:
        return "complaint";
    }
}

void event_json_begin(struct text *t, const struct event_place *place, const char *class, uint64_t now_ns,
                      const char *unit)
{
    text_string(t, "{\"schema\":\"softgt.event\",\"version\":1");
    add_string(t, "event", class);
    add_number(t, "time_ns", now_ns);
    add_string(t, "unit", unit);
    if (place->engine->unit && place->engine->has_context)
        add_hex(t, "context", place->engine->lrca);
    if (engine_position_batch(place->engine))
        add_number(t, "batch", engine_position_batch(place->engine));
    if (place->is_trace) {
        add_number(t, "submission", place->submission);
        add_number(t, "file_offset", place->file_offset);
    }
}

static void add_command(struct text *t, const struct softgt_event *e)
{
    add_string(t, "name", e->name);
    if (e->length_dw)
        add_number(t, "header", e->dwords[0]);
    else
        add_string(t, "header", NULL);
    add_number(t, "length_dw", e->length_dw);
    add_string(t, "class", softgt_engine_class_name(e->engine_class));
    add_string(t, "status", e->length_dw ? event_status(e->kind) : "given_up");
    add_string(t, "space", e->is_ggtt ? "ggtt" : "ppgtt");
    if (e->is_late) {
        add_key(t, "same");
        text_string(t, "true");
    }
    if (e->text)
        add_string(t, "why", e->text);
}

static void add_draw(struct text *t, const struct softgt_event *e)
{
    const struct softgt_draw *const d = e->draw;
    add_string(t, "name", e->name);
    if (e->text)
        add_string(t, "not_drawn", e->text);
    if (d->topology) {
        add_string(t, "topology", d->topology);
        add_key(t, "indexed");
        text_string(t, d->is_indexed ? "true" : "false");
        add_number(t, "vertices", d->vertices);
        add_number(t, "instances", d->instances);
        add_number(t, "primitives", d->primitives);
    } else {
        add_key(t, "groups");
        for (unsigned i = 0; i < 3; i++) {
            text_char(t, i ? ',' : '[');
            text_decimal(t, d->groups[i]);
        }
        text_char(t, ']');
    }
    if (e->text)
        return;
    if (d->surface) {
        add_hex(t, "surface", d->surface);
        add_number(t, "width_px", d->width_px);
        add_number(t, "height_px", d->height_px);
    }
    if (d->topology)
        add_number(t, "pixels", d->pixels);
    if (d->kernel)
        add_hex(t, "kernel", d->kernel);
    add_number(t, "threads", d->threads);
    add_number(t, "instructions", d->instructions);
}

static void add_message(struct text *t, const struct softgt_event *e)
{
    add_string(t, "name", e->name);
    add_string(t, "direction", e->kind == SOFTGT_EVENT_TO_GUC ? "to_guc" : "from_guc");
    add_string(t, "type", e->text);
    if (*e->by)
        add_string(t, "error", e->by);
    add_number(t, "header", e->dwords[0]);
    add_number(t, "length_dw", e->length_dw);
}

static void add_batch(struct text *t, const struct softgt_event *e)
{
    add_string(t, "name", e->name);
    if (e->text)
        add_string(t, "why", e->text);
    if (!e->comparison)
        return;
    add_number(t, "found", e->value);
    add_string(t, "comparison", e->comparison);
    add_number(t, "wanted", e->old_value);
}

static void add_blit(struct text *t, const struct softgt_event *e)
{
    add_string(t, "name", e->name);
    add_signed(t, "x1", e->blit->x1);
    add_signed(t, "y1", e->blit->y1);
    add_signed(t, "x2", e->blit->x2);
    add_signed(t, "y2", e->blit->y2);
    add_signed(t, "pitch_bytes", e->blit->pitch_bytes);
    add_number(t, "bytes_per_pixel", e->blit->bytes_per_pixel);
}

void event_json_write(struct text *t, const struct event_place *place, const struct softgt_event *e)
{
    char text[200];
    event_json_begin(t, place, class_of(e->what), e->now_ns, e->unit);
    add_hex(t, "address", e->address);
    switch (e->what) {
    case SOFTGT_TRACE_COMMANDS:
        add_command(t, e);
        break;
    case SOFTGT_TRACE_REGISTERS:
        add_number(t, "old_value", e->old_value);
        /* fall through */
    case SOFTGT_TRACE_READS:
        add_string(t, "name", event_register(e, text, sizeof text));
        add_number(t, "value", e->value);
        add_string(t, "by", e->by);
        break;
    case SOFTGT_TRACE_MEMORY:
        add_hex(t, "value", e->value);
        add_number(t, "size_bytes", e->size_bytes);
        add_string(t, "space", e->is_ggtt ? "ggtt" : "ppgtt");
        break;
    case SOFTGT_TRACE_BLITS:
        add_blit(t, e);
        break;
    case SOFTGT_TRACE_BATCHES:
        add_batch(t, e);
        break;
    case SOFTGT_TRACE_CONTEXTS:
        add_string(t, "name", e->name);
        add_hex(t, "value", e->value);
        if (e->kind == SOFTGT_EVENT_STATUS)
            add_string(t, "bits", event_bits(engine_switch_names, e->value, text, sizeof text));
        break;
    case SOFTGT_TRACE_GUC:
        add_message(t, e);
        break;
    case SOFTGT_TRACE_DRAWS:
        add_draw(t, e);
        break;
    case SOFTGT_TRACE_COMPLAINTS:
        add_string(t, "kind", e->name);
        add_string(t, "text", e->text);
        break;
    default:
        add_string(t, "name", e->name);
        add_hex(t, "value", e->value);
        if (e->kind == SOFTGT_EVENT_RAISE)
            add_string(t, "bits", event_bits(engine_interrupt_names, e->value, text, sizeof text));
        break;
    }
    text_char(t, '}');
}
