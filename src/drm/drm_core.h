/*
 * The DRM side of `softgt exec`: buffer objects, address spaces, contexts, jobs and fences on the model, for
 * the ioctls that the preloaded library takes from the C library. The rooms i915 and xe answer the calls of
 * one driver each; the room shim takes calls over from the C library.
 *
 * One device serves all open nodes of a process. Every call holds one lock, shim_mutex. A job runs inside the
 * call that submits it. A job that waits for a semaphore or a fence resumes in every later call; a job that
 * takes long resumes in a thread of its own (runner.c).
 */
#ifndef DRM_DRM_CORE_H
#define DRM_DRM_CORE_H

#include <pthread.h>
#include <stddef.h>

#include "driver/driver.h"
#include "host/event_text.h"
#include "aub/record.h"
#include "drm/exec_options.h"
#include "host/output.h"
#include "host/event_json.h"
#include "host/timeline.h"
#include "host/workers.h"

/* ---- The program's memory (uaccess.c): functions return 0 or -EFAULT ---- */

int copy_from_user(void *to, uint64_t from, size_t size_bytes);
int copy_to_user(uint64_t to, const void *from, size_t size_bytes);
void uaccess_forked(void); /* in the child */
/* The program has the rights that a driver asks for, such as CAP_SYS_NICE. */
bool capable(void);
/* All pages of the range are mapped. */
bool user_range_is_mapped(uint64_t address, uint64_t size_bytes);
/* The device may read and, unless `read_only`, write all of these pages. Brings them in. */
bool user_range_fault_in(uint64_t address, uint64_t size_bytes, bool read_only);
/* The same for pages that were accessible before: fast for large ranges, finds holes and tries some pages. */
bool user_range_probe(uint64_t address, uint64_t size_bytes, bool read_only);
/* Returns a copy of `count` elements; NULL and *error when they are not accessible, or too many. */
void *memdup_array_user(uint64_t from, uint64_t count, size_t size_bytes, int *error);

/* ---- Handles: numbers from 1 on (uaccess.c) ---- */

struct handle_table {
    void **entries;
    uint32_t capacity;
};
/* Returns 0 when there is no memory. */
uint32_t handle_create(struct handle_table *n, void *thing);
void *handle_lookup(const struct handle_table *n, uint32_t name);
void *handle_delete(struct handle_table *n, uint32_t name);
/* The handle of an entry; 0: it has none. */
uint32_t handle_of(const struct handle_table *n, const void *thing);

/* ---- This library's own files among the program's descriptors (shim_fd.c) ---- */

/* The program may close any descriptor unseen (a bare system call, closefrom, io_uring) and get its number
 * for another file. So a number is used only while device and inode are still the same. */
struct private_fd {
    int fd; /* -1: none */
    uint64_t device, inode;
};
struct private_fd private_fd_of(int fd);
/* The descriptor; -1 when the program closed it. */
int private_fd_number(const struct private_fd *f);
/* Closes the file if it is still open. */
void private_fd_close(struct private_fd *f);
/* Protects a descriptor that this library writes to from the program's close, closefrom and dup2. */
void private_fd_protect(int fd, bool keep);
bool private_fd_is_protected(int fd); /* needs no lock */
/* Makes the file readable, which wakes up pollers, and closes it. */
void private_fd_make_readable(struct private_fd *f);
/* Moves a file to a high number, because low ones are the program's; without a free one `fd` stays. */
int fd_move_high(int fd);

/* ---- Fences (fence.c) ---- */

struct dma_fence {
    unsigned references;
    unsigned pending_parts; /* further signals that are needed before this fence is signaled */
    bool signaled;
    int error;                 /* -EIO: the work was ended */
    struct private_fd wait_fd; /* the other end becomes readable when the fence is signaled */
    int64_t signaled_ns;
    struct dma_fence **dependents; /* merged fences: each gets one part when this fence is signaled */
    uint32_t dependent_count;
};
struct dma_fence *fence_create(void);
/* A fence that is signaled when both are; NULL when there is no memory. */
struct dma_fence *fence_merge(struct dma_fence *a, struct dma_fence *b);
struct dma_fence *fence_get(struct dma_fence *f);
void fence_put(struct dma_fence *f);
void fence_signal(struct dma_fence *f, int error);
/* In the child of a fork: descriptors that wait belong to the parent, which signals them. */
void fences_forked_child(bool leave);

