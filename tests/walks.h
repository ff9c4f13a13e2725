/* Walkers for tests: kernels, surfaces and commands of a walk over groups, whatever the generation has for
 * it; and contexts that they run in. */
#ifndef TESTS_WALKS_H
#define TESTS_WALKS_H

#include "streamer.h"

#include "eu_kernel.h"
#include "words.h"
#include "dispatcher/dispatcher.h"

enum { KB = 1024, PAGE = 4 * KB };

/* Addresses, and offsets from bases. */
enum {
    SURFACES = 1152 * KB,   /* base of surface states */
    TABLE_AT = 2 * KB,      /* the binding table */
    STATES_AT = 4 * KB,     /* surface states */
    DYNAMIC = 1216 * KB,    /* base of dynamic state: the interface descriptor is there */
    CONSTANTS_AT = 1 * KB,  /* constants of walkers */
    KERNELS = 1248 * KB,    /* the instruction base */
    OUT = 1280 * KB,        /* buffer 0 */
    COUNTER = 1536 * KB,    /* buffer 1 */
    BUFFER_BYTES = 256 * KB /* size of each */
};
enum {
    SIMD = 16,
    ALL_CHANNELS = (1 << SIMD) - 1,
    MOST_THREADS = 64,
    SURFACE_STATE_BYTES = 64,
    CONSTANT = 1234567
};

/* Entries of the binding table that are no surfaces. */
enum { INDEX_LOCAL = 254, INDEX_STATELESS = 255 };

/* Bits of a message's descriptor: registers of payload and response. */
#define PAYLOAD_REGISTERS(n)  ((uint32_t)(n) << 25)
#define RESPONSE_REGISTERS(n) ((uint32_t)(n) << 20)

/* Untyped messages to the data cache data port 1: types, channels, the mask of components that are left out.
 * Atomics have 16 channels, or with a bit of their own eight, and the operation. */
enum {
    UNTYPED_READ = 1 << 14,
    UNTYPED_ATOMIC = 2 << 14,
    UNTYPED_WRITE = 9 << 14,
    UNTYPED_SIMD16 = 1 << 12,
    UNTYPED_SIMD8 = 2 << 12,
    UNTYPED_RED_ONLY = 14 << 8,
    ATOMIC_SIMD8 = 1 << 12,
    ATOMIC_RETURNS = 1 << 13
};

static const char *const devices[] = {"bdw", "skl", "icl", "ehl", "tgl", "dg2"};
#define EACH_DEVICE(name)                                                                                    \
    const char *const *name = devices;                                                                       \
    name < devices + sizeof devices / sizeof devices[0];                                                     \
    name++
/* Broadwell runs groups one by one. */
#define EACH_PARALLEL_DEVICE(name)                                                                           \
    const char *const *name = devices + 1;                                                                   \
    name < devices + sizeof devices / sizeof devices[0];                                                     \
    name++

static struct kernel k;

static inline struct streamer *begin(const char *device)
{
    struct streamer *const s = streamer_create(device);
    k.set = dispatcher_of(&s->device->engines[0])->set;
    k.count = 0;
    return s;
}

/* A register by its name; the first of that name is the render engine's. */
static inline uint32_t counter_at(struct streamer *s, const char *name)
{
    return register_get(s, register_offset(s->device, name));
}

/* Writes these bits of a masked register, where there is one of the name. */
static inline void masked_put(struct streamer *s, const char *name, uint32_t bits, uint32_t value)
{
    const struct register_slot *const slot = register_find(&s->device->mmio, NULL, name);
    if (slot)
        register_put(s, slot->offset, bits << 16 | value);
}

static inline bool is_gen7(void)
{
    return k.set->generation & EU_GEN7_75;
}

static inline bool has_compute_walker(const struct streamer *s)
{
    return s->device->sheet->eu->has_lsc;
}

/* 1 KB shifted, or up to Gen8 so many times 4 KB. */
static inline uint32_t local_code_of(const struct streamer *s, uint32_t code)
{
    return (s->device->sheet->eu->generation & (EU_GEN7_75 | EU_GEN8)) && code >= 3 && code < 8
               ? 1u << (code - 3u)
               : code;
}

