/* What the parser asks of the streams. */
#ifndef ENGINE_FETCH_H
#define ENGINE_FETCH_H

#include "engine/execution.h"

/* Puts a cursor into the page of the stream at hand, with at < limit. False: nothing to parse now; what
 * follows has been seen to. */
bool fetch_page(struct engine *e);
/* A command that goes on past the page or the ring's end, in one piece; the stream then stands behind it.
 * NULL: not all there; seen to. */
const uint32_t *fetch_across(struct engine *e, uint32_t length_dw);

#endif
