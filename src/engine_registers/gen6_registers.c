/*
 * What Gen6's streamers have beside the common ring registers, and its page directory registers. (REN-01 to
 * REN-25, VCS-01)
 */
#include "engine_registers/engine_registers.h"

#include "engine/execution.h"
#include "engine/statistics.h"

/* ---- Page directories ---- */

struct ppgtt_root gen6_page_directory(const struct engine *e)
{
    const bool enabled = register_value(e->mmio, e->info->gfx_mode_register) & GFX_MODE_PPGTT;
    return (struct ppgtt_root){
        .mode = enabled ? PPGTT_IN_GGTT : PPGTT_NONE,
        /* PP_DIR_BASE 31:16 counts cachelines. */
        .directory = {(engine_register(e, PP_DIR_BASE) >> 16) * UINT64_C(64), engine_register(e, PP_DCLV)}};
}

static void directory_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    e->mmu.root = gen6_page_directory(e);
    engine_invalidate_tlb(e);
}

/* The render engine's register serves all engines. */
static void gfx_mode_written(const struct register_access *w)
{
    const struct engine *e = w->owner;
    for (unsigned i = 0; i < e->peers.count; i++)
        engine_derive_page_directory(&e->peers.engines[i]);
}

/* The video engine's manual has the base at another place. */
uint32_t gen6_directory_alias_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return engine_register(at->owner, PP_DIR_BASE);
}

void gen6_directory_alias_written(const struct register_access *w)
{
    engine_register_set(w->owner, PP_DIR_BASE, w->value);
    directory_written(w);
}

/* No context of its keeps a batch; the video streamer's does by other registers. */
const struct batch_registers gen6_batch_registers[] = {{0, 0, 0}};
const struct batch_registers gen75_batch_registers[] = {
    {BB_ADDR, BB_ADDR_UDW, BB_STATE}, {SBB_ADDR, SBB_ADDR_UDW, SBB_STATE}, {0, 0, 0}};

/* ---- The ring's registers ---- */

/* Indirect state pointers seen. */
static uint64_t indirect_seen(const struct engine *e)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < INDIRECT_MAX && e->commands.indirect_state[i]; i++)
        sum += e->commands.counts[e->commands.indirect_state[i]];
    return sum;
}

static void flushed(struct engine *e)
{
    e->status.indirect_mark = indirect_seen(e);
}

/* Pending since the last flush: dirty bit 11, their number, as far as it fits, in 10:7. (REN-07) */
static uint32_t excc_read(const struct register_access *at, uint32_t stored)
{
    const struct engine *e = at->owner;
    const uint64_t pending = indirect_seen(e) - e->status.indirect_mark;
    return (stored & 0x1fu) | (pending ? 1u << 11 : 0) | (uint32_t)(pending < 15 ? pending : 15) << 7;
}

/* A sync flush is complete when all that was parsed is: the bit clears itself and ISR's toggles. Bit 9, the
 * drivers' "TLB invalidate", goes with it. (REN-06, REN-14, VCS-03) */
static void sync_flush(struct engine *e)
{
    enum { SYNC_FLUSH = 1u << 5, INVALIDATE_TLB = 1u << 9 };
    const uint32_t value = engine_register(e, INSTPM);
    if (!(value & SYNC_FLUSH) || engine_register(e, MI_MODE) & MI_MODE_SUSPEND_FLUSH)
        return;
    if (!engine_is_drained(e)) { /* time alone may end it: an idle engine, too, is looked at then */
        e->parse.reschedule |= engine_is_busy(e);
        return;
    }
    if (value & INVALIDATE_TLB)
        engine_invalidate_tlb(e);
    engine_isr(e, INTERRUPT_SYNC_STATUS, ~e->status.isr);
    if (e->status.isr & INTERRUPT_SYNC_STATUS)
        engine_interrupt(e, INTERRUPT_SYNC_STATUS);
    engine_register_set(e, INSTPM, value & ~(uint32_t)(SYNC_FLUSH | INVALIDATE_TLB));
    flushed(e);
}

const struct flush_info gen6_flush = {.flushed = flushed, .drained = sync_flush};

static void instpm_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    engine_derive_skip(e);
    sync_flush(e);
}

