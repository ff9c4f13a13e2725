/* OVR-03: the VGA registers by I/O ports, by MMIO and by commands: every index and its data, the flip-flop of
 * the attribute controller, the palette, the two addresses of the CRTC, its protection, and the trace. */
#include "../suite.h"
#include "../streamer.h"

/* The ports, which are bytes of registers at the same offsets. The CRTC and its status answer at the ports of
 * colour or at those of monochrome, as bit 0 of the miscellaneous output register says. */
enum {
    PORTS = 0x3b0,
    CRTC_INDEX_MONO = PORTS + 0x04,
    CRTC_DATA_MONO,
    STATUS1_MONO = PORTS + 0x0a, /* written: feature control */
    ATTRIBUTE_INDEX = PORTS + 0x10,
    ATTRIBUTE_READ,
    MISC_WRITE,
    SEQ_INDEX = PORTS + 0x14,
    SEQ_DATA,
    PALETTE_MASK,
    PALETTE_READ_INDEX, /* read: whether the palette is read or written */
    PALETTE_WRITE_INDEX,
    PALETTE_DATA,
    FEATURE_READ,
    MISC_READ = PORTS + 0x1c,
    GRAPHICS_INDEX = PORTS + 0x1e,
    GRAPHICS_DATA,
    CRTC_INDEX = PORTS + 0x24,
    CRTC_DATA,
    EXTENSION_INDEX,
    EXTENSION_DATA,
    STATUS1 = PORTS + 0x2a,
    PORTS_END = PORTS + 0x30,
};
enum { MISC_COLOR = 1, CRTC_PROTECT = 0x80 };
/* Indices, as the manual numbers them. */
enum { GR08 = 8, CR07 = 7, CR08, CR0E = 0x0e, CR0F, CR11 = 0x11, CR22 = 0x22 };
enum { KEYBOARD_DATA = 0x60 }; /* a port that is not the VGA's */

struct way {
    const char *name;
    uint8_t (*read)(struct streamer *s, uint16_t port);
    void (*write)(struct streamer *s, uint16_t port, uint8_t value);
};

static uint8_t io_read(struct streamer *s, uint16_t port)
{
    return softgt_vga_read(s->device, port);
}

static void io_write(struct streamer *s, uint16_t port, uint8_t value)
{
    softgt_vga_write(s->device, port, value);
}

static uint8_t mmio_read(struct streamer *s, uint16_t port)
{
    return (uint8_t)softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, port, 1);
}

static void mmio_write(struct streamer *s, uint16_t port, uint8_t value)
{
    softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, port, value, 1);
}

/* One byte of a register. Byte write disables keep the other three. Gen6 has none: it writes whole dwords. */
static void command_write(struct streamer *s, uint16_t port, uint8_t value)
{
    const uint32_t byte = port % 4u, others = 0xa5a5a5a5;
    RING_RUN(s, "MI_LOAD_REGISTER_IMM byte_write_disables = %u, { %u, %u }", ~(1u << byte) & 0xfu, port & ~3u,
             others ^ (0xa5u ^ value) << byte * 8u);
}

/* Commands read four bytes at once. Reads of some of these have effects: such a register is read by port. */
static const struct way ways[] = {
    {"I/O", io_read, io_write}, {"MMIO", mmio_read, mmio_write}, {"commands", io_read, command_write}};

/* An index and its data. */
struct pair {
    uint16_t index, data;
    unsigned count;   /* indices 0 to count - 1 are tried */
    uint64_t present; /* bit n: index n exists */
    uint8_t index_bits;
};

#define BYTES(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define BITS(first, last) ((UINT64_C(2) << (last)) - (UINT64_C(1) << (first)))

static const struct pair pairs[] = {
    {SEQ_INDEX, SEQ_DATA, 8, BITS(0, 4), 0x07}, /* SR07 stores nothing */
    {GRAPHICS_INDEX, GRAPHICS_DATA, 0x20, BITS(0x00, 0x08) | BITS(0x10, 0x11) | BITS(0x18, 0x18), 0x1f},
    {CRTC_INDEX, CRTC_DATA, 0x40, BITS(0x00, 0x18), 0x7f}, /* CR22 is read-only */
};

/* CR11 keeps its protection off. */
static uint8_t data_of(unsigned index)
{
    return (uint8_t)(index == CR11 ? 0x5a : 0x15 + index);
}

