/*
 * The vfio-user server: presents one device to one client at a time (QEMU's vfio-user-pci) on a Unix socket.
 * One thread does all work; another only keeps the processor awake. Between two messages it runs the engines
 * for a slice. So no engine runs while memory is mapped or unmapped, or the device reset. Virtual time
 * follows the host's clock.
 */
#ifndef SERVER_VFIO_USER_H
#define SERVER_VFIO_USER_H

#include <signal.h>
#include <softgt/softgt.h>
#include <sys/types.h>

struct driver_vf_config;

/* Totals over all clients; the device's own counts restart at each reset. */
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
    const gid_t *group; /* optional: group of the socket */
    struct softgt_report_port report;
    struct softgt_trace_port trace;
    unsigned functions;                    /* number of VFs; if not 0, the socket is a directory of sockets */
    const struct driver_vf_config *shares; /* of each VF, as requested; NULL: equal parts */
    bool pf_decides;                       /* the PF's client is the PF administrator; else the server is */
    struct softgt_code_port code;          /* optional */
    bool timing;                           /* commands take time */
    bool draws;                            /* 3D draws are executed; else they are counted */
    struct softgt_parallel_port parallel;  /* optional */
    uint64_t local_bytes;                  /* of local memory, if the product has any; 0: its own size */
    const char *record;                    /* optional: path of a trace of the guest */
    bool once;                             /* end when the first client that spoke leaves */
    const volatile sig_atomic_t *stop;     /* set by a signal: end */
    void *user;
    void (*message)(void *user, const char *text); /* why a client ended, and other news; one line */
    /* What goes wrong in engines, in sentences; also an engine without progress for patience_ns of host time
     * (0: never). Optional. */
    void (*news)(void *user, const char *sentence);
    uint64_t patience_ns;
    const char *control;  /* optional: path of the control socket; with functions it is DIR/control */
    bool awaits_debugger; /* engines are held until a debugger comes to the control socket */
    volatile sig_atomic_t
        *state_requested; /* optional: set by SIGUSR1, which is blocked: `state` gets the state */
    void (*state)(void *user, const char *text);
    /* Sets the level of the owner's log and returns the reason why not; NULL: done. It changes *trace_mask,
     * the events that the owner wants. Optional. */
    const char *(*set_log)(void *user, const char *level, unsigned *trace_mask);
    /* optional: called when everything is open, before and after threads start. False: errno says why */
    bool (*enclose)(void *user, bool threads);
    /* optional: before the device is destroyed */
    void (*device_ends)(void *user, struct softgt *device, const struct vfio_user_counts *counts);
};

/* Serves until *stop is set. Returns 0; an errno, with *what saying which operation failed; or -1, with *what
 * saying all. */
int vfio_user_serve(const struct vfio_user_options *options, const char **what);
/* The same with VFs: a socket for each function, DIR/pf, DIR/vf1 ... (function_servers.c) */
int vfio_user_serve_functions(const struct vfio_user_options *options, const char **what);

#endif