/* The ring is looked at again, as far as UHPTR, which it may have reached. */
static void head_may_pass(struct engine *e)
{
    stream_seek(e, 0, stream_address(e, 0));
    ring_invalidate_uhptr(e);
}

static void pending_head_written(const struct register_access *w)
{
    head_may_pass(w->owner);
}

/* Performs a flush that MI_SUSPEND_FLUSH delayed. */
static void mode_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    e->parse.reschedule = true;
    stream_refetch(e);
    head_may_pass(e);
    sync_flush(e);
}

/* Another way to NOPID, for use with RC6. (REN-08) */
static void nopid_written(const struct register_access *w)
{
    engine_register_set(w->owner, NOPID, w->value);
}

/* Software can take the current context away, too. (REN-34) */
static void ccid_written(const struct register_access *w)
{
    struct engine *e = w->owner;
    e->context.current = (struct context_descriptor){w->value, 0};
    e->context.valid = w->value & 1u;
}

#define ALL 0xffffffffu
static const struct field gfx_mode_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Surface Fault Enable", 12, 12, FIELD_BOOL, NULL},
    {"Replay Mode", 11, 11, FIELD_UINT, NULL},
    {"Per-Process GTT Enable", 9, 9, FIELD_BOOL, NULL},
};
static const struct field gen7_gfx_mode_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Flush TLB Invalidation Mode", 13, 13, FIELD_BOOL, NULL},
    {"Replay Mode", 11, 11, FIELD_UINT, NULL},
    {"Per-Process GTT Enable", 9, 9, FIELD_BOOL, NULL},
};
static const struct field instpm_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"CLFLUSH Toggle", 11, 11, FIELD_BOOL, NULL},
    {"CONSTANT_BUFFER Address Offset Disable", 6, 6, FIELD_BOOL, NULL},
    {"Sync Flush Enable", 5, 5, FIELD_BOOL, NULL},
    {"Blt Instruction Disable", 3, 3, FIELD_BOOL, NULL},
    {"3D Rendering Instruction Disable", 2, 2, FIELD_BOOL, NULL},
    {"3D State Instruction Disable", 1, 1, FIELD_BOOL, NULL},
    {"Texture Palette Load Instruction Disable", 0, 0, FIELD_BOOL, NULL},
};
static const struct field mi_mode_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Suspend Flush", 15, 15, FIELD_BOOL, NULL},
    {"MI_FLUSH Enable", 12, 12, FIELD_BOOL, NULL},
    {"Invalidate UHPTR Enable", 11, 11, FIELD_BOOL, NULL},
    {"Ring Idle", 9, 9, FIELD_BOOL, NULL},
    {"Stop Ring", 8, 8, FIELD_BOOL, NULL},
};
static const struct field excc_fields[] = {
    {"Mask", 16, 31, FIELD_HEX, NULL},
    {"Pending Indirect State Dirty", 11, 11, FIELD_BOOL, NULL},
    {"Pending Indirect State Counter", 7, 10, FIELD_UINT, NULL},
    {"User Defined Condition Codes", 0, 4, FIELD_HEX, NULL},
};
static const struct field eir_fields[] = {
    {"Page Table Error", 4, 4, FIELD_BOOL, NULL},
    {"Memory Privilege Violation", 3, 3, FIELD_BOOL, NULL},
    {"Command Privilege Violation", 2, 2, FIELD_BOOL, NULL},
    {"Instruction Parser Error", 0, 0, FIELD_BOOL, NULL},
};
static const struct field dir_base_fields[] = {{"Page Directory Base Offset", 16, 31, FIELD_UINT, NULL}};
static const struct field uhptr_fields[] = {{"Head Pointer Address", 3, 31, FIELD_OFFSET, NULL},
                                            {"Head Pointer Valid", 0, 0, FIELD_BOOL, NULL}};

