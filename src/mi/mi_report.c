/* MI_REPORT_PERF_COUNT, MI_SET_CONTEXT, and small commands of the render streamer. (CSP-06, REN-25, REN-32)
 */
#include "mi/mi.h"
#include "engine/execution.h"
#include "oa/oa.h"

enum { RPC_USE_GLOBAL_GTT = 1, RPC_MEMORY_ADDRESS, RPC_REPORT_ID };
static const struct field rpc_fields[] = {
    {"Use Global GTT", 32, 32, FIELD_BOOL, ROLE(RPC_USE_GLOBAL_GTT)},
    {"Memory Address", 38, 63, FIELD_ADDRESS, ROLE(RPC_MEMORY_ADDRESS), .until = GEN75},
    {"Memory Address", 38, 95, FIELD_ADDRESS, ROLE(RPC_MEMORY_ADDRESS), .since = GEN8},
    {"Report ID", 64, 95, FIELD_HEX, ROLE(RPC_REPORT_ID), .until = GEN75},
    {"Report ID", 96, 127, FIELD_HEX, ROLE(RPC_REPORT_ID), .since = GEN8},
    {"Core Mode Enable", 36, 36, FIELD_BOOL, NULL, .since = GEN8},
};
enum { SET_CONTEXT_RESTORE_INHIBIT = 1, SET_CONTEXT_FORCE_RESTORE, SET_CONTEXT_LOGICAL_CONTEXT_ADDRESS };
static const struct field set_context_fields[] = {
    {"Restore Inhibit", 32, 32, FIELD_BOOL, ROLE(SET_CONTEXT_RESTORE_INHIBIT)},
    {"Force Restore", 33, 33, FIELD_BOOL, ROLE(SET_CONTEXT_FORCE_RESTORE)},
    {"Logical Context Address", 44, 63, FIELD_ADDRESS, ROLE(SET_CONTEXT_LOGICAL_CONTEXT_ADDRESS)},
    {"Resource Streamer State Restore Enable", 34, 34, FIELD_BOOL, NULL},
    {"Resource Streamer State Save Enable", 35, 35, FIELD_BOOL, NULL},
    {"Core Mode Enable", 36, 36, FIELD_BOOL, NULL},
    {"Reserved, Must be 1", 40, 40, FIELD_BOOL, NULL},
};
static const struct field topology_fields[] = {{"Topology Filter Value", 0, 5, FIELD_UINT, NULL}};
static const struct field urb_alloc_fields[] = {
    {"URB Atomic Storage Size", 0, 8, FIELD_UINT, NULL},
    {"URB Atomic Storage Offset", 12, 19, FIELD_UINT, NULL},
};
static const struct field urb_mem_fields[] = {
    {"URB Address", 34, 46, FIELD_UINT, NULL},
    {"Memory Address", 70, 95, FIELD_ADDRESS, NULL, .until = GEN75},
    {"Memory Address", 70, 127, FIELD_ADDRESS, NULL, .since = GEN8},
};
static const struct field urb_clear_fields[] = {
    {"URB Address", 32, 46, FIELD_UINT, NULL},
    {"URB Clear Length", 48, 61, FIELD_UINT, NULL},
};
static const struct field rs_control_fields[] = {{"Resource Streamer Control", 0, 0, FIELD_BOOL, NULL}};
static const struct field rs_context_fields[] = {{"Resource Streamer Save", 0, 0, FIELD_BOOL, NULL}};
static const struct field rs_store_fields[] = {
    {"Core Mode Enable", 64, 64, FIELD_BOOL, NULL, .until = GEN75},
    {"Destination Address", 66, 95, FIELD_ADDRESS, NULL, .until = GEN75},
    {"Core Mode Enable", 32, 32, FIELD_BOOL, NULL, .since = GEN8},
    {"Destination Address", 34, 95, FIELD_ADDRESS, NULL, .since = GEN8},
    {"Data DWord 0", 96, 127, FIELD_HEX, NULL},
};

static enum outcome perf_count_execute(struct execution *x)
{
    struct engine *e = x->engine;
    bool ggtt = command_field(x, RPC_USE_GLOBAL_GTT);
    if (ggtt && !x->privileged && e->info->privileges.ggtt_falls_back) {
        command_fall_back(x);
        ggtt = false;
    }
    /* Of a virtual function's context the PPGTT alone is reported to. (SYS-04) */
    if (ggtt && (!x->privileged || e->mmu.function))
        return command_dropped(x);
    oa_command_report(e->listener.oa, e, space_of_global_gtt_flag(ggtt), command_field(x, RPC_MEMORY_ADDRESS),
                      (uint32_t)command_field(x, RPC_REPORT_ID));
    return OUTCOME_DONE;
}

static enum outcome report_head_execute(struct execution *x)
{
    struct engine *e = x->engine;
    engine_store32(e, SPACE_GGTT, head_report_address(e), ring_head(e));
    return OUTCOME_DONE;
}

/* Returns true if a context was restored. */
static bool set_context(struct execution *x)
{
    struct engine *e = x->engine;
    const bool force = command_field(x, SET_CONTEXT_FORCE_RESTORE),
               inhibit = command_field(x, SET_CONTEXT_RESTORE_INHIBIT);
    if (force && inhibit)
        report_error(e->log, SOFTGT_GUEST_ERROR, e->info->name, e->parse.command_address,
                     "MI_SET_CONTEXT: Force Restore and Restore Inhibit exclude each other: not restored");
    return context_set(e, (uint32_t)command_field(x, SET_CONTEXT_LOGICAL_CONTEXT_ADDRESS), force, inhibit);
}

