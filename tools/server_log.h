/* What servers tell on standard error, which nobody may be reading: complaints, messages, accesses; and the
 * signals that end them. */
#ifndef TOOLS_SERVER_LOG_H
#define TOOLS_SERVER_LOG_H

#include "complaints.h"
#include "tool.h"

#include <signal.h>

enum log_level { LOG_NONE, LOG_GUEST, LOG_ALL, LOG_GUC, LOG_ACCESS };

struct server_log {
    const char *name; /* the subcommand's */
    enum log_level level;
    struct complaints complaints;
    const volatile sig_atomic_t *stop;
    FILE *file;
    uint64_t lost_lines; /* lines that it did not take */
};

/* SIGINT, SIGTERM and SIGHUP end the server from now on: then what is returned is not 0. */
const volatile sig_atomic_t *server_stop(void);

/* The level of that name, of those up to `most`; else an error of the options. */
enum log_level server_log_level(struct argp_state *state, const char *name, enum log_level most);
/* False: errno tells. */
bool server_log_open(struct server_log *l);
void server_log_close(struct server_log *l);

/* `user` is a struct server_log. */
void server_log_message(void *user, const char *text);
void server_log_report(void *user, const struct softgt_report *report);

/* What of the trace the level wants, and what it prints of it. */
unsigned server_log_events(const struct server_log *l);
void server_log_event(const struct server_log *l, const struct softgt_event *e);

/* At the end. */
void server_log_engine(const struct server_log *l, const struct softgt_engine_status *e);
void server_log_complaints(const struct server_log *l);

#endif
