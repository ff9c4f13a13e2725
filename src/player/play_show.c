/* Output of read statements. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player/player.h"

static uint64_t value_at(const struct gts_operation *o, const uint8_t *bytes, unsigned at, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, bytes + at, o->size - at < size ? o->size - at : size);
    return value;
}

/* Text lines up to the first zero byte. */
static void show_text(struct player *p, const struct gts_operation *o, const uint8_t *bytes)
{
    char text[600];
    for (unsigned i = 0; i < o->size && bytes[i];) {
        unsigned count = 0;
        for (; i < o->size && bytes[i] && bytes[i] != '\n' && count < sizeof text - 1; i++)
            text[count++] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? (char)bytes[i] : '.';
        text[count] = 0;
        player_show(p, o, text);
        i += i < o->size && bytes[i] == '\n';
    }
}

/* Dwords or qwords in hexadecimal, 16 bytes a line. */
static void show_words(struct player *p, const struct gts_operation *o, const uint8_t *bytes, unsigned size)
{
    char text[600];
    for (unsigned i = 0; i < o->size; i += 16) {
        int at = snprintf(text, sizeof text, "%.99s:0x%" PRIx64, o->name, o->shown_address + i);
        for (unsigned j = i; j < i + 16 && j < o->size; j += size)
            at += snprintf(text + at, sizeof text - (size_t)at, " %0*" PRIx64, (int)size * 2,
                           value_at(o, bytes, j, size));
        player_show(p, o, text);
    }
}

/* Qwords in decimal, several a line. */
static void show_numbers(struct player *p, const struct gts_operation *o, const uint8_t *bytes)
{
    char text[128];
    size_t at = 0;
    for (unsigned i = 0; i < o->size; i += 8) {
        if (at > 76) {
            player_show(p, o, text);
            at = 0;
        }
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu64, at ? " " : "",
                               value_at(o, bytes, i, 8));
    }
    player_show(p, o, text);
}

/* A qword a line, bit 0 first. */
static void show_bits(struct player *p, const struct gts_operation *o, const uint8_t *bytes)
{
    char text[65];
    for (unsigned i = 0; i < o->size; i += 8) {
        unsigned length = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            const bool set = value_at(o, bytes, i, 8) >> bit & 1u;
            text[bit] = set ? '#' : ' ';
            length = set ? bit + 1 : length;
        }
        text[length] = 0;
        player_show(p, o, text);
    }
}

static void show_memory(struct player *p, const struct gts_operation *o)
{
    uint8_t *bytes = malloc(o->size);
    p->out_of_memory |= !bytes;
    if (!bytes || !player_read_bytes(p, o, bytes, o->size))
        player_fail(p, o, "%s:0x%" PRIx64 " cannot be read: it is not mapped", o->name, o->shown_address);
    else if (o->format == FORMAT_TEXT)
        show_text(p, o, bytes);
    else if (o->format == FORMAT_NUMBERS)
        show_numbers(p, o, bytes);
    else if (o->format == FORMAT_BITS)
        show_bits(p, o, bytes);
    else
        show_words(p, o, bytes, o->format == FORMAT_QWORDS ? 8 : 4);
    free(bytes);
}

void player_show_value(struct player *p, const struct gts_operation *o)
{
    char place[200], text[300];
    uint64_t value;
    if (o->location == PLACE_PHYSICAL || o->location == PLACE_GGTT) {
        show_memory(p, o);
        return;
    }
    player_read_value(p, o, &value);
    gts_location_text(o, 0, place, sizeof place);
    snprintf(text, sizeof text, "%s = 0x%0*" PRIx64, place, (int)o->size * 2, value);
    player_show(p, o, text);
}
