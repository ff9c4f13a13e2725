#include "gts/encoder.h"

#include <stdlib.h>
#include <string.h>

bool gts_encoder_start(struct gts_encoder *w)
{
    if (!w->dw) {
        w->dw = calloc(ENCODER_MAX_DW, sizeof *w->dw);
        if (!w->dw)
            return false;
    }
    memset(w->dw, 0, w->high_water_dw * sizeof *w->dw);
    w->high_water_dw = 0;
    w->count = 0;
    w->groups = 0;
    w->requested_length_dw = 0;
    return true;
}

bool gts_encoder_add(struct gts_encoder *w, const struct gts_argument *argument)
{
    if (w->count == w->capacity) {
        const size_t room = w->capacity ? w->capacity * 2 : 32;
        struct gts_argument *arguments = realloc(w->arguments, room * sizeof *arguments);
        if (!arguments)
            return false;
        w->arguments = arguments;
        w->capacity = room;
    }
    w->arguments[w->count++] = *argument;
    return true;
}

void gts_encoder_free(struct gts_encoder *w)
{
    free(w->dw);
    free(w->arguments);
    memset(w, 0, sizeof *w);
}

/* The part of a value in the first dword of its field. */
static bool fits_first_dword(const struct field *f, uint64_t value)
{
    const unsigned bits = 32u - f->first % 32u;
    return (value >> field_shift(f)) >> bits == 0;
}

uint32_t gts_encoder_length_dw(const struct gts_encoder *w, const struct command *c)
{
    if (c->length_bits == 0)
        return c->min_dwords;
    if (w->requested_length_dw)
        return w->requested_length_dw;
    uint32_t length = c->min_dwords;
    if (w->groups && c->group_dw + w->groups * c->group_size_dw > length)
        length = c->group_dw + w->groups * c->group_size_dw;
    for (size_t i = 0; i < w->count; i++) {
        const struct gts_argument *a = &w->arguments[i];
        uint32_t need = 0;
        if (a->in_group)
            continue;
        if (!a->field)
            need = a->dword + 1u;
        else if (a->whole || a->field->first / 32u >= c->min_dwords ||
                 !fits_first_dword(a->field, a->known ? a->value : 0))
            need = a->field->last / 32u + 1u;
        length = need > length ? need : length;
    }
    return length;
}

bool gts_encoder_lacks_store_qword(const struct gts_encoder *w, const struct command *c, uint32_t length)
{
    static const char name[] = "Store Qword";
    const struct field *f = gts_field_find(c->fields, c->field_count, name, sizeof name - 1);
    if (!f || f->first < c->length_bits || w->requested_length_dw || length <= c->min_dwords)
        return false; /* on Gen6 the bit belongs to the length */
    for (size_t i = 0; i < w->count; i++)
        if (w->arguments[i].field == f || !w->arguments[i].field)
            return false;
    return true;
}

static bool encoder_put(const struct gts_argument *a, uint32_t *dw, uint32_t length)
{
    struct field clipped = *a->field;
    if (clipped.first / 32u >= length)
        return false;
    if (clipped.last / 32u >= length) { /* a short command: only its own dwords */
        if (!fits_first_dword(a->field, a->value))
            return false;
        clipped.last = (uint16_t)(clipped.first | 31u);
    }
    return field_put(&clipped, dw, length, a->value);
}

enum encode_error gts_encoder_build(struct gts_encoder *w, const struct command *c, uint32_t length,
                                    const struct gts_argument **bad)
{
    *bad = NULL;
    if (length == 0 || length > ENCODER_MAX_DW)
        return ENCODE_BAD_LENGTH;
    if (c->length_bits == 0 && length != c->min_dwords)
        return ENCODE_BAD_LENGTH;
    const uint32_t length_mask = (1u << c->length_bits) - 1u;
    if (c->length_bits && (length < c->length_bias || length - c->length_bias > length_mask))
        return ENCODE_BAD_LENGTH;
    w->high_water_dw = length > w->high_water_dw ? length : w->high_water_dw;
    w->dw[0] = c->match;
    for (size_t i = 0; i < w->count; i++) {
        const struct gts_argument *a = &w->arguments[i];
        if (a->field || !a->known)
            continue;
        *bad = a;
        if (a->dword >= length)
            return ENCODE_PAST_END;
        if (a->value >> 32)
            return ENCODE_BAD_VALUE;
        if (a->dword == 0 && ((uint32_t)a->value & c->mask) != c->match)
            return ENCODE_NO_HEADER_FIT;
        w->dw[a->dword] = (uint32_t)a->value;
    }
    if (c->length_bits)
        w->dw[0] = (w->dw[0] & ~length_mask) | (length - c->length_bias);
    for (size_t i = 0; i < w->count; i++) {
        const struct gts_argument *a = &w->arguments[i];
        if (!a->field || !a->known)
            continue;
        *bad = a;
        const uint32_t start = a->in_group ? c->group_dw + a->dword * c->group_size_dw : 0;
        if (start >= length || start + a->field->first / 32u >= length)
            return ENCODE_PAST_END;
        if (!encoder_put(a, w->dw + start, length - start))
            return ENCODE_BAD_VALUE;
    }
    *bad = NULL;
    return (w->dw[0] & c->mask) == c->match ? ENCODE_OK : ENCODE_NO_HEADER_FIT;
}

static char plain(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : 0;
}

bool gts_name_matches(const char *name, const char *text, size_t length)
{
    const char *end = text + length;
    for (;;) {
        while (*name && !plain(*name))
            name++;
        while (text < end && !plain(*text))
            text++;
        if (!*name || text == end)
            return !*name && text == end;
        if (plain(*name++) != plain(*text++))
            return false;
    }
}

void gts_name_canonical(const char *name, char *text, size_t size)
{
    size_t count = 0;
    bool gap = false;
    for (; *name; name++) {
        const char c = plain(*name);
        if (!c) {
            gap = count > 0;
            continue;
        }
        if (count + 3 > size)
            break;
        if (gap)
            text[count++] = '_';
        gap = false;
        text[count++] = c;
    }
    text[count] = 0;
}

const struct field *gts_field_find(const struct field *fields, unsigned count, const char *text,
                                   size_t length)
{
    for (unsigned i = 0; i < count; i++)
        if (fields[i].name && gts_name_matches(fields[i].name, text, length))
            return &fields[i];
    return NULL;
}

const struct field_value *gts_value_find(const struct field *f, const char *text, size_t length)
{
    for (const struct field_value *v = f->values; v && v->name; v++)
        if (gts_name_matches(v->name, text, length))
            return v;
    return NULL;
}

bool gts_dword_name(const char *text, size_t length, uint32_t *number)
{
    if (length < 3 || length > 7 || plain(text[0]) != 'd' || plain(text[1]) != 'w')
        return false;
    uint32_t sum = 0;
    for (size_t i = 2; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        sum = sum * 10 + (uint32_t)(text[i] - '0');
    }
    *number = sum;
    return sum < ENCODER_MAX_DW;
}

bool gts_is_length_field(const struct command *c, const struct field *f)
{
    return c->length_bits && f->first == 0 && f->last < 32 && f->last + 1u >= c->length_bits &&
           gts_name_matches("dwordlength", f->name, strlen(f->name));
}
