/*
 * Execlist submission. A list has context descriptors: two on Gen8 to Gen10, written to a submit port; up to
 * eight from Gen11 on, written to a queue that EXECLIST_CONTROL loads.
 *
 * States: no list; a pending list (pending_valid); an executing list (executing_valid) with its current
 * element. A pending list replaces the executing one at once when the engine is idle, else at the next
 * preemption point. If its first element is the running context only its tail is reloaded (lite restore). A
 * context that reaches its tail, or that waits for a semaphore or a display event, is saved, and the next
 * element is restored. When the last element is done the engine is idle.
 *
 * Each switch appends an entry to the context status buffer (six entries, twelve from Gen11 on) and raises
 * the context switch interrupt. With the GuC, lists come from it and statuses go to its FIFO.
 *
 * Not modelled: priorities between elements, time slices of the hardware, runlists.
 * (CSP-17 to CSP-21; BDW PRM vol 2c EXECLIST_SUBMITPORT, CONTEXT_STATUS)
 */
#include "engine/execution.h"

enum { DESCRIPTOR_FORCE_RESTORE = 1u << 2 };

/* Bits of a context status that give the reason of the switch; the other bits describe it. */
enum {
    REASONS = SWITCH_CONTEXT_COMPLETE | SWITCH_WAIT_ON_SYNC_FLIP | SWITCH_WAIT_ON_VBLANK |
              SWITCH_WAIT_ON_SCANLINE | SWITCH_WAIT_ON_SEMAPHORE,
};

void gen8_status_entry(const struct switch_report *report, uint32_t dw[2])
{
    dw[0] = report->reasons;
    dw[1] = report->from.high;
}

/* The switch detail field of layouts that name the contexts. */
static uint32_t switch_detail(uint32_t reasons)
{
    static const struct {
        uint16_t reason;
        uint8_t detail;
    } details[] = {{SWITCH_CONTEXT_COMPLETE, 0},
                   {SWITCH_WAIT_ON_SYNC_FLIP, 1},
                   {SWITCH_WAIT_ON_VBLANK, 2},
                   {SWITCH_WAIT_ON_SCANLINE, 3},
                   {SWITCH_WAIT_ON_SEMAPHORE, 4},
                   {SWITCH_PREEMPTED, 5},
                   {UINT16_MAX, 0}};
    unsigned i = 0;
    while (!(reasons & details[i].reason))
        i++;
    return details[i].detail;
}

static bool new_list(uint32_t reasons)
{
    return reasons & (SWITCH_IDLE_TO_ACTIVE | SWITCH_PREEMPTED);
}

/* Gen12 names the contexts instead of the switch: dw 0 the one that comes in (idle: all ones), bit 0 if it is
 * of a new list, dw 1 the one that leaves, and in bits 3:0 why. (TGL PRM vol 12; as the driver of Linux reads
 * it) */
static uint32_t gen12_context(struct context_descriptor d)
{
    const uint32_t id = d.high >> 5 & 0x7ffu, counter = d.high >> 23 & 0x3fu;
    return d.low & DESCRIPTOR_VALID ? counter << 26 | id << 15 : 0x7ffu << 15;
}

void gen12_status_entry(const struct switch_report *report, uint32_t dw[2])
{
    const uint32_t class = report->to.high >> 29, instance = report->to.high >> 16 & 0x3fu;
    dw[0] = gen12_context(report->to) | instance << 6 | class << 3 | (new_list(report->reasons) ? 1u : 0);
    dw[1] = gen12_context(report->from) | switch_detail(report->reasons);
}

/* Xe_HP: ids have sixteen bits, why is in the first dword, bit 1 of the second tells a new list. (Linux,
 * xehp_csb_parse) */
static uint32_t gen125_context(struct context_descriptor d)
{
    const uint32_t id = d.high >> 7 & 0xffffu, counter = d.high >> 26;
    return d.low & DESCRIPTOR_VALID ? counter << 26 | id << 10 : 0xffffu << 10;
}

void gen125_status_entry(const struct switch_report *report, uint32_t dw[2])
{
    dw[0] = gen125_context(report->to) | (uint32_t)report->instance << 4 | switch_detail(report->reasons);
    dw[1] = gen125_context(report->from) | (new_list(report->reasons) ? 1u << 1 : 0);
}

