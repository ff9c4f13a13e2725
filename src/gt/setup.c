/*
 * Registers that firmware and drivers set up once: workaround bits, caching tables, clock gates. They affect
 * nothing in the model. They keep their values, because drivers verify them. (SNB PRM vol 1 part 3; SKL, ICL
 * PRM vol 2c; offsets as in Linux)
 */
#include "gt/gt.h"

/* Locked by the first write. */
static void lock_written(const struct register_access *w)
{
    register_set(w->file, w->offset, w->old_value & 1u ? w->old_value : w->value | 1u);
}

/* With its valid bit a fault goes whole. (IVB PRM vol 1 part 3, 1.1.19.22) */
static void fault_written(const struct register_access *w)
{
    if (!(w->value & 1u))
        register_set(w->file, w->offset, 0);
}

#define KEPT(title, at, text, source)                                                                        \
    {                                                                                                        \
        .name = (title), .offset = (at), .writable = 0xffffffff, .summary = (text), .spec = (source)         \
    }
#define KEPT_ARRAY(title, at, number, text, source)                                                          \
    {                                                                                                        \
        .name = (title), .offset = (at), .count = (number), .stride = 4, .writable = 0xffffffff,             \
        .summary = (text), .spec = (source)                                                                  \
    }
#define KEPT_MASKED(title, at, text, source)                                                                 \
    {                                                                                                        \
        .name = (title), .offset = (at), .kind = REG_MASKED, .writable = 0xffff, .summary = (text),          \
        .spec = (source)                                                                                     \
    }
/* Masked, and Mesa or Intel's OpenCL writes it from its batches, where the driver of Linux does not open it
 * by FORCE_TO_NONPRIV: the render engine lets it through. */
#define USER_MASKED(title, at, text, source)                                                                 \
    {                                                                                                        \
        .name = (title), .offset = (at), .kind = REG_MASKED, .flags = REG_RENDER_NONPRIV_WRITE,              \
        .writable = 0xffff, .summary = (text), .spec = (source)                                              \
    }
#define READS(title, at, value, text, source)                                                                \
    {                                                                                                        \
        .name = (title), .offset = (at), .reset = (value), .summary = (text), .spec = (source)               \
    }
/* DERRMR masks display events for engines. It has no effect: engines read the display's state while they
 * wait. */
#define ANSWERS(source)                                                                                      \
    {                                                                                                        \
        .name = "DERRMR", .offset = 0x44050, .reset = 0xffffffff, .writable = 0xffffffff,                    \
        .summary = "Masks display events for engines. The mask has no effect.", .spec = (source)             \
    }
#define SNB "SNB PRM vol 1 part 3"
#define IVB "IVB PRM vol 1 part 3"
#define BDW "BDW PRM vol 2c"
#define SKL "SKL PRM vol 2c"
#define ICL "ICL PRM vol 2c"
#define TGL "TGL PRM vol 2c"

static const struct reg gen6_rows[] = {
    {.name = "GAM_ECOCHK",
     .offset = 0x4090,
     .writable = 0xffffffff,
     .summary = "Memory interface workaround bits.",
     .spec = "SNB PRM vol 1 part 3"},
    READS("RING_FAULT_RCS", 0x4094, 0, "Fault of the render ring: none is reported here.", SNB),
    READS("RING_FAULT_VCS", 0x4194, 0, "Fault of the video ring: none is reported here.", SNB),
    READS("RING_FAULT_BCS", 0x4294, 0, "Fault of the blitter ring: none is reported here.", SNB),
    READS("RING_FAULT_VECS", 0x4394, 0, "Fault of a ring that is not there.", SNB),
    KEPT("UCGCTL1", 0x9400, "Clock gates.", SNB),
    KEPT("UCGCTL2", 0x9404, "Clock gates.", SNB),
    KEPT("GAC_ECO_BITS", 0x14090, "Memory interface workaround bits.", SNB),
    KEPT("GAB_CTL", 0x24000, "Memory interface workaround bits.", SNB),
    READS("ERROR", 0x40a0, 0, "Errors of the main arbiter: none.", SNB),
    READS("DONE_REG", 0x40b0, 0xffffffff, "Units of the main arbiter that are done: all.", SNB),
    ANSWERS(SNB),
};

