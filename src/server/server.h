/* Shared by the server's files. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "aub/record.h"
#include "host/server_loop.h"
#include "server/connection.h"
#include "server/guest_memory.h"
#include "server/monitor.h"
#include "server/vfio_user.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

/*
 * While messages come, a thread of idle priority keeps a processor from halting. On a virtual host waking a
 * halted processor takes longer than serving a read. The thread does not touch the device.
 */
struct keeper {
    pthread_t thread;
    sem_t started, changed; /* posted when `awake` or `ends` changes */
    atomic_bool awake, ends;
    bool runs;
};

/* Interrupts, as the client has set them up. */
struct server_irq {
    int intx_fd, msi_fd, unmask_fd; /* eventfds, -1: none */
    bool intx_level, intx_masked;
};

struct server_clock {
    uint64_t epoch_ns; /* host time of virtual time 0 */
    uint64_t now_ns;   /* virtual time at the last update */
};

struct vfio_server {
    const struct vfio_user_options *options;
    struct softgt *device;
    unsigned function_number;               /* 0: the PF */
    bool memory_space_enabled;              /* of a VF: the client has enabled it */
    uint64_t local_mapped_bytes;            /* of a VF: what the client maps */
    bool shares_thread;                     /* with other clients: no client may hold up the loop */
    bool function_absent, reported_waiting; /* a VF that is not enabled; waiting clients were reported */
    uint64_t accepted_ns, reject_until_ns;  /* host time */
    struct recorder *recorder;              /* NULL: no recording */
    struct {
        bool running, msi_pending; /* interrupts wait until memory is written */
        bool table_synced;         /* the client's table writes before this message are recorded */
    } recording;
    struct vfio_connection *client;
    struct guest_memory memory;
    int table_fd; /* BAR 0 as a file: the GGTT's table is its upper half */
    void *table;
    int local_fd; /* BAR 2 as a file, if it is local memory; else -1 */
    void *local;
    uint64_t local_bytes;
    bool version_negotiated;
    bool paused; /* by the control socket: the device does no work and its time stands still */
    struct server_irq irq;
    uint64_t client_transfer_bytes; /* limit of a DMA message */
    struct server_clock clock;
    uint64_t partial_since_ns; /* host time at which a part of this message was received; 0: none */
    struct keeper keeper;
    struct vfio_user_counts counts;
    uint64_t messages; /* of this client */
    struct limited_log telling;
    struct server_monitor *monitor; /* of the device, which functions share */
};

__attribute__((format(printf, 2, 3))) void server_say(struct vfio_server *s, const char *format, ...);

/* ---- Between server.c and function_servers.c ---- */

struct softgt_memory_port server_memory_port(struct vfio_server *s);
struct softgt_interrupt_port server_interrupt_port(struct vfio_server *s);
void *server_make_shared(const char *name, uint64_t offset, uint64_t size_bytes, int *fd);
void server_end_shared(void *memory, uint64_t size_bytes, int fd);
/* Advances virtual time; true: it is behind the clock. */
bool server_advance(struct vfio_server *s, uint64_t now_ns);
/* Time until which the client must finish its action; UINT64_MAX: none. */
uint64_t server_deadline(struct vfio_server *s, uint64_t now_ns);
/* Time until at_ns (UINT64_MAX: never), at most most_ns. */
uint64_t server_sooner(uint64_t most_ns, uint64_t at_ns, uint64_t now_ns);
/* By the control socket: no work, and time stands still. Messages are still answered. */
void server_pause(struct vfio_server *s, bool paused);
bool server_waiting(const struct vfio_server *s);
/* A function-level reset of a VF; the PF driver has to finish it. */
void server_function_reset(struct vfio_server *s);
/* A VF's configuration space as a host would present it to a guest. */
uint32_t server_config_read(const struct vfio_server *s, uint32_t offset, unsigned size_bytes);
void server_config_write(struct vfio_server *s, uint32_t offset, uint32_t value, unsigned size_bytes);

/* Handles one message; false: the client must be dropped. */
bool server_handle(struct vfio_server *s, struct vfio_message *m);
/* Sends the pending interrupts. */
void server_interrupt(struct vfio_server *s);
void server_reset(struct vfio_server *s);
/* Adds the device's counts since its last reset. */
void server_count(struct vfio_server *s);
/* Before memory is mapped or unmapped. */
void server_memory_changes(struct vfio_server *s);
void server_unmask_intx(struct vfio_server *s);
void server_close_interrupts(struct vfio_server *s);

#endif
