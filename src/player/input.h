/* Whether an input is a program (gts(5)) or a trace. */
#ifndef PLAYER_INPUT_H
#define PLAYER_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* The data is text; traces and compressed files are not. */
bool play_is_text(const char *data, size_t size);
/* A program's name ends in .gts, or it is text and its name does not end in .aub. */
bool play_is_program(const char *name, const char *data, size_t size);

#endif
