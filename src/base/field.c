#include "field.h"

#include <stdio.h>

bool field_put(const struct field *f, uint32_t *dw, uint32_t length_dw, uint64_t value)
{
    const unsigned width = field_width(f), shift = field_shift(f);
    const uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1u : UINT64_MAX;
    uint64_t raw = value >> shift;
    if (raw << shift != value)
        return false;
    if (f->kind == FIELD_INT && width < 64 && (int64_t)value < 0) {
        if ((int64_t)value < -(INT64_C(1) << (width - 1u)))
            return false;
        raw &= mask;
    }
    if ((raw & ~mask) != 0)
        return false;
    const uint32_t at = f->first / 32u, bit = f->first % 32u;
    const bool two = f->last / 32u != at;
    if (at + (two ? 1u : 0u) >= length_dw)
        return false;
    dw[at] = (dw[at] & ~(uint32_t)(mask << bit)) | (uint32_t)(raw << bit);
    if (two) {
        const unsigned in_first = 32u - bit;
        dw[at + 1] = (dw[at + 1] & ~(uint32_t)(mask >> in_first)) | (uint32_t)(raw >> in_first);
    }
    return true;
}

const char *field_value_name(const struct field *f, uint64_t value)
{
    for (const struct field_value *v = f->values; v && v->name; v++)
        if (v->value == value)
            return v->name;
    return NULL;
}

void field_value_bits(const struct field_value *names, uint64_t value, const char *between, char *text,
                      size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (const struct field_value *v = names; v->name && at < size; v++)
        if (value & v->value) {
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? between : "", v->name);
            value &= ~v->value;
        }
    if ((value || !at) && at < size)
        snprintf(text + at, size - at, "%s0x%llx", at ? between : "", (unsigned long long)value);
}