static const struct reg gen7_rows[] = {
    KEPT("PGTBL_ER", 0x2024, "Errors of the page tables: none.", IVB),
    KEPT("GAM_ECOCHK", 0x4090, "Memory interface workaround bits.", IVB),
    {.name = "RING_FAULT",
     .offset = 0x4094,
     .count = 4,
     .stride = 0x100,
     .writable = 0xffffffff,
     .after_write = fault_written,
     .summary = "The first fault of an engine: render, video, blitter, enhancement.",
     .spec = IVB},
    READS("ERROR", 0x40a0, 0, "Errors of the main arbiter: none.", IVB),
    READS("DONE_REG", 0x40b0, 0xffffffff, "Units of the main arbiter that are done: all.", IVB),
    READS("SC_INSTDONE", 0x7100, 0xffffffff, "Units of the slice that are done: all.", IVB),
    KEPT("MBCUNIT_SNPCR", 0x900c, "Share of the last level cache.", IVB),
    KEPT("SQ_CHICKEN_MBCUNIT_CONFIG", 0x9030, "Memory interface workaround bits.", IVB),
    KEPT("UCGCTL1", 0x9400, "Clock gates.", IVB),
    KEPT("UCGCTL2", 0x9404, "Clock gates.", IVB),
    KEPT("UCGCTL4", 0x940c, "Clock gates.", IVB),
    KEPT("MISCCPCTL", 0x9424, "Clock gates.", IVB),
    KEPT("GAC_ECO_BITS", 0x14090, "Memory interface workaround bits.", IVB),
    KEPT("GAB_CTL", 0x24000, "Memory interface workaround bits.", IVB),
    {.name = "PVINFO",
     .offset = 0x78000,
     .dwords = 2,
     .summary = "No hypervisor's information page is here.",
     .spec = IVB},
    KEPT_MASKED("HALF_SLICE_CHICKEN1", 0xe100, "Half-slice workaround bits.", IVB),
    READS("SAMPLER_INSTDONE", 0xe160, 0xffffffff, "Units of the sampler that are done: all.", IVB),
    READS("ROW_INSTDONE", 0xe164, 0xffffffff, "Units of the row that are done: all.", IVB),
    KEPT_MASKED("HALF_SLICE_CHICKEN3", 0xe184, "Half-slice workaround bits.", IVB),
    KEPT_MASKED("ROW_CHICKEN", 0xe4f0, "Execution unit workaround bits.", IVB),
    KEPT_MASKED("ROW_CHICKEN2", 0xe4f4, "Execution unit workaround bits.", IVB),
    KEPT_MASKED("ROW_CHICKEN2_GT2", 0xf4f4, "Execution unit workaround bits of the second half-slice.", IVB),
    READS("EDRAM_CAP", 0x120010, 0, "No embedded memory.", IVB),
    READS("GT_THREAD_STATUS", 0x13805c, 0, "Wake state of the GT thread: awake.", IVB),
    READS("MAD_DIMM", 0x145004, 0, "Memory modules. It reads as zero: none is modelled.", IVB),
    READS("MAD_DIMM_1", 0x145008, 0,
          "Memory modules of the second channel. It reads as zero: none is modelled.", IVB),
    READS("SSKPD", 0x145d10, 0, "Latencies of memory. It reads as zero: memory has no latency in this model.",
          IVB),
};

/* There is a display: where drivers see it fused off they do not set the master bit of its interrupts, which
 * is everyone's. No port has anything at its end. */
static const struct reg gen7_display_rows[] = {
    KEPT("DISPLAY_CHICKEN1", 0x42000, "Display workaround bits.", IVB),
    KEPT("DISPLAY_CHICKEN3", 0x4200c, "Display workaround bits.", IVB),
    READS("FUSE_STRAP", 0x42014, 0, "Bit 31: there is no display.", IVB),
    KEPT("DSPCLK_GATE_D", 0x42020, "Display clock gates.", IVB),
    {.name = "FPGA_DBG",
     .offset = 0x42300,
     .w1c = 0x80000000,
     .summary = "Bit 31: an access nobody claimed; never set.",
     .spec = IVB},
    KEPT("DISP_ARB_CTL", 0x45000, "Display arbiter.", IVB),
    KEPT("MSG_CTL", 0x45010, "Whether resets wait for the south display.", IVB),
    KEPT("NDE_RSTWRN_OPT", 0x46408, "Handshake of display resets.", IVB),
    KEPT("SOUTH_CHICKEN2", 0xc2004, "South display workaround bits.", IVB),
    READS("SFUSE_STRAP", 0xc2014, 1u << 13, "Bit 13: fuses are read. Ports of the south display: none.", IVB),
    KEPT("SOUTH_DSPCLK_GATE_D", 0xc2020, "South display clock gates.", IVB),
    KEPT("RAWCLK_FREQ", 0xc6204, "Divider of the south display's clock.", IVB),
    ANSWERS(IVB),
};

static const struct field sc_instdone_fields[] = {
    {"SVL Done", 0, 0, FIELD_BOOL, NULL},      {"WMFE Done", 1, 1, FIELD_BOOL, NULL},
    {"WMBE Done", 2, 2, FIELD_BOOL, NULL},     {"HIZ Done", 3, 3, FIELD_BOOL, NULL},
    {"STC Done", 4, 4, FIELD_BOOL, NULL},      {"IZ Done", 5, 5, FIELD_BOOL, NULL},
    {"SBE Done", 6, 6, FIELD_BOOL, NULL},      {"RCZ Done", 8, 8, FIELD_BOOL, NULL},
    {"RCC Done", 9, 9, FIELD_BOOL, NULL},      {"RCPBE Done", 10, 10, FIELD_BOOL, NULL},
    {"RCPFE Done", 11, 11, FIELD_BOOL, NULL},  {"DAPB Done", 12, 12, FIELD_BOOL, NULL},
    {"DAPRBE Done", 13, 13, FIELD_BOOL, NULL}, {"SARB Done", 15, 15, FIELD_BOOL, NULL},
    {"DC0 Done", 16, 16, FIELD_BOOL, NULL},    {"DC1 Done", 17, 17, FIELD_BOOL, NULL},
    {"DC2 Done", 18, 18, FIELD_BOOL, NULL},    {"DC3 Done", 19, 19, FIELD_BOOL, NULL},
    {"GW0 Done", 20, 20, FIELD_BOOL, NULL},    {"GW1 Done", 21, 21, FIELD_BOOL, NULL},
    {"GW2 Done", 22, 22, FIELD_BOOL, NULL},    {"GW3 Done", 23, 23, FIELD_BOOL, NULL},
    {"TDC Done", 24, 24, FIELD_BOOL, NULL},
};

