/*
 * softgt decode: lists the commands of a raw batch in order, the commands of a trace as they are parsed when
 * it runs, or the instructions of a kernel.
 */
#include "decode.h"

#include "sheet_arguments.h"
#include "sheet_rows.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

enum { MI_BATCH_BUFFER_END = 0x0a, MOST_BYTES = 1 << 30, LISTED_DW = 1 << 20 };

void decode_flush(struct decode *d)
{
    if (d->text.failed)
        tool_no_memory();
    if (d->text.length)
        fwrite(d->text.bytes, 1, d->text.length, stdout);
    d->text.length = 0;
}

static void append_text(void *user, const char *bytes, size_t size_bytes)
{
    text_bytes(user, bytes, size_bytes);
}

struct softgt_text_port decode_port(struct text *t)
{
    return (struct softgt_text_port){t, append_text};
}

void decode_print(const struct softgt_text_port *out, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        out->write(out->user, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* Appends the position in a trace and the outcome of a command. */
static void trace_remark(void *user, const struct softgt_text_port *out)
{
    const struct decode *d = user;
    const struct softgt_event *e = &d->last.event;
    const struct engine_position *engine = e->unit ? position_tracker_engine(&d->tracker, e->unit) : NULL;
    if (d->last.shown_count > 1)
        decode_print(out, "  (%s times, to 0x%08llx)", tool_number(d->last.shown_count),
                     (unsigned long long)d->last.shown_last_address);
    if (!engine)
        return;
    const uint64_t batch = engine_position_batch(engine);
    if (!d->options.json) {
        if (e->kind != SOFTGT_EVENT_COMMAND)
            decode_print(out, "  [%s]", tool_outcome(e->kind));
        return;
    }
    decode_print(out, "\"engine\":\"%s\",\"status\":\"%s\",\"space\":\"%s\",", e->unit, tool_outcome(e->kind),
                 e->is_ggtt ? "ggtt" : "ppgtt");
    if (engine->has_context)
        decode_print(out, "\"context\":\"0x%llx\",", (unsigned long long)engine->lrca);
    if (batch)
        decode_print(out, "\"batch\":%llu,", (unsigned long long)batch);
    decode_print(out, "\"submission\":%llu,\"file_offset\":%llu,",
                 (unsigned long long)d->tracker.position.submission,
                 (unsigned long long)d->tracker.position.offset);
}

/* no-color.org */
static bool no_colour(void)
{
    const char *value = getenv("NO_COLOR");
    return value && *value;
}

bool decode_prepare(struct decode *d, const char *device, struct softgt_decoder_config config)
{
    const struct decode_options *const o = &d->options;
    const bool colour = o->colour > 0 || (o->colour < 0 && tool_is_terminal(STDOUT_FILENO) && !no_colour());
    config.flags = (colour ? SOFTGT_DECODE_COLOR : 0u) | (o->json ? SOFTGT_DECODE_JSON : 0u) |
                   (o->headers_only ? SOFTGT_DECODE_HEADERS : 0u) |
                   (o->nonzero ? SOFTGT_DECODE_NONZERO : 0u) | (o->resolve ? SOFTGT_DECODER_RESOLVE : 0u) |
                   (o->follow ? SOFTGT_DECODER_FOLLOW : 0u) | (o->kernels ? SOFTGT_DECODER_KERNELS : 0u);
    config.user = d;
    d->out = decode_port(&d->text);
    if (softgt_spec_create(device, &d->spec) == 0 &&
        softgt_decoder_create(d->spec, &config, &d->decoder) == 0)
        return true;
    tool_error(NULL, "out of memory");
    return false;
}

void decode_finish(struct decode *d)
{
    decode_flush(d);
    text_free(&d->text);
    softgt_decoder_destroy(d->decoder);
    softgt_spec_destroy(d->spec);
    free(d->last.dw);
}

static bool device_has_class(const char *device, const char *name, enum softgt_engine_class *class)
{
    struct softgt_spec *spec;
    const bool found =
        softgt_spec_create(device, &spec) == 0 && softgt_spec_engine_class(spec, name, class) == 0;
    softgt_spec_destroy(spec);
    return found;
}

bool decode_has_class(const char *name, enum softgt_engine_class *class)
{
    enum { MOST_DEVICES = 64 };
    static struct softgt_spec *specs[MOST_DEVICES]; /* kept: a file may name many engines */
    for (size_t i = 0; i < MOST_DEVICES && softgt_device_at(i); i++) {
        if (!specs[i] && softgt_spec_create(softgt_device_at(i)->name, &specs[i]) != 0)
            continue;
        if (softgt_spec_engine_class(specs[i], name, class) == 0)
            return true;
    }
    return false;
}

bool decode_find_class(const char *device, const char *name, enum softgt_engine_class *class)
{
    const bool found = device ? device_has_class(device, name, class) : decode_has_class(name, class);
    if (!found)
        tool_error(NULL, "no engine '%s' on %s: name " ENGINE_ARGUMENT, name, device ? device : "any device");
    return found;
}

/* ---- Raw batches ---- */

static uint32_t *read_dwords(const char *path, size_t *count)
{
    size_t size;
    uint32_t *dw = tool_read(path, MOST_BYTES, &size);
    if (!dw || (size && size % 4 == 0)) {
        *count = size / 4;
        return dw;
    }
    if (size == 0)
        tool_error(path, "the file is empty");
    else
        tool_error(path, "offset %#zx: the file ends inside a dword, a batch is a multiple of 4 bytes",
                   size & ~(size_t)3);
    free(dw);
    return NULL;
}

/* Lists commands as lines of gts(5). */
static void print_assembly(struct decode *d, enum softgt_engine_class class, const uint32_t *dw,
                           size_t length_dw)
{
    if (softgt_decode(d->spec, class, dw, length_dw, 0, SOFTGT_DECODE_GTS | SOFTGT_DECODE_ALL, &d->out) < 0)
        tool_no_memory();
    if (d->text.length >= DECODE_FLUSH_BYTES)
        decode_flush(d);
}

/* The number of equal commands in a row, and their length. */
static size_t equal_commands(const struct decode *d, enum softgt_engine_class class, const uint32_t *dw,
                             size_t there_dw, size_t *length_dw)
{
    const size_t length = softgt_command_length(d->spec, class, dw[0]);
    size_t count = 1;
    *length_dw = length;
    while (length && (count + 1) * length <= there_dw &&
           memcmp(dw, dw + count * length, length * sizeof *dw) == 0 && dw[0] >> 23 != MI_BATCH_BUFFER_END)
        count++;
    return count;
}

/* For --fail-on: commands that devices only count. */
static void note_command(struct decode *d, enum softgt_engine_class class, uint32_t header)
{
    const struct softgt_row *const row =
        d->fail_on.happened & FAIL_BIT(UNSUPPORTED) ? NULL : softgt_spec_command(d->spec, class, header);
    struct softgt_row_info c;
    if (!row)
        return;
    softgt_row_get_info(row, &c);
    if (!(c.flags & SOFTGT_COMMAND_IF_SUPPORTED) && c.model == SOFTGT_COMMAND_COUNTED)
        d->fail_on.happened |= FAIL_BIT(UNSUPPORTED);
}

static int decode_batch(struct decode *d)
{
    const char *const device = d->options.device ? d->options.device : "skl";
    enum softgt_engine_class class = SOFTGT_CLASS_RENDER;
    size_t count, at = 0, length = 0;
    if (d->options.engine && !decode_find_class(device, d->options.engine, &class))
        return TOOL_UNUSABLE;
    uint32_t *dw = read_dwords(d->options.file, &count);
    if (!dw)
        return TOOL_UNUSABLE;
    if (!decode_prepare(d, device, (struct softgt_decoder_config){.remark = trace_remark})) {
        free(dw);
        return TOOL_UNUSABLE;
    }
    int status = TOOL_CLEAN;
    if (d->options.assembly) {
        print_assembly(d, class, dw, count);
        at = count;
    }
    while (at < count) {
        const size_t equal = d->options.json ? 1 : equal_commands(d, class, dw + at, count - at, &length);
        d->last.shown_count = equal > DECODE_MOST_APART ? equal : 1;
        d->last.shown_last_address = d->options.address + (at + (equal - 1) * length) * 4;
        const int found = softgt_decoder_command(d->decoder, class, dw + at, count - at,
                                                 d->options.address + at * 4, &d->out, &length);
        if (found < 0)
            tool_no_memory();
        if (found == SOFTGT_DECODED_UNKNOWN)
            status = TOOL_FAILED;
        note_command(d, class, dw[at]);
        if (d->text.length >= DECODE_FLUSH_BYTES)
            decode_flush(d);
        if (found == SOFTGT_DECODED_CUT) {
            decode_flush(d);
            tool_error(d->options.file, "offset %#zx: the file ends inside a command", at * 4);
            status = TOOL_FAILED;
        }
        if (dw[at] >> 23 == MI_BATCH_BUFFER_END && !d->options.past_end)
            break;
        at += d->last.shown_count * length;
    }
    decode_finish(d);
    free(dw);
    return fail_on_status(&d->fail_on, d->options.file, status);
}

/* ---- Kernels ---- */

/* Where the bytes end inside an instruction; size_bytes: they do not. */
static size_t whole_bytes(const struct softgt_spec *spec, const void *kernel, size_t size_bytes)
{
    struct softgt_instruction i;
    size_t at = 0;
    while (at < size_bytes && softgt_decode_instruction(spec, kernel, size_bytes, at, &i) == 0)
        at += i.size_bytes;
    return at;
}

static int decode_kernel(struct decode *d)
{
    size_t size_bytes;
    void *bytes = tool_read(d->options.file, MOST_BYTES, &size_bytes);
    if (!bytes)
        return TOOL_UNUSABLE;
    if (!size_bytes) {
        tool_error(d->options.file, "the file is empty");
        free(bytes);
        return TOOL_UNUSABLE;
    }
    struct softgt_spec *const spec = sheet_spec(d->options.device ? d->options.device : "skl");
    d->out = decode_port(&d->text);
    const int wrong = softgt_disassemble(spec, bytes, size_bytes, &d->out);
    const size_t listed_bytes = wrong > 0 ? whole_bytes(spec, bytes, size_bytes) : size_bytes;
    if (wrong == -ENOMEM)
        tool_no_memory();
    if (listed_bytes < size_bytes) {
        decode_flush(d);
        tool_error(d->options.file, "offset %#zx: the file ends inside an instruction", listed_bytes);
    }
    decode_flush(d);
    text_free(&d->text);
    softgt_spec_destroy(spec);
    free(bytes);
    return wrong ? TOOL_FAILED : TOOL_CLEAN;
}

/* ---- Traces ---- */

static bool read_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct decode *d = user;
    return softgt_ppgtt_read(d->trace_device, (unsigned)d->engine.number, address, data, size_bytes) ||
           softgt_ggtt_read(d->trace_device, address, data, size_bytes);
}

/* The engine of an event. Units of events are static. */
static void find_engine(struct decode *d, const char *unit)
{
    struct softgt_engine_status s;
    if (d->engine.unit == unit)
        return;
    d->engine = (struct decode_engine){.unit = unit};
    while (softgt_engine_get_status(d->trace_device, (unsigned)d->engine.number, &s) &&
           strcmp(s.name, unit) != 0)
        d->engine.number++;
    softgt_spec_engine_class(d->spec, unit, &d->engine.class);
}

/* The line above the next rows: engine, context and batch. */
static void show_place(struct decode *d, const struct softgt_event *e)
{
    const struct engine_position *engine = position_tracker_engine(&d->tracker, e->unit);
    const uint64_t batch = engine_position_batch(engine);
    char text[200];
    size_t at = (size_t)snprintf(text, sizeof text, "%s%s", d->options.assembly ? "# " : "", e->unit);
    if (d->unit == e->unit && d->shown_batch == batch && d->shown_context == engine->lrca)
        return;
    if (engine->has_context)
        at += (size_t)snprintf(text + at, sizeof text - at, ", context 0x%llx",
                               (unsigned long long)engine->lrca);
    if (batch)
        at += (size_t)snprintf(text + at, sizeof text - at, ", batch %llu", (unsigned long long)batch);
    snprintf(text + at, sizeof text - at, ", submission %llu, file offset 0x%llx:\n",
             (unsigned long long)d->tracker.position.submission,
             (unsigned long long)d->tracker.position.offset);
    text_string(&d->text, text);
    d->unit = e->unit;
    d->shown_batch = batch;
    d->shown_context = engine->lrca;
}

/* Names the context of an engine: by its LRCA, which is a page's address; of a ring by the engine. */
static uint64_t context_key(const struct decode *d, const char *unit)
{
    const struct engine_position *const engine = position_tracker_engine(&d->tracker, unit);
    return engine->has_context ? engine->lrca : (uint64_t)d->engine.number;
}

static void show_one(struct decode *d)
{
    const struct softgt_event *e = &d->last.event;
    size_t length;
    find_engine(d, e->unit);
    if (!d->options.json)
        show_place(d, e);
    if (d->options.assembly && e->kind != SOFTGT_EVENT_COMMAND) {
        text_string(&d->text, "# ");
        text_string(&d->text, tool_outcome(e->kind));
        text_string(&d->text, ":\n");
    }
    const enum softgt_engine_class class = d->engine.class;
    int status = softgt_decoder_select(d->decoder, context_key(d, e->unit));
    if (status == 0 && d->options.assembly)
        print_assembly(d, class, e->dwords, e->length_dw);
    else if (status == 0)
        status =
            softgt_decoder_command(d->decoder, class, e->dwords, e->length_dw, e->address, &d->out, &length);
    if (status >= 0 && d->options.follow && !d->options.assembly && e->kind == SOFTGT_EVENT_COMMAND)
        status = softgt_decoder_follow(d->decoder, class, e->dwords, e->length_dw, e->address, &d->out);
    if (status < 0)
        tool_no_memory();
    if (d->text.length >= DECODE_FLUSH_BYTES)
        decode_flush(d);
}

/* Prints many equal commands as one line. */
static void show_row(struct decode *d)
{
    const uint64_t bytes = d->last.event.length_dw * 4u;
    while (d->last.count) {
        d->last.shown_count =
            d->last.count > DECODE_MOST_APART && !d->options.json && !d->options.assembly ? d->last.count : 1;
        d->last.shown_last_address = d->last.event.address + (d->last.shown_count - 1) * bytes;
        show_one(d);
        d->last.count -= d->last.shown_count;
        d->last.event.address += d->last.shown_count * bytes;
    }
}

/* The event repeats the last command, at the next address. */
static bool is_equal(const struct decode *d, const struct softgt_event *e)
{
    const struct softgt_event *const r = &d->last.event;
    return d->last.count && e->kind == r->kind && e->unit == r->unit && e->length_dw == r->length_dw &&
           e->is_ggtt == r->is_ggtt && e->address == r->address + d->last.count * r->length_dw * 4u &&
           memcmp(e->dwords, r->dwords, r->length_dw * sizeof *r->dwords) == 0;
}

static void keep_row(struct decode *d, const struct softgt_event *e)
{
    if (e->length_dw > d->last.capacity_dw) {
        uint32_t *more = realloc(d->last.dw, e->length_dw * sizeof *more);
        if (!more)
            tool_no_memory();
        d->last.dw = more;
        d->last.capacity_dw = e->length_dw;
    }
    memcpy(d->last.dw, e->dwords, e->length_dw * sizeof *d->last.dw);
    d->last.event = *e;
    d->last.event.dwords = d->last.dw;
    d->last.count = 1;
}

static void on_row_after_unknown(void *user, const struct softgt_event *e)
{
    struct decode *d = user;
    if (e->length_dw) {
        keep_row(d, e);
        show_row(d);
    } else if (d->options.json) {
        static const char *const of_event[] = {"event", "time_ns", "unit"};
        struct json_object *o = event_json(&d->tracker, e);
        for (unsigned i = 0; i < sizeof of_event / sizeof of_event[0]; i++)
            json_object_object_del(o, of_event[i]);
        json_add(o, "schema", json_string("softgt.command"));
        json_add(o, "engine", json_string(e->unit));
        json_write(&d->text, o);
        text_char(&d->text, '\n');
        json_object_put(o);
    } else {
        char text[200];
        snprintf(text, sizeof text, "%s0x%08llx:  given up here: %s\n", d->options.assembly ? "# " : "",
                 (unsigned long long)e->address, e->text);
        text_string(&d->text, text);
    }
}

static void decode_on_event(void *user, const struct softgt_event *e)
{
    struct decode *d = user;
    if (e->what != SOFTGT_TRACE_COMMANDS) {
        show_row(d);
        position_tracker_event(&d->tracker, e);
        return;
    }
    if (d->options.engine && strcmp(d->options.engine, e->unit) != 0 &&
        strcmp(d->options.engine, softgt_engine_class_name(e->engine_class)) != 0)
        return;
    if (e->is_late) {
        if (d->last.count > 1) { /* only the last command counts */
            d->last.count--;
            const struct softgt_event last = d->last.event;
            const uint64_t address = last.address + d->last.count * last.length_dw * 4u;
            show_row(d);
            d->last.event = last;
            d->last.event.address = address;
            d->last.count = 1;
        }
        if (d->last.count && d->last.event.kind == SOFTGT_EVENT_COMMAND)
            d->last.event.kind = e->kind;
        return;
    }
    if (is_equal(d, e)) {
        d->last.count++;
        return;
    }
    show_row(d);
    keep_row(d, e);
    if (e->kind != SOFTGT_EVENT_UNKNOWN)
        return;
    show_row(d);
    events_after_unknown(d->trace_device, e, d, on_row_after_unknown);
}

static void decode_on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct decode *d = user;
    show_row(d);
    decode_flush(d);
    if (offset != REPLAY_NO_OFFSET)
        tool_error(d->options.file, "offset %#llx: %s%s", (unsigned long long)offset,
                   kind == REPLAY_NOTE ? "note: " : "", text);
    else
        tool_error(d->options.file, "%s%s", kind == REPLAY_NOTE ? "note: " : "", text);
}

