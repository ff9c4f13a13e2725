/* Blocks: lines of commands, or of data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gts/reader.h"

bool block_put(struct reader *r, struct block *b, const struct gts_token *t, const void *data, size_t size)
{
    if (!step(r, t, 1))
        return false;
    if (b->size + size > MAX_BYTES)
        return wrong(r, t, "the block is too large");
    if (r->pass == 1) {
        if (b->size + size > r->bytes_of_block.room) {
            size_t room = r->bytes_of_block.room ? r->bytes_of_block.room : 4096;
            while (room < b->size + size)
                room *= 2;
            uint8_t *bytes = realloc(r->bytes_of_block.data, room);
            if (!bytes)
                return no_memory(r);
            r->bytes_of_block.data = bytes;
            r->bytes_of_block.room = room;
        }
        memcpy(r->bytes_of_block.data + b->size, data, size);
        r->bytes_of_block.size = b->size + size;
    }
    b->size += size;
    return true;
}

/* ---- Data ---- */

static bool aligned(struct reader *r, const struct block *b, const struct gts_token *t, size_t size)
{
    const uint64_t at = b->address + b->size, multiple = size > 4 ? 4 : size;
    if (!b->aligned || at % multiple == 0)
        return true;
    return wrong(
        r, t,
        "a value of %zu bytes at 0x%llx, which is no multiple of %llu (say 'byte' before the values, or "
        "'align %llu')",
        size, (unsigned long long)at, (unsigned long long)multiple, (unsigned long long)multiple);
}

static bool put_number(struct reader *r, struct block *b, size_t size)
{
    const struct gts_token *t = peek(r);
    struct value value;
    if (!read_expression(r, NULL, &value))
        return false;
    if (!aligned(r, b, t, size))
        return false;
    const unsigned bits = (unsigned)size * 8;
    const bool negative = size < 8 && (int64_t)value.v < 0 && (int64_t)value.v >= -(INT64_C(1) << (bits - 1));
    if (value.known && size < 8 && value.v >> bits && !negative)
        return wrong(r, t, "0x%llx does not fit in %u bits%s", (unsigned long long)value.v, bits,
                     size == 4 ? " (write 'qw' before it)" : "");
    return block_put(r, b, t, &value.v, size); /* the host is little-endian, as the device */
}

static bool put_fill(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    struct value value;
    uint64_t size;
    if (!read_expression(r, NULL, &value) || !need_word(r, "size") || !read_known(r, &size))
        return false;
    if (!aligned(r, b, t, 4))
        return false;
    if (size > MAX_BYTES || !step(r, t, size / 64))
        return wrong(r, t, "the block is too large");
    if (value.known && value.v >> 32)
        return wrong(r, t, "fill takes a dword");
    uint32_t piece[256];
    for (size_t i = 0; i < 256; i++)
        piece[i] = (uint32_t)value.v;
    while (size) {
        const size_t part = size < sizeof piece ? (size_t)size : sizeof piece;
        if (!block_put(r, b, t, piece, part))
            return false;
        size -= part;
    }
    return true;
}

static bool put_string(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    char *text = malloc(t->length + 1u);
    if (!text)
        return no_memory(r);
    const size_t size = gts_unescape(t, text, t->length);
    r->at++;
    const bool good = block_put(r, b, t, text, size);
    free(text);
    return good;
}

bool read_items(struct reader *r, struct block *b)
{
    size_t size = 4;
    do {
        if (take_word(r, "dw"))
            size = 4;
        else if (take_word(r, "qw"))
            size = 8;
        else if (take_word(r, "byte"))
            size = 1;
        else if (take_word(r, "word"))
            size = 2;
        bool good;
        if (peek(r)->kind == TOKEN_STRING)
            good = put_string(r, b);
        else if (take_word(r, "fill"))
            good = put_fill(r, b);
        else
            good = put_number(r, b, size);
        if (!good)
            return false;
    } while (take_mark(r, ','));
    return at_line_end(r) || is_mark(r, '}') ||
           wrong(r, peek(r), "',' or the end of the line should be here, not '%.*s'",
                 (int)(peek(r)->length < 60 ? peek(r)->length : 60), peek(r)->text);
}

