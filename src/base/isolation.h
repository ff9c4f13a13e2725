/*
 * Isolation of virtual functions (VFs) from the physical one (PF). Without it the PF driver is the
 * administrator: it provisions VFs and may access everything. With it the host is: VFs are served whatever
 * the PF driver does, and the PF accesses its own part only. The device owns the policy; memory, registers,
 * engines and the GuC ask it.
 */
#ifndef BASE_ISOLATION_H
#define BASE_ISOLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vf_isolation {
    bool is_enabled;
    uint64_t pf_ggtt_bytes;  /* of the GGTT's table: the PF has the first so many bytes */
    uint64_t pf_local_bytes; /* the same of local memory; 0: all */
    uint32_t vf_registers_start, vf_registers_end; /* registers of VFs */
};
/* Of a device without isolated VFs. */
extern const struct vf_isolation no_vf_isolation;

static inline bool vfs_are_isolated(const struct vf_isolation *i)
{
    return i->is_enabled;
}

/* The PF may access the bytes of the GGTT's table. */
static inline bool pf_has_ggtt_entry(const struct vf_isolation *i, uint64_t offset, size_t size_bytes)
{
    return !i->is_enabled || (offset < i->pf_ggtt_bytes && size_bytes <= i->pf_ggtt_bytes - offset);
}

/* How much of local memory the PF has. */
static inline uint64_t pf_local_memory(const struct vf_isolation *i, uint64_t local_bytes)
{
    return i->pf_local_bytes ? i->pf_local_bytes : local_bytes;
}

/* The register belongs to an isolated VF. */
static inline bool is_isolated_vf_register(const struct vf_isolation *i, uint32_t offset)
{
    return offset - i->vf_registers_start < i->vf_registers_end - i->vf_registers_start;
}

#endif
