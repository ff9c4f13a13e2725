/* Stores of a memory client that the TLB does not have; stores and loads that are traced. */
#include "memory/client.h"

void memory_client_store_slow(struct memory_client *c, enum space space, uint64_t address, const void *data,
                              size_t size_bytes)
{
    uint64_t value = 0;
    if (!mmu_store(c->mmu, space, address, data, size_bytes))
        return;
    c->counters->stores++;
    memory_count_stored(c->counters, c->mmu, space, address, size_bytes);
    if (!tracing(c->log, SOFTGT_TRACE_MEMORY))
        return;
    memcpy(&value, data, size_bytes < 8 ? size_bytes : 8);
    trace_event(c->log, (struct softgt_event){.what = SOFTGT_TRACE_MEMORY,
                                              .unit = c->unit,
                                              .name = "store",
                                              .address = address,
                                              .value = value,
                                              .is_ggtt = space == SPACE_GGTT,
                                              .size_bytes = (unsigned)size_bytes});
}

void memory_client_trace_load(const struct memory_client *c, const char *name, uint64_t address,
                              uint64_t size_bytes)
{
    if (tracing(c->log, SOFTGT_TRACE_LOADS))
        trace_event(c->log, (struct softgt_event){.what = SOFTGT_TRACE_LOADS,
                                                  .unit = c->unit,
                                                  .name = name,
                                                  .address = address,
                                                  .size_bytes = (unsigned)size_bytes});
}
