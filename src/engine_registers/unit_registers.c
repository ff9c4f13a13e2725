/*
 * Registers of units that a streamer feeds, on Gen11: position shading (POCS), codecs, HuC and HEVC,
 * compression. They have no effect here. They are the registers that non-privileged batches of that streamer
 * may write; the purpose of most is not public. (CSP-01, CSP-16)
 */
#include "engine_registers/engine_registers.h"

#define ALL 0xffffffffu
#define POCS(title, at, words, bits, text)                                                                   \
    {                                                                                                        \
        .name = "POCS_" title, .offset = (at), .dwords = (words), .flags = REG_NONPRIV_WRITE,                \
        .writable = (bits), .summary = text, .spec = "CSP-01, CSP-16"                                        \
    }
#define OPAQUE(title, at, registers, text)                                                                   \
    {                                                                                                        \
        .name = title, .offset = (at), .count = (registers), .stride = 4, .flags = REG_NONPRIV_WRITE,        \
        .writable = ALL, .summary = text, .spec = "CSP-01, CSP-16"                                           \
    }

static const struct reg pocs_rows[] = {
    POCS("NOPID", 0x094, 1, 0x003fffff, "Identification number of the last MI_NOOP that carried one."),
    {.name = "POCS_INSTPM",
     .offset = 0x0c0,
     .kind = REG_MASKED,
     .flags = REG_NONPRIV_WRITE,
     .writable = 0xffff,
     .summary = "Parser modes.",
     .spec = "CSP-01, CSP-16"},
    POCS("BB_OFFSET", 0x158, 1, ALL, "Offset that MI_BATCH_BUFFER_START can add."),
    POCS("IA_VERTICES_COUNT", 0x310, 2, UINT64_MAX,
         "Vertices the input assembly read, written by software only."),
    POCS("IA_PRIMITIVES_COUNT", 0x318, 2, UINT64_MAX,
         "Primitives the input assembly made, written by software only."),
    POCS("VS_INVOCATION_COUNT", 0x320, 2, UINT64_MAX, "Vertex shader invocations, written by software only."),
    POCS("CL_INVOCATION_COUNT", 0x338, 2, UINT64_MAX, "Clipper invocations, written by software only."),
    POCS("CL_PRIMITIVES_COUNT", 0x340, 2, UINT64_MAX, "Primitives of the clipper, written by software only."),
    POCS("MI_PREDICATE_RESULT_2", 0x3bc, 1, 1, "Predicate for MI_SET_PREDICATE."),
    POCS("MI_PREDICATE_SRC0", 0x400, 2, UINT64_MAX, "First value MI_PREDICATE compares."),
    POCS("MI_PREDICATE_SRC1", 0x408, 2, UINT64_MAX, "Second value MI_PREDICATE compares."),
    POCS("MI_PREDICATE_DATA", 0x410, 2, UINT64_MAX, "Difference of the last MI_PREDICATE compare."),
    POCS("MI_PREDICATE_RESULT", 0x418, 1, 1, "The predicate of 3DPRIMITIVE."),
    POCS("MI_PREDICATE_RESULT_1", 0x41c, 1, 1, "Predicate for MI_BATCH_BUFFER_START."),
    POCS("3DPRIM_END_OFFSET", 0x420, 1, ALL, "End of vertex data for auto draws."),
    POCS("3DPRIM_START_VERTEX", 0x430, 1, ALL, "Start vertex of an indirect draw."),
    POCS("3DPRIM_VERTEX_COUNT", 0x434, 1, ALL, "Vertex count of an indirect draw."),
    POCS("3DPRIM_INSTANCE_COUNT", 0x438, 1, ALL, "Instance count of an indirect draw."),
    POCS("3DPRIM_START_INSTANCE", 0x43c, 1, ALL, "Start instance of an indirect draw."),
    POCS("3DPRIM_BASE_VERTEX", 0x440, 1, ALL, "Base vertex of an indirect draw."),
    POCS("PTBR_PAGE_POOL_SIZE", 0x590, 1, ALL, "Size of the page pool of tile-based rendering."),
    {.name = "POCS_CS_GPR",
     .offset = 0x600,
     .count = 16,
     .stride = 8,
     .dwords = 2,
     .flags = REG_NONPRIV_WRITE,
     .writable = UINT64_MAX,
     .summary = "General purpose registers of the ALU.",
     .spec = "CSP-01, CSP-16"},
    POCS("3DPRIM_XP0", 0x690, 1, ALL, "First further argument of an indirect draw."),
    POCS("3DPRIM_XP1", 0x694, 1, ALL, "Second further argument of an indirect draw."),
    POCS("3DPRIM_XP2", 0x698, 1, ALL, "Third further argument of an indirect draw."),
};

