/*
 * A tool as it is without this file, but that an allocation fails, its own or a library's. With
 * FAILING="FIRST STEP COUNT REST" in its environment it starts again and again from before main: child by
 * child the FIRST, FIRST + STEP, ... allocation fails (REST 1: and all behind it). Standard output gets a
 * line a child: the number, how many were asked for, the exit status or - signal (999: it does not end),
 * whether standard output is as it is without a failure, the same of the file FAILING_FILE (old: it is as it
 * was before), and the end of standard error. The line of number 0 is of no failure.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json_tokener.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *old, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);

enum { LIMIT_MS = 30000, TEXT_BYTES = 1 << 20, TOLD = 4000 };
static const char before[] = "what was there before";

/* ---- Allocations ---- */

static struct {
    atomic_ulong *asked;  /* shared with the parent; NULL: not counted */
    unsigned long number; /* that fails; 0: none */
    bool rest;
} failing;

/* The thread that counts: another one's start under ASan takes memory, and dies without. */
static _Thread_local bool counts;

static bool fails(void)
{
    if (!failing.asked || !counts)
        return false;
    const unsigned long n = atomic_fetch_add(failing.asked, 1) + 1;
    if (!failing.number || n < failing.number || (n > failing.number && !failing.rest))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : REAL(malloc)(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : REAL(calloc)(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : REAL(realloc)(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : REAL(memalign)(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    void *const got = fails() ? NULL : REAL(memalign)(alignment, size);
    if (!got)
        return ENOMEM;
    *to = got;
    return 0;
}

/* json-c 0.16 takes the name of a member that it could not copy for a string, and dies of it. */
struct json_object *json_tokener_parse(const char *text)
{
    enum json_tokener_error error;
    counts = false;
    struct json_object *const object = json_tokener_parse_verbose(text, &error);
    counts = true;
    return object;
}

/* ---- A child for each ---- */

struct outcome {
    char *out, *error, *file;
    size_t out_bytes, error_bytes, file_bytes;
};

/* Static, as nothing of the parent's is to be counted. */
static char texts[2][3][TEXT_BYTES];

static size_t read_all(int fd, char *to)
{
    size_t size = 0;
    ssize_t got = 0;
    while (fd >= 0 && size < TEXT_BYTES && (got = pread(fd, to + size, TEXT_BYTES - size, (off_t)size)) > 0)
        size += (size_t)got;
    return size;
}

static void put_before(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, before, sizeof before) != sizeof before)
        _exit(99);
    close(fd);
}

static int ended(pid_t child)
{
    int status;
    struct pollfd p = {.fd = pidfd_open(child, 0), .events = POLLIN};
    const bool ends = poll(&p, 1, LIMIT_MS) == 1;
    close(p.fd);
    if (!ends)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return !ends ? 999 : WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static const char *compared(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    return a_bytes == b_bytes && memcmp(a, b, a_bytes) == 0 ? "same" : "other";
}

/* Returns in the children only. */
static void start_children(unsigned long first, unsigned long step, unsigned long count)
{
    const char *const path = getenv("FAILING_FILE");
    struct outcome outcomes[2];
    for (unsigned long i = 0; i <= count; i++) {
        const unsigned long number = i ? first + (i - 1) * step : 0;
        const int out = memfd_create("out", MFD_CLOEXEC), error = memfd_create("error", MFD_CLOEXEC);
        if (path)
            put_before(path);
        lseek(STDIN_FILENO, 0, SEEK_SET);
        atomic_store(failing.asked, 0);
        const pid_t child = fork();
        if (child == 0) {
            dup2(out, STDOUT_FILENO);
            dup2(error, STDERR_FILENO);
            close(out);
            close(error);
            failing.number = number;
            return;
        }
        const int status = ended(child);
        struct outcome *const o = &outcomes[i > 0];
        o->out_bytes = read_all(out, o->out = texts[i > 0][0]);
        o->error_bytes = read_all(error, o->error = texts[i > 0][1]);
        const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        o->file_bytes = read_all(file, o->file = texts[i > 0][2]);
        close(file);
        close(out);
        close(error);
        const unsigned long asked = atomic_load(failing.asked);
        const bool old = o->file_bytes == sizeof before && memcmp(o->file, before, sizeof before) == 0;
        for (size_t c = 0; c < o->error_bytes; c++)
            o->error[c] = o->error[c] == '\n' ? '|' : o->error[c];
        dprintf(STDOUT_FILENO, "%lu %lu %d %s %s %.*s\n", number, asked, status,
                compared(o->out, o->out_bytes, outcomes[0].out, outcomes[0].out_bytes),
                old ? "old" : compared(o->file, o->file_bytes, outcomes[0].file, outcomes[0].file_bytes),
                (int)(o->error_bytes < TOLD ? o->error_bytes : TOLD),
                o->error + (o->error_bytes < TOLD ? 0 : o->error_bytes - TOLD));
        if (number && asked < number)
            break;
    }
    _exit(0);
}

__attribute__((constructor)) static void start(void)
{
    unsigned long first, step, count;
    int rest;
    const char *const text = getenv("FAILING");
    if (!text || sscanf(text, "%lu %lu %lu %d", &first, &step, &count, &rest) != 4)
        return;
    failing.asked =
        mmap(NULL, sizeof *failing.asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counts = true;
    failing.rest = rest;
    if (count)
        start_children(first, step, count);
    else
        failing.number = first;
}
