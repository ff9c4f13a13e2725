#include "eu/execute.h"

/*
 * From an instruction's fields to what its handler takes.
 */

static void place_register(const struct eu_operand *o, struct eu_place *p)
{
    p->file = (uint8_t)o->file;
    p->at = (uint16_t)(o->number * EU_REGISTER_BYTES + o->subregister);
    switch (o->file) {
    case FILE_GENERAL:
        p->way = WAY_REGISTERS;
        break;
    case FILE_PAYLOAD: /* behind the general ones */
        p->way = WAY_REGISTERS;
        p->at = (uint16_t)(p->at + EU_REGISTERS * EU_REGISTER_BYTES);
        break;
    case FILE_NULL:
        p->way = WAY_NULL;
        break;
    case FILE_ACCUMULATOR:
        p->way = WAY_ACCUMULATOR;
        break;
    default:
        p->way = WAY_ARCHITECTURE;
        break;
    }
}

/* Align16 names channels of 32 bits: of elements of 64 bits each has two, x and y or z and w, by the first of
 * which it is selected and written. What so few bits say of two elements, of four. */
static uint8_t swizzle_of_pairs(unsigned swizzle, bool goes_on)
{
    const unsigned pair = (swizzle >> 1 & 1u) | (swizzle >> 5 & 1u) << 2;
    return (uint8_t)(pair | (pair | (goes_on ? 0xau : 0)) << 4);
}

static uint8_t written_of_pairs(unsigned channels)
{
    return (uint8_t)(((channels & 1u) | (channels >> 1 & 2u)) * 5u);
}

static void place(const struct eu_set *set, const struct eu_instruction *i, int which, unsigned channels,
                  struct eu_place *p)
{
    struct eu_operand o;
    (void)eu_operand(set, i, which, &o); /* it has been checked */
    *p = (struct eu_place){.type = (uint8_t)o.type,
                           .bytes = eu_types[o.type].bytes,
                           .vertical = o.vertical,
                           .width = o.width,
                           .horizontal = o.horizontal,
                           .negate = o.negate,
                           .absolute = o.absolute,
                           .multi = o.multi,
                           .address = o.address,
                           .offset = o.offset,
                           .immediate = o.immediate};
    place_register(&o, p);
    if (o.file == FILE_IMMEDIATE)
        p->way = WAY_IMMEDIATE;
    else if (o.indirect)
        p->way = WAY_INDIRECT;
    if (o.file == FILE_MACRO) { /* extended accumulators are accumulators */
        p->way = WAY_ACCUMULATOR;
        p->at = (uint16_t)((o.number + set->first_macro) * EU_REGISTER_BYTES);
    }
    /* Three sources have no width; of two strides it follows. */
    if (!p->width)
        p->width = (uint8_t)(!p->horizontal                ? 1u
                             : !p->vertical                ? channels
                             : p->vertical < p->horizontal ? 1u
                                                           : p->vertical / p->horizontal);
    if (i->value[EU_ACCESS_MODE] && which >= 0 && p->way != WAY_IMMEDIATE && !eu_is_send(i)) {
        const uint32_t *const v = i->value + which * EU_SOURCE_STEP;
        p->swizzled = p->vertical != 0 || i->operation->form < FORM_TERNARY;
        p->swizzle = eu_is_macro(i) ? 0xe4 : (uint8_t)v[EU_SRC0_SWIZZLE];
        if (p->bytes == 8 && p->swizzled)
            p->swizzle = swizzle_of_pairs(p->swizzle, p->vertical != 0);
    }
}

/* The type that an operation computes in: the widest float that takes part, or an integer. */
static uint8_t type_of(const struct eu_op *op)
{
    static const uint8_t ranks[EU_TYPES] = {
        [TYPE_HF] = 1, [TYPE_BF] = 1, [TYPE_VF] = 2, [TYPE_F] = 2, [TYPE_NF] = 2, [TYPE_DF] = 3};
    uint8_t type = TYPE_NONE;
    for (unsigned n = 0; n < op->sources; n++)
        if (ranks[op->src[n].type] > ranks[type])
            type = op->src[n].type;
    if (type && (type == TYPE_HF || type == TYPE_BF) && ranks[op->dst.type] == 2)
        type = TYPE_F;
    return type == TYPE_VF || type == TYPE_NF ? (uint8_t)TYPE_F : type;
}

