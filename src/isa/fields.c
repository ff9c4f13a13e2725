/*
 * Bit positions of the fields. Source: Mesa src/intel/compiler brw_inst.h and Intel's graphics assembler
 * (visa/iga). A field stands before the fields whose conditions ask for it.
 */
#include "isa/isa.h"

const char *const eu_field_names[EU_FIELDS] = {
#define EU_FIELD(name, title) [EU_##name] = (title),
    EU_FIELD_LIST(EU_FIELD)
#undef EU_FIELD
};

#define BITS(last, first)                                                                                    \
    {                                                                                                        \
        first, (last) - (first) + 1                                                                          \
    }
#define BIT(at)                                                                                              \
    {                                                                                                        \
        at, 1                                                                                                \
    }

enum {
    ALL = 0xffff,
    NONE = 1 << FORM_NONE,
    UNARY = 1 << FORM_UNARY,
    DIM = 1 << FORM_DIM,
    BINARY = 1 << FORM_BINARY,
    TERNARY = 1 << FORM_TERNARY,
    MACRO = 1 << FORM_MACRO,
    BFN = 1 << FORM_BFN,
    DPAS = 1 << FORM_DPAS,
    JUMP = 1 << FORM_JUMP,
    MERGE = 1 << FORM_MERGE,
    BRANCH = 1 << FORM_BRANCH,
    SEND = 1 << FORM_SEND,
    SENDS = 1 << FORM_SENDS,
    SOME = ALL & ~NONE,
    THREE = TERNARY | MACRO | BFN, /* formats with three sources that have regions */
    MESSAGE = SEND | SENDS,
    BASIC = UNARY | BINARY,
    /* Up to Gen11, jumps have the operand fields of other instructions. */
    ONE = BASIC | JUMP | DIM,
};

/* Conditions of a row. */
#define WHEN(...) .when = {__VA_ARGS__}
#define IS(field, value)                                                                                     \
    {                                                                                                        \
        EU_##field, 1u << (value)                                                                            \
    }
#define IN(field, values)                                                                                    \
    {                                                                                                        \
        EU_##field, values                                                                                   \
    }
#define ALIGN1  IS(ACCESS_MODE, 0)
#define ALIGN16 IS(ACCESS_MODE, 1)

/* Masks of the codes of 64-bit types, and of NF (NATIVE). */
enum { LONG9 = 0x0700, LONG11 = 0x04c0, LONG12 = 0x0888, NATIVE = 0x0800, NOT = 0xffff };

/* Mask of a shared function. */
enum { UGM = 1 << SFID_UGM };

#define ROW(name, set, form, ...)                                                                            \
    {                                                                                                        \
        .field = EU_##name, .generations = (set), .forms = (form), __VA_ARGS__                               \
    }
#define AT(...) .pieces = {__VA_ARGS__}

/* A source of a format with one or two sources, up to Gen11. Its first bit is `base`; bit 9 of its address
 * immediate is at `nine`. */
