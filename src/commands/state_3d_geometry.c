/* 3D state: geometry shader and stream-out: state is kept, work is counted. Field names and places as the
 * public manuals of each generation give them. (CSP-08) */
#include "draw/draw.h"
#include "engine/pipeline_state.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"
#include "engine/execution.h"

/* clang-format off */
static const struct field_value floating_point_mode[] = {
    {"IEEE-754", 0}, {"Alternate", 1}, {NULL, 0}
};
static const struct field_value floating_point_mode_2[] = {
    {"IEEE-754", 0}, {"alternate", 1}, {NULL, 0}
};
static const struct field_value thread_priority[] = {
    {"Normal Priority", 0}, {"High Priority", 1}, {NULL, 0}
};
static const struct field_value sampler_count[] = {
    {"No Samplers", 0}, {"1-4 Samplers", 1}, {"5-8 Samplers", 2}, {"9-12 Samplers", 3}, {"13-16 Samplers", 4},
    {NULL, 0}
};
static const struct field_value thread_dispatch_priority[] = {
    {"High", 1}, {NULL, 0}
};
static const struct field_value reorder_mode[] = {
    {"LEADING", 0}, {"TRAILING", 1}, {NULL, 0}
};
static const struct field_value dispatch_mode[] = {
    {"SINGLE", 0}, {"DUAL_INSTANCE", 1}, {"DUAL_OBJECT", 2}, {NULL, 0}
};
static const struct field_value control_data_format[] = {
    {"GSCTL_CUT", 0}, {"GSCTL_SID", 1}, {NULL, 0}
};
static const struct field_value dispatch_mode_2[] = {
    {"Dual Instance", 1}, {"Dual Object", 2}, {"SIMD8", 3}, {NULL, 0}
};
static const struct field_value dispatch_mode_3[] = {
    {"SIMD8", 3}, {NULL, 0}
};
static const struct field_value control_data_format_2[] = {
    {"CUT", 0}, {"SID", 1}, {NULL, 0}
};
static const struct field f_3dstate_gs[] = {
    {"Kernel Start Pointer", 38, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75, .role = GS_KERNEL},
    {"Kernel Start Pointer", 38, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .role = GS_KERNEL},
    {"Software Exception Enable", 71, 71, FIELD_BOOL, .until = GEN75, .role = SHADER_SOFTWARE_EXCEPTIONS},
    {"Mask Stack Exception Enable", 75, 75, FIELD_BOOL, .until = GEN75},
    {"GS accesses UAV", 76, 76, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Illegal Opcode Exception Enable", 77, 77, FIELD_BOOL, .until = GEN75, .role = SHADER_ILLEGAL_EXCEPTIONS},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode, .until = GEN6, .role = SHADER_FLOATING_POINT},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode_2, .since = GEN7, .until = GEN7},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode, .since = GEN75, .until = GEN75},
    {"Thread Priority", 81, 81, FIELD_UINT, thread_priority, .until = GEN75},
    {"Binding Table Entry Count", 82, 89, FIELD_UINT, .role = COUNT_BINDINGS, .until = GEN75},
    {"Sampler Count", 91, 93, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .until = GEN75},
    {"Vector Mask Enable", 94, 94, FIELD_BOOL, .until = GEN75},
    {"Single Program Flow", 95, 95, FIELD_BOOL, .until = GEN75, .role = SHADER_SINGLE_FLOW},
    {"Per-Thread Scratch Space", 96, 99, FIELD_UINT, .until = GEN75, .role = SHADER_SCRATCH_SIZE},
    {"Expected Vertex Count", 96, 101, FIELD_UINT, .since = GEN8, .role = GS_EXPECTED},
    {"Software Exception Enable", 103, 103, FIELD_BOOL, .since = GEN8, .role = SHADER_SOFTWARE_EXCEPTIONS},
    {"Scratch Space Base Pointer", 106, 127, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN75, .role = SHADER_SCRATCH},
    {"Mask Stack Exception Enable", 107, 107, FIELD_BOOL, .since = GEN8},
    {"Accesses UAV", 108, 108, FIELD_BOOL, .since = GEN8},
    {"Illegal Opcode Exception Enable", 109, 109, FIELD_BOOL, .since = GEN8, .role = SHADER_ILLEGAL_EXCEPTIONS},
    {"Floating Point Mode", 112, 112, FIELD_UINT, floating_point_mode, .since = GEN8, .role = SHADER_FLOATING_POINT},
    {"Thread Dispatch Priority", 113, 113, FIELD_UINT, thread_dispatch_priority, .since = GEN8},
    {"Binding Table Entry Count", 114, 121, FIELD_UINT, .role = COUNT_BINDINGS, .since = GEN8},
    {"Sampler Count", 123, 125, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .since = GEN8},
    {"Vector Mask Enable", 126, 126, FIELD_BOOL, .since = GEN8, .role = SHADER_VECTOR_MASK},
    {"Single Program Flow", 127, 127, FIELD_BOOL, .since = GEN8, .role = SHADER_SINGLE_FLOW},
    {"Dispatch GRF Start Register For URB Data", 128, 131, FIELD_UINT, .until = GEN75, .role = GS_START},
    {"Per-Thread Scratch Space", 128, 131, FIELD_UINT, .since = GEN8, .until = GEN12, .role = SHADER_SCRATCH_SIZE},
    {"Vertex URB Entry Read Offset", 132, 137, FIELD_UINT, .until = GEN75, .role = GS_READ_OFFSET},
    {"Include Vertex Handles", 138, 138, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Scratch Space Base Pointer", 138, 191, FIELD_ADDRESS, .base = BASE_GENERAL, .since = GEN8, .until = GEN12, .role = SHADER_SCRATCH},
    {"Scratch Space Buffer", 138, 159, FIELD_HEX, .since = GEN125, .role = SHADER_SCRATCH_BUFFER},
    {"Vertex URB Entry Read Length", 139, 144, FIELD_UINT, .until = GEN75, .role = GS_READ_LENGTH},
    {"Output Topology", 145, 150, FIELD_UINT, topologies, .since = GEN7, .until = GEN75},
    {"Output Vertex Size", 151, 156, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Enable", 160, 160, FIELD_BOOL, NULL, GS_ENABLE, .since = GEN7, .until = GEN75},
    {"Discard Adjacency", 161, 161, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Reorder Mode", 162, 162, FIELD_UINT, reorder_mode, .since = GEN7, .until = GEN75},
    {"Hint", 163, 163, FIELD_UINT, .since = GEN7, .until = GEN75},
    {"Include Primitive ID", 164, 164, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"GS Invocations Increment Value", 165, 169, FIELD_UINT, NULL, GS_INCREMENT, .since = GEN7, .until = GEN75},
    {"Rendering Enabled", 168, 168, FIELD_UINT, .until = GEN6, .role = GS_RENDERS},
    {"SO Statistics Enable", 169, 169, FIELD_BOOL, .until = GEN6, .role = GS_COUNTS_OUTPUT},
    {"Statistics Enable", 170, 170, FIELD_BOOL, NULL, GS_STATISTICS_ENABLE, .until = GEN6},
    {"Statistics Enable", 170, 170, FIELD_UINT, NULL, GS_STATISTICS_ENABLE, .since = GEN7, .until = GEN75},
    {"Dispatch Mode", 171, 172, FIELD_UINT, dispatch_mode, .since = GEN7, .until = GEN75},
    {"Default StreamID", 173, 174, FIELD_UINT, NULL, GS_STREAM, .since = GEN7, .until = GEN75},
    {"Instance Control", 175, 179, FIELD_UINT, NULL, GS_INSTANCES, .since = GEN7, .until = GEN75},
    {"Control Data Header Size", 180, 183, FIELD_UINT, NULL, GS_CONTROL_DATA, .since = GEN7, .until = GEN75},
    {"Control Data Format", 184, 184, FIELD_UINT, control_data_format, .since = GEN7, .until = GEN7},
    {"Maximum Number of Threads", 184, 191, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Maximum Number of Threads", 185, 191, FIELD_UINT, .until = GEN7},
    {"Semaphore Handle", 192, 203, FIELD_OFFSET, .since = GEN7, .until = GEN7},
    {"Semaphore Handle", 192, 204, FIELD_OFFSET, .since = GEN75, .until = GEN75},
    {"Dispatch GRF Start Register For URB Data", 192, 195, FIELD_UINT, .since = GEN8, .role = GS_START},
    {"Vertex URB Entry Read Offset", 196, 201, FIELD_UINT, .since = GEN8, .role = GS_READ_OFFSET},
    {"Include Vertex Handles", 202, 202, FIELD_BOOL, .since = GEN8, .role = GS_HANDLES},
    {"Vertex URB Entry Read Length", 203, 208, FIELD_UINT, .since = GEN8, .role = GS_READ_LENGTH},
    {"Enable", 207, 207, FIELD_BOOL, NULL, GS_ENABLE, .until = GEN6},
    {"SVBI Post-Increment Value", 208, 217, FIELD_UINT, .until = GEN6, .role = GS_STEP},
    {"Output Topology", 209, 214, FIELD_UINT, topologies, GS_OUTPUT_TOPOLOGY, .since = GEN8},
    {"Output Vertex Size", 215, 220, FIELD_UINT, .since = GEN8, .role = GS_VERTEX_SIZE},
    {"SVBI Post-Increment Enable", 219, 219, FIELD_BOOL, .until = GEN6, .role = GS_STEPS},
    {"SVBI Payload Enable", 220, 220, FIELD_BOOL, .until = GEN6, .role = GS_INDICES},
    {"Discard Adjacency", 221, 221, FIELD_BOOL, .until = GEN6, .role = GS_DISCARDS_ADJACENCY},
    {"Dispatch GRF Start Register For URB Data [5:4]", 221, 222, FIELD_UINT, .since = GEN9, .role = GS_START_HIGH},
    {"Reorder Mode", 222, 222, FIELD_UINT, reorder_mode, .until = GEN6, .role = GS_REORDERS},
    {"Control Data Format", 223, 223, FIELD_UINT, control_data_format, .since = GEN75, .until = GEN75},
    {"Enable", 224, 224, FIELD_BOOL, NULL, GS_ENABLE, .since = GEN8}, {"Discard Adjacency", 225, 225, FIELD_BOOL, .since = GEN8, .role = GS_DISCARDS_ADJACENCY},
    {"Reorder Mode", 226, 226, FIELD_UINT, reorder_mode, .since = GEN8, .role = GS_TRAILING},
    {"Hint", 227, 227, FIELD_UINT, .since = GEN8, .role = GS_HINT},
    {"Include Primitive ID", 228, 228, FIELD_BOOL, .since = GEN8, .role = GS_IDENTITIES},
    {"Invocations Increment Value", 229, 233, FIELD_UINT, NULL, GS_INCREMENT, .since = GEN8},
    {"Statistics Enable", 234, 234, FIELD_BOOL, NULL, GS_STATISTICS_ENABLE, .since = GEN8},
    {"Dispatch Mode", 235, 236, FIELD_UINT, dispatch_mode_2, .since = GEN8, .until = GEN9, .role = GS_DISPATCH},
    {"Dispatch Mode", 235, 236, FIELD_UINT, dispatch_mode_3, .since = GEN11, .role = GS_DISPATCH},
    {"Default Stream Id", 237, 238, FIELD_UINT, NULL, GS_STREAM, .since = GEN8},
    {"Instance Control", 239, 243, FIELD_UINT, NULL, GS_INSTANCES, .since = GEN8},
    {"Control Data Header Size", 244, 247, FIELD_UINT, NULL, GS_CONTROL_DATA, .since = GEN8},
    {"Maximum Number of Threads", 248, 255, FIELD_UINT, .since = GEN8, .until = GEN8},
    {"Maximum Number of Threads", 256, 264, FIELD_UINT, .since = GEN9},
    {"Static Output Vertex Count", 272, 282, FIELD_UINT, NULL, GS_OUTPUT_VERTICES, .since = GEN8},
    {"Static Output", 286, 286, FIELD_BOOL, NULL, GS_STATIC_OUTPUT, .since = GEN8},
    {"Control Data Format", 287, 287, FIELD_UINT, control_data_format_2, .since = GEN8, .role = GS_CONTROL_STREAMS},
    {"User Clip Distance Cull Test Enable Bitmask", 288, 295, FIELD_UINT, .since = GEN8, .role = VS_USER_CULL},
    {"User Clip Distance Clip Test Enable Bitmask", 296, 303, FIELD_UINT, .since = GEN8, .role = VS_USER_CLIP},
    {"Vertex URB Entry Output Length", 304, 308, FIELD_UINT, .since = GEN8},
    {"Vertex URB Entry Output Read Offset", 309, 314, FIELD_UINT, .since = GEN8},
};
static const struct field f_3dstate_gs_svb_index[] = {
    {"Load Internal Vertex Count", 32, 32, FIELD_UINT}, {"Index Number", 61, 62, FIELD_UINT},
    {"Streamed Vertex Buffer Index", 64, 95, FIELD_HEX, .role = STREAM_INDEX}, {"Maximum Index", 96, 127, FIELD_HEX, .role = STREAM_MOST},
};
static const struct field f_3dstate_so_buffer[] = {
    {"Surface Pitch", 32, 43, FIELD_UINT, .until = GEN75},
    {"Stream Output Buffer Offset Address Enable", 52, 52, FIELD_BOOL, .since = GEN8, .role = SO_KEEPS_OFFSET},
    {"Stream Offset Write Enable", 53, 53, FIELD_BOOL, .since = GEN8, .role = SO_SETS_OFFSET},
    {"MOCS", 54, 60, FIELD_UINT, .since = GEN8}, {"MOCS", 57, 60, FIELD_UINT, .until = GEN75},
    {"SO Buffer Index", 61, 62, FIELD_UINT}, {"SO Buffer Enable", 63, 63, FIELD_BOOL, .since = GEN8, .role = SO_BUFFER_ENABLE},
    {"Surface Base Address", 66, 95, FIELD_ADDRESS, .until = GEN75},
    {"Surface Base Address", 66, 111, FIELD_ADDRESS, .since = GEN8, .role = SO_BUFFER_BASE},
    {"Surface End Address", 98, 127, FIELD_ADDRESS, .until = GEN75},
    {"Surface Size", 128, 157, FIELD_HEX, .since = GEN8, .role = SO_BUFFER_SIZE},
    {"Stream Output Buffer Offset Address", 162, 207, FIELD_ADDRESS, .since = GEN8, .role = SO_OFFSET_ADDRESS},
    {"Stream Offset", 224, 255, FIELD_HEX, .since = GEN8, .role = SO_OFFSET},
};
static const struct field f_3dstate_so_buffer_index[] = {
    {"SO Buffer Index State Body Stream Output Buffer Offset Address Enable", 52, 52, FIELD_BOOL, .role = SO_KEEPS_OFFSET},
    {"SO Buffer Index State Body Stream Offset Write Enable", 53, 53, FIELD_BOOL, .role = SO_SETS_OFFSET},
    {"SO Buffer Index State Body MOCS", 54, 60, FIELD_UINT},
    {"SO Buffer Index State Body SO Buffer Enable", 63, 63, FIELD_BOOL, .role = SO_BUFFER_ENABLE},
    {"SO Buffer Index State Body Surface Base Address", 66, 111, FIELD_ADDRESS, .role = SO_BUFFER_BASE},
    {"SO Buffer Index State Body Surface Size", 128, 157, FIELD_HEX, .role = SO_BUFFER_SIZE},
    {"SO Buffer Index State Body Stream Output Buffer Offset Address", 162, 207, FIELD_ADDRESS, .role = SO_OFFSET_ADDRESS},
    {"SO Buffer Index State Body Stream Offset", 224, 255, FIELD_HEX, .role = SO_OFFSET},
};
static const struct field f_3dstate_so_decl_list[] = {
    {"Stream to Buffer Selects [#]", 32, 35, FIELD_UINT, .count = 4, .stride = 4, .role = DECLS_BUFFERS},
    {"Num Entries [#]", 64, 71, FIELD_UINT, .count = 4, .stride = 8, .role = DECLS_COUNT},
};
static const struct field f_3dstate_so_decl_list_group[] = {
    {"Entry Stream # Decl Component Mask", 0, 3, FIELD_UINT, .count = 4, .stride = 16, .role = DECL_COMPONENTS},
    {"Entry Stream # Decl Register Index", 4, 9, FIELD_UINT, .count = 4, .stride = 16, .role = DECL_REGISTER},
    {"Entry Stream # Decl Hole Flag", 11, 11, FIELD_BOOL, .count = 4, .stride = 16, .role = DECL_HOLE},
    {"Entry Stream # Decl Output Buffer Slot", 12, 13, FIELD_UINT, .count = 4, .stride = 16, .role = DECL_BUFFER},
};
static const struct field_value force_rendering[] = {
    {"Resreved", 1}, {"Force_Off", 2}, {"Force_on", 3}, {NULL, 0}
};
static const struct field f_3dstate_streamout[] = {
    {"SO Buffer Enable [#]", 40, 40, FIELD_BOOL, .count = 4, .stride = 1, .until = GEN75},
    {"Force Rendering", 55, 56, FIELD_UINT, force_rendering, SO_FORCE_RENDERING, .since = GEN8},
    {"SO Statistics Enable", 57, 57, FIELD_BOOL, NULL, SO_STATISTICS_ENABLE}, {"Reorder Mode", 58, 58, FIELD_UINT, reorder_mode, SO_TRAILING},
    {"Render Stream Select", 59, 60, FIELD_UINT, NULL, SO_RENDER_STREAM}, {"Rendering Disable", 62, 62, FIELD_BOOL, NULL, SO_RENDERING_DISABLE},
    {"SO Function Enable", 63, 63, FIELD_BOOL, NULL, SO_FUNCTION_ENABLE},
    {"Stream # Vertex Read Length", 64, 68, FIELD_UINT, .count = 4, .stride = 8},
    {"Stream # Vertex Read Offset", 69, 69, FIELD_UINT, .count = 4, .stride = 8, .role = SO_READ_OFFSET},
    {"Buffer # Surface Pitch", 96, 107, FIELD_UINT, .count = 4, .stride = 16, .since = GEN8, .role = SO_PITCH},
};

static enum outcome so_buffer(struct execution *x)
{
    struct pipeline_state *const p = &x->engine->pipeline;
    pipeline_keep(p, command_find(p->set, p->class, x->header), x->header, x->dw, x->length_dw);
    return draw_set_offset(x->engine, draw_stream_buffer(x->header, x->dw[1])) ? DONE : FAULT;
}

static const struct command rows[] = {
    {.name = "3DSTATE_GS", .summary = "The geometry shader: kernel and dispatch.", STATE_3D(0, 0x11),
     .since = GEN6, .min_dwords = 7, FIELDS(f_3dstate_gs), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 10, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_GS_SVB_INDEX", .summary = "Index and limit of a stream-out buffer.",
     STATE_3D_WITH(1, 0x0b, COMMAND_ARBITRATES_MEDIA), .since = GEN6, .until = GEN6, .min_dwords = 4,
     FIELDS(f_3dstate_gs_svb_index), BY_INDEX(61, 62), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_SO_BUFFER", .summary = "A stream-out buffer.",
     STATE_3D_WITH(1, 0x18, COMMAND_ARBITRATES_MEDIA), .since = GEN7, .min_dwords = 4,
     FIELDS(f_3dstate_so_buffer), BY_INDEX(61, 62), .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 8, .execute = so_buffer, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_SO_BUFFER_INDEX_0", .summary = "So buffer index 0 of the 3D pipeline.",
     STATE_3D(0, 0x60), .since = GEN12, .min_dwords = 8, FIELDS(f_3dstate_so_buffer_index), .execute = so_buffer,
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_SO_BUFFER_INDEX_1", .summary = "So buffer index 1 of the 3D pipeline.",
     STATE_3D(0, 0x61), .since = GEN12, .min_dwords = 8, FIELDS(f_3dstate_so_buffer_index), .execute = so_buffer,
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_SO_BUFFER_INDEX_2", .summary = "So buffer index 2 of the 3D pipeline.",
     STATE_3D(0, 0x62), .since = GEN12, .min_dwords = 8, FIELDS(f_3dstate_so_buffer_index), .execute = so_buffer,
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_SO_BUFFER_INDEX_3", .summary = "So buffer index 3 of the 3D pipeline.",
     STATE_3D(0, 0x63), .since = GEN12, .min_dwords = 8, FIELDS(f_3dstate_so_buffer_index), .execute = so_buffer,
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_SO_DECL_LIST", .summary = "What is streamed out of each vertex.", OPCODE_3D(3, 1, 0x17),
     .engines = RENDER, .since = GEN7, .length_bits = 9, .length_bias = 2, .min_dwords = 3,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, .disabled_by = DISABLED_3D_STATE,
     FIELDS(f_3dstate_so_decl_list), GROUP(f_3dstate_so_decl_list_group, 3, 2),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.name = "3DSTATE_STREAMOUT", .summary = "Stream-out: enable, buffers, statistics.", STATE_3D(0, 0x1e),
     .since = GEN7, .min_dwords = 3, FIELDS(f_3dstate_streamout), .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 5, .spec = "CSP-08, BDW PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_3d_geometry_commands = COMMAND_TABLE(rows);
