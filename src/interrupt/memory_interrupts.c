/*
 * Memory-based interrupts: writes FFh to the byte of the event, then to the byte of the source engine, then
 * sends an MSI to the function that owns the context. Registers neither mask nor acknowledge them: software
 * clears the bytes. (SYS-22; Linux, xe_memirq)
 */
#include "interrupt/interrupt.h"

enum { RAISED = 0xff };

/* False: the page is not mapped. A page outside system memory is reported and written. */
static bool raise_byte(struct interrupt *i, struct mmu *mmu, uint32_t address)
{
    const uint8_t raised = RAISED;
    struct translation t;
    if (!mmu_translate(mmu, SPACE_GGTT, address, &t)) {
        report_error(i->log, SOFTGT_GUEST_ERROR, "interrupt", address,
                     "memory-based interrupt lost: the page is not mapped");
        return false;
    }
    if (t.physical & MEMORY_LOCAL)
        report_error(i->log, SOFTGT_GUEST_ERROR, "interrupt", address,
                     "memory-based interrupt written to local memory: expected system memory");
    if (tracing(i->log, SOFTGT_TRACE_MEMORY))
        trace_event(i->log, (struct softgt_event){.what = SOFTGT_TRACE_MEMORY,
                                                  .unit = "interrupt",
                                                  .name = "store",
                                                  .address = address,
                                                  .value = raised,
                                                  .is_ggtt = true,
                                                  .size_bytes = sizeof raised});
    return mmu_store(mmu, SPACE_GGTT, address, &raised, sizeof raised);
}

void memirq_raise(struct interrupt *i, struct mmu *mmu, struct memirq_addresses at, uint32_t bits)
{
    bool told = true;
    for (uint32_t left = bits; left; left &= left - 1u)
        told = raise_byte(i, mmu, at.status + (uint32_t)__builtin_ctz(left)) && told;
    if (told && raise_byte(i, mmu, at.source))
        interrupt_send_function_message(i, mmu->function);
}
