/*
 * The translator: it finds runs of instructions and replaces their handlers by x86-64 code (AVX2, FMA).
 *
 * - A run is a sequence of instructions of one chunk with branches forward, and at its end a branch back to
 * its first one. Instructions that the emitter does not know are called: their handler, or their slow path,
 * which may use budget or end the run.
 * - The code is the handler of the run's first instruction. The other instructions keep their handlers, for
 *   jumps into the run and exits from it.
 * - A branch that parts channels calls the interpreter's function. Where channels can wait in the run, the
 * code makes them active (struct eu_jit_state, `merges`).
 * - Side exits continue with the handler of an instruction before any of it has run: NaN results, another
 *   rounding mode. The code runs only if the budget is more than that of each instruction once; a jump adds
 *   what it leaves out.
 * - Each result is stored to the GRF at once. Vector registers only cache it, so exits save nothing.
 * - A run has two versions: for all channels active, and for some, with masks. A branch that parts channels
 *   leads to the second, and a place where they join back to the first.
 * - Translations are not saved state and do not change results.
 */
#include "jit/jit.h"
#include "jit/translation.h"

#include <stdlib.h>

#if defined(__x86_64__) && !defined(__ILP32__)

#include <cpuid.h>

enum { CODE_BYTES = 1 << 20, MIN_RUN = 2 };

/* The translator of a cache: its code memory, and when it translates. */
struct eu_jit {
    struct softgt_code_port memory;
    uint8_t *bytes, *runs; /* writable and executable mapping of the same memory */
    size_t at;             /* offset of the free part */
    unsigned after;        /* executions before a translation */
    uint64_t credit;       /* executions that no translation has been paid with */
};

/* ---- Selection of instructions ---- */

struct eu_decoded *eu_branch_op_at(struct eu_chunk *c, struct eu_decoded *op, int64_t offset)
{
    const uint64_t at = c->base + (uint64_t)(op - c->ops) * EU_COMPACT_BYTES;
    const uint64_t to = (at + (uint64_t)offset) & UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
    const uint64_t byte = to - c->base;
    return byte >= c->first_byte && byte < c->end_byte ? &c->ops[byte / EU_COMPACT_BYTES] : NULL;
}

static int32_t back_offset(const struct eu_decoded *op)
{
    return op->opcode == EU_GOTO && op->branch.control ? op->branch.uip : op->branch.jip;
}

struct eu_decoded *eu_branch_destination(struct eu_chunk *c, struct eu_decoded *op)
{
    return eu_branch_op_at(c, op, back_offset(op));
}

/* Types of an operand, as far as translations support it. */
enum kind { KIND_NONE, KIND_INTEGER, KIND_FLOAT, KIND_DOUBLE };

static enum kind value_kind_of(const struct eu_region *p)
{
    static const uint8_t kinds[EU_TYPES] = {
        [TYPE_UB] = KIND_INTEGER, [TYPE_B] = KIND_INTEGER,  [TYPE_UW] = KIND_INTEGER,
        [TYPE_W] = KIND_INTEGER,  [TYPE_UD] = KIND_INTEGER, [TYPE_D] = KIND_INTEGER,
        [TYPE_F] = KIND_FLOAT,    [TYPE_HF] = KIND_FLOAT,   [TYPE_DF] = KIND_DOUBLE,
    };
    return (enum kind)kinds[p->type];
}

/* Whether code can load and store the elements with this distance of channels. */
static bool has_pitch(const struct eu_region *p, unsigned steps, unsigned channels)
{
    const unsigned pitch = steps * p->element_bytes;
    return pitch <= (p->element_bytes < 4 ? 4u : 8u) && p->first_byte + channels * pitch <= p->file_bytes;
}

/* Sets up op->simd for a source. False: translations do not support it. */
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
    case EU_ROL: /* they depend on the element size */
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
    if (op->dst.type == TYPE_HF && !halves) /* it would round twice */
        return SIMD_NONE;
    const enum simd_rule rule = simd_float_rule(op->opcode);
    return some_negate ? simd_negating_rule(rule) : rule;
}

