/* Between weston's screen-share module, which is a client of Wayland, and the viewer, its server. */
#ifndef TOOLS_DESKTOP_RELAY_H
#define TOOLS_DESKTOP_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { RELAY_FDS = 28, RELAY_BYTES = 1 << 16 }; /* what Wayland sends at once, at most */

struct relay {
    int client, server;
    unsigned width_px, height_px;
    bool is_ready;   /* the module may see seats */
    bool is_decided; /* which side of the picture is up; or the module's requests cannot be followed */
    unsigned registry, compositor, shell, surface; /* ids of the module's objects; 0: not known */
    size_t skip_bytes;                             /* of a request that began earlier */
    const uint8_t *picture;                        /* the first memory that is shared */
    unsigned part_bytes;                           /* of an event that is not complete */
    unsigned held_bytes;                           /* of announcements of seats */
    uint8_t part[2 * RELAY_BYTES], held[RELAY_BYTES], sent[2 * RELAY_BYTES];
};

/* What can be received; false: the other side has ended. */
bool relay_from_module(struct relay *r);
bool relay_from_viewer(struct relay *r);

/* With descriptors; the count of bytes, 0 at the end, or -1. */
ssize_t relay_receive(int from, void *data, size_t size_bytes, int *fds, unsigned *fd_count);
/* The descriptors go with the first byte, and are closed here. */
bool relay_send(int to, const uint8_t *data, size_t size_bytes, const int *fds, unsigned fd_count);

#endif
