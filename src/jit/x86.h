/*
 * Emitter of the x86-64 instructions that translations use (AVX2, FMA), by tables of their encodings: vectors
 * of eight lanes, and general registers for masks and jumps. An address is a base register and a 32-bit
 * displacement, or relative to IP.
 */
#ifndef JIT_X86_H
#define JIT_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* General registers by their numbers; X86_IP only as a base. */
enum x86_register {
    X86_AX,
    X86_CX,
    X86_DX,
    X86_SI = 6,
    X86_DI,
    X86_R8,
    X86_R9,
    X86_R10,
    X86_R11,
    X86_IP = 16
};

/* The last operand: a register, or memory at base + at (X86_IP: offset in the code). */
struct x86_from {
    bool is_memory;
    uint8_t number; /* the register, or the base */
    int32_t at;
};

/* The code that is written, and its size so far. */
struct x86 {
    uint8_t *bytes; /* the writable mapping */
    size_t at, size;
    bool full; /* the code did not fit */
};

static inline struct x86_from x86_in(unsigned number)
{
    return (struct x86_from){.number = (uint8_t)number};
}

static inline struct x86_from x86_at(unsigned base, size_t at)
{
    return (struct x86_from){true, (uint8_t)base, (int32_t)at};
}

static inline void x86_byte(struct x86 *x, unsigned byte)
{
    if (x->at >= x->size)
        x->full = true;
    else
        x->bytes[x->at++] = (uint8_t)byte;
}

static inline void x86_dword(struct x86 *x, uint32_t dword)
{
    for (unsigned n = 0; n < 4; n++)
        x86_byte(x, dword >> 8 * n & 0xff);
}

/* Writes ModRM and displacement. `behind` is the number of bytes that follow in the instruction, for
 * addresses relative to IP. */
static inline void x86_operand(struct x86 *x, unsigned reg, struct x86_from from, unsigned behind)
{
    reg = (reg & 7u) << 3;
    if (!from.is_memory) {
        x86_byte(x, 0xc0 | reg | (from.number & 7u));
    } else if (from.number == X86_IP) {
        x86_byte(x, reg | 5u);
        x86_dword(x, (uint32_t)from.at - (uint32_t)(x->at + 4u + behind));
    } else {
        x86_byte(x, 0x80 | reg | (from.number & 7u)); /* no base is sp or r12, which would need SIB */
        x86_dword(x, (uint32_t)from.at);
    }
}

/* ---- Vectors ---- */

