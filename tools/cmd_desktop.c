/*
 * softgt desktop: weston on a device by softgt exec, and programs in it by the same. Its picture is shown in
 * a window of X or Wayland or over VNC, or is written to a file. This starts and ends processes; all drawing
 * is theirs.
 */
#include "desktop.h"

#include "exec.h"
#include "fail_on.h"
#include "tool.h"

#include "host/files.h"
#include "host/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { NOT_FOUND = 127, STEP_MS = 20, STARTS_MS = 120000, DRAWS_MS = 300000, MOST_PX = 8192, LEAST_PX = 64 };
#define TERMINAL "weston-terminal"
enum view { VIEW_X11, VIEW_WAYLAND, VIEW_VNC, VIEW_PICTURE };

struct arguments {
    const char *device;
    enum exec_driver driver;
    unsigned width_px, height_px;
    bool is_quiet, has_vnc;
    const char *vnc, *vnc_password, *picture, *log, *socket;
    unsigned after_s, windows; /* 0: not given */
    char **program;            /* NULL: the demonstration */
    const char *fail_words;    /* the list of --fail-on, or NULL */
    struct fail_on fail_on;
};

static struct arguments a = {.device = "skl",
                             .driver = EXEC_DRIVERS,
                             .width_px = 1280,
                             .height_px = 720,
                             .fail_on.words = FAIL_ON_DESKTOP};

static struct {
    enum view view;
    bool is_old; /* weston before 12: other names of options */
    struct desktop_vnc vnc;
    const char *vnc_server;
    char *display; /* the socket of the user's compositor */
    char folder[DESKTOP_PATH], log[2 * DESKTOP_PATH], socket[DESKTOP_PATH + 16], link[2 * DESKTOP_PATH];
    char renderer[160];
    off_t log_start;
    int listener;
    unsigned programs;
    const char *names[DESKTOP_MOST_PROGRAMS];
} d = {.listener = -1};

/* ---- Options ---- */

enum { DRIVER = 256, VNC, VNC_PASSWORD, AFTER, WINDOWS, LOG, SOCKET, FAIL_ON };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "the device (softgt devices lists them); skl", 0},
    {"driver", DRIVER, "NAME", 0,
     "the kernel interface: i915 (up to Gen12.5, the default there) or xe (from Gen12 on)", 0},
    {"size", 's', "WIDTHxHEIGHT", 0, "pixels of the desktop (1280x720)", 0},
    {"vnc", VNC, "ADDRESS:PORT", OPTION_ARG_OPTIONAL,
     "show it to VNC viewers, not in a window; 127.0.0.1:5900 without a value; port 0: any free port", 0},
    {"vnc-password", VNC_PASSWORD, "FILE", 0,
     "the first line is the password of VNC; empty: none. Without the option one is made and printed", 0},
    {"picture", 'p', "FILE", 0, "write a picture (PNG) when the programs have drawn, and end", 0},
    {"windows", WINDOWS, "COUNT", 0, "windows that --picture waits for (1 with PROGRAM, else one a program)",
     0},
    {"after", AFTER, "SECONDS", 0, "how long --picture waits after these windows (5)", 0},
    {"socket", SOCKET, "NAME", 0, "make the desktop WAYLAND_DISPLAY=NAME for other programs of yours", 0},
    {"log", LOG, "FILE", 0, "append what weston, the server and the programs print to this file", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the status would be 0 and in a program or weston one of these happened: "
     "unsupported, unknown, hung, faults, errors, refused, trouble, unused or all, separated by commas",
     0},
    {"quiet", 'q', NULL, 0, "print no messages but errors, and no reports at the end", 0},
    {0},
};

/* Goes behind the number. */
static bool parse_px(const char **text, unsigned *px)
{
    char *end;
    const bool is_number = **text >= '0' && **text <= '9';
    const unsigned long value = strtoul(*text, &end, 10);
    *px = (unsigned)value;
    *text = end;
    return is_number && value >= LEAST_PX && value <= MOST_PX;
}

