/*
 * Draw commands. A draw that cannot be executed is counted: input assembly, and the later stages as far as
 * they are known without running shaders. Indices are read where the cut index is enabled. Supported
 * draws are executed. (CSP-08, CSP-12, REN-17, REN-21)
 */
#include "commands/commands.h"
#include "state_commands/walkers.h"
#include "pipeline3d/draw_work.h"
#include "engine/execution.h"
#include "engine/statistics.h"
#include "structures/values.h"

enum {
    DRAW_PRIMITIVE_TOPOLOGY_TYPE = 1,
    DRAW_VERTEX_COUNT_PER_INSTANCE,
    DRAW_INSTANCE_COUNT,
    DRAW_PREDICATE_ENABLE,
    DRAW_INDIRECT_PARAMETER_ENABLE,
    DRAW_END_OFFSET_ENABLE,
    DRAW_VERTEX_ACCESS_TYPE,
    DRAW_START_VERTEX_LOCATION,
    DRAW_START_INSTANCE_LOCATION,
    DRAW_BASE_VERTEX_LOCATION,
    DRAW_EXTENDED_PARAMETERS_PRESENT,
    DRAW_ARGUMENT_FORMAT
};
static const struct field_value accesses[] = {{"SEQUENTIAL", 0}, {"RANDOM", 1}, {NULL, 0}};

static const struct field draw_fields_gen6[] = {
    {"Primitive Topology Type", 10, 14, FIELD_UINT, topologies_gen6, ROLE(DRAW_PRIMITIVE_TOPOLOGY_TYPE)},
    {"Vertex Count Per Instance", 32, 63, FIELD_HEX, ROLE(DRAW_VERTEX_COUNT_PER_INSTANCE)},
    {"Instance Count", 96, 127, FIELD_UINT, ROLE(DRAW_INSTANCE_COUNT)},
    {"Internal Vertex Count", 9, 9, FIELD_UINT},
    {"Vertex Access Type", 15, 15, FIELD_UINT, accesses, ROLE(DRAW_VERTEX_ACCESS_TYPE)},
    {"Start Vertex Location", 64, 95, FIELD_HEX, ROLE(DRAW_START_VERTEX_LOCATION)},
    {"Start Instance Location", 128, 159, FIELD_HEX, ROLE(DRAW_START_INSTANCE_LOCATION)},
    {"Base Vertex Location", 160, 191, FIELD_INT, ROLE(DRAW_BASE_VERTEX_LOCATION)},
};
static const struct field draw_fields[] = {
    {"Primitive Topology Type", 32, 37, FIELD_UINT, topologies, ROLE(DRAW_PRIMITIVE_TOPOLOGY_TYPE)},
    {"Vertex Count Per Instance", 64, 95, FIELD_HEX, ROLE(DRAW_VERTEX_COUNT_PER_INSTANCE)},
    {"Instance Count", 128, 159, FIELD_HEX, ROLE(DRAW_INSTANCE_COUNT)},
    {"Predicate Enable", 8, 8, FIELD_BOOL, ROLE(DRAW_PREDICATE_ENABLE)},
    {"TBIMR Enable", 13, 13, FIELD_BOOL, .since = GEN125},
    {"Indirect Parameter Enable", 10, 10, FIELD_BOOL, ROLE(DRAW_INDIRECT_PARAMETER_ENABLE)},
    {"End Offset Enable", 41, 41, FIELD_BOOL, ROLE(DRAW_END_OFFSET_ENABLE)},
    {"Vertex Access Type", 40, 40, FIELD_UINT, accesses, ROLE(DRAW_VERTEX_ACCESS_TYPE)},
    {"Start Vertex Location", 96, 127, FIELD_HEX, ROLE(DRAW_START_VERTEX_LOCATION)},
    {"Start Instance Location", 160, 191, FIELD_HEX, ROLE(DRAW_START_INSTANCE_LOCATION)},
    {"Base Vertex Location", 192, 223, FIELD_INT, ROLE(DRAW_BASE_VERTEX_LOCATION)},
    {"UAV Coherency Required", 9, 9, FIELD_BOOL, .since = GEN75},
    {"Extended Parameters Present", 11, 11, FIELD_UINT, .since = GEN11,
     ROLE(DRAW_EXTENDED_PARAMETERS_PRESENT)},
    {"Extended Parameter #", 224, 255, FIELD_HEX, .since = GEN11, .count = 3, .stride = 32},
};

