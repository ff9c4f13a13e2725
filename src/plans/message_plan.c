/*
 * Planned messages: what a message's descriptor says is decoded once, with its instruction, into a struct
 * eu_message_plan. Its function does the whole message where that is simple: elements in bounds, on pages
 * that the TLB has, with no trace of memory. Otherwise it does nothing, and the message is sent to the
 * functions of data_port.c, load_store.c and oword_block.c, which raise faults and define every result.
 * Counts and costs are the same either way.
 */
#include "plans/plans.h"
#include "base/four.h"

/* The address space of a message. */
enum plan_space { PLAN_SURFACE, PLAN_STATELESS, PLAN_FLAT, PLAN_SLM };

/* ---- Buffers ---- */

/* False: the surface must be looked up. */
static INLINE bool find_view(struct message_context *b, const uint8_t *grf, const struct eu_message_plan *p,
                             struct buffer_view *t)
{
    enum { HEADER_BASE = 20 };
    const struct buffer_view *known;
    uint32_t base = 0;
    switch ((enum plan_space)p->space) {
    case PLAN_SLM:
        *t = (struct buffer_view){.kind = BUFFER_VIEW_SLM, .size_bytes = b->slm_bytes};
        return true;
    case PLAN_FLAT:
        *t = (struct buffer_view){.kind = BUFFER_VIEW_MEMORY, .size_bytes = UINT64_MAX};
        return true;
    case PLAN_STATELESS:
        if (p->has_header)
            memcpy(&base, grf + p->payload_byte[0] + HEADER_BASE, sizeof base);
        *t = (struct buffer_view){.kind = BUFFER_VIEW_MEMORY,
                                  .base = b->kernel.general_state_base + (base & ~0x3ffu),
                                  .size_bytes = UINT64_C(1) << 32};
        return true;
    case PLAN_SURFACE:
        known = binding_table_known_buffer(b, p->index);
        if (!known && !(known = binding_table_find_buffer(b, p->index)))
            return false;
        *t = *known;
        return t->kind != BUFFER_VIEW_NULL;
    }
    return false;
}

/* The host's bytes from an offset on; NULL: out of bounds, or not on one page that the TLB has. */
static INLINE uint8_t *find_cached_bytes(struct message_context *b, const struct buffer_view *t,
                                         uint64_t offset, uint64_t bytes, bool writes)
{
    if (offset > t->size_bytes || t->size_bytes - offset < bytes)
        return NULL;
    return t->kind == BUFFER_VIEW_SLM
               ? b->slm + offset
               : mmu_cached(b->memory.mmu, SPACE_PPGTT, t->base + offset, bytes, writes);
}

/* The host's bytes from an offset on; NULL: out of bounds, or not on one page. */
static INLINE uint8_t *find_bytes(struct message_context *b, const struct buffer_view *t, uint64_t offset,
                                  uint64_t bytes, bool writes)
{
    uint8_t *const host = find_cached_bytes(b, t, offset, bytes, writes);
    if (__builtin_expect(host != NULL, 1) || t->kind == BUFFER_VIEW_SLM || offset > t->size_bytes ||
        t->size_bytes - offset < bytes)
        return host;
    return message_fetch_bytes(b, t->base + offset, bytes, writes);
}

/* ---- Counts ---- */

/* Of `count` accesses of `size_bytes` bytes together, on one page. */
static INLINE void count_accesses(struct message_context *b, const struct buffer_view *t, uint64_t offset,
                                  uint32_t count, uint64_t size_bytes, bool writes)
{
    const struct mmu *const u = b->memory.mmu;
    if (writes) {
        count_stores_of_pages(b, mmu_page_bit(u, SPACE_PPGTT, t->base + offset), count);
        memory_count_stored(b->memory.counters, u, SPACE_PPGTT, t->base + offset, size_bytes);
    } else {
        memory_count_loaded(b->memory.counters, u, SPACE_PPGTT, t->base + offset, size_bytes);
    }
}

static INLINE void count_slm(struct message_context *b, bool writes)
{
    b->counters.slm_writes += writes;
    b->counters.slm_reads += !writes;
}

/* Counts a message whose accesses are on one page, before they are done. False: they may change the kernel.
 */
