/* Statements other than contexts and expectations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gts/reader.h"

enum { PAGE = 4096, GDRST = 0x941c };

static bool missing_name(struct reader *r, const struct gts_token *t, const char *after)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a name after '%s'", after);
    return expected_error(r, t, wanted);
}

static bool need_name(struct reader *r, const char *after, const struct gts_token **name)
{
    *name = peek(r);
    if ((*name)->kind != TOKEN_WORD)
        return missing_name(r, *name, after);
    r->token_index++;
    return true;
}

/* device NAME...: gts_run.c reads it first, because the reader needs the device. */
static bool read_device(struct reader *r, const struct gts_token *start)
{
    char name[32];
    if (start != r->source->tokens)
        for (const struct gts_token *t = r->source->tokens; t < start; t++)
            if (t->kind != TOKEN_LINE)
                return syntax_error(r, start, "expected 'device' as the first statement of the program");
    while (peek(r)->kind == TOKEN_WORD)
        r->token_index = (size_t)(gts_device_name(peek(r), name, sizeof name) - r->source->tokens);
    return true;
}

/* let NAME = EXPRESSION */
static bool read_let(struct reader *r, const struct gts_token *start)
{
    const struct gts_token *name;
    struct symbol_value value;
    (void)start;
    return need_name(r, "let", &name) && require_mark(r, '=') && read_expression(r, NULL, &value) &&
           symbol_define(r, name, name->text, name->length, NULL, SYMBOL_LET, value.number, value.is_known,
                         value.space);
}

/* ppgtt NAME [levels 3|4]; Gen6's have 2, those of Xe2 5 */
static bool read_ppgtt(struct reader *r, const struct gts_token *start)
{
    const struct gts_token *name;
    const unsigned most = r->machine->format->ppgtt_levels;
    uint64_t levels = most;
    if (!need_name(r, "ppgtt", &name) || (accept_word(r, "levels") && !read_known(r, &levels)))
        return false;
    if (levels != most && (most != 4 || levels != 3))
        return syntax_error(r, start, "levels is %llu: a ppgtt of %s has %s levels",
                            (unsigned long long)levels, r->machine->device,
                            most < 4    ? "2"
                            : most == 4 ? "3 or 4"
                                        : "5");
    if (gts_space_find(&r->spaces, name->text, name->length) >= 0)
        return syntax_error(r, name, "'%.*s' is already defined", (int)name->length, name->text);
    if (r->spaces.count == MAX_SPACES)
        return syntax_error(r, start, "the program has more than %d address spaces", MAX_SPACES);
    if (!symbol_define(r, name, name->text, name->length, NULL, SYMBOL_PPGTT, 0, true, -1))
        return false;
    return gts_space_add(&r->spaces, name->text, name->length, (unsigned)levels) >= 0 || reader_no_memory(r);
}

