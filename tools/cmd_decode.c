/* softgt decode: the commands of a raw batch as they lie, or of a trace as they are parsed when it runs; the
 * instructions of a kernel. */
#include "events.h"
#include "input.h"

#include "device/device.h"
#include "aub/replay.h"
#include "host/files.h"
#include "host/structure_dumper.h"
#include "gts/gts.h"
#include "stream/dump.h"

#include <unistd.h>

enum {
    FLUSH_BYTES = 1 << 16,
    MOST_APART = 4 /* equal commands in a row */,
    MI_BATCH_BUFFER_END = 0x0a,
    MOST_BYTES = 1 << 30,
    LISTED_DW = 1 << 20
};

struct decode {
    const char *device, *engine, *file;
    bool batch, eu, has_address, all, json, assembly, headers_only, resolve, follow, kernels;
    bool has_colour, has_draws;
    enum replay_draws draws;
    int colour; /* -1: on a terminal only */
    uint64_t address;

    struct bases bases;
    struct dumper dumper;
    struct command_set set;
    struct structure_dumper following;
    struct softgt *traced; /* the device that a trace runs on */
    int engine_number;     /* of the command decoded now */
    struct softgt *names;  /* a device, for the names of its registers */
    struct text text;
    char name[96]; /* of the register asked for last */
    const char *unit;
    uint64_t batch_shown, context_shown;
    uint64_t budget; /* dwords of a submission that are listed */
    uint64_t memory_limit;
    unsigned tolerate;
    bool force;

    struct position_tracker follower;
    struct softgt_event row; /* the command told last: what becomes of it may follow */
    uint32_t *row_dw;
    size_t row_room_dw;
    uint64_t row_count; /* equal ones, one behind the other; 0: there is none */
    uint64_t shown;     /* how many the row that is being shown stands for */
    uint64_t shown_end; /* the address of the last of them */
};

static void decode_flush(struct decode *d)
{
    if (d->text.failed)
        tool_no_memory();
    if (d->text.length)
        fwrite(d->text.bytes, 1, d->text.length, stdout);
    d->text.length = 0;
}

