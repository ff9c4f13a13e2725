/* Plays a program on a device. Expectations are checked in order; each failure is reported with its line. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player/player.h"
#include "device/host.h"
#include "host/sparse_memory.h"

enum {
    MAX_EVENTS = 1 << 20,
    MAX_REPORTS = 4096,
    MAX_SHOWN_FAILURES = 100,
    POLL_NS = 1000,
    POLL_DWORDS = 256
};

/* ---- Ports ---- */

/* The source position of the engine's current command. Past the end of a batch: of the last command before
 * it. NULL: none. */
static const struct gts_command_source *command_of(const struct player *p, const char *unit, uint64_t address,
                                                   bool *past_end)
{
    struct softgt_engine_status s;
    *past_end = false;
    for (unsigned i = 0; p->device && softgt_engine_get_status(p->device, i, &s); i++) {
        if (strcmp(s.name, unit) != 0)
            continue;
        *past_end = s.past_end;
        return s.past_end ? gts_program_find_command_before(p->program, address)
                          : gts_program_find_command(p->program, address, s.header);
    }
    return NULL;
}

/* The address in a text about one of a PPGTT; false: there is none. */
static bool ppgtt_address(const char *text, uint64_t *address)
{
    static const char start[] = "PPGTT address ";
    const char *const at = strstr(text, start);
    *address = at ? strtoull(at + sizeof start - 1, NULL, 16) : 0;
    return at != NULL;
}

/* The engine has page tables for the address in the text: its context has a PPGTT. */
static bool has_ppgtt(const struct player *p, const char *unit, const char *text)
{
    struct device_walk walk;
    uint64_t address;
    if (!p->device || !ppgtt_address(text, &address))
        return false;
    const int engine = sheet_engine_find(device_sheet(p->device), unit);
    return engine >= 0 && !device_walk(p->device, engine, address, &walk) && walk.count > 1;
}

static void on_report(void *user, const struct softgt_report *report)
{
    struct player *p = user;
    if (!p->variant && p->options->report.report)
        p->options->report.report(p->options->report.user, report);
    if (p->report_count == MAX_REPORTS) {
        p->reports_lost++;
        return;
    }
    if (!p->reports && !(p->reports = calloc(MAX_REPORTS, sizeof *p->reports))) {
        p->out_of_memory = true;
        return;
    }
    struct player_report *k = &p->reports[p->report_count++];
    k->complaint = report->complaint;
    k->mistake = report->mistake;
    k->line = p->current ? p->current->line : 0;
    k->column = p->current ? p->current->column : 0;
    const struct gts_command_source *place = command_of(p, report->unit, report->address, &k->is_past_end);
    if (place) {
        k->line = place->line;
        k->column = place->column;
    }
    snprintf(k->text, sizeof k->text, "%s 0x%" PRIx64 ": %s", report->unit, report->address, report->text);
    k->has_ppgtt = has_ppgtt(p, report->unit, k->text);
}

static void player_on_event(void *user, const struct softgt_event *event)
{
    struct player *p = user;
    if (!p->variant && p->options->trace.event && p->options->trace.mask & event->what)
        p->options->trace.event(p->options->trace.user, event);
    if (!(p->wanted_events & event->what))
        return;
    if (p->event_count == p->event_capacity) {
        const size_t room = p->event_capacity ? p->event_capacity * 2 : 256;
        struct softgt_event *events = room > MAX_EVENTS ? NULL : realloc(p->events, room * sizeof *events);
        p->events_lost |= room > MAX_EVENTS;
        p->out_of_memory |= room <= MAX_EVENTS && !events;
        if (!events)
            return;
        p->events = events;
        p->event_capacity = room;
    }
    p->events[p->event_count] = *event;
    p->events[p->event_count++].dwords = NULL;
}

static void on_interrupt(void *user, unsigned vector)
{
    (void)vector;
    ((struct player *)user)->interrupts++;
}

/* ---- Messages ---- */

static uint64_t memory_limit(const struct player *p)
{
    return p->options->memory_limit ? p->options->memory_limit : UINT64_C(1) << 30;
}

void player_fail(struct player *p, const struct gts_operation *o, const char *format, ...)
{
    char text[900];
    va_list list;
    p->failures++;
    p->expectation_failed = true;
    if (p->failures > MAX_SHOWN_FAILURES)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (p->pending_submit && o == p->current)
        gts_send_message(p->source, GTS_FAILURE, o->line, o->column,
                         "%s (nothing ran after the 'submit' at %u:%u: add 'run')", text,
                         p->pending_submit->line, p->pending_submit->column);
    else
        gts_send_message(p->source, GTS_FAILURE, o->line, o->column, "%s", text);
}

