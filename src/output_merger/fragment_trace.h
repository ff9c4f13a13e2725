/* The events of fragments: steps of a pixel's samples, for programs that show where a pixel comes from. */
#ifndef OUTPUT_MERGER_FRAGMENT_TRACE_H
#define OUTPUT_MERGER_FRAGMENT_TRACE_H

#include "shared_function/shared_function.h"

static inline bool traces_fragments(const struct message_context *b)
{
    return tracing(b->memory.log, SOFTGT_TRACE_FRAGMENTS);
}

/* Call these only while fragments are traced. A step; a step of the same kind of each pixel in a mask, one
 * sample of it; of a pixel of the thread; of each sample of a thread's pixels that is covered. */
void trace_fragment(const struct message_context *b, struct softgt_fragment f);
void trace_fragments(const struct message_context *b, struct softgt_fragment f,
                     const uint32_t (*subspan_xy)[2], uint32_t pixels);
void trace_pixel(const struct message_context *b, struct softgt_fragment f, unsigned pixel);
void trace_samples(const struct message_context *b, struct softgt_fragment f, const struct ps_thread *p,
                   uint32_t pixels);

/* A test at a place in the depth buffer, which interleaves samples. */
void trace_depth_test_at(const struct message_context *b, const uint32_t at[3], struct softgt_fragment f);
static inline void trace_depth_test(const struct message_context *b, const uint32_t at[3],
                                    struct softgt_fragment f)
{
    if (traces_fragments(b))
        trace_depth_test_at(b, at, f);
}

#endif