/*   name, prefix (0; 1: 66h, 2: f3h), map (1: 0fh, 2: 0f38h, 3: 0f3ah), opcode, VEX.L (and W) */
#define X86_VECTORS(V)                                                                                       \
    V(MOVE, 0, 1, 0x28, 1)                                                                                   \
    V(LOAD, 0, 1, 0x10, 1)                                                                                   \
    V(STORE, 0, 1, 0x11, 1)                                                                                  \
    V(STORE_ONE, 2, 1, 0x11, 0)                                                                              \
    V(FROM_GENERAL, 1, 1, 0x6e, 0)                                                                           \
    V(BROADCAST, 1, 2, 0x18, 1)                                                                              \
    V(MASK_BITS, 0, 1, 0x50, 1)                                                                              \
    V(FADD, 0, 1, 0x58, 1)                                                                                   \
    V(FMUL, 0, 1, 0x59, 1)                                                                                   \
    V(FSUB, 0, 1, 0x5c, 1)                                                                                   \
    V(FMIN, 0, 1, 0x5d, 1)                                                                                   \
    V(FMAX, 0, 1, 0x5f, 1)                                                                                   \
    V(FCMP, 0, 1, 0xc2, 1)                                                                                   \
    V(FMADD_231, 1, 2, 0xb8, 1)                                                                              \
    V(FMSUB_231, 1, 2, 0xba, 1)                                                                              \
    V(FNMADD_231, 1, 2, 0xbc, 1)                                                                             \
    V(FNMSUB_231, 1, 2, 0xbe, 1)                                                                             \
    V(TO_FLOAT, 0, 1, 0x5b, 1)                                                                               \
    V(ADD, 1, 1, 0xfe, 1)                                                                                    \
    V(SUB, 1, 1, 0xfa, 1)                                                                                    \
    V(MUL, 1, 2, 0x40, 1)                                                                                    \
    V(AND, 1, 1, 0xdb, 1)                                                                                    \
    V(OR, 1, 1, 0xeb, 1)                                                                                     \
    V(XOR, 1, 1, 0xef, 1)                                                                                    \
    V(SHL, 1, 2, 0x47, 1)                                                                                    \
    V(SHR, 1, 2, 0x45, 1)                                                                                    \
    V(ASR, 1, 2, 0x46, 1)                                                                                    \
    V(MIN, 1, 2, 0x39, 1)                                                                                    \
    V(MIN_UNSIGNED, 1, 2, 0x3b, 1)                                                                           \
    V(MAX, 1, 2, 0x3d, 1)                                                                                    \
    V(MAX_UNSIGNED, 1, 2, 0x3f, 1)                                                                           \
    V(EQUAL, 1, 1, 0x76, 1)                                                                                  \
    V(GREATER, 1, 1, 0x66, 1)                                                                                \
    V(SHIFT_FIXED, 1, 1, 0x72, 1)                                                                            \
    V(BLEND, 1, 3, 0x4a, 1)                                                                                  \
    V(BLEND_QWORDS, 1, 3, 0x4b, 1)                                                                           \
    V(PICK, 0, 1, 0xc6, 1)                                                                                   \
    V(ORDER_QWORDS, 1, 3, 0x00, 1 | X86_W)                                                                   \
    V(UPPER_HALF, 1, 3, 0x39, 1)                                                                             \
    V(STORE_HALF, 0, 1, 0x11, 0)                                                                             \
    V(BROADCAST_DOUBLE, 1, 2, 0x19, 1)                                                                       \
    V(BROADCAST_WORD, 1, 2, 0x79, 1)                                                                         \
    V(BROADCAST_BYTE, 1, 2, 0x78, 1)                                                                         \
    V(FROM_SIGNED_WORDS, 1, 2, 0x23, 1)                                                                      \
    V(FROM_WORDS, 1, 2, 0x33, 1)                                                                             \
    V(FROM_SIGNED_BYTES, 1, 2, 0x21, 1)                                                                      \
    V(FROM_BYTES, 1, 2, 0x31, 1)                                                                             \
    V(FROM_HALVES, 1, 2, 0x13, 1)                                                                            \
    V(TO_HALVES, 1, 3, 0x1d, 1)                                                                              \
    V(PACK_WORDS, 1, 2, 0x2b, 1)                                                                             \
    V(PACK_BYTES, 1, 1, 0x67, 1)                                                                             \
    V(STORE_QUARTER, 1, 1, 0xd6, 0)                                                                          \
    V(FADD_DOUBLE, 1, 1, 0x58, 1)                                                                            \
    V(FMUL_DOUBLE, 1, 1, 0x59, 1)                                                                            \
    V(FCMP_DOUBLE, 1, 1, 0xc2, 1)                                                                            \
    V(FMADD_231_DOUBLE, 1, 2, 0xb8, 1 | X86_W)                                                               \
    V(FMSUB_231_DOUBLE, 1, 2, 0xba, 1 | X86_W)                                                               \
    V(FNMADD_231_DOUBLE, 1, 2, 0xbc, 1 | X86_W)                                                              \
    V(FNMSUB_231_DOUBLE, 1, 2, 0xbe, 1 | X86_W)                                                              \
    V(MUL_QWORDS, 1, 2, 0x28, 1)                                                                             \
    V(MUL_UNSIGNED_QWORDS, 1, 1, 0xf4, 1)                                                                    \
    V(ADD_QWORDS, 1, 1, 0xd4, 1)                                                                             \
    V(SHIFT_FIXED_QWORDS, 1, 1, 0x73, 1)                                                                     \
    V(TO_INTEGER, 2, 1, 0x5b, 1)                                                                             \
    V(TO_QWORDS, 1, 2, 0x35, 1)                                                                              \
    V(TO_SIGNED_QWORDS, 1, 2, 0x25, 1)