static void parse_size(struct argp_state *state, const char *text)
{
    const char *at = text;
    if (!parse_px(&at, &a.width_px) || *at++ != 'x' || !parse_px(&at, &a.height_px) || *at)
        argp_error(state, "--size: '%s' is not WIDTHxHEIGHT, each from %d to %d", text, LEAST_PX, MOST_PX);
}

static void parse_fail_on(struct argp_state *state, const char *words)
{
    char *const list = strdup(words);
    if (!list)
        tool_no_memory();
    fail_on_parse(&a.fail_on, list, state);
    free(list);
    a.fail_words = words;
}

static void check_arguments(struct argp_state *state)
{
    if (a.has_vnc && a.picture)
        argp_error(state, "--vnc does not go with --picture");
    if (a.vnc_password && !a.has_vnc)
        argp_error(state, "--vnc-password does nothing without --vnc");
    if ((a.windows || a.after_s) && !a.picture)
        argp_error(state, "--%s does nothing without --picture", a.windows ? "windows" : "after");
    if (a.socket && (!*a.socket || strchr(a.socket, '/')))
        argp_error(state, "--socket: '%s' is not a name in XDG_RUNTIME_DIR", a.socket);
    if (a.has_vnc && !desktop_vnc_parse(&d.vnc, a.vnc))
        argp_error(state, "--vnc: '%s' is not ADDRESS, PORT or ADDRESS:PORT of this machine", a.vnc);
}

static error_t desktop_parse(int key, char *argument, struct argp_state *state)
{
    switch (key) {
    case 'd':
        a.device = argument;
        return 0;
    case DRIVER:
        a.driver = exec_parse_driver(state, argument);
        return 0;
    case 's':
        parse_size(state, argument);
        return 0;
    case VNC:
        a.has_vnc = true;
        a.vnc = argument;
        return 0;
    case VNC_PASSWORD:
        a.vnc_password = argument;
        return 0;
    case 'p':
        a.picture = argument;
        return 0;
    case WINDOWS:
        a.windows = (unsigned)tool_count(state, "windows", argument, 100);
        return 0;
    case AFTER:
        a.after_s = (unsigned)tool_count(state, "after", argument, 86400);
        return 0;
    case SOCKET:
        a.socket = argument;
        return 0;
    case LOG:
        a.log = argument;
        return 0;
    case FAIL_ON:
        parse_fail_on(state, argument);
        return 0;
    case 'q':
        a.is_quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        a.program = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        check_arguments(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- What it needs ---- */

static bool is_program(const char *name)
{
    char path[EXEC_PATH];
    return exec_find_program(name, path) && access(path, X_OK) == 0;
}

static bool needs(const char *name, const char *packages)
{
    const bool found = is_program(name);
    if (!found)
        tool_error(name, "is not installed; on Debian: apt install %s", packages);
    return found;
}

static bool find_programs(void)
{
    if (!needs("weston", "weston libgl1-mesa-dri") || !needs("weston-debug", "weston"))
        return false;
    if (a.picture && !needs("weston-screenshooter", "weston"))
        return false;
    if (a.has_vnc) {
        d.vnc_server = is_program("Xtigervnc") ? "Xtigervnc" : "Xvnc"; /* other packages have an Xvnc, too */
        if (!needs(d.vnc_server, "tigervnc-standalone-server tigervnc-tools") ||
            !needs("vncpasswd", "tigervnc-tools"))
            return false;
    }
    return true;
}

/* Of a Wayland socket: its path. NULL: nobody listens there. */
static char *find_compositor(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (*name != '/' && !runtime)
        return NULL;
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s%s%s", *name == '/' ? "" : runtime,
                 *name == '/' ? "" : "/", name) >= (int)sizeof address.sun_path)
        return NULL;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool good = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return good ? strdup(address.sun_path) : NULL;
}

/* Where the user is. */
static bool find_view(void)
{
    const char *wayland = getenv("WAYLAND_DISPLAY"), *x11 = getenv("DISPLAY");
    const bool has_wayland = wayland && *wayland, has_x11 = x11 && *x11;
    if (a.picture || a.has_vnc) {
        d.view = a.picture ? VIEW_PICTURE : VIEW_VNC;
        return true;
    }
    d.view = has_wayland && (d.display = find_compositor(wayland)) ? VIEW_WAYLAND : VIEW_X11;
    if (d.view == VIEW_WAYLAND || (has_x11 && desktop_x11_answers()))
        return true;
    static const char otherwise[] = "--vnc shows the desktop to a VNC viewer, --picture=FILE takes a picture";
    if (!has_wayland && !has_x11)
        tool_error(NULL, "no display for a window: neither WAYLAND_DISPLAY nor DISPLAY is set; %s",
                   otherwise);
    else
        tool_error(NULL, "no display for a window: nobody answers at %s%s%s%s%s; %s",
                   has_wayland ? "WAYLAND_DISPLAY=" : "", has_wayland ? wayland : "",
                   has_wayland && has_x11 ? " and " : "", has_x11 ? "DISPLAY=" : "", has_x11 ? x11 : "",
                   otherwise);
    return false;
}

static bool find_socket(void)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct stat st;
    if (!a.socket)
        return true;
    if (!runtime || *runtime != '/') {
        tool_error(a.socket, "--socket needs XDG_RUNTIME_DIR, the folder of sockets");
        return false;
    }
    snprintf(d.link, sizeof d.link, "%s/%s", runtime, a.socket);
    if (lstat(d.link, &st) == 0 && S_ISLNK(st.st_mode) && stat(d.link, &st) != 0)
        unlink(d.link); /* of a desktop that was killed */
    if (lstat(d.link, &st) == 0) {
        tool_error(d.link, "exists: another compositor has this socket; take another name for --socket");
        *d.link = 0;
        return false;
    }
    return true;
}

