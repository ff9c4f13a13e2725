/* Commands that move register values. (CSP-14, CSP-15, REN-32, REN-36) */
#include "engine/execution.h"

/* From Gen11 on a header bit makes a register the engine's own: what counts are the low twelve bits. (CSP-14)
 */
enum { CS_OFFSET = 1u << 19, CS_OFFSET_SOURCE = 1u << 18 };

static uint32_t own(const struct execution *x, uint32_t bit, uint32_t offset)
{
    return x->header & bit ? x->engine->info->mmio_base + (offset & 0xfffu) : offset;
}

/* clang-format off */
#define CS_OFFSET_FIELD {"Add CS MMIO Start Offset", 19, 19, FIELD_BOOL, NULL}

/* ---- MI_LOAD_REGISTER_IMM ---- */
enum { LRI_DISABLES };
static const struct field lri_fields[] = {[LRI_DISABLES] = {"Byte Write Disables", 8, 11, FIELD_HEX, NULL}};
static const struct field lri_fields_gen11[] = {[LRI_DISABLES] = {"Byte Write Disables", 8, 11, FIELD_HEX, NULL}, CS_OFFSET_FIELD};
static const struct field lri_group[] = {
    {"Register Offset", 2, 22, FIELD_OFFSET, NULL},
    {"Data DWord", 32, 63, FIELD_HEX, NULL},
};
/* clang-format on */

static enum outcome lri_execute(struct execution *x)
{
    const uint32_t enables = ~(x->header >> 8) & 0xfu;
    for (uint32_t i = 1; i + 1u < x->length_dw; i += 2)
        command_register_write(x, x->dw[i] & 0x7ffffcu, x->dw[i + 1u], enables);
    return DONE;
}

static enum outcome lri_execute_gen11(struct execution *x)
{
    const uint32_t enables = ~(x->header >> 8) & 0xfu;
    for (uint32_t i = 1; i + 1u < x->length_dw; i += 2)
        command_register_write(x, own(x, CS_OFFSET, x->dw[i] & 0x7ffffcu), x->dw[i + 1u], enables);
    return DONE;
}

/* ---- MI_STORE_REGISTER_MEM ---- */
enum { SRM_PREDICATE, SRM_GGTT, SRM_REGISTER, SRM_ADDRESS };
/* clang-format off */
static const struct field srm_fields_gen6[] = {
    [SRM_PREDICATE] = {"Reserved", 21, 21, FIELD_BOOL, NULL},
    [SRM_GGTT]      = {"Use Global GTT", 22, 22, FIELD_BOOL, NULL},
    [SRM_REGISTER]  = {"Register Address", 34, 54, FIELD_OFFSET, NULL},
    [SRM_ADDRESS]   = {"Memory Address", 66, 95, FIELD_ADDRESS, NULL},
};
static const struct field srm_fields_gen8[] = {
    [SRM_PREDICATE] = {"Predicate Enable", 21, 21, FIELD_BOOL, NULL},
    [SRM_GGTT]      = {"Use Global GTT", 22, 22, FIELD_BOOL, NULL},
    [SRM_REGISTER]  = {"Register Address", 34, 54, FIELD_OFFSET, NULL},
    [SRM_ADDRESS]   = {"Memory Address", 66, 127, FIELD_ADDRESS, NULL},
};
static const struct field srm_fields_gen11[] = {
    [SRM_PREDICATE] = {"Predicate Enable", 21, 21, FIELD_BOOL, NULL},
    [SRM_GGTT]      = {"Use Global GTT", 22, 22, FIELD_BOOL, NULL},
    [SRM_REGISTER]  = {"Register Address", 34, 54, FIELD_OFFSET, NULL},
    [SRM_ADDRESS]   = {"Memory Address", 66, 127, FIELD_ADDRESS, NULL},
    CS_OFFSET_FIELD,
};
/* clang-format on */

