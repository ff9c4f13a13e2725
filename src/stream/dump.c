#include "stream/dump.h"

#include "stream/names.h"

#include <stdlib.h>

/* Prepared texts follow each other in dumper.ready and are copied in chunks: SLACK bytes after each may be
 * read and written. */
enum { SLACK = 32, READY_WIDTH = 2, READY_NAMED_WIDTH = 5, MOST_INDENT = 32 };

struct ready {
    uint32_t at;
    uint16_t length;
};

struct field_plan {
    const struct field *field;
    struct ready start;  /* what the line starts with, up to the value */
    struct ready *lines; /* narrow fields: the whole line by value; else NULL */
    uint64_t mask;
    uint16_t dword;
    uint8_t shift;
    bool is_register;
    uint8_t base; /* enum base: that the value is an offset from */
};

struct dump_plan {
    struct field_plan *fields, *group;
    uint16_t name_length;
};

static bool names_register(const struct field *f)
{
    return f->kind == FIELD_OFFSET && strstr(f->name, "Register") != NULL;
}

static void put_address(struct text *t, uint64_t address)
{
    text_bytes(t, "0x", 2);
    text_hex(t, address, address >> 32 ? 12 : 8);
}

static void put_name(struct text *t, const char *name)
{
    if (name) {
        text_bytes(t, " (", 2);
        text_string(t, name);
        text_char(t, ')');
    }
}

static void put_value(struct text *t, const struct field *f, uint64_t value)
{
    switch (f->kind) {
    case FIELD_BOOL:
        text_bytes(t, value ? "true" : "false", value ? 4 : 5);
        break;
    case FIELD_INT:
        text_signed(t, field_signed(f, value));
        break;
    case FIELD_FLOAT:
        text_float(t, field_float(value));
        break;
    case FIELD_HEX:
        text_bytes(t, "0x", 2);
        text_hex(t, value, (field_width(f) + 3u) / 4u);
        break;
    case FIELD_ADDRESS:
    case FIELD_OFFSET:
        put_address(t, value);
        break;
    default:
        text_decimal(t, value);
        break;
    }
    if (f->values)
        put_name(t, field_value_name(f, value));
}

static struct ready made(struct text *t, size_t start)
{
    const size_t length = t->length - start;
    if (start > UINT32_MAX || length > UINT16_MAX)
        t->failed = true;
    return (struct ready){(uint32_t)start, (uint16_t)length};
}

/* Every line that a narrow field can have. */
static struct ready *plan_lines(struct text *t, const struct field *f, struct ready start)
{
    const unsigned width = field_width(f);
    if (width > (f->values ? READY_NAMED_WIDTH : READY_WIDTH) || f->kind == FIELD_ADDRESS ||
        f->kind == FIELD_OFFSET || f->kind == FIELD_FLOAT)
        return NULL;
    struct ready *lines = calloc((size_t)1 << width, sizeof *lines);
    for (uint64_t value = 0; lines && value >> width == 0; value++) {
        const size_t from = t->length;
        if (text_reserve(t, start.length))
            text_bytes(t, t->bytes + start.at, start.length);
        put_value(t, f, value);
        text_char(t, '\n');
        lines[value] = made(t, from);
    }
    return lines;
}

static struct field_plan *plan_fields(struct text *t, const struct field *fields, unsigned count, bool json,
                                      const char *indent)
{
    struct field_plan *plans = calloc(count + 1u, sizeof *plans);
    for (unsigned i = 0; plans && i < count; i++) {
        const struct field *f = &fields[i];
        const size_t start = t->length;
        if (json) {
            text_json(t, f->name);
            text_char(t, ':');
        } else {
            text_string(t, indent);
            text_string(t, f->name);
            text_string(t, ": ");
        }
        plans[i] = (struct field_plan){
            .field = f,
            .start = made(t, start),
            .mask = UINT64_MAX >> (64u - field_width(f)),
            .dword = (uint16_t)(f->first / 32u),
            .shift = (uint8_t)(f->first % 32u),
            .is_register = names_register(f),
            .base = f->base,
        };
        if (!json)
            plans[i].lines = plan_lines(t, f, plans[i].start);
    }
    return plans;
}

