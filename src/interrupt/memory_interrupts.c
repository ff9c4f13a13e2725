/*
 * Interrupts that are told in memory: each event has a byte, and who raised it has one among the sources,
 * that become FFh one after the other; then a message goes out, to whose context it is. No register masks,
 * holds back or acknowledges: software takes the bytes back. (SYS-22; Linux, xe_memirq)
 */
#include "interrupt/interrupt.h"

enum { RAISED = 0xff };

/* False: there is no page. A page that is not system memory is told, and written. */
static bool raise_byte(struct interrupt *i, struct mmu *mmu, uint32_t address)
{
    const uint8_t raised = RAISED;
    struct translation t;
    if (!mmu_translate(mmu, SPACE_GGTT, address, &t)) {
        report_error(i->log, SOFTGT_GUEST_ERROR, "interrupt", address,
                     "an interrupt that is told in memory where no page is: it is lost");
        return false;
    }
    if (t.physical & MEMORY_LOCAL)
        report_error(i->log, SOFTGT_GUEST_ERROR, "interrupt", address,
                     "an interrupt is told in local memory: it must be system memory");
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
