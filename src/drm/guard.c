/*
 * Faults of the model on the program's memory. The memory may disappear while the device uses it: free()
 * unmaps it, or another thread truncates a file.
 *
 * The fault handler lends pages of zeros in place of missing pages until the device ends its time slice. Then
 * the mappings are restored, and the object reads zeros (zero_pages) while it is in use. All other faults go
 * to the program's own handlers.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "drm/drm_core.h"

enum { MOST_LENT = 4096, FAULTS = 2 };
static const int faults[FAULTS] = {SIGSEGV, SIGBUS};

struct lent {
    uintptr_t address, size_bytes;
    uintptr_t aside; /* where the program's own pages are kept; 0: it had none */
};

static struct {
    struct shim_device *gpu; /* NULL: the model does not run */
    struct sigaction before[FAULTS];
    sigset_t mask; /* of the thread; only if `unblocks` */
    bool unblocks; /* it had blocked fault signals, perhaps */
    struct lent lent[MOST_LENT];
    unsigned count;
    uintptr_t next_bytes; /* size of the next loan: it grows with consecutive faults */
} guard;
static _Atomic uintptr_t moving, moving_end; /* number of pages kept aside */
static atomic_flag lending = ATOMIC_FLAG_INIT;

/* Protects `before` and the process's handlers; held for a moment, with all signals blocked. */
static atomic_flag acting = ATOMIC_FLAG_INIT;
static int (*real_action)(int number, const struct sigaction *action, struct sigaction *before);
static pid_t acts; /* the process that has this library's handlers; 0: none */

/* This thread always takes fault signals. */
static __thread bool takes_faults __attribute__((tls_model("initial-exec")));
/* This thread runs the model. */
static __thread bool models __attribute__((tls_model("initial-exec")));

/* ---- Lending: in a signal handler, so with system calls only ---- */

static uintptr_t map_pages(uintptr_t size_bytes, int protection)
{
    const long p = syscall(SYS_mmap, NULL, size_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == -1 ? 0 : (uintptr_t)p;
}

static bool move_pages(uintptr_t from, uintptr_t size_bytes, uintptr_t to)
{
    return syscall(SYS_mremap, from, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != -1;
}

/* Lends pages at an address where nothing is mapped. */
static bool lend_new(uintptr_t at, uintptr_t size_bytes)
{
    const long p = syscall(SYS_mmap, at, size_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != -1 && (uintptr_t)p != at) /* before Linux 4.17 MAP_FIXED_NOREPLACE is only a hint */
        syscall(SYS_munmap, p, size_bytes);
    return (uintptr_t)p == at;
}

/* Lends copies in place of pages without read or write permission. Other threads may read them. */
static bool lend_instead(uintptr_t at, uintptr_t size_bytes, uintptr_t *aside)
{
    const uintptr_t fresh = map_pages(size_bytes, PROT_READ | PROT_WRITE);
    if (!fresh || !(*aside = map_pages(size_bytes, PROT_NONE)))
        return false;
    const struct iovec to = {(void *)fresh, size_bytes}, from = {(void *)at, size_bytes};
    syscall(SYS_process_vm_readv, getpid(), &to, 1, &from, 1, 0);
    atomic_store(&moving_end, at + size_bytes);
    atomic_store(&moving, at);
    bool good = move_pages(at, size_bytes, *aside);
    if (good && !move_pages(fresh, size_bytes, at)) {
        move_pages(*aside, size_bytes, at);
        good = false;
    }
    atomic_store(&moving, 0);
    if (!good)
        syscall(SYS_munmap, fresh, size_bytes);
    return good;
}

static bool lend_pages(uintptr_t at, uintptr_t size_bytes)
{
    unsigned char there[1];
    uintptr_t aside = 0;
    const bool mapped = syscall(SYS_mincore, at, (size_t)PAGE_BYTES, there) == 0;
    if (guard.count == MOST_LENT ||
        !(mapped ? lend_instead(at, size_bytes, &aside) : lend_new(at, size_bytes)))
        return false;
    guard.lent[guard.count++] = (struct lent){at, size_bytes, aside};
    return true;
}

static const struct gem_object *user_object_at(uintptr_t address)
{
    const struct shim_device *g = guard.gpu;
    for (uint32_t i = 0; g && i < g->objects.count; i++) {
        const struct gem_object *o = g->objects.list[i];
        if (o->is_user && address - (uintptr_t)o->host < o->size_bytes)
            return o;
    }
    return NULL;
}

static bool is_lent(uintptr_t address)
{
    for (unsigned i = 0; i < guard.count; i++)
        if (address - guard.lent[i].address < guard.lent[i].size_bytes)
            return true;
    return false;
}

/* One loan at a time: several host threads may fault at once. */
static bool lend(uintptr_t address)
{
    while (atomic_flag_test_and_set(&lending))
        continue;
    const struct gem_object *o = user_object_at(address);
    bool good = o && is_lent(address); /* another thread lent it just now */
    if (o && !good) {
        const uintptr_t at = address & ~(uintptr_t)(PAGE_BYTES - 1), end = (uintptr_t)o->host + o->size_bytes;
        const uintptr_t most = end - at < guard.next_bytes ? end - at : guard.next_bytes;
        guard.next_bytes *= 2;
        good = (most > PAGE_BYTES && lend_pages(at, most)) || lend_pages(at, PAGE_BYTES);
    }
    atomic_flag_clear(&lending);
    return good;
}

/* ---- Faults ---- */

static void act_begin(sigset_t *mask)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, mask);
    while (atomic_flag_test_and_set(&acting))
        continue;
}