/* What computes it: the widest float that takes part decides, or the widest integer that is read. */
static enum eu_work work_of(const struct eu_op *op)
{
    static const uint8_t float_works[EU_TYPES] = {
        [TYPE_HF] = EU_WORK_FLOATS_16, [TYPE_BF] = EU_WORK_FLOATS_16, [TYPE_F] = EU_WORK_FLOATS_32,
        [TYPE_NF] = EU_WORK_FLOATS_32, [TYPE_VF] = EU_WORK_FLOATS_32, [TYPE_DF] = EU_WORK_FLOATS_64};
    if (op->does == EU_MATH)
        return EU_WORK_MATH;
    if (eu_handler_of(op) == eu_do_blocks)
        return op->src[1].type == TYPE_HF   ? EU_WORK_BLOCKS_HF
               : op->src[1].type == TYPE_BF ? EU_WORK_BLOCKS_BF
                                            : EU_WORK_BLOCKS_INTEGERS;
    if (eu_handler_of(op) == eu_do_branch)
        return EU_WORK_FLOW;
    if (eu_handler_of(op) != eu_do_values && eu_handler_of(op) != eu_do_move_address)
        return EU_WORK_NONE;
    uint8_t floats = op->has_destination ? float_works[op->dst.type] : 0, bytes = 0;
    for (unsigned n = 0; n < op->sources; n++) {
        const struct eu_place *const s = &op->src[n];
        const bool words = s->type == TYPE_V || s->type == TYPE_UV;
        floats = float_works[s->type] > floats ? float_works[s->type] : floats;
        bytes = !words && s->bytes > bytes ? s->bytes : bytes;
    }
    return floats      ? (enum eu_work)floats
           : bytes > 4 ? EU_WORK_INTEGERS_64
           : bytes > 2 ? EU_WORK_INTEGERS_32
                       : EU_WORK_INTEGERS_16;
}

static uint8_t kind_of(const struct eu_op *op)
{
    const enum eu_work work = work_of(op);
    const bool moves = op->does == EU_MOV || op->does == EU_MOVI || op->does == EU_SMOV;
    const enum eu_shape shape = work == EU_WORK_NONE || work == EU_WORK_FLOW ? EU_SHAPE_OTHER
                                : moves                                      ? EU_SHAPE_MOVES
                                : op->sources == 2                           ? EU_SHAPE_TWO_SOURCES
                                : op->sources == 3                           ? EU_SHAPE_THREE_SOURCES
                                                                             : EU_SHAPE_OTHER;
    return (uint8_t)(work * EU_SHAPES + shape);
}

/*
 * Elements of a packed immediate are words that lie side by side, of which each channel takes what lies where
 * its result does: every second one where results are dwords. (What IGC adds for two and three dwords is
 * 0x400:uv and 0x8080400:uv.) Here they are put in the order of channels.
 */
static void order_packed(const struct eu_place *dst, struct eu_place *src)
{
    enum { ELEMENTS = 8, WORD_BYTES = 2 };
    const unsigned apart = (unsigned)dst->horizontal * dst->bytes / WORD_BYTES;
    uint32_t ordered = 0;
    for (unsigned n = 0; n < ELEMENTS; n++)
        ordered |= ((uint32_t)src->immediate >> 4u * (n * apart % ELEMENTS) & 0xfu) << 4u * n;
    if (apart > 1)
        src->immediate = ordered;
}

