#include "eu/execute.h"

#include <immintrin.h>

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

enum { FLOATS = 1, ROUNDS = 2, BITS = 4, DOUBTS = 8 };
#if defined(__FMA__)
enum { MAY_DOUBT = 0 };
#else
enum { MAY_DOUBT = DOUBTS };
#endif

#define FAST_LIST(RULE)                                                                                      \
    RULE(mov)                                                                                                \
    RULE(mov_float)                                                                                          \
    RULE(not )                                                                                               \
    RULE(to_float)                                                                                           \
    RULE(to_integer)                                                                                         \
    RULE(and)                                                                                                \
    RULE(or)                                                                                                 \
    RULE(xor)                                                                                                \
    RULE(add)                                                                                                \
    RULE(mul)                                                                                                \
    RULE(shl)                                                                                                \
    RULE(shr)                                                                                                \
    RULE(asr)                                                                                                \
    RULE(rol)                                                                                                \
    RULE(ror)                                                                                                \
    RULE(least)                                                                                              \
    RULE(most)                                                                                               \
    RULE(least_unsigned)                                                                                     \
    RULE(most_unsigned)                                                                                      \
    RULE(fadd)                                                                                               \
    RULE(fmul)                                                                                               \
    RULE(add3)                                                                                               \
    RULE(mad)                                                                                                \
    RULE(bfn)                                                                                                \
    RULE(fmad)                                                                                               \
    RULE(sel)                                                                                                \
    RULE(sel_float)                                                                                          \
    RULE(cmp)                                                                                                \
    RULE(cmp_unsigned)                                                                                       \
    RULE(cmp_float)

enum fast_rule {
    FAST_NONE,
#define FAST_RULE(name) FAST_##name,
    FAST_LIST(FAST_RULE)
#undef FAST_RULE
        FAST_RULES
};

/* Floats are to round as the thread's do; or they are none that the host has. */
static __attribute__((noinline)) struct eu_op *round_first(struct eu_run *r, struct eu_op *op)
{
    if (r->t->control[0] & CR0_ALTERNATIVE)
        return eu_do_slowly(r, op);
    eu_round_as(r, THREAD_ROUNDS);
    return op->real(r, op);
}

/* The only kind of predicate there is here. */
static INLINE uint32_t predicate(const struct eu_thread *t, const struct eu_op *op)
{
    uint32_t bits;
    memcpy(&bits, &t->flags[op->flag & 2u], sizeof bits);
    bits = op->flag & 1u ? bits >> 16 | bits << 16 : bits;
    return (op->invert ? ~bits : bits) | (op->predicate ? 0 : UINT32_MAX);
}

