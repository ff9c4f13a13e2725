#include "aub/replay.h"

#include "device/host.h"
#include "aub/playing.h"
#include "aub/record.h"
#include "gen/sheet.h"
#include "host/sparse_memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 100 }; /* reported one by one; further ones are counted */
/* Traces without a PCI id: Intel's library has memory banks of 2 GB. Its OpenCL runtime places page tables of
 * local memory at 4 GB and above, with the size that 48-bit addresses need. */
#define LIBRARY_LOCAL_BYTES (UINT64_C(2) << 30)
#define OPENCL_LOCAL_BYTES  (UINT64_C(1) << 40)

/* `number`: of the messages of its kind. */
static void show(const struct replay *r, enum replay_message_kind kind, uint64_t offset, uint64_t number,
                 const char *text, const char *end)
{
    if (!r->options->message || number > MESSAGES)
        return;
    r->options->message(r->options->user, kind, offset, text);
    if (number == MESSAGES)
        r->options->message(r->options->user, REPLAY_NOTE, offset, end);
}

__attribute__((format(printf, 4, 5))) void replay_log(struct replay *r, enum replay_message_kind kind,
                                                      uint64_t offset, const char *format, ...)
{
    char text[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (kind == REPLAY_ERROR)
        r->result->errors++;
    show(r, kind, offset, ++r->messages, text, "further messages are counted, not shown");
}

__attribute__((format(printf, 3, 4))) void replay_compare_failed(struct replay *r, uint64_t offset,
                                                                 const char *format, ...)
{
    char text[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->result->errors++;
    show(r, REPLAY_ERROR, offset, ++r->result->compares_failed, text,
         "further failed compares are counted, not shown");
}

bool replay_unusable(struct replay *r, uint64_t offset, const char *text)
{
    replay_log(r, REPLAY_ERROR, offset, "%s", text);
    r->unusable = true;
    return false;
}

/* Opens registers that Intel's OpenCL runtime expects Linux to open. Its trace files do not contain these
 * writes. */
static void open_registers(struct replay *r, const struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->info.engine_count; i++) {
        const struct engine_info *const e = &sheet->engines[i];
        for (unsigned n = 0; e->privileges.default_whitelist && e->privileges.default_whitelist[n]; n++)
            softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, e->mmio_base + FORCE_TO_NONPRIV + n * 4u,
                             e->privileges.default_whitelist[n], 4);
    }
}

static bool make_device(struct replay *r, uint64_t offset, const struct aub_header *h);

/* Packets before any header: an option may still give the device. */
enum packet_action replay_begin_packet(struct replay *r, const struct aub_packet *at)
{
    const struct aub_header none = {0};
    if (!r->device && !make_device(r, at->offset, &none))
        return PACKET_STOP;
    r->calls++;
    if (r->options->packet)
        r->options->packet(r->options->user);
    r->offset = at->offset;
    if (r->options->position)
        *r->options->position = (struct replay_position){at->offset, r->submission};
    if (replay_stopped(r) || r->ended)
        return PACKET_STOP;
    if (r->calls < r->resume_call)
        return PACKET_SKIP;
    r->resuming = r->resume_call && r->calls == r->resume_call;
    if (r->resuming && at->digest != r->digest) {
        replay_refuse_state(
            r, at->offset,
            "of another trace: what comes before this place in the one is not what does in the other");
        return PACKET_STOP;
    }
    if (r->resuming)
        return PACKET_RESUME;
    r->result->packets++;
    return PACKET_DO;
}

/* ---- The device ---- */

/* The device can run a recording of the header's device. If not, this is reported. */
static bool device_fits(struct replay *r, uint64_t offset, const struct softgt_device_info *info,
                        const struct aub_header *h)
{
    const char *name = simulator_name(h->simulator_id);
    const struct sheet *by = sheet_find_id((uint16_t)h->pci_id);
    by = by ? by : decoded_find_id((uint16_t)h->pci_id);
    by = by || !name ? by : sheet_find(name);
    by = by || !name ? by : decoded_find(name);
    const struct softgt_device_info *recorded = by ? &by->info : NULL;
    if (!r->options->device || r->options->force || (!h->pci_id && !name) ||
        (recorded && strcmp(recorded->generation, info->generation) == 0))
        return true;
    char id[24] = "", text[320];
    if (h->pci_id)
        snprintf(id, sizeof id, " (PCI id %04x)", h->pci_id & 0xffffu);
    if (recorded)
        snprintf(
            text, sizeof text,
            "the trace was recorded on %s, %s%s, not on a device of %s's generation, %s (--force runs it "
            "all the same)",
            recorded->name, recorded->generation, id, info->name, info->generation);
    else
        snprintf(
            text, sizeof text,
            "the trace was recorded on %s%s, not on a device of %s's generation, %s (--force runs it all "
            "the same)",
            name ? name : "another product", id, info->name, info->generation);
    return replay_unusable(r, offset, text);
}

