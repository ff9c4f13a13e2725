/* softgt exec: runs a program of the host on a device in its own process. */
#include "events.h"
#include "built_features.h"

#include "debug_client.h"
#include "exec.h"
#include "exec_report.h"
#include "host/files.h"
#include "host/output.h"
#include "device/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct arguments {
    struct exec_options options;
    bool quiet, has_eu_filter, has_eu_limit;
    char json[EXEC_PATH]; /* "": none, "-": standard output */
    struct prompt_scripts scripts;
    struct fail_on fail_on;
    char **program;
    char folder[EXEC_PATH];
    char library[EXEC_PATH];
};

static struct arguments a = {.options = {.device = "skl",
                                         .driver = EXEC_DRIVERS,
                                         .limit_dw = UINT64_C(1) << 36,
                                         .eu_limit = EU_TRACE_LIMIT},
                             .fail_on.words = FAIL_ON_EXEC};
static volatile sig_atomic_t child, came;

/* ---- The device's files ---- */

#define PCI_NAME "0000:00:02.0"
#define PCI_PATH "sys/devices/pci0000:00/" PCI_NAME

static bool good = true; /* cleared when a file cannot be created */

__attribute__((format(printf, 2, 3))) static void put(const char *name, const char *format, ...)
{
    char path[2 * EXEC_PATH];
    va_list list;
    snprintf(path, sizeof path, "%s/%s", a.folder, name);
    FILE *file = fopen(path, "w");
    va_start(list, format);
    good = good && file && vfprintf(file, format, list) >= 0;
    va_end(list);
    good = file && fclose(file) == 0 && good;
}

static void folder(const char *name)
{
    char path[2 * EXEC_PATH];
    snprintf(path, sizeof path, "%s/%s", a.folder, name);
    for (char *at = path + strlen(a.folder) + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            good = good && (mkdir(path, 0700) == 0 || errno == EEXIST);
            *at = '/';
        }
    good = good && (mkdir(path, 0700) == 0 || errno == EEXIST);
}

static void link_to(const char *name, const char *target)
{
    char path[2 * EXEC_PATH];
    snprintf(path, sizeof path, "%s/%s", a.folder, name);
    good = good && symlink(target, path) == 0;
}

/* i915 has frequencies at each node, xe at the GT. */
static void make_frequencies(struct softgt *device, const char *where, enum exec_driver driver)
{
    char path[256];
    enum { RP_STATE_CAP = 0x145998, MHZ = 50 };
    const uint64_t limits = softgt_bar_read(device, SOFTGT_BAR_GTTMMADR, RP_STATE_CAP, 4);
    const unsigned most = (unsigned)(limits & 0xff) * MHZ, least = (unsigned)(limits >> 16 & 0xff) * MHZ;
    static const struct {
        const char *names[EXEC_DRIVERS]; /* NULL: none */
        bool least;
    } frequencies[] = {{{"gt_max_freq_mhz", "max_freq"}, false}, {{"gt_boost_freq_mhz", NULL}, false},
                       {{"gt_RP0_freq_mhz", "rp0_freq"}, false}, {{"gt_act_freq_mhz", "act_freq"}, false},
                       {{"gt_cur_freq_mhz", "cur_freq"}, false}, {{"gt_min_freq_mhz", "min_freq"}, true},
                       {{"gt_RPn_freq_mhz", "rpn_freq"}, true},  {{"gt_RP1_freq_mhz", "rpe_freq"}, true}};
    for (unsigned i = 0; i < sizeof frequencies / sizeof frequencies[0]; i++) {
        if (!frequencies[i].names[driver])
            continue;
        snprintf(path, sizeof path, "%s/%s", where, frequencies[i].names[driver]);
        put(path, "%u\n", frequencies[i].least ? least : most);
    }
}

