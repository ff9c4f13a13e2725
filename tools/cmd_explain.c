/* softgt explain: what a name, a header or an offset means, from the rows of all devices. */
#include "explained.h"
#include "sheet_rows.h"
#include "tool.h"

#include "commands/commands.h"
#include "engine/engine.h"
#include "hang/state.h"
#include "isa/isa.h"
#include "stream/names.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

enum { MOST_NEAR = 8, NEAR_BYTES = 64, DEVICES_BYTES = 400 };

/* One meaning, and the devices that agree on it. */
struct meaning {
    struct meaning *next;
    char *text; /* the first line is its title */
    char devices[DEVICES_BYTES];
    const char *last; /* of these devices */
};

struct explain {
    const char *what;
    uint64_t number; /* that `what` is, in hexadecimal, or after 0x; has_number */
    bool has_number;
    const char *device;         /* NULL: all */
    bool json, suggests_fields; /* suggests_fields: fields that are like it are near */
    struct meaning *first, **last;
    FILE *text; /* of the current meaning */
    char *bytes;
    size_t length;
    /* Names that are like `what`, the nearest first. */
    struct near {
        char name[NEAR_BYTES];
        unsigned distance;
    } near[MOST_NEAR];
    unsigned near_count;
};

/* ---- Meanings ---- */

static FILE *begin_meaning(struct explain *x)
{
    x->bytes = NULL;
    if (!(x->text = open_memstream(&x->bytes, &x->length)))
        tool_no_memory();
    return x->text;
}

/* Ends it; `device`: NULL for what no device has of its own. */
static void end_meaning(struct explain *x, const char *device)
{
    struct meaning *m = x->first;
    if (fclose(x->text) != 0 || !x->bytes)
        tool_no_memory();
    while (m && strcmp(m->text, x->bytes) != 0)
        m = m->next;
    if (m) {
        free(x->bytes);
    } else {
        if (!(m = calloc(1, sizeof *m)))
            tool_no_memory();
        m->text = x->bytes;
        *x->last = m;
        x->last = &m->next;
    }
    if (!device || m->last == device)
        return;
    m->last = device;
    if (*m->devices)
        strncat(m->devices, ", ", sizeof m->devices - strlen(m->devices) - 1);
    strncat(m->devices, device, sizeof m->devices - strlen(m->devices) - 1);
}

/* ---- Names ---- */

/* The number of characters to change, to add and to remove; more than `most` is most + 1. */
static unsigned edit_distance(const char *a, const char *b, unsigned most)
{
    unsigned row[NEAR_BYTES + 1] = {0};
    const size_t n = strlen(a), m = strlen(b);
    if (n >= NEAR_BYTES || m >= NEAR_BYTES || (n > m ? n - m : m - n) > most)
        return most + 1u;
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned before = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            const unsigned here = row[j], change = before + (tolower((unsigned char)a[i - 1]) !=
                                                             tolower((unsigned char)b[j - 1]));
            const unsigned less = row[j] < row[j - 1] ? row[j] + 1u : row[j - 1] + 1u;
            row[j] = change < less ? change : less;
            before = here;
        }
    }
    return row[m] < most ? row[m] : row[m] == most ? most : most + 1u;
}

/* Keeps a name that is near: a part of it is `what`, or few characters are others. */
static void note_near(struct explain *x, const char *name)
{
    enum { FEW = 3 };
    const unsigned few = strlen(x->what) < 6 ? 1 : FEW;
    unsigned distance = edit_distance(x->what, name, few), at = x->near_count;
    if (distance > few && strlen(x->what) >= 3 && strcasestr(name, x->what))
        distance = FEW + 1u + (unsigned)(strlen(name) - strlen(x->what));
    else if (distance > few)
        return;
    for (unsigned i = 0; i < x->near_count; i++)
        if (strcmp(x->near[i].name, name) == 0)
            return;
    while (at && x->near[at - 1].distance > distance)
        at--;
    if (at == MOST_NEAR || strlen(name) >= NEAR_BYTES)
        return;
    x->near_count += x->near_count < MOST_NEAR;
    memmove(&x->near[at + 1], &x->near[at], (x->near_count - at - 1u) * sizeof x->near[0]);
    x->near[at].distance = distance;
    snprintf(x->near[at].name, sizeof x->near[at].name, "%s", name);
}

