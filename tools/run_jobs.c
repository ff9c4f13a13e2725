#include "run_jobs.h"

#include "json_errors.h"
#include "tool.h"

#include "host/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A worker that printed this much waits until its output is printed. */
enum { WAITING_BYTES = 16 << 20, KEPT_BYTES = 256 << 10, READ_BYTES = 1 << 16 };
/* Time in which workers complete their files after a signal. */
#define GRACE_NS UINT64_C(10000000000)

struct jobs {
    const struct jobs_options *options;
    struct job *list;
    unsigned count, next, turn; /* the next to start; the one that prints */
    unsigned running;
    bool is_merged; /* standard output and standard error are one file: their order is kept */
    struct results *results;
    uint64_t stopped_ns; /* a signal came; 0: none */
    bool is_killed;      /* GRACE_NS passed, or another signal came */
};

static uint64_t jobs_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- Signals ---- */

static volatile sig_atomic_t signals; /* that shall end the run */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof ending[0] };

static void jobs_on_signal(int number)
{
    signals += number != SIGCHLD;
}

/* Signals arrive in ppoll only, which gets the mask of before. */
static void catch_signals(sigset_t *before)
{
    const struct sigaction action = {.sa_handler = jobs_on_signal};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaction(SIGCHLD, &action, NULL);
    for (unsigned i = 0; i < ENDING; i++) {
        sigaddset(&set, ending[i]);
        sigaction(ending[i], &action, NULL);
    }
    sigprocmask(SIG_BLOCK, &set, before);
    sigdelset(before, SIGCHLD); /* it may be inherited */
}

