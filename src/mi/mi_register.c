/* Commands that move register values. (CSP-14, CSP-15, REN-32, REN-36) */
#include "mi/mi.h"
#include "base/inline.h"
#include "engine/execution.h"

/* From Gen11 on a header bit makes the offset relative to the engine's base: its low twelve bits count.
 * (CSP-14) From Gen12.5 on another bit maps a render engine register to the same one of this engine; other
 * registers are not remapped. (DG2 PRM vol 2a, "MMIO Remap Enable") */
static uint32_t own_if(const struct execution *x, bool is_own, bool remapped, uint32_t offset)
{
    enum { RENDER_FIRST = 0x2000, RENDER_BYTES = 0x800 };
    if (remapped && offset - RENDER_FIRST < RENDER_BYTES)
        return x->engine->info->mmio_base + (offset - RENDER_FIRST);
    return is_own ? x->engine->info->mmio_base + (offset & 0xfffu) : offset;
}

static uint32_t own(const struct execution *x, unsigned role, unsigned remap, uint32_t offset)
{
    return own_if(x, command_flag(x, role), command_flag(x, remap), offset);
}

/* ---- MI_LOAD_REGISTER_IMM ---- */
enum { LRI_BYTE_WRITE_DISABLES = 1, LRI_ADD_CS_MMIO_START_OFFSET, LRI_MMIO_REMAP_ENABLE };
static const struct field lri_fields[] = {
    {"Byte Write Disables", 8, 11, FIELD_HEX, ROLE(LRI_BYTE_WRITE_DISABLES)},
    {"Add CS MMIO Start Offset", 19, 19, FIELD_BOOL, ROLE(LRI_ADD_CS_MMIO_START_OFFSET), .since = GEN11},
    {"MMIO Remap Enable", 17, 17, FIELD_BOOL, ROLE(LRI_MMIO_REMAP_ENABLE), .since = GEN125},
};
static const struct field lri_group[] = {
    {"Register Offset", 2, 22, FIELD_OFFSET, NULL},
    {"Data DWord", 32, 63, FIELD_HEX, NULL},
};
static NOINLINE enum outcome load_pairs(struct execution *x)
{
    const uint32_t enables = ~header_field(x, LRI_BYTE_WRITE_DISABLES) & 0xfu;
    const bool is_own = command_flag(x, LRI_ADD_CS_MMIO_START_OFFSET),
               remapped = command_flag(x, LRI_MMIO_REMAP_ENABLE);
    const uint32_t base = is_own ? x->engine->info->mmio_base : 0, mask = is_own ? 0xffcu : 0x7ffffcu;
    for (uint32_t i = 1u + command_done_dw(x); i + 1u < x->length_dw; i += 2) {
        if (enables == 0xf && !remapped &&
            (i = command_registers_write_plain(x, i, base, mask)) + 1u >= x->length_dw)
            break;
        command_register_write(x, own_if(x, is_own, remapped, x->dw[i] & 0x7ffffcu), x->dw[i + 1u], enables);
        if (command_ends_slice(x, i + 1u))
            return x->progress ? OUTCOME_RESUME : OUTCOME_DONE;
    }
    return OUTCOME_DONE;
}

/* The fast path: one pair without options. */
static enum outcome lri_execute(struct execution *x)
{
    enum { OPTIONS = 0x000fff00 };
    if (x->length_dw != 3 || x->header & OPTIONS)
        return load_pairs(x);
    command_register_write(x, x->dw[1] & 0x7ffffcu, x->dw[2], 0xf);
    return OUTCOME_DONE;
}

