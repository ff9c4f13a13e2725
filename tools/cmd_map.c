/*
 * softgt map: lists units, owners of register ranges, function IDs, kinds of memory and base addresses, from
 * the data sheet.
 */
#include "sheet_arguments.h"

struct table {
    const struct sheet_arguments *arguments;
    struct json_object *all, *rows;
    unsigned columns;
    const char *const *heads;
    const unsigned *widths;
};

/* Turns "found by" into a JSON key. */
static const char *map_key(const char *title, char *key, size_t size)
{
    snprintf(key, size, "%s", title);
    for (char *c = key; *c; c++)
        *c = *c == ' ' ? '_' : *c;
    return key;
}

static void map_begin(struct table *t, const char *title, unsigned columns, const char *const *heads,
                      const unsigned *widths)
{
    t->rows = json_array();
    t->columns = columns;
    t->heads = heads;
    t->widths = widths;
    char key[40];
    json_add(t->all, map_key(title, key, sizeof key), t->rows);
    if (t->arguments->json)
        return;
    printf(t->arguments->markdown ? "\n## %s\n\n|" : "%s:\n", title);
    if (!t->arguments->markdown)
        return;
    for (unsigned i = 0; i < columns; i++)
        printf(" %s |", heads[i]);
    printf("\n|");
    for (unsigned i = 0; i < columns; i++)
        printf(" --- |");
    putchar('\n');
}

static void row(struct table *t, const char *const *cells)
{
    struct json_object *o = json_empty();
    char key[40];
    for (unsigned i = 0; i < t->columns; i++)
        json_add(o, map_key(t->heads[i], key, sizeof key), cells[i] ? json_string(cells[i]) : NULL);
    json_append(t->rows, o);
    if (t->arguments->json)
        return;
    if (t->arguments->markdown)
        printf("|");
    for (unsigned i = 0; i < t->columns; i++) {
        const char *cell = cells[i] ? cells[i] : "reserved";
        if (t->arguments->markdown)
            printf(" %s |", cell);
        else if (i + 1u == t->columns)
            printf("  %s", cell);
        else
            printf("  %-*s", (int)t->widths[i], cell);
    }
    putchar('\n');
}

static void map_units(struct table *t, const struct softgt_spec *s)
{
    static const char *const heads[] = {"base", "unit", "what"};
    static const unsigned widths[] = {6, 8};
    const struct softgt_unit *u;
    map_begin(t, "units", 3, heads, widths);
    for (size_t i = 0; (u = softgt_spec_unit(s, i)) != NULL; i++) {
        char base[16];
        snprintf(base, sizeof base, "%06x", u->mmio_base);
        row(t, (const char *const[]){base, u->engine, u->name});
    }
}

static void map_ranges(struct table *t, const struct softgt_spec *s)
{
    static const char *const heads[] = {"first", "last", "owner"};
    static const unsigned widths[] = {6, 6};
    const struct softgt_register_range *r;
    if (!softgt_spec_range(s, 0))
        return;
    map_begin(t, "ranges", 3, heads, widths);
    for (size_t i = 0; (r = softgt_spec_range(s, i)) != NULL; i++) {
        char first[16], last[16];
        snprintf(first, sizeof first, "%06x", r->first);
        snprintf(last, sizeof last, "%06x", r->last);
        row(t, (const char *const[]){first, last, r->owner});
    }
}

static void map_functions(struct table *t, const struct softgt_spec *s)
{
    static const char *const heads[] = {"id", "sfid", "shared function", "ffid", "fixed function"};
    static const unsigned widths[] = {2, 12, 30, 12};
    const struct softgt_function_id *f;
    if (!softgt_spec_function_id(s, 0))
        return;
    map_begin(t, "functions", 5, heads, widths);
    for (size_t i = 0; (f = softgt_spec_function_id(s, i)) != NULL; i++) {
        char id[16];
        snprintf(id, sizeof id, "%zx", i);
        row(t, (const char *const[]){id, f->sfid, f->shared_function, f->ffid, f->fixed_function});
    }
}

static void map_memory(struct table *t, const struct softgt_spec *s)
{
    static const char *const object_heads[] = {"type", "role", "found by"};
    static const unsigned object_widths[] = {38, 50};
    static const char *const base_heads[] = {"base", "accesses"};
    static const unsigned base_widths[] = {30};
    const struct softgt_memory_object *o;
    const struct softgt_base_address *b;
    map_begin(t, "memory objects", 3, object_heads, object_widths);
    for (size_t i = 0; (o = softgt_spec_memory_object(s, i)) != NULL; i++)
        row(t, (const char *const[]){o->type, o->role, o->found_by});
    map_begin(t, "base addresses", 2, base_heads, base_widths);
    for (size_t i = 0; (b = softgt_spec_base_address(s, i)) != NULL; i++)
        row(t, (const char *const[]){b->name, b->accesses});
}

int cmd_map(int argc, char **argv)
{
    struct sheet_arguments a;
    sheet_arguments_parse(
        &a, argc, argv,
        "Lists what is where on a device: units and their register bases, owners of register "
        "ranges, shared and fixed function IDs, kinds of memory, and base addresses with what "
        "goes through them.",
        0);
    struct table t = {.arguments = &a, .all = sheet_object(&a, "softgt.map")};
    map_units(&t, a.spec);
    map_ranges(&t, a.spec);
    map_functions(&t, a.spec);
    map_memory(&t, a.spec);
    if (a.json)
        json_print(t.all);
    else
        json_object_put(t.all);
    sheet_arguments_end(&a);
    return TOOL_CLEAN;
}