static void make_node(struct softgt *device, const char *name, unsigned minor)
{
    char path[256], target[256];
    snprintf(path, sizeof path, "dev/dri/%s", name);
    put(path, "%s", "");
    snprintf(path, sizeof path, PCI_PATH "/drm/%s", name);
    folder(path);
    snprintf(target, sizeof target, "../../devices/pci0000:00/" PCI_NAME "/drm/%s", name);
    snprintf(path, sizeof path, "sys/dev/char/%d:%u", EXEC_MAJOR, minor);
    link_to(path, target);
    snprintf(path, sizeof path, "sys/class/drm/%s", name);
    link_to(path, target);
    snprintf(path, sizeof path, PCI_PATH "/drm/%s/device", name);
    link_to(path, "../../../" PCI_NAME);
    snprintf(path, sizeof path, PCI_PATH "/drm/%s/subsystem", name);
    link_to(path, "../../../../../class/drm");
    snprintf(path, sizeof path, PCI_PATH "/drm/%s/dev", name);
    put(path, "%d:%u\n", EXEC_MAJOR, minor);
    snprintf(path, sizeof path, PCI_PATH "/drm/%s/uevent", name);
    put(path, "MAJOR=%d\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", EXEC_MAJOR, minor, name);
    snprintf(path, sizeof path, PCI_PATH "/drm/%s", name);
    if (a.options.driver == EXEC_I915)
        make_frequencies(device, path, EXEC_I915);
}

/* Links to this machine's other PCI functions. */
static void link_others(void)
{
    char path[EXEC_PATH], target[EXEC_PATH];
    DIR *all = opendir("/sys/bus/pci/devices");
    for (struct dirent *e; all && (e = readdir(all));) {
        if (e->d_name[0] == '.' || strcmp(e->d_name, PCI_NAME) == 0)
            continue;
        snprintf(path, sizeof path, "sys/bus/pci/devices/%s", e->d_name);
        snprintf(target, sizeof target, "/sys/bus/pci/devices/%s", e->d_name);
        link_to(path, target);
    }
    if (all)
        closedir(all);
}

static void *read_no_memory(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)address, (void)length_bytes, (void)write;
    return NULL;
}

static bool make_system(const struct softgt_device_info *info)
{
    static const char *const folders[] = {"dev/dri/by-path", "sys/dev/char", "sys/class/drm",
                                          "sys/bus/pci/devices", (PCI_PATH "/drm")};
    const char *driver = exec_driver_names[a.options.driver];
    char path[2 * EXEC_PATH], target[64];
    const struct softgt_config config = {.device = info->name, .memory = {.map = read_no_memory}};
    struct softgt *device;
    if (softgt_create(&config, &device) != 0)
        return false;
    for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++)
        folder(folders[i]);
    snprintf(path, sizeof path, "sys/bus/pci/drivers/%s", driver);
    folder(path);
    snprintf(target, sizeof target, "../../../bus/pci/drivers/%s", driver);
    make_node(device, "card0", 0);
    make_node(device, "renderD128", EXEC_MINOR);
    link_to("dev/dri/by-path/pci-" PCI_NAME "-card", "../card0");
    link_to("dev/dri/by-path/pci-" PCI_NAME "-render", "../renderD128");
    link_to("sys/bus/pci/devices/" PCI_NAME, "../../../devices/pci0000:00/" PCI_NAME);
    link_to(PCI_PATH "/subsystem", "../../../bus/pci");
    link_to(PCI_PATH "/driver", target);
    if (a.options.driver == EXEC_XE) {
        folder(PCI_PATH "/tile0/gt0/freq0");
        make_frequencies(device, PCI_PATH "/tile0/gt0/freq0", EXEC_XE);
    }
    link_others();
    const uint32_t class = softgt_pci_config_read(device, 8, 4);
    put(PCI_PATH "/vendor", "0x8086\n");
    put(PCI_PATH "/device", "0x%04x\n", info->pci_device_id);
    put(PCI_PATH "/subsystem_vendor", "0x8086\n");
    put(PCI_PATH "/subsystem_device", "0x0000\n");
    put(PCI_PATH "/revision", "0x%02x\n", info->pci_revision);
    put(PCI_PATH "/class", "0x%06x\n", class >> 8);
    put(PCI_PATH "/numa_node", "-1\n");
    put(PCI_PATH "/boot_vga", "0\n");
    put(PCI_PATH "/enable", "1\n");
    put(PCI_PATH "/uevent",
        "DRIVER=%s\nPCI_CLASS=%X\nPCI_ID=8086:%04X\nPCI_SUBSYS_ID=8086:0000\nPCI_SLOT_NAME=" PCI_NAME "\n",
        driver, class >> 8, info->pci_device_id);
    snprintf(path, sizeof path, "%s/" PCI_PATH "/config", a.folder);
    FILE *file = fopen(path, "w");
    for (uint32_t at = 0; file && at < softgt_pci_config_bytes(device); at++)
        fputc((int)softgt_pci_config_read(device, at, 1), file);
    good = file && fclose(file) == 0 && good;
    softgt_destroy(device);
    snprintf(path, sizeof path, "%s/options", a.folder);
    file = fopen(path, "w");
    good = file && fwrite(&a.options, sizeof a.options, 1, file) == 1 && good;
    good = file && fclose(file) == 0 && good;
    return good;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

