/* Open nodes, the calls that every DRM driver answers, and the dispatch of ioctls to rows. */
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drm/drm_core.h"

/* ---- The drivers ---- */

static const struct drm_driver *const drivers[EXEC_DRIVERS] = {
    [EXEC_I915] = &i915_driver, [EXEC_XE] = &xe_driver};

/* ---- Open nodes ---- */

int drm_open(unsigned minor, int flags)
{
    struct shim_device *g = shim_device_get();
    if (!g)
        return -errno;
    if (g->stats)
        g->stats->opened++;
    struct drm_file *c = calloc(1, sizeof *c);
    shim_fds_drop_stale();
    const int fd = shim_fd_create_file(flags & O_CLOEXEC);
    if (!c || fd < 0) {
        const int error = c ? fd : -ENOMEM;
        if (fd >= 0)
            close(fd);
        free(c);
        shim_device_put(g);
        return error;
    }
    *c = (struct drm_file){.references = 1, .device = g, .minor = minor};
    int error = 0;
    if (drivers[g->options.driver]->has_default_context) {
        struct gpu_vm *s = vm_create(g, true);
        struct context *first = s ? context_create(g, s) : NULL;
        error = first && handle_create(&c->contexts, first) ? 0 : -ENOMEM;
    }
    if (!error)
        error = shim_fd_add(fd, SHIM_FD_NODE, c);
    if (error < 0) {
        drm_file_put(c);
        close(fd);
    }
    return error;
}

void drm_file_put(struct drm_file *c)
{
    if (!c || --c->references)
        return;
    for (uint32_t i = 0; i < c->contexts.capacity; i++)
        context_put(c->contexts.entries[i]);
    for (uint32_t i = 0; i < c->vms.capacity; i++)
        vm_put(c->vms.entries[i]);
    for (uint32_t i = 0; i < c->objects.capacity; i++)
        gem_put(c->objects.entries[i]);
    for (uint32_t i = 0; i < c->syncobjs.capacity; i++)
        syncobj_put(c->syncobjs.entries[i]);
    free(c->contexts.entries);
    free(c->vms.entries);
    free(c->objects.entries);
    free(c->syncobjs.entries);
    shim_device_put(c->device);
    free(c);
}

void *drm_mmap(struct drm_file *c, void *address, size_t size_bytes, int protection, int flags,
               uint64_t offset)
{
    uint64_t from;
    const struct gem_object *o = gem_at_mmap_offset(c->device, offset, &from);
    if (offset == BARRIER_OFFSET && c->device->options.driver == EXEC_XE && size_bytes <= PAGE_BYTES &&
        !(protection & (PROT_READ | PROT_EXEC)))
        return mmap(address, size_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | (flags & MAP_FIXED), -1,
                    0);
    if (o && !handle_of(&c->objects, o)) { /* an object of another open file */
        errno = EACCES;
        return MAP_FAILED;
    }
    if (!o || o->is_user || size_bytes > o->size_bytes || from > o->size_bytes - size_bytes) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    /* Writable implies readable: copy_from_user needs it. */
    return gem_mmap(o, address, size_bytes, protection & PROT_WRITE ? protection | PROT_READ : protection,
                    flags, from);
}

/* ---- Calls ---- */

static int copy_text_to_user(const char *text, uint64_t to, size_t *length)
{
    const size_t room = *length;
    *length = strlen(text);
    return to && room ? copy_to_user(to, text, room < *length ? room : *length) : 0;
}

static int version(const struct ioctl_call *c)
{
    struct drm_version *a = c->argument;
    const enum exec_driver d = c->file->device->options.driver;
    a->version_major = drivers[d]->version[0];
    a->version_minor = drivers[d]->version[1];
    a->version_patchlevel = drivers[d]->version[2];
    int error = copy_text_to_user(exec_driver_names[d], (uintptr_t)a->name, &a->name_len);
    if (!error)
        error = copy_text_to_user(drivers[d]->date, (uintptr_t)a->date, &a->date_len);
    return error ? error : copy_text_to_user(drivers[d]->description, (uintptr_t)a->desc, &a->desc_len);
}

static int get_unique(const struct ioctl_call *c)
{
    struct drm_unique *a = c->argument;
    return copy_text_to_user("pci:0000:00:02.0", (uintptr_t)a->unique, &a->unique_len);
}

static int get_cap(const struct ioctl_call *c)
{
    struct drm_get_cap *a = c->argument;
    a->value = a->capability == DRM_CAP_PRIME ? DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT
               : a->capability == DRM_CAP_SYNCOBJ || a->capability == DRM_CAP_SYNCOBJ_TIMELINE ||
                       a->capability == DRM_CAP_TIMESTAMP_MONOTONIC
                   ? 1
                   : 0;
    return a->capability ? 0 : -EINVAL;
}

