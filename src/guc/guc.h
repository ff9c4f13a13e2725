/*
 * The GuC: the microcontroller that schedules contexts. Its firmware is not executed; this unit behaves as
 * the firmware does. A firmware file is loaded by DMA and boots. From then on the GuC answers messages that
 * come by MMIO (four registers) or by CT buffers in memory, and runs contexts on the engines. It accesses
 * memory through the GGTT only. Messages are rows (message.h). (SYS-13 to SYS-17, SYS-24)
 */
#ifndef GUC_GUC_H
#define GUC_GUC_H

#include "engine/engine.h"
#include "function/provisioning.h"
#include "gt/gt.h"
#include "guc_messages/message.h"

#include <string.h>

struct guc;

/* ---- The GuC's part of a data sheet ---- */

enum { GUC_CLASSES = 16, GUC_NO_CLASS = 0xff };

struct guc_info {
    const struct register_block *const *blocks;      /* ends with NULL */
    const struct register_block *function_registers; /* mailbox and host_interrupt */
    uint32_t mailbox, host_interrupt;                /* offsets of the PF's */
    bool has_doorbell_pages;                         /* doorbells may be pages of registers */
    struct interrupt_line interrupt;
    uint32_t reset_bits;    /* in GDRST */
    uint32_t wopcm_bytes;   /* protected memory for firmware */
    uint64_t timestamp_hz;  /* of the GuC's clock */
    const uint32_t *config; /* the table of GET_HWCONFIG: key, length, values */
    uint16_t config_dw;
    uint8_t class_of[ENGINE_CLASSES]; /* GuC class of an engine class; GUC_NO_CLASS: none */
    /* What drivers of VFs get: minor version of the interface, 1.n; GMD_ID of the GT, 0: no such key;
     * registers that the PF's driver reads for them, in order, which end with 0. */
    uint8_t vf_interface_minor;
    uint32_t gmd_id;
    const uint32_t *runtime_registers;
    const char *(*vf_unit_name)(unsigned function); /* of a VF's registers and state */
};

/* ---- State ---- */

enum {
    GUC_ENGINES = 16,                 /* at most */
    GUC_CONTEXTS = FUNCTION_CONTEXTS, /* ids are 16 bits */
    GUC_PRIORITIES = 4,
    GUC_MAX_US = 100000000, /* limit of times in microseconds */
    GUC_MAX_QUEUE_BYTES = 1 << 20,
    GUC_DOORBELLS = FUNCTION_DOORBELLS,
    GUC_DOORBELL_PAGES = 1024,
    GUC_DOORBELL_FIRST = 0x400000, /* first page of registers */
    GUC_GROUPS = 17,               /* interrupt groups of the core */
    GUC_FUNCTION_SECTIONS = 4,
    GUC_MESSAGE_DW = 256, /* limit of a CT message with its header */
    GUC_SRAM_END = 0x88000,
};

/* Indices that name nothing. */
enum {
    GUC_NO_ENGINE = GUC_ENGINES,
    GUC_NO_CONTEXT = GUC_CONTEXTS,
    GUC_NO_DOORBELL = GUC_DOORBELLS,
    GUC_NO_TICKET = GUC_CONTEXTS,
};

/* Boot: the state of the firmware, and the parameters that the host passed at boot. */
enum guc_boot_state { GUC_IN_RESET, GUC_BOOTING, GUC_FAILED, GUC_READY };
#define GUC_BOOT(M, S)                                                                                       \
    M(S, NUMBER, uint32_t, state, GUC_READY + 1) /* enum guc_boot_state */                                   \
    M(S, NUMBER, uint32_t, log, 0)                                                                           \
    M(S, NUMBER, uint32_t, workarounds, 0)                                                                   \
    M(S, NUMBER, uint32_t, features, 0)                                                                      \
    M(S, NUMBER, uint32_t, debug, 0)                                                                         \
    M(S, NUMBER, uint32_t, ads, 0)                                                                           \
    M(S, NUMBER, uint32_t, device, 0)                                                                        \
    M(S, NUMBER, uint32_t, policies, 0)          /* GLOBAL_SCHED_POLICY_CHANGE; 0: the boot parameter's */   \
    M(S, NUMBER, uint32_t, engine_usage, 0)      /* SET_ENG_UTIL_BUFF: address of the records; 0: none */    \
    M(S, NUMBER, uint32_t, activity_metadata, 0) /* the same for SET_DEVICE_ENGINE_ACTIVITY_BUFFER */        \
    M(S, NUMBER, uint32_t, activity, 0)                                                                      \
    M(S, NUMBER, uint32_t, activity_changes, 0)                                                              \
    M(S, NUMBER, uint32_t, host_interrupt_pending, 2) /* the PF's, not serviced yet */
