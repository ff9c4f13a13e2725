#include "tbx/session.h"

#include "host/files.h"
#include "host/sparse_memory.h"
#include "host/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_NS = 10000 /* virtual time from a request to its answer */ };

static const struct tbx_options *options_of(const struct tbx_session *s)
{
    return s->shared->options;
}

/* ---- Log ---- */

static void say(struct tbx_session *s, const char *text)
{
    char line[600];
    snprintf(line, sizeof line, "connection %u: %s", s->number, text);
    limited_log_line(&s->shared->telling, line);
}

void tbx_log(struct tbx_session *s, const char *format, ...)
{
    char text[256], line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "message %" PRIu32 ", %s: %s", s->input.header.number,
             s->input.message ? s->input.message->name : "unknown", text);
    say(s, line);
}

void tbx_end(struct tbx_session *s, const char *format, ...)
{
    va_list arguments;
    if (s->ended)
        return;
    s->ended = true;
    va_start(arguments, format);
    vsnprintf(s->why, sizeof s->why, format, arguments);
    va_end(arguments);
}

/* Logs a message of src/aub about the current message. */
static void on_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    struct tbx_session *s = user;
    char line[500];
    if (offset == REPLAY_NO_OFFSET)
        snprintf(line, sizeof line, "%s", text);
    else
        snprintf(line, sizeof line, "message %" PRIu64 ", %s%s", offset, kind == REPLAY_NOTE ? "note: " : "",
                 text);
    say(s, line);
}

static void session_event(void *user, const struct softgt_event *e)
{
    const struct tbx_session *s = user;
    const struct tbx_options *o = options_of(s);
    if (s->timeline)
        timeline_event(s->timeline, e);
    if (o->event && e->what & o->trace)
        o->event(o->user, s->number, e);
}

static struct aub_packet packet(const struct tbx_session *s)
{
    return (struct aub_packet){s->input.header.number, s->input.message ? s->input.message->name : "", 0};
}

/* ---- The device ---- */

char *tbx_path(const char *path, unsigned number)
{
    const char *const name = strrchr(path, '/'), *const end = strrchr(name ? name : path, '.');
    const int length = (int)(end ? (size_t)(end - path) : strlen(path));
    char *made;
    const int made_bytes = number == 1 ? asprintf(&made, "%s", path)
                                       : asprintf(&made, "%.*s-%u%s", length, path, number, end ? end : "");
    return made_bytes < 0 ? NULL : made;
}

/* Opens the session's recording and timeline; false: failed. */
static bool open_files(struct tbx_session *s)
{
    const struct tbx_options *o = options_of(s);
    const unsigned number = ++s->shared->files;
    if (number > TBX_FILES) {
        if (o->record || o->timeline)
            say(s, "it is not recorded, nor in a timeline: there were too many before it");
        return true;
    }
    if (o->record && (!(s->record_path = tbx_path(o->record, number)) ||
                      !(s->recording = tbx_recording_open(s->record_path, softgt_device_find(o->device)))))
        tbx_end(s, "%.100s: %s", s->record_path ? s->record_path : "", files_error(errno));
    else if (o->timeline && (!(s->timeline_path = tbx_path(o->timeline, number)) ||
                             !(s->timeline = timeline_open(s->timeline_path, o->device, false))))
        tbx_end(s, "%.100s: %s", s->timeline_path ? s->timeline_path : "", files_error(errno));
    s->file_failed = s->ended;
    return !s->ended;
}

/* Opens the privileged registers that a kernel would have opened. */
static void open_registers(struct tbx_session *s)
{
    const struct sheet *sheet = device_sheet(s->replay.device);
    for (unsigned i = 0; i < sheet->info.engine_count; i++)
        for (unsigned n = 0; sheet->engines[i].privileges.default_whitelist &&
                             sheet->engines[i].privileges.default_whitelist[n];
             n++)
            tbx_write_register(s, sheet->engines[i].mmio_base + FORCE_TO_NONPRIV + n * 4, 4,
                               sheet->engines[i].privileges.default_whitelist[n]);
}

