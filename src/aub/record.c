#include "aub/record.h"

#include "device/host.h"
#include "aub/aub.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Beyond PAGES_KEPT all pages are dropped. A dropped page is recorded whole at its next use. */
enum { PAGE = 4096, PAGE_DW = PAGE / 4, BUCKETS = 1 << 14, PAGES_KEPT = 1 << 14 };

/* A page of guest memory that the device has used. */
struct page {
    struct page *next;
    uint64_t address;
    uint32_t base[PAGE_DW]; /* content at the last synchronization, as in the trace */
    uint32_t copy[PAGE_DW]; /* the device's copy */
    bool here;              /* used in the current run; in `used` */
    bool written;           /* the device may have written it */
    bool forgotten;         /* `base` is not what the trace has */
    struct page *next_deferred;
    bool is_deferred;
    uint8_t deferred[PAGE_DW / 8]; /* dwords that an unfinished command wrote; compared later */
};

struct recorder {
    struct aub_writer trace;
    struct recorded from;
    uint64_t clears; /* clears of local memory: known pages are invalid afterwards */
    struct page *buckets[BUCKETS];
    struct page **used;
    size_t used_count, used_room, page_count;
    bool forgot; /* the trace may hold pages that are not in the buckets */
    uint8_t *table_base;
    uint64_t mmio_bytes, table_bytes;
    uint64_t trace_ns; /* virtual time in the trace */
    bool dirty;        /* something was recorded since the last run */
    bool within;       /* the last run ended within a command */
    struct page *deferred;
};

void record_run(struct aub_writer *trace, const struct run_extent *run, uint64_t now_ns)
{
    char text[128], within[48] = "";
    if (run && run->partial_dw)
        snprintf(within, sizeof within, ", within %" PRIu64, run->partial_dw);
    snprintf(text, sizeof text, "softgt completed %" PRIu64 " at %" PRIu64 "%s%s", run ? run->done_dw : 0,
             now_ns, within, run && run->slice_ended ? ", a turn" : "");
    aub_write_comment(trace, text);
}

bool record_read_run(const char *text, struct run_extent *run, uint64_t *now_ns)
{
    unsigned long long done_dw, ns, within_dw = 0;
    int behind = 0;
    /* NOLINTBEGIN(cert-err34-c): a number that is too large saturates */
    const bool counts_again = sscanf(text, "softgt ran %llu at %llu%n", &done_dw, &ns, &behind) == 2;
    if (!counts_again && sscanf(text, "softgt completed %llu at %llu%n", &done_dw, &ns, &behind) != 2)
        return false;
    (void)sscanf(text + behind, ", within %llu", &within_dw);
    /* NOLINTEND(cert-err34-c) */
    *now_ns = ns;
    *run = (struct run_extent){.done_dw = done_dw,
                               .partial_dw = within_dw,
                               .is_replay = true,
                               .counts_reparsed = counts_again,
                               .slice_ended = strstr(text + behind, ", a turn") != NULL};
    return true;
}

static void write_run_comment(struct recorder *r, const struct run_extent *run, uint64_t now_ns)
{
    record_run(&r->trace, run, now_ns);
    r->trace_ns = now_ns;
}

/* Follows the application's name. Older recordings start with BEFORE instead. */
#define RECORDING " (softgt recording"
#define DRAWS     ", draws"
#define LOCAL_MB  ", local memory %llu MB"
#define BEFORE    "softgt serve --record"
enum { NAME = 24 }; /* the header text has 90 bytes */

struct recording_header recording_header(const char *text)
{
    struct recording_header h = {.application_length = (int)strlen(text)};
    unsigned long long mb = 0;
    const char *at = strstr(text, RECORDING);
    const char *const before = at ? NULL : strstr(text, BEFORE);
    h.is_tbx = !at && strstr(text, RECORDED_BY_TBX);
    h.is_recording = at || before;
    h.says_draws = at || h.is_tbx;
    h.draws = h.is_tbx;
    h.counts_draws = strstr(text, PROGRAM_DRAWS_OFF);
    /* NOLINTBEGIN(cert-err34-c): a number that is too large matches no device */
    if (at) {
        h.application_length = (int)(at - text);
        at += sizeof RECORDING - 1;
        h.draws = strncmp(at, DRAWS, sizeof DRAWS - 1) == 0;
        (void)sscanf(at + (h.draws ? sizeof DRAWS - 1 : 0), LOCAL_MB, &mb);
    } else if (before) {
        (void)sscanf(before + sizeof BEFORE - 1, " --local-memory %llu", &mb);
    }
    /* NOLINTEND(cert-err34-c) */
    h.local_bytes = mb < UINT32_MAX ? (uint64_t)mb << 20 : UINT64_MAX;
    return h;
}

