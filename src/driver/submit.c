/* Context images and descriptors, and the register writes that submit work. (CSP-17, CSP-18, REN-10) */
#include "driver/driver.h"

/* Context descriptor: valid, addressing mode 4:3, L3/LLC coherent, per-process memory. */
enum { VALID = 1u << 0, LEGACY_32 = 1u << 3, LEGACY_64 = 3u << 3, COHERENT = 1u << 5, PER_PROCESS = 1u << 8 };
enum { RING_VALID = 1u << 0, PPGTT_48_BITS = 1u << 7 };

/* The value that sets `bits` of a masked register. */
static uint32_t masked(uint32_t bits, uint32_t value)
{
    return bits << 16 | value;
}

static void list_write(struct driver_writes *w, uint32_t offset, uint32_t value)
{
    w->list[w->count].offset = offset;
    w->list[w->count++].value = value;
}

uint32_t driver_context_bytes(const struct engine_info *engine)
{
    const struct image_length length = image_length(engine->contexts.image);
    const uint32_t bytes = (length.dw + length.pipeline_state_dw) * 4u;
    return DRIVER_IMAGE_OFFSET + (bytes + PAGE_BYTES - 1u) / PAGE_BYTES * PAGE_BYTES;
}

static uint32_t ring_control(const struct driver_ring *ring)
{
    return (ring->size_bytes - PAGE_BYTES) | RING_VALID;
}

/* The initial value of a register in the ring context. */
static uint32_t value_of(const struct driver_context *c, uint32_t offset)
{
    if (offset - PDP < 32 && c->ppgtt) {
        const uint64_t root = c->ppgtt->root[(offset - PDP) / 8];
        return (uint32_t)(offset & 4 ? root >> 32 : root);
    }
    switch (offset) {
    case CTXT_SR_CTL:
        return c->control;
    case RING_BUFFER_HEAD:
        return c->ring.head;
    case RING_BUFFER_TAIL:
        return c->ring.tail;
    case RING_BUFFER_START:
        return c->ring.start;
    case RING_BUFFER_CTL:
        return ring_control(&c->ring);
    default:
        return 0;
    }
}

uint32_t driver_image(const struct engine_info *engine, const struct driver_context *context, uint32_t *dw,
                      uint32_t room_dw)
{
    uint32_t length_dw = 0;
    for (struct image_walk w = image_begin(engine->contexts.image, engine->mmio_base);
         image_next(&w) && !w.engine_context && w.length_dw <= room_dw - length_dw;
         length_dw = w.at_dw + w.length_dw) {
        for (uint32_t i = 1; i < w.length_dw; i++)
            dw[w.at_dw + i] = 0;
        dw[w.at_dw] = w.value;
        if (w.row->step == IMAGE_REGISTER)
            dw[w.at_dw + 1] = value_of(context, w.value - engine->mmio_base);
    }
    return length_dw;
}

uint64_t driver_descriptor(uint64_t address, uint32_t id, const struct driver_ppgtt *ppgtt)
{
    const uint32_t mode = ppgtt && ppgtt->levels == 3 ? LEGACY_32 : LEGACY_64;
    return address | VALID | COHERENT | mode | (ppgtt ? PER_PROCESS : 0) | (uint64_t)id << 32;
}

void driver_enable_execlists(struct driver_writes *w, const struct engine_info *engine)
{
    list_write(w, engine->mmio_base + GFX_MODE, masked(GFX_MODE_EXECLISTS, GFX_MODE_EXECLISTS));
}

void driver_submit(struct driver_writes *w, const struct engine_info *engine, uint64_t first, uint64_t second)
{
    const struct submit_port *port = &engine->contexts.execlists->port;
    if (port->load) { /* a queue, and a control register that loads it */
        const uint32_t queue = engine->mmio_base + port->offset;
        list_write(w, queue, (uint32_t)first);
        list_write(w, queue + 4, (uint32_t)(first >> 32));
        list_write(w, queue + 8, (uint32_t)second);
        list_write(w, queue + 12, (uint32_t)(second >> 32));
        list_write(w, engine->mmio_base + port->load, 1);
        return;
    }
    const uint64_t halves[] = {second >> 32, second, first >> 32, first};
    for (unsigned i = 0; i < 4; i++)
        list_write(w, engine->mmio_base + port->offset, (uint32_t)halves[i]);
}

void driver_set_directory(struct driver_writes *w, const struct engine_info *engine,
                          const struct driver_ppgtt *ppgtt)
{
    if (!engine->contexts.execlists) { /* one directory, in the GGTT's table */
        if (!ppgtt)
            return;
        list_write(w, engine->mmio_base + PP_DCLV, UINT32_MAX);
        list_write(w, engine->mmio_base + PP_DIR_BASE, (uint32_t)(ppgtt->root[0] / 64) << 16);
        list_write(w, engine->gfx_mode_register, masked(GFX_MODE_PPGTT | PPGTT_48_BITS, GFX_MODE_PPGTT));
        return;
    }
    for (unsigned i = 4; ppgtt && i-- > 0;) {
        list_write(w, engine->mmio_base + PDP + i * 8 + 4, (uint32_t)(ppgtt->root[i] >> 32));
        list_write(w, engine->mmio_base + PDP + i * 8, (uint32_t)ppgtt->root[i]);
    }
    uint32_t mode = masked(GFX_MODE_EXECLISTS, 0);
    if (ppgtt)
        mode |= masked(GFX_MODE_PPGTT | PPGTT_48_BITS,
                       GFX_MODE_PPGTT | (ppgtt->levels > 3 ? (uint32_t)PPGTT_48_BITS : 0));
    list_write(w, engine->mmio_base + GFX_MODE, mode);
}

void driver_set_ring(struct driver_writes *w, const struct engine_info *engine,
                     const struct driver_ring *ring)
{
    list_write(w, engine->mmio_base + RING_BUFFER_START, ring->start);
    list_write(w, engine->mmio_base + RING_BUFFER_HEAD, ring->head);
    list_write(w, engine->mmio_base + RING_BUFFER_TAIL, ring->tail);
    list_write(w, engine->mmio_base + RING_BUFFER_CTL, ring_control(ring));
}

void driver_write(struct softgt *device, const struct driver_writes *w)
{
    for (unsigned i = 0; i < w->count; i++)
        softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, w->list[i].offset, w->list[i].value, 4);
}
