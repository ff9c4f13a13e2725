/*
 * URB messages of Gen7: owords or hwords (two owords) of one entry, or of two entries interleaved, by the
 * handles in the header. A register of an interleaved message has an oword of each entry. (IVB PRM vol 4 part
 * 1)
 */
#include "shared_function/shared_function.h"

enum { OWORD_DW = 4, REGISTER_DW = 8, SLOTS = 2 };
enum { URB_OWORDS = 1 << 0, URB_READS = 1 << 1, URB_INTERLEAVED = 1 << 14, URB_PER_SLOT_OFFSET = 1 << 16 };

/* An entry, and where the message's data begins in it. */
struct urb_slot {
    const struct urb_handle_grant *entry;
    uint64_t first_dw;
};

/* Offsets count owords, or hwords. */
static struct urb_slot urb_slot_init(const struct message_context *b, const struct eu_send *m, unsigned slot)
{
    enum { HEADER_SLOT_OFFSET = 3, OFFSET_AT = 3, OFFSET_MASK = 0x7ff };
    const uint32_t d = m->descriptor,
                   own = d & URB_PER_SLOT_OFFSET ? payload_dw(m, 0, HEADER_SLOT_OFFSET + slot) : 0;
    return (struct urb_slot){urb_entry(b, payload_dw(m, 0, slot), slot),
                             ((d >> OFFSET_AT & OFFSET_MASK) + (uint64_t)own) *
                                 (d & URB_OWORDS ? OWORD_DW : REGISTER_DW)};
}

/* Reads or writes the part of one entry. It has `each` dwords of a register, from channel `first` on. */
static void urb_slot_access(struct message_context *b, const struct eu_send *m, const struct urb_slot *s,
                            unsigned first, unsigned each, uint32_t channels)
{
    const bool reads = m->descriptor & URB_READS;
    const unsigned registers = reads                      ? m->response_registers
                               : payload_registers(m) > 1 ? payload_registers(m) - 1u
                                                          : 0;
    for (unsigned n = 0; n < registers; n++)
        for (unsigned i = 0; i < each; i++) {
            const uint64_t at = s->first_dw + n * (uint64_t)each + i;
            uint32_t *const dw =
                s->entry && at < s->entry->entry_dw ? b->urb->dw + s->entry->urb_offset_dw + at : NULL;
            if (!(channels >> (first + i) & 1u))
                continue;
            if (reads)
                writeback_channel(m, n, first + i, dw ? *dw : 0);
            else if (dw)
                *dw = payload_dw(m, n + 1u, first + i);
        }
    b->work.memory_accesses += registers + 1u;
}

/* A geometry shader's last message has the vertex counts of its objects. (Mesa, brw_vec4_gs_visitor) */
static void note_vertex_counts(struct message_context *b, const struct eu_send *m)
{
    enum { HEADER_VERTEX_COUNTS = 2, COUNT_BITS = 16 };
    const uint32_t counts = payload_dw(m, 0, HEADER_VERTEX_COUNTS);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        b->urb->gs.written_vertices[slot] = (uint16_t)(counts >> slot * COUNT_BITS);
}

bool gen7_urb_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { HEADER_CHANNEL_MASKS = 5, CHANNEL_MASKS_AT = 8 };
    const uint32_t d = m->descriptor;
    const bool interleaved = d & URB_INTERLEAVED;
    if (!has_header(m) || !b->urb)
        return false;
    const uint32_t masks = payload_dw(m, 0, HEADER_CHANNEL_MASKS) >> CHANNEL_MASKS_AT;
    const struct urb_slot slots[SLOTS] = {urb_slot_init(b, m, 0), urb_slot_init(b, m, 1)};
    if (m->end_of_thread && b->urb->stage == SHADER_STAGE_GS)
        note_vertex_counts(b, m);
    for (unsigned n = 0; n < (interleaved ? SLOTS : 1u); n++)
        urb_slot_access(b, m, &slots[n], n * OWORD_DW, interleaved || d & URB_OWORDS ? OWORD_DW : REGISTER_DW,
                        kind == MESSAGE_URB_HANDLES_READ ? m->channels : m->channels & masks);
    return true;
}
