/* In place of sandbox.c, for builds without libseccomp. */
#include "host/sandbox.h"

#include <errno.h>

const char *sandbox_missing(void)
{
    return SANDBOX_MISSING;
}

static bool missing(const char **what)
{
    *what = "libseccomp";
    errno = ENOSYS;
    return false;
}

bool sandbox_begin(const char **what)
{
    return missing(what);
}

bool sandbox_seal(const char **what, enum sandbox_use use)
{
    (void)use;
    return missing(what);
}
