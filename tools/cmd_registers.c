/* softgt registers: lists a device's registers, from their rows. */
#include "sheet_arguments.h"
#include "sheet_rows.h"

enum { LONG_ARRAY = 32 };

static int by_offset(const void *a, const void *b)
{
    const struct register_dword *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Names a long array on one line, "HEVC[0-63]". False: its first element had that line. */
static bool name_line(const struct register_dword *d, char *text, size_t size)
{
    const char *const name = d->info.name, *const index = strrchr(name, '[');
    if (d->info.array_length <= LONG_ARRAY || !index) {
        snprintf(text, size, "%s", d->name);
        return true;
    }
    snprintf(text, size, "%.*s[0-%u]", (int)(index - name), name, d->info.array_length - 1u);
    return !register_is_later(&d->info) && d->offset == d->info.value;
}

static struct json_object *as_json(const struct softgt_spec *spec, const struct register_dword *d)
{
    struct json_object *o = json_empty(), *fields = json_array();
    const char *const owner = softgt_spec_range_owner(spec, d->offset);
    for (uint32_t i = 0; i < d->info.fields; i++)
        json_append(fields, sheet_field_json(d->row, i));
    json_add(o, "offset", json_uint64(d->offset));
    json_add(o, "range", json_string(owner ? owner : ""));
    json_add(o, "unit", json_string(d->info.unit));
    json_add(o, "name", json_string(d->name));
    json_add(o, "access", json_string(register_access_name(d)));
    json_add(o, "writable", json_uint64(d->info.writable_bits | d->info.clear_bits));
    if (d->info.clear_bits)
        json_add(o, "w1c", json_uint64(d->info.clear_bits));
    json_add(o, "reset", json_uint64(d->info.reset_value));
    json_add(o, "user", json_boolean(d->info.is_user_writable));
    json_add(o, "summary", json_string(d->info.summary));
    json_add(o, "spec", json_string(d->info.source));
    json_add(o, "fields", fields);
    return o;
}

static void print_register(const struct sheet_arguments *a, const struct register_dword *d)
{
    const struct softgt_row_info *const i = &d->info;
    const uint32_t writable = (uint32_t)(i->writable_bits | i->clear_bits), reset = (uint32_t)i->reset_value;
    char name[96];
    if (!name_line(d, name, sizeof name))
        return;
    if (a->markdown)
        printf("| %06x | %s | %s | %s | %08x | %08x | %s | %s | %s |\n", d->offset, i->unit, name,
               register_access_name(d), writable, reset, i->is_user_writable ? "yes" : "no", i->summary,
               i->source);
    else
        printf("%06x  %-9s %-30s %-9s %08x  reset %08x  %s\n", d->offset, i->unit, name,
               register_access_name(d), writable, reset, i->summary);
    if (a->fields && !a->markdown)
        sheet_print_fields(stdout, d->row, "    ");
}

/* The dwords of all registers, or of the requested engine's, by offset. */
static struct register_dword *list_dwords(const struct sheet_arguments *a, size_t *count)
{
    const struct softgt_row *row;
    const size_t rows = softgt_spec_rows(a->spec, SOFTGT_ROW_REGISTER);
    struct register_dword *const all = calloc(2 * rows + 1, sizeof *all);
    if (!all)
        tool_no_memory();
    *count = 0;
    for (size_t i = 0; (row = softgt_spec_unit_register(a->spec, i)) != NULL; i++)
        for (unsigned n = 0; register_dword(row, n, &all[*count]); n++) {
            if (a->engine && !sheet_has_engine(a, all[*count].info.unit))
                break;
            ++*count;
        }
    qsort(all, *count, sizeof *all, by_offset);
    return all;
}

int cmd_registers(int argc, char **argv)
{
    struct sheet_arguments a;
    size_t count;
    sheet_arguments_parse(&a, argc, argv, "Lists the registers of a device, or of one engine.",
                          SHEET_ACCEPTS_FIELDS | SHEET_ACCEPTS_ENGINE);
    struct register_dword *const dwords = list_dwords(&a, &count);
    struct json_object *all = json_array();
    if (a.markdown)
        puts("| offset | unit | register | access | writable | reset | batches may write | what it is | "
             "reference |\n"
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < count; i++) {
        if (a.json)
            json_append(all, as_json(a.spec, &dwords[i]));
        else
            print_register(&a, &dwords[i]);
    }
    if (a.json) {
        struct json_object *o = sheet_object(&a, "softgt.registers");
        json_add(o, "registers", all);
        json_print(o);
    } else {
        json_object_put(all);
    }
    free(dwords);
    sheet_arguments_end(&a);
    return TOOL_CLEAN;
}
