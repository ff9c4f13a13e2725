/* xe's interface, part by part: what each asks of the others. */
#ifndef XE_XE_H
#define XE_XE_H

#include "drm/drm_core.h"
#include "xe/xe_abi.h"

/* Placements of objects: a bit for each region. */
uint32_t xe_regions(const struct shim_device *g);
/* Objects in local memory are bound in such pages. */
uint32_t xe_local_page_bytes(const struct shim_device *g);
/* The most of 0, 1 and 2 that a queue may have: the last is for rights. */
unsigned xe_max_priority(void);
/* Zeros, where nothing may be told yet. */
bool xe_reserved(const uint64_t reserved[2]);

/* xe_query.c */
int xe_query(const struct ioctl_call *c);
/* xe_bind.c */
int xe_vm_create(const struct ioctl_call *c);
int xe_vm_destroy(const struct ioctl_call *c);
int xe_vm_bind(const struct ioctl_call *c);
/* xe_queues.c */
int xe_queue_create(const struct ioctl_call *c);
int xe_queue_destroy(const struct ioctl_call *c);
int xe_queue_get_property(const struct ioctl_call *c);
int xe_exec(const struct ioctl_call *c);
int xe_wait_user_fence(const struct ioctl_call *c);

/* ---- What calls wait for and signal (xe_syncs.c) ---- */

/* What a call brings: fences that are there, objects to be signalled, at most one value to be told. */
struct xe_syncs {
    struct dma_fence **wait_fences;
    struct xe_signal {
        struct syncobj *syncobj;
        uint64_t point;
    } * signals;
    uint32_t wait_fence_count, signal_count;
    bool signals_user_fence;
    uint64_t user_fence_address, user_fence_value;
};
/* `long_running`: fences are the program's own. -errno, and nothing. */
int xe_syncs_read(const struct ioctl_call *c, uint64_t at, uint32_t count, bool long_running,
                  bool no_user_fence, struct xe_syncs *syncs);
/* The request is behind all of them. */
int xe_syncs_add_waits(const struct xe_syncs *syncs, struct gpu_job *r);
void xe_syncs_signal(const struct xe_syncs *syncs, struct dma_fence *done);
void xe_syncs_free(struct xe_syncs *syncs);
/* NULL: there is no memory. */
struct gpu_job *xe_job_create(struct context *queue, struct gpu_vm *space, struct dma_fence *done);

#endif
