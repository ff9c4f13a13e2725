/*
 * An i915 or an xe inside a program's own process: its objects, address spaces, contexts, submissions and
 * fences on the model, for the calls that preload.c takes from the C library. The host side is a driver
 * (src/driver) like any other. One device serves all connections of a process; one lock, `shim_mutex`, is
 * held by every call. A submission runs inside the call that makes it; one that waits (for a semaphore, for a
 * fence that nobody signalled yet) is gone on with by every later call, one that takes long by a thread of
 * its own.
 */
#ifndef FRONTEND_EXEC_EXEC_H
#define FRONTEND_EXEC_EXEC_H

#include <pthread.h>
#include <stddef.h>

#include "driver/driver.h"
#include "host/event_text.h"
#include "shim/options.h"
#include "aub/record.h"
#include "host/output.h"
#include "host/timeline.h"
#include "host/workers.h"

/* ---- The program's memory (uaccess.c): 0, or -EFAULT ---- */

int copy_from_user(void *to, uint64_t from, size_t size_bytes);
int copy_to_user(uint64_t to, const void *from, size_t size_bytes);
/* It may do what not every program may. */
bool capable(void);
/* Something is mapped there. */
bool user_range_is_mapped(uint64_t address, uint64_t size_bytes);
/* The device may read and, unless `read_only`, write all of these pages; it brings them in. */
bool user_range_fault_in(uint64_t address, uint64_t size_bytes, bool read_only);
/* The same of pages that were: it takes no longer for many, and looks at holes and at some pages. */
bool user_range_probe(uint64_t address, uint64_t size_bytes, bool read_only);
/* A copy of `count` things; NULL and *error where they are not there, or too many. */
void *memdup_array_user(uint64_t from, uint64_t count, size_t size_bytes, int *error);

/* ---- Names for things: numbers from 1 on ---- */

struct handle_table {
    void **entries;
    uint32_t capacity;
};
/* 0: no memory. */
uint32_t handle_create(struct handle_table *n, void *thing);
void *handle_lookup(const struct handle_table *n, uint32_t name);
void *handle_delete(struct handle_table *n, uint32_t name);
uint32_t handle_of(const struct handle_table *n, const void *thing);

/* ---- Files of this library among the program's descriptors (shim_fd.c) ---- */

/* The program may close any number unseen (the bare system call, closefrom, io_uring) and get it for a file
 * of its own. So a number is used only while it is still the same file. */
struct private_fd {
    int fd; /* -1: none */
    uint64_t device, inode;
};
struct private_fd private_fd_of(int fd);
/* Its number; -1: there is none any more. */
int private_fd_number(const struct private_fd *f);
/* Closes it where it is still there. */
void private_fd_close(struct private_fd *f);
/* Files that are written to: the program's close, closefrom and dup2 leave these numbers alone, also where
 * it closes all that there may be. */
void private_fd_protect(int fd, bool keep);
bool private_fd_is_protected(int fd); /* without the lock */
/* The same file by a number that leaves the low ones to the program; without one `fd` stays as it is. */
int fd_move_high(int fd);

/* ---- Fences (fence.c) ---- */

struct dma_fence {
    unsigned references;
    unsigned pending_parts; /* that are to be signalled before, besides one */
    bool signaled;
    int error;                 /* -EIO: what it stands for was ended */
    struct private_fd wait_fd; /* its other end becomes readable when the fence is signalled */
    int64_t signaled_ns;
    struct dma_fence **dependents; /* a part of each of these is signalled with it */
    uint32_t dependent_count;
};
struct dma_fence *fence_create(void);
/* One that is signalled when both are; NULL: there is no memory. */
struct dma_fence *fence_merge(struct dma_fence *a, struct dma_fence *b);
struct dma_fence *fence_get(struct dma_fence *f);
void fence_put(struct dma_fence *f);
void fence_signal(struct dma_fence *f, int error);
/* In the child of a fork: descriptors that wait are the parent's to signal. */
void fences_forked_child(bool leave);

/* ---- Objects (gem.c) ---- */

