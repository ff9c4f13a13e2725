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

enum {
    HOST_BYTES = 16 << 20,
    FIRMWARE = 0x400000,
    ADS = 0x480000,
    SHARED = 0x4a0000,
    H2G_DESCRIPTOR = 0x4b0000,
    G2H_DESCRIPTOR = 0x4b0800,
    H2G_BUFFER = 0x4b1000,
    G2H_BUFFER = 0x4b2000,
    H2G_BYTES = 0x1000,
    G2H_BYTES = 0x4000,
    GUC_LOG = 0x4c0000,
    CONTEXTS = 0x500000, /* each with its ring */
    RESULTS = 0x800000,
    NOT_MAPPED = 0xf00000,
};

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

static inline void host_put(struct host *h, uint32_t offset, uint32_t value)
{
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static inline uint32_t host_get(struct host *h, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(h->device, SOFTGT_BAR_GTTMMADR, offset, 4);
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
    driver_init(&h->driver, h->device, &config.memory, 0xf80000, 0x80000);
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
    host_put(h, 0xc050, 0x1f3000);
    host_put(h, 0xc340, 0x4000);
}

static inline void host_dma(struct host *h, uint32_t from, uint32_t to, uint32_t bytes, uint32_t bits)
{
    host_put(h, 0xc300, from);
    host_put(h, 0xc304, 8 << 16);
    host_put(h, 0xc308, to);
    host_put(h, 0xc30c, 7 << 16);
    host_put(h, 0xc310, bytes);
    host_put(h, 0xc314, (bits | 1) << 16 | bits | 1);
    host_put(h, 0xc314, bits << 16);
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
    host_put(h, 0xc314, 0x11 << 16);
    host_run(h);
    assert_int_equal(host_get(h, 0xc000), 0x8000f0ec);
}

/* A message by the mailbox; returns the answer's first dword. */
static inline uint32_t host_mailbox(struct host *h, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3)
{
    return driver_guc_mmio_send(h->device, d0, d1, d2, d3);
}

static inline uint32_t host_configure(struct host *h, uint32_t key, uint32_t length, uint64_t value)
{
    return driver_guc_self_cfg(h->device, key, length, value);
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

enum { HOST_REQUEST = 0, HOST_EVENT = 1, HOST_FAST = 2 };

/* Dwords into the buffer, nobody told. */
static inline void host_place(struct host *h, const uint32_t *dw, uint32_t length_dw)
{
    for (uint32_t i = 0; i < length_dw; i++) {
        at(h, H2G_BUFFER)[h->tail_dw] = dw[i];
        h->tail_dw = (h->tail_dw + 1) % (H2G_BYTES / 4);
    }
    at(h, H2G_DESCRIPTOR)[1] = h->tail_dw;
}

/* A message by the buffer, not served yet; returns its fence. */
static inline uint32_t host_send(struct host *h, unsigned type, uint32_t action, const uint32_t *payload,
                                 uint32_t length_dw)
{
    uint32_t dw[256] = {0};
    const uint32_t fence = ++h->fence & 0x7fff;
    dw[0] = fence << 16 | (length_dw + 1);
    dw[1] = type << 28 | action;
    if (length_dw)
        memcpy(dw + 2, payload, length_dw * 4);
    host_place(h, dw, length_dw + 2);
    host_put(h, 0x1901f0, 0);
    return fence;
}

#define HOST_SEND(h, type, action, ...)                                                                      \
    host_send((h), (type), (action), (const uint32_t[]){__VA_ARGS__},                                        \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* The next message from the GuC behind its dword of the buffer; returns its length, 0: there is none. */
static inline uint32_t host_receive(struct host *h, uint32_t dw[256], uint32_t *fence)
{
    const uint32_t size_dw = G2H_BYTES / 4, tail = at(h, G2H_DESCRIPTOR)[1];
    if (tail == h->head_dw)
        return 0;
    const uint32_t header = at(h, G2H_BUFFER)[h->head_dw], length_dw = header & 0xff;
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = at(h, G2H_BUFFER)[(h->head_dw + 1 + i) % size_dw];
    if (fence)
        *fence = header >> 16;
    h->head_dw = (h->head_dw + 1 + length_dw) % size_dw;
    at(h, G2H_DESCRIPTOR)[0] = h->head_dw;
    return length_dw;
}

/* The next message is an event of that action, with these dwords. */
static inline void host_expect(struct host *h, uint32_t action, const uint32_t *payload, uint32_t length_dw)
{
    uint32_t dw[256] = {0};
    assert_int_equal(host_receive(h, dw, NULL), length_dw + 1);
    assert_int_equal(dw[0], 0x90000000 | action);
    assert_memory_equal(dw + 1, payload, length_dw * 4);
}

#define HOST_EXPECT(h, action, ...)                                                                          \
    host_expect((h), (action), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static inline void host_expect_nothing(struct host *h)
{
    uint32_t dw[256] = {0};
    assert_int_equal(host_receive(h, dw, NULL), 0);
}

/* A request and its answer's first dword. */
static inline uint32_t host_ask(struct host *h, uint32_t action, const uint32_t *payload, uint32_t length_dw)
{
    uint32_t dw[256] = {0}, fence = 0;
    const uint32_t mine = host_send(h, HOST_REQUEST, action, payload, length_dw);
    host_run(h);
    assert_true(host_receive(h, dw, &fence) >= 1);
    assert_int_equal(fence, mine);
    return dw[0];
}

#define HOST_ASK(h, action, ...)                                                                             \
    host_ask((h), (action), (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* What has a GuC; one that is up, with buffers to talk through. */
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
