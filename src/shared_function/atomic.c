/* Atomics: channels are done in order, so each sees the results of those before it. */
#include "shared_function/shared_function.h"

#include <math.h>
#include <softgt/formats.h>

unsigned atomic_sources(enum atomic_operation operation)
{
    static const uint8_t sources[ATOMIC_OPERATIONS] = {
        [ATOMIC_AND] = 1,  [ATOMIC_OR] = 1,     [ATOMIC_XOR] = 1,  [ATOMIC_MOV] = 1,  [ATOMIC_ADD] = 1,
        [ATOMIC_SUB] = 1,  [ATOMIC_REVSUB] = 1, [ATOMIC_IMAX] = 1, [ATOMIC_IMIN] = 1, [ATOMIC_UMAX] = 1,
        [ATOMIC_UMIN] = 1, [ATOMIC_CMPWR] = 2,  [ATOMIC_FMAX] = 1, [ATOMIC_FMIN] = 1, [ATOMIC_FCMPWR] = 2,
        [ATOMIC_FADD] = 1, [ATOMIC_FSUB] = 1,
    };
    return sources[operation];
}

static int64_t as_signed(uint64_t value, unsigned bytes)
{
    const unsigned shift = 64u - bytes * 8u;
    return (int64_t)(value << shift) >> shift;
}