/* map LOCATION [size S] [to PHYSICAL] [page P] [local] [readonly] [null | unmapped] */
static bool read_map(struct reader *r, const struct gts_token *start)
{
    int space;
    struct symbol_value address;
    struct gts_mapping m = {.size_bytes = 0, .page_bytes = PAGE};
    if (!read_location(r, &space, &address))
        return false;
    if (!address.is_known)
        return syntax_error(r, start,
                            "this address must be known here: it depends on a name that is defined later");
    while (!is_line_end(r)) {
        const struct gts_token *t = peek(r);
        r->token_index++;
        if (token_is(t, "size")) {
            if (!read_known(r, &m.size_bytes))
                return false;
        } else if (token_is(t, "to")) {
            m.has_physical = true;
            if (!read_known(r, &m.physical))
                return false;
        } else if (token_is(t, "page")) {
            if (!read_known(r, &m.page_bytes))
                return false;
            if (m.page_bytes != PAGE && m.page_bytes != 64 << 10 && m.page_bytes != 2 << 20 &&
                m.page_bytes != 1 << 30)
                return syntax_error(r, t, "page size is 0x%llx: expected 4K, 64K, 2M or 1G",
                                    (unsigned long long)m.page_bytes);
        } else if (token_is(t, "readonly")) {
            m.readonly = true;
        } else if (token_is(t, "unmapped")) {
            m.unmapped = true;
        } else if (token_is(t, "local")) {
            m.local = true;
        } else if (token_is(t, "null")) {
            m.null = true;
        } else {
            return expected_error(r, t,
                                  "size, to, page, local, readonly, null, unmapped or the end of the line");
        }
    }
    m.address = address.number;
    m.size_bytes = m.size_bytes ? m.size_bytes : m.page_bytes;
    if (m.unmapped && (m.has_physical || m.readonly || m.local || m.null))
        return syntax_error(r, start, "'unmapped' excludes 'to', 'readonly', 'local' and 'null'");
    if (m.null && (m.has_physical || m.local))
        return syntax_error(r, start, "'null' excludes 'to' and 'local'");
    if (!count_steps(r, start, m.size_bytes / m.page_bytes))
        return false;
    const char *why = gts_space_map(&r->spaces, space, &m);
    return !why || range_error(r, start, space, m.address, m.size_bytes, why);
}

/* Reports a block that overlaps an earlier one, whose bytes it overwrites. */
static bool note_block(struct reader *r, const struct block_range *now)
{
    enum { MOST = 1024 };
    if (r->pass == 0 || r->block_range_count == MOST)
        return true;
    for (size_t i = 0; i < r->block_range_count; i++) {
        const struct block_range *p = &r->block_ranges[i];
        if (p->space != now->space || p->address >= now->address + now->size ||
            now->address >= p->address + p->size)
            continue;
        gts_send_message(r->source, GTS_NOTE, now->start->line, now->start->column,
                         "this block overwrites the block at %u:%u, from %s:0x%llx on", p->start->line,
                         p->start->column, r->spaces.list[p->space].name,
                         (unsigned long long)(p->address > now->address ? p->address : now->address));
        break;
    }
    struct block_range *more = r->block_range_count & (r->block_range_count - 1)
                                   ? r->block_ranges
                                   : realloc(r->block_ranges, (r->block_range_count * 2 + 1) * sizeof *more);
    if (!more)
        return reader_no_memory(r);
    r->block_ranges = more;
    r->block_ranges[r->block_range_count++] = *now;
    return true;
}

/* batch|data [NAME] [ENGINE] [at LOCATION | in SPACE] { ... } */
static bool read_named_block(struct reader *r, const struct gts_token *start, bool commands)
{
    struct block b = {.commands = commands, .aligned = true};
    const struct gts_token *name = NULL;
    int space = SPACE_NUMBER_GGTT;
    struct symbol_value address = {.is_known = false};
    bool placed = false;
    if (peek(r)->kind == TOKEN_WORD && !is_word(r, "at") && !is_word(r, "in"))
        name = &r->source->tokens[r->token_index++];
    while (!is_mark(r, '{')) {
        const struct gts_token *t = peek(r);
        if (accept_word(r, "at")) {
            if (!read_location(r, &space, &address))
                return false;
            if (!address.is_known)
                return syntax_error(
                    r, t, "this address must be known here: it depends on a name that is defined later");
            placed = true;
        } else if (accept_word(r, "in")) {
            const struct gts_token *in = peek(r);
            space = gts_space_find(&r->spaces, in->text, in->length);
            if (space < 0 || !r->spaces.list[space].levels)
                return syntax_error(r, in, "unknown address space '%.*s'", (int)in->length, in->text);
            r->token_index++;
        } else if (!commands || !t->length || t->kind != TOKEN_WORD) {
            return expected_error(r, t, "at, in or '{'");
        } else if (!read_engine(r, &b.engine)) {
            return false;
        }
    }
    if (!placed)
        address.number = r->spaces.list[space].next_address;
    if (commands && address.number % 4)
        return syntax_error(r, start, "batch address is 0x%llx: expected a multiple of 4",
                            (unsigned long long)address.number);
    b.address = address.number;
    if (name) {
        if (!symbol_define(r, name, name->text, name->length, NULL, SYMBOL_ADDRESS, b.address, true, space))
            return false;
        struct symbol *const symbol = symbol_find(r, NULL, name->text, name->length);
        symbol->is_batch = commands && !placed;
        symbol->line = start->line;
        symbol->column = start->column;
        snprintf(r->scope, sizeof r->scope, "%.*s", (int)name->length, name->text);
    }
    const bool good = read_block(r, &b);
    r->scope[0] = 0;
    if (!placed)
        r->spaces.list[space].next_address =
            (b.address + b.size + 2 * PAGE - 1) / PAGE * PAGE; /* with a free page between them */
    return good && note_block(r, &(struct block_range){space, b.address, b.size, start}) &&
           emit_store(r, start, space, b.address, r->block_bytes.data, b.size);
}

