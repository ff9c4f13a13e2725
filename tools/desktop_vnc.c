/* The VNC server of softgt desktop: TigerVNC's Xvnc, on which the viewer's window is the whole screen. */
#include "desktop.h"

#include "tool.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { VNC_PORT = 5900, PASSWORD = 8 }; /* VNC uses 8 characters of a password */

/* ---- The address ---- */

static bool parse_port(const char *text, uint16_t *port)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    *port = (uint16_t)value;
    return *text >= '0' && *text <= '9' && !*end && value <= UINT16_MAX;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* A name that has both is IPv4: that is what viewers try. */
static bool find_address(const struct desktop_vnc *v, struct addrinfo **found)
{
    struct addrinfo wanted = {
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    char port[8];
    snprintf(port, sizeof port, "%u", v->port);
    if (getaddrinfo(v->address, port, &wanted, found) == 0)
        return true;
    wanted.ai_family = AF_INET6;
    return getaddrinfo(v->address, port, &wanted, found) == 0;
}

static void write_text(struct desktop_vnc *v)
{
    const bool is_ipv6 = strchr(v->address, ':');
    snprintf(v->text, sizeof v->text, "%s%s%s:%u", is_ipv6 ? "[" : "", v->address, is_ipv6 ? "]" : "",
             v->port);
}

bool desktop_vnc_parse(struct desktop_vnc *v, const char *text)
{
    char copy[sizeof v->address] = "", *host = copy, *port;
    struct addrinfo *found;
    *v = (struct desktop_vnc){.address = "127.0.0.1", .port = VNC_PORT};
    if (text && snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    if (*host == '[') { /* [IPv6] or [IPv6]:PORT */
        char *end = strchr(++host, ']');
        if (!end || (end[1] && end[1] != ':'))
            return false;
        port = end[1] ? end + 2 : NULL;
        *end = 0;
    } else {
        const bool is_port = *host && !host[strspn(host, "0123456789")];
        port = is_port ? host : strchr(host, ':');
        host = is_port ? host + strlen(host) : host;
        if (port && *port == ':')
            *port++ = 0;
    }
    if (port && !parse_port(port, &v->port))
        return false;
    if (*host)
        memmove(v->address, host, strlen(host) + 1);
    if (!find_address(v, &found))
        return false;
    v->is_local = is_loopback(found->ai_addr);
    getnameinfo(found->ai_addr, found->ai_addrlen, v->address, sizeof v->address, NULL, 0, NI_NUMERICHOST);
    freeaddrinfo(found);
    write_text(v);
    return true;
}

bool desktop_vnc_reserve(struct desktop_vnc *v)
{
    struct addrinfo *found;
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    const int on = 1;
    char port[8];
    if (!find_address(v, &found))
        return false;
    const int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const bool good =
        bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
        getnameinfo((struct sockaddr *)&address, length, NULL, 0, port, sizeof port, NI_NUMERICSERV) == 0;
    if (!good)
        tool_error(v->text, "no VNC server can listen there: %s%s", strerror(errno),
                   errno == EADDRINUSE ? " (--vnc=:PORT takes another port, --vnc=:0 any free one)" : "");
    else
        parse_port(port, &v->port);
    write_text(v);
    close(fd);
    freeaddrinfo(found);
    return good;
}

/* ---- The password ---- */

static bool make_password(struct desktop_vnc *v)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    uint8_t bytes[PASSWORD];
    _Static_assert(sizeof letters == 32 + 1, "");
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        tool_error(NULL, "no password can be made: %s", strerror(errno));
        return false;
    }
    for (unsigned i = 0; i < PASSWORD; i++)
        v->password[i] = letters[bytes[i] % 32];
    v->password[PASSWORD] = 0;
    return true;
}

bool desktop_vnc_password(struct desktop_vnc *v, const char *path)
{
    if (!path)
        return make_password(v);
    FILE *file = fopen(path, "re");
    errno = 0;
    const bool is_read = file && (fgets(v->password, sizeof v->password, file) || !ferror(file));
    if (!is_read)
        tool_error(path, "cannot be read: %s", strerror(file ? errno : ENOENT));
    if (file)
        fclose(file);
    v->password[strcspn(v->password, "\r\n")] = 0;
    if (is_read && !*v->password && !v->is_local) {
        tool_error(path, "has no password, and others reach %s: only on 127.0.0.1 a password can be left out",
                   v->text);
        return false;
    }
    return is_read;
}

