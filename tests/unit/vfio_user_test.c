/* The vfio-user server from a client's side: what it says, what it does with memory and interrupts, and that
 * no message ends it. */
#include "../suite.h"
#include "aub/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "vfio_client.h"
#include "vfio_server.h"

enum { GUEST_AT = 0x100000, RING = 0x1000, STATUS = 0x8000, DATA = 0x9000 };

static char record_path[128];

static const char *served = "skl";

static int start(void **state)
{
    (void)state;
    snprintf(socket_path, sizeof socket_path, "/tmp/softgt-test-%d.sock", (int)getpid());
    server_start((struct vfio_user_options){.device = served,
                                            .socket = socket_path,
                                            .record = record_path[0] ? record_path : NULL},
                 socket_path);
    return 0;
}

/* The server must end well, and take its socket with it. */
static int finish(void **state)
{
    (void)state;
    return !server_finish() || access(socket_path, F_OK) == 0;
}

/* Commands into the ring of rcs0, whose pages the GGTT maps one to one behind GUEST_AT; runs them. */
static void run_ring(unsigned count)
{
    for (uint32_t page = 0; page < 16; page++) {
        write32(0, (8u << 20) + page * 8, (GUEST_AT + page * 4096) | 1);
        write32(0, (8u << 20) + page * 8 + 4, 0);
    }
    write32(0, 0x101008, 1);
    write32(0, 0x2080, STATUS);
    write32(0, 0x20a8, 0xfffffffe);
    write32(0, 0x44304, 0);
    write32(0, 0x4430c, 0xffffffff);
    write32(0, 0x44200, 0x80000000);
    write32(0, 0x209c, 0x01000000);
    write32(0, 0x2038, RING);
    write32(0, 0x2034, 0);
    write32(0, 0x203c, 0x1);
    write32(0, 0x2030, count * 4);
}

static const uint32_t store_and_tell[] = {0x10400002, DATA, 0, 0x600d, 0x01000000, 0};

/* ---- Tests ---- */

static void describes_the_device(void **state)
{
    (void)state;
    greet();
    struct vfio_user_device_info device = {sizeof device, 0, 0, 0};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_INFO, &device, sizeof device, -1), 0);
    memcpy(&device, reply, sizeof device);
    assert_int_equal(device.regions, 9);
    assert_int_equal(device.interrupts, 5);
    assert_int_equal(device.flags, DEVICE_RESETTABLE | DEVICE_PCI);

    /* A client with little room is told how much it takes, and asks again. */
    struct vfio_user_region_info info = {.argsz = sizeof info, .index = 0};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    assert_int_equal(reply_header.size_bytes, sizeof reply_header + sizeof info);
    assert_int_equal(reply_fd, -1);
    memcpy(&info, reply, sizeof info);
    assert_int_equal(info.size_bytes, 16 << 20);
    assert_int_equal(info.argsz, sizeof info + sizeof(struct vfio_user_sparse_mmap));
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    struct vfio_user_sparse_mmap table;
    memcpy(&table, reply + sizeof info, sizeof table);
    assert_int_equal(table.offset, 8 << 20);
    assert_int_equal(table.size_bytes, 8 << 20);
    assert_true(reply_fd >= 0);

    /* The table is shared: no message is needed to change it, and it cannot be cut. */
    uint64_t *entries = mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, 8 << 20);
    assert_true(entries != MAP_FAILED);
    entries[5] = 0x12345001;
    assert_int_equal(read32(0, (8 << 20) + 40), 0x12345001);
    assert_int_equal(ftruncate(reply_fd, 4096), -1);
    munmap(entries, 8 << 20);
    close(reply_fd);

    static const uint64_t sizes[9] = {16 << 20, 0, 256 << 20, 0, 64, 0, 0, 4096, 0};
    for (uint32_t i = 0; i < 9; i++) {
        info = (struct vfio_user_region_info){.argsz = sizeof info, .index = i};
        assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
        memcpy(&info, reply, sizeof info);
        assert_int_equal(info.size_bytes, sizes[i]);
    }
    static const uint32_t counts[5] = {1, 1, 0, 0, 0};
    for (uint32_t i = 0; i < 5; i++) {
        struct vfio_user_irq_info irq = {sizeof irq, 0, i, 0};
        assert_int_equal(call(VFIO_USER_DEVICE_GET_IRQ_INFO, &irq, sizeof irq, -1), 0);
        memcpy(&irq, reply, sizeof irq);
        assert_int_equal(irq.count, counts[i]);
    }
    assert_int_equal(read32(REGION_CONFIG, 0), 0x19128086);
    /* A register: written, read, and gone with a reset. */
    write32(0, 0x20b4, 0x1234);
    assert_int_equal(read32(0, 0x20b4) & 0xffff, 0x1234);
    assert_int_equal(call(VFIO_USER_DEVICE_RESET, NULL, 0, -1), 0);
    assert_int_equal(read32(0, 0x20b4), 0xffffffff);
    /* Several writes in one message. */
    struct {
        uint64_t count;
        struct vfio_user_write_multi w[2];
    } multi = {2, {{{0x100000, 0, 4}, {1, 2, 3, 4}}, {{0x100004, 0, 4}, {5, 6, 7, 8}}}};
    assert_int_equal(call(VFIO_USER_REGION_WRITE_MULTI, &multi, sizeof multi, -1), 0);
    assert_int_equal(read32(0, 0x100000), 0x04030201);
    assert_int_equal(read32(0, 0x100004), 0x08070605);
    hang_up();
}

