/*
 * Sampler messages of Gen20: their types, and messages of 32 channels, which are done as two of 16. An array
 * index or texel offsets may share a parameter with the LOD or the bias, and offsets one with an array index.
 * (Mesa, lower_sampler_logical_send, intel_nir_lower_texture, brw_sampler.c; IGC, iga64,
 * TranslateToProgrammableOffsetsPass)
 */
#include "sampler/sampler.h"

enum { TYPES = 64, TYPE_SHIFT = 12, LOW_TYPES = 32, HIGH_TYPE_SHIFT = 31 };

static const struct sampler_operation_info messages[TYPES] = {
    [0] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI, P_MLOD}},
    [1] = {SAMPLER_SAMPLE, {P_BIAS, P_U, P_V, P_R, P_MLOD}, .packs = PACKS_AI},
    [2] = {SAMPLER_SAMPLE, {P_LOD, P_U, P_V, P_R}, .packs = PACKS_AI},
    [3] = {SAMPLER_SAMPLE, {P_REF, P_U, P_V, P_R, P_AI, P_MLOD}},
    [4] = {SAMPLER_SAMPLE, {P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_R, P_MLOD}},
    [5] = {SAMPLER_SAMPLE, {P_REF, P_BIAS, P_U, P_V, P_R, P_MLOD}, .packs = PACKS_AI},
    [6] = {SAMPLER_SAMPLE, {P_REF, P_LOD, P_U, P_V, P_R}, .packs = PACKS_AI},
    [7] = {SAMPLER_LD, {P_U, P_V, P_LOD, P_R}},
    [8] = {SAMPLER_GATHER4, {P_U, P_V, P_R, P_AI}},
    [9] = {SAMPLER_LOD, {P_U, P_V, P_R, P_AI}},
    [10] = {SAMPLER_RESINFO, {P_LOD}},
    [11] = {SAMPLER_SAMPLEINFO, {P_NONE}},
    [13] = {SAMPLER_GATHER4, {P_LOD, P_U, P_V, P_R}, .packs = PACKS_AI, .gathers_level = true},
    [14] = {SAMPLER_GATHER4, {P_BIAS, P_U, P_V, P_R}, .packs = PACKS_AI, .gathers_level = true},
    [15] = {SAMPLER_GATHER4, {P_U, P_V, P_R, P_AI}, .gathers_level = true},
    [16] = {SAMPLER_GATHER4, {P_REF, P_U, P_V, P_R, P_AI}},
    [17] = {SAMPLER_SAMPLE, {P_REF, P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_R}},
    [18] = {SAMPLER_SAMPLE, {P_MLOD, P_U, P_V, P_R, P_AI}},
    [19] = {SAMPLER_SAMPLE, {P_MLOD, P_REF, P_U, P_V, P_R, P_AI}},
    [20] = {SAMPLER_SAMPLE, {P_REF, P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_MLOD}, .packs = PACKS_R},
    [21] = {SAMPLER_GATHER4, {P_REF, P_U, P_V, P_R, P_AI}, .gathers_level = true},
    [23] = {SAMPLER_GATHER4, {P_REF, P_LOD, P_U, P_V, P_R}, .packs = PACKS_AI, .gathers_level = true},
    [24] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_AI}, true},
    [25] = {SAMPLER_SAMPLE, {P_REF, P_U, P_V, P_R, P_AI}, true},
    [26] = {SAMPLER_LD, {P_U, P_V, P_R}},
    [27] = {SAMPLER_LD, {P_U, P_V, P_R, P_LOD}},
    [28] = {SAMPLER_LD2DMS, {P_SI, P_MCS0, P_MCS1, P_MCS2, P_MCS3, P_U, P_V, P_R}},
    [29] = {SAMPLER_LD_MCS, {P_U, P_V, P_R}},
    [32] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_OFFU, P_MLOD}, .packs = PACKS_OFFSETS_4},
    [33] = {SAMPLER_SAMPLE, {P_BIAS, P_U, P_V, P_R, P_MLOD}, .packs = PACKS_OFFSETS_4},
    [34] = {SAMPLER_SAMPLE, {P_LOD, P_U, P_V, P_R}, .packs = PACKS_OFFSETS_4},
    [35] = {SAMPLER_SAMPLE, {P_REF, P_U, P_V, P_OFF_R, P_MLOD}, .packs = PACKS_OFFSETS_4},
    [36] = {SAMPLER_SAMPLE,
            {P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_OFF_R, P_MLOD},
            .packs = PACKS_OFFSETS_4},
    [38] = {SAMPLER_SAMPLE, {P_REF, P_LOD, P_U, P_V, P_R}, .packs = PACKS_OFFSETS_4},
    [40] = {SAMPLER_GATHER4, {P_U, P_V, P_R, P_OFFU}, .packs = PACKS_OFFSETS},
    [45] = {SAMPLER_GATHER4, {P_LOD, P_U, P_V, P_R}, .packs = PACKS_OFFSETS, .gathers_level = true},
    [46] = {SAMPLER_GATHER4, {P_BIAS, P_U, P_V, P_R}, .packs = PACKS_OFFSETS, .gathers_level = true},
    [47] = {SAMPLER_GATHER4, {P_U, P_V, P_R, P_OFFU}, .packs = PACKS_OFFSETS, .gathers_level = true},
    [48] = {SAMPLER_GATHER4, {P_REF, P_U, P_V, P_OFF_R}, .packs = PACKS_OFFSETS},
    [52] = {SAMPLER_SAMPLE,
            {P_REF, P_U, P_DUDX, P_DUDY, P_V, P_DVDX, P_DVDY, P_OFF_R},
            .packs = PACKS_OFFSETS_4},
    [53] = {SAMPLER_GATHER4, {P_REF, P_U, P_V, P_OFF_R}, .packs = PACKS_OFFSETS, .gathers_level = true},
    [55] = {SAMPLER_GATHER4, {P_REF, P_LOD, P_U, P_V, P_R}, .packs = PACKS_OFFSETS, .gathers_level = true},
    [56] = {SAMPLER_SAMPLE, {P_U, P_V, P_R, P_OFFU}, true, .packs = PACKS_OFFSETS_4},
    [57] = {SAMPLER_SAMPLE, {P_REF, P_U, P_V, P_OFF_R}, true, .packs = PACKS_OFFSETS_4},
};

