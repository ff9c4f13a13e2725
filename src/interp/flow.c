/*
 * Control flow: predicates, branches, waits and sends.
 *
 * Each channel has an instruction pointer. Channels at the thread's ip are active. The others wait until the
 * thread arrives at theirs. A branch parks channels elsewhere; if none is left at the next instruction, the
 * thread jumps.
 */
#include "interp/execute.h"
#include "base/inline.h"

struct eu_decoded *eu_exec_nop(struct eu_run *r, struct eu_decoded *op)
{
    (void)r;
    return op + op->slots;
}

struct eu_decoded *eu_exec_illegal(struct eu_run *r, struct eu_decoded *op)
{
    return eu_raise(r, op, op->illegal_reason ? op->illegal_reason : "an illegal instruction");
}

/* ---- Predicates ---- */

/* Replaces each group of 1 << `shift` bits by all ones if any (or all) of its bits are set, else by zeros. */
static uint32_t grouped(uint32_t bits, unsigned shift, bool all)
{
    static const uint32_t lowest[] = {UINT32_MAX, 0x55555555, 0x11111111, 0x01010101, 0x00010001, 1},
                          group[] = {1, 3, 15, 0xff, 0xffff, UINT32_MAX};
    enum { STEPS = 5 };
    static const uint8_t by[][STEPS] = {{0}, {1}, {1, 2}, {1, 2, 4}, {1, 2, 4, 8}, {1, 2, 4, 8, 16}};
    const uint32_t invert = all ? UINT32_MAX : 0;
    shift = shift < STEPS ? shift : STEPS;
    bits ^= invert;
    for (unsigned n = 0; n < STEPS; n++) /* into the lowest bit of each group */
        bits |= bits >> by[shift][n];
    return ((bits & lowest[shift]) * group[shift]) ^ invert;
}

uint32_t eu_predicate_mask_any(const struct eu_thread *t, const struct eu_decoded *op)
{
    uint32_t bits = eu_flag(t, op->flag);
    switch (op->predicate) {
    case 0:
        return UINT32_MAX;
    case 1:
        break;
    case 2: /* anyv, allv: both flag registers */
        bits |= eu_flag(t, op->flag ^ 2u);
        break;
    case 3:
        bits &= eu_flag(t, op->flag ^ 2u);
        break;
    default:
        if (op->predicate >= EU_PREDICATE_X)
            bits = (bits >> (op->predicate - EU_PREDICATE_X) & 0x11111111u) * 15u;
        else
            bits = grouped(bits, op->predicate / 2u - 1u, op->predicate & 1u);
        break;
    }
    return op->predicate_invert ? ~bits : bits;
}

/* ---- Branches ---- */

static void park(struct eu_run *r, uint32_t channels, uint64_t ip)
{
    struct eu_thread *const t = r->t;
    t->execution_mask &= ~channels;
    t->dirty.channel_ip = true;
    for (unsigned first = 0; first < EU_MAX_CHANNELS; first += 8) {
        const uint32_t part = channels >> first & 0xffu;
        if (part == 0xff)
            for (unsigned n = 0; n < 8; n++)
                t->channel_ip[first + n] = ip;
        else
            for (uint32_t rest = part; rest; rest &= rest - 1u)
                t->channel_ip[first + (unsigned)__builtin_ctz(rest)] = ip;
    }
    if (channels)
        eu_park_channels(r, channels, ip);
}

static INLINE uint64_t target(uint64_t ip, int32_t offset)
{
    return (ip + (uint64_t)(int64_t)offset) & UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
}

/* Continues after the branch if channels are active or wait there, else jumps to `other`. */
static INLINE struct eu_decoded *continue_or_jump(struct eu_run *r, struct eu_decoded *op, uint64_t other)
{
    struct eu_decoded *const next = op + op->slots;
    if (r->t->execution_mask || eu_channels_parked_at(r, eu_ip(r, next)))
        return next;
    return eu_jump_to(r, other);
}

/* Parks `channels` at `there`; the others stay. */
static INLINE struct eu_decoded *diverge(struct eu_run *r, struct eu_decoded *op, uint32_t channels,
                                         uint64_t there, uint64_t other)
{
    if (channels)
        park(r, channels, there);
    return continue_or_jump(r, op, other);
}

