/*
 * Integers of one channel, of any type: addresses, masks, and what compilers do with flags. Operands lie in
 * the thread's registers of all kinds, at bytes of the thread (op->from, op->to). And what is left of loops
 * on Gen12: comparisons of one value for all channels, and selections of a few words. fast.c takes this in
 * once.
 */
_Static_assert(offsetof(struct eu_thread, grf) == 0, "general registers are bytes of the thread");

static INLINE int64_t one_value(const struct eu_run *r, const struct eu_op *op, unsigned n, bool bitwise)
{
    const struct eu_place *const p = &op->src[n];
    const uint8_t *const from = (const uint8_t *)r->t + op->from[n];
    uint64_t bits = 0;
    switch (p->way == WAY_IMMEDIATE ? 0 : p->bytes) {
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

static INLINE void put_one(struct eu_run *r, const struct eu_op *op, uint64_t x)
{
    uint8_t *const to = (uint8_t *)r->t + op->to;
    switch (op->dst.way == WAY_NULL ? 0 : op->dst.bytes) {
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

static INLINE bool one_holds(const struct eu_op *op, int64_t a, int64_t b, bool is_unsigned)
{
    const bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
    return condition_of(op->condition, a == b, less) & 1u;
}

enum one_kind { ONE_PLAIN, ONE_BITWISE, ONE_COMPARES, ONE_SELECTS };

/* Of the values: what the operation makes of them. */
typedef uint64_t one_rule(const struct eu_op *op, uint64_t a, uint64_t b, uint64_t c);

static INLINE void do_one(struct eu_run *r, struct eu_op *op, one_rule *rule, enum one_kind kind,
                          unsigned sources)
{
    const bool bitwise = kind == ONE_BITWISE;
    int64_t s[3] = {0};
    uint64_t x;
    const uint32_t on =
        kind == ONE_SELECTS && !op->condition ? (r->t->active | op->always) & op->window : enabled(r->t, op);
    uint32_t flags = 0;
    for (unsigned n = 0; n < sources; n++)
        s[n] = one_value(r, op, n, bitwise);
    if (!on)
        return;
    if (kind == ONE_COMPARES) { /* maybe for all channels, but then to flags alone */
        flags = one_holds(op, s[0], s[1], op->is_wide) ? UINT32_MAX : 0;
        x = flags ? UINT64_MAX : 0;
    } else if (kind == ONE_SELECTS) {
        const bool first =
            op->condition ? one_holds(op, s[0], s[1], op->is_wide) : predicate(r->t, op) >> op->first & 1u;
        x = (uint64_t)(first ? s[0] : s[1]);
    } else {
        x = rule(op, (uint64_t)s[0], (uint64_t)s[1], (uint64_t)s[2]);
        if (SELDOM(op->condition != 0))
            flags = one_holds(op, extended(x, &op->dst), 0, op->dst.type == TYPE_UQ);
    }
    put_one(r, op, x);
    if (kind == ONE_COMPARES || (kind != ONE_SELECTS && SELDOM(op->condition != 0)))
        set_flags(r->t, op, on >> op->first, flags);
}

#define ONE_STEP(name, kind, sources, value)                                                                 \
    static INLINE uint64_t rule_##name(const struct eu_op *op, uint64_t a, uint64_t b, uint64_t c)           \
    {                                                                                                        \
        (void)op;                                                                                            \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        return value;                                                                                        \
    }                                                                                                        \
    static struct eu_op *one_##name(struct eu_run *r, struct eu_op *op, uint64_t left)                       \
    {                                                                                                        \
        do_one(r, op, rule_##name, kind, sources);                                                           \
        EU_GO_ON(r, eu_next(op), left - 1u);                                                                 \
    }

/* Bits of a shift's count. */
static INLINE unsigned counted(const struct eu_op *op, uint64_t b)
{
    return (unsigned)b & (op->is_wide ? 63u : 31u);
}

static INLINE uint64_t source_bits(const struct eu_op *op, uint64_t a)
{
    return op->src[0].bytes == 8 ? a : op->src[0].bytes == 4 ? (uint32_t)a : (uint16_t)a;
}

ONE_STEP(mov, ONE_PLAIN, 1, a)
ONE_STEP(add, ONE_PLAIN, 2, a + b)
ONE_STEP(add3, ONE_PLAIN, 3, a + b + c)
ONE_STEP(mul, ONE_PLAIN, 2, a *b)
ONE_STEP(mad, ONE_PLAIN, 3, a + b * c)
ONE_STEP(shl, ONE_PLAIN, 2, a << counted(op, b))
ONE_STEP(shr, ONE_PLAIN, 2, source_bits(op, a) >> counted(op, b))
ONE_STEP(asr, ONE_PLAIN, 2, (uint64_t)((int64_t)a >> counted(op, b)))
ONE_STEP(not, ONE_BITWISE, 1, ~a)
ONE_STEP(and, ONE_BITWISE, 2, a &b)
ONE_STEP(or, ONE_BITWISE, 2, a | b)
ONE_STEP(xor, ONE_BITWISE, 2, a ^ b)
ONE_STEP(cmp, ONE_COMPARES, 2, 0)
ONE_STEP(sel, ONE_SELECTS, 2, 0)

/* Of cr0 the thread learns what is new. */
static struct eu_op *one_control(struct eu_run *r, struct eu_op *op)
{
    const uint32_t before = r->t->control[0];
    const uint64_t a = (uint64_t)one_value(r, op, 0, op->does != EU_MOV);
    const uint64_t b = op->sources > 1 ? (uint64_t)one_value(r, op, 1, true) : 0;
    if (enabled(r->t, op))
        put_one(r, op, op->does == EU_MOV ? a : op->does == EU_OR ? a | b : a & b);
    return eu_control_written(r, op, before);
}

/* Where a file's byte lies in the thread; 0: it has none that is read and written as it is. */
static unsigned byte_of_thread(const struct eu_place *p)
{
#define LIES(name) offsetof(struct eu_thread, name), sizeof((struct eu_thread *)NULL)->name
    static const struct {
        uint16_t offset, bytes;
    } files[] = {
        [FILE_ADDRESS] = {LIES(addresses)},     [FILE_FLAG] = {LIES(flags)},
        [FILE_CHANNEL_ENABLE] = {LIES(active)}, [FILE_STATE] = {LIES(state)},
        [FILE_CONTROL] = {LIES(control)},
    };
#undef LIES
    unsigned at = p->at;
    if (p->file >= sizeof files / sizeof files[0] || !files[p->file].bytes)
        return 0;
    if (p->file == FILE_FLAG) { /* f1 is a register of its own */
        const unsigned which = at / EU_REGISTER_BYTES, in = at % EU_REGISTER_BYTES;
        if (which > 1 || in + p->bytes > 4)
            return 0;
        at = which * 4u + in;
    }
    return at + p->bytes <= files[p->file].bytes ? files[p->file].offset + at : 0;
}

/* The place as one of general registers, for who asks what is done with those. */
static bool as_register(struct eu_place *p, uint16_t *at)
{
    *at = p->at;
    if (p->way != WAY_ARCHITECTURE)
        return p->way == WAY_REGISTERS || p->way == WAY_IMMEDIATE || p->way == WAY_NULL;
    *at = (uint16_t)byte_of_thread(p);
    p->way = WAY_REGISTERS;
    p->at = 0;
    return *at != 0;
}

static bool few_of(struct eu_op *op)
{
    static eu_step *const steps[EU_OPERATIONS] = {
        [EU_MOV] = one_mov, [EU_NOT] = one_not, [EU_AND] = one_and, [EU_OR] = one_or,     [EU_XOR] = one_xor,
        [EU_ADD] = one_add, [EU_MUL] = one_mul, [EU_MAD] = one_mad, [EU_ADD3] = one_add3, [EU_SHL] = one_shl,
        [EU_SHR] = one_shr, [EU_ASR] = one_asr, [EU_CMP] = one_cmp, [EU_SEL] = one_sel,
    };
    struct eu_op like = *op;
    const bool for_all = op->does == EU_CMP && op->dst.way == WAY_NULL;
    bool good = (op->channels == 1 || for_all) && steps[op->does] && !op->saturate && !op->acc_write &&
                as_register(&like.dst, &like.to);
    const bool to_control = op->dst.way == WAY_ARCHITECTURE && op->dst.file == FILE_CONTROL,
               to_file = op->dst.way == WAY_ARCHITECTURE && !to_control;
    if (to_file && op->dst.file != FILE_FLAG && op->dst.file != FILE_ADDRESS)
        return false;
    for (unsigned n = 0; good && n < op->sources; n++)
        good = !op->src[n].absolute && op->src[n].type != TYPE_V && op->src[n].type != TYPE_UV &&
               as_register(&like.src[n], &like.from[n]);
    if (!good || any_of(&like) != any_integers)
        return false;
    for (unsigned n = 0; n < op->sources; n++)
        if (op->channels > 1 && like.src[n].lay != LAY_ONE)
            return false;
    if (to_control && (op->condition || op->dst.bytes != 4 ||
                       (op->does != EU_MOV && op->does != EU_OR && op->does != EU_AND)))
        return false;
    /* A flag that it sets and writes: one after the other is not told here. */
    if (to_file && op->condition)
        return false;
    op->is_wide = like.is_wide;
    op->to = like.to;
    op->dst.is_signed = like.dst.is_signed;
    for (unsigned n = 0; n < op->sources; n++) {
        op->from[n] = like.from[n];
        op->src[n].is_signed = like.src[n].is_signed;
    }
    if (to_control) {
        op->apart = one_control;
        return true;
    }
    op->real = steps[op->does];
    op->rule = FAST_called;
    return true;
}

/* Whether operands are others than general registers of dwords. */
static bool is_of_few(const struct eu_op *op)
{
    bool is = op->dst.way == WAY_ARCHITECTURE || (op->dst.way == WAY_REGISTERS && op->dst.bytes != 4);
    for (unsigned n = 0; n < op->sources; n++)
        is |=
            op->src[n].way == WAY_ARCHITECTURE || (op->src[n].way == WAY_REGISTERS && op->src[n].bytes != 4);
    return is;
}

/* ---- Selections of up to eight words ---- */

static INLINE half_part words_of(const struct eu_run *r, const struct eu_op *op, unsigned n)
{
    const struct eu_place *const p = &op->src[n];
    half_part x;
    if (p->lay == LAY_ROW) {
        memcpy(&x, r->t->grf + p->at, sizeof x);
        return x;
    }
    int16_t one = (int16_t)p->immediate;
    if (p->way == WAY_REGISTERS)
        memcpy(&one, r->t->grf + p->at, sizeof one);
    return (half_part){0} + one;
}

static struct eu_op *select_words(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    static const half_part which = {1, 2, 4, 8, 16, 32, 64, 128};
    const half_part a = words_of(r, op, 0), b = words_of(r, op, 1), x = words_of(r, op, 2);
    const half_part zero = (half_part)(x == 0), less = (half_part)(x < 0),
                    on = (half_part)((((half_part){0} + (int16_t)(enabled(r->t, op) >> op->first)) & which) !=
                                     0);
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
    uint8_t *const to = r->t->grf + op->dst.at;
    memcpy(&before, to, sizeof before);
    before = (((a & first) | (b & ~first)) & on) | (before & ~on);
    memcpy(to, &before, sizeof before);
    EU_GO_ON(r, eu_next(op), left - 1u);
}

static bool selects_words(struct eu_op *op)
{
    if (op->does != EU_CSEL || op->channels > PART_LANES || op->saturate || op->acc_write || !op->condition ||
        op->condition > 6 || op->written != 0xf || op->dst.type != TYPE_W || op->dst.way != WAY_REGISTERS ||
        op->dst.horizontal != 1 || op->dst.at + sizeof(half_part) > EU_SMALL_FILE)
        return false;
    for (unsigned n = 0; n < op->sources; n++) {
        struct eu_place *const p = &op->src[n];
        if (p->type != TYPE_W || p->negate || p->absolute ||
            (p->way != WAY_REGISTERS && p->way != WAY_IMMEDIATE) || !lay_out(p, op->channels) ||
            p->lay == LAY_STEPS)
            return false;
    }
    op->real = select_words;
    op->rule = FAST_called;
    return true;
}

/* ---- Moves to nowhere ---- */

/* Compilers wait so for registers. */
static struct eu_op *move_nowhere(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    EU_GO_ON(r, eu_next(op), left - 1u);
}

static bool moves_nowhere(struct eu_op *op)
{
    if (op->does != EU_MOV || op->dst.way != WAY_NULL || op->condition || op->acc_write)
        return false;
    op->real = move_nowhere;
    op->rule = FAST_called;
    return true;
}
