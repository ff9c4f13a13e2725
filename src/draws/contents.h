/* What a draw or dispatch stored to buffers that are bound: compared with what they held before it. */
#ifndef DRAWS_CONTENTS_H
#define DRAWS_CONTENTS_H

#include "draws/draws.h"

enum { CONTENTS_BYTES = 1 << 24, CONTENTS_TOTAL_BYTES = 1 << 26 }; /* of a buffer; of all of a draw's */

/* Keeps what a buffer holds; *left_bytes: how much more may be kept. */
void contents_keep(struct draw_surface *s, struct softgt *device, unsigned engine, uint64_t *left_bytes);
/* A store of the draw. */
void contents_store(struct draw_surface *s, const struct softgt_event *e);
/* Finds what is different now, and frees what was kept. */
void contents_compare(struct draw_surface *s, struct softgt *device, unsigned engine);

#endif
