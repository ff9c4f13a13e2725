/*
 * Power context images of Gen9: what the power management unit saves of an engine before RC6, and loads after
 * it. (OVR-07, OVR-08, OVR-09) The front end's list is the same in all three tables, and its header counts 70
 * registers, up to dword 8Dh. The tables have lost some of them:
 * - 38h, between PREEMPT_DLY and SYNC_FLIP_STATUS: CTXT_PREMP_DBG, the preemption register that is nowhere
 * else;
 * - 8Ah: the upper half of EXECLIST_STATUS, as other registers of 64 bits have both halves there;
 * - 8Ch has two rows, CXT_OFFSET and a NOOP: the header counts a register there, so it is CXT_OFFSET.
 * Of the back end's lists the first one or two registers are lost: nothing tells what they are, the pairs are
 * zeros. The render engine's table is in another volume.
 */
#include "gen/gen9.h"

/* clang-format off */
#define FRONT_END                                                                                            \
    {IMAGE_NOOP, 1, 0},                                                                                      \
    {IMAGE_LRI, 70, 0},                                                                                      \
    {IMAGE_REG, 1, GFX_MODE}, {IMAGE_REG, 1, HWS_PGA}, {IMAGE_RING_OFF, 1, RING_BUFFER_CTL},                 \
    {IMAGE_REG, 1, RING_BUFFER_HEAD}, {IMAGE_REG, 1, RING_BUFFER_TAIL}, {IMAGE_REG, 1, RING_BUFFER_START},   \
    {IMAGE_REG, 1, RING_BUFFER_CTL}, {IMAGE_REG, 1, BB_ADDR_UDW}, {IMAGE_REG, 1, BB_ADDR},                   \
    {IMAGE_REG, 1, BB_STATE}, {IMAGE_REG, 1, SBB_ADDR_UDW}, {IMAGE_REG, 1, SBB_ADDR},                        \
    {IMAGE_REG, 1, SBB_STATE}, {IMAGE_REG, 1, 0x050 /* RC_PSMI_CONTROL */},                                  \
    {IMAGE_REG, 1, 0x054 /* RC_PWRCTX_MAXCNT */}, {IMAGE_REG, 1, 0x058 /* CTX_WA_PTR */},                    \
    {IMAGE_REG, 1, NOPID}, {IMAGE_REG, 1, HWSTAM}, {IMAGE_REG, 1, RING_IMR}, {IMAGE_REG, 1, EIR},            \
    {IMAGE_REG, 1, EMR}, {IMAGE_REG, 1, 0x0c4 /* CMD_CCTL */}, {IMAGE_REG, 1, UHPTR},                        \
    {IMAGE_REG, 1, 0x16c /* BB_PREEMPT_ADDR_UDW */}, {IMAGE_REG, 1, BB_PREEMPT_ADDR},                        \
    {IMAGE_REG, 1, RING_BUFFER_HEAD_PREEMPT_REG}, {IMAGE_REG, 1, 0x214 /* PREEMPT_DLY */},                   \
    {IMAGE_REG, 1, 0x248 /* CTXT_PREMP_DBG */}, {IMAGE_REG, 1, 0x2d0 /* SYNC_FLIP_STATUS */},                \
    {IMAGE_REG, 1, 0x2d4 /* SYNC_FLIP_STATUS_1 */}, {IMAGE_REG, 1, 0x2ec /* SYNC_FLIP_STATUS_2 */},          \
    {IMAGE_REG, 1, 0x0cc /* WAIT_FOR_RC6_EXIT */}, {IMAGE_REG, 1, 0x4cc /* CTXID_PREEMPTION_HINT */},        \
    {IMAGE_REG, 1, 0x4c8 /* CS_PREEMPTION_HINT_UDW */}, {IMAGE_REG, 1, 0x4bc /* CS_PREEMPTION_HINT */},      \
    {IMAGE_REG, 1, CCID}, {IMAGE_REG, 1, 0x138 /* SBB_PREEMPT_ADDRESS_UDW */},                               \
    {IMAGE_REG, 1, 0x13c /* SBB_PREEMPT_ADDRESS */}, {IMAGE_REG, 1, MI_PREDICATE_RESULT_2},                  \
    {IMAGE_REG, 1, CONTEXT_STATUS_PTR}, {IMAGE_REG, 12, CONTEXT_STATUS_BUF},                                 \
    {IMAGE_REG, 1, 0x24c /* SEMA_WAIT_POLL */}, {IMAGE_REG, 1, 0x23c /* IDLEDELAY */},                       \
    {IMAGE_REG, 1, 0x2e8 /* DISPLAY_MESSAGE_FORWARD_STATUS */}, {IMAGE_REG, 12, FORCE_TO_NONPRIV},           \
    {IMAGE_REG, 2, 0x234 /* EXECLIST_STATUS */}, {IMAGE_GLOBAL, 1, 0x21ac /* CXT_OFFSET */},                 \
    {IMAGE_NOOP, 1, 0}
#define END {IMAGE_NOOP, 1, 0}, {IMAGE_BATCH_END, 1, 0}, {IMAGE_END, 0, 0}

const struct image_row gen9_video_power_context[] = {
    FRONT_END, {IMAGE_LRI, 3, 0}, {IMAGE_LOST, 2, 0}, {IMAGE_REG, 1, 0x0a0 /* GAC mode */}, {IMAGE_NOOP, 6, 0}, END,
};
const struct image_row gen9_copy_power_context[] = {
    FRONT_END, {IMAGE_LRI, 2, 0}, {IMAGE_LOST, 1, 0}, {IMAGE_REG, 1, 0x0a0 /* GAB mode */}, {IMAGE_NOOP, 8, 0}, END,
};
const struct image_row gen9_enhance_power_context[] = {
    FRONT_END, {IMAGE_LRI, 2, 0}, {IMAGE_LOST, 2, 0}, {IMAGE_NOOP, 8, 0}, END,
};
/* clang-format on */
