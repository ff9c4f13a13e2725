/* --fail-on: what happened on a device, and which of it makes a subcommand fail. */
#ifndef TOOLS_FAIL_ON_H
#define TOOLS_FAIL_ON_H

#include <argp.h>
#include <softgt/softgt.h>
#include <stdbool.h>

/* In the order in which words are listed. */
enum fail_event {
    FAIL_UNSUPPORTED, /* a command was only counted, or a feature is not modelled */
    FAIL_UNKNOWN,     /* no command has this header, or no instruction this opcode */
    FAIL_HUNG,        /* work did not end */
    FAIL_FAULTS,      /* an access found no page */
    FAIL_BOUNDS,      /* a thread's access was beyond the end of a buffer */
    FAIL_ERRORS,      /* another mistake of the program, or an unknown command */
    FAIL_HAZARDS,     /* a draw reads what no PIPE_CONTROL flushed */
    FAIL_REFUSED,     /* the driver does not support a call */
    FAIL_TROUBLE,     /* something could not be done */
    FAIL_UNUSED,      /* the device did nothing */
    FAIL_EVENTS
};
#define FAIL_BIT(event) (1u << FAIL_##event)

/* The words that each subcommand takes. */
#define FAIL_ON_DEVICE                                                                                       \
    (FAIL_BIT(UNSUPPORTED) | FAIL_BIT(UNKNOWN) | FAIL_BIT(HUNG) | FAIL_BIT(FAULTS) | FAIL_BIT(ERRORS))
enum fail_words {
    FAIL_ON_RUN = FAIL_ON_DEVICE | FAIL_BIT(BOUNDS) | FAIL_BIT(TROUBLE) | FAIL_BIT(UNUSED),
    FAIL_ON_DRAWS = FAIL_ON_RUN | FAIL_BIT(HAZARDS),
    FAIL_ON_DECODE = FAIL_ON_DEVICE | FAIL_BIT(UNUSED),
    FAIL_ON_EU =
        FAIL_BIT(UNSUPPORTED) | FAIL_BIT(HUNG) | FAIL_BIT(FAULTS) | FAIL_BIT(BOUNDS) | FAIL_BIT(ERRORS),
    FAIL_ON_SERVER = FAIL_ON_RUN,
    FAIL_ON_DEBUG = FAIL_ON_DEVICE | FAIL_BIT(TROUBLE),
    FAIL_ON_EXEC = FAIL_ON_DEVICE | FAIL_BIT(REFUSED) | FAIL_BIT(TROUBLE) | FAIL_BIT(UNUSED),
    FAIL_ON_DESKTOP = FAIL_ON_EXEC,
    FAIL_ON_DIFF = FAIL_ON_RUN,
};

enum { FAIL_TEXT = 160 };
struct fail_on {
    unsigned words;                     /* of the subcommand */
    unsigned wanted;                    /* given with the option */
    unsigned happened;                  /* so far */
    bool quiet;                         /* no message at the end */
    char first[FAIL_EVENTS][FAIL_TEXT]; /* what happened first, for the message; "": unknown */
};

extern const char *const fail_on_names[FAIL_EVENTS];

struct json_object;

/* Parses a list, which is cut up. Words that the subcommand does not take end the tool. */
void fail_on_parse(struct fail_on *f, char *list, struct argp_state *state);
void fail_on_report(struct fail_on *f, const struct softgt_report *report);
/* Notes that something happened; `text` may be NULL. */
void fail_on_note(struct fail_on *f, enum fail_event event, const char *text);
/* Forgets what happened. */
void fail_on_reset(struct fail_on *f);
/* The device's counts so far; not whether its engines ended. */
void fail_on_engine(struct fail_on *f, const struct softgt_engine_status *s);
/* Commands that were only counted. */
void fail_on_commands(struct fail_on *f, struct softgt *device);
/* All of the device at the end, when its engines should be idle. */
void fail_on_device(struct fail_on *f, struct softgt *device);
/* At the end, if fail_on_engine saw no command: the device was not used. */
void fail_on_end(struct fail_on *f);
/* The exit status: TOOL_FAILED_ON after a message if the status was 0 and something wanted happened. `file`
 * may be NULL. */
int fail_on_status(const struct fail_on *f, const char *file, int status);
/* The words that were given and happened. */
struct json_object *fail_on_json(const struct fail_on *f);
/* Notes what the report of softgt exec in this file has; `program` begins the messages. */
void fail_on_exec(struct fail_on *f, const char *report, const char *program);

#endif
