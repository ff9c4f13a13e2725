/*
 * Files by name: all that the tools read, and write whole or not at all. Before a program goes into a sandbox
 * it starts a second process, which keeps the file system: it opens what was named until then and nothing
 * else, ends what is being written, and puts away what is left should the program die. Without that process
 * all this is done in place.
 */
#ifndef HOST_FILES_H
#define HOST_FILES_H

#include <stdbool.h>
#include <stdio.h>

/* What may be opened when the process has started; the path stays the caller's. */
enum files_access { FILES_READ, FILES_WRITE, FILES_WRITE_INSIDE /* a folder: pictures and pages */ };
void files_allow(enum files_access use, const char *path);
/* Starts that process. False: errno tells. */
bool files_start(void);
/* Ends it; nothing is opened any more, and what is still being written is dropped. */
void files_end(void);

/* A descriptor to read, or -1 and errno. */
int files_open(const char *path);
FILE *files_open_stream(const char *path);

/* A file that grows beside its place (output.h): a descriptor, or -1 and errno. *number is not 0. */
int files_create(const char *path, int *number);
/* It takes its place (`keep`), or is dropped. False: errno tells. */
bool files_finish(int number, bool keep);

/* A socket just bound at a path: it goes with the program, if it is still that one. False: errno tells. */
bool files_own_socket(const char *path);
void files_remove_socket(void);

#endif
