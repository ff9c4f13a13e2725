/* What a person reads first in an error state: which engine hung, in whose process, where, at which command,
 * what it waits for, which units are busy, and faults. */
#ifndef HANG_FIRST_LOOK_H
#define HANG_FIRST_LOOK_H

#include "hang/rows.h"
#include "hang/walk.h"

/* Appends a paragraph about the engine of a finished walk. */
void error_first_look(struct text *t, const struct error_walk *w, const struct register_file *file);

#endif
