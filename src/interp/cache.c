/*
 * The cache of decoded kernels. A new chunk is empty: each slot decodes its instruction when it first runs.
 */
#include "interp/execute.h"
#include "base/inline.h"

#include <stdlib.h>

static eu_threaded_handler decode, leave, wrapped;

/* Resets all slots. The decode handler sets the other members. */
static void clear_chunk(struct eu_chunk *c)
{
    for (unsigned n = 0; n < EU_SLOTS; n++) {
        c->ops[n].handler = decode;
        c->ops[n].handler_untranslated = NULL;
        c->ops[n].jit.slots = 0;
    }
    for (unsigned n = 0; n < 2; n++)
        c->ops[EU_SLOTS + n].handler = leave;
}

struct eu_cache *eu_cache_create_with(const struct eu_backend *backend)
{
    struct eu_cache *const c = calloc(1, sizeof *c);
    if (c)
        c->backend = *backend;
    return c;
}

void eu_cache_destroy(struct eu_cache *c)
{
    for (unsigned n = 0; c && n < EU_CHUNKS; n++)
        free(c->chunks[n]);
    if (c && c->translator)
        c->translator->destroy(c->jit);
    free(c);
}

/* ---- Bytes ---- */

/* Copies kernel bytes from `at` on. With `same`: compares them instead. Returns the number of bytes. */
static size_t bytes_at(const struct eu_run *r, uint64_t at, uint8_t *bytes, size_t max_bytes, bool *same)
{
    size_t done = 0, there;
    const void *p;
    while (done < max_bytes && (there = 0, p = r->port->fetch(r->port->context, at + done, &there)) &&
           there) {
        const size_t part = there < max_bytes - done ? there : max_bytes - done;
        if (!same)
            memcpy(bytes + done, p, part);
        else if (memcmp(bytes + done, p, part) != 0)
            *same = false;
        done += part;
    }
    return done;
}

static bool chunk_is_current(struct eu_run *r, struct eu_chunk *c)
{
    bool same = true;
    if (c->epoch != r->cache->epoch) {
        const size_t size = bytes_at(r, c->base + c->first_byte, c->bytes + c->first_byte,
                                     c->end_byte - c->first_byte, &same);
        if (!same || size < (size_t)(c->end_byte - c->first_byte))
            return false;
        c->epoch = r->cache->epoch;
    }
    return true;
}

static void fill_chunk(struct eu_run *r, struct eu_chunk *c, uint64_t base, unsigned from)
{
    clear_chunk(c);
    c->writes = (struct eu_dirty){.rare = false};
    c->base = base;
    c->isa = r->t->isa;
    c->counts_kinds = r->port->kind_counts != NULL;
    c->first_byte = 0;
    c->end_byte = (uint16_t)bytes_at(r, base, c->bytes, EU_CHUNK_BYTES, NULL);
    if (c->end_byte <= from) {
        c->first_byte = (uint16_t)from;
        c->end_byte =
            (uint16_t)(from + bytes_at(r, base + from, c->bytes + from, EU_CHUNK_BYTES - from, NULL));
    }
    c->epoch = r->cache->epoch;
    c->tail_epoch = 0;
}

/* ---- Chunks ---- */

static struct eu_chunk **chunk_slot(struct eu_cache *c, uint64_t ip)
{
    return &c->chunks[ip / EU_CHUNK_BYTES % EU_CHUNKS];
}

static bool chunk_matches(const struct eu_chunk *c, const struct eu_run *r, uint64_t base)
{
    return c && c->isa == r->t->isa && c->base == base && c->counts_kinds == (r->port->kind_counts != NULL);
}

/* Subtracts from the budget a cost that is no instruction. */
static void spend_budget(struct eu_run *r, uint64_t cost)
{
    if (cost > r->budget)
        cost = r->budget;
    r->budget -= cost;
    eu_count_instructions(r->t, -cost);
}

/* The cost is the same whether or not the chunk must be decoded, because decoded chunks are not saved state.
 */
