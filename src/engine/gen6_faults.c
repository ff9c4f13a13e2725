/*
 * Page faults of Gen6: one log for the device, with slots in registers of the render engine. Surface probing,
 * which GFX_MODE enables, lets software raise faults before it uses the pages. (REN-02, REN-03, REN-15)
 */
#include "engine/fetch.h"

enum {
    PP_PFIR = 0x4510,
    PP_PFD = 0x4580,
    PAGE_FAULT_SLOTS = 32,
    PROBE_SLOT_VALID = 0x540,
    SURFACE_FAULT_ENABLE = 1u << 12,
    SET_NOT_ENABLED = 2, /* the level of a fault for which no entry was fetched */
};

static bool faults_enabled(const struct engine *e)
{
    return register_value(e->mmio, GEN6_GFX_MODE) & SURFACE_FAULT_ENABLE;
}

/* ---- The log ---- */

static bool in_service(const struct engine *e)
{
    return e->status.isr & INTERRUPT_PAGE_FAULT;
}

/* Takes a slot of the log. False: there is none until software has served what is in it. */
static bool log_fault(struct engine *e, uint64_t address)
{
    const uint32_t slots = register_value(e->mmio, PP_PFIR);
    bool closed = slots == UINT32_MAX;
    for (unsigned i = 0; i < e->peers.count; i++)
        closed |= in_service(&e->peers.engines[i]);
    if (closed)
        return false;
    const uint32_t slot = (uint32_t)__builtin_ctz(~slots);
    register_set(e->mmio, PP_PFIR, slots | 1u << slot);
    register_set(e->mmio, PP_PFD + slot * 4u, (uint32_t)address & ~0xfffu);
    e->status.fault_slots |= 1u << slot;
    return true;
}

/* Reports the engine's logged faults; the log is closed until they are served. False: no faults are logged.
 */
static bool tell_faults(struct engine *e)
{
    if (!e->status.fault_slots || in_service(e))
        return false;
    engine_isr(e, INTERRUPT_PAGE_FAULT, INTERRUPT_PAGE_FAULT);
    engine_interrupt(e, INTERRUPT_PAGE_FAULT);
    return true;
}

/* A PPGTT fault takes a slot of the log and stalls the engine for good (REN-02). A fault in the GGTT, or in a
 * set of the directory that PP_DCLV does not enable, is a page table error (REN-01, REN-15). */
void gen6_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    enum { VALID = 1u };
    if (space != SPACE_PPGTT || e->mmu.root.mode != PPGTT_IN_GGTT || level >= SET_NOT_ENABLED) {
        engine_error(e, EIR_PAGE_TABLE);
        return;
    }
    if (log_fault(e, address))
        tell_faults(e);
    else
        e->status.unlogged_fault = ((uint32_t)address & ~0xfffu) | VALID;
}

/* Software cleared slots. An engine without outstanding faults continues; once all are served, engines that
 * found the log full retry. */
static void fault_indication_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    for (unsigned i = 0; i < e->peers.count; i++) {
        struct engine *peer = &e->peers.engines[i];
        peer->status.fault_slots &= w->value;
        if (!peer->status.fault_slots)
            engine_isr(peer, INTERRUPT_PAGE_FAULT, 0);
    }
    for (unsigned i = 0; i < e->peers.count; i++) {
        struct engine *peer = &e->peers.engines[i];
        const uint32_t fault = peer->status.unlogged_fault;
        if (fault && log_fault(peer, fault)) {
            peer->status.unlogged_fault = 0;
            tell_faults(peer);
        }
    }
}

/* ---- Surface probing ---- */

/* The list: page address, valid bit 0, bit 1 where the probe faulted. No manual here says where in the image
 * it is, nor where the registers with its valid bits are. */
enum { MI_PROBE = 0x25 << 23 };
enum { PROBE_VALID = 1u << 0, PROBE_FAULTED = 1u << 1, PROBE_SLOTS = 1024 };

static void set_slot_valid(struct engine *e, uint32_t slot, bool is_valid)
{
    const uint32_t offset = PROBE_SLOT_VALID + slot / 32u * 4u, bit = 1u << slot % 32u;
    engine_register_set(e, offset, (engine_register(e, offset) & ~bit) | (is_valid ? bit : 0));
}

static uint64_t probe_entry(const struct engine *e, uint32_t slot)
{
    return context_lrca(e) + e->info->contexts.probe_list_offset + slot * 4u;
}

static void probe(struct engine *e, uint32_t slot, uint32_t address)
{
    enum { PROBE_NS = 150 };
    struct translation t;
    if (e->parse.state == SOFTGT_ENGINE_STOPPED)
        return;
    e->log->cost.ns += PROBE_NS;
    const bool there = mmu_translate(&e->mmu, SPACE_PPGTT, address, &t);
    if (!there && t.level >= SET_NOT_ENABLED) { /* as any access: fatal (REN-01) */
        engine_fault(e, SPACE_PPGTT, address, false, t.level);
        return;
    }
    if (!there) {
        log_fault(e, address);
        e->status.probes_faulted = 1;
    }
    set_slot_valid(e, slot, true);
    if (e->context.valid)
        engine_store32(e, SPACE_GGTT, probe_entry(e, slot),
                       address | PROBE_VALID | (there ? 0 : (uint32_t)PROBE_FAULTED));
}

/* Both end the slice while work is left: the progress is the next of the command's probes, or PROBE_SLOTS
 * plus the next slot of the list. Return false then. */
