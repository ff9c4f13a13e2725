/*
 * What a server shows of its device: sentences about engines (host/engine_watch.h), and the control socket,
 * by which programs look at the device and change the log. It stands between the device and the owner's
 * report and trace ports.
 */
#ifndef SERVER_MONITOR_H
#define SERVER_MONITOR_H

#include "host/engine_watch.h"
#include "host/server_loop.h"
#include "server/debug_requests.h"

#include <json-c/json.h>

struct vfio_user_options;
struct vfio_user_counts;
struct vfio_server;

/* Returns the answer to a request, which the caller frees; NULL: no memory. */
typedef struct json_object *monitor_request(void *user, struct control_client *client,
                                            struct json_object *request);

struct server_monitor {
    const struct vfio_user_options *options;
    struct vfio_server *server; /* of the physical function */
    struct engine_watch watch;
    struct control_socket control;
    /* Requests that it does not know itself; optional. */
    monitor_request *more;
    void *more_user;
    uint64_t served_ns;
    unsigned control_events, debug_events; /* that clients of the control socket want, and its debugger */
    struct debug_host debug;
    unsigned owner_events; /* that the owner's trace port wants */
    struct limited_log news;
    struct softgt_engine_status last[TRACKED_ENGINES]; /* at the last line of statistics */
    uint64_t last_ns;                                  /* virtual time of it */
};

/* `m` must not move. */
void monitor_begin(struct server_monitor *m, const struct vfio_user_options *options,
                   struct vfio_server *server);
void monitor_end(struct server_monitor *m);
/* The ports of the device. */
struct softgt_report_port monitor_report_port(struct server_monitor *m);
struct softgt_trace_port monitor_trace_port(struct server_monitor *m);
/* The device exists. */
void monitor_device(struct server_monitor *m, struct softgt *device);
/* The owner resets the device: its engines' work is not missed. */
void monitor_reset(struct server_monitor *m);

/* Looks at engines and serves the control socket. Call it in every turn of a loop; most turns cost a compare.
 * `now`: in this turn, for a descriptor may be ready. */
void monitor_serve(struct server_monitor *m, uint64_t now_ns, bool now);

/* Host time at which it must be called; UINT64_MAX: when a descriptor is ready. */
uint64_t monitor_due_ns(const struct server_monitor *m);

/* The owner's or the clients' events have changed. */
void monitor_update_trace(struct server_monitor *m);

/* monitor_requests.c: a control_answer. */
void monitor_answer(void *user, struct control_client *client, const char *request, size_t length,
                    struct text *answer);
struct json_object *monitor_state(struct server_monitor *m);
/* Appends an object, which it takes over; NULL: no memory. */
void monitor_write(struct text *line, struct json_object *o);
/* The answer to a request that is refused. NULL: no memory. */
struct json_object *monitor_refusal(const char *why);

#endif