static INLINE bool count_page(struct message_context *b, const struct buffer_view *t, uint64_t offset,
                              uint32_t count, uint64_t size_bytes, bool writes)
{
    if (t->kind == BUFFER_VIEW_SLM) {
        count_slm(b, writes);
        return true;
    }
    if (writes && !stores_are_outside_kernels(b, t->base + offset))
        return false;
    count_accesses(b, t, offset, count, size_bytes, writes);
    return true;
}

/* ---- Channels whose offsets have a constant stride ---- */

typedef uint32_t dwords __attribute__((vector_size(16)));
typedef uint64_t qwords __attribute__((vector_size(16)));

/* The first offset and the stride of the first `count` channels; false: it is not constant. */
static INLINE bool find_stride(const uint8_t *from, unsigned count, unsigned bytes, uint64_t *first,
                               uint64_t *step)
{
    if (bytes == 4) {
        uint32_t start, apart = 0, value, differ = 0, n = 0;
        memcpy(&start, from, sizeof start);
        if (count > 1) {
            memcpy(&apart, from + sizeof start, sizeof apart);
            apart -= start;
        }
        dwords is = {start, start + apart, start + 2u * apart, start + 3u * apart}, differs = {0}, v;
        for (; n + 4u <= count; n += 4u) {
            memcpy(&v, from + (size_t)n * sizeof start, sizeof v);
            differs |= v ^ is;
            is += 4u * apart;
        }
        for (; n < count; n++) {
            memcpy(&value, from + (size_t)n * sizeof start, sizeof value);
            differ |= value ^ (start + n * apart);
        }
        const qwords q = (qwords)differs;
        *first = start;
        *step = apart;
        return !(q[0] | q[1] | differ | (start + (uint64_t)(count - 1u) * apart) >> 32);
    }
    uint64_t start, apart = 0, value, differ = 0;
    unsigned n = 0;
    memcpy(&start, from, sizeof start);
    if (count > 1) {
        memcpy(&apart, from + sizeof start, sizeof apart);
        apart -= start;
    }
    qwords is = {start, start + apart}, differs = {0}, v;
    for (; n + 2u <= count; n += 2u) {
        memcpy(&v, from + (size_t)n * sizeof start, sizeof v);
        differs |= v ^ is;
        is += 2u * apart;
    }
    if (n < count) {
        memcpy(&value, from + (size_t)n * sizeof start, sizeof value);
        differ |= value ^ (start + n * apart);
    }
    *first = start;
    *step = apart;
    return !(differs[0] | differs[1] | differ);
}

/* The offsets of `count` channels, each `bytes` bytes after the one before it; false: they are not. */
static INLINE bool are_consecutive(const uint8_t *from, unsigned count, unsigned address_bytes,
                                   unsigned bytes, uint64_t *first)
{
    qwords differs = {0}, q;
    *first = 0;
    memcpy(first, from, address_bytes);
    if (address_bytes == 4) {
        const uint32_t start = (uint32_t)*first;
        const dwords is = {start, start + bytes, start + 2u * bytes, start + 3u * bytes};
#pragma GCC unroll 8
        for (unsigned n = 0; n < count; n += 4u) {
            dwords v;
            memcpy(&v, from + (size_t)n * 4u, sizeof v);
            differs |= (qwords)(v ^ (is + n * bytes));
        }
    } else {
        const qwords is = {*first, *first + bytes};
#pragma GCC unroll 16
        for (unsigned n = 0; n < count; n += 2u) {
            memcpy(&q, from + (size_t)n * 8u, sizeof q);
            differs |= q ^ (is + (uint64_t)n * bytes);
        }
    }
    return !(differs[0] | differs[1]) &&
           (address_bytes == 8 || *first + (uint64_t)count * bytes <= UINT64_C(1) << 32);
}

