/* Parses expectations and wait statements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "device/host.h"
#include "gts/reader.h"

#define COUNTER(member)                                                                                      \
    {                                                                                                        \
#member, offsetof(struct softgt_engine_status, member)                                               \
    }
const struct gts_counter gts_counters[] = {
    COUNTER(batches),
    COUNTER(commands),
    COUNTER(dwords),
    COUNTER(waits),
    COUNTER(context_switches),
    COUNTER(interrupts),
    COUNTER(memory_writes),
    COUNTER(bytes_written),
    COUNTER(faults),
    COUNTER(dropped),
    COUNTER(unknown),
    COUNTER(misplaced),
    COUNTER(skipped),
    COUNTER(too_short),
    COUNTER(thread_groups),
    COUNTER(threads),
    COUNTER(invocations),
    COUNTER(instructions),
    {NULL, 0},
};

static bool need_equals(struct reader *r, bool *differs)
{
    const struct gts_token *t = peek(r);
    *differs = accept_mark(r, TWO_MARKS('!', '='));
    if (*differs || accept_mark(r, TWO_MARKS('=', '=')) || accept_mark(r, '='))
        return true;
    return expected_error(r, t, "'=' or '!='");
}

static bool optional_text(struct reader *r, const struct gts_token **text)
{
    *text = NULL;
    if (peek(r)->kind == TOKEN_STRING)
        *text = &r->source->tokens[r->token_index++];
    return true;
}

static bool attach_text(struct reader *r, struct gts_operation *o, const struct gts_token *text)
{
    return !text || (o->text = text_of(r, text)) != NULL;
}

/* ---- Memory and registers ---- */

static bool expect_memory(struct reader *r, const struct gts_token *start, struct access_place *p,
                          uint64_t mask, bool differs)
{
    struct block b = {.address = p->address};
    r->block_bytes.size = 0;
    if (!read_items(r, &b))
        return false;
    if (mask != UINT64_MAX && (mask >> 32 || b.size % 4))
        return syntax_error(r, start,
                            "mask 0x%llx with %zu bytes of data: expected a mask of 32 bits, and dwords",
                            (unsigned long long)mask, b.size);
    if (r->pass == 0)
        return true;
    for (size_t done = 0; done < b.size;) {
        uint64_t physical = p->address + done, length = b.size - done;
        if (p->space > SPACE_NUMBER_GGTT &&
            !resolve_address(r, start, p->space, p->address + done, &physical, &length))
            return false;
        const size_t part = length < b.size - done ? (size_t)length : b.size - done;
        if (differs && part < b.size)
            return syntax_error(r, start,
                                "'!=' needs contiguous memory: the page after %s:0x%llx is elsewhere",
                                p->name, (unsigned long long)(p->address + done + part - 1));
        r->operation_bytes += part;
        if (r->operation_bytes > MAX_BYTES)
            return program_too_large(r, start);
        struct gts_operation *o = emit(r, GTS_EXPECT, start);
        if (!o)
            return false;
        o->data = malloc(part);
        if (!o->data)
            return reader_no_memory(r);
        memcpy(o->data, r->block_bytes.data + done, part);
        o->data_size = part;
        o->location = p->kind;
        o->address = physical;
        o->shown_address = p->address + done;
        o->mask = mask;
        o->expect_differs = differs;
        o->continues_statement = done != 0;
        o->name = p->name;
        done += part;
    }
    return true;
}

static bool read_expect_place(struct reader *r, const struct gts_token *start)
{
    struct access_place p;
    uint64_t mask;
    bool differs;
    if (!read_place(r, &p) || !read_mask(r, &mask) || !need_equals(r, &differs))
        return false;
    if (p.space >= 0)
        return expect_memory(r, start, &p, mask, differs);
    struct symbol_value value;
    const struct gts_token *t = peek(r);
    if (!read_expression(r, NULL, &value))
        return false;
    if (value.is_known && p.size < 8 && value.number >> (p.size * 8))
        return syntax_error(r, t, "0x%llx does not fit in %u bytes", (unsigned long long)value.number,
                            p.size);
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, GTS_EXPECT, start);
    if (!o)
        return false;
    o->location = p.kind;
    o->unit = p.bar;
    o->address = o->shown_address = p.address;
    o->size = p.size;
    o->value = value.number;
    o->mask = p.size < 8 ? mask & ((UINT64_C(1) << (p.size * 8)) - 1) : mask;
    o->expect_differs = differs;
    o->name = p.name;
    return true;
}