/* ---- Commands ---- */

static uint16_t find_command(const struct reader *r, const struct block *b, const char *name)
{
    static const enum engine_class order[] = {CLASS_RENDER, CLASS_COPY, CLASS_VIDEO, CLASS_ENHANCE,
                                              CLASS_COMPUTE};
    if (b->engine)
        return command_find_name(r->machine->commands, b->engine->class, name);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const uint16_t number = command_find_name(r->machine->commands, order[i], name);
        if (number)
            return number;
    }
    return 0;
}

static bool unknown_command(struct reader *r, const struct block *b, const struct gts_token *t,
                            const char *name)
{
    const struct command_set *set = r->machine->commands;
    struct nearest n;
    char hint[96], classes[64] = "";
    unsigned elsewhere = 0; /* classes */
    nearest_start(&n, t);
    for (unsigned i = 1; i < set->count; i++) {
        const bool here = !b->engine || set->rows[i]->engines & 1u << b->engine->class;
        if (strcmp(set->rows[i]->name, name) == 0)
            elsewhere |= set->rows[i]->engines;
        if (here)
            nearest_look(&n, set->rows[i]->name);
    }
    if (is_statement(name))
        return wrong(r, t,
                     "'%s' is a statement, no command: is a '}' missing before it, for the '{' at %u:%u?",
                     name, b->open ? b->open->line : 0, b->open ? b->open->column : 0);
    for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
        if (elsewhere >> class & 1u)
            nearest_list(classes, sizeof classes, engine_class_names[class]);
    if (elsewhere)
        return wrong(r, t, "%s has no command '%s'; engines that have it: %s",
                     b->engine ? b->engine->name : "the device", name, classes);
    return wrong(r, t, "no command is called '%s'%s", name, nearest_text(&n, hint, sizeof hint));
}

static bool unknown_field(struct reader *r, const struct gts_token *t, const char *where,
                          const struct field *fields, unsigned count)
{
    struct nearest n;
    char hint[96], canonical[64], all[400] = "";
    nearest_start(&n, t);
    for (unsigned i = 0; i < count; i++) {
        gts_name_canonical(fields[i].name, canonical, sizeof canonical);
        nearest_look(&n, canonical);
        nearest_list(all, sizeof all, canonical);
    }
    return wrong(r, t, "%s has no field '%.*s'%s; its fields: %s", where, (int)t->length, t->text,
                 nearest_text(&n, hint, sizeof hint), count ? all : "none");
}

static bool read_value(struct reader *r, struct gts_argument *a)
{
    struct value value;
    a->token = (uint32_t)r->at;
    a->whole = take_word(r, "qw");
    if (!read_expression(r, a->field, &value))
        return false;
    a->value = value.v;
    a->known = value.known;
    return gts_words_add(&r->words, a) || no_memory(r);
}

static bool field_named(const struct gts_token *t)
{
    return t->kind == TOKEN_WORD || t->kind == TOKEN_STRING;
}

/* The same field of the same part, or the same dword, before. */
static bool given(const struct reader *r, const struct gts_argument *a)
{
    enum { FAR = 2048 };
    const struct gts_argument *all = r->words.arguments;
    for (size_t i = r->words.count, far = i > FAR ? i - FAR : 0; i-- > far;) {
        if (a->in_group && (!all[i].in_group || all[i].dword != a->dword))
            return false;
        if (all[i].field == a->field && (a->field || all[i].dword == a->dword))
            return true;
    }
    return false;
}

/* MI_LOAD_REGISTER_IMM rcs0.CS_GPR[0], 5: what is repeated stands in braces. */
static bool wrong_part(struct reader *r, const struct gts_token *t, const struct command *c)
{
    char names[200] = "", name[64];
    for (unsigned i = 0; i < c->group_count; i++) {
        gts_name_canonical(c->group[i].name, name, sizeof name);
        nearest_list(names, sizeof names, name);
    }
    return wrong(r, t, "the repeated parts of %s go in braces: { %s }", c->name, names);
}

