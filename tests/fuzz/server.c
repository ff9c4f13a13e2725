/*
 * A client of the vfio-user server, by a real socket. The bytes are steps: what a machine does, with numbers
 * from the bytes, and messages of any bytes, with descriptors of every kind. The server runs in a thread from
 * the first input on; each client's end is waited for, as it lets the next one in.
 */
#include "server/protocol.h"
#include "server/vfio_user.h"
#include "host/fd_message.h"
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

enum { MEMORY_BYTES = 1 << 20, STEPS = 200, MOST_BYTES = 1 << 15, PRODUCTS = 32 };
enum { NO_FILE, MEMORY, OTHER_MEMORY, EVENT, OTHER_EVENT, PIPE, FILE_KINDS };

struct input {
    const uint8_t *at, *end;
};

struct client {
    int socket, files[FILE_KINDS + 1], given; /* the pipe has two */
    uint16_t id;
    uint8_t answers; /* how DMA messages are answered */
    bool gone;
};

static volatile sig_atomic_t stop;
static char path[108];

/* ---- The server ---- */

static void on_message(void *user, const char *text)
{
    *(size_t *)user += strlen(text);
}

static void on_report(void *user, const struct softgt_report *report)
{
    *(size_t *)user += strlen(report->text);
}

static void on_event(void *user, const struct softgt_event *event)
{
    *(size_t *)user += event->length_dw;
}

static void *serve(void *user)
{
    static size_t told;
    const char *what;
    const struct vfio_user_options options = {.device = user,
                                              .socket = path,
                                              .report = {&told, on_report},
                                              .trace = {&told, SOFTGT_TRACE_ALL, on_event},
                                              .stop = &stop,
                                              .user = &told,
                                              .message = on_message};
    const int error = vfio_user_serve(&options, &what);
    fprintf(stderr, "%s: %s\n", what, strerror(error));
    abort();
}

static int dial(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    for (unsigned tries = 0; tries < 2000; tries++) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        usleep(5000);
    }
    perror(path);
    abort();
}

/* ---- Messages ---- */

static uint64_t number(struct input *in, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)(in->at < in->end ? *in->at++ : 0) << i * 8u;
    return value;
}

static void send_bytes(struct client *c, const void *data, size_t size, int fd)
{
    struct iovec part = {(void *)(uintptr_t)data, size};
    union fd_message_space room;
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0)
        fd_message_attach(&m, &room, fd);
    c->gone |= c->gone || sendmsg(c->socket, &m, MSG_NOSIGNAL) != (ssize_t)size;
}

static void send_message(struct client *c, unsigned command, uint32_t flags, const void *payload,
                         size_t bytes, unsigned file)
{
    static uint8_t message[MOST_BYTES + 64];
    struct vfio_user_header h = {++c->id, (uint16_t)command, (uint32_t)(sizeof h + bytes), flags, 0};
    if (c->answers & 0x80) /* a length that is another */
        h.size_bytes ^= c->answers & 0x70;
    memcpy(message, &h, sizeof h);
    memcpy(message + sizeof h, payload, bytes);
    send_bytes(c, message, sizeof h + bytes, c->files[file % FILE_KINDS]);
}

