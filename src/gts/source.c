#include "gts/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gts_send_message(struct gts_source *s, enum gts_message_kind kind, unsigned line, unsigned column,
                      const char *format, ...)
{
    if (kind == GTS_ERROR)
        s->errors++;
    if (!s->options || !s->options->message)
        return;
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const struct gts_message message = {kind, s->name, line, column, text, s->device};
    s->options->message(s->options->user, &message);
}

const struct gts_token *gts_device_name(const struct gts_token *t, char *name, size_t size)
{
    const struct gts_token *last = t;
    while (last[1].kind == TOKEN_MARK && last[1].mark == '-' && last[1].text == last->text + last->length &&
           last[2].text == last[1].text + 1 && (last[2].kind == TOKEN_WORD || last[2].kind == TOKEN_NUMBER))
        last += 2;
    snprintf(name, size, "%.*s", (int)(last->text + last->length - t->text), t->text);
    return last + 1;
}

/* The position in the text. */
struct lexer {
    struct gts_source *source;
    const char *at, *end, *line_start;
    unsigned line;
    unsigned depth; /* nesting of parentheses, where line ends are ignored */
};

static unsigned column_of(const struct lexer *x, const char *at)
{
    return (unsigned)(at - x->line_start) + 1u;
}

static struct gts_token *add_token(struct lexer *x, enum gts_token_kind kind, const char *start,
                                   const char *end)
{
    struct gts_source *s = x->source;
    if (s->count == s->capacity) {
        const size_t room = s->capacity ? s->capacity * 2 : 256;
        struct gts_token *tokens = realloc(s->tokens, room * sizeof *tokens);
        if (!tokens) {
            gts_send_message(s, GTS_ERROR, x->line, 0, "out of memory");
            return NULL;
        }
        s->tokens = tokens;
        s->capacity = room;
    }
    struct gts_token *t = &s->tokens[s->count++];
    *t = (struct gts_token){.kind = kind,
                            .line = x->line,
                            .column = column_of(x, start),
                            .text = start,
                            .length = (uint32_t)(end - start)};
    return t;
}

static bool word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

enum number { NUMBER_NONE, NUMBER_GOOD, NUMBER_TOO_BIG };

