/* A server with virtual functions from their clients' sides: each has a socket and what is its own, and no
 * client's end, silence or flood is felt at another's. */
#include "../suite.h"
#include "device/device.h"
#include "driver/driver.h"
#include "server/function_shares.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "guc/registers.h"

#include "vfio_client.h"
#include "vfio_server.h"
#include "function_devices.h"
#include "function_memory.h"
#include "words.h"

enum { VFS = 2, TABLE = 8 * MB, LOCAL = 2 };
/* And after the buffers of function_memory.h: */
enum {
    CONTEXT = 64 * KB,
    RING = CONTEXT + 24 * KB,
    RING_BYTES = 4 * KB,
    RESULTS = 128 * KB,
    USED_BYTES = 192 * KB,
};
/* Device and vendor; a number that is stored. */
static uint32_t ids(void)
{
    return is_xe2() ? 0xe20b8086 : 0x56c08086;
}
enum { GOOD = 0x600d };
/* Of a context descriptor. (Linux, intel_lrc_reg.h) */
enum { CTX_VALID = 1 << 0, CTX_48_BIT = 3 << 3, CTX_PRIVILEGE = 1 << 8 };
enum { CTX_FLAGS = CTX_VALID | CTX_48_BIT | CTX_PRIVILEGE };
/* Dwords of the image. */
enum { IMAGE_DW = 1024, IMAGE_RING_TAIL = 7, MI_NOOP = 0 };
/* Memory-based interrupts, from EVENTS on. (Linux, xe_memirq.c) */
enum { INTERRUPT_GUC = 25, MEMIRQ_STATUS = 16 * INTERRUPT_GUC, MEMIRQ_SOURCE = 1 * KB + INTERRUPT_GUC };
/* The version of the interface with the GuC; a request of a VF to the PF, and the version there. */
static uint32_t vf_abi_version(void)
{
    return 1u << 16 | (is_xe2() ? 2u : 1u) << 8;
}
enum { RELAY_HANDSHAKE = 1, RELAY_VERSION = 1 << 16 };
/* Configuration space. */
enum { MSI_CONTROL = 172, CAPABILITIES = 256, SRIOV = 288 };
#define VF_KEY(name) guc_key("VF2GUC_QUERY_SINGLE_KLV", (name))
#define SUCCESS      GUC_SUCCESS_OF(0)

static char folder[96];

static const char *path_of(unsigned function)
{
    if (function)
        snprintf(socket_path, sizeof socket_path, "%s/vf%u", folder, function);
    else
        snprintf(socket_path, sizeof socket_path, "%s/pf", folder);
    return socket_path;
}

static int start(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/softgt-functions-%d", (int)getpid());
    server_start((struct vfio_user_options){.device = function_device, .socket = folder, .functions = VFS},
                 path_of(VFS));
    return 0;
}

/* With the physical one's client as the one that decides. */
static int start_decided(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/softgt-functions-%d", (int)getpid());
    server_start(
        (struct vfio_user_options){
            .device = function_device, .socket = folder, .functions = VFS, .pf_decides = true},
        path_of(VFS));
    return 0;
}

/* The server must end well, and take its sockets with it. */
static int finish(void **state)
{
    (void)state;
    return !server_finish() || rmdir(folder) != 0;
}

/* ---- A function's driver ---- */

static void *no_memory(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)address, (void)length_bytes, (void)write;
    return NULL;
}

/* A device like the server's, for the names of registers and commands. */
static struct softgt *model(void)
{
    static struct softgt *devices[2];
    struct softgt **const device = &devices[is_xe2()];
    const struct softgt_config config = {.device = function_device, .memory.map = no_memory};
    if (!*device)
        assert_int_equal(softgt_create(&config, device), 0);
    return *device;
}

static unsigned copy_engine(void)
{
    unsigned engine = 0;
    while (model()->sheet->engines[engine].class != CLASS_COPY)
        engine++;
    return engine;
}

static uint32_t named_read(const char *name)
{
    return read32(0, register_offset(model(), name));
}

static void named_write(const char *name, uint32_t value)
{
    write32(0, register_offset(model(), name), value);
}

struct vf {
    unsigned number;
    int socket, told;
    uint8_t *memory;
    uint32_t *local;
    uint64_t local_bytes;
    uint32_t ggtt, tail_dw, fence, ring_tail;
};

static void use(const struct vf *v)
{
    client = v->socket;
}

static uint32_t *at(const struct vf *v, uint32_t place)
{
    return (uint32_t *)(void *)(v->memory + place);
}

static uint32_t mailbox(uint32_t d0, uint32_t d1, uint32_t d2)
{
    const uint32_t dw[MAILBOX_DW] = {d0, d1, d2};
    for (uint32_t i = MAILBOX_DW; i--;)
        write32(0, GUC_MAILBOX + i * 4, dw[i]);
    write32(0, GUC_HOST_INTERRUPT, 0);
    return named_read("GUC_MAILBOX[0]");
}

static void configure(const struct vf *v, const char *key, uint32_t length_dw, uint32_t place)
{
    assert_int_equal(mailbox(H2G("SELF_CFG"), GUC_KLV(guc_key("SELF_CFG", key), length_dw),
                             length_dw == 1 ? place : v->ggtt + place),
                     GUC_SUCCESS_OF(1));
}

static void map_local(struct vf *v)
{
    struct vfio_user_region_info info = {.argsz = sizeof info + sizeof(struct vfio_user_sparse_mmap),
                                         .index = LOCAL};
    struct vfio_user_sparse_mmap area;
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&info, reply, sizeof info);
    memcpy(&area, reply + sizeof info, sizeof area);
    assert_true(reply_fd >= 0);
    v->local_bytes = area.size_bytes;
    v->local = mmap(NULL, area.size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd,
                    (off_t)(info.offset + area.offset));
    assert_true(v->local != MAP_FAILED);
    /* Behind it there is nobody else's. */
    struct stat file;
    assert_int_equal(fstat(reply_fd, &file), 0);
    assert_true((uint64_t)file.st_size >= area.size_bytes);
    assert_true(area.size_bytes <= info.size_bytes);
    assert_int_equal(ftruncate(reply_fd, 4096), -1);
    close(reply_fd);
}

static struct vf connect_to(unsigned number)
{
    struct vf v = {.number = number, .told = eventfd(0, 0)};
    int fd;
    path_of(number);
    greet();
    v.socket = client;
    v.memory = guest_memory(&fd);
    assert_int_equal(map(0, GUEST_BYTES, fd), 0);
    close(fd);
    return v;
}

static void leave(struct vf *v)
{
    close(v->socket);
    close(v->told);
    munmap(v->memory, GUEST_BYTES);
    if (v->local)
        munmap(v->local, v->local_bytes);
}

