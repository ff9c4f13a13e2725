/*
 * Functions against each other: the first bytes say on which device, whether functions are apart, and who is
 * hostile: function 1, or, beside functions that are apart, the physical function's driver. The rest is what
 * that one does, a byte each and its operands: accesses of BARs and of configuration space, its memory,
 * messages to the microcontroller, commands on an engine, time. Function 2 has a context that waits
 * meanwhile.
 *
 * Held: what the hostile one can see is the same to the bit whatever the others' secrets are, which lie in
 * all that they have (the input is played twice; where the first byte says so, the device is saved and loaded
 * before each move of the second time); nothing of function 2's, nor of function 3's that has no driver, is
 * changed; and when the hostile one has been reset function 2's work is done.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/* The worlds of the C tests, without their library. */
#define assert_true(x)                                                                                       \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)
#define assert_false(x)                 assert_true(!(x))
#define assert_non_null(x)              assert_true((x) != NULL)
#define assert_int_equal(a, b)          assert_true((a) == (b))
#define assert_memory_equal(a, b, size) assert_true(memcmp((a), (b), (size)) == 0)
#define print_error(...)                fprintf(stderr, __VA_ARGS__)
#define fail_msg(...)                                                                                        \
    do {                                                                                                     \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        abort();                                                                                             \
    } while (0)
#include "memory/flat_ccs.h"

#include "../functions.h"
#include "../generate.h"

enum { HOSTILE_MOST = 1 << 12, VICTIM = 2, ABSENT = 3 };
enum { LOCAL_BYTES = 4 << 20, SECRET = 0x90000, SECRET_BYTES = 0x60000, LOCAL_SECRET = 0x100000 };
enum { LRCA = 0x10000, JOB_RING = 0x40000, BATCH = 0x48000, GATE = RESULTS + 0x40, DONE_AT = RESULTS + 0x80 };

struct input {
    const uint8_t *at, *end;
};

static uint64_t number(struct input *in, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= in->at < in->end ? (uint64_t)*in->at++ << i * 8 : 0;
    return value;
}

/* What the hostile one sees: a hash of what it reads, then its memory and its share of local memory. */
struct sight {
    uint64_t hash;
    uint8_t *memory, *local;
};

struct game {
    struct world *w;
    struct vf *hostile;
    uint64_t seed, secret;
    bool reloads;
    struct sight sight;
    unsigned rings;
};

