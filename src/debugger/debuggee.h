/* The state of a debuggee, for the files that look into its device. */
#ifndef DEBUGGER_DEBUGGEE_H
#define DEBUGGER_DEBUGGEE_H

#include "base/text.h"
#include "debugger/debugger.h"
#include "device/host.h"
#include "stream/dump.h"

#include <signal.h>

/* A memory stop's bytes when the debuggee last went on. */
struct watched {
    bool known;
    uint8_t bytes[STOP_WATCHED_BYTES];
    int engine;    /* the address space: of this engine's context; -1: none */
    uint64_t lrca; /* 0: none */
    struct {
        uint64_t physical, size_bytes;
    } parts[2]; /* the memory of the bytes, page by page */
};

enum { KEPT_DW = 64 }; /* the longest command that has threads fits */

/* The command that an engine parsed last. */
struct last_command {
    const char *unit, *name; /* unit: NULL: none; name: NULL: unknown */
    uint64_t address, number;
};

/* What an engine did so far. */
struct engine_past {
    struct last_command last;
    bool runs;                     /* the last command ran in the current packet */
    bool switches;                 /* contexts were switched after it */
    bool has_batch, batch_is_ggtt; /* it ran a batch; the last is in the GGTT, else in the PPGTT */
};

/* Why it stops before the next command: lines, of which there may be more than are kept. */
struct pending {
    char text[DEBUG_REASONS]; /* "": it does not stop */
    unsigned count;
    size_t last;    /* where the last line begins */
    uint64_t stops; /* a bit for each that was met */
    bool is_placed; /* the last line says where it was in the order of commands */
};

struct debuggee;
struct debuggee_ops {
    /* The move ends here. A replay stands still until it goes on; a live device is held, and is_held set. */
    void (*stop)(struct debuggee *d, const char *reason);
    void (*pass)(struct debuggee *d); /* optional: before a command, where the move does not end */
    /* Writes a register as the CPU does; NULL: by softgt_bar_write. */
    void (*write_register)(struct debuggee *d, uint32_t offset, uint32_t value);
    bool keeps_changes; /* replays make them again */
};

struct debuggee {
    struct debug_shared *shared;
    const struct debuggee_ops *ops;
    FILE *out;
    struct softgt *device;
    struct position_tracker tracker;
    struct state_sources *state;               /* NULL: none yet */
    const struct state_listing *state_listing; /* of the line "state" */
    struct debug_place place;
    uint64_t draws;                     /* draws and dispatches so far, as softgt draws counts them */
    const struct softgt_event *command; /* where it stands; NULL: before or after all */
    struct softgt_eu_thread *thread;    /* NULL: not in a thread */
    bool is_held; /* live: engines are held, before `command` or `thread`, or between two runs */
    struct {      /* live: the place where it was held comes once more: it is no stop */
        bool in_thread;
        const char *unit; /* NULL: none */
        uint64_t address; /* of the command */
        struct softgt_eu_thread_info thread;
    } passed;
    struct last_command last; /* of any engine */
    struct engine_past engines[TRACKED_ENGINES];
    bool packet_runs;         /* trace: a command ran in the current packet */
    struct softgt_event kept; /* the command whose threads run, with its dwords; no length: it is too long */
    uint32_t kept_dw[KEPT_DW];
    struct debug_move move; /* on which it is */
    struct {
        const char *unit; /* NEXT, FINISH: the engine, and its batches when it began */
        unsigned depth;
        bool has_thread; /* STEP_INSTRUCTION */
        struct softgt_eu_thread_info thread;
    } from;
    struct stop *active[DEBUG_STOPS]; /* the stops that count on this move */
    unsigned active_count, events;    /* events that they need */
    struct watched watched[DEBUG_STOPS];
    struct pending pending;
    unsigned change_count; /* so many of shared.changes its device has */
    const char *change; /* "set" with these arguments is carried out: what it does is no stop; NULL: none */
    bool watches_threads, at_end;
    volatile sig_atomic_t *interrupted; /* it is to stop at the next place; NULL: never */
};

/* ---- Stepping (stepping.c) ---- */

enum { ALWAYS_TRACED = SOFTGT_TRACE_COMMANDS | TRACKED_EVENTS };

/* Takes over shared.move. The events that it needs are ALWAYS_TRACED and d->events. */
void stepping_begin_move(struct debuggee *d);
/* A trace event of the device. */
void stepping_event(struct debuggee *d, const struct softgt_event *e);
/* A packet of the trace begins. */
void stepping_packet(struct debuggee *d);
/* What it needs of threads, while moves may stop in them. */
struct softgt_eu_hooks stepping_hooks(struct debuggee *d);
/* The move is one to a place, without messages. */
bool stepping_is_quiet(const struct debuggee *d);
/* Makes the changes that belong to this place and are not made yet. */
void stepping_make_changes(struct debuggee *d);
/* Notes that a stop was met: it stops before the next command. is_placed: the text says where that was. */
void stepping_pend(struct debuggee *d, struct stop *s, const char *what, bool is_placed);
/* Why it stops before the next command: the stops count as met. NULL: it does not stop. */
const char *stepping_take_pending(struct debuggee *d);
/* The device is at an end: notes what changed since the last command. */
void stepping_end(struct debuggee *d);

/* ---- Stops at memory (watching.c) ---- */

