#include "host/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024 };

const char *sandbox_missing(void)
{
#ifdef SANDBOX_MISSING
    return SANDBOX_MISSING;
#else
    return NULL;
#endif
}

/* ---- Files and network ---- */

/* Landlock's interface: the header may be older than the kernel. */
struct ruleset {
    uint64_t files, network, scopes;
};
enum { LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT = 446, LANDLOCK_VERSION = 1 };
static const struct {
    int version;
    struct ruleset handled;
} landlock[] = {
    {1, {0x1fff, 0, 0}}, /* every access to a file or folder */
    {2, {0x2000, 0, 0}}, /* links and renames between folders */
    {3, {0x4000, 0, 0}}, /* truncation */
    {4, {0, 3, 0}},      /* TCP: bind, connect */
    {5, {0x8000, 0, 0}}, /* ioctls on devices */
    {6, {0, 0, 3}},      /* abstract sockets and signals of others */
};

/* Forbids all that this kernel can forbid: no rule follows. */
static bool leave_files(void)
{
    const long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
    struct ruleset all = {0};
    for (unsigned i = 0; i < sizeof landlock / sizeof landlock[0] && landlock[i].version <= version; i++) {
        all.files |= landlock[i].handled.files;
        all.network |= landlock[i].handled.network;
        all.scopes |= landlock[i].handled.scopes;
    }
    if (!all.files)
        return true; /* it has none */
    const size_t bytes = all.scopes ? sizeof all : all.network ? 16 : 8;
    const int fd = (int)syscall(LANDLOCK_CREATE, &all, bytes, 0);
    if (fd < 0)
        return false;
    const bool good = syscall(LANDLOCK_RESTRICT, fd, 0) == 0;
    const int error = errno;
    close(fd);
    errno = error;
    return good;
}

static bool drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {{0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (unsigned long i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
        prctl(PR_CAPBSET_DROP, i, 0, 0, 0); /* without the right there is nothing to give up */
    return syscall(SYS_capset, &header, none) == 0;
}

#ifdef __GLIBC__
typedef __rlimit_resource_t limit_resource;
#else
typedef int limit_resource;
#endif

static bool limit(limit_resource resource, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return false;
    now.rlim_max = now.rlim_max < most ? now.rlim_max : most;
    now.rlim_cur = now.rlim_cur < most ? now.rlim_cur : most;
    return setrlimit(resource, &now) == 0;
}

bool sandbox_begin(const char **what)
{
    *what = "no new privileges";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    *what = "limits"; /* no core file with guest memory */
    if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_NOFILE, DESCRIPTORS))
        return false;
    *what = "capabilities";
    if (!drop_capabilities())
        return false;
    *what = "Landlock";
    return leave_files();
}

/* ---- System calls ---- */

struct rule {
    int call;
    enum { ANY, WITHOUT_BITS, IS, IS_NOT, OWN_PROCESS } test;
    unsigned argument;
    uint64_t value;
};

static const struct rule allowed[] = {
    /* Open sockets and descriptors. */
    {SCMP_SYS(recvmsg)},
    {SCMP_SYS(sendmsg)},
    {SCMP_SYS(recvfrom)},
    {SCMP_SYS(accept4)},
    {SCMP_SYS(ppoll)},
    {SCMP_SYS(poll)},
    {SCMP_SYS(read)},
    {SCMP_SYS(readv)},
    {SCMP_SYS(write)},
    {SCMP_SYS(writev)},
    {SCMP_SYS(lseek)},
    {SCMP_SYS(close)},
    {SCMP_SYS(dup)},
    {SCMP_SYS(dup2)},
    {SCMP_SYS(dup3)},
    {SCMP_SYS(fstat)},
    {SCMP_SYS(fstatfs)},
    {SCMP_SYS(fcntl), IS, 1, F_GETFL},
    {SCMP_SYS(fcntl), IS, 1, F_SETFL},
    {SCMP_SYS(fcntl), IS, 1, F_GETFD},
    {SCMP_SYS(fcntl), IS, 1, F_SETFD},
    {SCMP_SYS(fcntl), IS, 1, F_DUPFD_CLOEXEC},
    {SCMP_SYS(ioctl), IS, 1, TCGETS},
    {SCMP_SYS(ioctl), IS, 1, TIOCGWINSZ},
    /* Memory that is not executable. */
    {SCMP_SYS(mmap), WITHOUT_BITS, 2, PROT_EXEC},
    {SCMP_SYS(mprotect), WITHOUT_BITS, 2, PROT_EXEC},
    {SCMP_SYS(munmap)},
    {SCMP_SYS(mremap)},
    {SCMP_SYS(madvise)},
    {SCMP_SYS(brk)},
    /* Time, signals, existing threads. */
    {SCMP_SYS(clock_gettime)},
    {SCMP_SYS(gettimeofday)},
    {SCMP_SYS(clock_nanosleep)},
    {SCMP_SYS(setitimer)},
    {SCMP_SYS(rt_sigaction), IS_NOT, 0, SIGSYS},
    {SCMP_SYS(rt_sigprocmask)},
    {SCMP_SYS(rt_sigreturn)},
    {SCMP_SYS(restart_syscall)},
    {SCMP_SYS(futex)},
    {SCMP_SYS(sched_yield)},
    {SCMP_SYS(sched_setscheduler), IS, 1, SCHED_OTHER},
    {SCMP_SYS(getrandom)},
    {SCMP_SYS(sysinfo)},
    {SCMP_SYS(getpid)},
    {SCMP_SYS(gettid)},
    /* Exit. */
    {SCMP_SYS(tgkill), OWN_PROCESS, 0, 0},
    {SCMP_SYS(wait4)},
    {SCMP_SYS(exit)},
    {SCMP_SYS(exit_group)},
};

