/*
 * MI_MATH: each dword that follows is one instruction of an ALU with sixteen 64-bit registers, two inputs, an
 * accumulator and two flags. (CSP-13)
 */
#include "mi/mi.h"
#include "base/inline.h"
#include "engine/execution.h"

enum {
    ALU_NOOP = 0x000,
    ALU_LOAD = 0x080,
    ALU_LOAD0 = 0x081,
    ALU_ADD = 0x100,
    ALU_SUB = 0x101,
    ALU_AND = 0x102,
    ALU_OR = 0x103,
    ALU_XOR = 0x104,
    ALU_SHL = 0x105, /* these from Gen12.5 on */
    ALU_SHR = 0x106,
    ALU_SAR = 0x107,
    ALU_FENCE_RD = 0x001,
    ALU_FENCE_WR = 0x002,
    ALU_LOADIND = 0x082,
    ALU_STOREIND = 0x181,
    ALU_LOADINV = 0x480,
    ALU_LOAD1 = 0x481,
    ALU_STORE = 0x180,
    ALU_STOREINV = 0x580
};
enum { SRCA = 0x20, SRCB = 0x21, ACCU = 0x31, ZF = 0x32, CF = 0x33, GPRS = 16 };

static const struct field_value opcodes[] = {
    {"NOOP", ALU_NOOP},
    {"LOAD", ALU_LOAD},
    {"LOADINV", ALU_LOADINV},
    {"LOAD0", ALU_LOAD0},
    {"LOAD1", ALU_LOAD1},
    {"ADD", ALU_ADD},
    {"SUB", ALU_SUB},
    {"AND", ALU_AND},
    {"OR", ALU_OR},
    {"XOR", ALU_XOR},
    {"STORE", ALU_STORE},
    {"STOREINV", ALU_STOREINV},
    {NULL, 0},
};
static const struct field_value opcodes_gen125[] = {
    {"NOOP", ALU_NOOP},
    {"LOAD", ALU_LOAD},
    {"LOADINV", ALU_LOADINV},
    {"LOAD0", ALU_LOAD0},
    {"LOAD1", ALU_LOAD1},
    {"ADD", ALU_ADD},
    {"SUB", ALU_SUB},
    {"AND", ALU_AND},
    {"OR", ALU_OR},
    {"XOR", ALU_XOR},
    {"SHL", ALU_SHL},
    {"SHR", ALU_SHR},
    {"SAR", ALU_SAR},
    {"STORE", ALU_STORE},
    {"STOREINV", ALU_STOREINV},
    {"LOADIND", ALU_LOADIND},
    {"STOREIND", ALU_STOREIND},
    {"FENCE_RD", ALU_FENCE_RD},
    {"FENCE_WR", ALU_FENCE_WR},
    {NULL, 0},
};
static const struct field_value operands[] = {
    {"R0", 0},      {"R1", 1},   {"R2", 2},   {"R3", 3},   {"R4", 4},      {"R5", 5},
    {"R6", 6},      {"R7", 7},   {"R8", 8},   {"R9", 9},   {"R10", 10},    {"R11", 11},
    {"R12", 12},    {"R13", 13}, {"R14", 14}, {"R15", 15}, {"SRCA", SRCA}, {"SRCB", SRCB},
    {"ACCU", ACCU}, {"ZF", ZF},  {"CF", CF},  {NULL, 0},
};
static const struct field instruction[] = {
    {"ALU Opcode", 20, 31, FIELD_HEX, opcodes, .until = GEN12},
    {"ALU Opcode", 20, 31, FIELD_HEX, opcodes_gen125, .since = GEN125},
    {"Operand1", 10, 19, FIELD_HEX, operands},
    {"Operand2", 0, 9, FIELD_HEX, operands},
};

static uint64_t operand(const struct alu_state *alu, const uint32_t *gpr, uint32_t which)
{
    if (which < GPRS)
        return gpr[which * 2u] | (uint64_t)gpr[which * 2u + 1u] << 32;
    switch (which) { /* a flag fills all 64 bits */
    case ACCU:
        return alu->accumulator;
    case ZF:
        return alu->zero ? UINT64_MAX : 0;
    case CF:
        return alu->carry ? UINT64_MAX : 0;
    default:
        return 0;
    }
}

static void result(struct alu_state *alu, uint64_t value, bool carry)
{
    alu->accumulator = value;
    alu->zero = value == 0;
    alu->carry = carry;
}

static void input(struct alu_state *alu, uint32_t which, uint64_t value)
{
    if (which == SRCA)
        alu->a = value;
    else if (which == SRCB)
        alu->b = value;
}

static NOINLINE void trace_result(const struct engine *e, uint32_t dword, uint32_t old_value, uint32_t value)
{
    trace_event(e->log, (struct softgt_event){.what = SOFTGT_TRACE_REGISTERS,
                                              .unit = e->info->name,
                                              .name = "CS_GPR",
                                              .by = e->info->name,
                                              .address = e->info->mmio_base + CS_GPR + dword * 4u,
                                              .old_value = old_value,
                                              .value = value,
                                              .index = dword / 2u,
                                              .is_array = true,
                                              .is_upper = dword % 2u,
                                              .size_bytes = 4});
}

