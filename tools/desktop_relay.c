/*
 * Relays between weston's screen-share module and the viewer, and mends what does not fit:
 * - Weston 10's module crashes if it sees a seat before it has set itself up. Announcements of seats are held
 * until it shares its first memory: it is ready then.
 * - The module asks for a picture that sets the mode of its output. A window has no modes, and weston's
 * Wayland backend refuses. It is asked for a picture without; the module takes the answer of a sync for the
 * answer.
 * - Weston 14's module shares pictures upside down. The panel says which side is up. The viewer is asked to
 * turn them.
 */
#include "desktop_relay.h"

#include "desktop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Sockets ---- */

ssize_t relay_receive(int from, void *data, size_t size_bytes, int *fds, unsigned *fd_count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(RELAY_FDS * sizeof(int))];
    } control;
    struct iovec part = {data, size_bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t length;
    *fd_count = 0;
    do
        length = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    for (struct cmsghdr *c = length > 0 ? CMSG_FIRSTHDR(&message) : NULL; c; c = CMSG_NXTHDR(&message, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
            *fd_count = (unsigned)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
            memcpy(fds, CMSG_DATA(c), *fd_count * sizeof(int));
        }
    return length;
}

bool relay_send(int to, const uint8_t *data, size_t size_bytes, const int *fds, unsigned fd_count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(RELAY_FDS * sizeof(int))];
    } control = {{0}};
    struct iovec part = {(void *)(uintptr_t)data, size_bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count) {
        message.msg_control = &control;
        message.msg_controllen = (socklen_t)CMSG_SPACE(fd_count * sizeof(int));
        control.align = (struct cmsghdr){.cmsg_len = (socklen_t)CMSG_LEN(fd_count * sizeof(int)),
                                         .cmsg_level = SOL_SOCKET,
                                         .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.align), fds, fd_count * sizeof(int));
    }
    while (part.iov_len) {
        const ssize_t length = sendmsg(to, &message, MSG_NOSIGNAL);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            break;
        part.iov_base = (char *)part.iov_base + length;
        part.iov_len -= (size_t)length;
        message.msg_control = NULL;
        message.msg_controllen = 0;
    }
    for (unsigned i = 0; i < fd_count; i++)
        close(fds[i]);
    return part.iov_len == 0;
}

/* ---- Messages: object, size and opcode, arguments ---- */

enum { HEADER = 8, NAME = HEADER + 8 /* in a registry's global and bind */ };

static uint32_t relay_word(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
}

static unsigned message_bytes(const uint8_t *message)
{
    return relay_word(message + 4) >> 16;
}

static bool is_message(const uint8_t *message, unsigned object, unsigned opcode)
{
    return object && relay_word(message) == object && (relay_word(message + 4) & 0xffff) == opcode;
}

static bool has_name(const uint8_t *message, const char *name)
{
    const size_t length = strlen(name) + 1;
    return message_bytes(message) >= NAME + length && memcmp(message + NAME, name, length) == 0;
}

/* ---- Which side is up ---- */

static void map_picture(struct relay *r, int memory)
{
    const size_t size_bytes = (size_t)r->width_px * r->height_px * 4;
    struct stat st;
    if (r->picture || r->is_decided || fstat(memory, &st) != 0 || (size_t)st.st_size < size_bytes)
        return;
    void *at = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, memory, 0);
    r->picture = at == MAP_FAILED ? NULL : at;
}

static bool is_panel(const struct relay *r, unsigned y)
{
    enum { STEPS = 2 }; /* of rounding */
    const uint8_t *pixel = r->picture + ((size_t)y * r->width_px + r->width_px - 2) * 4;
    for (unsigned i = 0; i < 3; i++) /* blue, green, red */
        if (abs(pixel[i] - (int)(DESKTOP_PANEL >> 8 * i & 0xff)) > STEPS)
            return false;
    return true;
}

/* Between two requests of the module. */
static bool turn_picture(struct relay *r)
{
    enum { DAMAGE = 2, SET_BUFFER_TRANSFORM = 7, FLIPPED_180 = 6, FROM_EDGE_PX = 2 };
    if (r->is_decided || r->skip_bytes || !r->picture || !r->surface)
        return true;
    const bool is_upright = is_panel(r, FROM_EDGE_PX),
               is_flipped = is_panel(r, r->height_px - 1 - FROM_EDGE_PX);
    r->is_decided = is_upright || is_flipped;
    if (is_upright || !is_flipped)
        return true;
    const uint32_t transform[] = {r->surface, 12 << 16 | SET_BUFFER_TRANSFORM, FLIPPED_180},
                   damage[] = {r->surface, 24 << 16 | DAMAGE, 0, 0, r->width_px, r->height_px};
    return relay_send(r->server, (const uint8_t *)transform, sizeof transform, NULL, 0) &&
           relay_send(r->server, (const uint8_t *)damage, sizeof damage, NULL, 0);
}

/* ---- From the module: requests ---- */