static bool status_store(struct engine *e, uint64_t address, const void *data, size_t size_bytes)
{
    if (!mmu_store(&e->mmu, SPACE_GGTT, address, data, size_bytes))
        return false;
    if (tracing(e->log, SOFTGT_TRACE_MEMORY))
        engine_trace_store(e, SPACE_GGTT, address, data, size_bytes);
    return true;
}

static void trace_status(const struct engine *e, struct context_descriptor from, uint32_t status)
{
    if (tracing(e->log, SOFTGT_TRACE_CONTEXTS))
        trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_CONTEXTS,
                                                  .kind = SOFTGT_EVENT_STATUS,
                                                  .unit = e->info->name,
                                                  .name = "status",
                                                  .address = from.high,
                                                  .value = status});
}

static void push(struct engine *e, const struct switch_report *r)
{
    struct status_fifo *const f = &e->status_fifo;
    trace_status(e, r->from, r->reasons);
    if (f->count < STATUS_FIFO_ENTRIES)
        f->entries[(f->first + f->count++) % STATUS_FIFO_ENTRIES] = *r;
    else
        f->lost++;
    engine_signal_event(e);
}

bool engine_status_pop(struct engine *e, struct switch_report *report)
{
    struct status_fifo *const f = &e->status_fifo;
    if (!f->count)
        return false;
    *report = f->entries[f->first % STATUS_FIFO_ENTRIES];
    f->first = (f->first + 1u) % STATUS_FIFO_ENTRIES;
    f->count--;
    f->half = 0;
    return true;
}

/* Entry, then pointer, then interrupt: software may look in between (CSP-19). False: a page is not there, the
 * engine stopped. */
static bool report(struct engine *e, uint32_t status, struct context_descriptor from,
                   struct context_descriptor to)
{
    const struct status_info *info = &e->info->status;
    const struct switch_report told = {
        .reasons = status, .from = from, .to = to, .instance = e->info->instance};
    if (e->execlists.by_guc) {
        push(e, &told);
        return true;
    }
    /* No status and no interrupt if all reasons of the switch are masked; without a reason its types count.
     * (CSP-20) */
    const uint32_t reasons = status & REASONS ? status & REASONS : status;
    if (!(reasons & ~engine_register(e, CSB_INTERRUPT_MASK)))
        return true;
    e->execlists.csb_write = (e->execlists.csb_write + 1u) % info->entries;
    uint32_t entry[2];
    info->entry(&told, entry);
    const uint64_t page = hardware_status_page(e);
    trace_status(e, from, status);
    if (info->in_registers) {
        engine_register_set(e, CONTEXT_STATUS_BUF + e->execlists.csb_write * 8u, entry[0]);
        engine_register_set(e, CONTEXT_STATUS_BUF + e->execlists.csb_write * 8u + 4u, entry[1]);
    }
    engine_register_set(e, CONTEXT_STATUS_PTR,
                        (engine_register(e, CONTEXT_STATUS_PTR) & ~15u) | e->execlists.csb_write);
    if (!status_store(e, page + (info->first_dw + e->execlists.csb_write * 2u) * 4u, entry, sizeof entry) ||
        !status_store(e, page + info->pointer_dw * 4u, &e->execlists.csb_write, 4))
        return false;
    engine_interrupt(e, INTERRUPT_CONTEXT_SWITCH);
    return true;
}

static bool valid(struct context_descriptor d)
{
    return d.low & DESCRIPTOR_VALID;
}

static void load_element(struct engine *e, unsigned element)
{
    e->execlists.current_element = element;
    e->context.current = e->execlists.executing.element[element];
    e->context.valid = true;
    e->totals.switches++;
    e->parse.state = SOFTGT_ENGINE_RUNNING;
    context_begin_restore(e);
}

/* The next valid element from `element` on; EXECLIST_ELEMENTS if there is none. */
static unsigned next_valid(const struct execlist *list, unsigned element)
{
    while (element < EXECLIST_ELEMENTS && !valid(list->element[element]))
        element++;
    return element;
}

/* Its first context from `element` on; none: not a valid one. */
static struct context_descriptor context_of(const struct execlist *list, unsigned element)
{
    const unsigned next = next_valid(list, element);
    return next < EXECLIST_ELEMENTS ? list->element[next] : (struct context_descriptor){0};
}

static void no_context(struct engine *e)
{
    e->context.valid = false;
    engine_drop_work(e);
    if (!e->mmu.function)
        return;
    engine_derive_function(e);
    engine_invalidate_tlb(e);
}

