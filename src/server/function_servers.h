/* A server with functions, between function_servers.c, which serves, and function_requests.c. */
#ifndef FRONTEND_VFIO_USER_FUNCTION_SERVERS_H
#define FRONTEND_VFIO_USER_FUNCTION_SERVERS_H

#include "driver/pf.h"
#include "server/function_control.h"
#include "server/server.h"

enum { PATH_BYTES = 108 };

struct vf_servers {
    const struct vfio_user_options *options;
    struct softgt *device;
    unsigned count; /* virtual ones */
    struct vfio_server *servers;
    int *listeners;
    char (*paths)[PATH_BYTES];
    struct driver_pf driver;
    struct driver_vf_config shares[DRIVER_VFS]; /* as they were asked for */
    bool drives_pf;
    struct control_socket control;
    char control_path[PATH_BYTES];
};

/* Local memory is as the driver shares it out. False: errno tells. */
bool functions_lay_out(struct vf_servers *f);
/* A control_answer. */
struct json_object *functions_answer(void *user, struct json_object *request, int passed);

#endif