void player_show(struct player *p, const struct gts_operation *o, const char *text)
{
    gts_send_message(p->source, GTS_OUTPUT, o->line, o->column, "%s", text);
}

const char *player_complaint_name(uint64_t kind)
{
    static const char *const names[] = {"guest_error", "not_modelled", "host_failure"};
    return kind < 3 ? names[kind] : "?";
}

/* ---- Accesses ---- */

static bool store(struct player *p, const struct gts_operation *o)
{
    bool good = true;
    if (o->location == PLACE_PHYSICAL && o->address & MEMORY_LOCAL) {
        good = softgt_local_write(p->device, o->address & ~MEMORY_LOCAL, o->data, o->data_size);
    } else if (o->location == PLACE_PHYSICAL) {
        good = sparse_memory_write(p->memory, o->address, o->data, o->data_size);
    } else if (o->location == PLACE_GGTT) {
        good = softgt_ggtt_write(p->device, o->address, o->data, o->data_size);
    } else {
        const uint64_t table = softgt_info(p->device)->mmio_bytes;
        for (size_t i = 0; i < o->data_size;) {
            const unsigned part = o->data_size - i < 8 ? (unsigned)(o->data_size - i) : 8;
            uint64_t entry = 0;
            memcpy(&entry, o->data + i, part);
            softgt_bar_write(p->device, SOFTGT_BAR_GTTMMADR, table + o->address + i, entry, part);
            i += part;
        }
    }
    if (good)
        return true;
    if (sparse_memory_full(p->memory))
        player_fail(p, o, "the program uses more than %" PRIu64 " MB of bus memory", memory_limit(p) >> 20);
    else
        player_fail(p, o, "ggtt:0x%" PRIx64 " is not mapped: the program ended the mapping", o->address);
    return false;
}

bool player_read_bytes(struct player *p, const struct gts_operation *o, void *data, size_t size)
{
    if (o->location == PLACE_GGTT)
        return softgt_ggtt_read(p->device, o->address, data, size);
    if (o->address & MEMORY_LOCAL)
        return softgt_local_read(p->device, o->address & ~MEMORY_LOCAL, data, size);
    sparse_memory_read(p->memory, o->address, data, size);
    return true;
}

bool player_read_value(struct player *p, const struct gts_operation *o, uint64_t *value)
{
    *value = 0;
    if (o->location == PLACE_REGISTER || o->location == PLACE_BAR) {
        *value = softgt_bar_read(p->device, o->location == PLACE_BAR ? o->unit : SOFTGT_BAR_GTTMMADR,
                                 o->address, o->size);
        return true;
    }
    return player_read_bytes(p, o, value, o->size);
}

/* ---- Running ---- */

static bool is_stopped(const struct player *p)
{
    return p->options->stop && p->options->stop(p->options->user);
}

static void player_perform_run(struct player *p, const struct gts_operation *o)
{
    if (o->value) {
        player_run_budget(p, o->value);
        return;
    }
    enum { SLICE = 1 << 20 };
    const uint64_t limit_dw = p->options->budget_dw ? p->options->budget_dw : UINT64_C(1) << 28;
    for (uint64_t left = limit_dw, part; left; left -= part) {
        part = left < SLICE ? left : SLICE;
        if (is_stopped(p) || !player_run(p, part))
            return;
    }
    struct softgt_engine_status s;
    for (unsigned i = 0; softgt_engine_get_status(p->device, i, &s); i++) {
        if (s.state != SOFTGT_ENGINE_RUNNING)
            continue;
        const struct gts_command_source *at = gts_program_find_command(p->program, s.acthd, s.header);
        char line[40] = "";
        if (at)
            snprintf(line, sizeof line, ", the command at %u:%u", at->line, at->column);
        player_fail(p, o,
                    "%s is still running after %" PRIu64 " dwords, at 0x%" PRIx64
                    "%s (write 'run budget N' if this is intended)",
                    s.name, limit_dw, s.acthd, line);
    }
}

bool player_value_matches(const struct gts_operation *o, uint64_t value)
{
    return ((value & o->mask) == (o->value & o->mask)) != o->expect_differs;
}