/* As the driver of Linux does. A function that is being reset answers its mailbox when that is done. */
static struct vf bring_up(unsigned number)
{
    struct vf v = connect_to(number);
    write32(REGION_CONFIG, 4, 6);
    assert_int_equal(read32(REGION_CONFIG, 4) & 6, 6);
    assert_int_equal(read32(REGION_CONFIG, 0), ids());
    assert_int_equal(set_irqs(INTERRUPT_MSI, IRQ_DATA_EVENTFD | IRQ_ACTION_TRIGGER, 1, v.told), 0);
    write32(REGION_CONFIG, MSI_CONTROL, 1 << 16 | 5);
    assert_int_equal(named_read("VF_CAP"), 1);
    uint32_t answer = mailbox(H2G("CLIENT_SOFT_RESET"), 0, 0);
    for (unsigned i = 0; i < 500 && answer != SUCCESS; i++) {
        usleep(10000);
        answer = named_read("GUC_MAILBOX[0]");
    }
    assert_int_equal(answer, SUCCESS);
    assert_int_equal(mailbox(H2G("VF2GUC_MATCH_VERSION"), vf_abi_version(), 0), SUCCESS);
    assert_int_equal(mailbox(H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY("GGTT start"), 0), GUC_SUCCESS_OF(2));
    v.ggtt = named_read("GUC_MAILBOX[1]");
    for (uint32_t page = 0; page < USED_BYTES / 4096; page++) {
        write32(0, TABLE + (v.ggtt / 4096 + page) * 8, page * 4096 | 1);
        write32(0, TABLE + (v.ggtt / 4096 + page) * 8 + 4, 0);
    }
    configure(&v, "interrupt source", 2, EVENTS + MEMIRQ_SOURCE);
    configure(&v, "interrupt events", 2, EVENTS + MEMIRQ_STATUS);
    configure(&v, "H2G address", 2, H2G_BUFFER);
    configure(&v, "H2G descriptor", 2, H2G_DESCRIPTOR);
    configure(&v, "H2G size", 1, H2G_BYTES);
    configure(&v, "G2H address", 2, G2H_BUFFER);
    configure(&v, "G2H descriptor", 2, G2H_DESCRIPTOR);
    configure(&v, "G2H size", 1, G2H_BYTES);
    assert_int_equal(mailbox(H2G("CONTROL_CTB"), 1, 0), SUCCESS);
    map_local(&v);
    return v;
}

static void send_guc(struct vf *v, uint32_t type, uint32_t action, const uint32_t *payload,
                     uint32_t length_dw)
{
    const uint32_t head[2] = {++v->fence << 16 | (length_dw + 1), type << 28 | action};
    for (uint32_t i = 0; i < length_dw + 2; i++) {
        at(v, H2G_BUFFER)[v->tail_dw] = i < 2 ? head[i] : payload[i - 2];
        v->tail_dw = (v->tail_dw + 1) % (H2G_BYTES / 4);
    }
    at(v, H2G_DESCRIPTOR)[1] = v->tail_dw;
    named_write("GUC_HOST_INTERRUPT", 0);
}

