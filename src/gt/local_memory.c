/*
 * Registers by which firmware describes local memory to drivers: its size, and the parts reserved for
 * compression state, stolen memory and the GuC; and the base of the LMTT, through which virtual functions
 * access local memory. (SYS-07, SYS-08; Linux, i915 and xe)
 */
#include "gt/gt.h"

enum { LMEM_INIT = 1u << 7 };
#define DRIVER_RESET (1u << 31)
enum { RANGE_VALID = 1u << 0, RANGE_SIZE_SHIFT = 8, GB_SHIFT = 30 };
enum { CCS_VALID = 1u << 0, CCS_ADDRESS_SHIFT = 8, CCS_UNIT_SHIFT = 16 };
enum { RESERVED_LOCKED = 1u << 0, RESERVED_2M = 1u << 7 };

static struct memory *memory_of(const struct register_access *at)
{
    return ((const struct gt *)at->owner)->memory;
}

static struct local_layout layout_of(const struct register_access *at)
{
    return local_layout(memory_of(at));
}

static uint32_t range_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    const uint64_t gb = (memory_of(at)->local_bytes + (UINT64_C(1) << GB_SHIFT) - 1u) >> GB_SHIFT;
    return (uint32_t)gb << RANGE_SIZE_SHIFT | RANGE_VALID;
}

/* What drivers have is below: the compression state; of the PF beside isolated VFs: their memory. */
static uint64_t flat_ccs_of(const struct register_access *at)
{
    const uint64_t base = layout_of(at).flat_ccs, own = pf_local_bytes(memory_of(at));
    return own < base ? own : base;
}

static uint32_t flat_ccs_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return (uint32_t)(flat_ccs_of(at) >> CCS_UNIT_SHIFT << CCS_ADDRESS_SHIFT) | CCS_VALID;
}

/* Drivers multiply the address by the number of L3 nodes that are there. (Linux, xe_vram) */
static uint64_t flat_ccs_of_node(const struct register_access *at)
{
    enum { MIRROR_FUSE3 = 0x9118, NODES_SHIFT = 16 };
    const unsigned nodes =
        (unsigned)__builtin_popcount(register_value(at->file, MIRROR_FUSE3) >> NODES_SHIFT);
    return flat_ccs_of(at) / (nodes ? nodes : 1u);
}

static uint32_t ccs_lower_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return ((uint32_t)flat_ccs_of_node(at) & ~63u) | CCS_VALID;
}

static uint32_t ccs_upper_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return flat_ccs_of_node(at) >> 32 & 0xff;
}

/* Half of an address, by the dword of the register that is read. */
static uint32_t half(const struct register_access *at, uint64_t value)
{
    return (uint32_t)(at->offset % 8u ? value >> 32 : value);
}

static uint32_t dsm_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return half(at, layout_of(at).dsm);
}

static uint32_t gsm_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    return half(at, layout_of(at).gsm);
}

static uint32_t reserved_read(const struct register_access *at, uint32_t stored)
{
    (void)stored;
    _Static_assert(LOCAL_WOPCM_BYTES == 2 << 20, "what RESERVED_2M says");
    return half(at, layout_of(at).wopcm | RESERVED_2M | RESERVED_LOCKED);
}

enum { GU_DEBUG = 0x101018 };

static void control_written(const struct register_access *w)
{
    if (!(w->value & DRIVER_RESET))
        return;
    gt_driver_reset(w->owner);
    register_set(w->file, GU_DEBUG, DRIVER_RESET); /* done at once */
}

enum { SG_LMEM_CFG = 0x1083b0 };

void local_memory_settle(struct gt *gt)
{
    if (!gt->memory->vf_count || vfs_are_isolated(gt->memory->isolation))
        return;
    gt->memory->lmtt = register_value(gt->mmio, gt->memory->info->format->lmtt->config);
    gt->memory->gunit_lmtt = register_value(gt->mmio, SG_LMEM_CFG);
}

