/* Common state, draws and dispatches: state is kept, threads are dispatched, other work is counted. Field
 * names and places as the public manuals of each generation give them. (CSP-08) */
#include "dispatcher/dispatcher.h"
#include "engine/execution.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "state_commands/state_commands.h"
#include "structures/values.h"
#include "state_commands/walkers.h"

static const struct field f_3dmesh_1d[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL},
    {"UAV Coherency Required", 9, 9, FIELD_BOOL},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL},
    {"TBIMR Enabled", 13, 13, FIELD_UINT},
    {"Extended Parameter 0 Present", 14, 14, FIELD_UINT},
    {"ThreadGroup Count X", 32, 63, FIELD_HEX},
    {"Starting ThreadGroup ID X", 64, 95, FIELD_HEX},
    {"Extended Parameter 0 (XP0)", 96, 127, FIELD_HEX},
};
static const struct field f_3dmesh_3d[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL},
    {"UAV Coherency Required", 9, 9, FIELD_BOOL},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL},
    {"TBIMR Enabled", 13, 13, FIELD_UINT},
    {"Extended Parameter 0 Present", 14, 14, FIELD_UINT},
    {"ThreadGroup Count X", 32, 63, FIELD_HEX},
    {"ThreadGroup Count Y", 64, 95, FIELD_HEX},
    {"ThreadGroup Count Z", 96, 127, FIELD_HEX},
    {"Extended Parameter 0 (XP0)", 128, 159, FIELD_HEX},
};
static const struct field_value over_dispatch_control[] = {{"Over Dispatch None", 0},
                                                           {"Over Dispatch Low", 1},
                                                           {"Over Dispatch Normal", 2},
                                                           {"Over Dispatch High", 3},
                                                           {NULL, 0}};
static const struct field_value stack_id_control[] = {
    {"StackIDs 2048", 0}, {"StackIDs 1024", 1}, {"StackIDs 512", 2}, {"StackIDs 256", 3}, {NULL, 0}};
static const struct field f_cfe_state[] = {
    {"Scratch Space Buffer", 42, 63, FIELD_HEX, ROLE(FRONT_END_SCRATCH_SPACE_BUFFER)},
    {"Stack ID Control", 96, 97, FIELD_UINT, stack_id_control, .since = GEN200},
    {"Number of Walkers", 99, 101, FIELD_UINT, .until = GEN125},
    {"Fused EU Dispatch", 102, 102, FIELD_BOOL, .until = GEN125},
    {"Compute Dispatch All walker Enable", 108, 108, FIELD_BOOL, .since = GEN200},
    {"Single Slice Dispatch CCS Mode", 109, 109, FIELD_BOOL},
    {"Over Dispatch Control", 110, 111, FIELD_UINT, over_dispatch_control},
    {"Maximum Number of Threads", 112, 127, FIELD_UINT},
};
static const struct field_value partition_type[] = {
    {"WALKER_PARTITION_X", 1}, {"WALKER_PARTITION_Y", 2}, {"WALKER_PARTITION_Z", 3}, {NULL, 0}};
static const struct field_value tile_layout_names[] = {
    {"Linear", 0}, {"TileY 32bpe", 1}, {"TileY 64bpe", 2}, {"TileY 128bpe", 3}, {NULL, 0}};
static const struct field_value walk_order[] = {{"Walk 012", 0}, {"Walk 021", 1}, {"Walk 102", 2},
                                                {"Walk 120", 3}, {"Walk 201", 4}, {"Walk 210", 5},
                                                {NULL, 0}};
static const struct field_value dispatch_walk_order[] = {{"Linear walk", 0}, {"Y-order walk", 1}, {NULL, 0}};
static const struct field_value emit_local[] = {
    {"Emit None", 0}, {"Emit X", 1}, {"Emit XY", 3}, {"Emit XYZ", 7}, {NULL, 0}};
