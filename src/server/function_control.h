/*
 * The control socket of a server with functions. Requests and answers are JSON objects, one a line. A few
 * clients are served at once, a line of each at a time; no call blocks.
 */
#ifndef SERVER_FUNCTION_CONTROL_H
#define SERVER_FUNCTION_CONTROL_H

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
        int passed; /* descriptor that came with the request; -1: none */
        size_t count;
        uint64_t since_ns; /* host time of its last request */
        char line[CONTROL_LINE_BYTES];
    } clients[CONTROL_CLIENTS];
};

/* Returns the answer, which the caller frees; NULL: no memory. `passed`: the descriptor that came with the
 * request, owned by the caller, or -1. */
typedef struct json_object *control_answer(void *user, struct json_object *request, int passed);

void control_begin(struct control_socket *c);
void control_end(struct control_socket *c);
/* The descriptors to poll. */
unsigned control_polled(const struct control_socket *c, struct pollfd fds[CONTROL_POLLED]);
/* Time at which a buffered request is served or a silent client dropped; UINT64_MAX: none. */
uint64_t control_due_ns(const struct control_socket *c);
void control_serve(struct control_socket *c, uint64_t now_ns, control_answer *answer, void *user);

#endif