#define GEN6_11_SOURCE(source, forms, base, nine)                                                            \
    ROW(source##_INDIRECT, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0)), AT(BIT((base) + 15))),        \
        ROW(source##_MODIFIER, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0)),                           \
            AT(BITS((base) + 14, (base) + 13))),                                                             \
        ROW(source##_REGISTER, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 0)), \
            AT(BITS((base) + 12, (base) + 5))),                                                              \
        ROW(source##_SUBREGISTER, EU_GEN6_11, forms,                                                         \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 0), ALIGN1),                               \
            AT(BITS((base) + 4, (base)))),                                                                   \
        ROW(source##_SUBREGISTER, EU_GEN6_11, forms,                                                         \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 0), ALIGN16), AT(BIT((base) + 4)),         \
            .shift = 4),                                                                                     \
        ROW(source##_ADDRESS, EU_GEN8_11, forms, WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1)),  \
            AT(BITS((base) + 12, (base) + 9))),                                                              \
        ROW(source##_OFFSET, EU_GEN8_11, forms,                                                              \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1), ALIGN1),                               \
            AT(BITS((base) + 8, (base)), BIT(nine))),                                                        \
        ROW(source##_OFFSET, EU_GEN8_11, forms,                                                              \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1), ALIGN16),                              \
            AT(BITS((base) + 8, (base) + 4), BIT(nine)), .shift = 4),                                        \
        ROW(source##_ADDRESS, EU_GEN6_75, forms, WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1)),  \
            AT(BITS((base) + 12, (base) + 10))),                                                             \
        ROW(source##_OFFSET, EU_GEN6_75, forms,                                                              \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1), ALIGN1),                               \
            AT(BITS((base) + 9, (base)))),                                                                   \
        ROW(source##_OFFSET, EU_GEN6_75, forms,                                                              \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1), ALIGN16),                              \
            AT(BITS((base) + 9, (base) + 4)), .shift = 4),                                                   \
        ROW(source##_VERTICAL, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0)),                           \
            AT(BITS((base) + 24, (base) + 21))),                                                             \
        ROW(source##_WIDTH, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0), ALIGN1),                      \
            AT(BITS((base) + 20, (base) + 18))),                                                             \
        ROW(source##_HORIZONTAL, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0), ALIGN1),                 \
            AT(BITS((base) + 17, (base) + 16))),                                                             \
        ROW(source##_SWIZZLE, EU_GEN6_11, forms, WHEN(IS(source##_IMMEDIATE, 0), ALIGN16),                   \
            AT(BITS((base) + 3, (base)), BITS((base) + 19, (base) + 16)))

/* The same from Gen12 on. The register is at `base`, address mode, width and vertical stride at `region`. */
#define GEN12_UP_SOURCE(source, forms, immediate, base, region, modifier)                                    \
    ROW(source##_IMMEDIATE, EU_GEN12_UP, forms, AT(BIT(immediate))),                                         \
        ROW(source##_INDIRECT, EU_GEN12_UP, forms, WHEN(IS(source##_IMMEDIATE, 0)), AT(BIT(region))),        \
        ROW(source##_FILE, EU_GEN12_UP, forms, WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 0)),    \
            AT(BIT((base) + 2))),                                                                            \
        ROW(source##_FILE, EU_GEN12_UP, forms, WHEN(IS(source##_INDIRECT, 1)), .flip = 1),                   \
        ROW(source##_REGISTER, EU_GEN12_UP, forms,                                                           \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 0)), AT(BITS((base) + 15, (base) + 8))),   \
        ROW(source##_SUBREGISTER, EU_GEN12_125, forms,                                                       \
            WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 0)), AT(BITS((base) + 7, (base) + 3))),    \
        ROW(source##_ADDRESS, EU_GEN12_UP, forms, WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1)), \
            AT(BITS((base) + 15, (base) + 12))),                                                             \
        ROW(source##_OFFSET, EU_GEN12_125, forms, WHEN(IS(source##_IMMEDIATE, 0), IS(source##_INDIRECT, 1)), \
            AT(BITS((base) + 11, (base) + 2))),                                                              \
        ROW(source##_MODIFIER, EU_GEN12_UP, forms, WHEN(IS(source##_IMMEDIATE, 0)),                          \
            AT(BITS((modifier) + 1, modifier))),                                                             \
        ROW(source##_VERTICAL, EU_GEN12_125, forms, WHEN(IS(source##_IMMEDIATE, 0)),                         \
            AT(BITS((region) + 7, (region) + 4))),                                                           \
        ROW(source##_VERTICAL, EU_GEN200, forms, WHEN(IS(source##_IMMEDIATE, 0)),                            \
            AT(BITS((region) + 6, (region) + 4))),                                                           \
        ROW(source##_WIDTH, EU_GEN12_UP, forms, WHEN(IS(source##_IMMEDIATE, 0)),                             \
            AT(BITS((region) + 3, (region) + 1))),                                                           \
        ROW(source##_HORIZONTAL, EU_GEN12_UP, forms, WHEN(IS(source##_IMMEDIATE, 0)),                        \
            AT(BITS((base) + 1, base)))

/* One of three sources up to Gen9 (Align16). The subregister, in dwords, is at `base`; on Gen9 another bit
 * selects the half of a dword. (iga64 1.1.0) */
#define ALIGN16_SOURCE(source, base, modifier)                                                               \
    ROW(source##_FILE, EU_GEN6_9, THREE, .flip = 1),                                                         \
        ROW(source##_REPLICATE, EU_GEN6_9, THREE, AT(BIT((base)-9))),                                        \
        ROW(source##_SWIZZLE, EU_GEN6_9, THREE, AT(BITS((base)-1, (base)-8))),                               \
        ROW(source##_SUBREGISTER, EU_GEN6_75 | EU_GEN8, THREE, AT(BITS((base) + 2, base)), .shift = 2),      \
        ROW(source##_SUBREGISTER, EU_GEN9, THREE, AT(BIT((base) + 11), BITS((base) + 2, base)), .shift = 1), \
        ROW(source##_REGISTER, EU_GEN6_9, THREE, AT(BITS((base) + 10, (base) + 3))),                         \
        ROW(source##_MODIFIER, EU_GEN8_9, THREE, AT(BITS((modifier) + 1, modifier))),                        \
        ROW(source##_MODIFIER, EU_GEN6_75, THREE, AT(BITS((modifier), (modifier)-1)))

/* One of three sources on Gen11. */
#define GEN11_SOURCE(source, condition, base, modifier)                                                      \
    ROW(source##_REGISTER, EU_GEN11, THREE, WHEN(condition), AT(BITS((base) + 12, (base) + 5))),             \
        ROW(source##_SUBREGISTER, EU_GEN11, TERNARY, WHEN(condition), AT(BITS((base) + 4, base))),           \
        ROW(source##_SUBREGISTER, EU_GEN11, MACRO, AT(BITS((base) + 4, (base) + 1))),                        \
        ROW(source##_HORIZONTAL, EU_GEN11, THREE, WHEN(condition), AT(BITS((base)-1, (base)-2))),            \
        ROW(source##_MODIFIER, EU_GEN11, THREE, AT(BITS((modifier) + 1, modifier)))

/* One of three sources from Gen12 on. */
#define GEN12_SOURCE(source, condition, base, modifier)                                                      \
    ROW(source##_FILE, EU_GEN12_UP, THREE, WHEN(condition), AT(BIT((base) + 2))),                            \
        ROW(source##_REGISTER, EU_GEN12_UP, THREE, WHEN(condition), AT(BITS((base) + 15, (base) + 8))),      \
        ROW(source##_SUBREGISTER, EU_GEN12_125, THREE, WHEN(condition), AT(BITS((base) + 7, (base) + 3))),   \
        ROW(source##_SUBREGISTER, EU_GEN200, TERNARY | BFN, WHEN(condition),                                 \
            AT(BITS((base) + 7, (base) + 3)), .shift = 1),                                                   \
        ROW(source##_SUBREGISTER, EU_GEN200, MACRO, WHEN(condition), AT(BITS((base) + 7, (base) + 3))),      \
        ROW(source##_HORIZONTAL, EU_GEN12_UP, THREE, WHEN(condition), AT(BITS((base) + 1, base))),           \
        ROW(source##_MODIFIER, EU_GEN12_UP, TERNARY | MACRO, AT(BITS((modifier) + 1, modifier)))

#define BLOCK_SOURCE(source, base)                                                                           \
    ROW(source##_FILE, EU_GEN125_UP, DPAS, AT(BIT((base) + 2))),                                             \
        ROW(source##_REGISTER, EU_GEN125_UP, DPAS, AT(BITS((base) + 15, (base) + 8))),                       \
        ROW(source##_SUBREGISTER, EU_GEN125, DPAS, AT(BITS((base) + 7, (base) + 3))),                        \
        ROW(source##_SUBREGISTER, EU_GEN200, DPAS, AT(BITS((base) + 7, (base) + 3)), .shift = 1)

const struct eu_field_row eu_field_rows[] = {
    /* All formats. */
    ROW(OPCODE, EU_ALL, ALL, AT(BITS(6, 0))),
    ROW(BREAKPOINT, EU_ALL, ALL, AT(BIT(30))),
    ROW(SWSB, EU_GEN12_125, ALL, AT(BITS(15, 8))),
    ROW(SWSB, EU_GEN200, ALL, AT(BITS(17, 8))),
    ROW(ACCESS_MODE, EU_GEN6_9, SOME, AT(BIT(8))),
    ROW(DEPENDENCY, EU_GEN8_11, SOME, AT(BITS(10, 9))),
    ROW(DEPENDENCY, EU_GEN6_75, SOME, AT(BITS(11, 10))),
    ROW(CHANNEL_OFFSET, EU_GEN8_11, SOME, AT(BITS(13, 11))),
    ROW(CHANNEL_OFFSET, EU_GEN6, SOME, AT(BITS(13, 12)), .shift = 1),
    ROW(CHANNEL_OFFSET, EU_GEN7_75, SOME, AT(BIT(47), BITS(13, 12))),
    ROW(CHANNEL_OFFSET, EU_GEN12_125, SOME, AT(BITS(21, 19))),
    ROW(CHANNEL_OFFSET, EU_GEN200, SOME, AT(BITS(25, 24)), .shift = 1),
    ROW(THREAD_CONTROL, EU_GEN6_11, SOME, AT(BITS(15, 14))),
    ROW(THREAD_CONTROL, EU_GEN12_UP, SOME, AT(BIT(32))),
    ROW(PREDICATE, EU_GEN6_11, SOME, AT(BITS(19, 16))),
    ROW(PREDICATE, EU_GEN12_125, SOME, AT(BITS(27, 24))),
    ROW(PREDICATE, EU_GEN200, SOME, AT(BITS(27, 26))),
    ROW(PREDICATE_INVERT, EU_GEN6_11, SOME, AT(BIT(20))),
    ROW(PREDICATE_INVERT, EU_GEN12_UP, SOME, AT(BIT(28))),
    ROW(EXECUTION_SIZE, EU_GEN6_11, SOME, AT(BITS(23, 21))),
    ROW(EXECUTION_SIZE, EU_GEN12_125, SOME, AT(BITS(18, 16))),
    ROW(EXECUTION_SIZE, EU_GEN200, SOME, AT(BITS(20, 18))),
    ROW(CONDITION, EU_GEN6_11, SOME, AT(BITS(27, 24))),
    ROW(ACC_WRITE, EU_GEN6_11, SOME, AT(BIT(28))),
    ROW(ACC_WRITE, EU_GEN12_125, SOME, AT(BIT(33))),
    ROW(ACC_WRITE, EU_GEN200, BRANCH, AT(BIT(33))),
    ROW(SATURATE, EU_GEN6_11, SOME, AT(BIT(31))),
    ROW(SATURATE, EU_GEN12_UP, SOME & ~MESSAGE, AT(BIT(34))),
    ROW(FLAG, EU_GEN8_11, SOME, AT(BITS(33, 32))),
    ROW(FLAG, EU_GEN6, SOME & ~THREE, AT(BIT(89))),
    ROW(FLAG, EU_GEN7_75, SOME & ~THREE, AT(BITS(90, 89))),
    ROW(FLAG, EU_GEN6, THREE, AT(BIT(33))),
    ROW(FLAG, EU_GEN7_75, THREE, AT(BITS(34, 33))),
    ROW(FLAG, EU_GEN12_125, SOME, AT(BITS(23, 22))),
    ROW(FLAG, EU_GEN200, SOME, AT(BITS(23, 21))),
    ROW(NO_MASK, EU_GEN8_11, SOME, AT(BIT(34))),
    ROW(NO_MASK, EU_GEN6_75, SOME, AT(BIT(9))),
    ROW(NO_MASK, EU_GEN12_UP, SOME, AT(BIT(31))),

    /* Destinations. */
    ROW(DST_FILE, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, AT(BITS(36, 35))),
    ROW(DST_FILE, EU_GEN8_11, SENDS, AT(BIT(35))),
    ROW(DST_TYPE, EU_GEN8_11, ONE | MERGE | BRANCH | MESSAGE, AT(BITS(40, 37))),
    ROW(DST_INDIRECT, EU_GEN8_11, ONE | MERGE | BRANCH | MESSAGE, AT(BIT(63))),
    ROW(DST_STRIDE, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, AT(BITS(62, 61))),
    ROW(DST_REGISTER, EU_GEN8_11, ONE | MERGE | BRANCH | MESSAGE, WHEN(IS(DST_INDIRECT, 0)),
        AT(BITS(60, 53))),
    ROW(DST_SUBREGISTER, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, WHEN(IS(DST_INDIRECT, 0), ALIGN1),
        AT(BITS(52, 48))),
    ROW(DST_SUBREGISTER, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, WHEN(IS(DST_INDIRECT, 0), ALIGN16),
        AT(BIT(52)), .shift = 4),
    ROW(DST_SUBREGISTER, EU_GEN8_11, SENDS, WHEN(IS(DST_INDIRECT, 0)), AT(BIT(52)), .shift = 4),
    ROW(DST_CHANNELS, EU_GEN8_11, ONE | SEND, WHEN(ALIGN16), AT(BITS(51, 48))),
    ROW(DST_ADDRESS, EU_GEN8_11, ONE | MESSAGE, WHEN(IS(DST_INDIRECT, 1)), AT(BITS(60, 57))),
    ROW(DST_OFFSET, EU_GEN8_11, ONE | SEND, WHEN(IS(DST_INDIRECT, 1), ALIGN1), AT(BITS(56, 48), BIT(47))),
    ROW(DST_OFFSET, EU_GEN8_11, ONE, WHEN(IS(DST_INDIRECT, 1), ALIGN16), AT(BITS(56, 52), BIT(47)),
        .shift = 4),
    ROW(DST_FILE, EU_GEN6_75, ONE | SEND, AT(BITS(33, 32))),
    ROW(DST_TYPE, EU_GEN6_75, ONE | SEND, AT(BITS(36, 34))),
    ROW(DST_INDIRECT, EU_GEN6_75, ONE | SEND, AT(BIT(63))),
    ROW(DST_STRIDE, EU_GEN6_75, ONE | SEND, AT(BITS(62, 61))),
    ROW(DST_REGISTER, EU_GEN6_75, ONE | SEND, WHEN(IS(DST_INDIRECT, 0)), AT(BITS(60, 53))),
    ROW(DST_SUBREGISTER, EU_GEN6_75, ONE | SEND, WHEN(IS(DST_INDIRECT, 0), ALIGN1), AT(BITS(52, 48))),
    ROW(DST_SUBREGISTER, EU_GEN6_75, ONE | SEND, WHEN(IS(DST_INDIRECT, 0), ALIGN16), AT(BIT(52)), .shift = 4),
    ROW(DST_CHANNELS, EU_GEN6_75, ONE | SEND, WHEN(ALIGN16), AT(BITS(51, 48))),
    ROW(DST_ADDRESS, EU_GEN6_75, ONE | SEND, WHEN(IS(DST_INDIRECT, 1)), AT(BITS(60, 58))),
    ROW(DST_OFFSET, EU_GEN6_75, ONE | SEND, WHEN(IS(DST_INDIRECT, 1), ALIGN1), AT(BITS(57, 48))),
    ROW(DST_OFFSET, EU_GEN6_75, ONE, WHEN(IS(DST_INDIRECT, 1), ALIGN16), AT(BITS(57, 52)), .shift = 4),
    ROW(DST_TYPE, EU_GEN12_UP, BASIC, AT(BITS(39, 36))),
    ROW(DST_INDIRECT, EU_GEN12_UP, BASIC, AT(BIT(35))),
    ROW(DST_FILE, EU_GEN12_UP, SOME, WHEN(IS(DST_INDIRECT, 0)), AT(BIT(50))),
    ROW(DST_FILE, EU_GEN12_UP, BASIC, WHEN(IS(DST_INDIRECT, 1)), .flip = 1),
    ROW(DST_REGISTER, EU_GEN12_UP, SOME, WHEN(IS(DST_INDIRECT, 0)), AT(BITS(63, 56))),
    ROW(DST_SUBREGISTER, EU_GEN12_125, SOME & ~(MESSAGE | TERNARY | BFN), WHEN(IS(DST_INDIRECT, 0)),
        AT(BITS(55, 51))),
    /* From Gen20 on, an odd byte has a bit of its own, or there is none. */
    ROW(DST_SUBREGISTER, EU_GEN200, BASIC, WHEN(IS(DST_INDIRECT, 0)), AT(BIT(33), BITS(55, 51))),
    ROW(DST_SUBREGISTER, EU_GEN200, TERNARY | BFN | DPAS | JUMP | MERGE | BRANCH, AT(BITS(55, 51)),
        .shift = 1),
    ROW(DST_SUBREGISTER, EU_GEN200, MACRO, AT(BITS(55, 51))),
    ROW(DST_SUBREGISTER, EU_GEN12, TERNARY | BFN, AT(BITS(55, 54)), .shift = 3),
    ROW(DST_SUBREGISTER, EU_GEN125, TERNARY | BFN, AT(BITS(55, 51))),
    ROW(DST_ADDRESS, EU_GEN12_UP, BASIC, WHEN(IS(DST_INDIRECT, 1)), AT(BITS(63, 60))),
    ROW(DST_OFFSET, EU_GEN12_125, BASIC, WHEN(IS(DST_INDIRECT, 1)), AT(BITS(59, 50))),
    ROW(DST_OFFSET, EU_GEN200, BASIC, WHEN(IS(DST_INDIRECT, 1)), AT(BIT(33), BITS(59, 50))),
    ROW(DST_STRIDE, EU_GEN12_UP, BASIC, AT(BITS(49, 48))),

    /* One or two sources. */
    ROW(SRC0_FILE, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, AT(BIT(41))),
    ROW(SRC0_FILE, EU_GEN8_11, SENDS, .flip = 1),
    ROW(SRC0_IMMEDIATE, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, AT(BIT(42))),
    ROW(SRC0_TYPE, EU_GEN8_11, ONE | MERGE | BRANCH | SEND, AT(BITS(46, 43))),
    ROW(SRC1_FILE, EU_GEN8_11, BINARY | JUMP | MERGE | SEND, AT(BIT(89))),
    ROW(SRC1_IMMEDIATE, EU_GEN8_11, BINARY | JUMP | MERGE, AT(BIT(90))),
    ROW(SRC1_TYPE, EU_GEN8_11, BINARY | JUMP | MERGE, AT(BITS(94, 91))),
    /* Gen6: file 2 is the message registers, file 3 is an immediate. */
    ROW(SRC0_FILE, EU_GEN6_75, ONE | SEND, AT(BITS(38, 37))),
    ROW(SRC0_IMMEDIATE, EU_GEN6_75, ONE | SEND, WHEN(IS(SRC0_FILE, 3)), .flip = 1),
    ROW(SRC0_IMMEDIATE, EU_GEN6_75, BRANCH, .flip = 1),
    ROW(SRC0_TYPE, EU_GEN6_75, ONE | SEND, AT(BITS(41, 39))),
    ROW(SRC1_FILE, EU_GEN6_75, BINARY | JUMP, AT(BITS(43, 42))),
    ROW(SRC1_IMMEDIATE, EU_GEN6_75, BINARY | JUMP, WHEN(IS(SRC1_FILE, 3)), .flip = 1),
    ROW(SRC1_TYPE, EU_GEN6_75, BINARY | JUMP, AT(BITS(46, 44))),
    GEN6_11_SOURCE(SRC0, ONE | BRANCH, 64, 95),
    GEN6_11_SOURCE(SRC1, BINARY | JUMP, 96, 121),
    ROW(SRC0_TYPE, EU_GEN12_UP, BASIC, AT(BITS(43, 40))),
    GEN12_UP_SOURCE(SRC0, BASIC, 46, 64, 80, 44),
    ROW(SRC0_SUBREGISTER, EU_GEN200, BASIC, WHEN(IS(SRC0_IMMEDIATE, 0), IS(SRC0_INDIRECT, 0)),
        AT(BIT(87), BITS(71, 67))),
    ROW(SRC0_OFFSET, EU_GEN200, BASIC, WHEN(IS(SRC0_IMMEDIATE, 0), IS(SRC0_INDIRECT, 1)),
        AT(BIT(87), BITS(75, 66))),
    ROW(SRC1_TYPE, EU_GEN12_UP, BINARY, AT(BITS(91, 88))),
    GEN12_UP_SOURCE(SRC1, BINARY, 47, 96, 112, 120),
    ROW(SRC1_SUBREGISTER, EU_GEN200, BINARY, WHEN(IS(SRC1_IMMEDIATE, 0), IS(SRC1_INDIRECT, 0)),
        AT(BITS(103, 99)), .shift = 1),
    ROW(SRC1_OFFSET, EU_GEN200, BINARY, WHEN(IS(SRC1_IMMEDIATE, 0), IS(SRC1_INDIRECT, 1)), AT(BITS(107, 98)),
        .shift = 1),

    /* Immediates. From Gen12 on, 64-bit immediates have their halves swapped and use the bits of the
     * condition modifier. */
    ROW(IMMEDIATE, EU_GEN8_9, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, LONG9)), AT(BITS(95, 64))),
    ROW(IMMEDIATE_HIGH, EU_GEN8_9, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, LONG9)),
        AT(BITS(127, 96))),
    ROW(IMMEDIATE, EU_GEN8_9, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, NOT & ~LONG9)),
        AT(BITS(127, 96))),
    ROW(IMMEDIATE, EU_GEN6_75, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(127, 96))),
    ROW(IMMEDIATE, EU_GEN75, DIM, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(95, 64))),
    ROW(IMMEDIATE_HIGH, EU_GEN75, DIM, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(127, 96))),
    ROW(IMMEDIATE, EU_GEN11, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, LONG11)), AT(BITS(95, 64))),
    ROW(IMMEDIATE_HIGH, EU_GEN11, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, LONG11)),
        AT(BITS(127, 96))),
    ROW(IMMEDIATE, EU_GEN11, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, NOT & ~LONG11)),
        AT(BITS(127, 96))),
    ROW(IMMEDIATE, EU_GEN12_UP, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(127, 96))),
    ROW(IMMEDIATE_HIGH, EU_GEN12_UP, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, LONG12)),
        AT(BITS(95, 64))),
    ROW(IMMEDIATE, EU_ALL, BINARY, WHEN(IS(SRC1_IMMEDIATE, 1)), AT(BITS(127, 96))),
    /* A math function with one source. */
    ROW(IMMEDIATE, EU_ALL, BINARY, WHEN(IS(SRC1_IMMEDIATE, 0), IS(SRC0_IMMEDIATE, 1)), AT(BITS(127, 96))),
    ROW(CONDITION, EU_GEN12_UP, UNARY, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BITS(95, 92))),
    ROW(CONDITION, EU_GEN12_UP, UNARY, WHEN(IS(SRC0_IMMEDIATE, 1), IN(SRC0_TYPE, NOT & ~LONG12)),
        AT(BITS(95, 92))),
    ROW(CONDITION, EU_GEN12_UP, BINARY | TERNARY | MACRO | SEND, AT(BITS(95, 92))),

    /* Three sources. */
    ROW(DST_FILE, EU_GEN8_9, THREE, .flip = 1),
    ROW(DST_FILE, EU_GEN7_75, THREE, .flip = 1),
    ROW(DST_FILE, EU_GEN6, THREE, AT(BIT(32)), .flip = 1), /* 0: message registers */
    ROW(DST_REGISTER, EU_GEN6_11, THREE, AT(BITS(63, 56))),
    ROW(DST_SUBREGISTER, EU_GEN6_9, THREE, AT(BITS(55, 53)), .shift = 2),
    ROW(DST_CHANNELS, EU_GEN6_9, THREE, AT(BITS(52, 49))),
    ROW(DST_TYPE, EU_GEN8_9, THREE, AT(BITS(48, 46))),
    ROW(DST_TYPE, EU_GEN7_75, THREE, AT(BITS(45, 44))),
    ROW(SRC0_TYPE, EU_GEN8_9, THREE, AT(BITS(45, 43))),
    ROW(SRC0_TYPE, EU_GEN7_75, THREE, AT(BITS(43, 42))),
    ROW(SRC1_TYPE, EU_GEN8_9, THREE, AT(BIT(36))),
    ROW(SRC2_TYPE, EU_GEN8_9, THREE, AT(BIT(35))),
    ALIGN16_SOURCE(SRC0, 73, 37),
    ALIGN16_SOURCE(SRC1, 94, 39),
    ALIGN16_SOURCE(SRC2, 115, 41),
    ROW(DST_FILE, EU_GEN11, THREE, AT(BIT(36)), .flip = 1),
    ROW(DST_SUBREGISTER, EU_GEN11, TERNARY, AT(BITS(55, 54)), .shift = 3),
    ROW(DST_SUBREGISTER, EU_GEN11, MACRO, AT(BITS(55, 52))),
    ROW(DST_STRIDE, EU_GEN11, THREE, AT(BIT(49))),
    ROW(DST_TYPE, EU_GEN11, THREE, AT(BITS(48, 46), BIT(35))),
    ROW(SRC1_FILE, EU_GEN11, THREE, AT(BIT(44)), .flip = 1),
    ROW(SRC2_IMMEDIATE, EU_GEN11, THREE, AT(BIT(45))),
    ROW(SRC2_FILE, EU_GEN11, THREE, .flip = 1),
    ROW(SRC0_TYPE, EU_GEN11, THREE, AT(BITS(66, 64), BIT(35))),
    /* One bit selects an immediate, or the accumulator if the type is NF: only accumulators have it. */
    ROW(SRC0_IMMEDIATE, EU_GEN11, THREE, WHEN(IN(SRC0_TYPE, NOT & ~NATIVE)), AT(BIT(43))),
    ROW(SRC0_FILE, EU_GEN11, THREE, WHEN(IN(SRC0_TYPE, NOT & ~NATIVE)), .flip = 1),
    ROW(SRC0_FILE, EU_GEN11, THREE, WHEN(IN(SRC0_TYPE, NATIVE)), AT(BIT(43)), .flip = 1),
    ROW(SRC1_TYPE, EU_GEN11, THREE, AT(BITS(87, 85), BIT(35))),
    ROW(SRC2_TYPE, EU_GEN11, THREE, AT(BITS(108, 106), BIT(35))),
    ROW(SRC0_VERTICAL, EU_GEN11, THREE, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BITS(68, 67))),
    ROW(SRC1_VERTICAL, EU_GEN11, THREE, AT(BITS(89, 88))),
    GEN11_SOURCE(SRC0, IS(SRC0_IMMEDIATE, 0), 71, 37),
    GEN11_SOURCE(SRC1, IS(SRC1_IMMEDIATE, 0), 92, 39),
    GEN11_SOURCE(SRC2, IS(SRC2_IMMEDIATE, 0), 113, 41),
    ROW(SRC0_VALUE, EU_GEN11, THREE, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(82, 67))),
    ROW(SRC2_VALUE, EU_GEN11, THREE, WHEN(IS(SRC2_IMMEDIATE, 1)), AT(BITS(124, 109))),
    ROW(DST_STRIDE, EU_GEN12_UP, THREE, AT(BIT(48))),
    ROW(DST_TYPE, EU_GEN12_UP, THREE | DPAS, AT(BITS(38, 36), BIT(39))),
    ROW(SRC0_IMMEDIATE, EU_GEN12_UP, THREE, AT(BIT(46))),
    ROW(SRC2_IMMEDIATE, EU_GEN12_UP, THREE, AT(BIT(47))),
    ROW(SRC0_TYPE, EU_GEN12_UP, THREE | DPAS, AT(BITS(42, 40), BIT(39))),
    ROW(SRC1_TYPE, EU_GEN12_UP, THREE | DPAS, AT(BITS(90, 88), BIT(39))),
    ROW(SRC2_TYPE, EU_GEN12_UP, THREE | DPAS, AT(BITS(82, 80), BIT(39))),
    ROW(SRC0_VERTICAL, EU_GEN12_UP, THREE, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BIT(35), BIT(43))),
    ROW(SRC1_VERTICAL, EU_GEN12_UP, THREE, AT(BIT(83), BIT(91))),
    GEN12_SOURCE(SRC0, IS(SRC0_IMMEDIATE, 0), 64, 44),
    GEN12_SOURCE(SRC1, IS(SRC1_IMMEDIATE, 0), 96, 86),
    GEN12_SOURCE(SRC2, IS(SRC2_IMMEDIATE, 0), 112, 84),
    ROW(SRC0_VALUE, EU_GEN12_UP, THREE, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(79, 64))),
    ROW(SRC2_VALUE, EU_GEN12_UP, THREE, WHEN(IS(SRC2_IMMEDIATE, 1)), AT(BITS(127, 112))),
    ROW(FUNCTION, EU_GEN125_UP, BFN, AT(BITS(87, 84), BITS(95, 92))),
    ROW(CONDITION, EU_GEN125_UP, BFN, AT(BITS(45, 44))),
    ROW(DEPTH, EU_GEN125_UP, DPAS, AT(BITS(49, 48))),
    ROW(REPEAT, EU_GEN125_UP, DPAS, AT(BITS(45, 43))),
    ROW(SRC1_SUBBYTE, EU_GEN125_UP, DPAS, AT(BITS(87, 86))),
    ROW(SRC2_SUBBYTE, EU_GEN125_UP, DPAS, AT(BITS(85, 84))),
    BLOCK_SOURCE(SRC0, 64),
    BLOCK_SOURCE(SRC1, 96),
    BLOCK_SOURCE(SRC2, 112),

    /* Branches. */
    ROW(UIP, EU_GEN8_11, BRANCH, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(95, 64))),
    ROW(JIP, EU_GEN8_11, BRANCH, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(127, 96))),
    ROW(JIP, EU_GEN6_11, JUMP, WHEN(IS(SRC1_IMMEDIATE, 1)), AT(BITS(127, 96))),
    ROW(JIP, EU_GEN8_UP, MERGE, AT(BITS(127, 96))),
    ROW(SRC0_IMMEDIATE, EU_GEN12_UP, JUMP | MERGE | BRANCH, AT(BIT(46))),
    ROW(JIP, EU_GEN6, MERGE, AT(BITS(63, 48))),
    ROW(JIP, EU_GEN7_75, MERGE, AT(BITS(111, 96))),
    ROW(JIP, EU_GEN6_75, BRANCH, AT(BITS(111, 96))),
    ROW(UIP, EU_GEN6_75, BRANCH, AT(BITS(127, 112))),
    ROW(SRC1_IMMEDIATE, EU_GEN12_UP, BRANCH, AT(BIT(47))),
    ROW(SRC0_FILE, EU_GEN12_UP, JUMP | BRANCH, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BIT(66))),
    ROW(SRC0_REGISTER, EU_GEN12_UP, JUMP | BRANCH, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BITS(79, 72))),
    ROW(SRC0_SUBREGISTER, EU_GEN12_125, JUMP | BRANCH, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BITS(71, 67))),
    ROW(SRC0_SUBREGISTER, EU_GEN200, JUMP | BRANCH, WHEN(IS(SRC0_IMMEDIATE, 0)), AT(BITS(71, 67)),
        .shift = 1),
    ROW(UIP, EU_GEN12_UP, BRANCH, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(95, 64))),
    ROW(JIP, EU_GEN12_UP, JUMP | BRANCH, WHEN(IS(SRC0_IMMEDIATE, 1)), AT(BITS(127, 96))),

    /* Messages. */
    ROW(EOT, EU_GEN6_11, MESSAGE, AT(BIT(127))),
    ROW(SRC0_INDIRECT, EU_GEN6_11, MESSAGE, AT(BIT(79))),
    ROW(SRC0_REGISTER, EU_GEN6_11, MESSAGE, WHEN(IS(SRC0_INDIRECT, 0)), AT(BITS(76, 69))),
    ROW(SRC0_SUBREGISTER, EU_GEN9_11, MESSAGE, WHEN(IS(SRC0_INDIRECT, 0)), AT(BIT(68)), .shift = 4),
    ROW(SRC0_SUBREGISTER, EU_GEN8, SEND, WHEN(IS(SRC0_INDIRECT, 0)), AT(BITS(68, 64))),
    ROW(SRC0_ADDRESS, EU_GEN8_11, MESSAGE, WHEN(IS(SRC0_INDIRECT, 1)), AT(BITS(76, 73))),
    ROW(SRC0_OFFSET, EU_GEN8, SEND, WHEN(IS(SRC0_INDIRECT, 1)), AT(BITS(72, 64), BIT(95))),
    ROW(DESCRIPTOR_IN_REGISTER, EU_GEN8_11, SEND, AT(BIT(90)), .flip = 1),
    ROW(SRC1_REGISTER, EU_GEN8_11, SEND, WHEN(IS(DESCRIPTOR_IN_REGISTER, 1)), AT(BITS(108, 101))),
    ROW(SRC0_ADDRESS, EU_GEN6_75, MESSAGE, WHEN(IS(SRC0_INDIRECT, 1)), AT(BITS(76, 74))),
    ROW(DESCRIPTOR_IN_REGISTER, EU_GEN6_75, SEND, AT(BIT(43)), .flip = 1),
    ROW(SRC1_REGISTER, EU_GEN6_75, SEND, WHEN(IS(DESCRIPTOR_IN_REGISTER, 1)), AT(BITS(108, 101))),
    ROW(DESCRIPTOR, EU_GEN6_75, SEND, WHEN(IS(DESCRIPTOR_IN_REGISTER, 0)), AT(BITS(124, 96))),
    ROW(DESCRIPTOR_IN_REGISTER, EU_GEN8_11, SENDS, AT(BIT(77))),
    ROW(DESCRIPTOR, EU_GEN9_11, MESSAGE, WHEN(IS(DESCRIPTOR_IN_REGISTER, 0)), AT(BITS(126, 96))),
    ROW(DESCRIPTOR, EU_GEN8, SEND, WHEN(IS(DESCRIPTOR_IN_REGISTER, 0)), AT(BITS(124, 96))),
    ROW(EXTENDED, EU_GEN9_11, SEND, AT(BITS(67, 64), BITS(83, 80), BITS(88, 85), BITS(94, 91)), .shift = 16),
    ROW(EXTENDED_IN_REGISTER, EU_GEN8_11, SENDS, AT(BIT(61))),
    ROW(EXTENDED, EU_GEN8_11, SENDS, WHEN(IS(EXTENDED_IN_REGISTER, 0)), AT(BITS(95, 80)), .shift = 16),
    ROW(SRC1_LENGTH, EU_GEN8_11, SENDS, WHEN(IS(EXTENDED_IN_REGISTER, 0)), AT(BITS(67, 64))),
    ROW(EXTENDED_SUBREGISTER, EU_GEN8_11, SENDS, WHEN(IS(EXTENDED_IN_REGISTER, 1)), AT(BITS(82, 80))),
    ROW(SRC1_FILE, EU_GEN8_11, SENDS, AT(BIT(36))),
    ROW(SRC1_REGISTER, EU_GEN8_11, SENDS, AT(BITS(51, 44))),
    ROW(EOT, EU_GEN12_UP, SEND, AT(BIT(34))),
    ROW(SRC0_FILE, EU_GEN12_UP, SEND, AT(BIT(66))),
    ROW(SRC0_REGISTER, EU_GEN12_UP, SEND, AT(BITS(79, 72))),
    ROW(SRC1_FILE, EU_GEN12_UP, SEND, AT(BIT(98))),
    ROW(SRC1_REGISTER, EU_GEN12_UP, SEND, AT(BITS(111, 104))),
    ROW(DESCRIPTOR_IN_REGISTER, EU_GEN12_UP, SEND, AT(BIT(48))),
    ROW(DESCRIPTOR, EU_GEN12_UP, SEND, WHEN(IS(DESCRIPTOR_IN_REGISTER, 0)),
        AT(BITS(91, 81), BITS(121, 113), BITS(55, 51), BITS(71, 67), BITS(123, 122))),
    ROW(EXTENDED_IN_REGISTER, EU_GEN12_UP, SEND, AT(BIT(49))),
    ROW(EXTENDED_SUBREGISTER, EU_GEN12_UP, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 1)), AT(BITS(42, 40))),
    ROW(EXTENDED, EU_GEN12, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 0)),
        AT(BITS(103, 99), BITS(47, 35), BITS(65, 64), BITS(97, 96), BITS(127, 124)), .shift = 6),
    ROW(EX_BSO, EU_GEN125, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 1)), AT(BIT(39))),
    /* Untyped memory has it always. */
    ROW(EX_BSO, EU_GEN200, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 1), IN(CONDITION, NOT & ~UGM)), AT(BIT(39))),
    ROW(EX_BSO, EU_GEN200, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 1), IN(CONDITION, UGM)), .flip = 1),
    ROW(EXTENDED_BESIDE_REGISTER, EU_GEN200, SEND,
        WHEN(IS(EXTENDED_IN_REGISTER, 1), IN(CONDITION, NOT & ~UGM)),
        AT(BITS(38, 35), BITS(47, 43), BITS(65, 64), BITS(97, 96), BITS(127, 124))),
    ROW(EXTENDED_BESIDE_REGISTER, EU_GEN200, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 1), IN(CONDITION, UGM)),
        AT(BITS(39, 35), BITS(47, 43), BITS(65, 64), BITS(97, 96), BITS(127, 124))),
    ROW(CPS, EU_GEN125, SEND, WHEN(IS(EX_BSO, 1)), AT(BIT(35))),
    ROW(SRC1_LENGTH, EU_GEN125_UP, SEND, WHEN(IS(EX_BSO, 1)), AT(BITS(103, 99))),
    ROW(SRC1_LENGTH, EU_GEN125_UP, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 0)), AT(BITS(103, 99))),
    ROW(EXTENDED, EU_GEN125_UP, SEND, WHEN(IS(EXTENDED_IN_REGISTER, 0)),
        AT(BITS(47, 35), BITS(65, 64), BITS(97, 96), BITS(127, 124)), .shift = 11),
};

const unsigned eu_field_row_count = sizeof eu_field_rows / sizeof eu_field_rows[0];
