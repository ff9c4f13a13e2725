/* A debugger's side of a control socket (server/debug_requests.h). */
#ifndef TOOLS_DEBUG_CLIENT_H
#define TOOLS_DEBUG_CLIENT_H

#include "control_client.h"
#include "prompt.h"

struct debug_client {
    struct control_connection connection;
    struct text words; /* of the last completion */
    unsigned answers_due;
    bool is_gone; /* the device ended */
};

void debug_client_open(struct debug_client *c, const char *path);
void debug_client_close(struct debug_client *c);
/* Holds the device and prints where it is. Control-C holds it again later. False after a message. */
bool debug_client_attach(struct debug_client *c, bool colour);
struct prompt debug_client_prompt(struct debug_client *c);

#endif
