/* Any bytes as a kernel that is run alone, as the first bytes say: once as fast as it goes, once in small
 * budgets with hooks that look at everything. Where both end, they end alike. Once more with its groups
 * beside each other, the last one first: they may meet in memory, so only that it ends without harm counts.
 */
#include <stdio.h>

#include <softgt/eu.h>

#include "../eu_kernel.h"
#include "../random.h"
#include "fuzz.h"
#include "gen/sheet.h"

enum {
    MOST_BYTES = 1 << 14,
    HEADER = 16,
    BUDGET = 20000,
    BUFFER_BYTES = 8192,
    BUFFERS = 4,
    DATA_BYTES = 512,
    PARALLEL = 2
};

static const char *const devices[] = {"skl", "icl", "tgl", "dg2", "bmg"};
enum { DEVICES = sizeof devices / sizeof devices[0] };

struct trial {
    struct softgt_eu *runners[DEVICES]; /* made when first used: a launch leaves nothing to the next */
    uint8_t buffers[BUFFERS][BUFFER_BYTES];
    struct softgt_eu_outcome outcome;
};

static void see_change(void *user, const struct softgt_eu_change *c)
{
    unsigned *const sum = user;
    *sum += c->number + ((const uint8_t *)c->before)[c->size_bytes - 1u];
}

static bool before(void *user, struct softgt_eu_thread *t)
{
    unsigned *const n = user;
    (void)t;
    return ++*n % 7u; /* it is held now and then */
}

static void after(void *user, struct softgt_eu_thread *t)
{
    char text[32];
    struct softgt_eu_thread_info info;
    softgt_eu_thread_get_info(t, &info);
    softgt_eu_thread_disassemble(t, text, sizeof text);
    softgt_eu_thread_changes(t, user, see_change);
}

static void run_all(void *user, unsigned count, void (*job)(void *context, unsigned thread, unsigned index),
                    void *context)
{
    (void)user;
    while (count-- > 0)
        job(context, count % PARALLEL, count);
}

static void nobody(void *user)
{
    (void)user;
}

static void check(int error)
{
    if (error != 0)
        abort();
}

static const uint64_t addresses[BUFFERS] = {0, 0x10000, UINT64_C(0x100000000), UINT64_C(0x11111111000)};

static void make(struct trial *trial, unsigned device, bool parallel)
{
    const struct softgt_parallel_port port = {NULL, PARALLEL, run_all, nobody, nobody};
    const struct softgt_eu_config config = {.device = devices[device],
                                            .parallel = parallel ? port : (struct softgt_parallel_port){0}};
    check(softgt_eu_create(&config, &trial->runners[device]));
    for (unsigned i = 0; i < BUFFERS; i++) {
        check(softgt_eu_map(trial->runners[device], addresses[i], trial->buffers[i], BUFFER_BYTES - i * 100u,
                            i != 2));
        check(softgt_eu_set_surface(trial->runners[device], i, addresses[i], BUFFER_BYTES - i * 64u));
    }
}

/* An image in a buffer, of any type, format and tiling: of 16 dwords at random few are one. */
static void tame_surface(uint32_t *dw, uint64_t address)
{
    enum { ALIGNED = 1 << 16 | 1 << 14, PITCH = 255, ROWS = 16 / 4 };
    const uint32_t first = dw[0];
    dw[0] = (first & 3u) << 29 | (first >> 2 & 0x1ffu) << 18 | ALIGNED | (first >> 11 & 3u) << 12 |
            (first >> 13 & 1u) << 28;
    dw[1] = ROWS;
    dw[2] &= 0x3f003f;
    dw[3] = PITCH | (dw[3] & 3u) << 21;
    dw[5] &= 0x33;
    dw[8] = (uint32_t)address;
    dw[9] = (uint32_t)(address >> 32);
    dw[4] = dw[6] = 0;
    memset(dw + 10, 0, 6 * sizeof *dw);
}

static void put_state(struct softgt_eu *eu, const uint8_t *words, uint8_t raw)
{
    enum { SURFACE_BYTES = 64, SAMPLER_BYTES = 16 };
    uint32_t dw[SURFACE_BYTES / 4];
    for (unsigned i = 0; i < BUFFERS; i++) {
        memcpy(dw, words + i * SURFACE_BYTES, sizeof dw);
        if (!(raw >> i & 1u))
            tame_surface(dw, addresses[i]);
        check(softgt_eu_set_surface_state(eu, i + BUFFERS, dw));
    }
    for (unsigned i = 0; i < SOFTGT_EU_SAMPLERS; i++) {
        memcpy(dw, words + i * SAMPLER_BYTES, SAMPLER_BYTES);
        check(softgt_eu_set_sampler_state(eu, i, dw));
    }
}

enum way { FAST, SLOWLY, BESIDE_EACH_OTHER };

