/* A thread that goes on with submissions while no call of the program does, as long as there are any. */
#include "shim/exec.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static _Atomic unsigned waiting; /* calls, for the lock */

/*
 * Signals come when the thread has no lock: a handler may call the device, or leave the call by siglongjmp.
 * Those that tell of a fault come at once, as they do within a call of the kernel's.
 */
static __thread struct {
    unsigned depth;
    int cancel_state;
    sigset_t mask;
} taken __attribute__((tls_model("initial-exec")));

static void hold_signals(sigset_t *before)
{
    static const int at_once[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigset_t set;
    sigfillset(&set);
    for (unsigned i = 0; i < sizeof at_once / sizeof at_once[0]; i++)
        sigdelset(&set, at_once[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

int exec_take(void)
{
    int cancel_state = PTHREAD_CANCEL_ENABLE;
    sigset_t before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    if (!taken.depth)
        hold_signals(&before);
    atomic_fetch_add(&waiting, 1);
    pthread_mutex_lock(&exec_lock);
    atomic_fetch_sub(&waiting, 1);
    if (!taken.depth++) {
        taken.mask = before;
        taken.cancel_state = cancel_state;
    }
    return cancel_state;
}

static void give_rest(int cancel_state)
{
    const sigset_t before = taken.mask;
    if (!--taken.depth)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel_state, NULL);
}

void exec_give(int cancel_state)
{
    pthread_mutex_unlock(&exec_lock);
    give_rest(cancel_state);
}

void runner_forked(int cancel_state)
{
    atomic_store(&waiting, 0);
    give_rest(cancel_state);
}

/* Without the lock: signals that came meanwhile. Whoever leaves by one has given all back. */
static void let_signals_in(void)
{
    sigset_t before = taken.mask;
    int cancel_state = taken.cancel_state;
    if (taken.depth != 1)
        return;
    taken.depth = 0;
    pthread_setcancelstate(cancel_state, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    hold_signals(&before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    taken.depth = 1;
    taken.mask = before;
    taken.cancel_state = cancel_state;
}

/* The lock is that of who waits for it. */
static void let_others(void)
{
    enum { MOMENT_NS = 50000, MOST = 20000 };
    const struct timespec moment = {.tv_nsec = MOMENT_NS};
    pthread_mutex_unlock(&exec_lock);
    let_signals_in();
    for (unsigned i = 0; atomic_load(&waiting) && i < MOST; i++)
        nanosleep(&moment, NULL);
    pthread_mutex_lock(&exec_lock);
}

void runner_nap(const struct gpu *g, bool more, int64_t most_ns)
{
    enum { LOOK_NS = 1000000, LOOKS_OF_NOTHING = 20 };
    struct timespec at;
    if (more) {
        let_others();
        return;
    }
    /* What another thread does ends it; memory and signals are looked at now and then. */
    const int64_t look_ns = gpu_any_left(g) ? LOOK_NS : LOOKS_OF_NOTHING * (int64_t)LOOK_NS;
    clock_gettime(CLOCK_REALTIME, &at);
    const int64_t ns = at.tv_nsec + (most_ns < look_ns ? most_ns : look_ns);
    at.tv_sec += ns / 1000000000;
    at.tv_nsec = ns % 1000000000;
    pthread_cond_timedwait(&exec_changed, &exec_lock, &at);
    if (taken.depth == 1) {
        pthread_mutex_unlock(&exec_lock);
        let_signals_in();
        pthread_mutex_lock(&exec_lock);
    }
}

static void *run(void *user)
{
    struct gpu *g = user;
    pthread_mutex_lock(&exec_lock);
    while (!g->stopped && gpu_any_left(g))
        runner_nap(g, gpu_go_on(g), INT64_MAX);
    g->runner = false;
    pthread_mutex_unlock(&exec_lock);
    return NULL;
}

void runner_start(struct gpu *g)
{
    pthread_t thread;
    sigset_t all, before;
    if (g->runner || g->stopped)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's */
    g->runner = pthread_create(&thread, NULL, run, g) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (g->runner)
        pthread_detach(thread);
}
