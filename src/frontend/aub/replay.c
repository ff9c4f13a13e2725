#include "frontend/aub/replay.h"

#include "device/device.h"
#include "frontend/aub/aub.h"
#include "frontend/sparse_memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 100 }; /* told one by one; the rest is counted */
enum { GGTT_FLUSH = 0x101008, NS_PER_DWORD = 2 };

#define DEFAULT_MEMORY_BYTES (UINT64_C(8) << 30)
#define DEFAULT_BUDGET_DW    (UINT64_C(256) << 20)

struct replay {
    const struct replay_options *options;
    struct replay_result *result;
    struct sparse_memory *memory;
    struct softgt *device;
    uint64_t mmio_bytes, ggtt_bytes;
    uint64_t dwords_seen;
    uint64_t calls;       /* of the sink's functions */
    uint64_t resume_call; /* loaded: the one in which it was saved; those before are not done again */
    uint64_t budget_left_dw;
    bool resuming; /* in that call, until its run goes on */
    bool paced;    /* a recording: comments say when engines run */
    bool saved, unusable, ggtt_changed, deferred_differs;
    uint64_t messages, faults_excused;
    unsigned loops, engines;
};

__attribute__((format(printf, 4, 5))) static void tell(struct replay *r, enum replay_message_kind kind,
                                                       uint64_t offset, const char *format, ...)
{
    char text[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (kind == REPLAY_ERROR)
        r->result->errors++;
    r->messages++;
    if (!r->options->message || r->messages > MESSAGES)
        return;
    r->options->message(r->options->user, kind, offset, text);
    if (r->messages == MESSAGES)
        r->options->message(r->options->user, REPLAY_NOTE, offset, "further messages are counted, not shown");
}

static bool unusable(struct replay *r, uint64_t offset, const char *text)
{
    tell(r, REPLAY_ERROR, offset, "%s", text);
    r->unusable = true;
    return false;
}

/* ---- Saving and loading ---- */

/* Everything but the trace itself: where in it we are, what was counted, the device, its memory. */
static void replay_state(struct replay *r, struct state *s)
{
    static const char magic[16] = "softgt run 2\n";
    struct replay_result *t = r->result;
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof mark);
    state_bytes(s, mark, sizeof mark);
    state_check(s, memcmp(mark, magic, sizeof mark) == 0);
    STATE(s, r->calls);
    STATE(s, r->budget_left_dw);
    STATE(s, r->dwords_seen);
    STATE(s, r->messages);
    STATE(s, r->faults_excused);
    STATE(s, r->loops);
    STATE(s, r->ggtt_changed);
    STATE(s, r->deferred_differs);
    STATE(s, r->paced);
    uint64_t *const counts[] = {&t->packets, &t->submissions,  &t->compares,        &t->compares_failed,
                                &t->polls,   &t->polls_failed, &t->unknown_packets, &t->errors};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        STATE(s, *counts[i]);
    uint64_t size = s->saving ? softgt_save(r->device, NULL, 0) : 0;
    STATE(s, size);
    state_check(s, size <= s->size - s->at);
    if (s->saving && s->out)
        softgt_save(r->device, s->out + s->at, size);
    else if (!s->saving && !s->failed)
        state_check(s, softgt_load(r->device, s->in + s->at, size) == 0);
    s->at += size;
    sparse_memory_state(r->memory, s);
}

static void save(struct replay *r, const struct aub_packet *at)
{
    struct state count = {.saving = true};
    r->saved = true;
    replay_state(r, &count);
    uint8_t *data = malloc(count.at);
    struct state s = {.saving = true, .out = data, .size = count.at};
    if (data)
        replay_state(r, &s);
    if (!data || !r->options->save(r->options->user, data, s.at))
        tell(r, REPLAY_ERROR, at->offset, "the state could not be saved");
    free(data);
}

static bool load(struct replay *r, uint64_t offset)
{
    struct state s = {.in = r->options->load, .size = r->options->load_bytes};
    replay_state(r, &s);
    if (s.failed || s.at != s.size)
        return unusable(r, offset,
                        "the saved state is none of a run of this device (cut, changed, another device's)");
    r->resume_call = r->calls;
    r->calls = 0;
    return true;
}

/* What is to be done with a packet: a loaded run has seen those before the one it was saved in. */
enum entry { STOP, SKIP, DO, RESUME };

