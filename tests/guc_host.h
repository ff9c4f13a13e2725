/* A host that talks to a GuC as drivers do: firmware by DMA, the mailbox, buffers of messages. The GGTT maps
 * every address to itself. */
#ifndef TESTS_GUC_HOST_H
#define TESTS_GUC_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "driver/driver.h"
#include "driver/guc.h"
#include "guc/registers.h"

#include "words.h"

enum { KB = 1 << 10, MB = 1 << 20, MS = 1000000 /* ns */ };
enum {
    HOST_BYTES = 16 * MB,
    FIRMWARE = 4 * MB,
    ADS = FIRMWARE + 512 * KB,
    SHARED = ADS + 128 * KB,
    H2G_DESCRIPTOR = SHARED + 64 * KB,
    G2H_DESCRIPTOR = H2G_DESCRIPTOR + 2 * KB,
    H2G_BUFFER = H2G_DESCRIPTOR + 4 * KB,
    H2G_BYTES = 4 * KB,
    G2H_BUFFER = H2G_BUFFER + H2G_BYTES,
    G2H_BYTES = 16 * KB,
    GUC_LOG = H2G_DESCRIPTOR + 64 * KB,
    CONTEXTS = 5 * MB, /* each with its ring */
    RESULTS = 8 * MB,
    NOT_MAPPED = 15 * MB,
    PAGE_TABLES = NOT_MAPPED + 512 * KB,
};
/* GUC_WOPCM_SIZE, DMA_GUC_WOPCM_OFFSET, and where the kernel is copied to. */
enum { WOPCM_BYTES = 1996 * KB, WOPCM_OFFSET = 16 * KB, KERNEL_OFFSET = 8 * KB };
/* Address spaces of the DMA; what it copies. */
enum { DMA_SRAM = 6, DMA_WOPCM = 7, DMA_GGTT = 8, DMA_PPGTT = 9 };
/* Bits of GDRST. (Linux, GEN11_GRDOM_GUC) */
enum { GDRST_FULL = 1 << 0, GDRST_GUC = 1 << 3 };
/* The GuC's bit of GT_INTR_DW[0]; its places in the page of memory-based interrupts. (Linux, xe_memirq.c) */
enum { INTERRUPT_GUC = 25, MEMIRQ_STATUS = 16 * INTERRUPT_GUC, MEMIRQ_SOURCE = 1 * KB + INTERRUPT_GUC };
/* Keys of UPDATE_CONTEXT_POLICIES: POLICY("quantum"), then its value. */
#define POLICY(name) GUC_KLV(guc_key("UPDATE_CONTEXT_POLICIES", (name)), 1)
/* Events of PC_SLPC_REQUEST. */
enum { SLPC_RESET = 0, SLPC_SHUTDOWN = 1, SLPC_QUERY = 5, SLPC_SET = 6, SLPC_UNSET = 7 };
static inline uint32_t slpc(uint32_t event, uint32_t argument_count)
{
    return event << 8 | argument_count;
}
/* What no message and no key is. */
enum { UNKNOWN_ACTION = 0x1234, UNKNOWN_KEY = 0x8ff };
/* Keys that no row names. (Linux, guc_klvs_abi.h) */
enum { KLV_RENDER_COMPUTE_YIELD = 0x1001 };
#define RENDER_COMPUTE_YIELD GUC_KLV(KLV_RENDER_COMPUTE_YIELD, 2)
#define SUCCESS              GUC_SUCCESS_OF(0)
#define FAILURE(name)        GUC_FAILURE_OF(GUC_ERROR_##name)
/* The type of a message: first dword, bits 30:28; the value of a success: bits 27:0. */
#define GUC_TYPE(type)   ((uint32_t)(type) << 28)
#define GUC_REPLY(reply) ((reply) & (GUC_TYPE(1) - 1))

struct host {
    struct softgt *device;
    uint8_t *memory;
    struct driver driver;
    uint32_t fence, messages; /* interrupts */
    uint32_t tail_dw, head_dw;
    unsigned complaints, not_modelled;
    char said[160];
    unsigned traced;
    char name[64]; /* of the last message traced */
};

