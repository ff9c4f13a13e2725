/*
 * softgt: a software Intel GT, register by register and command by command.
 *
 * One device is one `struct softgt`. It is a pure state machine: no thread, file, clock or global. The same
 * calls in the same order give the same result, to the bit. A device is used by one thread at a time; any
 * number of devices may live in one process.
 *
 * Life of a device: softgt_create -> softgt_bar_write / softgt_run / softgt_advance ... -> softgt_destroy.
 * Nothing the guest does (registers, memory, commands) can crash the device; what hardware makes of bad input
 * is what the device makes of it, told through the report port.
 *
 * Ports that the device calls: those for reports and traces may look at the device (functions that take a
 * const device, and those that end in _read), and may change nothing of it. The others may call nothing of
 * it.
 *
 * Programs of other versions: structs that a program passes (configs, statuses) grow at their end, in minor
 * versions. Functions that take one are inline here, and pass the size that the program was compiled with to
 * the function whose name ends in _sized. The library fills no more than that; what an older program does not
 * say is zero; what a newer one says that this library does not know is -EINVAL. Structs that the device
 * passes to ports grow the same way. Ports, softgt_bar_info and softgt_function_ports stay as they are.
 * Enumerations get values at their end.
 */
#ifndef SOFTGT_SOFTGT_H
#define SOFTGT_SOFTGT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SOFTGT_API __attribute__((visibility("default")))
#else
#define SOFTGT_API
#endif

/* The version that a program is compiled with, and the one that it runs with: major, minor and patch, a byte
 * each. */
#define SOFTGT_VERSION_MAJOR 0
#define SOFTGT_VERSION_MINOR 2
#define SOFTGT_VERSION_PATCH 0
#define SOFTGT_VERSION       (SOFTGT_VERSION_MAJOR << 16 | SOFTGT_VERSION_MINOR << 8 | SOFTGT_VERSION_PATCH)
SOFTGT_API uint32_t softgt_version(void);

struct softgt;

/* ---- Ports: what the device needs from its owner. All callbacks get `user` first. ---- */

/*
 * Bus memory, little-endian, addressed by bus address in bytes (what a GTT entry holds).
 * map returns the host address of `bus_address` and sets *length_bytes to the bytes that follow contiguously
 * (at least up to the end of its 4 KB page), or returns NULL where nothing can be mapped; `write` tells
 * whether the device will write there. A pointer stays valid until softgt_memory_changed is called.
 * read and write serve what map cannot; they return false where there is no memory. Either may be NULL.
 */
struct softgt_memory_port {
    void *user;
    void *(*map)(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write);
    bool (*read)(void *user, uint64_t bus_address, void *data, size_t size_bytes);
    bool (*write)(void *user, uint64_t bus_address, const void *data, size_t size_bytes);
};

/*
 * msi: the device signals message `vector` (always 0 on parts with one MSI vector). intx: the interrupt pin's
 * level changed; it is used while configuration space does not enable MSI. An owner without intx gets
 * messages whatever configuration space says.
 */
struct softgt_interrupt_port {
    void *user;
    void (*msi)(void *user, unsigned vector);
    void (*intx)(void *user, bool asserted);
};

enum softgt_complaint {
    SOFTGT_GUEST_ERROR,  /* the guest did what hardware does not allow */
    SOFTGT_NOT_MODELLED, /* the guest did nothing wrong, the model lacks it */
    SOFTGT_HOST_FAILURE, /* a port failed */
};

/* What a guest did wrong, where more than a text is wanted. */
enum softgt_mistake {
    SOFTGT_MISTAKE_OTHER,
    SOFTGT_MISTAKE_UNKNOWN, /* a header that is no command: the engine stops */
    SOFTGT_MISTAKE_SHORT,   /* a command that is too short: skipped */
    SOFTGT_MISTAKE_DROPPED, /* a privileged command in a batch that is not: not done */
    SOFTGT_MISTAKE_DENIED,  /* a command writes or reads a register that its batch may not: not done, or 0 */
    SOFTGT_MISTAKE_MISPLACED, /* a command of another engine: skipped */
    SOFTGT_MISTAKE_FAULT,     /* an access that found no page */
};

