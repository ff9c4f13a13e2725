/* What every DRM device answers, and the way of a call to its row. */
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/exec.h"

/* ---- The drivers ---- */

static const struct {
    const char *description, *date;
    int version[3];
    const struct call_row *calls;
    bool first_context; /* there from the start, as 0 */
} drivers[EXEC_DRIVERS] = {[EXEC_I915] = {"Intel Graphics", "20230929", {1, 6, 0}, i915_calls, true},
                           [EXEC_XE] = {"Intel Xe Graphics", "20201103", {1, 1, 0}, xe_calls, false}};

/* ---- Connections ---- */

int node_open(unsigned minor, int flags)
{
    struct gpu *g = gpu_get();
    if (!g)
        return -errno;
    if (g->account)
        g->account->opened++;
    struct connection *c = calloc(1, sizeof *c);
    descriptors_look();
    const int fd = descriptor_make(flags & O_CLOEXEC);
    if (!c || fd < 0) {
        const int error = c ? fd : -ENOMEM;
        if (fd >= 0)
            close(fd);
        free(c);
        gpu_put(g);
        return error;
    }
    *c = (struct connection){.references = 1, .gpu = g, .minor = minor};
    int error = 0;
    if (drivers[g->options.driver].first_context) {
        struct exec_space *s = space_make(g, true);
        struct context *first = s ? context_make(g, s) : NULL;
        error = first && names_add(&c->contexts, first) ? 0 : -ENOMEM;
    }
    if (!error)
        error = descriptor_add(fd, OPEN_NODE, c);
    if (error < 0) {
        connection_put(c);
        close(fd);
    }
    return error;
}

void connection_put(struct connection *c)
{
    if (!c || --c->references)
        return;
    for (uint32_t i = 0; i < c->contexts.room; i++)
        context_put(c->contexts.things[i]);
    for (uint32_t i = 0; i < c->spaces.room; i++)
        space_put(c->spaces.things[i]);
    for (uint32_t i = 0; i < c->objects.room; i++)
        object_put(c->objects.things[i]);
    for (uint32_t i = 0; i < c->syncobjs.room; i++)
        syncobj_put(c->syncobjs.things[i]);
    free(c->contexts.things);
    free(c->spaces.things);
    free(c->objects.things);
    free(c->syncobjs.things);
    gpu_put(c->gpu);
    free(c);
}

void *node_mmap(struct connection *c, void *address, size_t size_bytes, int protection, int flags,
                uint64_t offset)
{
    uint64_t from;
    const struct object *o = object_at_offset(c->gpu, offset, &from);
    if (offset == BARRIER_OFFSET && c->gpu->options.driver == EXEC_XE && size_bytes <= PAGE_BYTES &&
        !(protection & (PROT_READ | PROT_EXEC)))
        return mmap(address, size_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | (flags & MAP_FIXED), -1,
                    0);
    if (o && !names_of(&c->objects, o)) { /* another connection's */
        errno = EACCES;
        return MAP_FAILED;
    }
    if (!o || o->is_user || size_bytes > o->size_bytes || from > o->size_bytes - size_bytes) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    /* What the processor may write it may read, too: as the kernel finds it when it is handed a pointer. */
    return object_mmap(o, address, size_bytes, protection & PROT_WRITE ? protection | PROT_READ : protection,
                       flags, from);
}

/* ---- Calls ---- */

static int put_text(const char *text, uint64_t to, size_t *length)
{
    const size_t room = *length;
    *length = strlen(text);
    return to && room ? user_write(to, text, room < *length ? room : *length) : 0;
}

static int version(const struct call *c)
{
    struct drm_version *a = c->argument;
    const enum exec_driver d = c->connection->gpu->options.driver;
    a->version_major = drivers[d].version[0];
    a->version_minor = drivers[d].version[1];
    a->version_patchlevel = drivers[d].version[2];
    int error = put_text(exec_driver_names[d], (uintptr_t)a->name, &a->name_len);
    if (!error)
        error = put_text(drivers[d].date, (uintptr_t)a->date, &a->date_len);
    return error ? error : put_text(drivers[d].description, (uintptr_t)a->desc, &a->desc_len);
}

static int get_unique(const struct call *c)
{
    struct drm_unique *a = c->argument;
    return put_text("pci:0000:00:02.0", (uintptr_t)a->unique, &a->unique_len);
}

