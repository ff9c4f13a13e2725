/*
 * The driver of a physical function (PF), for its virtual functions (VFs): it provisions them, enables them,
 * answers the requests of their drivers and cleans up after their resets. For servers of VFs, and for tests.
 *
 * It works as a driver does: it boots the GuC and uses registers, configuration space and messages. Its own
 * memory is at the start of local memory. With isolated VFs (struct softgt_config) another driver owns the
 * PF: then it touches nothing of the PF, provisions from the ends of the resources, and has its own memory
 * after those shares.
 */
#ifndef DRIVER_PF_H
#define DRIVER_PF_H

#include "driver/driver.h"

/* A function's share; what of the first four is zero is chosen: an equal part. */
struct driver_vf_config {
    uint64_t ggtt_bytes, local_bytes, context_count, doorbell_count;
    uint32_t exec_quantum_ms, preempt_timeout_us; /* zero: without end */
    uint32_t sched_priority;                      /* 2 is most urgent */
    /* Chosen by the driver. */
    uint64_t ggtt_start, local_start, first_context, first_doorbell;
};

enum { DRIVER_VFS = 63, DRIVER_SAVED_DW = 5 << 18 /* most that is saved of one */ };
/* Time of whom nothing is said. */
enum { DRIVER_EXEC_QUANTUM_MS = 10, DRIVER_PREEMPT_TIMEOUT_US = 640000 };

struct driver_pf {
    struct softgt *device;
    unsigned count;
    uint64_t own_local_start; /* its memory, in local memory */
    uint64_t min_local_start; /* beside a driver: shares of local memory begin here or later; 0: nobody has
                             been told */
    struct driver_vf_config vf_configs[DRIVER_VFS]; /* the first is function 1's */
    uint32_t fence, head_dw, tail_dw;               /* of its buffers */
    uint32_t reply_fence, reply;                    /* the last reply: to which fence, what */
    uint64_t refused, adverse;                      /* requests; events that reached a threshold */
    /* Optional, for who knows local memory better: a part of it reads as zeros. False: it could not. */
    bool (*clear)(void *user, uint64_t start, uint64_t size_bytes);
    void *user;
};

/* Where its memory is, of so many bytes, in local memory: nobody else's. */
uint64_t driver_pf_memory(const struct softgt *device, uint64_t *size_bytes);
/* NULL: done; else what could not be. Shares as given are completed, and placed. */
const char *driver_pf_start(struct driver_pf *v, struct softgt *device, unsigned count,
                            const struct driver_vf_config *shares);
/* Handles new messages of the GuC. False: there were none. */
bool driver_pf_serve(struct driver_pf *v);
/* A request to the GuC, of the physical function itself; its fence, by which the answer is known. */
uint32_t driver_pf_send(struct driver_pf *v, uint32_t action, const uint32_t *payload, uint32_t length_dw);
/* As guc/functions.h counts them; false: refused. */
bool driver_vf_control(struct driver_pf *v, unsigned function, unsigned command);
/* Another share, for a function that nobody uses: its memory and its entries are empty then. NULL: done. */
const char *driver_vf_provision(struct driver_pf *v, unsigned function,
                                const struct driver_vf_config *wanted);
/* What the GuC knows of a function that is paused, by its message; dwords, 0: refused. Memory, entries and
 * share are the caller's to move. */
uint32_t driver_vf_save(struct driver_pf *v, unsigned function, uint32_t *dw, uint32_t room_dw);
bool driver_vf_restore(struct driver_pf *v, unsigned function, const uint32_t *dw, uint32_t length_dw);
/* Another time share; false: refused. */
bool driver_vf_schedule(struct driver_pf *v, unsigned function, uint32_t quantum_ms, uint32_t preemption_us,
                        uint32_t priority);

#endif
