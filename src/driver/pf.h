/*
 * The driver of a physical function (PF) for its virtual functions (VFs). It provisions and enables VFs,
 * answers requests of their drivers and cleans up after their resets. Servers of VFs and tests use it.
 * It boots the GuC and uses registers, configuration space and messages, as a driver does. Its own memory is
 * at the start of local memory.
 * With isolated VFs (struct softgt_config) another driver owns the PF. Then this one does not touch the PF,
 * provisions VFs from the end of each resource, and has its own memory after theirs.
 */
#ifndef DRIVER_PF_H
#define DRIVER_PF_H

#include "driver/driver.h"

/* The resources of a VF. Of the first four, 0 means an equal part. */
struct driver_vf_config {
    uint64_t ggtt_bytes, local_bytes, context_count, doorbell_count;
    uint32_t exec_quantum_ms, preempt_timeout_us; /* 0: unlimited */
    uint32_t sched_priority;                      /* 0 to 2; 2 is the highest */
    /* Set by this driver. */
    uint64_t ggtt_start, local_start, first_context, first_doorbell;
};

enum { DRIVER_VFS = 63, DRIVER_SAVED_DW = 5 << 18 /* maximum length of a saved VF state */ };
/* Default time slice and preemption timeout. */
enum { DRIVER_EXEC_QUANTUM_MS = 10, DRIVER_PREEMPT_TIMEOUT_US = 640000 };

struct driver_pf {
    struct softgt *device;
    unsigned count;
    uint64_t own_local_start; /* this driver's memory, in local memory */
    uint64_t min_local_start; /* with isolated VFs: start of the VFs' local memory, once the PF's driver knows
                                 it; 0: it does not yet */
    struct driver_vf_config vf_configs[DRIVER_VFS]; /* index 0: VF 1 */
    uint32_t fence;                                 /* of the last request, to any GuC */
    struct {
        uint32_t head_dw, tail_dw; /* of the message buffers */
    } buffers[MOST_GTS];           /* of the GuC of each GT */
    uint32_t reply_fence, reply;   /* the last response and the fence of its request */
    uint64_t refused, adverse;     /* requests that failed; adverse events (thresholds exceeded) */
    uint8_t
        clean_gucs[DRIVER_VFS]; /* bit mask: GuCs that have cleaned up after a VF's reset, index 0: VF 1 */
    /* Optional: clears a range of local memory faster. False: failed. */
    bool (*clear)(void *user, uint64_t start, uint64_t size_bytes);
    void *user;
};

/* The address of this driver's memory in local memory, and its size. */
uint64_t driver_pf_memory(const struct softgt *device, uint64_t *size_bytes);
/* Provisions and enables VFs. NULL shares or amounts of 0: equal parts. Returns NULL, or the reason of a
 * failure. */
const char *driver_pf_start(struct driver_pf *v, struct softgt *device, unsigned count,
                            const struct driver_vf_config *shares);
/* Handles a new message of each GuC. False: there was none. */
bool driver_pf_serve(struct driver_pf *v);
/* Sends a request of the PF to the first GuC. Returns its fence, which the response repeats. */
uint32_t driver_pf_send(struct driver_pf *v, uint32_t action, const uint32_t *payload, uint32_t length_dw);
/* The same to the GuC of a GT. */
uint32_t driver_pf_send_to(struct driver_pf *v, unsigned gt, uint32_t action, const uint32_t *payload,
                           uint32_t length_dw);
/* Sends an enum vf_control_command. False: refused. */
bool driver_vf_control(struct driver_pf *v, unsigned function, unsigned command);
/* Changes the resources of a VF that no driver uses. Its memory and GGTT entries are cleared. Returns NULL,
 * or the reason of a failure. */
const char *driver_vf_provision(struct driver_pf *v, unsigned function,
                                const struct driver_vf_config *wanted);
/* Saves or restores the GuC's state of a paused VF by messages. Returns the length in dwords; 0: failed. The
 * caller moves memory, GGTT entries and resources. */
uint32_t driver_vf_save(struct driver_pf *v, unsigned function, uint32_t *dw, uint32_t room_dw);
bool driver_vf_restore(struct driver_pf *v, unsigned function, const uint32_t *dw, uint32_t length_dw);
/* Changes the time slice of a VF. False: refused. */
bool driver_vf_schedule(struct driver_pf *v, unsigned function, uint32_t quantum_ms, uint32_t preemption_us,
                        uint32_t priority);

#endif
