/*
 * The benchmarks: command streams run on a Skylake device, each beside a plain loop that reads the same
 * dwords; work that goes through the GuC of a DG2; loops of EU instructions. One line each: bench NAME FIGURE
 * UNIT ratio R, where R is the device's time over the plain loop's. Then what guests can do to those who wait
 * for the server: bench_worst.c. `bench NAME` runs one of them, `bench serve` all that need the server,
 * `bench worst_NAME` the loads whose names begin so.
 */
#include "device/device.h"
#include "driver/driver.h"
#include "engine/engine.h"
#include "host/sparse_memory.h"
#include "stream/dump.h"

#include "bench_blit.h"
#include "bench_eu.h"
#include "bench_guc.h"
#include "bench_serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RCS = 0x2000,
    BCS = 0x22000,
    RING_BYTES = 4096,
    RING = 0x100000,    /* GGTT and physical */
    CONTEXT = 0x200000, /* two contexts of 128 KB */
    CONTEXT_STRIDE = 0x20000,
    STATUS = 0x300000,
    TABLES = 0x1000000, /* physical */
    TABLES_BYTES = 1 << 20,
    BATCH = 0x40000000, /* PPGTT and physical */
    DATA = 0x60000000,
};

struct rig {
    struct sparse_memory *memory;
    struct softgt *device;
    struct driver driver;
    struct driver_ppgtt ppgtt;
    uint32_t tail[2], head_at, tail_at; /* where images have head and tail, bytes */
    uint32_t id;
};

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *why)
{
    fprintf(stderr, "bench: %s\n", why);
    exit(1);
}

static void put(struct rig *r, uint64_t address, const void *data, size_t size)
{
    if (!sparse_memory_write(r->memory, address, data, size))
        fail("out of memory");
}

static void put32(struct rig *r, uint64_t address, uint32_t value)
{
    put(r, address, &value, 4);
}

static void write_register(struct rig *r, uint32_t offset, uint32_t value)
{
    softgt_bar_write(r->device, SOFTGT_BAR_GTTMMADR, offset, value, 4);
}

/* 4 KB pages, physical = virtual. */
static void map_ppgtt(struct rig *r, uint64_t address, uint64_t bytes)
{
    if (!driver_map(&r->driver, &r->ppgtt, address, address, bytes, PAGE_BYTES))
        fail("out of memory for tables");
}

static const struct engine_info *engine_at(const struct rig *r, uint32_t base)
{
    const struct engine_info *e = r->device->sheet->engines;
    while (e->mmio_base != base)
        e++;
    return e;
}

/* A context whose ring holds what `ring` says. */
static void make_context(struct rig *r, unsigned which, uint32_t base, const uint32_t *ring, size_t ring_dw)
{
    const struct driver_context context = {
        .ring = {RING + which * RING_BYTES, RING_BYTES, 0, (uint32_t)ring_dw * 4},
        .control = DRIVER_FRESH_CONTEXT,
        .ppgtt = &r->ppgtt};
    uint32_t dw[256];
    const uint32_t length = driver_image(engine_at(r, base), &context, dw, 256);
    put(r, CONTEXT + which * CONTEXT_STRIDE + DRIVER_IMAGE_OFFSET, dw, length * 4);
    put(r, context.ring.start, ring, ring_dw * 4);
    r->tail[which] = context.ring.tail;
    r->head_at = image_find(engine_at(r, base)->contexts.image, RING_BUFFER_HEAD) * 4;
    r->tail_at = image_find(engine_at(r, base)->contexts.image, RING_BUFFER_TAIL) * 4;
}

