/* What threads that begin alike begin with. Each begins with the registers of the one before: those that the
 * kernel may have written are restored. */
#ifndef TILES_THREAD_START_H
#define TILES_THREAD_START_H

#include "interp/thread.h"

enum { RESTORED_RANGES = EU_GRF_ROWS / 2 };

/* Registers that each thread writes itself: they are not restored. */
struct grf_range {
    unsigned first, end;
};

struct thread_start {
    struct grf_range own[2];
    struct eu_dirty written; /* what `restored` is made from: the kernel may write these registers */
    struct restored_range {
        uint16_t first, count;
    } restored[RESTORED_RANGES];
    unsigned restored_count;
    struct eu_thread thread;
};

/* `t` is started, but has not run: others begin like it, but for their own registers. */
void thread_start_init(struct thread_start *s, struct eu_thread *t, const struct grf_range own[2]);
/* After a run, `t` is as it was started; its own registers are not written yet. */
void thread_start_restore(struct thread_start *s, struct eu_thread *t);
void thread_copy_registers(struct eu_thread *to, const struct eu_thread *from, unsigned first,
                           unsigned count);

#endif
