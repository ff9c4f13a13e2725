/* Walkers of virtual functions, for tests that pause, reset and move them. After cmocka.h. */
#ifndef TESTS_FUNCTION_WALKS_H
#define TESTS_FUNCTION_WALKS_H

#include "functions.h"

#include "eu_kernel.h"

enum { KERNEL_AT = 576 * KB };

/* Its PPGTT has its memory from 0 on; tables are in its local memory. */
static inline struct driver_ppgtt space_of(const struct vf *v)
{
    enum { TOP = 4 * KB, NEXT = 8 * KB, LARGE = 12 * KB, FIFTH = 16 * KB, VALID = 3, BIG = 1 << 7 };
    const uint64_t entries[][2] = {{TOP, NEXT | VALID}, {NEXT, LARGE | VALID}, {LARGE, BIG | VALID}};
    for (unsigned i = 0; i < 3; i++)
        softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, entries[i][0], entries[i][1], 8);
    return space_by(v, TOP, FIFTH);
}

/* A kernel that ends at once, or never. */
static inline void put_kernel(const struct vf *v, const struct eu_isa *set, bool endless)
{
    static struct kernel k;
    k = (struct kernel){.set = set};
    if (endless) {
        const unsigned loop = kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true});
        kernel_goes(&k, loop, loop, loop);
    }
    kernel_end(&k);
    kernel_finish(&k);
    memcpy(v->memory + KERNEL_AT, k.bytes, k.count * (size_t)EU_NATIVE_BYTES);
}

/* A walk over so many groups of two threads, then a store. */
static inline void walk(struct world *w, unsigned number, uint32_t groups, bool endless)
{
    const struct engine_info *const info = engine_of(w, CLASS_OF_COMPUTE);
    const struct driver_ppgtt space = space_of(&w->vfs[number]);
    enum { ALL_PAGES = (1 << 20) - 1 };
    struct job j =
        job_of(w, number, 0, CLASS_OF_COMPUTE, CONTEXTS, CONTEXTS + driver_context_bytes(info), &space);
    put_kernel(&w->vfs[number], w->device->sheet->eu, endless);
    at(&w->vfs[number], RESULTS)[0] = 0;
    job_do(&j,
           "STATE_BASE_ADDRESS general_state_base_address_modify_enable, "
           "surface_state_base_address_modify_enable, dynamic_state_base_address_modify_enable, "
           "indirect_object_base_address_modify_enable, instruction_base_address_modify_enable, "
           "instruction_base_address = %u, general_state_buffer_size_modify_enable, "
           "general_state_buffer_size = %d, dynamic_state_buffer_size_modify_enable, "
           "dynamic_state_buffer_size = %d, indirect_object_buffer_size_modify_enable, "
           "indirect_object_buffer_size = %d, instruction_buffer_size_modify_enable, "
           "instruction_buffer_size = %d",
           (uint32_t)KERNEL_AT, ALL_PAGES, ALL_PAGES, ALL_PAGES, ALL_PAGES);
    job_do(&j,
           "COMPUTE_WALKER simd_size = %s, execution_mask = %u, local_x_maximum = 31, "
           "thread_group_id_x_dimension = %u, thread_group_id_y_dimension = 1, "
           "thread_group_id_z_dimension = 1, "
           "interface_descriptor_number_of_threads_in_gpgpu_thread_group = 2",
           is_xe2() ? "simt16" : "simd16", (unsigned)UINT16_MAX, groups);
    job_store(&j, address(&w->vfs[number], RESULTS), GOOD);
}

/* The engine that has a context of that class; NULL: none does. */
static inline struct engine *walking(const struct world *w)
{
    for (unsigned i = 0; i < w->device->gucs[0].engine_count; i++) {
        struct engine *const e = &w->device->engines[i];
        if (w->device->gucs[0].derived.class_of[i] == CLASS_OF_COMPUTE && e->context.valid)
            return e;
    }
    return NULL;
}

static inline uint64_t groups_of(const struct world *w)
{
    uint64_t groups = 0;
    for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++)
        groups += w->device->engines[i].totals.groups;
    return groups;
}

#endif
