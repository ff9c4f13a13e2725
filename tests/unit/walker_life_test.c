/* A walker at hand, on every generation that runs threads: what its guest does to it meanwhile, other
 * contexts, and resets. */
#include "../walks.h"

static uint32_t walker_dw(const struct streamer *s)
{
    return has_compute_walker(s) ? 39 : 15;
}

static struct grid *grid_of(struct streamer *s)
{
    return &s->device->engines[s->engine].dispatch->grid;
}

/* A kernel that jumps to itself. */
static void put_endless(struct streamer *s)
{
    const unsigned loop = kernel_branch(&k, EU_JMPI, (struct how){.channels = 1, .no_mask = true});
    kernel_goes(&k, loop, loop, loop);
    kernel_end(&k);
    put_kernel(s);
}

static void run_until_a_group(struct streamer *s)
{
    for (unsigned i = 0; i < 100 && !grid_of(s)->group; i++)
        softgt_run(s->device, 1);
    assert_true(grid_of(s)->group);
}

/* The guest writes another walker, or anything, where the one at hand stands: that is begun anew, or done,
 * and nothing of the first goes on. */
static void overwritten(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned with_walker = 0; with_walker < 2; with_walker++) {
            struct streamer *const s = begin(*name);
            const struct walk first = {
                .groups = {0xffff, 1, 1}, .threads = 1, .mask = 0xffff, .local_code = 3};
            const struct walk second = {.groups = {3, 1, 1}, .threads = 4, .mask = 0xffff, .local_code = 3};
            uint32_t dw[128];
            put_endless(s);
            uint32_t count = put_walk(s, &first, dw);
            memcpy(s->memory + RING, dw, count * 4u);
            register_put(s, s->base + 0x030, (count * 4u + 7u) & ~7u);
            run_until_a_group(s);
            k.count = 0;
            put_reversal(s, 4);
            count = put_walk(s, &second, dw);
            if (!with_walker) /* in its place nothing, and behind that another one */
                memset(dw + count - walker_dw(s), 0, walker_dw(s) * 4u);
            memcpy(s->memory + RING, dw, count * 4u);
            softgt_run(s->device, 1 << 20);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            if (with_walker)
                expect_reversal(s, &second);
            put_walk(s, &second, dw);
            s->tail = (count * 4u + 7u) & ~7u;
            ring_run(s, dw + count - walker_dw(s), walker_dw(s));
            expect_reversal(s, &second);
            assert_int_equal(dword_at(s, COUNTER), (1 + with_walker) * 3 * 4 * SIMD);
            streamer_destroy(s);
        }
}

/* What a context left, no other one goes on with. */
static void left_behind(void **state)
{
    (void)state;
    for (EACH_DEVICE(name)) {
        enum { MI_ARB_CHECK = 5u << 23 };
        struct streamer *const s = begin(*name);
        const struct walk first = {.groups = {0xffff, 1, 1}, .threads = 1, .mask = 0xffff, .local_code = 3};
        uint32_t dw[128];
        put_endless(s);
        const uint32_t count = put_walk(s, &first, dw), nothing[2] = {0};
        context_put(s, 0, dw, count);
        context_put(s, 1, nothing, 2);
        context_submit(s, 0);
        run_until_a_group(s);
        context_submit(s, 1);
        dword_put(s, CONTEXTS + CONTEXT_RING_AT + (count - walker_dw(s)) * 4u, MI_ARB_CHECK);
        for (unsigned i = 0; i < 100 && (s->device->engines[0].context.current.high & 0xff) != 2; i++)
            softgt_run(s->device, 1);
        assert_int_equal(s->device->engines[0].context.current.high, 2);
        assert_false(grid_of(s)->live);
        streamer_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overwritten),
        cmocka_unit_test(left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
