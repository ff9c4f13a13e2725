/* What the render and copy streamers have beside the common ring registers. (CSP-12, CSP-16) */
#include "engine/engine.h"

#define ALL 0xffffffffu
#define COUNTER(title, at, text)                                                                             \
    {                                                                                                        \
        .name = title, .offset = (at), .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX,               \
        .summary = text "; draws add what is known without drawing.", .spec = "CSP-16, REN-17"               \
    }
#define THREADS_DISPATCHED                                                                                   \
    {                                                                                                        \
        .name = "GPGPU_THREADS_DISPATCHED", .offset = 0x290, .dwords = 2, .flags = REG_USER,                 \
        .writable = UINT64_MAX,                                                                              \
        .summary = "Invocations of compute threads, from Gen9 on; before, written by software only.",        \
        .spec = "CSP-16, REN-17"                                                                             \
    }
/* Of all slices: batches of users write the slices' own. */
#define SUM(title, at, text)                                                                                 \
    {                                                                                                        \
        .name = title, .offset = (at), .dwords = 2, .writable = UINT64_MAX,                                  \
        .summary = text "; draws add what is known without drawing.", .spec = "CSP-16, REN-17"               \
    }

/* clang-format off */
static const struct field result_fields[] = {{"MI_PREDICATE_RESULT", 0, 0, FIELD_BOOL, NULL}};

/* The pipeline counts, predicates and draw arguments of every generation. */
static const struct reg pipeline_rows[] = {
    COUNTER("IA_VERTICES_COUNT", 0x310, "Vertices the input assembly read"),
    COUNTER("IA_PRIMITIVES_COUNT", 0x318, "Primitives the input assembly made"),
    COUNTER("VS_INVOCATION_COUNT", 0x320, "Vertex shader invocations"),
    COUNTER("GS_INVOCATION_COUNT", 0x328, "Geometry shader invocations"),
    COUNTER("GS_PRIMITIVES_COUNT", 0x330, "Primitives of the geometry shader"),
    COUNTER("CL_INVOCATION_COUNT", 0x338, "Clipper invocations"),
    COUNTER("CL_PRIMITIVES_COUNT", 0x340, "Primitives of the clipper"),
    SUM("PS_INVOCATION_COUNT", 0x348, "Pixel shader invocations"),
    SUM("PS_DEPTH_COUNT", 0x350, "Pixels that passed the depth test"),
    {.name = "MI_PREDICATE_SRC0", .offset = 0x400, .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX, .summary = "First value MI_PREDICATE compares.", .spec = "CSP-12"},
    {.name = "MI_PREDICATE_SRC1", .offset = 0x408, .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX, .summary = "Second value MI_PREDICATE compares.", .spec = "CSP-12"},
    {.name = "MI_PREDICATE_DATA", .offset = 0x410, .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX, .summary = "Difference of the last MI_PREDICATE compare.", .spec = "CSP-12"},
    {.name = "MI_PREDICATE_RESULT", .offset = 0x418, .flags = REG_USER, .writable = 1, FIELDS(result_fields), .summary = "The predicate of 3DPRIMITIVE.", .spec = "CSP-12"},
    {.name = "3DPRIM_END_OFFSET", .offset = 0x420, .flags = REG_USER, .writable = ALL, .summary = "End of vertex data for auto draws.", .spec = "CSP-16"},
    {.name = "3DPRIM_START_VERTEX", .offset = 0x430, .flags = REG_USER, .writable = ALL, .summary = "Start vertex of an indirect draw.", .spec = "CSP-16"},
    {.name = "3DPRIM_VERTEX_COUNT", .offset = 0x434, .flags = REG_USER, .writable = ALL, .summary = "Vertex count of an indirect draw.", .spec = "CSP-16"},
    {.name = "3DPRIM_INSTANCE_COUNT", .offset = 0x438, .flags = REG_USER, .writable = ALL, .summary = "Instance count of an indirect draw.", .spec = "CSP-16"},
    {.name = "3DPRIM_START_INSTANCE", .offset = 0x43c, .flags = REG_USER, .writable = ALL, .summary = "Start instance of an indirect draw.", .spec = "CSP-16"},
    {.name = "3DPRIM_BASE_VERTEX", .offset = 0x440, .flags = REG_USER, .writable = ALL, .summary = "Base vertex of an indirect draw.", .spec = "CSP-16"},
};

