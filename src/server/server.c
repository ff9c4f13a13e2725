#include "host/files.h"
#include "server/eventfd.h"
#include "server/listen.h"
#include "server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/*
 * Time for which the socket is polled before sleeping. It doubles when a message ends a short sleep, and
 * halves when it ends a long one. Slices are short while messages come, so that none waits long.
 */
enum { SPIN_LEAST_NS = 4000, SPIN_MOST_NS = 256000 };
enum { SLICE_DW = 4096, SLICE_BETWEEN_DW = 512 };
enum { PIECE_NS = 1000000, ACCEPT_NS = 100000000 };
/* Interval at which engines that wait for memory poll; it doubles while nothing happens. */
enum { LOOK_LEAST_NS = 20000, LOOK_MOST_NS = 1000000 };
/* A client must negotiate the version and finish a message it has begun within this time. Afterwards it may
 * be silent, as a stopped machine is. */
#define GREETING_NS UINT64_C(5000000000)
#define MESSAGE_NS  UINT64_C(10000000000)

void server_say(struct vfio_server *s, const char *format, ...)
{
    char text[256];
    va_list arguments;
    const int named = !s->shares_thread    ? 0
                      : s->function_number ? snprintf(text, sizeof text, "vf%u: ", s->function_number)
                                           : snprintf(text, sizeof text, "pf: ");
    va_start(arguments, format);
    vsnprintf(text + named, sizeof text - (size_t)named, format, arguments);
    va_end(arguments);
    s->telling.user = s->options->user;
    s->telling.message = s->options->message;
    limited_log_line(&s->telling, text);
}

/* ---- The device's ports ---- */

static void *on_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    struct vfio_server *s = user;
    const struct guest_region *r = guest_memory_find(&s->memory, address);
    if (!r || !r->host || (write && !r->writable))
        return NULL;
    *length_bytes = r->size_bytes - (address - r->address);
    return r->host + (address - r->address);
}

/* Memory without a file: accessed by messages, in parts. */
static bool on_access(struct vfio_server *s, uint64_t address, void *to, const void *from, size_t size_bytes)
{
    if (s->shares_thread) /* the other clients would wait for the answers */
        return false;
    while (size_bytes) {
        const struct guest_region *r = guest_memory_find(&s->memory, address);
        if (!r || !s->client || (from ? !r->writable : !r->readable))
            return false;
        uint64_t part = r->size_bytes - (address - r->address);
        if (part > size_bytes)
            part = size_bytes;
        if (part > s->client_transfer_bytes)
            part = s->client_transfer_bytes;
        const struct vfio_user_dma_access at = {address, part};
        struct vfio_message m;
        if (!connection_ask(s->client, from ? VFIO_USER_DMA_WRITE : VFIO_USER_DMA_READ, &at, sizeof at, from,
                            from ? part : 0, &m))
            return false;
        if (to) {
            if (m.payload_bytes < sizeof at + part)
                return false;
            memcpy(to, m.payload + sizeof at, part);
        }
        address += part;
        size_bytes -= part;
        if (to)
            to = (uint8_t *)to + part;
        if (from)
            from = (const uint8_t *)from + part;
    }
    return true;
}

static bool on_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    return on_access(user, address, data, NULL, size_bytes);
}

static bool on_write(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    return on_access(user, address, NULL, data, size_bytes);
}

static void on_msi(void *user, unsigned vector)
{
    (void)vector;
    struct vfio_server *s = user;
    s->recording.msi_pending = true;
    if (!s->recording.running)
        server_interrupt(s);
}

static void on_intx(void *user, bool asserted)
{
    struct vfio_server *s = user;
    s->irq.intx_level = asserted;
    if (!s->recording.running)
        server_interrupt(s);
}

struct softgt_memory_port server_memory_port(struct vfio_server *s)
{
    return (struct softgt_memory_port){s, on_map, on_read, on_write};
}

