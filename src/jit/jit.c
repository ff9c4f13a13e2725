#include "jit/jit.h"
#include "jit/translation.h"

#include <stdlib.h>

/*
 * Runs of instructions as code of the host's (x86-64 with AVX2 and FMA).
 *
 * - A run is a straight line of plain steps (fast.c) in one chunk, through branches that nobody takes, up to
 *   something else or to the branch that leads back; in its middle steps may be called that always go on.
 *   Its first instruction has the code as its step; each of the others keeps its own, so that who comes
 *   into the middle, or leaves there, is right.
 * - Wherever the code does not have it the run goes on with an instruction's own step, before which nothing
 * of it is done: results that are no numbers (they have a pattern of their own), branches that are taken,
 *   floats that round otherwise. The code is entered only with budget for all of it and one instruction more.
 * - Each result is written to the registers at once; those of the host remember what they have read or
 *   written, so that nothing has to be saved.
 * - There are two versions of a run: for all channels, and for some, whose masks are made once.
 * - Where the code lies no state says, and results are the same without: which instructions are translated,
 * and when, follows from what ran.
 */

#if defined(__x86_64__) && !defined(__ILP32__)

#include <cpuid.h>

enum { CODE_BYTES = 1 << 20, LEAST_RUN = 2 };

struct eu_jit {
    struct softgt_code_port memory;
    uint8_t *bytes, *runs; /* as they are written, and as they run */
    size_t at;
    unsigned after;
};

/* ---- Which instructions ---- */

struct eu_decoded *eu_goes_to(struct eu_chunk *c, struct eu_decoded *op)
{
    const uint64_t at = c->base + (uint64_t)(op - c->ops) * EU_COMPACT_BYTES;
    const uint64_t to =
        (at + (uint64_t)(int64_t)op->branch.jip) & UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
    const uint64_t offset = to - c->base;
    return offset >= c->first_byte && offset < c->end_byte ? &c->ops[offset / EU_COMPACT_BYTES] : NULL;
}

enum kind { KIND_NONE, KIND_INTEGER, KIND_FLOAT, KIND_REAL };

static enum kind value_kind_of(const struct eu_region *p)
{
    static const uint8_t kinds[EU_TYPES] = {
        [TYPE_UB] = KIND_INTEGER, [TYPE_B] = KIND_INTEGER,  [TYPE_UW] = KIND_INTEGER,
        [TYPE_W] = KIND_INTEGER,  [TYPE_UD] = KIND_INTEGER, [TYPE_D] = KIND_INTEGER,
        [TYPE_F] = KIND_FLOAT,    [TYPE_HF] = KIND_FLOAT,   [TYPE_DF] = KIND_REAL,
    };
    return (enum kind)kinds[p->type];
}

/* So many bytes from one channel's to the next are loaded and stored at once. */
static bool has_pitch(const struct eu_region *p, unsigned steps, unsigned channels)
{
    const unsigned pitch = steps * p->element_bytes;
    return pitch <= (p->element_bytes < 4 ? 4u : p->element_bytes) &&
           p->first_byte + channels * pitch <= EU_SMALL_FILE;
}

/* To where translations look for it; false: they do not have it there. */
static bool find_source(struct eu_decoded *op, unsigned n)
{
    const struct eu_region *const p = &op->src[n];
    const unsigned steps = eu_region_stride(p, op->channels);
    if (p->absolute)
        return false;
    op->simd.src_byte[n] = p->first_byte;
    op->simd.sign_mask[n] = p->negate ? (uint32_t)INT32_MIN : 0;
    if (p->file == OPERAND_IMMEDIATE) {
        op->simd.immediate[n] = simd_immediate(p);
        op->simd.immediate_bits |= (uint8_t)(1u << n);
        return p->element_bytes >= 2 && p->element_bytes <= 4 && p->type != TYPE_HF;
    }
    op->simd.scalar_bits |= (uint8_t)((steps == 0) << n);
    return p->file == OPERAND_GRF && steps != EU_NO_STRIDE && has_pitch(p, steps, op->channels);
}

