/*
 * Objects: files in memory that the program and the model map both, or the program's own pages. Each has bus
 * addresses of its own; a page is the program's as the model sees it, nothing is copied.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/exec/exec.h"

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
static bool take_addresses(struct gpu *g, uint64_t size_bytes, uint64_t *bus)
{
    const uint64_t end = UINT64_C(1) << g->sheet->memory.physical_bits;
    for (unsigned round = 0; round < 2; round++) {
        uint64_t at = round ? OBJECTS_BUS : g->next_bus;
        for (uint32_t i = place_of(g, at);; i++) {
            const uint64_t next = i < g->object_count ? g->objects[i]->bus : end;
            if (next >= at && next - at >= size_bytes) {
                *bus = at;
                g->next_bus = at + size_bytes;
                return true;
            }
            if (i >= g->object_count)
                break;
            at = g->objects[i]->bus + g->objects[i]->size_bytes;
        }
    }
    return false;
}

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
    if (!take_addresses(g, o->size_bytes, &o->bus))
        return -ENOMEM;
    const uint32_t at = place_of(g, o->bus);
    memmove(g->objects + at + 1, g->objects + at, (g->object_count - at) * sizeof(struct object *));
    g->objects[at] = o;
    g->object_count++;
    o->gpu = g;
    g->users++;
    return 0;
}

static int high_descriptor(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (high < 0 && (errno == EMFILE || errno == EINVAL)) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_NOFILE, &limit);
            high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
        }
    }
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

static int map_file(struct object *o)
{
    struct stat st;
    void *host = mmap(NULL, o->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, 0);
    if (host == MAP_FAILED || fstat(o->fd, &st) != 0)
        return -ENOMEM;
    o->host = host;
    o->device = st.st_dev;
    o->inode = st.st_ino;
    return 0;
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
        munmap(o->host, o->size_bytes);
    if (o->fd >= 0)
        close(o->fd);
    free(o);
    return error;
}

int object_create(struct gpu *g, uint64_t size_bytes, struct object **made)
{
    size_bytes = (size_bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (!size_bytes || size_bytes > UINT64_C(1) << 38)
        return size_bytes ? -E2BIG : -EINVAL;
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    *o = (struct object){.references = 1,
                         .size_bytes = size_bytes,
                         .fd = memfd_create("softgt-object", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    int error = 0;
    if (o->fd >= 0)
        o->fd = high_descriptor(o->fd);
    if (o->fd < 0 || ftruncate(o->fd, (off_t)o->size_bytes) != 0 ||
        fcntl(o->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        error = -ENOMEM;
    return finish(g, o, error ? error : map_file(o), made);
}

/* Whether pages of the program are all there. */
static bool pages_are_there(uint64_t address, uint64_t size_bytes)
{
    unsigned char there[1024];
    for (uint64_t at = 0; at < size_bytes; at += sizeof there * PAGE_BYTES) {
        const uint64_t left = size_bytes - at, part = sizeof there * PAGE_BYTES;
        if (mincore((void *)(uintptr_t)(address + at), left < part ? left : part, there) != 0)
            return false;
    }
    return true;
}

int object_of_user(struct gpu *g, uint64_t address, uint64_t size_bytes, struct object **made)
{
    if (!size_bytes || (address | size_bytes) % PAGE_BYTES)
        return -EINVAL;
    if (address + size_bytes < address || address + size_bytes > UINT64_C(1) << 47 ||
        !pages_are_there(address, size_bytes))
        return -EFAULT;
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return -ENOMEM;
    *o = (struct object){.references = 1,
                         .size_bytes = size_bytes,
                         .fd = -1,
                         .is_user = true,
                         .host = (uint8_t *)(uintptr_t)address};
    const int error = finish(g, o, 0, made);
    if (!error)
        user_objects++;
    return error;
}

int object_of_file(struct gpu *g, int fd, struct object **made)
{
    struct stat st;
    const int seals = fcntl(fd, F_GET_SEALS);
    if (fstat(fd, &st) != 0)
        return -EBADF;
    for (uint32_t i = 0; i < g->object_count; i++)
        if (g->objects[i]->fd >= 0 && g->objects[i]->device == st.st_dev &&
            g->objects[i]->inode == st.st_ino) {
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
    *o = (struct object){.references = 1, .size_bytes = (uint64_t)st.st_size, .fd = high_descriptor(own)};
    fcntl(o->fd, F_SETFD, FD_CLOEXEC);
    return finish(g, o, map_file(o), made);
}

struct object *object_get(struct object *o)
{
    o->references++;
    return o;
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
    if (g->recorder)
        recorder_settle(g->recorder, g->device);
    else
        softgt_memory_changed(g->device);
    if (o->is_user)
        user_objects--;
    else
        munmap(o->host, o->size_bytes);
    if (o->fd >= 0)
        close(o->fd);
    fence_put(o->last);
    free(o);
    gpu_put(g);
}

struct object *object_at(const struct gpu *g, uint64_t bus)
{
    const uint32_t at = place_of(g, bus);
    return at < g->object_count && g->objects[at]->bus <= bus ? g->objects[at] : NULL;
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
    if (!o || o->gone || (write && o->read_only))
        return NULL;
    *length_bytes = o->size_bytes - (address - o->bus);
    return o->host + (address - o->bus);
}

/* It may have come back since: other memory, at the same addresses. */
bool object_is_there(struct object *o)
{
    if (o->gone && pages_are_there((uintptr_t)o->host, o->size_bytes)) {
        o->gone = false;
        softgt_memory_changed(o->gpu->device);
    }
    return !o->gone;
}

void objects_forget_user(struct gpu *g, uint64_t address, uint64_t size_bytes)
{
    bool changed = false;
    for (uint32_t i = 0; i < g->object_count; i++) {
        struct object *o = g->objects[i];
        const uint64_t at = (uintptr_t)o->host;
        if (o->is_user && !o->gone && at < address + size_bytes && address < at + o->size_bytes)
            changed = o->gone = true;
    }
    if (changed)
        softgt_memory_changed(g->device);
}