static struct rig *make_rig(void)
{
    struct rig *r = calloc(1, sizeof *r);
    if (!r || !(r->memory = sparse_memory_create(UINT64_C(4) << 30)))
        fail("out of memory");
    const struct softgt_config config = {.device = "skl", .memory = sparse_memory_port(r->memory)};
    if (softgt_create(&config, &r->device))
        fail("cannot create the device");
    driver_init(&r->driver, r->device, &config.memory, TABLES, TABLES_BYTES);
    driver_map_ggtt(&r->driver, RING, RING, 2 * RING_BYTES);
    driver_map_ggtt(&r->driver, CONTEXT, CONTEXT, 2 * CONTEXT_STRIDE);
    driver_map_ggtt(&r->driver, STATUS, STATUS, PAGE_BYTES);
    if (!driver_ppgtt_make(&r->driver, &r->ppgtt, 0))
        fail("out of memory for tables");
    for (uint32_t base = RCS; base <= BCS; base += BCS - RCS) {
        struct driver_writes writes = {0};
        driver_enable_execlists(&writes, engine_at(r, base));
        driver_write(r->device, &writes);
        write_register(r, base + HWS_PGA, STATUS);
    }
    return r;
}

static void end_rig(struct rig *r)
{
    softgt_destroy(r->device);
    sparse_memory_destroy(r->memory);
    free(r);
}

static uint64_t descriptor(const struct rig *r, unsigned which)
{
    return driver_descriptor(CONTEXT + which * CONTEXT_STRIDE, which + 1, &r->ppgtt);
}

/* The ring from its start again. */
static void submit(struct rig *r, uint32_t base, unsigned first, bool both)
{
    const struct engine_info *e = engine_at(r, base);
    struct driver_writes writes = {0};
    for (unsigned i = first; i <= (both ? 1u : first); i++) {
        const uint32_t image = CONTEXT + i * CONTEXT_STRIDE + DRIVER_IMAGE_OFFSET;
        put32(r, image + r->head_at, 0);
        put32(r, image + r->tail_at, r->tail[i]);
    }
    driver_submit(&writes, e, descriptor(r, first), both ? descriptor(r, 1) : 0);
    driver_write(r->device, &writes);
    softgt_run(r->device, UINT64_MAX);
}

static void check_clean(struct rig *r, uint64_t at_least_commands)
{
    for (unsigned i = 0;; i++) {
        struct softgt_engine_status s;
        if (!softgt_engine_get_status(r->device, i, &s))
            break;
        if (s.state != SOFTGT_ENGINE_IDLE || s.faults || s.unknown || s.dropped)
            fail("the stream did not run cleanly");
        if (s.commands >= at_least_commands)
            at_least_commands = 0;
    }
    if (at_least_commands)
        fail("the stream did not run to its end");
}

/* Reads the dwords as simply as can be. */
static uint32_t plain_sum(const uint32_t *dw, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += *(const volatile uint32_t *)&dw[i];
    return sum;
}

static double plain_seconds(const uint32_t *dw, size_t count, unsigned times)
{
    double best = 1e9;
    for (unsigned run = 0; run < 3; run++) {
        const double start = seconds();
        uint32_t sum = 0;
        for (unsigned i = 0; i < times; i++)
            sum += plain_sum(dw, count);
        const double took = seconds() - start + (sum == 12345 ? 1e-12 : 0);
        best = took < best ? took : best;
    }
    return best;
}

static void line(const char *name, double figure, const char *unit, double ratio)
{
    printf("bench %s %.1f %s ratio %.2f\n", name, figure, unit, ratio);
    fflush(stdout);
}

