/*
 * A device with virtual functions: a socket for each function, DIR/pf, DIR/vf1 ...
 *
 * By default the server is the PF administrator: it provisions the VFs and handles their resets. VFs are
 * isolated from the client at DIR/pf, which has a product without VFs and whose resets are its own.
 *
 * With pf_decides the PF's client is the administrator. The server drives the PF while there is no such
 * client. A new client gets a device after power-on, without VFs; when it leaves, the server enables them
 * again.
 *
 * One loop serves all: a message of each client, a slice of the engines, events from the GuC.
 */
#include "device/host.h"
#include "host/files.h"
#include "server/eventfd.h"
#include "server/function_servers.h"
#include "server/function_shares.h"
#include "server/listen.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SERVERS = DRIVER_VFS + 1 };
enum { SLICE_DW = 4096, BETWEEN_DW = 512, SPIN_NS = 50000, LOOK_NS = 200000, ACCEPT_EVERY = 64 };
/* After a client was dropped its function takes none for this time: the other clients must not wait. */
#define SHUT_NS UINT64_C(1000000000)

/* ---- A VF's configuration space, as its guest sees it ---- */

enum { COMMAND = 4, COMMAND_MEMORY = 2, BAR_0 = 0x10, BARS_END = 0x28, CAPABILITIES = 0x34, EXPRESS = 0x10 };

/* Ids are the device's, BARs say their size (the client has their addresses), and memory enable is kept here.
 */
uint32_t server_config_read(const struct vfio_server *s, uint32_t offset, unsigned size_bytes)
{
    uint32_t value = softgt_function_pci_config_read(s->device, s->function_number, offset, size_bytes);
    for (unsigned i = 0; s->function_number && i < size_bytes && i < 4; i++) {
        const uint32_t at = offset + i;
        struct softgt_bar_info bar;
        uint32_t byte = value >> (i * 8u) & 0xffu;
        if (at < COMMAND)
            byte = softgt_pci_config_read(s->device, at, 1);
        else if (at == COMMAND)
            byte = (byte & ~(uint32_t)COMMAND_MEMORY) | (s->memory_space_enabled ? COMMAND_MEMORY : 0u);
        else if (at >= BAR_0 && at < BARS_END)
            byte = at % 4u == 0 && softgt_function_bar_get_info(s->device, s->function_number,
                                                                (at - BAR_0) / 4u, &bar)
                       ? (bar.is_64_bit ? 4u : 0u) | (bar.is_prefetchable ? 8u : 0u)
                       : 0;
        value = (value & ~(0xffu << (i * 8u))) | byte << (i * 8u);
    }
    return value;
}

void server_config_write(struct vfio_server *s, uint32_t offset, uint32_t value, unsigned size_bytes)
{
    if (s->function_number && offset <= COMMAND && offset + size_bytes > COMMAND)
        s->memory_space_enabled = value >> ((COMMAND - offset) * 8u) & COMMAND_MEMORY;
    softgt_function_pci_config_write(s->device, s->function_number, offset, value, size_bytes);
}

void server_function_reset(struct vfio_server *s)
{
    uint32_t at = softgt_function_pci_config_read(s->device, s->function_number, CAPABILITIES, 1);
    for (unsigned i = 0; i < 16 && at && at < 0xff; i++) {
        if (softgt_function_pci_config_read(s->device, s->function_number, at, 1) == EXPRESS)
            break;
        at = softgt_function_pci_config_read(s->device, s->function_number, at + 1, 1);
    }
    s->memory_space_enabled = false;
    softgt_function_pci_config_write(s->device, s->function_number, at + 8, 0x8000, 2);
}

/* ---- Local memory ---- */

/* A VF's client maps a file of its own, which is mapped over the VF's part of local memory. So it reaches no
 * other function's. The file is made once, as large as the first part. */
static bool map_over(struct vf_servers *f, unsigned n, uint64_t start, uint64_t size_bytes)
{
    struct vfio_server *const s = &f->servers[n];
    struct softgt_bar_info bar;
    if (!softgt_function_bar_get_info(f->device, n, SOFTGT_BAR_LOCAL, &bar))
        return false;
    s->local_mapped_bytes = size_bytes < bar.size_bytes ? size_bytes : bar.size_bytes;
    if (s->local_fd < 0) {
        void *const memory = server_make_shared("softgt-vf", 0, s->local_mapped_bytes, &s->local_fd);
        if (memory == MAP_FAILED)
            return false;
        munmap(memory, s->local_mapped_bytes);
    }
    struct stat file;
    if (fstat(s->local_fd, &file) < 0)
        return false;
    if ((uint64_t)file.st_size < s->local_mapped_bytes)
        s->local_mapped_bytes = (uint64_t)file.st_size;
    return mmap((uint8_t *)s->local + start, s->local_mapped_bytes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_NORESERVE | MAP_FIXED, s->local_fd, 0) != MAP_FAILED;
}