/* The duration of a context switch. */
enum { SWITCH_NS = 1000, GEN8_SWITCH_NS = 6000 };

/* With execlists MI_SET_CONTEXT has no effect. */
static enum outcome set_context_execute(struct execution *x)
{
    if (engine_execlists_enabled(x->engine))
        return OUTCOME_DONE;
    set_context(x);
    x->engine->log->cost.ns += GEN8_SWITCH_NS;
    return OUTCOME_DONE;
}

/* The restored context's surfaces are probed; the command waits while one of them is not present. (REN-03) */
static enum outcome set_context_execute_gen6(struct execution *x)
{
    struct engine *e = x->engine;
    const bool probes = x->progress || e->wait.reason == WAIT_PROBE || set_context(x);
    const enum outcome outcome = probes ? probe_context(x) : OUTCOME_DONE;
    e->log->cost.ns += SWITCH_NS;
    return outcome;
}

/* Commands of the resource streamer and for the URB, some with a length. */
#define RS_COMMAND(opcode)                                                                                   \
    OPCODE_MI(opcode), .engines = RENDER, .since = GEN75, .min_dwords = 1, .flags = COMMAND_STATE,           \
                       .spec = "CSP-06"
#define URB_WORK(opcode, dw)                                                                                 \
    OPCODE_MI(opcode), .engines = RENDER, .length_bits = 8, .length_bias = 2, .min_dwords = (dw),            \
                       .flags = COMMAND_WORK, .spec = "CSP-06"
#define RS_WORK(opcode) URB_WORK(opcode, 4), .since = GEN75

static const struct command rows[] = {
    {.name = "MI_REPORT_HEAD",
     .summary = "Stores the ring head in the status page.",
     OPCODE_MI(0x07),
     .engines = ALL_ENGINES,
     .since = GEN6,
     .min_dwords = 1,
     .execute = report_head_execute,
     .spec = "CSP-06, REN-32"},
    {.name = "MI_REPORT_PERF_COUNT",
     .summary = "Stores a report of the performance counters.",
     OPCODE_MI(0x28),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 6,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(rpc_fields),
     .execute = perf_count_execute,
     .spec = "REN-25"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-15"},
    {.since = GEN125, .engines = RENDER | COMPUTE, .spec = "CSP-15, DG2 PRM vol 2a"},
    {.name = "MI_SET_CONTEXT",
     .summary = "Switches the context in ring mode.",
     OPCODE_MI(0x18),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     FIELDS(set_context_fields),
     .execute = set_context_execute_gen6,
     .spec = "REN-34"},
    {.since = GEN7, .flags = COMMAND_PRIVILEGED, .execute = set_context_execute, .spec = "CSP-06, CSP-15"},
    {.name = "MI_TOPOLOGY_FILTER",
     .summary = "Lets only one topology be drawn.",
     OPCODE_MI(0x0d),
     .engines = RENDER,
     .since = GEN7,
     .min_dwords = 1,
     .flags = COMMAND_STATE,
     FIELDS(topology_fields),
     .spec = "CSP-06"},
    {.name = "MI_URB_CLEAR",
     .summary = "Clears a part of the URB.",
     OPCODE_MI(0x19),
     .engines = RENDER,
     .since = GEN6,
     .until = GEN75,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 2,
     .flags = COMMAND_WORK,
     FIELDS(urb_clear_fields),
     .spec = "CSP-06; IVB PRM vol 1 part 3, 1.2.25"},
    {.name = "MI_RS_CONTROL",
     .summary = "Starts or stops the resource streamer.",
     RS_COMMAND(0x06),
     .until = GEN11,
     FIELDS(rs_control_fields)},
    {.name = "MI_RS_CONTEXT",
     .summary = "Saves or restores the resource streamer.",
     RS_COMMAND(0x0f),
     .until = GEN11,
     FIELDS(rs_context_fields)},
    {.name = "MI_RS_STORE_DATA_IMM",
     .summary = "Stores an immediate from the resource streamer.",
     RS_WORK(0x2b),
     .until = GEN11,
     FIELDS(rs_store_fields)},
    {.name = "MI_URB_ATOMIC_ALLOC",
     .summary = "Sets aside URB space for atomics.",
     RS_COMMAND(0x09),
     .until = GEN9,
     FIELDS(urb_alloc_fields)},
    {.name = "MI_LOAD_URB_MEM",
     .summary = "Loads the URB from memory.",
     URB_WORK(0x2c, 3),
     .since = GEN75,
     .until = GEN75,
     FIELDS(urb_mem_fields)},
    {.name = "MI_LOAD_URB_MEM",
     .summary = "Loads the URB from memory.",
     URB_WORK(0x2c, 4),
     .since = GEN8,
     .until = GEN9,
     FIELDS(urb_mem_fields)},
    {.name = "MI_STORE_URB_MEM",
     .summary = "Stores the URB to memory.",
     URB_WORK(0x2d, 3),
     .since = GEN75,
     .until = GEN75,
     FIELDS(urb_mem_fields)},
    {.name = "MI_STORE_URB_MEM",
     .summary = "Stores the URB to memory.",
     URB_WORK(0x2d, 4),
     .since = GEN8,
     .until = GEN9,
     FIELDS(urb_mem_fields)},
};

const struct command_table mi_report_commands = COMMAND_TABLE(rows);
