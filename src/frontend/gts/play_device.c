/* A program on a device of its own: expectations are looked at as they come, each failure told with its line.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/gts/play.h"
#include "frontend/sparse_memory.h"

enum { MAX_EVENTS = 1 << 20, MAX_REPORTS = 4096, MAX_TOLD = 100, POLL_NS = 1000, POLL_DWORDS = 256 };
static const uint64_t run_limit_dw = UINT64_C(1) << 28;

struct kept_report {
    enum softgt_complaint complaint;
    unsigned line, column; /* of the operation that ran */
    bool expected;
    char text[200];
};

struct player {
    struct gts_source *source;
    const struct gts_options *options;
    struct softgt *device;
    struct sparse_memory *memory;
    const struct gts_operation *now;
    unsigned failures;
    unsigned wanted; /* trace events the program looks at */
    struct softgt_event *events;
    size_t event_count, event_room;
    bool events_lost;
    struct kept_report *reports;
    size_t report_count, report_mark;
    uint64_t reports_lost;
    uint64_t interrupts, interrupt_mark, fault_mark;
};

/* ---- Ports ---- */

static void on_report(void *user, const struct softgt_report *report)
{
    struct player *p = user;
    if (p->options->report.report)
        p->options->report.report(p->options->report.user, report);
    if (p->report_count == MAX_REPORTS) {
        p->reports_lost++;
        return;
    }
    if (!p->reports && !(p->reports = calloc(MAX_REPORTS, sizeof *p->reports))) {
        p->reports_lost++;
        return;
    }
    struct kept_report *k = &p->reports[p->report_count++];
    k->complaint = report->complaint;
    k->line = p->now ? p->now->line : 0;
    k->column = p->now ? p->now->column : 0;
    snprintf(k->text, sizeof k->text, "%s 0x%" PRIx64 ": %s", report->unit, report->address, report->text);
}

static void on_event(void *user, const struct softgt_event *event)
{
    struct player *p = user;
    if (p->options->trace.event && p->options->trace.mask & event->what)
        p->options->trace.event(p->options->trace.user, event);
    if (!(p->wanted & event->what))
        return;
    if (p->event_count == p->event_room) {
        const size_t room = p->event_room ? p->event_room * 2 : 256;
        struct softgt_event *events = room > MAX_EVENTS ? NULL : realloc(p->events, room * sizeof *events);
        if (!events) {
            p->events_lost = true;
            return;
        }
        p->events = events;
        p->event_room = room;
    }
    p->events[p->event_count] = *event;
    p->events[p->event_count++].dwords = NULL;
}

static void on_interrupt(void *user, unsigned vector)
{
    (void)vector;
    ((struct player *)user)->interrupts++;
}

/* ---- Telling ---- */

__attribute__((format(printf, 3, 4))) static void fail(struct player *p, const struct gts_operation *o,
                                                       const char *format, ...)
{
    char text[900];
    va_list list;
    p->failures++;
    if (p->failures > MAX_TOLD)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    gts_tell(p->source, GTS_FAILURE, o->line, o->column, "%s", text);
}

static void show(struct player *p, const struct gts_operation *o, const char *text)
{
    gts_tell(p->source, GTS_OUTPUT, o->line, o->column, "%s", text);
}

static const char *complaint_name(uint64_t kind)
{
    static const char *const names[] = {"guest_error", "not_modelled", "host_failure"};
    return kind < 3 ? names[kind] : "?";
}

/* ---- Accesses ---- */

