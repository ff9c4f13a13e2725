/*
 * Loading of firmware: the DMA, which the host may use until a kernel runs, and the boot. The firmware is not
 * executed, so only the sizes in its header are checked. (SYS-15)
 */
#include "guc/doorbells.h"
#include "guc/interrupts.h"
#include "guc/log.h"
#include "guc/registers.h"
#include "guc/schedule.h"

#include <string.h>

/* Address spaces of the DMA. 0 means the GGTT as a source, and SRAM as a destination: one driver uses 8 for
 * its kernels, another 0. The numbers of SRAM and PPGTT are our choice: no public document has them. (Linux,
 * xe_uc_fw.c, intel_uc_fw.c) */
enum dma_space {
    SPACE_UNSAID = 0,
    SPACE_SRAM = 6,
    SPACE_WOPCM = 7,
    SPACE_OF_GGTT = 8,
    SPACE_OF_PPGTT = 9,
};
enum { SRAM_FIRST = 0x8000, SRAM_END = GUC_SRAM_END, COPIED_NS_PER_PAGE = 500 };
enum { ENTRY = SRAM_FIRST }; /* entry point of a kernel */

struct dma_end {
    uint64_t address;
    uint32_t space;
};

static struct dma_end dma_end(const struct guc *g, unsigned number)
{
    const uint32_t high = guc_register(g, DMA_ADDR + number * 8u + 4u);
    return (struct dma_end){.address = guc_register(g, DMA_ADDR + number * 8u) | (uint64_t)(high & 0xffffu)
                                                                                     << 32,
                            .space = high >> 16 & 0x1fu};
}

static bool in_memory(uint32_t space)
{
    return space == SPACE_OF_GGTT || space == SPACE_OF_PPGTT;
}

static bool is_space(uint32_t space)
{
    return in_memory(space) || space == SPACE_WOPCM || space == SPACE_SRAM;
}

static bool outside_sram(struct dma_end end, uint32_t bytes)
{
    return end.space == SPACE_SRAM &&
           (end.address < SRAM_FIRST || end.address >= SRAM_END || bytes > SRAM_END - end.address);
}

/* Only the GuC's kernel may cross the end of the SRAM: there the core has WOPCM. */
static bool crosses_sram_end(struct dma_end to, uint32_t bytes, uint32_t control)
{
    return control & DMA_GUC_KERNEL && outside_sram(to, bytes) && to.address >= SRAM_FIRST &&
           to.address < SRAM_END;
}

/* Start of the destination's part of the WOPCM: the HuC's is below the GuC's. */
static uint32_t wopcm_part_start(const struct guc *g)
{
    const uint32_t control = guc_register(g, DMA_CTRL);
    return control & DMA_HUC_KERNEL ? 0 : guc_register(g, DMA_GUC_WOPCM_OFFSET) & ~0x3fffu;
}

static bool outside_wopcm(const struct guc *g, struct dma_end end, uint32_t bytes, uint64_t room)
{
    const uint64_t first = wopcm_part_start(g),
                   all = g->info->wopcm_bytes > first ? g->info->wopcm_bytes - first : 0;
    room = room < all ? room : all;
    return end.space == SPACE_WOPCM && (end.address > room || bytes > room - end.address);
}

/* A kernel that was authenticated and started counts as loaded, even if it failed. (SYS-15) */
static bool kernel_failed(const struct guc *g)
{
    return g->boot.state == GUC_FAILED && guc_register(g, GUC_STATUS) >> 30 == GUC_AUTH_GOOD;
}

/* Why the DMA is refused; NULL: it is legal. The illegal cases are the manual's. */
static const char *dma_error(const struct guc *g, struct dma_end from, struct dma_end to, uint32_t control,
                             uint32_t bytes)
{
    const uint32_t size = guc_register(g, GUC_WOPCM_SIZE), offset = guc_register(g, DMA_GUC_WOPCM_OFFSET);
    const bool kernel = control & (DMA_GUC_KERNEL | DMA_HUC_KERNEL),
               behind = crosses_sram_end(to, bytes, control);
    if (guc_running(g) || g->boot.state == GUC_BOOTING)
        return "a kernel runs: the DMA is its own";
    if (kernel_failed(g))
        return "a loaded kernel has failed: the DMA is its own until the GuC is reset";
    if (!bytes)
        return "the size is 0";
    if ((from.space == SPACE_WOPCM || to.space == SPACE_WOPCM || behind) && !(size & offset & 1u))
        return "size and offset of the WOPCM are not programmed";
    if ((from.address ^ to.address) & 63u)
        return "source and destination have different offsets in their 64 bytes";
    if (kernel && (from.space != SPACE_OF_GGTT ||
                   (to.space != SPACE_WOPCM && (to.space != SPACE_SRAM || !(control & DMA_GUC_KERNEL)))))
        return "a kernel must be copied from the GGTT to the WOPCM; the GuC's may go to the SRAM";
    if (!is_space(from.space))
        return "unknown source address space";
    if (!is_space(to.space))
        return "unknown destination address space";
    if (outside_sram(from, bytes) || (outside_sram(to, bytes) && !behind))
        return "the range crosses the end of the SRAM";
    const uint64_t room = control & DMA_HUC_KERNEL ? offset & ~0x3fffu : size & 0xfffff000u;
    if (behind)
        to.space = SPACE_WOPCM;
    if (outside_wopcm(g, from, bytes, room) || outside_wopcm(g, to, bytes, room))
        return "the range does not fit into the WOPCM";
    if (bytes > g->info->wopcm_bytes)
        return "the size is larger than the GuC's memory";
    return NULL;
}

