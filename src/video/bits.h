/*
 * The bitstream of an encoder: packs bits into bytes, inserts emulation prevention bytes (ITU-T H.264 7.4.1),
 * and stores the bytes into the PAK-BSE buffer up to its upper bound.
 */
#ifndef VIDEO_BITS_H
#define VIDEO_BITS_H

#include "base/state.h"
#include "memory/client.h"

/* More than any engine puts out. */
#define BITS_LIMIT (UINT64_C(1) << 48)
#define BIT_POSITION(M, S)                                                                                   \
    /* Offset of the next byte, from the buffer's base. */                                                   \
    M(S, NUMBER, uint64_t, at, BITS_LIMIT)                                                                   \
    /* Whole bytes that were put out since the picture began. */                                             \
    M(S, NUMBER, uint64_t, bytes, BITS_LIMIT)                                                                \
    /* The byte that is not whole yet, and the number of its bits. */                                        \
    M(S, NUMBER, uint8_t, partial, 0)                                                                        \
    M(S, NUMBER, uint8_t, partial_bits, 8)                                                                   \
    /* Zero bytes that were put out last, two at most. */                                                    \
    M(S, NUMBER, uint8_t, zeros, 3)                                                                          \
    M(S, PADDING, reserved, [5])
/* What lasts from one command to the next. */
struct bit_position {
    STATE_MEMBERS(BIT_POSITION)
};

enum { BITS_BUFFER = 1024 };

struct bits {
    struct memory_client *memory;
    struct bit_position *position;
    uint64_t base, end; /* end: where nothing is written any more; 0: no bound */
    uint64_t put;       /* by this command: bits, those that prevent emulation, too */
    uint32_t unguarded; /* bytes that go out as they are */
    uint32_t buffered;
    bool guards; /* prevents emulation */
    bool silent; /* nothing is written */
    uint8_t buffer[BITS_BUFFER];
};

static inline unsigned bits_to_byte(const struct bits *b)
{
    return (8u - b->position->partial_bits) & 7u;
}

/* `count` bits of the value, 32 at most, the highest first. */
void bits_put(struct bits *b, uint32_t value, unsigned count);
/* Zeros up to a whole byte, which do not count. */
static inline void bits_align(struct bits *b)
{
    const unsigned count = bits_to_byte(b);
    bits_put(b, 0, count);
    b->put -= count;
}

/* Bytes of zero, where one begins, unseen by what prevents emulation. */
void bits_fill(struct bits *b, uint64_t bytes);
/* ue(v) and se(v). */
void bits_ue(struct bits *b, uint32_t value);
void bits_se(struct bits *b, int32_t value);
/* What is whole goes to memory. */
void bits_flush(struct bits *b);

#endif
