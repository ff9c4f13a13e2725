/* A device with 8 MB of memory whose engines run commands in ring mode, for tests of commands. The GGTT maps
 * every address to itself. The PPGTT maps the first 2 MB to themselves and the second 2 MB to the third 2 MB.
 * Gen6 devices have only the GGTT. */
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

#include <sys/mman.h>

#include "device/device.h"
#include "driver/driver.h"

#include "random.h"
#include "words.h"

/* Up to Gen7.5: the bases of surfaces, of dynamic state and of instructions, for three numbers; no upper
 * bounds. */
#define GEN6_STATE_BASE_ADDRESS                                                                              \
    "STATE_BASE_ADDRESS general_state_base_address_modify_enable,"                                           \
    " surface_state_base_address_modify_enable, surface_state_base_address = %u,"                            \
    " dynamic_state_base_address_modify_enable, dynamic_state_base_address = %u,"                            \
    " indirect_object_base_address_modify_enable,"                                                           \
    " instruction_base_address_modify_enable, instruction_base_address = %u,"                                \
    " general_state_access_upper_bound_modify_enable,"                                                       \
    " dynamic_state_access_upper_bound_modify_enable,"                                                       \
    " indirect_object_access_upper_bound_modify_enable,"                                                     \
    " instruction_access_upper_bound_modify_enable"

enum {
    MEMORY_BYTES = 8 << 20,
    PAGE_2M = 2 << 20,
    STATUS_PAGE = 2 * PAGE_BYTES,
    TABLES = 4 * PAGE_BYTES,
    RING = 64 << 10,
    RING_BYTES = PAGE_BYTES,
    BATCH = 1 << 20,
    BATCH_ROOM_DW = (512 << 10) / 4,
    SECOND_BATCH = BATCH + BATCH_ROOM_DW * 4,
    DATA = PAGE_2M,          /* an address in both spaces */
    USER_DATA = 2 * PAGE_2M, /* the GGTT's address of what the PPGTT has at DATA */
};

enum {
    MI_NOOP = 0,
    MI_BATCH_BUFFER_END = 0x0a << 23,
    MI_LOAD_REGISTER_IMM = 0x22 << 23,
    MI_BATCH_BUFFER_START = 0x31 << 23,
};
/* Offsets from the engine's base. */
enum { EIR_AT = EIR, EMR_AT = EMR, GPR_AT = CS_GPR };