/* The pending list becomes the executing one. */
static void take_pending(struct engine *e)
{
    e->execlists.executing = e->execlists.pending;
    e->execlists.executing_valid = true;
    e->execlists.pending_valid = false;
    e->context.submitted_ns = e->execlists.submitted_ns;
    const unsigned first = next_valid(&e->execlists.executing, 0);
    if (first < EXECLIST_ELEMENTS) {
        load_element(e, first);
        return;
    }
    const bool had_context = e->context.valid;
    e->execlists.executing_valid = false;
    no_context(e);
    e->parse.state = SOFTGT_ENGINE_IDLE;
    if (had_context)
        engine_notify_context_changed(e, false);
}

/* The context that runs, again: a lite restore. */
static bool goes_on(const struct engine *e, struct context_descriptor next)
{
    return (next.low & ~0xfffu) == context_lrca(e) && !(next.low & DESCRIPTOR_FORCE_RESTORE);
}

static void switch_list(struct engine *e, uint32_t reason)
{
    const struct execlist *const pending = &e->execlists.pending;
    const struct context_descriptor last = e->context.current;
    const unsigned first = next_valid(pending, 0);
    const bool to_idle = first == EXECLIST_ELEMENTS;
    if (!to_idle && goes_on(e, pending->element[first])) {
        e->execlists.executing = e->execlists.pending;
        e->execlists.executing_valid = true;
        e->execlists.pending_valid = false;
        e->execlists.current_element = first;
        e->context.current = pending->element[first];
        if (context_reload_tail(e) &&
            report(e, SWITCH_PREEMPTED | SWITCH_LITE_RESTORE, last, e->context.current) &&
            e->parse.state == SOFTGT_ENGINE_WAITING)
            e->parse.reschedule = true;
        return;
    }
    if (!context_save(e))
        return;
    e->parse.state = SOFTGT_ENGINE_IDLE;
    if (report(e, SWITCH_PREEMPTED | reason | (to_idle ? SWITCH_ACTIVE_TO_IDLE : 0), last,
               context_of(pending, first)))
        take_pending(e);
}

static void execlists_idle(struct engine *e)
{
    if (!e->execlists.pending_valid)
        return;
    /* A list without a valid element, Preempt to Idle, says so too. (CSP-19) */
    if (report(e, SWITCH_IDLE_TO_ACTIVE, (struct context_descriptor){0},
               context_of(&e->execlists.pending, 0)))
        take_pending(e);
}

/* The current context is saved; the next one of its list, or none, follows. */
static void switch_element(struct engine *e, unsigned next, uint32_t reason)
{
    if (!context_save(e))
        return;
    const struct context_descriptor last = e->context.current;
    if (next < EXECLIST_ELEMENTS) {
        if (report(e, SWITCH_ELEMENT | reason, last, e->execlists.executing.element[next]))
            load_element(e, next);
        return;
    }
    no_context(e);
    e->execlists.executing_valid = false;
    e->parse.state = SOFTGT_ENGINE_IDLE;
    engine_notify_context_changed(e, false);
    report(e, SWITCH_ACTIVE_TO_IDLE | reason, last, (struct context_descriptor){0});
}

static void execlists_ring_empty(struct engine *e)
{
    if (!e->context.valid) { /* a ring that ran before execlists were enabled */
        e->parse.state = SOFTGT_ENGINE_IDLE;
        e->parse.reschedule = e->execlists.pending_valid;
        return;
    }
    const unsigned next = next_valid(&e->execlists.executing, e->execlists.current_element + 1u);
    /* Arbitration happens between two elements, too; after the last one there is nothing to preempt. (CSP-21)
     */
    if (e->execlists.pending_valid && (e->parse.arbitration || next == EXECLIST_ELEMENTS))
        switch_list(e, SWITCH_CONTEXT_COMPLETE);
    else
        switch_element(e, next, SWITCH_CONTEXT_COMPLETE);
}

static void execlists_arbitrate(struct engine *e)
{
    if (e->execlists.pending_valid && e->context.valid) {
        switch_list(e, e->parse.state == SOFTGT_ENGINE_WAITING ? e->wait.switch_reason : 0);
        return;
    }
    /* A wait lets the next element run, unless the context forbids it (CTXT_SR_CTL bit 3); from the last one
     * the engine goes idle, for the waits that the status can tell. (CSP-19) */
    const unsigned next = next_valid(&e->execlists.executing, e->execlists.current_element + 1u);
    if (e->parse.state != SOFTGT_ENGINE_WAITING || !e->execlists.executing_valid ||
        (next == EXECLIST_ELEMENTS && !e->wait.switch_reason) ||
        engine_register_bit(e, CTXT_SR_CTL, CTXT_SR_CTL_NO_SYNCHRONOUS_SWITCH))
        return;
    switch_element(e, next, e->wait.switch_reason);
}

