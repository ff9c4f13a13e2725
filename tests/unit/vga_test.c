/* OVR-03: the VGA registers by I/O ports, by MMIO and by commands: every index, its data pair, the attribute
 * flip-flop, the palette, the two places of the CRTC, protection; all are traced. */
#include "../suite.h"
#include "../streamer.h"

enum { MI_STORE_REGISTER_MEM = 0x24 << 23, USE_GGTT = 1 << 22 };

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

/* A byte of a register; the disables are of the others. Not on Gen6, which writes dwords whole. */
static void command_write(struct streamer *s, uint16_t port, uint8_t value)
{
    const uint32_t byte = port % 4u, disables = ~(1u << byte) & 0xfu;
    ring_run(s,
             (const uint32_t[]){MI_LOAD_REGISTER_IMM | disables << 8 | 1u, port & 0xfffcu,
                                0xa5a5a5a5u ^ (0xa5u ^ value) << byte * 8u},
             3);
}

/* Commands read all four bytes, so what reading changes is read by port. */
static const struct way ways[] = {
    {"I/O", io_read, io_write}, {"MMIO", mmio_read, mmio_write}, {"commands", io_read, command_write}};

struct pair {
    uint16_t index, data;
    unsigned count; /* of indices that are tried */
    uint64_t there; /* bit n: index n is there */
    uint8_t index_bits;
};

static const struct pair pairs[] = {
    {0x3c4, 0x3c5, 8, 0x1f, 0x07},                            /* SR00 - SR04; SR07 keeps nothing */
    {0x3ce, 0x3cf, 0x20, 0x01ff | 3u << 16 | 1u << 24, 0x1f}, /* GR00 - GR08, GR10, GR11, GR18 */
    {0x3d4, 0x3d5, 0x40, 0x01ffffff, 0x7f},                   /* CR00 - CR18; CR22 is read-only */
};

static void index_and_data(const struct way *w, struct streamer *s)
{
    w->write(s, 0x3c2, 1); /* MSR: the CRTC is at 3D4h */
    for (unsigned p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        const struct pair *r = &pairs[p];
        for (unsigned i = 0; i < r->count; i++) {
            w->write(s, r->index, (uint8_t)i);
            w->write(s, r->data, (uint8_t)(i == 0x11 ? 0x5a : 0x15 + i));
        }
        for (unsigned i = 0; i < r->count; i++) {
            w->write(s, r->index, (uint8_t)i);
            assert_int_equal(w->read(s, r->index), i & r->index_bits);
            const uint8_t value = w->read(s, r->data), wrote = (uint8_t)(i == 0x11 ? 0x5a : 0x15 + i);
            if (!(r->there >> i & 1u))
                assert_int_equal(value, 0);
            else
                assert_true(value != 0 && (value & ~wrote) == 0);
        }
    }
    /* Two bytes at once: index, then data. */
    softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, 0x3ce, 0x8108, 2);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, 0x3ce, 2), 0x8108);
}

/* CRxx, of colour. */
static void crtc_write(const struct way *w, struct streamer *s, unsigned index, uint8_t value)
{
    w->write(s, 0x3d4, (uint8_t)index);
    w->write(s, 0x3d5, value);
}

static void crtc(const struct way *w, struct streamer *s)
{
    /* Colour: 3Dxh answers, 3Bxh does not; and the other way round. */
    w->write(s, 0x3c2, 0xff);
    assert_int_equal(w->read(s, 0x3cc), 0xef);
    crtc_write(w, s, 0x0e, 0x77);
    w->write(s, 0x3b4, 0x0f);
    w->write(s, 0x3b5, 0x88);
    assert_int_equal(w->read(s, 0x3d4), 0x0e);
    assert_int_equal(w->read(s, 0x3d5), 0x77);
    assert_int_equal(w->read(s, 0x3b4), 0);
    w->write(s, 0x3da, 0x0b);
    assert_int_equal(w->read(s, 0x3ca), 0x0b);
    w->write(s, 0x3c2, 0xfe);
    assert_int_equal(w->read(s, 0x3b4), 0x0e);
    assert_int_equal(w->read(s, 0x3b5), 0x77);
    assert_int_equal(w->read(s, 0x3d5), 0);
    w->write(s, 0x3ba, 0x02);
    w->write(s, 0x3da, 0x01);
    assert_int_equal(w->read(s, 0x3ca), 0x02);
    /* CR11 bit 7 protects CR00 - CR07, but for the bit of the line compare. */
    w->write(s, 0x3c2, 1);
    for (unsigned i = 0; i < 8; i++)
        crtc_write(w, s, i, 0x21);
    crtc_write(w, s, 0x11, 0x80);
    for (unsigned i = 0; i < 8; i++) {
        crtc_write(w, s, i, 0xff);
        assert_int_equal(w->read(s, 0x3d5), i == 7 ? 0x31 : 0x21);
    }
    crtc_write(w, s, 0x08, 0xff);
    assert_int_equal(w->read(s, 0x3d5), 0x7f);
}

