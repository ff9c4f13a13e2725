/*
 * Objects: files in memory that the program and the model map both, or the program's own pages. Each has bus
 * addresses of its own; a page is the program's as the model sees it, nothing is copied.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/exec.h"

#include "device/device.h"

/* ---- Whether the program's memory has objects: without the lock, as its allocator may hold its own ---- */

enum { NEAR_SHIFT = 21, NEAR = 1 << 14 };
static _Atomic unsigned near_counts[NEAR]; /* objects by the 2 MB in which their pages are, modulo NEAR */

static void count_near(uint64_t address, uint64_t size_bytes, bool more)
{
    const uint64_t first = address >> NEAR_SHIFT, last = (address + size_bytes - 1) >> NEAR_SHIFT;
    for (uint64_t at = first; at <= last && at - first < NEAR; at++)
        near_counts[at % NEAR] += more ? 1u : -1u;
    user_objects += more ? 1u : -1u;
}

bool objects_may_be_near(uint64_t address, uint64_t size_bytes)
{
    if (!atomic_load(&user_objects) || !size_bytes)
        return false;
    const uint64_t first = address >> NEAR_SHIFT, last = (address + size_bytes - 1) >> NEAR_SHIFT;
    for (uint64_t at = first; at <= last && at - first < NEAR; at++)
        if (atomic_load(&near_counts[at % NEAR]))
            return true;
    return false;
}

/* ---- Bus addresses ---- */

