/* softgt registers: lists a device's registers, from their rows. */
#include "sheet_arguments.h"
#include "sheet_rows.h"

static bool report_no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

enum { LONG_ARRAY = 32 };

static int by_offset(const void *a, const void *b)
{
    const struct register_slot *x = *(const struct register_slot *const *)a,
                               *y = *(const struct register_slot *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Selects the registers of the requested engine; all registers without a request. */
static bool is_listed(const struct sheet_arguments *a, const char *unit)
{
    if (!a->engine)
        return true;
    for (unsigned i = 0; i < a->sheet->info.engine_count; i++) {
        const struct engine_info *e = &a->sheet->engines[i];
        if (strcmp(unit, e->name) == 0)
            return strcmp(a->engine, e->name) == 0 ||
                   (!strpbrk(a->engine, "0123456789") && a->classes & 1u << e->class);
    }
    return false;
}

/* Names a long array on one line, "HEVC[0-63]". False: its first element had that line. */
static bool name_line(const struct register_slot *s, char *text, size_t size)
{
    if (s->row->count <= LONG_ARRAY) {
        register_slot_name(s, text, size);
        return true;
    }
    snprintf(text, size, "%s[0-%u]", s->row->name, s->row->count - 1u);
    return s->index == 0 && s->dword == 0;
}

static struct json_object *as_json(const struct register_file *file, const struct register_slot *s,
                                   const char *name)
{
    struct json_object *o = json_empty(), *fields = json_array();
    for (unsigned i = 0; i < s->row->field_count; i++)
        json_append(fields, sheet_field_json(&s->row->fields[i]));
    json_add(o, "offset", json_uint64(s->offset));
    json_add(o, "range", json_string(register_range_owner(file->ranges, s->offset)));
    json_add(o, "unit", json_string(s->unit));
    json_add(o, "name", json_string(name));
    json_add(o, "access", json_string(register_access_name(s)));
    json_add(o, "writable", json_uint64(s->writable | s->w1c));
    if (s->w1c)
        json_add(o, "w1c", json_uint64(s->w1c));
    json_add(o, "reset", json_uint64(s->reset));
    json_add(o, "user", json_boolean((s->flags & (REG_NONPRIV_WRITE | REG_RENDER_NONPRIV_WRITE)) != 0));
    json_add(o, "summary", json_string(s->row->summary));
    json_add(o, "spec", json_string(s->row->spec));
    json_add(o, "fields", fields);
    return o;
}

int cmd_registers(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(&a, argc, argv, "Lists the registers of a device, or of one engine.",
                          SHEET_ACCEPTS_FIELDS | SHEET_ACCEPTS_ENGINE);
    struct softgt *device;
    const struct softgt_config config = {.device = a.sheet->info.name, .memory = {.read = report_no_memory}};
    if (softgt_create(&config, &device) != 0) {
        tool_error(NULL, "out of memory");
        return TOOL_UNUSABLE;
    }
    const struct register_file *file = softgt_register_file(device);
    const struct register_slot **slots = calloc(file->slot_count, sizeof *slots);
    if (!slots)
        tool_no_memory();
    unsigned count = 0;
    for (unsigned i = 1; i < file->slot_count; i++)
        if (is_listed(&a, file->slots[i].unit))
            slots[count++] = &file->slots[i];
    qsort(slots, count, sizeof *slots, by_offset);
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| offset | unit | register | access | writable | reset | batches may write | what it is | "
             "reference |\n"
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (unsigned i = 0; i < count; i++) {
        const struct register_slot *s = slots[i];
        char name[96];
        if (a.json) {
            register_slot_name(s, name, sizeof name);
            json_append(all, as_json(file, s, name));
            continue;
        }
        if (!name_line(s, name, sizeof name))
            continue;
        if (a.markdown)
            printf("| %06x | %s | %s | %s | %08x | %08x | %s | %s | %s |\n", s->offset, s->unit, name,
                   register_access_name(s), s->writable | s->w1c, s->reset,
                   s->flags & (REG_NONPRIV_WRITE | REG_RENDER_NONPRIV_WRITE) ? "yes" : "no", s->row->summary,
                   s->row->spec);
        else
            printf("%06x  %-9s %-30s %-9s %08x  reset %08x  %s\n", s->offset, s->unit, name,
                   register_access_name(s), s->writable | s->w1c, s->reset, s->row->summary);
        if (a.fields && !a.markdown)
            sheet_print_fields(stdout, s->row->fields, s->row->field_count, "    ");
    }
    if (a.json) {
        struct json_object *o = sheet_object(&a, "softgt.registers");
        json_add(o, "registers", all);
        json_print(o);
    } else {
        json_object_put(all);
    }
    free(slots);
    softgt_destroy(device);
    return TOOL_CLEAN;
}
