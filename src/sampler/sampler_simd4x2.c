/*
 * Sampler messages in SIMD4x2: each half of a register has four parameters of one vertex, and the response
 * has a color in each half. They are answered as messages in SIMD8 with two channels. (IVB PRM vol 4 part 1;
 * Mesa, brw_vec4)
 */
#include "sampler/sampler.h"

enum { REGISTER_DW = EU_REGISTER_BYTES / 4 };

/* Gives each parameter a register, in the order of the SIMD8 message. Returns the registers. */
static unsigned put_parameters(const struct eu_send *m, const struct sampler_simd4x2 *as,
                               uint32_t (*to)[REGISTER_DW])
{
    const uint8_t *const from = as->from;
    unsigned registers = 0;
    for (const uint8_t *order = as->order; *order; order++, registers++)
        for (unsigned at = 0; from[at]; at++)
            for (unsigned n = 0; n < SIMD4X2_VERTICES && from[at] == *order; n++)
                to[registers][n] =
                    payload_dw(m, has_header(m) + at / SIMD4X2_DW, n * SIMD4X2_DW + at % SIMD4X2_DW);
    return registers;
}

bool sampler_simd4x2(struct message_context *b, const struct eu_send *m, const struct sampler_simd4x2 *as)
{
    enum { COMPONENT_MASK_AT = 12 };
    uint32_t payload[1 + SAMPLER_PARAMETERS][REGISTER_DW] = {{0}}, response[SIMD4X2_DW][REGISTER_DW] = {{0}};
    const unsigned header = has_header(m);
    const uint32_t masked = header ? payload_dw(m, 0, 2) >> COMPONENT_MASK_AT & 15u : 0;
    struct eu_send wide = *m;
    if (header)
        memcpy(payload[0], payload_register(m, 0), sizeof payload[0]);
    wide.payload[0] = (const uint8_t *)payload;
    wide.payload_registers[0] = (uint8_t)(header + put_parameters(m, as, payload + header));
    wide.payload_registers[1] = 0;
    wide.response = (uint8_t *)response;
    wide.response_registers = SIMD4X2_DW;
    wide.channels = simd4x2_vertices(m->channels);
    wide.descriptor = as->descriptor;
    if (!sampler(b, &wide, MESSAGE_SAMPLER) || message_faulted(b))
        return b->error_text == NULL;
    for (unsigned c = 0, from = 0; c < SIMD4X2_DW; c++) {
        if (masked >> c & 1u)
            continue;
        FOR_EACH_CHANNEL(n, wide.channels) {
            if (m->channels >> (n * SIMD4X2_DW + c) & 1u)
                writeback_channel(m, 0, n * SIMD4X2_DW + c, response[from][n]);
        }
        from++;
    }
    return true;
}