static int start_dg2(void **state)
{
    served = "dg2";
    const int result = start(state);
    served = "skl";
    return result;
}

/* Local memory is a file that the client maps, up to what is the firmware's; a reset leaves zeros. (SYS-08)
 */
static void shares_local_memory(void **state)
{
    (void)state;
    enum { BAR_BYTES = 256 << 20, OPEN_BYTES = 246 << 20 };
    greet();
    struct vfio_user_region_info info = {.argsz = sizeof info + sizeof(struct vfio_user_sparse_mmap),
                                         .index = 2};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&info, reply, sizeof info);
    assert_int_equal(info.size_bytes, BAR_BYTES);
    struct vfio_user_sparse_mmap shared;
    memcpy(&shared, reply + sizeof info, sizeof shared);
    assert_int_equal(shared.offset, 0);
    assert_int_equal(shared.size_bytes, OPEN_BYTES);
    assert_true(reply_fd >= 0);
    uint32_t *memory = mmap(NULL, OPEN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(ftruncate(reply_fd, 4096), -1);
    close(reply_fd);
    memory[0x1000] = 0x10ca1;
    assert_int_equal(read32(2, 0x4000), 0x10ca1);
    write32(2, OPEN_BYTES - 4, 0x1a57);
    assert_int_equal(read32(2, OPEN_BYTES - 4), 0x1a57); /* and it was written */
    assert_int_equal(memory[OPEN_BYTES / 4 - 1], 0x1a57);
    write32(2, OPEN_BYTES, 1);
    assert_int_equal(read32(2, OPEN_BYTES), 0);
    assert_int_equal(call(VFIO_USER_DEVICE_RESET, NULL, 0, -1), 0);
    assert_int_equal(memory[0x1000], 0);
    assert_int_equal(memory[OPEN_BYTES / 4 - 1], 0);
    /* So do resets of the function: by configuration space (SYS-06), and by the driver. */
    memory[0x1000] = 0x10ca1;
    write32(REGION_CONFIG, 0x78, 0x8000);
    assert_int_equal(read32(2, 0x4000), 0);
    assert_int_equal(memory[0x1000], 0);
    memory[0x1000] = 0x10ca1;
    write32(0, 0x101010, 0x80000080);
    assert_int_equal(read32(2, 0x4000), 0);
    assert_int_equal(memory[0x1000], 0);
    info = (struct vfio_user_region_info){.argsz = sizeof info, .index = 4};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&info, reply, sizeof info);
    assert_int_equal(info.size_bytes, 0);
    memory[7] = 7;
    hang_up();
    greet(); /* the next client finds nothing of it */
    assert_int_equal(read32(2, 28), 0);
    hang_up();
    munmap(memory, OPEN_BYTES);
}