struct softgt *tbx_device(struct tbx_session *s)
{
    if (s->replay.device || s->ended)
        return s->ended ? NULL : s->replay.device;
    if (!open_files(s))
        return NULL;
    const struct tbx_options *o = options_of(s);
    const struct aub_packet at = packet(s);
    const struct aub_header none = {0};
    s->replay_options = (struct replay_options){
        .device = o->device,
        .memory_limit_bytes = o->memory_bytes,
        .trace = {s, o->trace | (s->timeline ? TIMELINE_EVENTS : 0u), session_event},
        .report = o->report,
        .parallel = o->parallel,
        .code = o->code,
        .draws = true,
        .user = s,
        .message = on_message,
    };
    const bool begun = replay_begin(&s->replay, &s->replay_options, &s->result);
    s->sink = replay_sink(&s->replay);
    s->replay.paced = true;
    if (!begun || !s->sink.header(s->sink.user, &at, &none)) {
        tbx_end(s, "the device cannot be created");
        return NULL;
    }
    open_registers(s);
    return s->replay.device;
}

void tbx_reset(struct tbx_session *s)
{
    if (!s->replay.device)
        return;
    softgt_reset(s->replay.device);
    if (s->recording)
        tbx_recording_reset(s->recording);
    open_registers(s);
}

static void write_register(struct tbx_session *s, const struct aub_packet *at, const struct aub_register *reg)
{
    if (s->recording)
        tbx_recording_register(s->recording, softgt_now_ns(s->replay.device), reg);
    s->sink.register_write(s->sink.user, at, reg);
}

void tbx_write_register(struct tbx_session *s, uint32_t offset, unsigned size_bytes, uint64_t value)
{
    const struct aub_packet at = packet(s);
    const struct aub_register reg = {.offset = offset,
                                     .space = AUB_MMIO,
                                     .size_bytes = (uint8_t)size_bytes,
                                     .mask = UINT64_MAX >> (64u - size_bytes * 8u),
                                     .value = value},
                              flush = {.offset = GGTT_FLUSH, .size_bytes = 4, .mask = UINT32_MAX, .value = 1};
    if (!tbx_device(s) || !replay_is_register(&s->replay, &at, &reg))
        return;
    if (s->replay.ggtt_changed)
        write_register(s, &at, &flush);
    s->replay.ggtt_changed = false;
    write_register(s, &at, &reg);
}

uint64_t tbx_read_register(struct tbx_session *s, uint32_t offset, unsigned size_bytes)
{
    const struct aub_packet at = packet(s);
    struct aub_register reg = {.offset = offset,
                               .space = AUB_MMIO,
                               .size_bytes = (uint8_t)size_bytes,
                               .mask = UINT64_MAX >> (64u - size_bytes * 8u)};
    if (!tbx_device(s) || !replay_is_register(&s->replay, &at, &reg))
        return 0;
    reg.value = replay_read_register(&s->replay, &reg);
    if (s->recording)
        tbx_recording_register_read(s->recording, softgt_now_ns(s->replay.device), &reg);
    return reg.value;
}

/* src/aub has reported the reason. */
static void end_if_unusable(struct tbx_session *s)
{
    if (s->replay.unusable)
        tbx_end(s, "the session cannot continue");
}

void tbx_write_memory(struct tbx_session *s, const struct aub_memory *m)
{
    const struct aub_packet at = packet(s);
    if (!tbx_device(s))
        return;
    if (s->recording)
        tbx_recording_memory(s->recording, m);
    s->sink.memory_write(s->sink.user, &at, m);
    s->memory_changed = true;
    end_if_unusable(s);
}

bool tbx_session_begin(struct tbx_session *s, struct tbx_shared *shared, unsigned number)
{
    *s = (struct tbx_session){.shared = shared, .number = number, .input.left = TBX_HEADER_BYTES};
    return true;
}

bool tbx_session_end(struct tbx_session *s)
{
    const struct tbx_options *o = options_of(s);
    if (s->replay.device && o->ends)
        o->ends(o->user, s->number, s->replay.device, s->messages);
    if (!tbx_recording_close(s->recording)) {
        s->file_failed = true;
        say(s, strerror(errno));
    }
    if (!timeline_close(s->timeline, false)) {
        s->file_failed = true;
        say(s, strerror(errno));
    }
    if (s->replay.memory)
        replay_end(&s->replay);
    free(s->record_path);
    free(s->timeline_path);
    return !s->file_failed;
}

/* ---- Running ---- */

