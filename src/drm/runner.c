/*
 * The lock for calls, and a thread that runs jobs while no call does. The thread ends when there are no jobs.
 */
#include "drm/drm_core.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static _Atomic unsigned lock_waiters; /* calls that wait for the lock */

/* Signals are delivered while the thread does not hold the lock: a handler may call the device, or leave the
 * call by siglongjmp. Fault signals are delivered at once. */
static __thread struct {
    unsigned depth;
    int cancel_state;
    sigset_t mask;
} lock_state __attribute__((tls_model("initial-exec")));

static void hold_signals(sigset_t *before)
{
    static const int at_once[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    sigset_t set;
    sigfillset(&set);
    for (unsigned i = 0; i < sizeof at_once / sizeof at_once[0]; i++)
        sigdelset(&set, at_once[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

bool runner_lets_faults_in(void)
{
    return lock_state.depth && sigismember(&lock_state.mask, SIGSEGV) == 0 &&
           sigismember(&lock_state.mask, SIGBUS) == 0;
}

int shim_lock(void)
{
    int cancel_state = PTHREAD_CANCEL_ENABLE;
    sigset_t before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    if (!lock_state.depth)
        hold_signals(&before);
    atomic_fetch_add(&lock_waiters, 1);
    pthread_mutex_lock(&shim_mutex);
    atomic_fetch_sub(&lock_waiters, 1);
    if (!lock_state.depth++) {
        lock_state.mask = before;
        lock_state.cancel_state = cancel_state;
    }
    return cancel_state;
}

static void restore_signals(int cancel_state)
{
    const sigset_t before = lock_state.mask;
    if (!--lock_state.depth)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel_state, NULL);
}

void shim_unlock(int cancel_state)
{
    pthread_mutex_unlock(&shim_mutex);
    restore_signals(cancel_state);
}

void runner_forked(int cancel_state)
{
    atomic_store(&lock_waiters, 0);
    restore_signals(cancel_state);
}

/* Delivers pending signals, without the lock. A handler that leaves by siglongjmp holds nothing. */
static void let_signals_in(void)
{
    sigset_t before = lock_state.mask;
    int cancel_state = lock_state.cancel_state;
    if (lock_state.depth != 1)
        return;
    lock_state.depth = 0;
    pthread_setcancelstate(cancel_state, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    hold_signals(&before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    lock_state.depth = 1;
    lock_state.mask = before;
    lock_state.cancel_state = cancel_state;
}

/* Lets threads that wait for the lock have it. */
static void yield_lock(void)
{
    enum { MOMENT_NS = 50000, MOST = 20000 };
    const struct timespec moment = {.tv_nsec = MOMENT_NS};
    pthread_mutex_unlock(&shim_mutex);
    let_signals_in();
    for (unsigned i = 0; atomic_load(&lock_waiters) && i < MOST; i++)
        nanosleep(&moment, NULL);
    pthread_mutex_lock(&shim_mutex);
}

void runner_wait(const struct shim_device *g, bool more, int64_t most_ns)
{
    enum { LOOK_NS = 1000000, LOOKS_OF_NOTHING = 20 };
    struct timespec at;
    if (more) {
        yield_lock();
        return;
    }
    /* Another thread's work ends the wait. Memory and signals are checked now and then. */
    const int64_t look_ns = gpu_has_pending(g) ? LOOK_NS : LOOKS_OF_NOTHING * (int64_t)LOOK_NS;
    clock_gettime(CLOCK_REALTIME, &at);
    const int64_t ns = at.tv_nsec + (most_ns < look_ns ? most_ns : look_ns);
    at.tv_sec += ns / 1000000000;
    at.tv_nsec = ns % 1000000000;
    pthread_cond_timedwait(&shim_fence_signaled, &shim_mutex, &at);
    if (lock_state.depth == 1) {
        pthread_mutex_unlock(&shim_mutex);
        let_signals_in();
        pthread_mutex_lock(&shim_mutex);
    }
}

static void *runner_thread(void *user)
{
    struct shim_device *g = user;
    guard_thread();
    pthread_mutex_lock(&shim_mutex);
    while (!g->runner_stopped && gpu_has_pending(g))
        runner_wait(g, gpu_run_pending(g), INT64_MAX);
    g->has_runner = false;
    pthread_mutex_unlock(&shim_mutex);
    return NULL;
}

void runner_start(struct shim_device *g)
{
    pthread_t thread;
    sigset_t all, before;
    if (g->has_runner || g->runner_stopped)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the program's own threads */
    g->has_runner = pthread_create(&thread, NULL, runner_thread, g) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (g->has_runner)
        pthread_detach(thread);
}
