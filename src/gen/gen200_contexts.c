/*
 * Context images of Xe2. The ring context is laid out as Linux writes it (xe2_rcs_offsets, xe2_bcs_offsets,
 * xe2_xcs_offsets); what follows is our own layout, as on Xe_HPG. Drivers give a render image three pages and
 * a compute image two: pipeline state has what is left of them. (xe_gt_lrc_hang_replay_size)
 */
#include "gen/gen125_image_rows.h"
#include "gen/gen200.h"

#define RING_CONTEXT                                                                                         \
    RING_LIST, NOOP(1), LIST(MOVABLE), REGISTER(CTX_TIMESTAMP), REGISTER(CTX_TIMESTAMP_UDW),                 \
        REGISTER(0x108 /* INDIRECT_RING_STATE */), REGISTER(0x284), REGISTER(0x280 /* ACC_CTR_THOLD */),     \
        REGISTER(0x27c /* PASID */), REGISTER(0x278 /* ASID */), REGISTER(0x274), REGISTER(0x270)

/* Linux writes these once for each context, and takes the image to hold them. (xe_wa, lrc_was) */
#define WORKAROUNDS                                                                                          \
    LIST(POSTED), GLOBAL(1, 0x5588 /* WM_CHICKEN3 */), GLOBAL(1, 0x6210 /* FF_MODE */),                      \
        GLOBAL(1, 0x62a8 /* VFLSKPD */), GLOBAL(1, 0x7010 /* COMMON_SLICE_CHICKEN1 */),                      \
        GLOBAL(1, 0x7300 /* COMMON_SLICE_CHICKEN4 */), GLOBAL(1, 0x83a8 /* VF_SCRATCHPAD */)

const struct image_row gen200_render_context[] = {
    RING_CONTEXT,
    NOOP(2),
    LIST(MOVABLE),
    REGISTERS(2, 0x5a8),
    NOOP(6),
    LIST(IMAGE_RELATIVE),
    REGISTER(R_PWR_CLK_STATE),
    NOOP(12),
    INTERRUPT_REPORT,
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT,
    RENDER_REGISTERS,
    WORKAROUNDS,
    BATCH_END,
    PIPELINE_STATE(0x800),
    END_OF_IMAGE,
};
const struct image_row gen200_compute_context[] = {
    RING_CONTEXT,      NOOP(28),  INTERRUPT_REPORT,      END_OF_RING_CONTEXT, ENGINE_CONTEXT,
    COMPUTE_REGISTERS, BATCH_END, PIPELINE_STATE(0x500), END_OF_IMAGE,
};
const struct image_row gen200_copy_context[] = {
    RING_CONTEXT,
    NOOP(13),
    LIST(MOVABLE),
    REGISTER(BCS_SWCTRL),
    REGISTER(0x204 /* BLIT_CCTL */),
    NOOP(10),
    INTERRUPT_REPORT,
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT,
    BATCH_END,
    PIPELINE_STATE(0x40),
    END_OF_IMAGE,
};
const struct image_row gen200_video_context[] = {
    RING_CONTEXT, NOOP(28), INTERRUPT_REPORT, END_OF_RING_CONTEXT, ENGINE_CONTEXT, END_OF_IMAGE,
};