static void runs_in_guest_memory_and_interrupts(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, fd), 0);
    assert_int_equal(map(GUEST_AT + 4096, 4096, fd), EEXIST);
    const int msi = eventfd(0, EFD_NONBLOCK), intx = eventfd(0, EFD_NONBLOCK);
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, intx), 0);
    assert_int_equal(set_irqs(INTERRUPT_MSI, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, msi), 0);
    memcpy(memory + RING, store_and_tell, sizeof store_and_tell);

    /* The pin, as MSI is not enabled: once, until the client unmasks it; again then, as nobody acknowledged.
     */
    run_ring(6);
    assert_true(rung(intx, 5000));
    assert_int_equal(*(uint32_t *)(memory + DATA), 0x600d);
    assert_false(rung(msi, 0));
    assert_int_equal(read32(REGION_CONFIG, 4) >> 19 & 1, 1);
    assert_false(rung(intx, 50));
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_NONE | IRQ_ACTION_UNMASK, 1, -1), 0);
    assert_true(rung(intx, 5000));
    write32(0, 0x44308, 1); /* acknowledged */
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_NONE | IRQ_ACTION_UNMASK, 1, -1), 0);
    assert_false(rung(intx, 50));

    /* A message, when it is enabled. */
    write32(REGION_CONFIG, 0xac, 0x0001d005);
    memset(memory + DATA, 0, 4);
    write32(0, 0x2030, 0);
    run_ring(6);
    assert_true(rung(msi, 5000));
    assert_int_equal(*(uint32_t *)(memory + DATA), 0x600d);
    assert_false(rung(intx, 0));

    /* Memory that is gone is not touched. */
    const struct vfio_user_dma_unmap u = {sizeof u, 0, GUEST_AT, MEMORY_BYTES};
    memset(memory + DATA, 0, 4);
    assert_int_equal(call(VFIO_USER_DMA_UNMAP, &u, sizeof u, -1), 0);
    assert_int_equal(reply_header.size_bytes, sizeof reply_header + sizeof u);
    assert_int_equal(call(VFIO_USER_DMA_UNMAP, &u, sizeof u, -1), EINVAL);
    write32(0, 0x2030, 0);
    run_ring(6);
    read32(0, 0x2034);
    assert_int_equal(*(uint32_t *)(memory + DATA), 0);
    munmap(memory, MEMORY_BYTES);
    close(fd);
    close(msi);
    close(intx);
    hang_up();
}

/* The next message is the answer to a command (true), or asks for memory that has no file: it gets that. */
static bool answered(uint8_t *memory)
{
    static uint8_t out[1 << 16];
    struct vfio_user_header h;
    struct vfio_user_dma_access at;
    assert_true(receive());
    h = reply_header;
    if ((h.flags & VFIO_USER_TYPE) == VFIO_USER_TYPE_REPLY)
        return true;
    memcpy(&at, reply, sizeof at);
    assert_true(at.address >= GUEST_AT && at.address + at.count_bytes <= GUEST_AT + MEMORY_BYTES);
    const bool read = h.command == VFIO_USER_DMA_READ;
    if (!read) {
        assert_int_equal(h.command, VFIO_USER_DMA_WRITE);
        memcpy(memory + (at.address - GUEST_AT), reply + sizeof at, at.count_bytes);
    }
    h.flags = VFIO_USER_TYPE_REPLY;
    h.size_bytes = (uint32_t)(sizeof h + sizeof at + (read ? at.count_bytes : 0));
    memcpy(out, &h, sizeof h);
    memcpy(out + sizeof h, &at, sizeof at);
    if (read)
        memcpy(out + sizeof h + sizeof at, memory + (at.address - GUEST_AT), at.count_bytes);
    send_raw(out, h.size_bytes, -1);
    return false;
}

/* Memory without a file descriptor is reached by messages of the server's own. */
static void asks_for_memory_without_a_file(void **state)
{
    (void)state;
    static uint8_t memory[MEMORY_BYTES];
    greet();
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, -1), 0);
    memcpy(memory + RING, store_and_tell, sizeof store_and_tell);
    run_ring(6);
    while (*(uint32_t *)(memory + DATA) != 0x600d)
        assert_false(answered(memory));
    hang_up();
}

/* Two engines that look at DATA until it is 1, by messages; returns once they have begun. */
static void wait_in_two_engines(uint8_t *memory)
{
    static const uint32_t wait[] = {0x0e40c002, 1, DATA, 0, 0x10400002, DATA + 8, 0, 0x600d};
    greet();
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, -1), 0);
    memset(memory, 0, MEMORY_BYTES);
    memcpy(memory + RING, wait, sizeof wait);
    write32(0, 0x22080, STATUS + 0x1000);
    write32(0, 0x22038, RING);
    write32(0, 0x2203c, 1);
    run_ring(8);
    write32(0, 0x22030, sizeof wait);
    for (unsigned looks = 0; looks < 8;) {
        assert_false(answered(memory));
        struct vfio_user_dma_access at;
        memcpy(&at, reply, sizeof at);
        looks += at.address == GUEST_AT + DATA;
    }
}