/* Descriptors from here on: the low ones are the program's. */
enum { FIRST_PRIVATE_FD = 256 };

struct gem_object {
    unsigned references;
    struct private_fd file; /* none: the program's own memory, or there are no descriptors left */
    uint8_t *host;
    uint64_t size_bytes, bus_address; /* of local memory: with MEMORY_LOCAL */
    bool is_user, invalidated, read_only;
    uint8_t
        *zero_pages; /* of the program's memory that went while it was used, until it is not used any more */
    bool
        is_validated; /* at all its pages, which are there, since the program is known to have changed some */
    uint32_t flink_name;      /* by which any connection may open it; 0: none yet */
    uint32_t page_bytes;      /* it is bound in pages of this size */
    uint64_t exclusive_vm_id; /* the id of the only space that may bind it; 0: any may */
    uint32_t tiling, stride, caching, domain;
    struct dma_fence *last_fence; /* of who used it last */
    struct shim_device *device;
};
/* `local`: in local memory, if there is room; else on the bus. */
int gem_create(struct shim_device *g, uint64_t size_bytes, bool local, struct gem_object **made);
int gem_create_userptr(struct shim_device *g, uint64_t address, uint64_t size_bytes, bool read_only,
                       struct gem_object **made);
int gem_import(struct shim_device *g, int fd, struct gem_object **made);
struct gem_object *gem_get(struct gem_object *o);
void gem_put(struct gem_object *o);
/* By which a program maps it, and the one whose offsets these are; no offset is negative. */
uint64_t gem_mmap_offset(const struct gem_object *o);
struct gem_object *gem_at_mmap_offset(const struct shim_device *g, uint64_t offset, uint64_t *from);
/* The one whose bus addresses these are; NULL: none. */
struct gem_object *gem_at_bus_address(const struct shim_device *g, uint64_t bus);
void *gem_map_bus(void *user, uint64_t address, uint64_t *length_bytes, bool write);
extern _Atomic unsigned gem_userptr_count; /* there are so many of the program's memory */
/* As mmap; without a file, too. */
void *gem_mmap(const struct gem_object *o, void *address, uint64_t size_bytes, int protection, int flags,
               uint64_t offset);
/* The program's memory may have gone, or have come back: as it is now. */
bool gem_userptr_revalidate(struct gem_object *o);
/* The program's memory there went while the device used it: what runs reads zeros from now on. */
void gem_userptr_invalidate_range(struct shim_device *g, uint64_t address, uint64_t size_bytes);
/* As gem_userptr_revalidate, of all objects that are the program's memory in a range. */
void gem_userptr_revalidate_range(struct shim_device *g, uint64_t address, uint64_t size_bytes);
/* Some may be in that range: without the lock. */
bool gem_userptr_may_overlap(uint64_t address, uint64_t size_bytes);
/* Any of them is used by what was submitted. */
bool gem_userptr_range_is_busy(const struct shim_device *g, uint64_t address, uint64_t size_bytes);

/* ---- The device's accesses to the program's memory (guard.c) ---- */

/* Around all that the device does to memory: nothing that is missing there ends the program. */
bool guard_begin(struct shim_device *g);
void guard_end(struct shim_device *g, bool began);
/* sigaction of the program's for a signal of faults, which are the model's now and then. */
struct sigaction;
bool guard_concerns(int number);
int guard_action(int number, const struct sigaction *action, struct sigaction *before);
void guard_forked(void); /* in the child: nobody else is about it */
/* The same on threads that run groups. */
struct softgt_parallel_port guard_port(struct softgt_parallel_port port);

/* ---- Address spaces (vm.c) ---- */

