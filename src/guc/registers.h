/* Offsets of the GuC's registers; values of GUC_STATUS. */
#ifndef GUC_REGISTERS_H
#define GUC_REGISTERS_H

#include "guc/guc.h"

enum {
    GUC_STATUS = 0xc000,
    GUC_JMP_DEST = 0xc004,
    BOOT_HASH_CHK = 0xc010,
    GUC_WOPCM_SIZE = 0xc050,
    GUC_MCR_SELECTOR = 0xc060,
    SOFT_SCRATCH = 0xc180,
    HUC_KERNEL_LOAD_INFO = 0xc1dc,
    DMA_ADDR = 0xc300,
    DMA_COPY_SIZE = 0xc310,
    DMA_CTRL = 0xc314,
    DMA_GUC_WOPCM_OFFSET = 0xc340,
    GUC_CTXT_INFO = 0xc3b8,
    GUC_PDP = 0xc3c0,
    GUC_PPGTT_ENABLE = 0xc3f0,
    GUC_TO_HOST_INTERRUPT = 0xc4b8,
    GUC_HOST_INTR_IIR = 0xc590,
    GUC_DMA_IIR = 0xc594,
    CSB_READ_PORT = 0xc680,
    CSB_FIFO_STATUS = 0xc6c0,
    HUC_STATUS2 = 0xd3b0,
};
enum { MAILBOX_DW = 4 };
enum { DMA_START = 1u << 0, DMA_SWAP = 1u << 1, DMA_GUC_KERNEL = 1u << 4, DMA_HUC_KERNEL = 1u << 9 };

/* GUC_STATUS: authentication 31:30, kernel 15:8, boot ROM 7:1, in reset 0. (Linux, guc_errors_abi.h) */
enum { GUC_ROM_SIGNATURE = 0x50, GUC_ROM_WOPCM = 0x74, GUC_ROM_JUMPED = 0x76 };
enum { GUC_KERNEL_DATA_INVALID = 0x71, GUC_KERNEL_READY = 0xf0 };
enum { GUC_AUTH_BAD = 1, GUC_AUTH_GOOD = 2 };

static inline void guc_status(struct guc *g, uint32_t authentication, uint32_t kernel, uint32_t rom)
{
    guc_register_set(g, GUC_STATUS, authentication << 30 | kernel << 8 | rom << 1);
}

#endif
