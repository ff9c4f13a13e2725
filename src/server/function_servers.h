/* A server with functions: shared by function_servers.c (clients, loop) and function_requests.c (control
 * socket). */
#ifndef SERVER_FUNCTION_SERVERS_H
#define SERVER_FUNCTION_SERVERS_H

#include "driver/pf.h"
#include "server/server.h"

enum { PATH_BYTES = 108 };

struct vf_servers {
    const struct vfio_user_options *options;
    struct softgt *device;
    unsigned count; /* VFs */
    struct vfio_server *servers;
    int *listeners;
    char (*paths)[PATH_BYTES];
    struct driver_pf driver;
    struct driver_vf_config shares[DRIVER_VFS]; /* as requested */
    bool drives_pf;
    struct server_monitor monitor;
    char control_path[PATH_BYTES];
};

/* Maps the VFs' local memory as the driver has provisioned it. False: errno says why. */
bool functions_lay_out(struct vf_servers *f);
/* A monitor_request. */
struct json_object *functions_answer(void *user, struct control_client *client, struct json_object *request);

#endif
