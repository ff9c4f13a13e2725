/* Where commands come from: the ring, batches, images; pages of them, and commands that cross pages. (REN-10,
 * OVR-05) */
#include "engine/fetch.h"

void stream_push(struct engine *e, enum stream_kind kind, enum space space, uint64_t address, bool trusted)
{
    struct parse_state *p = &e->parse;
    if (p->depth + 1u < STREAMS)
        p->depth++;
    p->streams[p->depth] = (struct stream){
        .space = (uint8_t)space, .kind = (uint8_t)kind, .started_privileged = trusted, .end = UINT64_MAX};
    stream_seek(e, p->depth, address);
}

void stream_pop(struct engine *e)
{
    struct parse_state *p = &e->parse;
    const bool was_encrypted = p->streams[p->depth].encrypted;
    if (p->streams[p->depth].kind == STREAM_POWER_UP) {
        p->state = SOFTGT_ENGINE_IDLE;
        p->reschedule = true;
    }
    p->streams[p->depth] = (struct stream){0};
    e->cursors[p->depth] = (struct cursor){0};
    p->depth--;
    if (was_encrypted)
        engine_derive_skip(e);
}

unsigned stream_batch_level(const struct engine *e)
{
    unsigned level = 0;
    for (unsigned i = 1; i <= e->parse.depth; i++)
        level += e->parse.streams[i].kind == STREAM_BATCH;
    return level;
}

bool stream_privileged(const struct engine *e, unsigned depth)
{
    const struct stream *s = &e->parse.streams[depth];
    return s->started_privileged &&
           (s->space == SPACE_GGTT ||
            (engine_register(e, GFX_MODE) & GFX_MODE_NO_PRIVILEGE_CHECK && !engine_runs_vf_context(e)));
}

static void look_again(struct engine *e)
{
    for (unsigned i = 0; i < STREAMS; i++)
        stream_seek(e, i, stream_address(e, i));
}

void engine_drop_host_pointers(struct engine *e)
{
    mmu_remap(&e->mmu);
    look_again(e);
}

void engine_invalidate_tlb(struct engine *e)
{
    mmu_invalidate(&e->mmu);
    look_again(e);
}

/* ---- The ring ---- */

static uint32_t size_under(uint32_t ctl)
{
    return (ctl & 0x1ff000u) + PAGE_BYTES;
}

static uint32_t ring_size(const struct engine *e)
{
    return size_under(engine_register(e, RING_BUFFER_CTL));
}

static uint32_t ring_start(const struct engine *e)
{
    return engine_register(e, RING_BUFFER_START) & ~0xfffu;
}

uint32_t ring_head_with_ctl(const struct engine *e, uint32_t ctl)
{
    uint32_t head = (uint32_t)(stream_address(e, 0) - ring_start(e)), wraps = e->parse.streams[0].wraps;
    if ((ctl & RING_BUFFER_CTL_ENABLE) && head >= size_under(ctl)) { /* wraps after the last dword */
        head = 0;
        wraps++;
    }
    return wraps << 21 | head;
}

uint32_t ring_head(const struct engine *e)
{
    return ring_head_with_ctl(e, engine_register(e, RING_BUFFER_CTL));
}

void ring_load(struct engine *e)
{
    const uint32_t head = engine_register(e, RING_BUFFER_HEAD);
    e->parse.streams[0] = (struct stream){.space = SPACE_GGTT,
                                          .kind = STREAM_RING,
                                          .started_privileged = true,
                                          .wraps = head >> 21,
                                          .end = UINT64_MAX};
    stream_seek(e, 0, ring_start(e) + (head & 0x1ffffcu));
    e->status.head_report_page = UINT32_MAX;
    e->parse.reschedule = true;
}

uint32_t ring_head_after_command(const struct engine *e)
{
    const bool begun = e->parse.state == SOFTGT_ENGINE_WAITING || e->parse.streams[0].progress;
    const uint32_t header = e->parse.header,
                   length_dw =
                       entry_length_dw(e->commands.set->by_header[e->info->class][header >> 16], header);
    return ((ring_head(e) & 0x1ffffcu) + (begun && !e->parse.depth ? length_dw * 4u : 0)) % ring_size(e);
}

/* Bytes the ring holds from its parse position on. */
static uint32_t ring_bytes(const struct engine *e, uint32_t head)
{
    const uint32_t tail = engine_register(e, RING_BUFFER_TAIL) & 0x1ffff8u, size = ring_size(e);
    return tail >= head ? tail - head : tail + size - head;
}

/* Bytes of the ring from *address on that lie together; 0: it is empty. At its end *address becomes its
 * start. */
