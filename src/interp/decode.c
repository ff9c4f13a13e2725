/*
 * Decoder from eu_instruction to eu_decoded: regions, execution type, costs of pipes, and the slow path.
 */
#include "interp/execute.h"

static void decode_register(const struct eu_isa *set, const struct eu_operand *o, struct eu_region *p)
{
    const bool is_data = o->file == FILE_GRF || o->file == FILE_ACCUMULATOR;
    p->arf = (uint8_t)o->file;
    p->file_bytes = (uint16_t)(EU_REGISTERS * set->register_bytes);
    p->first_byte = (uint16_t)(o->number * (is_data ? set->register_bytes : (unsigned)EU_REGISTER_BYTES) +
                               o->subregister);
    switch (o->file) {
    case FILE_GRF:
        p->file = OPERAND_GRF;
        break;
    case FILE_MRF: /* message registers follow the first EU_REGISTERS */
        p->file = OPERAND_GRF;
        p->first_byte = (uint16_t)(p->first_byte + EU_REGISTERS * EU_REGISTER_BYTES);
        break;
    case FILE_NULL:
        p->file = OPERAND_NULL;
        break;
    case FILE_ACCUMULATOR:
        p->file = OPERAND_ACCUMULATOR;
        break;
    default:
        p->file = OPERAND_ARF;
        break;
    }
}

/* Align16 swizzles count 32-bit channels. A 64-bit element has two of them: x and y, or z and w. The first of
 * the two selects the element. This converts the bits for two elements to those for four. */
static uint8_t swizzle_of_qwords(unsigned swizzle, bool has_next_row)
{
    const unsigned pair = (swizzle >> 1 & 1u) | (swizzle >> 5 & 1u) << 2;
    return (uint8_t)(pair | (pair | (has_next_row ? 0xau : 0)) << 4);
}

/* Enables count elements, but xy and zw alone count 32-bit channels of two elements. (Mesa, brw:
 * scalarize_df)
 */
static uint8_t enables_of_qwords(unsigned channels)
{
    enum { XY = 0x3, ZW = 0xc, EVEN = 0x5, ODD = 0xa };
    return (uint8_t)(channels == XY ? EVEN : channels == ZW ? ODD : channels);
}

static void decode_region(const struct eu_isa *set, const struct eu_instruction *i, int which,
                          unsigned channels, struct eu_region *p)
{
    struct eu_operand o;
    (void)eu_operand(set, i, which, &o); /* eu_instruction_error has checked it */
    *p = (struct eu_region){.type = (uint8_t)o.type,
                            .element_bytes = eu_types[o.type].bytes,
                            .vstride = o.vstride,
                            .width = o.width,
                            .hstride = o.hstride,
                            .negate = o.negate,
                            .absolute = o.absolute,
                            .address_per_row = o.address_per_row,
                            .address_subregister = o.address_subregister,
                            .address_offset = o.address_offset,
                            .immediate = o.immediate};
    decode_register(set, &o, p);
    if (o.file == FILE_IMMEDIATE)
        p->file = OPERAND_IMMEDIATE;
    else if (o.is_indirect)
        p->file = OPERAND_GRF_INDIRECT;
    if (o.file == FILE_MME) { /* extended accumulators follow the others */
        p->file = OPERAND_ACCUMULATOR;
        p->first_byte = (uint16_t)((o.number + set->first_mme) * set->register_bytes);
    }
    /* Instructions with three sources have no width: it follows from the two strides. */
    if (!p->width)
        p->width = (uint8_t)(!p->hstride               ? 1u
                             : !p->vstride             ? channels
                             : p->vstride < p->hstride ? 1u
                                                       : p->vstride / p->hstride);
    if (i->value[EU_ACCESS_MODE] && which >= 0 && p->file != OPERAND_IMMEDIATE && !eu_is_send(i)) {
        const uint32_t *const v = i->value + which * EU_SOURCE_STEP;
        p->is_swizzled = p->vstride != 0 || i->operation->form < FORM_TERNARY;
        p->swizzle = eu_is_macro(i) ? 0xe4 : (uint8_t)v[EU_SRC0_SWIZZLE];
        if (p->element_bytes == 8 && p->is_swizzled)
            p->swizzle = swizzle_of_qwords(p->swizzle, p->vstride != 0);
        if (p->element_bytes == 8 && p->is_swizzled && set->align16_doubles_in_halves)
            p->vstride = 1;
    }
}

