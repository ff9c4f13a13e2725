/* CSP-11, CSP-12, REN-20: MI_SET_PREDICATE on every command under every condition, MI_PREDICATE against a
 * reference of its own. */
#include "../suite.h"
#include "../rows.h"
#include "../streamer.h"

#include "device/device.h"

#define SET_PREDICATE(enable) (0x01u << 23 | (enable))

enum {
    SRC0 = 0x2400,
    SRC1 = 0x2408,
    PREDICATE_DATA = 0x2410,
    RESULT = 0x2418,
    RESULT_1 = 0x241c,
    RESULT_2 = 0x23bc
};

static uint64_t skipped(const struct streamer *s)
{
    return streamer_status(s).skipped;
}

/* A command of this row with nothing in it. */
static uint32_t empty_command(const struct command *c, uint32_t *dw)
{
    const uint32_t length = c->min_dwords;
    memset(dw, 0, length * 4u);
    dw[0] = c->match;
    if (c->length_bits)
        dw[0] |= length - c->length_bias;
    return length;
}

/* While all that can be skipped is skipped: each row of the render engine, alone. */
static void only_listed_commands(const char *device)
{
    struct streamer *s = streamer_create(device);
    const struct command_set *set = &s->device->set;
    unsigned found = 0;
    for (unsigned i = 1; i < set->count; i++) {
        const struct command *c = set->rows[i];
        if (!(c->engines & 1u << CLASS_RENDER) || strcmp(c->name, "MI_SET_PREDICATE") == 0)
            continue;
        uint32_t dw[300] = {SET_PREDICATE(15)};
        streamer_start(s, 0);
        const uint64_t before = skipped(s);
        const uint32_t count = 1 + empty_command(c, dw + 1);
        ring_run(s, dw, count);
        if (skipped(s) - before != is_predicated(c->name))
            fail_msg("%s, %s: skipped %u times", device, c->name, (unsigned)(skipped(s) - before));
        found += is_predicated(c->name);
        /* And not once predication is off. */
        streamer_start(s, 0);
        dw[0] = SET_PREDICATE(0);
        const uint64_t none = skipped(s);
        ring_run(s, dw, count);
        assert_int_equal(skipped(s), none);
    }
    assert_int_equal(found, PREDICATED);
    streamer_destroy(s);
}

static void only_listed_commands_are_skipped(void **state)
{
    (void)state;
    only_listed_commands("skl");
    only_listed_commands("icl");
}

/* Which of the 16 conditions execute, for Result and Result 2. */
static bool executes(unsigned enable, bool gen11, unsigned slices, bool result, bool result_2)
{
    switch (enable) {
    case 1:
        return result_2;
    case 2:
        return !result_2;
    case 3:
        return result;
    case 4:
        return !result;
    case 5:
    case 6:
    case 7:
        return gen11 || slices == enable - 4;
    case 11:
        return !gen11;
    case 15:
        return false;
    default: /* 0, PositionCS's 12, and what is reserved */
        return true;
    }
}

static void conditions(const char *device, bool gen11, unsigned slices)
{
    struct streamer *s = streamer_create(device);
    for (unsigned enable = 0; enable < 16; enable++)
        for (unsigned results = 0; results < 4; results++) {
            streamer_start(s, 0);
            const bool result = results & 1u, result_2 = results >> 1;
            const uint32_t dw[] = {(uint32_t)MI_LOAD_REGISTER_IMM | 3u,
                                   RESULT,
                                   result,
                                   RESULT_2,
                                   result_2,
                                   SET_PREDICATE(enable),
                                   0x20u << 23 | 2u,
                                   DATA,
                                   0,
                                   1, /* MI_STORE_DATA_IMM */
                                   (uint32_t)MI_LOAD_REGISTER_IMM | 1u,
                                   0x2600,
                                   7, /* GPR 0 */
                                   0x24u << 23 | 2u,
                                   RESULT,
                                   DATA + 4,
                                   0, /* MI_STORE_REGISTER_MEM: not listed */
                                   SET_PREDICATE(0),
                                   0x20u << 23 | 2u,
                                   DATA + 8,
                                   0,
                                   1};
            dword_put(s, USER_DATA + 4, 0x55);
            batch_run(s, dw, sizeof dw / 4, true);
            const bool runs = executes(enable, gen11, slices, result, result_2);
            const bool all_off = gen11 && enable == 11;
            if (dword_at(s, USER_DATA) != runs || register_get(s, 0x2600) != (runs ? 7u : 0u) ||
                dword_at(s, USER_DATA + 4) != (all_off ? 0x55u : result) || dword_at(s, USER_DATA + 8) != 1)
                fail_msg("%s, condition %u, Result %u, Result 2 %u: %08x %08x %08x %08x", device, enable,
                         result, result_2, dword_at(s, USER_DATA), register_get(s, 0x2600),
                         dword_at(s, USER_DATA + 4), dword_at(s, USER_DATA + 8));
            assert_int_equal(streamer_status(s).state, SOFTGT_ENGINE_IDLE);
        }
    streamer_destroy(s);
}

