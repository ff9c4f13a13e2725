/* i915's error state (Linux, drivers/gpu/drm/i915/i915_gpu_error.c; 4.x to 7.2), a line at a time. */
#include "hang/parser.h"

#include <string.h>

/* "comm [pid]" behind ", in " of "GPU HANG: ecode 9:1:fffffffe, in comm [pid]". */
static void take_title(struct parser *p, struct span t)
{
    const char *const in = span_find(t, ", in ");
    span_copy(t, p->s->title, sizeof p->s->title);
    if (in)
        span_process((struct span){in + strlen(", in "), t.end}, p->s->process, &p->s->pid);
}

/* "Active process (on ring rcs0): comm [pid], context bans 0" */
static void take_active_process(struct parser *p, struct span t)
{
    const char *const close = span_find(t, "): ");
    if (!close)
        return;
    const int engine = parser_engine(p, (struct span){t.at, close});
    struct error_engine *const e = parser_engine_at(p, engine);
    span_process((struct span){close + strlen("): "), t.end}, e->process, &e->pid);
}

static bool take_number(struct span t, uint64_t most, uint64_t *value)
{
    span_trim(&t);
    return span_hex(&t, value) && *value <= most;
}

/* Lines of the system. False: it is none of these. */
static bool take_fact(struct parser *p, struct span t)
{
    struct error_state *const s = p->s;
    uint64_t value;
    if (span_skip(&t, "GPU HANG: ") || span_skip(&t, "Manually set ")) {
        take_title(p, p->text);
    } else if (span_skip(&t, "Active process (on ring ")) {
        take_active_process(p, t);
    } else if (span_skip(&t, "Kernel: ")) {
        span_copy(t, s->kernel, sizeof s->kernel);
    } else if (span_skip(&t, "Platform: ")) {
        span_copy(t, s->platform, sizeof s->platform);
    } else if (span_skip(&t, "PCI ID:")) {
        s->has_pci_id = take_number(t, UINT16_MAX, &value);
        s->pci_id = s->has_pci_id ? (uint16_t)value : 0;
        if (!s->has_pci_id)
            parser_problem(p, "PCI ID: a number of 16 bits is expected");
    } else if (span_skip(&t, "PCI Revision:") && take_number(t, UINT8_MAX, &value)) {
        s->pci_revision = (uint8_t)value;
    } else {
        return false;
    }
    return true;
}

/* "HEAD:  0x... [0x...]", "TAIL:  0x... [0x..., 0x...]": offsets of the request in brackets. */
static void take_request(struct parser *p, struct span t)
{
    struct error_request *const r = &parser_engine_at(p, p->engine)->request;
    const bool is_head = span_skip(&t, "HEAD:");
    const char *const open = span_find(t, " [");
    uint64_t first, second;
    if ((!is_head && !span_skip(&t, "TAIL:")) || !open)
        return;
    t.at = open + strlen(" [");
    if (!span_hex(&t, &first) || first > UINT32_MAX)
        return;
    if (is_head) {
        r->head = (uint32_t)first;
        r->is_known = true;
    } else if (span_skip(&t, ", ") && span_hex(&t, &second) && second <= UINT32_MAX) {
        r->postfix = (uint32_t)first;
        r->tail = (uint32_t)second;
    } else {
        r->is_known = false;
    }
}

/* A line below "rcs0 command stream:". */
static void take_engine_line(struct parser *p, struct span t)
{
    struct error_engine *const e = parser_engine_at(p, p->engine);
    struct span rest = t;
    uint64_t value;
    take_request(p, t);
    if (span_skip(&rest, "hung:") && take_number(rest, 1, &value)) {
        e->hung = value;
        return;
    }
    if (span_skip(&rest, "hangcheck stall: yes"))
        e->hung = true;
    else if (span_skip(&rest, "Active context: ")) {
        const char *const guilty = span_find(rest, "guilty ");
        const char *const comma = span_find(rest, "] ");
        if (!e->process[0] && comma)
            span_process((struct span){rest.at, comma + 1}, e->process, &e->pid);
        e->has_guilt = guilty;
        e->is_guilty = guilty && guilty + strlen("guilty ") < rest.end && guilty[strlen("guilty ")] != '0';
    }
    if (!parser_register(p, t))
        parser_note(p, t);
}

/* Buffers in the GGTT; others are in the address space of the process. */
static enum error_space buffer_space(const char *name)
{
    return strcmp(name, "batch") == 0 || strcmp(name, "user") == 0 ? ERROR_PPGTT : ERROR_GGTT;
}

