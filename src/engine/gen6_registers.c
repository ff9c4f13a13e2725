/*
 * What Gen6's streamers have beside the common ring registers, its page directory registers, and the log of
 * page faults. (REN-01 to REN-21, VCS-01)
 */
#include "engine/execution.h"

enum {
    PP_DCLV = 0x220,
    PP_DIR_BASE = 0x228,
    GEN6_GFX_MODE = 0x2520, /* the render engine's serves all */
    PGTBL_ER = 0x2024,
    PP_PFIR = 0x4510,
    PP_PFD = 0x4580,
    PAGE_FAULT_SLOTS = 32,
};

/* ---- Page directories and page faults ---- */

void gen6_load_page_directory(struct engine *e)
{
    const bool enabled = register_value(e->mmio, GEN6_GFX_MODE) & GFX_MODE_PPGTT;
    e->mmu.root = (struct ppgtt_root){
        .mode = enabled ? PPGTT_IN_GGTT : PPGTT_NONE,
        /* PP_DIR_BASE 31:16 counts cachelines. */
        .directory = {(engine_register(e, PP_DIR_BASE) >> 16) * UINT64_C(64), engine_register(e, PP_DCLV)}};
    mmu_invalidate(&e->mmu);
}

static void directory_written(const struct register_access *at, uint32_t old_value, uint32_t value,
                              uint32_t written)
{
    (void)old_value, (void)value, (void)written;
    gen6_load_page_directory(at->owner);
}

/* A PPGTT fault takes a slot of the log and stalls the engine for good (REN-02). A fault in the GGTT, or in a
 * set of the directory that PP_DCLV does not enable, is a page table error (REN-01, REN-15). */
void gen6_note_fault(struct engine *e, enum space space, uint64_t address, unsigned level)
{
    if (space == SPACE_PPGTT && e->mmu.root.mode == PPGTT_IN_GGTT && level < 2) {
        gen6_log_page_fault(e, address);
        gen6_report_page_faults(e);
    } else {
        register_set(e->mmio, PGTBL_ER, register_value(e->mmio, PGTBL_ER) | 1u << e->info->fault_id);
        engine_error(e, EIR_PAGE_TABLE);
    }
    engine_stop(e, "page fault");
}

bool gen6_log_page_fault(struct engine *e, uint64_t address)
{
    const uint32_t slots = register_value(e->mmio, PP_PFIR);
    if (e->isr & INTERRUPT_PAGE_FAULT || slots == UINT32_MAX) /* in service, or full */
        return false;
    const uint32_t slot = (uint32_t)__builtin_ctz(~slots);
    register_set(e->mmio, PP_PFIR, slots | 1u << slot);
    register_set(e->mmio, PP_PFD + slot * 4u, (uint32_t)address & ~0xfffu);
    return true;
}

void gen6_report_page_faults(struct engine *e)
{
    if (!register_value(e->mmio, PP_PFIR) || e->isr & INTERRUPT_PAGE_FAULT)
        return;
    engine_isr(e, INTERRUPT_PAGE_FAULT, INTERRUPT_PAGE_FAULT);
    engine_interrupt(e, INTERRUPT_PAGE_FAULT);
}

/* All serviced: new faults are logged again. */
static void fault_indication_written(const struct register_access *at, uint32_t old_value, uint32_t value,
                                     uint32_t written)
{
    (void)old_value, (void)written;
    if (!value)
        engine_isr(at->owner, INTERRUPT_PAGE_FAULT, 0);
}

/* ---- The ring's registers ---- */

static void wake(const struct register_access *at, uint32_t old_value, uint32_t value, uint32_t written)
{
    (void)old_value, (void)value, (void)written;
    ((struct engine *)at->owner)->wake = true;
}

/* Sync flush: everything is complete at once; the bit clears itself and ISR's toggles (REN-06, REN-14). Bit
 * 9, the drivers' "TLB invalidate", goes with it. */
static void instpm_written(const struct register_access *at, uint32_t old_value, uint32_t value,
                           uint32_t written)
{
    (void)old_value, (void)written;
    enum { SYNC_FLUSH = 1u << 5, INVALIDATE_TLB = 1u << 9, DISABLES = 0xfu };
    struct engine *e = at->owner;
    if (value & SYNC_FLUSH) {
        if (value & INVALIDATE_TLB)
            mmu_invalidate(&e->mmu);
        engine_isr(e, INTERRUPT_SYNC_STATUS, ~e->isr);
        register_set(at->file, at->offset, value & ~(uint32_t)(SYNC_FLUSH | INVALIDATE_TLB));
    }
    e->skip = (uint8_t)((e->skip & ~(unsigned)SKIP_DISABLED) | (value & DISABLES ? SKIP_DISABLED : 0));
}

/* Another way to NOPID, for use with RC6. (REN-08) */
static void nopid_written(const struct register_access *at, uint32_t old_value, uint32_t value,
                          uint32_t written)
{
    (void)old_value, (void)written;
    engine_register_set(at->owner, NOPID, value);
}