static inline void put_kernel(struct streamer *s)
{
    kernel_finish(&k);
    memcpy(s->memory + KERNELS, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
}

/* Buffers 0 and 1. */
static inline void put_surfaces(struct streamer *s)
{
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t at = STATES_AT + i * SURFACE_STATE_BYTES, last = BUFFER_BYTES - 1;
        STRUCTURE_PUT(s->device, "RENDER_SURFACE_STATE", dwords_at(s, SURFACES + at),
                      {"Surface Type", .value_name = "SURFTYPE_BUFFER"},
                      {"Surface Format", .value_name = "RAW"}, {"Width", last % 128}, {"Height", last / 128},
                      {"Surface Base Address", i ? COUNTER : OUT});
        dword_put(s, SURFACES + TABLE_AT + i * 4u, at);
    }
}

/* Bases of surface states, dynamic state and kernels, without bounds. */
static inline void put_bases(struct streamer *s, uint32_t **to)
{
    enum { ALL_PAGES = (1 << 20) - 1 };
    if (is_gen7()) {
        commands_put(s->device, s->engine, to, GEN6_STATE_BASE_ADDRESS, SURFACES, DYNAMIC, KERNELS);
        return;
    }
    commands_put(s->device, s->engine, to,
                 "STATE_BASE_ADDRESS general_state_base_address_modify_enable,"
                 " surface_state_base_address_modify_enable, surface_state_base_address = %u,"
                 " dynamic_state_base_address_modify_enable, dynamic_state_base_address = %u,"
                 " indirect_object_base_address_modify_enable,"
                 " instruction_base_address_modify_enable, instruction_base_address = %u,"
                 " general_state_buffer_size_modify_enable, general_state_buffer_size = %u,"
                 " dynamic_state_buffer_size_modify_enable, dynamic_state_buffer_size = %u,"
                 " indirect_object_buffer_size_modify_enable, indirect_object_buffer_size = %u,"
                 " instruction_buffer_size_modify_enable, instruction_buffer_size = %u, length = 19",
                 SURFACES, DYNAMIC, KERNELS, ALL_PAGES, ALL_PAGES, ALL_PAGES, ALL_PAGES);
}

/* A walk over groups of so many threads each; `mask`: channels of the last thread. */
struct walk {
    uint32_t groups[3], start[3], threads, mask, local_code;
    bool indirect;
    uint32_t samplers; /* dword 3 of the interface descriptor */
};

static inline void put_compute_walker(struct streamer *s, const struct walk *w, uint32_t **to)
{
    const bool direct = !w->indirect, wide = kernel_rows(k.set) > 1;
    commands_put(s->device, s->engine, to,
                 "COMPUTE_WALKER %s = %u, indirect_parameter_enable = %u, simd_size = %s,"
                 " generate_local_id, emit_local = emit_x, emit_inline_parameter, execution_mask = %u,"
                 " local_x_maximum = %u, thread_group_id_x_dimension = %u, thread_group_id_y_dimension = %u,"
                 " thread_group_id_z_dimension = %u, thread_group_id_starting_x = %u,"
                 " thread_group_id_starting_y = %u, thread_group_id_starting_z = %u,"
                 " interface_descriptor_binding_table_pointer = %u,"
                 " interface_descriptor_number_of_threads_in_gpgpu_thread_group = %u,"
                 " interface_descriptor_shared_local_memory_size = %u, inline_data_0 = %u",
                 wide ? "dw22" : "dw21", w->samplers, w->indirect, wide ? "simt16" : "simd16", w->mask,
                 w->threads * SIMD - 1u, direct ? w->groups[0] : 0, direct ? w->groups[1] : 0,
                 direct ? w->groups[2] : 0, w->start[0], w->start[1], w->start[2], TABLE_AT, w->threads,
                 w->local_code, CONSTANT);
}

/* Of a thread: one register of constants that all have, then two of its own; the first has the IDs of its
 * channels, of 16 bits each. */
