/*
 * Vector handlers of the most frequent instructions: floats and integers of 32 bits in 1, 8, 16 or 32
 * channels, contiguous or scalar. Results are those of the generic handler (exec_generic.c) to the bit; what
 * a vector handler does not support it leaves to that.
 *
 * This file is compiled for each vector level; EU_SIMD_SELECT is the selector's name. The level does not
 * change results.
 */
#include "simd/levels.h"
#include "base/inline.h"
#include "simd/intrinsics.h"
#include "simd/rules.h"

#include <stddef.h>

/* gcc 12's analyser loses the value of a vector that is written as one type and read as another. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-use-of-uninitialized-value"
#endif

#define SELDOM(is) __builtin_expect(is, 0)
/* Sanitizers check every access: clang would take minutes for loops that are written out. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNROLLED
#endif
#endif
#ifndef UNROLLED
#define UNROLLED _Pragma("GCC unroll 8")
#endif

/* Properties of a handler. */
enum {
    FLOATS = 1,     /* source modifiers are those of floats */
    ROUNDS = 2,     /* needs the thread's rounding mode */
    BITS = 4,       /* the source modifier is a logical not */
    DOUBTS = 8,     /* some results need the generic handler */
    FIXES_NAN = 16, /* results that are NaN become the default NaN */
    NEGATES = 32,   /* applies eu_simd_operands.sign_mask */
};
/* In place of the mask of scalar sources: any layout and any modifiers. */
enum { ANYWHERE = 8 };
#if defined(__FMA__)
enum { MAY_DOUBT = 0 };
#else
enum { MAY_DOUBT = DOUBTS };
#endif

/* The handlers of a rule: `plain` by the mask of scalar sources; `any` for any layout and modifiers. */
struct rule_handlers {
    eu_threaded_handler *const *plain, *any;
};

/* The slow paths of handlers that find the wrong rounding mode: they set it and start again, or run the
 * generic handler in ALT mode. */
static NOINLINE struct eu_decoded *set_rounding_and_run(struct eu_run *r, struct eu_decoded *op)
{
    if (r->t->cr0[0] & CR0_ALT_FP_MODE)
        return eu_run_exact(r, op);
    eu_set_rounding(r, ROUNDING_THREAD);
    return op->slow_path(r, op);
}

/* Runs the generic handler in place of a threaded one. */
static NOINLINE struct eu_decoded *run_generic(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    r->budget = left - 1u;
    struct eu_decoded *const next =
        (r->t->cr0[0] & CR0_ALT_FP_MODE) ? eu_run_exact(r, op) : eu_exec_generic(r, op);
    if (!next)
        return NULL;
    EU_DISPATCH(r, next, r->budget);
}

static NOINLINE struct eu_decoded *set_rounding_first(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    if (!(r->t->cr0[0] & CR0_ALT_FP_MODE)) {
        eu_set_rounding(r, ROUNDING_THREAD);
        EU_TAIL_CALL(op->handler_unwrapped, r, op, left);
    }
    EU_TAIL_CALL(run_generic, r, op, left);
}

static INLINE uint32_t predicate(const struct eu_thread *t, const struct eu_decoded *op)
{
    if (SELDOM(op->predicate > 1))
        return eu_predicate_mask_any(t, op);
    uint32_t bits;
    memcpy(&bits, &t->flag[op->flag & 6u], sizeof bits);
    bits = op->flag & 1u ? bits >> 16 | bits << 16 : bits;
    return (op->predicate_invert ? ~bits : bits) | (op->predicate ? 0 : UINT32_MAX);
}

static INLINE uint32_t enabled(const struct eu_thread *t, const struct eu_decoded *op)
{
    const uint32_t on = (t->execution_mask | op->unmasked) & op->channel_mask;
    return SELDOM(op->predicate != 0) ? on & predicate(t, op) : on;
}

static INLINE uint32_t rotated(uint32_t x, unsigned by)
{
    return x << (by & 31u) | x >> (-by & 31u);
}

static INLINE void set_flags(struct eu_thread *t, const struct eu_decoded *op, uint32_t on, uint32_t flags)
{
    const unsigned by = 16u * (op->flag & 1u) + op->first_channel;
    uint32_t bits;
    memcpy(&bits, &t->flag[op->flag & 6u], sizeof bits);
    bits = (bits & ~rotated(on, by)) | rotated(flags & on, by);
    memcpy(&t->flag[op->flag & 6u], &bits, sizeof bits);
}

