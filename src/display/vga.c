#include "display/vga.h"

enum {
    MSR_COLOR = 1u << 0,    /* CRTC and status at 3Dxh, else at 3Bxh */
    CR11_PROTECT = 1u << 7, /* CR00 - CR07 */
    BLANK_LINES = 45,       /* of a frame's 1125, the first */
};

/* ---- The data of an index ---- */

struct bank {
    uint16_t index, values; /* in struct vga_bytes */
    uint16_t count;
    uint8_t index_mask;
    const uint8_t *bits; /* that an index's register has; 0: there is none */
};

/* SR07 resets a counter and keeps nothing. CR22, what the last read of the VGA's memory latched, reads 0:
 * there is no such memory. */
static const uint8_t sr_bits[8] = {0x03, 0x3d, 0x0f, 0x3f, 0x0e};
static const uint8_t gr_bits[0x19] = {0x0f, 0x0f, 0x0f, 0x1f,          0x03,          0x7b,
                                      0x0f, 0x0f, 0xff, [0x10] = 0xff, [0x11] = 0xff, [0x18] = 0xff};
static const uint8_t cr_bits[0x19] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
                                      0xff, 0x3f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                      0xff, 0xff, 0x7f, 0xff, 0xff, 0xef, 0xff};
static const uint8_t ar_bits[0x15] = {0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f,
                                      0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0xef, 0xff, 0x3f, 0x0f, 0x0f};