struct recorder *recorder_open(const char *path, const struct softgt_device_info *info,
                               const struct recorded *recorded)
{
    struct recorder *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->from = *recorded;
    r->mmio_bytes = info->mmio_bytes;
    r->table_bytes = info->ggtt_bytes;
    r->table_base = calloc(1, info->ggtt_bytes);
    if (!r->table_base || !aub_writer_open(&r->trace, path, NULL)) {
        const int error = errno;
        free(r->table_base);
        free(r);
        errno = error;
        return NULL;
    }
    char text[96], local[40] = "";
    if (r->from.local)
        snprintf(local, sizeof local, LOCAL_MB, (unsigned long long)(r->from.local_bytes >> 20));
    snprintf(text, sizeof text, "%.*s" RECORDING "%s%s)", NAME, r->from.application,
             r->from.draws ? DRAWS : "", local);
    aub_write_version(&r->trace, 0, info->pci_device_id, text);
    write_run_comment(r, NULL, 0);
    return r;
}

static void forget_pages(struct recorder *r)
{
    for (unsigned i = 0; i < BUCKETS; i++) {
        for (struct page *p = r->buckets[i], *next; p; p = next) {
            next = p->next;
            free(p);
        }
        r->buckets[i] = NULL;
    }
    r->page_count = 0;
    r->deferred = NULL;
    r->forgot = true;
}

bool recorder_close(struct recorder *r)
{
    if (!r)
        return true;
    forget_pages(r);
    const bool good = aub_writer_close(&r->trace);
    free(r->used);
    free(r->table_base);
    free(r);
    return good;
}

int recorder_descriptor(const struct recorder *r)
{
    return fileno(r->trace.file);
}

void recorder_leave(struct recorder *r)
{
    output_abandon_in_child(&r->trace.output);
}

/* ---- Pages ---- */

/* Set in addresses of local memory. */
#define LOCAL (UINT64_C(1) << 63)

static enum aub_space space_of(uint64_t address)
{
    return address & LOCAL ? AUB_LOCAL : AUB_PHYSICAL;
}

static uint64_t address_in_space(uint64_t address)
{
    return address & ~LOCAL;
}

/* The guest's page, or NULL. `room` is used if it cannot be mapped. */
static const uint32_t *guest_page(const struct recorder *r, uint64_t address, uint32_t *room)
{
    uint64_t there = 0;
    if (address & LOCAL)
        return (const uint32_t *)(const void *)((uint8_t *)r->from.local + address_in_space(address));
    const void *host =
        r->from.guest.map ? r->from.guest.map(r->from.guest.user, address, &there, false) : NULL;
    if (host && there >= PAGE)
        return host;
    return r->from.guest.read && r->from.guest.read(r->from.guest.user, address, room, PAGE) ? room : NULL;
}

static void write_guest(const struct recorder *r, uint64_t address, const void *data, size_t bytes)
{
    uint64_t there = bytes;
    void *host = address & LOCAL     ? (uint8_t *)r->from.local + address_in_space(address)
                 : r->from.guest.map ? r->from.guest.map(r->from.guest.user, address, &there, true)
                                     : NULL;
    if (host && there >= bytes)
        memcpy(host, data, bytes);
    else if (r->from.guest.write)
        r->from.guest.write(r->from.guest.user, address, data, bytes);
}

/* Calls `call` for each run of dwords that differ. */
static void each_difference(const uint32_t *a, const uint32_t *b, struct recorder *r, struct page *p,
                            void (*each)(struct recorder *r, struct page *p, unsigned from, unsigned to))
{
    if (memcmp(a, b, PAGE) == 0)
        return;
    for (unsigned at = 0; at < PAGE_DW;) {
        if (a[at] == b[at]) {
            at++;
            continue;
        }
        unsigned end = at + 1;
        while (end < PAGE_DW && a[end] != b[end])
            end++;
        each(r, p, at, end);
        at = end;
    }
}