struct guc_boot {
    STATE_MEMBERS(GUC_BOOT)
};

/* A CT buffer (CTB): registered by SELF_CFG, then enabled; broken when either side finds an error. */
#define GUC_CTB(M, S)                                                                                        \
    M(S, NUMBER, uint32_t, descriptor, 0) /* GGTT address */                                                 \
    M(S, NUMBER, uint32_t, address, 0)    /* GGTT address */                                                 \
    M(S, NUMBER, uint32_t, bytes, 0)                                                                         \
    M(S, NUMBER, uint32_t, position_dw, 0) /* the GuC's end: head of H2G, tail of G2H */                     \
    M(S, NUMBER, uint32_t, provided, 8)    /* GUC_CTB_ADDRESS... that the host has set */                    \
    M(S, NUMBER, uint8_t, enabled, 2)                                                                        \
    M(S, NUMBER, uint8_t, broken, 2)                                                                         \
    M(S, PADDING, reserved, [2])
struct guc_ctb {
    STATE_MEMBERS(GUC_CTB)
};
enum { H2G, G2H };
enum { GUC_CTB_ADDRESS = 1, GUC_CTB_DESCRIPTOR = 2, GUC_CTB_BYTES = 4, GUC_CTB_MAX_BYTES = 1 << 20 };

/* The host has set address, descriptor and size, and the size is allowed. */
static inline bool guc_ctb_is_valid(const struct guc_ctb *b)
{
    return b->provided == (GUC_CTB_ADDRESS | GUC_CTB_DESCRIPTOR | GUC_CTB_BYTES) && b->bytes &&
           b->bytes % 4096u == 0 && b->bytes <= GUC_CTB_MAX_BYTES;
}

/* G2H messages for which the G2H buffer has no space. While there are any the GuC takes no request of that
 * function. */
enum { G2H_BACKLOG_DW = 1024 };
#define GUC_G2H_BACKLOG(M, S)                                                                                \
    M(S, NUMBER, uint32_t, first, G2H_BACKLOG_DW)                                                            \
    M(S, NUMBER, uint32_t, count, G2H_BACKLOG_DW + 1) /* dwords */                                           \
    M(S, NUMBERS, uint32_t, dw, [G2H_BACKLOG_DW], 0)
struct g2h_backlog {
    STATE_MEMBERS(GUC_G2H_BACKLOG)
};

#define GUC_CT(M, S)                                                                                         \
    M(S, STRUCTS, struct guc_ctb, ctbs, [2], guc_ctb_fields) /* H2G, G2H */                                  \
    /* GGTT addresses of the memory-based interrupt; status 0: interrupts go by registers. */                \
    M(S, NUMBER, uint32_t, memirq_status, 0)                                                                 \
    M(S, NUMBER, uint32_t, memirq_source, 0)                                                                 \
    /* A resumable request: parts done, and dwords of memory used. */                                        \
    M(S, NUMBER, uint32_t, request_progress, 0)                                                              \
    M(S, NUMBER, uint32_t, request_progress_dw, 0)                                                           \
    M(S, NUMBER, uint8_t, h2g_pending, 2) /* HOST_INTERRUPT came after the H2G buffer was read last */       \
    M(S, PADDING, reserved, [7])
struct guc_ct {
    STATE_MEMBERS(GUC_CT)
};

/* A function (PF or VF) as the GuC serves it. */
struct guc_function {
    struct guc *guc;
    unsigned number; /* 0: the PF */
    struct guc_ct ct;
    struct g2h_backlog backlog;
    struct vf_provisioning provisioning;
    struct vf_state state;
    struct mmu mmu;
};

