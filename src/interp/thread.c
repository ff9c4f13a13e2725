/*
 * Start of a thread, its run loop, stops and exceptions, and its saved state.
 */
#include "interp/execute.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define ALL_64 UINT64_MAX
_Static_assert(EU_GRF_ROWS == 8 * 64, "each of them has a bit here");
const struct eu_dirty eu_all_dirty = {
    .registers = {ALL_64, ALL_64, ALL_64, ALL_64, ALL_64, ALL_64, ALL_64, ALL_64},
    .rare = true,
    .channel_ip = true};

void eu_thread_start(struct eu_thread *t, const struct eu_isa *set, uint64_t ip, uint32_t channels)
{
    *t = (struct eu_thread){.isa = set,
                            .ip = ip,
                            .dispatch_mask = channels,
                            .execution_mask = channels,
                            .grf_rows = eu_grf_rows(set, false),
                            .dirty = eu_all_dirty};
    t->sr0[2] = t->sr0[3] = channels;
}

/* Clears the registers that may be other than zero. A thread has not written beyond its GRF. */
static void clear_registers(struct eu_thread *t)
{
    for (unsigned n = 0; n < t->grf_rows / 64u; n++) {
        uint8_t *const part = t->grf + n * 64u * EU_REGISTER_BYTES;
        uint64_t left = t->dirty.registers[n];
        if (left == UINT64_MAX) {
            memset(part, 0, (size_t)64 * EU_REGISTER_BYTES);
            continue;
        }
        while (left) { /* registers are dirty in runs */
            const unsigned first = (unsigned)__builtin_ctzll(left),
                           run = (unsigned)__builtin_ctzll(~(left >> first));
            memset(part + first * EU_REGISTER_BYTES, 0, (size_t)run * EU_REGISTER_BYTES);
            left &= ~(((UINT64_C(1) << run) - 1u) << first);
        }
    }
}

void eu_thread_has_payload(struct eu_thread *t, unsigned registers)
{
    t->dirty = (struct eu_dirty){.rare = false};
    for (unsigned n = 0; n < EU_GRF_ROWS / 64u && registers > n * 64u; n++)
        t->dirty.registers[n] =
            registers - n * 64u >= 64 ? UINT64_MAX : (UINT64_C(1) << (registers - n * 64u)) - 1u;
}

void eu_thread_restart(struct eu_thread *t, const struct eu_isa *set, uint64_t ip, uint32_t channels)
{
    const size_t tail = offsetof(struct eu_thread, flag);
    _Static_assert(sizeof *t % 64 == 0, "threads side by side begin where vectors do");
    clear_registers(t);
    eu_thread_clear_rare(t);
    memset((uint8_t *)t + tail, 0, sizeof *t - tail);
    t->dirty = eu_all_dirty;
    t->isa = set;
    t->ip = ip;
    t->grf_rows = eu_grf_rows(set, false);
    t->dispatch_mask = t->execution_mask = t->sr0[2] = t->sr0[3] = channels;
}

void eu_thread_notify(struct eu_thread *t, unsigned which)
{
    if (which < sizeof t->n0 / sizeof t->n0[0])
        t->n0[which]++;
}

/* ---- How floats round ---- */

/* The host's MXCSR. Vector handlers run with the thread's mode of cr0, all other code with the host's. */
#if defined(__x86_64__)
enum { MODE_BITS = 0xe040, ZERO_DENORMALS = 0x8040, ROUNDING_SHIFT = 13 };

uint32_t eu_host_mode(void)
{
    return _mm_getcsr();
}

static uint32_t thread_mode(const struct eu_thread *t, uint32_t host)
{
    static const uint32_t mxcsr_rounding[] = {
        [ROUND_NEAREST] = 0, [ROUND_DOWN] = 1, [ROUND_UP] = 2, [ROUND_TO_ZERO] = 3};
    return (host & ~(uint32_t)MODE_BITS) | mxcsr_rounding[eu_thread_rounding(t)] << ROUNDING_SHIFT |
           (eu_flushes_denormals(t, TYPE_F) ? (uint32_t)ZERO_DENORMALS : 0);
}

static void set_mode(uint32_t mode)
{
    _mm_setcsr(mode);
}
#else
uint32_t eu_host_mode(void)
{
    return 0;
}

