/* Ring mode (legacy submission): the CPU owns the ring registers. A write of RING_BUFFER_TAIL wakes the
 * engine; it parses from RING_BUFFER_HEAD to RING_BUFFER_TAIL and is idle when they are equal. Contexts
 * change by MI_SET_CONTEXT only. HEAD wraps at the ring's length; a valid UHPTR replaces it. Not modelled:
 * preemption in ring mode, which the hardware does not have either, but for UHPTR. (OVR-05, OVR-10, REN-10 to
 * REN-12) */
#include "engine/execution.h"

static void ring_idle(struct engine *e)
{
    if (!(engine_register(e, RING_BUFFER_CTL) & RING_BUFFER_CTL_ENABLE))
        return;
    while (e->parse.depth)
        stream_pop(e);
    e->parse.state = SOFTGT_ENGINE_RUNNING;
}

static void ring_ring_empty(struct engine *e)
{
    e->parse.state = SOFTGT_ENGINE_IDLE;
}

static void ring_arbitrate(struct engine *e)
{
    (void)e;
}

const struct submission ring_submission = {
    .idle = ring_idle, .ring_empty = ring_ring_empty, .arbitrate = ring_arbitrate};

bool ring_uhptr_is_pending(const struct engine *e)
{
    enum { INVALIDATE_UHPTR = 1u << 11 };
    return engine_register(e, UHPTR) & UHPTR_VALID && engine_register(e, MI_MODE) & INVALIDATE_UHPTR;
}

void ring_invalidate_uhptr(struct engine *e)
{
    const uint32_t pending = engine_register(e, UHPTR);
    if (ring_uhptr_is_pending(e) && ring_head(e) == (pending & ~7u))
        engine_register_set(e, UHPTR, pending & ~(uint32_t)UHPTR_VALID);
}

bool ring_apply_uhptr(struct engine *e)
{
    enum { BATCH = 1u << 0 };
    const uint32_t pending = engine_register(e, UHPTR), head = pending & ~7u;
    if (!(pending & UHPTR_VALID) || e->submission == e->info->contexts.execlists)
        return false;
    engine_register_set(e, UHPTR, head);
    if (head == ring_head(e))
        return false;
    if (e->parse.depth) {
        engine_register_set(e, BB_PREEMPT_ADDR, (uint32_t)e->parse.command_address);
        engine_register_set(e, RING_BUFFER_HEAD_PREEMPT_REG, (ring_head(e) & 0x1ffffcu) | BATCH);
    } else {
        const uint32_t start = engine_register(e, RING_BUFFER_START);
        engine_register_set(e, RING_BUFFER_HEAD_PREEMPT_REG, (uint32_t)e->parse.command_address - start);
    }
    while (e->parse.depth)
        stream_pop(e);
    /* The wrap count, too, is UHPTR's from here on. */
    engine_register_set(e, RING_BUFFER_HEAD, head);
    ring_load(e);
    return true;
}

uint64_t head_report_address(const struct engine *e)
{
    return (e->submission == &ring_submission ? hardware_status_page(e) : store_index_status_page(e)) +
           4u * 4u;
}

void ring_report_head(struct engine *e)
{
    static const uint8_t pages[] = {0, 16, 1, 32}; /* RING_BUFFER_CTL 2:1; 2 is the video engine's (VCS-06) */
    /* Pages since the head was written, the wrapped ones counted. */
    const uint32_t length_pages = (engine_register(e, RING_BUFFER_CTL) >> 12 & 0x1ffu) + 1u;
    const uint32_t head = ring_head(e), page = (head >> 21) * length_pages + (head & 0x1fffffu) / PAGE_BYTES;
    const uint32_t old = e->status.head_report_page;
    const uint32_t every = pages[engine_register(e, RING_BUFFER_CTL) >> 1 & 3u];
    e->status.head_report_page = page;
    if (every && old != UINT32_MAX && old / every != page / every)
        engine_store32(e, SPACE_GGTT, head_report_address(e), head);
}
