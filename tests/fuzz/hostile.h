/*
 * A device of each product with a megabyte of memory that may be all mapped, in part or not at all, and that
 * may change between two reads; both address spaces map it. Whatever costs more of the processor than it may
 * ends the process.
 */
#ifndef FUZZ_HOSTILE_H
#define FUZZ_HOSTILE_H

#include "device/device.h"
#include "dispatcher/dispatcher.h"
#include "driver/driver.h"
#include "jit/jit.h"
#include "host/code_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../generate.h"
#include "fuzz.h"

enum {
    MEMORY_BYTES = 1 << 20,
    STATUS = 0x1000, /* a page for each engine, to 0xffff */
    TABLES = 0x10000,
    RING = 0x20000,
    RING_BYTES = 0x4000,
    IMAGE = 0x40000, /* of two contexts, 128 KB each */
    IMAGE_STEP = 0x20000,
    BATCH = 0x80000,
    SECOND_BATCH = 0xc0000,
    HOLE = 0xff000, /* in no table */
    PRODUCTS = 32,
    HOSTILE_THREADS = 2,
    CALL_MS = 400, /* of one call, with sanitizers; a slice is to take 2 without, a register write less */
};

/* What changes does so between two reads, or under a command that is at work. */
enum port_kind { MAPPED, HALF_MAPPED, READ_CHANGING, MAPPED_CHANGING, PORT_KINDS };

/* What the owner of a device gives it, and how it runs threads. Results are the same with all of them, but
 * for groups that meet in memory. */
enum hostile_host {
    HOST_PLAIN,
    HOST_SHARED_TABLE, /* the GGTT's table is the owner's */
    HOST_TRANSLATES,   /* each instruction is translated when it first runs */
    HOST_PARALLEL,     /* groups run beside each other, the last one first; translated when they run often */
    HOSTS
};

struct hostile {
    const struct sheet *sheet;
    struct softgt *device;
    uint8_t *memory, *ggtt_table;
    struct softgt_config config;
    struct driver driver;
    struct driver_ppgtt ppgtt;
    enum port_kind port;
    uint64_t seed;           /* of what changes */
    uint64_t told;           /* that texts are looked at */
    const uint32_t *command; /* at work */
    unsigned saves;
};

/* An address that a command may name. */
static inline uint64_t hostile_address(uint64_t *seed)
{
    static const uint64_t edges[] = {
        HOLE - 4,       HOLE,           MEMORY_BYTES - 8,         UINT64_C(0xfffffff8), UINT64_C(0x100000000),
        0x7ffffffff000, 0x7ffffffffff8, UINT64_C(0xffffffffffff), UINT64_C(1) << 63,    UINT64_MAX - 7};
    switch (below(seed, 8)) {
    case 0:
        return edges[below(seed, sizeof edges / sizeof edges[0])];
    case 1: /* what runs, and its tables */
        return below(seed, SECOND_BATCH) / 8 * 8;
    case 2:
        return BATCH + below(seed, SECOND_BATCH - BATCH) / 8 * 8;
    default:
        return SECOND_BATCH + below(seed, MEMORY_BYTES - SECOND_BATCH) / (below(seed, 2) ? 8 : 0x1000) * 8;
    }
}

static void *hostile_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    struct hostile *h = user;
    if (address >= MEMORY_BYTES || h->port == READ_CHANGING ||
        (h->port == HALF_MAPPED && address / PAGE_BYTES % 2))
        return NULL;
    *length_bytes = h->port == HALF_MAPPED ? PAGE_BYTES - address % PAGE_BYTES : MEMORY_BYTES - address;
    return h->memory + address;
}

static bool hostile_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    struct hostile *h = user;
    if (address >= MEMORY_BYTES || size_bytes > MEMORY_BYTES - address)
        return false;
    memcpy(data, h->memory + address, size_bytes);
    /* Another processor writes it. */
    if (h->port == READ_CHANGING && size_bytes && below(&h->seed, 4) == 0) {
        const size_t at = below(&h->seed, (uint32_t)size_bytes);
        ((uint8_t *)data)[at] = (uint8_t)random_value(&h->seed);
    }
    return true;
}

static bool hostile_write(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    struct hostile *h = user;
    if (address >= MEMORY_BYTES || size_bytes > MEMORY_BYTES - address)
        return false;
    memcpy(h->memory + address, data, size_bytes);
    return true;
}

/* Another processor writes to what runs, its tables or its data: mostly to the command at hand. */
static void hostile_change(struct hostile *h)
{
    const uintptr_t in_memory = (uintptr_t)h->command - (uintptr_t)h->memory;
    const uint32_t value = (uint32_t)random_value(&h->seed);
    uint64_t at = hostile_address(&h->seed) % MEMORY_BYTES / 4 * 4;
    if (h->port != MAPPED_CHANGING || below(&h->seed, 4))
        return;
    if (h->command && in_memory < MEMORY_BYTES - 64 && below(&h->seed, 4))
        at = in_memory + below(&h->seed, 16) * 4u;
    memcpy(h->memory + at, &value, 4);
}

