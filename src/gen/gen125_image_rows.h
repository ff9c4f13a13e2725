/* Rows that context images of Xe_HPG and Xe2 share. */
#ifndef GEN_GEN125_IMAGE_ROWS_H
#define GEN_GEN125_IMAGE_ROWS_H

#include "gen/image_rows.h"

enum { POSTED = IMAGE_POSTED, MOVABLE = IMAGE_POSTED | IMAGE_RELATIVE };

#define RING_LIST                                                                                            \
    NOOP(1), LIST(MOVABLE), REGISTER(CTXT_SR_CTL), REGISTER(RING_BUFFER_HEAD), REGISTER(RING_BUFFER_TAIL),   \
        REGISTER(RING_BUFFER_START), REGISTER(RING_BUFFER_CTL), REGISTER(BB_ADDR_UDW), REGISTER(BB_ADDR),    \
        REGISTER(BB_STATE), REGISTER(BB_PER_CTX_PTR), REGISTER(INDIRECT_CTX), REGISTER(INDIRECT_CTX_OFFSET), \
        REGISTER(CCID), REGISTER(0x2b4 /* SEMAPHORE_TOKEN */), REGISTERS(2, 0x120 /* PRT_BB_STATE */)
/* At dword 50h drivers write MI_LOAD_REGISTER_MEM of IMR. At 55h they write MI_LOAD_REGISTER_IMM of
 * INT_STATUS_RPT_PTR and INT_SRC_RPT_PTR. (Linux, set_memory_based_intr) */
#define INTERRUPT_REPORT NOOP_OF_SOFTWARE(10), NOOP(6)
#define STACK_PORT       REGISTER(0x588)
#define ENGINE_CONTEXT                                                                                       \
    NOOP(1), LIST(MOVABLE), STACK_PORT, STACK_PORT, STACK_PORT, STACK_PORT, STACK_PORT, STACK_PORT,          \
        REGISTER(EXCC), REGISTER(MI_MODE), REGISTER(INSTPM), REGISTER(PR_CTR_CTL), REGISTER(PR_CTR_THRSH),   \
        REGISTER(0x358 /* TIMESTAMP */), REGISTER(0x170 /* BB_START_ADDR_UDW */),                            \
        REGISTER(0x150 /* BB_START_ADDR */), REGISTER(0x154 /* BB_ADD_DIFF */), REGISTER(BB_OFFSET),         \
        REGISTER(MI_PREDICATE_RESULT_1), REGISTERS(32, CS_GPR), REGISTER(0x068 /* IPEHR */),                 \
        REGISTER(0x084 /* CMD_BUFF_CTL */), NOOP(1),                                                         \
        LIST(MOVABLE), /* batch levels that the ring context does not hold */                                \
        REGISTER(SBB_ADDR_UDW), REGISTER(SBB_ADDR), REGISTER(SBB_STATE), REGISTER(THIRD_BB_ADDR_UDW),        \
        REGISTER(THIRD_BB_ADDR), REGISTER(THIRD_BB_STATE)

/* What a render image saves beside the pipeline's state. */
#define RENDER_REGISTERS                                                                                     \
    LIST(MOVABLE), REGISTERS(7, MI_PREDICATE_SRC0), REGISTER(0x420), REGISTERS(5, 0x430),                    \
        REGISTERS(3, 0x500), REGISTER(0x580), REGISTER(0x6c0 /* DRAW_WATERMARK */), FLEXIBLE_EVENTS,         \
        NOOP(38), LIST(MOVABLE), REGISTERS(2, 0x290), REGISTERS(2, 0x2c8), REGISTERS(2, 0x2d8),              \
        REGISTERS(4, 0x2f0), REGISTERS(22, 0x300), LIST(MOVABLE), REGISTERS(2, 0x360 /* OACTXCONTROL */),    \
        REGISTERS(4, 0x448 /* counts of slice 2 */), REGISTER(0x960 /* OAR_OACONTROL */),                    \
        REGISTERS(69, 0x800), REGISTERS(8, 0x920), REGISTERS(8, 0x940), LIST(MOVABLE),                       \
        REGISTER(CS_DEBUG_MODE2), GEN11_COUNTS, LIST(POSTED), GLOBAL(1, 0x2090 /* 3D_CHICKEN3 */),           \
        GLOBAL(1, 0x6204 /* CHICKEN_RASTER_1 */), GLOBAL(1, 0x7040 /* Z_DISCARD_EN */),                      \
        GLOBAL(1, 0xb134 /* L3ALLOC */), GLOBAL(1, 0xe48c /* ROW_CHICKEN_4 */),                              \
        GLOBAL(1, 0xe518 /* VSR_PUSH_CONSTANT_BASE */), LIST(POSTED), GLOBAL(8, 0x5200), GLOBAL(8, 0x5240),  \
        GLOBAL(4, 0x5280), GLOBAL(1, 0x6208), GLOBAL(1, 0x6604 /* FF_MODE2 */), GLOBAL(3, 0x7000),           \
        GLOBAL(1, 0x7014), GLOBAL(1, 0x7034), GLOBAL(1, 0x703c), GLOBAL(1, 0x7044), GLOBAL(1, 0x7304),       \
        GLOBAL(1, 0x731c /* SLICE_COMMON_ECO_CHICKEN1 */), GLOBAL(1, 0x83a4), GLOBAL(1, 0xb0a4),             \
        GLOBAL(1, 0xb158 /* L3SQCREG5 */), GLOBAL(1, 0xe18c /* SAMPLER_MODE */),                             \
        GLOBAL(1, 0xe194 /* HALF_SLICE_CHICKEN7 */), GLOBAL(2, 0xe400 /* TD_CTL */), GLOBAL(1, 0xe5f4)
/* The same of a compute image. */
#define COMPUTE_REGISTERS                                                                                    \
    LIST(MOVABLE), REGISTERS(7, MI_PREDICATE_SRC0), REGISTERS(3, 0x500), REGISTER(0x580),                    \
        REGISTERS(2, 0x290), LIST(MOVABLE), REGISTER(0x360 /* OACTXCONTROL */), REGISTERS(69, 0x800),        \
        REGISTERS(8, 0x920), REGISTERS(8, 0x940), FLEXIBLE_EVENTS, NOOP(4), LIST(MOVABLE),                   \
        REGISTER(CS_DEBUG_MODE2)

#endif
