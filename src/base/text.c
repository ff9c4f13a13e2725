#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_free(struct text *t)
{
    free(t->bytes);
    *t = (struct text){0};
}

void text_drop(struct text *t, size_t count)
{
    if (!count)
        return;
    t->length -= count;
    memmove(t->bytes, t->bytes + count, t->length);
}

bool text_grow(struct text *t, size_t more)
{
    size_t room = t->capacity ? t->capacity * 2 : 4096;
    while (room - t->length < more)
        room *= 2;
    char *bytes = realloc(t->bytes, room);
    if (!bytes) {
        t->failed = true;
        return false;
    }
    t->bytes = bytes;
    t->capacity = room;
    return true;
}

/* Eight digits as eight bytes, the first one lowest. */
static inline uint64_t eight_digits(uint32_t value)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t x = (uint64_t)(value & 0xffff0000u) << 16 | (value & 0xffffu);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    const uint64_t letters = (x + 6 * ones) >> 4 & ones;
    return __builtin_bswap64(x + '0' * ones + ('a' - '0' - 10) * letters);
}

void text_hex(struct text *t, uint64_t value, unsigned digits)
{
    while (digits < 16 && value >> (digits * 4u))
        digits++;
    if (!text_reserve(t, 16))
        return;
    char *to = t->bytes + t->length;
    t->length += digits;
    if (digits > 8) {
        const uint64_t first = eight_digits((uint32_t)(value >> 32)) >> (16 - digits) * 8;
        memcpy(to, &first, sizeof first);
        to += digits - 8;
        digits = 8;
    }
    const uint64_t last = eight_digits((uint32_t)value) >> (8 - digits) * 8;
    memcpy(to, &last, sizeof last);
}

void text_decimal(struct text *t, uint64_t value)
{
    char digits[20];
    unsigned at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    text_bytes(t, digits + at, sizeof digits - at);
}

void text_signed(struct text *t, int64_t value)
{
    if (value < 0)
        text_char(t, '-');
    text_decimal(t, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void text_float(struct text *t, float value)
{
    const float eighths = value * 8;
    if (value != 0 && eighths > -800000 && eighths < 800000 && eighths == (float)(int)eighths) {
        /* Most numbers in state: at most five digits, a point and three; what %.9g says, sooner. */
        const unsigned size = (unsigned)(eighths < 0 ? -eighths : eighths);
        unsigned rest = size % 8 * 125;
        if (eighths < 0)
            text_char(t, '-');
        text_decimal(t, size / 8);
        if (rest)
            text_char(t, '.');
        for (; rest; rest = rest % 100 * 10)
            text_char(t, (char)('0' + rest / 100));
        return;
    }
    if (value == 0 && !signbit(value)) {
        text_char(t, '0');
        return;
    }
    char digits[48];
    const int length = snprintf(digits, sizeof digits, "%.9g", text_number((double)value));
    text_bytes(t, digits, (size_t)length);
}

void text_json(struct text *t, const char *string)
{
    text_char(t, '"');
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\') {
            text_char(t, '\\');
            text_char(t, (char)c);
        } else if (c < 0x20) {
            text_bytes(t, "\\u00", 4);
            text_hex(t, c, 2);
        } else {
            text_char(t, (char)c);
        }
    }
    text_char(t, '"');
}

void text_format(struct text *t, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && text_reserve(t, (size_t)length + 1u)) {
        vsnprintf(t->bytes + t->length, (size_t)length + 1u, format, again);
        t->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

size_t text_character_bytes(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t length = c[0] < 0x80   ? 1
                          : c[0] < 0xc2 ? 0
                          : c[0] < 0xe0 ? 2
                          : c[0] < 0xf0 ? 3
                          : c[0] < 0xf5 ? 4
                                        : 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    const bool too_long = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90),
               surrogate = c[0] == 0xed && c[1] > 0x9f, beyond = c[0] == 0xf4 && c[1] > 0x8f;
    return too_long || surrogate || beyond ? 0 : length;
}
