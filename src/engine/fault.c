/* Page faults as drivers from Gen8 on look for them, and what an engine does then: it hangs. (CSP-23, REN-02)
 */
#include "engine/engine.h"

/* Where the ring fault register is, and the first of two with the address. */
struct fault_registers {
    uint16_t fault, data;
};

/* The first fault stays until it is cleared. */
static void note(struct engine *e, struct fault_registers at, enum space space, uint64_t address,
                 unsigned level)
{
    enum { VALID = 1, GGTT = 1 << 11 };
    if (space == SPACE_PPGTT) {
        engine_isr(e, INTERRUPT_PAGE_FAULT, INTERRUPT_PAGE_FAULT);
        engine_interrupt(e, INTERRUPT_PAGE_FAULT);
    }
    if (register_value(e->mmio, at.fault) & VALID)
        return;
    register_set(e->mmio, at.fault,
                 VALID | (level & 3u) << 1 | (space == SPACE_GGTT ? (uint32_t)GGTT : 0) |
                     (uint32_t)e->info->faults.id << 12);
    register_set(e->mmio, at.data, (uint32_t)(address >> 12));
    register_set(e->mmio, at.data + 4u,
                 (uint32_t)(address >> 44 & 0xfu) | (space == SPACE_GGTT ? 1u << 4 : 0));
}

void gen8_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    note(e, (struct fault_registers){0x4094, 0x4b10}, space, address, level);
}

void gen12_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    note(e, (struct fault_registers){0xcec4, 0xceb8}, space, address, level);
}

/* A shared unit fails: a catastrophic error, which RESET_CTL shows until software clears it or resets the
 * engine. (SYS-22; Linux, gen8_engine_reset_prepare) */
void gen125_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    gen12_note_fault(e, space, address, level);
    if (space != SPACE_GGTT)
        return;
    engine_register_set(e, RESET_CTL, engine_register(e, RESET_CTL) | RESET_CTL_CATASTROPHIC);
    /* Not one of the events that the streamer counts. */
    engine_raise(e, INTERRUPT_CATASTROPHIC);
}

/* A register for each engine; the first fault stays until it is cleared. (IVB PRM vol 1 part 3) */
void gen7_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    enum { RING_FAULT = 0x4094, APART = 0x100, VALID = 1, GGTT = 1 << 11 };
    const uint32_t offset = RING_FAULT + (uint32_t)e->info->faults.id * APART;
    if (!(register_value(e->mmio, offset) & VALID))
        register_set(e->mmio, offset,
                     VALID | (level & 3u) << 1 | (space == SPACE_GGTT ? (uint32_t)GGTT : 0) |
                         ((uint32_t)address & 0xfffff000u));
}

static const char *fault_text(const struct engine *e, enum space space, uint64_t address, bool write,
                              unsigned level)
{
    struct translation t;
    if (write && mmu_translate(&e->mmu, space, address, &t) && !t.writable)
        return "the page is read-only";
    return level == 0 ? "no valid page" : "no page directory entry";
}

void engine_fault(void *user, enum space space, uint64_t address, bool write, unsigned level)
{
    struct engine *e = user;
    e->totals.faults++;
    report_guest_error(e->log, SOFTGT_MISTAKE_FAULT, e->info->name, e->parse.command_address,
                       "page fault: %s of %s address %#llx, %s", write ? "write" : "read",
                       space == SPACE_GGTT ? "GGTT" : "PPGTT", (unsigned long long)address,
                       fault_text(e, space, address, write, level));
    e->info->faults.note(e, space, address, level);
    /* Nothing repairs the page: the engine hangs where it is. */
    if (e->parse.state != SOFTGT_ENGINE_STOPPED)
        engine_stop(e, STOP_PAGE_FAULT);
}

/* Drivers may rely on it, as for a scratch page, so that one report until the engine is reset is enough. */
void engine_write_dropped(void *user, enum space space, uint64_t address)
{
    struct engine *e = user;
    if (e->status.write_drop_reported)
        return;
    e->status.write_drop_reported = true;
    report_guest_error(e->log, SOFTGT_MISTAKE_OTHER, e->info->name, e->parse.command_address,
                       "write to read-only page dropped: %s address %#llx (reported once)",
                       space == SPACE_GGTT ? "GGTT" : "PPGTT", (unsigned long long)address);
}
