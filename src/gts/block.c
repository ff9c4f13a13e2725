/* Blocks: lines of commands, or of data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gts/reader.h"

static bool block_too_large(struct reader *r, const struct gts_token *t)
{
    return syntax_error(r, t, "the block is larger than %d MB", MAX_BYTES >> 20);
}

bool block_put(struct reader *r, struct block *b, const struct gts_token *t, const void *data, size_t size)
{
    if (!count_steps(r, t, 1))
        return false;
    if (b->size + size > MAX_BYTES)
        return block_too_large(r, t);
    if (r->pass == 1) {
        if (b->size + size > r->block_bytes.capacity) {
            size_t room = r->block_bytes.capacity ? r->block_bytes.capacity : 4096;
            while (room < b->size + size)
                room *= 2;
            uint8_t *bytes = realloc(r->block_bytes.data, room);
            if (!bytes)
                return reader_no_memory(r);
            r->block_bytes.data = bytes;
            r->block_bytes.capacity = room;
        }
        memcpy(r->block_bytes.data + b->size, data, size);
        r->block_bytes.size = b->size + size;
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
    return syntax_error(
        r, t,
        "a value of %zu bytes is at 0x%llx: expected a multiple of %llu (write 'byte' before the values, or "
        "'align %llu')",
        size, (unsigned long long)at, (unsigned long long)multiple, (unsigned long long)multiple);
}

static bool put_number(struct reader *r, struct block *b, size_t size)
{
    const struct gts_token *t = peek(r);
    struct symbol_value value;
    if (!read_expression(r, NULL, &value))
        return false;
    if (!aligned(r, b, t, size))
        return false;
    const unsigned bits = (unsigned)size * 8;
    const bool negative =
        size < 8 && (int64_t)value.number < 0 && (int64_t)value.number >= -(INT64_C(1) << (bits - 1));
    if (value.is_known && size < 8 && value.number >> bits && !negative)
        return syntax_error(r, t, "0x%llx does not fit in %u bits%s", (unsigned long long)value.number, bits,
                            size == 4 ? " (write 'qw' before it)" : "");
    return block_put(r, b, t, &value.number, size); /* the host is little-endian, like the device */
}

static bool put_fill(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    struct symbol_value value;
    uint64_t size;
    if (!read_expression(r, NULL, &value) || !require_word(r, "size") || !read_known(r, &size))
        return false;
    if (!aligned(r, b, t, 4))
        return false;
    if (size > MAX_BYTES || !count_steps(r, t, size / 64))
        return block_too_large(r, t);
    if (value.is_known && value.number >> 32)
        return syntax_error(r, t, "fill value 0x%llx does not fit in 32 bits",
                            (unsigned long long)value.number);
    uint32_t piece[256];
    for (size_t i = 0; i < 256; i++)
        piece[i] = (uint32_t)value.number;
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
        return reader_no_memory(r);
    const size_t size = gts_unescape(t, text, t->length);
    r->token_index++;
    const bool good = block_put(r, b, t, text, size);
    free(text);
    return good;
}

bool read_items(struct reader *r, struct block *b)
{
    size_t size = 4;
    do {
        if (accept_word(r, "dw"))
            size = 4;
        else if (accept_word(r, "qw"))
            size = 8;
        else if (accept_word(r, "byte"))
            size = 1;
        else if (accept_word(r, "word"))
            size = 2;
        bool good;
        if (peek(r)->kind == TOKEN_STRING)
            good = put_string(r, b);
        else if (accept_word(r, "fill"))
            good = put_fill(r, b);
        else
            good = put_number(r, b, size);
        if (!good)
            return false;
    } while (accept_mark(r, ','));
    return is_line_end(r) || is_mark(r, '}') || expected_error(r, peek(r), "',' or the end of the line");
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
    nearest_start(&n, t->text, t->length);
    for (unsigned i = 1; i < set->count; i++) {
        const bool here = !b->engine || set->rows[i]->engines & 1u << b->engine->class;
        if (strcmp(set->rows[i]->name, name) == 0)
            elsewhere |= set->rows[i]->engines;
        if (here)
            nearest_compare(&n, set->rows[i]->name);
    }
    if (is_statement(name))
        return syntax_error(
            r, t, "'%s' is a statement, not a command: is the '}' of the '{' at %u:%u missing before it?",
            name, b->open ? b->open->line : 0, b->open ? b->open->column : 0);
    for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
        if (elsewhere >> class & 1u)
            append_name(classes, sizeof classes, engine_class_names[class]);
    if (elsewhere)
        return syntax_error(r, t, "%s has no command '%s'; engines that have it: %s",
                            b->engine ? b->engine->name : "the device", name, classes);
    return syntax_error(r, t, "unknown command '%s'%s", name, nearest_text(&n, hint, sizeof hint));
}