static uint32_t thread_mode(const struct eu_thread *t, uint32_t host)
{
    (void)t;
    return host;
}

static void set_mode(uint32_t mode)
{
    (void)mode;
}
#endif

void eu_set_rounding(struct eu_run *r, unsigned whose)
{
    set_mode(whose == ROUNDING_HOST ? r->host_mxcsr : r->thread_mxcsr);
    r->rounding = (uint8_t)whose;
}

static void update_rounding(struct eu_run *r)
{
    const uint32_t cr0 = r->t->cr0[0];
    const size_t which = (cr0 ^ cr0 >> 6) % EU_CACHED_MODES;
    if (r->cache->modes[which].isa != r->t->isa || r->cache->modes[which].cr0 != cr0 ||
        r->cache->modes[which].host != r->host_mxcsr) {
        r->cache->modes[which].isa = r->t->isa;
        r->cache->modes[which].cr0 = cr0;
        r->cache->modes[which].host = r->host_mxcsr;
        r->cache->modes[which].thread = thread_mode(r->t, r->host_mxcsr);
    }
    r->thread_mxcsr = r->cache->modes[which].thread;
    const bool is_same = r->thread_mxcsr == r->host_mxcsr && !(r->t->cr0[0] & CR0_ALT_FP_MODE);
    r->rounding = is_same ? ROUNDING_HOST | ROUNDING_THREAD : ROUNDING_HOST;
}

/* ---- Stops ---- */

struct eu_decoded *eu_stop_at(struct eu_run *r, uint64_t ip, enum eu_stop stop, const char *why)
{
    r->t->ip = ip;
    r->t->stop = (uint8_t)stop;
    r->t->why = why;
    r->stopped = true;
    return NULL;
}

struct eu_decoded *eu_block_thread(struct eu_run *r, const struct eu_decoded *op)
{
    r->budget++;
    if (r->port->kind_counts)
        r->port->kind_counts[op->beside.instruction_kind]--;
    return eu_stop_at(r, eu_ip(r, op), EU_WAITS, NULL);
}

static struct eu_decoded *enter_system_routine(struct eu_run *r, uint64_t back)
{
    r->t->cr0[2] = (uint32_t)back;
    r->t->cr0[0] |= CR0_MASTER;
    return eu_jump_to(r, r->t->sip);
}

struct eu_decoded *eu_raise(struct eu_run *r, const struct eu_decoded *op, const char *why)
{
    struct eu_thread *const t = r->t;
    const bool enabled = t->cr0[1] & CR1_ILLEGAL_ENABLE;
    t->cr0[1] |= CR1_ILLEGAL;
    if (enabled && t->sip && !(t->cr0[0] & CR0_MASTER))
        return enter_system_routine(r, eu_ip(r, op));
    return eu_stop_at(r, eu_ip(r, op), EU_EXCEPTION, why);
}

struct eu_decoded *eu_cr0_written(struct eu_run *r, struct eu_decoded *op, uint32_t master_before)
{
    struct eu_thread *const t = r->t;
    const bool in_routine = master_before & CR0_MASTER, leaves = in_routine && !(t->cr0[0] & CR0_MASTER);
    eu_set_host_rounding(r);
    if (!in_routine)
        t->cr0[0] &= ~CR0_MASTER; /* software cannot set it */
    update_rounding(r);
    if (leaves)
        return eu_jump_to(r, t->cr0[2]);
    if (!in_routine && t->sip && (t->cr0[1] & CR1_SOFTWARE) && (t->cr0[1] & CR1_SOFTWARE_ENABLE))
        return enter_system_routine(r, eu_ip(r, op + op->slots));
    return op + op->slots;
}

/* ---- Runs ---- */

/* Runs from the thread's instruction on, until the thread stops or the budget is used. */
static void run_from(struct eu_run *r, struct eu_decoded *op)
{
    struct eu_thread *const t = r->t;
    for (;; op = eu_find_decoded(r)) {
        r->budget_counted = r->budget;
        while (op && r->budget)
            op = op->handler(r, op, r->budget);
        eu_count_instructions(t, r->budget_counted - r->budget);
        if (op)
            t->ip = eu_ip(r, op);
        if (r->stopped || !r->budget)
            break;
    }
    eu_set_host_rounding(r);
    eu_note_writes(r);
}

