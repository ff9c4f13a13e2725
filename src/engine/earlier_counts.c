/* Counts of engines since their creation, over resets. */
#include "engine/engine.h"

#include <string.h>

static void add_all(void *to, const void *from, size_t bytes)
{
    uint64_t *const sums = to;
    const uint64_t *const counts = from;
    for (size_t i = 0; i < bytes / sizeof *sums; i++)
        sums[i] += counts[i];
}

void engine_sum_totals(const struct engine *e, struct totals *sum)
{
    _Static_assert(sizeof *sum % sizeof(uint64_t) == 0, "totals are numbers of 64 bits");
    *sum = e->commands.earlier.totals;
    add_all(sum, &e->totals, sizeof *sum);
}

void engine_sum_unknown(const struct engine *e, struct unknown_headers *sum)
{
    *sum = e->commands.earlier.unknown_headers;
    for (unsigned i = 0; i < UNKNOWN_HEADERS && e->unknown_headers.seen[i].count; i++) {
        const struct unknown_header *const u = &e->unknown_headers.seen[i];
        unsigned at = 0;
        while (at < UNKNOWN_HEADERS && sum->seen[at].count && sum->seen[at].header != u->header)
            at++;
        if (at == UNKNOWN_HEADERS)
            continue;
        const uint64_t before = sum->seen[at].count;
        if (!before)
            sum->seen[at] = *u;
        else
            sum->seen[at].count = before + u->count;
    }
}

void engine_keep_counts(struct engine *e)
{
    struct totals totals;
    struct unknown_headers unknown;
    engine_sum_totals(e, &totals);
    engine_sum_unknown(e, &unknown);
    e->commands.earlier.totals = totals;
    e->commands.earlier.unknown_headers = unknown;
    add_all(e->commands.earlier.commands, e->commands.counts,
            e->commands.set->count * sizeof *e->commands.counts);
}

void engine_forget_earlier(struct engine *e)
{
    memset(&e->commands.earlier.totals, 0, sizeof e->commands.earlier.totals);
    memset(&e->commands.earlier.unknown_headers, 0, sizeof e->commands.earlier.unknown_headers);
    memset(e->commands.earlier.commands, 0, e->commands.set->count * sizeof *e->commands.earlier.commands);
}
