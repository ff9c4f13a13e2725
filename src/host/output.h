/*
 * A file that is written whole or not at all. It is written beside its final name and renamed when it is
 * complete; until then, and after a failure, the old file stays. Devices, fifos and /dev/stdout are written
 * in place. "-" is standard output; other messages then go to standard error.
 */
#ifndef HOST_OUTPUT_H
#define HOST_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *file;
    int file_number; /* number of files_create; 0: standard output */
};

/* In another program's process: uses descriptors from `first` on, because low numbers are the program's. */
void output_use_fds_from(int first);
/* False: see errno. */
bool output_open(struct output *o, const char *path);
/* Completes the file. False: see errno; the old file stays. */
bool output_close(struct output *o);
/* In a forked child: what it writes is dropped. */
void output_abandon_in_child(struct output *o);
/* A file of these bytes. False: see errno; the old file stays. */
bool output_write(const char *path, const void *bytes, size_t size_bytes);
/* Drops the file. */
void output_drop(struct output *o);

#endif
