/*
 * Compute walkers: GPGPU_WALKER, COMPUTE_WALKER and EXECUTE_INDIRECT_DISPATCH. Reads their fields, the state
 * commands and the interface descriptor once, into the work of the dispatcher. Their groups follow each other
 * along x, y, z. Neither modelled nor reported: the Denorm Mode of descriptors; the Dispatch Walk Order of
 * COMPUTE_WALKER (results of independent groups do not depend on it).
 */
#include "dispatcher/dispatcher.h"
#include "stream/bases.h"

#include <inttypes.h>

/* Reports a field that no walker may have, and drops the work: the engine hangs. */
static bool refuse_walker(struct thread_dispatcher *d, enum outcome *outcome, const struct command *row,
                          const char *field, uint64_t value, const char *expected)
{
    struct engine *e = d->engine;
    report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                 "%s: %s is %" PRIu64 ", expected %s: the engine hangs", row->name, field, value, expected);
    d->work = (struct work_state){0};
    *outcome = OUTCOME_FAULT;
    return false;
}

/* Binding tables are relative to their pool, if there is one, else to the surface state. (stream/bases.h) */
uint64_t binding_table_base(const struct thread_dispatcher *d, uint64_t offset)
{
    const bool pooled = pipeline_field(&d->engine->pipeline, STATE_BINDING_TABLE_POOL_ALLOC,
                                       POOL_BINDING_TABLE_POOL_ENABLE, 0) ||
                        d->bindings.info.binding_table_pool_always;
    const struct binding_pool pool = {
        .address = pooled ? pipeline_field(&d->engine->pipeline, STATE_BINDING_TABLE_POOL_ALLOC,
                                           POOL_BINDING_TABLE_POOL_BASE_ADDRESS, 0)
                          : 0,
        .wide = d->bindings.info.binding_table_units &&
                register_value(d->engine->mmio, GT_MODE) & GT_MODE_TABLES_OF_256_BYTES};
    return binding_table_address(
        &pool,
        pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS, 0),
        offset);
}

/* The size in KB has a code, or it is a power of two of 4 KB pages. False: it is invalid.
 * (Mesa, intel_compute_slm.c) */
static bool decode_slm_size(uint32_t limit_bytes, uint64_t code, uint64_t pages, uint32_t *bytes)
{
    static const uint16_t sizes_kb[] = {0, 1, 2, 4, 8, 16, 32, 64, 24, 48, 96, 128, 192, 256, 384};
    const unsigned codes = limit_bytes > SMALL_SLM_BYTES ? sizeof sizes_kb / sizeof sizes_kb[0] : 8;
    if (code >= codes || pages & (pages - 1u))
        return false;
    *bytes = pages ? (uint32_t)pages * PAGE_BYTES : sizes_kb[code] * 1024u;
    return *bytes <= limit_bytes;
}

/* Reads the fields that a descriptor in memory and that of COMPUTE_WALKER have in common. */
static bool read_descriptor(struct thread_dispatcher *d, struct work_state *g, const struct command *row,
                            const uint32_t *dw, uint32_t length_dw, enum outcome *outcome)
{
#define GET(role) field_read(&row->places[role], dw, length_dw)
    const uint64_t bindings = GET(DESCRIPTOR_BINDING_TABLE_POINTER);
    g->setup.kernel_start_pointer = GET(DESCRIPTOR_KERNEL_START_POINTER);
    g->setup.binding_table = binding_table_base(d, bindings);
    g->setup.r0[R0_SAMPLERS] |= (uint32_t)GET(DESCRIPTOR_SAMPLER_STATE_POINTER);
    g->setup.r0[R0_BINDING_TABLE] |= (uint32_t)bindings;
    g->setup.control[0] = (GET(DESCRIPTOR_FLOATING_POINT_MODE) ? CR0_ALT_FP_MODE : 0) |
                          (GET(DESCRIPTOR_SINGLE_PROGRAM_FLOW) ? CR0_SINGLE_PROGRAM_FLOW : 0) |
                          (uint32_t)GET(DESCRIPTOR_ROUNDING_MODE) << CR0_ROUNDING_SHIFT;
    g->setup.control[1] = (GET(DESCRIPTOR_ILLEGAL_OPCODE_EXCEPTION_ENABLE) ? CR1_ILLEGAL_ENABLE : 0) |
                          (GET(DESCRIPTOR_SOFTWARE_EXCEPTION_ENABLE) ? CR1_SOFTWARE_ENABLE : 0);
    g->setup.cross_thread_constant_registers =
        (uint32_t)GET(DESCRIPTOR_CROSS_THREAD_CONSTANT_DATA_READ_LENGTH);
    g->setup.per_thread_constant_registers = (uint32_t)GET(DESCRIPTOR_CONSTANT_URB_ENTRY_READ_LENGTH);
    const uint32_t slm_limit = slm_limit_bytes(&d->bindings.info);
    if (!decode_slm_size(slm_limit, GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE),
                         GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE_4KB), &g->setup.slm_bytes))
        return GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE_4KB)
                   ? refuse_walker(d, outcome, row, "Shared Local Memory Size in 4 KB",
                                   GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE_4KB), "a power of two up to 16")
                   : refuse_walker(d, outcome, row, "Shared Local Memory Size",
                                   GET(DESCRIPTOR_SHARED_LOCAL_MEMORY_SIZE),
                                   slm_limit > SMALL_SLM_BYTES ? "0 to 14" : "0 to 7");
