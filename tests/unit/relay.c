/*
 * A relay passes descriptors: what is written to the received one arrives at the other end of the pipe. A
 * program without libraries, so that scripts/hosts can run it with musl, whose struct cmsghdr has padding.
 */
#include "desktop_relay.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    static const char sent[] = "through";
    int sockets[2], pipes[2], fds[RELAY_FDS];
    unsigned count = 0;
    uint8_t byte = 0;
    char got[sizeof sent] = "";
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || pipe(pipes) != 0)
        return 77;
    if (!relay_send(sockets[0], (const uint8_t *)"b", 1, &pipes[1], 1)) {
        fputs("relay_send: nothing was sent\n", stderr);
        return 1;
    }
    if (relay_receive(sockets[1], &byte, 1, fds, &count) != 1 || byte != 'b' || count != 1) {
        fprintf(stderr, "relay_receive: expected a byte and 1 descriptor, got %u descriptors\n", count);
        return 1;
    }
    if (write(fds[0], sent, sizeof sent) != sizeof sent || read(pipes[0], got, sizeof got) != sizeof sent ||
        memcmp(sent, got, sizeof sent) != 0) {
        fputs("the descriptor that was received is not that of the pipe\n", stderr);
        return 1;
    }
    return 0;
}
