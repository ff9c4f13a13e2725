/* softgt run: traces and programs on the model. */
#include "complaints.h"
#include "surfaces.h"
#include "tool.h"

#include "device/device.h"
#include "frontend/aub/replay.h"
#include "frontend/gts/gts.h"
#include "frontend/timeline.h"
#include "stream/dump.h"

#include <errno.h>
#include <unistd.h>

struct run {
    const char *device, *file;
    unsigned trace;
    struct timeline *timeline;
    struct surfaces *surfaces;
    struct surface_request *surface;
    const char *surface_file;
    bool pictures_failed;
    uint64_t memory_limit, budget, save_at;
    const char *save_file;
    uint8_t *loaded; /* a saved state, loaded_bytes long */
    size_t loaded_bytes;
    bool json, quiet, state, terminal, progress_shown;
    struct complaints complaints;
    struct json_object *errors, *report;
};

/* ---- Tracing ---- */

static const struct {
    const char *name;
    unsigned mask;
} trace_names[] = {
    {"commands", SOFTGT_TRACE_COMMANDS},
    {"registers", SOFTGT_TRACE_REGISTERS},
    {"memory", SOFTGT_TRACE_MEMORY},
    {"contexts", SOFTGT_TRACE_CONTEXTS},
    {"interrupts", SOFTGT_TRACE_INTERRUPTS},
    {"reads", SOFTGT_TRACE_READS},
    {"batches", SOFTGT_TRACE_BATCHES},
    {"blits", SOFTGT_TRACE_BLITS},
    {"complaints", SOFTGT_TRACE_COMPLAINTS},
    {"all", SOFTGT_TRACE_ALL},
    {NULL, 0},
};

static unsigned wanted_events(const struct run *run)
{
    return run->trace | (run->timeline ? TIMELINE_EVENTS : 0u) | (run->surfaces ? SURFACES_EVENTS : 0u);
}

static void on_event(void *user, const struct softgt_event *e)
{
    const struct run *run = user;
    FILE *to = run->json ? stderr : stdout;
    if (run->timeline)
        timeline_event(run->timeline, e);
    if (run->surfaces && e->what & SURFACES_EVENTS)
        surfaces_event(run->surfaces, e);
    if (!(e->what & run->trace))
        return;
    fprintf(to, "%12llu ns  %-9s ", (unsigned long long)e->now_ns, e->unit);
    switch (e->what) {
    case SOFTGT_TRACE_COMMANDS:
        fprintf(to, "command   %012llx  %08x  %s (%u dwords)\n", (unsigned long long)e->address, e->dwords[0],
                e->name, e->length_dw);
        break;
    case SOFTGT_TRACE_REGISTERS:
        fprintf(to, "register  %05llx %-28s %08llx -> %08llx\n", (unsigned long long)e->address, e->name,
                (unsigned long long)e->old_value, (unsigned long long)e->value);
        break;
    case SOFTGT_TRACE_READS:
        fprintf(to, "read      %05llx %-28s %08llx\n", (unsigned long long)e->address, e->name,
                (unsigned long long)e->value);
        break;
    case SOFTGT_TRACE_MEMORY:
        fprintf(to, "memory    %012llx  %u bytes  %llx\n", (unsigned long long)e->address, e->size_bytes,
                (unsigned long long)e->value);
        break;
    case SOFTGT_TRACE_BLITS:
        fprintf(to, "blit      %012llx  %d,%d to %d,%d, %u bits, pitch %d  %s\n",
                (unsigned long long)e->address, e->blit->x1, e->blit->y1, e->blit->x2, e->blit->y2,
                e->blit->bytes_per_pixel * 8u, e->blit->pitch_bytes, e->name);
        break;
    case SOFTGT_TRACE_BATCHES:
        fprintf(to, "%s at %08llx\n", e->name, (unsigned long long)e->address);
        break;
    case SOFTGT_TRACE_CONTEXTS:
        fprintf(to, "context   %s %08llx %08llx\n", e->name, (unsigned long long)e->address,
                (unsigned long long)e->value);
        break;
    default:
        fprintf(to, "interrupt %s %llx\n", e->name, (unsigned long long)e->value);
        break;
    }
}

