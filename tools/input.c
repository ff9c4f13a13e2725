#include "input.h"

#include "tool.h"

#define MOST_BYTES (UINT64_C(1) << 40)

/* Text has none of the bytes that headers of traces and of compressed files begin with. */
static bool is_text(const char *data, size_t size)
{
    enum { LOOK = 4096 };
    char start[LOOK + 1] = "";
    memcpy(start, data, size < LOOK ? size : LOOK);
    size_t at = 0, length = 1;
    for (; length && at < size && at + 4 < LOOK; at += length) {
        length = tool_character_bytes(start + at);
        if (start[at] == 0x7f ||
            ((unsigned char)start[at] < 0x20 && !strchr("\n\t\r", start[at] ? start[at] : 1)))
            return false;
    }
    return length && size;
}

bool input_open(struct input *i, const char *path)
{
    *i = (struct input){.path = path, .is_program = tool_ends_with(path, ".gts")};
    if (strcmp(path, "-") != 0)
        return true;
    i->data = tool_read(path, MOST_BYTES, &i->size);
    i->is_program = i->data && is_text(i->data, i->size);
    return i->data != NULL;
}

void input_close(struct input *i)
{
    free(i->data);
    *i = (struct input){0};
}
