/* What a driver does with a GuC: firmware by DMA, the mailbox, buffers of messages. */
#ifndef DRIVER_GUC_H
#define DRIVER_GUC_H

#include <softgt/softgt.h>

#include <stdbool.h>
#include <stdint.h>

/* A firmware file of this GuC, which executes none: a header, and code that is zero. */
enum { DRIVER_FIRMWARE_DW = 4096, DRIVER_FIRMWARE_BYTES = DRIVER_FIRMWARE_DW * 4 };
void driver_firmware(uint32_t dw[DRIVER_FIRMWARE_DW]);

/* What the GuC is booted with; addresses are in the GGTT. */
struct driver_boot {
    uint32_t firmware, bytes; /* as far as they are copied */
    uint32_t log, ads;        /* its first parameter; 0: none */
};
/* Resets the GuC, and has its firmware copied; softgt_run boots it. */
void driver_guc_load(struct softgt *device, const struct driver_boot *b);
bool driver_guc_ready(struct softgt *device);

/* A message by the mailbox; returns the answer's first dword. */
uint32_t driver_guc_mmio_send(struct softgt *device, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3);
/* A value of the GuC's configuration by its key. */
uint32_t driver_guc_self_cfg(struct softgt *device, uint32_t key, uint32_t length_dw, uint64_t value);

/* Buffers of messages, in the order of their keys; descriptors are zeroed by whoever has them. */
struct driver_ctbs {
    uint32_t h2g, h2g_descriptor, h2g_bytes;
    uint32_t g2h, g2h_descriptor, g2h_bytes;
};
bool driver_guc_enable_ct(struct softgt *device, const struct driver_ctbs *b);

#endif