static bool read_data(struct reader *r, const struct gts_token *start)
{
    return read_named_block(r, start, false);
}

static bool read_batch(struct reader *r, const struct gts_token *start)
{
    return read_named_block(r, start, true);
}

/* ---- Accesses ---- */

bool read_place(struct reader *r, struct access_place *p)
{
    const struct gts_token *t = peek(r);
    const bool prefix = t->kind == TOKEN_WORD && t[1].kind == TOKEN_MARK && t[1].mark == ':';
    struct symbol_value value;
    *p = (struct access_place){.kind = PLACE_REGISTER, .size = 4, .space = -1};
    if (accept_word(r, "mem")) {
        p->kind = PLACE_PHYSICAL;
        p->size = 4;
        if (!read_location(r, &p->space, &value))
            return false;
        if (p->space == SPACE_NUMBER_GGTT)
            p->kind = PLACE_GGTT;
        p->name = gts_program_name(r->program, r->spaces.list[p->space].name,
                                   strlen(r->spaces.list[p->space].name));
    } else if (prefix && (token_is(t, "bar0") || token_is(t, "bar2") || token_is(t, "aperture"))) {
        r->token_index += 2;
        p->kind = PLACE_BAR;
        p->bar = token_is(t, "bar0") ? SOFTGT_BAR_GTTMMADR : SOFTGT_BAR_GMADR;
        if (!read_sum(r, &value))
            return false;
        p->name = gts_program_name(r->program, t->text, t->length);
        if (accept_word(r, "size")) {
            uint64_t size;
            const struct gts_token *at = peek(r);
            struct symbol_value v;
            if (!read_sum(r, &v))
                return false;
            size = v.number;
            if (size != 1 && size != 2 && size != 4 && size != 8)
                return syntax_error(r, at, "access size is %llu: expected 1, 2, 4 or 8 bytes",
                                    (unsigned long long)size);
            p->size = (unsigned)size;
        }
    } else {
        if (!read_sum(r, &value))
            return false;
        char text[160] = "";
        if (value.slot) {
            register_slot_name(value.slot, text, sizeof text);
            const bool pair = value.slot->row->dwords == 2 && value.slot->dword == 0;
            p->size = pair ? 8 : 4;
            char whole[200];
            snprintf(whole, sizeof whole, "%s.%s", value.slot->unit ? value.slot->unit : "", text);
            p->name = gts_program_name(r->program, whole, strlen(whole));
        } else {
            snprintf(text, sizeof text, "register 0x%llx", (unsigned long long)value.number);
            p->name = gts_program_name(r->program, text, strlen(text));
        }
        if (value.is_known && (value.number % 4 || value.number >= r->machine->mmio_bytes))
            return syntax_error(r, t, "invalid register offset 0x%llx: expected a multiple of 4 below 0x%llx",
                                (unsigned long long)value.number, (unsigned long long)r->machine->mmio_bytes);
    }
    p->address = value.number;
    p->is_known = value.is_known;
    return p->name || reader_no_memory(r);
}

