/* Restores what a kernel may have written. */
#include "tiles/thread_start.h"

#include <stddef.h>
#include <string.h>

/* What is restored beside registers. */
enum { TAIL = offsetof(struct eu_thread, flag), TAIL_END = offsetof(struct eu_thread, dirty) };

static bool is_own(const struct thread_start *s, unsigned n)
{
    return (n >= s->own[0].first && n < s->own[0].end) || (n >= s->own[1].first && n < s->own[1].end);
}

/* The registers that the kernel may have written, but the thread's own: side by side. */
static void find_restored(struct thread_start *s, const struct eu_dirty *written)
{
    s->written = *written;
    s->restored_count = 0;
    for (unsigned n = 0; n < EU_GRF_ROWS; n++) {
        if (!(written->registers[n / 64u] >> n % 64u & 1u) || is_own(s, n))
            continue;
        struct restored_range *const last = s->restored_count ? &s->restored[s->restored_count - 1u] : NULL;
        if (last && last->first + last->count == n)
            last->count++;
        else
            s->restored[s->restored_count++] = (struct restored_range){(uint16_t)n, 1};
    }
}

void thread_copy_registers(struct eu_thread *to, const struct eu_thread *from, unsigned first, unsigned count)
{
    enum { PAIR = 2 * EU_REGISTER_BYTES };
    uint8_t *out = to->grf + first * (size_t)EU_REGISTER_BYTES;
    const uint8_t *in = from->grf + first * (size_t)EU_REGISTER_BYTES;
    for (; count >= 2; count -= 2, out += PAIR, in += PAIR)
        memcpy(out, in, PAIR);
    if (count)
        memcpy(out, in, EU_REGISTER_BYTES);
}

void thread_start_init(struct thread_start *s, struct eu_thread *t, const struct grf_range own[2])
{
    memcpy(s->own, own, sizeof s->own);
    const unsigned rows =
        t->grf_rows > s->thread.grf_rows ? t->grf_rows : s->thread.grf_rows; /* others are zero */
    memcpy(s->thread.grf, t->grf, rows * (size_t)EU_REGISTER_BYTES);
    memcpy((uint8_t *)&s->thread + TAIL, (const uint8_t *)t + TAIL, TAIL_END - TAIL);
    t->dirty = s->written = (struct eu_dirty){.rare = false};
    s->restored_count = 0;
}

void thread_start_restore(struct thread_start *s, struct eu_thread *t)
{
    if (memcmp(t->dirty.registers, s->written.registers, sizeof t->dirty.registers) != 0)
        find_restored(s, &t->dirty);
    for (unsigned i = 0; i < s->restored_count; i++) {
        enum { MANY = 8 };
        const unsigned first = s->restored[i].first, end = first + s->restored[i].count;
        if (s->restored[i].count >= MANY) {
            memcpy(t->grf + first * (size_t)EU_REGISTER_BYTES,
                   s->thread.grf + first * (size_t)EU_REGISTER_BYTES,
                   s->restored[i].count * (size_t)EU_REGISTER_BYTES);
            continue;
        }
        for (unsigned n = first; n < end; n++)
            memcpy(t->grf + n * (size_t)EU_REGISTER_BYTES, s->thread.grf + n * (size_t)EU_REGISTER_BYTES,
                   EU_REGISTER_BYTES);
    }
    eu_thread_clear_rare(t);
    memcpy((uint8_t *)t + TAIL, (const uint8_t *)&s->thread + TAIL, TAIL_END - TAIL);
}
