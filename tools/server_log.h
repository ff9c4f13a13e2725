/*
 * The log of servers on standard error, which may have no reader: complaints, messages, accesses. Also the
 * signals that end servers.
 */
#ifndef TOOLS_SERVER_LOG_H
#define TOOLS_SERVER_LOG_H

#include "complaints.h"
#include "fail_on.h"
#include "tool.h"

#include <signal.h>

enum log_level { LOG_NONE, LOG_HANGS, LOG_GUEST, LOG_ALL, LOG_GUC, LOG_ACCESS };
enum { LOG_EVERY = (2 << LOG_ACCESS) - 1 }; /* a bit for each */

struct server_log {
    const char *name; /* name of the subcommand */
    enum log_level level;
    struct complaints complaints;
    struct fail_on fail_on;
    const volatile sig_atomic_t *stop;
    FILE *file;
    uint64_t lost_lines; /* lines that the reader did not take */
};

/* From now on SIGINT, SIGTERM and SIGHUP set the returned flag. */
const volatile sig_atomic_t *server_stop(void);

/* From now on SIGUSR1 sets the returned flag, where server_poll sleeps. */
volatile sig_atomic_t *server_state_requested(void);

/* The level of a name, one of `levels`, which has a bit for each; -1: there is none, and *all gets the names
 * of all. */
enum { LOG_NAMES = 64 };
int server_log_level_of(const char *name, unsigned levels, char all[LOG_NAMES]);
/* The same for an option: an unknown name ends the tool. */
enum log_level server_log_level(struct argp_state *state, const char *name, unsigned levels);
/* False: see errno. */
bool server_log_open(struct server_log *l);
void server_log_close(struct server_log *l);

/* `user` is a struct server_log. */
void server_log_message(void *user, const char *text);
void server_log_report(void *user, const struct softgt_report *report);
/* What went wrong in an engine, in a sentence. */
void server_log_news(struct server_log *l, const char *sentence);

/* The trace events that the level needs, and their output. */
unsigned server_log_events(const struct server_log *l);
void server_log_event(const struct server_log *l, const struct softgt_event *e);

/* Output at the end. */
void server_log_engine(const struct server_log *l, const struct softgt_engine_status *e);
void server_log_complaints(const struct server_log *l);

#endif
