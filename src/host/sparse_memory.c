#include "sparse_memory.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BITS = 16, CHUNK_BYTES = 1 << CHUNK_BITS };

struct chunk {
    uint64_t number; /* address >> CHUNK_BITS */
    uint8_t *bytes;
};

/* Open addressing; the capacity is a power of two, and at most half is used. */
struct sparse_memory {
    struct chunk *chunks;
    size_t room, count;
    uint64_t limit_bytes;
    struct chunk last; /* the last one found */
    bool full, failed;
};

static const uint8_t zeros[CHUNK_BYTES];

struct sparse_memory *sparse_memory_create(uint64_t limit_bytes)
{
    struct sparse_memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->room = 1024;
    m->limit_bytes = limit_bytes;
    m->chunks = calloc(m->room, sizeof *m->chunks);
    if (!m->chunks) {
        free(m);
        return NULL;
    }
    return m;
}

void sparse_memory_destroy(struct sparse_memory *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->room; i++)
        free(m->chunks[i].bytes);
    free(m->chunks);
    free(m);
}

static size_t chunk_slot(const struct chunk *chunks, size_t room, uint64_t number)
{
    size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (chunks[i].bytes && chunks[i].number != number)
        i = (i + 1) & (room - 1);
    return i;
}

static uint8_t *find_chunk(const struct sparse_memory *m, uint64_t number)
{
    if (m->last.bytes && m->last.number == number)
        return m->last.bytes;
    return m->chunks[chunk_slot(m->chunks, m->room, number)].bytes;
}

static bool grow(struct sparse_memory *m)
{
    const size_t room = m->room * 2;
    struct chunk *chunks = calloc(room, sizeof *chunks);
    if (!chunks)
        return false;
    for (size_t i = 0; i < m->room; i++)
        if (m->chunks[i].bytes)
            chunks[chunk_slot(chunks, room, m->chunks[i].number)] = m->chunks[i];
    free(m->chunks);
    m->chunks = chunks;
    m->room = room;
    return true;
}

static uint8_t *find_or_add_chunk(struct sparse_memory *m, uint64_t number)
{
    uint8_t *bytes = find_chunk(m, number);
    if (!bytes) {
        if ((m->count + 1) * CHUNK_BYTES > m->limit_bytes) {
            m->full = true;
            return NULL;
        }
        bytes = m->count * 2 < m->room || grow(m) ? calloc(1, CHUNK_BYTES) : NULL;
        if (!bytes) {
            m->failed = true;
            return NULL;
        }
        m->chunks[chunk_slot(m->chunks, m->room, number)] = (struct chunk){number, bytes};
        m->count++;
    }
    m->last = (struct chunk){number, bytes};
    return bytes;
}

bool sparse_memory_write(struct sparse_memory *m, uint64_t address, const void *data, size_t size_bytes)
{
    const uint8_t *from = data;
    while (size_bytes) {
        const size_t at = address % CHUNK_BYTES;
        const size_t part = size_bytes < CHUNK_BYTES - at ? size_bytes : CHUNK_BYTES - at;
        uint8_t *bytes = find_or_add_chunk(m, address >> CHUNK_BITS);
        if (!bytes)
            return false;
        memcpy(bytes + at, from, part);
        from += part;
        address += part;
        size_bytes -= part;
    }
    return true;
}

void sparse_memory_read(const struct sparse_memory *m, uint64_t address, void *data, size_t size_bytes)
{
    uint8_t *to = data;
    while (size_bytes) {
        const size_t at = address % CHUNK_BYTES;
        const size_t part = size_bytes < CHUNK_BYTES - at ? size_bytes : CHUNK_BYTES - at;
        const uint8_t *bytes = find_chunk(m, address >> CHUNK_BITS);
        memcpy(to, (bytes ? bytes : zeros) + at, part);
        to += part;
        address += part;
        size_bytes -= part;
    }
}

static void *port_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct sparse_memory *m = user;
    *length_bytes = CHUNK_BYTES - address % CHUNK_BYTES;
    uint8_t *bytes =
        write ? find_or_add_chunk(m, address >> CHUNK_BITS) : find_chunk(m, address >> CHUNK_BITS);
    return bytes ? bytes + address % CHUNK_BYTES : NULL;
}

static bool port_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    sparse_memory_read(user, address, data, size_bytes);
    return true;
}

static bool port_write(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    return sparse_memory_write(user, address, data, size_bytes);
}

struct softgt_memory_port sparse_memory_port(struct sparse_memory *m)
{
    return (struct softgt_memory_port){.user = m, .map = port_map, .read = port_read, .write = port_write};
}

uint64_t sparse_memory_used_bytes(const struct sparse_memory *m)
{
    return (uint64_t)m->count * CHUNK_BYTES;
}

bool sparse_memory_full(const struct sparse_memory *m)
{
    return m->full;
}

bool sparse_memory_failed(const struct sparse_memory *m)
{
    return m->failed;
}

void sparse_memory_state(struct sparse_memory *m, struct state *s)
{
    uint64_t count = m->count;
    STATE(s, count);
    for (size_t i = 0; s->saving && i < m->room; i++)
        if (m->chunks[i].bytes) {
            STATE(s, m->chunks[i].number);
            state_dwords(s, (uint32_t *)(void *)m->chunks[i].bytes, CHUNK_BYTES / 4);
        }
    for (uint64_t i = 0; !s->saving && !s->failed && i < count; i++) {
        uint64_t number = 0;
        STATE(s, number);
        state_check(s, number <= UINT64_MAX >> CHUNK_BITS);
        uint8_t *bytes = s->failed ? NULL : find_or_add_chunk(m, number);
        state_check(s, bytes != NULL);
        if (bytes)
            state_dwords(s, (uint32_t *)(void *)bytes, CHUNK_BYTES / 4);
    }
}

void sparse_memory_clear(struct sparse_memory *m)
{
    for (size_t i = 0; i < m->room; i++)
        free(m->chunks[i].bytes);
    memset(m->chunks, 0, m->room * sizeof *m->chunks);
    memset(&m->last, 0, sizeof m->last);
    m->count = 0;
    m->full = m->failed = false;
}

/* The chunk of `b` differs from that of `a`. */
static bool chunk_differs(const struct sparse_memory *a, const struct sparse_memory *b, uint64_t *address)
{
    for (size_t i = 0; i < a->room; i++) {
        if (!a->chunks[i].bytes)
            continue;
        const uint8_t *there = find_chunk(b, a->chunks[i].number), *other = there ? there : zeros;
        for (size_t at = 0; memcmp(a->chunks[i].bytes, other, CHUNK_BYTES) != 0 && at < CHUNK_BYTES; at++)
            if (a->chunks[i].bytes[at] != other[at]) {
                *address = (a->chunks[i].number << CHUNK_BITS) + at;
                return false;
            }
    }
    return true;
}

bool sparse_memory_equal(const struct sparse_memory *a, const struct sparse_memory *b, uint64_t *address)
{
    return chunk_differs(a, b, address) && chunk_differs(b, a, address);
}
