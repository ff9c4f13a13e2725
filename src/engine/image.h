/*
 * The image of a context, as rows: lists of registers, each with its MI_LOAD_REGISTER_IMM header, and
 * MI_NOOPs between them. One walk tells what stands at each dword; saves, restores, the text form and
 * listings use it. (OVR-06 to OVR-09, CSP-18)
 */
#ifndef ENGINE_IMAGE_H
#define ENGINE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum image_step {
    IMAGE_END,            /* of the rows */
    IMAGE_NOOP,           /* `count` dwords of MI_NOOP */
    IMAGE_LIST,           /* header of MI_LOAD_REGISTER_IMM for the registers that follow */
    IMAGE_REGISTER,       /* `count` pairs: register `offset` from the engine's base, and up by dwords */
    IMAGE_GLOBAL,         /* the same with an absolute offset */
    IMAGE_RING_OFF,       /* as IMAGE_REGISTER, bit 0 of the value cleared */
    IMAGE_LOST,           /* `count` pairs of zeros: registers that the manuals do not name */
    IMAGE_ENGINE_CONTEXT, /* no dword: separates the ring context from the engine context */
    IMAGE_BATCH_END,      /* MI_BATCH_BUFFER_END */
    IMAGE_PIPELINE_STATE, /* at most `count` dwords: MI_NOOP with the length of what follows, state commands
                           */
};

enum image_flags {
    IMAGE_POSTED = 1u << 0,   /* of a list: Force Posted */
    IMAGE_RELATIVE = 1u << 1, /* Add CS MMIO Start Offset: whichever engine restores it loads its own */
    /* A save leaves what software put there: the value of a register; one run of MI_NOOP in the ring context,
     * which is restored behind an image's early end, too. */
    IMAGE_OF_SOFTWARE = 1u << 2,
};

struct image_row {
    uint8_t step, flags;
    uint16_t count;
    uint32_t offset;
};

/* The current item: a run of MI_NOOP, a header, a register and its value, or the batch end. */
struct image_walk {
    const struct image_row *row;
    uint32_t mmio_base;
    uint32_t done;       /* pairs of the row */
    uint32_t at_dw;      /* of what is here, from the image's start */
    uint32_t length_dw;  /* a run of MI_NOOP, or 1, or 2 for a register */
    uint32_t value;      /* the dword here; of a register: its absolute offset */
    bool engine_context; /* the image has an engine context after the ring context */
    bool relative;       /* of a register: twelve bits of the offset count */
};

/* for (struct image_walk w = image_begin(rows, base); image_next(&w);) */
static inline struct image_walk image_begin(const struct image_row *rows, uint32_t mmio_base)
{
    return (struct image_walk){.row = rows, .mmio_base = mmio_base};
}
bool image_next(struct image_walk *w);

static inline bool image_is_register(const struct image_walk *w)
{
    return w->row->step >= IMAGE_REGISTER && w->row->step <= IMAGE_LOST;
}

/* The memory in `dw` has an image of these rows: headers and offsets match. */
bool image_matches(const struct image_walk *w, const uint32_t *dw);

struct image_length {
    uint32_t ring_context_dw, dw; /* the first part; all of it but ... */
    uint32_t pipeline_state_dw;   /* the most dwords of the pipeline state, which follows */
};
struct image_length image_length(const struct image_row *rows);

/* An image prepared for saves: its dwords up to the pipeline state, and the dwords of register values. */
struct image_value {
    uint32_t at_dw, offset;
    bool ring_off; /* bit 0 of it is cleared */
};
/* The source of a saved dword, with register rows looked up: (register & mask) | ones. */
struct image_source {
    uint32_t at_dw, offset, mask, ones;
};
struct image_plan {
    struct image_length length;
    uint32_t *dw;
    struct image_value *values;
    uint32_t value_count;
    /* Derived from the placed registers by context_write_image: the registers that are simply stored, and the
     * numbers of the values that a function computes. */
    struct image_source *sources;
    uint32_t *computed;
    uint32_t source_count, computed_count;
    uint32_t placed_registers;             /* the register file's, when they were looked up; 0: never */
    uint32_t software_dw, software_end_dw; /* dwords of software's; 0: there are none */
};
/* Without rows the image is empty. False: out of memory. */
bool image_plan_make(struct image_plan *plan, const struct image_row *rows, uint32_t mmio_base);
void image_plan_free(struct image_plan *plan);

/* The dword with the value of the register, by its offset from the engine's base; 0: the image has none. */
uint32_t image_find(const struct image_row *rows, uint32_t offset);

#endif