/* ---- MI_STORE_REGISTER_MEM ---- */
enum {
    SRM_PREDICATE_ENABLE = 1,
    SRM_USE_GLOBAL_GTT,
    SRM_REGISTER_ADDRESS,
    SRM_MEMORY_ADDRESS,
    SRM_ADD_CS_MMIO_START_OFFSET,
    SRM_MMIO_REMAP_ENABLE
};
static const struct field srm_fields[] = {
    {"Reserved", 21, 21, FIELD_BOOL, .until = GEN7},
    {"Predicate Enable", 21, 21, FIELD_BOOL, ROLE(SRM_PREDICATE_ENABLE), .since = GEN75},
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(SRM_USE_GLOBAL_GTT)},
    {"Register Address", 34, 57, FIELD_OFFSET, ROLE(SRM_REGISTER_ADDRESS), .until = GEN6},
    {"Register Address", 34, 54, FIELD_OFFSET, ROLE(SRM_REGISTER_ADDRESS), .since = GEN7},
    {"Memory Address", 66, 95, FIELD_ADDRESS, ROLE(SRM_MEMORY_ADDRESS), .until = GEN75},
    {"Memory Address", 66, 127, FIELD_ADDRESS, ROLE(SRM_MEMORY_ADDRESS), .since = GEN8},
    {"Add CS MMIO Start Offset", 19, 19, FIELD_BOOL, ROLE(SRM_ADD_CS_MMIO_START_OFFSET), .since = GEN11},
    {"Workload Partition ID Offset Enable", 16, 16, FIELD_BOOL, .since = GEN125},
    {"MMIO Remap Enable", 17, 17, FIELD_BOOL, ROLE(SRM_MMIO_REMAP_ENABLE), .since = GEN125},
};
/* Without privilege the register is read, but the store is dropped (CSP-15). */
static enum outcome srm_execute(struct execution *x)
{
    struct engine *e = x->engine;
    if (command_is_predicated_away(x, command_flag(x, SRM_PREDICATE_ENABLE) && engine_has_threads(e)))
        return OUTCOME_DONE;
    const uint32_t value =
        command_register_read(x, own(x, SRM_ADD_CS_MMIO_START_OFFSET, SRM_MMIO_REMAP_ENABLE,
                                     (uint32_t)command_field(x, SRM_REGISTER_ADDRESS)));
    if (command_flag(x, SRM_USE_GLOBAL_GTT) && !x->privileged) {
        e->totals.dropped++;
        command_not_done(x, SOFTGT_EVENT_DROPPED);
        report_guest_error(e->log, SOFTGT_MISTAKE_DROPPED, e->info->name, e->parse.command_address,
                           "MI_STORE_REGISTER_MEM to the GGTT from a non-privileged batch: not stored");
        engine_error(e, EIR_PRIVILEGE);
        return OUTCOME_DONE;
    }
    engine_store32(e, space_of_global_gtt_flag(command_flag(x, SRM_USE_GLOBAL_GTT)),
                   command_field(x, SRM_MEMORY_ADDRESS), value);
    return OUTCOME_DONE;
}

/* ---- MI_LOAD_REGISTER_MEM ---- */
enum {
    LRM_ASYNC_MODE_ENABLE = 1,
    LRM_USE_GLOBAL_GTT,
    LRM_REGISTER_ADDRESS,
    LRM_MEMORY_ADDRESS,
    LRM_ADD_CS_MMIO_START_OFFSET,
    LRM_MMIO_REMAP_ENABLE
};
static const struct field lrm_fields[] = {
    {"Async Mode Enable", 21, 21, FIELD_BOOL, ROLE(LRM_ASYNC_MODE_ENABLE)},
    {"Use Global GTT", 22, 22, FIELD_BOOL, ROLE(LRM_USE_GLOBAL_GTT)},
    {"Register Address", 34, 54, FIELD_OFFSET, ROLE(LRM_REGISTER_ADDRESS)},
    {"Memory Address", 66, 95, FIELD_ADDRESS, ROLE(LRM_MEMORY_ADDRESS), .until = GEN75},
    {"Memory Address", 66, 127, FIELD_ADDRESS, ROLE(LRM_MEMORY_ADDRESS), .since = GEN8},
    {"Add CS MMIO Start Offset", 19, 19, FIELD_BOOL, ROLE(LRM_ADD_CS_MMIO_START_OFFSET), .since = GEN11},
    {"Virtual Engine ID Offset Enable", 16, 16, FIELD_BOOL, .since = GEN125},
    {"MMIO Remap Enable", 17, 17, FIELD_BOOL, ROLE(LRM_MMIO_REMAP_ENABLE), .since = GEN125},
};
/* A load of a privileged register is a MI_NOOP: memory is not read. (CSP-15) */
static enum outcome lrm_execute(struct execution *x)
{
    const uint32_t offset = own(x, LRM_ADD_CS_MMIO_START_OFFSET, LRM_MMIO_REMAP_ENABLE,
                                (uint32_t)command_field(x, LRM_REGISTER_ADDRESS));
    uint32_t value = 0;
    if (!command_register_direct(x, offset) && !command_register_allowed(x, offset))
        return command_register_denied(x, offset);
    if (engine_load_into(x->engine, space_of_global_gtt_flag(command_flag(x, LRM_USE_GLOBAL_GTT)),
                         command_field(x, LRM_MEMORY_ADDRESS), &value, 4))
        command_register_write(x, offset, value, 0xf);
    return OUTCOME_DONE;
}

