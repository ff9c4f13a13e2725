/*
 * The GuC, the microcontroller that takes drivers' work: played as its firmware behaves, not executed. A
 * unit: a firmware file is loaded by DMA, boots, and from then on answers messages that come through a
 * mailbox of registers or through buffers in memory, and runs contexts on the engines. It reads and writes
 * memory through the GGTT only. What it knows of a message is a row (message.h). (SYS-13 to SYS-17, SYS-24)
 */
#ifndef GUC_GUC_H
#define GUC_GUC_H

#include "engine/engine.h"
#include "gt/gt.h"

#include <string.h>

struct guc;

/* ---- The GuC's part of a data sheet ---- */

enum { GUC_CLASSES = 16, GUC_NO_CLASS = 0xff };

struct guc_info {
    const struct register_block *const *blocks; /* at their own offsets, ends with NULL; owner: the GuC */
    struct interrupt_line interrupt;
    uint32_t reset_bits;    /* in GDRST */
    uint32_t wopcm_bytes;   /* protected memory for firmware */
    uint64_t timestamp_hz;  /* of its own clock */
    const uint32_t *config; /* the table that GET_HWCONFIG gives: key, length, values */
    uint16_t config_dw;
    uint8_t class_of[ENGINE_CLASSES]; /* what the GuC calls a class; GUC_NO_CLASS: none */
};

/* ---- State ---- */

enum {
    GUC_ENGINES = 16,       /* at most */
    GUC_CONTEXTS = 1 << 16, /* ids are 16 bits */
    GUC_PRIORITIES = 4,
    GUC_MAX_US = 100000000, /* of what is given in microseconds */
    GUC_MAX_QUEUE_BYTES = 1 << 20,
    GUC_DOORBELLS = 256,
    GUC_DOORBELL_PAGES = 1024,
    GUC_DOORBELL_FIRST = 0x400000, /* page, of registers */
    GUC_GROUPS = 17,               /* of interrupts to its core */
    GUC_MESSAGE_DW = 256,          /* of a message in a buffer with its header, at most */
    GUC_SRAM_END = 0x88000,
};

/* What firmware is loaded, and what it was told when it booted. */
struct guc_boot {
    uint32_t state; /* enum guc_boot_state */
    uint32_t log, workarounds, features, debug, ads, device;
    uint32_t policies;          /* GLOBAL_SCHED_POLICY_CHANGE; 0: as it was told when it booted */
    uint32_t engine_usage;      /* SET_ENG_UTIL_BUFF: where records are; 0: nowhere */
    uint32_t activity_metadata; /* the same for records of another form */
    uint32_t activity;
    uint32_t activity_changes;
    uint32_t host_interrupt_pending; /* the host interrupted it, which it has not heard */
};
enum guc_boot_state { GUC_IN_RESET, GUC_BOOTING, GUC_FAILED, GUC_READY };

/* A buffer of messages: registered, then enabled, or broken by either side. */
struct guc_ctb {
    uint32_t descriptor, address, bytes; /* in the GGTT */
    uint32_t position_dw;                /* how far the GuC has read, or written */
    uint32_t provided;                   /* which of the three the host said: 1, 2, 4 */
    uint8_t enabled, broken, reserved[2];
};
enum { H2G, G2H };
enum { GUC_CTB_ADDRESS = 1, GUC_CTB_DESCRIPTOR = 2, GUC_CTB_BYTES = 4, GUC_CTB_MAX_BYTES = 1 << 20 };

/* All of it is known, and can be. */
static inline bool guc_ctb_is_valid(const struct guc_ctb *b)
{
    return b->provided == (GUC_CTB_ADDRESS | GUC_CTB_DESCRIPTOR | GUC_CTB_BYTES) && b->bytes &&
           b->bytes % 4096u == 0 && b->bytes <= GUC_CTB_MAX_BYTES;
}

/* Messages to the host that its buffer has no room for; nothing is taken from the host while there are any.
 */
enum { G2H_BACKLOG_DW = 1024 };
struct g2h_backlog {
    uint32_t first, count; /* dwords */
    uint32_t dw[G2H_BACKLOG_DW];
};

struct guc_ct {
    struct guc_ctb ctbs[2]; /* H2G, G2H */
    uint32_t memirq_status,
        memirq_source; /* where the host's interrupts are told in memory; events 0: by registers */
    /* Of a message that lasts, and is done in parts: how many are done, and dwords of memory that they took.
     */
    uint32_t request_progress, request_progress_dw;
    uint8_t h2g_pending; /* HOST_INTERRUPT since the buffer was looked at */
    uint8_t reserved[7];
};

