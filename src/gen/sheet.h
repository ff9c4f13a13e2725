/*
 * The data sheet of one product: everything that differs between generations and products, as data. Each unit
 * is handed its own part; only src/gen decides by generation.
 */
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

/* What an ID of four bits names as a target of messages, and as a unit of the pipelines. (OVR-01) */
struct function_id {
    const char *sfid, *shared_function, *ffid, *fixed_function; /* NULL names: reserved */
};

enum { FUNCTION_IDS = 16 };

/* A kind of memory that the device accesses, its role, and how this model gets to it. (OVR-04) */
struct memory_object {
    const char *type, *role, *found_by; /* a list ends with a NULL type */
};

extern const struct memory_object memory_objects[];

/* costs.c */
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
    uint8_t io_bytes;                      /* of the I/O BAR; 0: there is none */
    bool is_endpoint;                      /* not integrated into the root complex */
    uint16_t gmch_control;                 /* GGC: sizes of the GGTT's table and of stolen memory */
    struct pci_capability capabilities[5]; /* in the order of the list; ends with id 0 */
};

/* Registers that Linux' i915 opens to batches of users, which it checks itself and starts as privileged.
 * (i915_cmd_parser.c) */
struct checked_register {
    uint32_t offset;
    uint16_t count;  /* dwords; 0 ends a list */
    uint8_t class;   /* enum engine_class: whose batches */
    uint32_t closed; /* bits that must be written as 0, by MI_LOAD_REGISTER_IMM alone; 0: none; all: it is
                        stored only */
};

struct sheet {
    struct softgt_device_info info;
    const uint16_t *pci_device_ids; /* all ids that this sheet answers to, ends with 0 */
    enum generation generation;     /* selects command rows; handed to nothing else */
    const struct pci_info *pci;
    struct memory_info memory;
    const struct interrupt_info *interrupt;
    const struct engine_info *engines; /* info.engine_count of them */
    const struct engine_costs *costs;  /* where commands take time */
    const struct gt_info *gt;
    const struct display_info *display;
    const struct oa_info *oa, *oam;         /* the second: of media engines, optional */
    const struct eu_isa *eu;                /* its instruction set; NULL: not known */
    const struct guc_info *guc;             /* optional */
    const struct register_range *ranges;    /* optional */
    const struct function_id *function_ids; /* FUNCTION_IDS of them; optional */
    const struct checked_register *checked; /* optional */
    uint8_t must_be_checked; /* classes, as bits: Linux runs no batch of theirs that it has not checked */
    bool stores_registers;   /* to users of Linux, against the manual: see shim/i915_batches.c */
    bool fused;              /* one before it, of which fuses leave less */
    bool xe;                 /* Linux has a second driver for it */
};

/* The products; the first of a generation is the one that its pages in docs show. */
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
    SHEET(atsm_g11_sheet)

/* Products of which the commands are known, and how they are submitted: their traces are decoded, not run. */
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
extern const struct pci_info gen6_pci;     /* the PCI function, up to Gen7.5 */
extern const struct sheet *const sheets[]; /* all of them; ends with NULL */

/* By the product's name; NULL: there is none. */
const struct sheet *sheet_find(const char *name);
/* By a PCI id, 0 is nobody's. */
const struct sheet *sheet_find_id(uint16_t pci_device_id);
/* The same among the DECODED_SHEETS. */
const struct sheet *decoded_find(const char *name);
const struct sheet *decoded_find_id(uint16_t pci_device_id);
/* Whether one before it in the list differs from it in names, ids and what fuses leave only. */
bool sheet_repeats(const struct sheet *sheet);
/* A bit for each class that an engine ("rcs0") or a class ("render") of that name is; 0: there is none. */
unsigned sheet_engine_classes(const struct sheet *sheet, const char *name);

#define ENGINE_COUNT(engines) (sizeof(engines) / sizeof((engines)[0]))

/* A product: its names and ids, PARTS_engines and PARTS_gt. What else a sheet has is the generation's. */
#define PRODUCT(title, text, id, revision, ids, parts)                                                       \
    .info.name = (title), .info.summary = (text), .info.pci_device_id = (id),                                \
    .info.pci_revision = (revision), .info.engine_count = ENGINE_COUNT(parts##_engines),                     \
    .pci_device_ids = (ids), .engines = parts##_engines, .gt = &parts##_gt

#endif
