/* Operands: register files, types and regions from the codes of an instruction, and the checks of codes. */
#include "isa/isa.h"

const struct eu_file_row eu_files[EU_FILES] = {
    [FILE_GRF] = {"r", 0xff, 255, true},        [FILE_NULL] = {"null", 0x0, 0, false},
    [FILE_ADDRESS] = {"a", 0x1, 1, true},       [FILE_ACCUMULATOR] = {"acc", 0x2, 16, true},
    [FILE_FLAG] = {"f", 0x3, 4, true},          [FILE_CHANNEL_ENABLE] = {"ce", 0x4, 0, false},
    [FILE_MESSAGE] = {"msg", 0x5, 8, true},     [FILE_STACK_POINTER] = {"sp", 0x6, 0, true},
    [FILE_STATE] = {"sr", 0x7, 2, true},        [FILE_CONTROL] = {"cr", 0x8, 1, true},
    [FILE_NOTIFICATION] = {"n", 0x9, 1, true},  [FILE_IP] = {"ip", 0xa, 0, false},
    [FILE_DEPENDENCY] = {"tdr", 0xb, 1, true},  [FILE_TIMESTAMP] = {"tm", 0xc, 1, true},
    [FILE_FLOW_CONTROL] = {"fc", 0xd, 5, true}, [FILE_DEBUG] = {"dbg", 0xf, 1, true},
    [FILE_MME] = {"mme", 0xff, 8, true},        [FILE_MRF] = {"m", 0xff, 24, true},
};

/* Codes of the Register File fields. */
enum { ARCHITECTURE, GENERAL, MESSAGE_REGISTERS /* Gen6 */ };

bool eu_is_branch(const struct eu_instruction *i)
{
    return i->operation->form >= FORM_JUMP && i->operation->form <= FORM_BRANCH;
}

bool eu_is_send(const struct eu_instruction *i)
{
    return i->operation->form == FORM_SEND || i->operation->form == FORM_SENDS;
}

bool eu_is_macro(const struct eu_instruction *i)
{
    const uint32_t function = i->value[EU_CONDITION];
    return i->operation->form == FORM_MACRO ||
           (!i->operation->sources && i->operation->form == FORM_BINARY && function >= EU_MATH_INVM);
}

bool eu_is_sync(const struct eu_instruction *i)
{
    return i->operation->form == FORM_UNARY && i->operation->gen12_code == 0x01;
}

unsigned eu_source_count(const struct eu_instruction *i)
{
    static const uint16_t two = 1u << 9 | 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13 | 1u << EU_MATH_INVM;
    if (i->operation->form != FORM_BINARY || i->operation->sources)
        return i->operation->sources;
    return two >> i->value[EU_CONDITION] & 1u ? 2 : 1;
}

static bool has_three(const struct eu_instruction *i)
{
    return i->operation->form >= FORM_TERNARY && i->operation->form <= FORM_DPAS;
}

int64_t eu_branch_target(const struct eu_isa *set, const struct eu_instruction *i, uint32_t offset)
{
    /* Up to Gen11, jmpi is relative to the next instruction. */
    const bool jumps = i->operation->opcode == EU_JMPI && set->gen6_encoding;
    const bool is_short = set->jump_unit_bytes && !jumps;
    return (int64_t)(is_short ? (int16_t)offset : (int32_t)offset) * eu_branch_unit_bytes(set, i) +
           (jumps ? i->size_bytes : 0);
}

unsigned eu_branch_unit_bytes(const struct eu_isa *set, const struct eu_instruction *i)
{
    const unsigned unit_bytes = i->operation->opcode == EU_JMPI ? set->jmpi_unit_bytes : set->jump_unit_bytes;
    return unit_bytes ? unit_bytes : 1;
}