static const struct reg gen8_rows[] = {
    KEPT("PGTBL_ER", 0x2024, "Errors of the page tables: none.", SKL),
    USER_MASKED("3D_CHICKEN3", 0x2090, "Pipeline workaround bits.", SKL),
    KEPT_MASKED("CSFE_CHICKEN1", 0x20d4, "Front end workaround bits.", SKL),
    KEPT("GAMT_ECO_REG_RW_IA", 0x4ab0, "Memory interface workaround bits.", SKL),
    KEPT("L3_LRA_1_GPGPU", 0x4dd4, "L3 allocation.", SKL),
    READS("RC6_CTX_INFO", 0x8504, 0x1000, "Firmware has set up memory for the power context.", SKL),
    KEPT("MCR_SELECTOR", 0xfdc, "Which copy of a register is accessed.", SKL),
    KEPT("MISCCPCTL", 0x9424, "Clock gates.", SKL),
    KEPT_ARRAY("L3_CONTROL", 0xb000, 8, "L3 modes.", SKL),
    KEPT_ARRAY("L3SQC", 0xb100, 13, "L3 super queue modes.", SKL),
    KEPT_ARRAY("L3SQC_138", 0xb138, 8, "L3 super queue modes, second part.", SKL),
    KEPT_ARRAY("L3SQC_15C", 0xb15c, 9, "L3 super queue modes, third part.", SKL),
    {.name = "PVINFO",
     .offset = 0x78000,
     .dwords = 2,
     .summary = "No hypervisor's information page is here.",
     .spec = SKL},
    READS("EDRAM_CAP", 0x120010, 0, "No embedded memory.", SKL),
    {.name = "TD_CTL",
     .offset = 0xe400,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Thread dispatch: debug control.",
     .spec = SKL},
    {.name = "TD_CTL2",
     .offset = 0xe404,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffffffff,
     .summary = "Thread dispatch: debug control, second part.",
     .spec = SKL},
    {.name = "SC_INSTDONE",
     .offset = 0x7100,
     .reset = 0xffffffff,
     FIELDS(sc_instdone_fields),
     .summary = "Units of the slice that are done: all.",
     .spec = BDW},
    READS("SAMPLER_INSTDONE", 0xe160, 0xffffffff, "Units of the sampler that are done: all.", BDW),
    READS("ROW_INSTDONE", 0xe164, 0xffffffff, "Units of the row that are done: all.", BDW),
};

/* Where Gen12 has others: GLOBAL_MOCS, L3ALLOC. */
static const struct reg gen8_memory_rows[] = {
    KEPT("GTT_CACHE_EN", 0x4024, "Page table caches.", SKL),
    KEPT("GAMW_ECO_DEV_RW_IA", 0x4080, "Memory interface workaround bits.", SKL),
    KEPT("GAM_ECOCHK", 0x4090, "Memory interface workaround bits.", SKL),
    KEPT_ARRAY("PAT_INDEX", 0x40e0, 8, "Caching of memory by the page attribute.", SKL),
    KEPT("L3SQC_134", 0xb134, "L3 super queue modes, between the other parts.", SKL),
    KEPT("L3SQC_158", 0xb158, "L3 super queue modes, between the other parts.", SKL),
    READS("ERROR", 0x40a0, 0, "Errors of the main arbiter: none.", BDW),
    READS("DONE_REG", 0x40b0, 0xffffffff, "Units of the main arbiter that are done: all.", BDW),
};

static const struct reg gen8_own_rows[] = {
    KEPT_MASKED("FF_SLICE_CHICKEN", 0x2088, "Fixed function workaround bits.", BDW),
    KEPT("FF_THREAD_MODE", 0x20a0, "Fixed function workaround bits.", BDW),
    KEPT_MASKED("HDC_CHICKEN0", 0x7300, "Data cache workaround bits.", BDW),
    KEPT_MASKED("HALF_SLICE_CHICKEN3", 0xe184, "Subslice workaround bits.", BDW),
    KEPT_MASKED("ROW_CHICKEN", 0xe4f0, "Execution unit workaround bits.", BDW),
    KEPT_MASKED("ROW_CHICKEN2", 0xe4f4, "Execution unit workaround bits.", BDW),
    KEPT("UCGCTL1", 0x9400, "Clock gates.", BDW),
    KEPT("UCGCTL6", 0x9430, "Clock gates.", BDW),
    READS("GT_THREAD_STATUS", 0x13805c, 0, "Wake state of the GT thread: awake.", BDW),
};

static const struct reg gen9_rows[] = {
    KEPT_MASKED("FF_SLICE_CHICKEN", 0x2088, "Fixed function workaround bits.", SKL),
    KEPT_MASKED("HDC_CHICKEN0", 0x7300, "Data cache workaround bits.", SKL),
    KEPT_MASKED("HALF_SLICE_CHICKEN2", 0xe180, "Subslice workaround bits.", SKL),
    KEPT_MASKED("HALF_SLICE_CHICKEN3", 0xe184, "Subslice workaround bits.", SKL),
    KEPT_MASKED("HALF_SLICE_CHICKEN5", 0xe188, "Subslice workaround bits.", SKL),
    KEPT_MASKED("ROW_CHICKEN", 0xe4f0, "Execution unit workaround bits.", SKL),
    KEPT("MMCD_MISC_CTRL", 0x4ddc, "Memory compression workaround bits.", SKL),
    KEPT("UCGCTL4", 0x940c, "Clock gates.", SKL),
};

