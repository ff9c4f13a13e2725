/* Selection of lane handlers (lanes_integer.h, lanes_float.h): they support more types and regions than
 * width.h. */
#include "simd/lanes_integer.h"

#include "simd/lanes_float.h"

enum { ANY_INTEGER = 1, ANY_FLOAT, ANY_HALF, ANY_DOUBLE };

static unsigned kind_of(unsigned type)
{
    static const uint8_t kinds[EU_TYPES] = {
        [TYPE_UB] = ANY_INTEGER, [TYPE_B] = ANY_INTEGER,  [TYPE_UW] = ANY_INTEGER, [TYPE_W] = ANY_INTEGER,
        [TYPE_UD] = ANY_INTEGER, [TYPE_D] = ANY_INTEGER,  [TYPE_UQ] = ANY_INTEGER, [TYPE_Q] = ANY_INTEGER,
        [TYPE_V] = ANY_INTEGER,  [TYPE_UV] = ANY_INTEGER, [TYPE_F] = ANY_FLOAT,    [TYPE_HF] = ANY_HALF,
        [TYPE_DF] = ANY_DOUBLE,  [TYPE_VF] = ANY_FLOAT,
    };
    return kinds[type];
}

/* Properties of the operands that select an integer handler. */
struct integer_traits {
    bool all_unsigned; /* all sources are UQ */
    bool has_wide;     /* some source has 64 bits */
    bool is_modified;  /* some source has a modifier */
    bool has_narrow;   /* some register source has bytes or words */
    bool to_accumulator;
};

static struct integer_traits integer_traits_of(const struct eu_decoded *op)
{
    struct integer_traits is = {.all_unsigned = true, .to_accumulator = op->dst.file == OPERAND_ACCUMULATOR};
    for (unsigned n = 0; n < op->source_count; n++) {
        const struct eu_region *const p = &op->src[n];
        is.has_wide |= p->element_bytes == 8;
        is.all_unsigned &= p->type == TYPE_UQ;
        is.is_modified |= p->negate || p->absolute;
        is.has_narrow |= p->element_bytes < 4 && p->file != OPERAND_IMMEDIATE;
    }
    return is;
}

static bool has_right_shift(const struct eu_decoded *op, const struct integer_traits *is)
{
    const unsigned type = op->src[0].type;
    if (op->saturate || is->to_accumulator || is->is_modified || type == TYPE_V || type == TYPE_UV)
        return false;
    return type != TYPE_UQ || op->opcode == EU_SHR;
}

/* sel, csel, cmp. Comparisons of 64 bits need all sources UQ, or none. */
static eu_handler *integer_choice_of(struct eu_decoded *op, const struct integer_traits *is)
{
    const bool orders = op->opcode == EU_CMP || op->condition;
    if (op->condition > 6 || (orders && is->has_wide && is->is_modified) ||
        (op->saturate && op->simd.is_wide) || (op->opcode == EU_CSEL && is->has_wide))
        return NULL;
    if (orders && is->has_wide && !is->all_unsigned)
        for (unsigned n = 0; n < op->source_count; n++)
            if (op->src[n].type == TYPE_UQ)
                return NULL;
    op->simd.is_wide = is->all_unsigned;
    return any_integer_choice;
}

static eu_handler *integer_operation_of(struct eu_decoded *op, const struct integer_traits *is)
{
    switch (op->opcode) {
    case EU_MOV:
    case EU_ADD:
    case EU_ADD3:
        return op->saturate && op->simd.is_wide ? NULL : any_integer_vectors;
    case EU_NOT:
    case EU_AND:
    case EU_OR:
    case EU_XOR:
    case EU_MUL:
    case EU_MAD:
    case EU_SHL:
        return op->saturate || (is->to_accumulator && is->has_wide) ? NULL : any_integer_vectors;
    case EU_SHR:
    case EU_ASR:
        return has_right_shift(op, is) ? any_integer_vectors : NULL;
    case EU_ROL:
    case EU_ROR:
        return op->dst.element_bytes != 4 || op->src[0].element_bytes != 4 || op->saturate ||
                       is->is_modified || is->to_accumulator
                   ? NULL
                   : any_integer_bits;
    case EU_BFN:
    case EU_BFREV:
    case EU_BFE:
    case EU_BFI1:
    case EU_BFI2:
    case EU_LZD:
    case EU_FBH:
    case EU_FBL:
    case EU_CBIT:
        return op->simd.is_wide || op->saturate || is->is_modified || is->to_accumulator ||
                       (is->has_narrow && op->opcode != EU_CBIT && op->opcode != EU_BFN)
                   ? NULL
                   : any_integer_bits;
    case EU_MACH:
        return op->condition || op->saturate || is->has_wide || op->dst.element_bytes != 4 ||
                       is->to_accumulator
                   ? NULL
                   : any_integer_accumulated;
    case EU_ADDC:
    case EU_SUBB:
        return op->saturate || is->is_modified || is->has_narrow || is->has_wide ||
                       op->dst.element_bytes != 4 || is->to_accumulator
                   ? NULL
                   : any_integer_accumulated;
    case EU_MATH:
        return (op->function == 12 || op->function == 13) && !is->has_wide && !op->saturate &&
                       !op->acc_write && !op->is_macro
                   ? any_quotient
                   : NULL;
    default:
        return NULL;
    }
}

