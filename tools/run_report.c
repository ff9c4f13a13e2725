/* softgt run: the report at the end, as tables or as one JSON object. */
#include "json_errors.h"
#include "run.h"

#include "device/host.h"
#include "host/engine_report.h"
#include "host/state_dump.h"

enum { SHOWN_COMPLAINTS = 16, COLUMNS = 80 };

static void add_number(struct json_object *o, const char *key, uint64_t value)
{
    json_add(o, key, json_uint64(value));
}

static void add_count(struct json_object *to, const char *name, uint64_t count)
{
    struct json_object *old;
    if (json_object_object_get_ex(to, name, &old))
        count += json_object_get_uint64(old);
    add_number(to, name, count);
}

/* ---- Counts by name ---- */

struct tally {
    struct json_object *commands, *not_modelled, *unknown;
    const char *unit;
};

static void on_command(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    struct tally *t = user;
    add_count(t->commands, name, count);
    if (model == SOFTGT_COMMAND_COUNTED)
        add_count(t->not_modelled, name, count);
}

/* Unknown headers: count, and place of the first. */
static void on_unknown(void *user, uint32_t header, uint64_t count, uint64_t address)
{
    struct tally *t = user;
    struct json_object *o;
    char name[16];
    snprintf(name, sizeof name, "%08x", header);
    if (!json_object_object_get_ex(t->unknown, name, &o)) {
        o = json_empty();
        add_number(o, "count", 0);
        json_add(o, "engine", json_string(t->unit));
        json_add(o, "address", json_hex(address));
        json_add(t->unknown, name, o);
    }
    add_count(o, "count", count);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the keys of an object. */
static struct json_object *sorted(struct json_object *object)
{
    const size_t count = (size_t)json_object_object_length(object);
    const char **names = malloc((count + 1) * sizeof *names);
    struct json_object *result = json_empty();
    if (!names)
        tool_no_memory();
    size_t n = 0;
    struct json_object_iterator at = json_object_iter_begin(object), end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
        names[n++] = json_object_iter_peek_name(&at);
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++)
        json_add(result, names[i], json_object_get(json_object_object_get(object, names[i])));
    free(names);
    json_object_put(object);
    return result;
}

/* Prints names in columns. */
static void print_names(const char *title, struct json_object *counts)
{
    struct json_object_iterator at = json_object_iter_begin(counts), end = json_object_iter_end(counts);
    int longest = 1, digits = 1;
    if (!json_object_object_length(counts))
        return;
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const int name = (int)strlen(json_object_iter_peek_name(&at)),
                  number = (int)strlen(tool_number(json_object_get_uint64(json_object_iter_peek_value(&at))));
        longest = name > longest ? name : longest;
        digits = number > digits ? number : digits;
    }
    const int width = longest + digits + 3, columns = (COLUMNS - 2) / width ? (COLUMNS - 2) / width : 1;
    int column = 0;
    printf("  %s:", title);
    for (at = json_object_iter_begin(counts); !json_object_iter_equal(&at, &end);
         json_object_iter_next(&at), column++)
        printf("%s  %-*s %*s", column % columns == 0 ? "\n  " : "", longest, json_object_iter_peek_name(&at),
               digits, tool_number(json_object_get_uint64(json_object_iter_peek_value(&at))));
    putchar('\n');
}

static void print_unknown(struct json_object *unknown)
{
    struct json_object_iterator at = json_object_iter_begin(unknown), end = json_object_iter_end(unknown);
    if (json_object_object_length(unknown))
        printf("  unknown headers:\n");
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        struct json_object *o = json_object_iter_peek_value(&at);
        printf("    %s %9s, first on %s at %s\n", json_object_iter_peek_name(&at),
               tool_number(json_object_get_uint64(json_object_object_get(o, "count"))),
               json_object_get_string(json_object_object_get(o, "engine")),
               json_object_get_string(json_object_object_get(o, "address")));
    }
}

/* ---- Engines ---- */

/* The report of the page fault at which the engine stopped, which has the address that was not mapped; NULL:
 * none. */
static const struct complaint *stop_fault(const struct run *run, const struct softgt_engine_status *s)
{
    const size_t length = strlen(s->why);
    for (unsigned i = run->complaints.count; s->state == SOFTGT_ENGINE_STOPPED && i--;) {
        const struct complaint *const c = &run->complaints.list[i];
        if (c->address == s->acthd && strcmp(c->unit, s->name) == 0 &&
            strncmp(c->text, s->why, length) == 0 && c->text[length] == ':')
            return c;
    }
    return NULL;
}