/* Whether a source has at most 32 bits and no modifier; *either: its values fit both signs. */
static bool is_factor(const struct eu_region *p, bool *is_signed, bool *either)
{
    *is_signed = eu_is_signed(p->type);
    *either = p->element_bytes < 4 && !*is_signed;
    return value_kind_of(p) == KIND_INTEGER && !p->negate && !p->absolute;
}

/* mul with a result of 64 bits, and mach. */
static enum simd_rule product_rule(struct eu_decoded *op)
{
    const bool to_accumulator = op->dst.file == OPERAND_ACCUMULATOR, adds = op->opcode == EU_MACH;
    bool is_signed[2], either[2];
    if ((op->opcode != EU_MUL && !adds) || (op->channels != 8 && op->channels != 16) ||
        op->dst_channel_enable != 0xf || op->saturate || op->condition || op->predicate > 1 ||
        eu_is_float(op->dst.type) || op->dst.hstride != 1 || op->source_count != 2)
        return SIMD_NONE;
    for (unsigned n = 0; n < 2; n++)
        if (!is_factor(&op->src[n], &is_signed[n], &either[n]) || !find_source(op, n))
            return SIMD_NONE;
    if (is_signed[0] != is_signed[1] && !either[0] && !either[1])
        return SIMD_NONE;
    if (adds ? op->dst.file != OPERAND_GRF || op->dst.element_bytes != 4
             : op->acc_write ||
                   (to_accumulator
                        ? op->dst.first_byte % EU_REGISTER_BYTES ||
                              op->dst.first_byte / EU_REGISTER_BYTES + op->channels / 8u > EU_ACCUMULATORS
                        : op->dst.file != OPERAND_GRF || op->dst.element_bytes != 8))
        return SIMD_NONE;
    if (!to_accumulator && op->dst.first_byte + op->channels * op->dst.element_bytes > op->dst.file_bytes)
        return SIMD_NONE;
    op->simd.dst_byte = op->dst.first_byte;
    return adds ? SIMD_mach : SIMD_product;
}

/* Whether a translation can call the slow path: the instruction does not jump, end the thread or change how
 * it runs. */
static bool may_call_slow_path(const struct eu_decoded *op)
{
    if (op->slow_path == eu_exec_send)
        return !op->message.end_of_thread;
    return (eu_slow_path_of(op) == eu_exec_generic || op->slow_path == eu_exec_indirect_move) &&
           (op->dst.file != OPERAND_ARF || op->dst.arf == FILE_FLAG || op->dst.arf == FILE_ADDRESS);
}

/* The rule of an instruction without a vector handler: bytes, words, halves and doubles. */
static enum simd_rule jit_rule_of(struct eu_decoded *op)
{
    const enum kind kind = value_kind_of(&op->dst);
    bool some_negate = false;
    op->simd.immediate_bits = op->simd.scalar_bits = 0;
    op->simd.dst_byte = op->dst.first_byte;
    const enum simd_rule product = product_rule(op);
    if (product)
        return product;
    op->simd.immediate_bits = op->simd.scalar_bits = 0;
    const bool has_width =
        op->channels == 8 || op->channels == 16 ||
        (op->channels == EU_MAX_CHANNELS && op->dst.element_bytes == 4 && kind != KIND_DOUBLE);
    if (!has_width || op->dst_channel_enable != 0xf || op->acc_write || op->saturate || op->condition ||
        op->predicate > 1 || op->dst.file != OPERAND_GRF || !kind ||
        (op->dst.element_bytes > 2 && op->dst.hstride != 1) ||
        !has_pitch(&op->dst, op->dst.hstride, op->channels) || !op->source_count)
        return SIMD_NONE;
    for (unsigned n = 0; n < op->source_count; n++) {
        if (value_kind_of(&op->src[n]) != kind || !find_source(op, n) ||
            (kind == KIND_DOUBLE && op->src[n].file == OPERAND_IMMEDIATE))
            return SIMD_NONE;
        some_negate |= op->src[n].negate;
    }
    if (kind == KIND_INTEGER)
        return some_negate ? SIMD_NONE : eu_integer_rule(op);
    if (kind == KIND_DOUBLE && op->opcode == EU_MOV)
        return SIMD_NONE;
    return float_rule(op, some_negate);
}

