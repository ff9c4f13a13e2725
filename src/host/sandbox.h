/*
 * What a process that reads hostile input gives up: capabilities, the file system and the network (Landlock,
 * where the kernel has it), and every system call that it has no use for (seccomp). A call that is not
 * allowed is told on standard error and ends the process (SIGSYS). Files by name are left to files.h.
 */
#ifndef HOST_SANDBOX_H
#define HOST_SANDBOX_H

#include <stdbool.h>

/* Why this build has none (sanitizers open files and start programs); NULL: it has one. */
const char *sandbox_missing(void);
/* Capabilities, files, network: of this thread and those that it starts later. False: errno tells, and *what.
 */
bool sandbox_begin(const char **what);
/* System calls, of all threads; none is started any more. */
bool sandbox_seal(const char **what);

#endif