/* The type that an operation computes in: the widest float type of its operands, or TYPE_NONE for integers.
 */
static uint8_t execution_type_of(const struct eu_decoded *op)
{
    static const uint8_t ranks[EU_TYPES] = {
        [TYPE_HF] = 1, [TYPE_BF] = 1, [TYPE_VF] = 2, [TYPE_F] = 2, [TYPE_NF] = 2, [TYPE_DF] = 3};
    uint8_t type = TYPE_NONE;
    for (unsigned n = 0; n < op->source_count; n++)
        if (ranks[op->src[n].type] > ranks[type])
            type = op->src[n].type;
    if (type && (type == TYPE_HF || type == TYPE_BF) && ranks[op->dst.type] == 2)
        type = TYPE_F;
    return type == TYPE_VF || type == TYPE_NF ? (uint8_t)TYPE_F : type;
}

/* The pipe of an instruction: that of the widest float operand, else of the widest integer source. */
static enum eu_pipe_kind pipe_kind_of(const struct eu_decoded *op)
{
    static const uint8_t float_pipes[EU_TYPES] = {
        [TYPE_HF] = EU_PIPE_FLOAT_16, [TYPE_BF] = EU_PIPE_FLOAT_16, [TYPE_F] = EU_PIPE_FLOAT_32,
        [TYPE_NF] = EU_PIPE_FLOAT_32, [TYPE_VF] = EU_PIPE_FLOAT_32, [TYPE_DF] = EU_PIPE_FLOAT_64};
    if (op->opcode == EU_MATH)
        return EU_PIPE_MATH;
    if (eu_slow_path_of(op) == eu_exec_dpas)
        return op->src[1].type == TYPE_HF   ? EU_PIPE_DPAS_HF
               : op->src[1].type == TYPE_BF ? EU_PIPE_DPAS_BF
                                            : EU_PIPE_DPAS_INTEGER;
    if (eu_slow_path_of(op) == eu_exec_branch)
        return EU_PIPE_FLOW;
    if (eu_slow_path_of(op) != eu_exec_generic && eu_slow_path_of(op) != eu_exec_indirect_move)
        return EU_PIPE_NONE;
    uint8_t floats = float_pipes[op->dst.type], bytes = 0;
    for (unsigned n = 0; n < op->source_count; n++) {
        const struct eu_region *const s = &op->src[n];
        const bool words = s->type == TYPE_V || s->type == TYPE_UV;
        floats = float_pipes[s->type] > floats ? float_pipes[s->type] : floats;
        bytes = !words && s->element_bytes > bytes ? s->element_bytes : bytes;
    }
    return floats      ? (enum eu_pipe_kind)floats
           : bytes > 4 ? EU_PIPE_INTEGER_64
           : bytes > 2 ? EU_PIPE_INTEGER_32
                       : EU_PIPE_INTEGER_16;
}

static uint8_t instruction_kind_of(const struct eu_decoded *op)
{
    const enum eu_pipe_kind pipe = pipe_kind_of(op);
    const bool moves = op->opcode == EU_MOV || op->opcode == EU_MOVI || op->opcode == EU_SMOV;
    const enum eu_shape shape = pipe == EU_PIPE_NONE || pipe == EU_PIPE_FLOW ? EU_SHAPE_OTHER
                                : moves                                      ? EU_SHAPE_MOVE
                                : op->source_count == 2                      ? EU_SHAPE_TWO_SOURCES
                                : op->source_count == 3                      ? EU_SHAPE_THREE_SOURCES
                                                                             : EU_SHAPE_OTHER;
    return (uint8_t)(pipe * EU_SHAPES + shape);
}

