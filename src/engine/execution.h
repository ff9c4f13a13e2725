/* The interface of command functions: their input, and the functions that they may call. */
#ifndef ENGINE_EXECUTION_H
#define ENGINE_EXECUTION_H

#include "engine/engine.h"

#include <string.h>

/* Host time of one dword of budget, for work that is not counted in dwords: 65536 dwords last under a
 * millisecond. */
enum { BUDGET_DW_NS = 10 };

/* Budget of the cost beyond dwords; clears the cost. */
static inline uint64_t budget_take_cost_dw(struct device_log *w)
{
    const uint64_t ns = w->cost.ns;
    if (__builtin_expect(!ns, 1))
        return 0;
    const uint64_t dw = ns / BUDGET_DW_NS, spared_dw = dw < w->cost.spared_dw ? dw : w->cost.spared_dw;
    w->cost.ns = 0;
    w->cost.spared_dw -= spared_dw;
    w->cost.charged_dw += dw - spared_dw;
    return dw - spared_dw;
}

struct execution {
    struct engine *engine;
    const struct command *command;
    const uint32_t *dw; /* the command, length_dw long; guest memory: read a dword once */
    uint32_t length_dw;
    uint32_t header; /* dw[0], read once */
    const struct accessor *accessor;
    uint64_t progress; /* in and out, for a command that returns OUTCOME_RESUME: the part that is done */
    bool preemptible;  /* out, with OUTCOME_RESUME: another context may run before it resumes */
    bool privileged;   /* it comes from a ring or a privileged batch, or checks are off */
};

/* The field of a role after the header; 0 if the generation does not have it. Guest memory: call once per
 * field. */
static inline uint64_t command_field(const struct execution *x, unsigned role)
{
    return field_read(&x->command->places[role], x->dw, x->length_dw);
}

/* A field in the header; the header was read before. */
static inline uint32_t header_field(const struct execution *x, unsigned role)
{
    const struct field_place *p = &x->command->places[role];
    return (x->header & (uint32_t)p->mask) >> p->shift;
}

/* A field of one bit in the header. */
static inline bool command_flag(const struct execution *x, unsigned role)
{
    return (x->header & x->command->places[role].mask) != 0;
}

/* Base of the table of auxiliary surfaces, which leads to Gen12's compression state; 0: none. */
static inline uint64_t engine_aux_table(const struct engine *e)
{
    static const uint64_t TABLE = (UINT64_C(1) << 48) - (1u << 15);
    const uint32_t base = e->info->aux_table_base_register;
    return base ? ((uint64_t)register_value(e->mmio, base + 4u) << 32 | register_value(e->mmio, base)) & TABLE
                : 0;
}

void engine_trace_store(struct engine *e, enum space space, uint64_t address, const void *data,
                        size_t size_bytes);
void engine_store_slow(struct engine *e, enum space space, uint64_t address, const void *data,
                       size_t size_bytes);

/* Bytes that were stored together; that were loaded. */
static inline void engine_count_stored(struct engine *e, enum space space, uint64_t address,
                                       uint64_t size_bytes)
{
    memory_count_stored(&e->totals.memory, &e->mmu, space, address, size_bytes);
}

static inline void engine_count_loaded(struct engine *e, enum space space, uint64_t address,
                                       uint64_t size_bytes)
{
    memory_count_loaded(&e->totals.memory, &e->mmu, space, address, size_bytes);
}

/* A store of the engine: counted and traced when done; not done at a fault. */
static inline void engine_store(struct engine *e, enum space space, uint64_t address, const void *data,
                                size_t size_bytes)
{
    uint8_t *host = mmu_cached(&e->mmu, space, address, size_bytes, true);
    if (__builtin_expect(host != NULL && !tracing(e->log, SOFTGT_TRACE_MEMORY), 1)) {
        e->totals.memory.stores++;
        engine_count_stored(e, space, address, size_bytes);
        memcpy(host, data, size_bytes);
    } else {
        engine_store_slow(e, space, address, data, size_bytes);
    }
}

static inline void engine_store32(struct engine *e, enum space space, uint64_t address, uint32_t value)
{
    engine_store(e, space, address, &value, 4);
}

static inline void engine_store64(struct engine *e, enum space space, uint64_t address, uint64_t value)
{
    engine_store(e, space, address, &value, 8);
}

