#include "input.h"

#include "json_errors.h"
#include "tool.h"

#include "host/files.h"
#include "player/gts_run.h"
#include "player/input.h"

#include <sys/stat.h>

#define MOST_BYTES (UINT64_C(1) << 40)

static const char **programs; /* files that are programs, as play_is_program says */
static size_t program_count;

/* By the name, and of regular files by how they begin: others are read once. */
static bool is_program(const char *path)
{
    char start[4096];
    struct stat there;
    const bool is_file = strcmp(path, "-") != 0 && stat(path, &there) == 0 && S_ISREG(there.st_mode);
    FILE *const file = is_file ? fopen(path, "r") : NULL;
    const size_t size = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    return play_is_program(path, start, size);
}

void input_allow(const char *path)
{
    files_allow(FILES_READ, path);
    if (!is_program(path))
        return;
    const char **const more = realloc(programs, (program_count + 1) * sizeof *more);
    if (!more)
        tool_no_memory();
    more[program_count++] = path;
    programs = more;
}

static bool was_program(const char *path)
{
    for (size_t i = 0; i < program_count; i++)
        if (programs[i] == path)
            return true;
    return false;
}

bool input_open(struct input *i, const char *path)
{
    *i = (struct input){.path = path, .is_program = was_program(path)};
    if (strcmp(path, "-") != 0)
        return true;
    i->data = tool_read(path, MOST_BYTES, &i->size);
    i->is_program = i->data && play_is_program(path, i->data, i->size);
    return i->data != NULL;
}

void input_close(struct input *i)
{
    free(i->data);
    *i = (struct input){0};
}

/* ---- Programs as traces ---- */

static void on_gts_message(void *user, const struct gts_message *m)
{
    char place[32] = "", text[1024];
    (void)user;
    if (m->kind != GTS_ERROR)
        return;
    if (m->line)
        snprintf(place, sizeof place, "%u:%u:", m->line, m->column);
    snprintf(text, sizeof text, "%s%s%s", place, m->line ? " " : "", m->text);
    json_errors_add(m->file, text);
    fprintf(stderr, "%s:%s error: %s\n", m->file, place, m->text);
}

bool input_assemble(struct input *input, const char *device, uint64_t memory_limit)
{
    const struct gts_options options = {
        .device = device, .memory_limit = memory_limit, .message = on_gts_message};
    char *data = NULL;
    size_t size = 0;
    FILE *trace = open_memstream(&data, &size);
    if (!trace || gts_assemble_into(input->path, input->data, input->size, trace, &options) != GTS_CLEAN) {
        if (!trace)
            tool_error(input->path, "out of memory");
        else /* the file is still open: the text has errors */
            fclose(trace);
        free(data);
        return false;
    }
    if (!data) /* open_memstream ran out of memory */
        tool_no_memory();
    input_close(input);
    *input = (struct input){.data = data, .size = size};
    return true;
}

bool input_read(struct input *i, const char *path, const char *device, uint64_t memory_limit)
{
    if (!input_open(i, path))
        return false;
    bool good = true;
    if (i->is_program)
        good = input_assemble(i, device, memory_limit);
    else if (!i->data)
        good = (i->data = tool_read(path, MOST_BYTES, &i->size)) != NULL;
    if (!good)
        input_close(i);
    return good;
}
