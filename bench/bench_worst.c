/*
 * What a guest can do to those who wait for the server: for each load the longest wait for a register, and
 * the one that only one in a thousand is longer than, the longest slice of the engines, and how long the stop
 * signal is not heard. A load is a batch on a Skylake engine that begins again at its end: of commands, of a
 * walker (bench_kernels.c), or of draws (bench_draws.c). Walkers and draws run on one and on two threads.
 */
#include "bench_draws.h"
#include "bench_kernels.h"
#include "bench_serve.h"

#include "host/code_memory.h"
#include "host/workers.h"
#include "server/protocol.h"

#include <softgt/softgt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Memory, one to one in both address spaces; behind it as much that is only read and written by messages. */
enum {
    MB = 1 << 20,
    MEMORY_BYTES = 64 * MB,
    PAGES = 2 * MEMORY_BYTES / 4096,
    GGTT_TABLE = 8 * MB, /* in BAR 0 */
    STATUS = 0x8000,
    RING = 0x10000,
    CONTEXTS = 0x40000,
    TABLES = MB,
    BATCH = 4 * MB,
    DATA = 16 * MB,
    ELSEWHERE = MEMORY_BYTES,
    RCS = 0x2000,
    BCS = 0x22000,
    MOST_DW = 4096,
    READS = 4000,
    SLICES = 300,
    ROUNDS = 3,
    SLICE_DW = 4096, /* the server's */
};

struct load {
    const char *name;
    uint32_t engine;
    uint32_t dw[16];
    uint16_t count, again; /* dwords; how often they stand in the batch, 0: once */
    uint16_t step_at;      /* the dword that grows from one to the next ... */
    uint32_t step;         /* ... by this */
    bool user;
    const struct bench_kernel *kernel; /* a walker's instead */
    const struct bench_draw *draw;     /* draws instead */
    unsigned threads;                  /* of the host; 0: one */
};

/* clang-format off */
static const struct load loads[] = {
    {"noops", RCS, {0}, 1, 2000, 0, 0, false, NULL, NULL, 0},
    {"stores", RCS, {0x10000002, DATA, 0, 42}, 4, 900, 1, 0x1000, false, NULL, NULL, 0},
    {"unknown_registers", RCS, {0x11000001, 0x7c000, 0}, 3, 1000, 1, 4, false, NULL, NULL, 0},
    {"privileged_registers", RCS, {0x11000001, 0x941c, 0}, 3, 1000, 0, 0, true, NULL, NULL, 0},
    {"translations_flushed", RCS, {0x11000001, 0x101008, 1}, 3, 1000, 0, 0, false, NULL, NULL, 0},
    {"other_engines_reset", RCS, {0x11000001, 0x941c, 0xe0}, 3, 1000, 0, 0, false, NULL, NULL, 0},
    {"contexts_set", RCS, {0x0c000000, CONTEXTS | 4, 0x0c000000, (CONTEXTS + 0x40000) | 4}, 4, 800, 0, 0, false, NULL, NULL, 0},
    {"atomics", RCS, {0x17a00700, DATA, 0}, 3, 1000, 1, 0x1000, false, NULL, NULL, 0},
    {"ggtt_updates", RCS, {0x11800002, 0x7000000, 0, 0}, 4, 900, 0, 0, false, NULL, NULL, 0},
    {"flushes", RCS, {0x7a000004, 0x00144400, DATA, 0, 1, 0}, 6, 600, 2, 0x1000, false, NULL, NULL, 0},
    {"fill", BCS, {0x54300005, 0xf0 << 16 | 3 << 24 | 0x4000, 0, 0x07ff1000, DATA, 0, 42}, 7, 0, 0, 0, false, NULL, NULL, 0},
    {"column", BCS, {0x54c00008, 0x66 << 16 | 0x2000, 0, 0x0fff0001, DATA, 0, 0, 0x2000, DATA + 8 * MB, 0}, 10, 0, 0, 0, false, NULL, NULL, 0},
    {"overlap", BCS, {0x54c00008, 0xcc << 16 | 0x7f00, 0, 0x02007f00, DATA + 1, 0, 0, 0x7f00, DATA, 0}, 10, 0, 0, 0, false, NULL, NULL, 0},
    {"scanlines", BCS, {0x40400008, 0xf0 << 16 | 3 << 24 | 0x2000, 0, 0x0fff0fff, DATA, 0, 1, 2, DATA, 0, 0x49400001, 0, 0x0fff0001}, 13, 200, 0, 0, false, NULL, NULL, 0},
    {"chroma", BCS, {0x5cc80800 | 10, 0x66 << 16 | 0x1fc0, 0, 0x02007f00, DATA, 0, 0, 0x7f00, DATA + 8 * MB, 0, 0, 0xffffffff}, 12, 0, 0, 0, false, NULL, NULL, 0},
    {"tiled_raster", BCS, {0x54f08808, 0x66 << 16 | 3 << 24 | 0x1000, 0, 0x04000400, DATA, 0, 0, 0x1000, DATA + 24 * MB, 0}, 10, 0, 0, 0, false, NULL, NULL, 0},
    {"tiled_copy", BCS, {0x50904008, 3 << 24 | 0x3ff0, 0, 0x01003ffc, DATA, 0, 0x00030003, 0x3ff0, DATA + 24 * MB, 0}, 10, 0, 0, 0, false, NULL, NULL, 0},
    {"memory_by_messages", RCS, {0x10000002, ELSEWHERE, 0, 42}, 4, 900, 1, 0x1000, false, NULL, NULL, 0},
    {"reports_by_messages", RCS, {0x11000001, 0x2080, ELSEWHERE, 0x03800000, 0x03800000, 0x03800000, 0x03800000, 0x03800000, 0x03800000, 0x03800000}, 10, 300, 0, 0, false, NULL, NULL, 0},
    {"interrupts", RCS, {0x01000000, 0x11000003, 0x44308, 0xffffffff, 0x44308, 0xffffffff}, 6, 600, 0, 0, false, NULL, NULL, 0},
    {"blit_by_messages", BCS, {0x54300804 + 1, 0xf0 << 16 | 3 << 24 | 0x1000, 0, 0x04000400, ELSEWHERE, 0, 42}, 7, 0, 0, 0, false, NULL, NULL, 0},
};
/* clang-format on */