static uint64_t ring_there(struct engine *e, uint64_t *address)
{
    const uint32_t start = ring_start(e), size = ring_size(e);
    uint32_t head = (uint32_t)(*address - start);
    if (head >= size) {
        head = 0;
        *address = start;
        stream_seek(e, 0, start);
        e->parse.streams[0].wraps = (e->parse.streams[0].wraps + 1u) & 0x7ffu;
    }
    ring_report_head(e);
    ring_invalidate_uhptr(e);
    const uint32_t tail = engine_register(e, RING_BUFFER_TAIL) & 0x1ffff8u;
    if (head == tail || !(engine_register(e, RING_BUFFER_CTL) & RING_BUFFER_CTL_ENABLE) || tail > size)
        return 0;
    uint32_t there = tail > head ? tail - head : size - head;
    if (ring_uhptr_is_pending(e)) { /* stop there, to see it pass */
        const uint32_t left = (engine_register(e, UHPTR) & 0x1ffff8u) - head;
        there = left && left < there ? left : there;
    }
    return there;
}

/* ---- Pages ---- */

bool stream_next_header(struct engine *e, uint32_t *header)
{
    const struct cursor *c = &e->cursors[e->parse.depth];
    const struct stream *s = &e->parse.streams[e->parse.depth];
    uint64_t address = stream_address(e, e->parse.depth);
    struct translation t;
    if (c->at != c->limit) {
        *header = *c->at;
        return true;
    }
    if (s->kind == STREAM_RING) {
        const uint32_t head = ring_head(e) & 0x1ffffcu;
        if (head == (engine_register(e, RING_BUFFER_TAIL) & 0x1ffff8u))
            return false;
        address = ring_start(e) + head;
    }
    return mmu_translate(&e->mmu, (enum space)s->space, address, &t) &&
           mmu_load(&e->mmu, (enum space)s->space, address, header, sizeof *header);
}

bool fetch_page(struct engine *e)
{
    struct parse_state *const p = &e->parse;
    const unsigned depth = p->depth;
    struct stream *const s = &p->streams[depth];
    uint64_t address = stream_address(e, depth), there = UINT64_MAX;
    switch ((enum stream_kind)s->kind) {
    case STREAM_RING:
        there = ring_there(e, &address);
        if (p->state == SOFTGT_ENGINE_STOPPED) /* by the head report */
            return false;
        if (!there) {
            e->submission->ring_empty(e);
            return false;
        }
        break;
    case STREAM_RESTORE:
        if (address >= s->end) {
            context_end_restore(e);
            return false;
        }
        there = s->end - address;
        break;
    default: /* INDIRECT_CTX has an end: back to the restore */
        if (address >= s->end) {
            stream_pop(e);
            return false;
        }
        there = s->end - address;
        break;
    }
    const uint64_t in_page = PAGE_BYTES - address % PAGE_BYTES;
    if (there > in_page)
        there = in_page;
    const uint8_t *page = mmu_page(&e->mmu, (enum space)s->space, address, depth, e->buffers.bounce[depth]);
    if (!page) {
        p->command_address = address;
        p->stopped_past_end = s->started && address % PAGE_BYTES == 0;
        engine_stop(e, p->stopped_past_end ? STOP_PAST_END : STOP_NO_PAGE);
        return false;
    }
    s->started = true;
    struct cursor *const c = &e->cursors[depth];
    c->page_address = address;
    c->page = c->at = (const uint32_t *)(const void *)(page + address % PAGE_BYTES);
    c->limit = c->at + there / 4u;
    return true;
}

/* The tail is inside a command. A pending list brings the rest, or another context. (CSP-21) */
static void wait_for_tail(struct engine *e)
{
    wait_begin(e, (struct wait){.reason = WAIT_RING_END});
    e->parse.state = SOFTGT_ENGINE_WAITING;
    if (e->execlists.pending_valid && e->parse.arbitration)
        e->submission->arbitrate(e);
}

const uint32_t *fetch_across(struct engine *e, uint32_t length_dw)
{
    const unsigned depth = e->parse.depth;
    struct stream *const s = &e->parse.streams[depth];
    const uint64_t bytes = (uint64_t)length_dw * 4u, address = stream_address(e, depth);
    uint64_t first = bytes, second_address = 0, next = address + bytes;
    bool wraps = false;
    if (s->kind == STREAM_RING) {
        const uint32_t start = ring_start(e), size = ring_size(e), head = (uint32_t)(address - start);
        if (ring_bytes(e, head) < bytes) {
            wait_for_tail(e);
            return NULL;
        }
        wraps = size - head < bytes;
        if (wraps) {
            first = size - head;
            second_address = start;
            next = start + (bytes - first);
        }
    }
    /* INDIRECT_CTX runs after the command at the end of its cacheline. */
    if (s->kind == STREAM_RESTORE && e->parse.image_end - address < bytes) {
        engine_stop(e, STOP_IMAGE_END);
        return NULL;
    }
    if (!mmu_load(&e->mmu, (enum space)s->space, address, e->buffers.scratch, first) ||
        !mmu_load(&e->mmu, (enum space)s->space, second_address, (uint8_t *)e->buffers.scratch + first,
                  bytes - first)) {
        engine_stop(e, STOP_NO_PAGE);
        return NULL;
    }
    stream_seek(e, depth, next);
    if (wraps)
        s->wraps = (s->wraps + 1u) & 0x7ffu;
    return e->buffers.scratch;
}
