#include "debugger/look.h"

#include "debugger/debuggee.h"
#include "draws/bound.h"
#include "host/eu_trace.h"
#include "host/event_text.h"
#include "host/state_dump.h"
#include "stream/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Engines ---- */

int debuggee_engine(const struct debuggee *d, const char *unit)
{
    const struct sheet *const sheet = device_sheet(d->device);
    struct softgt_eu_thread_info thread;
    if (!*unit && d->thread) {
        softgt_eu_thread_get_info(d->thread, &thread);
        unit = thread.unit;
    } else if (!*unit) {
        unit = d->command ? d->command->unit : d->last.unit ? d->last.unit : sheet->engines[0].name;
    }
    return sheet_engine_find(sheet, unit);
}

/* The engine that a line is about, by name or the current one. False after a message. */
static bool engine_of(const struct debuggee *d, const char *unit, unsigned *engine)
{
    const int found = debuggee_engine(d, unit);
    *engine = (unsigned)found;
    return found >= 0 || debuggee_refuse(d, "no engine has this name");
}

const char *debuggee_context_text(const struct debuggee *d, const char *unit, char *text, size_t size)
{
    const struct engine_position *const at = position_tracker_engine(&d->tracker, unit);
    text[0] = 0;
    if (at->has_context && at->context_id)
        snprintf(text, size, "context 0x%" PRIx64 ", id 0x%" PRIx64, at->lrca, at->context_id);
    else if (at->has_context)
        snprintf(text, size, "context 0x%" PRIx64, at->lrca);
    return text;
}

static const char *register_name(void *user, uint32_t offset)
{
    static char name[96];
    const struct debuggee *const d = user;
    const struct register_slot *const s = register_slot_at(softgt_register_file(d->device), offset);
    if (!s->row)
        return NULL;
    register_slot_name(s, name, sizeof name);
    return name;
}

/* ---- Commands ---- */

bool printing_begin(struct debuggee *d, struct printing *p, unsigned engine, bool headers_only,
                    void (*remark)(void *user, struct text *t))
{
    const struct dump_options options = {.colour = d->shared->colour,
                                         .headers_only = headers_only,
                                         .user = d,
                                         .register_name = register_name,
                                         .remark = remark,
                                         .bases = headers_only ? NULL : &p->bases};
    *p = (struct printing){.class = device_sheet(d->device)->engines[engine].class};
    if (!dumper_create(&p->dumper, softgt_command_set(d->device), &options))
        return debuggee_refuse(d, "out of memory");
    if (!headers_only)
        state_dump_bases(d->device, engine, &p->bases);
    return true;
}

void printing_end(const struct debuggee *d, struct printing *p)
{
    fwrite(p->text.bytes, 1, p->text.length, d->out);
    text_free(&p->text);
    dumper_destroy(&p->dumper);
}

static void print_command(struct debuggee *d, const struct softgt_event *e, bool headers_only)
{
    struct printing p;
    size_t length;
    unsigned engine;
    if (!engine_of(d, e->unit, &engine) || !printing_begin(d, &p, engine, headers_only, NULL))
        return;
    dump_command(&p.dumper, &p.text, p.class, e->dwords, e->length_dw, e->address, &length);
    printing_end(d, &p);
}

static void print_instruction(const struct debuggee *d)
{
    struct softgt_eu_thread_info i;
    char text[240];
    softgt_eu_thread_get_info(d->thread, &i);
    softgt_eu_thread_disassemble(d->thread, text, sizeof text);
    fprintf(d->out,
            "%s group %" PRIu32 ":%" PRIu32 ":%" PRIu32 " thread %" PRIu32 "  0x%" PRIx64 "+0x%" PRIx64
            "  channels %08" PRIx32 "  %s\n",
            i.unit, i.group[0], i.group[1], i.group[2], i.thread, i.base + i.kernel, i.ip - i.kernel,
            i.channels, text);
}

static void print_place(struct debuggee *d, bool headers_only)
{
    fprintf(d->out, "#%" PRIu64, d->place.command);
    if (d->place.instruction)
        fprintf(d->out, ".%" PRIu64, d->place.instruction);
    if (d->thread) {
        fprintf(d->out, " ");
        print_instruction(d);
    } else if (d->command) {
        fprintf(d->out, " %s ", d->command->unit);
        print_command(d, d->command, headers_only);
    } else if (d->is_held && d->place.command) {
        fprintf(d->out, " between commands");
        if (d->last.name)
            fprintf(d->out, "; the last is %s at %s:0x%" PRIx64, d->last.name, d->last.unit, d->last.address);
        fprintf(d->out, "\n");
    } else {
        fprintf(d->out, "%s\n", d->at_end ? " the end" : " the start");
    }
}

