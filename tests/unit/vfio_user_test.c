/* The vfio-user server from the client's side: its answers, its use of memory and interrupts, and that no
 * message ends it. */
#include "../suite.h"
#include "aub/replay.h"
#include "gen/sheet.h"

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

#include <linux/pci_regs.h>

#include "vfio_client.h"
#include "words.h"
#include "vfio_server.h"

/* GUEST is a bus address, the others are graphics addresses. */
enum {
    GUEST = 1 << 20,
    GGTT_PAGES = 16,
    RING = PAGE_BYTES,
    STATUS = 8 * PAGE_BYTES,
    DATA = 9 * PAGE_BYTES,
    LOOP = RING + 256,
    STORED = 1234,
    STORE_DW = 6, /* length of store_and_interrupt */
};
enum { GTTMMADR = 0, LOCAL = 2, APERTURE = 2, IO = 4 };     /* regions of BARs */
enum { RCS = 0x2000, BCS = 0x22000, GGTT_TABLE = 8 << 20 }; /* in GTTMMADR */
enum { PTE_PRESENT = 1, PTE_LOCAL = 2, RING_ENABLE = 1, HEAD_OFFSET = (2 << 20) - 4 };
enum { LOCAL_BYTES = 256 << 20, OPEN_BYTES = LOCAL_BYTES - (10 << 20) }; /* the end is the firmware's */
#define SKL_VENDOR_AND_ID (0x1912u << 16 | 0x8086)

static char record_path[128];

/* Commands and registers are those of these devices, which run nothing. */
static struct softgt *skl, *dg2;

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

static int open_devices(void **state)
{
    (void)state;
    const struct softgt_config config = {.device = "skl", .memory = {.read = no_memory}},
                               local = {.device = "dg2", .memory = {.read = no_memory}};
    return softgt_create(&config, &skl) || softgt_create(&local, &dg2);
}

static int close_devices(void **state)
{
    (void)state;
    softgt_destroy(skl);
    softgt_destroy(dg2);
    return 0;
}

static uint32_t reg_get(const char *name)
{
    return read32(GTTMMADR, register_offset(skl, name));
}

static void reg_put(const char *name, uint32_t value)
{
    write32(GTTMMADR, register_offset(skl, name), value);
}

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

/* The server must exit with 0 and remove its socket. */
static int finish(void **state)
{
    (void)state;
    return !server_finish() || access(socket_path, F_OK) == 0;
}

/* Maps the first pages of the GGTT to GUEST and runs these dwords of the ring of rcs0. */
static void run_ring(unsigned count)
{
    for (uint32_t page = 0; page < GGTT_PAGES; page++) {
        write32(GTTMMADR, GGTT_TABLE + page * 8, (GUEST + page * PAGE_BYTES) | PTE_PRESENT);
        write32(GTTMMADR, GGTT_TABLE + page * 8 + 4, 0);
    }
    reg_put("GFX_FLSH_CNTL", 1);
    reg_put("rcs0.HWS_PGA", STATUS);
    reg_put("rcs0.IMR", ~1u);
    reg_put("GT_INTERRUPT_0_IMR", 0);
    reg_put("GT_INTERRUPT_0_IER", UINT32_MAX);
    reg_put("MASTER_INTERRUPT_CONTROL", 1u << 31);
    reg_put("rcs0.MI_MODE", REGISTER_BITS(skl, "rcs0.MI_MODE", {"Mask", 1 << 8}, {"Stop Ring", 0}));
    reg_put("rcs0.RING_BUFFER_START", RING);
    reg_put("rcs0.RING_BUFFER_HEAD", 0);
    reg_put("rcs0.RING_BUFFER_CTL", RING_ENABLE);
    reg_put("rcs0.RING_BUFFER_TAIL", count * 4);
}

/* Puts commands at the start of the ring; returns their length in dwords. */
#define RING_PUT(memory, ...) assemble(skl, 0, (uint32_t *)(void *)((memory) + RING), __VA_ARGS__)

/* Stores STORED at DATA and raises an interrupt. */
static void store_and_interrupt(uint8_t *memory)
{
    assert_int_equal(RING_PUT(memory,
                              "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n"
                              "MI_USER_INTERRUPT\n"
                              "MI_NOOP",
                              DATA, STORED),
                     STORE_DW);
}