#undef GET
    return true;
}

void load_base_addresses(struct thread_dispatcher *d, struct work_state *g)
{
    g->bases.general_state_base =
        pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_GENERAL_STATE_BASE_ADDRESS, 0);
    g->bases.surface_state_base =
        pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_SURFACE_STATE_BASE_ADDRESS, 0);
    g->bases.dynamic_state_base =
        pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS, 0);
    g->bases.bindless_surface_state_base = pipeline_field(
        &d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_BINDLESS_SURFACE_STATE_BASE_ADDRESS, 0);
    g->bases.sip = pipeline_field(&d->engine->pipeline, STATE_SIP, SYSTEM_INSTRUCTION_POINTER, 0);
    g->bases.instruction_base =
        pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_INSTRUCTION_BASE_ADDRESS, 0);
}

/* Reads bases, scratch memory, constants, and a descriptor that MEDIA_INTERFACE_DESCRIPTOR_LOAD loaded. */
bool load_interface_descriptor(struct thread_dispatcher *d, struct work_state *g, uint64_t index,
                               enum outcome *outcome)
{
    enum { DESCRIPTOR_BYTES = 32 };
    struct engine *e = d->engine;
    const struct command *const row =
        d->structures->rows[structure_find(d->structures, INTERFACE_DESCRIPTOR_DATA)];
    const uint64_t dynamic =
        pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS, BASE_ADDRESS_DYNAMIC_STATE_BASE_ADDRESS, 0);
    uint32_t dw[DESCRIPTOR_BYTES / 4];
    if ((index + 1u) * DESCRIPTOR_BYTES > pipeline_field(&d->engine->pipeline,
                                                         MEDIA_INTERFACE_DESCRIPTOR_LOAD,
                                                         COUNT_INTERFACE_DESCRIPTOR_TOTAL_LENGTH, 0)) {
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "interface descriptor %u was not loaded: no thread starts", (unsigned)index);
        return false;
    }
    load_base_addresses(d, g);
    if (!engine_load_into(e, SPACE_PPGTT,
                          dynamic +
                              pipeline_field(&d->engine->pipeline, MEDIA_INTERFACE_DESCRIPTOR_LOAD,
                                             DESCRIPTORS_INTERFACE_DESCRIPTOR_DATA_START_ADDRESS, 0) +
                              index * DESCRIPTOR_BYTES,
                          dw, sizeof dw)) {
        *outcome = OUTCOME_FAULT;
        return false;
    }
    g->setup.r0[R0_SAMPLERS] = (uint32_t)pipeline_field(&d->engine->pipeline, MEDIA_VFE_STATE,
                                                        FRONT_END_PER_THREAD_SCRATCH_SPACE, 0);
    g->setup.r0[R0_SCRATCH] =
        (uint32_t)pipeline_field(&d->engine->pipeline, MEDIA_VFE_STATE, FRONT_END_SCRATCH_SPACE_BUFFER, 0) &
        R0_SCRATCH_BASE_MASK;
    const bool taken = read_descriptor(d, g, row, dw, DESCRIPTOR_BYTES / 4, outcome);
    g->setup.constants =
        dynamic + pipeline_field(&d->engine->pipeline, MEDIA_CURBE_LOAD, CURBE_DATA_START_ADDRESS, 0) +
        field_read(&row->places[DESCRIPTOR_CONSTANT_URB_ENTRY_READ_OFFSET], dw, DESCRIPTOR_BYTES / 4) *
            EU_REGISTER_BYTES;
    return taken;
}

