#include "eu/execute.h"

#include <stdlib.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

/*
 * Decoded kernels. A chunk begins empty: each of its slots decodes the instruction there when it first runs.
 */

#if defined(__x86_64__)
eu_fast *const eu_levels[EU_LEVELS] = {NULL, eu_fast_v2, eu_fast_v3, eu_fast_v4};
#else
eu_fast *const eu_levels[EU_LEVELS] = {NULL};
#endif

static eu_step decode, leave, wrapped;

/* What else is in a slot decode sets. */
static void clear(struct eu_chunk *c)
{
    for (unsigned n = 0; n < EU_SLOTS; n++) {
        c->ops[n].run = decode;
        c->ops[n].plain = NULL;
        c->ops[n].covers = 0;
    }
    for (unsigned n = 0; n < 2; n++)
        c->ops[EU_SLOTS + n].run = leave;
}

#if defined(__x86_64__)
/* clang 14 has no name for it in __builtin_cpu_supports. */
static bool converts_halves(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}

enum eu_level eu_host_level(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return EU_LEVEL_V4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && converts_halves())
        return EU_LEVEL_V3;
    return __builtin_cpu_supports("sse4.2") ? EU_LEVEL_V2 : EU_LEVEL_NONE;
}
#else
enum eu_level eu_host_level(void)
{
    return EU_LEVEL_NONE;
}
#endif

#if defined(__x86_64__)
/* Steps leave the upper parts of vectors as they are: code that knows none of them would wait for those. */
static __attribute__((target("avx"))) struct eu_op *apart_from_vectors(struct eu_run *r, struct eu_op *op,
                                                                       uint64_t left)
{
    _mm256_zeroupper();
    EU_STEP(eu_do_apart, r, op, left);
}
#endif

struct eu_cache *eu_cache_create_at(enum eu_level level)
{
    struct eu_cache *c = level <= eu_host_level() ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->fast = eu_levels[level];
    c->apart = eu_do_apart;
#if defined(__x86_64__)
    if (level >= EU_LEVEL_V3)
        c->apart = apart_from_vectors;
#endif
    return c;
}

bool eu_cache_translate(struct eu_cache *c, const struct softgt_code_port *memory, unsigned after)
{
    if (c->fast == eu_levels[EU_LEVEL_V3] || c->fast == eu_levels[EU_LEVEL_V4])
        c->code = eu_code_create(memory, after);
    return c->code != NULL;
}

struct eu_cache *eu_cache_create(const struct softgt_code_port *memory)
{
    struct eu_cache *const c = eu_cache_create_at(eu_host_level());
    if (c && memory && memory->map)
        (void)eu_cache_translate(c, memory, EU_TRANSLATE_AFTER);
    return c;
}

void eu_cache_destroy(struct eu_cache *c)
{
    for (unsigned n = 0; c && n < EU_CHUNKS; n++)
        free(c->chunks[n]);
    if (c)
        eu_code_destroy(c->code);
    free(c);
}

/* ---- Bytes ---- */

/* Copies, or with `same` compares, what is there from `at` on; returns how many bytes. */
static size_t bytes_at(const struct eu_run *r, uint64_t at, uint8_t *bytes, size_t most, bool *same)
{
    size_t done = 0, there;
    const void *p;
    while (done < most && (there = 0, p = r->port->fetch(r->port->context, at + done, &there)) && there) {
        const size_t part = there < most - done ? there : most - done;
        if (!same)
            memcpy(bytes + done, p, part);
        else if (memcmp(bytes + done, p, part) != 0)
            *same = false;
        done += part;
    }
    return done;
}

static bool is_current(struct eu_run *r, struct eu_chunk *c)
{
    bool same = true;
    if (c->epoch != r->cache->epoch) {
        const size_t size = bytes_at(r, c->base + c->from, c->bytes + c->from, c->to - c->from, &same);
        if (!same || size < (size_t)(c->to - c->from))
            return false;
        c->epoch = r->cache->epoch;
    }
    return true;
}

static void fill(struct eu_run *r, struct eu_chunk *c, uint64_t base, unsigned from)
{
    clear(c);
    c->base = base;
    c->set = r->t->set;
    c->counts = r->port->ran != NULL;
    c->from = 0;
    c->to = (uint16_t)bytes_at(r, base, c->bytes, EU_CHUNK_BYTES, NULL);
    if (c->to <= from) {
        c->from = (uint16_t)from;
        c->to = (uint16_t)(from + bytes_at(r, base + from, c->bytes + from, EU_CHUNK_BYTES - from, NULL));
    }
    c->epoch = r->cache->epoch;
    c->tail_epoch = 0;
}