/* Resets of dg2: by configuration space, and by the driver's register. */
static void function_reset(void)
{
    enum { EXPRESS = 0x70 };
    write32(REGION_CONFIG, EXPRESS + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_BCR_FLR);
}

static void driver_reset(void)
{
    enum { INITIALISED = 1 << 7 };
    write32(GTTMMADR, register_offset(dg2, "GU_CNTL"), 1u << 31 | INITIALISED);
}

/* Message interrupts of skl. */
static void enable_msi(void)
{
    enum { MSI = 0xac };
    write32(REGION_CONFIG, MSI, PCI_MSI_FLAGS_ENABLE << 16 | 0xd0 << 8 | PCI_CAP_ID_MSI);
}

/* ---- Tests ---- */

static void describes_the_device(void **state)
{
    (void)state;
    enum { ENTRY = 12345 * PAGE_BYTES | PTE_PRESENT };
    greet();
    struct vfio_user_device_info device = {sizeof device, 0, 0, 0};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_INFO, &device, sizeof device, -1), 0);
    memcpy(&device, reply, sizeof device);
    assert_int_equal(device.regions, 9);
    assert_int_equal(device.interrupts, 5);
    assert_int_equal(device.flags, DEVICE_RESETTABLE | DEVICE_PCI);

    /* A client whose buffer is too short gets the needed length, and asks again. */
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

    /* The table is shared memory: it changes without a message, and it cannot be truncated. */
    uint64_t *entries = mmap(NULL, GGTT_TABLE, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, GGTT_TABLE);
    assert_true(entries != MAP_FAILED);
    entries[5] = ENTRY;
    assert_int_equal(read32(GTTMMADR, GGTT_TABLE + 5 * 8), ENTRY);
    assert_int_equal(ftruncate(reply_fd, 4096), -1);
    munmap(entries, GGTT_TABLE);
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
    assert_int_equal(read32(REGION_CONFIG, 0), SKL_VENDOR_AND_ID);
    /* A register: written, read, reset. */
    reg_put("rcs0.EMR", STORED);
    assert_int_equal(reg_get("rcs0.EMR") & UINT16_MAX, STORED);
    assert_int_equal(call(VFIO_USER_DEVICE_RESET, NULL, 0, -1), 0);
    assert_int_equal(reg_get("rcs0.EMR"), UINT32_MAX);
    /* Several writes in one message. */
    const uint64_t fence = register_offset(skl, "FENCE[0]");
    struct {
        uint64_t count;
        struct vfio_user_write_multi w[2];
    } multi = {2, {{{fence, 0, 4}, {1, 2, 3, 4}}, {{fence + 4, 0, 4}, {5, 6, 7, 8}}}};
    assert_int_equal(call(VFIO_USER_REGION_WRITE_MULTI, &multi, sizeof multi, -1), 0);
    assert_int_equal(read32(GTTMMADR, fence), 1 | 2 << 8 | 3 << 16 | 4 << 24);
    assert_int_equal(read32(GTTMMADR, fence + 4), 5 | 6 << 8 | 7 << 16 | 8 << 24);
    hang_up();
}

static int start_dg2(void **state)
{
    served = "dg2";
    const int result = start(state);
    served = "skl";
    return result;
}

/* Local memory is a file that the client maps, except the end, which is the firmware's. A reset clears it.
 * (SYS-08) */