/* What fork needs, and host code in the copy. */
enum { FORK_FLAGS = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD };
static const struct rule allowed_to_fork[] = {
    {SCMP_SYS(clone), IS, 0, FORK_FLAGS},
    {SCMP_SYS(socketpair), IS, 0, AF_UNIX},
    {SCMP_SYS(set_robust_list)},
    {SCMP_SYS(rseq)},
    {SCMP_SYS(mmap)},
    {SCMP_SYS(mprotect)},
};

static int allow(scmp_filter_ctx filter, const struct rule *r)
{
    static const enum scmp_compare compares[] = {
        [WITHOUT_BITS] = SCMP_CMP_MASKED_EQ,
        [IS] = SCMP_CMP_EQ,
        [IS_NOT] = SCMP_CMP_NE,
        [OWN_PROCESS] = SCMP_CMP_EQ,
    };
    const struct scmp_arg_cmp argument = {
        .arg = r->argument,
        .op = compares[r->test],
        .datum_a = r->test == OWN_PROCESS ? (uint64_t)getpid() : r->value,
    };
    return r->test == ANY ? seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, r->call, 0, NULL)
                          : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, r->call, 1, &argument);
}

/* The registers of a system call, by the host's convention. */
#if defined(__x86_64__)
#define CALL_RESULT(c)      ((c)->uc_mcontext.gregs[REG_RAX])
#define CALL_ARGUMENT(c, n) ((c)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10}[n]])
#elif defined(__aarch64__)
#define CALL_RESULT(c)      ((c)->uc_mcontext.regs[0])
#define CALL_ARGUMENT(c, n) ((c)->uc_mcontext.regs[n])
#else
#error "the registers of a system call are unknown on this host: build with -Dsandbox=disabled"
#endif

/* Some C libraries implement fstat by newfstatat: for a descriptor it is emulated by fstat. */
static bool only_of_descriptor(const siginfo_t *info, ucontext_t *context)
{
    if (info->si_syscall != SYS_newfstatat || (int)CALL_ARGUMENT(context, 3) != AT_EMPTY_PATH ||
        *(const char *)CALL_ARGUMENT(context, 1))
        return false;
    const int error = errno;
    const long done = syscall(SYS_fstat, CALL_ARGUMENT(context, 0), CALL_ARGUMENT(context, 2));
    CALL_RESULT(context) = (__typeof__(CALL_RESULT(context)))(done == 0 ? 0 : -errno);
    errno = error;
    return true;
}

static void on_forbidden(int number, siginfo_t *info, void *context)
{
    if (only_of_descriptor(info, context))
        return;
    char text[] = "softgt: the sandbox forbids system call ....\n", *digit = text + sizeof text - 3;
    for (unsigned call = (unsigned)info->si_syscall, i = 0; i < 4; i++, call /= 10)
        *digit-- = call || !i ? (char)('0' + call % 10) : ' ';
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        /* Standard error is closed. */
    }
    signal(number, SIG_DFL); /* which is forbidden, too, and ends all threads */
}

static int allow_all(scmp_filter_ctx filter, const struct rule *rules, size_t count)
{
    int error = 0;
    for (size_t i = 0; !error && i < count; i++)
        error = allow(filter, &rules[i]);
    return error;
}

bool sandbox_seal(const char **what, enum sandbox_use use)
{
    const struct sigaction action = {.sa_sigaction = on_forbidden, .sa_flags = SA_SIGINFO};
    const struct scmp_arg_cmp sigsys = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = SIGSYS};
    *what = "limits";
    if ((use == SANDBOX_RUNS && !limit(RLIMIT_NPROC, 0)) || sigaction(SIGSYS, &action, NULL) != 0)
        return false;
    *what = "the filter of system calls";
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    int error = filter ? 0 : -ENOMEM;
    if (!error)
        error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (!error)
        error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (!error)
        error = seccomp_rule_add_array(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(rt_sigaction), 1, &sigsys);
    if (!error && use == SANDBOX_FORKS)
        error = allow_all(filter, allowed_to_fork, sizeof allowed_to_fork / sizeof allowed_to_fork[0]);
    if (!error)
        error = allow_all(filter, allowed, sizeof allowed / sizeof allowed[0]);
    if (!error)
        error = seccomp_load(filter);
    seccomp_release(filter);
    errno = -error;
    return !error;
}
