/*
 * Commands as text that assembles to the same dwords. Each command is encoded again from its text to check
 * that.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gts/encoder.h"
#include "gts/gts.h"

enum { WRAP = 100, RAW_PER_LINE = 8, NOOP_RUN = 4 };

struct writer {
    const struct command_set *set;
    enum engine_class class;
    const uint32_t *dw;
    size_t length_dw, index; /* of the line's first dword */
    void *user;
    void (*line)(void *user, size_t index, const char *text);
    char text[512];
    size_t at;
    struct gts_encoder words;
    uint32_t raw[RAW_PER_LINE];
    unsigned raw_count;
    size_t raw_index;
};

static void flush(struct writer *w)
{
    if (!w->at)
        return;
    w->line(w->user, w->index, w->text);
    w->at = 0;
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int count = vsnprintf(w->text + w->at, sizeof w->text - w->at, format, list);
    va_end(list);
    if (count > 0)
        w->at += (size_t)count < sizeof w->text - w->at ? (size_t)count : sizeof w->text - w->at - 1;
}

/* Writes a comma, and a new line after a long one: statements continue after a comma. */
static void comma(struct writer *w)
{
    put(w, ",");
    if (w->at < WRAP) {
        put(w, " ");
        return;
    }
    flush(w);
    put(w, "    ");
}

static void flush_raw(struct writer *w)
{
    if (!w->raw_count)
        return;
    put(w, "dw ");
    for (unsigned i = 0; i < w->raw_count; i++)
        put(w, "%s0x%08x", i ? ", " : "", w->raw[i]);
    const size_t index = w->index;
    w->index = w->raw_index;
    flush(w);
    w->index = index;
    w->raw_count = 0;
}

static void say_raw(struct writer *w, size_t index, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if (w->raw_count == RAW_PER_LINE)
            flush_raw(w);
        if (!w->raw_count)
            w->raw_index = index + i;
        w->raw[w->raw_count++] = w->dw[index + i];
    }
}

static bool is_plain_word(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_'))
            return false;
    return *name;
}

static void put_value(struct writer *w, const struct field *f, uint64_t value)
{
    char name[64];
    const char *given = field_value_name(f, value);
    if (given) {
        gts_name_canonical(given, name, sizeof name);
        const struct field_value *back = gts_value_find(f, name, strlen(name));
        if (back && back->value == value && name[0] > '9' && strcmp(name, "qw") != 0) {
            put(w, "%s", name);
            return;
        }
    }
    const unsigned width = field_width(f);
    if (f->kind == FIELD_INT && width < 64 && value >> (width - 1))
        put(w, "-%llu", (unsigned long long)((UINT64_C(1) << width) - value));
    else if ((f->kind == FIELD_UINT || f->kind == FIELD_BOOL || f->kind == FIELD_INT) && value < 100000)
        put(w, "%llu", (unsigned long long)value);
    else
        put(w, "0x%llx", (unsigned long long)value);
}

/* The name by which the assembler finds this field; false: there is none. */
static bool name_of(const struct field *f, const struct field *fields, unsigned count, char *name,
                    size_t size)
{
    uint32_t number;
    gts_name_canonical(f->name, name, size);
    return gts_field_find(fields, count, name, strlen(name)) == f &&
           !gts_dword_name(name, strlen(name), &number) && strcmp(name, "length") != 0;
}

static uint64_t argument_value(const struct field *f, uint64_t value)
{
    const unsigned width = field_width(f); /* field_put takes negative numbers at full width */
    return f->kind == FIELD_INT && width < 64 && value >> (width - 1) ? value | ~UINT64_C(0) << width : value;
}

/* The inverse of complete(). */
static uint64_t field_value(const struct field *f, uint64_t value)
{
    const unsigned width = field_width(f);
    return f->kind == FIELD_INT && width < 64 ? value & ~(~UINT64_C(0) << width) : value;
}

/* Collects the arguments to print. False: out of memory. */
static bool collect(struct writer *w, const struct command *c, const uint32_t *dw, uint32_t length)
{
    char name[64];
    if (!gts_encoder_start(&w->words))
        return false;
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        const uint64_t value = field_get(f, dw, length);
        if (!value || gts_is_length_field(c, f) || !name_of(f, c->fields, c->field_count, name, sizeof name))
            continue;
        const struct gts_argument a = {.field = f, .known = true, .value = argument_value(f, value)};
        if (!gts_encoder_add(&w->words, &a))
            return false;
    }
    if (!c->group_count || !c->group_size_dw || length <= c->group_dw)
        return true;
    w->words.groups = (length - c->group_dw) / c->group_size_dw;
    for (uint32_t g = 0; g < w->words.groups; g++) {
        const uint32_t start = c->group_dw + g * c->group_size_dw;
        for (unsigned i = 0; i < c->group_count; i++) {
            const struct field *f = &c->group[i];
            const struct gts_argument a = {.field = f,
                                           .in_group = true,
                                           .known = true,
                                           .dword = g,
                                           .value =
                                               argument_value(f, field_get(f, dw + start, length - start))};
            if (!gts_encoder_add(&w->words, &a))
                return false;
        }
    }
    return true;
}

enum matched { MATCHED, DIFFERENT, NO_ROOM };

