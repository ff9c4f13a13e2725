/* Macros for the rows of context images. */
#ifndef GEN_IMAGE_ROWS_H
#define GEN_IMAGE_ROWS_H

#include "engine/image.h"

#define NOOP(dwords)                                                                                         \
    {                                                                                                        \
        IMAGE_NOOP, 0, (dwords), 0                                                                           \
    }
#define NOOP_OF_SOFTWARE(dwords)                                                                             \
    {                                                                                                        \
        IMAGE_NOOP, IMAGE_OF_SOFTWARE, (dwords), 0                                                           \
    }
#define LIST(flags)                                                                                          \
    {                                                                                                        \
        IMAGE_LIST, (flags), 1, 0                                                                            \
    }
#define REGISTER(offset)                                                                                     \
    {                                                                                                        \
        IMAGE_REGISTER, 0, 1, (offset)                                                                       \
    }
#define REGISTERS(count, offset)                                                                             \
    {                                                                                                        \
        IMAGE_REGISTER, 0, (count), (offset)                                                                 \
    }
#define OF_SOFTWARE(count, offset)                                                                           \
    {                                                                                                        \
        IMAGE_REGISTER, IMAGE_OF_SOFTWARE, (count), (offset)                                                 \
    }
#define GLOBAL(count, offset)                                                                                \
    {                                                                                                        \
        IMAGE_GLOBAL, 0, (count), (offset)                                                                   \
    }
#define RING_OFF(offset)                                                                                     \
    {                                                                                                        \
        IMAGE_RING_OFF, 0, 1, (offset)                                                                       \
    }
#define LOST(count)                                                                                          \
    {                                                                                                        \
        IMAGE_LOST, 0, (count), 0                                                                            \
    }
#define BATCH_END                                                                                            \
    {                                                                                                        \
        IMAGE_BATCH_END, 0, 1, 0                                                                             \
    }
#define PIPELINE_STATE(dwords)                                                                               \
    {                                                                                                        \
        IMAGE_PIPELINE_STATE, 0, (dwords), 0                                                                 \
    }
#define END_OF_RING_CONTEXT                                                                                  \
    {                                                                                                        \
        IMAGE_ENGINE_CONTEXT, 0, 0, 0                                                                        \
    }
#define END_OF_IMAGE                                                                                         \
    {                                                                                                        \
        IMAGE_END, 0, 0, 0                                                                                   \
    }
/* Command streamer registers that user batches write, beyond the counts of three slices: counts of slices 3
 * to 7 and of coarse pixel shaders, arguments of indirect draws. (CSP-16, CSP-18) */
#define GEN11_COUNTS                                                                                         \
    REGISTERS(8, 0x458), REGISTERS(2, 0x478), REGISTERS(4, 0x4a0), REGISTERS(4, 0x5b0), REGISTERS(4, 0x5d0), \
        REGISTERS(3, 0x690 /* 3DPRIM_XP0 */)
/* The same registers of the position streamer. */
#define POSITION_REGISTERS                                                                                   \
    GLOBAL(1, 0x180c0 /* INSTPM */), GLOBAL(1, 0x18158 /* BB_OFFSET */), GLOBAL(6, 0x18310),                 \
        GLOBAL(4, 0x18338), GLOBAL(8, 0x18400 /* MI_PREDICATE_SRC0 */), GLOBAL(1, 0x18420),                  \
        GLOBAL(5, 0x18430), GLOBAL(1, 0x18590), GLOBAL(32, 0x18600 /* CS_GPR */), GLOBAL(3, 0x18690)
/* Flexible EU event registers, saved for each context (oa/flexible.c): 15 dwords. */
#define FLEXIBLE_EVENTS                                                                                      \
    LIST(IMAGE_POSTED), GLOBAL(1, 0xe458), GLOBAL(1, 0xe558), GLOBAL(1, 0xe658), GLOBAL(1, 0xe758),          \
        GLOBAL(1, 0xe45c), GLOBAL(1, 0xe55c), GLOBAL(1, 0xe65c)

#endif