static bool is_isolated(const struct vf_servers *f)
{
    return !f->options->pf_decides;
}

static bool map_unprovisioned(const struct vf_servers *f)
{
    const struct vfio_server *const first = &f->servers[0];
    uint64_t own_bytes;
    const uint64_t own = driver_pf_memory(f->device, &own_bytes);
    for (unsigned n = 1; n <= f->count; n++)
        f->servers[n].local_mapped_bytes = 0;
    return mmap(first->local, is_isolated(f) ? own : first->local_bytes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_NORESERVE | MAP_FIXED, first->local_fd, 0) != MAP_FAILED;
}

/* Maps other memory over the PF's files where VFs' memory is: the PF's client cannot reach it. */
static bool map_isolated(const struct vf_servers *f)
{
    /* Shared, as files are, so that pages can be removed. Compression state follows the driver's memory. */
    enum { MAP = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED };
    const struct vfio_server *const first = &f->servers[0];
    uint64_t own_bytes;
    const uint64_t own = driver_pf_memory(f->device, &own_bytes),
                   half = softgt_info(f->device)->ggtt_bytes / 2u;
    return mmap((uint8_t *)first->local + own, first->local_bytes - own, PROT_READ | PROT_WRITE, MAP, -1,
                0) != MAP_FAILED &&
           mmap((uint8_t *)first->table + half, half, PROT_READ | PROT_WRITE, MAP, -1, 0) != MAP_FAILED;
}

/* At the addresses that the driver chose. */
static bool map_all_over(struct vf_servers *f)
{
    for (unsigned n = 1; n <= f->count; n++)
        if (!map_over(f, n, f->driver.vf_configs[n - 1].local_start, f->driver.vf_configs[n - 1].local_bytes))
            return false;
    return true;
}

bool functions_lay_out(struct vf_servers *f)
{
    const bool good = map_unprovisioned(f) && map_all_over(f);
    softgt_memory_changed(f->device);
    return good;
}

/* Removes pages from the file: they take no space and read zero. */
static bool clear_local(void *user, uint64_t start, uint64_t size_bytes)
{
    const struct vf_servers *f = user;
    return madvise((uint8_t *)f->servers[0].local + start, size_bytes, MADV_REMOVE) == 0;
}

/* ---- Driving the PF ---- */

/* NULL: done. */
static const char *drive_pf(struct vf_servers *f)
{
    const char *why = map_unprovisioned(f) && (!is_isolated(f) || map_isolated(f)) ? NULL : strerror(errno);
    if (!why)
        why = driver_pf_start(&f->driver, f->device, f->count, f->shares);
    if (!why && !map_all_over(f))
        why = strerror(errno);
    f->driver.clear = clear_local;
    f->driver.user = f;
    f->drives_pf = !why;
    softgt_memory_changed(f->device);
    return why;
}

static bool serve_driver(struct vf_servers *f)
{
    enum { MOST = 64 };
    unsigned served = 0;
    while (f->drives_pf && served < MOST && driver_pf_serve(&f->driver))
        served++;
    return served;
}

/* ---- Clients ---- */

static void provision_part(struct vf_servers *f, struct vfio_server *s)
{
    softgt_memory_changed(f->device);
    guest_memory_unguard(&s->memory);
    guest_memory_clear(&s->memory);
    server_close_interrupts(s);
    connection_destroy(s->client);
    s->client = NULL;
    s->messages = s->partial_since_ns = 0;
    s->version_negotiated = false;
}

/* The PF has another driver from now on. With isolated VFs the memory size that it sees stays while it is
 * connected. Else VFs lose everything. */
static void start_again(struct vf_servers *f)
{
    if (is_isolated(f)) {
        f->driver.min_local_start = f->servers[0].client ? device_pf_local_bytes(f->device) : 0;
        server_reset(&f->servers[0]);
        return;
    }
    f->drives_pf = false;
    for (unsigned n = 1; n <= f->count; n++) {
        if (!f->servers[n].client)
            continue;
        server_say(&f->servers[n], "client dropped: the PF's driver has changed");
        provision_part(f, &f->servers[n]);
    }
    if (!map_unprovisioned(f))
        server_say(&f->servers[0], "local memory: %s", strerror(errno));
    server_reset(&f->servers[0]);
}