/* ---- Files ---- */

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path) && false;
}

static bool write_settings(void)
{
    char path[DESKTOP_PATH + 16];
    snprintf(path, sizeof path, "%s/weston.ini", d.folder);
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    if (d.view != VIEW_PICTURE)
        fputs("[core]\nmodules=screen-share.so\n[screen-share]\nstart-on-startup=true\n"
              "command=exec \"$" DESKTOP_SELF "\" desktop\n",
              file);
    fprintf(file,
            "[shell]\nbackground-color=0xff20304a\npanel-color=0xff%06x\nclock-format=none\n"
            "locking=false\nstartup-animation=none\n",
            DESKTOP_PANEL);
    return fclose(file) == 0;
}

static bool make_files(void)
{
    const char *temporary = getenv("TMPDIR");
    char path[DESKTOP_PATH + 16];
    snprintf(d.folder, sizeof d.folder, "%.900s/softgt-desktop.XXXXXX",
             temporary && *temporary == '/' ? temporary : "/tmp");
    if (!mkdtemp(d.folder)) {
        tool_error(d.folder, "%s: the desktop's files cannot be made there; set TMPDIR to another folder",
                   strerror(errno));
        *d.folder = 0;
        return false;
    }
    snprintf(d.socket, sizeof d.socket, "%s/wayland-0", d.folder);
    if (strlen(d.socket) >= sizeof((struct sockaddr_un *)NULL)->sun_path) {
        tool_error(d.socket, "is too long for a socket; set TMPDIR to another folder");
        return false;
    }
    snprintf(d.log, sizeof d.log, "%s/log", d.folder);
    if (a.log) {
        char here[DESKTOP_PATH] = "";
        const int file = open(a.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        const bool good = file >= 0 && (*a.log == '/' || getcwd(here, sizeof here));
        if (!good ||
            snprintf(d.log, sizeof d.log, "%s%s%s", here, *here ? "/" : "", a.log) >= (int)sizeof d.log) {
            tool_error(a.log, "cannot be written (--log): %s", strerror(good ? ENAMETOOLONG : errno));
            return false;
        }
        d.log_start = lseek(file, 0, SEEK_END);
        close(file);
    }
    snprintf(path, sizeof path, "%s/viewer", d.folder);
    if (d.view != VIEW_PICTURE && (d.listener = desktop_viewer_listen(path)) < 0) {
        tool_error(path, "%s", strerror(errno));
        return false;
    }
    if (!write_settings()) {
        tool_error(d.folder, "%s", strerror(errno));
        return false;
    }
    return true;
}

/* What was printed since the start; the caller frees it. NULL: none, or the log is not a file. */
static char *read_log(void)
{
    struct stat st;
    const int file = open(d.log, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    if (file >= 0 && fstat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= d.log_start &&
        (text = calloc(1, (size_t)(st.st_size - d.log_start) + 1)) &&
        pread(file, text, (size_t)(st.st_size - d.log_start), d.log_start) < 0)
        *text = 0;
    if (file >= 0)
        close(file);
    return text;
}

static void print_log_end(void)
{
    enum { LINES = 15 };
    char *text = read_log();
    if (!text)
        return;
    size_t at = strlen(text);
    for (unsigned lines = 0; at && lines < LINES + 1; at -= lines <= LINES)
        lines += text[at - 1] == '\n';
    fprintf(stderr, "%s%s", text + at, at ? "" : text + at);
    free(text);
}

/* ---- The processes ---- */

static void start_viewer(int connection)
{
    char width[32], height[32];
    const bool is_x11 = d.view != VIEW_WAYLAND;
    snprintf(width, sizeof width, "--width=%u", a.width_px);
    snprintf(height, sizeof height, "--height=%u", a.height_px);
    if (!desktop_fork(DESKTOP_WINDOW, true)) {
        close(connection);
        return;
    }
    const char *argv[] = {"weston",
                          is_x11     ? d.is_old ? "--backend=x11-backend.so" : "--backend=x11"
                          : d.is_old ? "--backend=wayland-backend.so"
                                     : "--backend=wayland",
                          "--use-pixman",
                          "--shell=fullscreen-shell.so",
                          "--no-config",
                          "--idle-time=0",
                          width,
                          height,
                          NULL};
    setenv("XDG_RUNTIME_DIR", d.folder, 1);
    if (d.display)
        setenv("WAYLAND_DISPLAY", d.display, 1);
    desktop_write_to(d.log);
    _exit(desktop_viewer_run(connection, (char *const *)(uintptr_t)argv, is_x11, a.width_px, a.height_px));
}

/* The module waits for its viewer, and who asks weston waits for the module. */
static void watch_viewer(void)
{
    const int connection = desktop_viewer_accept(d.listener);
    if (connection >= 0)
        start_viewer(connection);
}

/* Of the demonstration; the desktop lives on. */
static void print_ended_programs(void)
{
    static bool is_printed[DESKTOP_MOST_PROGRAMS];
    for (unsigned i = 0; i < d.programs && !a.program; i++)
        if (!desktop_runs(DESKTOP_PROGRAMS + i) && !is_printed[i]) {
            is_printed[i] = true;
            if (!a.is_quiet)
                fprintf(stderr, "softgt: desktop: %s ended with status %d\n", d.names[i],
                        desktop_status(DESKTOP_PROGRAMS + i));
        }
}

/* Waits a moment. False: a signal came. */
static bool watch(void)
{
    desktop_pause(STEP_MS);
    print_ended_programs();
    return !desktop_signal();
}

/* The report of softgt exec about a program, for --fail-on. */
static void report_name(enum desktop_role role, char path[DESKTOP_PATH + 32])
{
    snprintf(path, DESKTOP_PATH + 32, "%s/report-%u.json", d.folder, (unsigned)role);
}

/* In a new process: runs the program by softgt exec, with its output in the log if `to_log`. */
_Noreturn static void execute_on_device(enum desktop_role role, const char *const *program, bool to_log,
                                        bool is_quiet)
{
    enum { MOST = 4096 };
    static const char *argv[MOST];
    static char report[DESKTOP_PATH + 32];
    unsigned count = 0;
    const char *const before[] = {"softgt exec", "--device", a.device, "--driver",
                                  exec_driver_names[a.driver]},
                      *const shell[] = {"sh", "-c", "exec \"$@\" >>\"$0\" 2>&1", d.log};
    for (unsigned i = 0; i < sizeof before / sizeof before[0]; i++)
        argv[count++] = before[i];
    const char *const fails[] = {"--json", report, "--fail-on", a.fail_words};
    report_name(role, report);
    for (unsigned i = 0; a.fail_words && i < sizeof fails / sizeof fails[0]; i++)
        argv[count++] = fails[i];
    if (is_quiet)
        argv[count++] = "--quiet";
    for (unsigned i = 0; to_log && i < sizeof shell / sizeof shell[0]; i++)
        argv[count++] = shell[i];
    while (*program && count < MOST - 1)
        argv[count++] = *program++;
    exit(cmd_exec((int)count, (char **)(uintptr_t)argv));
}

static void start_weston(void)
{
    char width[32], height[32], settings[DESKTOP_PATH + 32], viewer[DESKTOP_PATH + 16];
    static char self[EXEC_PATH];
    snprintf(width, sizeof width, "--width=%u", a.width_px);
    snprintf(height, sizeof height, "--height=%u", a.height_px);
    snprintf(settings, sizeof settings, "--config=%s/weston.ini", d.folder);
    snprintf(viewer, sizeof viewer, "%s/viewer", d.folder);
    if (!desktop_fork(DESKTOP_WESTON, true))
        return;
    const char *argv[] = {"weston",
                          d.is_old ? "--backend=headless-backend.so" : "--backend=headless",
                          d.is_old ? "--use-gl" : "--renderer=gl",
                          width,
                          height,
                          settings,
                          "--socket=wayland-0",
                          "--idle-time=0",
                          "--debug", /* for weston-debug and weston-screenshooter */
                          NULL};
    setenv("XDG_RUNTIME_DIR", d.folder, 1);
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("WAYLAND_SOCKET");
    unsetenv("DISPLAY");
    unsetenv("XAUTHORITY");
    if (d.view != VIEW_PICTURE && exec_find_self(self)) {
        setenv(DESKTOP_SELF, self, 1);
        setenv(DESKTOP_VIEWER, viewer, 1);
    }
    execute_on_device(DESKTOP_WESTON, argv, true, a.is_quiet);
}

/* The demonstration's terminal draws without the device. */
static bool is_on_device(const char *program)
{
    return a.program || strcmp(program, TERMINAL) != 0;
}

static void start_program(const char *const *program)
{
    if (d.programs == DESKTOP_MOST_PROGRAMS)
        return;
    const enum desktop_role role = DESKTOP_PROGRAMS + d.programs;
    d.names[d.programs++] = program[0];
    if (!desktop_fork(role, !a.program))
        return;
    setenv("WAYLAND_DISPLAY", d.socket, 1);
    setenv("XDG_RUNTIME_DIR", d.folder, 0);
    setenv("XDG_SESSION_TYPE", "wayland", 1);
    unsetenv("DISPLAY");
    unsetenv("XAUTHORITY");
    execute_on_device(role, program, a.log || !a.program, a.is_quiet || !is_on_device(program[0]));
}

static void start_programs(void)
{
    static const char *const demonstration[][6] = {
        {TERMINAL},
        {"vkcube-wayland", "--width", "250", "--height", "250"},
        {"glmark2-es2-wayland", "-s", "280x220", "-b", "shading:duration=1000000"},
    };
    static const char *const vkcube[] = {"vkcube", "--wsi",    "wayland", "--width",
                                         "250",    "--height", "250",     NULL},
                             *const triangle[] = {"weston-simple-egl", NULL};
    if (a.program) {
        start_program((const char *const *)(uintptr_t)a.program);
        return;
    }
    for (unsigned i = 0; i < sizeof demonstration / sizeof demonstration[0]; i++)
        if (is_program(demonstration[i][0]))
            start_program(demonstration[i]);
    if (!is_program("vkcube-wayland") && is_program("vkcube"))
        start_program(vkcube);
    if (d.programs < 2 && is_program("weston-simple-egl"))
        start_program(triangle);
}

/* ---- What happens ---- */

static bool weston_failed(const char *what)
{
    tool_error("weston", "%s; the last it printed%s%s:", what, a.log ? " to " : "", a.log ? a.log : "");
    print_log_end();
    return false;
}

static bool find_version(void)
{
    static const char start[] = "weston ";
    char path[DESKTOP_PATH + 16], text[64] = "";
    char *const argv[] = {(char[]){"weston"}, (char[]){"--version"}, NULL};
    snprintf(path, sizeof path, "%s/version", d.folder);
    FILE *file = desktop_run(argv, "/dev/null", path) ? fopen(path, "re") : NULL;
    const bool is_read = file && fgets(text, sizeof text, file) && strncmp(text, start, strlen(start)) == 0;
    const long major = is_read ? strtol(text + strlen(start), NULL, 10) : 0;
    if (file)
        fclose(file);
    if (!major && !desktop_signal())
        tool_error("weston", "does not say its version");
    if (major && major < 10)
        tool_error("weston", "is version %ld; a desktop needs 10 or later", major);
    d.is_old = major < 12;
    return major >= 10;
}

/* Views of weston's scene whose line has this text. */
static unsigned count_views(const char *text)
{
    char path[DESKTOP_PATH + 16], variable[DESKTOP_PATH + 64];
    snprintf(path, sizeof path, "%s/scene", d.folder);
    snprintf(variable, sizeof variable, "WAYLAND_DISPLAY=%s", d.socket);
    char *const argv[] = {(char[]){"env"}, variable, (char[]){"weston-debug"}, (char[]){"scene-graph"}, NULL};
    unsigned views = 0;
    char line[1024];
    FILE *file = desktop_run(argv, "/dev/null", path) ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        views += strstr(line, text) != NULL;
    if (file)
        fclose(file);
    return views;
}

/* What weston draws with, as its log says. */
static bool check_renderer(void)
{
    static const char line[] = "GL renderer: ";
    char *text = read_log(), *at = text ? strstr(text, line) : NULL;
    if (at)
        snprintf(d.renderer, sizeof d.renderer, "%.*s", (int)strcspn(at + strlen(line), "\n"),
                 at + strlen(line));
    const bool is_file = text;
    free(text);
    if (is_file && !at)
        return weston_failed("draws without OpenGL: is libgl1-mesa-dri installed?");
    if (strstr(d.renderer, "llvmpipe") || strstr(d.renderer, "softpipe") || strstr(d.renderer, "swrast")) {
        tool_error(NULL, "weston draws with %s, not on %s: Mesa has no OpenGL driver for it", d.renderer,
                   a.device);
        return false;
    }
    return true;
}

static bool wait_for_weston(void)
{
    struct stat st;
    for (unsigned at = 0; lstat(d.socket, &st) != 0; at += STEP_MS) {
        if (!watch())
            return false;
        if (!desktop_runs(DESKTOP_WESTON))
            return weston_failed("ended at its start");
        if (at > STARTS_MS)
            return weston_failed("does not start");
    }
    if (*d.link && symlink(d.socket, d.link) != 0) {
        tool_error(d.link, "%s", strerror(errno));
        *d.link = 0;
        return false;
    }
    return check_renderer();
}

/* Programs that come before the panel are placed where it will be. */
static bool wait_for_panel(void)
{
    enum { MOST_MS = 30000 };
    for (unsigned at = 0; at < MOST_MS && desktop_runs(DESKTOP_WESTON); at += STEP_MS) {
        if (count_views(", panel for output"))
            break;
        if (!watch())
            return false;
    }
    return true;
}

static void print_start(void)
{
    if (a.is_quiet)
        return;
    fprintf(stderr, "softgt: desktop: %ux%u on %s, by %s\n", a.width_px, a.height_px, a.device,
            *d.renderer ? d.renderer : "OpenGL");
    if (d.view == VIEW_PICTURE)
        return;
    fprintf(stderr,
            "softgt: desktop: other programs join it by WAYLAND_DISPLAY=%s softgt exec --device %s PROGRAM\n",
            a.socket ? a.socket : d.socket, a.device);
}

static void print_vnc(void)
{
    if (*d.vnc.password && !a.vnc_password)
        fprintf(stderr, "softgt: desktop: VNC at %s, password %s\n", d.vnc.text, d.vnc.password);
    else if (!a.is_quiet)
        fprintf(stderr, "softgt: desktop: VNC at %s%s\n", d.vnc.text,
                *d.vnc.password ? "" : ", without a password");
}

/* Until the program ends, or the user closes the window. Returns the exit status. */
static int show(void)
{
    bool has_viewer = false;
    while (watch()) {
        const bool runs = desktop_runs(DESKTOP_WINDOW);
        if (has_viewer && !runs) {
            const int status = desktop_status(DESKTOP_WINDOW);
            if (status)
                weston_failed("showed the picture, and failed");
            return status ? TOOL_FAILED : TOOL_CLEAN;
        }
        has_viewer = runs;
        if (!desktop_runs(DESKTOP_WESTON)) {
            if (desktop_status(DESKTOP_WESTON))
                weston_failed("ended");
            return desktop_status(DESKTOP_WESTON) ? TOOL_FAILED : TOOL_CLEAN;
        }
        if (d.view == VIEW_VNC && !desktop_runs(DESKTOP_XVNC)) {
            tool_error(d.vnc_server, "ended with status %d", desktop_status(DESKTOP_XVNC));
            return TOOL_FAILED;
        }
        if (a.program && !desktop_runs(DESKTOP_PROGRAMS))
            return desktop_status(DESKTOP_PROGRAMS);
    }
    return TOOL_FAILED;
}

/* ---- The picture ---- */

/* False after a message, if weston or the program ends before the picture, or a signal came. */
static bool wait_while_drawing(unsigned ms)
{
    for (unsigned at = 0; at < ms; at += STEP_MS) {
        if (!watch())
            return false;
        if (!desktop_runs(DESKTOP_WESTON))
            return weston_failed("ended");
        if (a.program && !desktop_runs(DESKTOP_PROGRAMS)) {
            tool_error(a.program[0], "ended with status %d before the picture was taken",
                       desktop_status(DESKTOP_PROGRAMS));
            return false;
        }
    }
    return true;
}

static unsigned count_programs(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < d.programs; i++)
        count += desktop_runs(DESKTOP_PROGRAMS + i);
    return count;
}

static bool wait_for_windows(void)
{
    enum { EVERY_MS = 200 };
    for (unsigned at = 0;; at += EVERY_MS) {
        const unsigned wanted = a.windows ? a.windows : count_programs(),
                       found = count_views("(role xdg_toplevel,");
        if (found >= wanted)
            return true;
        if (at > DRAWS_MS) {
            tool_error(NULL, "no picture: %u of %u windows after %d seconds", found, wanted, DRAWS_MS / 1000);
            return false;
        }
        if (!wait_while_drawing(EVERY_MS))
            return false;
    }
}

/* The picture's name has the date. */
static char *find_picture(char path[2 * DESKTOP_PATH])
{
    static const char start[] = "wayland-screenshot-";
    DIR *folder = opendir(d.folder);
    char *found = NULL;
    for (struct dirent *e; folder && !found && (e = readdir(folder));)
        if (strncmp(e->d_name, start, strlen(start)) == 0) {
            snprintf(path, 2 * DESKTOP_PATH, "%.1000s/%.255s", d.folder, e->d_name);
            found = path;
        }
    if (folder)
        closedir(folder);
    return found;
}

static int take_picture(void)
{
    char variable[DESKTOP_PATH + 64], path[2 * DESKTOP_PATH], printed[DESKTOP_PATH + 16];
    size_t size_bytes = 0;
    if (!wait_for_windows() || !wait_while_drawing((a.after_s ? a.after_s : 5) * 1000))
        return TOOL_FAILED;
    snprintf(variable, sizeof variable, "WAYLAND_DISPLAY=%s", d.socket);
    snprintf(printed, sizeof printed, "%s/screenshooter", d.folder);
    char *const argv[] = {(char[]){"env"},
                          variable,
                          (char[]){"sh"},
                          (char[]){"-c"},
                          (char[]){"cd \"$0\" && XDG_PICTURES_DIR=$0 exec weston-screenshooter"},
                          d.folder,
                          NULL};
    if (!desktop_run(argv, "/dev/null", printed) || !find_picture(path)) {
        if (!desktop_signal())
            weston_failed("took no picture");
        return TOOL_FAILED;
    }
    void *bytes = tool_read(path, UINT64_C(1) << 30, &size_bytes);
    const bool good = bytes && output_write(a.picture, bytes, size_bytes);
    if (bytes && !good)
        tool_error(a.picture, "%s", files_error(errno));
    free(bytes);
    return good ? TOOL_CLEAN : TOOL_FAILED;
}

/* ---- Begin and end ---- */

static int run_desktop(void)
{
    if (!find_version())
        return TOOL_FAILED;
    if (d.view == VIEW_VNC &&
        !desktop_vnc_start(&d.vnc, d.vnc_server, d.folder, d.log, a.device, a.width_px, a.height_px)) {
        if (!desktop_signal())
            print_log_end();
        return TOOL_FAILED;
    }
    start_weston();
    if (!wait_for_weston() || !wait_for_panel())
        return TOOL_FAILED;
    print_start();
    if (d.view == VIEW_VNC)
        print_vnc();
    start_programs();
    return d.view == VIEW_PICTURE ? take_picture() : show();
}

/* Its report follows. */
static void end_process(enum desktop_role role, const char *name)
{
    if (desktop_runs(role) && name && !a.is_quiet)
        fprintf(stderr, "softgt: desktop: %s:\n", name);
    desktop_end(role);
}

static void note_reports(void)
{
    char path[DESKTOP_PATH + 32];
    for (unsigned i = 0; a.fail_words && i < d.programs; i++) {
        report_name(DESKTOP_PROGRAMS + i, path);
        if (is_on_device(d.names[i]))
            fail_on_exec(&a.fail_on, path, d.names[i]);
    }
    report_name(DESKTOP_WESTON, path);
    if (a.fail_words)
        fail_on_exec(&a.fail_on, path, "weston");
}

static void end_desktop(void)
{
    for (unsigned i = 0; i < d.programs; i++)
        end_process(DESKTOP_PROGRAMS + i, is_on_device(d.names[i]) ? d.names[i] : NULL);
    end_process(DESKTOP_WESTON, "weston");
    desktop_end_all();
    note_reports();
    if (*d.link)
        unlink(d.link);
    if (*d.folder)
        nftw(d.folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(d.display);
}

int cmd_desktop(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = desktop_parse,
        .args_doc = "[PROGRAM [ARGUMENT...]]",
        .doc = "A Wayland desktop (weston) on a device by softgt exec, in a window of X or Wayland, over VNC "
               "or as a "
               "picture. PROGRAM runs in it on the same device; without one a terminal and demonstrations "
               "do. It ends "
               "with PROGRAM, by whose status it exits, when its window is closed, or by SIGINT or SIGTERM.",
    };
    const char *viewer = getenv(DESKTOP_VIEWER);
    if (viewer && argc == 1 && getenv("WAYLAND_SERVER_SOCKET"))
        return desktop_viewer_hand_over(viewer);
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL) != 0)
        tool_no_memory();
    if (!exec_device(a.device, &a.driver) || !find_programs())
        return TOOL_UNUSABLE;
    if (a.program && !is_program(a.program[0])) {
        const bool is_address =
            strchr(a.program[0], ':') || !a.program[0][strspn(a.program[0], "0123456789")];
        tool_error(a.program[0], "%s%s", strerror(errno ? errno : ENOENT),
                   a.has_vnc && !a.vnc && is_address ? " (--vnc=ADDRESS:PORT has a =)" : "");
        return NOT_FOUND;
    }
    if (!find_view() || !find_socket() || (a.picture && !exec_can_write("--picture", a.picture)))
        return TOOL_UNUSABLE;
    if (a.has_vnc && (!desktop_vnc_password(&d.vnc, a.vnc_password) || !desktop_vnc_reserve(&d.vnc)))
        return TOOL_UNUSABLE;
    desktop_processes_begin(watch_viewer);
    const bool made = make_files();
    const int status = made ? run_desktop() : TOOL_UNUSABLE;
    end_desktop();
    return desktop_signal() ? 128 + desktop_signal() : fail_on_status(&a.fail_on, NULL, status);
}
