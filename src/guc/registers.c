/* Registers of the GuC: shim, DMA, mailbox, interrupts between host and GuC. (SYS-13, SYS-15, SYS-16) */
#include "guc/registers.h"

#define LINUX  "Linux, intel_guc_reg.h"
#define MASKED 0xffffu

/* The first write locks the register until power off. */
static void lock_written(const struct register_access *w)
{
    register_set(w->file, w->offset, w->old_value & 1u ? w->old_value : w->value | 1u);
}

static void dma_written(const struct register_access *w)
{
    if (w->value & DMA_START)
        guc_dma_start(w->owner);
}

static void host_interrupt_register_written(const struct register_access *w)
{
    guc_host_interrupt(w->owner);
}

/* The write sets bits in GUC_HOST_INTR_IIR. */
static void host_interrupt_written(const struct register_access *w)
{
    guc_register_set(w->owner, GUC_HOST_INTR_IIR, guc_register(w->owner, GUC_HOST_INTR_IIR) | w->written);
    guc_host_interrupt(((struct guc *)w->owner)->functions);
}

static uint32_t capability_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return ((const struct guc_function *)at->owner)->number != 0;
}

static uint32_t clock_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return (uint32_t)(guc_clock(at->owner) >> at->dword * 32u);
}

/* An entry is read in two halves, the lower one first. The second read removes it. (SYS-17) */
static uint32_t csb_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    struct guc *g = at->owner;
    struct engine *e = at->index < g->engine_count ? &g->engines[at->index] : NULL;
    uint32_t dw[2];
    if (!e || !e->status_fifo.count ||
        vfs_are_isolated(g->isolation)) /* isolated VFs: the statuses are of their contexts, too */
        return 0;
    e->info->status.entry(&e->status_fifo.entries[e->status_fifo.first], dw);
    if (!e->status_fifo.half) {
        e->status_fifo.half = 1;
        return dw[0];
    }
    struct switch_report taken;
    engine_status_pop(e, &taken);
    return dw[1];
}

static uint32_t csb_fifo_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct guc *g = at->owner;
    return at->index < g->engine_count ? g->engines[at->index].status_fifo.count : 0;
}

static void directory_written(const struct register_access *w)
{
    struct guc *g = w->owner;
    guc_update_dma_root(g);
    guc_invalidate_tlbs(g);
}

/* Completes at once. */
static void core_written(const struct register_access *w)
{
    struct guc *g = w->owner;
    guc_invalidate_tlbs(g);
    register_set(w->file, w->offset, 0);
}

/* Invalidates the TLBs of the GuC, and GGTT translations of the engines. */
static void invalidate_written(const struct register_access *w)
{
    struct guc *g = w->owner;
    guc_invalidate_tlbs(g);
    for (unsigned i = 0; i < g->engine_count; i++)
        engine_invalidate_tlb(&g->engines[i]);
    register_set(w->file, w->offset, 0); /* completes at once */
}

static const struct field_value authentications[] = {{"bad", 1}, {"good", 2}, {NULL, 0}};
static const struct field_value kernels[] = {
    {"initial data invalid", GUC_KERNEL_DATA_INVALID}, {"ready", GUC_KERNEL_READY}, {NULL, 0}};
static const struct field_value roms[] = {{"signature wrong", GUC_ROM_SIGNATURE},
                                          {"protected memory wrong", GUC_ROM_WOPCM},
                                          {"jumped to the kernel", GUC_ROM_JUMPED},
                                          {NULL, 0}};
static const struct field status_fields[] = {
    {.name = "Authentication", .first = 30, .last = 31, .values = authentications},
    {.name = "Core", .first = 16, .last = 18, .kind = FIELD_HEX},
    {.name = "Kernel", .first = 8, .last = 15, .kind = FIELD_HEX, .values = kernels},
    {.name = "Boot ROM", .first = 1, .last = 7, .kind = FIELD_HEX, .values = roms},
    {.name = "In Reset", .first = 0, .last = 0, .kind = FIELD_BOOL},
};
static const struct field address_fields[] = {
    {.name = "Address Space", .first = 16, .last = 20, .kind = FIELD_HEX},
    {.name = "Address 47:32", .first = 0, .last = 15, .kind = FIELD_HEX},
};
static const struct field dma_fields[] = {
    {.name = "HuC Kernel", .first = 9, .last = 9, .kind = FIELD_BOOL},
    {.name = "GuC Kernel", .first = 4, .last = 4, .kind = FIELD_BOOL},
    {.name = "Swap Source and Destination", .first = 1, .last = 1, .kind = FIELD_BOOL},
    {.name = "Start", .first = 0, .last = 0, .kind = FIELD_BOOL},
};

