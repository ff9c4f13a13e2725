/*
 * Loads and stores of regions. Registers beyond the GRF read as zeros and ignore writes.
 */
#include "interp/execute.h"

static unsigned file_bytes(const struct eu_thread *t)
{
    return t->grf_rows * (unsigned)EU_REGISTER_BYTES;
}

static uint64_t read_element(const uint8_t *bytes, unsigned size)
{
    uint64_t bits = 0;
    switch (size) { /* constant sizes compile to plain loads */
    case 1:
        return *bytes;
    case 2:
        memcpy(&bits, bytes, 2);
        return bits;
    case 4:
        memcpy(&bits, bytes, 4);
        return bits;
    default:
        memcpy(&bits, bytes, 8);
        return bits;
    }
}

/* ---- Other registers ---- */

enum { MAX_FILE_BYTES = EU_FLAGS / 2 * EU_REGISTER_BYTES };

/* Copies the content of an architecture register file. */
static void read_file(const struct eu_run *r, const struct eu_decoded *op, unsigned file, uint8_t *bytes)
{
    const struct eu_thread *const t = r->t;
    memset(bytes, 0, MAX_FILE_BYTES);
    switch (file) {
    case FILE_ADDRESS:
        memcpy(bytes, t->address, sizeof t->address);
        break;
    case FILE_FLAG: /* f0 to f3 are separate registers of 32 bytes */
        for (unsigned n = 0; n < EU_FLAGS / 2; n++)
            memcpy(bytes + n * EU_REGISTER_BYTES, t->flag + 2 * n, 4);
        break;
    case FILE_CHANNEL_ENABLE:
        memcpy(bytes, &t->execution_mask, sizeof t->execution_mask);
        break;
    case FILE_STATE:
        memcpy(bytes, t->sr0, sizeof t->sr0);
        break;
    case FILE_CONTROL:
        memcpy(bytes, t->cr0, sizeof t->cr0);
        break;
    case FILE_NOTIFICATION:
        memcpy(bytes, t->n0, sizeof t->n0);
        break;
    case FILE_IP: {
        const uint32_t ip = (uint32_t)eu_ip(r, op);
        memcpy(bytes, &ip, sizeof ip);
        break;
    }
    case FILE_TIMESTAMP: {
        const uint64_t now = t->tm0 + (r->budget_counted - r->budget);
        memcpy(bytes, &now, sizeof now);
        break;
    }
    default:
        break;
    }
}

static void write_file(struct eu_thread *t, unsigned file, const uint8_t *bytes)
{
    switch (file) {
    case FILE_ADDRESS:
        memcpy(t->address, bytes, sizeof t->address);
        break;
    case FILE_FLAG:
        for (unsigned n = 0; n < EU_FLAGS / 2; n++)
            memcpy(t->flag + 2 * n, bytes + n * EU_REGISTER_BYTES, 4);
        break;
    case FILE_STATE:
        memcpy(t->sr0, bytes, sizeof t->sr0);
        break;
    case FILE_CONTROL:
        memcpy(t->cr0, bytes, sizeof t->cr0);
        break;
    case FILE_NOTIFICATION:
        memcpy(t->n0, bytes, sizeof t->n0);
        break;
    default:
        break;
    }
}

/* A register of an accumulator has as many channels as it holds elements of the type. */
uint64_t *eu_accumulator(struct eu_thread *t, unsigned at, unsigned size)
{
    const unsigned which = at / EU_REGISTER_BYTES, channel = at % EU_REGISTER_BYTES / size;
    if (which >= EU_ACCUMULATORS || channel >= EU_MAX_CHANNELS / 2)
        return NULL;
    return &t->accumulator[which][channel];
}

/* ---- Elements ---- */

/* The byte offset of a channel's element from the start of its region. */
static unsigned element_at(const struct eu_region *p, unsigned channel)
{
    if (p->is_swizzled)
        channel = (p->vstride ? channel & ~3u : 0) + (p->swizzle >> 2u * (channel & 3u) & 3u);
    else
        channel = channel / p->width * p->vstride + channel % p->width * p->hstride;
    return channel * p->element_bytes;
}

