/* 3D state: vertex fetch, URB and the vertex shader: state is kept, work is counted. Field names and places
 * as the public manuals of each generation give them. (CSP-08) */
#include "draw/draw.h"
#include "engine/pipeline_state.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"

/* clang-format off */
static const struct field_value index_format[] = {
    {"BYTE", 0}, {"WORD", 1}, {"DWORD", 2}, {NULL, 0}
};
static const struct field f_3dstate_index_buffer[] = {
    {"Index Format", 8, 9, FIELD_UINT, index_format, INDEX_FORMAT, .until = GEN75},
    {"Cut Index Enable", 10, 10, FIELD_BOOL, NULL, INDEX_CUTS, .until = GEN7}, {"MOCS", 12, 15, FIELD_UINT, .until = GEN75},
    {"MOCS", 32, 38, FIELD_UINT, .since = GEN8},
    {"Buffer Starting Address", 32, 63, FIELD_ADDRESS, NULL, INDEX_START, .until = GEN75},
    {"Index Format", 40, 41, FIELD_UINT, index_format, INDEX_FORMAT, .since = GEN8},
    {"L3 Bypass Disable", 43, 43, FIELD_BOOL, .since = GEN12},
    {"Buffer Ending Address", 64, 95, FIELD_ADDRESS, NULL, INDEX_LAST, .until = GEN75},
    {"Buffer Starting Address", 64, 127, FIELD_ADDRESS, NULL, INDEX_START, .since = GEN8},
    {"Buffer Size", 128, 159, FIELD_HEX, NULL, INDEX_SIZE, .since = GEN8},
};
static const struct field f_3dstate_urb[] = {
    {"VS Number of URB Entries", 32, 47, FIELD_UINT}, {"VS URB Entry Allocation Size", 48, 55, FIELD_UINT, .role = URB_ENTRY_SIZE_128},
    {"GS URB Entry Allocation Size", 64, 66, FIELD_UINT}, {"GS Number of URB Entries", 72, 81, FIELD_UINT},
};
#define URB_ALLOCATION(stage)                                                                                \
    {stage " URB Entry Allocation Size", 32, 41, FIELD_UINT, .role = URB_ENTRY_SIZE},                                                \
    {stage " URB Starting Address Slice0", 42, 49, FIELD_UINT, .role = URB_START},                                              \
    {stage " URB Starting Address SliceN", 53, 60, FIELD_UINT},                                              \
    {stage " Number of URB Entries Slice0", 64, 79, FIELD_UINT},                                             \
    {stage " Number of URB Entries SliceN", 80, 95, FIELD_UINT}
static const struct field f_3dstate_urb_alloc_ds[] = {URB_ALLOCATION("DS")};
static const struct field f_3dstate_urb_alloc_gs[] = {URB_ALLOCATION("GS")};
static const struct field f_3dstate_urb_alloc_hs[] = {URB_ALLOCATION("HS")};
static const struct field f_3dstate_urb_alloc_vs[] = {URB_ALLOCATION("VS")};
static const struct field f_3dstate_urb_alloc_mesh[] = {URB_ALLOCATION("MESH")};
static const struct field f_3dstate_urb_alloc_task[] = {URB_ALLOCATION("TASK")};
static const struct field f_3dstate_urb_clear[] = {
    {"URB Address", 32, 46, FIELD_OFFSET}, {"URB Clear Length", 48, 61, FIELD_UINT},
};
#define URB_FIELDS(stage)                                                                                    \
    {stage " Number of URB Entries", 32, 47, FIELD_UINT}, {stage " URB Entry Allocation Size", 48, 56, FIELD_UINT, .role = URB_ENTRY_SIZE},\
    {stage " URB Starting Address", 57, 61, FIELD_UINT, .until = GEN7},                                      \
    {stage " URB Starting Address", 57, 62, FIELD_UINT, .since = GEN75, .until = GEN75},                     \
    {stage " URB Starting Address", 57, 63, FIELD_UINT, .since = GEN8, .role = URB_START}