static void every_condition(void **state)
{
    (void)state;
    conditions("skl", false, 1);
    conditions("skl-gt3", false, 2);
    conditions("icl", true, 0);
}

static void fewer_slices_enabled(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl-gt3");
    for (unsigned wanted = 1; wanted < 4; wanted++)
        for (unsigned enable = 5; enable < 8; enable++) {
            streamer_start(s, 0);
            register_put(s, 0x20c8, 1u << 31 | 1u << 18 | wanted << 15);
            batch_run(
                s, (const uint32_t[]){SET_PREDICATE(enable), 0x20u << 23 | 2u, DATA, 0, 1, SET_PREDICATE(0)},
                6, true);
            assert_int_equal(dword_at(s, USER_DATA), (wanted > 2 ? 2 : wanted) == enable - 4);
        }
    streamer_destroy(s);
}

static uint32_t kept_urb[2];
static size_t kept_length;

static void find_urb(void *user, const char *name, const uint32_t *dwords, size_t length_dw)
{
    (void)user;
    if (strcmp(name, "3DSTATE_URB_VS") == 0) {
        kept_length = length_dw;
        memcpy(kept_urb, dwords, sizeof kept_urb);
    }
}

/* A state command that is skipped leaves the state as it was. */
static void skipped_state_stays(void **state)
{
    (void)state;
    struct streamer *s = streamer_create("skl");
    const uint32_t dw[] = {0x78300000, 0x11110000, SET_PREDICATE(15),
                           0x78300000, 0x22220000, SET_PREDICATE(0)};
    batch_run(s, dw, sizeof dw / 4, true);
    softgt_engine_state_commands(s->device, 0, NULL, find_urb);
    assert_int_equal(kept_length, 2);
    assert_int_equal(kept_urb[1], 0x11110000);
    streamer_destroy(s);
}

/* ---- MI_PREDICATE ---- */

struct model {
    uint64_t src[2], data;
    bool result;
};

static void model_predicate(struct model *m, unsigned load, unsigned combine, unsigned compare)
{
    const uint64_t difference = m->src[0] - m->src[1];
    const bool outcomes[4] = {true, false, m->src[0] == m->src[1], difference == m->data};
    m->data = difference;
    if (load < 2) /* KEEP, and 1, which is reserved */
        return;
    const bool in = outcomes[compare];
    const bool combined[4] = {in, m->result && in, m->result || in, m->result ^ in};
    m->result = combined[combine] ^ (load == 3); /* LOADINV inverts what was combined */
}

static void predicate_by_reference(const char *device)
{
    struct streamer *s = streamer_create(device);
    uint64_t seed = 12;
    struct model m = {.data = 0};
    for (unsigned n = 0; n < 20000; n++) {
        const unsigned bits = (unsigned)random_next(&seed);
        const unsigned load = bits & 3u, combine = bits >> 2 & 3u, compare = bits >> 4 & 3u;
        if (bits >> 6 & 1u) {
            m.src[0] = random_value(&seed);
            m.src[1] = bits >> 7 & 1u ? m.src[0] : bits >> 8 & 1u ? m.src[0] - m.data : random_value(&seed);
        }
        const uint32_t dw[] = {
            (uint32_t)MI_LOAD_REGISTER_IMM | 7u,
            SRC0,
            (uint32_t)m.src[0],
            SRC0 + 4,
            (uint32_t)(m.src[0] >> 32),
            SRC1,
            (uint32_t)m.src[1],
            SRC1 + 4,
            (uint32_t)(m.src[1] >> 32),
            0x0cu << 23 | load << 6 | combine << 3 | compare,
        };
        batch_run(s, dw, sizeof dw / 4, true);
        model_predicate(&m, load, combine, compare);
        const uint64_t data = register_get(s, PREDICATE_DATA) | (uint64_t)register_get(s, PREDICATE_DATA + 4)
                                                                    << 32;
        if (register_get(s, RESULT) != m.result || data != m.data)
            fail_msg("%u: load %u, combine %u, compare %u of %016llx and %016llx: %u, %016llx", n, load,
                     combine, compare, (unsigned long long)m.src[0], (unsigned long long)m.src[1],
                     register_get(s, RESULT), (unsigned long long)data);
    }
    assert_int_equal(streamer_status(s).dropped, 0);
    streamer_destroy(s);
}

static void predicate_against_a_reference(void **state)
{
    static const char *const devices[] = {"bdw", "skl", "icl", "lkf", "tgl", "dg2"};
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        predicate_by_reference(devices[i]);
}

TEST_PROGRAM(predicate_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_listed_commands_are_skipped),
        cmocka_unit_test(every_condition),
        cmocka_unit_test(fewer_slices_enabled),
        cmocka_unit_test(skipped_state_stays),
        cmocka_unit_test(predicate_against_a_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