struct softgt_interrupt_port server_interrupt_port(struct vfio_server *s)
{
    return (struct softgt_interrupt_port){s, on_msi, on_intx};
}

static bool server_run(struct vfio_server *s, uint64_t budget_dw)
{
    if (s->paused)
        return false;
    if (!s->recorder)
        return softgt_run(s->device, budget_dw);
    s->recording.running = true;
    const bool more = recorder_run(s->recorder, s->device, budget_dw);
    s->recording.running = false;
    server_interrupt(s);
    return more;
}

/* ---- Keeping awake ---- */

/* Leaves the processor's other thread its share. */
static void spin_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void *keeper_thread(void *user)
{
    struct keeper *k = user;
    const struct sched_param none = {0};
    const bool idle = pthread_setschedparam(pthread_self(), SCHED_IDLE, &none) == 0;
    sem_post(&k->started);
    if (!idle)
        return NULL;
    while (!atomic_load_explicit(&k->ends, memory_order_relaxed)) {
        while (atomic_load_explicit(&k->awake, memory_order_relaxed))
            spin_pause();
        sem_wait(&k->changed);
    }
    return NULL;
}

/* No lock is needed: the keeper runs only at idle priority and must not hold up the server. */
static void keep_awake(struct keeper *k, bool awake)
{
    if (!k->runs || atomic_load_explicit(&k->awake, memory_order_relaxed) == awake)
        return;
    atomic_store(&k->awake, awake);
    if (awake)
        sem_post(&k->changed);
}

