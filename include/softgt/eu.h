/*
 * softgt eu: runs threads of execution units (EUs) without a device, and watches those that a device runs.
 *
 * A runner (struct softgt_eu) is an execution unit alone: a kernel, memory, surfaces, thread payloads and
 * thread groups. It is for people who write or study kernels. It uses the interpreter, the shared functions
 * and the dispatcher of a device: the same kernel with the same memory gives the same results, to the bit,
 * with any budgets.
 *
 * Life of a runner: softgt_eu_create -> softgt_eu_map, softgt_eu_set_kernel, softgt_eu_set_surface ... ->
 * softgt_eu_launch -> softgt_eu_run until it is finished -> the next launch, or softgt_eu_destroy. It is used
 * by one host thread at a time; any number of runners may live in one process. A kernel cannot harm the host
 * and reaches only the memory that it was given.
 *
 * Functions that return int return 0, or a negative errno: -EINVAL for invalid arguments, -ENOMEM, or -EBUSY
 * from a hook or a port where that would change what runs. On errors nothing has changed. Hooks and ports
 * must return: no longjmp, no exception. Compatibility is as in softgt.h.
 */
#ifndef SOFTGT_EU_H
#define SOFTGT_EU_H

#include <softgt/softgt.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A runner. */
struct softgt_eu;
/* A thread, as a hook or softgt_eu_thread gives it. */
struct softgt_eu_thread;

/* Limits of this version. */
enum {
    SOFTGT_EU_SURFACES = 240, /* entries of the binding table */
    SOFTGT_EU_SAMPLERS = 16,
    SOFTGT_EU_THREADS = 128,           /* of a group, at most */
    SOFTGT_EU_SHARED_BYTES = 384 << 10 /* Gen20; others: 64 << 10 */
};

/* ---- Runners ---- */

/* What a runner is created from. */
struct softgt_eu_config {
    const char *device; /* name of the device that defines instructions, messages, threads: "skl" */
    /* Optional: memory that softgt_eu_map does not map, by graphics address. */
    struct softgt_memory_port memory;
    struct softgt_report_port report;     /* optional; ignore `address` */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
};

/*
 * Creates a runner, which the caller owns and ends with softgt_eu_destroy. The config is copied; the objects
 * behind its `user` pointers must outlive the runner.
 *
 * Returns 0 and sets *eu, or a negative errno and sets *eu to NULL. -EINVAL: no such device, its threads do
 * not run without a device, or an invalid member of the config; the report port gets the reason. -ENOMEM: out
 * of memory.
 */
SOFTGT_API int softgt_eu_create_sized(const struct softgt_eu_config *config, size_t config_bytes,
                                      struct softgt_eu **eu);
static inline int softgt_eu_create(const struct softgt_eu_config *config, struct softgt_eu **eu)
{
    return softgt_eu_create_sized(config, sizeof *config, eu);
}
/* Destroys a runner, and frees all that belongs to it. NULL: does nothing. */
SOFTGT_API void softgt_eu_destroy(struct softgt_eu *eu);

/* ---- Memory and surfaces ---- */

/*
 * Maps memory of the caller, size_bytes from `host` on, at the graphics address `address`, a multiple of
 * 4096, without a copy. The memory must stay valid until it is unmapped or the runner is destroyed. An access
 * of an unmapped byte is a page fault. A write of a read-only mapping is a page fault, or is dropped if the
 * device drops such writes.
 *
 * Returns 0 or a negative errno. -EINVAL: it overlaps another mapping, or ends beyond softgt_eu_address_end.
 * -ENOMEM: out of memory. -EBUSY: a hook or a port calls.
 */
SOFTGT_API int softgt_eu_map(struct softgt_eu *eu, uint64_t address, void *host, uint64_t size_bytes,
                             bool writable);
/* Unmaps what softgt_eu_map mapped at `address`. Returns 0 or a negative errno. -EINVAL: no mapping begins
 * there. -EBUSY: a hook or a port calls. */
SOFTGT_API int softgt_eu_unmap(struct softgt_eu *eu, uint64_t address);
/* Returns the first address that the runner uses itself: mappings end before it. */
SOFTGT_API uint64_t softgt_eu_address_end(const struct softgt_eu *eu);
/* Drops all host pointers that the memory port gave. Call it when memory of the port is remapped, as
 * softgt_memory_changed. */
SOFTGT_API void softgt_eu_memory_changed(struct softgt_eu *eu);

/*
 * Sets the kernel, which is copied: up to 16 MB. Instruction addresses (ip) are offsets from its start. After
 * its end are zeros, which are illegal instructions.
 *
 * Returns 0 or a negative errno. -EINVAL: no bytes, or too many. -ENOMEM: out of memory. -EBUSY: a hook or a
 * port calls.
 */
