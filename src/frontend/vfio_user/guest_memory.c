#include "frontend/vfio_user/guest_memory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { REGIONS_AT_MOST = 16384, PAGE = 4096 };

/* The first region that ends behind the address. */
static size_t place(const struct guest_memory *m, uint64_t address)
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

int guest_memory_add(struct guest_memory *m, uint64_t address, uint64_t size_bytes, uint64_t offset, int fd,
                     bool readable, bool writable)
{
    if (!size_bytes || address + (size_bytes - 1u) < address)
        return EINVAL;
    const size_t at = place(m, address);
    if (at < m->count && m->regions[at].address <= address + (size_bytes - 1u))
        return EEXIST;
    if (m->count == REGIONS_AT_MOST)
        return ENOSPC;
    uint8_t *host = NULL;
    if (fd >= 0 && readable) {
        struct stat file;
        if ((offset | address | size_bytes) % PAGE || offset + size_bytes < offset || fstat(fd, &file) != 0 ||
            !S_ISREG(file.st_mode) || (uint64_t)file.st_size < offset + size_bytes)
            return EINVAL;
        host = mmap(NULL, size_bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED | MAP_NORESERVE, fd,
                    (off_t)offset);
        if (host == MAP_FAILED)
            return errno;
    }
    if (m->count == m->room) {
        const size_t room = m->room ? m->room * 2 : 64;
        struct guest_region *regions = realloc(m->regions, room * sizeof *regions);
        if (!regions) {
            if (host)
                munmap(host, size_bytes);
            return ENOMEM;
        }
        m->regions = regions;
        m->room = room;
    }
    memmove(m->regions + at + 1, m->regions + at, (m->count - at) * sizeof *m->regions);
    m->regions[at] = (struct guest_region){address, size_bytes, host, readable, writable};
    m->count++;
    return 0;
}

int guest_memory_remove(struct guest_memory *m, uint64_t address, uint64_t size_bytes)
{
    const size_t first = place(m, address);
    const uint64_t last = address + (size_bytes - 1u);
    size_t end = first;
    for (; end < m->count && m->regions[end].address <= last; end++)
        if (m->regions[end].address < address ||
            m->regions[end].address + (m->regions[end].size_bytes - 1u) > last)
            return -1;
    if (first == end)
        return 0;
    for (size_t i = first; i < end; i++)
        if (m->regions[i].host)
            munmap(m->regions[i].host, m->regions[i].size_bytes);
    memmove(m->regions + first, m->regions + end, (m->count - end) * sizeof *m->regions);
    m->count -= end - first;
    return (int)(end - first);
}

void guest_memory_clear(struct guest_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->regions[i].host)
            munmap(m->regions[i].host, m->regions[i].size_bytes);
    free(m->regions);
    *m = (struct guest_memory){0};
}

const struct guest_region *guest_memory_find(struct guest_memory *m, uint64_t address)
{
    if (m->last < m->count && address - m->regions[m->last].address < m->regions[m->last].size_bytes)
        return &m->regions[m->last];
    const size_t at = place(m, address);
    if (at == m->count || m->regions[at].address > address)
        return NULL;
    m->last = at;
    return &m->regions[at];
}

/* ---- Pages that a client took away ---- */

static const struct guest_memory *volatile guarded;
static volatile sig_atomic_t lost;

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    const uint8_t *at = info->si_addr;
    for (size_t i = 0; guarded && i < guarded->count; i++) {
        const struct guest_region *r = &guarded->regions[i];
        if (!r->host || at < r->host || at >= r->host + r->size_bytes)
            continue;
        uint8_t *page = r->host + (size_t)(at - r->host) / PAGE * PAGE;
        if (mmap(page, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            page) {
            lost = lost + 1;
            return;
        }
    }
    signal(number, SIG_DFL); /* our own fault: end as one does */
}

void guest_memory_guard(const struct guest_memory *m)
{
    guarded = m;
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    if (!m)
        action = (struct sigaction){.sa_handler = SIG_DFL};
    sigaction(SIGBUS, &action, NULL);
}

unsigned guest_memory_lost_pages(void)
{
    const unsigned pages = (unsigned)lost;
    lost = 0;
    return pages;
}
