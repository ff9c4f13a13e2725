/* What walkers ask for: fields of commands, of the state that was kept, and of descriptors in memory. */
#include "dispatcher/dispatcher.h"
#include "stream/bases.h"

uint64_t pipeline_state_field(const struct thread_dispatcher *d, uint32_t header, unsigned role)
{
    return state_field(d->engine, header, role);
}

static bool refuse_walker(struct thread_dispatcher *d, enum outcome *outcome, const char *why)
{
    struct engine *e = d->engine;
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address, "%s: the engine hangs",
                 why);
    d->work = (struct work_state){0};
    *outcome = OUTCOME_FAULT;
    return false;
}

/* Binding tables are in their pool, where there is one. (stream/bases.h) */
uint64_t binding_table_base(const struct thread_dispatcher *d, uint64_t offset)
{
    const bool pooled =
        pipeline_state_field(d, STATE_BINDING_TABLE_POOL_ALLOC, POOL_BINDING_TABLE_POOL_ENABLE) ||
        d->set->has_lsc;
    const struct binding_pool pool = {
        .address = pooled ? pipeline_state_field(d, STATE_BINDING_TABLE_POOL_ALLOC,
                                                 POOL_BINDING_TABLE_POOL_BASE_ADDRESS)
                          : 0,
        .wide = !d->set->has_lsc && register_value(d->engine->mmio, GT_MODE) & GT_MODE_TABLES_OF_256_BYTES};
    return binding_table_address(
        &pool, pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS), offset);
}

/* 1 KB times a power of two, by its exponent; or so many times 4 KB, a power of two as well. */
static bool decode_slm_size(uint64_t code, uint64_t pages, uint32_t *bytes)
{
    enum { MOST_CODE = 7 };
    *bytes = pages ? (uint32_t)pages * PAGE_BYTES : code ? 512u << code : 0;
    return code <= MOST_CODE && *bytes <= MAX_SLM_BYTES && !(pages & (pages - 1u));
}

/* What COMPUTE_WALKER's own descriptor and one in memory have alike. */
static bool read_descriptor(struct thread_dispatcher *d, struct work_state *g, const struct command *row,
                            const uint32_t *dw, uint32_t length_dw, enum outcome *outcome)
{
    enum {
        ALTERNATE = 1 << 0,
        SINGLE_FLOW = 1 << 2,
        ROUNDING = 4,
        DENORM_FLOAT = 3 << 6,
        DENORM_HALF = 1 << 10,
        ILLEGAL_ENABLE = 1 << 12, /* of cr0.1 */
        SOFTWARE_ENABLE = 1 << 13
    };
    enum { R0_SAMPLERS = 3, R0_BINDINGS = 4 };
#define GET(role) field_read(&row->places[role], dw, length_dw)
    const uint64_t bindings = GET(DESCRIPTOR_BINDING_TABLE_POINTER);
    g->kernel_start_pointer = GET(DESCRIPTOR_KERNEL_START_POINTER);
    g->binding_table = binding_table_base(d, bindings);
    g->r0[R0_SAMPLERS] |= (uint32_t)GET(DESCRIPTOR_SAMPLER_STATE_POINTER);
    g->r0[R0_BINDINGS] |= (uint32_t)bindings;
    g->control[0] = (GET(DESCRIPTOR_FLOATING_POINT_MODE) ? ALTERNATE : 0) |
                    (GET(DESCRIPTOR_SINGLE_PROGRAM_FLOW) ? SINGLE_FLOW : 0) |
                    (uint32_t)GET(DESCRIPTOR_ROUNDING_MODE) << ROUNDING;
    g->control[1] = (GET(DESCRIPTOR_ILLEGAL_OPCODE_EXCEPTION_ENABLE) ? ILLEGAL_ENABLE : 0) |
                    (GET(DESCRIPTOR_SOFTWARE_EXCEPTION_ENABLE) ? SOFTWARE_ENABLE : 0);
    g->cross_thread_constant_registers = (uint32_t)GET(DESCRIPTOR_CROSS_THREAD_CONSTANT_DATA_READ_LENGTH);
    g->thread_registers = (uint32_t)GET(DESCRIPTOR_CONSTANT_URB_ENTRY_READ_LENGTH);
    if (!decode_slm_size(GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE),
                         GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE_4KB), &g->slm_bytes))
        return refuse_walker(d, outcome, "no such size of shared local memory");