static void index_and_data(const struct way *w, struct streamer *s)
{
    w->write(s, MISC_WRITE, MISC_COLOR); /* MSR: the CRTC is at 3D4h */
    for (unsigned p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        const struct pair *r = &pairs[p];
        for (unsigned i = 0; i < r->count; i++) {
            w->write(s, r->index, (uint8_t)i);
            w->write(s, r->data, data_of(i));
        }
        for (unsigned i = 0; i < r->count; i++) {
            w->write(s, r->index, (uint8_t)i);
            assert_int_equal(w->read(s, r->index), i & r->index_bits);
            const uint8_t value = w->read(s, r->data), wrote = data_of(i);
            if (!(r->present >> i & 1u))
                assert_int_equal(value, 0);
            else
                assert_true(value != 0 && (value & ~wrote) == 0);
        }
    }
    /* Two bytes at once: index, then data. */
    softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, GRAPHICS_INDEX, GR08 | 0x81 << 8, 2);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, GRAPHICS_INDEX, 2), GR08 | 0x81 << 8);
}

/* A register of the CRTC at the ports of colour. */
static void crtc_write(const struct way *w, struct streamer *s, unsigned index, uint8_t value)
{
    w->write(s, CRTC_INDEX, (uint8_t)index);
    w->write(s, CRTC_DATA, value);
}

static void crtc(const struct way *w, struct streamer *s)
{
    /* Colour: 3Dxh answers, 3Bxh does not; and the other way round. */
    w->write(s, MISC_WRITE, 0xff);
    assert_int_equal(w->read(s, MISC_READ), 0xef);
    crtc_write(w, s, CR0E, 0x77);
    w->write(s, CRTC_INDEX_MONO, CR0F);
    w->write(s, CRTC_DATA_MONO, 0x88);
    assert_int_equal(w->read(s, CRTC_INDEX), CR0E);
    assert_int_equal(w->read(s, CRTC_DATA), 0x77);
    assert_int_equal(w->read(s, CRTC_INDEX_MONO), 0);
    w->write(s, STATUS1, 0x0b);
    assert_int_equal(w->read(s, FEATURE_READ), 0x0b);
    w->write(s, MISC_WRITE, 0xfe);
    assert_int_equal(w->read(s, CRTC_INDEX_MONO), CR0E);
    assert_int_equal(w->read(s, CRTC_DATA_MONO), 0x77);
    assert_int_equal(w->read(s, CRTC_DATA), 0);
    w->write(s, STATUS1_MONO, 0x02);
    w->write(s, STATUS1, 0x01);
    assert_int_equal(w->read(s, FEATURE_READ), 0x02);
    /* CR11 bit 7 protects CR00 - CR07, but for the bit of the line compare. */
    w->write(s, MISC_WRITE, MISC_COLOR);
    for (unsigned i = 0; i < 8; i++)
        crtc_write(w, s, i, 0x21);
    crtc_write(w, s, CR11, CRTC_PROTECT);
    for (unsigned i = 0; i < 8; i++) {
        crtc_write(w, s, i, 0xff);
        assert_int_equal(w->read(s, CRTC_DATA), i == CR07 ? 0x31 : 0x21);
    }
    crtc_write(w, s, CR08, 0xff);
    assert_int_equal(w->read(s, CRTC_DATA), 0x7f);
}

/* CR22 is the latch of reads of VGA memory, which does not exist: a write to it changes no register. */
static void read_latch(const struct way *w, struct streamer *s)
{
    w->write(s, MISC_WRITE, MISC_COLOR);
    crtc_write(w, s, CR11, 0);
    for (unsigned i = 0; i <= CR22; i++)
        crtc_write(w, s, i, 0);
    crtc_write(w, s, CR22, 0xff);
    assert_int_equal(w->read(s, CRTC_INDEX), CR22);
    assert_int_equal(w->read(s, CRTC_DATA), 0);
    for (unsigned i = 0; i <= CR22; i++) {
        w->write(s, CRTC_INDEX, (uint8_t)i);
        assert_int_equal(w->read(s, CRTC_DATA), 0);
    }
}

