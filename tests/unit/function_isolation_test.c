/* What contexts of one virtual function leave behind in engines: random commands, of the wrong length and to
 * anywhere among them, between two halves of another function's context. That one finds what it would
 * without: its memory, what it kept of state, its image's registers. (SYS-02, SYS-04) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../suite.h"
#include "functions.h"
#include "generate.h"

enum {
    LRCA = 64 * KB,
    JOB_RING = 448 * KB,
    FIRST = 456 * KB,
    SECOND = 464 * KB,
    DATA = 576 * KB,
    DATA_BYTES = 384 * KB
};
enum {
    BEGUN = RESULTS + 8,
    DONE_AT = RESULTS + 16,
    REGISTERS = 520 * KB,
    HOSTILE_COMMANDS = 24,
    COMMANDS = 5,
    MINE = 2
};

static uint64_t anybodys[VFS + 1];
static unsigned whose;        /* commands are at hand */
static unsigned others_ended; /* of function 1's batches */

/* Space and GGTT have it at the same address. */
static uint64_t own_address(uint64_t *seed)
{
    return anybodys[whose] + DATA + (below(seed, DATA_BYTES) & ~UINT64_C(63));
}

static uint64_t any_address(uint64_t *seed)
{
    const uint64_t r = below(seed, 8);
    return r < VFS + 1 ? anybodys[r] + below(seed, MEMORY_BYTES)
           : r < 6     ? random_value(seed)
                       : below(seed, 1 << 22);
}

/* Page tables in its local memory; two of its pages of 2 MB have its memory. */
static struct driver_ppgtt space_as_ggtt(const struct vf *v)
{
    enum { TOP = 4 * KB, NEXT = 8 * KB, LARGE = 12 * KB, SMALL = 16 * KB, FIFTH = 32 * KB, VALID = 3 };
    softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, TOP, NEXT | VALID, 8);
    softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, NEXT, LARGE | VALID, 8);
    for (uint32_t i = 0; i < MEMORY_BYTES / PAGE_BYTES; i++) {
        const uint64_t page = v->ggtt / PAGE_BYTES + i;
        const uint32_t table = SMALL + (uint32_t)(page / 512 - v->ggtt / PAGE_BYTES / 512) * PAGE_BYTES;
        softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, LARGE + page / 512 * 8,
                                  table | VALID, 8);
        softgt_function_bar_write(v->device, v->number, SOFTGT_BAR_LOCAL, table + page % 512 * 8,
                                  (uint64_t)i * PAGE_BYTES | VALID, 8);
    }
    return space_by(v, TOP, FIFTH);
}

/* Hostile ones are more, and name registers, which the others of function 1 do, too. */
static void put_commands(struct job *j, const struct engine_info *engine, uint64_t seed, bool hostile)
{
    struct generator g = {.device = j->v->device,
                          .engine = engine,
                          .seed = seed,
                          .address = hostile ? any_address : own_address,
                          .no_registers = j->v->number == MINE,
                          .hostile = hostile};
    uint32_t *dw = at(j->v, FIRST);
    whose = j->v->number;
    for (unsigned n = 0; n < (hostile ? HOSTILE_COMMANDS : COMMANDS);) {
        const uint32_t length_dw = generate_command(&g, dw);
        dw += length_dw;
        n += length_dw != 0;
    }
    assemble(j->v->device, 0, dw, "MI_BATCH_BUFFER_END");
    job_batch(j, address(j->v, FIRST));
    job_store(j, address(j->v, BEGUN), 1);
}

/* What function 2 has in the end; false: it did not come so far. `by`: the seed of function 1's commands, 0:
 * it has none. */
static bool play(uint32_t class, uint64_t seed, uint64_t by, uint8_t *memory)
{
    struct world *const w = world_make(NULL, true);
    struct vf *const two = &w->vfs[MINE];
    for (unsigned n = 1; n <= 2; n++)
        bring_up(w, n);
    for (unsigned n = 0; n <= VFS; n++)
        anybodys[n] = w->vfs[n].ggtt;
    const struct driver_ppgtt spaces[] = {space_as_ggtt(&w->vfs[1]), space_as_ggtt(two)};
    enum { FILL = 55930 };
    uint64_t fill = seed ^ FILL;
    for (uint32_t i = 0; i < DATA_BYTES; i += 4)
        at(two, DATA + i)[0] = (uint32_t)random_value(&fill);
    struct job j = job_of(w, MINE, 0, class, LRCA, JOB_RING, &spaces[1]);
    put_commands(&j, engine_of(w, class), seed, false);
    run(w);
    bool good = at(two, BEGUN)[0] == 1;
    if (good && by) {
        struct job other = job_of(w, 1, 0, class, LRCA, JOB_RING, &spaces[0]);
        put_commands(&other, engine_of(w, class), by, by % 2);
    }
    for (unsigned i = 0; i < 8 && good; i++) {
        run(w);
        softgt_advance(w->device, 10000000);
    }
    others_ended += at(&w->vfs[1], BEGUN)[0];
    function_level_reset(w, 1);
    run(w);
    const struct engine *e = w->device->engines;
    while (e->info != engine_of(w, class))
        e++;
    uint32_t *dw = at(two, SECOND);
    for (uint32_t i = 0; i < e->images.context.value_count && i < 500; i++)
        dw += assemble(w->device, 0, dw,
                       "MI_STORE_REGISTER_MEM use_global_gtt, register_address = %u, memory_address = %u",
                       e->images.context.values[i].offset, address(two, REGISTERS) + i * 4);
    assemble(w->device, 0, dw, "MI_BATCH_BUFFER_END");
    job_batch(&j, address(two, SECOND));
    job_store(&j, address(two, DONE_AT), GOOD);
    for (unsigned i = 0; i < 4; i++) {
        run(w);
        softgt_advance(w->device, 10000000);
    }
    if (good && by)
        assert_int_equal(at(two, DONE_AT)[0], GOOD);
    good = good && at(two, DONE_AT)[0] == GOOD;
    memcpy(memory, two->memory + LRCA, MEMORY_BYTES - LRCA);
    world_destroy(w);
    return good;
}

static void what_others_leave_is_not_seen(void **state)
{
    (void)state;
    const char *asked = getenv("SEEDS");
    const uint64_t seeds = asked ? (uint64_t)atoi(asked) : 10;
    uint8_t *const alone = malloc(MEMORY_BYTES), *const beside = malloc(MEMORY_BYTES);
    assert_true(alone && beside);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        unsigned played = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            if (!play(class, seed * 7919, 0, alone))
                continue;
            played++;
            for (uint64_t by = 1; by <= 4; by++) {
                assert_true(play(class, seed * 7919, seed * 104729 + by, beside));
                for (uint32_t i = 0; i < MEMORY_BYTES - LRCA; i += 4)
                    if (memcmp(alone + i, beside + i, 4) != 0)
                        fail_msg("class %u, seed %u, beside %u: %x", class, (unsigned)seed, (unsigned)by,
                                 LRCA + i);
            }
        }
        assert_true(played || asked);
    }
    assert_true(others_ended);
    free(alone);
    free(beside);
}

TEST_PROGRAM(function_isolation_test)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_others_leave_is_not_seen)};
    int failed = 0;
    for (EACH_FUNCTION_DEVICE(i))
        failed += cmocka_run_group_tests_name(function_device, tests, NULL, NULL);
    return failed;
}