/* A single processor is busy with the server and its client. Signals are handled by the loop. */
static void keeper_start(struct keeper *k)
{
    sigset_t all, before;
    cpu_set_t processors;
    sigfillset(&all);
    sem_init(&k->started, 0, 0);
    sem_init(&k->changed, 0, 0);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    k->runs = sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 1 &&
              pthread_create(&k->thread, NULL, keeper_thread, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (k->runs && sem_wait(&k->started) != 0)
        ;
}

static void keeper_end(struct keeper *k)
{
    const struct sched_param none = {0};
    if (k->runs) {
        pthread_setschedparam(k->thread, SCHED_OTHER, &none);
        atomic_store(&k->awake, false);
        atomic_store(&k->ends, true);
        sem_post(&k->changed);
        pthread_join(k->thread, NULL);
    }
    sem_destroy(&k->changed);
    sem_destroy(&k->started);
}

/* ---- The loop ---- */

/* Advances virtual time in steps that end at the next event. True: virtual time is behind the clock. */
bool server_advance(struct vfio_server *s, uint64_t now_ns)
{
    const uint64_t virtual_ns = softgt_now_ns(s->device);
    if (s->paused)
        return false;
    if (virtual_ns < s->clock.now_ns) /* the device was reset, and its time with it */
        s->clock.epoch_ns = now_ns - virtual_ns;
    const uint64_t at_ns = now_ns - s->clock.epoch_ns;
    const uint64_t behind_ns = at_ns > virtual_ns ? at_ns - virtual_ns : 0;
    const uint64_t most_ns =
        softgt_max_step_ns(s->device) < PIECE_NS ? softgt_max_step_ns(s->device) : PIECE_NS;
    uint64_t piece_ns = behind_ns < most_ns ? behind_ns : most_ns;
    /* In one step as long as no event is due. */
    if (most_ns == PIECE_NS && piece_ns < behind_ns && !softgt_runnable(s->device)) {
        const uint64_t next_ns = softgt_next_event_ns(s->device),
                       quiet_ns = next_ns > virtual_ns ? next_ns - virtual_ns - 1u : 0;
        piece_ns = quiet_ns < piece_ns ? piece_ns : quiet_ns < behind_ns ? quiet_ns : behind_ns;
    }
    s->clock.now_ns = virtual_ns + piece_ns;
    softgt_advance(s->device, piece_ns);
    return piece_ns < behind_ns;
}

void server_pause(struct vfio_server *s, bool paused)
{
    if (s->paused && !paused)
        s->clock.epoch_ns = server_host_ns() - softgt_now_ns(s->device);
    s->paused = paused;
}

bool server_waiting(const struct vfio_server *s)
{
    for (unsigned i = 0; i < softgt_info(s->device)->engine_count; i++)
        if (softgt_engine_get_state(s->device, i) == SOFTGT_ENGINE_WAITING)
            return true;
    return false;
}

/* Sleeps until there is something to do, at most most_ns. */
static void sleep_for(struct vfio_server *s, uint64_t most_ns)
{
    struct pollfd fds[2 + CONTROL_POLLED] = {{.fd = connection_fd(s->client), .events = POLLIN},
                                             {.fd = s->irq.unmask_fd, .events = POLLIN}};
    const nfds_t count = 2 + control_polled(&s->monitor->control, fds + 2);
    if (server_poll(s->options->stop, fds, count, most_ns) > 0 && fds[1].revents & POLLIN &&
        eventfd_take(s->irq.unmask_fd))
        server_unmask_intx(s);
    monitor_serve(s->monitor, server_host_ns(), true);
}

/* Time until which the client must finish its action; UINT64_MAX: none. */
uint64_t server_deadline(struct vfio_server *s, uint64_t now_ns)
{
    if (!s->version_negotiated)
        return s->accepted_ns + GREETING_NS;
    if (!connection_halfway(s->client))
        s->partial_since_ns = 0;
    else if (!s->partial_since_ns)
        s->partial_since_ns = now_ns;
    return s->partial_since_ns ? s->partial_since_ns + MESSAGE_NS : UINT64_MAX;
}

uint64_t server_sooner(uint64_t most_ns, uint64_t at_ns, uint64_t now_ns)
{
    const uint64_t left_ns = at_ns == UINT64_MAX ? at_ns : at_ns > now_ns ? at_ns - now_ns : 0;
    return left_ns < most_ns ? left_ns : most_ns;
}

/* Serves until the client leaves, or the stop signal comes. */
static void serve_client(struct vfio_server *s)
{
    const uint64_t accepted_ns = s->accepted_ns = server_host_ns();
    uint64_t spin_ns = SPIN_LEAST_NS, look_ns = LOOK_LEAST_NS, last_message_ns = accepted_ns, slept_ns = 0;
    while (!*s->options->stop) {
        struct vfio_message m;
        const char *why;
        const uint64_t now_ns = server_host_ns();
        const bool late = server_advance(s, now_ns);
        monitor_serve(s->monitor, now_ns, false);
        const int got = connection_receive(s->client, &m, &why);
        if (got < 0) {
            if (*why)
                server_say(s, "client dropped: %s", why);
            return;
        }
        if (got > 0) {
            const bool good = server_handle(s, &m);
            message_end(&m);
            if (!good)
                return;
            if (slept_ns && now_ns - slept_ns < SPIN_MOST_NS)
                spin_ns = spin_ns < SPIN_MOST_NS ? spin_ns * 2u : spin_ns;
            else if (slept_ns)
                spin_ns = spin_ns > SPIN_LEAST_NS ? spin_ns / 2u : spin_ns;
            slept_ns = s->partial_since_ns = 0;
            keep_awake(&s->keeper, true);
            last_message_ns = now_ns;
            look_ns = LOOK_LEAST_NS;
        }
        const bool more = server_run(s, got > 0 ? SLICE_BETWEEN_DW : SLICE_DW);
        if (guest_memory_lost(&s->memory)) {
            server_say(s, "client dropped: pages of its memory are missing");
            return;
        }
        const uint64_t end_ns = server_deadline(s, now_ns);
        if (now_ns >= end_ns) {
            server_say(s, "client dropped: %s",
                       s->version_negotiated ? "a message was not finished in time"
                                             : "no message came in time");
            return;
        }
        if (got > 0 || more || late || connection_has_message(s->client) ||
            now_ns - last_message_ns < spin_ns)
            continue;
        uint64_t sleep_ns =
            server_sooner(server_sooner(UINT64_MAX, end_ns, now_ns), monitor_due_ns(s->monitor), now_ns);
        if (!s->paused && server_waiting(s) && look_ns < sleep_ns) {
            sleep_ns = look_ns;
            if (look_ns < LOOK_MOST_NS)
                look_ns *= 2;
        }
        if (!s->paused)
            sleep_ns = server_sooner(sleep_ns, softgt_next_event_ns(s->device), softgt_now_ns(s->device));
        if (!slept_ns)
            slept_ns = now_ns;
        keep_awake(&s->keeper, false);
        sleep_for(s, sleep_ns);
    }
}

/* Ends a client; the next one gets a device after power-on. */
static void forget_client(struct vfio_server *s)
{
    keep_awake(&s->keeper, false);
    server_memory_changes(s);
    guest_memory_unguard(&s->memory);
    guest_memory_clear(&s->memory);
    server_close_interrupts(s);
    connection_destroy(s->client);
    s->client = NULL;
    s->version_negotiated = s->paused = false;
    s->messages = s->partial_since_ns = 0;
    server_reset(s);
}

/* Memory in a sealed file, which the client maps; the server maps it from `offset` on. */
void *server_make_shared(const char *name, uint64_t offset, uint64_t size_bytes, int *fd)
{
    *fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0 || ftruncate(*fd, (off_t)(offset + size_bytes)) < 0 ||
        fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
        return MAP_FAILED;
    return mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *fd, (off_t)offset);
}

