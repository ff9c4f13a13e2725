#include "frontend/gts/gts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/gts/play.h"
#include "frontend/gts/reader.h"

enum { MAX_TEXT = 64 << 20 };

static bool no_memory_there(void *user, uint64_t bus_address, void *data, size_t size_bytes)
{
    (void)user, (void)bus_address, (void)data, (void)size_bytes;
    return false;
}

/* A device only to ask for rows and registers. */
static struct softgt *make_model(const char *name)
{
    const struct softgt_config config = {.device = name, .memory = {.read = no_memory_there}};
    struct softgt *device = NULL;
    return softgt_create(&config, &device) == 0 ? device : NULL;
}

/* The name behind 'device', which begins the program. */
static const char *device_name(struct gts_source *s, char *name, size_t size)
{
    const struct gts_token *t = s->tokens;
    if (s->options->device)
        return s->options->device;
    while (t->kind == TOKEN_LINE)
        t++;
    if (!token_is(t, "device") || t[1].kind != TOKEN_WORD || t[1].length >= size) {
        gts_tell(s, GTS_ERROR, t->line, t->column, "a program begins with its device, as 'device skl'");
        return NULL;
    }
    memcpy(name, t[1].text, t[1].length);
    name[t[1].length] = 0;
    if (softgt_device_find(name))
        return name;
    gts_tell(s, GTS_ERROR, t[1].line, t[1].column, "no device is called '%s'", name);
    return NULL;
}

static enum gts_result play_text(const char *name, const char *text, size_t size, const char *aub_path,
                                 const struct gts_options *options)
{
    struct gts_source source;
    struct gts_program program = {0};
    char device[32];
    enum gts_result result = GTS_UNUSABLE;
    struct softgt *model = NULL;
    if (gts_source_read(&source, name, text, size, options) &&
        (program.device = device_name(&source, device, sizeof device)) != NULL) {
        model = make_model(program.device);
        if (!model)
            gts_tell(&source, GTS_ERROR, 0, 0, "device '%s' cannot be made", program.device);
    }
    if (model) {
        struct gts_machine machine;
        gts_machine_of(&machine, model);
        if (gts_read_program(&program, &source, &machine))
            result = aub_path ? gts_play_into_aub(&program, &source, softgt_info(model), aub_path)
                              : gts_play_on_device(&program, &source);
    }
    softgt_destroy(model);
    gts_program_free(&program);
    gts_source_free(&source);
    return result;
}

static bool read_file(const char *path, struct gts_source *s, char **text, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16;
    *size = 0;
    *text = file ? malloc(room) : NULL;
    while (*text) {
        const size_t count = fread(*text + *size, 1, room - *size, file);
        *size += count;
        if (*size < room)
            break;
        char *more = room < MAX_TEXT ? realloc(*text, room * 2) : NULL;
        if (!more) {
            gts_tell(s, GTS_ERROR, 0, 0, "the file is too long");
            break;
        }
        *text = more;
        room *= 2;
    }
    if (!file || ferror(file))
        gts_tell(s, GTS_ERROR, 0, 0, "%s", strerror(errno));
    else if (!*text)
        gts_tell(s, GTS_ERROR, 0, 0, "out of memory");
    if (file)
        fclose(file);
    if (*text && !s->errors)
        return true;
    free(*text);
    return false;
}

static enum gts_result play_file(const char *path, const char *aub_path, const struct gts_options *options)
{
    struct gts_source s = {.name = path, .options = options};
    char *text;
    size_t size;
    if (!read_file(path, &s, &text, &size))
        return GTS_UNUSABLE;
    const enum gts_result result = play_text(path, text, size, aub_path, options);
    free(text);
    return result;
}

enum gts_result gts_run_file(const char *path, const struct gts_options *options)
{
    return play_file(path, NULL, options);
}

enum gts_result gts_assemble_file(const char *path, const char *aub_path, const struct gts_options *options)
{
    return play_file(path, aub_path, options);
}

enum gts_result gts_run_text(const char *name, const char *text, size_t size,
                             const struct gts_options *options)
{
    return play_text(name, text, size, NULL, options);
}

enum gts_result gts_assemble_text(const char *name, const char *text, size_t size, const char *aub_path,
                                  const struct gts_options *options)
{
    return play_text(name, text, size, aub_path, options);
}