static bool make_device(struct replay *r, uint64_t offset, const struct aub_header *h)
{
    const char *product = simulator_name(h->simulator_id);
    const char *name = r->options->device ? r->options->device : h->pci_id ? NULL : product;
    const uint16_t id = (uint16_t)h->pci_id;
    const struct sheet *sheet = name ? sheet_find(name) : sheet_find_id(id);
    const struct sheet *decoded = name ? decoded_find(name) : decoded_find_id(id);
    if (!sheet && r->options->decode)
        sheet = decoded;
    if (!sheet) {
        const char *by = decoded ? decoded->info.summary : product;
        char text[200];
        if (r->options->device)
            snprintf(text, sizeof text, "no device is named '%s' (softgt devices lists them)",
                     r->options->device);
        else if (h->pci_id)
            snprintf(text, sizeof text,
                     "PCI id %04x%s%s%s is no device modelled here (--device NAME runs it on one, with "
                     "--force on one "
                     "of another generation)",
                     h->pci_id & 0xffffu, by ? " (" : "", by ? by : "", by ? ")" : "");
        else
            snprintf(text, sizeof text, "the trace does not name its PCI id: say --device NAME");
        return replay_unusable(r, offset, text);
    }
    const struct softgt_device_info *info = &sheet->info;
    if (!device_fits(r, offset, info, h))
        return false;
    const struct recording_header by = recording_header(h->text);
    const bool is_opencl = !by.is_recording && !h->pci_id && strcmp(h->text, "NEO") == 0;
    uint64_t local_bytes = by.local_bytes;
    if (!by.is_recording && (!h->pci_id || by.is_tbx))
        local_bytes = is_opencl ? OPENCL_LOCAL_BYTES : LIBRARY_LOCAL_BYTES;
    r->lost.is_old = by.is_recording && !by.says_draws && r->options->draws == REPLAY_DRAWS;
    r->result->draws = r->options->draws == REPLAY_DRAWS_ALWAYS ||
                       (r->options->draws != REPLAY_DRAWS_ARE_COUNTED && by.draws) ||
                       (r->options->draws == REPLAY_DRAWS && !by.is_recording && !by.counts_draws);
    const struct softgt_config config = {
        .device = info->name,
        .memory = sparse_memory_port(r->memory),
        .report = {r, replay_report},
        .trace = r->options->trace,
        .timing = r->options->timing,
        .draws = r->result->draws,
        .parallel = r->options->parallel,
        .code = r->options->code,
        .local_bytes = local_bytes,
        .local_on_bus = !by.is_recording,
        .local_by_port = is_opencl,
    };
    const int error = device_create(sheet, &config, &r->device);
    if (error)
        return replay_unusable(r, offset,
                               error == -EINVAL
                                   ? "the trace says that the device has more local memory than it can have"
                                   : "the device cannot be created: out of memory");
    r->mmio_bytes = info->mmio_bytes;
    r->ggtt_bytes = info->ggtt_bytes;
    r->has_local = info->local_bytes != 0;
    r->engines = info->engine_count;
    if (r->options->started && !r->options->started(r->options->user, r->device)) {
        r->unusable = true;
        return false;
    }
    if (is_opencl)
        open_registers(r, sheet);
    return !r->options->load || replay_load(r, offset);
}

static bool on_header(void *user, const struct aub_packet *at, const struct aub_header *h)
{
    struct replay *r = user;
    if (r->device) { /* a second header changes nothing */
        const enum packet_action entry = replay_begin_packet(r, at);
        return entry != PACKET_STOP;
    }
    r->result->packets++;
    snprintf(r->result->application, sizeof r->result->application, "%.*s",
             recording_header(h->text).application_length, h->text);
    r->result->pci_id = h->pci_id;
    if (!make_device(r, at->offset, h))
        return false;
    r->calls++;
    return !r->unusable;
}

/* ---- Registers ---- */

/* The packet's register exists. If not, this is reported. */
bool replay_is_register(struct replay *r, const struct aub_packet *at, const struct aub_register *reg)
{
    if (reg->space != AUB_MMIO) {
        replay_log(r, REPLAY_NOTE, at->offset, "%s: register space %u is not modelled, skipped", at->name,
                   reg->space);
        return false;
    }
    if (reg->offset < r->mmio_bytes && reg->size_bytes <= r->mmio_bytes - reg->offset)
        return true;
    replay_log(r, REPLAY_ERROR, at->offset, "%s: register %#x is past the device's %llu bytes of registers",
               at->name, reg->offset, (unsigned long long)r->mmio_bytes);
    return false;
}