/* The command, batch, context and ring at which an engine stands; only an address where memory has no
 * command. */
static void put_place(struct text *t, const struct run *run, struct softgt *device, unsigned engine,
                      const struct softgt_engine_status *s)
{
    struct device_engine_view v;
    uint32_t dw[1], length_dw;
    device_engine_view(device, engine, &v);
    if (!device_current_command(device, engine, dw, 1, &length_dw) || dw[0] != v.header) {
        text_format(t, "0x%llx", (unsigned long long)s->acthd);
        return;
    }
    engine_report_place(t, device, engine, position_tracker_engine(&run->position_tracker, s->name));
    if (v.level_count > 1 && v.levels[0].kind == STREAM_RING)
        text_format(t, ", ring 0x%llx", (unsigned long long)v.levels[0].address);
}

/* Why an engine waits or stopped, and where. */
static void print_stand(const struct run *run, struct softgt *device, unsigned engine,
                        const struct softgt_engine_status *s)
{
    const struct complaint *const fault = stop_fault(run, s);
    struct text text = {0};
    if (!s->why[0])
        return;
    if (s->state == SOFTGT_ENGINE_WAITING)
        engine_report_wait(&text, device, engine);
    else
        text_string(&text, fault ? fault->text : s->why);
    text_format(&text, "\n                 Command: ");
    put_place(&text, run, device, engine, s);
    if (text.failed)
        tool_no_memory();
    printf("                 %.*s\n", (int)text.length, text.bytes);
    text_free(&text);
}

/* Work that was submitted and never ends is no failure of a trace: it is said. The text has it below its
 * engine. */
static void note_wait(const struct run *run, struct softgt *device, unsigned engine,
                      const struct softgt_engine_status *s)
{
    struct text text = {0};
    if (s->state != SOFTGT_ENGINE_WAITING)
        return;
    put_place(&text, run, device, engine, s);
    text_string(&text, ". ");
    engine_report_wait(&text, device, engine);
    if (text.failed)
        tool_no_memory();
    tool_error(run->file, "note: %s still waits at the end, at %.*s", s->name, (int)text.length, text.bytes);
    text_free(&text);
}

static void print_engine(const struct softgt_engine_status *s)
{
    const struct {
        uint64_t count;
        const char *text;
    } more[] = {
        {s->context_switches, "switches"},
        {s->waits, "waits"},
        {s->interrupts, "interrupts"},
        {s->memory_writes, "stores"},
        {s->threads, "threads"},
        {s->invocations, "invocations"},
        {s->faults, "page faults"},
        {s->out_of_bounds, "out of bounds"},
        {s->unknown, "unknown"},
        {s->too_short, "too short"},
        {s->dropped, "privileged dropped"},
        {s->misplaced, "of another engine"},
        {s->skipped, "predicated or disabled"},
    };
    printf("  %-6s %-7s %s batches, %s commands, %s dwords\n", s->name, softgt_engine_state_name(s->state),
           tool_number(s->batches), tool_number(s->commands), tool_number(s->dwords));
    int column = 0;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        char text[64];
        if (!more[i].count)
            continue;
        const int length = snprintf(text, sizeof text, "%s %s", tool_number(more[i].count), more[i].text);
        if (column && column + length + 2 > COLUMNS) {
            printf(",\n");
            column = 0;
        }
        column += column ? printf(", %s", text) : printf("                 %s", text);
    }
    if (column)
        putchar('\n');
}