/* The event meets the stop, of any kind. */
bool watching_is_met(const struct debuggee *d, const struct stop *s, const struct softgt_event *e);
/* Remembers what a memory stop's bytes are. */
void watching_begin(struct debuggee *d, const struct stop *s);
/* Memory that changed without an event: a shader's store, a packet of the trace. Memory that a packet maps
 * has changed if it is not empty. */
void watching_compare(struct debuggee *d, bool is_packet);
/* A packet, or "set", wrote bytes. */
void watching_wrote(struct debuggee *d, uint64_t physical, uint64_t size_bytes);

/* ---- Causes (causes.c) ---- */

/* What the event did, and what did it. Returns whether it says where that was in the order of commands. */
bool debuggee_event_reason(struct debuggee *d, const struct softgt_event *e, char *text, size_t size);
/* Appends who changed memory without an event. */
bool debuggee_change_reason(struct debuggee *d, char *text, size_t size);
/* The engine that did what the event says. NULL: the CPU, or the debugger. */
const char *debuggee_cause(const struct debuggee *d, const struct softgt_event *e);
/* What the engine (NULL: none) does meets the stop's conditions. */
bool debuggee_is_of(const struct debuggee *d, const struct stop *s, const char *unit);
/* NULL: it is no engine. */
struct engine_past *debuggee_past(struct debuggee *d, const char *unit);
/* "context 0x1000, id 0x22" of an engine; "": it has none. Returns the text. */
const char *debuggee_context_text(const struct debuggee *d, const char *unit, char *text, size_t size);

/* ---- State (state.c) ---- */

/* The command runs: it may set state. */
void note_state_command(struct debuggee *d, const struct softgt_event *e);
void state_sources_free(struct debuggee *d);
/* "state [NAME]" */
bool debuggee_state(struct debuggee *d, const char *arguments);

/* ---- Looking ---- */

/* Texts of commands of an engine, with its base addresses (look.c). */
struct printing {
    struct dumper dumper;
    struct bases bases;
    struct text text;
    enum engine_class class;
};
/* remark: adds to a command's line; its user is the debuggee; or NULL. False after a message. */
bool printing_begin(struct debuggee *d, struct printing *p, unsigned engine, bool headers_only,
                    void (*remark)(void *user, struct text *t));
/* Prints the text. */
void printing_end(const struct debuggee *d, struct printing *p);

/* Prints why a line cannot be carried out. Returns false. */
static inline bool debuggee_refuse(const struct debuggee *d, const char *why)
{
    fprintf(d->out, "%s\n", why);
    return false;
}

/* look.c: carries out a line that only looks or changes. False after a message. */
bool debuggee_look(struct debuggee *d, const char *line);
/* Words that may end the line. */
void debuggee_complete(struct debuggee *d, const char *line, char *words, size_t size);
/* The engine by name, the current one for ""; negative: none. */
int debuggee_engine(const struct debuggee *d, const char *unit);

/* look_stop.c: parses a stop for the debugger: "INDEX NUMBER TEXT". */
bool debuggee_stop(struct debuggee *d, const char *arguments);
/* The same of a stop for "who": one of memory is at the bytes that are mapped there now. */
bool debuggee_who(struct debuggee *d, const char *arguments);
/* "INDEX": prints that nobody met the stop. */
bool debuggee_nobody(struct debuggee *d, const char *arguments);

/* An address space (spaces.c). */
enum debug_space_kind { DEBUG_GGTT, DEBUG_PPGTT, DEBUG_LOCAL, DEBUG_BUS };
struct debug_space {
    enum debug_space_kind kind;
    int engine; /* PPGTT; else -1 */
};

/* "ggtt", "ppgtt" of the current engine, "rcs0.ppgtt", "local", "bus"; "rcs0", or "" for the current engine:
 * that of its batches. False: no engine has the name. */
bool debuggee_space(const struct debuggee *d, const char *name, struct debug_space *s);
/* "the GGTT" */
const char *debuggee_space_text(const struct debuggee *d, const struct debug_space *s, char text[40]);
/* Reads in a space by its name. False: no memory there. */
bool debuggee_read(const struct debuggee *d, const char *name, uint64_t address, void *data,
                   size_t size_bytes);
/* With MEMORY_LOCAL. False: no page is there. */
bool debuggee_physical(const struct debuggee *d, const struct debug_space *s, uint64_t address,
                       uint64_t *physical);

/* memory_view.c */
bool debuggee_examine(struct debuggee *d, const char *arguments);
bool debuggee_walk(struct debuggee *d, const char *arguments);
bool debuggee_structure(struct debuggee *d, const char *arguments);

/* look_guc.c */
bool debuggee_guc(struct debuggee *d, const char *arguments);
bool debuggee_functions(struct debuggee *d, const char *arguments);
/* look_message.c */
bool debuggee_message(struct debuggee *d, const char *arguments);

/* change.c: "[UNIT.]REGISTER VALUE", "r10.3 VALUE", "SPACE:ADDRESS VALUE". */
bool debuggee_set(struct debuggee *d, const char *arguments);
/* The same, of a change that was made here before. */
bool debuggee_change(struct debuggee *d, const char *arguments);

/* Prints a line of numbers: ud, d, uw, w, ub, b, uq, q, hf, f or df. */
void debuggee_print_values(const struct debuggee *d, const void *data, size_t size_bytes, const char *type);

#endif
