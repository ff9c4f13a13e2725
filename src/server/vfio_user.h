/*
 * The vfio-user server: presents one device to one client at a time (QEMU's vfio-user-pci) on a Unix socket.
 * One thread does everything (another one only keeps the processor awake): between two messages it runs the
 * engines for a slice, so that no engine runs while memory is mapped, unmapped or reset. Virtual time is the
 * host's.
 */
#ifndef FRONTEND_VFIO_USER_VFIO_USER_H
#define FRONTEND_VFIO_USER_VFIO_USER_H

#include <signal.h>
#include <softgt/softgt.h>
#include <sys/types.h>

struct driver_vf_config;

/* Of all that was served: the device's own counts begin anew with each reset. */
enum { VFIO_USER_ENGINES = 32 };
struct vfio_user_counts {
    struct softgt_engine_status
        engines[VFIO_USER_ENGINES]; /* batches, commands, context switches, interrupts, faults */
    uint64_t virtual_ns, messages;
    uint64_t register_reads, register_writes, aperture_reads, aperture_writes, config_accesses;
};

struct vfio_user_options {
    const char *device, *socket;
    mode_t mode;        /* of the socket; 0: 0600 */
    const gid_t *group; /* optional: whose the socket is, beside the user */
    struct softgt_report_port report;
    struct softgt_trace_port trace;
    unsigned functions;                    /* virtual ones; then the socket is a folder of sockets */
    const struct driver_vf_config *shares; /* of each, as they are asked for; NULL: equal ones */
    bool pf_decides;                       /* of the others, who has the physical one; else the server does */
    bool timing;                           /* commands take time */
    uint64_t local_bytes;              /* of local memory, where the device has some; 0: as many as it has */
    const char *record;                /* optional: a trace of what the guest does */
    bool once;                         /* end when the first client leaves that spoke */
    const volatile sig_atomic_t *stop; /* set by a signal: end */
    void *user;
    void (*message)(void *user, const char *text); /* what ends a client, and other news; one line */
    /* optional: everything is open; called before and after threads start. False: errno tells */
    bool (*enclose)(void *user, bool threads);
    /* optional: before the device goes */
    void (*device_ends)(void *user, struct softgt *device, const struct vfio_user_counts *counts);
};

/* Serves until told to stop. Returns 0, or an errno with *what saying what could not be done; -1: *what says
 * all of it. */
int vfio_user_serve(const struct vfio_user_options *options, const char **what);
/* The same with virtual functions: a socket for each function, DIR/pf, DIR/vf1 ... (function_servers.c) */
int vfio_user_serve_functions(const struct vfio_user_options *options, const char **what);

#endif