/* Reads a number: decimal with an optional K, M or G, 0x or 0b, with '_' between digits. */
static enum number number_token(const char *text, size_t length, uint64_t *value)
{
    uint64_t base = 10, factor = 1, sum = 0;
    size_t i = 0, digits = 0;
    bool big = false;
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        base = 16, i = 2;
    else if (length > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
        base = 2, i = 2;
    for (; i < length; i++) {
        const char c = text[i];
        if (c == '_' && digits)
            continue;
        const uint64_t digit = (uint64_t)digit_value(c);
        if (digit >= base) {
            if (i + 1 != length || base != 10 || !digits)
                return NUMBER_NONE;
            factor = c == 'K'   ? UINT64_C(1) << 10
                     : c == 'M' ? UINT64_C(1) << 20
                     : c == 'G' ? UINT64_C(1) << 30
                                : 0;
            if (!factor)
                return NUMBER_NONE;
            continue;
        }
        digits++;
        big = big || sum > (UINT64_MAX - digit) / base;
        sum = sum * base + digit;
    }
    if (!digits)
        return NUMBER_NONE;
    if (big || (factor > 1 && sum > UINT64_MAX / factor))
        return NUMBER_TOO_BIG;
    *value = sum * factor;
    return NUMBER_GOOD;
}

static bool all_digits(const char *text, const char *end)
{
    if (text == end)
        return false;
    for (; text < end; text++)
        if (*text < '0' || *text > '9')
            return false;
    return true;
}

static bool lex_word(struct lexer *x)
{
    const char *start = x->at;
    while (x->at < x->end && word_character(*x->at))
        x->at++;
    if (all_digits(start, x->at) && x->at + 1 < x->end && x->at[0] == '.' && x->at[1] >= '0' &&
        x->at[1] <= '9') {
        x->at++;
        while (x->at < x->end && *x->at >= '0' && *x->at <= '9')
            x->at++;
        double number = 0, scale = 1; /* not strtof, which depends on the locale */
        bool fraction = false;
        for (const char *c = start; c < x->at; c++) {
            if (*c == '.') {
                fraction = true;
                continue;
            }
            number = number * 10 + (*c - '0');
            scale = fraction ? scale * 10 : scale;
        }
        const float single = (float)(number / scale);
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        struct gts_token *t = add_token(x, TOKEN_FLOAT, start, x->at);
        if (t)
            t->value = bits;
        return t;
    }
    uint64_t value = 0;
    const enum number number = number_token(start, (size_t)(x->at - start), &value);
    if (number == NUMBER_TOO_BIG) {
        gts_send_message(x->source, GTS_ERROR, x->line, column_of(x, start),
                         "number '%.*s' does not fit in 64 bits",
                         (int)(x->at - start < 60 ? x->at - start : 60), start);
        return false;
    }
    struct gts_token *t = add_token(x, number == NUMBER_GOOD ? TOKEN_NUMBER : TOKEN_WORD, start, x->at);
    if (t)
        t->value = value;
    return t;
}

static bool lex_string(struct lexer *x)
{
    const char *start = x->at++;
    while (x->at < x->end && *x->at != '"' && *x->at != '\n')
        x->at += *x->at == '\\' && x->at + 1 < x->end && x->at[1] != '\n' ? 2 : 1;
    if (x->at >= x->end || *x->at != '"') {
        gts_send_message(x->source, GTS_ERROR, x->line, column_of(x, start),
                         "expected '\"' at the end of the string, found the end of the line");
        return false;
    }
    struct gts_token *t = add_token(x, TOKEN_STRING, start + 1, x->at++);
    if (t)
        t->column--;
    return t;
}

static bool lex_mark(struct lexer *x)
{
    static const char pairs[][3] = {"<<", ">>", "==", "!=", ".."};
    const char *start = x->at;
    const char c = *start;
    if (!strchr("{}()[]=,.:&|^~+-*/%<>!", c) || !c) {
        if ((unsigned char)c < 0x20 || (unsigned char)c >= 0x7f)
            gts_send_message(x->source, GTS_ERROR, x->line, column_of(x, start), "unexpected byte 0x%02x",
                             (unsigned char)c);
        else
            gts_send_message(x->source, GTS_ERROR, x->line, column_of(x, start), "unexpected '%c'", c);
        return false;
    }
    uint16_t mark = (uint16_t)(unsigned char)c;
    x->at++;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (c == pairs[i][0] && x->at < x->end && *x->at == pairs[i][1]) {
            mark = TWO_MARKS(c, *x->at);
            x->at++;
            break;
        }
    if (mark == '(')
        x->depth++;
    if (mark == ')' && x->depth)
        x->depth--;
    struct gts_token *t = add_token(x, TOKEN_MARK, start, x->at);
    if (t)
        t->mark = mark;
    return t;
}

static bool continues(const struct lexer *x)
{
    const struct gts_source *s = x->source;
    return x->depth ||
           (s->count && s->tokens[s->count - 1].kind == TOKEN_MARK && s->tokens[s->count - 1].mark == ',');
}

bool gts_source_read(struct gts_source *s, const char *name, const char *text, size_t size,
                     const struct gts_options *options)
{
    memset(s, 0, sizeof *s);
    s->name = name;
    s->options = options;
    struct lexer x = {.source = s, .at = text, .end = text + size, .line_start = text, .line = 1};
    bool good = true;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark, which some editors write */
        x.at = x.line_start = text + 3;
    while (good && x.at < x.end) {
        const char c = *x.at;
        if (c == '#') {
            while (x.at < x.end && *x.at != '\n')
                x.at++;
        } else if (c == '\n' || c == ';') {
            if (c == ';' || !continues(&x))
                good = add_token(&x, TOKEN_LINE, x.at, x.at + 1);
            x.at++;
            if (c == '\n') {
                x.line++;
                x.line_start = x.at;
            }
        } else if (c == ' ' || c == '\t' || c == '\r') {
            x.at++;
        } else if (c == '"') {
            good = lex_string(&x);
        } else if (word_character(c)) {
            good = lex_word(&x);
        } else {
            good = lex_mark(&x);
        }
        if (s->count > UINT32_MAX / 4u) {
            gts_send_message(s, GTS_ERROR, x.line, 0, "the program has more than %u words", UINT32_MAX / 4u);
            good = false;
        }
    }
    return good && add_token(&x, TOKEN_LINE, x.at, x.at) && add_token(&x, TOKEN_END, x.at, x.at);
}

void gts_source_free(struct gts_source *s)
{
    free(s->tokens);
    s->tokens = NULL;
    s->count = s->capacity = 0;
}

size_t gts_unescape(const struct gts_token *t, char *bytes, size_t size)
{
    size_t count = 0;
    for (uint32_t i = 0; i < t->length; i++) {
        char c = t->text[i];
        if (c == '\\' && i + 1 < t->length) {
            c = t->text[++i];
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c == '0')
                c = 0;
            else if (c == 'x' && i + 2 < t->length && digit_value(t->text[i + 1]) < 16 &&
                     digit_value(t->text[i + 2]) < 16) {
                c = (char)(digit_value(t->text[i + 1]) * 16 + digit_value(t->text[i + 2]));
                i += 2;
            }
        }
        if (count < size)
            bytes[count++] = c;
    }
    return count;
}
