/*
 * The interrupt tree of Gen11: a master, two double words with a bit for each engine, and behind each bit
 * sixteen bits that software reads through a selector and an identity register. Modelled: engines, enables
 * and masks, the display's pipes (display_interrupts.c). Not modelled: GuC and PM sources. (ICL PRM vol 2c)
 */
#include "interrupt/interrupt.h"

#define MASTER_ENABLE  (1u << 31)
#define IDENTITY_VALID (1u << 31)
#define DISPLAY        (1u << 16)

enum {
    GFX_MSTR_INTR = 0x190010,
    INTR_DW = 0x190018,       /* two of them */
    INTR_IDENTITY = 0x190060, /* two */
    IIR_SELECTOR = 0x190070,  /* two */
};

static uint32_t pending(const struct interrupt *i)
{
    return (register_value(i->mmio, INTR_DW) ? 1u : 0) | (register_value(i->mmio, INTR_DW + 4) ? 2u : 0) |
           (interrupt_display_asserted(i) ? DISPLAY : 0);
}

static bool gen11_asserted(const struct interrupt *i)
{
    return register_value(i->mmio, GFX_MSTR_INTR) & MASTER_ENABLE && pending(i) != 0;
}

static void gen11_raise(struct interrupt *i, struct interrupt_line line, uint32_t bits)
{
    bits &= register_value(i->mmio, line.enable_offset) >> line.enable_shift;
    bits &= ~(register_value(i->mmio, line.mask_offset) >> line.mask_shift) & 0xffffu;
    if (!bits)
        return;
    i->pending.sources[line.bank & 1u][line.bit & 31u] |= (uint16_t)bits;
    i->pending.identities[line.bank & 1u][line.bit & 31u] = (uint16_t)(line.class | line.instance << 4);
    const uint32_t dw = INTR_DW + (line.bank & 1u) * 4u;
    register_set(i->mmio, dw, register_value(i->mmio, dw) | 1u << (line.bit & 31u));
    interrupt_update(i);
}

static uint32_t master_read(const struct register_access *at, uint32_t stored)
{
    return (stored & MASTER_ENABLE) | pending(at->owner);
}

static void master_written(const struct register_access *w)
{
    interrupt_update(w->owner);
}

/* An event that came while its bit was served sets the bit again: the second level is double buffered. */
static void dw_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    uint32_t value = w->value;
    for (unsigned bit = 0; bit < 32; bit++)
        if (i->pending.sources[w->index][bit])
            value |= 1u << bit;
    register_set(w->file, w->offset, value);
    interrupt_update(i);
}

/* A bit of the selector moves the source's pending bits to the identity register. */
static void selector_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    for (unsigned bit = 0; bit < 32; bit++) {
        if (!(w->written >> bit & 1u) || !i->pending.sources[w->index][bit])
            continue;
        const uint32_t identity = i->pending.identities[w->index][bit];
        register_set(w->file, INTR_IDENTITY + w->index * 4u,
                     IDENTITY_VALID | (identity >> 4) << 20 | (identity & 15u) << 16 |
                         i->pending.sources[w->index][bit]);
        i->pending.sources[w->index][bit] = 0;
        break;
    }
}

/* Its valid bit written back lets the whole go. */
static void gen11_identity_written(const struct register_access *w)
{
    if (w->written & IDENTITY_VALID)
        register_set(w->file, w->offset, 0);
}

#define ALL 0xffffffffu
static const struct field identity_fields[] = {
    {"Valid", 31, 31, FIELD_BOOL, NULL},
    {"Instance ID", 20, 25, FIELD_UINT, NULL},
    {"Class ID", 16, 18, FIELD_UINT, NULL},
    {"Interrupt", 0, 15, FIELD_HEX, NULL},
};
#define ENABLE(title, at, text)                                                                              \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = ALL, .summary = text, .spec = "CSP-23"                    \
    }
#define MASK(title, at, text)                                                                                \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = ALL, .reset = ALL, .summary = text, .spec = "CSP-23"      \
    }