static const struct reg ring_rows[] = {
    {.name = "EXCC",
     .offset = EXCC,
     .kind = REG_MASKED,
     .writable = 0x001f,
     FIELDS(excc_fields),
     .before_read = excc_read,
     .after_write = engine_wake,
     .summary = "Condition codes that MI_WAIT_FOR_EVENT looks at.",
     .spec = "REN-07"},
    {.name = "IMR",
     .offset = RING_IMR,
     .writable = ALL,
     .reset = ALL,
     .summary = "Interrupt bits kept from leaving the engine.",
     .spec = "REN-15"},
    {.name = "EIR",
     .offset = EIR,
     .w1c = EIR_INSTRUCTION | EIR_PRIVILEGE | EIR_MEMORY_PRIVILEGE,
     FIELDS(eir_fields),
     .after_write = engine_eir_written,
     .summary = "Errors found and not masked; write 1 to clear. A page table error stays until a reset.",
     .spec = "REN-15, VCS-08"},
    {.name = "EMR",
     .offset = EMR,
     .writable = 0xffff,
     .reset = ALL,
     FIELDS(eir_fields),
     .after_write = engine_emr_written,
     .summary = "Errors kept out of EIR.",
     .spec = "REN-15"},
    {.name = "ESR", .offset = ESR, FIELDS(eir_fields), .summary = "Errors present.", .spec = "REN-15"},
    {.name = "INSTPM",
     .offset = INSTPM,
     .kind = REG_MASKED,
     .writable = 0xffff,
     FIELDS(instpm_fields),
     .after_write = instpm_written,
     .summary = "Parser modes: classes of commands not executed, sync flush.",
     .spec = "REN-06, VCS-03"},
    {.name = "MI_MODE",
     .offset = MI_MODE,
     .kind = REG_MASKED,
     .writable = 0xfdff,
     FIELDS(mi_mode_fields),
     .before_read = engine_mode_read,
     .after_write = mode_written,
     .summary = "Stop and idle bits of the ring, parser modes.",
     .spec = "REN-31, VCS-03"},
    {.name = "UHPTR",
     .offset = UHPTR,
     .writable = 0xfffffff9,
     FIELDS(uhptr_fields),
     .after_write = pending_head_written,
     .summary = "Head pointer that the next MI_ARB_CHECK takes.",
     .spec = "REN-12, VCS-03, VCS-06"},
    {.name = "BB_PREEMPT_ADDR",
     .offset = BB_PREEMPT_ADDR,
     .summary = "MI_ARB_CHECK in a batch that took UHPTR.",
     .spec = "REN-04"},
    {.name = "RING_BUFFER_HEAD_PREEMPT_REG",
     .offset = RING_BUFFER_HEAD_PREEMPT_REG,
     .summary = "Ring head at the last preemption; bit 0: in a batch.",
     .spec = "REN-04"},
    {.name = "NOPID",
     .offset = NOPID,
     .summary = "Identification number of the last MI_NOOP that carried one.",
     .spec = "REN-08"},
    {.name = "NOPID_RC6",
     .offset = 0x1ac,
     .writable = 0xfffff,
     .after_write = nopid_written,
     .summary = "Writes bits 19:0 of NOPID.",
     .spec = "REN-08, REN-32"},
    {.name = "PP_DCLV",
     .offset = PP_DCLV,
     .dwords = 2,
     .writable = ALL,
     .after_write = directory_written,
     .summary = "Sets of 16 page directory entries that may be used.",
     .spec = "REN-01, VCS-01"},
    {.name = "PP_DIR_BASE",
     .offset = PP_DIR_BASE,
     .writable = 0xffff0000,
     FIELDS(dir_base_fields),
     .after_write = directory_written,
     .summary = "Cacheline in the GGTT's table where the page directory starts.",
     .spec = "VCS-01"},
};

static const struct reg status_page_rows[] = {
    {.name = "HWS_PGA",
     .offset = 0,
     .writable = 0xfffff000,
     .reset = 0x1ffff000,
     .summary = "GGTT address of the hardware status page.",
     .spec = "VCS-02"},
};

/* ---- Gen7: what moved, and what is new ---- */

static const struct reg gen7_ring_rows[] = {
    {.name = "EIR",
     .offset = EIR,
     .w1c = EIR_PRIVILEGE | EIR_MEMORY_PRIVILEGE,
     FIELDS(eir_fields),
     .after_write = engine_eir_written,
     .summary = "Errors found and not masked; write 1 to clear. Instruction and page table errors stay until "
                "a reset.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "GFX_MODE",
     .offset = GFX_MODE,
     .kind = REG_MASKED,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = 0x2a00,
     .reset = 0x2800,
     FIELDS(gen7_gfx_mode_fields),
     .after_write = gfx_mode_written,
     .summary = "Per-process GTT, replay mode.",
     .spec = "IVB PRM vol 1 part 3"},
};