/* The Gunit follows the GT: Linux writes that one's alone, and CPUs then go by it, too. */
static void lmtt_written(const struct register_access *w)
{
    register_set(w->file, SG_LMEM_CFG, w->value);
    local_memory_settle(w->owner);
}

static void gunit_lmtt_written(const struct register_access *w)
{
    local_memory_settle(w->owner);
}

static const struct field range_fields[] = {{"Size in GB", 8, 17, FIELD_UINT, NULL},
                                            {"Base in GB", 1, 7, FIELD_UINT, NULL},
                                            {"Valid", 0, 0, FIELD_UINT, NULL}};
static const struct field ccs_fields[] = {{"Base in 64 KB", 8, 31, FIELD_UINT, NULL},
                                          {"Valid", 0, 0, FIELD_UINT, NULL}};

static const struct field lmtt_fields[] = {{"Directory in 64 KB", 0, 30, FIELD_UINT, NULL},
                                           {"Enable", 31, 31, FIELD_UINT, NULL}};
static const struct field control_fields[] = {{"Driver FLR", 31, 31, FIELD_BOOL, NULL},
                                              {"LMEM Init", 7, 7, FIELD_BOOL, NULL}};
static const struct field debug_fields[] = {{"Driver FLR Status", 31, 31, FIELD_BOOL, NULL}};

#define CONTROL_ROWS                                                                                         \
    {.name = "GU_CNTL_PROTECTED",                                                                            \
     .offset = 0x10100c,                                                                                     \
     .summary = "Bit 0: resets by the driver are disabled.",                                                 \
     .spec = "Linux, intel_uncore"},                                                                         \
        {.name = "GU_CNTL",                                                                                  \
         .offset = 0x101010,                                                                                 \
         .reset = LMEM_INIT,                                                                                 \
         .writable = DRIVER_RESET,                                                                           \
         FIELDS(control_fields),                                                                             \
         .after_write = control_written,                                                                     \
         .summary = "Local memory is initialised; the driver resets the function, which clears its bit.",    \
         .spec = "SYS-08; Linux, intel_uncore"},                                                             \
    {                                                                                                        \
        .name = "GU_DEBUG", .offset = GU_DEBUG, .w1c = DRIVER_RESET, FIELDS(debug_fields),                   \
        .summary = "The function was reset by its driver; write 1 to clear.", .spec = "Linux, intel_uncore"  \
    }
/* What of stolen memory is the GuC's. */
#define RESERVED_ROW                                                                                         \
    {                                                                                                        \
        .name = "STOLEN_RESERVED", .offset = 0x1082c0, .dwords = 2, .before_read = reserved_read,            \
        .summary = "What of stolen memory for data is the GuC's: address, size (8:7), locked (0).",          \
        .spec = "SYS-07; Linux, i915_gem_stolen"                                                             \
    }
/* Since Gen12.5. */
#define COMMON_ROWS                                                                                          \
    CONTROL_ROWS, RESERVED_ROW,                                                                              \
        {.name = "DSMBASE",                                                                                  \
         .offset = 0x1080c0,                                                                                 \
         .dwords = 2,                                                                                        \
         .before_read = dsm_read,                                                                            \
         .summary = "Stolen memory for data, in local memory.",                                              \
         .spec = "SYS-07; Linux, i915_gem_stolen"},                                                          \
        {.name = "GSMBASE",                                                                                  \
         .offset = 0x108100,                                                                                 \
         .dwords = 2,                                                                                        \
         .before_read = gsm_read,                                                                            \
         .summary = "Stolen memory of the GGTT's table, in local memory.",                                   \
         .spec = "SYS-07; Linux, i915_gem_stolen"},                                                          \
    {                                                                                                        \
        .name = "SG_TILE_ADDR_RANGE", .offset = 0x1083a0, .before_read = range_read, FIELDS(range_fields),   \
        .summary = "Local memory of the tile, as the system sees it.", .spec = "SYS-08; Linux, xe_vram"      \
    }