/*
 * The eight elements of a V or UV immediate are words side by side. A channel takes the word at the byte
 * offset of its result: every second word if results are dwords. (IGC uses 0x400:uv and 0x8080400:uv for two
 * and three dwords.) This puts them in the order of channels.
 */
static void order_packed_immediate(const struct eu_region *dst, struct eu_region *src)
{
    enum { ELEMENTS = 8, WORD_BYTES = 2 };
    const unsigned stride_words = (unsigned)dst->hstride * dst->element_bytes / WORD_BYTES;
    uint32_t ordered = 0;
    for (unsigned n = 0; n < ELEMENTS; n++)
        ordered |= ((uint32_t)src->immediate >> 4u * (n * stride_words % ELEMENTS) & 0xfu) << 4u * n;
    if (stride_words > 1)
        src->immediate = ordered;
}

/* Turns mac of floats into mad with the accumulator as source 0. The results are the same. Where registers
 * have 64 bytes, channels 16 to 31 have elements of their own. (Mesa, emit_pixel_interpolater_alu_at_offset:
 * mad writes acc1 before a mac of 2H) */
static void mac_to_mad(const struct eu_isa *set, struct eu_decoded *op)
{
    enum { HALF = 16, BYTES = 4 };
    if (op->opcode != EU_MAC || op->execution_type != TYPE_F || op->dst.type != TYPE_F ||
        op->src[0].type != TYPE_F || op->src[1].type != TYPE_F || op->dst_channel_enable != 0xf ||
        op->src[0].is_swizzled || op->src[1].is_swizzled)
        return;
    op->opcode = EU_MAD;
    op->source_count = 3;
    op->src[2] = op->src[1];
    op->src[1] = op->src[0];
    op->src[0] = (struct eu_region){
        .file = OPERAND_ACCUMULATOR,
        .arf = FILE_ACCUMULATOR,
        .type = TYPE_F,
        .element_bytes = BYTES,
        .vstride = 8,
        .width = 8,
        .hstride = 1,
        .first_byte = (uint16_t)(op->first_channel / HALF % eu_register_rows(set) * HALF * BYTES)};
}

/* Turns packed floats that are all equal into a float: compilers write 0.0 so. (Mesa, brw_eu_compact.c) */
static void packed_to_float(struct eu_region *p)
{
    const uint32_t packed = (uint32_t)p->immediate, byte = packed & 0xffu;
    if (p->file != OPERAND_IMMEDIATE || p->type != TYPE_VF || packed != byte * 0x01010101u)
        return;
    p->type = TYPE_F;
    p->immediate = eu_packed_float(byte);
}

/* Turns a copy or selection of HF or BF that does not change bits into one of UW. */
static void halves_to_words(struct eu_decoded *op)
{
    if ((op->opcode != EU_MOV && op->opcode != EU_SEL) || op->condition || op->saturate || op->acc_write)
        return;
    const uint8_t type = op->dst.type;
    bool is_copy = type == TYPE_HF || type == TYPE_BF;
    for (unsigned n = 0; n < op->source_count; n++)
        is_copy &= op->src[n].type == type && !op->src[n].negate && !op->src[n].absolute;
    if (!is_copy)
        return;
    op->execution_type = TYPE_NONE;
    op->dst.type = TYPE_UW;
    for (unsigned n = 0; n < op->source_count; n++)
        op->src[n].type = TYPE_UW;
}

/*
 * Dword products in two steps, in instruction sets that split a source: mul uses its low word, mach the high
 * word. (Mesa's vec4 compiler: "src0 through SNB, src1 on IVB and later")
 */
static void split_product(const struct eu_isa *set, struct eu_decoded *op)
{
    const struct eu_region first = op->src[0];
    if (op->execution_type || !(set->mul_splits_src0 || set->mul_splits_src1))
        return;
    const bool multiplies =
        op->opcode == EU_MUL && op->src[0].element_bytes == 4 && op->src[1].element_bytes == 4;
    if (multiplies)
        op->opcode = EU_MUL_LOW; /* splits src0 */
    if (set->mul_splits_src0 ? op->opcode == EU_MACH : multiplies) {
        op->src[0] = op->src[1];
        op->src[1] = first;
    }
}