static inline void put_gpgpu_walker(struct streamer *s, const struct walk *w, uint32_t **to)
{
    enum { CONSTANT_BYTES = 8 * KB, THREAD_REGISTERS = 2 };
    const bool direct = !w->indirect;
    uint32_t *const descriptor = dwords_at(s, DYNAMIC);
    STRUCTURE_PUT(s->device, "INTERFACE_DESCRIPTOR_DATA", descriptor, {"Binding Table Pointer", TABLE_AT},
                  {"Constant URB Entry Read Length", THREAD_REGISTERS},
                  {"Number of Threads in GPGPU Thread Group", w->threads},
                  {"Shared Local Memory Size", local_code_of(s, w->local_code)},
                  {"Cross-Thread Constant Data Read Length", 1});
    descriptor[3] = w->samplers;
    dword_put(s, DYNAMIC + CONSTANTS_AT, CONSTANT);
    for (uint16_t i = 0; i < MOST_THREADS * SIMD; i++)
        memcpy(s->memory + DYNAMIC + CONSTANTS_AT + 32 + i / SIMD * 64 + i % SIMD * 2, &i, 2);
    commands_put(s->device, s->engine, to,
                 "MEDIA_VFE_STATE\n"
                 "MEDIA_CURBE_LOAD curbe_total_data_length = %u, curbe_data_start_address = %u\n"
                 "MEDIA_INTERFACE_DESCRIPTOR_LOAD interface_descriptor_total_length = 32\n"
                 "GPGPU_WALKER indirect_parameter_enable = %u, simd_size = simd16,"
                 " thread_width_counter_maximum = %u, thread_group_id_starting_x = %u,"
                 " thread_group_id_x_dimension = %u, thread_group_id_starting_y = %u,"
                 " thread_group_id_y_dimension = %u, thread_group_id_starting_resume_z = %u,"
                 " thread_group_id_z_dimension = %u, right_execution_mask = %u, bottom_execution_mask = %u",
                 CONSTANT_BYTES, CONSTANTS_AT, w->indirect, w->threads - 1u, w->start[0],
                 direct ? w->groups[0] : 0, w->start[1], direct ? w->groups[1] : 0, w->start[2],
                 direct ? w->groups[2] : 0, w->mask, UINT32_MAX);
}

/* The same on Gen7. Ivy Bridge has no constants of all threads: each thread has its own. */
static inline void put_gen7_walker(struct streamer *s, const struct walk *w, uint32_t **to)
{
    enum { CONSTANT_BYTES = 8 * KB, REGISTER_BYTES = 32, OF_ALL_DW = 6 };
    const bool has_common = k.set == &eu_gen75;
    const uint32_t common = has_common ? REGISTER_BYTES : 0, own = has_common ? 64 : 96;
    uint32_t *const descriptor = dwords_at(s, DYNAMIC);
    STRUCTURE_PUT(s->device, "INTERFACE_DESCRIPTOR_DATA", descriptor, {"Binding Table Pointer", TABLE_AT},
                  {"Constant URB Entry Read Length", own / REGISTER_BYTES},
                  {"Number of Threads in GPGPU Thread Group", w->threads},
                  {"Shared Local Memory Size", local_code_of(s, w->local_code)});
    descriptor[OF_ALL_DW] = has_common;
    for (uint32_t thread = 0; thread < w->threads; thread++) {
        const uint32_t at = DYNAMIC + CONSTANTS_AT + common + thread * own;
        dword_put(s, has_common ? DYNAMIC + CONSTANTS_AT : at, CONSTANT);
        for (uint16_t i = 0; i < SIMD; i++) {
            const uint16_t id = (uint16_t)(thread * SIMD + i);
            memcpy(s->memory + at + (has_common ? 0 : REGISTER_BYTES) + i * sizeof id, &id, sizeof id);
        }
    }
    commands_put(s->device, s->engine, to,
                 "MEDIA_VFE_STATE gpgpu_mode, maximum_number_of_threads = 63, number_of_urb_entries = 2,"
                 " curbe_allocation_size = %u\n"
                 "MEDIA_CURBE_LOAD curbe_total_data_length = %u, curbe_data_start_address = %u\n"
                 "MEDIA_INTERFACE_DESCRIPTOR_LOAD interface_descriptor_total_length = 32\n"
                 "GPGPU_WALKER simd_size = simd16, thread_width_counter_maximum = %u,"
                 " thread_group_id_starting_x = %u, thread_group_id_x_dimension = %u,"
                 " thread_group_id_starting_y = %u, thread_group_id_y_dimension = %u,"
                 " thread_group_id_starting_z = %u, thread_group_id_z_dimension = %u,"
                 " right_execution_mask = %u, bottom_execution_mask = %u",
                 CONSTANT_BYTES / REGISTER_BYTES, CONSTANT_BYTES, CONSTANTS_AT, w->threads - 1u, w->start[0],
                 w->groups[0], w->start[1], w->groups[1], w->start[2], w->groups[2], w->mask, UINT32_MAX);
}