static void forget_function_client(struct vf_servers *f, struct vfio_server *s)
{
    const bool had = s->client && s->version_negotiated;
    if (s->client)
        provision_part(f, s);
    if (!had)
        return;
    if (s->function_number) {
        server_reset(s);
        return;
    }
    start_again(f);
    const char *why = is_isolated(f) ? NULL : drive_pf(f);
    if (why)
        server_say(s, "virtual functions: %s", why);
}

static void accept_at(struct vf_servers *f, unsigned n)
{
    struct vfio_server *s = &f->servers[n];
    const int fd = accept4(f->listeners[n], NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) { /* the client waits for a free descriptor */
        server_say(s, "cannot accept a client: %s", strerror(errno));
        s->reject_until_ns = server_host_ns() + SHUT_NS;
        return;
    }
    if (!(s->client = connection_create(fd, f->options->stop)))
        return;
    connection_hurry(s->client);
    s->accepted_ns = server_host_ns();
    guest_memory_guard(&s->memory);
}

/* False: there was no message. */
static bool serve_message(struct vf_servers *f, struct vfio_server *s, uint64_t now_ns)
{
    struct vfio_message m;
    const char *why = "";
    const bool before = s->version_negotiated;
    const int got = connection_receive(s->client, &m, &why);
    bool good = got >= 0;
    if (got > 0) {
        good = server_handle(s, &m);
        message_end(&m);
        s->partial_since_ns = 0;
        if (!before && s->version_negotiated && !s->function_number)
            start_again(f);
    } else if (got == 0 && now_ns >= server_deadline(s, now_ns)) {
        why = s->version_negotiated ? "a message was not finished in time" : "no message came in time";
        good = false;
    }
    if (good && guest_memory_lost(&s->memory)) {
        why = "pages of its memory are missing";
        good = false;
    }
    if (!good) {
        if (*why)
            server_say(s, "client dropped: %s", why);
        if (got < 0 && !*why) /* the client has just left */
            s->reject_until_ns = 0;
        else
            s->reject_until_ns = now_ns + SHUT_NS;
        forget_function_client(f, s);
    }
    return got > 0;
}

/* A VF that is not enabled has no clients: new ones wait at the socket, and a present one is dropped. */
static void follow_enables(struct vf_servers *f)
{
    for (unsigned n = 1; n <= f->count; n++) {
        struct vfio_server *const s = &f->servers[n];
        const bool there = softgt_function_enabled(f->device, n);
        if (s->client && !there) {
            server_say(s, "client dropped: the PF driver has disabled the VF");
            forget_function_client(f, s);
        }
        s->function_absent = !there;
    }
}

/* Reported once for waiting clients. */
static void tell_waiting(struct vf_servers *f, unsigned n)
{
    struct vfio_server *const s = &f->servers[n];
    struct pollfd p = {.fd = f->listeners[n], .events = POLLIN};
    const bool waits = s->function_absent && !s->client && poll(&p, 1, 0) > 0;
    if (waits && !s->reported_waiting)
        server_say(s, "a client waits: the PF driver has not enabled the VF");
    s->reported_waiting = waits;
}

/* ---- The loop ---- */

static void check_functions(struct vf_servers *f, uint64_t now_ns, uint64_t most_ns)
{
    struct pollfd fds[SERVERS * 2 + CONTROL_POLLED];
    struct {
        unsigned n;
        bool unmask;
    } of[SERVERS * 2];
    nfds_t count = 0;
    for (unsigned n = 0; n <= f->count; n++) {
        const struct vfio_server *s = &f->servers[n];
        const int listener = s->reject_until_ns > now_ns || s->function_absent ? -1 : f->listeners[n];
        tell_waiting(f, n);
        of[count].n = n;
        of[count].unmask = false;
        fds[count++] =
            (struct pollfd){.fd = s->client ? connection_fd(s->client) : listener, .events = POLLIN};
        if (s->irq.unmask_fd < 0)
            continue;
        of[count].n = n;
        of[count].unmask = true;
        fds[count++] = (struct pollfd){.fd = s->irq.unmask_fd, .events = POLLIN};
    }
    const unsigned controls = control_polled(&f->monitor.control, fds + count);
    const int ready = server_poll(f->servers[0].options->stop, fds, count + controls, most_ns);
    monitor_serve(&f->monitor, now_ns, true);
    if (ready <= 0)
        return;
    for (nfds_t i = 0; i < count; i++) {
        struct vfio_server *s = &f->servers[of[i].n];
        if (!(fds[i].revents & POLLIN))
            continue;
        if (of[i].unmask && eventfd_take(s->irq.unmask_fd))
            server_unmask_intx(s);
        else if (!of[i].unmask && !s->client)
            accept_at(f, of[i].n);
    }
}