static unsigned address_of(const struct eu_thread *t, const struct eu_region *p, unsigned which)
{
    return (uint16_t)(t->address[(p->address_subregister + which) % EU_ADDRESSES] + p->address_offset);
}

static uint64_t packed(const struct eu_region *p, unsigned channel)
{
    const uint32_t bits = (uint32_t)p->immediate;
    if (p->type == TYPE_VF)
        return eu_packed_float(bits >> 8u * (channel & 3u) & 0xff);
    const uint32_t nibble = bits >> 4u * (channel & 7u) & 0xf;
    return p->type == TYPE_V && nibble & 8u ? nibble | ~UINT64_C(15) : nibble;
}

static uint64_t immediate(const struct eu_region *p, unsigned channel)
{
    if (p->type == TYPE_V || p->type == TYPE_UV || p->type == TYPE_VF)
        return packed(p, channel);
    return p->element_bytes < 8 ? p->immediate & ((UINT64_C(1) << 8u * p->element_bytes) - 1u) : p->immediate;
}

void eu_load_region(const struct eu_run *r, const struct eu_decoded *op, const struct eu_region *p,
                    unsigned channels, uint64_t *bits)
{
    struct eu_thread *const t = r->t;
    const unsigned limit = file_bytes(t);
    uint8_t file[MAX_FILE_BYTES];
    if (p->file == OPERAND_ARF)
        read_file(r, op, p->arf, file);
    for (unsigned n = 0; n < channels; n++) {
        const unsigned at = p->first_byte + element_at(p, n);
        bits[n] = 0;
        switch (p->file) {
        case OPERAND_GRF:
            if (at + p->element_bytes <= limit)
                bits[n] = read_element(t->grf + at, p->element_bytes);
            break;
        case OPERAND_IMMEDIATE:
            bits[n] = immediate(p, n);
            break;
        case OPERAND_GRF_INDIRECT: {
            const unsigned there = p->address_per_row ? address_of(t, p, n / p->width) +
                                                            n % p->width * p->hstride * p->element_bytes
                                                      : address_of(t, p, 0) + element_at(p, n);
            if (there + p->element_bytes <= limit)
                bits[n] = read_element(t->grf + there, p->element_bytes);
            break;
        }
        case OPERAND_ACCUMULATOR: {
            const uint64_t *const a = eu_accumulator(t, at, p->element_bytes);
            bits[n] = !a ? 0 : p->element_bytes < 8 ? *a & ((UINT64_C(1) << 8u * p->element_bytes) - 1u) : *a;
            break;
        }
        case OPERAND_ARF:
            if (at + p->element_bytes <= MAX_FILE_BYTES)
                bits[n] = read_element(file + at, p->element_bytes);
            break;
        default:
            break;
        }
    }
}

/* The type of the elements; packed immediates have extended ones. */
static unsigned element_type(const struct eu_region *p)
{
    return p->type == TYPE_VF ? TYPE_F : p->type == TYPE_V ? TYPE_Q : p->type == TYPE_UV ? TYPE_UQ : p->type;
}

static bool is_bitwise(const struct eu_decoded *op)
{
    return op->opcode == EU_AND || op->opcode == EU_OR || op->opcode == EU_XOR || op->opcode == EU_NOT;
}

