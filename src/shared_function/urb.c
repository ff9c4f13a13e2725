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

/* Transfers whole dwords of channels with one offset: a register has a dword of each channel. */
static void urb_transfer(struct message_context *b, const struct eu_send *m, uint64_t first_dw, unsigned data,
                         unsigned count, bool writes)
{
    enum { MOST = 2 * EU_LARGE_GRF_REGISTERS };
    const uint8_t *from[MOST];
    const unsigned held = m->response ? m->response_registers : 0, most = writes ? MOST : held;
    count = count < most ? count : most;
    for (unsigned n = 0; n < count && writes; n++)
        from[n] = payload_register(m, data + n);
    uint32_t handles[EU_REGISTER_BYTES / 4];
    memcpy(handles, payload_register(m, 0), sizeof handles); /* the response may overlap them */
    FOR_EACH_CHANNEL(c, m->channels & 0xffu) {
        const struct urb_handle_grant *const entry = urb_entry(b, handles[c], c);
        const uint64_t left = entry && first_dw < entry->entry_dw ? entry->entry_dw - first_dw : 0;
        uint32_t *const dw = left ? b->urb->dw + entry->urb_offset_dw + first_dw : NULL;
        const unsigned there = left < count ? (unsigned)left : count;
        uint8_t *const to = writes ? NULL : m->response + c * sizeof *dw;
        for (unsigned n = 0; n < there && writes; n++)
            memcpy(dw + n, from[n] + c * sizeof *dw, sizeof *dw);
        for (unsigned n = 0; n < there && !writes; n++)
            memcpy(to + n * EU_REGISTER_BYTES, dw + n, sizeof *dw);
        for (unsigned n = there; n < count && !writes; n++)
            memset(to + n * EU_REGISTER_BYTES, 0, sizeof *dw);
    }
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
    if (!(d & OFFSETS) && !(writes && d & MASKS)) {
        urb_transfer(b, m, (uint64_t)(d >> 4 & 0x7ffu) * OWORD_DW, data, count, writes);
        b->work.memory_accesses += (unsigned)__builtin_popcount(m->channels & 0xffu);
        return true;
    }
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