SOFTGT_API int softgt_eu_set_kernel(struct softgt_eu *eu, const void *bytes, size_t size_bytes);

/*
 * Sets entry `index` of the binding table to a raw buffer; 0 bytes: to a null surface, which reads zero. The
 * surface state is at 64 * index from both bases of surface states.
 *
 * Returns 0, or -EINVAL: `index` is not below SOFTGT_EU_SURFACES, or a buffer cannot have this address or
 * size.
 */
SOFTGT_API int softgt_eu_set_surface(struct softgt_eu *eu, unsigned index, uint64_t address,
                                     uint64_t size_bytes);
/* Sets entry `index` of the binding table to any RENDER_SURFACE_STATE, of 16 dwords, which are copied.
 * Returns 0, or -EINVAL: `index` is not below SOFTGT_EU_SURFACES. */
SOFTGT_API int softgt_eu_set_surface_state(struct softgt_eu *eu, unsigned index, const uint32_t *dwords);
/* Sets sampler `index` to any SAMPLER_STATE, of 4 dwords, which are copied. Returns 0, or -EINVAL: `index` is
 * not below SOFTGT_EU_SAMPLERS. */
SOFTGT_API int softgt_eu_set_sampler_state(struct softgt_eu *eu, unsigned index, const uint32_t *dwords);

/* ---- Launches ---- */

/* The thread payload after r0; each part starts at a register. */
enum softgt_eu_payload {
    SOFTGT_EU_SHARED_FIRST, /* cross-thread data, then per-thread data (CURBE) */
    SOFTGT_EU_OWN_FIRST,    /* per-thread data, then cross-thread data (indirect data of GPGPU_WALKER) */
    /* Local IDs of the channels, generated by the runner: x, y, z of 16 bits each, in one register for up to
     * 16 channels, in two for 32; then cross-thread data, up to 256 bytes (COMPUTE_WALKER). */
    SOFTGT_EU_LOCAL_IDS
};

/* A launch: what a walker command says. Comments give the meaning of 0. With only `groups` set, each group is
 * one thread of eight channels. */
struct softgt_eu_launch_config {
    uint64_t ip;            /* of the first instruction */
    uint32_t groups[3];     /* number of groups in x, y, z; 0: 1 */
    uint32_t first[3];      /* ID of the first group */
    uint32_t threads;       /* of a group; 0: 1 */
    uint32_t channels;      /* of a thread: 8, 16, 32; 0: 8; Gen20: 16, 32; 0: 16 */
    uint32_t last_channels; /* channel mask of the last thread of a group; 0: all */
    uint32_t local_size[3]; /* with SOFTGT_EU_LOCAL_IDS: channels of a group in x, y, z, up to 1024; 0: 1 */
    uint32_t shared_bytes;  /* shared local memory, zeros at first; up to SOFTGT_EU_SHARED_BYTES */
    bool large_registers;   /* 256 registers a thread, if the device supports it */
    uint32_t control;       /* cr0.0: float modes */
    uint32_t r0[8];         /* ORed into r0, which has group and thread IDs as from the device's walker */
    uint64_t general; /* general state base address: for messages with 32-bit addresses and scratch memory */
    enum softgt_eu_payload payload;
    const void *data;     /* cross-thread data; data and own_data are copied */
    size_t data_bytes;    /* multiples of 32, up to 127 registers together */
    const void *own_data; /* per-thread data, one thread after the other */
    size_t own_bytes;     /* of one thread */
};

/* Begins a launch, and drops the previous one. The threads run in softgt_eu_run. Returns 0 or a negative
 * errno. -EINVAL: an invalid member, or there is no kernel. -EBUSY: a hook or a port calls. */
SOFTGT_API int softgt_eu_launch_sized(struct softgt_eu *eu, const struct softgt_eu_launch_config *launch,
                                      size_t launch_bytes);
static inline int softgt_eu_launch(struct softgt_eu *eu, const struct softgt_eu_launch_config *launch)
{
    return softgt_eu_launch_sized(eu, launch, sizeof *launch);
}

/* How a run ends. */
enum softgt_eu_result {
    SOFTGT_EU_FINISHED,   /* all threads have ended, or none was launched */
    SOFTGT_EU_UNFINISHED, /* the budget is used up: run again */
    SOFTGT_EU_HELD,       /* at a breakpoint, by a hook or after a step: run again */
    SOFTGT_EU_EXCEPTION,  /* an illegal instruction, or a message that cannot be sent */
    SOFTGT_EU_FAULT,      /* an access of unmapped memory */
    SOFTGT_EU_DEADLOCK    /* all remaining threads wait */
};

