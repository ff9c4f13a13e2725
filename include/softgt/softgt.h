/*
 * softgt: a software Intel GT, register by register and command by command.
 *
 * One device is one `struct softgt`. It is a pure state machine: no thread, file, clock or global. The same
 * calls in the same order give the same result, to the bit. A device is used by one thread at a time; any
 * number of devices may live in one process.
 *
 * Life of a device: softgt_create -> softgt_bar_write / softgt_run / softgt_advance ... -> softgt_destroy.
 * Nothing the guest does (registers, memory, commands) can crash the device. Bad input has the same effect as
 * on hardware, and is reported through the report port.
 *
 * Callbacks: the report and trace ports may read the device (functions that take a const device, and those
 * that end in _read); so may the callbacks of functions that list something. The other ports must not call
 * any function of the device. A callback that calls a function which changes the device is refused: nothing
 * happens, the function returns false, 0 or -EBUSY, and the report port gets a SOFTGT_HOST_FAILURE with both
 * names. Callbacks must return: no longjmp, no exception.
 *
 * Arguments: pointers must not be NULL where the comment does not name NULL. A device is one that
 * softgt_create made and softgt_destroy has not ended.
 *
 * Compatibility: the soname is libsoftgt.so.0 for all of 1.x. Functions are not removed, and their parameters
 * do not change. Structs that a program passes by pointer (configs, statuses) grow at their end, in minor
 * versions. Functions that take one are inline here. They pass the size that the program was compiled with to
 * the function with the suffix _sized. The library writes at most that many bytes. Members that an older
 * program does not know are zero; nonzero members that this library does not know give -EINVAL. Structs that
 * the library passes to ports, or returns a pointer to, grow the same way: do not copy or create them.
 * Structs within others do not change: ports, softgt_bar_info, softgt_function_ports, softgt_engine_wait,
 * softgt_format_part, softgt_field_setting. What one of them lacks comes at the end of the struct that holds
 * it. Enumerations get new values at their end: a switch needs a default.
 */
#ifndef SOFTGT_SOFTGT_H
#define SOFTGT_SOFTGT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SOFTGT_API
#if defined(__GNUC__)
#define SOFTGT_API __attribute__((visibility("default")))
#else
#define SOFTGT_API
#endif
#endif

/* The version of this header: major, minor and patch are a byte each. */
#define SOFTGT_VERSION_MAJOR 1
#define SOFTGT_VERSION_MINOR 0
#define SOFTGT_VERSION_PATCH 0
#define SOFTGT_VERSION       (SOFTGT_VERSION_MAJOR << 16 | SOFTGT_VERSION_MINOR << 8 | SOFTGT_VERSION_PATCH)
/* Returns the version of the library, as SOFTGT_VERSION is that of the header. */
SOFTGT_API uint32_t softgt_version(void);

/* A device. */
struct softgt;

/* ---- Ports: what the device needs from its owner. All callbacks get `user` first. ---- */

/*
 * Bus memory, little-endian, addressed by bus address in bytes (what a GTT entry holds).
 *
 * map returns the host address of `bus_address` and sets *length_bytes to the bytes that follow contiguously
 * (at least up to the end of its 4 KB page), or returns NULL where nothing can be mapped; `write`:
 * the device will write there. A pointer stays valid until softgt_memory_changed is called.
 * read and write access pages that map returns NULL for; they return false where there is no memory. Either
 * may be NULL.
 */
struct softgt_memory_port {
    void *user;
    void *(*map)(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write);
    bool (*read)(void *user, uint64_t bus_address, void *data, size_t size_bytes);
    bool (*write)(void *user, uint64_t bus_address, const void *data, size_t size_bytes);
};

/*
 * Receives the device's interrupts.
 *
 * msi: the device signals message `vector` (always 0 on parts with one MSI vector). intx: the level of
 * the interrupt pin changed; used while configuration space does not enable MSI. If intx is NULL, msi is
 * called regardless of configuration space.
 */
struct softgt_interrupt_port {
    void *user;
    void (*msi)(void *user, unsigned vector);
    void (*intx)(void *user, bool asserted);
};

/* What a report complains of. */
enum softgt_complaint {
    SOFTGT_GUEST_ERROR,  /* the guest did what hardware does not allow */
    SOFTGT_NOT_MODELLED, /* the guest is right; the feature is not modelled */
    SOFTGT_HOST_FAILURE, /* a port failed */
};

/* The kind of a guest error, for programs. */
enum softgt_mistake {
    SOFTGT_MISTAKE_OTHER,
    SOFTGT_MISTAKE_UNKNOWN,   /* no command has this header: the engine stops */
    SOFTGT_MISTAKE_SHORT,     /* a command that is too short: skipped */
    SOFTGT_MISTAKE_DROPPED,   /* a privileged command in a non-privileged batch: not executed */
    SOFTGT_MISTAKE_DENIED,    /* a register that the batch must not access: write dropped, read as 0 */
    SOFTGT_MISTAKE_MISPLACED, /* a command of another engine: skipped */
    SOFTGT_MISTAKE_FAULT,     /* an access that found no page */
};

