/* Pipeline state: what every state command leaves, written out as commands and taken by an engine without
 * state, and saved and loaded, is the same state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../suite.h"
#include "commands/commands.h"
#include "engine/pipeline_state.h"

enum { ROOM_DW = 1 << 17 };
static const enum generation generations[] = {GEN6, GEN9, GEN11};

static uint32_t random_dword(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* Some commands, of random contents, of every row that is state of the class. */
static unsigned set_much(struct pipeline_state *p, const struct command_set *set, enum engine_class class,
                         uint64_t seed, unsigned times)
{
    uint32_t dw[4200];
    unsigned kept = 0;
    while (times-- > 0)
        for (uint16_t i = 1; i < set->count; i++) {
            const struct command *c = set->rows[i];
            if (!(c->flags & COMMAND_STATE) || !(c->engines & 1u << class) || random_dword(&seed) % 3 == 0)
                continue;
            const uint32_t free_bits = ~c->mask & 0xffffu;
            const uint32_t more = random_dword(&seed) % 9 * (c->group_size_dw ? c->group_size_dw : 1u);
            uint32_t length_dw = c->min_dwords + (c->length_bits ? more : 0);
            dw[0] = c->match | (random_dword(&seed) & free_bits);
            if (c->length_bits)
                dw[0] = (dw[0] & ~((1u << c->length_bits) - 1u)) | (length_dw - c->length_bias);
            for (uint32_t at = 1; at < length_dw; at++)
                dw[at] = random_dword(&seed);
            assert_int_equal(command_find(set, class, dw[0]), i);
            pipeline_store_command(p, i, dw[0], dw, length_dw);
            kept++;
        }
    return kept;
}

static void assert_same(const struct pipeline_state *a, const struct pipeline_state *b)
{
    assert_int_equal(a->count_dw, b->count_dw);
    assert_memory_equal(a->dw, b->dw, a->count_dw * 4u);
    assert_memory_equal(a->present_bits, b->present_bits, a->words * sizeof *a->present_bits);
}

static void each(void (*check)(const struct command_set *set, enum engine_class class, uint64_t seed))
{
    for (unsigned g = 0; g < sizeof generations / sizeof generations[0]; g++) {
        struct command_set set;
        assert_true(command_set_create(&set, command_tables, generations[g]));
        for (unsigned class = 0; class < ENGINE_CLASSES; class ++)
            for (uint64_t seed = 1; seed <= 8; seed++)
                check(&set, (enum engine_class) class, seed);
        command_set_destroy(&set);
    }
}

static void check_commands(const struct command_set *set, enum engine_class class, uint64_t seed)
{
    struct pipeline_state a, b;
    uint32_t *dw = calloc(ROOM_DW, 4), *again = calloc(ROOM_DW, 4);
    bool left_out = true;
    assert_true(dw && again && pipeline_create(&a, set, class) && pipeline_create(&b, set, class));
    set_much(&a, set, class, seed, 3);
    const uint32_t length_dw = pipeline_save(&a, dw, ROOM_DW, &left_out);
    assert_false(left_out);
    set_much(&b, set, class, seed + 100, 1); /* another context's */
    pipeline_reset(&b);
    assert_int_equal(pipeline_restore(&b, dw, length_dw), length_dw);
    assert_same(&a, &b);
    assert_int_equal(pipeline_save(&b, again, ROOM_DW, &left_out), length_dw);
    assert_memory_equal(dw, again, length_dw * 4u);
    if (length_dw) { /* with a dword too little, one command less */
        assert_true(pipeline_save(&a, dw, length_dw - 1u, &left_out) < length_dw);
        assert_true(left_out);
    }
    pipeline_destroy(&a);
    pipeline_destroy(&b);
    free(dw);
    free(again);
}

static void commands_bring_the_state_back(void **state)
{
    (void)state;
    each(check_commands);
}

static void check_saved(const struct command_set *set, enum engine_class class, uint64_t seed)
{
    struct pipeline_state a, b;
    assert_true(pipeline_create(&a, set, class) && pipeline_create(&b, set, class));
    set_much(&a, set, class, seed, 2);
    struct state count = {.saving = true};
    pipeline_section(&a, &count);
    uint8_t *data = calloc(count.offset + 1u, 1);
    assert_non_null(data);
    struct state save = {.saving = true, .output = data, .size = count.offset};
    pipeline_section(&a, &save);
    set_much(&b, set, class, seed + 100, 1);
    struct state load = {.input = data, .size = count.offset};
    pipeline_section(&b, &load);
    assert_false(load.failed);
    assert_same(&a, &b);
    /* What could not have come from a command is refused, or does no harm. */
    uint32_t *dw = calloc(ROOM_DW, 4);
    assert_non_null(dw);
    for (unsigned i = 0; i < 200 && count.offset; i++) {
        bool left_out;
        data[random_dword(&seed) % count.offset] ^= (uint8_t)(1u << random_dword(&seed) % 8u);
        load = (struct state){.input = data, .size = count.offset};
        pipeline_section(&b, &load);
        if (!load.failed)
            pipeline_save(&b, dw, ROOM_DW, &left_out);
        else
            pipeline_reset(&b);
    }
    free(dw);
    free(data);
    pipeline_destroy(&a);
    pipeline_destroy(&b);
}

static void saved_state_is_the_same(void **state)
{
    (void)state;
    each(check_saved);
}

