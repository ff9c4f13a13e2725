/*
 * What a process may do beside its calls of the device, on `softgt exec --device skl`: it cancels threads,
 * takes memory away that the device uses, closes descriptors unseen, forks, filters system calls. What must
 * hold is what Linux does with i915. Its argument is a case; without one it lists them.
 */
#include <drm.h>
#include <i915_drm.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { PAGE = 4096, MB = 1 << 20, USER_PAGES = 64 };
/* Where a batch finds its objects: the batch, the page that it waits at, the program's memory. */
enum { BATCH_AT = 0x200000, GATE_AT = 0x100000, USER_AT = 0x400000 };
enum { BATCH_END = 0x0a << 23, STORE = 0x20 << 23 | 2, INC = 0x2f << 23 | 5 << 8 | 1 };
enum { AGAIN = 0x31 << 23 | 1 << 8 | 1 };
enum { WAIT_EQUAL = 0x1c << 23 | 1 << 15 | 4 << 12 | 2 };
#define PLACED (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE)

static int node;
static uint32_t gate_object, batch_object;
static volatile uint32_t *gate; /* [0]: opens it, [1]: counts batches that came through */
static uint32_t *batch;

static uint32_t create(uint64_t bytes)
{
    struct drm_i915_gem_create a = {.size = bytes};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CREATE, &a) == 0);
    return a.handle;
}

static void *map(uint32_t handle, uint64_t bytes)
{
    struct drm_i915_gem_mmap_offset a = {.handle = handle, .flags = I915_MMAP_OFFSET_WB};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &a) == 0);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)a.offset);
    CHECK(p != MAP_FAILED);
    return p;
}

static void begin(void)
{
    node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    CHECK(node >= 0);
    gate = map(gate_object = create(PAGE), PAGE);
    batch = map(batch_object = create(PAGE), PAGE);
}

static int parameter(int number)
{
    int value = -1;
    struct drm_i915_getparam a = {.param = number, .value = &value};
    return ioctl(node, DRM_IOCTL_I915_GETPARAM, &a) == 0 ? value : -errno;
}

/* 0, or -errno. `user`: 0, or an object of the program's memory. */
static int submit(uint32_t context, uint32_t user)
{
    struct drm_i915_gem_exec_object2 o[3] = {{.handle = gate_object, .offset = GATE_AT, .flags = PLACED},
                                             {.handle = user, .offset = USER_AT, .flags = PLACED}};
    const unsigned count = user ? 3 : 2;
    o[count - 1] =
        (struct drm_i915_gem_exec_object2){.handle = batch_object, .offset = BATCH_AT, .flags = PLACED};
    struct drm_i915_gem_execbuffer2 e = {
        .buffers_ptr = (uintptr_t)o, .buffer_count = count, .rsvd1 = context};
    return ioctl(node, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e) ? -errno : 0;
}

static int wait_for_batch(int64_t ns)
{
    struct drm_i915_gem_wait a = {.bo_handle = batch_object, .timeout_ns = ns};
    return ioctl(node, DRM_IOCTL_I915_GEM_WAIT, &a) ? -errno : 0;
}

/* It waits for the gate, where it is to, stores to `stores` pages of the program's memory, and counts. */
static void write_batch(bool waits, unsigned stores)
{
    uint32_t *dw = batch;
    const uint32_t wait[] = {WAIT_EQUAL, 1, GATE_AT, 0}, count[] = {INC, GATE_AT + 4, 0, BATCH_END};
    if (waits)
        dw = (uint32_t *)mempcpy(dw, wait, sizeof wait);
    for (uint32_t i = 0; i < stores; i++) {
        const uint32_t store[] = {STORE, USER_AT + i * PAGE, 0, 7 + i};
        dw = (uint32_t *)mempcpy(dw, store, sizeof store);
    }
    memcpy(dw, count, sizeof count);
}

static uint32_t context(void)
{
    struct drm_i915_gem_context_create a = {0};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &a) == 0);
    return a.ctx_id;
}