/* CR22: the latch of reads of the VGA's memory, of which there is none: no write gets there, or elsewhere. */
static void read_latch(const struct way *w, struct streamer *s)
{
    w->write(s, 0x3c2, 1);
    crtc_write(w, s, 0x11, 0);
    for (unsigned i = 0; i < 0x23; i++)
        crtc_write(w, s, i, 0);
    crtc_write(w, s, 0x22, 0xff);
    assert_int_equal(w->read(s, 0x3d4), 0x22);
    assert_int_equal(w->read(s, 0x3d5), 0);
    for (unsigned i = 0; i < 0x23; i++) {
        w->write(s, 0x3d4, (uint8_t)i);
        assert_int_equal(w->read(s, 0x3d5), 0);
    }
}

/* Index and data alternate at 3C0h; a read of ST01 makes the next write an index. */
static void attributes(const struct way *w, struct streamer *s)
{
    w->write(s, 0x3c2, 1);
    w->read(s, 0x3da);
    for (unsigned i = 0; i < 0x20; i++) {
        w->write(s, 0x3c0, (uint8_t)i);
        w->write(s, 0x3c0, (uint8_t)(0x0c + i % 4));
    }
    for (unsigned i = 0; i < 0x20; i++) {
        w->read(s, 0x3da);
        w->write(s, 0x3c0, (uint8_t)(i | 0x20));
        assert_int_equal(w->read(s, 0x3c0), i | 0x20);
        const unsigned expected = i > 0x14 ? 0 : i == 0x10 ? 0x0c : 0x0c + i % 4;
        assert_int_equal(w->read(s, 0x3c1), expected);
        w->write(s, 0x3c1, 0xff); /* not by the read address */
        assert_int_equal(w->read(s, 0x3c1), expected);
    }
    w->read(s, 0x3da);
    w->write(s, 0x3c0, 3);
    w->read(s, 0x3da); /* the data did not come */
    w->write(s, 0x3c0, 5);
    w->write(s, 0x3c0, 0x2a);
    w->read(s, 0x3da);
    w->write(s, 0x3c0, 3);
    assert_int_equal(w->read(s, 0x3c1), 0x0f);
    w->read(s, 0x3da);
    w->write(s, 0x3c0, 5);
    assert_int_equal(w->read(s, 0x3c1), 0x2a);
    /* The status register of the CRTC's other place does not reset it. */
    w->read(s, 0x3da);
    w->write(s, 0x3c0, 6);
    w->read(s, 0x3ba);
    w->write(s, 0x3c0, 0x11);
    w->read(s, 0x3da);
    w->write(s, 0x3c0, 6);
    assert_int_equal(w->read(s, 0x3c1), 0x11);
}