/* ---- What is told ---- */

static void hide_progress(struct run *run)
{
    if (run->progress_shown)
        fputs("\r\033[K", stderr);
    run->progress_shown = false;
}

static void on_progress(void *user, uint64_t offset)
{
    struct run *run = user;
    fprintf(stderr, "\r%s: %llu MB", run->file, (unsigned long long)(offset >> 20));
    run->progress_shown = true;
}

static void on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct run *run = user;
    hide_progress(run);
    if (offset != REPLAY_NO_OFFSET)
        tool_error(run->file, "offset %#llx: %s%s", (unsigned long long)offset,
                   kind == REPLAY_NOTE ? "note: " : "", text);
    else
        tool_error(run->file, "%s%s", kind == REPLAY_NOTE ? "note: " : "", text);
    if (kind != REPLAY_ERROR || !run->errors)
        return;
    struct json_object *error = json_object_new_object();
    if (offset != REPLAY_NO_OFFSET)
        json_object_object_add(error, "offset", json_object_new_uint64(offset));
    json_object_object_add(error, "text", json_object_new_string(text));
    json_object_array_add(run->errors, error);
}

static void on_report(void *user, const struct softgt_report *report)
{
    struct run *run = user;
    complaints_add(&run->complaints, report);
}

static void add_count(struct json_object *to, const char *name, uint64_t count)
{
    struct json_object *old;
    if (json_object_object_get_ex(to, name, &old))
        count += json_object_get_uint64(old);
    json_object_object_add(to, name, json_object_new_uint64(count));
}

struct tally {
    struct json_object *commands, *not_modelled;
    unsigned kinds;
    uint64_t by_model[3];
};

static void on_command(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    struct tally *t = user;
    add_count(t->commands, name, count);
    if (model == SOFTGT_COMMAND_COUNTED)
        add_count(t->not_modelled, name, count);
    t->by_model[model] += count;
    t->kinds++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The same object with its keys in order, whatever engine met them first. */
static struct json_object *sorted(struct json_object *object)
{
    const size_t count = (size_t)json_object_object_length(object);
    const char **names = malloc((count + 1) * sizeof *names);
    struct json_object *result = json_object_new_object();
    size_t n = 0;
    struct json_object_iterator at = json_object_iter_begin(object), end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
        names[n++] = json_object_iter_peek_name(&at);
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++)
        json_object_object_add(result, names[i], json_object_get(json_object_object_get(object, names[i])));
    free(names);
    json_object_put(object);
    return result;
}

static void print_engine(const struct softgt_engine_status *s)
{
    static const char *const states[] = {"idle", "running", "waiting", "stopped"};
    printf("  %-6s %10s batches  %12s commands  %13s dwords  %8s switches  %6s waits  %8s interrupts  %9s "
           "stores  %s\n",
           s->name, tool_number(s->batches), tool_number(s->commands), tool_number(s->dwords),
           tool_number(s->context_switches), tool_number(s->waits), tool_number(s->interrupts),
           tool_number(s->memory_writes), states[s->state]);
    if (s->dropped || s->misplaced || s->faults || s->unknown)
        printf("         %s privileged dropped, %s of another engine, %s page faults, %s unknown\n",
               tool_number(s->dropped), tool_number(s->misplaced), tool_number(s->faults),
               tool_number(s->unknown));
}

static void print_names(const char *title, struct json_object *counts)
{
    if (!json_object_object_length(counts))
        return;
    printf("  %s:", title);
    unsigned column = 0;
    struct json_object_iterator at = json_object_iter_begin(counts), end = json_object_iter_end(counts);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at), column++)
        printf("%s %-40s %9s", column % 3 == 0 ? "\n   " : "", json_object_iter_peek_name(&at),
               tool_number(json_object_get_uint64(json_object_iter_peek_value(&at))));
    putchar('\n');
}

struct state_dump {
    struct dumper dumper;
    struct text text;
    enum engine_class class;
};

static void on_state(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    struct state_dump *d = user;
    size_t length;
    (void)name;
    dump_command(&d->dumper, &d->text, d->class, dwords, length_dw, 0, &length);
}