/* An indirect walker has its dimensions in registers. NULL: it is not indirect. */
static const uint32_t *read_dispatch_dimensions(const struct execution *x, uint32_t registers[3])
{
    enum { DISPATCH_DIMENSION = 0x500 };
    for (unsigned i = 0; i < 3; i++)
        registers[i] = engine_register(x->engine, DISPATCH_DIMENSION + i * 4u);
    return command_flag(x, WALKER_INDIRECT_PARAMETER_ENABLE) ? registers : NULL;
}

/* Reads the range of groups; ends_given replaces the ends. A preempted walker resumes at its group, if that
 * is in the range. False: the range is empty. */
static bool read_group_range(struct execution *x, struct work_state *g, const uint32_t *ends_given)
{
    static const uint8_t starts[3] = {WALKER_THREAD_GROUP_ID_STARTING_X, WALKER_THREAD_GROUP_ID_STARTING_Y,
                                      WALKER_THREAD_GROUP_ID_STARTING_Z},
                         ends[3] = {WALKER_THREAD_GROUP_ID_X_DIMENSION, WALKER_THREAD_GROUP_ID_Y_DIMENSION,
                                    WALKER_THREAD_GROUP_ID_Z_DIMENSION};
    bool left = true;
    uint32_t resume[3];
    memcpy(resume, g->group.group_id, sizeof resume);
    for (unsigned i = 0; i < 3; i++) {
        g->group.group_id[i] = g->walker.first_group[i] = (uint32_t)command_field(x, starts[i]);
        g->walker.end_group[i] = ends_given ? ends_given[i] : (uint32_t)command_field(x, ends[i]);
        left &= g->walker.first_group[i] < g->walker.end_group[i];
    }
    bool resumes = g->phase == DISPATCH_RESUME;
    for (unsigned i = 0; i < 3; i++)
        resumes &= g->walker.first_group[i] <= resume[i] && resume[i] < g->walker.end_group[i];
    if (resumes)
        memcpy(g->group.group_id, resume, sizeof g->group.group_id);
    g->phase = DISPATCH_IDLE;
    return left;
}

/* Restricts the range to one partition along a dimension. False: the partition is empty. */
static bool read_partition(const struct execution *x, struct work_state *g)
{
    const uint64_t type = command_field(x, WALKER_PARTITION_TYPE),
                   size = command_field(x, WALKER_PARTITION_SIZE);
    if (!command_flag(x, WALKER_WORKLOAD_PARTITION_ENABLE) || !type || !size)
        return true;
    const unsigned i = (unsigned)type - 1u;
    const uint64_t first = g->walker.first_group[i] + command_field(x, WALKER_PARTITION_ID) * size;
    if (first >= g->walker.end_group[i])
        return false;
    const uint32_t at = g->group.group_id[i];
    g->walker.end_group[i] =
        first + size < g->walker.end_group[i] ? (uint32_t)(first + size) : g->walker.end_group[i];
    g->walker.first_group[i] = (uint32_t)first;
    g->group.group_id[i] =
        at < g->walker.first_group[i] || at >= g->walker.end_group[i] ? g->walker.first_group[i] : at;
    return true;
}

/* Reads the SIMD size: 8, 16 or 32. False: it is invalid. */
/* A register has a dword of so many. */
static unsigned fewest_channels(const struct thread_dispatcher *d)
{
    return d->set->register_bytes / 4u;
}

static bool read_simd_size(const struct thread_dispatcher *d, struct execution *x, struct work_state *g)
{
    const uint64_t code = command_field(x, WALKER_SIMD_SIZE);
    g->setup.simd = (uint8_t)(8u << (code & 3u));
    return code <= 2 && g->setup.simd >= fewest_channels(d);
}

/* FNV-1a of the command's address and dwords. */
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
        g->phase != DISPATCH_COLLECT)
        *g = (struct work_state){0};
    return dispatch_has_work(g);
}