/* ---- Buffer objects (gem.c) ---- */

/* Descriptors of this library start here: low numbers are the program's. */
enum { FIRST_PRIVATE_FD = 256 };

struct gem_object {
    unsigned references;
    struct private_fd file; /* none: userptr, or no descriptor was free */
    uint8_t *host;
    uint64_t size_bytes, bus_address; /* of local memory: with MEMORY_LOCAL */
    bool is_user, invalidated, read_only;
    uint8_t *zero_pages;      /* a userptr that was unmapped while in use reads these until it is idle */
    bool is_validated;        /* all pages are there, and the program did not change the mapping since */
    uint32_t flink_name;      /* 0: none yet */
    uint32_t page_bytes;      /* size of the pages that it is bound in */
    uint64_t exclusive_vm_id; /* the only address space that may bind it; 0: any may */
    uint32_t tiling, stride, caching, domain;
    struct dma_fence *last_fence; /* of the last job that uses it */
    struct shim_device *device;
};
/* `local`: in local memory if there is space, otherwise on the bus. */
int gem_create(struct shim_device *g, uint64_t size_bytes, bool local, struct gem_object **made);
int gem_create_userptr(struct shim_device *g, uint64_t address, uint64_t size_bytes, bool read_only,
                       struct gem_object **made);
int gem_import(struct shim_device *g, int fd, struct gem_object **made);
struct gem_object *gem_get(struct gem_object *o);
void gem_put(struct gem_object *o);
/* The offset by which a program maps the object. No offset is negative. */
uint64_t gem_mmap_offset(const struct gem_object *o);
/* The object of such an offset; *from: where in it. NULL: none. */
struct gem_object *gem_at_mmap_offset(const struct shim_device *g, uint64_t offset, uint64_t *from);
/* The object at a bus address; NULL: none. */
struct gem_object *gem_at_bus_address(const struct shim_device *g, uint64_t bus);
/* The device's memory port: host memory of a bus address. */
void *gem_map_bus(void *user, uint64_t address, uint64_t *length_bytes, bool write);
/* The port's accesses to what it does not map: the scratch page. False: elsewhere. */
bool gem_read_scratch(void *user, uint64_t address, void *data, size_t size_bytes);
bool gem_write_scratch(void *user, uint64_t address, const void *data, size_t size_bytes);
extern _Atomic unsigned gem_userptr_count; /* userptr objects of the process */
/* Maps an object as mmap does; works for objects without a file. */
void *gem_mmap(const struct gem_object *o, void *address, uint64_t size_bytes, int protection, int flags,
               uint64_t offset);
/* Looks whether the pages of a userptr are accessible now. True for all other objects. */
bool gem_userptr_revalidate(struct gem_object *o);
/* The program unmapped memory while the device uses it: what runs reads zeros from now on. */
void gem_userptr_invalidate_range(struct shim_device *g, uint64_t address, uint64_t size_bytes);
/* gem_userptr_revalidate for all userptrs in a range. */
void gem_userptr_revalidate_range(struct shim_device *g, uint64_t address, uint64_t size_bytes);
/* A userptr may lie in that range. Needs no lock. */
bool gem_userptr_may_overlap(uint64_t address, uint64_t size_bytes);
/* A job that is not done uses a userptr in that range. */
bool gem_userptr_range_is_busy(const struct shim_device *g, uint64_t address, uint64_t size_bytes);

/* ---- Faults of the device's accesses to the program's memory (guard.c) ---- */

/* Bracket all that the device does to memory: a page that is missing does not end the program. The handlers
 * stay between two brackets, unless the program ignores a signal: that is inherited through execve. */