/* If `any`, the thread jumps to `there` with `channels`, and the others wait at `stay`. */
static INLINE struct eu_decoded *follow(struct eu_run *r, struct eu_decoded *op, uint32_t channels, bool any,
                                        uint64_t there, uint64_t stay)
{
    if (!any)
        return op + op->slots;
    if (r->t->execution_mask & ~channels)
        park(r, r->t->execution_mask & ~channels, stay);
    return eu_jump_to(r, there);
}

/* Copies kernel bytes from `ip` on; returns the number of bytes. */
static size_t fetch_bytes(const struct eu_run *r, uint64_t ip, uint8_t bytes[EU_NATIVE_BYTES])
{
    size_t done = 0, there = 0;
    while (done < EU_NATIVE_BYTES) {
        const void *const p = r->port->fetch(r->port->context, ip + done, &there);
        if (!p || !there)
            break;
        const size_t part = there < EU_NATIVE_BYTES - done ? there : EU_NATIVE_BYTES - done;
        memcpy(bytes + done, p, part);
        done += part;
    }
    return done;
}

/* The address after the while instruction at `ip`, the UIP of a break. The result of decoding it is kept
 * while the kernel has the same bytes. */
static uint64_t address_after_while(struct eu_run *r, struct eu_decoded *op, uint64_t ip)
{
    uint8_t bytes[EU_NATIVE_BYTES] = {0};
    struct eu_instruction i;
    const uint64_t offset = ip - r->chunk->base;
    const bool is_here = offset >= r->chunk->first_byte && offset < r->chunk->end_byte &&
                         r->chunk->end_byte - offset >= EU_NATIVE_BYTES;
    if (is_here)
        memcpy(bytes, r->chunk->bytes + offset, sizeof bytes);
    const size_t there = is_here ? sizeof bytes : fetch_bytes(r, ip, bytes);
    if (op->branch.while_found_bytes != there || memcmp(op->branch.while_bytes, bytes, sizeof bytes) != 0) {
        const bool loops = there && eu_decode_fields(r->t->isa, bytes, there, &i) && !i.illegal &&
                           i.operation->opcode == EU_WHILE;
        op->branch.while_found_bytes = (uint8_t)there;
        op->branch.while_size_bytes = loops ? i.size_bytes : 0;
        memcpy(op->branch.while_bytes, bytes, sizeof bytes);
    }
    op->branch.while_in_chunk = is_here && op->branch.has_label; /* then it can change only with the chunk */
    return (ip + op->branch.while_size_bytes) & UINT32_MAX;
}

static uint32_t register_dword(const struct eu_run *r, const struct eu_decoded *op, unsigned n)
{
    uint64_t bits[2];
    struct eu_region two = op->src[0];
    two.vstride = 2;
    two.width = 2;
    two.hstride = 1;
    two.type = TYPE_UD;
    two.element_bytes = 4;
    eu_load_region(r, op, &two, 2, bits);
    return (uint32_t)bits[n];
}

static struct eu_decoded *call(struct eu_run *r, struct eu_decoded *op, uint32_t on, uint32_t enabled,
                               uint64_t there)
{
    struct eu_decoded link = *op;
    const uint64_t next = eu_ip(r, op + op->slots), bits[2] = {next, enabled};
    if (!enabled)
        return op + op->slots;
    link.channels = 2;
    link.first_channel = 0;
    link.dst.type = TYPE_UD;
    link.dst.element_bytes = 4;
    link.dst.hstride = 1;
    eu_store_destination(r, &link, 3, bits);
    return follow(r, op, on, true, there, next);
}