static void shares_local_memory(void **state)
{
    (void)state;
    skip_unless_pages_are_removed();
    enum { PLACE = 4 * PAGE_BYTES, FIRST = 1234, LAST = 5678 };
    greet();
    struct vfio_user_region_info info = {.argsz = sizeof info + sizeof(struct vfio_user_sparse_mmap),
                                         .index = LOCAL};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&info, reply, sizeof info);
    assert_int_equal(info.size_bytes, LOCAL_BYTES);
    struct vfio_user_sparse_mmap shared;
    memcpy(&shared, reply + sizeof info, sizeof shared);
    assert_int_equal(shared.offset, 0);
    assert_int_equal(shared.size_bytes, OPEN_BYTES);
    assert_true(reply_fd >= 0);
    uint32_t *memory = mmap(NULL, OPEN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(ftruncate(reply_fd, 4096), -1);
    close(reply_fd);
    memory[PLACE / 4] = FIRST;
    assert_int_equal(read32(LOCAL, PLACE), FIRST);
    write32(LOCAL, OPEN_BYTES - 4, LAST);
    assert_int_equal(read32(LOCAL, OPEN_BYTES - 4), LAST); /* and it was written */
    assert_int_equal(memory[OPEN_BYTES / 4 - 1], LAST);
    write32(LOCAL, OPEN_BYTES, 1);
    assert_int_equal(read32(LOCAL, OPEN_BYTES), 0);
    assert_int_equal(call(VFIO_USER_DEVICE_RESET, NULL, 0, -1), 0);
    assert_int_equal(memory[PLACE / 4], 0);
    assert_int_equal(memory[OPEN_BYTES / 4 - 1], 0);
    /* Resets of the function clear it, too: by configuration space (SYS-06), and by the driver. */
    memory[PLACE / 4] = FIRST;
    function_reset();
    assert_int_equal(read32(LOCAL, PLACE), 0);
    assert_int_equal(memory[PLACE / 4], 0);
    memory[PLACE / 4] = FIRST;
    driver_reset();
    assert_int_equal(read32(LOCAL, PLACE), 0);
    assert_int_equal(memory[PLACE / 4], 0);
    info = (struct vfio_user_region_info){.argsz = sizeof info, .index = 4};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&info, reply, sizeof info);
    assert_int_equal(info.size_bytes, 0);
    memory[7] = 7;
    hang_up();
    greet(); /* the next client finds nothing of it */
    assert_int_equal(read32(LOCAL, 28), 0);
    hang_up();
    munmap(memory, OPEN_BYTES);
}

static void runs_in_guest_memory_and_interrupts(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    assert_int_equal(map(GUEST, GUEST_BYTES, fd), 0);
    assert_int_equal(map(GUEST + 4096, 4096, fd), EEXIST);
    const int msi = eventfd(0, EFD_NONBLOCK), intx = eventfd(0, EFD_NONBLOCK);
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, intx), 0);
    assert_int_equal(set_irqs(INTERRUPT_MSI, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, msi), 0);
    store_and_interrupt(memory);

    /* The pin, as MSI is not enabled: once until the client unmasks it. Then again, as it is not
     * acknowledged. */
    run_ring(STORE_DW);
    assert_true(rung(intx, 5000));
    assert_int_equal(*(uint32_t *)(memory + DATA), STORED);
    assert_false(rung(msi, 0));
    assert_int_equal(read32(REGION_CONFIG, PCI_COMMAND) & PCI_STATUS_INTERRUPT << 16,
                     PCI_STATUS_INTERRUPT << 16);
    assert_false(rung(intx, 50));
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_NONE | IRQ_ACTION_UNMASK, 1, -1), 0);
    assert_true(rung(intx, 5000));
    reg_put("GT_INTERRUPT_0_IIR", 1); /* acknowledged */
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_NONE | IRQ_ACTION_UNMASK, 1, -1), 0);
    assert_false(rung(intx, 50));

    /* A message, when it is enabled. */
    enable_msi();
    memset(memory + DATA, 0, 4);
    reg_put("rcs0.RING_BUFFER_TAIL", 0);
    run_ring(STORE_DW);
    assert_true(rung(msi, 5000));
    assert_int_equal(*(uint32_t *)(memory + DATA), STORED);
    assert_false(rung(intx, 0));

    /* Memory that is unmapped is not written. */
    const struct vfio_user_dma_unmap u = {sizeof u, 0, GUEST, GUEST_BYTES};
    memset(memory + DATA, 0, 4);
    assert_int_equal(call(VFIO_USER_DMA_UNMAP, &u, sizeof u, -1), 0);
    assert_int_equal(reply_header.size_bytes, sizeof reply_header + sizeof u);
    assert_int_equal(call(VFIO_USER_DMA_UNMAP, &u, sizeof u, -1), EINVAL);
    reg_put("rcs0.RING_BUFFER_TAIL", 0);
    run_ring(STORE_DW);
    reg_get("rcs0.RING_BUFFER_HEAD");
    assert_int_equal(*(uint32_t *)(memory + DATA), 0);
    munmap(memory, GUEST_BYTES);
    close(fd);
    close(msi);
    close(intx);
    hang_up();
}

