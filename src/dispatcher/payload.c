/*
 * The payload of compute threads and media objects: r0, then constants, local IDs and inline data. (SKL PRM
 * vol 7, Thread Payload; BXT PRM vol 6; ATS-M PRM vol 2d, COMPUTE_WALKER)
 */
#include "dispatcher/dispatcher.h"

uint32_t payload_channels(const struct thread_dispatcher *d, unsigned index)
{
    const struct work_state *const g = &d->work;
    uint32_t channels = g->setup.simd < 32 ? (1u << g->setup.simd) - 1u : UINT32_MAX;
    const uint32_t width = g->setup.thread_width_height_depth[0],
                   height = g->setup.thread_width_height_depth[1];
    uint32_t column = index, row = 0;
    if (index >= width) { /* most groups have one row, which needs no division */
        column = index % width;
        row = index / width;
        row = row < height ? row : row % height;
    }
    if (column == width - 1u)
        channels &= g->setup.right_mask;
    if (row == height - 1u)
        channels &= g->setup.bottom_mask;
    return channels;
}

uint32_t max_concurrent_groups(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    return d->set->thread_id_slots && g->setup.threads ? d->set->thread_id_slots / g->setup.threads
                                                       : UINT32_MAX;
}

/* Kernels derive the address of private memory from it: bits 2:0 are the thread of its unit, 5:4 and 7 the
 * unit, 8 and up the subslice and slice; bits 3 and 6 are zero. (As IGC's kernels read it) */
uint32_t sr0_thread_id(const struct thread_dispatcher *d, unsigned index)
{
    const struct work_state *const g = &d->work;
    uint64_t group = 0;
    if (!d->set->thread_id_slots)
        return 0;
    for (unsigned i = 3; i--;)
        group = group * (g->walker.end_group[i] - g->walker.first_group[i]) +
                (g->group.group_id[i] - g->walker.first_group[i]);
    const uint32_t position = (uint32_t)(group % max_concurrent_groups(d)) * g->setup.threads + index;
    return (position & 7u) | (position >> 3 & 3u) << 4 | position >> 5 << 7;
}

/* Clips a number of registers from `at` on to those that exist. */
static unsigned clip_registers(const struct eu_thread *t, unsigned at, unsigned registers)
{
    const unsigned left = at < t->grf_rows ? t->grf_rows - at : 0;
    return registers < left ? registers : left;
}

/* Loads memory into registers from `at` on, as far as they exist. */
static void load_registers(struct thread_dispatcher *d, struct eu_thread *t, unsigned at, uint64_t address,
                           unsigned registers)
{
    const size_t n = clip_registers(t, at, registers);
    if (!n)
        return;
    memory_client_trace_load(&d->bindings.memory, "constants", address, n * EU_REGISTER_BYTES);
    memory_client_load(&d->bindings.memory, SPACE_PPGTT, address, t->grf + at * EU_REGISTER_BYTES,
                       n * EU_REGISTER_BYTES);
}

/* Registers of 32 bytes that a dimension's local IDs fill: 16 or 32 of them; one register on Gen20. */
static unsigned local_id_rows(const struct thread_dispatcher *d)
{
    return d->work.setup.simd == 32 || eu_register_rows(d->set) > 1 ? 2 : 1;
}

/* Computes local IDs: each channel's position in its group, 16 bits a dimension. A tiled layout orders a row
 * of an oword first, so that a cache line belongs to one thread. */
static void make_local_ids(const struct thread_dispatcher *d, unsigned index, uint8_t *registers)
{
    const struct work_state *const g = &d->work;
    /* Dimensions by walk order, the fastest first. */
    static const uint8_t orders[8][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0},
                                         {2, 0, 1}, {2, 1, 0}, {0, 1, 2}, {0, 1, 2}};
    const uint8_t *const order = orders[g->walker.walk_order];
    const unsigned step = local_id_rows(d);
    const uint32_t tile = g->walker.tile_layout ? g->walker.tile_layout : 1, first = index * g->setup.simd;
    uint32_t low = first % tile, position[3], sizes[3], left = first / tile;
    uint8_t *rows[3]; /* of IDs, by walk order */
    for (unsigned i = 0; i < 3; i++) {
        sizes[i] = g->walker.local_size[order[i]] / (order[i] == 0 ? tile : 1);
        position[i] = left % sizes[i];
        left /= sizes[i];
        const unsigned before = (unsigned)__builtin_popcount(g->walker.emit_local & ((1u << order[i]) - 1u));
        rows[i] =
            g->walker.emit_local >> order[i] & 1u ? registers + before * step * EU_REGISTER_BYTES : NULL;
    }
    for (unsigned channel = 0; channel < g->setup.simd; channel++) {
        for (unsigned i = 0; i < 3; i++) {
            const uint16_t id = (uint16_t)(order[i] == 0 ? position[i] * tile + low : position[i]);
            if (rows[i])
                memcpy(rows[i] + channel * sizeof id, &id, sizeof id);
        }
        if (++low < tile)
            continue;
        low = 0;
        for (unsigned i = 0; i < 3; i++) {
            if (++position[i] < sizes[i])
                break;
            position[i] = 0;
        }
    }
}

static bool local_ids_are_of(const struct local_id_shape *shape, const struct work_state *g)
{
    return shape->local_size[0] == g->walker.local_size[0] &&
           shape->local_size[1] == g->walker.local_size[1] &&
           shape->local_size[2] == g->walker.local_size[2] && shape->simd == g->setup.simd &&
           shape->walk_order == g->walker.walk_order && shape->tile_layout == g->walker.tile_layout &&
           shape->emit_local == g->walker.emit_local;
}