static bool state_flag_of(const struct engine *e, uint32_t header, unsigned role)
{
    return pipeline_field(&e->pipeline, header, role, 0);
}

/* Objects between two stages; from Gen7 on they belong to a stream. */
struct objects {
    uint64_t number, stream;
};

/* A geometry shader is invoked for each object and instance. Its output is known if it is static without
 * control data. (REN-17, IVB and BDW PRM vol 2a) */
static bool count_geometry_shader(struct engine *e, struct objects *o)
{
    const bool counts = state_flag_of(e, STATE_GS, GS_STATISTICS_ENABLE);
    const struct pipeline_state *const p = &e->pipeline;
    const uint64_t instances = o->number * (pipeline_field(p, STATE_GS, GS_INSTANCE_CONTROL, 0) + 1u),
                   made = instances *
                          topology_objects(pipeline_field(p, STATE_GS, GS_OUTPUT_TOPOLOGY, 0),
                                           pipeline_field(p, STATE_GS, GS_STATIC_OUTPUT_VERTEX_COUNT, 0));
    if (counts)
        engine_register64_add(e, GS_INVOCATION_COUNT,
                              instances *
                                  (pipeline_field(p, STATE_GS, GS_INVOCATIONS_INCREMENT_VALUE, 0) + 1u));
    if (!state_flag_of(e, STATE_GS, GS_STATIC_OUTPUT) ||
        state_flag_of(e, STATE_GS, GS_CONTROL_DATA_HEADER_SIZE))
        return false;
    if (counts)
        engine_register64_add(e, GS_PRIMITIVES_COUNT, made);
    *o = (struct objects){made, pipeline_field(p, STATE_GS, GS_DEFAULT_STREAM_ID, 0)};
    return true;
}

/* Stream output selects the rendered stream. */
static bool renders_stream(const struct engine *e, const struct objects *o)
{
    enum { FORCE_OFF = 2, FORCE_ON = 3 };
    const struct pipeline_state *const p = &e->pipeline;
    const uint64_t forced = pipeline_field(p, STATE_STREAMOUT, SO_FORCE_RENDERING, 0);
    return o->stream == pipeline_field(p, STATE_STREAMOUT, SO_RENDER_STREAM_SELECT, 0) &&
           (forced == FORCE_ON ||
            (forced != FORCE_OFF && !state_flag_of(e, STATE_STREAMOUT, SO_RENDERING_DISABLE)));
}

/* Stream output counts the storage that it needs. Returns whether the stream is rendered. */
static bool count_streaming_out(struct engine *e, const struct objects *o)
{
    if (state_flag_of(e, STATE_STREAMOUT, SO_FUNCTION_ENABLE) &&
        state_flag_of(e, STATE_STREAMOUT, SO_STATISTICS_ENABLE))
        engine_register64_add(e, SO_PRIM_STORAGE_NEEDED + (uint32_t)o->stream * 8u - e->info->mmio_base,
                              o->number);
    return renders_stream(e, o);
}

static bool counts_clipper_input(const struct engine *e)
{
    return state_flag_of(e, STATE_CLIP, CLIP_ENABLE) && state_flag_of(e, STATE_CLIP, CLIP_STATISTICS_ENABLE);
}

/* The clipper's output is known only if it accepts all. (SNB PRM vol 2) */
static bool counts_clipper_output(const struct engine *e)
{
    enum { ACCEPT_ALL = 4 };
    return state_flag_of(e, STATE_SF, SF_STATISTICS_ENABLE) &&
           (!state_flag_of(e, STATE_CLIP, CLIP_ENABLE) ||
            pipeline_field(&e->pipeline, STATE_CLIP, CLIP_MODE, 0) == ACCEPT_ALL);
}

static void count_clipper(struct engine *e, uint64_t objects)
{
    if (counts_clipper_input(e))
        engine_register64_add(e, CL_INVOCATION_COUNT, objects);
    if (counts_clipper_output(e))
        engine_register64_add(e, CL_PRIMITIVES_COUNT, objects);
}

/* Counts the objects of input assembly in later stages, as far as these are known without shaders. A hull
 * shader counts patches, not instances. The output of tessellation is unknown. (REN-17, IVB PRM vol 2a) */