/* Uses the rows of the device that the trace runs on. */
static bool decode_on_started(void *user, struct softgt *device)
{
    struct decode *d = user;
    const char *const name = softgt_info(device)->name;
    enum softgt_engine_class class;
    d->trace_device = device;
    d->tracker.is_trace = true;
    if (d->options.engine && !decode_find_class(name, d->options.engine, &class))
        return false;
    return decode_prepare(d, name,
                          (struct softgt_decoder_config){.read = read_memory, .remark = trace_remark});
}

/* The last row, while its device is there. */
static void decode_on_finished(void *user, struct softgt *device)
{
    struct decode *d = user;
    show_row(d);
    fail_on_device(&d->fail_on, device);
}

static void decode_on_report(void *user, const struct softgt_report *report)
{
    struct decode *d = user;
    fail_on_report(&d->fail_on, report);
}

static int decode_trace(struct decode *d)
{
    enum softgt_engine_class class;
    if (d->options.engine && !decode_find_class(d->options.device, d->options.engine, &class))
        return TOOL_UNUSABLE;
    struct input input;
    if (!input_open(&input, d->options.file))
        return TOOL_UNUSABLE;
    const struct replay_options options = {
        .device = d->options.device,
        .force = d->options.force,
        .decode = true,
        .draws = d->options.has_draws ? d->options.draws
                 : input.is_program   ? REPLAY_DRAWS_ALWAYS
                                      : REPLAY_DRAWS_RECORDED,
        .tolerate = d->options.tolerate,
        .budget_dw = d->options.budget ? d->options.budget : LISTED_DW,
        .memory_limit_bytes = d->options.memory_limit,
        .position = &d->tracker.position,
        .trace = {d, SOFTGT_TRACE_COMMANDS | TRACKED_EVENTS, decode_on_event},
        .report = {d, decode_on_report},
        .user = d,
        .message = decode_on_message,
        .started = decode_on_started,
        .finished = decode_on_finished,
    };
    struct replay_result result;
    if (input.is_program && !input_assemble(&input, d->options.device, d->options.memory_limit)) {
        input_close(&input);
        return TOOL_UNUSABLE;
    }
    const enum replay_outcome outcome = input.data ? replay_memory(input.data, input.size, &options, &result)
                                                   : replay_file(d->options.file, &options, &result);
    input_close(&input);
    decode_finish(d);
    fail_on_end(&d->fail_on);
    d->fail_on.happened |= result.hung ? FAIL_BIT(HUNG) : 0;
    return fail_on_status(&d->fail_on, d->options.file, (int)outcome);
}