/* Power management (SLPC). */
enum { GUC_PARAMETERS = 32 };
#define GUC_POWER(M, S)                                                                                      \
    M(S, NUMBER, uint32_t, shared_data, 0)   /* GGTT address of the page; 0: not started */                  \
    M(S, NUMBER, uint32_t, override_mask, 0) /* bit n: the host has set parameter n */                       \
    M(S, NUMBERS, uint32_t, values, [GUC_PARAMETERS], 0)                                                     \
    M(S, NUMBER, uint32_t, rc6, 0) /* SETUP_PC_GUCRC */                                                      \
    M(S, NUMBER, uint32_t, yield_ms, 0)                                                                      \
    M(S, NUMBER, uint32_t, yield_percent, 0)                                                                 \
    M(S, NUMBER, uint32_t, busy, 2)    /* an engine runs a context, or ran one until lately */               \
    M(S, NUMBER, uint64_t, busy_ns, 0) /* time at which an engine was last seen busy */
struct guc_power {
    STATE_MEMBERS(GUC_POWER)
};

/* A context, by its id. Zeros while the id is not registered. */
struct guc_context {
    uint32_t flags;          /* enum guc_context_flags (schedule.h) */
    uint32_t descriptor_low; /* lower half of the context descriptor: the LRCA */
    uint32_t engine_mask;    /* engines that it may run on */
    uint32_t guc_class;
    uint32_t priority;                            /* 0 is the highest */
    uint32_t exec_quantum_us, preempt_timeout_us; /* 0: unlimited */
    uint32_t engine; /* the engine that runs it, or that holds its next submission; GUC_NO_ENGINE */
    uint32_t queue_descriptor, queue, queue_bytes; /* the work queue of a parent */
    uint32_t children;                             /* their ids follow the parent's */
    uint32_t parent;                               /* id; GUC_NO_CONTEXT: it is no child */
    uint32_t doorbell;                             /* GUC_NO_DOORBELL: none */
    uint32_t queue_ticket;                         /* position in FIFO order; GUC_NO_TICKET: not queued */
    uint16_t queued_engines, queued_priority;      /* run queues that hold it */
};

/* An engine as the GuC schedules it. */
#define GUC_ENGINE_STATE(M, S)                                                                               \
    M(S, NUMBER, uint64_t, active_since_ns, 0)                                                               \
    M(S, NUMBER, uint64_t, deadline_ns, 0) /* the active context must have left by then; 0: none */          \
    M(S, NUMBER, uint64_t, function_since_ns, 0)                                                             \
    M(S, NUMBER, uint64_t, busy_ticks, 0)                                                                    \
    M(S, NUMBER, uint64_t, busy_since_ticks, 0)                                                              \
    M(S, NUMBER, uint32_t, active, GUC_NO_CONTEXT + 1)   /* id of the running context, or GUC_NO_CONTEXT */  \
    M(S, NUMBER, uint32_t, submitted, GUC_IDLE_LIST + 1) /* id, GUC_IDLE_LIST, or GUC_NO_CONTEXT */          \
    M(S, NUMBER, uint32_t, activity_changes, 0)                                                              \
    M(S, NUMBER, uint8_t, hung, 2)              /* and not reset */                                          \
    M(S, NUMBER, uint8_t, function, VF_MAX + 1) /* owner of the contexts that run */                         \
    M(S, PADDING, reserved, [2])
enum { GUC_IDLE_LIST = GUC_CONTEXTS + 1 }; /* a submission that lets the engine go idle */
struct guc_engine_state {
    STATE_MEMBERS(GUC_ENGINE_STATE)
};
#define GUC_ENGINE_STATES(M, S)                                                                              \
    M(S, STRUCTS, struct guc_engine_state, list, [GUC_ENGINES], guc_engine_state_fields)                     \
    M(S, NUMBER, uint32_t, next_ticket, GUC_CONTEXTS)                                                        \
    M(S, NUMBER, uint32_t, service_mask, 0) /* engines with a status, a stop, a wait or a timeout */         \
    M(S, NUMBER, uint8_t, has_yielded, 2)   /* there are contexts with CONTEXT_YIELDED */                    \
    M(S, PADDING, reserved, [7])
struct guc_engines {
    STATE_MEMBERS(GUC_ENGINE_STATES)
};
extern const struct guc_engines guc_engines_initial;

#define GUC_DOORBELL(M, S)                                                                                   \
    M(S, NUMBER, uint64_t, cookie, 0)                                                                        \
    M(S, NUMBER, uint32_t, context, GUC_NO_CONTEXT + 1) /* id; GUC_NO_CONTEXT: not armed */                  \
    M(S, NUMBER, uint32_t, address, 0)                  /* of the cache line, or of the page of registers */ \
    M(S, NUMBER, uint8_t, in_memory, 2)                                                                      \
    M(S, PADDING, reserved, [7])