/* A report of the report port. */
struct softgt_report {
    enum softgt_complaint complaint;
    enum softgt_mistake mistake; /* of a guest error */
    const char *unit;            /* "rcs0", "mmio", "ggtt" ...; static */
    const char *text;            /* one line without newline; valid during the call */
    uint64_t address;            /* graphics address of the command, or register offset */
    uint64_t now_ns;             /* virtual time */
    /* Whose report it is. NULL: a runner's (eu.h), or that of a config which creates no device. */
    const struct softgt *device;
};

/* Receives reports: what the guest did wrong, what is not modelled, what the host failed to do. */
struct softgt_report_port {
    void *user;
    void (*report)(void *user, const struct softgt_report *report);
};

/* Trace events; the mask in softgt_trace_port selects. A mask of 0 costs one predictable branch. */
enum softgt_trace_what {
    SOFTGT_TRACE_COMMANDS = 1u << 0,   /* each command parsed */
    SOFTGT_TRACE_REGISTERS = 1u << 1,  /* each register write, CPU or engine */
    SOFTGT_TRACE_MEMORY = 1u << 2,     /* each memory write of an engine */
    SOFTGT_TRACE_CONTEXTS = 1u << 3,   /* context restores, saves and status reports */
    SOFTGT_TRACE_INTERRUPTS = 1u << 4, /* interrupt bits raised, messages sent */
    SOFTGT_TRACE_READS = 1u << 5,      /* each register read, by the CPU or an engine */
    SOFTGT_TRACE_BATCHES = 1u << 6,    /* batches begun and ended, waits begun and ended, stops, resets */
    SOFTGT_TRACE_BLITS = 1u << 7,      /* each blit that drew something, when it is done */
    SOFTGT_TRACE_COMPLAINTS = 1u << 8, /* reports of the report port, in order with the events */
    SOFTGT_TRACE_GUC = 1u << 9,        /* each message between host and GuC */
    SOFTGT_TRACE_DRAWS = 1u << 10,     /* each draw and dispatch of thread groups, when it is done */
    /* Details of draws, for programs that show one; not in SOFTGT_TRACE_ALL. */
    SOFTGT_TRACE_PRIMITIVES = 1u << 11, /* each vertex that is fetched, each primitive that is set up */
    SOFTGT_TRACE_FRAGMENTS = 1u << 12,  /* each step of a pixel's sample: its tests, the write of a target */
    SOFTGT_TRACE_SAMPLING = 1u << 13,   /* each message to a sampler: the states that it names */
    SOFTGT_TRACE_LOADS = 1u << 14, /* each load of a data port ("load", without atomics), of constants that
                                    * are pushed ("constants"): `address`, `size_bytes`, `unit`, `name` */
};
/* All events that this header knows, without details of draws. */
#define SOFTGT_TRACE_ALL 0x7ffu

/* The kind of an event within its class. Classes without a group here have one kind. */
enum softgt_event_kind {
    SOFTGT_EVENT_ONLY,
    /* commands: their outcome */
    SOFTGT_EVENT_COMMAND,   /* executed */
    SOFTGT_EVENT_UNKNOWN,   /* no command; its length is unknown, one dword is given */
    SOFTGT_EVENT_SHORT,     /* too short: skipped */
    SOFTGT_EVENT_DROPPED,   /* privileged: not executed */
    SOFTGT_EVENT_DENIED,    /* it writes a privileged register: that write is dropped */
    SOFTGT_EVENT_MISPLACED, /* of another engine: skipped */
    SOFTGT_EVENT_SKIPPED,   /* predicated */
    SOFTGT_EVENT_DISABLED,  /* disabled by INSTPM */
    SOFTGT_EVENT_NOT_RUN,   /* after an unknown command; only decoders report it */
    /* contexts */
    SOFTGT_EVENT_RESTORE,
    SOFTGT_EVENT_SAVE,
    SOFTGT_EVENT_STATUS,
    /* interrupts */
    SOFTGT_EVENT_RAISE,
    SOFTGT_EVENT_MESSAGE,
    /* batches */
    SOFTGT_EVENT_BATCH,
    SOFTGT_EVENT_CHAIN, /* a batch continues in another one */
    SOFTGT_EVENT_BATCH_END,
    SOFTGT_EVENT_WAIT,
    SOFTGT_EVENT_WAIT_END,
    SOFTGT_EVENT_STOP,
    SOFTGT_EVENT_RESET,
    /* messages of the GuC: `name` is the action, `text` its type, `by` what failed, `address` the fence, the
     * dwords begin with its first */
    SOFTGT_EVENT_TO_GUC,
    SOFTGT_EVENT_FROM_GUC,
};

/* Classes of engines: what their commands do. */
enum softgt_engine_class {
    SOFTGT_CLASS_RENDER,
    SOFTGT_CLASS_COPY,
    SOFTGT_CLASS_VIDEO,
    SOFTGT_CLASS_ENHANCE,
    SOFTGT_CLASS_COMPUTE,
    SOFTGT_CLASS_OTHER, /* of the GSC */
};
/* Names a class of engines as in text: "render", "copy", "video", "enhance", "compute", "other". Returns NULL
 * if there is no such class; else a static string. */
SOFTGT_API const char *softgt_engine_class_name(enum softgt_engine_class engine_class);

/* What the device does with a command. */
enum softgt_command_model {
    SOFTGT_COMMAND_EXECUTED, /* executed completely */
    SOFTGT_COMMAND_KEPT,     /* pipeline state, kept and decoded */
    SOFTGT_COMMAND_COUNTED,  /* known; its work is not modelled */
};