static void *host_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct host *h = user;
    if (address >= HOST_BYTES)
        return NULL;
    *length_bytes = HOST_BYTES - address;
    return h->memory + address;
}

static void host_msi(void *user, unsigned vector)
{
    (void)vector;
    ((struct host *)user)->messages++;
}

static void host_report(void *user, const struct softgt_report *r)
{
    struct host *h = user;
    h->complaints++;
    h->not_modelled += r->complaint == SOFTGT_NOT_MODELLED;
    snprintf(h->said, sizeof h->said, "%s: %s", r->unit, r->text);
    if (getenv("GUC_TALK"))
        fprintf(stderr, "%s\n", h->said);
}

static void host_event(void *user, const struct softgt_event *e)
{
    struct host *h = user;
    if (e->what != SOFTGT_TRACE_GUC)
        return;
    h->traced++;
    snprintf(h->name, sizeof h->name, "%s", e->name);
    if (getenv("GUC_TALK"))
        fprintf(stderr, "%s %s %s %s\n", e->kind == SOFTGT_EVENT_TO_GUC ? "->" : "<-", e->name, e->text,
                e->by);
}

static inline void host_put_at(struct host *h, uint32_t offset, uint32_t value)
{
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static inline uint32_t host_get_at(struct host *h, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(h->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

/* Registers by their names. */
static inline void host_put(struct host *h, const char *name, uint32_t value)
{
    host_put_at(h, register_offset(h->device, name), value);
}
#define HOST_PUT(h, name, ...) host_put((h), (name), MASKED_BITS((h)->device, (name), __VA_ARGS__))

static inline uint32_t host_get(struct host *h, const char *name)
{
    return host_get_at(h, register_offset(h->device, name));
}

static inline uint32_t host_field(struct host *h, const char *name, const char *field)
{
    return register_field(h->device, name, field, host_get(h, name));
}

/* The GuC's kernel runs. */
static inline uint32_t host_ready_status(const struct host *h)
{
    return REGISTER_BITS(h->device, "GUC_STATUS", {"Authentication", .value_name = "good"},
                         {"Kernel", .value_name = "ready"},
                         {"Boot ROM", .value_name = "jumped to the kernel"});
}

/* The identity that the host reads when the GuC interrupts it. */
static inline uint32_t host_guc_identity(const struct host *h, uint32_t bits)
{
    enum { IDENTITY_OTHER = 4 };
    return REGISTER_BITS(h->device, "INTR_IDENTITY_REG[0]", {"Valid", 1}, {"Class ID", IDENTITY_OTHER},
                         {"Interrupt", bits});
}

static inline void host_reset_guc(struct host *h)
{
    host_put(h, "GDRST", GDRST_GUC);
}

static inline uint32_t *at(struct host *h, uint32_t address)
{
    return (uint32_t *)(void *)(h->memory + address);
}

/* Memory past NOT_MAPPED is nowhere in the GGTT. */
static inline struct host *host_create(const char *device)
{
    struct host *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->memory = calloc(1, HOST_BYTES);
    assert_non_null(h->memory);
    const struct softgt_config config = {
        .device = device,
        .memory = {.user = h, .map = host_map},
        .interrupt = {.user = h, .msi = host_msi},
        .report = {.user = h, .report = host_report},
        .trace = {.user = h, .mask = SOFTGT_TRACE_GUC, .event = host_event},
    };
    assert_int_equal(softgt_create(&config, &h->device), 0);
    driver_init(&h->driver, h->device, &config.memory, PAGE_TABLES, HOST_BYTES - PAGE_TABLES);
    driver_map_ggtt(&h->driver, 0, 0, NOT_MAPPED);
    return h;
}

static inline void host_destroy(struct host *h)
{
    softgt_destroy(h->device);
    free(h->memory);
    free(h);
}

/* A firmware file. Returns the bytes that are copied: header and code. */
static inline uint32_t host_firmware(struct host *h, uint32_t address)
{
    driver_firmware(at(h, address));
    return DRIVER_FIRMWARE_BYTES;
}

static inline void host_wopcm(struct host *h)
{
    host_put_at(h, GUC_WOPCM_SIZE, WOPCM_BYTES);
    host_put_at(h, DMA_GUC_WOPCM_OFFSET, WOPCM_OFFSET);
}

/* From and to an address of an address space. */
struct dma_end {
    uint32_t space, address;
};

static inline void host_dma_ends(struct host *h, struct dma_end from, struct dma_end to, uint32_t bytes)
{
    host_put_at(h, DMA_ADDR, from.address);
    host_put_at(h, DMA_ADDR + 4, from.space << 16);
    host_put_at(h, DMA_ADDR + 8, to.address);
    host_put_at(h, DMA_ADDR + 12, to.space << 16);
    host_put_at(h, DMA_COPY_SIZE, bytes);
}

/* `bits` besides DMA_START, which the DMA clears. */
static inline void host_dma_start(struct host *h, uint32_t bits)
{
    host_put_at(h, DMA_CTRL, (bits | DMA_START) << 16 | bits | DMA_START);
}

/* From the GGTT into protected memory. */
static inline void host_dma(struct host *h, uint32_t from, uint32_t to, uint32_t bytes, uint32_t bits)
{
    host_dma_ends(h, (struct dma_end){DMA_GGTT, from}, (struct dma_end){DMA_WOPCM, to}, bytes);
    host_dma_start(h, bits);
    host_put_at(h, DMA_CTRL, bits << 16);
}

static inline void host_run(struct host *h)
{
    softgt_run(h->device, 1 << 20);
}

static inline void host_advance(struct host *h, uint64_t ns)
{
    softgt_advance(h->device, ns);
    host_run(h);
}

static inline void host_boot(struct host *h)
{
    const struct driver_boot boot = {.firmware = FIRMWARE,
                                     .bytes = host_firmware(h, FIRMWARE),
                                     .log = GUC_LOG | 0 << 4 | 1, /* in pages of 4 KB */
                                     .ads = ADS};
    driver_guc_load(h->device, &boot);
    host_put_at(h, DMA_CTRL, (DMA_START | DMA_GUC_KERNEL) << 16);
    host_run(h);
    assert_int_equal(host_get(h, "GUC_STATUS"), host_ready_status(h));
}

/* A message by the mailbox; returns the answer's first dword. */
static inline uint32_t host_mailbox(struct host *h, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3)
{
    return driver_guc_mmio_send(h->device, d0, d1, d2, d3);
}

static inline uint32_t host_configure(struct host *h, const char *key, uint32_t length, uint64_t value)
{
    return driver_guc_self_cfg(h->device, guc_key("SELF_CFG", key), length, value);
}

static inline void host_enable_buffers(struct host *h)
{
    memset(at(h, H2G_DESCRIPTOR), 0, 64);
    memset(at(h, G2H_DESCRIPTOR), 0, 64);
    h->tail_dw = h->head_dw = 0;
    assert_true(
        driver_guc_enable_ct(h->device, &(struct driver_ctbs){H2G_BUFFER, H2G_DESCRIPTOR, H2G_BYTES,
                                                              G2H_BUFFER, G2H_DESCRIPTOR, G2H_BYTES}));
}

/* The descriptor of a buffer, in dwords, and its status. (Linux, guc_communication_ctb_abi.h) */
enum { CTB_HEAD, CTB_TAIL, CTB_STATUS };
enum { CTB_OVERFLOW = 1 << 0, CTB_UNDERFLOW = 1 << 1, CTB_MISMATCH = 1 << 2, CTB_UNUSED = 1 << 3 };

/* A message's header in a buffer. */
static inline uint32_t ctb_header(uint32_t fence, uint32_t length_dw)
{
    return fence << 16 | length_dw;
}

static inline void host_interrupt(struct host *h)
{
    host_put_at(h, GUC_HOST_INTERRUPT, 0);
}

/* Dwords into the buffer, without an interrupt. */
static inline void host_place(struct host *h, const uint32_t *dw, uint32_t length_dw)
{
    for (uint32_t i = 0; i < length_dw; i++) {
        at(h, H2G_BUFFER)[h->tail_dw] = dw[i];
        h->tail_dw = (h->tail_dw + 1) % (H2G_BYTES / 4);
    }
    at(h, H2G_DESCRIPTOR)[CTB_TAIL] = h->tail_dw;
}

/* A message by the buffer, before the GuC serves it; returns its fence. */
static inline uint32_t host_send(struct host *h, unsigned type, uint32_t action, const uint32_t *payload,
                                 uint32_t length_dw)
{
    uint32_t dw[256] = {0};
    const uint32_t fence = ++h->fence & INT16_MAX;
    dw[0] = ctb_header(fence, length_dw + 1);
    dw[1] = type << 28 | action;
    if (length_dw)
        memcpy(dw + 2, payload, length_dw * 4);
    host_place(h, dw, length_dw + 2);
    host_interrupt(h);
    return fence;
}

#define HOST_SEND(h, type, action, ...)                                                                      \
    host_send((h), (type), H2G(action), (const uint32_t[]){__VA_ARGS__},                                     \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* The next message from the GuC, without its header; returns its length, 0: there is none. */
static inline uint32_t host_receive(struct host *h, uint32_t dw[256], uint32_t *fence)
{
    const uint32_t size_dw = G2H_BYTES / 4, tail = at(h, G2H_DESCRIPTOR)[CTB_TAIL];
    if (tail == h->head_dw)
        return 0;
    const uint32_t header = at(h, G2H_BUFFER)[h->head_dw], length_dw = header & 0xff;
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = at(h, G2H_BUFFER)[(h->head_dw + 1 + i) % size_dw];
    if (fence)
        *fence = header >> 16;
    h->head_dw = (h->head_dw + 1 + length_dw) % size_dw;
    at(h, G2H_DESCRIPTOR)[CTB_HEAD] = h->head_dw;
    return length_dw;
}

/* The next message is an event of that action, with these dwords. */
static inline void host_expect(struct host *h, uint32_t action, const uint32_t *payload, uint32_t length_dw)
{
    uint32_t dw[256] = {0};
    assert_int_equal(host_receive(h, dw, NULL), length_dw + 1);
    assert_int_equal(dw[0], GUC_ORIGIN | (uint32_t)GUC_EVENT << 28 | action);
    assert_memory_equal(dw + 1, payload, length_dw * 4);
}

#define HOST_EXPECT(h, action, ...)                                                                          \
    host_expect((h), G2H(action), (const uint32_t[]){__VA_ARGS__},                                           \
                sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static inline void host_expect_nothing(struct host *h)
{
    uint32_t dw[256] = {0};
    assert_int_equal(host_receive(h, dw, NULL), 0);
}

/* A request and its answer's first dword. */
static inline uint32_t host_ask(struct host *h, uint32_t action, const uint32_t *payload, uint32_t length_dw)
{
    uint32_t dw[256] = {0}, fence = 0;
    const uint32_t mine = host_send(h, GUC_REQUEST, action, payload, length_dw);
    host_run(h);
    assert_true(host_receive(h, dw, &fence) >= 1);
    assert_int_equal(fence, mine);
    return dw[0];
}

#define HOST_ASK(h, action, ...)                                                                             \
    host_ask((h), H2G(action), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Devices with a GuC; a host with a GuC that is up, and with buffers. */
static const char *const host_devices[] = {"dg2", "atsm"};
enum { HOST_DEVICES = sizeof host_devices / sizeof host_devices[0] };

static inline struct host *host_up(const char *device)
{
    struct host *h = host_create(device);
    host_boot(h);
    host_enable_buffers(h);
    return h;
}

#endif