static const struct reg render_rows[] = {
    {.name = "FF_THREAD_MODE", .offset = 0x0a0, .writable = ALL, .summary = "Thread modes of the fixed functions.", .spec = "CSP-16"},
    {.name = "CXT_OFFSET", .offset = 0x1ac, .writable = ALL, .summary = "Offset of the render context; in every power context.", .spec = "OVR-07"},
    {.name = "FF_SLICE_CS_CHICKEN1", .offset = 0x0e0, .kind = REG_MASKED, .writable = 0xffff, .summary = "Command streamer workaround bits.", .spec = "SKL PRM vol 2c"},
    {.name = "FF_SLICE_CS_CHICKEN2", .offset = 0x0e4, .kind = REG_MASKED, .writable = 0xffff, .summary = "Level of GPGPU preemption, bits 2:1.", .spec = "CSP-21"},
    {.name = "FF_SLICE_CS_CHICKEN3", .offset = 0x0ec, .kind = REG_MASKED, .writable = 0xffff, .summary = "Level of 3D preemption, bit 0.", .spec = "CSP-21"},
    THREADS_DISPATCHED,
    COUNTER("PS_INVOCATION_COUNT_0", 0x2c8, "Pixel shader invocations, slice 0"),
    COUNTER("PS_DEPTH_COUNT_0", 0x2d8, "Pixels that passed the depth test, slice 0"),
    COUNTER("PS_INVOCATION_COUNT_1", 0x2f0, "Pixel shader invocations, slice 1"),
    COUNTER("PS_DEPTH_COUNT_1", 0x2f8, "Pixels that passed the depth test, slice 1"),
    COUNTER("HS_INVOCATION_COUNT", 0x300, "Hull shader invocations"),
    COUNTER("DS_INVOCATION_COUNT", 0x308, "Domain shader invocations"),
    {.name = "OACTXCONTROL", .offset = 0x360, .flags = REG_USER | REG_SURVIVES, .writable = ALL, .summary = "Bits 7:2: exponent of the timer; 1: it reports; 0: counters count.", .spec = "CSP-16"},
    {.name = "OACTXID", .offset = 0x364, .flags = REG_USER, .writable = ALL, .summary = "Context id that performance reports select.", .spec = "CSP-16"},
    COUNTER("PS_INVOCATION_COUNT_2", 0x448, "Pixel shader invocations, slice 2"),
    COUNTER("PS_DEPTH_COUNT_2", 0x450, "Pixels that passed the depth test, slice 2"),
    {.name = "GPGPU_DISPATCHDIMX", .offset = 0x500, .flags = REG_USER, .writable = ALL, .summary = "Indirect dispatch, X.", .spec = "CSP-16"},
    {.name = "GPGPU_DISPATCHDIMY", .offset = 0x504, .flags = REG_USER, .writable = ALL, .summary = "Indirect dispatch, Y.", .spec = "CSP-16"},
    {.name = "GPGPU_DISPATCHDIMZ", .offset = 0x508, .flags = REG_USER, .writable = ALL, .summary = "Indirect dispatch, Z.", .spec = "CSP-16"},
};

