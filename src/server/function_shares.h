/* Shares of functions as text has them: in a file, in requests at the control socket, in what that shows. */
#ifndef FRONTEND_VFIO_USER_FUNCTION_SHARES_H
#define FRONTEND_VFIO_USER_FUNCTION_SHARES_H

#include "driver/pf.h"

#include <json-c/json.h>

enum { SHARE_WHY = 256 };

/* Who says nothing gets equal parts and equal time. */
void shares_default(struct driver_vf_config *shares, unsigned count);

/* The keys of an object, but `beside`. False: why says which key, and why. */
bool share_change(struct driver_vf_config *s, struct json_object *o, const char *const *beside,
                  char why[SHARE_WHY]);
/* A file: an object with "each" for all, and "vf1" ..., whose keys count more. False: why says where. */
bool shares_read(struct driver_vf_config *shares, unsigned count, const char *text, size_t size_bytes,
                 char why[SHARE_WHY]);
/* False: no memory. */
bool share_show(const struct driver_vf_config *s, struct json_object *to);

#endif