struct guc_doorbell {
    STATE_MEMBERS(GUC_DOORBELL)
};
#define GUC_ALL_DOORBELLS(M, S)                                                                              \
    M(S, STRUCTS, struct guc_doorbell, list, [GUC_DOORBELLS], guc_doorbell_fields)                           \
    M(S, NUMBER, uint32_t, in_memory_count, GUC_DOORBELLS + 1)                                               \
    M(S, NUMBER, uint32_t, reserved, 1)
struct guc_doorbells {
    STATE_MEMBERS(GUC_ALL_DOORBELLS)
};

/* Counted since power on. */
#define GUC_TOTALS(M, S)                                                                                     \
    M(S, NUMBER, uint64_t, requests, 0)                                                                      \
    M(S, NUMBER, uint64_t, replies, 0)                                                                       \
    M(S, NUMBER, uint64_t, failures, 0)                                                                      \
    M(S, NUMBER, uint64_t, events, 0)                                                                        \
    M(S, NUMBER, uint64_t, unknown, 0)                                                                       \
    M(S, NUMBER, uint64_t, submissions, 0)                                                                   \
    M(S, NUMBER, uint64_t, preemptions, 0)                                                                   \
    M(S, NUMBER, uint64_t, timeouts, 0)                                                                      \
    M(S, NUMBER, uint64_t, resets, 0)                                                                        \
    M(S, NUMBER, uint64_t, doorbells, 0)
struct guc_totals {
    STATE_MEMBERS(GUC_TOTALS)
};

/* Derived from registers and contexts by settle. */
struct guc_derived {
    struct guc_run_queue *run_queues; /* by function, engine and priority */
    struct guc_run_queue *free_tickets;
    uint16_t *context_of_ticket;
    uint32_t rung_groups; /* of doorbells that interrupt the core */
    uint32_t engines_of_group[2];
    uint8_t pin_level[GUC_GROUPS]; /* urgency of interrupt groups, from 1; 0: masked */
    uint8_t class_of[GUC_ENGINES], logical_of[GUC_ENGINES];
};

struct guc {
    /* Set at creation. */
    const struct guc_info *info;
    struct accessor by;
    struct device_log *log;
    struct register_file *mmio;
    struct interrupt *interrupt;
    struct gt *gt;
    struct engine *engines;
    unsigned engine_count;
    unsigned vf_count;
    const struct vf_isolation *isolation; /* of VFs from the PF driver */
    struct guc_function *functions;       /* functions[0] is the PF */
    struct guc_message_index_entry *message_index;

    /* Sections. */
    struct guc_boot boot;
    struct vgt_policies vgt;
    struct guc_power power;
    struct guc_totals totals;
    struct g2h_backlog pf_relay_queue; /* isolated VFs: events for their owner: length, action, payload */
    struct guc_engines engine_states;
    struct guc_doorbells doorbells;
    struct guc_context *contexts;      /* [GUC_CONTEXTS] */
    struct state_table context_table;  /* the same, as dwords */
    struct state_table sram_and_wopcm; /* SRAM at its address, then WOPCM: what the DMA reaches */

    struct guc_derived derived;
};

extern const struct unit_shape guc_shape;
extern const struct guc_messages guc_scheduling_messages, guc_setup_messages, guc_function_messages;
/* Ends with NULL. */
extern const struct guc_messages *const guc_message_tables[];
/* NULL: unknown. */
const struct guc_message *guc_message_find(uint16_t action, bool from_guc);
extern const struct section guc_function_sections[GUC_FUNCTION_SECTIONS]; /* of struct guc_function */
/* Places the registers; the pointers above have been set. */
bool guc_create(struct guc *g, struct memory *memory);
void guc_destroy(struct guc *g);

/* ---- Among its files ---- */

extern const struct register_block guc_registers, guc_interrupt_registers, guc_doorbell_registers;
/* The registers of each function, GUC_FUNCTION_BYTES from one function to the next. A VF accesses its own at
 * the PF's offsets. (SYS-01) */
