#include "hang/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool parser_next(struct parser *p)
{
    if (p->rest.at == p->rest.end || p->s->no_memory)
        return false;
    const size_t left = (size_t)(p->rest.end - p->rest.at);
    const char *const end = memchr(p->rest.at, '\n', left);
    p->text = (struct span){p->rest.at, end ? end : p->rest.end};
    p->is_ended = end;
    p->rest.at = end ? end + 1 : p->rest.end;
    if (p->text.end > p->text.at && p->text.end[-1] == '\r')
        p->text.end--;
    p->line++;
    return true;
}

void parser_problem(struct parser *p, const char *format, ...)
{
    struct error_state *const s = p->s;
    va_list list;
    if (s->problem_count++ >= ERROR_PROBLEMS)
        return;
    struct error_problem *const problem = &s->problems[s->problem_count - 1];
    problem->line = p->line;
    va_start(list, format);
    vsnprintf(problem->text, sizeof problem->text, format, list);
    va_end(list);
}

/* ---- Text ---- */

bool span_skip(struct span *t, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0)
        return false;
    t->at += length;
    return true;
}

bool span_ends(struct span t, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(t.end - t.at) >= length && memcmp(t.end - length, word, length) == 0;
}

void span_trim(struct span *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
    while (t->at < t->end && (t->end[-1] == ' ' || t->end[-1] == '\t'))
        t->end--;
}

const char *span_find(struct span t, const char *word)
{
    return memmem(t.at, (size_t)(t.end - t.at), word, strlen(word));
}

static int digit_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool span_number(struct span *t, unsigned base, uint64_t *value)
{
    const char *at = t->at;
    uint64_t number = 0;
    for (; at < t->end && digit_value(*at) >= 0 && (unsigned)digit_value(*at) < base; at++) {
        if (number > (UINT64_MAX - (unsigned)digit_value(*at)) / base)
            return false;
        number = number * base + (unsigned)digit_value(*at);
    }
    if (at == t->at)
        return false;
    *value = number;
    t->at = at;
    return true;
}

bool span_hex(struct span *t, uint64_t *value)
{
    struct span digits = *t;
    span_skip(&digits, "0x");
    if (!span_number(&digits, 16, value))
        return false;
    *t = digits;
    return true;
}

bool span_decimal(struct span *t, uint64_t *value)
{
    return span_number(t, 10, value);
}

void span_copy(struct span t, char *to, size_t size)
{
    size_t length = 0;
    for (; t.at < t.end && length + 1 < size; t.at++)
        to[length++] = (unsigned char)*t.at < ' ' || *t.at == 0x7f ? '?' : *t.at;
    to[length] = 0;
}

bool span_process(struct span t, char *process, int64_t *pid)
{
    for (const char *at = t.end; at > t.at; at--) {
        uint64_t number;
        struct span rest = {at, t.end};
        if (at[-1] != '[' || !span_decimal(&rest, &number) || !span_skip(&rest, "]") || number > INT32_MAX)
            continue;
        struct span name = {t.at, at - 1};
        span_trim(&name);
        span_copy(name, process, ERROR_NAME);
        *pid = (int64_t)number;
        return true;
    }
    return false;
}

/* ---- Engines and registers ---- */

/* Older kernels' names for engines. */
static const struct {
    const char *old, *name;
} engine_names[] = {{"render", "rcs0"}, {"render ring", "rcs0"},
                    {"blt", "bcs0"},    {"blitter ring", "bcs0"},
                    {"bsd", "vcs0"},    {"bsd ring", "vcs0"},
                    {"bsd2", "vcs1"},   {"bsd2 ring", "vcs1"},
                    {"vebox", "vecs0"}, {"video enhancement ring", "vecs0"}};

static void engine_name(struct span t, char *name)
{
    span_copy(t, name, ERROR_NAME);
    for (unsigned i = 0; i < sizeof engine_names / sizeof engine_names[0]; i++)
        if (strcmp(name, engine_names[i].old) == 0)
            snprintf(name, ERROR_NAME, "%s", engine_names[i].name);
}

int parser_engine(struct parser *p, struct span t)
{
    struct error_state *const s = p->s;
    char name[ERROR_NAME];
    engine_name(t, name);
    for (unsigned i = 0; i < s->engine_count; i++)
        if (strcmp(s->engines[i].name, name) == 0)
            return (int)i;
    if (s->engine_count == ERROR_ENGINES) {
        parser_problem(p, "more than %d engines: '%s' is left out", ERROR_ENGINES, name);
        return ERROR_GLOBAL;
    }
    struct error_engine *const e = &s->engines[s->engine_count];
    *e = (struct error_engine){.line = p->line};
    snprintf(e->name, sizeof e->name, "%s", name);
    return (int)s->engine_count++;
}

