/* Draws that keep the decoded state of the last draw do what draws that decode everything do: sequences of
 * random changes of state leave the same target, counters and totals. */
#include "pipeline3d/draw_work.h"
#include "../suite.h"
#include "../draws.h"
#include "../random.h"

enum { ROUNDS = 120, MORE_DW = 64 };

static const float corners[3][3][3] = {{{37, 21, 0}, {3, 21, 0}, {3, 5, 0}},
                                       {{60, 30, 0}, {1, 30, 0}, {1, 2, 0}},
                                       {{20, 9, 0}, {11, 9, 0}, {11, 7, 0}}};

static struct draw_work *draws_of(const struct streamer *s)
{
    return dispatcher_of(&s->device->engines[0])->draws;
}

/* Changes a part of the scene. */
static void change_scene(uint64_t *seed, struct scene *c)
{
    static const uint32_t formats[] = {R32G32B32A32_FLOAT, R32G32B32A32_UINT, R8G8B8A8_UNORM},
                          blends[][2] = {{0, 0}, {0x80000000, 0}, {0x8a000000, 0}, {0, 0xf}, {8, 0}};
    switch (below(seed, 8)) {
    case 0:
        c->format = formats[below(seed, 3)];
        break;
    case 1:
        memcpy(c->blending, blends[below(seed, 5)], sizeof c->blending);
        break;
    case 2:
        c->scissor[0] = below(seed, 9) | below(seed, 9) << 16;
        c->scissor[1] = below(seed, 2) ? 0 : (20 + below(seed, 9)) | (10 + below(seed, 9)) << 16;
        break;
    case 3:
        c->topology = below(seed, 2) ? RECTLIST : TRILIST;
        break;
    case 4:
        c->at = corners[below(seed, 3)];
        break;
    case 5:
        c->attributes = below(seed, 3);
        c->constant = below(seed, 4);
        break;
    case 6:
        c->instances = 1 + below(seed, 2);
        c->statistics = below(seed, 2);
        break;
    default:
        c->provoking = below(seed, 3) << 29;
        break;
    }
}

/* Commands that replace the scene's. */
static uint32_t put_more(uint64_t *seed, const struct streamer *s, uint32_t *dw)
{
    static const char *const changes[] = {
        "3DSTATE_RASTER cull_mode = front",
        "3DSTATE_RASTER cull_mode = back",
        "3DSTATE_SAMPLE_MASK sample_mask = 0",
        "3DSTATE_WM statistics_enable = 0",
        "3DSTATE_PS_BLEND has_writeable_rt = 0",
        "3DSTATE_VF_SGVS vertexid_enable",
        "3DSTATE_RASTER scissor_rectangle_enable",
        "3DSTATE_VF_STATISTICS statistics_enable",
        "3DSTATE_CLIP clip_enable, statistics_enable, perspective_divide_disable",
        "3DSTATE_PS _8_pixel_dispatch_enable = 0",
        "3DSTATE_PS_EXTRA pixel_shader_valid = 0"};
    uint32_t *to = dw;
    if (below(seed, 2))
        commands_put(s->device, 0, &to, "%s", changes[below(seed, sizeof changes / sizeof *changes)]);
    return (uint32_t)(to - dw);
}

static void draw(struct streamer *s, const struct scene *c)
{
    uint32_t dw[MOST_DW];
    k.count = 0;
    put_places(s);
    batch_run(s, dw, put_scene(s, c, dw), true);
}

static void compare(const struct streamer *kept, const struct streamer *decoded)
{
    static const char *const names[] = {"PS_INVOCATION_COUNT", "PS_DEPTH_COUNT",    "CL_PRIMITIVES_COUNT",
                                        "CL_INVOCATION_COUNT", "IA_VERTICES_COUNT", "IA_PRIMITIVES_COUNT",
                                        "VS_INVOCATION_COUNT"};
    assert_memory_equal(kept->memory + TARGET, decoded->memory + TARGET, PITCH * HEIGHT);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(counter_at((struct streamer *)(uintptr_t)kept, names[i]),
                         counter_at((struct streamer *)(uintptr_t)decoded, names[i]));
    assert_memory_equal(&kept->device->engines[0].totals, &decoded->device->engines[0].totals,
                        sizeof kept->device->engines[0].totals);
    assert_int_equal(streamer_status(kept).state, streamer_status(decoded).state);
}

static void random_changes(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (EACH_DRAW_DEVICE(name)) {
        struct streamer *const kept = begin(*name), *const decoded = begin(*name);
        unsigned parts[KEPT_ALL + 1] = {0};
        uint32_t more[MORE_DW];
        struct scene c = {
            .topology = RECTLIST, .vertices = 3, .at = corners[0], .format = R32G32B32A32_UINT, .more = more};
        for (unsigned round = 0; round < ROUNDS; round++) {
            if (below(&seed, 2))
                change_scene(&seed, &c);
            if (below(&seed, 2))
                c.more_dw = put_more(&seed, kept, more);
            draw(kept, &c);
            parts[draws_of(kept)->kept.parts]++;
            draws_of(decoded)->kept.valid = false;
            draw(decoded, &c);
            assert_int_equal(draws_of(decoded)->kept.parts, KEPT_NOTHING);
            compare(kept, decoded);
        }
        assert_true(parts[KEPT_NOTHING] && parts[KEPT_ALL]);
        streamer_destroy(kept);
        streamer_destroy(decoded);
    }
}

TEST_PROGRAM(kept_state_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