/* Xe2 has it in each GT. */
#define LMEM_CFG_ROW(at, written, text, from)                                                                \
    {                                                                                                        \
        .name = "LMEM_CFG", .offset = (at), .flags = REG_PF_ONLY, .writable = 0xffffffff,                    \
        FIELDS(lmtt_fields), .after_write = (written), .summary = text, .spec = from                         \
    }
#define SG_LMEM_CFG_ROW                                                                                      \
    {                                                                                                        \
        .name = "SG_LMEM_CFG", .offset = SG_LMEM_CFG, .flags = REG_PF_ONLY, .writable = 0xffffffff,          \
        FIELDS(lmtt_fields), .after_write = gunit_lmtt_written,                                              \
        .summary =                                                                                           \
            "Where the LMTT's directory is, for CPUs by a virtual function's BAR. The place is our choice.", \
        .spec = "SYS-08"                                                                                     \
    }
static const struct reg rows[] = {
    {.name = "TILE0_ADDR_RANGE",
     .offset = 0x4900,
     .before_read = range_read,
     FIELDS(range_fields),
     .summary = "Local memory of the tile.",
     .spec = "SYS-08; Linux, intel_region_lmem"},
    {.name = "FLAT_CCS_BASE_ADDR",
     .offset = 0x4910,
     .before_read = flat_ccs_read,
     FIELDS(ccs_fields),
     .summary = "Where compression state is in local memory: drivers have what is below.",
     .spec = "SYS-08; Linux, intel_region_lmem"},
    LMEM_CFG_ROW(0xcf58, lmtt_written,
                 "Where the LMTT's directory is, for engines. A write also sets SG_LMEM_CFG.",
                 "SYS-08; Linux, xe_lmtt"),
    COMMON_ROWS,
    SG_LMEM_CFG_ROW,
};
#define FLAT_CCS_ROWS(lower, upper, text)                                                                    \
    {.name = "FLAT_CCS_BASE_RANGE_LOWER",                                                                    \
     .offset = 0x8800,                                                                                       \
     .before_read = (lower),                                                                                 \
     .summary = "Bit 0: there is compression state" text,                                                    \
     .spec = "Linux, xe_gt_regs.h and xe_vram"},                                                             \
    {                                                                                                        \
        .name = "FLAT_CCS_BASE_RANGE_UPPER", .offset = 0x8804, .before_read = (upper),                       \
        .summary = "Where it is, by the number of L3 nodes: bits 39:32.", .spec = "Linux, xe_gt_regs.h"      \
    }
static const struct reg gen200_rows[] = {
    {.name = "TILE0_ADDR_RANGE",
     .offset = 0x4900,
     .before_read = range_read,
     FIELDS(range_fields),
     .summary = "Local memory of the tile.",
     .spec = "Linux, xe_vram"},
    FLAT_CCS_ROWS(ccs_lower_read, ccs_upper_read, "; bits 31:6 of where it is, by the number of L3 nodes."),
    LMEM_CFG_ROW(0x48b0, lmtt_written,
                 "Where the LMTT's directory is, for engines. A write also sets SG_LMEM_CFG.",
                 "Linux, xe_lmtt"),
    COMMON_ROWS,
    SG_LMEM_CFG_ROW,
};
/* Of the media GT. */
static const struct reg gen200_media_rows[] = {
    LMEM_CFG_ROW(0x48b0, NULL,
                 "Where the LMTT's directory is; engines of both GTs use the graphics GT's register here.",
                 "Linux, xe_lmtt"),
};
/* Of parts without local memory. */
static const struct reg gen200_stolen_rows[] = {CONTROL_ROWS, RESERVED_ROW,
                                                FLAT_CCS_ROWS(NULL, NULL, "; there is none.")};
const struct register_block gen200_stolen_registers = REGISTER_BLOCK("stolen memory", gen200_stolen_rows);
const struct register_block gen200_local_memory_registers = REGISTER_BLOCK("local memory", gen200_rows);
const struct register_block gen200_media_local_memory_registers =
    REGISTER_BLOCK("local memory", gen200_media_rows);
const struct register_block local_memory_registers = REGISTER_BLOCK("local memory", rows);