#define SEND(v, type, action, ...)                                                                           \
    send_guc((v), (type), H2G(action), (const uint32_t[]){__VA_ARGS__},                                      \
             sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static bool appears(const volatile uint32_t *where, uint32_t value)
{
    for (unsigned i = 0; i < 5000 && *where != value; i++)
        usleep(1000);
    return *where == value;
}

/* A context on the copy engine; `space` NULL: with no address space of its own. */
static void register_context_in(struct vf *v, const struct driver_ppgtt *space)
{
    enum { COPY_CLASS = 3 };
    const struct engine_info *e = &model()->sheet->engines[copy_engine()];
    const struct driver_context context = {
        .ring = {v->ggtt + RING, RING_BYTES, 0, 0}, .control = DRIVER_FRESH_CONTEXT, .ppgtt = space};
    driver_image(e, &context, at(v, CONTEXT + DRIVER_IMAGE_OFFSET), IMAGE_DW);
    SEND(v, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, 0, COPY_CLASS, 1, 0, 0, 0, 0, 0,
         (v->ggtt + CONTEXT) | CTX_FLAGS, 0);
    SEND(v, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 0, 1);
}

static void register_context(struct vf *v)
{
    register_context_in(v, NULL);
}

__attribute__((format(printf, 2, 3))) static void work(struct vf *v, const char *format, ...)
{
    uint32_t dw[64];
    va_list values;
    va_start(values, format);
    uint32_t length_dw = assemble_list(model(), copy_engine(), dw, format, values);
    va_end(values);
    if (length_dw % 2) /* tails are of qwords */
        dw[length_dw++] = MI_NOOP;
    memcpy(v->memory + RING + v->ring_tail, dw, length_dw * 4);
    v->ring_tail += length_dw * 4;
    at(v, CONTEXT + DRIVER_IMAGE_OFFSET)[IMAGE_RING_TAIL] = v->ring_tail;
    SEND(v, GUC_FAST_REQUEST, "SCHED_CONTEXT", 0);
}

static void store(struct vf *v, uint32_t place, uint32_t value)
{
    work(v, "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", v->ggtt + place, value);
}

enum { BATCH = 160 * KB, STATE = BATCH + 4 * KB, STATE_OUT = STATE + 4 * KB, VA_LOCAL = 1024 * MB };

/* Its first 2 MB of system memory, and from 1 GB on those from 2 MB on of its local memory. */
static struct driver_ppgtt space(const struct vf *v)
{
    enum {
        TOP = 4 * KB,
        NEXT = 8 * KB,
        SYSTEM = 12 * KB,
        OF_LOCAL = 16 * KB,
        FIFTH = 20 * KB,
        VALID = 3,
        BIG = 1 << 7,
        LM = 1 << 11
    };
    v->local[TOP / 4] = NEXT | VALID;
    v->local[NEXT / 4] = SYSTEM | VALID;
    v->local[SYSTEM / 4] = BIG | VALID;
    v->local[NEXT / 4 + 2] = OF_LOCAL | VALID;
    v->local[OF_LOCAL / 4] = 2 * MB | BIG | VALID | LM;
    v->local[FIFTH / 4] = TOP | VALID;
    return is_xe2() ? (struct driver_ppgtt){.levels = 5, .root = {FIFTH}}
                    : (struct driver_ppgtt){.levels = 4, .root = {TOP}};
}

/* The compression state of 64 KB of local memory becomes this byte; or whether it is. */
static bool compression_state(struct vf *v, uint8_t byte, bool write)
{
    static uint32_t number = 1470562304;
    const struct surface_state s = surface_state();
    uint8_t want[MOST_STATE_BYTES];
    memset(want, byte, sizeof want);
    memcpy(v->memory + STATE, want, s.bytes);
    assemble(model(), copy_engine(), at(v, BATCH),
             "XY_CTRL_SURF_COPY_BLT %s = direct, source_address = %u, destination_address = %u, "
             "size_of_control_surface_copy = %u\n"
             "MI_BATCH_BUFFER_END",
             write ? "source_access_type" : "destination_access_type", write ? STATE : VA_LOCAL,
             write ? VA_LOCAL : STATE_OUT, s.size);
    work(v, "MI_BATCH_BUFFER_START address_space_indicator = ppgtt, batch_buffer_start_address = %u", BATCH);
    store(v, RESULTS + 256, ++number);
    assert_true(appears(at(v, RESULTS + 256), number));
    return write || memcmp(v->memory + STATE_OUT, want, s.bytes) == 0;
}

static void wait_for_ever(struct vf *v)
{
    work(v,
         "MI_SEMAPHORE_WAIT memory_type = global_graphics_address, wait_mode = polling_mode, "
         "compare_operation = SAD_EQUAL_SDD, semaphore_data_dword = 1, semaphore_address = %u",
         v->ggtt + RESULTS + 2 * KB);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- Tests ---- */

static void each_has_a_socket(void **state)
{
    (void)state;
    for (unsigned n = 0; n <= VFS; n++) {
        struct stat file;
        assert_int_equal(stat(path_of(n), &file), 0);
        assert_int_equal(file.st_mode & 07777, 0600);
    }
    struct vf v[VFS];
    for (unsigned i = 0; i < VFS; i++) {
        v[i] = bring_up(i + 1);
        assert_true(i == 0 || v[i].ggtt != v[0].ggtt);
    }
    for (unsigned i = 0; i < VFS; i++) {
        use(&v[i]);
        /* Whom nobody else plays answers: the driver of the physical function. */
        SEND(&v[i], GUC_REQUEST, "VF2GUC_RELAY_TO_PF", 7, RELAY_HANDSHAKE, RELAY_VERSION);
        assert_true(appears(at(&v[i], G2H_BUFFER) + 6, RELAY_VERSION));
        assert_true(rung(v[i].told, 5000));
        assert_int_equal(v[i].memory[EVENTS + MEMIRQ_STATUS + 15], 0xff);
        register_context(&v[i]);
        store(&v[i], RESULTS, 1000 + i);
    }
    for (unsigned i = 0; i < VFS; i++)
        assert_true(appears(at(&v[i], RESULTS), 1000 + i));
    for (unsigned i = 0; i < VFS; i++)
        leave(&v[i]);
}

static void local_memory_is_its_own(void **state)
{
    (void)state;
    skip_unless_pages_are_removed();
    struct vf one = bring_up(1), two = bring_up(2);
    assert_true(one.local_bytes >= 16 * MB);
    one.local[0] = 1111;
    two.local[0] = 2222;
    use(&one);
    assert_int_equal(read32(LOCAL, 0), 1111);
    write32(LOCAL, 4096, 3333);
    assert_int_equal(read32(LOCAL, 4096), 3333);
    assert_int_equal(one.local[1024], 3333);
    assert_int_equal(two.local[1024], 0);
    use(&two);
    assert_int_equal(read32(LOCAL, 0), 2222);
    /* Who comes next finds zeros; the other's stays. */
    leave(&one);
    one = bring_up(1);
    assert_int_equal(one.local[0], 0);
    assert_int_equal(one.local[1024], 0);
    assert_int_equal(two.local[0], 2222);
    leave(&one);
    /* Nor is there compression state. */
    struct driver_ppgtt own;
    for (unsigned i = 0; i < 2; i++) {
        one = bring_up(1);
        own = space(&one);
        register_context_in(&one, &own);
        assert_true(compression_state(&one, 0, false));
        compression_state(&one, 0x41, true);
        assert_true(compression_state(&one, 0x41, false));
        leave(&one);
    }
    use(&two);
    own = space(&two);
    register_context_in(&two, &own);
    assert_true(compression_state(&two, 0, false));
    leave(&two);
}

/* One's work never ends, and its client dies; one's driver resets it: the other's work is done. */
static void ends_are_felt_by_nobody_else(void **state)
{
    (void)state;
    struct vf two = bring_up(2);
    register_context(&two);
    for (uint32_t i = 0; i < 6; i++) {
        struct vf one = bring_up(1);
        register_context(&one);
        wait_for_ever(&one);
        if (i % 2)
            assert_int_equal(call(VFIO_USER_DEVICE_RESET, NULL, 0, -1), 0);
        if (i % 3 == 0) { /* its memory is cut away, too */
            use(&one);
            close(one.socket);
            one.socket = dup(one.told);
        }
        leave(&one);
        use(&two);
        store(&two, RESULTS + i * 4, GOOD + i);
        assert_true(appears(at(&two, RESULTS) + i, GOOD + i));
    }
    /* Who says nothing, and who says nonsense. */
    path_of(1);
    dial();
    send_raw("nonsense nonsense nonsense", 26, -1);
    const int other = client;
    use(&two);
    store(&two, RESULTS, 1234);
    assert_true(appears(at(&two, RESULTS), 1234));
    close(other);
    leave(&two);
}

/* A client that asks for much and takes none of it is sent away, and the other is answered meanwhile. */
static void floods_are_felt_by_nobody_else(void **state)
{
    (void)state;
    enum { ASKED = 400, READ_BYTES = 64 << 10, LONGEST_MS = 1500, FLOODS = 3 };
    struct vf two = bring_up(2);
    uint64_t longest_ms = 0;
    for (unsigned flood = 0; flood < FLOODS; flood++) {
        struct vf one = connect_to(1);
        const struct vfio_user_region_access reads = {0, LOCAL, READ_BYTES};
        struct {
            struct vfio_user_header header;
            struct vfio_user_region_access at;
        } m = {{1, VFIO_USER_REGION_READ, sizeof m, 0, 0}, reads};
        for (unsigned i = 0; i < ASKED; i++)
            if (send(one.socket, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
                break;
        use(&two);
        for (unsigned i = 0; i < 50; i++) {
            const uint64_t before_ms = now_ms();
            assert_int_equal(named_read("VF_CAP"), 1);
            const uint64_t took_ms = now_ms() - before_ms;
            longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
            usleep(1000);
        }
        /* It has gone, or goes when what it asked for has been read by nobody. */
        struct pollfd gone = {.fd = one.socket, .events = POLLRDHUP};
        assert_int_equal(poll(&gone, 1, 10000), 1);
        leave(&one);
    }
    if (longest_ms > LONGEST_MS)
        fail_msg("a read took %u ms", (unsigned)longest_ms);
    leave(&two);
}

/* ---- The control socket ---- */

static int dial_control(void)
{
    snprintf(socket_path, sizeof socket_path, "%s/control", folder);
    const int before = client;
    dial();
    const int fd = client;
    client = before;
    return fd;
}

static const char *ask_with(const char *request, int file)
{
    static char line[1 << 14];
    size_t count = 0;
    const int fd = dial_control(), before = client;
    client = fd;
    send_raw(request, strlen(request), file);
    client = before;
    while (!count || line[count - 1] != '\n') {
        const ssize_t got = recv(fd, line + count, sizeof line - count - 1, 0);
        assert_true(got > 0);
        count += (size_t)got;
    }
    line[count] = 0;
    close(fd);
    return line;
}

static const char *ask(const char *request)
{
    return ask_with(request, -1);
}

static void expect_answer(const char *request, const char *part)
{
    const char *const line = ask(request);
    if (!strstr(line, part))
        fail_msg("%s: %s", request, line);
}

static void is_asked_and_told(void **state)
{
    (void)state;
    skip_unless_pages_are_removed();
    struct stat file;
    const char *const shown = ask("{\"do\":\"show\"}\n");
    assert_int_equal(stat(socket_path, &file), 0);
    assert_int_equal(file.st_mode & 07777, 0600);
    assert_non_null(strstr(shown, "\"schema\":\"softgt.functions\""));
    assert_non_null(strstr(shown, "\"function\":\"vf2\",\"state\":\"runs\",\"client\":false"));
    /* Room, while nobody is there; time, at any moment. */
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"local_mb\":16,\"contexts\":300}\n",
                  "\"local_mb\":16,\"contexts\":300");
    expect_answer("{\"do\":\"set\",\"function\":\"vf2\",\"local_mb\":1024}\n", "too small");
    struct vf one = bring_up(1), two = bring_up(2);
    assert_int_equal(one.local_bytes, 16 * MB);
    one.local[16 * MB / 4 - 1] = 1111;
    use(&one);
    assert_int_equal(read32(LOCAL, 16 * MB - 4), 1111);
    assert_int_equal(read32(LOCAL, 16 * MB), 0);
    use(&two);
    assert_int_equal(mailbox(H2G("VF2GUC_QUERY_SINGLE_KLV"), VF_KEY("contexts"), 0), GUC_SUCCESS_OF(1));
    assert_true(named_read("GUC_MAILBOX[1]") > 300);
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"contexts\":400}\n", "a client has the function");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"quantum_ms\":3}\n", "\"quantum_ms\":3");
    /* A pause, and others go on. */
    use(&one);
    register_context(&one);
    use(&two);
    register_context(&two);
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "\"function\":\"vf1\",\"state\":\"pause");
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "it does not run");
    use(&one);
    store(&one, RESULTS, 1111);
    use(&two);
    store(&two, RESULTS, 2222);
    assert_true(appears(at(&two, RESULTS), 2222));
    usleep(50000);
    assert_int_equal(at(&one, RESULTS)[0], 0);
    expect_answer("{\"do\":\"resume\",\"function\":\"vf1\"}\n", "\"state\":\"runs\"");
    assert_true(appears(at(&one, RESULTS), 1111));
    expect_answer("{\"do\":\"resume\",\"function\":\"vf1\"}\n", "the function is not paused");
    expect_answer("{\"do\":\"reset\",\"function\":\"vf1\"}\n", "\"functions\"");
    for (unsigned i = 0; i < 5000 && one.local[16 * MB / 4 - 1]; i++)
        usleep(1000);
    assert_int_equal(one.local[16 * MB / 4 - 1], 0);
    assert_int_equal(at(&two, RESULTS)[0], 2222);
    leave(&one);
    leave(&two);
    /* Whoever has the physical function: but what that has of local memory is not given to others. */
    struct vf pf = connect_to(0);
    expect_answer("{\"do\":\"show\"}\n", "\"driver\":\"softgt\"");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"local_mb\":128}\n", "too small");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"local_mb\":8}\n", "\"local_mb\":8");
    leave(&pf);
}

