#include "eu/execute.h"
#include "eu/fast_rules.h"

#include <immintrin.h>
#include <stddef.h>

/*
 * Handlers of what kernels do most: 32-bit floats and integers of 1, 8 or 16 channels that lie one behind the
 * other, or are one for all. They do what the exact way (values.c) does, to the bit, and give what they do
 * not do to it. This file is compiled for each level of the host's vectors; FAST is its name there, which
 * level is chosen changes no result.
 */

/* gcc 12's analyser loses the value of a vector that is written as one type and read as another. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-use-of-uninitialized-value"
#endif

#define SELDOM(is) __builtin_expect(is, 0)
#define INLINE     inline __attribute__((always_inline))
#define UNROLLED   _Pragma("GCC unroll 8")

enum { FLOATS = 1, ROUNDS = 2, BITS = 4, DOUBTS = 8, NUMBERS = 16, SIGNS = 32 };
enum {
    ANYWHERE = 8
}; /* beside which sources are one element for all: they have modifiers, or lie otherwise */
#if defined(__FMA__)
enum { MAY_DOUBT = 0 };
#else
enum { MAY_DOUBT = DOUBTS };
#endif

/* Of a rule: by which sources are one element for all; and with modifiers, or where operands lie otherwise.
 */
struct steps {
    eu_step *const *plain, *any;
};

/* Floats are to round as the thread's do; or they are none that the host has. */
static __attribute__((noinline)) struct eu_op *round_first(struct eu_run *r, struct eu_op *op)
{
    if (r->t->control[0] & CR0_ALTERNATIVE)
        return eu_do_slowly(r, op);
    eu_round_as(r, THREAD_ROUNDS);
    return op->apart(r, op);
}

/* The same for steps. */
static __attribute__((noinline)) struct eu_op *step_exactly(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    r->left = left - 1u;
    struct eu_op *const next =
        (r->t->control[0] & CR0_ALTERNATIVE) ? eu_do_slowly(r, op) : eu_do_values(r, op);
    if (!next)
        return NULL;
    EU_GO_ON(r, next, r->left);
}

static __attribute__((noinline)) struct eu_op *round_step(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    if (!(r->t->control[0] & CR0_ALTERNATIVE)) {
        eu_round_as(r, THREAD_ROUNDS);
        EU_STEP(op->real, r, op, left);
    }
    EU_STEP(step_exactly, r, op, left);
}

static INLINE uint32_t predicate(const struct eu_thread *t, const struct eu_op *op)
{
    if (SELDOM(op->predicate > 1))
        return eu_predicate_of(t, op);
    uint32_t bits;
    memcpy(&bits, &t->flags[op->flag & 2u], sizeof bits);
    bits = op->flag & 1u ? bits >> 16 | bits << 16 : bits;
    return (op->invert ? ~bits : bits) | (op->predicate ? 0 : UINT32_MAX);
}

static INLINE uint32_t enabled(const struct eu_thread *t, const struct eu_op *op)
{
    const uint32_t on = (t->active | op->always) & op->window;
    return SELDOM(op->predicate != 0) ? on & predicate(t, op) : on;
}

static INLINE uint32_t rotated(uint32_t x, unsigned by)
{
    return x << (by & 31u) | x >> (-by & 31u);
}

static INLINE void set_flags(struct eu_thread *t, const struct eu_op *op, uint32_t on, uint32_t flags)
{
    const unsigned by = 16u * (op->flag & 1u) + op->first;
    uint32_t bits;
    memcpy(&bits, &t->flags[op->flag & 2u], sizeof bits);
    bits = (bits & ~rotated(on, by)) | rotated(flags & on, by);
    memcpy(&t->flags[op->flag & 2u], &bits, sizeof bits);
}

#include "eu/fast_lay.h"

static INLINE uint32_t one_of(const uint8_t *from, const struct eu_place *p)
{
    uint32_t x;
    uint16_t word;
    memcpy(&x, from, sizeof x);
    if (p->bytes == 4)
        return x;
    word = (uint16_t)x;
    return p->is_signed ? (uint32_t)(int32_t)(int16_t)word : word;
}

#define WIDTH 16
#if defined(__AVX512F__)
#define PART 16
#elif defined(__AVX2__)
#define PART 8
#else
#define PART 4
#endif
#define NAME(x) w16_##x
#include "eu/fast_width.h"
#define WIDTH 8
#if defined(__AVX2__)
#define PART 8
#else
#define PART 4
#endif
#define NAME(x) w8_##x
#include "eu/fast_width.h"
#define WIDTH   1
#define PART    1
#define NAME(x) w1_##x
#include "eu/fast_width.h"

/* ---- Which of them ---- */

static bool is_integer(unsigned type)
{
    return type == TYPE_D || type == TYPE_UD;
}