struct error_engine *parser_engine_at(struct parser *p, int engine)
{
    return engine == ERROR_GLOBAL ? &p->s->global : &p->s->engines[engine];
}

/* Space for one more of `bytes` in a list; false: the limit, or no memory. */
static bool list_grow(struct parser *p, void **list, unsigned count, unsigned *capacity, unsigned most,
                      size_t bytes)
{
    if (count < *capacity)
        return true;
    if (*capacity >= most)
        return false;
    const unsigned wanted = *capacity ? *capacity * 2 : 16;
    void *const more = realloc(*list, wanted * bytes);
    if (!more) {
        p->s->no_memory = true;
        return false;
    }
    *list = more;
    *capacity = wanted;
    return true;
}

static void add_register(struct parser *p, const struct error_register *r)
{
    struct error_engine *const e = parser_engine_at(p, p->engine);
    void *list = e->registers;
    if (!list_grow(p, &list, e->register_count, &e->register_capacity, ERROR_REGISTERS, sizeof *r)) {
        if (!p->s->no_memory)
            parser_problem(p, "more than %d registers: '%s' is left out", ERROR_REGISTERS, r->name);
        return;
    }
    e->registers = list;
    e->registers[e->register_count++] = *r;
}

/* "[1][2]" at the end of a name. */
static bool take_indices(struct span *name, int16_t index[2])
{
    unsigned count = 0;
    index[0] = index[1] = ERROR_NO_INDEX;
    const char *const open = memchr(name->at, '[', (size_t)(name->end - name->at));
    if (!open)
        return true;
    struct span t = {open, name->end};
    while (t.at < t.end) {
        uint64_t number;
        if (count == 2 || !span_skip(&t, "[") || !span_decimal(&t, &number) || number > INT16_MAX ||
            !span_skip(&t, "]"))
            return false;
        index[count++] = (int16_t)number;
    }
    name->end = open;
    return true;
}

/* A value: "0x1", "0x1 2" and "0x1_2" (high and low half), "0x1_0x2". */
static bool take_value(struct span *t, uint64_t *value)
{
    uint64_t low;
    if (!span_skip(t, "0x") || !span_hex(t, value))
        return false;
    struct span half = *t;
    if ((span_skip(&half, "_") || span_skip(&half, " ")) && span_hex(&half, &low) && *value <= UINT32_MAX &&
        low <= UINT32_MAX) {
        *value = *value << 32 | low;
        *t = half;
    }
    return true;
}

static bool is_name(struct span t)
{
    for (const char *at = t.at; at < t.end; at++)
        if (!(*at >= 'A' && *at <= 'Z') && !(*at >= 'a' && *at <= 'z') && !(*at >= '0' && *at <= '9') &&
            !strchr("_-> ", *at))
            return false;
    return t.at < t.end && t.end - t.at < ERROR_NAME;
}

bool parser_register(struct parser *p, struct span t)
{
    struct error_register r = {.line = p->line};
    const char *const colon = memchr(t.at, ':', (size_t)(t.end - t.at));
    struct span name = {t.at, colon}, value = {colon ? colon + 1 : t.end, t.end};
    span_trim(&value);
    if (!colon || !take_value(&value, &r.value))
        return false;
    span_trim(&name);
    if (!take_indices(&name, r.index) || !is_name(name))
        return false;
    span_copy(name, r.name, sizeof r.name);
    add_register(p, &r);
    return true;
}

void parser_note(struct parser *p, struct span t)
{
    struct error_state *const s = p->s;
    void *list = s->notes;
    if (!list_grow(p, &list, s->note_count, &s->note_capacity, ERROR_NOTES, sizeof *s->notes))
        return; /* a note more or less is no loss */
    s->notes = list;
    struct error_note *const n = &s->notes[s->note_count++];
    *n = (struct error_note){.engine = p->engine, .line = p->line};
    span_trim(&t);
    span_copy(t, n->text, sizeof n->text);
}

/* ---- Buffers ---- */

struct error_buffer *parser_buffer(struct parser *p, struct span name, int engine)
{
    struct error_state *const s = p->s;
    void *list = s->buffers;
    p->buffer = -1;
    if (!list_grow(p, &list, s->buffer_count, &s->buffer_capacity, ERROR_BUFFERS, sizeof *s->buffers)) {
        if (!s->no_memory)
            parser_problem(p, "more than %d buffers: the rest is left out", ERROR_BUFFERS);
        return NULL;
    }
    s->buffers = list;
    p->buffer = (int)s->buffer_count++;
    p->left_bytes -= p->words.size;
    p->words = (struct data){.most_bytes = p->left_bytes};
    struct error_buffer *const b = &s->buffers[p->buffer];
    *b = (struct error_buffer){.engine = engine, .line = p->line};
    span_copy(name, b->name, sizeof b->name);
    return b;
}