static bool unknown_field(struct reader *r, const struct gts_token *t, const char *where,
                          const struct field *fields, unsigned count)
{
    struct nearest n;
    char hint[96], canonical[64], all[400] = "";
    nearest_start(&n, t->text, t->length);
    for (unsigned i = 0; i < count; i++) {
        gts_name_canonical(fields[i].name, canonical, sizeof canonical);
        nearest_compare(&n, canonical);
        append_name(all, sizeof all, canonical);
    }
    return syntax_error(r, t, "%s has no field '%.*s'%s; its fields: %s", where, (int)t->length, t->text,
                        nearest_text(&n, hint, sizeof hint), count ? all : "none");
}

static bool read_value(struct reader *r, struct gts_argument *a)
{
    struct symbol_value value;
    a->token = (uint32_t)r->token_index;
    a->whole = accept_word(r, "qw");
    if (!read_expression(r, a->field, &value))
        return false;
    a->value = value.number;
    a->known = value.is_known;
    return gts_encoder_add(&r->encoder, a) || reader_no_memory(r);
}

static bool field_named(const struct gts_token *t)
{
    return t->kind == TOKEN_WORD || t->kind == TOKEN_STRING;
}

/* The argument repeats an earlier field or dword. */
static bool given(const struct reader *r, const struct gts_argument *a)
{
    enum { FAR = 2048 };
    const struct gts_argument *all = r->encoder.arguments;
    for (size_t i = r->encoder.count, far = i > FAR ? i - FAR : 0; i-- > far;) {
        if (a->in_group && (!all[i].in_group || all[i].dword != a->dword))
            return false;
        if (all[i].field == a->field && (a->field || all[i].dword == a->dword))
            return true;
    }
    return false;
}

/* Error for MI_LOAD_REGISTER_IMM rcs0.CS_GPR[0], 5: repeated parts need braces. */
static bool wrong_field_error(struct reader *r, const struct gts_token *t, const struct command *c)
{
    char names[200] = "", name[64];
    for (unsigned i = 0; i < c->group_count; i++) {
        gts_name_canonical(c->group[i].name, name, sizeof name);
        append_name(names, sizeof names, name);
    }
    return syntax_error(r, t, "expected the repeated part of %s in braces: { %s }", c->name, names);
}

static uint32_t most_dwords(const struct command *c)
{
    return c->length_bits ? c->length_bias + (1u << c->length_bits) - 1u : c->min_dwords;
}

static uint32_t least_dwords(const struct command *c)
{
    return c->length_bits ? c->length_bias : c->min_dwords;
}

static bool bad_length(struct reader *r, const struct gts_token *t, const struct command *c, uint64_t length)
{
    return syntax_error(r, t, "%s is %llu dwords long: expected %u to %u", c->name,
                        (unsigned long long)length, least_dwords(c), most_dwords(c));
}

