/*
 * A debugger of a device that replays a trace. It stops before commands and instructions, shows what is
 * there, and goes back.
 *
 * The replay runs in processes of its own, the debuggees: copies of one another made by fork. One is active.
 * The others stand still at earlier places: they are the past. A replay is deterministic, so any place
 * between two of them is reached by a copy of the earlier one that runs on. Both sides share one struct: the
 * sockets between them only say whose turn it is, so that one process at a time changes it.
 */
#ifndef DEBUGGER_DEBUGGER_H
#define DEBUGGER_DEBUGGER_H

#include "aub/position_tracker.h"
#include "debugger/stops.h"

#include <inttypes.h>
#include <stdio.h>

/* A place in a replay: before the command with this number, counted from 1 in the order in which engines
 * parse them; or, in the command, before an instruction with this number. */
struct debug_place {
    uint64_t command;     /* 0: nothing has run */
    uint64_t instruction; /* 0: before the command */
};

static inline int debug_place_compare(const struct debug_place *a, const struct debug_place *b)
{
    if (a->command != b->command)
        return a->command < b->command ? -1 : 1;
    return a->instruction < b->instruction ? -1 : a->instruction > b->instruction;
}

/* "#21" or "#21.4" */
static inline const char *debug_place_text(const struct debug_place *p, char text[48])
{
    const int at = snprintf(text, 48, "#%" PRIu64, p->command);
    if (p->instruction)
        snprintf(text + at, 48u - (unsigned)at, ".%" PRIu64, p->instruction);
    return text;
}

enum debug_motion {
    MOTION_STEP,             /* `count` commands of any engine */
    MOTION_NEXT,             /* `count` commands of this engine, with the batches that they start */
    MOTION_FINISH,           /* to the end of this batch */
    MOTION_CONTINUE,         /* to a stop */
    MOTION_UNTIL,            /* to the command at an address */
    MOTION_STEP_INSTRUCTION, /* `count` instructions of this thread, or of any if there is none */
    MOTION_TO,               /* to a place, whatever stops are on the way */
    MOTION_DRAW,             /* to the draw or dispatch number `count`, whatever stops are on the way */
    MOTION_LOOK,             /* as to a place, and notes the last stop on the way */
};

struct debug_move {
    enum debug_motion motion;
    uint64_t count;
    struct debug_place to;
    bool passes_end; /* LOOK: stops at the place itself count, too */
    unsigned only;   /* LOOK: the number of the stop that counts; 0: all */
    char unit[16];
    uint64_t address;
};

enum {
    DEBUG_STOPS = 64,
    DEBUG_LINE = 1024,
    DEBUG_REASON = 480,
    DEBUG_REASONS = 4800,
    DEBUG_COMPLETIONS = 1 << 16
};
enum { DEBUG_CHANGES = 256, DEBUG_CHANGE = 180 };

/* What "set" changed, and where. Every replay that passes the place makes the change again. */
struct debug_change {
    struct debug_place place;
    char text[DEBUG_CHANGE]; /* the arguments of "set" */
};

/* What the device reported and counted, in places that were reached; moves back do not undo it. */
struct debug_reports {
    unsigned complaints, mistakes; /* bits of enum softgt_complaint, of enum softgt_mistake */
    bool is_counted;               /* at the end of the replay: a command was only counted */
    bool hung;                     /* at the end: an engine is not idle, or was reset */
};

/* What debugger and debuggees share. */
struct debug_shared {
    struct stop stops[DEBUG_STOPS];
    unsigned stop_count; /* numbers given so far */
    struct debug_move move;
    uint64_t all_draws; /* of the whole replay; meaningful if knows_draws */
    bool knows_draws;
    uint64_t draws; /* how many draws and dispatches the debuggee that has just answered has come to */
    bool at_end;    /* the replay of the debuggee that has just answered has ended */
    bool changed;   /* its device was changed by the last of `changes`: places after it are no longer true */
    struct debug_change changes[DEBUG_CHANGES]; /* in the order of their places */
    unsigned change_count;
    bool failed; /* the last line could not be carried out */
    char reason[DEBUG_REASONS];
    struct {
        bool found;
        struct debug_place place;
        bool is_placed; /* the reason says where it was */
        char reason[DEBUG_REASONS];
    } noted; /* LOOK */
    char line[DEBUG_LINE];
    char completions[DEBUG_COMPLETIONS]; /* words, each with a newline */
    bool colour;
    struct debug_reports reports;
};

/* ---- Debuggees (debuggee.c) ---- */

struct debuggee;
struct code_memory;

/* Replays a trace in this process, under the control of the socket. Returns when the replay has ended and the
 * debugger is done with it. */
struct debugger_options;
void debuggee_run(struct debug_shared *shared, int socket, const struct debugger_options *options);

/* ---- The debugger (debugger.c) ---- */

struct debugger_options {
    const void *trace;
    size_t trace_bytes;
    const struct replay_options *replay; /* without ports and callbacks */
    struct code_memory *code;            /* for translated kernels; NULL: they are interpreted */
    bool (*confine)(void);               /* optional: called in the first debuggee; false: it ends */
    bool colour;
};

struct debugger;

/* Starts the replay, which stops before anything ran. NULL: errno says why, or a debuggee printed it. */
struct debugger *debugger_open(const struct debugger_options *options);
void debugger_close(struct debugger *d);

enum debugger_result {
    DEBUGGER_DONE,
    DEBUGGER_REFUSED, /* after a message */
    DEBUGGER_QUIT,
    DEBUGGER_MOVES, /* a live device goes on; it stops later */
};
/* Carries out a line of the prompt. */
enum debugger_result debugger_line(struct debugger *d, const char *line);
/* The words that may end the line, each with a newline; valid until the next call. */
const char *debugger_complete(struct debugger *d, const char *line);
struct debug_reports debugger_reports(const struct debugger *d);
/* Prints where it is. */
void debugger_where(struct debugger *d);

#endif