bool read_mask(struct reader *r, uint64_t *mask)
{
    struct symbol_value value = {.number = UINT64_MAX};
    if (accept_mark(r, '&') && !read_sum(r, &value))
        return false;
    *mask = value.number;
    return true;
}

/* A write to this place may submit work to an engine. */
static bool may_submit(const struct reader *r, const struct access_place *p)
{
    if (p->kind == PLACE_BAR)
        return true;
    for (unsigned i = 0; i < r->machine->engine_count; i++) {
        const uint64_t offset = p->address - r->machine->engines[i].base;
        if (offset == RING_BUFFER_TAIL || offset == ELSP ||
            (offset >= EXECLIST_SQ_CONTENTS && offset <= EXECLIST_CONTROL))
            return true;
    }
    return false;
}

/* write PLACE = VALUE; write mem LOCATION = ITEMS */
static bool read_write(struct reader *r, const struct gts_token *start)
{
    struct access_place p;
    if (!read_place(r, &p) || !require_mark(r, '='))
        return false;
    if (p.space >= 0) {
        struct block b = {.address = p.address};
        r->block_bytes.size = 0;
        return read_items(r, &b) && emit_store(r, start, p.space, p.address, r->block_bytes.data, b.size);
    }
    const struct gts_token *t = peek(r);
    struct symbol_value value;
    if (!read_expression(r, NULL, &value))
        return false;
    if (value.is_known && p.size < 8 && value.number >> (p.size * 8) &&
        (int64_t)value.number < -(INT64_C(1) << (p.size * 8 - 1)))
        return syntax_error(r, t, "0x%llx does not fit in %u bytes", (unsigned long long)value.number,
                            p.size);
    if (value.is_known && p.size < 8 && (int64_t)value.number > 0 && value.number >> (p.size * 8))
        return syntax_error(r, t, "0x%llx does not fit in %u bytes", (unsigned long long)value.number,
                            p.size);
    r->submits_by_register = r->submits_by_register || may_submit(r, &p);
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, GTS_WRITE, start);
    if (!o)
        return false;
    o->location = p.kind;
    o->unit = p.bar;
    o->address = o->shown_address = p.address;
    o->size = p.size;
    o->value = p.size < 8 ? value.number & ((UINT64_C(1) << (p.size * 8)) - 1) : value.number;
    o->name = p.name;
    return true;
}

/* read PLACE [size N] [as dwords | qwords | numbers | bits | text] */
static bool read_read(struct reader *r, const struct gts_token *start)
{
    struct access_place p;
    uint64_t size;
    if (!read_place(r, &p))
        return false;
    size = p.size;
    enum gts_format format = FORMAT_DWORDS;
    const struct gts_token *t = peek(r);
    if (p.space >= 0 && accept_word(r, "size") && !read_known(r, &size))
        return false;
    if (p.space >= 0 && (size == 0 || size > 1 << 20))
        return syntax_error(r, t, "size is %llu: expected 1 byte to 1M", (unsigned long long)size);
    if (p.space >= 0 && accept_word(r, "as")) {
        if (accept_word(r, "qwords"))
            format = FORMAT_QWORDS;
        else if (accept_word(r, "numbers"))
            format = FORMAT_NUMBERS;
        else if (accept_word(r, "bits"))
            format = FORMAT_BITS;
        else if (accept_word(r, "text"))
            format = FORMAT_TEXT;
        else if (!accept_word(r, "dwords"))
            return expected_error(r, peek(r), "dwords, qwords, numbers, bits or text");
    }
    if (r->pass == 0)
        return true;
    while (size) { /* one operation for each contiguous piece */
        uint64_t physical = p.address, length = size;
        if (p.space > SPACE_NUMBER_GGTT && !resolve_address(r, start, p.space, p.address, &physical, &length))
            return false;
        length = length < size ? length : size;
        struct gts_operation *o = emit(r, GTS_READ, start);
        if (!o)
            return false;
        o->location = p.kind;
        o->unit = p.bar;
        o->address = physical;
        o->shown_address = p.address;
        o->size = p.space >= 0 ? (unsigned)length : p.size;
        o->format = format;
        o->name = p.name;
        p.address += length;
        size -= length;
    }
    return true;
}

