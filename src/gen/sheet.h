/* The data sheet of one product: everything that differs between generations and products, as data. Each unit
 * gets its own part. Only src/gen decides by generation. */
#ifndef GEN_SHEET_H
#define GEN_SHEET_H

#include <softgt/softgt.h>

#include "commands/commands.h"
#include "display/display.h"
#include "engine/engine.h"
#include "engine_registers/engine_registers.h"
#include "isa/isa.h"
#include "gt/gt.h"
#include "guc/guc.h"
#include "interrupt/interrupt.h"
#include "memory/memory.h"
#include "gen/oa.h"
#include "stream/index.h"

/* The names of a 4-bit function ID: the shared function that messages address, and the fixed function of the
 * pipeline. (OVR-01) */
struct function_id {
    const char *sfid, *shared_function, *ffid, *fixed_function; /* NULL names: reserved */
};

enum { FUNCTION_IDS = 16 };

/* A kind of memory that the device accesses, its role, and how this model gets to it. (OVR-04) */
struct memory_object {
    const char *type, *role, *found_by; /* a list ends with a NULL type */
};

extern const struct memory_object memory_objects[];

/* Costs for the time model. (costs.c) */
extern const struct engine_costs gen6_costs, gen8_costs, gen12_costs;

/* Capabilities of the PCI function. */
enum { PCI_POWER_MANAGEMENT = 0x01, PCI_MSI = 0x05, PCI_EXPRESS = 0x10, PCI_ADVANCED_FEATURES = 0x13 };

/* Class codes. */
enum { PCI_VGA = 0x030000, PCI_DISPLAY = 0x038000 };

struct pci_capability {
    uint8_t id, offset;
};

struct pci_info {
    uint64_t gmadr_bytes;
    uint32_t class_code;
    uint8_t io_bytes;                      /* of the I/O BAR; 0: no I/O BAR */
    bool is_endpoint;                      /* not integrated into the root complex */
    uint16_t gmch_control;                 /* GGC: sizes of the GGTT's table and of stolen memory */
    struct pci_capability capabilities[5]; /* in the order of the list; ends with id 0 */
};

/* Registers that i915 opens to user batches that it checks and runs as privileged. (i915_cmd_parser.c) */
struct checked_register {
    uint32_t offset;
    uint16_t count;  /* dwords; 0 ends a list */
    uint8_t class;   /* enum engine_class: batches of this class */
    uint32_t closed; /* bits that only MI_LOAD_REGISTER_IMM may write, as 0; 0: none; all bits: the register
                        is only stored */
};

/* The second GT of a product: media. Its registers below GT_REGISTERS_BYTES are the first one's, from
 * register_base on; it has the engines from first_engine on. */
struct media_gt {
    const struct gt_info *gt;
    const struct guc_info *guc;
    uint32_t register_base;
    uint8_t first_engine;
};
enum { MOST_GTS = 2 };

/* What Linux' xe tells programs of a part, and cannot be seen elsewhere in the sheet. (Linux, xe_query,
 * xe_pat) */
struct xe_info {
    uint32_t gmd_id;       /* version of the graphics part, as in GMD_ID; 0: the part has no such register */
    uint32_t media_gmd_id; /* that of the media GT */
    uint32_t local_page_bytes; /* of bindings in local memory; 0: there is none */
    uint64_t pats,
        coherent_pats;      /* 1 << index: entries of the driver's PAT table, those that see CPU caches */
    uint64_t l3_banks;      /* one bit a bank; 0: not reported */
    uint8_t timestamp_bits; /* of a timestamp of an engine */
    bool simd16_units;      /* execution units have 16 lanes, not 8 */
    bool compute_subslices; /* subslices for compute have a mask of their own */
    bool alone;             /* i915 does not support the part */
    const char *reserved_engine; /* the driver's own; NULL: none */
};

struct sheet {
    struct softgt_device_info info;
    const uint16_t *pci_device_ids; /* all ids of this product; ends with 0 */
    enum generation generation;     /* selects command rows; no unit gets it */
    const struct pci_info *pci;
    struct memory_info memory;
    const struct interrupt_info *interrupt;
    const struct engine_info *engines; /* info.engine_count of them */
    const struct engine_costs *costs;  /* costs of commands with --timing */
    const struct gt_info *gt;
    const struct display_info *display;
    const struct oa_info *oa, *oam;         /* oam: of the media engines; optional */
    const struct eu_isa *eu;                /* instruction set; NULL: unknown */
    const struct guc_info *guc;             /* optional */
    const struct media_gt *media;           /* optional; `gt` and `guc` are those of graphics */
    const struct register_range *ranges;    /* optional */
    const struct function_id *function_ids; /* FUNCTION_IDS of them; optional */
    const struct checked_register *checked; /* optional */
    uint8_t must_be_checked;                /* 1 << engine class: i915 runs only checked batches on these */
    bool stores_registers; /* user batches may store registers, against the manual; see shim/i915_batches.c */
    bool fused;            /* the same part as an earlier sheet, with more units fused off */
    const struct xe_info *xe; /* NULL: Linux' xe does not support it */
};