static void look_at_engines(struct tbx_session *s)
{
    struct softgt_engine_status e;
    for (unsigned i = 0; i < s->replay.engines && i < 64; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        if (softgt_engine_get_state(s->replay.device, i) != SOFTGT_ENGINE_STOPPED)
            s->stopped &= ~bit;
        else if (!(s->stopped & bit) && softgt_engine_get_status(s->replay.device, i, &e)) {
            s->stopped |= bit;
            tbx_log(s, "%s hangs: %s, at graphics address %#" PRIx64 ", header %08" PRIx32, e.name, e.why,
                    e.acthd, e.header);
        }
    }
    if (sparse_memory_full(s->replay.memory))
        tbx_end(s, "engines want more than its memory, %" PRIu64 " MB", options_of(s)->memory_bytes >> 20);
    else if (sparse_memory_failed(s->replay.memory))
        tbx_end(s, "out of memory");
}

static void run_slice(struct tbx_session *s, uint64_t slice_dw)
{
    struct softgt *const d = s->replay.device;
    struct run_extent run = {.budget_dw = slice_dw < s->run_left_dw ? slice_dw : s->run_left_dw,
                             .is_recording = s->recording != NULL};
    if (s->memory_changed)
        softgt_memory_changed(d);
    s->memory_changed = false;
    const uint64_t budget_dw = run.budget_dw, dwords = softgt_dword_count(d);
    const bool more = softgt_runnable(d) && device_run(d, &run);
    const uint64_t used_dw = budget_dw - run.budget_dw;
    if (s->recording && (run.done_dw || run.partial_dw || used_dw))
        tbx_recording_ran(s->recording, &run, softgt_now_ns(d));
    softgt_advance(d, (softgt_dword_count(d) - dwords) * NS_PER_DWORD);
    s->run_left_dw = more ? s->run_left_dw - (used_dw ? used_dw : 1) : 0;
    if (!s->run_left_dw)
        look_at_engines(s);
}

/* ---- Messages ---- */

static void begin_part(struct tbx_session *s, enum tbx_part part, uint64_t bytes)
{
    s->input.part = part;
    s->input.left = bytes;
    s->input.have = 0;
}

static void show_message(const struct tbx_session *s, const struct tbx_message *m, const uint32_t *body,
                         uint32_t body_dw)
{
    const struct tbx_options *o = options_of(s);
    char text[256], line[320];
    if (!o->exchanged)
        return;
    tbx_message_text(m, body, body_dw, text, sizeof text);
    snprintf(line, sizeof line, "%" PRIu32 " %s", s->input.header.number, text);
    o->exchanged(o->user, s->number, line);
}

static void not_modelled(struct tbx_session *s)
{
    static const uint32_t zeros[TBX_BODY_DW];
    tbx_log(s, "not modelled");
    if (s->asked)
        tbx_answer(s, zeros, tbx_message(s->input.message->answer)->body_dw, NULL);
}

/* The body is complete. If the message has an answer, engines have run. */
static void handle_message(struct tbx_session *s)
{
    const struct tbx_message *m = s->input.message;
    uint32_t data_bytes = 0;
    s->input.taken = false;
    if (m->handle)
        m->handle(s);
    else
        not_modelled(s);
    s->asked = false;
    if (m->data)
        data_bytes = s->input.body[m->data - 1];
    if (s->ended)
        return;
    begin_part(s, data_bytes ? TBX_DATA : TBX_HEADER, data_bytes ? data_bytes : TBX_HEADER_BYTES);
    if (m->wakes && s->replay.device)
        s->run_left_dw = TBX_RUN_DW;
}

static void on_body(struct tbx_session *s)
{
    const struct tbx_message *m = s->input.message;
    s->messages++;
    if (!m || m->from_server) {
        tbx_log(s, "type %" PRIu32 ", %" PRIu32 " bytes: not a client's message", s->input.header.id,
                s->input.header.body_bytes);
        begin_part(s, TBX_HEADER, TBX_HEADER_BYTES);
        return;
    }
    s->input.body_dw = (s->input.have + 3) / 4;
    show_message(s, m, s->input.body, s->input.body_dw);
    if (s->input.body_dw < m->least_dw) {
        tbx_end(s, "message %" PRIu32 ", %s: %" PRIu32 " bytes are too short", s->input.header.number,
                m->name, s->input.have);
        return;
    }
    s->asked = m->answer && (m->always || !(s->input.body[0] & 1));
    if (s->asked && s->replay.device) {
        softgt_advance(s->replay.device, ASK_NS);
        s->run_left_dw = TBX_RUN_DW;
    } else {
        handle_message(s);
    }
}

