/*
 * The URB of Gen6: vectors of one vertex, or of two that are interleaved, to the entries whose handles the
 * header has. (SNB PRM vol 4 part 2, URB_WRITE)
 */
#include "shared_function/shared_function.h"

enum { NO_SWIZZLE, INTERLEAVED, TRANSPOSED };

bool urb_vertices(struct bindings *b, const struct eu_send *m, enum eu_message_kind kind)
{
    enum { OFFSET_DW = 8, VECTOR_DW = 4, REGISTER_DW = 8, ALLOCATE = 1 << 13 };
    const uint32_t d = m->descriptor, swizzle = d >> 10 & 3u;
    const unsigned first = (d >> 4 & 0x3fu) * OFFSET_DW, registers = payload_registers(m);
    if (b->streams)
        return stream_end(b, m, kind);
    if (!has_header(m) || swizzle > INTERLEAVED || d & ALLOCATE) {
        b->why = "a message to the URB that no thread of vertices has";
        b->not_modelled = true;
        return false;
    }
    const unsigned vertices = swizzle == INTERLEAVED ? 2 : 1, each = REGISTER_DW / vertices;
    for (unsigned v = 0; v < vertices; v++) {
        const struct urb_reach *const entry = urb_entry(b, payload_dw(m, 0, v), v);
        for (unsigned n = 1; entry && n < registers; n++)
            for (unsigned i = 0; i < each; i++) {
                const unsigned at = first + (n - 1u) * each + i, channel = v * VECTOR_DW + i;
                const bool on = swizzle == NO_SWIZZLE || m->channels >> channel & 1u;
                if (on && at < entry->entry_dw)
                    b->urb->dw[entry->at_dw + at] = payload_dw(m, n, channel);
            }
        b->accesses += registers;
    }
    return true;
}
