/*
 * Message types by shared function and message descriptor, and their text. Layouts: Intel's graphics
 * assembler (Backend/Messages) and Mesa's brw_eu.h. The words are the assembler's where it has some.
 */
#include "isa/message_types.h"
#include "isa/message_units.h"

struct eu_message eu_message(const struct eu_isa *set, const struct eu_instruction *i)
{
    const uint32_t *v = i->value;
    struct eu_message m = {
        .sfid = (uint8_t)v[EU_CONDITION],
        .descriptor = v[EU_DESCRIPTOR],
        .ex_descriptor = v[EU_EXTENDED],
        .descriptor_in_register = v[EU_DESCRIPTOR_IN_REGISTER],
        .ex_descriptor_in_register = v[EU_EXTENDED_IN_REGISTER],
        .ex_subregister = (uint8_t)v[EU_EXTENDED_SUBREGISTER],
        .lengths = {-1, -1, (int)v[EU_SRC1_LENGTH]},
    };
    if (set->gen6_encoding)
        m.ex_descriptor |= v[EU_SRC1_LENGTH] << 6 | v[EU_EOT] << 5 | m.sfid;
    else if (set->src1_length_in_ex_descriptor)
        m.lengths[2] = (int)(m.ex_descriptor >> 6 & 0x1f);
    if (!m.descriptor_in_register) {
        m.lengths[0] = (int)(m.descriptor >> 20 & 0x1f);
        m.lengths[1] = (int)(m.descriptor >> 25 & 0xf);
    }
    /* Bits 18:16 have a0's subregister, bit 15 may have ExBSO. */
    if (set->gen200_encoding && m.ex_descriptor_in_register) {
        const unsigned low = m.sfid == SFID_UGM ? 5 : 4;
        const uint32_t beside = v[EU_EXTENDED_BESIDE_REGISTER];
        m.ex_descriptor = (beside & ((1u << low) - 1u)) << 11 | beside >> low << 19;
    }
    /* The length is known to be zero if there is no second payload. */
    if (m.ex_descriptor_in_register && !v[EU_EX_BSO])
        m.lengths[2] = v[EU_SRC1_FILE] || v[EU_SRC1_REGISTER] ? -1 : 0;
    else if (set->has_lsc && !v[EU_SRC1_FILE] && !v[EU_SRC1_REGISTER])
        m.lengths[2] = 0;
    return m;
}

const char *eu_sfid_name(const struct eu_isa *set, unsigned function)
{
    static const char *const names[2][16] = {{"null", "?", "smpl", "gtwy", "dc2", "rc", "urb", "ts", "vme",
                                              "dcro", "dc0", "pixi", "dc1", "cre", "?", "?"},
                                             {"null", "ugml", "smpl", "gtwy", "dc2", "rc", "urb", "btd",
                                              "rta", "dcro", "dc0", "pixi", "dc1", "tgm", "slm", "ugm"}};
    return names[set->has_lsc][function & 15u];
}

/* ---- Rows ---- */

/* Elements of a message's text. Each comes from the bits of the descriptor that are named here. */
enum part {
    PART_END,
    PART_CHANNELS,      /* 11:8: a set bit disables a channel */
    PART_SLOTS,         /* 13:12 */
    PART_ATOMIC,        /* 11:8 */
    PART_FLOAT,         /* 10:8 */
    PART_HALF,          /* 10:8 */
    PART_BYTES,         /* 11:10 */
    PART_DWORDS,        /* 11:10; one dword: no text */
    PART_OWORDS,        /* 10:8 */
    PART_HWORDS,        /* 10:8 */
    PART_SCRATCH,       /* 13:12 */
    PART_OVERRIDE,      /* 10 */
    PART_RETURNS,       /* 13 */
    PART_SURFACE,       /* 7:0 */
    PART_TARGET,        /* 12, 11, 18 */
    PART_PER_SLOT,      /* 17 */
    PART_PER_SLOT_GEN7, /* 16 */
    PART_COORDINATES,   /* from the length of the payload */
    PART_TARGET_GEN200, /* 18, 13:11 and 7:0, and 23:12 of the extended descriptor */
};

/* A message type of some generations. */
struct message_row {
    uint16_t generations;
    uint8_t function;     /* enum eu_sfid */
    uint32_t match, mask; /* of the descriptor */
    const char *text;
    uint8_t kind; /* enum eu_message_kind */
    uint8_t parts[3];
};