/* How a run ended, where, and what ran. */
struct softgt_eu_outcome {
    enum softgt_eu_result result;
    /* The current thread. */
    uint32_t group[3], thread;
    uint64_t ip;
    const char *why; /* EXCEPTION, FAULT, DEADLOCK: one line, static; else NULL */
    /* FAULT */
    uint64_t address;
    bool is_write;
    /* Since the launch. */
    uint64_t groups, threads, instructions;
    /* Elements beyond the end of a surface, or of a null surface: loads give zero, stores are dropped. */
    uint64_t out_of_bounds;
};

/*
 * Runs up to `budget` instructions; a message or a thread start counts as several. SOFTGT_EU_EXCEPTION,
 * SOFTGT_EU_FAULT and SOFTGT_EU_DEADLOCK end the launch; the registers of its last group can be read.
 * `outcome` may be NULL. From a hook or a port it runs nothing.
 *
 * Returns how the run ended, as outcome->result.
 */
SOFTGT_API enum softgt_eu_result softgt_eu_run_sized(struct softgt_eu *eu, uint64_t budget,
                                                     struct softgt_eu_outcome *outcome, size_t outcome_bytes);
static inline enum softgt_eu_result softgt_eu_run(struct softgt_eu *eu, uint64_t budget,
                                                  struct softgt_eu_outcome *outcome)
{
    return softgt_eu_run_sized(eu, budget, outcome, sizeof *outcome);
}

/* ---- Inspection of threads ---- */

/* The register files of a thread. */
enum softgt_eu_file {
    SOFTGT_EU_GRF,          /* r0 ...: 32 bytes each, 4096 bytes, or 8192; Gen20: halves of registers */
    SOFTGT_EU_ADDRESS,      /* a0: 32 bytes */
    SOFTGT_EU_ACCUMULATOR,  /* acc0 ...: 16 channels of 64 bits each, 128 bytes */
    SOFTGT_EU_FLAG,         /* f0, f1: 4 bytes each; Gen20: f0 to f3 */
    SOFTGT_EU_STATE,        /* sr0: 16 bytes */
    SOFTGT_EU_CONTROL,      /* cr0: 16 bytes */
    SOFTGT_EU_NOTIFICATION, /* n0: 16 bytes */
    SOFTGT_EU_TIMESTAMP,    /* tm0: 8 bytes */
    SOFTGT_EU_IP,           /* 8 bytes; a write moves the active channels */
    SOFTGT_EU_ACTIVE,       /* mask of channels that run at ip: 4 bytes, read only */
    SOFTGT_EU_STARTED,      /* mask of channels of the thread: 4 bytes, read only */
};
/* The number of register files that this header knows. */
#define SOFTGT_EU_FILES (SOFTGT_EU_STARTED + 1)

/* Names a register file as in text: "r", "acc" ... Returns NULL if it has no name; else a static string. */
SOFTGT_API const char *softgt_eu_file_name(enum softgt_eu_file file);
/* Returns the size of a thread's register file in bytes; 0: there is no such file. */
SOFTGT_API size_t softgt_eu_file_bytes(const struct softgt_eu_thread *thread, enum softgt_eu_file file);
/* Returns the size of one register of a file in bytes; 0: there is no such file. */
SOFTGT_API size_t softgt_eu_register_bytes(enum softgt_eu_file file);

/* Reads registers of a thread: size_bytes from byte `at` of the file on. Returns false if the range is not in
 * the file. */
SOFTGT_API bool softgt_eu_thread_read(const struct softgt_eu_thread *thread, enum softgt_eu_file file,
                                      size_t at, void *data, size_t size_bytes);
/* Writes registers of a thread: size_bytes from byte `at` of the file on. Returns false if the range is not
 * in the file, or the file is read only. */
SOFTGT_API bool softgt_eu_thread_write(struct softgt_eu_thread *thread, enum softgt_eu_file file, size_t at,
                                       const void *data, size_t size_bytes);

/* What a thread does. */
enum softgt_eu_thread_state {
    SOFTGT_EU_RUNS,
    SOFTGT_EU_WAITS, /* for a barrier */
    SOFTGT_EU_ENDED,
    SOFTGT_EU_STOPPED /* by an exception */
};

/* A thread and where it is. */
struct softgt_eu_thread_info {
    const char *unit;          /* the engine that dispatched it, "rcs0"; static */
    uint64_t now_ns;           /* virtual time */
    uint32_t group[3], thread; /* group ID, thread number in the group */
    uint64_t base;             /* graphics address that ips are offsets from */
    uint64_t kernel;           /* ip of the kernel's first instruction */
    uint64_t ip;               /* of the current instruction */
    uint32_t started;          /* mask of channels of the thread */
    uint32_t channels;         /* mask of channels that run at ip */
    enum softgt_eu_thread_state state;
    const char *why; /* SOFTGT_EU_STOPPED: one line, static; else NULL */
};

/* Describes a thread: fills *info. */
SOFTGT_API void softgt_eu_thread_get_info_sized(const struct softgt_eu_thread *thread,
                                                struct softgt_eu_thread_info *info, size_t info_bytes);