struct softgt_report {
    enum softgt_complaint complaint;
    enum softgt_mistake mistake; /* of a guest error */
    const char *unit;            /* "rcs0", "mmio", "ggtt" ...; static */
    const char *text;            /* one line without newline; valid during the call */
    uint64_t address;            /* graphics address of the command, or register offset */
    uint64_t now_ns;             /* virtual time */
};

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
    SOFTGT_TRACE_COMPLAINTS = 1u << 8, /* what goes to the report port, at its place among the events */
    SOFTGT_TRACE_GUC = 1u << 9,        /* each message between host and GuC */
    SOFTGT_TRACE_ALL = 0x3ff,
};

/* Which of its class an event is; classes that are not here have one kind. */
enum softgt_event_kind {
    SOFTGT_EVENT_ONLY,
    /* commands: what becomes of it */
    SOFTGT_EVENT_COMMAND,   /* executed */
    SOFTGT_EVENT_UNKNOWN,   /* no command; its length is not known, one dword is given */
    SOFTGT_EVENT_SHORT,     /* too short: skipped */
    SOFTGT_EVENT_DROPPED,   /* privileged: not done */
    SOFTGT_EVENT_DENIED,    /* a register that it writes is privileged: that is not done */
    SOFTGT_EVENT_MISPLACED, /* of another engine: skipped */
    SOFTGT_EVENT_SKIPPED,   /* predicated away */
    SOFTGT_EVENT_DISABLED,  /* INSTPM has it off */
    SOFTGT_EVENT_NOT_RUN,   /* behind an unknown one: never the device's, of who reads on */
    /* contexts */
    SOFTGT_EVENT_RESTORE,
    SOFTGT_EVENT_SAVE,
    SOFTGT_EVENT_STATUS,
    /* interrupts */
    SOFTGT_EVENT_RAISE,
    SOFTGT_EVENT_MESSAGE,
    /* batches */
    SOFTGT_EVENT_BATCH,
    SOFTGT_EVENT_CHAIN, /* a batch goes on as another one */
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

enum softgt_command_model {
    SOFTGT_COMMAND_EXECUTED, /* all it does is done */
    SOFTGT_COMMAND_KEPT,     /* pipeline state, kept and decoded */
    SOFTGT_COMMAND_COUNTED,  /* known, its work is not modelled */
};

/* Gen12.5 has Tile4 and Tile64 where others have Y, Yf and Ys. */
enum softgt_tiling {
    SOFTGT_LINEAR,
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

struct softgt_event {
    enum softgt_trace_what what;
    enum softgt_event_kind kind;
    const char *unit;        /* engine name or "cpu", "mmio"; static */
    const char *name;        /* command (NULL: unknown), register or event name; static */
    const char *text;        /* stops and waits: why; complaints: what; valid during the call */
    const char *by;          /* registers: who wrote, "cpu" or an engine's name; static */
    uint64_t now_ns;         /* virtual time */
    uint64_t address;        /* graphics address of a command or store, offset of a register, lrca */
    uint64_t old_value;      /* registers: before the write; waits: what is waited for */
    uint64_t value;          /* registers: as stored; memory: what was written; contexts: status; waits:
                              * what was found */
    const char *comparison;  /* waits for a value: how the one found is to compare, "=="; else NULL */
    unsigned size_bytes;     /* memory: bytes written */
    unsigned index;          /* registers: which one of an array */
    bool is_array, is_upper; /* registers: it is one of an array; it is the upper dword of two */
    bool is_ggtt;            /* commands, memory: the address is the GGTT's, not the PPGTT's */
    bool is_late;            /* commands: the one told last, of which this turned out meanwhile */
    const uint32_t *dwords;  /* commands: the command's dwords, else NULL; valid during the call */
    unsigned length_dw;      /* commands: number of dwords */
    enum softgt_command_model model; /* commands */
    const struct softgt_blit *blit;  /* blits: where; `address` is the surface's; valid during the call */
    const char *engine_class;        /* commands: "render", "copy", "video", "enhance", "compute"; static */
};

struct softgt_trace_port {
    void *user;
    unsigned mask; /* of enum softgt_trace_what */
    void (*event)(void *user, const struct softgt_event *event);
};

/*
 * Threads of the owner's, on which groups of one walker's compute threads run several at once; without them
 * they run one after the other. `run` calls job(context, thread, index) once for each index below `count`,
 * begun in their order, on up to `threads` threads at once; those at once have different numbers `thread`,
 * all below `threads`; it returns when all have come back. `lock` and `unlock` are one lock, which who holds
 * it may take again. The map, read and write of memory ports are called with it held then, by any of the
 * threads.
 *
 * Each group does what it does alone. Groups that are independent, or meet in integer atomics alone whose
 * results do not say who came first, leave the same memory and the same counts as one after the other; in
 * which order others are is the host's business. Which of several faults is told does not depend on that:
 * that of the first group, in the order of groups. By then groups behind it may have run, and some before it
 * may not have ended. Pieces of a walker (between which another context comes in, softgt_run ends, state is
 * saved) hold more instructions, several groups may be at hand between two, and translations that they found
 * are not kept. One after the other run, whatever is given here: groups whose threads are watched (eu.h) or
 * have scratch memory, those under SOFTGT_TRACE_MEMORY, in runs that are recorded or repeat a recording, and
 * threads of media objects.
 */
enum { SOFTGT_MOST_PARALLEL = 256 };
struct softgt_parallel_port {
    void *user;
    unsigned threads; /* up to SOFTGT_MOST_PARALLEL; 0, 1: none */
    void (*run)(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                void *context);
    void (*lock)(void *user);
    void (*unlock)(void *user);
};

/*
 * Memory for code of the host's, which is made of kernels that compute threads run often; without it they are
 * interpreted, more slowly, with the same results. `map` gives the same size_bytes, a multiple of the page,
 * at two addresses: where they are written, and where they run; false: there are none (any more), and that is
 * not asked again; threads of a parallel port ask at once, without its lock. `unmap` gets them back, at the
 * device's end. Only hosts with AVX2 and FMA take any.
 */
struct softgt_code_port {
    void *user;
    bool (*map)(void *user, size_t size_bytes, void **written, void **run);
    void (*unmap)(void *user, size_t size_bytes, void *written, void *run);
};

/* Memory of the device's own, on parts that have it. */
struct softgt_local_memory {
    /* How much; 0: softgt_device_info.local_bytes. A power of two from 64 MB to 16 GB; by the port alone, to
     * 1 TB.
     */
    uint64_t size_bytes;
    /* Optional: where it is; it outlives the device, who clears it at first and at resets, and does not save
     * it. Else the device reserves it, uses room as it is touched, and keeps up to 2 GB. */
    void *host;
    /* The memory port maps its pages, at their addresses in it with bit 63 set; `host` is only cleared, and
     * without one nothing is. */
    bool by_port;
    /* It is bus memory until softgt_local_write: for captures, whose writer may have known one memory only.
     */
    bool on_bus;
};

/* Who a virtual function is given to: its bus memory, and where its interrupts go. */
struct softgt_function_ports {
    struct softgt_memory_port memory;
    struct softgt_interrupt_port interrupt; /* optional */
};

struct softgt_config {
    const char *device; /* a device's name, as "skl" */
    struct softgt_memory_port memory;
    struct softgt_interrupt_port interrupt; /* optional */
    struct softgt_report_port report;       /* optional */
    struct softgt_trace_port trace;         /* optional */
    struct softgt_parallel_port parallel;   /* optional */
    struct softgt_code_port code;           /* optional */
    void *ggtt_table; /* optional: where the GGTT's entries are, ggtt_bytes of zeros that outlive the device;
                       * what the owner changes there counts from the next flush of translations on */
    struct softgt_local_memory local_memory; /* optional */
    /* Virtual functions that there may be, up to softgt_device_info.functions, and the ports of each, from
     * function 1 on; NULL: those above. */
    unsigned functions;
    const struct softgt_function_ports *function_ports;
    /* They are the owner's, who gives them their shares and serves them: the physical function's driver sees
     * a part without them, with less memory, and its resets leave them alone. */
    bool functions_apart;
    bool timing; /* commands take virtual time, by a few figures of the device's; else none */
    bool draws;  /* 3D draws are drawn where nothing is needed that is not modelled; else they are counted */
};

/* ---- Devices ---- */

struct softgt_device_info {
    const char *name;       /* "skl" */
    const char *summary;    /* "Skylake GT2 (Gen9)" */
    const char *generation; /* "gen9" */
    uint16_t pci_device_id; /* 0: a device that is no product, found by name only */
    uint8_t pci_revision;
    unsigned engine_count;
    uint64_t mmio_bytes;  /* register half of BAR0 */
    uint64_t ggtt_bytes;  /* size of the table, the other half of BAR0 */
    uint64_t local_bytes; /* local memory, where its size is not asked for otherwise; 0: there is none */
    unsigned functions;   /* virtual ones that it may have, at most */
};

/* The devices this library models, from index 0 on; NULL behind the last. Static storage. */
SOFTGT_API const struct softgt_device_info *softgt_device_at(size_t index);
/* By name, or NULL. */
SOFTGT_API const struct softgt_device_info *softgt_device_find(const char *name);
/* By PCI device id (any id of the same generation and GT size is accepted), or NULL. Id 0 is nobody's. */
SOFTGT_API const struct softgt_device_info *softgt_device_by_pci_id(uint16_t pci_device_id);

/*
 * Creates a device after power-on reset. Returns 0 and the device, which the caller owns and ends with
 * softgt_destroy; or a negative errno (-EINVAL unknown device or no memory port, -ENOMEM).
 * The config is copied; what its `user` pointers refer to must outlive the device.
 */
SOFTGT_API int softgt_create_sized(const struct softgt_config *config, size_t config_bytes,
                                   struct softgt **device);
static inline int softgt_create(const struct softgt_config *config, struct softgt **device)
{
    return softgt_create_sized(config, sizeof *config, device);
}
SOFTGT_API void softgt_destroy(struct softgt *device);
SOFTGT_API const struct softgt_device_info *softgt_info(const struct softgt *device);

/* Power-on reset: everything is as after softgt_create, virtual time and statistics, too: what softgt_save
 * gives then is the same. Ports stay. */
SOFTGT_API void softgt_reset(struct softgt *device);

/* Resets engine `index` as its bit in GDRST does; false past the last. What a driver must set up again is
 * lost. */
SOFTGT_API bool softgt_engine_reset(struct softgt *device, unsigned index);

/* The hardware has an error: a bit of `sources` for each unit that found one. It is logged and told as the
 * device's registers route it: an interrupt, or a PCIe error message, reported as SOFTGT_HOST_FAILURE. False
 * where the device has no registers for errors. */
enum softgt_error_severity { SOFTGT_ERROR_CORRECTABLE, SOFTGT_ERROR_NON_FATAL, SOFTGT_ERROR_FATAL };
SOFTGT_API bool softgt_error(struct softgt *device, enum softgt_error_severity severity, uint32_t sources);

/* An engine that stopped in a batch goes on as if the batch ended there; false if it does not stand in one.
 */
SOFTGT_API bool softgt_engine_end_batch(struct softgt *device, unsigned index);

/* ---- CPU side ---- */

/* BAR 2 is the aperture, or local memory where there is some. */
enum { SOFTGT_BAR_GTTMMADR = 0, SOFTGT_BAR_GMADR = 2, SOFTGT_BAR_LOCAL = 2, SOFTGT_BAR_IO = 4 };

struct softgt_bar_info {
    uint64_t size_bytes;
    bool is_io, is_64_bit, is_prefetchable;
};

/* False where the device has no such BAR. The upper half of a 64-bit BAR is none. */
SOFTGT_API bool softgt_bar_info(const struct softgt *device, unsigned bar, struct softgt_bar_info *info);

/*
 * Reads or writes a BAR: registers and the GGTT (BAR 0), the aperture or local memory (BAR 2), or I/O (BAR
 * 4). size_bytes is 1, 2, 4 or 8 and need not be aligned. What no unit decodes reads as zero and drops
 * writes; it is reported. A write never executes commands: it changes state and wakes engines, softgt_run
 * runs them.
 */
SOFTGT_API uint64_t softgt_bar_read(struct softgt *device, unsigned bar, uint64_t offset,
                                    unsigned size_bytes);
SOFTGT_API void softgt_bar_write(struct softgt *device, unsigned bar, uint64_t offset, uint64_t value,
                                 unsigned size_bytes);

/*
 * The VGA registers by I/O port, a byte each, 3B0h ... 3DFh; BAR 0 has them at the same offsets. Others read
 * zero and drop writes. (OVR-03)
 */
SOFTGT_API uint8_t softgt_vga_read(struct softgt *device, uint16_t port);
SOFTGT_API void softgt_vga_write(struct softgt *device, uint16_t port, uint8_t value);

/*
 * PCI configuration space: size_bytes is 1, 2 or 4, offsets go to 255, or to 4095.
 * Sizing BARs works as on any function; where they are is the owner's business. Enabling MSI or disabling
 * INTx decides which of the interrupt port's functions is called. A function-level reset is softgt_reset.
 */
/* 4096 where the function is PCI Express, else 256. */
SOFTGT_API uint32_t softgt_config_bytes(const struct softgt *device);
SOFTGT_API uint32_t softgt_config_read(const struct softgt *device, uint32_t offset, unsigned size_bytes);
SOFTGT_API void softgt_config_write(struct softgt *device, uint32_t offset, uint32_t value,
                                    unsigned size_bytes);

/*
 * Virtual functions (SR-IOV): views of the one device, each with a configuration space, BARs, bus memory and
 * interrupts of its own. They come into being as the physical function's driver enables them in its
 * configuration space; softgt_reset ends them. Function 0 is the physical one: these calls are those above
 * then. What does not exist, or whose memory space is not enabled, reads as ones and drops writes. (SYS-01)
 */
/* As asked for at creation. */
SOFTGT_API unsigned softgt_functions(const struct softgt *device);
SOFTGT_API bool softgt_function_enabled(const struct softgt *device, unsigned function);
/* The BARs that the function has or would have. */
SOFTGT_API bool softgt_function_bar_info(const struct softgt *device, unsigned function, unsigned bar,
                                         struct softgt_bar_info *info);
SOFTGT_API uint64_t softgt_function_bar_read(struct softgt *device, unsigned function, unsigned bar,
                                             uint64_t offset, unsigned size_bytes);
SOFTGT_API void softgt_function_bar_write(struct softgt *device, unsigned function, unsigned bar,
                                          uint64_t offset, uint64_t value, unsigned size_bytes);
SOFTGT_API uint32_t softgt_function_config_read(const struct softgt *device, unsigned function,
                                                uint32_t offset, unsigned size_bytes);
SOFTGT_API void softgt_function_config_write(struct softgt *device, unsigned function, uint32_t offset,
                                             uint32_t value, unsigned size_bytes);

/* Runs the engines in turn until all are idle or wait, or `budget_dw` dwords of commands were parsed; work
 * that is not in dwords takes budget, too. Returns true if an engine could run on now. A guest may loop: call
 * it with a budget that takes a moment (65536 dwords are less than a millisecond) as long as it returns true,
 * and decide between calls whether to go on. */
SOFTGT_API bool softgt_run(struct softgt *device, uint64_t budget_dw);

/* Whether softgt_run would do anything now; engines that wait for memory look at it. */
SOFTGT_API bool softgt_runnable(const struct softgt *device);

/* Virtual time goes on by `ns` nanoseconds: timestamps move, timers may fire. It ends at SOFTGT_LAST_NS. */
#define SOFTGT_LAST_NS UINT64_C(0x7fffffffffffffff)
SOFTGT_API void softgt_advance(struct softgt *device, uint64_t ns);
/* How much of it may pass in one call for that to take no longer than a slice of softgt_run; UINT64_MAX: any.
 * Pieces do not change what comes of it. */
SOFTGT_API uint64_t softgt_piece_ns(const struct softgt *device);
SOFTGT_API uint64_t softgt_now_ns(const struct softgt *device);
/* With softgt_config.timing: when an engine goes on whose commands are not through yet, and which softgt_run
 * leaves alone until then; UINT64_MAX: there is none. */
SOFTGT_API uint64_t softgt_goes_on_ns(const struct softgt *device);
/* Virtual time of what the device does next by itself (a timer's end, a flip), UINT64_MAX: nothing. */
SOFTGT_API uint64_t softgt_next_event_ns(const struct softgt *device);

/* The owner changed or takes away bus memory: the device drops every host pointer it holds. */
SOFTGT_API void softgt_memory_changed(struct softgt *device);

/*
 * The device's whole state, between any two calls: registers, tables, engines in the middle of batches,
 * queues, virtual time, statistics. Bus memory is the owner's to keep. softgt_save writes it to `data`, and
 * returns the bytes it takes: where size_bytes is less, `data` is of no use (and may be NULL to ask).
 * softgt_load takes such bytes into a device of the same name, made by any process on any host: with the same
 * memory, the same calls give the same from then on. It returns 0; -ENODEV for another device's state,
 * -EINVAL for what is no state (cut, changed, made up) or one of another version of softgt: the report port
 * then says which section or version it was; -ENOMEM. In all these cases the device is as before.
 */
SOFTGT_API size_t softgt_save(struct softgt *device, void *data, size_t size_bytes);
SOFTGT_API int softgt_load(struct softgt *device, const void *data, size_t size_bytes);

/* ---- Looking inside ---- */

enum softgt_engine_state {
    SOFTGT_ENGINE_IDLE,
    SOFTGT_ENGINE_RUNNING,
    SOFTGT_ENGINE_WAITING, /* semaphore or event */
    SOFTGT_ENGINE_STOPPED, /* unrecoverable error, until reset */
};

struct softgt_engine_status {
    const char *name;         /* "rcs0" */
    const char *engine_class; /* "render", "copy", "video", "enhance", "compute" */
    uint32_t mmio_base;
    uint32_t hws_pga; /* MMIO offset of its HWS_PGA */
    enum softgt_engine_state state;
    const char *why;            /* for WAITING and STOPPED: one line, else "" */
    const char *comparison;     /* WAITING for a value: how what is found is to compare, "=="; else NULL */
    uint32_t found, waited_for; /* then: the value found last, and what it is compared with */
    uint64_t acthd;             /* graphics address of the command being parsed */
    uint64_t batches;           /* batch buffers started */
    uint64_t commands;          /* commands parsed */
    uint64_t dwords;            /* dwords of them */
    uint64_t waits;             /* times a command had to wait */
    uint64_t context_switches;
    uint64_t interrupts;    /* interrupt bits raised by the engine */
    uint64_t memory_writes; /* stores to memory */
    uint64_t bytes_written;
    uint64_t faults;        /* accesses that found no page */
    uint64_t dropped;       /* privileged commands turned into MI_NOOP */
    uint64_t unknown;       /* headers no row matches */
    uint64_t misplaced;     /* commands of another engine, skipped */
    uint64_t skipped;       /* commands that a predicate or INSTPM made MI_NOOP */
    uint64_t too_short;     /* commands shorter than they may be, skipped */
    uint32_t header;        /* of the command parsed last (IPEHR) */
    bool past_end;          /* STOPPED because the commands went on past their last mapped page */
    uint64_t thread_groups; /* of compute threads, dispatched */
    uint64_t threads;
    uint64_t invocations;   /* channels that the threads were started with */
    uint64_t instructions;  /* that threads ran */
    uint64_t out_of_bounds; /* elements that threads loaded or stored beyond a buffer's end */
};

/* Fills *status for engine `index` < engine_count; false past the end. */
SOFTGT_API bool softgt_engine_status_sized(const struct softgt *device, unsigned index,
                                           struct softgt_engine_status *status, size_t status_bytes);
static inline bool softgt_engine_status(const struct softgt *device, unsigned index,
                                        struct softgt_engine_status *status)
{
    return softgt_engine_status_sized(device, index, status, sizeof *status);
}

/* Only the state of engine `index`; IDLE past the last. */
SOFTGT_API enum softgt_engine_state softgt_engine_state(const struct softgt *device, unsigned index);

/* Calls `each` for every different header that engine `index` found to be no command, with its count and the
 * graphics address where it came first; the first 64 of them. */
SOFTGT_API void softgt_engine_unknown(const struct softgt *device, unsigned index, void *user,
                                      void (*each)(void *user, uint32_t header, uint64_t count,
                                                   uint64_t address));

/* Calls `each` for every command name parsed on engine `index`, with its count. */
SOFTGT_API void softgt_engine_commands(const struct softgt *device, unsigned index, void *user,
                                       void (*each)(void *user, const char *name, uint64_t count,
                                                    enum softgt_command_model model));

/* Calls `each` for the state commands that would set the pipeline state of engine `index`, of the context
 * that ran last; `dwords` stay valid until the engine runs again. In the order of their headers. */
SOFTGT_API void softgt_engine_state_commands(const struct softgt *device, unsigned index, void *user,
                                             void (*each)(void *user, const char *name,
                                                          const uint32_t *dwords, size_t length_dw));

/* Dwords of commands parsed by all engines since creation. */
SOFTGT_API uint64_t softgt_dwords(const struct softgt *device);

/* Messages sent through the interrupt port since creation. */
SOFTGT_API uint64_t softgt_interrupt_count(const struct softgt *device);

/*
 * Reads or writes memory as a graphics address: through the GGTT, or through the PPGTT that engine `index`
 * has loaded. For debuggers, traces and tests: no access rules, no statistics. False if any page is not
 * mapped (then what precedes it has been copied).
 */
SOFTGT_API bool softgt_ggtt_read(struct softgt *device, uint64_t address, void *data, size_t size_bytes);
SOFTGT_API bool softgt_ggtt_write(struct softgt *device, uint64_t address, const void *data,
                                  size_t size_bytes);
SOFTGT_API bool softgt_ppgtt_read(struct softgt *device, unsigned index, uint64_t address, void *data,
                                  size_t size_bytes);

/* The same of local memory, from its start on; false where there is none, or it ends. */
SOFTGT_API bool softgt_local_read(struct softgt *device, uint64_t address, void *data, size_t size_bytes);
SOFTGT_API bool softgt_local_write(struct softgt *device, uint64_t address, const void *data,
                                   size_t size_bytes);
/* The part of local memory that BAR 2 shows as it is: behind it the CPU's accesses are the device's business.
 */
SOFTGT_API uint64_t softgt_local_open_bytes(const struct softgt *device);

#ifdef __cplusplus
}
#endif

#endif
