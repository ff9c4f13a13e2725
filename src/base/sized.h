/* Structs that a program of another version of the library passes, with the size that it knows them by. */
#ifndef BASE_SIZED_H
#define BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What the program does not know is zero. False: it says something that this library does not know. */
static inline bool sized_struct_read(void *to, size_t to_bytes, const void *from, size_t from_bytes)
{
    for (size_t i = to_bytes; i < from_bytes; i++)
        if (((const uint8_t *)from)[i])
            return false;
    memset(to, 0, to_bytes);
    memcpy(to, from, from_bytes < to_bytes ? from_bytes : to_bytes);
    return true;
}

/* What the program knows and this library does not is zero; what it does not know is left out. */
static inline void sized_struct_write(void *to, size_t to_bytes, const void *from, size_t from_bytes)
{
    memset(to, 0, to_bytes);
    memcpy(to, from, from_bytes < to_bytes ? from_bytes : to_bytes);
}

#endif