/* Parts of a function of 16 MB and 300 contexts: each GuC has two. */
static unsigned all_parts(void)
{
    return is_xe2() ? 14 : 12;
}

static bool is_last_part(const char *answer)
{
    char last[40];
    snprintf(last, sizeof last, "\"part\":%u,\"parts\":%u", all_parts() - 1, all_parts());
    return strstr(answer, last);
}

/* All parts of a function, into a file or back; the answer to the last request. */
static const char *move(const char *what, int file)
{
    const char *answer = "";
    unsigned parts = 1;
    for (unsigned part = 0; part < parts; part++) {
        char request[96];
        snprintf(request, sizeof request, "{\"do\":\"%s\",\"function\":\"vf1\",\"part\":%u}\n", what, part);
        answer = ask_with(request, file);
        const char *const count = strstr(answer, "\"parts\":");
        if (!count)
            return answer;
        parts = (unsigned)strtoul(count + 8, NULL, 10);
    }
    return answer;
}

static void expect_state(const char *state)
{
    for (unsigned i = 0; i < 500 && !strstr(ask("{\"do\":\"show\"}\n"), state); i++)
        usleep(10000);
    assert_non_null(strstr(ask("{\"do\":\"show\"}\n"), state));
}

/* A paused function is what it was, when a file brings it back: its contexts, entries, local memory. */
static void is_saved_and_restored(void **state)
{
    (void)state;
    enum { FAR = 9 * MB };
    static uint8_t memory[USED_BYTES];
    const int file = memfd_create("saved", 0), other = memfd_create("other", 0);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"local_mb\":16,\"contexts\":300}\n",
                  "\"local_mb\":16");
    struct vf one = bring_up(1);
    const struct driver_ppgtt own = space(&one);
    register_context_in(&one, &own);
    store(&one, RESULTS, 1111);
    assert_true(appears(at(&one, RESULTS), 1111));
    one.local[FAR / 4] = 5555;
    compression_state(&one, 0x41, true);
    assert_non_null(strstr(move("save", file), "the function is not paused"));
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "\"state\":\"pause");
    expect_state("\"vf1\",\"state\":\"paused\"");
    /* What is no file, and what is none of it. */
    assert_non_null(strstr(move("save", -1), "a regular file"));
    assert_non_null(strstr(move("save", ends[1]), "a regular file"));
    assert_non_null(strstr(move("restore", other), "\"error\""));
    assert_non_null(
        strstr(ask_with("{\"do\":\"save\",\"function\":\"vf1\",\"part\":99}\n", file), "does not exist"));
    assert_non_null(
        strstr(ask_with("{\"do\":\"save\",\"function\":\"vf1\",\"part\":-1}\n", file), "does not exist"));
    assert_non_null(
        strstr(ask_with("{\"do\":\"save\",\"function\":\"vf1\",\"part\":1}\n", other), "first part"));
    assert_true(is_last_part(move("save", file)));
    memcpy(memory, one.memory, sizeof memory);
    const struct vf then = one;
    /* It goes on, and is another. */
    expect_answer("{\"do\":\"resume\",\"function\":\"vf1\"}\n", "\"state\":\"runs\"");
    store(&one, RESULTS, 2222);
    assert_true(appears(at(&one, RESULTS), 2222));
    assert_true(compression_state(&one, 0x41, false));
    compression_state(&one, 0x99, true);
    SEND(&one, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", 0, 0);
    SEND(&one, GUC_FAST_REQUEST, "DEREGISTER_CONTEXT", 0);
    one.local[FAR / 4] = 0;
    one.local[5] = 0x77;
    use(&one);
    write32(0, TABLE + (one.ggtt / 4096 + RESULTS / 4096) * 8, 0);
    assert_non_null(strstr(move("restore", file), "the function is not paused"));
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "\"state\":\"pause");
    expect_state("\"vf1\",\"state\":\"paused\"");
    assert_true(is_last_part(move("restore", file)));
    assert_int_equal(one.local[FAR / 4], 5555);
    assert_int_equal(one.local[5], 0);
    memcpy(one.memory, memory, sizeof memory);
    one = then;
    expect_answer("{\"do\":\"resume\",\"function\":\"vf1\"}\n", "\"state\":\"runs\"");
    store(&one, RESULTS, 3333);
    assert_true(appears(at(&one, RESULTS), 3333));
    assert_true(compression_state(&one, 0x41, false));
    /* Of another share, cut short, or spoilt. */
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "\"state\":\"pause");
    expect_state("\"vf1\",\"state\":\"paused\"");
    uint64_t bytes[1024];
    assert_int_equal(pread(file, bytes, sizeof bytes, 0), sizeof bytes);
    assert_int_equal(pwrite(other, bytes, 4096 + 64, 0), 4096 + 64);
    assert_non_null(strstr(move("restore", other), "\"error\""));
    for (unsigned i = 0; i < 10; i++) { /* names, shares */
        uint64_t spoilt = ~bytes[i];
        assert_int_equal(pwrite(file, &spoilt, 8, i * 8), 8);
        assert_non_null(strstr(move("restore", file), "\"error\""));
        assert_int_equal(pwrite(file, &bytes[i], 8, i * 8), 8);
    }
    /* How much there is of what the microcontroller knows, behind the entries. */
    const uint64_t entries_bytes = bytes[6] / 4096 * 8,
                   state_at = 4096 + (entries_bytes + 4095) / 4096 * 4096;
    const uint32_t lengths[] = {0, 3, 1 << 17, UINT32_MAX};
    uint32_t length_dw;
    assert_int_equal(pread(file, &length_dw, 4, (off_t)state_at), 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(pwrite(file, &lengths[i], 4, (off_t)state_at), 4);
        const char *const answer = move("restore", file);
        assert_non_null(strstr(answer, i < 2 ? "the GuC refuses" : "not a saved function"));
    }
    assert_int_equal(pwrite(file, &length_dw, 4, (off_t)state_at), 4);
    /* A part of it is back: it neither goes on nor is saved, until all is. */
    const unsigned last = all_parts() - 6; /* of what the microcontrollers know */
    for (unsigned part = 0; part <= last; part++) {
        char request[96];
        snprintf(request, sizeof request, "{\"do\":\"restore\",\"function\":\"vf1\",\"part\":%u}\n", part);
        if (part == last) {
            expect_answer("{\"do\":\"resume\",\"function\":\"vf1\"}\n", "the restore is not complete");
            assert_non_null(strstr(move("save", other), "the restore is not complete"));
        }
        assert_non_null(strstr(ask_with(request, file), "\"parts\":"));
    }
    expect_answer("{\"do\":\"resume\",\"function\":\"vf1\"}\n", "\"state\":\"runs\"");
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "\"state\":\"pause");
    expect_state("\"vf1\",\"state\":\"paused\"");
    assert_int_equal(ftruncate(file, 12 * MB), 0);
    assert_non_null(strstr(move("restore", file), "\"error\""));
    leave(&one);
    close(file);
    close(other);
    close(ends[0]);
    close(ends[1]);
}

