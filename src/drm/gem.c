/*
 * Buffer objects: memory files that the program and the model both map, or the program's own pages (userptr).
 * Each object has bus addresses of its own. Nothing is copied.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drm/drm_core.h"

#include "device/host.h"

/* ---- Lookup of userptrs without the lock: the caller may be the program's allocator, which holds a lock of
 * its own ---- */

enum { USERPTR_BLOCK_SHIFT = 21, USERPTR_BLOCKS = 1 << 14 };
static _Atomic unsigned
    userptr_block_counts[USERPTR_BLOCKS]; /* userptrs by 2 MB block of their pages, modulo USERPTR_BLOCKS */

static void count_userptr_blocks(uint64_t address, uint64_t size_bytes, bool more)
{
    const uint64_t first = address >> USERPTR_BLOCK_SHIFT,
                   last = (address + size_bytes - 1) >> USERPTR_BLOCK_SHIFT;
    for (uint64_t at = first; at <= last && at - first < USERPTR_BLOCKS; at++)
        userptr_block_counts[at % USERPTR_BLOCKS] += more ? 1u : -1u;
    gem_userptr_count += more ? 1u : -1u;
}

bool gem_userptr_may_overlap(uint64_t address, uint64_t size_bytes)
{
    if (!atomic_load(&gem_userptr_count) || !size_bytes)
        return false;
    const uint64_t first = address >> USERPTR_BLOCK_SHIFT,
                   last = (address + size_bytes - 1) >> USERPTR_BLOCK_SHIFT;
    for (uint64_t at = first; at <= last && at - first < USERPTR_BLOCKS; at++)
        if (atomic_load(&userptr_block_counts[at % USERPTR_BLOCKS]))
            return true;
    return false;
}

/* ---- Bus addresses ---- */