static void end_context(uint32_t id)
{
    struct drm_i915_gem_context_destroy a = {.ctx_id = id};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &a) == 0);
}

/* ---- Contexts ---- */

static void a_used_context_keeps_its_space(void)
{
    struct drm_i915_gem_vm_control vm = {0};
    const uint32_t fresh = context(), used = context();
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_VM_CREATE, &vm) == 0);
    struct drm_i915_gem_context_param p = {
        .ctx_id = fresh, .param = I915_CONTEXT_PARAM_VM, .value = vm.vm_id};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0);
    write_batch(true, 0);
    CHECK(submit(used, 0) == 0);
    p.ctx_id = used;
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), EINVAL);
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_VM_DESTROY, &vm) == 0);
    gate[0] = 1;
    CHECK(wait_for_batch(-1) == 0 && gate[1] == 1);
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p), EINVAL);
    CHECK(submit(fresh, 0) == 0 && wait_for_batch(-1) == 0 && gate[1] == 2);
    end_context(fresh);
    end_context(used);
}

static long resident_kb(void)
{
    char text[128] = "", *second = NULL;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    CHECK(fgets(text, sizeof text, file));
    fclose(file);
    strtol(text, &second, 10);
    return strtol(second, NULL, 10) * (PAGE / 1024);
}

static void ended_contexts_give_memory_back(void)
{
    enum { FIRST = 20, LAST = 400, MOST_KB = 8192 };
    long before = 0;
    write_batch(false, 0);
    for (unsigned i = 0; i < LAST; i++) {
        const uint32_t id = context();
        CHECK(submit(id, 0) == 0 && wait_for_batch(-1) == 0);
        end_context(id);
        if (i == FIRST)
            before = resident_kb();
    }
    CHECK(resident_kb() < before + MOST_KB);
}

/* ---- Threads ---- */

static void *wait_long(void *user)
{
    CHECK(wait_for_batch(-1) == 0 && gate[1] == 1);
    return user;
}

static void *ask(void *user)
{
    *(int *)user = parameter(I915_PARAM_CHIPSET_ID);
    return user;
}

static int join_until(pthread_t thread, unsigned seconds, void **result)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += seconds;
    return pthread_timedjoin_np(thread, result, &at);
}

/* ioctl is no point of cancellation: the thread ends behind its call, and others' calls go on. */
static void a_cancelled_thread_holds_nothing(void)
{
    pthread_t waits, asks;
    int value = 0;
    void *result = NULL;
    write_batch(true, 0);
    CHECK(submit(0, 0) == 0 && pthread_create(&waits, NULL, wait_long, NULL) == 0);
    usleep(50000);
    pthread_cancel(waits);
    CHECK(pthread_create(&asks, NULL, ask, &value) == 0 && join_until(asks, 20, NULL) == 0 && value > 0);
    gate[0] = 1;
    CHECK(join_until(waits, 20, &result) == 0);
    CHECK(wait_for_batch(-1) == 0 && gate[1] == 1);
}

/* ---- Memory that goes ---- */

static uint32_t user_object(void *p, uint32_t flags)
{
    struct drm_i915_gem_userptr a = {
        .user_ptr = (uintptr_t)p, .user_size = USER_PAGES * PAGE, .flags = flags};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_USERPTR, &a) == 0);
    return a.handle;
}