#define ALL 0xffffffffu
#define STORED(title, at, bits, text, from)                                                                  \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = (bits), .summary = text, .spec = from                     \
    }
#define KEPT(title, at, text) STORED(title, at, ALL, text, LINUX)
static const struct reg rows[] = {
    {.name = "GUC_STATUS",
     .offset = GUC_STATUS,
     .reset = 1,
     FIELDS(status_fields),
     .summary = "How far the GuC has booted.",
     .spec = "SYS-13"},
    STORED("JMP_DEST", GUC_JMP_DEST, 0, "The address that the boot ROM jumps to. The offset is our choice.",
           "SYS-13"),
    {.name = "MIA_FORCE_FENCE",
     .offset = 0xc008,
     .writable = 1,
     .after_write = core_written,
     .summary = "Waits for the core's accesses; clears itself. The offset is our choice.",
     .spec = "SYS-13"},
    {.name = "MIA_INV_TLB",
     .offset = 0xc00c,
     .writable = 1,
     .after_write = core_written,
     .summary = "Invalidates the core's TLBs; clears itself. The offset is our choice.",
     .spec = "SYS-13"},
    STORED("BOOT_HASH_CHK", BOOT_HASH_CHK, 1u << 31,
           "Bit 8: a HuC kernel was copied. Bit 31: the next boot checks the hash of the last one.",
           "SYS-15"),
    {.name = "GUC_WOPCM_SIZE",
     .offset = GUC_WOPCM_SIZE,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = 0xfffff000u,
     .after_write = lock_written,
     .summary = "Size of the WOPCM; the first write locks it, bit 0.",
     .spec = "SYS-15"},
    KEPT("GUC_SHIM_CONTROL", 0xc064, "Configuration of the shim."),
    KEPT("GUC_SHIM_CONTROL2", 0xc068, "More configuration of the shim."),
    {.name = "SOFT_SCRATCH",
     .offset = SOFT_SCRATCH,
     .count = 16,
     .stride = 4,
     .writable = ALL,
     .summary = "Scratch between software and firmware; from the second on: boot parameters.",
     .spec = "SYS-13"},
    STORED("HUC_KERNEL_LOAD_INFO", HUC_KERNEL_LOAD_INFO, 0,
           "Bit 0: the HuC's kernel was loaded and authenticated.", LINUX),
    {.name = "UOS_RSA_SCRATCH",
     .offset = 0xc200,
     .count = 64,
     .stride = 4,
     .writable = ALL,
     .summary = "The signature of the firmware, or its address in the GGTT.",
     .spec = "SYS-13"},
    STORED("DMA_ADDR_0_LOW", DMA_ADDR, ALL, "Source of the DMA, unless DMA_CTRL swaps the two.", "SYS-15"),
    {.name = "DMA_ADDR_0_HIGH",
     .offset = DMA_ADDR + 4,
     .writable = 0x1fffffu,
     FIELDS(address_fields),
     .summary = "The same: address 47:32, and the address space.",
     .spec = "SYS-15"},
    STORED("DMA_ADDR_1_LOW", DMA_ADDR + 8, ALL, "Destination of the DMA.", "SYS-15"),
    {.name = "DMA_ADDR_1_HIGH",
     .offset = DMA_ADDR + 12,
     .writable = 0x1fffffu,
     FIELDS(address_fields),
     .summary = "The same: address 47:32, and the address space.",
     .spec = "SYS-15"},
    STORED("DMA_COPY_SIZE", DMA_COPY_SIZE, ALL, "Bytes to copy.", "SYS-15"),
    {.name = "DMA_CTRL",
     .offset = DMA_CTRL,
     .kind = REG_MASKED,
     .writable = MASKED,
     FIELDS(dma_fields),
     .after_write = dma_written,
     .summary = "Starts the DMA and says what it copies.",
     .spec = "SYS-15"},
    STORED("DMA_CFG", 0xc318, ALL, "Configuration of the DMA. The offset is our choice.", "SYS-15"),
    {.name = "DMA_GUC_WOPCM_OFFSET",
     .offset = DMA_GUC_WOPCM_OFFSET,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = 0xfffffffeu,
     .after_write = lock_written,
     .summary = "Offset of the WOPCM; the first write locks it, bit 0. Bit 1: this GuC loads the HuC.",
     .spec = "SYS-15"},
    {.name = "GUC_CTXT_INFO",
     .offset = GUC_CTXT_INFO,
     .writable = ALL,
     .after_write = directory_written,
     .summary = "Address space of the DMA: bits 4:3 as in a context descriptor. The order of these registers "
                "is our choice.",
     .spec = "SYS-15"},
    {.name = "GUC_PDP",
     .offset = GUC_PDP,
     .count = 4,
     .stride = 8,
     .dwords = 2,
     .writable = UINT64_MAX,
     .after_write = directory_written,
     .summary = "Page directories of the DMA.",
     .spec = "SYS-15"},
    {.name = "GUC_PPGTT_ENABLE",
     .offset = GUC_PPGTT_ENABLE,
     .writable = 1,
     .after_write = directory_written,
     .summary = "Bit 0: the DMA's PPGTT is enabled.",
     .spec = "SYS-15"},
    KEPT("GUC_MAX_IDLE_COUNT", 0xc3e4, "Idle time of the microcontroller."),
    {.name = "GUCPM_TIMESTAMP",
     .offset = 0xc3e8,
     .dwords = 2,
     .before_read = clock_read,
     .summary = "The GuC's clock.",
     .spec = LINUX},
    STORED("GUC_TO_HOST_INTERRUPT", GUC_TO_HOST_INTERRUPT, 0,
           "Reason of the firmware's last interrupt to the host; the host cannot write it.", "SYS-16"),
    {.name = "HOST_TO_GUC_INTERRUPT",
     .offset = 0xc4c8,
     .writable = ALL,
     .after_write = host_interrupt_written,
     .summary = "Interrupts the GuC.",
     .spec = "SYS-16"},
    STORED("GUC_HOST_INTR_IIR", GUC_HOST_INTR_IIR, 0,
           "Reasons of the host's interrupts, until the GuC services them.", "SYS-16"),
    {.name = "GUC_DMA_IIR",
     .offset = GUC_DMA_IIR,
     .w1c = 1,
     .summary = "Bit 0: the DMA has completed, until the GuC services it. The offset is our choice.",
     .spec = "SYS-16"},
    {.name = "CSB_READ_PORT",
     .offset = CSB_READ_PORT,
     .count = GUC_ENGINES,
     .stride = 4,
     .flags = REG_READ_HAS_EFFECT,
     .before_read = csb_read,
     .summary = "Next context status of each engine, read in two halves. The offset is our choice.",
     .spec = "SYS-17"},
    {.name = "CSB_FIFO_STATUS",
     .offset = CSB_FIFO_STATUS,
     .count = GUC_ENGINES,
     .stride = 4,
     .before_read = csb_fifo_read,
     .summary = "Number of context statuses. The offset is our choice.",
     .spec = "SYS-17"},
    KEPT("GUC_SEM_INTR_ENABLES", 0xc71c, "Enables of semaphore interrupts to the GuC."),
    {.name = "GUC_TLB_INV_CR",
     .offset = 0xcee8,
     .writable = 1,
     .after_write = invalidate_written,
     .summary = "Invalidates the TLBs of the GGTT; clears itself.",
     .spec = LINUX},
    STORED("HUC_STATUS2", HUC_STATUS2, 0, "Bit 7: the HuC's kernel was loaded.", "SYS-15"),
    KEPT("GT_PM_CONFIG", 0x13816c, "Bit 0: the frequency follows the GuC's doorbells."),
};

