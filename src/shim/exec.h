/*
 * An i915 or an xe inside a program's own process: its objects, address spaces, contexts, submissions and
 * fences on the model, for the calls that preload.c takes from the C library. The host side is a driver
 * (src/driver) like any other. One device serves all connections of a process; one lock, `exec_lock`, is held
 * by every call. A submission runs inside the call that makes it; one that waits (for a semaphore, for a
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

/* ---- The program's memory (user.c): 0, or -EFAULT ---- */

int user_read(void *to, uint64_t from, size_t size_bytes);
int user_write(uint64_t to, const void *from, size_t size_bytes);
/* It may do what not every program may. */
bool user_has_rights(void);
/* Something is mapped there. */
bool user_is_mapped(uint64_t address, uint64_t size_bytes);
/* The device may read and, unless `read_only`, write all of these pages; it brings them in. */
bool user_is_accessible(uint64_t address, uint64_t size_bytes, bool read_only);
/* The same of pages that were: it takes no longer for many, and looks at holes and at some pages. */
bool user_seems_accessible(uint64_t address, uint64_t size_bytes, bool read_only);
/* A copy of `count` things; NULL and *error where they are not there, or too many. */
void *user_copy(uint64_t from, uint64_t count, size_t size_bytes, int *error);

/* ---- Names for things: numbers from 1 on ---- */

struct names {
    void **things;
    uint32_t room;
};
/* 0: no memory. */
uint32_t names_add(struct names *n, void *thing);
void *names_find(const struct names *n, uint32_t name);
void *names_take(struct names *n, uint32_t name);
uint32_t names_of(const struct names *n, const void *thing);

/* ---- Files of this library among the program's descriptors (descriptors.c) ---- */

/* The program may close any number unseen (the bare system call, closefrom, io_uring) and get it for a file
 * of its own. So a number is used only while it is still the same file. */
struct own_file {
    int fd; /* -1: none */
    uint64_t device, inode;
};
struct own_file own_file_of(int fd);
/* Its number; -1: there is none any more. */
int own_file_number(const struct own_file *f);
/* Closes it where it is still there. */
void own_file_close(struct own_file *f);
/* Files that are written to: the program's close, closefrom and dup2 leave these numbers alone, also where
 * it closes all that there may be. */
void own_file_keep(int fd, bool keep);
bool own_file_is_kept(int fd); /* without the lock */
/* The same file by a number that leaves the low ones to the program; without one `fd` stays as it is. */
int high_descriptor(int fd);

/* ---- Fences (fence.c) ---- */

struct exec_fence {
    unsigned references;
    unsigned parts; /* that are to be signalled before, besides one */
    bool signaled;
    int error;              /* -EIO: what it stands for was ended */
    struct own_file signal; /* its other end becomes readable when the fence is signalled */
    int64_t at_ns;
    struct exec_fence **then; /* a part of each of these is signalled with it */
    uint32_t then_count;
};
struct exec_fence *fence_make(void);
/* One that is signalled when both are; NULL: there is no memory. */
struct exec_fence *fence_of_both(struct exec_fence *a, struct exec_fence *b);
struct exec_fence *fence_get(struct exec_fence *f);
void fence_put(struct exec_fence *f);
void fence_signal(struct exec_fence *f, int error);
/* In the child of a fork: descriptors that wait are the parent's to signal. */
void fences_leave_signals(bool leave);

/* ---- Objects (objects.c) ---- */

/* Descriptors from here on: the low ones are the program's. */
enum { FIRST_DESCRIPTOR = 256 };

struct object {
    unsigned references;
    struct own_file file; /* none: the program's own memory, or there are no descriptors left */
    uint8_t *host;
    uint64_t size_bytes, bus; /* of local memory: with MEMORY_LOCAL */
    bool is_user, gone, read_only;
    uint8_t *instead; /* of the program's memory that went while it was used, until it is not used any more */
    bool looked;      /* at all its pages, which are there, since the program is known to have changed some */
    uint32_t name;    /* by which any connection may open it; 0: none yet */
    uint32_t page_bytes; /* it is bound in pages of this size */
    uint64_t only_space; /* the id of the only space that may bind it; 0: any may */
    uint32_t tiling, stride, caching, domain;
    struct exec_fence *last; /* of who used it last */
    struct gpu *gpu;
};
/* `local`: in local memory, if there is room; else on the bus. */
int object_create(struct gpu *g, uint64_t size_bytes, bool local, struct object **made);
int object_of_user(struct gpu *g, uint64_t address, uint64_t size_bytes, bool read_only,
                   struct object **made);
