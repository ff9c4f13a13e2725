/* The sampler among its files: what a message asks for, texels. */
#ifndef SHARED_FUNCTION_SAMPLER_H
#define SHARED_FUNCTION_SAMPLER_H

#include "shared_function/image.h"

enum { DIMENSIONS = 3, STATE_DW = 4 };

enum action {
    NOT_DONE,
    SAMPLE, /* filtered */
    GATHER, /* the four texels that a filter would weigh, of one channel */
    LOAD,   /* a texel, by integers */
    DESCRIBE_SIZE,
    DESCRIBE_SAMPLES
};

struct message {
    enum action action;
    const char *parameters;
    bool level_zero;
};

/* What is alike for all channels of a message. */
struct sampling {
    struct bindings *b;
    const struct eu_send *m;
    const struct message *message;
    unsigned channels;           /* 8 or 16 */
    unsigned dimensions;         /* that are filtered: 1 to 3 */
    int offset[DIMENSIONS];      /* texels */
    struct image image;          /* of level 0 */
    struct softgt_format format; /* of blocks: what they become */
    struct softgt_block_format blocks;
    bool raw; /* integers, which no filter mixes */
    bool cube;
    bool compares;
    enum reduction { STANDARD, COMPARISON, LEAST, GREATEST } reduction;
    uint32_t state[STATE_DW];
    union softgt_color border;
};

static inline uint32_t state_field(const struct sampling *s, unsigned role)
{
    return (uint32_t)field_at(&s->b->sampler_state->places[role], s->state, STATE_DW);
}

/* ---- Texels (texel.c) ---- */

enum address_mode { WRAP, MIRROR, CLAMP, CUBE, CLAMP_BORDER, MIRROR_ONCE, HALF_BORDER, MIRROR_101 };

static inline enum address_mode mode_of(const struct sampling *s, unsigned dimension)
{
    return (enum address_mode)state_field(s, SAMPLER_TCX_ADDRESS_CONTROL_MODE + dimension);
}

static inline int64_t modulo(int64_t value, int64_t of)
{
    const int64_t rest = value % of;
    return rest < 0 ? rest + of : rest;
}

/* The surface's format, as the sampler reads it. False: it cannot. */
bool take_format(struct sampling *s);
/* The same without the sRGB curve. */
void skip_curve(struct sampling *s);
/* What is not in the format. */
union softgt_color empty_of(const struct sampling *s);
union softgt_color texel(const struct sampling *s, const struct image *level, const uint32_t at[DIMENSIONS]);
/* Which texel of `size` is there; false: the border. */
bool addressed(enum address_mode mode, int64_t at, uint32_t size, uint32_t *found);
union softgt_color border_of(const struct sampling *s);
/* A texel's red becomes what the comparison says. */
void compare(const struct sampling *s, double reference, union softgt_color *color);

#endif
