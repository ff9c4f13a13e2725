#include "gts/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tokens ---- */

bool is_mark(const struct reader *r, unsigned mark)
{
    const struct gts_token *t = peek(r);
    return t->kind == TOKEN_MARK && t->mark == mark;
}

bool token_is(const struct gts_token *t, const char *word)
{
    return t->kind == TOKEN_WORD && strlen(word) == t->length && memcmp(word, t->text, t->length) == 0;
}

const char *comment_hint(const struct gts_token *t)
{
    const bool slash = t->kind == TOKEN_MARK && t->mark == '/' && t[1].kind == TOKEN_MARK &&
                       (t[1].mark == '/' || t[1].mark == '*');
    return slash ? " (a comment begins with #)" : "";
}

bool is_word(const struct reader *r, const char *word)
{
    return token_is(peek(r), word);
}

bool accept_mark(struct reader *r, unsigned mark)
{
    if (!is_mark(r, mark))
        return false;
    r->token_index++;
    return true;
}

bool accept_word(struct reader *r, const char *word)
{
    if (!is_word(r, word))
        return false;
    r->token_index++;
    return true;
}

bool syntax_error(struct reader *r, const struct gts_token *t, const char *format, ...)
{
    char text[900];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c == 0x7f)
            *c = '?';
    gts_send_message(r->source, GTS_ERROR, t->line, t->column, "%s", text);
    return false;
}

bool reader_no_memory(struct reader *r)
{
    r->source->errors += MAX_ERRORS; /* more errors would not help */
    return syntax_error(r, peek(r), "out of memory");
}

const char *found_text(const struct gts_token *t, char *text, size_t size)
{
    if (t->kind == TOKEN_LINE || t->kind == TOKEN_END)
        return "the end of the line";
    snprintf(text, size, "'%.*s'", (int)(t->length < 60 ? t->length : 60), t->text);
    return text;
}

bool expected_error(struct reader *r, const struct gts_token *t, const char *wanted)
{
    char found[80];
    return syntax_error(r, t, "expected %s, found %s", wanted, found_text(t, found, sizeof found));
}

bool require_mark(struct reader *r, unsigned mark)
{
    const char text[] = {'\'', (char)(mark & 0xff), '\'', 0};
    return accept_mark(r, mark) || expected_error(r, peek(r), text);
}

bool require_word(struct reader *r, const char *word)
{
    char text[64];
    snprintf(text, sizeof text, "'%s'", word);
    return accept_word(r, word) || expected_error(r, peek(r), text);
}

bool is_line_end(const struct reader *r)
{
    return peek(r)->kind == TOKEN_LINE || peek(r)->kind == TOKEN_END;
}

bool require_line_end(struct reader *r)
{
    return is_line_end(r) || expected_error(r, peek(r), "the end of the line");
}

void skip_line(struct reader *r)
{
    unsigned depth = 0;
    for (;; r->token_index++) {
        const struct gts_token *t = peek(r);
        if (t->kind == TOKEN_END || (t->kind == TOKEN_LINE && depth == 0))
            return;
        if (t->kind != TOKEN_MARK)
            continue;
        if (t->mark == '{')
            depth++;
        if (t->mark == '}' && depth-- == 0)
            return;
    }
}

bool count_steps(struct reader *r, const struct gts_token *t, uint64_t count)
{
    r->work_done += count;
    if (r->work_done <= MAX_STEPS)
        return true;
    r->source->errors += MAX_ERRORS;
    return syntax_error(r, t, "the program has more than %d statements, commands and repetitions", MAX_STEPS);
}

/* ---- Suggestions ---- */

void append_name(char *list, size_t size, const char *name)
{
    static const char more[] = ", ...";
    const size_t at = strlen(list), length = strlen(name);
    if (at >= sizeof more && strcmp(list + at - (sizeof more - 1), more) == 0)
        return;
    if (at + length + 2 * sizeof more > size)
        name = "...";
    snprintf(list + at, size - at, "%s%s", at ? ", " : "", name);
}

/* ---- Operations ---- */

bool program_too_large(struct reader *r, const struct gts_token *t)
{
    return syntax_error(r, t, "the data of the program is larger than %d MB", MAX_BYTES >> 20);
}

struct gts_operation *emit(struct reader *r, enum gts_verb verb, const struct gts_token *t)
{
    r->operation_bytes += sizeof(struct gts_operation);
    if (r->operation_bytes > MAX_BYTES) {
        r->source->errors += MAX_ERRORS;
        program_too_large(r, t);
        return NULL;
    }
    struct gts_operation *o = gts_program_add(r->program, verb, t->line, t->column);
    if (!o)
        reader_no_memory(r);
    return o;
}