static enum simd_rule eu_integer_rule(const struct eu_decoded *op)
{
    const bool is_unsigned = !eu_is_signed(op->src[0].type);
    switch (op->opcode) {
    case EU_SHR:
        return is_unsigned ? SIMD_shr : SIMD_NONE;
    case EU_ASR:
        return is_unsigned ? SIMD_shr : SIMD_asr;
    case EU_ROL: /* by the element's width */
    case EU_ROR:
    case EU_BFN:
        return SIMD_NONE;
    default:
        return simd_integer_rule(op->opcode);
    }
}

static enum simd_rule float_rule(const struct eu_decoded *op, bool some_negate)
{
    bool halves = true;
    for (unsigned n = 0; n < op->source_count; n++)
        halves &= op->src[n].type == TYPE_HF;
    if (op->opcode == EU_MOV)
        return op->dst.type != op->src[0].type && !some_negate ? SIMD_convert : SIMD_NONE;
    if (op->dst.type == TYPE_HF && !halves) /* one rounding */
        return SIMD_NONE;
    const enum simd_rule rule = simd_float_rule(op->opcode);
    return some_negate ? simd_negating_rule(rule) : rule;
}

/* Of what is not in steps as rows of dwords: bytes, words, halves, doubles. */
static enum simd_rule jit_rule_of(struct eu_decoded *op)
{
    const enum kind kind = value_kind_of(&op->dst);
    bool some_negate = false;
    op->simd.immediate_bits = op->simd.scalar_bits = 0;
    op->simd.dst_byte = op->dst.first_byte;
    if ((op->channels != 8 && op->channels != 16) || op->dst_channel_enable != 0xf || op->acc_write ||
        op->saturate || op->condition || op->predicate > 1 || op->dst.file != OPERAND_GRF || !kind ||
        (op->dst.element_bytes > 2 && op->dst.hstride != 1) ||
        !has_pitch(&op->dst, op->dst.hstride, op->channels) || !op->source_count)
        return SIMD_NONE;
    for (unsigned n = 0; n < op->source_count; n++) {
        if (value_kind_of(&op->src[n]) != kind || !find_source(op, n) ||
            (kind == KIND_REAL && op->src[n].file == OPERAND_IMMEDIATE))
            return SIMD_NONE;
        some_negate |= op->src[n].negate;
    }
    if (kind == KIND_INTEGER)
        return some_negate ? SIMD_NONE : eu_integer_rule(op);
    if (kind == KIND_REAL && op->opcode == EU_MOV)
        return SIMD_NONE;
    return float_rule(op, some_negate);
}

static bool wants_plain(const struct eu_decoded *op)
{
    bool wants = op->dst.type == TYPE_DF || op->dst.type == TYPE_HF;
    for (unsigned n = 0; n < op->source_count; n++)
        wants |= op->src[n].type == TYPE_HF;
    return wants;
}

static bool is_value(const struct eu_decoded *op)
{
    if (!(eu_code_rules[op->simd.rule] & RULE_IS) || op->beside.extra_cost)
        return false;
    if (eu_code_rules[op->simd.rule] & RULE_CALLED)
        return true;
    if (op->channels == 1)
        return op->unmasked && !op->predicate && !(eu_code_rules[op->simd.rule] & RULE_SELECTS);
    if ((eu_code_rules[op->simd.rule] & RULE_SELECTS) && !op->predicate)
        return false;
    return op->first_channel % op->channels == 0;
}

static bool is_called(const struct eu_decoded *op)
{
    return eu_code_rules[op->simd.rule] & RULE_CALLED;
}

/* What is called is so in the middle of others: by itself it is faster as it is. */
static bool begins_run(const struct eu_decoded *op)
{
    return is_value(op) && (!is_called(op) || op->jit.is_loop_head);
}