struct vma {
    uint64_t address, size_bytes;
    struct gem_object *object; /* NULL: there is none; it reads zero, writes are dropped */
    uint64_t object_offset;    /* in it, of the first byte */
    bool holds_reference;      /* the object stays for it */
    bool read_only;
};
struct gpu_vm {
    unsigned references;
    uint64_t id; /* from 1 on, never used again */
    struct shim_device *device;
    struct gpu_vm *next;   /* all of the device's */
    struct driver *driver; /* with a scratch page, or without */
    bool is_long_running;  /* what is submitted signals no fence but the program's own */
    bool is_closed;        /* the program has it no more */
    struct dma_fence *last_bind_fence;
    struct dma_fence
        *last_split_fence; /* of the last change that leaves parts of bindings: who is submitted waits */
    struct driver_ppgtt ppgtt;
    struct vma *vmas; /* by address */
    uint32_t vma_count, vma_capacity;
};
struct gpu_vm *vm_create(struct shim_device *g, bool scratch);
struct gpu_vm *vm_get(struct gpu_vm *s);
void vm_put(struct gpu_vm *s);
/* -ENOMEM, or 0. What was there is not there any more: parts of bindings stay. */
int vm_map(struct gpu_vm *s, const struct vma *b);
int vm_unmap(struct gpu_vm *s, uint64_t address, uint64_t size_bytes);
int vm_unmap_object(struct gpu_vm *s, const struct gem_object *o);
/* Whether of a binding part would stay if the range went. */
bool vm_unmap_splits_vma(const struct gpu_vm *s, uint64_t address, uint64_t size_bytes);
/* Whether nobody uses what would have to go from there for the object. */
bool vm_range_is_idle(const struct gpu_vm *s, const struct gem_object *o, uint64_t address);
bool vm_has_object(const struct gpu_vm *s, const struct gem_object *o);
/* All of the object is at that address; of who was there before nothing is. */
int vm_bind_object(struct gpu_vm *s, struct gem_object *o, uint64_t address);
/* Where it is; or room for it below `end`, at `hint` if that is free. UINT64_MAX: there is none. */
uint64_t vm_find_address(struct gpu_vm *s, struct gem_object *o, uint64_t hint, uint64_t alignment,
                         uint64_t end);
void vms_unmap_object(struct shim_device *g, const struct gem_object *o);

/* ---- The device (gpu.c) ---- */

enum { RING_BYTES = 4 * PAGE_BYTES, MAX_ENGINES = 32, MAX_SLOTS = 64 };

/* A context on an engine. */
struct lrc {
    struct driver_ring ring;
    uint64_t image; /* in the GGTT; 0: none, the engine has a ring */
    uint32_t id;
};

/* What a submission names is a slot: an index into the map, or the engine itself. Each has a state of its
 * own, also where two are of one engine. */
struct context {
    unsigned references;
    struct shim_device *device;
    struct gpu_vm *vm;
    struct lrc lrcs[MAX_SLOTS];
    uint8_t *engine_map; /* engines by slot, map_count of them; NULL: the older way */
    uint32_t engine_count;
    uint32_t extra_placements;             /* maps like it that follow it, and are as good */
    bool is_used;                          /* something was submitted: the map stays */
    uint32_t guilty_hangs, innocent_hangs; /* guilty; innocent */
    bool is_banned, not_recoverable, not_persistent;
    bool not_bannable, no_error_capture;
    int64_t priority;
    bool is_bind_queue;           /* it is a queue of changes of spaces, for no engine */
    struct dma_fence *last_fence; /* of what was submitted to it */
};

/* A submission; or changes of a space, without a context. */
struct gpu_job {
    struct gpu_job *next;
    struct context *context;
    unsigned slot;
    uint64_t batch;
    uint32_t batch_copy,
        batch_copy_bytes; /* of the batch, in the GGTT: `batch` is there, and privileged; 0: none */
    struct gpu_vm *vm;
    struct vm_bind_op *bind_ops;
    uint32_t bind_op_count;
    bool signals_user_fence; /* at its end: a value, at an address of its space; of changes, of the program */
    uint64_t user_fence_address, user_fence_value;
    struct dma_fence *done_fence;
    struct dma_fence **wait_fences;
    uint32_t wait_fence_count;
    uint64_t executed_dw, slice_start_dw; /* the second when its turn began */
    uint32_t slices_yielded;              /* that it gave away */
    bool is_preempted;                    /* it began, and others run */
    int64_t waiting_since_ns;
    bool is_running;
    struct gem_object **objects; /* held until it is done */
    uint32_t object_count;
};

