#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_file(const char *path, fuzz_take *take)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    const long size = ftell(file);
    rewind(file);
    uint8_t *data = size >= 0 ? malloc(size ? (size_t)size : 1) : NULL; /* no more: ASan sees its end */
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    take(data, (size_t)size);
    free(data);
}

void fuzz_files(const char *root, const char *folder, const char *ending, fuzz_take *take)
{
    char path[4096];
    struct dirent **names;
    snprintf(path, sizeof path, "%s/%s", root, folder);
    const int count = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *const name = names[i]->d_name;
        const size_t length = strlen(name), end = strlen(ending);
        if (name[0] != '.' && length >= end && strcmp(name + length - end, ending) == 0) {
            snprintf(path, sizeof path, "%s/%s/%s", root, folder, name);
            fuzz_file(path, take);
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}