static const struct reg gen11_rows[] = {
    KEPT("GAMT_CHKN_BIT_REG", 0x4ab8, "Memory interface workaround bits.", ICL),
    KEPT("GACB_PERF_CTRL", 0x4b80, "Memory interface workaround bits.", ICL),
    KEPT_ARRAY("MSG_IDLE", 0x8000, 64, "Idle messages of the engines: nothing pending.", ICL),
    KEPT("UNSLICE_UNIT_LEVEL_CLKGATE", 0x9434, "Clock gates.", ICL),
    KEPT("SLICE_UNIT_LEVEL_CLKGATE", 0x94d4, "Clock gates.", ICL),
    KEPT("UNSLICE_UNIT_LEVEL_CLKGATE2", 0x94e4, "Clock gates.", ICL),
    KEPT("SUBSLICE_UNIT_LEVEL_CLKGATE", 0x9524, "Clock gates.", ICL),
    KEPT("DFR_RATIO_EN_AND_CHICKEN", 0x9550, "Frequency ratio workaround bits.", ICL),
    KEPT("GLBLINVL", 0xb404, "L3 workaround bits.", ICL),
    KEPT("LSN_UNSLCVC", 0xb43c, "L3 workaround bits.", ICL),
    KEPT_ARRAY("PCU_INTERRUPT", 0x444e0, 2, "Power control unit interrupts: status and mask.", ICL),
    {.name = "PCU_INTERRUPT_IIR",
     .offset = 0x444e8,
     .w1c = 0xffffffff,
     .summary = "Power control unit interrupts, write 1 to clear.",
     .spec = ICL},
    KEPT("PCU_INTERRUPT_IER", 0x444ec, "Power control unit interrupts: enable.", ICL),
    KEPT_MASKED("SLICE_COMMON_ECO_CHICKEN1", 0x731c, "Slice workaround bits.", ICL),
    KEPT("TCCNTLREG_MASK", 0x7020, "Slice workaround bits.", ICL),
    KEPT("TCCNTLREG_MASK_1", 0x7024, "Slice workaround bits, second part.", ICL),
    KEPT_MASKED("SAMPLER_CHICKEN", 0xe420, "Sampler workaround bits.", ICL),
    USER_MASKED("ROW_CHICKEN_4", 0xe48c, "Execution unit workaround bits.", ICL),
};

/* A client that uses them finds nothing where they lead. Without tables there are none to use. */
enum { TRTT_L3_BASE = 0x8 };
static void tiled_resources_written(const struct register_access *w)
{
    const struct gt *gt = w->owner;
    if (w->value & ~w->old_value & 1u && register_value(w->file, w->offset + TRTT_L3_BASE))
        report_error(gt->log, SOFTGT_NOT_MODELLED, "gt", w->offset,
                     "tables of tiled resources are not modelled: what is bound by them is not there");
}

#define TILED_RESOURCES(unit, at, of)                                                                        \
    {.name = unit "_TRTT_CR",                                                                                \
     .offset = (at),                                                                                         \
     .flags = REG_RENDER_NONPRIV_WRITE,                                                                      \
     .writable = 1,                                                                                          \
     .after_write = tiled_resources_written,                                                                 \
     .summary = "Bit 0: tables of tiled resources are in use by " of ".",                                    \
     .spec = MESA},                                                                                          \
        {.name = unit "_TRTT_L3_BASE",                                                                       \
         .offset = (at) + TRTT_L3_BASE,                                                                      \
         .count = 2,                                                                                         \
         .stride = 4,                                                                                        \
         .flags = REG_RENDER_NONPRIV_WRITE,                                                                  \
         .writable = 0xffffffff,                                                                             \
         .summary = "Where the tables of " of " begin.",                                                     \
         .spec = MESA},                                                                                      \
        {.name = unit "_TRTT_NULL",                                                                          \
         .offset = (at) + 0x10,                                                                              \
         .flags = REG_RENDER_NONPRIV_WRITE,                                                                  \
         .writable = 0xffffffff,                                                                             \
         .summary = "Entry of a tile that is empty.",                                                        \
         .spec = MESA},                                                                                      \
    {                                                                                                        \
        .name = unit "_TRTT_INVAL", .offset = (at) + 0x14, .flags = REG_RENDER_NONPRIV_WRITE,                \
        .writable = 0xffffffff, .summary = "Entry of a tile that is invalid.", .spec = MESA                  \
    }
#define TILED_RESOURCES_RANGE(unit, at, bits, text)                                                          \
    {                                                                                                        \
        .name = unit "_TRTT_VA_RANGE", .offset = (at) + 0x4, .flags = REG_RENDER_NONPRIV_WRITE,              \
        .writable = (bits), .summary = text, .spec = MESA                                                    \
    }
/* None in RC6. */
static uint32_t performance_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct gt *const gt = at->owner;
    enum { FREQUENCY = 11 };
    return rc6_asleep(gt) ? 0 : gt_frequency(gt) << FREQUENCY;
}

#define MESA "Mesa, genxml"
/* Mesa writes some from its batches, where the driver of Linux does not open them by FORCE_TO_NONPRIV. */
static const struct reg gen12_setup_rows[] = {
    TILED_RESOURCES("GFX", 0x4400, "the render engine"),
    TILED_RESOURCES("BLT", 0x4480, "the blitter"),
    TILED_RESOURCES("COMP_CTX0", 0x4580, "the compute engine"),
    {.name = "FF_MODE2",
     .offset = 0x6604,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffffffff,
     .summary = "Timers of the fixed functions.",
     .spec = TGL},
    KEPT("CHICKEN_5584", 0x5584, "Workaround bits that the driver of Linux sets.", TGL),
    KEPT_MASKED("HIZ_CHICKEN", 0x7018, "Depth workaround bits.", TGL),
    KEPT_MASKED("COMMON_SLICE_CHICKEN4", 0x7300, "Slice workaround bits.", TGL),
    KEPT_MASKED("ROW_CHICKEN2", 0xe4f4, "Execution unit workaround bits.", TGL),
    {.name = "L3ALLOC",
     .offset = 0xb134,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffffffff,
     .summary = "Partition of the L3 cache.",
     .spec = TGL},
    KEPT_ARRAY("PAT_INDEX", 0x4800, 8, "Caching of memory by the page attribute.", TGL),
    READS("SC_INSTDONE_EXTRA", 0x7104, 0xffffffff, "Units of the slice that are done, second part.", TGL),
    READS("SC_INSTDONE_EXTRA2", 0x7108, 0xffffffff, "Units of the slice that are done, third part.", TGL),
    READS("GAM_DONE", 0xcf68, 0xffffffff, "Units of the memory arbiter that are done: all.", TGL),
    {.name = "GT_PERF_STATUS",
     .offset = 0x1381b4,
     .before_read = performance_read,
     .summary = "Bits 19:11: the frequency there is, in 16.7 MHz; 10:0: the voltage, which is not measured.",
     .spec = "Linux, intel_rps, xe_guc_pc"},
    {.name = "AUX_ERR_DBG",
     .offset = 0x43f4,
     .summary = "Errors of tables of auxiliary surfaces, of which there are none.",
     .spec = TGL},
    {.name = "SFC_DONE",
     .offset = 0x1cc000,
     .count = 2,
     .stride = 0x1000,
     .reset = 0xffffffff,
     .summary = "Units of a scaler that are done: all.",
     .spec = TGL},
};

