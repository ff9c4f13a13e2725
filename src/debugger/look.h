/* The lines that look into a debuggee's device, or change it. */
#ifndef DEBUGGER_LOOK_H
#define DEBUGGER_LOOK_H

#include <stdbool.h>

struct debuggee;

/* What a line begins with, and help says. */
struct line_words {
    const char *name, *alias, *arguments, *summary; /* alias: "": none */
};

/* The debugger finds the command and sends its name. */
struct look_command {
    struct line_words words;
    bool (*run)(struct debuggee *d, const char *arguments); /* false after a message */
};
/* Ends without a name. */
extern const struct look_command look_commands[];

#endif