#undef GET
    return true;
}

void load_base_addresses(struct thread_dispatcher *d, struct work_state *g)
{
    g->general_state_base =
        pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_GENERAL_STATE_BASE_ADDRESS);
    g->surface_state_base =
        pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS);
    g->dynamic_state_base =
        pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS);
    g->bindless_surface_state_base =
        pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_BINDLESS_SURFACE_STATE_BASE_ADDRESS);
    g->sip = pipeline_state_field(d, STATE_SIP, SYSTEM_INSTRUCTION_POINTER);
    g->instruction_base = pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_INSTRUCTION_BASE_ADDRESS);
}

/* Scratch memory, and the constants of a descriptor of MEDIA_INTERFACE_DESCRIPTOR_LOAD. */
bool load_interface_descriptor(struct thread_dispatcher *d, struct work_state *g, uint64_t index,
                               enum outcome *outcome)
{
    enum { DESCRIPTOR_BYTES = 32 };
    struct engine *e = d->engine;
    const struct command *const row =
        d->structures->rows[structure_find(d->structures, INTERFACE_DESCRIPTOR_DATA)];
    const uint64_t dynamic =
        pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS);
    uint32_t dw[DESCRIPTOR_BYTES / 4];
    if ((index + 1u) * DESCRIPTOR_BYTES >
        pipeline_state_field(d, MEDIA_INTERFACE_DESCRIPTOR_LOAD, COUNT_INTERFACE_DESCRIPTOR_TOTAL_LENGTH)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "interface descriptor %u was not loaded: no thread starts", (unsigned)index);
        return false;
    }
    load_base_addresses(d, g);
    if (!engine_load_into(e, SPACE_PPGTT,
                          dynamic +
                              pipeline_state_field(d, MEDIA_INTERFACE_DESCRIPTOR_LOAD,
                                                   DESCRIPTORS_INTERFACE_DESCRIPTOR_DATA_START_ADDRESS) +
                              index * DESCRIPTOR_BYTES,
                          dw, sizeof dw)) {
        *outcome = OUTCOME_FAULT;
        return false;
    }
    g->r0[3] = (uint32_t)pipeline_state_field(d, MEDIA_VFE_STATE, FRONT_END_PER_THREAD_SCRATCH_SPACE);
    g->r0[5] = (uint32_t)pipeline_state_field(d, MEDIA_VFE_STATE, FRONT_END_SCRATCH_SPACE_BUFFER) & ~0x3ffu;
    const bool taken = read_descriptor(d, g, row, dw, DESCRIPTOR_BYTES / 4, outcome);
    g->constants =
        dynamic + pipeline_state_field(d, MEDIA_CURBE_LOAD, CURBE_DATA_START_ADDRESS) +
        field_read(&row->places[DESCRIPTOR_CONSTANT_URB_ENTRY_READ_OFFSET], dw, DESCRIPTOR_BYTES / 4) *
            EU_REGISTER_BYTES;
    return taken;
}

/* Those of an indirect walker are in registers; NULL: it is none. */
static const uint32_t *read_dispatch_dimensions(const struct execution *x, uint32_t registers[3])
{
    enum { DISPATCH_DIMENSION = 0x500 };
    for (unsigned i = 0; i < 3; i++)
        registers[i] = engine_register(x->engine, DISPATCH_DIMENSION + i * 4u);
    return command_flag(x, WALKER_INDIRECT_PARAMETER_ENABLE) ? registers : NULL;
}

