/*
 * A client of the control socket of a server with functions. The bytes are lines, each sent as it is: with a
 * file that lasts (one that begins with +), with what is no file (-); or they change that file (~, an offset
 * of three bytes, what goes there). Each line is answered by one, or the client is let go, and comes again.
 * The server runs in a thread from the first input on.
 */
#include "host/fd_message.h"
#include "server/vfio_user.h"
#include "fuzz.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINES = 32, MOST_BYTES = 1 << 14, PATIENCE_MS = 60000, LOCAL_BYTES = 64 << 20 };

static volatile sig_atomic_t stop;
static char folder[96];
static int file = -1, no_file = -1;

static void on_message(void *user, const char *text)
{
    *(size_t *)user += strlen(text);
}

static void *serve(void *user)
{
    static size_t told;
    const char *what;
    (void)user;
    const struct vfio_user_options options = {.device = "atsm",
                                              .socket = folder,
                                              .functions = 2,
                                              .local_bytes = LOCAL_BYTES,
                                              .stop = &stop,
                                              .user = &told,
                                              .message = on_message};
    const int error = vfio_user_serve(&options, &what);
    fprintf(stderr, "%s: %s\n", what, strerror(error));
    abort();
}

static void end(void)
{
    static const char *const names[] = {"control", "pf", "vf1", "vf2"};
    char path[sizeof folder + 16];
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void begin(void)
{
    pthread_t thread;
    int ends[2];
    snprintf(folder, sizeof folder, "/tmp/softgt-fuzz-functions-%d", (int)getpid());
    file = memfd_create("functions", MFD_CLOEXEC);
    if (file < 0 || pipe(ends) != 0 || pthread_create(&thread, NULL, serve, NULL) != 0)
        abort();
    no_file = ends[1];
    atexit(end);
}

static int dial(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/control", folder);
    for (unsigned tries = 0; tries < 4000; tries++) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        usleep(5000);
    }
    perror(folder);
    abort();
}

/* False: it was let go. */
static bool ask(int fd, const uint8_t *line, size_t length, int with)
{
    struct iovec part = {(void *)(uintptr_t)line, length};
    union fd_message_space room;
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    char answer[1 << 14];
    if (with >= 0)
        fd_message_attach(&m, &room, with);
    if (sendmsg(fd, &m, MSG_NOSIGNAL) != (ssize_t)length)
        return false;
    for (char last = 0; last != '\n';) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int there;
        while ((there = poll(&p, 1, PATIENCE_MS)) < 0 && errno == EINTR) /* the fuzzer's own clock */
            ;
        if (there != 1) {
            fprintf(stderr, "no answer: %.*s", (int)length, (const char *)line);
            abort();
        }
        const ssize_t got = recv(fd, answer, sizeof answer, 0);
        if (got <= 0)
            return false;
        last = answer[got - 1];
    }
    return true;
}

static void change(const uint8_t *bytes, size_t size)
{
    if (size < 3)
        return;
    const off_t at = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
    if (pwrite(file, bytes + 3, size - 3, at) < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (file < 0)
        begin();
    int fd = dial();
    const uint8_t *const end = data + (size < MOST_BYTES ? size : MOST_BYTES);
    for (unsigned i = 0; i < LINES && data < end; i++) {
        const uint8_t *const newline = memchr(data, '\n', (size_t)(end - data));
        if (!newline)
            break; /* nothing is answered before a line ends */
        const bool lasts = *data == '+', is_none = *data == '-';
        if (*data == '~') {
            change(data + 1, (size_t)(newline - data - 1));
        } else {
            const uint8_t *const line = data + (lasts || is_none ? 1 : 0);
            if (!ask(fd, line, (size_t)(newline + 1 - line), lasts ? file : is_none ? no_file : -1)) {
                close(fd);
                fd = dial();
            }
        }
        data = newline + 1;
    }
    close(fd);
    if (ftruncate(file, 0) != 0)
        abort();
    return 0;
}

/* ---- What it begins with ---- */

#define ASK(verb, rest) "{\"do\":\"" verb "\",\"function\":\"vf1\"" rest "}\n"
#define PART(verb, n)   "+" ASK(verb, ",\"part\":" #n)

static void text(fuzz_take *take, const char *line)
{
    take(line, strlen(line));
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    (void)root;
    text(take, "{\"do\":\"show\"}\n[1]\n{}\n\n{\"do\":\n");
    text(take, ASK("set", ",\"quantum_ms\":3,\"preemption_us\":1000,\"priority\":2"));
    text(take, ASK("set", ",\"local_mb\":8,\"contexts\":300,\"doorbells\":8,\"ggtt_mb\":64") ASK("show", ""));
    text(take, ASK("pause", "") ASK("resume", "") ASK("reset", "") "-" ASK("save", ""));
    text(take, ASK("pause", "") PART("save", 0) PART("save", 1) PART("save", 2) PART("restore", 0)
                   PART("restore", 1) PART("restore", 2) PART("restore", 99) ASK("resume", ""));
    text(take, ASK("pause", "") PART("save", 0) "~\x50\x01\x01\x7f\n" PART(
                   "restore", 0) "~\x01\x10\x01\xff\xff\xff\n" PART("restore", 0) PART("restore", 1)
                   ASK("resume", ""));
}

void fuzz_words(fuzz_take *take)
{
    static const char *const words[] = {"\"do\":",
                                        "\"show\"",
                                        "\"set\"",
                                        "\"pause\"",
                                        "\"resume\"",
                                        "\"reset\"",
                                        "\"save\"",
                                        "\"restore\"",
                                        "\"function\":",
                                        "\"vf1\"",
                                        "\"vf2\"",
                                        "\"part\":",
                                        "\"ggtt_mb\":",
                                        "\"local_mb\":",
                                        "\"contexts\":",
                                        "\"doorbells\":",
                                        "\"quantum_ms\":",
                                        "\"preemption_us\":",
                                        "\"priority\":",
                                        "}\n+{",
                                        "}\n~",
                                        "18446744073709551615",
                                        "-1",
                                        "1e9",
                                        "null"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        text(take, words[i]);
}
