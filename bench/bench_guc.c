/*
 * Work that goes through the GuC of a DG2 and of a Battlemage: a message in the buffer (SCHED_CONTEXT), a
 * context that is restored, stores a dword, interrupts the host and is saved; the host takes the interrupt,
 * then gives the next. Beside it a plain loop that reads the dwords of message, ring and image.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "driver/driver.h"
#include "driver/guc.h"

#include "bench_blit.h"
#include "bench_guc.h"

enum {
    MEMORY_BYTES = 16 << 20,
    TABLES = 0xf00000,
    FIRMWARE = 0x400000,
    DESCRIPTORS = 0x410000, /* to the GuC, then from it */
    TO_GUC = 0x411000,
    FROM_GUC = 0x412000,
    BUFFER_BYTES = 0x1000,
    RESULT = 0x420000,
    RING = 0x430000,
    RING_BYTES = 0x4000,
    CONTEXT = 0x440000,
    ID = 7,
    JOBS = 50000,
};

struct rig {
    struct softgt *device;
    uint8_t *memory;
    const struct engine_info *engine;
    uint32_t tail, message_dw, job_dw, image_dw;
    unsigned interrupts;
};

static void *map(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct rig *r = user;
    if (bus_address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - bus_address;
    return r->memory + bus_address;
}

static void interrupted(void *user, unsigned vector)
{
    (void)vector;
    ((struct rig *)user)->interrupts++;
}

static void put(struct rig *r, uint32_t offset, uint32_t value)
{
    softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static uint32_t get(struct rig *r, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(r->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static uint32_t *at(struct rig *r, uint32_t address)
{
    return (uint32_t *)(void *)(r->memory + address);
}

static bool boot(struct rig *r)
{
    driver_firmware(at(r, FIRMWARE));
    driver_guc_load(r->device, &(struct driver_boot){.firmware = FIRMWARE, .bytes = DRIVER_FIRMWARE_BYTES});
    softgt_run(r->device, UINT64_MAX);
    return driver_guc_ready(r->device);
}

static void send(struct rig *r, const uint32_t *dw, uint32_t length_dw)
{
    uint32_t *const tail = at(r, DESCRIPTORS) + 1;
    for (uint32_t i = 0; i < length_dw; i++)
        at(r, TO_GUC)[(*tail + i) % (BUFFER_BYTES / 4)] = dw[i];
    *tail = (*tail + length_dw) % (BUFFER_BYTES / 4);
    r->message_dw = length_dw;
    put(r, 0x1901f0, 0);
}

static bool start(struct rig *r)
{
    if (!driver_guc_enable_ct(r->device, &(struct driver_ctbs){TO_GUC, DESCRIPTORS, BUFFER_BYTES, FROM_GUC,
                                                               DESCRIPTORS + 64, BUFFER_BYTES}))
        return false;
    const struct driver_context context = {.ring = {RING, RING_BYTES, 0, 0}, .control = DRIVER_FRESH_CONTEXT};
    r->image_dw = driver_image(r->engine, &context, at(r, CONTEXT + DRIVER_IMAGE_OFFSET), 0x400);
    put(r, 0x190030, 1); /* the copy engine's user interrupt */
    put(r, 0x1900a0, ~(1u << 16));
    put(r, 0x190010, 1u << 31);
    put(r, 0x190008, 1u << 31);
    put(r, r->engine->mmio_base + 0xa8, ~1u);
    send(r, (const uint32_t[]){12, 0x20004502, 1, ID, 3, 1, 0, 0, 0, 0, 0, CONTEXT | 0x119, 0}, 13);
    send(r, (const uint32_t[]){3, 0x20001001, ID, 1}, 4);
    softgt_run(r->device, UINT64_MAX);
    return at(r, DESCRIPTORS)[16 + 1] == 4; /* the scheduling is on */
}

/* What the host does with an interrupt. */
static bool take_interrupt(struct rig *r)
{
    put(r, 0x190008, 0);
    const uint32_t tile = get(r, 0x190008), master = get(r, 0x190010), bits = get(r, 0x190018);
    put(r, 0x190008, tile);
    put(r, 0x190010, master);
    put(r, 0x190070, bits);
    const uint32_t identity = get(r, 0x190060);
    put(r, 0x190060, identity);
    put(r, 0x190018, bits);
    put(r, 0x190008, 1u << 31);
    return identity == (1u << 31 | 3u << 16 | 1u);
}

static bool work(struct rig *r, uint32_t value)
{
    const uint32_t job[] = {0x10400002, RESULT, 0, value, 0x01000000, 0};
    const unsigned before = r->interrupts;
    r->job_dw = sizeof job / 4;
    for (uint32_t i = 0; i < r->job_dw; i++, r->tail = (r->tail + 4) % RING_BYTES)
        *at(r, RING + r->tail) = job[i];
    at(r, CONTEXT + DRIVER_IMAGE_OFFSET)[7] = r->tail;
    send(r, (const uint32_t[]){2, 0x20001000, ID}, 3);
    softgt_run(r->device, UINT64_MAX);
    return r->interrupts == before + 1 && take_interrupt(r) && *at(r, RESULT) == value;
}

static double plain(struct rig *r)
{
    const double start = seconds();
    const uint32_t dwords = r->message_dw + r->job_dw + r->image_dw;
    for (unsigned i = 0; i < JOBS; i++)
        for (uint32_t dw = 0; dw < dwords; dw++)
            (void)*(const volatile uint32_t *)&at(r, CONTEXT + DRIVER_IMAGE_OFFSET)[dw];
    return seconds() - start;
}

static bool measure(struct rig *r, const char *name,
                    void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    double best = 1e9, best_plain = 1e9;
    bool good = boot(r) && start(r);
    for (unsigned run = 0; good && run < 5; run++) {
        const double start = seconds();
        for (uint32_t i = 0; good && i < JOBS; i++)
            good = work(r, run * JOBS + i + 1);
        const double took = seconds() - start, plain_took = plain(r);
        best = took < best ? took : best;
        best_plain = plain_took < best_plain ? plain_took : best_plain;
    }
    if (good)
        line(name, JOBS / best / 1e3, "kjobs/s", best / best_plain);
    return good;
}

static bool measure_device(const char *device, const char *name,
                           void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    struct rig r = {.memory = calloc(1, MEMORY_BYTES)};
    const struct softgt_config config = {
        .device = device, .memory = {.user = &r, .map = map}, .interrupt = {.user = &r, .msi = interrupted}};
    bool good = false;
    if (r.memory && softgt_create(&config, &r.device) == 0) {
        struct driver driver;
        driver_init(&driver, r.device, &config.memory, TABLES, MEMORY_BYTES - TABLES);
        driver_map_ggtt(&driver, 0, 0, TABLES);
        for (r.engine = r.device->sheet->engines; r.engine->class != CLASS_COPY;)
            r.engine++;
        good = measure(&r, name, line);
    }
    softgt_destroy(r.device);
    free(r.memory);
    return good;
}

bool bench_guc(void (*line)(const char *name, double figure, const char *unit, double ratio))
{
    return measure_device("dg2", "guc_submit", line) && measure_device("bmg", "guc_submit_bmg", line);
}
