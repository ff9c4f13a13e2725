/* The GuC of Xe2. (Linux, xe_guc_regs.h) */
#include "gen/gen200.h"

/* The hardware configuration table: key, length in dwords, values. Drivers steer by slices and by Xe-cores in
 * all. (IGT, intel_hwconfig_types.h; Linux, xe_gt_mcr) */
#define CONFIG(slices, cores, memory)                                                                        \
    {                                                                                                        \
        1, 1, (slices), 2, 1, (cores), 3, 1, 8,  /* execution units of each */                               \
            10, 1, 4, 11, 1, (memory), 12, 1, 1, /* caches: L3 */                                            \
            15, 1, 8,                            /* threads of an execution unit */                          \
            23, 1, 1, 24, 1, 1, 27, 1, 2,        /* engines: render, compute, copy */                        \
            70, 1, (cores),                                                                                  \
    }
enum { GDDR6 = 4, LPDDR5 = 3 };
static const uint32_t bmg_config[] = CONFIG(5, 20, GDDR6), lnl_config[] = CONFIG(2, 8, LPDDR5);

static const struct register_block *const blocks[] = {&guc_registers, &guc_interrupt_registers,
                                                      &guc_doorbell_registers, NULL};

#define GUC(table)                                                                                           \
    {                                                                                                        \
        .blocks = blocks, .function_registers = &guc_function_registers, .mailbox = GUC_MAILBOX,             \
        .host_interrupt = GUC_HOST_INTERRUPT, .has_doorbell_pages = true, .interrupt = {.bit = 25},          \
        .reset_bits = 1u << 3, .wopcm_bytes = 4u << 20, .timestamp_hz = 19200000, .config = (table),         \
        .config_dw = sizeof(table) / sizeof((table)[0]),                                                     \
        .class_of = {[CLASS_RENDER] = 0,                                                                     \
                     [CLASS_VIDEO] = 1,                                                                      \
                     [CLASS_ENHANCE] = 2,                                                                    \
                     [CLASS_COPY] = 3,                                                                       \
                     [CLASS_COMPUTE] = 4},                                                                   \
    }
const struct guc_info gen200_bmg_guc = GUC(bmg_config), gen200_lnl_guc = GUC(lnl_config);