static void count_behind_input(struct engine *e, uint64_t topology, uint64_t objects)
{
    struct objects o = {.number = objects};
    if (topology >= TOPOLOGY_PATCHLIST_1 && state_flag_of(e, STATE_HS, HS_ENABLE) &&
        state_flag_of(e, STATE_HS, HS_STATISTICS_ENABLE))
        engine_register64_add(e, HS_INVOCATION_COUNT, objects);
    if (state_flag_of(e, STATE_TE, TE_ENABLE) ||
        ((state_flag_of(e, STATE_GS, GS_ENABLE) || state_flag_of(e, STATE_GS, GS_ENABLE_GEN6)) &&
         !count_geometry_shader(e, &o)))
        return;
    if (count_streaming_out(e, &o))
        count_clipper(e, o.number);
}

/* The output of input assembly for the sequential vertices of an instance. */
struct assembled {
    uint64_t vertices, primitives, objects;
};

static void assemble(struct assembled *a, uint64_t topology, uint64_t vertices)
{
    a->vertices += vertices;
    a->primitives += topology_ia_primitives(topology, vertices);
    a->objects += topology_objects(topology, vertices);
}

static bool counts_input(const struct engine *e)
{
    return state_flag_of(e, STATE_VF_STATISTICS, VF_STATISTICS_ENABLE);
}

/* A vertex shader is invoked for each miss of the vertex cache. Sequential vertices always miss, and so do
 * all with the cache disabled. The hits of indices are unknown. */
static bool counts_vertices(const struct engine *e, const struct draw_call *d)
{
    return state_flag_of(e, STATE_VS, VS_ENABLE) && state_flag_of(e, STATE_VS, VS_STATISTICS_ENABLE) &&
           (!d->is_indexed || state_flag_of(e, STATE_VS, VS_VERTEX_CACHE_DISABLE));
}

/* by_execution: later stages count as they run. */
static void count(struct engine *e, const struct draw_call *d, const struct assembled *a, bool by_execution)
{
    if (counts_input(e)) {
        engine_register64_add(e, IA_VERTICES_COUNT, a->vertices * d->instance_count);
        engine_register64_add(e, IA_PRIMITIVES_COUNT, a->primitives * d->instance_count);
    }
    if (counts_vertices(e, d))
        engine_register64_add(e, VS_INVOCATION_COUNT, a->vertices * d->instance_count);
    if (!by_execution)
        count_behind_input(e, d->topology, a->objects * d->instance_count);
}

/* The indices of a draw that a cut index may divide. */
struct indices {
    uint64_t at, there; /* there: the count of indices from `at` */
    uint32_t cut;
    uint8_t bytes;
};

/* Returns whether the draw's indices must be read. An unaligned start is invalid, and rounded down here. */
static bool cut_indices(const struct engine *e, const struct draw_call *d, struct indices *i)
{
    if (!d->is_indexed)
        return false;
    const struct index_buffer b = index_buffer_init(e);
    const uint64_t begin = (uint64_t)d->start_vertex * b.index_bytes;
    i->bytes = (uint8_t)b.index_bytes;
    i->at = (b.start + begin) & ~(uint64_t)(b.index_bytes - 1u);
    i->there = b.size_bytes > begin ? (b.size_bytes - begin) / b.index_bytes : 0;
    i->cut = b.cut_index;
    return b.cut_index_enable && b.cut_index <= UINT32_MAX >> (32u - b.index_bytes * 8u) && i->there;
}

/* Reads up to `most` indices of one page. Unmapped memory has no cut index and causes no fault. */
static uint32_t read_indices(struct engine *e, const struct indices *i, uint64_t from, uint32_t most,
                             uint8_t *bytes)
{
    struct translation t;
    const uint64_t at = mmu_address(&e->mmu, SPACE_PPGTT, i->at + from * i->bytes);
    const uint64_t on_page = (PAGE_BYTES - at % PAGE_BYTES) / i->bytes;
    const uint32_t n = on_page < most ? (uint32_t)on_page : most;
    memset(bytes, (uint8_t)~i->cut, n * (size_t)i->bytes);
    if (mmu_translate(&e->mmu, SPACE_PPGTT, at, &t))
        engine_load_into(e, SPACE_PPGTT, at, bytes, n * (size_t)i->bytes);
    return n;
}

/* Counts as many indices as a page holds. Progress: the position, and the vertices since the last cut
 * index. */