/* FIELD, FIELD = VALUE, dwN = VALUE or length = DWORDS. */
static bool read_argument(struct reader *r, const struct command *c)
{
    const struct gts_token *t = peek(r);
    struct gts_argument a = {.known = true, .value = 1, .token = (uint32_t)r->at};
    if (!field_named(t) && c->group_count)
        return wrong_part(r, t, c);
    if (!field_named(t))
        return wrong(r, t, "a field of %s should be named here", c->name);
    a.field = gts_field_find(c->fields, c->field_count, t->text, t->length);
    r->at++;
    if (a.field && !gts_is_length_field(c, a.field) && given(r, &a))
        return wrong(r, t, "'%s' is given twice", a.field->name);
    if (a.field && !gts_is_length_field(c, a.field)) {
        if (take_mark(r, '='))
            return read_value(r, &a);
        if (field_width(a.field) != 1)
            return wrong(r, t, "'%s' needs a value", a.field->name);
        return gts_words_add(&r->words, &a) || no_memory(r);
    }
    const bool as_encoded =
        a.field || (c->length_bits && gts_name_matches("DWord Length", t->text, t->length));
    if (as_encoded || token_is(t, "length")) {
        uint64_t length;
        if (!need_mark(r, '=') || !read_known(r, &length))
            return false;
        if (r->words.length)
            return wrong(r, t, "the length is given twice");
        length += as_encoded ? c->length_bias : 0u;
        if (length == 0 || length > WORDS_MAX)
            return wrong(r, t, "%s cannot be %llu dwords long", c->name, (unsigned long long)length);
        r->words.length = (uint32_t)length;
        return true;
    }
    if (gts_dword_name(t->text, t->length, &a.dword)) {
        if (given(r, &a))
            return wrong(r, t, "dword %u is given twice", a.dword);
        return need_mark(r, '=') && read_value(r, &a);
    }
    if (c->group_count && !is_mark(r, '='))
        return wrong_part(r, t, c);
    return unknown_field(r, t, c->name, c->fields, c->field_count);
}

/* '{' values in order, or by name '}' */
static bool read_group(struct reader *r, const struct command *c)
{
    const struct gts_token *start = peek(r);
    unsigned next = 0;
    if (!need_mark(r, '{'))
        return false;
    if (!c->group_count)
        return wrong(r, start, "%s has no repeated part", c->name);
    while (!take_mark(r, '}')) {
        const struct gts_token *t = peek(r);
        struct gts_argument a = {.in_group = true, .dword = r->words.groups, .token = (uint32_t)r->at};
        if (field_named(t) && t[1].kind == TOKEN_MARK && t[1].mark == '=') {
            a.field = gts_field_find(c->group, c->group_count, t->text, t->length);
            if (!a.field)
                return unknown_field(r, t, "this part", c->group, c->group_count);
            r->at += 2;
        } else if (next < c->group_count) {
            a.field = &c->group[next];
        } else {
            return wrong(r, t, "this part of %s has %u fields", c->name, c->group_count);
        }
        next = (unsigned)(a.field - c->group) + 1u;
        if (given(r, &a))
            return wrong(r, t, "'%s' is given twice", a.field->name);
        if (!read_value(r, &a))
            return false;
        if (!is_mark(r, '}') && !need_mark(r, ','))
            return false;
    }
    r->words.groups++;
    return r->words.groups * c->group_size_dw <= WORDS_MAX || wrong(r, start, "the command is too long");
}