#define ALL 0xffffffffu
/* clang-format off */
static const struct field gfx_mode_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL}, {"Surface Fault Enable", 12, 12, FIELD_BOOL, NULL},
    {"Replay Mode", 11, 11, FIELD_UINT, NULL}, {"Per-Process GTT Enable", 9, 9, FIELD_BOOL, NULL},
};
static const struct field instpm_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL}, {"CLFLUSH Toggle", 11, 11, FIELD_BOOL, NULL},
    {"CONSTANT_BUFFER Address Offset Disable", 6, 6, FIELD_BOOL, NULL}, {"Sync Flush Enable", 5, 5, FIELD_BOOL, NULL},
    {"Blt Instruction Disable", 3, 3, FIELD_BOOL, NULL}, {"3D Rendering Instruction Disable", 2, 2, FIELD_BOOL, NULL},
    {"3D State Instruction Disable", 1, 1, FIELD_BOOL, NULL}, {"Texture Palette Load Instruction Disable", 0, 0, FIELD_BOOL, NULL},
};
static const struct field excc_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL}, {"Pending Indirect State Dirty", 11, 11, FIELD_BOOL, NULL},
    {"Pending Indirect State Counter", 7, 10, FIELD_UINT, NULL}, {"User Defined Condition Codes", 0, 4, FIELD_HEX, NULL},
};
static const struct field eir_fields[] = {
    {"Page Table Error", 4, 4, FIELD_BOOL, NULL}, {"Memory Privilege Violation", 3, 3, FIELD_BOOL, NULL},
    {"Command Privilege Violation", 2, 2, FIELD_BOOL, NULL}, {"Instruction Parser Error", 0, 0, FIELD_BOOL, NULL},
};
static const struct field dir_base_fields[] = {{"Page Directory Base Offset", 16, 31, FIELD_UINT, NULL}};
static const struct field uhptr_fields[] = {{"Head Pointer Address", 3, 31, FIELD_OFFSET, NULL}, {"Head Pointer Valid", 0, 0, FIELD_BOOL, NULL}};

static const struct reg ring_rows[] = {
    {.name = "EXCC", .offset = EXCC, .kind = REG_MASKED, .writable = 0x081f, FIELDS(excc_fields), .after_write = wake, .summary = "Condition codes that MI_WAIT_FOR_EVENT looks at.", .spec = "REN-07"},
    {.name = "IMR", .offset = RING_IMR, .writable = ALL, .reset = ALL, .summary = "Interrupt bits kept from leaving the engine.", .spec = "REN-15"},
    {.name = "EIR", .offset = EIR, .kind = REG_W1C, .writable = EIR_PRIVILEGE | EIR_MEMORY_PRIVILEGE, FIELDS(eir_fields), .after_write = engine_eir_written, .summary = "Errors found and not masked; write 1 to clear. A page table error stays until a reset.", .spec = "REN-15"},
    {.name = "EMR", .offset = EMR, .writable = 0xffff, .reset = ALL, FIELDS(eir_fields), .after_write = engine_emr_written, .summary = "Errors kept out of EIR.", .spec = "REN-15"},
    {.name = "ESR", .offset = ESR, .flags = REG_READ_ONLY, FIELDS(eir_fields), .summary = "Errors present.", .spec = "REN-15"},
    {.name = "INSTPM", .offset = INSTPM, .kind = REG_MASKED, .writable = 0xffff, FIELDS(instpm_fields), .after_write = instpm_written, .summary = "Parser modes: classes of commands not executed, sync flush.", .spec = "REN-06, VCS-03"},
    {.name = "UHPTR", .offset = UHPTR, .writable = 0xfffffff9, FIELDS(uhptr_fields), .summary = "Head pointer that the next MI_ARB_CHECK takes.", .spec = "REN-12, VCS-06"},
    {.name = "BB_PREEMPT_ADDR", .offset = BB_PREEMPT_ADDR, .flags = REG_READ_ONLY, .summary = "MI_ARB_CHECK in a batch that took UHPTR.", .spec = "REN-04"},
    {.name = "RING_BUFFER_HEAD_PREEMPT_REG", .offset = RING_BUFFER_HEAD_PREEMPT_REG, .flags = REG_READ_ONLY, .summary = "Ring head at the last preemption; bit 0: in a batch.", .spec = "REN-04"},
    {.name = "NOPID", .offset = NOPID, .flags = REG_READ_ONLY, .summary = "Identification number of the last MI_NOOP that carried one.", .spec = "REN-08"},
    {.name = "NOPID_RC6", .offset = 0x1ac, .writable = 0xfffff, .after_write = nopid_written, .summary = "Writes bits 19:0 of NOPID.", .spec = "REN-08, REN-32"},
    {.name = "PP_DCLV", .offset = PP_DCLV, .dwords = 2, .writable = ALL, .after_write = directory_written, .summary = "Sets of 16 page directory entries that may be used.", .spec = "REN-01, VCS-01"},
    {.name = "PP_DIR_BASE", .offset = PP_DIR_BASE, .writable = 0xffff0000, FIELDS(dir_base_fields), .after_write = directory_written, .summary = "Cacheline in the GGTT's table where the page directory starts.", .spec = "VCS-01"},
    {.name = "HWS_PGA", .offset = 0x2080, .writable = 0xfffff000, .reset = 0x1ffff000, .summary = "GGTT address of the hardware status page.", .spec = "VCS-02"},
};