/* Gen12.5 has Tile4 and Tile64 where others have Y, Yf and Ys. */
enum softgt_tiling {
    SOFTGT_TILE_LINEAR,
    SOFTGT_TILE_X,
    SOFTGT_TILE_Y,
    SOFTGT_TILE_YF,
    SOFTGT_TILE_YS,
    SOFTGT_TILE_4,
    SOFTGT_TILE_64,
};

/* The destination of a blit; coordinates in pixels, right and bottom edges excluded (CSP-07). */
struct softgt_blit {
    enum softgt_tiling tiling;
    int32_t pitch_bytes;
    uint8_t bytes_per_pixel; /* 1 ... 16 */
    uint8_t depth;           /* Color Depth: 0 8, 1 565, 2 1555, 3 32, 4 64, 5 128 bits */
    int32_t x1, y1, x2, y2;  /* what was drawn, after clipping */
};

/*
 * A draw or a dispatch that is done (CSP-08). Counts of threads and pixels begin where the device began or
 * resumed the command: after a context switch within it they are those of its last part.
 */
struct softgt_draw {
    const char *topology;         /* "TRILIST"; NULL: a dispatch; static */
    bool is_indexed;              /* of a draw, as are the next members */
    uint32_t vertices, instances; /* vertices of an instance */
    uint64_t primitives; /* that these vertices make, in all instances, without regard to cut indices */
    uint64_t pixels;     /* channels that pixel shaders shaded: with Vector Mask Enable whole subspans */
    uint64_t surface;    /* address of render target 0, as its state has it; 0: none */
    uint32_t width_px, height_px; /* of it */
    uint32_t groups[3];           /* of a dispatch: groups along x, y, z */
    uint64_t threads;             /* of all shader stages */
    uint64_t instructions;        /* that they ran */
    uint64_t kernel; /* graphics address of the pixel shader, or of the compute kernel; 0: none */
};

/* ---- Details of draws ---- */

/* A vertex as it was fetched: four dwords for each element, before component packing. */
struct softgt_vertex {
    uint32_t number;    /* in the vertex buffers: an index and the base vertex, or in sequence */
    uint32_t vertex_id; /* without start and base vertex, as shaders may have it */
    uint32_t instance;
    const uint32_t *dw;
    unsigned length_dw;
};

/* What becomes of a primitive. */
enum softgt_primitive_fate {
    SOFTGT_PRIMITIVE_VISIBLE,   /* it goes to the rasterizer */
    SOFTGT_PRIMITIVE_CLIPPED,   /* nothing of it is inside the clip volume, or a cull distance rejects it */
    SOFTGT_PRIMITIVE_CULLED,    /* by the way it faces, or a triangle without an area */
    SOFTGT_PRIMITIVE_SCISSORED, /* no pixel of the scissored extent can be covered */
    SOFTGT_PRIMITIVE_DISCARDED, /* nothing of the draw goes to the rasterizer */
};

/* A primitive at setup. Its vertices are URB entries (VUEs): header of four dwords, position, and so on. */
struct softgt_primitive {
    enum softgt_primitive_fate fate;
    uint32_t number, instance; /* of the input's; those of a geometry shader or tessellator have its */
    uint32_t primitive_id;
    bool is_back_facing, is_reversed; /* reversed: an odd triangle of a strip */
    unsigned viewport, layer;
    unsigned vertices; /* 1 to 3 */
    const uint32_t *vertex[3];
    unsigned length_dw[3]; /* dwords after these are zero */
    double screen[3][4];   /* of each vertex: x and y in pixels, depth, w */
    int32_t scissor[4];    /* left, top, right, bottom; the last two are excluded */
};

/* The steps of a fragment, in their order. */
enum softgt_fragment_step {
    SOFTGT_FRAGMENT_COVERED,           /* the primitive covers the sample */
    SOFTGT_FRAGMENT_SAMPLE_MASK,       /* likewise, but 3DSTATE_SAMPLE_MASK leaves it out */
    SOFTGT_FRAGMENT_DEPTH_BOUNDS,      /* value: the least, compared_with: the depth of the buffer */
    SOFTGT_FRAGMENT_STENCIL,           /* value: the reference, compared_with: the stencil of the buffer */
    SOFTGT_FRAGMENT_DEPTH,             /* value: the fragment's depth, compared_with: that of the buffer */
    SOFTGT_FRAGMENT_ALPHA,             /* value: alpha, compared_with: the reference */
    SOFTGT_FRAGMENT_OUTPUT_MASK,       /* the shader's oMask leaves it out */
    SOFTGT_FRAGMENT_ALPHA_TO_COVERAGE, /* alpha to coverage leaves it out; value: alpha */
    SOFTGT_FRAGMENT_KILLED,            /* the shader ended without a write for it: a discard */
    SOFTGT_FRAGMENT_WRITTEN,           /* the write of a target was done; components may be masked */
    SOFTGT_FRAGMENT_CLEARED,           /* a fast clear covers it: a whole level, of a layer */
};
/* The number of steps that this header knows. */
#define SOFTGT_FRAGMENT_STEPS (SOFTGT_FRAGMENT_CLEARED + 1)

