/*
 * What shows the picture of softgt desktop. Weston's screen-share module copies the output of the compositor
 * on the device to a second weston, the viewer, which draws without a GPU in a window of X or Wayland. Input
 * comes back by the same connection.
 *
 * The module starts a command with its connection; that process hands the connection over to this one, which
 * starts the viewer in the user's environment and relays between them.
 */
#include "desktop.h"

#include "tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FDS = 28, BYTES = 1 << 16 }; /* what Wayland sends at once, at most */

/* ---- Sockets ---- */

static ssize_t receive(int from, void *data, size_t size_bytes, int *fds, unsigned *fd_count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(FDS * sizeof(int))];
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

/* The descriptors go with the first byte, and are closed here. */
static bool pass_on(int to, const uint8_t *data, size_t size_bytes, const int *fds, unsigned fd_count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(FDS * sizeof(int))];
    } control = {{0}};
    struct iovec part = {(void *)(uintptr_t)data, size_bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
        control.align = (struct cmsghdr){CMSG_LEN(fd_count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
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

static bool set_address(struct sockaddr_un *address, const char *path)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(address->sun_path, path, strlen(path));
    return true;
}

int desktop_viewer_listen(const char *path)
{
    struct sockaddr_un address;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && set_address(&address, path) &&
        bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0)
        return fd;
    return -1;
}

int desktop_viewer_accept(int listener)
{
    const int fd = listener < 0 ? -1 : accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    int fds[FDS];
    unsigned fd_count = 0;
    char byte;
    if (fd < 0)
        return -1;
    receive(fd, &byte, 1, fds, &fd_count);
    close(fd);
    for (unsigned i = 1; i < fd_count; i++)
        close(fds[i]);
    return fd_count ? fds[0] : -1;
}

int desktop_viewer_hand_over(const char *path)
{
    struct sockaddr_un address;
    const char *number = getenv("WAYLAND_SERVER_SOCKET");
    const int connection = number ? atoi(number) : -1, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const uint8_t byte = 0;
    const bool good = fd >= 0 && fcntl(connection, F_GETFD) >= 0 && set_address(&address, path) &&
                      connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                      pass_on(fd, &byte, 1, &connection, 1);
    if (!good)
        tool_error(path, "the picture cannot be shown: %s", strerror(errno));
    return good ? TOOL_CLEAN : TOOL_FAILED;
}

/* ---- X ---- */

/* Of libxcb, which weston needs for X, and the tool for nothing else. */
static struct {
    void *(*connect)(const char *, int *);
    int (*has_error)(void *);
    void (*disconnect)(void *);
    const void *(*setup)(void *);
    struct {
        const uint32_t *root;
        int left, index;
    } (*roots)(const void *);
    unsigned (*grab)(void *, uint8_t, uint32_t, uint16_t, uint8_t, uint8_t, uint32_t, uint32_t, uint32_t);
    unsigned (*ungrab)(void *, uint32_t);
    unsigned (*get_focus)(void *);
    void *(*get_focus_reply)(void *, unsigned, void **);
} xcb;

static bool xcb_load(void)
{
    static const char *const names[] = {
        "xcb_connect",        "xcb_connection_has_error", "xcb_disconnect",
        "xcb_get_setup",      "xcb_setup_roots_iterator", "xcb_grab_pointer",
        "xcb_ungrab_pointer", "xcb_get_input_focus",      "xcb_get_input_focus_reply"};
    void *library = dlopen("libxcb.so.1", RTLD_NOW), *all[sizeof names / sizeof names[0]];
    _Static_assert(sizeof xcb == sizeof all, "");
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!library || !(all[i] = dlsym(library, names[i])))
            return false;
    memcpy(&xcb, all, sizeof xcb);
    return true;
}

bool desktop_x11_answers(void)
{
    if (!xcb_load())
        return true; /* weston will see */
    void *x = xcb.connect(NULL, NULL);
    const bool good = !xcb.has_error(x);
    xcb.disconnect(x);
    return good;
}

/*
 * X tells a window where the pointer is when it comes in. Weston 10 drops what comes before its first
 * picture, and takes all later motion from there, so that its pointer is off. A short grab of the pointer
 * makes X tell it again.
 */