static enum outcome draw_parts(struct execution *x, const struct draw_call *d, const struct indices *i,
                               bool by_execution)
{
    enum { AN_INDEX_NS = 2 };
    struct engine *const e = x->engine;
    uint64_t at = x->progress >> 32, run = (uint32_t)x->progress;
    uint8_t bytes[PAGE_BYTES];
    struct assembled a = {0};
    const uint64_t all = d->vertex_count < i->there ? d->vertex_count : i->there;
    if (run > at || at > all)
        at = run = 0;
    const uint32_t n =
        at < all ? read_indices(e, i, at, (uint32_t)(all - at < PAGE_BYTES ? all - at : PAGE_BYTES), bytes)
                 : 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t index = 0;
        memcpy(&index, bytes + k * (size_t)i->bytes, i->bytes);
        if (index == i->cut) {
            assemble(&a, d->topology, run);
            run = 0;
        } else {
            run++;
        }
    }
    at += n;
    e->log->cost.ns += n * (uint64_t)AN_INDEX_NS;
    if (at == all) /* beyond the buffer indices are 0 */
        assemble(&a, d->topology, run + (d->vertex_count - all));
    count(e, d, &a, by_execution);
    x->progress = at < all ? at << 32 | run : 0;
    return at < all ? OUTCOME_RESUME : OUTCOME_DONE;
}

static void count_whole(struct engine *e, const struct draw_call *d, bool by_execution)
{
    struct assembled a = {0};
    assemble(&a, d->topology, d->vertex_count);
    count(e, d, &a, by_execution);
}

/* The registers that count a draw whose vertices are assembled as they come, without stages that make
 * primitives. */
enum {
    COUNTS_KNOWN = 1 << 0,
    COUNTS_IA = 1 << 1,
    COUNTS_VS = 1 << 2,
    COUNTS_CL = 1 << 3,
    COUNTS_CL_OUT = 1 << 4
};

static uint8_t find_statistics(const struct engine *e, const struct draw_call *d)
{
    const struct objects o = {0};
    if (d->topology >= TOPOLOGY_PATCHLIST_1 || draw_has_gs_or_so(e))
        return 0;
    uint8_t known = COUNTS_KNOWN;
    if (counts_input(e))
        known |= COUNTS_IA;
    if (counts_vertices(e, d))
        known |= COUNTS_VS;
    if (renders_stream(e, &o)) {
        known |= counts_clipper_input(e) ? COUNTS_CL : 0;
        known |= counts_clipper_output(e) ? COUNTS_CL_OUT : 0;
    }
    return known;
}

/* Counts a draw with the pipeline state of the last one as that was counted. */
static void count_kept(struct engine *e, struct kept_state *k, const struct draw_call *d, bool by_execution)
{
    const uint64_t instances = d->instance_count;
    if (!k->valid || by_execution) {
        count_whole(e, d, by_execution);
        return;
    }
    if (!k->statistics && !(k->statistics = find_statistics(e, d))) {
        count_whole(e, d, by_execution);
        return;
    }
    if (k->statistics & COUNTS_IA) {
        engine_register64_add(e, IA_VERTICES_COUNT, d->vertex_count * instances);
        engine_register64_add(e, IA_PRIMITIVES_COUNT,
                              topology_ia_primitives(d->topology, d->vertex_count) * instances);
    }
    if (k->statistics & COUNTS_VS)
        engine_register64_add(e, VS_INVOCATION_COUNT, d->vertex_count * instances);
    const uint64_t objects = topology_objects(d->topology, d->vertex_count) * instances;
    if (k->statistics & COUNTS_CL)
        engine_register64_add(e, CL_INVOCATION_COUNT, objects);
    if (k->statistics & COUNTS_CL_OUT)
        engine_register64_add(e, CL_PRIMITIVES_COUNT, objects);
}

static enum outcome draw_nothing(struct execution *x, const struct draw_call *d)
{
    struct indices indices;
    if (cut_indices(x->engine, d, &indices))
        return draw_parts(x, d, &indices, false);
    count_whole(x->engine, d, false);
    return OUTCOME_DONE;
}