/* Index and data alternate at 3C0h; a read of ST01 makes the next write an index. */
static void attributes(const struct way *w, struct streamer *s)
{
    w->write(s, MISC_WRITE, MISC_COLOR);
    w->read(s, STATUS1);
    for (unsigned i = 0; i < 0x20; i++) {
        w->write(s, ATTRIBUTE_INDEX, (uint8_t)i);
        w->write(s, ATTRIBUTE_INDEX, (uint8_t)(0x0c + i % 4));
    }
    for (unsigned i = 0; i < 0x20; i++) {
        w->read(s, STATUS1);
        w->write(s, ATTRIBUTE_INDEX, (uint8_t)(i | 0x20));
        assert_int_equal(w->read(s, ATTRIBUTE_INDEX), i | 0x20);
        const unsigned expected = i > 0x14 ? 0 : i == 0x10 ? 0x0c : 0x0c + i % 4;
        assert_int_equal(w->read(s, ATTRIBUTE_READ), expected);
        w->write(s, ATTRIBUTE_READ, 0xff); /* not by the read address */
        assert_int_equal(w->read(s, ATTRIBUTE_READ), expected);
    }
    w->read(s, STATUS1);
    w->write(s, ATTRIBUTE_INDEX, 3);
    w->read(s, STATUS1); /* before the data */
    w->write(s, ATTRIBUTE_INDEX, 5);
    w->write(s, ATTRIBUTE_INDEX, 0x2a);
    w->read(s, STATUS1);
    w->write(s, ATTRIBUTE_INDEX, 3);
    assert_int_equal(w->read(s, ATTRIBUTE_READ), 0x0f);
    w->read(s, STATUS1);
    w->write(s, ATTRIBUTE_INDEX, 5);
    assert_int_equal(w->read(s, ATTRIBUTE_READ), 0x2a);
    /* A read at the ports of monochrome does not reset it. */
    w->read(s, STATUS1);
    w->write(s, ATTRIBUTE_INDEX, 6);
    w->read(s, STATUS1_MONO);
    w->write(s, ATTRIBUTE_INDEX, 0x11);
    w->read(s, STATUS1);
    w->write(s, ATTRIBUTE_INDEX, 6);
    assert_int_equal(w->read(s, ATTRIBUTE_READ), 0x11);
}

static void palette(const struct way *w, struct streamer *s)
{
    w->write(s, PALETTE_WRITE_INDEX, 0);
    assert_int_equal(w->read(s, PALETTE_READ_INDEX), 0);
    for (unsigned i = 0; i < 256; i++)
        for (unsigned c = 0; c < 3; c++)
            w->write(s, PALETTE_DATA, (uint8_t)(i * 3 + c * 7));
    assert_int_equal(w->read(s, PALETTE_WRITE_INDEX), 0); /* round */
    w->write(s, PALETTE_READ_INDEX, 250);
    assert_int_equal(w->read(s, PALETTE_READ_INDEX), 3);
    for (unsigned i = 250; i < 260; i++)
        for (unsigned c = 0; c < 3; c++)
            assert_int_equal(w->read(s, PALETTE_DATA), (i % 256 * 3 + c * 7) & 0x3f);
    /* A new index starts with red. */
    w->write(s, PALETTE_READ_INDEX, 9);
    w->read(s, PALETTE_DATA);
    w->write(s, PALETTE_READ_INDEX, 10);
    assert_int_equal(w->read(s, PALETTE_DATA), 30);
    /* A colour changes only with its third byte. */
    w->write(s, PALETTE_WRITE_INDEX, 20);
    w->write(s, PALETTE_DATA, 0x3f);
    w->write(s, PALETTE_DATA, 0x3e);
    w->write(s, PALETTE_READ_INDEX, 20);
    for (unsigned c = 0; c < 3; c++)
        assert_int_equal(w->read(s, PALETTE_DATA), (20 * 3 + c * 7) & 0x3f);
    w->write(s, PALETTE_WRITE_INDEX, 20);
    w->write(s, PALETTE_DATA, 1);
    w->write(s, PALETTE_DATA, 2);
    w->write(s, PALETTE_DATA, 3);
    w->write(s, PALETTE_READ_INDEX, 20);
    for (unsigned c = 0; c < 3; c++)
        assert_int_equal(w->read(s, PALETTE_DATA), 1 + c);
    assert_int_equal(w->read(s, PALETTE_MASK), 0xff);
    w->write(s, PALETTE_MASK, 0x0f);
    assert_int_equal(w->read(s, PALETTE_MASK), 0x0f);
}

