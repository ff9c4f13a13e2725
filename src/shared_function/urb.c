/*
 * URB SIMD8 messages: dwords of entries; the first register holds a handle for each channel. Dwords
 * past an entry's end, and entries of other threads, read zero and drop writes. (BDW PRM vol 7, URB
 * SIMD8; Mesa, brw_eu.h)
 */
#include "shared_function/shared_function.h"

enum { OWORD_DW = 4, HANDLE = 0xffff };

const struct urb_handle_grant *urb_entry(const struct message_context *b, uint32_t handle, unsigned channel)
{
    struct urb *const u = b->urb;
    for (unsigned i = 0; u && i < u->handle_count; i++) { /* a channel's own, mostly */
        const struct urb_handle_grant *const r = &u->handles[(channel + i) % u->handle_count];
        if (r->handle == (handle & HANDLE))
            return r;
    }
    return NULL;
}

/* Offsets in owords: one in the descriptor, and with bit 17 one for each channel. With bit 15 masks of the
 * first eight dwords follow; later dwords are all written. */
bool urb_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { MASKS = 1 << 15, OFFSETS = 1 << 17, MASK_AT = 16, MASKED_DW = 8 };
    const uint32_t d = m->descriptor;
    const bool writes = kind == MESSAGE_URB_WRITE;
    const unsigned offsets = 1, masks = offsets + (d & OFFSETS ? 1 : 0),
                   data = masks + (writes && d & MASKS ? 1 : 0);
    const unsigned count = !writes                       ? m->response_registers
                           : payload_registers(m) > data ? payload_registers(m) - data
                                                         : 0;
    FOR_EACH_CHANNEL(c, m->channels & 0xffu) {
        const struct urb_handle_grant *const entry = urb_entry(b, payload_dw(m, 0, c), c);
        uint32_t *const dw = entry ? b->urb->dw + entry->urb_offset_dw : NULL;
        const uint64_t at =
            ((d >> 4 & 0x7ffu) + (uint64_t)(d & OFFSETS ? payload_dw(m, offsets, c) : 0)) * OWORD_DW;
        const uint32_t mask = writes && d & MASKS ? payload_dw(m, masks, c) >> MASK_AT : 0xffu;
        b->work.memory_accesses++;
        for (unsigned n = 0; n < count; n++) {
            const bool there = dw && at + n < entry->entry_dw;
            if (!writes)
                writeback_channel(m, n, c, there ? dw[at + n] : 0);
            else if (there && (n >= MASKED_DW || mask >> n & 1u))
                dw[at + n] = payload_dw(m, data + n, c);
        }
    }
    return true;
}