static void free_fields(struct field_plan *plans)
{
    for (struct field_plan *p = plans; p && p->field; p++)
        free(p->lines);
    free(plans);
}

bool dumper_create(struct dumper *d, const struct command_set *set, const struct dump_options *options)
{
    *d = (struct dumper){.set = set, .options = *options};
    d->plans = calloc(set->count, sizeof *d->plans);
    bool ok = d->plans != NULL;
    for (unsigned i = 1; ok && i < set->count; i++) {
        const struct command *c = set->rows[i];
        struct dump_plan *plan = &d->plans[i];
        plan->name_length = (uint16_t)strlen(c->name);
        plan->fields = plan_fields(&d->ready, c->fields, c->field_count, options->json, "    ");
        plan->group = plan_fields(&d->ready, c->group, c->group_count, options->json, "");
        ok = plan->fields && plan->group;
    }
    ok = ok && text_reserve(&d->ready, SLACK) && !d->ready.failed;
    if (!ok)
        dumper_destroy(d);
    else /* the slack is copied, never shown */
        memset(d->ready.bytes + d->ready.length, 0, d->ready.capacity - d->ready.length);
    return ok;
}

void dumper_destroy(struct dumper *d)
{
    for (unsigned i = 1; d->plans && i < d->set->count; i++) {
        free_fields(d->plans[i].fields);
        free_fields(d->plans[i].group);
    }
    free(d->plans);
    d->plans = NULL;
    text_free(&d->ready);
}

/* ---- Text ---- */

static inline void put_ready(const struct dumper *d, struct text *t, struct ready r)
{
    if (!text_reserve(t, r.length + (size_t)SLACK))
        return;
    const char *from = d->ready.bytes + r.at;
    char *to = t->bytes + t->length;
    for (size_t i = 0; i < r.length; i += SLACK)
        memcpy(to + i, from + i, SLACK);
    t->length += r.length;
}

/* " at 0x10000040", or what the offset is from where that is not known. */
static void put_resolved(struct text *t, const struct bases *bases, enum base base, uint64_t offset)
{
    uint64_t address;
    if (bases_resolve(bases, base, offset, &address)) {
        text_bytes(t, " at ", 4);
        put_address(t, address);
    } else if (base != BASE_CONSTANTS || !bases_constants_absolute(bases)) {
        text_bytes(t, " from ", 6);
        text_string(t, base_infos[base].name);
    }
}

static void put_fields(const struct dumper *d, struct text *t, const struct field_plan *p, const uint32_t *dw,
                       uint32_t length_dw, const char *index, size_t index_length)
{
    for (; p->field; p++) {
        if (p->dword >= length_dw)
            continue;
        uint64_t raw = dw[p->dword];
        if (p->dword + 1u < length_dw)
            raw |= (uint64_t)dw[p->dword + 1u] << 32;
        raw = raw >> p->shift & p->mask;
        if (!raw && d->options.nonzero)
            continue;
        text_bytes(t, index, index_length);
        if (p->lines) {
            put_ready(d, t, p->lines[raw]);
            continue;
        }
        const uint64_t value = raw << field_shift(p->field);
        put_ready(d, t, p->start);
        put_value(t, p->field, value);
        if (p->is_register && d->options.register_name)
            put_name(t, d->options.register_name(d->options.user, (uint32_t)value));
        if (p->base && d->options.bases)
            put_resolved(t, d->options.bases, p->base, value);
        text_char(t, '\n');
    }
}

