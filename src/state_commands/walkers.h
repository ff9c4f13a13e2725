/* Functions of the commands that start compute threads. */
#ifndef STATE_COMMANDS_WALKERS_H
#define STATE_COMMANDS_WALKERS_H

#include "stream/command.h"

enum outcome gpgpu_walker(struct execution *x);
enum outcome compute_walker(struct execution *x);
enum outcome execute_indirect_dispatch(struct execution *x);
enum outcome media_object_walker(struct execution *x);
enum outcome media_object_prt(struct execution *x);
enum outcome media_object_grpid(struct execution *x);
enum outcome media_object(struct execution *x);

#endif
