/* The GuC of Xe2. (Linux, xe_guc_regs.h) */
#include "gen/gen200.h"
#include "gen/gen125.h"

/* The hardware configuration table: key, length in dwords, values. Drivers steer by slices and by Xe-cores in
 * all. (IGT, intel_hwconfig_types.h; Linux, xe_gt_mcr) */
#define CONFIG(slices, cores, memory, video)                                                                 \
    {                                                                                                        \
        1, 1, (slices), 2, 1, (cores), 3, 1, 8,  /* execution units of each */                               \
            10, 1, 4, 11, 1, (memory), 12, 1, 1, /* caches: L3 */                                            \
            15, 1, 8,                            /* threads of an execution unit */                          \
            23, 1, 1, 24, 1, 1, 27, 1, 2,        /* engines: render, compute, copy */                        \
            25, 1, (video), 26, 1, (video),      /* and those of media */                                    \
            70, 1, (cores),                                                                                  \
    }
enum { LPDDR5 = 1, GDDR6 = 4 };
static const uint32_t bmg_config[] = CONFIG(5, 20, GDDR6, 2), lnl_config[] = CONFIG(2, 8, LPDDR5, 1);

#define MEDIA_GUC(table)                                                                                     \
    {                                                                                                        \
        GEN125_ANY_GUC(table), .function_registers = &guc_media_function_registers,                          \
                               .mailbox = GUC_MEDIA_MAILBOX, .host_interrupt = GUC_MEDIA_HOST_INTERRUPT,     \
                               .interrupt = {                                                                \
                                   .bit = 24                                                                 \
                               }                                                                             \
    }
const struct guc_info gen200_bmg_guc = GEN125_GUC(bmg_config), gen200_lnl_guc = GEN125_GUC(lnl_config),
                      gen200_bmg_media_guc = MEDIA_GUC(bmg_config),
                      gen200_lnl_media_guc = MEDIA_GUC(lnl_config);
