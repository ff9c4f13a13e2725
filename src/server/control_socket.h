/*
 * The control socket of a device: a server's, or one in a program (softgt exec). Requests and answers are
 * JSON objects, one a line. A few clients are served at once, a line of each at a time; no call blocks. A
 * client may ask for a stream of lines: events, statistics. What it does not read in time is dropped and
 * counted. One client may be a debugger's (debug_requests.h).
 */
#ifndef SERVER_CONTROL_SOCKET_H
#define SERVER_CONTROL_SOCKET_H

#include "host/event_filter.h"
#include "host/event_json.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTROL_CLIENTS = 8, CONTROL_LINE_BYTES = 4096, CONTROL_POLLED = CONTROL_CLIENTS + 1 };
enum { CONTROL_OUT_BYTES = 4 << 20, CONTROL_STREAM_BYTES = 1 << 20 }; /* that wait for a reader */
#define CONTROL_SECOND_NS UINT64_C(1000000000)

struct control_client {
    int fd;     /* -1: none */
    int passed; /* descriptor that came with the request; -1: none */
    size_t count;
    uint64_t since_ns; /* host time of its last request, or at which it last read an answer */
    struct text out;   /* lines that it has not read yet, from out_sent on */
    size_t out_sent;
    struct event_filter events; /* that it gets; mask 0: none */
    uint64_t dropped_events;    /* since the last line */
    uint64_t statistics_ns;     /* when it gets the next statistics; 0: it gets none */
    bool is_debugger;
    char line[CONTROL_LINE_BYTES];
};

struct control_socket {
    int listener;
    /* Where the process is a program's: a place for a descriptor among its own, which it does not close.
     * Optional.
     */
    int (*adopt)(int fd);
    void (*release)(int fd);
    struct control_client clients[CONTROL_CLIENTS];
};

/* Appends the answer to a request, without a newline. The client has the descriptor that came with it. */
typedef void control_answer(void *user, struct control_client *client, const char *request, size_t length,
                            struct text *answer);

/* Listens at the path. False: errno says why. */
bool control_listen(struct control_socket *c, const char *path);

void control_begin(struct control_socket *c);
void control_end(struct control_socket *c);
/* The descriptors to poll; none while there is no socket. */
unsigned control_polled(const struct control_socket *c, struct pollfd fds[CONTROL_POLLED]);
/* Time at which a buffered request is served, a silent client dropped, or a stream continues; UINT64_MAX:
 * none. */
uint64_t control_due_ns(const struct control_socket *c);
void control_serve(struct control_socket *c, uint64_t now_ns, control_answer *answer, void *user);

/* The events that clients want, and one of them. */
unsigned control_events(const struct control_socket *c);
void control_send_event(struct control_socket *c, const struct event_place *place,
                        const struct softgt_event *e);
/* A line of statistics for clients that want one now; they count as sent. False: none does. */
bool control_wants_statistics(struct control_socket *c, uint64_t now_ns);
void control_send_statistics(struct control_socket *c, uint64_t now_ns, const struct text *line);

/* The debugger's client; NULL: none. */
struct control_client *control_debugger(struct control_socket *c);
/* Sends it a line. False: it does not read, or memory is out. */
bool control_send_debugger(struct control_client *k, const struct text *line);

#endif