/* All elements of channels with a stride: all channels' first ones, then all second ones. */
static INLINE void move_strided(const struct eu_message_plan *p, uint8_t *memory, uint64_t step,
                                uint8_t *registers, unsigned count, unsigned bytes, unsigned in_register,
                                bool writes)
{
    if (p->present == 1 && bytes == in_register && step == bytes) {
        const size_t size = (size_t)count * bytes;
        uint8_t *const to = writes ? memory : registers;
        const uint8_t *const from = writes ? registers : memory;
        if (count == 16)
            memcpy(to, from, (size_t)16 * bytes);
        else if (count == 8)
            memcpy(to, from, (size_t)8 * bytes);
        else
            memcpy(to, from, size);
        return;
    }
    if (p->present == 15 && bytes == 4 && in_register == 4 && count % 4 == 0) {
        transpose_dwords(memory, step, registers, (size_t)p->step * EU_REGISTER_BYTES, count, writes);
        return;
    }
    if (!writes && step == 0 && bytes == 4 && in_register == 4 && count % 4 == 0) { /* all read the same */
        for (uint64_t left = p->present; left; left &= left - 1u) {
            uint32_t value;
            memcpy(&value, memory + (unsigned)__builtin_ctzll(left) * bytes, sizeof value);
            const dwords all = {value, value, value, value};
            for (unsigned n = 0; n < count; n += 4u)
                memcpy(registers + (size_t)n * in_register, &all, sizeof all);
            registers += p->step * EU_REGISTER_BYTES;
        }
        return;
    }
    for (uint64_t left = p->present; left; left &= left - 1u) {
        uint8_t *const first = memory + (unsigned)__builtin_ctzll(left) * bytes;
        for (unsigned n = 0; n < count; n++)
            move_element(first + n * step, registers + (size_t)n * in_register, bytes, in_register, writes);
        registers += p->step * EU_REGISTER_BYTES;
    }
}

/* False: the elements must be transferred one by one. */
static INLINE int transfer_strided(struct message_context *b, uint8_t *grf, const struct eu_message_plan *p,
                                   const struct buffer_view *t, unsigned count, uint64_t plus, unsigned bytes,
                                   unsigned in_register, unsigned address_bytes, bool writes)
{
    const unsigned there = p->last_element * bytes;
    uint64_t first, step;
    if (!find_stride(grf + p->address_byte, count, address_bytes, &first, &step))
        return NOT_DONE;
    first = first * p->scale + plus;
    step *= p->scale;
    if (step > PAGE_BYTES || (writes && step < there && count > 1)) /* stores in order, where they overlap */
        return NOT_DONE;
    uint8_t *const memory = find_bytes(b, t, first, (count - 1u) * step + there, writes);
    const uint32_t accesses = count * p->element_count;
    if (!memory || !count_page(b, t, first, accesses, (uint64_t)accesses * bytes, writes))
        return NOT_DONE;
    move_strided(p, memory, step, grf + p->data_byte, count, bytes, in_register, writes);
    return plan_count_message(b, p, accesses);
}

/* The same for loads of 32 channels whose halves have strides of their own, as in groups with rows of 16. */
static INLINE int load_halves(struct message_context *b, uint8_t *grf, const struct eu_message_plan *p,
                              const struct buffer_view *t, uint64_t plus, unsigned bytes,
                              unsigned in_register, unsigned address_bytes)
{
    enum { HALVES = 2, HALF = 16 };
    uint64_t first[HALVES], step[HALVES];
    uint8_t *memory[HALVES];
    for (unsigned i = 0; i < HALVES; i++) {
        if (!find_stride(grf + p->address_byte + (size_t)i * HALF * address_bytes, HALF, address_bytes,
                         &first[i], &step[i]))
            return NOT_DONE;
        first[i] = first[i] * p->scale + plus;
        step[i] *= p->scale;
        if (step[i] > PAGE_BYTES)
            return NOT_DONE;
        memory[i] = find_bytes(b, t, first[i], (HALF - 1u) * step[i] + p->last_element * bytes, false);
        if (!memory[i])
            return NOT_DONE;
    }
    const uint32_t accesses = HALF * p->element_count;
    for (unsigned i = 0; i < HALVES; i++) {
        move_strided(p, memory[i], step[i], grf + p->data_byte + (size_t)i * HALF * in_register, HALF, bytes,
                     in_register, false);
        if (t->kind != BUFFER_VIEW_SLM)
            count_accesses(b, t, first[i], accesses, (uint64_t)accesses * bytes, false);
    }
    if (t->kind == BUFFER_VIEW_SLM)
        count_slm(b, false);
    return plan_count_message(b, p, HALVES * accesses);
}