static bool register_of(const struct eu_isa *set, uint32_t code, uint32_t number, struct eu_operand *o)
{
    o->number = (uint8_t)number;
    o->file = code == MESSAGE_REGISTERS ? FILE_MRF : FILE_GRF;
    if (code == MESSAGE_REGISTERS)
        return number < set->mrf_count;
    if (code != ARCHITECTURE)
        return number < (set->gen6_encoding ? 128u : 256u);
    for (enum eu_register_file f = FILE_NULL; f < FILE_MME; f++) {
        if (eu_files[f].high != number >> 4)
            continue;
        o->file = f;
        o->number = number & 0xf;
        if (f == FILE_ACCUMULATOR && o->number >= set->first_mme) {
            o->file = FILE_MME;
            o->number -= set->first_mme;
        }
        const unsigned count = f == FILE_FLAG ? set->flag_count : eu_files[o->file].count;
        return o->number < (count ? count : 1u);
    }
    o->file = FILE_NULL;
    return false;
}

static enum eu_type type_of(const struct eu_isa *set, const struct eu_instruction *i, int which,
                            uint32_t code, bool immediate)
{
    static const enum eu_type packed[2][2] = {{TYPE_U4, TYPE_S4}, {TYPE_U2, TYPE_S2}};
    const uint32_t subbyte = which > 0 ? i->value[EU_SRC0_SUBBYTE + which * EU_SOURCE_STEP] : 0;
    if (set->ternary_is_align16 && has_three(i)) {
        /* All sources have one type. Only F and HF may be mixed. */
        const enum eu_type type = set->align16_types[which == EU_DESTINATION ? code : i->value[EU_SRC0_TYPE]];
        return which > 0 && (type == TYPE_F || type == TYPE_HF) ? code ? TYPE_HF : TYPE_F : type;
    }
    const enum eu_type type = immediate ? set->immediate_types[code] : set->register_types[code];
    if (subbyte && (subbyte > 2 || (type != TYPE_UB && type != TYPE_B)))
        return TYPE_NONE;
    return subbyte ? packed[subbyte - 1][type == TYPE_B] : type;
}

/* The signed address immediate, of 10 or 11 bits. */
static int16_t offset_of(const struct eu_isa *set, uint32_t bits)
{
    const uint32_t sign = set->gen200_encoding ? 0x400 : 0x200;
    return (int16_t)((int32_t)(bits ^ sign) - (int32_t)sign);
}

/* The number of an extended accumulator, from the field of the subregister. From Gen20 on, math has the
 * number above the bit of odd bytes. */
static uint8_t mme_of(const struct eu_isa *set, const struct eu_instruction *i, uint32_t subregister)
{
    return (uint8_t)(set->gen200_encoding && i->operation->form == FORM_BINARY ? subregister >> 1
                                                                               : subregister);
}

/* The subregister; a macro's field has the number of an extended accumulator. */
static uint8_t subregister_of(const struct eu_isa *set, const struct eu_instruction *i, uint32_t value)
{
    return !set->ternary_is_align16 && eu_is_macro(i) ? 0 : (uint8_t)value;
}

static bool destination(const struct eu_isa *set, const struct eu_instruction *i, struct eu_operand *o)
{
    const uint32_t *v = i->value;
    const bool bare_send = eu_is_send(i) && !set->gen6_encoding, bare = bare_send || eu_is_branch(i);
    o->type = bare ? TYPE_UD : type_of(set, i, EU_DESTINATION, v[EU_DST_TYPE], false);
    o->is_indirect = v[EU_DST_INDIRECT];
    o->address_subregister = (uint8_t)v[EU_DST_ADDRESS];
    o->address_offset = offset_of(set, v[EU_DST_OFFSET]);
    o->subregister = subregister_of(set, i, v[EU_DST_SUBREGISTER]);
    o->mme = set->ternary_is_align16 ? (uint8_t)v[EU_DST_CHANNELS] : mme_of(set, i, v[EU_DST_SUBREGISTER]);
    if (has_three(i))
        o->hstride = (uint8_t)(1u << v[EU_DST_STRIDE]);
    else
        o->hstride = (uint8_t)(bare || i->operation->form == FORM_SENDS || v[EU_ACCESS_MODE]
                                   ? 1u
                                   : 1u << v[EU_DST_STRIDE] >> 1);
    if (o->is_indirect)
        return o->type != TYPE_NONE;
    const uint32_t code =
        set->mrf_count && has_three(i) && v[EU_DST_FILE] == ARCHITECTURE ? MESSAGE_REGISTERS : v[EU_DST_FILE];
    const bool is_one = register_of(set, code, v[EU_DST_REGISTER], o);
    if (v[EU_ACCESS_MODE] &&
        o->file == FILE_MME) /* the extended accumulator's number is in the channel enables */
        o->number = v[EU_DST_CHANNELS] & 7u;
    return is_one && o->type != TYPE_NONE && code <= (set->mrf_count ? MESSAGE_REGISTERS : GENERAL);
}