static int get_cap(const struct call *c)
{
    struct drm_get_cap *a = c->argument;
    a->value = a->capability == DRM_CAP_PRIME ? DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT
               : a->capability == DRM_CAP_SYNCOBJ || a->capability == DRM_CAP_SYNCOBJ_TIMELINE ||
                       a->capability == DRM_CAP_TIMESTAMP_MONOTONIC
                   ? 1
                   : 0;
    return a->capability ? 0 : -EINVAL;
}

static int get_magic(const struct call *c)
{
    ((struct drm_auth *)c->argument)->magic = 1;
    return 0;
}

static int nothing(const struct call *c)
{
    (void)c;
    return 0;
}

static int set_version(const struct call *c)
{
    struct drm_set_version *a = c->argument;
    const int *version = drivers[c->connection->gpu->options.driver].version;
    *a = (struct drm_set_version){1, 4, version[0], version[1]};
    return 0;
}

static int set_client_cap(const struct call *c)
{
    (void)c;
    return -EOPNOTSUPP; /* they are of displays */
}

static int gem_close(const struct call *c)
{
    const struct drm_gem_close *a = c->argument;
    struct object *o = names_take(&c->connection->objects, a->handle);
    object_put(o);
    return o ? 0 : -EINVAL;
}

/* A name is the process's: other ones have devices of their own. */
static int flink(const struct call *c)
{
    struct drm_gem_flink *a = c->argument;
    struct object *o = names_find(&c->connection->objects, a->handle);
    if (c->connection->minor == EXEC_MINOR)
        return -EACCES;
    if (!o)
        return -ENOENT;
    if (!o->name)
        o->name = names_add(&c->connection->gpu->named, o);
    a->name = o->name;
    return o->name ? 0 : -ENOMEM;
}

static int open_name(const struct call *c)
{
    struct drm_gem_open *a = c->argument;
    struct object *o = names_find(&c->connection->gpu->named, a->name);
    if (c->connection->minor == EXEC_MINOR)
        return -EACCES;
    if (!o)
        return -ENOENT;
    a->size = o->size_bytes;
    a->handle = names_of(&c->connection->objects, o);
    if (!a->handle && (a->handle = names_add(&c->connection->objects, o)))
        object_get(o);
    return a->handle ? 0 : -ENOMEM;
}