/* What comes while it waits for memory waits too, and in order. */
static void keeps_what_comes_while_it_asks(void **state)
{
    (void)state;
    static uint8_t memory[MEMORY_BYTES];
    wait_in_two_engines(memory);
    for (unsigned round = 0; round < 50; round++) {
        const struct vfio_user_region_access reads[] = {{0, REGION_CONFIG, 4}, {0x2c, REGION_CONFIG, 4}};
        struct pollfd p = {.fd = client, .events = POLLIN};
        assert_int_equal(poll(&p, 1, 5000), 1); /* it asks already */
        for (unsigned i = 0; i < 2; i++)
            send_command(VFIO_USER_REGION_READ, 0, &reads[i], sizeof reads[i], -1);
        uint16_t first = 0;
        for (unsigned i = 0; i < 2;) {
            if (!answered(memory))
                continue;
            assert_int_equal(reply_header.error, 0);
            assert_memory_equal(reply, &reads[i], sizeof reads[i]);
            if (i++ == 0)
                first = reply_header.id;
        }
        assert_int_equal(reply_header.id, (uint16_t)(first + 1));
    }
    memory[DATA] = 1;
    while (*(uint32_t *)(memory + DATA + 8) != 0x600d)
        assert_false(answered(memory));
    hang_up();
}

/* Who gives no answer for a second is served on, and asked again when something came from it. */
static void goes_on_without_an_answer(void **state)
{
    (void)state;
    static uint8_t memory[MEMORY_BYTES];
    wait_in_two_engines(memory);
    assert_true(receive()); /* it asks */
    usleep(1300000);
    const struct vfio_user_region_access at = {0, REGION_CONFIG, 4};
    send_command(VFIO_USER_REGION_READ, 0, &at, sizeof at, -1);
    do
        assert_true(receive());
    while ((reply_header.flags & VFIO_USER_TYPE) != VFIO_USER_TYPE_REPLY);
    assert_int_equal(reply_header.command, VFIO_USER_REGION_READ);
    hang_up();
}

/* A client that takes no more messages, or goes while it is asked, with more to ask for: the next one is
 * served. */
static void outlives_a_client_that_is_asked(void **state)
{
    (void)state;
    static uint8_t memory[MEMORY_BYTES];
    for (unsigned round = 0; round < 6; round++) {
        wait_in_two_engines(memory);
        if (round & 1)
            assert_int_equal(shutdown(client, SHUT_RD), 0);
        else
            assert_true(receive());
        usleep(round & 1 ? 20000 : 0);
        hang_up();
    }
    greet();
    assert_int_equal(read32(REGION_CONFIG, 0), 0x19128086);
    hang_up();
}

/* Messages of a megabyte, one behind the other: their parts meet in the server's buffer. */
static void takes_long_messages_in_parts(void **state)
{
    (void)state;
    enum { LONG_BYTES = 900000 };
    struct long_write {
        struct vfio_user_header h;
        struct vfio_user_region_access at;
        uint8_t data[LONG_BYTES];
    } *const w = calloc(1, sizeof *w);
    assert_non_null(w);
    greet();
    for (uint32_t i = 0; i < 8; i++) {
        w->h =
            (struct vfio_user_header){(uint16_t)i, VFIO_USER_REGION_WRITE, sizeof *w, VFIO_USER_NO_REPLY, 0};
        w->at = (struct vfio_user_region_access){(8u << 20) + i * 1000000, 0, LONG_BYTES};
        memset(w->data, (int)i + 1, LONG_BYTES);
        for (size_t sent = 0; sent < sizeof *w;) {
            const ssize_t n = send(client, (const uint8_t *)w + sent, sizeof *w - sent, MSG_NOSIGNAL);
            assert_true(n > 0);
            sent += (size_t)n;
        }
    }
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(read32(0, (8u << 20) + i * 1000000), (i + 1) * 0x01010101u);
        assert_int_equal(read32(0, (8u << 20) + i * 1000000 + LONG_BYTES - 4), (i + 1) * 0x01010101u);
    }
    free(w);
    hang_up();
}

