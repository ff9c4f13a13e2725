/*
 * A file that is written whole or not at all: it grows beside its place under another name and takes the
 * place when it is complete; until then, and after a failure, what was there stays. What is no regular file
 * (a device, a fifo, /dev/stdout) is written as it is, never renamed over or removed. "-" is standard output;
 * what else goes there then goes to standard error.
 */
#ifndef HOST_OUTPUT_H
#define HOST_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *file;
    int file_number; /* files.h; 0: none, standard output */
};

/* In another's process: descriptors from this number on, the low ones are the program's. */
void output_use_fds_from(int first);
/* False: errno tells. */
bool output_open(struct output *o, const char *path);
/* Ends it; false: errno tells, and the file is as it was before. */
bool output_close(struct output *o);
/* In a process that was forked: what it goes on to write is nobody's. */
void output_abandon_in_child(struct output *o);
/* Ends it without a result. */
void output_drop(struct output *o);

#endif
