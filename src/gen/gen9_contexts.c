/*
 * Context images of Gen8, Gen9 and Gen11: a ring context of five cachelines, then an engine context.
 * (OVR-06, OVR-08, OVR-09)
 * The manuals do not describe the render engine's own part. Our layout has lists of registers after the
 * common part, then the pipeline state as commands. Drivers allocate 21 pages for the image on Gen9, 13 on
 * Gen11. The copy engine's own part holds the XY_SETUP state; the manual describes it.
 * From Gen11 on, lists of the command streamer's own registers are relative: an image may move to another
 * engine of its class. (CSP-14, CSP-18)
 */
#include "gen/gen9.h"
#include "gen/image_rows.h"

enum { POSTED = IMAGE_POSTED, MOVABLE = IMAGE_POSTED | IMAGE_RELATIVE };

#define RING_CONTEXT(flags)                                                                                  \
    NOOP(1), LIST(flags), REGISTER(CTXT_SR_CTL), REGISTER(RING_BUFFER_HEAD), REGISTER(RING_BUFFER_TAIL),     \
        REGISTER(RING_BUFFER_START), REGISTER(RING_BUFFER_CTL), REGISTER(BB_ADDR_UDW), REGISTER(BB_ADDR),    \
        REGISTER(BB_STATE), REGISTER(SBB_ADDR_UDW), REGISTER(SBB_ADDR), REGISTER(SBB_STATE),                 \
        REGISTER(BB_PER_CTX_PTR), REGISTER(INDIRECT_CTX), REGISTER(INDIRECT_CTX_OFFSET)
/* Copy and video engines of Gen8 have no workaround batches. */
#define SHORT_RING_CONTEXT                                                                                   \
    NOOP(1), LIST(0), REGISTER(CTXT_SR_CTL), REGISTER(RING_BUFFER_HEAD), REGISTER(RING_BUFFER_TAIL),         \
        REGISTER(RING_BUFFER_START), REGISTER(RING_BUFFER_CTL), REGISTER(BB_ADDR_UDW), REGISTER(BB_ADDR),    \
        REGISTER(BB_STATE), REGISTER(SBB_ADDR_UDW), REGISTER(SBB_ADDR), REGISTER(SBB_STATE)
#define PAGE_DIRECTORIES(flags)                                                                              \
    LIST(flags), REGISTER(CTX_TIMESTAMP), REGISTER(0x28c), REGISTER(0x288), REGISTER(0x284),                 \
        REGISTER(0x280), REGISTER(0x27c), REGISTER(0x278), REGISTER(0x274), REGISTER(0x270)
#define ENGINE_CONTEXT(flags)                                                                                \
    NOOP(1), LIST(flags), REGISTER(EXCC), REGISTER(MI_MODE), REGISTER(0x0c0 /* INSTPM */),                   \
        REGISTER(0x178 /* PR_CTR_CTL */), REGISTER(0x17c /* PR_CTR_THRSH */),                                \
        REGISTER(0x358 /* TIMESTAMP */), REGISTER(0x170 /* BB_START_ADDR_UDW */),                            \
        REGISTER(0x150 /* BB_START_ADDR */), REGISTER(0x154 /* BB_ADD_DIFF */), REGISTER(BB_OFFSET),         \
        REGISTER(MI_PREDICATE_RESULT_1), REGISTERS(32, CS_GPR), REGISTER(0x068 /* IPEHR */), NOOP(6)

#define COPY_CONTEXT(flags)                                                                                  \
    RING_CONTEXT(flags), NOOP(3), PAGE_DIRECTORIES(flags), NOOP(13),                                         \
        LIST((flags) & ~(unsigned)IMAGE_POSTED), REGISTER(0x200 /* BCS_SWCTRL */), NOOP(12),                 \
        END_OF_RING_CONTEXT, ENGINE_CONTEXT(flags), PIPELINE_STATE(0x40), END_OF_IMAGE
#define VIDEO_CONTEXT(flags)                                                                                 \
    RING_CONTEXT(flags), NOOP(3), PAGE_DIRECTORIES(flags), NOOP(28), END_OF_RING_CONTEXT,                    \
        ENGINE_CONTEXT(flags), END_OF_IMAGE

#define CS_CHICKEN1 , REGISTER(0x580)
/* gap_dw: the distance to OACTXCONTROL and the flexible EU events, so that they are where Linux writes them.
 */
#define RENDER_OWN(flags, gap_dw, ...)                                                                       \
    NOOP(1), LIST(flags), REGISTERS(7, MI_PREDICATE_SRC0), REGISTER(0x420), REGISTERS(5, 0x430),             \
        REGISTERS(3, 0x500) __VA_ARGS__, LIST(flags), REGISTERS(2, 0x290), REGISTERS(2, 0x2c8),              \
        REGISTERS(2, 0x2d8), REGISTERS(4, 0x2f0), REGISTERS(22, 0x300), NOOP(gap_dw), LIST(flags),           \
        REGISTERS(2, 0x360 /* OACTXCONTROL */), LIST(POSTED), GLOBAL(8, 0x5200), GLOBAL(8, 0x5240),          \
        GLOBAL(4, 0x5280), GLOBAL(3, 0x7000), GLOBAL(1, 0x7034), GLOBAL(1, 0xb0a4), GLOBAL(1, 0xe5f4)