/* With parameters of 16 bits, array indices of cubes have one of their own. No source says where texel
 * offsets are then: such messages are reported. */
static const struct sampler_operation_info with_halves[LOW_TYPES] = {
    [1] = {SAMPLER_SAMPLE, {P_BIAS, P_U, P_V, P_R, P_AI, P_MLOD}},
    [2] = {SAMPLER_SAMPLE, {P_LOD, P_U, P_V, P_R, P_AI}},
    [5] = {SAMPLER_SAMPLE, {P_REF, P_BIAS, P_U, P_V, P_R, P_AI, P_MLOD}},
    [6] = {SAMPLER_SAMPLE, {P_REF, P_LOD, P_U, P_V, P_R, P_AI}},
    [13] = {SAMPLER_GATHER4, {P_LOD, P_U, P_V, P_R, P_AI}, .gathers_level = true},
    [14] = {SAMPLER_GATHER4, {P_BIAS, P_U, P_V, P_R, P_AI}, .gathers_level = true},
    [23] = {SAMPLER_GATHER4, {P_REF, P_LOD, P_U, P_V, P_R, P_AI}, .gathers_level = true},
};

const struct sampler_operation_info *sampler_gen200_message(uint32_t descriptor, bool halves)
{
    const uint32_t low = descriptor >> TYPE_SHIFT & (LOW_TYPES - 1u),
                   type = (descriptor >> HIGH_TYPE_SHIFT) * LOW_TYPES + low;
    static const struct sampler_operation_info none = {SAMPLER_UNSUPPORTED, {P_NONE}};
    if (!halves)
        return &messages[type];
    return type >= LOW_TYPES                                 ? &none
           : with_halves[type].action != SAMPLER_UNSUPPORTED ? &with_halves[type]
                                                             : &messages[type];
}