bool guard_begin(struct shim_device *g);
void guard_end(struct shim_device *g, bool began);
/* The calling thread runs the model only: it takes faults at any time. */
void guard_thread(void);
/* The program's sigaction for a fault signal, which the model needs now and then. */
struct sigaction;
bool guard_concerns(int number);
int guard_action(int number, const struct sigaction *action, struct sigaction *before);
void guard_forked(void); /* in the child: no other thread is inside */
/* The same brackets on threads that run thread groups. */
struct softgt_parallel_port guard_port(struct softgt_parallel_port port);
struct softgt_background_port guard_background_port(void);

/* ---- Address spaces (vm.c) ---- */

struct vma {
    uint64_t address, size_bytes;
    struct gem_object *object; /* NULL: a null binding, which reads zero and drops writes */
    uint64_t object_offset;    /* of the first byte */
    bool holds_reference;
    bool read_only;
};
struct gpu_vm {
    unsigned references;
    uint64_t id; /* from 1 on, never used again */
    struct shim_device *device;
    struct gpu_vm *next;   /* list of the device's */
    struct driver *driver; /* with or without a scratch page */
    bool is_long_running;  /* jobs signal no fence but the program's own */
    bool is_closed;        /* the program destroyed it */
    struct dma_fence *last_bind_fence;
    /* Of the last bind that leaves parts of older vmas: jobs wait for it. */
    struct dma_fence *last_split_fence;
    struct driver_ppgtt ppgtt;
    struct vma *vmas; /* by address */
    uint32_t vma_count, vma_capacity;
};
struct gpu_vm *vm_create(struct shim_device *g, bool scratch);
struct gpu_vm *vm_get(struct gpu_vm *s);
void vm_put(struct gpu_vm *s);
/* Binds. Older vmas lose what overlaps; their other parts stay. Returns 0 or -ENOMEM. */
int vm_map(struct gpu_vm *s, const struct vma *b);
int vm_unmap(struct gpu_vm *s, uint64_t address, uint64_t size_bytes);
int vm_unmap_object(struct gpu_vm *s, const struct gem_object *o);
/* Unmapping the range would leave a part of a vma. */
bool vm_unmap_splits_vma(const struct gpu_vm *s, uint64_t address, uint64_t size_bytes);
/* No job uses what binding the object there would unmap. */
bool vm_range_is_idle(const struct gpu_vm *s, const struct gem_object *o, uint64_t address);
bool vm_has_object(const struct gpu_vm *s, const struct gem_object *o);
/* Binds the whole object at that address and unmaps every vma in the way. */
int vm_bind_object(struct gpu_vm *s, struct gem_object *o, uint64_t address);
/* The object's address, or free space from `least` to `end`, at `hint` if that is free. UINT64_MAX: none. */
uint64_t vm_find_address(struct gpu_vm *s, struct gem_object *o, uint64_t hint, uint64_t alignment,
                         uint64_t least, uint64_t end);
void vms_unmap_object(struct shim_device *g, const struct gem_object *o);

/* ---- Contexts and jobs (submit.c) ---- */

enum { RING_BYTES = 4 * PAGE_BYTES, MAX_ENGINES = 32, MAX_SLOTS = 64 };

/* A context on an engine: a logical ring context, or the engine's ring. */
struct lrc {
    struct driver_ring ring;
    uint64_t image; /* GGTT address; 0: none, the engine has a ring */
    uint32_t id;
};

/* A job names a slot: an index of the engine map, or the engine itself. Each slot has an LRC of its own, also
 * where two slots are one engine. */
struct context {
    unsigned references;
    struct shim_device *device;
    struct gpu_vm *vm;
    struct lrc lrcs[MAX_SLOTS];
    uint8_t *engine_map; /* engines by slot; NULL: the slot is the engine */
    uint32_t engine_count;
    uint32_t extra_placements; /* number of further mappings, after the first, with equal contents */
    bool is_used;              /* a job was submitted: the map is final */
    uint32_t guilty_hangs, innocent_hangs;
    bool is_banned, not_recoverable, not_persistent;
    bool not_bannable, no_error_capture;
    int64_t priority;
    bool is_bind_queue;           /* takes binds, has no engine */
    struct dma_fence *last_fence; /* of the last job */
};