static void player_wait(struct player *p, const struct gts_operation *o)
{
    uint64_t value = 0, left = o->bound;
    char place[200], mask[32];
    for (;;) {
        player_run_budget(p, POLL_DWORDS);
        if (player_read_value(p, o, &value) && player_value_matches(o, value))
            return;
        if (is_stopped(p))
            return;
        if (!left)
            break;
        const uint64_t step = o->bound_unit == UNIT_NS ? POLL_NS : POLL_DWORDS,
                       part = left < step ? left : step;
        if (o->bound_unit == UNIT_NS)
            player_advance(p, part);
        left -= part;
    }
    gts_location_text(o, 0, place, sizeof place);
    player_mask_text(o, mask, sizeof mask);
    player_fail(p, o, "%s%s: expected %s0x%" PRIx64 " within %" PRIu64 " %s, got 0x%" PRIx64, place, mask,
                o->expect_differs ? "anything but " : "", o->value & o->mask, o->bound,
                o->bound_unit == UNIT_NS ? "ns" : "dwords", value & o->mask);
}

/* ---- All ---- */

static void player_mark(struct player *p)
{
    p->event_count = 0;
    p->marked_reports = p->report_count;
    p->marked_interrupts = p->interrupts;
    p->marked_faults = player_faults(p);
}

static void expect(struct player *p, const struct gts_operation *o)
{
    const bool failed_before = o->continues_statement && p->expectation_failed;
    p->expectation_failed = false;
    player_expect(p, o);
    if (!o->continues_statement) {
        p->outcome.expectations++;
        p->outcome.met++;
    }
    if (p->expectation_failed && !failed_before)
        p->outcome.met--;
    p->expectation_failed = p->expectation_failed || failed_before;
}

static bool player_perform(void *user, const struct gts_operation *o)
{
    struct player *p = user;
    p->current = o;
    switch (o->verb) {
    case GTS_STORE:
        return store(p, o);
    case GTS_WRITE:
        if (o->ends_submit)
            p->pending_submit = o;
        softgt_bar_write(p->device, o->location == PLACE_BAR ? o->unit : SOFTGT_BAR_GTTMMADR, o->address,
                         o->value, o->size);
        break;
    case GTS_READ:
        player_show_value(p, o);
        break;
    case GTS_SAY:
        player_show(p, o, o->text);
        break;
    case GTS_RUN:
        p->pending_submit = NULL;
        player_perform_run(p, o);
        break;
    case GTS_ADVANCE:
        player_advance(p, o->value);
        break;
    case GTS_RESET:
        softgt_reset(p->device);
        break;
    case GTS_HARDWARE_ERROR:
        if (!softgt_inject_error(p->device, (enum softgt_error_severity)o->size, (uint32_t)o->value))
            player_fail(p, o, "%s has no registers for hardware errors", p->program->device);
        break;
    case GTS_WAIT:
        p->pending_submit = NULL;
        player_wait(p, o);
        break;
    case GTS_MARK:
        player_mark(p);
        break;
    case GTS_IGNORE: /* applied in player_finish */
    case GTS_TOLERATE:
        break;
    default:
        expect(p, o);
        break;
    }
    if (!is_stopped(p))
        return true;
    player_fail(p, o, "interrupted: the rest did not run");
    return false;
}

/* A hint for beginners: the batch has no end, or the faulting per-process address is mapped in the GGTT. */
static const char *hint(const struct player *p, const struct player_report *k)
{
    if (k->is_past_end)
        return " (is 'MI_BATCH_BUFFER_END' missing after this command?)";
    uint64_t address;
    uint8_t byte;
    if (!ppgtt_address(k->text, &address) || !softgt_ggtt_read(p->device, address, &byte, 1))
        return "";
    if (k->has_ppgtt)
        return " (the address is mapped in the GGTT: is 'use_global_gtt' missing?)";
    return " (the address is mapped in the GGTT: is 'use_global_gtt' missing, or 'ppgtt NAME' in the "
           "context?)";
}

/* The report is the page fault of a batch without an end, which the next reports describe. */
static bool is_part_of_next(const struct player *p, size_t number)
{
    for (size_t i = number + 1; i < p->report_count && i <= number + 2; i++)
        if (p->reports[i].is_past_end && strstr(p->reports[i].text, "engine stopped"))
            return strstr(p->reports[number].text, "page fault") && !p->reports[number].is_past_end;
    return false;
}