/* False: a fault, and the value is zero. */
static inline bool engine_load_into(struct engine *e, enum space space, uint64_t address, void *value,
                                    size_t size_bytes)
{
    const uint8_t *host = mmu_cached(&e->mmu, space, address, size_bytes, false);
    if (__builtin_expect(host == NULL, 0)) {
        if (!mmu_load(&e->mmu, space, address, value, size_bytes))
            return false;
    } else {
        memcpy(value, host, size_bytes);
    }
    engine_count_loaded(e, space, address, size_bytes);
    return true;
}

static inline uint64_t engine_load(struct engine *e, enum space space, uint64_t address, size_t size_bytes)
{
    uint64_t value = 0;
    engine_load_into(e, space, address, &value, size_bytes);
    return value;
}

/* A fault stopped the engine: the rest of the command is not done. */
static inline bool engine_faulted(const struct engine *e)
{
    return e->parse.state == SOFTGT_ENGINE_STOPPED;
}

static inline enum space space_of_global_gtt_flag(uint64_t use_global_gtt)
{
    return use_global_gtt ? SPACE_GGTT : SPACE_PPGTT;
}

/* Ends the slice of a command that continues at `next`, where the work so far takes time: a reset of an
 * engine, memory that cannot be mapped. After a reset of its own engine the command does not continue. */
static inline bool command_ends_slice(struct execution *x, uint32_t next)
{
    enum { LASTS_NS = 20000 };
    if (__builtin_expect(x->engine->log->cost.ns < LASTS_NS, 1))
        return false;
    x->progress = x->engine->parse.state == SOFTGT_ENGINE_RUNNING ? next : 0;
    return true;
}

/* Completed dwords, at most the length. A loaded state, or a command that a guest replaced, can have any
 * progress. */
static inline uint32_t command_done_dw(const struct execution *x)
{
    return x->progress < x->length_dw ? (uint32_t)x->progress : x->length_dw;
}

void command_register_write_slow(struct execution *x, uint32_t offset, uint32_t value, uint32_t byte_enables);

/* The register bits that a command changes by a plain store; 0: the write has other effects. */
static inline uint32_t command_register_direct(const struct execution *x, uint32_t offset)
{
    const struct engine *e = x->engine;
    const bool is_privileged = x->privileged;
    if (__builtin_expect(offset >= e->mmio->size_bytes ||
                             !(offset - e->info->mmio_base < e->rules.short_bytes[is_privileged]) ||
                             (e->parse.restoring && e->info->class_alias),
                         0))
        return 0;
    return e->mmio->slots[e->mmio->slot_at[offset / 4u]].direct_writable[is_privileged];
}

/* A register write by a command: the rules for non-privileged batches, then the one write path; a plain store
 * where that is all it comes to. */
static inline void command_register_write(struct execution *x, uint32_t offset, uint32_t value,
                                          uint32_t byte_enables)
{
    struct register_file *f = x->engine->mmio;
    const uint32_t writable = command_register_direct(x, offset);
    if (__builtin_expect(writable && byte_enables == 0xf && !tracing(f->log, SOFTGT_TRACE_REGISTERS), 1)) {
        uint32_t *const value_place = &f->value[offset / 4u];
        *value_place = (*value_place & ~writable) | (value & writable);
    } else {
        command_register_write_slow(x, offset, value, byte_enables);
    }
}

/*
 * Register writes of pairs (offset, value) from dword `i` on, as command_register_write does them, for as
 * long as each is a plain store. The register is at base + (offset & mask). Returns the dword of the first
 * pair that is not written, or the length. What is read of guest memory without being written is read again:
 * nothing was decided by it.
 */
static inline uint32_t command_registers_write_plain(const struct execution *x, uint32_t i, uint32_t base,
                                                     uint32_t mask)
{
    const struct engine *const e = x->engine;
    struct register_file *const f = e->mmio;
    if (tracing(f->log, SOFTGT_TRACE_REGISTERS) || e->log->cost.ns ||
        (e->parse.restoring && e->info->class_alias))
        return i;
    const bool is_privileged = x->privileged;
    const uint16_t *const slot_at = f->slot_at;
    const struct register_slot *const slots = f->slots;
    const uint32_t *const dw = x->dw;
    uint32_t *const values = f->value;
    const uint32_t own = e->info->mmio_base, own_bytes = e->rules.short_bytes[is_privileged],
                   size_bytes = f->size_bytes, length_dw = x->length_dw;
    for (; i + 1u < length_dw; i += 2) {
        const uint32_t offset = base + (*(const volatile uint32_t *)&dw[i] & mask);
        if (offset >= size_bytes || offset - own >= own_bytes)
            break;
        const uint32_t writable = slots[slot_at[offset / 4u]].direct_writable[is_privileged];
        if (!writable)
            break;
        uint32_t *const value = &values[offset / 4u];
        *value = (*value & ~writable) | (dw[i + 1u] & writable);
    }
    return i;
}

