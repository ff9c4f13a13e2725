/* 3D state: tessellation and mesh shading: state is kept, work is counted. Field names and places as the
 * public manuals of each generation give them. (CSP-08) */
#include "geometry/draw.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "state_commands/state_commands.h"
#include "structures/values.h"
#include "engine/pipeline_state.h"

static const struct field f_3dstate_clip_mesh[] = {
    {"User Clip Distance Cull Test Enable Bitmask", 32, 39, FIELD_UINT},
    {"User Clip Distance Clip Test Enable Bitmask", 40, 47, FIELD_UINT},
    {"Primitive Header Enable", 48, 48, FIELD_UINT},
};
static const struct field_value dispatch_mode[] = {{"SIMD4X2", 0}, {"SIMD8_SINGLE_PATCH", 1}, {NULL, 0}};
static const struct field_value dispatch_mode_2[] = {
    {"SIMD4X2", 0}, {"SIMD8_SINGLE_PATCH", 1}, {"SIMD8_SINGLE_OR_DUAL_PATCH", 2}, {NULL, 0}};
static const struct field_value dispatch_mode_3[] = {
    {"SIMD8_SINGLE_PATCH", 1}, {"SIMD8_SINGLE_OR_DUAL_PATCH", 2}, {NULL, 0}};
static const struct field f_3dstate_ds[] = {
    {"Kernel Start Pointer", 38, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75,
     ROLE(DS_KERNEL_START_POINTER)},
    {"Kernel Start Pointer", 38, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8,
     ROLE(DS_KERNEL_START_POINTER)},
    {"Software Exception Enable", 71, 71, FIELD_BOOL, .until = GEN75, ROLE(SHADER_SOFTWARE_EXCEPTION_ENABLE)},
    {"Software Exception Enable", 103, 103, FIELD_BOOL, .since = GEN8,
     ROLE(SHADER_SOFTWARE_EXCEPTION_ENABLE)},
    {"Illegal Opcode Exception Enable", 77, 77, FIELD_BOOL, .until = GEN75,
     ROLE(SHADER_ILLEGAL_OPCODE_EXCEPTION_ENABLE)},
    {"Illegal Opcode Exception Enable", 109, 109, FIELD_BOOL, .since = GEN8,
     ROLE(SHADER_ILLEGAL_OPCODE_EXCEPTION_ENABLE)},
    {"Accesses UAV", 78, 78, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Accesses UAV", 110, 110, FIELD_BOOL, .since = GEN8},
    {"Floating Point Mode", 80, 80, FIELD_UINT, values_floating_point_mode, .until = GEN75,
     ROLE(SHADER_FLOATING_POINT_MODE)},
    {"Floating Point Mode", 112, 112, FIELD_UINT, values_floating_point_mode, .since = GEN8,
     ROLE(SHADER_FLOATING_POINT_MODE)},
    {"Thread Dispatch Priority", 81, 81, FIELD_UINT, values_thread_priority_2, .since = GEN75,
     .until = GEN75},
    {"Thread Dispatch Priority", 113, 113, FIELD_UINT, values_thread_priority_2, .since = GEN8},
    {"Binding Table Entry Count", 82, 89, FIELD_UINT, ROLE(COUNT_BINDING_TABLE_ENTRY_COUNT), .until = GEN75},
    {"Binding Table Entry Count", 114, 121, FIELD_UINT, ROLE(COUNT_BINDING_TABLE_ENTRY_COUNT), .since = GEN8},
    {"Sampler Count", 91, 93, FIELD_UINT, values_sampler_count, ROLE(COUNT_SAMPLER_COUNT), .until = GEN75},
    {"Sampler Count", 123, 125, FIELD_UINT, values_sampler_count, ROLE(COUNT_SAMPLER_COUNT), .since = GEN8},
    {"Vector Mask Enable", 94, 94, FIELD_BOOL, .until = GEN75, ROLE(SHADER_VECTOR_MASK_ENABLE)},
    {"Vector Mask Enable", 126, 126, FIELD_BOOL, .since = GEN8, ROLE(SHADER_VECTOR_MASK_ENABLE)},
    {"Single Domain Point Dispatch", 95, 95, FIELD_UINT, .until = GEN75},
    {"Single Domain Point Dispatch", 127, 127, FIELD_UINT, .since = GEN8, .until = GEN8},
    {"Per-Thread Scratch Space", 96, 99, FIELD_UINT, .until = GEN75, ROLE(SHADER_PER_THREAD_SCRATCH_SPACE)},
    {"Per-Thread Scratch Space", 128, 131, FIELD_UINT, .since = GEN8, .until = GEN12,
     ROLE(SHADER_PER_THREAD_SCRATCH_SPACE)},
    {"Scratch Space Base Pointer", 106, 127, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN75,
     ROLE(SHADER_SCRATCH_SPACE_BASE_POINTER)},
    {"Scratch Space Base Pointer", 138, 191, FIELD_ADDRESS, .base = BASE_GENERAL, .since = GEN8,
     .until = GEN12, ROLE(SHADER_SCRATCH_SPACE_BASE_POINTER)},
    {"Patch URB Entry Read Offset", 132, 137, FIELD_UINT, .until = GEN75,
     ROLE(DS_PATCH_URB_ENTRY_READ_OFFSET)},
    {"Scratch Space Buffer", 138, 159, FIELD_HEX, .since = GEN125, ROLE(SHADER_SCRATCH_SPACE_BUFFER)},
    {"Patch URB Entry Read Length", 139, 145, FIELD_UINT, .until = GEN75,
     ROLE(DS_PATCH_URB_ENTRY_READ_LENGTH)},
    {"Dispatch GRF Start Register For URB Data", 148, 152, FIELD_UINT, .until = GEN75,
     ROLE(DS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA)},
    {"Enable", 160, 160, FIELD_BOOL, .until = GEN75, ROLE(DS_ENABLE)},
    {"DS Cache Disable", 161, 161, FIELD_BOOL, .until = GEN75, ROLE(DS_CACHE_DISABLE)},
    {"Compute W Coordinate Enable", 162, 162, FIELD_BOOL, .until = GEN75,
     ROLE(DS_COMPUTE_W_COORDINATE_ENABLE)},
    {"Statistics Enable", 170, 170, FIELD_BOOL, .until = GEN75, ROLE(DS_STATISTICS_ENABLE)},
    {"Maximum Number of Threads", 181, 189, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Maximum Number of Threads", 185, 191, FIELD_UINT, .until = GEN7},
    {"Patch URB Entry Read Offset", 196, 201, FIELD_UINT, .since = GEN8,
     ROLE(DS_PATCH_URB_ENTRY_READ_OFFSET)},
    {"Patch URB Entry Read Length", 203, 209, FIELD_UINT, .since = GEN8,
     ROLE(DS_PATCH_URB_ENTRY_READ_LENGTH)},
    {"Dispatch GRF Start Register For URB Data", 212, 216, FIELD_UINT, .since = GEN8,
     ROLE(DS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA)},
    {"Enable", 224, 224, FIELD_BOOL, .since = GEN8, ROLE(DS_ENABLE)},
    {"Cache Disable", 225, 225, FIELD_BOOL, .since = GEN8, ROLE(DS_CACHE_DISABLE)},
    {"Compute W Coordinate Enable", 226, 226, FIELD_BOOL, .since = GEN8,
     ROLE(DS_COMPUTE_W_COORDINATE_ENABLE)},
    {"Dispatch Mode", 227, 227, FIELD_UINT, dispatch_mode, .since = GEN8, .until = GEN8,
     ROLE(DS_DISPATCH_MODE)},
    {"Dispatch Mode", 227, 228, FIELD_UINT, dispatch_mode_2, .since = GEN9, .until = GEN9,
     ROLE(DS_DISPATCH_MODE)},
    {"Dispatch Mode", 227, 228, FIELD_UINT, dispatch_mode_3, .since = GEN11, ROLE(DS_DISPATCH_MODE)},
    {"Primitive ID Not Required", 233, 233, FIELD_BOOL, .since = GEN12},
    {"Statistics Enable", 234, 234, FIELD_BOOL, .since = GEN8, ROLE(DS_STATISTICS_ENABLE)},
    {"Maximum Number of Threads", 245, 253, FIELD_UINT, .since = GEN8, .until = GEN9},
    {"Maximum Number of Threads", 245, 254, FIELD_UINT, .since = GEN11},
    {"User Clip Distance Cull Test Enable Bitmask", 256, 263, FIELD_UINT, .since = GEN8,
     ROLE(SHADER_USER_CLIP_DISTANCE_CULL_TEST_ENABLE_BITMASK)},
    {"User Clip Distance Clip Test Enable Bitmask", 264, 271, FIELD_UINT, .since = GEN8,
     ROLE(SHADER_USER_CLIP_DISTANCE_CLIP_TEST_ENABLE_BITMASK)},
    {"Vertex URB Entry Output Length", 272, 276, FIELD_UINT, .since = GEN8},
    {"Vertex URB Entry Output Read Offset", 277, 282, FIELD_UINT, .since = GEN8},
    {"DUAL_PATCH Kernel Start Pointer", 294, 351, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN9},
};
static const struct field_value dispatch_mode_4[] = {
    {"SINGLE_PATCH", 0}, {"DUAL_PATCH", 1}, {"8_PATCH", 2}, {NULL, 0}};
static const struct field_value dispatch_mode_5[] = {{"SINGLE_PATCH", 0}, {"8_PATCH", 2}, {NULL, 0}};
static const struct field f_3dstate_hs[] = {
    {"Patch Count Threshold", 32, 35, FIELD_UINT, .since = GEN200},
    {"Maximum Number of Threads", 32, 38, FIELD_UINT, .until = GEN7},
    {"Maximum Number of Threads", 32, 39, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Software Exception Enable", 39, 39, FIELD_BOOL, .until = GEN7, ROLE(SHADER_SOFTWARE_EXCEPTION_ENABLE)},
    {"Software Exception Enable", 44, 44, FIELD_BOOL, .since = GEN75, ROLE(SHADER_SOFTWARE_EXCEPTION_ENABLE)},
    {"Illegal Opcode Exception Enable", 45, 45, FIELD_BOOL, ROLE(SHADER_ILLEGAL_OPCODE_EXCEPTION_ENABLE)},
    {"Floating Point Mode", 48, 48, FIELD_UINT, values_floating_point_mode, ROLE(SHADER_FLOATING_POINT_MODE)},
    {"Thread Dispatch Priority", 49, 49, FIELD_UINT, values_thread_priority_2, .since = GEN75,
     .until = GEN125},
    {"Thread Dispatch Priority", 49, 49, FIELD_UINT, values_thread_dispatch_priority, .since = GEN200},
    {"Binding Table Entry Count", 50, 57, FIELD_UINT, ROLE(COUNT_BINDING_TABLE_ENTRY_COUNT)},
    {"Sampler Count", 59, 61, FIELD_UINT, values_sampler_count, ROLE(COUNT_SAMPLER_COUNT)},
    {"Instance Count", 64, 67, FIELD_UINT, .until = GEN11, ROLE(HS_INSTANCE_COUNT)},
    {"Instance Count", 64, 68, FIELD_UINT, .since = GEN12, ROLE(HS_INSTANCE_COUNT)},
    {"Maximum Number of Threads", 72, 80, FIELD_UINT, .since = GEN8},
    {"Statistics Enable", 93, 93, FIELD_BOOL, ROLE(HS_STATISTICS_ENABLE)},
    {"Enable", 95, 95, FIELD_BOOL, ROLE(HS_ENABLE)},
    {"Kernel Start Pointer", 102, 127, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75,
     ROLE(HS_KERNEL_START_POINTER)},
    {"Kernel Start Pointer", 102, 159, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8,
     ROLE(HS_KERNEL_START_POINTER)},
    {"Per-Thread Scratch Space", 128, 131, FIELD_UINT, .until = GEN75, ROLE(SHADER_PER_THREAD_SCRATCH_SPACE)},
    {"Per-Thread Scratch Space", 160, 163, FIELD_UINT, .since = GEN8, .until = GEN12,
     ROLE(SHADER_PER_THREAD_SCRATCH_SPACE)},
    {"Scratch Space Base Pointer", 138, 159, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN75,
     ROLE(SHADER_SCRATCH_SPACE_BASE_POINTER)},
    {"Scratch Space Base Pointer", 170, 223, FIELD_ADDRESS, .base = BASE_GENERAL, .since = GEN8,
     .until = GEN12, ROLE(SHADER_SCRATCH_SPACE_BASE_POINTER)},
    {"Vertex URB Entry Read Offset", 164, 169, FIELD_UINT, .until = GEN75},
    {"Scratch Space Buffer", 170, 191, FIELD_HEX, .since = GEN125, ROLE(SHADER_SCRATCH_SPACE_BUFFER)},
    {"Vertex URB Entry Read Length", 171, 176, FIELD_UINT, .until = GEN75,
     ROLE(HS_VERTEX_URB_ENTRY_READ_LENGTH)},
    {"Dispatch GRF Start Register For URB Data", 179, 183, FIELD_UINT, .until = GEN75,
     ROLE(HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA)},
    {"Include Vertex Handles", 184, 184, FIELD_BOOL, .until = GEN75, ROLE(HS_INCLUDE_VERTEX_HANDLES)},
    {"HS accesses UAV", 185, 185, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Vector Mask Enable", 186, 186, FIELD_BOOL, .until = GEN75, ROLE(SHADER_VECTOR_MASK_ENABLE)},
    {"Single Program Flow", 187, 187, FIELD_BOOL, .until = GEN75, ROLE(SHADER_SINGLE_PROGRAM_FLOW)},
    {"Semaphore Handle", 192, 203, FIELD_OFFSET, .until = GEN7},
    {"Semaphore Handle", 192, 204, FIELD_OFFSET, .since = GEN75, .until = GEN75},
    {"Include Primitive ID", 224, 224, FIELD_BOOL, .since = GEN9, ROLE(HS_INCLUDE_PRIMITIVE_ID)},
    {"Patch Count Threshold", 225, 227, FIELD_UINT, .since = GEN12, .until = GEN125},
    {"Vertex URB Entry Read Offset", 228, 233, FIELD_UINT, .since = GEN8},
    {"Vertex URB Entry Read Length", 235, 240, FIELD_UINT, .since = GEN8,
     ROLE(HS_VERTEX_URB_ENTRY_READ_LENGTH)},
    {"Dispatch Mode", 241, 242, FIELD_UINT, dispatch_mode_4, .since = GEN9, .until = GEN9,
     ROLE(HS_DISPATCH_MODE)},
    {"Dispatch Mode", 241, 242, FIELD_UINT, dispatch_mode_5, .since = GEN11, ROLE(HS_DISPATCH_MODE),
     .until = GEN125},
    {"Dispatch GRF Start Register For URB Data", 243, 247, FIELD_UINT, .since = GEN8,
     ROLE(HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA)},
    {"Include Vertex Handles", 248, 248, FIELD_BOOL, .since = GEN8, ROLE(HS_INCLUDE_VERTEX_HANDLES)},
    {"Accesses UAV", 249, 249, FIELD_BOOL, .since = GEN8},
    {"Vector Mask Enable", 250, 250, FIELD_BOOL, .since = GEN8, ROLE(SHADER_VECTOR_MASK_ENABLE),
     .until = GEN125},
    {"Vector Mask Enable", 250, 250, FIELD_UINT, values_dmask, ROLE(SHADER_VECTOR_MASK_ENABLE),
     .since = GEN200},
    {"Single Program Flow", 251, 251, FIELD_BOOL, .since = GEN8, ROLE(SHADER_SINGLE_PROGRAM_FLOW)},
    {"Dispatch GRF Start Register For URB Data [5]", 252, 252, FIELD_UINT, .since = GEN9,
     ROLE(HS_DISPATCH_GRF_START_REGISTER_FOR_URB_DATA_5)},
};
#define CONTROL_FIELDS(shader)                                                                               \
    {"Maximum Number of ThreadGroups", 32, 40, FIELD_UINT},                                                  \
        {"Thread Dispatch Priority", 60, 60, FIELD_UINT, values_thread_priority_2},                          \
        {"Fused EU Dispatch", 61, 61, FIELD_BOOL}, {"Statistics Enable", 62, 62, FIELD_BOOL},                \
        {shader " Enable", 63, 63, FIELD_UINT},                                                              \
    {                                                                                                        \
        "Scratch Space Buffer", 74, 95, FIELD_HEX                                                            \
    }
static const struct field f_3dstate_mesh_control[] = {
    CONTROL_FIELDS("MeshShader"),
    {"VP and RTA Index Autostrip Enable", 59, 59, FIELD_BOOL, .since = GEN200},
};
static const struct field_value distribution_mode[] = {{"RR_FREE", 1}, {"RR_STRICT", 0}, {NULL, 0}};
static const struct field f_3dstate_mesh_distrib[] = {
    {"Mesh Distribution Disable", 32, 32, FIELD_BOOL},
    {"Task Distribution Disable", 33, 33, FIELD_BOOL},
    {"Distribution Mode", 34, 34, FIELD_UINT, distribution_mode},
    {"Mesh Distribution Batch Size", 36, 39, FIELD_UINT},
    {"Task Distribution Batch Size", 42, 45, FIELD_UINT},
};
static const struct field_value index_format[] = {{"U888X", 0}, {"U101010X", 1}, {"U8", 4},
                                                  {"U16", 5},   {"U32", 3},      {NULL, 0}};
static const struct field_value output_topology[] = {{"POINT", 0}, {"LINE", 1}, {"TRI", 2}, {NULL, 0}};
#define TASK_OR_MESH_FIELDS                                                                                  \
    {"Kernel Start Pointer", 38, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION},                                \
        {"Local X Maximum", 96, 105, FIELD_UINT}, {"Software Exception Enable", 106, 106, FIELD_BOOL},       \
        {"Mask Stack Exception Enable", 107, 107, FIELD_BOOL},                                               \
        {"Illegal Opcode Exception Enable", 109, 109, FIELD_BOOL},                                           \
        {"Floating Point Mode", 112, 112, FIELD_UINT, values_floating_point_mode},                           \
        {"Single Program Flow", 114, 114, FIELD_UINT},                                                       \
        {"Denorm Mode", 115, 115, FIELD_UINT, values_denorm_mode},                                           \
        {"Number of Threads in GPGPU Thread Group", 128, 137, FIELD_UINT},                                   \
        {"Shared Local Memory Size", 144, 148, FIELD_UINT}, {"Barrier Enable", 149, 149, FIELD_BOOL},        \
        {"Rounding Mode", 150, 151, FIELD_UINT, values_rounding_mode},                                       \
        {"Preferred SLM Allocation Size", 152, 155, FIELD_UINT, .until = GEN125},                            \
        {"Preferred SLM Allocation Size",                                                                    \
         152,                                                                                                \
         155,                                                                                                \
         FIELD_UINT,                                                                                         \
         values_preferred_slm_allocation_size,                                                               \
         .since = GEN200},                                                                                   \
        {"Number of Barriers", 156, 158, FIELD_UINT}, {"Indirect Data Length", 160, 176, FIELD_HEX},         \
        {"L3 Prefetch Disable", 177, 177, FIELD_BOOL}, {"Emit Local ID X", 178, 178, FIELD_BOOL},            \
        {"Emit Inline Parameter", 179, 179, FIELD_BOOL}, {"Systolic Mode Enable", 180, 180, FIELD_BOOL},     \
        {"Accesses UAV", 181, 181, FIELD_BOOL}, {"XP0 Required", 182, 182, FIELD_UINT},                      \
        {"Message SIMD", 188, 189, FIELD_UINT, values_message_simd},                                         \
        {"SIMD Size", 190, 191, FIELD_UINT, values_message_simd},                                            \
    {                                                                                                        \
        "Execution Mask", 192, 223, FIELD_HEX                                                                \
    }
static const struct field f_3dstate_mesh_shader[] = {
    TASK_OR_MESH_FIELDS,
    {"Maximum Primitive Count", 224, 233, FIELD_UINT},
    {"Per-Primitive Data Pitch", 236, 240, FIELD_UINT},
    {"Per-Vertex Data Pitch", 244, 248, FIELD_UINT},
    {"Index Format", 249, 251, FIELD_UINT, index_format},
    {"Output Topology", 252, 253, FIELD_UINT, output_topology},
    {"Per-Primitive Data Present", 255, 255, FIELD_UINT},
};
static const struct field f_3dstate_task_or_mesh_data[] = {
    {"Indirect Data Start Address", 38, 63, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT},
    {"Inline Data[#]", 64, 95, FIELD_HEX, .count = 8, .stride = 32},
};
static const struct field f_3dstate_sbe_mesh[] = {
    {"Per-Vertex URB Entry Output Read Length", 32, 36, FIELD_UINT},
    {"Per-Vertex URB Entry Output Read Offset", 37, 42, FIELD_UINT},
    {"Per-Primitive URB Entry Output Read Length", 43, 47, FIELD_UINT},
    {"Per-Primitive URB Entry Output Read Offset", 48, 53, FIELD_UINT},
};
static const struct field f_3dstate_task_control[] = {CONTROL_FIELDS("TaskShader")};
static const struct field_value task_redistribution_mode[] = {
    {"TASKREDISTRIB_OFF", 0}, {"TASKREDISTRIB_RR_STRICT", 1}, {"TASKREDISTRIB_RR_FREE", 2}, {NULL, 0}};
static const struct field_value task_redistribution_level[] = {
    {"TASKREDISTRIB_TASK", 0}, {"TASKREDISTRIB_BOM", 1}, {NULL, 0}};
static const struct field_value local_bot_accumulator_threshold[] = {
    {"MULTIPLIER_0", 0}, {"MULTIPLIER_1", 1}, {"MULTIPLIER_2", 2}, {"MULTIPLIER_4", 3}, {NULL, 0}};
static const struct field f_3dstate_task_redistrib[] = {
    {"Task Redistribution Mode", 32, 33, FIELD_UINT, task_redistribution_mode},
    {"Task Redistribution Level", 34, 35, FIELD_UINT, task_redistribution_level},
    {"Target Mesh Batch Size", 36, 39, FIELD_UINT},
    {"Small TaskThreshold", 42, 44, FIELD_UINT},
    {"Local BOT Accumulator Threshold", 48, 49, FIELD_UINT, local_bot_accumulator_threshold},
};
static const struct field f_3dstate_task_shader[] = {TASK_OR_MESH_FIELDS};
static const struct field_value te_mode[] = {{"HW_TESS", 0}, {"SW_TESS", 1}, {NULL, 0}};
static const struct field_value te_mode_2[] = {{"HW_TESS", 0}, {NULL, 0}};
static const struct field_value te_domain[] = {{"QUAD", 0}, {"TRI", 1}, {"ISOLINE", 2}, {NULL, 0}};
static const struct field_value output_topology_2[] = {
    {"POINT", 0}, {"LINE", 1}, {"TRI_CW", 2}, {"TRI_CCW", 3}, {NULL, 0}};
static const struct field_value partitioning[] = {
    {"INTEGER", 0}, {"ODD_FRACTIONAL", 1}, {"EVEN_FRACTIONAL", 2}, {NULL, 0}};
static const struct field_value tessellation_distribution_mode[] = {
    {"TEDMODE_OFF", 0}, {"TEDMODE_RR_STRICT", 1}, {"TEDMODE_RR_FREE", 2}, {NULL, 0}};
static const struct field_value tessellation_distribution_level[] = {{"TEDLEVEL_PATCH", 0}, {NULL, 0}};
static const struct field_value small_patch_threshold[] = {{"SPT_8_TRIANGLES", 0},
                                                           {"SPT_16_TRIANGLES", 1},
                                                           {"SPT_32_TRIANGLES", 2},
                                                           {"SPT_64_TRIANGLES", 3},
                                                           {NULL, 0}};
static const struct field_value target_block_size[] = {{"64_TRIANGLES", 0},
                                                       {"96_TRIANGLES", 1},
                                                       {"128_TRIANGLES", 2},
                                                       {"192_TRIANGLES", 3},
                                                       {"256_TRIANGLES", 4},
                                                       {"384_TRIANGLES", 5},
                                                       {"512_TRIANGLES", 6},
                                                       {"768_TRIANGLES", 7},
                                                       {"1K_TRIANGLES", 8},
                                                       {"1.5K_TRIANGLES", 9},
                                                       {"2K_TRIANGLES", 10},
                                                       {"3K_TRIANGLES", 11},
                                                       {"4K_TRIANGLES", 12},
                                                       {"6K_TRIANGLES", 13},
                                                       {"8K_TRIANGLES", 14},
                                                       {"12K_TRIANGLES", 15},
                                                       {NULL, 0}};
static const struct field_value local_bop_accumulator_threshold[] = {
    {"MULTIPLIER_0", 0}, {"MULTIPLIER_1", 1}, {"MULTIPLIER_2", 2}, {"MULTIPLIER_3", 3}, {NULL, 0}};
static const struct field_value te_mode_3[] = {{"HW_TESS", 0}, {"FORCE_MIN", 3}, {NULL, 0}};
static const struct field_value partitioning_2[] = {
    {"INTEGER", 0}, {"ODD_FRACTIONAL", 1}, {"EVEN_FRACTIONAL", 2}, {"POW2", 3}, {NULL, 0}};
static const struct field_value tessellation_distribution_level_2[] = {
    {"TEDLEVEL_PATCH", 0}, {"TEDLEVEL_REGION", 1}, {NULL, 0}};
static const struct field_value tessellation_factor_format[] = {{"FLOAT32", 0}, {"FLOAT16", 1}, {NULL, 0}};
static const struct field_value patch_header_layout[] = {
    {"LEGACY", 0}, {"REVERSED", 2}, {"REVERSED_TRI_INSIDE_SEPARATE", 3}, {NULL, 0}};
static const struct field_value small_patch_threshold_2[] = {
    {"8_TRIANGLES", 0}, {"16_TRIANGLES", 1}, {"32_TRIANGLES", 2}, {"64_TRIANGLES", 3}, {NULL, 0}};
static const struct field f_3dstate_te[] = {
    {"TE Enable", 32, 32, FIELD_BOOL, ROLE(TE_ENABLE)},
    {"TE Mode", 33, 34, FIELD_UINT, te_mode, .until = GEN8, ROLE(TE_MODE)},
    {"TE Mode", 33, 34, FIELD_UINT, te_mode_2, .since = GEN9, .until = GEN125},
    {"TE Mode", 33, 34, FIELD_UINT, te_mode_3, .since = GEN200},
    {"TE Domain", 36, 37, FIELD_UINT, te_domain, ROLE(TE_DOMAIN)},
    {"Output Topology", 40, 41, FIELD_UINT, output_topology_2, ROLE(TE_OUTPUT_TOPOLOGY)},
    {"Number Of Regions Per Patch", 42, 43, FIELD_UINT, .since = GEN200},
    {"Partitioning", 44, 45, FIELD_UINT, partitioning, ROLE(TE_PARTITIONING), .until = GEN125},
    {"Partitioning", 44, 45, FIELD_UINT, partitioning_2, ROLE(TE_PARTITIONING), .since = GEN200},
    {"Tessellation Distribution Mode", 46, 47, FIELD_UINT, tessellation_distribution_mode, .since = GEN125},
    {"Tessellation Distribution Level", 49, 50, FIELD_UINT, tessellation_distribution_level, .since = GEN125,
     .until = GEN125},
    {"Tessellation Distribution Level", 49, 50, FIELD_UINT, tessellation_distribution_level_2,
     .since = GEN200},
    {"Tessellation Scale Factor Enable", 51, 51, FIELD_BOOL, .since = GEN200},
    {"Tessellation Factor Format", 52, 52, FIELD_UINT, tessellation_factor_format, .since = GEN200},
    {"Patch Header Layout", 54, 55, FIELD_UINT, patch_header_layout, ROLE(TE_PATCH_HEADER_LAYOUT),
     .since = GEN12},
    {"Small Patch Threshold", 56, 57, FIELD_UINT, small_patch_threshold, .since = GEN125, .until = GEN125},
    {"Small Patch Threshold", 56, 57, FIELD_UINT, small_patch_threshold_2, .since = GEN200},
    {"Target Block Size", 58, 61, FIELD_UINT, target_block_size, .since = GEN125},
    {"Local BOP Accumulator Threshold", 62, 63, FIELD_UINT, local_bop_accumulator_threshold, .since = GEN125,
     .until = GEN125},
    {"Local BOP Accumulator Threshold", 62, 63, FIELD_UINT, local_bot_accumulator_threshold, .since = GEN200},
    {"Maximum Tessellation Factor Odd", 64, 95, FIELD_FLOAT, ROLE(TE_MAXIMUM_TESSELLATION_FACTOR_ODD)},
    {"Maximum Tessellation Factor Not Odd", 96, 127, FIELD_FLOAT,
     ROLE(TE_MAXIMUM_TESSELLATION_FACTOR_NOT_ODD)},
    {"Tessellation Scale Factor", 128, 159, FIELD_FLOAT, .since = GEN200},
};

static const struct command rows[] = {
    {.name = "3DSTATE_CLIP_MESH",
     .summary = "Clipping of mesh primitives.",
     STATE_3D(STATE_CLIP_MESH),
     .since = GEN125,
     .min_dwords = 2,
     FIELDS(f_3dstate_clip_mesh),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_DS",
     .summary = "The domain shader: kernel and dispatch.",
     STATE_3D(STATE_DS),
     .since = GEN7,
     .min_dwords = 6,
     FIELDS(f_3dstate_ds),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 9, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .min_dwords = 11, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_HS",
     .summary = "The hull shader: kernel and dispatch.",
     STATE_3D(STATE_HS),
     .since = GEN7,
     .min_dwords = 7,
     FIELDS(f_3dstate_hs),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 9, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, ICL PRM vol 2a"},
    {.since = GEN12, .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .min_dwords = 8, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "3DSTATE_MESH_CONTROL",
     .summary = "Mesh shading: modes.",
     STATE_3D(STATE_MESH_CONTROL),
     .since = GEN125,
     .min_dwords = 3,
     FIELDS(f_3dstate_mesh_control),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "3DSTATE_MESH_DISTRIB",
     .summary = "How mesh work is spread.",
     STATE_3D(STATE_MESH_DISTRIB),
     .since = GEN125,
     .min_dwords = 2,
     FIELDS(f_3dstate_mesh_distrib),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_MESH_SHADER",
     .summary = "The mesh shader: kernel and dispatch.",
     STATE_3D(STATE_MESH_SHADER),
     .since = GEN125,
     .min_dwords = 8,
     FIELDS(f_3dstate_mesh_shader),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "3DSTATE_MESH_SHADER_DATA",
     .summary = "Inline data of the mesh shader.",
     STATE_3D(STATE_MESH_SHADER_DATA),
     .since = GEN125,
     .min_dwords = 10,
     FIELDS(f_3dstate_task_or_mesh_data),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_SBE_MESH",
     .summary = "Attributes of mesh primitives.",
     STATE_3D(STATE_SBE_MESH),
     .since = GEN125,
     .min_dwords = 2,
     FIELDS(f_3dstate_sbe_mesh),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_TASK_CONTROL",
     .summary = "Task shading: modes.",
     STATE_3D(STATE_TASK_CONTROL),
     .since = GEN125,
     .min_dwords = 3,
     FIELDS(f_3dstate_task_control),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_TASK_REDISTRIB",
     .summary = "How task output is spread.",
     STATE_3D(STATE_TASK_REDISTRIB),
     .since = GEN125,
     .min_dwords = 2,
     FIELDS(f_3dstate_task_redistrib),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_TASK_SHADER",
     .summary = "The task shader: kernel and dispatch.",
     STATE_3D(STATE_TASK_SHADER),
     .since = GEN125,
     .min_dwords = 7,
     FIELDS(f_3dstate_task_shader),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "3DSTATE_TASK_SHADER_DATA",
     .summary = "Inline data of the task shader.",
     STATE_3D(STATE_TASK_SHADER_DATA),
     .since = GEN125,
     .min_dwords = 10,
     FIELDS(f_3dstate_task_or_mesh_data),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DSTATE_TE",
     .summary = "The tessellator: domain, partitioning, limits.",
     STATE_3D(STATE_TE),
     .since = GEN7,
     .min_dwords = 4,
     FIELDS(f_3dstate_te),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN125, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .min_dwords = 5, .spec = "CSP-08; Mesa, genxml of gen200"},
};

const struct command_table state_3d_tessellation_commands = COMMAND_TABLE(rows);
