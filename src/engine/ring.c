/* Ring mode: the ring registers are the CPU's; the engine runs while TAIL is ahead of HEAD. (OVR-05, OVR-10)
 */
#include "engine/engine.h"

static void ring_idle(struct engine *e)
{
    if (!(engine_register(e, RING_BUFFER_CTL) & 1u))
        return;
    if (!engine_execlists_enabled(e) && engine_register(e, GFX_MODE) & GFX_MODE_PPGTT) {
        /* Ring mode walks from the page directory registers as the CPU or an MI_LOAD_REGISTER_IMM left them.
         */
        e->mmu.root.mode = engine_register(e, GFX_MODE) & 1u << 7 ? PPGTT_48 : PPGTT_LEGACY_32;
        for (uint32_t i = 0; i < 4; i++)
            e->mmu.root.directory[i] =
                engine_register(e, PDP + i * 8u) | (uint64_t)engine_register(e, PDP + i * 8u + 4u) << 32;
    }
    e->depth = 0;
    e->state = SOFTGT_ENGINE_RUNNING;
}

static void ring_ring_empty(struct engine *e)
{
    e->state = SOFTGT_ENGINE_IDLE;
}

static void ring_arbitrate(struct engine *e)
{
    (void)e;
}

static uint32_t ring_status(const struct engine *e)
{
    (void)e;
    return 0;
}

const struct submission ring_submission = {
    .idle = ring_idle, .ring_empty = ring_ring_empty, .arbitrate = ring_arbitrate, .status = ring_status};