/* A unit changes bits of its own register, with the effects of a software write. */
static inline void command_register_set_bits(struct engine *e, uint32_t offset, uint32_t bits, uint32_t mask)
{
    register_write(e->mmio, e->info->mmio_base + offset, mask << 16 | bits, 0xf, &e->accessor.privileged);
}

/* A flush is complete. */
static inline void engine_flushed(struct engine *e)
{
    if (e->info->flush)
        e->info->flush->flushed(e);
}

/* Flushes after which contexts lose some state until it is set again. (REN-31, REN-34) */
static inline void engine_invalidate_indirect_state(struct engine *e)
{
    for (unsigned i = 0; i < INDIRECT_MAX && e->commands.indirect_state[i]; i++)
        pipeline_invalidate(&e->pipeline, e->commands.set->rows[e->commands.indirect_state[i]]->match,
                            0xffff0000u);
}

static inline void engine_invalidate_media_state(struct engine *e)
{
    pipeline_invalidate(&e->pipeline, 0x70000000u, 0xff000000u);
}

uint32_t command_register_read(const struct execution *x, uint32_t offset);
/* A privileged command in a non-privileged batch becomes MI_NOOP; the error is noted. (CSP-15) */
enum outcome command_dropped(const struct execution *x);
/* The same, where the caller has already traced the event. */
enum outcome command_drop(const struct execution *x);
/* A command of a non-secure batch asks for the GGTT and is done in the PPGTT instead (ggtt_falls_back): an
 * error once, however often a command that waits is looked at. (REN-16) */
void command_fall_back(const struct execution *x);
/* A command that stores by an index has a status page. A non-privileged batch has only the context's page;
 * without a context the store is dropped and reported. (REN-29, REN-35) */
bool command_has_status_page(const struct execution *x);
/* Traces that this command was not executed, against its earlier event. */
void command_not_done(const struct execution *x, enum softgt_event_kind kind);
/* The condition of MI_SET_PREDICATE holds: commands become MI_NOOP. (CSP-11) */
bool engine_predicate_is_noop(const struct engine *e);
/* MI_SET_PREDICATE or INSTPM disables the command. */
bool command_predicated(const struct engine *e, const struct command *c);
bool command_disabled(const struct engine *e, const struct command *c);
/* This command may write the register. */
bool command_register_allowed(const struct execution *x, uint32_t offset);
/* Reports a denied write: the command continues without it. */
enum outcome command_register_denied(const struct execution *x, uint32_t offset);

/* The engine's own status page. */
static inline uint64_t hardware_status_page(const struct engine *e)
{
    return engine_register(e, e->info->hws_pga) & ~0xfffu;
}

/* A command with Predicate Enable is MI_NOOP while MI_PREDICATE_RESULT is clear. The chapter of CSP-12 says
 * "set"; the command's own pages and every driver say clear. */
static inline bool command_is_predicated_away(const struct execution *x, bool enable)
{
    struct engine *e = x->engine;
    const bool away = enable && !(engine_register(e, MI_PREDICATE_RESULT) & 1u);
    e->totals.skipped += away;
    if (away)
        command_not_done(x, SOFTGT_EVENT_SKIPPED);
    return away;
}

/* Base of the status page that Store Data Index goes to: the context's with execlists, else the engine's. */
uint64_t store_index_status_page(const struct engine *e);

/* Where MI_REPORT_HEAD and the automatic report write: in the page of the context, where contexts are
 * submitted, else in the engine's. (REN-32, VCS-06, CSP-22) */
uint64_t head_report_address(const struct engine *e);

/* The bits of a masked register set in the low half. */
static inline bool engine_register_bit(const struct engine *e, uint32_t offset, uint32_t bit)
{
    return engine_register(e, offset) & bit;
}

#endif