/* ---- Chunks ---- */

static struct eu_chunk **place_of(struct eu_cache *c, uint64_t ip)
{
    return &c->chunks[ip / EU_CHUNK_BYTES % EU_CHUNKS];
}

static bool is_of(const struct eu_chunk *c, const struct eu_run *r, uint64_t base)
{
    return c && c->set == r->t->set && c->base == base && c->counts == (r->port->ran != NULL);
}

/* Takes from the budget what runs no instruction of its own. */
static void take(struct eu_run *r, uint64_t cost)
{
    if (cost > r->left)
        cost = r->left;
    r->left -= cost;
    eu_count(r->t, -cost);
}

/* To another chunk, which may have to be read and decoded; it costs the same if not: what was decoded is no
 * state. */
void eu_leave(struct eu_run *r)
{
    enum { CHUNK_INSTRUCTIONS = 128 };
    take(r, CHUNK_INSTRUCTIONS);
}

struct eu_op *eu_find(struct eu_run *r)
{
    const uint64_t ip = r->t->ip &= UINT32_MAX & ~(uint64_t)(EU_COMPACT_BYTES - 1);
    const uint64_t base = ip & ~(uint64_t)(EU_CHUNK_BYTES - 1);
    const unsigned offset = (unsigned)(ip - base);
    struct eu_chunk **const place = place_of(r->cache, ip);
    if (!*place)
        *place = calloc(1, sizeof **place);
    struct eu_chunk *const c = *place ? *place : &r->cache->own;
    if (!is_of(c, r, base) || !is_current(r, c) || offset < c->from || offset >= c->to)
        fill(r, c, base, offset);
    if (r->port->waited && *r->port->waited) { /* one instruction runs whatever it lasted */
        r->left = *r->port->waited < r->left ? r->left - *r->port->waited : 1;
        *r->port->waited = 0;
    }
    r->chunk = c;
    if (offset >= c->to)
        return eu_stop_at(r, ip, EU_EXCEPTION, "there is no instruction");
    return &c->ops[offset / EU_COMPACT_BYTES];
}

static struct eu_op *leave(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    r->left = left; /* no instruction */
    r->t->ip = eu_ip(r, op);
    eu_leave(r);
    return NULL;
}

/* ---- Slots ---- */

uint32_t eu_waiting_at(const struct eu_run *r, uint64_t ip)
{
    for (unsigned n = 0; n < r->waiting; n++)
        if (r->waits[n].ip == ip)
            return r->waits[n].channels;
    return 0;
}

static void wrap(struct eu_chunk *c, struct eu_op *op, uint8_t why)
{
    if (op->covered)
        eu_code_uncover(c, op);
    op->wrap |= why;
    op->run = wrapped;
}

/* Makes the instruction at `ip`, if it is decoded already, look for channels that wait there. */
static void mark(struct eu_run *r, uint64_t ip)
{
    const uint64_t base = ip & ~(uint64_t)(EU_CHUNK_BYTES - 1);
    struct eu_chunk *const kept = *place_of(r->cache, ip), *const c = kept ? kept : &r->cache->own;
    if (!is_of(c, r, base))
        return;
    struct eu_op *const op = &c->ops[(ip - base) / EU_COMPACT_BYTES];
    if (op->run != decode)
        wrap(c, op, WRAP_MERGE);
}

void eu_wait_at(struct eu_run *r, uint32_t channels, uint64_t ip)
{
    for (unsigned n = 0; n < r->waiting; n++)
        if (r->waits[n].ip == ip) {
            r->waits[n].channels |= channels;
            return;
        }
    r->waits[r->waiting].ip = ip;
    r->waits[r->waiting++].channels = channels;
    mark(r, ip);
}

/* Channels that wait at `ip` go on. */
static void merge(struct eu_run *r, uint64_t ip)
{
    for (unsigned n = 0; n < r->waiting; n++)
        if (r->waits[n].ip == ip) {
            r->t->active |= r->waits[n].channels;
            r->waits[n] = r->waits[--r->waiting];
            return;
        }
}

/* The last slot's instruction may go on behind the chunk. */
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

/* What an instruction takes of the budget besides itself: much if it is computed a channel at a time, where
 * no host has a fast handler, something if it is a function. The budget is the same on all hosts that have
 * any. */