/* A product with it flushes denormals where the thread does; compilers do not know its value. */
static INLINE float one(void)
{
    float x = 1.0f;
    __asm__("" : "+x"(x));
    return x;
}

#include "simd/layout.h"

static INLINE uint32_t load_scalar(const uint8_t *from, const struct eu_region *p)
{
    uint32_t x;
    uint16_t word;
    memcpy(&x, from, sizeof x);
    if (p->element_bytes == 4)
        return x;
    word = (uint16_t)x;
    return p->is_signed ? (uint32_t)(int32_t)(int16_t)word : word;
}

/* The most dwords of a vector. */
#if defined(__AVX512F__)
#define HOST_LANES 16
#elif defined(__AVX2__)
#define HOST_LANES 8
#else
#define HOST_LANES 4
#endif

#define WIDTH   32
#define PART    HOST_LANES
#define NAME(x) w32_##x
#include "simd/width.h"
#define WIDTH   16
#define PART    HOST_LANES
#define NAME(x) w16_##x
#include "simd/width.h"
#define WIDTH 8
#if HOST_LANES < 8
#define PART HOST_LANES
#else
#define PART 8
#endif
#define NAME(x) w8_##x
#include "simd/width.h"
#define WIDTH   1
#define PART    1
#define NAME(x) w1_##x
#include "simd/width.h"

/* ---- Selection of handlers ---- */

static bool is_integer(unsigned type)
{
    return type == TYPE_D || type == TYPE_UD;
}

/* A half that is a float, too, whatever becomes of denormals. */
static bool is_float_as_well(uint64_t half)
{
    enum { EXPONENT = 0x7c00, MAGNITUDE = 0x7fff };
    return !(half & MAGNITUDE) || ((half & EXPONENT) && (half & EXPONENT) != EXPONENT);
}

static bool immediate(const struct eu_region *p, uint32_t *value, uint8_t *type)
{
    const bool is_word = p->type == TYPE_W || p->type == TYPE_UW;
    *value = simd_immediate(p);
    *type = p->type == TYPE_HF ? TYPE_F : p->type;
    if (p->type == TYPE_HF)
        return is_float_as_well(p->immediate);
    if (!is_word)
        return p->type == TYPE_D || p->type == TYPE_UD || p->type == TYPE_F;
    if (*value <= INT32_MAX) /* fits both signs */
        *type = TYPE_NONE;
    else
        *type = TYPE_D;
    return true;
}

/* The common type of an instruction's sources. */
enum kind { KIND_NONE, KIND_FLOAT, KIND_SIGNED, KIND_UNSIGNED, KIND_MIXED };

/* Sets up op->simd for the sources. Returns their kind, *scalars: the mask of scalar sources, *plain: whether
 * the `plain` handlers support them, *translatable: the same if accumulators were registers, as the
 * translator needs it. */
static enum kind sources_of(struct eu_decoded *op, unsigned *scalars, bool *plain, bool *translatable)
{
    bool floats = false, integers = false, are_signed = false, are_unsigned = false;
    *scalars = 0;
    op->simd.immediate_bits = op->simd.negate_bits = op->simd.absolute_bits = 0;
    for (unsigned n = 0; n < op->source_count; n++) {
        struct eu_region *const p = &op->src[n];
        uint8_t type = p->type;
        op->simd.negate_bits |= (uint8_t)(p->negate << n);
        op->simd.absolute_bits |= (uint8_t)(p->absolute << n);
        op->simd.sign_mask[n] = p->negate ? (uint32_t)INT32_MIN : 0;
        op->simd.src_byte[n] = p->first_byte;
        if (!find_source_layout(p, op->channels))
            return KIND_NONE;
        *scalars |= (unsigned)(p->layout == LAYOUT_SCALAR) << n;
        if (p->file == OPERAND_IMMEDIATE) {
            if (!immediate(p, &op->simd.immediate[n], &type))
                return KIND_NONE;
            op->simd.immediate_bits |= (uint8_t)(1u << n);
        } else if (p->file == OPERAND_ACCUMULATOR) {
            *plain = false;
            if (p->layout != LAYOUT_CONTIGUOUS)
                return KIND_NONE;
        } else if (type == TYPE_W || type == TYPE_UW) {
            *plain = false;
            if (p->layout == LAYOUT_STRIDED)
                return KIND_NONE;
            type = type == TYPE_W ? TYPE_D : TYPE_NONE; /* fits both signs */
        } else if (p->layout == LAYOUT_STRIDED) {
            *plain = false;
            *translatable &= eu_region_stride(p, op->channels) == 2 && op->channels > 1;
        }
        floats |= type == TYPE_F;
        integers |= type != TYPE_F;
        are_signed |= type == TYPE_D;
        are_unsigned |= type == TYPE_UD;
        if (type && type != TYPE_F && !is_integer(type))
            return KIND_NONE;
    }
    *translatable &= !op->simd.absolute_bits && !op->saturate;
    *plain &= *translatable;
    if (floats)
        return integers || op->execution_type != TYPE_F ? KIND_NONE : KIND_FLOAT;
    return are_signed && are_unsigned ? KIND_MIXED : are_unsigned ? KIND_UNSIGNED : KIND_SIGNED;
}