bool emit_write(struct reader *r, const struct gts_token *t, uint64_t offset, uint64_t value,
                const char *name)
{
    if (r->pass == 0)
        return true;
    struct gts_operation *o = emit(r, GTS_WRITE, t);
    if (!o)
        return false;
    o->location = PLACE_REGISTER;
    o->address = o->shown_address = offset;
    o->value = value;
    o->size = 4;
    o->name = name;
    return true;
}

static bool emit_bytes(struct reader *r, const struct gts_token *t, enum gts_location_kind place,
                       uint64_t address, uint64_t shown, const char *name, const void *data, size_t size)
{
    r->operation_bytes += size;
    if (r->operation_bytes > MAX_BYTES)
        return program_too_large(r, t);
    struct gts_operation *o = emit(r, GTS_STORE, t);
    if (!o)
        return false;
    o->data = malloc(size ? size : 1);
    if (!o->data)
        return reader_no_memory(r);
    memcpy(o->data, data, size);
    o->data_size = size;
    o->location = place;
    o->address = address;
    o->shown_address = shown;
    o->name = name;
    return true;
}

/* Emits page table entries that space.c wrote. */
static bool store_entries(void *user, uint64_t physical, uint64_t index, const uint64_t *entries,
                          size_t count)
{
    struct reader *r = user;
    if (r->pass == 0)
        return true;
    const bool ggtt = physical == UINT64_MAX;
    const struct page_table_format *format = r->machine->format;
    const unsigned size = format->ggtt_entry_bytes;
    const uint64_t address = (ggtt ? 0 : physical) + index * size;
    uint8_t table[TABLE_ENTRIES * 8];
    for (size_t i = 0; i < count; i++) {
        const struct page_entry e = {.physical = gts_entry_address(entries[i]) |
                                                 (entries[i] & GTS_LOCAL ? MEMORY_LOCAL : 0) |
                                                 (entries[i] & GTS_NULL ? MEMORY_NULL : 0),
                                     .present = entries[i] & GTS_PRESENT,
                                     .writable = entries[i] & GTS_WRITABLE,
                                     .is_page = entries[i] & GTS_LARGE,
                                     .big_pages = entries[i] & GTS_PAGES_64K,
                                     .is_table = entries[i] & GTS_TABLE,
                                     .is_ggtt = ggtt && format->directory_entries == 0};
        const uint64_t entry = format->encode(&e);
        memcpy(table + i * size, &entry, size);
    }
    return emit_bytes(r, peek(r), ggtt ? PLACE_GGTT_TABLE : PLACE_PHYSICAL, address, address, "table", table,
                      count * size);
}

bool resolve_address(struct reader *r, const struct gts_token *t, int space, uint64_t address,
                     uint64_t *physical, uint64_t *length_bytes)
{
    if (gts_space_translate(&r->spaces, space, address, physical, length_bytes))
        return true;
    return syntax_error(r, t, "%s:0x%llx is not mapped", r->spaces.list[space].name,
                        (unsigned long long)address);
}

bool range_error(struct reader *r, const struct gts_token *t, int space, uint64_t address, uint64_t size,
                 const char *why)
{
    return syntax_error(r, t, "%s:0x%llx, 0x%llx bytes: %s", r->spaces.list[space].name,
                        (unsigned long long)address, (unsigned long long)size, why);
}

bool emit_store(struct reader *r, const struct gts_token *t, int space, uint64_t address, const void *data,
                size_t size)
{
    const char *why = gts_space_map_missing(&r->spaces, space, address, size);
    if (why)
        return range_error(r, t, space, address, size, why);
    if (r->pass == 0)
        return true;
    const char *name =
        gts_program_name(r->program, r->spaces.list[space].name, strlen(r->spaces.list[space].name));
    if (!name)
        return reader_no_memory(r);
    const uint8_t *bytes = data;
    while (size) {
        uint64_t physical, length, next, more;
        if (!resolve_address(r, t, space, address, &physical, &length))
            return false;
        while (length < size && gts_space_translate(&r->spaces, space, address + length, &next, &more) &&
               (space == SPACE_NUMBER_GGTT || next == physical + length))
            length += more;
        const size_t part = length < size ? (size_t)length : size;
        if (!emit_bytes(r, t, space == SPACE_NUMBER_GGTT ? PLACE_GGTT : PLACE_PHYSICAL,
                        space == SPACE_NUMBER_GGTT ? address : physical, address, name, bytes, part))
            return false;
        bytes += part;
        address += part;
        size -= part;
    }
    return true;
}

char *text_of(struct reader *r, const struct gts_token *t)
{
    char *text = malloc(t->length + 1u);
    if (!text) {
        reader_no_memory(r);
        return NULL;
    }
    text[gts_unescape(t, text, t->length)] = 0;
    return text;
}

