/*
 * Tables of operations and types, and the instruction sets of the generations. Opcodes and the generations
 * that have them: Intel's graphics assembler (visa/iga, Models).
 */
#include "isa/isa.h"

enum {
    P = EU_PREDICATED,
    C = EU_CONDITIONAL,
    S = EU_SATURATABLE,
    M = EU_SOURCE_MODIFIERS,
    B = EU_BITWISE,
    BR = EU_BRANCH_CONTROL,
    T = EU_NO_EXECUTION_SIZE,
    U = EU_BRANCH_INVERTS,
    GEN11_UP = EU_GEN8_UP & ~EU_GEN8_9,
    NO12 = EU_GEN8_UP & ~EU_GEN12,
};

#define OPERATION(n, what, text, set, gen6_opcode, gen12_opcode, f, count, may)                              \
    {                                                                                                        \
        .name = (n), .opcode = EU_##what, .summary = (text), .generations = (set),                           \
        .gen6_code = (gen6_opcode), .gen12_code = (gen12_opcode), .form = FORM_##f, .sources = (count),      \
        .flags = (may)                                                                                       \
    }

const struct eu_operation eu_operations[] = {
    OPERATION("illegal", ILLEGAL, "raises the illegal opcode exception", EU_ALL, 0x00, 0x00, NONE, 0, T),
    OPERATION("mov", MOV, "copies, converts", EU_ALL, 0x01, 0x61, UNARY, 1, P | C | S | M),
    OPERATION("dim", MOV, "copies an immediate double", EU_GEN75, 0x0a, 0, DIM, 1, P | C | S),
    OPERATION("sel", SEL, "selects one of two sources by a flag, or the minimum or maximum", EU_ALL, 0x02,
              0x62, BINARY, 2, P | C | S | M),
    OPERATION("movi", MOVI, "copies by an address for each channel", EU_GEN6_9, 0x03, 0x63, BINARY, 1,
              P | S | M),
    OPERATION("movi", MOVI, "copies by an address for each channel", GEN11_UP, 0x03, 0x63, BINARY, 2,
              P | S | M),
    OPERATION("not", NOT, "each bit inverted", EU_ALL, 0x04, 0x64, UNARY, 1, P | C | M | B),
    OPERATION("and", AND, "bits set in both", EU_ALL, 0x05, 0x65, BINARY, 2, P | C | M | B),
    OPERATION("or", OR, "bits set in either", EU_ALL, 0x06, 0x66, BINARY, 2, P | C | M | B),
    OPERATION("xor", XOR, "bits set in one", EU_ALL, 0x07, 0x67, BINARY, 2, P | C | M | B),
    OPERATION("shr", SHR, "shift right, zeros come in", EU_ALL, 0x08, 0x68, BINARY, 2, P | C | S | M),
    OPERATION("shl", SHL, "shift left", EU_ALL, 0x09, 0x69, BINARY, 2, P | C | S | M),
    OPERATION("smov", SMOV, "copies single channels to an indirect destination", EU_GEN8_11, 0x0a, 0, BINARY,
              2, P),
    OPERATION("bfn", BFN, "any bitwise function of three sources, by its truth table", EU_GEN125_UP, 0, 0x6b,
              BFN, 3, P | C),
    OPERATION("asr", ASR, "shift right, the sign comes in", EU_ALL, 0x0c, 0x6c, BINARY, 2, P | C | S | M),
    OPERATION("ror", ROR, "rotate right", GEN11_UP, 0x0e, 0x6e, BINARY, 2, P | C),
    OPERATION("rol", ROL, "rotate left", GEN11_UP, 0x0f, 0x6f, BINARY, 2, P | C),
    OPERATION("cmp", CMP, "compares to flags and to a mask", EU_ALL, 0x10, 0x70, BINARY, 2, P | C | M),
    OPERATION("cmpn", CMPN, "cmp, true if the second source is NaN", EU_ALL, 0x11, 0x71, BINARY, 2,
              P | C | M),
    OPERATION("csel", CSEL, "selects one of two sources by comparing the third with zero", EU_GEN8_UP, 0x12,
              0x72, TERNARY, 3, C | S | M),
    OPERATION("f32to16", F32TO16, "converts to half precision", EU_GEN7_75, 0x13, 0, UNARY, 1, P | C | S | M),
    OPERATION("f16to32", F16TO32, "converts from half precision", EU_GEN7_75, 0x14, 0, UNARY, 1,
              P | C | S | M),
    OPERATION("bfrev", BFREV, "bits in reverse order", EU_GEN7_UP, 0x17, 0x77, UNARY, 1, P),
    OPERATION("bfe", BFE, "extracts a bit field", EU_GEN7_UP, 0x18, 0x78, TERNARY, 3, P),
    OPERATION("bfi1", BFI1, "the mask of a bit field", EU_GEN7_UP, 0x19, 0x79, BINARY, 2, P),
    OPERATION("bfi2", BFI2, "inserts a bit field by its mask", EU_GEN7_UP, 0x1a, 0x7a, TERNARY, 3, P),
    OPERATION("jmpi", JMPI, "jumps, all channels together", EU_ALL, 0x20, 0x20, JUMP, 1, P | T),
    OPERATION("brd", BRD, "branch, diverging", EU_GEN7_UP, 0x21, 0x21, BRANCH, 1, P),
    OPERATION("if", IF, "channels whose condition holds go on", EU_GEN8_UP, 0x22, 0x22, BRANCH, 2, P | BR),
    OPERATION("if", IF, "channels whose condition holds go on", EU_GEN7_75, 0x22, 0, BRANCH, 2, P),
    OPERATION("if", IF, "channels whose condition holds go on", EU_GEN6, 0x22, 0, MERGE, 1, P),
    OPERATION("brc", BRC, "branch, converging", EU_GEN7_UP, 0x23, 0x23, BRANCH, 2, P),
    OPERATION("else", ELSE, "the other channels of an if", EU_GEN8_UP, 0x24, 0x24, BRANCH, 2, BR),
    OPERATION("else", ELSE, "the other channels of an if", EU_GEN6_75, 0x24, 0, MERGE, 1, 0),
    OPERATION("endif", ENDIF, "enables all channels of an if again", EU_ALL, 0x25, 0x25, MERGE, 1, 0),
    OPERATION("while", WHILE, "jumps back to the begin of the loop", EU_ALL, 0x27, 0x27, MERGE, 1, P),
    OPERATION("break", BREAK, "leaves a loop", EU_GEN7_UP, 0x28, 0x28, BRANCH, 2, P),
    OPERATION("break", HALT, "leaves a loop, to the instruction after its end", EU_GEN6, 0x28, 0, BRANCH, 2,
              P),
    OPERATION("cont", CONT, "continues with the next iteration of a loop", EU_ALL, 0x29, 0x29, BRANCH, 2, P),
    OPERATION("halt", HALT, "ends the channels of a program", EU_ALL, 0x2a, 0x2a, BRANCH, 2, P),
    OPERATION("calla", CALLA, "calls at an address", EU_GEN75 | EU_GEN8_UP, 0x2b, 0x2b, JUMP, 1, P),
    OPERATION("call", CALL, "calls a subroutine", EU_ALL, 0x2c, 0x2c, JUMP, 1, P),
    OPERATION("ret", RET, "returns from a subroutine", EU_ALL, 0x2d, 0x2d, JUMP, 1, P),
    OPERATION("goto", GOTO, "channels whose predicate is false leave to UIP", EU_GEN8_9, 0x2e, 0x2e, BRANCH,
              2, P | BR | U),
    OPERATION("goto", GOTO, "channels leave to UIP", GEN11_UP, 0x2e, 0x2e, BRANCH, 2, P | BR),
    OPERATION("join", JOIN, "enables the channels that wait here", EU_GEN8_UP, 0x2f, 0x2f, MERGE, 1, P),
    OPERATION("wait", WAIT, "waits for a notification", EU_GEN6_11, 0x30, 0, UNARY, 1, T),
    OPERATION("sync", SYNC, "waits as its function says", EU_GEN12_UP, 0, 0x01, UNARY, 1, T),
    OPERATION("send", SEND, "sends a message", EU_GEN6_11, 0x31, 0, SEND, 1, P),
    OPERATION("send", SEND, "sends a message", EU_GEN12_UP, 0, 0x31, SEND, 2, P),
    OPERATION("sendc", SENDC, "sends when threads before it are done", EU_GEN6_11, 0x32, 0, SEND, 1, P),
    OPERATION("sendc", SENDC, "sends when threads before it are done", EU_GEN12_UP, 0, 0x32, SEND, 2, P),
    OPERATION("sends", SENDS, "sends a message in two parts", EU_GEN9_11, 0x33, 0, SENDS, 2, P),
    OPERATION("sendsc", SENDSC, "sends two parts when threads before it are done", EU_GEN9_11, 0x34, 0, SENDS,
              2, P),
    OPERATION("math", MATH, "an extended mathematical function", EU_ALL, 0x38, 0x38, BINARY, 0, P | S | M),
    OPERATION("add", ADD, "sum", EU_ALL, 0x40, 0x40, BINARY, 2, P | C | S | M),
    OPERATION("mul", MUL, "product", EU_ALL, 0x41, 0x41, BINARY, 2, P | C | S | M),
    OPERATION("avg", AVG, "average, rounded up", EU_ALL, 0x42, 0x42, BINARY, 2, P | C | S | M),
    OPERATION("frc", FRC, "fraction above the next lower integer", EU_ALL, 0x43, 0x43, UNARY, 1, P | C | M),
    OPERATION("rndu", RNDU, "rounded up", EU_ALL, 0x44, 0x44, UNARY, 1, P | C | S | M),
    OPERATION("rndd", RNDD, "rounded down", EU_ALL, 0x45, 0x45, UNARY, 1, P | C | S | M),
    OPERATION("rnde", RNDE, "rounded to the nearest, or even", EU_ALL, 0x46, 0x46, UNARY, 1, P | C | S | M),
    OPERATION("rndz", RNDZ, "rounded to zero", EU_ALL, 0x47, 0x47, UNARY, 1, P | C | S | M),
    OPERATION("mac", MAC, "product and accumulator", EU_ALL, 0x48, 0x48, BINARY, 2, P | C | S | M),
    OPERATION("mach", MACH, "high half of a product of 64 bits", EU_GEN6_11, 0x49, 0, BINARY, 2, P | S | M),
    OPERATION("mach", MACH, "high half of a product of 64 bits", EU_GEN12_UP, 0, 0x49, BINARY, 2, P | M),
    OPERATION("lzd", LZD, "leading zeros", EU_ALL & ~EU_GEN200, 0x4a, 0x4a, UNARY, 1, P | C | S | M),
    OPERATION("lzd", LZD, "leading zeros", EU_GEN200, 0, 0x4a, UNARY, 1, P | C | S),
    OPERATION("fbh", FBH, "first bit that is not the sign, from above", EU_GEN7_UP, 0x4b, 0x4b, UNARY, 1, P),
    OPERATION("fbl", FBL, "first bit set, from below", EU_GEN7_UP, 0x4c, 0x4c, UNARY, 1, P),
    OPERATION("cbit", CBIT, "bits set", EU_GEN7_UP, 0x4d, 0x4d, UNARY, 1, P),
    OPERATION("addc", ADDC, "sum, carry to the accumulator", EU_GEN7_UP, 0x4e, 0x4e, BINARY, 2, P | C),
    OPERATION("subb", SUBB, "difference, borrow to the accumulator", EU_GEN7_UP, 0x4f, 0x4f, BINARY, 2,
              P | C | S),
    OPERATION("sad2", SAD2, "sum of two absolute differences", EU_GEN6_9, 0x50, 0, BINARY, 2, P | C | S | M),
    OPERATION("sada2", SADA2, "sad2 and accumulator", EU_GEN6_9, 0x51, 0, BINARY, 2, P | C | S | M),
    OPERATION("add3", ADD3, "sum of three", EU_GEN125_UP, 0, 0x52, TERNARY, 3, P | C | S | M),
    OPERATION("macl", MACL, "low half of a product of 64 bits", EU_GEN200, 0, 0x53, BINARY, 2, P | M),
    OPERATION("dp4", DP4, "dot product of four", EU_GEN6_9, 0x54, 0, BINARY, 2, P | C | S | M),
    OPERATION("srnd", SRND, "rounds to a shorter float by random bits", EU_GEN200, 0, 0x54, BINARY, 2, 0),
    OPERATION("dph", DPH, "dot product, the fourth is 1", EU_GEN6_9, 0x55, 0, BINARY, 2, P | C | S | M),
    OPERATION("dp3", DP3, "dot product of three", EU_GEN6_9, 0x56, 0, BINARY, 2, P | C | S | M),
    OPERATION("dp2", DP2, "dot product of two", EU_GEN6_9, 0x57, 0, BINARY, 2, P | C | S | M),
    OPERATION("dp4a", DP4A, "dot product of four bytes and a sum", EU_GEN12_UP, 0, 0x58, TERNARY, 3,
              P | C | S),
    OPERATION("line", LINE, "a line equation", EU_GEN6_9, 0x59, 0, BINARY, 2, P | C | S | M),
    OPERATION("dpas", DPAS, "products of blocks, accumulated", EU_GEN125_UP, 0, 0x59, DPAS, 3, 0),
    OPERATION("pln", PLN, "a plane equation", EU_GEN6_9, 0x5a, 0, BINARY, 2, P | C | S),
    OPERATION("dpasw", DPASW, "dpas shared by two execution units", EU_GEN125, 0, 0x5a, DPAS, 3, 0),
    OPERATION("mad", MAD, "product and sum", EU_ALL, 0x5b, 0x5b, TERNARY, 3, P | C | S | M),
    OPERATION("lrp", LRP, "linear interpolation", EU_GEN6_9, 0x5c, 0, TERNARY, 3, P | C | S | M),
    OPERATION("madm", MADM, "mad with extended precision", NO12, 0x5d, 0x5d, MACRO, 3, P | C | S | M),
    OPERATION("nop", NOP, "nothing", EU_ALL, 0x7e, 0x60, NONE, 0, T),
};