static INLINE uint32_t enabled(const struct eu_thread *t, const struct eu_op *op)
{
    if (!SELDOM(!op->is_plain_mask))
        return t->active & op->window;
    return (op->no_mask ? op->window : t->active & op->window) & predicate(t, op);
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

static bool is_whole(const struct eu_place *p, unsigned channels)
{
    return p->way == WAY_REGISTERS && p->at + channels * 4u <= EU_SMALL_FILE;
}

static bool is_contiguous(const struct eu_place *p, unsigned channels)
{
    if (p->swizzled)
        return p->swizzle == 0xe4;
    if (p->width == 1)
        return p->vertical == 1;
    return p->horizontal == 1 && (p->width >= channels || p->vertical == p->width);
}

static bool is_scalar(const struct eu_place *p, unsigned channels)
{
    return !p->swizzled && (p->horizontal == 0 || p->width == 1) &&
           (p->vertical == 0 || p->width >= channels);
}

/* Immediates of words are what they are as dwords. */
static bool immediate(const struct eu_place *p, uint32_t *value, uint8_t *type)
{
    *value = (uint32_t)p->immediate;
    *type = p->type;
    if (p->type == TYPE_W)
        *value = (uint32_t)(int32_t)(int16_t)p->immediate;
    else if (p->type == TYPE_UW)
        *value = (uint16_t)p->immediate;
    else
        return p->type == TYPE_D || p->type == TYPE_UD || p->type == TYPE_F;
    if (*value <= INT32_MAX) /* either */
        *type = TYPE_NONE;
    else
        *type = TYPE_D;
    return true;
}

enum kind { KIND_NONE, KIND_FLOAT, KIND_SIGNED, KIND_UNSIGNED, KIND_MIXED };

/* Where sources lie, to op->from and what follows; what they are; and which are one element for all. */
static enum kind sources_of(struct eu_op *op, unsigned *scalars)
{
    bool floats = false, are_signed = false, are_unsigned = false;
    *scalars = 0;
    op->fixed_bits = op->negates = op->absolutes = 0;
    for (unsigned n = 0; n < op->sources; n++) {
        const struct eu_place *const p = &op->src[n];
        uint8_t type = p->type;
        op->negates |= (uint8_t)(p->negate << n);
        op->absolutes |= (uint8_t)(p->absolute << n);
        op->from[n] = p->at;
        if (p->way == WAY_IMMEDIATE) {
            if (!immediate(p, &op->fixed[n], &type))
                return KIND_NONE;
            op->fixed_bits |= (uint8_t)(1u << n);
            *scalars |= 1u << n;
        } else if (op->channels == 1 || is_scalar(p, op->channels)) {
            *scalars |= 1u << n;
            if (!is_whole(p, 1))
                return KIND_NONE;
        } else if (!is_contiguous(p, op->channels) || !is_whole(p, op->channels)) {
            return KIND_NONE;
        }
        floats |= type == TYPE_F;
        are_signed |= type == TYPE_D;
        are_unsigned |= type == TYPE_UD;
        if (type && type != TYPE_F && !is_integer(type))
            return KIND_NONE;
    }
    if (floats)
        return are_signed || are_unsigned || op->type != TYPE_F ? KIND_NONE : KIND_FLOAT;
    return are_signed && are_unsigned ? KIND_MIXED : are_unsigned ? KIND_UNSIGNED : KIND_SIGNED;
}

static enum fast_rule integer_rule_of(const struct eu_op *op, enum kind kind)
{
    static const uint8_t rules[EU_OPERATIONS] = {
        [EU_MOV] = FAST_mov, [EU_NOT] = FAST_not, [EU_AND] = FAST_and, [EU_OR] = FAST_or,
        [EU_XOR] = FAST_xor, [EU_ADD] = FAST_add, [EU_MUL] = FAST_mul, [EU_ADD3] = FAST_add3,
        [EU_MAD] = FAST_mad, [EU_SHL] = FAST_shl, [EU_SHR] = FAST_shr, [EU_ROL] = FAST_rol,
        [EU_ROR] = FAST_ror, [EU_BFN] = FAST_bfn, [EU_SEL] = FAST_sel,
    };
    const bool modified = op->negates | op->absolutes, is_signed = kind == KIND_SIGNED;
    /* Only where what lies above 32 bits does not matter. */
    const bool may_modify = op->does == EU_MOV || op->does == EU_NOT || op->does == EU_AND ||
                            op->does == EU_OR || op->does == EU_XOR || op->does == EU_ADD ||
                            op->does == EU_MUL || op->does == EU_ADD3 || op->does == EU_MAD;
    if (modified && (!may_modify || (op->absolutes && !is_signed)))
        return FAST_NONE;
    if (op->does == EU_CMP)
        return kind == KIND_MIXED || op->condition > 6 ? FAST_NONE : is_signed ? FAST_cmp : FAST_cmp_unsigned;
    if (op->does == EU_ASR)
        return op->src[0].type == TYPE_UD ? FAST_shr : op->src[0].type == TYPE_D ? FAST_asr : FAST_NONE;
    if (op->does == EU_SEL && op->condition) {
        if (kind == KIND_MIXED || (op->condition != 4 && op->condition != 5))
            return FAST_NONE;
        return op->condition == 5 ? (is_signed ? FAST_least : FAST_least_unsigned)
                                  : (is_signed ? FAST_most : FAST_most_unsigned);
    }
    return (enum fast_rule)rules[op->does];
}

static enum fast_rule rule_of(const struct eu_op *op, enum kind kind)
{
    const bool to_float = op->dst.type == TYPE_F;
    if (kind == KIND_FLOAT) {
        switch (op->does) {
        case EU_ADD:
            return to_float ? FAST_fadd : FAST_NONE;
        case EU_MUL:
            return to_float ? FAST_fmul : FAST_NONE;
        case EU_MAD:
            return to_float ? FAST_fmad : FAST_NONE;
        case EU_MOV:
            return to_float && !op->saturate                 ? FAST_mov_float
                   : op->dst.type == TYPE_D && !op->saturate ? FAST_to_integer
                                                             : FAST_NONE;
        case EU_SEL:
            return to_float && !op->condition && !op->saturate ? FAST_sel_float : FAST_NONE;
        case EU_CMP:
            return op->condition <= 6 ? FAST_cmp_float : FAST_NONE;
        default:
            return FAST_NONE;
        }
    }
    if (op->saturate)
        return FAST_NONE;
    if (to_float)
        return op->does == EU_MOV && op->src[0].type == TYPE_D && !op->negates && !op->absolutes
                   ? FAST_to_float
               : op->does == EU_CMP ? integer_rule_of(op, kind)
                                    : FAST_NONE;
    return is_integer(op->dst.type) ? integer_rule_of(op, kind) : FAST_NONE;
}

static eu_handler *plain_of(struct eu_op *op)
{
    unsigned scalars;
    const bool compares = op->does == EU_CMP, selects = op->does == EU_SEL;
    if ((op->channels != 16 && op->channels != 8 && op->channels != 1) || op->written != 0xf ||
        op->acc_write || op->predicate > 1 || !op->sources || (op->condition && !compares && !selects))
        return NULL;
    if (op->dst.way == WAY_REGISTERS ? !is_whole(&op->dst, op->channels) || op->dst.bytes != 4 ||
                                           (op->dst.horizontal != 1 && op->channels > 1)
                                     : !compares || op->dst.way != WAY_NULL)
        return NULL;
    op->to = op->dst.at;
    op->is_plain_mask = !op->no_mask && !op->predicate;
    const enum kind kind = sources_of(op, &scalars);
    const enum fast_rule rule = kind ? rule_of(op, kind) : FAST_NONE;
    if (rule == FAST_NONE)
        return NULL;
    op->is_plain = !op->negates && !op->absolutes && !op->saturate;
    return op->channels == 16  ? w16_handlers[rule][scalars]
           : op->channels == 8 ? w8_handlers[rule][scalars]
                               : w1_handlers[rule][scalars];
}

#include "eu/fast_any.h"

eu_handler *FAST(struct eu_op *op)
{
    eu_handler *const plain = plain_of(op);
    return plain ? plain : any_of(op);
}
