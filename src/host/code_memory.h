/* Memory for code that a device makes of kernels (softgt_code_port): the same pages at two addresses, one
 * written, the other run. All of it is mapped at once, so that a sandbox may come in between. */
#ifndef HOST_CODE_MEMORY_H
#define HOST_CODE_MEMORY_H

#include <softgt/softgt.h>

struct code_memory;

/* Room for so many pieces, one a thread that runs groups and one a device; NULL: there is none. */
struct code_memory *code_memory_create(unsigned pieces);
void code_memory_destroy(struct code_memory *m); /* NULL: nothing */
/* With NULL: none. */
struct softgt_code_port code_memory_port(struct code_memory *m);
/* Before a fork, while nothing is translated, and behind it on both sides: the child's pages are its own. */
void code_memory_before_fork(struct code_memory *m);
void code_memory_after_fork(struct code_memory *m, bool in_child);

#endif