static bool probe_each(struct execution *x)
{
    for (uint32_t i = (uint32_t)x->progress; i + 1u < x->length_dw; i++) {
        if (i > x->progress && command_ends_slice(x, i))
            return false;
        const uint32_t p = x->dw[i + 1u];
        probe(x->engine, p & (PROBE_SLOTS - 1u), p & ~0xfffu);
    }
    x->progress = 0;
    return true;
}

/* Checks the context's list after the context is restored. */
static bool probe_list(struct execution *x)
{
    struct engine *e = x->engine;
    const uint32_t first = x->progress < PROBE_SLOTS ? 0 : (uint32_t)(x->progress - PROBE_SLOTS);
    for (uint32_t slot = first; slot < PROBE_SLOTS; slot++) {
        if (!(engine_register(e, PROBE_SLOT_VALID + slot / 32u * 4u) >> slot % 32u & 1u))
            continue;
        if (slot > first && command_ends_slice(x, PROBE_SLOTS + slot))
            return false;
        probe(e, slot, (uint32_t)engine_load(e, SPACE_GGTT, probe_entry(e, slot), 4) & ~0xfffu);
    }
    x->progress = 0;
    return true;
}

/* Faults are reported after the last of consecutive probes. Hardware would switch the context; here no other
 * context can run, so the engine waits until the faults are served. */
static enum outcome probed(struct engine *e)
{
    if (e->parse.state == SOFTGT_ENGINE_STOPPED)
        return OUTCOME_FAULT;
    if (!e->status.probes_faulted)
        return OUTCOME_DONE;
    if (tell_faults(e) && e->context.valid) {
        context_save_registers(e);
        engine_interrupt(e, INTERRUPT_CONTEXT_SWITCH);
    }
    return wait_begin(e, (struct wait){.reason = WAIT_PROBE}) ? OUTCOME_WAIT : OUTCOME_DONE;
}

static enum outcome probed_list(struct execution *x)
{
    return probe_list(x) ? probed(x->engine) : OUTCOME_RESUME;
}

/* At the command that waits: once all is served the context is back, and its surfaces are looked at again. */
static enum outcome probe_again(struct execution *x)
{
    struct engine *e = x->engine;
    if (in_service(e))
        return probed(e);
    e->status.probes_faulted = 0;
    if (e->context.valid)
        return probed_list(x);
    return !(x->command->match == MI_PROBE) || probe_each(x) ? probed(e) : OUTCOME_RESUME;
}

static bool probes_follow(struct engine *e)
{
    uint32_t header;
    if (!stream_next_header(e, &header))
        return false;
    const struct command *c = e->commands.set->rows[command_find(e->commands.set, e->info->class, header)];
    return c && c->flags & COMMAND_PROBES;
}

enum outcome probe_surfaces(struct execution *x)
{
    struct engine *e = x->engine;
    if (x->progress >= PROBE_SLOTS)
        return probed_list(x);
    if (!faults_enabled(e)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_PROBE without Surface Fault Enable in GFX_MODE: ignored");
        return OUTCOME_DONE;
    }
    if (e->wait.reason == WAIT_PROBE)
        return probe_again(x);
    if (!probe_each(x))
        return OUTCOME_RESUME;
    return probes_follow(e) ? OUTCOME_DONE : probed(e);
}

enum outcome unprobe_surface(struct execution *x, uint32_t slot)
{
    struct engine *e = x->engine;
    if (x->progress)
        return probed_list(x);
    if (e->wait.reason == WAIT_PROBE)
        return probe_again(x);
    set_slot_valid(e, slot % PROBE_SLOTS, false);
    return probes_follow(e) ? OUTCOME_DONE : probed(e);
}

enum outcome probe_context(struct execution *x)
{
    if (x->progress)
        return probed_list(x);
    if (!faults_enabled(x->engine))
        return OUTCOME_DONE;
    return x->engine->wait.reason == WAIT_PROBE ? probe_again(x) : probed_list(x);
}

/* ESR bits that only a reset of the engine clears. */
static uint32_t page_table_errors_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct engine *e = at->owner;
    uint32_t engines = 0;
    for (unsigned i = 0; i < e->peers.count; i++)
        if (engine_register(&e->peers.engines[i], ESR) & EIR_PAGE_TABLE)
            engines |= 1u << e->peers.engines[i].info->faults.id;
    return engines;
}

#define ALL 0xffffffffu
static const struct reg rows[] = {
    {.name = "PGTBL_ER",
     .offset = 0x024,
     .before_read = page_table_errors_read,
     .summary = "Engines that met a page table error, by their fault id.",
     .spec = "REN-15"},
    {.name = "PROBE_SLOT_VALID",
     .offset = PROBE_SLOT_VALID,
     .count = PROBE_SLOTS / 32,
     .stride = 4,
     .writable = ALL,
     .summary = "Slots of the probe list that hold a page; the address is our choice.",
     .spec = "REN-03"},
    {.name = "PP_PFIR",
     .offset = PP_PFIR - 0x2000,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .w1c = ALL,
     .after_write = fault_indication_written,
     .summary = "Slots of the page fault log that hold a fault.",
     .spec = "REN-02"},
    {.name = "PP_PFD",
     .offset = PP_PFD - 0x2000,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .count = PAGE_FAULT_SLOTS,
     .stride = 4,
     .summary = "Page that was not there.",
     .spec = "REN-02"},
};

const struct register_block gen6_fault_registers = REGISTER_BLOCK("faults", rows);
