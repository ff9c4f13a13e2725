/*
 * A fuzz target is a file with these three functions. libFuzzer calls the first with what it makes up
 * (`make fuzz`); main.c with the target's seeds and with all that was ever found (`make check`). In that
 * program, which has all targets, each target's functions have its name in theirs.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FUZZ_TARGET
#define FUZZ_PASTE(target, name) target##_##name
#define FUZZ_NAMED(target, name) FUZZ_PASTE(target, name)
#define LLVMFuzzerTestOneInput   FUZZ_NAMED(FUZZ_TARGET, LLVMFuzzerTestOneInput)
#define LLVMFuzzerCustomMutator  FUZZ_NAMED(FUZZ_TARGET, LLVMFuzzerCustomMutator)
#define fuzz_seeds               FUZZ_NAMED(FUZZ_TARGET, fuzz_seeds)
#define fuzz_words               FUZZ_NAMED(FUZZ_TARGET, fuzz_words)
#endif

typedef void fuzz_take(const void *data, size_t size);

/* Any bytes: what goes wrong ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Real input, made from what is in the tree at `root`. */
void fuzz_seeds(const char *root, fuzz_take *take);
/* Words of the input's language, made from the rows; of at most 64 bytes. */
void fuzz_words(fuzz_take *take);

/* files.c: a file; the files of root/folder whose names end so, by their names. A folder that is not there
 * has none. */
void fuzz_file(const char *path, fuzz_take *take);
void fuzz_files(const char *root, const char *folder, const char *ending, fuzz_take *take);

/* rows.c: headers of commands and offsets of registers; their names, and those of fields, as a program has
 * them. */
void fuzz_row_words(fuzz_take *take);
void fuzz_row_names(fuzz_take *take);
/* eu_rows.c: kernels of all operations of each instruction set (by its number), with bits of all kinds, and
 * each operation twice; bits of fields, one by one. */
typedef void fuzz_kernel(unsigned set, const uint8_t *bytes, size_t size, fuzz_take *take);
void fuzz_kernels(fuzz_kernel *kernel, fuzz_take *take);
void fuzz_field_words(fuzz_take *take);

#endif