/* What is no request, and who is no client: told, or let go; the others are served. */
static void takes_no_nonsense(void **state)
{
    (void)state;
    enum { CROWD = 12, LONG = 5000 };
    char text[LONG];
    struct vf one = bring_up(1);
    expect_answer("\n", "a request is a JSON object");
    expect_answer("[1,2]\n", "a request is a JSON object");
    expect_answer("{\"do\":\n", "a request is a JSON object");
    expect_answer("[[[[[[[[[[[[[[\n", "a request is a JSON object");
    expect_answer("{}\n", "a request has 'do'");
    expect_answer("{\"do\":7,\"function\":\"vf1\"}\n", "no such request");
    expect_answer("{\"do\":\"pause\"}\n", "no such function");
    expect_answer("{\"do\":\"pause\",\"function\":\"vf3\"}\n", "no such function");
    expect_answer("{\"do\":\"pause\",\"function\":{}}\n", "no such function");
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1x\"}\n", "no such function");
    expect_answer("{\"do\":\"pause\",\"function\":\"vf 1\"}\n", "no such function");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"colour\":1}\n", "colour: no such key");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"priority\":-1}\n", "no number from 0 to 2");
    /* Several at once are answered one after the other. */
    static const char twice[] = "{\"do\":\"show\"}\n{}\n{\"do\":\"show\"}\n";
    const int several = dial_control();
    unsigned lines = 0;
    assert_int_equal(send(several, twice, sizeof twice - 1, MSG_NOSIGNAL), sizeof twice - 1);
    while (lines < 3) {
        struct pollfd p = {.fd = several, .events = POLLIN};
        assert_int_equal(poll(&p, 1, 2000), 1);
        const ssize_t got = recv(several, text, sizeof text, 0);
        assert_true(got > 0);
        for (ssize_t i = 0; i < got; i++)
            lines += text[i] == '\n';
    }
    close(several);
    memset(text, 'x', sizeof text);
    const int fd = dial_control();
    send(fd, text, sizeof text, MSG_NOSIGNAL);
    assert_true(recv(fd, text, 1, 0) <= 0);
    close(fd);
    /* A crowd that says nothing keeps others waiting for no more than its time. */
    int crowd[CROWD];
    for (unsigned i = 0; i < CROWD; i++)
        crowd[i] = dial_control();
    use(&one);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(named_read("VF_CAP"), 1);
    for (unsigned i = 0; i < CROWD; i++)
        close(crowd[i]);
    expect_answer("{\"do\":\"show\"}\n", "softgt.functions");
    leave(&one);
}