static bool read_nothing(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static const char *register_name(void *user, uint32_t offset)
{
    struct decode *d = user;
    const struct register_slot *s = register_slot_at(softgt_register_file(d->names), offset);
    if (!s->row || s->row->count < 2)
        return s->row ? s->row->name : NULL;
    register_slot_name(s, d->name, sizeof d->name);
    return d->name;
}

/* Where in a trace, and what became of it. */
static void remark(void *user, struct text *t)
{
    const struct decode *d = user;
    const struct softgt_event *e = &d->row;
    const struct engine_position *engine = e->unit ? position_tracker_engine(&d->follower, e->unit) : NULL;
    char text[200];
    size_t at = 0;
    if (d->shown > 1) {
        snprintf(text, sizeof text, "  (%s times, to 0x%08llx)", tool_number(d->shown),
                 (unsigned long long)d->shown_end);
        text_string(t, text);
    }
    if (!engine)
        return;
    const uint64_t batch = engine_position_batch(engine);
    if (!d->json && e->kind == SOFTGT_EVENT_COMMAND)
        return;
    if (!d->json) {
        snprintf(text, sizeof text, "  [%s]", event_status(e->kind));
        text_string(t, text);
        return;
    }
    at += (size_t)snprintf(text, sizeof text, "\"engine\":\"%s\",\"status\":\"%s\",\"space\":\"%s\",",
                           e->unit, event_status(e->kind), e->is_ggtt ? "ggtt" : "ppgtt");
    if (engine->has_context)
        at += (size_t)snprintf(text + at, sizeof text - at, "\"context\":\"0x%llx\",",
                               (unsigned long long)engine->lrca);
    if (batch)
        at += (size_t)snprintf(text + at, sizeof text - at, "\"batch\":%llu,", (unsigned long long)batch);
    snprintf(text + at, sizeof text - at, "\"submission\":%llu,\"file_offset\":%llu,",
             (unsigned long long)d->follower.position.submission,
             (unsigned long long)d->follower.position.offset);
    text_string(t, text);
}

/* no-color.org */
static bool no_colour(void)
{
    const char *value = getenv("NO_COLOR");
    return value && *value;
}

static const struct sheet *sheet_named(const char *name)
{
    const struct sheet *modelled = sheet_find(name);
    return modelled ? modelled : decoded_find(name);
}

/* What the render engine says of constants. */
static const struct constants_flag *constants_flags(const struct softgt *device)
{
    unsigned i = 0;
    while (i < device->sheet->info.engine_count && device->engines[i].info->class != CLASS_RENDER)
        i++;
    return i < device->sheet->info.engine_count
               ? device->engines[i].info->constant_buffer_address_offset_disable
               : NULL;
}

/* Sets up for a device; false after telling. */
static bool decode_prepare(struct decode *d, const struct sheet *sheet)
{
    const struct softgt_config config = {.memory = {.read = read_nothing}};
    const struct dump_options options = {
        .colour = d->colour > 0 || (d->colour < 0 && tool_is_terminal(STDOUT_FILENO) && !no_colour()),
        .json = d->json,
        .headers_only = d->headers_only,
        .user = d,
        .register_name = register_name,
        .remark = remark,
        .bases = d->resolve ? &d->bases : NULL,
    };
    if (device_create(sheet, &config, &d->names) == 0 &&
        command_set_create(&d->set, command_tables, sheet->generation) &&
        dumper_create(&d->dumper, &d->set, &options) &&
        (!d->follow || structure_dumper_create(&d->following, sheet->generation, &options))) {
        d->bases.constants_flags = constants_flags(d->names);
        return true;
    }
    tool_error(NULL, "out of memory");
    return false;
}

static void decode_finish(struct decode *d)
{
    decode_flush(d);
    text_free(&d->text);
    structure_dumper_destroy(&d->following);
    free(d->row_dw);
    dumper_destroy(&d->dumper);
    command_set_destroy(&d->set);
    softgt_destroy(d->names);
}

/* `device` NULL: of any device. */
static bool find_class(const struct sheet *device, const char *name, enum engine_class *class)
{
    unsigned classes = device ? sheet_engine_classes(device, name) : 0;
    for (const struct sheet *const *s = sheets; !device && *s && !classes; s++)
        classes = sheet_engine_classes(*s, name);
    if (classes) {
        *class = (enum engine_class)__builtin_ctz(classes);
        return true;
    }
    tool_error(NULL,
               "no engine '%s' on %s: name one (rcs0) or a class (render, copy, video, enhance, compute)",
               name, device ? device->info.name : "any device");
    return false;
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

static void on_line(void *user, size_t index, const char *text)
{
    struct decode *d = user;
    (void)index;
    text_string(&d->text, text);
    text_char(&d->text, '\n');
    if (d->text.length >= FLUSH_BYTES)
        decode_flush(d);
}

/* How often the command there stands in a row, and its length. */
static size_t equal_commands(const struct decode *d, enum engine_class class, const uint32_t *dw,
                             size_t there_dw, size_t *length_dw)
{
    const uint16_t number = command_find(&d->set, class, dw[0]);
    const size_t length = number ? command_length_dw(d->set.rows[number], dw[0]) : 0;
    size_t count = 1;
    *length_dw = length;
    while (length && (count + 1) * length <= there_dw &&
           memcmp(dw, dw + count * length, length * sizeof *dw) == 0 && dw[0] >> 23 != MI_BATCH_BUFFER_END)
        count++;
    return count;
}

static int decode_batch(struct decode *d)
{
    const struct sheet *device = sheet_named(d->device ? d->device : "skl");
    enum engine_class class = CLASS_RENDER;
    size_t count, at = 0, length = 0;
    if (d->engine && !find_class(device, d->engine, &class))
        return TOOL_UNUSABLE;
    uint32_t *dw = read_dwords(d->file, &count);
    if (!dw)
        return TOOL_UNUSABLE;
    if (!decode_prepare(d, device)) {
        free(dw);
        return TOOL_UNUSABLE;
    }
    int status = TOOL_CLEAN;
    if (d->assembly) {
        if (!gts_disassemble(&d->set, class, dw, count, d, on_line))
            tool_no_memory();
        at = count;
    }
    while (at < count) {
        const size_t equal = d->json ? 1 : equal_commands(d, class, dw + at, count - at, &length);
        d->shown = equal > MOST_APART ? equal : 1;
        d->shown_end = d->address + (at + (equal - 1) * length) * 4;
        const enum dump_found found =
            dump_command(&d->dumper, &d->text, class, dw + at, count - at, d->address + at * 4, &length);
        if (found == DUMP_UNKNOWN)
            status = TOOL_FAILED;
        if (d->text.length >= FLUSH_BYTES)
            decode_flush(d);
        if (found == DUMP_CUT) {
            decode_flush(d);
            tool_error(d->file, "offset %#zx: the file ends inside a command", at * 4);
            status = TOOL_FAILED;
        }
        if (dw[at] >> 23 == MI_BATCH_BUFFER_END && !d->all)
            break;
        at += d->shown * length;
    }
    decode_finish(d);
    free(dw);
    return status;
}

/* ---- Kernels ---- */

static int decode_kernel(struct decode *d)
{
    const struct sheet *device = sheet_named(d->device ? d->device : "skl");
    const struct eu_listing how = {.indent = ""};
    size_t size_bytes;
    if (!device->eu) {
        tool_error(NULL, "the instruction set of %s is not known, only those of Gen6, and of Gen8 and later",
                   device->info.name);
        return TOOL_UNUSABLE;
    }
    void *bytes = tool_read(d->file, MOST_BYTES, &size_bytes);
    if (!bytes)
        return TOOL_UNUSABLE;
    if (!size_bytes) {
        tool_error(d->file, "the file is empty");
        free(bytes);
        return TOOL_UNUSABLE;
    }
    size_t listed_bytes = 0;
    const unsigned illegal =
        eu_disassemble_kernel(device->eu, bytes, size_bytes, &how, &d->text, &listed_bytes);
    if (listed_bytes < size_bytes) {
        decode_flush(d);
        tool_error(d->file, "offset %#zx: the file ends inside an instruction", listed_bytes);
    }
    decode_flush(d);
    text_free(&d->text);
    free(bytes);
    return illegal || listed_bytes < size_bytes ? TOOL_FAILED : TOOL_CLEAN;
}

/* ---- Traces ---- */

static bool read_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    const struct decode *d = user;
    return softgt_ppgtt_read(d->traced, (unsigned)d->engine_number, address, data, size_bytes) ||
           softgt_ggtt_read(d->traced, address, data, size_bytes);
}

static void decode_pointers(struct decode *d, enum engine_class class, const struct softgt_event *e)
{
    struct softgt_engine_status s;
    const uint16_t number = command_find(&d->set, class, e->dwords[0]);
    d->engine_number = 0;
    while (softgt_engine_status(d->traced, (unsigned)d->engine_number, &s) && strcmp(s.name, e->unit) != 0)
        d->engine_number++;
    if (number)
        structure_dumper_command(&d->following, &d->text, d->set.rows[number], e->dwords,
                                 (uint32_t)e->length_dw, e->address);
}

/* The line over the rows that follow: the engine, its context and batch. */
static void show_place(struct decode *d, const struct softgt_event *e)
{
    const struct engine_position *engine = position_tracker_engine(&d->follower, e->unit);
    const uint64_t batch = engine_position_batch(engine);
    char text[200];
    size_t at = (size_t)snprintf(text, sizeof text, "%s%s", d->assembly ? "# " : "", e->unit);
    if (d->unit == e->unit && d->batch_shown == batch && d->context_shown == engine->lrca)
        return;
    if (engine->has_context)
        at += (size_t)snprintf(text + at, sizeof text - at, ", context 0x%llx",
                               (unsigned long long)engine->lrca);
    if (batch)
        at += (size_t)snprintf(text + at, sizeof text - at, ", batch %llu", (unsigned long long)batch);
    snprintf(text + at, sizeof text - at, ", submission %llu, file offset 0x%llx:\n",
             (unsigned long long)d->follower.position.submission,
             (unsigned long long)d->follower.position.offset);
    text_string(&d->text, text);
    d->unit = e->unit;
    d->batch_shown = batch;
    d->context_shown = engine->lrca;
}

static void show_one(struct decode *d)
{
    const struct softgt_event *e = &d->row;
    enum engine_class class = CLASS_RENDER;
    size_t length;
    while (class < ENGINE_CLASSES - 1 && strcmp(engine_class_names[class], e->engine_class) != 0)
        class ++;
    if (!d->json)
        show_place(d, e);
    if (d->assembly && e->kind != SOFTGT_EVENT_COMMAND) {
        text_string(&d->text, "# ");
        text_string(&d->text, event_status(e->kind));
        text_string(&d->text, ":\n");
    }
    if (d->assembly && !gts_disassemble(&d->set, class, e->dwords, e->length_dw, d, on_line))
        tool_no_memory();
    if (!d->assembly)
        dump_command(&d->dumper, &d->text, class, e->dwords, e->length_dw, e->address, &length);
    if (d->follow && !d->assembly && e->kind == SOFTGT_EVENT_COMMAND)
        decode_pointers(d, class, e);
    if (d->text.length >= FLUSH_BYTES)
        decode_flush(d);
}

/* Many equal ones are one line. */
static void show_row(struct decode *d)
{
    const uint64_t bytes = d->row.length_dw * 4u;
    while (d->row_count) {
        d->shown = d->row_count > MOST_APART && !d->json && !d->assembly ? d->row_count : 1;
        d->shown_end = d->row.address + (d->shown - 1) * bytes;
        show_one(d);
        d->row_count -= d->shown;
        d->row.address += d->shown * bytes;
    }
}

/* The same command again, behind the row's. */
static bool is_equal(const struct decode *d, const struct softgt_event *e)
{
    const struct softgt_event *const r = &d->row;
    return d->row_count && e->kind == r->kind && e->unit == r->unit && e->length_dw == r->length_dw &&
           e->is_ggtt == r->is_ggtt && e->address == r->address + d->row_count * r->length_dw * 4u &&
           memcmp(e->dwords, r->dwords, r->length_dw * sizeof *r->dwords) == 0;
}

static void keep_row(struct decode *d, const struct softgt_event *e)
{
    if (e->length_dw > d->row_room_dw) {
        uint32_t *more = realloc(d->row_dw, e->length_dw * sizeof *more);
        if (!more)
            tool_no_memory();
        d->row_dw = more;
        d->row_room_dw = e->length_dw;
    }
    memcpy(d->row_dw, e->dwords, e->length_dw * sizeof *d->row_dw);
    d->row = *e;
    d->row.dwords = d->row_dw;
    d->row_count = 1;
}

static void on_row_after_unknown(void *user, const struct softgt_event *e)
{
    struct decode *d = user;
    if (e->length_dw) {
        keep_row(d, e);
        show_row(d);
    } else if (d->json) {
        struct json_object *o = event_json(&d->follower, e);
        json_add(o, "schema", json_string("softgt.command"));
        json_add(o, "engine", json_string(e->unit));
        json_write(&d->text, o);
        text_char(&d->text, '\n');
        json_object_put(o);
    } else {
        char text[200];
        snprintf(text, sizeof text, "%s0x%08llx:  given up here: %s\n", d->assembly ? "# " : "",
                 (unsigned long long)e->address, e->text);
        text_string(&d->text, text);
    }
}

static void decode_on_event(void *user, const struct softgt_event *e)
{
    struct decode *d = user;
    if (e->what != SOFTGT_TRACE_COMMANDS) {
        show_row(d);
        position_tracker_event(&d->follower, e);
        return;
    }
    if (d->engine && strcmp(d->engine, e->unit) != 0 && strcmp(d->engine, e->engine_class) != 0)
        return;
    if (e->is_late) {
        if (d->row_count > 1) { /* only the last one */
            d->row_count--;
            const struct softgt_event last = d->row;
            const uint64_t address = last.address + d->row_count * last.length_dw * 4u;
            show_row(d);
            d->row = last;
            d->row.address = address;
            d->row_count = 1;
        }
        if (d->row_count && d->row.kind == SOFTGT_EVENT_COMMAND)
            d->row.kind = e->kind;
        return;
    }
    if (is_equal(d, e)) {
        d->row_count++;
        return;
    }
    show_row(d);
    keep_row(d, e);
    if (e->kind != SOFTGT_EVENT_UNKNOWN)
        return;
    show_row(d);
    events_after_unknown(d->traced, e, d, on_row_after_unknown);
}

static void decode_on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct decode *d = user;
    show_row(d);
    decode_flush(d);
    if (offset != REPLAY_NO_OFFSET)
        tool_error(d->file, "offset %#llx: %s%s", (unsigned long long)offset,
                   kind == REPLAY_NOTE ? "note: " : "", text);
    else
        tool_error(d->file, "%s%s", kind == REPLAY_NOTE ? "note: " : "", text);
}

