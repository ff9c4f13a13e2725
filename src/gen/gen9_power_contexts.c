/*
 * Power context images of Gen9: registers of an engine that the power management unit saves before RC6 and
 * restores after it. (OVR-07, OVR-08, OVR-09)
 * The front end's list is the same in all three tables, and its header counts 70 registers, up to dword 8Dh.
 * The manual's tables miss some of them, which are filled in here:
 * - 38h, between PREEMPT_DLY and SYNC_FLIP_STATUS: CTXT_PREMP_DBG, the only preemption register that is
 *   listed nowhere else.
 * - 8Ah: the upper half of EXECLIST_STATUS, because other 64-bit registers have both halves there.
 * - 8Ch has two rows, CXT_OFFSET and a NOOP. The header counts a register there, so it is CXT_OFFSET.
 * The first one or two registers of the back end's lists are missing and unknown: their pairs are zeros. The
 * render engine's table is in another volume.
 */
#include "gen/gen9.h"
#include "gen/image_rows.h"

/* clang-format off */
#define FRONT_END                                                                                           \
    NOOP(1),                                                                                                \
    LIST(IMAGE_POSTED),                                                                                     \
    REGISTER(GFX_MODE), REGISTER(HWS_PGA), RING_OFF(RING_BUFFER_CTL),                                       \
    REGISTER(RING_BUFFER_HEAD), REGISTER(RING_BUFFER_TAIL), REGISTER(RING_BUFFER_START),                    \
    REGISTER(RING_BUFFER_CTL), REGISTER(BB_ADDR_UDW), REGISTER(BB_ADDR),                                    \
    REGISTER(BB_STATE), REGISTER(SBB_ADDR_UDW), REGISTER(SBB_ADDR),                                         \
    REGISTER(SBB_STATE), REGISTER(0x050 /* RC_PSMI_CONTROL */),                                             \
    REGISTER(0x054 /* RC_PWRCTX_MAXCNT */), REGISTER(CTX_WA_PTR),                               \
    REGISTER(NOPID), REGISTER(HWSTAM), REGISTER(RING_IMR), REGISTER(EIR),                                   \
    REGISTER(EMR), REGISTER(0x0c4 /* CMD_CCTL */), REGISTER(UHPTR),                                         \
    REGISTER(0x16c /* BB_PREEMPT_ADDR_UDW */), REGISTER(BB_PREEMPT_ADDR),                                   \
    REGISTER(RING_BUFFER_HEAD_PREEMPT_REG), REGISTER(0x214 /* PREEMPT_DLY */),                              \
    REGISTER(0x248 /* CTXT_PREMP_DBG */), REGISTER(0x2d0 /* SYNC_FLIP_STATUS */),                           \
    REGISTER(0x2d4 /* SYNC_FLIP_STATUS_1 */), REGISTER(0x2ec /* SYNC_FLIP_STATUS_2 */),                     \
    REGISTER(0x0cc /* WAIT_FOR_RC6_EXIT */), REGISTER(0x4cc /* CTXID_PREEMPTION_HINT */),                   \
    REGISTER(0x4c8 /* CS_PREEMPTION_HINT_UDW */), REGISTER(0x4bc /* CS_PREEMPTION_HINT */),                 \
    REGISTER(CCID), REGISTER(0x138 /* SBB_PREEMPT_ADDRESS_UDW */),                                          \
    REGISTER(0x13c /* SBB_PREEMPT_ADDRESS */), REGISTER(MI_PREDICATE_RESULT_2),                             \
    REGISTER(CONTEXT_STATUS_PTR), REGISTERS(12, CONTEXT_STATUS_BUF),                                        \
    REGISTER(0x24c /* SEMA_WAIT_POLL */), REGISTER(0x23c /* IDLEDELAY */),                                  \
    REGISTER(0x2e8 /* DISPLAY_MESSAGE_FORWARD_STATUS */), REGISTERS(12, FORCE_TO_NONPRIV),                  \
    REGISTERS(2, 0x234 /* EXECLIST_STATUS */), GLOBAL(1, 0x21ac /* CXT_OFFSET */),                          \
    NOOP(1)
#define POWER_CONTEXT_END NOOP(1), BATCH_END, END_OF_IMAGE

const struct image_row gen9_video_power_context[] = {
    FRONT_END, LIST(IMAGE_POSTED), LOST(2), REGISTER(0x0a0 /* GAC mode */), NOOP(6), POWER_CONTEXT_END,
};
const struct image_row gen9_copy_power_context[] = {
    FRONT_END, LIST(IMAGE_POSTED), LOST(1), REGISTER(0x0a0 /* GAB mode */), NOOP(8), POWER_CONTEXT_END,
};
const struct image_row gen9_enhance_power_context[] = {
    FRONT_END, LIST(IMAGE_POSTED), LOST(2), NOOP(8), POWER_CONTEXT_END,
};
/* clang-format on */
