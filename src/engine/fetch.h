/* Fetches for the parser. */
#ifndef ENGINE_FETCH_H
#define ENGINE_FETCH_H

#include "engine/execution.h"

/* Looks up the page of the current stream: its cursor then has at < limit. False: nothing to parse now; the
 * end of the stream, or the fault, has been handled. */
bool fetch_page(struct engine *e);
/* A command that crosses the end of the page or of the ring, copied into one piece; the stream is then after
 * it. NULL: not complete; handled. */
const uint32_t *fetch_across(struct engine *e, uint32_t length_dw);

#endif