static bool make_device(struct replay *r, uint64_t offset, const struct aub_header *h);

/* Packets before any header: a device can still be asked for. */
static enum entry enter(struct replay *r, const struct aub_packet *at)
{
    const struct aub_header none = {0};
    if (!r->device && !make_device(r, at->offset, &none))
        return STOP;
    r->calls++;
    if (r->calls < r->resume_call)
        return SKIP;
    r->resuming = r->resume_call && r->calls == r->resume_call;
    if (r->resuming)
        return RESUME;
    r->result->packets++;
    return DO;
}

/* ---- The device ---- */

static bool make_device(struct replay *r, uint64_t offset, const struct aub_header *h)
{
    const struct softgt_device_info *info = NULL;
    if (r->options->device)
        info = softgt_device_find(r->options->device);
    else if (h->pci_id)
        info = softgt_device_by_pci_id((uint16_t)h->pci_id);
    if (!info) {
        char text[160];
        if (r->options->device)
            snprintf(text, sizeof text, "no device is named '%s' (softgt devices lists them)",
                     r->options->device);
        else if (h->pci_id)
            snprintf(text, sizeof text, "PCI id %04x is no device modelled here (--device NAME picks one)",
                     h->pci_id & 0xffffu);
        else
            snprintf(text, sizeof text, "the trace does not name its PCI id: say --device NAME");
        return unusable(r, offset, text);
    }
    const struct softgt_config config = {
        .device = info->name,
        .memory = sparse_memory_port(r->memory),
        .report = r->options->report,
        .trace = r->options->trace,
    };
    if (softgt_create(&config, &r->device) != 0)
        return unusable(r, offset, "the device cannot be created: out of memory");
    r->mmio_bytes = info->mmio_bytes;
    r->ggtt_bytes = info->ggtt_bytes;
    r->engines = info->engine_count;
    if (r->options->started && !r->options->started(r->options->user, r->device)) {
        r->unusable = true;
        return false;
    }
    return !r->options->load || load(r, offset);
}

static bool on_header(void *user, const struct aub_packet *at, const struct aub_header *h)
{
    struct replay *r = user;
    if (r->device) { /* a second one changes nothing */
        const enum entry entry = enter(r, at);
        return entry != STOP;
    }
    r->result->packets++;
    memcpy(r->result->application, h->text, sizeof r->result->application);
    r->result->pci_id = h->pci_id;
    if (!make_device(r, at->offset, h))
        return false;
    r->calls++;
    return true;
}

/* ---- Running ---- */

/* What a driver does with an engine that hangs: it resets it, which keeps the mode, and goes on. */
static void revive(struct replay *r, unsigned index, const struct softgt_engine_status *s)
{
    const uint64_t page = softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, s->hws_pga, 4);
    softgt_engine_reset(r->device, index);
    softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, s->hws_pga, page, 4);
}

/* Runs on the budget that is left; saves where that is asked for. */
static void run_engines(struct replay *r, const struct aub_packet *at)
{
    const uint64_t save_at = r->options->save && !r->saved ? r->options->save_at_dw : 0;
    bool more = true;
    while (more && save_at && softgt_dwords(r->device) < save_at && r->budget_left_dw) {
        const uint64_t until = save_at - softgt_dwords(r->device);
        uint64_t step = until < r->budget_left_dw ? until : r->budget_left_dw;
        const uint64_t asked = step;
        more = device_run(r->device, &step);
        r->budget_left_dw -= asked - step;
    }
    if (save_at && softgt_dwords(r->device) >= save_at)
        save(r, at);
    if (more)
        device_run(r->device, &r->budget_left_dw);
}