static bool on_register_write(void *user, const struct aub_packet *at, const struct aub_register *reg)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (entry == PACKET_RESUME)
        return r->paced || replay_run(r, at);
    if (!replay_is_register(r, at, reg))
        return true;
    if (r->ggtt_changed && !r->paced) { /* as a driver flushes after table writes */
        softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, GGTT_FLUSH, 1, 4);
        r->ggtt_changed = false;
    }
    const uint64_t all = reg->size_bytes == 8 ? UINT64_MAX : (UINT64_C(1) << (reg->size_bytes * 8)) - 1;
    uint64_t value = reg->value;
    if ((reg->mask & all) != all) {
        const uint64_t old = softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, reg->offset, reg->size_bytes);
        value = (old & ~reg->mask) | (value & reg->mask);
    }
    softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, reg->offset, value, reg->size_bytes);
    return r->paced || replay_run(r, at);
}

uint64_t replay_read_register(struct replay *r, const struct aub_register *reg)
{
    return softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, reg->offset, reg->size_bytes);
}

static bool matches(const struct aub_register *reg, uint64_t value)
{
    return ((value & reg->mask) == reg->value) != reg->not_equal;
}

static bool on_register_compare(void *user, const struct aub_packet *at, const struct aub_register *reg)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (!replay_is_register(r, at, reg) || reg->no_read)
        return true;
    r->result->compares++;
    const uint64_t value = replay_read_register(r, reg);
    if (matches(reg, value))
        return true;
    replay_compare_failed(r, at->offset, "REG_CMP: register %#x is %#llx, masked with %#llx, expected %#llx",
                          reg->offset, (unsigned long long)value, (unsigned long long)reg->mask,
                          (unsigned long long)reg->value);
    return true;
}

static bool on_register_poll(void *user, const struct aub_packet *at, const struct aub_register *reg)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (!replay_is_register(r, at, reg))
        return true;
    r->result->polls += entry == PACKET_DO;
    uint64_t value = replay_read_register(r, reg);
    if (entry == PACKET_RESUME || !matches(reg, value)) { /* time passes; one more try */
        if (entry == PACKET_DO)
            softgt_advance(r->device, 1000000);
        if (!replay_run(r, at))
            return false;
        value = replay_read_register(r, reg);
    }
    if (matches(reg, value))
        return true;
    r->result->polls_failed++;
    replay_log(r, reg->ignore ? REPLAY_NOTE : REPLAY_ERROR, at->offset,
               "REG_POLL: register %#x stays %#llx: masked with %#llx, %s %#llx was expected", reg->offset,
               (unsigned long long)value, (unsigned long long)reg->mask, reg->not_equal ? "other than" : "a",
               (unsigned long long)reg->value);
    return true;
}

/* ---- Other packets ---- */

/* The engine of a classic ring: 1 commands by wire, 2 render, 3 video, 4 blitter. */
static bool find_ring(struct replay *r, unsigned ring, struct softgt_engine_status *s)
{
    static const enum softgt_engine_class classes[] = {0, SOFTGT_CLASS_RENDER, SOFTGT_CLASS_RENDER,
                                                       SOFTGT_CLASS_VIDEO, SOFTGT_CLASS_COPY};
    const bool is_known = ring && ring < sizeof classes / sizeof classes[0];
    for (unsigned i = 0; is_known && softgt_engine_get_status(r->device, i, s); i++)
        if (s->engine_class == classes[ring])
            return true;
    return false;
}

/* Commands of a classic trace are contents of a ring. They are stored at the packet's address and run at once
 * in a ring around them. */