static uint64_t sleep_ns(const struct vf_servers *f, uint64_t now_ns)
{
    uint64_t most_ns = server_waiting(&f->servers[0]) ? LOOK_NS : UINT64_MAX;
    most_ns = server_sooner(most_ns, monitor_due_ns(&f->monitor), now_ns);
    for (unsigned n = 0; n <= f->count; n++) {
        struct vfio_server *const s = &f->servers[n];
        const uint64_t end_ns = s->client                     ? server_deadline(s, now_ns)
                                : s->reject_until_ns > now_ns ? s->reject_until_ns
                                                              : UINT64_MAX;
        most_ns = server_sooner(most_ns, end_ns, now_ns);
    }
    return server_sooner(most_ns, softgt_next_event_ns(f->device), softgt_now_ns(f->device));
}

static void serve_functions(struct vf_servers *f)
{
    uint64_t last_ns = 0;
    for (unsigned turn = 0; !*f->options->stop; turn++) {
        const uint64_t now_ns = server_host_ns();
        const bool late = server_advance(&f->servers[0], now_ns);
        bool busy = false, halfway = false;
        for (unsigned n = 0; n <= f->count; n++)
            if (f->servers[n].client) {
                busy |= serve_message(f, &f->servers[n], now_ns);
                halfway |= f->servers[n].client && connection_has_message(f->servers[n].client);
            }
        follow_enables(f);
        if (busy)
            last_ns = now_ns;
        monitor_serve(&f->monitor, now_ns, false);
        const bool more = softgt_run(f->device, busy ? BETWEEN_DW : SLICE_DW), told = serve_driver(f);
        if (busy || halfway || more || told || late || now_ns - last_ns < SPIN_NS) {
            if (turn % ACCEPT_EVERY == 0)
                check_functions(f, now_ns, 0);
            continue;
        }
        check_functions(f, now_ns, sleep_ns(f, now_ns));
    }
}

/* ---- Life ---- */

static int listen_at(struct vf_servers *f)
{
    if (mkdir(f->options->socket, 0700) < 0 && errno != EEXIST)
        return errno;
    for (unsigned n = 0; n <= f->count; n++) {
        char *const path = f->paths[n];
        const int length = n ? snprintf(path, PATH_BYTES, "%s/vf%u", f->options->socket, n)
                             : snprintf(path, PATH_BYTES, "%s/pf", f->options->socket);
        if (length >= PATH_BYTES)
            return ENAMETOOLONG;
        f->listeners[n] = socket_listen(path, f->options->mode, f->options->group);
        if (f->listeners[n] < 0 || !files_own_socket(path))
            return errno;
    }
    if (snprintf(f->control_path, PATH_BYTES, "%s/control", f->options->socket) >= PATH_BYTES)
        return ENAMETOOLONG;
    f->monitor.control.listener = socket_listen(f->control_path, f->options->mode, f->options->group);
    return f->monitor.control.listener >= 0 && files_own_socket(f->control_path) ? 0 : errno;
}

static void fill_servers(struct vf_servers *f, const struct vfio_server *first)
{
    for (unsigned n = 0; n <= f->count; n++) {
        f->servers[n] = (struct vfio_server){.options = f->options,
                                             .function_number = n,
                                             .shares_thread = true,
                                             .table_fd = n ? -1 : first->table_fd,
                                             .table = n ? MAP_FAILED : first->table,
                                             .local_fd = n ? -1 : first->local_fd,
                                             .local = first->local,
                                             .local_bytes = first->local_bytes,
                                             .irq.intx_fd = -1,
                                             .irq.msi_fd = -1,
                                             .irq.unmask_fd = -1,
                                             .client_transfer_bytes = TRANSFER_BYTES,
                                             .clock.epoch_ns = server_host_ns()};
        f->listeners[n] = -1;
    }
}