#define BANK(name, mask, kept)                                                                               \
    {                                                                                                        \
        .index = offsetof(struct vga_bytes, name##x), .values = offsetof(struct vga_bytes, name),            \
        .count = sizeof(((struct vga_bytes *)0)->name), .index_mask = (mask), .bits = (kept)                 \
    }
static const struct bank sr = BANK(sr, 0xff, sr_bits), gr = BANK(gr, 0xff, gr_bits),
                         cr = BANK(cr, 0xff, cr_bits), ar = BANK(ar, 0x1f, ar_bits),
                         xr = BANK(xr, 0xff, NULL); /* all of them, all bits */

static uint8_t *bank_byte(struct vga *v, const struct bank *b)
{
    uint8_t *const bytes = (uint8_t *)&v->bytes;
    const uint8_t index = bytes[b->index] & b->index_mask;
    return index < b->count ? bytes + b->values + index : NULL;
}

static void bank_write(struct vga *v, const struct bank *b, uint8_t value)
{
    uint8_t *const at = bank_byte(v, b);
    if (at)
        *at = b->bits ? value & b->bits[at - (uint8_t *)&v->bytes - b->values] : value;
}

/* ---- Accesses to ports ---- */

/* ST01: bit 0 no pixels are shown, bit 3 the vertical retrace. And the attribute controller waits for an
 * index. */
static uint8_t status_read(struct vga *v)
{
    const bool vertical = display_line(v->display) < BLANK_LINES;
    const uint64_t frame_ns = v->display->log->now_ns % DISPLAY_FRAME_NS,
                   eighths = frame_ns * DISPLAY_LINES * 8u / DISPLAY_FRAME_NS;
    v->bytes.ar_data = false;
    return (uint8_t)((vertical || eighths % 8u == 7u) | vertical << 3);
}

static void attribute_write(struct vga *v, uint8_t value)
{
    if (v->bytes.ar_data)
        bank_write(v, &ar, value);
    else
        v->bytes.arx = value & 0x3f;
    v->bytes.ar_data = !v->bytes.ar_data;
}

static void crtc_write(struct vga *v, uint8_t value)
{
    enum { CR07 = 7, CR11 = 0x11, CR07_LINE_COMPARE = 1u << 4 };
    uint8_t *const kept = v->bytes.cr;
    if (v->bytes.crx > CR07 || !(kept[CR11] & CR11_PROTECT))
        bank_write(v, &cr, value);
    else if (v->bytes.crx == CR07)
        kept[CR07] = (uint8_t)((kept[CR07] & ~CR07_LINE_COMPARE) | (value & CR07_LINE_COMPARE));
}

static uint8_t palette_state_read(struct vga *v)
{
    return v->bytes.reading ? 3 : 0;
}

static void palette_read_index_write(struct vga *v, uint8_t value)
{
    v->bytes.read_index = value;
    v->bytes.part = 0;
    v->bytes.reading = true;
}

static void palette_write_index_write(struct vga *v, uint8_t value)
{
    v->bytes.write_index = value;
    v->bytes.part = 0;
    v->bytes.reading = false;
}

static uint8_t palette_read(struct vga *v)
{
    struct vga_bytes *const b = &v->bytes;
    const uint8_t value = b->palette[b->read_index * 3u + b->part];
    if (++b->part == 3) {
        b->part = 0;
        b->read_index++;
    }
    return value;
}

/* The third byte updates all three. */
static void palette_write(struct vga *v, uint8_t value)
{
    struct vga_bytes *const b = &v->bytes;
    if (b->part < 2) {
        b->written[b->part++] = value & 0x3f;
        return;
    }
    uint8_t *const color = b->palette + b->write_index++ * 3u;
    color[0] = b->written[0];
    color[1] = b->written[1];
    color[2] = value & 0x3f;
    b->part = 0;
}

/* ---- Ports ---- */

/* A port that is nothing of this reads 0 and takes nothing. */
struct port {
    uint8_t (*read)(struct vga *v);
    void (*write)(struct vga *v, uint8_t value);
    const struct bank *bank; /* read without a function; written where there are bits */
    uint16_t at;             /* or a byte of struct vga_bytes */
    bool shown;              /* by a read */
    uint8_t bits;            /* that a write without a function takes */
};

#define KEPT(name)  .at = offsetof(struct vga_bytes, name)
#define SHOWN(name) .shown = true, KEPT(name)

static const struct port ports[VGA_LAST + 1 - VGA_FIRST] = {
    [0x3c0 - VGA_FIRST] = {SHOWN(arx), .write = attribute_write},
    [0x3c1 - VGA_FIRST] = {.bank = &ar},
    [0x3c2 - VGA_FIRST] = {KEPT(msr), .bits = 0xef}, /* ST00: no sense bit, no interrupt */
    [0x3c4 - VGA_FIRST] = {SHOWN(srx), .bits = 0x07},
    [0x3c5 - VGA_FIRST] = {.bank = &sr, .bits = 0xff},
    [0x3c6 - VGA_FIRST] = {SHOWN(dacmask), .bits = 0xff},
    [0x3c7 - VGA_FIRST] = {.read = palette_state_read, .write = palette_read_index_write},
    [0x3c8 - VGA_FIRST] = {SHOWN(write_index), .write = palette_write_index_write},
    [0x3c9 - VGA_FIRST] = {.read = palette_read, .write = palette_write},
    [0x3ca - VGA_FIRST] = {SHOWN(fcr)},
    [0x3cc - VGA_FIRST] = {SHOWN(msr)},
    [0x3ce - VGA_FIRST] = {SHOWN(grx), .bits = 0x1f},
    [0x3cf - VGA_FIRST] = {.bank = &gr, .bits = 0xff},
    [0x3d4 - VGA_FIRST] = {SHOWN(crx), .bits = 0x7f},
    [0x3d5 - VGA_FIRST] = {.bank = &cr, .write = crtc_write},
    [0x3d6 - VGA_FIRST] = {SHOWN(xrx), .bits = 0xff},
    [0x3d7 - VGA_FIRST] = {.bank = &xr, .bits = 0xff},
    [0x3da - VGA_FIRST] = {.read = status_read, KEPT(fcr), .bits = 0x0b},
};

/* The CRTC and the status register answer at the addresses that MSR selects. */
static const struct port *port_at(const struct vga *v, uint32_t number)
{
    static const struct port none = {0};
    const uint32_t low = number & 0xfu, group = number - low;
    if (group == 0x3c0 || (low != 4 && low != 5 && low != 0xa))
        return &ports[number - VGA_FIRST];
    return group == (v->bytes.msr & MSR_COLOR ? 0x3d0u : 0x3b0u) ? &ports[0x3d0 - VGA_FIRST + low] : &none;
}

static uint8_t port_read(struct vga *v, uint32_t number)
{
    const struct port *p = port_at(v, number);
    if (p->read)
        return p->read(v);
    if (p->bank) {
        const uint8_t *at = bank_byte(v, p->bank);
        return at ? *at : 0;
    }
    return p->shown ? ((const uint8_t *)&v->bytes)[p->at] : 0;
}

static void port_write(struct vga *v, uint32_t number, uint8_t value)
{
    const struct port *p = port_at(v, number);
    if (p->write)
        p->write(v, value);
    else if (p->bits && p->bank)
        bank_write(v, p->bank, value);
    else if (p->bits)
        ((uint8_t *)&v->bytes)[p->at] = value & p->bits;
}

/* ---- Registers: four ports each, of which an access has those of its bytes, in their order ---- */

static uint32_t ports_read(const struct register_access *at, uint32_t stored)
{
    for (uint32_t i = 0; i < 4; i++)
        if (at->bytes >> i & 1u)
            stored = (stored & ~(0xffu << i * 8u)) | (uint32_t)port_read(at->owner, at->offset + i) << i * 8u;
    return stored;
}

static void ports_written(const struct register_access *w)
{
    for (uint32_t i = 0; i < 4; i++)
        if (w->bytes >> i & 1u)
            port_write(w->owner, w->offset + i, (uint8_t)(w->written >> i * 8u));
}

#define BYTE(title, n)                                                                                       \
    {                                                                                                        \
        title, (n)*8, (n)*8 + 7, FIELD_HEX, NULL                                                             \
    }
static const struct field crtc_fields[] = {BYTE("CRX", 0), BYTE("CRxx", 1)};
static const struct field crtc_and_extension_fields[] = {BYTE("CRX", 0), BYTE("CRxx", 1), BYTE("XRX", 2),
                                                         BYTE("XRxx", 3)};
static const struct field status_fields[] = {BYTE("ST01, FCR", 2)};
static const struct field attribute_fields[] = {BYTE("ARX, ARxx", 0), BYTE("ARxx", 1), BYTE("ST00, MSR", 2)};
static const struct field sequencer_fields[] = {BYTE("SRX", 0), BYTE("SRxx", 1), BYTE("DACMASK", 2),
                                                BYTE("DACSTATE, DACRX", 3)};
static const struct field palette_fields[] = {BYTE("DACWX", 0), BYTE("DACDATA", 1), BYTE("FCR", 2)};
static const struct field graphics_fields[] = {BYTE("MSR", 0), BYTE("GRX", 2), BYTE("GRxx", 3)};
#define PORTS(bits)                                                                                          \
    .writable = (bits), .flags = REG_READ_HAS_EFFECT, .before_read = ports_read,                             \
    .after_write = ports_written, .spec = "OVR-03"
static const struct reg rows[] = {
    {.name = "VGA_3B0H",
     .offset = 0x3b0,
     .count = 2,
     .stride = 12,
     PORTS(0),
     .summary = "Reserved: 3B0h to 3B3h, 3BCh to 3BFh."},
    {.name = "VGA_CRTC_MONOCHROME",
     .offset = 0x3b4,
     PORTS(0x0000ffff),
     FIELDS(crtc_fields),
     .summary = "CRTC index, CRTC data, where MSR bit 0 is 0."},
    {.name = "VGA_STATUS_MONOCHROME",
     .offset = 0x3b8,
     PORTS(0x00ff0000),
     FIELDS(status_fields),
     .summary = "Status (read), feature control (write), where MSR bit 0 is 0."},
    {.name = "VGA_ATTRIBUTE",
     .offset = 0x3c0,
     PORTS(0x00ff00ff),
     FIELDS(attribute_fields),
     .summary = "Attribute controller index and data in turn, data (read); feature read, miscellaneous "
                "output (write)."},
    {.name = "VGA_SEQUENCER",
     .offset = 0x3c4,
     PORTS(0xffffffff),
     FIELDS(sequencer_fields),
     .summary = "Sequencer index, data; palette mask; palette state (read), read mode index (write)."},
    {.name = "VGA_PALETTE",
     .offset = 0x3c8,
     PORTS(0x0000ffff),
     FIELDS(palette_fields),
     .summary = "Palette write mode index, data; feature control (read)."},
    {.name = "VGA_GRAPHICS",
     .offset = 0x3cc,
     PORTS(0xffff0000),
     FIELDS(graphics_fields),
     .summary = "Miscellaneous output (read); graphics controller index, data."},
    {.name = "VGA_3D0H",
     .offset = 0x3d0,
     .count = 2,
     .stride = 12,
     PORTS(0),
     .summary = "Reserved: 3D0h to 3D3h, 3DCh to 3DFh."},
    {.name = "VGA_CRTC",
     .offset = 0x3d4,
     PORTS(0xffffffff),
     FIELDS(crtc_and_extension_fields),
     .summary = "CRTC index, CRTC data, where MSR bit 0 is 1; extensions' index, data."},
    {.name = "VGA_STATUS",
     .offset = 0x3d8,
     PORTS(0x00ff0000),
     FIELDS(status_fields),
     .summary = "Status (read), feature control (write), where MSR bit 0 is 1."},
};

static STATE_TABLE(byte_fields, struct vga_bytes, VGA_BYTES_MEMBERS)

const struct register_block vga_registers = REGISTER_BLOCK("vga", rows);

static const struct vga_bytes at_first = {.dacmask = 0xff};
static const struct section vga_section =
    SECTION(struct vga, bytes, 1, SURVIVES_DEVICE_RESET, byte_fields, &at_first);

static void reset(void *unit, enum reset_scope scope)
{
    sections_reset(&vga_section, 1, unit, scope);
}

static void state(void *unit, struct state *s)
{
    sections_state(&vga_section, 1, unit, "vga", s);
}

const struct unit_shape vga_shape = {
    .sections = &vga_section, .section_count = 1, .reset = reset, .state = state};