int object_of_file(struct gpu *g, int fd, struct object **made);
struct object *object_get(struct object *o);
void object_put(struct object *o);
/* By which a program maps it, and the one whose offsets these are; no offset is negative. */
uint64_t object_offset(const struct object *o);
struct object *object_at_offset(const struct gpu *g, uint64_t offset, uint64_t *from);
/* The one whose bus addresses these are; NULL: none. */
struct object *object_at(const struct gpu *g, uint64_t bus);
void *objects_map(void *user, uint64_t address, uint64_t *length_bytes, bool write);
extern _Atomic unsigned user_objects; /* there are so many of the program's memory */
/* As mmap; without a file, too. */
void *object_mmap(const struct object *o, void *address, uint64_t size_bytes, int protection, int flags,
                  uint64_t offset);
/* The program's memory may have gone, or have come back: as it is now. */
bool object_is_there(struct object *o);
/* The program's memory there went while the device used it: what runs reads zeros from now on. */
void objects_lose(struct gpu *g, uint64_t address, uint64_t size_bytes);
/* As object_is_there, of all objects that are the program's memory in a range. */
void objects_look(struct gpu *g, uint64_t address, uint64_t size_bytes);
/* Some may be in that range: without the lock. */
bool objects_may_be_near(uint64_t address, uint64_t size_bytes);
/* Any of them is used by what was submitted. */
bool objects_are_used(const struct gpu *g, uint64_t address, uint64_t size_bytes);

/* ---- The device's accesses to the program's memory (guard.c) ---- */

/* Around all that the device does to memory: nothing that is missing there ends the program. */
bool guard_begin(struct gpu *g);
void guard_end(struct gpu *g, bool began);
/* sigaction of the program's for a signal of faults, which are the model's now and then. */
struct sigaction;
bool guard_concerns(int number);
int guard_action(int number, const struct sigaction *action, struct sigaction *before);
void guard_forked(void); /* in the child: nobody else is about it */
/* The same on threads that run groups. */
struct softgt_parallel_port guard_port(struct softgt_parallel_port port);

/* ---- Address spaces (space.c) ---- */

struct binding {
    uint64_t address, size_bytes;
    struct object *object; /* NULL: there is none; it reads zero, writes are dropped */
    uint64_t offset;       /* in it, of the first byte */
    bool held;             /* the object stays for it */
    bool read_only;
};
struct exec_space {
    unsigned references;
    uint64_t id; /* from 1 on, never used again */
    struct gpu *gpu;
    struct exec_space *next; /* all of the device's */
    struct driver *driver;   /* with a scratch page, or without */
    bool long_running;       /* what is submitted signals no fence but the program's own */
    bool closed;             /* the program has it no more */
    struct exec_fence *last_bind;
    struct exec_fence
        *last_split; /* of the last change that leaves parts of bindings: who is submitted waits */
    struct driver_ppgtt tables;
    struct binding *bindings; /* by address */
    uint32_t count, room;
};
struct exec_space *space_make(struct gpu *g, bool scratch);
struct exec_space *space_get(struct exec_space *s);
void space_put(struct exec_space *s);
/* -ENOMEM, or 0. What was there is not there any more: parts of bindings stay. */
int space_map(struct exec_space *s, const struct binding *b);
int space_unmap(struct exec_space *s, uint64_t address, uint64_t size_bytes);
int space_unmap_object(struct exec_space *s, const struct object *o);
/* Whether of a binding part would stay if the range went. */
bool space_splits(const struct exec_space *s, uint64_t address, uint64_t size_bytes);
/* Whether nobody uses what would have to go from there for the object. */
bool space_is_idle(const struct exec_space *s, const struct object *o, uint64_t address);
bool space_has(const struct exec_space *s, const struct object *o);
/* All of the object is at that address; of who was there before nothing is. */
int space_bind(struct exec_space *s, struct object *o, uint64_t address);
/* Where it is; or room for it below `end`, at `hint` if that is free. UINT64_MAX: there is none. */
uint64_t space_place(struct exec_space *s, struct object *o, uint64_t hint, uint64_t alignment, uint64_t end);
void spaces_forget(struct gpu *g, const struct object *o);