static eu_handler *integers_of(struct eu_decoded *op)
{
    const struct integer_traits is = integer_traits_of(op);
    const bool compares = op->opcode == EU_CMP, selects = op->opcode == EU_SEL || op->opcode == EU_CSEL,
               shifts = op->opcode == EU_SHL || op->opcode == EU_SHR || op->opcode == EU_ASR,
               orders = compares || (selects && op->condition);
    op->simd.is_wide = (shifts ? op->src[0].element_bytes == 8 : is.has_wide) || op->dst.element_bytes == 8;
    if (!compares && kind_of(op->dst.type) != ANY_INTEGER)
        return NULL;
    if (op->condition && !selects && !compares && (is.to_accumulator || op->saturate))
        return NULL;
    if ((op->acc_write && (orders || op->saturate || is.to_accumulator)) ||
        (is.to_accumulator && op->saturate))
        return NULL;
    return compares || selects ? integer_choice_of(op, &is) : integer_operation_of(op, &is);
}

static bool all_halves(const struct eu_decoded *op)
{
    for (unsigned n = 0; n < op->source_count; n++)
        if (op->src[n].type != TYPE_HF)
            return false;
    return true;
}

/* line, pln, lrp and dot products need whole registers of floats. The plane coefficients of source 0 must be
 * aligned to 16 bytes; source 1 of pln is two registers for each eight channels. */
static bool sums_products(const struct eu_decoded *op)
{
    const struct eu_region *const planes = &op->src[0], *const at = &op->src[1];
    if (op->dst.type != TYPE_F || op->execution_type != TYPE_F || op->channels % PART_LANES)
        return false;
    if (op->opcode != EU_PLN && op->opcode != EU_LINE)
        return true;
    if (planes->file != OPERAND_GRF || at->file != OPERAND_GRF || planes->first_byte % 16u)
        return false;
    return op->opcode == EU_LINE ||
           (at->layout == LAYOUT_CONTIGUOUS && at->first_byte % EU_REGISTER_BYTES == 0 &&
            at->first_byte + op->channels / 4u * EU_REGISTER_BYTES <= at->file_bytes);
}

static bool has_packed_floats(const struct eu_decoded *op)
{
    for (unsigned n = 0; n < op->source_count; n++)
        if (op->src[n].type == TYPE_VF)
            return true;
    return false;
}

static eu_handler *floats_of(struct eu_decoded *op, bool halves)
{
    if (has_packed_floats(op) && op->opcode != EU_ADD && op->opcode != EU_MUL &&
        !(op->opcode == EU_MOV && op->dst.type == TYPE_F))
        return NULL;
    const bool float_to = op->dst.type == TYPE_F || op->dst.type == TYPE_HF;
    op->simd.is_wide = halves || op->dst.type == TYPE_HF;
    if (op->acc_write && op->dst.type != TYPE_F)
        return NULL;
    if (op->dst.file == OPERAND_ACCUMULATOR && (op->dst.type != TYPE_F || op->acc_write))
        return NULL;
    if (op->opcode == EU_MOV && kind_of(op->dst.type) != kind_of(op->src[0].type)) {
        if (op->dst.element_bytes == 8 && op->dst.type != TYPE_DF)
            return NULL;
        op->simd.is_wide |= op->dst.type == TYPE_DF;
        return op->condition || op->acc_write || (op->saturate && kind_of(op->dst.type) != ANY_INTEGER) ||
                       op->dst.file != OPERAND_GRF
                   ? NULL
                   : any_conversion;
    }
    switch (op->opcode) {
    case EU_MOV: /* copies bits of the same type */
        return op->condition || op->acc_write || op->saturate || op->dst.type != TYPE_F
                   ? NULL
                   : any_float_arithmetic;
    case EU_ADD:
    case EU_MUL:
    case EU_MAD:
    case EU_MADM:
        if (op->dst.type == TYPE_HF && (op->opcode == EU_MADM || (op->opcode == EU_MAD && !all_halves(op))))
            return NULL; /* one rounding */
        if (op->condition && op->dst.type != TYPE_F)
            return NULL;
        return float_to ? any_float_arithmetic : NULL;
    case EU_RNDU:
    case EU_RNDD:
    case EU_RNDE:
    case EU_RNDZ:
    case EU_FRC:
        return op->dst.type == TYPE_F && !halves ? any_float_arithmetic : NULL;
    case EU_LINE:
    case EU_PLN:
    case EU_LRP:
    case EU_DP2:
    case EU_DP3:
    case EU_DP4:
    case EU_DPH:
        return halves || !sums_products(op) ? NULL
               : is_plain_plane(op)         ? any_plain_plane
                                            : any_sum_of_products;
    case EU_SEL:
        if (op->condition == 2 || op->saturate || op->acc_write || halves || op->dst.type != TYPE_F)
            return NULL;
        return any_float_choice;
    case EU_CSEL:
        return op->saturate || op->acc_write || halves || op->dst.type != TYPE_F ? NULL : any_float_choice;
    case EU_CMP:
        return op->acc_write ? NULL : any_float_choice;
    case EU_MATH:
        return halves || op->dst.type != TYPE_F || (op->function >= 11 && op->function <= 13) ||
                       op->function > 15
                   ? NULL
                   : any_function;
    default:
        return NULL;
    }
}