/* A step of a fragment. Those of a primitive follow its own event. */
struct softgt_fragment {
    enum softgt_fragment_step step;
    bool passed;  /* of a test */
    bool is_late; /* the test follows the pixel shader */
    uint32_t x, y, layer;
    unsigned sample;
    double value, compared_with; /* of tests */
    /* Of a write: the render target's number, the index in the binding table, the address of the pixel's
     * sample, 0: a null surface; what the shader wrote, before clamps and blending. */
    unsigned target, binding;
    uint64_t address;
    uint32_t color[4];
};

/* What a sampler message names. */
struct softgt_sampling {
    unsigned binding;              /* index in the binding table; 252: bindless */
    const uint32_t *surface_state; /* RENDER_SURFACE_STATE; NULL: none */
    unsigned length_dw;
    uint64_t sampler; /* graphics address of SAMPLER_STATE; messages that load texels have none */
    uint32_t channels;
};

/* An event of the trace port. Pointers are NULL, and numbers 0, where the class of the event does not use
 * them. */
struct softgt_event {
    enum softgt_trace_what what;
    enum softgt_event_kind kind;
    const char *unit;        /* engine name or "cpu", "mmio"; static */
    const char *name;        /* command (NULL: unknown), register or event name; static */
    const char *text;        /* reason of a stop or wait; text of a report; valid during the call */
    const char *by;          /* registers: the writer, "cpu" or an engine's name; static */
    uint64_t now_ns;         /* virtual time */
    uint64_t address;        /* graphics address of a command or store, offset of a register, lrca */
    uint64_t old_value;      /* registers: before the write; waits: the expected value */
    uint64_t value;          /* registers: as stored; memory: the stored value; contexts: status; waits:
                              * the value read */
    const char *comparison;  /* waits for a value: the comparison, "=="; else NULL */
    unsigned size_bytes;     /* memory: bytes written */
    unsigned index;          /* registers: index in an array */
    bool is_array, is_upper; /* registers: element of an array; upper dword of two */
    bool is_ggtt;            /* commands, memory: a GGTT address; else a PPGTT address */
    bool is_late;            /* commands: corrects the previous event of the same command */
    const uint32_t *dwords;  /* commands: the command's dwords, else NULL; valid during the call */
    unsigned length_dw;      /* commands: number of dwords */
    enum softgt_command_model model; /* commands */
    const struct softgt_blit *blit;  /* blits: destination; `address`: the surface; valid during the call */
    enum softgt_engine_class engine_class; /* commands */
    /* draws: `address` is that of the command; `text` the reason why a draw was counted, not drawn, or NULL;
     * valid during the call */
    const struct softgt_draw *draw;
    /* details of draws: one of these is not NULL, and valid during the call */
    const struct softgt_vertex *vertex;
    const struct softgt_primitive *primitive;
    const struct softgt_fragment *fragment;
    const struct softgt_sampling *sampling;
    const struct softgt *device; /* whose event it is; also during its softgt_create */
};

/* Receives events: each of a class in `mask` calls `event`. */
struct softgt_trace_port {
    void *user;
    unsigned mask; /* of enum softgt_trace_what */
    void (*event)(void *user, const struct softgt_event *event);
};

enum { SOFTGT_MOST_PARALLEL = 256 }; /* threads of a parallel port */

/*
 * Host threads of the owner, for parallel work. The thread groups of one walker run on them in parallel;
 * without the port they run one after the other.
 *
 * `run` calls job(context, thread, index) once for each index below `count`, started in ascending order, on
 * up to `threads` threads. Jobs that run at the same time have different numbers `thread`, all below
 * `threads`. `run` returns when all jobs have returned. `lock` and `unlock` are one recursive lock. It is
 * held during calls of the memory ports, which then come from any of the threads.
 *
 * Results: groups that share no memory, or only integer atomics with unused or order-independent results,
 * leave the same memory and counts as without the port. For other groups the order is up to the host. Of
 * several page faults that of the first group, in the order of groups, is reported. Later groups may have run
 * by then, and earlier ones may not have ended.
 *
 * Time slices of a walker (after which softgt_run returns, state is saved, or another context runs) hold more
 * instructions with the port. Several groups may be unfinished between two slices. The TLB does not keep the
 * translations of the threads.
 *
 * Not parallel: groups with watched threads (eu.h) or with scratch memory; with SOFTGT_TRACE_MEMORY or
 * details of draws; runs that are recorded or replayed; threads of media objects.
 */
struct softgt_parallel_port {
    void *user;
    unsigned threads; /* up to SOFTGT_MOST_PARALLEL; 0, 1: none */
    void (*run)(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                void *context);
    void (*lock)(void *user);
    void (*unlock)(void *user);
};

/*
 * Host threads of the owner, for work in the background: the device goes on while jobs run. `begin` is as the
 * parallel port's `run`, with its `user`, but may return before the jobs have. `end` returns when all have;
 * its thread takes part as thread 0. At most one begun run is there at a time, and no other runs meanwhile.
 * softgt_run returns after the end. Its thread calls the report, trace and interrupt ports while jobs run,
 * without the lock.
 */
struct softgt_background_port {
    void (*begin)(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                  void *context);
    void (*end)(void *user);
};

/*
 * Executable memory for host code, which is compiled from kernels that run often. Without the port kernels
 * are interpreted: slower, with the same results. `map` maps the same size_bytes, a multiple of the page
 * size, at two addresses: *written is writable, *run is executable. False: no memory; the device does not ask
 * again. Threads of a parallel port call it concurrently, without its lock. `unmap` is called when the device
 * is destroyed. Only hosts with AVX2 and FMA use the port.
 */