static void repeat_enter(void)
{
    if (!xcb_load())
        return;
    void *x = xcb.connect(NULL, NULL);
    if (!xcb.has_error(x)) {
        xcb.grab(x, 0, *xcb.roots(xcb.setup(x)).root, 0, 1, 1, 0, 0, 0);
        xcb.ungrab(x, 0);
        free(xcb.get_focus_reply(x, xcb.get_focus(x), NULL));
    }
    xcb.disconnect(x);
}

/* ---- The relay ---- */

static uint32_t relay_word(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
}

/*
 * Weston 14's screen-share module shares pictures upside down. The panel tells: it is at the top. Then the
 * viewer is asked to turn them, by a request that the module does not make.
 */
struct flip {
    bool is_decided;
    unsigned compositor, surface; /* ids; 0: not known */
    size_t skip_bytes;            /* of a message that began earlier */
    unsigned width_px, height_px;
    const uint8_t *picture; /* the first memory that is shared */
};

static bool is_message(const uint8_t *message, unsigned object, unsigned opcode)
{
    return object && relay_word(message) == object && (relay_word(message + 4) & 0xffff) == opcode;
}

/* wl_registry.bind(name, "wl_compositor", version, id) and wl_compositor.create_surface(id) */
static void flip_watch_message(struct flip *f, unsigned registry, uint8_t *message, size_t size_bytes)
{
    static const char compositor[] = "wl_compositor";
    enum { NAME = 16, VERSION = NAME + 16, ID = VERSION + 4 };
    const uint32_t version = 4; /* the first with set_buffer_transform is 2 */
    if (!f->compositor && size_bytes >= ID + 4 && is_message(message, registry, 0) &&
        memcmp(message + NAME, compositor, sizeof compositor) == 0) {
        memcpy(message + VERSION, &version, 4);
        f->compositor = relay_word(message + ID);
    }
    if (!f->surface && size_bytes >= 12 && is_message(message, f->compositor, 0))
        f->surface = relay_word(message + 8);
}

static void flip_watch(struct flip *f, unsigned registry, uint8_t *data, size_t size_bytes)
{
    size_t at = f->skip_bytes;
    while (!f->is_decided && at + 8 <= size_bytes) {
        const unsigned length = relay_word(data + at + 4) >> 16;
        flip_watch_message(f, registry, data + at, length <= size_bytes - at ? length : size_bytes - at);
        f->is_decided = length < 8;
        at += length;
    }
    f->is_decided = f->is_decided || (at < size_bytes); /* a part of a header: rare */
    f->skip_bytes = at > size_bytes ? at - size_bytes : 0;
}

static void flip_map(struct flip *f, int memory)
{
    const size_t size_bytes = (size_t)f->width_px * f->height_px * 4;
    struct stat st;
    if (f->picture || f->is_decided || fstat(memory, &st) != 0 || (size_t)st.st_size < size_bytes)
        return;
    void *at = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, memory, 0);
    f->picture = at == MAP_FAILED ? NULL : at;
}

/* Weston shades it by a few steps. */
static bool is_panel(const struct flip *f, unsigned y)
{
    enum { STEPS = 8 };
    const uint8_t *pixel = f->picture + ((size_t)y * f->width_px + f->width_px - 2) * 4;
    for (unsigned i = 0; i < 3; i++) /* blue, green, red */
        if (abs(pixel[i] - (int)(DESKTOP_PANEL >> 8 * i & 0xff)) > STEPS)
            return false;
    return true;
}

/* Between two requests of the module. */
static bool flip_decide(struct flip *f, int server)
{
    enum { DAMAGE = 2, SET_BUFFER_TRANSFORM = 7, FLIPPED_180 = 6, FROM_EDGE_PX = 2 };
    if (f->is_decided || f->skip_bytes || !f->picture || !f->surface)
        return true;
    const bool is_upright = is_panel(f, FROM_EDGE_PX),
               is_flipped = is_panel(f, f->height_px - 1 - FROM_EDGE_PX);
    f->is_decided = is_upright || is_flipped;
    if (is_upright || !is_flipped)
        return true;
    const uint32_t requests[] = {f->surface,
                                 12 << 16 | SET_BUFFER_TRANSFORM,
                                 FLIPPED_180,
                                 f->surface,
                                 24 << 16 | DAMAGE,
                                 0,
                                 0,
                                 f->width_px,
                                 f->height_px};
    return pass_on(server, (const uint8_t *)requests, sizeof requests, NULL, 0);
}

/*
 * Weston 10's screen-share module crashes if it sees a seat before it has set itself up. Announcements of
 * seats are held until it shares its first memory: it is ready then.
 */
