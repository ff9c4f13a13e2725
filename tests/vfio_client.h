/* A client of the vfio-user server. A test with several clients sets `client` to the current one. */
#ifndef VFIO_CLIENT_H
#define VFIO_CLIENT_H

#include "host/fd_message.h"
#include "server/protocol.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { GUEST_BYTES = 1 << 20 };

static char socket_path[128];
static int client = -1;
static uint8_t reply[1 << 16];
static int reply_fd = -1;
static struct vfio_user_header reply_header;

/* Skips a test where removed pages of files keep what they hold: qemu's user mode passes no MADV_REMOVE on.
 */
static inline void skip_unless_pages_are_removed(void)
{
    uint32_t *const page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    *page = 1;
    const bool removed = madvise(page, 4096, MADV_REMOVE) == 0 && *page == 0;
    munmap(page, 4096);
    if (!removed)
        skip();
}

static inline void dial(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, socket_path, strlen(socket_path) + 1);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    int error = -1;
    for (int i = 0; i < 500 && error; i++) {
        error = connect(client, (struct sockaddr *)&address, sizeof address);
        if (error)
            usleep(10000);
    }
    assert_int_equal(error, 0);
}

static inline void send_raw(const void *data, size_t bytes, int fd)
{
    union fd_message_space room;
    struct iovec part = {(void *)(uintptr_t)data, bytes};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0)
        fd_message_attach(&m, &room, fd);
    assert_int_equal(sendmsg(client, &m, MSG_NOSIGNAL), (ssize_t)bytes);
}

static inline void send_command(unsigned command, uint32_t flags, const void *payload, size_t bytes, int fd)
{
    static uint8_t message[1 << 16];
    static uint16_t id;
    const struct vfio_user_header h = {++id, (uint16_t)command, (uint32_t)(sizeof h + bytes), flags, 0};
    memcpy(message, &h, sizeof h);
    if (bytes)
        memcpy(message + sizeof h, payload, bytes);
    send_raw(message, sizeof h + bytes, fd);
}

/* True: a message came; false: the server closed the socket. */
static inline bool receive(void)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {&reply_header, sizeof reply_header};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct pollfd p = {.fd = client, .events = POLLIN};
    assert_int_equal(poll(&p, 1, 10000), 1);
    const ssize_t got = recvmsg(client, &m, MSG_WAITALL);
    if (got != (ssize_t)sizeof reply_header)
        return false;
    struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    reply_fd = -1;
    if (h)
        memcpy(&reply_fd, CMSG_DATA(h), sizeof reply_fd);
    const size_t left = reply_header.size_bytes - sizeof reply_header;
    assert_true(left <= sizeof reply);
    return !left || recv(client, reply, left, MSG_WAITALL) == (ssize_t)left;
}

/* Sends a command; returns the reply's error. */
static inline uint32_t call(unsigned command, const void *payload, size_t bytes, int fd)
{
    send_command(command, 0, payload, bytes, fd);
    assert_true(receive());
    assert_int_equal(reply_header.flags & VFIO_USER_TYPE, VFIO_USER_TYPE_REPLY);
    assert_int_equal(reply_header.command, command);
    assert_int_equal(!!(reply_header.flags & VFIO_USER_ERROR), reply_header.error != 0);
    return reply_header.error;
}

static inline void greet(void)
{
    static const char hello[] =
        "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}";
    dial();
    assert_int_equal(call(VFIO_USER_VERSION, hello, sizeof hello, -1), 0);
    assert_non_null(strstr((char *)reply + 4, "\"max_data_xfer_size\""));
}

static inline void hang_up(void)
{
    close(client);
    client = -1;
}

static inline uint32_t read32(unsigned region, uint64_t offset)
{
    const struct vfio_user_region_access at = {offset, region, 4};
    uint32_t value;
    assert_int_equal(call(VFIO_USER_REGION_READ, &at, sizeof at, -1), 0);
    assert_int_equal(reply_header.size_bytes, sizeof reply_header + sizeof at + 4);
    memcpy(&value, reply + sizeof at, 4);
    return value;
}

/* Posted: without an answer. */
static inline void write32(unsigned region, uint64_t offset, uint32_t value)
{
    struct {
        struct vfio_user_region_access at;
        uint32_t value;
    } w = {{offset, region, 4}, value};
    send_command(VFIO_USER_REGION_WRITE, VFIO_USER_NO_REPLY, &w, sizeof w.at + 4, -1);
}

static inline uint8_t *guest_memory(int *fd)
{
    *fd = memfd_create("guest", 0);
    assert_int_equal(ftruncate(*fd, GUEST_BYTES), 0);
    uint8_t *memory = mmap(NULL, GUEST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

static inline uint32_t map(uint64_t address, uint64_t bytes, int fd)
{
    const struct vfio_user_dma_map m = {sizeof m, DMA_READABLE | DMA_WRITABLE, 0, address, bytes};
    return call(VFIO_USER_DMA_MAP, &m, sizeof m, fd);
}

static inline uint32_t set_irqs(uint32_t index, uint32_t flags, uint32_t count, int fd)
{
    const struct vfio_user_irq_set set = {sizeof set, flags, index, 0, count};
    return call(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof set, fd);
}

static inline bool rung(int fd, int wait_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint64_t count = 0;
    return poll(&p, 1, wait_ms) == 1 && read(fd, &count, 8) == 8;
}

#endif