/* Engines run until nothing moves; virtual time goes with the dwords they took. False: no use going on. */
static bool run_once(struct replay *r, const struct aub_packet *at, bool *again)
{
    enum { LOOPS = 3 }; /* each costs a whole budget */
    const uint64_t budget = r->options->budget_dw ? r->options->budget_dw : DEFAULT_BUDGET_DW;
    if (!r->resuming)
        r->budget_left_dw = budget;
    r->resuming = false;
    run_engines(r, at);
    const uint64_t dwords = softgt_dwords(r->device);
    softgt_advance(r->device, (dwords - r->dwords_seen) * NS_PER_DWORD);
    r->dwords_seen = dwords;
    for (unsigned i = 0; i < r->engines; i++) {
        const enum softgt_engine_state state = softgt_engine_state(r->device, i);
        struct softgt_engine_status s;
        if (state == SOFTGT_ENGINE_IDLE || state == SOFTGT_ENGINE_WAITING ||
            !softgt_engine_status(r->device, i, &s))
            continue;
        if (state == SOFTGT_ENGINE_RUNNING) {
            tell(r, REPLAY_ERROR, at->offset,
                 "%s is still busy after %llu dwords, at graphics address %#llx: does the batch loop? Reset",
                 s.name, (unsigned long long)budget, (unsigned long long)s.acthd);
            revive(r, i, &s);
            if (++r->loops == LOOPS) {
                tell(r, REPLAY_ERROR, at->offset, "the trace loops too often, the rest is not run");
                return false;
            }
        } else {
            /* A capture holds only what a CPU had mapped: a batch whose rest is missing ends where it does.
             */
            const bool ended = s.past_end && softgt_engine_end_batch(r->device, i);
            tell(r, ended ? REPLAY_NOTE : REPLAY_ERROR, at->offset,
                 "%s: %s, at graphics address %#llx, header %08x: %s", s.name, s.why,
                 (unsigned long long)s.acthd, s.header, ended ? "taken as its end" : "reset");
            r->faults_excused += ended;
            *again |= ended;
            if (ended)
                continue;
            revive(r, i, &s);
        }
    }
    return true;
}

static bool run(struct replay *r, const struct aub_packet *at)
{
    bool again;
    if (r->paced)
        return true;
    do {
        again = false;
        if (!run_once(r, at, &again))
            return false;
    } while (again);
    return true;
}

/* ---- Registers ---- */

/* Whether the packet is about a register there is; if not, it is told. */
static bool is_register(struct replay *r, const struct aub_packet *at, const struct aub_register *reg)
{
    if (reg->space != AUB_MMIO) {
        tell(r, REPLAY_NOTE, at->offset, "%s: register space %u is not modelled, skipped", at->name,
             reg->space);
        return false;
    }
    if (reg->offset < r->mmio_bytes && reg->size_bytes <= r->mmio_bytes - reg->offset)
        return true;
    tell(r, REPLAY_ERROR, at->offset, "%s: register %#x is past the device's %llu bytes of registers",
         at->name, reg->offset, (unsigned long long)r->mmio_bytes);
    return false;
}

static bool on_register_write(void *user, const struct aub_packet *at, const struct aub_register *reg)
{
    struct replay *r = user;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    if (entry == RESUME)
        return run(r, at);
    if (!is_register(r, at, reg))
        return true;
    if (r->ggtt_changed && !r->paced) { /* as a driver does behind its table writes */
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
    return run(r, at);
}

static uint64_t read_register(struct replay *r, const struct aub_register *reg)
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
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    if (!is_register(r, at, reg) || reg->no_read)
        return true;
    r->result->compares++;
    const uint64_t value = read_register(r, reg);
    if (matches(reg, value))
        return true;
    r->result->compares_failed++;
    tell(r, REPLAY_ERROR, at->offset, "REG_CMP: register %#x is %#llx, masked with %#llx it should be %#llx",
         reg->offset, (unsigned long long)value, (unsigned long long)reg->mask,
         (unsigned long long)reg->value);
    return true;
}

static bool on_register_poll(void *user, const struct aub_packet *at, const struct aub_register *reg)
{
    struct replay *r = user;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    if (!is_register(r, at, reg))
        return true;
    r->result->polls += entry == DO;
    uint64_t value = read_register(r, reg);
    if (entry == RESUME || !matches(reg, value)) { /* time passes, and once more */
        if (entry == DO)
            softgt_advance(r->device, 1000000);
        if (!run(r, at))
            return false;
        value = read_register(r, reg);
    }
    if (matches(reg, value))
        return true;
    r->result->polls_failed++;
    tell(r, reg->ignore ? REPLAY_NOTE : REPLAY_ERROR, at->offset,
         "REG_POLL: register %#x stays %#llx, masked with %#llx %s %#llx is waited for", reg->offset,
         (unsigned long long)value, (unsigned long long)reg->mask, reg->not_equal ? "other than" : "a",
         (unsigned long long)reg->value);
    return true;
}

/* ---- Memory ---- */

