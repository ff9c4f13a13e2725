#include <string.h>

#include "gts/reader.h"

static bool read_level(struct reader *r, const struct field *field, unsigned level,
                       struct symbol_value *value);

/* After &CONTEXT.image: .REGISTER, the address of that register's value in the image. */
static bool read_image_value(struct reader *r, const struct gts_token *context, struct symbol_value *value)
{
    r->token_index++;
    const struct gts_token *t = peek(r);
    const struct symbol *symbol = symbol_find(r, NULL, context->text, context->length);
    char name[64];
    if (t->kind != TOKEN_WORD || t->length >= sizeof name)
        return expected_error(r, t, "a register after '.'");
    r->token_index++;
    if (!token_is(t - 2, "image"))
        return syntax_error(r, t, "'.%.*s' follows '.%.*s': only '.image' has registers", (int)t->length,
                            t->text, (int)t[-2].length, t[-2].text);
    if (!symbol) /* it may be defined later */
        return true;
    if (symbol->kind != SYMBOL_CONTEXT)
        return syntax_error(r, context, "'%s' is not a context", symbol->name);
    memcpy(name, t->text, t->length);
    name[t->length] = 0;
    const struct engine_info *info = r->queues[symbol->value].engine->info;
    const struct register_slot *slot = register_find(r->machine->registers, info->name, name);
    const uint32_t at_dw = slot ? image_find(info->contexts.image, slot->offset - info->mmio_base) : 0;
    if (!at_dw)
        return syntax_error(r, t, "the context image of %s has no register '%s'", info->name, name);
    value->number += at_dw * 4u;
    return true;
}

static bool read_address_of(struct reader *r, struct symbol_value *value)
{
    r->token_index++;
    const struct gts_token *first = peek(r);
    if (first->kind != TOKEN_WORD)
        return expected_error(r, first, "a name after '&'");
    r->token_index++;
    const char *part = NULL;
    size_t part_length = 0;
    if (is_mark(r, '.')) {
        r->token_index++;
        const struct gts_token *const last = peek(r);
        if (last->kind != TOKEN_WORD)
            return expected_error(r, last, "a label after '.'");
        part = last->text;
        part_length = last->length;
        r->token_index++;
    }
    char name[160];
    if (first->length + part_length + 2 > sizeof name)
        return syntax_error(r, first, "name of %zu characters: expected at most %zu",
                            first->length + part_length, sizeof name - 3);
    memcpy(name, first->text, first->length);
    size_t length = first->length;
    if (part) {
        name[length++] = '.';
        memcpy(name + length, part, part_length);
        length += part_length;
    }
    struct symbol *symbol = NULL;
    if (!part)
        symbol = symbol_find(r, r->scope, name, length);
    if (!symbol)
        symbol = symbol_find(r, NULL, name, length);
    if (symbol)
        symbol->is_used = true;
    if (!symbol) {
        *value = (struct symbol_value){.space = -1};
        if (r->pass == 0) /* it may be defined later */
            return !is_mark(r, '.') || read_image_value(r, first, value);
        struct nearest n;
        char hint[96];
        struct gts_token whole = *first;
        whole.length = part ? (uint32_t)(part + part_length - first->text) : first->length;
        nearest_start(&n, whole.text, whole.length);
        for (size_t i = 0; i < r->symbols.count; i++)
            if (r->symbols.list[i].kind == SYMBOL_ADDRESS)
                nearest_compare(&n, r->symbols.list[i].name);
        return syntax_error(r, first, "unknown name '%.*s'%s", (int)length, name,
                            nearest_text(&n, hint, sizeof hint));
    }
    if (symbol->kind == SYMBOL_CONTEXT)
        return syntax_error(r, first, "'%s' is a context: use &%s.image, &%s.hwsp or &%s.ring", symbol->name,
                            symbol->name, symbol->name, symbol->name);
    if (symbol->kind != SYMBOL_ADDRESS)
        return syntax_error(r, first, "'%s' has no address", symbol->name);
    *value =
        (struct symbol_value){.number = symbol->value, .is_known = symbol->is_known, .space = symbol->space};
    return !part || !is_mark(r, '.') || read_image_value(r, first, value);
}