static bool look_place(struct debuggee *d, const char *arguments)
{
    (void)arguments;
    print_place(d, true);
    return true;
}

static bool look_where(struct debuggee *d, const char *arguments)
{
    char context[80];
    (void)arguments;
    print_place(d, false);
    if (d->tracker.is_trace)
        fprintf(d->out, "  submission %" PRIu64 ", file offset 0x%" PRIx64 ", %" PRIu64 " ns\n",
                d->tracker.position.submission, d->tracker.position.offset, softgt_now_ns(d->device));
    else
        fprintf(d->out, "  %" PRIu64 " ns\n", softgt_now_ns(d->device));
    if (!d->command)
        return true;
    const struct engine_position *const at = position_tracker_engine(&d->tracker, d->command->unit);
    fprintf(d->out, "  in the %s", d->command->is_ggtt ? "GGTT" : "PPGTT");
    if (*debuggee_context_text(d, d->command->unit, context, sizeof context))
        fprintf(d->out, ", %s", context);
    if (at->depth)
        fprintf(d->out, ", batch %" PRIu64 ", depth %u", engine_position_batch(at), at->depth);
    fputs("\n", d->out);
    return true;
}

static bool look_list(struct debuggee *d, const char *arguments)
{
    enum { MOST_DW = 1024, MOST = 10000 };
    struct printing p;
    uint32_t dw[MOST_DW];
    const unsigned long count = *arguments ? strtoul(arguments, NULL, 0) : 10;
    unsigned engine;
    if (!d->command)
        return debuggee_refuse(d, "there is no current command");
    if (!count || count > MOST)
        return debuggee_refuse(d, "expected a count up to 10000");
    if (!engine_of(d, d->command->unit, &engine) || !printing_begin(d, &p, engine, true, NULL))
        return false;
    uint64_t address = d->command->address;
    const char *const space = d->command->is_ggtt ? "ggtt" : "ppgtt";
    text_string(&p.text, d->command->is_ggtt ? "in the GGTT:\n" : "in the PPGTT:\n");
    for (unsigned long n = 0; n < count; n++) {
        size_t length, there = MOST_DW;
        while (there && !debuggee_read(d, space, address, dw, there * 4))
            there /= 2;
        text_string(&p.text, n ? "    " : " => ");
        if (!there) {
            text_string(&p.text, "no memory is mapped here\n");
            break;
        }
        if (dump_command(&p.dumper, &p.text, p.class, dw, there, address, &length) == DUMP_CUT)
            break;
        address += length * 4;
        if (dw[0] >> 23 == 0x0a) /* MI_BATCH_BUFFER_END */
            break;
    }
    printing_end(d, &p);
    return true;
}

/* ---- Registers ---- */

static void print_fields(const struct debuggee *d, const struct field *fields, unsigned count,
                         const uint32_t *dw, uint32_t length_dw)
{
    for (unsigned n = 0; n < count; n++) {
        const struct field *const f = &fields[n];
        const uint64_t value = field_get(f, dw, length_dw);
        const char *const name = field_value_name(f, value);
        if (f->first / 32u >= length_dw)
            continue;
        fprintf(d->out, "    %3u:%-3u %-40s 0x%" PRIx64 "%s%s\n", f->last, f->first, f->name, value,
                name ? " " : "", name ? name : "");
    }
}