/* The state commands each engine ends with. */
static void print_state(const struct softgt *device)
{
    struct bases bases = {0};
    const struct dump_options options = {.no_address = true, .bases = &bases};
    struct state_dump d = {0};
    struct softgt_engine_status s;
    if (!dumper_create(&d.dumper, softgt_command_set(device), &options))
        return;
    for (unsigned i = 0; softgt_engine_status(device, i, &s); i++) {
        d.class = device->engines[i].info->class;
        bases = (struct bases){.constants_absolute =
                                   engine_register(&device->engines[i], INSTPM) & INSTPM_CONSTANTS_ABSOLUTE};
        d.text.length = 0;
        softgt_engine_state_commands(device, i, &d, on_state);
        if (d.text.length)
            printf("  state of %s:\n%.*s", s.name, (int)d.text.length, d.text.bytes);
    }
    text_free(&d.text);
    dumper_destroy(&d.dumper);
}

static void finish_report(struct run *run)
{
    struct json_object *complaints = json_object_new_array();
    for (unsigned i = 0; i < run->complaints.count; i++) {
        const struct complaint *c = &run->complaints.list[i];
        struct json_object *o = json_object_new_object();
        json_object_object_add(o, "kind", json_object_new_string(complaint_names[c->kind]));
        json_object_object_add(o, "unit", json_object_new_string(c->unit));
        json_object_object_add(o, "text", json_object_new_string(c->text));
        json_object_object_add(o, "count", json_object_new_uint64(c->count));
        json_object_array_add(complaints, o);
        if (!run->json && !run->quiet && i < 16)
            complaint_print(stdout, c);
    }
    const uint64_t beyond =
        run->complaints.beyond + (run->complaints.count > 16 ? run->complaints.count - 16 : 0);
    if (!run->json && !run->quiet && beyond)
        printf("  ... and %s more complaints (--json has them)\n", tool_number(beyond));
    json_object_object_add(run->report, "complaints", complaints);
    json_object_object_add(run->report, "errors", run->errors);
    if (run->json)
        tool_print_json(run->report, true);
    else
        json_object_put(run->report);
}

static void begin_report(struct run *run)
{
    run->complaints.count = 0;
    run->complaints.beyond = 0;
    run->report = json_object_new_object();
    run->errors = json_object_new_array();
    json_object_object_add(run->report, "trace", json_object_new_string(run->file));
}

/* A program has a report for each device that it names. */
static void on_started(void *user, struct softgt *device)
{
    struct run *run = user;
    if (json_object_object_get(run->report, "device")) {
        finish_report(run);
        begin_report(run);
    }
    if (run->surfaces)
        surfaces_device(run->surfaces, device);
}

static bool on_trace_started(void *user, struct softgt *device)
{
    on_started(user, device);
    return true;
}

static void save_pictures(struct run *run, struct softgt *device)
{
    if (run->surfaces && !surfaces_finish(run->surfaces, device, run->file))
        run->pictures_failed = true;
    if (run->surface && !surface_save(run->surface, device, run->surface_file))
        run->pictures_failed = true;
}