static const struct reg gen7_render_rows[] = {
    {.name = "RVSYNC",
     .offset = 0x040,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the video engine sets.",
     .spec = "REN-09"},
    {.name = "RBSYNC",
     .offset = 0x044,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the blitter sets.",
     .spec = "REN-09"},
    {.name = "RVESYNC",
     .offset = 0x048,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the enhancement engine sets.",
     .spec = "HSW PRM vol 2c"},
    {.name = "FF_SLICE_CHICKEN",
     .offset = 0x088,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Fixed function workaround bits.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "3D_CHICKEN3",
     .offset = 0x090,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "3D workaround bits.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "FF_THREAD_MODE",
     .offset = 0x0a0,
     .writable = ALL,
     .summary = "Thread modes of the fixed functions.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "CSFE_CHICKEN1",
     .offset = 0x0d4,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Front end workaround bits.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "FF_SLICE_CS_CHICKEN1",
     .offset = 0x0e0,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Command streamer workaround bits.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "PR_CTR_CTL",
     .offset = PR_CTR_CTL,
     .writable = ALL,
     .reset = 1,
     .after_write = engine_watchdog_written,
     .summary = "Watchdog control: 0 starts, 1 stops and clears.",
     .spec = "REN-13"},
    {.name = "PR_CTR_THRSH",
     .offset = PR_CTR_THRSH,
     .writable = ALL,
     .reset = 0x00145855,
     .summary = "Watchdog threshold.",
     .spec = "REN-13"},
    {.name = "CCID",
     .offset = CCID,
     .writable = 0xfffff10d,
     .after_write = ccid_written,
     .summary = "Current context; bit 0 valid.",
     .spec = "REN-34"},
    /* A part of 127 cachelines, and one of 63. */
    {.name = "CXT_SIZE",
     .offset = 0x1a8,
     .writable = ALL,
     .reset = 127u << 9 | 63u,
     .summary = "Lengths of the parts of a context image, in cachelines.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "HS_INVOCATION_COUNT",
     .offset = HS_INVOCATION_COUNT,
     .dwords = 2,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "Hull shader invocations.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "DS_INVOCATION_COUNT",
     .offset = DS_INVOCATION_COUNT,
     .dwords = 2,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "Domain shader invocations.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "GPGPU_THREADS_DISPATCHED",
     .offset = 0x290,
     .dwords = 2,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "GPGPU threads dispatched.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "GPGPU_DISPATCHDIM",
     .offset = 0x500,
     .count = 3,
     .stride = 4,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "Indirect dispatch: X, Y, Z.",
     .spec = "IVB PRM vol 1 part 3"},
};

static const struct reg gen7_copy_rows[] = {
    {.name = "BRSYNC",
     .offset = 0x040,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the render engine sets.",
     .spec = "REN-09"},
    {.name = "BVSYNC",
     .offset = 0x044,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the video engine sets.",
     .spec = "REN-09"},
    {.name = "BVESYNC",
     .offset = 0x048,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the enhancement engine sets.",
     .spec = "HSW PRM vol 2c"},
    {.name = "BCS_SWCTRL",
     .offset = 0x200,
     .kind = REG_MASKED,
     .flags = REG_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Tile Y bits of source and destination.",
     .spec = "IVB PRM vol 1 part 4"},
};

static const struct reg gen7_video_rows[] = {
    {.name = "VVESYNC",
     .offset = SYNC_2,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the enhancement engine sets.",
     .spec = "HSW PRM vol 2c"},
    {.name = "VCS_THRSH",
     .offset = PR_CTR_THRSH,
     .writable = ALL,
     .reset = 0x00150000,
     .summary = "Watchdog threshold in clocks.",
     .spec = "VCS-07, IVB PRM vol 1 part 5"},
};

static const struct reg gen75_enhance_rows[] = {
    {.name = "VEBSYNC",
     .offset = SYNC_0,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the blitter sets.",
     .spec = "HSW PRM vol 2c"},
    {.name = "VERSYNC",
     .offset = SYNC_1,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the render engine sets.",
     .spec = "HSW PRM vol 2c"},
    {.name = "VEVSYNC",
     .offset = SYNC_2,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the video engine sets.",
     .spec = "HSW PRM vol 2c"},
};

