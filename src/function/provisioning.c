#include "function/provisioning.h"

#include <string.h>

enum { MAX_MS = 100000, MAX_US = 100000000, MAX_PRIORITY = 2, PAGE_BYTES = 4096 };

/* VF_CFG KLVs. */
#define VF_CFG(name, number, dwords, bound, query)                                                           \
    {                                                                                                        \
        .key = (number), .length_dw = (dwords), .offset = offsetof(struct vf_provisioning, name),            \
        .max = (bound), .vf_may_query = (query)                                                              \
    }
#define THRESHOLD(number, index) VF_CFG(thresholds[index], number, 1, UINT32_MAX, false)
static const struct vf_cfg_klv {
    uint16_t key, length_dw, offset;
    bool vf_may_query;
    uint32_t max; /* of one dword */
} vf_cfg_klvs[] = {
    VF_CFG(ggtt_start, 0x0001, 2, 0, true),
    VF_CFG(ggtt_bytes, 0x0002, 2, 0, true),
    VF_CFG(lmem_bytes, 0x0003, 2, 0, true),
    VF_CFG(context_count, 0x0004, 1, FUNCTION_CONTEXTS - 1, true),
    VF_CFG(doorbell_count, 0x0006, 1, FUNCTION_DOORBELLS, true),
    VF_CFG(exec_quantum_ms, 0x8a01, 1, MAX_MS, false),
    VF_CFG(preempt_timeout_us, 0x8a02, 1, MAX_US, false),
    THRESHOLD(0x8a03, VF_THRESHOLD_CAT_ERR),
    THRESHOLD(0x8a04, VF_THRESHOLD_ENGINE_RESET),
    THRESHOLD(0x8a05, VF_THRESHOLD_PAGE_FAULT),
    THRESHOLD(0x8a06, VF_THRESHOLD_H2G_STORM),
    THRESHOLD(0x8a07, VF_THRESHOLD_IRQ_STORM),
    THRESHOLD(0x8a08, VF_THRESHOLD_DOORBELL_STORM),
    THRESHOLD(0x8a0d, VF_THRESHOLD_MULTI_LRC_COUNT),
    VF_CFG(first_doorbell, 0x8a0a, 1, FUNCTION_DOORBELLS, false),
    VF_CFG(first_context, 0x8a0b, 1, FUNCTION_CONTEXTS - 1, false),
    VF_CFG(sched_priority, 0x8a0c, 1, MAX_PRIORITY, false),
};
enum { VF_CFG_KLVS = sizeof vf_cfg_klvs / sizeof vf_cfg_klvs[0] };

static uint32_t klv_key(uint32_t header)
{
    return header >> 16;
}

static uint32_t klv_length_dw(uint32_t header)
{
    return header & 0xffffu;
}

static const struct vf_cfg_klv *find_vf_cfg(uint32_t key)
{
    for (const struct vf_cfg_klv *k = vf_cfg_klvs; k < vf_cfg_klvs + VF_CFG_KLVS; k++)
        if (k->key == key)
            return k;
    return NULL;
}

enum vf_klv_result vf_provisioning_query(const struct vf_provisioning *p, uint32_t key, uint32_t value[2],
                                         uint32_t *length_dw)
{
    const struct vf_cfg_klv *const k = find_vf_cfg(key);
    if (!k || !k->vf_may_query)
        return VF_KLV_UNKNOWN_KEY;
    if (!p->provisioned)
        return VF_KLV_NOT_PROVISIONED;
    memcpy(value, (const uint8_t *)p + k->offset, k->length_dw * 4u);
    *length_dw = k->length_dw;
    return VF_KLV_OK;
}

enum vf_klv_result vf_provisioning_apply(struct vf_provisioning *p, const uint32_t *klvs, uint32_t length_dw)
{
    for (uint32_t i = 0; i < length_dw; i += 1u + klv_length_dw(klvs[i])) {
        const struct vf_cfg_klv *const k = find_vf_cfg(klv_key(klvs[i]));
        if (!k)
            continue; /* a key of a newer driver */
        if (klv_length_dw(klvs[i]) != k->length_dw)
            return VF_KLV_BAD_LENGTH;
        if (k->length_dw == 1 && klvs[i + 1] > k->max)
            return VF_KLV_BAD_VALUE;
        memcpy((uint8_t *)p + k->offset, klvs + i + 1, k->length_dw * 4u);
    }
    p->provisioned = 1;
    return VF_KLV_OK;
}

bool vf_provisioning_is_valid(const struct vf_provisioning *p)
{
    return p->first_context + p->context_count < FUNCTION_CONTEXTS &&
           p->first_doorbell + p->doorbell_count <= FUNCTION_DOORBELLS && p->ggtt_start <= UINT32_MAX &&
           p->ggtt_bytes <= (UINT64_C(1) << 32) - p->ggtt_start && p->ggtt_start % PAGE_BYTES == 0 &&
           p->ggtt_bytes % PAGE_BYTES == 0;
}

static bool ranges_overlap(uint32_t first, uint32_t count, uint32_t other, uint32_t others)
{
    return count && others && first + count > other && other + others > first;
}

bool vf_provisioning_overlaps(const struct vf_provisioning *a, const struct vf_provisioning *b)
{
    return ranges_overlap(a->first_context, a->context_count, b->first_context, b->context_count) ||
           ranges_overlap(a->first_doorbell, a->doorbell_count, b->first_doorbell, b->doorbell_count);
}

bool vf_provisioning_shrinks(const struct vf_provisioning *old, const struct vf_provisioning *now)
{
    return now->first_context != old->first_context || now->context_count < old->context_count ||
           now->first_doorbell != old->first_doorbell || now->doorbell_count < old->doorbell_count;
}

uint32_t vf_threshold_key(enum vf_threshold threshold)
{
    const struct vf_cfg_klv *k = vf_cfg_klvs;
    while (k->offset != offsetof(struct vf_provisioning, thresholds) + (size_t)threshold * 4u)
        k++;
    return k->key;
}

enum vf_klv_result vgt_policies_apply(struct vgt_policies *p, const uint32_t *klvs, uint32_t length_dw)
{
    enum { SCHED_IF_IDLE = 0x8001, ADVERSE_SAMPLE_PERIOD = 0x8002, RESET_AFTER_VF_SWITCH = 0x8d00 };
    for (uint32_t i = 0; i < length_dw; i += 1u + klv_length_dw(klvs[i])) {
        const uint32_t key = klv_key(klvs[i]);
        uint32_t *const policy = key == SCHED_IF_IDLE           ? &p->sched_if_idle
                                 : key == ADVERSE_SAMPLE_PERIOD ? &p->sample_period_ms
                                 : key == RESET_AFTER_VF_SWITCH ? &p->reset_after_vf_switch
                                                                : NULL;
        if (!policy)
            continue;
        if (klv_length_dw(klvs[i]) != 1)
            return VF_KLV_BAD_LENGTH;
        if (key != ADVERSE_SAMPLE_PERIOD && klvs[i + 1] > 1)
            return VF_KLV_BAD_VALUE;
        *policy = klvs[i + 1];
    }
    return VF_KLV_OK;
}