/* ---- The device (gpu.c) ---- */

enum { RING_BYTES = 4 * PAGE_BYTES, MOST_ENGINES = 32, MOST_SLOTS = 64 };

/* A context on an engine. */
struct logical_ring {
    struct driver_ring ring;
    uint64_t image; /* in the GGTT; 0: none, the engine has a ring */
    uint32_t id;
};

/* What a submission names is a slot: an index into the map, or the engine itself. Each has a state of its
 * own, also where two are of one engine. */
struct context {
    unsigned references;
    struct gpu *gpu;
    struct exec_space *space;
    struct logical_ring rings[MOST_SLOTS];
    uint8_t *map; /* engines by slot, map_count of them; NULL: the older way */
    uint32_t map_count;
    uint32_t choices;              /* maps like it that follow it, and are as good */
    bool used;                     /* something was submitted: the map stays */
    uint32_t hangs, pending_hangs; /* guilty; innocent */
    bool banned, unrecoverable, persistent_off;
    bool no_ban, no_capture;
    int64_t priority;
    bool binds;              /* it is a queue of changes of spaces, for no engine */
    struct exec_fence *last; /* of what was submitted to it */
};

/* A submission; or changes of a space, without a context. */
struct request {
    struct request *next;
    struct context *context;
    unsigned slot;
    uint64_t batch;
    uint32_t copy, copy_bytes; /* of the batch, in the GGTT: `batch` is there, and privileged; 0: none */
    struct exec_space *space;
    struct change *changes;
    uint32_t change_count;
    bool tells; /* at its end: a value, at an address of its space; of changes, of the program */
    uint64_t told_address, told_value;
    struct exec_fence *done;
    struct exec_fence **after;
    uint32_t after_count;
    uint64_t used_dw, turn_dw; /* the second when its turn began */
    uint32_t turns;            /* that it gave away */
    bool paused;               /* it began, and others run */
    int64_t waits_since_ns;
    bool running;
    struct object **objects; /* held until it is done */
    uint32_t object_count;
};

/* Of a space: an object comes in, or (`out`) all of it or all of a range goes. */
struct change {
    bool out;
    struct binding binding;
};

struct gpu {
    unsigned users;
    int owner; /* the process that made it */
    struct exec_options options;
    struct exec_account *account;
    struct softgt *device;
    struct workers *workers;  /* NULL: none */
    struct code_memory *code; /* NULL: kernels are interpreted */
    const struct sheet *sheet;
    struct recorder *recorder;
    int64_t passed_ns; /* of the host's time: what the device has seen */
    struct timeline *timeline;
    FILE *trace;
    struct output eu_file;
    struct eu_trace eu_trace;          /* limit 0: none */
    struct driver driver, bare_driver; /* the second without a scratch page */
    uint8_t *table, *local, *own;      /* the GGTT's; local memory; what a driver keeps on the bus */
    uint64_t local_bytes;
    uint64_t *own_used; /* a bit for each page */
    uint32_t own_next, next_id;
    uint64_t scratch;        /* the page that is where nothing else is; 0: nothing is */
    uint32_t null_page;      /* where the program says that nothing is */
    struct object **objects; /* by bus address */
    uint32_t object_count, object_room;
    uint64_t next_address[2]; /* of objects: on the bus, in local memory */
    struct exec_space *spaces;
    struct names named; /* objects */
    struct {
        uint32_t status_page;
        struct request *first, **last;
        struct request *leaving;   /* gave way to the first one, and is on the engine until that lets it in */
        struct exec_space *loaded; /* ring mode */
        struct logical_ring ring;
    } engines[MOST_ENGINES];
    struct request *binds, **last_bind; /* changes of spaces that wait */
    bool runner, stopped;               /* a thread goes on with what calls left; it is to end */
    uint32_t resets;
    bool ended; /* the program does; nothing runs any more */
};

extern pthread_mutex_t exec_lock;
extern pthread_cond_t exec_changed; /* fences were signalled */

/* The lock, by a call of the program; whoever runs submissions meanwhile lets it in. Until exec_give the
 * thread cannot be cancelled, and handles no signals but in waits without the lock: it would die, or call
 * again, with the lock. (runner.c) */
int exec_take(void);
void exec_give(int cancel_state); /* what exec_take returned */