static int get_magic(const struct ioctl_call *c)
{
    ((struct drm_auth *)c->argument)->magic = 1;
    return 0;
}

static int drm_noop(const struct ioctl_call *c)
{
    (void)c;
    return 0;
}

static int set_version(const struct ioctl_call *c)
{
    struct drm_set_version *a = c->argument;
    const int *version = drivers[c->file->device->options.driver]->version;
    *a = (struct drm_set_version){1, 4, version[0], version[1]};
    return 0;
}

static int set_client_cap(const struct ioctl_call *c)
{
    (void)c;
    return -EOPNOTSUPP; /* client capabilities are about displays */
}

static int gem_close(const struct ioctl_call *c)
{
    const struct drm_gem_close *a = c->argument;
    struct gem_object *o = handle_delete(&c->file->objects, a->handle);
    gem_put(o);
    return o ? 0 : -EINVAL;
}

/* flink names are local to the process: other processes have devices of their own. */
static int gem_flink(const struct ioctl_call *c)
{
    struct drm_gem_flink *a = c->argument;
    struct gem_object *o = handle_lookup(&c->file->objects, a->handle);
    if (c->file->minor == EXEC_MINOR)
        return -EACCES;
    if (!o)
        return -ENOENT;
    if (!o->flink_name)
        o->flink_name = handle_create(&c->file->device->flink_names, o);
    a->name = o->flink_name;
    return o->flink_name ? 0 : -ENOMEM;
}

static int gem_open(const struct ioctl_call *c)
{
    struct drm_gem_open *a = c->argument;
    struct gem_object *o = handle_lookup(&c->file->device->flink_names, a->name);
    if (c->file->minor == EXEC_MINOR)
        return -EACCES;
    if (!o)
        return -ENOENT;
    a->size = o->size_bytes;
    a->handle = handle_of(&c->file->objects, o);
    if (!a->handle && (a->handle = handle_create(&c->file->objects, o)))
        gem_get(o);
    return a->handle ? 0 : -ENOMEM;
}

