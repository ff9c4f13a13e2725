/* A walker at hand, on every generation that runs threads: what its guest does to it meanwhile, other
 * contexts, and resets. */
#include "../suite.h"
#include "../walks.h"

#include "../saved_sections.h"

static uint32_t walker_dw(const struct streamer *s)
{
    return has_compute_walker(s) ? 39 : 15;
}

static struct work_state *grid_of(struct streamer *s)
{
    return &dispatcher_of(&s->device->engines[s->engine])->work;
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
    for (unsigned i = 0; i < 100 && grid_of(s)->phase != DISPATCH_RUN; i++)
        softgt_run(s->device, 1);
    assert_true(grid_of(s)->phase == DISPATCH_RUN);
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
                .groups = {UINT16_MAX, 1, 1}, .threads = 1, .mask = ALL_CHANNELS, .local_code = 3};
            const struct walk second = {
                .groups = {3, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
            uint32_t dw[128];
            put_endless(s);
            uint32_t count = put_walk(s, &first, dw);
            memcpy(s->memory + RING, dw, count * 4u);
            register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
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
        const struct walk first = {
            .groups = {UINT16_MAX, 1, 1}, .threads = 1, .mask = ALL_CHANNELS, .local_code = 3};
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
        assert_false(dispatch_has_work(grid_of(s)));
        streamer_destroy(s);
    }
}

static bool in_context(const struct streamer *s, unsigned number)
{
    const struct engine *const e = &s->device->engines[0];
    return e->context.valid && e->context.current.high == number + 1u;
}

/* Levels of preemption as their registers say: for the engine, or for each context. */
static const struct level {
    bool of_the_context;
    uint32_t engines, contexts; /* 0 in a thread, 1 between groups, 2 between commands */
    bool within;
} levels[] = {
    {false, 0, 2, true}, {false, 1, 2, true}, {false, 2, 0, false}, {true, 2, 0, true}, {true, 0, 2, false}};

/* A context is preempted in the middle of its walker, between two groups; it comes back to where it was, and
 * each group is done once, whatever the other context does meanwhile: nothing, or a walker of its own.
 * (CSP-21) */
static void preempted_within(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 2 * sizeof levels / sizeof levels[0]; way++) {
            enum { GROUPS = 300, THREADS = 4 };
            const struct level *const level = &levels[way / 2];
            struct streamer *const s = begin(*name);
            const struct walk first = {.groups = {GROUPS / 3, 3, 1},
                                       .start = {7, 1, 0},
                                       .threads = THREADS,
                                       .mask = ALL_CHANNELS,
                                       .local_code = 3};
            const struct walk second = {
                .groups = {5, 1, 1}, .threads = THREADS, .mask = ALL_CHANNELS, .local_code = 3};
            const uint32_t all_groups = (GROUPS / 3 - 7) * 2;
            uint32_t dw[128];
            unsigned away = 0;
            put_reversal(s, THREADS);
            uint32_t count = put_walk(s, &first, dw);
            context_put(s, 0, dw, count);
            count = way % 2 ? put_walk(s, &second, dw) : 0;
            count += context_mark_put(s, dw + count);
            masked_put(s, "FF_SLICE_CS_CHICKEN1", BY_CONTEXT, level->of_the_context ? BY_CONTEXT : 0);
            masked_put(s, "FF_SLICE_CS_CHICKEN2", LEVEL_OF_THREADS, level->engines << 1);
            masked_put(s, "CS_CHICKEN1", LEVEL_OF_THREADS, level->contexts << 1);
            if (s->device->sheet->eu == &eu_gen8 && (level->of_the_context || level->engines)) {
                streamer_destroy(s); /* it has no such levels: always between groups */
                continue;
            }
            context_submit(s, 0);
            for (unsigned turn = 0; turn < 6; turn++) { /* there and back, three times */
                const uint64_t groups = streamer_status(s).thread_groups;
                for (unsigned i = 0;
                     i < 100 && (!in_context(s, 0) || streamer_status(s).thread_groups < groups + 9); i++)
                    softgt_run(s->device, 1);
                assert_true(in_context(s, 0));
                context_put(s, 1, dw, count);
                context_submit(s, 1);
                reload(s->device);
                context_comes(s);
                const uint64_t done = streamer_status(s).thread_groups - (way % 2 ? (away + 1u) * 5u : 0);
                if (!level->within) {
                    assert_int_equal(done, all_groups);
                    break;
                }
                assert_in_range(done, 9, all_groups - 1);
                away++;
                softgt_run(s->device, 1 << 20);
                assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
                assert_false(dispatch_has_work(grid_of(s)));
                assert_int_equal(streamer_status(s).thread_groups - (way % 2 ? away * 5u : 0), done);
                context_submit(s, 0);
            }
            softgt_run(s->device, 1 << 22);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            for (uint32_t group = 7; group < GROUPS / 3; group++)
                assert_int_equal(dword_at(s, OUT + group * THREADS * SIMD * 4u),
                                 3u * (THREADS * SIMD - 1u) + group + CONSTANT);
            const uint32_t others = way % 2 ? (level->within ? away : 1u) * 5u : 0;
            assert_int_equal(streamer_status(s).thread_groups, all_groups + others);
            assert_int_equal(dword_at(s, COUNTER), (all_groups + others) * THREADS * SIMD);
            streamer_destroy(s);
        }
}