/* Commands of a walk, state first; returns their length in dwords. */
static inline uint32_t put_walk(struct streamer *s, const struct walk *w, uint32_t *dw)
{
    uint32_t *to = dw;
    put_bases(s, &to);
    put_surfaces(s);
    if (is_gen7())
        put_gen7_walker(s, w, &to);
    else if (has_compute_walker(s))
        put_compute_walker(s, w, &to);
    else
        put_gpgpu_walker(s, w, &to);
    return (uint32_t)(to - dw);
}

static const struct how all = {.channels = SIMD}, whole = {.channels = 8, .no_mask = true};

/* Waits for the group's barrier. */
static inline void put_barrier(void)
{
    enum { BARRIER_MSG = 4 };
    kernel_send(&k, whole, SFID_GATEWAY, PAYLOAD_REGISTERS(1) | BARRIER_MSG, none(TYPE_UD), reg(0, TYPE_UD),
                false);
    if (k.set->gen6_encoding) {
        KERNEL_1(&k, EU_WAIT, ((struct how){.channels = 1, .no_mask = true}), none(TYPE_UD),
                 one(0, 0, TYPE_UD));
        struct op n0 = other(FILE_NOTIFICATION, 0, 0, TYPE_UD);
        n0.v = 0, n0.w = 1, n0.h = 0;
        kernel_source(&k, &k.i[k.count - 1], 0, &n0);
    } else {
        struct eu_instruction *const i =
            kernel_add(&k, EU_SYNC, 0, &(struct how){.channels = 1, .no_mask = true, .function = 14});
        struct op nothing = none(TYPE_UD);
        nothing.v = 0, nothing.w = 1, nothing.h = 0;
        kernel_source(&k, i, 0, &nothing);
    }
}

/* An untyped message: on Ivy Bridge it is of the first data port, and the types are other numbers. */
static inline void send_untyped(uint32_t descriptor, struct op d, struct op payload)
{
    enum { OTHER_TYPE = 4 << 14 };
    const bool is_first = k.set == &eu_gen7;
    kernel_send(&k, all, is_first ? SFID_DC0 : SFID_DC1, descriptor + (is_first ? OTHER_TYPE : 0), d, payload,
                false);
}

/* local[id] = 3 * id + group; a barrier; out[group * size + id] = local[size - 1 - id] + the constant;
 * counter++. */
