/* What a thread starts with: dwords of r0 and sr0, and bits of cr0. (SKL PRM vol 7, Thread Payload; Execution
 * Unit Registers) */
#ifndef ISA_THREAD_STATE_H
#define ISA_THREAD_STATE_H

#include <stdint.h>

/* cr0.0 and cr0.1 */
enum {
    CR0_ALT_FP_MODE = 1 << 0, /* Direct3D 9 arithmetic: no infinities and NaNs */
    CR0_ACC_DISABLE = 1 << 1,
    CR0_SINGLE_PROGRAM_FLOW = 1 << 2,
    CR0_ROUNDING_SHIFT = 4,
    CR0_DOUBLE_DENORMALS = 1 << 6,
    CR0_SINGLE_DENORMALS = 1 << 7,
    CR0_HALF_DENORMALS = 1 << 10,
    CR0_BREAKPOINT_SUPPRESS = 1 << 15,
    CR1_ILLEGAL_ENABLE = 1 << 12,
    CR1_SOFTWARE_ENABLE = 1 << 13,
    CR1_BREAKPOINT_ENABLE = 1 << 15,
    CR1_ILLEGAL = 1 << 28,
    CR1_SOFTWARE = 1 << 29,
};
#define CR0_MASTER     (UINT32_C(1) << 31)
#define CR1_BREAKPOINT (UINT32_C(1) << 31)

/* sr0 */
enum { SR0_THREAD_ID = 0, SR0_DISPATCH_MASK = 2, SR0_VECTOR_MASK = 3 };

/* r0 of all threads. The scratch size shares its dword with the sampler state pointer. */
enum {
    R0_SAMPLERS = 3,
    R0_SCRATCH_SIZE_MASK = 0xf,
    R0_BINDING_TABLE = 4,
    R0_SCRATCH = 5,
    R0_SCRATCH_SURFACE_SHIFT = 10, /* from Gen12.5 on: index of a surface */
    R0_SCRATCH_SIZE_SHIFT = 10,    /* before: log2 of the size in KB */
};
#define R0_SCRATCH_BASE_MASK (~UINT32_C(0x3ff))

/* r0 of compute threads and media objects. Media objects have x and y in R0_GROUP_ID_X. */
enum { R0_INDIRECT_DATA = 0, R0_GROUP_ID_X = 1, R0_THREAD = 2, R0_GROUP_ID_Y = 6, R0_GROUP_ID_Z = 7 };

/* r0 of hull and domain shaders */
enum { R0_PATCH_HANDLE = 0, R0_PRIMITIVE_ID = 1, R0_HS_INSTANCE = 2 };

#endif
