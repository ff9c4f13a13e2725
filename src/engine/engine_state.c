/* An engine's sections: members, the resets that each survives, and values after a reset. */
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

static STATE_TABLE(stream_fields, struct stream, STREAM_MEMBERS)
static STATE_TABLE(parse_fields, struct parse_state, PARSE_STATE_MEMBERS)
static STATE_TABLE(wait_fields, struct wait, WAIT_MEMBERS)
static STATE_TABLE(descriptor_fields, struct context_descriptor, CONTEXT_DESCRIPTOR_MEMBERS)
static STATE_TABLE(execlist_fields, struct execlist, EXECLIST_MEMBERS)
static STATE_TABLE(execlists_fields, struct execlist_state, EXECLIST_STATE_MEMBERS)
static STATE_TABLE(report_fields, struct switch_report, SWITCH_REPORT_MEMBERS)
static STATE_TABLE(status_fifo_fields, struct status_fifo, STATUS_FIFO_MEMBERS)
static STATE_TABLE(context_fields, struct context_state, CONTEXT_STATE_MEMBERS)
static STATE_TABLE(status_fields, struct status_state, STATUS_STATE_MEMBERS)
static STATE_TABLE(scan_window_fields, struct scan_window, SCAN_WINDOW_MEMBERS)
static STATE_TABLE(scan_windows_fields, struct scan_windows, SCAN_WINDOWS_MEMBERS)
static STATE_TABLE(alu_fields, struct alu_state, ALU_STATE_MEMBERS)
static STATE_TABLE(memory_counters_fields, struct memory_counters, MEMORY_COUNTERS)
static STATE_TABLE(totals_fields, struct totals, TOTALS)
static STATE_TABLE(timing_fields, struct timing, TIMING_MEMBERS)
static STATE_TABLE(unknown_header_fields, struct unknown_header, UNKNOWN_HEADER_MEMBERS)
static STATE_TABLE(unknown_headers_fields, struct unknown_headers, UNKNOWN_HEADERS_MEMBERS)

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

/* Checks numbers of different sections against each other. */
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