struct softgt_code_port {
    void *user;
    bool (*map)(void *user, size_t size_bytes, void **written, void **run);
    void (*unmap)(void *user, size_t size_bytes, void *written, void *run);
};

/* The owner of a virtual function: its bus memory and its interrupts. */
struct softgt_function_ports {
    struct softgt_memory_port memory;
    struct softgt_interrupt_port interrupt; /* optional */
};

/* What a device is created from. Members that are zero have their defaults. */
struct softgt_config {
    const char *device; /* a device's name, as "skl" */
    struct softgt_memory_port memory;
    struct softgt_interrupt_port interrupt; /* optional */
    struct softgt_report_port report;       /* optional */
    struct softgt_trace_port trace;         /* optional */
    struct softgt_parallel_port parallel;   /* optional */
    struct softgt_code_port code;           /* optional */
    void *ggtt_table; /* optional: storage of the GGTT's entries, ggtt_bytes of zeros that outlive the device.
                       * Changes by the owner take effect at the next TLB invalidation */
    /* The size of local memory (VRAM), on devices that have it: a power of two from 64 MB to 2 GB, with
     * local_host to 16 GB, with local_by_port to 1 TB. 0: softgt_device_info.local_bytes. */
    uint64_t local_bytes;
    /* Optional: local memory of the owner, which must outlive the device. The device clears it at creation
     * and at resets, and does not save it. NULL: the device reserves address space, and allocates pages when
     * they are touched. */
    void *local_host;
    /* local_host is zero at creation: the device does not clear it then. */
    bool local_is_zero;
    /* The memory port maps local memory: its addresses have bit 63 set. local_host, if any, is only cleared.
     */
    bool local_by_port;
    /* Local addresses mean bus memory until the first softgt_local_write: for captures with one memory. */
    bool local_on_bus;
    /* Number of virtual functions, up to softgt_device_info.functions, and the ports of each, from function 1
     * on; NULL: the ports above. */
    unsigned functions;
    const struct softgt_function_ports *function_ports;
    /* Isolated VFs: the owner provisions and serves them. The driver of the physical function sees a device
     * without VFs, with less memory, and its resets do not affect them. */
    bool functions_isolated;
    bool timing; /* commands take virtual time, by a simple cost model of the device; else none */
    bool draws;  /* 3D draws are executed if all they need is modelled; else they are counted */
    struct softgt_background_port background; /* optional; only with `parallel`, whose `user` it gets */
};

/* ---- Devices ---- */

/* What a device is. Strings are static. */
struct softgt_device_info {
    const char *name;       /* "skl" */
    const char *summary;    /* "Skylake GT2 (Gen9)" */
    const char *generation; /* "gen9" */
    uint16_t pci_device_id; /* 0: a device that is no product, found by name only */
    uint8_t pci_revision;
    unsigned engine_count;
    uint64_t mmio_bytes;  /* register half of BAR0 */
    uint64_t ggtt_bytes;  /* size of the table, the other half of BAR0 */
    uint64_t local_bytes; /* default size of local memory; 0: none */
    unsigned functions;   /* maximum number of virtual functions */
};

/* Lists the devices that this library models, from index 0 on. Returns NULL past the last; else static
 * storage of the library. */
SOFTGT_API const struct softgt_device_info *softgt_device_at(size_t index);
/* Finds a device by its name. Returns NULL if there is none; else static storage of the library. */
SOFTGT_API const struct softgt_device_info *softgt_device_find(const char *name);
/* Finds a device by a PCI device ID: any ID of the same generation and GT size. No device has ID 0. Returns
 * NULL if there is none; else static storage of the library. */
SOFTGT_API const struct softgt_device_info *softgt_device_by_pci_id(uint16_t pci_device_id);
/* Returns PCI device ID `index` of the products that a device of this library is, pci_device_id among them; 0
 * past the last. */
SOFTGT_API uint16_t softgt_device_pci_id(const struct softgt_device_info *device, size_t index);

/*
 * Creates a device after power-on reset. The config is copied; the objects behind its `user` pointers must
 * outlive the device. The caller owns the device and ends it with softgt_destroy.
 *
 * Returns 0 and sets *device, or a negative errno and sets *device to NULL. -EINVAL: an unknown device, no
 * memory port, or an invalid member of the config: the config's report port gets a SOFTGT_HOST_FAILURE whose
 * text names the member and what it must be. -ENOMEM: out of memory.
 */
SOFTGT_API int softgt_create_sized(const struct softgt_config *config, size_t config_bytes,
                                   struct softgt **device);
static inline int softgt_create(const struct softgt_config *config, struct softgt **device)
{
    return softgt_create_sized(config, sizeof *config, device);
}
/* Destroys a device, and frees all that belongs to it. NULL: does nothing. */
SOFTGT_API void softgt_destroy(struct softgt *device);

/* Describes a device. Returns static storage of the library, never NULL. */
SOFTGT_API const struct softgt_device_info *softgt_info(const struct softgt *device);

/* Resets a device as at power on: all state is as after softgt_create, including virtual time and statistics;
 * softgt_save gives the same bytes. The ports stay. Bus memory is not touched. */
SOFTGT_API void softgt_reset(struct softgt *device);

/* Resets engine `index` as its bit in GDRST does. Its state is lost: a driver must set it up again. Returns
 * false past the last engine. */