static bool immediate(const struct eu_place *p, uint32_t *value, uint8_t *type)
{
    const bool is_word = p->type == TYPE_W || p->type == TYPE_UW;
    *value = fast_immediate(p);
    *type = p->type;
    if (!is_word)
        return p->type == TYPE_D || p->type == TYPE_UD || p->type == TYPE_F;
    if (*value <= INT32_MAX) /* either */
        *type = TYPE_NONE;
    else
        *type = TYPE_D;
    return true;
}

enum kind { KIND_NONE, KIND_FLOAT, KIND_SIGNED, KIND_UNSIGNED, KIND_MIXED };

/* Where sources lie, to op->from and what follows; what they are; which are one element for all; and whether
 * they are as steps have them, or would be if none was an accumulator. */
static enum kind sources_of(struct eu_op *op, unsigned *scalars, bool *plain, bool *nearly)
{
    bool floats = false, integers = false, are_signed = false, are_unsigned = false;
    *scalars = 0;
    op->fixed_bits = op->negates = op->absolutes = 0;
    for (unsigned n = 0; n < op->sources; n++) {
        struct eu_place *const p = &op->src[n];
        uint8_t type = p->type;
        op->negates |= (uint8_t)(p->negate << n);
        op->absolutes |= (uint8_t)(p->absolute << n);
        op->signs[n] = p->negate ? (uint32_t)INT32_MIN : 0;
        op->from[n] = p->at;
        if (!lay_out(p, op->channels))
            return KIND_NONE;
        *scalars |= (unsigned)(p->lay == LAY_ONE) << n;
        if (p->way == WAY_IMMEDIATE) {
            if (!immediate(p, &op->fixed[n], &type))
                return KIND_NONE;
            op->fixed_bits |= (uint8_t)(1u << n);
        } else if (p->way == WAY_ACCUMULATOR) {
            *plain = false;
            if (p->lay != LAY_ROW)
                return KIND_NONE;
        } else if (type == TYPE_W || type == TYPE_UW) {
            *nearly = false;
            if (p->lay == LAY_STEPS)
                return KIND_NONE;
            type = type == TYPE_W ? TYPE_D : TYPE_NONE; /* either */
        } else if (p->lay == LAY_STEPS) {
            *nearly = false;
        }
        floats |= type == TYPE_F;
        integers |= type != TYPE_F;
        are_signed |= type == TYPE_D;
        are_unsigned |= type == TYPE_UD;
        if (type && type != TYPE_F && !is_integer(type))
            return KIND_NONE;
    }
    *nearly &= !op->absolutes && !op->saturate;
    *plain &= *nearly;
    if (floats)
        return integers || op->type != TYPE_F ? KIND_NONE : KIND_FLOAT;
    return are_signed && are_unsigned ? KIND_MIXED : are_unsigned ? KIND_UNSIGNED : KIND_SIGNED;
}

/* A comparison as one of those that steps have: the other way round, or of what does not hold. */
static enum fast_rule comparison_of(struct eu_op *op, enum kind kind, bool plain, unsigned *scalars)
{
    enum { EQUAL = 1, UNEQUAL, GREATER, NOT_LESS, LESS, NOT_GREATER };
    const bool floats = kind == KIND_FLOAT, is_signed = kind == KIND_SIGNED;
    const unsigned c = op->condition;
    const bool turns = c == GREATER || (floats ? c == NOT_LESS : c == NOT_GREATER),
               flips = c == UNEQUAL || (!floats && (c == NOT_LESS || c == NOT_GREATER));
    if (kind == KIND_MIXED || c < EQUAL || c > NOT_GREATER)
        return FAST_NONE;
    op->flip = flips ? UINT32_MAX : 0;
    if (turns && plain) {
        const uint16_t from = op->from[0];
        const uint32_t fixed = op->fixed[0];
        op->from[0] = op->from[1];
        op->from[1] = from;
        op->fixed[0] = op->fixed[1];
        op->fixed[1] = fixed;
        op->fixed_bits = (uint8_t)((op->fixed_bits & 1u) << 1 | op->fixed_bits >> 1);
        *scalars = (*scalars & 1u) << 1 | *scalars >> 1;
    }
    if (c == EQUAL || c == UNEQUAL)
        return floats ? FAST_cmp_float_equal : is_signed ? FAST_cmp_equal : FAST_cmp_equal_unsigned;
    if (floats)
        return c == NOT_LESS || c == NOT_GREATER ? FAST_cmp_float_not_more : FAST_cmp_float_less;
    return is_signed ? FAST_cmp_less : FAST_cmp_less_unsigned;
}

