/*
 * Context images of Gen9 and Gen11: ring context (five cachelines), then engine context. (OVR-06, OVR-08,
 * OVR-09) The render engine's own part is not in these manuals; what it saves beyond the common part is laid
 * out here as lists of registers behind it.
 */
#include "gen/gen9.h"

/* clang-format off */
#define RING_CONTEXT                                                                                        \
    {IMAGE_NOOP, 1, 0},                                                                                     \
    {IMAGE_LRI, 14, 0},                                                                                     \
    {IMAGE_REG, 1, CTXT_SR_CTL}, {IMAGE_REG, 1, RING_BUFFER_HEAD}, {IMAGE_REG, 1, RING_BUFFER_TAIL},        \
    {IMAGE_REG, 1, RING_BUFFER_START}, {IMAGE_REG, 1, RING_BUFFER_CTL}, {IMAGE_REG, 1, BB_ADDR_UDW},        \
    {IMAGE_REG, 1, BB_ADDR}, {IMAGE_REG, 1, BB_STATE}, {IMAGE_REG, 1, SBB_ADDR_UDW},                        \
    {IMAGE_REG, 1, SBB_ADDR}, {IMAGE_REG, 1, SBB_STATE}, {IMAGE_REG, 1, BB_PER_CTX_PTR},                    \
    {IMAGE_REG, 1, INDIRECT_CTX}, {IMAGE_REG, 1, INDIRECT_CTX_OFFSET},                                      \
    {IMAGE_NOOP, 3, 0},                                                                                     \
    {IMAGE_LRI, 9, 0},                                                                                      \
    {IMAGE_REG, 1, CTX_TIMESTAMP}, {IMAGE_REG, 1, 0x28c}, {IMAGE_REG, 1, 0x288}, {IMAGE_REG, 1, 0x284},     \
    {IMAGE_REG, 1, 0x280}, {IMAGE_REG, 1, 0x27c}, {IMAGE_REG, 1, 0x278}, {IMAGE_REG, 1, 0x274},             \
    {IMAGE_REG, 1, 0x270},                                                                                  \
    {IMAGE_NOOP, 12, 0}
#define ONE_REGISTER(offset) {IMAGE_NOOP, 1, 0}, {IMAGE_LRI, 1, 0}, {IMAGE_REG, 1, (offset)}, {IMAGE_NOOP, 12, 0}
#define ENGINE_CONTEXT                                                                                      \
    {IMAGE_NOOP, 1, 0},                                                                                     \
    {IMAGE_LRI, 44, 0},                                                                                     \
    {IMAGE_REG, 1, EXCC}, {IMAGE_REG, 1, MI_MODE}, {IMAGE_REG, 1, 0x0c0 /* INSTPM */},                      \
    {IMAGE_REG, 1, 0x178 /* PR_CTR_CTL */}, {IMAGE_REG, 1, 0x17c /* PR_CTR_THRSH */},                       \
    {IMAGE_REG, 1, 0x358 /* TIMESTAMP */}, {IMAGE_REG, 1, 0x170 /* BB_START_ADDR_UDW */},                   \
    {IMAGE_REG, 1, 0x150 /* BB_START_ADDR */}, {IMAGE_REG, 1, 0x154 /* BB_ADD_DIFF */},                     \
    {IMAGE_REG, 1, BB_OFFSET}, {IMAGE_REG, 1, MI_PREDICATE_RESULT_1}, {IMAGE_REG, 32, CS_GPR},              \
    {IMAGE_REG, 1, 0x068 /* IPEHR */},                                                                      \
    {IMAGE_NOOP, 6, 0}

#define RENDER_OWN                                                                                         \
    {IMAGE_NOOP, 1, 0},                                                                                    \
    {IMAGE_LRI, 17, 0},                                                                                    \
    {IMAGE_REG, 7, MI_PREDICATE_SRC0}, {IMAGE_REG, 1, 0x420}, {IMAGE_REG, 5, 0x430}, {IMAGE_REG, 3, 0x500}, \
    {IMAGE_REG, 1, 0x580},                                                                                 \
    {IMAGE_LRI, 32, 0},                                                                                    \
    {IMAGE_REG, 2, 0x290}, {IMAGE_REG, 2, 0x2c8}, {IMAGE_REG, 2, 0x2d8}, {IMAGE_REG, 4, 0x2f0},             \
    {IMAGE_REG, 22, 0x300},                                                                                \
    {IMAGE_LRI, 26, 0},                                                                                    \
    {IMAGE_GLOBAL, 8, 0x5200}, {IMAGE_GLOBAL, 8, 0x5240}, {IMAGE_GLOBAL, 4, 0x5280}, {IMAGE_GLOBAL, 3, 0x7000}, \
    {IMAGE_GLOBAL, 1, 0x7034}, {IMAGE_GLOBAL, 1, 0xb0a4}, {IMAGE_GLOBAL, 1, 0xe5f4}

