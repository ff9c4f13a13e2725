/* softgt diff: runs two traces or programs, and says where they differ first and how they differ at the end.
 */
#include "fail_on.h"
#include "input.h"
#include "tool.h"

#include "diff/diff.h"

#include "aub/aub.h"
#include "aub/replay.h"
#include "device/host.h"
#include "host/event_text.h"

enum { MOST_DW = 1 << 27 /* of commands that are kept of a run */ };

struct diff_side {
    const char *file;
    struct input input;
    bool is_program;
    struct diff_recording recording;
    struct replay_position position;
    struct replay_result result;
    enum replay_outcome outcome;
    bool finished;
};

struct diff_tool {
    const char *files[2], *device;
    bool json, force, has_draws;
    enum replay_draws draws;
    uint64_t budget, memory_limit;
    struct diff_side sides[2];
    struct diff_result *result;
    struct fail_on fail_on;
};

static struct diff_tool tool = {.fail_on.words = FAIL_ON_DIFF};

/* ---- Runs ---- */

static void diff_on_event(void *user, const struct softgt_event *e)
{
    struct diff_side *const s = user;
    diff_record(&s->recording, e, s->position.submission, s->position.offset);
}

static void diff_on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    const struct diff_side *const s = user;
    if (offset != REPLAY_NO_OFFSET)
        tool_error(s->file, "offset %#llx: %s%s", (unsigned long long)offset,
                   kind == REPLAY_NOTE ? "note: " : "", text);
    else
        tool_error(s->file, "%s%s", kind == REPLAY_NOTE ? "note: " : "", text);
}

/* Each page that a packet wrote, by its physical address. */
static void diff_on_written(void *user, uint64_t offset, const struct aub_memory *m)
{
    struct diff_side *const s = user;
    uint32_t part;
    for (uint32_t done = 0; done < m->size_bytes; done += part) {
        const uint64_t address = m->address + done;
        const uint32_t left = PAGE_BYTES - (uint32_t)(address % PAGE_BYTES);
        uint64_t physical = m->space == AUB_LOCAL ? address | MEMORY_LOCAL : address;
        struct device_walk walk;
        part = m->size_bytes - done < left ? m->size_bytes - done : left;
        if (m->space == AUB_GGTT || m->space == AUB_GGTT_NON_APERTURE) {
            if (!device_walk(s->recording.device, -1, address, &walk))
                continue;
            physical = walk.translation.physical;
        }
        diff_record_write(&s->recording, physical, m->data + done, part, offset);
    }
}

static void diff_on_report(void *user, const struct softgt_report *report)
{
    (void)user;
    fail_on_report(&tool.fail_on, report);
}

static bool diff_on_started(void *user, struct softgt *device)
{
    struct diff_side *const s = user;
    s->recording.sheet = device_sheet(device);
    s->recording.device = device;
    s->recording.most_dw = MOST_DW;
    return true;
}

static void run_side(struct diff_side *s);

/* Both devices are there when the second run ends: it runs at the end of the first. */
static void diff_on_finished(void *user, struct softgt *device)
{
    struct diff_side *const s = user, *const a = &tool.sides[0], *const b = &tool.sides[1];
    s->finished = true;
    fail_on_device(&tool.fail_on, device);
    if (s == a) {
        run_side(b);
    } else if (a->recording.sheet->generation != b->recording.sheet->generation) {
        tool_error(NULL, "%s is of %s, %s of %s: both must be of one generation", a->file,
                   a->recording.sheet->info.name, b->file, b->recording.sheet->info.name);
        b->finished = false;
    } else if (!a->recording.no_memory && !b->recording.no_memory) {
        diff_compare(&a->recording, &b->recording, tool.result);
    }
}

