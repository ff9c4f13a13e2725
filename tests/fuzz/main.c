/*
 * replay TARGET ROOT               runs the target's seeds, and all files in ROOT/tests/fuzz/found/TARGET
 * replay TARGET --file FILE        runs a file
 * replay TARGET ROOT --write DIR   writes the target's seeds into DIR/seeds, its words to DIR/words
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_targets.h"

#define DECLARE(name)                                                                                        \
    int name##_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                                     \
    void name##_fuzz_seeds(const char *root, fuzz_take *take);                                               \
    void name##_fuzz_words(fuzz_take *take);
FUZZ_TARGETS(DECLARE)

#define ROW(name) {#name, name##_LLVMFuzzerTestOneInput, name##_fuzz_seeds, name##_fuzz_words},
static const struct target {
    const char *name;
    int (*input)(const uint8_t *data, size_t size);
    void (*seeds)(const char *root, fuzz_take *take);
    void (*words)(fuzz_take *take);
} targets[] = {FUZZ_TARGETS(ROW)};

static const struct target *target;
static unsigned inputs;
static const char *folder;
static FILE *words;

static void run(const void *data, size_t size)
{
    printf("input %u, of %zu bytes\n", ++inputs, size);
    fflush(stdout); /* the last line is the one that it was */
    target->input(data, size);
}

static FILE *create(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

static void write_seed(const void *data, size_t size)
{
    char name[40];
    snprintf(name, sizeof name, "seeds/%04u", ++inputs);
    FILE *file = create(name);
    if (fwrite(data, 1, size, file) != size || fclose(file) != 0)
        exit(2);
}

static void write_word(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    fputc('"', words);
    for (size_t i = 0; i < size; i++)
        fprintf(words, "\\x%02x", bytes[i]);
    fputs("\"\n", words);
}

/* Targets with mutators of their own name it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data, (void)max_size;
    return size;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc >= 3 && i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].name, argv[1]) == 0)
            target = &targets[i];
    if (!target)
        return 2;
    if (argc == 5 && strcmp(argv[3], "--write") == 0) {
        folder = argv[4];
        target->seeds(argv[2], write_seed);
        words = create("words");
        target->words(write_word);
        return fclose(words) != 0 ? 2 : 0;
    }
    if (argc == 4 && strcmp(argv[2], "--file") == 0) {
        fuzz_file(argv[3], run);
        return 0;
    }
    if (argc != 3)
        return 2;
    char found[300];
    snprintf(found, sizeof found, "tests/fuzz/found/%s", target->name);
    target->seeds(argv[2], run);
    fuzz_files(argv[2], found, "", run);
    return 0;
}