/* True: the next message is the answer to a command. Else it accesses memory without a file, and is answered.
 */
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
    assert_true(at.address >= GUEST && at.address + at.count_bytes <= GUEST + GUEST_BYTES);
    const bool read = h.command == VFIO_USER_DMA_READ;
    if (!read) {
        assert_int_equal(h.command, VFIO_USER_DMA_WRITE);
        memcpy(memory + (at.address - GUEST), reply + sizeof at, at.count_bytes);
    }
    h.flags = VFIO_USER_TYPE_REPLY;
    h.size_bytes = (uint32_t)(sizeof h + sizeof at + (read ? at.count_bytes : 0));
    memcpy(out, &h, sizeof h);
    memcpy(out + sizeof h, &at, sizeof at);
    if (read)
        memcpy(out + sizeof h + sizeof at, memory + (at.address - GUEST), at.count_bytes);
    send_raw(out, h.size_bytes, -1);
    return false;
}

/* The server accesses memory without a file descriptor by messages. */
static void asks_for_memory_without_a_file(void **state)
{
    (void)state;
    static uint8_t memory[GUEST_BYTES];
    greet();
    assert_int_equal(map(GUEST, GUEST_BYTES, -1), 0);
    store_and_interrupt(memory);
    run_ring(STORE_DW);
    while (*(uint32_t *)(memory + DATA) != STORED)
        assert_false(answered(memory));
    hang_up();
}

/* Waits until a dword is 1. */
#define AWAIT_ONE                                                                                            \
    "MI_SEMAPHORE_WAIT memory_type = \"Global Graphics Address\", wait_mode = \"Polling Mode\","             \
    " compare_operation = SAD_EQUAL_SDD, semaphore_data_dword = 1, semaphore_address = %u"

/* Two engines poll DATA by messages until it is 1. Returns when they have begun. */
static void wait_in_two_engines(uint8_t *memory)
{
    greet();
    assert_int_equal(map(GUEST, GUEST_BYTES, -1), 0);
    memset(memory, 0, GUEST_BYTES);
    const uint32_t length_dw =
        RING_PUT(memory, AWAIT_ONE "\nMI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u",
                 DATA, DATA + 8, STORED);
    reg_put("bcs0.HWS_PGA", STATUS + PAGE_BYTES);
    reg_put("bcs0.RING_BUFFER_START", RING);
    reg_put("bcs0.RING_BUFFER_CTL", RING_ENABLE);
    run_ring(length_dw);
    reg_put("bcs0.RING_BUFFER_TAIL", length_dw * 4);
    for (unsigned looks = 0; looks < 8;) {
        assert_false(answered(memory));
        struct vfio_user_dma_access at;
        memcpy(&at, reply, sizeof at);
        looks += at.address == GUEST + DATA;
    }
}

/* Commands that arrive while the server waits for memory are answered later, in order. */
static void keeps_what_comes_while_it_asks(void **state)
{
    (void)state;
    static uint8_t memory[GUEST_BYTES];
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
    while (*(uint32_t *)(memory + DATA + 8) != STORED)
        assert_false(answered(memory));
    hang_up();
}

/* A client that does not answer for a second is served, and asked again after its next message. */
static void goes_on_without_an_answer(void **state)
{
    (void)state;
    static uint8_t memory[GUEST_BYTES];
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

/* A client that stops reading or closes the socket while the server asks it for memory. The next client is
 * served. */
static void outlives_a_client_that_is_asked(void **state)
{
    (void)state;
    static uint8_t memory[GUEST_BYTES];
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
    assert_int_equal(read32(REGION_CONFIG, 0), SKL_VENDOR_AND_ID);
    hang_up();
}

/* Messages of nearly a megabyte in sequence: parts of two are in the server's buffer at once. */
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
        w->at = (struct vfio_user_region_access){GGTT_TABLE + i * 1000000, 0, LONG_BYTES};
        memset(w->data, (int)i + 1, LONG_BYTES);
        for (size_t sent = 0; sent < sizeof *w;) {
            const ssize_t n = send(client, (const uint8_t *)w + sent, sizeof *w - sent, MSG_NOSIGNAL);
            assert_true(n > 0);
            sent += (size_t)n;
        }
    }
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(read32(GTTMMADR, GGTT_TABLE + i * 1000000), (i + 1) * (UINT32_MAX / 255));
        assert_int_equal(read32(GTTMMADR, GGTT_TABLE + i * 1000000 + LONG_BYTES - 4),
                         (i + 1) * (UINT32_MAX / 255));
    }
    free(w);
    hang_up();
}