/* A batch on an engine; or binds of an address space, without a context. */
struct gpu_job {
    struct gpu_job *next;
    struct context *context;
    unsigned slot;
    uint64_t batch;
    uint32_t batch_copy, batch_copy_bytes; /* in the GGTT: `batch` is there, and privileged; 0: none */
    struct gpu_vm *vm;
    struct vm_bind_op *bind_ops;
    uint32_t bind_op_count;
    bool signals_user_fence; /* writes a value at its end: in the address space, of binds in the program */
    uint64_t user_fence_address, user_fence_value;
    struct dma_fence *done_fence;
    struct dma_fence **wait_fences;
    uint32_t wait_fence_count;
    uint64_t executed_dw, slice_start_dw;
    uint32_t slices_yielded;
    bool is_preempted;        /* it began, and others run */
    int64_t waiting_since_ns; /* 0: no wait was seen */
    uint64_t waiting_acthd;   /* of the command that waits */
    bool is_running;
    struct gem_object **objects; /* references until it is done */
    uint32_t object_count;
};

/* Binds an object; or unbinds (`unbind`) an object or a range. */
struct vm_bind_op {
    bool unbind;
    struct vma vma;
};

/* ---- The device (device.c) ---- */

/* Files that the device's events are written to. */
struct shim_outputs {
    struct recorder *recorder;
    struct timeline *timeline;
    FILE *trace_file;
    struct engine_position positions[TRACKED_ENGINES]; /* for trace_json */
    struct output eu_trace_file;
    struct eu_trace eu_trace; /* limit 0: none */
};

/* Pages on the bus that belong to the driver: contexts, rings, status pages. The GGTT maps them at offset 0.
 */
struct driver_pages {
    uint8_t *memory;
    uint64_t *used; /* a bit for each page */
    uint32_t next;
};

/* Buffer objects by bus address. */
struct bus_objects {
    struct gem_object **list;
    uint32_t count, capacity;
    uint64_t next_address[2]; /* on the bus, in local memory */
};

struct shim_device {
    unsigned references;
    pid_t owner_pid;
    struct exec_options options;
    struct exec_account *stats;
    struct softgt *device;
    struct workers *workers;  /* NULL: none */
    struct code_memory *code; /* NULL: kernels are interpreted */
    const struct sheet *sheet;
    int64_t seen_host_ns; /* host time that the device has seen */
    struct shim_outputs outputs;
    struct shim_debug *debug;          /* NULL: no debugger can come */
    struct driver driver, bare_driver; /* the second without a scratch page */
    struct driver_pages driver_pages;
    uint8_t *ggtt_table, *local_memory;
    uint64_t local_bytes;
    uint64_t scratch_page; /* bus address; backs addresses without a binding; 0: they fault */
    uint32_t null_page;    /* GGTT address; backs null bindings */
    struct bus_objects objects;
    struct handle_table flink_names;
    struct gpu_vm *vms;
    struct {
        uint32_t status_page;
        struct gpu_job *first_job, **last_job;
        struct gpu_job *preempted; /* yielded to the first job, and runs until the engine lets that in */
        struct gpu_vm *loaded_vm;  /* ring mode */
        struct lrc ring;
    } engines[MAX_ENGINES];
    uint32_t next_context_id;
    struct gpu_job *bind_jobs, **last_bind_job; /* binds that wait */
    bool has_runner, runner_stopped;            /* a thread runs what calls left; it is to end */
    uint32_t resets;
    bool is_ended; /* the program ends: nothing runs any more */
};

extern pthread_mutex_t shim_mutex;
extern pthread_cond_t shim_fence_signaled;

/* Takes the lock for a call of the program; the runner lets the call in. Until shim_unlock the thread cannot
 * be cancelled and handles signals only in waits without the lock: a handler could end it, or call again,
 * with the lock held. (runner.c) */
int shim_lock(void);
/* The thread has the lock by shim_lock, and lets fault signals in. */
bool runner_lets_faults_in(void);
void shim_unlock(int cancel_state); /* what shim_lock returned */

