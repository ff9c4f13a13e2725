#include "player/gts_run.h"

#include "host/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player/play.h"
#include "gts/reader.h"
#include "device/host.h"

enum { MAX_TEXT = 64 << 20, GTS_MAX_DEVICES = 64 };

static bool report_no_memory(void *user, uint64_t bus_address, void *data, size_t size_bytes)
{
    (void)user, (void)bus_address, (void)data, (void)size_bytes;
    return false;
}

/* A device that provides only rows and registers: it never runs. */
static struct softgt *make_model(const char *name)
{
    const struct softgt_config config = {.device = name, .memory = {.read = report_no_memory}};
    struct softgt *device = NULL;
    return softgt_create(&config, &device) == 0 ? device : NULL;
}

/* The devices that a program runs on. */
struct devices {
    const struct softgt_device_info *list[GTS_MAX_DEVICES];
    unsigned count;
};

static bool add_device(struct devices *d, const struct softgt_device_info *info)
{
    for (unsigned i = 0; i < d->count; i++)
        if (d->list[i] == info)
            return true;
    if (d->count == GTS_MAX_DEVICES)
        return false;
    d->list[d->count++] = info;
    return true;
}

/* Adds a device by name, or all distinct devices of a generation. */
static bool add_devices(struct devices *d, const char *name)
{
    const struct softgt_device_info *info;
    bool found = false;
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++)
        if (strcmp(info->name, name) == 0 ||
            (strcmp(info->generation, name) == 0 && !sheet_repeats(sheets[i])))
            found |= add_device(d, info);
    return found;
}

static void unknown_device(struct gts_source *s, const struct gts_token *t, const char *name)
{
    const struct softgt_device_info *info;
    struct nearest near;
    char hint[96], all[400] = "";
    nearest_start(&near, name, strlen(name));
    for (size_t i = 0; (info = softgt_device_at(i)) != NULL; i++) {
        nearest_compare(&near, info->name);
        append_name(all, sizeof all, info->name);
    }
    gts_send_message(s, GTS_ERROR, t->line, t->column, "unknown device '%s'%s; devices: %s", name,
                     nearest_text(&near, hint, sizeof hint), all);
}

/* Reads the names of the 'device' statement, which begins the program. */
static bool read_devices(struct gts_source *s, struct devices *d)
{
    const struct gts_token *t = s->tokens;
    char name[32];
    if (s->options->device)
        return add_devices(d, s->options->device);
    while (t->kind == TOKEN_LINE)
        t++;
    if (!token_is(t, "device") || t[1].kind != TOKEN_WORD) {
        gts_send_message(s, GTS_ERROR, t->line, t->column,
                         "expected 'device NAME' as the first statement, such as 'device skl'");
        return false;
    }
    for (t++; t->kind == TOKEN_WORD;) {
        const struct gts_token *first = t;
        t = gts_device_name(t, name, sizeof name);
        if (!add_devices(d, name)) {
            unknown_device(s, first, name);
            return false;
        }
    }
    return true;
}

static enum gts_result play_on(struct gts_source *source, const struct softgt_device_info *info,
                               const struct gts_trace *trace)
{
    struct gts_program program = {.device = info->name};
    struct gts_machine machine;
    enum gts_result result = GTS_UNUSABLE;
    struct softgt *model = make_model(info->name);
    if (model) {
        gts_machine_of(&machine, model);
        if (gts_read_program(&program, source, &machine))
            result = trace                         ? gts_play_into_aub(&program, source, info, trace)
                     : source->options->self_check ? gts_check_on_device(&program, source)
                                                   : gts_play_on_device(&program, source);
    } else {
        gts_send_message(source, GTS_ERROR, 0, 0, "device '%s' cannot be created: out of memory", info->name);
    }
    softgt_destroy(model);
    gts_program_free(&program);
    return result;
}

static enum gts_result play_text(const char *name, const char *text, size_t size,
                                 const struct gts_trace *trace, const struct gts_options *options)
{
    struct gts_source source;
    struct devices devices = {0};
    enum gts_result result = GTS_UNUSABLE;
    if (gts_source_read(&source, name, text, size, options) && read_devices(&source, &devices))
        result = GTS_CLEAN;
    if (trace || options->first_device)
        devices.count = devices.count > 1 ? 1 : devices.count;
    for (unsigned i = 0; i < devices.count && result != GTS_UNUSABLE; i++) {
        if (i && options->stop && options->stop(options->user))
            break;
        source.device = devices.count > 1 ? devices.list[i]->name : NULL;
        const enum gts_result one = play_on(&source, devices.list[i], trace);
        result = one > result ? one : result;
    }
    gts_source_free(&source);
    return result;
}

static bool read_file(const char *path, struct gts_source *s, char **text, size_t *size)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : files_open_stream(path);
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
            gts_send_message(s, GTS_ERROR, 0, 0,
                             room < MAX_TEXT ? "out of memory" : "the file is larger than 64 MB");
            break;
        }
        *text = more;
        room *= 2;
    }
    if (!file || ferror(file))
        gts_send_message(s, GTS_ERROR, 0, 0, "%s", strerror(errno));
    else if (!*text)
        gts_send_message(s, GTS_ERROR, 0, 0, "out of memory");
    if (file && !standard)
        fclose(file);
    if (*text && !s->errors)
        return true;
    free(*text);
    return false;
}

static enum gts_result play_file(const char *path, const struct gts_trace *trace,
                                 const struct gts_options *options)
{
    struct gts_source s = {.name = path, .options = options};
    char *text;
    size_t size;
    if (!read_file(path, &s, &text, &size))
        return GTS_UNUSABLE;
    const enum gts_result result = play_text(path, text, size, trace, options);
    free(text);
    return result;
}

enum gts_result gts_run_file(const char *path, const struct gts_options *options)
{
    return play_file(path, NULL, options);
}

enum gts_result gts_assemble_file(const char *path, const char *aub_path, const struct gts_options *options)
{
    return play_file(path, &(struct gts_trace){.path = aub_path}, options);
}

enum gts_result gts_run_text(const char *name, const char *text, size_t size,
                             const struct gts_options *options)
{
    return play_text(name, text, size, NULL, options);
}

enum gts_result gts_assemble_text(const char *name, const char *text, size_t size, const char *aub_path,
                                  const struct gts_options *options)
{
    return play_text(name, text, size, &(struct gts_trace){.path = aub_path}, options);
}

enum gts_result gts_assemble_into(const char *path, const char *text, size_t size, FILE *aub,
                                  const struct gts_options *options)
{
    const struct gts_trace trace = {.file = aub};
    return text ? play_text(path, text, size, &trace, options) : play_file(path, &trace, options);
}
