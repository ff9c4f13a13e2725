/*
 * Context images of Gen12.
 * The ring context of five cachelines and the engine context after it are laid out as Linux writes them for
 * the render engine (gen12_rcs_offsets, gen12_xcs_offsets). Linux uses MI_MODE, BB_OFFSET and the general
 * purpose registers at the same dwords for all engines. The layout after these is our own: deeper batch
 * levels, and for the render engine the lists of gen9_contexts.c and the auxiliary table addresses.
 * Indirect contexts of drivers run thirteen cachelines after the start of the ring context. All lists of the
 * command streamer's own registers are relative. (TGL PRM vol 2c)
 */
#include "gen/gen9.h"
#include "gen/image_rows.h"

enum { POSTED = IMAGE_POSTED, MOVABLE = IMAGE_POSTED | IMAGE_RELATIVE };

#define RING_CONTEXT                                                                                         \
    NOOP(1), LIST(MOVABLE), REGISTER(CTXT_SR_CTL), REGISTER(RING_BUFFER_HEAD), REGISTER(RING_BUFFER_TAIL),   \
        REGISTER(RING_BUFFER_START), REGISTER(RING_BUFFER_CTL), REGISTER(BB_ADDR_UDW), REGISTER(BB_ADDR),    \
        REGISTER(BB_STATE), REGISTER(BB_PER_CTX_PTR), REGISTER(INDIRECT_CTX), REGISTER(INDIRECT_CTX_OFFSET), \
        REGISTER(CCID), REGISTER(0x2b4 /* SEMAPHORE_TOKEN */), NOOP(5), LIST(MOVABLE),                       \
        REGISTER(CTX_TIMESTAMP), REGISTER(0x28c), REGISTER(0x288), REGISTER(0x284), REGISTER(0x280),         \
        REGISTER(0x27c), REGISTER(0x278), REGISTER(0x274), REGISTER(0x270)

#define STACK_PORT REGISTER(0x588)
#define ENGINE_CONTEXT(...)                                                                                  \
    NOOP(1), LIST(MOVABLE), STACK_PORT, STACK_PORT, STACK_PORT, STACK_PORT, STACK_PORT, STACK_PORT,          \
        REGISTER(EXCC), REGISTER(MI_MODE), REGISTER(INSTPM), REGISTER(PR_CTR_CTL), REGISTER(PR_CTR_THRSH),   \
        REGISTER(0x358 /* TIMESTAMP */), REGISTER(0x170 /* BB_START_ADDR_UDW */),                            \
        REGISTER(0x150 /* BB_START_ADDR */), REGISTER(0x154 /* BB_ADD_DIFF */), REGISTER(BB_OFFSET),         \
        REGISTER(MI_PREDICATE_RESULT_1), REGISTERS(32, CS_GPR), REGISTER(0x068 /* IPEHR */) __VA_ARGS__
#define COMMAND_BUFFER_CONTROL , REGISTER(CMD_BUFF_CTL)
/* Batch levels that the ring context does not hold. */
#define DEEPER_BATCHES                                                                                       \
    LIST(MOVABLE), REGISTER(SBB_ADDR_UDW), REGISTER(SBB_ADDR), REGISTER(SBB_STATE),                          \
        REGISTER(THIRD_BB_ADDR_UDW), REGISTER(THIRD_BB_ADDR), REGISTER(THIRD_BB_STATE)