#define RENDER_SLICES                                                                                      \
    {IMAGE_LRI, 8, 0},                                                                                     \
    {IMAGE_REG, 2, 0x360 /* OACTXCONTROL */}, {IMAGE_REG, 4, 0x448 /* counts of slice 2 */},                \
    {IMAGE_GLOBAL, 1, 0x7014}, {IMAGE_GLOBAL, 1, 0x7304}

const struct image_row gen9_render_context[] = {
    RING_CONTEXT, ONE_REGISTER(0x0c8 /* R_PWR_CLK_STATE */), ENGINE_CONTEXT, RENDER_OWN,
    /* Drivers' indirect contexts run 26h cache lines behind the ring context: after what is above, before the slices. */
    {IMAGE_NOOP, 0xb4, 0}, {IMAGE_NOOP, 0xb4, 0}, RENDER_SLICES,
    {IMAGE_LRI, 2, 0}, {IMAGE_GLOBAL, 2, 0xe400 /* TD_CTL */}, {IMAGE_BATCH_END, 1, 0}, {IMAGE_END, 0, 0},
};

const struct image_row gen9_copy_context[] = {
    RING_CONTEXT,
    {IMAGE_NOOP, 1, 0}, {IMAGE_LRI, 1, 1 /* the one list that is not force posted */},
    {IMAGE_REG, 1, 0x200 /* BCS_SWCTRL */}, {IMAGE_NOOP, 12, 0},
    ENGINE_CONTEXT, {IMAGE_END, 0, 0},
};

const struct image_row gen9_video_context[] = {
    RING_CONTEXT, {IMAGE_NOOP, 16, 0}, ENGINE_CONTEXT, {IMAGE_END, 0, 0},
};
/* Gen11: a fifteenth register, and a list of its own behind the page directories. */
const struct image_row gen11_render_context[] = {
    {IMAGE_NOOP, 1, 0},
    {IMAGE_LRI, 15, 0},
    {IMAGE_REG, 1, CTXT_SR_CTL}, {IMAGE_REG, 1, RING_BUFFER_HEAD}, {IMAGE_REG, 1, RING_BUFFER_TAIL},
    {IMAGE_REG, 1, RING_BUFFER_START}, {IMAGE_REG, 1, RING_BUFFER_CTL}, {IMAGE_REG, 1, BB_ADDR_UDW},
    {IMAGE_REG, 1, BB_ADDR}, {IMAGE_REG, 1, BB_STATE}, {IMAGE_REG, 1, SBB_ADDR_UDW}, {IMAGE_REG, 1, SBB_ADDR},
    {IMAGE_REG, 1, SBB_STATE}, {IMAGE_REG, 1, BB_PER_CTX_PTR}, {IMAGE_REG, 1, INDIRECT_CTX},
    {IMAGE_REG, 1, INDIRECT_CTX_OFFSET}, {IMAGE_REG, 1, 0x180 /* CCID */},
    {IMAGE_NOOP, 1, 0},
    {IMAGE_LRI, 9, 0},
    {IMAGE_REG, 1, CTX_TIMESTAMP}, {IMAGE_REG, 1, 0x28c}, {IMAGE_REG, 1, 0x288}, {IMAGE_REG, 1, 0x284},
    {IMAGE_REG, 1, 0x280}, {IMAGE_REG, 1, 0x27c}, {IMAGE_REG, 1, 0x278}, {IMAGE_REG, 1, 0x274}, {IMAGE_REG, 1, 0x270},
    {IMAGE_LRI, 1, 0}, {IMAGE_REG, 1, 0x1b0},
    {IMAGE_NOOP, 10, 0},
    {IMAGE_LRI, 1, 0}, {IMAGE_REG, 1, 0x0c8 /* R_PWR_CLK_STATE */},
    {IMAGE_NOOP, 12, 0},
    ENGINE_CONTEXT, RENDER_OWN, RENDER_SLICES,
    {IMAGE_LRI, 5, 0}, {IMAGE_GLOBAL, 2, 0xe400 /* TD_CTL */}, {IMAGE_GLOBAL, 1, 0x731c /* SLICE_COMMON_ECO_CHICKEN1 */},
    {IMAGE_GLOBAL, 1, 0xe18c /* SAMPLER_MODE */}, {IMAGE_GLOBAL, 1, 0xe194 /* HALF_SLICE_CHICKEN7 */},
    {IMAGE_BATCH_END, 1, 0}, {IMAGE_END, 0, 0},
};
/* clang-format on */
