/* Registers as commands reach them: what batches of users may write. (CSP-15, CSP-16) */
#include "engine/execution.h"

enum { NONPRIV_REGISTERS = 12, NONPRIV_DENIES = 1u << 30 };

/* A FORCE_TO_NONPRIV register: bits 25:2 hold an offset; from Gen11 on bits 1:0 make it a range of 1, 4, 16
 * or 64 registers, bits 29:28 the access (1: to read only, 3: none), and bit 30 denies what the fixed list
 * allows. */
static struct nonpriv_range nonpriv_place(const struct engine *e, uint32_t value)
{
    const uint32_t offset = value & 0x03fffffcu,
                   bytes = e->info->privileges.nonpriv_ranges ? 4u << 2u * (value & 3u) : 4u,
                   first = offset & ~(bytes - 1u);
    return (struct nonpriv_range){first, first + bytes, false};
}

struct nonpriv_range engine_nonpriv_range(const struct engine *e, uint32_t value)
{
    struct nonpriv_range r = nonpriv_place(e, value);
    if (!e->info->privileges.nonpriv_ranges)
        return r;
    r.denied = value & NONPRIV_DENIES;
    if (!r.denied && value & 1u << 28)
        r.end = r.first;
    return r;
}

/* The PF driver's settings do not apply to isolated VFs: their contexts may access what drivers usually open.
 */
static uint32_t nonpriv_at(const struct engine *e, unsigned i)
{
    const uint32_t *opened = e->info->privileges.default_whitelist;
    if (!engine_runs_vf_context(e))
        return engine_register(e, FORCE_TO_NONPRIV + i * 4u);
    for (; opened && *opened && i; i--)
        opened++;
    return opened ? *opened : 0;
}

static struct nonpriv_range nonpriv_range_at(const struct engine *e, unsigned i)
{
    return engine_nonpriv_range(e, nonpriv_at(e, i));
}

/* It is for drivers of virtual functions, not for their users: which bit says so is our choice. (SYS-04) */
static bool of_driver(const struct engine *e, unsigned i)
{
    return e->mmu.memory->vf_count && nonpriv_at(e, i) & 1u << 31;
}

/* While one denies, batches of users write the long way; drivers of virtual functions always do, and
 * with isolated VFs everybody does. */
void engine_derive_privileges(struct engine *e)
{
    e->rules.short_bytes[0] = ENGINE_BYTES;
    e->rules.short_bytes[1] = e->mmu.function || vfs_isolated(e) ? 0
                              : e->mmio->is_reachable            ? ENGINE_BYTES
                                                                 : UINT32_MAX;
    for (unsigned i = 0; e->info->privileges.nonpriv_ranges && i < NONPRIV_REGISTERS; i++)
        if (nonpriv_at(e, i) & NONPRIV_DENIES && !of_driver(e, i))
            e->rules.short_bytes[0] = 0;
}

/* ---- Virtual functions (SYS-04) ---- */

/* An image brings what a save writes. */
static bool in_image(const struct engine *e, uint32_t offset)
{
    for (uint32_t i = 0; i < e->images.context.value_count; i++)
        if (e->images.context.values[i].offset == offset)
            return true;
    return false;
}

/* An image also loads the addresses of memory-based interrupts, which no save writes. */
static bool comes_with_context(const struct engine *e, uint32_t offset)
{
    const uint32_t at = offset - e->info->mmio_base;
    return in_image(e, offset) ||
           (e->info->contexts.has_memirq && (at == INT_STATUS_RPT_PTR || at == INT_SRC_RPT_PTR));
}

bool engine_register_belongs_to_vf(const struct engine *e, uint32_t offset, unsigned function)
{
    enum { CLOCK = 0x358, CLOCK_BYTES = 8 }; /* TIMESTAMP is everybody's */
    if (register_belongs_to_vf(e->mmio, offset))
        return true;
    if (!vfs_isolated(e))
        return false;
    const void *const owner = register_slot_at(e->mmio, offset)->owner;
    for (unsigned i = 0; owner && i < e->peers.count; i++) {
        const struct engine *const peer = &e->peers.engines[i];
        if (owner == peer)
            return peer->mmu.function && peer->mmu.function != function && comes_with_context(peer, offset) &&
                   offset - (peer->info->mmio_base + CLOCK) >= CLOCK_BYTES;
    }
    return false;
}