/* Without privilege the register is read all the same, the store is dropped (CSP-15). */
static enum outcome store_register(struct execution *x, uint32_t offset)
{
    struct engine *e = x->engine;
    const bool render = e->info->class == CLASS_RENDER;
    if (predicated_away(x, flag(x, SRM_PREDICATE) && render))
        return DONE;
    const uint32_t value = command_register_read(x, offset);
    if (flag(x, SRM_GGTT) && !x->privileged) {
        e->dropped++;
        command_not_done(x, SOFTGT_EVENT_DROPPED);
        complain_of(e->witness, SOFTGT_MISTAKE_DROPPED, e->info->name, e->command_address,
                    "MI_STORE_REGISTER_MEM to the GGTT from a non-privileged batch: not stored");
        engine_error(e, EIR_PRIVILEGE);
        return DONE;
    }
    store32(e, space_of(flag(x, SRM_GGTT)), get(x, SRM_ADDRESS), value);
    return DONE;
}

static enum outcome srm_execute(struct execution *x)
{
    return store_register(x, (uint32_t)get(x, SRM_REGISTER));
}

static enum outcome srm_execute_gen11(struct execution *x)
{
    return store_register(x, own(x, CS_OFFSET, (uint32_t)get(x, SRM_REGISTER)));
}

/* ---- MI_LOAD_REGISTER_MEM ---- */
enum { LRM_ASYNC, LRM_GGTT, LRM_REGISTER, LRM_ADDRESS };
/* clang-format off */
static const struct field lrm_fields[] = {
    [LRM_ASYNC]    = {"Async Mode Enable", 21, 21, FIELD_BOOL, NULL},
    [LRM_GGTT]     = {"Use Global GTT", 22, 22, FIELD_BOOL, NULL},
    [LRM_REGISTER] = {"Register Address", 34, 54, FIELD_OFFSET, NULL},
    [LRM_ADDRESS]  = {"Memory Address", 66, 127, FIELD_ADDRESS, NULL},
};
static const struct field lrm_fields_gen11[] = {
    [LRM_ASYNC]    = {"Async Mode Enable", 21, 21, FIELD_BOOL, NULL},
    [LRM_GGTT]     = {"Use Global GTT", 22, 22, FIELD_BOOL, NULL},
    [LRM_REGISTER] = {"Register Address", 34, 54, FIELD_OFFSET, NULL},
    [LRM_ADDRESS]  = {"Memory Address", 66, 127, FIELD_ADDRESS, NULL},
    CS_OFFSET_FIELD,
};
/* clang-format on */

static enum outcome load_register(struct execution *x, uint32_t offset)
{
    uint32_t value = 0;
    if (mmu_load(&x->engine->mmu, space_of(flag(x, LRM_GGTT)), get(x, LRM_ADDRESS), &value, 4))
        command_register_write(x, offset, value, 0xf);
    return DONE;
}

static enum outcome lrm_execute(struct execution *x)
{
    return load_register(x, (uint32_t)get(x, LRM_REGISTER));
}

static enum outcome lrm_execute_gen11(struct execution *x)
{
    return load_register(x, own(x, CS_OFFSET, (uint32_t)get(x, LRM_REGISTER)));
}

/* ---- MI_LOAD_REGISTER_REG ---- */
enum { LRR_SOURCE, LRR_DESTINATION };
/* clang-format off */
static const struct field lrr_fields[] = {
    [LRR_SOURCE]      = {"Source Register Address", 34, 54, FIELD_OFFSET, NULL},
    [LRR_DESTINATION] = {"Destination Register Address", 66, 86, FIELD_OFFSET, NULL},
};
static const struct field lrr_fields_gen11[] = {
    [LRR_SOURCE]      = {"Source Register Address", 34, 54, FIELD_OFFSET, NULL},
    [LRR_DESTINATION] = {"Destination Register Address", 66, 86, FIELD_OFFSET, NULL},
    {"Add CS MMIO Start Offset Source", 18, 18, FIELD_BOOL, NULL},
    {"Add CS MMIO Start Offset Destination", 19, 19, FIELD_BOOL, NULL},
};
/* clang-format on */