static const struct reg mfc_rows[] = {OPAQUE("MFC_VDBOX", 0, 512, "Registers of the codec pipes.")};
static const struct reg huc_rows[] = {
    OPAQUE("HUC_064", 0x064, 1, "A register of the HEVC micro-controller."),
    OPAQUE("HUC_080", 0x080, 1, "A register of the HEVC micro-controller."),
    OPAQUE("HUC_0A0", 0x0a0, 4, "Registers of the HEVC micro-controller."),
};
static const struct reg hevc_rows[] = {OPAQUE("HEVC", 0, 64, "Registers of the HEVC pipe.")};
static const struct reg compression_rows[] = {
    OPAQUE("COMPRESSION", 0, 1024, "Registers of the unit's memory compression.")};
/* Gen12: what the driver of Linux sets up of them. */
static const struct reg clock_rows[] = {{.name = "VDBOX_CGCTL",
                                         .offset = 0,
                                         .writable = ALL,
                                         .summary = "Clock gates of the codec pipes.",
                                         .spec = "CSP-01, TGL PRM vol 2c"}};
static const struct reg blit_rows[] = {{.name = "BLIT_CCTL",
                                        .offset = 0x204,
                                        .writable = ALL,
                                        .summary = "Caching of blits whose commands do not tell it.",
                                        .spec = "CSP-01, TGL PRM vol 2c"}};

/* Xe2: the parts that Linux sets beside it. */
#define CLOCKS(title, at)                                                                                    \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = ALL, .summary = "Clock gates of the codec pipes.",        \
        .spec = "Linux, xe_engine_regs.h"                                                                    \
    }
static const struct reg gen200_clock_rows[] = {CLOCKS("VDBOX_CGCTL3F08", 0x08),
                                               CLOCKS("VDBOX_CGCTL3F1C", 0x1c)};

const struct register_block gen200_clock_registers = REGISTER_BLOCK("codec clocks", gen200_clock_rows);
const struct register_block pocs_registers = REGISTER_BLOCK("position shading", pocs_rows);
const struct register_block mfc_registers = REGISTER_BLOCK("codec", mfc_rows);
const struct register_block huc_registers = REGISTER_BLOCK("HuC", huc_rows);
const struct register_block hevc_registers = REGISTER_BLOCK("HEVC", hevc_rows);
const struct register_block compression_registers = REGISTER_BLOCK("compression", compression_rows);
const struct register_block gen12_clock_registers = REGISTER_BLOCK("codec clocks", clock_rows);
const struct register_block gen12_copy_registers = REGISTER_BLOCK("copy", blit_rows);

/* What drivers see of the GSC, from its first HECI on; the second follows 1000 behind. It is running when the
 * device begins, as if firmware had loaded it: drivers load it else, and ask the machine's own security
 * processor for messages, which is not there. (Linux, xe_gsc) */
enum { GSC_STATE_NORMAL = 5, GSC_INIT_COMPLETE = 1 << 9 };
#define GSC(title, at, value, text)                                                                          \
    {                                                                                                        \
        .name = title, .offset = (at), .reset = (value), .summary = text, .spec = "Linux, xe_gsc_regs.h"     \
    }
static const struct reg gsc_rows[] = {
    {.name = "HECI1_H_CSR",
     .offset = 0x4,
     .writable = ALL,
     .summary = "Interrupts of the first HECI, as software set them.",
     .spec = "Linux, xe_gsc_regs.h"},
    GSC("HECI1_FWSTS1", 0xc40, GSC_INIT_COMPLETE | GSC_STATE_NORMAL,
        "State (3:0): 5 is normal; bit 9: the firmware runs."),
    GSC("HECI1_FWSTS2", 0xc48, 0, "Status of the firmware: nothing."),
    GSC("HECI1_FWSTS3", 0xc60, 0, "Status of the firmware: nothing."),
    GSC("HECI1_FWSTS4", 0xc64, 0, "Status of the firmware: nothing."),
    GSC("HECI1_FWSTS5", 0xc68, 0, "Status of the firmware; bit 19: it has checked the HuC's."),
    GSC("HECI1_FWSTS6", 0xc6c, 0, "Status of the firmware: nothing."),
    {.name = "HECI2_H_CSR",
     .offset = 0x1004,
     .writable = ALL,
     .summary = "Interrupts of the second HECI, as software set them.",
     .spec = "Linux, xe_gsc_regs.h"},
    GSC("GSCI_TIMER_STATUS", 0x6a28, 3, "Reset of the GSC (1:0): it is out of it."),
};
const struct register_block gsc_registers = REGISTER_BLOCK("GSC", gsc_rows);
