/* The sandbox: what must go on works in it, anything else ends the process, and files are another's. */
#include "../suite.h"
#include "host/files.h"
#include "host/output.h"
#include "host/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static const char *at(const char *name)
{
    static char paths[8][96];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool holds(const char *path, const char *text)
{
    char there[64] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const size_t size = fread(there, 1, sizeof there - 1, file);
    fclose(file);
    return size == strlen(text) && strcmp(there, text) == 0;
}

/* What a process in the sandbox comes to: its wait status, and what it said. */
static int inside(bool (*act)(void), char *said, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const char *what;
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (!files_start() || !sandbox_begin(&what) || !sandbox_seal(&what, SANDBOX_RUNS))
            _exit(100);
        const bool good = act();
        files_end();
        _exit(good ? 0 : 1);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void skip_without(void)
{
    if (sandbox_missing())
        skip();
}

/* ---- What must not be ---- */

static bool opens(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool stats(void)
{
    struct stat s;
    return stat("/etc/passwd", &s) == 0;
}

static bool stats_by_another_flag(void)
{
    struct stat s;
    return fstatat(AT_FDCWD, "/etc/passwd", &s, AT_EMPTY_PATH) == 0;
}

static bool removes(void)
{
    return unlink(at("input")) == 0;
}

static bool connects(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool forks(void)
{
    return fork() >= 0;
}

static bool starts_programs(void)
{
    return execl("/bin/true", "true", NULL) == 0;
}

static bool executes_memory(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool makes_memory_executable(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

static bool kills(void)
{
    return kill(getppid(), 0) == 0;
}

static bool kills_a_thread(void)
{
    return syscall(SYS_tgkill, 1, 1, 0) == 0;
}

static bool traces(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static bool asks_for_ioctls(void)
{
    return syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x") == 0;
}

static bool lifts_limits(void)
{
    return setrlimit(RLIMIT_NOFILE, &(struct rlimit){10000, 10000}) == 0;
}

static bool catches_the_end(void)
{
    return signal(SIGSYS, SIG_IGN) != SIG_ERR;
}

/* Newer hosts have only the call with a folder. */
#ifdef SYS_unlink
enum { UNLINK = SYS_unlink };
#else
enum { UNLINK = SYS_unlinkat };
#endif

static void forbidden_calls_end_the_process(void **state)
{
    (void)state;
    skip_without();
    static const struct {
        bool (*act)(void);
        long call; /* -1: more than one, by the C library */
    } all[] = {
        {opens, SYS_openat},
        {stats, SYS_newfstatat},
        {stats_by_another_flag, SYS_newfstatat},
        {removes, UNLINK},
        {connects, SYS_socket},
        {forks, SYS_clone},
        {starts_programs, SYS_execve},
        {executes_memory, SYS_mmap},
        {makes_memory_executable, SYS_mprotect},
        {kills, -1},
        {kills_a_thread, SYS_tgkill},
        {traces, SYS_ptrace},
        {asks_for_ioctls, SYS_ioctl},
        {lifts_limits, -1},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char said[256], call[16];
        const int status = inside(all[i].act, said, sizeof said);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGSYS);
        assert_non_null(strstr(said, "softgt: the sandbox forbids system call"));
        snprintf(call, sizeof call, " %ld\n", all[i].call);
        assert_true(all[i].call < 0 || strstr(said, call));
    }
}

static void the_filter_cannot_be_caught(void **state)
{
    (void)state;
    skip_without();
    char said[256];
    const int status = inside(catches_the_end, said, sizeof said);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

/* By the process itself, before the calls are shut: what a fault before that could still reach. */
static void privileges_and_files_are_gone_before(void **state)
{
    (void)state;
    skip_without();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const char *what;
        if (!sandbox_begin(&what))
            _exit(100);
        int status = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : 1;
        for (unsigned long i = 0; i < 8; i++)
            status |= prctl(PR_CAPBSET_READ, i, 0, 0, 0) == 1 && geteuid() == 0 ? 2 : 0;
        unsigned data[6] = {0}, header[2] = {0x20080522, 0};
        status |= syscall(SYS_capget, header, data) || data[0] | data[1] | data[3] | data[4] ? 4 : 0;
        const bool landlock = syscall(444, NULL, 0, 1) > 0;
        status |= landlock && (open("/etc/passwd", O_RDONLY) >= 0 || errno != EACCES) ? 8 : 0;
        status |= landlock && (mkdir(at("made"), 0700) == 0 || errno != EACCES) ? 16 : 0;
        _exit(status);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- What must be ---- */

static bool works(void)
{
    enum { BYTES = 300 << 20 };
    char *memory = malloc(BYTES), *more;
    memset(memory, 1, BYTES);
    more = realloc(memory, 2u * BYTES);
    free(more);
    struct stat s, none;
    const bool tells = fstat(STDERR_FILENO, &s) == 0 && S_ISFIFO(s.st_mode) &&
                       fstatat(STDERR_FILENO, "", &s, AT_EMPTY_PATH) == 0 && S_ISFIFO(s.st_mode) &&
                       fstatat(1000, "", &none, AT_EMPTY_PATH) < 0 && errno == EBADF;
    return more && tells && isatty(STDERR_FILENO) == 0 && signal(SIGTERM, SIG_IGN) != SIG_ERR &&
           fprintf(stderr, "%s %f", strerror(ENOENT), 0.5) > 0;
}

static void everyday_calls_go_on(void **state)
{
    (void)state;
    skip_without();
    char said[256];
    assert_int_equal(inside(works, said, sizeof said), 0);
    assert_string_equal(said, "No such file or directory 0.500000");
}

static bool aborts(void)
{
    abort();
}

static void an_assertion_ends_as_one_does(void **state)
{
    (void)state;
    skip_without();
    char said[256];
    const int status = inside(aborts, said, sizeof said);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* ---- Files ---- */

static bool uses_files(void)
{
    struct output whole, dropped, other;
    char text[16] = "";
    FILE *input = files_open_stream(at("input"));
    bool good = input && fread(text, 1, sizeof text, input) == 5 && strcmp(text, "input") == 0;
    if (input)
        fclose(input);
    good =
        good && output_open(&whole, at("whole")) && fputs("whole", whole.file) >= 0 && output_close(&whole);
    good = good && output_open(&dropped, at("kept")) && fputs("no", dropped.file) >= 0;
    if (good)
        output_drop(&dropped);
    good = good && output_open(&other, at("inside/1.png")) && fputs("1", other.file) >= 0 &&
           output_close(&other);
    return good && files_open(at("whole")) < 0 && errno == EACCES && files_open("/etc/passwd") < 0 &&
           errno == EACCES && !output_open(&other, at("input")) && errno == EACCES &&
           !output_open(&other, at("inside/../x")) && !output_open(&other, at("inside/..")) &&
           !output_open(&other, at("inside/a/b.png")) && !output_open(&other, at("inside/.png")) &&
           !output_open(&other, at("inside/.x.png")) && !output_open(&other, at("inside/x")) &&
           !output_open(&other, at("inside")) && !output_open(&other, at("inside2/x"));
}

static void files_are_those_that_were_named(void **state)
{
    (void)state;
    char said[256];
    put(at("input"), "input");
    put(at("kept"), "kept");
    mkdir(at("inside"), 0700);
    mkdir(at("inside2"), 0700);
    skip_without();
    assert_int_equal(inside(uses_files, said, sizeof said), 0);
    assert_true(holds(at("whole"), "whole"));
    assert_true(holds(at("kept"), "kept"));
    assert_true(holds(at("inside/1.png"), "1"));
}

static bool dies_in_a_file(void)
{
    struct output half;
    if (output_open(&half, at("kept")))
        fputs("half", half.file);
    fflush(half.file);
    abort();
}

static void what_was_half_written_is_put_away(void **state)
{
    (void)state;
    skip_without();
    char said[256], command[160];
    inside(dies_in_a_file, said, sizeof said);
    snprintf(command, sizeof command,
             "for i in 1 2 3 4 5 6 7 8 9; do ls %s/kept.* >/dev/null 2>&1 || exit 0; sleep 0.2; done; exit 1",
             folder);
    assert_int_equal(system(command), 0);
    assert_true(holds(at("kept"), "kept"));
}

TEST_PROGRAM(sandbox_test)
{
    strcpy(folder, "/tmp/softgt-sandbox.XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    static char input[96], whole[96], kept[96], in[96];
    strcpy(input, at("input"));
    strcpy(whole, at("whole"));
    strcpy(kept, at("kept"));
    strcpy(in, at("inside"));
    files_allow(FILES_READ, input);
    files_allow(FILES_WRITE, whole);
    files_allow(FILES_WRITE, kept);
    files_allow(FILES_WRITE_INSIDE, in);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_those_that_were_named),
        cmocka_unit_test(what_was_half_written_is_put_away),
        cmocka_unit_test(forbidden_calls_end_the_process),
        cmocka_unit_test(the_filter_cannot_be_caught),
        cmocka_unit_test(privileges_and_files_are_gone_before),
        cmocka_unit_test(everyday_calls_go_on),
        cmocka_unit_test(an_assertion_ends_as_one_does),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || failed;
}
