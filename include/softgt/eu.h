/*
 * softgt eu: threads of execution units, run alone or looked at where a device runs them.
 *
 * A runner (struct softgt_eu) is an execution unit with nothing around it: a kernel's bytes, memory,
 * surfaces, what threads find in their registers, and groups of them. It is for who makes or studies kernels.
 * What runs them, answers their messages and starts their threads is what a device has: the same kernel with
 * the same memory gives the same, to the bit, however a run is cut into budgets.
 *
 * Life of a runner: softgt_eu_create -> softgt_eu_map, softgt_eu_kernel, softgt_eu_surface ... ->
 * softgt_eu_launch -> softgt_eu_run until it is finished -> the next launch, or softgt_eu_destroy. It is used
 * by one host thread at a time; any number of runners may live in one process. Nothing that a kernel does can
 * harm the host, or reaches beyond what it was given.
 *
 * Functions that return int return 0, or a negative errno: -EINVAL what cannot be, -ENOMEM; then nothing has
 * changed.
 */
#ifndef SOFTGT_EU_H
#define SOFTGT_EU_H

#include <softgt/softgt.h>

#ifdef __cplusplus
extern "C" {
#endif

struct softgt_eu;
struct softgt_eu_thread;

enum {
    SOFTGT_EU_SURFACES = 240, /* entries of the binding table */
    SOFTGT_EU_SAMPLERS = 16,
    SOFTGT_EU_THREADS = 128, /* of a group, at most */
    SOFTGT_EU_SHARED_BYTES = 64 << 10
};

/* ---- Runners ---- */

struct softgt_eu_config {
    const char *device; /* a device's name, as "skl": whose instructions, messages and threads */
    /* Optional: memory where nothing was mapped by softgt_eu_map, by graphics address. */
    struct softgt_memory_port memory;
    struct softgt_report_port report;     /* optional; `address` is of no use */
    struct softgt_parallel_port parallel; /* optional */
    struct softgt_code_port code;         /* optional */
};

/* -EINVAL: no such device, or one whose threads are not modelled. The config is copied. */
SOFTGT_API int softgt_eu_create_sized(const struct softgt_eu_config *config, size_t config_bytes,
                                      struct softgt_eu **eu);
static inline int softgt_eu_create(const struct softgt_eu_config *config, struct softgt_eu **eu)
{
    return softgt_eu_create_sized(config, sizeof *config, eu);
}
SOFTGT_API void softgt_eu_destroy(struct softgt_eu *eu);

/* ---- What threads reach ---- */

/*
 * size_bytes of the caller's memory become graphics memory from `address` (a multiple of 4096) on, as it is,
 * without a copy: it must stay until it is unmapped, the runner mapped elsewhere, or ends. What is not mapped
 * is a page fault, to the byte; so is a write of what is not writable, where the device does not drop it.
 * -EINVAL: it overlaps another mapping, or goes beyond softgt_eu_address_end.
 */
SOFTGT_API int softgt_eu_map(struct softgt_eu *eu, uint64_t address, void *host, uint64_t size_bytes,
                             bool writable);
SOFTGT_API int softgt_eu_unmap(struct softgt_eu *eu, uint64_t address);
/* From here on addresses are the runner's own. */
SOFTGT_API uint64_t softgt_eu_address_end(const struct softgt_eu *eu);
/* The port's memory lies elsewhere, as softgt_memory_changed. */
SOFTGT_API void softgt_eu_memory_changed(struct softgt_eu *eu);

/* The kernel, which is copied; up to 16 MB. Addresses of instructions (ip) are offsets from its start. Behind
 * its end are zeros, which are illegal instructions. */
SOFTGT_API int softgt_eu_kernel(struct softgt_eu *eu, const void *bytes, size_t size_bytes);

/* Entry `index` of the binding table is a raw buffer; of 0 bytes: nothing, which reads zero. Its surface
 * state lies 64 * index behind both bases of surface states. */
SOFTGT_API int softgt_eu_surface(struct softgt_eu *eu, unsigned index, uint64_t address, uint64_t size_bytes);
/* Any RENDER_SURFACE_STATE, of 16 dwords; any SAMPLER_STATE, of 4. */
SOFTGT_API int softgt_eu_surface_state(struct softgt_eu *eu, unsigned index, const uint32_t *dwords);
SOFTGT_API int softgt_eu_sampler_state(struct softgt_eu *eu, unsigned index, const uint32_t *dwords);

/* ---- Launches ---- */

/* What a thread finds behind r0, each part from a register on. */
enum softgt_eu_payload {
    SOFTGT_EU_SHARED_FIRST, /* data of all threads, then each thread's own (CURBE) */
    SOFTGT_EU_OWN_FIRST,    /* each thread's own, then data of all (indirect data of GPGPU_WALKER) */
    /* Channels' places in their group, made by the runner: x, y, z of 16 bits each, in one register for up to
     * 16 channels, in two for 32; then data of all, up to 256 bytes (COMPUTE_WALKER). */
    SOFTGT_EU_LOCAL_IDS
};

/* Zeros are what their comment says; {0} and `groups` is one thread of eight channels a group. */
struct softgt_eu_launch {
    uint64_t ip;            /* of the first instruction */
    uint32_t groups[3];     /* how many in x, y, z; 0: 1 */
    uint32_t first[3];      /* the first group's place */
    uint32_t threads;       /* of a group; 0: 1 */
    uint32_t channels;      /* of a thread: 8, 16, 32; 0: 8 */
    uint32_t last_channels; /* mask of those of a group's last thread; 0: all */
    uint32_t local_size[3]; /* with SOFTGT_EU_LOCAL_IDS: channels of a group in x, y, z, up to 1024; 0: 1 */
    uint32_t shared_bytes;  /* shared local memory, zeros at first; up to SOFTGT_EU_SHARED_BYTES */
    bool large_registers;   /* 256 of them, where the device has that */
    uint32_t control;       /* cr0.0: modes of floats */
    uint32_t r0[8];         /* or-ed into r0, which has group and thread as the device's walker puts them */
    uint64_t general;       /* base address of general state: of messages of 32 bits, of scratch memory */
    enum softgt_eu_payload payload;
    const void *data;     /* of all threads; data and own_data are copied */
    size_t data_bytes;    /* multiples of 32, up to 127 registers together */
    const void *own_data; /* of each thread, one behind the other */
    size_t own_bytes;     /* of one thread */
};

/* Begins a launch, and drops the one before it. -EINVAL, too: there is no kernel. */
SOFTGT_API int softgt_eu_launch_sized(struct softgt_eu *eu, const struct softgt_eu_launch *launch,
                                      size_t launch_bytes);
static inline int softgt_eu_launch(struct softgt_eu *eu, const struct softgt_eu_launch *launch)
{
    return softgt_eu_launch_sized(eu, launch, sizeof *launch);
}

enum softgt_eu_result {
    SOFTGT_EU_FINISHED,   /* all threads have ended, or none was launched */
    SOFTGT_EU_UNFINISHED, /* out of budget: run on */
    SOFTGT_EU_HELD,       /* at a breakpoint, by a hook or behind a step: run on */
    SOFTGT_EU_EXCEPTION,  /* an illegal instruction, or a message that cannot be sent */
    SOFTGT_EU_FAULT,      /* an access of memory that is not there */
    SOFTGT_EU_DEADLOCK    /* all threads that are left wait */
};

struct softgt_eu_outcome {
    enum softgt_eu_result result;
    /* Where: the thread at hand. */
    uint32_t group[3], thread;
    uint64_t ip;
    const char *why; /* EXCEPTION, FAULT, DEADLOCK: one line, static; else NULL */
    /* FAULT */
    uint64_t address;
    bool is_write;
    /* Since the launch. */
    uint64_t groups, threads, instructions;
    uint64_t out_of_bounds; /* elements loaded or stored beyond a surface's end: zero, dropped */
};

/*
 * Runs up to `budget` instructions; messages and the start of threads count as some. A launch that ended in
 * one of the last three results stays there; its last group's registers can be read. outcome may be NULL.
 */
SOFTGT_API enum softgt_eu_result softgt_eu_run_sized(struct softgt_eu *eu, uint64_t budget,
                                                     struct softgt_eu_outcome *outcome, size_t outcome_bytes);
static inline enum softgt_eu_result softgt_eu_run(struct softgt_eu *eu, uint64_t budget,
                                                  struct softgt_eu_outcome *outcome)
{
    return softgt_eu_run_sized(eu, budget, outcome, sizeof *outcome);
}

/* ---- Looking at threads ---- */

enum softgt_eu_file {
    SOFTGT_EU_GRF,          /* r0 ...: 32 bytes each, 4096 bytes, or 8192 */
    SOFTGT_EU_ADDRESS,      /* a0: 32 bytes */
    SOFTGT_EU_ACCUMULATOR,  /* acc0 ...: 16 channels of 64 bits each, 128 bytes */
    SOFTGT_EU_FLAG,         /* f0, f1: 4 bytes each */
    SOFTGT_EU_STATE,        /* sr0: 16 bytes */
    SOFTGT_EU_CONTROL,      /* cr0: 16 bytes */
    SOFTGT_EU_NOTIFICATION, /* n0: 16 bytes */
    SOFTGT_EU_TIMESTAMP,    /* tm0: 8 bytes */
    SOFTGT_EU_IP,           /* 8 bytes; written: where active channels go on */
    SOFTGT_EU_ACTIVE,       /* channels that run at ip: 4 bytes, read only */
    SOFTGT_EU_STARTED,      /* channels that the thread has: 4 bytes, read only */
    SOFTGT_EU_FILES
};

/* "r", "acc" ...: how text names the file; NULL: none. */
SOFTGT_API const char *softgt_eu_file_name(enum softgt_eu_file file);
/* Bytes of the file that the thread has, and of a register of it. */
SOFTGT_API size_t softgt_eu_file_bytes(const struct softgt_eu_thread *thread, enum softgt_eu_file file);
SOFTGT_API size_t softgt_eu_register_bytes(enum softgt_eu_file file);
/* Reads or writes size_bytes from a byte of the file on; false: they are not all in it. */
SOFTGT_API bool softgt_eu_read(const struct softgt_eu_thread *thread, enum softgt_eu_file file, size_t at,
                               void *data, size_t size_bytes);
SOFTGT_API bool softgt_eu_write(struct softgt_eu_thread *thread, enum softgt_eu_file file, size_t at,
                                const void *data, size_t size_bytes);

enum softgt_eu_state {
    SOFTGT_EU_RUNS,
    SOFTGT_EU_WAITS, /* for a barrier */
    SOFTGT_EU_ENDED,
    SOFTGT_EU_STOPPED /* by an exception */
};

struct softgt_eu_thread_info {
    const char *unit;          /* the engine that dispatched it, "rcs0"; static */
    uint64_t now_ns;           /* virtual time */
    uint32_t group[3], thread; /* the group's place, the thread's number in it */
    uint64_t base;             /* graphics address that ips are offsets from */
    uint64_t kernel;           /* ip of the kernel's first instruction */
    uint64_t ip;               /* of the instruction at hand */
    uint32_t started;          /* channels that the thread has */
    uint32_t channels;         /* those that run there */
    enum softgt_eu_state state;
    const char *why; /* SOFTGT_EU_STOPPED: one line, static; else NULL */
};

SOFTGT_API void softgt_eu_info_sized(const struct softgt_eu_thread *thread,
                                     struct softgt_eu_thread_info *info, size_t info_bytes);
static inline void softgt_eu_info(const struct softgt_eu_thread *thread, struct softgt_eu_thread_info *info)
{
    softgt_eu_info_sized(thread, info, sizeof *info);
}
/* The instruction at hand as text, cut to size_bytes with its zero; returns the bytes that all of it needs
 * without it. Nothing that can be read there: "". SIZE_MAX, and "": there is no memory. */
SOFTGT_API size_t softgt_eu_text(const struct softgt_eu_thread *thread, char *text, size_t size_bytes);

/* A register that the instruction at hand changed, from a hook's `after`. */
struct softgt_eu_change {
    enum softgt_eu_file file;
    unsigned number; /* of the register */
    const void *before, *after;
    size_t size_bytes;
};
/* In the order of files and numbers; what was written with what it had is no change. Time and ip are none. */
SOFTGT_API void softgt_eu_changes(const struct softgt_eu_thread *thread, void *user,
                                  void (*each)(void *user, const struct softgt_eu_change *change));

/* ---- Hooks ---- */

/* Each may be NULL. A thread that a hook is given is good until it returns. */
struct softgt_eu_hooks {
    void *user;
    /* Whether the thread is looked at, asked whenever it begins or goes on; what is not runs as fast as
     * without hooks. NULL: all are. */
    bool (*wanted)(void *user, const struct softgt_eu_thread *thread);
    /* Its registers are filled: they may be written. */
    void (*started)(void *user, struct softgt_eu_thread *thread);
    /* An instruction is to run. False: a runner holds before it (SOFTGT_EU_HELD), and does not ask again when
     * it runs on; a device does not hold. */
    bool (*before)(void *user, struct softgt_eu_thread *thread);
    /* It has run, or stopped its thread; one that waits has not. The thread's ip is still its own in
     * softgt_eu_info, and the next one's in SOFTGT_EU_IP. */
    void (*after)(void *user, struct softgt_eu_thread *thread);
};

/* Of a runner, from now on; they are copied. NULL: none. */
SOFTGT_API int softgt_eu_watch_sized(struct softgt_eu *eu, const struct softgt_eu_hooks *hooks,
                                     size_t hooks_bytes);
static inline int softgt_eu_watch(struct softgt_eu *eu, const struct softgt_eu_hooks *hooks)
{
    return softgt_eu_watch_sized(eu, hooks, sizeof *hooks);
}
/* Of all threads that a device runs. They see everything and change nothing but what they write. */
SOFTGT_API int softgt_watch_threads_sized(struct softgt *device, const struct softgt_eu_hooks *hooks,
                                          size_t hooks_bytes);
static inline int softgt_watch_threads(struct softgt *device, const struct softgt_eu_hooks *hooks)
{
    return softgt_watch_threads_sized(device, hooks, sizeof *hooks);
}

/* Threads are held before they run the instruction there, or not any more. */
SOFTGT_API int softgt_eu_break(struct softgt_eu *eu, uint64_t ip, bool hold);
/* One instruction of the thread at hand, or, where that waits or has ended, of the next; SOFTGT_EU_HELD
 * unless something ends there. */
SOFTGT_API enum softgt_eu_result softgt_eu_step_sized(struct softgt_eu *eu, struct softgt_eu_outcome *outcome,
                                                      size_t outcome_bytes);
static inline enum softgt_eu_result softgt_eu_step(struct softgt_eu *eu, struct softgt_eu_outcome *outcome)
{
    return softgt_eu_step_sized(eu, outcome, sizeof *outcome);
}
/* The thread at hand becomes that one of the group; -EINVAL: there is none that could run, or a hook asks. */
SOFTGT_API int softgt_eu_select(struct softgt_eu *eu, uint32_t thread);
/* A thread of the group at hand, or of the last one; NULL: there is none, or several groups are at hand. It
 * is good as long as the runner is not run. */
SOFTGT_API struct softgt_eu_thread *softgt_eu_thread(struct softgt_eu *eu, uint32_t thread);

#ifdef __cplusplus
}
#endif

#endif
