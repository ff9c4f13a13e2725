/*
 * The VGA registers: index and data pairs, the flip-flop of the attribute controller, the palette; at
 * I/O ports and at the same offsets of the MMIO range. They store values and have their effects on each
 * other; no text is shown. (OVR-03)
 */
#ifndef DISPLAY_VGA_H
#define DISPLAY_VGA_H

#include "display/display.h"

enum { VGA_FIRST = 0x3b0, VGA_LAST = 0x3df };

#define VGA_BYTES_MEMBERS(M, S)                                                                              \
    M(S, NUMBER, uint8_t, msr, 0)                                                                            \
    M(S, NUMBER, uint8_t, fcr, 0)                                                                            \
    M(S, NUMBER, uint8_t, srx, 0)                                                                            \
    M(S, NUMBER, uint8_t, grx, 0)                                                                            \
    M(S, NUMBER, uint8_t, crx, 0)                                                                            \
    M(S, NUMBER, uint8_t, arx, 0)                                                                            \
    M(S, NUMBER, uint8_t, xrx, 0) /* indices */                                                              \
    M(S, FLAG, ar_data)           /* flag: the next write to 3C0h is data */                                 \
    M(S, NUMBERS, uint8_t, sr, [8], 0)                                                                       \
    M(S, NUMBERS, uint8_t, gr, [0x19], 0)                                                                    \
    M(S, NUMBERS, uint8_t, cr, [0x19], 0)                                                                    \
    M(S, NUMBERS, uint8_t, ar, [0x15], 0)                                                                    \
    M(S, NUMBERS, uint8_t, xr, [256], 0)                                                                     \
    M(S, NUMBER, uint8_t, dacmask, 0)                                                                        \
    M(S, NUMBER, uint8_t, read_index, 0)                                                                     \
    M(S, NUMBER, uint8_t, write_index, 0)                                                                    \
    M(S, NUMBER, uint8_t, part, 3)          /* of a colour: which byte is next */                            \
    M(S, NUMBERS, uint8_t, written, [2], 0) /* bytes of a colour that is not complete */                     \
    M(S, FLAG, reading)                     /* flag: DACSTATE */                                             \
    M(S, NUMBERS, uint8_t, palette, [256 * 3], 0)
struct vga_bytes {
    STATE_MEMBERS(VGA_BYTES_MEMBERS)
};

struct vga {
    const struct display *display;
    struct vga_bytes bytes;
};

extern const struct unit_shape vga_shape;
/* Owner: the VGA. */
extern const struct register_block vga_registers;

#endif
