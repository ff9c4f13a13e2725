/* The devices that have virtual functions: each test of functions runs on each of them. */
#ifndef TESTS_FUNCTION_DEVICES_H
#define TESTS_FUNCTION_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char *const function_devices[] = {"atsm", "bmg", NULL};
/* The one that the present tests are on. */
static const char *function_device = "atsm";

static inline bool is_xe2(void)
{
    return strcmp(function_device, "bmg") == 0;
}

/* Compression state of 64 KB of local memory: its bytes, and the size field of the command that moves it. A
 * byte is the state of 256 bytes, and the size is in units of 64 KB; on Xe2 it is of 512, and the size in
 * pages; both less one. (SYS-08; Linux, xe_migrate) */
enum { MOST_STATE_BYTES = 256 };
struct surface_state {
    uint32_t bytes, size;
};

static inline struct surface_state surface_state(void)
{
    return is_xe2() ? (struct surface_state){128, 15} : (struct surface_state){256, 0};
}

/* for (EACH_FUNCTION_DEVICE(i)) */
#define EACH_FUNCTION_DEVICE(i)                                                                              \
    size_t i = 0;                                                                                            \
    function_devices[i] && (function_device = function_devices[i]);                                          \
    i++

#endif