static bool on_ring_commands(void *user, const struct aub_packet *at, unsigned ring,
                             const struct aub_memory *m)
{
    enum { TAIL = 0x30, HEAD = 0x34, START = 0x38, CTL = 0x3c, PAGE = 4096, QWORD = 8, RING_BYTES = 2 << 20 };
    struct replay *r = user;
    struct softgt_engine_status s;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (entry == PACKET_RESUME)
        return replay_run(r, at);
    if (!find_ring(r, ring, &s)) {
        replay_log(r, REPLAY_ERROR, at->offset, "%s: this device has no ring %u", at->name, ring);
        return true;
    }
    const uint64_t start = m->address & ~(uint64_t)(PAGE - 1), head = m->address - start;
    const uint64_t tail = (head + m->size_bytes + QWORD - 1) & ~(uint64_t)(QWORD - 1);
    const uint64_t length = (tail + PAGE) & ~(uint64_t)(PAGE - 1); /* TAIL must not reach the end */
    if (m->address % 4 || start > UINT32_MAX || length > RING_BYTES) {
        replay_log(r, REPLAY_ERROR, at->offset, "%s: invalid ring at %#llx with %u bytes", at->name,
                   (unsigned long long)m->address, m->size_bytes);
        return true;
    }
    const uint64_t zero = 0;
    const struct aub_memory pad = {.space = AUB_GGTT,
                                   .address = m->address + m->size_bytes,
                                   .size_bytes = (uint32_t)(start + tail - m->address - m->size_bytes),
                                   .data = (const uint8_t *)&zero};
    struct aub_memory commands = *m;
    commands.space = AUB_GGTT;
    if (!replay_access(r, at, &commands, m->address, NULL, m->size_bytes) ||
        (pad.size_bytes && !replay_access(r, at, &pad, pad.address, NULL, pad.size_bytes)))
        return !r->unusable;
    const uint64_t values[][2] = {
        {CTL, 0}, {START, start}, {HEAD, head}, {TAIL, tail}, {CTL, (length - PAGE) | 1u}};
    if (r->ggtt_changed)
        softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, GGTT_FLUSH, 1, 4);
    r->ggtt_changed = false;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, s.mmio_base + values[i][0], values[i][1], 4);
    r->result->submissions++;
    return replay_run(r, at);
}

/* Parses the comment of a run. False: another comment. */
static bool read_run(const struct replay *r, const char *text, struct run_extent *run, uint64_t *now_ns)
{
    unsigned long long budget_dw, ns;
    if (record_read_run(text, run, now_ns)) {
        run->budget_dw = replay_budget_dw(r);
        return true;
    }
    /* NOLINTNEXTLINE(cert-err34-c): a number that is too large saturates */
    if (sscanf(text, "softgt run %llu at %llu", &budget_dw, &ns) != 2)
        return false;
    *now_ns = ns;
    *run = (struct run_extent){.budget_dw = budget_dw};
    return true;
}

/* Reports engines that have not reached the recorded end of the run, or that are busy after a program's run.
 * False: the replay ends. */
static bool log_busy(struct replay *r, const struct aub_packet *at, bool whole, uint64_t budget_dw)
{
    if (replay_stopped(r) || r->ended)
        return !r->ended;
    if (r->run.is_replay && !r->run.budget_dw) {
        replay_log(
            r, REPLAY_ERROR, at->offset,
            "the recorded run is still busy after %llu dwords, the rest did not run (--budget allows more)",
            (unsigned long long)budget_dw);
        return false;
    }
    for (unsigned i = 0; r->program.is_program && whole && i < r->engines; i++)
        if (softgt_engine_get_state(r->device, i) == SOFTGT_ENGINE_RUNNING)
            replay_log(r, REPLAY_ERROR, at->offset, "the device is still running after %llu dwords",
                       (unsigned long long)budget_dw);
    return true;
}

/* Comments of recordings. (aub/record.h) */
static bool on_comment(void *user, const struct aub_packet *at, const char *text)
{
    struct replay *r = user;
    struct run_extent run;
    uint64_t now_ns;
    const bool known = replay_program_comment(r, text);
    if (!r->device) {
        r->result->packets++;
        return true;
    }
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (known)
        return true;
    if (strcmp(text, "softgt reset") == 0 && entry == PACKET_DO) {
        softgt_reset(r->device);
        r->run.surplus_dw = 0;
    }
    if (!read_run(r, text, &run, &now_ns))
        return true;
    const uint64_t most_dw = replay_budget_dw(r);
    /* Until the engines are idle. */
    const bool whole = !run.is_replay && run.budget_dw >= DEFAULT_BUDGET_DW;
    if (whole || run.budget_dw > most_dw)
        run.budget_dw = most_dw;
    const uint64_t budget_dw = run.budget_dw;
    r->paced = true;
    if (entry == PACKET_DO) {
        const uint64_t before_ns = softgt_now_ns(r->device);
        if (now_ns > before_ns)
            softgt_advance(r->device, now_ns - before_ns);
        if (!budget_dw || (run.is_replay && !run.done_dw && !run.partial_dw))
            return true;
        softgt_memory_changed(r->device);
        run.surplus_dw = r->run.surplus_dw;
        r->run = run;
    }
    replay_run_engines(r, at);
    const bool useful = log_busy(r, at, whole, budget_dw);
    r->dwords_seen = softgt_dword_count(r->device);
    return useful;
}