/* Condition modifiers. */
enum { EQUAL = 1, UNEQUAL, GREATER, NOT_LESS, LESS, NOT_GREATER };

/* The rule of a comparison. Sources may be swapped, or the flags inverted by `flag_flip`. */
static enum simd_rule comparison_of(struct eu_decoded *op, enum kind kind, bool plain, unsigned *scalars)
{
    const bool floats = kind == KIND_FLOAT, is_signed = kind == KIND_SIGNED;
    const unsigned c = op->condition;
    const bool swaps = c == GREATER || (floats ? c == NOT_LESS : c == NOT_GREATER),
               inverts = c == UNEQUAL || (!floats && (c == NOT_LESS || c == NOT_GREATER));
    if (kind == KIND_MIXED || c < EQUAL || c > NOT_GREATER)
        return SIMD_NONE;
    op->simd.flag_flip = inverts ? UINT32_MAX : 0;
    if (swaps && plain) {
        const uint16_t from = op->simd.src_byte[0];
        const uint32_t fixed = op->simd.immediate[0];
        op->simd.src_byte[0] = op->simd.src_byte[1];
        op->simd.src_byte[1] = from;
        op->simd.immediate[0] = op->simd.immediate[1];
        op->simd.immediate[1] = fixed;
        op->simd.immediate_bits =
            (uint8_t)((op->simd.immediate_bits & 1u) << 1 | op->simd.immediate_bits >> 1);
        *scalars = (*scalars & 1u) << 1 | *scalars >> 1;
    }
    if (c == EQUAL || c == UNEQUAL)
        return floats ? SIMD_cmp_float_equal : is_signed ? SIMD_cmp_equal : SIMD_cmp_equal_unsigned;
    if (floats)
        return c == NOT_LESS || c == NOT_GREATER ? SIMD_cmp_float_not_more : SIMD_cmp_float_less;
    return is_signed ? SIMD_cmp_less : SIMD_cmp_less_unsigned;
}

static enum simd_rule integer_rule_of(const struct eu_decoded *op, enum kind kind)
{
    const bool modified = op->simd.negate_bits | op->simd.absolute_bits, is_signed = kind == KIND_SIGNED;
    /* Modifiers are supported only where bits above 32 do not matter. */
    const bool may_modify = op->opcode == EU_MOV || op->opcode == EU_NOT || op->opcode == EU_AND ||
                            op->opcode == EU_OR || op->opcode == EU_XOR || op->opcode == EU_ADD ||
                            op->opcode == EU_MUL || op->opcode == EU_ADD3 || op->opcode == EU_MAD;
    if (modified && (!may_modify || (op->simd.absolute_bits && !is_signed)))
        return SIMD_NONE;
    if ((op->opcode == EU_SHR || op->opcode == EU_ROL || op->opcode == EU_ROR) &&
        op->src[0].element_bytes != 4)
        return SIMD_NONE;
    if (op->opcode == EU_ASR)
        return op->src[0].type == TYPE_UD ? SIMD_shr : op->src[0].type == TYPE_D ? SIMD_asr : SIMD_NONE;
    if (op->opcode == EU_SEL && op->condition) {
        if (kind == KIND_MIXED || (op->condition != NOT_LESS && op->condition != LESS))
            return SIMD_NONE;
        return op->condition == LESS ? (is_signed ? SIMD_min : SIMD_min_unsigned)
                                     : (is_signed ? SIMD_max : SIMD_max_unsigned);
    }
    return simd_integer_rule(op->opcode);
}