static void palette(const struct way *w, struct streamer *s)
{
    w->write(s, 0x3c8, 0);
    assert_int_equal(w->read(s, 0x3c7), 0);
    for (unsigned i = 0; i < 256; i++)
        for (unsigned c = 0; c < 3; c++)
            w->write(s, 0x3c9, (uint8_t)(i * 3 + c * 7));
    assert_int_equal(w->read(s, 0x3c8), 0); /* round */
    w->write(s, 0x3c7, 250);
    assert_int_equal(w->read(s, 0x3c7), 3);
    for (unsigned i = 250; i < 260; i++)
        for (unsigned c = 0; c < 3; c++)
            assert_int_equal(w->read(s, 0x3c9), (i % 256 * 3 + c * 7) & 0x3f);
    /* A new index starts with red. */
    w->write(s, 0x3c7, 9);
    w->read(s, 0x3c9);
    w->write(s, 0x3c7, 10);
    assert_int_equal(w->read(s, 0x3c9), 30);
    /* A colour of which the third byte does not come stays as it was. */
    w->write(s, 0x3c8, 20);
    w->write(s, 0x3c9, 0x3f);
    w->write(s, 0x3c9, 0x3e);
    w->write(s, 0x3c7, 20);
    for (unsigned c = 0; c < 3; c++)
        assert_int_equal(w->read(s, 0x3c9), (20 * 3 + c * 7) & 0x3f);
    w->write(s, 0x3c8, 20);
    w->write(s, 0x3c9, 1);
    w->write(s, 0x3c9, 2);
    w->write(s, 0x3c9, 3);
    w->write(s, 0x3c7, 20);
    for (unsigned c = 0; c < 3; c++)
        assert_int_equal(w->read(s, 0x3c9), 1 + c);
    assert_int_equal(w->read(s, 0x3c6), 0xff);
    w->write(s, 0x3c6, 0x0f);
    assert_int_equal(w->read(s, 0x3c6), 0x0f);
}

static void extensions(const struct way *w, struct streamer *s)
{
    for (unsigned i = 0; i < 256; i++) {
        w->write(s, 0x3d6, (uint8_t)i);
        w->write(s, 0x3d7, (uint8_t)(i ^ 0xa5));
    }
    for (unsigned i = 0; i < 256; i++) {
        w->write(s, 0x3d6, (uint8_t)i);
        assert_int_equal(w->read(s, 0x3d6), i);
        assert_int_equal(w->read(s, 0x3d7), i ^ 0xa5);
    }
    static const uint16_t reserved[] = {0x3b0, 0x3b3, 0x3b6, 0x3bb, 0x3c2, 0x3c3,
                                        0x3cb, 0x3cd, 0x3d0, 0x3d9, 0x3df};
    for (unsigned i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (reserved[i] != 0x3c2)
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

/* What one way writes the other reads; a byte's read leaves its neighbours alone. */
static void one_set_of_registers(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    softgt_vga_write(s->device, 0x3c8, 7);
    softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, 0x3c9, 0x11, 1);
    softgt_vga_write(s->device, 0x3c9, 0x22);
    softgt_vga_write(s->device, 0x3c9, 0x33);
    softgt_vga_write(s->device, 0x3c7, 7);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, 0x3c8, 1), 8);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, 0x3ca, 1), 0);
    assert_int_equal(softgt_vga_read(s->device, 0x3c9), 0x11);
    assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, 0x3c9, 1), 0x22);
    assert_int_equal(softgt_vga_read(s->device, 0x3c9), 0x33);
    assert_int_equal(softgt_vga_read(s->device, 0x0060), 0);
    softgt_vga_write(s->device, 0x0060, 1);
    /* Saved and loaded in the middle of a colour. */
    softgt_vga_write(s->device, 0x3c7, 7);
    assert_int_equal(softgt_vga_read(s->device, 0x3c9), 0x11);
    const size_t size = softgt_save(s->device, NULL, 0);
    void *saved = malloc(size);
    assert_int_equal(softgt_save(s->device, saved, size), size);
    softgt_reset(s->device);
    assert_int_equal(softgt_vga_read(s->device, 0x3c7), 0);
    assert_int_equal(softgt_load(s->device, saved, size), 0);
    assert_int_equal(softgt_vga_read(s->device, 0x3c9), 0x22);
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
        io_write(s, 0x3c2, 1);
        ring_run(s, (const uint32_t[]){MI_LOAD_REGISTER_IMM | 1u, 0x3d4, 0x3c07660eu}, 3);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, 0x3d4, 4), 0x3c07660eu);
        io_write(s, 0x3d4, 0x0e);
        assert_int_equal(io_read(s, 0x3d5), 0x66);
        io_write(s, 0x3d6, 0x07);
        assert_int_equal(io_read(s, 0x3d7), 0x3c);
        /* Two bytes that lie in two dwords, and eight in two. */
        softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, 0x3c7, 0x0509, 2);
        assert_int_equal(io_read(s, 0x3c8), 5);
        assert_int_equal(io_read(s, 0x3c7), 0);
        softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, 0x3cc, UINT64_C(0x08081808), 8);
        io_write(s, 0x3ce, 0x08);
        assert_int_equal(softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, 0x3cc, 8), UINT64_C(0x08080001));
        /* A command reads all four: one step of the palette. */
        static const uint8_t color[3] = {0x11, 0x22, 0x33};
        io_write(s, 0x3c8, 7);
        for (unsigned i = 0; i < 3; i++)
            io_write(s, 0x3c9, color[i]);
        io_write(s, 0x3c7, 7);
        const bool gen6 = s->gen6;
        ring_run(s, (const uint32_t[]){MI_STORE_REGISTER_MEM | USE_GGTT | (gen6 ? 1u : 2u), 0x3c8, DATA, 0},
                 gen6 ? 3 : 4);
        assert_int_equal(dword_at(s, DATA), 0x00001108);
        assert_int_equal(io_read(s, 0x3c9), 0x22);
        /* Not a user's. */
        if (!gen6) {
            io_write(s, 0x3c6, 0x55);
            batch_run(s, (const uint32_t[]){MI_LOAD_REGISTER_IMM | 1u, 0x3c4, 0x00aa0000}, 3, true);
            assert_int_equal(io_read(s, 0x3c6), 0x55);
        }
        streamer_destroy(s);
    }
}