static void act_end(const sigset_t *mask)
{
    atomic_flag_clear(&acting);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

bool guard_concerns(int number)
{
    return number == SIGSEGV || number == SIGBUS;
}

static bool find_action(void)
{
    if (!real_action)
        *(void **)&real_action = dlsym(RTLD_NEXT, "sigaction");
    return real_action;
}

int guard_action(int number, const struct sigaction *action, struct sigaction *before)
{
    struct sigaction wanted = {0}, was;
    sigset_t mask;
    int result = 0;
    if (!find_action())
        return -1;
    if (action)
        wanted = *action;
    act_begin(&mask);
    if (acts == getpid()) { /* a vfork child has handlers of its own */
        was = guard.before[number == SIGBUS];
        if (action)
            guard.before[number == SIGBUS] = wanted;
    } else {
        result = real_action(number, action ? &wanted : NULL, &was);
    }
    act_end(&mask);
    if (!result && before)
        *before = was;
    return result;
}

void guard_forked(void)
{
    atomic_flag_clear(&acting);
    acts = acts ? getpid() : 0; /* the child has the same handlers */
}

/* The program's action for the signal. SA_RESETHAND removes it. */
static struct sigaction program_action(int number)
{
    sigset_t mask;
    act_begin(&mask);
    struct sigaction *const now = &guard.before[number == SIGBUS];
    const struct sigaction was = *now;
    if ((unsigned)was.sa_flags & SA_RESETHAND)
        now->sa_handler = SIG_DFL;
    act_end(&mask);
    return was;
}

static void pass_on(int number, siginfo_t *information, void *context)
{
    const struct sigaction to = program_action(number);
    const bool sent = information->si_code <= 0;
    if (to.sa_handler == SIG_IGN && sent)
        return;
    if (to.sa_handler == SIG_DFL || to.sa_handler == SIG_IGN) {
        const struct sigaction none = {.sa_handler = SIG_DFL};
        real_action(number, &none, NULL); /* the instruction faults again */
        if (sent)
            syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
        return;
    }
    sigset_t mask = to.sa_mask, before;
    if (!(to.sa_flags & SA_NODEFER))
        sigaddset(&mask, number);
    pthread_sigmask(SIG_BLOCK, &mask, &before);
    if (to.sa_flags & SA_SIGINFO)
        to.sa_sigaction(number, information, context);
    else
        to.sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_fault(int number, siginfo_t *information, void *context)
{
    const int error = errno;
    const uintptr_t address = (uintptr_t)information->si_addr, begin = atomic_load(&moving);
    const bool of_memory = information->si_code > 0; /* a fault, not a sent signal */
    if (of_memory &&
        ((begin && address >= begin && address < atomic_load(&moving_end)) || (models && lend(address)))) {
        errno = error;
        return;
    }
    pass_on(number, information, context);
    errno = error;
}

/* ---- Brackets around the device's work ---- */

static void let_faults_in(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (unsigned i = 0; i < FAULTS; i++)
        sigaddset(&set, faults[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, before);
}

void guard_thread(void)
{
    sigset_t before;
    let_faults_in(&before);
    takes_faults = true;
}

static void take_handlers(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigset_t mask;
    sigemptyset(&action.sa_mask);
    act_begin(&mask);
    for (unsigned i = 0; i < FAULTS; i++) {
        struct sigaction was;
        real_action(faults[i], &action, &was);
        if (was.sa_sigaction != on_fault)
            guard.before[i] = was;
    }
    acts = getpid();
    act_end(&mask);
}

static void give_handlers_back(void)
{
    sigset_t mask;
    act_begin(&mask);
    acts = 0;
    for (unsigned i = 0; i < FAULTS; i++) {
        struct sigaction now;
        real_action(faults[i], &guard.before[i], &now);
        if (now.sa_sigaction != on_fault) /* a change of the program's that came meanwhile */
            real_action(faults[i], &now, NULL);
    }
    act_end(&mask);
}

bool guard_begin(struct shim_device *g)
{
    if (!atomic_load(&gem_userptr_count) || guard.gpu || !find_action())
        return false;
    guard.gpu = g;
    guard.count = 0;
    guard.next_bytes = PAGE_BYTES;
    if (!acts)
        take_handlers();
    guard.unblocks = !takes_faults && !runner_lets_faults_in();
    if (guard.unblocks)
        let_faults_in(&guard.mask);
    models = true;
    return true;
}

/* Last loan first: a page may have been lent twice. */
static void take_back(struct shim_device *g)
{
    while (guard.count) {
        const struct lent *l = &guard.lent[--guard.count];
        gem_userptr_invalidate_range(g, l->address, l->size_bytes);
        if (l->aside)
            move_pages(l->aside, l->size_bytes, l->address);
        else
            syscall(SYS_munmap, l->address, l->size_bytes);
    }
}

void guard_end(struct shim_device *g, bool began)
{
    if (!began)
        return;
    const bool any = guard.count;
    const int error = errno;
    take_back(g);
    models = false;
    guard.gpu = NULL;
    if (guard.before[0].sa_handler == SIG_IGN || guard.before[1].sa_handler == SIG_IGN)
        give_handlers_back();
    if (guard.unblocks)
        pthread_sigmask(SIG_SETMASK, &guard.mask, NULL);
    if (any)
        shim_log(g, EXEC_TROUBLE, "the program took memory away that the device was using: it read zeros");
    errno = error;
}

/* ---- Brackets on threads that run thread groups ---- */

struct jobs {
    void (*job)(void *context, unsigned thread, unsigned index);
    void *context;
};
static struct softgt_parallel_port unguarded;
static struct jobs begun; /* of the background port */

static void guard_run_job(void *context, unsigned thread, unsigned index)
{
    const struct jobs *jobs = context;
    if (thread && !models) {
        sigset_t before;
        models = true; /* the worker does nothing else */
        let_faults_in(&before);
    }
    jobs->job(jobs->context, thread, index);
}

static void guard_run_jobs(void *user, unsigned count,
                           void (*job)(void *context, unsigned thread, unsigned index), void *context)
{
    struct jobs jobs = {job, context};
    unguarded.run(user, count, guard_run_job, &jobs);
}

static void guard_begin_jobs(void *user, unsigned count,
                             void (*job)(void *context, unsigned thread, unsigned index), void *context)
{
    begun = (struct jobs){job, context};
    workers_background_port().begin(user, count, guard_run_job, &begun);
}

struct softgt_background_port guard_background_port(void)
{
    return (struct softgt_background_port){guard_begin_jobs, workers_background_port().end};
}

struct softgt_parallel_port guard_port(struct softgt_parallel_port port)
{
    unguarded = port;
    if (port.run)
        port.run = guard_run_jobs;
    return port;
}
