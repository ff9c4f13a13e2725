/*
 * What a thread finds in its registers: r0 and what follows it. (SKL PRM vol 7, Thread Payload; BXT PRM vol
 * 6; ATS-M PRM vol 2d, COMPUTE_WALKER)
 */
#include "dispatcher/dispatcher.h"

uint32_t payload_channels(const struct work_state *g, unsigned index)
{
    uint32_t channels = g->simd < 32 ? (1u << g->simd) - 1u : UINT32_MAX;
    if (index % g->thread_width_height_depth[0] == g->thread_width_height_depth[0] - 1u)
        channels &= g->right_mask;
    if (index / g->thread_width_height_depth[0] % g->thread_width_height_depth[1] ==
        g->thread_width_height_depth[1] - 1u)
        channels &= g->bottom_mask;
    return channels;
}

uint32_t max_concurrent_groups(const struct thread_dispatcher *d)
{
    const struct work_state *const g = &d->work;
    return d->set->thread_id_slots && g->threads ? d->set->thread_id_slots / g->threads : UINT32_MAX;
}

/* Kernels find memory of their own by it: bits 2:0 are the thread of its unit, 5:4 and 7 the unit, those from
 * 8 on subslices and slices; 3 and 6 are none. (What IGC's kernels take from it) */
uint32_t sr0_thread_id(const struct thread_dispatcher *d, unsigned index)
{
    const struct work_state *const g = &d->work;
    uint64_t group = 0;
    if (!d->set->thread_id_slots)
        return 0;
    for (unsigned i = 3; i--;)
        group = group * (g->end_group[i] - g->first_group[i]) + (g->group_id[i] - g->first_group[i]);
    const uint32_t place = (uint32_t)(group % max_concurrent_groups(d)) * g->threads + index;
    return (place & 7u) | (place >> 3 & 3u) << 4 | place >> 5 << 7;
}

/* So many registers from `at` on, as far as there are any. */
static unsigned clip_registers(const struct work_state *g, unsigned at, unsigned registers)
{
    const unsigned most = g->large_grf ? EU_LARGE_GRF_REGISTERS : EU_REGISTERS,
                   left = at < most ? most - at : 0;
    return registers < left ? registers : left;
}

/* Memory into registers from `at` on; as many as there are. */
static void load_registers(struct thread_dispatcher *d, struct eu_thread *t, unsigned at, uint64_t address,
                           unsigned registers)
{
    const size_t n = clip_registers(&d->work, at, registers);
    if (n)
        engine_load_into(d->engine, SPACE_PPGTT, address, t->grf + at * EU_REGISTER_BYTES,
                         n * EU_REGISTER_BYTES);
}

/* Where hardware makes them: each channel's place in its group, 16 bits for each dimension. In a tiled layout
 * a row of an oword comes first, so that a cache line is one thread's. */
static unsigned put_local_ids(const struct work_state *g, struct eu_thread *t, unsigned index, unsigned at)
{
    /* Dimensions, the fastest first, by walk order. */
    static const uint8_t orders[8][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0},
                                         {2, 0, 1}, {2, 1, 0}, {0, 1, 2}, {0, 1, 2}};
    const uint8_t *const order = orders[g->walk_order];
    const unsigned step = g->simd == 32 ? 2 : 1;
    const uint32_t tile = g->tile_layout ? g->tile_layout : 1, first = index * g->simd;
    uint32_t low = first % tile, place[3], sizes[3], left = first / tile;
    uint8_t *rows[3]; /* of ids, by walk order */
    for (unsigned i = 0; i < 3; i++) {
        sizes[i] = g->local_size[order[i]] / (order[i] == 0 ? tile : 1);
        place[i] = left % sizes[i];
        left /= sizes[i];
        const unsigned before = (unsigned)__builtin_popcount(g->emit_local & ((1u << order[i]) - 1u));
        rows[i] = g->emit_local >> order[i] & 1u ? t->grf + (at + before * step) * EU_REGISTER_BYTES : NULL;
    }
    for (unsigned channel = 0; channel < g->simd; channel++) {
        for (unsigned i = 0; i < 3; i++) {
            const uint16_t id = (uint16_t)(order[i] == 0 ? place[i] * tile + low : place[i]);
            if (rows[i])
                memcpy(rows[i] + channel * sizeof id, &id, sizeof id);
        }
        if (++low < tile)
            continue;
        low = 0;
        for (unsigned i = 0; i < 3; i++) {
            if (++place[i] < sizes[i])
                break;
            place[i] = 0;
        }
    }
    at += step * (unsigned)__builtin_popcount(g->emit_local & 7u);
    return at;
}

