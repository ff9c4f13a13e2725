/*
 * The SR-IOV capability of the PF, with the other extended capabilities of a PF with VFs: ARI, VF Resizable
 * BAR, Advanced Error Reporting. It says how many VFs there may be and how many are enabled. With isolated
 * VFs the PF does not show it, and the host enables all VFs. (SYS-01; PCI Express SR-IOV 1.1)
 */
#ifndef FUNCTION_SRIOV_H
#define FUNCTION_SRIOV_H

#include "base/report.h"
#include "base/state.h"
#include "function/config_bytes.h"

enum {
    SRIOV_CONFIG = 0x110, /* offset in the PF's configuration space */
    SRIOV_CONFIG_BYTES = 0xb0,
};

struct sriov {
    /* Set at creation. */
    unsigned total_vfs; /* 0: the product has no VFs, or none were requested */
    uint16_t vf_device_id;
    uint64_t registers_bar_bytes, local_bytes;

    uint8_t bytes[SRIOV_CONFIG_BYTES], writable[SRIOV_CONFIG_BYTES];
    uint8_t sticky[SRIOV_CONFIG_BYTES]; /* sticky bits over a function-level reset */
    bool keeps_sticky;
    uint64_t local_bar_bytes; /* of each VF */
};

void sriov_reset(struct sriov *s);
/* The next reset is a function-level one: sticky bits survive. */
void sriov_keep_sticky(struct sriov *s);
/* Makes the writable bits follow VF Enable. */
void sriov_settle(struct sriov *s);
void sriov_state(struct sriov *s, struct state *state);

unsigned sriov_vfs_enabled(const struct sriov *s);
/* VF MSE: memory space of VFs is enabled. */
bool sriov_memory_enabled(const struct sriov *s);
/* Enables all VFs, with BARs for so much local memory. */
void sriov_enable_all(struct sriov *s, uint64_t vf_local_bytes);

/* Offsets in the PF's configuration space. */
uint8_t sriov_read(const struct sriov *s, uint32_t offset);
void sriov_write(struct sriov *s, struct device_log *log, uint32_t offset, uint32_t value,
                 unsigned size_bytes);
/* The extended capability of a VF: ARI. */
uint32_t sriov_vf_ari_header(void);

#endif
