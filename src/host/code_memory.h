/*
 * Memory for host code that a device translates kernels to (softgt_code_port). The same pages are mapped at
 * two addresses, one writable, the other executable. All pages are mapped at creation, before a sandbox
 * forbids it.
 */
#ifndef HOST_CODE_MEMORY_H
#define HOST_CODE_MEMORY_H

#include <softgt/softgt.h>

struct code_memory;

/* Makes space for so many pieces: one for each host thread and one for each device. NULL: out of memory. */
struct code_memory *code_memory_create(unsigned pieces);
void code_memory_destroy(struct code_memory *m); /* NULL: nothing */
/* NULL gives an empty port. */
struct softgt_code_port code_memory_port(struct code_memory *m);
/* Called before a fork, while nothing is translated, and after it on both sides: the child gets pages of its
 * own. */
void code_memory_before_fork(struct code_memory *m);
void code_memory_after_fork(struct code_memory *m, bool in_child);

#endif