static void on_header(struct tbx_session *s)
{
    memcpy(&s->input.header, s->input.head, sizeof s->input.header);
    s->input.message = tbx_message(s->input.header.id);
    memset(s->input.body, 0, sizeof s->input.body);
    s->input.body_dw = 0;
    begin_part(s, TBX_BODY, s->input.header.body_bytes);
}

static void on_data(struct tbx_session *s, const uint8_t *data, size_t size)
{
    if (s->input.taken) {
        s->input.to.data = data;
        s->input.to.size_bytes = (uint32_t)size;
        tbx_write_memory(s, &s->input.to);
        s->input.to.address += size;
    }
}

static void keep_bytes(struct tbx_session *s, void *to, size_t room, const uint8_t *data, size_t size)
{
    const size_t kept =
        s->input.have < room ? (size < room - s->input.have ? size : room - s->input.have) : 0;
    if (kept)
        memcpy((uint8_t *)to + s->input.have, data, kept);
    s->input.have += (uint32_t)kept;
}

bool tbx_session_ready(const struct tbx_session *s)
{
    return !s->ended && !s->run_left_dw && !s->asked && s->out_at == s->out_end && !s->from_left;
}

size_t tbx_session_receive(struct tbx_session *s, const uint8_t *data, size_t size)
{
    const size_t part = size < s->input.left ? size : (size_t)s->input.left;
    if (s->input.part == TBX_HEADER)
        keep_bytes(s, s->input.head, sizeof s->input.head, data, part);
    else if (s->input.part == TBX_BODY)
        keep_bytes(s, s->input.body, sizeof s->input.body, data, part);
    else
        on_data(s, data, part);
    s->input.left -= part;
    if (s->input.left || s->ended)
        return part;
    if (s->input.part == TBX_HEADER)
        on_header(s);
    else if (s->input.part == TBX_DATA)
        begin_part(s, TBX_HEADER, TBX_HEADER_BYTES);
    if (s->input.part == TBX_BODY && !s->input.left)
        on_body(s);
    return part;
}

bool tbx_session_run(struct tbx_session *s, uint64_t slice_dw)
{
    if (s->run_left_dw && !s->ended)
        run_slice(s, slice_dw);
    if (s->run_left_dw && !s->ended)
        return true;
    if (s->asked && !s->ended)
        handle_message(s);
    return false;
}

/* ---- Answers ---- */

void tbx_answer(struct tbx_session *s, const uint32_t *body, uint32_t body_dw, const struct aub_memory *from)
{
    const struct tbx_header h = {s->input.message->answer, s->input.header.number, body_dw * 4};
    show_message(s, tbx_message(h.id), body, body_dw);
    memcpy(s->out, &h, sizeof h);
    if (body_dw)
        memcpy(s->out + sizeof h, body, body_dw * 4);
    s->out_at = 0;
    s->out_end = sizeof h + body_dw * 4;
    s->from_left = from ? from->size_bytes : 0;
    if (from)
        s->from = *from;
}

/* Fills the output with the next requested memory; zeros if it does not exist. */
static void fill_output(struct tbx_session *s)
{
    const size_t part = s->from_left < sizeof s->out ? (size_t)s->from_left : sizeof s->out;
    const struct aub_packet at = packet(s);
    if (!s->from_nothing)
        s->from_nothing = !replay_access(&s->replay, &at, &s->from, s->from.address, s->out, part);
    if (s->from_nothing)
        memset(s->out, 0, part);
    s->from.data = s->out;
    s->from.size_bytes = (uint32_t)part;
    if (s->recording && !s->from_nothing) {
        tbx_recording_memory_read(s->recording, &s->from);
    }
    s->from.address += part;
    s->from_left -= part;
    s->out_at = 0;
    s->out_end = part;
}

size_t tbx_session_output(struct tbx_session *s, const uint8_t **data)
{
    if (s->out_at == s->out_end && s->from_left && !s->ended)
        fill_output(s);
    *data = s->out + s->out_at;
    return s->out_end - s->out_at;
}

void tbx_session_sent(struct tbx_session *s, size_t size)
{
    s->out_at += size;
}