/* A source of an instruction with doubles, where each channel counts twice: the second time it is ignored. */
static void unpair_source(struct eu_region *p)
{
    if (p->file == OPERAND_IMMEDIATE || p->is_swizzled)
        return;
    if (p->width == 1) {
        p->vstride = (uint8_t)(p->type == TYPE_DF ? p->vstride : p->vstride * 2u);
        return;
    }
    p->width /= 2;
    if (p->type != TYPE_DF) {
        p->hstride = (uint8_t)(p->hstride * 2u);
        return;
    }
    p->vstride /= 2;
    p->hstride = p->width > 1 ? p->hstride : 0;
}

/* On Ivy Bridge a double is a pair of channels, which have one bit of each mask. What is converted from
 * doubles has two elements, too, of which the second is not written here. (IVB PRM vol 4 part 3, EU Changes
 * by Processor Generation; Mesa, brw: brw_reg_from_fs_reg) */
static void unpair_doubles(const struct eu_isa *set, struct eu_decoded *op)
{
    bool has_doubles = op->dst.type == TYPE_DF;
    for (unsigned n = 0; n < op->source_count && n < 3; n++)
        has_doubles |= op->src[n].type == TYPE_DF;
    if (!set->doubles_in_pairs || !has_doubles || op->channels == 1)
        return;
    op->channels /= 2;
    op->channel_mask = (uint32_t)((UINT64_C(1) << op->channels) - 1u) << op->first_channel;
    for (unsigned n = 0; n < op->source_count && n < 3; n++)
        unpair_source(&op->src[n]);
    if (op->dst.type != TYPE_DF)
        op->dst.hstride = (uint8_t)(op->dst.hstride * 2u);
}

static void decode_message(const struct eu_isa *set, const struct eu_instruction *i, struct eu_decoded *op)
{
    const struct eu_message m = eu_message(set, i);
    op->message.sfid = m.sfid;
    op->message.descriptor = m.descriptor;
    op->message.ex_descriptor = m.ex_descriptor;
    op->message.descriptor_in_register = m.descriptor_in_register;
    op->message.ex_descriptor_in_register = m.ex_descriptor_in_register;
    op->message.ex_descriptor_subregister = (uint8_t)i->value[EU_EXTENDED_SUBREGISTER];
    op->message.end_of_thread = i->value[EU_EOT];
    op->message.gen6_encoding = set->gen6_encoding;
    op->message.has_src1_payload = !set->gen6_encoding || i->operation->form == FORM_SENDS;
    op->message.ex_bso = i->value[EU_EX_BSO];
    op->message.src1_length = (int8_t)(op->message.has_src1_payload ? m.lengths[2] : 0);
    op->message.register_rows = (uint8_t)eu_register_rows(set);
    op->message.address_offset = eu_address_offset(set, &m);
}

/* Any and all of Gen20 are those of the whole execution size. */
static uint8_t predicate_of(const struct eu_isa *set, uint32_t code, unsigned channels)
{
    enum { ANY = 2, ANY_2 = 4 };
    if (!set->gen200_encoding || code < ANY)
        return (uint8_t)code;
    const unsigned log2 = (unsigned)__builtin_ctz(channels);
    return (uint8_t)(!log2 ? 1u : ANY_2 + 2u * (log2 - 1u) + (code - ANY));
}

/* Gen20 has no bit for the accumulator's write: mach gives the high half of a product, macl the low one. */
static void decode_product(struct eu_decoded *op)
{
    op->acc_write = op->opcode == EU_MACH;
    if (op->opcode == EU_MACL)
        op->opcode = EU_MACH;
}