static bool region_of(const struct eu_isa *set, const struct eu_instruction *i, const uint32_t *v,
                      struct eu_operand *o)
{
    static const uint8_t vertical[16] = {0, 1, 2, 4, 8, 16, 32}, three[4] = {0, 2, 4, 8};
    const uint32_t code = v[EU_SRC0_VERTICAL], across = v[EU_SRC0_HORIZONTAL];
    if (set->ternary_is_align16 && has_three(i)) {
        o->vstride = v[EU_SRC0_REPLICATE] ? 0 : 2;
        o->hstride = v[EU_SRC0_REPLICATE] ? 0 : 1;
        return true;
    }
    o->hstride = (uint8_t)(across ? 1u << (across - 1u) : 0);
    if (has_three(i)) {
        o->vstride = code == 1 && set->ternary_has_vstride_1 ? 1 : three[code & 3];
        return true;
    }
    if (i->value[EU_ACCESS_MODE]) { /* Align16: rows of four channels */
        o->vstride = code ? 1 : 0;
        o->width = 1;
        o->hstride = 0;
        return code <= 3;
    }
    o->address_per_row = code == (set->gen200_encoding ? 7 : 15);
    o->vstride = vertical[code];
    o->width = (uint8_t)(1u << v[EU_SRC0_WIDTH]);
    return v[EU_SRC0_WIDTH] <= 4 && (code <= 6 || (o->address_per_row && o->is_indirect));
}

/* Immediates of instructions with three sources have 16 bits: vectors do not fit. */
static bool is_vector(enum eu_type type)
{
    return type == TYPE_V || type == TYPE_UV || type == TYPE_VF;
}

static bool source(const struct eu_isa *set, const struct eu_instruction *i, int which, struct eu_operand *o)
{
    const uint32_t *v = i->value + which * EU_SOURCE_STEP;
    const bool immediate = v[EU_SRC0_IMMEDIATE], bare = eu_is_send(i) || eu_is_branch(i);
    const bool typed = !bare || (i->operation->form == FORM_SEND && which == 0 && set->gen6_encoding);
    o->type = !typed ? TYPE_UD : type_of(set, i, which, v[EU_SRC0_TYPE], immediate);
    if (i->operation->form == FORM_DIM)
        o->type = immediate && o->type == TYPE_F ? TYPE_DF : TYPE_NONE;
    if (immediate) {
        o->file = FILE_IMMEDIATE;
        o->immediate = has_three(i) ? v[EU_SRC0_VALUE]
                                    : i->value[EU_IMMEDIATE] | (uint64_t)i->value[EU_IMMEDIATE_HIGH] << 32;
        return !eu_is_send(i) && o->type != TYPE_NONE &&
               (which == 0 || !i->value[EU_SRC0_IMMEDIATE] || has_three(i)) &&
               !(has_three(i) && is_vector(o->type)) &&
               ((v[EU_SRC0_FILE] & GENERAL) || has_three(i) || !set->gen6_encoding);
    }
    o->negate = v[EU_SRC0_MODIFIER] & 2;
    o->absolute = v[EU_SRC0_MODIFIER] & 1;
    o->is_indirect = v[EU_SRC0_INDIRECT];
    o->address_subregister = (uint8_t)v[EU_SRC0_ADDRESS];
    o->address_offset = offset_of(set, v[EU_SRC0_OFFSET]);
    o->subregister = subregister_of(set, i, v[EU_SRC0_SUBREGISTER]);
    o->mme = set->ternary_is_align16 ? v[EU_SRC0_SWIZZLE] & 0xf : mme_of(set, i, v[EU_SRC0_SUBREGISTER]);
    const bool region = bare || i->operation->form == FORM_DPAS || region_of(set, i, v, o);
    if (o->is_indirect)
        return region && o->type != TYPE_NONE;
    const bool is_one = register_of(set, v[EU_SRC0_FILE], v[EU_SRC0_REGISTER], o);
    if (i->value[EU_ACCESS_MODE] && o->file == FILE_MME)
        o->number = v[EU_SRC0_SWIZZLE] & 7u;
    return is_one && region && o->type != TYPE_NONE;
}