struct work_state *dispatch_begin_work(struct thread_dispatcher *d, const struct execution *x,
                                       enum work_kind kind)
{
    const struct work_state before = d->work;
    const bool resumes = before.phase == DISPATCH_RESUME && before.kind == kind;
    d->tally = (struct work_tally){0};
    d->work = (struct work_state){
        .walker_id = walker_identity(x),
        .kind = (uint8_t)kind,
        .phase = resumes ? DISPATCH_RESUME : DISPATCH_IDLE,
        .setup = {.threads = 1,
                  .thread_width_height_depth = {1, 1, 1},
                  .right_mask = UINT32_MAX,
                  .bottom_mask = UINT32_MAX},
        .walker = {.local_size = {1, 1, 1}, .indirect_index = before.walker.indirect_index},
        .group = {.group_id = {before.group.group_id[0], before.group.group_id[1], before.group.group_id[2]}},
    };
    return &d->work;
}

bool dispatch_gpgpu_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    struct work_state *const g = dispatch_begin_work(d, x, WORK_COMPUTE);
    uint32_t registers[3];
    *outcome = OUTCOME_DONE;
    if (!read_group_range(x, g, read_dispatch_dimensions(x, registers)))
        return false;
    if (!load_interface_descriptor(d, g, command_field(x, WALKER_INTERFACE_DESCRIPTOR_OFFSET), outcome))
        return false;
    const uint64_t data_bytes = command_field(x, WALKER_INDIRECT_DATA_LENGTH);
    g->setup.thread_width_height_depth[0] =
        (uint32_t)command_field(x, WALKER_THREAD_WIDTH_COUNTER_MAXIMUM) + 1u;
    g->setup.thread_width_height_depth[1] =
        (uint32_t)command_field(x, WALKER_THREAD_HEIGHT_COUNTER_MAXIMUM) + 1u;
    g->setup.thread_width_height_depth[2] =
        (uint32_t)command_field(x, WALKER_THREAD_DEPTH_COUNTER_MAXIMUM) + 1u;
    g->setup.threads = g->setup.thread_width_height_depth[0] * g->setup.thread_width_height_depth[1] *
                       g->setup.thread_width_height_depth[2];
    g->setup.right_mask = (uint32_t)command_field(x, WALKER_RIGHT_EXECUTION_MASK);
    g->setup.bottom_mask = (uint32_t)command_field(x, WALKER_BOTTOM_EXECUTION_MASK);
    g->setup.payload = PAYLOAD_CONSTANTS;
    if (data_bytes) {
        g->setup.payload = PAYLOAD_INDIRECT;
        g->setup.constants = pipeline_field(&d->engine->pipeline, STATE_BASE_ADDRESS,
                                            BASE_ADDRESS_INDIRECT_OBJECT_BASE_ADDRESS, 0) +
                             command_field(x, WALKER_INDIRECT_DATA_START_ADDRESS);
        if (g->setup.cross_thread_constant_registers && !g->setup.per_thread_constant_registers)
            return refuse_walker(d, outcome, x->command, "the number of per-thread constant registers", 0,
                                 "1 or more, since indirect data has cross-thread constants");
    }
    if (!read_simd_size(d, x, g))
        return refuse_walker(d, outcome, x->command, "SIMD Size", command_field(x, WALKER_SIMD_SIZE),
                             fewest_channels(d) > 8 ? "1 or 2" : "0 to 2");
    if (g->setup.threads > MAX_GROUP_THREADS)
        return refuse_walker(d, outcome, x->command, "the number of threads in a group", g->setup.threads,
                             "1 to 128");
    g->phase = DISPATCH_NEXT_WORK;
    return true;
}