static const struct reg rows[] = {
    {.name = "GFX_MSTR_INTR",
     .offset = GFX_MSTR_INTR,
     .writable = MASTER_ENABLE,
     .before_read = master_read,
     .after_write = master_written,
     .summary = "Master enable in bit 31; which double word has something; bit 16: the display.",
     .spec = "CSP-23"},
    {.name = "GT_INTR_DW",
     .offset = INTR_DW,
     .count = 2,
     .stride = 4,
     .w1c = ALL,
     .after_write = dw_written,
     .summary = "A bit for each engine with something pending; write 1 to clear.",
     .spec = "CSP-23"},
    {.name = "INTR_IDENTITY_REG",
     .offset = INTR_IDENTITY,
     .count = 2,
     .stride = 4,
     .w1c = IDENTITY_VALID,
     FIELDS(identity_fields),
     .after_write = gen11_identity_written,
     .summary = "Bits of the source that the selector chose.",
     .spec = "CSP-23"},
    {.name = "IIR_REG_SELECTOR",
     .offset = IIR_SELECTOR,
     .count = 2,
     .stride = 4,
     .writable = ALL,
     .after_write = selector_written,
     .summary = "One bit chooses the source to be identified.",
     .spec = "CSP-23"},
    ENABLE("RENDER_COPY_INTR_ENABLE", 0x190030,
           "Render (31:16) and copy (15:0) interrupts that may become pending."),
    ENABLE("VCS_VECS_INTR_ENABLE", 0x190034,
           "Video (31:16) and enhancement (15:0) interrupts that may become pending."),
    ENABLE("GUC_SG_INTR_ENABLE", 0x190038, "GuC and semaphore interrupts that may become pending."),
    ENABLE("GPM_WGBOXPERF_INTR_ENABLE", 0x19003c, "Power management interrupts that may become pending."),
    ENABLE("CRYPTO_RSVD_INTR_ENABLE", 0x190040, "Further interrupts that may become pending."),
    ENABLE("GUNIT_CSME_INTR_ENABLE", 0x190044,
           "Interrupts of the management engine that may become pending."),
    MASK("RCS0_RSVD_INTR_MASK", 0x190090, "Render interrupts (31:16) kept back."),
    MASK("BCS_RSVD_INTR_MASK", 0x1900a0, "Copy interrupts (31:16) kept back."),
    MASK("VCS0_VCS1_INTR_MASK", 0x1900a8, "Interrupts of video 0 (31:16) and 1 (15:0) kept back."),
    MASK("VCS2_VCS3_INTR_MASK", 0x1900ac, "Interrupts of video 2 (31:16) and 3 (15:0) kept back."),
    MASK("VCS4_VCS5_INTR_MASK", 0x1900b0, "Interrupts of video 4 (31:16) and 5 (15:0) kept back."),
    MASK("VCS6_VCS7_INTR_MASK", 0x1900b4, "Interrupts of video 6 (31:16) and 7 (15:0) kept back."),
    MASK("VECS0_VECS1_INTR_MASK", 0x1900d0, "Interrupts of enhancement 0 (31:16) and 1 (15:0) kept back."),
    MASK("VECS2_VECS3_INTR_MASK", 0x1900d4, "Interrupts of enhancement 2 (31:16) and 3 (15:0) kept back."),
    MASK("GUC_SG_INTR_MASK", 0x1900e8, "GuC and semaphore interrupts kept back."),
    MASK("GPM_WGBOXPERF_INTR_MASK", 0x1900ec, "Power management interrupts kept back."),
    MASK("CRYPTO_RSVD_INTR_MASK", 0x1900f0, "Further interrupts kept back."),
    MASK("GUNIT_CSME_INTR_MASK", 0x1900f4, "Interrupts of the management engine kept back."),
};

static const struct register_block block = REGISTER_BLOCK("interrupt", rows);

const struct interrupt_info gen11_interrupts = {.block = &block,
                                                .raise = gen11_raise,
                                                .asserted = gen11_asserted,
                                                .display_block = &gen11_display_interrupts};