const struct image_row gen12_render_context[] = {
    RING_CONTEXT,
    LIST(MOVABLE),
    REGISTER(0x1b0),
    REGISTERS(2, 0x5a8),
    NOOP(6),
    LIST(IMAGE_RELATIVE),
    REGISTER(R_PWR_CLK_STATE),
    NOOP(12),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(COMMAND_BUFFER_CONTROL),
    NOOP(1),
    DEEPER_BATCHES,
    LIST(MOVABLE),
    REGISTERS(7, MI_PREDICATE_SRC0),
    REGISTER(0x420),
    REGISTERS(5, 0x430),
    REGISTERS(3, 0x500),
    REGISTER(0x580),
    FLEXIBLE_EVENTS,
    NOOP(39),
    LIST(MOVABLE),
    REGISTERS(2, 0x290),
    REGISTERS(2, 0x2c8),
    REGISTERS(2, 0x2d8),
    REGISTERS(4, 0x2f0),
    REGISTERS(22, 0x300),
    LIST(MOVABLE),
    REGISTERS(2, 0x360 /* OACTXCONTROL */),
    REGISTERS(4, 0x448 /* counts of slice 2 */),
    REGISTER(0x960 /* OAR_OACONTROL */),
    REGISTERS(69, 0x800),
    REGISTERS(8, 0x920),
    REGISTERS(8, 0x940),
    LIST(MOVABLE),
    REGISTER(CS_DEBUG_MODE2),
    GEN11_COUNTS,
    LIST(POSTED),
    POSITION_REGISTERS,
    LIST(POSTED),
    GLOBAL(1, 0x2090 /* 3D_CHICKEN3 */),
    GLOBAL(1, 0x6604 /* FF_MODE2 */),
    GLOBAL(1, 0x7040 /* Z_DISCARD_EN */),
    GLOBAL(1, 0xb134 /* L3ALLOC */),
    GLOBAL(1, 0xe48c /* ROW_CHICKEN_4 */),
    GLOBAL(1, 0xe518 /* VSR_PUSH_CONSTANT_BASE */),
    LIST(POSTED),
    GLOBAL(8, 0x5200),
    GLOBAL(8, 0x5240),
    GLOBAL(4, 0x5280),
    GLOBAL(3, 0x7000),
    GLOBAL(1, 0x7014),
    GLOBAL(1, 0x7034),
    GLOBAL(1, 0x7304),
    GLOBAL(1, 0x731c /* SLICE_COMMON_ECO_CHICKEN1 */),
    GLOBAL(1, 0xb0a4),
    GLOBAL(1, 0xe18c /* SAMPLER_MODE */),
    GLOBAL(1, 0xe194 /* HALF_SLICE_CHICKEN7 */),
    GLOBAL(2, 0xe400 /* TD_CTL */),
    GLOBAL(1, 0xe5f4),
    GLOBAL(2, 0x4200 /* GFX_AUX_TABLE_BASE_ADDR */),
    BATCH_END,
    PIPELINE_STATE(0x3000),
    END_OF_IMAGE,
};
const struct image_row gen12_compute_context[] = {
    RING_CONTEXT,
    LIST(MOVABLE),
    REGISTER(0x1b0),
    REGISTERS(2, 0x5a8),
    NOOP(6),
    LIST(IMAGE_RELATIVE),
    REGISTER(R_PWR_CLK_STATE),
    NOOP(12),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(COMMAND_BUFFER_CONTROL),
    NOOP(1),
    DEEPER_BATCHES,
    LIST(MOVABLE),
    REGISTERS(7, MI_PREDICATE_SRC0),
    REGISTERS(3, 0x500),
    REGISTER(0x580),
    REGISTERS(2, 0x290),
    LIST(MOVABLE),
    REGISTER(0x360 /* OACTXCONTROL */),
    REGISTERS(69, 0x800),
    REGISTERS(8, 0x920),
    REGISTERS(8, 0x940),
    FLEXIBLE_EVENTS,
    LIST(MOVABLE),
    REGISTER(CS_DEBUG_MODE2),
    LIST(POSTED),
    GLOBAL(2, 0x42c0 /* COMPCS0_AUX_TABLE_BASE_ADDR */),
    BATCH_END,
    PIPELINE_STATE(0x3000),
    END_OF_IMAGE,
};
const struct image_row gen12_copy_context[] = {
    RING_CONTEXT,     NOOP(13), LIST(IMAGE_RELATIVE), REGISTER(BCS_SWCTRL), NOOP(12),     END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(), NOOP(3),  DEEPER_BATCHES,       PIPELINE_STATE(0x40), END_OF_IMAGE,
};
const struct image_row gen12_video_context[] = {
    RING_CONTEXT, NOOP(28), END_OF_RING_CONTEXT, ENGINE_CONTEXT(), NOOP(3), DEEPER_BATCHES, END_OF_IMAGE,
};
