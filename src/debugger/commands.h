/* A debugger, and what carries out its moves: a replay with a past (debugger.c), or a live device (live.c).
 */
#ifndef DEBUGGER_COMMANDS_H
#define DEBUGGER_COMMANDS_H

#include "debugger/debugger.h"

struct debugger_ops {
    /* Carries out shared.line, or completes it into shared.completions. False: it refused, or is gone. */
    bool (*look)(struct debugger *d);
    bool (*complete)(struct debugger *d);
    /* Moves on; at the end it arrives (debugger_arrive), or later: DEBUGGER_MOVES. */
    enum debugger_result (*move)(struct debugger *d, const struct debug_move *move);
    /* Forward or back. False after a message. NULL: there is no past, says no_past. */
    bool (*go_to)(struct debugger *d, const struct debug_place *place);
    /* The same, to a draw or dispatch; past the last it ends at the end: shared.draws are all. */
    bool (*go_to_draw)(struct debugger *d, uint64_t number);
    /* Looks for the last stop before here: shared.noted. It ends somewhere before. only: of one number, and
     * here, too; 0: of all. */
    bool (*look_back)(struct debugger *d, unsigned only);
    /* After a line that may have changed the device. */
    void (*changed)(struct debugger *d);
    const char *no_past;
};

struct debugger {
    const struct debugger_ops *ops;
    struct debug_shared *shared;
    FILE *out;
    struct debug_place place;
    bool is_gone;               /* the replay ended unexpectedly; its past is there */
    char last_line[DEBUG_LINE]; /* an empty line repeats it */
};

/* help.c: the forms of a command, and an example. */
void print_help_page(FILE *out, const char *name);

/* Shows where it stopped, and why. */
enum debugger_result debugger_arrive(struct debugger *d, bool arrived);

#endif