static bool read_draw_gen6(const struct execution *x, struct draw_call *d)
{
    *d = (struct draw_call){.topology = header_field(x, DRAW_PRIMITIVE_TOPOLOGY_TYPE),
                            .vertex_count = (uint32_t)command_field(x, DRAW_VERTEX_COUNT_PER_INSTANCE),
                            .instance_count = (uint32_t)command_field(x, DRAW_INSTANCE_COUNT),
                            .start_vertex = (uint32_t)command_field(x, DRAW_START_VERTEX_LOCATION),
                            .start_instance = (uint32_t)command_field(x, DRAW_START_INSTANCE_LOCATION),
                            .base_vertex = (int32_t)command_field(x, DRAW_BASE_VERTEX_LOCATION),
                            .is_indexed = command_flag(x, DRAW_VERTEX_ACCESS_TYPE)};
    return true;
}

/* The vertices of the first vertex buffer up to 3DPRIM_END_OFFSET. (REN-21) */
static uint32_t vertices_to_end(const struct engine *e)
{
    enum { END_OFFSET = 0x420 };
    const uint32_t pitch_bytes =
        (uint32_t)pipeline_field(&e->pipeline, STATE_VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, 0);
    return pitch_bytes ? engine_register(e, END_OFFSET) / pitch_bytes : 0;
}

/* Decodes the command. Returns false if predication skips it. */
static bool read_draw(const struct execution *x, uint64_t topology, struct draw_call *d)
{
    enum {
        START_VERTEX = 0x430,
        VERTEX_COUNT = 0x434,
        INSTANCE_COUNT = 0x438,
        START_INSTANCE = 0x43c,
        BASE_VERTEX = 0x440,
        PARAMETERS = 0x690,
        PARAMETERS_DW = 7
    };
    struct engine *e = x->engine;
    if (command_is_predicated_away(x, command_flag(x, DRAW_PREDICATE_ENABLE)))
        return false;
    const bool indirect = command_flag(x, DRAW_INDIRECT_PARAMETER_ENABLE);
    *d = (struct draw_call){
        .topology = topology,
        .vertex_count = command_field(x, DRAW_END_OFFSET_ENABLE) ? vertices_to_end(e)
                        : indirect                               ? engine_register(e, VERTEX_COUNT)
                                   : (uint32_t)command_field(x, DRAW_VERTEX_COUNT_PER_INSTANCE),
        .instance_count =
            indirect ? engine_register(e, INSTANCE_COUNT) : (uint32_t)command_field(x, DRAW_INSTANCE_COUNT),
        .start_vertex = indirect ? engine_register(e, START_VERTEX)
                                 : (uint32_t)command_field(x, DRAW_START_VERTEX_LOCATION),
        .start_instance = indirect ? engine_register(e, START_INSTANCE)
                                   : (uint32_t)command_field(x, DRAW_START_INSTANCE_LOCATION),
        .base_vertex = indirect ? (int32_t)engine_register(e, BASE_VERTEX)
                                : (int32_t)command_field(x, DRAW_BASE_VERTEX_LOCATION),
        .is_indexed = command_field(x, DRAW_VERTEX_ACCESS_TYPE)};
    for (unsigned i = 0; i < DRAW_PARAMETERS && command_flag(x, DRAW_EXTENDED_PARAMETERS_PRESENT); i++)
        d->parameters[i] = indirect                           ? engine_register(e, PARAMETERS + i * 4u)
                           : PARAMETERS_DW + i < x->length_dw ? x->dw[PARAMETERS_DW + i]
                                                              : 0;
    return true;
}

static bool read_draw_gen7(const struct execution *x, struct draw_call *d)
{
    return read_draw(x, command_field(x, DRAW_PRIMITIVE_TOPOLOGY_TYPE), d);
}

/* Where the update of depth textures goes on, as progress of the command: more than indices have, whose
 * vertices since the last cut index are as many as all at most. Bit 0: the draw is counted. */
enum { UPDATE_PART_BITS = 8, UPDATE_MARK = 0x1ff };

static bool update_resumes(uint64_t progress, struct hiz_update *u, bool *counted)
{
    const uint32_t low = (uint32_t)progress;
    if ((low | UPDATE_MARK) != UINT32_MAX || low <= progress >> 32)
        return false;
    u->position = progress >> 32 << UPDATE_PART_BITS | (low & UPDATE_MARK) >> 1;
    *counted = low & 1u;
    return true;
}

static uint64_t update_progress(const struct hiz_update *u, bool counted)
{
    return u->position >> UPDATE_PART_BITS << 32 | (UINT32_MAX & ~(uint32_t)UPDATE_MARK) |
           (u->position << 1 & UPDATE_MARK) | counted;
}

