/* Contexts that a GuC is given to run, each with a ring and an image of its own. */
#ifndef TESTS_GUC_JOBS_H
#define TESTS_GUC_JOBS_H

#include "guc_host.h"

enum {
    CONTEXT_STEP = 0x20000,
    CONTEXT_RING = 0x18000,
    CONTEXT_RING_BYTES = 0x1000,
    GUC_COPY = 3,
    GUC_VIDEO = 1
};

/* A context with a ring of its own, at its place; what it has to do is added behind its tail. */
struct job {
    struct host *h;
    uint32_t id, lrca, ring, tail, class;
};

static inline const struct engine_info *engine_of(struct host *h, uint32_t class)
{
    for (unsigned i = 0;; i++)
        if (h->device->guc.derived.class_of[i] == class)
            return &h->device->sheet->engines[i];
}

static inline void job_image(struct job *j)
{
    const struct driver_context context = {.ring = {j->ring, CONTEXT_RING_BYTES, 0, 0},
                                           .control = DRIVER_FRESH_CONTEXT};
    memset(at(j->h, j->lrca), 0, CONTEXT_RING);
    driver_image(engine_of(j->h, j->class), &context, at(j->h, j->lrca + DRIVER_IMAGE_OFFSET), 0x400);
    j->tail = 0;
}

static inline struct job job_make(struct host *h, uint32_t id, uint32_t place, uint32_t class)
{
    struct job j = {.h = h, .id = id, .lrca = CONTEXTS + place * CONTEXT_STEP, .class = class};
    j.ring = j.lrca + CONTEXT_RING;
    job_image(&j);
    return j;
}

static inline void job_register(const struct job *j, uint32_t mask)
{
    HOST_SEND(j->h, HOST_FAST, 0x4502, 1, j->id, j->class, mask, 0, 0, 0, 0, 0, j->lrca | 0x119, 0);
}

/* Dwords into the ring, and its tail into the image. */
static inline void job_add(struct job *j, const uint32_t *dw, uint32_t length_dw)
{
    memcpy(at(j->h, j->ring + j->tail), dw, length_dw * 4);
    j->tail += length_dw * 4;
    at(j->h, j->lrca + DRIVER_IMAGE_OFFSET)[7] = j->tail;
}

enum { STORE = 0x10400002, USER_INTERRUPT = 0x01000000, WAIT_EQUAL = 0x0e40c002, NEVER = 0x77 };

static inline void job_store(struct job *j, uint32_t address, uint32_t value)
{
    job_add(j, (const uint32_t[]){STORE, address, 0, value, USER_INTERRUPT, 0}, 6);
}

/* Waits in memory; `stubborn`: nothing else comes in meanwhile. */
static inline void job_wait(struct job *j, uint32_t address, uint32_t value, bool stubborn)
{
    job_add(j, (const uint32_t[]){0x04000000 | !stubborn, 0, WAIT_EQUAL, value, address, 0}, 6);
}

static inline void job_enable(const struct job *j)
{
    HOST_SEND(j->h, HOST_FAST, 0x1001, j->id, 1);
}

static inline void job_go(const struct job *j)
{
    HOST_SEND(j->h, HOST_FAST, 0x1000, j->id);
}

static inline void job_policies(const struct job *j, uint32_t quantum_us, uint32_t preemption_us,
                                uint32_t priority)
{
    HOST_SEND(j->h, HOST_FAST, 0x100b, j->id, 0x20010001, quantum_us, 0x20020001, preemption_us, 0x20030001,
              priority);
}

#endif