/* ---- The server ---- */

static bool write_file(const char *path, const void *bytes, size_t size_bytes)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool good = file >= 0 && write(file, bytes, size_bytes) == (ssize_t)size_bytes;
    if (!good)
        tool_error(path, "%s", strerror(errno));
    if (file >= 0)
        close(file);
    return good;
}

/* An .Xauthority with one cookie for all displays: only who can read it reaches the X server. */
static bool write_authority(const char *path)
{
    static const char name[] = "MIT-MAGIC-COOKIE-1";
    enum { NAME = sizeof name - 1, COOKIE = 16, WILD = 0xffff };
    uint8_t bytes[2 + 2 + 2 + 2 + NAME + 2 + COOKIE] = {WILD >> 8, WILD & 0xff, 0, 0, 0, 0, 0, NAME};
    memcpy(bytes + 8, name, NAME);
    bytes[8 + NAME + 1] = COOKIE;
    return getrandom(bytes + 8 + NAME + 2, COOKIE, 0) == COOKIE && write_file(path, bytes, sizeof bytes);
}

static bool write_password(const struct desktop_vnc *v, const char *plain, const char *hidden)
{
    char *const argv[] = {(char[]){"vncpasswd"}, (char[]){"-f"}, NULL};
    if (!write_file(plain, v->password, strlen(v->password)))
        return false;
    const bool good = desktop_run(argv, plain, hidden);
    unlink(plain);
    if (!good && !desktop_signal())
        tool_error("vncpasswd", "cannot write the password of VNC");
    return good;
}

/* The server writes the number of its display when it listens. */
static bool wait_for_display(struct desktop_vnc *v, int from)
{
    char text[16];
    size_t length = 0;
    fcntl(from, F_SETFL, O_NONBLOCK);
    while (!desktop_signal()) {
        const ssize_t got = read(from, text + length, sizeof text - 1 - length);
        length += got > 0 ? (size_t)got : 0;
        text[length] = 0;
        if (strchr(text, '\n')) {
            v->display = (int)strtol(text, NULL, 10);
            return true;
        }
        if (!desktop_runs(DESKTOP_XVNC))
            return false;
        desktop_pause(10);
    }
    return false;
}

bool desktop_vnc_start(struct desktop_vnc *v, const char *server, const char *folder, const char *log,
                       const char *device, unsigned width_px, unsigned height_px)
{
    char authority[DESKTOP_PATH + 16], plain[DESKTOP_PATH + 16], hidden[DESKTOP_PATH + 16];
    char geometry[32], port[8], number[16], name[64];
    int pair[2];
    snprintf(authority, sizeof authority, "%s/xauthority", folder);
    snprintf(plain, sizeof plain, "%s/password", folder);
    snprintf(hidden, sizeof hidden, "%s/vncpasswd", folder);
    snprintf(geometry, sizeof geometry, "%ux%u", width_px, height_px);
    snprintf(port, sizeof port, "%u", v->port);
    snprintf(name, sizeof name, "softgt desktop on %s", device);
    if (!write_authority(authority) || (*v->password && !write_password(v, plain, hidden)) ||
        pipe2(pair, O_CLOEXEC) != 0)
        return false;
    if (desktop_fork(DESKTOP_XVNC, true)) {
        fcntl(pair[1], F_SETFD, 0);
        snprintf(number, sizeof number, "%d", pair[1]);
        const char *argv[] = {server,
                              "-displayfd",
                              number,
                              "-geometry",
                              geometry,
                              "-depth",
                              "24",
                              "-auth",
                              authority,
                              "-nolisten",
                              "tcp",
                              "-rfbport",
                              port,
                              "-interface",
                              v->address,
                              "-desktop",
                              name,
                              "-AlwaysShared",
                              "-AcceptSetDesktopSize=0",
                              "-SecurityTypes",
                              *v->password ? "TLSVnc,VncAuth" : "None",
                              "-PasswordFile",
                              hidden,
                              NULL};
        desktop_write_to(log);
        desktop_execute((char *const *)(uintptr_t)argv);
    }
    close(pair[1]);
    const bool good = wait_for_display(v, pair[0]);
    close(pair[0]);
    if (!good && !desktop_signal())
        tool_error(server, "ended with status %d", desktop_status(DESKTOP_XVNC));
    snprintf(number, sizeof number, ":%d", v->display);
    setenv("DISPLAY", number, 1);
    setenv("XAUTHORITY", authority, 1);
    return good;
}