/* A client that has asked for the versions, and is answered later. */
static int dial_and_wait(unsigned function)
{
    static const char hello[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":16}}";
    const int before = client;
    path_of(function);
    dial();
    send_command(VFIO_USER_VERSION, 0, hello, sizeof hello, -1);
    struct pollfd p = {.fd = client, .events = POLLIN};
    assert_int_equal(poll(&p, 1, 200), 0);
    const int fd = client;
    client = before;
    return fd;
}

static void is_answered(int fd)
{
    client = fd;
    assert_true(receive());
    assert_int_equal(reply_header.command, VFIO_USER_VERSION);
}

/* A client at the physical function has the device to itself, as after power-on; when it leaves, the virtual
 * ones are there again. */
static void the_physical_one_takes_all(void **state)
{
    (void)state;
    skip_unless_pages_are_removed();
    struct vf one = bring_up(1);
    struct vf pf = connect_to(0);
    char byte;
    assert_int_equal(recv(one.socket, &byte, 1, 0), 0);
    leave(&one);
    assert_int_equal(read32(REGION_CONFIG, 0), ids());
    assert_int_equal(named_read("VF_CAP"), 0);
    assert_int_equal(read32(0, TABLE + 64 * KB), 0); /* nothing of the driver that was */
    assert_int_equal(read32(LOCAL, 36 * KB), 0);
    expect_answer("{\"do\":\"show\"}\n", "\"driver\":\"pf\"");
    expect_answer("{\"do\":\"show\"}\n", "\"state\":\"not there\"");
    expect_answer("{\"do\":\"pause\",\"function\":\"vf1\"}\n", "the physical function's client decides");
    use(&pf);
    assert_int_equal(named_read("GUC_STATUS") & 1, 1); /* in reset */
    /* Who asks for a virtual one waits until its driver enables it, has it then, and goes with it. */
    enum { CONTROL = SRIOV + 8, COUNT = SRIOV + 16, ENABLE = 1, MEMORY = 8 };
    assert_int_equal(read32(REGION_CONFIG, SRIOV) & UINT16_MAX, 0x10);
    const int waits = dial_and_wait(1);
    use(&pf);
    write32(REGION_CONFIG, COUNT, 1);
    write32(REGION_CONFIG, CONTROL, ENABLE | MEMORY);
    is_answered(waits);
    assert_int_equal(named_read("VF_CAP"), 1);
    assert_int_equal(read32(LOCAL, 0), 0); /* nobody gave it any */
    const int others = dial_and_wait(2);
    use(&pf);
    write32(REGION_CONFIG, CONTROL, MEMORY);
    struct pollfd gone = {.fd = waits, .events = POLLIN};
    assert_int_equal(poll(&gone, 1, 5000), 1);
    assert_int_equal(recv(waits, &byte, 1, 0), 0);
    close(waits);
    /* Or until the physical one's client leaves. */
    leave(&pf);
    is_answered(others);
    assert_int_equal(named_read("VF_CAP"), 1);
    close(others);
    one = bring_up(1);
    register_context(&one);
    store(&one, RESULTS, GOOD);
    assert_true(appears(at(&one, RESULTS), GOOD));
    leave(&one);
}

/* A client at the physical function sees a part without virtual ones, with half of the GGTT and what shares
 * leave of local memory; whatever it does, resets and reboots, they go on. */
static void goes_on(struct vf *v, uint32_t value)
{
    use(v);
    store(v, RESULTS, value);
    assert_true(appears(at(v, RESULTS), value));
}

/* What is below the compression state. (SYS-08; Linux, xe_vram's get_flat_ccs_offset) */
static uint64_t own_local_bytes(void)
{
    if (!is_xe2())
        return (uint64_t)(named_read("FLAT_CCS_BASE_ADDR") >> 8) << 16;
    const uint64_t lower = named_read("FLAT_CCS_BASE_RANGE_LOWER") & ~UINT64_C(63),
                   upper = named_read("FLAT_CCS_BASE_RANGE_UPPER") & UINT8_MAX;
    return (upper << 32 | lower) * (unsigned)__builtin_popcount(named_read("MIRROR_FUSE3") >> 16);
}

static void the_physical_one_is_beside(void **state)
{
    (void)state;
    enum { GGC = 0x50, NO_PIN = 0x1f };
    struct vf one = bring_up(1);
    const struct driver_ppgtt own = space(&one);
    register_context_in(&one, &own);
    goes_on(&one, 1);
    compression_state(&one, 0x41, true);
    struct vf pf = connect_to(0);
    assert_int_equal(read32(REGION_CONFIG, 0), ids());
    assert_int_equal(read32(REGION_CONFIG, CAPABILITIES) >> 20, 0); /* nothing behind the first capability */
    assert_int_equal(read32(REGION_CONFIG, SRIOV), 0);
    assert_int_equal(read32(REGION_CONFIG, GGC) >> 6 & 3, 2); /* 4 MB of entries */
    assert_int_equal(named_read("VF_CAP"), 0);
    assert_int_equal(named_read("GUC_STATUS") & 1, 1); /* in reset */
    const uint64_t own_bytes = own_local_bytes();
    assert_in_range(own_bytes, 32 * MB, 128 * MB);
    struct vfio_user_region_info info = {.argsz = sizeof info + sizeof(struct vfio_user_sparse_mmap),
                                         .index = LOCAL};
    struct vfio_user_sparse_mmap area;
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&area, reply + sizeof info, sizeof area);
    assert_int_equal(area.size_bytes, own_bytes);
    const int local_fd = reply_fd;
    assert_int_equal(read32(LOCAL, own_bytes), 0); /* not its own */
    /* Nor is what the file would have behind that: others' memory, and its compression state. */
    struct stat file;
    assert_int_equal(fstat(local_fd, &file), 0);
    uint8_t *const behind =
        mmap(NULL, 24 * MB, PROT_READ | PROT_WRITE, MAP_SHARED, local_fd, (off_t)(file.st_size - 24 * MB));
    assert_true(behind != MAP_FAILED);
    memset(behind, 0x99, 24 * MB);
    munmap(behind, 24 * MB);
    close(local_fd);
    use(&one);
    assert_true(compression_state(&one, 0x41, false));
    use(&pf);
    /* Entries that are others' it does not write, in whatever way. */
    const uint32_t entry = TABLE + one.ggtt / 4096 * 8;
    write32(0, entry, 0);
    write32(0, TABLE, 4 * KB | 3);
    assert_int_equal(read32(0, TABLE), 4 * KB | 3);
    info.index = 0;
    assert_int_equal(call(VFIO_USER_DEVICE_GET_REGION_INFO, &info, sizeof info, -1), 0);
    memcpy(&info, reply, sizeof info);
    memcpy(&area, reply + sizeof info, sizeof area);
    assert_int_equal(area.size_bytes, 4 * MB);
    uint8_t *const table =
        mmap(NULL, 8 * MB, PROT_READ | PROT_WRITE, MAP_SHARED, reply_fd, (off_t)(info.offset + area.offset));
    assert_true(table != MAP_FAILED);
    memset(table, 0, 8 * MB);
    munmap(table, 8 * MB);
    goes_on(&one, 2);
    /* Its resets; the pins by which the microcontroller hears. */
    use(&pf);
    named_write("INTERRUPT_PIN_ASSIGNMENT[3]",
                REGISTER_BITS(model(), "INTERRUPT_PIN_ASSIGNMENT[3]", {"First Group", NO_PIN},
                              {"Second Group", NO_PIN}, {"Third Group", NO_PIN}, {"Fourth Group", NO_PIN}));
    goes_on(&one, 3);
    enum { GDRST_FULL = 1 << 0, GDRST_GUC = 1 << 3 }; /* (Linux, GEN11_GRDOM_GUC) */
    const struct {
        const char *name;
        uint32_t value;
    } resets[] = {{"GDRST", GDRST_GUC}, {"GDRST", GDRST_FULL}, {"GU_CNTL", 1u << 31}};
    for (unsigned i = 0; i < sizeof resets / sizeof resets[0]; i++) {
        use(&pf);
        named_write(resets[i].name, resets[i].value);
        goes_on(&one, 4 + i);
    }
    use(&pf);
    assert_int_equal(call(VFIO_USER_DEVICE_RESET, "", 0, -1), 0);
    assert_int_equal(read32(0, TABLE), 0);
    goes_on(&one, 8);
    /* Another function comes while it is there; it goes. */
    struct vf two = bring_up(2);
    register_context(&two);
    goes_on(&two, 9);
    leave(&pf);
    goes_on(&one, 10);
    goes_on(&two, 11);
    leave(&one);
    leave(&two);
}