static unsigned cost_of(struct eu_op *op)
{
    enum { FUNCTIONS_AN_INSTRUCTION = 2 };
    eu_handler *const handler = eu_handler_of(op);
    eu_fast *const fast = eu_levels[EU_LEVEL_V2];
    if (handler == eu_do_blocks)
        return (op->repeat + 1u) << op->depth << 1u;
    if ((handler == eu_do_values || handler == eu_do_move_address) && !(fast && fast(op)))
        return op->channels * INSTRUCTIONS_A_CHANNEL;
    return op->does == EU_MATH ? (op->channels + 1u) / FUNCTIONS_AN_INSTRUCTION : 0u;
}

/* Takes it, behind the instruction. */
static struct eu_op *take_cost(struct eu_run *r, struct eu_op *next, uint64_t cost)
{
    if (!cost || !next)
        return next;
    take(r, cost);
    r->t->ip = eu_ip(r, next);
    return NULL;
}

struct eu_op *eu_do_slowly(struct eu_run *r, struct eu_op *op)
{
    return take_cost(r, eu_do_values(r, op), op->channels * INSTRUCTIONS_A_CHANNEL);
}

struct eu_op *eu_do_apart(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    r->left = left - 1u;
    struct eu_op *const next = take_cost(r, op->apart(r, op), op->cost);
    if (!next)
        return NULL;
    EU_GO_ON(r, next, r->left);
}

static struct eu_op *decode(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    struct eu_chunk *const c = r->chunk;
    const unsigned slot = (unsigned)(op - c->ops), at = slot * EU_COMPACT_BYTES;
    uint8_t word[EU_NATIVE_BYTES];
    size_t there = (size_t)(c->to - at) < sizeof word ? (size_t)(c->to - at) : sizeof word;
    struct eu_instruction i;
    r->left = left; /* no instruction yet */
    memcpy(word, c->bytes + at, there);
    bool straddles = false;
    if (!eu_decode_to_run(r->t->set, word, there, &i)) {
        straddles = slot == EU_SLOTS - 1;
        if (straddles) {
            there += bytes_at(r, c->base + EU_CHUNK_BYTES, c->tail, EU_COMPACT_BYTES, NULL);
            memcpy(word + EU_COMPACT_BYTES, c->tail, EU_COMPACT_BYTES);
            c->tail_epoch = r->cache->epoch;
        }
        if (!straddles || !eu_decode_to_run(r->t->set, word, there, &i))
            return eu_stop_at(r, eu_ip(r, op), EU_EXCEPTION, "the kernel ends inside an instruction");
    }
    eu_prepare(r->t->set, &i, op);
    op->cost = (uint8_t)cost_of(op);
    op->apart = eu_handler_of(op);
    eu_step *const branch = eu_branch_of(op);
    op->real = branch ? branch : r->cache->apart;
    if (r->cache->fast)
        (void)r->cache->fast(op);
    op->run = op->plain = op->real;
    if (r->cache->code && !c->counts && !straddles)
        eu_code_begin(c, op, op->real == r->cache->apart);
    if (straddles)
        wrap(c, op, WRAP_STRADDLES);
    if (c->counts)
        wrap(c, op, WRAP_COUNTS);
    if (i.value[EU_BREAKPOINT] && op->does != EU_ILLEGAL)
        wrap(c, op, WRAP_BREAKPOINT);
    r->t->ip = eu_ip(r, op);
    if (eu_waiting_at(r, r->t->ip))
        wrap(c, op, WRAP_MERGE);
    return NULL;
}

/* What comes before the instruction itself. */
static struct eu_op *wrapped(struct eu_run *r, struct eu_op *op, uint64_t left)
{
    struct eu_thread *const t = r->t;
    if ((op->wrap & WRAP_STRADDLES) && !tail_is_current(r, r->chunk)) {
        r->left = left;
        t->ip = eu_ip(r, op);
        *op = (struct eu_op){.run = decode};
        return NULL;
    }
    if ((op->wrap & WRAP_MERGE) && r->waiting)
        merge(r, eu_ip(r, op));
    if ((op->wrap & WRAP_BREAKPOINT) && (t->control[1] & CR1_BREAKPOINT_ENABLE) && t->sip &&
        !(t->control[0] & CR0_MASTER)) {
        if (!(t->control[0] & CR0_SUPPRESS)) {
            t->control[1] |= CR1_BREAKPOINT;
            t->control[2] = (uint32_t)eu_ip(r, op);
            t->control[0] |= CR0_MASTER;
            r->left = left - 1u;
            return eu_jump(r, t->sip);
        }
        t->control[0] &= ~(uint32_t)CR0_SUPPRESS;
    }
    if (op->wrap & WRAP_COUNTS)
        r->port->ran[op->kind]++;
    EU_STEP(op->real, r, op, left);
}
