/* Writer of bitstreams: bits, exponential Golomb codes, emulation prevention and stores. */
#include "video/bits.h"

void bits_flush(struct bits *b)
{
    const uint64_t first = b->base + b->position->at - b->buffered;
    uint64_t size = b->buffered;
    if (b->end && first + size > b->end)
        size = first < b->end ? b->end - first : 0;
    if (size && !b->silent && !memory_client_faulted(b->memory))
        memory_client_store(b->memory, SPACE_PPGTT, first, b->buffer, size);
    b->buffered = 0;
}

static void put_out(struct bits *b, uint8_t byte)
{
    if (b->buffered == BITS_BUFFER)
        bits_flush(b);
    b->buffer[b->buffered++] = byte;
    b->position->at++;
    b->position->bytes++;
}

static void put_byte(struct bits *b, uint8_t byte)
{
    struct bit_position *const p = b->position;
    if (b->unguarded) {
        b->unguarded--;
    } else if (b->guards && p->zeros == 2 && byte <= 3) {
        put_out(b, 3);
        b->put += 8;
        p->zeros = 0;
    }
    put_out(b, byte);
    p->zeros = (uint8_t)(byte ? 0 : p->zeros < 2 ? p->zeros + 1 : 2);
}

void bits_put(struct bits *b, uint32_t value, unsigned count)
{
    struct bit_position *const p = b->position;
    b->put += count;
    while (count) {
        const unsigned room = 8u - p->partial_bits, take = count < room ? count : room;
        count -= take;
        p->partial = (uint8_t)((unsigned)p->partial << take | (value >> count & ((1u << take) - 1u)));
        p->partial_bits = (uint8_t)(p->partial_bits + take);
        if (p->partial_bits == 8) {
            put_byte(b, p->partial);
            p->partial = p->partial_bits = 0;
        }
    }
}

void bits_fill(struct bits *b, uint64_t bytes)
{
    while (bytes--)
        put_out(b, 0);
}

void bits_ue(struct bits *b, uint32_t value)
{
    const unsigned length = 31u - (unsigned)__builtin_clz(value + 1u);
    bits_put(b, 0, length);
    bits_put(b, value + 1u, length + 1u);
}

void bits_se(struct bits *b, int32_t value)
{
    bits_ue(b, value > 0 ? 2u * (uint32_t)value - 1u : 2u * (uint32_t)-value);
}
