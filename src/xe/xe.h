/* xe's interface: what its parts ask of each other. */
#ifndef XE_XE_H
#define XE_XE_H

#include "drm/drm_core.h"
#include "xe/xe_abi.h"

/* Memory regions as a bit mask. */
uint32_t xe_regions(const struct shim_device *g);
/* Page size of bindings in local memory. */
uint32_t xe_local_page_bytes(const struct shim_device *g);
/* The highest priority of 0, 1 and 2 that the program may use: 2 needs rights. */
unsigned xe_max_priority(void);
/* GTs: graphics, and media where it is another. */
unsigned xe_gt_count(const struct shim_device *g);
/* The index of an engine that programs may use; -1: there is none. */
int xe_find_engine(const struct shim_device *g, const struct xe_engine *e);
/* Reserved fields must be zero. */
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

/* ---- Sync arrays (xe_sync.c) ---- */

/* The syncs of a call: fences to wait for, sync objects to signal, at most one user fence. */
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
/* `long_running`: only user fences are allowed. On -errno nothing is kept. */
int xe_syncs_read(const struct ioctl_call *c, uint64_t at, uint32_t count, bool long_running,
                  bool no_user_fence, struct xe_syncs *syncs);
/* The job waits for all of them. */
int xe_syncs_add_waits(const struct xe_syncs *syncs, struct gpu_job *r);
void xe_syncs_signal(const struct xe_syncs *syncs, struct dma_fence *done);
void xe_syncs_free(struct xe_syncs *syncs);
/* NULL: out of memory. */
struct gpu_job *xe_job_create(struct context *queue, struct gpu_vm *space, struct dma_fence *done);

#endif
