/* Transfers of channels' elements between memory and registers: shared by all messages with an address for
 * each channel. */
#include "shared_function/shared_function.h"
#include "base/inline.h"

/* The registers of a payload, if they are consecutive; NULL: they are not. */
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

void read_channel_offsets(const struct eu_send *m, const struct channel_addresses *a, struct channels *c)
{
    const unsigned registers = (c->count * a->bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES;
    const uint8_t *const from = payload_run(m, a->at, registers);
    if (from && a->bytes == 4) {
        for (unsigned n = 0; n < c->count; n += CHANNELS_AT_ONCE) {
            uint32_t offsets[CHANNELS_AT_ONCE] = {0};
            memcpy(offsets, from + n * sizeof *offsets,
                   (c->count - n < CHANNELS_AT_ONCE ? c->count - n : CHANNELS_AT_ONCE) * sizeof *offsets);
            for (unsigned i = 0; i < CHANNELS_AT_ONCE; i++)
                c->offset[n + i] = offsets[i];
        }
    } else if (from && a->bytes == 8) {
        memcpy(c->offset, from, c->count * sizeof *c->offset);
    } else {
        for (unsigned n = 0; n < c->count; n++) {
            const unsigned byte = n * a->bytes;
            c->offset[n] = 0;
            memcpy(&c->offset[n],
                   payload_register(m, a->at + byte / EU_REGISTER_BYTES) + byte % EU_REGISTER_BYTES,
                   a->bytes);
        }
    }
    if (a->scale != 1 || a->plus)
        for (unsigned n = 0; n < c->count; n++)
            c->offset[n] = c->offset[n] * a->scale + a->plus;
}

/* ---- One page ---- */

static unsigned last_element(const struct element_transfer *e)
{
    return 64u - (unsigned)__builtin_clzll(e->present);
}

/* The number of elements that are present: mostly the first ones. */
static unsigned element_count(const struct element_transfer *e)
{
    return e->present & (e->present + 1u) ? (unsigned)__builtin_popcountll(e->present) : last_element(e);
}

/* The registers of all elements that are present; NULL: they are not consecutive. */
static uint8_t *element_registers(const struct eu_send *m, const struct element_transfer *e)
{
    const unsigned registers = element_count(e) * e->step;
    if (e->writes)
        return (uint8_t *)(uintptr_t)payload_run(m, e->at, registers); /* it is read only */
    return m->response && e->at + registers <= m->response_registers ? m->response + e->at * EU_REGISTER_BYTES
                                                                     : NULL;
}

/* Whether the bytes from the lowest channel's element to the end of the highest one's are in bounds, and can
 * be copied together. */
static bool is_inside(const struct message_context *b, const struct buffer_view *t, uint64_t low,
                      uint64_t high, uint32_t bytes, bool writes)
{
    if (high < low || high - low >= PAGE_BYTES || high > t->size_bytes || t->size_bytes - high < bytes)
        return false;
    if (t->kind == BUFFER_VIEW_SLM) /* of higher bits the other way knows */
        return high <= slm_address_mask(t->size_bytes);
    return t->kind == BUFFER_VIEW_MEMORY && !message_is_traced(b, writes);
}

/* The host's pointer to these bytes, in SLM or on one page that the TLB has; else NULL. */
static uint8_t *memory_window(struct message_context *b, const struct buffer_view *t, uint64_t low,
                              uint64_t bytes, bool writes)
{
    if (t->kind == BUFFER_VIEW_SLM)
        return b->slm + low;
    return mmu_cached(b->memory.mmu, SPACE_PPGTT, t->base + low, bytes, writes);
}

/* Counts a transfer of `bytes` from an offset on. */
static void count_transfer(struct message_context *b, const struct buffer_view *t, uint64_t offset,
                           uint64_t bytes, unsigned channels, const struct element_transfer *e)
{
    const uint64_t count = (uint64_t)channels * element_count(e);
    const struct mmu *const u = b->memory.mmu;
    b->work.memory_accesses += (uint32_t)count;
    if (t->kind == BUFFER_VIEW_SLM) {
        b->work.slm_accesses |= e->writes ? SLM_WRITE : SLM_READ;
    } else if (e->writes) {
        count_stores_of_pages(b,
                              mmu_page_bit(u, SPACE_PPGTT, t->base + offset) |
                                  mmu_page_bit(u, SPACE_PPGTT, t->base + offset + bytes - 1u),
                              count);
        memory_count_stored(b->memory.counters, u, SPACE_PPGTT, t->base + offset, count * e->bytes);
    } else {
        memory_count_loaded(b->memory.counters, u, SPACE_PPGTT, t->base + offset, count * e->bytes);
    }
}

static INLINE void move_channels(const struct channels *c, uint8_t *memory, uint64_t lowest,
                                 uint8_t *registers, unsigned bytes, unsigned in_register, bool writes)
{
    FOR_EACH_CHANNEL(n, c->mask)
        move_element(memory + (c->offset[n] - lowest), registers + n * in_register, bytes, in_register,
                     writes);
}

static void move_all(const struct channels *c, uint8_t *memory, uint64_t lowest, uint8_t *registers,
                     const struct element_transfer *e)
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

/* Copies all elements that are present. */
static void move_present(const struct channels *c, uint8_t *memory, uint64_t lowest, uint8_t *registers,
                         const struct element_transfer *e)
{
    for (uint64_t left = e->present; left; left &= left - 1u) {
        move_all(c, memory + (unsigned)__builtin_ctzll(left) * e->bytes, lowest, registers, e);
        registers += e->step * EU_REGISTER_BYTES;
    }
}

/* ---- Channels with a constant stride ---- */

typedef uint32_t dwords __attribute__((vector_size(16)));
enum { FOUR = 4, DWORD = 4 };

static inline dwords dwords_at(const uint8_t *from)
{
    dwords v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* The first channel's offset, and the stride from channel to channel; false: it is not constant. */
static bool find_stride(const struct eu_send *m, unsigned count, const struct channel_addresses *a,
                        uint64_t *first, uint64_t *step)
{
    const uint8_t *const from = payload_run(m, a->at, count * a->bytes / EU_REGISTER_BYTES);
    uint64_t differ = 0;
    if (!from)
        return false;
    if (a->bytes == 4) {
        uint32_t start, apart;
        memcpy(&start, from, sizeof start);
        memcpy(&apart, from + sizeof start, sizeof apart);
        apart -= start;
        dwords is = {start, start + apart, start + 2u * apart, start + 3u * apart}, differs = {0};
        for (uint32_t n = 0; n < count; n += FOUR) {
            differs |= dwords_at(from + (size_t)n * DWORD) ^ is;
            is += FOUR * apart;
        }
        *first = start;
        *step = apart;
        differ = (differs[0] | differs[1] | differs[2] | differs[3]) |
                 (start + (uint64_t)(count - 1u) * apart) >> 32;
    } else if (a->bytes == 8) {
        uint64_t offset;
        memcpy(first, from, sizeof *first);
        memcpy(step, from + sizeof *first, sizeof *step);
        *step -= *first;
        for (uint64_t n = 0; n < count; n++) {
            memcpy(&offset, from + n * sizeof offset, sizeof offset);
            differ |= offset ^ (*first + n * *step);
        }
    } else {
        return false;
    }
    *first = *first * a->scale + a->plus;
    *step *= a->scale;
    return !differ;
}

/* Transposes four rows into four columns. */
static inline void transpose_4x4(dwords v[FOUR])
{
    const dwords a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5),
                 b = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7),
                 c = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5),
                 d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