enum { X86_W = 1 << 5 }; /* distance of W from L in the table's bits */

enum x86_vector {
#define X86_NAME(name, prefix, map, opcode, wide) X86_##name,
    X86_VECTORS(X86_NAME)
#undef X86_NAME
        X86_VECTOR_COUNT
};

enum { X86_UNUSED = 0, X86_FIXED_SHR = 2, X86_FIXED_ASR = 4, X86_FIXED_SHL = 6 };
enum {
    X86_IS_EQUAL = 0,
    X86_IS_LESS = 1,
    X86_IS_NOT_MORE = 2,
    X86_IS_UNORDERED = 3,
    X86_IS_ORDERED = 7,
    X86_IS_OTHER = 12,
    X86_IS_NOT_LESS = 13
};

static inline void x86_vector_form(struct x86 *x, enum x86_vector name, unsigned to, unsigned first,
                                   struct x86_from last, unsigned behind)
{
    static const struct {
        uint8_t prefix, map, opcode, wide;
    } rows[X86_VECTOR_COUNT] = {
#define X86_ROW(name, prefix, map, opcode, wide) [X86_##name] = {prefix, map, opcode, wide},
        X86_VECTORS(X86_ROW)
#undef X86_ROW
    };
    const bool high = last.number != X86_IP && last.number & 8u;
    x86_byte(x, 0xc4);
    x86_byte(x, (to & 8u ? 0u : 0x80u) | 0x40u | (high ? 0u : 0x20u) | rows[name].map);
    x86_byte(x, (~first & 15u) << 3 | (unsigned)rows[name].wide << 2 | rows[name].prefix);
    x86_byte(x, rows[name].opcode);
    x86_operand(x, to, last, behind);
}

/* Writes: to = first NAME last. Moves and stores do not use `first`; stores write `to`. */
static inline void x86_vector(struct x86 *x, enum x86_vector name, unsigned to, unsigned first,
                              struct x86_from last)
{
    x86_vector_form(x, name, to, first, last, 0);
}

/* The same with an immediate byte: a condition, a count, or a mask register (<< 4). */
static inline void x86_vector_byte(struct x86 *x, enum x86_vector name, unsigned to, unsigned first,
                                   struct x86_from last, unsigned byte)
{
    x86_vector_form(x, name, to, first, last, 1);
    x86_byte(x, byte);
}

/* ---- General registers ---- */

/*   name, opcode (of two bytes: 0f..h), prefix 66h, 64 bits, and /digit if it has one */
#define X86_GENERALS(G)                                                                                      \
    G(LOAD_DWORD, 0x8b, 0, 0)                                                                                \
    G(LOAD_QWORD, 0x8b, 0, 1)                                                                                \
    G(LOAD_WORD, 0x0fb7, 0, 0)                                                                               \
    G(LOAD_BYTE, 0x0fb6, 0, 0)                                                                               \
    G(STORE_QWORD, 0x89, 0, 1)                                                                               \
    G(STORE_DWORD, 0x89, 0, 0)                                                                               \
    G(STORE_WORD, 0x89, 1, 0)                                                                                \
    G(STORE_BYTE, 0x88, 0, 0)                                                                                \
    G(BITS_AND, 0x23, 0, 0)                                                                                  \
    G(BITS_OR, 0x0b, 0, 0)                                                                                   \
    G(BITS_XOR, 0x33, 0, 0)                                                                                  \
    G(COMPARE, 0x3b, 0, 0)                                                                                   \
    G(COMPARE_QWORD, 0x3b, 0, 1)                                                                             \
    G(TEST_QWORD, 0x85, 0, 1)                                                                                \
    G(TEST, 0x85, 0, 0)                                                                                      \
    G(ADDRESS, 0x8d, 0, 1)                                                                                   \
    G(DIGIT_DWORD, 0x81, 0, 0)                                                                               \
    G(DIGIT_QWORD, 0x81, 0, 1)                                                                               \
    G(DIGIT_SHIFT, 0xc1, 0, 0)                                                                               \
    G(DIGIT_TEST_BYTE, 0xf6, 0, 0)                                                                           \
    G(DIGIT_JUMP, 0xff, 0, 0)