static void extensions(const struct way *w, struct streamer *s)
{
    for (unsigned i = 0; i < 256; i++) {
        w->write(s, EXTENSION_INDEX, (uint8_t)i);
        w->write(s, EXTENSION_DATA, (uint8_t)(i ^ 0xa5));
    }
    for (unsigned i = 0; i < 256; i++) {
        w->write(s, EXTENSION_INDEX, (uint8_t)i);
        assert_int_equal(w->read(s, EXTENSION_INDEX), i);
        assert_int_equal(w->read(s, EXTENSION_DATA), i ^ 0xa5);
    }
    static const uint16_t reserved[] = {
        PORTS,          CRTC_INDEX_MONO - 1, CRTC_DATA_MONO + 1, STATUS1_MONO + 1,
        MISC_WRITE,     MISC_WRITE + 1,      FEATURE_READ + 1,   MISC_READ + 1,
        CRTC_INDEX - 4, STATUS1 - 1,         PORTS_END - 1};
    for (unsigned i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (reserved[i] != MISC_WRITE)
            w->write(s, reserved[i], 0xff);
        assert_int_equal(w->read(s, reserved[i]), 0);
    }
}

static void by_both_ways(void **state)
{
    (void)state;
    static void (*const tests[])(const struct way *w, struct streamer *s) = {
        index_and_data, crtc, read_latch, attributes, palette, extensions};
    const char *const devices[] = {"skl", "snb", "icl"};
    for (unsigned d = 0; d < sizeof devices / sizeof devices[0]; d++)
        for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            struct streamer *s = streamer_create(devices[d]);
            for (unsigned t = 0;
                 !(s->gen6 && ways[i].write == command_write) && t < sizeof tests / sizeof tests[0]; t++)
                tests[t](&ways[i], s);
            streamer_destroy(s);
        }
}

/* A value written by port is read by MMIO, and the other way round. A read of a byte has no effect on its
 * neighbours. */
static void one_set_of_registers(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    softgt_vga_write(s->device, PALETTE_WRITE_INDEX, 7);
    softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, PALETTE_DATA, 0x11, 1);
    softgt_vga_write(s->device, PALETTE_DATA, 0x22);
    softgt_vga_write(s->device, PALETTE_DATA, 0x33);
    softgt_vga_write(s->device, PALETTE_READ_INDEX, 7);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, PALETTE_WRITE_INDEX, 1), 8);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, FEATURE_READ, 1), 0);
    assert_int_equal(softgt_vga_read(s->device, PALETTE_DATA), 0x11);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, PALETTE_DATA, 1), 0x22);
    assert_int_equal(softgt_vga_read(s->device, PALETTE_DATA), 0x33);
    assert_int_equal(softgt_vga_read(s->device, KEYBOARD_DATA), 0);
    softgt_vga_write(s->device, KEYBOARD_DATA, 1);
    /* Saved and loaded in the middle of a colour. */
    softgt_vga_write(s->device, PALETTE_READ_INDEX, 7);
    assert_int_equal(softgt_vga_read(s->device, PALETTE_DATA), 0x11);
    const size_t size = softgt_save(s->device, NULL, 0);
    void *saved = malloc(size);
    assert_int_equal(softgt_save(s->device, saved, size), size);
    softgt_reset(s->device);
    assert_int_equal(softgt_vga_read(s->device, PALETTE_READ_INDEX), 0);
    assert_int_equal(softgt_load(s->device, saved, size), 0);
    assert_int_equal(softgt_vga_read(s->device, PALETTE_DATA), 0x22);
    free(saved);
    streamer_destroy(s);
}

