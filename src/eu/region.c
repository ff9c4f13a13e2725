#include "eu/execute.h"

/*
 * Operands: where a region's elements lie, and what they are. What lies beyond the register file reads as
 * zeros, and takes no write.
 */

static unsigned file_bytes(const struct eu_thread *t)
{
    return t->large ? EU_FILE_BYTES : EU_SMALL_FILE;
}

static uint64_t read_element(const uint8_t *bytes, unsigned size)
{
    uint64_t bits = 0;
    switch (size) { /* each of a size that is known */
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

enum { MOST_FILE_BYTES = 64 };

/* What a file of the architecture's registers holds. */
static void read_file(const struct eu_run *r, const struct eu_op *op, unsigned file, uint8_t *bytes)
{
    const struct eu_thread *const t = r->t;
    memset(bytes, 0, MOST_FILE_BYTES);
    switch (file) {
    case FILE_ADDRESS:
        memcpy(bytes, t->addresses, sizeof t->addresses);
        break;
    case FILE_FLAG: /* f1 is a register of its own */
        memcpy(bytes, t->flags, 4);
        memcpy(bytes + EU_REGISTER_BYTES, t->flags + 2, 4);
        break;
    case FILE_CHANNEL_ENABLE:
        memcpy(bytes, &t->active, sizeof t->active);
        break;
    case FILE_STATE:
        memcpy(bytes, t->state, sizeof t->state);
        break;
    case FILE_CONTROL:
        memcpy(bytes, t->control, sizeof t->control);
        break;
    case FILE_NOTIFICATION:
        memcpy(bytes, t->notifications, sizeof t->notifications);
        break;
    case FILE_IP: {
        const uint32_t ip = (uint32_t)eu_ip(r, op);
        memcpy(bytes, &ip, sizeof ip);
        break;
    }
    case FILE_TIMESTAMP: {
        const uint64_t now = t->timestamp + (r->given - r->left);
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
        memcpy(t->addresses, bytes, sizeof t->addresses);
        break;
    case FILE_FLAG:
        memcpy(t->flags, bytes, 4);
        memcpy(t->flags + 2, bytes + EU_REGISTER_BYTES, 4);
        break;
    case FILE_STATE:
        memcpy(t->state, bytes, sizeof t->state);
        break;
    case FILE_CONTROL:
        memcpy(t->control, bytes, sizeof t->control);
        break;
    case FILE_NOTIFICATION:
        memcpy(t->notifications, bytes, sizeof t->notifications);
        break;
    default:
        break;
    }
}

/* An accumulator's channel, where the element at a byte lies: each register has as many channels as it holds
 * elements of the type. NULL: there is none. */
uint64_t *eu_accumulator(struct eu_thread *t, unsigned at, unsigned size)
{
    const unsigned which = at / EU_REGISTER_BYTES, channel = at % EU_REGISTER_BYTES / size;
    if (which >= EU_ACCUMULATORS || channel >= EU_MOST_CHANNELS / 2)
        return NULL;
    return &t->accumulators[which][channel];
}

/* ---- Elements ---- */

/* Bytes from a region's start to a channel's element. */
static unsigned element_at(const struct eu_place *p, unsigned channel)
{
    if (p->swizzled)
        channel = (p->vertical ? channel & ~3u : 0) + (p->swizzle >> 2u * (channel & 3u) & 3u);
    else
        channel = channel / p->width * p->vertical + channel % p->width * p->horizontal;
    return channel * p->bytes;
}

static unsigned address_of(const struct eu_thread *t, const struct eu_place *p, unsigned which)
{
    return (uint16_t)(t->addresses[(p->address + which) % EU_ADDRESSES] + p->offset);
}

static uint64_t packed(const struct eu_place *p, unsigned channel)
{
    const uint32_t bits = (uint32_t)p->immediate;
    if (p->type == TYPE_VF) { /* a sign, three bits of exponent, four of fraction */
        const uint32_t b = bits >> 8u * (channel & 3u) & 0xff;
        return (b & 0x80) << 24 | (b & 0x7f ? ((b >> 4 & 7u) + 124u) << 23 | (b & 0xfu) << 19 : 0);
    }
    const uint32_t nibble = bits >> 4u * (channel & 7u) & 0xf;
    return p->type == TYPE_V && nibble & 8u ? nibble | ~UINT64_C(15) : nibble;
}

static uint64_t immediate(const struct eu_place *p, unsigned channel)
{
    if (p->type == TYPE_V || p->type == TYPE_UV || p->type == TYPE_VF)
        return packed(p, channel);
    return p->bytes < 8 ? p->immediate & ((UINT64_C(1) << 8u * p->bytes) - 1u) : p->immediate;
}

void eu_load_bits(const struct eu_run *r, const struct eu_op *op, const struct eu_place *p, unsigned channels,
                  uint64_t *bits)
{
    struct eu_thread *const t = r->t;
    const unsigned limit = file_bytes(t);
    uint8_t file[MOST_FILE_BYTES];
    if (p->way == WAY_ARCHITECTURE)
        read_file(r, op, p->file, file);
    for (unsigned n = 0; n < channels; n++) {
        const unsigned at = p->at + element_at(p, n);
        bits[n] = 0;
        switch (p->way) {
        case WAY_REGISTERS:
            if (at + p->bytes <= limit)
                bits[n] = read_element(t->grf + at, p->bytes);
            break;
        case WAY_IMMEDIATE:
            bits[n] = immediate(p, n);
            break;
        case WAY_INDIRECT: {
            const unsigned there =
                p->multi ? address_of(t, p, n / p->width) + n % p->width * p->horizontal * p->bytes
                         : address_of(t, p, 0) + element_at(p, n);
            if (there + p->bytes <= limit)
                bits[n] = read_element(t->grf + there, p->bytes);
            break;
        }
        case WAY_ACCUMULATOR: {
            const uint64_t *const a = eu_accumulator(t, at, p->bytes);
            bits[n] = !a ? 0 : p->bytes < 8 ? *a & ((UINT64_C(1) << 8u * p->bytes) - 1u) : *a;
            break;
        }
        case WAY_ARCHITECTURE:
            if (at + p->bytes <= MOST_FILE_BYTES)
                bits[n] = read_element(file + at, p->bytes);
            break;
        default:
            break;
        }
    }
}

/* Packed immediates as what their elements are. */
static unsigned element_type(const struct eu_place *p)
{
    return p->type == TYPE_VF ? TYPE_F : p->type == TYPE_V ? TYPE_Q : p->type == TYPE_UV ? TYPE_UQ : p->type;
}

static bool is_bitwise(const struct eu_op *op)
{
    return op->does == EU_AND || op->does == EU_OR || op->does == EU_XOR || op->does == EU_NOT;
}

void eu_load(const struct eu_run *r, const struct eu_op *op, unsigned which, union eu_value *v)
{
    const struct eu_place *const p = &op->src[which];
    const unsigned type = element_type(p);
    const bool flush = eu_is_float(type) && op->does != EU_MOV && eu_flushes(r->t, type),
               alternative = type == TYPE_F && (r->t->control[0] & CR0_ALTERNATIVE);
    uint64_t bits[EU_MOST_CHANNELS];
    eu_load_bits(r, op, p, op->channels, bits);
    for (unsigned n = 0; n < op->channels; n++) {
        if (eu_is_float(type)) {
            double x = eu_to_double(bits[n], type);
            if (flush && eu_is_denormal(x, type))
                x = x < 0 ? -0.0 : 0.0;
            if (alternative) /* neither infinities nor other than numbers */
                x = x != x ? 0.0 : eu_round(x, 0, TYPE_F, ROUND_TO_ZERO, false);
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
        if (op->type)
            v[n].f = eu_from_wide(i, op->type, eu_rounding(r->t));
        else
            v[n].i = i;
    }
}

void eu_store_bits(struct eu_run *r, const struct eu_op *op, uint32_t on, const uint64_t *bits)
{
    struct eu_thread *const t = r->t;
    const struct eu_place *const p = &op->dst;
    const unsigned limit = file_bytes(t);
    uint8_t file[MOST_FILE_BYTES];
    if (p->way == WAY_ARCHITECTURE)
        read_file(r, op, p->file, file);
    for (unsigned n = 0; n < op->channels; n++) {
        if (!(on >> n & 1u))
            continue;
        unsigned at = p->at + n * p->horizontal * p->bytes;
        switch (p->way) {
        case WAY_INDIRECT:
            at = address_of(t, p, 0) + n * p->horizontal * p->bytes;
            /* fall through */
        case WAY_REGISTERS:
            if (at + p->bytes <= limit)
                memcpy(t->grf + at, &bits[n], p->bytes);
            break;
        case WAY_ACCUMULATOR: {
            uint64_t *const a = eu_accumulator(t, at, p->bytes);
            if (a)
                *a = bits[n];
            break;
        }
        case WAY_ARCHITECTURE:
            if (at + p->bytes <= MOST_FILE_BYTES)
                memcpy(file + at, &bits[n], p->bytes);
            break;
        default:
            break;
        }
    }
    if (p->way == WAY_ARCHITECTURE)
        write_file(t, p->file, file);
}

/*
 * movi: each channel's address is its own. smov: the second source's bits say which channels are copied, to a
 * region by one address, as a move's; so compilers scatter, a channel each time.
 */
struct eu_op *eu_do_move_address(struct eu_run *r, struct eu_op *op)
{
    struct eu_thread *const t = r->t;
    const struct eu_place *const s = &op->src[0], *const d = &op->dst;
    const uint32_t on = eu_enabled(t, op) >> op->first;
    uint64_t bits[EU_MOST_CHANNELS] = {0};
    if ((op->does == EU_MOVI ? s->way : d->way) != WAY_INDIRECT)
        return eu_raise(r, op, "a move by addresses without one");
    if (op->does == EU_MOVI) { /* the first address says which register, each where in it */
        const unsigned base = address_of(t, s, 0) & ~(unsigned)(EU_REGISTER_BYTES - 1);
        for (unsigned n = 0; n < op->channels; n++) {
            const unsigned at = base + (address_of(t, s, n) & (EU_REGISTER_BYTES - 1u));
            bits[n] = at + s->bytes <= file_bytes(t) ? read_element(t->grf + at, s->bytes) : 0;
        }
        eu_store_bits(r, op, on, bits);
        return op + op->step;
    }
    uint64_t which[EU_MOST_CHANNELS] = {0};
    eu_load_bits(r, op, &op->src[1], op->channels, which);
    eu_load_bits(r, op, s, op->channels, bits);
    eu_store_bits(r, op, on & (uint32_t)which[0], bits);
    return op + op->step;
}