/* wait PLACE [& MASK] = VALUE within N (ns | us | ms | dwords) */
bool read_wait(struct reader *r, const struct gts_token *start)
{
    struct access_place p;
    uint64_t mask, bound, factor = 1;
    bool differs;
    struct symbol_value value;
    if (!read_place(r, &p) || !read_mask(r, &mask) || !need_equals(r, &differs) ||
        !read_expression(r, NULL, &value) || !require_word(r, "within") || !read_known(r, &bound))
        return false;
    enum gts_unit unit = UNIT_NS;
    if (accept_word(r, "us"))
        factor = 1000;
    else if (accept_word(r, "ms"))
        factor = 1000000;
    else if (accept_word(r, "dwords"))
        unit = UNIT_DWORDS;
    else if (!require_word(r, "ns"))
        return false;
    if (bound > UINT64_C(1) << 32 || bound == 0)
        return syntax_error(r, start, "the limit of the wait is %llu: expected 1 to 4G",
                            (unsigned long long)bound);
    if (r->pass == 0)
        return true;
    uint64_t physical = p.address, length = 8;
    if (p.space > SPACE_NUMBER_GGTT && !resolve_address(r, start, p.space, p.address, &physical, &length))
        return false;
    struct gts_operation *o = emit(r, GTS_WAIT, start);
    if (!o)
        return false;
    o->location = p.kind;
    o->unit = p.bar;
    o->address = physical;
    o->shown_address = p.address;
    o->size = p.size;
    o->value = value.number;
    o->mask = p.size < 8 ? mask & ((UINT64_C(1) << (p.size * 8)) - 1) : mask;
    o->expect_differs = differs;
    o->name = p.name;
    o->bound = bound * factor;
    o->bound_unit = unit;
    return true;
}

/* ---- Complaints ---- */

static bool read_complaint(struct reader *r, uint64_t *kind)
{
    const struct gts_token *t = peek(r);
    if (accept_word(r, "guest_error"))
        *kind = SOFTGT_GUEST_ERROR;
    else if (accept_word(r, "not_modelled"))
        *kind = SOFTGT_NOT_MODELLED;
    else if (accept_word(r, "host_failure"))
        *kind = SOFTGT_HOST_FAILURE;
    else
        return expected_error(r, t, "guest_error, not_modelled or host_failure");
    return true;
}

static bool read_report(struct reader *r, const struct gts_token *start, enum gts_verb verb)
{
    uint64_t kind = 0;
    const struct gts_token *text;
    if (!read_complaint(r, &kind) || !optional_text(r, &text))
        return false;
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, verb, start);
    if (!o)
        return false;
    o->value = kind;
    return attach_text(r, o, text);
}

/* ignore KIND ["TEXT"] */
bool read_ignore(struct reader *r, const struct gts_token *start)
{
    return read_report(r, start, GTS_IGNORE);
}

/* tolerate WORD [, WORD] ... */
bool read_tolerate(struct reader *r, const struct gts_token *start)
{
    char words[100] = "", wanted[120];
    uint64_t mistakes = 0;
    for (unsigned i = 0; i < MISTAKES; i++)
        if (mistake_words[i])
            append_name(words, sizeof words, mistake_words[i]);
    snprintf(wanted, sizeof wanted, "one of %s", words);
    do {
        const struct gts_token *t = peek(r);
        const unsigned bit = t->kind == TOKEN_WORD ? mistake_bit(t->text, t->length) : 0;
        if (!bit)
            return expected_error(r, t, wanted);
        r->token_index++;
        mistakes |= bit;
    } while (accept_mark(r, ','));
    struct gts_operation *o = r->pass ? emit(r, GTS_TOLERATE, start) : NULL;
    if (o)
        o->value = mistakes;
    return o || r->pass == 0;
}

/* ---- Counts and states ---- */

static bool emit_count(struct reader *r, const struct gts_token *start, enum gts_verb verb, unsigned engine,
                       const char *name, uint64_t value)
{
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, verb, start);
    if (!o)
        return false;
    o->unit = engine;
    o->name = name;
    o->value = value;
    return true;
}

static bool read_number_expectation(struct reader *r, const struct gts_token *start, enum gts_verb verb)
{
    uint64_t value;
    accept_mark(r, '=');
    return read_known(r, &value) && emit_count(r, start, verb, 0, NULL, value);
}