/* Wrong arguments: an error answer, and everything goes on. */
static void refuses_wrong_arguments(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    munmap(memory, MEMORY_BYTES);
    assert_int_equal(call(99, NULL, 0, -1), ENOTSUP);
    assert_int_equal(call(VFIO_USER_REGION_READ, "abc", 3, -1), EINVAL);
    static const struct vfio_user_region_access reads[] = {
        {16 << 20, 0, 4},   {(16 << 20) - 2, 0, 4},  {0, 1, 4},          {0, 99, 4},
        {UINT64_MAX, 0, 4}, {0, 0, UINT32_MAX},      {0, 0, 0x00200000}, {UINT64_MAX - 3, 7, 8},
        {0xfffffffc, 0, 4}, {4096, REGION_CONFIG, 1}};
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        assert_int_equal(call(VFIO_USER_REGION_READ, &reads[i], sizeof reads[i], -1), EINVAL);
        assert_int_equal(call(VFIO_USER_REGION_WRITE, &reads[i], sizeof reads[i], -1), EINVAL);
    }
    const struct vfio_user_dma_map maps[] = {{32, 3, 0, 0x1000, 0},
                                             {32, 3, 0, UINT64_MAX - 100, 4096},
                                             {32, 3, 0, 0x1000, MEMORY_BYTES + 4096},
                                             {32, 3, 0x800, 0x1000, 0x1000},
                                             {32, 0, 0, 0x1000, 0x1000},
                                             {32, 3, UINT64_MAX - 4095, 0x1000, 0x1000}};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        assert_int_equal(call(VFIO_USER_DMA_MAP, &maps[i], sizeof maps[i], fd), EINVAL);
    const struct vfio_user_dma_unmap unmaps[] = {
        {24, 0, 0, 0}, {24, 0, 0, UINT64_MAX}, {24, 0, UINT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < sizeof unmaps / sizeof unmaps[0]; i++)
        assert_int_equal(call(VFIO_USER_DMA_UNMAP, &unmaps[i], sizeof unmaps[i], -1), EINVAL);
    /* Half of a mapping does not go. */
    assert_int_equal(map(0x100000, 0x4000, fd), 0);
    const struct vfio_user_dma_unmap half = {24, 0, 0x100000, 0x2000};
    assert_int_equal(call(VFIO_USER_DMA_UNMAP, &half, sizeof half, -1), EINVAL);
    const struct vfio_user_irq_set sets[] = {
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 7, 0, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 0, 1, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 1, 0, 2},
        {20, IRQ_DATA_NONE, 0, 0, 1},
        {20, IRQ_DATA_BOOL | IRQ_ACTION_TRIGGER, 0, 0, 1},
        {20, IRQ_ACTION_TRIGGER, 0, 0, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_MASK, 1, 0, 1},
        {20, 0xffffffff, 0, 0, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 0, UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        assert_int_equal(call(VFIO_USER_DEVICE_SET_IRQS, &sets[i], sizeof sets[i], -1), EINVAL);
    const uint64_t many[] = {UINT64_MAX, 0, 0};
    assert_int_equal(call(VFIO_USER_REGION_WRITE_MULTI, many, sizeof many, -1), EINVAL);
    struct vfio_user_region_info info = {.argsz = sizeof info, .index = 9};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), EINVAL);
    assert_int_equal(read32(REGION_CONFIG, 0), 0x19128086);
    close(fd);
    hang_up();
}