static inline void store_result(const struct engine *e, uint32_t *gpr, uint32_t to, uint64_t value)
{
    if (tracing(e->log, SOFTGT_TRACE_REGISTERS)) {
        trace_result(e, to * 2u, gpr[to * 2u], (uint32_t)value);
        trace_result(e, to * 2u + 1u, gpr[to * 2u + 1u], (uint32_t)(value >> 32));
    }
    gpr[to * 2u] = (uint32_t)value;
    gpr[to * 2u + 1u] = (uint32_t)(value >> 32);
}

/* The shift count must be a power of two up to 32; drivers rely on its lowest bits. (Mesa, mi_builder) */
static uint64_t shifted(uint32_t opcode, uint64_t a, uint64_t by)
{
    const unsigned bits = by & 63u;
    const uint64_t sign = opcode == ALU_SAR && a >> 63 && bits ? UINT64_MAX << (64u - bits) : 0;
    return opcode == ALU_SHL ? a << bits : a >> bits | sign;
}

/* Opcodes that Gen12.5 added. LOADIND and STOREIND move 64 bits of the context's memory; the address is an
 * operand. Fences have no effect: accesses are done at once. False: no such opcode. (Mesa, mi_builder) */
static bool math_gen125(struct engine *e, struct alu_state *alu, uint32_t *gpr, uint32_t dw)
{
    const uint32_t to = dw >> 10 & 0x3ffu, from = dw & 0x3ffu;
    uint64_t value = 0;
    switch (dw >> 20) {
    case ALU_SHL:
    case ALU_SHR:
    case ALU_SAR:
        result(alu, shifted(dw >> 20, alu->a, alu->b), false);
        return true;
    case ALU_LOADIND:
        if (to < GPRS && engine_load_into(e, SPACE_PPGTT, operand(alu, gpr, from), &value, sizeof value))
            store_result(e, gpr, to, value);
        return true;
    case ALU_STOREIND:
        engine_store64(e, SPACE_PPGTT, operand(alu, gpr, to), operand(alu, gpr, from));
        return true;
    case ALU_FENCE_RD:
    case ALU_FENCE_WR:
        return true;
    default:
        return false;
    }
}

enum { MATH_PREDICATION_ENABLE = 1 };
static const struct field math_fields[] = {
    {"MOCS", 8, 14, FIELD_UINT, .since = GEN125},
    {"Predication Enable", 15, 15, FIELD_BOOL, ROLE(MATH_PREDICATION_ENABLE), .since = GEN125},
};

/* Predication Enable goes with the condition of MI_SET_PREDICATE, as that of MI_BATCH_BUFFER_START. */
static enum outcome math_execute(struct execution *x)
{
    struct engine *e = x->engine;
    if (command_flag(x, MATH_PREDICATION_ENABLE) && engine_predicate_is_noop(e))
        return OUTCOME_DONE;
    uint32_t *const gpr = &e->mmio->value[(e->info->mmio_base + CS_GPR) / 4u];
    struct alu_state alu = e->alu; /* as the last MI_MATH left it */
    for (uint32_t i = 1; i < x->length_dw; i++) {
        const uint32_t dw = x->dw[i], to = dw >> 10 & 0x3ffu, from = dw & 0x3ffu;
        switch (dw >> 20) {
        case ALU_NOOP:
            break;
        case ALU_LOAD:
            input(&alu, to, operand(&alu, gpr, from));
            break;
        case ALU_LOADINV:
            input(&alu, to, ~operand(&alu, gpr, from));
            break;
        case ALU_LOAD0:
            input(&alu, to, 0);
            break;
        case ALU_LOAD1: /* all ones: the inverse of LOAD0 */
            input(&alu, to, UINT64_MAX);
            break;
        case ALU_ADD:
            result(&alu, alu.a + alu.b, alu.a + alu.b < alu.a);
            break;
        case ALU_SUB: /* the carry is the borrow */
            result(&alu, alu.a - alu.b, alu.a < alu.b);
            break;
        case ALU_AND:
            result(&alu, alu.a & alu.b, false);
            break;
        case ALU_OR:
            result(&alu, alu.a | alu.b, false);
            break;
        case ALU_XOR:
            result(&alu, alu.a ^ alu.b, false);
            break;
        case ALU_STORE:
        case ALU_STOREINV:
            if (to < GPRS) {
                uint64_t value = operand(&alu, gpr, from);
                if (dw >> 20 == ALU_STOREINV)
                    value = ~value;
                store_result(e, gpr, to, value);
            }
            break;
        default:
            if (x->command->group[0].values == opcodes_gen125 && math_gen125(e, &alu, gpr, dw)) {
                if (engine_faulted(e))
                    return OUTCOME_FAULT;
                break;
            }
            report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                         "MI_MATH: no such ALU opcode %03x", dw >> 20);
            break;
        }
    }
    e->alu = alu;
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "MI_MATH",
     .summary = "Runs instructions on the command streamer's ALU.",
     OPCODE_MI(0x1a),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     FIELDS(math_fields),
     GROUP(instruction, 1, 1),
     .execute = math_execute,
     .spec = "CSP-13; HSW PRM vol 6"},
    {.since = GEN8, .engines = ALL_ENGINES, .spec = "CSP-13"},
    {.since = GEN125, .spec = "CSP-13, DG2 PRM vol 2a"},
};

const struct command_table mi_math_commands = COMMAND_TABLE(rows);