/* Pass 0 notes the length; pass 1 has it again, whatever becomes of the command. */
static bool settle_length(struct reader *r, const struct gts_token *t, const struct command *c,
                          uint32_t *length)
{
    if (r->pass == 1)
        return true;
    *length = gts_words_length(&r->words, c);
    const uint32_t most = c->length_bits ? c->length_bias + (1u << c->length_bits) - 1u : c->min_dwords;
    const uint32_t least = c->length_bits ? c->length_bias : c->min_dwords;
    if (*length < least || *length > most || *length > UINT16_MAX)
        return wrong(r, t, "%s cannot be %u dwords long", c->name, *length);
    if (c->length_bits == 0 && r->words.length && r->words.length != *length)
        return wrong(r, t, "%s is always %u dword%s long", c->name, *length, *length == 1 ? "" : "s");
    if (r->length_count == r->length_room) {
        const size_t room = r->length_room ? r->length_room * 2 : 256;
        uint16_t *lengths = realloc(r->lengths, room * sizeof *lengths);
        if (!lengths)
            return no_memory(r);
        r->lengths = lengths;
        r->length_room = room;
    }
    r->lengths[r->length_count++] = (uint16_t)*length;
    return true;
}

static bool tell_bad(struct reader *r, const struct gts_token *t, const struct command *c, uint32_t length,
                     enum words_error error, const struct gts_argument *bad)
{
    const struct gts_token *at = bad ? &r->source->tokens[bad->token] : t;
    const unsigned long long value = bad ? bad->value : 0;
    switch (error) {
    case WORDS_GOOD:
        return true;
    case WORDS_LENGTH:
        return wrong(r, t, "%s cannot be %u dwords long", c->name, length);
    case WORDS_PAST_END:
        return wrong(r, at, "this lies behind the end of the command, which is %u dwords long", length);
    case WORDS_HEADER:
        return wrong(r, at, "0x%llx makes the header another command's than %s", value, c->name);
    case WORDS_VALUE:
        break;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a value that is wrong is some argument's */
    if (!bad->field)
        return wrong(r, at, "0x%llx does not fit in a dword", value);
    const unsigned shift = field_shift(bad->field);
    if (value & ((UINT64_C(1) << shift) - 1))
        return wrong(r, at, "0x%llx is no multiple of %llu, as '%s' must be", value, 1ULL << shift,
                     bad->field->name);
    if (bad->field->first / 32u != bad->field->last / 32u && value >> 32)
        return wrong(r, at,
                     "0x%llx does not fit in '%s' of a command of %u dwords ('qw' before it, or 'length = "
                     "N', makes it longer)",
                     value, bad->field->name, length);
    return wrong(r, at, "0x%llx does not fit in '%s' (%u bits)", value, bad->field->name,
                 field_width(bad->field));
}

static bool read_command(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    char name[96];
    if (t->length >= sizeof name)
        return wrong(r, t, "no command has so long a name");
    memcpy(name, t->text, t->length);
    name[t->length] = 0;
    const uint16_t number = find_command(r, b, name);
    if (!number)
        return unknown_command(r, b, t, name);
    const struct command *c = r->machine->commands->rows[number];
    r->at++;
    uint32_t length = r->pass == 1 ? r->lengths[r->length_at++] : 0;
    if (!gts_words_start(&r->words))
        return no_memory(r);
    bool groups = false;
    while (!at_line_end(r) && !is_mark(r, '}')) {
        groups = groups || is_mark(r, '{');
        if (groups ? !read_group(r, c) : !read_argument(r, c))
            return false;
        const bool comma = take_mark(r, ',');
        if (comma && (at_line_end(r) || is_mark(r, '}')))
            return wrong(r, peek(r), "something must follow the comma");
        if (!comma && !at_line_end(r) && !is_mark(r, '{') && !is_mark(r, '}'))
            return wrong(r, peek(r), "',' or the end of the line should be here");
    }
    if (!settle_length(r, t, c, &length))
        return false;
    if (gts_words_lack_qword(&r->words, c, length))
        return wrong(r, t, "%u dwords of %s store a qword: 'store_qword' is missing (or say 'length = %u')",
                     length, c->name, length);
    const struct gts_argument *bad;
    const enum words_error error = gts_words_build(&r->words, c, length, &bad);
    if (error != WORDS_GOOD)
        return tell_bad(r, t, c, length, error, bad);
    const uint64_t address = b->address + b->size;
    if (!block_put(r, b, t, r->words.dw, (size_t)length * 4))
        return false;
    return r->pass == 0 || gts_program_place(r->program, address, r->words.dw[0], t->line, t->column) ||
           no_memory(r);
}

/* ---- Lines ---- */

static bool read_repeat(struct reader *r, struct block *b);

static bool read_line(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    if (t->kind == TOKEN_WORD && t[1].kind == TOKEN_MARK && t[1].mark == ':') { /* a label */
        if (r->depth)
            return wrong(r, t, "a label cannot be repeated");
        if (!r->scope[0])
            return wrong(r, t, "a label needs a block with a name");
        const struct symbol *owner = symbol_find(r, NULL, r->scope, strlen(r->scope));
        char label[72];
        snprintf(label, sizeof label, "%.*s", (int)(t->length < 71 ? t->length : 71), t->text);
        if (!symbol_define(r, t, r->scope, strlen(r->scope), label, SYMBOL_ADDRESS, b->address + b->size,
                           true, owner && owner->kind == SYMBOL_ADDRESS ? owner->space : SPACE_NUMBER_GGTT))
            return false;
        r->at += 2;
        if (at_line_end(r))
            return true;
        t = peek(r);
    }
    if (token_is(t, "repeat"))
        return read_repeat(r, b);
    if (token_is(t, "align")) {
        uint64_t size;
        r->at++;
        if (!read_known(r, &size))
            return false;
        if (size < 4 || size > 1 << 20 || size & (size - 1))
            return wrong(r, t, "align takes a power of two from 4 to 1M");
        static const uint8_t zeros[64];
        while ((b->address + b->size) % size) {
            const size_t left = (size_t)(size - (b->address + b->size) % size);
            if (!block_put(r, b, t, zeros, left < sizeof zeros ? left : sizeof zeros))
                return false;
        }
        return true;
    }
    if (!b->commands || token_is(t, "dw") || token_is(t, "qw"))
        return read_items(r, b);
    if (t->kind != TOKEN_WORD)
        return wrong(r, t, "a command should be named here%s", comment_hint(t));
    return read_command(r, b);
}

/* Lines up to '}', each on its own: an error costs a line, not the block. */
static bool read_lines(struct reader *r, struct block *b, const struct gts_token *open)
{
    bool good = true;
    for (;;) {
        while (peek(r)->kind == TOKEN_LINE)
            r->at++;
        if (take_mark(r, '}'))
            return good;
        const struct gts_token *t = peek(r);
        if (t->kind == TOKEN_END)
            return wrong_end(r, open);
        const size_t start = r->at;
        const bool line = read_line(r, b) && (is_mark(r, '}') || need_line_end(r));
        if (!line) {
            good = false;
            if (r->source->errors >= MAX_ERRORS)
                return false;
            r->at = start;
            skip_line(r);
        }
    }
}

static bool read_repeat(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    uint64_t count;
    const struct gts_token *name = NULL;
    r->at++;
    if (!read_known(r, &count))
        return false;
    if (take_word(r, "as")) {
        name = peek(r);
        if (name->kind != TOKEN_WORD)
            return wrong(r, name, "a name must follow 'as'");
        r->at++;
    }
    if (!need_mark(r, '{'))
        return false;
    const size_t body = r->at;
    if (r->depth >= MAX_REPEATS)
        return wrong(r, t, "nested too deeply");
    r->depth++;
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++) {
        r->at = body;
        good =
            step(r, t, 1) &&
            (!name || symbol_define(r, name, name->text, name->length, NULL, SYMBOL_COUNTER, i, true, -1)) &&
            read_lines(r, b, &r->source->tokens[body - 1]);
    }
    if (count == 0) {
        r->at = body - 1;
        skip_line(r);
    }
    r->depth--;
    return good;
}

bool read_block_lines(struct reader *r, struct block *b)
{
    r->bytes_of_block.size = 0;
    return read_lines(r, b, b->open ? b->open : r->source->tokens);
}

bool read_block(struct reader *r, struct block *b)
{
    b->open = peek(r);
    return need_mark(r, '{') && read_block_lines(r, b);
}