/* A whole request; writes what is sent for it, and returns its bytes. */
static size_t relay_request(struct relay *r, const uint8_t *request, uint8_t *to)
{
    enum { DISPLAY = 1, SYNC = 0, GET_REGISTRY = 1, BIND = 0, CREATE_SURFACE = 0, PRESENT_SURFACE = 1 };
    enum { PRESENT_SURFACE_FOR_MODE = 2, COMPOSITOR_VERSION = NAME + 16, SHELL_VERSION = NAME + 24 };
    const uint32_t version = 4; /* set_buffer_transform is of version 2 */
    const unsigned size_bytes = message_bytes(request);
    memcpy(to, request, size_bytes);
    if (is_message(request, DISPLAY, GET_REGISTRY) && size_bytes >= HEADER + 4 && !r->registry)
        r->registry = relay_word(request + HEADER);
    if (is_message(request, r->compositor, CREATE_SURFACE) && size_bytes >= HEADER + 4 && !r->surface)
        r->surface = relay_word(request + HEADER);
    if (is_message(request, r->registry, BIND) && has_name(request, "wl_compositor") &&
        size_bytes >= COMPOSITOR_VERSION + 8) {
        memcpy(to + COMPOSITOR_VERSION, &version, 4);
        r->compositor = relay_word(request + COMPOSITOR_VERSION + 4);
    }
    if (is_message(request, r->registry, BIND) && has_name(request, "zwp_fullscreen_shell_v1") &&
        size_bytes >= SHELL_VERSION + 8)
        r->shell = relay_word(request + SHELL_VERSION + 4);
    if (is_message(request, r->shell, PRESENT_SURFACE_FOR_MODE) && size_bytes >= HEADER + 16) {
        const uint32_t surface = relay_word(request + HEADER), output = relay_word(request + HEADER + 4),
                       feedback = relay_word(request + HEADER + 12),
                       requests[] = {
                           r->shell, 20 << 16 | PRESENT_SURFACE, surface, 0, output, DISPLAY, 12 << 16 | SYNC,
                           feedback};
        memcpy(to, requests, sizeof requests);
        return sizeof requests;
    }
    return size_bytes;
}

static size_t relay_requests(struct relay *r, const uint8_t *data, size_t size_bytes)
{
    size_t at = r->skip_bytes < size_bytes ? r->skip_bytes : size_bytes, length = at;
    memcpy(r->sent, data, at);
    r->skip_bytes -= at;
    while (!r->is_decided && size_bytes - at >= HEADER) {
        const unsigned next_bytes = message_bytes(data + at);
        if (next_bytes < HEADER) {
            r->is_decided = true; /* no Wayland */
        } else if (next_bytes > size_bytes - at) {
            r->skip_bytes = next_bytes - (size_bytes - at);
            break;
        } else {
            length += relay_request(r, data + at, r->sent + length);
            at += next_bytes;
        }
    }
    r->is_decided = r->is_decided || (at < size_bytes && !r->skip_bytes); /* a part of a header: rare */
    memcpy(r->sent + length, data + at, size_bytes - at);
    return length + size_bytes - at;
}

bool relay_from_module(struct relay *r)
{
    static uint8_t data[RELAY_BYTES];
    int fds[RELAY_FDS];
    unsigned fd_count;
    const ssize_t length = relay_receive(r->client, data, sizeof data, fds, &fd_count);
    if (length <= 0)
        return false;
    const size_t size_bytes = relay_requests(r, data, (size_t)length);
    if (fd_count)
        map_picture(r, fds[0]);
    if (!relay_send(r->server, r->sent, size_bytes, fds, fd_count) || !turn_picture(r))
        return false;
    if (r->is_ready || !fd_count)
        return true;
    r->is_ready = true;
    const bool good = relay_send(r->client, r->held, r->held_bytes, NULL, 0) &&
                      relay_send(r->client, r->part, r->part_bytes, NULL, 0);
    r->part_bytes = 0;
    return good;
}

/* ---- From the viewer: events ---- */

/* Whole events but announcements of seats. */
static bool relay_events(struct relay *r)
{
    enum { GLOBAL = 0 };
    unsigned at = 0;
    while (r->part_bytes - at >= HEADER) {
        const uint8_t *event = r->part + at;
        const unsigned size_bytes = message_bytes(event);
        if (size_bytes < HEADER)
            return false;
        if (size_bytes > r->part_bytes - at)
            break;
        if (is_message(event, r->registry, GLOBAL) && has_name(event, "wl_seat") &&
            r->held_bytes + size_bytes <= RELAY_BYTES) {
            memcpy(r->held + r->held_bytes, event, size_bytes);
            r->held_bytes += size_bytes;
        } else if (!relay_send(r->client, event, size_bytes, NULL, 0)) {
            return false;
        }
        at += size_bytes;
    }
    r->part_bytes -= at;
    memmove(r->part, r->part + at, r->part_bytes);
    return true;
}

bool relay_from_viewer(struct relay *r)
{
    int fds[RELAY_FDS];
    unsigned fd_count;
    const ssize_t length = relay_receive(r->server, r->part + r->part_bytes, RELAY_BYTES, fds, &fd_count);
    if (length <= 0)
        return false;
    r->part_bytes += (unsigned)length;
    if (!r->is_ready && !fd_count) /* without seats there are no descriptors */
        return relay_events(r);
    const unsigned size_bytes = r->part_bytes;
    r->part_bytes = 0;
    return relay_send(r->client, r->part, size_bytes, fds, fd_count);
}