/* "rcs0.RING_*", "RING_*" or an offset. */
static bool look_registers(struct debuggee *d, const char *arguments)
{
    const struct register_file *const file = softgt_register_file(d->device);
    struct stop which;
    char error[120], text[DEBUG_LINE], name[96];
    unsigned count = 0;
    snprintf(text, sizeof text, "register %s", *arguments ? arguments : "rcs0.*");
    if (!stop_parse(&which, file, text, error, sizeof error))
        return debuggee_refuse(d, error);
    for (uint32_t offset = 0; offset < file->size_bytes; offset += 4) {
        const struct register_slot *const s = register_slot_at(file, offset);
        if (!s->row || s->offset != offset || !name_matches(which.unit, s->unit))
            continue;
        register_slot_name(s, name, sizeof name);
        if (!name_matches(which.pattern, name))
            continue;
        const uint32_t value = device_register_peek(d->device, s);
        fprintf(d->out, "%06" PRIx32 "  %s.%-30s %08" PRIx32 "\n", s->offset, s->unit, name, value);
        count++;
        if (!strpbrk(which.pattern, "*?") && s->dword == 0) {
            const uint32_t upper = s->row->dwords == 2 ? register_value(file, offset + 4) : 0;
            const uint32_t dw[2] = {value, upper};
            print_fields(d, s->row->fields, s->row->field_count, dw, 2);
        }
    }
    return count || debuggee_refuse(d, "no register has this name");
}

/* ---- Engines and contexts ---- */

static bool look_engines(struct debuggee *d, const char *arguments)
{
    struct softgt_engine_status s;
    (void)arguments;
    for (unsigned n = 0; softgt_engine_get_status(d->device, n, &s); n++) {
        char context[80];
        fprintf(d->out, "%-6s %-8s", s.name, engine_state_names[s.state]);
        if (*debuggee_context_text(d, s.name, context, sizeof context))
            fprintf(d->out, " %s", context);
        fprintf(d->out, " at 0x%" PRIx64 ", %" PRIu64 " commands", s.acthd, s.commands);
        if (*s.why)
            fprintf(d->out, ": %s", s.why);
        if (s.wait.comparison)
            fprintf(d->out, " (0x%" PRIx32 " %s 0x%" PRIx32 ")", s.wait.found, s.wait.comparison,
                    s.wait.waited_for);
        fputs("\n", d->out);
    }
    return true;
}

static bool look_context(struct debuggee *d, const char *arguments)
{
    unsigned engine;
    if (!engine_of(d, arguments, &engine))
        return false;
    const char *const unit = device_sheet(d->device)->engines[engine].name;
    const struct engine_position *const at = position_tracker_engine(&d->tracker, unit);
    if (!at->has_context)
        return debuggee_refuse(d, "the engine has restored no context");
    char text[64];
    fprintf(d->out, "%s: LRCA 0x%" PRIx64 ", ID 0x%" PRIx64 ", %" PRIu64 " batches\n", unit, at->lrca,
            at->context_id, at->batches);
    snprintf(text, sizeof text, "/64wx ggtt:0x%" PRIx64, at->lrca + 4096);
    return debuggee_examine(d, text);
}

/* ---- What is bound ---- */

/* What the stages of the current draw or dispatch read: kernels, and surfaces of their binding tables. */
static bool look_bindings(struct debuggee *d, const char *arguments)
{
    static struct draw_surface surfaces[DRAW_SURFACES];
    struct bound bound;
    struct draw_record record = {0};
    unsigned engine;
    if (!engine_of(d, arguments, &engine))
        return false;
    if (!bound_create(&bound, d->device))
        return debuggee_refuse(d, "out of memory");
    memset(surfaces, 0, sizeof surfaces);
    const struct softgt_event *const command = d->command ? d->command : d->kept.length_dw ? &d->kept : NULL;
    record.is_dispatch = command && command_is_dispatch(command->name);
    bound_read(&bound, engine, &record, surfaces, command);
    for (unsigned n = 0; n < DRAW_STAGES; n++)
        if (record.kernels[n].known)
            fprintf(d->out, "%s kernel at 0x%" PRIx64 ", %" PRIu32 " bytes\n", draw_stage_names[n],
                    record.kernels[n].address, record.kernels[n].size_bytes);
    for (unsigned n = 0; n < bound.surface_count; n++) {
        const struct draw_surface *const s = &surfaces[n];
        fprintf(d->out, "%s %3u  %s %s at 0x%" PRIx64, draw_stage_names[s->stage], s->binding, s->type,
                s->format ? s->format : "", s->picture.address);
        if (!s->is_buffer)
            fprintf(d->out, ", %" PRIu32 "x%" PRIu32 ", pitch %" PRId32, s->picture.width, s->picture.height,
                    s->picture.pitch_bytes);
        fprintf(d->out, "; state at 0x%" PRIx64 "\n", s->state);
    }
    bound_destroy(&bound);
    return true;
}

