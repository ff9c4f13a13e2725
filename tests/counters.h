/* The registers of the performance counters. */
#ifndef TESTS_COUNTERS_H
#define TESTS_COUNTERS_H

#include "streamer.h"

/* Offsets: A counters 0 to 31, A counters from 32 on, free running A counters, and the timer of a context. */
struct counters {
    uint32_t control, timer, start, a, a32, free;
};

static inline struct counters counters_of(const struct streamer *s)
{
    static const char *product; /* its name: tests read counters often */
    static struct counters counters;
    const struct softgt *const d = s->device;
    if (d->sheet->info.name == product)
        return counters;
    product = d->sheet->info.name;
    const bool oag = register_find(&d->mmio, "rcs0", "OAG_OACONTROL") != NULL; /* from Gen12 on */
    counters =
        (struct counters){.control = register_offset(d, oag ? "rcs0.OAG_OACONTROL" : "rcs0.OACONTROL"),
                          .timer = register_offset(d, oag ? "rcs0.OAGLBCTXCTRL" : "rcs0.OACTXCONTROL"),
                          .start = register_offset(d, oag ? "rcs0.OAG_OASTARTTRIG1" : "rcs0.OASTARTTRIG1"),
                          .a = register_offset(d, "rcs0.OAPERF_A[0]"),
                          .a32 = register_offset(d, "rcs0.OAPERF_A32[0]"),
                          .free = register_offset(d, "rcs0.OAPERF_FREE[0]")};
    return counters;
}

/* The second dword of the start trigger: the counters start at once. */
enum { START_AT_ONCE = 0xf08 };

static inline void counters_start(struct streamer *s)
{
    const struct counters c = counters_of(s);
    register_put(s, c.start + 4u, (uint32_t)START_AT_ONCE << 20);
    register_put(s, c.timer, 1);
    register_put(s, c.control, 5u << 2 | 1u);
}

#endif