static enum outcome lrr_execute(struct execution *x)
{
    const uint32_t value = command_register_read(x, (uint32_t)get(x, LRR_SOURCE));
    command_register_write(x, (uint32_t)get(x, LRR_DESTINATION), value, 0xf);
    return DONE;
}

static enum outcome lrr_execute_gen11(struct execution *x)
{
    const uint32_t value = command_register_read(x, own(x, CS_OFFSET_SOURCE, (uint32_t)get(x, LRR_SOURCE)));
    command_register_write(x, own(x, CS_OFFSET, (uint32_t)get(x, LRR_DESTINATION)), value, 0xf);
    return DONE;
}

#define LRI_COMMON                                                                                           \
    .name = "MI_LOAD_REGISTER_IMM", .summary = "Loads registers with the values that follow, in pairs.",     \
    OPCODE_MI(0x22), .engines = ALL_ENGINES, .length_bits = 8, .length_bias = 2, .min_dwords = 3,            \
    .flags = COMMAND_PREDICATED, GROUP(lri_group, 1, 2), .spec = "CSP-06, CSP-15"
#define SRM_COMMON                                                                                           \
    .name = "MI_STORE_REGISTER_MEM", .summary = "Stores a register to memory.", OPCODE_MI(0x24),             \
    .engines = ALL_ENGINES, .length_bits = 8, .length_bias = 2
#define LRM_COMMON                                                                                           \
    .name = "MI_LOAD_REGISTER_MEM", .summary = "Loads a register from memory.", OPCODE_MI(0x29),             \
    .engines = ALL_ENGINES, .length_bits = 8, .length_bias = 2, .min_dwords = 4, .privileged_if = 1u << 22,  \
    .spec = "CSP-14, CSP-15"
#define LRR_COMMON                                                                                           \
    .name = "MI_LOAD_REGISTER_REG", .summary = "Copies one register to another.", OPCODE_MI(0x2a),           \
    .engines = ALL_ENGINES, .length_bits = 8, .length_bias = 2, .min_dwords = 3, .spec = "CSP-14, CSP-15"

/* clang-format off */
static const struct command rows[] = {
    {LRI_COMMON, .since = GEN7, .until = GEN9, FIELDS(lri_fields), .execute = lri_execute},
    {LRI_COMMON, .since = GEN11, FIELDS(lri_fields_gen11), .execute = lri_execute_gen11},
    {SRM_COMMON, .since = GEN6, .until = GEN6, .min_dwords = 3, .flags = COMMAND_PRIVILEGED, FIELDS(srm_fields_gen6), .execute = srm_execute, .spec = "REN-36"},
    {SRM_COMMON, .since = GEN7, .until = GEN75, .min_dwords = 3, FIELDS(srm_fields_gen6), .execute = srm_execute, .spec = "REN-36"},
    {SRM_COMMON, .since = GEN8, .until = GEN9, .min_dwords = 4, FIELDS(srm_fields_gen8), .execute = srm_execute, .spec = "CSP-14, CSP-15"},
    {SRM_COMMON, .since = GEN11, .min_dwords = 4, FIELDS(srm_fields_gen11), .execute = srm_execute_gen11, .spec = "CSP-14, CSP-15"},
    {LRM_COMMON, .since = GEN8, .until = GEN9, FIELDS(lrm_fields), .execute = lrm_execute},
    {LRM_COMMON, .since = GEN11, FIELDS(lrm_fields_gen11), .execute = lrm_execute_gen11},
    {LRR_COMMON, .since = GEN8, .until = GEN9, FIELDS(lrr_fields), .execute = lrr_execute},
    {LRR_COMMON, .since = GEN11, FIELDS(lrr_fields_gen11), .execute = lrr_execute_gen11},
};
/* clang-format on */

const struct command_table mi_register_commands = COMMAND_TABLE(rows);
