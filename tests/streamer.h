/* A device with 8 MB of memory whose engines run commands in ring mode: what the table tests of commands
 * share. The GGTT maps every address to itself; the PPGTT does below 2 MB, and from there to 2 MB further on.
 * Gen6 devices have the GGTT alone. */
#ifndef TESTS_STREAMER_H
#define TESTS_STREAMER_H

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

#include "random.h"

enum {
    MEMORY_BYTES = 8 << 20,
    STATUS_PAGE = 0x002000,
    TABLES = 0x004000,
    RING = 0x010000,
    RING_BYTES = 0x1000,
    BATCH = 0x100000,
    SECOND_BATCH = 0x180000,
    DATA = 0x200000,      /* as an address of either space */
    USER_DATA = 0x400000, /* where the PPGTT has DATA, and the GGTT, too */
    BATCH_ROOM_DW = 0x20000,
    PAGE_2M = 2 << 20,
};

enum { MI_NOOP = 0, MI_BATCH_BUFFER_END = 0x0a << 23, MI_LOAD_REGISTER_IMM = 0x22 << 23 };
enum { EIR_AT = 0x0b0, EMR_AT = 0x0b4, GPR_AT = 0x600 };

struct streamer {
    struct softgt *device;
    uint8_t *memory;
    unsigned engine;
    uint32_t base; /* of the engine's registers */
    struct driver driver;
    struct driver_ppgtt ppgtt;
    uint32_t tail;
    unsigned master_errors;
    unsigned blits; /* that were told, and the last of them */
    struct softgt_blit blit;
    bool gen6;
    bool unmapped; /* memory is reached through read and write, which are told */
    void (*touched)(void *user, bool write, uint64_t bus_address, const void *data, size_t size_bytes);
    void (*reported)(void *user, const struct softgt_report *report);
    void *user;
};