static eu_handler *double_handler_of(struct eu_decoded *op)
{
    if (op->condition && op->opcode != EU_CMP)
        return NULL;
    if (op->acc_write || op->saturate || op->dst.file == OPERAND_ACCUMULATOR)
        return NULL;
    for (unsigned n = 0; n < op->source_count; n++)
        if (op->src[n].file == OPERAND_ACCUMULATOR)
            return NULL;
    op->simd.is_wide = true;
    if (op->opcode == EU_MOV && op->dst.type != TYPE_DF)
        return (op->dst.element_bytes == 8 && op->dst.type != TYPE_DF) || op->dst.type == TYPE_HF ||
                       op->dst.file != OPERAND_GRF
                   ? NULL
                   : any_conversion;
    if (op->dst.type != TYPE_DF && op->opcode != EU_CMP)
        return NULL;
    return op->opcode == EU_MOV || op->opcode == EU_ADD || op->opcode == EU_MUL || op->opcode == EU_MAD ||
                   op->opcode == EU_SEL || op->opcode == EU_CMP
               ? any_doubles
               : NULL;
}

/* A scalar that is copied to a few channels, as the barrier's counts of threads are. */
static struct eu_decoded *copies_to_few(struct eu_run *r, struct eu_decoded *op)
{
    const struct eu_region *const p = &op->src[0];
    const unsigned step = op->dst.hstride * op->dst.element_bytes;
    uint8_t *const to = r->t->grf + op->dst.first_byte;
    uint64_t x = p->immediate;
    if (p->file == OPERAND_GRF)
        memcpy(&x, r->t->grf + p->first_byte, sizeof x);
    x = (uint64_t)extended(x, p);
    for (uint32_t on = eu_enabled_channels(r->t, op) >> op->first_channel; on; on &= on - 1u) {
        uint8_t *const here = to + (size_t)(unsigned)__builtin_ctz(on) * step;
        switch (op->dst.element_bytes) {
        case 1:
            *here = (uint8_t)x;
            break;
        case 2:
            memcpy(here, &x, 2);
            break;
        case 4:
            memcpy(here, &x, 4);
            break;
        default:
            memcpy(here, &x, 8);
            break;
        }
    }
    return op + op->slots;
}

static bool copies_a_scalar(const struct eu_decoded *op)
{
    const struct eu_region *const p = &op->src[0];
    return op->opcode == EU_MOV && op->channels <= 4 && !op->saturate && !op->condition && !op->acc_write &&
           op->dst.file == OPERAND_GRF && (p->file == OPERAND_GRF || p->file == OPERAND_IMMEDIATE) &&
           p->layout == LAYOUT_SCALAR && !p->negate && !p->absolute && p->type != TYPE_V &&
           p->type != TYPE_UV;
}

/* ---- Products of one channel, as kernels compute the first item of a group ---- */

static INLINE int64_t one_integer(const struct eu_run *r, const struct eu_region *p)
{
    uint64_t bits = p->immediate;
    if (p->file == OPERAND_GRF)
        memcpy(&bits, r->t->grf + p->first_byte, sizeof bits);
    const int64_t x = extended(bits, p);
    return p->negate ? (int64_t) - (uint64_t)x : x;
}

