/* Media pipeline state and objects: state is kept, work is counted. Field names and places as the public
 * manuals of each generation give them. (CSP-08) */
#include "dispatch/dispatch.h"
#include "stream/bases.h"
#include "stream/structure.h"

#include "commands/commands.h"
#include "commands/walkers.h"

/* clang-format off */
static const struct field f_media_curbe_load[] = {
    {"CURBE Total Data Length", 64, 80, FIELD_HEX, .role = CURBE_LENGTH},
    {"CURBE Data Start Address", 96, 127, FIELD_OFFSET, .base = BASE_DYNAMIC, .role = CURBE_START},
};
static const struct field f_media_gateway_state[] = {
    {"Barrier.ThreadCount", 32, 39, FIELD_UINT}, {"Barrier.Byte", 40, 47, FIELD_UINT},
    {"BarrierID", 48, 55, FIELD_UINT},
};
static const struct field f_media_interface_descriptor_load[] = {
    {"Interface Descriptor Total Length", 64, 80, FIELD_HEX, .role = COUNT_DESCRIPTOR_BYTES},
    {"Interface Descriptor Data Start Address", 96, 127, FIELD_OFFSET, .base = BASE_DYNAMIC, .target = INTERFACE_DESCRIPTOR_DATA, .role = DESCRIPTORS_START},
};
static const struct field_value half_slice_destination_select[] = {
    {"Half-Slice 1", 2}, {"Half-Slice 0", 1}, {"Either half-slice", 0}, {NULL, 0}
};
static const struct field_value subslice_destination_select[] = {
    {"SubSlice 2", 2}, {"SubSlice 1", 1}, {"SubSlice 0", 0}, {NULL, 0}
};
static const struct field_value subslice_destination_select_2[] = {
    {"Subslice 3", 3}, {"SubSlice 2", 2}, {"SubSlice 1", 1}, {"SubSlice 0", 0}, {NULL, 0}
};
static const struct field_value slice_destination_select[] = {
    {"Slice 0", 0}, {"Slice 1", 1}, {"Either Slice", 0}, {NULL, 0}
};
static const struct field_value slice_destination_select_2[] = {
    {"Slice 0", 0}, {"Slice 1", 1}, {"Slice 2", 2}, {NULL, 0}
};
static const struct field_value use_scoreboard[] = {
    {"Not using scoreboard", 0}, {"Using scoreboard", 1}, {NULL, 0}
};
static const struct field_value thread_synchronization[] = {
    {"No thread synchronization", 0}, {"Thread dispatch is synchronized by the 'spawn root thread' message", 1},
    {NULL, 0}
};
static const struct field f_media_object[] = {
    {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7, .role = WALKER_DESCRIPTOR},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75, .role = WALKER_DESCRIPTOR},
    {"Indirect Data Length", 64, 80, FIELD_HEX, .role = WALKER_DATA_LENGTH},
    {"Half-Slice Destination Select", 81, 82, FIELD_UINT, half_slice_destination_select, .since = GEN7, .until = GEN75},
    {"SubSlice Destination Select", 81, 82, FIELD_UINT, subslice_destination_select, .since = GEN8, .until = GEN8},
    {"SubSlice Destination Select", 81, 82, FIELD_UINT, subslice_destination_select_2, .since = GEN9},
    {"Slice Destination Select", 83, 83, FIELD_UINT, slice_destination_select, .since = GEN75, .until = GEN75},
    {"Slice Destination Select", 83, 84, FIELD_UINT, slice_destination_select_2, .since = GEN8},
    {"Use Scoreboard", 85, 85, FIELD_UINT, use_scoreboard, .until = GEN9},
    {"Force Destination", 86, 86, FIELD_UINT, .since = GEN8},
    {"Thread Synchronization", 88, 88, FIELD_UINT, thread_synchronization, .role = MEDIA_SYNCHRONIZED},
    {"Slice Destination Select MSBs", 89, 90, FIELD_UINT, .since = GEN9},
    {"Children Present", 95, 95, FIELD_BOOL, .role = MEDIA_CHILDREN},
    {"Indirect Data Start Address", 96, 127, FIELD_ADDRESS, .base = BASE_INDIRECT_OBJECT, .role = WALKER_DATA_START},
    {"Scoreboard X", 128, 136, FIELD_UINT, .until = GEN9, .role = MEDIA_X}, {"X Position", 128, 136, FIELD_UINT, .since = GEN11, .role = MEDIA_X},
    {"Scoredboard Y", 144, 152, FIELD_UINT, .until = GEN9, .role = MEDIA_Y},
    {"Y Position", 144, 152, FIELD_UINT, .since = GEN11, .role = MEDIA_Y},
    {"Scoreboard Mask", 160, 167, FIELD_UINT, .until = GEN9},
    {"Scoreboard Color", 176, 179, FIELD_UINT, .until = GEN9, .role = MEDIA_COLOR},
    {"Block Color", 176, 183, FIELD_UINT, .since = GEN11, .role = MEDIA_COLOR},
};
static const struct field inline_data_group[] = {
    {"Inline Data", 0, 31, FIELD_HEX},
};
static const struct field_value subslice_destination_select_3[] = {
    {"Subslice3", 3}, {"SubSlice 2", 2}, {"SubSlice 1", 1}, {"SubSlice 0", 0}, {NULL, 0}
};
static const struct field f_media_object_grpid[] = {
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .role = WALKER_DESCRIPTOR}, {"Indirect Data Length", 64, 80, FIELD_HEX, .role = WALKER_DATA_LENGTH},
    {"SubSlice Destination Select", 81, 82, FIELD_UINT, subslice_destination_select, .until = GEN8},
    {"SubSlice Destination Select", 81, 82, FIELD_UINT, subslice_destination_select_3, .since = GEN9, .until = GEN9},
    {"Slice Destination Select", 83, 84, FIELD_UINT, slice_destination_select_2, .until = GEN9},
    {"Use Scoreboard", 85, 85, FIELD_UINT, use_scoreboard, .until = GEN9},
    {"Force Destination", 86, 86, FIELD_UINT, .until = GEN9}, {"End of Thread Group", 87, 87, FIELD_UINT, .role = MEDIA_GROUP_END},
    {"Slice Destination Select MSB", 88, 88, FIELD_UINT, .since = GEN9, .until = GEN9},
    {"Indirect Data Start Address", 96, 127, FIELD_ADDRESS, .base = BASE_INDIRECT_OBJECT, .role = WALKER_DATA_START},
    {"Scoreboard X", 128, 136, FIELD_UINT, .until = GEN9, .role = MEDIA_X}, {"X Position", 128, 136, FIELD_UINT, .since = GEN11, .role = MEDIA_X},
    {"Scoreboard Y", 144, 152, FIELD_UINT, .until = GEN9, .role = MEDIA_Y}, {"Y Position", 144, 152, FIELD_UINT, .since = GEN11, .role = MEDIA_Y},
    {"Scoreboard Mask", 160, 167, FIELD_UINT, .until = GEN9},
    {"Scoreboard Color", 176, 179, FIELD_UINT, .until = GEN9, .role = MEDIA_COLOR},
    {"Block Color", 176, 183, FIELD_UINT, .since = GEN11, .role = MEDIA_COLOR}, {"GroupID", 192, 223, FIELD_HEX},
};
static const struct field_value prt_fencetype[] = {
    {"Root thread queue", 0}, {"VFE state flush", 1}, {NULL, 0}
};
static const struct field f_media_object_prt[] = {
    {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7, .role = WALKER_DESCRIPTOR},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75, .role = WALKER_DESCRIPTOR},
    {"PRT_FenceType", 86, 86, FIELD_UINT, prt_fencetype}, {"PRT_Fence Needed", 87, 87, FIELD_BOOL},
    {"Children Present", 95, 95, FIELD_BOOL, .role = MEDIA_CHILDREN},
    {"Inline Data[#]", 128, 159, FIELD_HEX, .count = 12, .stride = 32},
};
static const struct field_value group_id_loop_select[] = {
    {"No_Groups", 0}, {"Color_Groups", 1}, {"InnerLocal_Groups", 2}, {"MidLocal_Groups", 3},
    {"OuterLocal_Groups", 4}, {"InnerGlobal_Groups", 5}, {NULL, 0}
};
static const struct field f_media_object_walker[] = {
    {"Interface Descriptor Offset", 32, 36, FIELD_UINT, .until = GEN7, .role = WALKER_DESCRIPTOR},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN75, .role = WALKER_DESCRIPTOR},
    {"Indirect Data Length", 64, 80, FIELD_HEX},
    {"Use Scoreboard", 85, 85, FIELD_UINT, use_scoreboard, .until = GEN9},
    {"Masked Dispatch", 86, 87, FIELD_UINT, .since = GEN9, .role = MEDIA_MASKED},
    {"Thread Synchronization", 88, 88, FIELD_UINT, thread_synchronization, .role = MEDIA_SYNCHRONIZED},
    {"Children Present", 95, 95, FIELD_UINT, .until = GEN8, .role = MEDIA_CHILDREN},
    {"Indirect Data Start Address", 96, 127, FIELD_OFFSET, .base = BASE_INDIRECT_OBJECT, .until = GEN8},
    {"Indirect Data Start Address", 96, 127, FIELD_HEX, .since = GEN9},
    {"Scoreboard Mask", 160, 167, FIELD_UINT, .until = GEN9},
    {"Group ID Loop Select", 168, 191, FIELD_HEX, .since = GEN8, .until = GEN8},
    {"Group ID Loop Select", 168, 191, FIELD_UINT, group_id_loop_select, .since = GEN9, .role = MEDIA_GROUP_LOOP},
    {"Mid-Loop Unit X", 200, 201, FIELD_INT, .role = MEDIA_VECTORS + 16}, {"Local Mid-Loop Unit Y", 204, 205, FIELD_INT, .role = MEDIA_VECTORS + 17},
    {"Middle Loop Extra Steps", 208, 212, FIELD_UINT, .role = MEDIA_EXTRA_STEPS},
    {"Color Count Minus One", 216, 219, FIELD_UINT, .until = GEN9, .role = MEDIA_COLOR},
    {"Color Count Minus One", 216, 223, FIELD_UINT, .since = GEN11, .role = MEDIA_COLOR},
    {"Quad Mode", 221, 221, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Repel", 222, 222, FIELD_UINT, .until = GEN75}, {"Dual Mode", 223, 223, FIELD_UINT, .until = GEN75},
    {"Local Loop Exec Count", 224, 233, FIELD_UINT, .until = GEN8, .role = MEDIA_COUNT},
    {"Local Loop Exec Count", 224, 235, FIELD_UINT, .since = GEN9, .role = MEDIA_COUNT},
    {"Global Loop Exec Count", 240, 249, FIELD_UINT, .until = GEN8, .role = MEDIA_GLOBAL_COUNT},
    {"Global Loop Exec Count", 240, 251, FIELD_UINT, .since = GEN9, .role = MEDIA_GLOBAL_COUNT},
    {"Block Resolution X", 256, 264, FIELD_UINT, .until = GEN8, .role = MEDIA_VECTORS + 0},
    {"Block Resolution X", 256, 266, FIELD_UINT, .since = GEN9, .role = MEDIA_VECTORS + 0},
    {"Block Resolution Y", 272, 280, FIELD_UINT, .until = GEN8, .role = MEDIA_VECTORS + 1},
    {"Block Resolution Y", 272, 282, FIELD_UINT, .since = GEN9, .role = MEDIA_VECTORS + 1},
    {"Local Start X", 288, 296, FIELD_UINT, .until = GEN8, .role = MEDIA_VECTORS + 2},
    {"Local Start X", 288, 298, FIELD_UINT, .since = GEN9, .role = MEDIA_VECTORS + 2},
    {"Local Start Y", 304, 312, FIELD_UINT, .until = GEN8, .role = MEDIA_VECTORS + 3},
    {"Local Start Y", 304, 314, FIELD_UINT, .since = GEN9, .role = MEDIA_VECTORS + 3},
    {"Local End X", 320, 328, FIELD_UINT, .until = GEN7}, {"Local End Y", 336, 344, FIELD_UINT, .until = GEN7},
    {"Local Outer Loop Stride X", 352, 361, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 4},
    {"Local Outer Loop Stride X", 352, 363, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 4},
    {"Local Outer Loop Stride Y", 368, 377, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 5},
    {"Local Outer Loop Stride Y", 368, 379, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 5},
    {"Local Inner Loop Unit X", 384, 393, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 6},
    {"Local Inner Loop Unit X", 384, 395, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 6},
    {"Local Inner Loop Unit Y", 400, 409, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 7},
    {"Local Inner Loop Unit Y", 400, 411, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 7},
    {"Global Resolution X", 416, 424, FIELD_UINT, .until = GEN8, .role = MEDIA_VECTORS + 8},
    {"Global Resolution X", 416, 426, FIELD_UINT, .since = GEN9, .role = MEDIA_VECTORS + 8},
    {"Global Resolution Y", 432, 440, FIELD_UINT, .until = GEN8, .role = MEDIA_VECTORS + 9},
    {"Global Resolution Y", 432, 442, FIELD_UINT, .since = GEN9, .role = MEDIA_VECTORS + 9},
    {"Global Start X", 448, 457, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 10},
    {"Global Start X", 448, 459, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 10},
    {"Global Start Y", 464, 473, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 11},
    {"Global Start Y", 464, 475, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 11},
    {"Global Outer Loop Stride X", 480, 489, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 12},
    {"Global Outer Loop Stride X", 480, 491, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 12},
    {"Global Outer Loop Stride Y", 496, 505, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 13},
    {"Global Outer Loop Stride Y", 496, 507, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 13},
    {"Global Inner Loop Unit X", 512, 521, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 14},
    {"Global Inner Loop Unit X", 512, 523, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 14},
    {"Global Inner Loop Unit Y", 528, 537, FIELD_INT, .until = GEN8, .role = MEDIA_VECTORS + 15},
    {"Global Inner Loop Unit Y", 528, 539, FIELD_INT, .since = GEN9, .role = MEDIA_VECTORS + 15},
};
static const struct field_value barrier_mask[] = {
    {"Not Waiting", 0}, {"Waiting", 1}, {NULL, 0}
};
static const struct field f_media_state_flush[] = {
    {"Barrier Mask", 32, 47, FIELD_UINT, barrier_mask, .until = GEN6},
    {"Interface Descriptor Offset", 32, 37, FIELD_UINT, .since = GEN7},
    {"Watermark Required", 38, 38, FIELD_UINT, .since = GEN7, .until = GEN9},
    {"Flush to GO", 39, 39, FIELD_BOOL, .since = GEN75},
    {"Disable Preemption", 40, 40, FIELD_BOOL, .since = GEN75, .until = GEN75},
    {"Thread Count WaterMark", 48, 55, FIELD_UINT, .until = GEN6},
};
static const struct field_value gateway_mmio_access_control[] = {
    {"No MMIO read/write allowed", 0}, {"MMIO read/write to any address", 2}, {NULL, 0}
};
static const struct field_value fast_preempt[] = {
    {"Preempt only _PRT", 0}, {NULL, 0}
};
static const struct field_value bypass_gateway_control[] = {
    {"Maintaining OpenGateway/ForwardMsg/CloseGateway protocol (legacy mode)", 0},
    {"Bypassing OpenGateway/CloseGateway protocol", 1}, {NULL, 0}
};
static const struct field_value reset_gateway_timer[] = {
    {"Maintaining the existing timestamp state", 0},
    {"Resetting relative timer and latching the global timestamp", 1}, {NULL, 0}
};
static const struct field_value dispatch_load_balance[] = {
    {"Color LSB", 1}, {"Least Loaded", 0}, {NULL, 0}
};
static const struct field_value slice_disable[] = {
    {"All Subslices Enabled", 0}, {"Only Slice 0 Enabled", 1}, {"Only Slice 0 Subslice 0 Enabled", 3},
    {NULL, 0}
};
static const struct field_value scoreboard_type[] = {
    {"Stalling Scoreboard", 0}, {NULL, 0}
};
static const struct field_value scoreboard_type_2[] = {
    {"Stalling Scoreboard", 0}, {"Non-Stalling Scoreboard", 1}, {NULL, 0}
};
static const struct field_value scoreboard_enable[] = {
    {"Scoreboard disabled", 0}, {"Scoreboard enabled", 1}, {NULL, 0}
};
static const struct field f_media_vfe_state[] = {
    {"Per Thread Scratch Space", 32, 35, FIELD_UINT, .role = FRONT_END_SCRATCH_SIZE}, {"Stack Size", 36, 39, FIELD_UINT, .since = GEN75},
    {"Scratch Space Base Pointer", 42, 63, FIELD_ADDRESS, .base = BASE_GENERAL, .until = GEN75, .role = FRONT_END_SCRATCH},
    {"Scratch Space Base Pointer", 42, 79, FIELD_ADDRESS, .base = BASE_GENERAL, .since = GEN8, .role = FRONT_END_SCRATCH},
    {"GPGPU Mode", 66, 66, FIELD_BOOL, .since = GEN7, .until = GEN75},
    {"Gateway MMIO Access Control", 67, 68, FIELD_UINT, gateway_mmio_access_control, .since = GEN7, .until = GEN7},
    {"Fast Preempt", 69, 69, FIELD_UINT, fast_preempt, .until = GEN6},
    {"Bypass Gateway Control", 70, 70, FIELD_UINT, bypass_gateway_control, .until = GEN75},
    {"Bypass Gateway Control", 102, 102, FIELD_UINT, bypass_gateway_control, .since = GEN8, .until = GEN8},
    {"Reset Gateway Timer", 71, 71, FIELD_UINT, reset_gateway_timer, .until = GEN75},
    {"Reset Gateway Timer", 103, 103, FIELD_UINT, reset_gateway_timer, .since = GEN8, .until = GEN9},
    {"Number of URB Entries", 72, 79, FIELD_UINT, .until = GEN75},
    {"Maximum Number of Threads", 80, 95, FIELD_UINT, .until = GEN75},
    {"Half-Slice Disable", 96, 97, FIELD_UINT, .since = GEN75, .until = GEN75},
    {"Dispatch Load Balance", 98, 98, FIELD_UINT, dispatch_load_balance, .since = GEN11},
    {"Number of URB Entries", 104, 111, FIELD_UINT, .since = GEN8},
    {"Maximum Number of Threads", 112, 127, FIELD_UINT, .since = GEN8},
    {"CURBE Allocation Size", 128, 143, FIELD_UINT, .until = GEN75},
    {"Slice Disable", 128, 129, FIELD_UINT, slice_disable, .since = GEN8, .until = GEN9},
    {"Maximum Number of Dual-Subslices", 128, 135, FIELD_UINT, .since = GEN11},
    {"URB Entry Allocation Size", 144, 159, FIELD_UINT, .until = GEN75},
    {"Scoreboard Mask", 160, 167, FIELD_UINT, .until = GEN75},
    {"CURBE Allocation Size", 160, 175, FIELD_UINT, .since = GEN8},
    {"URB Entry Allocation Size", 176, 191, FIELD_UINT, .since = GEN8},
    {"Scoreboard Type", 190, 190, FIELD_UINT, scoreboard_type, .until = GEN6},
    {"Scoreboard Type", 190, 190, FIELD_UINT, scoreboard_type_2, .since = GEN7, .until = GEN75},
    {"Scoreboard Enable", 191, 191, FIELD_UINT, scoreboard_enable, .until = GEN75},
    {"Scoreboard # Delta X", 192, 195, FIELD_INT, .count = 8, .stride = 8, .until = GEN75},
    {"Scoreboard Mask", 192, 199, FIELD_UINT, .since = GEN8, .until = GEN9},
    {"Scoreboard # Delta Y", 196, 199, FIELD_INT, .count = 8, .stride = 8, .until = GEN75},
    {"Scoreboard Type", 222, 222, FIELD_UINT, scoreboard_type_2, .since = GEN8, .until = GEN9},
    {"Scoreboard Enable", 223, 223, FIELD_BOOL, .since = GEN8, .until = GEN9},
    {"Scoreboard # Delta X", 224, 227, FIELD_INT, .count = 8, .stride = 8, .since = GEN8, .until = GEN9},
    {"Scoreboard # Delta Y", 228, 231, FIELD_INT, .count = 8, .stride = 8, .since = GEN8, .until = GEN9},
};