static uint32_t *fresh_memory(void)
{
    void *p = mmap(NULL, USER_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static int file;

static uint32_t *file_memory(void)
{
    file = memfd_create("memory", MFD_CLOEXEC);
    CHECK(file >= 0 && ftruncate(file, USER_PAGES * PAGE) == 0);
    void *p = mmap(NULL, USER_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

/* Each way by the C library, and where that is seen, by a system call that is not. */
static void unmap(void *p)
{
    CHECK(munmap(p, USER_PAGES * PAGE) == 0);
}
static void unmap_unseen(void *p)
{
    CHECK(syscall(SYS_munmap, p, USER_PAGES * PAGE) == 0);
}
static void close_off(void *p)
{
    CHECK(mprotect(p, USER_PAGES * PAGE, PROT_NONE) == 0);
}
static void close_off_unseen(void *p)
{
    CHECK(syscall(SYS_mprotect, p, USER_PAGES * PAGE, PROT_NONE) == 0);
}
static void make_read_only(void *p)
{
    CHECK(mprotect(p, USER_PAGES * PAGE, PROT_READ) == 0);
}
static void make_read_only_unseen(void *p)
{
    CHECK(syscall(SYS_mprotect, p, USER_PAGES * PAGE, PROT_READ) == 0);
}
static void make_holes_unseen(void *p)
{
    for (unsigned i = 1; i < USER_PAGES; i += 3)
        CHECK(syscall(SYS_munmap, (uint8_t *)p + i * PAGE, PAGE) == 0);
}
static void move_away(void *p)
{
    void *to = mmap(NULL, USER_PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mremap(p, USER_PAGES * PAGE, USER_PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to);
}
static void map_over(void *p)
{
    CHECK(mmap(p, USER_PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p);
}
static void shorten(void *p)
{
    (void)p;
    CHECK(ftruncate(file, PAGE) == 0);
}

static const struct way {
    void (*go)(void *p);
    uint32_t *(*memory)(void);
    bool comes_back; /* by PROT_READ | PROT_WRITE */
} ways[] = {{unmap, fresh_memory, false},
            {unmap_unseen, fresh_memory, false},
            {close_off, fresh_memory, true},
            {close_off_unseen, fresh_memory, true},
            {make_read_only, fresh_memory, true},
            {make_read_only_unseen, file_memory, true},
            {make_holes_unseen, fresh_memory, false},
            {move_away, fresh_memory, false},
            {map_over, fresh_memory, true},
            {shorten, file_memory, false}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void memory_that_went_is_an_error(void)
{
    write_batch(false, USER_PAGES);
    for (unsigned i = 0; i < WAYS; i++) {
        uint32_t *p = ways[i].memory();
        const uint32_t user = user_object(p, 0);
        CHECK(submit(0, user) == 0 && wait_for_batch(-1) == 0 && p[(USER_PAGES - 1) * PAGE / 4] == 70);
        ways[i].go(p);
        CHECK(submit(0, user) == -EFAULT);
        CHECK(!ways[i].comes_back || mprotect(p, USER_PAGES * PAGE, PROT_READ | PROT_WRITE) == 0);
        CHECK(submit(0, user) == (ways[i].comes_back ? 0 : -EFAULT) && wait_for_batch(-1) == 0);
    }
}

static void memory_may_be_for_reading(void)
{
    uint32_t *p = fresh_memory();
    const uint32_t writes = user_object(p, 0), reads = user_object(p, I915_USERPTR_READ_ONLY);
    write_batch(false, 0);
    CHECK(mprotect(p, USER_PAGES * PAGE, PROT_READ) == 0);
    CHECK(submit(0, writes) == -EFAULT);
    CHECK(submit(0, reads) == 0 && wait_for_batch(-1) == 0 && gate[1] == 1);
    CHECK(mprotect(p, USER_PAGES * PAGE, PROT_NONE) == 0);
    CHECK(submit(0, reads) == -EFAULT);
}

static void *open_gate(void *user)
{
    usleep(50000);
    gate[0] = 1;
    return user;
}

/* What the C library is asked for waits until the device is through with the memory, as under Linux. */
static void memory_stays_while_it_is_used(void)
{
    static void (*const seen[])(void *) = {unmap, close_off, make_read_only, move_away, map_over};
    for (unsigned i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        uint32_t *p = fresh_memory();
        pthread_t thread;
        gate[0] = gate[1] = 0;
        write_batch(true, USER_PAGES);
        CHECK(submit(0, user_object(p, 0)) == 0);
        CHECK(pthread_create(&thread, NULL, open_gate, NULL) == 0);
        seen[i](p);
        CHECK(gate[1] == 1);
        pthread_join(thread, NULL);
    }
}

static sigjmp_buf back;
static volatile sig_atomic_t own_faults;

static void on_fault(int number)
{
    own_faults++;
    siglongjmp(back, number);
}

/* What goes unseen while a submission waits: the device reads zeros, the program goes on, faults of its own
 * are still its own, and what is there holds what it held. */
static void memory_goes_while_it_is_used(void)
{
    static const struct way unseen[] = {{unmap_unseen, fresh_memory, false},
                                        {close_off_unseen, fresh_memory, true},
                                        {make_read_only_unseen, fresh_memory, true},
                                        {make_holes_unseen, fresh_memory, false},
                                        {shorten, file_memory, false}};
    const struct sigaction action = {.sa_handler = on_fault};
    struct sigaction now;
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0);
    for (unsigned i = 0; i < sizeof unseen / sizeof unseen[0]; i++) {
        uint32_t *volatile p = unseen[i].memory();
        p[0] = 0x1234;
        p[PAGE] = 0x5678; /* page 4 */
        gate[0] = gate[1] = 0;
        write_batch(true, USER_PAGES);
        const uint32_t user = user_object(p, 0);
        CHECK(submit(0, user) == 0);
        unseen[i].go(p);
        gate[0] = 1;
        CHECK(wait_for_batch(-1) == 0 && gate[1] == 1 && own_faults == (int)i);
        CHECK(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == on_fault);
        if (sigsetjmp(back, 1) == 0) {
            *(volatile uint32_t *)(p + PAGE) = 1;
            CHECK(unseen[i].go == shorten); /* never */
        }
        CHECK(own_faults == (int)i + 1);
        if (unseen[i].comes_back) {
            CHECK(mprotect(p, USER_PAGES * PAGE, PROT_READ | PROT_WRITE) == 0);
            CHECK(p[0] == 0x1234 && p[PAGE] == 0x5678);
        }
        /* It is not there, or it is there again. */
        const bool back_again = unseen[i].comes_back;
        CHECK(submit(0, user) == (back_again ? 0 : -EFAULT) && wait_for_batch(-1) == 0);
        CHECK(!back_again || (p[0] == 7 && p[PAGE] == 11));
    }
}

/* ---- Signals ---- */

static volatile sig_atomic_t alarms;
static volatile uintptr_t fault_at;
static volatile sig_atomic_t faults_seen, faults_wrong;

/* It runs until its first command is an end. */
static void run_on_and_on(void)
{
    uint32_t *p = fresh_memory();
    const uint32_t user = user_object(p, 0), again[] = {INC, GATE_AT + 4, 0, AGAIN, BATCH_AT, 0};
    memcpy(batch, again, sizeof again);
    CHECK(submit(0, user) == 0);
}

static void end_it(void)
{
    *(volatile uint32_t *)batch = BATCH_END;
    CHECK(wait_for_batch(-1) == 0);
}

static void on_own_fault(int number, siginfo_t *information, void *context)
{
    sigset_t blocked;
    (void)context;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    faults_seen++;
    faults_wrong += number != SIGSEGV || information->si_code != SEGV_ACCERR ||
                    (uintptr_t)information->si_addr != fault_at || !sigismember(&blocked, SIGSEGV) ||
                    !sigismember(&blocked, SIGUSR1);
    siglongjmp(back, number);
}

static void on_other_fault(int number)
{
    (void)number;
    faults_wrong++;
}

/* While the device runs, what a program does with SIGSEGV is as it is without a device: who asks what it has
 * gets that, what it sets stays, and its faults come as the kernel tells them. */
static void faults_of_the_program_are_its_own(void)
{
    enum { EACH = 64 };
    const clock_t end = clock() + CLOCKS_PER_SEC;
    struct sigaction own = {.sa_sigaction = on_own_fault, .sa_flags = SA_SIGINFO};
    const struct sigaction other = {.sa_handler = on_other_fault};
    struct sigaction was;
    uint8_t *closed = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaddset(&own.sa_mask, SIGUSR1);
    CHECK(sigaction(SIGSEGV, &own, NULL) == 0 && signal(SIGBUS, SIG_DFL) != SIG_ERR);
    run_on_and_on();
    unsigned i = 0;
    for (; clock() < end; i++) {
        CHECK(sigaction(SIGSEGV, NULL, &was) == 0 && was.sa_sigaction == on_own_fault);
        CHECK(sigaction(SIGSEGV, &other, &was) == 0 && was.sa_sigaction == on_own_fault);
        CHECK(was.sa_flags & SA_SIGINFO && sigismember(&was.sa_mask, SIGUSR1));
        CHECK(signal(SIGSEGV, SIG_DFL) == on_other_fault);
        CHECK(signal(SIGBUS, on_other_fault) == (i ? on_other_fault : SIG_DFL));
        CHECK(sigaction(SIGSEGV, &own, &was) == 0 && was.sa_handler == SIG_DFL);
        fault_at = (uintptr_t)closed + i % PAGE;
        if (i % EACH == 0 && sigsetjmp(back, 1) == 0)
            *(volatile uint8_t *)fault_at = 1;
    }
    CHECK(faults_seen == (int)((i + EACH - 1) / EACH) && faults_wrong == 0);
    end_it();
    CHECK(sigaction(SIGSEGV, NULL, &was) == 0 && was.sa_sigaction == on_own_fault);
}

/* Who sends the signal that faults are told by means the program. */
static void sent_faults_do_what_they_do(void)
{
    static const unsigned rounds = 300;
    run_on_and_on();
    signal(SIGSEGV, SIG_IGN);
    for (unsigned i = 0; i < rounds; i++) {
        CHECK(kill(getpid(), SIGSEGV) == 0);
        usleep(100);
    }
    end_it();
    const pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, SIG_DFL);
        begin();
        run_on_and_on();
        usleep(20000);
        kill(getpid(), SIGSEGV);
        usleep(200000);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void on_alarm(int number)
{
    (void)number;
    alarms += parameter(I915_PARAM_CHIPSET_ID) > 0 && (alarms > 3 || submit(0, 0) == 0);
}

/* Within a call of the device's. */
static void a_handler_may_call_the_device(void)
{
    const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    const struct itimerval each = {{0, 5000}, {0, 5000}}, none = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    run_on_and_on();
    setitimer(ITIMER_REAL, &each, NULL);
    for (unsigned i = 0; i < 10; i++)
        CHECK(wait_for_batch(20000000) == -ETIME);
    setitimer(ITIMER_REAL, &none, NULL);
    CHECK(alarms > 4);
    end_it();
}

static void jump(int number)
{
    siglongjmp(back, number);
}

/* As for a wait that is to take so long at most; other threads' calls go on. */
static void a_handler_may_leave_a_call(void)
{
    const struct sigaction action = {.sa_handler = jump};
    sigaction(SIGALRM, &action, NULL);
    write_batch(true, 0);
    CHECK(submit(0, 0) == 0);
    for (volatile unsigned i = 0; i < 20; i++)
        if (sigsetjmp(back, 1) == 0) {
            const struct itimerval once = {{0, 0}, {0, 5000}};
            setitimer(ITIMER_REAL, &once, NULL);
            wait_for_batch(-1);
            CHECK(false);
        }
    pthread_t asks;
    int value = 0;
    CHECK(pthread_create(&asks, NULL, ask, &value) == 0 && join_until(asks, 10, NULL) == 0 && value > 0);
    gate[0] = 1;
    CHECK(wait_for_batch(-1) == 0 && gate[1] == 1);
}

/* ---- Descriptors ---- */

static void close_unseen(void)
{
    CHECK(syscall(SYS_close, node) == 0);
}
static void close_all(void)
{
    closefrom(3);
}
static void close_stream(void)
{
    FILE *stream = fdopen(node, "r+");
    CHECK(stream && fclose(stream) == 0);
}

/* A file that gets the number of a node is a file. */
static void a_number_is_forgotten_with_its_file(void)
{
    static void (*const closes[])(void) = {close_unseen, close_all, close_stream};
    for (unsigned i = 0; i < sizeof closes / sizeof closes[0]; i++) {
        char path[] = "/tmp/softgt-numberXXXXXX";
        struct stat st;
        close(node);
        begin();
        closes[i]();
        const int plain = mkstemp(path), before = node;
        CHECK(plain == before && unlink(path) == 0 && ftruncate(plain, PAGE) == 0);
        CHECK(fstat(plain, &st) == 0 && S_ISREG(st.st_mode));
        FAILS(parameter(I915_PARAM_CHIPSET_ID) < 0 ? -1 : 0, ENOTTY);
        CHECK(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, plain, 0) != MAP_FAILED);
        /* A file that gets the number of an object is not closed with it, and holds what it held. */
        const int copy = fcntl(plain, F_DUPFD, 256);
        begin();
        CHECK(copy >= 256 && write(copy, "text", 4) == 4);
        write_batch(false, 0);
        CHECK(submit(0, 0) == 0 && wait_for_batch(-1) == 0);
        struct drm_gem_close end = {.handle = gate_object};
        CHECK(ioctl(node, DRM_IOCTL_GEM_CLOSE, &end) == 0 && close(node) == 0);
        CHECK(fstat(copy, &st) == 0 && st.st_size == PAGE);
        close(copy);
        close(plain);
    }
}

/* Who closes all that there may be closes nothing that is written for `softgt exec`: run with --record. */
static void files_of_the_device_stay(void)
{
    char path[] = "/tmp/softgt-fileXXXXXX";
    const pid_t child = fork();
    if (!child) {
        closefrom(0);
        _exit(0);
    }
    int status, files[64];
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    for (int fd = 3; fd < 4096; fd++)
        close(fd);
    closefrom(3);
    for (unsigned i = 0; i < 64; i++)
        CHECK((files[i] = fcntl(2, F_DUPFD, i % 2 ? 3 : 256)) >= 0);
    const int plain = mkstemp(path);
    struct stat st;
    CHECK(plain >= 0 && unlink(path) == 0);
    begin();
    write_batch(false, 0);
    CHECK(submit(0, 0) == 0 && wait_for_batch(-1) == 0 && gate[1] == 1);
    CHECK(fstat(plain, &st) == 0 && st.st_size == 0);
    for (unsigned i = 0; i < 64; i++)
        close(files[i]);
}

static bool is_readable(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, ms) == 1 && p.revents & POLLIN;
}

/* Two descriptors of one fence wait, and a third comes when it is signalled. */
static void a_fence_has_many_descriptors(void)
{
    struct drm_syncobj_create s = {0};
    struct drm_i915_gem_exec_object2 o[2] = {{.handle = gate_object, .offset = GATE_AT, .flags = PLACED},
                                             {.handle = batch_object, .offset = BATCH_AT, .flags = PLACED}};
    CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_CREATE, &s) == 0);
    struct drm_i915_gem_exec_fence fence = {s.handle, I915_EXEC_FENCE_SIGNAL};
    struct drm_i915_gem_execbuffer2 e = {.buffers_ptr = (uintptr_t)o,
                                         .buffer_count = 2,
                                         .flags = I915_EXEC_FENCE_ARRAY,
                                         .cliprects_ptr = (uintptr_t)&fence,
                                         .num_cliprects = 1};
    struct drm_syncobj_handle out[3];
    write_batch(true, 0);
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_EXECBUFFER2, &e) == 0);
    for (unsigned i = 0; i < 3; i++) {
        out[i] = (struct drm_syncobj_handle){.handle = s.handle,
                                             .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
        if (i == 2) {
            CHECK(!is_readable(out[0].fd, 10) && !is_readable(out[1].fd, 0));
            gate[0] = 1;
            CHECK(is_readable(out[1].fd, 10000) && is_readable(out[0].fd, 10000));
        }
        CHECK(ioctl(node, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &out[i]) == 0);
    }
    CHECK(is_readable(out[2].fd, 10000));
}

/* Objects are made when no descriptor is left, and leave the program those that it has. */
static void objects_need_no_descriptors(void)
{
    enum { MOST = 24, OBJECTS = 100 };
    const struct rlimit limit = {MOST, MOST};
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    volatile uint32_t *seen = NULL;
    uint32_t last = 0;
    for (unsigned i = 0; i < OBJECTS; i++)
        seen = map(last = create(2 * PAGE), 2 * PAGE);
    const int plain = open("/dev/null", O_RDONLY);
    CHECK(plain >= 0);
    seen[PAGE / 4] = 5;
    volatile uint32_t *again = map(last, 2 * PAGE);
    CHECK(again != seen && again[PAGE / 4] == 5);
    uint32_t value = 6;
    struct drm_i915_gem_pwrite w = {
        .handle = last, .offset = PAGE, .size = sizeof value, .data_ptr = (uintptr_t)&value};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_PWRITE, &w) == 0 && again[PAGE / 4] == 6);
    struct drm_prime_handle out = {.handle = last, .flags = DRM_CLOEXEC | DRM_RDWR};
    FAILS(ioctl(node, DRM_IOCTL_PRIME_HANDLE_TO_FD, &out), EMFILE);
    gate_object = last;
    gate = again;
    write_batch(false, 0);
    CHECK(submit(0, 0) == 0 && wait_for_batch(-1) == 0 && seen[1] == 1);
}