void eu_decode_instruction(const struct eu_isa *set, const struct eu_instruction *i, struct eu_decoded *op)
{
    const uint32_t *const v = i->value;
    const struct eu_operation *const o = i->operation;
    *op = (struct eu_decoded){
        .opcode = o->opcode, .slots = i->size_bytes / EU_COMPACT_BYTES, .illegal_reason = i->illegal};
    if (op->illegal_reason) {
        op->opcode = EU_ILLEGAL;
        return;
    }
    op->channels = (uint8_t)eu_channels(i);
    op->first_channel = (uint8_t)(v[EU_CHANNEL_OFFSET] * 4u);
    op->channel_mask = (uint32_t)((UINT64_C(1) << op->channels) - 1u) << op->first_channel;
    op->predicate = o->flags & EU_PREDICATED ? predicate_of(set, v[EU_PREDICATE], op->channels) : 0;
    if (v[EU_ACCESS_MODE] && op->predicate >= 2 && op->predicate <= 5)
        op->predicate = (uint8_t)(EU_PREDICATE_X + op->predicate - 2);
    op->predicate_invert = v[EU_PREDICATE_INVERT];
    op->flag = (uint8_t)v[EU_FLAG];
    op->unmasked = v[EU_NO_MASK] ? UINT32_MAX : 0;
    op->saturate = (o->flags & EU_SATURATABLE) && v[EU_SATURATE];
    op->condition = o->flags & EU_CONDITIONAL ? (uint8_t)v[EU_CONDITION] : 0;
    op->function = (uint8_t)v[o->form == FORM_BFN ? EU_FUNCTION : EU_CONDITION];
    op->branch.control = (o->flags & EU_BRANCH_CONTROL) && v[EU_ACC_WRITE];
    op->branch.inverts = (o->flags & EU_BRANCH_INVERTS) && !op->branch.control;
    op->acc_write = v[EU_ACC_WRITE] && !eu_is_branch(i) && !eu_is_send(i);
    if (set->gen200_encoding)
        decode_product(op);
    op->is_macro = eu_is_macro(i);
    op->source_count = (uint8_t)eu_source_count(i);
    if (op->opcode == EU_BFN) { /* bfn has two bits for the condition */
        static const uint8_t conditions[4] = {0, 1, 3, 5};
        op->condition = conditions[v[EU_CONDITION] & 3u];
    }
    op->dst_channel_enable = i->value[EU_ACCESS_MODE] && !op->is_macro ? (uint8_t)v[EU_DST_CHANNELS] : 0xf;
    op->dpas.systolic_depth = (uint8_t)v[EU_DEPTH];
    op->dpas.repeat_count = (uint8_t)v[EU_REPEAT];
    op->dst.file = OPERAND_NULL;
    if (eu_has_destination(i))
        decode_region(set, i, EU_DESTINATION, op->channels, &op->dst);
    if (op->dst_channel_enable != 0xf && op->dst.element_bytes == 8)
        op->dst_channel_enable = enables_of_qwords(op->dst_channel_enable);
    if (o->form == FORM_SEND) /* other channels take no part in the message (Mesa: brw_untyped_atomic) */
        op->channel_mask &= op->dst_channel_enable * UINT32_C(0x11111111);
    for (unsigned n = 0; n < op->source_count && n < 3; n++) {
        const int at = eu_source_slot(set, i, (int)n);
        if (eu_is_label(i, (int)n))
            op->branch.has_label = true;
        else if (n == 0 || o->form != FORM_BRANCH)
            decode_region(set, i, at, op->channels, &op->src[n]);
        if (op->src[n].type == TYPE_V || op->src[n].type == TYPE_UV)
            order_packed_immediate(&op->dst, &op->src[n]);
    }
    if (!eu_is_send(i) && !eu_is_branch(i))
        unpair_doubles(set, op);
    op->branch.jip = (int32_t)eu_branch_target(set, i, v[EU_JIP]);
    op->branch.uip = (int32_t)eu_branch_target(set, i, v[o->form == FORM_MERGE ? EU_JIP : EU_UIP]);
    op->branch.unit_bytes = (uint8_t)eu_branch_unit_bytes(set, i);
    op->branch.gen6_encoding = set->gen6_encoding;
    op->execution_type = execution_type_of(op);
    op->beside.instruction_kind = instruction_kind_of(op);
    for (unsigned n = 0; n < op->source_count && n < 3; n++)
        packed_to_float(&op->src[n]);
    mac_to_mad(set, op);
    halves_to_words(op);
    split_product(set, op);
    if (eu_is_send(i))
        decode_message(set, i, op);
}

