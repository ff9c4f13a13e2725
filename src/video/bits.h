/*
 * The bitstream of an encoder: packs bits into bytes, inserts emulation prevention bytes (ITU-T H.264 7.4.1),
 * and stores the bytes into the PAK-BSE buffer up to its upper bound.
 */
#ifndef VIDEO_BITS_H
#define VIDEO_BITS_H

#include "base/state.h"
#include "memory/client.h"

/* More bytes than any engine writes. */
#define BITS_LIMIT (UINT64_C(1) << 48)
#define BIT_POSITION(M, S)                                                                                   \
    /* Offset of the next byte from the buffer's base. */                                                    \
    M(S, NUMBER, uint64_t, at, BITS_LIMIT)                                                                   \
    /* Whole bytes written since the picture began. */                                                       \
    M(S, NUMBER, uint64_t, bytes, BITS_LIMIT)                                                                \
    /* The bits of the last, incomplete byte, and their number. */                                           \
    M(S, NUMBER, uint8_t, partial, 0)                                                                        \
    M(S, NUMBER, uint8_t, partial_bits, 8)                                                                   \
    /* Number of zero bytes written last, at most two. */                                                    \
    M(S, NUMBER, uint8_t, zeros, 3)                                                                          \
    M(S, PADDING, reserved, [5])
/* The state that lasts from one command to the next. */
struct bit_position {
    STATE_MEMBERS(BIT_POSITION)
};

enum { BITS_BUFFER = 1024 };

/* A bitstream that is written. */
struct bits {
    struct memory_client *memory;
    struct bit_position *position;
    uint64_t base, end; /* end: the first offset that is not written; 0: no bound */
    uint64_t put;       /* bits that this command wrote, with emulation prevention */
    uint32_t unguarded; /* next bytes that get no emulation prevention */
    uint32_t buffered;
    bool guards; /* inserts emulation prevention bytes */
    bool silent; /* counts only, does not write */
    uint8_t buffer[BITS_BUFFER];
};

static inline unsigned bits_to_byte(const struct bits *b)
{
    return (8u - b->position->partial_bits) & 7u;
}

/* Writes the low `count` bits of the value, at most 32, highest first. */
void bits_put(struct bits *b, uint32_t value, unsigned count);
/* Writes zero bits up to a whole byte; they do not count. */
static inline void bits_align(struct bits *b)
{
    const unsigned count = bits_to_byte(b);
    bits_put(b, 0, count);
    b->put -= count;
}

/* Writes zero bytes at a byte boundary, without emulation prevention. */
void bits_fill(struct bits *b, uint64_t bytes);
/* Writes ue(v) or se(v). */
void bits_ue(struct bits *b, uint32_t value);
void bits_se(struct bits *b, int32_t value);
/* Stores all whole bytes to memory. */
void bits_flush(struct bits *b);

#endif
