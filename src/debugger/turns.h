/* Whose turn it is, said over the socket between the debugger and a debuggee. */
#ifndef DEBUGGER_TURNS_H
#define DEBUGGER_TURNS_H

#include "debugger/debugger.h"

enum turn {
    TURN_OVER, /* the other side is gone */
    /* To a debuggee that stands still. */
    TURN_GO,       /* shared.move */
    TURN_LOOK,     /* shared.line */
    TURN_COMPLETE, /* shared.line; answer: shared.completions */
    TURN_COPY,     /* answer: the same with the copy's socket, or NO_COPY */
    /* To the debugger. */
    TURN_STOPPED, /* shared.reason */
    TURN_DONE,
    TURN_NO_COPY,
    TURN_PAST, /* a copy stands still there; its socket comes along; the debuggee runs on */
};

struct turn_message {
    enum turn turn;
    struct debug_place place; /* of the debuggee, or of its copy */
    uint64_t draws;           /* that it has come to */
};

/* `fd` < 0: none comes along. False: the other side is gone. */
bool turn_send(int socket, const struct turn_message *message, int fd);
/* *fd: -1 without one. The turn is returned, too. */
enum turn turn_receive(int socket, struct turn_message *message, int *fd);

#endif
