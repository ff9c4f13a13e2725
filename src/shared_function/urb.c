/*
 * URB messages of channels: dwords of entries. SIMD8 messages have a handle for each channel in the first
 * register. Those of the load and store unit (Gen20) have addresses. Dwords past an entry's end, and entries
 * of other threads, read zero and drop writes. (BDW PRM vol 7, URB SIMD8; Mesa, brw_eu.h)
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
    enum { MOST = EU_GRF_ROWS };
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

/* ---- By the load and store unit ---- */

/* The entry that has the address, and the dword there; the channel's own entry is tried first. NULL: none. */
static const struct urb_handle_grant *urb_entry_at(const struct message_context *b, uint32_t address,
                                                   unsigned channel, uint32_t *dw)
{
    struct urb *const u = b->urb;
    for (unsigned i = 0; u && i < u->handle_count; i++) {
        const struct urb_handle_grant *const r = &u->handles[(channel + i) % u->handle_count];
        *dw = ((address - urb_handle_address(r->handle)) & URB_ADDRESS_MASK) / sizeof *u->dw;
        if (*dw < r->entry_dw)
            return r;
    }
    return NULL;
}

/* They are in those of the mask's components alone, or in all up to its last one. (vISA, STORE_QUAD;
 * Mesa 25.0, emit_urb_direct_vec4_write_xe2: tessellation levels) */
unsigned urb_element_register(const struct element_transfer *e, unsigned registers, unsigned element)
{
    const unsigned all = 64u - (unsigned)__builtin_clzll(e->present);
    const uint64_t before = registers >= all * e->step ? UINT64_MAX : e->present;
    return (unsigned)__builtin_popcountll(before & ((UINT64_C(1) << element) - 1u)) * e->step;
}

bool urb_load_store_is_known(const struct eu_send *m, const struct message_layout *l)
{
    enum { ADDRESS_TYPE_SHIFT = 29, ADDRESS_TYPE = 3, DW_BYTES = 4 };
    return !l->is_block && l->addresses.bytes == DW_BYTES && l->elements.bytes == DW_BYTES &&
           !(m->descriptor >> ADDRESS_TYPE_SHIFT & ADDRESS_TYPE);
}

/* A channel's address is a handle, plus an offset in bytes. (Mesa, lower_urb_write_logical_send_xe2) */
bool urb_load_store(struct message_context *b, const struct eu_send *m)
{
    struct message_layout l;
    struct channels c = {.mask = m->channels & UINT32_MAX >> (EU_MAX_CHANNELS - m->execution_size)};
    if (!load_store_layout(m, &l) || !urb_load_store_is_known(m, &l)) {
        b->not_modelled = true;
        b->error_text = "a URB message that is no load or store of dwords at flat addresses of 32 bits";
        return false;
    }
    const struct element_transfer *const e = &l.elements;
    const unsigned data = e->writes ? payload_registers(m) - e->at : 0;
    l.addresses.plus = (uint64_t)(int64_t)m->address_offset;
    c.count = (uint8_t)l.count;
    read_channel_offsets(m, &l.addresses, &c); /* the response may overlap them */
    b->work.memory_accesses += (unsigned)__builtin_popcount(c.mask);
    FOR_EACH_CHANNEL(n, e->present ? c.mask : 0) {
        uint32_t at = 0;
        const struct urb_handle_grant *const entry = urb_entry_at(b, (uint32_t)c.offset[n], n, &at);
        for (uint64_t left = e->present; left; left &= left - 1u) {
            const unsigned i = (unsigned)__builtin_ctzll(left), from = urb_element_register(e, data, i);
            uint32_t *const dw =
                entry && at + i < entry->entry_dw ? b->urb->dw + entry->urb_offset_dw + at + i : NULL;
            if (!e->writes)
                writeback_channel(m, from, n, dw ? *dw : 0);
            else if (dw)
                *dw = payload_channel(m, e->at + from, n);
        }
    }
    return true;
}