/* Wrong arguments get an error; the connection stays. */
static void refuses_wrong_arguments(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    munmap(memory, GUEST_BYTES);
    assert_int_equal(call(99, NULL, 0, -1), ENOTSUP);
    assert_int_equal(call(VFIO_USER_REGION_READ, "abc", 3, -1), EINVAL);
    static const struct vfio_user_region_access reads[] = {
        {16 << 20, 0, 4},       {(16 << 20) - 2, 0, 4},  {0, 1, 4},       {0, 99, 4},
        {UINT64_MAX, 0, 4},     {0, 0, UINT32_MAX},      {0, 0, 2 << 20}, {UINT64_MAX - 3, 7, 8},
        {UINT32_MAX - 3, 0, 4}, {4096, REGION_CONFIG, 1}};
    for (size_t i = 0; i < sizeof reads / sizeof reads[0]; i++) {
        assert_int_equal(call(VFIO_USER_REGION_READ, &reads[i], sizeof reads[i], -1), EINVAL);
        assert_int_equal(call(VFIO_USER_REGION_WRITE, &reads[i], sizeof reads[i], -1), EINVAL);
    }
    enum { MAP = sizeof(struct vfio_user_dma_map), RW = DMA_READABLE | DMA_WRITABLE, PAGE = PAGE_BYTES };
    const struct vfio_user_dma_map maps[] = {{MAP, RW, 0, PAGE, 0},
                                             {MAP, RW, 0, UINT64_MAX - 100, PAGE},
                                             {MAP, RW, 0, PAGE, GUEST_BYTES + PAGE},
                                             {MAP, RW, PAGE / 2, PAGE, PAGE},
                                             {MAP, 0, 0, PAGE, PAGE},
                                             {MAP, RW, UINT64_MAX - PAGE + 1, PAGE, PAGE}};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        assert_int_equal(call(VFIO_USER_DMA_MAP, &maps[i], sizeof maps[i], fd), EINVAL);
    const struct vfio_user_dma_unmap unmaps[] = {
        {24, 0, 0, 0}, {24, 0, 0, UINT64_MAX}, {24, 0, UINT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < sizeof unmaps / sizeof unmaps[0]; i++)
        assert_int_equal(call(VFIO_USER_DMA_UNMAP, &unmaps[i], sizeof unmaps[i], -1), EINVAL);
    /* Half of a mapping does not go. */
    assert_int_equal(map(GUEST, 4 * PAGE_BYTES, fd), 0);
    const struct vfio_user_dma_unmap half = {24, 0, GUEST, 2 * PAGE_BYTES};
    assert_int_equal(call(VFIO_USER_DMA_UNMAP, &half, sizeof half, -1), EINVAL);
    const struct vfio_user_irq_set sets[] = {
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 7, 0, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 0, 1, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 1, 0, 2},
        {20, IRQ_DATA_NONE, 0, 0, 1},
        {20, IRQ_DATA_BOOL | IRQ_ACTION_TRIGGER, 0, 0, 1},
        {20, IRQ_ACTION_TRIGGER, 0, 0, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_MASK, 1, 0, 1},
        {20, UINT32_MAX, 0, 0, 1},
        {20, IRQ_DATA_NONE | IRQ_ACTION_TRIGGER, 0, UINT32_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        assert_int_equal(call(VFIO_USER_DEVICE_SET_IRQS, &sets[i], sizeof sets[i], -1), EINVAL);
    const uint64_t many[] = {UINT64_MAX, 0, 0};
    assert_int_equal(call(VFIO_USER_REGION_WRITE_MULTI, many, sizeof many, -1), EINVAL);
    struct vfio_user_region_info info = {.argsz = sizeof info, .index = 9};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), EINVAL);
    assert_int_equal(read32(REGION_CONFIG, 0), SKL_VENDOR_AND_ID);
    close(fd);
    hang_up();
}

