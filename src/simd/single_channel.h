/*
 * Handlers of integers in one channel, of any type: addresses, masks and flags. Operands may be in any
 * register file; eu_simd_operands then has byte offsets in struct eu_thread.
 *
 * Also here, for loops on Gen12: comparisons of scalars in all channels, and selections of a few words.
 * handlers.c includes this.
 */
_Static_assert(offsetof(struct eu_thread, grf) == 0, "general registers are bytes of the thread");

static INLINE int64_t load_one(const struct eu_run *r, const struct eu_decoded *op, unsigned n, bool bitwise)
{
    const struct eu_region *const p = &op->src[n];
    const uint8_t *const from = (const uint8_t *)r->t + op->simd.src_byte[n];
    uint64_t bits = 0;
    switch (p->file == OPERAND_IMMEDIATE ? 0 : p->element_bytes) {
    case 0:
        bits = p->immediate;
        break;
    case 1:
        bits = *from;
        break;
    case 2:
        memcpy(&bits, from, 2);
        break;
    case 4:
        memcpy(&bits, from, 4);
        break;
    default:
        memcpy(&bits, from, 8);
        break;
    }
    const int64_t x = extended(bits, p);
    return !p->negate ? x : bitwise ? ~x : (int64_t) - (uint64_t)x;
}

static INLINE void store_one(struct eu_run *r, const struct eu_decoded *op, uint64_t x)
{
    uint8_t *const to = (uint8_t *)r->t + op->simd.dst_byte;
    switch (op->dst.file == OPERAND_NULL ? 0 : op->dst.element_bytes) {
    case 0:
        break;
    case 1:
        *to = (uint8_t)x;
        break;
    case 2:
        memcpy(to, &x, 2);
        break;
    case 4:
        memcpy(to, &x, 4);
        break;
    default:
        memcpy(to, &x, 8);
        break;
    }
}

static INLINE bool one_holds(const struct eu_decoded *op, int64_t a, int64_t b, bool is_unsigned)
{
    const bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
    return condition_of(op->condition, a == b, less) & 1u;
}

/* Kinds of operations in one channel. */
enum one_kind { ONE_PLAIN, ONE_BITWISE, ONE_COMPARES, ONE_SELECTS };

/* Computes the result from the source values. */
typedef uint64_t one_rule(const struct eu_decoded *op, uint64_t a, uint64_t b, uint64_t c);

static INLINE void run_one(struct eu_run *r, struct eu_decoded *op, one_rule *rule, enum one_kind kind,
                           unsigned sources)
{
    const bool bitwise = kind == ONE_BITWISE;
    int64_t s[3] = {0};
    uint64_t x;
    const uint32_t on = kind == ONE_SELECTS && !op->condition
                            ? (r->t->execution_mask | op->unmasked) & op->channel_mask
                            : enabled(r->t, op);
    uint32_t flags = 0;
    for (unsigned n = 0; n < sources; n++)
        s[n] = load_one(r, op, n, bitwise);
    if (!on)
        return;
    if (kind == ONE_COMPARES) { /* with several channels, only flags are written */
        flags = one_holds(op, s[0], s[1], op->simd.is_wide) ? UINT32_MAX : 0;
        x = flags ? UINT64_MAX : 0;
    } else if (kind == ONE_SELECTS) {
        const bool first = op->condition ? one_holds(op, s[0], s[1], op->simd.is_wide)
                                         : predicate(r->t, op) >> op->first_channel & 1u;
        x = (uint64_t)(first ? s[0] : s[1]);
    } else {
        x = rule(op, (uint64_t)s[0], (uint64_t)s[1], (uint64_t)s[2]);
        if (SELDOM(op->condition != 0))
            flags = one_holds(op, extended(x, &op->dst), 0, op->dst.type == TYPE_UQ);
    }
    store_one(r, op, x);
    if (kind == ONE_COMPARES || (kind != ONE_SELECTS && SELDOM(op->condition != 0)))
        set_flags(r->t, op, on >> op->first_channel, flags);
}