/* The rows are those of the device that the trace runs on. */
static bool decode_on_started(void *user, struct softgt *device)
{
    struct decode *d = user;
    enum engine_class class;
    d->traced = device;
    d->following.user = d;
    d->following.read = read_memory;
    d->following.kernels.set = d->kernels ? device->sheet->eu : NULL;
    d->follower.is_trace = true;
    if (d->engine && !find_class(device->sheet, d->engine, &class))
        return false;
    return decode_prepare(d, device->sheet);
}

static void on_gts_message(void *user, const struct gts_message *m)
{
    (void)user;
    if (m->kind == GTS_ERROR && m->line)
        fprintf(stderr, "%s:%u:%u: error: %s\n", m->file, m->line, m->column, m->text);
    else if (m->kind == GTS_ERROR)
        fprintf(stderr, "%s: error: %s\n", m->file, m->text);
}

/* A program is decoded as the trace that is made of it. */
static bool decode_assemble(struct decode *d, struct input *input)
{
    const struct gts_options options = {
        .device = d->device, .memory_limit = d->memory_limit, .user = d, .message = on_gts_message};
    char *data = NULL;
    size_t size = 0;
    FILE *trace = open_memstream(&data, &size);
    if (!trace || gts_assemble_into(input->path, input->data, input->size, trace, &options) != GTS_CLEAN) {
        if (!trace)
            tool_error(input->path, "out of memory");
        else /* it is open still: the text has errors */
            fclose(trace);
        free(data);
        return false;
    }
    if (!data) /* the stream's end had no memory, and does not tell */
        tool_no_memory();
    input_close(input);
    *input = (struct input){.data = data, .size = size};
    return true;
}

