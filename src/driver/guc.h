/* What a driver does with a GuC: loads firmware by DMA, sends mailbox messages, sets up message buffers. */
#ifndef DRIVER_GUC_H
#define DRIVER_GUC_H

#include <softgt/softgt.h>

#include <stdbool.h>
#include <stdint.h>

/* A firmware file for this GuC, which does not execute it: a header, and zeros as code. */
enum { DRIVER_FIRMWARE_DW = 4096, DRIVER_FIRMWARE_BYTES = DRIVER_FIRMWARE_DW * 4 };
void driver_firmware(uint32_t dw[DRIVER_FIRMWARE_DW]);

/* Boot parameters of the GuC. Addresses are in the GGTT. */
struct driver_boot {
    uint32_t firmware, bytes; /* address, and bytes to copy */
    uint32_t log, ads; /* the log parameter, and the address of the additional data structure; 0: none */
    unsigned gt;       /* whose GuC; the same below */
};
/* Resets the GuC and starts the DMA of its firmware. softgt_run boots it. */
void driver_guc_load(struct softgt *device, const struct driver_boot *b);
bool driver_guc_ready(struct softgt *device);
bool driver_gt_guc_ready(struct softgt *device, unsigned gt);

/* Sends a mailbox message. Returns the first dword of the response. */
uint32_t driver_guc_mmio_send(struct softgt *device, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3);
/* Sets a value of the GuC's own configuration by its key. */
uint32_t driver_guc_self_cfg(struct softgt *device, uint32_t key, uint32_t length_dw, uint64_t value);

/* Message buffers, in the order of their keys. The caller zeroes the descriptors. */
struct driver_ctbs {
    uint32_t h2g, h2g_descriptor, h2g_bytes;
    uint32_t g2h, g2h_descriptor, g2h_bytes;
    unsigned gt;
};
bool driver_guc_enable_ct(struct softgt *device, const struct driver_ctbs *b);

#endif