static const struct reg global_rows[] = {
    {.name = "SO_NUM_PRIMS_WRITTEN", .offset = 0x5200, .count = 4, .stride = 8, .dwords = 2, .flags = REG_RENDER_USER, .writable = UINT64_MAX, .summary = "Primitives streamed out, by stream.", .spec = "CSP-16"},
    {.name = "SO_PRIM_STORAGE_NEEDED", .offset = 0x5240, .count = 4, .stride = 8, .dwords = 2, .flags = REG_RENDER_USER, .writable = UINT64_MAX, .summary = "Primitives that wanted to be streamed out.", .spec = "CSP-16"},
    {.name = "SO_WRITE_OFFSET", .offset = 0x5280, .count = 4, .stride = 4, .flags = REG_RENDER_USER, .writable = 0xfffffffc, .summary = "Write offset of stream-out buffers.", .spec = "CSP-16"},
    {.name = "CACHE_MODE_0", .offset = 0x7000, .kind = REG_MASKED, .flags = REG_RENDER_USER, .writable = 0xffff, .summary = "Render cache modes.", .spec = "CSP-16"},
    {.name = "CACHE_MODE_1", .offset = 0x7004, .kind = REG_MASKED, .flags = REG_RENDER_USER, .writable = 0xffff, .summary = "Render cache modes, second part.", .spec = "CSP-16"},
    {.name = "GT_MODE", .offset = 0x7008, .kind = REG_MASKED, .flags = REG_RENDER_USER, .writable = 0xffff, .summary = "Slice hashing modes.", .spec = "CSP-16"},
    {.name = "COMMON_SLICE_CHICKEN1", .offset = 0x7010, .kind = REG_MASKED, .writable = 0xffff, .summary = "Slice workaround bits.", .spec = "SKL PRM vol 2c"},
    {.name = "COMMON_SLICE_CHICKEN2", .offset = 0x7014, .kind = REG_MASKED, .writable = 0xffff, .summary = "Slice workaround bits, second part.", .spec = "SKL PRM vol 2c"},
    {.name = "L3CNTLREG", .offset = 0x7034, .flags = REG_RENDER_USER, .writable = ALL, .summary = "Partition of the L3 cache.", .spec = "CSP-16"},
    {.name = "COMMON_SLICE_CHICKEN3", .offset = 0x7304, .kind = REG_MASKED, .writable = 0xffff, .summary = "Slice workaround bits, third part.", .spec = "SKL PRM vol 2c"},
    {.name = "TCCNTLREG", .offset = 0xb0a4, .flags = REG_RENDER_USER, .writable = ALL, .summary = "Texture cache control.", .spec = "CSP-16"},
    {.name = "SAMPLER_MODE", .offset = 0xe18c, .kind = REG_MASKED, .writable = 0xffff, .summary = "Sampler modes.", .spec = "SKL PRM vol 2c"},
    {.name = "HALF_SLICE_CHICKEN7", .offset = 0xe194, .kind = REG_MASKED, .writable = 0xffff, .summary = "Half-slice workaround bits.", .spec = "SKL PRM vol 2c"},
    {.name = "HDC_MODE", .offset = 0xe5f4, .kind = REG_MASKED, .flags = REG_RENDER_USER, .writable = 0xffff, .summary = "Data cache modes.", .spec = "CSP-16"},
};

static const struct reg gen9_render_rows[] = {
    {.name = "CS_CHICKEN1", .offset = 0x580, .kind = REG_MASKED, .writable = 0xffff, .summary = "Preemption control of the context.", .spec = "SKL PRM vol 2c"},
};

/* Gen11 has these, too. Its table of CSP-16 does not name CS_CHICKEN1, but user space writes it there, and IGT says it may. */
static const struct reg gen11_render_rows[] = {
    {.name = "CS_CHICKEN1", .offset = 0x580, .kind = REG_MASKED, .flags = REG_USER, .writable = 0xffff, .summary = "Preemption control of the context.", .spec = "ICL PRM vol 2c"},
    COUNTER("PS_INVOCATION_COUNT_3", 0x458, "Pixel shader invocations, slice 3"),
    COUNTER("PS_DEPTH_COUNT_3", 0x460, "Pixels that passed the depth test, slice 3"),
    COUNTER("PS_INVOCATION_COUNT_4", 0x468, "Pixel shader invocations, slice 4"),
    COUNTER("PS_DEPTH_COUNT_4", 0x470, "Pixels that passed the depth test, slice 4"),
    COUNTER("PS_INVOCATION_COUNT_5", 0x4a0, "Pixel shader invocations, slice 5"),
    COUNTER("PS_DEPTH_COUNT_5", 0x4a8, "Pixels that passed the depth test, slice 5"),
    COUNTER("PS_INVOCATION_COUNT_6", 0x5d0, "Pixel shader invocations, slice 6"),
    COUNTER("PS_DEPTH_COUNT_6", 0x5b0, "Pixels that passed the depth test, slice 6"),
    COUNTER("PS_INVOCATION_COUNT_7", 0x5d8, "Pixel shader invocations, slice 7"),
    COUNTER("PS_DEPTH_COUNT_7", 0x5b8, "Pixels that passed the depth test, slice 7"),
    COUNTER("CPS_INVOCATION_COUNT", 0x478, "Invocations of coarse pixel shaders"),
    {.name = "3DPRIM_XP0", .offset = 0x690, .flags = REG_USER, .writable = ALL, .summary = "First further argument of an indirect draw.", .spec = "CSP-16"},
    {.name = "3DPRIM_XP1", .offset = 0x694, .flags = REG_USER, .writable = ALL, .summary = "Second further argument of an indirect draw.", .spec = "CSP-16"},
    {.name = "3DPRIM_XP2", .offset = 0x698, .flags = REG_USER, .writable = ALL, .summary = "Third further argument of an indirect draw.", .spec = "CSP-16"},
};