static void see(struct game *g, uint64_t value)
{
    g->sight.hash = (g->sight.hash ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t read_bar(struct game *g, unsigned bar, uint64_t at_byte, unsigned size)
{
    const struct vf *v = g->hostile;
    return v->number ? softgt_function_bar_read(v->device, v->number, bar, at_byte, size)
                     : softgt_bar_read(v->device, bar, at_byte, size);
}

static void write_bar(struct game *g, unsigned bar, uint64_t at_byte, uint64_t value, unsigned size)
{
    const struct vf *v = g->hostile;
    if (v->number)
        softgt_function_bar_write(v->device, v->number, bar, at_byte, value, size);
    else
        softgt_bar_write(v->device, bar, at_byte, value, size);
}

/* ---- Secrets ---- */

static uint64_t local_start(const struct game *g, unsigned n)
{
    return g->w->pf.vf_configs[n - 1].local_start;
}

static void put_local(struct game *g, uint64_t first, uint64_t bytes)
{
    uint64_t part[512];
    for (unsigned i = 0; i < 512; i++)
        part[i] = g->secret;
    for (uint64_t done = 0; done < bytes; done += sizeof part)
        assert_true(softgt_local_write(g->w->device, first + done, part, sizeof part));
}

static bool local_is_secret(struct game *g, uint64_t first, uint64_t bytes)
{
    uint64_t part[512];
    for (uint64_t done = 0; done < bytes; done += sizeof part) {
        assert_true(softgt_local_read(g->w->device, first + done, part, sizeof part));
        for (unsigned i = 0; i < 512; i++)
            if (part[i] != g->secret)
                return false;
    }
    return true;
}

static uint64_t state_of(const struct game *g, unsigned n)
{
    return local_ccs(&g->w->device->memory, local_start(g, n));
}

static uint64_t ccs_bytes(const struct game *g)
{
    return LOCAL_BYTES / ccs_ratio(&g->w->device->memory);
}

/* Whoever is hostile has none. */
static void hide(struct game *g)
{
    for (unsigned n = 0; n <= VFS; n++) {
        struct vf *const v = &g->w->vfs[n];
        if (v == g->hostile)
            continue;
        for (uint32_t i = 0; i < SECRET_BYTES; i += 8)
            memcpy(at(v, SECRET + i), &g->secret, 8);
        if (!n)
            continue;
        put_local(g, local_start(g, n) + LOCAL_SECRET, LOCAL_BYTES - LOCAL_SECRET);
        put_local(g, state_of(g, n), ccs_bytes(g));
        for (unsigned gt = 0; gt < device_guc_count(v->device); gt++)
            softgt_function_bar_write(v->device, n, 0, v->device->gucs[gt].info->mailbox + 4,
                                      (uint32_t)g->secret, 4);
    }
}

static void expect_hidden(struct game *g)
{
    for (unsigned n = VICTIM; n <= ABSENT; n++) {
        const struct vf *const v = &g->w->vfs[n];
        for (uint32_t i = 0; i < SECRET_BYTES; i += 8)
            if (memcmp(at(v, SECRET + i), &g->secret, 8) != 0)
                fail_msg("function %u's memory at %x is changed\n", n, SECRET + i);
        assert_true(local_is_secret(g, local_start(g, n) + LOCAL_SECRET, LOCAL_BYTES - LOCAL_SECRET));
        assert_true(local_is_secret(g, state_of(g, n), ccs_bytes(g)));
    }
}

/* ---- What the hostile one does ---- */

static uint64_t places[VFS + 1];
static uint64_t any_address(uint64_t *seed)
{
    const uint64_t r = below(seed, 8);
    return r <= VFS ? places[r] + below(seed, MEMORY_BYTES)
           : r < 6  ? random_value(seed)
                    : below(seed, 1 << 22);
}

/* A number of those that are interesting, or any. */
static uint64_t place_of(struct game *g, struct input *in)
{
    const uint64_t any = number(in, 5);
    switch (any >> 36 & 7u) {
    case 0:
        return places[1] + any % MEMORY_BYTES;
    case 1:
        return places[VICTIM] + any % MEMORY_BYTES;
    case 2:
        return local_start(g, 1 + (unsigned)any % VFS) + any / 8 % LOCAL_BYTES;
    case 3:
        return state_of(g, 1 + (unsigned)any % VFS) + any / 8 % (ccs_bytes(g));
    case 4:
        return g->w->pf.own_local_start + any % 0x100000;
    case 5:
        return any % MEMORY_BYTES;
    default:
        return any & 0xffffffff;
    }
}

/* An offset of those blocks that have others', or any. */
static uint32_t register_of(struct input *in)
{
    static const uint32_t bases[] = {
        0,        0x190000, 0x190200, 0x190400, 0x190600, 0x190800, 0x190a00, 0x190c00, 0x1000, 0x1800,
        0x3ff000, 0x400000, 0x7ff000, 0xc000,   0xc200,   0xa000,   0x22000,  0x22200,  0x2000, 0x2200,
        0x1c0000, 0x1c8000, 0x1a000,  0x108000, 0x101000, 0xcf00,   0x9400,   0x9100,   0x4000, 0x100000,
        0xd000,   0x800,    0x190300, 0x380000, 0x38c000, 0x389000, 0x3848b0, 0x3ee000};
    const uint32_t base = bases[number(in, 1) % (sizeof bases / sizeof bases[0])],
                   any = (uint32_t)number(in, 3);
    return base ? base + any % 0x200 : any % 0x800000;
}

static void access_registers(struct game *g, struct input *in)
{
    const uint8_t how = (uint8_t)number(in, 1);
    const uint32_t offset = register_of(in);
    const unsigned size = 1u << (how >> 4 & 3u);
    if (how & 0x80)
        write_bar(g, 0, offset, how & 0x40 ? place_of(g, in) : number(in, 4), size);
    else
        see(g, read_bar(g, 0, offset, size));
}

static void access_entries(struct game *g, struct input *in)
{
    const uint8_t how = (uint8_t)number(in, 1);
    const uint64_t page = how & 1 ? number(in, 3) % (1 << 20) : place_of(g, in) / 4096 % (1 << 20);
    const uint64_t entry = TABLE + page * 8 + (how >> 1 & 4u);
    if (how & 0x80)
        write_bar(g, 0, entry, (place_of(g, in) & ~UINT64_C(0xfff)) | number(in, 1), how & 0x10 ? 4 : 8);
    else
        see(g, read_bar(g, 0, entry, 8));
}

static void access_local(struct game *g, struct input *in)
{
    const uint8_t how = (uint8_t)number(in, 1);
    const uint64_t offset = how & 1 ? place_of(g, in) : number(in, 3) % LOCAL_BYTES;
    if (how & 0x80)
        write_bar(g, SOFTGT_BAR_LOCAL, offset, place_of(g, in) | number(in, 2), 1u << (how >> 4 & 3u));
    else
        see(g, read_bar(g, SOFTGT_BAR_LOCAL, offset, 1u << (how >> 4 & 3u)));
}

static void fill_memory(struct game *g, struct input *in)
{
    uint32_t place = (uint32_t)number(in, 3) % MEMORY_BYTES & ~3u, length_dw = (uint32_t)number(in, 1) % 64;
    for (; length_dw-- && place < MEMORY_BYTES; place += 4)
        at(g->hostile, place)[0] = (uint32_t)(number(in, 1) & 1 ? place_of(g, in) : number(in, 4));
}

/* It talks to the GuC of either GT. */
static struct vf *driver_of_guc(struct game *g, struct input *in)
{
    struct vf *const first = g->hostile, *const media = &g->w->media[first->number];
    if (!(number(in, 1) & 1u) || device_guc_count(g->w->device) == 1)
        return first;
    media->ggtt = first->ggtt;
    media->driver = first->driver;
    return media;
}

static void message(struct game *g, struct input *in)
{
    static const uint16_t actions[] = {0x10,   0x20,   0x1000, 0x1001, 0x100b, 0x4502, 0x4503, 0x5103,
                                       0x7000, 0x7002, 0x5503, 0x5506, 0x550b, 0x3003, 0x509,  0x4600};
    uint32_t dw[16];
    const uint8_t how = (uint8_t)number(in, 1);
    const uint32_t length_dw = how >> 4,
                   action = how % 16 == 15 ? (uint32_t)number(in, 2) : actions[how % 16];
    for (uint32_t i = 0; i < length_dw; i++)
        dw[i] = (uint32_t)(number(in, 1) & 1 ? place_of(g, in) : number(in, 2));
    send(driver_of_guc(g, in), 2u * (how & 1u), action, dw, length_dw);
}

static void mail(struct game *g, struct input *in)
{
    static const uint16_t actions[] = {0x5507, 0x5500, 0x5509, 0x4100, 0x508, 0x4509, 0x5503, 0x5506};
    const uint8_t how = (uint8_t)number(in, 1);
    const struct vf *const v = driver_of_guc(g, in);
    const uint32_t box = mailbox_of(v);
    write_bar(g, 0, box + 4, how & 0x80 ? place_of(g, in) : number(in, 4), 4);
    write_bar(g, 0, box + 8, how & 0x40 ? place_of(g, in) : number(in, 2), 4);
    write_bar(g, 0, box + 12, number(in, 2), 4);
    write_bar(g, 0, box, how & 0x20 ? number(in, 4) : actions[how % 8], 4);
    write_bar(g, 0, interrupt_of(v), 0, 4);
    for (unsigned i = 0; i < 4; i++)
        see(g, read_bar(g, 0, box + i * 4, 4));
}

/* A context of an engine class with commands at random, or with these. */
static void commands(struct game *g, struct input *in)
{
    const uint8_t how = (uint8_t)number(in, 1);
    const uint32_t class = how % CLASSES, count = how >> 5;
    const struct engine_info *const engine = engine_of(g->w, class);
    struct generator generator = {.device = g->w->device,
                                  .engine = engine,
                                  .seed = number(in, 3),
                                  .address = any_address,
                                  .hostile = true};
    uint32_t *const batch = at(g->hostile, BATCH), length_dw = 0;
    for (uint32_t i = 0; i < 1 + count; i++)
        length_dw += how & 0x10 ? generate_command(&generator, batch + length_dw) : 0;
    while (!(how & 0x10) && length_dw < 16)
        batch[length_dw++] = (uint32_t)(number(in, 1) & 1 ? place_of(g, in) : number(in, 4));
    batch[length_dw] = 0x05000000;
    if (!g->hostile->number)
        return;
    struct job j = job_of(g->w, g->hostile->number, class + 8, class, LRCA, JOB_RING, NULL);
    job_batch(&j, address(g->hostile, BATCH));
    softgt_run(g->w->device, 1 << 14);
}

/* Commands that are what they should be, of which the operands are not: copies, loads and stores of memory
 * and of registers, from anywhere to its own memory or from there to anywhere. */
static void well_formed_commands(struct game *g, struct input *in)
{
    enum { GPR = 0x600, MOST = 8, SINK = 0x60000 };
    const uint8_t how = (uint8_t)number(in, 1);
    const uint32_t class = how % CLASSES, count = 1 + how / 32u,
                   gpr = engine_of(g->w, class)->mmio_base + GPR;
    if (!g->hostile->number)
        return;
    struct job j = job_of(g->w, g->hostile->number, class + 8, class, LRCA, JOB_RING, NULL);
    uint32_t sink = address(g->hostile, SINK) + class * 256;
    for (uint32_t i = 0; i < count; i++, sink += 32) {
        const uint8_t what = (uint8_t)number(in, 1);
        const uint32_t place = (uint32_t)place_of(g, in) & ~3u, offset = register_of(in) & ~3u;
        const uint32_t t[][MOST] = {{0x17600003, sink, 0, place, 0},
                                    {0x17600003, place, 0, sink, 0},
                                    {0x10400002, place, 0, 0xbad},
                                    {0x12400002, offset, sink, 0},
                                    {0x14c00002, gpr, place, 0, 0x12400002, gpr, sink, 0},
                                    {0x15000001, offset, gpr, 0, 0x12400002, gpr, sink, 0},
                                    {0x17c40009, place, 0, 0},
                                    {0x11000001, offset, 0xbad, 0},
                                    {0x0e41c002, 0, what & 0x80 ? offset : place, 0}};
        job_add(&j, t[what % (sizeof t / sizeof t[0])], MOST);
    }
    softgt_run(g->w->device, 1 << 14);
}

static void configure_function(struct game *g, struct input *in)
{
    const uint32_t offset = (uint32_t)number(in, 2) % 0x200, value = (uint32_t)number(in, 4);
    if (g->hostile->number)
        softgt_function_pci_config_write(g->w->device, g->hostile->number, offset, value, 1u << value % 3);
    else
        softgt_pci_config_write(g->w->device, offset, value, 1u << value % 3);
    see(g, g->hostile->number ? softgt_function_pci_config_read(g->w->device, g->hostile->number, offset, 4)
                              : softgt_pci_config_read(g->w->device, offset, 4));
}

static void go_on(struct game *g, struct input *in)
{
    const uint8_t how = (uint8_t)number(in, 1);
    softgt_advance(g->w->device, (uint64_t)how << how % 20u);
    softgt_run(g->w->device, 1 << 14);
    for (unsigned i = 0; i < 64 && driver_pf_serve(&g->w->pf); i++)
        ;
}

static void reload(struct game *g)
{
    struct softgt *const d = g->w->device;
    const size_t size = softgt_save(d, NULL, 0);
    uint8_t *const state = malloc(size);
    assert_non_null(state);
    assert_true(softgt_save(d, state, size) == size);
    assert_int_equal(softgt_load(d, state, size), 0);
    free(state);
}

static void play_all(struct game *g, struct input *in)
{
    static void (*const moves[])(struct game * g, struct input * in) = {
        access_registers, access_entries,       access_local,       fill_memory, message, mail,
        commands,         well_formed_commands, configure_function, go_on};
    while (in->at < in->end) {
        if (g->reloads)
            reload(g);
        moves[*in->at++ % (sizeof moves / sizeof moves[0])](g, in);
    }
}

/* ---- A game ---- */

/* Function 2's: it waits for its memory, then stores. */
static struct job wait_and_store(struct game *g, uint32_t class)
{
    struct vf *const v = &g->w->vfs[VICTIM];
    struct job j = job_of(g->w, VICTIM, 0, class, LRCA, JOB_RING, NULL);
    job_wait(&j, address(v, GATE), 1);
    job_store(&j, address(v, DONE_AT), 0x600d);
    return j;
}

static struct game begin(bool apart, bool physical, uint32_t class, uint64_t secret)
{
    static const struct driver_vf_config shares[VFS] = {
        {.local_bytes = LOCAL_BYTES}, {.local_bytes = LOCAL_BYTES}, {.local_bytes = LOCAL_BYTES}};
    struct game g = {.secret = secret};
    g.w = world_make(shares, apart);
    bring_up(g.w, 1);
    bring_up(g.w, VICTIM);
    if (physical) {
        physical_begin(g.w);
        physical_load(g.w);
    }
    g.hostile = &g.w->vfs[!physical];
    for (unsigned n = 1; n <= VFS; n++)
        places[n] = g.w->pf.vf_configs[n - 1].ggtt_start;
    places[0] = 0x400000;
    hide(&g);
    wait_and_store(&g, class);
    run(g.w);
    return g;
}

static uint64_t table_hash(const struct game *g, unsigned n)
{
    const struct driver_vf_config *const s = &g->w->pf.vf_configs[n - 1];
    uint64_t hash = 0;
    for (uint64_t at_byte = s->ggtt_start / 4096 * 8; at_byte < (s->ggtt_start + s->ggtt_bytes) / 4096 * 8;
         at_byte += 8)
        hash = (hash ^ ggtt_table_read(&g->w->device->memory, at_byte, 8)) * UINT64_C(0x100000001b3);
    return hash;
}

/* Who comes after the hostile one finds nothing of it: neither local memory nor compression state. */
static void expect_clean(struct game *g)
{
    uint64_t part[512];
    const uint64_t ranges[][2] = {{local_start(g, 1), LOCAL_BYTES}, {state_of(g, 1), ccs_bytes(g)}};
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t done = 0; done < ranges[i][1]; done += sizeof part) {
            assert_true(softgt_local_read(g->w->device, ranges[i][0] + done, part, sizeof part));
            for (unsigned k = 0; k < 512; k++)
                assert_int_equal(part[k], 0);
        }
}

/* It comes to its turn, whatever the other one left. */
static void expect_done(struct game *g)
{
    struct vf *const v = &g->w->vfs[VICTIM];
    if (g->hostile->number)
        softgt_function_pci_config_write(g->w->device, 1, 0x78, 0x8000, 2);
    at(v, GATE)[0] = 1;
    for (unsigned i = 0; i < 100 && at(v, DONE_AT)[0] != 0x600d; i++) {
        run(g->w);
        softgt_advance(g->w->device, 50000000);
    }
    assert_int_equal(at(v, DONE_AT)[0], 0x600d);
}

static void play(const uint8_t *data, size_t size, uint64_t secret, bool reloads, struct sight *sight)
{
    const bool apart = data[0] & 1, physical = apart && data[0] & 2;
    struct input in = {data + 2, data + size};
    function_device = function_devices[data[0] >> 3 & 1u];
    struct game g = begin(apart, physical, data[1] % CLASSES, secret);
    g.reloads = reloads;
    const uint64_t entries[] = {table_hash(&g, VICTIM), table_hash(&g, ABSENT)};
    struct vf_provisioning shares[MOST_GTS];
    const unsigned gucs = device_guc_count(g.w->device);
    for (unsigned i = 0; i < gucs; i++)
        shares[i] = g.w->device->gucs[i].functions[VICTIM].provisioning;
    play_all(&g, &in);
    for (unsigned i = 0; i < 4; i++)
        run(g.w);
    expect_hidden(&g);
    assert_int_equal(table_hash(&g, VICTIM), entries[0]);
    assert_int_equal(table_hash(&g, ABSENT), entries[1]);
    for (unsigned i = 0; i < gucs; i++)
        assert_memory_equal(&g.w->device->gucs[i].functions[VICTIM].provisioning, &shares[i],
                            sizeof shares[i]);
    *sight = g.sight;
    sight->memory = malloc(MEMORY_BYTES);
    sight->local = malloc(LOCAL_BYTES);
    assert_true(sight->memory && sight->local);
    memcpy(sight->memory, g.hostile->memory, MEMORY_BYTES);
    assert_true(softgt_local_read(g.w->device, physical ? 0 : local_start(&g, 1), sight->local, LOCAL_BYTES));
    expect_done(&g);
    expect_hidden(&g);
    if (!physical)
        expect_clean(&g);
    world_destroy(g.w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sight sights[2];
    if (size < 3)
        return 0;
    size = size < HOSTILE_MOST ? size : HOSTILE_MOST;
    for (unsigned i = 0; i < 2; i++)
        play(data, size, i ? UINT64_C(0x5ec7e75ec7e70bad) : UINT64_C(0x2a17f3c46b9d8e51), i && data[0] & 4,
             &sights[i]);
    for (uint32_t i = 0; i < MEMORY_BYTES; i += 4)
        if (memcmp(sights[0].memory + i, sights[1].memory + i, 4) != 0)
            fail_msg("a secret shows in its memory at %x\n", i);
    for (uint32_t i = 0; i < LOCAL_BYTES; i += 4)
        if (memcmp(sights[0].local + i, sights[1].local + i, 4) != 0)
            fail_msg("a secret shows in its local memory at %x\n", i);
    assert_int_equal(sights[0].hash, sights[1].hash);
    for (unsigned i = 0; i < 2; i++) {
        free(sights[i].memory);
        free(sights[i].local);
    }
    return 0;
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    enum { BYTES = 600, SEEDS = 40 };
    (void)root;
    uint64_t seed = 1;
    for (unsigned i = 0; i < SEEDS; i++) {
        uint8_t data[BYTES];
        for (unsigned k = 0; k < BYTES; k++)
            data[k] = (uint8_t)random_next(&seed);
        take(data, 3 + below(&seed, BYTES - 3));
    }
}

void fuzz_words(fuzz_take *take)
{
    static const uint32_t words[] = {0x190240, 0x1901f0, 0x400000, 0x7ff000, 0x3ff000, 0xcf58, 0x1083b0,
                                     0x941c,   0x101010, 0xc050,   0x190310, 0x190304, 0x48b0, 0x3848b0};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        take(&words[i], 3);
    fuzz_row_words(take);
}
