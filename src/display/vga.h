/*
 * The VGA registers: index and data pairs, the attribute controller's flip-flop, the palette, reached by I/O
 * ports and at the same offsets of the MMIO range. They are kept and do what they do to each other; no text
 * is shown. (OVR-03)
 */
#ifndef DISPLAY_VGA_H
#define DISPLAY_VGA_H

#include "display/display.h"

enum { VGA_FIRST = 0x3b0, VGA_LAST = 0x3df };

struct vga {
    uint8_t msr, fcr;
    uint8_t srx, grx, crx, arx, xrx; /* indices */
    bool ar_data;                    /* the next write to 3C0h is data */
    uint8_t sr[8], gr[0x19], cr[0x23], ar[0x15], xr[256];
    uint8_t palette[256][3], mask, read_index, write_index;
    uint8_t part;       /* of a colour: which byte is next */
    uint8_t written[2]; /* bytes of a colour that is not complete */
    bool reading;       /* DACSTATE */
};

uint8_t vga_read(struct vga *v, const struct display *d, uint32_t port);
void vga_write(struct vga *v, uint32_t port, uint8_t value);

extern const struct unit_shape vga_shape;

#endif