static int decode_trace(struct decode *d)
{
    enum engine_class class;
    if (d->engine && !find_class(sheet_named(d->device), d->engine, &class))
        return TOOL_UNUSABLE;
    struct input input;
    if (!input_open(&input, d->file))
        return TOOL_UNUSABLE;
    const struct replay_options options = {
        .device = d->device,
        .force = d->force,
        .decode = true,
        .draws = d->has_draws       ? d->draws
                 : input.is_program ? REPLAY_DRAWS_ALWAYS
                                    : REPLAY_DRAWS_RECORDED,
        .tolerate = d->tolerate,
        .budget_dw = d->budget ? d->budget : LISTED_DW,
        .memory_limit_bytes = d->memory_limit,
        .position = &d->follower.position,
        .trace = {d, SOFTGT_TRACE_COMMANDS | TRACKED_EVENTS, decode_on_event},
        .user = d,
        .message = decode_on_message,
        .started = decode_on_started,
    };
    struct replay_result result;
    if (input.is_program && !decode_assemble(d, &input)) {
        input_close(&input);
        return TOOL_UNUSABLE;
    }
    const enum replay_outcome outcome = input.data ? replay_memory(input.data, input.size, &options, &result)
                                                   : replay_file(d->file, &options, &result);
    input_close(&input);
    decode_finish(d);
    return (int)outcome;
}