static const struct reg gen7_global_rows[] = {
    {.name = "SO_NUM_PRIMS_WRITTEN",
     .offset = SO_NUM_PRIMS_WRITTEN,
     .count = 4,
     .stride = 8,
     .dwords = 2,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "Primitives streamed out, by stream.",
     .spec = "IVB PRM vol 2 part 1"},
    {.name = "SO_PRIM_STORAGE_NEEDED",
     .offset = SO_PRIM_STORAGE_NEEDED,
     .count = 4,
     .stride = 8,
     .dwords = 2,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "Primitives that wanted to be, by stream.",
     .spec = "IVB PRM vol 2 part 1"},
    {.name = "SO_WRITE_OFFSET",
     .offset = SO_WRITE_OFFSET,
     .count = 4,
     .stride = 4,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xfffffffc,
     .summary = "Write offset of stream-out buffers.",
     .spec = "IVB PRM vol 2 part 1"},
    {.name = "CACHE_MODE_0",
     .offset = 0x7000,
     .kind = REG_MASKED,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Render cache modes.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "CACHE_MODE_1",
     .offset = 0x7004,
     .kind = REG_MASKED,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Render cache modes, second part.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "GT_MODE",
     .offset = 0x7008,
     .kind = REG_MASKED,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Slice hashing modes.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "COMMON_SLICE_CHICKEN1",
     .offset = 0x7010,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Slice workaround bits.",
     .spec = "IVB PRM vol 1 part 3"},
    {.name = "L3SQCREG1",
     .offset = 0xb010,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "L3 super queue modes.",
     .spec = "IVB PRM vol 1 part 7"},
    {.name = "L3SQCREG4",
     .offset = 0xb030,
     .count = 4,
     .stride = 4,
     .writable = ALL,
     .summary = "L3 super queue modes, scratch.",
     .spec = "IVB PRM vol 1 part 7"},
    {.name = "L3CNTLREG1",
     .offset = 0xb01c,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "L3 modes.",
     .spec = "IVB PRM vol 1 part 7"},
    {.name = "L3CNTLREG2",
     .offset = 0xb020,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "Partition of the L3 cache.",
     .spec = "IVB PRM vol 1 part 7"},
    {.name = "L3CNTLREG3",
     .offset = 0xb024,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = ALL,
     .summary = "Partition of the L3 cache, second part.",
     .spec = "IVB PRM vol 1 part 7"},
};

static const struct reg gen75_render_rows[] = {
    {.name = "MI_PREDICATE_RESULT_2",
     .offset = 0x214,
     .writable = ALL,
     .summary = "Bit 0: both slices are there.",
     .spec = "HSW PRM vol 2c"},
    {.name = "MI_PREDICATE_RESULT_1",
     .offset = 0x41c,
     .writable = ALL,
     .summary = "The predicate of MI_SET_PREDICATE.",
     .spec = "HSW PRM vol 2c"},
    {.name = "CS_GPR",
     .offset = 0x600,
     .count = 16,
     .stride = 8,
     .dwords = 2,
     .flags = REG_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "General purpose registers.",
     .spec = "HSW PRM vol 2c"},
};