/* say "TEXT" */
static bool read_say(struct reader *r, const struct gts_token *start)
{
    const struct gts_token *t = peek(r);
    if (t->kind != TOKEN_STRING)
        return expected_error(r, t, "a string after 'say'");
    r->token_index++;
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, GTS_SAY, start);
    return o && (o->text = text_of(r, t)) != NULL;
}

/* ---- Running ---- */

static bool emit_value(struct reader *r, enum gts_verb verb, const struct gts_token *start, uint64_t value)
{
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, verb, start);
    if (o)
        o->value = value;
    return o;
}

/* run [budget DWORDS] */
static bool read_run(struct reader *r, const struct gts_token *start)
{
    uint64_t budget = 0;
    if (accept_word(r, "budget")) {
        const struct gts_token *t = peek(r);
        if (!read_known(r, &budget))
            return false;
        if (budget == 0 || budget > UINT64_C(1) << 32)
            return syntax_error(r, t, "budget is %llu: expected 1 to 4G dwords", (unsigned long long)budget);
    }
    return emit_value(r, GTS_RUN, start, budget);
}

/* advance TIME [ns | us | ms | s] */
static bool read_advance(struct reader *r, const struct gts_token *start)
{
    uint64_t time, factor = 1;
    if (!read_known(r, &time))
        return false;
    if (accept_word(r, "us"))
        factor = 1000;
    else if (accept_word(r, "ms"))
        factor = 1000000;
    else if (accept_word(r, "s"))
        factor = 1000000000;
    else
        accept_word(r, "ns");
    if (time > UINT64_C(1) << 50 || time * factor > UINT64_C(1) << 56)
        return syntax_error(r, start, "time is longer than 2^56 ns");
    return emit_value(r, GTS_ADVANCE, start, time * factor);
}

/* reset [ENGINE | all] */
static bool read_reset(struct reader *r, const struct gts_token *start)
{
    const struct gts_engine *e;
    if (is_line_end(r)) {
        for (unsigned i = 0; i < GTS_MAX_ENGINES; i++)
            r->setup[i].has_status_page = r->setup[i].execlists = r->setup[i].ring_mode = false;
        gts_hash_map_free(&r->spaces.list[SPACE_NUMBER_GGTT].entries);
        return emit_value(r, GTS_RESET, start, 0);
    }
    if (accept_word(r, "all")) {
        bool good = emit_write(r, start, GDRST, 1, "GDRST");
        for (unsigned i = 0; good && i < r->machine->engine_count; i++)
            good = gts_set_up_after_reset(r, start, &r->machine->engines[i]);
        return good;
    }
    if (!read_engine(r, &e))
        return false;
    if (!e->info || !e->info->reset_bits)
        return syntax_error(r, start, "%s has no reset bit in GDRST: use 'reset all'", e->name);
    return emit_write(r, start, GDRST, e->info->reset_bits, "GDRST") && gts_set_up_after_reset(r, start, e);
}

/* error correctable | nonfatal | fatal SOURCES */
static bool read_error(struct reader *r, const struct gts_token *start)
{
    static const char *const severities[] = {"correctable", "nonfatal", "fatal"};
    const struct gts_token *t = peek(r);
    unsigned severity = 0;
    while (severity < 3 && !accept_word(r, severities[severity]))
        severity++;
    uint64_t sources;
    if (severity == 3)
        return expected_error(r, t, "correctable, nonfatal or fatal");
    t = peek(r);
    if (!read_known(r, &sources))
        return false;
    if (sources == 0 || sources > UINT32_MAX)
        return syntax_error(r, t, "error sources are 0x%llx: expected a mask of 32 bits that is not 0",
                            (unsigned long long)sources);
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, GTS_HARDWARE_ERROR, start);
    if (o) {
        o->size = severity;
        o->value = sources;
    }
    return o;
}