static void run_side(struct diff_side *s)
{
    const struct replay_options options = {
        .device = tool.device,
        .force = tool.force,
        .position = &s->position,
        .draws = tool.has_draws  ? tool.draws
                 : s->is_program ? REPLAY_DRAWS_ALWAYS
                                 : REPLAY_DRAWS,
        .budget_dw = tool.budget,
        .memory_limit_bytes = tool.memory_limit,
        .parallel = tool_threads(),
        .trace = {s, DIFF_EVENTS, diff_on_event},
        .user = s,
        .message = diff_on_message,
        .report = {s, diff_on_report},
        .started = diff_on_started,
        .finished = diff_on_finished,
        .written = diff_on_written,
    };
    s->outcome = s->input.data ? replay_memory(s->input.data, s->input.size, &options, &s->result)
                               : replay_file(s->file, &options, &s->result);
}

/* ---- Report ---- */

static unsigned long long diff_number(uint64_t value)
{
    return value;
}

static const char *engine_name(const struct diff_command *c)
{
    const struct sheet *const sheet = tool.sides[0].recording.sheet;
    return c->engine < sheet->info.engine_count ? sheet->engines[c->engine].name : "an unknown engine";
}

static void print_command(char letter, const struct diff_command *c, const struct diff_side *s,
                          const char *name)
{
    if (c)
        printf("  %c: %#llx, file offset %#llx: %08x %s\n", letter, diff_number(c->address),
               diff_number(c->file_offset), s->recording.dw[c->first_dw], name ? name : "unknown");
    else
        printf("  %c: no command\n", letter);
}

static void print_first(const struct diff_result *r)
{
    const struct diff_first *const f = &r->first;
    if (!f->found) {
        printf("commands: %s are equal\n", tool_number(r->compared));
        return;
    }
    const struct diff_command *const c = f->a ? f->a : f->b;
    printf("commands: %s are equal; submission %llu, %s, command %llu differs:\n", tool_number(r->compared),
           diff_number(c->submission), engine_name(c), diff_number(f->index));
    print_command('A', f->a, &tool.sides[0], f->name_a);
    print_command('B', f->b, &tool.sides[1], f->name_b);
    for (unsigned i = 0; i < f->field_count; i++)
        if (strcmp(f->fields[i].name, "outcome") == 0)
            printf("    outcome: A %s, B %s\n", tool_outcome((enum softgt_event_kind)f->fields[i].a),
                   tool_outcome((enum softgt_event_kind)f->fields[i].b));
        else
            printf("    %s: A %#llx, B %#llx\n", f->fields[i].name, diff_number(f->fields[i].a),
                   diff_number(f->fields[i].b));
}

static unsigned listed(uint64_t count)
{
    return count < DIFF_LISTED ? (unsigned)count : DIFF_LISTED;
}

static void print_packet(char letter, uint64_t file_offset)
{
    if (file_offset != DIFF_NO_OFFSET)
        printf(" %c %#llx", letter, diff_number(file_offset));
    else
        printf(" %c none", letter);
}

static void print_memory(const struct diff_memory *n)
{
    printf("  %s: %s dwords, first A %#llx %#x, B %#llx %#x", n->engine ? n->engine : "ggtt",
           tool_number(n->count_dw), diff_number(n->address_a), n->a, diff_number(n->address_b), n->b);
    if (n->only_a || n->only_b)
        printf(", only %c has the page", n->only_a ? 'A' : 'B');
    if (n->is_written) {
        printf("; written by the packet at file offset");
        print_packet('A', n->file_offset_a);
        putchar(',');
        print_packet('B', n->file_offset_b);
    }
    putchar('\n');
    if (n->use.is_instruction)
        printf("    %s:\n      A %s\n      B %s\n", n->use.what, n->use.a, n->use.b);
    else if (*n->use.what)
        printf("    %s: A %s, B %s\n", n->use.what, n->use.a, n->use.b);
    if (*n->use.what && n->use.draw)
        printf("    first used by %s %s\n", n->use.is_dispatch ? "dispatch" : "draw",
               tool_number(n->use.draw));
    else if (*n->use.what)
        puts("    used by no draw and no dispatch");
}

static void print_more(uint64_t count)
{
    if (count > DIFF_LISTED)
        printf("  and %s more\n", tool_number(count - DIFF_LISTED));
}

