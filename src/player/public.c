/* Traces and programs for users of the library (softgt/tools.h). */
#include <softgt/tools.h>

#include "aub/replay.h"
#include "base/sized.h"
#include "host/files.h"
#include "player/gts_run.h"
#include "player/input.h"
#include "spec/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A play, for its messages. */
struct public_play {
    const struct softgt_play_config *config;
    const char *name;
};

static void send(const struct public_play *p, const struct softgt_play_message *message)
{
    if (p->config->message)
        p->config->message(p->config->user, message);
}

static void on_gts_message(void *user, const struct gts_message *m)
{
    static const enum softgt_message_kind kinds[] = {
        [GTS_OUTPUT] = SOFTGT_MESSAGE_OUTPUT,
        [GTS_NOTE] = SOFTGT_MESSAGE_NOTE,
        [GTS_ERROR] = SOFTGT_MESSAGE_ERROR,
        [GTS_FAILURE] = SOFTGT_MESSAGE_FAILURE,
    };
    const struct softgt_play_message message = {.kind = kinds[m->kind],
                                                .file = m->file,
                                                .text = m->text,
                                                .device = m->device,
                                                .line = m->line,
                                                .column = m->column,
                                                .offset = UINT64_MAX};
    send(user, &message);
}

static void on_replay_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    const struct public_play *const p = user;
    const struct softgt_play_message message = {
        .kind = kind == REPLAY_NOTE ? SOFTGT_MESSAGE_NOTE : SOFTGT_MESSAGE_FAILURE,
        .file = p->name,
        .text = text,
        .offset = offset,
    };
    send(p, &message);
}

static void public_on_started(void *user, struct softgt *device)
{
    const struct softgt_play_config *const config = ((const struct public_play *)user)->config;
    if (config->started)
        config->started(config->user, device);
}

static bool on_trace_started(void *user, struct softgt *device)
{
    public_on_started(user, device);
    return true;
}

static void public_on_finished(void *user, struct softgt *device)
{
    const struct softgt_play_config *const config = ((const struct public_play *)user)->config;
    if (config->finished)
        config->finished(config->user, device);
}

static bool public_is_stopped(void *user)
{
    const struct softgt_play_config *const config = ((const struct public_play *)user)->config;
    return config->stop(config->user);
}

static int play_program(struct public_play *p, const char *text, size_t size)
{
    const struct softgt_play_config *const c = p->config;
    const struct gts_options options = {
        .device = c->device,
        .memory_limit = c->memory_limit_bytes,
        .tolerate = c->tolerate,
        .budget_dw = c->budget_dw,
        .timing = c->timing,
        .no_draws = c->no_draws,
        .parallel = c->parallel,
        .code = c->code,
        .trace = c->trace,
        .report = c->report,
        .stop = c->stop ? public_is_stopped : NULL,
        .user = p,
        .message = on_gts_message,
        .started = public_on_started,
        .finished = public_on_finished,
    };
    return (int)(text ? gts_run_text(p->name, text, size, &options) : gts_run_file(p->name, &options));
}

static int play_trace(struct public_play *p, const void *data, size_t size_bytes)
{
    const struct softgt_play_config *const c = p->config;
    const struct replay_options options = {
        .device = c->device,
        .force = c->force,
        .tolerate = c->tolerate,
        .memory_limit_bytes = c->memory_limit_bytes,
        .budget_dw = c->budget_dw,
        .timing = c->timing,
        .draws = c->no_draws ? REPLAY_DRAWS_ARE_COUNTED : REPLAY_DRAWS,
        .parallel = c->parallel,
        .code = c->code,
        .trace = c->trace,
        .report = c->report,
        .user = p,
        .message = on_replay_message,
        .stop = c->stop ? public_is_stopped : NULL,
        .started = on_trace_started,
        .finished = public_on_finished,
    };
    struct replay_result result;
    return (int)(data ? replay_memory(data, size_bytes, &options, &result)
                      : replay_file(p->name, &options, &result));
}

int softgt_play_sized(const char *path, const struct softgt_play_config *config, size_t config_bytes)
{
    struct softgt_play_config own;
    struct public_play p = {.config = &own, .name = path};
    char start[4096];
    if (!path || !config || !sized_struct_read(&own, sizeof own, config, config_bytes))
        return -EINVAL;
    FILE *const file = files_open_stream(path);
    if (!file) {
        const struct softgt_play_message message = {
            .kind = SOFTGT_MESSAGE_ERROR, .file = path, .text = strerror(errno), .offset = UINT64_MAX};
        send(&p, &message);
        return SOFTGT_PLAY_UNUSABLE;
    }
    const size_t size = fread(start, 1, sizeof start, file);
    fclose(file);
    return play_is_program(path, start, size) ? play_program(&p, NULL, 0) : play_trace(&p, NULL, 0);
}

int softgt_play_memory_sized(const char *name, const void *data, size_t size_bytes,
                             const struct softgt_play_config *config, size_t config_bytes)
{
    struct softgt_play_config own;
    struct public_play p = {.config = &own, .name = name};
    if (!name || (!data && size_bytes) || !config ||
        !sized_struct_read(&own, sizeof own, config, config_bytes))
        return -EINVAL;
    data = data ? data : "";
    return play_is_program(name, data, size_bytes) ? play_program(&p, data, size_bytes)
                                                   : play_trace(&p, data, size_bytes);
}

/* ---- Assembly ---- */

static void on_assembly_message(void *user, const struct gts_message *m)
{
    spec_send_error(m, user);
}

int softgt_assemble(const char *device, const char *name, const char *text, size_t text_bytes, void **data,
                    size_t *size_bytes, const struct softgt_text_port *errors)
{
    const struct gts_options options = {
        .device = device, .user = (void *)(uintptr_t)errors, .message = on_assembly_message};
    char *trace = NULL;
    size_t size = 0;
    if (!text || !data || !size_bytes)
        return -EINVAL;
    FILE *const file = open_memstream(&trace, &size);
    if (!file)
        return -ENOMEM;
    if (gts_assemble_into(name ? name : "program", text, text_bytes, file, &options) != GTS_CLEAN) {
        fclose(file); /* it is still open: the text has errors */
        free(trace);
        return -EINVAL;
    }
    if (!trace)
        return -ENOMEM;
    *data = trace;
    *size_bytes = size;
    return 0;
}
