/* The media GT of Xe2. Which video engines the parts have is our choice. (Linux, xe_hw_engine) */
#include "gen/gen11.h"
#include "gen/gen200.h"

#define FUSE(title, at, value, text)                                                                         \
    {                                                                                                        \
        .name = (title), .offset = (at), .reset = (value), .summary = (text), .spec = "Linux, xe_gt_regs.h"  \
    }
#define FUSES(architecture, release, video, enhance)                                                         \
    {                                                                                                        \
        FUSE("GMD_ID", 0xd8c, GEN200_GMD_ID(architecture, release),                                          \
             "Version of the media part: architecture (31:22), release (21:14), stepping (5:0)."),           \
            FUSE("GT_VEBOX_VDBOX_ENABLE", 0x9140, (enhance) << 16 | (video),                                 \
                 "Video engines there (7:0), and enhancement engines (19:16)."),                             \
            FUSE("FUSE4", 0x9114, 0, "Compute engines there: they are in the other GT."),                    \
            FUSE("MIRROR_FUSE3", 0x9118, 0, "L3 nodes there: they are in the other GT."),                    \
            FUSE("EU_ENABLE", 0x9134, 0, "Execution units there: they are in the other GT."),                \
            GEN11_CRYSTAL(2u << 3 | 2u << 1, "Linux, xe_gt_clock"),                                          \
            FUSE("DIST_DBS_POPULATED", 0xd08, 63u << 16 | 0xf,                                               \
                 "Doorbells of each distributor, minus one (23:16), and the distributors there (15:0)."),    \
    }
static const struct reg bmg_fuses[] = FUSES(13u, 1u, 0x5u, 0x3u), lnl_fuses[] = FUSES(20u, 0u, 0x1u, 0x1u);
static const struct register_block bmg_fuse_registers = REGISTER_BLOCK("fuses", bmg_fuses),
                                   lnl_fuse_registers = REGISTER_BLOCK("fuses", lnl_fuses);

#define BLOCKS(fuses)                                                                                        \
    &(fuses), &reset_registers, &gen12_fault_registers, &gen12_invalidation_registers,                       \
        &gen200_invalidation_registers, &gen200_force_wake_registers, &rc6_registers, &gen8_rc6_registers,   \
        &media_rc6_registers, &frequency_registers, &busyness_registers, &gen200_frequency_registers,        \
        &gen200_media_setup_registers, &gen200_steering_registers
static const struct register_block *const bmg_blocks[] = {BLOCKS(bmg_fuse_registers),
                                                          &gen200_media_local_memory_registers, NULL},
                                          *const lnl_blocks[] = {BLOCKS(lnl_fuse_registers),
                                                                 &gsc_force_wake_registers, NULL};

#define GT(list)                                                                                             \
    {                                                                                                        \
        .blocks = (list), .frequency = &gen9_frequency_format, .wake_requests = gen200_media_wake_requests,  \
        .keeps_contexts = true, .steer = gen200_steering_target                                              \
    }
static const struct gt_info bmg_gt = GT(bmg_blocks), lnl_gt = GT(lnl_blocks);

enum { REGISTER_BASE = 0x380000 };
const struct media_gt gen200_bmg_media = {&bmg_gt, &gen200_bmg_media_guc, REGISTER_BASE,
                                          GEN200_GRAPHICS_ENGINES},
                      gen200_lnl_media = {&lnl_gt, &gen200_lnl_media_guc, REGISTER_BASE,
                                          GEN200_GRAPHICS_ENGINES};
