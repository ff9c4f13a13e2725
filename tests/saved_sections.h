/* The sections of a saved state, for tests that change one. */
#ifndef TESTS_SAVED_SECTIONS_H
#define TESTS_SAVED_SECTIONS_H

#include "saved.h"

#include "device/host.h"

#include <string.h>

enum { STATE_SUM_AT = STATE_HEADER_BYTES - 8 };

/* A section of a saved state. */
struct saved_section {
    char name[64];
    size_t version_at, begin, size;
};

/* The section whose head is at `at`; false: the end. */
static inline bool saved_section_at(const struct blob *b, size_t at, struct saved_section *s)
{
    if (at >= b->size)
        return false;
    const uint8_t length = b->bytes[at];
    uint32_t size;
    assert_true(length < sizeof s->name && at + 1u + length + 6u <= b->size);
    memcpy(s->name, b->bytes + at + 1, length);
    s->name[length] = 0;
    s->version_at = at + 1u + length;
    memcpy(&size, b->bytes + s->version_at + 2, 4);
    s->begin = s->version_at + 6;
    s->size = size;
    assert_true(size <= b->size - s->begin);
    return true;
}

/* A changed state passes its sum. */
static inline void saved_sum(struct blob b)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t at = STATE_HEADER_BYTES; at < b.size; at++)
        hash = (hash ^ b.bytes[at]) * UINT64_C(0x100000001b3);
    for (unsigned byte = 0; byte < 8; byte++)
        b.bytes[STATE_SUM_AT + byte] = (uint8_t)(hash >> byte * 8);
}

#endif