static int prime_export(const struct ioctl_call *c)
{
    struct drm_prime_handle *a = c->argument;
    const struct gem_object *o = handle_lookup(&c->file->objects, a->handle);
    if (!o)
        return -ENOENT;
    if (o->exclusive_vm_id)
        return -EPERM;
    if (o->is_user || a->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
        return -EINVAL;
    const int fd = private_fd_number(&o->file);
    if (fd < 0)
        return -EMFILE;
    a->fd = fcntl(fd, a->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 3);
    return a->fd < 0 ? -errno : 0;
}

static int prime_import(const struct ioctl_call *c)
{
    struct drm_prime_handle *a = c->argument;
    struct gem_object *o = NULL;
    const int error = gem_import(c->file->device, a->fd, &o);
    if (error)
        return error;
    const uint32_t known = handle_of(&c->file->objects, o);
    a->handle = known ? known : handle_create(&c->file->objects, o);
    if (known || !a->handle)
        gem_put(o);
    return a->handle ? 0 : -ENOMEM;
}

#define ROW(ioctl, type, function)                                                                           \
    {                                                                                                        \
        (uint8_t) _IOC_NR(ioctl), sizeof(type), function, #ioctl                                             \
    }
const struct ioctl_desc drm_ioctls[] = {
    ROW(DRM_IOCTL_VERSION, struct drm_version, version),
    ROW(DRM_IOCTL_GET_UNIQUE, struct drm_unique, get_unique),
    ROW(DRM_IOCTL_GET_MAGIC, struct drm_auth, get_magic),
    ROW(DRM_IOCTL_AUTH_MAGIC, struct drm_auth, drm_noop),
    {(uint8_t)_IOC_NR(DRM_IOCTL_SET_MASTER), 0, drm_noop, "SET_MASTER"},
    {(uint8_t)_IOC_NR(DRM_IOCTL_DROP_MASTER), 0, drm_noop, "DROP_MASTER"},
    ROW(DRM_IOCTL_SET_VERSION, struct drm_set_version, set_version),
    ROW(DRM_IOCTL_GET_CAP, struct drm_get_cap, get_cap),
    ROW(DRM_IOCTL_SET_CLIENT_CAP, struct drm_set_client_cap, set_client_cap),
    ROW(DRM_IOCTL_GEM_CLOSE, struct drm_gem_close, gem_close),
    ROW(DRM_IOCTL_GEM_FLINK, struct drm_gem_flink, gem_flink),
    ROW(DRM_IOCTL_GEM_OPEN, struct drm_gem_open, gem_open),
    ROW(DRM_IOCTL_PRIME_HANDLE_TO_FD, struct drm_prime_handle, prime_export),
    ROW(DRM_IOCTL_PRIME_FD_TO_HANDLE, struct drm_prime_handle, prime_import),
    {0}};

/* ---- Sync files ---- */

static int sync_file_merge(struct dma_fence *f, uint64_t argument)
{
    struct sync_merge_data a;
    int error = copy_from_user(&a, argument, sizeof a);
    const struct shim_fd *t = error ? NULL : shim_fd_find(a.fd2, SHIM_FD_FENCE);
    if (error || a.flags || a.pad || !t)
        return error ? error : t ? -EINVAL : -ENOENT;
    struct dma_fence *both = fence_merge(f, t->fence);
    if (!both)
        return -ENOMEM;
    a.fence = shim_fd_add_fence(both);
    fence_put(both);
    return a.fence < 0 ? a.fence : copy_to_user(argument, &a, sizeof a);
}

static int sync_file_info(const struct dma_fence *f, uint64_t argument)
{
    struct sync_file_info a;
    int error = copy_from_user(&a, argument, sizeof a);
    if (error || a.flags || a.pad)
        return error ? error : -EINVAL;
    struct sync_fence_info i = {.status = f->signaled ? f->error ? f->error : 1 : 0,
                                .timestamp_ns = (uint64_t)f->signaled_ns};
    struct shim_device *g = shim_device_get();
    const char *name = exec_driver_names[g ? g->options.driver : EXEC_I915];
    if (g)
        shim_device_put(g);
    snprintf(i.driver_name, sizeof i.driver_name, "%s", name);
    snprintf(a.name, sizeof a.name, "%s", name);
    a.status = i.status;
    if (a.num_fences)
        error = copy_to_user(a.sync_fence_info, &i, sizeof i);
    a.num_fences = 1;
    return error ? error : copy_to_user(argument, &a, sizeof a);
}

static int sync_file_ioctl(struct dma_fence *f, unsigned long request, uint64_t argument)
{
    switch (request) {
    case SYNC_IOC_MERGE:
        return sync_file_merge(f, argument);
    case SYNC_IOC_FILE_INFO:
        return sync_file_info(f, argument);
    default:
        return -ENOTTY;
    }
}

/* ---- Dispatch of ioctls ---- */

static const struct ioctl_desc *find_ioctl(const struct ioctl_desc *rows, unsigned number)
{
    while (rows->handler && rows->number != number)
        rows++;
    return rows->handler ? rows : NULL;
}

static int call_row(const struct ioctl_desc *row, struct drm_file *c, int fd, unsigned long request,
                    uint64_t argument)
{
    /* Copies what the program passes; the rest is zero. */
    uint64_t room[64] = {0}, before[64];
    const size_t there = _IOC_SIZE(request), size = there < sizeof room ? there : sizeof room;
    const struct ioctl_call call = {c, fd, room};
    int error = copy_from_user(room, argument, size);
    if (error)
        return error;
    memcpy(before, room, size);
    c->references++;
    const int result = row->handler(&call);
    drm_file_put(c);
    if (_IOC_DIR(request) & _IOC_READ && memcmp(before, room, size) != 0)
        error = copy_to_user(argument, room, size < row->size_bytes ? size : row->size_bytes);
    return result < 0 || !error ? result : error;
}

long drm_ioctl(const struct shim_fd *t, int fd, unsigned long request, void *argument)
{
    const unsigned number = _IOC_NR(request);
    if (t->kind == SHIM_FD_FENCE)
        return sync_file_ioctl(t->fence, request & UINT32_MAX, (uintptr_t)argument);
    if (t->kind != SHIM_FD_NODE || _IOC_TYPE(request) != DRM_IOCTL_BASE)
        return -ENOTTY;
    const bool of_driver = number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END;
    const struct ioctl_desc *row =
        find_ioctl(of_driver ? drivers[t->drm->device->options.driver]->ioctls : drm_ioctls,
                   of_driver ? number - DRM_COMMAND_BASE : number);
    if (!row && !of_driver)
        row = find_ioctl(syncobj_ioctls, number);
    if (of_driver && t->drm->device->stats)
        t->drm->device->stats->calls++;
    if (row)
        return call_row(row, t->drm, fd, request, (uintptr_t)argument);
    const bool of_displays = number >= 0xa0 && number < 0xbf;
    shim_log(t->drm->device, EXEC_REFUSED, "ioctl %#x of %s", of_driver ? number - DRM_COMMAND_BASE : number,
             of_driver ? exec_driver_names[t->drm->device->options.driver] : "DRM");
    return of_displays ? -EOPNOTSUPP : -EINVAL;
}
