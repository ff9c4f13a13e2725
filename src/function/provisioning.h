/*
 * Virtual functions (VFs): what the PF administrator provisions to each, in VF_CFG KLVs, and their state. The
 * administrator is the PF driver, or with isolated VFs the host. (SYS-24; Linux, guc_klvs_abi.h)
 */
#ifndef FUNCTION_PROVISIONING_H
#define FUNCTION_PROVISIONING_H

#include "base/state.h"

enum { FUNCTION_CONTEXTS = 1 << 16, FUNCTION_DOORBELLS = 256 }; /* of the whole device */

/* Adverse events that are counted. */
enum vf_threshold {
    VF_THRESHOLD_CAT_ERR,
    VF_THRESHOLD_ENGINE_RESET,
    VF_THRESHOLD_PAGE_FAULT,
    VF_THRESHOLD_H2G_STORM,
    VF_THRESHOLD_IRQ_STORM,
    VF_THRESHOLD_DOORBELL_STORM,
    VF_THRESHOLD_MULTI_LRC_COUNT,
    VF_THRESHOLDS = 8,
};
#define VF_PROVISIONING(M, S)                                                                                \
    M(S, NUMBER, uint64_t, ggtt_start, 0)                                                                    \
    M(S, NUMBER, uint64_t, ggtt_bytes, 0)                                                                    \
    M(S, NUMBER, uint64_t, lmem_bytes, 0)                                                                    \
    M(S, NUMBER, uint32_t, context_count, FUNCTION_CONTEXTS)                                                 \
    M(S, NUMBER, uint32_t, first_context, FUNCTION_CONTEXTS) /* id */                                        \
    M(S, NUMBER, uint32_t, doorbell_count, FUNCTION_DOORBELLS + 1)                                           \
    M(S, NUMBER, uint32_t, first_doorbell, FUNCTION_DOORBELLS + 1)                                           \
    M(S, NUMBER, uint32_t, exec_quantum_ms, 0)    /* 0: unlimited */                                         \
    M(S, NUMBER, uint32_t, preempt_timeout_us, 0) /* 0: unlimited */                                         \
    M(S, NUMBER, uint32_t, sched_priority, 3)     /* 2 is the highest */                                     \
    M(S, NUMBER, uint32_t, provisioned, 2)                                                                   \
    M(S, NUMBERS, uint32_t, thresholds, [VF_THRESHOLDS], 0) /* of adverse events; 0: not reported */
struct vf_provisioning {
    STATE_MEMBERS(VF_PROVISIONING)
};

enum vf_run_state {
    VF_RUNNING,
    VF_PAUSING, /* its contexts leave their engines */
    VF_PAUSED,
    VF_STOPPED,
    VF_FLR, /* function-level reset: until the PF administrator has finished it */
};
#define VF_STATE(M, S)                                                                                       \
    M(S, NUMBER, uint64_t, busy_ticks, 0) /* of the GuC's clock, over all engines */                         \
    M(S, NUMBER, uint64_t, threshold_sample_start_ns, 0)                                                     \
    M(S, NUMBERS, uint32_t, threshold_counts, [VF_THRESHOLDS], 0)                                            \
    M(S, NUMBER, uint32_t, run_state, VF_FLR + 1)             /* enum vf_run_state */                        \
    M(S, NUMBER, uint32_t, abi_version, 0)                    /* agreed by MATCH_VERSION; 0: none */         \
    M(S, NUMBER, uint32_t, host_interrupt_pending, 2)         /* came while it did not run */                \
    M(S, NUMBER, uint32_t, restored_parts, FUNCTION_CONTEXTS) /* of an unfinished restore; 0: none */
struct vf_state {
    STATE_MEMBERS(VF_STATE)
};

/* VGT_POLICY KLVs: policies for all VFs. */
#define VGT_POLICIES(M, S)                                                                                   \
    M(S, NUMBER, uint32_t, sched_if_idle, 2)                                                                 \
    M(S, NUMBER, uint32_t, sample_period_ms, 0)                                                              \
    M(S, NUMBER, uint32_t, reset_after_vf_switch, 2)                                                         \
    M(S, NUMBER, uint32_t, reserved, 1)
struct vgt_policies {
    STATE_MEMBERS(VGT_POLICIES)
};

enum vf_klv_result {
    VF_KLV_OK,
    VF_KLV_UNKNOWN_KEY,
    VF_KLV_BAD_LENGTH,
    VF_KLV_BAD_VALUE,
    VF_KLV_NOT_PROVISIONED
};

/* A VF's query of its own provisioning. */
enum vf_klv_result vf_provisioning_query(const struct vf_provisioning *p, uint32_t key, uint32_t value[2],
                                         uint32_t *length_dw);
/* Applies KLVs. On an error `p` may be changed in part. */
enum vf_klv_result vf_provisioning_apply(struct vf_provisioning *p, const uint32_t *klvs, uint32_t length_dw);
/* Ids, doorbells and GGTT range exist. */
bool vf_provisioning_is_valid(const struct vf_provisioning *p);
/* Two functions share context ids or doorbells. */
bool vf_provisioning_overlaps(const struct vf_provisioning *a, const struct vf_provisioning *b);
/* Contexts or doorbells of `old` are not in `now`. */
bool vf_provisioning_shrinks(const struct vf_provisioning *old, const struct vf_provisioning *now);
uint32_t vf_threshold_key(enum vf_threshold threshold);

/* VGT_POLICY KLVs; on an error `p` may be changed in part. */
enum vf_klv_result vgt_policies_apply(struct vgt_policies *p, const uint32_t *klvs, uint32_t length_dw);

#endif