static bool unknown_unit(struct reader *r, const struct gts_token *t, const char *unit)
{
    struct nearest n;
    char hint[96];
    nearest_start(&n, t->text, t->length);
    for (uint32_t i = 1; i < r->machine->registers->slot_count; i++)
        if (r->machine->registers->slots[i].unit)
            nearest_compare(&n, r->machine->registers->slots[i].unit);
    return syntax_error(r, t, "unknown unit '%s'%s", unit, nearest_text(&n, hint, sizeof hint));
}

/* Appends the index and _UDW of a register to its name. False after a message. */
static bool read_register_index(struct reader *r, const struct gts_token *n, char *name, size_t length)
{
    uint64_t index = 0;
    char digits[8];
    size_t count = 0;
    r->token_index++;
    if (!read_known(r, &index) || !require_mark(r, ']'))
        return false;
    if (index > 65535)
        return syntax_error(r, n, "unknown register %s[%llu]", name, (unsigned long long)index);
    do
        digits[count++] = (char)('0' + index % 10);
    while ((index /= 10) != 0);
    name[length++] = '[';
    while (count)
        name[length++] = digits[--count];
    name[length++] = ']';
    name[length] = 0;
    if (token_is(peek(r), "_UDW")) {
        memcpy(name + length, "_UDW", 5);
        r->token_index++;
    }
    return true;
}

/* Reports that a unit does not have the register that token `n` names. Returns false. */
static bool unknown_register(struct reader *r, const struct gts_token *t, const struct gts_token *n,
                             const char *unit, const char *name)
{
    struct nearest near;
    char hint[96];
    bool unit_known = false;
    unsigned elements = 0;
    nearest_start(&near, n->text, n->length);
    for (uint32_t i = 1; i < r->machine->registers->slot_count; i++) {
        const struct register_slot *s = &r->machine->registers->slots[i];
        if (!s->unit || strcmp(s->unit, unit) != 0)
            continue;
        unit_known = true;
        nearest_compare(&near, s->row->name);
        if (strlen(s->row->name) == n->length && memcmp(s->row->name, n->text, n->length) == 0)
            elements = s->row->count;
    }
    if (elements > 1)
        return syntax_error(r, n, "%s.%.*s is an array: expected an element from 0 to %u, such as %s.%.*s[0]",
                            unit, (int)n->length, n->text, elements - 1, unit, (int)n->length, n->text);
    if (!unit_known)
        return unknown_unit(r, t, unit);
    return syntax_error(r, n, "%s has no register '%s'%s", unit, name,
                        nearest_text(&near, hint, sizeof hint));
}

/* Reads a register: NAME, NAME[index] or UNIT.NAME[index]. False without a message, unless *reported: it is
 * none. */
static bool read_register(struct reader *r, struct symbol_value *value, bool *reported)
{
    const size_t start = r->token_index;
    const struct gts_token *t = peek(r);
    char unit[32] = "", name[96];
    *reported = false;
    if (!r->machine->registers)
        return false;
    if (t[1].kind == TOKEN_MARK && t[1].mark == '.' &&
        (t[2].kind == TOKEN_WORD || t[2].kind == TOKEN_NUMBER)) {
        if (t->length >= sizeof unit)
            return false;
        memcpy(unit, t->text, t->length);
        unit[t->length] = 0;
        r->token_index += 2;
    }
    const struct gts_token *n = peek(r);
    if (n->length + 12u >= sizeof name) {
        r->token_index = start;
        return false;
    }
    memcpy(name, n->text, n->length);
    name[n->length] = 0;
    r->token_index++;
    if (is_mark(r, '[') && !read_register_index(r, n, name, n->length)) {
        *reported = true;
        return false;
    }
    const struct register_slot *slot = register_find(r->machine->registers, unit[0] ? unit : NULL, name);
    if (!slot && !unit[0]) {
        r->token_index = start;
        return false;
    }
    if (!slot) {
        *reported = true;
        return unknown_register(r, t, n, unit, name);
    }
    *value = (struct symbol_value){.number = slot->offset, .is_known = true, .space = -1, .slot = slot};
    return true;
}