#define TILED_RESOURCES_RANGES(bits, text)                                                                   \
    TILED_RESOURCES_RANGE("GFX", 0x4400, bits, text), TILED_RESOURCES_RANGE("BLT", 0x4480, bits, text),      \
        TILED_RESOURCES_RANGE("COMP_CTX0", 0x4580, bits, text)
static const struct reg gen12_tiled_range_rows[] = {
    TILED_RESOURCES_RANGES(0xff, "Addresses that they are for: value and mask of the highest bits.")};
static const struct reg gen200_tiled_range_rows[] = {
    TILED_RESOURCES_RANGES(0x1fff, "Addresses that they are for: their highest bits.")};

/* Where Gen12.5 has L3SQCREG5. */
static const struct reg gen12_own_rows[] = {
    KEPT("L3SQC_158", 0xb158, "L3 super queue modes, between the other parts.", TGL),
};

/* Crystal clocks, of which a timestamp has two. (Linux, guc_update_pm_timestamp: shifted as RPM_CONFIG0 says)
 */
static uint32_t clocks_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const struct gt *gt = at->owner;
    const uint64_t clocks = engine_ticks(gt->log->now_ns, gt->engines[0].info->timestamp_hz * 2u);
    return (uint32_t)(at->dword ? clocks >> 32 : clocks);
}

#define LINUX "Linux, intel_gt_regs"
#define STATUS(title, at, text)                                                                              \
    {                                                                                                        \
        .name = title, .offset = (at), .summary = text, .spec = LINUX                                        \
    }
#define STATUS_ARRAY(title, at, number, text)                                                                \
    {                                                                                                        \
        .name = title, .offset = (at), .count = (number), .stride = 4, .summary = text, .spec = LINUX        \
    }
static const struct reg gen125_setup_rows[] = {
    {.name = "FUSE_STATUS",
     .offset = 0x42000,
     .reset = 0x8ffc0000,
     .summary = "Fuses are read, and distributed to each power gate, those of the pipes too.",
     .spec = "Linux, intel_display_power_well"},
    USER_MASKED("CHICKEN_RASTER_1", 0x6204, "Raster workaround bits.", LINUX),
    USER_MASKED("CHICKEN_RASTER_2", 0x6208, "Raster workaround bits, second part.", LINUX),
    READS("INSTDONE_GEOM_SVG", 0x666c, 0xffffffff, "Units of the geometry pipe that are done: all.", LINUX),
    KEPT_MASKED("PSS_MODE2", 0x703c, "Modes of pixel dispatch.", LINUX),
    KEPT_MASKED("PSS_CHICKEN", 0x7044, "Pixel dispatch workaround bits.", LINUX),
    KEPT_MASKED("VF_PREEMPTION", 0x83a4, "Vertices behind which vertex fetch may be preempted.", LINUX),
    KEPT_MASKED("VFG_PREEMPTION_CHICKEN", 0x83b4, "Preemption workaround bits of vertex fetch.", LINUX),
    KEPT("SQCM", 0x8724, "Workaround bits of the super queue.", LINUX),
    STATUS("SFC_ENABLE", 0x911c, "Fuses: scalers that media engines share; what is not there tells no more."),
    {.name = "MISC_STATUS",
     .offset = 0xa500,
     .dwords = 2,
     .before_read = clocks_read,
     .summary = "Clocks of the crystal.",
     .spec = LINUX},
    KEPT("L3NODEARBCFG", 0xb0b4, "Arbitration of L3 nodes.", LINUX),
    {.name = "L3SQCREG5",
     .offset = 0xb158,
     .flags = REG_RENDER_NONPRIV_WRITE,
     .writable = 0xffffffff,
     .summary = "Modes of the L3 cache's queues, fifth part.",
     .spec = LINUX},
    KEPT("L3SCQREG7", 0xb188, "Modes of the L3 cache's queues, seventh part.", LINUX),
    KEPT("RENDER_MOD_CTRL", 0xcf2c, "Modes of the render engine's translations.", LINUX),
    KEPT("COMP_MOD_CTRL", 0xcf30, "Modes of compute engines' translations.", LINUX),
    KEPT("VDBX_MOD_CTRL", 0xcf34, "Modes of video engines' translations.", LINUX),
    KEPT("VEBX_MOD_CTRL", 0xcf38, "Modes of enhancement engines' translations.", LINUX),
    KEPT("GAMCNTRL_CTRL", 0xcf54, "Modes of the translation unit.", LINUX),
    KEPT("RT_CTRL", 0xe530, "Ray tracing unit: stacks, workaround bits.", LINUX),
    KEPT_MASKED("HDC_CHICKEN0", 0xe5f0, "Data cache workaround bits.", LINUX),
    KEPT_ARRAY("LSC_CHICKEN_BIT", 0xe7c8, 2, "Load and store cache workaround bits.", LINUX),
    KEPT("SARB_CHICKEN1", 0xe90c, "Workaround bits of the state arbiter.", LINUX),
    KEPT_MASKED("RCU_MODE", 0x14800,
                "Bit 0: compute engines are in use beside the render engine; they run in any case here.",
                LINUX),
    KEPT_MASKED("CCS_MODE", 0x14804, "Which compute engine each compute slice works for.", LINUX),
    KEPT("CLOCK_GATE_DIS", 0x101014, "Clock gates kept open.", LINUX),
    STATUS("PCU_PWM_FAN_SPEED", 0x138140, "Fan speed: zero."),
    STATUS("PCU_PWM_FAN_SPEED_2", 0x138170, "Speed of a second fan, which does not exist."),
    {.name = "PCU_PACKAGE_POWER_SKU",
     .offset = 0x145930,
     .dwords = 2,
     .summary = "Power limits: none is reported.",
     .spec = LINUX},
    STATUS("PCU_PACKAGE_POWER_SKU_UNIT", 0x145938, "Units of power, energy and time."),
    STATUS("PCU_PACKAGE_ENERGY_STATUS", 0x14593c, "Energy used: none."),
    {.name = "PCU_PACKAGE_RAPL_LIMIT",
     .offset = 0x1459a0,
     .dwords = 2,
     .writable = UINT64_MAX,
     .summary = "Limits of power that software sets.",
     .spec = LINUX},
    STATUS("VECS0_SFC_USAGE", 0x1ca014, "Whether the first enhancement engine uses the scaler: it does not."),
    STATUS("VECS1_SFC_USAGE", 0x1da014,
           "Whether the second enhancement engine uses the scaler: it does not."),
    STATUS("HECI2_FWSTS2", 0x374c48, "State of the security engine's firmware, which is not there."),
};

