/* Surfaces of devices, and what a process gives to devices, for users of the library (softgt/tools.h). */
#include <softgt/tools.h>

#include "host/code_memory.h"
#include "host/picture.h"
#include "host/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Surfaces ---- */

enum { MOST_PIXELS = 65536, MOST_PIXEL_BYTES = 32 };

/* -EINVAL: the surface is invalid, or has members that this library does not know. */
static int picture_of(struct softgt *device, const struct softgt_surface *surface, size_t surface_bytes,
                      struct picture *p)
{
    struct softgt_surface own = {0};
    const struct softgt_surface *const s = &own;
    if (!surface)
        return -EINVAL;
    for (size_t i = sizeof own; i < surface_bytes; i++)
        if (((const unsigned char *)surface)[i])
            return -EINVAL;
    memcpy(&own, surface, surface_bytes < sizeof own ? surface_bytes : sizeof own);
    if (!s->format || !s->format->bytes || s->format->bytes > MOST_PIXEL_BYTES || !s->width || !s->height ||
        s->width > MOST_PIXELS || s->height > MOST_PIXELS || (unsigned)s->tiling > SOFTGT_TILE_64 ||
        s->engine < SOFTGT_SURFACE_GGTT || s->engine >= (int)softgt_info(device)->engine_count)
        return -EINVAL;
    const uint32_t least = picture_pitch(s->width, s->format, s->tiling);
    const int64_t pitch = s->pitch_bytes ? s->pitch_bytes : (int64_t)least;
    if ((pitch < 0 ? -pitch : pitch) < (int64_t)s->width * s->format->bytes || pitch > INT32_MAX ||
        (s->tiling != SOFTGT_TILE_LINEAR &&
         (pitch < 0 || pitch % (int64_t)picture_pitch(1, s->format, s->tiling))))
        return -EINVAL;
    *p = (struct picture){
        .device = device,
        .engine = s->engine,
        .address = s->address,
        .width = s->width,
        .height = s->height,
        .pitch_bytes = (int32_t)pitch,
        .tiling = s->tiling,
        .format = s->format,
    };
    return 0;
}

int softgt_surface_read_sized(struct softgt *device, const struct softgt_surface *surface,
                              size_t surface_bytes, void *rows, size_t size_bytes, uint64_t *missing)
{
    struct picture p;
    uint64_t unused;
    const int status = picture_of(device, surface, surface_bytes, &p);
    if (status)
        return status;
    if (size_bytes < (uint64_t)p.width * p.height * p.format->bytes)
        return -ENOSPC;
    picture_read_rows(&p, rows, missing ? missing : &unused);
    return 0;
}

int softgt_surface_read_rgba_sized(struct softgt *device, const struct softgt_surface *surface,
                                   size_t surface_bytes, uint8_t *rgba, size_t size_bytes, uint64_t *missing)
{
    struct picture p;
    uint64_t unused;
    const int status = picture_of(device, surface, surface_bytes, &p);
    if (status)
        return status;
    const uint64_t bytes = (uint64_t)p.width * p.height * 4u;
    if (size_bytes < bytes)
        return -ENOSPC;
    uint8_t *const pixels = picture_read(&p, missing ? missing : &unused);
    if (!pixels)
        return -ENOMEM;
    memcpy(rgba, pixels, bytes);
    free(pixels);
    return 0;
}

/* ---- Hosts ---- */

enum { MOST_THREADS = 64 };

struct softgt_host {
    struct workers *workers;
    struct code_memory *code;
};

int softgt_host_create(unsigned threads, struct softgt_host **result)
{
    if (result)
        *result = NULL;
    if (!threads || threads > MOST_THREADS || !result)
        return -EINVAL;
    struct softgt_host *const host = calloc(1, sizeof *host);
    if (!host)
        return -ENOMEM;
    host->code =
        code_memory_create(MOST_THREADS + threads); /* NULL: the system lets nobody run such memory */
    if (threads > 1)
        host->workers = workers_create(threads);
    if (threads > 1 && !host->workers) {
        softgt_host_destroy(host);
        return -ENOMEM;
    }
    *result = host;
    return 0;
}

void softgt_host_destroy(struct softgt_host *host)
{
    if (!host)
        return;
    workers_destroy(host->workers);
    code_memory_destroy(host->code);
    free(host);
}

struct softgt_parallel_port softgt_host_parallel(struct softgt_host *host)
{
    return workers_port(host->workers);
}

struct softgt_background_port softgt_host_background(struct softgt_host *host)
{
    return host->workers ? workers_background_port() : (struct softgt_background_port){0};
}

struct softgt_code_port softgt_host_code(struct softgt_host *host)
{
    return code_memory_port(host->code);
}