static const struct field f_3dstate_urb_ds[] = {URB_FIELDS("DS")};
static const struct field f_3dstate_urb_gs[] = {URB_FIELDS("GS")};
static const struct field f_3dstate_urb_hs[] = {URB_FIELDS("HS")};
static const struct field f_3dstate_urb_vs[] = {URB_FIELDS("VS")};
static const struct field_value vertex_buffer_state_buffer_access_type[] = {
    {"VERTEXDATA", 0}, {"INSTANCEDATA", 1}, {NULL, 0}
};
static const struct field f_3dstate_vertex_buffers_group[] = {
    {"Vertex Buffer State Buffer Pitch", 0, 11, FIELD_UINT, NULL, VERTEX_BUFFER_PITCH},
    {"Vertex Buffer State Vertex Fetch Invalidate", 12, 12, FIELD_BOOL, .until = GEN75},
    {"Vertex Buffer State Null Vertex Buffer", 13, 13, FIELD_BOOL, .role = VERTEX_BUFFER_NULL},
    {"Vertex Buffer State Address Modify Enable", 14, 14, FIELD_BOOL, .since = GEN7},
    {"Vertex Buffer State MOCS", 16, 19, FIELD_UINT, .until = GEN75},
    {"Vertex Buffer State MOCS", 16, 22, FIELD_UINT, .since = GEN8},
    {"Vertex Buffer State Buffer Access Type", 20, 20, FIELD_UINT, vertex_buffer_state_buffer_access_type, .until = GEN75, .role = VERTEX_BUFFER_OF_INSTANCES},
    {"Vertex Buffer State L3 Bypass Disable", 25, 25, FIELD_BOOL, .since = GEN12},
    {"Vertex Buffer State Vertex Buffer Index", 26, 31, FIELD_UINT},
    {"Vertex Buffer State Buffer Starting Address", 32, 63, FIELD_ADDRESS, .until = GEN75, .role = VERTEX_BUFFER_START},
    {"Vertex Buffer State Buffer Starting Address", 32, 95, FIELD_ADDRESS, .since = GEN8, .role = VERTEX_BUFFER_START},
    {"Vertex Buffer State End Address", 64, 95, FIELD_ADDRESS, .until = GEN75, .role = VERTEX_BUFFER_LAST},
    {"Vertex Buffer State Instance Data Step Rate", 96, 127, FIELD_HEX, .until = GEN75, .role = VERTEX_BUFFER_RATE},
    {"Vertex Buffer State Buffer Size", 96, 127, FIELD_HEX, .since = GEN8, .role = VERTEX_BUFFER_SIZE},
};
static const struct field_value element_component_3_control[] = {
    {"NOSTORE", 0}, {"STORE_SRC", 1}, {"STORE_0", 2}, {"STORE_1_FP", 3}, {"STORE_1_INT", 4}, {"STORE_VID", 5},
    {"STORE_IID", 6}, {"STORE_PID", 7}, {NULL, 0}
};
static const struct field_value element_component_3_control_2[] = {
    {"NOSTORE", 0}, {"STORE_SRC", 1}, {"STORE_0", 2}, {"STORE_1_FP", 3}, {"STORE_1_INT", 4}, {"STORE_PID", 7},
    {NULL, 0}
};
static const struct field f_3dstate_vertex_elements_group[] = {
    {"Element Source Element Offset", 0, 11, FIELD_UINT, .role = ELEMENT_OFFSET}, {"Element Edge Flag Enable", 15, 15, FIELD_BOOL},
    {"Element Source Element Format", 16, 24, FIELD_UINT, surface_formats, .role = ELEMENT_FORMAT}, {"Element Valid", 25, 25, FIELD_BOOL, .role = ELEMENT_VALID},
    {"Element Vertex Buffer Index", 26, 31, FIELD_UINT, .role = ELEMENT_BUFFER},
    {"Element Component 3 Control", 48, 50, FIELD_UINT, element_component_3_control, .until = GEN75, .role = ELEMENT_CONTROL_3},
    {"Element Component 3 Control", 48, 50, FIELD_UINT, element_component_3_control_2, .since = GEN8, .role = ELEMENT_CONTROL_3},
    {"Element Component 2 Control", 52, 54, FIELD_UINT, element_component_3_control, .until = GEN75, .role = ELEMENT_CONTROL_2},
    {"Element Component 2 Control", 52, 54, FIELD_UINT, element_component_3_control_2, .since = GEN8, .role = ELEMENT_CONTROL_2},
    {"Element Component 1 Control", 56, 58, FIELD_UINT, element_component_3_control, .until = GEN75, .role = ELEMENT_CONTROL_1},
    {"Element Component 1 Control", 56, 58, FIELD_UINT, element_component_3_control_2, .since = GEN8, .role = ELEMENT_CONTROL_1},
    {"Element Component 0 Control", 60, 62, FIELD_UINT, element_component_3_control, .until = GEN75, .role = ELEMENT_CONTROL_0},
    {"Element Component 0 Control", 60, 62, FIELD_UINT, element_component_3_control_2, .since = GEN8, .role = ELEMENT_CONTROL_0},
};
static const struct field f_3dstate_vf[] = {
    {"Indexed Draw Cut Index Enable", 8, 8, FIELD_BOOL, NULL, VF_CUTS},
    {"Component Packing Enable", 9, 9, FIELD_BOOL, .since = GEN9, .role = VF_PACKS},
    {"Sequential Draw Cut Index Enable", 10, 10, FIELD_BOOL, .since = GEN9},
    {"VertexID Offset Enable", 11, 11, FIELD_BOOL, .since = GEN11},
    {"Geometry Distribution Enable", 12, 12, FIELD_BOOL, .since = GEN125}, {"Cut Index", 32, 63, FIELD_HEX, NULL, VF_CUT_INDEX},
};
static const struct field_value distribution_granularity[] = {
    {"Batch Level Granularity", 0}, {"Instance Level Granularity", 1}, {"Draw Level Granularity", 2}, {NULL, 0}
};
static const struct field_value distribution_mode[] = {
    {"RR_STRICT", 0}, {"RR_FREE", 1}, {NULL, 0}
};
static const struct field f_3dstate_vfg[] = {
    {"Distribution Granularity", 32, 33, FIELD_UINT, distribution_granularity},
    {"Granularity Threshold Disable", 34, 34, FIELD_BOOL}, {"List Cut Index Enable", 35, 35, FIELD_BOOL},
    {"Distribution Mode", 36, 36, FIELD_UINT, distribution_mode},
    {"List 1 Batch Size Scale", 64, 66, FIELD_UINT}, {"List 2 Batch Size Scale", 72, 74, FIELD_UINT},
    {"List 3 Batch Size Scale", 80, 82, FIELD_UINT}, {"List N Batch Size Scale", 88, 90, FIELD_UINT},
    {"Strip Batch Size Scale", 96, 98, FIELD_UINT}, {"Patch Batch Size Scale", 104, 106, FIELD_UINT},
    {"Patch Batch Size Multiplier", 112, 116, FIELD_UINT},
};
static const struct field f_3dstate_vf_component_packing[] = {
    {"Vertex Element 00 Enables", 32, 35, FIELD_UINT}, {"Vertex Element 01 Enables", 36, 39, FIELD_UINT},
    {"Vertex Element 02 Enables", 40, 43, FIELD_UINT}, {"Vertex Element 03 Enables", 44, 47, FIELD_UINT},
    {"Vertex Element 04 Enables", 48, 51, FIELD_UINT}, {"Vertex Element 05 Enables", 52, 55, FIELD_UINT},
    {"Vertex Element 06 Enables", 56, 59, FIELD_UINT}, {"Vertex Element 07 Enables", 60, 63, FIELD_UINT},
    {"Vertex Element 08 Enables", 64, 67, FIELD_UINT}, {"Vertex Element 09 Enables", 68, 71, FIELD_UINT},
    {"Vertex Element 10 Enables", 72, 75, FIELD_UINT}, {"Vertex Element 11 Enables", 76, 79, FIELD_UINT},
    {"Vertex Element 12 Enables", 80, 83, FIELD_UINT}, {"Vertex Element 13 Enables", 84, 87, FIELD_UINT},
    {"Vertex Element 14 Enables", 88, 91, FIELD_UINT}, {"Vertex Element 15 Enables", 92, 95, FIELD_UINT},
    {"Vertex Element 16 Enables", 96, 99, FIELD_UINT}, {"Vertex Element 17 Enables", 100, 103, FIELD_UINT},
    {"Vertex Element 18 Enables", 104, 107, FIELD_UINT}, {"Vertex Element 19 Enables", 108, 111, FIELD_UINT},
    {"Vertex Element 20 Enables", 112, 115, FIELD_UINT}, {"Vertex Element 21 Enables", 116, 119, FIELD_UINT},
    {"Vertex Element 22 Enables", 120, 123, FIELD_UINT}, {"Vertex Element 23 Enables", 124, 127, FIELD_UINT},
    {"Vertex Element 24 Enables", 128, 131, FIELD_UINT}, {"Vertex Element 25 Enables", 132, 135, FIELD_UINT},
    {"Vertex Element 26 Enables", 136, 139, FIELD_UINT}, {"Vertex Element 27 Enables", 140, 143, FIELD_UINT},
    {"Vertex Element 28 Enables", 144, 147, FIELD_UINT}, {"Vertex Element 29 Enables", 148, 151, FIELD_UINT},
    {"Vertex Element 30 Enables", 152, 155, FIELD_UINT}, {"Vertex Element 31 Enables", 156, 159, FIELD_UINT},
};
static const struct field f_3dstate_vf_instancing[] = {
    {"Vertex Element Index", 32, 37, FIELD_UINT}, {"Instancing Enable", 40, 40, FIELD_BOOL, .role = INSTANCING_ENABLE},
    {"Instance Data Step Rate", 64, 95, FIELD_HEX, .role = INSTANCING_RATE},
};
static const struct field_value vertexid_component_number[] = {
    {"COMP_0", 0}, {"COMP_1", 1}, {"COMP_2", 2}, {"COMP_3", 3}, {NULL, 0}
};
static const struct field f_3dstate_vf_sgvs[] = {
    {"VertexID Element Offset", 32, 37, FIELD_UINT, .role = SGVS_VERTEX_ELEMENT},
    {"VertexID Component Number", 45, 46, FIELD_UINT, vertexid_component_number, .role = SGVS_VERTEX_COMPONENT},
    {"VertexID Enable", 47, 47, FIELD_BOOL, .role = SGVS_VERTEX_ENABLE}, {"InstanceID Element Offset", 48, 53, FIELD_UINT, .role = SGVS_INSTANCE_ELEMENT},
    {"InstanceID Component Number", 61, 62, FIELD_UINT, vertexid_component_number, .role = SGVS_INSTANCE_COMPONENT},
    {"InstanceID Enable", 63, 63, FIELD_BOOL, .role = SGVS_INSTANCE_ENABLE},
};
static const struct field_value xp0_source_select[] = {
    {"VERTEX_LOCATION", 1}, {"XP0_PARAMETER", 0}, {NULL, 0}
};
static const struct field_value xp1_source_select[] = {
    {"Starting Instance Location", 1}, {"XP1_PARAMETER", 0}, {NULL, 0}
};
static const struct field f_3dstate_vf_sgvs_2[] = {
    {"XP0 Element Offset", 32, 37, FIELD_UINT, .role = SGVS_PARAMETER_0_ELEMENT}, {"XP0 Source Select", 44, 44, FIELD_UINT, xp0_source_select, .role = SGVS_PARAMETER_0_LOCATION},
    {"XP0 Component Number", 45, 46, FIELD_UINT, vertexid_component_number, .role = SGVS_PARAMETER_0_COMPONENT}, {"XP0 Enable", 47, 47, FIELD_UINT, .role = SGVS_PARAMETER_0},
    {"XP1 Element Offset", 48, 53, FIELD_UINT, .role = SGVS_PARAMETER_1_ELEMENT}, {"XP1 Source Select", 60, 60, FIELD_UINT, xp1_source_select, .role = SGVS_PARAMETER_1_LOCATION},
    {"XP1 Component Number", 61, 62, FIELD_UINT, vertexid_component_number, .role = SGVS_PARAMETER_1_COMPONENT}, {"XP1 Enable", 63, 63, FIELD_UINT, .role = SGVS_PARAMETER_1},
    {"XP2 Element Offset", 64, 69, FIELD_UINT, .role = SGVS_PARAMETER_2_ELEMENT},
    {"XP2 Component Number", 77, 78, FIELD_UINT, vertexid_component_number, .role = SGVS_PARAMETER_2_COMPONENT}, {"XP2 Enable", 79, 79, FIELD_UINT, .role = SGVS_PARAMETER_2},
};
static const struct field f_3dstate_vf_statistics[] = {
    {"Statistics Enable", 0, 0, FIELD_BOOL, NULL, VF_STATISTICS_ENABLE},
};
static const struct field f_3dstate_vf_topology[] = {
    {"Primitive Topology Type", 32, 37, FIELD_UINT, topologies, VF_TOPOLOGY_TYPE},
};
static const struct field_value floating_point_mode[] = {
    {"IEEE-754", 0}, {"Alternate", 1}, {NULL, 0}
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
static const struct field f_3dstate_vs[] = {
    {"Kernel Start Pointer", 38, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75, .role = VS_KERNEL},
    {"Kernel Start Pointer", 38, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .role = VS_KERNEL},
    {"Software Exception Enable", 71, 71, FIELD_BOOL, .until = GEN75, .role = SHADER_SOFTWARE_EXCEPTIONS},
    {"Software Exception Enable", 103, 103, FIELD_BOOL, .since = GEN8, .role = SHADER_SOFTWARE_EXCEPTIONS},
    {"VS accesses UAV", 76, 76, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Illegal Opcode Exception Enable", 77, 77, FIELD_BOOL, .until = GEN75, .role = SHADER_ILLEGAL_EXCEPTIONS},
    {"Floating Point Mode", 80, 80, FIELD_UINT, floating_point_mode, .until = GEN75, .role = SHADER_FLOATING_POINT},
    {"Thread Priority", 81, 81, FIELD_UINT, thread_priority, .since = GEN75, .until = GEN75},
    {"Binding Table Entry Count", 82, 89, FIELD_UINT, .role = COUNT_BINDINGS, .until = GEN75},
    {"Sampler Count", 91, 93, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .until = GEN75},
    {"Vector Mask Enable", 94, 94, FIELD_BOOL, .until = GEN75, .role = SHADER_VECTOR_MASK},
    {"Single Vertex Dispatch", 95, 95, FIELD_BOOL, .until = GEN75},
    {"Per-Thread Scratch Space", 96, 99, FIELD_UINT, .until = GEN75, .role = SHADER_SCRATCH_SIZE},
    {"Scratch Space Base Pointer", 106, 127, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN75, .role = SHADER_SCRATCH},
    {"Accesses UAV", 108, 108, FIELD_BOOL, .since = GEN8},
    {"Illegal Opcode Exception Enable", 109, 109, FIELD_BOOL, .since = GEN8, .role = SHADER_ILLEGAL_EXCEPTIONS},
    {"Floating Point Mode", 112, 112, FIELD_UINT, floating_point_mode, .since = GEN8, .role = SHADER_FLOATING_POINT},
    {"Thread Dispatch Priority", 113, 113, FIELD_UINT, thread_dispatch_priority, .since = GEN8},
    {"Binding Table Entry Count", 114, 121, FIELD_UINT, .role = COUNT_BINDINGS, .since = GEN8},
    {"Sampler Count", 123, 125, FIELD_UINT, sampler_count, .role = COUNT_SAMPLERS, .since = GEN8},
    {"Vector Mask Enable", 126, 126, FIELD_BOOL, .since = GEN8, .role = SHADER_VECTOR_MASK},
    {"Single Vertex Dispatch", 127, 127, FIELD_BOOL, .since = GEN8, .until = GEN9},
    {"Per-Thread Scratch Space", 128, 131, FIELD_UINT, .since = GEN8, .until = GEN12, .role = SHADER_SCRATCH_SIZE},
    {"Vertex URB Entry Read Offset", 132, 137, FIELD_UINT, .until = GEN75, .role = VS_READ_OFFSET},
    {"Scratch Space Base Pointer", 138, 191, FIELD_ADDRESS, .base = BASE_GENERAL, .since = GEN8, .until = GEN12, .role = SHADER_SCRATCH},
    {"Scratch Space Buffer", 138, 159, FIELD_HEX, .since = GEN125, .role = SHADER_SCRATCH_BUFFER},
    {"Vertex URB Entry Read Length", 139, 144, FIELD_UINT, .until = GEN75, .role = VS_READ_LENGTH},
    {"Dispatch GRF Start Register For URB Data", 148, 152, FIELD_UINT, .until = GEN75, .role = VS_START},
    {"Enable", 160, 160, FIELD_BOOL, NULL, VS_ENABLE, .until = GEN75},
    {"Vertex Cache Disable", 161, 161, FIELD_BOOL, NULL, VS_NO_CACHE, .until = GEN75},
    {"Statistics Enable", 170, 170, FIELD_BOOL, NULL, VS_STATISTICS_ENABLE, .until = GEN75},
    {"Maximum Number of Threads", 183, 191, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Maximum Number of Threads", 185, 191, FIELD_UINT, .until = GEN7},
    {"Vertex URB Entry Read Offset", 196, 201, FIELD_UINT, .since = GEN8, .role = VS_READ_OFFSET},
    {"Vertex URB Entry Read Length", 203, 208, FIELD_UINT, .since = GEN8, .role = VS_READ_LENGTH},
    {"Dispatch GRF Start Register For URB Data", 212, 216, FIELD_UINT, .since = GEN8, .role = VS_START},
    {"Enable", 224, 224, FIELD_BOOL, NULL, VS_ENABLE, .since = GEN8},
    {"Vertex Cache Disable", 225, 225, FIELD_BOOL, NULL, VS_NO_CACHE, .since = GEN8},
    {"SIMD8 Dispatch Enable", 226, 226, FIELD_BOOL, .since = GEN8, .role = VS_8_VERTICES},
    {"SIMD8 Single Instance Dispatch Enable", 233, 233, FIELD_BOOL, .since = GEN11},
    {"Statistics Enable", 234, 234, FIELD_BOOL, NULL, VS_STATISTICS_ENABLE, .since = GEN8},
    {"Maximum Number of Threads", 246, 255, FIELD_UINT, .since = GEN11},
    {"Maximum Number of Threads", 247, 255, FIELD_UINT, .since = GEN8, .until = GEN9},
    {"User Clip Distance Cull Test Enable Bitmask", 256, 263, FIELD_UINT, .since = GEN8, .role = VS_USER_CULL},
    {"User Clip Distance Clip Test Enable Bitmask", 264, 271, FIELD_UINT, .since = GEN8, .role = VS_USER_CLIP},
    {"Vertex URB Entry Output Length", 272, 276, FIELD_UINT, .since = GEN8},
    {"Vertex URB Entry Output Read Offset", 277, 282, FIELD_UINT, .since = GEN8},
};

static const struct command rows[] = {
    {.name = "3DSTATE_INDEX_BUFFER", .summary = "Where indices are read from.", STATE_3D(0, 0x0a),
     .since = GEN6, .min_dwords = 3, FIELDS(f_3dstate_index_buffer), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 5, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_URB", .summary = "URB space of the stages.", STATE_3D(0, 0x05), .since = GEN6,
     .until = GEN6, .min_dwords = 3, FIELDS(f_3dstate_urb), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_URB_ALLOC_DS", .summary = "URB space of the domain shader, by slice.", STATE_3D(0, 0x5a),
     .since = GEN12, .min_dwords = 3, FIELDS(f_3dstate_urb_alloc_ds), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_URB_ALLOC_GS", .summary = "URB space of the geometry shader, by slice.", STATE_3D(0, 0x5b),
     .since = GEN12, .min_dwords = 3, FIELDS(f_3dstate_urb_alloc_gs), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_URB_ALLOC_HS", .summary = "URB space of the hull shader, by slice.", STATE_3D(0, 0x59),
     .since = GEN12, .min_dwords = 3, FIELDS(f_3dstate_urb_alloc_hs), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_URB_ALLOC_VS", .summary = "URB space of the vertex shader, by slice.", STATE_3D(0, 0x58),
     .since = GEN12, .min_dwords = 3, FIELDS(f_3dstate_urb_alloc_vs), .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_URB_ALLOC_MESH", .summary = "URB space of the mesh shader.", STATE_3D(0, 0x7f),
     .since = GEN125, .min_dwords = 3, FIELDS(f_3dstate_urb_alloc_mesh), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_URB_ALLOC_TASK", .summary = "URB space of the task shader.", STATE_3D(0, 0x80),
     .since = GEN125, .min_dwords = 3, FIELDS(f_3dstate_urb_alloc_task), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_URB_CLEAR", .summary = "Clears a part of the URB.",
     STATE_3D_WITH(1, 0x1d, COMMAND_ARBITRATES_MEDIA), .since = GEN9, .min_dwords = 2,
     FIELDS(f_3dstate_urb_clear), .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_URB_DS", .summary = "URB space of the domain shader.",
     STATE_3D_WITH(0, 0x32, COMMAND_PREDICATED), .since = GEN7, .min_dwords = 2, FIELDS(f_3dstate_urb_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_URB_GS", .summary = "URB space of the geometry shader.",
     STATE_3D_WITH(0, 0x33, COMMAND_PREDICATED), .since = GEN7, .min_dwords = 2, FIELDS(f_3dstate_urb_gs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_URB_HS", .summary = "URB space of the hull shader.",
     STATE_3D_WITH(0, 0x31, COMMAND_PREDICATED), .since = GEN7, .min_dwords = 2, FIELDS(f_3dstate_urb_hs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_URB_VS", .summary = "URB space of the vertex shader.",
     STATE_3D_WITH(0, 0x30, COMMAND_PREDICATED), .since = GEN7, .min_dwords = 2, FIELDS(f_3dstate_urb_vs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_VERTEX_BUFFERS", .summary = "Where vertices are read from.", STATE_3D(0, 0x08),
     .since = GEN6, .min_dwords = 5, GROUP(f_3dstate_vertex_buffers_group, 1, 4), BY_GROUP(26, 31, 0, 0),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, BY_GROUP(26, 31, 14, 2), .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, BY_GROUP(26, 31, 14, 3), .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.name = "3DSTATE_VERTEX_ELEMENTS", .summary = "How vertices are put together.", STATE_3D(0, 0x09),
     .since = GEN6, .min_dwords = 3, GROUP(f_3dstate_vertex_elements_group, 1, 2),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_VF", .summary = "Vertex fetch: cut index, component packing.", STATE_3D(0, 0x0c),
     .since = GEN75, .min_dwords = 2, FIELDS(f_3dstate_vf), .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_VFG", .summary = "Vfg of the 3D pipeline.", STATE_3D(0, 0x57), .since = GEN125,
     .min_dwords = 4, FIELDS(f_3dstate_vfg), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_VF_COMPONENT_PACKING", .summary = "Components of each vertex element that are kept.",
     STATE_3D(0, 0x55), .since = GEN9, .min_dwords = 5, FIELDS(f_3dstate_vf_component_packing),
     .spec = "CSP-08, SKL PRM vol 2a"},
    {.name = "3DSTATE_VF_INSTANCING", .summary = "Instancing of one vertex element.", STATE_3D(0, 0x49),
     .since = GEN8, .min_dwords = 3, FIELDS(f_3dstate_vf_instancing), BY_INDEX(32, 37),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_VF_SGVS", .summary = "Where generated vertex and instance numbers go.",
     STATE_3D(0, 0x4a), .since = GEN8, .min_dwords = 2, FIELDS(f_3dstate_vf_sgvs),
     .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_VF_SGVS_2", .summary = "Where further generated values go.", STATE_3D(0, 0x56),
     .since = GEN11, .min_dwords = 3, FIELDS(f_3dstate_vf_sgvs_2), .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "3DSTATE_VF_STATISTICS", .summary = "Counts vertices and primitives, or not.",
     OPCODE_3D(1, 0, 0x0b), .engines = RENDER, .since = GEN6, .min_dwords = 1, .flags = COMMAND_KEPT,
     FIELDS(f_3dstate_vf_statistics), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "3DSTATE_VF_TOPOLOGY", .summary = "Topology of what is drawn.", STATE_3D(0, 0x4b),
     .since = GEN8, .min_dwords = 2, FIELDS(f_3dstate_vf_topology), .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "3DSTATE_VS", .summary = "The vertex shader: kernel and dispatch.", STATE_3D(0, 0x10),
     .since = GEN6, .min_dwords = 6, FIELDS(f_3dstate_vs), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 9, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
};

static const struct command structures[] = {
    {STRUCTURE(VERTEX_BUFFER_STATE), .summary = "A buffer that vertices are read from, in 3DSTATE_VERTEX_BUFFERS.",
     .since = GEN6, .min_dwords = 4, FIELDS(f_3dstate_vertex_buffers_group), .spec = "CSP-08, SNB PRM vol 2a"},
    {STRUCTURE(VERTEX_ELEMENT_STATE), .summary = "An element of a vertex, in 3DSTATE_VERTEX_ELEMENTS.",
     .since = GEN6, .min_dwords = 2, FIELDS(f_3dstate_vertex_elements_group), .spec = "CSP-08, SNB PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_3d_vertex_commands = COMMAND_TABLE(rows);
const struct command_table structure_vertex_table = COMMAND_TABLE(structures);
