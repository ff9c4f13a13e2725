/* Builds the rows of one generation from the rows as they are written: with variants, ranges of generations
 * and arrays. */
#include "stream/index.h"

#include <stdio.h>
#include <stdlib.h>

const char *const engine_class_names[ENGINE_CLASSES] = {"render",  "copy",    "video",
                                                        "enhance", "compute", "other"};

/* The generation that introduced a class of engines; 0: all have it. */
static const uint8_t class_since[ENGINE_CLASSES] = {[CLASS_COMPUTE] = GEN12, [CLASS_OTHER] = GEN200};

enum { NUMBER_DIGITS = 3 };

static bool is_here(uint8_t since, uint8_t until, enum generation generation)
{
    return generation >= since && (!until || generation <= until);
}

/* Members that a variant sets replace those of the row above it. */
static void vary(struct command *c, const struct command *by)
{
#define TAKE(member)                                                                                         \
    if (by->member)                                                                                          \
    c->member = by->member
    TAKE(name);
    TAKE(summary);
    TAKE(spec);
    TAKE(engines);
    TAKE(length_bits);
    TAKE(length_bias);
    TAKE(flags);
    TAKE(disabled_by);
    TAKE(min_dwords);
    TAKE(privileged_if);
    TAKE(arbitrates_if);
    TAKE(execute);
#undef TAKE
    if (by->mask) {
        c->match = by->match;
        c->mask = by->mask;
    }
    if (by->fields) {
        c->fields = by->fields;
        c->field_count = by->field_count;
    }
    if (by->group) {
        c->group = by->group;
        c->group_count = by->group_count;
        c->group_dw = by->group_dw;
        c->group_size_dw = by->group_size_dw;
    }
    if (by->merge.kind)
        c->merge = by->merge;
    c->since = by->since;
    c->until = by->until;
}

/* Builds the row at *i of a generation, its variants applied, and moves *i past them. False: the generation
 * does not have the row. */
static bool row_of(const struct command_table *t, unsigned *i, enum generation generation, struct command *c)
{
    bool found = false;
    *c = (struct command){0};
    do {
        const struct command *row = &t->rows[(*i)++];
        if (row->since <= generation) {
            vary(c, row);
            found = is_here(row->since, row->until, generation);
        }
    } while (*i < t->count && !t->rows[*i].name);
    return found;
}

/* ---- Fields: counted in a first pass, written in a second ---- */

static void element(struct row_store *s, const struct field *f, unsigned number)
{
    struct field *made = s->fields ? &s->fields[s->field_count] : NULL;
    s->field_count++;
    if (made) {
        *made = *f;
        made->since = made->until = made->count = 0;
        made->stride = 0;
    }
    const char *mark = f->count ? strchr(f->name, '#') : NULL;
    if (!mark)
        return;
    const size_t length = strlen(f->name) + NUMBER_DIGITS;
    if (made) {
        made->first = (uint16_t)(f->first + number * f->stride);
        made->last = (uint16_t)(f->last + number * f->stride);
        made->name = s->names + s->names_bytes;
        snprintf(s->names + s->names_bytes, length, "%.*s%u%s", (int)(mark - f->name), f->name,
                 number % 1000u, mark + 1);
    }
    s->names_bytes += (uint32_t)length;
}

/* It stands for what another command has behind its header. */
static bool field_is_body(const struct field *f)
{
    return f->of && !f->role;
}

/* Sorts the elements of adjacent arrays by their bits: they interleave. */
static void sort(struct field *fields, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct field f = fields[i];
        uint32_t at = i;
        for (; at && fields[at - 1u].first > f.first; at--)
            fields[at] = fields[at - 1u];
        fields[at] = f;
    }
}

