/* Stops at memory: which stores, packets and changes meet them. */
#include "debugger/debuggee.h"

#include <inttypes.h>
#include <string.h>

enum { WATCHED_PAGES = 1024 }; /* so many of a stop's pages are followed to their memory */

/* ---- Places of bytes ---- */

/* Physical address of the stop's byte `at`, and how many follow it in its page. False: no page is there. */
static bool find_part(const struct debuggee *d, const struct stop *s, uint64_t at, uint64_t *physical,
                      uint64_t *part)
{
    const uint64_t left = s->size_bytes - at;
    struct debug_space space;
    if (s->physical.known) {
        *physical = s->physical.address + at;
        *part = left;
        return true;
    }
    *part = PAGE_BYTES - (s->address + at) % PAGE_BYTES;
    *part = *part < left ? *part : left;
    return debuggee_space(d, s->unit, &space) && debuggee_physical(d, &space, s->address + at, physical);
}

/* The stop's bytes that are among these: `size_bytes` from its byte `at` on. False: none. */
static bool is_among(const struct debuggee *d, const struct stop *s, uint64_t physical, uint64_t bytes,
                     uint64_t *at, uint64_t *size_bytes)
{
    uint64_t part, from;
    unsigned pages = 0;
    for (uint64_t n = 0; n < s->size_bytes && pages < WATCHED_PAGES; n += part, pages++) {
        if (!find_part(d, s, n, &from, &part))
            continue;
        if (from - physical >= bytes && physical - from >= part)
            continue;
        const uint64_t skipped = physical > from ? physical - from : 0,
                       end = physical + bytes < from + part ? physical + bytes : from + part;
        *at = n + skipped;
        *size_bytes = end - (from + skipped);
        return true;
    }
    return false;
}

/* The store is to the stop's bytes, by whatever address. */
static bool is_stored_to(const struct debuggee *d, const struct stop *s, const struct softgt_event *e)
{
    const int engine = e->is_ggtt ? -1 : sheet_engine_find(device_sheet(d->device), e->unit);
    struct device_walk walk;
    uint64_t part, at, size_bytes;
    for (uint64_t n = 0; (e->is_ggtt || engine >= 0) && n < e->size_bytes; n += part) {
        const uint64_t address = e->address + n, left = e->size_bytes - n;
        part = PAGE_BYTES - address % PAGE_BYTES;
        part = part < left ? part : left;
        if (device_walk(d->device, engine, address, &walk) &&
            is_among(d, s, walk.translation.physical, part, &at, &size_bytes))
            return true;
    }
    return false;
}

bool watching_is_met(const struct debuggee *d, const struct stop *s, const struct softgt_event *e)
{
    if (s->kind != STOP_MEMORY)
        return stop_is_event(s, e);
    return e->what == SOFTGT_TRACE_MEMORY &&
           ((!s->physical.known && stop_is_event(s, e)) || is_stored_to(d, s, e));
}

/* ---- Contents ---- */

static struct watched *watched_of(struct debuggee *d, const struct stop *s)
{
    return &d->watched[s - d->shared->stops];
}

/* The context whose address space the stop's bytes are in now. */
static void find_space(const struct debuggee *d, const struct stop *s, struct watched *w)
{
    struct debug_space space;
    w->engine = -1;
    w->lrca = 0;
    if (s->physical.known || !debuggee_space(d, s->unit, &space) || space.kind != DEBUG_PPGTT)
        return;
    w->engine = space.engine;
    w->lrca = position_tracker_engine(&d->tracker, device_sheet(d->device)->engines[space.engine].name)->lrca;
}

/* Finds and reads the bytes. */
static void read_bytes(const struct debuggee *d, const struct stop *s, struct watched *w)
{
    const uint64_t end = s->size_bytes < sizeof w->bytes ? s->size_bytes : sizeof w->bytes;
    unsigned count = 0;
    *w = (struct watched){.known = true};
    find_space(d, s, w);
    for (uint64_t at = 0, part; at < end && w->known && count < 2; at += part, count++) {
        uint64_t physical = 0;
        w->known = find_part(d, s, at, &physical, &part);
        part = part < end - at ? part : end - at;
        w->known = w->known && device_physical_read(d->device, physical, w->bytes + at, part);
        w->parts[count].physical = physical;
        w->parts[count].size_bytes = part;
    }
}

