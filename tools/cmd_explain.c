/* softgt explain: what a name, a header or an offset means, from the rows of all devices. */
#include "explained.h"
#include "sheet_arguments.h"
#include "sheet_rows.h"

#include "gen/sheet.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

enum { MOST_NEAR = 8, NEAR_BYTES = 64, DEVICES_BYTES = 400, MOST_DEVICES = 64 };

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
    const char *device;                        /* NULL: all */
    struct softgt_spec *specs[MOST_DEVICES];   /* by the device's index; made when they are needed */
    struct softgt_spec *decoded[MOST_DEVICES]; /* the same of those that are only decoded */
    bool json, suggests_fields;                /* suggests_fields: fields that are like it are near */
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

/* What is looked through: the rows of a device. */
struct looked {
    struct explain *x;
    const struct softgt_spec *spec;
    const char *device;
};

/* The fields from `first` on, as many as `count`, with that name, and those with a value of that name, of a
 * row of this kind. */
static void explain_fields(const struct looked *l, const struct softgt_row *row, const char *name,
                           const char *kind, uint32_t first, uint32_t count)
{
    struct explain *const x = l->x;
    struct softgt_field_info f;
    uint64_t value;
    size_t named = first;
    for (uint32_t i = 0; x->suggests_fields && i < count; i++) {
        softgt_row_get_field(row, first + i, &f);
        note_near(x, f.name);
    }
    if (softgt_row_find_field(row, x->what, &named) && named < first + count) {
        softgt_row_get_field(row, named, &f);
        fprintf(begin_meaning(x), "%s: a field of %s, %s\n", f.name, name, kind);
        sheet_print_field(x->text, row, named, "    ");
        end_meaning(x, l->device);
    }
    bool has_value = false;
    for (uint32_t i = 0; i < count; i++) {
        const char *value_name;
        for (size_t v = 0; (value_name = softgt_row_value_name(row, first + i, v, &value)) != NULL; v++) {
            if (strcasecmp(value_name, x->what) != 0)
                continue;
            if (!has_value)
                fprintf(begin_meaning(x), "%s: a value of %s, %s\n", value_name, name, kind);
            has_value = true;
            softgt_row_get_field(row, first + i, &f);
            sheet_print_place(x->text, &f, "    ");
            fprintf(x->text, "  %s: %s=%" PRIu64 "\n", f.name, value_name, value);
        }
    }
    if (has_value)
        end_meaning(x, l->device);
}

/* Another register, which was placed later, has the offset. */
static bool is_hidden(const struct looked *l, const struct softgt_row *row, uint32_t offset)
{
    return softgt_spec_register(l->spec, offset) != row;
}

static void look_at_fields(const struct looked *l)
{
    static const char *const kinds[] = {
        [SOFTGT_ROW_COMMAND] = "a command",
        [SOFTGT_ROW_STRUCTURE] = "a structure in memory",
        [SOFTGT_ROW_MESSAGE] = "a message of the GuC",
    };
    static const enum softgt_row_kind order[] = {SOFTGT_ROW_COMMAND, SOFTGT_ROW_STRUCTURE,
                                                 SOFTGT_ROW_MESSAGE};
    const struct softgt_row *row;
    struct softgt_row_info info;
    for (unsigned k = 0; k < sizeof order / sizeof order[0]; k++)
        for (size_t i = 0; (row = softgt_spec_row(l->spec, order[k], i)) != NULL; i++) {
            softgt_row_get_info(row, &info);
            explain_fields(l, row, info.name, kinds[order[k]], 0, info.fields);
            explain_fields(l, row, info.name,
                           order[k] == SOFTGT_ROW_STRUCTURE ? "each entry of a structure in memory"
                                                            : "each group of a command",
                           info.fields, info.group_fields);
        }
    for (size_t i = 0; (row = softgt_spec_unit_register(l->spec, i)) != NULL; i++) {
        softgt_row_get_info(row, &info);
        if (is_hidden(l, row, info.value) || register_is_later(&info))
            continue;
        char name[96];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(info.name, "["), info.name);
        explain_fields(l, row, name, "a register", 0, info.fields);
    }
}

/* ---- Commands and structures ---- */

