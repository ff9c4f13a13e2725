/*
 * The size of coarse pixels: a viewport's, and from Gen12.5 on also a primitive's. Not modelled: sizes that
 * depend on a place or a control buffer. (ICL PRM vol 2a, 3DSTATE_CPS; TGL PRM vol 2d, CPS_STATE)
 */
#include "geometry/draw.h"
#include "output_merger/coarse_message.h"

enum { CPS_DW = 8 };
enum cps_mode { CPS_MODE_NONE, CPS_MODE_CONSTANT, CPS_MODE_RADIAL };
enum combiner_opcode { PASSTHROUGH, OVERRIDE, HIGH_QUALITY, LOW_QUALITY, RELATIVE };

/* The coarse pixel state of a viewport: of a structure, or of the command that was before it. */
struct cps {
    const struct engine *engine;
    const struct command *row; /* NULL: the command has the fields */
    uint32_t dw[CPS_DW];
};

static void cps_load(struct cps *c, struct message_context *b, const struct command_set *structures,
                     unsigned number)
{
    const struct command *command;
    uint32_t length_dw;
    const uint16_t row = structure_find(structures, CPS_STATE);
    *c = (struct cps){.engine = b->engine, .row = row ? structures->rows[row] : NULL};
    if (row && state_command(b->engine, STATE_CPS_POINTERS, &command, &length_dw))
        load_or_zero(
            b->engine,
            b->kernel.dynamic_state_base +
                state_field(b->engine, STATE_CPS_POINTERS, CPS_COARSE_PIXEL_SHADING_STATE_ARRAY_POINTER) +
                number * sizeof c->dw,
            c->dw, sizeof c->dw);
}

static uint32_t cps_field(const struct cps *c, unsigned role)
{
    if (!c->row)
        return (uint32_t)state_field(c->engine, STATE_CPS, role);
    return role < c->row->role_count ? (uint32_t)field_read(&c->row->places[role], c->dw, CPS_DW) : 0;
}

/* Sizes are numbers with a sign and seven bits of fraction; what lies between two sizes is the smaller one.
 */
static uint8_t size_log2_of(uint32_t bits)
{
    enum { ONE = 1 << 7, SIGN = 1 << 10 };
    uint8_t log2 = 0;
    while (!(bits & SIGN) && log2 < COARSE_SIZE_LOG2 && bits >= (uint32_t)ONE << (log2 + 1u))
        log2++;
    return log2;
}

void cps_init(struct viewport *v, struct message_context *b, const struct command_set *structures,
              unsigned number)
{
    struct cps c;
    cps_load(&c, b, structures, number);
    v->cps_statistics = cps_field(&c, CPS_STATISTICS_ENABLE);
    if (cps_field(&c, CPS_COARSE_PIXEL_SHADING_MODE) == CPS_MODE_NONE)
        return;
    v->cp_sizes = b->engine->info->draws.coarse_pixel_sizes;
    v->cp_combiners[0] = (uint8_t)cps_field(&c, CPS_COMBINER0_OPCODE_FOR_CPSIZE);
    v->cp_combiners[1] = (uint8_t)cps_field(&c, CPS_COMBINER1_OPCODE_FOR_CPSIZE);
    for (unsigned axis = 0; axis < 2; axis++)
        v->cp_size_log2[axis] = size_log2_of(cps_field(&c, CPS_MIN_CP_SIZE_X + axis));
}

/* A half float, as size_log2_of has it. */
static uint8_t size_log2_of_half(uint32_t bits)
{
    enum { SIGN = 1 << 15, EXPONENT_AT = 10, BIAS = 15 };
    const uint32_t exponent = bits & SIGN ? 0 : bits >> EXPONENT_AT;
    return exponent < BIAS                      ? 0
           : exponent < BIAS + COARSE_SIZE_LOG2 ? (uint8_t)(exponent - BIAS)
                                                : COARSE_SIZE_LOG2;
}

/* (Mesa, anv: the operations of VK_KHR_fragment_shading_rate) */
static uint8_t combine(unsigned opcode, uint8_t first_log2, uint8_t second_log2)
{
    const uint8_t product_log2 = first_log2 + second_log2;
    switch ((enum combiner_opcode)opcode) {
    case OVERRIDE:
        return second_log2;
    case HIGH_QUALITY:
        return first_log2 < second_log2 ? first_log2 : second_log2;
    case LOW_QUALITY:
        return first_log2 > second_log2 ? first_log2 : second_log2;
    case RELATIVE:
        return product_log2 < COARSE_SIZE_LOG2 ? product_log2 : COARSE_SIZE_LOG2;
    default: /* PASSTHROUGH */
        return first_log2;
    }
}

/* A size that the product does not have with so many samples becomes the largest one within it that it has:
 * the longer axis is halved, columns first. (Vulkan, Combining the Fragment Shading Rates) */
static void clamp_size(const struct coarse_pixel_sizes *sizes, unsigned samples_log2, uint8_t size_log2[2])
{
    while ((size_log2[0] || size_log2[1]) &&
           sizes->most_samples[size_log2[0]][size_log2[1]] < 1u << samples_log2)
        size_log2[size_log2[0] >= size_log2[1] ? 0 : 1]--;
}

/* The header has a half float for each axis. (Mesa, brw: lower_shading_rate_output) */
void cps_primitive_size(const struct viewport *v, unsigned samples_log2, uint32_t header,
                        uint8_t size_log2[2])
{
    enum { HALF = 0xffff, HALF_BITS = 16, OF_A_PIXEL = 0 /* of the control buffer that is missing */ };
    for (unsigned axis = 0; axis < 2; axis++)
        size_log2[axis] = combine(v->cp_combiners[1],
                                  combine(v->cp_combiners[0], v->cp_size_log2[axis],
                                          size_log2_of_half(header >> axis * HALF_BITS & HALF)),
                                  OF_A_PIXEL);
    if (v->cp_sizes)
        clamp_size(v->cp_sizes, samples_log2, size_log2);
}

const char *cps_unsupported(struct message_context *b, const struct command_set *structures)
{
    const struct engine *const e = b->engine;
    const struct command *row;
    uint32_t length_dw;
    if (!state_field(e, STATE_PS_EXTRA, PSX_IS_PER_COARSE_PIXEL))
        return NULL;
    const bool has_control_buffer =
        state_command(e, STATE_CPSIZE_CONTROL_BUFFER, &row, &length_dw) &&
        state_field(e, STATE_CPSIZE_CONTROL_BUFFER, CPCB_SURFACE_TYPE) != SURFTYPE_NULL;
    for (unsigned n = 0; n <= state_field(e, STATE_CLIP, COUNT_MAXIMUM_VP_INDEX) % VIEWPORTS; n++) {
        struct cps c;
        cps_load(&c, b, structures, n);
        const uint32_t mode = cps_field(&c, CPS_COARSE_PIXEL_SHADING_MODE);
        if (mode >= CPS_MODE_RADIAL)
            return "a coarse pixel size that depends on the place";
        if (mode && cps_field(&c, CPS_COMBINER1_OPCODE_FOR_CPSIZE) && has_control_buffer)
            return "a coarse pixel size control buffer";
    }
    return NULL;
}