static INLINE struct eu_decoded *branch(struct eu_run *r, struct eu_decoded *op, enum eu_opcode opcode,
                                        bool label)
{
    struct eu_thread *const t = r->t;
    const uint64_t ip = eu_ip(r, op), next = eu_ip(r, op + op->slots);
    uint32_t enabled = eu_enabled_channels(t, op), on = enabled & t->execution_mask;
    int32_t to = op->branch.jip;
    if ((t->cr0[0] & CR0_SINGLE_PROGRAM_FLOW) && enabled)
        on = t->execution_mask;
    if (!label && opcode != EU_RET) { /* the offsets are in a register, JIP first */
        to = (int32_t)(register_dword(r, op, 0) * op->branch.unit_bytes);
        if (op->branch.gen6_encoding && opcode == EU_JMPI)
            to += op->slots * EU_COMPACT_BYTES;
    }
    const uint64_t jip = target(ip, to),
                   uip = target(ip, label              ? op->branch.uip
                                    : opcode == EU_BRC ? (int32_t)register_dword(r, op, 1)
                                                       : to);
    switch (opcode) {
    case EU_JMPI: /* all channels jump, by the first channel's predicate */
        return enabled ? eu_jump_to(r, jip) : op + op->slots;
    case EU_IF:
        return diverge(r, op, t->execution_mask & ~on, jip, jip);
    case EU_ELSE:
        return diverge(r, op, on, uip, jip);
    case EU_ENDIF:
    case EU_JOIN:
        return continue_or_jump(r, op, jip);
    case EU_WHILE:
        return follow(r, op, on, on != 0, jip, next);
    case EU_BRD:
        return follow(r, op, on, on != 0, jip, next);
    case EU_BREAK:
        return diverge(r, op, on,
                       !on                         ? 0
                       : op->branch.while_in_chunk ? (uip + op->branch.while_size_bytes) & UINT32_MAX
                                                   : address_after_while(r, op, uip),
                       jip);
    case EU_GOTO:
        if (op->branch.control) { /* a backward branch: the thread follows the channels that take it */
            if (!on)
                return diverge(r, op, t->execution_mask, jip, jip);
            return follow(r, op, on, true, uip, jip);
        }
        return diverge(r, op, op->branch.inverts ? t->execution_mask & ~on : on, uip, jip);
    case EU_CALL:
        return call(r, op, on, enabled, jip);
    case EU_CALLA:
        return call(r, op, on, enabled, (uint32_t)to);
    case EU_RET: {
        const uint64_t back = register_dword(r, op, 0) & ~(uint64_t)(EU_COMPACT_BYTES - 1);
        if (!enabled)
            return op + op->slots;
        if (op->unmasked && !on)
            return eu_jump_to(r, back);
        return diverge(r, op, on, back, back);
    }
    default: /* brc, cont, halt */
        return diverge(r, op, on, uip, jip);
    }
}

struct eu_decoded *eu_exec_branch(struct eu_run *r, struct eu_decoded *op)
{
    return branch(r, op, (enum eu_opcode)op->opcode, op->branch.has_label);
}

struct eu_decoded *eu_call_branch(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    r->budget = left - 1u;
    struct eu_decoded *const next = eu_exec_branch(r, op);
    if (next && r->wait_count && (next->beside.wrap & WRAP_MERGE))
        eu_merge_channels(r, next);
    return next;
}

/* Branches with a threaded handler: those of loops and conditions, with labels. */
#define BRANCHES(STEP)                                                                                       \
    STEP(EU_JMPI)                                                                                            \
    STEP(EU_IF) STEP(EU_ELSE) STEP(EU_ENDIF) STEP(EU_WHILE) STEP(EU_BREAK) STEP(EU_GOTO) STEP(EU_JOIN)
#define STEP(opcode)                                                                                         \
    static struct eu_decoded *step_##opcode(struct eu_run *r, struct eu_decoded *op, uint64_t left)          \
    {                                                                                                        \
        r->budget = left - 1u;                                                                               \
        struct eu_decoded *const next = branch(r, op, opcode, true);                                         \
        if (!next)                                                                                           \
            return NULL;                                                                                     \
        EU_DISPATCH(r, next, r->budget);                                                                     \
    }
BRANCHES(STEP)
#undef STEP

/* ---- Waits ---- */

enum {
    SYNC_BARRIER = 14,
    SYNC_HOST = 15
}; /* the other functions have nothing to wait for: messages complete at once */

struct eu_decoded *eu_exec_wait(struct eu_run *r, struct eu_decoded *op)
{
    struct eu_thread *const t = r->t;
    unsigned which = op->src[0].first_byte / 4u % EU_REGISTER_BYTES;
    if (op->opcode == EU_SYNC) {
        if (op->function != SYNC_BARRIER && op->function != SYNC_HOST)
            return op + op->slots;
        which = op->function == SYNC_HOST;
    } else if (op->src[0].arf != FILE_NOTIFICATION) {
        return eu_raise(r, op, "wait needs a notification register");
    }
    if (which >= sizeof t->n0 / sizeof t->n0[0])
        return eu_raise(r, op, "reserved notification register");
    if (!t->n0[which]) {
        return eu_block_thread(r, op);
    }
    t->n0[which]--;
    return op + op->slots;
}