static const struct reg render_rows[] = {
    {.name = "PGTBL_ER", .offset = 0x024, .kind = REG_W1C, .writable = 0, .summary = "Engines that met a page table error, by their fault id.", .spec = "REN-15"},
    {.name = "RVSYNC", .offset = 0x040, .writable = ALL, .after_write = wake, .summary = "Semaphore the video engine sets.", .spec = "REN-09"},
    {.name = "RBSYNC", .offset = 0x044, .writable = ALL, .after_write = wake, .summary = "Semaphore the blitter sets.", .spec = "REN-09"},
    {.name = "3D_CHICKEN3", .offset = 0x090, .kind = REG_MASKED, .writable = 0xffff, .summary = "3D workaround bits.", .spec = "SNB PRM vol 1 part 3"},
    {.name = "GT_MODE", .offset = 0x0d0, .kind = REG_MASKED, .writable = 0xffff, .summary = "Modes of the GT.", .spec = "SNB PRM vol 1 part 3"},
    {.name = "CACHE_MODE_0", .offset = 0x120, .kind = REG_MASKED, .writable = 0xffff, .summary = "Render cache modes.", .spec = "SNB PRM vol 1 part 3"},
    {.name = "CACHE_MODE_1", .offset = 0x124, .kind = REG_MASKED, .writable = 0xffff, .summary = "Render cache modes, second part.", .spec = "SNB PRM vol 1 part 3"},
    {.name = "FBC_RT_BASE_ADDR_REGISTER", .offset = 0x128, .writable = 0xfffff003, .summary = "Render target that frame buffer compression watches.", .spec = "REN-09"},
    {.name = "PR_CTR_CTL", .offset = PR_CTR_CTL, .writable = ALL, .reset = 1, .after_write = engine_watchdog_written, .summary = "Watchdog control: 0 starts, 1 stops and clears.", .spec = "REN-13"},
    {.name = "PR_CTR_THRSH", .offset = PR_CTR_THRSH, .writable = ALL, .reset = 0x00145855, .summary = "Watchdog threshold.", .spec = "REN-13"},
    {.name = "CXT_SIZE", .offset = 0x1a0, .writable = ALL, .summary = "Lengths of the parts of a context image.", .spec = "REN-34"},
    {.name = "GFX_MODE", .offset = 0x520, .kind = REG_MASKED, .flags = REG_SURVIVES, .writable = 0x1a00, FIELDS(gfx_mode_fields), .after_write = directory_written, .summary = "Per-process GTT, surface faults, replay.", .spec = "REN-05"},
    {.name = "SO_PRIM_STORAGE_NEEDED", .offset = 0x280, .dwords = 2, .writable = UINT64_MAX, .summary = "Primitives that wanted to be streamed out.", .spec = "REN-17"},
    {.name = "SO_NUM_PRIMS_WRITTEN", .offset = 0x288, .dwords = 2, .writable = UINT64_MAX, .summary = "Primitives streamed out.", .spec = "REN-17"},
    {.name = "PP_PFIR", .offset = PP_PFIR - 0x2000, .kind = REG_W1C, .writable = ALL, .after_write = fault_indication_written, .summary = "Slots of the page fault log that hold a fault.", .spec = "REN-02"},
    {.name = "PP_PFD", .offset = PP_PFD - 0x2000, .count = PAGE_FAULT_SLOTS, .stride = 4, .flags = REG_READ_ONLY, .summary = "Page that was not there.", .spec = "REN-02"},
};

static const struct reg copy_rows[] = {
    {.name = "BRSYNC", .offset = 0x040, .writable = ALL, .after_write = wake, .summary = "Semaphore the render engine sets.", .spec = "REN-09"},
    {.name = "BVSYNC", .offset = 0x044, .writable = ALL, .after_write = wake, .summary = "Semaphore the video engine sets.", .spec = "REN-09"},
};

static const struct reg video_rows[] = {
    {.name = "VBSYNC", .offset = 0x040, .writable = ALL, .after_write = wake, .summary = "Semaphore the blitter sets.", .spec = "VCS-04"},
    {.name = "VRSYNC", .offset = 0x044, .writable = ALL, .after_write = wake, .summary = "Semaphore the render engine sets.", .spec = "VCS-04"},
};
/* clang-format on */

const struct register_block gen6_ring_registers = REGISTER_BLOCK("ring", ring_rows);
const struct register_block gen6_render_registers = REGISTER_BLOCK("render", render_rows);
const struct register_block gen6_copy_registers = REGISTER_BLOCK("copy", copy_rows);
const struct register_block gen6_video_registers = REGISTER_BLOCK("video", video_rows);