static void run_chunks(struct eu_run *r)
{
    struct eu_thread *const t = r->t;
    t->stop = EU_BUDGET;
    t->why = NULL;
    if (!r->port->cache_is_warm)
        r->cache->epoch++;
    for (uint32_t others = t->dispatch_mask & ~t->execution_mask; others; others &= others - 1u)
        eu_park_channels(r, others & -others, t->channel_ip[__builtin_ctz(others)]);
    run_from(r, r->budget ? eu_find_decoded(r) : NULL);
}

/* `waits` is not cleared: it is large and seldom used. */
static void run_init(struct eu_run *r, struct eu_thread *t, const struct eu_port *port)
{
    r->t = t;
    r->port = port;
    r->chunk = NULL;
    r->stopped = false;
    r->host_mxcsr = port->host_mode ? port->host_mode : eu_host_mode();
    r->wait_count = 0;
    r->cache = port->cache;
}

enum eu_stop eu_thread_run(struct eu_thread *t, const struct eu_port *port, uint64_t *budget)
{
    struct eu_run r;
    if (t->stop == EU_ENDED || t->stop == EU_EXCEPTION)
        return (enum eu_stop)t->stop;
    run_init(&r, t, port);
    r.budget = *budget;
    update_rounding(&r);
    run_chunks(&r);
    *budget = r.budget;
    return (enum eu_stop)t->stop;
}

void eu_repeat_begin(struct eu_repeat *p, struct eu_thread *t, const struct eu_port *port)
{
    run_init(&p->run, t, port);
    p->first = NULL;
    if (!port->cache_is_warm)
        port->cache->epoch++;
}

/* The instruction where all threads begin. Other kernels may have taken its chunk of the cache. */
static struct eu_decoded *first_instruction(struct eu_repeat *p)
{
    struct eu_run *const r = &p->run;
    if (p->first && p->chunk->base == p->base && p->chunk->isa == r->t->isa && p->ip == r->t->ip) {
        r->chunk = p->chunk;
        return p->first;
    }
    p->ip = r->t->ip;
    p->first = eu_find_decoded(r);
    p->chunk = r->chunk;
    p->base = r->chunk->base;
    return p->first;
}

enum eu_stop eu_repeat_run(struct eu_repeat *p, uint64_t *budget)
{
    struct eu_run *const r = &p->run;
    struct eu_thread *const t = r->t;
    t->stop = EU_BUDGET;
    t->why = NULL;
    r->stopped = false;
    r->wait_count = 0;
    r->budget = *budget;
    if (p->first && p->cr0 == t->cr0[0]) {
        r->thread_mxcsr = p->thread_mxcsr;
        r->rounding = p->rounding;
    } else {
        update_rounding(r);
        p->cr0 = t->cr0[0];
        p->thread_mxcsr = r->thread_mxcsr;
        p->rounding = r->rounding;
    }
    run_from(r, first_instruction(p));
    *budget = r->budget;
    return (enum eu_stop)t->stop;
}

/* ---- State ---- */

void eu_thread_state(struct eu_thread *t, struct state *s)
{
    STATE(s, t->grf);
    STATE(s, t->accumulator);
    STATE(s, t->flag);
    STATE(s, t->address);
    STATE(s, t->sr0);
    STATE(s, t->cr0);
    STATE(s, t->n0);
    STATE(s, t->tm0);
    STATE(s, t->sip);
    STATE(s, t->ip);
    STATE(s, t->dispatch_mask);
    STATE(s, t->execution_mask);
    STATE_ARRAY(s, t->channel_ip);
    STATE(s, t->grf_rows);
    STATE(s, t->stop);
    STATE(s, t->instruction_count);
    STATE(s, t->dpasw_shared_operand);
    STATE(s, t->dpasw_count);
    STATE(s, t->dpasw_waiting);
    state_check(s, !(t->execution_mask & ~t->dispatch_mask) && t->stop <= EU_EXCEPTION &&
                       (s->saving || t->grf_rows == eu_grf_rows(t->isa, false) ||
                        t->grf_rows == eu_grf_rows(t->isa, true)));
    if (!s->saving)
        t->dirty = eu_all_dirty;
    t->why = NULL;
}
