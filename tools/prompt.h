/* A prompt for lines of a debugger: scripts, a terminal with completion and history, or a pipe. */
#ifndef TOOLS_PROMPT_H
#define TOOLS_PROMPT_H

#include "debugger/debugger.h"

#include <argp.h>

struct prompt {
    void *user;
    enum debugger_result (*line)(void *user, const char *line);
    /* The words that may end the line, each with a newline; valid until the next call. */
    const char *(*complete)(void *user, const char *line);
    bool failed, quit; /* a line could not be carried out; the last one ended it */
};

enum { PROMPT_SCRIPTS = 16 };
struct prompt_scripts {
    const char *files[PROMPT_SCRIPTS];
    char *texts[PROMPT_SCRIPTS];
    unsigned count;
    bool ends; /* after the scripts */
};
void prompt_add_script(struct prompt_scripts *s, struct argp_state *state, const char *file);
/* False after a message. */
bool prompt_read_scripts(struct prompt_scripts *s);
void prompt_free_scripts(struct prompt_scripts *s);

/* Carries out the scripts, then lines of standard input. */
void prompt_run(struct prompt *p, const struct prompt_scripts *s);

#endif
