/* The physical memory of ranges, and the answers that were given. */
#include "tiles/ranges.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACE_BITS = 5,
    ANSWER_BITS = 4,
    MOST_RUNS = 1 << 14,  /* of a range: 64 MB of pages that do not follow each other */
    MOST_HOLES = 1 << 10, /* pages of a range that are not present */
};

/* Physical memory that lies together. */
struct run {
    uint64_t physical, size_bytes;
    const struct access_range *of;
};

/* Where the present pages of a range lie. */
struct place {
    struct access_range range; /* size_bytes 0: none */
    uint64_t changes;
    bool has_holes;
    unsigned run_count, room;
    struct run *runs;
};

struct answer {
    uint64_t changes;
    bool is_closed;
    struct access_ranges ranges; /* count 0: none */
};

struct range_cache {
    struct place places[1 << PLACE_BITS];
    struct answer answers[1 << ANSWER_BITS];
    struct run *runs; /* of all ranges of a draw */
    size_t room;
};

struct range_cache *range_cache_create(void)
{
    return calloc(1, sizeof(struct range_cache));
}

void range_cache_destroy(struct range_cache *c)
{
    for (unsigned n = 0; c && n < sizeof c->places / sizeof c->places[0]; n++)
        free(c->places[n].runs);
    if (c)
        free(c->runs);
    free(c);
}

static bool grow(struct run **runs, size_t room)
{
    struct run *const more = room ? realloc(*runs, room * sizeof **runs) : NULL;
    if (more)
        *runs = more;
    return more != NULL;
}

static unsigned hash(uint64_t key, unsigned bits)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64u - bits));
}

/* ---- Where a range lies ---- */

/* Returns false if there are too many runs or holes. */
static bool find_runs(struct place *p, const struct mmu *u)
{
    const struct access_range *const r = &p->range;
    struct memory_window w;
    unsigned holes = 0;
    p->run_count = 0;
    p->has_holes = false;
    for (uint64_t at = 0; at < r->size_bytes; at += w.size_bytes) {
        if (!memory_window_make(&w, u, SPACE_PPGTT, r->address + at, r->size_bytes - at, r->writes)) {
            p->has_holes = true;
            if (++holes > MOST_HOLES)
                return false;
            w.size_bytes = PAGE_BYTES - (r->address + at) % PAGE_BYTES;
            continue;
        }
        if (p->run_count == p->room) {
            const unsigned room = p->room ? 2u * p->room : 1u;
            if (room > MOST_RUNS || !grow(&p->runs, room))
                return false;
            p->room = room;
        }
        p->runs[p->run_count++] = (struct run){.physical = w.physical, .size_bytes = w.size_bytes};
    }
    return true;
}

/* NULL: it is not known. A place with holes is looked at again each time: no invalidation tells that a page
 * has come.
 */
static const struct place *find_place(struct range_cache *c, const struct mmu *u,
                                      const struct access_range *r)
{
    struct place *const p = &c->places[hash(r->address ^ r->writes, PLACE_BITS)];
    if (p->range.address == r->address && p->range.size_bytes == r->size_bytes &&
        p->range.writes == r->writes && p->changes == u->changes && !p->has_holes)
        return p;
    p->range = *r;
    p->changes = u->changes;
    if (find_runs(p, u))
        return p;
    p->range.size_bytes = 0;
    return NULL;
}

/* ---- Overlaps ---- */

static bool overlap_by_address(const struct access_ranges *r)
{
    for (unsigned n = 0; n < r->count; n++)
        for (unsigned i = 0; r->list[n].writes && i < r->count; i++) {
            const struct access_range *const a = &r->list[n], *const b = &r->list[i];
            if (i != n && a->address < b->address + b->size_bytes && b->address < a->address + a->size_bytes)
                return true;
        }
    return false;
}

static int by_place(const void *a, const void *b)
{
    const struct run *const x = a, *const y = b;
    return (x->physical > y->physical) - (x->physical < y->physical);
}

/* Of sorted runs: a run overlaps the one before that reaches the farthest, or none of its kind. */
static bool runs_overlap(struct run *runs, size_t count)
{
    uint64_t read_end = 0, write_end = 0;
    qsort(runs, count, sizeof *runs, by_place);
    for (size_t n = 0; n < count; n++) {
        const struct run *const r = &runs[n];
        uint64_t *const end = r->of->writes ? &write_end : &read_end;
        if (r->physical < write_end || (r->of->writes && r->physical < read_end))
            return true;
        if (r->physical + r->size_bytes > *end)
            *end = r->physical + r->size_bytes;
    }
    return false;
}

/* Gathers the runs of all ranges. Returns false if something that is written is not present, or not known. */
static bool gather(struct range_cache *c, const struct mmu *u, const struct access_ranges *r, size_t *count,
                   bool *has_holes)
{
    *count = 0;
    *has_holes = false;
    for (unsigned n = 0; n < r->count; n++) {
        const struct place *const p = find_place(c, u, &r->list[n]);
        if (!p || (r->list[n].writes && p->has_holes))
            return false;
        *has_holes |= p->has_holes;
        if (*count + p->run_count > c->room) {
            const size_t room = 2 * (*count + p->run_count);
            if (!grow(&c->runs, room))
                return false;
            c->room = room;
        }
        for (unsigned i = 0; i < p->run_count; i++) {
            c->runs[*count] = p->runs[i];
            c->runs[(*count)++].of = &r->list[n];
        }
    }
    return true;
}

bool ranges_are_closed(struct range_cache *c, const struct mmu *u, const struct access_ranges *r,
                       uint64_t most_bytes)
{
    uint64_t key = r->count, bytes = 0;
    size_t count;
    bool has_holes = false;
    for (unsigned n = 0; n < r->count; n++) {
        key = (key ^ r->list[n].address ^ r->list[n].size_bytes << 1 ^ r->list[n].writes) *
              UINT64_C(0x100000001b3);
        bytes += r->list[n].size_bytes;
    }
    struct answer *const a = &c->answers[hash(key, ANSWER_BITS)];
    if (bytes > most_bytes)
        return false;
    if (a->ranges.count == r->count && a->changes == u->changes &&
        memcmp(a->ranges.list, r->list, r->count * sizeof r->list[0]) == 0)
        return a->is_closed;
    a->is_closed =
        !overlap_by_address(r) && gather(c, u, r, &count, &has_holes) && !runs_overlap(c->runs, count);
    a->changes = u->changes;
    a->ranges.count = has_holes && a->is_closed ? 0 : r->count;
    memcpy(a->ranges.list, r->list, r->count * sizeof r->list[0]);
    return a->is_closed;
}
