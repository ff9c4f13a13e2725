/* The state commands that would set an engine's pipeline state, as text. */
#ifndef HOST_STATE_DUMP_H
#define HOST_STATE_DUMP_H

#include "base/text.h"
#include "device/host.h"

/* The base addresses that an engine's state commands set. */
void state_dump_bases(struct softgt *device, unsigned engine, struct bases *bases);
/* Appends the commands for which `wanted` is true (NULL: all), with their fields. The dumper is that of the
 * device's commands; its options have the bases, if any. */
void state_dump(struct text *t, struct softgt *device, unsigned engine, const struct dumper *dumper,
                bool (*wanted)(const void *user, const uint32_t *dwords, size_t length_dw), const void *user);

#endif
