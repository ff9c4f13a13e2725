/*
 * The processes of softgt desktop. Each is started, running or ended. What they leave behind becomes a child
 * of this process (PR_SET_CHILD_SUBREAPER), so that nothing outlives the desktop.
 */
#include "desktop.h"

#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct {
    pid_t pid; /* 0: not started */
    bool has_ended;
    int status;
} processes[DESKTOP_ROLES];

static void (*on_pause)(void);
static volatile sig_atomic_t came, times;
static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { HANDLED = sizeof handled / sizeof handled[0] };
static struct sigaction before[HANDLED], before_pipe;

static void desktop_on_signal(int number)
{
    came = number;
    times++;
}

void desktop_processes_begin(void (*watch)(void))
{
    const struct sigaction action = {.sa_handler = desktop_on_signal}, ignore = {.sa_handler = SIG_IGN};
    on_pause = watch;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (unsigned i = 0; i < HANDLED; i++) {
        sigaction(handled[i], NULL, &before[i]);
        if (handled[i] != SIGHUP || before[i].sa_handler != SIG_IGN) /* nohup */
            sigaction(handled[i], &action, NULL);
    }
    sigaction(SIGPIPE, &ignore, &before_pipe);
}

int desktop_signal(void)
{
    return came;
}

bool desktop_fork(enum desktop_role role, bool is_leader)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0)
        tool_error(NULL, "no process can be started: %s", strerror(errno));
    processes[role].pid = pid > 0 ? pid : 0;
    processes[role].has_ended = false;
    if (pid)
        return false;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(TOOL_FAILED);
    for (unsigned i = 0; i < HANDLED; i++)
        sigaction(handled[i], &before[i], NULL);
    sigaction(SIGPIPE, &before_pipe, NULL);
    memset(processes, 0, sizeof processes);
    if (is_leader) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        setpgid(0, 0);
        if (nothing >= 0)
            dup2(nothing, STDIN_FILENO);
    }
    return true;
}

void desktop_execute(char *const *argv)
{
    signal(SIGXFSZ, SIG_DFL);
    execvp(argv[0], argv);
    tool_error(argv[0], "%s", strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

void desktop_write_to(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    close(file);
}

static void learn_ends(void)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        for (unsigned i = 0; i < DESKTOP_ROLES; i++)
            if (processes[i].pid == pid && !processes[i].has_ended) {
                processes[i].has_ended = true;
                processes[i].status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            }
}

void desktop_pause(unsigned ms)
{
    const struct timespec moment = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&moment, NULL);
    learn_ends();
    on_pause();
}

bool desktop_runs(enum desktop_role role)
{
    return processes[role].pid && !processes[role].has_ended;
}

int desktop_status(enum desktop_role role)
{
    return processes[role].status;
}

static void redirect(const char *path, int to, int flags)
{
    const int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0)
        _exit(TOOL_FAILED);
    dup2(file, to);
}

bool desktop_run(char *const *argv, const char *input, const char *output)
{
    if (desktop_fork(DESKTOP_TOOL, true)) {
        const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        redirect(input, STDIN_FILENO, O_RDONLY);
        redirect(output, STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
        dup2(nothing, STDERR_FILENO);
        desktop_execute(argv);
    }
    while (desktop_runs(DESKTOP_TOOL) && !came)
        desktop_pause(5);
    desktop_end(DESKTOP_TOOL);
    return !came && processes[DESKTOP_TOOL].pid && processes[DESKTOP_TOOL].status == 0;
}

/* Sends a signal to all children of a process. Returns how many there are. */
static unsigned signal_children(pid_t of, int number)
{
    unsigned count = 0;
    DIR *all = opendir("/proc");
    for (struct dirent *e; all && (e = readdir(all));) {
        char path[300], text[512];
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        const int file = *e->d_name >= '1' && *e->d_name <= '9' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (file < 0)
            continue;
        const ssize_t length = read(file, text, sizeof text - 1);
        close(file);
        text[length > 0 ? length : 0] = 0;
        const char *fields = strrchr(text, ')'); /* a name may contain any character */
        if (!fields || strlen(fields) < 5 || fields[2] == 'Z' ||
            strtol(fields + 4, NULL, 10) != of) /* ") S PARENT" */
            continue;
        kill((pid_t)strtol(e->d_name, NULL, 10), number);
        count++;
    }
    if (all)
        closedir(all);
    return count;
}

enum { STEP_MS = 20, PATIENCE_MS = 5000 };

static bool ends_within(enum desktop_role role, unsigned ms)
{
    for (unsigned at = 0; desktop_runs(role) && at < ms && times < 2; at += STEP_MS)
        desktop_pause(STEP_MS);
    return !desktop_runs(role);
}

void desktop_end(enum desktop_role role)
{
    const pid_t pid = processes[role].pid;
    if (!desktop_runs(role))
        return;
    kill(pid, SIGTERM);
    if (ends_within(role, PATIENCE_MS))
        return;
    signal_children(pid, SIGKILL); /* softgt exec then removes its files */
    for (unsigned at = 0; desktop_runs(role) && at < PATIENCE_MS; at += STEP_MS)
        desktop_pause(STEP_MS);
    if (desktop_runs(role))
        kill(pid, SIGKILL);
}

void desktop_end_all(void)
{
    for (unsigned i = DESKTOP_ROLES; i-- > 0;)
        desktop_end(i);
    for (unsigned at = 0; at < 4 * PATIENCE_MS; at += STEP_MS) {
        const bool is_late = at >= PATIENCE_MS || times > 1;
        learn_ends();
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
            return;
        if (at % 500 == 0)
            signal_children(getpid(), is_late ? SIGKILL : SIGTERM);
        desktop_pause(STEP_MS);
    }
}