/* One element of each of `count` channels, side by side in memory, in a buffer that is known. */
static INLINE int transfer_consecutive(struct message_context *b, uint8_t *grf,
                                       const struct eu_message_plan *p, unsigned count, unsigned bytes,
                                       unsigned address_bytes, bool writes)
{
    enum { AHEAD_BYTES = 2048 };
    const bool is_surface = p->space == PLAN_SURFACE;
    const struct buffer_view *const known = is_surface ? binding_table_known_buffer(b, p->index) : NULL;
    struct buffer_view t;
    uint64_t first;
    if (is_surface ? !known || known->kind == BUFFER_VIEW_NULL : !find_view(b, grf, p, &t))
        return NOT_DONE;
    if (is_surface)
        t = *known;
    if (!are_consecutive(grf + p->address_byte, count, address_bytes, bytes, &first))
        return NOT_DONE;
    uint8_t *const memory = find_cached_bytes(b, &t, first, (uint64_t)count * bytes, writes),
                   *const here = grf + p->data_byte;
    if (!memory || !count_page(b, &t, first, count, (uint64_t)count * bytes, writes))
        return NOT_DONE;
    if (!writes) /* of the threads that run next */
        __builtin_prefetch(memory + AHEAD_BYTES);
    memcpy(writes ? memory : here, writes ? here : memory, (size_t)count * bytes);
    return plan_count_message(b, p, count);
}

/* ---- Channels anywhere ---- */

/* The host's bytes of each channel. False: some are not simple to reach. */
static INLINE bool find_channels(struct message_context *b, const uint8_t *addresses,
                                 const struct eu_message_plan *p, const struct buffer_view *t, uint32_t mask,
                                 uint64_t plus, unsigned there, unsigned address_bytes, bool writes,
                                 uint64_t *offsets, uint8_t **host)
{
    uint64_t page = UINT64_MAX;
    uint8_t *page_host = NULL;
    FOR_EACH_CHANNEL(n, mask) {
        uint64_t offset = 0;
        memcpy(&offset, addresses + (size_t)n * address_bytes, address_bytes);
        offset = offset * p->scale + plus;
        offset &= t->kind == BUFFER_VIEW_SLM ? slm_address_mask(t->size_bytes) : UINT64_MAX;
        const uint64_t address = t->base + offset, in_page = address % PAGE_BYTES;
        offsets[n] = offset;
        if (t->kind == BUFFER_VIEW_MEMORY && address / PAGE_BYTES == page && offset <= t->size_bytes &&
            t->size_bytes - offset >= there && in_page + there <= PAGE_BYTES) {
            host[n] = page_host + in_page;
            continue;
        }
        host[n] = find_bytes(b, t, offset, there, writes);
        if (!host[n] || (writes && t->kind == BUFFER_VIEW_MEMORY && !stores_are_outside_kernels(b, address)))
            return false;
        page = address / PAGE_BYTES;
        page_host = host[n] - in_page;
    }
    return true;
}

static INLINE int transfer_anywhere(struct message_context *b, uint8_t *grf, const struct eu_message_plan *p,
                                    const struct buffer_view *t, uint32_t mask, uint64_t plus, unsigned bytes,
                                    unsigned in_register, unsigned address_bytes, bool writes)
{
    uint64_t offsets[EU_MAX_CHANNELS];
    uint8_t *host[EU_MAX_CHANNELS], *registers = grf + p->data_byte;
    if (!find_channels(b, grf + p->address_byte, p, t, mask, plus, p->last_element * bytes, address_bytes,
                       writes, offsets, host))
        return NOT_DONE;
    for (uint64_t left = p->present; left; left &= left - 1u) {
        const unsigned first = (unsigned)__builtin_ctzll(left) * bytes;
        FOR_EACH_CHANNEL(n, mask)
            move_element(host[n] + first, registers + (size_t)n * in_register, bytes, in_register, writes);
        registers += p->step * EU_REGISTER_BYTES;
    }
    if (t->kind == BUFFER_VIEW_SLM) {
        count_slm(b, writes);
    } else if (writes || b->memory.mmu->accounts_local) {
        FOR_EACH_CHANNEL(n, mask)
            count_accesses(b, t, offsets[n], p->element_count, (uint64_t)p->element_count * bytes, writes);
    }
    return plan_count_message(b, p, (uint32_t)__builtin_popcount(mask) * p->element_count);
}

/* ---- Messages with an address for each channel ---- */

