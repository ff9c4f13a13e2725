/* softgt run's pictures: one surface, or every surface that blits drew on, with a page that shows them. */
#ifndef TOOLS_SURFACES_H
#define TOOLS_SURFACES_H

#include <stdbool.h>

#include "host/picture.h"

/* ADDRESS,WIDTHxHEIGHT,FORMAT,TILING[,PITCH] of --surface; the address may begin with an engine's name and a
 * colon, or with ggtt: . False: `why` says what is wrong. */
struct surface_request {
    char where[16];
    struct picture picture;
};
/* Whether the device has its tiling; if not, that is told. */
bool surface_fits(const struct surface_request *request, const struct softgt *device);
bool surface_parse(const char *text, struct surface_request *request, char *why, size_t why_bytes);
/* Writes it; false: told. */
bool surface_save(struct surface_request *request, struct softgt *device, const char *path);

struct surfaces;

/* Collects into a folder, which is made. NULL: told. */
struct surfaces *surfaces_open(const char *folder);
void surfaces_device(struct surfaces *s, struct softgt *device);
/* An event of the run: of SURFACES_EVENTS. */
enum { SURFACES_EVENTS = SOFTGT_TRACE_BLITS | SOFTGT_TRACE_BATCHES };
void surfaces_event(struct surfaces *s, const struct softgt_event *event);
/* The run ended; writes pictures and the page. False: told. */
bool surfaces_finish(struct surfaces *s, struct softgt *device, const char *trace);
void surfaces_close(struct surfaces *s);

#endif