void eu_load_source(const struct eu_run *r, const struct eu_decoded *op, unsigned which, union eu_value *v)
{
    const struct eu_region *const p = &op->src[which];
    const unsigned type = element_type(p);
    const bool flush = eu_is_float(type) && op->opcode != EU_MOV && eu_flushes_denormals(r->t, type),
               alternative = type == TYPE_F && (r->t->cr0[0] & CR0_ALT_FP_MODE);
    uint64_t bits[EU_MAX_CHANNELS];
    eu_load_region(r, op, p, op->channels, bits);
    for (unsigned n = 0; n < op->channels; n++) {
        if (eu_is_float(type)) {
            double x = eu_to_double(bits[n], type);
            if (flush && eu_is_denormal(x, type))
                x = x < 0 ? -0.0 : 0.0;
            if (alternative) /* ALT mode: NaN is 0, infinity the largest float */
                x = x != x ? 0.0 : eu_round_to_type(x, 0, TYPE_F, ROUND_TO_ZERO, false);
            if (alternative && (x > 0x1.fffffep127 || x < -0x1.fffffep127))
                x = x < 0 ? -0x1.fffffep127 : 0x1.fffffep127;
            if (p->absolute)
                x = __builtin_fabs(x);
            v[n].f = p->negate ? -x : x;
            continue;
        }
        eu_wide i = eu_extend(bits[n], type);
        if (p->absolute && i < 0 && !is_bitwise(op))
            i = -i;
        if (p->negate)
            i = is_bitwise(op) ? ~i : -i;
        if (op->execution_type)
            v[n].f = eu_from_wide(i, op->execution_type, eu_thread_rounding(r->t));
        else
            v[n].i = i;
    }
}

void eu_store_destination(struct eu_run *r, const struct eu_decoded *op, uint32_t on, const uint64_t *bits)
{
    struct eu_thread *const t = r->t;
    const struct eu_region *const p = &op->dst;
    const unsigned limit = file_bytes(t);
    uint8_t file[MAX_FILE_BYTES];
    if (p->file == OPERAND_ARF)
        read_file(r, op, p->arf, file);
    for (unsigned n = 0; n < op->channels; n++) {
        if (!(on >> n & 1u))
            continue;
        unsigned at = p->first_byte + n * p->hstride * p->element_bytes;
        switch (p->file) {
        case OPERAND_GRF_INDIRECT:
            at = address_of(t, p, 0) + n * p->hstride * p->element_bytes;
            /* fall through */
        case OPERAND_GRF:
            if (at + p->element_bytes <= limit)
                memcpy(t->grf + at, &bits[n], p->element_bytes);
            break;
        case OPERAND_ACCUMULATOR: {
            uint64_t *const a = eu_accumulator(t, at, p->element_bytes);
            if (a)
                *a = bits[n];
            break;
        }
        case OPERAND_ARF:
            if (at + p->element_bytes <= MAX_FILE_BYTES)
                memcpy(file + at, &bits[n], p->element_bytes);
            break;
        default:
            break;
        }
    }
    if (p->file == OPERAND_ARF)
        write_file(t, p->arf, file);
}

/*
 * movi: each channel has its own address. smov: the bits of source 1 enable the channels that are copied to a
 * destination with one address. Compilers scatter with it, one channel at a time.
 */
struct eu_decoded *eu_exec_indirect_move(struct eu_run *r, struct eu_decoded *op)
{
    struct eu_thread *const t = r->t;
    const struct eu_region *const s = &op->src[0], *const d = &op->dst;
    const uint32_t on = eu_enabled_channels(t, op) >> op->first_channel;
    uint64_t bits[EU_MAX_CHANNELS] = {0};
    if ((op->opcode == EU_MOVI ? s->file : d->file) != OPERAND_GRF_INDIRECT)
        return eu_raise(r, op, "movi or smov without an indirect operand");
    if (op->opcode ==
        EU_MOVI) { /* the first address selects the register, each channel's address the byte in it */
        const unsigned base = address_of(t, s, 0) & ~(unsigned)(EU_REGISTER_BYTES - 1);
        for (unsigned n = 0; n < op->channels; n++) {
            const unsigned at = base + (address_of(t, s, n) & (EU_REGISTER_BYTES - 1u));
            bits[n] =
                at + s->element_bytes <= file_bytes(t) ? read_element(t->grf + at, s->element_bytes) : 0;
        }
        eu_store_destination(r, op, on, bits);
        return op + op->slots;
    }
    uint64_t which[EU_MAX_CHANNELS] = {0};
    eu_load_region(r, op, &op->src[1], op->channels, which);
    eu_load_region(r, op, s, op->channels, bits);
    eu_store_destination(r, op, on & (uint32_t)which[0], bits);
    return op + op->slots;
}