/* ---- What an instruction writes ---- */

static void add_all_registers(struct eu_dirty *writes)
{
    for (unsigned n = 0; n < EU_GRF_ROWS / 64u; n++)
        writes->registers[n] = UINT64_MAX;
}

/* Registers that have these bytes of the GRF. */
static void add_registers(struct eu_dirty *writes, unsigned first_byte, unsigned size_bytes)
{
    for (unsigned n = first_byte / EU_REGISTER_BYTES;
         n < EU_GRF_ROWS && n * EU_REGISTER_BYTES < first_byte + size_bytes; n++)
        writes->registers[n / 64u] |= UINT64_C(1) << n % 64u;
}

void eu_add_writes(const struct eu_isa *set, const struct eu_decoded *op, struct eu_dirty *writes)
{
    const struct eu_region *const p = &op->dst;
    const bool is_message = eu_slow_path_of(op) == eu_exec_send;
    switch (op->opcode) {
    case EU_DPAS:
    case EU_DPASW:
    case EU_MOVI:
        add_all_registers(writes);
        break;
    case EU_MAC:
    case EU_MACH:
    case EU_SAD2:
    case EU_SADA2:
    case EU_ADDC:
    case EU_SUBB:
    case EU_ILLEGAL:
        writes->rare = true;
        break;
    default:
        break;
    }
    writes->rare |= op->acc_write || op->is_macro || p->file == OPERAND_ACCUMULATOR;
    if (p->file == OPERAND_GRF_INDIRECT || set->mrf_count ||
        (is_message && op->message.descriptor_in_register))
        add_all_registers(writes);
    else if (p->file == OPERAND_GRF && is_message)
        add_registers(writes, p->first_byte & ~(set->register_bytes - 1u),
                      (op->message.descriptor >> 20 & 0x1fu) * set->register_bytes);
    else if (p->file == OPERAND_GRF) {
        const unsigned size_bytes = op->channels * (p->hstride ? p->hstride : 1u) * p->element_bytes;
        add_registers(writes, p->first_byte, size_bytes);
        if (op->opcode == EU_MATH) /* the remainder of a quotient is in the next registers */
            add_registers(writes, p->first_byte + size_bytes, size_bytes + set->register_bytes);
    }
}

/* ---- Handlers ---- */

eu_handler *eu_slow_path_of(const struct eu_decoded *op)
{
    static eu_handler *const handlers[EU_OPERATIONS] = {
        [EU_ILLEGAL] = eu_exec_illegal,    [EU_NOP] = eu_exec_nop,      [EU_JMPI] = eu_exec_branch,
        [EU_BRD] = eu_exec_branch,         [EU_IF] = eu_exec_branch,    [EU_BRC] = eu_exec_branch,
        [EU_ELSE] = eu_exec_branch,        [EU_ENDIF] = eu_exec_branch, [EU_WHILE] = eu_exec_branch,
        [EU_BREAK] = eu_exec_branch,       [EU_CONT] = eu_exec_branch,  [EU_HALT] = eu_exec_branch,
        [EU_CALLA] = eu_exec_branch,       [EU_CALL] = eu_exec_branch,  [EU_RET] = eu_exec_branch,
        [EU_GOTO] = eu_exec_branch,        [EU_JOIN] = eu_exec_branch,  [EU_WAIT] = eu_exec_wait,
        [EU_SYNC] = eu_exec_wait,          [EU_SEND] = eu_exec_send,    [EU_SENDC] = eu_exec_send,
        [EU_SENDS] = eu_exec_send,         [EU_SENDSC] = eu_exec_send,  [EU_MOVI] = eu_exec_indirect_move,
        [EU_SMOV] = eu_exec_indirect_move, [EU_DPAS] = eu_exec_dpas,    [EU_DPASW] = eu_exec_dpas,
    };
    return handlers[op->opcode] ? handlers[op->opcode] : eu_exec_generic;
}
