/*
 * Commands known by opcode only: the Gen11 map has their names and opcodes, so length is decoded and fields
 * are not. Some are the opcodes that a command had in older generations. The map calls 780dh
 * 3DSTATE_VIEWPORT_STATE_POINTERS, which is Gen6's name; drivers have 3DSTATE_MULTISAMPLE there. (CSP-08,
 * CSP-09)
 */
#include "state_commands/state_commands.h"
#include "engine/execution.h"

#define PIPELINED(opcode, title, text) LISTED(opcode, title, text, COMMAND_STATE)
#define NON_PIPELINED(opcode, title, text)                                                                   \
    LISTED(opcode, title, text, COMMAND_STATE | COMMAND_ARBITRATES_MEDIA)
#define LISTED(opcode, title, text, bits)                                                                    \
    {                                                                                                        \
        .name = title, .summary = text, .match = (opcode), .mask = 0xffff0000, .engines = RENDER,            \
        .since = GEN11, .until = GEN11, .length_bits = 8, .length_bias = 2, .min_dwords = 2,                 \
        .flags = (bits), .disabled_by = DISABLED_3D_STATE, .spec = "CSP-08"                                  \
    }
/* DX9's constants: longer than the others, and there since the resource streamer is. */
#define DX9(opcode, bits, title, text)                                                                       \
    {                                                                                                        \
        .name = title, .summary = text, .match = (opcode), .mask = 0xffff0000, .engines = RENDER,            \
        .since = GEN75, .until = GEN11, .length_bits = (bits), .length_bias = 2, .min_dwords = 2,            \
        .flags = COMMAND_STATE, .disabled_by = DISABLED_3D_STATE, .spec = "CSP-08"                           \
    }
#define CODEC(pipe_opcode, a, b, title, text)                                                                \
    {                                                                                                        \
        .name = title, .summary = text, OPCODE_MEDIA(2, pipe_opcode, a, b), .engines = VIDEO,                \
        .since = GEN11, .until = GEN11, .length_bits = 12, .length_bias = 2, .min_dwords = 2,                \
        .flags = COMMAND_STATE, .spec = "CSP-09"                                                             \
    }

static const struct field vf_statistics_fields[] = {{"Statistics Enable", 0, 0, FIELD_BOOL, NULL}};

/* The state is kept where drivers write it. */
static enum outcome vf_statistics_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const uint32_t header = STATE_VF_STATISTICS | (x->header & 0xffffu);
    pipeline_store_command(&e->pipeline, command_find(e->commands.set, e->info->class, header), header,
                           &header, 1);
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "3DSTATE_VF_STATISTICS",
     .summary = "Counts vertices and primitives, or not; as the map places it.",
     .match = 0x780b0000,
     .mask = 0xffff0000,
     .engines = RENDER,
     .since = GEN11,
     .until = GEN11,
     .min_dwords = 1,
     FIELDS(vf_statistics_fields),
     .disabled_by = DISABLED_3D_STATE,
     .execute = vf_statistics_execute,
     .spec = "CSP-08"},
    PIPELINED(0x78250000, "3DSTATE_DEPTH_STENCIL_STATE_POINTERS", "Where the depth and stencil state is."),
    DX9(0x78390000, 11, "3DSTATE_DX9_CONSTANTF_VS", "Float constants of the vertex shader."),
    DX9(0x783a0000, 11, "3DSTATE_DX9_CONSTANTF_PS", "Float constants of the pixel shader."),
    DX9(0x783b0000, 8, "3DSTATE_DX9_CONSTANTI_VS", "Integer constants of the vertex shader."),
    DX9(0x783c0000, 8, "3DSTATE_DX9_CONSTANTI_PS", "Integer constants of the pixel shader."),
    DX9(0x783d0000, 8, "3DSTATE_DX9_CONSTANTB_VS", "Boolean constants of the vertex shader."),
    DX9(0x783e0000, 8, "3DSTATE_DX9_CONSTANTB_PS", "Boolean constants of the pixel shader."),
    DX9(0x783f0000, 8, "3DSTATE_DX9_LOCAL_VALID_VS", "Constants of the vertex shader that are its own."),
    DX9(0x78400000, 8, "3DSTATE_DX9_LOCAL_VALID_PS", "Constants of the pixel shader that are its own."),
    DX9(0x78410000, 8, "3DSTATE_DX9_GENERATE_ACTIVE_VS", "Makes the vertex shader's constants active."),
    DX9(0x78420000, 8, "3DSTATE_DX9_GENERATE_ACTIVE_PS", "Makes the pixel shader's constants active."),
    PIPELINED(0x78480000, "3DSTATE_VF_HASHING", "How vertices are spread over vertex fetchers."),
    PIPELINED(0x78530000, "3DSTATE_INT", "State that the hardware makes for itself."),
    PIPELINED(0x786a0000, "3DSTATE_PTBR_MARKER", "Marker of tile-based rendering."),
    PIPELINED(0x786b0000, "3DSTATE_PTBR_TILE_SELECT", "Tile that is drawn."),
    NON_PIPELINED(0x790b0000, "3DSTATE_GS_SVB_INDEX", "Index and limit of a stream-out buffer."),
    NON_PIPELINED(0x790d0000, "3DSTATE_MULTISAMPLE",
                  "Number and place of samples in a pixel, at its older opcode."),
    NON_PIPELINED(0x790e0000, "3DSTATE_STENCIL_BUFFER", "The stencil buffer, at its older opcode."),
    NON_PIPELINED(0x790f0000, "3DSTATE_HIER_DEPTH_BUFFER",
                  "The hierarchical depth buffer, at its older opcode."),
    NON_PIPELINED(0x79100000, "3DSTATE_CLEAR_PARAMS", "Depth clear value, at its older opcode."),
    NON_PIPELINED(0x791f0000, "3DSTATE_SUBSLICE_HASH_TABLE", "How pixels are spread over subslices."),
    NON_PIPELINED(0x79210000, "3DSTATE_PTBR_PAGE_POOL_BASE_ADDRESS", "Page pool of tile-based rendering."),
    NON_PIPELINED(0x79220000, "3DSTATE_PTBR_TILE_PASS_INFO", "Passes over tiles of tile-based rendering."),
    NON_PIPELINED(0x79230000, "3DSTATE_PTBR_RENDER_LIST_BASE_ADDRESS",
                  "Render lists of tile-based rendering."),
    NON_PIPELINED(0x79240000, "3DSTATE_PTBR_FREE_LIST_BASE_ADDRESS", "Free lists of tile-based rendering."),
    CODEC(1, 0, 0x01, "MFX_AVC_QM_STATE", "Codec: AVC quantiser matrices state."),
    CODEC(1, 2, 0x02, "MFC_AVC_FQM_STATE", "Encoder: AVC forward quantiser matrices state."),
    CODEC(1, 2, 0x08, "MFC_AVC_PAK_INSERT_OBJECT", "Encoder: AVC encode insert object."),
    CODEC(2, 0, 0x00, "MFX_VC1_PIC_STATE", "Codec: VC1 picture state."),
    CODEC(3, 0, 0x01, "MFX_MPEG2_QM_STATE", "Codec: MPEG2 quantiser matrices state."),
};

const struct command_table opcode_only_commands = COMMAND_TABLE(rows);