static bool begin_compute_walker(struct thread_dispatcher *d, struct work_state *g, struct execution *x,
                                 const uint32_t *groups, enum outcome *outcome)
{
    enum { INLINE = 8 };
    static const uint8_t tiles[8] = {[1] = 4, [2] = 2, [3] = 1}; /* IDs of a row of 32, 64 and 128 bits */
    *outcome = OUTCOME_DONE;
    g->walker.post_sync_operation = (uint8_t)command_field(x, WALKER_POST_SYNC_OPERATION);
    g->walker.post_sync_address = command_field(x, WALKER_POST_SYNC_DESTINATION_ADDRESS) & ~UINT64_C(7);
    g->walker.post_sync_data = command_field(x, WALKER_POST_SYNC_IMMEDIATE_DATA);
    /* An empty range still executes the post-sync operation. */
    if (!read_group_range(x, g, groups) || !read_partition(x, g))
        return true;
    load_base_addresses(d, g);
    g->setup.payload = PAYLOAD_COMPUTE_WALKER;
    g->setup.r0[R0_INDIRECT_DATA] = (uint32_t)command_field(x, WALKER_INDIRECT_DATA_START_ADDRESS);
    g->setup.r0[R0_SCRATCH] =
        (uint32_t)pipeline_field(&d->engine->pipeline, CFE_STATE, FRONT_END_SCRATCH_SPACE_BUFFER, 0)
        << R0_SCRATCH_SURFACE_SHIFT;
    g->setup.large_grf =
        pipeline_field(&d->engine->pipeline, STATE_COMPUTE_MODE, COMPUTE_MODE_LARGE_GRF_MODE, 0);
    if (!read_descriptor(d, g, x->command, x->dw, x->length_dw, outcome))
        return false;
    g->setup.threads = g->setup.thread_width_height_depth[0] =
        (uint32_t)command_field(x, DESCRIPTOR_NUMBER_OF_THREADS_IN_GPGPU_THREAD_GROUP);
    g->setup.right_mask = (uint32_t)command_field(x, WALKER_RIGHT_EXECUTION_MASK);
    g->walker.local_size[0] = (uint32_t)command_field(x, WALKER_LOCAL_X_MAXIMUM) + 1u;
    g->walker.local_size[1] = (uint32_t)command_field(x, WALKER_LOCAL_Y_MAXIMUM) + 1u;
    g->walker.local_size[2] = (uint32_t)command_field(x, WALKER_LOCAL_Z_MAXIMUM) + 1u;
    g->walker.walk_order = (uint8_t)command_field(x, WALKER_WALK_ORDER);
    g->walker.emit_local = (uint8_t)command_field(x, WALKER_EMIT_LOCAL);
    if (command_field(x, WALKER_EMIT_INLINE_PARAMETER)) {
        const uint32_t at = x->command->by_role[WALKER_INLINE_DATA].first / 32u;
        for (uint32_t i = 0; i < INLINE && at + i < x->length_dw; i++)
            g->setup.inline_dw[i] = *(const volatile uint32_t *)&x->dw[at + i];
        g->setup.inline_length_dw = INLINE;
    }
    if (!read_simd_size(d, x, g))
        return refuse_walker(d, outcome, x->command, "SIMD Size", command_field(x, WALKER_SIMD_SIZE),
                             fewest_channels(d) > 8 ? "1 or 2" : "0 to 2");
    if (!g->setup.threads || g->setup.threads > MAX_GROUP_THREADS)
        return refuse_walker(d, outcome, x->command, "the number of threads in a group", g->setup.threads,
                             "1 to 128");
    const uint8_t tile = tiles[command_field(x, WALKER_TILE_LAYOUT) & 7u];
    g->walker.tile_layout = tile && g->walker.local_size[0] % tile == 0 ? tile : 0;
    g->phase = DISPATCH_NEXT_WORK;
    return true;
}

bool dispatch_compute_walker(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    uint32_t registers[3];
    return begin_compute_walker(d, dispatch_begin_work(d, x, WORK_COMPUTE), x,
                                read_dispatch_dimensions(x, registers), outcome);
}

/* Runs a walker for each element of the argument buffer. An element has three dwords: the end of the range in
 * x, y and z. */
bool dispatch_execute_indirect(struct thread_dispatcher *d, struct execution *x, enum outcome *outcome)
{
    struct engine *const e = d->engine;
    struct work_state *const g = dispatch_begin_work(d, x, WORK_COMPUTE);
    uint32_t ends[3] = {0}, count = (uint32_t)command_field(x, INDIRECT_MAX_COUNT);
    *outcome = OUTCOME_DONE;
    if (command_field(x, INDIRECT_COUNT_BUFFER_INDIRECT_ENABLE)) {
        const uint32_t there =
            (uint32_t)engine_load(e, SPACE_PPGTT, command_field(x, INDIRECT_COUNT_BUFFER_ADDRESS), 4);
        count = there < count ? there : count;
    }
    if (g->walker.indirect_index >= count || engine_faulted(e)) {
        *outcome = engine_faulted(e) ? OUTCOME_FAULT : OUTCOME_DONE;
        return false;
    }
    g->walker.indirect_count = count;
    if (!engine_load_into(e, SPACE_PPGTT,
                          command_field(x, INDIRECT_ARGUMENT_BUFFER_START_ADDRESS) +
                              g->walker.indirect_index * (uint64_t)sizeof ends,
                          ends, sizeof ends)) {
        *outcome = OUTCOME_FAULT;
        return false;
    }
    return begin_compute_walker(d, g, x, ends, outcome);
}
/* ---- Work ---- */