/* Header of a firmware file (CSS): sizes of its parts, in dwords. */
enum {
    CSS_DW = 32,
    CSS_HEADER_DW = 1,
    CSS_SIZE_DW = 6,
    CSS_KEY_DW = 7,
    CSS_MODULUS_DW = 8,
    CSS_EXPONENT_DW = 9
};

static bool css_is_valid(const uint32_t *css, uint32_t bytes)
{
    const uint64_t header_dw = css[CSS_HEADER_DW], size_dw = css[CSS_SIZE_DW];
    return header_dw == CSS_DW + (uint64_t)css[CSS_KEY_DW] + css[CSS_MODULUS_DW] + css[CSS_EXPONENT_DW] &&
           size_dw > header_dw && (size_dw - header_dw + CSS_DW) * 4u == bytes;
}

static bool all_mapped(struct guc *g, uint64_t address, uint32_t bytes)
{
    struct translation t;
    for (uint64_t at = address & ~UINT64_C(0xfff); at < address + bytes; at += PAGE_BYTES) {
        g->log->cost.ns += COPIED_NS_PER_PAGE;
        if (at > UINT32_MAX || !mmu_translate(&g->functions->mmu, SPACE_GGTT, at, &t))
            return false;
    }
    return true;
}

/* A page of the GuC's own memory: SRAM, then WOPCM. */
static bool copy_own_page(struct guc *g, struct dma_end end, uint32_t at, uint8_t *data, uint32_t bytes,
                          bool write)
{
    const uint64_t address = end.address + at,
                   in_sram = end.space == SPACE_SRAM && address < SRAM_END ? SRAM_END - address : 0;
    if (in_sram && bytes > in_sram)
        return copy_own_page(g, end, at, data, (uint32_t)in_sram, write) &&
               copy_own_page(g, end, at + (uint32_t)in_sram, data + in_sram, bytes - (uint32_t)in_sram,
                             write);
    const uint64_t first = address + (in_sram ? 0 : (uint64_t)SRAM_END + wopcm_part_start(g));
    uint8_t *const own = (uint8_t *)g->sram_and_wopcm.dwords + first;
    if (!write) {
        memcpy(data, own, bytes);
        return true;
    }
    memcpy(own, data, bytes);
    for (uint64_t part = first / 4u / TABLE_PART; part <= (first + bytes - 1u) / 4u / TABLE_PART; part++)
        g->sram_and_wopcm.used[part] = true;
    return true;
}

static bool copy_page(struct guc *g, struct dma_end end, uint32_t at, uint8_t *data, uint32_t bytes,
                      bool write)
{
    const enum space space = end.space == SPACE_OF_GGTT ? SPACE_GGTT : SPACE_PPGTT;
    const uint64_t address = end.address + at;
    if (!in_memory(end.space))
        return copy_own_page(g, end, at, data, bytes, write);
    if (space == SPACE_GGTT && address + bytes - 1u > UINT32_MAX)
        return false;
    return write ? mmu_store(&g->functions->mmu, space, address, data, bytes)
                 : mmu_load(&g->functions->mmu, space, address, data, bytes);
}

static void dma_copy(struct guc *g, struct dma_end from, struct dma_end to, uint32_t bytes)
{
    uint8_t part[PAGE_BYTES];
    for (uint32_t done = 0; done < bytes; done += PAGE_BYTES) {
        const uint32_t now = bytes - done < PAGE_BYTES ? bytes - done : PAGE_BYTES;
        g->log->cost.ns += COPIED_NS_PER_PAGE;
        if (!copy_page(g, from, done, part, now, false) || !copy_page(g, to, done, part, now, true))
            return;
    }
}

static void load_kernel(struct guc *g, struct dma_end from, struct dma_end to, uint32_t bytes)
{
    uint32_t css[CSS_DW] = {0};
    if (bytes < sizeof css || !all_mapped(g, from.address, bytes) ||
        !mmu_load(&g->functions->mmu, SPACE_GGTT, from.address, css, sizeof css) ||
        !css_is_valid(css, bytes)) {
        report_error(g->log, SOFTGT_GUEST_ERROR, g->by.name, from.address,
                     "the loaded image is not GuC firmware");
        guc_status(g, GUC_AUTH_BAD, 0, GUC_ROM_SIGNATURE);
        g->boot.state = GUC_FAILED;
        return;
    }
    dma_copy(g, from, to, bytes);
    guc_status(g, GUC_AUTH_GOOD, 0, GUC_ROM_JUMPED);
    guc_register_set(g, GUC_JMP_DEST, ENTRY);
    g->boot.state = GUC_BOOTING;
}