/* ---- Options ---- */

enum { KEY_COLOUR = 256, FORCE, TOLERATE, BUDGET, DRAWS, NO_DRAWS, NO_SANDBOX, ERROR_STATE, FAIL_ON };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0,
     "decode for this device (raw batches, kernels: skl; traces: the one they name)", 0},
    {"engine", 'e', "ENGINE", 0, "raw batches: the engine they are for (render); traces: only this one", 0},
    {"batch", 'b', NULL, 0, "FILE is a raw batch of little-endian dwords, not a trace", 0},
    {"error", ERROR_STATE, NULL, 0, "FILE is an i915 error state, or a devcoredump of xe", 0},
    {"eu", 'E', NULL, 0, "FILE is a kernel: instructions of the execution units", 0},
    {"address", 'a', "ADDRESS", 0, "graphics address of the raw batch (0)", 0},
    {"all", 'A', NULL, 0, "continue after MI_BATCH_BUFFER_END", 0},
    {"headers", 'H', NULL, 0, "do not print the fields", 0},
    {"nonzero", 'z', NULL, 0, "do not print fields that are zero", 0},
    {"resolve", 'r', NULL, 0, "also show offsets from the bases of STATE_BASE_ADDRESS as addresses", 0},
    {"follow", 'f', NULL, 0,
     "traces: show surfaces, samplers and other state that commands point to; implies -r", 0},
    {"kernels", 'k', NULL, 0, "traces: show the instructions of kernels that commands point to; implies -f",
     0},
    {"json", 'j', NULL, 0, "print one JSON object a line for each command", 0},
    {"asm", 's', NULL, 0, "print lines of a batch block of gts(5) that give the same dwords", 0},
    {"force", FORCE, NULL, 0, "run a trace on a device of another generation than it was recorded on", 0},
    {"tolerate", TOLERATE, "WHAT", 0,
     "do not fail a trace for these, separated by commas: short, dropped or misplaced commands, faults", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and one of these happened: unsupported, unknown, hung, "
     "faults, errors, unused or all, separated by commas",
     0},
    {"budget", BUDGET, "DWORDS", 0, "traces: dwords after which a submission counts as looping (1048576)", 0},
    {"no-draws", NO_DRAWS, NULL, 0, "traces: count 3D draws, do not run them", 0},
    {"draws", DRAWS, NULL, 0,
     "traces: run all draws, not only those of programs and of recordings that ran them", 0},
    {"memory", 'm', "MB", 0, "traces: memory that a trace may use (8192)", 0},
    {"color", KEY_COLOUR, "WHEN", 0, "always, never or auto (on a terminal)", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static const struct tool_option decode_members[] = {
    {'e', TOOL_TEXT, offsetof(struct decode, options.engine)},
    {'b', TOOL_FLAG, offsetof(struct decode, options.is_batch)},
    {'E', TOOL_FLAG, offsetof(struct decode, options.is_kernel)},
    {ERROR_STATE, TOOL_FLAG, offsetof(struct decode, options.is_error)},
    {'A', TOOL_FLAG, offsetof(struct decode, options.past_end)},
    {'H', TOOL_FLAG, offsetof(struct decode, options.headers_only)},
    {'z', TOOL_FLAG, offsetof(struct decode, options.nonzero)},
    {'r', TOOL_FLAG, offsetof(struct decode, options.resolve)},
    {'j', TOOL_FLAG, offsetof(struct decode, options.json)},
    {'s', TOOL_FLAG, offsetof(struct decode, options.assembly)},
    {FORCE, TOOL_FLAG, offsetof(struct decode, options.force)},
    {'m', TOOL_MEGABYTES, offsetof(struct decode, options.memory_limit), "memory", UINT64_C(1) << 20},
    {BUDGET, TOOL_COUNT, offsetof(struct decode, options.budget), "budget", UINT64_C(1) << 40},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct decode, fail_on)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

/* Refuses options that would do nothing. */
static void refuse_useless_options(const struct decode_options *o, struct argp_state *state)
{
    if (o->is_kernel && (o->is_batch || o->engine || o->follow || o->headers_only || o->nonzero ||
                         o->resolve || o->json || o->assembly || o->has_colour || o->force || o->tolerate ||
                         o->budget || o->memory_limit || o->has_draws))
        argp_error(state, "--eu takes --device and no other option");
    if (o->is_error &&
        (o->is_batch || o->is_kernel || o->assembly || o->force || o->tolerate || o->has_draws))
        argp_error(state, "--error takes none of --batch, --eu, --asm, --force, --tolerate and --draws");
    if (o->follow && (o->is_batch || o->assembly))
        argp_error(state, "--follow needs a trace, and a listing or JSON");
    if (!o->is_batch && (o->has_address || o->past_end))
        argp_error(state, "--%s does nothing without --batch", o->has_address ? "address" : "all");
    if (o->is_batch && (o->force || o->tolerate || o->budget || o->memory_limit || o->has_draws))
        argp_error(state, "--%s does nothing with --batch",
                   o->has_draws  ? o->draws == REPLAY_DRAWS_ALWAYS ? "draws" : "no-draws"
                   : o->force    ? "force"
                   : o->tolerate ? "tolerate"
                   : o->budget   ? "budget"
                                 : "memory");
    if (o->force && !o->device)
        argp_error(state, "--force does nothing without --device");
    if (o->json && o->assembly)
        argp_error(state, "--asm does nothing with --json");
    if (o->assembly && (o->headers_only || o->nonzero || o->resolve))
        argp_error(state, "--%s does nothing with --asm",
                   o->headers_only ? "headers"
                   : o->nonzero    ? "nonzero"
                                   : "resolve");
    if (o->nonzero && o->headers_only)
        argp_error(state, "--nonzero does nothing with --headers");
    if (o->has_colour && (o->json || o->assembly))
        argp_error(state, "--color does nothing with --%s", o->json ? "json" : "asm");
}

static error_t decode_parse(int key, char *argument, struct argp_state *state)
{
    struct decode *d = state->input;
    char *end;
    if (tool_set_option(decode_members, key, argument, state))
        return 0;
    switch (key) {
    case 'd':
        if (!tool_knows_device(argument))
            exit(TOOL_UNUSABLE);
        d->options.device = argument;
        return 0;
    case 'a':
        d->options.address = strtoull(argument, &end, 0);
        if (!*argument || *end || *argument == '-' || d->options.address & 3)
            argp_error(state, "--address: '%s' is not a dword-aligned address", argument);
        d->options.has_address = true;
        return 0;
    case 'f':
        d->options.follow = d->options.resolve = true;
        return 0;
    case 'k':
        d->options.kernels = d->options.follow = d->options.resolve = true;
        return 0;
    case TOLERATE:
        d->options.tolerate = tool_tolerate(state, argument);
        return 0;
    case DRAWS:
    case NO_DRAWS:
        d->options.has_draws = true;
        d->options.draws = key == DRAWS ? REPLAY_DRAWS_ALWAYS : REPLAY_DRAWS_ARE_COUNTED;
        return 0;
    case KEY_COLOUR:
        d->options.has_colour = true;
        d->options.colour = strcmp(argument, "always") == 0 ? 1 : strcmp(argument, "never") == 0 ? 0 : -1;
        if (d->options.colour < 0 && strcmp(argument, "auto") != 0)
            argp_error(state, "--color takes always, never or auto");
        return 0;
    case ARGP_KEY_ARG:
        if (d->options.file)
            argp_error(state, "one file at a time");
        d->options.file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!d->options.file)
            argp_error(state, "FILE is missing");
        refuse_useless_options(&d->options, state);
        if (d->options.is_kernel && d->fail_on.wanted)
            argp_error(state, "--fail-on does nothing with --eu: an illegal instruction gives exit status 1");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_decode(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = decode_parse,
        .args_doc = "FILE",
        .doc = "Lists commands with all their fields: those of a raw batch in order, those of a trace as the "
               "engines parse them when it runs; or the instructions of a kernel.\vExit status: 0 clean, 1 "
               "when a command was unknown or not executed, an instruction illegal, or the trace failed, 2 "
               "for unusable input, 3 by --fail-on.",
    };
    struct decode d = {.options.colour = -1, .fail_on.words = FAIL_ON_DECODE};
    tool_parse(&argp, argc, argv, &d);
    input_allow(d.options.file);
    if (!tool_sandbox(1))
        return TOOL_UNUSABLE;
    return d.options.is_kernel  ? decode_kernel(&d)
           : d.options.is_batch ? decode_batch(&d)
           : d.options.is_error ? decode_hang(&d)
                                : decode_trace(&d);
}
