/*
 * The bitstream that an encoder puts out: bits into bytes, start code emulation prevented (ITU-T
 * H.264 7.4.1), bytes into the PAK-BSE buffer, up to its upper bound.
 */
#ifndef VIDEO_BITS_H
#define VIDEO_BITS_H

#include "engine/execution.h"

/* What lasts from one command to the next. */
struct bit_position {
    uint64_t at;          /* where the next byte goes, from the buffer's base */
    uint64_t bytes;       /* put out since the picture began, the one that is not whole left out */
    uint8_t partial;      /* the byte that is not whole ... */
    uint8_t partial_bits; /* ... and the bits that it has */
    uint8_t zeros;        /* bytes of zero put last, two at most */
    uint8_t reserved[5];
};

enum { BITS_BUFFER = 1024 };

struct bits {
    struct engine *engine;
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