/* FIELD, FIELD = VALUE, dwN = VALUE or length = DWORDS. */
static bool read_argument(struct reader *r, const struct command *c)
{
    const struct gts_token *t = peek(r);
    struct gts_argument a = {.known = true, .value = 1, .token = (uint32_t)r->token_index};
    char found[80];
    if (!field_named(t) && c->group_count)
        return wrong_field_error(r, t, c);
    if (!field_named(t))
        return syntax_error(r, t, "expected a field of %s, found %s", c->name,
                            found_text(t, found, sizeof found));
    a.field = gts_field_find(c->fields, c->field_count, t->text, t->length);
    r->token_index++;
    if (a.field && !gts_is_length_field(c, a.field) && given(r, &a))
        return syntax_error(r, t, "field '%s' is given twice", a.field->name);
    if (a.field && !gts_is_length_field(c, a.field)) {
        if (accept_mark(r, '='))
            return read_value(r, &a);
        if (field_width(a.field) != 1)
            return syntax_error(r, t, "field '%s' needs a value: '= VALUE'", a.field->name);
        return gts_encoder_add(&r->encoder, &a) || reader_no_memory(r);
    }
    const bool as_encoded =
        a.field || (c->length_bits && gts_name_matches("DWord Length", t->text, t->length));
    if (as_encoded || token_is(t, "length")) {
        uint64_t length;
        if (!require_mark(r, '=') || !read_known(r, &length))
            return false;
        if (r->encoder.requested_length_dw)
            return syntax_error(r, t, "the length of %s is given twice", c->name);
        length += as_encoded ? c->length_bias : 0u;
        if (length == 0 || length > ENCODER_MAX_DW)
            return bad_length(r, t, c, length);
        r->encoder.requested_length_dw = (uint32_t)length;
        return true;
    }
    if (gts_dword_name(t->text, t->length, &a.dword)) {
        if (given(r, &a))
            return syntax_error(r, t, "dword %u is given twice", a.dword);
        return require_mark(r, '=') && read_value(r, &a);
    }
    if (c->group_count && !is_mark(r, '='))
        return wrong_field_error(r, t, c);
    return unknown_field(r, t, c->name, c->fields, c->field_count);
}

/* '{' values in order, or by name '}' */
static bool read_group(struct reader *r, const struct command *c)
{
    const struct gts_token *start = peek(r);
    unsigned next = 0;
    if (!require_mark(r, '{'))
        return false;
    if (!c->group_count)
        return syntax_error(r, start, "%s has no repeated part", c->name);
    while (!accept_mark(r, '}')) {
        const struct gts_token *t = peek(r);
        struct gts_argument a = {
            .in_group = true, .dword = r->encoder.groups, .token = (uint32_t)r->token_index};
        if (field_named(t) && t[1].kind == TOKEN_MARK && t[1].mark == '=') {
            a.field = gts_field_find(c->group, c->group_count, t->text, t->length);
            if (!a.field)
                return unknown_field(r, t, "the repeated part", c->group, c->group_count);
            r->token_index += 2;
        } else if (next < c->group_count) {
            a.field = &c->group[next];
        } else {
            return syntax_error(r, t, "the repeated part of %s has %u fields", c->name, c->group_count);
        }
        next = (unsigned)(a.field - c->group) + 1u;
        if (given(r, &a))
            return syntax_error(r, t, "field '%s' is given twice", a.field->name);
        if (!read_value(r, &a))
            return false;
        if (!is_mark(r, '}') && !require_mark(r, ','))
            return false;
    }
    r->encoder.groups++;
    return r->encoder.groups * c->group_size_dw <= ENCODER_MAX_DW ||
           syntax_error(r, start, "%s is longer than %d dwords", c->name, ENCODER_MAX_DW);
}

/* Pass 0 notes the length of the command; pass 1 uses it, even after an error in the command. */
static bool settle_length(struct reader *r, const struct gts_token *t, const struct command *c,
                          uint32_t *length)
{
    if (r->pass == 1)
        return true;
    *length = gts_encoder_length_dw(&r->encoder, c);
    if (*length < least_dwords(c) || *length > most_dwords(c) || *length > UINT16_MAX)
        return bad_length(r, t, c, *length);
    if (c->length_bits == 0 && r->encoder.requested_length_dw && r->encoder.requested_length_dw != *length)
        return syntax_error(r, t, "%s is %u dword%s long: it has no other length", c->name, *length,
                            *length == 1 ? "" : "s");
    if (r->length_count == r->length_capacity) {
        const size_t room = r->length_capacity ? r->length_capacity * 2 : 256;
        uint16_t *lengths = realloc(r->command_lengths_dw, room * sizeof *lengths);
        if (!lengths)
            return reader_no_memory(r);
        r->command_lengths_dw = lengths;
        r->length_capacity = room;
    }
    r->command_lengths_dw[r->length_count++] = (uint16_t)*length;
    return true;
}