static inline void softgt_eu_thread_get_info(const struct softgt_eu_thread *thread,
                                             struct softgt_eu_thread_info *info)
{
    softgt_eu_thread_get_info_sized(thread, info, sizeof *info);
}

/* Disassembles the current instruction of a thread to text, cut to size_bytes including the terminating zero.
 * The text is empty if the instruction is not readable. Returns the length of the whole text without the
 * zero; SIZE_MAX: out of memory. */
SOFTGT_API size_t softgt_eu_thread_disassemble(const struct softgt_eu_thread *thread, char *text,
                                               size_t size_bytes);

/* A register that the current instruction changed, from a hook's `after`. */
struct softgt_eu_change {
    enum softgt_eu_file file;
    unsigned number; /* of the register */
    const void *before, *after;
    size_t size_bytes;
};
/* Lists what the current instruction changed, from a hook's `after`: calls `each` for each register, in the
 * order of files and numbers. A write of the old value is no change; timestamps and ip are not listed. */
SOFTGT_API void softgt_eu_thread_changes(const struct softgt_eu_thread *thread, void *user,
                                         void (*each)(void *user, const struct softgt_eu_change *change));

/* ---- Hooks ---- */

/* What is called while threads run. Each may be NULL. The thread is valid until the hook returns. */
struct softgt_eu_hooks {
    void *user;
    /* Whether to watch the thread; called when it starts and when it resumes. Other threads run as fast as
     * without hooks. NULL: all are watched. */
    bool (*wanted)(void *user, const struct softgt_eu_thread *thread);
    /* The thread has its payload. The hook may write its registers. */
    void (*started)(void *user, struct softgt_eu_thread *thread);
    /* Called before an instruction. False: a runner holds before it (SOFTGT_EU_HELD) and does not ask again
     * when it continues; a device ignores it. */
    bool (*before)(void *user, struct softgt_eu_thread *thread);
    /* Called after an instruction ran or stopped its thread; not while it waits. softgt_eu_thread_info gives
     * the ip of this instruction, SOFTGT_EU_IP that of the next. */
    void (*after)(void *user, struct softgt_eu_thread *thread);
};

/* Sets the hooks of a runner, which are copied; NULL: no hooks. Returns 0 or a negative errno. -EINVAL: a
 * member that this library does not know. -ENOMEM: out of memory. */
SOFTGT_API int softgt_eu_watch_sized(struct softgt_eu *eu, const struct softgt_eu_hooks *hooks,
                                     size_t hooks_bytes);
static inline int softgt_eu_watch(struct softgt_eu *eu, const struct softgt_eu_hooks *hooks)
{
    return softgt_eu_watch_sized(eu, hooks, sizeof *hooks);
}

/* Sets hooks for all threads of a device, as softgt_eu_watch. Hooks change only the registers that they
 * write. Returns 0 or a negative errno. -EINVAL: a member that this library does not know. -ENOMEM: out of
 * memory. -EBUSY: a hook or a port calls. */
SOFTGT_API int softgt_watch_threads_sized(struct softgt *device, const struct softgt_eu_hooks *hooks,
                                          size_t hooks_bytes);
static inline int softgt_watch_threads(struct softgt *device, const struct softgt_eu_hooks *hooks)
{
    return softgt_watch_threads_sized(device, hooks, sizeof *hooks);
}

/* Sets a breakpoint, or clears it: threads are held before the instruction at ip. Returns 0, or -ENOMEM. */
SOFTGT_API int softgt_eu_set_breakpoint(struct softgt_eu *eu, uint64_t ip, bool hold);

/* Runs one instruction of the current thread, or of the next thread if it waits or has ended. `outcome` may
 * be NULL. Returns SOFTGT_EU_HELD unless the launch ends. */
SOFTGT_API enum softgt_eu_result softgt_eu_step_sized(struct softgt_eu *eu, struct softgt_eu_outcome *outcome,
                                                      size_t outcome_bytes);
static inline enum softgt_eu_result softgt_eu_step(struct softgt_eu *eu, struct softgt_eu_outcome *outcome)
{
    return softgt_eu_step_sized(eu, outcome, sizeof *outcome);
}

/* Selects the current thread of the group. Returns 0 or a negative errno. -EINVAL: it does not exist or
 * cannot run. -EBUSY: a hook or a port calls. */
SOFTGT_API int softgt_eu_select(struct softgt_eu *eu, uint32_t thread);
/* Finds a thread of the current or last group. Returns NULL if it does not exist, or several groups are
 * unfinished; else a thread that is valid until the runner runs again. */
SOFTGT_API struct softgt_eu_thread *softgt_eu_get_thread(struct softgt_eu *eu, uint32_t thread);

#ifdef __cplusplus
}
#endif

#endif
