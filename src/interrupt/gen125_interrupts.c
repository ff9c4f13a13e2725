/*
 * The interrupt tree of Xe_HPG. Levels, from the top: tile bit, primary register, double word, source. A
 * source is an engine or a unit of class Other.
 *
 * Enabled bits of a source are collected, and stay pending while they are masked. Unmasked, they set the bit
 * of the source in its double word. A double word is double buffered: from its read until software has
 * cleared all of it, new bits are logged in the second buffer. The selector moves the bits of a source to the
 * shared identity register. Tile and primary bits latch: software clears them first; later events set them
 * again.
 *
 * Modelled: one tile, the display's pipes (display_interrupts.c). (SYS-21, SYS-23)
 */
#include "interrupt/interrupt.h"

#define MASTER_ENABLE  (1u << 31)
#define IDENTITY_VALID (1u << 31)
#define DISPLAY        (1u << 16)
#define ALL            0xffffffffu

enum {
    TILE_INT = 0x190008,
    GFX_MSTR_INTR = 0x190010,
    INTR_DW = 0x190018,       /* two of them */
    INTR_IDENTITY = 0x190060, /* two */
    IIR_SELECTOR = 0x190070,  /* two */
    DWS = 2,
    DW_BITS = 32,
    TILE_0 = 1u << 0,
};

/* Enables and masks: offsets from here; the class's or source's bits are the upper half of one, or the lower.
 */
enum { ENABLE = 0x190030, MASK = 0x190090 };
enum { LOWER, UPPER = 16 };

enum { RENDER, VIDEO, ENHANCE, COPY, OTHER, COMPUTE };

/* Who a bit of a double word is; an enable is the class's, but each of class Other has its own. */
static const struct source {
    uint8_t bank, bit, class, instance;
    uint16_t enable, mask; /* from ENABLE, from MASK */
    uint8_t enable_half, mask_half;
} sources[] = {
    {0, 0, RENDER, 0, 0x00, 0x00, UPPER, UPPER},   {0, 4, COMPUTE, 0, 0x18, 0x70, UPPER, UPPER},
    {0, 5, COMPUTE, 1, 0x18, 0x70, UPPER, LOWER},  {0, 6, COMPUTE, 2, 0x18, 0x74, UPPER, UPPER},
    {0, 7, COMPUTE, 3, 0x18, 0x74, UPPER, LOWER},  {0, 23, COPY, 8, 0x00, 0x8c, LOWER, UPPER},
    {0, 15, COPY, 0, 0x00, 0x10, LOWER, UPPER},    {0, 16, OTHER, 1, 0x0c, 0x5c, UPPER, UPPER}, /* GTPM */
    {0, 19, OTHER, 4, 0x10, 0x60, UPPER, UPPER},                                                /* KCR */
    {0, 20, OTHER, 2, 0x0c, 0x5c, LOWER, LOWER},                                                /* WDOAPerf */
    {0, 21, OTHER, 3, 0x08, 0x58, LOWER, LOWER},  /* SCTRG; the bit is our choice */
    {0, 24, OTHER, 16, 0x08, 0x58, UPPER, LOWER}, /* GuC of the media GT */
    {0, 25, OTHER, 0, 0x08, 0x58, UPPER, UPPER},  /* GuC */
    {0, 28, OTHER, 5, 0x14, 0x64, UPPER, UPPER},  /* Gunit */
    {0, 31, OTHER, 6, 0x14, 0x64, LOWER, LOWER},  /* CSME */
    {1, 0, VIDEO, 0, 0x04, 0x18, UPPER, UPPER},    {1, 1, VIDEO, 1, 0x04, 0x18, UPPER, LOWER},
    {1, 2, VIDEO, 2, 0x04, 0x1c, UPPER, UPPER},    {1, 3, VIDEO, 3, 0x04, 0x1c, UPPER, LOWER},
    {1, 4, VIDEO, 4, 0x04, 0x20, UPPER, UPPER},    {1, 5, VIDEO, 5, 0x04, 0x20, UPPER, LOWER},
    {1, 6, VIDEO, 6, 0x04, 0x24, UPPER, UPPER},    {1, 7, VIDEO, 7, 0x04, 0x24, UPPER, LOWER},
    {1, 31, ENHANCE, 0, 0x04, 0x40, LOWER, UPPER}, {1, 30, ENHANCE, 1, 0x04, 0x40, LOWER, LOWER},
    {1, 29, ENHANCE, 2, 0x04, 0x44, LOWER, UPPER}, {1, 28, ENHANCE, 3, 0x04, 0x44, LOWER, LOWER},
};
enum { SOURCES = sizeof sources / sizeof sources[0] };

static const struct source *source_at(uint32_t bank, uint32_t bit)
{
    for (const struct source *s = sources; s < sources + SOURCES; s++)
        if (s->bank == bank && s->bit == bit)
            return s;
    return NULL;
}

