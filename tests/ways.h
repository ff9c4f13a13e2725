/* Random programs of a driver, and the ways of playing them that must come to the same: cut anyhow, saved and
 * loaded, time in pieces; contexts that go on on another engine of their class. */
#ifndef TESTS_WAYS_H
#define TESTS_WAYS_H

#include "device/device.h"
#include "driver/driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"

enum {
    MEMORY_BYTES = 1 << 20,
    STATUS = 0x1000, /* a page for each engine */
    TABLES = 0x10000,
    TABLES_END = 0x20000,
    RING = 0x20000,
    IMAGE = 0x40000, /* of up to 128 KB, of two contexts */
    IMAGE_STEP = 0x20000,
    BATCH = 0x80000,
    BATCH_BYTES = 0x4000,
    BATCHES = 4, /* of a context, one starts the next */
    DATA = 0xc0000,
    DATA_BYTES = 0x30000,
    HOLE = 0xf8000, /* pages that no table has */
};

struct world {
    const struct sheet *sheet;
    const struct engine_info *engine;
    uint8_t *memory;
    struct softgt_config config;
    struct softgt *device, *spare;
    struct generator make;
    uint64_t limit_dw; /* of a submission; what runs on is left alone */
    uint64_t cuts;     /* where what is cut at random is cut */
    bool only_end;     /* is compared, no moment before */
    /* Optional: changes what was made. */
    void (*change)(struct world *w);
};

static const char *doing;
static unsigned failures;
static struct driver_ppgtt ppgtt;

static void fail(const struct world *w, uint64_t seed, const char *what)
{
    printf("not ok: %s %s seed %" PRIu64 ", %s: %s\n", w->sheet->info.name, w->engine->name, seed, doing,
           what);
    failures++;
}

static void *map(void *user, uint64_t address, uint64_t *length_bytes, bool write)
{
    (void)write;
    if (address >= MEMORY_BYTES)
        return NULL;
    *length_bytes = MEMORY_BYTES - address;
    return (uint8_t *)user + address;
}

static void *allocate(size_t size)
{
    void *p = calloc(1, size);
    if (!p)
        abort();
    return p;
}

/* ---- Batches ---- */

static uint64_t data_address(uint64_t *seed)
{
    if (below(seed, 64) == 0)
        return HOLE + below(seed, 0x1000) / 8 * 8;
    return DATA + below(seed, DATA_BYTES - 0x1000) / (below(seed, 2) ? 8 : 0x1000) * 8;
}

static uint32_t start_batch(struct world *w, uint64_t address, bool user, bool second, uint32_t *dw)
{
    const struct command_set *set = softgt_command_set(w->device);
    const uint32_t length_dw = set->rows[command_find(set, w->engine->class, 0x31u << 23)]->min_dwords;
    dw[0] = 0x31u << 23 | (second ? 1u << 22 : 0) | (user ? 1u << 8 : 0) | (length_dw - 2u);
    dw[1] = (uint32_t)address;
    dw[2] = 0;
    return length_dw;
}

/* A batch of a page or two: commands cross pages; it calls the next one, or goes on there. */
static void make_batch(struct world *w, uint64_t address, unsigned left, bool user)
{
    uint32_t *const dw = (uint32_t *)(void *)(w->memory + address);
    const uint32_t from = 0xfc0 / 4 - below(&w->make.seed, 40);
    const uint32_t end = from + 20 + below(&w->make.seed, 100);
    const uint32_t call = left ? from + below(&w->make.seed, end - from) : UINT32_MAX;
    bool called = false;
    uint32_t at = from;
    while (at < end) {
        if (!called && at >= call) {
            at += start_batch(w, address + BATCH_BYTES, user, below(&w->make.seed, 2), dw + at);
            called = true;
        }
        at += generate_command(&w->make, dw + at);
    }
    dw[at] = 0x0a << 23;
    if (left)
        make_batch(w, address + BATCH_BYTES, left - 1, user);
}

/* Of a context: where in its first page the first command is, is random, so look for it. */
static uint32_t first_of(const struct world *w, uint64_t address)
{
    const uint32_t *const dw = (const uint32_t *)(const void *)(w->memory + address);
    uint32_t at = 0;
    while (at < 0xfc0 / 4 && !dw[at])
        at++;
    return (uint32_t)address + at * 4u / 8u * 8u;
}

/* ---- Set up ---- */