static enum fast_rule integer_rule_of(const struct eu_op *op, enum kind kind)
{
    const bool modified = op->negates | op->absolutes, is_signed = kind == KIND_SIGNED;
    /* Only where what lies above 32 bits does not matter. */
    const bool may_modify = op->does == EU_MOV || op->does == EU_NOT || op->does == EU_AND ||
                            op->does == EU_OR || op->does == EU_XOR || op->does == EU_ADD ||
                            op->does == EU_MUL || op->does == EU_ADD3 || op->does == EU_MAD;
    if (modified && (!may_modify || (op->absolutes && !is_signed)))
        return FAST_NONE;
    if ((op->does == EU_SHR || op->does == EU_ROL || op->does == EU_ROR) && op->src[0].bytes != 4)
        return FAST_NONE;
    if (op->does == EU_ASR)
        return op->src[0].type == TYPE_UD ? FAST_shr : op->src[0].type == TYPE_D ? FAST_asr : FAST_NONE;
    if (op->does == EU_SEL && op->condition) {
        if (kind == KIND_MIXED || (op->condition != 4 && op->condition != 5))
            return FAST_NONE;
        return op->condition == 5 ? (is_signed ? FAST_least : FAST_least_unsigned)
                                  : (is_signed ? FAST_most : FAST_most_unsigned);
    }
    return fast_integer_rule(op->does);
}

static enum fast_rule rule_of(const struct eu_op *op, enum kind kind)
{
    const bool to_float = op->dst.type == TYPE_F;
    if (kind == KIND_FLOAT) {
        switch (op->does) {
        case EU_MOV:
            return to_float && !op->saturate                 ? FAST_mov_float
                   : op->dst.type == TYPE_D && !op->saturate ? FAST_to_integer
                                                             : FAST_NONE;
        case EU_SEL:
            return to_float && !op->condition && !op->saturate ? FAST_sel_float : FAST_NONE;
        default:
            return to_float ? fast_float_rule(op->does) : FAST_NONE;
        }
    }
    if (op->saturate)
        return FAST_NONE;
    if (to_float) {
        if (op->does != EU_MOV || op->negates || op->absolutes || op->src[0].way == WAY_IMMEDIATE)
            return FAST_NONE;
        return kind == KIND_UNSIGNED ? FAST_to_float_unsigned : FAST_to_float;
    }
    return is_integer(op->dst.type) ? integer_rule_of(op, kind) : FAST_NONE;
}

static bool values_of(struct eu_op *op)
{
    unsigned scalars;
    bool plain = true, nearly = true;
    const bool compares = op->does == EU_CMP, selects = op->does == EU_SEL;
    struct eu_place *const to = &op->dst;
    if ((op->channels != 16 && op->channels != 8 && op->channels != 1) || op->written != 0xf ||
        op->acc_write || !op->sources || (op->condition && !compares && !selects) || !lay_out_destination(op))
        return false;
    if (to->way == WAY_ACCUMULATOR) {
        plain = false;
        if (to->type != TYPE_F || to->lay != LAY_ROW || compares)
            return false;
    } else if (to->way == WAY_REGISTERS ? to->bytes != 4 || (to->lay != LAY_ROW && op->channels > 1)
                                        : !compares) {
        return false;
    }
    op->to = to->at;
    const enum kind kind = sources_of(op, &scalars, &plain, &nearly);
    if (!kind)
        return false;
    if (compares && (op->negates || op->absolutes) && kind != KIND_FLOAT)
        return false;
    enum fast_rule rule =
        compares ? comparison_of(op, kind, plain && !op->negates, &scalars) : rule_of(op, kind);
    if (!rule)
        return false;
    if (op->negates && fast_signed_rule(rule))
        rule = fast_signed_rule(rule);
    else
        nearly &= !op->negates;
    plain &= nearly;
    /* Sources of a comparison that is turned are not where they were: steps look at each. */
    nearly &= plain || (op->channels > 1 && !(compares && op->condition == 3) &&
                        !(compares && op->condition == (kind == KIND_FLOAT ? 4 : 6)));
    const struct steps *const steps = op->channels == 16  ? &w16_steps[rule]
                                      : op->channels == 8 ? &w8_steps[rule]
                                                          : &w1_steps[rule];
    const bool floats = kind == KIND_FLOAT || to->type == TYPE_F;
    op->rule = (uint8_t)(nearly && op->predicate <= 1 ? rule /* the plain predicate */
                         : floats                     ? FAST_NONE
                                                      : FAST_called);
    op->scalars = (uint8_t)scalars;
    op->real = plain ? steps->plain[scalars] : steps->any;
    return true;
}

#include "eu/fast_any.h"
#include "eu/fast_few.h"

bool FAST(struct eu_op *op)
{
    if (eu_handler_of(op) != eu_do_values)
        return false;
    if (moves_nowhere(op) || selects_words(op) || (is_of_few(op) && few_of(op)) || values_of(op) ||
        few_of(op))
        return true;
    eu_handler *const any = any_of(op);
    if (any)
        op->apart = any;
    return any != NULL;
}