static void print_result(const struct diff_result *r)
{
    unsigned written = 0;
    print_first(r);
    while (written < listed(r->memory_count) && r->memory[written].is_written)
        written++;
    if (written)
        printf("memory that packets wrote differs, before its consequences:\n");
    for (unsigned i = 0; i < written; i++)
        print_memory(&r->memory[i]);
    printf("registers: %s differ\n", tool_number(r->register_count));
    for (unsigned i = 0; i < listed(r->register_count); i++)
        printf("  %s.%s: A %#llx, B %#llx\n", r->registers[i].unit, r->registers[i].name,
               diff_number(r->registers[i].a), diff_number(r->registers[i].b));
    print_more(r->register_count);
    printf("memory: %s pieces of %s pages differ", tool_number(r->memory_count),
           tool_number(r->compared_pages));
    if (written)
        printf(", %u of them above", written);
    putchar('\n');
    for (unsigned i = written; i < listed(r->memory_count); i++)
        print_memory(&r->memory[i]);
    print_more(r->memory_count);
    printf("surfaces: %s of %s differ\n", tool_number(r->surface_count), tool_number(r->compared_surfaces));
    for (unsigned i = 0; i < listed(r->surface_count); i++)
        printf("  %s, A %#llx, B %#llx, %ux%u: %s pixels, first %u,%u\n", r->surfaces[i].engine,
               diff_number(r->surfaces[i].address_a), diff_number(r->surfaces[i].address_b),
               r->surfaces[i].width, r->surfaces[i].height, tool_number(r->surfaces[i].pixels),
               r->surfaces[i].x, r->surfaces[i].y);
    print_more(r->surface_count);
}

static struct json_object *command_json(const struct diff_command *c, const struct diff_side *s,
                                        const char *name)
{
    if (!c)
        return NULL;
    struct json_object *const o = json_empty();
    json_add(o, "address", json_hex(c->address));
    json_add(o, "header", json_uint64(s->recording.dw[c->first_dw]));
    json_add(o, "name", name ? json_string(name) : NULL);
    json_add(o, "status", json_string(tool_outcome((enum softgt_event_kind)c->kind)));
    json_add(o, "file_offset", json_uint64(c->file_offset));
    return o;
}

static struct json_object *first_json(const struct diff_first *f)
{
    if (!f->found)
        return NULL;
    struct json_object *const o = json_empty(), *const fields = json_array();
    const struct diff_command *const c = f->a ? f->a : f->b;
    json_add(o, "submission", json_uint64(c->submission));
    json_add(o, "engine", json_string(engine_name(c)));
    json_add(o, "index", json_uint64(f->index));
    json_add(o, "a", command_json(f->a, &tool.sides[0], f->name_a));
    json_add(o, "b", command_json(f->b, &tool.sides[1], f->name_b));
    for (unsigned i = 0; i < f->field_count; i++) {
        struct json_object *const field = json_empty();
        json_add(field, "name", json_string(f->fields[i].name));
        json_add(field, "a", json_hex(f->fields[i].a));
        json_add(field, "b", json_hex(f->fields[i].b));
        json_append(fields, field);
    }
    json_add(o, "fields", fields);
    return o;
}

static struct json_object *use_json(const struct diff_use *use)
{
    if (!*use->what)
        return NULL;
    struct json_object *const o = json_empty();
    json_add(o, "what", json_text(use->what));
    json_add(o, "a", json_text(use->a));
    json_add(o, "b", json_text(use->b));
    json_add(o, "draw", use->draw ? json_uint64(use->draw) : NULL);
    return o;
}