static bool is_branch(const struct eu_decoded *op)
{
    const bool is_wide =
        (op->channels == 8 || op->channels == 16 || op->channels == 32) && !op->first_channel;
    if (!eu_branch_handler_of(op) || op->beside.extra_cost || op->predicate > 1)
        return false;
    switch (op->opcode) {
    case EU_BREAK:
        return is_wide && (op->predicate || !op->unmasked);
    case EU_IF:
    case EU_WHILE:
        return is_wide;
    case EU_ENDIF:
    case EU_JOIN:
    case EU_NOP:
    case EU_SYNC:
        return true;
    case EU_JMPI:
        return is_wide || op->channels == 1;
    default:
        return false;
    }
}

bool eu_ends_run(const struct eu_decoded *op)
{
    return op->opcode == EU_JMPI || op->opcode == EU_WHILE;
}

/* From the first of ops on. */
static void find_run(struct translation *t)
{
    struct eu_decoded *op = t->ops[0];
    for (t->count = 0; t->count < MOST_RUN; t->count++) {
        if (t->count && (op->beside.wrap || op->jit.slots || op->jit.is_inside ||
                         op->jit.is_loop_head)) /* its own begins there */
            break;
        if (op >= t->chunk->ops + EU_SLOTS || !op->handler_untranslated)
            break;
        const bool branches = is_branch(op);
        if (!branches && !is_value(op))
            break;
        if (branches && eu_ends_run(op) && !eu_goes_to(t->chunk, op))
            break;
        t->ops[t->count] = op;
        t->branches |= branches;
        if (!branches) {
            t->floats |= (eu_code_rules[op->simd.rule] & RULE_FLOATS) != 0;
            t->plain |= !is_called(op) && wants_plain(op);
            t->windows |= op->unmasked || is_called(op) ? 0 : op->channel_mask;
        } else if (eu_ends_run(op)) {
            t->count++;
            break;
        }
        op += op->slots;
    }
    t->ops[t->count] = op;
    while (t->count && is_called(t->ops[t->count - 1]))
        t->count--;
}

/* ---- The area ---- */

static eu_threaded_handler count_execution;

/* Its step, but for what comes before it. */
static void set_step(struct eu_decoded *op, eu_threaded_handler *step)
{
    if (op->handler == op->handler_unwrapped)
        op->handler = step;
    op->handler_unwrapped = step;
}

static void forget_run(struct eu_decoded *op)
{
    struct eu_decoded *const end = op + op->jit.slots;
    op->jit.slots = 0;
    for (struct eu_decoded *each = op; each < end; each += each->slots) {
        each->jit.is_inside = false;
        each->jit.execution_count = 0;
        if (begins_run(each))
            set_step(each, count_execution);
    }
}

/* It is full: what runs often is soon there again; what fills it again and again less and less. */
static void begin_again(struct eu_cache *cache)
{
    enum { MOST_AFTER = 1 << 14 };
    if (cache->jit->after < MOST_AFTER)
        cache->jit->after *= 2u;
    for (unsigned n = 0; n <= EU_CHUNKS; n++) {
        struct eu_chunk *const c = n < EU_CHUNKS ? cache->chunks[n] : &cache->own;
        for (unsigned slot = 0; c && slot < EU_SLOTS; slot++)
            forget_run(&c->ops[slot]);
    }
    cache->jit->at = CODE_NUMBERS_BYTES;
}

static bool has_area(struct eu_jit *code)
{
    void *bytes, *runs;
    if (code->bytes || !code->memory.map)
        return code->bytes != NULL;
    if (!code->memory.map(code->memory.user, CODE_BYTES, &bytes, &runs)) {
        code->memory.map = NULL;
        return false;
    }
    code->bytes = bytes;
    code->runs = runs;
    code->at = CODE_NUMBERS_BYTES;
    eu_code_numbers(code->bytes);
    return true;
}

/* What was written through one address runs at another. */
static void see_code(void)
{
    unsigned a, b, c, d;
    __cpuid(0, a, b, c, d);
}

