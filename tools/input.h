/* An input file: a trace, or a program in the text form. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
    const char *path;
    bool is_program;
    char *data; /* contents of standard input ("-"), `size` bytes; NULL: read the file */
    size_t size;
};

/* Allows the file to be read in the sandbox. */
void input_allow(const char *path);
/* Opens a file that input_allow named; play_is_program says what it is. False after a message. */
bool input_open(struct input *i, const char *path);
void input_close(struct input *i);
/* Opens the file and reads it whole, a program as the trace that is made of it. False after a message. */
bool input_read(struct input *i, const char *path, const char *device, uint64_t memory_limit);
/* Makes a trace of a program: i->data. False after a message. */
bool input_assemble(struct input *i, const char *device, uint64_t memory_limit);

#endif