/* The accumulator is a source like others: of floats that makes no difference. */
static void name_accumulator(struct eu_op *op)
{
    if (op->does != EU_MAC || op->type != TYPE_F || op->dst.type != TYPE_F || op->src[0].type != TYPE_F ||
        op->src[1].type != TYPE_F || op->written != 0xf || op->src[0].swizzled || op->src[1].swizzled)
        return;
    op->does = EU_MAD;
    op->sources = 3;
    op->src[2] = op->src[1];
    op->src[1] = op->src[0];
    op->src[0] = (struct eu_place){.way = WAY_ACCUMULATOR,
                                   .file = FILE_ACCUMULATOR,
                                   .type = TYPE_F,
                                   .bytes = 4,
                                   .vertical = 8,
                                   .width = 8,
                                   .horizontal = 1};
}

/* Halves that are moved or picked as they are: words. */
static void name_words(struct eu_op *op)
{
    if ((op->does != EU_MOV && op->does != EU_SEL) || op->condition || op->saturate || op->acc_write)
        return;
    const uint8_t type = op->dst.type;
    bool as_they_are = type == TYPE_HF || type == TYPE_BF;
    for (unsigned n = 0; n < op->sources; n++)
        as_they_are &= op->src[n].type == type && !op->src[n].negate && !op->src[n].absolute;
    if (!as_they_are)
        return;
    op->type = TYPE_NONE;
    op->dst.type = TYPE_UW;
    for (unsigned n = 0; n < op->sources; n++)
        op->src[n].type = TYPE_UW;
}

/*
 * Products of dwords in two steps, where the set splits the first source: mul has its low word, mach its high
 * word. (Mesa's vec4 compiler: "src0 through SNB, src1 on IVB and later")
 */
static void split_first_source(struct eu_op *op)
{
    if (op->type)
        return;
    if (op->does == EU_MUL && op->src[0].bytes == 4 && op->src[1].bytes == 4)
        op->does = EU_MUL_LOW;
    if (op->does == EU_MACH) {
        const struct eu_place first = op->src[0];
        op->src[0] = op->src[1];
        op->src[1] = first;
    }
}

static void prepare_message(const struct eu_set *set, const struct eu_instruction *i, struct eu_op *op)
{
    const struct eu_message m = eu_message(set, i);
    op->shared = m.function;
    op->descriptor = m.descriptor;
    op->extended = m.extended;
    op->descriptor_in_register = m.in_register;
    op->extended_in_register = m.extended_in_register;
    op->extended_at = (uint8_t)i->value[EU_EXTENDED_SUBREGISTER];
    op->end_of_thread = i->value[EU_EOT];
    op->early = set->early;
    op->two_payloads = !set->early || i->operation->form == FORM_SENDS;
    op->bindless = i->value[EU_EX_BSO];
    op->second_length = (int8_t)(op->two_payloads ? m.lengths[2] : 0);
}