/* ---- Messages of 32 channels ---- */

enum { MODE_SHIFT = 17, MODE_32 = 2, HALF_RETURN = 1 << 30, HALF_PARAMETERS = 1 << 29 };

bool sampler_is_split(const struct message_context *b, const struct eu_send *m)
{
    return b->info.gen200_sampler_messages && (m->descriptor >> MODE_SHIFT & 3u) == MODE_32;
}

/* The rows of 32 bytes that a part of a message has for 32 channels and for 16 of them; these are padded to a
 * register. */
struct split_rows {
    unsigned all, half, padded;
};

static struct split_rows split_rows(const struct eu_send *m, bool halves)
{
    const unsigned all = payload_part_registers(m, EU_MAX_CHANNELS * (halves ? 2u : 4u));
    return (struct split_rows){all, all / 2u,
                               payload_part_registers(m, SAMPLER_CHANNELS * (halves ? 2u : 4u))};
}

void sampler_split(struct sampler_split *to, const struct eu_send *m, unsigned half)
{
    const struct split_rows in = split_rows(m, m->descriptor & HALF_PARAMETERS),
                            out = split_rows(m, m->descriptor & HALF_RETURN);
    const unsigned header = has_header(m) ? payload_part_registers(m, 1) : 0,
                   registers = payload_registers(m);
    unsigned to_row = 0;
    to->send = *m;
    for (; to_row < header; to_row++)
        memcpy(to->payload[to_row], payload_register(m, to_row), EU_REGISTER_BYTES);
    for (unsigned from = header; from + in.all <= registers && to_row + in.padded <= SPLIT_ROWS;
         from += in.all) {
        for (unsigned n = 0; n < in.half; n++)
            memcpy(to->payload[to_row + n], payload_register(m, from + half * in.half + n),
                   EU_REGISTER_BYTES);
        to_row += in.padded;
    }
    to->send.descriptor = (m->descriptor & ~(3u << MODE_SHIFT)) | 1u << MODE_SHIFT;
    to->send.channels = m->channels >> half * SAMPLER_CHANNELS & ((1u << SAMPLER_CHANNELS) - 1u);
    to->send.first_channel = (uint8_t)(m->first_channel + half * SAMPLER_CHANNELS);
    to->send.payload[0] = to->payload[0];
    to->send.payload[1] = NULL;
    to->send.payload_registers[0] = (uint8_t)to_row;
    to->send.payload_registers[1] = 0;
    to->half = half;
    const unsigned components = m->response ? m->response_registers / out.all : 0,
                   most =
                       SPLIT_RESPONSE_ROWS / out.padded; /* the rest of a longer response does not change */
    to->components = components < most ? components : most;
    to->send.response = m->response ? to->response[0] : NULL;
    to->send.response_registers = (uint8_t)(to->components * out.padded);
    for (unsigned c = 0; c < to->components; c++)
        memcpy(to->response[c * out.padded],
               m->response + (c * out.all + half * out.half) * EU_REGISTER_BYTES,
               out.half * (size_t)EU_REGISTER_BYTES);
}

void sampler_join(const struct sampler_split *from, const struct eu_send *m)
{
    const struct split_rows out = split_rows(m, m->descriptor & HALF_RETURN);
    for (unsigned c = 0; c < from->components; c++)
        memcpy(m->response + (c * out.all + from->half * out.half) * EU_REGISTER_BYTES,
               from->response[c * out.padded], out.half * (size_t)EU_REGISTER_BYTES);
}