const unsigned eu_operation_count = sizeof eu_operations / sizeof eu_operations[0];

/* ---- Names of codes ---- */

const char *const eu_sync_names[EU_FUNCTIONS] = {
    [0] = "nop", [2] = "allrd", [3] = "allwr", [13] = "fence", [14] = "bar", [15] = "host",
};

const char *const eu_math_names[EU_FUNCTIONS] = {
    [1] = "inv",  [2] = "log",  [3] = "exp",   [4] = "sqt",   [5] = "rsqt",  [6] = "sin",   [7] = "cos",
    [9] = "fdiv", [10] = "pow", [11] = "idiv", [12] = "iqot", [13] = "irem", [14] = "invm", [15] = "rsqtm",
};

const struct eu_type_row eu_types[EU_TYPES] = {
    [TYPE_NONE] = {"?", 1}, [TYPE_UB] = {"ub", 1},   [TYPE_B] = {"b", 1},       [TYPE_UW] = {"uw", 2},
    [TYPE_W] = {"w", 2},    [TYPE_UD] = {"ud", 4},   [TYPE_D] = {"d", 4},       [TYPE_UQ] = {"uq", 8},
    [TYPE_Q] = {"q", 8},    [TYPE_HF] = {"hf", 2},   [TYPE_BF] = {"bf", 2},     [TYPE_F] = {"f", 4},
    [TYPE_DF] = {"df", 8},  [TYPE_NF] = {"nf", 4},   [TYPE_V] = {"v", 4},       [TYPE_UV] = {"uv", 4},
    [TYPE_VF] = {"vf", 4},  [TYPE_U4] = {"u4", 1},   [TYPE_S4] = {"s4", 1},     [TYPE_U2] = {"u2", 1},
    [TYPE_S2] = {"s2", 1},  [TYPE_BF8] = {"bf8", 1}, [TYPE_TF32] = {"tf32", 4},
};