/* Where groups start and end, or what is given; where it was preempted, if it was. False: none is
 * left. */
static bool read_group_range(struct execution *x, struct work_state *g, const uint32_t *ends_given)
{
    static const uint8_t starts[3] = {WALKER_THREAD_GROUP_ID_STARTING_X, WALKER_THREAD_GROUP_ID_STARTING_Y,
                                      WALKER_THREAD_GROUP_ID_STARTING_Z},
                         ends[3] = {WALKER_THREAD_GROUP_ID_X_DIMENSION, WALKER_THREAD_GROUP_ID_Y_DIMENSION,
                                    WALKER_THREAD_GROUP_ID_Z_DIMENSION};
    bool left = true;
    uint32_t resume[3];
    memcpy(resume, g->group_id, sizeof resume);
    for (unsigned i = 0; i < 3; i++) {
        g->group_id[i] = g->first_group[i] = (uint32_t)command_field(x, starts[i]);
        g->end_group[i] = ends_given ? ends_given[i] : (uint32_t)command_field(x, ends[i]);
        left &= g->first_group[i] < g->end_group[i];
    }
    bool resumes = g->resumes;
    for (unsigned i = 0; i < 3; i++)
        resumes &= g->first_group[i] <= resume[i] && resume[i] < g->end_group[i];
    if (resumes)
        memcpy(g->group_id, resume, sizeof g->group_id);
    g->resumes = false;
    return left;
}

/* Of so many parts along a dimension only one is walked here. False: it is empty. */
static bool read_partition(const struct execution *x, struct work_state *g)
{
    const uint64_t type = command_field(x, WALKER_PARTITION_TYPE),
                   size = command_field(x, WALKER_PARTITION_SIZE);
    if (!command_flag(x, WALKER_WORKLOAD_PARTITION_ENABLE) || !type || !size)
        return true;
    const unsigned i = (unsigned)type - 1u;
    const uint64_t first = g->first_group[i] + command_field(x, WALKER_PARTITION_ID) * size;
    if (first >= g->end_group[i])
        return false;
    const uint32_t at = g->group_id[i];
    g->end_group[i] = first + size < g->end_group[i] ? (uint32_t)(first + size) : g->end_group[i];
    g->first_group[i] = (uint32_t)first;
    g->group_id[i] = at < g->first_group[i] || at >= g->end_group[i] ? g->first_group[i] : at;
    return true;
}

/* SIMD8, 16, 32. */
static bool read_simd_size(struct execution *x, struct work_state *g)
{
    const uint64_t code = command_field(x, WALKER_SIMD_SIZE);
    g->simd = (uint8_t)(8u << (code & 3u));
    return code <= 2;
}

/* FNV-1a, of what a walker's own dwords are at most. */
uint64_t walker_identity(const struct execution *x)
{
    enum { MOST_DW = INLINE_DW + 20 };
    const struct parse_state *const p = &x->engine->parse;
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    sum = (sum ^ p->command_address) * prime;
    sum = (sum ^ (p->depth << 8 | p->streams[p->depth].space)) * prime;
    sum = (sum ^ x->header) * prime;
    for (uint32_t i = 1; i < x->length_dw && i < MOST_DW; i++)
        sum = (sum ^ *(const volatile uint32_t *)&x->dw[i]) * prime;
    return sum | 1u;
}

bool dispatch_is_current(struct thread_dispatcher *d, const struct execution *x)
{
    struct work_state *const g = &d->work;
    if ((!x->progress || x->progress != g->walker_id || x->progress != walker_identity(x)) &&
        (g->live || !g->gathers))
        *g = (struct work_state){0};
    return g->live;
}

