/* Members that engines share from Gen11 on: names, addresses, interrupt and reset bits. The file of a
 * generation defines the register blocks under the names used here, and adds what differs. */
#ifndef GEN_GEN11_H
#define GEN_GEN11_H

#include "gen/gen9.h"

#define GEN11_STREAMER                                                                                       \
    .privileges.nonpriv_ranges = true, .hws_pga = HWS_PGA, .privileges.nonpriv_list = true,                  \
    .contexts.image_offset = PAGE_BYTES, .hwstam_isr_bits = INTERRUPT_MASTER_ERROR,                          \
    .page_directory = gen8_page_directory, .contexts.execlists = &gen11_execlists,                           \
    .watchdog.clock_hz = 1000000000, .status.entries = 12, .status.first_dw = 0x10,                          \
    .status.pointer_dw = 0x2f, .contexts.execlist_enable = GFX_MODE_EXECLISTS | GFX_MODE_NO_LEGACY

/* The interrupt of power management: bits of class Other. */
#define GEN11_POWER_LINE                                                                                     \
    {                                                                                                        \
        .bit = 16, .class = 4, .instance = 1, .mask_offset = 0x1900ec, .enable_offset = 0x19003c,            \
        .mask_shift = 16, .enable_shift = 16                                                                 \
    }

/* The base address of instance n. A slice has two instances. */
#define VCS_BASE(n)  (0x1c0000u + (n) / 2u * 0x10000u + (n) % 2u * 0x4000u)
#define VECS_BASE(n) (0x1c8000u + (n)*0x10000u)

/* The decoders of a video engine. */
#define GEN11_VCS_UNITS(n)                                                                                   \
    {&mfc_registers, VCS_BASE(n) + 0x800}, {&huc_registers, VCS_BASE(n) + 0x2000},                           \
    {                                                                                                        \
        &hevc_registers, VCS_BASE(n) + 0x2800                                                                \
    }
#define GEN12_VCS_UNITS(n)                                                                                   \
    GEN11_VCS_UNITS(n),                                                                                      \
    {                                                                                                        \
        &gen12_clock_registers, VCS_BASE(n) + 0x3f10                                                         \
    }

#define GEN11_RCS0                                                                                           \
    .name = "rcs0", .draws.depth_clear_value_is_float = true, .draws.z_near_far_clip_tests = true,           \
    .class = CLASS_RENDER, .mmio_base = 0x02000, .blocks = render_blocks, .faults.id = 0,                    \
    .reset_bits = 1u << 1, .constant_buffer_address_offset_disable = {{CS_DEBUG_MODE2, 1u << 4}}
#define GEN11_BCS0                                                                                           \
    .name = "bcs0", .class = CLASS_COPY, .mmio_base = 0x22000, .blocks = copy_blocks, .interrupt.bit = 15,   \
    .interrupt.class = 3, .faults.id = 4, .reset_bits = 1u << 2
#define GEN11_VCS(n)                                                                                         \
    .name = "vcs" #n, .class = CLASS_VIDEO, .instance = (n), .mmio_base = VCS_BASE(n),                       \
    .blocks = video_blocks, .interrupt.bank = 1, .interrupt.bit = (n), .interrupt.class = 1, .faults.id = 1, \
    .reset_bits = 1u << (5 + (n))
#define GEN11_VECS(n)                                                                                        \
    .name = "vecs" #n, .class = CLASS_ENHANCE, .instance = (n), .mmio_base = VECS_BASE(n),                   \
    .blocks = video_blocks, .interrupt.bank = 1, .interrupt.bit = 31 - (n), .interrupt.class = 2,            \
    .faults.id = 3, .reset_bits = 1u << (13 + (n))

/* The interrupt registers that mask and enable the engine. The interrupt tree of Gen12.5 derives them. */
#define GEN11_LINE(mask_at, mask_half, enable_at, enable_half)                                               \
    .interrupt.mask_offset = (mask_at), .interrupt.mask_shift = (mask_half),                                 \
    .interrupt.enable_offset = (enable_at), .interrupt.enable_shift = (enable_half)
#define GEN11_RCS0_LINE GEN11_LINE(0x190090, 16, 0x190030, 16)
#define GEN11_BCS0_LINE GEN11_LINE(0x1900a0, 16, 0x190030, 0)
#define GEN11_VCS_LINE(n)                                                                                    \
    .interrupt.instance = (n), GEN11_LINE(0x1900a8 + (n) / 2 * 4, (n) % 2 ? 0 : 16, 0x190034, 16)
#define GEN11_VECS_LINE(n)                                                                                   \
    .interrupt.instance = (n), GEN11_LINE(0x1900d0 + (n) / 2 * 4, (n) % 2 ? 0 : 16, 0x190034, 0)

/* Display pipes are fused off: the device is headless. */
#define GEN11_NO_PIPES(manual)                                                                               \
    {                                                                                                        \
        .name = "DFSM", .offset = 0x51000, .reset = 0x50600000,                                              \
        .summary = "Bits 30, 21, 28 and 22: display pipes A to D are not there.", .spec = (manual)           \
    }
/* The crystal. Timestamps count at half its rate. */
#define GEN11_CRYSTAL(rpm_config, manual)                                                                    \
    {.name = "RPM_CONFIG0",                                                                                  \
     .offset = 0xd00,                                                                                        \
     .reset = (rpm_config),                                                                                  \
     .summary = "Crystal, and clock of the timestamps.",                                                     \
     .spec = (manual)},                                                                                      \
    {                                                                                                        \
        .name = "CTC_MODE", .offset = 0xa26c, .summary = "Clock of the timestamps: the crystal.",            \
        .spec = (manual)                                                                                     \
    }

#endif