/* The frequent case: all of 8 or 16 channels, on a page that the TLB has. */
static INLINE int transfer_frequent(struct message_context *b, struct eu_thread *thread,
                                    const struct eu_message_plan *p, uint32_t channels, unsigned bytes,
                                    unsigned address_bytes, bool writes)
{
    const uint32_t mask = channels & p->channel_mask;
    if (!p->is_plain || p->grf_rows > thread->grf_rows || message_is_traced(b, writes))
        return NOT_DONE;
    if (__builtin_expect(mask == 0xffff, 1))
        return transfer_consecutive(b, thread->grf, p, 16, bytes, address_bytes, writes);
    if (mask == 0xff)
        return transfer_consecutive(b, thread->grf, p, 8, bytes, address_bytes, writes);
    return mask == UINT32_MAX ? transfer_consecutive(b, thread->grf, p, 32, bytes, address_bytes, writes)
                              : NOT_DONE;
}

static INLINE int transfer(struct message_context *b, struct eu_thread *thread,
                           const struct eu_message_plan *p, uint32_t channels, unsigned bytes,
                           unsigned in_register, unsigned address_bytes, bool writes)
{
    enum { GLOBAL_OFFSET = 8 };
    const uint32_t mask = channels & p->channel_mask;
    uint8_t *const grf = thread->grf;
    struct buffer_view t;
    uint64_t plus = (uint64_t)(int64_t)p->address_offset;
    if (!mask || p->grf_rows > thread->grf_rows || message_is_traced(b, writes) || !find_view(b, grf, p, &t))
        return NOT_DONE;
    if (p->has_global_offset) {
        uint32_t global;
        memcpy(&global, grf + p->payload_byte[0] + GLOBAL_OFFSET, sizeof global);
        plus += (uint64_t)global * p->scale;
    }
    if (!(mask & (mask + 1u))) {
        const int cost = transfer_strided(b, grf, p, &t, 32u - (unsigned)__builtin_clz(mask), plus, bytes,
                                          in_register, address_bytes, writes);
        if (cost != NOT_DONE)
            return cost;
    }
    if (mask == UINT32_MAX && !writes) {
        const int cost = load_halves(b, grf, p, &t, plus, bytes, in_register, address_bytes);
        if (cost != NOT_DONE)
            return cost;
    }
    return transfer_anywhere(b, grf, p, &t, mask, plus, bytes, in_register, address_bytes, writes);
}

/* What is rare has a function of its own: the frequent case needs little of the stack. */
#define TRANSFER(name, bytes, in_register, address_bytes, writes)                                            \
    static NOINLINE int name##_general(struct message_context *b, struct eu_thread *t,                       \
                                       const struct eu_message_plan *p, uint32_t channels)                   \
    {                                                                                                        \
        return transfer(b, t, p, channels, bytes, in_register, address_bytes, writes);                       \
    }                                                                                                        \
    static int name(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)        \
    {                                                                                                        \
        const int cost = (bytes) == (in_register)                                                            \
                             ? transfer_frequent(b, t, p, channels, bytes, address_bytes, writes)            \
                             : NOT_DONE;                                                                     \
        return __builtin_expect(cost != NOT_DONE, 1) ? cost : name##_general(b, t, p, channels);             \
    }
TRANSFER(load_4_by_4, 4, 4, 4, false)
TRANSFER(load_4_by_8, 4, 4, 8, false)
TRANSFER(load_8_by_4, 8, 8, 4, false)
TRANSFER(load_8_by_8, 8, 8, 8, false)
TRANSFER(load_1_by_4, 1, 4, 4, false)
TRANSFER(load_1_by_8, 1, 4, 8, false)
TRANSFER(load_2_by_4, 2, 4, 4, false)
TRANSFER(load_2_by_8, 2, 4, 8, false)
TRANSFER(store_4_by_4, 4, 4, 4, true)
TRANSFER(store_4_by_8, 4, 4, 8, true)
TRANSFER(store_8_by_4, 8, 8, 4, true)
TRANSFER(store_8_by_8, 8, 8, 8, true)
TRANSFER(store_1_by_4, 1, 4, 4, true)
TRANSFER(store_1_by_8, 1, 4, 8, true)
TRANSFER(store_2_by_4, 2, 4, 4, true)
TRANSFER(store_2_by_8, 2, 4, 8, true)

