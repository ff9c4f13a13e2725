#include "display/vga.h"

#include <string.h>

enum {
    ARX = 0x3c0,
    AR_DATA = 0x3c1,
    ST00_MSR = 0x3c2,
    SRX = 0x3c4,
    SR_DATA = 0x3c5,
    DACMASK = 0x3c6,
    DACSTATE_DACRX = 0x3c7,
    DACWX = 0x3c8,
    DACDATA = 0x3c9,
    FCR_READ = 0x3ca,
    MSR_READ = 0x3cc,
    GRX = 0x3ce,
    GR_DATA = 0x3cf,
    XRX = 0x3d6,
    XR_DATA = 0x3d7,
    MSR_COLOR = 1u << 0,    /* CRTC and status at 3Dxh, else at 3Bxh */
    CR11_PROTECT = 1u << 7, /* CR00 - CR07 */
    BLANK_LINES = 45,       /* of a frame's 1125, the first */
};

/* Bits that an index's register has; 0: there is none. */
static const uint8_t sr_bits[] = {0x03, 0x3d, 0x0f, 0x3f, 0x0e, 0, 0, 0xff};
static const uint8_t gr_bits[0x19] = {0x0f, 0x0f, 0x0f, 0x1f,          0x03,          0x7b,
                                      0x0f, 0x0f, 0xff, [0x10] = 0xff, [0x11] = 0xff, [0x18] = 0xff};
static const uint8_t ar_bits[0x15] = {0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f,
                                      0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0xef, 0xff, 0x3f, 0x0f, 0x0f};
static const uint8_t cr_bits[0x23] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
                                      0xff, 0x3f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                      0xff, 0xff, 0x7f, 0xff, 0xff, 0xef, 0xff};

static void reset(void *unit, enum reset_scope scope)
{
    struct vga *v = unit;
    if (scope < RESET_POWER)
        return;
    memset(v, 0, sizeof *v);
    v->mask = 0xff;
}

static uint8_t kept(const uint8_t *values, size_t count, uint8_t index)
{
    return index < count ? values[index] : 0;
}

static void keep(uint8_t *values, const uint8_t *bits, size_t count, uint8_t index, uint8_t value)
{
    if (index < count)
        values[index] = value & bits[index];
}

/* The CRTC and the status register answer at the addresses that MSR selects. */
static uint32_t selected(const struct vga *v, uint32_t port)
{
    const uint32_t group = port & 0x3f0u;
    const bool color = v->msr & MSR_COLOR;
    if ((port & 0xfu) != 4 && (port & 0xfu) != 5 && (port & 0xfu) != 0xa)
        return port;
    if (group == (color ? 0x3d0u : 0x3b0u))
        return 0x3d0u | (port & 0xfu);
    return group == 0x3c0u ? port : 0;
}

/* ST01: bit 0 no pixels are shown, bit 3 the vertical retrace. */
static uint8_t status(const struct display *d)
{
    const bool vertical = display_line(d) < BLANK_LINES;
    const uint64_t frame_ns = d->witness->now_ns % DISPLAY_FRAME_NS,
                   eighths = frame_ns * DISPLAY_LINES * 8u / DISPLAY_FRAME_NS;
    return (uint8_t)((vertical || eighths % 8u == 7u) | vertical << 3);
}

static uint8_t palette_read(struct vga *v)
{
    const uint8_t value = v->palette[v->read_index][v->part];
    if (++v->part == 3) {
        v->part = 0;
        v->read_index++;
    }
    return value;
}

/* The third byte updates all three. */
static void palette_write(struct vga *v, uint8_t value)
{
    if (v->part < 2) {
        v->written[v->part++] = value & 0x3f;
        return;
    }
    uint8_t *color = v->palette[v->write_index++];
    color[0] = v->written[0];
    color[1] = v->written[1];
    color[2] = value & 0x3f;
    v->part = 0;
}

