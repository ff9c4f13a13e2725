/*
 * A debugger at a control socket. Requests have "do":"debug" and one of these in "ask":
 *   attach     the engines are held; "color":"always" colours texts
 *   line       "text" is a line of the prompt
 *   complete   "text" is the begin of a line: the answer's text is the words that may end it, one a line
 *   interrupt  the engines are held now
 * Answers have "result": done, refused, moves or quit, and "text". After a line that moves the device goes
 * on. A line with "event":"stopped" and its text follows unasked when it is held again. One client at a time
 * may debug; when it leaves, the device goes on.
 */
#ifndef SERVER_DEBUG_REQUESTS_H
#define SERVER_DEBUG_REQUESTS_H

#include "debugger/live.h"
#include "server/control_socket.h"

struct debug_host {
    struct softgt *device;
    struct live_port port;
    struct live_debugger *live; /* NULL: nobody debugs */
    bool awaits;                /* engines are held until a debugger comes */
};

struct debug_request {
    const char *ask, *text, *color; /* NULL: not given */
};

/* Appends the answer to a request that is refused. */
void debug_refuse(struct text *answer, const char *why);
/* Holds the engines until a debugger comes. False: out of memory. */
bool debug_host_await(struct debug_host *h);
void debug_host_end(struct debug_host *h);
/* Appends the answer to a request, without a newline. */
void debug_host_answer(struct debug_host *h, struct control_client *client,
                       const struct debug_request *request, struct text *answer);
/* After clients were served, and after runs: a debugger left, or the device was held. */
void debug_host_serve(struct debug_host *h, struct control_socket *c);
/* debug_host_serve has something to send. */
bool debug_host_is_due(const struct debug_host *h);
/* The device is held: nothing goes on without a request. */
bool debug_host_holds(const struct debug_host *h);

/* Reads a request without a JSON library, which a program may lack: a flat object of strings. `room` holds
 * them, and is as large as the request. False: it is no such object. */
bool debug_request_read(struct debug_request *request, const char *line, size_t length, char *room);

#endif