/* The fields and the repeated groups; each line begins with `indent`. */
static void put_body(const struct dumper *d, struct text *t, uint16_t number, const uint32_t *dw,
                     uint32_t length_dw, const char *indent, size_t indent_length)
{
    const struct command *c = d->set->rows[number];
    const struct dump_plan *plan = &d->plans[number];
    put_fields(d, t, plan->fields, dw, length_dw, indent, indent_length);
    if (!c->group)
        return;
    uint32_t at = c->group_dw;
    for (unsigned index = 0; at + c->group_size_dw <= length_dw; at += c->group_size_dw, index++) {
        char prefix[24 + MOST_INDENT];
        size_t n = indent_length;
        memcpy(prefix, indent, n);
        memcpy(prefix + n, "    [", 5);
        n += 5;
        char digits[10];
        unsigned k = 0, rest = index;
        do
            digits[k++] = (char)('0' + rest % 10u);
        while (rest /= 10u);
        while (k)
            prefix[n++] = digits[--k];
        prefix[n++] = ']';
        prefix[n++] = ' ';
        put_fields(d, t, plan->group, dw + at, c->group_size_dw, prefix, n);
    }
    if (at < length_dw && at >= c->group_dw)
        for (; at < length_dw; at++) { /* what does not fill a group */
            text_bytes(t, indent, indent_length);
            text_string(t, "    dw ");
            text_decimal(t, at);
            text_string(t, ": 0x");
            text_hex(t, dw[at], 8);
            text_char(t, '\n');
        }
}

static void dump_text(const struct dumper *d, struct text *t, uint16_t number, const uint32_t *dw,
                      uint32_t length_dw, uint64_t address)
{
    const struct command *c = d->set->rows[number];
    const struct dump_plan *plan = &d->plans[number];
    if (!d->options.no_address) {
        put_address(t, address);
        text_bytes(t, ":  ", 3);
    }
    text_bytes(t, "0x", 2);
    text_hex(t, dw[0], 8);
    text_bytes(t, ":  ", 3);
    if (d->options.colour)
        text_string(t, command_is_counted_only(c) ? "\033[1;33m" : c->execute ? "\033[1;32m" : "\033[1;36m");
    text_bytes(t, c->name, plan->name_length);
    if (d->options.colour)
        text_string(t, "\033[0m");
    if (d->options.remark)
        d->options.remark(d->options.user, t);
    text_char(t, '\n');
    if (d->options.headers_only)
        return;
    put_body(d, t, number, dw, length_dw, "", 0);
}

/* ---- JSON ---- */

static void json_hex(struct text *t, uint64_t value)
{
    text_string(t, "\"0x");
    text_hex(t, value, 1);
    text_char(t, '"');
}

/* Numbers of more than 32 bits would lose some in a double. */
static void json_value(struct text *t, const struct field *f, uint64_t value)
{
    if (f->kind == FIELD_BOOL)
        text_string(t, value ? "true" : "false");
    else if (f->kind == FIELD_FLOAT && (value & 0x7f800000u) == 0x7f800000u) /* JSON has no infinities */
        text_string(t, "null");
    else if (f->kind == FIELD_FLOAT)
        text_float(t, field_float(value));
    else if (field_width(f) + field_shift(f) > 32u)
        json_hex(t, value);
    else if (f->kind == FIELD_INT)
        text_signed(t, field_signed(f, value));
    else
        text_decimal(t, value);
}

static void json_fields(const struct dumper *d, struct text *t, const struct field_plan *p,
                        const uint32_t *dw, uint32_t length_dw)
{
    bool first = true;
    text_char(t, '{');
    for (; p->field; p++) {
        if (p->dword >= length_dw || (d->options.nonzero && !field_get(p->field, dw, length_dw)))
            continue;
        if (!first)
            text_char(t, ',');
        first = false;
        put_ready(d, t, p->start);
        json_value(t, p->field, field_get(p->field, dw, length_dw));
    }
    text_char(t, '}');
}