/* ---- Options ---- */

enum { KEY_COLOUR = 256, FORCE, TOLERATE, BUDGET, DRAWS, NO_DRAWS, NO_SANDBOX };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0,
     "decode for this device (raw batches, kernels: skl; traces: the one they name)", 0},
    {"engine", 'e', "ENGINE", 0, "raw batches: the engine they are for (render); traces: only this one", 0},
    {"batch", 'b', NULL, 0, "FILE is a raw batch of little-endian dwords, not a trace", 0},
    {"eu", 'E', NULL, 0, "FILE is a kernel: instructions of the execution units", 0},
    {"address", 'a', "ADDRESS", 0, "graphics address of the raw batch (0)", 0},
    {"all", 'A', NULL, 0, "go on behind MI_BATCH_BUFFER_END", 0},
    {"headers", 'H', NULL, 0, "leave out the fields", 0},
    {"resolve", 'r', NULL, 0, "offsets from the bases of STATE_BASE_ADDRESS as addresses, too", 0},
    {"follow", 'f', NULL, 0,
     "traces: what commands point to, surfaces, samplers and other state, below each; resolves as -r does",
     0},
    {"kernels", 'k', NULL, 0,
     "traces: instructions of the kernels that commands point to, below each; follows as -f does", 0},
    {"json", 'j', NULL, 0, "one JSON object a line for each command", 0},
    {"asm", 's', NULL, 0, "as lines of a batch block of gts(5), which give the same dwords", 0},
    {"force", FORCE, NULL, 0, "run a trace on a device of another generation than it was recorded on", 0},
    {"tolerate", TOLERATE, "WHAT", 0,
     "let a trace have these without failing: short, dropped, misplaced commands, faults, separated by "
     "commas",
     0},
    {"budget", BUDGET, "DWORDS", 0,
     "traces: dwords one submission may take before it counts as looping (1048576)", 0},
    {"no-draws", NO_DRAWS, NULL, 0, "traces: count 3D draws, do not run them", 0},
    {"draws", DRAWS, NULL, 0,
     "traces: run all draws; else only those of programs and of recordings that ran them", 0},
    {"memory", 'm', "MB", 0, "traces: memory one may touch (8192)", 0},
    {"color", KEY_COLOUR, "WHEN", 0, "always, never or auto (on a terminal)", 0},
    {"no-sandbox", NO_SANDBOX, NULL, 0, "keep files, network and all system calls within reach", 0},
    {0},
};