/* What cannot be understood ends that client; the next one is served. */
static void ends_hostile_clients(void **state)
{
    (void)state;
    static const struct {
        struct vfio_user_header header;
        const char *payload;
    } wrong[] = {
        {{1, VFIO_USER_VERSION, 4, 0, 0}, ""},
        {{1, VFIO_USER_VERSION, 0xffffffff, 0, 0}, ""},
        {{1, VFIO_USER_VERSION, 0, 0, 0}, ""},
        {{1, VFIO_USER_REGION_READ, 32, 0, 0}, "0123456789abcdef"},
        {{1, VFIO_USER_VERSION, 24, 0, 0}, "\0\0\0\0[1}"},
        {{1, VFIO_USER_VERSION, 20, 0, 0}, "\1\0\0\0"},
        {{1, VFIO_USER_VERSION, 20, 2, 0}, "\0\0\0\0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dial();
        send_raw(&wrong[i].header, sizeof wrong[i].header, -1);
        const size_t bytes = wrong[i].header.size_bytes - sizeof wrong[i].header;
        if (bytes <= 16)
            send_raw(wrong[i].payload, bytes, -1);
        while (receive()) /* an error answer, perhaps */
            assert_int_equal(reply_header.flags & VFIO_USER_ERROR, VFIO_USER_ERROR);
        hang_up();
    }
    /* In the middle of a message. */
    dial();
    send_raw("\1\0\1\0\x40", 5, -1);
    hang_up();
    greet();
    assert_int_equal(read32(REGION_CONFIG, 0), 0x19128086);
    hang_up();
}

/* Half a message is waited for, but not for ever; meanwhile engines look at memory. */
static void goes_from_half_a_message(void **state)
{
    (void)state;
    static const uint32_t wait[] = {0x0e40c002, 1, DATA, 0};
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, fd), 0);
    memcpy(memory + RING, wait, sizeof wait);
    run_ring(4);
    read32(0, 0x2034);
    send_raw("\1\0\1\0\x40", 5, -1);
    struct pollfd p = {.fd = client, .events = POLLIN};
    assert_int_equal(poll(&p, 1, 5000), 0);
    assert_int_equal(poll(&p, 1, 15000), 1);
    assert_int_equal(recv(client, reply, sizeof reply, 0), 0);
    munmap(memory, MEMORY_BYTES);
    close(fd);
    hang_up();
}

/* A client that dies while an endless batch runs: the next finds a device after power-on. */
static void outlives_a_client_in_a_batch(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, fd), 0);
    const uint32_t loop[] = {0x18800001, RING + 0x100, 0, 0}; /* MI_BATCH_BUFFER_START to itself */
    memcpy(memory + RING, loop, sizeof loop);
    memcpy(memory + RING + 0x100, loop, sizeof loop);
    run_ring(4);
    assert_int_equal(read32(0, 0x2034) & 0x1ffffc, 0xc);
    for (int i = 0; i < 1000 && (read32(0, 0x2074) & ~3u) != RING + 0x100; i++)
        usleep(1000);
    assert_int_equal(read32(0, 0x2074) & ~3u, RING + 0x100); /* ACTHD: it is in the loop */
    munmap(memory, MEMORY_BYTES);
    close(fd);
    hang_up();
    greet();
    assert_int_equal(read32(0, 0x203c), 0);
    assert_int_equal(read32(0, 8 << 20), 0);
    hang_up();
}

/* A client that cuts the file behind its memory loses the connection, not the server. */
static void outlives_memory_that_goes(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    memcpy(memory + RING, store_and_tell, sizeof store_and_tell);
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, fd), 0);
    assert_int_equal(ftruncate(fd, 0), 0);
    run_ring(6);
    assert_false(receive());
    munmap(memory, MEMORY_BYTES);
    close(fd);
    hang_up();
    greet();
    assert_int_equal(read32(REGION_CONFIG, 0), 0x19128086);
    hang_up();
}

/* Nothing to do: no processor time. */
static void sleeps_when_idle(void **state)
{
    (void)state;
    greet();
    read32(0, 0x2034);
    usleep(200000);
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)server);
    unsigned long ticks[2];
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_non_null(fgets(text, sizeof text, f));
        fclose(f);
        unsigned long user, system;
        assert_int_equal(sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                                &user, &system),
                         2);
        ticks[i] = user + system;
        if (i == 0)
            usleep(500000);
    }
    assert_int_equal(ticks[0], ticks[1]);
    hang_up();
}

static int start_recording(void **state)
{
    snprintf(record_path, sizeof record_path, "/tmp/softgt-test-%d.aub", (int)getpid());
    return start(state);
}

static void on_replay_message(void *user, enum replay_message_kind kind, uint64_t offset, const char *text)
{
    (void)user;
    print_message("%s at %llx: %s\n", kind == REPLAY_ERROR ? "error" : "note", (unsigned long long)offset,
                  text);
}

/* The server ends well, and what it recorded holds. */
static void replay_what_was_recorded(void **state, unsigned least_compares)
{
    hang_up();
    kill(server, SIGTERM);
    int status;
    waitpid(server, &status, 0);
    assert_int_equal(status, 0);
    struct replay_result result;
    const struct replay_options options = {.message = on_replay_message};
    assert_int_equal(replay_file(record_path, &options, &result), REPLAY_CLEAN);
    assert_true(result.compares >= least_compares);
    start(state); /* for the teardown */
}

