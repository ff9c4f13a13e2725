/*
 * Message types by shared function and message descriptor, and their text. Layouts: Intel's graphics
 * assembler (Backend/Messages) and Mesa's brw_eu.h. The words are the assembler's where it has some.
 */
#include "isa/message_types.h"

struct eu_message eu_message(const struct eu_isa *set, const struct eu_instruction *i)
{
    const uint32_t *v = i->value;
    struct eu_message m = {
        .sfid = (uint8_t)v[EU_CONDITION],
        .descriptor = v[EU_DESCRIPTOR],
        .ex_descriptor = v[EU_EXTENDED],
        .descriptor_in_register = v[EU_DESCRIPTOR_IN_REGISTER],
        .ex_descriptor_in_register = v[EU_EXTENDED_IN_REGISTER],
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
    /* The length is known to be zero if there is no second payload. */
    if (m.ex_descriptor_in_register && !v[EU_EX_BSO])
        m.lengths[2] = v[EU_SRC1_FILE] || v[EU_SRC1_REGISTER] ? -1 : 0;
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
};

/* A message type of some generations. */
struct message_row {
    uint8_t function; /* enum eu_sfid */
    uint8_t generations;
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
#define PORT(where, number, words, what, ...) PORT_OF(EU_GEN8_UP, where, number, words, what, __VA_ARGS__)
/* The same, with more bits in the match. */
#define KIND_OF(set, where, number, bits, which, words, what, ...)                                           \
    {                                                                                                        \
        .function = SFID_##where, .generations = (set), .match = (number) << 14 | (which),                   \
        .mask = 0x1f << 14 | (bits), .text = (words), .kind = MESSAGE_##what, .parts = {                     \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define KIND(where, number, bits, which, words, what, ...)                                                   \
    KIND_OF(EU_GEN8_UP, where, number, bits, which, words, what, __VA_ARGS__)

enum { GEN75_UP = EU_GEN75 | EU_GEN8_UP };

static const struct message_row rows[] = {
    /* Untyped, typed and block accesses, atomics. */
    PORT_OF(GEN75_UP, DC1, 0x01, "untyped surface read", UNTYPED_READ, PART_CHANNELS),
    PORT_OF(GEN75_UP, DC1, 0x02, "untyped atomic int32", UNTYPED_ATOMIC, PART_ATOMIC),
    PORT_OF(EU_GEN75, DC1, 0x03, "untyped atomic SIMD4x2", UNTYPED_ATOMIC, PART_ATOMIC),
    PORT(DC1, 0x03, "untyped atomic int16", UNTYPED_ATOMIC_16, PART_ATOMIC),
    PORT_OF(GEN75_UP, DC1, 0x04, "media block read", MEDIA_READ, PART_OVERRIDE),
    PORT_OF(GEN75_UP, DC1, 0x05, "typed surface read", TYPED_READ, PART_SLOTS, PART_CHANNELS,
            PART_COORDINATES),
    PORT_OF(GEN75_UP, DC1, 0x06, "typed atomic 32-bit integer", TYPED_ATOMIC, PART_ATOMIC),
    PORT(DC1, 0x07, "typed atomic 16-bit integer", TYPED_ATOMIC_16, PART_ATOMIC, PART_COORDINATES),
    PORT_OF(GEN75_UP, DC1, 0x09, "untyped surface write", UNTYPED_WRITE, PART_CHANNELS),
    PORT_OF(GEN75_UP, DC1, 0x0a, "media block write", MEDIA_WRITE, PART_OVERRIDE),
    PORT(DC1, 0x0b, "typed atomic 32-bit counter", UNKNOWN, PART_ATOMIC),
    PORT(DC1, 0x0c, "typed atomic 16-bit counter", UNKNOWN, PART_ATOMIC),
    PORT_OF(GEN75_UP, DC1, 0x0d, "typed surface write", TYPED_WRITE, PART_SLOTS, PART_CHANNELS,
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
    ROW(DC1, EU_GEN12_UP, .match = 0x1c << 14, .mask = 0x1f << 14, .text = "untyped half-float atomic",
        .kind = MESSAGE_FLOAT_ATOMIC_16, .parts = {PART_HALF, PART_RETURNS}),
    PORT(DC1, 0x1d, "a64 float atomic", A64_FLOAT_ATOMIC, PART_FLOAT, PART_RETURNS),
    ROW(DC1, EU_GEN12_UP, .match = 0x1e << 14, .mask = 0x1f << 14, .text = "a64 untyped half-float atomic",
        .kind = MESSAGE_A64_FLOAT_ATOMIC_16, .parts = {PART_HALF, PART_RETURNS}),

    PORT_OF(EU_GEN7_UP, DC0, 0x00, "oword block read", BLOCK_READ, PART_OWORDS),
    KIND_OF(EU_GEN7_UP, DC0, 0x01, 0x2000, 0x0000, "oword aligned block read", UNALIGNED_BLOCK_READ,
            PART_OWORDS),
    KIND(DC0, 0x01, 0x2000, 0x2000, "hword aligned block read", UNALIGNED_BLOCK_READ, PART_HWORDS),
    PORT_OF(EU_GEN7_UP, DC0, 0x02, "oword dual block read", DUAL_BLOCK_READ, 0),
    PORT_OF(EU_GEN7_UP, DC0, 0x03, "dword gathering read", DWORD_GATHER, PART_DWORDS),
    PORT_OF(EU_GEN7_UP, DC0, 0x04, "byte gathering read", BYTE_GATHER, PART_BYTES),
    PORT(DC0, 0x05, "qword gathering read", QWORD_GATHER, 0),
    KIND_OF(EU_GEN7_UP, DC0, 0x07, 0x20ff, 0x20fe, "synchronized SLM fence", FENCE, 0),
    KIND_OF(EU_GEN7_UP, DC0, 0x07, 0x20ff, 0x00fe, "SLM fence", FENCE, 0),
    KIND_OF(EU_GEN7_UP, DC0, 0x07, 0x20ff, 0x2000, "synchronized global fence flushing", FENCE, 0),
    KIND_OF(EU_GEN7_UP, DC0, 0x07, 0x20ff, 0x0000, "global fence flushing", FENCE, 0),
    PORT_OF(EU_GEN7_UP, DC0, 0x08, "oword block write", BLOCK_WRITE, PART_OWORDS),
    PORT(DC0, 0x09, "hword aligned block write", UNALIGNED_BLOCK_WRITE, PART_OWORDS),
    PORT_OF(EU_GEN7_UP, DC0, 0x0a, "oword dual block write", DUAL_BLOCK_WRITE, 0),
    PORT_OF(EU_GEN7_UP, DC0, 0x0b, "dword scattering write", DWORD_SCATTER, PART_DWORDS),
    PORT_OF(EU_GEN7_UP, DC0, 0x0c, "byte scattering write", BYTE_SCATTER, PART_BYTES),
    PORT(DC0, 0x0d, "qword scattering write", QWORD_SCATTER, 0),
    ROW(DC0, EU_GEN7_UP, .match = 0x40000, .mask = 0x60000, .text = "hword scratch block read",
        .kind = MESSAGE_SCRATCH_READ, .parts = {PART_SCRATCH}),
    ROW(DC0, EU_GEN7_UP, .match = 0x60000, .mask = 0x60000, .text = "hword scratch block write",
        .kind = MESSAGE_SCRATCH_WRITE, .parts = {PART_SCRATCH}),

    PORT_OF(EU_GEN7_UP, DC_READ_ONLY, 0x00, "constant oword block read", BLOCK_READ, PART_OWORDS),
    PORT_OF(EU_GEN7_UP, DC_READ_ONLY, 0x01, "constant aligned oword block read", UNALIGNED_BLOCK_READ,
            PART_OWORDS),
    PORT_OF(EU_GEN7_75, DC_READ_ONLY, 0x02, "constant oword dual block read", DUAL_BLOCK_READ, 0),
    PORT_OF(EU_GEN7_75, DC2, 0x00, "sampler oword block read", BLOCK_READ, PART_OWORDS),
    PORT_OF(EU_GEN7_75, DC2, 0x02, "sampler oword dual block read", DUAL_BLOCK_READ, 0),
    PORT_OF(EU_GEN7_UP, DC_READ_ONLY, 0x03, "constant dword gathering read", DWORD_GATHER, 0),

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
    TARGET_OF(EU_GEN7_75 | EU_GEN8_9, 0x1f, __VA_ARGS__), TARGET_OF(EU_GEN11 | EU_GEN12_UP, 0xf, __VA_ARGS__)
    TARGET(0x0c, 0x000, "write SIMD16", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x100, "write replicated SIMD16", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x200, "write dual source SIMD8 low", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x300, "write dual source SIMD8 high", RENDER_TARGET_WRITE),
    TARGET(0x0c, 0x400, "write SIMD8", RENDER_TARGET_WRITE),
    TARGET(0x0d, 0x000, "read SIMD16", RENDER_TARGET_READ),
    TARGET(0x0d, 0x100, "read SIMD8", RENDER_TARGET_READ),

    /* Messages without memory access, and the URB. */
    ROW(GATEWAY, EU_GEN7_UP, .match = 0, .mask = 7, .text = "end of thread", .kind = MESSAGE_END_OF_THREAD),
    ROW(GATEWAY, EU_GEN7_UP, .match = 1, .mask = 7, .text = "signal event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN7_UP, .match = 2, .mask = 7, .text = "monitor event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN7_UP, .match = 3, .mask = 7, .text = "unmonitor event", .kind = MESSAGE_EVENT),
    ROW(GATEWAY, EU_GEN7_UP, .match = 4, .mask = 7, .text = "signal barrier", .kind = MESSAGE_BARRIER),
    ROW(GATEWAY, EU_GEN7_UP, .match = 6, .mask = 7, .text = "wait for event", .kind = MESSAGE_EVENT),
    ROW(THREAD_SPAWNER, EU_GEN7_UP & ~EU_GEN125, .match = 0, .mask = 1, .text = "end of thread",
        .kind = MESSAGE_END_OF_THREAD),
    ROW(PIXEL_INTERPOLATOR, EU_GEN7_UP, .match = 0 << 12, .mask = 3 << 12, .text = "per message offset",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(PIXEL_INTERPOLATOR, EU_GEN7_UP, .match = 1 << 12, .mask = 3 << 12, .text = "sample position",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(PIXEL_INTERPOLATOR, EU_GEN7_UP, .match = 2 << 12, .mask = 3 << 12, .text = "centroid",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(PIXEL_INTERPOLATOR, EU_GEN7_UP, .match = 3 << 12, .mask = 3 << 12, .text = "per slot offset",
        .kind = MESSAGE_PIXEL_INTERPOLATOR),
    ROW(URB, EU_GEN8_UP, .match = 0, .mask = 15, .text = "urb hword write", .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 1, .mask = 15, .text = "urb oword write", .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 2, .mask = 15, .text = "urb hword read", .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 3, .mask = 15, .text = "urb oword read", .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 4, .mask = 15, .text = "urb atomic move"),
    ROW(URB, EU_GEN8_UP, .match = 5, .mask = 15, .text = "urb atomic increment"),
    ROW(URB, EU_GEN8_UP, .match = 6, .mask = 15, .text = "urb atomic add"),
    ROW(URB, EU_GEN8_UP, .match = 0x8007, .mask = 0x800f, .text = "urb dword masked write",
        .kind = MESSAGE_URB_WRITE, .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 7, .mask = 15, .text = "urb dword write", .kind = MESSAGE_URB_WRITE,
        .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 8, .mask = 15, .text = "urb dword read", .kind = MESSAGE_URB_READ,
        .parts = {PART_PER_SLOT}),
    ROW(URB, EU_GEN8_UP, .match = 9, .mask = 15, .text = "urb fence", .kind = MESSAGE_FENCE),

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
    if (set->has_lsc && function >= SFID_TGM)
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
           function == SFID_SAMPLER || function == SFID_DC2 || function == SFID_VME ||
           function == SFID_PIXEL_INTERPOLATOR || find_row(set, function, descriptor);
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
        if (d >> 17 & 1u)
            words(t, "with per-slot offset enabled");
        break;
    case PART_PER_SLOT_GEN7:
        if (d >> 16 & 1u)
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
    default:
        break;
    }
}

/* ---- Sampler ---- */

static const char *const sampler_types[32] = {
    [0] = "sample",
    [1] = "sample+LOD bias",
    [2] = "sample override LOD",
    [3] = "sample compare",
    [4] = "sample gradient",
    [5] = "sample compare+LOD bias",
    [6] = "sample compare+override LOD",
    [7] = "sample load",
    [8] = "sample gather4",
    [9] = "sample override lod",
    [10] = "sample res info",
    [11] = "sample info",
    [12] = "sample+killpix",
    [16] = "sample gather4+compare",
    [17] = "sample gather4+pixel offset",
    [18] = "sample gather4 pixel offset+compare",
    [20] = "sample derivatives+compare",
    [22] = "sample min",
    [23] = "sample max",
    [24] = "sample with lod forced to 0",
    [25] = "sample compare+with lod forced to 0",
    [26] = "sample load with lod forced to 0",
    [28] = "sample ld2 multi-sample wide",
    [29] = "sample load mcs auxiliary data",
    [30] = "sample load multi-sample",
    [31] = "sample multi-sample without mcs",
};

static void write_sample(const struct eu_isa *set, const struct eu_message *m, struct text *t)
{
    static const char *const modes[8] = {"simd8d",    "simd8",      "simd16",
                                         "simd32/64", "simd8 high", "simd16 high"};
    const uint32_t d = m->descriptor,
                   mode = (d >> 29 & 1u) << 2 | (d >> (set->sampler_type_4bit ? 16 : 17) & 3u);
    const char *const type = !set->sampler_type_4bit && mode == 3 && (d >> 12 & 31u) == 31
                                 ? "sampler cache flush"
                                 : sampler_types[d >> 12 & (set->sampler_type_4bit ? 15u : 31u)];
    text_string(t, modes[mode] ? modes[mode] : "?");
    if (d >> 30 & 1u)
        words(t, "16b");
    words(t, type ? type : "?");
    text_string(t, " using sampler index ");
    text_decimal(t, d >> 8 & 15u);
}

/* ---- Load and store units, Gen12.5 ---- */

static const char *const load_store_operations[64] = {
    [0] = "load",         [1] = "load_strided",  [2] = "load_quad",    [3] = "load_block2d",
    [4] = "store",        [5] = "store_strided", [6] = "store_quad",   [7] = "store_block2d",
    [8] = "atomic_iinc",  [9] = "atomic_idec",   [10] = "atomic_load", [11] = "atomic_store",
    [12] = "atomic_iadd", [13] = "atomic_isub",  [14] = "atomic_smin", [15] = "atomic_smax",
    [16] = "atomic_umin", [17] = "atomic_umax",  [18] = "atomic_icas", [19] = "atomic_fadd",
    [20] = "atomic_fsub", [21] = "atomic_fmin",  [22] = "atomic_fmax", [23] = "atomic_fcas",
    [24] = "atomic_and",  [25] = "atomic_or",    [26] = "atomic_xor",  [27] = "load_status",
    [31] = "fence"};

static void write_load_store(const struct eu_isa *set, const struct eu_message *m, struct text *t)
{
    static const char *const
        data[8] = {".d8", ".d16", ".d32", ".d64", ".d8u32", ".d16u32", ".d16u32h", ".?"},
        *const addresses[4] = {".?", ".a16", ".a32", ".a64"}, *const flushes[8] = {".none",       ".evict",
                                                                                   ".invalidate", ".discard",
                                                                                   ".clean",      ".flushl3",
                                                                                   ".?",          ".?"},
        *const scopes[8] = {".group", ".local", ".tile", ".gpu", ".gpus", ".system", ".sysacq", ".?"},
        *const loads[8] = {"", ".uc.uc", ".uc.ca", ".ca.uc", ".ca.ca", ".st.uc", ".st.ca", ".ri.ca"},
        *const stores[8] = {"", ".uc.uc", ".uc.wb", ".wt.uc", ".wt.wb", ".st.uc", ".st.wb", ".wb.wb"};
    static const uint8_t counts[8] = {1, 2, 3, 4, 8, 16, 32, 64};
    const uint32_t d = m->descriptor, operation = d & 63u;
    if (!load_store_operations[operation]) {
        text_char(t, '?');
        return;
    }
    text_string(t, load_store_operations[operation]);
    text_char(t, '.');
    text_string(t, eu_sfid_name(set, m->sfid));
    if (operation == 31 && (d >> 12 & 7u) > 5) {
        text_string(t, " (flush type reserved)");
    } else if (operation == 31) {
        text_string(t, flushes[d >> 12 & 7u]);
        text_string(t, scopes[d >> 9 & 7u]);
    }
    if (operation == 31)
        return;
    text_string(t, data[d >> 9 & 7u]);
    if (operation == 2 || operation == 6) {
        text_char(t, '.');
        for (unsigned n = 0; n < 4; n++)
            if (d >> (12u + n) & 1u)
                text_char(t, "xyzw"[n]);
    } else {
        if (d >> 12 & 7u) {
            text_char(t, 'x');
            text_decimal(t, counts[d >> 12 & 7u]);
        }
        if (d >> 15 & 1u)
            text_char(t, 't');
    }
    text_string(t, addresses[d >> 7 & 3u]);
    text_string(t, (operation >= 4 && operation <= 26 ? stores : loads)[d >> 17 & 7u]);
    if (d >> 29 & 3u) {
        static const char *const surfaces[4] = {"", ".bss[", ".ss[", ".bti["};
        text_string(t, surfaces[d >> 29 & 3u]);
        if (m->ex_descriptor_in_register) {
            text_string(t, "a0]");
        } else if ((d >> 29 & 3u) == 3) {
            text_decimal(t, m->ex_descriptor >> 24);
            text_char(t, ']');
        } else {
            text_string(t, "0x");
            text_hex(t, m->ex_descriptor >> 6 << 6, 1);
            text_char(t, ']');
        }
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
    const bool units = set->has_lsc && m.sfid >= SFID_TGM;
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
        write_load_store(set, &m, t);
        return;
    }
    if (m.sfid == SFID_SAMPLER) {
        write_sample(set, &m, t);
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
    enum { ROWS = sizeof rows / sizeof rows[0], SAMPLER_TYPES = 32, OPERATIONS = 64 };
    *type = (struct eu_message_type){0};
    if (number < ROWS) {
        const struct message_row *const r = &rows[number];
        if (find_row(set, r->function, r->match) == r) /* no earlier row has its descriptor */
            *type = (struct eu_message_type){r->text, eu_sfid_name(set, r->function), 1u << r->function,
                                             r->match, r->mask};
        return true;
    }
    number -= ROWS;
    if (number < SAMPLER_TYPES) {
        if (number < (set->sampler_type_4bit ? 16 : 32))
            *type = (struct eu_message_type){sampler_types[number], eu_sfid_name(set, SFID_SAMPLER),
                                             1u << SFID_SAMPLER, number << 12,
                                             (set->sampler_type_4bit ? 15u : 31u) << 12};
        return true;
    }
    number -= SAMPLER_TYPES;
    if (number < OPERATIONS && set->has_lsc)
        *type = (struct eu_message_type){load_store_operations[number], "lsc", 7u << SFID_TGM | 1u << 1,
                                         number, 63}; /* 1: ugml */
    return number < OPERATIONS;
}