/* Writes local IDs; returns the next free register. */
static unsigned put_local_ids(struct thread_dispatcher *d, struct eu_thread *t, unsigned index, unsigned at)
{
    const struct work_state *const g = &d->work;
    const unsigned registers = local_id_rows(d) * (unsigned)__builtin_popcount(g->walker.emit_local & 7u);
    struct local_ids *const ids = &d->local_ids;
    if (!local_ids_are_of(&ids->shape, g)) {
        memset(ids->known, 0, sizeof ids->known);
        ids->shape = (struct local_id_shape){
            .local_size = {g->walker.local_size[0], g->walker.local_size[1], g->walker.local_size[2]},
            .simd = g->setup.simd,
            .walk_order = g->walker.walk_order,
            .tile_layout = g->walker.tile_layout,
            .emit_local = g->walker.emit_local};
    }
    if (!ids->known[index]) {
        memset(ids->registers[index], 0, sizeof ids->registers[index]);
        make_local_ids(d, index, ids->registers[index]);
        ids->known[index] = true;
    }
    for (unsigned n = 0; n < registers; n++)
        memcpy(t->grf + (at + n) * EU_REGISTER_BYTES, ids->registers[index] + n * EU_REGISTER_BYTES,
               EU_REGISTER_BYTES);
    return at + registers;
}

/* Writes a dword of r0. */
static void put_r0(struct eu_thread *t, unsigned n, uint32_t value)
{
    memcpy(t->grf + n * sizeof value, &value, sizeof value);
}

void payload_fill(struct thread_dispatcher *d, struct eu_thread *t, unsigned index)
{
    const struct work_state *const g = &d->work;
    const unsigned both = g->setup.cross_thread_constant_registers + g->setup.per_thread_constant_registers;
    const uint64_t own = g->setup.constants + ((uint64_t)g->setup.cross_thread_constant_registers +
                                               (uint64_t)index * g->setup.per_thread_constant_registers) *
                                                  EU_REGISTER_BYTES;
    const bool is_object = g->setup.payload == PAYLOAD_MEDIA_OBJECT;
    uint32_t thread = g->setup.r0[R0_THREAD], scratch = g->setup.r0[R0_SCRATCH];
    const unsigned rows = eu_register_rows(d->set);
    unsigned at = rows, end = rows + both;
    if (is_object)
        thread |= g->group.group_id[2] & 15u;
    if (d->bindings.info.r0_thread_index) /* as in COMPUTE_WALKER, whatever the payload */
        thread |= index;
    /* Without a surface each thread has scratch memory of its own, of the size in r0.3. */
    if (!d->bindings.info.scratch_by_surface && (g->setup.r0[R0_SAMPLERS] & R0_SCRATCH_SIZE_MASK || scratch))
        scratch += index << (R0_SCRATCH_SIZE_SHIFT + (g->setup.r0[R0_SAMPLERS] & R0_SCRATCH_SIZE_MASK));
    scratch |= index;
    /* Dwords are written one by one: a vector would have to be read first, and wait for earlier stores. */
    memcpy(t->grf, g->setup.r0, sizeof g->setup.r0);
    put_r0(t, R0_GROUP_ID_X,
           is_object ? (g->group.group_id[0] & 0xffffu) | g->group.group_id[1] << 16 : g->group.group_id[0]);
    put_r0(t, R0_THREAD, thread);
    put_r0(t, R0_SCRATCH, scratch);
    put_r0(t, R0_GROUP_ID_Y, is_object ? 0 : g->group.group_id[1]);
    put_r0(t, R0_GROUP_ID_Z, is_object ? 0 : g->group.group_id[2]);
    switch ((enum thread_payload_kind)g->setup.payload) {
    case PAYLOAD_CONSTANTS:
        load_registers(d, t, at, g->setup.constants, g->setup.cross_thread_constant_registers);
        load_registers(d, t, at + g->setup.cross_thread_constant_registers, own,
                       g->setup.per_thread_constant_registers);
        break;
    case PAYLOAD_INDIRECT:
        load_registers(d, t, at, own, g->setup.per_thread_constant_registers);
        load_registers(d, t, at + g->setup.per_thread_constant_registers, g->setup.constants,
                       g->setup.cross_thread_constant_registers);
        break;
    case PAYLOAD_MEDIA_OBJECT:
        load_registers(d, t, at, g->setup.constants, both);
        at += both;
        load_registers(d, t, at, g->media.data_address, g->media.data_bytes / EU_REGISTER_BYTES);
        at += g->media.data_bytes / EU_REGISTER_BYTES;
        break;
    case PAYLOAD_COMPUTE_WALKER:
        at = put_local_ids(d, t, index, at);
        break;
    case PAYLOAD_KINDS:
    case MAX_PAYLOADS:
        break;
    }
    const size_t room_bytes = clip_registers(t, at, EU_GRF_ROWS) * (size_t)EU_REGISTER_BYTES,
                 inline_bytes = g->setup.inline_length_dw * 4u;
    if (room_bytes)
        memcpy(t->grf + at * EU_REGISTER_BYTES, g->setup.inline_dw,
               inline_bytes < room_bytes ? inline_bytes : room_bytes);
    at += (unsigned)((inline_bytes + EU_REGISTER_BYTES - 1u) / EU_REGISTER_BYTES + rows - 1u) / rows * rows;
    end = at > end ? at : end;
    eu_thread_has_payload(t, end < EU_GRF_ROWS ? end : EU_GRF_ROWS);
    t->sr0[SR0_THREAD_ID] = sr0_thread_id(d, index);
}
