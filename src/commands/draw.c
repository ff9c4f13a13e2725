/*
 * Draws. Nothing is drawn; what the input assembly would count is counted. (CSP-08, CSP-12, REN-17, REN-21)
 */
#include "commands/commands.h"
#include "commands/walkers.h"
#include "dispatch/dispatch.h"
#include "engine/execution.h"

enum { DRAW_TOPOLOGY = 1, DRAW_VERTICES, DRAW_INSTANCES, DRAW_PREDICATE, DRAW_INDIRECT, DRAW_TO_END };
/* clang-format off */
#define TOPOLOGIES {"POINTLIST", 1}, {"LINELIST", 2}, {"LINESTRIP", 3}, {"TRILIST", 4}, {"TRISTRIP", 5}, {"TRIFAN", 6}, \
    {"QUADLIST", 7}, {"QUADSTRIP", 8}, {"LINELIST_ADJ", 9}, {"LINESTRIP_ADJ", 10}, {"TRILIST_ADJ", 11}, \
    {"TRISTRIP_ADJ", 12}, {"TRISTRIP_REVERSE", 13}, {"POLYGON", 14}, {"RECTLIST", 15}, {"LINELOOP", 16}, \
    {"POINTLIST _BF", 17}, {"LINESTRIP_CONT", 18}, {"LINESTRIP_BF", 19}, {"LINESTRIP_CONT_BF", 20}, \
    {"TRIFAN_NOSTIPPLE", 22}
static const struct field_value topologies_gen6[] = {TOPOLOGIES, {NULL, 0}};
static const struct field_value topologies[] = {
    TOPOLOGIES, {"PATCHLIST_1", 32}, {"PATCHLIST_2", 33}, {"PATCHLIST_3", 34},
    {"PATCHLIST_4", 35}, {"PATCHLIST_5", 36}, {"PATCHLIST_6", 37}, {"PATCHLIST_7", 38}, {"PATCHLIST_8", 39},
    {"PATCHLIST_9", 40}, {"PATCHLIST_10", 41}, {"PATCHLIST_11", 42}, {"PATCHLIST_12", 43},
    {"PATCHLIST_13", 44}, {"PATCHLIST_14", 45}, {"PATCHLIST_15", 46}, {"PATCHLIST_16", 47},
    {"PATCHLIST_17", 48}, {"PATCHLIST_18", 49}, {"PATCHLIST_19", 50}, {"PATCHLIST_20", 51},
    {"PATCHLIST_21", 52}, {"PATCHLIST_22", 53}, {"PATCHLIST_23", 54}, {"PATCHLIST_24", 55},
    {"PATCHLIST_25", 56}, {"PATCHLIST_26", 57}, {"PATCHLIST_27", 58}, {"PATCHLIST_28", 59},
    {"PATCHLIST_29", 60}, {"PATCHLIST_30", 61}, {"PATCHLIST_31", 62}, {"PATCHLIST_32", 63}, {NULL, 0},
};
static const struct field_value accesses[] = {{"SEQUENTIAL", 0}, {"RANDOM", 1}, {NULL, 0}};

static const struct field draw_fields_gen6[] = {
    {"Primitive Topology Type", 10, 14, FIELD_UINT, topologies_gen6, DRAW_TOPOLOGY},
    {"Vertex Count Per Instance", 32, 63, FIELD_HEX, NULL, DRAW_VERTICES},
    {"Instance Count", 96, 127, FIELD_UINT, NULL, DRAW_INSTANCES},
    {"Internal Vertex Count", 9, 9, FIELD_UINT}, {"Vertex Access Type", 15, 15, FIELD_UINT, accesses},
    {"Start Vertex Location", 64, 95, FIELD_HEX}, {"Start Instance Location", 128, 159, FIELD_HEX},
    {"Base Vertex Location", 160, 191, FIELD_INT},
};
static const struct field draw_fields[] = {
    {"Primitive Topology Type", 32, 37, FIELD_UINT, topologies, DRAW_TOPOLOGY},
    {"Vertex Count Per Instance", 64, 95, FIELD_HEX, NULL, DRAW_VERTICES},
    {"Instance Count", 128, 159, FIELD_HEX, NULL, DRAW_INSTANCES},
    {"Predicate Enable", 8, 8, FIELD_BOOL, NULL, DRAW_PREDICATE}, {"TBIMR Enable", 13, 13, FIELD_BOOL, .since = GEN125},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL, NULL, DRAW_INDIRECT},
    {"End Offset Enable", 41, 41, FIELD_BOOL, NULL, DRAW_TO_END},
    {"Vertex Access Type", 40, 40, FIELD_UINT, accesses},
    {"Start Vertex Location", 96, 127, FIELD_HEX}, {"Start Instance Location", 160, 191, FIELD_HEX},
    {"Base Vertex Location", 192, 223, FIELD_INT},
    {"UAV Coherency Required", 9, 9, FIELD_BOOL, .since = GEN75},
    {"Extended Parameters Present", 11, 11, FIELD_UINT, .since = GEN11},
    {"Extended Parameter #", 224, 255, FIELD_HEX, .since = GEN11, .count = 3, .stride = 32},
};
/* clang-format on */