/* What the image says of where it was is the guest's to change: another place in the walk, or none. */
static void returned_elsewhere(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 4; way++) {
            enum { GROUPS = 300, WORK_MARK = 43 << 16 | 7, PLACE = 4 };
            struct streamer *const s = begin(*name);
            const struct walk first = {
                .groups = {GROUPS, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
            uint32_t dw[128], *work = (uint32_t *)(void *)(s->memory + CONTEXTS);
            put_reversal(s, 4);
            context_put(s, 0, dw, put_walk(s, &first, dw));
            context_put(s, 1, dw, 0);
            context_submit(s, 0);
            run_until_a_group(s);
            context_submit(s, 1);
            softgt_run(s->device, 1 << 20);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            const uint64_t before = streamer_status(s).thread_groups;
            assert_in_range(before, 1, GROUPS - 1);
            while (*work != WORK_MARK)
                assert_true((uint8_t *)++work < s->memory + CONTEXTS + CONTEXT_RING_AT);
            assert_int_equal(work[PLACE], before);
            const uint32_t places[] = {0, GROUPS - 2, GROUPS, UINT32_MAX};
            work[PLACE] = places[way];
            context_submit(s, 0);
            softgt_run(s->device, 1 << 22);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(streamer_status(s).thread_groups - before, way == 1 ? 2 : GROUPS);
            streamer_destroy(s);
        }
}

/* A request for a reset takes the engine in the middle of a walker; without the reset it goes on, with it
 * nothing does. */
static void reset_requests(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned way = 0; way < 2; way++) {
            struct streamer *const s = begin(*name);
            const struct walk w = {
                .groups = {300, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
            uint32_t dw[128];
            put_reversal(s, 4);
            context_put(s, 0, dw, put_walk(s, &w, dw));
            context_submit(s, 0);
            run_until_a_group(s);
            register_put(s, s->base + RESET_CTL, 1u << 16 | 1);
            assert_int_equal(register_get(s, s->base + RESET_CTL) & 3, 3);
            const uint64_t groups = streamer_status(s).thread_groups;
            softgt_run(s->device, 1 << 20);
            assert_in_range(streamer_status(s).thread_groups, groups, 299);
            if (way) {
                assert_true(softgt_engine_reset(s->device, 0));
                assert_false(dispatch_has_work(grid_of(s)));
                const uint64_t there = streamer_status(s).thread_groups;
                softgt_run(s->device, 1 << 20);
                assert_int_equal(streamer_status(s).thread_groups, there);
            } else {
                register_put(s, s->base + RESET_CTL, 1u << 16);
                softgt_run(s->device, 1 << 22);
                assert_int_equal(dword_at(s, COUNTER), 300 * 4 * SIMD);
            }
            streamer_destroy(s);
        }
}

/* What a state says of a walker must be what one can be, or it is refused: places outside the walk, more
 * threads than there are, lengths that wrap. */
static void made_up_states(void **state)
{
    (void)state;
#define NUMBER(member, is)                                                                                   \
    {                                                                                                        \
        offsetof(struct work_state, member), sizeof(((struct work_state *)0)->member), (is)                  \
    }
    static const struct {
        size_t at, size;
        uint64_t value;
    } wrong[] = {
        NUMBER(walker.first_group[0], 5),
        NUMBER(walker.end_group[1], 0),
        NUMBER(walker.first_group[2], 1),
        NUMBER(group.group_id[0], 300),
        NUMBER(group.group_id[1], 1),
        NUMBER(group.group_id[2], UINT32_MAX),
        NUMBER(walker_id, 0),
        NUMBER(phase, DISPATCH_PHASES),
        NUMBER(phase, DISPATCH_PARALLEL),
        NUMBER(media.is_walker, 1),
        NUMBER(media.group_is_partial, 1),
        NUMBER(setup.threads, 0),
        NUMBER(setup.threads, 3),
        NUMBER(setup.thread_width_height_depth[0], 0),
        NUMBER(setup.thread_width_height_depth[1], 2),
        NUMBER(group.current_thread, 4),
        NUMBER(group.threads_started, 1),
        NUMBER(group.barrier_count, 4),
        NUMBER(group.instructions_left, 65537),
        NUMBER(setup.simd, 24),
        NUMBER(setup.slm_bytes, 1023),
        NUMBER(walker.local_size[0], 0),
        NUMBER(setup.inline_length_dw, 65),
        NUMBER(media.data_bytes, 128 * KB),
        NUMBER(media.data_bytes, (uint32_t)-128 * KB),
        NUMBER(setup.cross_thread_constant_registers, 65536),
        NUMBER(setup.payload, PAYLOAD_MEDIA_OBJECT),
        NUMBER(setup.payload, MAX_PAYLOADS),
        NUMBER(kind, WORK_MEDIA),
        NUMBER(kind, WORK_DRAW),
        NUMBER(kind, WORK_KINDS),
        NUMBER(walker.walk_order, 8),
    };
#undef NUMBER
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const struct walk w = {.groups = {300, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
        uint32_t dw[128];
        put_endless(s);
        const uint32_t count = put_walk(s, &w, dw);
        memcpy(s->memory + RING, dw, count * 4u);
        register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
        run_until_a_group(s);
        const struct work_state right = *grid_of(s);
        for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            memcpy((uint8_t *)grid_of(s) + wrong[i].at, &wrong[i].value, wrong[i].size);
            const struct blob b = saved(s->device);
            *grid_of(s) = right;
            assert_int_not_equal(softgt_load(s->device, b.bytes, b.size), 0);
            free(b.bytes);
        }
        reload(s->device);
        streamer_destroy(s);
    }
}

/* Render and compute engines at once, slice by slice: each has groups, memory and counts of its own, and a
 * reset of one takes nothing of the others. */
static void engines_at_once(void **state)
{
    (void)state;
    enum { OF_EACH = 60, THREADS = 4, RING_OF_EACH = 4 * KB };
    for (unsigned resets = 0; resets < 2; resets++) {
        struct streamer *const s = begin("dg2");
        const struct sheet *const sheet = s->device->sheet;
        uint32_t dw[128];
        unsigned walkers = 0, mixed = 0;
        put_reversal(s, THREADS);
        for (unsigned i = 0; i < sheet->info.engine_count; i++) {
            const struct engine_info *const info = &sheet->engines[i];
            if (info->class != CLASS_RENDER && info->class != CLASS_COMPUTE)
                continue;
            const uint32_t first = walkers * OF_EACH, ring = RING + 32 * KB + walkers++ * RING_OF_EACH;
            const struct walk w = {.groups = {first + OF_EACH, 1, 1},
                                   .start = {first, 0, 0},
                                   .threads = THREADS,
                                   .mask = ALL_CHANNELS,
                                   .local_code = 3};
            const uint32_t count = put_walk(s, &w, dw);
            const struct driver_ring r = {ring, RING_BYTES, 0, (count * 4u + 7u) & ~7u};
            struct driver_writes writes = {0};
            memcpy(s->memory + ring, dw, count * 4u);
            driver_set_directory(&writes, info, &s->ppgtt);
            driver_set_ring(&writes, info, &r);
            driver_write(s->device, &writes);
        }
        assert_int_equal(walkers, 5);
        for (unsigned slice = 0; slice < 1000; slice++) {
            unsigned within = 0;
            softgt_run(s->device, 1);
            for (unsigned i = 0; i < sheet->info.engine_count; i++)
                within += dispatcher_of(&s->device->engines[i]) &&
                          (dispatcher_of(&s->device->engines[i])->work.phase == DISPATCH_RUN);
            mixed += within == walkers;
            if (resets && mixed == 2) {
                assert_true(softgt_engine_reset(s->device, 0));
                mixed++;
            }
            reload(s->device);
        }
        assert_true(mixed > 2);
        for (uint32_t group = resets ? OF_EACH : 0; group < 5 * OF_EACH; group++)
            for (uint32_t id = 0; id < THREADS * SIMD; id++)
                assert_int_equal(dword_at(s, OUT + (group * THREADS * SIMD + id) * 4u),
                                 3u * (THREADS * SIMD - 1u - id) + group + CONSTANT);
        uint64_t groups = 0;
        for (unsigned i = 0; i < sheet->info.engine_count; i++) {
            s->engine = i;
            const uint64_t of_this = streamer_status(s).thread_groups;
            groups += of_this;
            assert_true(of_this == 0 || of_this == OF_EACH || (resets && i == 0));
        }
        assert_in_range(groups, (5 - resets) * OF_EACH, 5 * OF_EACH - resets);
        assert_int_equal(dword_at(s, OUT + 5 * OF_EACH * THREADS * SIMD * 4u), 0);
        streamer_destroy(s);
    }
}

/* Any numbers in a walk and its threads, from a file: refused, or run in bounds (as sanitizers see), saved
 * and loaded as the same. */
static void any_state(void **state)
{
    (void)state;
    uint64_t seed = 11;
    unsigned taken = 0;
    for (EACH_DEVICE(name)) {
        struct streamer *const s = begin(*name);
        const char *const engine = s->device->engines[0].info->name;
        for (unsigned turn = 0; turn < CASES(150); turn++) {
            const struct walk w = {
                .groups = {300, 1, 1}, .threads = 4, .mask = ALL_CHANNELS, .local_code = 3};
            uint32_t dw[128];
            streamer_start(s, 0);
            k.count = 0;
            put_reversal(s, 4);
            const uint32_t count = put_walk(s, &w, dw);
            memcpy(s->memory + RING, dw, count * 4u);
            register_put(s, s->base + RING_BUFFER_TAIL, (count * 4u + 7u) & ~7u);
            run_until_a_group(s);
            const struct blob b = saved(s->device);
            struct saved_section c;
            char sections[2][32];
            snprintf(sections[0], sizeof sections[0], "%s.work", engine);
            snprintf(sections[1], sizeof sections[1], "%s.threads", engine);
            for (unsigned i = 0; i < 1 + turn % 3; i++) {
                const uint64_t value = turn % 2 ? random_value(&seed) : random_next(&seed) % 130;
                const size_t size = (size_t)1 << random_next(&seed) % 4;
                const char *const section = sections[random_next(&seed) % 3 == 0];
                for (size_t at = STATE_HEADER_BYTES; saved_section_at(&b, at, &c); at = c.begin + c.size)
                    if (strcmp(c.name, section) == 0)
                        memcpy(b.bytes + c.begin + random_next(&seed) % (c.size - size), &value, size);
            }
            saved_sum(b);
            if (softgt_load(s->device, b.bytes, b.size) == 0) {
                taken++;
                for (unsigned i = 0; i < 5; i++) {
                    softgt_run(s->device, 1 << 12);
                    reload(s->device);
                }
            }
            free(b.bytes);
        }
        streamer_destroy(s);
    }
    assert_true(taken > CASES(100));
}

static unsigned looked_at;
static const char *unit_looked_at;
static bool holds(void *user, struct softgt_eu_thread *t)
{
    struct softgt_eu_thread_info info;
    (void)user;
    softgt_eu_thread_get_info(t, &info);
    unit_looked_at = info.unit;
    assert_int_equal(info.base, KERNELS);
    assert_int_equal(info.state, SOFTGT_EU_RUNS);
    looked_at++;
    return false;
}

/* Of a device every thread is seen and none is held: 2 groups of 2 threads, of two instructions each. */
static void watched_and_not_held(void **state)
{
    (void)state;
    for (EACH_DEVICE(name))
        for (unsigned watched = 0; watched < 2; watched++) {
            struct streamer *const s = begin(*name);
            const struct softgt_eu_hooks hooks = {.before = holds};
            const struct walk w = {.groups = {2, 1, 1}, .threads = 2, .mask = ALL_CHANNELS};
            uint32_t dw[128];
            KERNEL_1(&k, EU_MOV, whole, reg(20, TYPE_UD), imm(7, TYPE_UD));
            kernel_end(&k);
            put_kernel(s);
            looked_at = 0;
            assert_int_equal(softgt_watch_threads(s->device, watched ? &hooks : NULL), 0);
            batch_run(s, dw, put_walk(s, &w, dw), true);
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
            assert_int_equal(streamer_status(s).threads, 4);
            assert_int_equal(streamer_status(s).instructions, 8);
            assert_int_equal(looked_at, watched ? 8 : 0);
            if (watched)
                assert_string_equal(unit_looked_at, s->device->engines[s->engine].info->name);
            streamer_destroy(s);
        }
}

TEST_PROGRAM(walker_life_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overwritten),          cmocka_unit_test(left_behind),
        cmocka_unit_test(preempted_within),     cmocka_unit_test(returned_elsewhere),
        cmocka_unit_test(reset_requests),       cmocka_unit_test(made_up_states),
        cmocka_unit_test(engines_at_once),      cmocka_unit_test(any_state),
        cmocka_unit_test(watched_and_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
