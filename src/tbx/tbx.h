/*
 * The TBX server: what drives a simulator by sockets (Intel's OpenCL runtime, aubstream) drives a device. A
 * connection has a device and memory of its own. One thread does everything: a message of each connection,
 * then a slice of its engines.
 *
 * Engines run behind a register write and before an answer, until they are idle or have used RUN_DW; virtual
 * time goes with that, and with each question. So a session is its messages: the same ones have the same
 * answers, whatever the host's clock says and whoever else is served.
 */
#ifndef FRONTEND_TBX_TBX_H
#define FRONTEND_TBX_TBX_H

#include <netinet/in.h>
#include <signal.h>
#include <softgt/softgt.h>

enum {
    TBX_PORT = 4321,
    TBX_CONNECTIONS = 16, /* at once; who comes then waits */
    TBX_FILES = 8,        /* recordings, timelines: of the first connections that use the device */
    TBX_MEMORY_MB = 1024,
};

struct tbx_options {
    const char *device;
    struct in_addr address; /* to listen at */
    uint16_t port;          /* 0: any */
    uint64_t memory_bytes;  /* of a connection, beside local memory */
    struct softgt_report_port report;
    unsigned trace;                       /* 1 << enum softgt_trace_what, for `event` */
    const char *record, *timeline;        /* optional; tbx_path tells the names of those that follow */
    struct softgt_parallel_port parallel; /* optional; `enclose` may still set it */
    struct softgt_code_port code;         /* the same */
    bool once;                            /* end when the last client leaves */
    const volatile sig_atomic_t *stop;    /* set by a signal: end */
    void *user;
    void (*message)(void *user, const char *text);                                    /* news; one line */
    void (*event)(void *user, unsigned connection, const struct softgt_event *event); /* optional */
    void (*exchanged)(void *user, unsigned connection, const char *text); /* optional: each message */
    bool (*enclose)(void *user); /* optional: everything is open. False: errno tells */
    /* optional: before its device goes */
    void (*ends)(void *user, unsigned connection, struct softgt *device, uint64_t messages);
};

/* Serves until told to stop. Returns 0, or an errno with *what saying what could not be done. */
int tbx_serve(const struct tbx_options *options, const char **what);

/* The file of a connection: "a.aub", "a-2.aub", ...; free it. NULL: no memory. */
char *tbx_path(const char *path, unsigned number);

#endif