static void translate(struct eu_run *r, struct eu_decoded *op)
{
    struct eu_jit *const code = r->cache->jit;
    struct translation t;
    t.chunk = r->chunk;
    t.ops[0] = op;
    t.windows = t.clock = t.leaves = 0;
    t.floats = t.branches = t.plain = false;
    set_step(op, op->handler_untranslated);
    if (op->beside.wrap & ~(unsigned)WRAP_MERGE)
        return;
    find_run(&t);
    if (t.count < LEAST_RUN || !has_area(code))
        return;
    if (CODE_BYTES - code->at < (t.count + 1u) * (size_t)CODE_MOST_BYTES)
        begin_again(r->cache);
    t.x = (struct x86){.bytes = code->bytes, .at = code->at, .size = CODE_BYTES};
    const size_t at = code->at;
    if (!eu_code_write(&t))
        return;
    code->at = (t.x.at + 63u) & ~(size_t)63;
    see_code();
    const uint8_t *const runs = code->runs + at;
    eu_threaded_handler *step;
    memcpy(&step, &runs, sizeof step);
    set_step(op, step);
    const struct eu_decoded *const last = t.ops[t.count - 1];
    op->jit.slots = (uint8_t)(last + last->slots - op);
    for (unsigned n = 1; n < t.count; n++) { /* who comes there does not begin one as well */
        t.ops[n]->jit.is_inside = true;
        set_step(t.ops[n], t.ops[n]->handler_untranslated);
    }
}

static struct eu_decoded *count_execution(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    if (++op->jit.execution_count >= r->cache->jit->after)
        translate(r, op);
    else
        EU_TAIL_CALL(op->handler_untranslated, r, op, left);
    EU_TAIL_CALL(op->handler_unwrapped, r, op, left);
}

static void jit_drop_around(struct eu_chunk *c, struct eu_decoded *op);

static void jit_consider(struct eu_chunk *c, struct eu_decoded *op, bool has_slow_path)
{
    if (has_slow_path && !op->simd.rule && eu_slow_path_of(op) == eu_exec_generic) {
        struct eu_decoded found = *op;
        found.simd.rule = (uint8_t)jit_rule_of(&found);
        if (found.simd.rule)
            *op = found;
    }
    struct eu_decoded *const to =
        eu_branch_handler_of(op) && op->branch.has_label && op->branch.jip <= 0 ? eu_goes_to(c, op) : NULL;
    if (begins_run(op))
        op->handler = op->handler_unwrapped = count_execution;
    if (to && to <= op && to->handler_untranslated) {
        if (to->jit.is_inside)
            jit_drop_around(c, to);
        to->jit.is_loop_head = true;
        if (is_value(to) && is_called(to) && !to->jit.slots)
            set_step(to, count_execution);
    }
}

static void jit_drop_around(struct eu_chunk *c, struct eu_decoded *op)
{
    for (struct eu_decoded *before = c->ops; before < op; before++)
        if (before->jit.slots > op - before)
            forget_run(before);
    op->jit.is_inside = false;
}

static void jit_destroy(struct eu_jit *jit)
{
    if (jit->bytes)
        jit->memory.unmap(jit->memory.user, CODE_BYTES, jit->bytes, jit->runs);
    free(jit);
}

bool eu_cache_enable_jit(struct eu_cache *cache, const struct softgt_code_port *memory, unsigned after)
{
    static const struct eu_translator translator = {
        .consider = jit_consider, .drop_around = jit_drop_around, .destroy = jit_destroy};
    eu_simd_selector *const level = cache->backend.select_simd;
    if (level != eu_simd_select[EU_SIMD_V3] && level != eu_simd_select[EU_SIMD_V4])
        return false;
    cache->jit = calloc(1, sizeof *cache->jit);
    if (!cache->jit)
        return false;
    *cache->jit = (struct eu_jit){.memory = *memory, .after = after};
    cache->translator = &translator;
    return true;
}

#else

bool eu_cache_enable_jit(struct eu_cache *cache, const struct softgt_code_port *memory, unsigned after)
{
    (void)cache;
    (void)memory;
    (void)after;
    return false;
}

#endif

struct eu_cache *eu_cache_create(const struct softgt_code_port *memory)
{
    struct eu_cache *const c = eu_cache_create_simd(eu_host_simd_level());
    if (c && memory && memory->map)
        (void)eu_cache_enable_jit(c, memory, EU_JIT_AFTER);
    return c;
}