static bool read_word(struct reader *r, const struct field *field, struct symbol_value *value)
{
    const struct gts_token *t = peek(r);
    const struct field_value *named = field ? gts_value_find(field, t->text, t->length) : NULL;
    if (named) {
        *value = (struct symbol_value){.number = named->value, .is_known = true, .space = -1};
        r->token_index++;
        return true;
    }
    const bool dotted = t[1].kind == TOKEN_MARK && t[1].mark == '.';
    const struct symbol *symbol = dotted ? NULL : symbol_find(r, NULL, t->text, t->length);
    if (symbol && (symbol->kind == SYMBOL_LET || symbol->kind == SYMBOL_COUNTER)) {
        *value = (struct symbol_value){
            .number = symbol->value, .is_known = symbol->is_known, .space = symbol->space};
        r->token_index++;
        return true;
    }
    bool reported;
    if (read_register(r, value, &reported))
        return true;
    if (reported)
        return false;
    if (symbol && symbol->kind == SYMBOL_ADDRESS)
        return syntax_error(r, t, "'%s' is a block: write &%s for its address", symbol->name, symbol->name);
    struct nearest n;
    char hint[96], values[400] = "";
    nearest_start(&n, t->text, t->length);
    for (size_t i = 0; i < r->symbols.count; i++)
        if (r->symbols.list[i].kind == SYMBOL_LET)
            nearest_compare(&n, r->symbols.list[i].name);
    for (const struct field_value *v = field ? field->values : NULL; v && v->name; v++) {
        char canonical[64];
        gts_name_canonical(v->name, canonical, sizeof canonical);
        nearest_compare(&n, canonical);
        append_name(values, sizeof values, canonical);
    }
    if (*t->text >= '0' && *t->text <= '9')
        return syntax_error(r, t,
                            "invalid number '%.*s': expected a number such as 12, 4K, 0x1f, 0b101 or 1.5",
                            (int)t->length, t->text);
    return syntax_error(r, t, "unknown name '%.*s': expected a constant, register%s%s%s%s", (int)t->length,
                        t->text, field && field->values ? " or value of this field" : " or value",
                        nearest_text(&n, hint, sizeof hint), values[0] ? "; its values: " : "", values);
}

static bool read_primary(struct reader *r, const struct field *field, struct symbol_value *value);

static bool read_operand(struct reader *r, const struct field *field, struct symbol_value *value)
{
    const struct gts_token *t = peek(r);
    switch (t->kind) {
    case TOKEN_NUMBER:
    case TOKEN_FLOAT:
        *value = (struct symbol_value){.number = t->value, .is_known = true, .space = -1};
        r->token_index++;
        return true;
    case TOKEN_STRING: {
        const struct field_value *named = field ? gts_value_find(field, t->text, t->length) : NULL;
        if (!named)
            return syntax_error(r, t, "unknown value \"%.*s\"", (int)t->length, t->text);
        *value = (struct symbol_value){.number = named->value, .is_known = true, .space = -1};
        r->token_index++;
        return true;
    }
    case TOKEN_WORD:
        return read_word(r, field, value);
    case TOKEN_MARK:
        if (t->mark == '&')
            return read_address_of(r, value);
        if (t->mark == '(') {
            r->token_index++;
            return read_level(r, field, 0, value) && require_mark(r, ')');
        }
        if (t->mark == '-' || t->mark == '~') {
            r->token_index++;
            if (!read_primary(r, field, value))
                return false;
            value->number = t->mark == '-' ? -value->number : ~value->number;
            value->slot = NULL;
            return true;
        }
        break;
    default:
        break;
    }
    return expected_error(r, t, "a value");
}

static bool read_primary(struct reader *r, const struct field *field, struct symbol_value *value)
{
    if (r->nesting > MAX_NESTING)
        return syntax_error(r, peek(r), "the expression is nested more than %d levels deep", MAX_NESTING);
    r->nesting++;
    const bool good = read_operand(r, field, value);
    r->nesting--;
    return good;
}

/* Binary operators from loose to tight. */
enum { LEVEL_OR, LEVEL_XOR, LEVEL_AND, LEVEL_SHIFT, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_PRIMARY };

static unsigned level_of(const struct gts_token *t)
{
    if (t->kind != TOKEN_MARK)
        return LEVEL_PRIMARY;
    switch (t->mark) {
    case '|':
        return LEVEL_OR;
    case '^':
        return LEVEL_XOR;
    case '&':
        return LEVEL_AND;
    case TWO_MARKS('<', '<'):
    case TWO_MARKS('>', '>'):
        return LEVEL_SHIFT;
    case '+':
    case '-':
        return LEVEL_SUM;
    case '*':
    case '/':
    case '%':
        return LEVEL_PRODUCT;
    default:
        return LEVEL_PRIMARY;
    }
}