static void add_lists(struct json_object *o, const struct diff_result *r)
{
    struct json_object *const registers = json_array(), *const memory = json_array(),
                              *const surfaces = json_array();
    for (unsigned i = 0; i < listed(r->register_count); i++) {
        struct json_object *const n = json_empty();
        json_add(n, "unit", json_string(r->registers[i].unit));
        json_add(n, "name", json_string(r->registers[i].name));
        json_add(n, "a", json_hex(r->registers[i].a));
        json_add(n, "b", json_hex(r->registers[i].b));
        json_append(registers, n);
    }
    for (unsigned i = 0; i < listed(r->memory_count); i++) {
        struct json_object *const n = json_empty();
        json_add(n, "space", json_string(r->memory[i].engine ? r->memory[i].engine : "ggtt"));
        json_add(n, "dwords", json_uint64(r->memory[i].count_dw));
        json_add(n, "address_a", json_hex(r->memory[i].address_a));
        json_add(n, "address_b", json_hex(r->memory[i].address_b));
        json_add(n, "a", json_uint64(r->memory[i].a));
        json_add(n, "b", json_uint64(r->memory[i].b));
        json_add(n, "written", json_boolean(r->memory[i].is_written));
        if (r->memory[i].is_written && r->memory[i].file_offset_a != DIFF_NO_OFFSET)
            json_add(n, "file_offset_a", json_uint64(r->memory[i].file_offset_a));
        if (r->memory[i].is_written && r->memory[i].file_offset_b != DIFF_NO_OFFSET)
            json_add(n, "file_offset_b", json_uint64(r->memory[i].file_offset_b));
        json_add(n, "use", use_json(&r->memory[i].use));
        json_append(memory, n);
    }
    for (unsigned i = 0; i < listed(r->surface_count); i++) {
        struct json_object *const n = json_empty();
        json_add(n, "engine", json_string(r->surfaces[i].engine));
        json_add(n, "address_a", json_hex(r->surfaces[i].address_a));
        json_add(n, "address_b", json_hex(r->surfaces[i].address_b));
        json_add(n, "width", json_uint64(r->surfaces[i].width));
        json_add(n, "height", json_uint64(r->surfaces[i].height));
        json_add(n, "pixels", json_uint64(r->surfaces[i].pixels));
        json_add(n, "x", json_uint64(r->surfaces[i].x));
        json_add(n, "y", json_uint64(r->surfaces[i].y));
        json_append(surfaces, n);
    }
    json_add(o, "registers", registers);
    json_add(o, "memory", memory);
    json_add(o, "surfaces", surfaces);
}

static void print_json(const struct diff_result *r, bool same)
{
    struct json_object *const o = json_report("softgt.diff");
    json_add(o, "a", json_text(tool.files[0]));
    json_add(o, "b", json_text(tool.files[1]));
    json_add(o, "equal", json_boolean(same));
    json_add(o, "commands_equal", json_uint64(r->compared));
    json_add(o, "first", first_json(&r->first));
    json_add(o, "registers_different", json_uint64(r->register_count));
    json_add(o, "memory_different", json_uint64(r->memory_count));
    json_add(o, "surfaces_different", json_uint64(r->surface_count));
    json_add(o, "pages", json_uint64(r->compared_pages));
    json_add(o, "failed_on", fail_on_json(&tool.fail_on));
    add_lists(o, r);
    json_print(o);
}

static bool open_side(struct diff_side *s)
{
    if (!input_open(&s->input, s->file))
        return false;
    s->is_program = s->input.is_program;
    return !s->is_program || input_assemble(&s->input, tool.device, tool.memory_limit);
}

/* What happened in either run, beyond the reports of its device. */
static void note_runs(void)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct diff_side *const s = &tool.sides[i];
        if (s->result.hung)
            fail_on_note(&tool.fail_on, FAIL_HUNG, "a submission was ended");
        if (s->result.undrawn)
            fail_on_note(&tool.fail_on, FAIL_TROUBLE, "draws are not complete");
    }
    fail_on_end(&tool.fail_on);
}