/* ---- Threads ---- */

static bool look_thread(struct debuggee *d, const char *arguments)
{
    (void)arguments;
    if (!d->thread)
        return debuggee_refuse(d, "this is not inside a thread: stepi goes into one");
    print_instruction(d);
    return true;
}

/* "r10", "r10-r13", "acc0", "f0"; ":f" at the end shows floats, ":d", ":ud", ":w" ... */
static bool print_registers(const struct debuggee *d, const char *word)
{
    char file_name[16], type[8] = "ud";
    unsigned first, last;
    const size_t letters = strcspn(word, "0123456789");
    const char *const colon = strchr(word, ':');
    snprintf(file_name, sizeof file_name, "%.*s", (int)letters, word);
    if (colon)
        snprintf(type, sizeof type, "%s", colon + 1);
    if (letters >= sizeof file_name || sscanf(word + letters, "%u", &first) != 1) /* NOLINT(cert-err34-c) */
        return debuggee_refuse(d, "expected registers, such as r10, r10-r13:f, acc0, f0");
    last = first;
    const char *const dash = strchr(word, '-');
    if (dash &&
        sscanf(dash + 1 + strcspn(dash + 1, "0123456789:"), "%u", &last) != 1) /* NOLINT(cert-err34-c) */
        return debuggee_refuse(d, "expected a last register");
    for (enum softgt_eu_file file = 0; file < SOFTGT_EU_FILES; file++) {
        const char *const name = softgt_eu_file_name(file);
        if (!name || strcmp(name, file_name) != 0)
            continue;
        const size_t bytes = softgt_eu_register_bytes(file);
        for (unsigned n = first; n <= last; n++) {
            uint8_t data[512];
            if (bytes > sizeof data || !softgt_eu_thread_read(d->thread, file, n * bytes, data, bytes))
                return debuggee_refuse(d, "the thread has no such register");
            fprintf(d->out, "%s%-4u", name, n);
            debuggee_print_values(d, data, bytes, type);
        }
        return true;
    }
    return debuggee_refuse(d, "no register file has this name");
}

static bool look_regs(struct debuggee *d, const char *arguments)
{
    char text[DEBUG_LINE], *rest;
    if (!d->thread)
        return debuggee_refuse(d, "this is not inside a thread: stepi goes into one");
    snprintf(text, sizeof text, "%s", *arguments ? arguments : "r0-r7");
    for (char *word = strtok_r(text, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest))
        if (!print_registers(d, word))
            return false;
    return true;
}

/* The kernel of the thread, or at an address. */
static bool look_disassemble(struct debuggee *d, const char *arguments)
{
    enum { MOST_BYTES = 65536 };
    static uint8_t bytes[MOST_BYTES];
    char unit[16] = "";
    uint64_t address = 0;
    size_t current = SIZE_MAX; /* offset of the current instruction */
    struct softgt_eu_thread_info i = {0};
    if (d->thread)
        softgt_eu_thread_get_info(d->thread, &i);
    if (d->thread && !*arguments) {
        address = i.base + i.kernel;
        snprintf(unit, sizeof unit, "ppgtt");
    } else if (!stop_parse_address(arguments, unit, sizeof unit, &address)) {
        return debuggee_refuse(d, "expected [ENGINE:]ADDRESS");
    }
    if (d->thread && i.base + i.ip >= address)
        current = (size_t)(i.base + i.ip - address);
    fprintf(d->out, "kernel at 0x%" PRIx64 "\n", address);
    size_t there = MOST_BYTES;
    while (there >= 16 && !debuggee_read(d, unit, address, bytes, there))
        there /= 2;
    if (there < 16)
        return debuggee_refuse(d, "no memory is mapped there");
    const struct eu_listing how = {
        .indent = "  ", .one_program = true, .has_offsets = true, .current = current};
    struct text t = {0};
    size_t listed;
    eu_disassemble_kernel(device_sheet(d->device)->eu, bytes, there, &how, &t, &listed);
    fwrite(t.bytes, 1, t.length, d->out);
    text_free(&t);
    return true;
}

