/* PIPE_CONTROL and MI_FLUSH_DW. Nothing is in flight in the model, so only what follows the flush is done:
 * post-sync operation, notification, invalidations. (CSP-14, CSP-24) */
#include "mi/mi.h"
#include "structures/values.h"
#include "engine/execution.h"
#include "engine/statistics.h"

enum post_sync { NO_WRITE, WRITE_IMMEDIATE, WRITE_DEPTH_COUNT, WRITE_TIMESTAMP, WRITE_IMMEDIATE_DWORD };

static void store_of(struct engine *e, uint64_t operation, enum space space, uint64_t address,
                     uint64_t immediate)
{
    switch (operation) {
    case WRITE_IMMEDIATE_DWORD:
        engine_store32(e, space, address, (uint32_t)immediate);
        break;
    case WRITE_IMMEDIATE:
        engine_store64(e, space, address, immediate);
        break;
    case WRITE_DEPTH_COUNT: /* nothing passes a depth test: what software wrote */
        engine_store64(e, space, address, engine_register64(e, PS_DEPTH_COUNT));
        break;
    case WRITE_TIMESTAMP:
        engine_store64(e, space, address, engine_timestamp(e, e->log->now_ns));
        break;
    default:
        break;
    }
}

/* A post-sync operation to the GGTT from a non-privileged batch: Gen6 writes to the PPGTT. Returns true if
 * done.
 */
static bool not_privileged(struct execution *x)
{
    struct engine *e = x->engine;
    if (e->info->privileges.ggtt_falls_back) {
        engine_error(e, EIR_MEMORY_PRIVILEGE);
        return true;
    }
    e->totals.dropped++;
    command_not_done(x, SOFTGT_EVENT_DROPPED);
    report_guest_error(e->log, SOFTGT_MISTAKE_DROPPED, e->info->name, e->parse.command_address,
                       "%s: post-sync operation is privileged, not done in a non-privileged batch",
                       x->command->name);
    engine_error(e, EIR_PRIVILEGE);
    return false;
}

/* To an offset in the status page (Store Data Index), to the GGTT or to the PPGTT. */
static inline void post_sync(struct execution *x, uint64_t operation, bool index, bool ggtt, uint64_t address,
                             uint64_t immediate)
{
    struct engine *e = x->engine;
    const bool own = index && ggtt && x->command->flags & COMMAND_INDEX_BY_TYPE;
    if (__builtin_expect(!x->privileged, 0) && (index || ggtt) && !not_privileged(x))
        return;
    if (own && e->mmu.function) {
        command_dropped(x);
    } else if (index) {
        if (own || command_has_status_page(x))
            store_of(e, operation, SPACE_GGTT,
                     (own ? hardware_status_page(e) : store_index_status_page(e)) + (address & 0xff8u),
                     immediate);
    } else {
        store_of(e, operation, space_of_global_gtt_flag(ggtt && x->privileged), address & ~UINT64_C(7),
                 immediate);
    }
}

/* After the store: a store that faulted hangs the engine and raises no interrupt. (REN-14) */
static enum outcome notify(struct execution *x, bool wanted)
{
    if (wanted && !engine_faulted(x->engine))
        engine_interrupt(x->engine, INTERRUPT_FLUSH_NOTIFY);
    return OUTCOME_DONE;
}