void eu_change_chunk(struct eu_run *r)
{
    enum { CHUNK_INSTRUCTIONS = 128 };
    spend_budget(r, CHUNK_INSTRUCTIONS);
}

struct eu_decoded *eu_find_decoded(struct eu_run *r)
{
    const uint64_t ip = r->t->ip &= UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
    const uint64_t base = ip & ~(uint64_t)(EU_CHUNK_BYTES - 1);
    const unsigned offset = (unsigned)(ip - base);
    struct eu_chunk **const place = chunk_slot(r->cache, ip);
    if (!*place)
        *place = calloc(1, sizeof **place);
    struct eu_chunk *const c = *place ? *place : &r->cache->own;
    eu_note_writes(r);
    if (!chunk_matches(c, r, base) || !chunk_is_current(r, c) || offset < c->first_byte ||
        offset >= c->end_byte)
        fill_chunk(r, c, base, offset);
    if (r->port->fetch_cost && *r->port->fetch_cost) { /* at least one instruction runs */
        r->budget = *r->port->fetch_cost < r->budget ? r->budget - *r->port->fetch_cost : 1;
        *r->port->fetch_cost = 0;
    }
    r->chunk = c;
    if (offset >= c->end_byte)
        return eu_stop_at(r, ip, EU_EXCEPTION, "no instruction is mapped there");
    return &c->ops[offset / EU_COMPACT_BYTES];
}

static struct eu_decoded *leave(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    r->budget = left; /* not an instruction */
    r->t->ip = eu_ip(r, op);
    eu_change_chunk(r);
    return NULL;
}

/* ---- Slots ---- */

uint32_t eu_channels_parked_at(const struct eu_run *r, uint64_t ip)
{
    for (unsigned n = 0; n < r->wait_count; n++)
        if (r->waits[n].ip == ip)
            return r->waits[n].channels;
    return 0;
}

static void wrap(const struct eu_run *r, struct eu_chunk *c, struct eu_decoded *op, uint8_t why)
{
    if (r->cache->translator && op->jit.is_inside && !(why == WRAP_MERGE && op->jit.merges))
        r->cache->translator->drop_around(c, op);
    op->beside.wrap |= why;
    op->handler = wrapped;
}

/* If the instruction at `ip` is decoded, makes it check for channels that wait there. */
static void mark_parked(struct eu_run *r, uint64_t ip)
{
    const uint64_t base = ip & ~(uint64_t)(EU_CHUNK_BYTES - 1);
    struct eu_chunk *const cached = *chunk_slot(r->cache, ip), *const c = cached ? cached : &r->cache->own;
    if (!chunk_matches(c, r, base))
        return;
    struct eu_decoded *const op = &c->ops[(ip - base) / EU_COMPACT_BYTES];
    if (op->handler != decode)
        wrap(r, c, op, WRAP_MERGE);
}

void eu_park_channels(struct eu_run *r, uint32_t channels, uint64_t ip)
{
    for (unsigned n = 0; n < r->wait_count; n++)
        if (r->waits[n].ip == ip) {
            r->waits[n].channels |= channels;
            return;
        }
    r->waits[r->wait_count].ip = ip;
    r->waits[r->wait_count++].channels = channels;
    mark_parked(r, ip);
}

void eu_merge_channels(struct eu_run *r, const struct eu_decoded *op)
{
    const uint64_t ip = eu_ip(r, op);
    for (unsigned n = 0; n < r->wait_count; n++)
        if (r->waits[n].ip == ip) {
            r->t->execution_mask |= r->waits[n].channels;
            r->waits[n] = r->waits[--r->wait_count];
            return;
        }
}

/* Whether the bytes after the chunk are unchanged: an instruction in the last slot may extend beyond it. */
static bool tail_is_current(struct eu_run *r, struct eu_chunk *c)
{
    bool same = true;
    if (c->tail_epoch == r->cache->epoch)
        return true;
    if (bytes_at(r, c->base + EU_CHUNK_BYTES, c->tail, EU_COMPACT_BYTES, &same) < EU_COMPACT_BYTES || !same)
        return false;
    c->tail_epoch = r->cache->epoch;
    return true;
}