static eu_planned_message *const transfers[2][4][2] = {
    /* by bytes: 1, 2, 4, 8; by those of an address: 4, 8 */
    {{load_1_by_4, load_1_by_8},
     {load_2_by_4, load_2_by_8},
     {load_4_by_4, load_4_by_8},
     {load_8_by_4, load_8_by_8}},
    {{store_1_by_4, store_1_by_8},
     {store_2_by_4, store_2_by_8},
     {store_4_by_4, store_4_by_8},
     {store_8_by_4, store_8_by_8}},
};

/* ---- Blocks: consecutive bytes ---- */

static INLINE int move_block(struct message_context *b, struct eu_thread *thread,
                             const struct eu_message_plan *p, uint64_t offset, uint32_t accesses, bool writes)
{
    struct buffer_view t;
    if (p->grf_rows > thread->grf_rows || message_is_traced(b, writes) || !find_view(b, thread->grf, p, &t))
        return NOT_DONE;
    uint8_t *const memory = find_bytes(b, &t, offset, p->block_bytes, writes), *const here =
                                                                                   thread->grf + p->data_byte;
    if (!memory || !count_page(b, &t, offset, accesses, p->block_bytes, writes))
        return NOT_DONE;
    memcpy(writes ? memory : here, writes ? here : memory, p->block_bytes);
    return plan_count_message(b, p, accesses);
}

/* The first channel's address, in the first payload. */
static INLINE uint64_t wrap_offset(const struct message_context *b, const struct eu_message_plan *p,
                                   uint64_t offset)
{
    return p->space == PLAN_SLM ? offset & slm_address_mask(b->slm_bytes) : offset;
}

static int transposed(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    uint64_t offset = 0;
    if (!(channels & 1u))
        return NOT_DONE;
    memcpy(&offset, t->grf + p->address_byte, p->address_bytes);
    offset += (uint64_t)(int64_t)p->address_offset;
    offset = wrap_offset(b, p, offset);
    return p->writes ? move_block(b, t, p, offset, p->element_count, true)
                     : move_block(b, t, p, offset, p->element_count, false);
}

/* The address is in the header. */
static int block(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    uint64_t offset = 0;
    if (p->writes && channels != p->channel_mask) /* some writes are of channels' dwords */
        return NOT_DONE;
    memcpy(&offset, t->grf + p->address_byte, p->address_bytes);
    offset *= p->scale;
    offset = wrap_offset(b, p, offset);
    return p->writes ? move_block(b, t, p, offset, p->element_count, true)
                     : move_block(b, t, p, offset, p->element_count, false);
}

/* ---- Messages without data ---- */

/* The message of a plan, with its payload in the thread. */
static INLINE struct eu_send send_of(struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    return (struct eu_send){.sfid = p->sfid,
                            .descriptor = p->descriptor,
                            .ex_descriptor = p->ex_descriptor,
                            .address_offset = p->address_offset,
                            .execution_size = p->execution_size,
                            .register_rows = p->register_rows,
                            .channels = channels,
                            .payload = {t->grf + p->payload_byte[0], t->grf + p->payload_byte[1]},
                            .payload_registers = {p->payload_registers[0], p->payload_registers[1]},
                            .response = p->response_registers ? t->grf + p->response_byte : NULL,
                            .response_registers = p->response_registers};
}

static INLINE int pixel_message(struct message_context *b, struct eu_thread *t,
                                const struct eu_message_plan *p, uint32_t channels,
                                int (*planned)(struct message_context *, const struct eu_send *))
{
    const struct eu_send m = send_of(t, p, channels);
    if (p->grf_rows > t->grf_rows)
        return NOT_DONE;
    const int cost = planned(b, &m);
    return cost < 0 ? NOT_DONE : plan_count_cost(b, p, (uint32_t)cost);
}

static int target_write(void *context, struct eu_thread *t, const struct eu_message_plan *p,
                        uint32_t channels)
{
    struct message_context *const b = context;
    const int cost =
        channels == UINT16_MAX && !p->grf_rows ? b->pixel_units->render_target_square(b, t, p) : NOT_DONE;
    return cost < 0 ? pixel_message(b, t, p, channels, b->pixel_units->render_target_planned)
                    : plan_count_cost(b, p, (uint32_t)cost);
}