#define MAILBOX(interrupt, at)                                                                               \
    {.name = "GUC_HOST_INTERRUPT",                                                                           \
     .offset = (interrupt),                                                                                  \
     .writable = ALL,                                                                                        \
     .after_write = host_interrupt_register_written,                                                         \
     .summary = "Any write: interrupts the GuC for a message.",                                              \
     .spec = LINUX},                                                                                         \
    {                                                                                                        \
        .name = "GUC_MAILBOX", .offset = (at), .count = MAILBOX_DW, .stride = 4, .writable = ALL,            \
        .summary = "A request to the GuC, then its reply.", .spec = LINUX                                    \
    }
static const struct reg function_rows[] = {
    MAILBOX(GUC_HOST_INTERRUPT, GUC_MAILBOX),
    {.name = "VF_CAP",
     .offset = 0x1901f8,
     .before_read = capability_read,
     .summary = "Bit 0: this is a VF.",
     .spec = "Linux, xe_guc_regs.h"},
};
static const struct reg media_function_rows[] = {
    MAILBOX(GUC_MEDIA_HOST_INTERRUPT, GUC_MEDIA_MAILBOX),
};

const struct register_block guc_registers = REGISTER_BLOCK("guc", rows);
const struct register_block guc_function_registers = REGISTER_BLOCK("guc", function_rows);
const struct register_block guc_media_function_registers = REGISTER_BLOCK("guc", media_function_rows);