/* Reads or writes trace memory. False after telling. */
static bool access_memory(struct replay *r, const struct aub_packet *at, const struct aub_memory *m,
                          uint64_t address, uint8_t *to, size_t size_bytes)
{
    const bool write = to == NULL;
    bool ok = true;
    switch (m->space) {
    case AUB_GGTT:
    case AUB_GGTT_NON_APERTURE:
        ok = write ? softgt_ggtt_write(r->device, address, m->data, size_bytes)
                   : softgt_ggtt_read(r->device, address, to, size_bytes);
        if (!ok && !sparse_memory_full(r->memory))
            tell(r, REPLAY_ERROR, at->offset, "%s: GGTT address %#llx (%zu bytes) is not mapped", at->name,
                 (unsigned long long)address, size_bytes);
        break;
    case AUB_GGTT_ENTRY:
        if (address >= r->ggtt_bytes || size_bytes > r->ggtt_bytes - address) {
            tell(r, REPLAY_ERROR, at->offset, "%s: offset %#llx (%zu bytes) is past the GGTT's table",
                 at->name, (unsigned long long)address, size_bytes);
            return false;
        }
        for (size_t i = 0; i < size_bytes;) {
            const unsigned part = size_bytes - i < 8 ? (unsigned)(size_bytes - i) : 8;
            uint64_t value = 0;
            if (write) {
                memcpy(&value, m->data + i, part);
                softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, r->mmio_bytes + address + i, value, part);
                r->ggtt_changed = true;
            } else {
                value = softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, r->mmio_bytes + address + i, part);
                memcpy(to + i, &value, part);
            }
            i += part;
        }
        return true;
    case AUB_PHYSICAL:
    case AUB_GTT_PD:
    case AUB_PPGTT_ENTRY:
    case AUB_PDP_ENTRY:
    case AUB_PD_ENTRY:
    case AUB_PML4_ENTRY:
        if (write)
            ok = sparse_memory_write(r->memory, address, m->data, size_bytes);
        else
            sparse_memory_read(r->memory, address, to, size_bytes);
        break;
    default:
        tell(r, REPLAY_ERROR, at->offset, "%s: address space %u does not exist on this device", at->name,
             m->space);
        return false;
    }
    if (!ok && sparse_memory_full(r->memory)) {
        char text[128];
        snprintf(text, sizeof text, "%s: the trace wants more than %llu MB of memory", at->name,
                 (unsigned long long)(r->options->memory_limit_bytes ? r->options->memory_limit_bytes
                                                                     : DEFAULT_MEMORY_BYTES) >>
                     20);
        unusable(r, at->offset, text);
    }
    return ok;
}

static bool on_memory_write(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct replay *r = user;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    access_memory(r, at, m, m->address, NULL, m->size_bytes);
    return !r->unusable;
}

static bool on_memory_compare(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct replay *r = user;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    r->result->compares++;
    if (m->no_read)
        return true;
    if (m->crc) {
        tell(r, REPLAY_NOTE, at->offset, "MEM_CMP by CRC is not modelled, skipped");
        return true;
    }
    uint8_t there[4096];
    for (size_t done = 0; done < m->size_bytes;) {
        const size_t part = m->size_bytes - done < sizeof there ? m->size_bytes - done : sizeof there;
        if (!access_memory(r, at, m, m->address + done, there, part)) {
            r->result->compares_failed++;
            return !r->unusable;
        }
        if (memcmp(there, m->data + done, part) != 0) {
            if (m->compare == AUB_NOT_EQUAL) {
                r->deferred_differs = m->deferred;
                return true;
            }
            size_t i = 0;
            while (there[i] == m->data[done + i])
                i++;
            r->result->compares_failed++;
            tell(r, REPLAY_ERROR, at->offset, "MEM_CMP: byte at %#llx is %02x, should be %02x",
                 (unsigned long long)(m->address + done + i), there[i], m->data[done + i]);
            return true;
        }
        done += part;
    }
    if (m->compare == AUB_NOT_EQUAL && !m->deferred) {
        /* The last of a row of packets that together must differ. */
        if (!r->deferred_differs) {
            r->result->compares_failed++;
            tell(r, REPLAY_ERROR, at->offset, "MEM_CMP: %u bytes at %#llx are equal, should differ",
                 m->size_bytes, (unsigned long long)m->address);
        }
        r->deferred_differs = false;
    }
    return true;
}