static int sampler_message(void *context, struct eu_thread *t, const struct eu_message_plan *p,
                           uint32_t channels)
{
    struct message_context *const b = context;
    return pixel_message(b, t, p, channels, b->pixel_units->sampler_planned);
}

static int end_of_thread(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    (void)t, (void)channels;
    return plan_count_message(b, p, 0);
}

static int barrier(void *context, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    struct message_context *const b = context;
    (void)t, (void)channels;
    b->counters.barriers++;
    b->planned.barriers++;
    return plan_count_message(b, p, 0);
}

static int fence(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    (void)t, (void)channels;
    fence_for_others(b);
    return plan_count_message(b, p, 0);
}

/* Shared local memory belongs to one group, which runs on one host thread at a time. */
static int slm_fence(void *b, struct eu_thread *t, const struct eu_message_plan *p, uint32_t channels)
{
    (void)t, (void)channels;
    return plan_count_message(b, p, 0);
}

/* ---- Plans ---- */

/* The space that a binding table index names; false: it is none that plans know. */
static bool find_space(struct eu_message_plan *p, uint32_t index)
{
    enum { STATELESS = 255, LOCAL = 254, STATELESS_NON_COHERENT = 253, BINDLESS = 252 };
    p->index = (uint8_t)index;
    p->space = index == STATELESS || index == STATELESS_NON_COHERENT ? PLAN_STATELESS
               : index == LOCAL                                      ? PLAN_SLM
                                                                     : PLAN_SURFACE;
    return index != BINDLESS;
}