static struct eu_decoded *step_nop(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}

eu_threaded_handler *eu_branch_handler_of(const struct eu_decoded *op)
{
    static eu_threaded_handler *const steps[EU_OPERATIONS] = {
#define STEP(opcode) [opcode] = step_##opcode,
        BRANCHES(STEP)
#undef STEP
    };
    if (op->opcode == EU_NOP ||
        (op->opcode == EU_SYNC && op->function != SYNC_BARRIER && op->function != SYNC_HOST))
        return step_nop;
    return op->branch.has_label ? steps[op->opcode] : NULL;
}

/* ---- Messages ---- */

/* Finds the registers of a payload or response. False: some are beyond the GRF. */
static INLINE bool payload(struct eu_thread *t, const struct eu_region *p, unsigned registers, uint8_t **at)
{
    const unsigned size = t->grf_rows * (unsigned)EU_REGISTER_BYTES, inside = t->isa->register_bytes - 1u;
    unsigned first = p->first_byte & ~inside;
    *at = NULL;
    if (!registers)
        return true;
    if (__builtin_expect(p->file != OPERAND_GRF, 0)) {
        if (p->file != OPERAND_GRF_INDIRECT)
            return true;
        first = (uint16_t)(t->address[p->address_subregister % EU_ADDRESSES] + p->address_offset) & ~inside;
    }
    *at = t->grf + (first < size ? first : 0);
    return first + registers * EU_REGISTER_BYTES <= size;
}

static uint32_t address_dword(const struct eu_thread *t, unsigned n)
{
    return t->address[2u * n % EU_ADDRESSES] | (uint32_t)t->address[(2u * n + 1u) % EU_ADDRESSES] << 16;
}

/* Registers of the second payload. */
static unsigned second_length(const struct eu_decoded *op, uint32_t extended)
{
    return op->message.src1_length >= 0 ? (unsigned)op->message.src1_length
                                        : extended >> 6 & (op->message.gen6_encoding ? 0xfu : 0x1fu);
}

struct eu_decoded *eu_exec_send(struct eu_run *r, struct eu_decoded *op)
{
    struct eu_thread *const t = r->t;
    const uint32_t descriptor =
        op->message.descriptor_in_register ? address_dword(t, 0) : op->message.descriptor;
    const uint32_t extended = op->message.ex_descriptor_in_register
                                  ? address_dword(t, op->message.ex_descriptor_subregister)
                                  : op->message.ex_descriptor;
    const unsigned rows = op->message.register_rows, src1_registers = second_length(op, extended) * rows;
    struct eu_send m = {
        .sfid = op->message.sfid,
        .descriptor = descriptor,
        .ex_descriptor = extended,
        .end_of_thread = op->message.end_of_thread,
        .ex_bso = op->message.ex_bso,
        .address_offset = op->message.address_offset,
        .execution_size = op->channels,
        .register_rows = (uint8_t)rows,
        .channels = eu_enabled_channels(t, op) >> op->first_channel,
        .first_channel = op->first_channel,
        .payload_registers = {(uint8_t)((descriptor >> 25 & 0xfu) * rows), (uint8_t)src1_registers},
    };
    uint8_t *first_payload, *second_payload = NULL;
    if (!m.channels && !m.end_of_thread) /* a message without channels is not sent */
        return op + op->slots;
    m.response_registers = op->dst.file == OPERAND_NULL ? 0 : (uint8_t)((descriptor >> 20 & 0x1fu) * rows);
    if (!payload(t, &op->src[0], m.payload_registers[0], &first_payload) ||
        (op->message.has_src1_payload && !payload(t, &op->src[1], m.payload_registers[1], &second_payload)) ||
        !payload(t, &op->dst, m.response_registers, &m.response))
        return eu_raise(r, op, "registers of a message are beyond the GRF");
    m.payload[0] = first_payload;
    m.payload[1] = second_payload;
    const uint64_t *const stores = r->port->store_count;
    const uint64_t ip = eu_ip(r, op), before = r->budget, stored = stores ? *stores : 0;
    t->ip = ip;
    eu_set_host_rounding(r);
    const enum eu_answer answer = r->port->send(r->port->context, t, &m, &r->budget);
    if (r->budget > before)
        r->budget = before;
    eu_count_instructions(t, r->budget - before);
    const bool may_change = !stores || *stores != stored;
    r->cache->epoch += may_change;
    if (answer == EU_SEND_BLOCKED)
        return eu_block_thread(r, op);
    if (answer == EU_SEND_FAULT)
        return eu_stop_at(r, ip, EU_EXCEPTION, t->why ? t->why : "a message cannot be sent");
    if (m.end_of_thread)
        return eu_stop_at(r, eu_ip(r, op + op->slots), EU_ENDED, NULL);
    if (!may_change)
        return op + op->slots;
    t->ip = eu_ip(r, op + op->slots);
    return NULL; /* check the chunk first: the message may have changed the kernel */
}

