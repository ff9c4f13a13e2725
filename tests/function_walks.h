/* Walkers of virtual functions, for tests of what becomes of them. After cmocka.h. */
#ifndef TESTS_FUNCTION_WALKS_H
#define TESTS_FUNCTION_WALKS_H

#include "functions.h"

#include "eu_kernel.h"

enum { CLASS_OF_COMPUTE = 4, KERNEL_AT = 0x90000 };

/* Its PPGTT has its memory from 0 on; tables are in its local memory. */
static inline struct driver_ppgtt space_of(const struct vf *v)
{
    enum { TOP = 0x1000, NEXT = 0x2000, LARGE = 0x3000, VALID = 3, BIG = 1 << 7 };
    const uint64_t entries[][2] = {{TOP, NEXT | VALID}, {NEXT, LARGE | VALID}, {LARGE, BIG | VALID}};
    for (unsigned i = 0; i < 3; i++)
        softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, entries[i][0], entries[i][1], 8);
    return (struct driver_ppgtt){.levels = 4, .root = {TOP}};
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
    struct job j =
        job_of(w, number, 0, CLASS_OF_COMPUTE, CONTEXTS, CONTEXTS + driver_context_bytes(info), &space);
    const uint32_t bases[19] = {
        [0] = 0x61010000 | 17, [1] = 1,           [4] = 1,           [6] = 1,           [8] = 1,
        [10] = KERNEL_AT | 1,  [12] = 0xfffff001, [13] = 0xfffff001, [14] = 0xfffff001, [15] = 0xfffff001};
    const uint32_t walker[39] = {[0] = 0x72080000 | 37, [4] = 1u << 30, [5] = 0xffff, [6] = 31,
                                 [7] = groups,          [8] = 1,        [9] = 1,      [23] = 2};
    put_kernel(&w->vfs[number], w->device->sheet->eu, endless);
    at(&w->vfs[number], RESULTS)[0] = 0;
    job_add(&j, bases, 19);
    job_add(&j, walker, 39);
    job_store(&j, address(&w->vfs[number], RESULTS), 0x600d);
}

/* The engine that has a context of that class; NULL: none does. */
static inline struct engine *walking(const struct world *w)
{
    for (unsigned i = 0; i < w->device->sheet->info.engine_count; i++) {
        struct engine *const e = &w->device->engines[i];
        if (w->device->guc.derived.class_of[i] == CLASS_OF_COMPUTE && e->context.valid)
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
