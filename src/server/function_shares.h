/* Provisioning of VFs as JSON: in files, in requests and answers of the control socket. */
#ifndef SERVER_FUNCTION_SHARES_H
#define SERVER_FUNCTION_SHARES_H

#include "driver/pf.h"

#include <json-c/json.h>

enum { SHARE_WHY = 256 };

/* Equal resources and time slices. */
void shares_default(struct driver_vf_config *shares, unsigned count);

/* Applies the keys of an object, except `beside`. False: `why` names the key and the reason. */
bool share_change(struct driver_vf_config *s, struct json_object *o, const char *const *beside,
                  char why[SHARE_WHY]);
/* Reads a file: an object with "each" for all VFs, and "vf1" ..., which have precedence. False: `why` says
 * where. */
bool shares_read(struct driver_vf_config *shares, unsigned count, const char *text, size_t size_bytes,
                 char why[SHARE_WHY]);
/* False: no memory. */
bool share_show(const struct driver_vf_config *s, struct json_object *to);

#endif