/* NULL and errno. */
struct gpu *gpu_get(void);
void gpu_put(struct gpu *g);
/* For submissions: registers, by the recording, too; pages that follow each other, empty, at their GGTT
 * address, 0 without; an engine after a reset; commands that were only counted, into the account. */
/* The device's time comes to the host's; with --timing, and for a recording, it moves on by that many. */
enum { BETWEEN_NS = 1000 /* from one submission to the next */ };
void gpu_pass_time(struct gpu *g, uint64_t virtual_ns);
void gpu_write_registers(struct gpu *g, const struct driver_writes *w);
void gpu_write_register(struct gpu *g, uint32_t offset, uint32_t value);
uint32_t gpu_take_pages(struct gpu *g, uint32_t size_bytes);
void gpu_give_pages(struct gpu *g, uint64_t address, uint32_t size_bytes);
void gpu_start_engine(struct gpu *g, unsigned engine);
void gpu_take_account(struct gpu *g);
/* The program maps, unmaps or protects memory between these, by no call of a device's. As under Linux the
 * first waits for submissions that use it. False: nobody has objects there, the second is not to follow. */
struct user_range {
    uint64_t address, size_bytes;
};
bool gpu_user_memory_changes(const struct user_range *ranges, unsigned count, int *cancel_state);
void gpu_user_memory_changed(const struct user_range *ranges, unsigned count, int cancel_state);
/* Memory was mapped or unmapped: the device looks at every page again. */
void gpu_settle(struct gpu *g);
uint64_t gpu_register_read(struct gpu *g, uint32_t offset, unsigned size_bytes);
void gpu_tell(struct gpu *g, enum exec_line_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same from where no device is known. */
void exec_tell_trouble(const char *text);
int64_t gpu_host_ns(void);
/* The class as both drivers count it for programs, and which of it; -1: there is none. */
unsigned user_class(enum engine_class class);
unsigned user_instance(const struct gpu *g, unsigned engine);
int user_engine(const struct gpu *g, unsigned class, unsigned instance);
/* The part of the bus that is the driver's own, as it is in the GGTT, too. */
#define OWN_BUS      UINT64_C(0x10000000)
#define OWN_BYTES    UINT64_C(0x20000000)
#define TABLES_BUS   UINT64_C(0x40000000)
#define TABLES_BYTES UINT64_C(0x80000000)
#define OBJECTS_BUS  UINT64_C(0x100000000)
/* Local memory has page tables first, then objects, up to where its compression state is. What has no room
 * there is on the bus, and without compression state. */
#define LOCAL_BYTES (UINT64_C(2) << 30)
enum { TABLES_OF_LOCAL = 4 /* the first quarter */ };

/* ---- What it runs (submit.c) ---- */

struct context *context_make(struct gpu *g, struct exec_space *space);
struct context *context_get(struct context *c);
void context_put(struct context *c);
static inline unsigned context_engine(const struct context *c, unsigned slot)
{
    return c->map ? c->map[slot] : slot;
}
/* And all that it refers to. */
void request_free(struct request *r);
/* It waits for that fence, too; 0, or -ENOMEM. */
int request_after(struct request *r, struct exec_fence *f);
/* Takes over all that `r` refers to. */
void gpu_submit(struct gpu *g, unsigned engine, struct request *r);
void gpu_change_space(struct gpu *g, struct request *r);
/* It waits for all that was submitted to the space; 0, or -ENOMEM. */
int gpu_after_space(const struct gpu *g, const struct exec_space *s, struct request *r);
/* Submissions use it that are not done; but those of long-running spaces, which are held up instead. */
bool gpu_uses(const struct gpu *g, const struct object *o);
/* In the child of a fork: what was submitted before is the parent's, and runs there alone. */
void gpu_leave_requests(struct gpu *g);
/* As far as it goes now, for the time of a call; the runner goes on with what is left. True: it can at once.
 */
bool gpu_progress(struct gpu *g);
bool gpu_go_on(struct gpu *g); /* the same of who has nothing else to do */
bool gpu_any_left(const struct gpu *g);
/* False: it was too late, at this time (CLOCK_MONOTONIC). Nobody holds more than the lock. */
bool gpu_wait(struct gpu *g, bool (*done)(void *user), void *user, int64_t until_ns);

/* ---- The thread that goes on (runner.c) ---- */

void runner_start(struct gpu *g);
/* In the child, instead of exec_give: there is one thread, and the lock is new. */
void runner_forked(int cancel_state);
/* Without the lock: until something changed, or it is time to look again; `more`: that is now. */
void runner_nap(const struct gpu *g, bool more, int64_t most_ns);

/* ---- Connections (drm.c, syncobj.c, i915*.c, xe*.c): what an open node is ---- */

struct connection {
    unsigned references;
    struct gpu *gpu;
    struct names objects, contexts, spaces, syncobjs;
    unsigned minor; /* of the node */
};
/* What else a descriptor may be. */
enum open_kind { OPEN_NOTHING, OPEN_NODE, OPEN_FENCE, OPEN_SYNCOBJ };
struct open_thing {
    enum open_kind kind;
    unsigned references; /* descriptors */
    struct own_file file;
    union {
        struct connection *node;
        struct exec_fence *fence;
        struct syncobj *syncobj;
    };
};
/* descriptors.c, with the lock. What the number was is forgotten where another file has it now. */
struct open_thing *descriptor_find(int fd, enum open_kind kind);
/* A file that stands for a thing: as the device's node has it, nothing can be read from it. -errno. */
int descriptor_make(bool close_on_exec);
/* -errno: takes over the reference to `thing`. */
int descriptor_add(int fd, enum open_kind kind, void *thing);
int descriptor_fence(struct exec_fence *f);
/* What waits for it wakes up; it is closed. */
void descriptor_signal(struct own_file *f);
bool descriptors_any(int fd); /* it may be one of them: without the lock */
void descriptor_closed(int fd);
/* Forgets all numbers that the program closed unseen. */
void descriptors_look(void);
void descriptor_copied(int from, int to);
void descriptors_forked(void); /* in the child: they are its own */

int node_open(unsigned minor, int flags); /* a descriptor, or -errno */
void connection_put(struct connection *c);
/* -errno, or the call's result. */
long exec_ioctl(int fd, unsigned long request, void *argument);
/* What mmap of a node gives; MAP_FAILED and errno. */
void *node_mmap(struct connection *c, void *address, size_t size_bytes, int protection, int flags,
                uint64_t offset);
/* Objects are mapped by their bus addresses; this is below all. */
#define BARRIER_OFFSET (UINT64_C(0x50) * PAGE_BYTES) /* a page whose writes order others */

struct syncobj;
void syncobj_put(struct syncobj *s);
/* The fence of a point; 0: the binary one. NULL: none yet. */
struct exec_fence *syncobj_fence(struct syncobj *s, uint64_t point);
void syncobj_add(struct syncobj *s, uint64_t point, struct exec_fence *f);
void syncobj_reset(struct syncobj *s);

/* A call: `argument` is a copy of `size_bytes`, which goes back to the program. */
struct call {
    struct connection *connection;
    int fd;
    void *argument;
};
struct call_row {
    uint8_t number;
    uint16_t size_bytes; /* of the argument */
    int (*call)(const struct call *c);
    const char *name;
};
extern const struct call_row drm_calls[], syncobj_calls[], i915_calls[], xe_calls[];

int i915_query(const struct call *c);
int i915_execbuffer2(const struct call *c);
/* i915_batches.c: 0: the batch may be privileged, and whether it has commands that reach registers; -EACCES:
 * it may not; -EINVAL: it is none. */
int i915_check_batch(const struct checked_register *all, enum engine_class class, const uint32_t *dw,
                     uint32_t count_dw, bool *registers);
/* Of engines whose batches must be checked: 0: the copy of a batch may run; its jumps then lead into the
 * copy. -EACCES, -EINVAL: it is refused. */
int i915_check_copy(const struct checked_register *all, enum engine_class class, uint32_t *dw,
                    uint32_t count_dw, uint64_t original, uint64_t copy);
extern const struct checked_register i915_stored_registers[]; /* any, to be stored */
int i915_getparam(const struct call *c);
/* i915_contexts.c */
int i915_context_create(const struct call *c);
int i915_context_destroy(const struct call *c);
int i915_context_getparam(const struct call *c);
int i915_context_setparam(const struct call *c);
int i915_vm_create(const struct call *c);
int i915_vm_destroy(const struct call *c);
int i915_reset_stats(const struct call *c);
struct context *connection_context(const struct connection *c, uint32_t id);
uint64_t i915_space_end(const struct gpu *g);
/* Of a call that knows none. */
int i915_no_extensions(uint64_t at);

#endif