/* A dword's bytes are accessed in their order: an index is there before its data. */
static void by_dwords(void **state)
{
    (void)state;
    static const char *const devices[] = {"skl", "snb", "icl"};
    for (unsigned d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        struct streamer *s = streamer_create(devices[d]);
        io_write(s, MISC_WRITE, MISC_COLOR);
        /* The CRTC's index and data, the extensions' index and data. */
        const uint32_t four = BYTES(CR0E, 0x66, 0x07, 0x3c);
        RING_RUN(s, "MI_LOAD_REGISTER_IMM { %u, %u }", CRTC_INDEX, four);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, CRTC_INDEX, 4), four);
        io_write(s, CRTC_INDEX, CR0E);
        assert_int_equal(io_read(s, CRTC_DATA), 0x66);
        io_write(s, EXTENSION_INDEX, 0x07);
        assert_int_equal(io_read(s, EXTENSION_DATA), 0x3c);
        /* Accesses of two bytes and of eight bytes over two dwords. */
        softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, PALETTE_READ_INDEX, BYTES(9, 5, 0, 0), 2);
        assert_int_equal(io_read(s, PALETTE_WRITE_INDEX), 5);
        assert_int_equal(io_read(s, PALETTE_READ_INDEX), 0);
        softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, MISC_READ, BYTES(8, 0x18, GR08, 8), 8);
        io_write(s, GRAPHICS_INDEX, GR08);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, MISC_READ, 8), BYTES(1, 0, GR08, 8));
        /* A command reads all four: one step of the palette. */
        static const uint8_t color[3] = {0x11, 0x22, 0x33};
        io_write(s, PALETTE_WRITE_INDEX, 7);
        for (unsigned i = 0; i < 3; i++)
            io_write(s, PALETTE_DATA, color[i]);
        io_write(s, PALETTE_READ_INDEX, 7);
        RING_RUN(s, "MI_STORE_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u",
                 PALETTE_WRITE_INDEX, DATA);
        assert_int_equal(dword_at(s, DATA), BYTES(8, color[0], 0, 0));
        assert_int_equal(io_read(s, PALETTE_DATA), 0x22);
        /* An unprivileged batch does not write them. */
        if (!s->gen6) {
            io_write(s, PALETTE_MASK, 0x55);
            uint32_t dw[4];
            const uint32_t mask = BYTES(0, 0, 0xaa, 0);
            batch_run(s, dw, assemble(s->device, 0, dw, "MI_LOAD_REGISTER_IMM { %u, %u }", SEQ_INDEX, mask),
                      true);
            assert_int_equal(io_read(s, PALETTE_MASK), 0x55);
        }
        streamer_destroy(s);
    }
}

struct events {
    unsigned reads, writes;
    struct softgt_event last;
};

static void count_event(void *user, const struct softgt_event *event)
{
    struct events *t = user;
    *(event->what == SOFTGT_TRACE_READS ? &t->reads : &t->writes) += 1;
    t->last = *event;
}

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

/* Every access is one event, by port or by MMIO. */
static void are_traced(void **state)
{
    (void)state;
    struct events seen = {0};
    struct softgt *device;
    const struct softgt_config config = {
        .device = "skl",
        .memory = {.read = no_memory},
        .trace = {.user = &seen, .mask = SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS, .event = count_event},
    };
    assert_int_equal(softgt_create(&config, &device), 0);
    for (unsigned port = PORTS; port < PORTS_END; port++) {
        seen = (struct events){0};
        softgt_vga_write(device, (uint16_t)port, 0x01);
        assert_int_equal(seen.writes, 1);
        assert_string_equal(seen.last.unit, "vga");
        assert_string_equal(seen.last.by, "cpu");
        assert_int_equal(seen.last.address, port & ~3u);
        softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, port, 0x01, 1);
        assert_int_equal(seen.writes, 2);
        assert_int_equal(seen.reads, 0);
        softgt_vga_read(device, (uint16_t)port);
        softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, port, 1);
        assert_int_equal(seen.reads, 2);
        assert_string_equal(seen.last.unit, "vga");
    }
    softgt_vga_write(device, PALETTE_MASK, 0x5a);
    assert_string_equal(seen.last.name, "VGA_SEQUENCER");
    assert_int_equal(seen.last.old_value >> 16 & 0xff, 0x01);
    assert_int_equal(seen.last.value >> 16 & 0xff, 0x5a);
    softgt_destroy(device);
}

/* ST01 follows virtual time: a retrace of 45 lines, a blank at each line's end. */
static void status_in_time(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    softgt_vga_write(s->device, MISC_WRITE, MISC_COLOR);
    assert_int_equal(softgt_vga_read(s->device, STATUS1), 9);
    softgt_advance(s->device, 600000);
    assert_int_equal(softgt_vga_read(s->device, STATUS1), 9);
    softgt_advance(s->device, 66700);
    assert_int_equal(softgt_vga_read(s->device, STATUS1), 0);
    unsigned blanks = 0, retraces = 0;
    for (unsigned i = 0; i < 1000; i++) {
        softgt_advance(s->device, 16667);
        blanks += softgt_vga_read(s->device, STATUS1) & 1u;
        retraces += softgt_vga_read(s->device, STATUS1) >> 3 & 1u;
    }
    assert_in_range(retraces, 38, 42);
    assert_in_range(blanks, 140, 180);
    streamer_destroy(s);
}

TEST_PROGRAM(vga_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_both_ways), cmocka_unit_test(one_set_of_registers), cmocka_unit_test(by_dwords),
        cmocka_unit_test(are_traced),   cmocka_unit_test(status_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