/* Unexpected complaints: guest errors and host failures fail the run; unsupported features are notes. */
enum gts_result player_finish(struct player *p, const struct gts_program *program)
{
    p->current = NULL;
    uint64_t tolerated = p->options->tolerate;
    for (size_t i = 0; i < program->count; i++) {
        const struct gts_operation *o = &program->operations[i];
        if (o->verb == GTS_TOLERATE)
            tolerated |= o->value;
        if (o->verb != GTS_IGNORE)
            continue;
        for (size_t j = 0; j < p->report_count; j++)
            if (p->reports[j].complaint == o->value && (!o->text || strstr(p->reports[j].text, o->text)))
                p->reports[j].is_expected = true;
    }
    for (size_t i = 0; i < p->report_count; i++) {
        const struct player_report *k = &p->reports[i];
        const struct gts_operation at = {.line = k->line, .column = k->column};
        if (k->is_expected || (k->mistake && tolerated >> k->mistake & 1u) || is_part_of_next(p, i))
            continue;
        if (k->complaint == SOFTGT_NOT_MODELLED)
            gts_send_message(p->source, GTS_NOTE, k->line, k->column, "not modelled: %s", k->text);
        else
            player_fail(p, &at, "unexpected %s: %s%s", player_complaint_name(k->complaint), k->text,
                        hint(p, k));
    }
    if (p->pending_submit)
        gts_send_message(p->source, GTS_NOTE, p->pending_submit->line, p->pending_submit->column,
                         "nothing ran after this 'submit': add 'run' after it");
    if (p->reports_lost)
        gts_send_message(p->source, GTS_NOTE, 0, 0, "%" PRIu64 " reports were dropped: a program keeps %d",
                         p->reports_lost, MAX_REPORTS);
    if (p->events_lost)
        gts_send_message(p->source, GTS_NOTE, 0, 0,
                         "events were dropped, a program keeps %d: use 'mark' before the events that matter",
                         MAX_EVENTS);
    if (p->failures > MAX_SHOWN_FAILURES)
        gts_send_message(p->source, GTS_NOTE, 0, 0, "%u more expectations failed",
                         p->failures - MAX_SHOWN_FAILURES);
    if (p->out_of_memory || sparse_memory_failed(p->memory)) {
        gts_send_message(p->source, GTS_ERROR, 0, 0, "out of memory");
        return GTS_UNUSABLE;
    }
    return p->failures ? GTS_FAILED : GTS_CLEAN;
}

static unsigned events_wanted(const struct gts_program *program)
{
    unsigned wanted = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct gts_operation *o = &program->operations[i];
        if (o->verb == GTS_EXPECT_STATUS)
            wanted |= SOFTGT_TRACE_CONTEXTS;
        for (size_t j = 0; o->verb == GTS_EXPECT_ORDER && j < o->item_count; j++)
            wanted |= o->items[j].event_class;
    }
    return wanted;
}

bool player_open(struct player *p, const struct gts_program *program, struct gts_source *source,
                 const struct player_variant *variant)
{
    *p = (struct player){.source = source,
                         .program = program,
                         .options = source->options,
                         .variant = variant,
                         .wanted_events = events_wanted(program)};
    p->memory = sparse_memory_create(memory_limit(p));
    if (!p->memory) {
        gts_send_message(source, GTS_ERROR, 0, 0, "out of memory");
        return false;
    }
    p->config = (struct softgt_config){
        .device = program->device,
        .memory = sparse_memory_port(p->memory),
        .interrupt = {p, on_interrupt},
        .report = {p, on_report},
        .timing = p->options->timing,
        .draws = !p->options->no_draws && !program->counts_draws,
        .parallel = p->options->parallel,
        .code = p->options->code,
        .trace = {p, p->wanted_events | (p->options->trace.event ? p->options->trace.mask : 0),
                  player_on_event},
    };
    const int error = softgt_create(&p->config, &p->device);
    if (error)
        gts_send_message(source, GTS_ERROR, 0, 0, "device '%s' cannot be created: %s", program->device,
                         strerror(-error));
    else if (!variant && p->options->started)
        p->options->started(p->options->user, p->device);
    return !error;
}

void player_close(struct player *p)
{
    if (p->device && !p->variant && p->options->finished)
        p->options->finished(p->options->user, p->device);
    if (p->device && !p->variant && p->options->ended)
        p->options->ended(p->options->user, &p->outcome);
    softgt_destroy(p->device);
    softgt_destroy(p->reload_device);
    for (unsigned i = 0; i < sizeof p->saved / sizeof p->saved[0]; i++)
        free(p->saved[i].bytes);
    sparse_memory_destroy(p->memory);
    free(p->events);
    free(p->reports);
}

void player_clear(struct player *p)
{
    p->report_count = p->marked_reports = 0;
    p->failures = 0;
    player_mark(p);
    softgt_memory_changed(p->device);
    sparse_memory_clear(p->memory);
}

struct gts_target player_target(struct player *p)
{
    return (struct gts_target){p, player_perform};
}

enum gts_result gts_play_on_device(const struct gts_program *program, struct gts_source *source)
{
    struct player p;
    enum gts_result result = GTS_UNUSABLE;
    if (player_open(&p, program, source, NULL)) {
        const struct gts_target target = player_target(&p);
        gts_play(program, &target);
        result = player_finish(&p, program);
    }
    player_close(&p);
    return result;
}