enum { INSTRUCTIONS_A_CHANNEL = 2 };

/* The extra cost of an instruction: two for each channel if no host has a vector handler for it, and some for
 * math functions and dpas. It does not depend on the host. */
static unsigned cost_of(const struct eu_backend *backend, struct eu_decoded *op)
{
    enum { FUNCTIONS_AN_INSTRUCTION = 2 };
    eu_handler *const handler = eu_slow_path_of(op);
    eu_simd_selector *const fast = backend->select_any_level;
    if (handler == eu_exec_dpas)
        return (op->dpas.repeat_count + 1u) << op->dpas.systolic_depth << 1u;
    const bool to_notification = op->dst.file == OPERAND_ARF && op->dst.arf == FILE_NOTIFICATION;
    if ((handler == eu_exec_generic || handler == eu_exec_indirect_move) &&
        (to_notification || !(fast && fast(op))))
        return op->channels * INSTRUCTIONS_A_CHANNEL;
    return op->opcode == EU_MATH ? (op->channels + 1u) / FUNCTIONS_AN_INSTRUCTION : 0u;
}

/* Subtracts the extra cost after an instruction. True: eu_find_decoded must subtract the cost of a fetch. */
static bool spend_cost(struct eu_run *r, uint64_t cost)
{
    spend_budget(r, cost);
    return r->port->fetch_cost && *r->port->fetch_cost;
}

struct eu_decoded *eu_run_exact(struct eu_run *r, struct eu_decoded *op)
{
    struct eu_decoded *const next = eu_exec_generic(r, op);
    if (!next)
        return NULL;
    (void)spend_cost(r, op->channels * INSTRUCTIONS_A_CHANNEL);
    r->t->ip = eu_ip(r, next);
    return NULL;
}

struct eu_decoded *eu_run_slow_path(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    r->budget = left - 1u;
    struct eu_decoded *const next = op->slow_path(r, op);
    if (!next)
        return NULL;
    if (op->beside.extra_cost && spend_cost(r, op->beside.extra_cost)) {
        r->t->ip = eu_ip(r, next);
        return NULL;
    }
    EU_DISPATCH(r, next, r->budget);
}

/* The rest of a call, after a planned message that had this cost; -1: there was none. */
static NOINLINE uint64_t finish_call(struct eu_run *r, struct eu_decoded *op, uint64_t left, int cost)
{
    struct eu_decoded *next = op + op->slots;
    bool ends = false;
    r->budget = left - 1u;
    if (cost > 0)
        spend_budget(r, (uint64_t)cost);
    if (cost < 0) {
        next = op->slow_path(r, op);
        if (!next)
            return 0;
        ends = next != op + op->slots || (op->beside.extra_cost && spend_cost(r, op->beside.extra_cost));
    }
    if (ends || !r->budget) {
        r->t->ip = eu_ip(r, next);
        return 0;
    }
    if (!(r->rounding & ROUNDING_THREAD) && !(r->t->cr0[0] & CR0_ALT_FP_MODE))
        eu_set_rounding(r, ROUNDING_THREAD);
    return r->budget;
}

uint64_t eu_call_slow_path(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    const struct eu_message_plan *const p = &op->message.plan;
    int cost = -1;
    if (__builtin_expect(p->run != NULL, 1)) {
        const uint32_t channels = eu_enabled_channels(r->t, op) >> op->first_channel;
        r->budget = left - 1u;
        if (p->computes)
            eu_set_host_rounding(r);
        cost = channels ? p->run(r->port->receiver, r->t, p, channels) : 0;
        if (__builtin_expect(cost >= 0 && (uint64_t)cost < left - 1u && r->rounding & ROUNDING_THREAD, 1)) {
            eu_count_instructions(r->t, -(uint64_t)cost);
            return r->budget = left - 1u - (uint64_t)cost;
        }
    }
    return finish_call(r, op, left, cost);
}