static bool satisfied(const struct aub_memory *m, uint64_t value)
{
    uint64_t wanted = 0;
    memcpy(&wanted, m->data, m->size_bytes);
    value &= m->mask;
    switch (m->compare) {
    case AUB_NOT_EQUAL:
        return value != wanted;
    case AUB_LESS:
        return value < wanted;
    case AUB_LESS_EQUAL:
        return value <= wanted;
    case AUB_GREATER:
        return value > wanted;
    case AUB_GREATER_EQUAL:
        return value >= wanted;
    default:
        return value == wanted;
    }
}

static bool on_memory_poll(void *user, const struct aub_packet *at, const struct aub_memory *m)
{
    struct replay *r = user;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    r->result->polls += entry == DO;
    uint64_t value = 0;
    for (unsigned look = entry == RESUME; look < 2; look++) {
        if (look) {
            if (entry == DO)
                softgt_advance(r->device, 1000000);
            if (!run(r, at))
                return false;
        }
        if (!access_memory(r, at, m, m->address, (uint8_t *)&value, m->size_bytes)) {
            r->result->polls_failed++;
            return !r->unusable;
        }
        if (satisfied(m, value))
            return true;
    }
    r->result->polls_failed++;
    tell(r, REPLAY_ERROR, at->offset, "MEM_POLL: %#llx stays %#llx", (unsigned long long)m->address,
         (unsigned long long)value);
    return true;
}

/* ---- Others ---- */

/* The engine of a classic ring: 1 commands by wire, 2 render, 3 video, 4 blitter. */
static bool find_ring(struct replay *r, unsigned ring, struct softgt_engine_status *s)
{
    static const char *const classes[] = {NULL, "render", "render", "video", "copy"};
    const char *class = ring < sizeof classes / sizeof classes[0] ? classes[ring] : NULL;
    for (unsigned i = 0; class && softgt_engine_status(r->device, i, s); i++)
        if (strcmp(s->engine_class, class) == 0)
            return true;
    return false;
}

/* Commands of a classic trace are a ring's contents, run as they come: they go where the packet says, and the
 * ring is laid around them. */
static bool on_ring_commands(void *user, const struct aub_packet *at, unsigned ring,
                             const struct aub_memory *m)
{
    enum { TAIL = 0x30, HEAD = 0x34, START = 0x38, CTL = 0x3c, PAGE = 4096, QWORD = 8, RING_BYTES = 2 << 20 };
    struct replay *r = user;
    struct softgt_engine_status s;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    if (entry == RESUME)
        return run(r, at);
    if (!find_ring(r, ring, &s)) {
        tell(r, REPLAY_ERROR, at->offset, "%s: this device has no ring %u", at->name, ring);
        return true;
    }
    const uint64_t start = m->address & ~(uint64_t)(PAGE - 1), head = m->address - start;
    const uint64_t tail = (head + m->size_bytes + QWORD - 1) & ~(uint64_t)(QWORD - 1);
    const uint64_t length = (tail + PAGE) & ~(uint64_t)(PAGE - 1); /* TAIL must not reach the end */
    if (m->address % 4 || start > UINT32_MAX || length > RING_BYTES) {
        tell(r, REPLAY_ERROR, at->offset, "%s: no ring can be at %#llx with %u bytes", at->name,
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
    if (!access_memory(r, at, &commands, m->address, NULL, m->size_bytes) ||
        (pad.size_bytes && !access_memory(r, at, &pad, pad.address, NULL, pad.size_bytes)))
        return !r->unusable;
    const uint64_t values[][2] = {
        {CTL, 0}, {START, start}, {HEAD, head}, {TAIL, tail}, {CTL, (length - PAGE) | 1u}};
    if (r->ggtt_changed)
        softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, GGTT_FLUSH, 1, 4);
    r->ggtt_changed = false;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, s.mmio_base + values[i][0], values[i][1], 4);
    r->result->submissions++;
    return run(r, at);
}

/* What a recording says in comments: (frontend/record.h) */
static bool on_comment(void *user, const struct aub_packet *at, const char *text)
{
    struct replay *r = user;
    unsigned long long budget_dw, now_ns;
    if (!r->device) {
        r->result->packets++;
        return true;
    }
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    if (strcmp(text, "softgt reset") == 0 && entry == DO)
        softgt_reset(r->device);
    if (sscanf(text, "softgt run %llu at %llu", &budget_dw, &now_ns) != 2)
        return true;
    r->paced = true;
    if (entry == DO) {
        const uint64_t before_ns = softgt_now_ns(r->device);
        if (now_ns > before_ns)
            softgt_advance(r->device, now_ns - before_ns);
        softgt_memory_changed(r->device);
        r->budget_left_dw = budget_dw < DEFAULT_BUDGET_DW ? budget_dw : DEFAULT_BUDGET_DW;
    }
    r->resuming = false;
    run_engines(r, at);
    r->dwords_seen = softgt_dwords(r->device);
    return true;
}