/* What the driver of the physical function gives another one, by keys (functions.c). */
enum guc_threshold {
    GUC_THRESHOLD_CAT_ERR,
    GUC_THRESHOLD_ENGINE_RESET,
    GUC_THRESHOLD_PAGE_FAULT,
    GUC_THRESHOLD_H2G_STORM,
    GUC_THRESHOLD_IRQ_STORM,
    GUC_THRESHOLD_DOORBELL_STORM,
    GUC_THRESHOLD_MULTI_LRC_COUNT,
    GUC_THRESHOLDS = 8,
};
struct vf_provisioning {
    uint64_t ggtt_start, ggtt_bytes, lmem_bytes;
    uint32_t context_count, first_context; /* of the ids that there are */
    uint32_t doorbell_count, first_doorbell;
    uint32_t exec_quantum_ms, preempt_timeout_us; /* 0: without end */
    uint32_t sched_priority;                      /* 2 is most urgent */
    uint32_t provisioned;                         /* anything was */
    uint32_t thresholds[GUC_THRESHOLDS];          /* of adverse events; 0: nobody is told */
};

/* How a function is. */
enum vf_run_state {
    VF_RUNNING,
    VF_PAUSING, /* its contexts leave their engines */
    VF_PAUSED,
    VF_STOPPED,
    VF_FLR, /* by its function-level reset: until the physical function's driver is through */
};
struct vf_state {
    uint64_t busy_ticks;                       /* that engines have had contexts of it, of the GuC's clock */
    uint64_t threshold_sample_start_ns;        /* what follows is */
    uint32_t threshold_counts[GUC_THRESHOLDS]; /* of adverse events */
    uint32_t run_state;
    uint32_t abi_version;            /* that it agreed to, as it is told; 0: none */
    uint32_t host_interrupt_pending; /* of HOST_INTERRUPT: what came while it did not run */
    uint32_t restored_parts; /* parts of a saved state that others must follow; 0: none must (migration.c) */
};

/* Who talks to the GuC: a function, with memory and buffers of its own. */
struct guc_function {
    struct guc *guc;
    unsigned number;
    struct guc_ct ct;
    struct g2h_backlog backlog;
    struct vf_provisioning provisioning;
    struct vf_state state;
    struct mmu mmu;
};

/* Policies for all virtual functions, by key. */
struct vgt_policies {
    uint32_t sched_if_idle, sample_period_ms, reset_after_vf_switch, reserved;
};

/* Power management: what the host set, by number. */
enum { GUC_PARAMETERS = 32 };
struct guc_power {
    uint32_t shared_data;   /* page; 0: not started */
    uint32_t override_mask; /* bit n: parameter n is the host's */
    uint32_t values[GUC_PARAMETERS];
    uint32_t rc6; /* SETUP_PC_GUCRC */
    uint32_t yield_ms, yield_percent;
    uint32_t busy;    /* an engine has a context, or had one until lately */
    uint64_t busy_ns; /* when one was seen to last */
};

/* A context, by its id. */
struct guc_context {
    uint32_t flags;                               /* schedule.h */
    uint32_t descriptor_low;                      /* lower half, as the host gave it: where its image is */
    uint32_t engine_mask;                         /* that it may run on, a bit each */
    uint32_t guc_class;                           /* as the GuC calls it */
    uint32_t priority;                            /* 0 is most urgent */
    uint32_t exec_quantum_us, preempt_timeout_us; /* 0: without end */
    uint32_t running; /* 1 + the engine that has it, or whose next list names it */
    uint32_t queue_descriptor, queue, queue_bytes; /* of work for it and its children */
    uint32_t children;                             /* that have the ids behind it */
    uint32_t parent;                               /* 1 + id; 0: it is no child */
    uint32_t doorbell;                             /* 1 + number */
    uint32_t turn; /* 1 + its place in the order of those that wait; 0: none */
    uint16_t queued_engines,
        queued_priority; /* engines for which it is among those that may run, and how urgent there */
};

/* What the GuC knows of an engine. */
struct guc_engine_state {
    uint64_t active_since_ns, deadline_ns; /* it has its context; that must have left it, 0: need not */
    uint64_t function_since_ns;            /* it is the function's */
    uint64_t busy_ticks, busy_since_ticks;
    uint32_t active, submitted; /* 1 + id: what it has, what its next list names; 0: nothing */
    uint32_t activity_changes;
    uint8_t hung;     /* it hangs and is not reset */
    uint8_t function; /* whose contexts it runs */
    uint8_t reserved[2];
};
struct guc_engines {
    struct guc_engine_state list[GUC_ENGINES];
    uint32_t next_ticket;  /* of the next context that waits */
    uint32_t service_mask; /* engines that have something to say */
    uint8_t has_yielded;   /* there are contexts that time lets come back */
    uint8_t reserved[7];
};

struct guc_doorbell {
    uint64_t cookie;
    uint32_t context, address; /* 1 + id; where it is */
    uint8_t in_memory, reserved[7];
};
struct guc_doorbells {
    struct guc_doorbell list[GUC_DOORBELLS];
    uint32_t in_memory_count; /* how many are */
    uint32_t reserved;
};

/* Counted since power on. */
struct guc_totals {
    uint64_t requests, replies, failures, events, unknown, submissions, preemptions, timeouts, resets,
        doorbells;
};