/* Done at once: nothing here has a cache. */
static void flush_request_written(const struct register_access *w)
{
    register_set(w->file, w->offset, 0);
}

#define XE "Linux, xe_gt_regs.h"
static const struct reg gen200_setup_rows[] = {
    KEPT_MASKED("WM_CHICKEN3", 0x5588, "Workaround bits of the windower, third part.", XE),
    KEPT("FF_MODE", 0x6210, "Modes of the fixed functions: tessellation, mesh.", XE),
    KEPT_MASKED("VFLSKPD", 0x62a8, "Workaround bits of the fast vertex fetch.", XE),
    KEPT_MASKED("VF_SCRATCHPAD", 0x83a8, "Workaround bits of vertex fetch.", XE),
    KEPT("PAT_ATS", 0x47fc, "Caching of what address translation services access.", XE),
    KEPT("PAT_PTA", 0x4820, "Caching of page tables.", XE),
    KEPT_ARRAY("PAT_INDEX_8", 0x4848, 24, "Caching of memory by the page attribute, from the ninth on.", XE),
    {.name = "GLOBAL_INVAL",
     .offset = 0xb404,
     .writable = 1,
     .after_write = flush_request_written,
     .summary = "Bit 0 flushes the L2 cache; clears itself.",
     .spec = XE},
    {.name = "TDF_CTRL",
     .offset = 0xb418,
     .writable = 1,
     .after_write = flush_request_written,
     .summary = "Bit 0 flushes transient data; clears itself.",
     .spec = XE},
    KEPT("L3SQCREG2", 0xb104, "Modes of the L3 cache's queues, second part.", XE),
    KEPT("L3SQCREG3", 0xb108, "Modes of the L3 cache's queues, third part.", XE),
    KEPT("SCRATCH3_LBCF", 0xb154, "L3 workaround bits.", XE),
    KEPT("CCCHKNREG1", 0x8828, "Compression workaround bits.", XE),
    KEPT("GAMREQSTRM_CTRL", 0x4194, "Modes of the memory arbiter: bit 16 flushes for the host.", XE),
    KEPT_MASKED("ROW_CHICKEN3", 0xe49c, "Workaround bits of the Xe-core's rows, third part.", XE),
    KEPT_MASKED("TDL_TSL_CHICKEN", 0xe4c4, "Workaround bits of thread dispatch.", XE),
    KEPT_MASKED("ROW_CHICKEN", 0xe4f0, "Workaround bits of the Xe-core's rows.", XE),
    KEPT("STATELESS_COMPRESSION_CTRL", 0x4148, "Compression of memory that no surface describes.", XE),
    {.name = "L3CLOS_MASK",
     .offset = 0xb194,
     .count = 4,
     .stride = 8,
     .writable = 0xffffffff,
     .summary = "Ways of the L3 cache that a class of service may fill.",
     .spec = XE},
    KEPT("LSN_VC_REG2", 0xb0c8, "Modes of an L3 node.", XE),
    KEPT("GUC_INTR_CHICKEN", 0xc50c, "Interrupt workaround bits of the microcontroller.", XE),
    STATUS("PCODE_SCRATCH", 0x138320, "How the part booted: without errors."),
    STATUS("PACKAGE_POWER_SKU", 0x138098, "Power limits of the part: none."),
    STATUS("PACKAGE_POWER_SKU_UNIT", 0x1380dc, "Units of power, energy and time."),
    STATUS("PACKAGE_ENERGY_STATUS", 0x138120, "Energy used by the part: none."),
    KEPT("PACKAGE_RAPL_LIMIT", 0x138440, "Power limit of the part: has no effect.", XE),
    STATUS("PLATFORM_ENERGY_STATUS", 0x138458, "Energy used by the card: none."),
    KEPT("PLATFORM_POWER_LIMIT", 0x138460, "Power limit of the card: has no effect.", XE),
    STATUS("PCIE_CAP", 0x138340, "Whether the link can be downgraded: it cannot."),
    STATUS_ARRAY("VRAM_TEMPERATURE_N", 0x138260, 16, "Temperatures of memory: there are no sensors."),
    STATUS("VRAM_TEMPERATURE", 0x1382c0, "Temperature of memory: there is no sensor."),
    STATUS("PACKAGE_TEMPERATURE", 0x138434, "Temperature of the part: there is no sensor."),
    STATUS_ARRAY("I2C_REMAP_ADDRESS", 0x280164, 2, "Where the I2C controller is: there is none."),
    STATUS("TELEMETRY_GUID", 0x35b004, "Which telemetry the part has: none."),
    /* Written as zeros before each read of a register. (Linux, Wa_15015404425) */
    KEPT("PENDING_WRITES", 0x130030, "Takes writes that push others ahead.", XE),
};