static uint32_t half_of(const struct interrupt *i, unsigned offset, unsigned half)
{
    return register_value(i->mmio, offset) >> half & 0xffffu;
}

/* Forwards the enabled bits of a source. */
static uint16_t unmasked(const struct interrupt *i, const struct source *s)
{
    return (uint16_t)(i->pending.sources[s->bank][s->bit] &
                      ~half_of(i, (unsigned)MASK + s->mask, s->mask_half));
}

static bool gen125_asserted(const struct interrupt *i)
{
    const uint32_t tiles = register_value(i->mmio, TILE_INT);
    return tiles & MASTER_ENABLE && tiles & ~MASTER_ENABLE;
}

/* The primary's bits are the tile's, while its own enable is on. */
static void tell_tile(struct interrupt *i)
{
    const uint32_t primary = register_value(i->mmio, GFX_MSTR_INTR);
    if (primary & MASTER_ENABLE && primary & ~MASTER_ENABLE)
        register_set(i->mmio, TILE_INT, register_value(i->mmio, TILE_INT) | TILE_0);
    interrupt_update(i);
}

void gen125_primary_raise(struct interrupt *i, uint32_t bits)
{
    register_set(i->mmio, GFX_MSTR_INTR, register_value(i->mmio, GFX_MSTR_INTR) | bits);
    tell_tile(i);
}

/* The display sends a message each time. */
static void display_asserted(struct interrupt *i)
{
    gen125_primary_raise(i, DISPLAY);
}

/* Bits come to a double word. */
static void log_events(struct interrupt *i, uint32_t bank, uint32_t bits)
{
    if (i->pending.in_service[bank]) {
        i->pending.second_events[bank] |= bits;
        return;
    }
    register_set(i->mmio, INTR_DW + bank * 4u, register_value(i->mmio, INTR_DW + bank * 4u) | bits);
    gen125_primary_raise(i, 1u << bank);
}

static void gen125_raise(struct interrupt *i, struct interrupt_line line, uint32_t bits)
{
    const struct source *s = source_at(line.bank, line.bit);
    const uint16_t enabled =
        s ? (uint16_t)(bits & half_of(i, (unsigned)ENABLE + s->enable, s->enable_half)) : 0;
    if (!enabled)
        return;
    i->pending.sources[s->bank][s->bit] |= enabled;
    if (enabled & unmasked(i, s))
        log_events(i, s->bank, 1u << s->bit);
}

/* Delivers events that came while the bit was masked. */
static void mask_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    const uint32_t opened = w->old_value & ~w->value;
    for (const struct source *s = sources; s < sources + SOURCES; s++)
        if (w->offset == (unsigned)MASK + s->mask &&
            i->pending.sources[s->bank][s->bit] & opened >> s->mask_half)
            log_events(i, s->bank, 1u << s->bit);
}

static void tile_written(const struct register_access *w)
{
    interrupt_update(w->owner);
}

static void primary_written(const struct register_access *w)
{
    if (w->value & ~w->old_value & MASTER_ENABLE)
        tell_tile(w->owner);
}

/* Whoever reads bits works on these: what comes from now on is logged beside them. */
static uint32_t dw_read(const struct register_access *at, uint32_t stored)
{
    struct interrupt *i = at->owner;
    if (stored)
        i->pending.in_service[at->index] = 1;
    return stored;
}

/* Cleared whole, it takes what was logged meanwhile, and what software cleared without having been served. */
static void dw_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    if (w->value || !w->old_value)
        return;
    uint32_t bits = i->pending.second_events[w->index];
    for (const struct source *s = sources; s < sources + SOURCES; s++)
        if (s->bank == w->index && unmasked(i, s))
            bits |= 1u << s->bit;
    i->pending.in_service[w->index] = i->pending.second_events[w->index] = 0;
    register_set(w->file, GFX_MSTR_INTR, register_value(w->file, GFX_MSTR_INTR) & ~(1u << w->index));
    if (bits)
        log_events(i, w->index, bits);
}

/* One bit of those that the double word has: the source's unmasked bits leave it for the identity. */
static void selector_written(const struct register_access *w)
{
    struct interrupt *i = w->owner;
    const uint32_t identity = INTR_IDENTITY + w->index * 4u, bit = w->value;
    if (!bit)
        return;
    const struct source *s = source_at(w->index, (uint32_t)__builtin_ctz(bit));
    if (!s || bit & (bit - 1u) || !(bit & register_value(w->file, INTR_DW + w->index * 4u)) ||
        register_value(w->file, identity) & IDENTITY_VALID) {
        report_error(i->log, SOFTGT_GUEST_ERROR, "interrupt", w->offset,
                     "selector %08x: not one bit that its double word has, or before the last one was served",
                     bit);
        return;
    }
    const uint16_t bits = unmasked(i, s);
    i->pending.sources[s->bank][s->bit] &= (uint16_t)~bits;
    register_set(w->file, identity,
                 IDENTITY_VALID | (uint32_t)s->instance << 20 | (uint32_t)s->class << 16 | bits);
}