void guc_update_dma_root(struct guc *g)
{
    const uint32_t context = guc_register(g, GUC_CTXT_INFO);
    struct ppgtt_root root = {.mode = (context >> 3 & 3u) == 3u ? PPGTT_48 : PPGTT_LEGACY_32};
    for (uint32_t i = 0; i < 4; i++)
        root.directory[i] =
            guc_register(g, GUC_PDP + i * 8u) | (uint64_t)guc_register(g, GUC_PDP + i * 8u + 4u) << 32;
    g->functions->mmu.root =
        guc_register(g, GUC_PPGTT_ENABLE) & 1u ? root : (struct ppgtt_root){.mode = PPGTT_NONE};
}

void guc_dma_start(struct guc *g)
{
    const uint32_t control = guc_register(g, DMA_CTRL), bytes = guc_register(g, DMA_COPY_SIZE);
    const bool swapped = control & DMA_SWAP;
    struct dma_end from = dma_end(g, swapped);
    struct dma_end to = dma_end(g, !swapped);
    if (from.space == SPACE_UNSAID)
        from.space = SPACE_OF_GGTT;
    if (to.space == SPACE_UNSAID)
        to.space = SPACE_SRAM;
    const char *const why = dma_error(g, from, to, control, bytes);
    guc_register_set(g, DMA_CTRL, control & ~(uint32_t)DMA_START); /* completes at once */
    if (why) {
        report_error(g->log, SOFTGT_GUEST_ERROR, g->by.name, DMA_CTRL, "DMA refused: %s", why);
        return;
    }
    guc_register_set(g, GUC_DMA_IIR, 1);
    if (control & DMA_HUC_KERNEL) {
        /* Only copied: the GuC's kernel authenticates it later. */
        guc_register_set(g, BOOT_HASH_CHK, guc_register(g, BOOT_HASH_CHK) | 1u << 8);
        if (all_mapped(g, from.address, bytes)) {
            dma_copy(g, from, to, bytes);
            guc_register_set(g, HUC_STATUS2, 1u << 7);
        }
    } else if (control & DMA_GUC_KERNEL) {
        load_kernel(g, from, to, bytes);
    } else {
        dma_copy(g, from, to, bytes);
    }
}

/* Boot parameters, from SOFT_SCRATCH(1) on. */
enum { BOOT_LOG, BOOT_WORKAROUNDS, BOOT_FEATURES, BOOT_DEBUG, BOOT_ADS, BOOT_DEVICE };

static uint32_t boot_parameter(const struct guc *g, unsigned number)
{
    return guc_register(g, SOFT_SCRATCH + 4u + number * 4u);
}

/* Removes the contexts of the last kernel from the engines. (SYS-17) */
static void evict_engines(struct guc *g)
{
    struct switch_report r;
    for (unsigned e = 0; e < g->engine_count && !vfs_are_isolated(g->isolation);
         e++) { /* isolated VFs keep their contexts */
        while (engine_status_pop(&g->engines[e], &r))
            ;
        if (g->engines[e].context.valid || g->engines[e].execlists.pending_valid)
            guc_reset_engine(g, e);
    }
}

void guc_boot(struct guc *g)
{
    uint32_t first;
    g->boot = (struct guc_boot){
        .host_interrupt_pending = g->boot.host_interrupt_pending,
        .log = boot_parameter(g, BOOT_LOG),
        .workarounds = boot_parameter(g, BOOT_WORKAROUNDS),
        .features = boot_parameter(g, BOOT_FEATURES),
        .debug = boot_parameter(g, BOOT_DEBUG),
        .ads = boot_parameter(g, BOOT_ADS) >> 1 << 12,
        .device = boot_parameter(g, BOOT_DEVICE),
    };
    if (g->boot.ads && !guc_load(g->functions, g->boot.ads, &first, sizeof first)) {
        guc_status(g, GUC_AUTH_GOOD, GUC_KERNEL_DATA_INVALID, GUC_ROM_JUMPED);
        g->boot.state = GUC_FAILED;
        return;
    }
    guc_status(g, GUC_AUTH_GOOD, GUC_KERNEL_READY, GUC_ROM_JUMPED);
    g->boot.state = GUC_READY;
    guc_log_init(g);
    evict_engines(g);
    if (!guc_running(g)) /* a write of the save/restore list may reset the GuC */
        return;
    guc_register_set(g, GUC_DMA_IIR, 0);
    guc_interrupts_enable(g);
    guc_doorbells_enable(g);
    guc_service_host_interrupts(g);
}
