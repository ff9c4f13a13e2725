/* Counters of performance, where a generation has them. */
#ifndef TESTS_COUNTERS_H
#define TESTS_COUNTERS_H

#include "streamer.h"

/* Where A counters, those of A32 on, free running ones and a context's are. */
struct counters {
    uint32_t control, timer, start, a, a32, free;
};

static inline struct counters counters_of(const struct streamer *s)
{
    return s->device->oa.info->offsets.control == 0xdaf4
               ? (struct counters){0xdaf4, 0x2b28, 0xd900, 0xd980, 0xda80, 0xdad4}
               : (struct counters){0x2b00, 0x2360, 0x2710, 0x2800, 0x2900, 0x2960};
}

static inline void counters_start(struct streamer *s)
{
    const struct counters c = counters_of(s);
    register_put(s, c.start + 4u, 0xf0800000);
    register_put(s, c.timer, 1);
    register_put(s, c.control, 5u << 2 | 1u);
}

#endif