/* The device when all has run: totals into the report, tables for people. */
static void on_finished(void *user, struct softgt *device)
{
    struct run *run = user;
    hide_progress(run);
    save_pictures(run, device);
    struct tally t = {.commands = json_object_new_object(), .not_modelled = json_object_new_object()};
    struct json_object *unknown = json_object_new_object(), *engines = json_object_new_object();
    struct softgt_engine_status s, all = {0};
    const struct softgt_device_info *info = softgt_info(device);
    if (!run->json)
        printf("%s: %s\n", run->file, info->summary);
    for (unsigned i = 0; softgt_engine_status(device, i, &s); i++) {
        softgt_engine_commands(device, i, &t, on_command);
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
        if (s.unknown) {
            char header[16];
            snprintf(header, sizeof header, "%08x", s.header);
            add_count(unknown, header, s.unknown);
        }
        if (!s.commands && !s.context_switches)
            continue;
        struct json_object *e = json_object_new_object();
        json_object_object_add(e, "batches", json_object_new_uint64(s.batches));
        json_object_object_add(e, "commands", json_object_new_uint64(s.commands));
        json_object_object_add(e, "dwords", json_object_new_uint64(s.dwords));
        json_object_object_add(engines, s.name, e);
        if (!run->json)
            print_engine(&s);
    }
    t.commands = sorted(t.commands);
    t.not_modelled = sorted(t.not_modelled);
    if (!run->json) {
        print_names("commands", t.commands);
        print_names("known, work not modelled", t.not_modelled);
        print_names("unknown headers", unknown);
        if (run->state)
            print_state(device);
    }
    struct json_object *r = run->report;
    json_object_object_add(r, "device", json_object_new_string(info->name));
    json_object_object_add(r, "batches", json_object_new_uint64(all.batches));
    json_object_object_add(r, "commands", t.commands);
    json_object_object_add(r, "dwords", json_object_new_uint64(all.dwords));
    json_object_object_add(r, "unknown", unknown);
    json_object_object_add(r, "not_modelled", t.not_modelled);
    json_object_object_add(r, "interrupts", json_object_new_uint64(all.interrupts));
    json_object_object_add(r, "context_switches", json_object_new_uint64(all.context_switches));
    json_object_object_add(r, "memory_writes", json_object_new_uint64(all.memory_writes));
    json_object_object_add(r, "bytes_written", json_object_new_uint64(all.bytes_written));
    json_object_object_add(r, "waits", json_object_new_uint64(all.waits));
    json_object_object_add(r, "page_faults", json_object_new_uint64(all.faults));
    json_object_object_add(r, "privileged_dropped", json_object_new_uint64(all.dropped));
    json_object_object_add(r, "misplaced", json_object_new_uint64(all.misplaced));
    json_object_object_add(r, "messages", json_object_new_uint64(softgt_interrupt_count(device)));
    json_object_object_add(r, "virtual_time_ns", json_object_new_uint64(softgt_now_ns(device)));
    json_object_object_add(r, "engines", engines);
}

/* ---- Saved states ---- */

static bool save_state(void *user, const void *data, size_t size_bytes)
{
    struct run *run = user;
    FILE *file = fopen(run->save_file, "wb");
    bool good = file && fwrite(data, 1, size_bytes, file) == size_bytes;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        tool_error(run->save_file, "%s", strerror(errno));
    return good;
}

static bool load_state(struct run *run, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, part = 1;
    while (file && part && !ferror(file)) {
        if (run->loaded_bytes == room) {
            uint8_t *more = realloc(run->loaded, room += room + (1 << 20));
            if (!more)
                break;
            run->loaded = more;
        }
        part = fread(run->loaded + run->loaded_bytes, 1, room - run->loaded_bytes, file);
        run->loaded_bytes += part;
    }
    const bool good = file && !part && !ferror(file);
    if (!good)
        tool_error(path, "%s", strerror(errno));
    if (file)
        fclose(file);
    return good;
}

/* ---- One file ---- */

static int run_trace(struct run *run)
{
    const struct replay_options options = {
        .device = run->device,
        .memory_limit_bytes = run->memory_limit,
        .budget_dw = run->budget,
        .trace = {run, wanted_events(run), on_event},
        .report = {run, on_report},
        .save_at_dw = run->save_at,
        .save = run->save_at ? save_state : NULL,
        .load = run->loaded,
        .load_bytes = run->loaded_bytes,
        .user = run,
        .message = on_message,
        .progress = run->terminal ? on_progress : NULL,
        .started = on_trace_started,
        .finished = on_finished,
    };
    struct replay_result result;
    const enum replay_outcome outcome = replay_file(run->file, &options, &result);
    hide_progress(run);
    struct json_object *r = run->report;
    json_object_object_add(r, "application", json_object_new_string(result.application));
    json_object_object_add(r, "compares", json_object_new_uint64(result.compares));
    json_object_object_add(r, "compares_failed", json_object_new_uint64(result.compares_failed));
    json_object_object_add(r, "polls", json_object_new_uint64(result.polls));
    json_object_object_add(r, "polls_failed", json_object_new_uint64(result.polls_failed));
    if (!run->json && outcome != REPLAY_UNUSABLE)
        printf("  compares: %s of %s failed; polls: %s of %s failed; %s MB of memory\n",
               tool_number(result.compares_failed), tool_number(result.compares),
               tool_number(result.polls_failed), tool_number(result.polls),
               tool_number(result.memory_bytes >> 20));
    return (int)outcome;
}

