#include "diff/address_map.h"

#include <stdlib.h>

#define PAGE_MASK UINT64_C(0xfff)

void address_map_free(struct address_map *m)
{
    free(m->by_a);
    free(m->by_b);
    *m = (struct address_map){0};
}

static size_t slot_of(const struct address_pair *table, size_t room, uint32_t space, uint64_t page, bool of_b)
{
    size_t i = (size_t)(((page >> 12) + space) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (table[i].space && (table[i].space != space || (of_b ? table[i].b : table[i].a) != page))
        i = (i + 1) & (room - 1);
    return i;
}

static bool grow(struct address_map *m)
{
    enum { FIRST = 256 };
    const size_t room = m->room ? m->room * 2 : (size_t)FIRST;
    struct address_pair *const by_a = calloc(room, sizeof *by_a), *const by_b = calloc(room, sizeof *by_b);
    if (!by_a || !by_b) {
        free(by_a);
        free(by_b);
        m->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < m->room; i++)
        if (m->by_a[i].space) {
            const struct address_pair p = m->by_a[i];
            by_a[slot_of(by_a, room, p.space, p.a, false)] = p;
            by_b[slot_of(by_b, room, p.space, p.b, true)] = p;
        }
    free(m->by_a);
    free(m->by_b);
    m->by_a = by_a;
    m->by_b = by_b;
    m->room = room;
    return true;
}

bool address_map_find(const struct address_map *m, uint32_t space, uint64_t a, uint64_t *b)
{
    if (!m->room)
        return false;
    const struct address_pair *const p = &m->by_a[slot_of(m->by_a, m->room, space, a & ~PAGE_MASK, false)];
    *b = p->b;
    return p->space;
}

bool address_map_has(const struct address_map *m, uint32_t space, uint64_t a, uint64_t b)
{
    uint64_t page;
    return (a & PAGE_MASK) == (b & PAGE_MASK) && address_map_find(m, space, a, &page) &&
           page == (b & ~PAGE_MASK);
}

bool address_map_match(struct address_map *m, uint32_t space, uint64_t a, uint64_t b)
{
    if ((a & PAGE_MASK) != (b & PAGE_MASK) || !a != !b)
        return false;
    if (!a || (m->count * 2 >= m->room && !grow(m)))
        return a == b;
    const struct address_pair pair = {space, a & ~PAGE_MASK, b & ~PAGE_MASK};
    struct address_pair *const of_a = &m->by_a[slot_of(m->by_a, m->room, space, pair.a, false)],
                               *const of_b = &m->by_b[slot_of(m->by_b, m->room, space, pair.b, true)];
    if (of_a->space || of_b->space)
        return of_a->space && of_a->b == pair.b;
    *of_a = *of_b = pair;
    m->count++;
    return true;
}
