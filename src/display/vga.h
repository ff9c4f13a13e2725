/*
 * The VGA registers: index and data pairs, the attribute controller's flip-flop, the palette, reached by I/O
 * ports and at the same offsets of the MMIO range. They are kept and do what they do to each other; no text
 * is shown. (OVR-03)
 */
#ifndef DISPLAY_VGA_H
#define DISPLAY_VGA_H

#include "display/display.h"

enum { VGA_FIRST = 0x3b0, VGA_LAST = 0x3df };

struct vga_bytes {
    uint8_t msr, fcr;
    uint8_t srx, grx, crx, arx, xrx; /* indices */
    uint8_t ar_data;                 /* flag: the next write to 3C0h is data */
    uint8_t sr[8], gr[0x19], cr[0x19], ar[0x15], xr[256];
    uint8_t dacmask, read_index, write_index;
    uint8_t part;       /* of a colour: which byte is next */
    uint8_t written[2]; /* bytes of a colour that is not complete */
    uint8_t reading;    /* flag: DACSTATE */
    uint8_t palette[256 * 3];
};

struct vga {
    const struct display *display;
    struct vga_bytes bytes;
};

extern const struct unit_shape vga_shape;
/* Owner: the VGA. */
extern const struct register_block vga_registers;

#endif