static const struct reg render_rows[] = {
    {.name = "IMR",
     .offset = RING_IMR,
     .writable = 0x1dd,
     .reset = ALL,
     .summary = "Interrupt bits kept from leaving the engine; reserved ones stay 1.",
     .spec = "REN-15"},
    {.name = "RVSYNC",
     .offset = 0x040,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the video engine sets.",
     .spec = "REN-09"},
    {.name = "RBSYNC",
     .offset = 0x044,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the blitter sets.",
     .spec = "REN-09"},
    {.name = "3D_CHICKEN3",
     .offset = 0x090,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "3D workaround bits.",
     .spec = "SNB PRM vol 1 part 3"},
    {.name = "GT_MODE",
     .offset = 0x0d0,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Modes of the GT.",
     .spec = "SNB PRM vol 1 part 3"},
    {.name = "CACHE_MODE_0",
     .offset = 0x120,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Render cache modes.",
     .spec = "SNB PRM vol 1 part 3"},
    {.name = "CACHE_MODE_1",
     .offset = 0x124,
     .kind = REG_MASKED,
     .writable = 0xffff,
     .summary = "Render cache modes, second part.",
     .spec = "SNB PRM vol 1 part 3"},
    {.name = "FBC_RT_BASE_ADDR_REGISTER",
     .offset = 0x128,
     .writable = 0xfffff003,
     .summary = "Render target that frame buffer compression watches.",
     .spec = "REN-09"},
    {.name = "PR_CTR_CTL",
     .offset = PR_CTR_CTL,
     .writable = ALL,
     .reset = 1,
     .after_write = engine_watchdog_written,
     .summary = "Watchdog control: 0 starts, 1 stops and clears.",
     .spec = "REN-13"},
    {.name = "PR_CTR_THRSH",
     .offset = PR_CTR_THRSH,
     .writable = ALL,
     .reset = 0x00145855,
     .summary = "Watchdog threshold.",
     .spec = "REN-13"},
    {.name = "CCID",
     .offset = CCID,
     .writable = 0xfffff001,
     .after_write = ccid_written,
     .summary = "Current context; bit 0 valid.",
     .spec = "REN-34"},
    {.name = "CXT_SIZE",
     .offset = 0x1a0,
     .writable = ALL,
     .reset = 0x000002bf,
     .summary = "Lengths of the parts of a context image.",
     .spec = "REN-34"},
    {.name = "GFX_MODE",
     .offset = 0x520,
     .kind = REG_MASKED,
     .flags = REG_SURVIVES_ENGINE_RESET,
     .writable = 0x1a00,
     FIELDS(gfx_mode_fields),
     .after_write = gfx_mode_written,
     .summary = "Per-process GTT, surface faults, replay.",
     .spec = "REN-05"},
    {.name = "MI_PREDICATE_RESULT",
     .offset = MI_PREDICATE_RESULT,
     .summary = "The predicate.",
     .spec = "REN-20"},
    {.name = "SO_PRIM_STORAGE_NEEDED",
     .offset = GEN6_SO_PRIM_STORAGE_NEEDED,
     .dwords = 2,
     .summary = "Primitives that wanted to be streamed out.",
     .spec = "REN-17"},
    {.name = "SO_NUM_PRIMS_WRITTEN",
     .offset = GEN6_SO_NUM_PRIMS_WRITTEN,
     .dwords = 2,
     .summary = "Primitives streamed out.",
     .spec = "REN-17"},
};

static const struct reg copy_rows[] = {
    {.name = "BRSYNC",
     .offset = 0x040,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the render engine sets.",
     .spec = "REN-09"},
    {.name = "BVSYNC",
     .offset = 0x044,
     .writable = ALL,
     .after_write = engine_wake,
     .summary = "Semaphore the video engine sets.",
     .spec = "REN-09"},
    {.name = "BCS_SWCTRL",
     .offset = 0x200,
     .kind = REG_MASKED,
     .flags = REG_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Tile Y bits of source and destination.",
     .spec = "CSP-07, SNB PRM vol 1 part 5"},
};

const struct register_block gen6_ring_registers = REGISTER_BLOCK("ring", ring_rows);
const struct register_block gen6_status_page_registers = REGISTER_BLOCK("status page", status_page_rows);
const struct register_block gen7_ring_registers = REGISTER_BLOCK("ring", gen7_ring_rows);
const struct register_block gen7_render_registers = REGISTER_BLOCK("render", gen7_render_rows);
const struct register_block gen7_copy_registers = REGISTER_BLOCK("copy", gen7_copy_rows);
const struct register_block gen7_video_registers = REGISTER_BLOCK("video", gen7_video_rows);
const struct register_block gen75_enhance_registers = REGISTER_BLOCK("enhance", gen75_enhance_rows);
const struct register_block gen7_global_render_registers = REGISTER_BLOCK("render", gen7_global_rows);
const struct register_block gen75_render_registers = REGISTER_BLOCK("render", gen75_render_rows);
const struct register_block gen6_render_registers = REGISTER_BLOCK("render", render_rows);
const struct register_block gen6_copy_registers = REGISTER_BLOCK("copy", copy_rows);