/* The draws of a command, of which it does the one of the index. A draw that ends begins the next one
 * (DISPATCH_REPEAT). */
struct draw_list {
    uint32_t index, count;
};

/* Executes a supported draw; it is counted when it begins. */
static enum outcome draw_or_count(struct execution *x,
                                  bool (*read)(const struct execution *x, struct draw_call *draw),
                                  struct draw_list list)
{
    struct thread_dispatcher *const d = dispatcher_of(x->engine);
    const uint64_t progress = x->progress;
    struct draw_call draw;
    enum outcome outcome = OUTCOME_DONE;
    const char *feature = NULL;
    const bool began = d && progress && progress == d->work.walker_id;
    if (d && dispatch_is_current(d, x)) {
        if (d->work.kind == WORK_DRAW && !d->draws->draw.state.is_decoded && read(x, &draw) &&
            !draw_restore(d, &draw))
            d->draws->draw.state.is_decoded = false; /* drop the loaded work */
        return engine_faulted(x->engine) ? OUTCOME_FAULT : dispatch_run(d, x);
    }
    if (d)
        d->work.walker.indirect_index = list.index;
    const bool resumes = began && d->work.phase == DISPATCH_RESUME;
    struct indices indices;
    struct hiz_update textures = {.position = 0};
    bool counted = resumes;
    if (update_resumes(progress, &textures, &counted) || began)
        x->progress = 0; /* progress does not count indices */
    if (!read(x, &draw))
        return OUTCOME_DONE;
    if (!d || !d->draws->enabled)
        x->engine->totals.draws_skipped += !x->progress;
    else if (topology_objects(draw.topology, draw.vertex_count)) {
        bool nothing;
        feature = draw_find_unsupported(d, &draw, &nothing);
        nothing |= feature != NULL;
        const bool by_execution =
            !nothing && (d->draws->kept.parts != KEPT_NOTHING ? d->draws->draw.state.statistics_by_execution
                                                              : draw_has_gs_or_so(x->engine));
        if (!counted && cut_indices(x->engine, &draw, &indices)) {
            /* if the draw cannot begin, later stages are counted here, too */
            if (draw_parts(x, &draw, &indices, by_execution && draw_can_begin(d)) == OUTCOME_RESUME)
                return OUTCOME_RESUME;
            counted = true;
        }
        if (!nothing && draw_begin(d, x, &draw, &textures, &feature, &outcome)) {
            if (!counted)
                count_kept(x->engine, &d->draws->kept, &draw, by_execution);
            d->work.walker.indirect_count = list.count;
            return dispatch_run(d, x);
        }
        if (outcome == OUTCOME_RESUME) {
            d->work.walker.indirect_index = list.index;
            x->progress = update_progress(&textures, counted);
            return outcome;
        }
    }
    if (feature && !x->progress)
        draw_report_unsupported(x->engine, feature, false);
    if (resumes) /* the guest changed the command: its draw ends here */
        d->work = (struct work_state){0};
    if (outcome == OUTCOME_DONE && !counted)
        outcome = draw_nothing(x, &draw);
    if (tracing(x->engine->log, SOFTGT_TRACE_DRAWS) && outcome == OUTCOME_DONE)
        draw_trace_counted(x->engine, x->command->name, &draw,
                           feature                  ? feature
                           : d && d->draws->enabled ? "it draws nothing"
                                                    : "draws are counted");
    return outcome;
}

static enum outcome draw_execute_gen6(struct execution *x)
{
    return draw_or_count(x, read_draw_gen6, (struct draw_list){0});
}

static enum outcome draw_execute_gen7(struct execution *x)
{
    return draw_or_count(x, read_draw_gen7, (struct draw_list){0});
}

/* The topology comes from 3DSTATE_VF_TOPOLOGY. (BDW PRM vol 2a) */
static bool read_draw_gen8(const struct execution *x, struct draw_call *draw)
{
    return read_draw(
        x, pipeline_field(&x->engine->pipeline, STATE_VF_TOPOLOGY, VF_PRIMITIVE_TOPOLOGY_TYPE, 0), draw);
}

static enum outcome draw_execute_gen8(struct execution *x)
{
    return draw_or_count(x, read_draw_gen8, (struct draw_list){0});
}

/* ---- Draws with arguments in memory ---- */

