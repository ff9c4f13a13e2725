/* softgt decode --error: the registers, first looks and commands of an error state. */
#include "decode.h"

#include "hang_file.h"

#include "spec/spec.h"

#include "hang/first_look.h"

enum { REGISTER_COLUMN = 26, LISTED_COMMANDS = 1 << 20 };

struct report {
    struct decode *d;
    struct error_state state;
    const struct sheet *sheet;
    const struct register_file *file;
    enum softgt_engine_class wanted_class; /* of --engine */
    struct error_walk walk;
    struct error_stream shown; /* of the last command */
};

/* ---- Head ---- */

static void add_text(struct json_object *o, const char *key, const char *text)
{
    json_add(o, key, text[0] ? json_text(text) : NULL);
}

static void print_head(struct report *r)
{
    const struct error_state *const s = &r->state;
    struct text *const t = &r->d->text;
    text_string(t, s->title[0] ? s->title : "no title");
    text_string(t, "\nkernel ");
    text_string(t, s->kernel[0] ? s->kernel : "unknown");
    text_string(t, ", PCI ID 0x");
    text_hex(t, s->pci_id, 4);
    text_string(t, ", device ");
    text_string(t, r->sheet->info.name);
    text_string(t, ": ");
    text_string(t, r->sheet->info.summary);
    text_char(t, '\n');
}

/* ---- Registers ---- */

/* How many copies of a register before it or, with itself, from it on have the same value. */
static unsigned count_copies(const struct error_engine *e, unsigned from, unsigned to,
                             const struct error_register *g)
{
    unsigned count = 0;
    for (unsigned i = from; i < to; i++)
        count += e->registers[i].value == g->value && strcmp(e->registers[i].name, g->name) == 0;
    return count;
}

static void print_register(struct report *r, const struct error_engine *e, const struct error_register *g,
                           unsigned copies)
{
    struct text *const t = &r->d->text;
    const struct register_slot *const slot = error_register_slot(r->file, e->name, g);
    char name[ERROR_NAME + 16];
    error_register_text(g, name, sizeof name);
    const size_t start = t->length;
    text_string(t, "    ");
    text_string(t, name);
    while (t->length - start < REGISTER_COLUMN && text_reserve(t, 1))
        text_char(t, ' ');
    text_string(t, " 0x");
    text_hex(t, g->value, g->value > UINT32_MAX ? 16 : 8);
    if (slot) {
        text_string(t, "  ");
        text_string(t, slot->row->name);
        error_register_fields(t, slot->row, g->value);
    }
    if (copies > 1) {
        text_string(t, " (in ");
        text_decimal(t, copies);
        text_string(t, " copies)");
    }
    text_char(t, '\n');
}

static void print_engine(struct report *r, const struct error_engine *e, int number)
{
    struct text *const t = &r->d->text;
    text_char(t, '\n');
    text_string(t, e->name);
    text_string(t, ":\n");
    for (unsigned i = 0; i < e->register_count; i++) {
        const struct error_register *const g = &e->registers[i];
        const unsigned copies = g->index[0] == ERROR_NO_INDEX ? 1 : count_copies(e, i, e->register_count, g);
        if (g->index[0] == ERROR_NO_INDEX || !count_copies(e, 0, i, g))
            print_register(r, e, g, copies);
    }
    for (unsigned i = 0; number != ERROR_GLOBAL && i < r->state.note_count; i++)
        if (r->state.notes[i].engine == number) {
            text_string(t, "    ");
            text_string(t, r->state.notes[i].text);
            text_char(t, '\n');
        }
}