/* ---- The library: installed, or in the build folder ---- */

bool exec_find_self(char self[EXEC_PATH])
{
    const ssize_t length = readlink("/proc/self/exe", self, EXEC_PATH - 1);
    if (length > 0) {
        self[length] = 0;
        return true;
    }
    const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char *path = started ? realpath(started, NULL) : NULL;
    if (path)
        snprintf(self, EXEC_PATH, "%s", path);
    free(path);
    return path;
}

static bool built_with_exec(void)
{
#if HAVE_EXEC
    return true;
#else
    tool_error(NULL, "exec: this build runs no programs: it was made without libdrm or the GNU C library "
                     "(-Dexec=enabled)");
    return false;
#endif
}

static bool find_library(void)
{
    static const char *const places[] = {"/../src", ("/../" SOFTGT_LIBRARIES), "/../lib/softgt"};
    enum { PLACES = sizeof places / sizeof places[0] };
    char self[EXEC_PATH];
    if (!exec_find_self(self)) {
        tool_error("libsoftgt-exec.so", "this tool's own path cannot be found: %s (is /proc mounted?)",
                   strerror(errno));
        return false;
    }
    *strrchr(self, '/') = 0;
    for (unsigned i = 0; i < PLACES; i++) {
        if (snprintf(a.library, sizeof a.library, "%s%s/libsoftgt-exec.so", self, places[i]) < EXEC_PATH &&
            access(a.library, R_OK) == 0)
            return true;
    }
    tool_error("libsoftgt-exec.so", "is in none of %s%s, %s%s, %s%s", self, places[0], self, places[1], self,
               places[2]);
    return false;
}

bool exec_find_program(const char *name, char path[EXEC_PATH])
{
    const char *from = getenv("PATH");
    struct stat st;
    if (strchr(name, '/'))
        return snprintf(path, EXEC_PATH, "%s", name) < EXEC_PATH && access(path, F_OK) == 0;
    for (from = from ? from : "/usr/bin:/bin"; *from; from += *from == ':') {
        const int length = (int)strcspn(from, ":"); /* 0: the current folder */
        const int path_length = snprintf(path, EXEC_PATH, "%.*s%s%s", length, from, length ? "/" : "", name);
        if (path_length < EXEC_PATH && access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
            return true;
        from += length;
    }
    errno = ENOENT;
    return false;
}

/* ---- Output files ---- */

/* Checked before the program runs, which may take an hour. */
bool exec_can_write(const char *option, const char *path)
{
    struct stat st;
    struct output output;
    bool writable = true;
    if (*path && stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode))
            errno = EISDIR;
        writable = !S_ISDIR(st.st_mode) && access(path, W_OK) == 0;
    } else if (*path) {
        writable = output_open(&output, path);
        if (writable)
            output_drop(&output);
    }
    if (!writable)
        tool_error(path, "cannot be written (%s): %s", option, files_error(errno));
    return writable;
}

static bool is_same_folder(const char *path, const char *other)
{
    char folder[2][EXEC_PATH];
    struct stat st[2];
    snprintf(folder[0], EXEC_PATH, "%.*s", (int)(strrchr(path, '/') - path + 1), path);
    snprintf(folder[1], EXEC_PATH, "%.*s", (int)(strrchr(other, '/') - other + 1), other);
    return stat(folder[0], &st[0]) == 0 && stat(folder[1], &st[1]) == 0 && st[0].st_dev == st[1].st_dev &&
           st[0].st_ino == st[1].st_ino;
}

