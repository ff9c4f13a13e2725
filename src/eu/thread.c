#include "eu/execute.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/*
 * A thread's start, its way through its kernel, and what makes it stop.
 */

void eu_thread_start(struct eu_thread *t, const struct eu_set *set, uint64_t ip, uint32_t channels)
{
    *t = (struct eu_thread){.set = set,
                            .ip = ip,
                            .dispatched = channels,
                            .active = channels,
                            .large = set->payload_registers != 0};
    t->state[2] = t->state[3] = channels;
}

void eu_thread_start_again(struct eu_thread *t, const struct eu_set *set, uint64_t ip, uint32_t channels)
{
    const size_t behind = offsetof(struct eu_thread, accumulators);
    _Static_assert(sizeof *t % 64 == 0, "threads side by side begin where vectors do");
    memset(t->grf, 0, t->large ? EU_FILE_BYTES : EU_SMALL_FILE);
    memset((uint8_t *)t + behind, 0, sizeof *t - behind);
    t->set = set;
    t->ip = ip;
    t->large = set->payload_registers != 0;
    t->dispatched = t->active = t->state[2] = t->state[3] = channels;
}

void eu_thread_notify(struct eu_thread *t, unsigned which)
{
    if (which < sizeof t->notifications / sizeof t->notifications[0])
        t->notifications[which]++;
}

/* ---- How floats round ---- */

/* The host's own floats are the fast handlers': as the thread's cr0 says while they run, as C has them for
 * all else. */
#if defined(__x86_64__)
enum { MODE_BITS = 0xe040, ZERO_DENORMALS = 0x8040, ROUNDING_SHIFT = 13 };

static uint32_t host_mode(void)
{
    return _mm_getcsr();
}

static uint32_t thread_mode(const struct eu_thread *t, uint32_t host)
{
    static const uint32_t ways[] = {
        [ROUND_NEAREST] = 0, [ROUND_DOWN] = 1, [ROUND_UP] = 2, [ROUND_TO_ZERO] = 3};
    return (host & ~(uint32_t)MODE_BITS) | ways[eu_rounding(t)] << ROUNDING_SHIFT |
           (eu_flushes(t, TYPE_F) ? (uint32_t)ZERO_DENORMALS : 0);
}

static void set_mode(uint32_t mode)
{
    _mm_setcsr(mode);
}
#else
static uint32_t host_mode(void)
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

void eu_round_as(struct eu_run *r, unsigned whose)
{
    set_mode(whose == HOST_ROUNDS ? r->host_mode : r->thread_mode);
    r->rounding = (uint8_t)whose;
}

static void learn_mode(struct eu_run *r)
{
    r->thread_mode = thread_mode(r->t, r->host_mode);
    const bool is_same = r->thread_mode == r->host_mode && !(r->t->control[0] & CR0_ALTERNATIVE);
    r->rounding = is_same ? HOST_ROUNDS | THREAD_ROUNDS : HOST_ROUNDS;
}

/* ---- Stops ---- */

struct eu_op *eu_stop_at(struct eu_run *r, uint64_t ip, enum eu_stop stop, const char *why)
{
    r->t->ip = ip;
    r->t->stop = (uint8_t)stop;
    r->t->why = why;
    r->stopped = true;
    return NULL;
}

struct eu_op *eu_not_yet(struct eu_run *r, const struct eu_op *op)
{
    r->left++;
    if (r->port->ran)
        r->port->ran[op->kind]--;
    return eu_stop_at(r, eu_ip(r, op), EU_WAITS, NULL);
}

static struct eu_op *enter_system_routine(struct eu_run *r, uint64_t back)
{
    r->t->control[2] = (uint32_t)back;
    r->t->control[0] |= CR0_MASTER;
    return eu_jump(r, r->t->sip);
}

struct eu_op *eu_raise(struct eu_run *r, const struct eu_op *op, const char *why)
{
    struct eu_thread *const t = r->t;
    const bool enabled = t->control[1] & CR1_ILLEGAL_ENABLE;
    t->control[1] |= CR1_ILLEGAL;
    if (enabled && t->sip && !(t->control[0] & CR0_MASTER))
        return enter_system_routine(r, eu_ip(r, op));
    return eu_stop_at(r, eu_ip(r, op), EU_EXCEPTION, why);
}

struct eu_op *eu_control_written(struct eu_run *r, struct eu_op *op, uint32_t master_before)
{
    struct eu_thread *const t = r->t;
    const bool in_routine = master_before & CR0_MASTER, leaves = in_routine && !(t->control[0] & CR0_MASTER);
    eu_round_as_host(r);
    if (!in_routine)
        t->control[0] &= ~CR0_MASTER; /* software does not set it */
    learn_mode(r);
    if (leaves)
        return eu_jump(r, t->control[2]);
    if (!in_routine && t->sip && (t->control[1] & CR1_SOFTWARE) && (t->control[1] & CR1_SOFTWARE_ENABLE))
        return enter_system_routine(r, eu_ip(r, op + op->step));
    return op + op->step;
}

/* ---- Runs ---- */

static void run(struct eu_run *r)
{
    struct eu_thread *const t = r->t;
    t->stop = EU_BUDGET;
    t->why = NULL;
    if (!r->port->goes_on)
        r->cache->epoch++;
    for (uint32_t others = t->dispatched & ~t->active; others; others &= others - 1u)
        eu_wait_at(r, others & -others, t->resume[__builtin_ctz(others)]);
    while (!r->stopped && r->left) {
        struct eu_op *op = eu_find(r);
        r->given = r->left;
        while (op && r->left)
            op = op->run(r, op, r->left);
        eu_count(t, r->given - r->left);
        if (op)
            t->ip = eu_ip(r, op);
    }
    eu_round_as_host(r);
}

enum eu_stop eu_thread_run(struct eu_thread *t, const struct eu_port *port, uint64_t *budget)
{
    struct eu_run r; /* not all of it: what waits is much, and seldom */
    if (t->stop == EU_ENDED || t->stop == EU_EXCEPTION)
        return (enum eu_stop)t->stop;
    r.t = t;
    r.port = port;
    r.chunk = NULL;
    r.left = *budget;
    r.stopped = false;
    r.host_mode = host_mode();
    r.waiting = 0;
    r.cache = port->cache ? port->cache : eu_cache_create_at(EU_LEVEL_NONE);
    if (!r.cache)
        return EU_BUDGET; /* no memory: nothing has run */
    learn_mode(&r);
    run(&r);
    if (!port->cache)
        eu_cache_destroy(r.cache);
    *budget = r.left;
    return (enum eu_stop)t->stop;
}

/* ---- State ---- */

void eu_thread_state(struct eu_thread *t, struct state *s)
{
    STATE(s, t->grf);
    STATE(s, t->accumulators);
    STATE(s, t->flags);
    STATE(s, t->addresses);
    STATE(s, t->state);
    STATE(s, t->control);
    STATE(s, t->notifications);
    STATE(s, t->timestamp);
    STATE(s, t->sip);
    STATE(s, t->ip);
    STATE(s, t->dispatched);
    STATE(s, t->active);
    STATE_ARRAY(s, t->resume);
    STATE(s, t->large);
    STATE(s, t->stop);
    STATE(s, t->instructions);
    STATE(s, t->lent);
    STATE(s, t->met);
    STATE(s, t->meets);
    state_check(s, !(t->active & ~t->dispatched) && t->stop <= EU_EXCEPTION);
    t->why = NULL;
}