bool eu_operand(const struct eu_isa *set, const struct eu_instruction *i, int which, struct eu_operand *o)
{
    *o = (struct eu_operand){0};
    return which == EU_DESTINATION ? destination(set, i, o) : source(set, i, which, o);
}

bool eu_has_destination(const struct eu_instruction *i)
{
    const struct eu_operation *o = i->operation;
    switch ((enum eu_form)o->form) {
    case FORM_NONE:
    case FORM_MERGE:
    case FORM_BRANCH:
        return false;
    case FORM_JUMP:
        return o->gen6_code == 0x2b || o->gen6_code == 0x2c; /* calls store the return address */
    case FORM_UNARY:
        return !(o->flags & EU_NO_EXECUTION_SIZE);
    default:
        return true;
    }
}

bool eu_is_label(const struct eu_instruction *i, int which)
{
    if (i->operation->form == FORM_MERGE)
        return which == 0;
    if (i->operation->form == FORM_BRANCH)
        return i->value[EU_SRC0_IMMEDIATE];
    return i->operation->form == FORM_JUMP && which == 0 &&
           (i->value[EU_SRC0_IMMEDIATE] | i->value[EU_SRC1_IMMEDIATE]);
}

/* Up to Gen11, the source of a jump is in the fields of source 1. */
int eu_source_slot(const struct eu_isa *set, const struct eu_instruction *i, int which)
{
    const bool returns = i->operation->gen6_code == 0x2d;
    return i->operation->form == FORM_JUMP && set->gen6_encoding && !returns ? 1 : which;
}

const char *eu_instruction_error(const struct eu_isa *set, const struct eu_instruction *i)
{
    struct eu_operand o;
    if (i->operation->form == FORM_NONE)
        return NULL;
    if (i->value[EU_EXECUTION_SIZE] > 5)
        return "reserved execution size";
    if ((i->operation->flags & EU_PREDICATED) && i->value[EU_PREDICATE] > 13)
        return "reserved predicate control";
    if ((i->operation->flags & EU_CONDITIONAL) &&
        (i->value[EU_CONDITION] == 7 || i->value[EU_CONDITION] > 9) && i->operation->form != FORM_BFN)
        return "reserved condition modifier";
    if (set->jump_unit_bytes && i->operation->form == FORM_MERGE && i->value[EU_CONDITION])
        return "a condition modifier of a branch is not modelled";
    if (i->operation->form == FORM_BINARY && !i->operation->sources &&
        (!eu_math_names[i->value[EU_CONDITION]] || (eu_is_macro(i) && set->no_math_macros)))
        return "reserved math function";
    if (eu_is_sync(i) && !eu_sync_names[i->value[EU_CONDITION]])
        return "reserved synchronization function";
    if (eu_has_destination(i) && !eu_operand(set, i, EU_DESTINATION, &o))
        return "reserved destination";
    for (int n = 0; n < (int)eu_source_count(i); n++)
        if (!eu_is_label(i, n) && !(n == 1 && i->operation->form == FORM_BRANCH) &&
            !eu_operand(set, i, eu_source_slot(set, i, n), &o))
            return n == 0 ? "reserved source 0" : n == 1 ? "reserved source 1" : "reserved source 2";
    return NULL;
}
