/* What the server's parts share. */
#ifndef FRONTEND_VFIO_USER_SERVER_H
#define FRONTEND_VFIO_USER_SERVER_H

#include "aub/record.h"
#include "host/server_loop.h"
#include "server/connection.h"
#include "server/guest_memory.h"
#include "server/vfio_user.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

/*
 * While messages come, a thread of idle priority keeps a processor from halting: on a virtual host it takes
 * longer to wake one than to serve a read, and the client's threads sleep between any two messages. It
 * touches nothing of the device.
 */
struct keeper {
    pthread_t thread;
    sem_t started, changed; /* one of the two below */
    atomic_bool awake, ends;
    bool runs;
};

struct vfio_server {
    const struct vfio_user_options *options;
    struct softgt *device;
    unsigned function_number;               /* of it */
    bool memory_space_enabled;              /* of a virtual function, as its client enables it */
    uint64_t local_mapped_bytes;            /* bytes that a virtual function's client maps */
    bool shares_thread;                     /* whom no client may hold up */
    bool function_absent, reported_waiting; /* a function that is not enabled; clients that wait for it */
    uint64_t accepted_ns, reject_until_ns;  /* host time */
    struct recorder *recorder;              /* NULL: nothing is recorded */
    bool running, msi_pending;              /* recording: interrupts wait until memory is written */
    bool table_synced; /* recording: what the client did to the table before this message */
    struct vfio_connection *client;
    struct guest_memory memory;
    int table_fd; /* BAR0 as a file: the GGTT's table is its upper half */
    void *table;
    int local_fd; /* BAR2 as a file, where it is local memory; else -1 */
    void *local;
    uint64_t local_bytes;
    bool version_negotiated;        /* versions are agreed */
    int intx_fd, msi_fd, unmask_fd; /* eventfds, -1: none */
    bool intx_level, intx_masked;
    uint64_t client_transfer_bytes; /* the most that a DMA message may move */
    uint64_t epoch_ns;              /* host time of virtual time 0 */
    uint64_t virtual_now_ns;        /* virtual time, as last seen */
    uint64_t partial_since_ns;      /* host time at which half of this message was seen, 0: none is */
    struct keeper keeper;
    struct vfio_user_counts counts;
    uint64_t messages; /* handled for this client */
    struct limited_log telling;
};

__attribute__((format(printf, 2, 3))) void server_say(struct vfio_server *s, const char *format, ...);

/* ---- Between server.c and function_servers.c ---- */

struct softgt_memory_port server_memory_port(struct vfio_server *s);
struct softgt_interrupt_port server_interrupt_port(struct vfio_server *s);
int server_listen(const struct vfio_user_options *options, const char *path);
void *server_make_shared(const char *name, uint64_t offset, uint64_t size_bytes, int *fd);
void server_end_shared(void *memory, uint64_t size_bytes, int fd);
/* Virtual time follows; true: it is not there yet. */
bool server_advance(struct vfio_server *s, uint64_t now_ns);
/* Until when the client must have done what it does; UINT64_MAX: nothing is due. */
uint64_t server_deadline(struct vfio_server *s, uint64_t now_ns);
/* How long until then (UINT64_MAX: never), and no longer than most_ns. */
uint64_t server_sooner(uint64_t most_ns, uint64_t at_ns, uint64_t now_ns);
bool server_waiting(const struct vfio_server *s);
/* A function-level reset, which the physical function's driver has to end. */
void server_function_reset(struct vfio_server *s);
/* What a virtual function's configuration space is to a guest: what the host would make of it. */
uint32_t server_config_read(const struct vfio_server *s, uint32_t offset, unsigned size_bytes);
void server_config_write(struct vfio_server *s, uint32_t offset, uint32_t value, unsigned size_bytes);

/* Handles one message; false: the client must go. */
bool server_handle(struct vfio_server *s, struct vfio_message *m);
/* Sends what interrupts are due. */
void server_interrupt(struct vfio_server *s);
void server_reset(struct vfio_server *s);
/* Adds what the device counted since its last reset. */
void server_count(struct vfio_server *s);
/* Before memory comes or goes. */
void server_memory_changes(struct vfio_server *s);
void server_unmask_intx(struct vfio_server *s);
void server_close_interrupts(struct vfio_server *s);

#endif