struct guc {
    /* What it is made of. */
    const struct guc_info *info;
    struct accessor by;
    struct witness *witness;
    struct register_file *mmio;
    struct interrupt *interrupt;
    struct gt *gt;
    struct engine *engines;
    unsigned engine_count;
    unsigned vf_count;              /* virtual ones */
    bool vfs_isolated;              /* they are served, and last, whatever the physical one's driver does */
    struct guc_function *functions; /* of each function; the first is the physical one's */

    /* Sections. */
    struct guc_boot boot;
    struct vgt_policies vgt;
    struct guc_power power;
    struct guc_totals totals;
    struct g2h_backlog
        pf_relay_queue; /* what the owner of functions that are apart is told: length, action, payload */
    struct guc_engines engine_states;
    struct guc_doorbells doorbells;
    struct guc_context *contexts;      /* GUC_CONTEXTS of them */
    struct state_table context_table;  /* the same, as dwords */
    struct state_table sram_and_wopcm; /* SRAM at its address, then protected memory: the DMA reaches it */

    /* What follows from them. */
    struct guc_message_index_entry *message_index; /* messages by action */
    struct guc_run_queue *run_queues;   /* turns of those that may run, by function, engine and priority */
    struct guc_run_queue *free_tickets; /* turns of nobody */
    uint16_t *context_of_ticket;
    uint32_t rung_groups; /* that have rung, where the core is told */
    uint32_t engines_of_group[2];
    uint8_t pin_level[GUC_GROUPS]; /* how urgent they are, from 1 on; 0: not heard */
    uint8_t class_of[GUC_ENGINES], logical_of[GUC_ENGINES];
};

extern const struct unit_shape guc_shape;
/* Places the registers; the pointers above have been set. */
bool guc_create(struct guc *g, struct memory *memory);
void guc_destroy(struct guc *g);

/* ---- Among its files ---- */

extern const struct register_block guc_registers, guc_interrupt_registers, guc_doorbell_registers;
/* What every function has, as far apart as GUC_FUNCTION_BYTES; a function finds its own where the physical
 * one has its. (SYS-01) */
extern const struct register_block guc_function_registers;
enum { GUC_FUNCTION_FIRST = 0x190000, GUC_FUNCTION_BYTES = 0x400 };

static inline bool guc_running(const struct guc *g)
{
    return g->boot.state == GUC_READY;
}

/* Virtual functions are served. */
static inline bool guc_is_serving(const struct guc *g)
{
    return g->vfs_isolated || guc_running(g);
}

/* load.c: DMA_CTRL was written; the firmware that was copied boots. */
void guc_dma_start(struct guc *g);
/* The DMA's own address space is what registers say. */
void guc_update_dma_root(struct guc *g);
void guc_boot(struct guc *g);

/* ct.c: the function's driver wrote HOST_INTERRUPT; the core hears it, now or when it can. */
void guc_host_interrupt(struct guc_function *k);
void guc_service_host_interrupts(struct guc *g);
/* A message of a row to a function: an event. */
void guc_send_event(struct guc *g, unsigned function, uint16_t action, const uint32_t *payload,
                    uint32_t length_dw);
/* Takes one message of the function; it is no longer notified where that was the last. False: there is none.
 */
bool guc_receive(struct guc_function *k);
/* What could not be sent. False: there is still no room. */
bool guc_send_backlog(struct guc_function *k);
void guc_interrupt_host(struct guc_function *k, uint32_t bits);
enum {
    GUC_INTERRUPT_SOFTWARE = 1u << 0,
    GUC_INTERRUPT_DOORBELL = 1u << 10,
    GUC_INTERRUPT_HOST = 1u << 15, /* a message for the host */
};

/* functions.c: VF Enable was written; a function-level reset of one. */
void guc_vfs_enabled(struct guc *g, unsigned count);
void guc_vf_flr(struct guc *g, unsigned function);
/* What a function is waited for to do is done: that is told. */
void guc_finish_vf_pauses(struct guc *g);
/* An adverse event of a function, which its driver may be behind. */
void guc_count_adverse_event(struct guc *g, unsigned function, enum guc_threshold what);
static inline bool guc_function_is_running(const struct guc *g, unsigned function)
{
    return g->functions[function].state.run_state == VF_RUNNING;
}

/* It has messages that may be taken: who reads none of its own is not listened to. */
static inline bool guc_function_has_request(const struct guc_function *k)
{
    return k->ct.h2g_pending && !k->backlog.count && guc_function_is_running(k->guc, k->number);
}

/* What the core reaches of the GGTT: below are its ROM, SRAM and protected memory, above are registers.
 * False, and told: not all of these bytes. (SYS-13) */
bool guc_can_access(struct guc_function *k, uint32_t address, size_t size_bytes);
/* Memory, through the GGTT, on a function's behalf; false: the core does not reach it there, it is not
 * mapped, or another's. */
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

/* Its clock: what MISC_STATUS counts, as drivers scale it. */
uint64_t guc_clock(const struct guc *g);

#endif