static bool needs_default_mode(const struct eu_decoded *op)
{
    bool wants = op->dst.type == TYPE_DF || op->dst.type == TYPE_HF;
    for (unsigned n = 0; n < op->source_count; n++)
        wants |= op->src[n].type == TYPE_HF;
    return wants;
}

static bool is_value(const struct eu_decoded *op)
{
    if (eu_code_rules[op->simd.rule] & RULE_SLOW)
        return true;
    if (!(eu_code_rules[op->simd.rule] & RULE_TRANSLATED) || op->beside.extra_cost)
        return false;
    if (eu_code_rules[op->simd.rule] & RULE_CALLED)
        return true;
    if (op->channels == 1)
        return op->unmasked && (!op->predicate || simd_has_one_predicate(op)) &&
               !(eu_code_rules[op->simd.rule] & RULE_SELECTS);
    if ((eu_code_rules[op->simd.rule] & RULE_SELECTS) && !op->predicate)
        return false;
    return op->first_channel % op->channels == 0;
}

static bool is_called(const struct eu_decoded *op)
{
    return eu_code_rules[op->simd.rule] & RULE_CALLED;
}

static bool is_inline_value(const struct eu_decoded *op)
{
    return !(eu_code_rules[op->simd.rule] & RULE_SLOW) && eu_is_inline(op) && op->opcode != EU_CSEL &&
           op->dst.file != OPERAND_NULL;
}

/* A run does not start with a called handler, which would be slower, unless a loop starts there. */
static bool begins_run(const struct eu_decoded *op)
{
    return is_value(op) && (!is_called(op) || is_inline_value(op) || op->jit.is_loop_head);
}