/* ---- Processes ---- */

/* What waits at a fork is the parent's alone, and the child's device is free. */
static void a_submission_has_one_process(void)
{
    struct drm_i915_reset_stats stats = {.ctx_id = context()};
    write_batch(true, 0);
    CHECK(submit(stats.ctx_id, 0) == 0);
    const pid_t child = fork();
    if (!child) {
        CHECK(wait_for_batch(5000000000) == 0 && gate[1] == 0);
        const uint32_t own = create(PAGE);
        batch = map(batch_object = own, PAGE);
        write_batch(false, 0);
        CHECK(submit(stats.ctx_id, 0) == 0 && wait_for_batch(5000000000) == 0 && gate[1] == 1);
        gate[0] = 1;
        CHECK(ioctl(node, DRM_IOCTL_I915_GET_RESET_STATS, &stats) == 0 && stats.batch_active == 0);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(wait_for_batch(5000000000) == 0 && gate[1] == 2);
}

static void put_over(void)
{
    CHECK(dup2(0, node) == node);
}

/* Wherever the program has memory that is an object. */
static void a_fork_comes_through(void)
{
    enum { OBJECTS = 64 };
    write_batch(false, 0);
    for (unsigned i = 0; i < OBJECTS; i++)
        CHECK(submit(0, user_object(fresh_memory(), 0)) == 0 && wait_for_batch(-1) == 0);
    const pid_t child = fork();
    if (!child) {
        alarm(10);
        CHECK(parameter(I915_PARAM_CHIPSET_ID) > 0);
        _exit(0);
    }
    int status = 0;
    for (unsigned i = 0; waitpid(child, &status, WNOHANG) == 0; i++) {
        CHECK(i < 1000 || kill(child, SIGKILL) != 0);
        usleep(10000);
    }
    CHECK(status == 0);
}

/* A child of vfork has descriptors of its own, in its parent's memory, as subprocess of Python has them. */
static void a_child_takes_no_descriptors_away(void)
{
    static void (*const takes[])(void) = {close_unseen, close_all, put_over};
    for (volatile unsigned i = 0; i < 2 * sizeof takes / sizeof takes[0]; i++) {
        const pid_t child = i % 2 ? vfork() : fork();
        if (!child) {
            takes[i / 2]();
            _exit(parameter(I915_PARAM_CHIPSET_ID) > 0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        CHECK(parameter(I915_PARAM_CHIPSET_ID) > 0);
    }
    const pid_t child = vfork();
    if (!child) {
        close(node);
        execve("/bin/true", (char *[]){"true", NULL}, (char *[]){NULL}); /* without the library */
        _exit(1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    write_batch(false, 0);
    CHECK(submit(0, 0) == 0 && wait_for_batch(-1) == 0 && gate[1] == 1);
}

static void deny(unsigned number)
{
    struct sock_filter f[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                              BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
                              BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                              BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog p = {sizeof f / sizeof f[0], f};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) == 0);
}

static void a_filter_takes_no_checks_away(void)
{
    struct drm_i915_getparam bad = {.param = I915_PARAM_CHIPSET_ID, .value = (int *)16};
    deny(SYS_process_vm_readv);
    deny(SYS_process_vm_writev);
    CHECK(parameter(I915_PARAM_CHIPSET_ID) > 0);
    FAILS(ioctl(node, DRM_IOCTL_I915_GETPARAM, &bad), EFAULT);
    FAILS(ioctl(node, DRM_IOCTL_I915_GETPARAM, (void *)16), EFAULT);
    write_batch(false, 0);
    CHECK(submit(0, 0) == 0 && wait_for_batch(-1) == 0 && gate[1] == 1);
    /* More than is moved at once, up to where nothing is. */
    enum { BYTES = 3 << 16 };
    uint8_t *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(p, 0x5a, BYTES);
    const uint32_t target = create(BYTES);
    struct drm_i915_gem_pwrite w = {.handle = target, .size = BYTES, .data_ptr = (uintptr_t)p};
    CHECK(ioctl(node, DRM_IOCTL_I915_GEM_PWRITE, &w) == 0);
    CHECK(((uint8_t *)map(target, BYTES))[BYTES - 1] == 0x5a);
    CHECK(mprotect(p + BYTES - PAGE, PAGE, PROT_NONE) == 0);
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_PWRITE, &w), EFAULT);
    struct drm_i915_gem_pread r = {.handle = target, .size = BYTES, .data_ptr = (uintptr_t)p};
    FAILS(ioctl(node, DRM_IOCTL_I915_GEM_PREAD, &r), EFAULT);
    deny(SYS_memfd_create);
    CHECK(((uint8_t *)map(create(PAGE), PAGE))[0] == 0);
}

#define CASE(function)                                                                                       \
    {                                                                                                        \
#function, function                                                                                  \
    }
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {CASE(a_used_context_keeps_its_space),
             CASE(ended_contexts_give_memory_back),
             CASE(a_cancelled_thread_holds_nothing),
             CASE(memory_that_went_is_an_error),
             CASE(memory_may_be_for_reading),
             CASE(memory_stays_while_it_is_used),
             CASE(memory_goes_while_it_is_used),
             CASE(a_number_is_forgotten_with_its_file),
             CASE(files_of_the_device_stay),
             CASE(a_fence_has_many_descriptors),
             CASE(objects_need_no_descriptors),
             CASE(a_submission_has_one_process),
             CASE(a_fork_comes_through),
             CASE(a_child_takes_no_descriptors_away),
             CASE(a_filter_takes_no_checks_away),
             CASE(faults_of_the_program_are_its_own),
             CASE(sent_faults_do_what_they_do),
             CASE(a_handler_may_call_the_device),
             CASE(a_handler_may_leave_a_call)};

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (argc < 2) {
            puts(cases[i].name);
        } else if (strcmp(argv[1], cases[i].name) == 0) {
            begin();
            cases[i].run();
            return 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