static const struct command rows[] = {
    {.name = "MEDIA_CURBE_LOAD", .summary = "Loads constants for media and GPGPU threads.",
     OPCODE_3D(2, 0, 0x01), .engines = RENDER, .since = GEN6, .until = GEN12, .length_bits = 16,
     .length_bias = 2, .min_dwords = 4, .flags = COMMAND_KEPT, FIELDS(f_media_curbe_load),
     .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "MEDIA_GATEWAY_STATE", .summary = "Media gateway state of the 3D pipeline.", OPCODE_3D(2, 0, 0x03),
     .engines = RENDER, .since = GEN6, .until = GEN6, .length_bits = 16, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT, FIELDS(f_media_gateway_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "MEDIA_INTERFACE_DESCRIPTOR_LOAD", .summary = "Loads the descriptors of media and GPGPU kernels.",
     OPCODE_3D(2, 0, 0x02), .engines = RENDER, .since = GEN6, .until = GEN12, .length_bits = 16,
     .length_bias = 2, .min_dwords = 4, .flags = COMMAND_KEPT | COMMAND_PREDICATED,
     FIELDS(f_media_interface_descriptor_load), .spec = "CSP-08, SNB PRM vol 2a"},
    {.name = "MEDIA_OBJECT", .summary = "Dispatches one media thread with inline data.", OPCODE_3D(2, 1, 0x00),
     .engines = RENDER, .since = GEN6, .length_bits = 16, .length_bias = 2, .min_dwords = 6,
     .flags = COMMAND_WORK | COMMAND_PREDICATED | COMMAND_ARBITRATES, FIELDS(f_media_object), .execute = media_object,
     GROUP(inline_data_group, 6, 1), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_PREDICATED | COMMAND_ARBITRATES, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .until = GEN12, .length_bits = 15, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "MEDIA_OBJECT_GRPID", .summary = "Dispatches one media thread of a group.", OPCODE_3D(2, 1, 0x06),
     .engines = RENDER, .since = GEN8, .length_bits = 16, .length_bias = 2, .min_dwords = 7,
     .flags = COMMAND_WORK | COMMAND_PERFORMED, FIELDS(f_media_object_grpid), GROUP(inline_data_group, 7, 1),
     .execute = media_object_grpid, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .until = GEN12, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "MEDIA_OBJECT_PRT", .summary = "Dispatches a persistent root thread.", OPCODE_3D(2, 1, 0x02),
     .engines = RENDER, .since = GEN6, .length_bits = 16, .length_bias = 2, .min_dwords = 16,
     .flags = COMMAND_WORK, FIELDS(f_media_object_prt), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .flags = COMMAND_WORK | COMMAND_PERFORMED, .execute = media_object_prt, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN11, .until = GEN12, .length_bits = 15, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "MEDIA_OBJECT_WALKER", .summary = "Dispatches media threads over a range.", OPCODE_3D(2, 1, 0x03),
     .engines = RENDER, .since = GEN6, .length_bits = 16, .length_bias = 2, .min_dwords = 17,
     .flags = COMMAND_WORK | COMMAND_PREDICATED | COMMAND_ARBITRATES, FIELDS(f_media_object_walker),
     GROUP(inline_data_group, 17, 1), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_PREDICATED | COMMAND_ARBITRATES, .execute = media_object_walker, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .until = GEN12, .length_bits = 15, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "MEDIA_STATE_FLUSH", .summary = "Waits until media state may change.", OPCODE_3D(2, 0, 0x04),
     .engines = RENDER, .since = GEN6, .length_bits = 16, .length_bias = 2, .min_dwords = 2,
     .flags = COMMAND_KEPT | COMMAND_ARBITRATES, FIELDS(f_media_state_flush), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN11, .until = GEN12, .spec = "CSP-08, ICL PRM vol 2a"},
    {.name = "MEDIA_VFE_STATE", .summary = "The video front end: threads, URB, scratch.", OPCODE_3D(2, 0, 0x00),
     .engines = RENDER, .since = GEN6, .length_bits = 16, .length_bias = 2, .min_dwords = 8,
     .flags = COMMAND_KEPT | COMMAND_PREDICATED, FIELDS(f_media_vfe_state), .spec = "CSP-08, SNB PRM vol 2a"},
    {.since = GEN7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .min_dwords = 9, .spec = "CSP-08, BDW PRM vol 2a"},
    {.since = GEN9, .spec = "CSP-08, SKL PRM vol 2a"},
    {.since = GEN11, .until = GEN12, .spec = "CSP-08, ICL PRM vol 2a"},
};
/* clang-format on */

const struct command_table media_state_commands = COMMAND_TABLE(rows);