/* Runs a batch of `count` dwords `times` times on the render engine; units of work per run. */
static void batch_bench(const char *name, const uint32_t *dw, size_t count, double units, const char *unit,
                        unsigned times)
{
    struct rig *r = make_rig();
    map_ppgtt(r, BATCH, (count * 4 + 4095) & ~UINT64_C(4095));
    map_ppgtt(r, DATA, 1 << 20);
    put(r, BATCH, dw, count * 4);
    const uint32_t ring[] = {0x18800101, BATCH, 0, 0};
    make_context(r, 0, RCS, ring, 4);
    submit(r, RCS, 0, false);
    double best = 1e9;
    for (unsigned run = 0; run < 3; run++) {
        const double start = seconds();
        for (unsigned i = 0; i < times; i++)
            submit(r, RCS, 0, false);
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    check_clean(r, times);
    line(name, units * times / best / 1e6, unit, best / plain_seconds(dw, count, times));
    end_rig(r);
}

enum { BATCH_DW = 1 << 17, END = 0x05000000, COPY_CONTEXT_DW = 0xb0 };

static void bench_noop(uint32_t *dw)
{
    memset(dw, 0, BATCH_DW * 4);
    dw[BATCH_DW - 1] = END;
    batch_bench("mi_noop", dw, BATCH_DW, BATCH_DW - 1, "Mcommands/s", 400);
}

static void bench_lri(uint32_t *dw)
{
    size_t n = 0;
    while (n + 4 <= BATCH_DW) {
        dw[n] = 0x11000001;
        dw[n + 1] = RCS + CS_GPR + (uint32_t)(n * 4 % 128);
        dw[n + 2] = (uint32_t)n;
        n += 3;
    }
    const double commands = (double)n / 3;
    dw[n++] = END;
    batch_bench("mi_load_register_imm", dw, n, commands, "Mcommands/s", 60);
}

static void bench_sdi(uint32_t *dw)
{
    size_t n = 0;
    while (n + 5 <= BATCH_DW) {
        dw[n] = 0x10000002;
        dw[n + 1] = (uint32_t)(DATA + n * 16 % (1 << 20));
        dw[n + 2] = 0;
        dw[n + 3] = (uint32_t)n;
        n += 4;
    }
    const double commands = (double)n / 4;
    dw[n++] = END;
    batch_bench("mi_store_data_imm", dw, n, commands, "Mcommands/s", 60);
}

static void bench_math(uint32_t *dw)
{
    static const uint32_t program[] = {0x08008000, 0x08008401, 0x10000000, 0x18000031,
                                       0x08008000, 0x08008402, 0x10100000, 0x18000431};
    size_t n = 0, instructions = 0;
    while (n + 66 <= BATCH_DW) {
        dw[n++] = 0x0d000000 | (64 - 1);
        for (unsigned i = 0; i < 64; i++)
            dw[n++] = program[i % 8];
        instructions += 64;
    }
    dw[n++] = END;
    batch_bench("mi_math", dw, n, (double)instructions, "Minstructions/s", 60);
}

/* Batches of four commands, each chaining to the next, a page apart in half of the cases. */
static void bench_chain(uint32_t *dw)
{
    const size_t stride = 8, batches = BATCH_DW / stride;
    memset(dw, 0, BATCH_DW * 4);
    for (size_t i = 0; i < batches; i++) {
        uint32_t *b = dw + i * stride;
        b[0] = 0x11000001;
        b[1] = RCS + CS_GPR;
        b[2] = (uint32_t)i;
        b[3] = i + 1 < batches ? 0x18800101 : END;
        b[4] = (uint32_t)(BATCH + (i + 1) * stride * 4);
        b[5] = 0;
    }
    batch_bench("batch_chain", dw, BATCH_DW, (double)batches, "Mbatches/s", 60);
}

/* Two elements a list, an empty ring each but for one MI_NOOP pair: what is timed is the switch. */
static void bench_switch(void)
{
    struct rig *r = make_rig();
    const uint32_t ring[] = {0, 0};
    make_context(r, 0, BCS, ring, 2);
    make_context(r, 1, BCS, ring, 2);
    submit(r, BCS, 0, true);
    enum { TIMES = 100000 };
    double best = 1e9;
    for (unsigned run = 0; run < 3; run++) {
        const double start = seconds();
        for (unsigned i = 0; i < TIMES; i++)
            submit(r, BCS, 0, true);
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    check_clean(r, TIMES);
    uint32_t image[COPY_CONTEXT_DW];
    sparse_memory_read(r->memory, CONTEXT + 4096, image, sizeof image);
    line("context_switch", 2.0 * TIMES / best / 1e3, "kswitches/s",
         best / plain_seconds(image, COPY_CONTEXT_DW, 2 * TIMES));
    end_rig(r);
}

/* Commands as Mesa mixes them: state with its fields, registers, flushes, stores, draws, padding. */
static void bench_decode(uint32_t *dw)
{
    /* clang-format off */
    static const uint32_t mix[] = {
        0x7a000004, 0x00101001, 0, 0, 0, 0,                                        /* PIPE_CONTROL */
        0x11000001, 0x00007004, 0x00080008,                                        /* MI_LOAD_REGISTER_IMM */
        0x78240000, 0x00001000,                                                    /* 3DSTATE_BLEND_STATE_POINTERS */
        0x78150009, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                                  /* 3DSTATE_CONSTANT_VS */
        0x784b0000, 0x00000004,                                                    /* 3DSTATE_VF_TOPOLOGY */
        0x78260000, 0x00000040,                                                    /* 3DSTATE_BINDING_TABLE_POINTERS_VS */
        0x10000002, 0x60000000, 0, 1,                                              /* MI_STORE_DATA_IMM */
        0x782a0000, 0x00000080,                                                    /* 3DSTATE_BINDING_TABLE_POINTERS_PS */
        0x7b000005, 0x00000104, 3, 0, 1, 0, 0,                                     /* 3DPRIMITIVE */
        0x78230000, 0x00002000,                                                    /* 3DSTATE_VIEWPORT_STATE_POINTERS_CC */
        0x00000000,                                                                /* MI_NOOP */
    };
    /* clang-format on */
    enum { COMMANDS = 11 };
    const size_t mix_dw = sizeof mix / sizeof mix[0], times = BATCH_DW / mix_dw;
    for (size_t i = 0; i < times; i++)
        memcpy(dw + i * mix_dw, mix, sizeof mix);
    struct command_set set;
    struct dumper dumper;
    const struct dump_options options = {0};
    if (!command_set_create(&set, command_tables, GEN9) || !dumper_create(&dumper, &set, &options))
        fail("out of memory");
    struct text text = {0};
    double best = 1e9;
    uint64_t commands = 0;
    for (unsigned run = 0; run < 3; run++) {
        const double start = seconds();
        commands = 0;
        for (size_t at = 0, length; at < times * mix_dw; at += length, commands++) {
            dump_command(&dumper, &text, CLASS_RENDER, dw + at, times * mix_dw - at, BATCH + at * 4, &length);
            if (text.length > 1 << 16)
                text.length = 0;
        }
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    if (commands != times * COMMANDS)
        fail("the batch did not decode as it was written");
    line("decode", (double)commands / best / 1e6, "Mcommands/s", best / plain_seconds(dw, times * mix_dw, 1));
    text_free(&text);
    dumper_destroy(&dumper);
    command_set_destroy(&set);
}

int main(int argc, char **argv)
{
    uint32_t *dw = malloc((BATCH_DW + 16) * 4);
    if (!dw)
        fail("out of memory");
    static const struct {
        const char *name;
        void (*run)(uint32_t *dw);
    } batch_benches[] = {{"mi_noop", bench_noop},
                         {"mi_load_register_imm", bench_lri},
                         {"mi_store_data_imm", bench_sdi},
                         {"mi_math", bench_math},
                         {"batch_chain", bench_chain}};
    const char *only = argc > 1 ? argv[1] : NULL;
    for (size_t i = 0; i < sizeof batch_benches / sizeof batch_benches[0]; i++)
        if (!only || strcmp(only, batch_benches[i].name) == 0)
            batch_benches[i].run(dw);
    if (!only || strcmp(only, "context_switch") == 0)
        bench_switch();
    if (!only || strcmp(only, "decode") == 0)
        bench_decode(dw);
    if ((!only || strcmp(only, "blits") == 0) && !bench_blits(line))
        fail("the blits did not run");
    if ((!only || strcmp(only, "guc_submit") == 0) && !bench_guc(line))
        fail("what was given to the GuC was not done");
    if ((!only || strcmp(only, "eu") == 0) && !bench_eu(line))
        fail("the EU threads did not end");
    double read_us, ratio;
    const bool serve = only && strcmp(only, "serve") == 0;
    if (!only || serve || strcmp(only, "serve_read") == 0) {
        if (!bench_serve(&read_us, &ratio))
            fail("the server does not answer");
        line("serve_read", read_us, "us/read", ratio);
    }
    static const char worst[] = "worst_";
    const bool loads = only && strncmp(only, worst, sizeof worst - 1) == 0;
    if ((!only || serve || loads) && !bench_worst(loads ? only + sizeof worst - 1 : NULL))
        fail("the server does not answer");
    free(dw);
    return 0;
}