/* The process's device, made by the first call. NULL and errno. */
struct shim_device *shim_device_get(void);
void shim_device_put(struct shim_device *g);
/* Device time follows host time. With --timing, and for a recording, it advances by `virtual_ns`. */
enum { BETWEEN_NS = 1000 /* from one job to the next */ };
void gpu_advance_time(struct shim_device *g, uint64_t virtual_ns);
/* Register writes also go to the recording. */
void gpu_write_registers(struct shim_device *g, const struct driver_writes *w);
void gpu_write_register(struct shim_device *g, uint32_t offset, uint32_t value);
uint64_t gpu_register_read(struct shim_device *g, uint32_t offset, unsigned size_bytes);
/* Contiguous zeroed pages: their GGTT address, or 0. */
uint32_t ggtt_alloc_pages(struct shim_device *g, uint32_t size_bytes);
void ggtt_free_pages(struct shim_device *g, uint64_t address, uint32_t size_bytes);
/* Sets an engine up after a reset. */
void gpu_start_engine(struct shim_device *g, unsigned engine);
/* Adds commands that were only counted to the statistics. */
void gpu_collect_stats(struct shim_device *g);
/* Bracket a change of the program's mappings that is no call of the device. As in Linux the first waits for
 * jobs that use the memory. False: no userptr is there, and the second must not follow. */