/* To the commands of an engine, read or written. */
static bool is_others(const struct engine *e, uint32_t offset)
{
    return engine_register_belongs_to_vf(e, offset, e->mmu.function);
}

static bool is_of_peer(const struct engine *e, const void *owner)
{
    bool of = false;
    for (unsigned i = 0; i < e->peers.count; i++)
        of |= owner == &e->peers.engines[i] && owner != e;
    return of;
}

/* Registers that non-privileged batches may write: an engine's own, and those of the units that run its
 * threads. (CSP-16) */
static bool is_users(const struct engine *e, const struct register_slot *slot)
{
    if (slot->owner == e)
        return slot->flags & (REG_NONPRIV_WRITE | REG_RENDER_NONPRIV_WRITE);
    return slot->flags & REG_RENDER_NONPRIV_WRITE && engine_has_threads(e) && !is_of_peer(e, slot->owner);
}

/* Of a virtual function's driver: what users may write; of its own engine's registers those that nothing but
 * its context depends on; what the physical function's driver opens for it, and not what that denies. */
static bool function_allowed(const struct execution *x, const struct register_slot *slot, uint32_t offset)
{
    struct engine *e = x->engine;
    bool allowed = in_image(e, offset) || is_users(e, slot) ||
                   (slot->owner == e && slot->flags & REG_IMAGE && stream_is_image(e));
    for (unsigned i = 0; e->info->privileges.nonpriv_list && i < NONPRIV_REGISTERS; i++) {
        const struct nonpriv_range r = nonpriv_range_at(e, i);
        if (offset - r.first >= r.end - r.first)
            continue;
        if (r.denied)
            return false;
        allowed = true;
    }
    return allowed;
}

bool command_register_allowed(const struct execution *x, uint32_t offset)
{
    struct engine *e = x->engine;
    const struct register_slot *slot = register_slot_at(e->mmio, offset);
    if (is_others(e, offset))
        return false;
    if (x->privileged)
        return !e->mmu.function || function_allowed(x, slot, offset);
    bool allowed = is_users(e, slot);
    for (unsigned i = 0; e->info->privileges.nonpriv_list && i < NONPRIV_REGISTERS; i++) {
        const struct nonpriv_range r = nonpriv_range_at(e, i);
        if (offset - r.first >= r.end - r.first || of_driver(e, i))
            continue;
        if (r.denied)
            return false;
        allowed = true;
    }
    return allowed;
}

enum outcome command_register_denied(const struct execution *x, uint32_t offset)
{
    struct engine *e = x->engine;
    e->totals.dropped++;
    command_not_done(x, SOFTGT_EVENT_DENIED);
    report_guest_error(e->log, SOFTGT_MISTAKE_DENIED, e->info->name, e->parse.command_address,
                       "%s: register %05x is privileged: not written", x->command->name, offset);
    engine_error(e, EIR_PRIVILEGE);
    return OUTCOME_DONE;
}

void command_register_write_slow(struct execution *x, uint32_t offset, uint32_t value, uint32_t byte_enables)
{
    struct engine *e = x->engine;
    if (__builtin_expect(x->accessor->kind == ACCESSOR_RESTORE, 0)) {
        /* Images of a class may name its registers at another instance's base; INDIRECT_CTX is none. */
        const struct engine_info *info = e->info;
        if (stream_is_image(e) && info->class_alias && offset - info->class_alias < ENGINE_BYTES)
            offset = offset - info->class_alias + info->mmio_base;
        if ((e->mmu.function || vfs_isolated(e)) && !command_register_allowed(x, offset)) {
            command_register_denied(x, offset);
            return;
        }
    } else if (!command_register_allowed(x, offset)) {
        command_register_denied(x, offset);
        return;
    }
    if (register_is_reachable(e->mmio, offset, e->info->mmio_base + RING_BUFFER_TAIL, true))
        register_write(e->mmio, offset, value, byte_enables, x->accessor);
}

