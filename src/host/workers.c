#include "host/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- Worker threads ---- */

struct work {
    unsigned count;
    void (*job)(void *context, unsigned thread, unsigned index);
    void *context;
    atomic_uint next;
};

struct worker {
    struct workers *all;
    pthread_t thread;
    unsigned number;
};

struct workers {
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t begins, ended;
    struct work work;
    uint64_t run;  /* number of the current run */
    unsigned busy; /* threads that have not seen this run yet, or work on it */
    bool ends;
    unsigned started; /* worker threads, without the caller's */
    unsigned there;   /* worker threads that reached their wait for a run */
    unsigned threads;
    pthread_mutex_t guard; /* the lock of the port */
    struct worker workers[];
};

static void take_part(struct work *work, unsigned thread)
{
    unsigned index;
    while ((index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed)) < work->count)
        work->job(work->context, thread, index);
}

static void *work(void *user)
{
    const struct worker *const me = user;
    struct workers *const w = me->all;
    uint64_t seen = 0;
    pthread_mutex_lock(&w->lock);
    w->there++;
    pthread_cond_signal(&w->ended);
    for (;;) {
        while (w->run == seen && !w->ends)
            pthread_cond_wait(&w->begins, &w->lock);
        if (w->ends)
            break;
        seen = w->run;
        pthread_mutex_unlock(&w->lock);
        take_part(&w->work, me->number);
        pthread_mutex_lock(&w->lock);
        if (!--w->busy)
            pthread_cond_signal(&w->ended);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- The port ---- */

static void begin_jobs(void *user, unsigned count,
                       void (*job)(void *context, unsigned thread, unsigned index), void *context)
{
    struct workers *const w = user;
    pthread_mutex_lock(&w->lock);
    w->work.count = count;
    w->work.job = job;
    w->work.context = context;
    atomic_store_explicit(&w->work.next, 0, memory_order_relaxed);
    w->busy = w->started;
    w->run++;
    pthread_cond_broadcast(&w->begins);
    pthread_mutex_unlock(&w->lock);
}

static void end_jobs(void *user)
{
    struct workers *const w = user;
    take_part(&w->work, 0);
    pthread_mutex_lock(&w->lock);
    while (w->busy)
        pthread_cond_wait(&w->ended, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

static void run_jobs(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                     void *context)
{
    begin_jobs(user, count, job, context);
    end_jobs(user);
}

static void lock(void *user)
{
    struct workers *const w = user;
    pthread_mutex_lock(&w->guard);
}

static void unlock(void *user)
{
    struct workers *const w = user;
    pthread_mutex_unlock(&w->guard);
}

struct softgt_parallel_port workers_port(struct workers *w)
{
    return w ? (struct softgt_parallel_port){w, w->threads, run_jobs, lock, unlock}
             : (struct softgt_parallel_port){0};
}

struct softgt_background_port workers_background_port(void)
{
    return (struct softgt_background_port){begin_jobs, end_jobs};
}

/* ---- Creation ---- */

/* Signals are for the program's own threads, except those that an access of the worker raises. */
void workers_start(struct workers *w)
{
    static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL};
    sigset_t all, before;
    if (!w)
        return;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (w->started + 1u < w->threads) {
        struct worker *const next = &w->workers[w->started];
        *next = (struct worker){.all = w, .number = w->started + 1u};
        if (pthread_create(&next->thread, NULL, work, next) != 0)
            break;
        w->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    /* Waits for the threads: a sandbox that follows allows no new ones. */
    pthread_mutex_lock(&w->lock);
    while (w->there < w->started)
        pthread_cond_wait(&w->ended, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

static void workers_begin(struct workers *w)
{
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&w->guard, &again);
    pthread_mutexattr_destroy(&again);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->begins, NULL);
    pthread_cond_init(&w->ended, NULL);
    w->started = w->there = 0;
    w->run = 0;
}

struct workers *workers_prepare(unsigned threads)
{
    struct workers *const w = calloc(1, sizeof *w + threads * sizeof w->workers[0]);
    if (w) {
        w->threads = threads;
        workers_begin(w);
    }
    return w;
}

struct workers *workers_create(unsigned threads)
{
    struct workers *const w = workers_prepare(threads);
    workers_start(w);
    return w;
}

void workers_forked(struct workers *w)
{
    workers_begin(w);
    workers_start(w);
}

void workers_destroy(struct workers *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    pthread_cond_broadcast(&w->begins);
    pthread_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->started; i++)
        pthread_join(w->workers[i].thread, NULL);
    pthread_cond_destroy(&w->begins);
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    pthread_mutex_destroy(&w->guard);
    free(w);
}