static struct json_object *engine_object(const struct run *run, struct softgt *device, unsigned engine,
                                         const struct softgt_engine_status *s)
{
    const struct complaint *const fault = stop_fault(run, s);
    const struct engine_wait_place at = engine_wait_place(device, engine);
    struct json_object *e = json_empty();
    json_add(e, "class", json_string(softgt_engine_class_name(s->engine_class)));
    json_add(e, "state", json_string(softgt_engine_state_name(s->state)));
    json_add(e, "why", json_string(s->why));
    if (fault)
        json_add(e, "fault", json_string(fault->text));
    if (at.has_address) {
        json_add(e, "wait_space", json_string(at.is_register ? "register" : at.is_ggtt ? "ggtt" : "ppgtt"));
        json_add(e, "wait_address", json_hex(at.address));
    }
    json_add(e, "acthd", json_hex(s->acthd));
    add_number(e, "header", s->header);
    if (s->wait.comparison) {
        add_number(e, "found", s->wait.found);
        json_add(e, "comparison", json_string(s->wait.comparison));
        add_number(e, "wanted", s->wait.waited_for);
    }
    add_number(e, "batches", s->batches);
    add_number(e, "commands", s->commands);
    add_number(e, "dwords", s->dwords);
    add_number(e, "context_switches", s->context_switches);
    add_number(e, "waits", s->waits);
    add_number(e, "interrupts", s->interrupts);
    add_number(e, "memory_writes", s->memory_writes);
    add_number(e, "page_faults", s->faults);
    add_number(e, "unknown", s->unknown);
    add_number(e, "too_short", s->too_short);
    add_number(e, "privileged_dropped", s->dropped);
    add_number(e, "misplaced", s->misplaced);
    add_number(e, "skipped", s->skipped);
    add_number(e, "thread_groups", s->thread_groups);
    add_number(e, "threads", s->threads);
    add_number(e, "invocations", s->invocations);
    add_number(e, "instructions", s->instructions);
    add_number(e, "out_of_bounds", s->out_of_bounds);
    return e;
}

/* Prints the final state commands of each engine. */
static void print_state(struct softgt *device)
{
    struct bases bases = {0};
    const struct dump_options options = {.no_address = true, .bases = &bases};
    struct dumper dumper;
    struct text text = {0};
    struct softgt_engine_status s;
    if (!dumper_create(&dumper, softgt_command_set(device), &options))
        tool_no_memory();
    for (unsigned i = 0; softgt_engine_get_status(device, i, &s); i++) {
        text.length = 0;
        state_dump_bases(device, i, &bases);
        state_dump(&text, device, i, &dumper, NULL, NULL);
        if (text.failed)
            tool_no_memory();
        if (text.length)
            printf("  state of %s:\n%.*s", s.name, (int)text.length, text.bytes);
    }
    text_free(&text);
    dumper_destroy(&dumper);
}

/* ---- All ---- */

void run_begin_report(struct run *run)
{
    run->complaints.count = 0;
    run->complaints.dropped = 0;
    fail_on_reset(&run->fail_on);
    run->report = json_report("softgt.run");
    run->errors = json_array();
    run->output = NULL;
    json_add(run->report, "trace", json_text(run->file));
}

void run_report_device(struct run *run, struct softgt *device)
{
    struct tally t = {.commands = json_empty(), .not_modelled = json_empty(), .unknown = json_empty()};
    struct json_object *engines = json_empty();
    struct softgt_engine_status s, all = {0};
    const struct softgt_device_info *info = softgt_info(device);
    if (!run->options.json)
        printf("%s: %s\n", run->file, info->summary);
    fail_on_device(&run->fail_on, device);
    for (unsigned i = 0; device_engine_full_status(device, i, &s); i++) {
        t.unit = s.name;
        device_engine_all_commands(device, i, &t, on_command);
        device_engine_all_unknown(device, i, &t, on_unknown);
        all.batches += s.batches;
        all.dwords += s.dwords;
        all.context_switches += s.context_switches;
        all.interrupts += s.interrupts;
        all.memory_writes += s.memory_writes;
        all.bytes_written += s.bytes_written;
        all.waits += s.waits;
        all.faults += s.faults;
        all.dropped += s.dropped;
        all.misplaced += s.misplaced;
        all.too_short += s.too_short;
        all.skipped += s.skipped;
        all.thread_groups += s.thread_groups;
        all.threads += s.threads;
        all.invocations += s.invocations;
        all.instructions += s.instructions;
        all.out_of_bounds += s.out_of_bounds;
        if (!s.commands && !s.context_switches && !s.unknown)
            continue;
        json_add(engines, s.name, engine_object(run, device, i, &s));
        if (run->options.json) {
            note_wait(run, device, i, &s);
            continue;
        }
        print_engine(&s);
        print_stand(run, device, i, &s);
    }
    t.commands = sorted(t.commands);
    t.not_modelled = sorted(t.not_modelled);
    t.unknown = sorted(t.unknown);
    if (!run->options.json) {
        print_names("commands", t.commands);
        const bool draws = run->result ? run->result->draws : run->options.draws != REPLAY_DRAWS_ARE_COUNTED;
        print_names(draws ? "known, work not modelled" : "known, counted (draws are not run)",
                    t.not_modelled);
        print_unknown(t.unknown);
        if (run->options.print_state)
            print_state(device);
    }
    struct json_object *r = run->report;
    json_add(r, "device", json_string(info->name));
    add_number(r, "batches", all.batches);
    json_add(r, "commands", t.commands);
    add_number(r, "dwords", all.dwords);
    json_add(r, "unknown", t.unknown);
    json_add(r, "not_modelled", t.not_modelled);
    add_number(r, "interrupts", all.interrupts);
    add_number(r, "context_switches", all.context_switches);
    add_number(r, "memory_writes", all.memory_writes);
    add_number(r, "bytes_written", all.bytes_written);
    add_number(r, "waits", all.waits);
    add_number(r, "page_faults", all.faults);
    add_number(r, "privileged_dropped", all.dropped);
    add_number(r, "misplaced", all.misplaced);
    add_number(r, "too_short", all.too_short);
    add_number(r, "skipped", all.skipped);
    add_number(r, "thread_groups", all.thread_groups);
    add_number(r, "threads", all.threads);
    add_number(r, "invocations", all.invocations);
    add_number(r, "instructions", all.instructions);
    add_number(r, "out_of_bounds", all.out_of_bounds);
    add_number(r, "messages", softgt_interrupt_count(device));
    add_number(r, "virtual_time_ns", softgt_now_ns(device));
    json_add(r, "engines", engines);
}