SOFTGT_API bool softgt_engine_reset(struct softgt *device, unsigned index);

enum softgt_error_severity { SOFTGT_ERROR_CORRECTABLE, SOFTGT_ERROR_NON_FATAL, SOFTGT_ERROR_FATAL };

/* Injects a hardware error; `sources` has a bit for each unit that found one. It is logged and signalled as
 * the device's registers route it: as an interrupt, or as a PCIe error message, which is reported as
 * SOFTGT_HOST_FAILURE. Returns false if the device has no error registers. */
SOFTGT_API bool softgt_inject_error(struct softgt *device, enum softgt_error_severity severity,
                                    uint32_t sources);

/* Ends the batch of a stopped engine: engine `index` continues as if the batch ended where it stopped.
 * Returns false if the engine did not stop in a batch. */
SOFTGT_API bool softgt_engine_end_batch(struct softgt *device, unsigned index);

/* ---- CPU side ---- */

/* BAR 2 is the aperture, or local memory on devices that have it. */
enum { SOFTGT_BAR_GTTMMADR = 0, SOFTGT_BAR_GMADR = 2, SOFTGT_BAR_LOCAL = 2, SOFTGT_BAR_IO = 4 };

/* A base address register (BAR). */
struct softgt_bar_info {
    uint64_t size_bytes;
    bool is_io, is_64_bit, is_prefetchable;
};

/* Describes a BAR: fills *info. Returns false if the device has no such BAR. The upper half of a 64-bit BAR
 * is not a BAR. */
SOFTGT_API bool softgt_bar_get_info(const struct softgt *device, unsigned bar, struct softgt_bar_info *info);

/*
 * Reads a BAR: registers and the GGTT (BAR 0), the aperture or local memory (BAR 2), or I/O (BAR 4). `offset`
 * is in bytes from the start of the BAR. size_bytes is 1 ... 8 and need not be aligned.
 *
 * Returns the value, little-endian: its first byte is in bits 7:0. Offsets that no unit decodes, that end
 * past the BAR, or of a BAR that the device does not have read as zero and are reported. Other sizes read as
 * zero.
 */
SOFTGT_API uint64_t softgt_bar_read(struct softgt *device, unsigned bar, uint64_t offset,
                                    unsigned size_bytes);
/*
 * Writes a BAR, as softgt_bar_read reads it. Offsets that no unit decodes drop writes, which are reported. A
 * write never executes commands: it changes state and wakes engines, softgt_run runs them.
 */
SOFTGT_API void softgt_bar_write(struct softgt *device, unsigned bar, uint64_t offset, uint64_t value,
                                 unsigned size_bytes);

/* Reads a VGA register by its I/O port, a byte each, 3B0h ... 3DFh; BAR 0 has them at the same offsets.
 * Returns zero for other ports. (OVR-03) */
SOFTGT_API uint8_t softgt_vga_read(struct softgt *device, uint16_t port);
/* Writes a VGA register by its I/O port, as softgt_vga_read reads it. Other ports drop writes. */
SOFTGT_API void softgt_vga_write(struct softgt *device, uint16_t port, uint8_t value);

/* Returns the size of the PCI configuration space in bytes: 4096 where the function is PCI Express, else 256.
 */
SOFTGT_API uint32_t softgt_pci_config_bytes(const struct softgt *device);
/* Reads PCI configuration space at byte `offset`; size_bytes is 1, 2 or 4. Returns the value, little-endian;
 * ones past the end. */
SOFTGT_API uint32_t softgt_pci_config_read(const struct softgt *device, uint32_t offset, unsigned size_bytes);
/*
 * Writes PCI configuration space at byte `offset`; size_bytes is 1, 2 or 4. BARs can be sized as on any
 * function; mapping them is up to the owner. Enabling MSI or disabling INTx decides which of the interrupt
 * port's functions is called. A function-level reset is softgt_reset.
 */
SOFTGT_API void softgt_pci_config_write(struct softgt *device, uint32_t offset, uint32_t value,
                                        unsigned size_bytes);

/* ---- Virtual functions ---- */

/*
 * Virtual functions (SR-IOV) are views of the one device, each with a configuration space, BARs, bus memory
 * and interrupts of its own. The driver of the physical function enables them in its configuration space;
 * softgt_reset disables them. Function 0 is the physical one: these calls then equal those above. A function
 * that does not exist, or with its memory space disabled, reads as ones and drops writes. (SYS-01)
 */

/* Returns the number of virtual functions that the config gave at creation. */
SOFTGT_API unsigned softgt_function_count(const struct softgt *device);
/* Tells whether a function is enabled. Returns true for function 0; false for one that does not exist. */
SOFTGT_API bool softgt_function_enabled(const struct softgt *device, unsigned function);

/* Describes a BAR that a function has, or would have when it is enabled. Returns false if it has none. */
SOFTGT_API bool softgt_function_bar_get_info(const struct softgt *device, unsigned function, unsigned bar,
                                             struct softgt_bar_info *info);
/* Reads a BAR of a function, as softgt_bar_read. Returns the value, or ones. */
SOFTGT_API uint64_t softgt_function_bar_read(struct softgt *device, unsigned function, unsigned bar,
                                             uint64_t offset, unsigned size_bytes);