static struct json_object *register_json(const struct report *r, const struct error_engine *e,
                                         const struct error_register *g)
{
    const struct register_slot *const slot = error_register_slot(r->file, e->name, g);
    const uint32_t dw[] = {(uint32_t)g->value, (uint32_t)(g->value >> 32)};
    struct json_object *const o = json_empty();
    char name[ERROR_NAME + 16];
    error_register_text(g, name, sizeof name);
    json_add(o, "name", json_text(name));
    json_add(o, "value", json_hex(g->value));
    if (slot) {
        struct json_object *const fields = json_empty();
        json_add(o, "row", json_string(slot->row->name));
        json_add(o, "offset", json_uint64(slot->offset));
        for (unsigned i = 0; i < slot->row->field_count; i++)
            json_add(fields, slot->row->fields[i].name, json_uint64(field_get(&slot->row->fields[i], dw, 2)));
        json_add(o, "fields", fields);
    }
    return o;
}

static struct json_object *engine_json(struct report *r, const struct error_engine *e, int number,
                                       const char *first_look)
{
    struct json_object *const o = json_empty(), *const registers = json_array(), *const notes = json_array();
    json_add(o, "name", json_text(e->name));
    if (number != ERROR_GLOBAL)
        json_add(o, "hung", json_boolean(e->hung));
    if (e->process[0]) {
        json_add(o, "process", json_text(e->process));
        json_add(o, "pid", json_uint64((uint64_t)e->pid));
    }
    if (first_look)
        json_add(o, "first_look", json_text(first_look));
    for (unsigned i = 0; i < e->register_count; i++)
        json_append(registers, register_json(r, e, &e->registers[i]));
    for (unsigned i = 0; i < r->state.note_count; i++)
        if (r->state.notes[i].engine == number)
            json_append(notes, json_text(r->state.notes[i].text));
    json_add(o, "registers", registers);
    json_add(o, "notes", notes);
    return o;
}

/* ---- Buffers ---- */

static void print_buffers(struct report *r)
{
    struct text *const t = &r->d->text;
    text_string(t, "\nmemory:\n");
    for (unsigned i = 0; i < r->state.buffer_count; i++) {
        const struct error_buffer *const b = &r->state.buffers[i];
        char address[32] = "no address";
        if (b->has_address)
            snprintf(address, sizeof address, "0x%012llx", (unsigned long long)b->address);
        text_format(t, "    %-16s %-6s %s %s  %s bytes%s\n", b->name,
                    b->engine == ERROR_GLOBAL ? "" : r->state.engines[b->engine].name,
                    b->space == ERROR_GGTT ? "ggtt " : "ppgtt", address, tool_number(b->size_bytes),
                    b->is_cut ? ", cut" : "");
    }
}

static struct json_object *buffers_json(const struct report *r)
{
    struct json_object *const list = json_array();
    for (unsigned i = 0; i < r->state.buffer_count; i++) {
        const struct error_buffer *const b = &r->state.buffers[i];
        struct json_object *const o = json_empty();
        json_add(o, "name", json_text(b->name));
        json_add(o, "engine", b->engine == ERROR_GLOBAL ? NULL : json_text(r->state.engines[b->engine].name));
        json_add(o, "space", json_string(b->space == ERROR_GGTT ? "ggtt" : "ppgtt"));
        json_add(o, "address", b->has_address ? json_hex(b->address) : NULL);
        json_add(o, "bytes", json_uint64(b->size_bytes));
        json_add(o, "cut", json_boolean(b->is_cut));
        json_append(list, o);
    }
    return list;
}

/* ---- Commands ---- */

static bool read_error_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct error_walk *const w = ((const struct decode *)user)->error_walk;
    return error_state_read(w->state, w->engine, ERROR_PPGTT, address, data, size_bytes);
}