static bool report_encode_error(struct reader *r, const struct gts_token *t, const struct command *c,
                                uint32_t length, enum encode_error error, const struct gts_argument *bad)
{
    const struct gts_token *at = bad ? &r->source->tokens[bad->token] : t;
    const unsigned long long value = bad ? bad->value : 0;
    switch (error) {
    case ENCODE_OK:
        return true;
    case ENCODE_BAD_LENGTH:
        return bad_length(r, t, c, length);
    case ENCODE_PAST_END:
        if (bad && bad->field)
            return syntax_error(r, at, "field '%s' is past the end of %s, which is %u dwords long",
                                bad->field->name, c->name, length);
        return syntax_error(r, at, "dword %u is past the end of %s, which is %u dwords long",
                            bad ? bad->dword : 0, c->name, length);
    case ENCODE_NO_HEADER_FIT:
        return syntax_error(r, at, "dword 0 is 0x%llx: expected a header of %s", value, c->name);
    case ENCODE_BAD_VALUE:
        break;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a bad value has an argument */
    if (!bad->field)
        return syntax_error(r, at, "0x%llx does not fit in 32 bits", value);
    const unsigned shift = field_shift(bad->field);
    if (value & ((UINT64_C(1) << shift) - 1))
        return syntax_error(r, at, "field '%s' is 0x%llx: expected a multiple of %llu", bad->field->name,
                            value, 1ULL << shift);
    if (bad->field->first / 32u != bad->field->last / 32u && value >> 32)
        return syntax_error(
            r, at,
            "0x%llx does not fit in field '%s' of a command of %u dwords (write 'qw' before it, or 'length = "
            "N', for a longer command)",
            value, bad->field->name, length);
    return syntax_error(r, at, "0x%llx does not fit in field '%s' of %u bits", value, bad->field->name,
                        field_width(bad->field));
}

static bool read_command(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    char name[96];
    if (t->length >= sizeof name)
        return syntax_error(r, t, "unknown command '%.*s...'", 60, t->text);
    memcpy(name, t->text, t->length);
    name[t->length] = 0;
    const uint16_t number = find_command(r, b, name);
    if (!number)
        return unknown_command(r, b, t, name);
    const struct command *c = r->machine->commands->rows[number];
    r->token_index++;
    uint32_t length = r->pass == 1 ? r->command_lengths_dw[r->length_index++] : 0;
    if (!gts_encoder_start(&r->encoder))
        return reader_no_memory(r);
    bool groups = false;
    while (!is_line_end(r) && !is_mark(r, '}')) {
        groups = groups || is_mark(r, '{');
        if (groups ? !read_group(r, c) : !read_argument(r, c))
            return false;
        const bool comma = accept_mark(r, ',');
        if (comma && (is_line_end(r) || is_mark(r, '}')))
            return expected_error(r, peek(r), "a field after ','");
        if (!comma && !is_line_end(r) && !is_mark(r, '{') && !is_mark(r, '}'))
            return expected_error(r, peek(r), "',' or the end of the line");
    }
    if (!settle_length(r, t, c, &length))
        return false;
    if (gts_encoder_lacks_store_qword(&r->encoder, c, length))
        return syntax_error(
            r, t, "%s of %u dwords stores a qword: expected field 'store_qword' (or write 'length = %u')",
            c->name, length, length);
    const struct gts_argument *bad;
    const enum encode_error error = gts_encoder_build(&r->encoder, c, length, &bad);
    if (error != ENCODE_OK)
        return report_encode_error(r, t, c, length, error, bad);
    const uint64_t address = b->address + b->size;
    if (!block_put(r, b, t, r->encoder.dw, (size_t)length * 4))
        return false;
    return r->pass == 0 ||
           gts_program_add_command(r->program, address, r->encoder.dw[0], t->line, t->column) ||
           reader_no_memory(r);
}

/* ---- Lines ---- */

static bool read_repeat(struct reader *r, struct block *b);

static bool read_line(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    char found[80];
    if (t->kind == TOKEN_WORD && t[1].kind == TOKEN_MARK && t[1].mark == ':') { /* a label */
        if (r->depth)
            return syntax_error(r, t, "label '%.*s' is inside a repeat: expected it outside", (int)t->length,
                                t->text);
        if (!r->scope[0])
            return syntax_error(r, t, "label '%.*s' is in a block without a name: expected 'batch NAME'",
                                (int)t->length, t->text);
        const struct symbol *owner = symbol_find(r, NULL, r->scope, strlen(r->scope));
        char label[72];
        snprintf(label, sizeof label, "%.*s", (int)(t->length < 71 ? t->length : 71), t->text);
        if (!symbol_define(r, t, r->scope, strlen(r->scope), label, SYMBOL_ADDRESS, b->address + b->size,
                           true, owner && owner->kind == SYMBOL_ADDRESS ? owner->space : SPACE_NUMBER_GGTT))
            return false;
        r->token_index += 2;
        if (is_line_end(r))
            return true;
        t = peek(r);
    }
    if (token_is(t, "repeat"))
        return read_repeat(r, b);
    if (token_is(t, "align")) {
        uint64_t size;
        r->token_index++;
        if (!read_known(r, &size))
            return false;
        if (size < 4 || size > 1 << 20 || size & (size - 1))
            return syntax_error(r, t, "align is %llu: expected a power of two from 4 to 1M",
                                (unsigned long long)size);
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
        return syntax_error(r, t, "expected a command, found %s%s", found_text(t, found, sizeof found),
                            comment_hint(t));
    return read_command(r, b);
}

/* Reads lines up to '}'. An error skips a line, not the block. */
static bool read_lines(struct reader *r, struct block *b, const struct gts_token *open)
{
    bool good = true;
    for (;;) {
        while (peek(r)->kind == TOKEN_LINE)
            r->token_index++;
        if (accept_mark(r, '}'))
            return good;
        const struct gts_token *t = peek(r);
        if (t->kind == TOKEN_END)
            return unterminated_error(r, open);
        const size_t start = r->token_index;
        const bool line = read_line(r, b) && (is_mark(r, '}') || require_line_end(r));
        if (!line) {
            good = false;
            if (r->source->errors >= MAX_ERRORS)
                return false;
            r->token_index = start;
            skip_line(r);
        }
    }
}

static bool read_repeat(struct reader *r, struct block *b)
{
    const struct gts_token *t = peek(r);
    uint64_t count;
    const struct gts_token *name = NULL;
    r->token_index++;
    if (!read_known(r, &count))
        return false;
    if (accept_word(r, "as")) {
        name = peek(r);
        if (name->kind != TOKEN_WORD)
            return expected_error(r, name, "a name after 'as'");
        r->token_index++;
    }
    if (!require_mark(r, '{'))
        return false;
    const size_t body = r->token_index;
    if (r->depth >= MAX_REPEATS)
        return syntax_error(r, t, "repeat is nested more than %d levels deep", MAX_REPEATS);
    r->depth++;
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++) {
        r->token_index = body;
        good =
            count_steps(r, t, 1) &&
            (!name || symbol_define(r, name, name->text, name->length, NULL, SYMBOL_COUNTER, i, true, -1)) &&
            read_lines(r, b, &r->source->tokens[body - 1]);
    }
    if (count == 0) {
        r->token_index = body - 1;
        skip_line(r);
    }
    r->depth--;
    return good;
}

bool read_block_lines(struct reader *r, struct block *b)
{
    r->block_bytes.size = 0;
    return read_lines(r, b, b->open ? b->open : r->source->tokens);
}

bool read_block(struct reader *r, struct block *b)
{
    b->open = peek(r);
    return require_mark(r, '{') && read_block_lines(r, b);
}
