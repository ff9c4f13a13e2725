/*
 * Context images of Xe_HPG.
 * The ring context has six cachelines, laid out as Linux writes it (dg2_rcs_offsets, dg2_xcs_offsets,
 * XEHP_LR_HW_CONTEXT_SIZE). In the engine context after it, Linux uses MI_MODE, BB_OFFSET, the general
 * purpose registers and CMD_BUFF_CTL, at the same dwords for all engines. The layout after these is our own,
 * as on Gen12. It has no auxiliary table addresses, and a compute engine has no 3D pipeline state.
 * Indirect contexts of drivers run thirteen cachelines after the start of the ring context.
 */
#include "gen/gen9.h"
#include "gen/gen125_image_rows.h"

#define RING_CONTEXT                                                                                         \
    RING_LIST, NOOP(1), LIST(MOVABLE), REGISTER(CTX_TIMESTAMP), REGISTER(0x28c), REGISTER(0x288),            \
        REGISTER(0x284), REGISTER(0x280), REGISTER(0x27c), REGISTER(0x278), REGISTER(0x274), REGISTER(0x270)
/* The engines that share the execution units. */
#define SHARED_RING_CONTEXT                                                                                  \
    RING_CONTEXT, LIST(MOVABLE), REGISTER(0x1b0), REGISTERS(2, 0x5a8), NOOP(6), LIST(IMAGE_RELATIVE),        \
        REGISTER(R_PWR_CLK_STATE), NOOP(12), INTERRUPT_REPORT, END_OF_RING_CONTEXT

const struct image_row gen125_render_context[] = {
    SHARED_RING_CONTEXT, ENGINE_CONTEXT, RENDER_REGISTERS, BATCH_END, PIPELINE_STATE(0x3000), END_OF_IMAGE,
};
const struct image_row gen125_compute_context[] = {
    SHARED_RING_CONTEXT, ENGINE_CONTEXT, COMPUTE_REGISTERS, BATCH_END, PIPELINE_STATE(0x3000), END_OF_IMAGE,
};
const struct image_row gen125_copy_context[] = {
    RING_CONTEXT,
    NOOP(13),
    LIST(IMAGE_RELATIVE),
    REGISTER(BCS_SWCTRL),
    NOOP(12),
    INTERRUPT_REPORT,
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT,
    LIST(MOVABLE),
    REGISTER(0x204 /* BLIT_CCTL */),
    PIPELINE_STATE(0x40),
    END_OF_IMAGE,
};
const struct image_row gen125_video_context[] = {
    RING_CONTEXT, NOOP(28), INTERRUPT_REPORT, END_OF_RING_CONTEXT, ENGINE_CONTEXT, END_OF_IMAGE,
};