static int finish_recording(void **state)
{
    const int failed = finish(state);
    unlink(record_path);
    record_path[0] = 0;
    return failed;
}

/* What a client made the device do can be played without it: memory, table, registers, results. */
static void records_what_can_be_played(void **state)
{
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    const int msi = eventfd(0, EFD_NONBLOCK), intx = eventfd(0, EFD_NONBLOCK);
    assert_int_equal(map(GUEST_AT, MEMORY_BYTES, fd), 0);
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, intx), 0);
    assert_int_equal(set_irqs(INTERRUPT_MSI, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, msi), 0);
    for (uint32_t i = 0; i < 5; i++) {
        if (i == 1) /* by the pin until then */
            write32(REGION_CONFIG, 0xac, 0x0001d005);
        /* Counts by an atomic, beside what the client writes into the same page. */
        const uint32_t count_and_tell[] = {0x17c00501, DATA, 0, 0x01000000};
        memcpy(memory + RING, count_and_tell, sizeof count_and_tell);
        memcpy(memory + DATA + 8 * (i + 1), &i, 4);
        write32(0, 0x2030, 0);
        write32(0, 0x2034, 0);
        run_ring(4);
        assert_true(rung(i ? msi : intx, 5000));
        assert_int_equal(*(uint32_t *)(memory + DATA), i + 1);
        assert_int_equal(*(uint32_t *)(memory + DATA + 8 * (i + 1)), i);
        write32(0, 0x44308, 1);
    }
    /* Several registers in one message. */
    struct {
        uint64_t count;
        struct vfio_user_write_multi w[2];
    } multi = {2, {{{0x100000, 0, 4}, {1, 2, 3, 4}}, {{0x100004, 0, 4}, {5, 6, 7, 8}}}};
    assert_int_equal(call(VFIO_USER_REGION_WRITE_MULTI, &multi, sizeof multi, -1), 0);
    /* Through the aperture: DATA, and back. */
    write32(2, DATA + 0x100, 0xabcd);
    assert_int_equal(read32(2, DATA + 0x100), 0xabcd);
    assert_int_equal(*(uint32_t *)(memory + DATA + 0x100), 0xabcd);
    munmap(memory, MEMORY_BYTES);
    close(fd);
    close(msi);
    close(intx);
    replay_what_was_recorded(state, 5);
}

static int start_recording_dg2(void **state)
{
    served = "dg2";
    const int result = start_recording(state);
    served = "skl";
    return result;
}

/* A ring of the copy engine in local memory counts there; what it wrote is waited for. */
static void count_in_local_memory(volatile uint32_t *memory, uint32_t wanted)
{
    enum { RING_PAGE = 0x10, COUNT_PAGE = 0x11, AT = 0x200000, BCS = 0x22000, TABLE = 8 << 20 };
    static const uint32_t count[] = {0x17c00501, COUNT_PAGE << 12, 0, 0};
    for (uint32_t i = 0; i < sizeof count / sizeof count[0]; i++)
        memory[AT / 4 + i] = count[i];
    write32(0, TABLE + RING_PAGE * 8, AT | 3);
    write32(0, TABLE + COUNT_PAGE * 8, (AT + 4096) | 3);
    write32(0, BCS + 0x3c, 0);
    write32(0, BCS + 0x34, 0);
    write32(0, BCS + 0x30, 0);
    write32(0, BCS + 0x38, RING_PAGE << 12);
    write32(0, BCS + 0x3c, 1);
    write32(0, BCS + 0x30, sizeof count);
    for (unsigned i = 0; i < 5000 && memory[AT / 4 + 1024] != wanted; i++) {
        read32(0, BCS + 0x30);
        usleep(1000);
    }
    assert_int_equal(memory[AT / 4 + 1024], wanted);
}