/* The registers of a payload or response, as far as an instruction says. False: they are not in a GRF. */
static bool plan_registers(const struct eu_region *p, const struct eu_decoded *op, unsigned registers,
                           uint16_t *byte, uint16_t *grf_rows)
{
    const unsigned first = p->first_byte & ~(op->message.register_rows * (unsigned)EU_REGISTER_BYTES - 1u),
                   end = first + registers * EU_REGISTER_BYTES;
    *byte = (uint16_t)first;
    if (end > p->file_bytes && end > *grf_rows * (unsigned)EU_REGISTER_BYTES)
        *grf_rows = (uint16_t)(end / EU_REGISTER_BYTES);
    return !registers || (p->file == OPERAND_GRF && end <= EU_FILE_BYTES);
}

bool eu_plan_message(const struct eu_run *r, struct eu_decoded *op)
{
    const uint32_t descriptor = op->message.descriptor;
    const unsigned rows = op->message.register_rows,
                   src1_registers = second_length(op, op->message.ex_descriptor) * rows;
    struct eu_message_plan *const p = &op->message.plan;
    if (!r->port->plan || op->slow_path != eu_exec_send || op->message.descriptor_in_register ||
        op->message.ex_descriptor_in_register)
        return false;
    *p = (struct eu_message_plan){
        .descriptor = descriptor,
        .ex_descriptor = op->message.ex_descriptor,
        .address_offset = op->message.address_offset,
        .payload_registers = {(uint8_t)((descriptor >> 25 & 0xfu) * rows), (uint8_t)src1_registers},
        .response_registers = op->dst.file == OPERAND_NULL ? 0 : (uint8_t)((descriptor >> 20 & 0x1fu) * rows),
        .register_rows = (uint8_t)rows,
        .sfid = op->message.sfid,
        .execution_size = op->channels};
    if (plan_registers(&op->src[0], op, p->payload_registers[0], &p->payload_byte[0], &p->grf_rows) &&
        (op->message.has_src1_payload || !p->payload_registers[1]) &&
        plan_registers(&op->src[1], op, p->payload_registers[1], &p->payload_byte[1], &p->grf_rows) &&
        plan_registers(&op->dst, op, p->response_registers, &p->response_byte, &p->grf_rows))
        r->port->plan(r->t->isa, p);
    return p->run != NULL;
}

struct eu_decoded *eu_run_planned_message(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    struct eu_thread *const t = r->t;
    const uint32_t channels = eu_enabled_channels(t, op) >> op->first_channel;
    if (channels || op->message.end_of_thread) {
        if (op->message.plan.computes)
            eu_set_host_rounding(r);
        const int cost = op->message.plan.run(r->port->receiver, t, &op->message.plan, channels);
        if (cost < 0)
            EU_TAIL_CALL(eu_run_slow_path, r, op, left);
        const uint64_t charged = (uint64_t)cost < left - 1u ? (uint64_t)cost : left - 1u;
        left -= charged;
        eu_count_instructions(t, -charged);
    }
    if (op->message.end_of_thread) {
        r->budget = left - 1u;
        return eu_stop_at(r, eu_ip(r, op + op->slots), EU_ENDED, NULL);
    }
    EU_DISPATCH(r, eu_next_decoded(op), left - 1u);
}
