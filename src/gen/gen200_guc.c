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

/* (Linux, xe_gt_sriov_pf_service) */
static const uint32_t runtime_registers[] = {0x0d00, 0x9114, 0x9118, 0x911c, 0x9120, 0x9134, 0x913c, 0x9140,
                                             0x9144, 0x9148, 0x914c, 0x9150, 0x9154, 0xc1dc, 0};
/* Of drivers of VFs. Version 1.2 knows the key of GMD_ID. (Linux, xe_gt_sriov_vf) */
#define VFS(architecture, release)                                                                           \
    .vf_interface_minor = 2, .gmd_id = GEN200_GMD_ID(architecture, release),                                 \
    .runtime_registers = runtime_registers
#define GUC(table, ...)                                                                                      \
    {                                                                                                        \
        GEN125_GRAPHICS_GUC(table), __VA_ARGS__                                                              \
    }
#define MEDIA_GUC(table, ...)                                                                                \
    {                                                                                                        \
        GEN125_ANY_GUC(table), .function_registers = &guc_media_function_registers,                          \
                               .mailbox = GUC_MEDIA_MAILBOX, .host_interrupt = GUC_MEDIA_HOST_INTERRUPT,     \
                               .interrupt.bit = 24, .vf_unit_name = vf_guc1_name, __VA_ARGS__                \
    }
const struct guc_info gen200_bmg_guc = GUC(bmg_config, VFS(20, 1)),
                      gen200_bmg_media_guc = MEDIA_GUC(bmg_config, VFS(13, 1)),
                      gen200_lnl_guc = GUC(lnl_config, VFS(20, 4)),
                      gen200_lnl_media_guc = MEDIA_GUC(lnl_config, VFS(20, 0));