/* Copies the guest's changes to the device's page and the trace. */
static void copy_in(struct recorder *r, struct page *p)
{
    uint32_t room[PAGE_DW];
    const uint32_t *now = guest_page(r, p->address, room);
    if (!now || (!p->forgotten && memcmp(now, p->base, PAGE) == 0))
        return;
    for (unsigned at = 0; at < PAGE_DW;) {
        unsigned end = at;
        for (; end < PAGE_DW; end++) {
            /* read once: the guest may be writing */
            const uint32_t value = ((const volatile uint32_t *)now)[end];
            if (value == p->base[end] && !p->forgotten)
                break;
            p->base[end] = p->copy[end] = value;
            p->deferred[end / 8] &= (uint8_t) ~(1u << end % 8u); /* the guest has written it now */
        }
        if (end > at) {
            aub_write_memory(&r->trace, space_of(p->address), address_in_space(p->address) + at * 4u,
                             p->base + at, (end - at) * 4u);
            r->dirty = true;
        }
        at = end + 1;
    }
    p->forgotten = false;
}

/* Copies the device's changes to the guest's page. */
static const uint32_t *copy_out(const struct recorder *r, struct page *p, unsigned from, unsigned to)
{
    memcpy(p->base + from, p->copy + from, (to - from) * 4u);
    write_guest(r, p->address + from * 4u, p->base + from, (to - from) * 4u);
    return p->base + from;
}

static void defer_compare(struct recorder *r, struct page *p, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        p->deferred[i / 8] |= (uint8_t)(1u << i % 8u);
    if (p->is_deferred)
        return;
    p->is_deferred = true;
    p->next_deferred = r->deferred;
    r->deferred = p;
}

static void record_compare(struct recorder *r, const struct page *p, unsigned from, unsigned to)
{
    aub_write_memory_compare(&r->trace, space_of(p->address), address_in_space(p->address) + from * 4u,
                             p->base + from, (to - from) * 4u, false);
}

static void engines_wrote_at(struct recorder *r, struct page *p, unsigned from, unsigned to)
{
    copy_out(r, p, from, to);
    if (r->within)
        defer_compare(r, p, from, to);
    else
        record_compare(r, p, from, to);
}

static bool is_deferred(const struct page *p, unsigned i)
{
    return p->deferred[i / 8] >> i % 8u & 1u;
}

/* No engine is inside a command: a replay has written the same by now. */
static void compare_deferred(struct recorder *r)
{
    for (struct page *p = r->deferred, *next; p; p = next) {
        next = p->next_deferred;
        for (unsigned at = 0; at < PAGE_DW;) {
            unsigned end = at;
            while (end < PAGE_DW && is_deferred(p, end))
                end++;
            if (end > at)
                record_compare(r, p, at, end);
            at = end + 1;
        }
        memset(p->deferred, 0, sizeof p->deferred);
        p->is_deferred = false;
    }
    r->deferred = NULL;
}

static void guest_wrote_at(struct recorder *r, struct page *p, unsigned from, unsigned to)
{
    aub_write_memory(&r->trace, space_of(p->address), address_in_space(p->address) + from * 4u,
                     copy_out(r, p, from, to), (to - from) * 4u);
}

static void each_page(struct recorder *r, void (*each)(struct recorder *r, struct page *p))
{
    for (size_t i = 0; i < r->used_count; i++)
        each(r, r->used[i]);
}

static bool record_use(struct recorder *r, struct page *p)
{
    if (r->used_count == r->used_room) {
        const size_t room = r->used_room ? r->used_room * 2 : 256;
        struct page **used = realloc(r->used, room * sizeof *used);
        if (!used)
            return false;
        r->used = used;
        r->used_room = room;
    }
    r->used[r->used_count++] = p;
    memcpy(p->copy, p->base, PAGE);
    p->here = true;
    p->written = false;
    copy_in(r, p);
    return true;
}

static void engines_wrote(struct recorder *r, struct page *p)
{
    if (p->written)
        each_difference(p->copy, p->base, r, p, engines_wrote_at);
}

static void guest_wrote(struct recorder *r, struct page *p)
{
    if (p->written)
        each_difference(p->copy, p->base, r, p, guest_wrote_at);
}