/* For absolute paths. Special files such as /dev/null may be named twice. */
static bool is_same_file(const char *path, const char *other)
{
    struct stat st, of_other;
    const bool exists = stat(path, &st) == 0, other_exists = stat(other, &of_other) == 0;
    if (exists && other_exists)
        return S_ISREG(st.st_mode) && st.st_dev == of_other.st_dev && st.st_ino == of_other.st_ino;
    return !exists && !other_exists && strcmp(strrchr(path, '/'), strrchr(other, '/')) == 0 &&
           is_same_folder(path, other);
}

/* Each output needs its own file: the last one would replace the others. */
static bool files_can_be_written(void)
{
    const struct {
        const char *option, *path;
    } files[] = {{"--record", a.options.record},
                 {"--timeline", a.options.timeline},
                 {"--eu-trace", a.options.eu_trace},
                 {"--control", a.options.control},
                 {"--json", strcmp(a.json, "-") == 0 ? "" : a.json}};
    enum { FILES = sizeof files / sizeof files[0] };
    for (unsigned i = 0; i < FILES; i++) {
        if (!exec_can_write(files[i].option, files[i].path))
            return false;
        for (unsigned of = 0; of < i && *files[i].path; of++)
            if (*files[of].path && is_same_file(files[i].path, files[of].path)) {
                tool_error(files[i].path, "is the file of %s and of %s", files[of].option, files[i].option);
                return false;
            }
    }
    return true;
}

static bool write_json(struct json_object *value)
{
    struct output output;
    struct text text = {0};
    if (strcmp(a.json, "-") == 0) {
        json_print(value);
        return true;
    }
    json_write(&text, value);
    json_object_put(value);
    text_char(&text, '\n');
    if (text.failed)
        tool_no_memory();
    bool written = output_open(&output, a.json);
    if (written) {
        fwrite(text.bytes, 1, text.length, output.file);
        written = output_close(&output);
    }
    if (!written)
        tool_error(a.json, "%s", files_error(errno));
    text_free(&text);
    return written;
}

/* ---- Options ---- */

enum { LIMIT = 256, DRIVER, THREADS, NO_TRANSLATION, TIMING, STRICT, EU_TRACE, EU_FILTER, EU_LIMIT };
enum { JSON = 512, FAIL_ON, TRACE_JSON, DEBUG, CONTROL, BATCH };

static const struct argp_option options[] = {
    {"device", 'd', "NAME", 0, "the device (softgt devices lists them); skl", 0},
    {"driver", DRIVER, "NAME", 0,
     "the kernel interface: i915 (up to Gen12.5, the default there) or xe (from Gen12 on)", 0},
    {"record", 'r', "FILE", 0, "record a trace that softgt run repeats and checks; slower", 0},
    {"debug", DEBUG, NULL, 0,
     "debug the device, as softgt debug does: engines stand still until the prompt lets them go on, which "
     "has "
     "standard input",
     0},
    {"execute", 'x', "FILE", 0, "with --debug: carry out the lines of this file first; may be repeated", 0},
    {"batch", BATCH, NULL, 0, "with --debug: leave the device after the files of --execute", 0},
    {"control", CONTROL, "PATH", 0, "listen there for softgt debug --connect", 0},
    {"trace", 't', "WHAT", 0, "print events as they happen, to standard error: " TOOL_TRACE_HELP, 0},
    {"trace-json", TRACE_JSON, NULL, 0, "print the events of --trace as JSON, an object a line", 0},
    {"timeline", 'T', "FILE", 0, "write a timeline for the Perfetto UI", 0},
    {"eu-trace", EU_TRACE, "FILE", 0, "write each EU instruction and the registers that it changes", 0},
    {"eu-filter", EU_FILTER, "WHICH", 0,
     "limit --eu-trace to a list of kernel=ADDRESS, group=X[:Y[:Z]], thread=N, ip=FIRST[:LAST], separated by "
     "commas",
     0},
    {"eu-trace-limit", EU_LIMIT, "COUNT", 0, "number of instructions that --eu-trace writes (10000)", 0},
    {"limit", LIMIT, "DWORDS", 0,
     "dwords and instructions after which a submission counts as hung (68719476736)", 0},
    {"threads", THREADS, "COUNT", 0,
     "host threads that run thread groups and draws in parallel, up to 64 (one a core of the host)", 0},
    {"no-translation", NO_TRANSLATION, NULL, 0,
     "interpret all kernels, do not translate them to host code; slower", 0},
    {"timing", TIMING, NULL, 0,
     "commands take virtual time, by round figures of the device; without the option they take none", 0},
    {"strict", STRICT, NULL, 0,
     "addresses without a binding cause page faults, which end a submission; without the option they map a "
     "scratch page, as in i915, and are reported",
     0},
    {"json", JSON, "FILE", 0, "write the report as a JSON object; -: standard output", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "exit with status 3 when the program exits with 0 and one of these happened: unsupported, unknown, "
     "hung, "
     "faults, errors, refused, trouble, unused or all, separated by commas",
     0},
    {"quiet", 'q', NULL, 0, "print no report at the end", 0},
    {0},
};

