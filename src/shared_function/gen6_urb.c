/*
 * URB writes of Gen6: vectors of one vertex, or of two interleaved vertices, to the entries of the
 * handles in the header. (SNB PRM vol 4 part 2, URB_WRITE)
 */
#include "shared_function/shared_function.h"

enum { INTERLEAVED = 1 };

void gen6_urb_put_vertex(const struct eu_send *m, unsigned vertex, bool interleaved, uint32_t *dw,
                         uint32_t entry_dw)
{
    enum { OFFSET_DW = 8, VECTOR_DW = 4, REGISTER_DW = 8 };
    const unsigned first = (m->descriptor >> 4 & 0x3fu) * OFFSET_DW, registers = payload_registers(m),
                   each = interleaved ? VECTOR_DW : REGISTER_DW;
    for (unsigned n = 1; n < registers; n++)
        for (unsigned i = 0; i < each; i++) {
            const unsigned at = first + (n - 1u) * each + i, channel = vertex * VECTOR_DW + i;
            if ((!interleaved || m->channels >> channel & 1u) && at < entry_dw)
                dw[at] = payload_dw(m, n, channel);
        }
}

bool gen6_urb_write(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { ALLOCATE = 1 << 13 };
    const uint32_t d = m->descriptor, swizzle = d >> 10 & 3u;
    if (b->is_gen6_gs)
        return gen6_gs_urb_write(b, m, kind);
    if (!has_header(m) || swizzle > INTERLEAVED || d & ALLOCATE) {
        b->error_text = "a URB message that vertex shaders do not send";
        b->not_modelled = true;
        return false;
    }
    const unsigned vertices = swizzle == INTERLEAVED ? 2 : 1;
    for (unsigned v = 0; v < vertices; v++) {
        const struct urb_handle_grant *const entry = urb_entry(b, payload_dw(m, 0, v), v);
        if (entry)
            gen6_urb_put_vertex(m, v, vertices > 1, b->urb->dw + entry->urb_offset_dw, entry->entry_dw);
        b->work.memory_accesses += payload_registers(m);
    }
    return true;
}