static bool store(struct player *p, const struct gts_operation *o)
{
    bool good = true;
    if (o->place == PLACE_PHYSICAL) {
        good = sparse_memory_write(p->memory, o->address, o->data, o->data_size);
    } else if (o->place == PLACE_GGTT) {
        good = softgt_ggtt_write(p->device, o->address, o->data, o->data_size);
    } else {
        const uint64_t table = softgt_info(p->device)->mmio_bytes;
        for (size_t i = 0; i + 8 <= o->data_size; i += 8) {
            uint64_t entry;
            memcpy(&entry, o->data + i, sizeof entry);
            softgt_bar_write(p->device, SOFTGT_BAR_GTTMMADR, table + o->address + i, entry, 8);
        }
    }
    if (good)
        return true;
    if (sparse_memory_full(p->memory))
        fail(p, o, "the program needs more memory than is allowed");
    else
        fail(p, o, "nothing is mapped at ggtt:0x%" PRIx64 " (the program ended the mapping)", o->address);
    return false;
}

static bool read_bytes(struct player *p, const struct gts_operation *o, void *data, size_t size)
{
    if (o->place == PLACE_GGTT)
        return softgt_ggtt_read(p->device, o->address, data, size);
    sparse_memory_read(p->memory, o->address, data, size);
    return true;
}

static bool read_value(struct player *p, const struct gts_operation *o, uint64_t *value)
{
    *value = 0;
    if (o->place == PLACE_REGISTER || o->place == PLACE_BAR) {
        *value = softgt_bar_read(p->device, o->place == PLACE_BAR ? o->unit : SOFTGT_BAR_GTTMMADR, o->address,
                                 o->size);
        return true;
    }
    return read_bytes(p, o, value, o->size);
}

static uint64_t value_at(const struct gts_operation *o, const uint8_t *bytes, unsigned at, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, bytes + at, o->size - at < size ? o->size - at : size);
    return value;
}

/* Lines, as they stand there, to the first zero. */
static void show_text(struct player *p, const struct gts_operation *o, const uint8_t *bytes)
{
    char text[600];
    for (unsigned i = 0; i < o->size && bytes[i];) {
        unsigned count = 0;
        for (; i < o->size && bytes[i] && bytes[i] != '\n' && count < sizeof text - 1; i++)
            text[count++] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? (char)bytes[i] : '.';
        text[count] = 0;
        show(p, o, text);
        i += i < o->size && bytes[i] == '\n';
    }
}

/* Dwords or qwords in hexadecimal, 16 bytes a line. */
static void show_words(struct player *p, const struct gts_operation *o, const uint8_t *bytes, unsigned size)
{
    char text[600];
    for (unsigned i = 0; i < o->size; i += 16) {
        int at = snprintf(text, sizeof text, "%.99s:0x%" PRIx64, o->name, o->shown + i);
        for (unsigned j = i; j < i + 16 && j < o->size; j += size)
            at += snprintf(text + at, sizeof text - (size_t)at, " %0*" PRIx64, (int)size * 2,
                           value_at(o, bytes, j, size));
        show(p, o, text);
    }
}

/* Qwords in decimal, as many as a line holds. */
static void show_numbers(struct player *p, const struct gts_operation *o, const uint8_t *bytes)
{
    char text[128];
    size_t at = 0;
    for (unsigned i = 0; i < o->size; i += 8) {
        if (at > 76) {
            show(p, o, text);
            at = 0;
        }
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu64, at ? " " : "",
                               value_at(o, bytes, i, 8));
    }
    show(p, o, text);
}

/* A qword a line, bit 0 first. */
static void show_bits(struct player *p, const struct gts_operation *o, const uint8_t *bytes)
{
    char text[65];
    for (unsigned i = 0; i < o->size; i += 8) {
        unsigned length = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            const bool set = value_at(o, bytes, i, 8) >> bit & 1u;
            text[bit] = set ? '#' : ' ';
            length = set ? bit + 1 : length;
        }
        text[length] = 0;
        show(p, o, text);
    }
}

static void show_memory(struct player *p, const struct gts_operation *o)
{
    uint8_t *bytes = malloc(o->size);
    if (!bytes || !read_bytes(p, o, bytes, o->size))
        fail(p, o, "%s:0x%" PRIx64 " cannot be read", o->name, o->shown);
    else if (o->format == FORMAT_TEXT)
        show_text(p, o, bytes);
    else if (o->format == FORMAT_NUMBERS)
        show_numbers(p, o, bytes);
    else if (o->format == FORMAT_BITS)
        show_bits(p, o, bytes);
    else
        show_words(p, o, bytes, o->format == FORMAT_QWORDS ? 8 : 4);
    free(bytes);
}

