/* Elements of channels between memory and registers: what all messages share whose channels each have an
 * address. */
#include "shared_function/shared_function.h"

/* Registers of a payload that lie one behind the other; NULL: they do not. */
static const uint8_t *payload_run(const struct eu_send *m, unsigned at, unsigned registers)
{
    const unsigned first = m->payload_registers[0];
    if (at + registers <= first)
        return m->payload[0] ? m->payload[0] + at * EU_REGISTER_BYTES : NULL;
    if (at >= first && at - first + registers <= m->payload_registers[1])
        return m->payload[1] ? m->payload[1] + (at - first) * EU_REGISTER_BYTES : NULL;
    return NULL;
}

enum { CHANNELS_AT_ONCE = 8 };

void find_offsets(const struct eu_send *m, unsigned at, unsigned bytes, uint64_t scale, struct channels *c)
{
    const unsigned registers = (c->count * bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES;
    const uint8_t *const from = payload_run(m, at, registers);
    if (from && bytes == 4) {
        for (unsigned n = 0; n < c->count; n += CHANNELS_AT_ONCE) {
            uint32_t offsets[CHANNELS_AT_ONCE] = {0};
            memcpy(offsets, from + n * sizeof *offsets,
                   (c->count - n < CHANNELS_AT_ONCE ? c->count - n : CHANNELS_AT_ONCE) * sizeof *offsets);
            for (unsigned i = 0; i < CHANNELS_AT_ONCE; i++)
                c->offset[n + i] = scale == 1 ? offsets[i] : offsets[i] * scale;
        }
    } else if (from && bytes == 8) {
        memcpy(c->offset, from, c->count * sizeof *c->offset);
    } else {
        for (unsigned n = 0; n < c->count; n++) {
            const unsigned byte = n * bytes;
            uint64_t offset = 0;
            memcpy(&offset, payload_register(m, at + byte / EU_REGISTER_BYTES) + byte % EU_REGISTER_BYTES,
                   bytes);
            c->offset[n] = offset * scale;
        }
    }
}

/* ---- All at once ---- */

/* Whether all channels' elements follow each other. */
static bool follow_each_other(const struct channels *c, unsigned bytes)
{
    uint64_t differ = 0;
    if (c->mask != (uint32_t)((UINT64_C(1) << c->count) - 1u))
        return false;
    for (unsigned n = 1; n < c->count; n++)
        differ |= c->offset[n] ^ (c->offset[0] + n * bytes);
    return !differ;
}

/* The host's bytes for all channels, if they are on one page that the TLB has, or in local memory: where
 * *lowest lies. */
static uint8_t *window(struct bindings *b, const struct target *t, const struct channels *c, bool in_order,
                       uint32_t bytes, bool writes, uint64_t *lowest)
{
    uint64_t low = UINT64_MAX, high = 0;
    if (in_order) {
        low = c->offset[0];
        high = c->offset[c->count - 1u];
    } else {
        for
            EACH_CHANNEL(n, c->mask)
            {
                low = c->offset[n] < low ? c->offset[n] : low;
                high = c->offset[n] > high ? c->offset[n] : high;
            }
    }
    *lowest = low;
    if (!c->mask || high < low || high - low >= PAGE_BYTES || high > t->size_bytes ||
        t->size_bytes - high < bytes)
        return NULL;
    if (t->kind == TARGET_LOCAL) /* of higher bits the other way knows */
        return high < UINT64_C(1) << 16 ? b->local + low : NULL;
    if (t->kind != TARGET_MEMORY || (writes && tracing(b->engine->witness, SOFTGT_TRACE_MEMORY)))
        return NULL;
    return mmu_cached(&b->engine->mmu, SPACE_PPGTT, t->base + low, high - low + bytes, writes);
}

static inline __attribute__((always_inline)) void move_channels(const struct channels *c, uint8_t *memory,
                                                                uint64_t lowest, uint8_t *registers,
                                                                unsigned bytes, unsigned in_register,
                                                                bool writes)
{
    for
        EACH_CHANNEL(n, c->mask)
        {
            uint8_t *const there = memory + (c->offset[n] - lowest), *const here =
                                                                         registers + n * in_register;
            uint64_t value = 0;
            if (writes) {
                memcpy(there, here, bytes);
            } else {
                memcpy(&value, there, bytes);
                memcpy(here, &value, in_register);
            }
        }
}

static void move_all(const struct channels *c, uint8_t *memory, uint64_t lowest, uint8_t *registers,
                     const struct elements *e)
{
    if (e->bytes == 4 && e->in_register == 4)
        move_channels(c, memory, lowest, registers, 4, 4, e->writes);
    else if (e->bytes == 8 && e->in_register == 8)
        move_channels(c, memory, lowest, registers, 8, 8, e->writes);
    else if (e->bytes == 1 && e->in_register == 4)
        move_channels(c, memory, lowest, registers, 1, 4, e->writes);
    else if (e->bytes == 2 && e->in_register == 4)
        move_channels(c, memory, lowest, registers, 2, 4, e->writes);
    else
        move_channels(c, memory, lowest, registers, e->bytes, e->in_register, e->writes);
}

/* False: nothing is done yet. */
static bool at_once(struct bindings *b, const struct eu_send *m, const struct target *t,
                    const struct channels *c, const struct elements *e)
{
    const unsigned present = (unsigned)__builtin_popcountll(e->present),
                   last = 64u - (unsigned)__builtin_clzll(e->present), registers = present * e->step;
    uint64_t lowest;
    uint8_t *here, *memory;
    if (e->writes)
        here = (uint8_t *)(uintptr_t)payload_run(m, e->at, registers); /* it is read only */
    else
        here = m->response && e->at + registers <= m->response_registers
                   ? m->response + e->at * EU_REGISTER_BYTES
                   : NULL;
    if (!here)
        return false;
    const bool one_run = e->present == 1 && e->bytes == e->in_register && follow_each_other(c, e->bytes);
    memory = window(b, t, c, one_run, last * e->bytes, e->writes, &lowest);
    if (!memory)
        return false;
    const uint64_t count = (uint64_t)__builtin_popcount(c->mask) * present;
    b->accesses += (uint32_t)count;
    if (t->kind == TARGET_LOCAL) {
        b->touched |= e->writes ? TOUCHED_WRITTEN : TOUCHED_READ;
    } else if (e->writes) {
        b->engine->totals.stores += count;
        count_stored(b->engine, SPACE_PPGTT, t->base + lowest, count * e->bytes);
    } else {
        count_loaded(b->engine, SPACE_PPGTT, t->base + lowest, count * e->bytes);
    }
    if (one_run) {
        memcpy(e->writes ? memory : here, e->writes ? here : memory, (size_t)c->count * e->bytes);
        return true;
    }
    for (unsigned i = 0; i < last; i++)
        if (e->present >> i & 1u) {
            move_all(c, memory + i * e->bytes, lowest, here, e);
            here += e->step * EU_REGISTER_BYTES;
        }
    return true;
}

/* ---- One after the other ---- */

static void move_one(struct bindings *b, const struct eu_send *m, const struct target *t, uint64_t offset,
                     unsigned at, unsigned byte, const struct elements *e)
{
    uint64_t value = 0;
    at += byte / EU_REGISTER_BYTES;
    byte %= EU_REGISTER_BYTES;
    if (e->writes) {
        target_store(b, t, offset, payload_register(m, at) + byte, e->bytes);
        return;
    }
    target_load(b, t, offset, &value, e->bytes);
    respond(m, at, byte, &value, e->in_register);
}

void move_elements(struct bindings *b, const struct eu_send *m, const struct target *t,
                   const struct channels *c, const struct elements *e)
{
    unsigned at = e->at;
    if (!e->present || at_once(b, m, t, c, e))
        return;
    for (unsigned i = 0; i < 64; i++) {
        if (!(e->present >> i & 1u))
            continue;
        for
            EACH_CHANNEL(n, c->mask)
            {
                move_one(b, m, t, c->offset[n] + i * e->bytes, at, n * e->in_register, e);
                if (faulted(b->engine))
                    return;
            }
        at += e->step;
    }
}