static bool read_marker(struct reader *r, const struct gts_token *start)
{
    return emit_value(r, GTS_MARK, start, 0);
}

/* repeat COUNT [as NAME] { statements } */
static bool read_repeat(struct reader *r, const struct gts_token *start)
{
    uint64_t count;
    const struct gts_token *name = NULL;
    if (!read_known(r, &count) || (accept_word(r, "as") && !need_name(r, "as", &name)))
        return false;
    const size_t brace = r->token_index;
    if (!require_mark(r, '{'))
        return false;
    if (r->depth >= MAX_REPEATS)
        return syntax_error(r, start, "repeat is nested more than %d levels deep", MAX_REPEATS);
    r->depth++;
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++) {
        r->token_index = brace + 1;
        good =
            count_steps(r, start, 1) &&
            (!name || symbol_define(r, name, name->text, name->length, NULL, SYMBOL_COUNTER, i, true, -1)) &&
            read_statements(r, &r->source->tokens[brace]) && require_mark(r, '}');
    }
    r->depth--;
    if (good && count == 0) {
        r->token_index = brace;
        skip_line(r);
    }
    return good;
}

/* draws off */
static bool read_draws(struct reader *r, const struct gts_token *start)
{
    (void)start;
    if (!accept_word(r, "off"))
        return expected_error(r, peek(r), "'off' after 'draws'");
    r->program->counts_draws = true;
    return true;
}

/* ---- Lines ---- */

static const struct statement {
    const char *word;
    bool (*read)(struct reader *r, const struct gts_token *start);
} statements[] = {
    {"device", read_device}, {"let", read_let},           {"ppgtt", read_ppgtt},     {"map", read_map},
    {"data", read_data},     {"batch", read_batch},       {"context", read_context}, {"ring", read_ring},
    {"append", read_append}, {"submit", read_submit},     {"write", read_write},     {"read", read_read},
    {"say", read_say},       {"run", read_run},           {"advance", read_advance}, {"wait", read_wait},
    {"reset", read_reset},   {"mark", read_marker},       {"expect", read_expect},   {"ignore", read_ignore},
    {"repeat", read_repeat}, {"tolerate", read_tolerate}, {"error", read_error},     {"draws", read_draws},
};

static bool read_statement(struct reader *r)
{
    const struct gts_token *t = peek(r);
    struct nearest n;
    char hint[96];
    if (!count_steps(r, t, 1))
        return false;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (token_is(t, statements[i].word)) {
            r->token_index++;
            return statements[i].read(r, t);
        }
    nearest_start(&n, t->text, t->length);
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        nearest_compare(&n, statements[i].word);
    return syntax_error(r, t, "unknown statement '%.*s'%s%s", (int)(t->length < 60 ? t->length : 60), t->text,
                        nearest_text(&n, hint, sizeof hint), comment_hint(t));
}

bool is_statement(const char *word)
{
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (strcmp(statements[i].word, word) == 0)
            return true;
    return false;
}

bool read_statements(struct reader *r, const struct gts_token *open)
{
    const bool in_block = open;
    bool good = true;
    for (;;) {
        while (peek(r)->kind == TOKEN_LINE)
            r->token_index++;
        if (in_block && is_mark(r, '}'))
            return good;
        if (peek(r)->kind == TOKEN_END)
            return in_block ? unterminated_error(r, open) : good;
        const size_t start = r->token_index;
        if (!read_statement(r) || !((in_block && is_mark(r, '}')) || require_line_end(r))) {
            good = false;
            if (r->source->errors >= MAX_ERRORS)
                return false;
            r->token_index = start;
            skip_line(r);
            if (is_mark(r, '}') && !in_block)
                r->token_index++;
        }
    }
}
