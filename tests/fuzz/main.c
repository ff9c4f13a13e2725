/*
 * TARGET ROOT NAME          runs all that the target begins with, and all in ROOT/tests/fuzz/found/NAME
 * TARGET FILE               runs a file
 * TARGET ROOT --write DIR   writes what it begins with into DIR/seeds, its words to DIR/words
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned inputs;
static const char *folder;
static FILE *words;

static void run(const void *data, size_t size)
{
    printf("input %u, of %zu bytes\n", ++inputs, size);
    fflush(stdout); /* the last line is the one that it was */
    LLVMFuzzerTestOneInput(data, size);
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
    if (argc == 4 && strcmp(argv[2], "--write") == 0) {
        folder = argv[3];
        fuzz_seeds(argv[1], write_seed);
        words = create("words");
        fuzz_words(write_word);
        return fclose(words) != 0 ? 2 : 0;
    }
    if (argc == 3) {
        char found[300];
        snprintf(found, sizeof found, "tests/fuzz/found/%s", argv[2]);
        fuzz_seeds(argv[1], run);
        fuzz_files(argv[1], found, "", run);
        return 0;
    }
    if (argc != 2)
        return 2;
    fuzz_file(argv[1], run);
    return 0;
}