static void show_value(struct player *p, const struct gts_operation *o)
{
    char place[200], text[300];
    uint64_t value;
    if (o->place == PLACE_PHYSICAL || o->place == PLACE_GGTT) {
        show_memory(p, o);
        return;
    }
    read_value(p, o, &value);
    gts_place_text(o, 0, place, sizeof place);
    snprintf(text, sizeof text, "%s = 0x%0*" PRIx64, place, (int)o->size * 2, value);
    show(p, o, text);
}

/* ---- Going on ---- */

static void run(struct player *p, const struct gts_operation *o)
{
    if (o->value) {
        softgt_run(p->device, o->value);
        return;
    }
    for (uint64_t done = 0; done < run_limit_dw; done += run_limit_dw / 16)
        if (!softgt_run(p->device, run_limit_dw / 16))
            return;
    fail(p, o, "the device still runs after %" PRIu64 " dwords (say 'run budget N' if it should)",
         run_limit_dw);
}

static bool holds(const struct gts_operation *o, uint64_t value)
{
    return ((value & o->mask) == (o->value & o->mask)) != o->differs;
}

static void wait(struct player *p, const struct gts_operation *o)
{
    uint64_t value = 0, left = o->bound;
    char place[200];
    for (;;) {
        softgt_run(p->device, POLL_DWORDS);
        if (read_value(p, o, &value) && holds(o, value))
            return;
        if (!left)
            break;
        const uint64_t step = o->bound_unit == UNIT_NS ? POLL_NS : POLL_DWORDS,
                       part = left < step ? left : step;
        if (o->bound_unit == UNIT_NS)
            softgt_advance(p->device, part);
        left -= part;
    }
    gts_place_text(o, 0, place, sizeof place);
    fail(p, o,
         "waited for %s to %s 0x%" PRIx64 " (mask 0x%" PRIx64 "); it is 0x%" PRIx64 " after %" PRIu64 " %s",
         place, o->differs ? "leave" : "become", o->value, o->mask, value, o->bound,
         o->bound_unit == UNIT_NS ? "ns" : "dwords");
}

/* ---- Expectations ---- */

static void expect_memory(struct player *p, const struct gts_operation *o)
{
    uint8_t *bytes = malloc(o->data_size ? o->data_size : 1);
    char place[200];
    gts_place_text(o, 0, place, sizeof place);
    if (!bytes || !read_bytes(p, o, bytes, o->data_size)) {
        fail(p, o, "%s cannot be read: nothing is mapped there", place);
        free(bytes);
        return;
    }
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < o->data_size; i += 4) {
        const size_t part = o->data_size - i < 4 ? o->data_size - i : 4;
        uint32_t is = 0, wanted = 0;
        memcpy(&is, bytes + i, part);
        memcpy(&wanted, o->data + i, part);
        if ((is & (uint32_t)o->mask) == (wanted & (uint32_t)o->mask))
            continue;
        first = wrong++ ? first : i;
    }
    if (o->differs && !wrong) {
        fail(p, o, "%s is what it should not be", place);
    } else if (!o->differs && wrong) {
        const size_t part = o->data_size - first < 4 ? o->data_size - first : 4;
        uint32_t is = 0, wanted = 0;
        char more[64] = "";
        memcpy(&is, bytes + first, part);
        memcpy(&wanted, o->data + first, part);
        if (wrong > 1)
            snprintf(more, sizeof more, " (and %zu dwords behind it)", wrong - 1);
        gts_place_text(o, first, place, sizeof place);
        if (o->mask == UINT64_MAX)
            fail(p, o, "%s: expected 0x%08x, got 0x%08x%s", place, wanted, is, more);
        else
            fail(p, o, "%s & 0x%x: expected 0x%08x, got 0x%08x%s", place, (uint32_t)o->mask,
                 wanted & (uint32_t)o->mask, is & (uint32_t)o->mask, more);
    }
    free(bytes);
}

