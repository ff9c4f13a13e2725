/* Any bytes as a kernel that is run alone, as the first bytes say: once as fast as it goes, once in small
 * budgets with hooks that look at everything. Where both end, they end alike. */
#include "fuzz.h"

#include <softgt/eu.h>

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 1 << 14,
    HEADER = 16,
    BUDGET = 20000,
    BUFFER_BYTES = 8192,
    BUFFERS = 4,
    DATA_BYTES = 512
};

static const char *const devices[] = {"skl", "icl", "tgl", "dg2"};
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
    softgt_eu_info(t, &info);
    softgt_eu_text(t, text, sizeof text);
    softgt_eu_changes(t, user, see_change);
}

static void check(int error)
{
    if (error != 0)
        abort();
}

static void make(struct trial *trial, unsigned device)
{
    static const uint64_t addresses[BUFFERS] = {0, 0x10000, UINT64_C(0x100000000), UINT64_C(0x11111111000)};
    const struct softgt_eu_config config = {.device = devices[device]};
    check(softgt_eu_create(&config, &trial->runners[device]));
    for (unsigned i = 0; i < BUFFERS; i++) {
        check(softgt_eu_map(trial->runners[device], addresses[i], trial->buffers[i], BUFFER_BYTES - i * 100u,
                            i != 2));
        check(softgt_eu_surface(trial->runners[device], i, addresses[i], BUFFER_BYTES - i * 64u));
    }
}

/* False: there is no such launch. */
static bool run(struct trial *trial, const uint8_t *data, size_t size, bool slowly)
{
    struct softgt_eu_launch l = {
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
        make(trial, data[0] % DEVICES);
    struct softgt_eu *const eu = *place;
    memset(trial->buffers, 0x3f, sizeof trial->buffers);
    for (unsigned i = 0; i < BUFFERS; i++)
        check(softgt_eu_surface_state(eu, i + BUFFERS, (const uint32_t *)(const void *)(words + i * 64u)));
    check(softgt_eu_kernel(eu, data + HEADER, size - HEADER));
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
    static struct trial fast, slow;
    if (size <= HEADER || size > MOST_BYTES)
        return 0;
    if (!run(&fast, data, size, false) || !run(&slow, data, size, true))
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
    (void)root;
    fuzz_kernels(seed, take);
}

void fuzz_words(fuzz_take *take)
{
    fuzz_field_words(take);
}