bool unterminated_error(struct reader *r, const struct gts_token *open)
{
    return syntax_error(r, peek(r), "expected '}' for the '{' at %u:%u, found the end of the text",
                        open->line, open->column);
}

/* ---- Programs ---- */

/* One of the block's labels is used. */
static bool is_part_used(const struct symbols *all, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].is_used && strncmp(all->list[i].name, name, length) == 0 &&
            all->list[i].name[length] == '.')
            return true;
    return false;
}

/* Reports commands that were never submitted, unless the program writes submission registers itself. */
static void report_unsubmitted(struct reader *r)
{
    for (size_t i = 0; i < r->queue_index && !r->submits_by_register; i++) {
        const struct command_queue *q = &r->queues[i];
        if (!q->is_submitted && q->tail)
            gts_send_message(r->source, GTS_NOTE, q->start->line, q->start->column,
                             "%s is never submitted: its commands run only after 'submit %s'", q->name,
                             q->name);
    }
    for (size_t i = 0; i < r->symbols.count && !r->submits_by_register; i++) {
        const struct symbol *const s = &r->symbols.list[i];
        if (s->is_batch && !s->is_used && !is_part_used(&r->symbols, s->name))
            gts_send_message(
                r->source, GTS_NOTE, s->line, s->column,
                "batch %s is never started: its commands run only after 'MI_BATCH_BUFFER_START &%s' in a "
                "context or ring",
                s->name, s->name);
    }
}

static bool start_pass(struct reader *r, unsigned pass)
{
    r->pass = pass;
    r->token_index = 0;
    r->depth = r->nesting = 0;
    r->submits_by_register = false;
    r->work_done = 0;
    r->length_index = 0;
    r->queue_index = 0;
    r->scope[0] = 0;
    memset(r->setup, 0, sizeof r->setup);
    gts_spaces_free(&r->spaces);
    r->spaces.user = r;
    r->spaces.store = store_entries;
    return gts_spaces_init(&r->spaces, r->machine->format, r->machine->ggtt_bytes, r->machine->local_bytes) ||
           reader_no_memory(r);
}

bool gts_read_program(struct gts_program *program, struct gts_source *source,
                      const struct gts_machine *machine)
{
    struct reader r = {.source = source, .program = program, .machine = machine};
    program->name = source->name;
    bool good = true;
    for (unsigned pass = 0; pass < 2 && good; pass++)
        good = start_pass(&r, pass) && read_statements(&r, NULL) && source->errors == 0;
    if (good)
        report_unsubmitted(&r);
    symbols_free(&r.symbols);
    gts_spaces_free(&r.spaces);
    gts_encoder_free(&r.encoder);
    free(r.command_lengths_dw);
    free(r.queues);
    free(r.block_ranges);
    free(r.block_bytes.data);
    return good;
}

bool gts_assemble_commands(const struct command_set *commands, const struct register_file *registers,
                           enum engine_class class, const char *name, const char *text, size_t size,
                           uint64_t address, const struct gts_options *options, uint32_t **dw,
                           size_t *length_dw)
{
    struct gts_source source;
    struct gts_program program = {0};
    struct gts_engine engine = {.name = engine_class_names[class], .class = class};
    const struct gts_machine machine = {
        .commands = commands, .registers = registers, .format = &gen8_page_tables, .ggtt_bytes = 8u << 20};
    struct reader r = {.source = &source, .program = &program, .machine = &machine};
    bool good = gts_source_read(&source, name, text, size, options);
    if (good && source.count < 2) {
        good = false;
    } else if (good) {
        struct gts_token *end =
            &source.tokens[source.count - 2]; /* the last line end stands for the block's end */
        end->kind = TOKEN_MARK;
        end->mark = '}';
    }
    struct block block = {0};
    for (unsigned pass = 0; pass < 2 && good; pass++) {
        block = (struct block){.engine = &engine, .address = address, .commands = true};
        good = start_pass(&r, pass);
        strcpy(r.scope, "batch");
        if (pass == 0)
            good = good && symbol_define(&r, peek(&r), "batch", 5, NULL, SYMBOL_ADDRESS, address, true,
                                         SPACE_NUMBER_GGTT);
        good = good && read_block_lines(&r, &block) && source.errors == 0;
    }
    if (good) {
        *length_dw = block.size / 4;
        *dw = malloc(block.size ? block.size : 1);
        if (*dw && block.size)
            memcpy(*dw, r.block_bytes.data, block.size);
        good = *dw;
    }
    gts_program_free(&program);
    symbols_free(&r.symbols);
    gts_spaces_free(&r.spaces);
    gts_encoder_free(&r.encoder);
    free(r.command_lengths_dw);
    free(r.block_bytes.data);
    gts_source_free(&source);
    return good;
}