static uint32_t make_fields(struct row_store *s, const struct field *fields, unsigned count,
                            enum generation generation)
{
    const uint32_t start = s->field_count;
    uint32_t arrays = start;
    for (unsigned i = 0; i < count; i++) {
        const struct field *f = &fields[i];
        if (field_is_body(f) || !is_here(f->since, f->until, generation))
            continue;
        for (unsigned number = 0; number < f->count || number == 0; number++)
            element(s, f, number);
        if (!f->count)
            arrays = s->field_count;
        else if (s->fields)
            sort(s->fields + arrays, s->field_count - arrays);
    }
    return s->field_count - start;
}

/* Indexes the fields in [first, end) that have roles of the command `of`, by role. */
static void make_roles(struct row_store *s, struct command *c, uint32_t of, uint32_t first, uint32_t end)
{
    static const struct field absent = FIELD_ABSENT;
    if (!c->role_count)
        return;
    if (s->fields) {
        struct field *by_role = &s->fields[s->field_count];
        c->by_role = by_role;
        for (unsigned role = 0; role < c->role_count; role++)
            by_role[role] = absent;
        for (uint32_t i = end; i-- > first;) /* of an array its first element */
            if (s->fields[i].of == of && s->fields[i].role < c->role_count)
                by_role[s->fields[i].role] = s->fields[i];
        by_role[0] = absent;
        struct field_place *places = &s->places[s->field_count];
        c->places = places;
        for (unsigned role = 0; role < c->role_count; role++)
            places[role] = field_place(&by_role[role]);
    }
    s->field_count += c->role_count;
}

static unsigned roles_in(const struct command *c, uint32_t of)
{
    unsigned roles = 0;
    for (unsigned i = 0; c->fields && i < c->field_count; i++)
        if (c->fields[i].of == of && c->fields[i].role >= roles && c->fields[i].role)
            roles = c->fields[i].role + 1u;
    return roles;
}

/* Makes an alias for each other command that the fields have roles of. `written` is the row before it was
 * built. */
static void make_aliases(struct row_store *s, const struct command *written, const struct command *made,
                         enum generation generation, uint32_t first, uint32_t end)
{
    for (unsigned i = 0; written->fields && i < written->field_count; i++) {
        const struct field *const f = &written->fields[i];
        unsigned before = 0;
        while (before < i &&
               !(written->fields[before].of == f->of &&
                 is_here(written->fields[before].since, written->fields[before].until, generation)))
            before++;
        if (!f->of || !f->role || before < i || !is_here(f->since, f->until, generation))
            continue;
        struct command as = *made;
        as.role_count = (uint8_t)roles_in(written, f->of);
        make_roles(s, &as, f->of, first, end);
        if (s->aliases)
            s->aliases[s->alias_count] =
                (struct row_alias){.of = f->of, .number = (uint16_t)(s->row_count + 1u), .row = as};
        s->alias_count++;
    }
}

/* One more than the highest role. Rows that share a function have the same number, as it may ask for any
 * role. */
static unsigned roles_of(const struct command_table *const *tables, const struct command *row)
{
    unsigned roles = 0;
    if (!row->execute)
        return roles_in(row, 0);
    for (const struct command_table *const *t = tables; *t; t++) {
        const struct command *with = (*t)->rows,
                             *does = with; /* the rows that fields and function are inherited from */
        for (unsigned i = 0; i < (*t)->count; i++) {
            const struct command *c = &(*t)->rows[i];
            with = c->name || c->fields ? c : with;
            does = c->name || c->execute ? c : does;
            if (does->execute == row->execute && roles_in(with, 0) > roles)
                roles = roles_in(with, 0);
        }
    }
    return roles;
}

/* Finds the row of a generation that a header selects. False: the generation does not have it. */
static bool find_body_row(const struct command_table *const *tables, uint32_t header,
                          enum generation generation, struct command *c)
{
    for (const struct command_table *const *t = tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count;)
            if (row_of(*t, &i, generation, c) && c->mask && (header & c->mask) == c->match)
                return true;
    return false;
}

