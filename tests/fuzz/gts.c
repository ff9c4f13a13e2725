/* Any text as a program: read, and run where it can be read, with little memory and budget. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "player/gts_run.h"
#include "fuzz.h"

static void on_message(void *user, const struct gts_message *m)
{
    *(size_t *)user += strlen(m->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t told = 0;
    const struct gts_options options = {.device = "skl",
                                        .memory_limit = 64 << 20,
                                        .budget_dw = 1 << 14,
                                        .user = &told,
                                        .message = on_message};
    gts_run_text("fuzz", (const char *)data, size, &options);
    return 0;
}

/* ---- Mutations ---- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value);

static struct {
    char text[1 << 15][40];
    unsigned count;
} names;

static void learn(const void *data, size_t size)
{
    if (names.count < sizeof names.text / sizeof names.text[0] && size < sizeof names.text[0])
        memcpy(names.text[names.count++], data, size);
}

/* A part of the text: a word, a number or a sign. */
struct part {
    size_t at, size;
};

static bool in_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '#';
}

static struct part word_near(const uint8_t *text, size_t size, size_t at)
{
    size_t end = at;
    while (at && in_word(text[at - 1]))
        at--;
    while (end < size && in_word(text[end]))
        end++;
    return (struct part){at, end > at ? end - at : at < size};
}

static struct part line_near(const uint8_t *text, size_t size, size_t at)
{
    size_t end = at;
    while (at && text[at - 1] != '\n')
        at--;
    while (end < size && text[end++] != '\n')
        ;
    return (struct part){at, end - at};
}

/* The part becomes what is in `with`. */
static size_t replace(uint8_t *text, size_t size, size_t max_size, struct part p, const uint8_t *with,
                      size_t with_size)
{
    if (size - p.size + with_size > max_size)
        return size;
    memmove(text + p.at + with_size, text + p.at + p.size, size - p.at - p.size);
    memcpy(text + p.at, with, with_size);
    return size - p.size + with_size;
}

/* Words change places, or become names of the rows and numbers; lines come, go and change places. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed_value)
{
    static const char *const numbers[] = {"0",           "1",   "-1",   "0xffffffff",
                                          "0x100000000", "64K", "4096", "2 * i"};
    enum { LONGEST = 256 };
    uint64_t seed = seed_value;
    uint8_t other[LONGEST];
    if (!names.count)
        fuzz_row_names(learn);
    if (size < 8 || below(&seed, 4) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const bool lines = below(&seed, 3) == 0;
    struct part (*const near)(const uint8_t *text, size_t size, size_t at) = lines ? line_near : word_near;
    struct part p = near(data, size, below(&seed, size));
    const struct part from = near(data, size, below(&seed, size));
    const size_t length = from.size < LONGEST ? from.size : LONGEST;
    memcpy(other, data + from.at, length);
    switch (below(&seed, lines ? 3 : 5)) {
    case 0: /* the other, in its place */
        return replace(data, size, max_size, p, other, length);
    case 1: /* before it, too */
        p.size = 0;
        return replace(data, size, max_size, p, other, length);
    case 2:
        return replace(data, size, max_size, p, other, 0);
    case 3: {
        const char *const name = names.text[below(&seed, names.count)];
        return replace(data, size, max_size, p, (const uint8_t *)name, strlen(name));
    }
    default: {
        const char *const number = numbers[below(&seed, sizeof numbers / sizeof numbers[0])];
        return replace(data, size, max_size, p, (const uint8_t *)number, strlen(number));
    }
    }
}

/* ---- What it begins with ---- */

void fuzz_seeds(const char *root, fuzz_take *take)
{
    fuzz_files(root, "examples", ".gts", take);
    fuzz_files(root, "tests/rule", ".gts", take);
    fuzz_files(root, "tests/bad", ".gts", take);
}

void fuzz_words(fuzz_take *take)
{
    fuzz_row_names(take);
}
