/* Registers that count what the 3D pipeline does: from the engine's base, but those that streams have. Their
 * rows take offsets from here. (CSP-16, REN-17) */
#ifndef ENGINE_STATISTICS_H
#define ENGINE_STATISTICS_H

enum statistics_register {
    GEN6_SO_PRIM_STORAGE_NEEDED = 0x280,
    GEN6_SO_NUM_PRIMS_WRITTEN = 0x288,
    GPGPU_THREADS_DISPATCHED = 0x290,
    HS_INVOCATION_COUNT = 0x300,
    DS_INVOCATION_COUNT = 0x308,
    IA_VERTICES_COUNT = 0x310,
    IA_PRIMITIVES_COUNT = 0x318,
    VS_INVOCATION_COUNT = 0x320,
    GS_INVOCATION_COUNT = 0x328,
    GS_PRIMITIVES_COUNT = 0x330,
    CL_INVOCATION_COUNT = 0x338,
    CL_PRIMITIVES_COUNT = 0x340,
    PS_INVOCATION_COUNT = 0x348,
    PS_DEPTH_COUNT = 0x350,
    CPS_INVOCATION_COUNT = 0x478,
    /* Of four streams, or buffers. */
    SO_NUM_PRIMS_WRITTEN = 0x5200,
    SO_PRIM_STORAGE_NEEDED = 0x5240,
    SO_WRITE_OFFSET = 0x5280
};

#endif
