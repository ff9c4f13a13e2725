#include "server/guest_memory.h"

#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

enum { REGIONS_AT_MOST = 16384, PAGE = 4096 };

/* Index of the first region that ends after the address. */
static size_t region_index(const struct guest_memory *m, uint64_t address)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (m->regions[middle].address + m->regions[middle].size_bytes - 1u < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void unmap(const struct guest_region *r)
{
    if (r->map)
        munmap(r->map, r->map_bytes);
}

/* Maps the pages of the file that hold r->size_bytes from `offset` on. 0 or an errno. */
static int map_file(struct guest_region *r, uint64_t offset, int fd)
{
    struct stat file;
    struct statfs fs;
    if ((offset | r->address | r->size_bytes) % PAGE || offset + r->size_bytes < offset ||
        fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || (uint64_t)file.st_size < offset + r->size_bytes)
        return EINVAL;
    const bool huge = fstatfs(fd, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC && fs.f_bsize > PAGE;
    const uint64_t page_bytes = huge ? (uint64_t)fs.f_bsize : PAGE, lead_bytes = offset % page_bytes;
    r->map_bytes = (lead_bytes + r->size_bytes + page_bytes - 1u) / page_bytes * page_bytes;
    r->map = mmap(NULL, r->map_bytes, PROT_READ | (r->writable ? PROT_WRITE : 0), MAP_SHARED | MAP_NORESERVE,
                  fd, (off_t)(offset - lead_bytes));
    if (r->map == MAP_FAILED)
        return errno;
    r->host = r->map + lead_bytes;
    return 0;
}

int guest_memory_add(struct guest_memory *m, uint64_t address, uint64_t size_bytes, uint64_t offset, int fd,
                     bool readable, bool writable)
{
    if (!size_bytes || address + (size_bytes - 1u) < address)
        return EINVAL;
    const size_t at = region_index(m, address);
    if (at < m->count && m->regions[at].address <= address + (size_bytes - 1u))
        return EEXIST;
    if (m->count == REGIONS_AT_MOST)
        return ENOSPC;
    struct guest_region region = {
        .address = address, .size_bytes = size_bytes, .readable = readable, .writable = writable};
    const int error = fd >= 0 && readable ? map_file(&region, offset, fd) : 0;
    if (error)
        return error;
    if (m->count == m->room) {
        const size_t room = m->room ? m->room * 2 : 64;
        struct guest_region *regions = realloc(m->regions, room * sizeof *regions);
        if (!regions) {
            unmap(&region);
            return ENOMEM;
        }
        m->regions = regions;
        m->room = room;
    }
    memmove(m->regions + at + 1, m->regions + at, (m->count - at) * sizeof *m->regions);
    m->regions[at] = region;
    m->count++;
    return 0;
}

int guest_memory_remove(struct guest_memory *m, uint64_t address, uint64_t size_bytes)
{
    const size_t first = region_index(m, address);
    const uint64_t last = address + (size_bytes - 1u);
    size_t end = first;
    for (; end < m->count && m->regions[end].address <= last; end++)
        if (m->regions[end].address < address ||
            m->regions[end].address + (m->regions[end].size_bytes - 1u) > last)
            return -1;
    if (first == end)
        return 0;
    for (size_t i = first; i < end; i++)
        unmap(&m->regions[i]);
    memmove(m->regions + first, m->regions + end, (m->count - end) * sizeof *m->regions);
    m->count -= end - first;
    return (int)(end - first);
}

void guest_memory_clear(struct guest_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        unmap(&m->regions[i]);
    free(m->regions);
    m->regions = NULL;
    m->count = m->room = m->last = 0;
}

const struct guest_region *guest_memory_find(struct guest_memory *m, uint64_t address)
{
    if (m->last < m->count && address - m->regions[m->last].address < m->regions[m->last].size_bytes)
        return &m->regions[m->last];
    const size_t at = region_index(m, address);
    if (at == m->count || m->regions[at].address > address)
        return NULL;
    m->last = at;
    return &m->regions[at];
}

/* ---- Missing pages ---- */

static struct guest_memory *volatile guarded;

/* False: the address is not in this guest's memory. */
static bool give_zeros(struct guest_memory *m, const uint8_t *at)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct guest_region *r = &m->regions[i];
        if (!r->map || at < r->map || at >= r->map + r->map_bytes)
            continue;
        /* The whole region at once: single pages would exceed the kernel's limit of mappings. */
        if (mmap(r->map, r->map_bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == r->map) {
            m->lost = 1;
            return true;
        }
    }
    return false;
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    for (struct guest_memory *m = guarded; m; m = m->next)
        if (give_zeros(m, info->si_addr))
            return;
    signal(number, SIG_DFL); /* our own fault: end by the signal */
}

void guest_memory_guard(struct guest_memory *m)
{
    const struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    m->next = guarded;
    guarded = m;
    sigaction(SIGBUS, &action, NULL);
}

void guest_memory_unguard(struct guest_memory *m)
{
    if (guarded == m)
        guarded = m->next;
    for (struct guest_memory *g = guarded; g; g = g->next)
        if (g->next == m)
            g->next = m->next;
    if (!guarded)
        sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

bool guest_memory_lost(struct guest_memory *m)
{
    const bool is = m->lost;
    m->lost = 0;
    return is;
}
