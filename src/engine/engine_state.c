/* An engine's sections: what each is made of, what it outlives, and what it is after a reset. */
#include "engine/engine.h"

#include <string.h>

#define ARRAY(table) (table), sizeof(table) / sizeof((table)[0])

const char *const stop_reason_text[STOP_REASONS] = {
    [STOP_NONE] = "",
    [STOP_PAGE_FAULT] = "page fault",
    [STOP_PAST_END] = "commands go on past their last page",
    [STOP_NO_PAGE] = "commands cannot be fetched: no page",
    [STOP_IMAGE_END] = "a command goes past the end of the context image",
    [STOP_UNKNOWN] = "unknown command",
    [STOP_FAULT] = "unrecoverable error",
    [WAIT_RING_END] = "the ring ends inside a command",
    [WAIT_SEMAPHORE] = "MI_SEMAPHORE_WAIT is not satisfied",
    [WAIT_MAILBOX] = "MI_SEMAPHORE_MBOX: the semaphore is not greater",
    [WAIT_CONDITION] = "MI_WAIT_FOR_EVENT: the condition code is set",
    [WAIT_DISPLAY] = "MI_WAIT_FOR_EVENT: the display's event did not come yet",
    [WAIT_FLIP_QUEUE] = "MI_DISPLAY_FLIP: the plane's queue of flips is full",
    [WAIT_PROBE] = "MI_PROBE: page faults wait for service",
};

const char *const engine_state_names[SOFTGT_ENGINE_STOPPED + 1] = {"idle", "running", "waiting", "stopped"};

const struct field_value engine_switch_names[] = {
    {"idle to active", SWITCH_IDLE_TO_ACTIVE},
    {"preempted", SWITCH_PREEMPTED},
    {"element switch", SWITCH_ELEMENT},
    {"active to idle", SWITCH_ACTIVE_TO_IDLE},
    {"context complete", SWITCH_CONTEXT_COMPLETE},
    {"wait on sync flip", SWITCH_WAIT_ON_SYNC_FLIP},
    {"wait on vblank", SWITCH_WAIT_ON_VBLANK},
    {"wait on scanline", SWITCH_WAIT_ON_SCANLINE},
    {"wait on semaphore", SWITCH_WAIT_ON_SEMAPHORE},
    {"lite restore", SWITCH_LITE_RESTORE},
    {NULL, 0},
};

const struct field_value engine_interrupt_names[] = {
    {"user", INTERRUPT_USER},
    {"sync status", INTERRUPT_SYNC_STATUS},
    {"master error", INTERRUPT_MASTER_ERROR},
    {"flush notify", INTERRUPT_FLUSH_NOTIFY},
    {"watchdog", INTERRUPT_WATCHDOG},
    {"page fault", INTERRUPT_PAGE_FAULT},
    {"context switch", INTERRUPT_CONTEXT_SWITCH},
    {"semaphore wait", INTERRUPT_SEMAPHORE_WAIT},
    {NULL, 0},
};

const char *const wait_comparisons[7] = {NULL, ">", ">=", "<", "<=", "==", "!="};

static const struct state_field stream_fields[] = {
    STATE_NUMBER(struct stream, address, 0),
    STATE_NUMBER(struct stream, end, 0),
    STATE_NUMBER(struct stream, progress, 0),
    STATE_NUMBER(struct stream, wraps, 0),
    STATE_NUMBER(struct stream, space, SPACE_PPGTT + 1),
    STATE_NUMBER(struct stream, kind, STREAM_KINDS),
    STATE_FLAG(struct stream, started_privileged),
    STATE_FLAG(struct stream, started),
    STATE_FLAG(struct stream, encrypted),
    STATE_NUMBERS(struct stream, reserved, 1),
};
static const struct state_field parse_fields[] = {
    STATE_STRUCTS(struct parse_state, streams, stream_fields),
    STATE_NUMBER(struct parse_state, command_address, 0),
    STATE_NUMBER(struct parse_state, image_end, 0),
    STATE_NUMBER(struct parse_state, header, 0),
    STATE_NUMBER(struct parse_state, depth, STREAMS),
    STATE_NUMBER(struct parse_state, state, SOFTGT_ENGINE_STOPPED + 1),
    STATE_NUMBER(struct parse_state, stop_reason, STOP_REASONS),
    STATE_FLAG(struct parse_state, reschedule),
    STATE_FLAG(struct parse_state, arbitration),
    STATE_FLAG(struct parse_state, restoring),
    STATE_FLAG(struct parse_state, indirect_done),
    STATE_FLAG(struct parse_state, stopped_past_end),
    STATE_FLAG(struct parse_state, reset_requested),
    STATE_FLAG(struct parse_state, power_lost),
    STATE_NUMBERS(struct parse_state, reserved, 1),
};
static const struct state_field wait_fields[] = {
    STATE_NUMBER(struct wait, since_ns, 0),
    STATE_NUMBER(struct wait, until_ns, 0),
    STATE_NUMBER(struct wait, switch_reason, 0),
    STATE_NUMBER(struct wait, ring_ctl_bit, 0),
    STATE_NUMBER(struct wait, actual_value, 0),
    STATE_NUMBER(struct wait, expected_value, 0),
    STATE_NUMBER(struct wait, comparison, sizeof wait_comparisons / sizeof wait_comparisons[0]),
    STATE_NUMBER(struct wait, reason, STOP_REASONS),
    STATE_FLAG(struct wait, interrupt_raised),
    STATE_FLAG(struct wait, cancelled),
    STATE_FLAG(struct wait, needs_signal),
    STATE_NUMBERS(struct wait, reserved, 1),
};
static const struct state_field descriptor_fields[] = {
    STATE_NUMBER(struct context_descriptor, low, 0),
    STATE_NUMBER(struct context_descriptor, high, 0),
};
static const struct state_field execlist_fields[] = {
    STATE_STRUCTS(struct execlist, element, descriptor_fields)};