/* Plans a message with an address for each channel. */
static void plan_elements(struct eu_message_plan *p, const struct message_layout *l)
{
    const struct element_transfer *const e = &l->elements;
    const unsigned address_registers =
                       (l->count * l->addresses.bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES,
                   elements = (unsigned)__builtin_popcountll(e->present);
    if (!e->present || (l->addresses.bytes != 4 && l->addresses.bytes != 8) ||
        (e->bytes < 4 ? e->in_register != 4 : e->in_register != e->bytes) ||
        !payload_place(p, l->addresses.at, address_registers, &p->address_byte))
        return;
    if (e->writes ? !payload_place(p, e->at, elements * e->step, &p->data_byte)
                  : elements * e->step > p->response_registers)
        return;
    if (!e->writes)
        p->data_byte = p->response_byte;
    p->channel_mask =
        (uint32_t)((UINT64_C(1) << l->count) - 1u) & (uint32_t)((UINT64_C(1) << p->execution_size) - 1u);
    p->scale = (uint8_t)l->addresses.scale;
    p->has_global_offset = l->has_global_offset;
    p->present = e->present;
    p->element_count = (uint8_t)elements;
    p->last_element = (uint8_t)(64 - __builtin_clzll(e->present));
    p->step = (uint8_t)e->step;
    p->is_plain = e->present == 1 && l->addresses.scale == 1 && !l->has_global_offset && !p->address_offset;
    p->run = transfers[e->writes][__builtin_ctz(e->bytes)][l->addresses.bytes == 8];
}

/* The space of a load or store; false: none that plans know. */
static bool find_load_store_space(struct eu_message_plan *p, const struct eu_send *m, unsigned address_bytes)
{
    enum { ADDRESS_FLAT, ADDRESS_INDEX = 3, UNUSED_INDEX = 252, STATELESS_NON_COHERENT, STATELESS = 255 };
    const uint32_t type = m->descriptor >> 29 & 3u, index = m->ex_descriptor >> 24;
    const bool is_flat = type == ADDRESS_FLAT ||
                         (type == ADDRESS_INDEX && (index == STATELESS || index == STATELESS_NON_COHERENT));
    if (m->sfid == SFID_SLM) {
        p->space = PLAN_SLM;
        return true;
    }
    if (is_flat) {
        p->space = address_bytes == 8 ? PLAN_FLAT : PLAN_STATELESS;
        return true;
    }
    return type == ADDRESS_INDEX && index < UNUSED_INDEX && find_space(p, index);
}

static void plan_load_store(struct eu_message_plan *p, const struct eu_send *m)
{
    enum { FENCE = 31 };
    struct message_layout l;
    if ((m->descriptor & 63u) == FENCE && m->sfid != SFID_URB) {
        p->run = m->sfid == SFID_SLM ? slm_fence : fence;
        return;
    }
    if (m->sfid == SFID_URB) {
        urb_plan_load_store(p, m);
        return;
    }
    if (m->sfid == SFID_TGM || !load_store_layout(m, &l) || !find_load_store_space(p, m, l.addresses.bytes))
        return;
    p->has_header = false;
    if (!l.is_block) {
        plan_elements(p, &l);
        return;
    }
    p->element_count = (uint8_t)l.count;
    p->block_bytes = (uint16_t)(l.count * l.elements.bytes);
    p->address_bytes = (uint8_t)l.addresses.bytes;
    p->writes = l.elements.writes;
    p->data_byte = p->response_byte;
    const unsigned registers = (p->block_bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES;
    if (payload_place(p, 0, 1, &p->address_byte) &&
        (p->writes ? payload_place(p, l.elements.at, registers, &p->data_byte)
                   : registers <= p->response_registers))
        p->run = transposed;
}

static void plan_block(struct eu_message_plan *p, const struct eu_send *m, enum eu_message_kind kind)
{
    const struct block_layout l = block_layout(m, kind);
    const unsigned registers = (l.byte + l.size_bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES;
    p->space = PLAN_FLAT;
    if (!l.size_bytes || !p->has_header || (!l.is_flat && !find_space(p, m->descriptor & 0xffu)) ||
        !payload_place(p, 0, 1, &p->address_byte))
        return;
    p->address_bytes = l.is_flat ? 8 : 4;
    p->address_byte = (uint16_t)(p->address_byte + (l.is_flat ? 0u : 8u));
    p->scale = l.scale;
    p->writes = l.writes;
    p->element_count = (uint8_t)registers;
    p->block_bytes = (uint16_t)l.size_bytes;
    p->channel_mask = UINT32_MAX >> (32u - p->execution_size);
    p->data_byte = p->response_byte;
    if (l.writes ? !payload_place(p, 1, registers, &p->data_byte) : registers > p->response_registers)
        return;
    p->data_byte = (uint16_t)(p->data_byte + l.byte);
    p->run = block;
}

void message_plan(const struct eu_isa *set, struct eu_message_plan *p)
{
    enum { SLM_INDEX = 0xfe };
    const struct eu_send m = {.sfid = p->sfid,
                              .descriptor = p->descriptor,
                              .ex_descriptor = p->ex_descriptor,
                              .address_offset = p->address_offset,
                              .execution_size = p->execution_size,
                              .register_rows = p->register_rows,
                              .payload_registers = {p->payload_registers[0], p->payload_registers[1]},
                              .response_registers = p->response_registers};
    const enum eu_message_kind kind = eu_message_kind(set, p->sfid, p->descriptor);
    const unsigned registers = payload_registers(&m);
    struct message_layout l;
    p->counted_registers = (uint8_t)(registers ? registers : 1u);
    p->has_header = has_header(&m);
    if (p->register_rows > 1 && !message_has_wide_registers(kind))
        return;
    switch (kind) {
    case MESSAGE_END_OF_THREAD:
        p->run = end_of_thread;
        break;
    case MESSAGE_BARRIER:
        p->run = barrier;
        break;
    case MESSAGE_FENCE:
        p->run = p->sfid == SFID_DC0 && (p->descriptor & 0xffu) == SLM_INDEX ? slm_fence : fence;
        break;
    case MESSAGE_LSC:
        plan_load_store(p, &m);
        break;
    case MESSAGE_URB_WRITE:
        urb_plan_write(p);
        break;
    case MESSAGE_RENDER_TARGET_WRITE:
        p->run = target_write;
        p->computes = true;
        break;
    case MESSAGE_SAMPLER:
        p->run = sampler_message;
        p->computes = true;
        break;
    case MESSAGE_BLOCK_READ:
    case MESSAGE_BLOCK_WRITE:
    case MESSAGE_UNALIGNED_BLOCK_READ:
    case MESSAGE_UNALIGNED_BLOCK_WRITE:
    case MESSAGE_A64_BLOCK_READ:
    case MESSAGE_A64_BLOCK_WRITE:
        plan_block(p, &m, kind);
        break;
    default:
        if (!data_port_layout(&m, kind, &l))
            break;
        p->space = PLAN_FLAT;
        if (l.addresses.bytes == 8 || find_space(p, p->descriptor & 0xffu))
            plan_elements(p, &l);
        break;
    }
}