#define GEN6_11_REGISTERS  TYPE_UD, TYPE_D, TYPE_UW, TYPE_W, TYPE_UB, TYPE_B
#define GEN6_11_IMMEDIATES TYPE_UD, TYPE_D, TYPE_UW, TYPE_W, TYPE_UV
/* From Gen12 on: bit 3 is float, bit 2 signed (of integers), bits 1:0 log2 of the bytes. */
#define GEN12_TYPES                                                                                          \
    [1] = TYPE_UW, [2] = TYPE_UD, [3] = TYPE_UQ, [5] = TYPE_W, [6] = TYPE_D, [7] = TYPE_Q, [9] = TYPE_HF,    \
    [10] = TYPE_F, [11] = TYPE_DF

#define ALIGN16_SET(id, bit)                                                                                 \
    .name = (id), .generation = (bit), .gen6_encoding = true, .ternary_is_align16 = true,                    \
    .register_types = {GEN6_11_REGISTERS, TYPE_DF, TYPE_F, TYPE_UQ, TYPE_Q, TYPE_HF},                        \
    .immediate_types = {GEN6_11_IMMEDIATES, TYPE_VF, TYPE_V, TYPE_F, TYPE_UQ, TYPE_Q, TYPE_DF, TYPE_HF},     \
    .align16_types = {TYPE_F, TYPE_D, TYPE_UD, TYPE_DF, TYPE_HF}, .first_mme = 2, .accumulator_count = 10,   \
    .flag_count = 2, .register_bytes = 32, .hs_instance_shift = 17

