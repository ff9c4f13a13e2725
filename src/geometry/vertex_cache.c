/* The vertex cache: keys of URB entries, and which entry has not been used for longest. (SKL PRM vol 7,
 * Vertex Cache) */
#include "geometry/vertex_cache.h"
#include "base/four.h"

void vertex_cache_count(struct urb *u)
{
    memset(u->cache_first, 0, sizeof u->cache_first);
    for (unsigned i = 0; i < URB_SLOTS; i++)
        if (u->last_use[i])
            vertex_cache_link(u, i);
}

void vertex_cache_forget(struct urb *u, unsigned first, unsigned count)
{
    memset(u->last_use + first, 0, count * sizeof *u->last_use);
    u->oldest = (struct urb_oldest){0};
    if (count == URB_SLOTS)
        memset(u->cache_first, 0, sizeof u->cache_first);
    else
        vertex_cache_count(u);
}

enum { HALF = URB_ENTRIES / 2 };

/* A bit for each entry that was last used in an epoch. */
static uint64_t entries_of_epoch(const uint32_t *used, uint32_t epoch)
{
    four_dw halves[2] = {{0}, {0}};
    for (unsigned i = 0; i < URB_ENTRIES; i += FOUR) {
        four_dw at;
        memcpy(&at, used + i, sizeof at);
        halves[i / HALF] |= (four_dw)(at == epoch) & ((four_dw){1, 2, 4, 8} << i % HALF);
    }
    const uint64_t low = halves[0][0] | halves[0][1] | halves[0][2] | halves[0][3],
                   high = halves[1][0] | halves[1][1] | halves[1][2] | halves[1][3];
    return low | high << HALF;
}

/* The entries of the oldest epoch, other than the current one, which is the newest. After those of a known
 * epoch they are mostly of the next one. */
void vertex_cache_find_oldest(struct urb *u, unsigned first)
{
    struct urb_oldest *const o = &u->oldest;
    const uint32_t *const used = u->last_use + first;
    const uint32_t next = o->epoch + 1u;
    uint64_t entries = o->epoch && o->first == first && next < u->epoch ? entries_of_epoch(used, next) : 0;
    uint32_t oldest = next;
    if (!entries) {
        oldest = used[0];
        for (unsigned i = 1; i < URB_ENTRIES && oldest; i++)
            oldest = used[i] < oldest ? used[i] : oldest;
        entries = oldest == u->epoch ? 0 : entries_of_epoch(used, oldest);
    }
    *o = (struct urb_oldest){.entries = entries, .epoch = entries ? oldest : 0, .first = (uint8_t)first};
}

void vertex_cache_new_epoch(struct urb *u)
{
    if (u->epoch == UINT32_MAX) { /* forget the uses: the order starts again */
        vertex_cache_forget(u, 0, URB_SLOTS);
        u->epoch = 0;
    }
    u->epoch++;
    u->channel_count = 0;
}