/* Of a space: an object comes in, or (`out`) all of it or all of a range goes. */
struct vm_bind_op {
    bool unbind;
    struct vma vma;
};

struct shim_device {
    unsigned references;
    int owner_pid; /* the process that made it */
    struct exec_options options;
    struct exec_account *stats;
    struct softgt *device;
    struct workers *workers;  /* NULL: none */
    struct code_memory *code; /* NULL: kernels are interpreted */
    const struct sheet *sheet;
    struct recorder *recorder;
    int64_t seen_host_ns; /* of the host's time: what the device has seen */
    struct timeline *timeline;
    FILE *trace_file;
    struct output eu_file;
    struct eu_trace eu_trace;          /* limit 0: none */
    struct driver driver, bare_driver; /* the second without a scratch page */
    uint8_t *ggtt_table, *local_memory,
        *driver_memory; /* the GGTT's; local memory; what a driver keeps on the bus */
    uint64_t local_bytes;
    uint64_t *driver_pages_used; /* a bit for each page */
    uint32_t driver_page_next, next_id;
    uint64_t scratch_page;       /* the page that is where nothing else is; 0: nothing is */
    uint32_t null_page;          /* where the program says that nothing is */
    struct gem_object **objects; /* by bus address */
    uint32_t object_count, object_capacity;
    uint64_t next_bus_address[2]; /* of objects: on the bus, in local memory */
    struct gpu_vm *vms;
    struct handle_table flink_names; /* objects */
    struct {
        uint32_t status_page;
        struct gpu_job *first_job, **last_job;
        struct gpu_job *preempted; /* gave way to the first one, and is on the engine until that lets it in */
        struct gpu_vm *loaded_vm;  /* ring mode */
        struct lrc ring;
    } engines[MAX_ENGINES];
    struct gpu_job *bind_jobs, **last_bind_job; /* changes of spaces that wait */
    bool has_runner, runner_stopped;            /* a thread goes on with what calls left; it is to end */
    uint32_t resets;
    bool is_ended; /* the program does; nothing runs any more */
};

extern pthread_mutex_t shim_mutex;
extern pthread_cond_t shim_fence_signaled; /* fences were signalled */

/* The lock, by a call of the program; whoever runs submissions meanwhile lets it in. Until shim_unlock the
 * thread cannot be cancelled, and handles no signals but in waits without the lock: it would die, or call
 * again, with the lock. (runner.c) */
int shim_lock(void);
void shim_unlock(int cancel_state); /* what shim_lock returned */

/* NULL and errno. */
struct shim_device *shim_device_get(void);
void shim_device_put(struct shim_device *g);
/* For submissions: registers, by the recording, too; pages that follow each other, empty, at their GGTT
 * address, 0 without; an engine after a reset; commands that were only counted, into the account. */
/* The device's time comes to the host's; with --timing, and for a recording, it moves on by that many. */
enum { BETWEEN_NS = 1000 /* from one submission to the next */ };
void gpu_advance_time(struct shim_device *g, uint64_t virtual_ns);
void gpu_write_registers(struct shim_device *g, const struct driver_writes *w);
void gpu_write_register(struct shim_device *g, uint32_t offset, uint32_t value);
uint32_t ggtt_alloc_pages(struct shim_device *g, uint32_t size_bytes);
void ggtt_free_pages(struct shim_device *g, uint64_t address, uint32_t size_bytes);
void gpu_start_engine(struct shim_device *g, unsigned engine);
void gpu_collect_stats(struct shim_device *g);
/* The program maps, unmaps or protects memory between these, by no call of a device's. As under Linux the
 * first waits for submissions that use it. False: nobody has objects there, the second is not to follow. */