/* What the rows say of merging fits the commands. */
/* REN-31: media state is forgotten, and nothing else; then all. */
static void check_forgotten(const struct command_set *set, enum engine_class class, uint64_t seed)
{
    enum { MEDIA = 0x70000000 };
    const uint32_t mask = 0xff000000;
    struct pipeline_state a, b, none;
    uint32_t *dw = calloc(ROOM_DW, 4);
    bool left_out = true;
    assert_true(dw && pipeline_create(&a, set, class) && pipeline_create(&b, set, class) &&
                pipeline_create(&none, set, class));
    set_much(&a, set, class, seed, 2);
    const uint32_t length_dw = pipeline_save(&a, dw, ROOM_DW, &left_out);
    assert_false(left_out);
    for (uint32_t at = 0, part_dw; at < length_dw; at += part_dw) {
        const uint16_t number = command_find(set, class, dw[at]);
        part_dw = command_length_dw(set->rows[number], dw[at]);
        if ((dw[at] & mask) != MEDIA)
            assert_int_equal(pipeline_restore(&b, dw + at, part_dw), part_dw);
    }
    pipeline_invalidate(&a, MEDIA, mask);
    assert_same(&a, &b);
    pipeline_invalidate(&a, 0, 0);
    assert_same(&a, &none);
    free(dw);
    pipeline_destroy(&a);
    pipeline_destroy(&b);
    pipeline_destroy(&none);
}

static void forgotten_state_is_none(void **state)
{
    (void)state;
    each(check_forgotten);
}

static void merges_are_sound(void **state)
{
    (void)state;
    for (unsigned g = 0; g < sizeof generations / sizeof generations[0]; g++) {
        struct command_set set;
        assert_true(command_set_create(&set, command_tables, generations[g]));
        for (uint16_t i = 1; i < set.count; i++) {
            const struct command *c = set.rows[i];
            const struct merge *m = &c->merge;
            if (m->kind == MERGE_WHOLE)
                continue;
            assert_true(c->flags & COMMAND_STATE && (!c->execute || m->kind == MERGE_BY_INDEX));
            if (m->kind == MERGE_BY_INDEX)
                assert_true(m->first >= 32 && m->last / 32u == m->first / 32u &&
                            m->last / 32u < c->min_dwords);
            if (m->kind == MERGE_GROUPS) {
                assert_true(m->last < 32 && m->last - m->first < 6 && m->enable < 32);
                assert_true(c->group_dw == 1 && c->group_size_dw <= 8 && m->governed_dw < c->group_size_dw);
                assert_true(c->min_dwords == 1u + c->group_size_dw);
            }
            if (m->kind == MERGE_CHANGED)
                assert_int_equal(c->min_dwords, 4);
            if (m->kind == MERGE_MASKED)
                assert_int_equal(c->min_dwords, 1);
        }
        command_set_destroy(&set);
    }
}

/* What commands that bring a part leave. (CSP-08) */
static void parts_are_merged(void **state)
{
    (void)state;
    enum { VERTEX_BUFFERS = 0x78080000, VF_INSTANCING = 0x78490000, SELECT = 0x69040000 };
    struct command_set set;
    struct pipeline_state p;
    bool left_out;
    uint32_t dw[64];
    assert_true(command_set_create(&set, command_tables, GEN9) && pipeline_create(&p, &set, CLASS_RENDER));
    const uint32_t first[] = {VERTEX_BUFFERS | 7, 0x08004010, 0x1000, 1, 0x100, 0x04004020, 0x2000, 2, 0x200};
    const uint32_t second[] = {VERTEX_BUFFERS | 3, 0x04000030, 0xdead, 0xbeef, 0xbad};
    const uint32_t instancing[] = {VF_INSTANCING | 1, 5 | 1u << 8, 3, VF_INSTANCING | 1, 2, 9};
    const uint32_t select[] = {SELECT | 0x302, SELECT | 0x1010, SELECT | 0x0100};
    assert_int_equal(pipeline_restore(&p, first, 9), 9);
    assert_int_equal(pipeline_restore(&p, second, 5), 5);
    assert_int_equal(pipeline_restore(&p, instancing, 6), 6);
    assert_int_equal(pipeline_restore(&p, select, 3), 3);
    assert_int_equal(pipeline_field(&p, VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, 1), 0x30);
    assert_int_equal(pipeline_field(&p, VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, 2), 0x10);
    assert_int_equal(pipeline_field(&p, VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, 0), 0);
    assert_int_equal(pipeline_field(&p, VERTEX_BUFFERS, VERTEX_BUFFER_PITCH, 64), 0);
    assert_int_equal(pipeline_field(&p, SELECT, PIPELINE_SELECTION, 0), 2);
    const uint32_t wanted[] = {SELECT | 0x1312,
                               VERTEX_BUFFERS | 7,
                               0x04004030,
                               0x2000,
                               2,
                               0x200,
                               0x08004010,
                               0x1000,
                               1,
                               0x100,
                               VF_INSTANCING | 1,
                               2,
                               9,
                               VF_INSTANCING | 1,
                               5 | 1u << 8,
                               3};
    const uint32_t length_dw = pipeline_save(&p, dw, 64, &left_out);
    assert_int_equal(length_dw, sizeof wanted / 4);
    assert_memory_equal(dw, wanted, sizeof wanted);
    pipeline_destroy(&p);
    command_set_destroy(&set);
}

TEST_PROGRAM(pipeline_state_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_bring_the_state_back),
        cmocka_unit_test(saved_state_is_the_same),
        cmocka_unit_test(forgotten_state_is_none),
        cmocka_unit_test(merges_are_sound),
        cmocka_unit_test(parts_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