static void put(struct world *w, const struct driver_writes *writes)
{
    driver_write(w->device, writes);
}

static uint64_t descriptor(unsigned context)
{
    return driver_descriptor(IMAGE + context * IMAGE_STEP, context + 1, &ppgtt);
}

static void make_context(struct world *w, unsigned context)
{
    const uint32_t ring_at = RING + context * PAGE_BYTES;
    const uint64_t batch = BATCH + context * BATCHES * BATCH_BYTES;
    uint32_t *const ring = (uint32_t *)(void *)(w->memory + ring_at);
    const bool user = below(&w->make.seed, 2);
    uint32_t at = 0;
    make_batch(w, batch, BATCHES - 1, user);
    for (unsigned i = below(&w->make.seed, 4); i-- > 0;)
        at += generate_command(&w->make, ring + at);
    at += start_batch(w, first_of(w, batch), user, false, ring + at);
    for (unsigned i = below(&w->make.seed, 4); i-- > 0;)
        at += generate_command(&w->make, ring + at);
    const struct driver_ring r = {ring_at, PAGE_BYTES, 0, (at + at % 2) * 4u};
    if (w->engine->contexts.execlists) {
        const struct driver_context c = {.ring = r, .control = DRIVER_FRESH_CONTEXT, .ppgtt = &ppgtt};
        driver_image(w->engine, &c,
                     (uint32_t *)(void *)(w->memory + IMAGE + context * IMAGE_STEP + DRIVER_IMAGE_OFFSET),
                     2048);
        return;
    }
    if (context)
        return;
    struct driver_writes writes = {0};
    driver_set_directory(&writes, w->engine, &ppgtt);
    driver_set_ring(&writes, w->engine, &r);
    put(w, &writes);
}

static void set_up(struct world *w, uint64_t seed)
{
    struct driver driver;
    memset(w->memory, 0, MEMORY_BYTES);
    softgt_reset(w->device);
    softgt_memory_changed(w->device);
    w->make = (struct generator){.device = w->device,
                                 .engine = w->engine,
                                 .seed = seed,
                                 .address = data_address,
                                 .no_registers = w->make.no_registers};
    driver_init(&driver, w->device, &w->config.memory, TABLES, TABLES_END - TABLES);
    driver_map_ggtt(&driver, 0, 0, HOLE);
    if (!driver_ppgtt_make(&driver, &ppgtt, 0) || !driver_map(&driver, &ppgtt, 0, 0, HOLE, PAGE_BYTES))
        abort();
    for (uint64_t at = DATA; at < DATA + DATA_BYTES; at += 8) {
        const uint64_t value =
            below(&w->make.seed, 4) ? below(&w->make.seed, 4) : random_value(&w->make.seed);
        memcpy(w->memory + at, &value, 8);
    }
    for (unsigned i = 0; i < w->sheet->info.engine_count; i++) {
        const struct engine_info *e = &w->sheet->engines[i];
        struct driver_writes writes = {0};
        if (e->contexts.execlists)
            driver_enable_execlists(&writes, e);
        put(w, &writes);
        softgt_bar_write(w->device, SOFTGT_BAR_GTTMMADR, e->mmio_base + e->hws_pga, STATUS + i * PAGE_BYTES,
                         4);
    }
    for (unsigned context = 0; context < 2; context++)
        make_context(w, context);
    if (w->change)
        w->change(w);
}

static void submit(struct world *w, const struct engine_info *engine, uint64_t first, uint64_t second)
{
    struct driver_writes writes = {0};
    if (!engine->contexts.execlists)
        return;
    driver_submit(&writes, engine, first, second);
    put(w, &writes);
}

/* ---- Ways ---- */

struct way {
    const char *name;
    uint32_t cut_dw; /* at most; 0: whole */
    bool random_cut, reload, cut_time;
};

static const struct way ways[] = {
    {.name = "as it is"},
    {.name = "budgets of 1", .cut_dw = 1},
    {.name = "budgets of 2", .cut_dw = 2},
    {.name = "budgets of 7", .cut_dw = 7},
    {.name = "random budgets", .cut_dw = 50, .random_cut = true},
    {.name = "saved and loaded at random", .cut_dw = 40, .random_cut = true, .reload = true},
    {.name = "time in pieces", .cut_time = true},
};

struct moment {
    uint8_t *state;
    size_t size;
};
enum { STEPS = 6, MOMENTS = STEPS * 2 };