/* expect count ENGINE NAME = N */
static bool read_count(struct reader *r, const struct gts_token *start)
{
    const struct gts_engine *e;
    uint64_t value;
    if (!read_engine(r, &e))
        return false;
    const struct gts_token *t = peek(r);
    struct nearest n;
    char hint[96];
    nearest_start(&n, t->text, t->length);
    for (const struct gts_counter *c = gts_counters; c->name; c++) {
        nearest_compare(&n, c->name);
        if (!accept_word(r, c->name))
            continue;
        return require_mark(r, '=') && read_known(r, &value) &&
               emit_count(r, start, GTS_EXPECT_COUNT, e->number, c->name, value);
    }
    return syntax_error(r, t, "unknown counter '%.*s'%s", (int)t->length, t->text,
                        nearest_text(&n, hint, sizeof hint));
}

/* expect state ENGINE STATE ["WHY"] */
static bool read_state(struct reader *r, const struct gts_token *start)
{
    const struct gts_engine *e;
    const struct gts_token *text;
    if (!read_engine(r, &e))
        return false;
    for (unsigned i = 0; i <= SOFTGT_ENGINE_STOPPED; i++) {
        if (!accept_word(r, engine_state_names[i]))
            continue;
        optional_text(r, &text);
        if (r->pass == 0)
            return true;
        struct gts_operation *o = emit(r, GTS_EXPECT_STATE, start);
        if (!o)
            return false;
        o->unit = e->number;
        o->name = e->name;
        o->value = i;
        return attach_text(r, o, text);
    }
    return expected_error(r, peek(r), "idle, running, waiting or stopped");
}

/* ---- Lists ---- */

static const struct field status_field = {"status", 0, 31, FIELD_HEX, engine_switch_names};

void gts_status_text(uint64_t value, char *text, size_t size)
{
    field_value_bits(engine_switch_names, value, "|", text, size);
    for (char *c = text; *c; c++)
        *c = *c == ' ' ? '_' : *c;
}

static struct gts_item *add_item(struct reader *r, struct gts_item **items, size_t *count)
{
    if (*count % 16 == 0) {
        struct gts_item *list = realloc(*items, (*count + 16) * sizeof *list);
        if (!list) {
            reader_no_memory(r);
            return NULL;
        }
        *items = list;
    }
    const struct gts_token *t = peek(r);
    struct gts_item *item = &(*items)[(*count)++];
    *item = (struct gts_item){.line = t->line, .column = t->column, .mask = UINT64_MAX};
    return item;
}

static bool attach_items(struct reader *r, const struct gts_token *start, enum gts_verb verb, unsigned engine,
                         const char *name, struct gts_item *items, size_t count)
{
    struct gts_operation *o = r->pass ? emit(r, verb, start) : NULL;
    if (!o) {
        free(items);
        return r->pass == 0;
    }
    o->unit = engine;
    o->name = name;
    o->items = items;
    o->item_count = count;
    return true;
}

/* '{' STATUS | * [, ID] '}' */
static bool read_status_entry(struct reader *r, struct gts_item *item)
{
    struct symbol_value value;
    if (!require_mark(r, '{'))
        return false;
    if (!accept_mark(r, '*')) {
        if (!read_expression(r, &status_field, &value))
            return false;
        item->has_value = true;
        item->value = value.number;
    }
    if (accept_mark(r, ',') && !accept_mark(r, '*')) {
        if (!read_expression(r, NULL, &value))
            return false;
        item->has_id = true;
        item->id = value.number;
    }
    return require_mark(r, '}');
}

/* expect status ENGINE none | { STATUS, ID } ... */
static bool read_status(struct reader *r, const struct gts_token *start)
{
    const struct gts_engine *e;
    struct gts_item *items = NULL;
    size_t count = 0;
    if (!read_engine(r, &e))
        return false;
    if (!accept_word(r, "none"))
        do {
            struct gts_item *item = count_steps(r, start, 1) ? add_item(r, &items, &count) : NULL;
            if (!item || !read_status_entry(r, item)) {
                free(items);
                return false;
            }
            accept_mark(r, ',');
        } while (is_mark(r, '{'));
    return attach_items(r, start, GTS_EXPECT_STATUS, e->number, e->name, items, count);
}

static bool item_value(struct reader *r, struct gts_item *item, const struct field *field)
{
    struct symbol_value value;
    if (!accept_mark(r, '='))
        return true;
    if (!read_expression(r, field, &value))
        return false;
    item->has_value = true;
    item->value = value.number;
    return true;
}

