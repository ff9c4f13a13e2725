/*
 * The control socket of a server with functions: requests and answers, each a JSON object on a line. A few
 * clients at once, each with a line at a time; none is waited for.
 */
#ifndef FRONTEND_VFIO_USER_FUNCTION_CONTROL_H
#define FRONTEND_VFIO_USER_FUNCTION_CONTROL_H

#include <json-c/json.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTROL_CLIENTS = 4, CONTROL_LINE_BYTES = 4096, CONTROL_POLLED = CONTROL_CLIENTS + 1 };

struct control_socket {
    int listener;
    struct control_client {
        int fd;     /* -1: none */
        int passed; /* a descriptor that came with the request; -1: none */
        size_t count;
        uint64_t since_ns; /* its last request, by the host */
        char line[CONTROL_LINE_BYTES];
    } clients[CONTROL_CLIENTS];
};

/* The object that answers, the caller's; NULL: there is no memory. `passed`: a descriptor that came with it,
 * the caller's, or -1. */
typedef struct json_object *control_answer(void *user, struct json_object *request, int passed);

void control_begin(struct control_socket *c);
void control_end(struct control_socket *c);
/* What it waits for, to poll. */
unsigned control_polled(const struct control_socket *c, struct pollfd fds[CONTROL_POLLED]);
/* When a client is to be served that has asked already, or is let go that says nothing; UINT64_MAX: none is.
 */
uint64_t control_due_ns(const struct control_socket *c);
void control_serve(struct control_socket *c, uint64_t now_ns, control_answer *answer, void *user);

#endif