static inline void put_reversal(struct streamer *s, uint32_t threads)
{
    const bool compute = has_compute_walker(s);
    const unsigned ids = compute ? 1 : 2, constant = compute ? 2 : 1, size = threads * SIMD;
    KERNEL_1(&k, EU_MOV, all, reg(20, TYPE_UD), region(ids, TYPE_UW, 16, 16, 1));  /* id */
    KERNEL_2(&k, EU_SHL, all, reg(4, TYPE_UD), reg(20, TYPE_UD), imm(2, TYPE_UD)); /* address */
    KERNEL_2(&k, EU_SHL, all, reg(22, TYPE_UD), reg(20, TYPE_UD), imm(1, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(20, TYPE_UD), reg(22, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(6, TYPE_UD), reg(6, TYPE_UD), one(0, 4, TYPE_UD));
    send_untyped(PAYLOAD_REGISTERS(4) | UNTYPED_WRITE | UNTYPED_SIMD16 | UNTYPED_RED_ONLY | INDEX_LOCAL,
                 none(TYPE_UD), reg(4, TYPE_UD));
    put_barrier();
    KERNEL_2(&k, EU_ADD, all, reg(8, TYPE_D), negated(reg(4, TYPE_D)), imm((size - 1u) * 4u, TYPE_D));
    send_untyped(PAYLOAD_REGISTERS(2) | RESPONSE_REGISTERS(2) | UNTYPED_READ | UNTYPED_SIMD16 |
                     UNTYPED_RED_ONLY | INDEX_LOCAL,
                 reg(14, TYPE_UD), reg(8, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(14, TYPE_UD), reg(14, TYPE_UD), one(constant, 0, TYPE_UD));
    KERNEL_2(&k, EU_SHL, all, reg(12, TYPE_UD), one(0, 4, TYPE_UD),
             imm((unsigned)__builtin_ctz(size) + 2u, TYPE_UD));
    KERNEL_2(&k, EU_ADD, all, reg(12, TYPE_UD), reg(12, TYPE_UD), reg(4, TYPE_UD));
    send_untyped(PAYLOAD_REGISTERS(4) | UNTYPED_WRITE | UNTYPED_SIMD16 | UNTYPED_RED_ONLY | 0, none(TYPE_UD),
                 reg(12, TYPE_UD));
    KERNEL_1(&k, EU_MOV, all, reg(16, TYPE_UD), imm(0, TYPE_UD));
    send_untyped(PAYLOAD_REGISTERS(2) | UNTYPED_ATOMIC | ATOMIC_INC << 8 | 1, none(TYPE_UD),
                 reg(16, TYPE_UD));
    kernel_end(&k);
    put_kernel(s);
}

static inline void expect_reversal(const struct streamer *s, const struct walk *w)
{
    const uint32_t size = w->threads * SIMD;
    for (uint32_t group = w->start[0]; group < w->groups[0]; group++)
        for (uint32_t id = 0; id < size; id++)
            assert_int_equal(dword_at(s, OUT + (group * size + id) * 4u),
                             3u * (size - 1u - id) + group + CONSTANT);
}

/* ---- Contexts ---- */

enum { CONTEXTS = 6 * KB * KB, CONTEXT_BYTES = 256 * KB, CONTEXT_RING_AT = 192 * KB };

/* Context `number` with a ring of its own that holds these commands. */
static inline void context_put(struct streamer *s, unsigned number, const uint32_t *dw, uint32_t count)
{
    const struct engine_info *const info = &s->device->sheet->engines[s->engine];
    const uint32_t at = CONTEXTS + number * CONTEXT_BYTES, ring = at + CONTEXT_RING_AT;
    const struct driver_context context = {.ring = {ring, RING_BYTES, 0, (count * 4u + 7u) & ~7u},
                                           .control = DRIVER_FRESH_CONTEXT,
                                           .ppgtt = &s->ppgtt};
    assert_true(driver_context_bytes(info) <= CONTEXT_RING_AT);
    memset(s->memory + at, 0, CONTEXT_BYTES);
    memcpy(s->memory + ring, dw, count * 4u);
    driver_image(info, &context, (uint32_t *)(void *)(s->memory + at + DRIVER_IMAGE_OFFSET), PAGE);
}

/* Submits it, alone; the first time execlists are enabled. */
static inline void context_submit(struct streamer *s, unsigned number)
{
    const struct engine_info *const info = &s->device->sheet->engines[s->engine];
    struct driver_writes writes = {0};
    driver_enable_execlists(&writes, info);
    driver_submit(&writes, info, driver_descriptor(CONTEXTS + number * CONTEXT_BYTES, number + 1u, &s->ppgtt),
                  0);
    driver_write(s->device, &writes);
}

enum { MARKED = 1984 * KB, MARK = 77 };

/* Levels of preemption: FF_SLICE_CS_CHICKEN1 says whether CS_CHICKEN1 of the context has them, or
 * FF_SLICE_CS_CHICKEN3 (draws) and FF_SLICE_CS_CHICKEN2 (threads). */
enum { BY_CONTEXT = 1 << 14, LEVEL_OF_DRAWS = 1 << 0, LEVEL_OF_THREADS = 3 << 1 };

/* A command that marks memory; returns its length in dwords. */
static inline uint32_t context_mark_put(const struct streamer *s, uint32_t *dw)
{
    return assemble(s->device, s->engine, dw,
                    "MI_STORE_DATA_IMM use_global_gtt, address = %u, immediate_data = %u", MARKED, MARK);
}

/* Runs until a context that was submitted has marked memory. */
static inline void context_comes(struct streamer *s)
{
    dword_put(s, MARKED, 0);
    for (unsigned i = 0; i < 100000 && dword_at(s, MARKED) != MARK; i++)
        softgt_run(s->device, 1);
    assert_int_equal(dword_at(s, MARKED), MARK);
}

/* Context 1 comes in, which marks memory and does nothing else. */
static inline void another_context_comes(struct streamer *s)
{
    uint32_t dw[4];
    context_put(s, 1, dw, context_mark_put(s, dw));
    context_submit(s, 1);
    context_comes(s);
}

#endif