/* The fields of a header, with the values that it has. */
static void print_header(FILE *to, const struct softgt_row *row, const struct softgt_row_info *c,
                         uint32_t header)
{
    struct softgt_decoded_field f;
    fprintf(to, "  the header %08" PRIx32 " has:\n", header);
    for (size_t i = 0; softgt_decode_field(row, &header, 1, i, &f) && f.group == UINT32_MAX; i++)
        fprintf(to, "    %s = 0x%" PRIx64 "%s%s\n", f.name, f.value, f.value_name ? ", " : "",
                f.value_name ? f.value_name : "");
    const uint32_t length = header & ((UINT32_C(1) << c->length_bits) - 1u);
    fprintf(to, "    length = %" PRIu32 " dwords\n", c->length_bits ? length + c->length_bias : c->length_dw);
}

static void explain_command(const struct looked *l, const struct softgt_row *row,
                            const struct softgt_row_info *c, bool as_header)
{
    struct explain *const x = l->x;
    char engines[64], length[32];
    FILE *const to = begin_meaning(x);
    command_engine_names(c, engines, sizeof engines);
    command_length_rule(c, length, sizeof length);
    fprintf(to, "%s: a command\n  %s\n", c->name, c->summary);
    fprintf(to, "  header %08" PRIx32 " under mask %08" PRIx32 ", %s dwords; engines: %s; %s%s%s\n", c->value,
            c->mask, length, engines, command_model_name(c), c->is_privileged ? ", privileged" : "",
            c->is_preemptable ? ", preemptable" : "");
    if (c->privileged_if)
        fprintf(to, "  privileged with any of the header's bits %08" PRIx32 "\n", c->privileged_if);
    if (as_header)
        print_header(to, row, c, (uint32_t)x->number);
    sheet_print_command_fields(to, row);
    fprintf(to, "  source: %s\n", c->source);
    end_meaning(x, l->device);
}

static void look_at_commands(const struct looked *l)
{
    struct explain *const x = l->x;
    const struct softgt_row *row;
    struct softgt_row_info c;
    for (size_t i = 0; (row = softgt_spec_row(l->spec, SOFTGT_ROW_COMMAND, i)) != NULL; i++) {
        softgt_row_get_info(row, &c);
        const bool header = x->has_number && x->number <= UINT32_MAX && x->number >> 16 &&
                            ((uint32_t)x->number & c.mask) == c.value;
        if (header || is_named(x, c.name))
            explain_command(l, row, &c, header);
    }
}

static void look_at_structures(const struct looked *l)
{
    const struct softgt_row *row;
    struct softgt_row_info s;
    for (size_t i = 0; (row = softgt_spec_row(l->spec, SOFTGT_ROW_STRUCTURE, i)) != NULL; i++) {
        softgt_row_get_info(row, &s);
        if (!is_named(l->x, s.name))
            continue;
        FILE *const to = begin_meaning(l->x);
        fprintf(to, "%s: a structure in memory, %u dwords\n  %s\n", s.name, s.length_dw, s.summary);
        sheet_print_command_fields(to, row);
        fprintf(to, "  source: %s\n", s.source);
        end_meaning(l->x, l->device);
    }
}

static void look_at_messages(const struct looked *l)
{
    struct explain *const x = l->x;
    const struct softgt_row *row;
    struct softgt_row_info m;
    for (size_t i = 0; (row = softgt_spec_row(l->spec, SOFTGT_ROW_MESSAGE, i)) != NULL; i++) {
        softgt_row_get_info(row, &m);
        if (!is_named(x, m.name) && !(x->has_number && x->number == m.value))
            continue;
        FILE *const to = begin_meaning(x);
        fprintf(to, "%s: a message of the GuC, action %04x, %s, %u to %u dwords after the first\n  %s\n",
                m.name, m.value, message_way(&m), m.length_dw, m.most_length_dw, m.summary);
        sheet_print_fields(to, row, "    ");
        fprintf(to, "  source: %s\n", m.source);
        end_meaning(x, l->device);
    }
}

static void look_at_instructions(const struct looked *l)
{
    const struct softgt_operation *o;
    for (size_t i = 0; (o = softgt_spec_operation(l->spec, i)) != NULL; i++) {
        if (!is_named(l->x, o->name))
            continue;
        FILE *const to = begin_meaning(l->x);
        fprintf(to, "%s: an instruction of the execution units, opcode %02x, %u sources\n  %s\n", o->name,
                o->opcode, o->sources, o->summary);
        fprintf(to, "  softgt instructions %s --fields has the bits\n", l->device);
        end_meaning(l->x, l->device);
    }
}