/* Nothing of a walker before it is left; of this one, where it goes on. */
struct work_state *dispatch_begin_work(struct thread_dispatcher *d, const struct execution *x)
{
    const struct work_state before = d->work;
    d->work = (struct work_state){.walker_id = walker_identity(x),
                                  .resumes = before.resumes,
                                  .indirect_index = before.indirect_index,
                                  .group_id = {before.group_id[0], before.group_id[1], before.group_id[2]},
                                  .local_size = {1, 1, 1},
                                  .thread_width_height_depth = {1, 1, 1},
                                  .threads = 1,
                                  .right_mask = UINT32_MAX,
                                  .bottom_mask = UINT32_MAX};
    return &d->work;
}

bool dispatch_gpgpu_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    struct work_state *const g = dispatch_begin_work(d, x);
    uint32_t registers[3];
    *outcome = OUTCOME_DONE;
    if (!read_group_range(x, g, read_dispatch_dimensions(x, registers)))
        return false;
    if (!load_interface_descriptor(d, g, command_field(x, WALKER_INTERFACE_DESCRIPTOR_OFFSET), outcome))
        return false;
    const uint64_t data_bytes = command_field(x, WALKER_INDIRECT_DATA_LENGTH);
    g->thread_width_height_depth[0] = (uint32_t)command_field(x, WALKER_THREAD_WIDTH_COUNTER_MAXIMUM) + 1u;
    g->thread_width_height_depth[1] = (uint32_t)command_field(x, WALKER_THREAD_HEIGHT_COUNTER_MAXIMUM) + 1u;
    g->thread_width_height_depth[2] = (uint32_t)command_field(x, WALKER_THREAD_DEPTH_COUNTER_MAXIMUM) + 1u;
    g->threads =
        g->thread_width_height_depth[0] * g->thread_width_height_depth[1] * g->thread_width_height_depth[2];
    g->right_mask = (uint32_t)command_field(x, WALKER_RIGHT_EXECUTION_MASK);
    g->bottom_mask = (uint32_t)command_field(x, WALKER_BOTTOM_EXECUTION_MASK);
    g->payload = PAYLOAD_CONSTANTS;
    if (data_bytes) {
        g->payload = PAYLOAD_INDIRECT;
        g->constants =
            pipeline_state_field(d, STATE_BASE_ADDRESS, BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS) +
            command_field(x, WALKER_INDIRECT_DATA_START_ADDRESS);
        if (g->cross_thread_constant_registers && !g->thread_registers)
            return refuse_walker(d, outcome,
                                 "indirect data with cross-thread constants and none of a thread's own");
    }
    if (!read_simd_size(x, g))
        return refuse_walker(d, outcome, "no such SIMD size");
    if (g->threads > MAX_GROUP_THREADS)
        return refuse_walker(d, outcome, "more threads in a group than a subslice has");
    return g->live = true;
}