static void expect_value(struct player *p, const struct gts_operation *o)
{
    uint64_t value;
    char place[200], mask[32] = "";
    const uint64_t all = o->size < 8 ? (UINT64_C(1) << (o->size * 8)) - 1 : UINT64_MAX;
    if (o->place == PLACE_PHYSICAL || o->place == PLACE_GGTT) {
        expect_memory(p, o);
        return;
    }
    read_value(p, o, &value);
    if (holds(o, value))
        return;
    gts_place_text(o, 0, place, sizeof place);
    if (o->mask != all)
        snprintf(mask, sizeof mask, " & 0x%" PRIx64, o->mask);
    if (o->differs)
        fail(p, o, "%s%s: expected anything but 0x%" PRIx64, place, mask, o->value & o->mask);
    else
        fail(p, o, "%s%s: expected 0x%" PRIx64 ", got 0x%" PRIx64, place, mask, o->value & o->mask,
             value & o->mask);
}

static uint64_t all_faults(struct player *p)
{
    struct softgt_engine_status status;
    uint64_t sum = 0;
    for (unsigned i = 0; softgt_engine_status(p->device, i, &status); i++)
        sum += status.faults;
    return sum;
}

static void expect_number(struct player *p, const struct gts_operation *o, const char *what, uint64_t value)
{
    if (value != o->value)
        fail(p, o, "%s: expected %" PRIu64 ", got %" PRIu64, what, o->value, value);
}

static void expect_count(struct player *p, const struct gts_operation *o)
{
    struct softgt_engine_status s;
    char what[100];
    if (!softgt_engine_status(p->device, o->unit, &s))
        return;
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        {"batches", s.batches},
        {"commands", s.commands},
        {"dwords", s.dwords},
        {"waits", s.waits},
        {"context_switches", s.context_switches},
        {"interrupts", s.interrupts},
        {"memory_writes", s.memory_writes},
        {"bytes_written", s.bytes_written},
        {"faults", s.faults},
        {"dropped", s.dropped},
        {"unknown", s.unknown},
        {"misplaced", s.misplaced},
    };
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        if (strcmp(counters[i].name, o->name) == 0) {
            snprintf(what, sizeof what, "%s %s", s.name, o->name);
            expect_number(p, o, what, counters[i].value);
        }
}

static void expect_state(struct player *p, const struct gts_operation *o)
{
    static const char *const names[] = {"idle", "running", "waiting", "stopped"};
    struct softgt_engine_status s;
    if (!softgt_engine_status(p->device, o->unit, &s))
        return;
    const char *why = s.why ? s.why : "";
    if (s.state != o->value)
        fail(p, o, "%s: expected %s, got %s%s%s", s.name, names[o->value], names[s.state], *why ? ": " : "",
             why);
    else if (o->text && !strstr(why, o->text))
        fail(p, o, "%s is %s: expected because of \"%s\", got \"%s\"", s.name, names[s.state], o->text, why);
}

static bool is_status(const struct softgt_event *e, const char *unit)
{
    return e->what == SOFTGT_TRACE_CONTEXTS && strcmp(e->name, "status") == 0 && strcmp(e->unit, unit) == 0;
}

/* "{ 0x18, 5 } ..." of what the engine reported. */
static void status_text(const struct player *p, const char *unit, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < p->event_count && at + 40 < size; i++)
        if (is_status(&p->events[i], unit))
            at += (size_t)snprintf(text + at, size - at, "%s{ 0x%" PRIx64 ", %" PRIu64 " }", at ? " " : "",
                                   p->events[i].value, p->events[i].address);
    if (!at)
        snprintf(text, size, "none");
}