/* Moves the fields from `first` on, which a body's row has, to the body's place. Those of its header go. */
static void move_body(struct row_store *s, uint32_t first, uint16_t at_bit)
{
    enum { HEADER_BITS = 32 };
    uint32_t end = first;
    for (uint32_t i = first; i < s->field_count; i++) {
        struct field f = s->fields[i];
        if (f.first < HEADER_BITS)
            continue;
        f.first = (uint16_t)(f.first + at_bit - HEADER_BITS);
        f.last = (uint16_t)(f.last + at_bit - HEADER_BITS);
        s->fields[end++] = f;
    }
    s->field_count = end;
}

/* Makes the fields of bodies. Their roles are the row's, too. Returns how many they are. */
static uint32_t make_bodies(struct row_store *s, const struct command_table *const *tables,
                            const struct command *written, struct command *c, enum generation generation)
{
    const uint32_t start = s->field_count;
    for (unsigned i = 0; written->fields && i < written->field_count; i++) {
        const struct field *const f = &written->fields[i];
        struct command body;
        if (!field_is_body(f) || !is_here(f->since, f->until, generation) ||
            !find_body_row(tables, f->of, generation, &body))
            continue;
        const uint32_t first = s->field_count;
        make_fields(s, body.fields, body.field_count, generation);
        if (s->fields)
            move_body(s, first, f->first);
        const unsigned roles = roles_in(&body, 0);
        c->role_count = (uint8_t)(roles > c->role_count ? roles : c->role_count);
    }
    return s->field_count - start;
}

static void make_row(struct row_store *s, const struct command_table *const *tables, struct command *c,
                     enum generation generation)
{
    const struct command written = *c;
    const uint32_t first = s->field_count;
    c->role_count = (uint8_t)roles_of(tables, c);
    c->field_count = (uint16_t)make_fields(s, c->fields, c->field_count, generation);
    c->field_count = (uint16_t)(c->field_count + make_bodies(s, tables, &written, c, generation));
    const uint32_t end = s->field_count;
    make_roles(s, c, 0, first, end);
    const uint32_t group = s->field_count;
    c->group_count = (uint8_t)make_fields(s, c->group, c->group_count, generation);
    if (s->fields) {
        c->fields = c->field_count ? s->fields + first : NULL;
        c->group = c->group ? s->fields + group : NULL;
    }
    make_aliases(s, &written, c, generation, first, end);
}

static void make_rows(struct row_store *s, const struct command_table *const *tables,
                      enum generation generation)
{
    for (const struct command_table *const *t = tables; *t; t++)
        for (unsigned i = 0; i < (*t)->count;) {
            struct command c;
            if (!row_of(*t, &i, generation, &c))
                continue;
            for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
                if (generation < class_since[class])
                    c.engines &= (uint8_t) ~(1u << class);
            make_row(s, tables, &c, generation);
            if (s->rows)
                s->rows[s->row_count] = c;
            s->row_count++;
        }
}

bool rows_make(struct row_store *store, const struct command_table *const *tables, enum generation generation)
{
    *store = (struct row_store){0};
    make_rows(store, tables, generation);
    struct row_store s = {
        .rows = calloc(store->row_count + 1u, sizeof *s.rows),
        .aliases = calloc(store->alias_count + 1u, sizeof *s.aliases),
        .fields = calloc(store->field_count + 1u, sizeof *s.fields),
        .places = calloc(store->field_count + 1u, sizeof *s.places),
        .names = calloc(store->names_bytes + 1u, 1),
    };
    *store = s;
    if (!s.rows || !s.aliases || !s.fields || !s.places || !s.names)
        return false;
    make_rows(store, tables, generation);
    return true;
}

void rows_free(struct row_store *store)
{
    free(store->rows);
    free(store->aliases);
    free(store->fields);
    free(store->places);
    free(store->names);
    *store = (struct row_store){0};
}