static const struct state_field execlists_fields[] = {
    STATE_STRUCT(struct execlist_state, pending, execlist_fields),
    STATE_STRUCT(struct execlist_state, executing, execlist_fields),
    STATE_NUMBER(struct execlist_state, submitted_ns, 0),
    STATE_NUMBER(struct execlist_state, current_element, EXECLIST_ELEMENTS),
    STATE_NUMBERS(struct execlist_state, port, 0),
    STATE_NUMBER(struct execlist_state, port_count, 4),
    STATE_NUMBER(struct execlist_state, csb_write, 0),
    STATE_FLAG(struct execlist_state, pending_valid),
    STATE_FLAG(struct execlist_state, executing_valid),
    STATE_FLAG(struct execlist_state, by_guc),
    STATE_NUMBERS(struct execlist_state, reserved, 1),
};
static const struct state_field report_fields[] = {
    STATE_NUMBER(struct switch_report, reasons, 0),
    STATE_STRUCT(struct switch_report, from, descriptor_fields),
    STATE_STRUCT(struct switch_report, to, descriptor_fields),
    STATE_NUMBER(struct switch_report, instance, 0),
    STATE_NUMBERS(struct switch_report, reserved, 1),
};
static const struct state_field status_fifo_fields[] = {
    STATE_STRUCTS(struct status_fifo, entries, report_fields),
    STATE_NUMBER(struct status_fifo, first, STATUS_FIFO_ENTRIES),
    STATE_NUMBER(struct status_fifo, count, STATUS_FIFO_ENTRIES + 1),
    STATE_NUMBER(struct status_fifo, lost, 0),
    STATE_NUMBER(struct status_fifo, half, 2),
};
static const struct state_field context_fields[] = {
    STATE_STRUCT(struct context_state, current, descriptor_fields),
    STATE_NUMBER(struct context_state, submitted_ns, 0),
    STATE_NUMBER(struct context_state, restored_ns, 0),
    STATE_NUMBER(struct context_state, timestamp_ns, 0),
    STATE_FLAG(struct context_state, valid),
    STATE_FLAG(struct context_state, begun),
    STATE_NUMBERS(struct context_state, reserved, 1),
    STATE_NUMBER(struct context_state, interrupt_mask_in_memory, 0),
};
static const struct state_field status_fields[] = {
    STATE_NUMBER(struct status_state, indirect_mark, 0),
    STATE_NUMBER(struct status_state, isr, 0),
    STATE_NUMBER(struct status_state, head_report_page, 0),
    STATE_NUMBER(struct status_state, fault_slots, 0),
    STATE_NUMBER(struct status_state, unlogged_fault, 0),
    STATE_NUMBER(struct status_state, probes_faulted, 2),
    STATE_FLAG(struct status_state, watchdog_counts),
    STATE_FLAG(struct status_state, watchdog_expired),
    STATE_FLAG(struct status_state, write_drop_reported),
    STATE_NUMBERS(struct status_state, reserved, 1),
};
static const struct state_field scan_window_fields[] = {
    STATE_NUMBER(struct scan_window, start, 0),
    STATE_NUMBER(struct scan_window, end, 0),
    STATE_FLAG(struct scan_window, outside),
    STATE_FLAG(struct scan_window, is_set),
};
static const struct state_field scan_windows_fields[] = {
    STATE_STRUCTS(struct scan_windows, pipe, scan_window_fields)};