#define RENDER_SLICES                                                                                        \
    LIST(POSTED), REGISTERS(4, 0x448 /* counts of slice 2 */), GLOBAL(1, 0x7014), GLOBAL(1, 0x7304)

/* Mode registers that user batches may set. */
#define MODES(flags)                                                                                         \
    LIST(flags), REGISTER(CMD_BUFF_CTL), REGISTER(CS_DEBUG_MODE2), GLOBAL(1, 0x2090 /* 3D_CHICKEN3 */)

const struct image_row gen8_render_context[] = {
    RING_CONTEXT(POSTED),
    NOOP(3),
    PAGE_DIRECTORIES(POSTED),
    NOOP(13),
    LIST(0),
    REGISTER(0x0c8 /* R_PWR_CLK_STATE */),
    NOOP(12),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(POSTED),
    RENDER_OWN(POSTED, 0xc, ),
    LIST(POSTED),
    REGISTERS(4, 0x448 /* counts of slice 2 */),
    GLOBAL(2, 0xe400 /* TD_CTL */),
    MODES(POSTED),
    NOOP(0x160),
    FLEXIBLE_EVENTS,
    BATCH_END,
    PIPELINE_STATE(0x4800),
    END_OF_IMAGE,
};
const struct image_row gen8_copy_context[] = {
    SHORT_RING_CONTEXT,
    NOOP(9),
    PAGE_DIRECTORIES(0),
    NOOP(13),
    LIST(0),
    REGISTER(0x200 /* BCS_SWCTRL */),
    REGISTER(EXCC),
    NOOP(10),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(POSTED),
    PIPELINE_STATE(0x40),
    END_OF_IMAGE,
};
const struct image_row gen8_video_context[] = {
    SHORT_RING_CONTEXT,
    NOOP(9),
    PAGE_DIRECTORIES(0),
    NOOP(13),
    LIST(0),
    REGISTER(0x200),
    REGISTER(EXCC),
    NOOP(10),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(POSTED),
    END_OF_IMAGE,
};

const struct image_row gen9_render_context[] = {
    RING_CONTEXT(POSTED),
    NOOP(3),
    PAGE_DIRECTORIES(POSTED),
    NOOP(13),
    LIST(POSTED),
    REGISTER(0x0c8 /* R_PWR_CLK_STATE */),
    NOOP(12),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(POSTED),
    RENDER_OWN(POSTED, 0x12, CS_CHICKEN1),
    /* Indirect contexts of drivers run 26h cachelines after the start of the ring context: after the lists
       above, before the slice registers. */
    NOOP(0x151),
    RENDER_SLICES,
    LIST(POSTED),
    GLOBAL(2, 0xe400 /* TD_CTL */),
    MODES(POSTED),
    NOOP(0x112),
    FLEXIBLE_EVENTS,
    BATCH_END,
    PIPELINE_STATE(0x5000),
    END_OF_IMAGE,
};
const struct image_row gen9_copy_context[] = {COPY_CONTEXT(POSTED)};
const struct image_row gen9_video_context[] = {VIDEO_CONTEXT(POSTED)};

/* Gen11 has a fifteenth register in the ring list, and one more list after the page directories. */
const struct image_row gen11_render_context[] = {
    RING_CONTEXT(MOVABLE),
    REGISTER(0x180 /* CCID */),
    NOOP(1),
    PAGE_DIRECTORIES(MOVABLE),
    LIST(MOVABLE),
    REGISTER(0x1b0),
    NOOP(10),
    LIST(IMAGE_RELATIVE),
    REGISTER(0x0c8 /* R_PWR_CLK_STATE */),
    NOOP(12),
    END_OF_RING_CONTEXT,
    ENGINE_CONTEXT(MOVABLE),
    RENDER_OWN(MOVABLE, 0xe, CS_CHICKEN1),
    RENDER_SLICES,
    LIST(POSTED),
    GLOBAL(2, 0xe400 /* TD_CTL */),
    GLOBAL(1, 0x731c /* SLICE_COMMON_ECO_CHICKEN1 */),
    GLOBAL(1, 0xe18c /* SAMPLER_MODE */),
    GLOBAL(1, 0xe194 /* HALF_SLICE_CHICKEN7 */),
    LIST(MOVABLE),
    REGISTER(CMD_BUFF_CTL),
    REGISTER(CS_DEBUG_MODE2),
    GEN11_COUNTS,
    LIST(POSTED),
    GLOBAL(1, 0x2090 /* 3D_CHICKEN3 */),
    GLOBAL(1, 0x7040 /* Z_DISCARD_EN */),
    GLOBAL(1, 0xe48c /* ROW_CHICKEN_4 */),
    GLOBAL(1, 0xe518 /* VSR_PUSH_CONSTANT_BASE */),
    LIST(POSTED),
    POSITION_REGISTERS,
    NOOP(0x55b),
    FLEXIBLE_EVENTS,
    BATCH_END,
    PIPELINE_STATE(0x2c00),
    END_OF_IMAGE,
};
const struct image_row gen11_copy_context[] = {COPY_CONTEXT(MOVABLE)};
const struct image_row gen11_video_context[] = {VIDEO_CONTEXT(MOVABLE)};