extern const struct register_block guc_function_registers, guc_media_function_registers;
enum {
    GUC_HOST_INTERRUPT = 0x1901f0,
    GUC_MAILBOX = 0x190240,
    GUC_MEDIA_HOST_INTERRUPT = 0x190304,
    GUC_MEDIA_MAILBOX = 0x190310,
};
enum { GUC_FUNCTION_FIRST = 0x190000, GUC_FUNCTION_BYTES = 0x400 };

/* The GuC sees the registers of its GT. */
static inline uint32_t guc_register(const struct guc *g, uint32_t offset)
{
    return gt_register(g->gt, offset);
}

static inline void guc_register_set(const struct guc *g, uint32_t offset, uint32_t value)
{
    gt_register_set(g->gt, offset, value);
}

static inline bool guc_running(const struct guc *g)
{
    return g->boot.state == GUC_READY;
}

/* Messages and contexts of VFs are served. */
static inline bool guc_is_serving(const struct guc *g)
{
    return vfs_are_isolated(g->isolation) || guc_running(g);
}

/* load.c: starts the DMA (DMA_CTRL); boots the copied firmware. */
void guc_dma_start(struct guc *g);
/* Sets the address space of the DMA from its registers. */
void guc_update_dma_root(struct guc *g);
void guc_boot(struct guc *g);

/* ct.c: the function's driver wrote HOST_INTERRUPT. The core services it now, or when it can. */
void guc_host_interrupt(struct guc_function *k);
void guc_service_host_interrupts(struct guc *g);
/* Sends a G2H event to a function. */
void guc_send_event(struct guc *g, unsigned function, uint16_t action, const uint32_t *payload,
                    uint32_t length_dw);
/* Takes one request from the function's H2G buffer; false: there is none. Clears h2g_pending with the last
 * one. */
bool guc_receive(struct guc_function *k);
/* Sends backlogged messages; false: some are left. */
bool guc_send_backlog(struct guc_function *k);
void guc_interrupt_host(struct guc_function *k, uint32_t bits);
enum {
    GUC_INTERRUPT_SOFTWARE = 1u << 0,
    GUC_INTERRUPT_DOORBELL = 1u << 10,
    GUC_INTERRUPT_HOST = 1u << 15, /* a message for the host */
};

/* functions.c: VF Enable was written; a VF's function-level reset starts. */
void guc_vfs_enabled(struct guc *g, unsigned count);
void guc_vf_flr(struct guc *g, unsigned function);
/* Ends the pauses of VFs that have left all engines, and notifies the PF. */
void guc_finish_vf_pauses(struct guc *g);
/* Counts an adverse event of a VF; at its threshold the PF is notified. */
void guc_count_adverse_event(struct guc *g, unsigned function, enum vf_threshold what);
static inline bool guc_function_is_running(const struct guc *g, unsigned function)
{
    return g->functions[function].state.run_state == VF_RUNNING;
}

/* The function has a request and no backlog, and runs. A function that does not read its G2H messages is not
 * served. */
static inline bool guc_function_has_request(const struct guc_function *k)
{
    return k->ct.h2g_pending && !k->backlog.count && guc_function_is_running(k->guc, k->number);
}

/* The GGTT range that the core can access: ROM, SRAM and WOPCM are below it, registers above. False, with a
 * report: some bytes are outside. (SYS-13) */
bool guc_can_access(struct guc_function *k, uint32_t address, size_t size_bytes);
/* Memory through the GGTT, as the function. False: outside the core's range, not mapped, or owned by another
 * function. */
static inline bool guc_load(struct guc_function *k, uint32_t address, void *data, size_t size_bytes)
{
    if (guc_can_access(k, address, size_bytes))
        return mmu_load(&k->mmu, SPACE_GGTT, address, data, size_bytes);
    memset(data, 0, size_bytes);
    return false;
}

static inline bool guc_store(struct guc_function *k, uint32_t address, const void *data, size_t size_bytes)
{
    return guc_can_access(k, address, size_bytes) &&
           mmu_store(&k->mmu, SPACE_GGTT, address, data, size_bytes);
}

static inline bool guc_store32(struct guc_function *k, uint32_t address, uint32_t value)
{
    return guc_store(k, address, &value, 4);
}

void guc_remap(struct guc *g);
void guc_invalidate_tlbs(struct guc *g);

/* The clock of the GuC, in the units of MISC_STATUS. */
uint64_t guc_clock(const struct guc *g);

#endif
