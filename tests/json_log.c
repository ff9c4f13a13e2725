/*
 * The tool, but that each JSON object that it prints, writes or sends is also appended to the file that
 * SOFTGT_JSON_LOG names, a line each: for json_schemas.py. Of objects that differ in numbers alone, a process
 * logs the first few. fwrite, sendmsg and write are wrapped by the linker; all of these get whole lines.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *to);
ssize_t __real_sendmsg(int to, const struct msghdr *message, int flags);
ssize_t __real_write(int to, const void *data, size_t bytes);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *to);
ssize_t __wrap_sendmsg(int to, const struct msghdr *message, int flags);
ssize_t __wrap_write(int to, const void *data, size_t bytes);

static int log_fd = -1;

/* Before the sandbox, and not in the place of a closed standard stream. */
__attribute__((constructor)) static void open_log(void)
{
    const char *const path = getenv("SOFTGT_JSON_LOG");
    const int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    log_fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
}

/* The line has come often enough, but for its digits. */
static bool is_known(const char *line, size_t length)
{
    enum { SLOTS = 1 << 16, FIRST = 4 };
    static struct {
        uint64_t hash;
        unsigned count;
    } seen[SLOTS];
    uint64_t hash = UINT64_C(14695981039346656037);
    bool in_number = false;
    for (size_t i = 0; i < length; i++) {
        const bool is_digit =
            isdigit((unsigned char)line[i]) || (in_number && isxdigit((unsigned char)line[i]));
        if (!is_digit || !in_number)
            hash =
                (hash ^ (is_digit ? (unsigned char)'0' : (unsigned char)line[i])) * UINT64_C(1099511628211);
        in_number = is_digit || (in_number && line[i] == 'x');
    }
    for (unsigned i = 0; i < 8; i++) {
        const size_t at = (hash + i) % SLOTS;
        if (seen[at].count && seen[at].hash != hash)
            continue;
        seen[at].hash = hash;
        return seen[at].count++ >= FIRST;
    }
    return true; /* there are many kinds already */
}

static void log_objects(const char *at, size_t bytes)
{
    static const char start[] = "{\"schema\":\"softgt.";
    const char *const end = at + bytes;
    while (log_fd >= 0 && at < end) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((newline ? newline : end) - at);
        if (length > sizeof start && memcmp(at, start, sizeof start - 1) == 0 && !is_known(at, length)) {
            char *const line = malloc(length + 1);
            if (line) {
                memcpy(line, at, length);
                line[length] = '\n';
                if (__real_write(log_fd, line, length + 1) < 0)
                    log_fd = -1;
            }
            free(line);
        }
        at += length + 1;
    }
}

size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *to)
{
    log_objects(data, size * count);
    return __real_fwrite(data, size, count, to);
}

/* What was sent: the rest is tried again. */
ssize_t __wrap_sendmsg(int to, const struct msghdr *message, int flags)
{
    const ssize_t sent = __real_sendmsg(to, message, flags);
    size_t left = sent > 0 ? (size_t)sent : 0;
    for (size_t i = 0; i < message->msg_iovlen && left; i++) {
        const struct iovec *const part = &message->msg_iov[i];
        const size_t bytes = part->iov_len < left ? part->iov_len : left;
        const char *const end = bytes ? memrchr(part->iov_base, '\n', bytes) : NULL;
        log_objects(part->iov_base, end ? (size_t)(end - (const char *)part->iov_base) : 0);
        left -= bytes;
    }
    return sent;
}

ssize_t __wrap_write(int to, const void *data, size_t bytes)
{
    log_objects(data, bytes);
    return __real_write(to, data, bytes);
}
