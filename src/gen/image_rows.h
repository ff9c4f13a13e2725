/* How the sheets write the rows of context images. */
#ifndef GEN_IMAGE_ROWS_H
#define GEN_IMAGE_ROWS_H

#include "engine/image.h"

/* clang-format off */
#define NOOP(dwords)             {IMAGE_NOOP, 0, (dwords), 0}
#define NOOP_OF_SOFTWARE(dwords) {IMAGE_NOOP, IMAGE_OF_SOFTWARE, (dwords), 0}
#define LIST(flags)              {IMAGE_LIST, (flags), 1, 0}
#define REGISTER(offset)         {IMAGE_REGISTER, 0, 1, (offset)}
#define REGISTERS(count, offset) {IMAGE_REGISTER, 0, (count), (offset)}
#define OF_SOFTWARE(count, offset) {IMAGE_REGISTER, IMAGE_OF_SOFTWARE, (count), (offset)}
#define GLOBAL(count, offset)    {IMAGE_GLOBAL, 0, (count), (offset)}
#define RING_OFF(offset)         {IMAGE_RING_OFF, 0, 1, (offset)}
#define LOST(count)              {IMAGE_LOST, 0, (count), 0}
#define BATCH_END                {IMAGE_BATCH_END, 0, 1, 0}
#define PIPELINE_STATE(dwords)   {IMAGE_PIPELINE_STATE, 0, (dwords), 0}
#define END_OF_RING_CONTEXT      {IMAGE_ENGINE_CONTEXT, 0, 0, 0}
#define END_OF_IMAGE             {IMAGE_END, 0, 0, 0}
/* clang-format on */

#endif