static void hostile_report(void *user, const struct softgt_report *report)
{
    struct hostile *h = user;
    h->told += strlen(report->text) + strlen(report->unit);
    hostile_change(h);
}

static void hostile_event(void *user, const struct softgt_event *event)
{
    struct hostile *h = user;
    h->told += (event->text ? strlen(event->text) : 0) + (event->name ? strlen(event->name) : 0);
    for (unsigned i = 0; event->dwords && i < event->length_dw; i++)
        h->told += event->dwords[i];
    h->command = event->dwords ? event->dwords : h->command;
    hostile_change(h);
}

static void hostile_msi(void *user, unsigned vector)
{
    ((struct hostile *)user)->told += vector;
}

static void hostile_intx(void *user, bool asserted)
{
    ((struct hostile *)user)->told += asserted;
}

/* ---- Time ---- */

static inline uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void in_time(uint64_t since_ns, const char *what)
{
    const uint64_t took_ms = (cpu_ns() - since_ns) / 1000000u;
    if (took_ms < CALL_MS)
        return;
    fprintf(stderr, "==0== ERROR: %s took %u ms\n", what, (unsigned)took_ms);
    abort();
}

/* A slice as the server's longest, which may cost one command more. */
static inline bool hostile_run(struct hostile *h, uint64_t budget_dw)
{
    const uint64_t since_ns = cpu_ns();
    const bool more = softgt_run(h->device, budget_dw);
    in_time(since_ns, "softgt_run");
    return more;
}

static inline void hostile_advance(struct hostile *h, uint64_t ns)
{
    const uint64_t since_ns = cpu_ns();
    softgt_advance(h->device, ns);
    in_time(since_ns, "softgt_advance");
}

/* ---- Set up ---- */

static void hostile_run_all(void *user, unsigned count,
                            void (*job)(void *context, unsigned thread, unsigned index), void *context)
{
    (void)user;
    while (count-- > 0)
        job(context, count % HOSTILE_THREADS, count);
}

static void hostile_lock(void *user)
{
    (void)user;
}

/* Before the device is there. */
static inline void hostile_host_config(struct softgt_config *config, enum hostile_host host)
{
    if (host != HOST_PARALLEL)
        return;
    config->parallel = (struct softgt_parallel_port){
        .threads = HOSTILE_THREADS, .run = hostile_run_all, .lock = hostile_lock, .unlock = hostile_lock};
    config->code = code_memory_port(code_memory_create(HOSTILE_THREADS + 8));
}

static inline void hostile_translate(const struct softgt *device, unsigned engines)
{
    const struct softgt_code_port port = code_memory_port(code_memory_create(engines));
    for (unsigned i = 0; i < engines && port.map; i++)
        if (dispatcher_of(&device->engines[i]))
            (void)eu_cache_enable_jit(dispatcher_of(&device->engines[i])->cache, &port, 1);
}

/* As after power-on, with tables, random data and status pages. `trace`: everything is traced, always the
 * same for a target. */
static inline struct hostile *hostile_start(unsigned product, uint64_t seed, enum hostile_host host,
                                            unsigned trace)
{
    static struct hostile all[HOSTS][PRODUCTS];
    unsigned products = 0;
    while (sheets[products])
        products++;
    struct hostile *const h = &all[host][product % products];
    if (!h->device) {
        h->sheet = sheets[product % products];
        h->memory = malloc(MEMORY_BYTES);
        h->ggtt_table = host == HOST_SHARED_TABLE ? calloc(1, h->sheet->info.ggtt_bytes) : NULL;
        h->config = (struct softgt_config){
            .device = h->sheet->info.name,
            .memory = {.user = h, .map = hostile_map, .read = hostile_read, .write = hostile_write},
            .interrupt = {.user = h, .msi = hostile_msi, .intx = hostile_intx},
            .report = {.user = h, .report = hostile_report},
            .trace = {.user = h, .mask = trace, .event = hostile_event},
            .ggtt_table = h->ggtt_table,
            .draws = true};
        hostile_host_config(&h->config, host);
        if (!h->memory || softgt_create(&h->config, &h->device) != 0)
            abort();
        if (host == HOST_TRANSLATES)
            hostile_translate(h->device, h->sheet->info.engine_count);
    }
    h->port = MAPPED;
    h->seed = seed;
    h->saves = 0;
    h->command = NULL;
    softgt_memory_changed(h->device);
    softgt_reset(h->device);
    memset(h->memory, 0, MEMORY_BYTES);
    for (uint64_t at = SECOND_BATCH + 0x8000; at < SECOND_BATCH + 0x10000; at += 8) {
        const uint64_t value = below(&h->seed, 4) ? below(&h->seed, 4) : random_value(&h->seed);
        memcpy(h->memory + at, &value, 8);
    }
    driver_init(&h->driver, h->device, &h->config.memory, TABLES, RING - TABLES);
    driver_map_ggtt(&h->driver, 0, 0, HOLE);
    for (unsigned i = 0; i < h->sheet->info.engine_count; i++) {
        const struct engine_info *const e = &h->sheet->engines[i];
        softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, e->mmio_base + e->hws_pga, STATUS + i * PAGE_BYTES,
                         4);
    }
    return h;
}

