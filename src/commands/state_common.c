/* Common state, draws and dispatches: state is kept, threads are dispatched, other work is counted. Field
 * names and places as the public manuals of each generation give them. (CSP-08) */
#include "dispatch/dispatch.h"
#include "engine/execution.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"
#include "commands/walkers.h"

/* clang-format off */
static const struct field f_3dmesh_1d[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL}, {"UAV Coherency Required", 9, 9, FIELD_BOOL},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL}, {"TBIMR Enabled", 13, 13, FIELD_UINT},
    {"Extended Parameter 0 Present", 14, 14, FIELD_UINT}, {"ThreadGroup Count X", 32, 63, FIELD_HEX},
    {"Starting ThreadGroup ID X", 64, 95, FIELD_HEX}, {"Extended Parameter 0 (XP0)", 96, 127, FIELD_HEX},
};
static const struct field f_3dmesh_3d[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL}, {"UAV Coherency Required", 9, 9, FIELD_BOOL},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL}, {"TBIMR Enabled", 13, 13, FIELD_UINT},
    {"Extended Parameter 0 Present", 14, 14, FIELD_UINT}, {"ThreadGroup Count X", 32, 63, FIELD_HEX},
    {"ThreadGroup Count Y", 64, 95, FIELD_HEX}, {"ThreadGroup Count Z", 96, 127, FIELD_HEX},
    {"Extended Parameter 0 (XP0)", 128, 159, FIELD_HEX},
};
static const struct field_value over_dispatch_control[] = {
    {"Over Dispatch None", 0}, {"Over Dispatch Low", 1}, {"Over Dispatch Normal", 2}, {"Over Dispatch High", 3},
    {NULL, 0}
};
static const struct field f_cfe_state[] = {
    {"Scratch Space Buffer", 42, 63, FIELD_HEX, .role = FRONT_END_SCRATCH}, {"Number of Walkers", 99, 101, FIELD_UINT},
    {"Fused EU Dispatch", 102, 102, FIELD_BOOL}, {"Single Slice Dispatch CCS Mode", 109, 109, FIELD_BOOL},
    {"Over Dispatch Control", 110, 111, FIELD_UINT, over_dispatch_control},
    {"Maximum Number of Threads", 112, 127, FIELD_UINT},
};
static const struct field_value partition_type[] = {
    {"WALKER_PARTITION_X", 1}, {"WALKER_PARTITION_Y", 2}, {"WALKER_PARTITION_Z", 3}, {NULL, 0}
};
static const struct field_value message_simd[] = {
    {"SIMD8", 0}, {"SIMD16", 1}, {"SIMD32", 2}, {NULL, 0}
};
static const struct field_value tile_layout[] = {
    {"Linear", 0}, {"TileY 32bpe", 1}, {"TileY 64bpe", 2}, {"TileY 128bpe", 3}, {NULL, 0}
};
static const struct field_value walk_order[] = {
    {"Walk 012", 0}, {"Walk 021", 1}, {"Walk 102", 2}, {"Walk 120", 3}, {"Walk 201", 4}, {"Walk 210", 5},
    {NULL, 0}
};
static const struct field_value dispatch_walk_order[] = {{"Linear walk", 0}, {"Y-order walk", 1}, {NULL, 0}};
static const struct field_value emit_local[] = {
    {"Emit None", 0}, {"Emit X", 1}, {"Emit XY", 3}, {"Emit XYZ", 7}, {NULL, 0}
};
static const struct field_value interface_descriptor_floating_point_mode[] = {
    {"IEEE-754", 0}, {"Alternate", 1}, {NULL, 0}
};
static const struct field_value interface_descriptor_denorm_mode[] = {
    {"Ftz", 0}, {"SetByKernel", 1}, {NULL, 0}
};
static const struct field_value interface_descriptor_sampler_count[] = {
    {"No samplers used", 0}, {"Between 1 and 4 samplers used", 1}, {"Between 5 and 8 samplers used", 2},
    {"Between 9 and 12 samplers used", 3}, {"Between 13 and 16 samplers used", 4}, {NULL, 0}
};
static const struct field_value interface_descriptor_shared_local_memory_size[] = {
    {"Encodes 0K", 0}, {"Encodes 1K", 1}, {"Encodes 2K", 2}, {"Encodes 4K", 3}, {"Encodes 8K", 4},
    {"Encodes 16K", 5}, {"Encodes 32K", 6}, {"Encodes 64K", 7}, {NULL, 0}
};
static const struct field_value interface_descriptor_rounding_mode[] = {
    {"RTNE", 0}, {"RU", 1}, {"RD", 2}, {"RTZ", 3}, {NULL, 0}
};
static const struct field_value interface_descriptor_thread_group_dispatch_size[] = {
    {"TG size 8", 0}, {"TG size 4", 1}, {"TG size 2", 2}, {"TG size 1", 3}, {NULL, 0}
};
static const struct field_value interface_descriptor_number_of_barriers[] = {
    {"NONE", 0}, {"B1", 1}, {"B2", 2}, {"B4", 3}, {"B8", 4}, {"B16", 5}, {"B24", 6}, {"B32", 7}, {NULL, 0}
};
static const struct field_value post_sync_operation[] = {
    {"No Write", 0}, {"Write Immediate Data", 1}, {"Write Timestamp", 3}, {NULL, 0}
};
static const struct field f_compute_walker[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, NULL, WALKER_PREDICATE}, {"Workload Partition Enable", 9, 9, FIELD_BOOL, .role = WALKER_PARTITION},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL, .role = WALKER_INDIRECT}, {"Systolic Mode Enable", 14, 14, FIELD_BOOL},
    {"Debug Object ID", 40, 63, FIELD_HEX},
    {"Indirect Data Length", 64, 80, FIELD_HEX}, {"L3 prefetch disable", 81, 81, FIELD_BOOL},
    {"Partition Dispatch Parameter", 82, 93, FIELD_UINT},
    {"Partition Type", 94, 95, FIELD_UINT, partition_type, .role = WALKER_PARTITION_TYPE},
    {"Indirect Data Start Address", 102, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT, .role = WALKER_DATA_START},
    {"Dispatch Walk Order", 133, 134, FIELD_UINT, dispatch_walk_order},
    {"Message SIMD", 145, 146, FIELD_UINT, message_simd}, {"Tile Layout", 147, 149, FIELD_UINT, tile_layout, .role = WALKER_TILE_LAYOUT},
    {"Walk Order", 150, 152, FIELD_UINT, walk_order, .role = WALKER_ORDER}, {"Emit Inline Parameter", 153, 153, FIELD_BOOL, .role = WALKER_EMIT_INLINE},
    {"Emit Local", 154, 156, FIELD_UINT, emit_local, .role = WALKER_EMIT_LOCAL}, {"Generate Local ID", 157, 157, FIELD_BOOL},
    {"SIMD Size", 158, 159, FIELD_UINT, message_simd, .role = WALKER_SIMD}, {"Execution Mask", 160, 191, FIELD_HEX, .role = WALKER_RIGHT_MASK},
    {"Local X Maximum", 192, 201, FIELD_UINT, .role = WALKER_LOCAL_X}, {"Local Y Maximum", 202, 211, FIELD_UINT, .role = WALKER_LOCAL_Y},
    {"Local Z Maximum", 212, 221, FIELD_UINT, .role = WALKER_LOCAL_Z}, {"Thread Group ID X Dimension", 224, 255, FIELD_HEX, .role = WALKER_END_X},
    {"Thread Group ID Y Dimension", 256, 287, FIELD_HEX, .role = WALKER_END_Y}, {"Thread Group ID Z Dimension", 288, 319, FIELD_HEX, .role = WALKER_END_Z},
    {"Thread Group ID Starting X", 320, 351, FIELD_HEX, .role = WALKER_START_X}, {"Thread Group ID Starting Y", 352, 383, FIELD_HEX, .role = WALKER_START_Y},
    {"Thread Group ID Starting Z", 384, 415, FIELD_HEX, .role = WALKER_START_Z}, {"Partition ID", 416, 447, FIELD_HEX, .role = WALKER_PARTITION_ID},
    {"Partition Size", 448, 479, FIELD_HEX, .role = WALKER_PARTITION_SIZE}, {"Preempt X", 480, 511, FIELD_HEX},
    {"Preempt Y", 512, 543, FIELD_HEX}, {"Preempt Z", 544, 575, FIELD_HEX},
    {"Interface Descriptor Kernel Start Pointer", 582, 607, FIELD_OFFSET, .base = BASE_INSTRUCTION, .role = DESCRIPTOR_KERNEL},
    {"Interface Descriptor Software Exception Enable", 647, 647, FIELD_BOOL, .role = DESCRIPTOR_SOFTWARE_EXCEPTIONS},
    {"Interface Descriptor Mask Stack Exception Enable", 651, 651, FIELD_BOOL},
    {"Interface Descriptor Illegal Opcode Exception Enable", 653, 653, FIELD_BOOL, .role = DESCRIPTOR_ILLEGAL_EXCEPTIONS},
    {"Interface Descriptor Floating Point Mode", 656, 656, FIELD_UINT, interface_descriptor_floating_point_mode, .role = DESCRIPTOR_FLOATING_POINT},
    {"Interface Descriptor Single Program Flow", 658, 658, FIELD_BOOL, .role = DESCRIPTOR_SINGLE_FLOW},
    {"Interface Descriptor Denorm Mode", 659, 659, FIELD_UINT, interface_descriptor_denorm_mode, .role = DESCRIPTOR_DENORM},
    {"Interface Descriptor Thread Preemption Disable", 660, 660, FIELD_UINT},
    {"Interface Descriptor Sampler Count", 674, 676, FIELD_UINT, interface_descriptor_sampler_count},
    {"Interface Descriptor Sampler State Pointer", 677, 703, FIELD_OFFSET, .role = DESCRIPTOR_SAMPLERS},
    {"Interface Descriptor Binding Table Entry Count", 704, 708, FIELD_UINT},
    {"Interface Descriptor Binding Table Pointer", 709, 724, FIELD_OFFSET, .role = DESCRIPTOR_BINDINGS},
    {"Interface Descriptor Number of Threads in GPGPU Thread Group", 736, 745, FIELD_UINT, .role = DESCRIPTOR_THREADS},
    {"Interface Descriptor Shared Local Memory Size", 752, 756, FIELD_UINT, interface_descriptor_shared_local_memory_size, .role = DESCRIPTOR_LOCAL_BYTES},
    {"Interface Descriptor Barrier Enable", 757, 757, FIELD_BOOL},
    {"Interface Descriptor Rounding Mode", 758, 759, FIELD_UINT, interface_descriptor_rounding_mode, .role = DESCRIPTOR_ROUNDING},
    {"Interface Descriptor Thread Group Dispatch Size", 762, 763, FIELD_UINT, interface_descriptor_thread_group_dispatch_size},
    {"Interface Descriptor Number Of Barriers", 764, 766, FIELD_UINT, interface_descriptor_number_of_barriers},
    {"Interface Descriptor BTD Mode", 767, 767, FIELD_UINT},
    {"Interface Descriptor Preferred SLM Allocation Size", 768, 771, FIELD_UINT},
    {"Post Sync Operation", 832, 833, FIELD_UINT, post_sync_operation, WALKER_OPERATION},
    {"Post Sync HDC Pipeline Flush", 834, 834, FIELD_BOOL}, {"Post Sync L3 flush", 835, 835, FIELD_BOOL},
    {"Post Sync MOCS", 836, 842, FIELD_UINT}, {"Post Sync System Memory Fence Request", 843, 843, FIELD_BOOL},
    {"Post Sync Dataport Subslice Cache Flush", 844, 844, FIELD_BOOL}, {"Post Sync Destination Address", 864, 927, FIELD_ADDRESS, NULL, WALKER_ADDRESS},
    {"Post Sync Immediate Data", 928, 991, FIELD_HEX, NULL, WALKER_DATA},
    {"Inline Data[#]", 992, 1023, FIELD_HEX, .count = 8, .stride = 32, .role = WALKER_INLINE},
};
static const struct field f_gpgpu_csr_base_address[] = {
    {"GPGPU CSR Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75},
    {"GPGPU CSR Base Address", 44, 95, FIELD_ADDRESS, .since = GEN8},
};
static const struct field_value half_slice_destination_select[] = {
    {"Half-Slice 1", 2}, {"Half-Slice 0", 1}, {"Either Half-Slice", 0}, {NULL, 0}
};
static const struct field_value slice_destination_select[] = {
    {"Slice 0", 0}, {"Slice 1", 1}, {NULL, 0}
};
static const struct field f_gpgpu_object[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL}, {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75},
    {"Shared Local Memory Fixed Offset", 39, 39, FIELD_UINT}, {"Indirect Data Length", 64, 80, FIELD_HEX},
    {"Half-Slice Destination Select", 81, 82, FIELD_UINT, half_slice_destination_select},
    {"Slice Destination Select", 83, 83, FIELD_UINT, slice_destination_select, .since = GEN75},
    {"End of Thread Group", 88, 88, FIELD_UINT}, {"Shared Local Memory Offset", 92, 95, FIELD_UINT},
    {"Indirect Data Start Address", 96, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT},
    {"Thread Group ID X", 128, 159, FIELD_HEX}, {"Thread Group ID Y", 160, 191, FIELD_HEX},
    {"Thread Group ID Z", 192, 223, FIELD_HEX}, {"Execution Mask", 224, 255, FIELD_HEX},
};
static const struct field f_gpgpu_walker[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, .role = WALKER_PREDICATE}, {"Indirect Parameter Enable", 10, 10, FIELD_BOOL, .role = WALKER_INDIRECT},
    {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7, .role = WALKER_DESCRIPTOR},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75, .role = WALKER_DESCRIPTOR},
    {"Thread Width Counter Maximum", 64, 69, FIELD_UINT, .until = GEN75, .role = WALKER_WIDTH},
    {"Indirect Data Length", 64, 80, FIELD_HEX, .since = GEN8, .role = WALKER_DATA_LENGTH},
    {"Thread Height Counter Maximum", 72, 77, FIELD_UINT, .until = GEN75, .role = WALKER_HEIGHT},
    {"Thread Depth Counter Maximum", 80, 85, FIELD_UINT, .until = GEN75, .role = WALKER_DEPTH},
    {"SIMD Size", 94, 95, FIELD_UINT, message_simd, .until = GEN75, .role = WALKER_SIMD},
    {"Thread Group ID Starting X", 96, 127, FIELD_HEX, .until = GEN75, .role = WALKER_START_X},
    {"Indirect Data Start Address", 102, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT, .since = GEN8, .role = WALKER_DATA_START},
    {"Thread Group ID X Dimension", 128, 159, FIELD_HEX, .until = GEN75, .role = WALKER_END_X},
    {"Thread Width Counter Maximum", 128, 133, FIELD_UINT, .since = GEN8, .role = WALKER_WIDTH},
    {"Thread Height Counter Maximum", 136, 141, FIELD_UINT, .since = GEN8, .role = WALKER_HEIGHT},
    {"Thread Depth Counter Maximum", 144, 149, FIELD_UINT, .since = GEN8, .role = WALKER_DEPTH},
    {"SIMD Size", 158, 159, FIELD_UINT, message_simd, .since = GEN8, .role = WALKER_SIMD},
    {"Thread Group ID Starting Y", 160, 191, FIELD_HEX, .until = GEN75, .role = WALKER_START_Y},
    {"Thread Group ID Starting X", 160, 191, FIELD_HEX, .since = GEN8, .role = WALKER_START_X},
    {"Thread Group ID Y Dimension", 192, 223, FIELD_HEX, .until = GEN75, .role = WALKER_END_Y},
    {"Thread Group ID Starting Z", 224, 255, FIELD_HEX, .until = GEN75, .role = WALKER_START_Z},
    {"Thread Group ID X Dimension", 224, 255, FIELD_HEX, .since = GEN8, .role = WALKER_END_X},
    {"Thread Group ID Z Dimension", 256, 287, FIELD_HEX, .until = GEN75, .role = WALKER_END_Z},
    {"Thread Group ID Starting Y", 256, 287, FIELD_HEX, .since = GEN8, .role = WALKER_START_Y},
    {"Right Execution Mask", 288, 319, FIELD_HEX, .until = GEN75, .role = WALKER_RIGHT_MASK},
    {"Bottom Execution Mask", 320, 351, FIELD_HEX, .until = GEN75, .role = WALKER_BOTTOM_MASK},
    {"Thread Group ID Y Dimension", 320, 351, FIELD_HEX, .since = GEN8, .role = WALKER_END_Y},
    {"Thread Group ID Starting/Resume Z", 352, 383, FIELD_HEX, .since = GEN8, .role = WALKER_START_Z},
    {"Thread Group ID Z Dimension", 384, 415, FIELD_HEX, .since = GEN8, .role = WALKER_END_Z},
    {"Right Execution Mask", 416, 447, FIELD_HEX, .since = GEN8, .role = WALKER_RIGHT_MASK},
    {"Bottom Execution Mask", 448, 479, FIELD_HEX, .since = GEN8, .role = WALKER_BOTTOM_MASK},
};
static const struct field_value pipeline_selection[] = {
    {"3D", 0}, {"Media", 1}, {NULL, 0}
};
static const struct field_value pipeline_selection_2[] = {
    {"3D", 0}, {"Media", 1}, {"GPGPU", 2}, {NULL, 0}
};
static const struct field f_pipeline_select[] = {
    {"Pipeline Selection", 0, 1, FIELD_UINT, pipeline_selection, PIPELINE_SELECTION, .until = GEN6},
    {"Pipeline Selection", 0, 1, FIELD_UINT, pipeline_selection_2, PIPELINE_SELECTION, .since = GEN7},
    {"Media Sampler DOP Clock Gate Enable", 4, 4, FIELD_BOOL, .since = GEN9},
    {"Force Media Awake", 5, 5, FIELD_BOOL, .since = GEN9}, {"Systolic Mode Enable", 7, 7, FIELD_BOOL, .since = GEN125},
    {"Mask Bits", 8, 15, FIELD_UINT, .since = GEN9},
};
static const struct field_value l1_cache_control[] = {
    {"WBP", 0}, {"UC", 1}, {"WB", 2}, {"WT", 3}, {"WS", 4}, {NULL, 0}
};
static const struct field f_state_base_address[] = {
    {"General State Base Address Modify Enable", 32, 32, FIELD_BOOL},
    {"Stateless Data Port Access Force Write Thru", 35, 35, FIELD_UINT, .until = GEN7},
    {"Stateless Data Port Access MOCS", 36, 39, FIELD_UINT, .until = GEN75},
    {"General State MOCS", 36, 42, FIELD_UINT, .since = GEN8},
    {"General State MOCS", 40, 43, FIELD_UINT, .until = GEN75},
    {"General State Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75, .role = BASE_ADDRESS_GENERAL},
    {"General State Base Address", 44, 95, FIELD_ADDRESS, .since = GEN8, .role = BASE_ADDRESS_GENERAL},
    {"Surface State Base Address Modify Enable", 64, 64, FIELD_BOOL, .until = GEN75},
    {"Surface State MOCS", 72, 75, FIELD_UINT, .until = GEN75},
    {"Surface State Base Address", 76, 95, FIELD_ADDRESS, .until = GEN75, .role = BASE_ADDRESS_SURFACE},
    {"Dynamic State Base Address Modify Enable", 96, 96, FIELD_BOOL, .until = GEN75},
    {"Dynamic State MOCS", 104, 107, FIELD_UINT, .until = GEN75},
    {"Dynamic State Base Address", 108, 127, FIELD_ADDRESS, .until = GEN75, .role = BASE_ADDRESS_DYNAMIC},
    {"Stateless Data Port Access MOCS", 112, 118, FIELD_UINT, .since = GEN8},
    {"L1 Cache Control", 119, 121, FIELD_UINT, l1_cache_control, .since = GEN125},
    {"Indirect Object Base Address Modify Enable", 128, 128, FIELD_BOOL, .until = GEN75},
    {"Surface State Base Address Modify Enable", 128, 128, FIELD_BOOL, .since = GEN8},
    {"Surface State MOCS", 132, 138, FIELD_UINT, .since = GEN8},
    {"Indirect Object MOCS", 136, 139, FIELD_UINT, .until = GEN75},
    {"Indirect Object Base Address", 140, 159, FIELD_ADDRESS, .until = GEN75, .role = BASE_ADDRESS_INDIRECT},
    {"Surface State Base Address", 140, 191, FIELD_ADDRESS, .since = GEN8, .role = BASE_ADDRESS_SURFACE},
    {"Instruction Base Address Modify Enable", 160, 160, FIELD_BOOL, .until = GEN75},
    {"Instruction MOCS", 168, 171, FIELD_UINT, .until = GEN75},
    {"Instruction Base Address", 172, 191, FIELD_ADDRESS, .until = GEN75, .role = BASE_ADDRESS_INSTRUCTION},
    {"General State Access Upper Bound Modify Enable", 192, 192, FIELD_BOOL, .until = GEN75},
    {"Dynamic State Base Address Modify Enable", 192, 192, FIELD_BOOL, .since = GEN8},
    {"Dynamic State MOCS", 196, 202, FIELD_UINT, .since = GEN8},
    {"General State Access Upper Bound", 204, 223, FIELD_ADDRESS, .until = GEN75},
    {"Dynamic State Base Address", 204, 255, FIELD_ADDRESS, .since = GEN8, .role = BASE_ADDRESS_DYNAMIC},
    {"Dynamic State Access Upper Bound Modify Enable", 224, 224, FIELD_BOOL, .until = GEN75},
    {"Dynamic State Access Upper Bound", 236, 255, FIELD_ADDRESS, .until = GEN75},
    {"Indirect Object Access Upper Bound Modify Enable", 256, 256, FIELD_BOOL, .until = GEN75},
    {"Indirect Object Base Address Modify Enable", 256, 256, FIELD_BOOL, .since = GEN8},
    {"Indirect Object MOCS", 260, 266, FIELD_UINT, .since = GEN8},
    {"Indirect Object Access Upper Bound", 268, 287, FIELD_ADDRESS, .until = GEN75},
    {"Indirect Object Base Address", 268, 319, FIELD_ADDRESS, .since = GEN8, .role = BASE_ADDRESS_INDIRECT},
    {"Instruction Access Upper Bound Modify Enable", 288, 288, FIELD_BOOL, .until = GEN75},
    {"Instruction Access Upper Bound", 300, 319, FIELD_ADDRESS, .until = GEN75},
    {"Instruction Base Address Modify Enable", 320, 320, FIELD_BOOL, .since = GEN8},
    {"Instruction MOCS", 324, 330, FIELD_UINT, .since = GEN8},
    {"Instruction Base Address", 332, 383, FIELD_ADDRESS, .since = GEN8, .role = BASE_ADDRESS_INSTRUCTION},
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
    {"Bindless Surface State Base Address", 524, 575, FIELD_ADDRESS, .since = GEN9, .role = BASE_ADDRESS_BINDLESS},
    {"Bindless Surface State Size", 588, 607, FIELD_HEX, .since = GEN9, .until = GEN12},
    {"Bindless Surface State Size", 576, 607, FIELD_HEX, .since = GEN125},
    {"Bindless Sampler State Base Address Modify Enable", 608, 608, FIELD_BOOL, .since = GEN11},
    {"Bindless Sampler State MOCS", 612, 618, FIELD_UINT, .since = GEN11},
    {"Bindless Sampler State Base Address", 620, 671, FIELD_ADDRESS, .since = GEN11},
    {"Bindless Sampler State Buffer Size", 684, 703, FIELD_HEX, .since = GEN11},
};
static const struct field f_state_prefetch[] = {
    {"Prefetch Count", 32, 34, FIELD_UINT}, {"Prefetch Pointer", 38, 63, FIELD_ADDRESS},
};
static const struct field_value z_pass_limits[] = {{"Max 60", 0}, {"Max 64", 1}, {"Max 56", 2}, {"Max 48", 3}, {NULL, 0}};
static const struct field_value non_coherent[] = {{"Force Disabled", 0}, {"Force CPU Non-Coherent", 1}, {"Force GPU Non-Coherent", 2}, {NULL, 0}};
static const struct field_value pixel_limits[] = {{"Disabled", 0}, {"Max 2", 1}, {"Max 8", 2}, {"Max 16", 3}, {"Max 24", 4}, {"Max 32", 5}, {"Max 40", 6}, {"Max 48", 7}, {NULL, 0}};
static const struct field f_state_compute_mode[] = {
    {"Z Pass Async Compute Thread Limit", 32, 34, FIELD_UINT, z_pass_limits, .since = GEN125},
    {"Force Non-Coherent", 35, 36, FIELD_UINT, non_coherent}, {"Fast Clear Disabled on Compressed Surface", 37, 37, FIELD_BOOL, .since = GEN125},
    {"Disable SLM Read Merge Optimization", 38, 38, FIELD_BOOL, .since = GEN125},
    {"Pixel Async Compute Thread Limit", 39, 41, FIELD_UINT, pixel_limits, .since = GEN125}, {"Disable Atomic on Clear Data", 43, 43, FIELD_BOOL, .since = GEN125},
    {"Disable L1 Invalidate for non-L1-cacheable Writes", 45, 45, FIELD_BOOL, .since = GEN125},
    {"Large GRF Mode", 47, 47, FIELD_BOOL, .since = GEN125, .role = COMPUTE_MODE_LARGE_REGISTERS}, {"Mask1", 48, 63, FIELD_HEX},
};
static const struct field f_state_sip[] = {
    {"System Instruction Pointer", 36, 63, FIELD_OFFSET, .base = BASE_INSTRUCTION, .until = GEN75},
    {"System Instruction Pointer", 36, 95, FIELD_OFFSET, .base = BASE_INSTRUCTION, .since = GEN8, .role = SYSTEM_ROUTINE},
};
static const struct field f_swtess_base_address[] = {
    {"SW Tessellation MOCS", 40, 43, FIELD_UINT},
    {"SW Tessellation Base Address", 44, 63, FIELD_ADDRESS, .until = GEN75},
    {"SW Tessellation Base Address", 44, 79, FIELD_ADDRESS, .since = GEN8},
};

static const struct command rows[] = {
    {.name = "3DMESH_1D", .summary = "Dispatches mesh shader groups.", OPCODE_3D(3, 3, 0x01), .engines = RENDER,
     .since = GEN125, .length_bits = 8, .length_bias = 2, .min_dwords = 3, .flags = COMMAND_WORK,
     .disabled_by = DISABLED_3D_PRIMITIVES, FIELDS(f_3dmesh_1d), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "3DMESH_3D", .summary = "Dispatches mesh shader groups in three dimensions.",
     OPCODE_3D(3, 3, 0x02), .engines = RENDER, .since = GEN125, .length_bits = 8, .length_bias = 2,
     .min_dwords = 4, .flags = COMMAND_WORK, .disabled_by = DISABLED_3D_PRIMITIVES, FIELDS(f_3dmesh_3d),
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "CFE_STATE", .summary = "The compute front end: threads and scratch.", OPCODE_3D(2, 2, 0x00),
     .engines = RENDER | COMPUTE, .since = GEN125, .length_bits = 8, .length_bias = 2, .min_dwords = 6,
     .flags = COMMAND_KEPT, FIELDS(f_cfe_state), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "COMPUTE_WALKER", .summary = "Dispatches thread groups over a range.", OPCODE_3D(2, 2, 0x08),
     .engines = RENDER | COMPUTE, .since = GEN125, .length_bits = 8, .length_bias = 2, .min_dwords = 39,
     .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_ARBITRATES, FIELDS(f_compute_walker), .execute = compute_walker,
     .spec = "CSP-08, DG2 PRM vol 2a, ATS-M PRM vol 2d; NEO"},
    {.name = "GPGPU_CSR_BASE_ADDRESS", .summary = "Where preempted GPGPU work is saved.", OPCODE_3D(0, 1, 0x04),
     .engines = RENDER, .since = GEN75, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_gpgpu_csr_base_address),
     .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .until = GEN12, .min_dwords = 3, .spec = "CSP-08, BDW PRM vol 2a"},
    {.name = "GPGPU_OBJECT", .summary = "Gpgpu object of the 3D pipeline.", OPCODE_3D(2, 1, 0x04),
     .engines = RENDER, .since = GEN7, .length_bits = 8, .length_bias = 2, .min_dwords = 8,
     .flags = COMMAND_KEPT, FIELDS(f_gpgpu_object), .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .until = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.name = "GPGPU_WALKER", .summary = "Dispatches thread groups over a range.", OPCODE_3D(2, 1, 0x05),
     .engines = RENDER, .since = GEN7, .length_bits = 8, .length_bias = 2, .min_dwords = 11,
     .flags = COMMAND_WORK | COMMAND_ARBITRATES, FIELDS(f_gpgpu_walker), .execute = gpgpu_walker,
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 15, .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_ARBITRATES, .spec = "CSP-08, CSP-12, BDW PRM vol 2a"},
    {.since = GEN9, .until = GEN12, .spec = "CSP-08, CSP-12, SKL PRM vol 2a"},
    {.name = "PIPELINE_SELECT", .summary = "Chooses the 3D, media or GPGPU pipeline.", OPCODE_3D(1, 1, 0x04),
     .engines = RENDER, .since = GEN6, .min_dwords = 1,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA | COMMAND_SELECTS_PIPELINE, FIELDS(f_pipeline_select), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN9, BY_MASK, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "STATE_BASE_ADDRESS", .summary = "Base addresses of state, instructions and surfaces.",
     OPCODE_3D(0, 1, 0x01), .engines = RENDER, .since = GEN6, .length_bits = 8, .length_bias = 2,
     .min_dwords = 10, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_state_base_address),
     BY_ENABLES, .spec = "CSP-08, OVR-04, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, OVR-04, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 16, .spec = "CSP-08, OVR-04, BDW PRM vol 2a"},
    /* IGT still sends the 16 dwords of Gen8, and hardware takes them. */
    {.since = GEN9, .spec = "CSP-08, OVR-04, SKL PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, OVR-04, ICL PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, OVR-04, DG2 PRM vol 2a"},
    {.name = "STATE_PREFETCH", .summary = "Fetches state ahead of its use.", OPCODE_3D(0, 0, 0x03),
     .engines = RENDER, .since = GEN6, .until = GEN11, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_WORK, FIELDS(f_state_prefetch), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "STATE_COMPUTE_MODE", .summary = "Modes of compute threads: bits of the lower half where their bit of the upper is set.",
     OPCODE_3D(0, 1, 0x05), .engines = RENDER, .since = GEN12, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_state_compute_mode), .spec = "CSP-08, TGL PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "STATE_SIP", .summary = "Where the system routine is.", OPCODE_3D(0, 1, 0x02), .engines = RENDER,
     .since = GEN6, .length_bits = 8, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_state_sip), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN8, .min_dwords = 3, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "SWTESS_BASE_ADDRESS", .summary = "Where software tessellation factors are.",
     OPCODE_3D(0, 1, 0x03), .engines = RENDER, .since = GEN7, .length_bits = 8, .length_bias = 2,
     .min_dwords = 2, .flags = COMMAND_KEPT | COMMAND_ARBITRATES_MEDIA, FIELDS(f_swtess_base_address),
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN8, .until = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
};
/* clang-format on */

const struct command_table state_common_commands = COMMAND_TABLE(rows);