/* Of r0. */
static void put_r0(struct eu_thread *t, unsigned n, uint32_t value)
{
    memcpy(t->grf + n * sizeof value, &value, sizeof value);
}

void payload_fill(struct thread_dispatcher *d, struct eu_thread *t, unsigned index)
{
    enum { R0_THREAD = 2, R0_X = 1, R0_SCRATCH = 5, R0_Y = 6, R0_Z = 7 };
    const struct work_state *const g = &d->work;
    const unsigned both = g->cross_thread_constant_registers + g->thread_registers;
    const uint64_t own = g->constants + ((uint64_t)g->cross_thread_constant_registers +
                                         (uint64_t)index * g->thread_registers) *
                                            EU_REGISTER_BYTES;
    const bool is_object = g->payload == PAYLOAD_MEDIA_OBJECT;
    uint32_t thread = g->r0[R0_THREAD], scratch = g->r0[R0_SCRATCH];
    unsigned at = 1;
    if (is_object)
        thread |= g->group_id[2] & 15u;
    if (d->set->has_lsc) /* as COMPUTE_WALKER has it, its payload or not */
        thread |= index;
    /* Scratch memory before Gen12.5: each thread's own, the size in r0.3. */
    else if (g->r0[3] & 15u || scratch)
        scratch += index << (10u + (g->r0[3] & 15u));
    scratch |= index;
    /* Each dword is written and not read: a vector of them would wait for all that was written before. */
    memcpy(t->grf, g->r0, sizeof g->r0);
    put_r0(t, R0_X, is_object ? (g->group_id[0] & 0xffffu) | g->group_id[1] << 16 : g->group_id[0]);
    put_r0(t, R0_THREAD, thread);
    put_r0(t, R0_SCRATCH, scratch);
    put_r0(t, R0_Y, is_object ? 0 : g->group_id[1]);
    put_r0(t, R0_Z, is_object ? 0 : g->group_id[2]);
    switch ((enum thread_payload_kind)g->payload) {
    case PAYLOAD_CONSTANTS:
        load_registers(d, t, at, g->constants, g->cross_thread_constant_registers);
        load_registers(d, t, at + g->cross_thread_constant_registers, own, g->thread_registers);
        break;
    case PAYLOAD_INDIRECT:
        load_registers(d, t, at, own, g->thread_registers);
        load_registers(d, t, at + g->thread_registers, g->constants, g->cross_thread_constant_registers);
        break;
    case PAYLOAD_MEDIA_OBJECT:
        load_registers(d, t, at, g->constants, both);
        at += both;
        load_registers(d, t, at, g->indirect_data_address, g->indirect_data_bytes / EU_REGISTER_BYTES);
        at += g->indirect_data_bytes / EU_REGISTER_BYTES;
        break;
    case PAYLOAD_COMPUTE_WALKER:
        at = put_local_ids(g, t, index, at);
        break;
    default: /* of a draw */
        break;
    }
    const size_t room_bytes = clip_registers(g, at, EU_LARGE_GRF_REGISTERS) * (size_t)EU_REGISTER_BYTES,
                 inline_bytes = g->inline_length_dw * 4u;
    if (room_bytes)
        memcpy(t->grf + at * EU_REGISTER_BYTES, g->inline_dw,
               inline_bytes < room_bytes ? inline_bytes : room_bytes);
}