/* Vertices of the first primitive, and of each that follows. */
static uint64_t primitives(uint64_t topology, uint64_t vertices)
{
    static const struct {
        uint8_t first, more;
    } shape[] = {[1] = {1, 1},  [2] = {2, 2},  [3] = {2, 1},  [4] = {3, 3},  [5] = {3, 1},
                 [6] = {3, 1},  [7] = {4, 4},  [8] = {4, 2},  [9] = {4, 4},  [10] = {4, 1},
                 [11] = {6, 6}, [12] = {6, 2}, [13] = {3, 1}, [15] = {3, 3}, [17] = {1, 1},
                 [18] = {2, 1}, [19] = {2, 1}, [20] = {2, 1}, [22] = {3, 1}};
    enum { POLYGON = 14, LINELOOP = 16, PATCHLIST_1 = 32 };
    if (topology >= PATCHLIST_1)
        return vertices / (topology - PATCHLIST_1 + 1u);
    if (topology == POLYGON)
        return vertices >= 3;
    if (topology == LINELOOP) /* the line that closes it is not counted */
        return vertices >= 2 ? vertices - 1u : 0;
    if (topology >= sizeof shape / sizeof shape[0] || !shape[topology].first ||
        vertices < shape[topology].first)
        return 0;
    return (vertices - shape[topology].first) / shape[topology].more + 1u;
}

static void count_more(struct engine *e, uint32_t offset, uint64_t more)
{
    engine_register64_set(e, offset, engine_register64(e, offset) + more);
}

static bool state(const struct engine *e, uint32_t header, unsigned role)
{
    return pipeline_field(&e->pipeline, header, role, 0);
}

/* A geometry shader has a thread for each object. Where nothing tessellates, and neither it nor the streaming
 * out stands between, the clipper sees what the input assembly made; what it accepts or rejects as a whole is
 * known, what it clips is not. (REN-17, SNB PRM vol 2) */
static void count_behind_input(struct engine *e, uint64_t objects)
{
    enum {
        GS = 0x78110000,
        CLIP = 0x78120000,
        SF = 0x78130000,
        TE = 0x781c0000,
        STREAMOUT = 0x781e0000,
        ACCEPT_ALL = 4
    };
    enum { GS_INVOCATION_COUNT = 0x328, CL_INVOCATION_COUNT = 0x338, CL_PRIMITIVES_COUNT = 0x340 };
    if (state(e, TE, TE_ENABLE))
        return;
    if (state(e, GS, GS_ENABLE)) {
        if (state(e, GS, GS_STATISTICS_ENABLE))
            count_more(e, GS_INVOCATION_COUNT, objects);
        return;
    }
    if (state(e, STREAMOUT, SO_RENDERING_DISABLE))
        return;
    const bool clips = state(e, CLIP, CLIP_ENABLE);
    if (clips && state(e, CLIP, CLIP_STATISTICS_ENABLE))
        count_more(e, CL_INVOCATION_COUNT, objects);
    if (state(e, SF, SF_STATISTICS_ENABLE) &&
        (!clips || pipeline_field(&e->pipeline, CLIP, CLIP_MODE, 0) == ACCEPT_ALL))
        count_more(e, CL_PRIMITIVES_COUNT, objects);
}

static enum outcome draw(struct execution *x, uint64_t topology, uint32_t vertices, uint32_t instances)
{
    enum { VF_STATISTICS = 0x680b0000, IA_VERTICES_COUNT = 0x310, IA_PRIMITIVES_COUNT = 0x318 };
    enum { LINELOOP = 16 };
    struct engine *e = x->engine;
    const uint64_t made = primitives(topology, vertices), closes = topology == LINELOOP && vertices >= 2;
    if (pipeline_field(&e->pipeline, VF_STATISTICS, VF_STATISTICS_ENABLE, 0)) {
        count_more(e, IA_VERTICES_COUNT, (uint64_t)vertices * instances);
        count_more(e, IA_PRIMITIVES_COUNT, made * instances);
    }
    count_behind_input(e, (made + closes) * instances);
    return DONE;
}

static enum outcome draw_execute_gen6(struct execution *x)
{
    return draw(x, header_field(x, DRAW_TOPOLOGY), (uint32_t)get(x, DRAW_VERTICES),
                (uint32_t)get(x, DRAW_INSTANCES));
}

/* Vertices of the first vertex buffer up to 3DPRIM_END_OFFSET. (REN-21) */
static uint32_t vertices_to_end(const struct engine *e)
{
    enum { VERTEX_BUFFERS = 0x78080000, END_OFFSET = 0x420 };
    const uint32_t pitch_bytes =
        (uint32_t)pipeline_field(&e->pipeline, VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, 0);
    return pitch_bytes ? engine_register(e, END_OFFSET) / pitch_bytes : 0;
}