static bool is_named(struct explain *x, const char *name)
{
    if (strcasecmp(name, x->what) == 0)
        return true;
    note_near(x, name);
    return false;
}

/* ---- Fields and values ---- */

/* The fields with that name, and those with a value of that name, of a row of this kind. */
static void explain_fields(struct explain *x, const struct sheet *sheet, const char *row, const char *kind,
                           const struct field *fields, unsigned count)
{
    const struct field *const named = field_by_name(fields, count, x->what);
    if (x->suggests_fields)
        for (unsigned i = 0; i < count; i++)
            note_near(x, fields[i].name);
    if (named) {
        fprintf(begin_meaning(x), "%s: a field of %s, %s\n", named->name, row, kind);
        sheet_print_fields(x->text, named, 1, "    ");
        end_meaning(x, sheet->info.name);
    }
    bool has_value = false;
    for (unsigned i = 0; i < count; i++)
        for (const struct field_value *v = fields[i].values; v && v->name; v++) {
            if (strcasecmp(v->name, x->what) != 0)
                continue;
            if (!has_value)
                fprintf(begin_meaning(x), "%s: a value of %s, %s\n", v->name, row, kind);
            has_value = true;
            sheet_print_place(x->text, &fields[i], "    ");
            fprintf(x->text, "  %s: %s=%" PRIu64 "\n", fields[i].name, v->name, (uint64_t)v->value);
        }
    if (has_value)
        end_meaning(x, sheet->info.name);
}

static void look_at_fields(struct explain *x, const struct sheet *sheet, const struct register_file *f)
{
    struct command_set set;
    for (unsigned kind = 0; kind < 2; kind++) {
        static const char *const kinds[] = {"a command", "a structure in memory"};
        if (!(kind ? structure_set_create(&set, structure_tables, sheet->generation)
                   : command_set_create(&set, command_tables, sheet->generation)))
            tool_no_memory();
        for (unsigned i = 1; i < set.count; i++) {
            const struct command *const c = set.rows[i];
            explain_fields(x, sheet, c->name, kinds[kind], c->fields, c->field_count);
            explain_fields(x, sheet, c->name,
                           kind ? "each entry of a structure in memory" : "each group of a command", c->group,
                           c->group_count);
        }
        command_set_destroy(&set);
    }
    for (const struct guc_messages *const *t = guc_message_tables; sheet->guc && *t; t++)
        for (const struct guc_message *m = (*t)->rows; m < (*t)->rows + (*t)->count; m++)
            explain_fields(x, sheet, m->name, "a message of the GuC", m->fields, m->field_count);
    for (uint32_t i = 1; i < f->slot_count; i++) {
        const struct register_slot *const s = &f->slots[i];
        if (register_slot_at(f, s->offset) == s && !s->index && !s->dword)
            explain_fields(x, sheet, s->row->name, "a register", s->row->fields, s->row->field_count);
    }
}

/* ---- Commands and structures ---- */

/* The fields of a header, with the values that it has. */
static void print_header(FILE *to, const struct command *c, uint32_t header)
{
    fprintf(to, "  the header %08" PRIx32 " has:\n", header);
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *const f = &c->fields[i];
        if (f->first >= 32)
            continue;
        const uint64_t value = field_get(f, &header, 1);
        const char *const named = field_value_name(f, value);
        fprintf(to, "    %s = 0x%" PRIx64 "%s%s\n", f->name, value, named ? ", " : "", named ? named : "");
    }
    fprintf(to, "    length = %" PRIu32 " dwords\n", command_length_dw(c, header));
}