#define ROW(where, set, ...)                                                                                 \
    {                                                                                                        \
        .function = SFID_##where, .generations = (set), __VA_ARGS__                                          \
    }
/* A message of a data port: the type is in bits 18:14. Up to Gen7.5 bit 18 marks accesses of scratch memory.
 */
#define PORT_OF(set, where, number, words, what, ...)                                                        \
    {                                                                                                        \
        .function = SFID_##where, .generations = (set), .match = (number) << 14, .mask = 0x1f << 14,         \
        .text = (words), .kind = MESSAGE_##what, .parts = {                                                  \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define PORT(where, number, words, what, ...) PORT_OF(GEN8_125, where, number, words, what, __VA_ARGS__)
/* The same, with more bits in the match. */
#define KIND_OF(set, where, number, bits, which, words, what, ...)                                           \
    {                                                                                                        \
        .function = SFID_##where, .generations = (set), .match = (number) << 14 | (which),                   \
        .mask = 0x1f << 14 | (bits), .text = (words), .kind = MESSAGE_##what, .parts = {                     \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define KIND(where, number, bits, which, words, what, ...)                                                   \
    KIND_OF(GEN8_125, where, number, bits, which, words, what, __VA_ARGS__)

/* The data ports before the load and store units, which are all that Gen20 has. */
enum {
    GEN8_125 = EU_GEN8_UP & ~EU_GEN200,
    GEN75_125 = EU_GEN75 | GEN8_125,
    GEN7_125 = EU_GEN7_75 | GEN8_125,
};

static const struct message_row rows[] = {
    /* Untyped, typed and block accesses, atomics. */
    PORT_OF(GEN75_125, DC1, 0x01, "untyped surface read", UNTYPED_READ, PART_CHANNELS),
    PORT_OF(GEN75_125, DC1, 0x02, "untyped atomic int32", UNTYPED_ATOMIC, PART_ATOMIC),
    PORT_OF(EU_GEN75, DC1, 0x03, "untyped atomic SIMD4x2", UNTYPED_ATOMIC, PART_ATOMIC),
    PORT(DC1, 0x03, "untyped atomic int16", UNTYPED_ATOMIC_16, PART_ATOMIC),
    PORT_OF(GEN75_125, DC1, 0x04, "media block read", MEDIA_READ, PART_OVERRIDE),
    PORT_OF(GEN75_125, DC1, 0x05, "typed surface read", TYPED_READ, PART_SLOTS, PART_CHANNELS,
            PART_COORDINATES),
    PORT_OF(GEN75_125, DC1, 0x06, "typed atomic 32-bit integer", TYPED_ATOMIC, PART_ATOMIC),
    PORT(DC1, 0x07, "typed atomic 16-bit integer", TYPED_ATOMIC_16, PART_ATOMIC, PART_COORDINATES),
    PORT_OF(GEN75_125, DC1, 0x09, "untyped surface write", UNTYPED_WRITE, PART_CHANNELS),
    PORT_OF(GEN75_125, DC1, 0x0a, "media block write", MEDIA_WRITE, PART_OVERRIDE),
    PORT(DC1, 0x0b, "typed atomic 32-bit counter", UNKNOWN, PART_ATOMIC),
    PORT(DC1, 0x0c, "typed atomic 16-bit counter", UNKNOWN, PART_ATOMIC),
    PORT_OF(GEN75_125, DC1, 0x0d, "typed surface write", TYPED_WRITE, PART_SLOTS, PART_CHANNELS,
            PART_COORDINATES),
    KIND(DC1, 0x10, 0x300, 0x000, "a64 byte gathering read", A64_GATHER, PART_BYTES),
    KIND(DC1, 0x10, 0x300, 0x100, "a64 dword gathering read", A64_GATHER, 0),
    KIND(DC1, 0x10, 0x300, 0x200, "a64 qword gathering read", A64_GATHER, 0),
    PORT(DC1, 0x11, "a64 untyped surface read", A64_READ, PART_CHANNELS),
    KIND(DC1, 0x12, 0x1000, 0x0000, "untyped a64 atomic int32", A64_ATOMIC, PART_ATOMIC),
    KIND(DC1, 0x12, 0x1000, 0x1000, "untyped a64 atomic int64", A64_ATOMIC, PART_ATOMIC),
    PORT(DC1, 0x13, "untyped a64 atomic int16", A64_ATOMIC_16, PART_ATOMIC),
    KIND(DC1, 0x14, 0x1800, 0x0000, "a64 unaligned oword block read", A64_BLOCK_READ, PART_OWORDS),
    KIND(DC1, 0x14, 0x1800, 0x0800, "a64 aligned oword block read", A64_BLOCK_READ, PART_OWORDS),
    KIND(DC1, 0x14, 0x1800, 0x1800, "a64 unaligned hword block read", A64_BLOCK_READ, PART_HWORDS),
    KIND(DC1, 0x15, 0x1800, 0x0000, "a64 unaligned oword block write", A64_BLOCK_WRITE, PART_OWORDS),
    KIND(DC1, 0x15, 0x1800, 0x0800, "a64 aligned oword block write", A64_BLOCK_WRITE, PART_OWORDS),
    KIND(DC1, 0x15, 0x1800, 0x1800, "a64 unaligned hword block write", A64_BLOCK_WRITE, PART_HWORDS),
    PORT(DC1, 0x19, "a64 untyped surface write", A64_WRITE, PART_CHANNELS),
    KIND(DC1, 0x1a, 0x300, 0x000, "a64 byte scattering write", A64_SCATTER, PART_BYTES),
    KIND(DC1, 0x1a, 0x300, 0x100, "a64 dword scattering write", A64_SCATTER, 0),
    KIND(DC1, 0x1a, 0x300, 0x200, "a64 qword scattering write", A64_SCATTER, 0),
    PORT(DC1, 0x1b, "float atomic", FLOAT_ATOMIC, PART_FLOAT, PART_RETURNS),
    ROW(DC1, EU_GEN12_125, .match = 0x1c << 14, .mask = 0x1f << 14, .text = "untyped half-float atomic",
        .kind = MESSAGE_FLOAT_ATOMIC_16, .parts = {PART_HALF, PART_RETURNS}),
    PORT(DC1, 0x1d, "a64 float atomic", A64_FLOAT_ATOMIC, PART_FLOAT, PART_RETURNS),
    ROW(DC1, EU_GEN12_125, .match = 0x1e << 14, .mask = 0x1f << 14, .text = "a64 untyped half-float atomic",
        .kind = MESSAGE_A64_FLOAT_ATOMIC_16, .parts = {PART_HALF, PART_RETURNS}),

    PORT_OF(GEN7_125, DC0, 0x00, "oword block read", BLOCK_READ, PART_OWORDS),
    KIND_OF(GEN7_125, DC0, 0x01, 0x2000, 0x0000, "oword aligned block read", UNALIGNED_BLOCK_READ,
            PART_OWORDS),
    KIND(DC0, 0x01, 0x2000, 0x2000, "hword aligned block read", UNALIGNED_BLOCK_READ, PART_HWORDS),
    PORT_OF(GEN7_125, DC0, 0x02, "oword dual block read", DUAL_BLOCK_READ, 0),
    PORT_OF(GEN7_125, DC0, 0x03, "dword gathering read", DWORD_GATHER, PART_DWORDS),
    PORT_OF(GEN7_125, DC0, 0x04, "byte gathering read", BYTE_GATHER, PART_BYTES),
    PORT(DC0, 0x05, "qword gathering read", QWORD_GATHER, 0),
    KIND_OF(GEN7_125, DC0, 0x07, 0x20ff, 0x20fe, "synchronized SLM fence", FENCE, 0),
    KIND_OF(GEN7_125, DC0, 0x07, 0x20ff, 0x00fe, "SLM fence", FENCE, 0),
    KIND_OF(GEN7_125, DC0, 0x07, 0x20ff, 0x2000, "synchronized global fence flushing", FENCE, 0),
    KIND_OF(GEN7_125, DC0, 0x07, 0x20ff, 0x0000, "global fence flushing", FENCE, 0),
    PORT_OF(GEN7_125, DC0, 0x08, "oword block write", BLOCK_WRITE, PART_OWORDS),
    PORT(DC0, 0x09, "hword aligned block write", UNALIGNED_BLOCK_WRITE, PART_OWORDS),
    PORT_OF(GEN7_125, DC0, 0x0a, "oword dual block write", DUAL_BLOCK_WRITE, 0),
    PORT_OF(GEN7_125, DC0, 0x0b, "dword scattering write", DWORD_SCATTER, PART_DWORDS),
    PORT_OF(GEN7_125, DC0, 0x0c, "byte scattering write", BYTE_SCATTER, PART_BYTES),
    PORT(DC0, 0x0d, "qword scattering write", QWORD_SCATTER, 0),
    ROW(DC0, GEN7_125, .match = 0x40000, .mask = 0x60000, .text = "hword scratch block read",
        .kind = MESSAGE_SCRATCH_READ, .parts = {PART_SCRATCH}),
    ROW(DC0, GEN7_125, .match = 0x60000, .mask = 0x60000, .text = "hword scratch block write",
        .kind = MESSAGE_SCRATCH_WRITE, .parts = {PART_SCRATCH}),

    PORT_OF(GEN7_125, DC_READ_ONLY, 0x00, "constant oword block read", BLOCK_READ, PART_OWORDS),
    PORT_OF(GEN7_125, DC_READ_ONLY, 0x01, "constant aligned oword block read", UNALIGNED_BLOCK_READ,
            PART_OWORDS),
    PORT_OF(EU_GEN7_75, DC_READ_ONLY, 0x02, "constant oword dual block read", DUAL_BLOCK_READ, 0),
    PORT_OF(EU_GEN7_75, DC2, 0x00, "sampler oword block read", BLOCK_READ, PART_OWORDS),
    PORT_OF(EU_GEN7_75, DC2, 0x02, "sampler oword dual block read", DUAL_BLOCK_READ, 0),
    PORT_OF(GEN7_125, DC_READ_ONLY, 0x03, "constant dword gathering read", DWORD_GATHER, 0),

    /* Gen7 has one data cache port; typed accesses are of the render cache. That has media blocks on Gen7.5,
       too. */
    PORT_OF(EU_GEN7, DC0, 0x05, "untyped surface read", UNTYPED_READ, PART_CHANNELS),
    PORT_OF(EU_GEN7, DC0, 0x06, "untyped atomic int32", UNTYPED_ATOMIC, PART_ATOMIC),
    PORT_OF(EU_GEN7, DC0, 0x0d, "untyped surface write", UNTYPED_WRITE, PART_CHANNELS),
    PORT_OF(EU_GEN7_75, RENDER_CACHE, 0x04, "media block read", MEDIA_READ, PART_OVERRIDE),
    PORT_OF(EU_GEN7, RENDER_CACHE, 0x05, "typed surface read", TYPED_READ, PART_SLOTS, PART_CHANNELS,
            PART_COORDINATES),
    PORT_OF(EU_GEN7, RENDER_CACHE, 0x06, "typed atomic 32-bit integer", TYPED_ATOMIC, PART_ATOMIC),
    PORT_OF(EU_GEN7, RENDER_CACHE, 0x07, "render cache fence", FENCE, 0),
    PORT_OF(EU_GEN7_75, RENDER_CACHE, 0x0a, "media block write", MEDIA_WRITE, PART_OVERRIDE),
    PORT_OF(EU_GEN7, RENDER_CACHE, 0x0d, "typed surface write", TYPED_WRITE, PART_SLOTS, PART_CHANNELS,
            PART_COORDINATES),

/* Render targets. From Gen11 on bit 18 is no part of the type: the message has coarse pixels. */
#define TARGET_OF(set, type, number, which, words, what)                                                     \
    ROW(RENDER_CACHE, set, .match = (number) << 14 | (which), .mask = (type) << 14 | 0x700,                  \
        .text = "full-precision render target " words, .kind = MESSAGE_##what,                               \
        .parts = {PART_TARGET, PART_SURFACE})
#define TARGET(...)                                                                                          \
    TARGET_OF(EU_GEN7_75 | EU_GEN8_9, 0x1f, __VA_ARGS__), TARGET_OF(EU_GEN11 | EU_GEN12_125, 0xf, __VA_ARGS__)
    TARGET(0x0c, 0x000, "write SIMD16", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x100, "write replicated SIMD16", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x200, "write dual source SIMD8 low", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x300, "write dual source SIMD8 high", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x400, "write SIMD8", RENDER_TARGET_WRITE),
    TARGET(0x0d, 0x000, "read SIMD16", RENDER_TARGET_READ),
    TARGET(0x0d, 0x100, "read SIMD8", RENDER_TARGET_READ),

    /* Messages without memory access, and the URB. */
    ROW(GATEWAY, GEN7_125, .match = 0, .mask = 7, .text = "end of thread", .kind = MESSAGE_END_OF_THREAD),
    ROW(GATEWAY, GEN7_125, .match = 1, .mask = 7, .text = "signal event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, GEN7_125, .match = 2, .mask = 7, .text = "monitor event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, GEN7_125, .match = 3, .mask = 7, .text = "unmonitor event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, GEN7_125, .match = 4, .mask = 7, .text = "signal barrier", .kind = MESSAGE_BARRIER),
    ROW(GATEWAY, GEN7_125, .match = 6, .mask = 7, .text = "wait for event", .kind = MESSAGE_EVENT),
    ROW(THREAD_SPAWNER, GEN7_125 & ~EU_GEN125, .match = 0, .mask = 1, .text = "end of thread",
        .kind = MESSAGE_END_OF_THREAD),
    ROW(PIXEL_INTERPOLATOR, GEN7_125, .match = 0 << 12, .mask = 3 << 12, .text = "per message offset",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(PIXEL_INTERPOLATOR, GEN7_125, .match = 1 << 12, .mask = 3 << 12, .text = "sample position",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(PIXEL_INTERPOLATOR, GEN7_125, .match = 2 << 12, .mask = 3 << 12, .text = "centroid",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(PIXEL_INTERPOLATOR, GEN7_125, .match = 3 << 12, .mask = 3 << 12, .text = "per slot offset",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(URB, GEN8_125, .match = 0, .mask = 15, .text = "urb hword write", .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 1, .mask = 15, .text = "urb oword write", .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 2, .mask = 15, .text = "urb hword read", .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 3, .mask = 15, .text = "urb oword read", .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 4, .mask = 15, .text = "urb atomic move"),
    ROW(URB, GEN8_125, .match = 5, .mask = 15, .text = "urb atomic increment"),
    ROW(URB, GEN8_125, .match = 6, .mask = 15, .text = "urb atomic add"),
    ROW(URB, GEN8_125, .match = 0x8007, .mask = 0x800f, .text = "urb dword masked write",
        .kind = MESSAGE_URB_WRITE, .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 7, .mask = 15, .text = "urb dword write", .kind = MESSAGE_URB_WRITE,
        .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 8, .mask = 15, .text = "urb dword read", .kind = MESSAGE_URB_READ,
        .parts = {PART_PER_SLOT}),
    ROW(URB, GEN8_125, .match = 9, .mask = 15, .text = "urb fence", .kind = MESSAGE_FENCE),

    /* Gen7: a handle for each of two vertices, in the header. (IVB PRM vol 4 part 1) */
    ROW(URB, EU_GEN7_75, .match = 0, .mask = 7, .text = "urb hword write", .kind = MESSAGE_URB_HANDLES_WRITE,
        .parts = {PART_PER_SLOT_GEN7}),
    ROW(URB, EU_GEN7_75, .match = 1, .mask = 7, .text = "urb oword write", .kind = MESSAGE_URB_HANDLES_WRITE,
        .parts = {PART_PER_SLOT_GEN7}),
    ROW(URB, EU_GEN7_75, .match = 2, .mask = 7, .text = "urb hword read", .kind = MESSAGE_URB_HANDLES_READ,
        .parts = {PART_PER_SLOT_GEN7}),
    ROW(URB, EU_GEN7_75, .match = 3, .mask = 7, .text = "urb oword read", .kind = MESSAGE_URB_HANDLES_READ,
        .parts = {PART_PER_SLOT_GEN7}),
    ROW(URB, EU_GEN7_75, .match = 4, .mask = 7, .text = "urb atomic move"),
    ROW(URB, EU_GEN7_75, .match = 5, .mask = 7, .text = "urb atomic increment"),
    ROW(URB, EU_GEN7_75, .match = 6, .mask = 7, .text = "urb atomic add"),

/* Gen6: all data ports have one descriptor layout, and the URB is written by handles. (SNB PRM vol 4 part 1)
 */
#define GEN6_PORT(where, number, words, what, ...)                                                           \
    ROW(where, EU_GEN6, .match = (number) << 13, .mask = 0xf << 13, .text = (words), .kind = MESSAGE_##what, \
        .parts = {__VA_ARGS__})
#define GEN6_TARGET(which, words)                                                                            \
    ROW(RENDER_CACHE, EU_GEN6, .match = 12 << 13 | (which), .mask = 0xf << 13 | 0x700,                       \
        .text = "full-precision render target write " words, .kind = MESSAGE_RENDER_TARGET_WRITE,            \
        .parts = {PART_TARGET, PART_SURFACE})
    GEN6_TARGET(0x000, "SIMD16"),
    GEN6_TARGET(0x100, "replicated SIMD16"),
    GEN6_TARGET(0x200, "dual source SIMD8 low"),
    GEN6_TARGET(0x300, "dual source SIMD8 high"),
    GEN6_TARGET(0x400, "SIMD8"),
    GEN6_PORT(RENDER_CACHE, 0, "oword block read", BLOCK_READ, PART_OWORDS),
    GEN6_PORT(RENDER_CACHE, 2, "oword dual block read", DUAL_BLOCK_READ, 0),
    GEN6_PORT(RENDER_CACHE, 8, "oword block write", BLOCK_WRITE, PART_OWORDS),
    GEN6_PORT(RENDER_CACHE, 9, "oword dual block write", DUAL_BLOCK_WRITE, 0),
    GEN6_PORT(RENDER_CACHE, 13, "streamed vertex buffer write", SVB_WRITE, PART_SURFACE),
    GEN6_PORT(DC2, 0, "sampler oword block read", BLOCK_READ, PART_OWORDS),
    GEN6_PORT(DC2, 2, "sampler oword dual block read", DUAL_BLOCK_READ, 0),
    GEN6_PORT(DC_READ_ONLY, 0, "constant oword block read", BLOCK_READ, PART_OWORDS),
    GEN6_PORT(DC_READ_ONLY, 2, "constant oword dual block read", DUAL_BLOCK_READ, 0),
    ROW(URB, EU_GEN6, .match = 0, .mask = 15, .text = "urb write", .kind = MESSAGE_URB_VERTEX),
    ROW(URB, EU_GEN6, .match = 1, .mask = 15, .text = "ff_sync", .kind = MESSAGE_FF_SYNC),

    /* Gen20. A render target write has no header. */
    ROW(RENDER_CACHE, EU_GEN200, .match = 0x0c << 14, .mask = 0xf << 14 | 0x700, .text = "render write",
        .kind = MESSAGE_RENDER_TARGET_WRITE, .parts = {PART_TARGET_GEN200}),
    ROW(RENDER_CACHE, EU_GEN200, .match = 0x0c << 14 | 0x100, .mask = 0xf << 14 | 0x700,
        .text = "render write SIMD32", .kind = MESSAGE_RENDER_TARGET_WRITE, .parts = {PART_TARGET_GEN200}),
    ROW(RENDER_CACHE, EU_GEN200, .match = 0x0c << 14 | 0x200, .mask = 0xf << 14 | 0x700,
        .text = "render write dual", .kind = MESSAGE_RENDER_TARGET_WRITE, .parts = {PART_TARGET_GEN200}),
    ROW(RENDER_CACHE, EU_GEN200, .match = 0x0d << 14, .mask = 0xf << 14 | 0x600, .text = "render read",
        .kind = MESSAGE_RENDER_TARGET_READ, .parts = {PART_TARGET_GEN200}),
    ROW(GATEWAY, EU_GEN200, .match = 0, .mask = 15, .text = "end of thread", .kind = MESSAGE_END_OF_THREAD),
    ROW(GATEWAY, EU_GEN200, .match = 1, .mask = 15, .text = "signal event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN200, .match = 2, .mask = 15, .text = "monitor event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN200, .match = 3, .mask = 15, .text = "unmonitor event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN200, .match = 4, .mask = 15, .text = "signal barrier", .kind = MESSAGE_BARRIER),
    ROW(GATEWAY, EU_GEN200, .match = 6, .mask = 15, .text = "wait for event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN200, .match = 8, .mask = 15, .text = "save barrier"),
    ROW(GATEWAY, EU_GEN200, .match = 9, .mask = 15, .text = "restore barrier"),
    ROW(GATEWAY, EU_GEN200, .match = 10, .mask = 15, .text = "end of thread replay"),
    ROW(GATEWAY, EU_GEN200, .match = 11, .mask = 15, .text = "restore stack"),
    ROW(GATEWAY, EU_GEN200, .match = 12, .mask = 15, .text = "system routine barrier"),
    ROW(THREAD_SPAWNER, EU_GEN200, .match = 1 << 14 | 0x100, .mask = 0xf << 14 | 0x100,
        .text = "bindless simd16 spawn thread"),
    ROW(THREAD_SPAWNER, EU_GEN200, .match = 2 << 14 | 0x100, .mask = 0xf << 14 | 0x100,
        .text = "bindless simd16 spawn thread overdispatched"),
    ROW(VME, EU_GEN200, .match = 0x100, .mask = 0xf << 14 | 0x100, .text = "simd16 trace ray"),
};

static const struct message_row *find_row(const struct eu_isa *set, unsigned function, uint32_t descriptor)
{
    for (const struct message_row *r = rows; r < rows + sizeof rows / sizeof rows[0]; r++)
        if (r->function == function && r->generations & set->generation && (descriptor & r->mask) == r->match)
            return r;
    return NULL;
}

enum eu_message_kind eu_message_kind(const struct eu_isa *set, unsigned function, uint32_t descriptor)
{
    if (eu_is_load_store(set, function))
        return MESSAGE_LSC;
    if (function == SFID_SAMPLER)
        return MESSAGE_SAMPLER;
    const struct message_row *const r = find_row(set, function, descriptor);
    return r ? (enum eu_message_kind)r->kind : MESSAGE_UNKNOWN;
}

bool eu_message_is_known(const struct eu_isa *set, unsigned function, uint32_t descriptor)
{
    const bool spawns = function == SFID_THREAD_SPAWNER && !set->has_lsc && (descriptor & 1u);
    return eu_message_kind(set, function, descriptor) != MESSAGE_UNKNOWN || spawns ||
           function == SFID_SAMPLER ||
           (!set->lsc_only &&
            (function == SFID_DC2 || function == SFID_VME || function == SFID_PIXEL_INTERPOLATOR)) ||
           find_row(set, function, descriptor);
}

static const char *const atomics[16] = {"64b integer compare and swap",
                                        "logical AND",
                                        "logical OR",
                                        "logical XOR",
                                        "store",
                                        "integer increment",
                                        "integer decrement",
                                        "integer add",
                                        "integer subtract",
                                        "commuted integer subtract",
                                        "signed-integer max",
                                        "signed-integer min",
                                        "unsigned-integer max",
                                        "unsigned-integer min",
                                        "integer compare and swap",
                                        "integer pre-decrement (returns pre-decrement value)"};

static const char *const floats[8] = {
    "?",         "max (32b)",      "min (32b)",     "fp-compare and swap  (32b)",
    "add (32b)", "subtract (32b)", "64b add (64b)", "64b subtract (64b)"};

static const char *const halves[8] = {
    "?",         "max (16b)",      "min (16b)",     "fp-compare and swap  (16b)",
    "add (16b)", "subtract (16b)", "64b add (64b)", "64b subtract (64b)"};

static void words(struct text *t, const char *string)
{
    text_char(t, ' ');
    text_string(t, string);
}

static void times(struct text *t, unsigned count)
{
    text_string(t, " x");
    text_decimal(t, count);
}

static void write_target_gen200(const struct eu_message *m, struct text *t)
{
    static const char *const with[4] = {".om", ".sz", ".stncl", ".s0a"};
    const uint32_t d = m->descriptor, x = m->ex_descriptor;
    const bool writes = (d >> 14 & 15u) == 12;
    if (writes && d >> 18 & 1u)
        text_string(t, "  per-sample outputs coarse pixel shading");
    if (d >> 13 & 1u)
        text_string(t, "  per-sample pixel shading");
    if (d >> 12 & 1u)
        text_string(t, "  last render target select");
    if (d >> 11 & 1u)
        words(t, "slot group high16");
    words(t, "to bti[");
    text_decimal(t, d & 0xff);
    text_char(t, ']');
    if (!writes)
        return;
    text_string(t, ".rti[");
    text_decimal(t, x >> 21 & 7u);
    text_char(t, ']');
    if (x >> 12 & 15u)
        words(t, "with ex params ");
    for (unsigned n = 4; n-- > 0;)
        if (x >> (12u + n) & 1u)
            text_string(t, with[n]);
}

static void write_part(enum part part, const struct eu_message *m, struct text *t)
{
    static const uint8_t owords[8] = {1, 1, 2, 4, 8, 16};
    static const char *const sizes[4] = {"8b", "16b", "32b", ""}, *const coordinates[5] = {
                                                                      "?", "u", "u,v", "u,v,r", "u,v,r,lod"};
    const uint32_t d = m->descriptor;
    switch (part) {
    case PART_CHANNELS:
        text_string(t, " with ");
        for (unsigned n = 0; n < 4; n++)
            if (!(d >> (8u + n) & 1u))
                text_char(t, "xyzw"[n]);
        break;
    case PART_SLOTS:
        if ((d >> 12 & 3u) == 2)
            words(t, "(high slot group)");
        break;
    case PART_ATOMIC:
        words(t, atomics[d >> 8 & 15u]);
        break;
    case PART_FLOAT:
        words(t, floats[d >> 8 & 7u]);
        break;
    case PART_HALF:
        words(t, halves[d >> 8 & 7u]);
        break;
    case PART_BYTES:
        if ((d >> 10 & 3u) < 3)
            words(t, sizes[d >> 10 & 3u]);
        break;
    case PART_DWORDS:
        if (d >> 10 & 3u)
            times(t, 1u << (d >> 10 & 3u));
        break;
    case PART_OWORDS:
        times(t, owords[d >> 8 & 7u]);
        break;
    case PART_HWORDS:
        times(t, 1u << (d >> 8 & 7u));
        break;
    case PART_SCRATCH:
        times(t, 1u << (d >> 12 & 3u));
        break;
    case PART_OVERRIDE:
        if (d >> 10 & 1u)
            words(t, "with vertical line stride override and offset");
        break;
    case PART_RETURNS:
        if (d >> 13 & 1u)
            words(t, "with return");
        break;
    case PART_TARGET:
        if (d >> 12 & 1u)
            text_string(t, "; last render target");
        if (d >> 11 & 1u)
            words(t, "slot group high");
        if (d >> 18 & 1u)
            words(t, "per coarse pixel");
        break;
    case PART_PER_SLOT:
    case PART_PER_SLOT_GEN7:
        if (d >> (part == PART_PER_SLOT ? 17 : 16) & 1u)
            words(t, "with per-slot offset enabled");
        break;
    case PART_SURFACE:
        words(t, "to surface ");
        text_decimal(t, d & 0xff);
        break;
    case PART_COORDINATES:
        if (m->lengths[1] > 4)
            break;
        text_string(t, "; ");
        text_string(t, coordinates[m->lengths[1]]);
        break;
    case PART_TARGET_GEN200:
        write_target_gen200(m, t);
        break;
    default:
        break;
    }
}

/* ---- Text ---- */

static void length(struct text *t, int count, unsigned subregister, const char *bits)
{
    if (count >= 0) {
        text_decimal(t, (uint64_t)count);
        return;
    }
    text_string(t, "a0.");
    text_decimal(t, subregister);
    text_string(t, bits);
}

void eu_disassemble_message(const struct eu_isa *set, const struct eu_instruction *i, struct text *t)
{
    static const char *const names[16] = {"null",    "?",       "sampler", "gateway",  "hdc.dc2", "hdc.rc",
                                          "hdc.urb", "spawner", "vme",     "hdc.dcro", "hdc.dc0", "pi",
                                          "hdc.dc1", "cre",     "?",       "?"};
    const struct eu_message m = eu_message(set, i);
    const bool units = eu_is_load_store(set, m.sfid);
    const unsigned subregister = i->value[EU_EXTENDED_SUBREGISTER];
    text_string(t, "wr:");
    length(t, m.lengths[1], 0, "[28:25]");
    if (!m.descriptor_in_register && (m.descriptor >> 19 & 1u) && !units)
        text_char(t, 'h');
    text_char(t, '+');
    length(t, m.lengths[2], subregister, "[10:6]");
    text_string(t, ", rd:");
    length(t, m.lengths[0], 0, "[24:20]");
    if (set->gen6_encoding && m.ex_descriptor_in_register) {
        text_string(t, "; sfid a0.");
        text_decimal(t, subregister);
        text_string(t, "[3:0]");
    } else if (set->gen6_encoding) {
        text_string(t, "; ");
        text_string(t, names[m.sfid & 15u]);
    }
    if (m.descriptor_in_register)
        return;
    text_string(t, "; ");
    if (units) {
        eu_write_load_store(set, &m, eu_channels(i), t);
        return;
    }
    if (m.sfid == SFID_SAMPLER) {
        eu_write_sample(set, &m, t);
        return;
    }
    const struct message_row *const r = find_row(set, m.sfid, m.descriptor);
    text_string(t, r ? r->text : "?");
    for (unsigned n = 0; r && n < 3 && r->parts[n]; n++)
        write_part((enum part)r->parts[n], &m, t);
}

/* ---- Listing ---- */

bool eu_message_type(const struct eu_isa *set, unsigned number, struct eu_message_type *type)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    *type = (struct eu_message_type){0};
    if (number < ROWS) {
        const struct message_row *const r = &rows[number];
        if (find_row(set, r->function, r->match) == r) /* no earlier row has its descriptor */
            *type = (struct eu_message_type){r->text, eu_sfid_name(set, r->function), 1u << r->function,
                                             r->match, r->mask};
        return true;
    }
    return eu_unit_message_type(set, number - ROWS, type);
}
