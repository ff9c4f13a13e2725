/* The devices that have virtual functions: each test of functions runs on each of them. */
#ifndef TESTS_FUNCTION_DEVICES_H
#define TESTS_FUNCTION_DEVICES_H

#include <stddef.h>

static const char *const function_devices[] = {"atsm", "bmg", NULL};
/* The one that the present tests are on. */
static const char *function_device = "atsm";

/* for (EACH_FUNCTION_DEVICE(i)) */
#define EACH_FUNCTION_DEVICE(i)                                                                              \
    size_t i = 0;                                                                                            \
    function_devices[i] && (function_device = function_devices[i]);                                          \
    i++

#endif
