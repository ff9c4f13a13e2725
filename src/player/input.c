#include "player/input.h"

#include "base/text.h"

#include <string.h>

/* Headers of traces and compressed files have bytes that text does not have. */
bool play_is_text(const char *data, size_t size)
{
    enum { LOOK = 4096 };
    char start[LOOK + 1] = "";
    memcpy(start, data, size < LOOK ? size : LOOK);
    size_t at = 0, length = 1;
    for (; length && at < size && at + 4 < LOOK; at += length) {
        length = text_character_bytes(start + at);
        if (start[at] == 0x7f ||
            ((unsigned char)start[at] < 0x20 && !strchr("\n\t\r", start[at] ? start[at] : 1)))
            return false;
    }
    return length && size;
}

static bool name_ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), end_length = strlen(end);
    return length >= end_length && strcmp(name + length - end_length, end) == 0;
}

bool play_is_program(const char *name, const char *data, size_t size)
{
    return name_ends_with(name, ".gts") || (!name_ends_with(name, ".aub") && play_is_text(data, size));
}
