/* What a file named on the command line is: a trace, or a program in the text form. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct input {
    const char *path;
    bool is_program;
    char *data; /* standard input ("-"), `size` bytes; NULL: in the file */
    size_t size;
};

/* Before the sandbox: this file will be read. */
void input_allow(const char *path);
/* A program by the end of its name (.gts), or by being text, unless its name ends in .aub. False: told. */
bool input_open(struct input *i, const char *path);
void input_close(struct input *i);

#endif