uint8_t vga_read(struct vga *v, const struct display *d, uint32_t port)
{
    switch (selected(v, port)) {
    case 0x3d4:
        return v->crx;
    case 0x3d5:
        return kept(v->cr, sizeof v->cr, v->crx);
    case 0x3da: /* and the attribute controller waits for an index */
        v->ar_data = false;
        return status(d);
    case ARX:
        return v->arx;
    case AR_DATA:
        return kept(v->ar, sizeof v->ar, v->arx & 0x1f);
    case SRX:
        return v->srx;
    case SR_DATA:
        return kept(v->sr, sizeof v->sr, v->srx);
    case DACMASK:
        return v->mask;
    case DACSTATE_DACRX:
        return v->reading ? 3 : 0;
    case DACWX:
        return v->write_index;
    case DACDATA:
        return palette_read(v);
    case FCR_READ:
        return v->fcr;
    case MSR_READ:
        return v->msr;
    case GRX:
        return v->grx;
    case GR_DATA:
        return kept(v->gr, sizeof v->gr, v->grx);
    case XRX:
        return v->xrx;
    case XR_DATA:
        return v->xr[v->xrx];
    default: /* ST00 too: no sense bit, no interrupt */
        return 0;
    }
}

static void attribute_write(struct vga *v, uint8_t value)
{
    if (v->ar_data)
        keep(v->ar, ar_bits, sizeof v->ar, v->arx & 0x1f, value);
    else
        v->arx = value & 0x3f;
    v->ar_data = !v->ar_data;
}

static void crtc_write(struct vga *v, uint8_t value)
{
    enum { CR07 = 7, CR11 = 0x11, CR07_LINE_COMPARE = 1u << 4 };
    if (v->crx <= CR07 && v->cr[CR11] & CR11_PROTECT) {
        if (v->crx == CR07)
            v->cr[CR07] = (uint8_t)((v->cr[CR07] & ~CR07_LINE_COMPARE) | (value & CR07_LINE_COMPARE));
        return;
    }
    keep(v->cr, cr_bits, sizeof v->cr, v->crx, value);
}

void vga_write(struct vga *v, uint32_t port, uint8_t value)
{
    switch (selected(v, port)) {
    case 0x3d4:
        v->crx = value & 0x7f;
        break;
    case 0x3d5:
        crtc_write(v, value);
        break;
    case 0x3da:
        v->fcr = value & 0x0b;
        break;
    case ARX:
        attribute_write(v, value);
        break;
    case ST00_MSR:
        v->msr = value & 0xef;
        break;
    case SRX:
        v->srx = value & 0x07;
        break;
    case SR_DATA:
        if (v->srx != 7) /* SR07 only resets a counter */
            keep(v->sr, sr_bits, sizeof v->sr, v->srx, value);
        break;
    case DACMASK:
        v->mask = value;
        break;
    case DACSTATE_DACRX:
        v->read_index = value;
        v->part = 0;
        v->reading = true;
        break;
    case DACWX:
        v->write_index = value;
        v->part = 0;
        v->reading = false;
        break;
    case DACDATA:
        palette_write(v, value);
        break;
    case GRX:
        v->grx = value & 0x1f;
        break;
    case GR_DATA:
        keep(v->gr, gr_bits, sizeof v->gr, v->grx, value);
        break;
    case XRX:
        v->xrx = value;
        break;
    case XR_DATA:
        v->xr[v->xrx] = value;
        break;
    default:
        break;
    }
}

static void state(void *unit, struct state *s)
{
    struct vga *v = unit;
    const size_t begin = state_section_begin(s, "vga", "registers", 1);
    STATE(s, v->msr);
    STATE(s, v->fcr);
    STATE(s, v->srx);
    STATE(s, v->grx);
    STATE(s, v->crx);
    STATE(s, v->arx);
    STATE(s, v->xrx);
    STATE(s, v->ar_data);
    STATE_ARRAY(s, v->sr);
    STATE_ARRAY(s, v->gr);
    STATE_ARRAY(s, v->cr);
    STATE_ARRAY(s, v->ar);
    STATE_ARRAY(s, v->xr);
    state_bytes(s, v->palette, sizeof v->palette);
    STATE(s, v->mask);
    STATE(s, v->read_index);
    STATE(s, v->write_index);
    STATE(s, v->part);
    STATE_ARRAY(s, v->written);
    STATE(s, v->reading);
    state_check(s, v->part < 3);
    state_section_end(s, begin);
}

const struct unit_shape vga_shape = {.reset = reset, .state = state};
