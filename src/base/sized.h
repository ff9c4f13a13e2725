/* Public structs of programs built with another version of the library: they pass the size that they know. */
#ifndef BASE_SIZED_H
#define BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Members that the program does not know become zero. False: a member that this library does not know is set.
 */
static inline bool sized_struct_read(void *to, size_t to_bytes, const void *from, size_t from_bytes)
{
    for (size_t i = to_bytes; i < from_bytes; i++)
        if (((const uint8_t *)from)[i])
            return false;
    memset(to, 0, to_bytes);
    memcpy(to, from, from_bytes < to_bytes ? from_bytes : to_bytes);
    return true;
}

/* Members that this library does not know become zero; members that the program does not know are left out.
 */
static inline void sized_struct_write(void *to, size_t to_bytes, const void *from, size_t from_bytes)
{
    memset(to, 0, to_bytes);
    memcpy(to, from, from_bytes < to_bytes ? from_bytes : to_bytes);
}

#endif