static void explain_command(struct explain *x, const struct sheet *sheet, const struct command *c,
                            bool as_header)
{
    char engines[64], length[32];
    FILE *const to = begin_meaning(x);
    command_engine_names(c, engines, sizeof engines);
    command_length_rule(c, length, sizeof length);
    fprintf(to, "%s: a command\n  %s\n", c->name, c->summary);
    fprintf(to, "  header %08" PRIx32 " under mask %08" PRIx32 ", %s dwords; engines: %s; %s%s%s\n", c->match,
            c->mask, length, engines, command_model_name(c),
            c->flags & COMMAND_PRIVILEGED ? ", privileged" : "",
            c->flags & COMMAND_ARBITRATES ? ", preemptable" : "");
    if (c->privileged_if)
        fprintf(to, "  privileged with any of the header's bits %08" PRIx32 "\n", c->privileged_if);
    if (as_header)
        print_header(to, c, (uint32_t)x->number);
    sheet_print_command_fields(to, c);
    fprintf(to, "  source: %s\n", c->spec);
    end_meaning(x, sheet->info.name);
}

static void look_at_commands(struct explain *x, const struct sheet *sheet)
{
    struct command_set set;
    if (!command_set_create(&set, command_tables, sheet->generation))
        tool_no_memory();
    for (unsigned i = 1; i < set.count; i++) {
        const struct command *const c = set.rows[i];
        const bool header = x->has_number && x->number <= UINT32_MAX && x->number >> 16 &&
                            ((uint32_t)x->number & c->mask) == c->match;
        if (header || is_named(x, c->name))
            explain_command(x, sheet, c, header);
    }
    command_set_destroy(&set);
}

static void look_at_structures(struct explain *x, const struct sheet *sheet)
{
    struct command_set set;
    if (!structure_set_create(&set, structure_tables, sheet->generation))
        tool_no_memory();
    for (unsigned i = 1; i < set.count; i++) {
        const struct command *const c = set.rows[i];
        if (!is_named(x, c->name))
            continue;
        FILE *const to = begin_meaning(x);
        fprintf(to, "%s: a structure in memory, %u dwords\n  %s\n", c->name, c->min_dwords, c->summary);
        sheet_print_command_fields(to, c);
        fprintf(to, "  source: %s\n", c->spec);
        end_meaning(x, sheet->info.name);
    }
    command_set_destroy(&set);
}

static void look_at_messages(struct explain *x, const struct sheet *sheet)
{
    for (const struct guc_messages *const *t = guc_message_tables; sheet->guc && *t; t++)
        for (const struct guc_message *m = (*t)->rows; m < (*t)->rows + (*t)->count; m++) {
            if (!is_named(x, m->name) && !(x->has_number && x->number == m->action))
                continue;
            FILE *const to = begin_meaning(x);
            fprintf(to, "%s: a message of the GuC, action %04x, %s, %u to %u dwords after the first\n  %s\n",
                    m->name, m->action, message_way(m), m->min_dw, m->max_dw, m->summary);
            sheet_print_fields(to, m->fields, m->field_count, "    ");
            fprintf(to, "  source: %s\n", m->spec);
            end_meaning(x, sheet->info.name);
        }
}

static void look_at_instructions(struct explain *x, const struct sheet *sheet)
{
    const struct eu_isa *const set = sheet->eu;
    for (unsigned code = 0; set && code < 128; code++) {
        const struct eu_operation *const o = eu_operation_find(set, code);
        if (!o || !is_named(x, o->name))
            continue;
        FILE *const to = begin_meaning(x);
        fprintf(to, "%s: an instruction of the execution units, opcode %02x, %u sources\n  %s\n", o->name,
                code, o->sources, o->summary);
        fprintf(to, "  softgt instructions %s --fields has the bits\n", sheet->info.name);
        end_meaning(x, sheet->info.name);
    }
}