static uint8_t *memory;

static void put(uint32_t address, const void *data, size_t size)
{
    memcpy(memory + address, data, size);
}

/* Returns the length of the batch in bytes. */
static uint32_t put_batch(const struct load *l)
{
    uint32_t *const to = (uint32_t *)(void *)(memory + BATCH);
    if (l->kernel)
        return bench_kernel_put(l->kernel, memory, to) * 4u;
    if (l->draw)
        return bench_draw_put(l->draw, memory, to) * 4u;
    const uint32_t again = l->again ? l->again : 1u, size = l->count * 4u;
    for (uint32_t i = 0; i < again; i++) {
        uint32_t dw[16];
        memcpy(dw, l->dw, sizeof dw);
        if (l->step_at)
            dw[l->step_at] += l->step * i;
        put(BATCH + i * size, dw, size);
    }
    return again * size;
}

static void fill_memory(const struct load *l)
{
    memset(memory, 0, DATA);
    const uint32_t at = BATCH + put_batch(l);
    const uint32_t start[] = {0x18800001u | (l->user ? 0x100u : 0), BATCH, 0, 0};
    put(at, start, sizeof start);
    put(RING, start, sizeof start);
    /* Four levels: one table of each of the upper three, then the page tables. */
    const uint64_t upper[] = {TABLES + 0x1000 + 3, TABLES + 0x2000 + 3};
    put(TABLES, &upper[0], 8);
    put(TABLES + 0x1000, &upper[1], 8);
    for (uint64_t i = 0; i < PAGES / 512; i++) {
        const uint64_t table = TABLES + 0x3000 + (i << 12) + 3;
        put((uint32_t)(TABLES + 0x2000 + i * 8), &table, 8);
    }
    for (uint64_t i = 0; i < PAGES; i++) {
        const uint64_t page = i << 12 | 3;
        put((uint32_t)(TABLES + 0x3000 + i * 8), &page, 8);
    }
}

/* ---- Whoever drives a device: by calls, or by messages ---- */

struct guest {
    struct softgt *device; /* NULL: by messages */
    struct bench_server server;
    uint16_t id;
};

static void write_bar(struct guest *g, uint64_t offset, uint64_t value, unsigned size)
{
    if (g->device)
        softgt_bar_write(g->device, SOFTGT_BAR_GTTMMADR, offset, value, size);
    else
        bench_server_write(&g->server, offset, &value, size);
}

static void start(struct guest *g, const struct load *l)
{
    static uint64_t table[PAGES];
    for (uint64_t i = 0; i < PAGES; i++)
        table[i] = i << 12 | 1;
    if (g->device)
        for (uint32_t i = 0; i < PAGES; i++)
            write_bar(g, GGTT_TABLE + i * 8u, table[i], 8);
    else
        bench_server_write(&g->server, GGTT_TABLE, table, sizeof table);
    const struct {
        uint32_t offset, value;
    } whole[] = {{0x101008, 1}, {0x44304, 0}, {0x4430c, ~0u}, {0x44200, 1u << 31}},
      own[] = {{0x29c, 0x02800280}, {0x270, TABLES}, {0x274, 0}, {0x80, STATUS}, {0xb4, ~4u},
               {0xa8, 0},           {0x038, RING},   {0x034, 0}, {0x03c, 1},     {0x030, 16}};
    for (unsigned i = 0; i < sizeof whole / sizeof whole[0]; i++)
        write_bar(g, whole[i].offset, whole[i].value, 4);
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++)
        write_bar(g, l->engine + own[i].offset, own[i].value, 4);
}

/* ---- Slices ---- */