/* With three sources, all types are F. (SNB PRM vol 4 part 2) */
const struct eu_isa eu_gen6 = {
    .name = "gen6",
    .generation = EU_GEN6,
    .gen6_encoding = true,
    .ternary_is_align16 = true,
    .register_types = {GEN6_11_REGISTERS, [7] = TYPE_F},
    .immediate_types = {GEN6_11_IMMEDIATES, TYPE_VF, TYPE_V, TYPE_F},
    .align16_types = {TYPE_F},
    .first_mme = 16,
    .accumulator_count = 2,
    .flag_count = 2,
    .register_bytes = 32,
    .no_gpgpu = true,
    .mul_splits_src0 = true,
    .no_math_macros = true,
    .sampler_type_4bit = true,
    .whole_subspans = true,
    .mrf_count = 24,
    .jump_unit_bytes = 8,
    .jmpi_unit_bytes = 8,
};
/* Without message registers and 64-bit integers. (IVB PRM vol 4 part 3; HSW PRM vol 7) */
#define GEN7_SET(id, bit)                                                                                    \
    .name = (id), .generation = (bit), .gen6_encoding = true, .ternary_is_align16 = true,                    \
    .register_types = {GEN6_11_REGISTERS, TYPE_DF, TYPE_F},                                                  \
    .immediate_types = {GEN6_11_IMMEDIATES, TYPE_VF, TYPE_V, TYPE_F},                                        \
    .align16_types = {TYPE_F, TYPE_D, TYPE_UD, TYPE_DF}, .first_mme = 16, .accumulator_count = 2,            \
    .flag_count = 2, .register_bytes = 32, .mul_splits_src1 = true, .no_math_macros = true,                  \
    .whole_subspans = true, .align16_doubles_in_halves = true, .jump_unit_bytes = 8