static double as_float(uint64_t value, unsigned bytes)
{
    if (bytes == 8) {
        double d;
        memcpy(&d, &value, sizeof d);
        return d;
    }
    const uint32_t bits = bytes == 2 ? softgt_float16_to_32((uint16_t)value) : (uint32_t)value;
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* A double holds the sum of two floats of at most 32 bits; the second rounding does no harm. */
static uint64_t float_bits(double value, unsigned bytes)
{
    if (bytes == 8) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bytes == 2 ? softgt_float32_to_16(bits) : bits;
}

/* The larger or smaller of two floats; a number wins over a NaN. */
static uint64_t pick(uint64_t old, uint64_t source, unsigned bytes, bool larger)
{
    const double a = as_float(old, bytes), b = as_float(source, bytes);
    if (isnan(a) || isnan(b))
        return isnan(a) ? source : old;
    return (larger ? b > a : b < a) ? source : old;
}

uint64_t atomic_apply(enum atomic_operation operation, unsigned bytes, uint64_t old, uint64_t source,
                      uint64_t second, uint64_t *value)
{
    const uint64_t mask = UINT64_MAX >> (64u - bytes * 8u);
    const int64_t a = as_signed(old, bytes), b = as_signed(source, bytes);
    uint64_t v = old;
    source &= mask;
    switch (operation) {
    case ATOMIC_AND:
        v = old & source;
        break;
    case ATOMIC_OR:
        v = old | source;
        break;
    case ATOMIC_XOR:
        v = old ^ source;
        break;
    case ATOMIC_MOV:
        v = source;
        break;
    case ATOMIC_INC:
        v = old + 1u;
        break;
    case ATOMIC_DEC:
    case ATOMIC_PREDEC:
        v = old - 1u;
        break;
    case ATOMIC_ADD:
        v = old + source;
        break;
    case ATOMIC_SUB:
        v = old - source;
        break;
    case ATOMIC_REVSUB:
        v = source - old;
        break;
    case ATOMIC_IMAX:
        v = b > a ? source : old;
        break;
    case ATOMIC_IMIN:
        v = b < a ? source : old;
        break;
    case ATOMIC_UMAX:
        v = source > old ? source : old;
        break;
    case ATOMIC_UMIN:
        v = source < old ? source : old;
        break;
    case ATOMIC_CMPWR:
        v = source == old ? second : old;
        break;
    case ATOMIC_FMAX:
    case ATOMIC_FMIN:
        v = pick(old, source, bytes, operation == ATOMIC_FMAX);
        break;
    case ATOMIC_FCMPWR:
        v = as_float(source, bytes) == as_float(old, bytes) ? second : old;
        break;
    case ATOMIC_FADD:
        v = float_bits(as_float(old, bytes) + as_float(source, bytes), bytes);
        break;
    case ATOMIC_FSUB:
        v = float_bits(as_float(old, bytes) - as_float(source, bytes), bytes);
        break;
    default:
        break;
    }
    *value = v & mask;
    return operation == ATOMIC_PREDEC ? *value : old;
}

/* ---- Memory ---- */

/* The host's pointer for an atomic exchange; NULL: no group runs in parallel, the host's bytes are not
 * contiguous or aligned, or a page fault. */
static void *shared_place(struct message_context *b, uint64_t address, unsigned bytes, bool writes)
{
    struct mmu *const u = b->memory.mmu;
    if (!b->parallel_port || (bytes != 2 && bytes != 4 && bytes != 8))
        return NULL;
    uint8_t *const host = mmu_host(u, SPACE_PPGTT, address, false);           /* faults as a read's */
    const bool aligned = ((uintptr_t)host ^ address) % sizeof(uint64_t) == 0; /* as any of these is here */
    return host && aligned && (!writes || mmu_host(u, SPACE_PPGTT, address, true)) ? host : NULL;
}

static uint64_t shared_load(const void *host, unsigned bytes)
{
    return bytes == 8   ? __atomic_load_n((const uint64_t *)host, __ATOMIC_SEQ_CST)
           : bytes == 4 ? __atomic_load_n((const uint32_t *)host, __ATOMIC_SEQ_CST)
                        : __atomic_load_n((const uint16_t *)host, __ATOMIC_SEQ_CST);
}

#define SHARED_SWAP(type)                                                                                    \
    __atomic_compare_exchange_n((type *)host, &(type){(type)before}, (type)value, false, __ATOMIC_SEQ_CST,   \
                                __ATOMIC_SEQ_CST)

/* False: the value has changed meanwhile. */
static bool shared_swap(void *host, unsigned bytes, uint64_t before, uint64_t value)
{
    return bytes == 8 ? SHARED_SWAP(uint64_t) : bytes == 4 ? SHARED_SWAP(uint32_t) : SHARED_SWAP(uint16_t);
}

uint64_t atomic_memory(struct message_context *b, uint64_t address, enum atomic_operation operation,
                       unsigned bytes, uint64_t source, uint64_t second)
{
    const bool writes = operation != ATOMIC_LOAD;
    struct memory_client *const c = &b->memory;
    void *host = shared_place(b, address, bytes, writes);
    uint64_t before = 0, value = 0, old = 0;
    const bool alone =
        !host && b->parallel_port; /* ports are called with the lock held: what is not there stays so */
    if (alone) {
        b->parallel_port->lock(b->parallel_port->user);
        host = message_faulted(b) ? NULL : shared_place(b, address, bytes, writes);
    }
    if (host) {
        do {
            before = shared_load(host, bytes);
            old = atomic_apply(operation, bytes, before, source, second, &value);
        } while (writes && !shared_swap(host, bytes, before, value));
        c->counters->stores += writes;
        memory_count_loaded(c->counters, c->mmu, SPACE_PPGTT, address, bytes);
        memory_count_stored(c->counters, c->mmu, SPACE_PPGTT, address, writes ? bytes : 0);
    } else if (!message_faulted(b)) {
        message_load(b, address, &before, bytes);
        old = atomic_apply(operation, bytes, before, source, second, &value);
        if (writes && !message_faulted(b))
            message_store(b, address, &value, bytes);
    }
    if (alone)
        b->parallel_port->unlock(b->parallel_port->user);
    return old;
}

/* ---- Messages ---- */

/* A source value of a channel; 64-bit values take two registers for eight channels. */
static uint64_t value_of(const struct eu_send *m, const struct atomic_message *a, unsigned channels,
                         unsigned source, unsigned channel)
{
    if (a->bytes == 8)
        return payload_channel64(m, a->data + source * ((channels + 3u) / 4u), channel);
    return payload_channel(m, a->data + source * ((channels + 7u) / 8u), channel);
}

static bool is_memory(const struct buffer_view *t, uint64_t offset, unsigned bytes)
{
    return t->kind == BUFFER_VIEW_MEMORY && offset <= t->size_bytes && t->size_bytes - offset >= bytes;
}

void atomic_message_execute(struct message_context *b, const struct buffer_view *t, const struct eu_send *m,
                            const struct channels *c, const struct atomic_message *a)
{
    const unsigned sources = atomic_sources(a->operation);
    uint64_t old[EU_MAX_CHANNELS];
    FOR_EACH_CHANNEL(n, c->mask)
        if (is_memory(t, c->offset[n], a->bytes) &&
            atomic_needs_exclusive(b, t->base + c->offset[n], a->bytes))
            return;
    b->work.slm_accesses |= t->kind == BUFFER_VIEW_SLM ? ANY_ATOMIC | SLM_READ | SLM_WRITE : ANY_ATOMIC;
    FOR_EACH_CHANNEL(n, c->mask) {
        const uint64_t offset = c->offset[n];
        const uint64_t source = sources > 0 ? value_of(m, a, c->count, 0, n) : 0,
                       second = sources > 1 ? value_of(m, a, c->count, 1, n) : 0;
        uint64_t before = 0, value;
        if (is_memory(t, offset, a->bytes)) {
            b->work.memory_accesses += a->operation == ATOMIC_LOAD ? 1 : 2;
            old[n] = atomic_memory(b, t->base + offset, a->operation, a->bytes, source, second);
            if (message_faulted(b))
                return;
            continue;
        }
        buffer_view_load(b, t, offset, &before, a->bytes);
        old[n] = atomic_apply(a->operation, a->bytes, before, source, second, &value);
        if (a->operation != ATOMIC_LOAD)
            buffer_view_store(b, t, offset, &value, a->bytes);
    }
    if (!a->returns)
        return;
    FOR_EACH_CHANNEL(n, c->mask) {
        if (a->bytes == 8)
            writeback_channel64(m, 0, n, old[n]);
        else
            writeback_channel(m, 0, n, (uint32_t)old[n]);
    }
}