static void take_list(struct engine *e, struct execlist list)
{
    e->execlists.pending = list;
    e->execlists.pending_valid = true;
    e->execlists.submitted_ns = e->log->now_ns;
    e->parse.reschedule = true;
}

static void submit(struct engine *e, struct execlist list, const char *port)
{
    if (!engine_execlists_enabled(e)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, 0,
                     "%s written while GFX_MODE does not enable execlists: ignored", port);
        return;
    }
    if (vfs_isolated(e)) {
        report_error(
            e->log, SOFTGT_GUEST_ERROR, e->info->name, 0,
            "%s written beside virtual functions, where the microcontroller alone submits: ignored (the "
            "driver has to use it: not enable_guc=0)",
            port);
        return;
    }
    if (e->execlists.pending_valid)
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, 0,
                     "%s written while an execlist is pending: that one is lost", port);
    e->execlists.by_guc = false;
    take_list(e, list);
}

void execlists_command(struct engine *e, struct context_descriptor next)
{
    e->execlists.by_guc = true;
    take_list(e, (struct execlist){.element = {next}});
}

/* Written four times: element 1 high, low, element 0 high, low; the last submits. */
void execlists_submit_port(struct engine *e, uint32_t value)
{
    uint32_t *const port = e->execlists.port;
    port[e->execlists.port_count++] = value;
    if (e->execlists.port_count < 4)
        return;
    e->execlists.port_count = 0;
    submit(e, (struct execlist){.element = {{port[3], port[2]}, {port[1], port[0]}}}, "EXECLIST_SUBMITPORT");
}

/* EXECLIST_CONTROL bit 0: what the queue registers hold is submitted. */
void execlists_load_queue(struct engine *e)
{
    struct execlist list = {0};
    for (unsigned i = 0; i < EXECLIST_ELEMENTS; i++) {
        list.element[i].low = engine_register(e, EXECLIST_SQ_CONTENTS + i * 8u);
        list.element[i].high = engine_register(e, EXECLIST_SQ_CONTENTS + i * 8u + 4u);
        /* A descriptor is taken once. */
        engine_register_set(e, EXECLIST_SQ_CONTENTS + i * 8u, 0);
        engine_register_set(e, EXECLIST_SQ_CONTENTS + i * 8u + 4u, 0);
    }
    submit(e, list, "EXECLIST_CONTROL");
}

/* EXECLIST_STATUS, low dword: current list 0, write pointer 1, queue full 2, list 1 and 0 valid 3 and 4,
 * active element 15:14, arbitration 16, list 0 active 18. (BDW PRM vol 2c) */
static uint32_t gen8_status(const struct engine *e)
{
    uint32_t value = 0;
    if (e->execlists.pending_valid)
        value |= 1u << 2 | 1u << 3;
    if (e->execlists.executing_valid)
        value |= 1u << 4 | 1u << 18 | (e->execlists.current_element + 1u) << 14;
    if (e->parse.arbitration)
        value |= 1u << 16;
    return value;
}

/* Gen11: bit 0 when the queue waits for nothing, bit 15 when no context runs; traces poll for either. */
static uint32_t gen11_status(const struct engine *e)
{
    return (e->execlists.pending_valid ? 0 : 1u << 0) | (e->context.valid ? 0 : 1u << 15) |
           (e->parse.arbitration ? 1u << 16 : 0);
}

const struct submission gen8_execlists = {.idle = execlists_idle,
                                          .ring_empty = execlists_ring_empty,
                                          .arbitrate = execlists_arbitrate,
                                          .port = {EXECLIST_SUBMITPORT, 0},
                                          .status = gen8_status};

const struct submission gen11_execlists = {.idle = execlists_idle,
                                           .ring_empty = execlists_ring_empty,
                                           .arbitrate = execlists_arbitrate,
                                           .port = {EXECLIST_SQ_CONTENTS, EXECLIST_CONTROL},
                                           .status = gen11_status};

void execlists_status_pointer(struct engine *e, uint32_t value)
{
    e->execlists.csb_write =
        (value & 15u) < e->info->status.entries ? value & 15u : e->info->status.entries - 1u;
}