/* The filter as the program's library has it. */
static void parse_trace(struct argp_state *state, const char *list)
{
    char why[EVENT_FILTER_WHY];
    if (!event_filter_parse(&a.options.trace, list, why))
        argp_error(state, "--trace: %s", why);
}

/* Makes a path absolute: the program may change its folder. */
static void parse_path(struct argp_state *state, char *to, const char *path)
{
    char here[EXEC_PATH] = "";
    if (!*path)
        argp_error(state, "'' is no file");
    if (*path != '/' && !getcwd(here, sizeof here))
        argp_error(state, "the current folder cannot be found: %s", strerror(errno));
    if (snprintf(to, EXEC_PATH, "%s%s%s", here, *here ? "/" : "", path) >= EXEC_PATH)
        argp_error(state, "'%s' is too long", path);
}

enum exec_driver exec_parse_driver(struct argp_state *state, const char *name)
{
    for (enum exec_driver driver = 0; driver < EXEC_DRIVERS; driver++)
        if (strcmp(exec_driver_names[driver], name) == 0)
            return driver;
    argp_error(state, "--driver: '%s' is neither i915 nor xe", name);
    return EXEC_I915;
}

static error_t parse_debug(int key, char *argument, struct argp_state *state)
{
    switch (key) {
    case DEBUG:
        a.options.debug = true;
        return 0;
    case 'x':
        prompt_add_script(&a.scripts, state, argument);
        return 0;
    case BATCH:
        a.scripts.ends = true;
        return 0;
    case CONTROL:
        parse_path(state, a.options.control, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN; /* none of a debugger's options */
    }
}

static void check_debug(struct argp_state *state)
{
    if (a.scripts.count && !a.options.debug)
        argp_error(state, "--execute does nothing without --debug");
    if (a.scripts.ends && !a.scripts.count)
        argp_error(state, "--batch does nothing without --execute");
    if (*a.options.eu_trace && (a.options.debug || *a.options.control))
        argp_error(state, "--eu-trace does not go with %s: both watch threads",
                   a.options.debug ? "--debug" : "--control");
}

static error_t exec_parse(int key, char *argument, struct argp_state *state)
{
    if (parse_debug(key, argument, state) == 0)
        return 0;
    switch (key) {
    case 'd':
        snprintf(a.options.device, sizeof a.options.device, "%s", argument);
        return 0;
    case DRIVER:
        a.options.driver = exec_parse_driver(state, argument);
        return 0;
    case 'r':
        parse_path(state, a.options.record, argument);
        return 0;
    case 'T':
        parse_path(state, a.options.timeline, argument);
        return 0;
    case 't':
        parse_trace(state, argument);
        return 0;
    case TRACE_JSON:
        a.options.trace_json = true;
        return 0;
    case EU_TRACE:
        parse_path(state, a.options.eu_trace, argument);
        return 0;
    case EU_FILTER:
        tool_eu_filter(state, "eu-filter", argument, &a.options.eu_filter);
        a.has_eu_filter = true;
        return 0;
    case EU_LIMIT:
        a.options.eu_limit = tool_count(state, "eu-trace-limit", argument, UINT64_MAX);
        a.has_eu_limit = true;
        return 0;
    case LIMIT:
        a.options.limit_dw = tool_count(state, "limit", argument, UINT64_C(1) << 40);
        return 0;
    case THREADS:
        a.options.threads = (uint32_t)tool_count(state, "threads", argument, TOOL_MAX_THREADS);
        return 0;
    case NO_TRANSLATION:
        a.options.no_translation = true;
        return 0;
    case TIMING:
        a.options.timing = true;
        return 0;
    case STRICT:
        a.options.strict = true;
        return 0;
    case JSON:
        if (strcmp(argument, "-") == 0)
            snprintf(a.json, sizeof a.json, "-");
        else
            parse_path(state, a.json, argument);
        return 0;
    case FAIL_ON:
        fail_on_parse(&a.fail_on, argument, state);
        return 0;
    case 'q':
        a.quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        a.program = state->argv + state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "PROGRAM is missing");
        return 0;
    case ARGP_KEY_END:
        if (a.options.trace_json && !a.options.trace.mask)
            argp_error(state, "--trace-json does nothing without --trace");
        check_debug(state);
        if ((a.has_eu_filter || a.has_eu_limit) && !*a.options.eu_trace)
            argp_error(state, "--%s does nothing without --eu-trace",
                       a.has_eu_filter ? "eu-filter" : "eu-trace-limit");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void exec_on_signal(int number)
{
    came = number;
    if (child > 0)
        kill(child, number);
}

static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { PASSED = sizeof passed / sizeof passed[0] };
static struct sigaction before[PASSED];

static void forward_signals(void)
{
    const struct sigaction action = {.sa_handler = exec_on_signal};
    for (unsigned i = 0; i < PASSED; i++)
        sigaction(passed[i], &action, &before[i]);
}

/* The prompt has the terminal: the program is in a group of its own, without standard input. */
static void leave_terminal(void)
{
    const int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    if (nothing < 0)
        return;
    dup2(nothing, STDIN_FILENO);
    close(nothing);
}

static bool has_ended(void)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child;
}

/* The prompt, from when the program opens the device on. */
static void debug_program(void)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    struct debug_client client;
    struct sigaction forwarded;
    debug_client_open(&client, a.options.control);
    while (!control_connect(&client.connection) && !has_ended() && !came)
        nanosleep(&moment, NULL);
    sigaction(SIGINT, NULL, &forwarded);
    if (client.connection.fd < 0) {
        if (!came)
            fputs("the program has ended, and did not open the device\n", stdout);
    } else if (debug_client_attach(&client, tool_is_terminal(STDOUT_FILENO) && !getenv("NO_COLOR"))) {
        struct prompt p = debug_client_prompt(&client);
        prompt_run(&p, &a.scripts);
        if (client.is_gone)
            fputs("the program has ended\n", stdout);
    }
    fflush(stdout);
    sigaction(SIGINT, &forwarded, NULL);
    debug_client_close(&client);
}