static void *on_map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)user, (void)write;
    if (address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - address;
    return memory + address;
}

static bool on_read(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address;
    memset(data, 0, size_bytes);
    return true;
}

static bool on_write(void *user, uint64_t address, const void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return true;
}

/* Somebody listens: complaints have their text made, messages go the way of the server's. */
static void on_report(void *user, const struct softgt_report *report)
{
    (void)user, (void)report;
}

static void on_message(void *user, unsigned vector)
{
    (void)vector;
    const uint64_t one = 1;
    if (write(*(const int *)user, &one, sizeof one) != sizeof one)
        perror("bench");
}

/* Of the thread; of the clock where other threads help. */
static double now_us(const struct load *l)
{
    struct timespec t;
    clock_gettime(l->threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool still_runs(const struct guest *g, const struct load *l)
{
    struct softgt_engine_status status = {0};
    for (unsigned i = 0; softgt_engine_get_status(g->device, i, &status) && status.mmio_base != l->engine;
         i++)
        ;
    if (status.state == SOFTGT_ENGINE_RUNNING)
        return true;
    fprintf(stderr, "bench: %s: it ended: %s\n", l->name, status.why);
    return false;
}

/* The longest of a few hundred slices, each the best of some rounds: what else the machine does is not meant.
 */
static double slice_us(const struct load *l)
{
    static double took[SLICES];
    double worst = 0;
    int heard = eventfd(0, EFD_CLOEXEC);
    struct code_memory *const code = code_memory_create(4);
    struct workers *const workers = l->threads ? workers_create(l->threads) : NULL;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct guest g = {0};
        const struct softgt_config config = {.device = "skl",
                                             .memory = {NULL, on_map, on_read, on_write},
                                             .report = {.report = on_report},
                                             .interrupt = {.user = &heard, .msi = on_message},
                                             .parallel = workers_port(workers),
                                             .code = code_memory_port(code),
                                             .draws = true};
        if (softgt_create(&config, &g.device) != 0)
            return -1;
        fill_memory(l);
        start(&g, l);
        for (unsigned i = 0; i < SLICES; i++) {
            const double from = now_us(l);
            softgt_run(g.device, SLICE_DW);
            const double us = now_us(l) - from;
            took[i] = round && took[i] < us ? took[i] : us;
        }
        const bool good = still_runs(&g, l);
        softgt_destroy(g.device);
        if (!good)
            return -1;
    }
    workers_destroy(workers);
    code_memory_destroy(code);
    close(heard);
    for (unsigned i = 0; i < SLICES; i++)
        worst = took[i] > worst ? took[i] : worst;
    return worst;
}

/* ---- Waits ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(const struct load *l, int file)
{
    static double wait_us[READS];
    struct guest g = {0};
    const double slice = slice_us(l);
    fill_memory(l);
    bool good = slice >= 0 && bench_server_start(&g.server, l->threads) &&
                bench_server_map(&g.server, 0, MEMORY_BYTES, file) &&
                bench_server_map(&g.server, ELSEWHERE, MEMORY_BYTES, -1);
    if (!good)
        return false;
    start(&g, l);
    for (unsigned i = 0; good && i < READS; i++) {
        if (i % 4 == 0)
            usleep(i % 13 * 20u); /* also amid long slices */
        good = (wait_us[i] = bench_server_read_us(&g.server)) >= 0;
    }
    const double stop_ms = bench_server_end(&g.server);
    qsort(wait_us, READS, sizeof wait_us[0], by_size);
    printf("bench worst_%s%s read %.0f us, 99.9 %% %.0f us, slice %.0f us, stop %.1f ms\n", l->name,
           l->threads ? "_threads" : "", wait_us[READS - 1], wait_us[READS - 1 - READS / 1000], slice,
           stop_ms);
    fflush(stdout);
    return good;
}

static bool wanted(const char *name, const char *only)
{
    return !only || strncmp(name, only, strlen(only)) == 0;
}

bool bench_worst(const char *only)
{
    const int file = memfd_create("bench", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, MEMORY_BYTES) != 0)
        return false;
    memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    memset(memory, 0, MEMORY_BYTES);
    bool good = true;
    for (const struct load *l = loads; good && l < loads + sizeof loads / sizeof loads[0]; l++)
        good = !wanted(l->name, only) || measure(l, file);
    for (unsigned threads = 0; threads <= 2; threads += 2) {
        for (const struct bench_kernel *k = bench_kernels; good && k->name; k++)
            good = !wanted(k->name, only) ||
                   measure(&(struct load){.name = k->name, .engine = RCS, .kernel = k, .threads = threads},
                           file);
        for (const struct bench_draw *d = bench_draws; good && d->name; d++)
            good =
                !wanted(d->name, only) ||
                measure(&(struct load){.name = d->name, .engine = RCS, .draw = d, .threads = threads}, file);
    }
    munmap(memory, MEMORY_BYTES);
    close(file);
    return good;
}