static struct moment save(struct softgt *device)
{
    static size_t room = 1 << 16; /* what sufficed so far */
    struct moment m = {.state = allocate(room)};
    m.size = softgt_save(device, m.state, room);
    if (m.size <= room)
        return m;
    free(m.state);
    room = m.size * 2;
    return save(device);
}

static void reload(struct world *w, uint64_t seed)
{
    struct moment m = save(w->device);
    struct softgt *used = w->device;
    softgt_reset(w->spare);
    if (softgt_load(w->spare, m.state, m.size) != 0)
        fail(w, seed, "what was saved cannot be loaded");
    w->device = w->spare;
    w->spare = used;
    free(m.state);
}

/* To the end of what can run; false where there is none. */
static bool go(struct world *w, const struct way *way, uint64_t *cuts, uint64_t seed)
{
    enum { CUTS = 1 << 12 };
    if (!way->cut_dw)
        return !softgt_run(w->device, w->limit_dw);
    for (unsigned i = 0; i < CUTS; i++) {
        const bool more = softgt_run(w->device, way->random_cut ? 1 + below(cuts, way->cut_dw) : way->cut_dw);
        if (way->reload && (i < 8 || below(cuts, 16) == 0)) /* a state is megabytes to look through */
            reload(w, seed);
        if (!more)
            return true;
    }
    /* A blit costs its pixels: the rest at once. */
    return !softgt_run(w->device, w->limit_dw);
}

static void pass(struct world *w, const struct way *way, uint64_t ns, uint64_t *cuts, uint64_t seed)
{
    const uint64_t end_ns = softgt_now_ns(w->device) + ns;
    while (way->cut_time && softgt_now_ns(w->device) < end_ns) {
        const uint64_t now_ns = softgt_now_ns(w->device), next_ns = softgt_next_event_ns(w->device),
                       until_ns = next_ns > now_ns && next_ns < end_ns ? next_ns : end_ns,
                       quiet_ns = until_ns - now_ns - 1,
                       part_ns = quiet_ns ? random_next(cuts) % quiet_ns : 0;
        const bool runnable = softgt_runnable(w->device);
        const uint64_t messages = softgt_interrupt_count(w->device);
        softgt_advance(w->device, part_ns);
        softgt_advance(w->device, quiet_ns - part_ns);
        if (next_ns > now_ns &&
            (softgt_runnable(w->device) != runnable || softgt_interrupt_count(w->device) != messages))
            fail(w, seed, "something happens before the next event");
        softgt_advance(w->device, 1);
    }
    softgt_advance(w->device, end_ns - softgt_now_ns(w->device));
}

/* Compares with the plain run's, or keeps. */
static bool look(struct world *w, const struct way *way, struct moment *then, uint64_t seed, unsigned step)
{
    if (w->only_end && step != STEPS * 2 - 1)
        return true;
    struct moment now = save(w->device);
    if (way == ways) {
        *then = now;
        return true;
    }
    size_t at = 48, begin, bytes;
    while (at < now.size && at < then->size && now.state[at] == then->state[at])
        at++;
    const bool good = at == now.size && at == then->size;
    if (!good) {
        char place[160], text[300];
        uint64_t is = 0, was = 0;
        device_state_locate(w->device, at, &begin, &bytes, place, sizeof place);
        for (size_t i = 0; i < bytes && i < 8 && begin + i < now.size && begin + i < then->size; i++) {
            is |= (uint64_t)now.state[begin + i] << i * 8;
            was |= (uint64_t)then->state[begin + i] << i * 8;
        }
        snprintf(text, sizeof text, "step %u: %s is 0x%" PRIx64 ", not 0x%" PRIx64, step, place, is, was);
        fail(w, seed, text);
    }
    free(now.state);
    return good;
}

/* What a driver does with it: returns false where it does not come to an end. */
static bool play(struct world *w, const struct way *way, struct moment *moments, uint64_t seed)
{
    uint64_t cuts = w->cuts;
    doing = way->name;
    set_up(w, seed);
    uint64_t script = seed + 99;
    for (unsigned step = 0; step < STEPS; step++) {
        if (step % 2 == 0)
            submit(w, w->engine, step == 2 ? descriptor(1) : descriptor(0),
                   below(&script, 2) && !step ? descriptor(1) : 0);
        if (!go(w, way, &cuts, seed))
            return false;
        if (!look(w, way, &moments[step * 2], seed, step * 2))
            return true;
        pass(w, way, below(&script, 2) ? below(&script, 2000) : below(&script, 40000000), &cuts, seed);
        if (!look(w, way, &moments[step * 2 + 1], seed, step * 2 + 1))
            return true;
    }
    return true;
}