/* ---- What is no server, or no share ---- */

static bool refuses(void *user, bool threads)
{
    return threads != *(const bool *)user;
}

static int refused(struct vfio_user_options options, const char **what)
{
    static volatile sig_atomic_t at_once = 1; /* should it begin, it ends */
    options.stop = &at_once;
    options.message = on_message;
    return vfio_user_serve_functions(&options, what);
}

static void what_cannot_be_served_is_told(void **state)
{
    (void)state;
    const char *what = NULL;
    char long_path[200], place[160];
    snprintf(folder, sizeof folder, "/tmp/softgt-refused-%d", (int)getpid());
    assert_int_equal(
        refused((struct vfio_user_options){.device = "none", .socket = folder, .functions = 1}, &what),
        EINVAL);
    assert_int_equal(
        refused((struct vfio_user_options){.device = "skl", .socket = folder, .functions = 1}, &what),
        EINVAL);
    assert_int_equal(
        refused((struct vfio_user_options){.device = "atsm", .socket = folder, .functions = 64}, &what),
        EINVAL);
    assert_int_equal(
        refused((struct vfio_user_options){.device = "atsm", .socket = "/nowhere/at/all", .functions = 1},
                &what),
        ENOENT);
    /* Paths that are too long: of a function, of the control socket alone. */
    for (unsigned length = 100; length < 106; length += 4) {
        memset(long_path, 'x', sizeof long_path);
        memcpy(long_path, "/tmp/", 5);
        long_path[length] = 0;
        assert_int_equal(
            refused((struct vfio_user_options){.device = "atsm", .socket = long_path, .functions = 1}, &what),
            ENAMETOOLONG);
        rmdir(long_path);
    }
    /* Something else is where a socket goes. */
    assert_int_equal(mkdir(folder, 0700), 0);
    for (unsigned i = 0; i < 2; i++) {
        snprintf(place, sizeof place, "%s/%s", folder, i ? "control" : "vf1");
        assert_int_equal(mkdir(place, 0700), 0);
        assert_int_not_equal(refused((struct vfio_user_options){.device = "atsm",
                                                                .socket = folder,
                                                                .functions = 1,
                                                                .local_bytes = 256 * MB},
                                     &what),
                             0);
        assert_int_equal(rmdir(place), 0);
    }
    for (unsigned threads = 0; threads < 2; threads++) {
        bool on = threads;
        assert_int_not_equal(
            refused(
                (struct vfio_user_options){
                    .device = "atsm", .socket = folder, .functions = 1, .enclose = refuses, .user = &on},
                &what),
            0);
    }
    rmdir(folder);
}

static void shares_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"", "it ends early"},
        {" \n", "it ends early"},
        {"{\"each\":", "it ends early"},
        {"{]", "offset"},
        {"[1]", "it is no object"},
        {"\"x\"", "it is no object"},
        {"{\"each\":{\"quantum_ms\":\"x\"}}", "each: quantum_ms"},
        {"{\"each\":1}", "each: it is no object"},
        {"{\"vf1\":[]}", "vf1: it is no object"},
        {"{\"vf0\":{}}", "neither"},
        {"{\"vf3\":{}}", "neither"},
        {"{\"vf\":{}}", "neither"},
        {"{\"vf1x\":{}}", "neither"},
        {"{\"vf+1\":{}}", "neither"},
        {"{\"vf 1\":{}}", "neither"},
        {"{\"vf:\":{}}", "neither"},
        {"{\"pf\":{}}", "neither"},
        {"{\"vf1\":{\"priority\":3}}", "from 0 to 2"},
        {"{\"vf1\":{\"contexts\":0}}", "from 1 to"},
        {"{\"vf1\":{\"colour\":0}}", "no such key"},
    };
    struct driver_vf_config s[VFS];
    char why[SHARE_WHY];
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        shares_default(s, VFS);
        assert_false(shares_read(s, VFS, wrong[i].text, strlen(wrong[i].text), why));
        if (!strstr(why, wrong[i].why))
            fail_msg("%s: %s", wrong[i].text, why);
    }
    static const char good[] = "{\"vf2\":{\"ggtt_mb\":32,\"priority\":1},\"each\":{\"quantum_ms\":7}} \t\r\n";
    shares_default(s, VFS);
    assert_true(shares_read(s, VFS, good, strlen(good), why));
    assert_int_equal(s[0].exec_quantum_ms, 7);
    assert_int_equal(s[1].exec_quantum_ms, 7);
    assert_int_equal(s[0].ggtt_bytes, 0);
    assert_int_equal(s[1].ggtt_bytes, 32 * MB);
    assert_int_equal(s[1].sched_priority, 1);
    static char large[(1 << 20) + 2];
    memset(large, ' ', sizeof large);
    assert_false(shares_read(s, VFS, large, sizeof large, why));
    assert_non_null(strstr(why, "more than 1 MB"));
}

