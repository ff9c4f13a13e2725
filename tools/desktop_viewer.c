/*
 * What shows the picture of softgt desktop. Weston's screen-share module copies the output of the compositor
 * on the device to a second weston, the viewer, which draws without a GPU in a window of X or Wayland. Input
 * comes back by the same connection.
 *
 * The module starts a command with its connection; that process hands the connection over to this one, which
 * starts the viewer in the user's environment and relays between them.
 */
#include "desktop.h"
#include "desktop_relay.h"

#include "tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Sockets ---- */

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
    int fds[RELAY_FDS];
    unsigned fd_count = 0;
    char byte;
    if (fd < 0)
        return -1;
    relay_receive(fd, &byte, 1, fds, &fd_count);
    close(fd);
    for (unsigned i = 1; i < fd_count; i++)
        close(fds[i]);
    return fd_count ? fds[0] : -1;
}

int desktop_viewer_hand_over(const char *path)
{
    struct sockaddr_un address;
    const char *number = getenv("WAYLAND_SERVER_SOCKET");
    const int connection = number ? (int)strtol(number, NULL, 10) : -1,
              fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const uint8_t byte = 0;
    const bool good = fd >= 0 && fcntl(connection, F_GETFD) >= 0 && set_address(&address, path) &&
                      connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                      relay_send(fd, &byte, 1, &connection, 1);
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

/* ---- The viewer ---- */

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
    r = (struct relay){.client = client, .server = pair[0], .width_px = width_px, .height_px = height_px};
    struct pollfd ready[] = {{.fd = client, .events = POLLIN}, {.fd = pair[0], .events = POLLIN}};
    bool module_ended = false;
    for (bool viewer_ended = viewer <= 0; !module_ended && !viewer_ended;) {
        const bool was_ready = r.is_ready;
        if (poll(ready, 2, -1) < 0)
            continue;
        if (ready[0].revents)
            module_ended = !relay_from_module(&r);
        else
            viewer_ended = !relay_from_viewer(&r);
        if (is_x11 && r.is_ready && !was_ready)
            repeat_enter();
    }
    close(pair[0]); /* the viewer's only client is gone */
    close(client);
    while (viewer > 0 && waitpid(viewer, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : module_ended ? TOOL_FAILED : WEXITSTATUS(status);
}