/* The index of the first object that ends after the address. */
static uint32_t object_index(const struct shim_device *g, uint64_t bus)
{
    uint32_t low = 0, high = g->objects.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (g->objects.list[middle]->bus_address + g->objects.list[middle]->size_bytes > bus)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Allocates free addresses, searching from the last allocation on. */
static bool alloc_bus_addresses(struct shim_device *g, uint64_t size_bytes, bool local, uint64_t *bus)
{
    const uint64_t first = local ? MEMORY_LOCAL | g->local_bytes / LOCAL_TABLES_FRACTION : OBJECTS_BUS,
                   end = local ? MEMORY_LOCAL | device_local_reserved_start(g->device)
                               : UINT64_C(1) << g->sheet->memory.physical_bits;
    for (unsigned round = 0; round < 2; round++) {
        uint64_t at = round || !g->objects.next_address[local] ? first : g->objects.next_address[local];
        for (uint32_t i = object_index(g, at);; i++) {
            const uint64_t there = i < g->objects.count ? g->objects.list[i]->bus_address : end,
                           next = there < end ? there : end;
            if (next >= at && next - at >= size_bytes) {
                *bus = at;
                g->objects.next_address[local] = at + size_bytes;
                return true;
            }
            if (next == end)
                break;
            at = g->objects.list[i]->bus_address + g->objects.list[i]->size_bytes;
        }
    }
    return false;
}

/* ---- Objects ---- */

static int gem_add(struct shim_device *g, struct gem_object *o)
{
    if (g->objects.count == g->objects.capacity) {
        const uint32_t room = g->objects.capacity ? g->objects.capacity * 2 : 256;
        struct gem_object **objects = realloc(g->objects.list, room * sizeof(struct gem_object *));
        if (!objects)
            return -ENOMEM;
        g->objects.list = objects;
        g->objects.capacity = room;
    }
    if (!o->bus_address && !alloc_bus_addresses(g, o->size_bytes, false, &o->bus_address))
        return -ENOMEM;
    const uint32_t at = object_index(g, o->bus_address);
    memmove(g->objects.list + at + 1, g->objects.list + at,
            (g->objects.count - at) * sizeof(struct gem_object *));
    g->objects.list[at] = o;
    g->objects.count++;
    o->device = g;
    g->references++;
    return 0;
}

/* Objects in local memory are mapped at their address in it. */
static int map_file(const struct shim_device *g, struct gem_object *o)
{
    uint8_t *const place = o->bus_address ? g->local_memory + (o->bus_address & ~MEMORY_LOCAL) : NULL;
    void *host = mmap(place, o->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (place ? MAP_FIXED : 0),
                      o->file.fd, 0);
    if (host == MAP_FAILED)
        return -ENOMEM;
    o->host = host;
    return 0;
}

/* Makes a sealed file that no process can shorten. -1: there is no descriptor; otherwise *error may be set.
 */
static int make_file(uint64_t size_bytes, int *error)
{
    int fd = memfd_create("softgt-object", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0)
        fd = fd_move_high(fd);
    if (fd >= 0 && fd < FIRST_PRIVATE_FD) { /* low descriptors are the program's */
        close(fd);
        fd = -1;
    }
    if (fd >= 0 && (ftruncate(fd, (off_t)size_bytes) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0))
        *error = -ENOMEM;
    return fd;
}

/* Maps memory without a file: it works, but cannot be shared with other processes. */
static int map_pages(struct gem_object *o)
{
    void *host =
        mmap(NULL, o->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return -ENOMEM;
    o->host = host;
    return 0;
}

/* Local memory becomes zero again. */
static void unmap_pages(const struct gem_object *o)
{
    if (!(o->bus_address & MEMORY_LOCAL))
        munmap(o->host, o->size_bytes);
    else if (mmap(o->host, o->size_bytes, PROT_READ | PROT_WRITE,
                  MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        memset(o->host, 0, o->size_bytes);
}

static int gem_finish_create(struct shim_device *g, struct gem_object *o, int error, struct gem_object **made)
{
    if (!error)
        error = gem_add(g, o);
    if (!error) {
        *made = o;
        return 0;
    }
    if (o->host && !o->is_user)
        unmap_pages(o);
    private_fd_close(&o->file);
    free(o);
    return error;
}

int gem_create(struct shim_device *g, uint64_t size_bytes, bool local, struct gem_object **made)
{
    size_bytes = (size_bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (!size_bytes || size_bytes > UINT64_C(1) << 38)
        return size_bytes ? -E2BIG : -EINVAL;
    struct gem_object *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    int error = 0;
    const int fd = make_file(size_bytes, &error);
    *o = (struct gem_object){.references = 1, .size_bytes = size_bytes, .file = private_fd_of(fd)};
    if (local && !error && fd >= 0)
        alloc_bus_addresses(g, o->size_bytes, true, &o->bus_address);
    if (!error)
        error = fd < 0 ? map_pages(o) : map_file(g, o);
    return gem_finish_create(g, o, error, made);
}

void *gem_mmap(const struct gem_object *o, void *address, uint64_t size_bytes, int protection, int flags,
               uint64_t offset)
{
    const int fd = private_fd_number(&o->file);
    if (fd >= 0)
        return mmap(address, size_bytes, protection, flags, fd, (off_t)offset);
    const bool fixed = flags & MAP_FIXED;
    void *p = mremap(o->host + offset, 0, size_bytes, MREMAP_MAYMOVE | (fixed ? MREMAP_FIXED : 0), address);
    if (p != MAP_FAILED && protection != (PROT_READ | PROT_WRITE))
        mprotect(p, size_bytes, protection);
    return p;
}

int gem_create_userptr(struct shim_device *g, uint64_t address, uint64_t size_bytes, bool read_only,
                       struct gem_object **made)
{
    if (!size_bytes || (address | size_bytes) % PAGE_BYTES)
        return -EINVAL;
    if (address + size_bytes < address || address + size_bytes > UINT64_C(1) << 47)
        return -EFAULT;
    struct gem_object *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    *o = (struct gem_object){.references = 1,
                             .size_bytes = size_bytes,
                             .file.fd = -1,
                             .is_user = true,
                             .read_only = read_only,
                             .host = (uint8_t *)(uintptr_t)address};
    const int error = gem_finish_create(g, o, 0, made);
    if (!error)
        count_userptr_blocks(address, size_bytes, true);
    return error;
}

int gem_import(struct shim_device *g, int fd, struct gem_object **made)
{
    struct stat st;
    const int seals = fcntl(fd, F_GET_SEALS);
    if (fstat(fd, &st) != 0)
        return -EBADF;
    for (uint32_t i = 0; i < g->objects.count; i++)
        if (g->objects.list[i]->file.fd >= 0 && g->objects.list[i]->file.device == st.st_dev &&
            g->objects.list[i]->file.inode == st.st_ino) {
            *made = gem_get(g->objects.list[i]);
            return 0;
        }
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || st.st_size <= 0 || st.st_size % PAGE_BYTES)
        return -EINVAL; /* not an object of this library */
    struct gem_object *o = calloc(1, sizeof *o);
    const int own = o ? dup(fd) : -1;
    if (own < 0) {
        free(o);
        return -ENOMEM;
    }
    *o = (struct gem_object){
        .references = 1, .size_bytes = (uint64_t)st.st_size, .file = private_fd_of(fd_move_high(own))};
    fcntl(o->file.fd, F_SETFD, FD_CLOEXEC);
    return gem_finish_create(g, o, map_file(g, o), made);
}

struct gem_object *gem_get(struct gem_object *o)
{
    o->references++;
    return o;
}

static void free_zero_pages(struct gem_object *o)
{
    if (o->zero_pages)
        munmap(o->zero_pages, o->size_bytes);
    o->zero_pages = NULL;
}

void gem_put(struct gem_object *o)
{
    if (!o || --o->references)
        return;
    struct shim_device *g = o->device;
    vms_unmap_object(g, o);
    handle_delete(&g->flink_names, o->flink_name);
    const uint32_t at = object_index(g, o->bus_address);
    memmove(g->objects.list + at, g->objects.list + at + 1,
            (g->objects.count - at - 1) * sizeof(struct gem_object *));
    g->objects.count--;
    gpu_memory_changed(g);
    free_zero_pages(o);
    if (o->is_user)
        count_userptr_blocks((uintptr_t)o->host, o->size_bytes, false);
    else
        unmap_pages(o);
    private_fd_close(&o->file);
    fence_put(o->last_fence);
    free(o);
    shim_device_put(g);
}

struct gem_object *gem_at_bus_address(const struct shim_device *g, uint64_t bus)
{
    const uint32_t at = object_index(g, bus);
    return at < g->objects.count && g->objects.list[at]->bus_address <= bus ? g->objects.list[at] : NULL;
}

#define LOCAL_OFFSETS (UINT64_C(1) << 62)

uint64_t gem_mmap_offset(const struct gem_object *o)
{
    return o->bus_address & MEMORY_LOCAL ? (o->bus_address & ~MEMORY_LOCAL) | LOCAL_OFFSETS : o->bus_address;
}

struct gem_object *gem_at_mmap_offset(const struct shim_device *g, uint64_t offset, uint64_t *from)
{
    struct gem_object *const o =
        gem_at_bus_address(g, offset & LOCAL_OFFSETS ? (offset & ~LOCAL_OFFSETS) | MEMORY_LOCAL : offset);
    *from = o ? offset - gem_mmap_offset(o) : 0;
    return o;
}

/* The scratch page's memory of an address; NULL: it is elsewhere. */
static void *scratch_at(const struct shim_device *g, uint64_t address, size_t size_bytes)
{
    const uint64_t at = address - g->scratch_page;
    return g->scratch_page && at < PAGE_BYTES && size_bytes <= PAGE_BYTES - at
               ? g->driver_pages.memory + (address - DRIVER_BUS)
               : NULL;
}

/* The device maps pages that it may access later, or never; the scratch page is not mapped, so each access is
 * one. */
bool gem_read_scratch(void *user, uint64_t address, void *data, size_t size_bytes)
{
    struct shim_device *g = user;
    const void *const from = scratch_at(g, address, size_bytes);
    if (!from)
        return false;
    shim_log(g, EXEC_ASTRAY, "addresses without a binding were read");
    memcpy(data, from, size_bytes);
    return true;
}

bool gem_write_scratch(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    struct shim_device *g = user;
    void *const to = scratch_at(g, address, size_bytes);
    if (!to)
        return false;
    shim_log(g, EXEC_ASTRAY, "addresses without a binding were written");
    memcpy(to, data, size_bytes);
    return true;
}

void *gem_map_bus(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    const struct shim_device *g = user;
    if (scratch_at(g, address, 1))
        return NULL;
    if (address - DRIVER_BUS < TABLES_BUS + TABLES_BYTES - DRIVER_BUS) {
        *length_bytes = TABLES_BUS + TABLES_BYTES - address;
        return g->driver_pages.memory + (address - DRIVER_BUS);
    }
    const struct gem_object *o = gem_at_bus_address(g, address);
    if (!o || (o->invalidated && !o->zero_pages) || (write && o->read_only))
        return NULL;
    *length_bytes = o->size_bytes - (address - o->bus_address);
    return (o->invalidated ? o->zero_pages : o->host) + (address - o->bus_address);
}

bool gem_userptr_revalidate(struct gem_object *o)
{
    const uint64_t at = (uintptr_t)o->host;
    if (!o->is_user)
        return true;
    o->is_validated = o->is_validated ? user_range_probe(at, o->size_bytes, o->read_only)
                                      : user_range_fault_in(at, o->size_bytes, o->read_only);
    const bool over = o->zero_pages && (o->is_validated || !gpu_object_is_busy(o->device, o));
    if (o->invalidated == o->is_validated || over) {
        o->invalidated = !o->is_validated;
        softgt_memory_changed(o->device->device);
    }
    if (over)
        free_zero_pages(o);
    return o->is_validated;
}

static bool is_user_in(const struct gem_object *o, uint64_t address, uint64_t size_bytes)
{
    const uint64_t at = (uintptr_t)o->host;
    return o->is_user && (at - address < size_bytes || address - at < o->size_bytes);
}

void gem_userptr_revalidate_range(struct shim_device *g, uint64_t address, uint64_t size_bytes)
{
    for (uint32_t i = 0; i < g->objects.count; i++)
        if (is_user_in(g->objects.list[i], address, size_bytes)) {
            g->objects.list[i]->is_validated = false;
            gem_userptr_revalidate(g->objects.list[i]);
        }
}

void gem_userptr_invalidate_range(struct shim_device *g, uint64_t address, uint64_t size_bytes)
{
    for (uint32_t i = 0; i < g->objects.count; i++) {
        struct gem_object *o = g->objects.list[i];
        if (!is_user_in(o, address, size_bytes) || o->zero_pages)
            continue;
        void *p = mmap(NULL, o->size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        o->zero_pages = p == MAP_FAILED ? NULL : p;
        o->invalidated = true;
        o->is_validated = false;
    }
    softgt_memory_changed(g->device);
}

bool gem_userptr_range_is_busy(const struct shim_device *g, uint64_t address, uint64_t size_bytes)
{
    for (uint32_t i = 0; i < g->objects.count; i++)
        if (is_user_in(g->objects.list[i], address, size_bytes) && gpu_object_is_busy(g, g->objects.list[i]))
            return true;
    return false;
}