static struct eu_decoded *decode(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    struct eu_chunk *const c = r->chunk;
    const unsigned slot = (unsigned)(op - c->ops), at = slot * EU_COMPACT_BYTES;
    uint8_t word[EU_NATIVE_BYTES];
    size_t there = (size_t)(c->end_byte - at) < sizeof word ? (size_t)(c->end_byte - at) : sizeof word;
    struct eu_instruction i;
    r->budget = left; /* nothing has run yet */
    memcpy(word, c->bytes + at, there);
    bool straddles = false;
    if (!eu_decode_fields(r->t->isa, word, there, &i)) {
        straddles = slot == EU_SLOTS - 1;
        if (straddles) {
            there += bytes_at(r, c->base + EU_CHUNK_BYTES, c->tail, EU_COMPACT_BYTES, NULL);
            memcpy(word + EU_COMPACT_BYTES, c->tail, EU_COMPACT_BYTES);
            c->tail_epoch = r->cache->epoch;
        }
        if (!straddles || !eu_decode_fields(r->t->isa, word, there, &i))
            return eu_stop_at(r, eu_ip(r, op), EU_EXCEPTION, "the kernel ends inside an instruction");
    }
    eu_decode_instruction(r->t->isa, &i, op);
    eu_add_writes(r->t->isa, op, &c->writes);
    op->beside.extra_cost = (uint8_t)cost_of(&r->cache->backend, op);
    op->slow_path = eu_slow_path_of(op);
    eu_threaded_handler *const branch = eu_branch_handler_of(op);
    op->handler_unwrapped = branch ? branch : r->cache->backend.run_slow_path;
    if (eu_plan_message(r, op))
        op->handler_unwrapped = r->cache->backend.run_planned_message;
    else if (r->cache->backend.select_simd)
        (void)r->cache->backend.select_simd(op);
    op->handler = op->handler_untranslated = op->handler_unwrapped;
    if (r->cache->translator && !c->counts_kinds && !straddles)
        r->cache->translator->consider(c, op, op->handler_unwrapped == r->cache->backend.run_slow_path);
    if (straddles)
        wrap(r, c, op, WRAP_STRADDLES);
    if (c->counts_kinds)
        wrap(r, c, op, WRAP_COUNT_KINDS);
    if (i.value[EU_BREAKPOINT] && op->opcode != EU_ILLEGAL)
        wrap(r, c, op, WRAP_BREAKPOINT);
    r->t->ip = eu_ip(r, op);
    if (eu_channels_parked_at(r, r->t->ip))
        wrap(r, c, op, WRAP_MERGE);
    return NULL;
}

/* The steps before an instruction: merge waiting channels, breakpoints, counts. */
static struct eu_decoded *wrapped(struct eu_run *r, struct eu_decoded *op, uint64_t left)
{
    struct eu_thread *const t = r->t;
    if ((op->beside.wrap & WRAP_STRADDLES) && !tail_is_current(r, r->chunk)) {
        r->budget = left;
        t->ip = eu_ip(r, op);
        *op = (struct eu_decoded){.handler = decode};
        return NULL;
    }
    if ((op->beside.wrap & WRAP_MERGE) && r->wait_count)
        eu_merge_channels(r, op);
    if ((op->beside.wrap & WRAP_BREAKPOINT) && (t->cr0[1] & CR1_BREAKPOINT_ENABLE) && t->sip &&
        !(t->cr0[0] & CR0_MASTER)) {
        if (!(t->cr0[0] & CR0_BREAKPOINT_SUPPRESS)) {
            t->cr0[1] |= CR1_BREAKPOINT;
            t->cr0[2] = (uint32_t)eu_ip(r, op);
            t->cr0[0] |= CR0_MASTER;
            r->budget = left - 1u;
            return eu_jump_to(r, t->sip);
        }
        t->cr0[0] &= ~(uint32_t)CR0_BREAKPOINT_SUPPRESS;
    }
    if (op->beside.wrap & WRAP_COUNT_KINDS)
        r->port->kind_counts[op->beside.instruction_kind]++;
    EU_TAIL_CALL(op->handler_unwrapped, r, op, left);
}