/* "rcs0 --- batch = 0xHI LO"; before 4.11 "render ring (submitted by COMM [PID]) --- gtt_offset = 0x..." */
static void take_buffer(struct parser *p, struct span who, struct span what)
{
    const char *const by = span_find(who, " (submitted by "), *const equals = span_find(what, " = 0x");
    const struct span name = {what.at, equals}, name_of_engine = {who.at, by ? by : who.end};
    uint64_t high, low;
    p->buffer = -1;
    if (!equals) /* a count of requests or waiters */
        return;
    struct span value = {equals + strlen(" = "), what.end};
    if (!span_hex(&value, &high)) {
        parser_problem(p, "a buffer's address is expected behind '='");
        return;
    }
    if ((span_skip(&value, " ") || span_skip(&value, "_")) && span_hex(&value, &low)) {
        if (high > UINT32_MAX || low > UINT32_MAX) {
            parser_problem(p, "a half of a buffer's address has more than 32 bits");
            return;
        }
        high = high << 32 | low;
    }
    struct span global = name_of_engine;
    const int engine =
        span_skip(&global, "global") || span_skip(&global, "Active") || span_skip(&global, "Pinned")
            ? ERROR_GLOBAL
            : parser_engine(p, name_of_engine);
    struct error_engine *const e = parser_engine_at(p, engine);
    if (by && !e->process[0])
        span_process((struct span){by + strlen(" (submitted by "), who.end}, e->process, &e->pid);
    struct error_buffer *const b = parser_buffer(p, name, engine);
    if (!b)
        return;
    if (strcmp(b->name, "gtt_offset") == 0)
        strcpy(b->name, "batch");
    else if (strcmp(b->name, "ringbuffer") == 0)
        strcpy(b->name, "ring");
    b->space = buffer_space(b->name);
    b->has_address = true;
    b->address = high & UINT64_C(0xffffffffffff);
}

/* "00000010 :  7a000003": a dword of the current buffer, before 4.10. False: it is none. */
static bool take_dword(struct parser *p)
{
    struct data *const d = &p->words;
    struct span t = p->text;
    uint64_t offset, value;
    if (p->buffer < 0 || !span_hex(&t, &offset) || !span_skip(&t, " : "))
        return false;
    span_trim(&t);
    if (!span_hex(&t, &value))
        return false;
    struct error_buffer *const b = &p->s->buffers[p->buffer];
    if (offset != d->size || value > UINT32_MAX) {
        parser_problem(p, "buffer '%s': a dword at offset 0x%zx is expected", b->name, d->size);
        b->is_cut = true;
        p->buffer = -1;
        return true;
    }
    if (!data_word(d, (uint32_t)value)) {
        parser_problem(p, "buffer '%s': %s", b->name, d->problem ? d->problem : "out of memory");
        p->s->no_memory |= d->no_memory;
        p->buffer = -1;
    }
    b->bytes = d->bytes;
    b->size_bytes = d->size;
    return true;
}

static void take_line(struct parser *p)
{
    struct span t = p->text, data = t;
    const char *const dashes = t.end - t.at < 512 ? span_find(t, " --- ") : NULL;
    if (span_skip(&data, ":") || span_skip(&data, "~")) {
        parser_data(p, data, *t.at == ':');
    } else if (span_ends(t, "command stream:")) {
        const char *const on = span_find(t, "GuC Error Capture on ");
        struct span name = {on ? on + strlen("GuC Error Capture on ") : t.at,
                            t.end - strlen("command stream:")};
        span_trim(&name);
        p->engine = parser_engine(p, name);
        p->buffer = -1;
    } else if (dashes) {
        p->engine = ERROR_GLOBAL;
        take_buffer(p, (struct span){t.at, dashes}, (struct span){dashes + strlen(" --- "), t.end});
    } else if (t.at < t.end && (*t.at == ' ' || *t.at == '\t')) {
        span_trim(&t);
        take_engine_line(p, t);
    } else if (!take_dword(p) && !take_fact(p, t) && t.at < t.end && !span_find(t, "gtt_page_sizes = ")) {
        p->engine = ERROR_GLOBAL;
        if (!parser_register(p, t))
            parser_note(p, t);
    }
}

void parse_i915(struct parser *p)
{
    while (parser_next(p)) {
        if (!p->s->driver && (span_find(p->text, "GPU HANG") || span_find(p->text, "command stream:")))
            p->s->driver = ERROR_DRIVER_I915;
        take_line(p);
    }
}