/* Registers that a virtual function's context cannot read: other engines' registers, other contexts'
 * descriptors, the LMTT base, and those outside the GT: stolen memory, VF configuration, doorbells. Its own
 * engine's it reads wherever they are. (SYS-04, SYS-07, SYS-08) */
static bool function_may_read(const struct engine *e, uint32_t offset)
{
    enum { OTHERS_FIRST = 0x100000, OTHERS_END = 0x1a0000, GT_END = 0x240000 };
    const struct register_slot *const slot = register_slot_at(e->mmio, offset);
    return !is_of_peer(e, slot->owner) && !(slot->flags & REG_PF_ONLY) &&
           (slot->owner == e || offset < OTHERS_FIRST || (offset >= OTHERS_END && offset < GT_END));
}

/* Opened for reads: without bit 29, and not to deny writes. */
static bool opened_for_reads(const struct engine *e, uint32_t offset)
{
    enum { NO_READS = 1u << 29 };
    for (unsigned i = 0; e->info->privileges.nonpriv_list && i < NONPRIV_REGISTERS; i++) {
        const uint32_t value = nonpriv_at(e, i);
        const struct nonpriv_range r = nonpriv_place(e, value);
        if (!(value & (NONPRIV_DENIES | NO_READS)) && !of_driver(e, i) && offset - r.first < r.end - r.first)
            return true;
    }
    return false;
}

/* A batch of users reads what is not private; there and elsewhere what is opened for it. (SYS-19) */
static bool users_may_read(const struct execution *x, uint32_t offset)
{
    return x->privileged || !(register_slot_at(x->engine->mmio, offset)->flags & REG_NONPRIV_READ_DENIED) ||
           opened_for_reads(x->engine, offset);
}

uint32_t command_register_read(const struct execution *x, uint32_t offset)
{
    const struct engine *const e = x->engine;
    if (__builtin_expect(!users_may_read(x, offset), 0)) {
        report_guest_error(e->log, SOFTGT_MISTAKE_DENIED, e->info->name, e->parse.command_address,
                           "%s: register %05x is privileged: reads 0", x->command->name, offset);
        return 0;
    }
    if (__builtin_expect(is_others(e, offset) || (e->mmu.function && !function_may_read(e, offset)), 0)) {
        report_error(x->engine->log, SOFTGT_GUEST_ERROR, x->engine->info->name,
                     x->engine->parse.command_address, "%s: register %05x is none of this function: reads 0",
                     x->command->name, offset);
        return 0;
    }
    if (!register_is_reachable(e->mmio, offset, e->info->mmio_base + RING_BUFFER_TAIL, false))
        return 0;
    return register_read(x->engine->mmio, offset, 0xf, x->accessor);
}

enum outcome command_drop(const struct execution *x)
{
    struct engine *e = x->engine;
    e->totals.dropped++;
    report_guest_error(e->log, SOFTGT_MISTAKE_DROPPED, e->info->name, e->parse.command_address,
                       "%s is privileged: MI_NOOP in a non-privileged batch", x->command->name);
    engine_error(e, EIR_PRIVILEGE);
    return OUTCOME_DONE;
}

enum outcome command_dropped(const struct execution *x)
{
    command_not_done(x, SOFTGT_EVENT_DROPPED);
    return command_drop(x);
}

void command_fall_back(const struct execution *x)
{
    struct engine *e = x->engine;
    if (e->wait.reason)
        return;
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                 "%s: the GGTT is not for a non-secure batch, PPGTT it is", x->command->name);
    engine_error(e, EIR_MEMORY_PRIVILEGE);
}

bool command_has_status_page(const struct execution *x)
{
    struct engine *e = x->engine;
    if (x->privileged || e->context.valid)
        return true;
    e->totals.dropped++;
    command_not_done(x, SOFTGT_EVENT_DROPPED);
    report_error(e->log, SOFTGT_NOT_MODELLED, e->info->name, e->parse.command_address,
                 "%s: no context is set, so a non-secure batch has no status page: nothing is stored",
                 x->command->name);
    return false;
}