struct streamer {
    struct softgt *device;
    uint8_t *memory;
    unsigned engine;
    uint32_t base; /* of the engine's registers */
    struct driver driver;
    struct driver_ppgtt ppgtt;
    uint32_t tail;
    unsigned master_errors;
    unsigned blits;          /* traced so far */
    struct softgt_blit blit; /* the last of them */
    bool gen6;
    bool unmapped; /* memory is reached by read and write, which call `touched` */
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

/* Memory of a structure. */
static inline uint32_t *dwords_at(struct streamer *s, uint32_t address)
{
    return (uint32_t *)(void *)(s->memory + address);
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

/* Registers by their names: reg_put(s, "rcs0.RING_BUFFER_TAIL", 0). */
static inline uint32_t reg_get(struct streamer *s, const char *name)
{
    return register_get(s, register_offset(s->device, name));
}

static inline void reg_put(struct streamer *s, const char *name, uint32_t value)
{
    register_put(s, register_offset(s->device, name), value);
}

static inline struct softgt_engine_status streamer_status(const struct streamer *s)
{
    struct softgt_engine_status status;
    assert_true(softgt_engine_get_status(s->device, s->engine, &status));
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
    assert_int_equal(madvise(s->memory, MEMORY_BYTES, MADV_DONTNEED), 0); /* zeros again */
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

/* The threads of the host that run groups of compute threads of later devices; zeros: there are none. A test
 * that is compiled with STREAMER_THREADS has that many. */
static struct softgt_parallel_port streamer_parallel;
static struct softgt_background_port streamer_background; /* of the same threads */

#ifdef STREAMER_THREADS
#include "host/workers.h"

__attribute__((constructor)) static void streamer_begin_threads(void)
{
    streamer_parallel = workers_port(workers_create(STREAMER_THREADS));
    streamer_background = workers_background_port();
}

__attribute__((destructor)) static void streamer_end_threads(void)
{
    workers_destroy(streamer_parallel.user);
}
#endif

/* Zeros, of which most tests touch few pages, before a page that nobody may touch. */
static inline uint8_t *streamer_memory(void)
{
    uint8_t *const memory =
        mmap(NULL, MEMORY_BYTES + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    assert_int_equal(mprotect(memory + MEMORY_BYTES, PAGE_BYTES, PROT_NONE), 0);
    return memory;
}

/* `event` gets the interrupts; it may be NULL. `sheet` replaces the device's data sheet; it may be NULL. */
static inline struct streamer *streamer_make(const char *device, const struct sheet *sheet,
                                             void (*event)(void *user, const struct softgt_event *event))
{
    struct streamer *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->memory = streamer_memory();
    const struct softgt_config config = {
        .device = device,
        .memory = {.user = s, .map = streamer_map, .read = streamer_read, .write = streamer_write},
        .report = {.user = s, .report = streamer_report},
        .parallel = streamer_parallel,
        .background = streamer_background,
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
    munmap(s->memory, MEMORY_BYTES + PAGE_BYTES);
    free(s);
}

/* Appends commands to the ring. A full ring starts again at 0. */
static inline void ring_put(struct streamer *s, const uint32_t *dw, uint32_t count)
{
    if (s->tail + (count + 1) * 4u > RING_BYTES - 64u) {
        register_put(s, s->base + RING_BUFFER_HEAD, 0);
        register_put(s, s->base + RING_BUFFER_TAIL, 0);
        s->tail = 0;
    }
    memcpy(s->memory + RING + s->tail, dw, count * 4u);
    s->tail += count * 4u;
    if (s->tail % 8u) {
        dword_put(s, RING + s->tail, MI_NOOP);
        s->tail += 4;
    }
    register_put(s, s->base + RING_BUFFER_TAIL, s->tail);
}

enum { RUN_BUDGET_DW = 1 << 28 }; /* accesses to memory that is not mapped cost much of it */

static inline void ring_run(struct streamer *s, const uint32_t *dw, uint32_t count)
{
    ring_put(s, dw, count);
    softgt_run(s->device, RUN_BUDGET_DW);
}

/* The same with commands as gts(5) writes them: RING_RUN(s, "MI_USER_INTERRUPT"). */
#define RING_RUN(s, ...)                                                                                     \
    do {                                                                                                     \
        uint32_t commands_dw[64];                                                                            \
        ring_run((s), commands_dw, assemble((s)->device, (s)->engine, commands_dw, __VA_ARGS__));            \
    } while (0)

static inline uint32_t batch_start(bool user, bool second)
{
    return MI_BATCH_BUFFER_START | (second ? 1u << 22 : 0) | (user ? 1u << 8 : 0) | 1u;
}

/* A batch that the ring starts. In the PPGTT it is a user's batch, without privilege. */
static inline void batch_put(struct streamer *s, const uint32_t *dw, uint32_t count, bool user)
{
    assert_true(count < BATCH_ROOM_DW);
    memcpy(s->memory + BATCH, dw, count * 4u);
    dword_put(s, BATCH + count * 4u, MI_BATCH_BUFFER_END);
    ring_put(s, (const uint32_t[]){batch_start(user, false), BATCH, 0}, 3);
}

static inline void batch_run(struct streamer *s, const uint32_t *dw, uint32_t count, bool user)
{
    batch_put(s, dw, count, user);
    softgt_run(s->device, RUN_BUDGET_DW);
}

#endif