/* ---- PIPE_CONTROL ---- */
enum {
    PC_POST_SYNC_OPERATION = 1,
    PC_NOTIFY_ENABLE,
    PC_TLB_INVALIDATE,
    PC_STORE_DATA_INDEX,
    PC_LRI_POST_SYNC_OPERATION,
    PC_DESTINATION_ADDRESS_TYPE,
    PC_ADDRESS,
    PC_IMMEDIATE_DATA,
    PC_COMMAND_STREAMER_STALL_ENABLE,
    PC_INDIRECT_STATE_POINTERS_DISABLE,
    PC_GENERIC_MEDIA_STATE_CLEAR
};
static const struct field_value operations[] = {
    {"No Write", 0}, {"Write Immediate Data", 1}, {"Write PS Depth Count", 2}, {"Write Timestamp", 3},
    {NULL, 0},
};
static const struct field_value address_types[] = {{"PPGTT", 0}, {"GGTT", 1}, {NULL, 0}};
static const struct field pc_fields[] = {
    {"Post Sync Operation", 46, 47, FIELD_UINT, operations, ROLE(PC_POST_SYNC_OPERATION)},
    {"Notify Enable", 40, 40, FIELD_BOOL, ROLE(PC_NOTIFY_ENABLE)},
    {"TLB Invalidate", 50, 50, FIELD_BOOL, ROLE(PC_TLB_INVALIDATE)},
    {"Store Data Index", 53, 53, FIELD_BOOL, ROLE(PC_STORE_DATA_INDEX)},
    {"Reserved", 55, 55, FIELD_BOOL, .until = GEN6},
    {"LRI Post Sync Operation", 55, 55, FIELD_BOOL, ROLE(PC_LRI_POST_SYNC_OPERATION), .since = GEN7},
    {"Destination Address Type", 66, 66, FIELD_UINT, address_types, ROLE(PC_DESTINATION_ADDRESS_TYPE),
     .until = GEN6},
    {"Destination Address Type", 56, 56, FIELD_UINT, address_types, ROLE(PC_DESTINATION_ADDRESS_TYPE),
     .since = GEN7},
    {"Address", 67, 95, FIELD_ADDRESS, ROLE(PC_ADDRESS), .until = GEN6},
    {"Address", 66, 95, FIELD_ADDRESS, ROLE(PC_ADDRESS), .since = GEN7, .until = GEN75},
    {"Address", 66, 111, FIELD_ADDRESS, ROLE(PC_ADDRESS), .since = GEN8},
    {"Immediate Data", 96, 159, FIELD_HEX, ROLE(PC_IMMEDIATE_DATA), .until = GEN75},
    {"Immediate Data", 128, 191, FIELD_HEX, ROLE(PC_IMMEDIATE_DATA), .since = GEN8},
    {"Command Streamer Stall Enable", 52, 52, FIELD_BOOL, ROLE(PC_COMMAND_STREAMER_STALL_ENABLE)},
    {"Indirect State Pointers Disable", 41, 41, FIELD_BOOL, ROLE(PC_INDIRECT_STATE_POINTERS_DISABLE)},
    {"Depth Cache Flush Enable", 32, 32, FIELD_BOOL},
    {"Stall At Pixel Scoreboard", 33, 33, FIELD_BOOL},
    {"State Cache Invalidation Enable", 34, 34, FIELD_BOOL},
    {"Constant Cache Invalidation Enable", 35, 35, FIELD_BOOL},
    {"VF Cache Invalidation Enable", 36, 36, FIELD_BOOL},
    {"Texture Cache Invalidation Enable", 42, 42, FIELD_BOOL},
    {"Instruction Cache Invalidate Enable", 43, 43, FIELD_BOOL},
    {"Render Target Cache Flush Enable", 44, 44, FIELD_BOOL},
    {"Depth Stall Enable", 45, 45, FIELD_BOOL},
    {"DC Flush Enable", 37, 37, FIELD_BOOL, .since = GEN7},
    {"Pipe Control Flush Enable", 39, 39, FIELD_BOOL, .since = GEN7},
    {"Generic Media State Clear", 48, 48, FIELD_BOOL, ROLE(PC_GENERIC_MEDIA_STATE_CLEAR), .until = GEN125},
    {"Global Snapshot Count Reset", 51, 51, FIELD_BOOL, .since = GEN7},
    {"Flush LLC", 58, 58, FIELD_BOOL, .since = GEN8},
    {"Predicate Enable", 8, 8, FIELD_BOOL, .since = GEN125},
    {"HDC Pipeline Flush Enable", 9, 9, FIELD_BOOL, .since = GEN12},
    {"L3 Read Only Cache Invalidation Enable", 10, 10, FIELD_BOOL, .since = GEN12},
    {"Untyped Data-Port Cache Flush Enable", 11, 11, FIELD_BOOL, .since = GEN125},
    {"CCS Flush Enable", 13, 13, FIELD_BOOL, .since = GEN125},
    {"Workload Partition ID Offset Enable", 14, 14, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Protected Memory Application ID", 38, 38, FIELD_UINT, .since = GEN125, .until = GEN125},
    {"PSD Sync Enable", 49, 49, FIELD_BOOL, .since = GEN11, .until = GEN12},
    {"PSS Stall Sync Enable", 49, 49, FIELD_BOOL, .since = GEN125},
    {"Protected Memory Enable", 54, 54, FIELD_BOOL, .since = GEN12},
    {"AMFS Flush Enable", 57, 57, FIELD_BOOL, .since = GEN125, .until = GEN125},
    {"Protected Memory Disable", 59, 59, FIELD_BOOL, .since = GEN12},
    {"Tile Cache Flush Enable", 60, 60, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"Command Cache Invalidate Enable", 61, 61, FIELD_BOOL, .since = GEN11},
    {"L3 Fabric Flush", 62, 62, FIELD_BOOL, .since = GEN12, .until = GEN125},
    {"TBIMR Force Batch Closure", 63, 63, FIELD_BOOL, .since = GEN125, .until = GEN125},
};
static enum outcome pc_execute(struct execution *x)
{
    struct engine *e = x->engine;
    if (command_field(x, PC_TLB_INVALIDATE))
        engine_invalidate_tlb(e);
    if (command_field(x, PC_INDIRECT_STATE_POINTERS_DISABLE)) {
        engine_flushed(e);
        engine_invalidate_indirect_state(e);
    }
    if (command_field(x, PC_GENERIC_MEDIA_STATE_CLEAR))
        engine_invalidate_media_state(e);
    e->totals.stalling_flushes += command_field(x, PC_COMMAND_STREAMER_STALL_ENABLE) != 0;
    const uint64_t operation = command_field(x, PC_POST_SYNC_OPERATION),
                   data = command_field(x, PC_IMMEDIATE_DATA);
    const uint64_t address = command_field(x, PC_ADDRESS);
    if (command_field(x, PC_LRI_POST_SYNC_OPERATION)) {
        /* The address is a register, the data its value. */
        command_register_write(x, (uint32_t)address & 0x7ffffcu, (uint32_t)data, 0xf);
    } else if (operation != NO_WRITE) {
        post_sync(x, operation, command_field(x, PC_STORE_DATA_INDEX),
                  command_field(x, PC_DESTINATION_ADDRESS_TYPE), address, data);
    }
    return notify(x, command_field(x, PC_NOTIFY_ENABLE));
}

/* ---- MI_FLUSH_DW ---- */
enum {
    FDW_POST_SYNC_OPERATION = 1,
    FDW_NOTIFY_ENABLE,
    FDW_TLB_INVALIDATE,
    FDW_STORE_DATA_INDEX,
    FDW_DESTINATION_ADDRESS_TYPE,
    FDW_ADDRESS,
    FDW_IMMEDIATE_DATA
};
static const struct field fdw_fields[] = {
    {"Post-Sync Operation", 14, 15, FIELD_UINT, values_fdw_operations, ROLE(FDW_POST_SYNC_OPERATION)},
    {"Notify Enable", 8, 8, FIELD_BOOL, ROLE(FDW_NOTIFY_ENABLE)},
    {"TLB Invalidate", 18, 18, FIELD_BOOL, ROLE(FDW_TLB_INVALIDATE)},
    {"Store Data Index", 21, 21, FIELD_BOOL, ROLE(FDW_STORE_DATA_INDEX)},
    {"Destination Address Type", 34, 34, FIELD_UINT, address_types, ROLE(FDW_DESTINATION_ADDRESS_TYPE)},
    {"Address", 35, 63, FIELD_ADDRESS, ROLE(FDW_ADDRESS), .until = GEN75},
    {"Address", 35, 79, FIELD_ADDRESS, ROLE(FDW_ADDRESS), .since = GEN8},
    {"Immediate Data", 64, 127, FIELD_HEX, ROLE(FDW_IMMEDIATE_DATA), .until = GEN75},
    {"Immediate Data", 96, 159, FIELD_HEX, ROLE(FDW_IMMEDIATE_DATA), .since = GEN8},
    {"Video Pipeline Cache Invalidate", 7, 7, FIELD_BOOL},
    {"Synchronize GFDT Surface", 17, 17, FIELD_BOOL, .until = GEN75},
    {"Flush LLC", 9, 9, FIELD_BOOL, .since = GEN8},
    {"Flush CCS", 16, 16, FIELD_BOOL, .since = GEN125},
};

/* The length says whether a dword or a qword is stored. */
static enum outcome fdw_execute(struct execution *x)
{
    struct engine *e = x->engine;
    const bool dword = (x->length_dw - 1u) * 32u <= x->command->by_role[FDW_IMMEDIATE_DATA].first;
    if (command_flag(x, FDW_TLB_INVALIDATE))
        engine_invalidate_tlb(e);
    const uint64_t operation = header_field(x, FDW_POST_SYNC_OPERATION),
                   data = command_field(x, FDW_IMMEDIATE_DATA), address = command_field(x, FDW_ADDRESS);
    if (operation == WRITE_IMMEDIATE || operation == WRITE_TIMESTAMP)
        post_sync(x, operation == WRITE_IMMEDIATE && dword ? WRITE_IMMEDIATE_DWORD : operation,
                  command_flag(x, FDW_STORE_DATA_INDEX), command_field(x, FDW_DESTINATION_ADDRESS_TYPE),
                  address, data);
    return notify(x, command_flag(x, FDW_NOTIFY_ENABLE));
}

static const struct command rows[] = {
    {.name = "PIPE_CONTROL",
     .summary = "Flushes and stalls the pipeline, then stores or interrupts.",
     HEADER(PIPE_CONTROL),
     .engines = RENDER,
     .since = GEN6,
     .length_bits = 8,
     .length_bias = 2,
     .min_dwords = 4,
     .flags = COMMAND_ARBITRATES_MEDIA,
     FIELDS(pc_fields),
     .execute = pc_execute,
     .spec = "REN-29"},
    {.since = GEN7, .spec = "CSP-05"},
    {.since = GEN8, .min_dwords = 5, .spec = "CSP-15, CSP-24"},
    {.since = GEN12, .engines = RENDER | COMPUTE, .spec = "CSP-15, CSP-24"},
    {.since = GEN125,
     .flags = COMMAND_ARBITRATES_MEDIA | COMMAND_INDEX_BY_TYPE,
     .spec = "CSP-24, SYS-04, DG2 PRM vol 2a"},
    {.since = GEN200, .spec = "CSP-24, SYS-04; Mesa, genxml of gen200"},
    {.name = "MI_FLUSH_DW",
     .summary = "Flushes the engine, then stores or interrupts.",
     OPCODE_MI(0x26),
     .engines = COPY | VIDEO | ENHANCE | OTHER_CLASS,
     .since = GEN6,
     .length_bits = 6,
     .length_bias = 2,
     .min_dwords = 3,
     FIELDS(fdw_fields),
     .execute = fdw_execute,
     .spec = "VCS-11"},
    {.since = GEN8, .min_dwords = 4, .spec = "CSP-14, CSP-15"},
    /* Drivers leave the data out where nothing is stored. */
    {.since = GEN125,
     .min_dwords = 3,
     .flags = COMMAND_INDEX_BY_TYPE,
     .spec = "CSP-14, CSP-15, SYS-04; Linux, intel_migrate"},
};

const struct command_table flush_commands = COMMAND_TABLE(rows);