static const struct field_value walker_enable[] = {{"Disabled", 0}, {"Enabled", 1}, {NULL, 0}};
/* The interface descriptor; the post-sync operation and what follows it. `dw` is their first dword. */
#define WALKER_DESCRIPTOR(dw, ...)                                                                             \
    {"Interface Descriptor Kernel Start Pointer",                                                              \
     (dw)*32 + 6,                                                                                              \
     (dw)*32 + 31,                                                                                             \
     FIELD_OFFSET,                                                                                             \
     .base = BASE_INSTRUCTION,                                                                                 \
     ROLE(DESCRIPTOR_KERNEL_START_POINTER),                                                                    \
     __VA_ARGS__},                                                                                             \
        {"Interface Descriptor Software Exception Enable", (dw)*32 + 71, (dw)*32 + 71, FIELD_BOOL,             \
         ROLE(DESCRIPTOR_SOFTWARE_EXCEPTION_ENABLE),       __VA_ARGS__},                                       \
        {"Interface Descriptor Illegal Opcode Exception Enable", (dw)*32 + 77, (dw)*32 + 77, FIELD_BOOL,       \
         ROLE(DESCRIPTOR_ILLEGAL_OPCODE_EXCEPTION_ENABLE),       __VA_ARGS__},                                 \
        {"Interface Descriptor Floating Point Mode",                                                           \
         (dw)*32 + 80,                                                                                         \
         (dw)*32 + 80,                                                                                         \
         FIELD_UINT,                                                                                           \
         values_floating_point_mode,                                                                           \
         ROLE(DESCRIPTOR_FLOATING_POINT_MODE),                                                                 \
         __VA_ARGS__},                                                                                         \
        {"Interface Descriptor Single Program Flow", (dw)*32 + 82, (dw)*32 + 82, FIELD_BOOL,                   \
         ROLE(DESCRIPTOR_SINGLE_PROGRAM_FLOW),       __VA_ARGS__},                                             \
        {"Interface Descriptor Denorm Mode", (dw)*32 + 83, (dw)*32 + 83, FIELD_UINT, values_denorm_mode,       \
         ROLE(DESCRIPTOR_DENORM_MODE),       __VA_ARGS__},                                                     \
        {"Interface Descriptor Sampler Count",                                                                 \
         (dw)*32 + 98,                                                                                         \
         (dw)*32 + 100,                                                                                        \
         FIELD_UINT,                                                                                           \
         values_sampler_count_2,                                                                               \
         __VA_ARGS__},                                                                                         \
        {"Interface Descriptor Sampler State Pointer", (dw)*32 + 101, (dw)*32 + 127, FIELD_OFFSET,             \
         ROLE(DESCRIPTOR_SAMPLER_STATE_POINTER),       __VA_ARGS__},                                           \
        {"Interface Descriptor Binding Table Entry Count", (dw)*32 + 128, (dw)*32 + 132, FIELD_UINT,           \
         __VA_ARGS__},                                                                                         \
        {"Interface Descriptor Binding Table Pointer", (dw)*32 + 133, (dw)*32 + 148, FIELD_OFFSET,             \
         ROLE(DESCRIPTOR_BINDING_TABLE_POINTER),       __VA_ARGS__},                                           \
        {"Interface Descriptor Number of Threads in GPGPU Thread Group",                                       \
         (dw)*32 + 160,                                                                                        \
         (dw)*32 + 169,                                                                                        \
         FIELD_UINT,                                                                                           \
         ROLE(DESCRIPTOR_NUMBER_OF_THREADS_IN_GPGPU_THREAD_GROUP),                                             \
         __VA_ARGS__},                                                                                         \
        {"Interface Descriptor Rounding Mode", (dw)*32 + 182, (dw)*32 + 183, FIELD_UINT, values_rounding_mode, \
         ROLE(DESCRIPTOR_ROUNDING_MODE),       __VA_ARGS__},                                                   \
        {"Interface Descriptor Thread Group Dispatch Size",                                                    \
         (dw)*32 + 186,                                                                                        \
         (dw)*32 + 187,                                                                                        \
         FIELD_UINT,                                                                                           \
         values_thread_group_dispatch_size,                                                                    \
         __VA_ARGS__},                                                                                         \
        {"Interface Descriptor Number Of Barriers",                                                            \
         (dw)*32 + 188,                                                                                        \
         (dw)*32 + 190,                                                                                        \
         FIELD_UINT,                                                                                           \
         values_number_of_barriers,                                                                            \
         __VA_ARGS__},                                                                                         \
    {                                                                                                          \
        "Interface Descriptor BTD Mode", (dw)*32 + 191, (dw)*32 + 191, FIELD_UINT, __VA_ARGS__                 \
    }
#define WALKER_POST_SYNC(dw, ...)                                                                            \
    {"Post Sync Operation",                                                                                  \
     (dw)*32 + 0,                                                                                            \
     (dw)*32 + 1,                                                                                            \
     FIELD_UINT,                                                                                             \
     values_fdw_operations,                                                                                  \
     ROLE(WALKER_POST_SYNC_OPERATION),                                                                       \
     __VA_ARGS__},                                                                                           \
        {"Post Sync HDC Pipeline Flush", (dw)*32 + 2, (dw)*32 + 2, FIELD_BOOL, __VA_ARGS__},                 \
        {"Post Sync MOCS", (dw)*32 + 4, (dw)*32 + 10, FIELD_UINT, __VA_ARGS__},                              \
        {"Post Sync Destination Address",                                                                    \
         (dw)*32 + 32,                                                                                       \
         (dw)*32 + 95,                                                                                       \
         FIELD_ADDRESS,                                                                                      \
         ROLE(WALKER_POST_SYNC_DESTINATION_ADDRESS),                                                         \
         __VA_ARGS__},                                                                                       \
        {"Post Sync Immediate Data",                                                                         \
         (dw)*32 + 96,                                                                                       \
         (dw)*32 + 159,                                                                                      \
         FIELD_HEX,                                                                                          \
         ROLE(WALKER_POST_SYNC_IMMEDIATE_DATA),                                                              \
         __VA_ARGS__},                                                                                       \
    {                                                                                                        \
        "Inline Data[#]", (dw)*32 + 160, (dw)*32 + 191, FIELD_HEX, .count = 8, .stride = 32,                 \
                                                                   ROLE(WALKER_INLINE_DATA), __VA_ARGS__     \
    }