static enum outcome draw_with(struct execution *x, uint64_t topology)
{
    enum { VERTEX_COUNT = 0x434, INSTANCE_COUNT = 0x438 };
    struct engine *e = x->engine;
    if (predicated_away(x, flag(x, DRAW_PREDICATE)))
        return DONE;
    const bool indirect = flag(x, DRAW_INDIRECT);
    const uint32_t vertices = get(x, DRAW_TO_END) ? vertices_to_end(e)
                              : indirect          ? engine_register(e, VERTEX_COUNT)
                                                  : (uint32_t)get(x, DRAW_VERTICES);
    return draw(x, topology, vertices,
                indirect ? engine_register(e, INSTANCE_COUNT) : (uint32_t)get(x, DRAW_INSTANCES));
}

static enum outcome draw_execute_gen7(struct execution *x)
{
    return draw_with(x, get(x, DRAW_TOPOLOGY));
}

/* The topology is 3DSTATE_VF_TOPOLOGY's. (BDW PRM vol 2a) */
static enum outcome draw_execute_gen8(struct execution *x)
{
    enum { VF_TOPOLOGY = 0x784b0000 };
    return draw_with(x, pipeline_field(&x->engine->pipeline, VF_TOPOLOGY, VF_TOPOLOGY_TYPE, 0));
}

/* clang-format off */
static const struct field_value indirect_formats[] = {{"DRAW", 0}, {"DRAWINDEXED", 1}, {"MESH_3D", 2}, {"MESH_1D", 3}, {NULL, 0}};
#define INDIRECT \
    {"Predicate Enable", 8, 8, FIELD_BOOL}, {"MOCS", 12, 15, FIELD_UINT}, {"Max Count", 32, 63, FIELD_UINT}, \
    {"Count Buffer Indirect Enable", 64, 64, FIELD_BOOL}, {"Count Buffer Address", 66, 127, FIELD_ADDRESS}, \
    {"Argument Buffer Start Address", 130, 191, FIELD_ADDRESS}
static const struct field indirect_draw_fields[] = {
    INDIRECT, {"TBIMR Enabled", 9, 9, FIELD_BOOL}, {"Argument Format", 10, 11, FIELD_UINT, indirect_formats},
};
/* Behind them is what COMPUTE_WALKER has behind its header. */
static const struct field indirect_dispatch_fields[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, .role = WALKER_PREDICATE}, {"MOCS", 12, 15, FIELD_UINT}, {"Max Count", 32, 63, FIELD_UINT, .role = INDIRECT_MAX_COUNT},
    {"Count Buffer Indirect Enable", 64, 64, FIELD_BOOL, .role = INDIRECT_COUNT_ENABLE}, {"Count Buffer Address", 66, 127, FIELD_ADDRESS, .role = INDIRECT_COUNT},
    {"Argument Buffer Start Address", 130, 191, FIELD_ADDRESS, .role = INDIRECT_ARGUMENTS},
};

static const struct command rows[] = {
    {.name = "3DPRIMITIVE", .summary = "Draws: topology, counts and start of the vertices.", OPCODE_3D(3, 3, 0), .engines = RENDER,
     .since = GEN6, .length_bits = 8, .length_bias = 2, .min_dwords = 6, .flags = COMMAND_WORK | COMMAND_ARBITRATES,
     .disabled_by = DISABLED_3D_PRIMITIVES, FIELDS(draw_fields_gen6), .execute = draw_execute_gen6, .spec = "CSP-08, REN-17, SNB PRM vol 2a"},
    {.since = GEN7, .min_dwords = 7, FIELDS(draw_fields), .execute = draw_execute_gen7, .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .execute = draw_execute_gen8, .spec = "CSP-08, CSP-12, BDW PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, CSP-12, ICL PRM vol 2a"},
    {.name = "EXECUTE_INDIRECT_DRAW", .summary = "Draws as often as a count in memory says, with arguments in memory.", OPCODE_3D(3, 4, 0),
     .engines = RENDER, .since = GEN125, .length_bits = 8, .length_bias = 2, .min_dwords = 6, .flags = COMMAND_WORK | COMMAND_ARBITRATES,
     FIELDS(indirect_draw_fields), .spec = "CSP-08, DG2 PRM vol 2a"},
    {.name = "EXECUTE_INDIRECT_DISPATCH", .summary = "Dispatches as often as a count in memory says, with sizes in memory.",
     OPCODE_3D(3, 4, 1), .engines = RENDER | COMPUTE, .since = GEN125, .length_bits = 8, .length_bias = 2, .min_dwords = 6,
     .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_ARBITRATES, FIELDS(indirect_dispatch_fields), .execute = execute_indirect_dispatch,
     .spec = "CSP-08, DG2 PRM vol 2a"},
};
/* clang-format on */

const struct command_table draw_commands = COMMAND_TABLE(rows);