void server_end_shared(void *memory, uint64_t size_bytes, int fd)
{
    if (memory != MAP_FAILED)
        munmap(memory, size_bytes);
    if (fd >= 0)
        close(fd);
}

static void server_serve_once(struct vfio_server *s, int listener)
{
    while (!*s->options->stop) {
        struct pollfd fds[1 + CONTROL_POLLED] = {{.fd = listener, .events = POLLIN}};
        const uint64_t now_ns = server_host_ns();
        const nfds_t count = 1 + control_polled(&s->monitor->control, fds + 1);
        const int ready = server_poll(s->options->stop, fds, count,
                                      server_sooner(UINT64_MAX, monitor_due_ns(s->monitor), now_ns));
        monitor_serve(s->monitor, server_host_ns(), true);
        if (ready <= 0 || !fds[0].revents)
            continue;
        const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0) { /* the client waits for a free descriptor */
            server_say(s, "cannot accept a client: %s", strerror(errno));
            server_poll(s->options->stop, NULL, 0, ACCEPT_NS);
            continue;
        }
        if (!(s->client = connection_create(fd, s->options->stop)))
            continue;
        guest_memory_guard(&s->memory);
        serve_client(s);
        const bool was_client = s->version_negotiated; /* not only a probe whether somebody listens */
        forget_client(s);
        if (s->options->once && was_client)
            break;
    }
}

/* The files that the client maps. 0 or an errno. */
static int make_shared_memory(struct vfio_server *s, const struct softgt_device_info *info, const char **what)
{
    const uint64_t requested = s->options->local_bytes;
    *what = "the GGTT's memory";
    if (!info)
        return EINVAL;
    s->table = server_make_shared("softgt-bar0", info->mmio_bytes, info->ggtt_bytes, &s->table_fd);
    if (s->table == MAP_FAILED)
        return errno;
    *what = "local memory";
    s->local_bytes = info->local_bytes && requested ? requested : info->local_bytes;
    if (s->local_bytes)
        s->local = server_make_shared("softgt-bar2", 0, s->local_bytes, &s->local_fd);
    return s->local_bytes && s->local == MAP_FAILED ? errno : 0;
}

