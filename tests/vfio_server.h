/* A server in its own process, for tests of clients. After cmocka.h. */
#ifndef VFIO_SERVER_H
#define VFIO_SERVER_H

#include "server/vfio_user.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t server;
static volatile sig_atomic_t stop;

static inline void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static inline void on_message(void *user, const char *text)
{
    (void)user;
    if (getenv("TALK"))
        fprintf(stderr, "%s\n", text);
}

/* Returns when the last of its sockets exists. */
static inline void server_start(struct vfio_user_options options, const char *last)
{
    options.stop = &stop;
    options.message = on_message;
    server = fork();
    if (server == 0) {
        const struct sigaction action = {.sa_handler = on_signal};
        const char *what;
        sigaction(SIGTERM, &action, NULL);
        exit(vfio_user_serve(&options, &what));
    }
    for (int i = 0; i < 500 && access(last, F_OK) != 0; i++)
        usleep(10000);
}

/* False: it failed. */
static inline bool server_finish(void)
{
    int status = -1;
    kill(server, SIGTERM);
    waitpid(server, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#endif