enum x86_general {
#define X86_NAME(name, opcode, prefix, wide) X86_##name,
    X86_GENERALS(X86_NAME)
#undef X86_NAME
        X86_GENERAL_COUNT
};

static inline void x86_push(struct x86 *x, unsigned reg)
{
    x86_byte(x, 0x50u | reg); /* only the first eight registers */
}

static inline void x86_pop(struct x86 *x, unsigned reg)
{
    x86_byte(x, 0x58u | reg);
}

enum { X86_DIGIT_AND = 4, X86_DIGIT_SUB = 5, X86_DIGIT_XOR = 6, X86_DIGIT_COMPARE = 7 };
enum {
    X86_DIGIT_ROL = 0,
    X86_DIGIT_SHL = 4,
    X86_DIGIT_SHR = 5,
    X86_DIGIT_TEST = 0,
    X86_DIGIT_CALL = 2,
    X86_DIGIT_TO = 4
};

static inline void x86_general_form(struct x86 *x, enum x86_general name, unsigned reg, struct x86_from last,
                                    unsigned behind)
{
    static const struct {
        uint16_t opcode;
        uint8_t prefix, wide;
    } rows[X86_GENERAL_COUNT] = {
#define X86_ROW(name, opcode, prefix, wide) [X86_##name] = {opcode, prefix, wide},
        X86_GENERALS(X86_ROW)
#undef X86_ROW
    };
    const bool high = last.number != X86_IP && last.number & 8u;
    if (rows[name].prefix)
        x86_byte(x, 0x66);
    x86_byte(x, 0x40u | (unsigned)rows[name].wide << 3 | (reg & 8u ? 4u : 0u) | (high ? 1u : 0u));
    if (rows[name].opcode > UINT8_MAX)
        x86_byte(x, rows[name].opcode >> 8);
    x86_byte(x, rows[name].opcode & 0xffu);
    x86_operand(x, reg, last, behind);
}

static inline void x86_general(struct x86 *x, enum x86_general name, unsigned reg, struct x86_from last)
{
    x86_general_form(x, name, reg, last, 0);
}

/* With a 32-bit immediate. */
static inline void x86_immediate32(struct x86 *x, enum x86_general name, unsigned digit, unsigned reg,
                                   uint32_t number)
{
    x86_general_form(x, name, digit, x86_in(reg), 4);
    x86_dword(x, number);
}

/* With an 8-bit immediate. */
static inline void x86_general_byte(struct x86 *x, enum x86_general name, unsigned digit, struct x86_from of,
                                    unsigned byte)
{
    x86_general_form(x, name, digit, of, 1);
    x86_byte(x, byte);
}

static inline void x86_constant(struct x86 *x, unsigned reg, uint64_t value)
{
    x86_byte(x, 0x48 | (reg & 8u ? 1u : 0u));
    x86_byte(x, 0xb8 | (reg & 7u));
    x86_dword(x, (uint32_t)value);
    x86_dword(x, (uint32_t)(value >> 32));
}

/* ---- Jumps ---- */

enum x86_condition {
    X86_IF_ZERO = 4,
    X86_IF_NOT_ZERO = 5,
    X86_IF_NOT_ABOVE = 6,
    X86_IF_ABOVE = 7,
    X86_ALWAYS
};

/* Writes a jump; x86_land sets its target. Returns the jump. */
static inline size_t x86_jump(struct x86 *x, enum x86_condition condition)
{
    if (condition == X86_ALWAYS) {
        x86_byte(x, 0xe9);
    } else {
        x86_byte(x, 0x0f);
        x86_byte(x, 0x80u | condition);
    }
    x86_dword(x, 0);
    return x->at;
}

static inline void x86_land_at(struct x86 *x, size_t jump, size_t at)
{
    const uint32_t far = (uint32_t)(at - jump);
    if (!x->full)
        memcpy(x->bytes + jump - sizeof far, &far, sizeof far);
}

static inline void x86_land(struct x86 *x, size_t jump)
{
    x86_land_at(x, jump, x->at);
}

#endif