/* ---- Registers and images ---- */

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static void explain_register(struct explain *x, const struct sheet *sheet, const struct register_file *f,
                             const struct register_slot *s)
{
    char name[96];
    FILE *const to = begin_meaning(x);
    const char *const range = register_range_owner(f->ranges, s->offset);
    register_slot_name(s, name, sizeof name);
    fprintf(to, "%s.%s: a register at 0x%" PRIx32 "%s%s%s\n  %s\n", s->unit, name, s->offset,
            *range ? " (" : "", range, *range ? ")" : "", s->row->summary);
    fprintf(to,
            "  access: %s; writable bits %08" PRIx32 "; after reset %08" PRIx32
            "; batches of users %s write it\n",
            register_access_name(s), s->writable | s->w1c, s->reset,
            s->flags & (REG_NONPRIV_WRITE | REG_RENDER_NONPRIV_WRITE) ? "may" : "cannot");
    sheet_print_fields(to, s->row->fields, s->row->field_count, "    ");
    fprintf(to, "  source: %s\n", s->row->spec);
    end_meaning(x, sheet->info.name);
}

static void look_at_registers(struct explain *x, const struct sheet *sheet, const struct register_file *f)
{
    char name[96], whole[160];
    for (uint32_t i = 1; i < f->slot_count; i++) {
        const struct register_slot *const s = &f->slots[i];
        if (register_slot_at(f, s->offset) != s) /* another row took its place */
            continue;
        register_slot_name(s, name, sizeof name);
        snprintf(whole, sizeof whole, "%s.%s", s->unit, name);
        const bool first =
            s->row->count > 1 && !s->index && !s->dword && strcasecmp(s->row->name, x->what) == 0;
        if ((x->has_number && x->number == s->offset) || first || strcasecmp(whole, x->what) == 0 ||
            (strchr(x->what, '.') ? (note_near(x, whole), false) : is_named(x, name)))
            explain_register(x, sheet, f, s);
    }
}

/* "rcs0+0x12": a dword of a context image. */
static void look_at_images(struct explain *x, const struct sheet *sheet, const struct register_file *f)
{
    const char *const plus = strchr(x->what, '+');
    char *end;
    const unsigned long dword = plus ? strtoul(plus + 1, &end, 0) : 0;
    if (!plus || end == plus + 1 || *end)
        return;
    for (unsigned i = 0; i < sheet->info.engine_count; i++) {
        const struct engine_info *const info = &sheet->engines[i];
        if (strlen(info->name) != (size_t)(plus - x->what) ||
            strncmp(info->name, x->what, strlen(info->name)) != 0 || !info->contexts.image)
            continue;
        for (struct image_walk w = image_begin(info->contexts.image, info->mmio_base); image_next(&w);) {
            if (dword < w.at_dw || dword >= w.at_dw + w.length_dw)
                continue;
            char name[96] = "MI_NOOP or a header";
            const struct register_slot *const slot = register_slot_at(f, w.value);
            if (image_is_register(&w) && slot->row)
                register_slot_name(slot, name, sizeof name);
            FILE *const to = begin_meaning(x);
            fprintf(to, "dword 0x%lx of %s's context image, at byte 0x%lx from the LRCA\n", dword, info->name,
                    info->contexts.image_offset + dword * 4u);
            if (image_is_register(&w))
                fprintf(to, "  %s of register 0x%" PRIx32 ", %s\n",
                        dword == w.at_dw ? "the offset" : "the value", w.value, name);
            else
                fprintf(to, "  %s, %08" PRIx32 "\n",
                        w.row->step == IMAGE_LIST        ? "MI_LOAD_REGISTER_IMM: the next list of registers"
                        : w.row->step == IMAGE_BATCH_END ? "MI_BATCH_BUFFER_END"
                        : w.row->step == IMAGE_NOOP
                            ? "MI_NOOP"
                            : "MI_NOOP with the length of the state commands after it",
                        w.value);
            fputs("  source: softgt contexts lists the whole image\n", to);
            end_meaning(x, sheet->info.name);
        }
    }
}

/* ---- Pages ---- */

static void look_at_terms(struct explain *x)
{
    for (const struct explained_term *t = explained_terms; t->name; t++) {
        if (!is_named(x, t->name))
            continue;
        fprintf(begin_meaning(x), "%s: a term\n  %s\n  source: docs/glossary.md\n", t->name, t->text);
        end_meaning(x, NULL);
    }
}