const struct look_command look_commands[] = {
    {{"where", "w", "", "the current command with its fields, and where it is"}, look_where},
    {{"list", "l", "[N]", "the commands from here on"}, look_list},
    {{"state", "", "[NAME]", "the state commands of this engine, with their fields, and who set them"},
     debuggee_state},
    {{"registers", "r", "[UNIT.]NAME | OFFSET", "registers; one alone with its fields"}, look_registers},
    {{"x", "", "/[N][bhwg][xduf] [SPACE:]ADDRESS",
      "memory; SPACE: ggtt, ppgtt, local, bus, or an engine (of its batches)"},
     debuggee_examine},
    {{"structure", "", "NAME [SPACE:]ADDRESS", "memory as a structure, with its fields"}, debuggee_structure},
    {{"walk", "", "[ENGINE|ggtt|ppgtt:]ADDRESS", "the page walk, level by level"}, debuggee_walk},
    {{"engines", "", "", "what the engines do"}, look_engines},
    {{"context", "", "[ENGINE]", "the context that an engine has, and its image's begin"}, look_context},
    {{"bindings", "", "[ENGINE]", "kernels and surfaces of the stages"}, look_bindings},
    {{"message", "m", "",
      "the message that this instruction sends: its surface and sampler, with their fields"},
     debuggee_message},
    {{"guc", "", "[SECTION]", "the GuC: boot, engine_states, doorbells, ct, contexts ..."}, debuggee_guc},
    {{"functions", "", "[vfN]", "the virtual functions, their provisioning, and what runs"},
     debuggee_functions},
    {{"thread", "t", "", "the current thread and its instruction"}, look_thread},
    {{"regs", "", "[r10-r13:f acc0 f0 ...]", "registers of the thread; types ud d uw w ub b f df hf"},
     look_regs},
    {{"disassemble", "dis", "[[ENGINE:]ADDRESS]", "the kernel of the thread, or there"}, look_disassemble},
    {{"set", "", "REGISTER | SPACE:ADDRESS VALUE", "write a register, rN.DWORD of the thread, or a dword"},
     debuggee_set},
    {.words = {NULL}},
};

/* Lines of the debugger itself. */
static const struct look_command own_commands[] = {
    {{"place", "", "", ""}, look_place},
    {{".stop", "", "", ""}, debuggee_stop},
    {{".who", "", "", ""}, debuggee_who},
    {{".nobody", "", "", ""}, debuggee_nobody},
    {.words = {NULL}},
};

static const struct look_command *find_in(const struct look_command *list, const char *word, size_t length)
{
    for (const struct look_command *c = list; c->words.name; c++)
        if (strlen(c->words.name) == length && strncmp(c->words.name, word, length) == 0)
            return c;
    return NULL;
}

bool debuggee_look(struct debuggee *d, const char *line)
{
    const size_t word = strcspn(line, " \t/");
    const struct look_command *c = find_in(own_commands, line, word);
    c = c ? c : find_in(look_commands, line, word);
    if (c)
        return c->run(d, line + word + strspn(line + word, " \t"));
    fprintf(d->out, "'%.*s' is no command: help lists them\n", (int)word, line);
    return false;
}

/* ---- Completion ---- */

static void add_word(char *words, size_t size, const char *begin, const char *word)
{
    const size_t at = strlen(words);
    if (strncasecmp(word, begin, strlen(begin)) == 0 && at + strlen(word) + 2 < size)
        snprintf(words + at, size - at, "%s\n", word);
}

void debuggee_complete(struct debuggee *d, const char *line, char *words, size_t size)
{
    const char *const last = strrchr(line, ' ') + 1;
    const struct register_file *const file = softgt_register_file(d->device);
    const struct command_set *const set = softgt_command_set(d->device);
    const bool stops = line[0] == 'b' || line[0] == 't' || strncmp(line, "state", 5) == 0;
    char name[128];
    for (unsigned n = 0; stops && n < STOP_KINDS; n++)
        add_word(words, size, last, stop_kinds[n].word);
    for (unsigned n = 1; stops && !strstr(line, "register ") && n < set->count; n++)
        add_word(words, size, last, set->rows[n]->name);
    for (uint32_t n = 1; (!stops || strstr(line, "register ")) && n < file->slot_count; n++) {
        size_t at = (size_t)snprintf(name, sizeof name, "%s.", file->slots[n].unit);
        register_slot_name(&file->slots[n], name + at, sizeof name - at);
        add_word(words, size, last, strchr(last, '.') ? name : name + at);
    }
}
