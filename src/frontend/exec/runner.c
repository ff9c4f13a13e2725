/* A thread that goes on with submissions while no call of the program does, as long as there are any. */
#include "frontend/exec/exec.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static _Atomic unsigned waiting; /* calls, for the lock */

int exec_take(void)
{
    int cancel_state = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    atomic_fetch_add(&waiting, 1);
    pthread_mutex_lock(&exec_lock);
    atomic_fetch_sub(&waiting, 1);
    return cancel_state;
}

void exec_give(int cancel_state)
{
    pthread_mutex_unlock(&exec_lock);
    pthread_setcancelstate(cancel_state, NULL);
}

void runner_forked(void)
{
    atomic_store(&waiting, 0);
}

/* The lock is that of who waits for it. */
static void let_others(void)
{
    enum { MOMENT_NS = 50000, MOST = 20000 };
    const struct timespec moment = {.tv_nsec = MOMENT_NS};
    pthread_mutex_unlock(&exec_lock);
    for (unsigned i = 0; atomic_load(&waiting) && i < MOST; i++)
        nanosleep(&moment, NULL);
    pthread_mutex_lock(&exec_lock);
}

void runner_nap(const struct gpu *g, bool more, int64_t most_ns)
{
    enum { LOOK_NS = 1000000 };
    struct timespec at;
    if (more) {
        let_others();
        return;
    }
    /* A signal of a thread of ours ends it; memory is looked at now and then. */
    const int64_t look_ns = gpu_any_left(g) ? LOOK_NS : 100 * (int64_t)LOOK_NS;
    clock_gettime(CLOCK_REALTIME, &at);
    const int64_t ns = at.tv_nsec + (most_ns < look_ns ? most_ns : look_ns);
    at.tv_sec += ns / 1000000000;
    at.tv_nsec = ns % 1000000000;
    pthread_cond_timedwait(&exec_changed, &exec_lock, &at);
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