enum { INDIRECT_DRAW, INDIRECT_DRAW_INDEXED, INDIRECT_MESH_3D, INDIRECT_MESH_1D };
static const struct field_value indirect_formats[] = {{"DRAW", INDIRECT_DRAW},
                                                      {"DRAWINDEXED", INDIRECT_DRAW_INDEXED},
                                                      {"MESH_3D", INDIRECT_MESH_3D},
                                                      {"MESH_1D", INDIRECT_MESH_1D},
                                                      {NULL, 0}};

/* Vulkan's structures: VkDrawIndirectCommand, and VkDrawIndexedIndirectCommand with a base vertex. They
 * follow each other, or have the distance of STATE_BYTE_STRIDE. (Mesa, anv: cmd_buffer_set_indirect_stride)
 */
static bool read_draw_indirect(const struct execution *x, struct draw_call *d)
{
    enum { VERTICES, INSTANCES, START_VERTEX, MOST_DW = 5 };
    struct engine *const e = x->engine;
    const bool is_indexed = command_field(x, DRAW_ARGUMENT_FORMAT) == INDIRECT_DRAW_INDEXED;
    const unsigned length_dw = is_indexed ? MOST_DW : MOST_DW - 1;
    const uint64_t stride_bytes = state_flag_of(e, STATE_BYTE_STRIDE, STRIDE_BYTE_STRIDE_ENABLE)
                                      ? pipeline_field(&e->pipeline, STATE_BYTE_STRIDE, STRIDE_BYTE_STRIDE, 0)
                                      : length_dw * sizeof(uint32_t);
    uint32_t dw[MOST_DW] = {0};
    if (!engine_load_into(e, SPACE_PPGTT,
                          command_field(x, INDIRECT_ARGUMENT_BUFFER_START_ADDRESS) +
                              dispatcher_of(e)->work.walker.indirect_index * stride_bytes,
                          dw, length_dw * sizeof *dw))
        return false;
    *d = (struct draw_call){
        .topology = pipeline_field(&e->pipeline, STATE_VF_TOPOLOGY, VF_PRIMITIVE_TOPOLOGY_TYPE, 0),
        .vertex_count = dw[VERTICES],
        .instance_count = dw[INSTANCES],
        .start_vertex = dw[START_VERTEX],
        .base_vertex = is_indexed ? (int32_t)dw[START_VERTEX + 1] : 0,
        .start_instance = dw[length_dw - 1u],
        .is_indexed = is_indexed};
    return true;
}

static uint32_t indirect_draw_count(const struct execution *x)
{
    const uint32_t most = (uint32_t)command_field(x, INDIRECT_MAX_COUNT);
    if (!command_field(x, INDIRECT_COUNT_BUFFER_INDIRECT_ENABLE))
        return most;
    const uint32_t there =
        (uint32_t)engine_load(x->engine, SPACE_PPGTT, command_field(x, INDIRECT_COUNT_BUFFER_ADDRESS), 4);
    return there < most ? there : most;
}

/* A draw that does not become the dispatcher's work ends here. */
static enum outcome draw_execute_indirect(struct execution *x)
{
    struct engine *const e = x->engine;
    struct thread_dispatcher *const d = dispatcher_of(e);
    struct draw_list list = {.index = x->progress && d ? d->work.walker.indirect_index : 0};
    if (!d || (!x->progress && command_is_predicated_away(x, command_flag(x, DRAW_PREDICATE_ENABLE))))
        return OUTCOME_DONE;
    if (command_field(x, DRAW_ARGUMENT_FORMAT) >= INDIRECT_MESH_3D) {
        draw_report_unsupported(e, "a mesh shader", false);
        return OUTCOME_DONE;
    }
    list.count = indirect_draw_count(x);
    if (engine_faulted(e))
        return OUTCOME_FAULT;
    if (list.index >= list.count)
        return OUTCOME_DONE;
    const enum outcome outcome = draw_or_count(x, read_draw_indirect, list);
    if (engine_faulted(e))
        return OUTCOME_FAULT;
    if (outcome != OUTCOME_DONE || list.index + 1u >= list.count)
        return outcome;
    d->work = (struct work_state){.walker_id = walker_identity(x),
                                  .kind = WORK_DRAW,
                                  .phase = DISPATCH_REPEAT,
                                  .walker.indirect_index = list.index + 1u};
    x->progress = d->work.walker_id;
    return OUTCOME_RESUME;
}