static void expect_status(struct player *p, const struct gts_operation *o)
{
    char text[700];
    size_t at = 0;
    const char *why = NULL;
    for (size_t i = 0; i < p->event_count; i++) {
        const struct softgt_event *e = &p->events[i];
        if (!is_status(e, o->name))
            continue;
        const struct gts_item *item = at < o->item_count ? &o->items[at] : NULL;
        at++;
        if (!item)
            why = "there are more entries than expected";
        else if ((item->has_value && item->value != e->value) || (item->has_id && item->id != e->address))
            why = why ? why : "an entry differs";
    }
    if (at < o->item_count)
        why = "entries are missing";
    if (!why)
        return;
    status_text(p, o->name, text, sizeof text);
    fail(p, o, "status of %s: %s; got %s", o->name, why, text);
}

static void expect_report(struct player *p, const struct gts_operation *o)
{
    bool found = false;
    for (size_t i = p->report_mark; i < p->report_count; i++) {
        struct kept_report *k = &p->reports[i];
        if (k->complaint != o->value || (o->text && !strstr(k->text, o->text)))
            continue;
        found = k->expected = true;
    }
    if (!found)
        fail(p, o, "expected a %s%s%s%s", complaint_name(o->value), o->text ? " with \"" : "",
             o->text ? o->text : "", o->text ? "\"" : "");
}

static bool item_matches(const struct gts_item *item, const struct softgt_event *e)
{
    if (e->what != item->what || (item->unit && (!e->unit || strcmp(item->unit, e->unit) != 0)) ||
        (item->name && (!e->name || strcmp(item->name, e->name) != 0)))
        return false;
    if (e->what == SOFTGT_TRACE_INTERRUPTS)
        return !item->has_value || (e->value & item->value) == item->value;
    return (!item->has_address || item->address == e->address) &&
           (!item->has_value || item->value == e->value);
}

static void expect_order(struct player *p, const struct gts_operation *o)
{
    size_t at = 0;
    for (size_t i = 0; i < p->event_count && at < o->item_count; i++)
        at += item_matches(&o->items[at], &p->events[i]);
    if (at == o->item_count)
        return;
    struct gts_operation here = *o;
    here.line = o->items[at].line;
    here.column = o->items[at].column;
    bool anywhere = false;
    for (size_t i = 0; i < p->event_count && !anywhere; i++)
        anywhere = item_matches(&o->items[at], &p->events[i]);
    fail(p, &here, "event %zu of the order %s", at + 1,
         anywhere ? "came, but not behind the events before it" : "did not come");
}

/* ---- All ---- */

static void mark(struct player *p)
{
    p->event_count = 0;
    p->report_mark = p->report_count;
    p->interrupt_mark = p->interrupts;
    p->fault_mark = all_faults(p);
}

static bool perform(void *user, const struct gts_operation *o)
{
    struct player *p = user;
    p->now = o;
    switch (o->verb) {
    case GTS_STORE:
        return store(p, o);
    case GTS_WRITE:
        softgt_bar_write(p->device, o->place == PLACE_BAR ? o->unit : SOFTGT_BAR_GTTMMADR, o->address,
                         o->value, o->size);
        break;
    case GTS_READ:
        show_value(p, o);
        break;
    case GTS_SAY:
        show(p, o, o->text);
        break;
    case GTS_RUN:
        run(p, o);
        break;
    case GTS_ADVANCE:
        softgt_advance(p->device, o->value);
        break;
    case GTS_RESET:
        softgt_reset(p->device);
        break;
    case GTS_WAIT:
        wait(p, o);
        break;
    case GTS_MARK:
        mark(p);
        break;
    case GTS_IGNORE: /* applied at the end */
        break;
    case GTS_EXPECT:
        expect_value(p, o);
        break;
    case GTS_EXPECT_INTERRUPTS:
        expect_number(p, o, "interrupts", p->interrupts - p->interrupt_mark);
        break;
    case GTS_EXPECT_FAULTS:
        expect_number(p, o, "faults", all_faults(p) - p->fault_mark);
        break;
    case GTS_EXPECT_COUNT:
        expect_count(p, o);
        break;
    case GTS_EXPECT_STATE:
        expect_state(p, o);
        break;
    case GTS_EXPECT_STATUS:
        expect_status(p, o);
        break;
    case GTS_EXPECT_REPORT:
        expect_report(p, o);
        break;
    case GTS_EXPECT_ORDER:
        expect_order(p, o);
        break;
    }
    return true;
}