#define ONE_STEP(name, kind, sources, value)                                                                 \
    static INLINE uint64_t rule_##name(const struct eu_decoded *op, uint64_t a, uint64_t b, uint64_t c)      \
    {                                                                                                        \
        (void)op;                                                                                            \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        return value;                                                                                        \
    }                                                                                                        \
    static struct eu_decoded *one_##name(struct eu_run *r, struct eu_decoded *op, uint64_t left)             \
    {                                                                                                        \
        run_one(r, op, rule_##name, kind, sources);                                                          \
        EU_DISPATCH(r, eu_next_decoded(op), left - 1u);                                                      \
    }

/* The shift count, modulo 64 or 32. */
static INLINE unsigned shift_count(const struct eu_decoded *op, uint64_t b)
{
    return (unsigned)b & (op->simd.is_wide ? 63u : 31u);
}

static INLINE uint64_t source_bits(const struct eu_decoded *op, uint64_t a)
{
    return op->src[0].element_bytes == 8 ? a : op->src[0].element_bytes == 4 ? (uint32_t)a : (uint16_t)a;
}

ONE_STEP(mov, ONE_PLAIN, 1, a)
ONE_STEP(add, ONE_PLAIN, 2, a + b)
ONE_STEP(add3, ONE_PLAIN, 3, a + b + c)
ONE_STEP(mul, ONE_PLAIN, 2, a *b)
ONE_STEP(mad, ONE_PLAIN, 3, a + b * c)
ONE_STEP(shl, ONE_PLAIN, 2, a << shift_count(op, b))
ONE_STEP(shr, ONE_PLAIN, 2, source_bits(op, a) >> shift_count(op, b))
ONE_STEP(asr, ONE_PLAIN, 2, (uint64_t)((int64_t)a >> shift_count(op, b)))
ONE_STEP(not, ONE_BITWISE, 1, ~a)
ONE_STEP(and, ONE_BITWISE, 2, a &b)
ONE_STEP(or, ONE_BITWISE, 2, a | b)
ONE_STEP(xor, ONE_BITWISE, 2, a ^ b)
ONE_STEP(cmp, ONE_COMPARES, 2, 0)
ONE_STEP(sel, ONE_SELECTS, 2, 0)

/* Moves that change no bits. */
#define ONE_MOVE(bits)                                                                                       \
    static struct eu_decoded *one_move_##bits(struct eu_run *r, struct eu_decoded *op, uint64_t left)        \
    {                                                                                                        \
        uint##bits##_t x = (uint##bits##_t)op->src[0].immediate;                                             \
        if (op->src[0].file != OPERAND_IMMEDIATE)                                                            \
            memcpy(&x, (const uint8_t *)r->t + op->simd.src_byte[0], sizeof x);                              \
        if (enabled(r->t, op))                                                                               \
            memcpy((uint8_t *)r->t + op->simd.dst_byte, &x, sizeof x);                                       \
        EU_DISPATCH(r, eu_next_decoded(op), left - 1u);                                                      \
    }
ONE_MOVE(16)
ONE_MOVE(32)

/* The handler for such moves in place of `step`. */
static eu_threaded_handler *one_move_of(const struct eu_decoded *op, eu_threaded_handler *step)
{
    const unsigned bytes = op->dst.element_bytes;
    if (op->opcode != EU_MOV || op->condition || op->dst.file == OPERAND_NULL || op->src[0].negate ||
        op->src[0].element_bytes != bytes)
        return step;
    return bytes == 4 ? one_move_32 : bytes == 2 ? one_move_16 : step;
}

/* Sets the flags of up to 16 channels. They are loaded as wide as moves to a flag register have stored them:
 * hosts wait else. */
static INLINE void set_flag_word(struct eu_thread *t, const struct eu_decoded *op, uint32_t on,
                                 uint32_t flags)
{
    enum { WORD = 16 };
    const unsigned by = WORD * (op->flag & 1u) + op->first_channel;
    if (by % WORD || op->channels > WORD) {
        set_flags(t, op, on, flags);
        return;
    }
    uint16_t *const word = &t->flag[(op->flag & 6u) | (by / WORD & 1u)];
    *word = (uint16_t)((*word & ~on) | (flags & on));
}

/* Comparisons of scalars that only set flags: `type` is that of registers. */
#define ONE_COMPARE(name, type)                                                                              \
    static INLINE int64_t load_##name(const struct eu_run *r, const struct eu_decoded *op, unsigned n)       \
    {                                                                                                        \
        type x;                                                                                              \
        if (op->src[n].file == OPERAND_IMMEDIATE)                                                            \
            return extended(op->src[n].immediate, &op->src[n]);                                              \
        memcpy(&x, (const uint8_t *)r->t + op->simd.src_byte[n], sizeof x);                                  \
        return (int64_t)x;                                                                                   \
    }                                                                                                        \
    static struct eu_decoded *name(struct eu_run *r, struct eu_decoded *op, uint64_t left)                   \
    {                                                                                                        \
        const uint32_t on = enabled(r->t, op);                                                               \
        const bool holds = one_holds(op, load_##name(r, op, 0), load_##name(r, op, 1), false);               \
        if (on)                                                                                              \
            set_flag_word(r->t, op, on >> op->first_channel, holds ? UINT32_MAX : 0);                        \
        EU_DISPATCH(r, eu_next_decoded(op), left - 1u);                                                      \
    }
ONE_COMPARE(one_compare_uw, uint16_t)
ONE_COMPARE(one_compare_ud, uint32_t)
ONE_COMPARE(one_compare_d, int32_t)

/* The handler for such a comparison in place of `step`. */
static eu_threaded_handler *one_compare_of(const struct eu_decoded *op, eu_threaded_handler *step)
{
    const unsigned type = op->src[0].file == OPERAND_IMMEDIATE ? op->src[1].type : op->src[0].type;
    bool good = op->opcode == EU_CMP && op->dst.file == OPERAND_NULL;
    for (unsigned n = 0; n < 2 && good; n++)
        good = !op->src[n].negate && (op->src[n].file == OPERAND_IMMEDIATE ? op->src[n].element_bytes <= 4
                                                                           : op->src[n].type == type);
    return !good             ? step
           : type == TYPE_UW ? one_compare_uw
           : type == TYPE_UD ? one_compare_ud
           : type == TYPE_D  ? one_compare_d
                             : step;
}

/* A write of cr0 must update the run's mode. */
static struct eu_decoded *one_control(struct eu_run *r, struct eu_decoded *op)
{
    const uint32_t before = r->t->cr0[0];
    const uint64_t a = (uint64_t)load_one(r, op, 0, op->opcode != EU_MOV);
    const uint64_t b = op->source_count > 1 ? (uint64_t)load_one(r, op, 1, true) : 0;
    if (enabled(r->t, op))
        store_one(r, op, op->opcode == EU_MOV ? a : op->opcode == EU_OR ? a | b : a & b);
    return eu_cr0_written(r, op, before);
}

/* A write of n0, before a barrier. Its cost is that of the exact handler, which other hosts use. */
static struct eu_decoded *one_notification(struct eu_run *r, struct eu_decoded *op)
{
    if (enabled(r->t, op))
        store_one(r, op, (uint64_t)load_one(r, op, 0, false));
    return op + op->slots;
}

/* The offset of an architecture register in struct eu_thread; 0: it has no plain bytes there. */
static unsigned byte_of_thread(const struct eu_region *p)
{
#define LIES(name) offsetof(struct eu_thread, name), sizeof((struct eu_thread *)NULL)->name
    static const struct {
        uint16_t offset, bytes;
    } files[] = {
        [FILE_ADDRESS] = {LIES(address)},
        [FILE_FLAG] = {LIES(flag)},
        [FILE_CHANNEL_ENABLE] = {LIES(execution_mask)},
        [FILE_STATE] = {LIES(sr0)},
        [FILE_CONTROL] = {LIES(cr0)},
        [FILE_NOTIFICATION] = {LIES(n0)},
    };
#undef LIES
    unsigned at = p->first_byte;
    if (p->arf >= sizeof files / sizeof files[0] || !files[p->arf].bytes)
        return 0;
    if (p->arf == FILE_FLAG) { /* f0 to f3 are separate registers of 32 bytes */
        const unsigned which = at / EU_REGISTER_BYTES, in = at % EU_REGISTER_BYTES;
        if (which >= EU_FLAGS / 2 || in + p->element_bytes > 4)
            return 0;
        at = which * 4u + in;
    }
    return at + p->element_bytes <= files[p->arf].bytes ? files[p->arf].offset + at : 0;
}

/* Makes the operand a GRF operand, so that the rules of those apply; *at is its offset in the thread. */
static bool as_grf_operand(struct eu_region *p, uint16_t *at)
{
    *at = p->first_byte;
    if (p->file != OPERAND_ARF)
        return p->file == OPERAND_GRF || p->file == OPERAND_IMMEDIATE || p->file == OPERAND_NULL;
    *at = (uint16_t)byte_of_thread(p);
    p->file = OPERAND_GRF;
    p->first_byte = 0;
    return *at != 0;
}

static bool one_channel_handler_of(struct eu_decoded *op)
{
    static eu_threaded_handler *const steps[EU_OPERATIONS] = {
        [EU_MOV] = one_mov, [EU_NOT] = one_not, [EU_AND] = one_and, [EU_OR] = one_or,     [EU_XOR] = one_xor,
        [EU_ADD] = one_add, [EU_MUL] = one_mul, [EU_MAD] = one_mad, [EU_ADD3] = one_add3, [EU_SHL] = one_shl,
        [EU_SHR] = one_shr, [EU_ASR] = one_asr, [EU_CMP] = one_cmp, [EU_SEL] = one_sel,
    };
    struct eu_decoded like = *op;
    const bool for_all = op->opcode == EU_CMP && op->dst.file == OPERAND_NULL;
    bool good = (op->channels == 1 || for_all) && steps[op->opcode] && !op->saturate && !op->acc_write &&
                as_grf_operand(&like.dst, &like.simd.dst_byte);
    const bool to_control = op->dst.file == OPERAND_ARF && op->dst.arf == FILE_CONTROL,
               to_file = op->dst.file == OPERAND_ARF && !to_control,
               to_notification = to_file && op->dst.arf == FILE_NOTIFICATION;
    if (to_notification ? op->opcode != EU_MOV
                        : to_file && op->dst.arf != FILE_FLAG && op->dst.arf != FILE_ADDRESS)
        return false;
    for (unsigned n = 0; good && n < op->source_count; n++)
        good = !op->src[n].absolute &&
               !(op->src[n].file == OPERAND_ARF && op->src[n].arf == FILE_NOTIFICATION) &&
               op->src[n].type != TYPE_V && op->src[n].type != TYPE_UV &&
               as_grf_operand(&like.src[n], &like.simd.src_byte[n]);
    if (!good)
        return false;
    eu_handler *const in_lanes = lane_handler_of(&like);
    if (in_lanes != any_integer_vectors && in_lanes != any_integer_choice)
        return false;
    for (unsigned n = 0; n < op->source_count; n++)
        if (op->channels > 1 && like.src[n].layout != LAYOUT_SCALAR)
            return false;
    if (to_control && (op->condition || op->dst.element_bytes != 4 ||
                       (op->opcode != EU_MOV && op->opcode != EU_OR && op->opcode != EU_AND)))
        return false;
    /* An instruction that writes a flag register and sets flags is left to the generic handler. */
    if (to_file && op->condition)
        return false;
    op->simd.is_wide = like.simd.is_wide;
    op->simd.dst_byte = like.simd.dst_byte;
    op->dst.is_signed = like.dst.is_signed;
    for (unsigned n = 0; n < op->source_count; n++) {
        op->simd.src_byte[n] = like.simd.src_byte[n];
        op->src[n].is_signed = like.src[n].is_signed;
    }
    if (to_control) {
        op->slow_path = one_control;
        return true;
    }
    if (to_notification) {
        op->slow_path = one_notification;
        return true;
    }
    op->handler_unwrapped = one_compare_of(op, one_move_of(op, steps[op->opcode]));
    op->simd.rule = SIMD_called;
    return true;
}

/* Whether some operand is no GRF operand of dwords. */
static bool has_other_operands(const struct eu_decoded *op)
{
    bool is = op->dst.file == OPERAND_ARF || (op->dst.file == OPERAND_GRF && op->dst.element_bytes != 4);
    for (unsigned n = 0; n < op->source_count; n++)
        is |= op->src[n].file == OPERAND_ARF ||
              (op->src[n].file == OPERAND_GRF && op->src[n].element_bytes != 4);
    return is;
}

/* ---- Selections of up to eight words ---- */

static INLINE half_part words_of(const struct eu_run *r, const struct eu_decoded *op, unsigned n)
{
    const struct eu_region *const p = &op->src[n];
    half_part x;
    if (p->layout == LAYOUT_CONTIGUOUS) {
        memcpy(&x, r->t->grf + p->first_byte, sizeof x);
        return x;
    }
    int16_t one = (int16_t)p->immediate;
    if (p->file == OPERAND_GRF)
        memcpy(&one, r->t->grf + p->first_byte, sizeof one);
    return (half_part){0} + one;
}

static struct eu_decoded *select_words(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    static const half_part which = {1, 2, 4, 8, 16, 32, 64, 128};
    const half_part a = words_of(r, op, 0), b = words_of(r, op, 1), x = words_of(r, op, 2);
    const half_part zero = (half_part)(x == 0), less = (half_part)(x < 0),
                    on = (half_part)((((half_part){0} + (int16_t)(enabled(r->t, op) >> op->first_channel)) &
                                      which) != 0);
    half_part first, before;
    switch (op->condition) {
    case 1:
        first = zero;
        break;
    case 2:
        first = ~zero;
        break;
    case 3:
        first = ~(less | zero);
        break;
    case 4:
        first = ~less;
        break;
    case 5:
        first = less;
        break;
    default:
        first = less | zero;
        break;
    }
    uint8_t *const to = r->t->grf + op->dst.first_byte;
    memcpy(&before, to, sizeof before);
    before = (((a & first) | (b & ~first)) & on) | (before & ~on);
    memcpy(to, &before, sizeof before);
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}

static bool selects_words(struct eu_decoded *op)
{
    if (op->opcode != EU_CSEL || op->channels > PART_LANES || op->saturate || op->acc_write ||
        !op->condition || op->condition > 6 || op->dst_channel_enable != 0xf || op->dst.type != TYPE_W ||
        op->dst.file != OPERAND_GRF || op->dst.hstride != 1 ||
        op->dst.first_byte + sizeof(half_part) > op->dst.file_bytes)
        return false;
    for (unsigned n = 0; n < op->source_count; n++) {
        struct eu_region *const p = &op->src[n];
        if (p->type != TYPE_W || p->negate || p->absolute ||
            (p->file != OPERAND_GRF && p->file != OPERAND_IMMEDIATE) ||
            !find_source_layout(p, op->channels) || p->layout == LAYOUT_STRIDED)
            return false;
    }
    op->handler_unwrapped = select_words;
    op->simd.rule = SIMD_called;
    return true;
}

/* ---- Moves to the null register ---- */

/* Compilers use them to wait for a register. They do nothing here. */
static struct eu_decoded *move_to_null(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}

static bool moves_to_null(struct eu_decoded *op)
{
    if (op->opcode != EU_MOV || op->dst.file != OPERAND_NULL || op->condition || op->acc_write)
        return false;
    op->handler_unwrapped = move_to_null;
    op->simd.rule = SIMD_called;
    return true;
}
