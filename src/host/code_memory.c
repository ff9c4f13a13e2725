#include "host/code_memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PIECE_BYTES = 1 << 20 };

struct views {
    uint8_t *written, *runs; /* NULL: none */
};

struct code_memory {
    pthread_mutex_t lock;
    unsigned pieces;
    struct views views, child; /* pages for a child that fork is about to make */
    bool taken[];
};

static size_t bytes_of(const struct code_memory *m)
{
    return (size_t)m->pieces * PIECE_BYTES;
}

/* Maps the same fresh pages twice, without a file: no descriptor is needed. */
static struct views map_twice(size_t bytes)
{
    void *const written = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *const runs = written != MAP_FAILED ? mremap(written, 0, bytes, MREMAP_MAYMOVE) : MAP_FAILED;
    if (runs != MAP_FAILED && mprotect(runs, bytes, PROT_READ | PROT_EXEC) == 0)
        return (struct views){written, runs};
    if (runs != MAP_FAILED)
        munmap(runs, bytes);
    if (written != MAP_FAILED)
        munmap(written, bytes);
    return (struct views){0};
}

static void unmap_both(const struct views *v, size_t bytes)
{
    if (v->written) {
        munmap(v->written, bytes);
        munmap(v->runs, bytes);
    }
}

struct code_memory *code_memory_create(unsigned pieces)
{
    struct code_memory *const m = calloc(1, sizeof *m + pieces * sizeof *m->taken);
    if (!m)
        return NULL;
    m->pieces = pieces;
    pthread_mutex_init(&m->lock, NULL);
    m->views = map_twice(bytes_of(m));
    if (m->views.written)
        return m;
    pthread_mutex_destroy(&m->lock);
    free(m);
    return NULL;
}

void code_memory_destroy(struct code_memory *m)
{
    if (!m)
        return;
    unmap_both(&m->views, bytes_of(m));
    pthread_mutex_destroy(&m->lock);
    free(m);
}

static bool code_map(void *user, size_t size_bytes, void **written, void **run)
{
    struct code_memory *const m = user;
    bool found = false;
    pthread_mutex_lock(&m->lock);
    for (unsigned n = 0; n < m->pieces && size_bytes <= PIECE_BYTES && !found; n++)
        if (!m->taken[n]) {
            found = m->taken[n] = true;
            *written = m->views.written + (size_t)n * PIECE_BYTES;
            *run = m->views.runs + (size_t)n * PIECE_BYTES;
        }
    pthread_mutex_unlock(&m->lock);
    return found;
}

static void code_unmap(void *user, size_t size_bytes, void *written, void *run)
{
    struct code_memory *const m = user;
    (void)size_bytes;
    (void)run;
    pthread_mutex_lock(&m->lock);
    m->taken[(size_t)((uint8_t *)written - m->views.written) / PIECE_BYTES] = false;
    pthread_mutex_unlock(&m->lock);
}

struct softgt_code_port code_memory_port(struct code_memory *m)
{
    return m ? (struct softgt_code_port){m, code_map, code_unmap} : (struct softgt_code_port){0};
}

void code_memory_before_fork(struct code_memory *m)
{
    if (!m)
        return;
    m->child = map_twice(bytes_of(m));
    for (size_t n = 0; n < m->pieces && m->child.written; n++)
        if (m->taken[n])
            memcpy(m->child.written + n * PIECE_BYTES, m->views.written + n * PIECE_BYTES, PIECE_BYTES);
}

void code_memory_after_fork(struct code_memory *m, bool in_child)
{
    if (!m)
        return;
    const struct views child = m->child;
    m->child = (struct views){0};
    if (!in_child) {
        unmap_both(&child, bytes_of(m));
        return;
    }
    pthread_mutex_init(&m->lock, NULL);
    const size_t bytes = bytes_of(m);
    const int how = MREMAP_MAYMOVE | MREMAP_FIXED;
    /* The parent still writes its pages: a child without pages of its own must not run code in them. */
    if (!child.written || mremap(child.written, bytes, bytes, how, m->views.written) == MAP_FAILED ||
        mremap(child.runs, bytes, bytes, how, m->views.runs) == MAP_FAILED)
        mprotect(m->views.runs, bytes, PROT_NONE);
}