/* Writes a BAR of a function, as softgt_bar_write. */
SOFTGT_API void softgt_function_bar_write(struct softgt *device, unsigned function, unsigned bar,
                                          uint64_t offset, uint64_t value, unsigned size_bytes);

/* Reads the configuration space of a function, as softgt_pci_config_read. Returns the value, or ones. */
SOFTGT_API uint32_t softgt_function_pci_config_read(const struct softgt *device, unsigned function,
                                                    uint32_t offset, unsigned size_bytes);
/* Writes the configuration space of a function, as softgt_pci_config_write. */
SOFTGT_API void softgt_function_pci_config_write(struct softgt *device, unsigned function, uint32_t offset,
                                                 uint32_t value, unsigned size_bytes);

/* ---- Running and time ---- */

/*
 * Runs the engines in turn until all are idle or wait, or the budget is used up. The budget is in dwords of
 * commands; other work (blits, threads, draws) uses it, too. A guest may loop forever: call it with a small
 * budget (65536 dwords take less than a millisecond) as long as it returns true, and decide between calls
 * whether to continue.
 *
 * Returns true if an engine can continue now; false also when a port calls it.
 */
SOFTGT_API bool softgt_run(struct softgt *device, uint64_t budget_dw);

/* Tells whether softgt_run would do anything now. Returns true if so, also while an engine waits for memory:
 * softgt_run looks at it once more. */
SOFTGT_API bool softgt_runnable(const struct softgt *device);

/* The last nanosecond of virtual time. */
#define SOFTGT_LAST_NS UINT64_C(0x7fffffffffffffff)

/* Advances virtual time by `ns` nanoseconds: timestamps move, timers may fire. It ends at SOFTGT_LAST_NS. To
 * advance in pieces gives the same results. */
SOFTGT_API void softgt_advance(struct softgt *device, uint64_t ns);

/* Returns the most nanoseconds that one softgt_advance processes as fast as a slice of softgt_run;
 * UINT64_MAX: any number. */
SOFTGT_API uint64_t softgt_max_step_ns(const struct softgt *device);

/* Returns the virtual time in nanoseconds since power on. */
SOFTGT_API uint64_t softgt_now_ns(const struct softgt *device);
/* Returns the virtual time at which the next busy engine continues, with softgt_config.timing: softgt_run
 * does not run it earlier. UINT64_MAX: no engine is busy. */
SOFTGT_API uint64_t softgt_next_run_ns(const struct softgt *device);
/* Returns the virtual time of the device's next event (a timer, a flip); UINT64_MAX: there is none. */
SOFTGT_API uint64_t softgt_next_event_ns(const struct softgt *device);

/* Drops all host pointers that the memory port gave. Call it when bus memory is remapped or goes away, before
 * the old pointers become invalid. */
SOFTGT_API void softgt_memory_changed(struct softgt *device);

/* ---- Saved states ---- */

/*
 * Saves the device's whole state: registers, tables, engines in the middle of batches, queues, virtual time,
 * statistics. It may be called between any two other calls. Bus memory is not included: the owner saves it.
 * `data` may be NULL to ask for the size. If size_bytes is less than the size, the contents of `data` are
 * unusable.
 *
 * Returns the size of the state in bytes; 0: a port calls it.
 */
SOFTGT_API size_t softgt_save(struct softgt *device, void *data, size_t size_bytes);
/*
 * Loads a saved state into a device of the same name, from any process on any host. With the same memory the
 * same calls then give the same results.
 *
 * Returns 0, or a negative errno; on errors the device is unchanged. -ENODEV: state of another device.
 * -EINVAL: invalid state (cut, changed) or another version of softgt; the report port names the section or
 * the version. -ENOMEM: out of memory. -EBUSY: a port calls.
 */
SOFTGT_API int softgt_load(struct softgt *device, const void *data, size_t size_bytes);

/* ---- Looking inside ---- */

enum softgt_engine_state {
    SOFTGT_ENGINE_IDLE,
    SOFTGT_ENGINE_RUNNING,
    SOFTGT_ENGINE_WAITING, /* semaphore or event */
    SOFTGT_ENGINE_STOPPED, /* unrecoverable error, until reset */
};

/* The value that a WAITING engine waits for. */
struct softgt_engine_wait {
    const char *comparison;     /* of found with waited_for, "=="; NULL: the engine waits for no value */
    uint32_t found, waited_for; /* the value read last; the operand of the comparison */
};

/* An engine and its statistics since creation. Strings are static. */
struct softgt_engine_status {
    const char *name; /* "rcs0" */
    enum softgt_engine_class engine_class;
    uint32_t mmio_base;
    uint32_t hws_pga; /* MMIO offset of its HWS_PGA */
    enum softgt_engine_state state;
    const char *why; /* for WAITING and STOPPED: one line, valid until the device changes; else "" */
    struct softgt_engine_wait wait;
    uint64_t acthd;    /* graphics address of the command being parsed */
    uint64_t batches;  /* batch buffers started */
    uint64_t commands; /* commands parsed */
    uint64_t dwords;   /* dwords of them */
    uint64_t waits;    /* times a command had to wait */
    uint64_t context_switches;
    uint64_t interrupts;    /* interrupt bits raised by the engine */
    uint64_t memory_writes; /* stores to memory */
    uint64_t bytes_written;
    uint64_t faults;        /* accesses of unmapped pages */
    uint64_t dropped;       /* privileged commands turned into MI_NOOP */
    uint64_t unknown;       /* headers of no known command */
    uint64_t misplaced;     /* commands of another engine, skipped */
    uint64_t skipped;       /* commands that a predicate or INSTPM made MI_NOOP */
    uint64_t too_short;     /* commands below their minimum length, skipped */
    uint32_t header;        /* of the command parsed last (IPEHR) */
    bool past_end;          /* STOPPED: commands ran past their last mapped page */
    uint64_t thread_groups; /* of compute threads, dispatched */
    uint64_t threads;
    uint64_t invocations;   /* channels that the threads were started with */
    uint64_t instructions;  /* that threads ran */
    uint64_t out_of_bounds; /* elements that threads loaded or stored beyond a buffer's end */
};