void eu_prepare(const struct eu_set *set, const struct eu_instruction *i, struct eu_op *op)
{
    const uint32_t *const v = i->value;
    const struct eu_operation *const o = i->operation;
    *op = (struct eu_op){.does = o->does, .step = i->size_bytes / EU_COMPACT_BYTES, .illegal = i->illegal};
    if (i->illegal) {
        op->does = EU_ILLEGAL;
        return;
    }
    op->channels = (uint8_t)eu_channels(i);
    op->first = (uint8_t)(v[EU_CHANNEL_OFFSET] * 4u);
    op->window = (uint32_t)((UINT64_C(1) << op->channels) - 1u) << op->first;
    op->predicate = o->flags & EU_PREDICATED ? (uint8_t)v[EU_PREDICATE] : 0;
    if (v[EU_ACCESS_MODE] && op->predicate >= 2 && op->predicate <= 5)
        op->predicate = (uint8_t)(EU_PREDICATE_X + op->predicate - 2);
    op->invert = v[EU_PREDICATE_INVERT];
    op->flag = (uint8_t)v[EU_FLAG];
    op->no_mask = v[EU_NO_MASK];
    op->always = op->no_mask ? UINT32_MAX : 0;
    op->saturate = (o->flags & EU_SATURATES) && v[EU_SATURATE];
    op->condition = o->flags & EU_CONDITIONAL ? (uint8_t)v[EU_CONDITION] : 0;
    op->function = (uint8_t)v[o->form == FORM_BFN ? EU_FUNCTION : EU_CONDITION];
    op->branch_control = (o->flags & EU_BRANCHES) && v[EU_ACC_WRITE];
    op->unless = (o->flags & EU_UNLESS) && !op->branch_control;
    op->acc_write = v[EU_ACC_WRITE] && !eu_is_branch(i) && !eu_is_send(i);
    op->macro = eu_is_macro(i);
    op->sources = (uint8_t)eu_sources(i);
    if (op->does == EU_BFN) { /* two bits */
        static const uint8_t conditions[4] = {0, 1, 3, 5};
        op->condition = conditions[v[EU_CONDITION] & 3u];
    }
    op->has_destination = eu_has_destination(i);
    op->written = i->value[EU_ACCESS_MODE] && !op->macro ? (uint8_t)v[EU_DST_CHANNELS] : 0xf;
    op->depth = (uint8_t)v[EU_DEPTH];
    op->repeat = (uint8_t)v[EU_REPEAT];
    op->dst.way = WAY_NULL;
    if (op->has_destination)
        place(set, i, EU_DESTINATION, op->channels, &op->dst);
    if (op->written != 0xf && op->dst.bytes == 8)
        op->written = written_of_pairs(op->written);
    for (unsigned n = 0; n < op->sources && n < 3; n++) {
        const int at = eu_source_place(set, i, (int)n);
        if (eu_is_label(i, (int)n))
            op->label = true;
        else if (n == 0 || o->form != FORM_BRANCH)
            place(set, i, at, op->channels, &op->src[n]);
        if (op->src[n].type == TYPE_V || op->src[n].type == TYPE_UV)
            order_packed(&op->dst, &op->src[n]);
    }
    op->jip = (int32_t)eu_target(set, i, v[EU_JIP]);
    op->uip = (int32_t)eu_target(set, i, v[o->form == FORM_MERGE ? EU_JIP : EU_UIP]);
    op->jump_bytes = set->jump_bytes ? set->jump_bytes : 1;
    op->early = set->early;
    op->type = type_of(op);
    op->kind = kind_of(op);
    name_accumulator(op);
    name_words(op);
    if (set->splits_first)
        split_first_source(op);
    if (eu_is_send(i))
        prepare_message(set, i, op);
}

/* ---- Handlers ---- */

eu_handler *eu_handler_of(const struct eu_op *op)
{
    static eu_handler *const handlers[EU_OPERATIONS] = {
        [EU_ILLEGAL] = eu_do_illegal,   [EU_NOP] = eu_do_nop,      [EU_JMPI] = eu_do_branch,
        [EU_BRD] = eu_do_branch,        [EU_IF] = eu_do_branch,    [EU_BRC] = eu_do_branch,
        [EU_ELSE] = eu_do_branch,       [EU_ENDIF] = eu_do_branch, [EU_WHILE] = eu_do_branch,
        [EU_BREAK] = eu_do_branch,      [EU_CONT] = eu_do_branch,  [EU_HALT] = eu_do_branch,
        [EU_CALLA] = eu_do_branch,      [EU_CALL] = eu_do_branch,  [EU_RET] = eu_do_branch,
        [EU_GOTO] = eu_do_branch,       [EU_JOIN] = eu_do_branch,  [EU_WAIT] = eu_do_wait,
        [EU_SYNC] = eu_do_wait,         [EU_SEND] = eu_do_send,    [EU_SENDC] = eu_do_send,
        [EU_SENDS] = eu_do_send,        [EU_SENDSC] = eu_do_send,  [EU_MOVI] = eu_do_move_address,
        [EU_SMOV] = eu_do_move_address, [EU_DPAS] = eu_do_blocks,  [EU_DPASW] = eu_do_blocks,
    };
    return handlers[op->does] ? handlers[op->does] : eu_do_values;
}
