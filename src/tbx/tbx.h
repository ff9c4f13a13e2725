/*
 * The TBX server: serves a device to programs that drive a simulator by sockets (Intel's OpenCL runtime,
 * aubstream). Each connection has its own device and memory. One thread serves all: the messages of each
 * connection, then a slice of its engines.
 * Engines run after a register write and before an answer, until they are idle or have used TBX_RUN_DW.
 * Virtual time advances with the run and with each message that has an answer. So the same messages give the
 * same answers, independent of the host's clock and of other connections.
 */
#ifndef TBX_TBX_H
#define TBX_TBX_H

#include <netinet/in.h>
#include <signal.h>
#include <softgt/softgt.h>

enum {
    TBX_PORT = 4321,
    TBX_CONNECTIONS = 16, /* at once; further clients wait */
    TBX_FILES = 8,        /* recordings and timelines: for the first connections that use the device */
    TBX_MEMORY_MB = 1024,
};

struct tbx_options {
    const char *device;
    struct in_addr address; /* address to listen at */
    uint16_t port;          /* 0: any */
    uint64_t memory_bytes;  /* of a connection, without local memory */
    struct softgt_report_port report;
    unsigned trace;                       /* 1 << enum softgt_trace_what, for `event` */
    const char *record, *timeline;        /* optional; tbx_path gives the names of further ones */
    struct softgt_parallel_port parallel; /* optional; `enclose` may still set it */
    struct softgt_code_port code;         /* optional, as `parallel` */
    bool once;                            /* end when the last client leaves */
    const volatile sig_atomic_t *stop;    /* set by a signal: end */
    void *user;
    void (*message)(void *user, const char *text);                                    /* one line of news */
    void (*event)(void *user, unsigned connection, const struct softgt_event *event); /* optional */
    void (*exchanged)(void *user, unsigned connection, const char *text); /* optional: each message */
    bool (*enclose)(void *user); /* optional: called when everything is open. False: errno says why */
    /* optional: before the device is destroyed */
    void (*ends)(void *user, unsigned connection, struct softgt *device, uint64_t messages);
};

/* Serves until *stop is set. Returns 0, or an errno, with *what saying which operation failed. */
int tbx_serve(const struct tbx_options *options, const char **what);

/* The file name of a connection: "a.aub", "a-2.aub", ...; the caller frees it. NULL: no memory. */
char *tbx_path(const char *path, unsigned number);

#endif