/* Names of the values that have one: of enumerations, of registers. */
static void json_names(const struct dumper *d, struct text *t, const struct field_plan *p, const uint32_t *dw,
                       uint32_t length_dw)
{
    bool first = true;
    text_char(t, '{');
    for (; p->field; p++) {
        if (p->dword >= length_dw || (!p->field->values && !p->is_register))
            continue;
        const uint64_t value = field_get(p->field, dw, length_dw);
        const char *name = p->field->values ? field_value_name(p->field, value)
                           : d->options.register_name
                               ? d->options.register_name(d->options.user, (uint32_t)value)
                               : NULL;
        if (!name)
            continue;
        if (!first)
            text_char(t, ',');
        first = false;
        put_ready(d, t, p->start);
        text_json(t, name);
    }
    text_char(t, '}');
}

/* Addresses of the fields that are offsets from bases which are known. */
static void json_addresses(const struct dumper *d, struct text *t, const struct field_plan *p,
                           const uint32_t *dw, uint32_t length_dw)
{
    bool first = true;
    for (; p->field; p++) {
        uint64_t address;
        if (!p->base || p->dword >= length_dw ||
            !bases_resolve(d->options.bases, p->base, field_get(p->field, dw, length_dw), &address))
            continue;
        text_string(t, first ? ",\"addresses\":{" : ",");
        first = false;
        put_ready(d, t, p->start);
        json_hex(t, address);
    }
    if (!first)
        text_char(t, '}');
}

typedef void json_part(const struct dumper *d, struct text *t, const struct field_plan *p, const uint32_t *dw,
                       uint32_t length_dw);

static void json_groups(const struct dumper *d, struct text *t, const char *key, json_part *part,
                        const struct command *c, const struct field_plan *plan, const uint32_t *dw,
                        uint32_t length_dw)
{
    text_string(t, key);
    for (uint32_t at = c->group_dw; at + c->group_size_dw <= length_dw; at += c->group_size_dw) {
        if (at != c->group_dw)
            text_char(t, ',');
        part(d, t, plan, dw + at, c->group_size_dw);
    }
    text_char(t, ']');
}

static void json_body(const struct dumper *d, struct text *t, uint16_t number, const uint32_t *dw,
                      uint32_t length_dw)
{
    const struct command *c = d->set->rows[number];
    const struct dump_plan *plan = &d->plans[number];
    text_string(t, ",\"fields\":");
    json_fields(d, t, plan->fields, dw, length_dw);
    text_string(t, ",\"names\":");
    json_names(d, t, plan->fields, dw, length_dw);
    if (d->options.bases)
        json_addresses(d, t, plan->fields, dw, length_dw);
    if (!c->group)
        return;
    json_groups(d, t, ",\"group\":[", json_fields, c, plan->group, dw, length_dw);
    json_groups(d, t, ",\"group_names\":[", json_names, c, plan->group, dw, length_dw);
}

static void dump_json(const struct dumper *d, struct text *t, enum engine_class class, uint16_t number,
                      const uint32_t *dw, uint32_t length_dw, uint32_t missing_dw, uint64_t address)
{
    const struct command *c = number ? d->set->rows[number] : NULL;
    text_string(t, "{\"schema\":\"softgt.command\",\"version\":1,\"address\":");
    json_hex(t, address);
    text_char(t, ',');
    if (d->options.remark)
        d->options.remark(d->options.user, t);
    text_string(t, "\"class\":");
    text_json(t, engine_class_names[class]);
    text_string(t, ",\"header\":");
    text_decimal(t, dw[0]);
    text_string(t, ",\"name\":");
    if (c)
        text_json(t, c->name);
    else
        text_string(t, "null");
    text_string(t, ",\"length_dw\":");
    text_decimal(t, length_dw);
    if (missing_dw) {
        text_string(t, ",\"missing_dw\":");
        text_decimal(t, missing_dw);
    }
    if (c && !d->options.headers_only)
        json_body(d, t, number, dw, length_dw);
    text_string(t, "}\n");
}