/* Where in the list an address is or would be. */
static uint32_t place_of(const struct gpu *g, uint64_t bus)
{
    uint32_t low = 0, high = g->object_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (g->objects[middle]->bus + g->objects[middle]->size_bytes > bus)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Addresses that are not used, from the last on. */
static bool take_addresses(struct gpu *g, uint64_t size_bytes, bool local, uint64_t *bus)
{
    const uint64_t first = local ? MEMORY_LOCAL | g->local_bytes / TABLES_OF_LOCAL : OBJECTS_BUS,
                   end = local ? MEMORY_LOCAL | local_layout(&g->device->memory).flat_ccs
                               : UINT64_C(1) << g->sheet->memory.physical_bits;
    for (unsigned round = 0; round < 2; round++) {
        uint64_t at = round || !g->next_address[local] ? first : g->next_address[local];
        for (uint32_t i = place_of(g, at);; i++) {
            const uint64_t there = i < g->object_count ? g->objects[i]->bus : end,
                           next = there < end ? there : end;
            if (next >= at && next - at >= size_bytes) {
                *bus = at;
                g->next_address[local] = at + size_bytes;
                return true;
            }
            if (next == end)
                break;
            at = g->objects[i]->bus + g->objects[i]->size_bytes;
        }
    }
    return false;
}

/* ---- Objects ---- */

static int add(struct gpu *g, struct object *o)
{
    if (g->object_count == g->object_room) {
        const uint32_t room = g->object_room ? g->object_room * 2 : 256;
        struct object **objects = realloc(g->objects, room * sizeof(struct object *));
        if (!objects)
            return -ENOMEM;
        g->objects = objects;
        g->object_room = room;
    }
    if (!o->bus && !take_addresses(g, o->size_bytes, false, &o->bus))
        return -ENOMEM;
    const uint32_t at = place_of(g, o->bus);
    memmove(g->objects + at + 1, g->objects + at, (g->object_count - at) * sizeof(struct object *));
    g->objects[at] = o;
    g->object_count++;
    o->gpu = g;
    g->users++;
    return 0;
}

/* Of local memory its pages are in their place there. */
static int map_file(const struct gpu *g, struct object *o)
{
    uint8_t *const place = o->bus ? g->local + (o->bus & ~MEMORY_LOCAL) : NULL;
    void *host = mmap(place, o->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (place ? MAP_FIXED : 0),
                      o->file.fd, 0);
    if (host == MAP_FAILED)
        return -ENOMEM;
    o->host = host;
    return 0;
}

/* A file that no other process can shorten; -1: there is none, 0: and *error. */
static int make_file(uint64_t size_bytes, int *error)
{
    int fd = memfd_create("softgt-object", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0)
        fd = high_descriptor(fd);
    if (fd >= 0 && fd < FIRST_DESCRIPTOR) { /* the last ones are the program's */
        close(fd);
        fd = -1;
    }
    if (fd >= 0 && (ftruncate(fd, (off_t)size_bytes) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0))
        *error = -ENOMEM;
    return fd;
}

/* Without a file it is memory as well, but for other processes. */
static int map_pages(struct object *o)
{
    void *host =
        mmap(NULL, o->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return -ENOMEM;
    o->host = host;
    return 0;
}

/* What was there of local memory is empty again. */
static void unmap_pages(const struct object *o)
{
    if (!(o->bus & MEMORY_LOCAL))
        munmap(o->host, o->size_bytes);
    else if (mmap(o->host, o->size_bytes, PROT_READ | PROT_WRITE,
                  MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        memset(o->host, 0, o->size_bytes);
}

static int finish(struct gpu *g, struct object *o, int error, struct object **made)
{
    if (!error)
        error = add(g, o);
    if (!error) {
        *made = o;
        return 0;
    }
    if (o->host && !o->is_user)
        unmap_pages(o);
    own_file_close(&o->file);
    free(o);
    return error;
}

int object_create(struct gpu *g, uint64_t size_bytes, bool local, struct object **made)
{
    size_bytes = (size_bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (!size_bytes || size_bytes > UINT64_C(1) << 38)
        return size_bytes ? -E2BIG : -EINVAL;
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    int error = 0;
    const int fd = make_file(size_bytes, &error);
    *o = (struct object){.references = 1, .size_bytes = size_bytes, .file = own_file_of(fd)};
    if (local && !error && fd >= 0)
        take_addresses(g, o->size_bytes, true, &o->bus);
    if (!error)
        error = fd < 0 ? map_pages(o) : map_file(g, o);
    return finish(g, o, error, made);
}

void *object_mmap(const struct object *o, void *address, uint64_t size_bytes, int protection, int flags,
                  uint64_t offset)
{
    const int fd = own_file_number(&o->file);
    if (fd >= 0)
        return mmap(address, size_bytes, protection, flags, fd, (off_t)offset);
    const bool fixed = flags & MAP_FIXED;
    void *p = mremap(o->host + offset, 0, size_bytes, MREMAP_MAYMOVE | (fixed ? MREMAP_FIXED : 0), address);
    if (p != MAP_FAILED && protection != (PROT_READ | PROT_WRITE))
        mprotect(p, size_bytes, protection);
    return p;
}

int object_of_user(struct gpu *g, uint64_t address, uint64_t size_bytes, bool read_only, struct object **made)
{
    if (!size_bytes || (address | size_bytes) % PAGE_BYTES)
        return -EINVAL;
    if (address + size_bytes < address || address + size_bytes > UINT64_C(1) << 47)
        return -EFAULT;
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    *o = (struct object){.references = 1,
                         .size_bytes = size_bytes,
                         .file.fd = -1,
                         .is_user = true,
                         .read_only = read_only,
                         .host = (uint8_t *)(uintptr_t)address};
    const int error = finish(g, o, 0, made);
    if (!error)
        count_near(address, size_bytes, true);
    return error;
}

int object_of_file(struct gpu *g, int fd, struct object **made)
{
    struct stat st;
    const int seals = fcntl(fd, F_GET_SEALS);
    if (fstat(fd, &st) != 0)
        return -EBADF;
    for (uint32_t i = 0; i < g->object_count; i++)
        if (g->objects[i]->file.fd >= 0 && g->objects[i]->file.device == st.st_dev &&
            g->objects[i]->file.inode == st.st_ino) {
            *made = object_get(g->objects[i]);
            return 0;
        }
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || st.st_size <= 0 || st.st_size % PAGE_BYTES)
        return -EINVAL; /* none of ours */
    struct object *o = calloc(1, sizeof *o);
    const int own = o ? dup(fd) : -1;
    if (own < 0) {
        free(o);
        return -ENOMEM;
    }
    *o = (struct object){
        .references = 1, .size_bytes = (uint64_t)st.st_size, .file = own_file_of(high_descriptor(own))};
    fcntl(o->file.fd, F_SETFD, FD_CLOEXEC);
    return finish(g, o, map_file(g, o), made);
}

struct object *object_get(struct object *o)
{
    o->references++;
    return o;
}

static void drop_instead(struct object *o)
{
    if (o->instead)
        munmap(o->instead, o->size_bytes);
    o->instead = NULL;
}

void object_put(struct object *o)
{
    if (!o || --o->references)
        return;
    struct gpu *g = o->gpu;
    spaces_forget(g, o);
    names_take(&g->named, o->name);
    const uint32_t at = place_of(g, o->bus);
    memmove(g->objects + at, g->objects + at + 1, (g->object_count - at - 1) * sizeof(struct object *));
    g->object_count--;
    gpu_settle(g);
    drop_instead(o);
    if (o->is_user)
        count_near((uintptr_t)o->host, o->size_bytes, false);
    else
        unmap_pages(o);
    own_file_close(&o->file);
    fence_put(o->last);
    free(o);
    gpu_put(g);
}

struct object *object_at(const struct gpu *g, uint64_t bus)
{
    const uint32_t at = place_of(g, bus);
    return at < g->object_count && g->objects[at]->bus <= bus ? g->objects[at] : NULL;
}

#define LOCAL_OFFSETS (UINT64_C(1) << 62)

uint64_t object_offset(const struct object *o)
{
    return o->bus & MEMORY_LOCAL ? (o->bus & ~MEMORY_LOCAL) | LOCAL_OFFSETS : o->bus;
}

struct object *object_at_offset(const struct gpu *g, uint64_t offset, uint64_t *from)
{
    struct object *const o =
        object_at(g, offset & LOCAL_OFFSETS ? (offset & ~LOCAL_OFFSETS) | MEMORY_LOCAL : offset);
    *from = o ? offset - object_offset(o) : 0;
    return o;
}

void *objects_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct gpu *g = user;
    if (g->scratch && address - g->scratch < PAGE_BYTES) {
        gpu_tell(g, EXEC_ASTRAY, "pages at which nothing is were %s", write ? "written" : "read");
        *length_bytes = PAGE_BYTES - (address - g->scratch);
        return g->own + (address - OWN_BUS);
    }
    if (address - OWN_BUS < TABLES_BUS + TABLES_BYTES - OWN_BUS) {
        *length_bytes = TABLES_BUS + TABLES_BYTES - address;
        return g->own + (address - OWN_BUS);
    }
    const struct object *o = object_at(g, address);
    if (!o || (o->gone && !o->instead) || (write && o->read_only))
        return NULL;
    *length_bytes = o->size_bytes - (address - o->bus);
    return (o->gone ? o->instead : o->host) + (address - o->bus);
}

bool object_is_there(struct object *o)
{
    const uint64_t at = (uintptr_t)o->host;
    if (!o->is_user)
        return true;
    o->looked = o->looked ? user_seems_accessible(at, o->size_bytes, o->read_only)
                          : user_is_accessible(at, o->size_bytes, o->read_only);
    const bool over = o->instead && (o->looked || !gpu_uses(o->gpu, o));
    if (o->gone == o->looked || over) {
        o->gone = !o->looked;
        softgt_memory_changed(o->gpu->device);
    }
    if (over)
        drop_instead(o);
    return o->looked;
}

static bool is_user_in(const struct object *o, uint64_t address, uint64_t size_bytes)
{
    const uint64_t at = (uintptr_t)o->host;
    return o->is_user && (at - address < size_bytes || address - at < o->size_bytes);
}

void objects_look(struct gpu *g, uint64_t address, uint64_t size_bytes)
{
    for (uint32_t i = 0; i < g->object_count; i++)
        if (is_user_in(g->objects[i], address, size_bytes)) {
            g->objects[i]->looked = false;
            object_is_there(g->objects[i]);
        }
}

void objects_lose(struct gpu *g, uint64_t address, uint64_t size_bytes)
{
    for (uint32_t i = 0; i < g->object_count; i++) {
        struct object *o = g->objects[i];
        if (!is_user_in(o, address, size_bytes) || o->instead)
            continue;
        void *p = mmap(NULL, o->size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        o->instead = p == MAP_FAILED ? NULL : p;
        o->gone = true;
        o->looked = false;
    }
    softgt_memory_changed(g->device);
}

bool objects_are_used(const struct gpu *g, uint64_t address, uint64_t size_bytes)
{
    for (uint32_t i = 0; i < g->object_count; i++)
        if (is_user_in(g->objects[i], address, size_bytes) && gpu_uses(g, g->objects[i]))
            return true;
    return false;
}