/* ---- Registers and images ---- */

static void explain_register(const struct looked *l, const struct register_dword *d)
{
    FILE *const to = begin_meaning(l->x);
    const char *const range = softgt_spec_range_owner(l->spec, d->offset);
    fprintf(to, "%s.%s: a register at 0x%" PRIx32 "%s%s%s\n  %s\n", d->info.unit, d->name, d->offset,
            range ? " (" : "", range ? range : "", range ? ")" : "", d->info.summary);
    fprintf(to,
            "  access: %s; writable bits %08" PRIx32 "; after reset %08" PRIx32
            "; batches of users %s write it\n",
            register_access_name(d), (uint32_t)(d->info.writable_bits | d->info.clear_bits),
            (uint32_t)d->info.reset_value, d->info.is_user_writable ? "may" : "cannot");
    sheet_print_fields(to, d->row, "    ");
    fprintf(to, "  source: %s\n", d->info.source);
    end_meaning(l->x, l->device);
}

static void look_at_register(const struct looked *l, const struct register_dword *d)
{
    struct explain *const x = l->x;
    char whole[160];
    const size_t stem = strcspn(d->info.name, "[");
    snprintf(whole, sizeof whole, "%s.%s", d->info.unit, d->name);
    const bool first = d->info.array_length > 1 && d->offset == d->info.value &&
                       !register_is_later(&d->info) && strlen(x->what) == stem &&
                       strncasecmp(d->info.name, x->what, stem) == 0;
    if ((x->has_number && x->number == d->offset) || first || strcasecmp(whole, x->what) == 0 ||
        (strchr(x->what, '.') ? (note_near(x, whole), false) : is_named(x, d->name)))
        explain_register(l, d);
}

static void look_at_registers(const struct looked *l)
{
    const struct softgt_row *row;
    struct register_dword d;
    for (size_t i = 0; (row = softgt_spec_unit_register(l->spec, i)) != NULL; i++)
        for (unsigned n = 0; register_dword(row, n, &d); n++)
            if (!is_hidden(l, row, d.offset))
                look_at_register(l, &d);
}

static void explain_item(const struct looked *l, const struct softgt_image *image,
                         const struct softgt_image_item *item, unsigned long dword)
{
    char name[96];
    const bool is_register =
        item->step == SOFTGT_IMAGE_REGISTER || item->step == SOFTGT_IMAGE_UNKNOWN_REGISTER;
    if (!softgt_spec_register_name(l->spec, item->value, name, sizeof name))
        snprintf(name, sizeof name, "MI_NOOP or a header");
    FILE *const to = begin_meaning(l->x);
    fprintf(to, "dword 0x%lx of %s's context image, at byte 0x%lx from the LRCA\n", dword, image->engine,
            image->offset_bytes + dword * 4u);
    if (is_register)
        fprintf(to, "  %s of register 0x%" PRIx32 ", %s\n",
                dword == item->first_dw ? "the offset" : "the value", item->value, name);
    else
        fprintf(to, "  %s, %08" PRIx32 "\n",
                item->step == SOFTGT_IMAGE_LIST        ? "MI_LOAD_REGISTER_IMM: the next list of registers"
                : item->step == SOFTGT_IMAGE_BATCH_END ? "MI_BATCH_BUFFER_END"
                : item->step == SOFTGT_IMAGE_NOOP      ? "MI_NOOP"
                                                  : "MI_NOOP with the length of the state commands after it",
                item->value);
    fputs("  source: softgt contexts lists the whole image\n", to);
    end_meaning(l->x, l->device);
}

/* "rcs0+0x12": a dword of a context image. */
static void look_at_images(const struct looked *l)
{
    const char *const what = l->x->what, *const plus = strchr(what, '+');
    const struct softgt_image *image;
    const struct softgt_image_item *item;
    char *end;
    const unsigned long dword = plus ? strtoul(plus + 1, &end, 0) : 0;
    if (!plus || end == plus + 1 || *end)
        return;
    for (size_t i = 0; (image = softgt_spec_image(l->spec, i)) != NULL; i++) {
        if (image->is_power || strlen(image->engine) != (size_t)(plus - what) ||
            strncmp(image->engine, what, strlen(image->engine)) != 0)
            continue;
        for (size_t n = 0; (item = softgt_spec_image_item(l->spec, i, n)) != NULL; n++)
            if (dword >= item->first_dw && dword < item->first_dw + item->length_dw)
                explain_item(l, image, item, dword);
    }
}