const struct eu_isa eu_gen7 = {GEN7_SET("gen7", EU_GEN7), .doubles_in_pairs = true, .hs_instance_shift = 16,
                               .jmpi_unit_bytes = 8};
/* jmpi counts bytes. (i915's kernels that clear a context's residue, one for each of the two) */
const struct eu_isa eu_gen75 = {GEN7_SET("gen75", EU_GEN75), .hs_instance_shift = 17};
const struct eu_isa eu_gen8 = {ALIGN16_SET("gen8", EU_GEN8)};
const struct eu_isa eu_gen9 = {ALIGN16_SET("gen9", EU_GEN9)};

const struct eu_isa eu_gen11 = {
    .name = "gen11",
    .generation = EU_GEN11,
    .gen6_encoding = true,
    .register_types = {GEN6_11_REGISTERS, TYPE_UQ, TYPE_Q, TYPE_HF, TYPE_F, TYPE_DF, TYPE_NF},
    .immediate_types = {GEN6_11_IMMEDIATES, TYPE_V, TYPE_UQ, TYPE_Q, TYPE_HF, TYPE_F, TYPE_DF, TYPE_VF},
    .first_mme = 2,
    .accumulator_count = 10,
    .flag_count = 2,
    .register_bytes = 32,
    .hs_instance_shift = 16,
};

