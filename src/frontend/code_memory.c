#include "frontend/code_memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 20 };

struct code_memory {
    pthread_mutex_t lock;
    unsigned pieces;
    uint8_t *written, *runs;
    bool taken[];
};

/* The same pages twice; `at`, `run_at`: there, or anywhere if NULL. */
static bool map_twice(struct code_memory *m, void *written_at, void *run_at)
{
    const size_t bytes = (size_t)m->pieces * PIECE_BYTES;
    const int file = memfd_create("softgt-code", MFD_CLOEXEC), fixed = written_at ? MAP_FIXED : 0;
    bool good = file >= 0 && ftruncate(file, (off_t)bytes) == 0;
    for (unsigned n = 0; n < m->pieces && good && written_at; n++) /* what is there */
        for (size_t done = 0; m->taken[n] && done < PIECE_BYTES && good;) {
            const size_t at = (size_t)n * PIECE_BYTES + done;
            const ssize_t part = pwrite(file, m->written + at, PIECE_BYTES - done, (off_t)at);
            good = part > 0;
            done += good ? (size_t)part : 0;
        }
    void *const written =
        good ? mmap(written_at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, file, 0) : MAP_FAILED;
    void *const runs = written != MAP_FAILED
                           ? mmap(run_at, bytes, PROT_READ | PROT_EXEC, MAP_SHARED | fixed, file, 0)
                           : MAP_FAILED;
    if (file >= 0)
        close(file);
    if (runs == MAP_FAILED && written != MAP_FAILED)
        munmap(written, bytes);
    m->written = written;
    m->runs = runs;
    return runs != MAP_FAILED;
}

struct code_memory *code_memory_create(unsigned pieces)
{
    struct code_memory *const m = calloc(1, sizeof *m + pieces * sizeof *m->taken);
    if (!m)
        return NULL;
    m->pieces = pieces;
    pthread_mutex_init(&m->lock, NULL);
    if (map_twice(m, NULL, NULL))
        return m;
    pthread_mutex_destroy(&m->lock);
    free(m);
    return NULL;
}

void code_memory_destroy(struct code_memory *m)
{
    if (!m)
        return;
    munmap(m->written, (size_t)m->pieces * PIECE_BYTES);
    munmap(m->runs, (size_t)m->pieces * PIECE_BYTES);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

static bool map(void *user, size_t size_bytes, void **written, void **run)
{
    struct code_memory *const m = user;
    bool found = false;
    pthread_mutex_lock(&m->lock);
    for (unsigned n = 0; n < m->pieces && size_bytes <= PIECE_BYTES && !found; n++)
        if (!m->taken[n]) {
            found = m->taken[n] = true;
            *written = m->written + (size_t)n * PIECE_BYTES;
            *run = m->runs + (size_t)n * PIECE_BYTES;
        }
    pthread_mutex_unlock(&m->lock);
    return found;
}

static void unmap(void *user, size_t size_bytes, void *written, void *run)
{
    struct code_memory *const m = user;
    (void)size_bytes;
    (void)run;
    pthread_mutex_lock(&m->lock);
    m->taken[(size_t)((uint8_t *)written - m->written) / PIECE_BYTES] = false;
    pthread_mutex_unlock(&m->lock);
}

struct softgt_code_port code_memory_port(struct code_memory *m)
{
    return m ? (struct softgt_code_port){m, map, unmap} : (struct softgt_code_port){0};
}

void code_memory_forked(struct code_memory *m)
{
    if (!m)
        return;
    pthread_mutex_init(&m->lock, NULL);
    if (!map_twice(m, m->written, m->runs)) /* the parent's would be written */
        abort();
}