/* ---- Pages ---- */

/* The rows of device `index`. */
static const struct softgt_spec *spec_of(struct explain *x, size_t index)
{
    if (index >= MOST_DEVICES)
        tool_no_memory();
    if (!x->specs[index])
        x->specs[index] = sheet_spec(softgt_device_at(index)->name);
    return x->specs[index];
}

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
static void print_rows_of(struct explain *x, FILE *to, const char *item)
{
    enum { MOST = 40 };
    const char *names[MOST];
    unsigned count = 0, more = 0;
    const struct softgt_row *row;
    struct softgt_row_info info;
    for (size_t n = 0; softgt_device_at(n); n++)
        for (size_t i = 0; (row = softgt_spec_row(spec_of(x, n), SOFTGT_ROW_COMMAND, i)) != NULL; i++) {
            unsigned k = 0;
            softgt_row_get_info(row, &info);
            if (!has_item(info.source, item))
                continue;
            while (k < count && strcmp(names[k], info.name) != 0)
                k++;
            if (k == count && count < MOST)
                names[count++] = info.name;
            else if (k == count)
                more++;
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
        print_rows_of(x, to, i->name);
        for (const struct explained_term *n = explained_notes; n->name; n++)
            if (strcmp(n->name, i->name) == 0)
                fprintf(to, "  - %s\n", n->text);
        fprintf(to, "  implemented in: %s\n  tests: %s\n  source: docs/coverage.md\n", i->sources, i->tests);
        end_meaning(x, NULL);
    }
}

/* ---- All ---- */

/* `runs`: false: of a product that is only decoded, registers are not known. */
static void look_at_device(struct explain *x, const struct softgt_spec *spec, const char *device, bool runs)
{
    const struct looked looked = {x, spec, device};
    look_at_commands(&looked);
    look_at_structures(&looked);
    look_at_messages(&looked);
    look_at_instructions(&looked);
    if (runs) {
        look_at_registers(&looked);
        look_at_images(&looked);
    }
    look_at_fields(&looked);
}

/* A product that is only decoded, if it is asked for, or if nothing else has its commands. */
static void look_at_decoded(struct explain *x, size_t index)
{
    const struct sheet *const sheet = decoded_sheets[index];
    bool is_shown = x->device && strcmp(x->device, sheet->info.name) == 0;
    if (!x->device) {
        const struct sheet *const *s = sheets;
        while (*s && (*s)->generation != sheet->generation)
            s++;
        is_shown = !*s;
    }
    if (!is_shown)
        return;
    if (index >= MOST_DEVICES)
        tool_no_memory();
    if (!x->decoded[index])
        x->decoded[index] = sheet_spec(sheet->info.name);
    look_at_device(x, x->decoded[index], sheet->info.name, false);
}

static void look_at_devices(struct explain *x)
{
    for (size_t n = 0; softgt_device_at(n); n++) {
        const char *const device = softgt_device_at(n)->name;
        if (!x->device || strcmp(x->device, device) == 0)
            look_at_device(x, spec_of(x, n), device, true);
    }
    for (size_t n = 0; decoded_sheets[n]; n++)
        look_at_decoded(x, n);
}

/* Linux' RING_MODE, rcs0.RING_MODE: the row's name is explained. */
static void look_at_linux_name(struct explain *x)
{
    static char name[2 * NEAR_BYTES];
    const char *const dot = strchr(x->what, '.'), *const from = dot ? dot + 1 : x->what;
    char upper[NEAR_BYTES] = "";
    for (size_t i = 0; from[i] && i < sizeof upper - 1; i++)
        upper[i] = (char)toupper((unsigned char)from[i]);
    if (strncmp(upper, "RING_", 5) != 0 || strcmp(softgt_linux_register_name(upper), upper) == 0)
        return;
    const char *const asked = x->what;
    snprintf(name, sizeof name, "%.*s%s", (int)(from - x->what), x->what, softgt_linux_register_name(upper));
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
        if (!tool_knows_device(argument))
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
    for (size_t n = 0; n < MOST_DEVICES; n++) {
        softgt_spec_destroy(x.specs[n]);
        softgt_spec_destroy(x.decoded[n]);
    }
    return found ? TOOL_CLEAN : TOOL_FAILED;
}