static int compare_runs(void)
{
    if (!open_side(&tool.sides[0]) || !open_side(&tool.sides[1]))
        return TOOL_UNUSABLE;
    run_side(&tool.sides[0]);
    for (unsigned i = 0; i < 2; i++) {
        const struct diff_side *const s = &tool.sides[i];
        if (s->recording.no_memory || tool.result->no_memory)
            tool_no_memory();
        if (s->recording.is_cut)
            tool_error(s->file, "the first %s commands are compared: more are not kept",
                       tool_number(s->recording.count));
        if (!s->finished || s->outcome == REPLAY_UNUSABLE)
            return TOOL_UNUSABLE;
    }
    const struct diff_result *const r = tool.result;
    const bool same = !r->first.found && !r->register_count && !r->memory_count && !r->surface_count;
    note_runs();
    if (tool.json)
        print_json(r, same);
    else
        print_result(r);
    return fail_on_status(&tool.fail_on, NULL, same ? TOOL_CLEAN : TOOL_FAILED);
}

/* ---- Options ---- */

enum { FORCE = 256, DRAWS, NO_DRAWS, NO_SANDBOX, FAIL_ON };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "run both on this device, not on those that they name", 0},
    {"json", 'j', NULL, 0, "print one JSON object", 0},
    {"budget", 'b', "DWORDS", 0, "dwords after which a submission counts as looping (268435456)", 0},
    {"memory", 'm', "MB", 0, "memory that each may use (8192)", 0},
    {"force", FORCE, NULL, 0, "run a trace on a device of another generation than it was recorded on", 0},
    {"no-draws", NO_DRAWS, NULL, 0, "count 3D draws, do not run them", 0},
    {"draws", DRAWS, NULL, 0, "also run the draws of a recording whose device did not run them", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the files are equal and in either run one of these happened: unsupported, "
     "unknown, hung, faults, bounds, errors, trouble, unused or all, separated by commas",
     0},
    {"no-sandbox", NO_SANDBOX, NULL, 0,
     "run without the sandbox: keep access to files, network and all system calls", 0},
    {0},
};

static const struct tool_option diff_members[] = {
    {'d', TOOL_DEVICE, offsetof(struct diff_tool, device)},
    {'j', TOOL_FLAG, offsetof(struct diff_tool, json)},
    {'m', TOOL_MEGABYTES, offsetof(struct diff_tool, memory_limit), "memory", UINT64_C(1) << 20},
    {'b', TOOL_COUNT, offsetof(struct diff_tool, budget), "budget", UINT64_C(1) << 40},
    {FORCE, TOOL_FLAG, offsetof(struct diff_tool, force)},
    {FAIL_ON, TOOL_FAIL_ON, offsetof(struct diff_tool, fail_on)},
    {NO_SANDBOX, TOOL_NO_SANDBOX},
    {0},
};

static error_t diff_parse(int key, char *argument, struct argp_state *state)
{
    struct diff_tool *const d = state->input;
    if (tool_set_option(diff_members, key, argument, state))
        return 0;
    switch (key) {
    case DRAWS:
    case NO_DRAWS:
        d->has_draws = true;
        d->draws = key == DRAWS ? REPLAY_DRAWS_ALWAYS : REPLAY_DRAWS_ARE_COUNTED;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "two files are compared");
        d->files[state->arg_num] = argument;
        return 0;
    case ARGP_KEY_END:
        if (!d->files[1])
            argp_error(state, "two files are compared");
        if (d->force && !d->device)
            argp_error(state, "--force does nothing without --device");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_diff(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = diff_parse,
        .args_doc = "A B",
        .doc = "Runs two traces or .gts programs and compares them: the first command that differs, with its "
               "fields, memory that packets wrote, then registers, memory and the surfaces of blits at the "
               "end. Addresses are matched "
               "in the "
               "order of their first use.\vExit status: 0 equal, 1 different, 2 for unusable input, 3 by "
               "--fail-on.",
    };
    static struct diff_result result;
    tool.result = &result;
    tool_parse(&argp, argc, argv, &tool);
    for (unsigned i = 0; i < 2; i++) {
        tool.sides[i].file = tool.files[i];
        input_allow(tool.files[i]);
    }
    if (!tool_sandbox(1))
        return TOOL_UNUSABLE;
    const int status = compare_runs();
    for (unsigned i = 0; i < 2; i++) {
        input_close(&tool.sides[i].input);
        diff_recording_free(&tool.sides[i].recording);
    }
    return status;
}