/* The products. The generated pages show the first product of each generation. */
#define SHEETS(SHEET)                                                                                        \
    SHEET(snb_sheet)                                                                                         \
    SHEET(cl_sheet)                                                                                          \
    SHEET(ctg_sheet)                                                                                         \
    SHEET(ivb_sheet)                                                                                         \
    SHEET(hsw_sheet)                                                                                         \
    SHEET(bdw_sheet)                                                                                         \
    SHEET(bdw_gt3_sheet)                                                                                     \
    SHEET(skl_sheet)                                                                                         \
    SHEET(skl_gt3_sheet)                                                                                     \
    SHEET(kbl_sheet)                                                                                         \
    SHEET(kbl_gt3_sheet)                                                                                     \
    SHEET(cfl_sheet)                                                                                         \
    SHEET(cfl_gt3_sheet)                                                                                     \
    SHEET(cml_sheet)                                                                                         \
    SHEET(icl_sheet)                                                                                         \
    SHEET(ehl_sheet)                                                                                         \
    SHEET(jsl_sheet)                                                                                         \
    SHEET(lkf_sheet)                                                                                         \
    SHEET(tgl_sheet)                                                                                         \
    SHEET(tgl_ccs_sheet)                                                                                     \
    SHEET(rkl_sheet)                                                                                         \
    SHEET(dg2_sheet)                                                                                         \
    SHEET(dg2_g11_sheet)                                                                                     \
    SHEET(dg2_g12_sheet)                                                                                     \
    SHEET(atsm_sheet)                                                                                        \
    SHEET(atsm_g11_sheet)                                                                                    \
    SHEET(bmg_sheet)                                                                                         \
    SHEET(lnl_sheet)

/* Products whose commands and submission are known: their traces are decoded, not run. */
#define DECODED_SHEETS(SHEET)                                                                                \
    SHEET(vlv_sheet)                                                                                         \
    SHEET(chv_sheet)                                                                                         \
    SHEET(bxt_sheet)                                                                                         \
    SHEET(glk_sheet)                                                                                         \
    SHEET(dg1_sheet)

#define DECLARE_SHEET(name) extern const struct sheet name;
SHEETS(DECLARE_SHEET)
DECODED_SHEETS(DECLARE_SHEET)
#undef DECLARE_SHEET
extern const struct pci_info gen6_pci;             /* the PCI function, up to Gen7.5 */
extern const struct sheet *const sheets[];         /* all of them; ends with NULL */
extern const struct sheet *const decoded_sheets[]; /* the same for DECODED_SHEETS */

/* Finds a product by its name; NULL: not found. */
const struct sheet *sheet_find(const char *name);
/* Finds a product by its PCI id; NULL: not found. No product has id 0. */
const struct sheet *sheet_find_id(uint16_t pci_device_id);
/* The same for DECODED_SHEETS. */
const struct sheet *decoded_find(const char *name);
const struct sheet *decoded_find_id(uint16_t pci_device_id);
/* An earlier sheet differs only in names, ids and fuses. */
bool sheet_repeats(const struct sheet *sheet);
/* The product for the device number of a trace file's VERSION packet; NULL: unknown. Its inverse; 0: none. */
const char *simulator_name(uint32_t id);
uint32_t simulator_id(const char *name);
/* 1 << class for each engine class of that name: an engine ("rcs0") or a class ("render"); 0: none. */
unsigned sheet_engine_classes(const struct sheet *sheet, const char *name);
/* The index of an engine by its name ("rcs0"); negative: none. */
int sheet_engine_find(const struct sheet *sheet, const char *name);

#define ENGINE_COUNT(engines) (sizeof(engines) / sizeof((engines)[0]))

/* Members of one product: names, ids, PARTS_engines and PARTS_gt. The generation gives the other members. */
#define PRODUCT(title, text, id, revision, ids, parts)                                                       \
    .info.name = (title), .info.summary = (text), .info.pci_device_id = (id),                                \
    .info.pci_revision = (revision), .info.engine_count = ENGINE_COUNT(parts##_engines),                     \
    .pci_device_ids = (ids), .engines = parts##_engines, .gt = &parts##_gt

#endif