/* Adds a dwN for every dword that the fields do not give. */
static enum matched complete(struct writer *w, const struct command *c, const uint32_t *dw, uint32_t length)
{
    const struct gts_argument *bad;
    if (gts_encoder_build(&w->words, c, length, &bad) != ENCODE_OK)
        return DIFFERENT;
    const size_t named = w->words.count;
    for (uint32_t i = 0; i < length; i++) {
        const struct gts_argument a = {.known = true, .dword = i, .value = dw[i]};
        if (w->words.dw[i] != dw[i] && !gts_encoder_add(&w->words, &a))
            return NO_ROOM;
    }
    if (w->words.count != named) {
        if (gts_encoder_build(&w->words, c, length, &bad) != ENCODE_OK ||
            memcmp(w->words.dw, dw, length * sizeof *dw) != 0)
            return DIFFERENT;
    }
    if (gts_encoder_length_dw(&w->words, c) != length || gts_encoder_lacks_store_qword(&w->words, c, length))
        w->words.requested_length_dw = length;
    return gts_encoder_length_dw(&w->words, c) == length ? MATCHED : DIFFERENT;
}

/* The number of groups to print: trailing zero groups follow from the length. */
static uint32_t count_groups(struct writer *w, const struct command *c, uint32_t length)
{
    const uint32_t groups = w->words.groups;
    uint32_t used = 0;
    size_t at = 0;
    while (at < w->words.count && !w->words.arguments[at].in_group)
        at++;
    for (size_t i = 0; i < (size_t)groups * c->group_count; i++)
        if (w->words.arguments[at + i].value)
            used = (uint32_t)(i / c->group_count) + 1;
    if (groups - used <= 4)
        return groups;
    w->words.requested_length_dw = length;
    return used;
}

static void say_command(struct writer *w, const struct command *c, uint32_t length)
{
    const uint32_t groups = count_groups(w, c, length);
    char name[64];
    bool first = true;
    put(w, "%s", c->name);
    for (size_t i = 0; i < w->words.count; i++) {
        const struct gts_argument *a = &w->words.arguments[i];
        if (a->in_group)
            continue;
        if (first)
            put(w, " ");
        else
            comma(w);
        first = false;
        if (!a->field) {
            put(w, "dw%u = 0x%08llx", a->dword, (unsigned long long)a->value);
            continue;
        }
        name_of(a->field, c->fields, c->field_count, name, sizeof name);
        put(w, "%s", name);
        if (field_width(a->field) == 1 && a->value == 1 && !field_value_name(a->field, 1))
            continue;
        put(w, " = ");
        put_value(w, a->field, field_value(a->field, a->value));
    }
    if (w->words.requested_length_dw) {
        if (first)
            put(w, " ");
        else
            comma(w);
        first = false;
        put(w, "length = %u", w->words.requested_length_dw);
    }
    size_t at = 0;
    while (at < w->words.count && !w->words.arguments[at].in_group)
        at++;
    for (uint32_t g = 0; g < groups; g++) {
        const size_t end = at + c->group_count;
        size_t last = at; /* after the last printed group */
        for (size_t i = at; i < end; i++)
            if (w->words.arguments[i].value)
                last = i + 1;
        if (last + 1 == end && last != at) /* a single zero group is printed */
            last = end;
        if (first)
            put(w, " ");
        else
            comma(w);
        first = false;
        put(w, "{");
        for (size_t i = at; i < last; i++) {
            const struct field *f = w->words.arguments[i].field;
            const uint64_t value = w->words.arguments[i].value;
            put(w, i == at ? " " : ", ");
            put_value(w, f, field_value(f, value));
        }
        put(w, " }");
        at = end;
    }
    flush(w);
}

bool gts_disassemble(const struct command_set *commands, enum engine_class class, const uint32_t *dw,
                     size_t length_dw, void *user, void (*line)(void *user, size_t index, const char *text))
{
    struct writer w = {
        .set = commands, .class = class, .dw = dw, .length_dw = length_dw, .user = user, .line = line};
    bool good = true;
    for (size_t i = 0; i < length_dw && good;) {
        const uint16_t number = command_find(commands, class, dw[i]);
        const struct command *c = number ? commands->rows[number] : NULL;
        const uint32_t length = c ? command_length_dw(c, dw[i]) : 1;
        if (!c || length < c->min_dwords || length == 0 || length > length_dw - i || length > UINT16_MAX ||
            (dw[i] & c->mask) != c->match || command_find_name(commands, class, c->name) != number ||
            !is_plain_word(c->name)) {
            say_raw(&w, i, 1);
            i++;
            continue;
        }
        size_t run = 0; /* of plain MI_NOOP */
        while (dw[i] == 0 && i + run < length_dw && dw[i + run] == 0)
            run++;
        if (run >= NOOP_RUN && length == 1) {
            flush_raw(&w);
            w.index = i;
            put(&w, "repeat %zu { %s }", run, c->name);
            flush(&w);
            i += run;
            continue;
        }
        if (!collect(&w, c, dw + i, length)) {
            good = false;
            break;
        }
        const enum matched matched = complete(&w, c, dw + i, length);
        good = matched != NO_ROOM;
        if (matched == MATCHED) {
            flush_raw(&w);
            w.index = i;
            say_command(&w, c, length);
        } else if (good) {
            say_raw(&w, i, length);
        }
        i += length;
    }
    flush_raw(&w);
    gts_encoder_free(&w.words);
    return good;
}