bool command_draws(const struct command *c)
{
    return c->execute == draw_execute_gen6 || c->execute == draw_execute_gen7 ||
           c->execute == draw_execute_gen8 || c->execute == draw_execute_indirect;
}

#define INDIRECT                                                                                             \
    {"MOCS", 12, 15, FIELD_UINT}, {"Max Count", 32, 63, FIELD_UINT, ROLE(INDIRECT_MAX_COUNT)},               \
        {"Count Buffer Indirect Enable", 64, 64, FIELD_BOOL, ROLE(INDIRECT_COUNT_BUFFER_INDIRECT_ENABLE)},   \
        {"Count Buffer Address", 66, 127, FIELD_ADDRESS, ROLE(INDIRECT_COUNT_BUFFER_ADDRESS)},               \
    {                                                                                                        \
        "Argument Buffer Start Address", 130, 191, FIELD_ADDRESS,                                            \
            ROLE(INDIRECT_ARGUMENT_BUFFER_START_ADDRESS)                                                     \
    }
static const struct field indirect_draw_fields[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, ROLE(DRAW_PREDICATE_ENABLE)},
    INDIRECT,
    {"TBIMR Enabled", 9, 9, FIELD_BOOL},
    {"Argument Format", 10, 11, FIELD_UINT, indirect_formats, ROLE(DRAW_ARGUMENT_FORMAT)},
};
static const struct field indirect_dispatch_fields[] = {
    {"Predicate Enable", 8, 8, FIELD_BOOL, ROLE(WALKER_PREDICATE_ENABLE)},
    INDIRECT,
    {"COMPUTE_WALKER_BODY", 192, 1407, FIELD_HEX, .of = COMPUTE_WALKER, .until = GEN125},
    {"COMPUTE_WALKER_BODY", 192, 1439, FIELD_HEX, .of = COMPUTE_WALKER, .since = GEN200},
};

static const struct command rows[] = {
    {.name = "3DPRIMITIVE",
     .summary = "Draws: topology, counts and start of the vertices.",
     HEADER(PRIMITIVE_3D),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 6,
     .flags = COMMAND_WORK | COMMAND_PERFORMED_IF_SUPPORTED | COMMAND_ARBITRATES,
     .disabled_by = DISABLED_3D_PRIMITIVES,
     FIELDS(draw_fields_gen6),
     .execute = draw_execute_gen6,
     .spec = "CSP-08, REN-17, SNB PRM vol 2a"},
    {.since = GEN7,
     .min_dwords = 7,
     FIELDS(draw_fields),
     .execute = draw_execute_gen7,
     .spec = "CSP-08, IVB PRM vol 2a"},
    {.since = GEN75, .spec = "CSP-08, HSW PRM vol 2a"},
    {.since = GEN8, .execute = draw_execute_gen8, .spec = "CSP-08, CSP-12, BDW PRM vol 2a"},
    {.since = GEN11, .spec = "CSP-08, CSP-12, ICL PRM vol 2a"},
    {.name = "EXECUTE_INDIRECT_DRAW",
     .summary = "Draws as often as a count in memory says, with arguments in memory.",
     OPCODE_3D(3, 4, 0),
     .engines = RENDER,
     .since = GEN125,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 6,
     .flags = COMMAND_WORK | COMMAND_PERFORMED_IF_SUPPORTED | COMMAND_ARBITRATES,
     FIELDS(indirect_draw_fields),
     .execute = draw_execute_indirect,
     .spec = "CSP-08, DG2 PRM vol 2a; Mesa, iris_state"},
    {.name = "EXECUTE_INDIRECT_DISPATCH",
     .summary = "Dispatches as often as a count in memory says, with sizes in memory.",
     OPCODE_3D(3, 4, 1),
     .engines = RENDER | COMPUTE,
     .since = GEN125,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 44,
     .flags = COMMAND_WORK | COMMAND_PERFORMED | COMMAND_ARBITRATES,
     FIELDS(indirect_dispatch_fields),
     .execute = execute_indirect_dispatch,
     .spec = "CSP-08, DG2 PRM vol 2a"},
    {.since = GEN200, .min_dwords = 45, .spec = "CSP-08; Mesa, genxml of gen200"},
};

const struct command_table draw_commands = COMMAND_TABLE(rows);