struct user_range {
    uint64_t address, size_bytes;
};
bool gpu_user_memory_change_begin(const struct user_range *ranges, unsigned count, int *cancel_state);
void gpu_user_memory_change_end(const struct user_range *ranges, unsigned count, int cancel_state);
/* Memory was mapped or unmapped: the device looks at every page again. */
void gpu_memory_changed(struct shim_device *g);
uint64_t gpu_register_read(struct shim_device *g, uint32_t offset, unsigned size_bytes);
void shim_log(struct shim_device *g, enum exec_line_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same from where no device is known. */
void shim_log_trouble(const char *text);
int64_t gpu_host_ns(void);
/* The class as both drivers count it for programs, and which of it; -1: there is none. */
unsigned user_class(enum engine_class class);
unsigned user_instance(const struct shim_device *g, unsigned engine);
int user_engine(const struct shim_device *g, unsigned class, unsigned instance);
/* The part of the bus that is the driver's own, as it is in the GGTT, too. */
#define DRIVER_BUS   UINT64_C(0x10000000)
#define DRIVER_BYTES UINT64_C(0x20000000)
#define TABLES_BUS   UINT64_C(0x40000000)
#define TABLES_BYTES UINT64_C(0x80000000)
#define OBJECTS_BUS  UINT64_C(0x100000000)
/* Local memory has page tables first, then objects, up to where its compression state is. What has no room
 * there is on the bus, and without compression state. */
#define LOCAL_BYTES (UINT64_C(2) << 30)
enum { LOCAL_TABLES_FRACTION = 4 /* the first quarter */ };

/* ---- What it runs (submit.c) ---- */

struct context *context_create(struct shim_device *g, struct gpu_vm *space);
struct context *context_get(struct context *c);
void context_put(struct context *c);
static inline unsigned context_engine(const struct context *c, unsigned slot)
{
    return c->engine_map ? c->engine_map[slot] : slot;
}
/* And all that it refers to. */
void gpu_job_free(struct gpu_job *r);
/* It waits for that fence, too; 0, or -ENOMEM. */
int gpu_job_wait_for(struct gpu_job *r, struct dma_fence *f);
/* Takes over all that `r` refers to. */
void gpu_submit(struct shim_device *g, unsigned engine, struct gpu_job *r);
void gpu_submit_binds(struct shim_device *g, struct gpu_job *r);
/* It waits for all that was submitted to the space; 0, or -ENOMEM. */
int gpu_job_wait_for_vm(const struct shim_device *g, const struct gpu_vm *s, struct gpu_job *r);
/* Submissions use it that are not done; but those of long-running spaces, which are held up instead. */
bool gpu_object_is_busy(const struct shim_device *g, const struct gem_object *o);
/* In the child of a fork: what was submitted before is the parent's, and runs there alone. */
void gpu_drop_jobs_after_fork(struct shim_device *g);
/* As far as it goes now, for the time of a call; the runner goes on with what is left. True: it can at once.
 */
bool gpu_run_for_call(struct shim_device *g);
bool gpu_run_pending(struct shim_device *g); /* the same of who has nothing else to do */
bool gpu_has_pending(const struct shim_device *g);
/* False: it was too late, at this time (CLOCK_MONOTONIC). Nobody holds more than the lock. */
bool gpu_wait(struct shim_device *g, bool (*done)(void *user), void *user, int64_t until_ns);

/* ---- The thread that goes on (runner.c) ---- */

void runner_start(struct shim_device *g);
/* In the child, instead of shim_unlock: there is one thread, and the lock is new. */
void runner_forked(int cancel_state);
/* Without the lock: until something changed, or it is time to look again; `more`: that is now. */
void runner_wait(const struct shim_device *g, bool more, int64_t most_ns);

/* ---- Connections (drm.c, syncobj.c, i915*.c, xe*.c): what an open node is ---- */

struct drm_file {
    unsigned references;
    struct shim_device *device;
    struct handle_table objects, contexts, vms, syncobjs;
    unsigned minor; /* of the node */
};
/* What else a descriptor may be. */
enum shim_fd_kind { SHIM_FD_ANY, SHIM_FD_NODE, SHIM_FD_FENCE, SHIM_FD_SYNCOBJ };
struct shim_fd {
    enum shim_fd_kind kind;
    unsigned references; /* descriptors */
    struct private_fd fd;
    union {
        struct drm_file *drm;
        struct dma_fence *fence;
        struct syncobj *syncobj;
    };
};
/* shim_fd.c, with the lock. What the number was is forgotten where another file has it now. */
struct shim_fd *shim_fd_find(int fd, enum shim_fd_kind kind);
/* A file that stands for a thing: as the device's node has it, nothing can be read from it. -errno. */
int shim_fd_create_file(bool close_on_exec);
/* -errno: takes over the reference to `thing`. */
int shim_fd_add(int fd, enum shim_fd_kind kind, void *thing);
int shim_fd_add_fence(struct dma_fence *f);
/* What waits for it wakes up; it is closed. */
void private_fd_make_readable(struct private_fd *f);
bool shim_fd_may_exist(int fd); /* it may be one of them: without the lock */
void shim_fd_closed(int fd);
/* Forgets all numbers that the program closed unseen. */
void shim_fds_drop_stale(void);
void shim_fd_duplicated(int from, int to);
void shim_fds_forked(void); /* in the child: they are its own */

int drm_open(unsigned minor, int flags); /* a descriptor, or -errno */
void drm_file_put(struct drm_file *c);
/* -errno, or the call's result. */
long drm_ioctl(int fd, unsigned long gpu_job, void *argument);
/* What mmap of a node gives; MAP_FAILED and errno. */
void *drm_mmap(struct drm_file *c, void *address, size_t size_bytes, int protection, int flags,
               uint64_t offset);
/* Objects are mapped by their bus addresses; this is below all. */
#define BARRIER_OFFSET (UINT64_C(0x50) * PAGE_BYTES) /* a page whose writes order others */

struct syncobj;
void syncobj_put(struct syncobj *s);
/* The fence of a point; 0: the binary one. NULL: none yet. */
struct dma_fence *syncobj_fence(struct syncobj *s, uint64_t point);
void syncobj_add(struct syncobj *s, uint64_t point, struct dma_fence *f);
void syncobj_reset(struct syncobj *s);

/* A call: `argument` is a copy of `size_bytes`, which goes back to the program. */
struct ioctl_call {
    struct drm_file *file;
    int fd;
    void *argument;
};
struct ioctl_desc {
    uint8_t number;
    uint16_t size_bytes; /* of the argument */
    int (*handler)(const struct ioctl_call *c);
    const char *name;
};
extern const struct ioctl_desc drm_ioctls[], syncobj_ioctls[], i915_ioctls[], xe_ioctls[];

int i915_query(const struct ioctl_call *c);
int i915_execbuffer2(const struct ioctl_call *c);
/* i915_batches.c: 0: the batch may be privileged, and whether it has commands that reach registers; -EACCES:
 * it may not; -EINVAL: it is none. */
int i915_check_batch(const struct checked_register *all, enum engine_class class, const uint32_t *dw,
                     uint32_t count_dw, bool *registers);
/* Of engines whose batches must be checked: 0: the copy of a batch may run; its jumps then lead into the
 * copy. -EACCES, -EINVAL: it is refused. */
int i915_check_copy(const struct checked_register *all, enum engine_class class, uint32_t *dw,
                    uint32_t count_dw, uint64_t original, uint64_t copy);
extern const struct checked_register i915_stored_registers[]; /* any, to be stored */
int i915_getparam(const struct ioctl_call *c);
/* i915_contexts.c */
int i915_context_create(const struct ioctl_call *c);
int i915_context_destroy(const struct ioctl_call *c);
int i915_context_getparam(const struct ioctl_call *c);
int i915_context_setparam(const struct ioctl_call *c);
int i915_vm_create(const struct ioctl_call *c);
int i915_vm_destroy(const struct ioctl_call *c);
int i915_reset_stats(const struct ioctl_call *c);
struct context *i915_context_lookup(const struct drm_file *c, uint32_t id);
uint64_t i915_vm_end(const struct shim_device *g);
/* Of a call that knows none. */
int i915_no_extensions(uint64_t at);

#endif