const struct eu_isa eu_gen12 = {
    .name = "gen12",
    .generation = EU_GEN12,
    .src1_length_in_ex_descriptor = true,
    .register_types = {TYPE_UB, GEN12_TYPES, [4] = TYPE_B, [15] = TYPE_NF},
    .immediate_types = {TYPE_UV, GEN12_TYPES, [4] = TYPE_V, [8] = TYPE_VF},
    .ternary_has_vstride_1 = 1,
    .first_mme = 8,
    .accumulator_count = 16,
    .flag_count = 2,
    .register_bytes = 32,
    .hs_instance_shift = 16,
};

const struct eu_isa eu_gen125 = {
    .name = "gen125",
    .generation = EU_GEN125,
    .has_lsc = true,
    .register_types = {TYPE_UB, GEN12_TYPES, [4] = TYPE_B, [13] = TYPE_BF},
    .immediate_types = {TYPE_UV, GEN12_TYPES, [4] = TYPE_V, [8] = TYPE_VF, [13] = TYPE_BF},
    .ternary_has_vstride_1 = 1,
    .first_mme = 8,
    .accumulator_count = 16,
    .flag_count = 2,
    .register_bytes = 32,
    .swsb_has_pipes = 1,
    .thread_id_slots = 1024, /* enough for the smallest product */
};

/* BF8 and TF32 are types of registers only. */
const struct eu_isa eu_gen200 = {
    .name = "gen200",
    .generation = EU_GEN200,
    .gen200_encoding = true,
    .has_lsc = true,
    .lsc_only = true,
    .register_types = {TYPE_UB, GEN12_TYPES, [4] = TYPE_B, [8] = TYPE_BF8, [13] = TYPE_BF, [14] = TYPE_TF32},
    .immediate_types = {TYPE_UV, GEN12_TYPES, [4] = TYPE_V, [8] = TYPE_VF, [13] = TYPE_BF},
    .ternary_has_vstride_1 = 1,
    .first_mme = 16,
    .accumulator_count = 16,
    .flag_count = 4,
    .register_bytes = 64,
    .swsb_has_pipes = 1,
    .thread_id_slots = 1024,
};

const struct eu_isa *const eu_isas[] = {&eu_gen8,   &eu_gen9, &eu_gen11, &eu_gen12, &eu_gen125,
                                        &eu_gen200, &eu_gen7, &eu_gen75, &eu_gen6,  NULL};
