/*
 * The device of the process: creation, the driver's pages on the bus, reports, forks and the end of the
 * process. submit.c runs its jobs.
 */
#include "drm/drm_core.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device/host.h"
#include "host/code_memory.h"
#include "host/files.h"

/* Recursive: file and memory calls inside a call re-enter preload.c. */
pthread_mutex_t shim_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t shim_fence_signaled = PTHREAD_COND_INITIALIZER;
static struct shim_device *the_device;
_Atomic unsigned gem_userptr_count;

int64_t gpu_host_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* ---- Reports ---- */

void shim_log(struct shim_device *g, enum exec_line_kind kind, const char *format, ...)
{
    char text[EXEC_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (g->stats)
        g->stats->kinds |= 1u << kind;
    for (struct exec_line *l = g->stats ? g->stats->lines : NULL; l; l++) {
        if (l == g->stats->lines + EXEC_LINES) {
            g->stats->lines_lost++;
            return;
        }
        if (l->count && (l->kind != kind || strcmp(l->text, text) != 0))
            continue;
        memcpy(l->text, text, sizeof text);
        l->kind = (uint8_t)kind;
        l->count++;
        return;
    }
}

/* The count is absolute, not an increment. */
static void count_command(void *user, const char *name, uint64_t count, enum softgt_command_model model)
{
    struct shim_device *g = user;
    if (model != SOFTGT_COMMAND_COUNTED)
        return;
    g->stats->kinds |= 1u << EXEC_NOT_RUN;
    for (struct exec_line *l = g->stats->lines; l < g->stats->lines + EXEC_LINES; l++)
        if (!l->count || (l->kind == EXEC_NOT_RUN && strcmp(l->text, name) == 0)) {
            snprintf(l->text, sizeof l->text, "%s", name);
            l->kind = EXEC_NOT_RUN;
            l->count = count;
            return;
        }
}

void gpu_collect_stats(struct shim_device *g)
{
    for (unsigned i = 0; g->stats && i < g->sheet->info.engine_count; i++)
        softgt_engine_commands(g->device, i, g, count_command);
}

static void on_report(void *user, const struct softgt_report *report)
{
    const enum exec_line_kind kind = report->complaint == SOFTGT_NOT_MODELLED    ? EXEC_NOT_MODELLED
                                     : report->complaint == SOFTGT_HOST_FAILURE  ? EXEC_TROUBLE
                                     : report->mistake == SOFTGT_MISTAKE_FAULT   ? EXEC_FAULT
                                     : report->mistake == SOFTGT_MISTAKE_UNKNOWN ? EXEC_UNKNOWN
                                                                                 : EXEC_REPORT;
    shim_log(user, kind, "%s: %s", report->unit, report->text);
}

static void print_json(struct shim_device *g, const struct softgt_event *event)
{
    const struct event_place place = {.engine = engine_positions_find(g->outputs.positions, event->unit)};
    struct text t = {0};
    event_json_write(&t, &place, event);
    text_char(&t, '\n');
    if (t.failed)
        shim_log(g, EXEC_TROUBLE, "out of memory while tracing");
    else
        fwrite(t.bytes, 1, t.length, g->outputs.trace_file);
    text_free(&t);
}

unsigned gpu_events(const struct shim_device *g)
{
    return g->options.trace.mask | (g->options.trace_json ? TRACKED_EVENTS : 0u) |
           (g->outputs.timeline ? TIMELINE_EVENTS : 0u) | debug_socket_events(g);
}

static void gpu_on_event(void *user, const struct softgt_event *event)
{
    struct shim_device *g = user;
    debug_socket_event(g, event);
    if (g->outputs.timeline)
        timeline_event(g->outputs.timeline, event);
    if (g->options.trace_json)
        engine_positions_event(g->outputs.positions, event);
    if (!g->outputs.trace_file || !event_filter_takes(&g->options.trace, event))
        return;
    if (g->options.trace_json)
        print_json(g, event);
    else
        event_print(g->outputs.trace_file, event);
}

static void on_instruction(void *user, const struct softgt_eu_thread *thread)
{
    struct shim_device *g = user;
    if (!eu_trace_print(g->outputs.eu_trace_file.file, thread))
        shim_log(g, EXEC_TROUBLE, "out of memory while tracing threads");
}

static void on_instruction_limit(void *user, uint64_t limit)
{
    const struct shim_device *g = user;
    eu_trace_print_limit(g->outputs.eu_trace_file.file, limit);
}

/* ---- Registers and the driver's pages ---- */

void gpu_write_registers(struct shim_device *g, const struct driver_writes *w)
{
    const bool guarded = g->outputs.recorder && guard_begin(g); /* the recorder reads memory */
    for (unsigned i = 0; i < w->count; i++) {
        softgt_bar_write(g->device, SOFTGT_BAR_GTTMMADR, w->list[i].offset, w->list[i].value, 4);
        if (g->outputs.recorder)
            recorder_register_written(g->outputs.recorder, g->device, w->list[i].offset, w->list[i].value, 4);
    }
    guard_end(g, guarded);
}

void gpu_memory_changed(struct shim_device *g)
{
    const bool guarded = g->outputs.recorder && guard_begin(g);
    if (g->outputs.recorder)
        recorder_settle(g->outputs.recorder, g->device);
    else
        softgt_memory_changed(g->device);
    guard_end(g, guarded);
}

void gpu_write_register(struct shim_device *g, uint32_t offset, uint32_t value)
{
    const struct driver_writes w = {.list = {{offset, value}}, .count = 1};
    gpu_write_registers(g, &w);
}

void gpu_advance_time(struct shim_device *g, uint64_t virtual_ns)
{
    const int64_t now = gpu_host_ns();
    const bool is_virtual = g->options.timing || g->outputs.recorder;
    softgt_advance(g->device, is_virtual ? virtual_ns : (uint64_t)(now - g->seen_host_ns));
    g->seen_host_ns = now;
}

uint64_t gpu_register_read(struct shim_device *g, uint32_t offset, unsigned size_bytes)
{
    gpu_advance_time(g, BETWEEN_NS);
    return softgt_bar_read(g->device, SOFTGT_BAR_GTTMMADR, offset, size_bytes);
}

/* Returns the GGTT address of contiguous zeroed pages; 0: there are none. */
uint32_t ggtt_alloc_pages(struct shim_device *g, uint32_t size_bytes)
{
    const uint32_t all = DRIVER_BYTES / PAGE_BYTES, pages = (size_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    for (uint32_t tried = 0, run = 0; tried < all + pages; tried++) {
        const uint32_t page = (g->driver_pages.next + tried) % all;
        run = page == 0 || g->driver_pages.used[page / 64] >> page % 64 & 1u ? 0 : run + 1;
        if (run < pages)
            continue;
        const uint32_t first = page + 1 - pages;
        for (uint32_t i = first; i <= page; i++)
            g->driver_pages.used[i / 64] |= UINT64_C(1) << i % 64;
        g->driver_pages.next = page + 1;
        memset(g->driver_pages.memory + (size_t)first * PAGE_BYTES, 0, (size_t)pages * PAGE_BYTES);
        driver_map_ggtt(&g->driver, (uint64_t)first * PAGE_BYTES, DRIVER_BUS + (uint64_t)first * PAGE_BYTES,
                        (uint64_t)pages * PAGE_BYTES);
        return first * PAGE_BYTES;
    }
    return 0;
}

void ggtt_free_pages(struct shim_device *g, uint64_t address, uint32_t size_bytes)
{
    for (uint64_t page = address / PAGE_BYTES; page * PAGE_BYTES < address + size_bytes; page++)
        g->driver_pages.used[page / 64] &= ~(UINT64_C(1) << page % 64);
    madvise(g->driver_pages.memory + address, (size_bytes + PAGE_BYTES - 1u) & ~(PAGE_BYTES - 1u),
            MADV_DONTNEED);
}

/* ---- Engine classes and instances of the drivers' interfaces ---- */

enum { NO_USER_CLASS = 0xff };

unsigned user_class(enum engine_class class)
{
    static const uint8_t classes[] = {
        [CLASS_RENDER] = 0,  [CLASS_COPY] = 1,    [CLASS_VIDEO] = 2,
        [CLASS_ENHANCE] = 3, [CLASS_COMPUTE] = 4, [CLASS_OTHER] = NO_USER_CLASS};
    return classes[class];
}

/* The instance of an engine in its class, counted without holes. */
unsigned user_instance(const struct shim_device *g, unsigned engine)
{
    unsigned before = 0;
    for (unsigned i = 0; i < engine; i++)
        before += g->sheet->engines[i].class == g->sheet->engines[engine].class;
    return before;
}

int user_engine(const struct shim_device *g, unsigned class, unsigned instance)
{
    for (unsigned i = 0; i < g->sheet->info.engine_count; i++)
        if (class != NO_USER_CLASS && user_class(g->sheet->engines[i].class) == class &&
            user_instance(g, i) == instance)
            return (int)i;
    return -1;
}

/* ---- The device ---- */

void gpu_start_engine(struct shim_device *g, unsigned i)
{
    const struct engine_info *e = &g->sheet->engines[i];
    struct driver_writes w = {0};
    gpu_write_register(g, e->mmio_base + e->hws_pga, g->engines[i].status_page);
    if (e->contexts.execlists) {
        driver_enable_execlists(&w, e);
        gpu_write_registers(g, &w);
    }
    for (unsigned n = 0; e->privileges.default_whitelist && e->privileges.default_whitelist[n]; n++)
        gpu_write_register(g, e->mmio_base + FORCE_TO_NONPRIV + n * 4, e->privileges.default_whitelist[n]);
    g->engines[i].loaded_vm = NULL;
}

static void *reserve_memory(uint64_t size_bytes)
{
    void *p =
        mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static bool read_file(const char *folder, const char *name, void *to, size_t size_bytes)
{
    char path[EXEC_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool good = fd >= 0 && read(fd, to, size_bytes) == (ssize_t)size_bytes;
    if (fd >= 0)
        close(fd);
    return good;
}

static struct exec_account *open_account(const char *folder)
{
    char path[EXEC_PATH];
    snprintf(path, sizeof path, "%s/account.%d", folder, getpid());
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *account = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof(struct exec_account)) == 0)
        account = mmap(NULL, sizeof(struct exec_account), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return account == MAP_FAILED ? NULL : account;
}

/* The first process of the program to ask with this mark. */
static bool is_first(const char *folder, const char *mark)
{
    char claim[EXEC_PATH];
    snprintf(claim, sizeof claim, "%s/%s", folder, mark);
    const int fd = open(claim, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* The first process writes the file; others write a file with their process number appended. */
static void file_name(const char *folder, const char *mark, const char *wanted, char *path, size_t size)
{
    snprintf(path, size, is_first(folder, mark) ? "%s" : "%s.%d", wanted, getpid());
}

static struct softgt_memory_port port_of(struct shim_device *g)
{
    return (struct softgt_memory_port){
        .user = g, .map = gem_map_bus, .read = gem_read_scratch, .write = gem_write_scratch};
}

/* The program may close or redirect its own standard error. */
static FILE *open_trace(void)
{
    const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD);
    FILE *trace = fd < 0 ? NULL : fdopen(fd, "w");
    if (trace)
        setvbuf(trace, NULL, _IOLBF, 0);
    return trace;
}

/* Protects the files of this library from the program's close. */
static void keep_files(const struct shim_device *g, bool keep)
{
    if (g->outputs.recorder)
        private_fd_protect(recorder_descriptor(g->outputs.recorder), keep);
    if (g->outputs.timeline)
        private_fd_protect(timeline_descriptor(g->outputs.timeline), keep);
    if (g->outputs.trace_file)
        private_fd_protect(fileno(g->outputs.trace_file), keep);
    if (g->outputs.eu_trace.limit)
        private_fd_protect(fileno(g->outputs.eu_trace_file.file), keep);
}

static bool open_files(struct shim_device *g, const char *folder, const struct softgt_device_info *info)
{
    char path[EXEC_PATH + 16];
    const struct recorded recorded = {port_of(g),
                                      g->ggtt_table,
                                      g->local_memory,
                                      g->local_bytes,
                                      .application = program_invocation_short_name,
                                      .draws = true};
    output_use_fds_from(FIRST_PRIVATE_FD);
    if (*g->options.record) {
        file_name(folder, "record", g->options.record, path, sizeof path);
        if (!(g->outputs.recorder = recorder_open(path, info, &recorded)))
            shim_log(g, EXEC_TROUBLE, "%.200s: %s", path, files_error(errno));
    }
    if (*g->options.timeline) {
        file_name(folder, "timeline", g->options.timeline, path, sizeof path);
        if (!(g->outputs.timeline = timeline_open(path, info->name, false)))
            shim_log(g, EXEC_TROUBLE, "%.200s: %s", path, files_error(errno));
    }
    if (g->options.trace.mask && !(g->outputs.trace_file = open_trace()))
        shim_log(g, EXEC_TROUBLE, "the trace: %s", strerror(errno));
    if (*g->options.eu_trace) {
        file_name(folder, "eu-trace", g->options.eu_trace, path, sizeof path);
        if (output_open(&g->outputs.eu_trace_file, path))
            g->outputs.eu_trace = (struct eu_trace){.filter = g->options.eu_filter,
                                                    .limit = g->options.eu_limit,
                                                    .user = g,
                                                    .show = on_instruction,
                                                    .limited = on_instruction_limit};
        else
            shim_log(g, EXEC_TROUBLE, "%.200s: %s", path, files_error(errno));
    }
    keep_files(g, true);
    return true;
}

static struct shim_device *shim_device_create(const char *folder)
{
    struct shim_device *g = calloc(1, sizeof *g);
    if (!g || !read_file(folder, "options", &g->options, sizeof g->options)) {
        free(g);
        errno = ENODEV;
        return NULL;
    }
    const struct softgt_device_info *info = softgt_device_find(g->options.device);
    g->owner_pid = getpid();
    g->stats = open_account(folder);
    g->seen_host_ns = gpu_host_ns();
    g->local_bytes = info && info->local_bytes ? LOCAL_BYTES : 0;
    g->driver_pages.memory = reserve_memory(TABLES_BUS + TABLES_BYTES - DRIVER_BUS);
    g->ggtt_table = info ? reserve_memory(info->ggtt_bytes) : NULL;
    g->local_memory = g->local_bytes ? reserve_memory(g->local_bytes) : NULL;
    /* For each engine: one piece for each host thread, for groups and for tiles, and one for each of the
     * threads without a group or a tile. */
    g->code = info && !g->options.no_translation
                  ? code_memory_create(info->engine_count * (2u * g->options.threads + 2u))
                  : NULL;
    g->workers = g->options.threads > 1 ? workers_create(g->options.threads) : NULL;
    g->driver_pages.used = calloc(DRIVER_BYTES / PAGE_BYTES / 64, 8);
    if (g->driver_pages.memory && g->ggtt_table && g->driver_pages.used &&
        (g->local_memory || !g->local_bytes) && open_files(g, folder, info)) {
        const struct softgt_config config = {
            .device = g->options.device,
            .memory = g->outputs.recorder ? recorder_memory_port(g->outputs.recorder) : port_of(g),
            .report = {g, on_report},
            .trace = {g, gpu_events(g), gpu_on_event},
            .ggtt_table = g->ggtt_table,
            .timing = g->options.timing,
            .draws = true,
            .parallel = guard_port(workers_port(g->workers)),
            .background = guard_background_port(),
            .code = code_memory_port(g->code),
            .local_bytes = g->local_bytes,
            .local_host = g->local_memory,
            .local_is_zero = true,
            .local_by_port = g->outputs.recorder != NULL};
        if (softgt_create(&config, &g->device) == 0) {
            const struct softgt_memory_port port = port_of(g);
            const struct softgt_eu_hooks hooks = eu_trace_hooks(&g->outputs.eu_trace);
            if (g->outputs.eu_trace.limit && softgt_watch_threads(g->device, &hooks) != 0)
                shim_log(g, EXEC_TROUBLE, "out of memory while tracing threads");
            g->sheet = device_sheet(g->device);
            const bool local = g->sheet->memory.format->table_memory == MEMORY_LOCAL;
            const uint64_t tables = local ? PAGE_BYTES : TABLES_BUS,
                           bytes = local ? g->local_bytes / LOCAL_TABLES_FRACTION - PAGE_BYTES : TABLES_BYTES,
                           bare = g->options.driver == EXEC_XE ? bytes / 2 / PAGE_BYTES * PAGE_BYTES : 0;
            driver_init(&g->driver, g->device, &port, tables, bytes - bare);
            driver_init(&g->bare_driver, g->device, &port, tables + bytes - bare, bare);
            g->driver.local = g->bare_driver.local = g->local_memory;
            g->last_bind_job = &g->bind_jobs;
            if (g->outputs.recorder)
                recorder_settle(g->outputs.recorder, g->device);
            g->scratch_page = g->options.strict ? 0 : DRIVER_BUS + ggtt_alloc_pages(g, PAGE_BYTES);
            if (g->scratch_page && !driver_use_scratch(&g->driver, g->scratch_page))
                shim_log(g, EXEC_TROUBLE, "no memory is left for page tables");
            if (g->options.driver == EXEC_XE)
                g->null_page = ggtt_alloc_pages(g, PAGE_BYTES);
            for (unsigned i = 0; i < g->sheet->info.engine_count; i++) {
                g->engines[i].last_job = &g->engines[i].first_job;
                g->engines[i].status_page = ggtt_alloc_pages(g, PAGE_BYTES);
                gpu_start_engine(g, i);
            }
            if (*g->options.control && is_first(folder, "debugged"))
                debug_socket_start(g, g->options.control);
            return g;
        }
    }
    free(g); /* no memory or no device: the process has none */
    errno = ENOMEM;
    return NULL;
}

static int fork_state; /* shim_mutex is held */

static void before_fork(void)
{
    fork_state = shim_lock();
    if (the_device)
        code_memory_before_fork(the_device->code);
}

static void after_fork(void)
{
    if (the_device)
        code_memory_after_fork(the_device->code, false);
    shim_unlock(fork_state);
}

/* From here on the child has a copy of the device that writes no files. */
static void in_child(void)
{
    const char *folder = getenv(EXEC_FOLDER_VARIABLE);
    /* First, because the rest takes the lock: the thread has another id, and no other thread waits. */
    shim_mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    shim_fence_signaled = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    guard_forked();
    uaccess_forked();
    shim_fds_forked();
    if (the_device && folder) {
        keep_files(the_device, false);
        debug_socket_end(the_device);
        softgt_set_trace_mask(the_device->device, gpu_events(the_device));
        if (the_device->outputs.recorder)
            recorder_leave(the_device->outputs.recorder);
        if (the_device->outputs.timeline)
            timeline_abandon_in_child(the_device->outputs.timeline);
        if (the_device->outputs.eu_trace.limit)
            output_abandon_in_child(&the_device->outputs.eu_trace_file);
        keep_files(the_device, true);
        the_device->outputs.eu_trace.limit = 0;
        the_device->stats = open_account(folder);
        the_device->has_runner = false;
    }
    if (the_device && the_device->workers)
        workers_forked(the_device->workers);
    if (the_device)
        code_memory_after_fork(the_device->code, true);
    if (the_device)
        gpu_drop_jobs_after_fork(the_device);
    runner_forked(fork_state);
}

struct changing {
    const struct user_range *ranges;
    unsigned count;
};

static bool nobody_uses(void *user)
{
    const struct changing *c = user;
    for (unsigned i = 0; i < c->count; i++)
        if (gem_userptr_range_is_busy(the_device, c->ranges[i].address, c->ranges[i].size_bytes))
            return false;
    return true;
}

bool gpu_user_memory_change_begin(const struct user_range *ranges, unsigned count, int *cancel_state)
{
    struct changing c = {ranges, count};
    bool any = false;
    for (unsigned i = 0; i < count; i++)
        any |= gem_userptr_may_overlap(ranges[i].address, ranges[i].size_bytes);
    if (!any)
        return false;
    const int error = errno;
    *cancel_state = shim_lock();
    if (!nobody_uses(&c))
        gpu_wait(the_device, nobody_uses, &c, INT64_MAX);
    errno = error;
    return true;
}

void gpu_user_memory_change_end(const struct user_range *ranges, unsigned count, int cancel_state)
{
    const int error = errno;
    for (unsigned i = 0; i < count; i++)
        gem_userptr_revalidate_range(the_device, ranges[i].address, ranges[i].size_bytes);
    shim_unlock(cancel_state);
    errno = error;
}

void shim_log_trouble(const char *text)
{
    if (the_device)
        shim_log(the_device, EXEC_TROUBLE, "%s", text);
}

struct shim_device *shim_device_get(void)
{
    const char *folder = getenv(EXEC_FOLDER_VARIABLE);
    if (!the_device && folder && (the_device = shim_device_create(folder)))
        pthread_atfork(before_fork, after_fork, in_child);
    else if (!folder)
        errno = ENODEV;
    if (the_device)
        the_device->references++;
    return the_device;
}

/* The device stays until the process ends, as a real one does. */
void shim_device_put(struct shim_device *g)
{
    g->references--;
}

/* Marks that the library was loaded: the report needs it when no process opened the device. */
__attribute__((constructor)) static void say_loaded(void)
{
    char path[EXEC_PATH];
    const char *folder = getenv(EXEC_FOLDER_VARIABLE);
    if (!folder || snprintf(path, sizeof path, "%s/" EXEC_LOADED, folder) >= EXEC_PATH)
        return;
    const int error = errno, fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    errno = error;
}

__attribute__((destructor)) static void end_files(void)
{
    struct shim_device *g = the_device;
    struct timespec at;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += 2;
    if (!g || pthread_mutex_timedlock(&shim_mutex, &at) != 0)
        return;
    g->runner_stopped = true;
    debug_socket_end(g);
    gpu_collect_stats(g);
    if (g->owner_pid == getpid()) {
        if (g->outputs.recorder)
            gpu_memory_changed(g);
        keep_files(g, false);
        g->is_ended = g->outputs.recorder != NULL; /* the device's memory port is the recorder's */
        if (g->outputs.recorder && !recorder_close(g->outputs.recorder))
            shim_log(g, EXEC_TROUBLE, "the recording: %s", strerror(errno));
        if (g->outputs.timeline && !timeline_close(g->outputs.timeline, false))
            shim_log(g, EXEC_TROUBLE, "the timeline: %s", strerror(errno));
        if (g->outputs.eu_trace.limit && !output_close(&g->outputs.eu_trace_file))
            shim_log(g, EXEC_TROUBLE, "the trace of threads: %s", strerror(errno));
        g->outputs.recorder = NULL;
        g->outputs.timeline = NULL;
        g->outputs.eu_trace.limit = 0;
    }
    pthread_mutex_unlock(&shim_mutex);
}