enum dump_found dump_command(const struct dumper *d, struct text *t, enum engine_class class,
                             const uint32_t *dw, size_t available_dw, uint64_t address, size_t *length_dw)
{
    uint16_t number = command_find(d->set, class, dw[0]);
    if (!number) /* a command of another engine still has a name and a length */
        number = d->set->elsewhere[dw[0] >> 16];
    if (!number) {
        *length_dw = 1;
        if (d->options.json) {
            dump_json(d, t, class, 0, dw, 1, 0, address);
        } else {
            put_address(t, address);
            text_string(t, ":  0x");
            text_hex(t, dw[0], 8);
            text_string(t, d->options.colour ? ":  \033[1;31munknown command\033[0m" : ":  unknown command");
            if (d->options.remark)
                d->options.remark(d->options.user, t);
            text_char(t, '\n');
        }
        return DUMP_UNKNOWN;
    }
    const uint32_t whole = command_length_dw(d->set->rows[number], dw[0]);
    const bool cut = whole > available_dw;
    *length_dw = cut ? available_dw : whole;
    if (d->options.bases)
        bases_see(d->options.bases, d->set->rows[number], dw, (uint32_t)*length_dw);
    if (d->options.json)
        dump_json(d, t, class, number, dw, (uint32_t)*length_dw, whole - (uint32_t)*length_dw, address);
    else
        dump_text(d, t, number, dw, (uint32_t)*length_dw, address);
    if (cut && !d->options.json) {
        text_string(t, "    ends inside the command: ");
        text_decimal(t, available_dw);
        text_string(t, " of ");
        text_decimal(t, whole);
        text_string(t, " dwords\n");
    }
    return cut ? DUMP_CUT : DUMP_COMMAND;
}

/* ---- Structures ---- */

static void structure_json(const struct dumper *d, struct text *t, const struct dump_structure *s)
{
    const struct command *c = d->set->rows[s->number];
    text_string(t, "{\"schema\":\"softgt.structure\",\"version\":1,\"structure\":");
    text_json(t, c->name);
    text_string(t, ",\"command_address\":");
    json_hex(t, s->command_address);
    text_string(t, ",\"depth\":");
    text_decimal(t, s->depth);
    text_string(t, ",\"through\":");
    text_json(t, s->through);
    if (s->index >= 0) {
        text_string(t, ",\"index\":");
        text_decimal(t, (uint64_t)s->index);
    }
    text_string(t, ",\"address\":");
    if (s->address_known)
        json_hex(t, s->address);
    else
        text_string(t, "null");
    if (s->missing) {
        text_string(t, ",\"missing\":");
        text_json(t, s->missing);
    } else {
        json_body(d, t, s->number, s->dw, c->min_dwords);
    }
    text_string(t, "}\n");
}

void dump_structure(const struct dumper *d, struct text *t, const struct dump_structure *s)
{
    static const char spaces[MOST_INDENT + 1] = "                                ";
    const struct command *c = d->set->rows[s->number];
    const size_t indent = s->depth * 4u < MOST_INDENT ? s->depth * 4u : MOST_INDENT;
    if (d->options.json) {
        structure_json(d, t, s);
        return;
    }
    text_bytes(t, spaces, indent);
    if (d->options.colour)
        text_string(t, "\033[1;35m");
    text_string(t, c->name);
    if (d->options.colour)
        text_string(t, "\033[0m");
    if (s->index >= 0) {
        text_string(t, " [");
        text_decimal(t, (uint64_t)s->index);
        text_char(t, ']');
    }
    if (s->address_known) {
        text_string(t, " at ");
        put_address(t, s->address);
    }
    if (s->through) {
        text_string(t, ", ");
        text_string(t, s->through);
    }
    if (s->missing) {
        text_string(t, ": ");
        text_string(t, s->missing);
    }
    text_char(t, '\n');
    if (!s->missing && !d->options.headers_only)
        put_body(d, t, s->number, s->dw, c->min_dwords, spaces, indent);
}