struct user_range {
    uint64_t address, size_bytes;
};
bool gpu_user_memory_change_begin(const struct user_range *ranges, unsigned count, int *cancel_state);
void gpu_user_memory_change_end(const struct user_range *ranges, unsigned count, int cancel_state);
/* Objects were created or destroyed: the device translates all bus addresses again. */
void gpu_memory_changed(struct shim_device *g);
/* The trace events that the outputs and a debugger want. */
unsigned gpu_events(const struct shim_device *g);
void shim_log(struct shim_device *g, enum exec_line_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same where no device is known. */
void shim_log_trouble(const char *text);
int64_t gpu_host_ns(void);
/* Class and instance of an engine in both drivers' interfaces; user_engine returns -1 when there is none. */
unsigned user_class(enum engine_class class);
unsigned user_instance(const struct shim_device *g, unsigned engine);
int user_engine(const struct shim_device *g, unsigned class, unsigned instance);
/* Bus addresses of the driver's pages, page tables and objects. */
#define DRIVER_BUS   UINT64_C(0x10000000)
#define DRIVER_BYTES UINT64_C(0x20000000)
#define TABLES_BUS   UINT64_C(0x40000000)
#define TABLES_BYTES UINT64_C(0x80000000)
#define OBJECTS_BUS  UINT64_C(0x100000000)
/* Local memory holds page tables, then objects, then compression state. Objects that do not fit are on the
 * bus and have no compression state. */
#define LOCAL_BYTES (UINT64_C(2) << 30)
enum { LOCAL_TABLES_FRACTION = 4 /* the first quarter */ };

/* ---- Running jobs (submit.c) ---- */

struct context *context_create(struct shim_device *g, struct gpu_vm *space);
struct context *context_get(struct context *c);
void context_put(struct context *c);
static inline unsigned context_engine(const struct context *c, unsigned slot)
{
    return c->engine_map ? c->engine_map[slot] : slot;
}
/* Frees a job and all its references. */
void gpu_job_free(struct gpu_job *r);
/* Adds a fence that the job waits for. Returns 0 or -ENOMEM. */
int gpu_job_wait_for(struct gpu_job *r, struct dma_fence *f);
/* Takes over `r` and all its references. */
void gpu_submit(struct shim_device *g, unsigned engine, struct gpu_job *r);
void gpu_submit_binds(struct shim_device *g, struct gpu_job *r);
/* The job waits for all jobs of the address space. Returns 0 or -ENOMEM. */
int gpu_job_wait_for_vm(const struct shim_device *g, const struct gpu_vm *s, struct gpu_job *r);
/* A job that is not done uses the object. Jobs of long-running spaces do not count: they are held up instead.
 */
bool gpu_object_is_busy(const struct shim_device *g, const struct gem_object *o);
/* In the child of a fork: earlier jobs belong to the parent and run there only. */
void gpu_drop_jobs_after_fork(struct shim_device *g);
/* Runs jobs for the time of a call; the runner continues what is left. True: jobs can run on at once. */
bool gpu_run_for_call(struct shim_device *g);
bool gpu_run_pending(struct shim_device *g); /* the same for a caller that has nothing else to do */
bool gpu_has_pending(const struct shim_device *g);
/* Waits for `done`. False: `until_ns` (CLOCK_MONOTONIC) passed. The caller holds no lock but shim_mutex. */
bool gpu_wait(struct shim_device *g, bool (*done)(void *user), void *user, int64_t until_ns);

/* ---- The thread that runs what calls left (runner.c) ---- */

void runner_start(struct shim_device *g);
/* In the child of a fork, instead of shim_unlock: there is one thread, and the lock is new. */
void runner_forked(int cancel_state);
/* Gives up the lock until something changes or it is time to look again; `more`: that is now. */
void runner_wait(const struct shim_device *g, bool more, int64_t most_ns);

/* ---- A debugger (debug_socket.c) ---- */

/* Listens at the path. With --debug the engines are held until a debugger comes. */
void debug_socket_start(struct shim_device *g, const char *path);
/* Lets the device go on, without a debugger; also in the child of a fork. */
void debug_socket_end(struct shim_device *g);
unsigned debug_socket_events(const struct shim_device *g);
void debug_socket_event(const struct shim_device *g, const struct softgt_event *e);

/* ---- Open files (drm_file.c, shim_fd.c) ---- */

struct drm_file {
    unsigned references;
    struct shim_device *device;
    struct handle_table objects, contexts, vms, syncobjs;
    unsigned minor; /* of the node */
};
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
/* NULL when the descriptor is none of that kind. An entry is dropped when another file has its number now. */
struct shim_fd *shim_fd_find(int fd, enum shim_fd_kind kind);
/* Makes an anonymous file as a placeholder descriptor: reads fail, as on the device's node. Returns -errno.
 */
int shim_fd_create_file(bool close_on_exec);
/* Takes over the reference to `thing`. Returns the descriptor or -errno. */
int shim_fd_add(int fd, enum shim_fd_kind kind, void *thing);
int shim_fd_add_fence(struct dma_fence *f);
bool shim_fd_may_exist(int fd); /* needs no lock */
void shim_fd_closed(int fd);
/* Drops the entries of descriptors that the program closed unseen. */
void shim_fds_drop_stale(void);
void shim_fd_duplicated(int from, int to);
void shim_fds_forked(void); /* in the child: the table is its own */

int drm_open(unsigned minor, int flags); /* a descriptor, or -errno */
void drm_file_put(struct drm_file *c);
/* Returns -errno, or the call's result. */
long drm_ioctl(const struct shim_fd *t, int fd, unsigned long request, void *argument);

/* ---- Exported buffers (dma_buf.c) ---- */

/* A call on an exported buffer that dma_buf_ioctl answers. */
bool dma_buf_is_call(int fd, unsigned long request);
int dma_buf_ioctl(unsigned long request, uint64_t argument);
/* mmap of a node; MAP_FAILED and errno. */
void *drm_mmap(struct drm_file *c, void *address, size_t size_bytes, int protection, int flags,
               uint64_t offset);
/* xe's PCI barrier page, below the offsets of all objects: its writes order others. */
#define BARRIER_OFFSET (UINT64_C(0x50) * PAGE_BYTES)

struct syncobj;
void syncobj_put(struct syncobj *s);
/* The fence of a point; 0: the binary one. NULL: none yet. */
struct dma_fence *syncobj_fence(struct syncobj *s, uint64_t point);
void syncobj_add(struct syncobj *s, uint64_t point, struct dma_fence *f);
void syncobj_reset(struct syncobj *s);

/* ---- Drivers ---- */

/* A call: `argument` is a copy of `size_bytes`, which is copied back. */
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
struct drm_driver {
    const char *description, *date;
    int version[3];
    const struct ioctl_desc *ioctls;
    bool has_default_context; /* context 0 exists from the start */
};
extern const struct ioctl_desc drm_ioctls[], syncobj_ioctls[];
extern const struct drm_driver i915_driver, xe_driver; /* in their own rooms, to the right of this one */

#endif
