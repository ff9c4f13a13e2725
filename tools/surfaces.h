/* Pictures of softgt run: one surface, or every surface that blits draw on, with a page that shows them. */
#ifndef TOOLS_SURFACES_H
#define TOOLS_SURFACES_H

#include <stdbool.h>

#include "host/picture.h"

/* --surface ADDRESS,WIDTHxHEIGHT,FORMAT,TILING[,PITCH]. The address may begin with an engine's name or ggtt,
 * and a colon. False: `why` has the reason. */
struct surface_request {
    char where[16];
    struct picture picture;
};
/* True: the device has the tiling. False after a message. */
bool surface_fits(const struct surface_request *request, const struct softgt *device);
bool surface_parse(const char *text, struct surface_request *request, char *why, size_t why_bytes);
/* Writes the picture. False after a message. */
bool surface_save(struct surface_request *request, struct softgt *device, const char *path);

struct surfaces;

/* Collects pictures in a folder, which is created. NULL after a message. */
struct surfaces *surfaces_open(const char *folder);
void surfaces_device(struct surfaces *s, struct softgt *device);
/* An event of the run, of SURFACES_EVENTS. */
enum { SURFACES_EVENTS = SOFTGT_TRACE_BLITS | SOFTGT_TRACE_BATCHES };
void surfaces_event(struct surfaces *s, const struct softgt_event *event);
/* At the end of a run: writes pictures and the page. False after a message. */
bool surfaces_finish(struct surfaces *s, struct softgt *device, const char *trace);
void surfaces_close(struct surfaces *s);

#endif