static uint64_t host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct exec_report r;

static int run_program(void)
{
    const uint64_t began_ns = host_ns();
    const char *others = getenv("LD_PRELOAD");
    char preload[2 * EXEC_PATH];
    snprintf(preload, sizeof preload, "%s%s%s", a.library, others ? ":" : "", others ? others : "");
    setenv("LD_PRELOAD", preload, 1);
    setenv(EXEC_FOLDER_VARIABLE, a.folder, 1);
    if (came)
        return 128 + came;
    child = fork();
    if (child == 0) {
        for (unsigned i = 0; i < PASSED; i++)
            sigaction(passed[i], &before[i], NULL);
        signal(SIGXFSZ, SIG_DFL);
        if (a.options.debug)
            leave_terminal();
        execvp(a.program[0], a.program);
        tool_error(a.program[0], "%s", strerror(errno));
        _exit(errno == ENOENT ? 127 : 126);
    }
    if (came && child > 0)
        kill(child, came);
    if (child > 0 && a.options.debug)
        debug_program();
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    r.wall_ns = host_ns() - began_ns;
    r.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return child < 0 ? TOOL_UNUSABLE : r.signal ? 128 + r.signal : WEXITSTATUS(status);
}

/* Writes all reports and returns the exit status. */
static int exec_report_end(int status)
{
    r.options = &a.options;
    r.program = a.program;
    r.status = status;
    exec_report_happened(&r, &a.fail_on);
    if (!a.quiet)
        exec_report_print(&r);
    a.fail_on.quiet = a.quiet;
    r.exit_status = fail_on_status(&a.fail_on, r.program[0], status);
    if (*a.json && !write_json(exec_report_json(&r, &a.fail_on)))
        return TOOL_UNUSABLE;
    return r.exit_status;
}