static bool on_delay(void *user, const struct aub_packet *at, uint32_t time)
{
    struct replay *r = user;
    const enum entry entry = enter(r, at);
    if (entry < DO)
        return entry == SKIP;
    if (entry == DO)
        softgt_advance(r->device, time);
    return run(r, at);
}

static bool on_note(void *user, const struct aub_packet *at, bool known, const char *text)
{
    struct replay *r = user;
    (void)text;
    if (!r->device)
        r->result->packets++;
    else if (enter(r, at) != DO)
        return true;
    if (!known) {
        r->result->unknown_packets++;
        tell(r, REPLAY_ERROR, at->offset, "%s, skipped", at->name);
    }
    return true;
}

static void on_progress(void *user, uint64_t offset)
{
    const struct replay *r = user;
    r->options->progress(r->options->user, offset);
}

static void look_at_engines(struct replay *r)
{
    struct softgt_engine_status s;
    uint64_t faults = 0;
    if (r->paced) { /* its compares say what should be */
        for (unsigned i = 0; softgt_engine_status(r->device, i, &s); i++)
            r->result->submissions += s.context_switches;
        return;
    }
    for (unsigned i = 0; softgt_engine_status(r->device, i, &s); i++) {
        r->result->submissions += s.context_switches;
        faults += s.faults;
        if (s.state == SOFTGT_ENGINE_WAITING)
            tell(r, REPLAY_ERROR, REPLAY_NO_OFFSET, "%s did not finish: %s, at graphics address %#llx",
                 s.name, s.why, (unsigned long long)s.acthd);
    }
    if (faults > r->faults_excused)
        tell(r, REPLAY_ERROR, REPLAY_NO_OFFSET, "%llu page faults",
             (unsigned long long)(faults - r->faults_excused));
}

static enum replay_outcome play(const char *path, const void *data, size_t size_bytes,
                                const struct replay_options *options, struct replay_result *result)
{
    struct replay r = {.options = options, .result = result};
    *result = (struct replay_result){0};
    r.memory = sparse_memory_create(options->memory_limit_bytes ? options->memory_limit_bytes
                                                                : DEFAULT_MEMORY_BYTES);
    if (!r.memory) {
        unusable(&r, 0, "out of memory");
        return REPLAY_UNUSABLE;
    }
    const struct aub_sink sink = {
        .user = &r,
        .header = on_header,
        .register_write = on_register_write,
        .register_compare = on_register_compare,
        .register_poll = on_register_poll,
        .memory_write = on_memory_write,
        .memory_compare = on_memory_compare,
        .memory_poll = on_memory_poll,
        .ring_commands = on_ring_commands,
        .comment = on_comment,
        .delay = on_delay,
        .note = on_note,
        .progress = options->progress ? on_progress : NULL,
    };
    struct aub_error error;
    const enum aub_result read =
        path ? aub_read_file(path, &sink, &error) : aub_read_memory(data, size_bytes, &sink, &error);
    if (read == AUB_BAD)
        unusable(&r, error.offset, error.text);
    else if (!r.device && !r.unusable)
        unusable(&r, REPLAY_NO_OFFSET, "the trace holds nothing that a device would do");
    if (r.device && r.resume_call > r.calls)
        unusable(&r, REPLAY_NO_OFFSET, "the trace ends before the place where the state was saved");
    if (r.device && options->save && !r.saved && !r.unusable)
        tell(&r, REPLAY_ERROR, REPLAY_NO_OFFSET, "nothing saved: the trace has %llu dwords of commands only",
             (unsigned long long)softgt_dwords(r.device));
    if (r.device) {
        look_at_engines(&r);
        if (options->finished)
            options->finished(options->user, r.device);
    }
    result->memory_bytes = sparse_memory_used_bytes(r.memory);
    softgt_destroy(r.device);
    sparse_memory_destroy(r.memory);
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