/* ---- What a host shows of a function, and for how long it waits ---- */

static uint32_t config(uint32_t offset, uint32_t size_bytes)
{
    const struct vfio_user_region_access access = {offset, REGION_CONFIG, size_bytes};
    uint32_t value = 0;
    assert_int_equal(call(VFIO_USER_REGION_READ, &access, sizeof access, -1), 0);
    memcpy(&value, reply + sizeof access, size_bytes);
    return value;
}

static void configuration_is_shown(void **state)
{
    (void)state;
    struct vf one = bring_up(1);
    uint8_t bytes[0x40];
    for (uint32_t at = 0; at < sizeof bytes; at++)
        bytes[at] = (uint8_t)config(at, 1);
    /* However it is read, it is the same. */
    for (uint32_t size_bytes = 2; size_bytes <= 4; size_bytes += 2)
        for (uint32_t at = 0; at < sizeof bytes; at += size_bytes) {
            const uint32_t value = config(at, size_bytes);
            assert_memory_equal(&value, bytes + at, size_bytes);
        }
    assert_int_equal(bytes[0x10] & 0xf, 4);   /* registers: 64 bits */
    assert_int_equal(bytes[0x18] & 0xf, 0xc); /* local memory: prefetchable */
    assert_int_equal(bytes[0x14] | bytes[0x1c] | bytes[0x20] | bytes[0x24], 0);
    write32(REGION_CONFIG, 0, UINT32_MAX);
    write32(REGION_CONFIG, 8, UINT32_MAX);
    assert_int_equal(config(4, 1) & 2, 2);
    write32(REGION_CONFIG, 4, 4);
    assert_int_equal(config(4, 1) & 2, 0);
    leave(&one);
}

/* Who says nothing, and who stops in a message, goes after five seconds or one; a third is served. */
static void silence_ends(void **state)
{
    (void)state;
    struct vf one = bring_up(1);
    path_of(2);
    dial();
    const int silent = client;
    struct pollfd gone = {.fd = silent, .events = POLLRDHUP};
    use(&one);
    assert_int_equal(named_read("VF_CAP"), 1);
    assert_int_equal(poll(&gone, 1, 12000), 1);
    close(silent);
    /* By then there is an event to come by itself: an interval of the power unit. */
    send_raw("\x01\x00\x09\x00", 4, -1);
    gone.fd = one.socket;
    assert_int_equal(poll(&gone, 1, 12000), 1);
    leave(&one);
    path_of(2);
    dial();
    send_command(VFIO_USER_REGION_READ, 0, "", 0, -1); /* before its greeting */
    gone.fd = client;
    assert_int_equal(poll(&gone, 1, 12000), 1);
    hang_up();
    struct vf pf = connect_to(0);
    const int unmask = eventfd(1, 0);
    assert_int_equal(set_irqs(0, IRQ_DATA_EVENTFD | IRQ_ACTION_UNMASK, 1, unmask), 0);
    named_write("FORCEWAKE_GT", 1 << 16 | 1);
    named_write("FORCEWAKE_RENDER", 1 << 16 | 1);
    named_write("RP_DOWN_EI", 24000);
    named_write("RP_CONTROL",
                REGISTER_BITS(model(), "RP_CONTROL", {"Enable", 1}, {"Up", .value_name = "average"},
                              {"Down", .value_name = "average"}));
    usleep(200000);
    assert_true(named_read("RP_CURRENT[3]") < 24000);
    close(unmask);
    leave(&pf);
    for (unsigned i = 0; i < 5000 && !strstr(ask("{\"do\":\"show\"}\n"), "\"driver\":\"softgt\""); i++)
        usleep(1000); /* the server sees that it left */
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"local_mb\":16}\n", "\"local_mb\":16");
    expect_answer("{\"do\":\"set\",\"function\":\"vf2\",\"local_mb\":160}\n", "\"local_mb\":160");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"ggtt_mb\":64}\n", "\"ggtt_mb\":64");
    expect_answer("{\"do\":\"set\",\"function\":\"vf1\",\"doorbells\":9}\n", "\"doorbells\":9");
    const int fd = dial_control();
    send(fd, "{\"do\":\"show\"}\n", 14, MSG_NOSIGNAL);
    usleep(50000);
    close(fd); /* its answer is read by nobody */
    expect_answer("{\"do\":\"show\"}\n", "softgt.functions");
}

TEST_PROGRAM(function_servers_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_has_a_socket, start, finish),
        cmocka_unit_test_setup_teardown(local_memory_is_its_own, start, finish),
        cmocka_unit_test_setup_teardown(ends_are_felt_by_nobody_else, start, finish),
        cmocka_unit_test_setup_teardown(floods_are_felt_by_nobody_else, start, finish),
        cmocka_unit_test_setup_teardown(is_asked_and_told, start, finish),
        cmocka_unit_test_setup_teardown(is_saved_and_restored, start, finish),
        cmocka_unit_test_setup_teardown(takes_no_nonsense, start, finish),
        cmocka_unit_test_setup_teardown(the_physical_one_takes_all, start_decided, finish),
        cmocka_unit_test_setup_teardown(the_physical_one_is_beside, start, finish),
        cmocka_unit_test_setup_teardown(configuration_is_shown, start, finish),
        cmocka_unit_test_setup_teardown(silence_ends, start, finish),
        cmocka_unit_test(what_cannot_be_served_is_told),
        cmocka_unit_test(shares_are_read),
    };
    /* What differs by device. */
    const struct CMUnitTest others[] = {
        cmocka_unit_test_setup_teardown(each_has_a_socket, start, finish),
        cmocka_unit_test_setup_teardown(local_memory_is_its_own, start, finish),
        cmocka_unit_test_setup_teardown(ends_are_felt_by_nobody_else, start, finish),
        cmocka_unit_test_setup_teardown(is_asked_and_told, start, finish),
        cmocka_unit_test_setup_teardown(is_saved_and_restored, start, finish),
        cmocka_unit_test_setup_teardown(the_physical_one_takes_all, start_decided, finish),
        cmocka_unit_test_setup_teardown(the_physical_one_is_beside, start, finish),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    function_device = "bmg";
    return failed + cmocka_run_group_tests_name(function_device, others, NULL, NULL);
}