static enum simd_rule rule_of(const struct eu_decoded *op, enum kind kind)
{
    const bool to_float = op->dst.type == TYPE_F;
    if (kind == KIND_FLOAT) {
        switch (op->opcode) {
        case EU_MOV:
            return to_float && !op->saturate                 ? SIMD_mov_float
                   : op->dst.type == TYPE_D && !op->saturate ? SIMD_to_integer
                                                             : SIMD_NONE;
        case EU_SEL:
            return !to_float                   ? SIMD_NONE
                   : !op->condition            ? op->saturate ? SIMD_NONE : SIMD_sel_float
                   : op->condition == LESS     ? SIMD_fmin
                   : op->condition == NOT_LESS ? SIMD_fmax
                                               : SIMD_NONE;
        default:
            return to_float ? simd_float_rule(op->opcode) : SIMD_NONE;
        }
    }
    if (op->saturate)
        return SIMD_NONE;
    if (to_float) {
        if (op->opcode != EU_MOV || op->simd.negate_bits || op->simd.absolute_bits ||
            op->src[0].file == OPERAND_IMMEDIATE)
            return SIMD_NONE;
        return kind == KIND_UNSIGNED ? SIMD_to_float_unsigned : SIMD_to_float;
    }
    return is_integer(op->dst.type) ? integer_rule_of(op, kind) : SIMD_NONE;
}

/* The translator knows the channel's own flag; of one channel also any and all of a group's flags. */
static bool has_translated_predicate(const struct eu_decoded *op)
{
    return !op->predicate || (op->channels > 1 ? op->predicate == 1 : simd_has_one_predicate(op));
}

static const struct rule_handlers *handlers_of_width(const struct eu_decoded *op)
{
    return op->channels == 32   ? w32_handlers
           : op->channels == 16 ? w16_handlers
           : op->channels == 8  ? w8_handlers
           : op->channels == 1  ? w1_handlers
                                : NULL;
}

static bool vector_handler_of(struct eu_decoded *op)
{
    unsigned scalars;
    const struct rule_handlers *const width = handlers_of_width(op);
    bool plain = true, translatable = true;
    const bool compares = op->opcode == EU_CMP, selects = op->opcode == EU_SEL;
    struct eu_region *const to = &op->dst;
    if (!width || op->dst_channel_enable != 0xf || op->acc_write || !op->source_count ||
        (op->condition && !compares && !selects) || !find_destination_layout(op))
        return false;
    if (to->file == OPERAND_ACCUMULATOR) {
        plain = false;
        if (to->type != TYPE_F || to->layout != LAYOUT_CONTIGUOUS || compares)
            return false;
    } else if (to->file == OPERAND_GRF
                   ? to->element_bytes != 4 || (to->layout != LAYOUT_CONTIGUOUS && op->channels > 1)
                   : !compares) {
        return false;
    }
    op->simd.dst_byte = to->first_byte;
    const enum kind kind = sources_of(op, &scalars, &plain, &translatable);
    if (!kind)
        return false;
    if (compares && (op->simd.negate_bits || op->simd.absolute_bits) && kind != KIND_FLOAT)
        return false;
    enum simd_rule rule =
        compares ? comparison_of(op, kind, plain && !op->simd.negate_bits, &scalars) : rule_of(op, kind);
    if (!rule)
        return false;
    if (op->simd.negate_bits && simd_negating_rule(rule))
        rule = simd_negating_rule(rule);
    else
        translatable &= !op->simd.negate_bits;
    plain &= translatable;
    /* Comparisons with swapped sources are not translated: only op->simd has them swapped. */
    translatable &= plain || (op->channels > 1 && !(compares && op->condition == 3) &&
                              !(compares && op->condition == (kind == KIND_FLOAT ? 4 : 6)));
    const struct rule_handlers *const handlers = &width[rule];
    const bool floats = kind == KIND_FLOAT || to->type == TYPE_F;
    op->simd.rule = (uint8_t)(translatable && has_translated_predicate(op) ? rule
                              : floats                                     ? SIMD_called_float
                                                                           : SIMD_called);
    op->simd.scalar_bits = (uint8_t)scalars;
    op->handler_unwrapped = plain ? handlers->plain[scalars] : handlers->any;
    return true;
}

#include "simd/lanes.h"
#include "simd/single_channel.h"
#include "simd/qwords.h"

bool EU_SIMD_SELECT(struct eu_decoded *op)
{
    if (eu_slow_path_of(op) != eu_exec_generic)
        return false;
    if (moves_to_null(op) || selects_words(op) || (has_other_operands(op) && one_channel_handler_of(op)) ||
        vector_handler_of(op) || one_channel_handler_of(op) || has_qwords(op))
        return true;
    eu_handler *const any = lane_handler_of(op);
    if (any)
        op->slow_path = one_handler_of(op, any);
    return any != NULL;
}