static const struct reg gen11_global_rows[] = {
    {.name = "Z_DISCARD_EN", .offset = 0x7040, .flags = REG_RENDER_USER, .writable = ALL, .summary = "Discards of depth.", .spec = "CSP-16"},
    {.name = "PERF_CNT_1", .offset = 0x91b8, .dwords = 2, .flags = REG_RENDER_USER, .writable = UINT64_MAX, .summary = "First performance counter; nothing is counted.", .spec = "CSP-16"},
    {.name = "PERF_CNT_2", .offset = 0x91c0, .dwords = 2, .flags = REG_RENDER_USER, .writable = UINT64_MAX, .summary = "Second performance counter; nothing is counted.", .spec = "CSP-16"},
    {.name = "VSR_PUSH_CONSTANT_BASE", .offset = 0xe518, .flags = REG_RENDER_USER, .writable = ALL, .summary = "Base of push constants of vertex shaders.", .spec = "CSP-16"},
};

static const struct reg gen125_render_rows[] = {
    {.name = "DRAW_WATERMARK", .offset = 0x6c0, .writable = ALL, .summary = "Vertices that wait before a draw.", .spec = "Linux, intel_gt_regs"},
};

/* What a compute engine has of the render engine's. */
static const struct reg compute_rows[] = {
    {.name = "FF_SLICE_CS_CHICKEN2", .offset = 0x0e4, .kind = REG_MASKED, .writable = 0xffff, .summary = "Level of GPGPU preemption, bits 2:1.", .spec = "CSP-21"},
    {.name = "CS_DEBUG_MODE1", .offset = 0x0ec, .kind = REG_MASKED, .writable = 0xffff, .summary = "Workaround bits of the streamer.", .spec = "Linux, intel_workarounds"},
    THREADS_DISPATCHED,
    {.name = "MI_PREDICATE_SRC0", .offset = 0x400, .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX, .summary = "First value MI_PREDICATE compares.", .spec = "CSP-12"},
    {.name = "MI_PREDICATE_SRC1", .offset = 0x408, .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX, .summary = "Second value MI_PREDICATE compares.", .spec = "CSP-12"},
    {.name = "MI_PREDICATE_DATA", .offset = 0x410, .dwords = 2, .flags = REG_USER, .writable = UINT64_MAX, .summary = "Difference of the last MI_PREDICATE compare.", .spec = "CSP-12"},
    {.name = "MI_PREDICATE_RESULT", .offset = 0x418, .flags = REG_USER, .writable = 1, FIELDS(result_fields), .summary = "What MI_PREDICATE found.", .spec = "CSP-12"},
    {.name = "GPGPU_DISPATCHDIMX", .offset = 0x500, .flags = REG_USER, .writable = ALL, .summary = "Indirect dispatch, X.", .spec = "CSP-16"},
    {.name = "GPGPU_DISPATCHDIMY", .offset = 0x504, .flags = REG_USER, .writable = ALL, .summary = "Indirect dispatch, Y.", .spec = "CSP-16"},
    {.name = "GPGPU_DISPATCHDIMZ", .offset = 0x508, .flags = REG_USER, .writable = ALL, .summary = "Indirect dispatch, Z.", .spec = "CSP-16"},
    {.name = "CS_CHICKEN1", .offset = 0x580, .kind = REG_MASKED, .flags = REG_USER, .writable = 0xffff, .summary = "Preemption control of the context.", .spec = "ICL PRM vol 2c"},
};

static const struct reg copy_rows[] = {
    {.name = "BCS_SWCTRL", .offset = 0x200, .kind = REG_MASKED, .flags = REG_USER, .writable = 0xffff, .summary = "Tile Y bits of source and destination.", .spec = "OVR-08, CSP-16"},
};
/* clang-format on */

const struct register_block pipeline_registers = REGISTER_BLOCK("pipeline", pipeline_rows);
const struct register_block gen8_render_registers = REGISTER_BLOCK("render", render_rows);
const struct register_block gen8_global_render_registers = REGISTER_BLOCK("render units", global_rows);
const struct register_block gen125_render_registers = REGISTER_BLOCK("render", gen125_render_rows);
const struct register_block gen125_compute_registers = REGISTER_BLOCK("compute", compute_rows);
const struct register_block gen8_copy_registers = REGISTER_BLOCK("copy", copy_rows);
const struct register_block gen9_render_registers = REGISTER_BLOCK("render", gen9_render_rows);
const struct register_block gen11_render_registers = REGISTER_BLOCK("render", gen11_render_rows);
const struct register_block gen11_global_render_registers = REGISTER_BLOCK("render units", gen11_global_rows);