/* False: there is no such launch. */
static bool run(struct trial *trial, const uint8_t *data, size_t size, enum way way)
{
    const bool slowly = way == SLOWLY;
    struct softgt_eu_launch_config l = {
        .groups = {data[1] % 4u, data[1] >> 4 & 1u},
        .threads = data[2] % 9u,
        .channels = 8u << data[3] % 3u,
        .last_channels = data[4],
        .local_size = {data[2] % 9u * 8u},
        .shared_bytes = data[5] * 64u,
        .large_registers = (data[0] & 0x80) != 0,
        .control = data[6] | (data[7] & 4u) << 8,
        .payload = (enum softgt_eu_payload)(data[8] % 3u),
        .general = (uint64_t)(data[9] & 1u) << 32,
    };
    uint8_t words[DATA_BYTES] __attribute__((aligned(4)));
    unsigned seen = 0;
    const struct softgt_eu_hooks hooks = {.user = &seen, .before = before, .after = after};
    for (unsigned i = 0; i < DATA_BYTES; i++)
        words[i] = data[HEADER + i * 5u % (size - HEADER)];
    l.data = words;
    l.data_bytes = data[10] % 9u * 32u;
    if (l.payload != SOFTGT_EU_LOCAL_IDS) {
        l.own_data = words;
        l.own_bytes = data[11] % 3u * 32u;
    }
    if (l.own_bytes * (l.threads ? l.threads : 1u) > DATA_BYTES)
        l.own_bytes = 32;
    struct softgt_eu **const place = &trial->runners[data[0] % DEVICES];
    if (!*place)
        make(trial, data[0] % DEVICES, way == BESIDE_EACH_OTHER);
    struct softgt_eu *const eu = *place;
    memset(trial->buffers, 0x3f, sizeof trial->buffers);
    put_state(eu, words, data[13]);
    check(softgt_eu_set_kernel(eu, data + HEADER, size - HEADER));
    if (way != BESIDE_EACH_OTHER) /* whoever has watched once has threads one by one */
        check(softgt_eu_watch(eu, slowly ? &hooks : NULL));
    const bool good = softgt_eu_launch(eu, &l) == 0;
    for (uint64_t left = BUDGET; good && left;) {
        const uint64_t part = slowly ? data[12] % 64u + 1u : left;
        if (softgt_eu_run(eu, part < left ? part : left, &trial->outcome) != SOFTGT_EU_UNFINISHED &&
            trial->outcome.result != SOFTGT_EU_HELD)
            break;
        left -= part < left ? part : left;
    }
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct trial fast, slow, beside;
    if (size <= HEADER || size > MOST_BYTES)
        return 0;
    if (!run(&fast, data, size, FAST) || !run(&slow, data, size, SLOWLY) ||
        !run(&beside, data, size, BESIDE_EACH_OTHER))
        return 0;
    const struct softgt_eu_outcome *const a = &fast.outcome, *const b = &slow.outcome;
    if (a->result == SOFTGT_EU_UNFINISHED || b->result == SOFTGT_EU_UNFINISHED || b->result == SOFTGT_EU_HELD)
        return 0;
    if (a->result != b->result || a->ip != b->ip || a->thread != b->thread || a->why != b->why ||
        a->address != b->address || a->is_write != b->is_write || a->instructions != b->instructions ||
        a->threads != b->threads || memcmp(a->group, b->group, sizeof a->group) != 0 ||
        memcmp(fast.buffers, slow.buffers, sizeof fast.buffers) != 0)
        abort();
    return 0;
}

/* ---- Instructions that do something ---- */

/* A message that there is, of registers at random. */
static void make_message(struct kernel *k, uint64_t *seed)
{
    static const uint8_t functions[] = {SFID_SAMPLER, SFID_GATEWAY, SFID_DC0, SFID_DC1,
                                        SFID_DC2,     SFID_TGM,     SFID_SLM, SFID_UGM};
    const bool wide =
        kernel_rows(k->set) > 1; /* longer, of up to 32 channels, and with a type's highest bit */
    for (unsigned tries = 0; tries < 64; tries++) {
        const unsigned function = functions[below(seed, sizeof functions)];
        const unsigned payload = 1u + below(seed, wide ? 15 : 11),
                       response = below(seed, 3) ? below(seed, wide ? 32 : 9) : 0;
        uint32_t descriptor = (uint32_t)random_next(seed) & (wide ? 0xe007ffffu : 0x7ffffu);
        if (function >= SFID_TGM && !wide)
            descriptor |= below(seed, 4) << 29;
        if (below(seed, 2)) /* one of the surfaces */
            descriptor = (descriptor & ~0xffu) | below(seed, 2u * BUFFERS);
        descriptor |= payload << 25 | response << 20 | below(seed, 2) << 19;
        if (wide && function >= SFID_TGM)
            descriptor &= 0x7fffffff;
        const enum eu_message_kind kind = eu_message_kind(k->set, function, descriptor);
        if (kind == MESSAGE_UNKNOWN || kind == MESSAGE_END_OF_THREAD)
            continue;
        const struct how how = {.channels = (uint8_t)((8u << wide) << below(seed, 2)),
                                .no_mask = below(seed, 2)};
        kernel_send(k, how, function, descriptor,
                    response ? reg(32u + below(seed, 80), TYPE_UD) : none(TYPE_UD),
                    reg(below(seed, 40), TYPE_UD), false);
        k->i[k->count - 1].value[EU_EXTENDED] = below(seed, 2u * BUFFERS) << 24;
        return;
    }
}

