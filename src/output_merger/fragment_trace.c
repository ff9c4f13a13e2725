#include "output_merger/fragment_trace.h"

#include "engine/engine.h"
#include "memory/samples.h"

void trace_fragment(const struct message_context *b, struct softgt_fragment f)
{
    trace_event(b->memory.log, (struct softgt_event){.what = SOFTGT_TRACE_FRAGMENTS,
                                                     .unit = b->memory.unit,
                                                     .name = "fragment",
                                                     .fragment = &f});
}

void trace_fragments(const struct message_context *b, struct softgt_fragment f,
                     const uint32_t (*subspan_xy)[2], uint32_t pixels)
{
    FOR_EACH_CHANNEL(n, pixels) {
        f.x = subspan_xy[n / SUBSPAN_PIXELS][0] + (n & 1u);
        f.y = subspan_xy[n / SUBSPAN_PIXELS][1] + (n >> 1 & 1u);
        trace_fragment(b, f);
    }
}

void trace_pixel(const struct message_context *b, struct softgt_fragment f, unsigned pixel)
{
    trace_fragments(b, f, (const uint32_t(*)[2])b->ps->subspan_xy, 1u << pixel);
}

void trace_samples(const struct message_context *b, struct softgt_fragment f, const struct ps_thread *p,
                   uint32_t pixels)
{
    const unsigned count = b->om->uses_samples ? 1u << b->om->samples_log2 : 1u;
    f.layer = p->array_index;
    for (f.sample = 0; f.sample < count; f.sample++)
        trace_fragments(b, f, (const uint32_t(*)[2])p->subspan_xy,
                        b->om->uses_samples ? pixels & p->samples[f.sample] : pixels);
}

void trace_depth_test_at(const struct message_context *b, const uint32_t at[3], struct softgt_fragment f)
{
    uint32_t xy[2] = {at[0], at[1]};
    f.sample = samples_separate(b->om->samples_log2, xy);
    f.x = xy[0];
    f.y = xy[1];
    f.layer = at[2];
    trace_fragment(b, f);
}