static int create_servers(struct vf_servers *f, const char **what)
{
    struct softgt_function_ports ports[DRIVER_VFS];
    for (unsigned i = 0; i < f->count; i++)
        ports[i] = (struct softgt_function_ports){server_memory_port(&f->servers[i + 1]),
                                                  server_interrupt_port(&f->servers[i + 1])};
    struct vfio_server *const first = &f->servers[0];
    const struct softgt_config config = {.device = f->options->device,
                                         .memory = server_memory_port(first),
                                         .interrupt = server_interrupt_port(first),
                                         .report = monitor_report_port(&f->monitor),
                                         .trace = monitor_trace_port(&f->monitor),
                                         .ggtt_table = first->table,
                                         .local_bytes = first->local_bytes,
                                         .local_host = first->local,
                                         .functions = f->count,
                                         .function_ports = ports,
                                         .functions_isolated = is_isolated(f),
                                         .parallel = f->options->parallel,
                                         .timing = f->options->timing,
                                         .draws = f->options->draws,
                                         .code = f->options->code};
    *what = "the device";
    const int error = -softgt_create(&config, &f->device);
    for (unsigned n = 0; n <= f->count; n++) {
        f->servers[n].device = f->device;
        f->servers[n].monitor = &f->monitor;
    }
    monitor_device(&f->monitor, f->device);
    return error;
}

static int open_and_serve(struct vf_servers *f, const char **what)
{
    int error = create_servers(f, what);
    if (error)
        return error;
    if ((*what = drive_pf(f)))
        return -1;
    if (f->options->awaits_debugger && !debug_host_await(&f->monitor.debug))
        return ENOMEM;
    *what = f->options->socket;
    if ((error = listen_at(f)))
        return error;
    eventfd_prepare();
    *what = "the sandbox";
    if (f->options->enclose &&
        (!f->options->enclose(f->options->user, false) || !f->options->enclose(f->options->user, true)))
        return errno;
    serve_functions(f);
    for (unsigned n = 0; n <= f->count; n++) {
        f->drives_pf = false;
        forget_function_client(f, &f->servers[n]);
        limited_log_report_dropped(&f->servers[n].telling);
    }
    server_count(&f->servers[0]);
    if (f->options->device_ends)
        f->options->device_ends(f->options->user, f->device, &f->servers[0].counts);
    return 0;
}

int vfio_user_serve_functions(const struct vfio_user_options *options, const char **what)
{
    const struct softgt_device_info *info = softgt_device_find(options->device);
    struct vfio_server first = {.table_fd = -1, .table = MAP_FAILED, .local_fd = -1, .local = MAP_FAILED};
    struct vf_servers f = {.options = options, .count = options->functions};
    const size_t servers = (size_t)f.count + 1u;
    int error = 0;
    monitor_begin(&f.monitor, options, &first);
    shares_default(f.shares, DRIVER_VFS);
    *what = "memory";
    if (!info || f.count > info->functions) /* DRIVER_VFS at most */
        return EINVAL;
    if (options->shares)
        memcpy(f.shares, options->shares, f.count * sizeof *f.shares);
    first.local_bytes = options->local_bytes ? options->local_bytes : info->local_bytes;
    f.servers = calloc(servers, sizeof *f.servers);
    f.listeners = calloc(servers, sizeof *f.listeners);
    f.paths = calloc(servers, sizeof *f.paths);
    first.table = server_make_shared("softgt-bar0", info->mmio_bytes, info->ggtt_bytes, &first.table_fd);
    first.local = server_make_shared("softgt-bar2", 0, first.local_bytes, &first.local_fd);
    if (!f.servers || !f.listeners || !f.paths || first.table == MAP_FAILED || first.local == MAP_FAILED) {
        error = ENOMEM;
    } else {
        fill_servers(&f, &first);
        f.monitor.server = &f.servers[0];
        f.monitor.more = functions_answer;
        f.monitor.more_user = &f;
        error = open_and_serve(&f, what);
    }
    files_remove_socket();
    monitor_end(&f.monitor);
    for (unsigned n = 0; f.listeners && n <= f.count; n++)
        if (f.listeners[n] >= 0)
            close(f.listeners[n]);
    softgt_destroy(f.device);
    for (unsigned n = 1; f.servers && n <= f.count; n++)
        if (f.servers[n].local_fd >= 0)
            close(f.servers[n].local_fd);
    free(f.servers);
    free(f.listeners);
    free(f.paths);
    server_end_shared(first.table, info->ggtt_bytes, first.table_fd);
    server_end_shared(first.local, first.local_bytes, first.local_fd);
    return error;
}