/* ---- MI_LOAD_REGISTER_REG ---- */
enum {
    LRR_SOURCE_REGISTER_ADDRESS = 1,
    LRR_DESTINATION_REGISTER_ADDRESS,
    LRR_ADD_CS_MMIO_START_OFFSET_SOURCE,
    LRR_ADD_CS_MMIO_START_OFFSET_DESTINATION,
    LRR_MMIO_REMAP_ENABLE_SOURCE,
    LRR_MMIO_REMAP_ENABLE_DESTINATION
};
static const struct field lrr_fields[] = {
    {"Source Register Address", 34, 54, FIELD_OFFSET, ROLE(LRR_SOURCE_REGISTER_ADDRESS)},
    {"Destination Register Address", 66, 86, FIELD_OFFSET, ROLE(LRR_DESTINATION_REGISTER_ADDRESS)},
    {"Add CS MMIO Start Offset Source", 18, 18, FIELD_BOOL, ROLE(LRR_ADD_CS_MMIO_START_OFFSET_SOURCE),
     .since = GEN11},
    {"Add CS MMIO Start Offset Destination", 19, 19, FIELD_BOOL,
     ROLE(LRR_ADD_CS_MMIO_START_OFFSET_DESTINATION), .since = GEN11},
    {"MMIO Remap Enable Source", 16, 16, FIELD_BOOL, ROLE(LRR_MMIO_REMAP_ENABLE_SOURCE), .since = GEN125},
    {"MMIO Remap Enable Destination", 17, 17, FIELD_BOOL, ROLE(LRR_MMIO_REMAP_ENABLE_DESTINATION),
     .since = GEN125},
};
static enum outcome lrr_execute(struct execution *x)
{
    const uint32_t value =
        command_register_read(x, own(x, LRR_ADD_CS_MMIO_START_OFFSET_SOURCE, LRR_MMIO_REMAP_ENABLE_SOURCE,
                                     (uint32_t)command_field(x, LRR_SOURCE_REGISTER_ADDRESS)));
    command_register_write(x,
                           own(x, LRR_ADD_CS_MMIO_START_OFFSET_DESTINATION, LRR_MMIO_REMAP_ENABLE_DESTINATION,
                               (uint32_t)command_field(x, LRR_DESTINATION_REGISTER_ADDRESS)),
                           value, 0xf);
    return OUTCOME_DONE;
}

static const struct command rows[] = {
    {.name = "MI_LOAD_REGISTER_IMM",
     .summary = "Loads registers with the values that follow, in pairs.",
     OPCODE_MI(0x22),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_PREDICATED,
     FIELDS(lri_fields),
     GROUP(lri_group, 1, 2),
     .execute = lri_execute,
     .spec = "CSP-06, CSP-15"},
    {.name = "MI_STORE_REGISTER_MEM",
     .summary = "Stores a register to memory.",
     OPCODE_MI(0x24),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .until = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_PRIVILEGED,
     FIELDS(srm_fields),
     .execute = srm_execute,
     .spec = "REN-36"},
    {.name = "MI_STORE_REGISTER_MEM",
     .summary = "Stores a register to memory.",
     OPCODE_MI(0x24),
     .engines = ALL_ENGINES,
     .since = GEN7,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(srm_fields),
     .execute = srm_execute,
     .spec = "REN-36"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-14, CSP-15"},
    {.name = "MI_LOAD_REGISTER_MEM",
     .summary = "Loads a register from memory.",
     OPCODE_MI(0x29),
     .engines = ALL_ENGINES,
     .since = GEN7,
     .until = GEN75,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .privileged_if = 1u << 22,
     FIELDS(lrm_fields),
     .execute = lrm_execute,
     .spec = "CSP-14; IVB PRM vol 1 part 3, 1.2.24"},
    {.since = GEN75, .until = GEN75, .flags = COMMAND_PRIVILEGED, .spec = "CSP-14; HSW PRM vol 6"},
    {.name = "MI_LOAD_REGISTER_MEM",
     .summary = "Loads a register from memory.",
     OPCODE_MI(0x29),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 4,
     .privileged_if = 1u << 22,
     FIELDS(lrm_fields),
     .execute = lrm_execute,
     .spec = "CSP-14, CSP-15"},
    {.name = "MI_LOAD_REGISTER_REG",
     .summary = "Copies one register to another.",
     OPCODE_MI(0x2a),
     .engines = ALL_ENGINES,
     .since = GEN75,
     .until = GEN75,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     .flags = COMMAND_PRIVILEGED,
     FIELDS(lrr_fields),
     .execute = lrr_execute,
     .spec = "CSP-14; HSW PRM vol 6"},
    {.name = "MI_LOAD_REGISTER_REG",
     .summary = "Copies one register to another.",
     OPCODE_MI(0x2a),
     .engines = ALL_ENGINES,
     .since = GEN8,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(lrr_fields),
     .execute = lrr_execute,
     .spec = "CSP-14, CSP-15"},
};

const struct command_table mi_register_commands = COMMAND_TABLE(rows);
