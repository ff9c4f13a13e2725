/*
 * The sandbox of a process that reads hostile input. It drops capabilities, the file system and the network
 * (Landlock, if the kernel has it), and all system calls that it does not need (seccomp). A forbidden call is
 * reported on standard error and ends the process (SIGSYS). files.h opens files from outside.
 */
#ifndef HOST_SANDBOX_H
#define HOST_SANDBOX_H

#include <stdbool.h>

/* The reason why this build has no sandbox (sanitizers open files and start programs); NULL: it has one. */
const char *sandbox_missing(void);
/* Drops capabilities, files and network for this thread and its later threads. False: see errno and *what. */
bool sandbox_begin(const char **what);
enum sandbox_use {
    SANDBOX_RUNS,  /* no more threads or processes can start */
    SANDBOX_FORKS, /* the process makes copies of itself, which have executable memory of their own */
};
/* Restricts system calls of all threads. False: see errno and *what. */
bool sandbox_seal(const char **what, enum sandbox_use use);

#endif
