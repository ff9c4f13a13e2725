/* Predication: MI_PREDICATE computes a bit, MI_SET_PREDICATE makes commands depend on one. (CSP-11, CSP-12,
 * REN-20) */
#include "mi/mi.h"
#include "engine/execution.h"

enum { PREDICATE_COMPARE_OPERATION = 1, PREDICATE_COMBINE_OPERATION, PREDICATE_LOAD_OPERATION };
static const struct field_value compares[] = {
    {"TRUE", 0}, {"FALSE", 1}, {"SRCS_EQUAL", 2}, {"DELTAS_EQUAL", 3}, {NULL, 0}};
static const struct field_value combines[] = {{"SET", 0}, {"AND", 1}, {"OR", 2}, {"XOR", 3}, {NULL, 0}};
enum { KEEP, LOAD = 2, LOADINV };
static const struct field_value loads[] = {{"KEEP", KEEP}, {"LOAD", LOAD}, {"LOADINV", LOADINV}, {NULL, 0}};
static const struct field predicate_fields[] = {
    {"Compare Operation", 0, 1, FIELD_UINT, compares, ROLE(PREDICATE_COMPARE_OPERATION)},
    {"Combine Operation", 3, 4, FIELD_UINT, combines, ROLE(PREDICATE_COMBINE_OPERATION)},
    {"Load Operation", 6, 7, FIELD_UINT, loads, ROLE(PREDICATE_LOAD_OPERATION)},
};

enum { SET_PREDICATE_ENABLE = 1 };
#define COMMON_ENABLES                                                                                       \
    {"NOOP Never", 0}, {"NOOP on Result2 clear", 1}, {"NOOP on Result2 set", 2},                             \
        {"NOOP on Result clear", 3},                                                                         \
    {                                                                                                        \
        "NOOP on Result set", 4                                                                              \
    }
static const struct field_value enables[] = {
    COMMON_ENABLES,
    {"Execute when one slice enabled", 5},
    {"Execute when two slices are enabled", 6},
    {"Execute when three slices are enabled", 7},
    {"NOOP Always", 15},
    {NULL, 0},
};
static const struct field_value enables_gen75[] = {
    {"NOOP Never", 0}, {"NOOP on Result2 clear", 1}, {"NOOP on Result2 set", 2}, {"NOOP Always", 3},
    {NULL, 0},
};
static const struct field_value enables_gen11[] = {
    COMMON_ENABLES, {"NOOP in RenderCS", 11}, {"NOOP in PositionCS", 12}, {"NOOP Always", 15}, {NULL, 0},
};
static const struct field_value enables_gen125[] = {COMMON_ENABLES, {"NOOP Always", 15}, {NULL, 0}};
static const struct field_value partitions[] = {
    {"NOOP Never", 0}, {"NOOP on Non-Zero Value", 1}, {"NOOP on Zero Value", 2}, {NULL, 0}};
static const struct field set_fields[] = {
    {"PREDICATE ENABLE", 0, 1, FIELD_UINT, enables_gen75, ROLE(SET_PREDICATE_ENABLE), .until = GEN75},
    {"PREDICATE ENABLE", 0, 3, FIELD_UINT, enables, ROLE(SET_PREDICATE_ENABLE), .since = GEN8, .until = GEN9},
    {"PREDICATE ENABLE", 0, 3, FIELD_UINT, enables_gen11, ROLE(SET_PREDICATE_ENABLE), .since = GEN11,
     .until = GEN12},
    {"PREDICATE ENABLE", 0, 3, FIELD_UINT, enables_gen125, ROLE(SET_PREDICATE_ENABLE), .since = GEN125},
    {"PREDICATE ENABLE WPARID", 4, 5, FIELD_UINT, partitions, .since = GEN125},
};

/* Compare, then combine with the predicate, then load: LOADINV inverts what was combined. (CSP-12) */
static enum outcome predicate_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const uint64_t delta = engine_register64(e, MI_PREDICATE_SRC0) - engine_register64(e, MI_PREDICATE_SRC1);
    bool compared = false;
    switch (header_field(x, PREDICATE_COMPARE_OPERATION)) {
    case 0:
        compared = true;
        break;
    case 1:
        break;
    case 2:
        compared = delta == 0;
        break;
    default: /* the same difference as last time */
        compared = delta == engine_register64(e, MI_PREDICATE_DATA);
        break;
    }
    engine_register64_set(e, MI_PREDICATE_DATA, delta);
    const uint32_t how = header_field(x, PREDICATE_LOAD_OPERATION);
    if (how < LOAD)
        return OUTCOME_DONE;
    const bool old = engine_register(e, MI_PREDICATE_RESULT) & 1u;
    bool combined = compared;
    switch (header_field(x, PREDICATE_COMBINE_OPERATION)) {
    case 1:
        combined = old && compared;
        break;
    case 2:
        combined = old || compared;
        break;
    case 3:
        combined = old != compared;
        break;
    default:
        break;
    }
    engine_register_set(e, MI_PREDICATE_RESULT, how == LOADINV ? !combined : combined);
    return OUTCOME_DONE;
}

/* MI_MODE holds the condition, so contexts save it; each command evaluates it. A value that the generation
 * does not define means no condition. */
static enum outcome set_execute(struct execution *x)
{
    const uint32_t enable = header_field(x, SET_PREDICATE_ENABLE);
    const struct field_value *v = x->command->by_role[SET_PREDICATE_ENABLE].values;
    while (v->name && v->value != enable)
        v++;
    engine_predicate(x->engine, v->name ? enable : 0);
    return OUTCOME_DONE;
}

static enum outcome set_execute_gen75(struct execution *x)
{
    enum { ALWAYS = 3, ALWAYS_SINCE_GEN8 = 15 };
    const uint32_t enable = header_field(x, SET_PREDICATE_ENABLE);
    engine_predicate(x->engine, enable == ALWAYS ? ALWAYS_SINCE_GEN8 : enable);
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "MI_PREDICATE",
     .summary = "Compares the source registers and sets the predicate.",
     OPCODE_MI(0x0c),
     .engines = RENDER,
     .since = GEN7,
     .min_dwords = 1,
     FIELDS(predicate_fields),
     .execute = predicate_execute,
     .spec = "CSP-12"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-12, DG2 PRM vol 2a"},
    {.name = "MI_SET_PREDICATE",
     .summary = "Makes the commands that follow depend on a predicate.",
     OPCODE_MI(0x01),
     .engines = RENDER,
     .since = GEN75,
     .min_dwords = 1,
     .flags = COMMAND_PREDICATES,
     FIELDS(set_fields),
     .execute = set_execute_gen75,
     .spec = "CSP-11; HSW PRM vol 2b"},
    {.since = GEN8, .execute = set_execute, .spec = "CSP-11"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-11, DG2 PRM vol 2a"},
};

const struct command_table mi_predicate_commands = COMMAND_TABLE(rows);