void transpose_dwords(uint8_t *memory, uint64_t step, uint8_t *registers, size_t apart, unsigned count,
                      bool writes)
{
    uint8_t *const rows = writes ? registers : memory, *const columns = writes ? memory : registers;
    const size_t row = writes ? apart : step, column = writes ? step : apart;
    for (unsigned n = 0; n < count; n += FOUR) {
        const size_t from = n * (writes ? DWORD : step), to = n * (writes ? step : DWORD);
        dwords v[FOUR];
        for (unsigned i = 0; i < FOUR; i++)
            v[i] = dwords_at(rows + from + i * row);
        transpose_4x4(v);
        for (unsigned i = 0; i < FOUR; i++)
            memcpy(columns + to + i * column, &v[i], sizeof v[i]);
    }
}

/* Consecutive bytes on at most two pages. */
struct page_parts {
    unsigned count;
    uint8_t *at[2];
    uint64_t bytes[2];
};

/* The page of an address, which enters the TLB. NULL instead of a fault: the channels raise it in their
 * order. */
static uint8_t *page_host(struct mmu *u, uint64_t address, uint64_t bytes, bool writes)
{
    struct translation t;
    uint8_t *const host = mmu_cached(u, SPACE_PPGTT, address, bytes, writes);
    if (host || !mmu_translate(u, SPACE_PPGTT, address, &t) || (writes && !t.writable))
        return host;
    return mmu_host(u, SPACE_PPGTT, address, writes);
}

/* False: a page is missing, or the pages are in different memories. */
static bool find_page_parts(struct message_context *b, uint64_t address, uint64_t bytes, bool writes,
                            struct page_parts *p)
{
    struct mmu *const u = b->memory.mmu;
    const uint64_t left = PAGE_BYTES - address % PAGE_BYTES, next = address + left;
    p->count = bytes > left ? 2 : 1;
    p->bytes[0] = bytes > left ? left : bytes;
    p->bytes[1] = bytes - p->bytes[0];
    p->at[0] = page_host(u, address, p->bytes[0], writes);
    if (!p->at[0] || p->count == 1)
        return p->at[0] != NULL;
    p->at[1] = page_host(u, next, p->bytes[1], writes);
    return p->at[1] && mmu_cached(u, SPACE_PPGTT, address, p->bytes[0], writes) &&
           (!u->accounts_local ||
            mmu_is_local(u, SPACE_PPGTT, address) == mmu_is_local(u, SPACE_PPGTT, next));
}