static bool begin_compute_walker(struct thread_dispatcher *d, struct work_state *g, struct execution *x,
                                 const uint32_t *groups, enum outcome *outcome)
{
    enum { R0_DATA = 0, R0_SCRATCH = 5, SCRATCH_AT = 10, INLINE = 8 };
    static const uint8_t tiles[8] = {[1] = 4, [2] = 2, [3] = 1}; /* of 32, 64 and 128 bits */
    *outcome = OUTCOME_DONE;
    g->post_sync_operation = (uint8_t)command_field(x, WALKER_POST_SYNC_OPERATION);
    g->post_sync_address = command_field(x, WALKER_POST_SYNC_DESTINATION_ADDRESS) & ~UINT64_C(7);
    g->post_sync_data = command_field(x, WALKER_POST_SYNC_IMMEDIATE_DATA);
    g->live = read_group_range(x, g, groups) && read_partition(x, g);
    if (!g->live) /* its post-sync operation is done all the same */
        return true;
    g->live = false;
    load_base_addresses(d, g);
    g->payload = PAYLOAD_COMPUTE_WALKER;
    g->r0[R0_DATA] = (uint32_t)command_field(x, WALKER_INDIRECT_DATA_START_ADDRESS);
    g->r0[R0_SCRATCH] = (uint32_t)pipeline_state_field(d, CFE_STATE, FRONT_END_SCRATCH_SPACE_BUFFER)
                        << SCRATCH_AT;
    g->large_grf = pipeline_state_field(d, STATE_COMPUTE_MODE, COMPUTE_MODE_LARGE_GRF_MODE);
    if (!read_descriptor(d, g, x->command, x->dw, x->length_dw, outcome))
        return false;
    g->threads = g->thread_width_height_depth[0] =
        (uint32_t)command_field(x, DESCRIPTOR_NUMBER_OF_THREADS_IN_GPGPU_THREAD_GROUP);
    g->right_mask = (uint32_t)command_field(x, WALKER_RIGHT_EXECUTION_MASK);
    g->local_size[0] = (uint32_t)command_field(x, WALKER_LOCAL_X_MAXIMUM) + 1u;
    g->local_size[1] = (uint32_t)command_field(x, WALKER_LOCAL_Y_MAXIMUM) + 1u;
    g->local_size[2] = (uint32_t)command_field(x, WALKER_LOCAL_Z_MAXIMUM) + 1u;
    g->walk_order = (uint8_t)command_field(x, WALKER_WALK_ORDER);
    g->emit_local = (uint8_t)command_field(x, WALKER_EMIT_LOCAL);
    if (command_field(x, WALKER_EMIT_INLINE_PARAMETER)) {
        const uint32_t at = x->command->by_role[WALKER_INLINE_DATA].first / 32u;
        for (uint32_t i = 0; i < INLINE && at + i < x->length_dw; i++)
            g->inline_dw[i] = *(const volatile uint32_t *)&x->dw[at + i];
        g->inline_length_dw = INLINE;
    }
    if (!read_simd_size(x, g))
        return refuse_walker(d, outcome, "no such SIMD size");
    if (!g->threads || g->threads > MAX_GROUP_THREADS)
        return refuse_walker(d, outcome, "no such number of threads in a group");
    const uint8_t tile = tiles[command_field(x, WALKER_TILE_LAYOUT) & 7u];
    g->tile_layout = tile && g->local_size[0] % tile == 0 ? tile : 0;
    return g->live = true;
}

bool dispatch_compute_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    uint32_t registers[3];
    return begin_compute_walker(d, dispatch_begin_work(d, x), x, read_dispatch_dimensions(x, registers),
                                outcome);
}

/* As often as a count says, a walker whose ends are in memory: three dwords for each time. */
bool dispatch_execute_indirect(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    enum { BODY_BEHIND_DW = 5 };
    struct engine *const e = d->engine;
    struct work_state *const g = dispatch_begin_work(d, x);
    uint32_t ends[3] = {0}, count = (uint32_t)command_field(x, INDIRECT_MAX_COUNT);
    *outcome = OUTCOME_DONE;
    if (command_field(x, INDIRECT_COUNT_BUFFER_INDIRECT_ENABLE)) {
        const uint32_t there =
            (uint32_t)engine_load(e, SPACE_PPGTT, command_field(x, INDIRECT_COUNT_BUFFER_ADDRESS), 4);
        count = there < count ? there : count;
    }
    if (g->indirect_index >= count || engine_faulted(e)) {
        *outcome = engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_DONE;
        return false;
    }
    g->indirect_count = count;
    if (!engine_load_into(e, SPACE_PPGTT,
                          command_field(x, INDIRECT_ARGUMENT_BUFFER_START_ADDRESS) +
                              g->indirect_index * (uint64_t)sizeof ends,
                          ends, sizeof ends)) {
        *outcome = OUTCOME_FAULT;
        return false;
    }
    /* Behind its own dwords is what COMPUTE_WALKER has behind its header. */
    struct execution walker = *x;
    walker.command = e->set->rows[command_find(e->set, e->info->class, COMPUTE_WALKER)];
    walker.dw = x->dw + BODY_BEHIND_DW;
    walker.length_dw = x->length_dw - BODY_BEHIND_DW;
    walker.header = 0;
    return begin_compute_walker(d, g, &walker, ends, outcome);
}