static void error_remark(void *user, const struct softgt_text_port *out)
{
    const struct decode *const d = user;
    const struct error_command *const c = d->error_command;
    const struct error_walk *const w = d->error_walk;
    if (d->options.json) {
        decode_print(
            out, "\"engine\":\"%s\",\"space\":\"%s\",\"depth\":%u,\"count\":%llu,\"acthd\":%s,\"head\":%s,",
            w->state->engines[w->engine].name, c->stream->space == ERROR_GGTT ? "ggtt" : "ppgtt",
            c->stream->depth, (unsigned long long)c->count, c->marks & ERROR_AT_ACTHD ? "true" : "false",
            c->marks & ERROR_AT_HEAD ? "true" : "false");
        return;
    }
    if (c->count > 1)
        decode_print(out, "  (%s times, to 0x%08llx)", tool_number(c->count),
                     (unsigned long long)(c->address + (c->count - 1) * c->length_dw * 4u));
    decode_print(out, "%s%s", c->marks & ERROR_AT_ACTHD ? "  <== ACTHD" : "",
                 c->marks & ERROR_AT_HEAD ? "  <== HEAD" : "");
}

static void on_stream(void *user, const struct error_stream *s)
{
    struct report *const r = user;
    char text[200];
    if (r->d->options.json)
        return;
    r->shown = *s;
    snprintf(text, sizeof text, "\n%s, %s at 0x%llx%s:\n", r->state.engines[r->walk.engine].name,
             s->kind == ERROR_RING ? "ring" : "batch", (unsigned long long)s->address,
             s->is_repeated ? " (listed above)"
             : !s->buffer   ? " (not in the file)"
                            : "");
    text_string(&r->d->text, text);
}

static void on_command(void *user, const struct error_command *c)
{
    struct report *const r = user;
    struct decode *const d = r->d;
    const enum softgt_engine_class class = (enum softgt_engine_class)r->walk.class;
    size_t length;
    struct error_command one = *c;
    if (!d->options.json && (c->stream->depth != r->shown.depth || c->stream->address != r->shown.address)) {
        text_string(&d->text,
                    c->stream->kind == ERROR_RING ? "\nback in the ring:\n" : "\nback in the batch:\n");
        r->shown = *c->stream;
    }
    const bool is_row = c->count > DECODE_MOST_APART || d->options.json;
    one.count = is_row ? c->count : 1;
    d->error_command = &one;
    for (uint64_t i = 0; i < c->count; i += one.count, one.address += c->length_dw * 4u) {
        int status =
            softgt_decoder_command(d->decoder, class, c->dw, c->length_dw, one.address, &d->out, &length);
        if (status >= 0 && d->options.follow && c->row && !c->is_cut)
            status = softgt_decoder_follow(d->decoder, class, c->dw, c->length_dw, one.address, &d->out);
        if (status < 0)
            tool_no_memory();
    }
    if (d->text.length >= DECODE_FLUSH_BYTES)
        decode_flush(d);
}

/* The class of an engine; false: neither the device nor another has it. */
static bool class_of(const struct report *r, unsigned engine, enum softgt_engine_class *class)
{
    const char *const name = r->state.engines[engine].name;
    *class = SOFTGT_CLASS_RENDER;
    return softgt_spec_engine_class(r->d->spec, name, class) == 0 || decode_has_class(name, class);
}

static bool prepare_walk(struct report *r, unsigned engine)
{
    struct decode *const d = r->d;
    r->walk = (struct error_walk){.state = &r->state,
                                  .engine = (int)engine,
                                  .set = &r->d->spec->commands,
                                  .budget = d->options.budget ? d->options.budget : LISTED_COMMANDS,
                                  .user = r};
    softgt_decoder_forget(d->decoder);
    enum softgt_engine_class class;
    const bool is_known = class_of(r, engine, &class);
    r->walk.class = (enum engine_class) class;
    return is_known;
}

/* The engine is the one of --engine, or of its class. */
static bool is_listed(const struct report *r, unsigned engine)
{
    const char *const wanted = r->d->options.engine, *const name = r->state.engines[engine].name;
    enum softgt_engine_class class;
    if (!wanted || strpbrk(wanted, "0123456789"))
        return !wanted || strcmp(wanted, name) == 0;
    return class_of(r, engine, &class) && class == r->wanted_class;
}

