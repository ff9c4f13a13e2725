/* The GuC of Xe_HPG. (SYS-13) */
#include "gen/gen125.h"

/* The hardware configuration table, which holds facts that the fuses do not give: key, length in dwords,
 * values. (IGT, intel_hwconfig_types.h) */
#define CONFIG(slices, memory_channels, compute_engines)                                                     \
    {                                                                                                        \
        1, 1, (slices), 2, 1, (slices)*4,       /* dual subslices */                                         \
            3, 1, 16,                           /* execution units of each */                                \
            10, 1, (memory_channels), 11, 1, 4, /* GDDR6 */                                                  \
            12, 1, 1,                           /* caches: L3 */                                             \
            13, 1, 0x10000,                     /* pages of local memory */                                  \
            15, 1, 8,                           /* threads of an execution unit */                           \
            23, 1, 1, 24, 1, (compute_engines), 25, 1, 2, 26, 1, 2, 27, 1, 1, /* engines: render to copy */  \
            70, 1, 4, /* dual subslices of a slice */                                                        \
    }
static const uint32_t g10_config[] = CONFIG(8, 8, 4), g11_config[] = CONFIG(2, 3, 1),
                      g12_config[] = CONFIG(4, 4, 2);

const struct register_block *const gen125_guc_blocks[] = {&guc_registers, &guc_interrupt_registers,
                                                          &guc_doorbell_registers, NULL};

/* (Linux, xe_gt_sriov_pf_service) */
const uint32_t gen125_runtime_registers[] = {0x0d00, 0x9118, 0x911c, 0x9120, 0x9134,
                                             0x913c, 0x9140, 0x9144, 0xc1dc, 0};

const struct guc_info gen125_g10_guc = GEN125_GUC(g10_config), gen125_g11_guc = GEN125_GUC(g11_config),
                      gen125_g12_guc = GEN125_GUC(g12_config);