static bool take_all(struct client *c, void *to, size_t size)
{
    for (size_t at = 0; at < size;) {
        const ssize_t got = recv(c->socket, (uint8_t *)to + at, size - at, MSG_WAITALL);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

/* What the server says, until it says nothing; its questions are answered, one way or another. */
static void hear(struct client *c, int wait_ms)
{
    struct pollfd p = {.fd = c->socket, .events = POLLIN};
    while (poll(&p, 1, wait_ms) > 0) {
        static uint8_t payload[(1 << 20) + 4096];
        struct vfio_user_header h;
        struct vfio_user_dma_access dma;
        if (!take_all(c, &h, sizeof h) || h.size_bytes < sizeof h ||
            h.size_bytes - sizeof h > sizeof payload || !take_all(c, payload, h.size_bytes - sizeof h)) {
            c->gone = true;
            return;
        }
        if (h.flags & VFIO_USER_TYPE || c->gone)
            continue;
        if (h.command != VFIO_USER_DMA_READ && h.command != VFIO_USER_DMA_WRITE)
            abort(); /* it asks for nothing else */
        memcpy(&dma, payload, sizeof dma);
        const bool reads = h.command == VFIO_USER_DMA_READ;
        size_t bytes = sizeof dma + (reads ? dma.count_bytes : 0);
        if (bytes > sizeof payload)
            abort();
        memset(payload + sizeof dma, c->answers, reads ? dma.count_bytes : 0);
        h.flags = VFIO_USER_TYPE_REPLY | (c->answers % 5 == 1 ? VFIO_USER_ERROR : 0);
        h.id ^= c->answers % 5 == 2;
        bytes -= c->answers % 5 == 3 && bytes > 8 ? 8 : 0;
        h.size_bytes = (uint32_t)(sizeof h + bytes);
        if (c->answers % 5 == 4) { /* another question first */
            struct vfio_user_header other = {1, VFIO_USER_DEVICE_GET_INFO, sizeof other, 0, 0};
            send_bytes(c, &other, sizeof other, -1);
        }
        send_bytes(c, &h, sizeof h, -1);
        send_bytes(c, payload, bytes, -1);
    }
}

/* ---- Steps ---- */

static void access_region(struct client *c, struct input *in)
{
    static uint8_t data[sizeof(struct vfio_user_region_access) + 4096];
    static const uint8_t regions[] = {0, 0, 0, 2, 7, 4, 1, 9};
    const unsigned how = (unsigned)number(in, 1);
    struct vfio_user_region_access at = {number(in, how & 8 ? 8 : 3), regions[how & 7u],
                                         how & 16 ? 4 : (uint32_t)number(in, 2) % 4097u};
    if (how & 32)
        at.offset = 0x800000 + at.offset % 0x1000; /* the table's beginning */
    if (at.region == 0 && !(how & 40))
        at.offset %= 0x200000;
    memcpy(data, &at, sizeof at);
    for (uint32_t i = 0; how & 128 && i < at.count_bytes; i++)
        data[sizeof at + i] = (uint8_t)number(in, i < 64);
    send_message(c, how & 128 ? VFIO_USER_REGION_WRITE : VFIO_USER_REGION_READ,
                 how & 64 ? VFIO_USER_NO_REPLY : 0, data, sizeof at + (how & 128 ? at.count_bytes : 0),
                 NO_FILE);
}

static void write_register(struct client *c, uint32_t offset, uint32_t value)
{
    const struct {
        struct vfio_user_region_access at;
        uint32_t value;
    } __attribute__((packed)) write = {{offset, 0, 4}, value};
    send_message(c, VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, &write, sizeof write, NO_FILE);
}

static void map_memory(struct client *c, struct input *in)
{
    const unsigned how = (unsigned)number(in, 1);
    const struct vfio_user_dma_map map = {.argsz = sizeof map,
                                          .flags = how & 3u,
                                          .offset = number(in, 1) << 12 | (how & 4 ? number(in, 2) : 0),
                                          .address = how & 8 ? number(in, 8) : number(in, 1) << 12,
                                          .size_bytes = how & 16 ? number(in, 8) : number(in, 1) << 12};
    send_message(c, VFIO_USER_DMA_MAP, 0, &map, sizeof map, how >> 5);
}

static void unmap_memory(struct client *c, struct input *in)
{
    const unsigned how = (unsigned)number(in, 1);
    const struct vfio_user_dma_unmap unmap = {.argsz = sizeof unmap,
                                              .flags = how & 2u,
                                              .address = how & 8 ? number(in, 8) : number(in, 1) << 12,
                                              .size_bytes = how & 16 ? number(in, 8) : number(in, 1) << 12};
    send_message(c, VFIO_USER_DMA_UNMAP, 0, &unmap, sizeof unmap, NO_FILE);
}

static void set_irqs(struct client *c, struct input *in)
{
    const unsigned how = (unsigned)number(in, 1);
    const struct vfio_user_irq_set set = {sizeof set, (uint32_t)number(in, 1), how & 3u, 0, how >> 2 & 1u};
    send_message(c, VFIO_USER_DEVICE_SET_IRQS, 0, &set, sizeof set, how >> 4);
}

/* The identity in the GGTT, then a ring that holds any dwords. */
static void start_ring(struct client *c, struct input *in)
{
    static const uint32_t engines[] = {0x2000, 0x12000, 0x22000, 0x1a000, 0x1c000, 0x1c0000};
    struct {
        struct vfio_user_region_access at;
        uint64_t entries[256];
    } table = {{0x800000, 0, sizeof table.entries}, {0}};
    uint8_t ring[1024] = {0};
    const uint32_t base = engines[number(in, 1) % 6u];
    const size_t bytes = number(in, 1) * 4u;
    for (unsigned i = 0; i < 256; i++)
        table.entries[i] = (uint64_t)i << 12 | 1u;
    for (size_t i = 0; i < bytes; i++)
        ring[i] = (uint8_t)number(in, 1);
    if (pwrite(c->files[MEMORY], ring, bytes, 0x10000) != (ssize_t)bytes)
        abort();
    send_message(c, VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, &table, sizeof table, NO_FILE);
    write_register(c, base + 0x80, 0x8000);
    write_register(c, base + 0x38, 0x10000);
    write_register(c, base + 0x3c, 1);
    write_register(c, base + 0x30, (uint32_t)bytes & ~7u);
}

static void send_any(struct client *c, struct input *in)
{
    static uint8_t data[256];
    const unsigned command = (unsigned)number(in, 1) % 18u, how = (unsigned)number(in, 1);
    const size_t bytes = number(in, 1);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)number(in, 1);
    if (how & 128)
        send_bytes(c, data, bytes, c->files[how % FILE_KINDS]);
    else
        send_message(c, command, how & 0x30, data, bytes, how);
}

static void change_memory(struct client *c, struct input *in)
{
    const unsigned how = (unsigned)number(in, 1);
    const uint64_t at = number(in, 3) % MEMORY_BYTES, value = number(in, 8);
    const int file = c->files[how & 1u ? MEMORY : OTHER_MEMORY];
    if ((how & 0xf0) == 0xf0 ? ftruncate(file, (off_t)at) < 0 : pwrite(file, &value, 8, (off_t)at) < 0)
        abort();
}

static void change_answers(struct client *c, struct input *in)
{
    c->answers = (uint8_t)number(in, 1);
}

static void reset(struct client *c, struct input *in)
{
    send_message(c, number(in, 1) & 1u ? VFIO_USER_DEVICE_RESET : VFIO_USER_DEVICE_GET_INFO, 0, "", 0,
                 NO_FILE);
}

static void use_events(struct client *c, struct input *in)
{
    const uint64_t value = number(in, 2);
    eventfd_t taken;
    if (value & 1u)
        eventfd_write(c->files[EVENT], value);
    else
        eventfd_read(c->files[EVENT], &taken);
}

static void (*const steps[])(struct client *c, struct input *in) = {
    access_region, map_memory,     set_irqs, start_ring, unmap_memory, send_any,
    change_memory, change_answers, reset,    use_events, access_region};

/* ---- One client ---- */

static void greet(struct client *c)
{
    static const char hello[] = "\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":4096}}";
    send_message(c, VFIO_USER_VERSION, 0, hello, sizeof hello, NO_FILE);
}

