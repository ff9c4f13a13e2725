#include "draws/contents.h"

#include <stdlib.h>
#include <string.h>

/* Pages that are not mapped are zero. NULL: out of memory. */
static uint8_t *read_all(struct softgt *device, unsigned engine, uint64_t address, uint64_t size_bytes)
{
    uint8_t *const bytes = calloc(1, size_bytes);
    for (uint64_t at = 0; bytes && at < size_bytes;) {
        const uint64_t in_page = PAGE_BYTES - (address + at) % PAGE_BYTES,
                       size = in_page < size_bytes - at ? in_page : size_bytes - at;
        (void)softgt_ppgtt_read(device, engine, address + at, bytes + at, size);
        at += size;
    }
    return bytes;
}

static uint64_t bytes_of(const struct draw_surface *s)
{
    return s->elements * (uint64_t)s->picture.pitch_bytes;
}

void contents_keep(struct draw_surface *s, struct softgt *device, unsigned engine, uint64_t *left_bytes)
{
    struct draw_contents *const c = &s->contents;
    const uint64_t all = s->is_buffer ? bytes_of(s) : 0, most = all < CONTENTS_BYTES ? all : CONTENTS_BYTES,
                   size = most < *left_bytes ? most : *left_bytes;
    c->before = size ? read_all(device, engine, s->picture.address, size) : NULL;
    c->size_bytes = c->before ? size : 0;
    *left_bytes -= c->size_bytes;
}

void contents_store(struct draw_surface *s, const struct softgt_event *e)
{
    s->contents.stores += s->is_buffer && !e->is_ggtt && event_stores_to(e, s->picture.address, bytes_of(s));
}

void contents_compare(struct draw_surface *s, struct softgt *device, unsigned engine)
{
    struct draw_contents *const c = &s->contents;
    uint8_t *const after = c->before ? read_all(device, engine, s->picture.address, c->size_bytes) : NULL;
    for (uint64_t n = 0; after && n < c->size_bytes; n++)
        if (c->before[n] != after[n] && !c->changed_bytes++)
            c->first = n;
    if (after && c->changed_bytes) {
        const uint64_t rest = c->size_bytes - c->first;
        c->shown = rest < DRAW_CONTENTS ? (unsigned)rest : DRAW_CONTENTS;
        memcpy(c->old, c->before + c->first, c->shown);
        memcpy(c->now, after + c->first, c->shown);
    }
    free(after);
    free(c->before);
    c->before = NULL;
}