static void on_gts_message(void *user, const struct gts_message *m)
{
    struct run *run = user;
    static const char *const kinds[] = {"", "note: ", "error: ", "failed: "};
    if (m->kind == GTS_OUTPUT) {
        fprintf(run->json ? stderr : stdout, "%s\n", m->text);
        return;
    }
    fflush(stdout);
    fputs(m->file, stderr);
    if (m->line)
        fprintf(stderr, ":%u:%u", m->line, m->column);
    fprintf(stderr, m->device ? ": %s%s (%s)\n" : ": %s%s\n", kinds[m->kind], m->text, m->device);
    if (m->kind < GTS_ERROR)
        return;
    struct json_object *error = json_object_new_object();
    json_object_object_add(error, "line", json_object_new_uint64(m->line));
    json_object_object_add(error, "text", json_object_new_string(m->text));
    json_object_array_add(run->errors, error);
}

/* How many expectations of a program held. */
static void on_ended(void *user, const struct gts_outcome *outcome)
{
    struct run *run = user;
    json_object_object_add(run->report, "expectations", json_object_new_uint64(outcome->expected));
    json_object_object_add(run->report, "expectations_held", json_object_new_uint64(outcome->held));
    if (run->json || !outcome->expected)
        return;
    if (outcome->held == outcome->expected)
        printf("  %s expectation%s held\n", tool_number(outcome->held), outcome->held == 1 ? "" : "s");
    else
        printf("  %s of %s expectations held\n", tool_number(outcome->held), tool_number(outcome->expected));
}

static int run_program(struct run *run)
{
    if (run->save_at || run->loaded) {
        tool_error(run->file, "states are saved and loaded in traces (softgt asm makes one of a program)");
        return TOOL_UNUSABLE;
    }
    const struct gts_options options = {
        .device = run->device,
        .first_device = run->surface || run->surfaces, /* pictures are of one run */
        .memory_limit = run->memory_limit,
        .trace = {run, wanted_events(run), on_event},
        .report = {run, on_report},
        .user = run,
        .message = on_gts_message,
        .started = on_started,
        .finished = on_finished,
        .ended = on_ended,
    };
    return (int)gts_run_file(run->file, &options);
}

static int run_file(struct run *run)
{
    begin_report(run);
    const int status = tool_ends_with(run->file, ".gts") ? run_program(run) : run_trace(run);
    finish_report(run);
    return status;
}

/* ---- Options ---- */

enum { SAVE = 1000 };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "run on this device, not on those that the trace or program names", 0},
    {"trace", 't', "WHAT", 0,
     "print events as they happen: commands, registers, memory, contexts, interrupts, reads, batches, blits "
     "or "
     "all, separated by commas",
     0},
    {"surface", 'u', "ADDRESS,WIDTHxHEIGHT,FORMAT,TILING[,PITCH]", 0,
     "write what lies there at the end as a PNG picture; ADDRESS may begin with an engine's name or ggtt and "
     "a "
     "colon, TILING is linear, x, y, yf or ys, PITCH is in bytes",
     0},
    {"output", 'o', "FILE", 0, "where to; surface.png without it (without --surface: the file of --save-at)",
     0},
    {"surfaces", 'U', "DIR", 0,
     "write every surface that blits drew on as a picture, and a page that shows them", 0},
    {"timeline", 'T', "FILE", 0, "write a timeline that the Perfetto UI opens", 0},
    {"json", 'j', NULL, 0, "print one JSON object for each trace", 0},
    {"state", 's', NULL, 0, "print the state commands that each engine ends with, with their fields", 0},
    {"quiet", 'q', NULL, 0, "leave out the device's complaints", 0},
    {"budget", 'b', "DWORDS", 0, "dwords one submission may take before it counts as looping (268435456)", 0},
    {"save-at", 'S', "DWORDS", 0,
     "save the state of everything when so many dwords of commands were parsed, and go on", 0},
    {"save", SAVE, "FILE", 0, "where to; softgt.state without it", 0},
    {"load", 'l', "FILE", 0, "go on from such a state, with the same trace", 0},
    {"memory", 'm', "MB", 0, "memory a trace may touch (8192)", 0},
    {0},
};