/* The recorder, if requested, and the device. 0 or an errno. */
static int make_device(struct vfio_server *s, const struct softgt_device_info *info, const char **what)
{
    const struct vfio_user_options *const options = s->options;
    const struct softgt_memory_port guest = server_memory_port(s);
    const struct softgt_parallel_port none = {0}; /* recordings have one thread */
    const struct recorded recorded = {.guest = guest,
                                      .table = s->table,
                                      .local = s->local_bytes ? s->local : NULL,
                                      .local_bytes = s->local_bytes,
                                      .application = "softgt serve",
                                      .draws = options->draws};
    *what = options->record;
    if (options->record && !(s->recorder = recorder_open(options->record, info, &recorded)))
        return errno;
    const struct softgt_config config = {.device = options->device,
                                         .memory = s->recorder ? recorder_memory_port(s->recorder) : guest,
                                         .interrupt = server_interrupt_port(s),
                                         .report = monitor_report_port(s->monitor),
                                         .trace = monitor_trace_port(s->monitor),
                                         .parallel = s->recorder ? none : options->parallel,
                                         .timing = options->timing,
                                         .draws = options->draws,
                                         .code = options->code,
                                         .ggtt_table = s->table,
                                         .local_bytes = s->local_bytes,
                                         .local_host = s->local_bytes ? s->local : NULL,
                                         .local_by_port = s->recorder != NULL};
    *what = "the device";
    const int error = -softgt_create(&config, &s->device);
    monitor_device(s->monitor, s->device);
    if (!error && s->recorder)
        recorder_settle(s->recorder, s->device);
    return error;
}

/* Everything is open: enters the sandbox and serves. 0 or an errno. */
static int enclose_and_serve(struct vfio_server *s, int listener, const char **what)
{
    const struct vfio_user_options *const options = s->options;
    eventfd_prepare();
    *what = "the sandbox";
    if (options->enclose && !options->enclose(options->user, false))
        return errno;
    keeper_start(&s->keeper);
    const bool enclosed = !options->enclose || options->enclose(options->user, true);
    const int error = enclosed ? 0 : errno;
    if (enclosed)
        server_serve_once(s, listener);
    keeper_end(&s->keeper);
    if (!enclosed)
        return error;
    limited_log_report_dropped(&s->telling);
    server_count(s);
    if (options->device_ends)
        options->device_ends(options->user, s->device, &s->counts);
    return 0;
}

int vfio_user_serve(const struct vfio_user_options *options, const char **what)
{
    if (options->functions)
        return vfio_user_serve_functions(options, what);
    const struct softgt_device_info *info = softgt_device_find(options->device);
    struct server_monitor monitor;
    struct vfio_server s = {.options = options,
                            .monitor = &monitor,
                            .table_fd = -1,
                            .table = MAP_FAILED,
                            .local_fd = -1,
                            .local = MAP_FAILED,
                            .irq.intx_fd = -1,
                            .irq.msi_fd = -1,
                            .irq.unmask_fd = -1,
                            .client_transfer_bytes = TRANSFER_BYTES,
                            .clock.epoch_ns = server_host_ns()};
    monitor_begin(&monitor, options, &s);
    int listener = -1, error = make_shared_memory(&s, info, what);
    if (!error)
        error = make_device(&s, info, what);
    if (!error) {
        *what = options->socket;
        listener = socket_listen(options->socket, options->mode, options->group);
        if (listener < 0 || !files_own_socket(options->socket))
            error = errno;
    }
    if (!error && options->awaits_debugger && !debug_host_await(&monitor.debug))
        error = ENOMEM;
    if (!error && options->control) {
        *what = options->control;
        if (!control_listen(&monitor.control, options->control) || !files_own_socket(options->control))
            error = errno;
    }
    if (!error)
        error = enclose_and_serve(&s, listener, what);
    files_remove_socket();
    monitor_end(&monitor);
    if (listener >= 0)
        close(listener);
    softgt_destroy(s.device);
    if (!recorder_close(s.recorder) && !error) {
        *what = options->record;
        error = errno ? errno : EIO;
    }
    server_end_shared(s.table, info ? info->ggtt_bytes : 0, s.table_fd);
    server_end_shared(s.local, s.local_bytes, s.local_fd);
    return error;
}