struct told {
    unsigned reads, writes;
    struct softgt_event last;
};

static void tell(void *user, const struct softgt_event *event)
{
    struct told *t = user;
    *(event->what == SOFTGT_TRACE_READS ? &t->reads : &t->writes) += 1;
    t->last = *event;
}

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

/* Every access is an event of its own, whichever way it comes. */
static void are_traced(void **state)
{
    (void)state;
    struct told told = {0};
    struct softgt *device;
    const struct softgt_config config = {
        .device = "skl",
        .memory = {.read = no_memory},
        .trace = {.user = &told, .mask = SOFTGT_TRACE_REGISTERS | SOFTGT_TRACE_READS, .event = tell},
    };
    assert_int_equal(softgt_create(&config, &device), 0);
    for (unsigned port = 0x3b0; port < 0x3e0; port++) {
        told = (struct told){0};
        softgt_vga_write(device, (uint16_t)port, 0x01);
        assert_int_equal(told.writes, 1);
        assert_string_equal(told.last.unit, "vga");
        assert_string_equal(told.last.by, "cpu");
        assert_int_equal(told.last.address, port & 0x3fcu);
        softgt_bar_write(device, SOFTGT_BAR_GTTMMADR, port, 0x01, 1);
        assert_int_equal(told.writes, 2);
        assert_int_equal(told.reads, 0);
        softgt_vga_read(device, (uint16_t)port);
        softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, port, 1);
        assert_int_equal(told.reads, 2);
        assert_string_equal(told.last.unit, "vga");
    }
    softgt_vga_write(device, 0x3c6, 0x5a);
    assert_string_equal(told.last.name, "VGA_SEQUENCER");
    assert_int_equal(told.last.old_value >> 16 & 0xff, 0x01);
    assert_int_equal(told.last.value >> 16 & 0xff, 0x5a);
    softgt_destroy(device);
}

/* ST01 follows virtual time: a retrace of 45 lines, a blank at each line's end. */
static void status_in_time(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    softgt_vga_write(s->device, 0x3c2, 1);
    assert_int_equal(softgt_vga_read(s->device, 0x3da), 9);
    softgt_advance(s->device, 600000);
    assert_int_equal(softgt_vga_read(s->device, 0x3da), 9);
    softgt_advance(s->device, 66700);
    assert_int_equal(softgt_vga_read(s->device, 0x3da), 0);
    unsigned blanks = 0, retraces = 0;
    for (unsigned i = 0; i < 1000; i++) {
        softgt_advance(s->device, 16667);
        blanks += softgt_vga_read(s->device, 0x3da) & 1u;
        retraces += softgt_vga_read(s->device, 0x3da) >> 3 & 1u;
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
