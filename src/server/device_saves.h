/* softgt control save and load: the device's state, GGTT entries and local memory in a file of the client. */
#ifndef SERVER_DEVICE_SAVES_H
#define SERVER_DEVICE_SAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/memory.h"

struct vfio_server;

/* A length in whole pages. */
static inline uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE_BYTES - 1u) / PAGE_BYTES * PAGE_BYTES;
}

/* Reads or writes all bytes at an offset of a file. False: see errno. */
bool file_transfer(int fd, uint64_t at, void *data, size_t size_bytes, bool reads);

/* Both return NULL, or the reason why not; a load that is refused changes nothing. *bytes: length of the
 * file. The descriptor must be of a file in memory: no other is sure to take or give bytes at once. */
const char *device_save(struct vfio_server *s, int fd, uint64_t *bytes);
const char *device_load(struct vfio_server *s, int fd, uint64_t *bytes);

#endif
