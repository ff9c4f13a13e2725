/* Fast clears by pixel shaders, which write the clear value. */
#ifndef OUTPUT_MERGER_CLEAR_BLOCKS_H
#define OUTPUT_MERGER_CLEAR_BLOCKS_H

#include "shared_function/shared_function.h"

/* Clears the block of the target that a pixel of the clear's rectangle stands for: x, y, array element. */
void clear_block(struct message_context *b, const struct image *i, const uint32_t at[3],
                 const union softgt_color *color);

#endif
