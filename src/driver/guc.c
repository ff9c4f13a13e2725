/* What a driver does with a GuC. (SYS-15; Linux, intel_guc_fw.c, guc_klvs_abi.h) */
#include "driver/guc.h"

#include "device/device.h"

#include <string.h>

enum {
    RESET = 0x941c,
    STATUS = 0xc000,
    WOPCM_SIZE = 0xc050,
    SCRATCH = 0xc180,
    DMA = 0xc300,
    WOPCM = 0xc340,
};
enum { SUCCESS = 0xf0000000u >> 28 };

static void guc_register_write(struct softgt *device, uint32_t offset, uint32_t value)
{
    softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static uint32_t guc_register_read(struct softgt *device, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

void driver_firmware(uint32_t dw[DRIVER_FIRMWARE_DW])
{
    enum { CSS_DW = 32, KEY_DW = 64, HEADER_DW = CSS_DW + 2 * KEY_DW + 1 };
    static const uint32_t css[] = {
        6, HEADER_DW, 0x10000, 0, 0x8086, 0, HEADER_DW + DRIVER_FIRMWARE_DW - CSS_DW, KEY_DW, KEY_DW, 1};
    memset(dw, 0, DRIVER_FIRMWARE_BYTES);
    memcpy(dw, css, sizeof css);
}

void driver_guc_load(struct softgt *device, const struct driver_boot *b)
{
    enum { GGTT = 8 << 16, PROTECTED = 7 << 16, AT = 0x2000, START = 0x110011 };
    const uint32_t base = device->gts[b->gt].base;
    guc_register_write(device, base + RESET, 1u << 3);
    guc_register_write(device, base + WOPCM_SIZE, 0x1f3000);
    guc_register_write(device, base + WOPCM, 0x4000);
    for (unsigned i = 1; i < 8; i++)
        guc_register_write(device, base + SCRATCH + i * 4u, i == 1 ? b->log : i == 5 ? b->ads >> 12 << 1 : 0);
    const uint32_t dma[] = {b->firmware, GGTT, AT, PROTECTED, b->bytes, START};
    for (unsigned i = 0; i < sizeof dma / sizeof dma[0]; i++)
        guc_register_write(device, base + DMA + i * 4u, dma[i]);
}

bool driver_gt_guc_ready(struct softgt *device, unsigned gt)
{
    enum { READY = 0x8000f0ec >> 8 & 0xff };
    return (guc_register_read(device, device->gts[gt].base + STATUS) >> 8 & 0xffu) == READY;
}

bool driver_guc_ready(struct softgt *device)
{
    return driver_gt_guc_ready(device, 0);
}

static uint32_t mmio_send(struct softgt *device, unsigned gt, const uint32_t dw[4])
{
    const struct guc_info *const guc = device->gucs[gt].info;
    for (unsigned i = 0; i < 4; i++)
        guc_register_write(device, guc->mailbox + i * 4u, dw[i]);
    guc_register_write(device, guc->host_interrupt, 1);
    return guc_register_read(device, guc->mailbox);
}

uint32_t driver_guc_mmio_send(struct softgt *device, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3)
{
    return mmio_send(device, 0, (const uint32_t[]){d0, d1, d2, d3});
}

static uint32_t self_cfg(struct softgt *device, unsigned gt, uint32_t key, uint32_t length_dw, uint64_t value)
{
    enum { SELF_CFG = 0x508 };
    return mmio_send(
        device, gt,
        (const uint32_t[]){SELF_CFG, key << 16 | length_dw, (uint32_t)value, (uint32_t)(value >> 32)});
}

uint32_t driver_guc_self_cfg(struct softgt *device, uint32_t key, uint32_t length_dw, uint64_t value)
{
    return self_cfg(device, 0, key, length_dw, value);
}

bool driver_guc_enable_ct(struct softgt *device, const struct driver_ctbs *b)
{
    enum { FIRST_KEY = 0x902, CONTROL_CTB = 0x4509 };
    const uint32_t values[] = {b->h2g, b->h2g_descriptor, b->h2g_bytes,
                               b->g2h, b->g2h_descriptor, b->g2h_bytes};
    bool good = true;
    for (uint32_t i = 0; i < 6; i++)
        good = self_cfg(device, b->gt, FIRST_KEY + i, i % 3 == 2 ? 1 : 2, values[i]) >> 28 == SUCCESS && good;
    return good && mmio_send(device, b->gt, (const uint32_t[]){CONTROL_CTB, 1, 0, 0}) >> 28 == SUCCESS;
}