/* Local memory, too: what the client wrote there, mapped or not, what engines did, and what resets clear. */
static void records_local_memory(void **state)
{
    enum { OPEN_BYTES = 246 << 20, COUNT = 0x201000 };
    greet();
    struct vfio_user_region_info info = {.argsz = sizeof info + sizeof(struct vfio_user_sparse_mmap),
                                         .index = 2};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    uint32_t *const memory = mmap(NULL, OPEN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, 0);
    assert_true(memory != MAP_FAILED);
    close(reply_fd);
    count_in_local_memory(memory, 1);
    memory[COUNT / 4 + 3] = 0x33; /* beside what engines write */
    count_in_local_memory(memory, 2);
    assert_int_equal(memory[COUNT / 4 + 3], 0x33);
    write32(2, COUNT, 40);
    assert_int_equal(read32(2, COUNT), 40);
    assert_int_equal(memory[COUNT / 4], 40);
    count_in_local_memory(memory, 41);
    /* The same again behind each kind of reset. */
    write32(REGION_CONFIG, 0x78, 0x8000);
    assert_int_equal(read32(2, COUNT), 0);
    count_in_local_memory(memory, 1);
    write32(0, 0x101010, 0x80000080);
    assert_int_equal(read32(2, COUNT), 0);
    count_in_local_memory(memory, 1);
    assert_int_equal(call(VFIO_USER_DEVICE_RESET, NULL, 0, -1), 0);
    count_in_local_memory(memory, 1);
    munmap(memory, OPEN_BYTES);
    replay_what_was_recorded(state, 6);
}

static bool enclose_fails(void *user, bool threads)
{
    errno = EPERM;
    return threads != *(const bool *)user;
}

/* What is in the way is named, and nothing is left. */
static void tells_why_it_cannot_serve(void **state)
{
    (void)state;
    char path[128], long_path[200];
    snprintf(path, sizeof path, "/tmp/softgt-test-%d.sock", (int)getpid());
    memset(long_path, 'a', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = 0;
    static const bool steps[] = {false, true};
    const struct {
        struct vfio_user_options options;
        const char *what;
        int error;
    } all[] = {
        {{.device = "i740", .socket = path}, "the GGTT's memory", EINVAL},
        {{.device = "skl", .socket = long_path}, long_path, ENAMETOOLONG},
        {{.device = "skl", .socket = "/nowhere/s"}, "/nowhere/s", ENOENT},
        {{.device = "skl", .socket = path, .record = "/nowhere/r"}, "/nowhere/r", ENOENT},
        {{.device = "skl", .socket = path, .enclose = enclose_fails, .user = (void *)(uintptr_t)&steps[0]},
         "the sandbox",
         EPERM},
        {{.device = "skl", .socket = path, .enclose = enclose_fails, .user = (void *)(uintptr_t)&steps[1]},
         "the sandbox",
         EPERM},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct vfio_user_options options = all[i].options;
        const char *what = NULL;
        options.stop = &stop;
        options.message = on_message;
        assert_int_equal(vfio_user_serve(&options, &what), all[i].error);
        assert_string_equal(what, all[i].what);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

TEST_PROGRAM(vfio_user_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_why_it_cannot_serve),
        cmocka_unit_test_setup_teardown(describes_the_device, start, finish),
        cmocka_unit_test_setup_teardown(shares_local_memory, start_dg2, finish),
        cmocka_unit_test_setup_teardown(runs_in_guest_memory_and_interrupts, start, finish),
        cmocka_unit_test_setup_teardown(asks_for_memory_without_a_file, start, finish),
        cmocka_unit_test_setup_teardown(keeps_what_comes_while_it_asks, start, finish),
        cmocka_unit_test_setup_teardown(goes_on_without_an_answer, start, finish),
        cmocka_unit_test_setup_teardown(outlives_a_client_that_is_asked, start, finish),
        cmocka_unit_test_setup_teardown(takes_long_messages_in_parts, start, finish),
        cmocka_unit_test_setup_teardown(refuses_wrong_arguments, start, finish),
        cmocka_unit_test_setup_teardown(ends_hostile_clients, start, finish),
        cmocka_unit_test_setup_teardown(goes_from_half_a_message, start, finish),
        cmocka_unit_test_setup_teardown(outlives_a_client_in_a_batch, start, finish),
        cmocka_unit_test_setup_teardown(outlives_memory_that_goes, start, finish),
        cmocka_unit_test_setup_teardown(sleeps_when_idle, start, finish),
        cmocka_unit_test_setup_teardown(records_what_can_be_played, start_recording, finish_recording),
        cmocka_unit_test_setup_teardown(records_local_memory, start_recording_dg2, finish_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
