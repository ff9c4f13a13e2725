/* What is bound to a draw or a dispatch: kernels and surfaces, from the pipeline state and memory. */
#ifndef DRAWS_BOUND_H
#define DRAWS_BOUND_H

#include "draws/draws.h"
#include "isa/isa.h"

#include "stream/index.h"

struct bound {
    struct softgt *device;
    unsigned engine;
    struct command_set structures;
    struct bases bases;
    struct draw_record *record;
    struct draw_surface *surfaces; /* at most DRAW_SURFACES */
    unsigned surface_count, binding_counts[DRAW_STAGES];
    uint8_t *kernel; /* memory from a kernel's begin on, while it is read */
};

/* False: out of memory. */
bool bound_create(struct bound *b, struct softgt *device);
void bound_destroy(struct bound *b);
/* Reads kernels into the record, and surfaces into `surfaces`, for the command. */
void bound_read(struct bound *b, unsigned engine, struct draw_record *record, struct draw_surface *surfaces,
                const struct softgt_event *command);
/* Fills bytes of the kernel, which the caller frees. NULL: not readable, or out of memory. */
uint8_t *bound_kernel(const struct bound *b, const struct draw_kernel *k);

#endif