/* Complaints that nobody expected: of the guest and the host they fail the run, of the model they are told.
 */
static void settle_reports(struct player *p, const struct gts_program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        const struct gts_operation *o = &program->operations[i];
        if (o->verb != GTS_IGNORE)
            continue;
        for (size_t j = 0; j < p->report_count; j++)
            if (p->reports[j].complaint == o->value && (!o->text || strstr(p->reports[j].text, o->text)))
                p->reports[j].expected = true;
    }
    for (size_t i = 0; i < p->report_count; i++) {
        const struct kept_report *k = &p->reports[i];
        const struct gts_operation at = {.line = k->line, .column = k->column};
        if (k->expected)
            continue;
        if (k->complaint == SOFTGT_NOT_MODELLED)
            gts_tell(p->source, GTS_NOTE, k->line, k->column, "not modelled: %s", k->text);
        else
            fail(p, &at, "unexpected %s: %s", complaint_name(k->complaint), k->text);
    }
    if (p->reports_lost)
        gts_tell(p->source, GTS_NOTE, 0, 0, "%" PRIu64 " more complaints were not kept", p->reports_lost);
    if (p->events_lost)
        gts_tell(p->source, GTS_NOTE, 0, 0,
                 "more events came than are kept: use 'mark' before what is looked at");
    if (p->failures > MAX_TOLD)
        gts_tell(p->source, GTS_NOTE, 0, 0, "%u more failures", p->failures - MAX_TOLD);
}

static unsigned events_wanted(const struct gts_program *program)
{
    unsigned wanted = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct gts_operation *o = &program->operations[i];
        if (o->verb == GTS_EXPECT_STATUS)
            wanted |= SOFTGT_TRACE_CONTEXTS;
        for (size_t j = 0; o->verb == GTS_EXPECT_ORDER && j < o->item_count; j++)
            wanted |= o->items[j].what;
    }
    return wanted;
}

enum gts_result gts_play_on_device(const struct gts_program *program, struct gts_source *source)
{
    struct player p = {.source = source, .options = source->options, .wanted = events_wanted(program)};
    p.memory = sparse_memory_create(p.options->memory_limit ? p.options->memory_limit : UINT64_C(1) << 30);
    if (!p.memory) {
        gts_tell(source, GTS_ERROR, 0, 0, "out of memory");
        return GTS_UNUSABLE;
    }
    const struct softgt_config config = {
        .device = program->device,
        .memory = sparse_memory_port(p.memory),
        .interrupt = {&p, on_interrupt},
        .report = {&p, on_report},
        .trace = {&p, p.wanted | (p.options->trace.event ? p.options->trace.mask : 0), on_event},
    };
    const int error = softgt_create(&config, &p.device);
    enum gts_result result = GTS_UNUSABLE;
    if (error) {
        gts_tell(source, GTS_ERROR, 0, 0, "the device cannot be made: %s", strerror(-error));
    } else {
        const struct gts_target target = {&p, perform};
        gts_play(program, &target);
        settle_reports(&p, program);
        if (p.options->finished)
            p.options->finished(p.options->user, p.device);
        result = p.failures ? GTS_FAILED : GTS_CLEAN;
    }
    softgt_destroy(p.device);
    sparse_memory_destroy(p.memory);
    free(p.events);
    free(p.reports);
    return result;
}