static struct eu_decoded *one_product_to_accumulator(struct eu_run *r, struct eu_decoded *op)
{
    if (eu_enabled_channels(r->t, op)) {
        uint64_t *const to = eu_accumulator(r->t, op->dst.first_byte, op->dst.element_bytes);
        if (to)
            *to = (uint64_t)one_integer(r, &op->src[0]) * (uint64_t)one_integer(r, &op->src[1]);
    }
    return op + op->slots;
}

/* As multiply_high, which accumulates in disabled channels, too. */
static struct eu_decoded *one_high_product(struct eu_run *r, struct eu_decoded *op)
{
    const uint32_t b = (uint32_t)one_integer(r, &op->src[1]);
    const int64_t high = op->src[1].is_signed ? (int32_t)b >> 16 : (int64_t)(b >> 16);
    uint64_t *const accumulator = &r->t->accumulator[0][0];
    const uint64_t sum =
        (uint64_t)one_integer(r, &op->src[0]) * (uint64_t)high * UINT64_C(65536) + *accumulator;
    const uint32_t value = (uint32_t)(op->acc_write ? sum >> 32 : sum);
    if (!(r->t->cr0[0] & CR0_ACC_DISABLE))
        *accumulator = sum;
    if (eu_enabled_channels(r->t, op))
        memcpy(r->t->grf + op->dst.first_byte, &value, sizeof value);
    return op + op->slots;
}

/* Whether both sources are registers or immediates as they are, or negated. */
static bool has_plain_factors(const struct eu_decoded *op)
{
    bool good = op->channels == 1 && !op->saturate && !op->condition && op->source_count == 2;
    for (unsigned n = 0; n < 2 && good; n++) {
        const struct eu_region *const p = &op->src[n];
        good = (p->file == OPERAND_GRF || p->file == OPERAND_IMMEDIATE) && p->layout == LAYOUT_SCALAR &&
               !p->absolute && p->type != TYPE_V && p->type != TYPE_UV;
    }
    return good;
}

/* The handler for one channel in place of `any`. */
static eu_handler *one_handler_of(const struct eu_decoded *op, eu_handler *any)
{
    if (any == any_integer_vectors && op->opcode == EU_MUL && !op->acc_write &&
        op->dst.file == OPERAND_ACCUMULATOR && has_plain_factors(op))
        return one_product_to_accumulator;
    if (any == any_integer_accumulated && op->opcode == EU_MACH && op->dst.file == OPERAND_GRF &&
        op->dst.element_bytes == 4 && has_plain_factors(op))
        return one_high_product;
    return any == any_integer_vectors && copies_a_scalar(op) ? copies_to_few : any;
}

/* Whether an integer becomes a float by one rounding: by way of a double, which has all 32 bits of it, or
 * from a qword at once. */
static bool rounds_once(const struct eu_decoded *op)
{
    const struct eu_region *const p = &op->src[0];
    return p->element_bytes < 8 || (op->dst.type == TYPE_F && !p->negate && !p->absolute);
}

static eu_handler *lane_handler_of(struct eu_decoded *op)
{
    unsigned kinds = 0;
    if (!op->source_count || op->dst_channel_enable != 0xf || op->condition > 6 ||
        !find_destination_layout(op))
        return NULL;
    if (!op->condition && (op->opcode == EU_CMP || op->opcode == EU_CSEL)) /* never holds */
        return NULL;
    for (unsigned n = 0; n < op->source_count; n++) {
        if (!find_source_layout(&op->src[n], op->channels))
            return NULL;
        kinds |= 1u << kind_of(op->src[n].type);
    }
    if (op->opcode == EU_CMP &&
        (op->dst.file == OPERAND_ACCUMULATOR || (op->dst.file == OPERAND_GRF && op->dst.element_bytes > 4)))
        return NULL;
    if (kinds == 1u << ANY_INTEGER && op->opcode == EU_MOV && kind_of(op->dst.type) != ANY_INTEGER) {
        op->simd.is_wide = op->dst.type != TYPE_F;
        return !kind_of(op->dst.type) || !rounds_once(op) || op->condition || op->acc_write || op->saturate ||
                       op->dst.file != OPERAND_GRF
                   ? NULL
                   : any_conversion;
    }
    if (kinds == 1u << ANY_INTEGER)
        return integers_of(op);
    if (!(kinds & ~(1u << ANY_FLOAT | 1u << ANY_HALF)))
        return floats_of(op, kinds >> ANY_HALF & 1u);
    return kinds == 1u << ANY_DOUBLE ? double_handler_of(op) : NULL;
}