static int prime_export(const struct call *c)
{
    struct drm_prime_handle *a = c->argument;
    const struct object *o = names_find(&c->connection->objects, a->handle);
    if (!o)
        return -ENOENT;
    if (o->only_space)
        return -EPERM;
    if (o->is_user || a->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
        return -EINVAL;
    const int fd = own_file_number(&o->file);
    if (fd < 0)
        return -EMFILE;
    a->fd = fcntl(fd, a->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 3);
    return a->fd < 0 ? -errno : 0;
}

static int prime_import(const struct call *c)
{
    struct drm_prime_handle *a = c->argument;
    struct object *o = NULL;
    const int error = object_of_file(c->connection->gpu, a->fd, &o);
    if (error)
        return error;
    const uint32_t known = names_of(&c->connection->objects, o);
    a->handle = known ? known : names_add(&c->connection->objects, o);
    if (known || !a->handle)
        object_put(o);
    return a->handle ? 0 : -ENOMEM;
}

#define ROW(ioctl, type, function)                                                                           \
    {                                                                                                        \
        (uint8_t) _IOC_NR(ioctl), sizeof(type), function, #ioctl                                             \
    }
const struct call_row drm_calls[] = {ROW(DRM_IOCTL_VERSION, struct drm_version, version),
                                     ROW(DRM_IOCTL_GET_UNIQUE, struct drm_unique, get_unique),
                                     ROW(DRM_IOCTL_GET_MAGIC, struct drm_auth, get_magic),
                                     ROW(DRM_IOCTL_AUTH_MAGIC, struct drm_auth, nothing),
                                     {(uint8_t)_IOC_NR(DRM_IOCTL_SET_MASTER), 0, nothing, "SET_MASTER"},
                                     {(uint8_t)_IOC_NR(DRM_IOCTL_DROP_MASTER), 0, nothing, "DROP_MASTER"},
                                     ROW(DRM_IOCTL_SET_VERSION, struct drm_set_version, set_version),
                                     ROW(DRM_IOCTL_GET_CAP, struct drm_get_cap, get_cap),
                                     ROW(DRM_IOCTL_SET_CLIENT_CAP, struct drm_set_client_cap, set_client_cap),
                                     ROW(DRM_IOCTL_GEM_CLOSE, struct drm_gem_close, gem_close),
                                     ROW(DRM_IOCTL_GEM_FLINK, struct drm_gem_flink, flink),
                                     ROW(DRM_IOCTL_GEM_OPEN, struct drm_gem_open, open_name),
                                     ROW(DRM_IOCTL_PRIME_HANDLE_TO_FD, struct drm_prime_handle, prime_export),
                                     ROW(DRM_IOCTL_PRIME_FD_TO_HANDLE, struct drm_prime_handle, prime_import),
                                     {0}};

/* ---- Fences as files ---- */

static int merge_fences(struct exec_fence *f, uint64_t argument)
{
    struct sync_merge_data a;
    int error = user_read(&a, argument, sizeof a);
    const struct open_thing *t = error ? NULL : descriptor_find(a.fd2, OPEN_FENCE);
    if (error || a.flags || a.pad || !t)
        return error ? error : t ? -EINVAL : -ENOENT;
    struct exec_fence *both = fence_of_both(f, t->fence);
    if (!both)
        return -ENOMEM;
    a.fence = descriptor_fence(both);
    fence_put(both);
    return a.fence < 0 ? a.fence : user_write(argument, &a, sizeof a);
}

static int fence_information(const struct exec_fence *f, uint64_t argument)
{
    struct sync_file_info a;
    int error = user_read(&a, argument, sizeof a);
    if (error || a.flags || a.pad)
        return error ? error : -EINVAL;
    struct sync_fence_info i = {.status = f->signaled ? f->error ? f->error : 1 : 0,
                                .timestamp_ns = (uint64_t)f->at_ns};
    struct gpu *g = gpu_get();
    const char *name = exec_driver_names[g ? g->options.driver : EXEC_I915];
    if (g)
        gpu_put(g);
    snprintf(i.driver_name, sizeof i.driver_name, "%s", name);
    snprintf(a.name, sizeof a.name, "%s", name);
    a.status = i.status;
    if (a.num_fences)
        error = user_write(a.sync_fence_info, &i, sizeof i);
    a.num_fences = 1;
    return error ? error : user_write(argument, &a, sizeof a);
}

static int fence_ioctl(struct exec_fence *f, unsigned long request, uint64_t argument)
{
    switch (request) {
    case SYNC_IOC_MERGE:
        return merge_fences(f, argument);
    case SYNC_IOC_FILE_INFO:
        return fence_information(f, argument);
    default:
        return -ENOTTY;
    }
}

/* ---- The way of a call ---- */

static const struct call_row *find_row(const struct call_row *rows, unsigned number)
{
    while (rows->call && rows->number != number)
        rows++;
    return rows->call ? rows : NULL;
}

static int call_row(const struct call_row *row, struct connection *c, int fd, unsigned long request,
                    uint64_t argument)
{
    /* What the program has of it; the rest is zero. */
    uint64_t room[64] = {0};
    const size_t there = _IOC_SIZE(request), size = there < sizeof room ? there : sizeof room;
    const struct call call = {c, fd, room};
    int error = user_read(room, argument, size);
    if (error)
        return error;
    c->references++;
    const int result = row->call(&call);
    connection_put(c);
    if (_IOC_DIR(request) & _IOC_READ)
        error = user_write(argument, room, size < row->size_bytes ? size : row->size_bytes);
    return result < 0 || !error ? result : error;
}

long exec_ioctl(int fd, unsigned long request, void *argument)
{
    const struct open_thing *t = descriptor_find(fd, OPEN_NOTHING);
    const unsigned number = _IOC_NR(request);
    if (!t)
        return -EBADF;
    if (t->kind == OPEN_FENCE)
        return fence_ioctl(t->fence, request & UINT32_MAX, (uintptr_t)argument);
    if (t->kind != OPEN_NODE || _IOC_TYPE(request) != DRM_IOCTL_BASE)
        return -ENOTTY;
    const bool of_driver = number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END;
    const struct call_row *row = find_row(of_driver ? drivers[t->node->gpu->options.driver].calls : drm_calls,
                                          of_driver ? number - DRM_COMMAND_BASE : number);
    if (!row && !of_driver)
        row = find_row(syncobj_calls, number);
    if (of_driver && t->node->gpu->account)
        t->node->gpu->account->calls++;
    if (row)
        return call_row(row, t->node, fd, request, (uintptr_t)argument);
    const bool of_displays = number >= 0xa0 && number < 0xbf;
    gpu_tell(t->node->gpu, EXEC_REFUSED, "ioctl %#x of %s", of_driver ? number - DRM_COMMAND_BASE : number,
             of_driver ? exec_driver_names[t->node->gpu->options.driver] : "DRM");
    return of_displays ? -EOPNOTSUPP : -EINVAL;
}
