/* What clients of a kernel's interface check, and how they end when it does not hold. */
#ifndef EXEC_CHECK_H
#define EXEC_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                                          \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "%s:%d: %s (errno %d: %s)\n", __FILE__, __LINE__, #what, errno,                  \
                    strerror(errno));                                                                        \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
/* Fails with this error, and with no other. */
#define FAILS(call, number) CHECK((errno = 0, (call) < 0 && errno == (number)))

#endif