struct arguments {
    struct run run;
    char **files;
    int file_count;
    const char *timeline, *output, *folder;
    struct surface_request surface;
    bool has_surface;
};

static uint64_t number(struct argp_state *state, const char *text, uint64_t most)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 0);
    if (!*text || *end || *text == '-' || value == 0 || value > most)
        argp_error(state, "'%s' is not a number from 1 to %llu", text, (unsigned long long)most);
    return value;
}

static unsigned trace_mask(struct argp_state *state, char *text)
{
    unsigned mask = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        unsigned found = 0;
        for (unsigned i = 0; trace_names[i].name; i++)
            if (strcmp(word, trace_names[i].name) == 0)
                found = trace_names[i].mask;
        if (!found)
            argp_error(state,
                       "--trace: '%s' is none of commands, registers, memory, contexts, interrupts, reads, "
                       "batches, blits, complaints, all",
                       word);
        mask |= found;
    }
    return mask;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'd':
        if (!tool_device(argument))
            exit(TOOL_UNUSABLE);
        a->run.device = argument;
        return 0;
    case 't':
        a->run.trace = trace_mask(state, argument);
        return 0;
    case 'j':
        a->run.json = true;
        return 0;
    case 's':
        a->run.state = true;
        return 0;
    case 'q':
        a->run.quiet = true;
        return 0;
    case 'T':
        a->timeline = argument;
        return 0;
    case 'b':
        a->run.budget = number(state, argument, UINT64_C(1) << 40);
        return 0;
    case 'S':
        a->run.save_at = number(state, argument, UINT64_MAX);
        return 0;
    case SAVE:
        a->run.save_file = argument;
        return 0;
    case 'o':
        a->output = argument;
        return 0;
    case 'u': {
        char why[2048] = "";
        if (!surface_parse(argument, &a->surface, why, sizeof why))
            argp_error(state, "--surface %s: %s", argument, why);
        a->has_surface = true;
        return 0;
    }
    case 'U':
        a->folder = argument;
        return 0;
    case 'l':
        if (!load_state(&a->run, argument))
            exit(TOOL_UNUSABLE);
        return 0;
    case 'm':
        a->run.memory_limit = number(state, argument, 1 << 20) << 20;
        return 0;
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->file_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which trace?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_run(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "TRACE...",
        .doc = "Executes AUB traces (also .xz, .gz, .zst) and .gts programs on the model and shows what "
               "happened."
               "\vExit status: 0 clean, 1 when something in a trace failed or was unknown, 2 for unusable "
               "input.",
    };
    struct arguments a = {.run = {.terminal = isatty(STDERR_FILENO) == 1, .save_file = "softgt.state"}};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    int worst = TOOL_CLEAN;
    if ((a.has_surface || a.folder) && a.file_count > 1) {
        tool_error("run", "pictures are of one trace at a time");
        return TOOL_UNUSABLE;
    }
    if (a.has_surface) {
        a.run.surface = &a.surface;
        a.run.surface_file = a.output ? a.output : "surface.png";
    } else if (a.output) {
        a.run.save_file = a.output;
    }
    if (a.folder && !(a.run.surfaces = surfaces_open(a.folder)))
        return TOOL_UNUSABLE;
    if (a.timeline &&
        !(a.run.timeline = timeline_open(a.timeline, "run", a.run.trace & SOFTGT_TRACE_COMMANDS))) {
        tool_error(a.timeline, "%s", strerror(errno));
        return TOOL_UNUSABLE;
    }
    for (int i = 0; i < a.file_count; i++) {
        a.run.file = a.files[i];
        const int status = run_file(&a.run);
        worst = status > worst ? status : worst;
    }
    if (!timeline_close(a.run.timeline)) {
        tool_error(a.timeline, "%s", strerror(errno));
        worst = TOOL_UNUSABLE;
    }
    surfaces_close(a.run.surfaces);
    free(a.run.loaded);
    return a.run.pictures_failed ? TOOL_UNUSABLE : worst;
}