static bool has_item(const char *spec, const char *item)
{
    return spec && strcasestr(spec, item);
}

/* The names of rows whose source is the item; "..." where there are too many. */
static void print_rows_of(FILE *to, const char *item)
{
    enum { MOST = 40 };
    const char *names[MOST];
    unsigned count = 0, more = 0;
    const struct sheet *sheet;
    for (size_t n = 0; softgt_device_at(n); n++) {
        struct command_set set;
        sheet = sheet_find(softgt_device_at(n)->name);
        if (!command_set_create(&set, command_tables, sheet->generation))
            tool_no_memory();
        for (unsigned i = 1; i < set.count; i++) {
            unsigned k = 0;
            if (!has_item(set.rows[i]->spec, item))
                continue;
            while (k < count && strcmp(names[k], set.rows[i]->name) != 0)
                k++;
            if (k == count && count < MOST)
                names[count++] = set.rows[i]->name; /* rows without a name have their command's: static */
            else if (k == count)
                more++;
        }
        command_set_destroy(&set);
    }
    for (unsigned k = 0; k < count; k++)
        fprintf(to, "%s%s", k ? ", " : "  its commands: ", names[k]);
    if (count)
        fputs(more ? ", ...\n" : "\n", to);
}

static void look_at_items(struct explain *x)
{
    for (const struct explained_item *i = explained_items; i->name; i++) {
        if (!is_named(x, i->name))
            continue;
        FILE *const to = begin_meaning(x);
        fprintf(to, "%s: an item of the manuals' checklist, %s\n", i->name, i->status);
        print_rows_of(to, i->name);
        for (const struct explained_term *n = explained_notes; n->name; n++)
            if (strcmp(n->name, i->name) == 0)
                fprintf(to, "  - %s\n", n->text);
        fprintf(to, "  implemented in: %s\n  tests: %s\n  source: docs/coverage.md\n", i->sources, i->tests);
        end_meaning(x, NULL);
    }
}

/* ---- All ---- */

static void look_at_device(struct explain *x, const char *name)
{
    const struct sheet *const sheet = sheet_find(name);
    const struct softgt_config config = {.device = name, .memory = {.read = no_memory}};
    struct softgt *device;
    look_at_commands(x, sheet);
    look_at_structures(x, sheet);
    look_at_messages(x, sheet);
    look_at_instructions(x, sheet);
    if (softgt_create(&config, &device) != 0)
        tool_no_memory();
    look_at_registers(x, sheet, softgt_register_file(device));
    look_at_images(x, sheet, softgt_register_file(device));
    look_at_fields(x, sheet, softgt_register_file(device));
    softgt_destroy(device);
}

static void look_at_devices(struct explain *x)
{
    for (size_t n = 0; softgt_device_at(n); n++)
        if (!x->device || strcmp(x->device, softgt_device_at(n)->name) == 0)
            look_at_device(x, softgt_device_at(n)->name);
}

/* Linux' RING_MODE, rcs0.RING_MODE: the row's name is explained. */
static void look_at_linux_name(struct explain *x)
{
    static char name[2 * NEAR_BYTES];
    const char *const dot = strchr(x->what, '.'), *const from = dot ? dot + 1 : x->what;
    char upper[NEAR_BYTES] = "";
    for (size_t i = 0; from[i] && i < sizeof upper - 1; i++)
        upper[i] = (char)toupper((unsigned char)from[i]);
    if (strncmp(upper, "RING_", 5) != 0 || strcmp(error_row_name(upper), upper) == 0)
        return;
    const char *const asked = x->what;
    snprintf(name, sizeof name, "%.*s%s", (int)(from - x->what), x->what, error_row_name(upper));
    x->what = name;
    look_at_devices(x);
    x->what = asked;
    if (x->first && !x->json)
        printf("%s: Linux' name of %s\n\n", asked, name);
}

