/* Any text as an error state: parsed, its engines walked and looked at, with the rows of a device that the
 * first byte picks. */
#include "device/host.h"
#include "hang/first_look.h"
#include "fuzz.h"

#include <stdlib.h>

enum { PRODUCTS = 32, MOST_BYTES = 1 << 19, MEMORY_BYTES = 1 << 22, BUDGET = 1 << 16 };

static bool no_memory(void *user, uint64_t address, void *data, size_t size_bytes)
{
    (void)user, (void)address, (void)data, (void)size_bytes;
    return false;
}

/* Made once: it takes longer than an input does. */
static struct softgt *device_of(unsigned product)
{
    static struct softgt *all[PRODUCTS];
    const struct softgt_config config = {.device = sheets[product]->info.name, .memory = {.read = no_memory}};
    if (!all[product] && softgt_create(&config, &all[product]) != 0)
        abort();
    return all[product];
}

/* What the walk gives lies in the state's memory. */
static void on_command(void *user, const struct error_command *c)
{
    uint32_t *const sum = user;
    for (size_t i = 0; i < c->length_dw * c->count; i++)
        *sum += c->dw[i];
    if (!c->length_dw || !c->count)
        abort();
}

static void look(const struct error_state *s, struct softgt *device)
{
    struct text text = {0};
    uint32_t sum = 0;
    for (unsigned i = 0; i < s->engine_count; i++) {
        struct error_walk w = {.state = s,
                               .engine = (int)i,
                               .set = softgt_command_set(device),
                               .class = (enum engine_class)(i % ENGINE_CLASSES),
                               .budget = BUDGET,
                               .user = &sum,
                               .command = on_command};
        error_walk(&w);
        error_first_look(&text, &w, softgt_register_file(device));
    }
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned products = 0;
    struct error_state *const s = malloc(sizeof *s);
    while (sheets[products])
        products++;
    if (!s)
        abort();
    if (size < 2 || size > MOST_BYTES) {
        free(s);
        return 0;
    }
    char *const text = malloc(size - 1); /* no more: ASan sees its end */
    if (!text)
        abort();
    memcpy(text, data + 1, size - 1);
    const bool usable = error_state_parse(s, text, size - 1, MEMORY_BYTES);
    free(text);
    if (!usable && !s->problem_count && !s->no_memory)
        abort();
    look(s, device_of(data[0] % products));
    error_state_free(s);
    free(s);
    return 0;
}

static fuzz_take *take_seed;

/* A file as people keep it: compressed. */
static void take_packed(const void *data, size_t size)
{
    const char *why;
    size_t bytes;
    char *const text = error_state_unpack(data, size, MOST_BYTES - 2, &bytes, &why);
    uint8_t *const seed = text ? malloc(bytes + 1) : NULL;
    if (!seed)
        abort();
    seed[0] = 0;
    memcpy(seed + 1, text, bytes);
    take_seed(seed, bytes + 1 < MOST_BYTES ? bytes + 1 : MOST_BYTES);
    free(seed);
    free(text);
}

void fuzz_seeds(const char *root, fuzz_take *take)
{
    take_seed = take;
    fuzz_files(root, "tests/error_states", ".xz", take_packed);
}

void fuzz_words(fuzz_take *take)
{
    static const char *const words[] = {"GPU HANG: ecode ",
                                        ", in ",
                                        "PCI ID: 0x1912\n",
                                        " command stream:\n",
                                        "rcs0",
                                        "  ACTHD: 0x",
                                        "  HEAD: 0x",
                                        "  TAIL: 0x",
                                        " [0x",
                                        " --- ring = 0x",
                                        " --- batch = 0x",
                                        "\n:",
                                        "\n~",
                                        "zzzz",
                                        "**** ",
                                        " ****\n",
                                        "].length: 0x",
                                        "].data: ",
                                        "batch_addr[0]: 0x",
                                        "(physical), logical instance=0\n",
                                        "00000000 :  00000000\n"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        take(words[i], strlen(words[i]));
}