static bool is_branch(const struct eu_decoded *op)
{
    const bool is_wide =
        (op->channels == 8 || op->channels == 16 || op->channels == 32) && !op->first_channel;
    const bool leaves = op->opcode == EU_CONT || op->opcode == EU_HALT;
    if (op->beside.extra_cost || op->predicate > 1 ||
        !(leaves ? op->slow_path == eu_exec_branch && op->branch.has_label
                 : eu_branch_handler_of(op) != NULL))
        return false;
    switch (op->opcode) {
    case EU_BREAK:
        return is_wide && (op->predicate || !op->unmasked);
    case EU_IF:
    case EU_ELSE:
    case EU_WHILE:
    case EU_GOTO:
    case EU_CONT:
    case EU_HALT:
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
    return (op->opcode == EU_JMPI && op->branch.jip <= 0) || op->opcode == EU_WHILE ||
           (op->opcode == EU_GOTO && op->branch.control);
}

/* Finds the run that starts at t->ops[0]. */
static void find_run(struct translation *t)
{
    struct eu_decoded *op = t->ops[0];
    for (t->count = 0; t->count < MAX_RUN; t->count++) {
        if (t->count && ((op->beside.wrap & ~(unsigned)WRAP_MERGE) || op->jit.slots || op->jit.is_inside ||
                         op->jit.is_loop_head)) /* another run may start there */
            break;
        if (op >= t->chunk->ops + EU_SLOTS || !op->handler_untranslated)
            break;
        const bool branches = is_branch(op);
        if (!branches && !is_value(op))
            break;
        if (branches && eu_ends_run(op)) {
            const struct eu_decoded *const to = eu_branch_destination(t->chunk, op);
            if (!to || (op->opcode == EU_GOTO && to != t->ops[0]))
                break;
        }
        t->ops[t->count] = op;
        t->cost_before[t->count + 1] =
            t->cost_before[t->count] + 1u + (branches ? 0u : op->beside.extra_cost);
        t->branches |= branches;
        t->accumulates |= op->simd.rule == SIMD_mach;
        if (!branches) {
            t->floats |= (eu_code_rules[op->simd.rule] & RULE_FLOATS) != 0;
            t->needs_default_mode |= !is_called(op) && needs_default_mode(op);
            t->needed_channels |= op->unmasked || is_called(op) ? 0 : op->channel_mask;
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

/* ---- Where branches lead ---- */

static void note_entry(struct translation *t, struct eu_decoded *op, int64_t offset, unsigned how)
{
    const struct eu_decoded *const to = eu_branch_op_at(t->chunk, op, offset);
    for (unsigned n = 0; to && n < t->count; n++)
        if (t->ops[n] == to)
            t->entered[n] |= (uint8_t)how;
}

/* Finds the instructions to which branches of the run jump, or where their channels wait. */
static void find_entries(struct translation *t)
{
    memset(t->entered, 0, sizeof t->entered);
    for (unsigned n = 0; n < t->count; n++) {
        struct eu_decoded *const op = t->ops[n];
        const int64_t jip = op->branch.jip, uip = op->branch.uip;
        if (op->beside.wrap & WRAP_MERGE)
            t->entered[n] |= MERGES;
        if (op->simd.rule)
            continue;
        if (op->opcode != EU_JMPI && op->opcode != EU_ENDIF && op->opcode != EU_JOIN &&
            op->opcode != EU_SYNC && op->opcode != EU_NOP)
            t->entered[n + 1u] |= FOLLOWS_BRANCH;
        switch (op->opcode) {
        case EU_IF:
            note_entry(t, op, jip, JUMPED_TO | MERGES);
            break;
        case EU_JMPI:
            note_entry(t, op, jip, JUMPED_TO);
            break;
        case EU_BREAK:
            note_entry(t, op, jip, JUMPED_TO);
            note_entry(t, op, uip + op->branch.while_size_bytes, MERGES);
            break;
        case EU_ELSE:
        case EU_CONT:
        case EU_HALT:
        case EU_GOTO:
            note_entry(t, op, jip, JUMPED_TO | (op->branch.control ? MERGES : 0u));
            note_entry(t, op, uip, MERGES);
            break;
        default: /* while: channels that leave wait at the next instruction */
            break;
        }
    }
}

/* ---- What translations cost ---- */

/* A translated instruction is paid with after / SHARE executions of instructions that are not translated, so
 * that kernels that change all the time are interpreted. */
enum { SHARE = 8, MAX_INSTRUCTIONS = 512 };

static uint64_t price_of(const struct eu_jit *code, unsigned instructions)
{
    return (uint64_t)instructions * code->after / SHARE;
}

/* ---- Code memory ---- */

static eu_threaded_handler count_execution;

/* Sets the handler, but exit_count the steps before the instruction (`wrapped`) in place. */
static void set_handler(struct eu_decoded *op, eu_threaded_handler *step)
{
    if (op->handler == op->handler_unwrapped)
        op->handler = step;
    op->handler_unwrapped = step;
}

static void drop_run(struct eu_decoded *op)
{
    struct eu_decoded *const end = op + op->jit.slots;
    op->jit.slots = 0;
    for (struct eu_decoded *each = op; each < end; each += each->slots) {
        each->jit.is_inside = each->jit.merges = false;
        each->jit.execution_count = 0;
        if (begins_run(each))
            set_handler(each, count_execution);
    }
}

/* The code memory is full: drop all translations. Frequent runs are translated again, but after more
 * executions each time. */
static void drop_all_runs(struct eu_cache *cache)
{
    enum { MAX_AFTER = 1 << 14 };
    if (cache->jit->after < MAX_AFTER)
        cache->jit->after *= 2u;
    for (unsigned n = 0; n <= EU_CHUNKS; n++) {
        struct eu_chunk *const c = n < EU_CHUNKS ? cache->chunks[n] : &cache->own;
        for (unsigned slot = 0; c && slot < EU_SLOTS; slot++)
            drop_run(&c->ops[slot]);
    }
    cache->jit->at = CODE_CONSTANTS_BYTES;
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
    code->at = CODE_CONSTANTS_BYTES;
    eu_code_constants(code->bytes);
    return true;
}

/* Serializes the host: code was written through another address than it runs at. */
static void serialize_host(void)
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
    t.needed_channels = t.clock = t.exit_count = t.jump_count = 0;
    t.cost_before[0] = 0;
    t.floats = t.branches = t.needs_default_mode = t.accumulates = false;
    set_handler(op, op->handler_untranslated);
    if (op->beside.wrap & ~(unsigned)WRAP_MERGE)
        return;
    find_run(&t);
    if (t.count < MIN_RUN || !has_area(code))
        return;
    code->credit -= price_of(code, t.count);
    if (CODE_BYTES - code->at < (t.count + 1u) * (size_t)CODE_MAX_BYTES)
        drop_all_runs(r->cache);
    t.x = (struct x86){.bytes = code->bytes, .at = code->at, .size = CODE_BYTES};
    const size_t at = code->at;
    find_entries(&t);
    if (!eu_code_write(&t))
        return;
    code->at = (t.x.at + 63u) & ~(size_t)63;
    serialize_host();
    const uint8_t *const runs = code->runs + at;
    eu_threaded_handler *step;
    memcpy(&step, &runs, sizeof step);
    set_handler(op, step);
    const struct eu_decoded *const last = t.ops[t.count - 1];
    op->jit.slots = (uint8_t)(last + last->slots - op);
    for (unsigned n = 1; n < t.count; n++) { /* no run starts inside a run */
        t.ops[n]->jit.is_inside = true;
        t.ops[n]->jit.merges = t.entered[n] & MERGES;
        set_handler(t.ops[n], t.ops[n]->handler_untranslated);
    }
}

static struct eu_decoded *count_execution(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    struct eu_jit *const code = r->cache->jit;
    if (code->credit < price_of(code, MAX_INSTRUCTIONS))
        code->credit++;
    if (op->jit.execution_count < code->after)
        op->jit.execution_count++;
    if (op->jit.execution_count >= code->after && code->credit >= price_of(code, MAX_RUN))
        translate(r, op);
    if (op->handler_unwrapped == count_execution)
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
    if ((has_slow_path || op->message.plan.run) && !op->simd.rule && may_call_slow_path(op))
        op->simd.rule = SIMD_slow;
    struct eu_decoded *const to = eu_branch_handler_of(op) && op->branch.has_label && back_offset(op) <= 0
                                      ? eu_branch_destination(c, op)
                                      : NULL;
    if (begins_run(op))
        op->handler = op->handler_unwrapped = count_execution;
    if (to && to <= op && to->handler_untranslated) {
        if (to->jit.is_inside)
            jit_drop_around(c, to);
        to->jit.is_loop_head = true;
        if (is_value(to) && is_called(to) && !to->jit.slots)
            set_handler(to, count_execution);
    }
}

static void jit_drop_around(struct eu_chunk *c, struct eu_decoded *op)
{
    for (struct eu_decoded *before = c->ops; before < op; before++)
        if (before->jit.slots > op - before)
            drop_run(before);
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
    if (!level || (level != eu_simd_select[EU_SIMD_V3] && level != eu_simd_select[EU_SIMD_V4]))
        return false;
    cache->jit = calloc(1, sizeof *cache->jit);
    if (!cache->jit)
        return false;
    *cache->jit = (struct eu_jit){.memory = *memory, .after = after};
    cache->jit->credit = price_of(cache->jit, MAX_INSTRUCTIONS);
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