static void print_meanings(const struct explain *x)
{
    for (const struct meaning *m = x->first; m; m = m->next) {
        fputs(m->text, stdout);
        if (*m->devices)
            printf("  devices: %s\n", m->devices);
        if (m->next)
            putchar('\n');
    }
}

static void print_json(const struct explain *x)
{
    struct json_object *const o = json_report("softgt.explain"), *const all = json_array(),
                              *const near = json_array();
    for (const struct meaning *m = x->first; m; m = m->next) {
        struct json_object *const row = json_empty(), *const devices = json_array();
        char list[DEVICES_BYTES], *rest = NULL;
        snprintf(list, sizeof list, "%s", m->devices);
        for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest))
            json_append(devices, json_string(name));
        json_add(row, "text", json_text(m->text));
        json_add(row, "devices", devices);
        json_append(all, row);
    }
    for (unsigned i = 0; !x->first && i < x->near_count; i++)
        json_append(near, json_string(x->near[i].name));
    json_add(o, "what", json_text(x->what));
    json_add(o, "meanings", all);
    json_add(o, "near", near);
    json_print(o);
}

static void print_nothing(const struct explain *x)
{
    char near[MOST_NEAR * (NEAR_BYTES + 2)] = "";
    for (unsigned i = 0; i < x->near_count; i++) {
        strncat(near, i ? ", " : "", sizeof near - strlen(near) - 1);
        strncat(near, x->near[i].name, sizeof near - strlen(near) - 1);
    }
    tool_error(NULL, *near ? "nothing is named '%s'; these are like it: %s" : "nothing is named '%s'",
               x->what, near);
}

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "what this device has; without the option, what any has", 0},
    {"json", 'j', NULL, 0, "as JSON", 0},
    {0},
};

static error_t explain_parse(int key, char *argument, struct argp_state *state)
{
    struct explain *x = state->input;
    char *end;
    switch (key) {
    case 'd':
        if (!tool_device(argument))
            exit(TOOL_UNUSABLE);
        x->device = argument;
        return 0;
    case 'j':
        x->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (x->what)
            argp_error(state, "'%s' is too much: one name at a time", argument);
        x->what = argument;
        errno = 0;
        x->number = strtoull(argument, &end, 16);
        x->has_number =
            *argument && !*end && *argument != '-' && !errno && isxdigit((unsigned char)*argument);
        return 0;
    case ARGP_KEY_END:
        if (!x->what || !*x->what)
            argp_error(state,
                       "WHAT is missing: a command, header, register, offset, structure, field, value, "
                       "message, instruction, ENGINE+DWORD of a context image, checklist item or term");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_explain(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = explain_parse,
        .args_doc = "WHAT",
        .doc =
            "Explains a name or a number: a command or its header (11000001), a register by name, "
            "unit.name or "
            "offset (rcs0.CTXT_SR_CTL, 0x2244), a structure, a field (\"DC Flush Enable\") or a named value "
            "(INV_SRC_COLOR), a message of the GuC, an instruction, a "
            "dword of a "
            "context image (rcs0+0x12), an item of the checklist (CSP-07), a term of the glossary. All "
            "meanings are "
            "shown.\vExit status: 0 explained, 1 nothing has that name, 2 for bad options.",
    };
    struct explain x = {0};
    x.last = &x.first;
    tool_parse(&argp, argc, argv, &x);
    look_at_devices(&x);
    look_at_items(&x);
    look_at_terms(&x);
    if (!x.first)
        look_at_linux_name(&x);
    x.suggests_fields = !x.first && !x.near_count;
    if (x.suggests_fields)
        look_at_devices(&x);
    if (x.json)
        print_json(&x);
    else if (x.first)
        print_meanings(&x);
    else
        print_nothing(&x);
    const bool found = x.first;
    while (x.first) {
        struct meaning *const next = x.first->next;
        free(x.first->text);
        free(x.first);
        x.first = next;
    }
    return found ? TOOL_CLEAN : TOOL_FAILED;
}