static void remove_socket(const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
        unlink(path);
}

const struct softgt_device_info *exec_device(const char *name, enum exec_driver *driver)
{
    const struct softgt_device_info *info = tool_device(name);
    if (!info)
        return NULL;
    if (!info->pci_device_id) {
        tool_error(NULL, "%s is not a product: no driver knows it", info->name);
        return NULL;
    }
    const struct xe_info *const xe = sheet_find(info->name)->xe;
    if (*driver == EXEC_DRIVERS)
        *driver = xe && xe->alone ? EXEC_XE : EXEC_I915;
    if (*driver == EXEC_I915 && xe && xe->alone) {
        tool_error(NULL, "i915 does not know %s: xe does (--driver xe)", info->name);
        return NULL;
    }
    if (*driver == EXEC_XE && !xe) {
        tool_error(NULL, "xe does not know %s: it needs Gen12 or later", info->name);
        return NULL;
    }
    return info;
}

int cmd_exec(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = exec_parse,
        .args_doc = "PROGRAM [ARGUMENT...]",
        .doc = "Runs a program of this host as if the device and i915 (or xe) were there, without guest, "
               "kernel driver or privileges. A report at the end lists what is not modelled. The exit status "
               "is the program's; 128 and the signal's number if a signal ended it; 3 by --fail-on.",
    };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    a.options.threads = cores < 1 ? 1 : cores < TOOL_MAX_THREADS ? (uint32_t)cores : TOOL_MAX_THREADS;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL) != 0)
        tool_no_memory();
    const struct softgt_device_info *info = exec_device(a.options.device, &a.options.driver);
    if (!info)
        return TOOL_UNUSABLE;
    if (*a.options.record && a.options.timing) {
        tool_error(NULL, "--record: a recording does not hold the time that commands take (--timing)");
        return TOOL_UNUSABLE;
    }
    if (!built_with_exec() || !find_library() || !files_can_be_written() || !prompt_read_scripts(&a.scripts))
        return TOOL_UNUSABLE;
    if (strlen(a.options.control) >= sizeof((struct sockaddr_un *)NULL)->sun_path) {
        tool_error(a.options.control, "is too long for a socket");
        return TOOL_UNUSABLE;
    }
    const char *temporary = getenv("TMPDIR");
    snprintf(a.folder, sizeof a.folder, "%.1024s/softgt-exec.XXXXXX",
             temporary && *temporary == '/' ? temporary : "/tmp");
    forward_signals();
    if (!mkdtemp(a.folder)) {
        tool_error(
            a.folder,
            "%s: the folder with the device's files cannot be made there; set TMPDIR to another folder",
            strerror(errno));
        return TOOL_UNUSABLE;
    }
    int status = TOOL_UNUSABLE;
    if (a.options.debug && !*a.options.control)
        snprintf(a.options.control, sizeof a.options.control, "%.1100s/control", a.folder);
    const bool made = make_system(info);
    if (made) {
        status = run_program();
        exec_report_read(&r, a.folder);
    } else {
        tool_error(a.folder, "the device's files cannot be made: %s", strerror(errno));
    }
    nftw(a.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    prompt_free_scripts(&a.scripts);
    if (*a.options.control)
        remove_socket(a.options.control);
    return made ? exec_report_end(status)
                : status; /* last: the reader may be gone, and SIGPIPE ends the tool */
}