/* Its valid bit written back lets the whole go, and the selector. */
static void gen125_identity_written(const struct register_access *w)
{
    if (!(w->written & IDENTITY_VALID))
        return;
    register_set(w->file, w->offset, 0);
    register_set(w->file, IIR_SELECTOR + w->index * 4u, 0);
}

static const struct field tile_fields[] = {
    {"Enable", 31, 31, FIELD_BOOL, NULL}, {"Tile 3", 3, 3, FIELD_BOOL, NULL},
    {"Tile 2", 2, 2, FIELD_BOOL, NULL},   {"Tile 1", 1, 1, FIELD_BOOL, NULL},
    {"Tile 0", 0, 0, FIELD_BOOL, NULL},
};
static const struct field primary_fields[] = {
    {"Enable", 31, 31, FIELD_BOOL, NULL},
    {"PCU", 30, 30, FIELD_BOOL, NULL},
    {"GU MISC", 29, 29, FIELD_BOOL, NULL},
    {"Fatal Error", 28, 28, FIELD_BOOL, NULL},
    {"Non-Fatal Error", 27, 27, FIELD_BOOL, NULL},
    {"Correctable Error", 26, 26, FIELD_BOOL, NULL},
    {"Display", 16, 16, FIELD_BOOL, NULL},
    {"GT DW1", 1, 1, FIELD_BOOL, NULL},
    {"GT DW0", 0, 0, FIELD_BOOL, NULL},
};
static const struct field identity_fields[] = {
    {"Valid", 31, 31, FIELD_BOOL, NULL},       {"VF ID", 27, 29, FIELD_UINT, NULL},
    {"Instance ID", 20, 25, FIELD_UINT, NULL}, {"Class ID", 16, 18, FIELD_UINT, NULL},
    {"Interrupt", 0, 15, FIELD_HEX, NULL},
};
#define ENABLES(title, at, text)                                                                             \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = ALL, .summary = text, .spec = "SYS-21"                    \
    }
#define MASKS(title, at, text)                                                                               \
    {                                                                                                        \
        .name = title, .offset = (at), .writable = ALL, .reset = ALL, .after_write = mask_written,           \
        .summary = text, .spec = "SYS-21"                                                                    \
    }
