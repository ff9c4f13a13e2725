/* Contexts for the GuC to run, each with its own ring and image. */
#ifndef TESTS_GUC_JOBS_H
#define TESTS_GUC_JOBS_H

#include "guc_host.h"

enum {
    CONTEXT_STEP = 128 * KB,
    CONTEXT_RING = 96 * KB,
    CONTEXT_RING_BYTES = 4 * KB,
};
/* Classes of the GuC. */
enum { GUC_RENDER, GUC_VIDEO, GUC_ENHANCE, GUC_COPY, GUC_COMPUTE };
/* Of a context descriptor. (Linux, intel_lrc_reg.h) */
enum { CTX_VALID = 1 << 0, CTX_48_BIT = 3 << 3, CTX_PRIVILEGE = 1 << 8 };
enum { CTX_FLAGS = CTX_VALID | CTX_48_BIT | CTX_PRIVILEGE };
/* Dwords of the image. */
enum { IMAGE_DW = 1024, IMAGE_RING_HEAD = 5, IMAGE_RING_TAIL = 7 };
enum { MI_NOOP = 0 };

/* A context with a ring of its own; new commands go to its tail. */
struct job {
    struct host *h;
    uint32_t id, lrca, ring, tail, class;
};

static inline const struct engine_info *engine_of(struct host *h, uint32_t class)
{
    for (unsigned i = 0;; i++)
        if (h->device->gucs[0].derived.class_of[i] == class)
            return &h->device->sheet->engines[i];
}

static inline void job_image(struct job *j)
{
    const struct driver_context context = {.ring = {j->ring, CONTEXT_RING_BYTES, 0, 0},
                                           .control = DRIVER_FRESH_CONTEXT};
    memset(at(j->h, j->lrca), 0, CONTEXT_RING);
    driver_image(engine_of(j->h, j->class), &context, at(j->h, j->lrca + DRIVER_IMAGE_OFFSET), IMAGE_DW);
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
    HOST_SEND(j->h, GUC_FAST_REQUEST, "REGISTER_CONTEXT", 1, j->id, j->class, mask, 0, 0, 0, 0, 0,
              j->lrca | CTX_FLAGS, 0);
}

/* Dwords into the ring, and its tail into the image. */
static inline void job_add(struct job *j, const uint32_t *dw, uint32_t length_dw)
{
    memcpy(at(j->h, j->ring + j->tail), dw, length_dw * 4);
    j->tail += length_dw * 4;
    at(j->h, j->lrca + DRIVER_IMAGE_OFFSET)[IMAGE_RING_TAIL] = j->tail;
}

/* Commands into the ring, by assemble. */
__attribute__((format(printf, 2, 3))) static inline void job_do(struct job *j, const char *format, ...)
{
    uint32_t dw[256];
    va_list values;
    va_start(values, format);
    uint32_t length_dw =
        assemble_list(j->h->device, (unsigned)(engine_of(j->h, j->class) - j->h->device->sheet->engines), dw,
                      format, values);
    va_end(values);
    if (length_dw % 2) /* tails are of qwords */
        dw[length_dw++] = MI_NOOP;
    job_add(j, dw, length_dw);
}

static inline void job_store(struct job *j, uint32_t address, uint32_t value)
{
    job_do(j,
           "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u\n"
           "MI_USER_INTERRUPT",
           address, value);
}

/* Waits in memory; `stubborn`: cannot be preempted. */
enum { NEVER = 0x77 };
static inline void job_wait(struct job *j, uint32_t address, uint32_t value, bool stubborn)
{
    job_do(j,
           "MI_ARB_ON_OFF arbitration_enable = %d\n"
           "MI_NOOP\n"
           "MI_SEMAPHORE_WAIT memory_type = global_graphics_address, wait_mode = polling_mode,\n"
           "    compare_operation = SAD_EQUAL_SDD, semaphore_data_dword = %u, semaphore_address = %u",
           !stubborn, value, address);
}

static inline void job_enable(const struct job *j)
{
    HOST_SEND(j->h, GUC_FAST_REQUEST, "SCHED_CONTEXT_MODE_SET", j->id, 1);
}

static inline void job_go(const struct job *j)
{
    HOST_SEND(j->h, GUC_FAST_REQUEST, "SCHED_CONTEXT", j->id);
}

static inline void job_policies(const struct job *j, uint32_t quantum_us, uint32_t preemption_us,
                                uint32_t priority)
{
    HOST_SEND(j->h, GUC_FAST_REQUEST, "UPDATE_CONTEXT_POLICIES", j->id, POLICY("quantum"), quantum_us,
              POLICY("preemption timeout"), preemption_us, POLICY("priority"), priority);
}

#endif
