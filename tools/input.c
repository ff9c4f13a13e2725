#include "input.h"

#include "tool.h"

#include "host/files.h"

#include <sys/stat.h>

#define MOST_BYTES (UINT64_C(1) << 40)

/* Headers of traces and compressed files have bytes that text does not have. */
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

static const char **texts; /* trace files that begin as text */
static size_t text_count;

/* A program under another name. A file named as a trace is a trace. */
static bool begins_as_text(const char *path)
{
    char start[4096];
    struct stat there;
    if (strcmp(path, "-") == 0 || tool_ends_with(path, ".aub") || stat(path, &there) != 0 ||
        !S_ISREG(there.st_mode))
        return false;
    FILE *const file = fopen(path, "r");
    const size_t size = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    return is_text(start, size);
}

void input_allow(const char *path)
{
    files_allow(FILES_READ, path);
    if (!begins_as_text(path))
        return;
    const char **const more = realloc(texts, (text_count + 1) * sizeof *more);
    if (!more)
        tool_no_memory();
    more[text_count++] = path;
    texts = more;
}

static bool is_named_text(const char *path)
{
    for (size_t i = 0; i < text_count; i++)
        if (texts[i] == path)
            return true;
    return false;
}

bool input_open(struct input *i, const char *path)
{
    *i = (struct input){.path = path, .is_program = tool_ends_with(path, ".gts") || is_named_text(path)};
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