#define COMMON_ROWS                                                                                          \
    {.name = "TILE_INT",                                                                                     \
     .offset = TILE_INT,                                                                                     \
     .writable = MASTER_ENABLE,                                                                              \
     .w1c = 0xf,                                                                                             \
     FIELDS(tile_fields),                                                                                    \
     .after_write = tile_written,                                                                            \
     .summary = "Master enable in bit 31; which tile has something, write 1 to clear.",                      \
     .spec = "SYS-21, SYS-23"},                                                                              \
        {.name = "GFX_MSTR_INTR",                                                                            \
         .offset = GFX_MSTR_INTR,                                                                            \
         .writable = MASTER_ENABLE,                                                                          \
         .w1c = 0x7fffffff,                                                                                  \
         .reset = MASTER_ENABLE,                                                                             \
         FIELDS(primary_fields),                                                                             \
         .after_write = primary_written,                                                                     \
         .summary = "The tile's enable in bit 31, on from power-on; what has something, write 1 to clear.",  \
         .spec = "SYS-21, SYS-23; Linux 6.1, i915_irq"},                                                     \
        {.name = "GT_INTR_DW",                                                                               \
         .offset = INTR_DW,                                                                                  \
         .count = DWS,                                                                                       \
         .stride = 4,                                                                                        \
         .w1c = ALL,                                                                                         \
         .flags = REG_READ_HAS_EFFECT,                                                                       \
         .before_read = dw_read,                                                                             \
         .after_write = dw_written,                                                                          \
         .summary = "A bit for each engine with something pending; write 1 to clear.",                       \
         .spec = "SYS-21"},                                                                                  \
        {.name = "INTR_IDENTITY_REG",                                                                        \
         .offset = INTR_IDENTITY,                                                                            \
         .count = DWS,                                                                                       \
         .stride = 4,                                                                                        \
         .w1c = IDENTITY_VALID,                                                                              \
         FIELDS(identity_fields),                                                                            \
         .after_write = gen125_identity_written,                                                             \
         .summary = "Bits of the source that the selector chose.",                                           \
         .spec = "SYS-21"},                                                                                  \
        {.name = "IIR_REG_SELECTOR",                                                                         \
         .offset = IIR_SELECTOR,                                                                             \
         .count = DWS,                                                                                       \
         .stride = 4,                                                                                        \
         .writable = ALL,                                                                                    \
         .after_write = selector_written,                                                                    \
         .summary = "One bit chooses the source to be identified.",                                          \
         .spec = "SYS-21"},                                                                                  \
        ENABLES("RENDER_COPY_INTR_ENABLE", 0x190030,                                                         \
                "Render (31:16) and copy (15:0) interrupts that may become pending."),                       \
        ENABLES("VCS_VECS_INTR_ENABLE", 0x190034,                                                            \
                "Video (31:16) and enhancement (15:0) interrupts that may become pending."),                 \
        ENABLES("GUC_SG_INTR_ENABLE", 0x190038,                                                              \
                "GuC (31:16) and semaphore (15:0) interrupts that may become pending."),                     \
        ENABLES("GPM_WGBOXPERF_INTR_ENABLE", 0x19003c,                                                       \
                "Power management (31:16) and observation (15:0) interrupts that may become pending."),      \
        ENABLES("CRYPTO_RSVD_INTR_ENABLE", 0x190040,                                                         \
                "Encryption (31:16) interrupts that may become pending."),                                   \
        ENABLES("GUNIT_CSME_INTR_ENABLE", 0x190044,                                                          \
                "Gunit (31:16) and security engine (15:0) interrupts that may become pending."),             \
        ENABLES("CCS_RSVD_INTR_ENABLE", 0x190048, "Compute (31:16) interrupts that may become pending."),    \
        MASKS("RCS0_RSVD_INTR_MASK", 0x190090, "Render interrupts (31:16) kept back."),                      \
        MASKS("BCS_RSVD_INTR_MASK", 0x1900a0, "Copy interrupts (31:16) kept back."),                         \
        MASKS("VCS0_VCS1_INTR_MASK", 0x1900a8, "Interrupts of video 0 (31:16) and 1 (15:0) kept back."),     \
        MASKS("VCS2_VCS3_INTR_MASK", 0x1900ac, "Interrupts of video 2 (31:16) and 3 (15:0) kept back."),     \
        MASKS("VCS4_VCS5_INTR_MASK", 0x1900b0, "Interrupts of video 4 (31:16) and 5 (15:0) kept back."),     \
        MASKS("VCS6_VCS7_INTR_MASK", 0x1900b4, "Interrupts of video 6 (31:16) and 7 (15:0) kept back."),     \
        MASKS("VECS0_VECS1_INTR_MASK", 0x1900d0,                                                             \
              "Interrupts of enhancement 0 (31:16) and 1 (15:0) kept back."),                                \
        MASKS("VECS2_VECS3_INTR_MASK", 0x1900d4,                                                             \
              "Interrupts of enhancement 2 (31:16) and 3 (15:0) kept back."),                                \
        MASKS("HECI2_RSVD_INTR_MASK", 0x1900e4, "Further interrupts kept back."),                            \
        MASKS("GUC_SG_INTR_MASK", 0x1900e8, "GuC (31:16) and semaphore (15:0) interrupts kept back."),       \
        MASKS("GPM_WGBOXPERF_INTR_MASK", 0x1900ec,                                                           \
              "Power management (31:16) and observation (15:0) interrupts kept back."),                      \
        MASKS("CRYPTO_RSVD_INTR_MASK", 0x1900f0, "Encryption (31:16) interrupts kept back."),                \
        MASKS("GUNIT_CSME_INTR_MASK", 0x1900f4,                                                              \
              "Gunit (31:16) and security engine (15:0) interrupts kept back."),                             \
        MASKS("CCS0_CCS1_INTR_MASK", 0x190100, "Interrupts of compute 0 (31:16) and 1 (15:0) kept back."),   \
        MASKS("CCS2_CCS3_INTR_MASK", 0x190104, "Interrupts of compute 2 (31:16) and 3 (15:0) kept back.")

static const struct reg rows[] = {COMMON_ROWS};
static const struct reg gen200_rows[] = {
    COMMON_ROWS, MASKS("BCS8_INTR_MASK", 0x19011c, "Interrupts of the ninth copy engine (31:16) kept back.")};

static const struct register_block block = REGISTER_BLOCK("interrupt", rows),
                                   gen200_block = REGISTER_BLOCK("interrupt", gen200_rows);

#define INTERRUPTS(registers)                                                                                \
    {                                                                                                        \
        .block = &(registers), .raise = gen125_raise, .asserted = gen125_asserted,                           \
        .display_block = &gen11_display_interrupts, .display_asserted = display_asserted                     \
    }
const struct interrupt_info gen125_interrupts = INTERRUPTS(block),
                            gen200_interrupts = INTERRUPTS(gen200_block);