static void copy_page_parts(const struct page_parts *p, uint8_t *copy, bool writes)
{
    for (unsigned i = 0; i < p->count; copy += p->bytes[i++])
        memcpy(writes ? p->at[i] : copy, writes ? copy : p->at[i], p->bytes[i]);
}

/* Transfers all channels at once, for full masks and elements that do not overlap. False: nothing is
 * transferred. */
static bool transfer_strided(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                             unsigned count, const struct channel_addresses *a,
                             const struct element_transfer *e)
{
    enum { COPY_BYTES = 1024 };
    const unsigned last = last_element(e), there = last * e->bytes;
    uint64_t first, step;
    if (!find_stride(m, count, a, &first, &step) || step < there || step > PAGE_BYTES)
        return false;
    const uint64_t high = first + (count - 1u) * step, bytes = high - first + there;
    uint8_t *const here = element_registers(m, e), copy[COPY_BYTES];
    if (!here || !is_inside(b, t, first, high, there, e->writes))
        return false;
    uint8_t *memory = memory_window(b, t, first, bytes, e->writes);
    struct page_parts parts = {.count = 0};
    if (!memory) { /* a page ends among them, or it is its first time */
        const unsigned before = (unsigned)__builtin_ctzll(e->present) * e->bytes;
        const bool fills = step == there && e->present == UINT64_MAX >> (64u - last);
        if (bytes > sizeof copy || (e->writes && !fills) || before ||
            !find_page_parts(b, t->base + first, bytes, e->writes, &parts))
            return false;
        memory = copy;
        if (!e->writes)
            copy_page_parts(&parts, copy, false);
    }
    count_transfer(b, t, first, bytes, count, e);
    if (e->present == 1 && e->bytes == e->in_register && step == e->bytes) {
        memcpy(e->writes ? memory : here, e->writes ? here : memory, bytes);
    } else if (e->present == 0xf && e->bytes == DWORD && e->in_register == DWORD) {
        transpose_dwords(memory, step, here, (size_t)e->step * EU_REGISTER_BYTES, count, e->writes);
    } else {
        struct channels c; /* not all of it */
        c.mask = (uint32_t)((UINT64_C(1) << count) - 1u);
        for (unsigned n = 0; n < count; n++)
            c.offset[n] = n * step;
        move_present(&c, memory, 0, here, e);
    }
    if (parts.count && e->writes)
        copy_page_parts(&parts, copy, true);
    return true;
}

/* ---- Channels within one page ---- */

/* False: nothing is done yet. */
static bool transfer_window(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                            const struct channels *c, const struct element_transfer *e)
{
    const unsigned there = last_element(e) * e->bytes;
    uint64_t low = UINT64_MAX, high = 0;
    uint8_t *here = element_registers(m, e), *memory;
    if (!here || !c->mask)
        return false;
    FOR_EACH_CHANNEL(n, c->mask) {
        low = c->offset[n] < low ? c->offset[n] : low;
        high = c->offset[n] > high ? c->offset[n] : high;
    }
    if (!is_inside(b, t, low, high, there, e->writes))
        return false;
    memory = memory_window(b, t, low, high - low + there, e->writes);
    if (!memory)
        return false;
    count_transfer(b, t, low, high - low + there, (unsigned)__builtin_popcount(c->mask), e);
    move_present(c, memory, low, here, e);
    return true;
}

/* ---- One channel after the other ---- */

static void transfer_element(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                             uint64_t offset, unsigned at, unsigned byte, const struct element_transfer *e)
{
    uint64_t value = 0;
    at += byte / EU_REGISTER_BYTES;
    byte %= EU_REGISTER_BYTES;
    if (e->writes) {
        buffer_view_store(b, t, offset, payload_register(m, at) + byte, e->bytes);
        return;
    }
    buffer_view_load(b, t, offset, &value, e->bytes);
    writeback(m, at, byte, &value, e->in_register);
}

void transfer_elements(struct message_context *b, const struct eu_send *m, const struct buffer_view *t,
                       unsigned count, uint32_t mask, const struct channel_addresses *a,
                       const struct element_transfer *e)
{
    const bool all = mask == (uint32_t)((UINT64_C(1) << count) - 1u);
    struct channels c; /* not all of it */
    unsigned at = e->at;
    if (!e->present || (all && transfer_strided(b, m, t, count, a, e)))
        return;
    c.count = (uint8_t)count;
    c.mask = mask;
    read_channel_offsets(m, a, &c);
    if (transfer_window(b, m, t, &c, e))
        return;
    for (unsigned i = 0; i < 64; i++) {
        if (!(e->present >> i & 1u))
            continue;
        FOR_EACH_CHANNEL(n, c.mask) {
            transfer_element(b, m, t, c.offset[n] + i * e->bytes, at, n * e->in_register, e);
            if (message_faulted(b))
                return;
        }
        at += e->step;
    }
}