/* Those of the media GT. */
static const struct reg gen200_media_rows[] = {
    KEPT_ARRAY("GLOBAL_MOCS", 0x4000, 64, "Caching of video engines by MOCS index.", XE),
    KEPT("STATELESS_COMPRESSION_CTRL", 0x4148, "Compression of memory that no surface describes.", XE),
    KEPT("PAT_ATS", 0x47fc, "Caching of what address translation services access.", XE),
    KEPT_ARRAY("PAT_INDEX", 0x4800, 8, "Caching of memory by the page attribute.", XE),
    KEPT("PAT_PTA", 0x4820, "Caching of page tables.", XE),
    KEPT_ARRAY("PAT_INDEX_8", 0x4848, 24, "Caching of memory by the page attribute, from the ninth on.", XE),
    KEPT("CCCHKNREG1", 0x82a8, "Compression workaround bits.", XE),
    KEPT_ARRAY("L3SQCREG2", 0xb604, 2, "Modes of the L3 cache's queues, second and third part.", XE),
    KEPT("SCRATCH3_LBCF", 0xb654, "L3 workaround bits.", XE),
    KEPT("L3SQCREG5", 0xb658, "Modes of the L3 cache's queues, fifth part.", XE),
    KEPT("GUC_INTR_CHICKEN", 0xc50c, "Interrupt workaround bits of the microcontroller.", XE),
    {.name = "TDF_CTRL",
     .offset = 0xb418,
     .writable = 1,
     .after_write = flush_request_written,
     .summary = "Bit 0 flushes transient data; clears itself.",
     .spec = XE},
};

/* The tables of auxiliary surfaces have no cache; of the engines, the blitter reads its own. */
static void auxiliary_invalidated(const struct register_access *w)
{
    register_set(w->file, w->offset, 0); /* done at once */
}

#define AUXILIARY(unit, at, of, more)                                                                        \
    {.name = unit "_AUX_TABLE_BASE_ADDR",                                                                    \
     .offset = (at),                                                                                         \
     .dwords = 2,                                                                                            \
     .flags = (more),                                                                                        \
     .writable = UINT64_MAX,                                                                                 \
     .summary = "Table of auxiliary surfaces of " of ".",                                                    \
     .spec = TGL},                                                                                           \
    {                                                                                                        \
        .name = unit "_CCS_AUX_INV", .offset = (at) + 8, .flags = (more), .writable = 1,                     \
        .after_write = auxiliary_invalidated, .summary = "Invalidates that table's cache; clears itself.",   \
        .spec = TGL                                                                                          \
    }
static const struct reg gen12_auxiliary_rows[] = {
    AUXILIARY("GFX", 0x4200, "the render engine", REG_RENDER_NONPRIV_WRITE),
    AUXILIARY("VD0", 0x4210, "the first video engine", 0),
    AUXILIARY("VE0", 0x4230, "the enhancement engine", 0),
    AUXILIARY("BLT", 0x4240, "the blitter", 0),
    AUXILIARY("COMPCS0", 0x42c0, "a compute engine, which there is not", REG_RENDER_NONPRIV_WRITE),
    AUXILIARY("VD2", 0x4290, "the third video engine", 0),
};

/* The microcontroller is held in reset. */
static const struct reg gen9_guc_rows[] = {
    READS("GUC_STATUS", 0xc000, 1, "The microcontroller: held in reset.", SKL),
    {.name = "GUC_WOPCM_SIZE",
     .offset = 0xc050,
     .writable = 0xfffffffe,
     .after_write = lock_written,
     .summary = "Size of the firmware's protected memory; the first write locks it.",
     .spec = SKL},
    {.name = "DMA_GUC_WOPCM_OFFSET",
     .offset = 0xc340,
     .writable = 0xfffffffe,
     .after_write = lock_written,
     .summary = "Place of the firmware's protected memory; the first write locks it.",
     .spec = SKL},
    KEPT("GUC_MAX_IDLE_COUNT", 0xc3e4, "Idle time of the microcontroller.", SKL),
};

static const struct reg gen9_caching_rows[] = {
    KEPT_ARRAY("LNCF_MOCS", 0xb020, 32, "Caching in L3 by MOCS index, two each.", SKL),
    KEPT_ARRAY("GFX_MOCS", 0xc800, 64, "Caching of the render engine by MOCS index.", SKL),
    KEPT_ARRAY("MFX0_MOCS", 0xc900, 64, "Caching of the video engine by MOCS index.", SKL),
    KEPT_ARRAY("MFX1_MOCS", 0xca00, 64, "Caching of the second video engine by MOCS index.", SKL),
    KEPT_ARRAY("VEBOX_MOCS", 0xcb00, 64, "Caching of the enhancement engine by MOCS index.", SKL),
    KEPT_ARRAY("BLT_MOCS", 0xcc00, 64, "Caching of the blitter by MOCS index.", SKL),
};

static const struct reg gen11_caching_rows[] = {
    KEPT_ARRAY("MFX2_MOCS", 0x10000, 64, "Caching of further video engines by MOCS index.", ICL),
};

static const struct reg gen12_caching_rows[] = {
    KEPT_ARRAY("LNCF_MOCS", 0xb020, 32, "Caching in L3 by MOCS index, two each.", TGL),
    KEPT_ARRAY("GLOBAL_MOCS", 0x4000, 64, "Caching of all engines by MOCS index.", TGL),
};