static bool combine(struct reader *r, const struct gts_token *t, struct symbol_value *a,
                    const struct symbol_value *b)
{
    const bool known = a->is_known && b->is_known;
    uint64_t v = 0;
    switch (t->mark) {
    case '|':
        v = a->number | b->number;
        break;
    case '^':
        v = a->number ^ b->number;
        break;
    case '&':
        v = a->number & b->number;
        break;
    case TWO_MARKS('<', '<'):
        v = b->number < 64 ? a->number << b->number : 0;
        break;
    case TWO_MARKS('>', '>'):
        v = b->number < 64 ? a->number >> b->number : 0;
        break;
    case '+':
        v = a->number + b->number;
        break;
    case '-':
        v = a->number - b->number;
        break;
    case '*':
        v = a->number * b->number;
        break;
    default: /* '/' and '%' */
        if (known && b->number == 0)
            return syntax_error(r, t, "'%c' by zero", t->mark);
        v = b->number == 0 ? 0 : t->mark == '/' ? a->number / b->number : a->number % b->number;
        break;
    }
    *a = (struct symbol_value){.number = v, .is_known = known, .space = a->space >= 0 ? a->space : b->space};
    return true;
}

static bool read_level(struct reader *r, const struct field *field, unsigned level,
                       struct symbol_value *value)
{
    if (level == LEVEL_PRIMARY)
        return read_primary(r, field, value);
    if (!read_level(r, field, level + 1, value))
        return false;
    while (level_of(peek(r)) == level) {
        const struct gts_token *t = peek(r);
        struct symbol_value right;
        r->token_index++;
        if (!read_level(r, field, level + 1, &right) || !combine(r, t, value, &right))
            return false;
    }
    return true;
}

bool read_expression(struct reader *r, const struct field *field, struct symbol_value *value)
{
    return read_level(r, field, LEVEL_OR, value);
}

bool read_sum(struct reader *r, struct symbol_value *value)
{
    return read_level(r, NULL, LEVEL_SHIFT, value);
}

bool read_known(struct reader *r, uint64_t *value)
{
    const struct gts_token *t = peek(r);
    struct symbol_value v;
    if (!read_expression(r, NULL, &v))
        return false;
    if (!v.is_known)
        return syntax_error(r, t,
                            "this value must be known here: it depends on a name that is defined later");
    *value = v.number;
    return true;
}

bool read_location(struct reader *r, int *space, struct symbol_value *address)
{
    const struct gts_token *t = peek(r);
    *space = -1;
    if (t->kind == TOKEN_WORD && t[1].kind == TOKEN_MARK && t[1].mark == ':') {
        *space = gts_space_find(&r->spaces, t->text, t->length);
        if (*space < 0)
            return syntax_error(r, t, "unknown address space '%.*s'", (int)t->length, t->text);
        r->token_index += 2;
    }
    const struct gts_token *start = peek(r);
    if (!read_sum(r, address))
        return false;
    if (*space < 0)
        *space = address->space >= 0 ? address->space : SPACE_NUMBER_GGTT;
    if (gts_space_is_ppgtt(&r->spaces, *space) && address->is_known) {
        const uint64_t high = address->number >> 47;
        if (r->spaces.list[*space].levels > 3 && high == 0x1ffff) /* canonical form */
            address->number &= (UINT64_C(1) << 48) - 1;
    }
    const uint64_t limit = r->spaces.list[*space].limit;
    if (address->is_known && address->number >= limit)
        return syntax_error(r, start, "address 0x%llx is outside %s, which ends at 0x%llx",
                            (unsigned long long)address->number, r->spaces.list[*space].name,
                            (unsigned long long)limit);
    return true;
}

bool read_engine(struct reader *r, const struct gts_engine **engine)
{
    const struct gts_token *t = peek(r);
    for (unsigned i = 0; i < r->machine->engine_count; i++)
        if (t->kind == TOKEN_WORD && token_is(t, r->machine->engines[i].name)) {
            *engine = &r->machine->engines[i];
            r->token_index++;
            return true;
        }
    struct nearest n;
    char hint[96], found[80];
    char all[300] = "";
    nearest_start(&n, t->text, t->length);
    for (unsigned i = 0; i < r->machine->engine_count; i++) {
        nearest_compare(&n, r->machine->engines[i].name);
        append_name(all, sizeof all, r->machine->engines[i].name);
    }
    return syntax_error(r, t, "expected an engine, found %s%s; %s has %s", found_text(t, found, sizeof found),
                        nearest_text(&n, hint, sizeof hint), r->machine->device, all);
}