/* Reads the memory of the bytes again, wherever it is mapped now. */
static void read_again(const struct debuggee *d, const struct watched *before, struct watched *w)
{
    uint8_t *bytes = w->bytes;
    *w = *before;
    for (unsigned n = 0; n < 2 && w->known; bytes += w->parts[n++].size_bytes)
        w->known = !w->parts[n].size_bytes ||
                   device_physical_read(d->device, w->parts[n].physical, bytes, w->parts[n].size_bytes);
}

void watching_begin(struct debuggee *d, const struct stop *s)
{
    read_bytes(d, s, watched_of(d, s));
}

/* The dwords that differ, from byte `from` to `end`; if none does, the first: "0x1000: 0x0 -> 0x1". */
static void print_changes(const struct stop *s, const struct watched *before, const struct watched *now,
                          uint64_t from, uint64_t end, char *text, size_t size)
{
    enum { MOST = 4 };
    unsigned count = 0;
    size_t length = 0;
    for (int same = 0; same < 2 && !count; same++)
        for (uint64_t at = from & ~3ull; at < end && at < sizeof now->bytes && (!same || !count); at += 4) {
            uint32_t was, is;
            char old[16] = "not mapped";
            memcpy(&was, before->bytes + at, sizeof was);
            memcpy(&is, now->bytes + at, sizeof is);
            if ((was == is && !same) || ++count > MOST)
                continue;
            if (before->known)
                snprintf(old, sizeof old, "0x%" PRIx32, was);
            length += (size_t)snprintf(text + length, size - length, "%s0x%" PRIx64 ": %s -> 0x%" PRIx32,
                                       length ? ", " : "", s->address + at, old, is);
        }
    if (!count)
        snprintf(text, size, "0x%" PRIx64 " is written", s->address + from);
    else if (count > MOST)
        snprintf(text + length, size - length, ", and %u dwords more", count - MOST);
}

static void meet_change(struct debuggee *d, struct stop *s, const struct watched *before,
                        const struct watched *now, uint64_t from, uint64_t end)
{
    char text[DEBUG_REASON];
    const bool is_command = !d->change && (d->packet_runs || !d->tracker.is_trace);
    if (!debuggee_is_of(d, s, is_command ? d->last.unit : NULL))
        return;
    print_changes(s, before, now, from, end, text, sizeof text);
    const bool is_placed = debuggee_change_reason(d, text, sizeof text);
    stepping_pend(d, s, text, is_placed);
}

void watching_compare(struct debuggee *d, bool is_packet)
{
    static const uint8_t empty[STOP_WATCHED_BYTES];
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const s = d->active[n];
        struct watched now, *const w = watched_of(d, s), before = *w;
        if (s->kind != STOP_MEMORY)
            continue;
        read_bytes(d, s, &now);
        const bool switched = now.engine != before.engine || now.lrca != before.lrca;
        *w = now;
        if (switched)
            read_again(d, &before, &now);
        if (!now.known)
            continue;
        const bool counts = before.known || (is_packet && !d->packet_runs);
        const bool same = memcmp(now.bytes, before.known ? before.bytes : empty, sizeof now.bytes) == 0;
        if (!same && counts)
            meet_change(d, s, &before, &now, 0, s->size_bytes);
    }
}

void watching_wrote(struct debuggee *d, uint64_t physical, uint64_t size_bytes)
{
    for (unsigned n = 0; n < d->active_count; n++) {
        struct stop *const s = d->active[n];
        uint64_t at, bytes;
        if (s->kind != STOP_MEMORY || !is_among(d, s, physical, size_bytes, &at, &bytes))
            continue;
        const struct watched before = *watched_of(d, s);
        watching_begin(d, s);
        meet_change(d, s, &before, watched_of(d, s), at, at + bytes);
    }
}