/* The driver is ready: from here on memory is what it is. */
static inline void hostile_memory(struct hostile *h, enum port_kind port)
{
    h->port = port;
    softgt_memory_changed(h->device);
}

/* A pipe that shows memory, tiled or not, and whatever follows the scan; with frame buffer compression where
 * there is one. `value` says how. */
static inline void hostile_show(struct hostile *h, uint64_t value)
{
    const uint32_t tiled = (uint32_t)value & 1u, format = (uint32_t)(value >> 1) & 0xfu,
                   width = (uint32_t)(value >> 5) & 0x3ffu, lines = (uint32_t)(value >> 15) & 0x7fu,
                   stride = ((uint32_t)(value >> 22) & 7u) + 1u, interval = (uint32_t)(value >> 25) & 3u;
    const struct {
        uint32_t offset, value;
    } writes[] = {
        {0x6001c, width << 16 | lines},
        {0x70180, 1u << 31 | format << 26 | tiled << 10},
        {0x70188, stride * 512u},
        {0x7019c, SECOND_BATCH},
        {0x70008, 1u << 31},
        {0x3200, IMAGE},
        {0x3204, IMAGE + IMAGE_STEP},
        {0x3214, (uint32_t)(value >> 27) & 0x1fu},
        {0x3208, 1u << 31 | 1u << 30 | interval << 16 | ((uint32_t)(value >> 32) & 0xc01fu) | 15u << 5},
        {0x2128, SECOND_BATCH | 1u}};
    for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; i++)
        softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, writes[i].offset, writes[i].value, 4);
}

/* An image of a context that its engine takes by itself (VCS_RNCID), with this ring; then its descriptor. */
static inline void hostile_submit_video(struct hostile *h, const struct engine_info *engine, unsigned which,
                                        const struct driver_ring *ring)
{
    enum { VCS_RNCID = 0x700 };
    struct image_plan plan = {0};
    const uint32_t place = IMAGE + which * IMAGE_STEP;
    if (!engine->contexts.legacy || !image_plan_make(&plan, engine->contexts.image, engine->mmio_base))
        return;
    uint32_t *const dw = (uint32_t *)(void *)(h->memory + place + engine->contexts.image_offset);
    memcpy(dw, plan.dw, plan.length.dw * 4u);
    for (uint32_t i = 0; i < plan.value_count; i++) {
        const uint32_t offset = plan.values[i].offset - engine->mmio_base;
        dw[plan.values[i].at_dw] = offset == RING_BUFFER_HEAD    ? ring->head
                                   : offset == RING_BUFFER_TAIL  ? ring->tail
                                   : offset == RING_BUFFER_START ? ring->start
                                   : offset == RING_BUFFER_CTL   ? (ring->size_bytes - PAGE_BYTES) | 1u
                                   : offset == PP_DCLV           ? UINT32_MAX
                                   : offset == PP_DIR_BASE       ? (uint32_t)(h->ppgtt.root[0] / 64) << 16
                                                                 : 0;
    }
    image_plan_free(&plan);
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, GEN6_GFX_MODE, 0x02000200, 4);
    softgt_bar_write(h->device, SOFTGT_BAR_GTTMMADR, engine->mmio_base + VCS_RNCID,
                     place | 1u | (uint64_t)(which + 7u) << 44, 8);
}

/* A blit whose surfaces lie in memory, mostly, in small pitches; of random ones few do more than fault. */
static inline void hostile_tame_blit(uint64_t *seed, uint32_t *dw, uint32_t length_dw)
{
    const uint32_t pitch = 128u << below(seed, 6), y = below(seed, 64), x = below(seed, 128);
    if (length_dw < 5 || dw[0] >> 29 != 2)
        return;
    dw[1] = (dw[1] & 0xffff0000u) | pitch;
    dw[2] = y << 16 | x;
    dw[3] = (y + below(seed, 80)) << 16 | (x + below(seed, 300));
    dw[4] = SECOND_BATCH + below(seed, 16) * (below(seed, 4) ? 0x1000u : 0x44u);
    for (uint32_t i = 5; i < length_dw; i++)
        if (below(seed, 3) == 0)
            dw[i] = below(seed, 2) ? 0 : below(seed, 2) ? pitch : SECOND_BATCH + below(seed, 16) * 0x1000u;
}

/* Commands from `seed` on; returns their dwords. */
static inline uint32_t hostile_commands(const struct hostile *h, const struct engine_info *engine,
                                        uint64_t seed, unsigned count, uint32_t *dw, uint32_t room_dw)
{
    struct generator g = {
        .device = h->device, .engine = engine, .seed = seed, .address = hostile_address, .hostile = true};
    uint32_t at = 0;
    for (unsigned tries = 0; count && tries < 4000 && at + GENERATED_MAX_DW <= room_dw; tries++) {
        const uint32_t length_dw = generate_command(&g, dw + at);
        if (length_dw && engine->class == CLASS_COPY && below(&g.seed, 4))
            hostile_tame_blit(&g.seed, dw + at, length_dw);
        at += length_dw;
        count -= length_dw > 0;
    }
    return at;
}

#endif