static struct json_object *complaint_object(const struct complaint *c)
{
    struct json_object *o = json_empty();
    json_add(o, "kind", json_string(complaint_names[c->kind]));
    json_add(o, "unit", json_string(c->unit));
    json_add(o, "text", json_text(c->text));
    add_number(o, "count", c->count);
    json_add(o, "address", json_hex(c->address));
    add_number(o, "time_ns", c->now_ns);
    if (c->batch)
        add_number(o, "batch", c->batch);
    if (c->has_context)
        json_add(o, "context", json_hex(c->context));
    if (c->has_offset) {
        add_number(o, "file_offset", c->offset);
        add_number(o, "submission", c->submission);
    }
    return o;
}

/* The complaint is already reported as a failure of the program. */
static bool is_reported(const struct run *run, const struct complaint *c)
{
    for (size_t i = 0; !run->position_tracker.is_trace && i < json_object_array_length(run->errors); i++) {
        struct json_object *const text =
            json_object_object_get(json_object_array_get_idx(run->errors, i), "text");
        if (strstr(json_object_get_string(text), c->text))
            return true;
    }
    return false;
}

/* A program has a report for each device. */
static int check_fail_on(const struct run *run, int status)
{
    struct json_object *const device = json_object_object_get(run->report, "device");
    char name[4096];
    snprintf(name, sizeof name, "%s on %s", run->file, device ? json_object_get_string(device) : "");
    return fail_on_status(&run->fail_on, device && !run->position_tracker.is_trace ? name : run->file,
                          status);
}

int run_finish_report(struct run *run, int status)
{
    static const char *const results[] = {[TOOL_CLEAN] = "pass",
                                          [TOOL_FAILED] = "fail",
                                          [TOOL_UNUSABLE] = "unusable",
                                          [TOOL_FAILED_ON] = "fail"};
    struct json_object *complaints = json_array();
    for (unsigned i = 0; i < run->complaints.count; i++) {
        const struct complaint *c = &run->complaints.list[i];
        json_append(complaints, complaint_object(c));
        if (!run->options.json && !run->options.quiet && i < SHOWN_COMPLAINTS && !is_reported(run, c))
            complaint_print(stdout, c);
    }
    const uint64_t beyond =
        run->complaints.dropped +
        (run->complaints.count > SHOWN_COMPLAINTS ? run->complaints.count - SHOWN_COMPLAINTS : 0);
    if (!run->options.json && !run->options.quiet && beyond)
        printf("  ... and %s more complaints (--json has them)\n", tool_number(beyond));
    fail_on_end(&run->fail_on);
    status = check_fail_on(run, status);
    json_add(run->report, "result", json_string(results[status]));
    add_number(run->report, "exit_status", (uint64_t)status);
    json_add(run->report, "failed_on", fail_on_json(&run->fail_on));
    if (run->output)
        json_add(run->report, "output", run->output);
    json_add(run->report, "complaints", complaints);
    json_add(run->report, "errors", run->errors);
    if (run->options.json) {
        json_print(run->report);
        json_errors_forget();
    } else {
        json_object_put(run->report);
    }
    return status;
}