bool walker_is_preemptable(const struct engine *e)
{
    enum { FF_SLICE_CS_CHICKEN2 = 0x0e4, COMMANDS_ONLY = 1 << 2 };
    return !dispatch_preemption_bit(e, FF_SLICE_CS_CHICKEN2, COMMANDS_ONLY);
}

enum oa_shader_stage walker_oa_client(const struct thread_dispatcher *d)
{
    return d->engine->info->class == CLASS_COMPUTE ? OA_STAGE_COMPUTE : OA_STAGE_GPGPU;
}

/* The next group, or the next ones if host threads can run several. */
static bool compute_next(struct thread_dispatcher *d, uint64_t *budget)
{
    (void)budget;
    d->work.phase = groups_begin(d) ? DISPATCH_PARALLEL : DISPATCH_FILL;
    return true;
}

static void compute_done(struct thread_dispatcher *d)
{
    struct work_state *const g = &d->work;
    g->phase = DISPATCH_NEXT_WORK;
    for (unsigned i = 0; i < 3; i++) {
        if (++g->group.group_id[i] < g->walker.end_group[i])
            return;
        if (i < 2)
            g->group.group_id[i] = g->walker.first_group[i];
    }
    g->phase = DISPATCH_IDLE;
}

/* Twice the time: the context's clock and the global one, of 32 bits each, or of 64 where the context's has
 * them. Start and end are the same, since work takes no time. (ATS-M PRM vol 2d, POSTSYNC_DATA; Mesa, anv's
 * traces) */
static void store_times(struct engine *e, uint64_t address)
{
    const uint64_t context = context_count_time(e), global = engine_timestamp(e, e->log->now_ns);
    for (unsigned i = 0; i < 2; i++) {
        if (e->info->contexts.timestamp_64_bits) {
            engine_store64(e, SPACE_PPGTT, address + i * 16u, context);
            engine_store64(e, SPACE_PPGTT, address + i * 16u + 8, global);
        } else {
            engine_store64(e, SPACE_PPGTT, address + i * 8u, global << 32 | (uint32_t)context);
        }
    }
}

/* The post-sync operation stores data or times. */
static void compute_end(struct thread_dispatcher *d)
{
    enum { WRITE_IMMEDIATE = 1, WRITE_TIMESTAMP = 3 };
    struct engine *e = d->engine;
    const struct work_state *g = &d->work;
    if (g->walker.post_sync_operation == WRITE_IMMEDIATE) {
        engine_store64(e, SPACE_PPGTT, g->walker.post_sync_address, g->walker.post_sync_data);
    } else if (g->walker.post_sync_operation == WRITE_TIMESTAMP) {
        store_times(e, g->walker.post_sync_address);
    }
    if (!tracing(e->log, SOFTGT_TRACE_DRAWS))
        return;
    struct softgt_draw draw = {.kernel = g->bases.instruction_base + g->setup.kernel_start_pointer};
    for (unsigned i = 0; i < 3; i++)
        draw.groups[i] = g->walker.end_group[i] - g->walker.first_group[i];
    dispatch_trace_end(d, &draw);
}

enum { COMPUTE_CURSOR_DW = 4 }; /* the group's id, the index of an indirect walker */

static void compute_save(const struct thread_dispatcher *d, uint32_t *cursor)
{
    memcpy(cursor, d->work.group.group_id, sizeof d->work.group.group_id);
    cursor[3] = d->work.walker.indirect_index;
}

static void compute_load(struct thread_dispatcher *d, const uint32_t *cursor)
{
    memcpy(d->work.group.group_id, cursor, sizeof d->work.group.group_id);
    d->work.walker.indirect_index = cursor[3];
}

static bool compute_is_valid(const struct thread_dispatcher *d)
{
    return d->work.setup.payload < PAYLOAD_KINDS && d->work.setup.payload != PAYLOAD_MEDIA_OBJECT;
}

const struct dispatch_ops compute_dispatch_ops = {
    .next = compute_next,
    .channels = payload_channels,
    .fill = payload_fill,
    .done = compute_done,
    .end = compute_end,
    .is_preemptable = walker_is_preemptable,
    .cursor_dw = COMPUTE_CURSOR_DW,
    .save = compute_save,
    .load = compute_load,
    .is_valid = compute_is_valid,
    .oa_client = walker_oa_client,
    .runs_parallel_groups = true,
    .counts_invocations = true,
};
