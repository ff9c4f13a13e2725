/*
 * The program's memory may go while the device works on it: free() unmaps, another thread truncates a file.
 * A fault of the model's there is no fault of the program's. What is missing is lent, a page or more of
 * zeros, until the device is through with its slice; then all is as it was, and the object has other memory
 * for as long as it is used. Faults of anybody else go to whoever the program has for them.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "frontend/exec/exec.h"

enum { MOST_LENT = 4096, FAULTS = 2 };
static const int faults[FAULTS] = {SIGSEGV, SIGBUS};

struct lent {
    uintptr_t address, size_bytes;
    uintptr_t aside; /* where the program's own pages are meanwhile; 0: it had none */
};

static struct {
    struct gpu *gpu; /* NULL: nobody runs */
    struct sigaction before[FAULTS];
    sigset_t mask;
    struct lent lent[MOST_LENT];
    unsigned count;
    uintptr_t next_bytes; /* the next fault's: faults in a row are for more and more */
} guard;
static _Atomic uintptr_t moving, moving_end; /* pages between the program's and lent ones */
static atomic_flag lending = ATOMIC_FLAG_INIT;

/* This thread runs the model. */
static __thread bool models __attribute__((tls_model("initial-exec")));

/* ---- Lending, by system calls alone: in a handler ---- */

static uintptr_t map_pages(uintptr_t size_bytes, int protection)
{
    const long p = syscall(SYS_mmap, NULL, size_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == -1 ? 0 : (uintptr_t)p;
}

static bool move_pages(uintptr_t from, uintptr_t size_bytes, uintptr_t to)
{
    return syscall(SYS_mremap, from, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != -1;
}

/* Where nothing is mapped. */
static bool lend_new(uintptr_t at, uintptr_t size_bytes)
{
    const long p = syscall(SYS_mmap, at, size_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != -1 && (uintptr_t)p != at) /* before Linux 4.17 it is a wish */
        syscall(SYS_munmap, p, size_bytes);
    return (uintptr_t)p == at;
}

/* In place of pages that may not be read, or not be written: with what they hold, which others may read. */
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

static const struct object *user_object_at(uintptr_t address)
{
    const struct gpu *g = guard.gpu;
    for (uint32_t i = 0; g && i < g->object_count; i++) {
        const struct object *o = g->objects[i];
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

/* One at a time: groups of threads fault side by side. */
static bool lend(uintptr_t address)
{
    while (atomic_flag_test_and_set(&lending))
        continue;
    const struct object *o = user_object_at(address);
    bool good = o && is_lent(address); /* by another thread, just now */
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

static void pass_on(const struct sigaction *to, int number, siginfo_t *information, void *context)
{
    sigset_t before;
    if (to->sa_handler == SIG_DFL || to->sa_handler == SIG_IGN) {
        sigaction(number, to, NULL); /* it comes again */
        return;
    }
    pthread_sigmask(SIG_BLOCK, &to->sa_mask, &before);
    if (to->sa_flags & SA_SIGINFO)
        to->sa_sigaction(number, information, context);
    else
        to->sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_fault(int number, siginfo_t *information, void *context)
{
    const int error = errno;
    const uintptr_t address = (uintptr_t)information->si_addr, begin = atomic_load(&moving);
    const bool of_memory = information->si_code > 0; /* nobody sent it */
    if (of_memory &&
        ((begin && address >= begin && address < atomic_load(&moving_end)) || (models && lend(address)))) {
        errno = error;
        return;
    }
    pass_on(&guard.before[number == SIGBUS], number, information, context);
    errno = error;
}

/* ---- Around what the device does ---- */

static void let_faults_in(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (unsigned i = 0; i < FAULTS; i++)
        sigaddset(&set, faults[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, before);
}

bool guard_begin(struct gpu *g)
{
    if (!atomic_load(&user_objects) || guard.gpu)
        return false;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    guard.gpu = g;
    guard.count = 0;
    guard.next_bytes = PAGE_BYTES;
    for (unsigned i = 0; i < FAULTS; i++)
        sigaction(faults[i], &action, &guard.before[i]);
    let_faults_in(&guard.mask);
    models = true;
    return true;
}

/* The last one first: a page may have been lent twice. */
static void take_back(struct gpu *g)
{
    while (guard.count) {
        const struct lent *l = &guard.lent[--guard.count];
        objects_lose(g, l->address, l->size_bytes);
        if (l->aside)
            move_pages(l->aside, l->size_bytes, l->address);
        else
            syscall(SYS_munmap, l->address, l->size_bytes);
    }
}

void guard_end(struct gpu *g, bool began)
{
    if (!began)
        return;
    const bool any = guard.count;
    const int error = errno;
    take_back(g);
    models = false;
    guard.gpu = NULL;
    for (unsigned i = 0; i < FAULTS; i++) {
        struct sigaction now;
        sigaction(faults[i], &guard.before[i], &now);
        if (now.sa_sigaction != on_fault) /* another thread's wish, meanwhile */
            sigaction(faults[i], &now, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &guard.mask, NULL);
    if (any)
        gpu_tell(g, EXEC_TROUBLE, "the program took memory away that the device was using: it read zeros");
    errno = error;
}

/* ---- The same of threads that run groups ---- */

struct jobs {
    void (*job)(void *context, unsigned thread, unsigned index);
    void *context;
};
static struct softgt_parallel_port unguarded;

static void run_job(void *context, unsigned thread, unsigned index)
{
    const struct jobs *jobs = context;
    if (thread && !models) {
        sigset_t before;
        models = true; /* it does nothing else */
        let_faults_in(&before);
    }
    jobs->job(jobs->context, thread, index);
}

static void run_jobs(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                     void *context)
{
    struct jobs jobs = {job, context};
    unguarded.run(user, count, run_job, &jobs);
}

struct softgt_parallel_port guard_port(struct softgt_parallel_port port)
{
    unguarded = port;
    if (port.run)
        port.run = run_jobs;
    return port;
}