static const struct field f_compute_walker[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, ROLE(WALKER_PREDICATE_ENABLE)},
    {"Workload Partition Enable", 9, 9, FIELD_BOOL, ROLE(WALKER_WORKLOAD_PARTITION_ENABLE)},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL, ROLE(WALKER_INDIRECT_PARAMETER_ENABLE)},
    {"Systolic Mode Enable", 14, 14, FIELD_BOOL},
    {"Debug Object ID", 40, 63, FIELD_HEX},
    {"Indirect Data Length", 64, 80, FIELD_HEX},
    {"L3 prefetch disable", 81, 81, FIELD_BOOL},
    {"Partition Dispatch Parameter", 82, 93, FIELD_UINT},
    {"Partition Type", 94, 95, FIELD_UINT, partition_type, ROLE(WALKER_PARTITION_TYPE)},
    {"Indirect Data Start Address", 102, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT,
     ROLE(WALKER_INDIRECT_DATA_START_ADDRESS)},
    {"Compute Dispatch All walker Enable", 128, 128, FIELD_UINT, walker_enable, .since = GEN200},
    {"Dispatch Walk Order", 133, 134, FIELD_UINT, dispatch_walk_order},
    {"Message SIMD", 145, 146, FIELD_UINT, values_message_simd, .until = GEN125},
    {"Message SIMD", 145, 146, FIELD_UINT, values_message_simt, .since = GEN200},
    {"Tile Layout", 147, 149, FIELD_UINT, tile_layout_names, ROLE(WALKER_TILE_LAYOUT)},
    {"Walk Order", 150, 152, FIELD_UINT, walk_order, ROLE(WALKER_WALK_ORDER)},
    {"Emit Inline Parameter", 153, 153, FIELD_BOOL, ROLE(WALKER_EMIT_INLINE_PARAMETER)},
    {"Emit Local", 154, 156, FIELD_UINT, emit_local, ROLE(WALKER_EMIT_LOCAL)},
    {"Generate Local ID", 157, 157, FIELD_BOOL},
    {"SIMD Size", 158, 159, FIELD_UINT, values_message_simd, ROLE(WALKER_SIMD_SIZE), .until = GEN125},
    {"SIMD Size", 158, 159, FIELD_UINT, values_message_simt, ROLE(WALKER_SIMD_SIZE), .since = GEN200},
    {"Execution Mask", 160, 191, FIELD_HEX, ROLE(WALKER_RIGHT_EXECUTION_MASK)},
    {"Local X Maximum", 192, 201, FIELD_UINT, ROLE(WALKER_LOCAL_X_MAXIMUM)},
    {"Local Y Maximum", 202, 211, FIELD_UINT, ROLE(WALKER_LOCAL_Y_MAXIMUM)},
    {"Local Z Maximum", 212, 221, FIELD_UINT, ROLE(WALKER_LOCAL_Z_MAXIMUM)},
    {"Thread Group ID X Dimension", 224, 255, FIELD_HEX, ROLE(WALKER_THREAD_GROUP_ID_X_DIMENSION)},
    {"Thread Group ID Y Dimension", 256, 287, FIELD_HEX, ROLE(WALKER_THREAD_GROUP_ID_Y_DIMENSION)},
    {"Thread Group ID Z Dimension", 288, 319, FIELD_HEX, ROLE(WALKER_THREAD_GROUP_ID_Z_DIMENSION)},
    {"Thread Group ID Starting X", 320, 351, FIELD_HEX, ROLE(WALKER_THREAD_GROUP_ID_STARTING_X)},
    {"Thread Group ID Starting Y", 352, 383, FIELD_HEX, ROLE(WALKER_THREAD_GROUP_ID_STARTING_Y)},
    {"Thread Group ID Starting Z", 384, 415, FIELD_HEX, ROLE(WALKER_THREAD_GROUP_ID_STARTING_Z)},
    {"Partition ID", 416, 447, FIELD_HEX, ROLE(WALKER_PARTITION_ID)},
    {"Partition Size", 448, 479, FIELD_HEX, ROLE(WALKER_PARTITION_SIZE)},
    {"Preempt X", 480, 511, FIELD_HEX},
    {"Preempt Y", 512, 543, FIELD_HEX},
    {"Preempt Z", 544, 575, FIELD_HEX},
    WALKER_DESCRIPTOR(18, .until = GEN125),
    WALKER_POST_SYNC(26, .until = GEN125),
    {"Interface Descriptor Mask Stack Exception Enable", 651, 651, FIELD_BOOL, .until = GEN125},
    {"Interface Descriptor Thread Preemption Disable", 660, 660, FIELD_UINT, .until = GEN125},
    {"Interface Descriptor Shared Local Memory Size", 752, 756, FIELD_UINT, values_shared_local_memory_size,
     ROLE(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE), .until = GEN125},
    {"Interface Descriptor Barrier Enable", 757, 757, FIELD_BOOL, .until = GEN125},
    {"Interface Descriptor Preferred SLM Allocation Size", 768, 771, FIELD_UINT, .until = GEN125},
    {"Post Sync L3 flush", 835, 835, FIELD_BOOL, .until = GEN125},
    {"Post Sync System Memory Fence Request", 843, 843, FIELD_BOOL, .until = GEN125},
    {"Post Sync Dataport Subslice Cache Flush", 844, 844, FIELD_BOOL, .until = GEN125},
    WALKER_DESCRIPTOR(19, .since = GEN200),
    WALKER_POST_SYNC(27, .since = GEN200),
    {"Walker ID", 576, 579, FIELD_UINT, .since = GEN200},
    {"Over dispatch TG count", 584, 599, FIELD_UINT, .since = GEN200},
    {"Interface Descriptor Thread Preemption", 692, 692, FIELD_BOOL, .since = GEN200},
    {"Interface Descriptor Thread group forward progress guarantee", 781, 781, FIELD_BOOL, .since = GEN200},
    {"Interface Descriptor Shared Local Memory Size", 784, 788, FIELD_UINT, values_shared_local_memory_size_2,
     ROLE(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE), .since = GEN200},
    {"Interface Descriptor Preferred SLM Allocation Size", 832, 835, FIELD_UINT,
     values_preferred_slm_allocation_size, .since = GEN200},
    {"Post Sync System Memory Fence Request", 875, 875, FIELD_BOOL, .since = GEN200},
    {"Post Sync Dataport Subslice Cache Flush", 876, 876, FIELD_BOOL, .since = GEN200},
};
static const struct field f_gpgpu_csr_base_address[] = {
    {"GPGPU CSR Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75},
    {"GPGPU CSR Base Address", 44, 95, FIELD_ADDRESS, .since = GEN8},
};
static const struct field_value slice_destination_select[] = {{"Slice 0", 0}, {"Slice 1", 1}, {NULL, 0}};
static const struct field f_gpgpu_object[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL},
    {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75},
    {"Shared Local Memory Fixed Offset", 39, 39, FIELD_UINT},
    {"Indirect Data Length", 64, 80, FIELD_HEX},
    {"Half-Slice Destination Select", 81, 82, FIELD_UINT, values_half_slice_destination_select},
    {"Slice Destination Select", 83, 83, FIELD_UINT, slice_destination_select, .since = GEN75},
    {"End of Thread Group", 88, 88, FIELD_UINT},
    {"Shared Local Memory Offset", 92, 95, FIELD_UINT},
    {"Indirect Data Start Address", 96, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT},
    {"Thread Group ID X", 128, 159, FIELD_HEX},
    {"Thread Group ID Y", 160, 191, FIELD_HEX},
    {"Thread Group ID Z", 192, 223, FIELD_HEX},
    {"Execution Mask", 224, 255, FIELD_HEX},
};
static const struct field f_gpgpu_walker[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, ROLE(WALKER_PREDICATE_ENABLE)},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL, ROLE(WALKER_INDIRECT_PARAMETER_ENABLE)},
    {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7,
     ROLE(WALKER_INTERFACE_DESCRIPTOR_OFFSET)},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75,
     ROLE(WALKER_INTERFACE_DESCRIPTOR_OFFSET)},
    {"Thread Width Counter Maximum", 64, 69, FIELD_UINT, .until = GEN75,
     ROLE(WALKER_THREAD_WIDTH_COUNTER_MAXIMUM)},
    {"Indirect Data Length", 64, 80, FIELD_HEX, .since = GEN8, ROLE(WALKER_INDIRECT_DATA_LENGTH)},
    {"Thread Height Counter Maximum", 72, 77, FIELD_UINT, .until = GEN75,
     ROLE(WALKER_THREAD_HEIGHT_COUNTER_MAXIMUM)},
    {"Thread Depth Counter Maximum", 80, 85, FIELD_UINT, .until = GEN75,
     ROLE(WALKER_THREAD_DEPTH_COUNTER_MAXIMUM)},
    {"SIMD Size", 94, 95, FIELD_UINT, values_message_simd, .until = GEN75, ROLE(WALKER_SIMD_SIZE)},
    {"Thread Group ID Starting X", 96, 127, FIELD_HEX, .until = GEN75,
     ROLE(WALKER_THREAD_GROUP_ID_STARTING_X)},
    {"Indirect Data Start Address", 102, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT, .since = GEN8,
     ROLE(WALKER_INDIRECT_DATA_START_ADDRESS)},
    {"Thread Group ID X Dimension", 128, 159, FIELD_HEX, .until = GEN75,
     ROLE(WALKER_THREAD_GROUP_ID_X_DIMENSION)},
    {"Thread Width Counter Maximum", 128, 133, FIELD_UINT, .since = GEN8,
     ROLE(WALKER_THREAD_WIDTH_COUNTER_MAXIMUM)},
    {"Thread Height Counter Maximum", 136, 141, FIELD_UINT, .since = GEN8,
     ROLE(WALKER_THREAD_HEIGHT_COUNTER_MAXIMUM)},
    {"Thread Depth Counter Maximum", 144, 149, FIELD_UINT, .since = GEN8,
     ROLE(WALKER_THREAD_DEPTH_COUNTER_MAXIMUM)},
    {"SIMD Size", 158, 159, FIELD_UINT, values_message_simd, .since = GEN8, ROLE(WALKER_SIMD_SIZE)},
    {"Thread Group ID Starting Y", 160, 191, FIELD_HEX, .until = GEN75,
     ROLE(WALKER_THREAD_GROUP_ID_STARTING_Y)},
    {"Thread Group ID Starting X", 160, 191, FIELD_HEX, .since = GEN8,
     ROLE(WALKER_THREAD_GROUP_ID_STARTING_X)},
    {"Thread Group ID Y Dimension", 192, 223, FIELD_HEX, .until = GEN75,
     ROLE(WALKER_THREAD_GROUP_ID_Y_DIMENSION)},
    {"Thread Group ID Starting Z", 224, 255, FIELD_HEX, .until = GEN75,
     ROLE(WALKER_THREAD_GROUP_ID_STARTING_Z)},
    {"Thread Group ID X Dimension", 224, 255, FIELD_HEX, .since = GEN8,
     ROLE(WALKER_THREAD_GROUP_ID_X_DIMENSION)},
    {"Thread Group ID Z Dimension", 256, 287, FIELD_HEX, .until = GEN75,
     ROLE(WALKER_THREAD_GROUP_ID_Z_DIMENSION)},
    {"Thread Group ID Starting Y", 256, 287, FIELD_HEX, .since = GEN8,
     ROLE(WALKER_THREAD_GROUP_ID_STARTING_Y)},
    {"Right Execution Mask", 288, 319, FIELD_HEX, .until = GEN75, ROLE(WALKER_RIGHT_EXECUTION_MASK)},
    {"Bottom Execution Mask", 320, 351, FIELD_HEX, .until = GEN75, ROLE(WALKER_BOTTOM_EXECUTION_MASK)},
    {"Thread Group ID Y Dimension", 320, 351, FIELD_HEX, .since = GEN8,
     ROLE(WALKER_THREAD_GROUP_ID_Y_DIMENSION)},
    {"Thread Group ID Starting/Resume Z", 352, 383, FIELD_HEX, .since = GEN8,
     ROLE(WALKER_THREAD_GROUP_ID_STARTING_Z)},
    {"Thread Group ID Z Dimension", 384, 415, FIELD_HEX, .since = GEN8,
     ROLE(WALKER_THREAD_GROUP_ID_Z_DIMENSION)},
    {"Right Execution Mask", 416, 447, FIELD_HEX, .since = GEN8, ROLE(WALKER_RIGHT_EXECUTION_MASK)},
    {"Bottom Execution Mask", 448, 479, FIELD_HEX, .since = GEN8, ROLE(WALKER_BOTTOM_EXECUTION_MASK)},
};
static const struct field_value pipeline_selection[] = {{"3D", 0}, {"Media", 1}, {NULL, 0}};
static const struct field_value pipeline_selection_2[] = {{"3D", 0}, {"Media", 1}, {"GPGPU", 2}, {NULL, 0}};
static const struct field f_pipeline_select[] = {
    {"Pipeline Selection", 0, 1, FIELD_UINT, pipeline_selection, ROLE(PIPELINE_SELECTION), .until = GEN6},
    {"Pipeline Selection", 0, 1, FIELD_UINT, pipeline_selection_2, ROLE(PIPELINE_SELECTION), .since = GEN7},
    {"Media Sampler DOP Clock Gate Enable", 4, 4, FIELD_BOOL, .since = GEN9, .until = GEN125},
    {"Force Media Awake", 5, 5, FIELD_BOOL, .since = GEN9, .until = GEN125},
    {"Systolic Mode Enable", 7, 7, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Mask Bits", 8, 15, FIELD_UINT, .since = GEN9},
};
static const struct field_value barrier_stages[] = {{"None", 0},
                                                    {"TOP", 1},
                                                    {"Color", 2},
                                                    {"Gpgpu", 4},
                                                    {"Color and Compute", 6},
                                                    {"Geom", 16},
                                                    {"Geometry and Compute", 20},
                                                    {"Raster", 32},
                                                    {"Depth", 64},
                                                    {"Pixel", 128},
                                                    {NULL, 0}};
static const struct field_value barrier_types[] = {
    {"Immediate", 0}, {"Signal", 1}, {"Wait", 2}, {"UAV", 3}, {NULL, 0}};
static const struct field f_resource_barrier[] = {
    {"Predicate Enable", 24, 24, FIELD_BOOL},
    {"Wait Stage", 32, 43, FIELD_UINT, barrier_stages},
    {"Signal Stage", 44, 55, FIELD_UINT, barrier_stages},
    {"Barrier Type", 62, 63, FIELD_UINT, barrier_types},
    {"L1 Dataport Cache Invalidate", 85, 85, FIELD_BOOL},
    {"Depth Cache", 86, 86, FIELD_BOOL},
    {"Color Cache", 87, 87, FIELD_BOOL},
    {"L1 Dataport UAV Flush", 88, 88, FIELD_BOOL},
    {"Texture (RO)", 89, 89, FIELD_BOOL},
    {"State (RO)", 90, 90, FIELD_BOOL},
    {"VF (RO)", 91, 91, FIELD_BOOL},
    {"AMFS", 92, 92, FIELD_BOOL},
    {"Constant Cache", 93, 93, FIELD_BOOL},
    {"Barrier ID Address", 99, 159, FIELD_ADDRESS},
};
static const struct field f_state_base_address[] = {
    {"General State Base Address Modify Enable", 32, 32, FIELD_BOOL},
    {"Stateless Data Port Access Force Write Thru", 35, 35, FIELD_UINT, .until = GEN7},
    {"Stateless Data Port Access MOCS", 36, 39, FIELD_UINT, .until = GEN75},
    {"General State MOCS", 36, 42, FIELD_UINT, .since = GEN8},
    {"General State MOCS", 40, 43, FIELD_UINT, .until = GEN75},
    {"General State Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75,
     ROLE(BASE_ADDRESS_GENERAL_STATE_BASE_ADDRESS)},
    {"General State Base Address", 44, 95, FIELD_ADDRESS, .since = GEN8,
     ROLE(BASE_ADDRESS_GENERAL_STATE_BASE_ADDRESS)},
    {"Surface State Base Address Modify Enable", 64, 64, FIELD_BOOL, .until = GEN75},
    {"Surface State MOCS", 72, 75, FIELD_UINT, .until = GEN75},
    {"Surface State Base Address", 76, 95, FIELD_ADDRESS, .until = GEN75,
     ROLE(BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS)},
    {"Dynamic State Base Address Modify Enable", 96, 96, FIELD_BOOL, .until = GEN75},
    {"Dynamic State MOCS", 104, 107, FIELD_UINT, .until = GEN75},
    {"Dynamic State Base Address", 108, 127, FIELD_ADDRESS, .until = GEN75,
     ROLE(BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS)},
    {"Stateless Data Port Access MOCS", 112, 118, FIELD_UINT, .since = GEN8},
    {"L1 Cache Control", 119, 121, FIELD_UINT, values_l1_cache_control, .since = GEN125},
    {"Indirect Object Base Address Modify Enable", 128, 128, FIELD_BOOL, .until = GEN75},
    {"Surface State Base Address Modify Enable", 128, 128, FIELD_BOOL, .since = GEN8},
    {"Surface State MOCS", 132, 138, FIELD_UINT, .since = GEN8},
    {"Indirect Object MOCS", 136, 139, FIELD_UINT, .until = GEN75},
    {"Indirect Object Base Address", 140, 159, FIELD_ADDRESS, .until = GEN75,
     ROLE(BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS)},
    {"Surface State Base Address", 140, 191, FIELD_ADDRESS, .since = GEN8,
     ROLE(BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS)},
    {"Instruction Base Address Modify Enable", 160, 160, FIELD_BOOL, .until = GEN75},
    {"Instruction MOCS", 168, 171, FIELD_UINT, .until = GEN75},
    {"Instruction Base Address", 172, 191, FIELD_ADDRESS, .until = GEN75,
     ROLE(BASE_ADDRESS_INSTRUCTION_BASE_ADDRESS)},
    {"General State Access Upper Bound Modify Enable", 192, 192, FIELD_BOOL, .until = GEN75},
    {"Dynamic State Base Address Modify Enable", 192, 192, FIELD_BOOL, .since = GEN8},
    {"Dynamic State MOCS", 196, 202, FIELD_UINT, .since = GEN8},
    {"General State Access Upper Bound", 204, 223, FIELD_ADDRESS, .until = GEN75},
    {"Dynamic State Base Address", 204, 255, FIELD_ADDRESS, .since = GEN8,
     ROLE(BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS)},
    {"Dynamic State Access Upper Bound Modify Enable", 224, 224, FIELD_BOOL, .until = GEN75},
    {"Dynamic State Access Upper Bound", 236, 255, FIELD_ADDRESS, .until = GEN75},
    {"Indirect Object Access Upper Bound Modify Enable", 256, 256, FIELD_BOOL, .until = GEN75},
    {"Indirect Object Base Address Modify Enable", 256, 256, FIELD_BOOL, .since = GEN8},
    {"Indirect Object MOCS", 260, 266, FIELD_UINT, .since = GEN8},
    {"Indirect Object Access Upper Bound", 268, 287, FIELD_ADDRESS, .until = GEN75},
    {"Indirect Object Base Address", 268, 319, FIELD_ADDRESS, .since = GEN8,
     ROLE(BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS)},
    {"Instruction Access Upper Bound Modify Enable", 288, 288, FIELD_BOOL, .until = GEN75},
    {"Instruction Access Upper Bound", 300, 319, FIELD_ADDRESS, .until = GEN75},
    {"Instruction Base Address Modify Enable", 320, 320, FIELD_BOOL, .since = GEN8},
    {"Instruction MOCS", 324, 330, FIELD_UINT, .since = GEN8},
    {"Instruction Base Address", 332, 383, FIELD_ADDRESS, .since = GEN8,
     ROLE(BASE_ADDRESS_INSTRUCTION_BASE_ADDRESS)},
    {"General State Buffer Size Modify Enable", 384, 384, FIELD_BOOL, .since = GEN8},
    {"General State Buffer Size", 396, 415, FIELD_HEX, .since = GEN8},
    {"Dynamic State Buffer Size Modify Enable", 416, 416, FIELD_BOOL, .since = GEN8},
    {"Dynamic State Buffer Size", 428, 447, FIELD_HEX, .since = GEN8},
    {"Indirect Object Buffer Size Modify Enable", 448, 448, FIELD_BOOL, .since = GEN8},
    {"Indirect Object Buffer Size", 460, 479, FIELD_HEX, .since = GEN8},
    {"Instruction Buffer size Modify Enable", 480, 480, FIELD_BOOL, .since = GEN8},
    {"Instruction Buffer Size", 492, 511, FIELD_HEX, .since = GEN8},
    {"Bindless Surface State Base Address Modify Enable", 512, 512, FIELD_BOOL, .since = GEN9},
    {"Bindless Surface State MOCS", 516, 522, FIELD_UINT, .since = GEN9},
    {"Bindless Surface State Base Address", 524, 575, FIELD_ADDRESS, .since = GEN9,
     ROLE(BASE_ADDRESS_BINDLESS_SURFACE_STATE_BASE_ADDRESS)},
    {"Bindless Surface State Size", 588, 607, FIELD_HEX, .since = GEN9, .until = GEN12},
    {"Bindless Surface State Size", 576, 607, FIELD_HEX, .since = GEN125},
    {"Bindless Sampler State Base Address Modify Enable", 608, 608, FIELD_BOOL, .since = GEN11},
    {"Bindless Sampler State MOCS", 612, 618, FIELD_UINT, .since = GEN11},
    {"Bindless Sampler State Base Address", 620, 671, FIELD_ADDRESS, .since = GEN11},
    {"Bindless Sampler State Buffer Size", 684, 703, FIELD_HEX, .since = GEN11},
};
static const struct field f_state_prefetch[] = {
    {"Prefetch Count", 32, 34, FIELD_UINT},
    {"Prefetch Pointer", 38, 63, FIELD_ADDRESS},
};
static const struct field f_state_prefetch_gen200[] = {
    {"Prefetch Size", 32, 41, FIELD_UINT}, {"Kernel Instruction Prefetch", 48, 48, FIELD_BOOL},
    {"Parser Stall", 52, 52, FIELD_BOOL},  {"MOCS", 56, 62, FIELD_UINT},
    {"Address", 70, 127, FIELD_ADDRESS},
};
static const struct field_value z_pass_limits[] = {
    {"Max 60", 0}, {"Max 64", 1}, {"Max 56", 2}, {"Max 48", 3}, {NULL, 0}};
static const struct field_value non_coherent[] = {
    {"Force Disabled", 0}, {"Force CPU Non-Coherent", 1}, {"Force GPU Non-Coherent", 2}, {NULL, 0}};
static const struct field_value pixel_limits[] = {{"Disabled", 0}, {"Max 2", 1},  {"Max 8", 2},
                                                  {"Max 16", 3},   {"Max 24", 4}, {"Max 32", 5},
                                                  {"Max 40", 6},   {"Max 48", 7}, {NULL, 0}};
static const struct field_value z_pass_limits_2[] = {
    {"Max 60", 0}, {"Max 64", 1}, {"Max 56", 2}, {"Max 48", 3}, {"Max 40", 4}, {"Max 32", 5}, {NULL, 0}};
static const struct field_value z_async_throttle[] = {
    {"Defer to Async Compute Thread Limit", 0}, {"Max 32", 1}, {"Max 40", 2}, {"Max 48", 3}, {NULL, 0}};
static const struct field_value preemption_timers[] = {{"MTP_TIMER_VAL_0", 0},
                                                       {"MTP_TIMER_VAL_50", 1},
                                                       {"MTP_TIMER_VAL_100", 2},
                                                       {"MTP_TIMER_VAL_150", 3},
                                                       {NULL, 0}};
static const struct field_value overdispatch_counts[] = {
    {"OD_TG_M2", 0}, {"OD_TG_M4", 1}, {"OD_TG_M8", 2}, {"OD_TG_M16", 3}, {NULL, 0}};
static const struct field_value overdispatch_test_modes[] = {{"Regular", 0}, {"Test mode", 1}, {NULL, 0}};
static const struct field_value uav_coherency_modes[] = {
    {"Drain DataPort Mode", 0}, {"Flush Dataport L1", 1}, {NULL, 0}};
static const struct field_value buffer_allocations[] = {{"Full", 0}, {"Min", 1}, {NULL, 0}};
static const struct field f_state_compute_mode[] = {
    {"Z Pass Async Compute Thread Limit", 32, 34, FIELD_UINT, z_pass_limits, .since = GEN125,
     .until = GEN125},
    {"Z Pass Async Compute Thread Limit", 32, 34, FIELD_UINT, z_pass_limits_2, .since = GEN200},
    {"Force Non-Coherent", 35, 36, FIELD_UINT, non_coherent, .until = GEN125},
    {"Z Async Throttle settings", 35, 36, FIELD_UINT, z_async_throttle, .since = GEN200},
    {"Fast Clear Disabled on Compressed Surface", 37, 37, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Disable SLM Read Merge Optimization", 38, 38, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Pixel Async Compute Thread Limit", 39, 41, FIELD_UINT, pixel_limits, .since = GEN125, .until = GEN125},
    {"Async Compute Thread Limit", 39, 41, FIELD_UINT, pixel_limits, .since = GEN200},
    {"Disable Atomic on Clear Data", 43, 43, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Disable L1 Invalidate for non-L1-cacheable Writes", 45, 45, FIELD_BOOL, .since = GEN125,
     .until = GEN125},
    {"EU Thread Scheduling Mode Override", 45, 46, FIELD_UINT, .since = GEN200},
    {"Large GRF Mode", 47, 47, FIELD_BOOL, .since = GEN125, ROLE(COMPUTE_MODE_LARGE_GRF_MODE)},
    {"Mask1", 48, 63, FIELD_HEX},
    {"Midthread Preemption Delay Timer", 64, 66, FIELD_UINT, preemption_timers, .since = GEN200},
    {"Midthread Preemption Overdispatch Thread group count", 67, 68, FIELD_UINT, overdispatch_counts,
     .since = GEN200},
    {"Midthread Preemption Overdispatch Test mode", 69, 69, FIELD_UINT, overdispatch_test_modes,
     .since = GEN200},
    {"UAV Coherency Mode", 70, 70, FIELD_UINT, uav_coherency_modes, .since = GEN200},
    {"Memory allocation for Scratch and Midthread Preemption buffers", 75, 75, FIELD_UINT, buffer_allocations,
     .since = GEN200},
    {"Mask2", 80, 95, FIELD_HEX, .since = GEN200},
};
static const struct field f_state_byte_stride[] = {
    {"Byte Stride Enable", 8, 8, FIELD_BOOL},
    {"Byte Stride", 34, 63, FIELD_HEX},
};
static const struct field f_state_context_data_base_address[] = {
    {"Context Data Base Address", 44, 95, FIELD_ADDRESS},
};
static const struct field f_state_system_mem_fence_address[] = {
    {"Context Restore Invalid", 15, 15, FIELD_BOOL},
    {"System Memory Fence Address", 44, 95, FIELD_ADDRESS},
};
static const struct field f_state_sip[] = {
    {"System Instruction Pointer", 36, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75},
    {"System Instruction Pointer", 36, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8,
     ROLE(SYSTEM_INSTRUCTION_POINTER)},
};
static const struct field f_swtess_base_address[] = {
    {"SW Tessellation MOCS", 40, 43, FIELD_UINT},
    {"SW Tessellation Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75},
    {"SW Tessellation Base Address", 44, 79, FIELD_ADDRESS, .since = GEN8},
};

static const struct command rows[] = {
    {.name = "3DMESH_1D",
     .summary = "Dispatches mesh shader groups.",
     OPCODE_3D(3, 3, 0x01),
     .engines = RENDER,
     .since = GEN125,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_WORK,
     .disabled_by = DISABLED_3D_PRIMITIVES,
     FIELDS(f_3dmesh_1d),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DMESH_3D",
     .summary = "Dispatches mesh shader groups in three dimensions.",
     OPCODE_3D(3, 3, 0x02),
     .engines = RENDER,
     .since = GEN125,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 4,
     .flags = COMMAND_WORK,
     .disabled_by = DISABLED_3D_PRIMITIVES,
     FIELDS(f_3dmesh_3d),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "CFE_STATE",
     .summary = "The compute front end: threads and scratch.",
     HEADER(CFE_STATE),
     .engines = RENDER | COMPUTE,
     .since = GEN125,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 6,
     .flags = COMMAND_STATE,
     FIELDS(f_cfe_state),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "COMPUTE_WALKER",
     .summary = "Dispatches thread groups over a range.",
     HEADER(COMPUTE_WALKER),
     .engines = RENDER | COMPUTE,
     .since = GEN125,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 39,
     .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_ARBITRATES,
     FIELDS(f_compute_walker),
     .execute = compute_walker,
     .spec = "CSP-08, DG2 PRM vol 2a, ATS-M PRM vol 2d; NEO"},
    {.since = GEN200, .min_dwords = 40, .spec = "CSP-08; Mesa, genxml of gen200; NEO"},
    {.name = "GPGPU_CSR_BASE_ADDRESS",
     .summary = "Where preempted GPGPU work is saved.",
     OPCODE_3D(0, 1, 0x04),
     .engines = RENDER,
     .since = GEN75,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_gpgpu_csr_base_address),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .until = GEN12, .min_dwords = 3, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "GPGPU_OBJECT",
     .summary = "Gpgpu object of the 3D pipeline.",
     OPCODE_3D(2, 1, 0x04),
     .engines = RENDER,
     .since = GEN7,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 8,
     .flags = COMMAND_STATE,
     FIELDS(f_gpgpu_object),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .until = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "GPGPU_WALKER",
     .summary = "Dispatches thread groups over a range.",
     HEADER(GPGPU_WALKER),
     .engines = RENDER,
     .since = GEN7,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 11,
     .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_ARBITRATES,
     FIELDS(f_gpgpu_walker),
     .execute = gpgpu_walker,
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 15, .spec = "CSP-08, CSP-12, BDW PRM vol 2a"},
    {.since = GEN9, .until = GEN12, .spec = "CSP-08, CSP-12, SKL PRM vol 2a"},
    {.name = "PIPELINE_SELECT",
     .summary = "Chooses the 3D, media or GPGPU pipeline.",
     OPCODE_3D(1, 1, 0x04),
     .engines = RENDER,
     .since = GEN6,
     .min_dwords = 1,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA | COMMAND_SELECTS_PIPELINE,
     FIELDS(f_pipeline_select),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN9, BY_MASK, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "RESOURCE_BARRIER",
     .summary = "Orders stages of the pipelines: one waits for another, caches are flushed between them.",
     .match = 5u << 29 | 3u << 26,
     .mask = 0xfc000000u,
     .engines = RENDER | COMPUTE,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 5,
     .flags = COMMAND_WORK,
     FIELDS(f_resource_barrier),
     .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "STATE_BASE_ADDRESS",
     .summary = "Base addresses of state, instructions and surfaces.",
     HEADER(STATE_BASE_ADDRESS),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 10,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_state_base_address),
     BY_ENABLES,
     .spec = "CSP-08, OVR-04, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, OVR-04, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 16, .spec = "CSP-08, OVR-04, BDW PRM vol 2a"},
    /* IGT still sends the 16 dwords of Gen8, and hardware takes them. */
    {.since = GEN9, .spec = "CSP-08, OVR-04, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, OVR-04, ICL PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, OVR-04, DG2 PRM vol 2a"},
    {.name = "STATE_PREFETCH",
     .summary = "Fetches state ahead of its use.",
     OPCODE_3D(0, 0, 0x03),
     .engines = RENDER,
     .since = GEN6,
     .until = GEN11,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_WORK,
     FIELDS(f_state_prefetch),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "STATE_PREFETCH",
     .summary = "Fetches memory or instructions ahead of their use.",
     OPCODE_3D(0, 0, 0x03),
     .engines = RENDER | COMPUTE,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 4,
     .flags = COMMAND_WORK,
     FIELDS(f_state_prefetch_gen200),
     .spec = "CSP-08; NEO, hw_cmds_generated_xe2_hpg_core"},
    {.name = "STATE_COMPUTE_MODE",
     .summary =
         "Modes of compute threads: bits of the lower half of a dword where their bit of the upper is set.",
     HEADER(STATE_COMPUTE_MODE),
     .engines = RENDER,
     .since = GEN12,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_state_compute_mode),
     .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .min_dwords = 3, .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "STATE_BYTE_STRIDE",
     .summary = "The stride of byte accesses.",
     HEADER(STATE_BYTE_STRIDE),
     .engines = RENDER | COMPUTE,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE,
     FIELDS(f_state_byte_stride),
     .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "STATE_CONTEXT_DATA_BASE_ADDRESS",
     .summary = "Where preempted compute threads are saved.",
     HEADER(STATE_CONTEXT_DATA_BASE_ADDRESS),
     .engines = RENDER | COMPUTE,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_state_context_data_base_address),
     .spec = "CSP-08, CSP-12; NEO, hw_cmds_generated_xe2_hpg_core; Linux, xe_gfxpipe_commands"},
    {.name = "STATE_SYSTEM_MEM_FENCE_ADDRESS",
     .summary = "The page in system memory that memory fences write to.",
     HEADER(STATE_SYSTEM_MEM_FENCE_ADDRESS),
     .engines = ALL_ENGINES,
     .since = GEN200,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_state_system_mem_fence_address),
     .spec = "CSP-08; Mesa, genxml of gen200"},
    {.name = "STATE_SIP",
     .summary = "Where the system routine is.",
     HEADER(STATE_SIP),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_state_sip),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 3, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "SWTESS_BASE_ADDRESS",
     .summary = "Where software tessellation factors are.",
     OPCODE_3D(0, 1, 0x03),
     .engines = RENDER,
     .since = GEN7,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_STATE | COMMAND_ARBITRATES_MEDIA,
     FIELDS(f_swtess_base_address),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .until = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
};

const struct command_table state_common_commands = COMMAND_TABLE(rows);