/* Products of blocks, where there are any. */
static void make_blocks(struct kernel *k, uint64_t *seed)
{
    static const enum eu_type types[] = {TYPE_UB, TYPE_B, TYPE_HF, TYPE_BF};
    const enum eu_type type = types[below(seed, 4)],
                       sum = type == TYPE_UB || type == TYPE_B ? TYPE_D : TYPE_F;
    if (!kernel_has(k->set, EU_DPAS))
        return;
    struct eu_instruction *const i = kernel_add(k, EU_DPAS, 3, &(struct how){.channels = 8});
    const struct op to = reg(below(seed, 128), sum),
                    ops[3] = {reg(below(seed, 128), sum), reg(below(seed, 128), type),
                              reg(below(seed, 128), type)};
    kernel_destination(k, i, &to);
    for (int n = 0; n < 3; n++) {
        kernel_source(k, i, n, &ops[n]);
        uint32_t *const v = i->value + n * EU_SOURCE_STEP;
        v[EU_SRC0_VERTICAL] = v[EU_SRC0_HORIZONTAL] = v[EU_SRC0_WIDTH] = 0;
    }
    i->value[EU_DST_STRIDE] = 0;
    i->value[EU_SRC1_SUBBYTE] = below(seed, 3);
    i->value[EU_SRC2_SUBBYTE] = below(seed, 3);
    i->value[EU_DEPTH] = below(seed, 4);
    i->value[EU_REPEAT] = below(seed, 8);
}

/* A register becomes what coordinates and offsets are. */
static void make_value(struct kernel *k, uint64_t *seed)
{
    static const uint32_t values[] = {0, 1, 16, 64, 4096, 0x3f000000, 0x3f800000, 0x40490fdb, 0xbf000000};
    const uint32_t value =
        below(seed, 3) ? values[below(seed, sizeof values / sizeof values[0])] : (uint32_t)random_value(seed);
    KERNEL_1(k, EU_MOV, ((struct how){.channels = 16, .no_mask = true}), reg(below(seed, 40), TYPE_UD),
             imm(value, TYPE_UD));
}

/* A few of them, as bytes; what cannot be encoded is left out. */
static size_t make_instructions(unsigned device, uint64_t *seed, unsigned count, uint8_t *bytes)
{
    static void (*const kinds[])(struct kernel * k, uint64_t * seed) = {make_message, make_message,
                                                                        make_blocks, make_value};
    static struct kernel k;
    size_t size = 0;
    k.set = sheet_find(devices[device % DEVICES])->eu;
    k.count = 0;
    while (count-- > 0)
        kinds[below(seed, sizeof kinds / sizeof kinds[0])](&k, seed);
    for (unsigned n = 0; n < k.count; n++)
        if (eu_encode(k.set, &k.i[n], bytes + size))
            size += EU_NATIVE_BYTES;
    return size;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value);

/* They come and take the places of others, besides what happens to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value)
{
    enum { MOST = 4 };
    uint8_t bytes[MOST * EU_NATIVE_BYTES];
    uint64_t seed = seed_value;
    if (size < HEADER || below(&seed, 2))
        return LLVMFuzzerMutate(data, size, max_size);
    const size_t length = make_instructions(data[0], &seed, 1u + below(&seed, MOST), bytes),
                 body = (size - HEADER) / EU_NATIVE_BYTES,
                 at = HEADER + below(&seed, (uint32_t)body + 1u) * EU_NATIVE_BYTES;
    if (below(&seed, 2) && at + length <= size) {
        memcpy(data + at, bytes, length);
        return size;
    }
    if (size + length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, bytes, length);
    return size + length;
}

/* ---- What it begins with ---- */

static void seed(unsigned set, const uint8_t *kernel, size_t size, fuzz_take *take)
{
    uint8_t *const bytes = malloc(HEADER + size);
    if (!bytes)
        abort();
    for (unsigned i = 0; i < HEADER; i++)
        bytes[i] = (uint8_t)(size / 16u + i * 3u);
    bytes[0] = (uint8_t)set;
    memcpy(bytes + HEADER, kernel, size);
    take(bytes, HEADER + size);
    free(bytes);
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    enum { KERNELS = 32, INSTRUCTIONS = 12 };
    uint8_t bytes[HEADER + INSTRUCTIONS * EU_NATIVE_BYTES] = {0};
    (void)root;
    fuzz_kernels(seed, take);
    for (uint8_t device = 0; device < DEVICES; device++)
        for (uint8_t n = 0; n < KERNELS; n++) {
            uint64_t start = device * (unsigned)KERNELS + n;
            const uint8_t header[HEADER] = {device, 0x13,   2, 1, 0, 8, 0,
                                            0,      n % 3u, 0, 2, 1, n, n % 4u ? 0 : 15};
            memcpy(bytes, header, HEADER);
            take(bytes, HEADER + make_instructions(device, &start, INSTRUCTIONS, bytes + HEADER));
        }
}

void fuzz_words(fuzz_take *take)
{
    fuzz_field_words(take);
}