/* Describes an engine: fills *status for engine `index`. Returns false past the last engine. */
SOFTGT_API bool softgt_engine_get_status_sized(const struct softgt *device, unsigned index,
                                               struct softgt_engine_status *status, size_t status_bytes);
static inline bool softgt_engine_get_status(const struct softgt *device, unsigned index,
                                            struct softgt_engine_status *status)
{
    return softgt_engine_get_status_sized(device, index, status, sizeof *status);
}

/* Returns the state of engine `index`; SOFTGT_ENGINE_IDLE past the last engine. */
SOFTGT_API enum softgt_engine_state softgt_engine_get_state(const struct softgt *device, unsigned index);

/* Lists headers that are no command of engine `index`: calls `each` for every different one, with its count
 * and the graphics address of its first use; at most 64 headers. Returns false past the last engine. */
SOFTGT_API bool softgt_engine_unknown(const struct softgt *device, unsigned index, void *user,
                                      void (*each)(void *user, uint32_t header, uint64_t count,
                                                   uint64_t address));

/* Lists the commands that engine `index` parsed: calls `each` for every name, with its count. A command that
 * is executed only if all it needs is modelled (a draw) may come twice: executed, and counted. Names are
 * static. Returns false past the last engine. */
SOFTGT_API bool softgt_engine_commands(const struct softgt *device, unsigned index, void *user,
                                       void (*each)(void *user, const char *name, uint64_t count,
                                                    enum softgt_command_model model));

/* Lists the pipeline state of engine `index`: calls `each` for the state commands that would set it, of the
 * context that ran last, in the order of their headers. `dwords` are valid during the call. Returns false
 * past the last engine, and when out of memory: `each` has not been called. */
SOFTGT_API bool softgt_engine_state_commands(const struct softgt *device, unsigned index, void *user,
                                             void (*each)(void *user, const char *name,
                                                          const uint32_t *dwords, size_t length_dw));

/* Sets the events that the trace port gets from now on (softgt_trace_port.mask). Without a trace port it does
 * nothing. Ports may call it. */
SOFTGT_API void softgt_set_trace_mask(struct softgt *device, unsigned mask);

/* Returns the number of dwords of commands that all engines parsed since creation. */
SOFTGT_API uint64_t softgt_dword_count(const struct softgt *device);

/* Returns the number of messages that were sent through the interrupt port since creation. */
SOFTGT_API uint64_t softgt_interrupt_count(const struct softgt *device);

/*
 * Reads memory by a graphics address in the GGTT, for debuggers, traces and tests: without access rules and
 * statistics. `address` is in bytes and need not be aligned; data takes size_bytes.
 *
 * Returns false if a page is not mapped, or the GGTT has no such address (it ends at 4 GB or before); the
 * bytes before it have been copied.
 */
SOFTGT_API bool softgt_ggtt_read(struct softgt *device, uint64_t address, void *data, size_t size_bytes);
/* Writes memory by a graphics address in the GGTT, as softgt_ggtt_read reads it. Returns false if a page is
 * not mapped, or there is no such address; the bytes before it have been written. */
SOFTGT_API bool softgt_ggtt_write(struct softgt *device, uint64_t address, const void *data,
                                  size_t size_bytes);
/* Reads memory by a graphics address in the PPGTT that engine `index` has loaded, as softgt_ggtt_read.
 * Returns false past the last engine, and if a page is not mapped; the bytes before it have been copied. */
SOFTGT_API bool softgt_ppgtt_read(struct softgt *device, unsigned index, uint64_t address, void *data,
                                  size_t size_bytes);

/* Reads local memory by its offset, without access rules and statistics. Returns false if the device has
 * none, or the range is past its end. */
SOFTGT_API bool softgt_local_read(struct softgt *device, uint64_t address, void *data, size_t size_bytes);
/* Writes local memory by its offset, as softgt_local_read reads it. Returns false if the device has none, or
 * the range is past its end. */
SOFTGT_API bool softgt_local_write(struct softgt *device, uint64_t address, const void *data,
                                   size_t size_bytes);
/* Returns the size of local memory in bytes; of a part without any whose GGTT entries call stolen memory
 * local the size of that, though softgt_device_info.local_bytes is 0. 0: the device has neither. */
SOFTGT_API uint64_t softgt_local_bytes(const struct softgt *device);
/* Returns how many bytes of local memory, from its start, BAR 2 maps one to one. Beyond them use
 * softgt_bar_read and softgt_bar_write. */
SOFTGT_API uint64_t softgt_local_direct_bytes(const struct softgt *device);

#ifdef __cplusplus
}
#endif

#endif