static void open_files(struct client *c)
{
    for (unsigned i = MEMORY; i <= OTHER_MEMORY; i++)
        if ((c->files[i] = memfd_create("memory", MFD_CLOEXEC)) < 0 ||
            ftruncate(c->files[i], MEMORY_BYTES) < 0)
            abort();
    for (unsigned i = EVENT; i <= OTHER_EVENT; i++)
        c->files[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (pipe2(c->files + PIPE, O_CLOEXEC) < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char device[] = "skl";
    struct input in = {data, data + size};
    struct client c = {.files = {-1}};
    if (!*path) {
        pthread_t thread;
        snprintf(path, sizeof path, "/tmp/softgt-fuzz-%d", (int)getpid());
        if (pthread_create(&thread, NULL, serve, (void *)(uintptr_t)device) != 0)
            abort();
        pthread_detach(thread);
    }
    c.socket = dial();
    open_files(&c);
    if (number(&in, 1) % 8)
        greet(&c);
    for (unsigned i = 0; i < STEPS && in.at < in.end && !c.gone; i++) {
        steps[number(&in, 1) % (sizeof steps / sizeof steps[0])](&c, &in);
        hear(&c, 0);
    }
    shutdown(c.socket, SHUT_WR);
    hear(&c, 20000);
    if (!c.gone) {
        fprintf(stderr, "==0== ERROR: the server does not let its client go\n");
        abort();
    }
    close(c.socket);
    for (unsigned i = MEMORY; i <= FILE_KINDS; i++)
        close(c.files[i]);
    return 0;
}

/* A machine's start: its memory, its interrupts, a ring that stores and tells, reads of both kinds. */
void fuzz_seeds(const char *root, fuzz_take *take)
{
    static const uint8_t start[] = {
        1, 1,    0x23, 0,    0,    0x80, /* the memory's first half, shared */
        1, 3,    0,    0x80, 0x80,       /* the second, by messages */
        2, 0x35, 0x24, 2,    0x34, 0x24, /* both interrupts */
        3, 0,    6,    2,    0,    0x40, 0x10, 0, 0, 9, 0, 0, 0, 0, 0,  1, 0, 0, 0, 0, 0, 0, 1, 0, 0,
        0, 0,                                                 /* a store */
        0, 0x10, 0x34, 0x20, 0,    10,   3,    0, 0, 8, 4, 0, /* registers, the aperture */
        0, 0x90, 0x30, 0x20, 0,    8,    0,    0, 0, 0, 4, 0, 0, 0, 64, 0, 9, 1, 0, 8, 1, 4, 0, 0, 0x80,
    };
    (void)root;
    take(start, sizeof start);
    uint8_t other[sizeof start];
    for (uint8_t answers = 0; answers < 8; answers++) {
        memcpy(other, start, sizeof start);
        other[0] = 7; /* the step that says how to answer comes first */
        for (size_t i = 2; i + 2 < sizeof start; i++)
            other[i + 2] = start[i - 1];
        other[1] = 7;
        other[2] = answers;
        other[3] = 1;
        take(other, sizeof other);
    }
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_words(take);
}