/* Interrupts of the display besides those of its pipes, of which there are none: status and mask, identity,
 * enable. */
#define DISPLAY_INTERRUPTS(title, at)                                                                        \
    KEPT_ARRAY(title, (at), 2, "Display interrupts: status and mask.", BDW),                                 \
        {.name = title "_IIR",                                                                               \
         .offset = (at) + 8,                                                                                 \
         .w1c = 0xffffffff,                                                                                  \
         .summary = "Display interrupts, write 1 to clear.",                                                 \
         .spec = BDW},                                                                                       \
        KEPT(title "_IER", (at) + 12, "Display interrupts: enable.", BDW)
static const struct reg gen8_display_rows[] = {
    {.name = "FPGA_DBG",
     .offset = 0x42300,
     .w1c = 0x80000000,
     .summary = "Bit 31: an access nobody claimed; never set.",
     .spec = BDW},
    DISPLAY_INTERRUPTS("DE_PORT_INTERRUPT", 0x44440),
    DISPLAY_INTERRUPTS("DE_MISC_INTERRUPT", 0x44460),
    DISPLAY_INTERRUPTS("PCU_INTERRUPT", 0x444e0),
    DISPLAY_INTERRUPTS("SDE_INTERRUPT", 0xc4000),
    KEPT("NDE_RSTWRN_OPT", 0x46408, "Handshake of display resets.", BDW),
    READS("SFUSE_STRAP", 0xc2014, 0, "Ports of the south display: none.", BDW),
    KEPT("RAWCLK_FREQ", 0xc6204, "Divider of the south display's clock.", BDW),
    ANSWERS(BDW),
};

static const struct reg gen9_display_rows[] = {
    {.name = "FPGA_DBG",
     .offset = 0x42300,
     .w1c = 0x80000000,
     .summary = "Bit 31: an access nobody claimed; never set.",
     .spec = SKL},
    KEPT("CHICKEN_PAR1_1", 0x42080, "Display workaround bits.", SKL),
    KEPT("DISP_ARB_CTL", 0x45000, "Display arbiter.", SKL),
    KEPT("CHICKEN_DCPR_1", 0x46430, "Display power workaround bits.", SKL),
    KEPT("SDEIMR", 0xc4004, "South display: interrupt mask.", SKL),
    {.name = "SDEIIR",
     .offset = 0xc4008,
     .w1c = 0xffffffff,
     .summary = "South display: interrupts, write 1 to clear.",
     .spec = SKL},
    KEPT("SDEIER", 0xc400c, "South display: interrupt enable.", SKL),
    KEPT("FBC_LLC_READ_CTRL", 0x9044, "Caching of display reads.", SKL),
    ANSWERS(SKL),
    DISPLAY_INTERRUPTS("DE_MISC_INTERRUPT", 0x44460),
};

static const struct reg gen11_display_rows[] = {
    KEPT_ARRAY("GU_MISC_INTERRUPT", 0x444f0, 2, "Display service interrupts: status and mask.", ICL),
    {.name = "GU_MISC_IIR",
     .offset = 0x444f8,
     .w1c = 0xffffffff,
     .summary = "Display service interrupts, write 1 to clear.",
     .spec = ICL},
    KEPT("GU_MISC_IER", 0x444fc, "Display service interrupts: enable.", ICL),
};

const struct register_block gen200_media_setup_registers = REGISTER_BLOCK("setup", gen200_media_rows);
const struct register_block gen200_setup_registers = REGISTER_BLOCK("setup", gen200_setup_rows);
const struct register_block gen6_setup_registers = REGISTER_BLOCK("setup", gen6_rows);
const struct register_block gen7_setup_registers = REGISTER_BLOCK("setup", gen7_rows);
const struct register_block gen7_display_setup_registers = REGISTER_BLOCK("display setup", gen7_display_rows);
const struct register_block gen8_setup_registers = REGISTER_BLOCK("setup", gen8_rows);
const struct register_block gen8_memory_registers = REGISTER_BLOCK("memory", gen8_memory_rows);
const struct register_block gen8_own_setup_registers = REGISTER_BLOCK("setup", gen8_own_rows);
const struct register_block gen9_setup_registers = REGISTER_BLOCK("setup", gen9_rows);
const struct register_block gen11_setup_registers = REGISTER_BLOCK("setup", gen11_rows);
const struct register_block gen12_setup_registers = REGISTER_BLOCK("setup", gen12_setup_rows);
const struct register_block gen12_own_setup_registers = REGISTER_BLOCK("setup", gen12_own_rows);
const struct register_block gen12_tiled_range_registers = REGISTER_BLOCK("setup", gen12_tiled_range_rows);
const struct register_block gen200_tiled_range_registers = REGISTER_BLOCK("setup", gen200_tiled_range_rows);
const struct register_block gen125_setup_registers = REGISTER_BLOCK("setup", gen125_setup_rows);
const struct register_block gen12_auxiliary_registers = REGISTER_BLOCK("auxiliary", gen12_auxiliary_rows);
const struct register_block gen12_caching_registers = REGISTER_BLOCK("caching", gen12_caching_rows);
const struct register_block gen9_guc_registers = REGISTER_BLOCK("guc", gen9_guc_rows);
const struct register_block gen9_caching_registers = REGISTER_BLOCK("caching", gen9_caching_rows);
const struct register_block gen11_caching_registers = REGISTER_BLOCK("caching", gen11_caching_rows);
const struct register_block gen8_display_setup_registers = REGISTER_BLOCK("display setup", gen8_display_rows);
const struct register_block gen9_display_setup_registers = REGISTER_BLOCK("display setup", gen9_display_rows);
const struct register_block gen11_display_setup_registers =
    REGISTER_BLOCK("display setup", gen11_display_rows);