/* A file whose length is announced may continue on lines of nothing but ascii85. */
static void take_more_lines(struct parser *p, struct data *d, uint64_t wanted_bytes)
{
    while (d->size < wanted_bytes && !d->problem && p->rest.at < p->rest.end) {
        const char *at = p->rest.at;
        while (at<p->rest.end && * at> ' ' && *at <= 'z')
            at++;
        if (at == p->rest.at || (at < p->rest.end && *at != '\n') || !parser_next(p))
            return;
        const size_t size = d->size;
        const struct span t = p->text;
        if (data_ascii85(d, t.at, (size_t)(t.end - t.at)) < (size_t)(t.end - t.at) && !d->problem)
            d->problem = size == d->size ? NULL : "the data have a character that is no ascii85";
    }
}

void parser_data(struct parser *p, struct span t, bool is_compressed)
{
    struct data d = {.most_bytes = p->left_bytes};
    const unsigned line = p->line;
    if (p->buffer < 0 || p->s->buffers[p->buffer].bytes) {
        parser_problem(p, "data of no buffer");
        return;
    }
    struct error_buffer *const b = &p->s->buffers[p->buffer];
    p->buffer = -1;
    const size_t length = (size_t)(t.end - t.at), used = data_ascii85(&d, t.at, length);
    if (used < length && !d.problem)
        d.problem = "the data have a character that is no ascii85";
    take_more_lines(p, &d, b->wanted_bytes);
    if (!p->is_ended && !d.problem)
        d.problem = "the file ends inside the data";
    if (is_compressed)
        data_inflate(&d);
    if (b->wanted_bytes && d.size < b->wanted_bytes && !d.problem)
        d.problem = "the data are shorter than announced";
    p->s->no_memory |= d.no_memory;
    p->left_bytes -= d.size;
    b->bytes = d.bytes;
    b->size_bytes = d.size;
    b->is_cut = d.problem;
    if (d.problem && !d.no_memory) {
        const unsigned now = p->line;
        p->line = line;
        parser_problem(p, "buffer '%s': %s; the first %zu bytes are kept", b->name, d.problem, d.size);
        p->line = now;
    }
}

/* ---- The file ---- */

static bool is_printable(struct span t)
{
    for (size_t i = 0; i < 256 && t.at + i < t.end; i++)
        if ((unsigned char)t.at[i] < ' ' && !strchr("\t\r\n", t.at[i] ? t.at[i] : 1))
            return false;
    return t.at < t.end;
}

/* If no engine is said to be hung, those that had a process are, or the only one of the file. */
static void find_hung(struct error_state *s)
{
    unsigned hung = 0;
    for (unsigned i = 0; i < s->engine_count; i++)
        hung += s->engines[i].hung;
    for (unsigned i = 0; !hung && i < s->engine_count; i++)
        s->engines[i].hung = s->engines[i].process[0] || s->engine_count == 1;
}

bool error_state_parse(struct error_state *s, const char *text, size_t size, uint64_t limit_bytes)
{
    *s = (struct error_state){.global = {.name = "global"}};
    struct parser p = {.s = s,
                       .rest = {text, text + size},
                       .left_bytes = limit_bytes < SIZE_MAX ? (size_t)limit_bytes : SIZE_MAX,
                       .engine = ERROR_GLOBAL,
                       .buffer = -1,
                       .context = ERROR_GLOBAL};
    if (!is_printable(p.rest)) {
        parser_problem(&p, "this is no error state: it is not text");
        return false;
    }
    if (span_find((struct span){text, text + (size < 4096 ? size : 4096)}, "Xe Device Coredump")) {
        s->driver = ERROR_DRIVER_XE;
        parse_devcoredump(&p);
    } else {
        parse_i915(&p);
    }
    if (!p.is_ended && !s->no_memory &&
        !(s->problem_count && s->problem_count <= ERROR_PROBLEMS &&
          s->problems[s->problem_count - 1].line == p.line))
        parser_problem(&p, "the file ends inside a line");
    find_hung(s);
    const bool found = s->engine_count || s->buffer_count || s->has_pci_id;
    if (!found && !s->no_memory) {
        p.line = 0;
        s->problem_count = 0;
        parser_problem(&p, "this is no error state of i915 and no devcoredump of xe");
    }
    return found && !s->no_memory;
}

void error_state_free(struct error_state *s)
{
    for (unsigned i = 0; i < s->engine_count; i++)
        free(s->engines[i].registers);
    for (unsigned i = 0; i < s->buffer_count; i++)
        free(s->buffers[i].bytes);
    free(s->global.registers);
    free(s->buffers);
    free(s->notes);
}
