/* A client of a server's control socket: requests and answers are JSON objects, one a line. */
#ifndef TOOLS_CONTROL_CLIENT_H
#define TOOLS_CONTROL_CLIENT_H

#include "tool.h"

struct control_connection {
    char *path;
    int fd;         /* -1: not connected yet */
    struct text in; /* received; from `at` on not returned yet */
    size_t at;
    /* Called a few times a second while a patient client waits; optional. */
    void (*wait)(void *user);
    void *user;
};

/* A socket, or the socket control of a folder. The first request connects. */
void control_open(struct control_connection *c, const char *path, bool is_folder);
void control_close(struct control_connection *c);
/* The next line, valid until the next call. NULL: see errno; 0: the server ended. `patient`: without a limit
 * of time. */
const char *control_receive(struct control_connection *c, bool patient);
/* Connects, if it is not connected. False: see errno. */
bool control_connect(struct control_connection *c);
/* Sends a request with a file; -1: without. The first one connects. False: see errno. */
bool control_send(struct control_connection *c, struct json_object *request, int file);
/* Sends a request and returns the answer's object, which the caller frees; *line: its text, if asked for.
 * NULL after a message, which begins with `subject`, if it is not NULL. */
struct json_object *control_ask(struct control_connection *c, struct json_object *request, int file,
                                const char *subject, const char **line);

#endif