static bool context_item(struct reader *r, struct gts_item *item, enum softgt_event_kind kind)
{
    const struct gts_token *t = peek(r);
    const struct symbol *symbol = t->kind == TOKEN_WORD ? symbol_find(r, NULL, t->text, t->length) : NULL;
    if (!symbol || symbol->kind != SYMBOL_CONTEXT)
        return expected_error(r, t, "a context");
    r->token_index++;
    item->event_class = SOFTGT_TRACE_CONTEXTS;
    item->kind = kind;
    item->has_address = true;
    item->address = symbol->value < r->queue_index ? r->queues[symbol->value].image : 0;
    item->unit = symbol->value < r->queue_index ? r->queues[symbol->value].engine->name : NULL;
    return true;
}

/* One event of an order. */
static bool read_event(struct reader *r, struct gts_item *item)
{
    const struct gts_token *t = peek(r);
    const struct gts_engine *e;
    struct symbol_value value;
    struct access_place p;
    int space;
    if (accept_word(r, "store")) {
        if (!read_location(r, &space, &value))
            return false;
        item->event_class = SOFTGT_TRACE_MEMORY;
        item->has_address = true;
        item->address = value.number;
        return item_value(r, item, NULL);
    }
    if (accept_word(r, "msi")) {
        item->event_class = SOFTGT_TRACE_INTERRUPTS;
        item->kind = SOFTGT_EVENT_MESSAGE;
        return true;
    }
    if (accept_word(r, "interrupt")) {
        if (!read_engine(r, &e))
            return false;
        item->event_class = SOFTGT_TRACE_INTERRUPTS;
        item->kind = SOFTGT_EVENT_RAISE;
        item->unit = e->name;
        return item_value(r, item, NULL);
    }
    if (accept_word(r, "status")) {
        if (!read_engine(r, &e))
            return false;
        item->event_class = SOFTGT_TRACE_CONTEXTS;
        item->kind = SOFTGT_EVENT_STATUS;
        item->unit = e->name;
        return item_value(r, item, &status_field);
    }
    if (accept_word(r, "save"))
        return context_item(r, item, SOFTGT_EVENT_SAVE);
    if (accept_word(r, "restore"))
        return context_item(r, item, SOFTGT_EVENT_RESTORE);
    if (accept_word(r, "command")) {
        if (!read_engine(r, &e))
            return false;
        const struct gts_token *name = peek(r);
        if (name->kind != TOKEN_WORD)
            return expected_error(r, name, "a command");
        r->token_index++;
        item->event_class = SOFTGT_TRACE_COMMANDS;
        item->unit = e->name;
        item->name = gts_program_name(r->program, name->text, name->length);
        return item->name || reader_no_memory(r);
    }
    if (accept_word(r, "write")) {
        if (!read_place(r, &p))
            return false;
        if (p.kind != PLACE_REGISTER)
            return syntax_error(r, t, "'write' in an order takes a register, not memory or a BAR");
        item->event_class = SOFTGT_TRACE_REGISTERS;
        item->has_address = true;
        item->address = p.address;
        return item_value(r, item, NULL);
    }
    return expected_error(r, t, "store, write, interrupt, msi, status, save, restore or command");
}

/* expect order EVENT, EVENT ... */
static bool read_order(struct reader *r, const struct gts_token *start)
{
    struct gts_item *items = NULL;
    size_t count = 0;
    do {
        struct gts_item *item = count_steps(r, start, 1) ? add_item(r, &items, &count) : NULL;
        if (!item || !read_event(r, item)) {
            free(items);
            return false;
        }
    } while (accept_mark(r, ','));
    return attach_items(r, start, GTS_EXPECT_ORDER, 0, NULL, items, count);
}

bool read_expect(struct reader *r, const struct gts_token *start)
{
    if (accept_word(r, "interrupts"))
        return read_number_expectation(r, start, GTS_EXPECT_INTERRUPTS);
    if (accept_word(r, "faults"))
        return read_number_expectation(r, start, GTS_EXPECT_FAULTS);
    if (accept_word(r, "count"))
        return read_count(r, start);
    if (accept_word(r, "state"))
        return read_state(r, start);
    if (accept_word(r, "status"))
        return read_status(r, start);
    if (accept_word(r, "report"))
        return read_report(r, start, GTS_EXPECT_REPORT);
    if (accept_word(r, "order"))
        return read_order(r, start);
    return read_expect_place(r, start);
}