static void release_signals(const sigset_t *before)
{
    signal(SIGCHLD, SIG_DFL);
    for (unsigned i = 0; i < ENDING; i++)
        signal(ending[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* ---- A worker ---- */

static int reason_fd = -1;

void jobs_hear(const char *text)
{
    if (reason_fd < 0)
        return;
    const size_t length = strlen(text);
    if (write(reason_fd, text, length < PIPE_BUF ? length : PIPE_BUF) < 0) {
        /* The parent is gone. */
    }
    close(reason_fd);
    reason_fd = -1;
}

static _Noreturn void work(const struct jobs *all, struct job *job, const int ends[JOB_STREAMS],
                           const sigset_t *mask, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(TOOL_UNUSABLE);
    setpgid(0, 0); /* the terminal's signals go to the parent only, which passes them on once */
    release_signals(mask);
    files_forget_in_child();
    dup2(ends[JOB_OUT], STDOUT_FILENO);
    dup2(ends[JOB_ERR], STDERR_FILENO);
    for (unsigned i = 0; i < all->count; i++)
        for (unsigned s = 0; s < JOB_STREAMS; s++)
            if (all->list[i].fds[s] >= 0)
                close(all->list[i].fds[s]);
    close(ends[JOB_OUT]);
    if (ends[JOB_ERR] != ends[JOB_OUT])
        close(ends[JOB_ERR]);
    reason_fd = ends[JOB_REASON];
    char *file = (char *)(uintptr_t)job->file;
    const int status = all->options->run(all->options->user, &file);
    json_errors_status(status);
    exit(status);
}

/* A pipe whose reading end does not block. */
static bool open_pipe(int *from, int *to)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *from = ends[0];
    *to = ends[1];
    return true;
}

static void close_streams(struct job *job)
{
    for (unsigned s = 0; s < JOB_STREAMS; s++) {
        if (job->fds[s] >= 0)
            close(job->fds[s]);
        job->fds[s] = -1;
    }
}

static void start(struct jobs *all, struct job *job, const sigset_t *mask)
{
    int ends[JOB_STREAMS] = {-1, -1, -1};
    bool good =
        open_pipe(&job->fds[JOB_OUT], &ends[JOB_OUT]) && open_pipe(&job->fds[JOB_REASON], &ends[JOB_REASON]);
    if (good && all->is_merged)
        ends[JOB_ERR] = ends[JOB_OUT];
    else
        good = good && open_pipe(&job->fds[JOB_ERR], &ends[JOB_ERR]);
    const pid_t parent = getpid();
    fflush(NULL);
    job->started_ns = job->ended_ns = jobs_now_ns();
    job->process = good ? fork() : -1;
    if (job->process == 0)
        work(all, job, ends, mask, parent);
    const int error = errno;
    for (unsigned s = 0; s < JOB_STREAMS; s++)
        if (ends[s] >= 0 && (s != JOB_ERR || !all->is_merged))
            close(ends[s]);
    if (job->process > 0) {
        setpgid(job->process, 0); /* it does the same: whoever is first */
        all->running++;
        return;
    }
    close_streams(job);
    job->process = 0;
    job->is_over = true;
    job->result = JOB_CRASHED;
    job->status = TOOL_FAILED;
    snprintf(job->reason, sizeof job->reason, "no worker can be started: %s", strerror(error));
}

/* ---- Output ---- */

static void check(const struct text *t)
{
    if (t->failed)
        tool_no_memory();
}

/* TAP has all objects, which come in no other way. */
static void keep(const struct jobs *all, struct job *job, unsigned s, const char *bytes, size_t length)
{
    const size_t most = all->options->tap && all->options->json ? WAITING_BYTES : KEPT_BYTES;
    const size_t room = most - job->kept[s].length, kept = length < room ? length : room;
    text_bytes(&job->kept[s], bytes, kept);
    check(&job->kept[s]);
    job->lost_bytes[s] += length - kept;
}

/* Prints what the job whose turn it is has written; of JSON whole lines. */
static void print_streams(const struct jobs *all, struct job *job)
{
    for (unsigned s = JOB_OUT; s <= JOB_ERR; s++) {
        struct text *const t = &job->streams[s];
        size_t length = t->length;
        if (s == JOB_OUT && all->options->json)
            while (length && t->bytes[length - 1] != '\n')
                length--;
        if (!length)
            continue;
        if (all->options->tap || all->options->junit)
            keep(all, job, s, t->bytes, length);
        FILE *const to = s == JOB_OUT ? stdout : stderr;
        if (!all->options->tap && (fwrite(t->bytes, 1, length, to) != length || fflush(to) != 0))
            exit(TOOL_UNUSABLE); /* which says why; workers end with this process */
        text_drop(t, length);
    }
}

/* False: there is no more for now, or for ever. */
static bool read_stream(struct job *job, unsigned s)
{
    char bytes[READ_BYTES];
    const ssize_t got = read(job->fds[s], bytes, sizeof bytes);
    if (got > 0) {
        text_bytes(&job->streams[s], bytes, (size_t)got);
        check(&job->streams[s]);
        return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(job->fds[s]);
        job->fds[s] = -1;
    }
    return false;
}

/* ---- The end of a worker ---- */

static void take_reason(struct job *job)
{
    const struct text *const t = &job->streams[JOB_REASON];
    if (!*job->reason)
        snprintf(job->reason, sizeof job->reason, "%.*s", (int)t->length, t->length ? t->bytes : "");
    job->reason[strcspn(job->reason, "\n")] = 0;
    for (char *c = job->reason; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
}

static void judge(struct job *job, const struct jobs *all, int status)
{
    static const enum job_result results[] = {JOB_PASSED, JOB_FAILED, JOB_UNUSABLE, JOB_FAILED_ON};
    enum { RESULTS = sizeof results / sizeof results[0] };
    job->status = WIFEXITED(status) && WEXITSTATUS(status) < RESULTS ? WEXITSTATUS(status) : TOOL_FAILED;
    if (job->is_killed) {
        job->result = JOB_HUNG;
        snprintf(job->reason, sizeof job->reason, "hung: the worker was ended after %u s (--timeout)",
                 all->options->timeout_s);
    } else if (WIFSIGNALED(status)) {
        job->result = all->stopped_ns ? JOB_NOT_RUN : JOB_CRASHED;
        snprintf(job->reason, sizeof job->reason, "crashed: the worker was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) >= RESULTS) {
        job->result = JOB_CRASHED;
        snprintf(job->reason, sizeof job->reason, "crashed: the worker exited with status %d",
                 WEXITSTATUS(status));
    } else {
        job->result = all->stopped_ns && job->status ? JOB_NOT_RUN : results[job->status];
    }
    if (job->result == JOB_NOT_RUN)
        snprintf(job->reason, sizeof job->reason, "a signal ended the run");
    take_reason(job);
    if (!*job->reason)
        snprintf(job->reason, sizeof job->reason, "exit status %d", job->status);
}

static void reap(struct jobs *all)
{
    for (unsigned i = 0; i < all->next; i++) {
        struct job *const job = &all->list[i];
        int status;
        if (!job->process || waitpid(job->process, &status, WNOHANG) != job->process)
            continue;
        for (unsigned s = 0; s < JOB_STREAMS; s++)
            while (job->fds[s] >= 0 && read_stream(job, s))
                ;
        close_streams(job); /* a process of the worker may still have the other ends */
        job->process = 0;
        job->is_over = true;
        job->ended_ns = jobs_now_ns();
        all->running--;
        judge(job, all, status);
    }
}

/* A worker that died printed no report: readers of JSON get one. */
static void print_missing_report(const struct job *job)
{
    struct json_object *const o = json_report("softgt.run"), *const errors = json_array(),
                              *const error = json_empty();
    json_add(o, "trace", json_text(job->file));
    json_add(o, "result", json_string("fail"));
    json_add(o, "exit_status", json_int(job->status));
    json_add(o, "failed_on", json_array());
    json_add(o, "complaints", json_array());
    json_add(error, "text", json_text(job->reason));
    json_append(errors, error);
    json_add(o, "errors", errors);
    json_print(o);
}

/* Prints the reason of a worker that could not. */
static void finish_output(const struct jobs *all, struct job *job)
{
    const bool said = job->result <= JOB_UNUSABLE;
    print_streams(all, job);
    if (said || job->result == JOB_NOT_RUN)
        return;
    if (all->options->json && !all->options->tap)
        print_missing_report(job);
    if (all->options->tap)
        return;
    tool_error(job->file, "%s", job->reason);
    json_errors_forget(); /* the missing report has it */
    fflush(stdout);
}

/* Prints all that is over, in the order of the files. */
static void take_turns(struct jobs *all)
{
    while (all->turn < all->next) {
        struct job *const job = &all->list[all->turn];
        print_streams(all, job);
        if (!job->is_over)
            return;
        finish_output(all, job);
        results_add(all->results, job);
        for (unsigned s = 0; s < JOB_STREAMS; s++)
            text_free(&job->streams[s]);
        text_free(&job->kept[JOB_OUT]);
        text_free(&job->kept[JOB_ERR]);
        all->turn++;
    }
}

/* ---- The loop ---- */

static void pass_signals(struct jobs *all, uint64_t now_ns)
{
    if (!signals || all->is_killed)
        return;
    const bool kills = signals > 1 || (all->stopped_ns && now_ns - all->stopped_ns > GRACE_NS);
    if (all->stopped_ns && !kills)
        return;
    all->stopped_ns = all->stopped_ns ? all->stopped_ns : now_ns;
    all->is_killed = kills;
    for (unsigned i = 0; i < all->next; i++)
        if (all->list[i]
                .process) /* its helper (host/files.h) may wait for a file, and lives on to remove it */
            kill(kills ? all->list[i].process : -all->list[i].process, kills ? SIGKILL : SIGTERM);
}

static uint64_t deadline_ns(const struct jobs *all, const struct job *job)
{
    return job->started_ns + job->paused_ns + all->options->timeout_s * UINT64_C(1000000000);
}

/* Pauses workers with much output, ends those that take too long. Returns when to look again. */
static uint64_t check_workers(struct jobs *all, uint64_t now_ns, uint64_t since_ns)
{
    uint64_t soonest_ns = all->stopped_ns ? now_ns + GRACE_NS / 8 : UINT64_MAX;
    for (unsigned i = all->turn; i < all->next; i++) {
        struct job *const job = &all->list[i];
        if (!job->process)
            continue;
        job->paused_ns += job->is_paused ? now_ns - since_ns : 0;
        job->is_paused =
            i != all->turn && job->streams[JOB_OUT].length + job->streams[JOB_ERR].length > WAITING_BYTES;
        if (!job->is_killed && now_ns >= deadline_ns(all, job)) {
            job->is_killed = true;
            kill(job->process, SIGKILL);
        } else if (!job->is_killed && !job->is_paused && deadline_ns(all, job) < soonest_ns) {
            soonest_ns = deadline_ns(all, job);
        }
    }
    return soonest_ns;
}

/* Waits for output, the end of a worker, or a signal. */
static void wait_for_news(struct jobs *all, const sigset_t *mask, uint64_t now_ns, uint64_t until_ns)
{
    struct pollfd *const polled = malloc((all->options->count * JOB_STREAMS + 1) * sizeof *polled);
    struct {
        unsigned job, stream;
    } *const of = malloc((all->options->count * JOB_STREAMS + 1) * sizeof *of);
    nfds_t n = 0;
    if (!polled || !of)
        tool_no_memory();
    for (unsigned i = all->turn; i < all->next; i++)
        for (unsigned s = 0; s < JOB_STREAMS && all->list[i].process && !all->list[i].is_paused; s++)
            if (all->list[i].fds[s] >= 0) {
                polled[n] = (struct pollfd){.fd = all->list[i].fds[s], .events = POLLIN};
                of[n].job = i;
                of[n++].stream = s;
            }
    const uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    const struct timespec limit = {.tv_sec = (time_t)(left_ns / 1000000000u),
                                   .tv_nsec = (long)(left_ns % 1000000000u)};
    if (ppoll(polled, n, until_ns == UINT64_MAX ? NULL : &limit, mask) > 0)
        for (nfds_t i = 0; i < n; i++)
            if (polled[i].revents)
                read_stream(&all->list[of[i].job], of[i].stream);
    free(polled);
    free(of);
}

static void run_all(struct jobs *all, const sigset_t *mask)
{
    uint64_t since_ns = jobs_now_ns();
    while (all->turn < all->count) {
        while (!signals && all->running < all->options->count && all->next < all->count)
            start(all, &all->list[all->next++], mask);
        take_turns(all);
        if (!all->running) {
            if (signals)
                break;
            continue;
        }
        const uint64_t now_ns = jobs_now_ns();
        pass_signals(all, now_ns);
        const uint64_t until_ns = check_workers(all, now_ns, since_ns);
        since_ns = now_ns;
        wait_for_news(all, mask, now_ns, until_ns);
        reap(all);
    }
    take_turns(all);
    for (; all->turn < all->count; all->turn++) {
        struct job *const job = &all->list[all->turn];
        job->result = JOB_NOT_RUN;
        job->status = TOOL_FAILED;
        snprintf(job->reason, sizeof job->reason, "a signal ended the run");
        results_add(all->results, job);
    }
}

int jobs_run(const struct jobs_options *options, char **files, unsigned count)
{
    struct jobs all = {.options = options, .count = count};
    struct stat out, err;
    sigset_t mask;
    all.list = calloc(count, sizeof *all.list);
    if (!all.list)
        tool_no_memory();
    for (unsigned i = 0; i < count; i++) {
        all.list[i].file = files[i];
        for (unsigned s = 0; s < JOB_STREAMS; s++)
            all.list[i].fds[s] = -1;
    }
    all.results = results_open(options, count);
    if (!all.results) {
        free(all.list);
        return TOOL_UNUSABLE;
    }
    all.is_merged = options->tap ? !options->json
                                 : fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
                                       out.st_dev == err.st_dev && out.st_ino == err.st_ino && !options->json;
    catch_signals(&mask);
    run_all(&all, &mask);
    const int status = results_close(all.results, signals);
    free(all.list);
    return status;
}
