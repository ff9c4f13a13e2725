#include "input.h"

#include "tool.h"

#include <errno.h>

/* Text has none of the bytes that headers of traces and of compressed files begin with. */
static bool is_text(const char *data, size_t size)
{
    enum { LOOK = 4096 };
    for (size_t i = 0; i < size && i < LOOK; i++) {
        const unsigned char c = (unsigned char)data[i];
        if (c >= 0x7f || (c < 0x20 && c != '\n' && c != '\t' && c != '\r'))
            return false;
    }
    return size != 0;
}

bool input_open(struct input *i, const char *path)
{
    *i = (struct input){.path = path, .is_program = tool_ends_with(path, ".gts")};
    if (strcmp(path, "-") != 0)
        return true;
    size_t room = 0, part = 1;
    while (part) {
        if (i->size == room) {
            char *more = realloc(i->data, room += room + (1 << 16));
            if (!more) {
                tool_error(path, "out of memory");
                input_close(i);
                return false;
            }
            i->data = more;
        }
        part = fread(i->data + i->size, 1, room - i->size, stdin);
        i->size += part;
    }
    if (ferror(stdin)) {
        tool_error(path, "cannot be read: %s", strerror(errno));
        input_close(i);
        return false;
    }
    i->is_program = is_text(i->data, i->size);
    return true;
}

void input_close(struct input *i)
{
    free(i->data);
    *i = (struct input){0};
}