static error_t decode_parse(int key, char *argument, struct argp_state *state)
{
    struct decode *d = state->input;
    char *end;
    switch (key) {
    case 'd':
        if (!sheet_named(argument) && !tool_device(argument))
            exit(TOOL_UNUSABLE);
        d->device = argument;
        return 0;
    case 'e':
        d->engine = argument;
        return 0;
    case 'b':
        d->batch = true;
        return 0;
    case 'E':
        d->eu = true;
        return 0;
    case 'a':
        d->address = strtoull(argument, &end, 0);
        if (!*argument || *end || *argument == '-' || d->address & 3)
            argp_error(state, "--address: '%s' is not a dword-aligned address", argument);
        d->has_address = true;
        return 0;
    case 'A':
        d->all = true;
        return 0;
    case 'H':
        d->headers_only = true;
        return 0;
    case 'r':
        d->resolve = true;
        return 0;
    case 'f':
        d->follow = d->resolve = true;
        return 0;
    case 'k':
        d->kernels = d->follow = d->resolve = true;
        return 0;
    case 'j':
        d->json = true;
        return 0;
    case 's':
        d->assembly = true;
        return 0;
    case FORCE:
        d->force = true;
        return 0;
    case TOLERATE:
        d->tolerate = tool_tolerate(state, argument);
        return 0;
    case BUDGET:
        d->budget = tool_count(state, "budget", argument, UINT64_C(1) << 40);
        return 0;
    case 'm':
        d->memory_limit = tool_count(state, "memory", argument, 1 << 20) << 20;
        return 0;
    case DRAWS:
    case NO_DRAWS:
        d->has_draws = true;
        d->draws = key == DRAWS ? REPLAY_DRAWS_ALWAYS : REPLAY_DRAWS_ARE_COUNTED;
        return 0;
    case KEY_COLOUR:
        d->has_colour = true;
        d->colour = strcmp(argument, "always") == 0 ? 1 : strcmp(argument, "never") == 0 ? 0 : -1;
        if (d->colour < 0 && strcmp(argument, "auto") != 0)
            argp_error(state, "--color takes always, never or auto");
        return 0;
    case NO_SANDBOX:
        tool_no_sandbox();
        return 0;
    case ARGP_KEY_ARG:
        if (d->file)
            argp_error(state, "one file at a time");
        d->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!d->file)
            argp_error(state, "which file?");
        if (d->eu &&
            (d->batch || d->engine || d->follow || d->headers_only || d->resolve || d->json || d->assembly ||
             d->has_colour || d->force || d->tolerate || d->budget || d->memory_limit || d->has_draws))
            argp_error(state, "--eu takes --device and no other option");
        if (d->follow && (d->batch || d->assembly))
            argp_error(state, "--follow is for traces, as a listing or JSON: there is memory to look at");
        if (!d->batch && (d->has_address || d->all))
            argp_error(state, "--%s does nothing without --batch", d->has_address ? "address" : "all");
        if (d->batch && (d->force || d->tolerate || d->budget || d->memory_limit || d->has_draws))
            argp_error(state, "--%s does nothing with --batch",
                       d->has_draws  ? d->draws == REPLAY_DRAWS_ALWAYS ? "draws" : "no-draws"
                       : d->force    ? "force"
                       : d->tolerate ? "tolerate"
                       : d->budget   ? "budget"
                                     : "memory");
        if (d->force && !d->device)
            argp_error(state, "--force does nothing without --device");
        if (d->json && d->assembly)
            argp_error(state, "--asm does nothing with --json");
        if (d->assembly && (d->headers_only || d->resolve))
            argp_error(state, "--%s does nothing with --asm", d->headers_only ? "headers" : "resolve");
        if (d->has_colour && (d->json || d->assembly))
            argp_error(state, "--color does nothing with --%s", d->json ? "json" : "asm");
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
               "engines "
               "parse them when it runs; or the instructions of a kernel."
               "\vExit status: 0 clean, 1 when a command was unknown or not done, an instruction illegal, or "
               "the "
               "trace failed, 2 for unusable input.",
    };
    struct decode d = {.colour = -1};
    tool_parse(&argp, argc, argv, &d);
    input_allow(d.file);
    if (!tool_sandbox(1))
        return TOOL_UNUSABLE;
    return d.eu ? decode_kernel(&d) : d.batch ? decode_batch(&d) : decode_trace(&d);
}
