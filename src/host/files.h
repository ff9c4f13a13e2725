/*
 * Files by name: the tools read them through here, and write them whole or not at all.
 *
 * A program that enters a sandbox first starts a helper process, which keeps access to the file system. The
 * helper opens the files that were named before, and no others. It completes files that are being written,
 * and removes incomplete ones when the program dies. Without the helper the functions work in place.
 */
#ifndef HOST_FILES_H
#define HOST_FILES_H

#include <stdbool.h>
#include <stdio.h>

/* Allows the helper to open a file. The path must stay valid. */
enum files_access {
    FILES_READ,
    FILES_WRITE,
    FILES_WRITE_INSIDE /* a folder for pictures, pages, texts and kernels */
};
void files_allow(enum files_access use, const char *path);
/* Starts the helper. False: see errno. */
bool files_start(void);
/* Ends the helper. No more files can be opened, and incomplete files are removed. */
void files_end(void);

/* Returns a descriptor to read, or -1 and errno. */
int files_open(const char *path);
FILE *files_open_stream(const char *path);

/* Creates a file beside its final name (output.h). Returns a descriptor, or -1 and errno. *number is not 0. A
 * program (ELF or #!) is not replaced: EEXIST. Without the helper, threads may each write files of their own.
 */
int files_create(const char *path, int *number);
/* Both are names of one regular file. */
bool files_are_same(const char *path, const char *other);
/* The reason why a file was not created or finished. */
const char *files_error(int error);
/* Renames the file to its final name (`keep`), or removes it. False: see errno. */
bool files_finish(int number, bool keep);
/* In a forked child: the files that are being written are the parent's. */
void files_forget_in_child(void);

/* Removes a socket, just bound at a path, when the program ends, if it is still the same file. False: see
 * errno. */
bool files_own_socket(const char *path);
void files_remove_socket(void);

#endif