static const struct state_field alu_fields[] = {
    STATE_NUMBER(struct alu_state, a, 0),
    STATE_NUMBER(struct alu_state, b, 0),
    STATE_NUMBER(struct alu_state, accumulator, 0),
    STATE_FLAG(struct alu_state, zero),
    STATE_FLAG(struct alu_state, carry),
    STATE_NUMBERS(struct alu_state, reserved, 1),
};
static STATE_TABLE(memory_counters_fields, struct memory_counters, MEMORY_COUNTERS)
static STATE_TABLE(totals_fields, struct totals, TOTALS)
static const struct state_field timing_fields[] = {STATE_NUMBER(struct timing, until_ns, SOFTGT_LAST_NS),
                                                   STATE_NUMBER(struct timing, left, 0x10000)};
static const struct state_field unknown_header_fields[] = {
    STATE_NUMBER(struct unknown_header, count, 0),
    STATE_NUMBER(struct unknown_header, first_address, 0),
    STATE_NUMBER(struct unknown_header, header, 0),
    STATE_NUMBER(struct unknown_header, reserved, 1),
};
static const struct state_field unknown_headers_fields[] = {
    STATE_STRUCTS(struct unknown_headers, seen, unknown_header_fields)};

static const struct parse_state parse_initial = {
    .streams[0] = {.started_privileged = true, .end = UINT64_MAX},
    .arbitration = true,
};
static const struct status_state status_initial = {.head_report_page = UINT32_MAX};

const struct section engine_sections[ENGINE_SECTIONS] = {
    SECTION(struct engine, parse, 3, SURVIVES_NOTHING, parse_fields, &parse_initial),
    SECTION(struct engine, wait, 1, SURVIVES_NOTHING, wait_fields, NULL),
    SECTION(struct engine, execlists, 2, SURVIVES_NOTHING, execlists_fields, NULL),
    SECTION(struct engine, status_fifo, 1, SURVIVES_DEVICE_RESET, status_fifo_fields, NULL),
    SECTION(struct engine, context, 3, SURVIVES_NOTHING, context_fields, NULL),
    SECTION(struct engine, status, 4, SURVIVES_NOTHING, status_fields, &status_initial),
    SECTION(struct engine, scan_windows, 1, SURVIVES_NOTHING, scan_windows_fields, NULL),
    SECTION(struct engine, alu, 1, SURVIVES_NOTHING, alu_fields, NULL),
    SECTION(struct engine, totals, 6, SURVIVES_DEVICE_RESET, totals_fields, NULL),
    SECTION(struct engine, unknown_headers, 1, SURVIVES_DEVICE_RESET, unknown_headers_fields, NULL),
    SECTION(struct engine, timing, 1, SURVIVES_NOTHING, timing_fields, NULL),
};

/* What the numbers of different sections must be to each other. */
static bool holds_together(const struct engine *e)
{
    const struct parse_state *p = &e->parse;
    const unsigned entries = e->info->status.entries;
    if (p->streams[0].kind != STREAM_RING && p->streams[0].kind != STREAM_RESTORE)
        return false;
    for (unsigned i = 0; i <= p->depth; i++) {
        const struct stream *s = &p->streams[i];
        if (i && s->kind == STREAM_RING) /* the ring or the image is at the bottom, and nowhere else */
            return false;
        if (s->address % 4u || (s->end != UINT64_MAX && s->end % 4u)) /* commands are whole dwords */
            return false;
    }
    if (p->image_end % 4u)
        return false;
    return e->execlists.csb_write == 0 || e->execlists.csb_write < entries;
}

void engine_state(void *unit, struct state *s)
{
    struct engine *e = unit;
    if (s->saving)
        for (unsigned i = 0; i < STREAMS; i++)
            e->parse.streams[i].address = stream_address(e, i);
    else
        memset(e->cursors, 0, sizeof e->cursors);
    sections_state(engine_sections, ENGINE_SECTIONS, e, e->info->name, s);
    size_t begin = state_section_begin(s, e->info->name, "pipeline", 2);
    pipeline_section(&e->pipeline, s);
    state_section_end(s, begin);
    begin = state_section_begin(s, e->info->name, "counts", 1);
    state_dwords(s, (uint32_t *)(void *)e->commands.counts, e->commands.set->count * 2u);
    state_section_end(s, begin);
    mmu_state(&e->mmu, e->info->name, s);
    state_check(s, s->failed || holds_together(e));
}