struct relay {
    int client, server;
    bool is_x11, is_ready;
    unsigned registry;   /* the id that the client gave wl_registry */
    unsigned part_bytes; /* of a message that is not complete */
    unsigned held_bytes;
    struct flip flip;
    uint8_t part[2 * BYTES], held[BYTES];
};

/* wl_registry.global(name, interface, version) */
static bool announces_seat(const struct relay *r, const uint8_t *message, unsigned size_bytes)
{
    static const char seat[] = "wl_seat";
    return relay_word(message) == r->registry && (relay_word(message + 4) & 0xffff) == 0 &&
           size_bytes >= 16 + sizeof seat && memcmp(message + 16, seat, sizeof seat) == 0;
}

/* Whole messages of the viewer but announcements of seats. */
static bool relay_messages(struct relay *r)
{
    unsigned at = 0;
    while (r->part_bytes - at >= 8) {
        const uint8_t *message = r->part + at;
        const unsigned size_bytes = relay_word(message + 4) >> 16;
        if (size_bytes < 8)
            return false;
        if (size_bytes > r->part_bytes - at)
            break;
        if (announces_seat(r, message, size_bytes) && r->held_bytes + size_bytes <= BYTES) {
            memcpy(r->held + r->held_bytes, message, size_bytes);
            r->held_bytes += size_bytes;
        } else if (!pass_on(r->client, message, size_bytes, NULL, 0)) {
            return false;
        }
        at += size_bytes;
    }
    r->part_bytes -= at;
    memmove(r->part, r->part + at, r->part_bytes);
    return true;
}

static bool from_viewer(struct relay *r)
{
    int fds[FDS];
    unsigned fd_count;
    uint8_t *to = r->part + r->part_bytes;
    const ssize_t length = receive(r->server, to, BYTES, fds, &fd_count);
    if (length <= 0)
        return false;
    if (r->is_ready || fd_count) { /* before seats there are no descriptors */
        const unsigned size_bytes = r->part_bytes + (unsigned)length;
        r->part_bytes = 0;
        return pass_on(r->client, r->part, size_bytes, fds, fd_count);
    }
    r->part_bytes += (unsigned)length;
    return relay_messages(r);
}

static bool from_module(struct relay *r)
{
    static uint8_t data[BYTES];
    int fds[FDS];
    unsigned fd_count;
    const ssize_t length = receive(r->client, data, sizeof data, fds, &fd_count);
    if (length <= 0)
        return false;
    if (!r->registry && length >= 12 && relay_word(data) == 1 && (relay_word(data + 4) & 0xffff) == 1)
        r->registry = relay_word(data + 8); /* wl_display.get_registry(id) */
    flip_watch(&r->flip, r->registry, data, (size_t)length);
    if (fd_count)
        flip_map(&r->flip, fds[0]);
    if (!pass_on(r->server, data, (size_t)length, fds, fd_count) || !flip_decide(&r->flip, r->server))
        return false;
    if (r->is_ready || !fd_count)
        return true;
    r->is_ready = true;
    if (r->is_x11)
        repeat_enter();
    return pass_on(r->client, r->held, r->held_bytes, NULL, 0) &&
           pass_on(r->client, r->part, r->part_bytes, NULL, 0) && (r->part_bytes = 0, true);
}

int desktop_viewer_run(int client, char *const *argv, bool is_x11, unsigned width_px, unsigned height_px)
{
    static struct relay r;
    int pair[2], status = 0;
    char number[16];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return TOOL_FAILED;
    const pid_t viewer = fork();
    if (viewer == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        fcntl(pair[1], F_SETFD, 0);
        snprintf(number, sizeof number, "%d", pair[1]);
        setenv("WAYLAND_SERVER_SOCKET", number, 1);
        desktop_execute(argv);
    }
    close(pair[1]);
    r.client = client;
    r.server = pair[0];
    r.is_x11 = is_x11;
    r.flip.width_px = width_px;
    r.flip.height_px = height_px;
    struct pollfd ready[] = {{.fd = client, .events = POLLIN}, {.fd = pair[0], .events = POLLIN}};
    for (bool good = viewer > 0; good;) {
        if (poll(ready, 2, -1) < 0)
            continue;
        if (ready[0].revents)
            good = from_module(&r);
        if (good && ready[1].revents)
            good = from_viewer(&r);
    }
    close(pair[0]); /* the viewer's only client is gone */
    close(client);
    while (viewer > 0 && waitpid(viewer, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