static void *on_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct recorder *r = user;
    const uint64_t start = address & ~(uint64_t)(PAGE - 1);
    struct page **bucket = &r->buckets[start / PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 50];
    struct page *p = *bucket;
    while (p && p->address != start)
        p = p->next;
    uint32_t room[PAGE_DW];
    if (!p) {
        if (!guest_page(r, start, room) || !(p = calloc(1, sizeof *p)))
            return NULL;
        p->address = start;
        p->forgotten = r->forgot;
        p->next = *bucket;
        *bucket = p;
        r->page_count++;
    }
    if (!p->here && (!guest_page(r, start, room) || !record_use(r, p)))
        return NULL;
    p->written |= write;
    *length_bytes = PAGE - (address - start);
    return (uint8_t *)p->copy + (address - start);
}

struct softgt_memory_port recorder_memory_port(struct recorder *r)
{
    return (struct softgt_memory_port){.user = r, .map = on_map};
}

/* Local memory was cleared on both sides: its pages are recorded whole from now on. */
static void take_clears(struct recorder *r, const struct softgt *device)
{
    if (r->clears == device_local_clear_count(device))
        return;
    r->clears = device_local_clear_count(device);
    r->used_count = 0;
    forget_pages(r);
}

/* All pages are mapped again at their next use. Until then the guest owns them. */
void recorder_settle(struct recorder *r, struct softgt *device)
{
    take_clears(r, device);
    each_page(r, engines_wrote);
    for (size_t i = 0; i < r->used_count; i++)
        r->used[i]->here = false;
    r->used_count = 0;
    if (r->page_count > PAGES_KEPT)
        forget_pages(r);
    softgt_memory_changed(device);
}

/* ---- Events ---- */

void recorder_sync_table(struct recorder *r)
{
    for (uint64_t at = 0; at < r->table_bytes; at += PAGE) {
        if (memcmp((const uint8_t *)r->from.table + at, r->table_base + at, PAGE) == 0)
            continue;
        for (uint64_t from = at; from < at + PAGE;) {
            uint64_t end = from;
            while (end < at + PAGE &&
                   memcmp((const uint8_t *)r->from.table + end, r->table_base + end, 8) != 0) {
                memcpy(r->table_base + end, (const uint8_t *)r->from.table + end, 8);
                end += 8;
            }
            if (end > from) {
                aub_write_memory(&r->trace, AUB_GGTT_ENTRY, from, r->table_base + from, end - from);
                r->dirty = true;
            }
            from = end + 8;
        }
    }
}

void recorder_register_written(struct recorder *r, const struct softgt *device, uint64_t offset,
                               uint64_t value, unsigned size_bytes)
{
    if (offset >= r->mmio_bytes || (size_bytes != 1 && size_bytes != 2 && size_bytes != 4 && size_bytes != 8))
        return; /* the table is compared before each run */
    if (softgt_now_ns(device) != r->trace_ns)
        write_run_comment(r, NULL, softgt_now_ns(device));
    aub_write_register(&r->trace, (uint32_t)offset, size_bytes,
                       size_bytes == 8 ? UINT64_MAX : (UINT64_C(1) << size_bytes * 8u) - 1u, value);
    r->dirty = true;
    take_clears(r, device);
}

void recorder_aperture_written(struct recorder *r)
{
    each_page(r, guest_wrote);
    r->dirty = true;
}

bool recorder_run(struct recorder *r, struct softgt *device, uint64_t budget_dw)
{
    if (!softgt_runnable(device))
        return false;
    recorder_sync_table(r);
    recorder_settle(r, device);
    struct run_extent run = {.budget_dw = budget_dw, .is_recording = true};
    const bool more = device_run(device, &run);
    if (r->dirty || run.done_dw || run.partial_dw) {
        write_run_comment(r, &run, softgt_now_ns(device));
        r->dirty = false;
    }
    r->within = device_within_command(device);
    each_page(r, engines_wrote);
    if (!r->within)
        compare_deferred(r);
    return more;
}

/* A reset clears local memory, if there is any. */
void recorder_check_reset(struct recorder *r, const struct softgt *device)
{
    if (r->clears == device_local_clear_count(device))
        return;
    take_clears(r, device);
    aub_write_comment(&r->trace, "softgt reset");
    r->trace_ns = 0;
    memset(r->table_base, 0, r->table_bytes);
}
