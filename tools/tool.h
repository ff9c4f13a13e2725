/* What the subcommands share: each is one file with one function, its options an argp. */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H

#include "json.h"

#include <argp.h>
#include <softgt/softgt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit statuses of all subcommands. */
enum { TOOL_CLEAN = 0, TOOL_FAILED = 1, TOOL_UNUSABLE = 2 };

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
int cmd_decode(int argc, char **argv);
int cmd_eu(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_functions(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_registers(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_tbx(int argc, char **argv);

/* "softgt: FILE: text" on standard error. */
__attribute__((format(printf, 2, 3))) void tool_error(const char *file, const char *format, ...);

/* Where nothing can be told in another way: says that there is no memory, drops what is being written, ends.
 */
_Noreturn void tool_no_memory(void);

/* argp_parse; what it says of bad options ends the tool. */
void tool_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The device of that name, or an error that lists all. */
const struct softgt_device_info *tool_device(const char *name);

/* Length of the UTF-8 sequence that begins there; 0: none does. */
size_t tool_character_bytes(const char *text);

/* Into the sandbox, in two steps for who starts threads between them; the paths that files_name was told of
 * are what can still be opened. False: errno tells, and *what. */
bool tool_sandbox(unsigned threads); /* both, and tool_start_threads between them; false: told */
bool tool_seal_sandbox(const char **what);
bool tool_begin_sandbox(const char **what);
/* Of --threads, with the tool's own: they run groups of compute threads of the devices to come. */
enum { TOOL_MAX_THREADS = 64 };
void tool_start_threads(unsigned threads);
struct softgt_parallel_port tool_threads(void);
/* Memory for code of so many devices and threads, before the sandbox; it lasts as long as the tool. */
struct softgt_code_port tool_code(unsigned pieces);
/* --no-sandbox was given; it is told what that comes to. */
void tool_no_sandbox(void);

/* A terminal that can do more than print lines. */
bool tool_is_terminal(int descriptor);
/* A number from 1 to `most`, of that option. */
uint64_t tool_count(struct argp_state *state, const char *option, const char *text, uint64_t most);
/* The words of --tolerate, as replay_options wants them. */
unsigned tool_tolerate(struct argp_state *state, char *words);

/* The words of --trace, as a trace port wants them, and "messages" as that bit, where it is one. */
unsigned tool_trace(struct argp_state *state, char *words, unsigned messages);

/* A number with separators for people: 1,234,567. Valid until the sixteenth call after. */
const char *tool_number(uint64_t value);

/* All of a file, or of standard input ("-"); NULL: told. */
void *tool_read(const char *path, uint64_t most_bytes, size_t *size_bytes);

bool tool_ends_with(const char *text, const char *end);

/* An option that sets one member of a command's arguments. A list ends with key 0. */
enum tool_option_kind {
    TOOL_FLAG,       /* a bool becomes true */
    TOOL_TEXT,       /* a const char * */
    TOOL_COUNT,      /* a uint64_t from 1 to `max` */
    TOOL_UNSIGNED,   /* an unsigned from 1 to `max` */
    TOOL_DEVICE,     /* the name of a device, which must exist */
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