/* First looks, and with --json all that is in the head. */
static void look_at(struct report *r, unsigned engine, struct json_object *engines)
{
    const struct error_engine *const e = &r->state.engines[engine];
    struct text look = {0};
    if (prepare_walk(r, engine)) {
        error_walk(&r->walk);
        error_first_look(&look, &r->walk, r->file);
    } else {
        text_string(&look, e->name);
        text_string(&look, " is no engine that softgt knows: its commands are not listed.");
    }
    text_char(&look, 0);
    if (look.failed)
        tool_no_memory();
    if (engines) {
        json_append(engines, engine_json(r, e, (int)engine, look.bytes));
    } else {
        text_char(&r->d->text, '\n');
        text_string(&r->d->text, look.bytes);
        text_char(&r->d->text, '\n');
    }
    text_free(&look);
}

static void print_json_head(struct report *r, struct json_object *engines)
{
    const struct error_state *const s = &r->state;
    struct json_object *const o = json_report("softgt.error_state");
    json_add(o, "driver", json_string(s->driver == ERROR_DRIVER_XE ? "xe" : "i915"));
    add_text(o, "title", s->title);
    add_text(o, "kernel", s->kernel);
    json_add(o, "pci_id", json_uint64(s->pci_id));
    json_add(o, "device", json_string(r->sheet->info.name));
    json_append(engines, engine_json(r, &s->global, ERROR_GLOBAL, NULL));
    json_add(o, "engines", engines);
    json_add(o, "memory", buffers_json(r));
    json_add(o, "problems", json_uint64(s->problem_count));
    json_write(&r->d->text, o);
    text_char(&r->d->text, '\n');
    json_object_put(o);
}

/* Registers and memory, then the commands of each engine. */
static int print_report(struct report *r)
{
    struct json_object *const engines = r->d->options.json ? json_array() : NULL;
    bool failed = false;
    if (!engines)
        print_head(r);
    for (unsigned i = 0; i < r->state.engine_count; i++)
        if (is_listed(r, i))
            look_at(r, i, engines);
    if (engines) {
        print_json_head(r, engines);
    } else {
        for (unsigned i = 0; i < r->state.engine_count; i++)
            if (is_listed(r, i))
                print_engine(r, &r->state.engines[i], (int)i);
        print_engine(r, &r->state.global, ERROR_GLOBAL);
        print_buffers(r);
    }
    for (unsigned i = 0; i < r->state.engine_count; i++) {
        if (!is_listed(r, i) || !prepare_walk(r, i))
            continue;
        r->walk.stream = on_stream;
        r->walk.command = on_command;
        error_walk(&r->walk);
        failed |= r->walk.unknown || r->walk.cut;
        r->d->fail_on.happened |= r->state.engines[i].hung ? FAIL_BIT(HUNG) : 0;
    }
    return failed ? TOOL_FAILED : TOOL_CLEAN;
}

int decode_hang(struct decode *d)
{
    struct report *const r = calloc(1, sizeof *r);
    if (!r)
        tool_no_memory();
    int status = TOOL_UNUSABLE;
    r->d = d;
    d->error_walk = &r->walk;
    if (hang_read(d->options.file, d->options.memory_limit, &r->state) &&
        (r->sheet = hang_sheet(d->options.file, &r->state, d->options.device, true)) &&
        (!d->options.engine || decode_find_class(r->sheet->info.name, d->options.engine, &r->wanted_class))) {
        const struct softgt_decoder_config decoder = {
            .missing = "not in the file", .read = read_error_memory, .remark = error_remark};
        if (decode_prepare(d, r->sheet->info.name, decoder)) {
            r->file = softgt_register_file(d->spec->device);
            status = print_report(r);
        }
        decode_finish(d);
    }
    if (r->state.problem_count)
        status = TOOL_UNUSABLE;
    error_state_free(&r->state);
    free(r);
    return fail_on_status(&d->fail_on, d->options.file, status);
}
