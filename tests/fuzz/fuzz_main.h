/* Runs the files named on the command line through a fuzz target; for builds without libFuzzer (-DFUZZ_MAIN).
 */
#ifndef FUZZ_FUZZ_MAIN_H
#define FUZZ_FUZZ_MAIN_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef FUZZ_MAIN
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file || fseek(file, 0, SEEK_END) != 0) {
            perror(argv[i]);
            return 2;
        }
        const long size = ftell(file);
        rewind(file);
        uint8_t *data = size >= 0 ? malloc(size ? (size_t)size : 1) : NULL; /* no more: ASan sees its end */
        if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 2;
        }
        fclose(file);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        free(data);
    }
    return 0;
}
#endif

#endif