static bool on_delay(void *user, const struct aub_packet *at, uint32_t time)
{
    struct replay *r = user;
    const enum packet_action entry = replay_begin_packet(r, at);
    if (entry < PACKET_DO)
        return entry == PACKET_SKIP;
    if (entry == PACKET_DO)
        softgt_advance(r->device, time);
    return r->paced || replay_run(r, at);
}

static bool on_note(void *user, const struct aub_packet *at, bool known, const char *text)
{
    struct replay *r = user;
    (void)text;
    if (!r->device)
        r->result->packets++;
    else if (replay_begin_packet(r, at) != PACKET_DO)
        return true;
    if (!known) {
        r->result->unknown_packets++;
        replay_log(r, REPLAY_ERROR, at->offset, "%s, skipped", at->name);
    }
    return true;
}

static void on_progress(void *user, uint64_t offset, uint64_t read_bytes, uint64_t file_bytes)
{
    const struct replay *r = user;
    r->options->progress(r->options->user, offset, read_bytes, file_bytes);
}

bool replay_begin(struct replay *r, const struct replay_options *options, struct replay_result *result)
{
    *r = (struct replay){.options = options, .result = result};
    *result = (struct replay_result){0};
    r->memory = sparse_memory_create(options->memory_limit_bytes ? options->memory_limit_bytes
                                                                 : DEFAULT_MEMORY_BYTES);
    return r->memory || replay_unusable(r, 0, "out of memory");
}

void replay_end(struct replay *r)
{
    softgt_destroy(r->device);
    sparse_memory_destroy(r->memory);
    for (size_t i = 0; i < r->program.expected_count; i++)
        free(r->program.expected[i]);
    free(r->program.expected);
}

struct aub_sink replay_sink(struct replay *r)
{
    return (struct aub_sink){
        .user = r,
        .header = on_header,
        .register_write = on_register_write,
        .register_compare = on_register_compare,
        .register_poll = on_register_poll,
        .memory_write = replay_memory_write,
        .memory_compare = replay_memory_compare,
        .memory_poll = replay_memory_poll,
        .ring_commands = on_ring_commands,
        .comment = on_comment,
        .delay = on_delay,
        .note = on_note,
        .progress = r->options->progress ? on_progress : NULL,
        .digests = r->options->save || r->options->load,
    };
}

static enum replay_outcome play(const char *path, const void *data, size_t size_bytes,
                                const struct replay_options *options, struct replay_result *result)
{
    struct replay r;
    if (!replay_begin(&r, options, result))
        return REPLAY_UNUSABLE;
    _Static_assert(AUB_NO_OFFSET == REPLAY_NO_OFFSET, "one value for no offset");
    const struct aub_sink sink = replay_sink(&r);
    struct aub_error error;
    const enum aub_result read =
        path ? aub_read_file(path, &sink, &error) : aub_read_memory(data, size_bytes, &sink, &error);
    if (read == AUB_BAD)
        replay_unusable(&r, error.offset, error.text);
    else if (!r.device && !r.unusable)
        replay_unusable(&r, REPLAY_NO_OFFSET, "the trace holds nothing that a device would do");
    if (r.device && r.resume_call > r.calls)
        replay_refuse_state(&r, REPLAY_NO_OFFSET,
                            "of another trace: the trace ends before the place where the state was saved");
    if (!r.unusable && (r.no_memory || sparse_memory_failed(r.memory)))
        replay_unusable(&r, REPLAY_NO_OFFSET, "out of memory");
    if (r.device && options->save && !r.saved && !r.unusable)
        replay_log(&r, REPLAY_ERROR, REPLAY_NO_OFFSET,
                   "nothing saved: the trace has %llu dwords of commands only",
                   (unsigned long long)softgt_dword_count(r.device));
    if (r.device && replay_stopped(&r))
        replay_log(&r, REPLAY_ERROR, r.offset, "interrupted: the rest did not run");
    if (r.device) {
        replay_check_engines(&r);
        if (options->finished)
            options->finished(options->user, r.device);
    }
    result->memory_bytes = sparse_memory_used_bytes(r.memory);
    replay_end(&r);
    return r.unusable ? REPLAY_UNUSABLE : result->errors ? REPLAY_FAILED : REPLAY_CLEAN;
}

enum replay_outcome replay_file(const char *path, const struct replay_options *options,
                                struct replay_result *result)
{
    return play(path, NULL, 0, options, result);
}

enum replay_outcome replay_memory(const void *data, size_t size_bytes, const struct replay_options *options,
                                  struct replay_result *result)
{
    return play(NULL, data, size_bytes, options, result);
}
