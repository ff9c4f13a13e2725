/* Data ports: blocks of consecutive bytes, with their address in the message header. */
#include "shared_function/shared_function.h"

enum { OWORD_BYTES = 16, HWORD_BYTES = 32 };

/* Copies bytes between the buffer and registers from `at` on, starting at byte `byte`. A read over the
 * buffer's end returns the bytes before it. */
static void transfer_block(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                           uint64_t offset, unsigned at, unsigned byte, uint32_t size, bool writes)
{
    for (uint32_t done = 0, n; done < size && !message_faulted(b); done += n, byte = 0, at++) {
        uint8_t bytes[EU_REGISTER_BYTES] = {0};
        n = EU_REGISTER_BYTES - byte < size - done ? EU_REGISTER_BYTES - byte : size - done;
        if (writes) {
            buffer_view_store(b, t, offset + done, payload_register(m, at) + byte, n);
        } else {
            buffer_view_load(b, t, offset + done, bytes, buffer_view_bytes_in_bounds(t, offset + done, n));
            writeback(m, at, byte, bytes, n);
        }
    }
}

static bool is_write(enum eu_message_kind kind)
{
    return kind == MESSAGE_BLOCK_WRITE || kind == MESSAGE_UNALIGNED_BLOCK_WRITE ||
           kind == MESSAGE_A64_BLOCK_WRITE || kind == MESSAGE_DUAL_BLOCK_WRITE ||
           kind == MESSAGE_SCRATCH_WRITE;
}

/* Stores the dwords of active channels; a register has eight. */
static void store_dwords(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                         uint64_t offset, uint32_t size)
{
    enum { DWORD_BYTES = 4, DWORDS = EU_REGISTER_BYTES / DWORD_BYTES };
    for (uint32_t n = 0; n < size / DWORD_BYTES && !message_faulted(b); n++)
        if (m->channels >> n % m->execution_size & 1u)
            buffer_view_store(b, t, offset + n * DWORD_BYTES,
                              payload_register(m, 1 + n / DWORDS) + n % DWORDS * DWORD_BYTES, DWORD_BYTES);
}

static bool all_take_part(const struct eu_send *m)
{
    return m->channels == UINT32_MAX >> (32u - m->execution_size);
}

struct block_layout block_layout(const struct eu_send *m, enum eu_message_kind kind)
{
    static const uint16_t owords[8] = {1, 1, 2, 4, 8, 16};
    const uint32_t d = m->descriptor, size = d >> 8 & 7u;
    const bool flat = kind == MESSAGE_A64_BLOCK_READ || kind == MESSAGE_A64_BLOCK_WRITE,
               aligned = kind == MESSAGE_BLOCK_READ || kind == MESSAGE_BLOCK_WRITE;
    const bool hwords = flat ? (d >> 11 & 3u) == 3
                             : kind == MESSAGE_UNALIGNED_BLOCK_WRITE ||
                                   (kind == MESSAGE_UNALIGNED_BLOCK_READ && d >> 13 & 1u);
    return (struct block_layout){.size_bytes = hwords ? (uint32_t)HWORD_BYTES << size
                                                      : (uint32_t)owords[size] * OWORD_BYTES,
                                 .scale = aligned ? OWORD_BYTES : 1,
                                 .byte = !hwords && size == 1 ? OWORD_BYTES : 0,
                                 .is_flat = flat,
                                 .writes = is_write(kind),
                                 .by_channels = kind == MESSAGE_BLOCK_WRITE && size > 1};
}

/* Bits 10:8: one oword, to or from a register's lower or upper half, 2, 4, 8 or 16; of hwords: their log2.
 * Writes of an index's owords are of channels' dwords: compilers spill so what only some channels changed.
 */
bool block_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    const struct block_layout l = block_layout(m, kind);
    struct buffer_view t;
    uint64_t offset = payload_dw(m, 0, 2) * (uint64_t)l.scale;
    if (!has_header(m) || !l.size_bytes)
        return false;
    if (l.is_flat) {
        t = (struct buffer_view){.kind = BUFFER_VIEW_MEMORY, .size_bytes = UINT64_MAX};
        offset = payload_dw(m, 0, 0) | (uint64_t)payload_dw(m, 0, 1) << 32;
    } else {
        t = bti_buffer(b, m);
    }
    if (l.by_channels && !all_take_part(m))
        store_dwords(b, m, &t, offset, l.size_bytes);
    else
        transfer_block(b, m, &t, offset, l.writes ? 1 : 0, l.byte, l.size_bytes, l.writes);
    return true;
}

/* Dual block messages: two owords, each at its own offset in owords: dwords 0 and 4 of the register after the
 * header. Channels 3:0 and 7:4 select their dwords. */
bool dual_block_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    const unsigned at = has_header(m);
    const bool writes = is_write(kind);
    const struct buffer_view t = bti_buffer(b, m);
    for (unsigned n = 0; n < 8; n++) {
        const uint64_t offset =
            ((uint64_t)payload_dw(m, at, n & 4u) + (at ? payload_dw(m, 0, 2) : 0)) * OWORD_BYTES +
            n % 4u * 4u;
        uint32_t value;
        if (!(m->channels >> n & 1u))
            continue;
        if (writes) {
            value = payload_dw(m, at + 1u, n);
            buffer_view_store(b, &t, offset, &value, sizeof value);
        } else {
            buffer_view_load(b, &t, offset, &value, sizeof value);
            writeback_channel(m, 0, n, value);
        }
    }
    return true;
}

/*
 * A thread's scratch memory. The header holds r0.5 of the thread: from Gen12.5 on the number of a
 * scratch surface state, before that an offset from the general base, with the size in r0.3.
 */
static struct buffer_view scratch_of(struct message_context *b, const struct eu_send *m)
{
    enum { STATE_BYTES = 64 };
    const uint32_t place = payload_dw(m, 0, 5) >> 10, size = payload_dw(m, 0, 3) & 15u;
    struct surface_state s;
    if (!b->info.scratch_by_surface)
        return (struct buffer_view){.kind = BUFFER_VIEW_MEMORY,
                                    .base = b->kernel.general_state_base + ((uint64_t)place << 10),
                                    .size_bytes = UINT64_C(1) << (10u + size)};
    if (!surface_state_load(b, b->kernel.surface_state_base + (uint64_t)place * STATE_BYTES, &s))
        return (struct buffer_view){.kind = BUFFER_VIEW_NULL};
    return surface_buffer_view(b, &s);
}

/* Bit 16: a write is of channels' dwords; 13:12: log2 of the hwords, 11:0: the offset, in hwords, from the
 * thread's scratch memory. */
bool scratch_access(struct message_context *b, const struct eu_send *m, enum eu_message_kind kind)
{
    const uint32_t d = m->descriptor, size = (uint32_t)HWORD_BYTES << (d >> 12 & 3u);
    const uint64_t offset = (uint64_t)(d & 0xfffu) * HWORD_BYTES;
    if (!has_header(m))
        return false;
    const struct buffer_view t = scratch_of(b, m);
    if (is_write(kind) && d >> 16 & 1u)
        store_dwords(b, m, &t, offset, size);
    else
        transfer_block(b, m, &t, offset, is_write(kind) ? 1 : 0, 0, size, is_write(kind));
    return true;
}