/* The first way, and those of the bits. */
static void check_ways(struct world *w, uint64_t seed, unsigned bits)
{
    struct moment moments[MOMENTS] = {{0}};
    uint8_t *const plain = allocate(MEMORY_BYTES);
    for (const struct way *way = ways; way < ways + sizeof ways / sizeof ways[0]; way++) {
        const unsigned before = failures;
        if (way != ways && !(bits >> (way - ways) & 1u))
            continue;
        if (!play(w, way, moments, seed)) {
            if (way != ways)
                fail(w, seed, "does not come to an end");
            break;
        }
        if (way == ways)
            memcpy(plain, w->memory, MEMORY_BYTES);
        for (uint32_t at = 0; way != ways && failures == before && at < MEMORY_BYTES; at++) {
            if (w->memory[at] == plain[at])
                continue;
            char text[80];
            snprintf(text, sizeof text, "memory differs, first at 0x%x", at);
            fail(w, seed, text);
        }
    }
    for (unsigned i = 0; i < MOMENTS; i++)
        free(moments[i].state);
    free(plain);
}

/* ---- Contexts that move ---- */

/* What a driver does to the image of a context that another engine is to run. */
static void move_image(struct world *w, const struct engine_info *to)
{
    uint32_t *const dw = (uint32_t *)(void *)(w->memory + IMAGE + DRIVER_IMAGE_OFFSET);
    for (struct image_walk i = image_begin(to->contexts.image, to->mmio_base); image_next(&i);)
        if (image_is_register(&i) && dw[i.at_dw]) /* what was never saved stays empty */
            dw[i.at_dw] = i.value;
}

static void check_moves(struct world *w, const struct engine_info *other, uint64_t seed)
{
    uint8_t *const stayed = allocate(MEMORY_BYTES);
    const struct engine_info *const first = w->engine;
    doing = other->name;
    bool moved = false;
    w->make.no_registers = true;
    for (unsigned moves = 0; moves < 2; moves++) {
        const struct engine_info *const to = moves ? other : first;
        uint64_t script = seed;
        set_up(w, seed);
        submit(w, first, descriptor(0), 0);
        softgt_run(w->device, below(&script, 400));
        submit(w, first, 0, 0);
        softgt_run(w->device, w->limit_dw);
        if (w->device->engines[first - w->sheet->engines].context.valid)
            break; /* it hangs, or forbids its preemption: nobody can move it */
        if (moves)
            move_image(w, to);
        submit(w, to, descriptor(0), 0);
        softgt_run(w->device, w->limit_dw);
        submit(w, to, 0, 0);
        softgt_run(w->device, w->limit_dw);
        if (moves)
            move_image(w, first);
        moved = moves;
        if (!moves)
            memcpy(stayed, w->memory, MEMORY_BYTES);
    }
    for (uint32_t at = TABLES; moved && at < MEMORY_BYTES; at++) {
        if (w->memory[at] == stayed[at])
            continue;
        char text[120];
        snprintf(text, sizeof text, "memory is not that of one that stayed, first at 0x%x (image 0x%x)", at,
                 IMAGE + DRIVER_IMAGE_OFFSET);
        fail(w, seed, text);
        break;
    }
    w->make.no_registers = false;
    free(stayed);
}

/* Another engine of its class, the next; NULL: there is none, or no contexts that could move. */
static const struct engine_info *peer(const struct world *w)
{
    const struct engine_info *const all = w->sheet->engines;
    const unsigned count = w->sheet->info.engine_count, i = (unsigned)(w->engine - all);
    for (unsigned j = i + 1; w->engine->contexts.execlists && j < i + count; j++)
        if (all[j % count].class == w->engine->class)
            return &all[j % count];
    return NULL;
}

static void world_create(struct world *w, const struct sheet *sheet)
{
    *w = (struct world){.sheet = sheet, .memory = allocate(MEMORY_BYTES)};
    w->config = (struct softgt_config){.device = sheet->info.name, .memory = {.user = w->memory, .map = map}};
    if (softgt_create(&w->config, &w->device) != 0 || softgt_create(&w->config, &w->spare) != 0)
        abort();
}

#endif
