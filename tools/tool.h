/* Shared by the subcommands. Each subcommand is one file with one function; argp parses its options. */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H

#include "json.h"

#include <argp.h>
#include <softgt/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit statuses of all subcommands. TOOL_FAILED_ON: clean, but for --fail-on. */
enum { TOOL_CLEAN = 0, TOOL_FAILED = 1, TOOL_UNUSABLE = 2, TOOL_FAILED_ON = 3 };

/* The worse of two. */
int tool_worse(int status, int other);

struct tool {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* argv[0] is "softgt NAME" */
};

extern const struct tool tools[]; /* ends with a NULL name */

int cmd_asm(int argc, char **argv);
int cmd_commands(int argc, char **argv);
int cmd_structures(int argc, char **argv);
int cmd_instructions(int argc, char **argv);
int cmd_contexts(int argc, char **argv);
int cmd_control(int argc, char **argv);
int cmd_debug(int argc, char **argv);
int cmd_decode(int argc, char **argv);
int cmd_desktop(int argc, char **argv);
int cmd_draws(int argc, char **argv);
int cmd_eu(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_functions(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_registers(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_tbx(int argc, char **argv);

/* "softgt: FILE: text" on standard error. */
__attribute__((format(printf, 2, 3))) void tool_error(const char *file, const char *format, ...);

/* Gets the text of each message of tool_error but notes; NULL: nobody does. */
extern void (*tool_error_hears)(const char *text);

/* Reports that memory is exhausted, drops incomplete files, and exits. */
_Noreturn void tool_no_memory(void);

/* False, with a message, if this build writes no pictures. */
bool tool_writes_pictures(const char *option);

/* argp_parse. Bad options end the tool. */
void tool_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The device of that name. NULL after a message that lists all. */
const struct softgt_device_info *tool_device(const char *name);
/* Whether a device of that name runs or is only decoded. False after a message that lists all. */
bool tool_knows_device(const char *name);
/* The outcome of a command; "none" for a kind of event that is none. */
const char *tool_outcome(enum softgt_event_kind kind);

/* Enters the sandbox in two steps; threads may be started between them. The paths given to files_allow can
 * still be opened. False: see errno and *what. */
bool tool_sandbox(
    unsigned threads);        /* both steps, and tool_start_threads between them; false after a message */
bool tool_fork_sandbox(void); /* for a process that makes copies of itself; false after a message */
bool tool_seal_sandbox(const char **what);
bool tool_begin_sandbox(const char **what);
/* Starts --threads host threads, including the tool's own, for thread groups of later devices. */
enum { TOOL_MAX_THREADS = 64 };
void tool_start_threads(unsigned threads);
/* Likewise in two steps: tool_threads is valid after the first. The second takes no count. */
void tool_prepare_threads(unsigned threads);
void tool_start_prepared_threads(void);
struct softgt_parallel_port tool_threads(void);
/* Memory for translated code of so many devices and threads. Call it before the sandbox. It lives as long as
 * the tool. */
struct softgt_code_port tool_code(unsigned pieces);
enum { TOOL_CODE_PIECES = 64 }; /* for engines of all devices, and their threads */
/* Handles --no-sandbox, with a warning. */
void tool_no_sandbox(void);

/* The descriptor is a terminal that is not dumb. */
bool tool_is_terminal(int descriptor);
/* Parses a number from 1 to `most` for an option. */
uint64_t tool_count(struct argp_state *state, const char *option, const char *text, uint64_t most);
/* Parses the words of --tolerate for replay_options. */
unsigned tool_tolerate(struct argp_state *state, char *words);

/* Parses the list of --trace, or of another option that says which events; *filter: NULL at first. */
void tool_trace(struct argp_state *state, const char *list, struct softgt_event_filter **filter);
/* Prints an event as a line on standard output. */
void tool_print_event(const struct softgt_event *event);
/* What --trace of each command says about its list. */
#define TOOL_TRACE_HELP                                                                                      \
    "commands, registers, memory, contexts, interrupts, reads, batches, blits, draws, complaints, guc or "   \
    "all, separated by commas; each may have a pattern of names after a colon (registers:rcs0.RING_*), "     \
    "with "                                                                                                  \
    "! for others than these (commands:!MI_NOOP)"

/* A number with separators: 1,234,567. The text is valid for 16 calls. */
const char *tool_number(uint64_t value);

/* Reads a whole file, or standard input ("-"). NULL after a message. */
void *tool_read(const char *path, uint64_t most_bytes, size_t *size_bytes);

bool tool_ends_with(const char *text, const char *end);

/* An option that sets one member of a command's arguments. A list ends with key 0. */
enum tool_option_kind {
    TOOL_FLAG,       /* a bool becomes true */
    TOOL_TEXT,       /* a const char * */
    TOOL_COUNT,      /* a uint64_t from 1 to `max` */
    TOOL_UNSIGNED,   /* an unsigned from 1 to `max` */
    TOOL_MEGABYTES,  /* a uint64_t of bytes, given as 1 to `max` MB */
    TOOL_DEVICE,     /* the name of a device, which must exist */
    TOOL_FAIL_ON,    /* a struct fail_on */
    TOOL_NO_SANDBOX, /* sets no member */
};
struct tool_option {
    int key;
    enum tool_option_kind kind;
    size_t offset;    /* of the member in the arguments */
    const char *name; /* of a count, for messages */
    uint64_t max;
};
/* Sets the member that `key` stands for. False: the list does not have that key. */
bool tool_set_option(const struct tool_option *list, int key, char *argument, struct argp_state *state);

#endif