/* A message that is invalid ends the connection; the next client is served. */
static void ends_hostile_clients(void **state)
{
    (void)state;
    static const struct {
        struct vfio_user_header header;
        const char *payload;
    } wrong[] = {
        {{1, VFIO_USER_VERSION, 4, 0, 0}, ""},
        {{1, VFIO_USER_VERSION, UINT32_MAX, 0, 0}, ""},
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
    assert_int_equal(read32(REGION_CONFIG, 0), SKL_VENDOR_AND_ID);
    hang_up();
}

/* The server waits for the rest of a message for a limited time. Meanwhile an engine polls memory. */
static void goes_from_half_a_message(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    assert_int_equal(map(GUEST, GUEST_BYTES, fd), 0);
    run_ring(RING_PUT(memory, AWAIT_ONE, DATA));
    reg_get("rcs0.RING_BUFFER_HEAD");
    send_raw("\1\0\1\0\x40", 5, -1);
    struct pollfd p = {.fd = client, .events = POLLIN};
    assert_int_equal(poll(&p, 1, 5000), 0);
    assert_int_equal(poll(&p, 1, 15000), 1);
    assert_int_equal(recv(client, reply, sizeof reply, 0), 0);
    munmap(memory, GUEST_BYTES);
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
    assert_int_equal(map(GUEST, GUEST_BYTES, fd), 0);
    /* A batch that starts itself. */
    const uint32_t length_dw =
        RING_PUT(memory, "MI_BATCH_BUFFER_START batch_buffer_start_address = %u\nMI_NOOP", LOOP);
    memcpy(memory + LOOP, memory + RING, length_dw * 4);
    run_ring(length_dw);
    assert_int_equal(reg_get("rcs0.RING_BUFFER_HEAD") & HEAD_OFFSET, 3 * 4);
    for (int i = 0; i < 1000 && (reg_get("rcs0.ACTHD") & ~3u) != LOOP; i++)
        usleep(1000);
    assert_int_equal(reg_get("rcs0.ACTHD") & ~3u, LOOP); /* it is in the loop */
    munmap(memory, GUEST_BYTES);
    close(fd);
    hang_up();
    greet();
    assert_int_equal(reg_get("rcs0.RING_BUFFER_CTL"), 0);
    assert_int_equal(read32(GTTMMADR, GGTT_TABLE), 0);
    hang_up();
}

/* A client that truncates the file of its memory loses the connection; the server continues. */
static void outlives_memory_that_goes(void **state)
{
    (void)state;
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    store_and_interrupt(memory);
    assert_int_equal(map(GUEST, GUEST_BYTES, fd), 0);
    assert_int_equal(ftruncate(fd, 0), 0);
    run_ring(STORE_DW);
    assert_false(receive());
    munmap(memory, GUEST_BYTES);
    close(fd);
    hang_up();
    greet();
    assert_int_equal(read32(REGION_CONFIG, 0), SKL_VENDOR_AND_ID);
    hang_up();
}

/* Nothing to do: no processor time. */
static void sleeps_when_idle(void **state)
{
    (void)state;
    greet();
    reg_get("rcs0.RING_BUFFER_HEAD");
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

/* The server exits with 0, and its recording replays without an error. */
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

/* Adds 1 to a dword. */
#define COUNT "MI_ATOMIC memory_type = \"Global Graphics Address\", atomic_opcode = INC, memory_address = %u"

/* A recording can be replayed without the client: memory, table, registers, results. */
static void records_what_can_be_played(void **state)
{
    greet();
    int fd;
    uint8_t *memory = guest_memory(&fd);
    const int msi = eventfd(0, EFD_NONBLOCK), intx = eventfd(0, EFD_NONBLOCK);
    assert_int_equal(map(GUEST, GUEST_BYTES, fd), 0);
    assert_int_equal(set_irqs(INTERRUPT_INTX, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, intx), 0);
    assert_int_equal(set_irqs(INTERRUPT_MSI, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, msi), 0);
    for (uint32_t i = 0; i < 5; i++) {
        if (i == 1) /* by the pin until then */
            enable_msi();
        /* Counts by an atomic, beside what the client writes into the same page. */
        const uint32_t length_dw = RING_PUT(memory, COUNT "\nMI_USER_INTERRUPT", DATA);
        memcpy(memory + DATA + 8 * (i + 1), &i, 4);
        reg_put("rcs0.RING_BUFFER_TAIL", 0);
        reg_put("rcs0.RING_BUFFER_HEAD", 0);
        run_ring(length_dw);
        assert_true(rung(i ? msi : intx, 5000));
        assert_int_equal(*(uint32_t *)(memory + DATA), i + 1);
        assert_int_equal(*(uint32_t *)(memory + DATA + 8 * (i + 1)), i);
        reg_put("GT_INTERRUPT_0_IIR", 1);
    }
    /* Several registers in one message. */
    const uint64_t fence = register_offset(skl, "FENCE[0]");
    struct {
        uint64_t count;
        struct vfio_user_write_multi w[2];
    } multi = {2, {{{fence, 0, 4}, {1, 2, 3, 4}}, {{fence + 4, 0, 4}, {5, 6, 7, 8}}}};
    assert_int_equal(call(VFIO_USER_REGION_WRITE_MULTI, &multi, sizeof multi, -1), 0);
    /* Through the aperture. */
    enum { PLACE = DATA + 256 };
    write32(APERTURE, PLACE, STORED);
    assert_int_equal(read32(APERTURE, PLACE), STORED);
    assert_int_equal(*(uint32_t *)(memory + PLACE), STORED);
    munmap(memory, GUEST_BYTES);
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

enum { COPY_INDEX = 1 }; /* the index of bcs0 */

/* Addresses in local memory. */
enum { LOCAL_RING = 2 << 20, LOCAL_COUNT = LOCAL_RING + PAGE_BYTES };

/* A ring of the copy engine in local memory counts there. Returns when the count is this. */
static void count_in_local_memory(volatile uint32_t *memory, uint32_t wanted)
{
    enum { RING_PAGE = 16, COUNT_PAGE = 17, LOCAL_PTE = PTE_PRESENT | PTE_LOCAL };
    uint32_t count[4] = {0};
    assemble(dg2, COPY_INDEX, count, COUNT, COUNT_PAGE * PAGE_BYTES);
    for (uint32_t i = 0; i < sizeof count / sizeof count[0]; i++)
        memory[LOCAL_RING / 4 + i] = count[i];
    write32(GTTMMADR, GGTT_TABLE + RING_PAGE * 8, LOCAL_RING | LOCAL_PTE);
    write32(GTTMMADR, GGTT_TABLE + COUNT_PAGE * 8, LOCAL_COUNT | LOCAL_PTE);
    write32(GTTMMADR, BCS + RING_BUFFER_CTL, 0);
    write32(GTTMMADR, BCS + RING_BUFFER_HEAD, 0);
    write32(GTTMMADR, BCS + RING_BUFFER_TAIL, 0);
    write32(GTTMMADR, BCS + RING_BUFFER_START, RING_PAGE * PAGE_BYTES);
    write32(GTTMMADR, BCS + RING_BUFFER_CTL, RING_ENABLE);
    write32(GTTMMADR, BCS + RING_BUFFER_TAIL, sizeof count);
    for (unsigned i = 0; i < 5000 && memory[LOCAL_COUNT / 4] != wanted; i++) {
        read32(GTTMMADR, BCS + RING_BUFFER_TAIL);
        usleep(1000);
    }
    assert_int_equal(memory[LOCAL_COUNT / 4], wanted);
}

/* Local memory is recorded: writes of the client, mapped or not, writes of engines, resets. */
static void records_local_memory(void **state)
{
    skip_unless_pages_are_removed();
    greet();
    struct vfio_user_region_info info = {.argsz = sizeof info + sizeof(struct vfio_user_sparse_mmap),
                                         .index = LOCAL};
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    uint32_t *const memory = mmap(NULL, OPEN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, 0);
    assert_true(memory != MAP_FAILED);
    close(reply_fd);
    count_in_local_memory(memory, 1);
    memory[LOCAL_COUNT / 4 + 3] = 0x33; /* beside what engines write */
    count_in_local_memory(memory, 2);
    assert_int_equal(memory[LOCAL_COUNT / 4 + 3], 0x33);
    write32(LOCAL, LOCAL_COUNT, 40);
    assert_int_equal(read32(LOCAL, LOCAL_COUNT), 40);
    assert_int_equal(memory[LOCAL_COUNT / 4], 40);
    count_in_local_memory(memory, 41);
    /* The same after each kind of reset. */
    function_reset();
    assert_int_equal(read32(LOCAL, LOCAL_COUNT), 0);
    count_in_local_memory(memory, 1);
    driver_reset();
    assert_int_equal(read32(LOCAL, LOCAL_COUNT), 0);
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

/* The error names its cause, and no socket stays. */
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
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