static void *streamer_map(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct streamer *s = user;
    if (s->unmapped || bus_address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - bus_address;
    return s->memory + bus_address;
}

static bool streamer_read(void *user, uint64_t bus_address, void *data, size_t size_bytes)
{
    struct streamer *s = user;
    if (bus_address >= MEMORY_BYTES || size_bytes > MEMORY_BYTES - bus_address)
        return false;
    memcpy(data, s->memory + bus_address, size_bytes);
    if (s->touched)
        s->touched(s->user, false, bus_address, data, size_bytes);
    return true;
}

static bool streamer_write(void *user, uint64_t bus_address, const void *data, size_t size_bytes)
{
    struct streamer *s = user;
    if (bus_address >= MEMORY_BYTES || size_bytes > MEMORY_BYTES - bus_address)
        return false;
    memcpy(s->memory + bus_address, data, size_bytes);
    if (s->touched)
        s->touched(s->user, true, bus_address, data, size_bytes);
    return true;
}

static void streamer_report(void *user, const struct softgt_report *report)
{
    struct streamer *s = user;
    if (s->reported)
        s->reported(s->user, report);
}

static void streamer_event(void *user, const struct softgt_event *event)
{
    struct streamer *s = user;
    if (event->what == SOFTGT_TRACE_BLITS) {
        s->blits++;
        s->blit = *event->blit;
        return;
    }
    s->master_errors += event->value & 1u << 3 && strcmp(event->name, "raise") == 0;
}

static inline void dword_put(struct streamer *s, uint32_t address, uint32_t value)
{
    memcpy(s->memory + address, &value, 4);
}

static inline uint32_t dword_at(const struct streamer *s, uint32_t address)
{
    uint32_t value;
    memcpy(&value, s->memory + address, 4);
    return value;
}

static inline uint64_t qword_at(const struct streamer *s, uint32_t address)
{
    return dword_at(s, address) | (uint64_t)dword_at(s, address + 4) << 32;
}

static inline uint32_t register_get(struct streamer *s, uint32_t offset)
{
    return (uint32_t)softgt_bar_read(s->device, SOFTGT_BAR_GTTMMADR, offset, 4);
}

static inline void register_put(struct streamer *s, uint32_t offset, uint32_t value)
{
    softgt_bar_write(s->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

static inline struct softgt_engine_status streamer_status(const struct streamer *s)
{
    struct softgt_engine_status status;
    assert_true(softgt_engine_status(s->device, s->engine, &status));
    return status;
}

static void *streamer_table(void *user, uint64_t bus_address, uint64_t *length_bytes, bool write)
{
    (void)write;
    *length_bytes = MEMORY_BYTES - bus_address;
    return ((struct streamer *)user)->memory + bus_address;
}

/* Power-on, page tables, and the engine's ring. */
static void streamer_start(struct streamer *s, unsigned engine)
{
    const struct engine_info *info = &s->device->sheet->engines[engine];
    const struct softgt_memory_port memory = {.user = s, .map = streamer_table};
    const struct driver_ring ring = {RING, RING_BYTES, 0, 0};
    struct driver_writes writes = {0};
    softgt_reset(s->device);
    memset(s->memory, 0, MEMORY_BYTES);
    s->engine = engine;
    s->base = info->mmio_base;
    s->tail = 0;
    s->master_errors = 0;
    driver_init(&s->driver, s->device, &memory, TABLES, RING - TABLES);
    driver_map_ggtt(&s->driver, 0, 0, MEMORY_BYTES);
    if (!s->gen6) {
        assert_true(driver_ppgtt_make(&s->driver, &s->ppgtt, 3));
        assert_true(driver_map(&s->driver, &s->ppgtt, 0, 0, PAGE_2M, PAGE_2M));
        assert_true(driver_map(&s->driver, &s->ppgtt, PAGE_2M, USER_DATA, PAGE_2M, PAGE_2M));
        driver_set_directory(&writes, info, &s->ppgtt);
        register_put(s, s->base + info->hws_pga, STATUS_PAGE);
    }
    driver_set_ring(&writes, info, &ring);
    register_put(s, s->base + EMR_AT, ~4u);
    driver_write(s->device, &writes);
}

/* Who runs groups of compute threads at once, in what tests create from then on; zeros: nobody. Of a test
 * that is compiled with STREAMER_THREADS these are as many threads. */
static struct softgt_parallel_port streamer_parallel;

#ifdef STREAMER_THREADS
#include "host/workers.h"

__attribute__((constructor)) static void streamer_begin_threads(void)
{
    streamer_parallel = workers_port(workers_create(STREAMER_THREADS));
}

__attribute__((destructor)) static void streamer_end_threads(void)
{
    workers_destroy(streamer_parallel.user);
}
#endif

/* `event` hears of interrupts, if there is one. A sheet, if there is one, stands for the device's. */
static inline struct streamer *streamer_make(const char *device, const struct sheet *sheet,
                                             void (*event)(void *user, const struct softgt_event *event))
{
    struct streamer *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->memory = aligned_alloc(4096, MEMORY_BYTES);
    assert_non_null(s->memory);
    const struct softgt_config config = {
        .device = device,
        .memory = {.user = s, .map = streamer_map, .read = streamer_read, .write = streamer_write},
        .report = {.user = s, .report = streamer_report},
        .parallel = streamer_parallel,
        .draws = true,
        .trace = {.user = s,
                  .mask = SOFTGT_TRACE_INTERRUPTS | (event == streamer_event ? SOFTGT_TRACE_BLITS : 0),
                  .event = event},
    };
    assert_int_equal(sheet ? device_create(sheet, &config, &s->device) : softgt_create(&config, &s->device),
                     0);
    s->gen6 = s->device->sheet->memory.format->ppgtt_levels == 2;
    streamer_start(s, 0);
    return s;
}

static inline struct streamer *streamer_listen(const char *device,
                                               void (*event)(void *user, const struct softgt_event *event))
{
    return streamer_make(device, NULL, event);
}

static inline struct streamer *streamer_create(const char *device)
{
    return streamer_listen(device, streamer_event);
}

static void streamer_destroy(struct streamer *s)
{
    softgt_destroy(s->device);
    free(s->memory);
    free(s);
}

/* Puts what is handed into the ring, which starts anew where it would run full. */
static inline void ring_put(struct streamer *s, const uint32_t *dw, uint32_t count)
{
    if (s->tail + (count + 1) * 4u > RING_BYTES - 64u) {
        register_put(s, s->base + 0x034, 0);
        register_put(s, s->base + 0x030, 0);
        s->tail = 0;
    }
    memcpy(s->memory + RING + s->tail, dw, count * 4u);
    s->tail += count * 4u;
    if (s->tail % 8u) {
        dword_put(s, RING + s->tail, MI_NOOP);
        s->tail += 4;
    }
    register_put(s, s->base + 0x030, s->tail);
}

/* The same, and runs it. */
static inline void ring_run(struct streamer *s, const uint32_t *dw, uint32_t count)
{
    ring_put(s, dw, count);
    softgt_run(s->device, 1u << 28); /* memory that is not mapped costs */
}

static inline uint32_t batch_start(bool user, bool second)
{
    return 0x31u << 23 | (second ? 1u << 22 : 0) | (user ? 1u << 8 : 0) | 1u;
}

/* A batch that the ring starts: in the PPGTT it is a user's, without privilege. */
static inline void batch_put(struct streamer *s, const uint32_t *dw, uint32_t count, bool user)
{
    assert_true(count < BATCH_ROOM_DW);
    memcpy(s->memory + BATCH, dw, count * 4u);
    dword_put(s, BATCH + count * 4u, MI_BATCH_BUFFER_END);
    ring_put(s, (const uint32_t[]){batch_start(user, false), BATCH, 0}, 3);
}

/* The same, and runs it. */
static inline void batch_run(struct streamer *s, const uint32_t *dw, uint32_t count, bool user)
{
    batch_put(s, dw, count, user);
    softgt_run(s->device, 1u << 28); /* memory that is not mapped costs */
}

#endif
